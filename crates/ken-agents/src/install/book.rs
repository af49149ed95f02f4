//! The receipt on disk: opened under a lock, saved whole, removed with its folders when nothing is left.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::disk;
use super::receipt::{Receipt, VERSION, place};
use crate::machine::Machine;
use crate::refusal::Refusal;

/// Where the plugin tree is kept, in our folder.
pub(crate) const PLUGIN: &str = "plugin";

/// The receipt, held for changing.
pub(crate) struct Book {
    data: PathBuf,
    pub(crate) receipt: Receipt,
    lock: File,
}

impl Book {
    /// Opens the receipt; another installation is waited for.
    pub(crate) fn open(machine: &Machine, wait: Duration) -> Result<Book, Refusal> {
        let data = machine.data();
        let mut made = Vec::new();
        let lock = locked(&data, wait, &mut made)?;
        let mut receipt = read(machine)?.unwrap_or_else(|| Receipt::new(Vec::new()));
        let is_changed = !made.is_empty();
        receipt.folders.append(&mut made);
        let book = Book { data, receipt, lock };
        if is_changed {
            book.save()?;
        }
        Ok(book)
    }

    /// Writes the receipt out.
    pub(crate) fn save(&self) -> Result<(), Refusal> {
        let text = serde_json::to_string_pretty(&self.receipt).map_err(|error| Refusal::new(error.to_string()))?;
        let place = place(&self.data);
        if !place.exists() {
            disk::write(&place, "", false)?;
            disk::make_private(&place);
        }
        disk::write(&place, &(text + "\n"), false)
    }

    /// Lets the receipt go; when nothing is installed, nothing of it stays.
    pub(crate) fn close(self, is_purge: bool) -> Result<(), Refusal> {
        if self.receipt.installed.is_empty() {
            disk::remove_beside(&place(&self.data));
            disk::remove(&place(&self.data))?;
            if is_purge {
                disk::remove_own(&self.data.join(PLUGIN))?;
            }
            disk::remove(&lock_place(&self.data))?;
            drop(self.lock);
            disk::remove_empty(&[self.data.join(PLUGIN)]);
            let mut folders = self.receipt.folders;
            folders.push(self.data);
            disk::remove_empty(&folders);
        }
        Ok(())
    }
}

/// Returns the receipt without holding it; `None` when nothing was ever installed.
pub(crate) fn read(machine: &Machine) -> Result<Option<Receipt>, Refusal> {
    let place = place(&machine.data());
    let Some(text) = disk::read(&place)?.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    let receipt: Receipt = serde_json::from_str(&text).map_err(|error| {
        let hint = "move it away and run `ken install` again; `ken uninstall` cannot take back what it lists";
        Refusal::of_file("read", &place, error.to_string()).hint(hint)
    })?;
    match receipt.version {
        VERSION => Ok(Some(receipt)),
        other => {
            let cause = format!("it has the form {other}, this `ken` knows {VERSION}");
            Err(Refusal::of_file("read", &place, cause).hint("use the newer `ken`"))
        }
    }
}

fn lock_place(data: &Path) -> PathBuf {
    data.join("install.lock")
}

/// Returns the locked file; `made` collects the folders that were made for it.
///
/// Of several that make the same folders at once each knows its own, and all write them down.
fn locked(data: &Path, wait: Duration, made: &mut Vec<PathBuf>) -> Result<File, Refusal> {
    let path = lock_place(data);
    let started = Instant::now();
    loop {
        for folder in disk::missing_folders(&path) {
            match fs::create_dir(&folder) {
                Ok(()) => made.push(folder),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                // Somebody else just removed what was empty, and the loop makes it again.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(Refusal::io("make", &folder, &error)),
            }
        }
        let opened = File::options().create(true).truncate(false).write(true).open(&path);
        let file = match opened {
            Ok(file) => file,
            // Whoever was last removed the folder just now.
            Err(error) if error.kind() == ErrorKind::NotFound && started.elapsed() < wait => continue,
            Err(error) => return Err(Refusal::io("write", &path, &error)),
        };
        match file.try_lock() {
            Ok(()) if is_still(&file, &path) => return Ok(file),
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) if started.elapsed() < wait => std::thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::WouldBlock) => {
                let mut refusal = Refusal::new("another `ken install` is at work").hint("nothing was changed");
                refusal.is_retryable = true;
                return Err(refusal);
            }
            Err(TryLockError::Error(error)) => return Err(Refusal::io("lock", &path, &error)),
        }
    }
}

/// Returns whether the locked file is the one at the path; the last installation may have removed it.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(locked), Ok(there)) => (locked.dev(), locked.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Returns whether the locked file is the one at the path; other systems do not remove an open file.
#[cfg(not(unix))]
fn is_still(_: &File, path: &Path) -> bool {
    path.exists()
}

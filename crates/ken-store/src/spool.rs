//! The spool: small files that wait for a worker, and the right to be that worker.
//!
//! A file is there completely or not at all, but is not synced: it is a wake-up call, and what it calls
//! for can be found again without it. Names are chosen by the caller, one file a job. A job bears a seal on
//! its last line: one that came with a vault could name any file of this machine. The lock here is not the
//! vault's: a worker holds it while it works through the spool and takes the vault's for each change.

use ken_core::{Digest, VaultPath};

use crate::error::{At, StoreError};
use crate::fs::Held;
use crate::lock::{Owner, owner_line};
use crate::seal::Origin;
use crate::store::{Store, tool};

/// A file in the spool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpooledFile {
    /// Its name.
    pub name: String,
    /// What was put there, without the seal.
    pub bytes: Vec<u8>,
    /// Whether this user's `ken` put it there, for the vault at this place.
    pub is_ours: bool,
}

/// The right to work through a spool, or to watch a vault, for as long as this value lives.
pub struct SpoolGuard {
    _held: Held,
}

impl std::fmt::Debug for SpoolGuard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SpoolGuard")
    }
}

/// Most bytes of a note file; then the older half becomes `NAME.old`.
const NOTES_BYTES_MAX: u64 = 128 * 1024;

/// How the names of jobs and of flags end.
const JOB: &str = ".json";
const FLAG: &str = ".flag";

fn spooled(name: &str) -> VaultPath {
    tool(&format!("spool/{name}"))
}

/// What a file in the spool is sealed as.
fn purpose(name: &str) -> String {
    format!("spool/{name}")
}

impl Store {
    /// Returns what a file in the spool holds.
    fn open_spooled(&self, name: String, mut closed: Vec<u8>) -> SpooledFile {
        let seal_at = closed.strip_suffix(b"\n").and_then(|rest| rest.iter().rposition(|&byte| byte == b'\n'));
        if let Some(at) = seal_at {
            let seal = str::from_utf8(&closed[at + 1..]).ok().and_then(|hex| Digest::parse(hex.trim_end()));
            let place = self.seals.place(&self.disk);
            let origin = self.seals.origin(&self.disk, &purpose(&name), place, &closed[..at], seal);
            if origin == Origin::Here {
                closed.truncate(at);
                return SpooledFile { name, bytes: closed, is_ours: true };
            }
        }
        SpooledFile { name, bytes: closed, is_ours: false }
    }

    /// Puts a file into the spool, sealed, replacing one of the same name in one step.
    ///
    /// # Errors
    /// When it cannot be written; nothing is left behind then.
    pub fn put_spooled(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = spooled(name);
        let seal = self.seal(&purpose(name), bytes).unwrap_or_else(|| "no key".to_owned());
        let bytes = [bytes, b"\n", seal.as_bytes(), b"\n"].concat();
        let bytes = bytes.as_slice();
        let staged = spooled(&format!(".ken-{}-{name}", std::process::id()));
        self.disk.refuse_links(&path)?;
        self.disk.create_parents(&path)?;
        let written = self.disk.write_unsynced(&staged, bytes, None);
        let moved = written.and_then(|()| self.disk.rename(&staged, &path));
        if moved.is_err() {
            // A full disk must not stay full because of half a file.
            let _ = self.disk.remove(&staged);
        }
        moved
    }

    /// Returns the files in the spool, sorted by name; one that cannot be read is left out.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn spooled(&self) -> Result<Vec<SpooledFile>, StoreError> {
        Ok(self.files_in_spool(JOB)?.into_iter().map(|(name, closed)| self.open_spooled(name, closed)).collect())
    }

    fn files_in_spool(&self, ending: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let folder = tool("spool");
        self.disk.refuse_links(&folder)?;
        let entries = match self.disk.fs.list(&self.disk.place(&folder)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.at("read", &folder)?,
        };
        let plain = entries.into_iter().filter(|entry| !entry.is_dir && !entry.is_symlink);
        let mut names: Vec<String> = plain.filter_map(|entry| entry.name.into_string().ok()).collect();
        names.retain(|name| name.ends_with(ending) && !name.starts_with('.'));
        names.sort();
        let read = |name: String| Some((self.disk.read(&spooled(&name)).ok()??, name));
        Ok(names.into_iter().filter_map(read).map(|(bytes, name)| (name, bytes)).collect())
    }

    /// Removes a file from the spool if it still holds these bytes; what was put there since stays.
    ///
    /// # Errors
    /// When the system cannot remove it.
    pub fn remove_spooled(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = spooled(name);
        let is_same = |closed: Vec<u8>| self.open_spooled(name.to_owned(), closed).bytes == bytes;
        if self.disk.read(&path)?.is_some_and(is_same) { self.disk.remove(&path) } else { Ok(()) }
    }

    /// Puts a flag into the spool and returns whether nobody had; of several at the same instant one does.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_flag(&self, name: &str, bytes: &[u8]) -> Result<bool, StoreError> {
        let path = spooled(&format!("{name}{FLAG}"));
        self.disk.refuse_links(&path)?;
        self.disk.create_parents(&path)?;
        match self.disk.fs.write_new(&self.disk.place(&path), bytes, None) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            other => other.at("write", &path).map(|()| true),
        }
    }

    /// Removes the flags that `is_old` says so of, by their bytes.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn remove_flags(&self, is_old: impl Fn(&[u8]) -> bool) -> Result<(), StoreError> {
        for (name, bytes) in self.files_in_spool(FLAG)? {
            if is_old(&bytes) {
                self.disk.remove(&spooled(&name))?;
            }
        }
        Ok(())
    }

    /// Takes the right to work through the spool, or returns `None` when another worker has it.
    ///
    /// # Errors
    /// When the vault cannot be written to.
    pub fn lock_spool(&self) -> Result<Option<SpoolGuard>, StoreError> {
        let path = spooled("lock");
        self.disk.refuse_links(&path)?;
        self.disk.create_parents(&path)?;
        let held = self.disk.fs.try_lock(&self.disk.place(&path), b"").at("lock", &path)?;
        Ok(held.map(|held| SpoolGuard { _held: held }))
    }

    /// Takes the right to watch the vault, or returns who has it, as far as that is known.
    ///
    /// # Errors
    /// When the vault cannot be written to.
    pub fn lock_watch(&self) -> Result<Result<SpoolGuard, Option<Owner>>, StoreError> {
        let path = spooled("watch");
        self.disk.refuse_links(&path)?;
        self.disk.create_parents(&path)?;
        let held = self.disk.fs.try_lock(&self.disk.place(&path), &owner_line("watch")).at("lock", &path)?;
        Ok(held.map(|held| SpoolGuard { _held: held }).ok_or_else(|| self.owner_of(&path)))
    }

    /// Returns the bytes of a note file; none when there is none or it cannot be read.
    pub fn notes(&self, name: &str) -> Option<Vec<u8>> {
        self.read(&tool(&format!("cache/{name}"))).ok().flatten()
    }

    /// Adds a line to a note file in the cache, which is kept small.
    ///
    /// # Errors
    /// When it cannot be written; a caller may go on without.
    pub fn note(&self, name: &str, line: &str) -> Result<(), StoreError> {
        let path = tool(&format!("cache/{name}"));
        self.disk.refuse_links(&path)?;
        self.disk.create_parents(&path)?;
        if self.disk.stat(&path)?.is_some_and(|meta| meta.len > NOTES_BYTES_MAX) {
            self.disk.rename(&path, &tool(&format!("cache/{name}.old")))?;
        }
        self.disk.fs.append(&self.disk.place(&path), format!("{line}\n").as_bytes()).at("write", &path)
    }
}

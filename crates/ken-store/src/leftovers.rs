//! What a process that was killed left of the files that it was about to put in place.
//!
//! A file gets its bytes under a name of the process's own, `.ken-PID-NAME`, and then its name. All such files
//! stand where a look costs nothing, and every holder of the lock looks. One that belongs to a process that is
//! gone, or is far older than writing a file can take, is removed. Should its process live after all, it finds
//! its file gone and writes it again.

use ken_core::VaultPath;

use crate::disk::Disk;
use crate::error::StoreError;
use crate::store::{Store, tool};

/// What the names of such files begin with.
const OPENING: &str = ".ken-";

/// Age after which nobody is still writing such a file.
const AGE_MAX_NS: i64 = 10 * 60 * 1_000_000_000;

/// How often a file is written whose bytes somebody took for left over.
const ATTEMPTS: usize = 3;

/// Folders in which such files stand, or stood: earlier versions put them beside the files of replies.
const FOLDERS: [&str; 3] = ["cache", "spool", ""];

/// Returns the place at which this process writes the bytes of a file of the tool's folder.
fn staged(name: &str) -> VaultPath {
    tool(&format!("{OPENING}{}-{}", std::process::id(), name.replace('/', "-")))
}

/// Puts a file of the tool's folder in place with all of its bytes, in one step.
pub(crate) fn put(disk: &Disk, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
    let (path, staged) = (tool(name), staged(name));
    disk.refuse_links(&path)?;
    disk.refuse_links(&staged)?;
    disk.create_parents(&path)?;
    let mut attempts = 1..=ATTEMPTS;
    loop {
        let is_last = attempts.next().is_none_or(|n| n == ATTEMPTS);
        disk.remove(&staged)?;
        let written = disk.write_synced(&staged, bytes, None);
        let Err(error) = written.and_then(|()| disk.rename(&staged, &path)) else { return Ok(()) };
        let is_taken = matches!(&error, StoreError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound);
        if is_last || !is_taken {
            // A full disk must not stay full because of half a file.
            let _ = disk.remove(&staged);
            return Err(error);
        }
    }
}

impl Store {
    /// Removes what processes left that are gone. It only costs space, so nothing fails for it.
    pub(crate) fn remove_leftovers(&self) {
        for folder in FOLDERS {
            self.remove_leftovers_in(folder);
        }
    }

    /// Removes what stands of it in one folder of the tool's.
    pub(crate) fn remove_leftovers_in(&self, folder: &str) {
        let path = if folder.is_empty() { tool("lock").parent() } else { Some(tool(folder)) };
        let Some(path) = path.filter(|path| self.disk.refuse_links(path).is_ok()) else { return };
        let Ok(entries) = self.disk.fs.list(&self.disk.place(&path)) else { return };
        // The lock was written when it was taken: its time saves the store a clock.
        let now = self.mtime(&tool("lock"));
        for name in entries.into_iter().filter(|entry| !entry.is_dir).filter_map(|entry| entry.name.into_string().ok())
        {
            let Some(pid) = pid_of(&name) else { continue };
            let Some(file) = VaultPath::new(&format!("{path}/{name}")) else { continue };
            let is_old = now.zip(self.mtime(&file)).is_some_and(|(now, then)| now.saturating_sub(then) > AGE_MAX_NS);
            if pid != std::process::id() && (is_old || self.disk.fs.is_gone(pid)) {
                let _ = self.disk.remove(&file);
            }
        }
    }
}

/// Returns the process whose file this is, if it is such a file.
fn pid_of(name: &str) -> Option<u32> {
    // What waits for an intent has a name of this form too, and goes with the intent.
    let (pid, rest) = name.strip_prefix(OPENING)?.split_once('-')?;
    let is_of_intent = rest.strip_suffix(".tmp").is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
    pid.parse().ok().filter(|_| !is_of_intent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_this_form_are_anybodys_leftovers() {
        assert_eq!(pid_of(".ken-4182-costs.jsonl"), Some(4182));
        for name in [".ken-000007-0.tmp", ".ken-", ".ken-7", ".ken-a-b", "ken-7-b", ".kenning"] {
            assert_eq!(pid_of(name), None, "{name}");
        }
    }
}

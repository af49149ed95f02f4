//! Files that belong to the user and to no vault: lines that are only ever added, and locks over all vaults.
//!
//! They lie beside the user's key. Nothing of a vault names them, so a name is one of ours and no path.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::fs::{Fs, Held};
use crate::real_fs::RealFs;
use crate::seal::{make_private_folder, private_file};

/// How often a lock that somebody holds is looked at again: adding a line takes less.
const LOOK: Duration = Duration::from_millis(5);

/// The folder of the user's own files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserFolder(PathBuf);

/// The right to do something that one process of the user does at a time; given back when it goes.
pub struct UserGuard {
    _held: Held,
}

impl UserFolder {
    /// Returns the folder, which is made when something is first written to it.
    pub fn at(path: PathBuf) -> UserFolder {
        UserFolder(path)
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the right of this name, or `None` when another process still has it after so long.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn lock(&self, name: &str, wait: Duration) -> io::Result<Option<UserGuard>> {
        make_private_folder(&self.0)?;
        let path = self.0.join(format!("{name}.lock"));
        let mut waited = Duration::ZERO;
        loop {
            match RealFs.try_lock(&path, b"")? {
                Some(held) => return Ok(Some(UserGuard { _held: held })),
                None if waited >= wait => return Ok(None),
                None => std::thread::sleep(LOOK),
            }
            waited += LOOK;
        }
    }

    /// Returns the text of a file; empty when there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn text(&self, name: &str) -> io::Result<String> {
        match fs::read(self.0.join(name)) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(error),
        }
    }

    /// Returns the names of the files, in order.
    ///
    /// # Errors
    /// When the folder is there and cannot be read.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut names = Vec::new();
        for entry in entries {
            names.extend(entry?.file_name().into_string());
        }
        names.sort();
        Ok(names)
    }

    /// Adds a line to a file, which is on the disk then; a line that a crash cut off stays a line of its own.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add_line(&self, name: &str, line: &str) -> io::Result<()> {
        make_private_folder(&self.0)?;
        let path = self.0.join(name);
        let len = match fs::metadata(&path) {
            Ok(meta) => meta.len(),
            Err(_) => {
                drop(private_file(&path)?);
                RealFs.sync_dir(&self.0)?;
                0
            }
        };
        let is_cut = len > 0 && RealFs.read_from(&path, len - 1)? != b"\n";
        RealFs.append(&path, format!("{}{line}\n", if is_cut { "\n" } else { "" }).as_bytes())?;
        RealFs.sync_file(&path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_added_and_a_cut_one_stays_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let user = UserFolder::at(folder.path().join("state/kenning"));
        assert_eq!((user.text("x").expect("none"), user.names().expect("none")), (String::new(), Vec::new()));
        user.add_line("x", "one").expect("it is written");
        fs::write(user.path().join("x"), "one\ntw").expect("it is written");
        user.add_line("x", "three").expect("it is written");
        assert_eq!(user.text("x").expect("there"), "one\ntw\nthree\n");
        assert_eq!(user.names().expect("a folder"), ["x"]);
    }

    #[test]
    fn a_right_is_given_to_one_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let user = UserFolder::at(folder.path().to_owned());
        let first = user.lock("x", Duration::ZERO).expect("a lock");
        assert!(first.is_some() && user.lock("x", Duration::from_millis(20)).expect("no lock").is_none());
        assert!(user.lock("y", Duration::ZERO).expect("a lock").is_some());
        drop(first);
        assert!(user.lock("x", Duration::ZERO).expect("a lock").is_some());
    }
}

//! A vault as a plan will leave it, to be read before the plan is carried out.
//!
//! What is decided from files that a plan adds can stand in the same plan then. Nothing is written through such a store:
//! every operation that would is refused.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ken_core::Edit;

use crate::disk::Disk;
use crate::error::StoreError;
use crate::fs::{Fs, FsEntry, FsMeta, Held};
use crate::store::Store;

impl Store {
    /// Returns the store of the same vault as it will be once these files were written and added to; nothing can be
    /// changed through it, and other edits show nothing.
    ///
    /// # Errors
    /// When a file that is added to cannot be read.
    pub fn ahead(&self, edits: &[Edit]) -> Result<Store, StoreError> {
        let mut files = BTreeMap::new();
        for edit in edits {
            let bytes = match edit {
                Edit::Write { content, .. } => content.clone(),
                Edit::Append { path, preamble, content } => {
                    let mut bytes = self.read(path)?.unwrap_or_else(|| preamble.clone());
                    bytes.extend_from_slice(content);
                    bytes
                }
                _ => continue,
            };
            files.insert(self.disk.place(edit.path()), bytes);
        }
        let fs = Arc::new(Ahead { below: self.disk.fs.clone(), files });
        let mut ahead = self.clone();
        ahead.disk = Disk { root: self.disk.root.clone(), fs };
        Ok(ahead)
    }
}

/// Files that are not written yet, over those that stand there.
struct Ahead {
    below: Arc<dyn Fs>,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Ahead {
    /// The names right in a folder that lead to such files, and whether each is a folder itself.
    fn names(&self, folder: &Path) -> BTreeMap<OsString, bool> {
        let below = self.files.keys().filter_map(|place| place.strip_prefix(folder).ok());
        let name = |rest: &Path| {
            let mut parts = rest.components();
            Some((parts.next()?.as_os_str().to_owned(), parts.next().is_some()))
        };
        below.filter_map(name).collect()
    }
}

fn refused<T>() -> io::Result<T> {
    Err(ErrorKind::ReadOnlyFilesystem.into())
}

impl Fs for Ahead {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).map_or_else(|| self.below.read(path), |bytes| Ok(bytes.clone()))
    }

    fn read_from(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>> {
        let Some(bytes) = self.files.get(path) else { return self.below.read_from(path, offset) };
        Ok(bytes.get(usize::try_from(offset).unwrap_or(usize::MAX)..).unwrap_or_default().to_vec())
    }

    fn metadata(&self, path: &Path) -> io::Result<FsMeta> {
        if let Some(bytes) = self.files.get(path) {
            return Ok(FsMeta { len: bytes.len() as u64, mtime_ns: 0, is_dir: false, is_symlink: false });
        }
        let found = self.below.metadata(path);
        let is_missing = matches!(&found, Err(error) if error.kind() == ErrorKind::NotFound);
        match is_missing && !self.names(path).is_empty() {
            true => Ok(FsMeta { len: 0, mtime_ns: 0, is_dir: true, is_symlink: false }),
            false => found,
        }
    }

    fn resolved(&self, path: &Path) -> io::Result<PathBuf> {
        self.below.resolved(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<FsEntry>> {
        let names = self.names(folder);
        let mut entries = match self.below.list(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound && !names.is_empty() => Vec::new(),
            found => found?,
        };
        for (name, is_dir) in names {
            if !entries.iter().any(|entry| entry.name == name) {
                entries.push(FsEntry { name, is_dir, is_symlink: false });
            }
        }
        Ok(entries)
    }

    fn write_new(&self, _: &Path, _: &[u8], _: Option<&Path>) -> io::Result<()> {
        refused()
    }

    fn append(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        refused()
    }

    fn sync_file(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn rename(&self, _: &Path, _: &Path) -> io::Result<()> {
        refused()
    }

    fn rename_new(&self, _: &Path, _: &Path) -> io::Result<()> {
        refused()
    }

    fn remove(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn create_dir(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn try_lock(&self, _: &Path, _: &[u8]) -> io::Result<Option<Held>> {
        refused()
    }

    fn is_gone(&self, pid: u32) -> bool {
        self.below.is_gone(pid)
    }
}

//! A vault's files by their vault paths.
//!
//! Joins an [`Fs`] with a root so that everything above speaks in [`VaultPath`]s and gets
//! [`StoreError`]s that name them. Nothing below the root is reached through a symbolic link: reads,
//! writes and listings all come through [`Disk::refuse_links`]. The check is made before the use, so a
//! link that is put in place between the two is not seen; whoever can do that can write to the vault
//! anyway.

use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ken_core::VaultPath;

use crate::error::{At, StoreError};
use crate::fs::{Fs, FsMeta};

/// A root folder and the means to reach it.
#[derive(Clone)]
pub(crate) struct Disk {
    pub(crate) root: PathBuf,
    pub(crate) fs: Arc<dyn Fs>,
}

/// What stands at a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Nothing,
    File(Vec<u8>),
    /// A folder, or a link: nothing that the store reads or replaces.
    Other,
}

impl Disk {
    /// Returns the absolute place of `path`.
    pub(crate) fn place(&self, path: &VaultPath) -> PathBuf {
        // Ten thousand are asked about by every compile; joining alone reserves too little room.
        let mut place = PathBuf::with_capacity(self.root.as_os_str().len() + 1 + path.as_str().len());
        place.push(&self.root);
        place.push(path.as_str());
        place
    }

    /// Returns what is known about `path`, or `None` when nothing stands there.
    pub(crate) fn stat(&self, path: &VaultPath) -> Result<Option<FsMeta>, StoreError> {
        match self.fs.metadata(&self.place(path)) {
            Ok(meta) => Ok(Some(meta)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error).at("read", path),
        }
    }

    /// Refuses a path that is, or leads through, a symbolic link.
    pub(crate) fn refuse_links(&self, path: &VaultPath) -> Result<(), StoreError> {
        for part in lineage(path) {
            match self.stat(&part)? {
                None => return Ok(()),
                Some(meta) if meta.is_symlink => {
                    let why = "it is, or lies behind, a symbolic link";
                    let hint = "links inside a vault are never followed; move the file into the vault";
                    return Err(StoreError::Refused { path: path.clone(), why, hint });
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Returns what stands at `path`, following no link.
    pub(crate) fn standing(&self, path: &VaultPath) -> Result<Standing, StoreError> {
        match self.stat(path)? {
            None => Ok(Standing::Nothing),
            Some(meta) if meta.is_dir || meta.is_symlink => Ok(Standing::Other),
            Some(_) => Ok(self.read(path)?.map_or(Standing::Nothing, Standing::File)),
        }
    }

    /// Returns the bytes of a file, or `None` when there is none.
    pub(crate) fn read(&self, path: &VaultPath) -> Result<Option<Vec<u8>>, StoreError> {
        self.refuse_links(path)?;
        match self.fs.read(&self.place(path)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error).at("read", path),
        }
    }

    /// Returns the bytes of a file from `offset` on; none when the file is absent or shorter.
    pub(crate) fn read_from(&self, path: &VaultPath, offset: u64) -> Result<Vec<u8>, StoreError> {
        self.refuse_links(path)?;
        match self.fs.read_from(&self.place(path), offset) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            other => other.at("read", path),
        }
    }

    /// Writes a new file, replacing a leftover of the same name, and makes its bytes durable.
    pub(crate) fn write_synced(
        &self,
        path: &VaultPath,
        bytes: &[u8],
        like: Option<&VaultPath>,
    ) -> Result<(), StoreError> {
        self.write_unsynced(path, bytes, like)?;
        self.fs.sync_file(&self.place(path)).at("sync", path)
    }

    /// Writes a new file of parts, one after the other, as [`Disk::write_synced`] does.
    pub(crate) fn write_parts_synced(
        &self,
        path: &VaultPath,
        parts: &[Cow<'_, [u8]>],
        like: Option<&VaultPath>,
    ) -> Result<(), StoreError> {
        let like = like.map(|like| self.place(like));
        self.write_over(path, |place| self.fs.write_new_parts(place, parts, like.as_deref()))?;
        self.fs.sync_file(&self.place(path)).at("sync", path)
    }

    /// Makes the bytes of several files durable.
    pub(crate) fn sync_files(&self, paths: &[VaultPath]) -> Result<(), StoreError> {
        let places: Vec<PathBuf> = paths.iter().map(|path| self.place(path)).collect();
        let named = |(n, error): (usize, io::Error)| Err(error).at("sync", &paths[n]);
        self.fs.sync_files(&places).or_else(named)
    }

    /// Writes a new file, replacing a leftover of the same name.
    pub(crate) fn write_unsynced(
        &self,
        path: &VaultPath,
        bytes: &[u8],
        like: Option<&VaultPath>,
    ) -> Result<(), StoreError> {
        let like = like.map(|like| self.place(like));
        self.write_over(path, |place| self.fs.write_new(place, bytes, like.as_deref()))
    }

    /// Writes a new file, which `write` creates, in the place of a leftover of the same name.
    fn write_over(&self, path: &VaultPath, write: impl Fn(&Path) -> io::Result<()>) -> Result<(), StoreError> {
        let place = self.place(path);
        match write(&place) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.fs.remove(&place).at("remove", path)?;
                write(&place).at("write", path)
            }
            other => other.at("write", path),
        }
    }

    /// Moves a file over another.
    pub(crate) fn rename(&self, from: &VaultPath, to: &VaultPath) -> Result<(), StoreError> {
        self.fs.rename(&self.place(from), &self.place(to)).at("write", to)
    }

    /// Lets two files change places. Returns `None` when one of them is gone, else whether the system can.
    pub(crate) fn exchange(&self, one: &VaultPath, other: &VaultPath) -> Result<Option<bool>, StoreError> {
        match self.fs.exchange(&self.place(one), &self.place(other)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            done => done.at("write", other).map(Some),
        }
    }

    /// Moves a file to a place where nothing stands; returns whether nothing did.
    pub(crate) fn rename_new(&self, from: &VaultPath, to: &VaultPath) -> Result<bool, StoreError> {
        match self.fs.rename_new(&self.place(from), &self.place(to)) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            done => done.at("write", to).map(|()| true),
        }
    }

    /// Removes a file; one that is already gone is no error.
    pub(crate) fn remove(&self, path: &VaultPath) -> Result<(), StoreError> {
        match self.fs.remove(&self.place(path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            other => other.at("remove", path),
        }
    }

    /// Creates the missing folders above `path`.
    pub(crate) fn create_parents(&self, path: &VaultPath) -> Result<(), StoreError> {
        let Some(parent) = path.parent() else { return Ok(()) };
        for folder in lineage(&parent) {
            match self.fs.create_dir(&self.place(&folder)) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                other => other.at("create", &folder)?,
            }
        }
        Ok(())
    }

    /// Makes the names in `folder` (the root when `None`) durable.
    pub(crate) fn sync_folder(&self, folder: Option<&VaultPath>) -> Result<(), StoreError> {
        let place = folder.map_or_else(|| self.root.clone(), |folder| self.place(folder));
        self.fs.sync_dir(&place).at("sync", folder.map_or(".", VaultPath::as_str))
    }
}

/// Returns the folders above `path`, outermost first, and `path` itself last.
pub(crate) fn lineage(path: &VaultPath) -> Vec<VaultPath> {
    let mut parts = vec![path.clone()];
    while let Some(parent) = parts.last().and_then(VaultPath::parent) {
        parts.push(parent);
    }
    parts.reverse();
    parts
}

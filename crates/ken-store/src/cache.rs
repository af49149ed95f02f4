//! The cache: derived files, which are replaced in one step but not synced, because losing one loses only
//! time. One without a seal of this user for this place is none, so that a cache that came with a vault is
//! made again. Files that are read piece by piece bear none; a sealed one names them.

use std::borrow::Cow;

use ken_core::VaultPath;

use crate::error::{At, StoreError};
use crate::fs::{Held, OpenFile};
use crate::store::{Store, tool};

/// The right to replace what belongs together in the cache; for as long as this value lives.
pub struct CacheGuard {
    _held: Held,
}

/// What a cache file is sealed as.
fn purpose(name: &str) -> String {
    format!("cache/{name}")
}

impl Store {
    /// Returns the bytes of a cache file, or `None` when there is none, it cannot be read, or it was not
    /// written here by this user: then it is made again.
    pub fn read_cache(&self, name: &str) -> Option<Vec<u8>> {
        let closed = self.read(&tool(&format!("cache/{name}"))).ok().flatten()?;
        self.seals.opened(&self.disk, &purpose(name), closed)
    }

    /// Replaces a cache file, in one step, with its seal.
    ///
    /// # Errors
    /// When it cannot be written; a caller may go on without.
    pub fn write_cache(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), StoreError> {
        let bytes = bytes.as_ref();
        let seal = self.seals.closing(&self.disk, &purpose(name), bytes);
        self.replace_cache(name, &[Cow::Borrowed(bytes), Cow::Borrowed(seal.as_bytes())])
    }

    /// Replaces a cache file that is read with [`Store::open_cache`], in one step; a sealed file names it.
    ///
    /// # Errors
    /// When it cannot be written; a caller may go on without.
    pub fn write_cache_piece(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.replace_cache(name, &[Cow::Borrowed(bytes)])
    }

    fn replace_cache(&self, name: &str, parts: &[Cow<'_, [u8]>]) -> Result<(), StoreError> {
        let path = tool(&format!("cache/{name}"));
        let staged = tool(&format!("cache/.ken-{}-{name}", std::process::id()));
        self.disk.refuse_links(&path)?;
        self.disk.create_parents(&path)?;
        self.disk.remove(&staged)?;
        let written = self.disk.fs.write_new_parts(&self.disk.place(&staged), parts, None).at("write", &staged);
        let moved = written.and_then(|()| self.put_in_place(&staged, &path));
        if moved.is_err() {
            // Nobody else would take away half a file under this name.
            let _ = self.disk.remove(&staged);
        }
        moved
    }

    /// Lets a new file take the place of an older one. Some file systems write out a file that is renamed over another one
    /// before they go on, to which nothing is owed here; files that change places they leave to themselves.
    fn put_in_place(&self, staged: &VaultPath, path: &VaultPath) -> Result<(), StoreError> {
        match self.disk.exchange(staged, path)? {
            Some(true) => self.disk.remove(staged),
            _ => self.disk.rename(staged, path),
        }
    }

    /// Returns a cache file, open to be read piece by piece, or `None` when there is none or it cannot be
    /// read.
    pub fn open_cache(&self, name: &str) -> Option<Box<dyn OpenFile>> {
        let path = tool(&format!("cache/{name}"));
        self.disk.refuse_links(&path).ok()?;
        self.disk.fs.open(&self.disk.place(&path)).ok()
    }

    /// Returns when a cache file was written, nanoseconds since 1970.
    pub fn cache_mtime(&self, name: &str) -> Option<i64> {
        self.mtime(&tool(&format!("cache/{name}")))
    }

    /// Removes the cache files whose names `is_old` says so of; what cannot be removed stays.
    pub fn remove_cache(&self, is_old: impl Fn(&str) -> bool) {
        let folder = tool("cache");
        let Ok(found) = self.disk.fs.list(&self.disk.place(&folder)) else { return };
        for name in found.iter().filter_map(|entry| entry.name.to_str()).filter(|name| is_old(name)) {
            let _ = self.disk.remove(&tool(&format!("cache/{name}")));
        }
    }

    /// Returns the names of the cache files; none when the cache cannot be read.
    pub fn cache_names(&self) -> Vec<String> {
        let found = self.disk.fs.list(&self.disk.place(&tool("cache"))).unwrap_or_default();
        found.into_iter().filter_map(|entry| entry.name.to_str().map(str::to_owned)).collect()
    }

    /// Takes the right to replace what belongs together under a name, or returns `None` when another process
    /// has it, or the cache cannot be written.
    pub fn lock_cache(&self, name: &str) -> Option<CacheGuard> {
        let path = tool(&format!("cache/{name}.lock"));
        self.disk.refuse_links(&path).ok()?;
        self.disk.create_parents(&path).ok()?;
        let held = self.disk.fs.try_lock(&self.disk.place(&path), b"").ok()??;
        Some(CacheGuard { _held: held })
    }
}

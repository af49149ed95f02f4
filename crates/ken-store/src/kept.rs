//! Kept files: what the tool keeps for itself and must not lose, such as recorded replies and costs.
//!
//! They lie below `.kenning/`, are named by whoever keeps them, and are no part of the wiki: a plan changes
//! that. A file is there completely or not at all and stays after a crash; a line that was added stays too.
//! No lock is needed: what two processes keep under one name is the same, or either is as good.

use ken_core::VaultPath;

use crate::error::{At, StoreError};
use crate::leftovers;
use crate::store::{Store, tool};

impl Store {
    /// Returns the bytes of a kept file, or `None` when there is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn kept(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(&tool(name))
    }

    /// Returns the names of the kept files in a folder, sorted; none when there is no folder.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn kept_names(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        let folder = tool(folder);
        self.disk.refuse_links(&folder)?;
        let entries = match self.disk.fs.list(&self.disk.place(&folder)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.at("read", &folder)?,
        };
        let plain = entries.into_iter().filter(|entry| !entry.is_dir && !entry.is_symlink);
        let mut names: Vec<String> = plain.filter_map(|entry| entry.name.into_string().ok()).collect();
        names.retain(|name| !name.starts_with('.'));
        names.sort();
        Ok(names)
    }

    /// Writes a kept file, replacing one of the same name in one step; it stays after a crash.
    ///
    /// # Errors
    /// When it cannot be written; nothing is left behind then.
    pub fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        leftovers::put(&self.disk, name, bytes)?;
        if let Some((folder, _)) = name.rsplit_once('/') {
            self.remove_leftovers_in(folder);
        }
        self.sync_names(&tool(name))
    }

    /// Makes durable that a file is there, and every folder it is in: without its folder a file is lost, and a
    /// process before this one may have made the folder and been killed.
    fn sync_names(&self, path: &VaultPath) -> Result<(), StoreError> {
        let mut folder = path.parent();
        while let Some(inner) = folder {
            self.disk.sync_folder(Some(&inner))?;
            folder = inner.parent();
        }
        self.disk.sync_folder(None)
    }

    /// Adds a line to a kept file; a line that a crash cut off stays a line of its own.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_line(&self, name: &str, line: &str) -> Result<(), StoreError> {
        let path = tool(name);
        self.disk.refuse_links(&path)?;
        self.disk.create_parents(&path)?;
        let len = self.disk.stat(&path)?.map_or(0, |meta| meta.len);
        let is_cut = len > 0 && self.disk.read_from(&path, len - 1)? != b"\n";
        let bytes = format!("{}{line}\n", if is_cut { "\n" } else { "" });
        let place = self.disk.place(&path);
        self.disk.fs.append(&place, bytes.as_bytes()).at("write", &path)?;
        self.disk.fs.sync_file(&place).at("write", &path)?;
        // What has had lines was made durable with the first of them, or had them before.
        if is_cut || len == 0 { self.sync_names(&path) } else { Ok(()) }
    }

    /// Removes a kept file, if there is one.
    ///
    /// # Errors
    /// When the system cannot remove it.
    pub fn drop_kept(&self, name: &str) -> Result<(), StoreError> {
        self.disk.remove(&tool(name))
    }

    /// Returns the place of a kept file, for people.
    pub fn kept_path(name: &str) -> VaultPath {
        tool(name)
    }
}

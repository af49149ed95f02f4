//! One vault on disk: finding it, reading it, listing it.
//!
//! Reading takes no lock. A reader may therefore meet a plan that is half carried out;
//! [`Store::pending`] says so, and taking the lock completes it. How a vault is changed is in
//! `apply`, `recover` and `undo`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ken_core::layout::TOOL_FOLDER;
use ken_core::{Layout, VaultPath};

use crate::disk::Disk;
use crate::error::StoreError;
use crate::fs::Fs;
use crate::history::OpId;
use crate::listing::{self, FolderStat, Listing};
use crate::lock::LockGuard;
use crate::seal::{Keys, Seals};

/// What git should not track in the tool's folder: everything that only this machine needs.
pub const GITIGNORE: &str =
    "accepted\ncache/\ntalk/\nspool/\nundo/\ntasks/\nbatches/\nrejected/\ncosts.jsonl\nlock\nintent*\n.ken-*\n";

/// One vault on disk.
#[derive(Clone)]
pub struct Store {
    pub(crate) disk: Disk,
    pub(crate) layout: Layout,
    pub(crate) seals: Seals,
    /// The first operation of the command that this store works for, once there is one; nothing where every
    /// operation stands for itself.
    run: Option<Arc<Mutex<Option<OpId>>>>,
}

impl Store {
    /// Returns the store of the vault at `root` for the user with these keys; touches nothing yet.
    pub fn open(root: PathBuf, layout: Layout, fs: Arc<dyn Fs>, keys: Keys) -> Store {
        Store { disk: Disk { root, fs }, layout, seals: Seals::new(keys), run: None }
    }

    /// Returns the same store for one command: what is applied through it, and through its copies, is one run.
    #[must_use]
    pub fn for_one_run(self) -> Store {
        Store { run: Some(Arc::default()), ..self }
    }

    /// Returns the operation that names the run, if there was one.
    pub(crate) fn run(&self) -> Option<OpId> {
        // A panic elsewhere leaves a number, not half of one.
        self.run.as_ref().and_then(|run| *run.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes an operation; the first one names the run.
    pub(crate) fn note_run(&self, id: OpId) {
        if let Some(run) = &self.run {
            run.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(id);
        }
    }

    /// Returns the root of the vault that `start` lies in: the nearest folder, going up, that has a
    /// `kenning.toml`, a `.kenning/`, or the index of a layout that is known without either.
    pub fn find(start: &Path, fs: &dyn Fs) -> Option<PathBuf> {
        start.ancestors().find(|folder| is_root(folder, fs)).map(Path::to_path_buf)
    }

    /// Returns the vault's root.
    pub fn root(&self) -> &Path {
        &self.disk.root
    }

    /// Returns where things live in the vault.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the bytes of a file, or `None` when there is none.
    ///
    /// # Errors
    /// When the path leads through a symbolic link, is a folder, or the system cannot read it.
    pub fn read(&self, path: &VaultPath) -> Result<Option<Vec<u8>>, StoreError> {
        self.disk.read(path)
    }

    /// Returns the files at any depth below `folder`, none when there is no such folder.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn list(&self, folder: &VaultPath) -> Result<Listing, StoreError> {
        listing::list(&self.disk, Some(folder))
    }

    /// Returns the paths of the files at any depth below `folder`, in order, without looking at each of them:
    /// where all are read anyway, that spares a call for each.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn list_paths(&self, folder: &VaultPath) -> Result<Vec<VaultPath>, StoreError> {
        listing::list_paths(&self.disk, folder)
    }

    /// Returns the files right in `folder`, and the folders right in it, in any order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn list_one(&self, folder: &VaultPath) -> Result<(Vec<listing::FileStat>, Vec<VaultPath>), StoreError> {
        listing::list_one(&self.disk, folder)
    }

    /// Returns every file of the vault.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn list_all(&self) -> Result<Listing, StoreError> {
        listing::list(&self.disk, None)
    }

    /// Returns whether a place is, or lies behind, a symbolic link, so that nothing of it is read.
    pub fn is_behind_link(&self, path: &VaultPath) -> bool {
        self.disk.refuse_links(path).is_err()
    }

    /// Returns the files right in the root, without looking at each of them.
    ///
    /// # Errors
    /// When the root cannot be read.
    pub fn list_root(&self) -> Result<Vec<VaultPath>, StoreError> {
        listing::list_root(&self.disk)
    }

    /// Returns every file of the vault, hidden ones too; only what a repository keeps for itself is left out.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn list_every(&self) -> Result<Listing, StoreError> {
        listing::list_every(&self.disk)
    }

    /// Returns `folder` and all folders below it with the times their names last changed: a check that
    /// is cheaper than [`Store::list`] where files are replaced and never edited in place.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn list_dirs(&self, folder: &VaultPath) -> Result<Vec<FolderStat>, StoreError> {
        listing::list_folders(&self.disk, folder)
    }

    /// Returns when the names in `folder` last changed (nanoseconds since 1970), with a single look.
    ///
    /// # Errors
    /// When the system cannot tell.
    pub fn folder_mtime(&self, folder: &VaultPath) -> Result<Option<i64>, StoreError> {
        Ok(self.disk.stat(folder)?.filter(|meta| meta.is_dir).map(|meta| meta.mtime_ns))
    }

    /// Returns when a file, or the names in a folder, last changed (nanoseconds since 1970), with a single
    /// look; `None` when there is nothing or the system cannot tell.
    pub fn mtime(&self, path: &VaultPath) -> Option<i64> {
        self.disk.stat(path).ok().flatten().map(|meta| meta.mtime_ns)
    }

    /// Removes the folders above a file that is gone, as far as nothing else is in them, up to the vault's own. A
    /// folder that cannot be removed stays: it is empty.
    pub fn remove_empty_folders(&self, _: &LockGuard, gone: &VaultPath) {
        let is_kept = |folder: &VaultPath| {
            self.layout.folders().contains(&folder) || folder.parent().is_none_or(|above| above.as_str() == TOOL_FOLDER)
        };
        let mut folder = gone.parent();
        while let Some(empty) = folder.filter(|folder| !is_kept(folder) && self.disk.refuse_links(folder).is_ok()) {
            if self.disk.fs.remove_dir(&self.disk.place(&empty)).is_err() {
                return;
            }
            folder = empty.parent();
        }
    }

    /// Returns whether a plan is recorded but not known to be completely carried out.
    pub fn pending(&self) -> bool {
        matches!(self.disk.stat(&tool("intent")), Ok(Some(_)))
    }
}

/// Returns the place of one of the store's own files.
pub(crate) fn tool(name: &str) -> VaultPath {
    VaultPath::new(&format!("{TOOL_FOLDER}/{name}")).expect("the store's own file names are vault paths")
}

fn is_root(folder: &Path, fs: &dyn Fs) -> bool {
    let is_dir = |name: &str| fs.metadata(&folder.join(name)).is_ok_and(|meta| meta.is_dir);
    let is_file = |name: &str| fs.metadata(&folder.join(name)).is_ok_and(|meta| !meta.is_dir);
    is_file("kenning.toml")
        || is_dir(TOOL_FOLDER)
        || ["memory-bank", "knowledge"]
            .iter()
            .any(|wiki| is_file(&format!("{wiki}/_index.md")) || is_file(&format!("{wiki}/index.md")))
}

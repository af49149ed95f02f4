//! What files a vault has.
//!
//! One pass over the folders and one look at each file, so that a vault of ten thousand pages is listed
//! in tens of milliseconds. Names that begin with a dot are not the vault's content and are left out;
//! links, unusable names and folders nested too deep are left out and reported. Contents are not read.

use std::borrow::Cow;

use ken_core::VaultPath;

use crate::bulk;
use crate::disk::Disk;
use crate::error::{At, StoreError};

/// Folders nested deeper than this are reported instead of listed; real vaults stay below ten.
pub const DEPTH_MAX: usize = 64;

/// One file, without its content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileStat {
    /// The file.
    pub path: VaultPath,
    /// Length in bytes.
    pub len: u64,
    /// Last change, nanoseconds since 1970.
    pub mtime_ns: i64,
}

/// One folder; its time changes when a name in it is added, replaced or removed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderStat {
    /// The folder.
    pub path: VaultPath,
    /// Last change of its names, nanoseconds since 1970.
    pub mtime_ns: i64,
}

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Where, relative to the vault; may hold characters that no [`VaultPath`] holds.
    pub place: String,
    /// Why, continues "skipped because ".
    pub why: &'static str,
}

/// The files below a folder, in order of their paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The files.
    pub files: Vec<FileStat>,
    /// The folders they stand in and all others below the start, itself included.
    pub folders: Vec<VaultPath>,
    /// What was left out, except names that begin with a dot.
    pub skipped: Vec<Skipped>,
}

/// Collects folders and files on one walk.
struct Walk<'a> {
    disk: &'a Disk,
    /// Folders still to be read, with their depth; `None` is the root.
    todo: Vec<(Option<VaultPath>, usize)>,
    files: Vec<VaultPath>,
    folders: Vec<VaultPath>,
    skipped: Vec<Skipped>,
    /// Whether names that begin with a dot are listed too, a repository's own folder aside.
    with_hidden: bool,
}

impl<'a> Walk<'a> {
    fn new(disk: &'a Disk) -> Walk<'a> {
        let (todo, files, folders, skipped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Walk { disk, todo, files, folders, skipped, with_hidden: false }
    }

    fn run(self, start: Option<&VaultPath>) -> Result<Listed, StoreError> {
        let (disk, mut walk) = (self.disk, self);
        let is_there = match start {
            None => true,
            Some(folder) => {
                disk.refuse_links(folder)?;
                disk.stat(folder)?.is_some_and(|meta| meta.is_dir)
            }
        };
        if is_there {
            walk.folders.extend(start.cloned());
            walk.todo.push((start.cloned(), 0));
        }
        while let Some((folder, depth)) = walk.todo.pop() {
            walk.enter(folder.as_ref(), depth)?;
        }
        walk.files.sort();
        walk.folders.sort();
        walk.skipped.sort();
        Ok(Listed { files: walk.files, folders: walk.folders, skipped: walk.skipped })
    }

    fn enter(&mut self, folder: Option<&VaultPath>, depth: usize) -> Result<(), StoreError> {
        let shown = folder.map_or(".", VaultPath::as_str);
        let place = folder.map_or_else(|| self.disk.root.clone(), |folder| self.disk.place(folder));
        for entry in self.disk.fs.list(&place).at("list", shown)? {
            let name = entry.name.to_string_lossy();
            if name.starts_with('.') && (!self.with_hidden || is_repository(&name)) {
                continue;
            }
            let is_text = matches!(name, Cow::Borrowed(_));
            let full = folder.map_or_else(|| name.to_string(), |folder| [folder.as_str(), "/", &name].concat());
            let path = if is_text { VaultPath::new(&full) } else { None };
            let mut skip = |why| self.skipped.push(Skipped { place: full.clone(), why });
            match path {
                _ if entry.is_symlink => skip("it is a symbolic link"),
                None => skip("its name cannot be used in a vault"),
                Some(_) if entry.is_dir && depth >= DEPTH_MAX => skip("it is nested too deep"),
                Some(path) if entry.is_dir => {
                    self.folders.push(path.clone());
                    self.todo.push((Some(path), depth + 1));
                }
                Some(path) => self.files.push(path),
            }
        }
        Ok(())
    }
}

/// Whether a name is that of a repository's own folder, or of the file that leads to one.
fn is_repository(name: &str) -> bool {
    [".git", ".hg", ".svn", ".jj"].iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// What a walk found.
struct Listed {
    files: Vec<VaultPath>,
    folders: Vec<VaultPath>,
    skipped: Vec<Skipped>,
}

/// Returns the files at any depth below `start`, or below the root.
pub(crate) fn list(disk: &Disk, start: Option<&VaultPath>) -> Result<Listing, StoreError> {
    list_with(Walk::new(disk), start)
}

/// Returns every file below the root, hidden ones too; what a repository keeps for itself is no file of the vault.
pub(crate) fn list_every(disk: &Disk) -> Result<Listing, StoreError> {
    list_with(Walk { with_hidden: true, ..Walk::new(disk) }, None)
}

fn list_with(walk: Walk<'_>, start: Option<&VaultPath>) -> Result<Listing, StoreError> {
    let disk = walk.disk;
    let found = walk.run(start)?;
    let look = |path: &VaultPath| {
        // A file may vanish between the two looks; then it is simply not there.
        let meta = disk.stat(path)?.filter(|meta| !meta.is_dir && !meta.is_symlink);
        Ok(meta.map(|meta| FileStat { path: path.clone(), len: meta.len, mtime_ns: meta.mtime_ns }))
    };
    let files = bulk::map_parallel(&found.files, look)?.into_iter().flatten().collect();
    Ok(Listing { files, folders: found.folders, skipped: found.skipped })
}

/// Returns the paths of the files right in the root.
pub(crate) fn list_root(disk: &Disk) -> Result<Vec<VaultPath>, StoreError> {
    let mut walk = Walk::new(disk);
    walk.enter(None, 0)?;
    walk.files.sort();
    Ok(walk.files)
}

/// Returns the paths of the files at any depth below `start`.
pub(crate) fn list_paths(disk: &Disk, start: &VaultPath) -> Result<Vec<VaultPath>, StoreError> {
    Ok(Walk::new(disk).run(Some(start))?.files)
}

/// Returns the files right in `folder` and the folders right in it; none when there is no such folder.
pub(crate) fn list_one(disk: &Disk, folder: &VaultPath) -> Result<(Vec<FileStat>, Vec<VaultPath>), StoreError> {
    let mut walk = Walk::new(disk);
    disk.refuse_links(folder)?;
    if disk.stat(folder)?.is_some_and(|meta| meta.is_dir) {
        walk.enter(Some(folder), 0)?;
    }
    let look = |path: &VaultPath| {
        let meta = disk.stat(path)?.filter(|meta| !meta.is_dir && !meta.is_symlink);
        Ok(meta.map(|meta| FileStat { path: path.clone(), len: meta.len, mtime_ns: meta.mtime_ns }))
    };
    let files = bulk::map_parallel(&walk.files, look)?.into_iter().flatten().collect();
    Ok((files, walk.folders))
}

/// Returns `start` and the folders at any depth below it with their times.
pub(crate) fn list_folders(disk: &Disk, start: &VaultPath) -> Result<Vec<FolderStat>, StoreError> {
    let mut folders = Vec::new();
    for path in Walk::new(disk).run(Some(start))?.folders {
        if let Some(meta) = disk.stat(&path)? {
            folders.push(FolderStat { path, mtime_ns: meta.mtime_ns });
        }
    }
    Ok(folders)
}

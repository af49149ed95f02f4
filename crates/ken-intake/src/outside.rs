//! Reads files outside of every vault: transcripts and documents that people name.
//!
//! What lies inside a vault goes through the store. Nothing here writes, and what could not be read is returned
//! as the system says it: who asked for it knows what to tell people.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// What stands at a place, without following a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// A plain file of so many bytes.
    File(u64),
    /// A folder.
    Folder,
    /// A link, a pipe, a device.
    Other,
}

/// Returns the bytes of a file.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path)
}

/// Returns what stands at a place, without following a link.
///
/// # Errors
/// When there is nothing, or its folder cannot be read.
pub fn standing(path: &Path) -> io::Result<Standing> {
    let meta = fs::symlink_metadata(path)?;
    Ok(match (meta.is_file(), meta.is_dir()) {
        (true, _) => Standing::File(meta.len()),
        (_, true) => Standing::Folder,
        _ => Standing::Other,
    })
}

/// How a file looks without reading it; links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Length in bytes.
    pub len: u64,
    /// Last change, nanoseconds since 1970.
    pub mtime_ns: i64,
}

/// Returns how a plain file looks; `None` if something else stands there.
///
/// # Errors
/// When there is nothing, or its folder cannot be read.
pub fn look(path: &Path) -> io::Result<Option<Look>> {
    let meta = fs::metadata(path)?;
    if !meta.is_file() {
        return Ok(None);
    }
    let since = meta.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let mtime_ns = since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
    Ok(Some(Look { len: meta.len(), mtime_ns }))
}

/// Returns the places of what a folder holds, sorted, without names that begin with a dot.
///
/// # Errors
/// When it is no folder, or cannot be read.
pub fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut children: Vec<PathBuf> = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    children.retain(|child| child.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
    children.sort();
    Ok(children)
}

/// Returns the place with links and dots resolved, if it exists.
pub fn resolved(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Longest companion of a transcript that is read: they name a folder or two.
const SHORT_BYTES_MAX: u64 = 1024 * 1024;

/// Returns the text of a small file that may not be there: its first mebibyte, what is not UTF-8 replaced.
pub fn short_text(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.take(SHORT_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens a file for reading.
///
/// # Errors
/// When it cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Returns the first bytes of a file.
pub(crate) fn first_bytes(path: &Path, n_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(n_max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns whether there is something at a place.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Returns whether a place is a plain file, links followed.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Returns whether a place is a folder, links followed.
pub(crate) fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// Returns the places of what a folder holds, sorted, hidden files too; nothing if it cannot be read.
pub fn all_children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut children: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    children.sort();
    children
}

/// Opens a database for reading; one that another program is writing is waited for a moment.
#[cfg(feature = "sqlite")]
pub(crate) fn database(path: &Path) -> rusqlite::Result<rusqlite::Connection> {
    use rusqlite::{Connection, OpenFlags};
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(path, flags)?;
    database.busy_timeout(std::time::Duration::from_millis(250))?;
    Ok(database)
}

/// Returns the folder on this machine that is spelled so: some agents name a folder after another one, with
/// every separator and odd letter replaced, which cannot be undone but looked up.
pub(crate) fn folder_spelled(name: &str, spell: fn(&str) -> String) -> Option<PathBuf> {
    fn search(folder: &Path, name: &str, spell: fn(&str) -> String, depth: usize) -> Option<PathBuf> {
        let spelled = spell(&folder.to_string_lossy());
        if spelled == name {
            return Some(folder.to_path_buf());
        }
        if depth == 0 || !name.starts_with(&spelled) {
            return None;
        }
        let folders = all_children(folder).into_iter().filter(|child| child.is_dir());
        folders.filter_map(|child| search(&child, name, spell, depth - 1)).next()
    }
    search(Path::new(std::path::MAIN_SEPARATOR_STR), name, spell, DEPTH_MAX)
}

/// Folders below a folder that are looked into: agents nest a few levels deep.
const DEPTH_MAX: usize = 8;

/// Returns the plain files with this extension at any depth below a folder, sorted; what cannot be read
/// is passed over, and links are not followed.
pub(crate) fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(folder, extension, DEPTH_MAX, &mut files);
    files
}

fn collect(folder: &Path, extension: &str, depth: usize, files: &mut Vec<PathBuf>) {
    for child in children(folder).unwrap_or_default() {
        match standing(&child) {
            Ok(Standing::Folder) if depth > 0 => collect(&child, extension, depth - 1, files),
            Ok(Standing::File(_)) if child.extension().is_some_and(|found| found == extension) => files.push(child),
            _ => {}
        }
    }
}

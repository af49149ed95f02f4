//! Reads files outside the vault: transcripts and documents that people name.
//!
//! The only place of the engine that opens files by itself; everything inside a vault goes through the
//! store. Nothing here writes. Every failure names the place and says that nothing was changed.

use std::fs;
pub(crate) use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// What stands at a place, without following a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// A plain file of so many bytes.
    File(u64),
    /// A folder.
    Folder,
    /// A link, a pipe, a device.
    Other,
}

fn failed(action: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::io(action, &path.display().to_string(), error).hint("nothing was changed")
}

/// Opens a file for reading.
pub(crate) fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|error| failed("read", path, &error))
}

/// Returns the bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| failed("read", path, &error))
}

/// Returns what stands at a place.
pub(crate) fn standing(path: &Path) -> Result<Standing, Failure> {
    let meta = fs::symlink_metadata(path).map_err(|error| failed("read", path, &error))?;
    Ok(match (meta.is_file(), meta.is_dir()) {
        (true, _) => Standing::File(meta.len()),
        (_, true) => Standing::Folder,
        _ => Standing::Other,
    })
}

/// Returns what a folder holds, sorted, without names that begin with a dot.
pub(crate) fn children(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| failed("read", folder, &error))?;
    let mut children: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    children.retain(|child| child.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
    children.sort();
    Ok(children)
}

/// Returns the place with links and dots resolved, if it exists.
pub(crate) fn resolved(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Longest companion of a transcript that is read: they name a folder or two.
const SHORT_BYTES_MAX: u64 = 1024 * 1024;

/// Returns the text of a small file that may not be there.
pub(crate) fn short_text(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.take(SHORT_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
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

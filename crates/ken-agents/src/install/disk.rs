//! Files of other programs, read and replaced whole.
//!
//! A file is written beside its place and renamed over it, with its permissions. A symbolic link is
//! followed and its target edited, because people keep configuration under version control that way.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::refusal::Refusal;

/// Returns the text of a file, or `None` when there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>, Refusal> {
    match fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| Refusal::of_file("read", path, "it is not UTF-8")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Refusal::io("read", path, &error)),
    }
}

/// Returns the place that stands behind a path: links are followed, also where the file is still to come.
pub(crate) fn real(path: &Path) -> Result<PathBuf, Refusal> {
    match fs::canonicalize(path) {
        Ok(real) => Ok(real),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if fs::symlink_metadata(path).is_ok() {
                return Err(Refusal::of_file("write", path, "it is a link to a file that is not there"));
            }
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(path.to_owned()) };
            Ok(real(parent)?.join(name))
        }
        Err(error) => Err(Refusal::io("read", path, &error)),
    }
}

/// Replaces a file, or makes one, with the folders it needs.
pub(crate) fn write(path: &Path, text: &str, is_program: bool) -> Result<(), Refusal> {
    let refused = |error: std::io::Error| Refusal::io("write", path, &error);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(refused)?;
    let before = fs::metadata(path).ok();
    if before.as_ref().is_some_and(|before| before.permissions().readonly()) {
        return Err(Refusal::of_file("write", path, "it is read-only"));
    }
    let beside = folder.join(format!("{}{}", name_beside(path), std::process::id()));
    let written = write_beside(&beside, text, before.map(|before| before.permissions()), is_program)
        .and_then(|()| fs::rename(&beside, path));
    if let Err(error) = written {
        // What is left beside would only be found by accident.
        let _ = fs::remove_file(&beside);
        return Err(refused(error));
    }
    sync_folder(folder);
    Ok(())
}

fn write_beside(
    beside: &Path,
    text: &str,
    permissions: Option<fs::Permissions>,
    is_program: bool,
) -> std::io::Result<()> {
    let mut file = File::create(beside)?;
    file.write_all(text.as_bytes())?;
    match permissions {
        Some(permissions) => file.set_permissions(permissions)?,
        None if is_program => make_program(&file)?,
        None => {}
    }
    file.sync_all()
}

#[cfg(unix)]
fn make_program(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_program(_: &File) -> std::io::Result<()> {
    Ok(())
}

/// Returns a file's permissions.
#[cfg(unix)]
pub(crate) fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).ok().map(|found| found.permissions().mode() & 0o7777)
}

/// Returns a file's permissions; other systems have none of this form.
#[cfg(not(unix))]
pub(crate) fn mode(_: &Path) -> Option<u32> {
    None
}

/// Gives a file its permissions back.
#[cfg(unix)]
pub(crate) fn set_mode(path: &Path, wanted: Option<u32>) {
    use std::os::unix::fs::PermissionsExt;
    if let Some(wanted) = wanted.filter(|wanted| mode(path).is_some_and(|now| now != *wanted)) {
        // Whoever owns the file keeps it as it is; its content is what matters.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(wanted));
    }
}

/// Gives a file its permissions back; other systems have none of this form.
#[cfg(not(unix))]
pub(crate) fn set_mode(_: &Path, _: Option<u32>) {}

/// Makes a file readable by its owner only.
#[cfg(unix)]
pub(crate) fn make_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // A file system without permissions has nothing to keep.
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o600));
}

/// Makes a file readable by its owner only; other systems keep a user's folder to the user.
#[cfg(not(unix))]
pub(crate) fn make_private(_: &Path) {}

/// Returns whether a file may be run.
#[cfg(unix)]
pub(crate) fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Returns whether a file may be run.
#[cfg(not(unix))]
pub(crate) fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// How the file is called that is written beside another, but for its number.
fn name_beside(path: &Path) -> String {
    format!(".{}.ken-", path.file_name().unwrap_or_default().to_string_lossy())
}

/// Removes what a writer that was killed left beside a file.
pub(crate) fn remove_beside(path: &Path) {
    let Some(entries) = path.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix(&name_beside(path)).unwrap_or("");
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            // What cannot be removed keeps its folder, and is seen there.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes a file; one that is gone is no trouble.
pub(crate) fn remove(path: &Path) -> Result<(), Refusal> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Refusal::io("remove", path, &error)),
        _ => Ok(()),
    }
}

/// Returns the folders above `path` that are not there, the outermost first.
pub(crate) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> =
        path.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Removes those of the folders that are empty, the innermost first.
pub(crate) fn remove_empty(folders: &[PathBuf]) {
    let mut folders: Vec<&PathBuf> = folders.iter().collect();
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
    for folder in folders {
        // A folder that somebody uses is not empty, and stays.
        let _ = fs::remove_dir(folder);
    }
}

/// Removes a folder that is wholly ours.
pub(crate) fn remove_own(folder: &Path) -> Result<(), Refusal> {
    let is_ours = folder.components().any(|part| part.as_os_str().to_string_lossy().starts_with("kenning"));
    if !is_ours {
        return Err(Refusal::of_file("remove", folder, "it is not a folder of Kenning"));
    }
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Refusal::io("remove", folder, &error)),
        _ => Ok(()),
    }
}

/// Returns what stands for a content.
pub(crate) fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().as_str()[..32].to_owned()
}

#[cfg(unix)]
fn sync_folder(folder: &Path) {
    // Not every file system can; the rename itself is done.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) {}

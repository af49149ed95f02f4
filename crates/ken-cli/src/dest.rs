//! Writes an export to a place that the user named, outside of the vault's own folders.
//!
//! A file that this program did not write is never replaced unless the user says so: of a folder, a list in it says what
//! was written and with which digest; a single file says by its first words what it is. No link is followed, each file is
//! put in place in one step, and everything is looked at before anything is written.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use ken_core::{Digest, VaultPath};
use ken_engine::Failure;
use ken_engine::exchange::OutFile;
use serde::{Deserialize, Serialize};

/// The list of what was written, in the folder of an export.
const LIST: &str = ".kenning-export.json";
/// How far into a file its sign is looked for.
const SIGN_BYTES: usize = 512;
/// Places that are named in a failure.
const NAMED_MAX: usize = 5;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Put {
    /// It was written.
    Written,
    /// It stood there already.
    Unchanged,
    /// An earlier export had written it, and this one has no such file.
    Removed,
}

impl Put {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Put::Written => "written",
            Put::Unchanged => "unchanged",
            Put::Removed => "removed",
        }
    }
}

/// The list as it stands in a folder.
#[derive(Debug, Default, Serialize, Deserialize)]
struct List {
    format: String,
    files: BTreeMap<String, String>,
}

fn failed(action: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::io(action, &path.display().to_string(), error)
}

/// What stands at a place, without following a link: nothing, a file's bytes, or a folder.
enum Stands {
    Nothing,
    File(Vec<u8>),
    Folder,
}

fn stands(path: &Path) -> Result<Stands, Failure> {
    match fs::symlink_metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound) => Ok(Stands::Nothing),
        Err(error) => Err(failed("read", path, &error)),
        Ok(meta) if meta.is_dir() => Ok(Stands::Folder),
        Ok(meta) if meta.is_file() => Ok(Stands::File(fs::read(path).map_err(|error| failed("read", path, &error))?)),
        Ok(_) => Err(Failure::refused(format!("`{}` is neither a plain file nor a folder", path.display()))
            .hint("links are not followed; nothing was changed")),
    }
}

/// Returns whether a folder stands there, without following a link.
pub(crate) fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
}

/// Writes one file.
///
/// # Errors
/// When another stands there, or it cannot be written; then it is as it was.
pub(crate) fn write_file(path: &Path, text: &str, sign: &str, force: bool) -> Result<Put, Failure> {
    match stands(path)? {
        Stands::File(old) if old == text.as_bytes() => return Ok(Put::Unchanged),
        Stands::File(old) => {
            let start = String::from_utf8_lossy(&old[..old.len().min(SIGN_BYTES)]).into_owned();
            if !force && !old.is_empty() && !start.contains(sign) {
                return Err(Failure::refused(format!(
                    "`{}` was not written by an export of this vault",
                    path.display()
                ))
                .hint("name another place, or replace it with `--force`; nothing was changed"));
            }
        }
        Stands::Folder => {
            return Err(Failure::refused(format!("`{}` is a folder", path.display())).hint("nothing was changed"));
        }
        Stands::Nothing => {}
    }
    put(path, text.as_bytes()).map_err(|failure| failure.hint("nothing was changed"))?;
    Ok(Put::Written)
}

/// Writes the files of an export into a folder, and takes away what an earlier one had written and this one has not.
///
/// # Errors
/// When something stands in the way, or cannot be written; files that were written until then stay, each whole.
pub(crate) fn write_folder(
    folder: &Path,
    format: &str,
    files: &[OutFile],
    force: bool,
) -> Result<Vec<(VaultPath, Put)>, Failure> {
    if let Stands::File(_) = stands(folder)? {
        return Err(Failure::refused(format!("`{}` is a file, and the export is a folder", folder.display()))
            .hint("nothing was changed"));
    }
    let list = folder.join(LIST);
    let old: List = match stands(&list)? {
        Stands::File(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
        _ => List::default(),
    };
    let is_ours = |path: &VaultPath, bytes: &[u8]| old.files.get(path.as_str()) == Some(&Digest::of(bytes).to_string());
    let (mut done, mut in_the_way, mut todo) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let place = inside(folder, &file.path)?;
        match stands(&place)? {
            Stands::File(old) if old == file.text.as_bytes() => done.push((file.path.clone(), Put::Unchanged)),
            Stands::File(old) if !force && !is_ours(&file.path, &old) => in_the_way.push(file.path.to_string()),
            Stands::Folder => in_the_way.push(file.path.to_string()),
            _ => {
                todo.push((place, &file.text));
                done.push((file.path.clone(), Put::Written));
            }
        }
    }
    if !in_the_way.is_empty() {
        return Err(stopped(folder, &in_the_way));
    }
    let now: BTreeMap<String, String> =
        files.iter().map(|file| (file.path.to_string(), Digest::of(file.text.as_bytes()).to_string())).collect();
    let mut gone = Vec::new();
    for path in old.files.keys().filter(|path| !now.contains_key(*path)).filter_map(|path| VaultPath::new(path)) {
        let place = inside(folder, &path)?;
        if matches!(stands(&place)?, Stands::File(bytes) if is_ours(&path, &bytes)) {
            gone.push(place);
            done.push((path, Put::Removed));
        }
    }
    if todo.is_empty() && gone.is_empty() && now == old.files {
        return Ok(done);
    }
    // A run that is cut off leaves a list by which the next one knows what it wrote.
    let both = old.files.iter().map(|(path, digest)| (path.clone(), digest.clone()));
    let files: BTreeMap<String, String> = both.chain(now.clone()).collect();
    put_list(&list, format, files)?;
    todo.iter().try_for_each(|(place, text)| put(place, text.as_bytes()))?;
    for place in gone {
        fs::remove_file(&place).map_err(|error| failed("remove", &place, &error))?;
    }
    put_list(&list, format, now)?;
    Ok(done)
}

fn put_list(place: &Path, format: &str, files: BTreeMap<String, String>) -> Result<(), Failure> {
    let list = List { format: format.to_owned(), files };
    put(place, (serde_json::to_string_pretty(&list).expect("texts are JSON") + "\n").as_bytes())
}

fn stopped(folder: &Path, in_the_way: &[String]) -> Failure {
    let n = in_the_way.len();
    let what = crate::text::count(n, "file");
    let mut failure = Failure::refused(format!("`{}` holds {what} that no export wrote", folder.display()));
    failure.chain = in_the_way.iter().take(NAMED_MAX).map(|path| format!("`{path}`")).collect();
    if n > NAMED_MAX {
        failure.chain.push(format!("and {} more", n - NAMED_MAX));
    }
    failure.hint("name another folder, or replace them with `--force`; nothing was changed")
}

/// The place of a file below a folder, if no folder on the way is a link.
fn inside(folder: &Path, path: &VaultPath) -> Result<PathBuf, Failure> {
    let mut place = folder.to_path_buf();
    let parts: Vec<&str> = path.as_str().split('/').collect();
    for part in &parts[..parts.len() - 1] {
        place.push(part);
        let is_other = fs::symlink_metadata(&place).is_ok_and(|meta| !meta.is_dir());
        if is_other {
            return Err(Failure::refused(format!("`{}` is no folder", place.display()))
                .hint("links are not followed; nothing was changed"));
        }
    }
    place.push(parts[parts.len() - 1]);
    Ok(place)
}

/// Puts a file in place in one step, and makes its folder.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".ken-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut staged = builder.tempfile_in(folder)?;
        staged.write_all(bytes)?;
        staged.as_file().sync_all()?;
        staged.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| failed("write", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> OutFile {
        OutFile { path: VaultPath::new(path).expect("inside"), text: text.to_owned() }
    }

    fn states(done: Result<Vec<(VaultPath, Put)>, Failure>) -> Vec<(String, &'static str)> {
        let done = done.expect("it can be written");
        done.into_iter().map(|(path, state)| (path.to_string(), state.as_str())).collect()
    }

    #[test]
    fn a_folder_is_written_once_and_what_is_not_ours_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let dest = folder.path().join("out");
        let first = [file("a.md", "1"), file("b/c.md", "2")];
        let written = |paths: &[(&str, &'static str)]| -> Vec<(String, &'static str)> {
            paths.iter().map(|(path, state)| ((*path).to_owned(), *state)).collect()
        };
        let done = states(write_folder(&dest, "okf", &first, false));
        assert_eq!(done, written(&[("a.md", "written"), ("b/c.md", "written")]));
        let done = states(write_folder(&dest, "okf", &first, false));
        assert_eq!(done, written(&[("a.md", "unchanged"), ("b/c.md", "unchanged")]));
        let second = [file("a.md", "3")];
        let done = states(write_folder(&dest, "okf", &second, false));
        assert_eq!(done, written(&[("a.md", "written"), ("b/c.md", "removed")]));
        fs::write(dest.join("a.md"), "mine").expect("a file");
        let failure = write_folder(&dest, "okf", &second, false).expect_err("a file of somebody else's");
        assert!(failure.message.ends_with("holds 1 file that no export wrote"), "{}", failure.message);
        assert_eq!(fs::read(dest.join("a.md")).expect("a file"), b"mine");
        let done = states(write_folder(&dest, "okf", &second, true));
        assert_eq!(done, written(&[("a.md", "written")]));
    }

    #[test]
    fn a_file_that_no_export_wrote_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("x.dot");
        assert_eq!(write_file(&place, "// ours 1", "// ours", false).ok(), Some(Put::Written));
        assert_eq!(write_file(&place, "// ours 1", "// ours", false).ok(), Some(Put::Unchanged));
        assert_eq!(write_file(&place, "// ours 2", "// ours", false).ok(), Some(Put::Written));
        fs::write(&place, "mine").expect("a file");
        assert!(write_file(&place, "// ours 2", "// ours", false).is_err());
        assert_eq!(write_file(&place, "// ours 2", "// ours", true).ok(), Some(Put::Written));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_out_of_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let (dest, other) = (folder.path().join("out"), folder.path().join("other"));
        fs::create_dir_all(&dest).expect("a folder");
        fs::create_dir_all(&other).expect("a folder");
        std::os::unix::fs::symlink(&other, dest.join("b")).expect("a link");
        assert!(write_folder(&dest, "okf", &[file("b/c.md", "2")], true).is_err());
        std::os::unix::fs::symlink(other.join("x"), dest.join("x.md")).expect("a link");
        assert!(write_folder(&dest, "okf", &[file("x.md", "2")], true).is_err());
        let list = r#"{"format":"okf","files":{"../other/y.md":"00"}}"#;
        fs::write(dest.join(LIST), list).expect("a file");
        fs::write(other.join("y.md"), "y").expect("a file");
        assert!(write_folder(&dest, "okf", &[file("z.md", "2")], false).is_ok());
        assert_eq!(fs::read(other.join("y.md")).expect("it stays"), b"y");
        assert_eq!(fs::read_dir(&other).expect("a folder").count(), 1);
    }
}

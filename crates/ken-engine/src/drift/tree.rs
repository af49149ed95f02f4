//! The files of a project: what stands in its folders, by their own ignore files.
//!
//! Nothing is followed: a link is there, and that is all that is known of it. Ignore files are read here, so that none
//! of them is a pipe or a giant; what their patterns mean says the library. Other files are read up to a length.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ken_intake::outside::{self, Standing, short_text, standing};

/// Most files that are looked at: beyond it, a project is not read whole.
const FILES_MAX: usize = 200_000;
/// Deepest folder.
const DEPTH_MAX: usize = 64;
/// Largest ignore file.
const IGNORE_BYTES_MAX: u64 = 256 * 1024;
/// Largest file whose text is read.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Bytes of a file that tell whether it is text.
const PROBE_BYTES: usize = 8_000;
/// Names of ignore files, the weaker first.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// A file as it stands, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileLook {
    /// From the top, with `/`.
    pub(super) path: String,
    /// Bytes.
    pub(super) len: u64,
    /// Last change, nanoseconds since 1970.
    pub(super) mtime_ns: i64,
    /// Whether its text may be read: a plain file of the project, not of the vault.
    pub(super) is_code: bool,
}

/// The files of a project, sorted, and what it ignores.
pub(super) struct Tree {
    pub(super) top: PathBuf,
    pub(super) files: Vec<FileLook>,
    /// Ignore files by their folders, the top first.
    ignores: Vec<(String, Gitignore)>,
}

impl Tree {
    /// Returns what stands in a folder; `own` are the folders of the vault in it.
    pub(super) fn read(top: &Path, own: &[String]) -> Tree {
        let mut tree = Tree { top: top.to_path_buf(), files: Vec::new(), ignores: Vec::new() };
        tree.walk("", own, 0);
        tree.files.sort_by(|a, b| a.path.cmp(&b.path));
        tree
    }

    fn walk(&mut self, folder: &str, own: &[String], depth: usize) {
        let place = self.top.join(folder);
        let Ok(entries) = fs::read_dir(&place) else { return };
        if depth > DEPTH_MAX {
            return;
        }
        self.ignores.extend(ignore_of(&self.top, &place).map(|ignore| (folder.to_owned(), ignore)));
        let mut inner = Vec::new();
        for entry in entries.flatten() {
            // A name that is not UTF-8 is named by no page.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let Ok(kind) = entry.file_type() else { continue };
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if name == ".git" || name == ".kenning" || self.is_ignored_here(&path, kind.is_dir()) {
                continue;
            }
            if kind.is_dir() {
                inner.push(path);
            } else if self.files.len() < FILES_MAX && (kind.is_file() || kind.is_symlink()) {
                let is_own =
                    own.iter().any(|own| path.strip_prefix(own.as_str()).is_some_and(|rest| rest.starts_with('/')));
                let Ok(meta) = entry.metadata() else { continue };
                let since = meta.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
                let mtime_ns = since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
                self.files.push(FileLook { path, len: meta.len(), mtime_ns, is_code: kind.is_file() && !is_own });
            }
        }
        for path in inner {
            self.walk(&path, own, depth + 1);
        }
    }

    /// Whether a file was there.
    pub(super) fn has(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
    }

    /// Whether the ignore files say that a path is nothing of the project's; also of one that is not there.
    pub(super) fn is_ignored(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| (&path[..at], true)).chain([(path, false)]);
        ends.into_iter()
            .any(|(path, is_folder)| self.is_ignored_here(path, is_folder) || self.is_ignored_here(path, true))
    }

    fn is_ignored_here(&self, path: &str, is_folder: bool) -> bool {
        let holds =
            |folder: &str| folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        // The nearest folder that says something decides.
        let said = self.ignores.iter().rev().filter(|(folder, _)| holds(folder));
        let said = said.map(|(folder, ignore)| {
            let inner = if folder.is_empty() { path } else { &path[folder.len() + 1..] };
            ignore.matched(inner, is_folder)
        });
        matches!(said.into_iter().find(|said| !said.is_none()), Some(Match::Ignore(_)))
    }
}

/// The patterns of a folder, if it has any.
fn ignore_of(top: &Path, folder: &Path) -> Option<Gitignore> {
    // Patterns are matched against paths as seen from their folder.
    let mut builder = GitignoreBuilder::new("");
    let mut n_patterns = 0;
    for name in IGNORE_FILES {
        let place = folder.join(name);
        let is_plain = matches!(standing(&place), Ok(Standing::File(len)) if len <= IGNORE_BYTES_MAX);
        let Some(text) = is_plain.then(|| short_text(&place)).flatten() else { continue };
        for line in text.lines() {
            // A pattern that does not read is none, as for git.
            let _ = builder.add_line(None, line);
            n_patterns += 1;
        }
    }
    debug_assert!(folder.starts_with(top), "only folders of the project are read");
    (n_patterns > 0).then(|| builder.build().ok()).flatten()
}

/// The text of a file, what is not UTF-8 replaced; none of what is large, or no text.
pub(super) fn text_of(top: &Path, file: &FileLook) -> Option<String> {
    if !file.is_code || file.len > FILE_BYTES_MAX {
        return None;
    }
    let place = top.join(&file.path);
    // It may have become something else since it was listed.
    let is_file = matches!(standing(&place), Ok(Standing::File(_)));
    let mut bytes = Vec::new();
    outside::open(&place).ok().filter(|_| is_file)?.take(FILE_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    if bytes.iter().take(PROBE_BYTES).any(|byte| *byte == 0) {
        return None;
    }
    Some(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

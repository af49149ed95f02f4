//! Reading what is anybody's: files only, so many, so much of each, and no way round in circles.
//!
//! The only module here that opens files.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;
use serde_json::Value;

/// Nobody writes a megabyte of instructions; what is larger is something else.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Settings in which an agent keeps its whole history are larger.
const SETTINGS_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Files that are read of one agent; more are not meant to be loaded at once.
const FILES_MAX: usize = 200;
/// Names that are looked at in a folder and its folders.
const LISTED_MAX: usize = 2000;
/// Folders inside of folders.
const DEPTH_MAX: usize = 6;

/// The files that were read for one agent.
#[derive(Debug, Default)]
pub(super) struct Reader {
    seen: BTreeSet<PathBuf>,
    /// Whether there were more files than are read.
    pub(super) is_full: bool,
}

/// A text as it was read.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) text: String,
    /// Whether there is more of it.
    pub(super) is_cut: bool,
}

impl Reader {
    /// Returns the text of a file that was not read before; links to one file are one file.
    pub(super) fn text(&mut self, path: &Path) -> Option<Content> {
        let real = fs::canonicalize(path).ok()?;
        if self.seen.contains(&real) {
            return None;
        }
        if self.seen.len() >= FILES_MAX {
            self.is_full = true;
            return None;
        }
        let read = text_of(&real, FILE_BYTES_MAX)?;
        self.seen.insert(real);
        Some(read)
    }
}

/// Returns whether something of that name is there.
pub(super) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Returns whether a file lies in a folder, links followed.
pub(super) fn is_in(path: &Path, folder: &Path) -> bool {
    let (path, folder) = (fs::canonicalize(path), fs::canonicalize(folder));
    path.is_ok_and(|path| folder.is_ok_and(|folder| path.starts_with(folder)))
}

/// Returns a file of settings; one that is too large is not read at all.
pub(super) fn settings(path: &Path) -> Option<String> {
    text_of(path, SETTINGS_BYTES_MAX).filter(|read| !read.is_cut).map(|read| read.text)
}

/// Returns a JSON value, with or without comments; null when it is none.
pub(super) fn json(text: &str) -> Value {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let loose = || CstRootNode::parse(text, &ParseOptions::default()).ok()?.to_serde_value();
    serde_json::from_str(text).ok().or_else(loose).unwrap_or_default()
}

/// Returns the files in a folder, and in its folders, whose names end like this, by name.
pub(super) fn listed(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut listing = Listing::default();
    listing.add(folder, suffix, DEPTH_MAX);
    listing.files.sort();
    listing.files
}

/// Returns the files that a glob stands for; none for what is no pattern.
pub(super) fn matching(pattern: &Path) -> Vec<PathBuf> {
    let is_plain = |part: &std::ffi::OsStr| !part.to_string_lossy().contains(['*', '?', '[', '{']);
    let fixed: PathBuf = pattern.components().take_while(|part| is_plain(part.as_os_str())).collect();
    let Ok(rest) = pattern.strip_prefix(&fixed) else { return Vec::new() };
    // A file may be called what would be a pattern.
    if rest.as_os_str().is_empty() || is_there(pattern) {
        return vec![pattern.to_owned()];
    }
    let Some(glob) = glob(&rest.to_string_lossy()) else { return Vec::new() };
    let fits = |file: &PathBuf| file.strip_prefix(&fixed).is_ok_and(|inner| glob.is_match(inner));
    listed(&fixed, "").into_iter().filter(fits).collect()
}

/// A pattern whose `*` stays inside a name.
fn glob(pattern: &str) -> Option<GlobMatcher> {
    Some(GlobBuilder::new(pattern).literal_separator(true).build().ok()?.compile_matcher())
}

/// A walk through folders; links to folders are followed, once each.
#[derive(Default)]
struct Listing {
    files: Vec<PathBuf>,
    folders: BTreeSet<PathBuf>,
    n_looked_at: usize,
}

impl Listing {
    fn add(&mut self, folder: &Path, suffix: &str, depth: usize) {
        let is_new = fs::canonicalize(folder).is_ok_and(|real| self.folders.insert(real));
        let (true, Ok(entries)) = (is_new, fs::read_dir(folder)) else { return };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            self.n_looked_at += 1;
            if self.n_looked_at > LISTED_MAX {
                return;
            }
            let is_fit = path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(suffix));
            match path.is_dir() {
                true if depth > 0 => self.add(&path, suffix, depth - 1),
                false if is_fit => self.files.push(path),
                _ => {}
            }
        }
    }
}

fn text_of(path: &Path, bytes_max: u64) -> Option<Content> {
    // A pipe would be waited for.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(bytes_max + 1).read_to_end(&mut bytes).ok()?;
    let is_cut = bytes.len() as u64 > bytes_max;
    bytes.truncate(usize::try_from(bytes_max).unwrap_or(usize::MAX));
    Some(Content { text: String::from_utf8_lossy(&bytes).into_owned(), is_cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, name: &str, expected: bool) {
        assert_eq!(glob(pattern).is_some_and(|glob| glob.is_match(name)), expected, "{pattern} {name}");
    }

    #[test]
    fn patterns_stand_for_names() {
        check("*.md", "a.md", true);
        check("*.md", "a.mdx", false);
        check("a*b*c", "a-b-c", true);
        check("a*a", "a", false);
        check("**/*.md", "a.md", true);
        check("**/*.md", "a/b/c.md", true);
        check("*/a.md", "b/a.md", true);
        check("*/a.md", "b/c/a.md", false);
        check("{a,b}/*.md[c]", "b/x.mdc", true);
        check("a[", "a[", false);
        // Trying each way to share names out between the stars would take years.
        check(&"**/a*".repeat(20), &"a/".repeat(400), false);
    }

    #[test]
    fn json_may_have_comments() {
        assert_eq!(json("{\"a\": 1, // one\n}")["a"], 1);
        assert_eq!(json("nothing"), Value::Null);
        assert_eq!(json(&"[".repeat(1 << 20)), Value::Null);
    }
}

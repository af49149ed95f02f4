//! What the git repository around a folder says, read from its own files.
//!
//! Git itself is not asked: its configuration lies in the repository, which may come from a stranger, and names
//! programs that git runs. Only `HEAD`, the index and the time of the last commit are read, and nothing in them is
//! carried out. A repository elsewhere counts only if it says that this work tree is its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

use ken_core::drift::Absent;
use ken_intake::outside::{Standing, resolved, short_text, standing};

/// Longest file of a line or two that is read.
const LINE_BYTES_MAX: u64 = 4_096;
/// Largest index that is read: half a million files.
const INDEX_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// A file that was changed longer ago is not being worked on.
const RECENT_NS: i128 = 14 * 24 * 3_600 * 1_000_000_000;

/// A work tree and the folder that its repository keeps for it.
struct Repository {
    top: PathBuf,
    git: PathBuf,
}

impl Repository {
    /// Returns the repository around a folder.
    fn around(folder: &Path) -> Option<Repository> {
        let top = folder.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok())?;
        let link = top.join(".git");
        let git = match standing(&link).ok()? {
            Standing::Folder => link,
            Standing::File(len) if len < LINE_BYTES_MAX => {
                let text = fs::read_to_string(&link).ok()?;
                let named = top.join(text.strip_prefix("gitdir:")?.trim());
                own_folder(top, &link, &named)?
            }
            _ => return None,
        };
        Some(Repository { top: top.to_path_buf(), git })
    }
}

/// The folder that a `.git` file names, if that folder is the work tree's: a linked work tree's names the file in
/// turn, a submodule's lies in the repository above.
fn own_folder(top: &Path, link: &Path, named: &Path) -> Option<PathBuf> {
    let named = resolved(named)?;
    let back = short_text(&named.join("gitdir")).map(|text| PathBuf::from(text.trim()));
    let is_linked = back.is_some_and(|back| resolved(&named.join(back)) == resolved(link));
    let is_module = top
        .ancestors()
        .skip(1)
        .any(|above| resolved(&above.join(".git/modules")).is_some_and(|modules| named.starts_with(modules)));
    (is_linked || is_module).then_some(named)
}

/// Returns the branch that is checked out around a folder; `None` outside a repository or when no branch is
/// checked out.
pub(crate) fn branch_of(folder: &Path) -> Option<String> {
    let git = Repository::around(folder)?.git;
    let Standing::File(len) = standing(&git.join("HEAD")).ok()? else { return None };
    let head = (len < LINE_BYTES_MAX).then(|| fs::read_to_string(git.join("HEAD")).ok())??;
    Some(head.trim().strip_prefix("ref: refs/heads/")?.to_owned())
}

/// Returns the top of the work tree around a folder.
pub(crate) fn top_of(folder: &Path) -> Option<PathBuf> {
    Repository::around(folder).map(|repository| repository.top)
}

/// Returns length and time of the log of what was checked out and committed around a folder: while they stay, the
/// history does; `None` outside a repository, or where it keeps no log.
pub(crate) fn log_stamp(folder: &Path) -> Option<(u64, i64)> {
    let git = Repository::around(folder)?.git;
    let meta = fs::symlink_metadata(git.join("logs/HEAD")).ok().filter(fs::Metadata::is_file)?;
    Some((meta.len(), i64::try_from(modified_ns(&meta)?).ok()?))
}

/// Returns the tracked files below a folder that were changed since the last commit, as far as their times and
/// lengths tell, the latest first; `None` outside a repository. New files count from `git add` on.
pub(crate) fn changed_files(folder: &Path, n_max: usize) -> Option<Vec<String>> {
    let repository = Repository::around(folder)?;
    let index = repository.git.join("index");
    let Standing::File(len) = standing(&index).ok()? else { return None };
    let bytes = (len <= INDEX_BYTES_MAX).then(|| fs::read(&index).ok())??;
    let committed_ns = fs::metadata(repository.git.join("logs/HEAD")).ok().and_then(|meta| modified_ns(&meta));
    let inner = folder.strip_prefix(&repository.top).ok()?.to_string_lossy().replace('\\', "/");
    let mut changed: Vec<(i128, String)> = Vec::new();
    let mut linked = Linked::default();
    for entry in entries(&bytes)? {
        let Some(path) = below(&entry.path, &inner) else { continue };
        let Some(meta) = linked.meta(folder, path) else { continue };
        let Some(now_ns) = modified_ns(&meta).filter(|_| meta.is_file()) else { continue };
        let is_as_added = u64::from(entry.len) == meta.len() & u64::from(u32::MAX) && entry.mtime_ns == now_ns;
        // What was added to the index after the last commit is not committed yet.
        if !is_as_added || committed_ns.is_some_and(|committed_ns| now_ns > committed_ns) {
            changed.push((now_ns, path.to_owned()));
        }
    }
    changed.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let newest_ns = changed.first().map_or(0, |(ns, _)| *ns);
    changed.retain(|(ns, _)| newest_ns - ns < RECENT_NS);
    Some(changed.into_iter().take(n_max).map(|(_, path)| path).collect())
}

/// Returns the tracked files below a folder that are not there, with why; `is_there` spares a look at the disk. Empty
/// outside a repository.
pub(crate) fn absent_files(folder: &Path, is_there: impl Fn(&str) -> bool) -> BTreeMap<String, Absent> {
    let read = || {
        let repository = Repository::around(folder)?;
        let index = repository.git.join("index");
        let Standing::File(len) = standing(&index).ok()? else { return None };
        let bytes = (len <= INDEX_BYTES_MAX).then(|| fs::read(&index).ok())??;
        let inner = folder.strip_prefix(&repository.top).ok()?.to_string_lossy().replace('\\', "/");
        let mut linked = Linked::default();
        let absent = |entry: Entry| {
            let path = below(&entry.path, &inner).filter(|path| !is_there(path))?;
            // A tracked file may be ignored as well, and then it is only on disk.
            let is_missing = linked.meta(folder, path).is_none();
            let why = if entry.is_left_out { Absent::LeftOut } else { Absent::Deleted };
            is_missing.then(|| (path.to_owned(), why))
        };
        Some(entries(&bytes)?.into_iter().filter_map(absent).collect())
    };
    read().unwrap_or_default()
}

fn modified_ns(meta: &fs::Metadata) -> Option<i128> {
    i128::try_from(meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok()
}

/// The path as seen from the folder `inner`, if it lies below it. Whoever planted the index may have written `..` or
/// `/etc` there: git takes no such path, and nothing outside the folder is looked at.
fn below<'p>(path: &'p str, inner: &str) -> Option<&'p str> {
    let path = if inner.is_empty() { path } else { path.strip_prefix(inner)?.strip_prefix('/')? };
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

/// What stands at paths below a folder, asked in their order. Behind a symbolic link nothing is there, as for git.
#[derive(Default)]
struct Linked {
    /// The folder asked about last, and whether a link leads to it.
    parent: PathBuf,
    is_linked: bool,
}

impl Linked {
    /// Returns what stands at a path; `None` where nothing does.
    fn meta(&mut self, folder: &Path, path: &str) -> Option<fs::Metadata> {
        let parent = Path::new(path).parent()?;
        if parent != self.parent {
            let is_link = |above: &Path| folder.join(above).symlink_metadata().is_ok_and(|meta| meta.is_symlink());
            self.is_linked = parent.ancestors().filter(|above| !above.as_os_str().is_empty()).any(is_link);
            parent.clone_into(&mut self.parent);
        }
        folder.join(path).symlink_metadata().ok().filter(|_| !self.is_linked)
    }
}

/// A tracked file as it was when it was added or checked out.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    path: String,
    len: u32,
    mtime_ns: i128,
    /// Whether a sparse checkout leaves it out of the work tree.
    is_left_out: bool,
}

/// Reads an index of version 2 to 4 (gitformat-index); `None` when the bytes are none.
fn entries(bytes: &[u8]) -> Option<Vec<Entry>> {
    const FIXED: usize = 62;
    /// The file type of a plain file, above the permissions.
    const PLAIN_FILE: u32 = 0o10;
    let number = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
    let version = number(4)?;
    if bytes.get(..4)? != b"DIRC" || !(2..=4).contains(&version) {
        return None;
    }
    let n_entries = number(8)?;
    let mut entries = Vec::new();
    let mut name: Vec<u8> = Vec::new();
    let mut at = 12;
    for _ in 0..n_entries {
        let start = at;
        let mtime_ns = i128::from(number(at + 8)?) * 1_000_000_000 + i128::from(number(at + 12)?);
        let (mode, len) = (number(at + 24)?, number(at + 36)?);
        let flags = u16::from_be_bytes(*bytes.get(at + FIXED - 2..)?.first_chunk()?);
        let has_more = version > 2 && flags & 0x4000 != 0;
        let is_left_out = has_more && bytes.get(at + FIXED)? & 0x40 != 0;
        at += FIXED + if has_more { 2 } else { 0 };
        if version == 4 {
            let (n_dropped, n_bytes) = varint(bytes.get(at..)?)?;
            name.truncate(name.len().checked_sub(n_dropped)?);
            at += n_bytes;
        } else {
            name.clear();
        }
        let rest = bytes.get(at..)?;
        let end = memchr::memchr(0, rest)?;
        name.extend_from_slice(&rest[..end]);
        // Up to eight bytes of zero end a name, so that the next entry begins at a multiple of eight.
        at = if version == 4 { at + end + 1 } else { start + (at + end - start + 8) / 8 * 8 };
        if mode >> 12 == PLAIN_FILE
            && let Ok(path) = str::from_utf8(&name)
        {
            entries.push(Entry { path: path.to_owned(), len, mtime_ns, is_left_out });
        }
    }
    Some(entries)
}

/// Reads a number of the form that git packs offsets in; returns it with how many bytes it took.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (n, byte) in bytes.iter().enumerate().take(5) {
        value = (value + usize::from(n > 0)) << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, n + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Runs git as it is on this machine, away from the user's own settings.
    fn git(folder: &Path, args: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=trunk"]);
        command.args(args).current_dir(folder).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder);
        let done = command.output().expect("git runs");
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        git(folder.path(), &["init", "-q"]);
        for name in ["a.rs", "inner/b.rs", "inner/a long name, with blanks.md"] {
            let place = folder.path().join(name);
            fs::create_dir_all(place.parent().expect("a folder")).expect("made");
            fs::write(place, "one").expect("written");
        }
        git(folder.path(), &["add", "-A"]);
        git(folder.path(), &["commit", "-q", "-m", "one"]);
        folder
    }

    #[test]
    fn changed_and_added_files_are_seen_in_every_version_of_the_index() {
        for version in ["2", "3", "4"] {
            let folder = repository();
            let at = folder.path();
            git(at, &["update-index", "--index-version", version]);
            assert_eq!(changed_files(at, 9), Some(Vec::new()), "version {version}");
            std::thread::sleep(std::time::Duration::from_millis(20));
            fs::write(at.join("inner/b.rs"), "other").expect("written");
            assert_eq!(changed_files(at, 9), Some(vec!["inner/b.rs".to_owned()]), "version {version}");
            assert_eq!(changed_files(&at.join("inner"), 9), Some(vec!["b.rs".to_owned()]));
            fs::write(at.join("new.rs"), "new").expect("written");
            git(at, &["add", "-A"]);
            let mut changed = changed_files(at, 9).expect("a repository");
            changed.sort();
            assert_eq!(changed, ["inner/b.rs", "new.rs"], "version {version}");
        }
    }

    #[test]
    fn what_is_tracked_and_not_there_is_deleted_or_left_out() {
        for version in ["2", "3", "4"] {
            let folder = repository();
            let at = folder.path();
            git(at, &["update-index", "--index-version", version]);
            fs::remove_file(at.join("inner/b.rs")).expect("removed");
            fs::remove_file(at.join("a.rs")).expect("removed");
            let absent = |folder: &Path| absent_files(folder, |path| path == "a.rs").into_iter().collect::<Vec<_>>();
            assert_eq!(absent(at), [("inner/b.rs".to_owned(), Absent::Deleted)], "version {version}");
            assert_eq!(absent(&at.join("inner")), [("b.rs".to_owned(), Absent::Deleted)]);
            git(at, &["update-index", "--skip-worktree", "inner/b.rs"]);
            assert_eq!(absent(at), [("inner/b.rs".to_owned(), Absent::LeftOut)], "version {version}");
        }
        assert_eq!(absent_files(&std::env::temp_dir(), |_| false), BTreeMap::new());
    }

    #[test]
    fn nothing_outside_the_folder_is_looked_at() {
        let around = tempfile::tempdir().expect("a folder");
        for planted in ["../secret", "/etc/nobody", "inner/../a.rs", "..", "."] {
            assert_eq!(below(planted, ""), None, "{planted}");
        }
        assert_eq!(below("inner/../../a.rs", "inner"), None);
        let at = around.path().join("project");
        fs::create_dir_all(at.join("inner")).expect("made");
        fs::write(at.join("inner/secret.rs"), "one").expect("written");
        git(&at, &["init", "-q", "-b", "trunk"]);
        git(&at, &["update-index", "--index-version", "2", "--add", "inner/secret.rs"]);
        // The same bytes behind a link out of the project, and under a path that leads out.
        fs::rename(at.join("inner"), around.path().join("inner")).expect("moved");
        fs::write(around.path().join("inner/secret.rs"), "other").expect("written");
        let gone = |path: &str| BTreeMap::from([(path.to_owned(), Absent::Deleted)]);
        std::os::unix::fs::symlink("../inner", at.join("inner")).expect("linked");
        assert_eq!(absent_files(&at, |_| false), gone("inner/secret.rs"));
        assert_eq!(changed_files(&at, 9), Some(Vec::new()));
        let index = at.join(".git/index");
        let mut bytes = fs::read(&index).expect("an index");
        let path = bytes.windows(15).position(|bytes| bytes == b"inner/secret.rs").expect("its path");
        bytes[path..path + 15].copy_from_slice(b"../in/secret.rs");
        fs::write(&index, bytes).expect("written");
        assert_eq!((absent_files(&at, |_| false), changed_files(&at, 9)), (BTreeMap::new(), Some(Vec::new())));
    }

    #[test]
    fn a_work_tree_counts_only_if_its_repository_says_so() {
        let folder = repository();
        assert_eq!(branch_of(&folder.path().join("inner")).as_deref(), Some("trunk"));
        let tree = tempfile::tempdir().expect("a folder");
        let linked = tree.path().join("linked");
        git(folder.path(), &["worktree", "add", "-q", linked.to_str().expect("UTF-8"), "-b", "other"]);
        assert_eq!(branch_of(&linked).as_deref(), Some("other"));
        // A stranger's file that names somebody's repository.
        let stranger = tree.path().join("stranger");
        fs::create_dir(&stranger).expect("made");
        fs::copy(linked.join(".git"), stranger.join(".git")).expect("copied");
        assert_eq!(branch_of(&stranger), None);
        fs::write(stranger.join(".git"), format!("gitdir: {}", folder.path().join(".git").display())).expect("written");
        assert_eq!((branch_of(&stranger), changed_files(&stranger, 9)), (None, None));
    }

    #[test]
    fn a_damaged_index_is_none() {
        let folder = repository();
        let bytes = fs::read(folder.path().join(".git/index")).expect("there");
        assert_eq!(entries(&bytes).map(|entries| entries.len()), Some(3));
        for len in 0..bytes.len() {
            let _ = entries(&bytes[..len]);
            let mut changed = bytes.clone();
            changed[len] ^= 0xff;
            let _ = entries(&changed);
        }
        assert_eq!(entries(&bytes[..40]), None);
    }
}

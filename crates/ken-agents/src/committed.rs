//! Asks git on which days files were last changed.
//!
//! Git reads its configuration from the repository, which may come from a stranger, and a configuration names
//! programs. So git is asked only where a person runs a command that says so, only of a repository that belongs to
//! whoever the home folder belongs to, and in a way that starts nothing else: it gets no variable but ours, and
//! whatever `log` could be told to run (a monitor of files, hooks, a check of signatures, a pager, a fetch of what is
//! missing) is switched off. What goes wrong means that no day is known.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::install::answered;
use crate::machine::Machine;

/// A long history is read in so much time; what was not found by then has no day.
const WAIT_MAX: Duration = Duration::from_secs(20);
/// What stands before a commit; a name that begins with it is put in quotes by git.
const COMMIT: char = '\t';
/// How git calls a commit behind which the history was cut off: there, every file looks new.
const CUT_OFF: &str = "grafted";

/// Settings of a repository that could start a program, or change what is printed.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=true",
    "log.follow=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
];
/// All that git finds in its environment.
const VARIABLES: &[(&str, &str)] = &[
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// Returns the day (`2026-03-14`) of the last commit that changed each of these files, as its author had it; `top` is
/// their work tree, and the names are as seen from there.
pub fn last_committed(machine: &Machine, top: &Path, wanted: &BTreeSet<String>) -> BTreeMap<String, String> {
    let (Some(git), Some(folder)) = (machine.program("git"), common_folder(wanted)) else { return BTreeMap::new() };
    if !belong_together(&[&machine.home, top, &top.join(".git")]) {
        return BTreeMap::new();
    }
    let mut command = asking(&git, top);
    command.args(["--no-pager", "--literal-pathspecs", "log", "-c", "--name-only", "--no-renames"]);
    command.args(PLAIN).args(["--format=%x09%as%x09%D", "HEAD", "--", folder]);
    let seen = RefCell::new(Seen { left: wanted.clone(), ..Seen::default() });
    // It ends early once every file was seen; that not all were is no trouble.
    let _ = answered(command, "", WAIT_MAX, |line| seen.borrow_mut().is_all(line));
    seen.into_inner().days
}

/// Arguments of `log` that keep it from starting anything, or from printing otherwise.
const PLAIN: [&str; 6] =
    ["--no-color", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-mailmap", "--encoding=UTF-8"];

/// Git in a work tree, with nothing but our own settings.
fn asking(git: &Path, top: &Path) -> Command {
    let mut command = Command::new(git);
    command.env_clear().envs(VARIABLES.iter().copied()).current_dir(top);
    // Looking further up would find a repository that nobody meant.
    command.env("GIT_CEILING_DIRECTORIES", top.parent().unwrap_or(top));
    command.args(SETTINGS.iter().flat_map(|setting| ["-c", *setting]));
    command
}

/// Returns when files were deleted (`2026-03-14`), as the authors of the commits had it, and under which names they went
/// on, if they were renamed; only of `wanted`, which are paths as seen from the top of the work tree or names of files,
/// and of the names that those went on under. What a long history says before this much time has passed is all.
pub fn last_deleted(
    machine: &Machine,
    top: &Path,
    wanted: &BTreeSet<String>,
) -> BTreeMap<String, (String, Option<String>)> {
    let Some(git) = machine.program("git") else { return BTreeMap::new() };
    if !belong_together(&[&machine.home, top, &top.join(".git")]) {
        return BTreeMap::new();
    }
    let mut command = asking(&git, top);
    command.args(["--no-pager", "log", "--name-status", "--diff-filter=DR", "-M"]);
    command.args(PLAIN).args(["--relative", "--format=%x09%as", "HEAD", "--", "."]);
    let seen = RefCell::new((String::new(), BTreeMap::new()));
    let _ = answered(command, "", WAIT_MAX, |line| {
        let (day, left) = &mut *seen.borrow_mut();
        note_deleted(line, day, left);
        false
    });
    let (_, left) = seen.into_inner();
    reached(&left, wanted)
}

/// What became of files, by their paths.
type Left = BTreeMap<String, (String, Option<String>)>;

/// Reads one more line of a history, the latest commit first: only the last time counts.
fn note_deleted(line: &str, day: &mut String, left: &mut Left) {
    if let Some(commit) = line.strip_prefix(COMMIT) {
        *day = commit.to_owned();
        return;
    }
    let mut parts = line.split('\t');
    let (Some(status), Some(path)) = (parts.next(), parts.next().and_then(unquoted)) else { return };
    let to = parts.next().and_then(unquoted);
    if (status == "D") == to.is_none() && !day.is_empty() {
        left.entry(path).or_insert_with(|| (day.clone(), to));
    }
}

/// What was wanted, and what it went on as.
fn reached(left: &Left, wanted: &BTreeSet<String>) -> Left {
    let is_wanted =
        |path: &str| wanted.contains(path) || path.rsplit('/').next().is_some_and(|name| wanted.contains(name));
    let mut out: Left =
        left.iter().filter(|(path, _)| is_wanted(path)).map(|(path, one)| (path.clone(), one.clone())).collect();
    let mut next: Vec<String> = out.values().filter_map(|(_, to)| to.clone()).collect();
    while let Some(path) = next.pop() {
        if let Some((day, to)) = left.get(&path).filter(|_| !out.contains_key(&path)) {
            next.extend(to.clone());
            out.insert(path, (day.clone(), to.clone()));
        }
    }
    out
}

/// What was read of a history so far, the latest commit first.
#[derive(Default)]
struct Seen {
    left: BTreeSet<String>,
    days: BTreeMap<String, String>,
    /// The day of the commit whose files are being listed; none where it is not the one that changed them.
    day: Option<String>,
}

impl Seen {
    /// Reads one more line, and returns whether no file is left.
    fn is_all(&mut self, line: &str) -> bool {
        if let Some(commit) = line.strip_prefix(COMMIT) {
            let (day, names) = commit.split_once(COMMIT).unwrap_or((commit, ""));
            let is_cut_off = names.split(", ").any(|name| name == CUT_OFF);
            self.day = (!is_cut_off).then(|| day.to_owned());
        } else if let Some(name) = unquoted(line).filter(|name| self.left.remove(name)) {
            self.days.extend(self.day.clone().map(|day| (name, day)));
        }
        self.left.is_empty()
    }
}

/// The folder that all files lie in, as far as their names say.
fn common_folder(names: &BTreeSet<String>) -> Option<&str> {
    // Of sorted names, the first and the last differ most.
    let (first, last) = (names.first()?, names.last()?);
    let shared = first.bytes().zip(last.bytes()).take_while(|(a, b)| a == b).count();
    let end = first.as_bytes()[..shared].iter().rposition(|byte| *byte == b'/');
    Some(end.map_or(".", |end| &first[..end]))
}

/// A name as git prints it: in quotes, with escapes, where it has anything but plain letters.
fn unquoted(line: &str) -> Option<String> {
    let Some(inside) = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return (!line.is_empty()).then(|| line.to_owned());
    };
    let (mut name, mut rest) = (Vec::new(), inside.bytes());
    while let Some(byte) = rest.next() {
        let escaped = if byte == b'\\' { rest.next()? } else { 0 };
        name.push(match escaped {
            0 => byte,
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            first @ b'0'..=b'3' => {
                let mut digit = || rest.next().filter(u8::is_ascii_digit).map(|digit| digit - b'0');
                let (second, third) = (digit()?, digit()?);
                ((first - b'0') << 6).wrapping_add(second << 3).wrapping_add(third)
            }
            other => other,
        });
    }
    String::from_utf8(name).ok()
}

/// Whether places exist and belong to one user, as far as the system can say.
#[cfg(unix)]
fn belong_together(places: &[&Path]) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owners: Option<BTreeSet<u32>> = places.iter().map(|place| Some(place.symlink_metadata().ok()?.uid())).collect();
    owners.is_some_and(|owners| owners.len() == 1)
}

#[cfg(not(unix))]
fn belong_together(places: &[&Path]) -> bool {
    // Git itself looks there.
    places.iter().all(|place| place.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str], wanted: &[&str]) -> (BTreeMap<String, String>, usize) {
        let left = wanted.iter().map(|name| (*name).to_owned()).collect();
        let mut seen = Seen { left, ..Seen::default() };
        let n_read = lines.iter().take_while(|line| !seen.is_all(line)).count();
        (seen.days, n_read)
    }

    fn days(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, day)| ((*name).to_owned(), (*day).to_owned())).collect()
    }

    #[test]
    fn the_latest_commit_of_each_file_counts_and_reading_ends_once_all_are_found() {
        let log = ["\t2026-02-02\tHEAD -> main", "", "a.md", "\t2026-01-02\t", "", "a.md", "b.md", "\t2025-01-01\t"];
        assert_eq!(read(&log, &["a.md", "b.md"]), (days(&[("a.md", "2026-02-02"), ("b.md", "2026-01-02")]), 6));
        assert_eq!(read(&log, &["c.md"]), (days(&[]), 8));
    }

    #[test]
    fn where_the_history_is_cut_off_nothing_says_what_changed() {
        let log = ["\t2026-02-02\tHEAD -> main", "a.md", "\t2026-01-02\tgrafted, tag: v1", "a.md", "b.md"];
        assert_eq!(read(&log, &["a.md", "b.md"]).0, days(&[("a.md", "2026-02-02")]));
    }

    #[test]
    fn names_are_read_as_git_prints_them() {
        for (line, name) in [
            ("a b.md", Some("a b.md")),
            (r#""d/b\303\244ck \"x.md""#, Some("d/bäck \"x.md")),
            (r#""\ta\\b""#, Some("\ta\\b")),
            (r#""\377""#, None),
            (r#""\3""#, None),
            ("", None),
        ] {
            assert_eq!(unquoted(line).as_deref(), name, "{line}");
        }
    }

    #[test]
    fn only_the_folder_that_all_files_share_is_read() {
        let folder = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            common_folder(&names).map(str::to_owned)
        };
        assert_eq!(folder(&["docs/a/x.md", "docs/a/y.md"]).as_deref(), Some("docs/a"));
        assert_eq!(folder(&["docs/a/x.md", "docs/ab.md"]).as_deref(), Some("docs"));
        assert_eq!(folder(&["docs/x.md"]).as_deref(), Some("docs"));
        assert_eq!(folder(&["a.md", "docs/x.md"]).as_deref(), Some("."));
        assert_eq!(folder(&[]), None);
    }
}

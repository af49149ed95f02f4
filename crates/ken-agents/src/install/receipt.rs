//! What was installed on this machine, and how each change is taken back: `installed.json`.
//!
//! A step is written down before it is done, so that an installation that was cut off can be taken
//! back too. The file is private to its owner, because it can hold parts of other configuration.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::change::Change;
use super::disk;

/// The version of the file's form.
pub(crate) const VERSION: u32 = 1;

/// Where an installation applies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Every session of this user.
    User,
    /// Sessions in this folder.
    Project(PathBuf),
}

/// All installations on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) version: u32,
    /// Folders that were made to keep this file, the outermost first.
    pub(crate) folders: Vec<PathBuf>,
    /// In the order of installing.
    pub(crate) installed: Vec<Record>,
}

/// One installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) agent: String,
    pub(crate) scope: Scope,
    /// What stands for all of its changes.
    pub(crate) digest: String,
    /// What was done, in order.
    pub(crate) steps: Vec<Step>,
}

/// One change that was made, or was about to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) change: Change,
    pub(crate) is_done: bool,
    /// The files it changed.
    pub(crate) files: Vec<FileState>,
    /// Folders that were not there before.
    pub(crate) folders: Vec<PathBuf>,
}

/// A file from before a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileState {
    /// The file itself, links followed.
    pub(crate) path: PathBuf,
    pub(crate) before: Before,
    /// Its permissions from before, where there are such.
    pub(crate) mode: Option<u32>,
    /// The digest of its text after the change; `None` while that is not known.
    pub(crate) after: Option<String>,
}

/// What a file was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Before {
    /// There was none.
    Absent,
    /// Its text.
    Text(String),
    /// How to make its text from the one after: put `removed` in place of `n_inserted` bytes at `at`.
    Splice { at: usize, n_inserted: usize, removed: String, digest: String },
}

impl Before {
    /// Returns the shortest way back from `after` to `before`.
    pub(crate) fn between(before: Option<&str>, after: &str) -> Before {
        let Some(before) = before else { return Before::Absent };
        let same_start = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
        let at = floor(before, same_start);
        let (rest_before, rest_after) = (&before[at..], &after[at..]);
        let same_end = rest_before.bytes().rev().zip(rest_after.bytes().rev()).take_while(|(a, b)| a == b).count();
        let n_end = rest_before.len() - ceil(rest_before, rest_before.len() - same_end);
        Before::Splice {
            at,
            n_inserted: rest_after.len() - n_end,
            removed: rest_before[..rest_before.len() - n_end].to_owned(),
            digest: disk::digest(before),
        }
    }

    /// Returns the text from before, given the one after; `None` when there was no file.
    pub(crate) fn restored(&self, after: &str) -> Option<String> {
        match self {
            Before::Absent => None,
            Before::Text(text) => Some(text.clone()),
            Before::Splice { at, n_inserted, removed, .. } => {
                let (start, end) = (after.get(..*at).unwrap_or(""), after.get(at + n_inserted..).unwrap_or(""));
                Some(format!("{start}{removed}{end}"))
            }
        }
    }

    /// Returns the text from before, where all of it was kept.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Before::Text(text) => Some(text),
            Before::Absent | Before::Splice { .. } => None,
        }
    }

    /// Returns whether this text is the one from before.
    pub(crate) fn is(&self, text: &str) -> bool {
        match self {
            Before::Absent => false,
            Before::Text(before) => before == text,
            Before::Splice { digest, .. } => *digest == disk::digest(text),
        }
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

impl Receipt {
    /// Returns an empty one.
    pub(crate) fn new(folders: Vec<PathBuf>) -> Receipt {
        Receipt { version: VERSION, folders, installed: Vec::new() }
    }

    /// Returns the installation of an agent in a scope.
    pub(crate) fn find(&self, agent: &str, scope: &Scope) -> Option<&Record> {
        self.installed.iter().find(|record| record.agent == agent && record.scope == *scope)
    }

    /// Returns the step of another installation that made the same change.
    pub(crate) fn same_step(&self, change: &Change, but: (&str, &Scope)) -> Option<&Step> {
        let others = self.installed.iter().filter(|record| (record.agent.as_str(), &record.scope) != but);
        others.flat_map(|record| &record.steps).find(|step| step.change == *change)
    }
}

/// Returns where the receipt is kept.
pub(crate) fn place(data: &Path) -> PathBuf {
    data.join("installed.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        let way = Before::between(Some(before), after);
        assert_eq!(way.restored(after).as_deref(), Some(before), "{way:?}");
        assert!(way.is(before));
    }

    #[test]
    fn the_way_back_gives_the_bytes_from_before() {
        check("", "{}");
        check("{}", "");
        check("aaa", "aaaa");
        check("aaaa", "aa");
        check("one two three", "one 2 three");
        check("é", "è");
        check("xéy", "xèy");
        check("{\r\n}", "{\r\n  \"a\": 1\r\n}");
        check("same", "same");
    }
}

//! What an installation consists of, as values: nothing here touches a disk.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::block::{self, Marks};
use super::json::{self, JsonEdit, Left};

/// One thing that an installation does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A file is written or edited.
    File(FileChange),
    /// The agent's own program is run.
    Cli(CliChange),
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// What is done to it.
    pub edit: Edit,
}

/// What is done to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// The file is ours.
    Whole {
        /// All of it.
        text: String,
        /// Whether it is run.
        is_program: bool,
    },
    /// Additions to a JSON file.
    Json {
        /// In order.
        edits: Vec<JsonEdit>,
        /// Whether the agent refuses comments and trailing commas, so that a file with them is dead already.
        is_strict: bool,
    },
    /// One block in a text or script.
    Block {
        /// The lines between the marks.
        inner: String,
        /// How they are marked.
        marks: Marks,
    },
}

/// Commands of an agent's own program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CliChange {
    /// The program, absolute.
    pub program: PathBuf,
    /// The arguments of each call, in order.
    pub calls: Vec<Vec<String>>,
    /// The arguments of each call that takes it back, in order.
    pub undo: Vec<Vec<String>>,
    /// The arguments of the call that lists plugins.
    pub list: Vec<String>,
    /// Files that the program writes on the way; they get their bytes back.
    pub touched: Vec<Touched>,
    /// Folders that only hold what is ours; they go away whole if they were not there.
    pub own_folders: Vec<PathBuf>,
    /// Folders that the program makes; they go away if they were not there and are empty.
    pub folders: Vec<PathBuf>,
}

/// A file that an agent's program writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// The file.
    pub path: PathBuf,
    /// Text that stands in it while the installation is in place; empty when nothing tells.
    pub sign: String,
    /// What stays behind in a JSON file.
    pub leftovers: Vec<JsonEdit>,
    /// How tables begin that stay behind in a TOML file; empty when none do.
    pub tables: String,
}

impl Change {
    /// Returns a file of ours.
    pub fn whole(path: PathBuf, text: impl Into<String>, is_program: bool) -> Change {
        Change::File(FileChange { path, edit: Edit::Whole { text: text.into(), is_program } })
    }

    /// Returns additions to a JSON file.
    pub fn json(path: PathBuf, edits: Vec<JsonEdit>, is_strict: bool) -> Change {
        Change::File(FileChange { path, edit: Edit::Json { edits, is_strict } })
    }

    /// Returns a block in a file.
    pub fn block(path: PathBuf, inner: impl Into<String>, marks: Marks) -> Change {
        Change::File(FileChange { path, edit: Edit::Block { inner: inner.into(), marks } })
    }
}

impl Touched {
    /// Returns a file that has `sign` in it while the installation is in place.
    pub fn new(path: PathBuf, sign: impl Into<String>) -> Touched {
        Touched { path, sign: sign.into(), leftovers: Vec::new(), tables: String::new() }
    }

    /// Returns the text without what stays behind.
    pub(crate) fn cleaned(&self, text: &str) -> Left {
        let kept = || {
            let text = without_tables(text, &self.tables);
            Left { is_empty: text.trim().is_empty(), text }
        };
        if self.tables.is_empty() { json::removed(text, &self.leftovers).unwrap_or_else(|_| kept()) } else { kept() }
    }
}

/// Returns a TOML text without the tables whose line begins so.
fn without_tables(text: &str, start: &str) -> String {
    let mut is_in = false;
    let mut keeps = |line: &&str| {
        if line.trim_start().starts_with('[') {
            is_in = !start.is_empty() && line.trim_start().starts_with(start);
        }
        !is_in
    };
    text.split_inclusive('\n').filter(|line| keeps(line)).collect()
}

impl FileChange {
    /// Returns the file's text with the change in it; `None` stands for no file.
    ///
    /// # Errors
    /// What keeps the file from taking the change.
    pub fn after(&self, before: Option<&str>) -> Result<String, String> {
        match &self.edit {
            Edit::Whole { text, .. } => match before {
                Some(before) if before != text && !self.is_ours(before) => {
                    Err("a file of that name is there already and is not Kenning's".to_owned())
                }
                _ => Ok(text.clone()),
            },
            Edit::Json { edits, is_strict } => json::merged(before.unwrap_or(""), edits, *is_strict),
            Edit::Block { inner, marks } => block::with_block(before, inner, *marks),
        }
    }

    /// Returns the text without the change, when somebody else edited the file since; `before` is what stood there first,
    /// where that is kept whole.
    ///
    /// # Errors
    /// Why the file stays as it is.
    pub fn taken_back(&self, now: &str, before: Option<&str>) -> Result<Left, String> {
        match &self.edit {
            Edit::Whole { .. } => Err("it was edited since; remove it by hand".to_owned()),
            Edit::Json { edits, .. } => {
                // First what was taken out, so that no list that it stood in goes with ours.
                let now = before.map_or_else(|| Ok(now.to_owned()), |before| json::put_back(now, edits, before))?;
                json::removed(&now, edits)
            }
            Edit::Block { marks, .. } => block::without_block(now, *marks),
        }
    }

    /// Returns whether it takes something of somebody else's out.
    pub fn takes(&self) -> bool {
        matches!(&self.edit, Edit::Json { edits, .. } if edits.iter().any(|edit| matches!(edit, JsonEdit::Take { .. })))
    }

    /// Returns whether the file is run.
    pub fn is_program(&self) -> bool {
        match &self.edit {
            Edit::Whole { is_program, .. } => *is_program,
            Edit::Block { marks, .. } => *marks == Marks::Shell,
            Edit::Json { .. } => false,
        }
    }

    /// Returns whether a whole file is one that an earlier `ken install` wrote.
    pub fn is_ours(&self, text: &str) -> bool {
        matches!(self.edit, Edit::Whole { .. })
            && (text.contains("kenning:") || self.path.components().any(|part| part.as_os_str() == "kenning"))
    }
}

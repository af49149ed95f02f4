//! A family of vaults as a value.
//!
//! Everything in which families differ is a field of [`Preset`]; one file beside this one holds one of them, and
//! [`PRESETS`](super::PRESETS) lists them all. Nothing else in the program knows a family by its name.

use crate::header::name::FieldName;
use crate::page::category::Category;

/// What a family of vaults keeps where, and in what form.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name in `kenning.toml` and of `--layout`.
    pub name: &'static str,
    /// What such a folder is called in a sentence: "a HydraFlow repo wiki".
    pub called: &'static str,
    /// By what a folder is known; each of them is enough.
    pub signs: &'static [Sign],
    /// Whether such a folder is a vault without a configuration.
    pub is_vault: bool,
    /// The folders, seen from the root, in which it may lie as a whole, each with its `/`; `""` is the root itself.
    pub bases: &'static [&'static str],
    /// Where things live.
    pub places: Places,
    /// What stands in its folders besides pages.
    pub files: Files,
    /// Whether its notes stand anywhere, so that they become pages as documents do.
    pub notes_anywhere: bool,
    /// How the index is written.
    pub index: IndexForm,
    /// Whether pages stand in folders by category, or all in one.
    pub has_folders: bool,
    /// Whether a compile fills the headers of people's pages without being told to.
    pub fills_headers: bool,
    /// Whether its pages are a compiler's, made of the days that they name, so that they may be adopted.
    pub is_adoptable: bool,
    /// How a new header of a Markdown page is written.
    pub header: HeaderForm,
    /// Header keys of this family's pages: field, YAML key, key in capitals.
    pub spellings: &'static [(FieldName, &'static str, &'static str)],
    /// Values of `type` and names of folders that stand for a category.
    pub categories: &'static [(&'static str, Category)],
    /// What one should know before a folder of this family becomes a vault: sentences, each a line.
    pub remarks: &'static [&'static str],
}

/// Where things live, seen from the base.
#[derive(Debug, PartialEq, Eq)]
pub struct Places {
    /// Folder of the pages that the program writes.
    pub wiki: &'static str,
    /// Folders that are the wiki where the index stands in one of them and not in the first.
    pub other_wikis: &'static [&'static str],
    /// Folder of the journal, one file a day.
    pub journal: &'static str,
    /// Folder of sources.
    pub sources: &'static str,
    /// The index, in the wiki.
    pub index: &'static str,
    /// The log for people, in the wiki; one that begins with `/` is seen from the vault's root.
    pub log: &'static str,
    /// Folders of pages that another tool writes: read, never written to.
    pub foreign: &'static [&'static str],
    /// Files and folders that are evidence and make no pages, because they tell again what stands elsewhere.
    pub evidence: &'static [&'static str],
    /// Where another compiler says what it has compiled, if it does: the `ingested` digests of claude-memory-compiler.
    pub state: Option<&'static str>,
}

/// What stands in the folders of a family besides pages.
#[derive(Debug, PartialEq, Eq)]
pub struct Files {
    /// Names of indexes that another tool keeps in its folders: no pages; what their rows say of pages is read.
    pub indexes: &'static [&'static str],
    /// Stems of files right in the wiki that are searched, and never routed nor given a header.
    pub session: &'static [&'static str],
    /// Those of them, and files elsewhere, with which a session starts, first ones first.
    pub starts: &'static [&'static str],
    /// How pages are called that stand in the journal's folder, by how their names begin.
    pub in_journal: &'static [&'static str],
    /// Whether a day is every Markdown file right in the journal, or only one that is called by a date.
    pub days_are_dated: bool,
}

/// Nothing but pages and days.
pub const PLAIN_FILES: Files =
    Files { indexes: &[], session: &[], starts: &[], in_journal: &[], days_are_dated: false };

/// The places of Kenning's own.
pub const PLAIN_PLACES: Places = Places {
    wiki: "knowledge",
    other_wikis: &[],
    journal: "daily",
    sources: "raw",
    index: "index.md",
    log: "log.md",
    foreign: &[],
    evidence: &[],
    state: None,
};

/// What a family is where it says nothing else: another tool's folder that the program's own places are put beside.
pub const PLAIN: Preset = Preset {
    name: "",
    called: "",
    signs: &[],
    is_vault: false,
    bases: &[""],
    places: PLAIN_PLACES,
    files: PLAIN_FILES,
    notes_anywhere: false,
    index: IndexForm::Rows,
    has_folders: true,
    fills_headers: false,
    is_adoptable: false,
    header: HeaderForm::Yaml,
    spellings: &[],
    categories: &[],
    remarks: &[],
};

/// How the index is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexForm {
    /// Rows by category, in shards once it is large.
    Rows,
    /// One header block a page, in one file: the Compiled Knowledge Pattern.
    Blocks,
    /// A row a compiled page in the table that stands there, in one file: claude-memory-compiler.
    Table,
}

/// How a new header is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderForm {
    /// YAML, lower-case keys.
    Yaml,
    /// Upper-case keys.
    Ckp,
}

/// By what a folder is known.
#[derive(Debug, PartialEq, Eq)]
pub enum Sign {
    /// A file stands there.
    File(&'static str),
    /// Some folder stands right in this one.
    Below(&'static str),
    /// A file of this form stands at any depth below this folder; `""` is right in the root.
    Has(&'static str, FileForm),
    /// Several files of this form do.
    Several(&'static str, FileForm),
    /// A file says this.
    Says(&'static str, &'static str),
    /// All of these hold.
    All(&'static [Sign]),
}

/// What a file is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileForm {
    /// `2026-05-11.md`.
    Day,
    /// `0001-issue-42-retries.md`.
    Entry,
    /// Any Markdown file.
    Markdown,
    /// A Markdown file that is not called in capitals, as those are that come with a repository: `README.md`.
    Note,
}

impl FileForm {
    /// Returns whether a file's name has the form.
    pub fn has(self, name: &str) -> bool {
        let Some(stem) = name.strip_suffix(".md") else { return false };
        match self {
            FileForm::Markdown => true,
            FileForm::Note => stem.chars().any(char::is_lowercase),
            FileForm::Day => stem.parse::<crate::time::Date>().is_ok(),
            FileForm::Entry => {
                let digits = stem.bytes().take_while(u8::is_ascii_digit).count();
                digits >= 4 && ["-issue-", "-synthesis-"].iter().any(|kind| stem[digits..].starts_with(kind))
            }
        }
    }
}

//! What formats are written from, and what they are read into.

use ken_core::snapshot::Snapshot;
use ken_core::topic::Topics;
use ken_core::trust::Trust;
use ken_core::{Date, Digest, Timestamp, VaultPath};

/// The folders of records below the tool's own, and how deep their files lie: in `replies` one folder a kind.
pub const RECORDS: &[(&str, usize)] = &[("answers", 1), ("archive", 1), ("issues", 1), ("replies", 2)];

/// A vault as formats see it.
#[derive(Debug, Clone)]
pub struct Vault {
    /// What it is called: its folder's name.
    pub name: String,
    /// When it is written out.
    pub at: Timestamp,
    /// The program and its version, `kenning/0.0.0`.
    pub by: String,
    /// Its pages with where their links lead, and its layout.
    pub snapshot: Snapshot,
    /// The days of the journal, in order.
    pub days: Vec<Text>,
    /// The sources, in order.
    pub sources: Vec<Source>,
    /// What was said in sessions, in order.
    pub talk: Vec<Text>,
    /// What pages are made from besides: filed answers, recorded replies, what was archived, how issues ended; and the state.
    pub records: Vec<Text>,
    /// What another tool keeps in its folders besides pages and days: its books, and what tells again what stands elsewhere.
    pub kept: Vec<Text>,
    /// The topics that its statements are sorted by.
    pub topics: Topics,
}

/// A file of a vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Where it stands.
    pub path: VaultPath,
    /// What it says.
    pub text: String,
}

/// A source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Where it stands.
    pub path: VaultPath,
    /// What it says.
    pub text: String,
    /// How far it is believed.
    pub trust: Trust,
    /// The day of its last commit, where the register has one.
    pub day: Option<Date>,
    /// The digest of its bytes.
    pub digest: Digest,
    /// What tells which document it is a copy of, as the register has it.
    pub origin: Option<String>,
    /// Whether it is the kept copy of a page that was taken over from another compiler.
    pub is_adopted: bool,
}

impl Source {
    /// Returns a source of another tool's folder: somebody's own, of which nothing else is known.
    pub(crate) fn found(path: VaultPath, text: String) -> Source {
        let digest = Digest::of(text.as_bytes());
        Source { path, text, trust: Trust::User, day: None, digest, origin: None, is_adopted: false }
    }
}

/// Something that was read, with the place it had in its own folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A page: its place below the wiki, else from the root of its vault.
    Page {
        /// Where it stood.
        from: VaultPath,
        /// Its place below the wiki.
        place: VaultPath,
        /// What it says.
        text: String,
    },
    /// A day of the journal.
    Day {
        /// Where it stood.
        from: VaultPath,
        /// Which day.
        date: Date,
        /// What it says.
        text: String,
    },
    /// A document.
    Source(Source),
    /// What was said in a session: its place below the folder of talk.
    Talk {
        /// Where it stood.
        from: VaultPath,
        /// Its place below the folder of talk.
        place: VaultPath,
        /// What it says.
        text: String,
    },
    /// What pages are made from besides.
    Record(Text),
    /// What is to be done.
    State(String),
}

impl Item {
    /// Returns where it stood.
    pub fn from(&self) -> Option<&VaultPath> {
        match self {
            Item::Page { from, .. } | Item::Day { from, .. } | Item::Talk { from, .. } => Some(from),
            Item::Source(source) => Some(&source.path),
            Item::Record(record) => Some(&record.path),
            Item::State(_) => None,
        }
    }

    /// Returns what it says.
    pub fn text(&self) -> &str {
        match self {
            Item::Page { text, .. } | Item::Day { text, .. } | Item::Talk { text, .. } | Item::State(text) => text,
            Item::Source(source) => &source.text,
            Item::Record(record) => &record.text,
        }
    }
}

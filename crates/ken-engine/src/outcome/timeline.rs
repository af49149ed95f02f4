//! What `timeline` returns: what was said of a subject in order of time, and how it changed.

use ken_core::claim::ClaimState;
use ken_core::{Date, Slug, VaultPath};

use super::Proof;

/// What was said of a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineOutcome {
    /// Its page.
    pub slug: Slug,
    /// The file of that.
    pub path: VaultPath,
    /// What it is called.
    pub title: String,
    /// The redirects that were followed to it.
    pub redirected_from: Vec<Slug>,
    /// Every page that was read: its own, that of what the journal says of a person's page, that of older claims.
    pub pages: Vec<VaultPath>,
    /// How many statements there are, shown or not.
    pub n_said: usize,
    /// What was said, in order of time; what has no day stands last.
    pub rows: Vec<SaidRow>,
    /// What changed, in order of the first day.
    pub changes: Vec<Change>,
    /// What the caller should know.
    pub notes: Vec<String>,
}

/// A claim as it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidRow {
    /// The day on which it was said first: of a document that of the document.
    pub day: Option<Date>,
    /// The day on which it was said last, where that is another one.
    pub again: Option<Date>,
    /// The day from which it holds, where it took a place from another day on than the one on which it was said.
    pub from: Option<Date>,
    /// The day until which it held.
    pub until: Option<Date>,
    /// What it says.
    pub text: String,
    /// Whether it holds.
    pub state: ClaimState,
    /// Why.
    pub reason: String,
    /// The page and line where it stands; nothing where a page only cites it as what took a place.
    pub at: Option<(VaultPath, usize)>,
    /// What bears it out, the first to be said first.
    pub proofs: Vec<Proof>,
    /// The row that took its place.
    pub by: Option<usize>,
    /// Whether a document says it.
    pub is_of_document: bool,
}

/// What changed: statements that took one another's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What held, one after the other.
    pub steps: Vec<ChangeStep>,
    /// Whether the last step only says that it ended.
    pub is_ended: bool,
}

/// What held for a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeStep {
    /// The day on which it was said first.
    pub day: Option<Date>,
    /// The values that it has, as they were said; none where only the sentences say it.
    pub values: Vec<String>,
    /// The rows that say it.
    pub rows: Vec<usize>,
}

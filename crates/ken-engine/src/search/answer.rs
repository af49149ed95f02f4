//! What a search answers with.

use ken_core::search::Scope;
use ken_core::{Category, Date, VaultPath};

use crate::outcome::Trust;

/// What is asked of a search.
#[derive(Debug, Clone, Default)]
pub struct SearchRequest {
    /// The question, with or without search syntax.
    pub text: String,
    /// What narrows it besides what the question says.
    pub scope: Scope,
    /// The one partition to search; both when none is given.
    pub partition: Option<ken_core::search::Partition>,
    /// Most results a partition.
    pub n_max: usize,
    /// Whether every result says how its score came about.
    pub explains: bool,
    /// A page to explain the absence of: slug or path.
    pub why_not: Option<String>,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct SearchOutcome {
    /// The question.
    pub query: String,
    /// Whether nothing answers well enough; what came closest is listed all the same.
    pub abstained: bool,
    /// How sure it is that the question is answered, 0 to 1.
    pub confidence: f32,
    /// Pages, best first.
    pub pages: Vec<SearchHit>,
    /// Journal entries and sources, best first.
    pub evidence: Vec<SearchHit>,
    /// The days that the question was taken to ask about.
    pub days: Option<(Option<Date>, Option<Date>)>,
    /// Words of the question that stand nowhere in the vault.
    pub unknown: Vec<String>,
    /// What was searched for in the place of such words; the notes say so too.
    pub respelled: Vec<Respelled>,
    /// Why a page is not among the results.
    pub why_not: Option<String>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// A word of a question that stands nowhere, and what was searched for in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Respelled {
    /// As it was asked.
    pub asked: String,
    /// As they are written.
    pub meant: Vec<String>,
}

impl std::fmt::Display for Respelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let meant: Vec<String> = self.meant.iter().map(|word| format!("`{word}`")).collect();
        write!(f, "`{}` is not in this vault; searched for {}", self.asked, meant.join(", "))
    }
}

/// One result.
#[derive(Debug, Clone)]
pub struct SearchHit {
    /// The file.
    pub path: VaultPath,
    /// A page's slug; empty for evidence.
    pub slug: String,
    /// What the document is called.
    pub title: String,
    /// A page's category.
    pub category: Option<Category>,
    /// The headings above the passage, outermost first.
    pub heading: String,
    /// Who says it in a chat; empty elsewhere.
    pub speaker: String,
    /// The passage's lines, from 1, both included.
    pub lines: (usize, usize),
    /// The document's day.
    pub date: Option<Date>,
    /// The session, agent and project it came from; empty when not known.
    pub session: String,
    /// See `session`.
    pub agent: String,
    /// See `session`.
    pub project: String,
    /// How far its words may reach.
    pub trust: Option<Trust>,
    /// Its score; comparable within one answer.
    pub score: f32,
    /// The passage.
    pub text: String,
    /// What keeps the passage from being current, as its page says it; empty where nothing does.
    pub past: String,
    /// The part of the passage that says most, on one line.
    pub snippet: String,
    /// Where the question's words stand in the snippet, as byte ranges.
    pub marks: Vec<(usize, usize)>,
    /// How the score came about, if asked.
    pub parts: Vec<ScorePart>,
}

/// One part of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct ScorePart {
    /// What it is for: a word of the question in quotation marks, or another reason.
    pub name: String,
    /// What it adds.
    pub amount: f32,
}

//! One statement of a reading, with all that was said of it.

use ken_core::Date;
use serde_json::{Value, json};

/// Kinds of claims by their names in a reply.
pub(super) const CLAIM_KINDS: [(&str, ClaimKind); 4] = [
    ("decision", ClaimKind::Decision),
    ("lesson", ClaimKind::Lesson),
    ("fact", ClaimKind::Fact),
    ("todo", ClaimKind::Todo),
];

/// Most subjects of one claim: a claim about more is about none.
pub(super) const SUBJECTS_OF_CLAIM_MAX: usize = 3;
/// Most ids of other claims that one claim may name.
pub(super) const IDS_MAX: usize = 4;
/// The lists of texts that a claim has.
pub(super) const LISTS_OF_CLAIM: [(&str, usize); 6] = [
    ("subjects", SUBJECTS_OF_CLAIM_MAX),
    ("same_as", IDS_MAX),
    ("replaces", IDS_MAX),
    ("disputes", IDS_MAX),
    ("settles", IDS_MAX),
    ("renames", 2),
];
/// Those of them that name other claims, and the one that names claims of a dispute.
pub(super) const CHANGES: [&str; 4] = ["same_as", "replaces", "disputes", SETTLES];
pub(super) const SETTLES: &str = "settles";
/// What a claim has besides, in a word or two; empty where it has none.
pub(super) const WORDS_OF_CLAIM: [&str; 3] = ["slot", "speaker", "valid_from"];

/// What a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimKind {
    /// Something was settled.
    Decision,
    /// Something was learned.
    Lesson,
    /// Something is so.
    Fact,
    /// Something is left to do.
    Todo,
}

/// One statement that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadClaim {
    /// On one line.
    pub(crate) text: String,
    /// First and last line in the portion, counted from 1.
    pub(crate) lines: (usize, usize),
    /// What it is.
    pub(crate) kind: ClaimKind,
    /// Names of its subjects, the page it belongs to first.
    pub(crate) subjects: Vec<String>,
    /// Whether its words may say more than its lines.
    pub(crate) is_unverified: bool,
    /// Claims that say the same.
    pub(crate) same_as: Vec<String>,
    /// Claims that were true until this one.
    pub(crate) replaces: Vec<String>,
    /// Claims that cannot be true beside it.
    pub(crate) disputes: Vec<String>,
    /// Disputed claims that do not hold, as somebody decided here.
    pub(crate) settles: Vec<String>,
    /// The day from which it holds.
    pub(crate) valid_from: Option<Date>,
    /// How a thing was called and how it is called.
    pub(crate) renames: Option<(String, String)>,
    /// What of its first subject it gives a value of; empty where it gives none.
    pub(crate) slot: String,
    /// Who says it; empty where nobody does.
    pub(crate) speaker: String,
}

impl ReadClaim {
    /// Returns the claim as a part of a reply, on other lines.
    pub(crate) fn as_part(&self, lines: (usize, usize)) -> Value {
        let kind = CLAIM_KINDS.iter().find(|(_, kind)| *kind == self.kind).map_or("fact", |(name, _)| name);
        json!({
            "text": self.text,
            "lines": [lines.0, lines.1],
            "kind": kind,
            "subjects": self.subjects,
            "same_as": self.same_as,
            "replaces": self.replaces,
            "disputes": self.disputes,
            "settles": self.settles,
            "valid_from": self.valid_from.map(|day| day.to_string()).unwrap_or_default(),
            "renames": self.renames.as_ref().map(|(old, new)| vec![old, new]).unwrap_or_default(),
            "slot": self.slot,
            "speaker": self.speaker,
        })
    }
}

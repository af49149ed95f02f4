//! One word of a question.

use crate::search::tokens::TokenKind;
use crate::span::Span;

/// How much a word counts where the nearest that is known was searched for in its place.
const CERTAINTY: f32 = 0.65;

/// Whether a word is searched for as it was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Spelling {
    /// It is.
    #[default]
    AsAsked,
    /// It stands nowhere; what is nearest to it is searched for in its place.
    Corrected,
    /// It was not asked: it is nearest to a short word or a name that stands nowhere. It finds, and makes nothing
    /// surer: a name that is nearly another is somebody else's.
    Suggested,
}

/// One word of a question: a part of a run, or a whole one.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// As it was written, with all that is written as one with it.
    pub text: String,
    /// What of that it is.
    pub part: String,
    /// Where it stands first in the question.
    pub span: Span,
    /// The terms it is looked up by, each with how much of the word it is.
    pub forms: Vec<(String, f32)>,
    /// What it counts beside its rarity; 0 for words that are only in the way.
    pub weight: f32,
    /// What it is of what is written as one.
    pub kind: TokenKind,
    /// Whether it is there to say when, and not what.
    pub is_date: bool,
    /// Whether it stands in quotation marks, or behind a minus: so it is meant as it stands.
    pub is_quoted: bool,
    /// Whether it is searched for as it was asked.
    pub spelling: Spelling,
    /// What is searched for in its place, as it is written.
    pub meant: Vec<String>,
}

impl Word {
    pub(super) fn new(text: String, span: Span, forms: Vec<(String, f32)>, kind: TokenKind) -> Word {
        let (spelling, meant) = (Spelling::AsAsked, Vec::new());
        Word {
            part: text.clone(),
            text,
            span,
            forms,
            weight: 0.0,
            kind,
            is_date: false,
            is_quoted: false,
            spelling,
            meant,
        }
    }

    /// Returns whether the word is looked for and stands for itself.
    pub fn is_asked(&self) -> bool {
        self.weight > 0.0 && self.kind != TokenKind::Whole
    }

    /// Returns how much of what it counts it is sure to be.
    pub fn certainty(&self) -> f32 {
        if self.spelling == Spelling::AsAsked { 1.0 } else { CERTAINTY }
    }

    /// Returns whether it says what is asked, and not only when or what else it may be.
    pub fn tells(&self) -> bool {
        self.weight > 0.0 && !self.is_date && self.spelling != Spelling::Suggested
    }

    /// Returns what was searched for.
    pub fn searched(&self) -> String {
        if self.meant.is_empty() { self.text.clone() } else { self.meant.join(" or ") }
    }
}

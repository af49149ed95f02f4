//! One sentence as it was read: its words, what it says of itself, and whether it may change anything.

use std::sync::OnceLock;

use super::cues::{Cue, Found};
use super::slot::Frame;
use crate::language::Language;
use crate::span::Span;
use crate::time::Date;

/// Most words of a sentence that says nothing but that what stands before it is new.
const NEW_WORDS_MAX: usize = 5;

/// A word where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) span: Span,
    pub(super) word: u32,
    /// Which part between punctuation, and which clause, it stands in.
    pub(super) part: u16,
    pub(super) clause: u16,
    pub(super) is_capital: bool,
}

/// One sentence.
#[derive(Debug)]
pub(super) struct Unit<'t> {
    /// The place of its statement, and what that was said in.
    pub(super) said: usize,
    pub(super) exchange: usize,
    /// The place of the statement with which the text begins that it is a sentence of.
    pub(super) turn: usize,
    pub(super) day: Option<Date>,
    pub(super) text: &'t str,
    pub(super) language: Language,
    pub(super) tokens: Vec<Token>,
    /// The stems of the words that tell, sorted.
    pub(super) stems: Vec<u32>,
    pub(super) cues: Vec<Found>,
    pub(super) asks: bool,
    /// Whether the one behind it says nothing but that it is new: `From today.`
    pub(super) is_new: bool,
    /// Whether it stands between the quotation marks of its statement.
    pub(super) is_quoted: bool,
    /// Whether it speaks of code, which is told of in many ways and rarely replaced by them.
    pub(super) is_code: bool,
    pub(super) frame: OnceLock<Frame>,
    /// The names in it that are addresses, files or code.
    pub(super) identifiers: OnceLock<Vec<String>>,
}

impl Unit<'_> {
    pub(super) fn has(&self, cue: Cue) -> bool {
        self.cues.iter().any(|found| found.cue == cue)
    }

    pub(super) fn all(&self, cue: Cue) -> impl Iterator<Item = &Found> {
        self.cues.iter().filter(move |found| found.cue == cue)
    }

    /// Whether it asks, wishes, guesses, tries or reports.
    pub(super) fn is_unsure(&self) -> bool {
        // What holds on a condition stands behind it.
        let change = self.cues.iter().filter(|found| found.cue.tells_change()).map(|found| found.start).min();
        let is_conditional = self.all(Cue::Condition).any(|found| change.is_some_and(|change| found.start < change));
        // A reason is no doubt: `because two servers could not write to it`.
        let is_unsure = self.all(Cue::Unsure).any(|found| {
            !self.is_reason(self.tokens[found.start].clause) && !self.is_ended(found) && !self.is_over(found)
        });
        self.asks || self.is_quoted || is_unsure || is_conditional || self.is_view()
    }

    /// Whether anything in it is not told as what is so.
    pub(super) fn is_doubtful(&self) -> bool {
        let is_past_or_open =
            [Cue::Views, Cue::Formerly, Cue::Once, Cue::Condition].into_iter().any(|cue| self.has(cue));
        self.is_unsure() || is_past_or_open
    }

    /// The same of what stands at a word: a doubt in a clause behind it is of something else, and a condition of what it
    /// stands behind: `a course takes 40 euros deposit, you get it back when you come, maybe that helps`.
    pub(super) fn is_doubtful_at(&self, at: usize) -> bool {
        let clause = |token: usize| self.tokens[token].clause;
        let of = clause(at);
        let n_words = |in_clause: u16| self.tokens.iter().filter(|token| token.clause == in_clause).count();
        let doubts = |found: &Found| match found.cue {
            Cue::Views => true,
            Cue::Formerly | Cue::Once => clause(found.start) <= of,
            Cue::Unsure => clause(found.start) <= of || n_words(clause(found.start)) == found.end - found.start,
            Cue::Condition => clause(found.start) <= of + 1,
            _ => false,
        };
        self.asks || self.cues.iter().any(doubts)
    }

    /// Whether a clause says why, when or which.
    pub(super) fn is_reason(&self, clause: u16) -> bool {
        let first = self.tokens.iter().position(|token| token.clause == clause);
        self.all(Cue::Because).any(|because| Some(because.start) == first)
    }

    /// Whether what it says of change is what somebody wishes or thinks: in one clause, or in one that hangs on it.
    fn is_view(&self) -> bool {
        let clause = |found: &Found| self.tokens[found.start].clause;
        let is_of = |view: &Found, change: &Found| {
            clause(view) == clause(change) || clause(view) < clause(change) && self.is_reason(clause(change))
        };
        // Why something changes is no doubt that it does: `because too many people asked for it`.
        let says_why = |view: &Found| {
            let of = clause(view);
            self.is_reason(of) && self.cues.iter().any(|found| found.cue.tells_change() && clause(found) < of)
        };
        self.all(Cue::Views).filter(|view| !says_why(view)).any(|view| {
            self.cues
                .iter()
                .filter(|found| found.cue.tells_change() && found.cue != Cue::Ends && !self.is_ended(view))
                .any(|change| is_of(view, change))
        })
    }

    /// Whether a phrase is what a sentence says to have ended: `no longer wants`, `non vuole più`.
    fn is_ended(&self, found: &Found) -> bool {
        self.all(Cue::Ends).any(|end| end.end == found.start || (end.start..end.end).contains(&found.start))
    }

    /// Whether a sentence says right behind a phrase that it ended: `the trial is over`.
    fn is_over(&self, found: &Found) -> bool {
        self.cues.iter().any(|over| matches!(over.cue, Cue::Ends | Cue::Departs) && over.start == found.end)
    }

    /// Whether it may say that something changed.
    pub(super) fn may_change(&self) -> bool {
        self.is_new || self.cues.iter().any(|found| found.cue.tells_change())
    }

    /// Whether it says nothing but that what stands before it is new: `From today.`
    pub(super) fn says_only_new(&self) -> bool {
        let is_new = self.cues.iter().any(|found| matches!(found.cue, Cue::Change | Cue::Since));
        is_new && self.stems.is_empty() && !self.asks && !self.has(Cue::Keeps) && self.tokens.len() <= NEW_WORDS_MAX
    }
}

impl Cue {
    /// Whether a sentence with it may say that something changed.
    pub(super) fn tells_change(self) -> bool {
        use Cue::*;
        matches!(
            self,
            Instead
                | Rather
                | AndNot
                | But
                | Replaces
                | Formerly
                | Change
                | Alters
                | Corrects
                | Takes
                | Gives
                | Ends
                | Cancels
                | Retracts
                | Back
                | Again
                | Renames
                | Switch
                | Unfit
                | Heir
        )
    }

    /// Whether its words say nothing of what a sentence is about.
    pub(super) fn is_covering(self) -> bool {
        use Cue::*;
        self.tells_change() && self != But && self != Unfit
            || matches!(self, Keeps | Named | Since | Is | Not | When | Charge)
    }
}

/// Whether a word belongs to a phrase that says nothing of what its sentence is about: the ends of a long one.
pub(super) fn is_covered(found: &[Found], at: usize) -> bool {
    let is_of = |found: &Found| match found.end - found.start > 3 {
        true => at == found.start || at + 1 == found.end,
        false => (found.start..found.end).contains(&at),
    };
    found.iter().any(|found| found.cue.is_covering() && is_of(found))
}

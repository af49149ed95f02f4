//! What was done while nobody waited: by a model, and by consolidating.

use ken_core::Timestamp;
use ken_core::consolidate::ReviewItem;
use ken_core::consolidate::due::Due;
use ken_model::Money;

/// What was done while nobody waited, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackgroundStatus {
    /// When the last run ended; none when none did yet.
    pub at: Option<Timestamp>,
    /// Whether one is at work.
    pub is_asking: bool,
    /// The model, in short.
    pub model: String,
    /// Sessions that were read on that day.
    pub n_sessions: usize,
    /// Tasks that were answered on that day.
    pub n_answered: usize,
    /// What that day cost.
    pub money: Money,
    /// Tasks that are left.
    pub n_left: usize,
    /// Nothing is asked before this moment, and a word of ours that says why.
    pub paused: Option<(Timestamp, String)>,
    /// The words of what stopped the last run, or kept it from beginning.
    pub stopped: Option<String>,
    /// The same in one line, without those words.
    pub line: String,
}

/// Whether a consolidation is due, and what the last one left to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsolidationStatus {
    /// Whether it is due, and by what that is told.
    pub due: Due,
    /// What is up for review.
    pub review: Vec<ReviewItem>,
}

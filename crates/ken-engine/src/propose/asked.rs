//! What came of asking a model.

use super::check::Rejected;
use super::costs::Spent;
use super::sent::BatchOutcome;
use crate::failure::Failure;

/// What came of asking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedOutcome {
    /// The model's name.
    pub model: String,
    /// Sessions that were read in this run.
    pub n_sessions: usize,
    /// Tasks that were answered in this run.
    pub n_answered: usize,
    /// Tasks whose reply was recorded before.
    pub n_recorded: usize,
    /// Parts of the replies of this run that hold.
    pub n_parts: usize,
    /// Parts that do not: what they belong to, and the part.
    pub rejected: Vec<(String, Rejected)>,
    /// Tasks without a usable reply: what they are about, and the reason.
    pub failed: Vec<(String, String)>,
    /// Why the first of them has none.
    pub failure: Option<Failure>,
    /// Tasks that rest after earlier failures, in the background.
    pub n_resting: usize,
    /// Tasks that were not reached.
    pub n_left: usize,
    /// Why the run ended before its end.
    pub stopped: Option<Failure>,
    /// What it cost.
    pub spent: Spent,
    /// What was sent in batches, and collected.
    pub batch: BatchOutcome,
}

impl AskedOutcome {
    /// Returns why the model was not used for all that it was wanted for; none where it was, or where what is open
    /// only rests or goes out in a batch.
    pub fn why_unused(&self) -> Option<&Failure> {
        self.stopped.as_ref().or(self.failure.as_ref())
    }

    /// Returns for how many tasks it was not used, and for how many it was wanted in this run, replies that were
    /// recorded before aside.
    pub fn n_unused(&self) -> (usize, usize) {
        let n_unused = self.failed.len() + self.n_left;
        (n_unused, n_unused + self.n_answered)
    }

    /// Returns whether nothing came of it: no reply, and nothing that is under way now.
    pub fn is_nothing(&self) -> bool {
        self.n_answered == 0 && self.batch.n_sent == 0 && self.batch.n_released == 0
    }
}

//! What is kept of each roll-up.

use serde::{Deserialize, Serialize};

/// A roll-up as it was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollupRecord {
    /// What names all that it was made of, and its text.
    pub made: u64,
    /// What names the lines of it that may be told in better sentences; empty where none are.
    pub digest: String,
    /// What names the sentences that were proposed for them; 0 for none.
    pub proposals: u64,
    /// Of a week: which of its statements say that a task was done.
    pub closed: Closed,
}

/// Which of the statements of a week say that a task of the week was done: finding it out reads each beside all others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    /// What names the statements; 0 where it was not found out.
    pub of: u64,
    /// The tasks, each with what says that it was done.
    pub pairs: Vec<(u32, u32)>,
}

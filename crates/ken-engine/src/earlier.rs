//! A question that was asked before, as one that goes on from it is told of it.

use std::sync::Arc;

use ken_core::Timestamp;
use serde::{Deserialize, Serialize};

/// A question that was asked before, with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    /// When it was asked.
    pub(crate) at: Timestamp,
    /// As it was asked, on one line.
    pub question: String,
    /// As it was searched for.
    pub(crate) searched: String,
    /// What it was answered with, as it was quoted.
    pub answer: String,
}

/// Earlier questions, oldest first.
pub(crate) type Thread = Arc<Vec<Earlier>>;

//! What somebody who waits is told while a model is asked.
//!
//! Values only: how long the rest will take is reckoned by who has a clock, and what is printed is decided there.

use std::sync::Arc;

use ken_model::Money;

/// How far a run is when a call goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What the call is about.
    pub label: &'a str,
    /// Which call of this step it is, from 1.
    pub n: usize,
    /// How many calls the step has, as far as that is known.
    pub n_of: usize,
    /// How many of them came back.
    pub n_back: usize,
    /// What the run spent so far.
    pub spent: Money,
    /// What it may spend.
    pub run_max: Money,
}

/// Is told what is being waited for.
pub type Tell = Arc<dyn Fn(&Progress<'_>) + Send + Sync>;

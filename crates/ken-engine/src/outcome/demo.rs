//! What the demo built and showed.

use std::path::PathBuf;

use ken_core::{Date, Tokens};

use super::CompileOutcome;

/// One question of the demo.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoQuestion {
    /// What was asked.
    pub question: String,
    /// Its route.
    pub route: ken_core::route::Route,
    /// The start of what came back: a tldr or the best span; empty when nothing was loaded.
    pub answer: String,
}

/// What the demo built and showed.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoOutcome {
    /// The vault it leaves behind.
    pub root: PathBuf,
    /// Journal days it wrote.
    pub days: Vec<Date>,
    /// The compile.
    pub compiled: CompileOutcome,
    /// Cost of loading every page.
    pub tokens_everything: Tokens,
    /// The questions.
    pub questions: Vec<DemoQuestion>,
}

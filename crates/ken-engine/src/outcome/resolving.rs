//! What `resolve` returns: the disputes that are open, and what was settled.

use ken_core::settled::Settlement;
use ken_core::{Date, Slug, VaultPath};

use super::CompileOutcome;

/// Claims of a page that cannot all be true, of which nobody said yet which hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDispute {
    /// The page.
    pub slug: Slug,
    /// What it is called.
    pub title: String,
    /// Its file.
    pub path: VaultPath,
    /// Other pages on which the same dispute stands.
    pub also_on: Vec<Slug>,
    /// The day from which on two of the claims had been said.
    pub since: Option<Date>,
    /// The claims, in the order of the page.
    pub claims: Vec<OpenClaim>,
}

/// One of the claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenClaim {
    /// Its number, counted through the disputes of the page, from 1.
    pub n: usize,
    /// What it says.
    pub text: String,
    /// Its line on the page.
    pub line: usize,
    /// The day on which it was said last.
    pub day: Option<Date>,
    /// Whether only external sources say it.
    pub is_external: bool,
    /// Where it was said, the last first.
    pub sources: Vec<OpenSource>,
}

/// A place where a disputed claim was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSource {
    /// The file.
    pub path: VaultPath,
    /// First and last line.
    pub lines: (usize, usize),
    /// Who said it there, where that is known.
    pub speaker: Option<String>,
    /// The session that it was captured from.
    pub session: Option<String>,
}

/// A dispute that was settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolveOutcome {
    /// What was said of it.
    pub settled: Settlement,
    /// The journal file that says so; nothing where nothing was written.
    pub journal: Option<VaultPath>,
    /// Whether it stood there already.
    pub is_repeat: bool,
    /// What compiling it changed; nothing where nothing was written.
    pub compiled: Option<CompileOutcome>,
    /// Disputes that are left.
    pub n_open: usize,
}

//! Does what a finding of a judge calls for, where that is one thing that can be undone.
//!
//! A contradiction of which a judge could tell the side that holds becomes a settlement in the journal, as one of
//! `ken resolve` does, and compiling follows it. Nothing is done by itself: somebody names the finding.

use ken_core::settled::Settlement;
use ken_core::{Slug, VaultPath};

use super::findings::settled_side;
use super::standing::{Found, Standing};
use crate::compile::CompileOptions;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;

/// What came of a finding that was applied.
#[derive(Debug, Clone)]
pub struct AppliedOutcome {
    /// What was written down.
    pub settled: Settlement,
    /// The day of the journal that says so.
    pub journal: VaultPath,
    /// What compiling changed.
    pub compiled: CompileOutcome,
}

/// The command, as the log names it.
const COMMAND: &str = "lint --fix";

impl Engine {
    /// Does what a finding calls for that `ken lint --model` made.
    ///
    /// # Errors
    /// When there is no such finding, it calls for nothing that can be done, or the vault cannot be written.
    pub fn apply_finding(&self, id: &str) -> Result<AppliedOutcome, Failure> {
        let unchanged = |failure: Failure| failure.hint("nothing was changed");
        let guard = self.lock(COMMAND)?;
        let snapshot = self.snapshot()?;
        let standing = Standing::of(&snapshot);
        let pairs = self.judged_pairs(&standing, &self.replies()?);
        let Some(pair) = pairs.iter().find(|pair| pair.id == id) else {
            let failure = Failure::refused(format!("no finding is named `{id}`, or what it is about does not stand"));
            return Err(unchanged(failure.hint("`ken lint --json` says the ids of those that a model made")));
        };
        let Some((holds, goes)) = pair.sides() else {
            let failure = Failure::refused(format!("the judge of `{id}` could not tell which claim holds"));
            return Err(unchanged(failure.hint("write down with `ken log` which one does")));
        };
        let sides = [(holds, true), (goes, false)].map(|(claim, is)| settled_side(&snapshot, claim, is));
        let [Some(holds_side), Some(goes_side)] = sides else {
            let failure = Failure::refused(format!("a claim of `{id}` stands on a page of a person, or cites nothing"));
            return Err(unchanged(failure.hint("change that page yourself")));
        };
        let page =
            |claim: &Found| -> Option<(Slug, String)> { Some((Slug::from_text(&claim.slug)?, claim.title.clone())) };
        let mut pages: Vec<(Slug, String)> = [goes, holds].into_iter().filter_map(page).collect();
        pages.dedup();
        let settled = Settlement { pages, sides: vec![holds_side, goes_side] };
        let (journal, _) = self.record_settlement(&guard, COMMAND, &settled)?;
        drop(guard);
        let compiled = self.compile(CompileOptions::default())?;
        Ok(AppliedOutcome { settled, journal, compiled })
    }
}

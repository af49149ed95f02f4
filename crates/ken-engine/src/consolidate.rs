//! Consolidation: one pass over the wiki that joins what is one, puts away what nobody uses, and says what a person has to
//! look at.
//!
//! A pass is one plan with what compiling makes of it, and its entry in the log is the diary of it. What is decided in it
//! is a function of pages, journal, records and the note of questions; only what is sure is done. What somebody took back
//! is never done again by itself.

mod archive;
mod look;
mod questions;
mod review;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ken_core::consolidate::diary::{Deed, Diary};
use ken_core::consolidate::due::Due;
use ken_core::consolidate::{ReviewItem, ReviewKind};
use ken_core::{Basis, Edit, LogEntry, Slug, Timestamp, VaultPath};
use ken_store::LockGuard;
use serde::{Deserialize, Serialize};

use crate::compile::beside::Beside;
use crate::compile::{CompileOptions, Standing};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use look::Pass;
use review::{review_path, review_text};

/// The operation, as history and log name it.
pub(crate) const KIND: &str = "consolidate";
/// When the last pass was; a cache.
const NOTED: &str = "consolidated.json";
/// The newest operations among which sessions are counted: one that does not come up in so many was long ago.
const OPERATIONS_MAX: usize = 500;

/// How to consolidate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConsolidateOptions {
    /// Whether it is due or not.
    pub now: bool,
    /// Say what would be done and change nothing.
    pub dry_run: bool,
}

/// What a pass did and found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsolidateOutcome {
    /// Whether it was due.
    pub due: Due,
    /// Whether the wiki was looked through.
    pub has_looked: bool,
    /// What was done, or would be.
    pub deeds: Vec<Deed>,
    /// What was found for the first time.
    pub new: Vec<ReviewItem>,
    /// What is up for review in all.
    pub review: Vec<ReviewItem>,
    /// Pages that may be put away in a later pass.
    pub n_later: usize,
    /// The files that changed, or would.
    pub changed: Vec<VaultPath>,
    /// What one should know besides.
    pub notes: Vec<String>,
    /// With `dry_run`: the plan as a unified diff; empty where nothing would change.
    pub diff: Option<String>,
}

/// What is noted of passes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Noted {
    #[serde(default)]
    at: Option<Timestamp>,
}

impl Engine {
    /// Returns whether a consolidation is due.
    ///
    /// # Errors
    /// When the record of operations cannot be read.
    pub fn consolidation(&self) -> Result<Due, Failure> {
        let operations = self.store.history(OPERATIONS_MAX)?.operations;
        let noted: Noted =
            self.store.read_cache(NOTED).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let done = operations.iter().find(|operation| operation.kind == KIND).map(|operation| operation.at);
        let last = noted.at.max(done);
        let is_new = |at: Timestamp| last.is_none_or(|last| at > last);
        let captured = operations.iter().filter(|one| one.kind == "capture" && is_new(one.at));
        let sessions: BTreeSet<&str> = captured.map(|operation| operation.subject.as_str()).collect();
        Ok(Due::of(self.config.consolidate, (last, sessions.len()), self.clock.now))
    }

    /// Looks through the wiki when it is due, does what is sure, and puts the rest up for review; one operation. What is
    /// new in the journal is compiled before, as `ken compile` does.
    ///
    /// # Errors
    /// When the vault cannot be read or written, or somebody changes it at the same moment: nothing was changed then.
    pub fn consolidate(&self, options: ConsolidateOptions) -> Result<ConsolidateOutcome, Failure> {
        let due = self.consolidation()?;
        if !due.is_due && !options.now && !options.dry_run {
            return Ok(ConsolidateOutcome { review: self.review()?, ..ConsolidateOutcome::of(due) });
        }
        if options.dry_run {
            return self.pass(due, None);
        }
        // The pass goes by what the last compile found; an unchanged vault is not written to.
        self.compile(CompileOptions::default())?;
        let guard = self.lock(KIND)?;
        let outcome = self.pass(due, Some(&guard))?;
        self.begin_noting();
        self.note_pass();
        Ok(outcome)
    }

    /// One pass; without a lock nothing is changed.
    fn pass(&self, due: Due, guard: Option<&LockGuard>) -> Result<ConsolidateOutcome, Failure> {
        let mut pass = self.look_over()?;
        match self.carry_out(due, guard, &pass) {
            // Compiling may see a name otherwise than the pages show it: then a person decides.
            Err(failure) if failure.kind == FailureKind::Refused && !pass.merges.is_empty() => {
                pass.leave_merges();
                self.carry_out(due, guard, &pass)
            }
            done => done,
        }
    }

    fn carry_out(&self, due: Due, guard: Option<&LockGuard>, pass: &Pass) -> Result<ConsolidateOutcome, Failure> {
        let known = self.review()?;
        let about = |one: &ReviewItem| (one.kind, one.about.clone());
        let told: BTreeSet<(ReviewKind, Vec<String>)> = known.iter().map(about).collect();
        let new: Vec<ReviewItem> = pass.items.iter().filter(|one| !told.contains(&about(one))).cloned().collect();
        let is_same = new.is_empty() && known.len() == pass.items.len();
        let mut outcome = ConsolidateOutcome {
            has_looked: true,
            deeds: pass.deeds(),
            new,
            review: pass.items.clone(),
            n_later: pass.n_later,
            notes: pass.notes.clone(),
            ..ConsolidateOutcome::of(due)
        };
        let mut records = pass.records.clone();
        if !is_same {
            let bytes = self.store.read(&review_path())?;
            let basis = Basis::of(&review_path(), bytes.as_deref());
            records.push(if pass.items.is_empty() { basis.remove() } else { basis.replace(review_text(&pass.items)) });
        }
        if pass.merges.is_empty() && records.is_empty() {
            outcome.diff = guard.is_none().then(String::new);
            return Ok(outcome);
        }
        let pairs: Vec<(Slug, Slug)> = pass.merges.iter().map(|one| (one.from.clone(), one.into.clone())).collect();
        let (mut view, expects) = self.joined_pages(&pairs)?;
        let diary = Diary {
            deeds: &outcome.deeds,
            new: &outcome.new,
            n_review: outcome.review.len(),
            n_later: outcome.n_later,
        };
        let log = LogEntry {
            at: self.clock.now,
            kind: KIND.to_owned(),
            subject: diary.subject(),
            lines: diary.lines(),
            inputs: Vec::new(),
            public: true,
        };
        let edits: Vec<Edit> = view.edits().into_iter().chain(records).collect();
        view.forget_texts();
        let around = |path: &VaultPath, text: &str| view.rewritten((path, path), text).0;
        let beside = Beside { edits, log, expects, around: &around, tells_compiled: false };
        // What is removed here is what becomes a redirect, each for a reason that the diary gives.
        let compile = CompileOptions { dry_run: guard.is_none(), yes: true, ..CompileOptions::default() };
        let (compiled, plan) = self.compile_under(guard, (compile, &mut Standing::default()), Some(&beside))?;
        outcome.changed = plan.edits.iter().map(|edit| edit.path().clone()).collect();
        outcome.diff = compiled.diff;
        Ok(outcome)
    }

    fn note_pass(&self) {
        if let Ok(bytes) = serde_json::to_vec(&Noted { at: Some(self.clock.now) }) {
            // Losing it costs a look more, never a change.
            let _ = self.store.write_cache(NOTED, bytes);
        }
    }
}

impl ConsolidateOutcome {
    fn of(due: Due) -> ConsolidateOutcome {
        ConsolidateOutcome {
            due,
            has_looked: false,
            deeds: Vec::new(),
            new: Vec::new(),
            review: Vec::new(),
            n_later: 0,
            changed: Vec::new(),
            notes: Vec::new(),
            diff: None,
        }
    }
}

//! What was done, taken back and done again.
//!
//! For people one command is one operation, however many plans it had; the store knows which belong together.

use std::collections::BTreeSet;

use ken_core::VaultPath;
use ken_store::{OpId, Operation, Redo, Run, Runs};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{HistoryOutcome, HistoryRow, UndoOutcome};

impl Engine {
    /// Returns what was last done, newest first: one row a command, or with `all` one a plan.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn history(&self, limit: usize, all: bool) -> Result<HistoryOutcome, Failure> {
        let runs = self.runs()?;
        let rows: Vec<HistoryRow> = if all {
            let mut operations: Vec<&Operation> = runs.runs.iter().flat_map(|run| &run.operations).collect();
            operations.sort_by_key(|operation| std::cmp::Reverse(operation.id));
            let is_undone = |operation: &Operation| runs.undone.contains(&operation.id);
            operations.into_iter().take(limit).map(|operation| row(&[operation], is_undone(operation))).collect()
        } else {
            let of_run = |run: &Run| row(&run.operations.iter().collect::<Vec<_>>(), run.is_undone);
            runs.runs.iter().take(limit).map(of_run).collect()
        };
        let verified = self.store.verify_history()?;
        let damage =
            verified.damaged.into_iter().map(|damage| format!("{}:{}: {}", damage.path, damage.line, damage.why));
        Ok(HistoryOutcome { rows, damage: damage.collect(), n_merged: verified.n_merged })
    }

    /// Takes back what was named: an operation, or with `FIRST-LAST` all that one command did. Without a name,
    /// what the last command did that is not taken back.
    ///
    /// # Errors
    /// When there is no such operation, its files changed since, or it added to the journal.
    pub fn undo(&self, name: Option<&str>) -> Result<UndoOutcome, Failure> {
        let named = name.map(parsed).transpose()?;
        let guard = self.lock("undo")?;
        let runs = self.runs()?;
        let layout = self.layout();
        let none = || Failure::refused("there is no operation to undo").hint("nothing was changed");
        let run = match named {
            // Whoever goes back step by step means the pages; whoever just wrote a note may mean that.
            None if runs.runs.first().is_some_and(Run::is_step) => runs.next_reversible(layout).ok_or_else(none)?,
            None => runs.next_undo().ok_or_else(none)?,
            Some((first, _)) => {
                runs.runs.iter().find(|run| run.operations.iter().any(|one| one.id == first)).ok_or_else(|| {
                    Failure::refused(format!("there is no operation {first}"))
                        .hint("the ids are in `ken history`; nothing was changed")
                })?
            }
        };
        let operations: Vec<&Operation> = match named {
            Some((only, last)) if only == last => run.operations.iter().filter(|one| one.id == only).collect(),
            Some(ends) if ends != (run.id(), run.last()) => {
                let message = format!("{}-{} is not what one command did", ends.0, ends.1);
                return Err(Failure::refused(message).hint("the ids are in `ken history`; nothing was changed"));
            }
            // What it added to the journal stays; what was taken back already is not there to be taken.
            _ => run.reversible(layout).into_iter().filter(|one| !runs.undone.contains(&one.id)).collect(),
        };
        if let [only] = operations.as_slice()
            && runs.undone.contains(&only.id)
        {
            let message = format!("operation {} is undone already", only.id);
            return Err(Failure::refused(message).hint("`ken redo` goes forward; nothing was changed"));
        }
        if operations.is_empty() {
            return Err(self.in_journal(run, &runs));
        }
        if operations.iter().any(|one| one.kind == "forget") {
            let message = format!("operation {} forgot something, and nothing keeps what went", run.id());
            return Err(Failure::refused(message).hint("nothing was changed"));
        }
        let stays =
            run.operations.iter().any(|one| one.adds_to(layout)) && operations.iter().all(|one| !one.adds_to(layout));
        let back = self.store.plan_back(&operations, self.clock.now).map_err(|error| {
            let failure = Failure::from(error);
            let is_kept = operations.iter().any(|one| one.adds_to(layout));
            with_earlier(failure, runs.next_reversible(layout).filter(|other| other.id() != run.id() && is_kept))
        })?;
        let changed = self.apply_back(&guard, &back)?;
        let (undone, what) = said(&operations);
        Ok(UndoOutcome { undone, what, changed, stays_in_journal: stays && named.is_none_or(|(a, b)| a != b) })
    }

    /// Does again what the last undo took back.
    ///
    /// # Errors
    /// When nothing was taken back, something was done since, or files changed.
    pub fn redo(&self) -> Result<UndoOutcome, Failure> {
        let guard = self.lock("redo")?;
        let runs = self.runs()?;
        let all = || runs.runs.iter().flat_map(|run| &run.operations);
        let nothing = |message: String| Failure::refused(message).hint("nothing was changed");
        let undo = match runs.redo {
            Redo::Nothing => return Err(nothing("there is nothing to do again: nothing was undone".to_owned())),
            Redo::Cut(id) => {
                let what = all().find(|one| one.id == id).map_or_else(String::new, |one| format!(" ({})", one.kind));
                return Err(nothing(format!("there is nothing to do again: {id}{what} was done since the last undo")));
            }
            Redo::Last(id) => {
                all().find(|one| one.id == id).ok_or_else(|| nothing(format!("there is no operation {id}")))?
            }
        };
        let back = self.store.plan_back(&[undo], self.clock.now)?;
        let mut again: Vec<&Operation> = all().filter(|one| undo.undoes.contains(&one.id)).collect();
        again.sort_by_key(|one| std::cmp::Reverse(one.id));
        let changed = self.apply_back(&guard, &back)?;
        let (undone, what) = said(&again);
        Ok(UndoOutcome { undone, what, changed, stays_in_journal: false })
    }

    /// Returns the files that operations of a kind changed which were taken back: what nobody asks for is not done to
    /// them again.
    pub(crate) fn taken_back(&self, kind: &str) -> Result<BTreeSet<VaultPath>, Failure> {
        let runs = self.runs()?;
        let operations = runs.runs.iter().flat_map(|run| &run.operations);
        let undone = operations.filter(|one| one.kind == kind && runs.undone.contains(&one.id));
        Ok(undone.flat_map(|one| &one.edits).map(|edit| edit.path.clone()).collect())
    }

    pub(crate) fn runs(&self) -> Result<Runs, Failure> {
        Ok(Runs::of(self.store.history(usize::MAX)?.operations, self.layout()))
    }

    /// Why a run is not taken back that did nothing but add to the journal.
    fn in_journal(&self, run: &Run, runs: &Runs) -> Failure {
        if run.is_undone {
            return Failure::refused(format!("operation {} is undone already", name_of(run)))
                .hint("`ken redo` goes forward; nothing was changed");
        }
        let what = run.operations.first().map_or_else(String::new, |one| format!("{} {}", one.kind, one.subject));
        let message = format!(
            "operation {} ({}) only added to the journal, and the journal only grows",
            name_of(run),
            what.trim()
        );
        let failure = Failure::refused(message).hint("nothing was changed; correct the journal by adding an entry");
        with_earlier(failure, runs.next_reversible(self.layout()))
    }
}

/// Adds what can be undone instead; the making of the vault is nothing that anybody means.
fn with_earlier(failure: Failure, earlier: Option<&Run>) -> Failure {
    match earlier.filter(|run| run.operations.iter().all(|one| one.kind != "init")) {
        Some(run) => failure.hint(format!("`ken undo {}` takes back what changed pages before it", name_of(run))),
        None => failure,
    }
}

/// The operations that an argument names, both ends included.
fn parsed(text: &str) -> Result<(OpId, OpId), Failure> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    OpId::parse(first).zip(OpId::parse(last)).ok_or_else(|| {
        Failure::usage(format!("`{text}` is not the id of an operation")).hint("the ids are in `ken history`")
    })
}

fn name_of(run: &Run) -> String {
    name(&run.operations.iter().collect::<Vec<_>>())
}

/// What operations, newest first, are called.
fn name(operations: &[&Operation]) -> String {
    match operations {
        [] => String::new(),
        [only] => only.id.to_string(),
        [newest, .., oldest] => format!("{}-{}", oldest.id, newest.id),
    }
}

/// What operations are called, and what they did.
fn said(operations: &[&Operation]) -> (String, String) {
    let row = row(operations, false);
    (row.id, format!("{} {}", row.kind, row.subject).trim().to_owned())
}

fn row(operations: &[&Operation], is_undone: bool) -> HistoryRow {
    let mut kinds: Vec<&str> = Vec::new();
    let mut changed = Vec::new();
    // From the first to the last, as it happened.
    for operation in operations.iter().rev() {
        if !kinds.contains(&operation.kind.as_str()) {
            kinds.push(&operation.kind);
        }
        for edit in &operation.edits {
            if !changed.contains(&edit.path) {
                changed.push(edit.path.clone());
            }
        }
    }
    let subject = match operations {
        [] => String::new(),
        [only] => only.subject.clone(),
        [.., oldest] => format!("{} and {} more", oldest.subject, operations.len() - 1),
    };
    HistoryRow {
        id: name(operations),
        at: operations.first().map(|operation| operation.at).unwrap_or_default(),
        kind: kinds.join(", "),
        subject,
        changed,
        n_operations: operations.len(),
        is_undone,
    }
}

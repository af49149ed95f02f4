//! Operations as a person sees them: what one command did, and what of it is taken back.
//!
//! A command may need many plans, one for each day for example; their records name the first of them. What an
//! undo took back and a redo did again stands in their records too, so that all of this is a function of the
//! operation log: two undos are two steps back, and a redo goes forward until something else is done.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Layout;

use crate::history::{OpId, Operation};

/// What one command did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Its operations, newest first; at least one.
    pub operations: Vec<Operation>,
    /// Whether everything of it that can be taken back is taken back.
    pub is_undone: bool,
}

/// All runs, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runs {
    /// The runs.
    pub runs: Vec<Run>,
    /// Operations that are taken back.
    pub undone: BTreeSet<OpId>,
    /// The undo that a redo would take back, or what was done since the last one.
    pub redo: Redo,
}

/// What a redo would do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Redo {
    /// Nothing was taken back.
    #[default]
    Nothing,
    /// Something was, and then this was done.
    Cut(OpId),
    /// Take this undo back.
    Last(OpId),
}

impl Run {
    /// Returns its first operation's number, which names it.
    pub fn id(&self) -> OpId {
        self.operations.last().map_or_else(OpId::default, |operation| operation.run_id())
    }

    /// Returns the number of its newest operation.
    pub fn last(&self) -> OpId {
        self.operations.first().map_or_else(OpId::default, |operation| operation.id)
    }

    /// Returns whether it is itself an undo or a redo.
    pub fn is_step(&self) -> bool {
        self.operations.iter().all(Operation::is_step)
    }

    /// Returns the operations that can be taken back, newest first: all but those that added to what only grows.
    pub fn reversible(&self, layout: &Layout) -> Vec<&Operation> {
        self.operations.iter().filter(|operation| !operation.adds_to(layout)).collect()
    }
}

impl Operation {
    /// Returns the number that names its run.
    pub fn run_id(&self) -> OpId {
        self.run.unwrap_or(self.id)
    }

    /// Returns whether it took another operation back, or did it again.
    pub fn is_step(&self) -> bool {
        !self.undoes.is_empty() || !self.redoes.is_empty()
    }

    /// Returns whether it added to a file that only grows.
    pub fn adds_to(&self, layout: &Layout) -> bool {
        self.edits.iter().any(|edit| edit.append && layout.only_grows(&edit.path))
    }
}

impl Runs {
    /// Returns the runs of operations that are given newest first.
    pub fn of(operations: Vec<Operation>, layout: &Layout) -> Runs {
        let mut runs = Runs::default();
        let mut steps: Vec<&Operation> = Vec::new();
        for operation in operations.iter().rev() {
            runs.undone.extend(&operation.undoes);
            runs.undone.retain(|id| !operation.redoes.contains(id));
            let is_in_journal = !operation.edits.is_empty()
                && operation.edits.iter().all(|edit| edit.append)
                && operation.adds_to(layout);
            if !operation.undoes.is_empty() {
                steps.push(operation);
            } else if !operation.redoes.is_empty() {
                steps.retain(|step| step.undoes != operation.redoes);
            } else if !is_in_journal {
                // What was noted or captured changes no page, and stands in no redo's way.
                runs.redo = if steps.is_empty() { runs.redo } else { Redo::Cut(operation.id) };
                steps.clear();
            }
        }
        if let Some(step) = steps.last() {
            runs.redo = Redo::Last(step.id);
        }
        let mut by_run: BTreeMap<OpId, usize> = BTreeMap::new();
        for operation in operations {
            let at = *by_run.entry(operation.run_id()).or_insert(runs.runs.len());
            match runs.runs.get_mut(at) {
                Some(run) => run.operations.push(operation),
                None => runs.runs.push(Run { operations: vec![operation], is_undone: false }),
            }
        }
        for run in &mut runs.runs {
            let reversible = run.reversible(layout);
            let is_undone =
                !reversible.is_empty() && reversible.iter().all(|operation| runs.undone.contains(&operation.id));
            run.is_undone = is_undone;
        }
        runs
    }

    /// Returns the run that an undo takes back: the newest that is neither undone nor an undo.
    pub fn next_undo(&self) -> Option<&Run> {
        self.runs.iter().find(|run| !run.is_undone && !run.is_step())
    }

    /// Returns the newest run that can be taken back and is not.
    pub fn next_reversible(&self, layout: &Layout) -> Option<&Run> {
        self.runs.iter().find(|run| !run.is_undone && !run.is_step() && !run.reversible(layout).is_empty())
    }
}

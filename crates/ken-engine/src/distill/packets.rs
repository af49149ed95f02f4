//! Sessions in work packets: those of a day at once, as a model is asked about them.
//!
//! The journal only grows, so a session that was answered waits to be written until what is doubted of it was asked about.

use std::collections::BTreeSet;

use ken_compile::portion::Portion;

use super::extracted::by_day;
use super::{DistillOutcome, Thin, ToRead, portion_of};
use crate::capture::is_at_hand;
use crate::compile::slice::Slice;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::kinds::Kind;
use crate::propose::pack::packs;
use crate::propose::run::Author;
use crate::propose::task::Task;

/// Sets what is shown of the wiki beside what tasks that share a call read.
pub(super) fn show_beside(tasks: &mut [Task], slice: &Slice) {
    let portions: Vec<Portion> = tasks.iter().filter_map(portion_of).collect();
    let (known, shown) = slice.beside_all(&portions.iter().collect::<Vec<_>>());
    for task in tasks {
        (task.context, task.known, task.shown) = (slice.context.clone(), known.clone(), shown.clone());
    }
}

impl Engine {
    /// The open tasks about sessions of the first day that has free ones and whose transcripts are at hand, as many as share
    /// a call, and how many are open besides, at least.
    pub(crate) fn next_sessions(&self, is_free: &dyn Fn(&Task) -> bool) -> Result<Option<(Vec<Task>, usize)>, Failure> {
        let (known, replies) = (self.known(), self.replies()?);
        let mut entries = self.extracted(None)?.0;
        entries.retain(|entry| known.session(entry.session()).is_some_and(is_at_hand));
        let (mut n_open, mut n_behind) = (0, entries.len());
        for day in by_day(entries) {
            n_behind -= day.len();
            let day = self.to_read(day, &known, &mut DistillOutcome::default());
            let open: Vec<&Task> = day.iter().flat_map(|one| self.to_ask(&one.entry, &one.tasks, &replies)).collect();
            n_open += open.len();
            let free = open.into_iter().filter(|task| is_free(task)).cloned().collect();
            if let Some(mut pack) = packs(free).into_iter().next() {
                let portions: Vec<Portion> = pack.iter().filter_map(portion_of).collect();
                show_beside(&mut pack, &self.slice(&portions)?);
                let n_left = n_open + n_behind - pack.len();
                return Ok(Some((pack, n_left)));
            }
        }
        Ok(None)
    }

    /// Returns the sessions of these names of which every part was answered and that were not written down.
    pub(crate) fn answered_sessions(&self, names: &BTreeSet<String>) -> Result<Vec<ToRead>, Failure> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let (known, replies) = (self.known(), self.replies()?);
        let mut entries = self.extracted(None)?.0;
        entries.retain(|entry| names.contains(entry.session()));
        let mut read = self.to_read(entries, &known, &mut DistillOutcome::default());
        let is_answered = |task: &Task| replies.has(Kind::Distill, &task.digest);
        read.retain(|one| !one.tasks.is_empty() && one.tasks.iter().all(is_answered));
        Ok(read)
    }

    /// Returns the tasks about what is doubted of sessions and that `model` was not asked about.
    pub(crate) fn doubts_of_sessions(
        &self,
        sessions: &[ToRead],
        (author, model): (&Author, &str),
    ) -> Result<Vec<Task>, Failure> {
        self.session_doubts(&sessions.iter().collect::<Vec<_>>(), (author, model))
    }

    /// Writes down sessions that were answered. Returns whether the journal has more than before.
    pub(crate) fn write_sessions(&self, answered: Vec<ToRead>) -> Result<bool, Failure> {
        let mut done = DistillOutcome::default();
        self.distill_days((vec![answered], Thin::Allowed), None, &mut done)?;
        Ok(!done.written.is_empty())
    }
}

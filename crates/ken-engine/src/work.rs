//! The worker: takes jobs out of the spool, captures, and compiles when it is time.
//!
//! One worker at a time works on a vault. A job is removed only after what it calls for stands in the
//! journal, so a worker may be killed at any moment: what it had done is known by the journal, and the
//! rest is still in the spool. It never waits for anything; who calls it decides when to call again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ken_agents::{Machine, Moment};
use ken_core::{Digest, Timestamp};
use ken_intake::transcript::Transcript;
use serde::{Deserialize, Serialize};

use crate::capture::CaptureOptions;
use crate::compile::CompileOptions;
use crate::consolidate::ConsolidateOptions;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::WorkOutcome;
use crate::prune::PruneOptions;
use crate::spool::{COMPACT_TURNS_MIN, Spooled};

/// What the worker keeps between runs; a cache.
const WORK: &str = "work.json";

/// Between two compiles at the end of a day: sessions often end in a row.
const COMPILE_PAUSE_MINUTES: i64 = 30;

/// Sessions that are remembered: more are never open at a time.
const SESSIONS_MAX: usize = 64;

/// What earlier runs did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Worked {
    /// When a worker last ran to its end.
    #[serde(default)]
    pub(crate) at: Option<Timestamp>,
    /// Entries added since the last compile.
    #[serde(default)]
    pub(crate) n_new_entries: usize,
    /// When a worker last compiled.
    #[serde(default)]
    pub(crate) compiled_at: Option<Timestamp>,
    /// Why the last compile failed, if it did.
    #[serde(default)]
    pub(crate) failure: Option<String>,
    /// Whether a worker began to capture and did not end: it was killed, and what it captured is not counted.
    #[serde(default)]
    pub(crate) is_capturing: bool,
    /// When a worker last added entries.
    #[serde(default)]
    pub(crate) added_at: Option<Timestamp>,
    /// Sessions that said something, each counted once between two runs in the background.
    #[serde(default)]
    pub(crate) n_sessions: u64,
    /// The newest of them, each with the count that it was given; by digests, so that no name of a session that is
    /// forgotten stays here.
    #[serde(default)]
    pub(crate) sessions: Vec<(String, u64)>,
}

impl Worked {
    /// Counts sessions that said something, unless they were counted since a run that had seen so many.
    fn count(&mut self, sessions: &BTreeSet<String>, n_seen: u64) {
        for session in sessions {
            let session = Digest::of(session.as_bytes()).short();
            let known = self.sessions.iter().position(|(known, _)| *known == session);
            if known.is_some_and(|n| self.sessions[n].1 > n_seen) {
                continue;
            }
            known.map(|n| self.sessions.remove(n));
            self.n_sessions += 1;
            self.sessions.push((session, self.n_sessions));
        }
        let excess = self.sessions.len().saturating_sub(SESSIONS_MAX);
        self.sessions.drain(..excess);
    }
}

impl Engine {
    /// Works through the jobs that are due; returns `None` when another worker is at it.
    ///
    /// # Errors
    /// When the spool cannot be read or written. A job that fails is put back and reported.
    pub fn work(&self, machine: &Machine) -> Result<Option<WorkOutcome>, Failure> {
        let mut outcome = WorkOutcome::default();
        let Some(guard) = self.store.lock_spool()? else { return Ok(None) };
        let (jobs, _) = self.jobs()?;
        let (due, later): (Vec<Spooled>, Vec<Spooled>) =
            jobs.into_iter().partition(|spooled| spooled.job.is_due(self.clock.now));
        // One capture serves every job of a transcript, those that were to wait included.
        let mut by_place: BTreeMap<(String, Option<PathBuf>), Vec<Spooled>> = BTreeMap::new();
        for spooled in due {
            let agent = if spooled.job.transcript.is_some() { String::new() } else { spooled.job.agent.clone() };
            by_place.entry((agent, spooled.job.transcript.clone())).or_default().push(spooled);
        }
        for spooled in later {
            match by_place.get_mut(&(String::new(), spooled.job.transcript.clone())) {
                Some(jobs) => jobs.push(spooled),
                None => outcome.note_due(&spooled),
            }
        }
        if !by_place.is_empty() {
            self.begin_capturing();
        }
        for jobs in by_place.into_values() {
            self.work_on(machine, jobs, &mut outcome)?;
        }
        if let Err(failure) = self.prune(PruneOptions { is_by_itself: true, ..PruneOptions::default() }) {
            self.leave_note(&format!("talk was not pruned: {}", failure.message));
        }
        self.compile_if_it_is_time(&mut outcome);
        self.consolidate_if_it_is_due(&mut outcome);
        drop(guard);
        Ok(Some(outcome))
    }

    /// Does what the jobs of one place call for, and removes them or puts them back.
    fn work_on(&self, machine: &Machine, jobs: Vec<Spooled>, outcome: &mut WorkOutcome) -> Result<(), Failure> {
        let first = &jobs[0].job;
        let only_compacts = jobs.iter().all(|spooled| spooled.job.moment() == Moment::Compact);
        let done = match &first.transcript {
            Some(path) => {
                let turns_min = if only_compacts { COMPACT_TURNS_MIN } else { 0 };
                let options = CaptureOptions { agent: None, turns_min };
                self.captures().capture_with(&Transcript::file(path), options).map(|done| {
                    outcome.heard(done.session, done.entries_added);
                    done.entries_added
                })
            }
            // A start is a reason to look at everything: another agent's hook may have been skipped.
            None if jobs.iter().any(|spooled| spooled.job.moment() == Moment::Start) => {
                self.sync_all(machine, None, outcome)
            }
            None => self.sync_all(machine, Some(&first.agent), outcome),
        };
        match done {
            Ok(n_entries) => {
                outcome.entries_added += n_entries;
                outcome.n_done += jobs.len();
                for spooled in &jobs {
                    self.store.remove_spooled(&spooled.name, &spooled.bytes)?;
                }
            }
            Err(failure) => {
                let why = std::iter::once(&failure.message).chain(&failure.chain).cloned().collect::<Vec<_>>();
                let why = why.join(": ");
                self.leave_note(&format!("a job of {} failed: {why}", first.agent));
                let (gone, kept): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|spooled| spooled.job.is_for_nothing());
                for spooled in &gone {
                    self.leave_note(&format!("a job of {} is given up: its transcript is gone", spooled.job.agent));
                    self.store.remove_spooled(&spooled.name, &spooled.bytes)?;
                }
                outcome.n_done += gone.len();
                if !kept.is_empty() {
                    outcome.failed.push(why.clone());
                }
                for mut spooled in kept {
                    spooled.job.postpone(&why, self.clock.now);
                    outcome.note_due(&spooled);
                    self.put_back(&spooled)?;
                }
            }
        }
        Ok(())
    }

    /// Captures what is new anywhere; what was captured counts, also when something else failed.
    fn sync_all(&self, machine: &Machine, agent: Option<&str>, outcome: &mut WorkOutcome) -> Result<usize, Failure> {
        let mut done = self.sync(machine, agent)?;
        // They are looked at with every start, and `ken sync` names them all.
        if let Some((place, why)) = done.unreadable.first() {
            let all = done.unreadable.len();
            self.leave_note(&format!("transcripts that nobody can read: {all}, the first `{place}`: {why}"));
        }
        let n_entries = done.sessions.iter().map(|session| session.entries_added).sum();
        done.sessions.drain(..).for_each(|session| outcome.heard(Some(session.session), session.entries_added));
        match done.failed.pop() {
            Some((_, failure)) => {
                outcome.entries_added += n_entries;
                Err(failure)
            }
            None => Ok(n_entries),
        }
    }

    /// Notes that something may be captured from here on; what a worker that was killed captured counts as one
    /// session.
    fn begin_capturing(&self) {
        let mut worked = self.worked();
        if worked.is_capturing {
            worked.n_sessions += 1;
        }
        worked.is_capturing = true;
        self.keep_worked(&worked);
    }

    /// Compiles when enough is new, or at the end of the day; a failure shows in the status.
    fn compile_if_it_is_time(&self, outcome: &mut WorkOutcome) {
        let before = self.worked();
        let mut worked = Worked { at: Some(self.clock.now), is_capturing: false, ..before };
        worked.n_new_entries += outcome.entries_added;
        worked.count(&outcome.sessions, self.n_sessions_seen());
        if outcome.entries_added > 0 {
            worked.added_at = Some(self.clock.now);
        }
        if self.is_time_to_compile(&worked) {
            worked.compiled_at = Some(self.clock.now);
            match self.compile(CompileOptions::default()) {
                Ok(_) => {
                    outcome.has_compiled = true;
                    (worked.n_new_entries, worked.failure) = (0, None);
                }
                Err(failure) => {
                    self.leave_note(&format!("a compile failed: {}", failure.message));
                    outcome.failed.push(failure.message.clone());
                    worked.failure = Some(failure.message);
                }
            }
        }
        self.keep_worked(&worked);
    }

    /// Consolidates when that is due; a failure costs nothing but that, and the next worker tries again.
    fn consolidate_if_it_is_due(&self, outcome: &mut WorkOutcome) {
        if !self.consolidation().is_ok_and(|due| due.is_due) {
            return;
        }
        match self.consolidate(ConsolidateOptions::default()) {
            Ok(done) => outcome.has_consolidated = done.has_looked,
            Err(failure) => self.leave_note(&format!("a consolidation failed: {}", failure.message)),
        }
    }

    fn keep_worked(&self, worked: &Worked) {
        if let Ok(bytes) = serde_json::to_vec(worked) {
            let _ = self.store.write_cache(WORK, bytes);
        }
    }

    /// Whether enough entries are new, the working day is over, or an earlier day was left behind.
    fn is_time_to_compile(&self, worked: &Worked) -> bool {
        let after = self.config.compile_after_entries;
        if after > 0 && worked.n_new_entries >= after {
            return true;
        }
        let pause = jiff::SignedDuration::from_mins(COMPILE_PAUSE_MINUTES);
        let is_resting = worked.compiled_at.is_some_and(|at| {
            let since = self.clock.now.duration_since(at);
            since < pause && since > -pause
        });
        let hour = usize::try_from(self.clock.now.to_zoned(self.clock.zone.clone()).hour()).unwrap_or(0);
        if is_resting || self.config.compile_from_hour >= 24 {
            return false;
        }
        let Ok(pending) = self.pending_days() else { return false };
        let today = self.clock.today();
        pending.iter().any(|day| *day < today) || hour >= self.config.compile_from_hour && !pending.is_empty()
    }

    /// Returns what earlier runs noted.
    pub(crate) fn worked(&self) -> Worked {
        self.store.read_cache(WORK).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }
}

impl WorkOutcome {
    fn heard(&mut self, session: Option<String>, n_entries: usize) {
        if n_entries > 0 {
            self.sessions.extend(session);
        }
    }

    fn note_due(&mut self, spooled: &Spooled) {
        self.n_left += 1;
        let due = spooled.job.not_before;
        self.next_due = match (self.next_due, due) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_counts_once_between_two_runs() {
        let mut worked = Worked::default();
        let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
        worked.count(&of(&["a", "b"]), 0);
        worked.count(&of(&["a"]), 0);
        assert_eq!(worked.n_sessions, 2);
        worked.count(&of(&["a", "c"]), 2);
        worked.count(&of(&["a"]), 2);
        assert_eq!(worked.n_sessions, 4);
        worked.count(&(0..99).map(|n| n.to_string()).collect(), 4);
        assert_eq!((worked.n_sessions, worked.sessions.len()), (103, SESSIONS_MAX));
    }
}

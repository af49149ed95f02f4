//! Whether a vault can do its part: written to, nothing stuck, nothing half done, its record whole.

use std::time::Duration;

use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::outcome::{HealthCheck, SpoolStatus};
use crate::spool::NOTES;

/// Jobs that are due and older than this were not taken by anybody.
const OVERDUE_SECONDS: i64 = 120;
/// How long to wait for the lock before it counts as held.
const LOCK_WAIT: Duration = Duration::from_millis(500);
/// Notes of hooks and workers that are shown.
const NOTES_MAX: usize = 3;
/// Notes are of interest for so long.
const NOTES_DAYS: i64 = 7;

impl Engine {
    /// Looks at the vault and says what repairs what is wrong; changes nothing but what was interrupted.
    ///
    /// # Errors
    /// When the spool or the record of operations cannot be read.
    pub fn health(&self) -> Result<Vec<HealthCheck>, Failure> {
        let spool = self.spool_status()?;
        let mut checks = vec![self.lock_check(), self.accepted_check(), self.spool_check(&spool)];
        checks.extend(self.worker_check(&spool));
        checks.push(self.record_check()?);
        checks.extend(self.notes_check());
        Ok(checks)
    }

    fn lock_check(&self) -> HealthCheck {
        match self.waiting(LOCK_WAIT).lock("doctor") {
            Ok(_) => good("vault", format!("{} can be written to", self.root().display())),
            Err(failure) if failure.kind == FailureKind::Retry => {
                bad("vault", failure.message, "wait; a process that does not end can be stopped, nothing is lost by it")
            }
            Err(failure) if matches!(self.store.left(), Ok(Some(_))) => {
                bad("vault", failure.message, "`ken recover` shows it, and accepts or discards it")
            }
            Err(failure) => bad("vault", failure.message, "make the folder writable for the user who runs the agents"),
        }
    }

    fn accepted_check(&self) -> HealthCheck {
        match self.is_accepted() {
            true => good("trust", "this user made or accepted the vault".to_owned()),
            false if !self.store.keys().is_there() => {
                let place = self.store.keys().folder().map(|folder| folder.display().to_string()).unwrap_or_default();
                bad("trust", format!("there is no key, and none can be made in `{place}`"), "make that folder writable")
            }
            false => {
                let detail = "this user neither made nor accepted the vault: nothing of it goes into a session's start";
                bad("trust", detail.to_owned(), "look at the vault, then `ken trust`")
            }
        }
    }

    fn spool_check(&self, spool: &SpoolStatus) -> HealthCheck {
        let overdue = spool.n_due > 0
            && spool.oldest.is_some_and(|at| self.clock.now.duration_since(at).as_secs() > OVERDUE_SECONDS);
        if let Some((why, attempts)) = spool.stuck.first() {
            let fix = "repair the cause, then `ken work`; the transcript itself is not touched";
            return bad("spool", format!("a job failed {attempts} times: {why}"), fix);
        }
        if overdue {
            return bad("spool", format!("{} due and nobody takes them", jobs(spool.n_due)), "`ken work`");
        }
        if let Some(name) = spool.strange.first() {
            let fix = "`ken recover` shows it, and accepts or discards it";
            return bad("spool", format!("`{name}` is not known to be a job of this user's"), fix);
        }
        good("spool", if spool.n_jobs == 0 { "empty".to_owned() } else { format!("{} for later", jobs(spool.n_jobs)) })
    }

    fn worker_check(&self, spool: &SpoolStatus) -> Option<HealthCheck> {
        if let Some(why) = &spool.compile_failure {
            return Some(bad("worker", format!("its last compile failed: {why}"), "`ken compile`"));
        }
        spool.worked_at.map(|at| good("worker", format!("last at work {at:.0}")))
    }

    fn record_check(&self) -> Result<HealthCheck, Failure> {
        let damaged = self.store.verify_history()?.damaged;
        Ok(match damaged.first() {
            Some(first) => bad(
                "record of operations",
                format!("{} at {}:{}", first.why, first.path, first.line),
                "`ken history` lists the damage; pages and journal are not affected",
            ),
            None => good("record of operations", "whole".to_owned()),
        })
    }

    /// What hooks and workers noted lately: nothing that needs repair, but a reason when something is missing.
    fn notes_check(&self) -> Option<HealthCheck> {
        let notes = self.store.notes(NOTES)?;
        let notes = String::from_utf8_lossy(&notes).into_owned();
        let is_recent = |line: &&str| {
            let at = line.split(' ').next().and_then(|at| at.parse::<ken_core::Timestamp>().ok());
            at.is_some_and(|at| self.clock.now.duration_since(at).as_hours() < NOTES_DAYS * 24)
        };
        let recent: Vec<&str> = notes.lines().filter(is_recent).collect();
        let newest = recent.iter().rev().take(NOTES_MAX).rev().copied().collect::<Vec<_>>().join("\n");
        let n_notes = recent.len();
        (n_notes > 0).then(|| good("notes of hooks", format!("{n_notes} in {NOTES_DAYS} days, the newest:\n{newest}")))
    }
}

fn jobs(n_jobs: usize) -> String {
    format!("{n_jobs} {}", if n_jobs == 1 { "job is" } else { "jobs are" })
}

fn good(name: &'static str, detail: String) -> HealthCheck {
    HealthCheck { name, detail, fix: None }
}

fn bad(name: &'static str, detail: String, fix: impl Into<String>) -> HealthCheck {
    HealthCheck { name, detail, fix: Some(fix.into()) }
}

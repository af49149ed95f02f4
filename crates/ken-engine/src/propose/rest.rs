//! What is not asked again for a while in the background, remembered over runs.
//!
//! A task that a model failed at rests for growing pauses, so that it neither costs again with every session nor
//! keeps the others from being asked. A failure that all tasks would share (no login, an empty account, nobody
//! there) makes all of them rest until it may be over. Somebody who types a command waits for no pause.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use ken_core::Timestamp;
use ken_core::text::{cut, one_line};
use ken_intake::scrub::scrub;
use ken_model::{ErrorKind, ModelError};
use serde::{Deserialize, Serialize};

use super::kinds::Kind;
use crate::engine::Engine;

/// Its file; a cache: without it everything is asked once more.
const RESTING: &str = "resting.json";

/// Pauses of a task after each failure, minutes: what a model makes nothing of today, a newer one may next week.
const TASK_MINUTES: [i64; 4] = [60, 6 * 60, 24 * 60, 7 * 24 * 60];
/// Pauses of all after each failure in a row, minutes: nobody there may be over soon.
const AWAY_MINUTES: [i64; 4] = [5, 30, 2 * 60, 6 * 60];
/// The same for an account that has no more for now.
const QUOTA_MINUTES: [i64; 3] = [30, 60, 3 * 60];
/// The same for what a person has to see to.
const PERSON_MINUTES: [i64; 3] = [60, 6 * 60, 24 * 60];
/// Longest text of a failure that is kept.
const WHY_CHARS_MAX: usize = 200;
/// Most tasks that rest; beyond it the one that is asked again first goes.
const TASKS_MAX: usize = 2_000;

/// Why something rests, and how long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// How often it failed in a row.
    pub(crate) attempts: u32,
    /// Not to be asked before.
    pub until: Timestamp,
    /// A word of ours that says why.
    pub word: String,
    /// The failure's own words.
    pub why: String,
}

/// What rests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Resting {
    /// Tasks, by kind and digest.
    #[serde(default)]
    tasks: BTreeMap<String, Pause>,
    /// All of them.
    #[serde(default)]
    all: Option<Pause>,
}

impl Pause {
    /// The next pause after one, if there was one.
    fn after(before: Option<&Pause>, minutes: &[i64], (word, why): (&str, &str), now: Timestamp) -> Pause {
        let attempts = before.map_or(0, |pause| pause.attempts);
        let pause = minutes[(attempts as usize).min(minutes.len() - 1)];
        let until = now.saturating_add(SignedDuration::from_mins(pause)).unwrap_or(now);
        let why = cut(&one_line(&scrub(why).0), WHY_CHARS_MAX);
        Pause { attempts: attempts.saturating_add(1), until, word: word.to_owned(), why }
    }

    /// Whether it holds. A clock that was set back makes no pause longer than the longest.
    fn holds(&self, now: Timestamp) -> bool {
        let longest = SignedDuration::from_mins(31 * 24 * 60);
        self.until > now && self.until.duration_since(now) <= longest
    }
}

impl Resting {
    /// Returns whether a task rests.
    pub(crate) fn has(&self, kind: Kind, digest: &str, now: Timestamp) -> bool {
        self.tasks.get(&name(kind, digest)).is_some_and(|pause| pause.holds(now))
    }

    /// Returns why nothing is asked, if all rests.
    pub(crate) fn all(&self, now: Timestamp) -> Option<&Pause> {
        self.all.as_ref().filter(|pause| pause.holds(now))
    }

    /// Notes that a task was answered.
    pub(crate) fn answered(&mut self, kind: Kind, digest: &str) {
        self.tasks.remove(&name(kind, digest));
        self.all = None;
    }

    /// Notes that a model failed at a task, which others may be spared.
    pub(crate) fn failed(&mut self, kind: Kind, digest: &str, error: &ModelError, now: Timestamp) {
        let name = name(kind, digest);
        // A program that ends in failure may do so because of what it was asked, or because of the day.
        let minutes = if error.is_retryable() { &AWAY_MINUTES } else { &TASK_MINUTES };
        let pause = Pause::after(self.tasks.get(&name), minutes, ("refused", &error.message), now);
        self.tasks.insert(name, pause);
        while self.tasks.len() > TASKS_MAX {
            let first = self.tasks.iter().min_by_key(|(_, pause)| pause.until).map(|(name, _)| name.clone());
            first.map(|name| self.tasks.remove(&name));
        }
    }

    /// Notes a failure that all would share.
    pub(crate) fn failed_all(&mut self, error: &ModelError, now: Timestamp) {
        let (minutes, word, after) = match error.kind {
            ErrorKind::RateLimited { retry_after } => (&QUOTA_MINUTES[..], "quota", retry_after),
            ErrorKind::Refused => (&PERSON_MINUTES[..], "the account or its login is refused", None),
            ErrorKind::Missing => (&PERSON_MINUTES[..], "the program is not there", None),
            ErrorKind::Setup => (&PERSON_MINUTES[..], "it cannot be asked as it is set up", None),
            _ => (&AWAY_MINUTES[..], "no usable answer", None),
        };
        let mut pause = Pause::after(self.all.as_ref(), minutes, (word, &error.message), now);
        let after = after.and_then(|after| SignedDuration::try_from(after).ok());
        if let Some(until) = after.and_then(|after| now.checked_add(after).ok()) {
            pause.until = until;
        }
        self.all = Some(pause);
    }

    /// Returns whether a task has rested long enough.
    pub(crate) fn has_rested(&self, now: Timestamp) -> bool {
        self.tasks.values().any(|pause| !pause.holds(now))
    }

    /// Forgets tasks that have rested long enough and were not met again: what they were about is gone.
    pub(crate) fn forget_rested(&mut self, now: Timestamp) {
        self.tasks.retain(|_, pause| pause.holds(now));
    }

    /// Returns the same without a wait that is no failure.
    pub(crate) fn without_wait(mut self) -> Resting {
        self.all = self.all.filter(|pause| pause.attempts > 0);
        self
    }

    /// Notes that nothing is asked until a moment, for a reason that is no failure.
    pub(crate) fn wait_until(&mut self, until: Timestamp, (word, why): (&str, &str)) {
        self.all = Some(Pause { attempts: 0, until, word: word.to_owned(), why: why.to_owned() });
    }
}

fn name(kind: Kind, digest: &str) -> String {
    format!("{} {digest}", kind.as_str())
}

impl Engine {
    /// Returns what rests.
    pub(crate) fn resting(&self) -> Resting {
        self.store.read_cache(RESTING).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Keeps what rests; a run that cannot keep it asks once more than it had to.
    pub(crate) fn keep_resting(&self, resting: &Resting) {
        if let Ok(bytes) = serde_json::to_vec(resting) {
            let _ = self.store.write_cache(RESTING, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn now() -> Timestamp {
        "2026-06-01T12:00:00Z".parse().expect("a time")
    }

    fn later(minutes: i64) -> Timestamp {
        now().checked_add(SignedDuration::from_mins(minutes)).expect("a time")
    }

    fn error(kind: ErrorKind) -> ModelError {
        ModelError::new(kind, "x")
    }

    #[test]
    fn a_task_rests_for_growing_pauses_and_keeps_no_other_waiting() {
        let mut resting = Resting::default();
        for (n, minutes) in [60, 360, 1_440, 10_080, 10_080].into_iter().enumerate() {
            resting.failed(Kind::Distill, "a", &error(ErrorKind::Unusable), now());
            let has = |minutes| resting.has(Kind::Distill, "a", later(minutes));
            assert!(has(minutes - 1) && !has(minutes), "failure {n}");
        }
        assert!(resting.has_rested(later(10_080)) && !resting.has_rested(later(10_079)));
        assert!(!resting.has(Kind::Distill, "b", now()) && !resting.has(Kind::Compile, "a", now()));
        assert!(!resting.has(Kind::Distill, "a", later(-60 * 24 * 60)), "the clock was set back");
        resting.answered(Kind::Distill, "a");
        assert_eq!(resting, Resting::default());
        resting.failed(Kind::Distill, "a", &error(ErrorKind::Unreachable), now());
        assert!(resting.has(Kind::Distill, "a", later(4)) && !resting.has(Kind::Distill, "a", later(5)));
    }

    #[test]
    fn what_all_share_pauses_all_until_it_may_be_over() {
        let mut resting = Resting::default();
        let until = |resting: &Resting| resting.all(now()).map(|pause| pause.until);
        resting.failed_all(&error(ErrorKind::Unreachable), now());
        assert_eq!(until(&resting), Some(later(5)));
        resting.failed_all(&error(ErrorKind::Unreachable), now());
        assert_eq!(until(&resting), Some(later(30)));
        resting.answered(Kind::Distill, "a");
        assert_eq!(until(&resting), None);
        let retry_after = Some(Duration::from_secs(7_200));
        resting.failed_all(&error(ErrorKind::RateLimited { retry_after }), now());
        assert_eq!(until(&resting), Some(later(120)), "as the provider says");
        assert_eq!(resting.all(now()).map(|pause| pause.word.as_str()), Some("quota"));
        assert_eq!(resting.all(later(121)), None);
    }
}

//! Asks a model while nobody waits: when it is time, what is asked, and what is said of it afterwards.
//!
//! Which model, when and for how much is handed in, from the user's own file; nothing of a vault decides it. A run
//! goes on where the last one was killed, because what was replied is recorded and not asked again. What was done
//! is told by the status and by the next brief, in one line.

use jiff::SignedDuration;
use ken_core::Timestamp;
use ken_core::text::cut;
use ken_model::{Background, Money, TimeOfDay};
use serde::{Deserialize, Serialize};

use crate::compile::CompileOptions;
use crate::distill::mark_of;
use crate::engine::{Clock, Engine};
use crate::failure::Failure;
use crate::outcome::BackgroundStatus;
use crate::propose::rest::Resting;
use crate::propose::{AskedOutcome, Author};
use crate::spending::{Cap, Metered, SpendingCaps};

/// What is noted of runs; a cache.
const BACKGROUND: &str = "background.json";
/// The right to ask for this vault in the background.
const TURN: &str = "background";
/// For how long a brief tells of a run.
const TOLD_HOURS: i64 = 24;

/// What is noted of runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Noted {
    /// When the last run ended.
    #[serde(default)]
    at: Option<Timestamp>,
    /// Whether one began and did not end: it is at work, or was killed.
    #[serde(default)]
    is_running: bool,
    /// Sessions that had said something when it began, as the worker counts them.
    #[serde(default)]
    n_seen: u64,
    /// The model that was asked.
    #[serde(default)]
    model: String,
    /// What the user's file allowed for a day and a month.
    #[serde(default)]
    caps: (u64, u64),
    /// What runs of the day on which the last one ended did.
    #[serde(default)]
    of_day: OfDay,
    /// Tasks that it left.
    #[serde(default)]
    n_left: usize,
    /// Those of them that it did not come to.
    #[serde(default)]
    n_unreached: usize,
    /// Why it ended before its end.
    #[serde(default)]
    stopped: Option<String>,
    /// Why nobody could be asked at all since then.
    #[serde(default)]
    not_asked: Option<String>,
}

/// What runs of a day did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct OfDay {
    n_sessions: usize,
    n_answered: usize,
    micro_usd: u64,
}

/// What a run did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BackgroundOutcome {
    /// Sessions that were read.
    pub n_sessions: usize,
    /// Tasks that were answered.
    pub n_answered: usize,
    /// What it cost.
    pub money: Money,
    /// Tasks that are left: not reached, failed, or resting.
    pub n_left: usize,
    /// Those of them that were not reached.
    pub n_unreached: usize,
    /// Tasks that are under way in batches.
    pub n_under_way: usize,
    /// Why it ended before its end.
    pub stopped: Option<String>,
}

/// Whether a model is asked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// It is time.
    Now,
    /// It is not time yet, or nothing is new.
    NotYet,
    /// The vault is not one that this user made or accepted.
    NotOurs,
}

impl Engine {
    /// Returns whether the user's file says that a model is to be asked now.
    pub fn is_time_to_ask(&self, background: &Background) -> When {
        if !self.is_accepted() {
            return When::NotOurs;
        }
        let (noted, worked) = (self.noted(), self.worked());
        let is_other_model = noted.model != background.model.to_string();
        let resting = self.resting_for(&noted, &background.model.to_string(), SpendingCaps::of(background));
        if resting.all(self.clock.now).is_some() {
            return When::NotYet;
        }
        // A count that was lost with its cache begins anew.
        let n_new = worked.n_sessions.checked_sub(noted.n_seen).unwrap_or(worked.n_sessions);
        let goes_on = noted.is_running || noted.n_unreached > 0 || resting.has_rested(self.clock.now);
        let is_first = noted.at.is_none() || is_other_model;
        let by_count = background.after_sessions.is_some_and(|after| n_new >= after || goes_on);
        let by_clock = background.at.is_some_and(|at| {
            let last = last_time(at, &self.clock);
            (n_new > 0 || goes_on || is_first) && noted.at.is_none_or(|ran| last.is_some_and(|last| ran < last))
        });
        let by_rest = background.when_idle_minutes.is_some_and(|minutes| {
            let pause = SignedDuration::from_mins(i64::try_from(minutes).unwrap_or(i64::MAX / 60));
            let is_quiet = worked.added_at.is_none_or(|at| self.clock.now.duration_since(at).abs() >= pause);
            is_quiet && (n_new > 0 || goes_on)
        });
        // A batch may have ended, whatever the times are for what is new.
        let collects = self.has_batch_of(&background.model.to_string());
        if collects || by_count || by_clock || by_rest { When::Now } else { When::NotYet }
    }

    /// Asks the model about what nobody read yet, and compiles what came of it; `None` when another process asks
    /// for this vault in the background. Who `is_asked_for` waits for no pause.
    ///
    /// # Errors
    /// When the vault cannot be read or written, or somebody is asking a model for it.
    pub fn ask_in_background(
        &self,
        author: &Author,
        metered: &Metered,
        caps: SpendingCaps,
        is_asked_for: bool,
    ) -> Result<Option<BackgroundOutcome>, Failure> {
        let Some(_turn) = self.store.lock_cache(TURN) else { return Ok(None) };
        let model = author.model.as_deref().map_or_else(String::new, |model| model.name().to_owned());
        let before = self.noted();
        let resting = if is_asked_for { Resting::default() } else { self.resting_for(&before, &model, caps) };
        self.keep_resting(&resting);
        let n_seen = self.worked().n_sessions;
        let began = Noted { is_running: true, ..before.clone() };
        self.note(&began);
        let asked = self.while_nobody_waits().read_and_compile(author);
        let mut outcome = match asked {
            Ok(outcome) => outcome,
            Err(failure) => {
                // What was not asked is asked the next time.
                self.note(&Noted { is_running: true, stopped: Some(failure.message.clone()), ..before });
                return Err(failure);
            }
        };
        outcome.money = metered.spent();
        if outcome.stopped.is_none() {
            let mut resting = self.resting();
            resting.forget_rested(self.clock.now);
            self.keep_resting(&resting);
        }
        if let Some(cap) = metered.met_cap() {
            self.wait_for(cap, outcome.stopped.as_deref().unwrap_or_default());
        }
        let is_same_day = |at: Timestamp| at.to_zoned(self.clock.zone.clone()).date() == self.clock.today();
        let mut of_day = if before.at.is_some_and(is_same_day) { before.of_day } else { OfDay::default() };
        of_day.n_sessions += outcome.n_sessions;
        of_day.n_answered += outcome.n_answered;
        of_day.micro_usd = of_day.micro_usd.saturating_add(outcome.money.0);
        self.note(&Noted {
            at: Some(self.clock.now),
            is_running: false,
            n_seen,
            model,
            caps: (caps.day.0, caps.month.0),
            of_day,
            n_left: outcome.n_left,
            n_unreached: outcome.n_unreached,
            stopped: outcome.stopped.clone(),
            not_asked: None,
        });
        Ok(Some(outcome))
    }

    /// Notes why a model that the user's file names could not be asked at all; or that nothing is wrong with it.
    pub fn note_not_asked(&self, why: Option<&str>) {
        let noted = self.noted();
        if noted.not_asked.as_deref() != why {
            if let Some(why) = why {
                self.leave_note(&format!("no model was asked in the background: {why}"));
            }
            self.note(&Noted { not_asked: why.map(str::to_owned), ..noted });
        }
    }

    /// Returns what was done while nobody waited; none when nothing was to be done.
    pub fn background_status(&self) -> Option<BackgroundStatus> {
        let noted = self.noted();
        if noted == Noted::default() {
            return None;
        }
        let pause = self.resting().all(self.clock.now).cloned();
        let mut status = BackgroundStatus {
            at: noted.at,
            is_asking: noted.is_running && self.store.lock_cache(TURN).is_none(),
            model: cut(&mark_of(&noted.model), 60),
            n_sessions: noted.of_day.n_sessions,
            n_answered: noted.of_day.n_answered,
            money: Money(noted.of_day.micro_usd),
            n_left: noted.n_left,
            paused: pause.map(|pause| (pause.until, pause.word)),
            stopped: noted.not_asked.or(noted.stopped),
            line: String::new(),
        };
        status.line = line(&status, &self.clock);
        Some(status)
    }

    /// Returns what a brief says of the runs of the last day, if anything.
    pub(crate) fn background_row(&self) -> Option<String> {
        let status = self.background_status()?;
        let since = self.clock.now.duration_since(status.at?);
        let is_new = since.abs() <= SignedDuration::from_hours(TOLD_HOURS);
        let says_something = status.n_answered > 0 || status.paused.is_some();
        (is_new && says_something).then(|| format!("In the background: {}.", status.line))
    }

    /// Returns what a brief says of batches that are under way, if any is.
    pub(crate) fn batch_row(&self) -> Option<String> {
        let under_way = self.under_way()?;
        let (n, verb) = if under_way.n_tasks == 1 {
            ("1 task".to_owned(), "is")
        } else {
            (format!("{} tasks", under_way.n_tasks), "are")
        };
        let model = cut(&mark_of(&under_way.model), 60);
        Some(format!("{n} {verb} under way in a batch of {model}; what comes back is collected later."))
    }

    /// Returns as many sessions as the last run in the background had seen.
    pub(crate) fn n_sessions_seen(&self) -> u64 {
        self.noted().n_seen
    }

    /// The one place that says what is asked: sessions first, then pages.
    fn read_and_compile(&self, author: &Author) -> Result<BackgroundOutcome, Failure> {
        let (_, asked) = self.compile_with(CompileOptions::default(), author)?;
        let mut outcome = BackgroundOutcome { n_sessions: asked.n_sessions, ..BackgroundOutcome::default() };
        outcome.take(&asked);
        Ok(outcome)
    }

    /// What rests for this model and these caps: another one is asked at once, and so is one that may cost more.
    fn resting_for(&self, noted: &Noted, model: &str, caps: SpendingCaps) -> Resting {
        let resting = self.resting();
        match () {
            () if noted.at.is_some() && noted.model != model => Resting::default(),
            () if noted.caps != (caps.day.0, caps.month.0) => resting.without_wait(),
            () => resting,
        }
    }

    /// Notes that nothing is asked until a cap allows it again.
    fn wait_for(&self, cap: Cap, why: &str) {
        let today = self.clock.now.to_zoned(self.clock.zone.clone());
        let (day, word) = match cap {
            Cap::Day => (today.tomorrow(), "the limit of a day"),
            Cap::Month => (today.last_of_month().and_then(|last| last.tomorrow()), "the limit of a month"),
        };
        let Ok(until) = day.and_then(|day| day.start_of_day()) else { return };
        let mut resting = self.resting();
        resting.wait_until(until.timestamp(), (word, why));
        self.keep_resting(&resting);
    }

    fn noted(&self) -> Noted {
        self.store.read_cache(BACKGROUND).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    fn note(&self, noted: &Noted) {
        if let Ok(bytes) = serde_json::to_vec(noted) {
            let _ = self.store.write_cache(BACKGROUND, bytes);
        }
    }
}

impl BackgroundOutcome {
    fn take(&mut self, asked: &AskedOutcome) {
        self.n_under_way = asked.batch.n_under_way;
        self.n_answered += asked.n_answered;
        // What failed because nobody could be asked was not come to either.
        self.n_unreached += asked.n_left + if asked.stopped.is_some() { asked.failed.len() } else { 0 };
        self.n_left += asked.n_left + asked.failed.len() + asked.n_resting;
        self.stopped = self.stopped.take().or(asked.stopped.as_ref().map(|failure| failure.message.clone()));
    }
}

/// When it last was this time of day.
fn last_time(at: TimeOfDay, clock: &Clock) -> Option<Timestamp> {
    let now = clock.now.to_zoned(clock.zone.clone());
    let on = |day: jiff::civil::Date| {
        let time = jiff::civil::time(i8::try_from(at.hour).ok()?, i8::try_from(at.minute).ok()?, 0, 0);
        day.to_datetime(time).to_zoned(clock.zone.clone()).ok().map(|moment| moment.timestamp())
    };
    let today = on(now.date())?;
    if today <= clock.now { Some(today) } else { on(now.date().yesterday().ok()?) }
}

/// What was done, in one line.
fn line(status: &BackgroundStatus, clock: &Clock) -> String {
    let plural = |n: usize, one: &str, many: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {many}") };
    let done = match (status.n_sessions, status.n_answered) {
        (0, 0) => format!("nothing read by {}", status.model),
        (0, n) => format!("{} of {}", plural(n, "reply", "replies"), status.model),
        (n, _) => format!("{} read by {}", plural(n, "session", "sessions"), status.model),
    };
    let mut parts = vec![format!("{done}, {}", cents(status.money))];
    if status.n_left > 0 {
        parts.push(format!("{} left", status.n_left));
    }
    if let Some((until, word)) = &status.paused {
        let moment = until.to_zoned(clock.zone.clone());
        let form = if moment.date() == clock.today() { "%H:%M" } else { "%Y-%m-%d %H:%M" };
        parts.push(format!("paused until {}: {word}", moment.strftime(form)));
    }
    parts.join("; ")
}

/// An amount in whole cents, rounded up: what was spent is never shown as nothing.
fn cents(money: Money) -> String {
    let cents = money.0.div_ceil(10_000);
    format!("${}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(now: &str) -> Clock {
        Clock { now: now.parse().expect("a time"), zone: jiff::tz::TimeZone::fixed(jiff::tz::offset(2)) }
    }

    #[test]
    fn a_time_of_day_is_that_of_the_users_clock() {
        let last = |hour, now: &str| last_time(TimeOfDay { hour, minute: 30 }, &clock(now)).map(|at| at.to_string());
        assert_eq!(last(22, "2026-06-01T20:30:00Z").as_deref(), Some("2026-06-01T20:30:00Z"));
        assert_eq!(last(22, "2026-06-01T20:29:00Z").as_deref(), Some("2026-05-31T20:30:00Z"));
        assert_eq!(last(0, "2026-06-01T22:00:00Z").as_deref(), Some("2026-05-31T22:30:00Z"));
    }

    #[test]
    fn one_line_says_what_was_done() {
        let clock = clock("2026-06-01T10:00:00Z");
        let mut status = BackgroundStatus {
            at: Some(clock.now),
            is_asking: false,
            model: "claude".to_owned(),
            n_sessions: 3,
            n_answered: 5,
            money: Money(31_000),
            n_left: 2,
            paused: Some(("2026-06-01T12:00:00Z".parse().expect("a time"), "quota".to_owned())),
            stopped: None,
            line: String::new(),
        };
        assert_eq!(line(&status, &clock), "3 sessions read by claude, $0.04; 2 left; paused until 14:00: quota");
        (status.n_sessions, status.n_answered, status.n_left) = (0, 1, 0);
        status.paused = Some(("2026-06-01T22:00:00Z".parse().expect("a time"), "the limit of a day".to_owned()));
        let expected = "1 reply of claude, $0.04; paused until 2026-06-02 00:00: the limit of a day";
        assert_eq!(line(&status, &clock), expected);
    }
}

//! What the user spent on models, over all vaults: a file of lines in the user's own folder.
//!
//! Every call is written down before it is made, with the most it can cost, and again when it came back, with
//! what it did cost. One that never came back counts with the most, so a process that is killed books at most the
//! call that was in flight. What may be spent in the background is kept here and not in a vault: a vault's own
//! count cannot know what others cost.

mod metered;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use jiff::tz::TimeZone;
use ken_core::Timestamp;
use ken_model::{Background, BookedPrompt, Money, Usage};
use ken_store::{UserFolder, UserGuard};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, FailureKind};
use crate::propose::Spent;
use crate::propose::costs::CallTokens;
use crate::propose::task::random_code;

pub use metered::{Metered, Payer};

/// How the files are called, a calendar month each.
const FILE: (&str, &str) = ("spending-", ".jsonl");
/// The right to add to them.
const LOCK: &str = "spending";
/// The right to ask in the background, over all vaults.
const TURN: &str = "background";
/// How long another process may take to add a line.
const LOCK_WAIT: Duration = Duration::from_secs(20);

/// What may be spent in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpendingCaps {
    /// In a day, on the user's clock.
    pub day: Money,
    /// In a calendar month, on the user's clock.
    pub month: Money,
}

impl SpendingCaps {
    /// Returns what the user's file says.
    pub fn of(background: &Background) -> SpendingCaps {
        SpendingCaps { day: background.day_usd_max, month: background.month_usd_max }
    }
}

/// Which cap would be passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    /// That of a day.
    Day,
    /// That of a month.
    Month,
}

/// The user's file of what was spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spending {
    folder: UserFolder,
    zone: TimeZone,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    /// When, as RFC 3339.
    at: Timestamp,
    /// What names the call.
    call: String,
    /// The vault that it was for.
    vault: String,
    model: String,
    /// Whether nobody waited for it.
    background: bool,
    /// `asked`, `sent` in a batch, `answered` or `failed`.
    state: String,
    #[serde(flatten)]
    tokens: CallTokens,
    /// Millionths of a dollar: what it cost, or can cost at most while it is only asked.
    micro_usd: u64,
}

/// A call that was written down and not yet settled.
struct Open {
    file: String,
    line: Line,
}

/// What was spent over all vaults: by month, vault, model, and whether in the background.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpendingOutcome {
    /// Rows.
    pub rows: BTreeMap<(String, String, String, bool), Spent>,
    /// Lines that do not read.
    pub n_damaged: usize,
}

impl SpendingOutcome {
    /// Returns what all of it comes to.
    pub fn total(&self) -> Spent {
        let mut total = Spent::default();
        self.rows.values().for_each(|spent| total.add(spent));
        total
    }
}

impl Spending {
    /// Returns the file in the user's folder, read on a clock in this zone.
    pub fn in_folder(folder: PathBuf, zone: TimeZone) -> Spending {
        Spending { folder: UserFolder::at(folder), zone }
    }

    /// Takes the right to ask in the background, over all vaults; `None` when another process still has it after
    /// so long.
    ///
    /// # Errors
    /// When the user's folder cannot be written to.
    pub fn turn(&self, wait: Duration) -> Result<Option<UserGuard>, Failure> {
        self.folder.lock(TURN, wait).map_err(|error| self.failed("write to", &error))
    }

    /// Returns what was spent, in one calendar month if it is named.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn rows(&self, month: Option<&str>) -> Result<SpendingOutcome, Failure> {
        let mut outcome = SpendingOutcome::default();
        for name in self.folder.names().map_err(|error| self.failed("read", &error))? {
            let of = name.strip_prefix(FILE.0).and_then(|rest| rest.strip_suffix(FILE.1));
            let Some(of) = of.filter(|of| month.is_none_or(|month| month == *of)) else { continue };
            let text = self.folder.text(&name).map_err(|error| self.failed("read", &error))?;
            let (lines, n_damaged) = read(&text);
            outcome.n_damaged += n_damaged;
            for (_, line) in lines {
                let key = (of.to_owned(), line.vault.clone(), line.model.clone(), line.background);
                outcome.rows.entry(key).or_default().add(&line.spent());
            }
        }
        Ok(outcome)
    }

    /// Returns what was spent in the background on the day and in the month of a moment, open calls with the most
    /// they can cost.
    fn background_until(&self, now: Timestamp) -> Result<(Money, Money), Failure> {
        let text = self.folder.text(&self.file_of(now)).map_err(|error| self.failed("read", &error))?;
        let today = now.to_zoned(self.zone.clone()).date();
        let (mut day, mut month) = (Money(0), Money(0));
        for (asked_at, line) in read(&text).0.into_iter().filter(|(_, line)| line.background) {
            let money = Money(line.micro_usd);
            month += money;
            if asked_at.to_zoned(self.zone.clone()).date() == today {
                day += money;
            }
        }
        Ok((day, month))
    }

    /// Returns the cap that a call could pass.
    fn cap_passed(&self, now: Timestamp, payer: &Payer, bound: Money) -> Result<Option<Cap>, Failure> {
        let Some(caps) = payer.caps else { return Ok(None) };
        let (day, month) = self.background_until(now)?;
        Ok(match () {
            () if day + bound > caps.day => Some(Cap::Day),
            () if month + bound > caps.month => Some(Cap::Month),
            () => None,
        })
    }

    /// Writes down that a call is made; `Err` with the cap that it could pass, and then it must not be made.
    fn reserve(
        &self,
        now: Timestamp,
        payer: &Payer,
        (model, bound): (&str, Money),
    ) -> Result<Result<Open, Cap>, Failure> {
        let _held = self.lock()?;
        if let Some(cap) = self.cap_passed(now, payer, bound)? {
            return Ok(Err(cap));
        }
        let line = Line {
            at: now,
            call: random_code(),
            vault: payer.vault.clone(),
            model: model.to_owned(),
            background: payer.caps.is_some(),
            state: "asked".to_owned(),
            tokens: CallTokens::default(),
            micro_usd: bound.0,
        };
        let file = self.file_of(now);
        self.add(&file, &line)?;
        Ok(Ok(Open { file, line }))
    }

    /// Writes down what a call cost.
    fn settle(
        &self,
        open: Open,
        now: Timestamp,
        (usage, is_answered): (&Usage, bool),
        money: Money,
    ) -> Result<(), Failure> {
        let _held = self.lock()?;
        let line = Line {
            at: now,
            state: if is_answered { "answered" } else { "failed" }.to_owned(),
            tokens: usage.into(),
            micro_usd: money.0,
            ..open.line
        };
        // In the file of the call, whatever month it is by now.
        self.add(&open.file, &line)
    }

    /// Writes down that calls go out in a batch, as many as pass no cap; returns how many, and the cap that the next one
    /// could pass.
    fn book(&self, now: Timestamp, payer: &Payer, prompts: &[BookedPrompt]) -> Result<(usize, Option<Cap>), Failure> {
        let _held = self.lock()?;
        let file = self.file_of(now);
        for (n, prompt) in prompts.iter().enumerate() {
            if let Some(cap) = self.cap_passed(now, payer, prompt.money)? {
                return Ok((n, Some(cap)));
            }
            let line = Line {
                at: now,
                call: prompt.name.clone(),
                vault: payer.vault.clone(),
                model: prompt.model.clone(),
                background: payer.caps.is_some(),
                state: "sent".to_owned(),
                tokens: CallTokens::default(),
                micro_usd: prompt.money.0,
            };
            self.add(&file, &line)?;
        }
        Ok((prompts.len(), None))
    }

    /// Writes down what a call of a batch cost, in the place of what it could cost; whoever sent it pays for it.
    fn settle_booked(
        &self,
        now: Timestamp,
        prompt: &BookedPrompt,
        (usage, is_answered): (&Usage, bool),
    ) -> Result<(), Failure> {
        let _held = self.lock()?;
        let file = self.file_of(prompt.sent_at);
        let text = self.folder.text(&file).map_err(|error| self.failed("read", &error))?;
        let Some((_, line)) = read(&text).0.into_iter().find(|(_, line)| line.call == prompt.name) else {
            return Ok(());
        };
        let state = if is_answered { "answered" } else { "failed" }.to_owned();
        self.add(&file, &Line { at: now, state, tokens: usage.into(), micro_usd: prompt.money.0, ..line })
    }

    fn add(&self, file: &str, line: &Line) -> Result<(), Failure> {
        let text = serde_json::to_string(line).map_err(|error| Failure::refused(error.to_string()))?;
        self.folder.add_line(file, &text).map_err(|error| self.failed("write to", &error))
    }

    fn lock(&self) -> Result<UserGuard, Failure> {
        let held = self.folder.lock(LOCK, LOCK_WAIT).map_err(|error| self.failed("write to", &error))?;
        held.ok_or_else(|| Failure::new(FailureKind::Retry, "another `ken` is writing down what a model cost"))
    }

    fn file_of(&self, at: Timestamp) -> String {
        format!("{}{}{}", FILE.0, at.to_zoned(self.zone.clone()).strftime("%Y-%m"), FILE.1)
    }

    fn failed(&self, action: &str, error: &io::Error) -> Failure {
        Failure::io(action, &self.folder.path().display().to_string(), error)
            .hint("what models cost is written down there, so none was asked")
    }
}

impl Line {
    fn spent(&self) -> Spent {
        let (is_lost, is_under_way) = (self.state == "asked", self.state == "sent");
        Spent {
            n_calls: u64::from(!is_lost && !is_under_way),
            n_failed: u64::from(self.state == "failed"),
            n_lost: u64::from(is_lost),
            n_under_way: u64::from(is_under_way),
            usage: self.tokens.into(),
            money: Money(self.micro_usd),
        }
    }
}

/// The last line of every call with the moment at which it was asked, and how many lines do not read.
fn read(text: &str) -> (Vec<(Timestamp, Line)>, usize) {
    let mut calls: BTreeMap<String, (Timestamp, Line)> = BTreeMap::new();
    let mut n_damaged = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str::<Line>(line) {
            Ok(line) => {
                let asked_at = calls.get(&line.call).map_or(line.at, |(at, _)| *at);
                calls.insert(line.call.clone(), (asked_at, line));
            }
            Err(_) => n_damaged += 1,
        }
    }
    (calls.into_values().collect(), n_damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn payer(vault: &str, day: u64, month: u64) -> Payer {
        let caps = Some(SpendingCaps { day: Money(day), month: Money(month) });
        Payer { vault: vault.to_owned(), caps, call_usd_max: Money(0) }
    }

    #[test]
    fn caps_hold_to_the_last_millionth_over_all_vaults() {
        let folder = tempfile::tempdir().expect("a folder");
        let spending = Spending::in_folder(folder.path().to_owned(), TimeZone::UTC);
        let now = at("2026-06-01T12:00:00Z");
        let reserve = |vault: &str, now, bound| spending.reserve(now, &payer(vault, 100, 150), ("m", Money(bound)));
        let usage = Usage::default();
        let first = reserve("a", now, 60).expect("written").expect("within");
        assert!(matches!(reserve("b", now, 41), Ok(Err(Cap::Day))), "an open call counts with the most");
        spending.settle(first, now, (&usage, true), Money(20)).expect("written");
        let lost = reserve("b", now, 80).expect("written").expect("within");
        drop(lost);
        assert!(matches!(reserve("a", now, 1), Ok(Err(Cap::Day))), "one that never came back too");
        let tomorrow = at("2026-06-02T00:00:00Z");
        let third = reserve("a", tomorrow, 50).expect("written").expect("within");
        spending.settle(third, tomorrow, (&usage, false), Money(50)).expect("written");
        assert!(matches!(reserve("a", tomorrow, 1), Ok(Err(Cap::Month))));
        assert!(reserve("a", at("2026-07-01T00:00:00Z"), 100).expect("written").is_ok());
        let june = spending.rows(Some("2026-06")).expect("reads").total();
        assert_eq!((june.n_calls, june.n_failed, june.n_lost, june.money), (2, 1, 1, Money(150)));
    }

    #[test]
    fn a_day_is_that_of_the_user_and_what_somebody_waited_for_has_no_cap() {
        let folder = tempfile::tempdir().expect("a folder");
        let zone = TimeZone::fixed(jiff::tz::offset(-5));
        let spending = Spending::in_folder(folder.path().to_owned(), zone);
        let evening = at("2026-06-01T23:00:00Z");
        let own = Payer { caps: None, ..payer("a", 0, 0) };
        spending.reserve(evening, &own, ("m", Money(1_000))).expect("written").map(drop).expect("no cap");
        let payer = payer("a", 10, 100);
        spending.reserve(evening, &payer, ("m", Money(10))).expect("written").map(drop).expect("within");
        let reserve = |now| spending.reserve(now, &payer, ("m", Money(1)));
        assert!(matches!(reserve(at("2026-06-02T04:59:00Z")), Ok(Err(Cap::Day))), "it is still the same evening");
        assert!(reserve(at("2026-06-02T05:00:00Z")).expect("written").is_ok());
        assert_eq!(spending.rows(None).expect("reads").rows.len(), 2);
    }

    #[test]
    fn a_line_that_a_crash_cut_off_hides_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let spending = Spending::in_folder(folder.path().to_owned(), TimeZone::UTC);
        let (now, payer) = (at("2026-06-01T12:00:00Z"), payer("a", 100, 100));
        let open = spending.reserve(now, &payer, ("m", Money(60))).expect("written").expect("within");
        spending.folder.add_line(&open.file, "{\"at\":\"2026-06-01T12:0").expect("written");
        assert!(matches!(spending.reserve(now, &payer, ("m", Money(50))), Ok(Err(Cap::Day))));
        spending.settle(open, now, (&Usage::default(), true), Money(10)).expect("written");
        let outcome = spending.rows(None).expect("reads");
        assert_eq!((outcome.total().money, outcome.n_damaged), (Money(10), 1));
    }
}

//! What models cost: what was spent, and what may be.
//!
//! Every call is written down before it is made, with the most it can cost, and again when it came back, with
//! what it did cost; failures too. A call that never came back counts with the most. So neither a crash nor
//! two runs at once can spend more than was allowed, and the sum can be trusted.

use std::collections::BTreeMap;

use ken_core::Timestamp;
use ken_model::ask::{CALLS_MAX, REPAIR_TOKENS_MAX};
use ken_model::{Money, Prices, Usage, in_batch};
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::propose::task::random_code;

/// Where costs are written.
const COSTS: &str = "costs.jsonl";

/// What may be spent without further words on one run: some days of journal at the price of a middling model.
pub const RUN_MAX: Money = Money(1_000_000);
/// What may be spent in a month.
pub const MONTH_MAX: Money = Money(20_000_000);

/// What may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// By one run.
    pub run: Money,
    /// By all runs of a calendar month, in UTC.
    pub month: Money,
    /// Tokens of one run, prompts and replies.
    pub run_tokens: Option<u64>,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps { run: RUN_MAX, month: MONTH_MAX, run_tokens: None }
    }
}

/// What a call took, as lines about calls have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct CallTokens {
    #[serde(default)]
    input: u64,
    #[serde(default)]
    cache_read: u64,
    #[serde(default)]
    cache_write: u64,
    #[serde(default)]
    output: u64,
}

impl From<&Usage> for CallTokens {
    fn from(usage: &Usage) -> CallTokens {
        let Usage { input, cache_read, cache_write, output, .. } = *usage;
        CallTokens { input, cache_read, cache_write, output }
    }
}

impl From<CallTokens> for Usage {
    fn from(tokens: CallTokens) -> Usage {
        let CallTokens { input, cache_read, cache_write, output } = tokens;
        Usage { input, cache_read, cache_write, output, ..Usage::default() }
    }
}

/// One line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    /// When, as RFC 3339.
    at: String,
    /// What names the call.
    call: String,
    /// What it was for.
    task: String,
    model: String,
    /// `asked`, `sent` in a batch, `answered` or `failed`.
    state: String,
    #[serde(flatten)]
    tokens: CallTokens,
    /// Millionths of a dollar: what it cost, or can cost at most while it is only asked.
    micro_usd: u64,
    /// Whether it went out in a batch: it then counts in the month in which it was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_of_batch: bool,
}

/// What was spent on something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Calls that came back.
    pub n_calls: u64,
    /// Those of them that failed.
    pub n_failed: u64,
    /// Calls that never came back, counted with the most they can have cost.
    pub n_lost: u64,
    /// Calls that are under way in a batch, counted with the most they can cost.
    pub n_under_way: u64,
    /// Tokens.
    pub usage: Usage,
    /// Money.
    pub money: Money,
}

impl Spent {
    pub(crate) fn add(&mut self, other: &Spent) {
        self.n_calls += other.n_calls;
        self.n_failed += other.n_failed;
        self.n_lost += other.n_lost;
        self.n_under_way += other.n_under_way;
        self.usage += other.usage;
        self.money = Money(self.money.0.saturating_add(other.money.0));
    }
}

/// What was spent, by month, model and task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CostsOutcome {
    /// By month (`2026-04`), model and kind of task.
    pub rows: BTreeMap<(String, String, String), Spent>,
    /// Lines that do not read.
    pub n_damaged: usize,
}

impl CostsOutcome {
    /// Returns what was spent in a month, or in all.
    pub fn total(&self, month: Option<&str>) -> Spent {
        let mut total = Spent::default();
        let rows = self.rows.iter().filter(|((known, ..), _)| month.is_none_or(|month| month == known));
        rows.for_each(|(_, spent)| total.add(spent));
        total
    }
}

/// Returns the calendar month of a moment, in UTC.
pub(crate) fn month_of(at: Timestamp) -> String {
    at.to_string()[..7].to_owned()
}

impl Engine {
    /// Returns what models cost.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn costs(&self) -> Result<CostsOutcome, Failure> {
        let bytes = self.store.kept(COSTS)?.unwrap_or_default();
        let mut outcome = CostsOutcome::default();
        // What is said last of a call holds: whoever is killed while it collects a batch says it again.
        let mut calls: BTreeMap<String, Line> = BTreeMap::new();
        for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str::<Line>(line) {
                Ok(line) => {
                    let asked_at = calls.get(&line.call).map(|asked| asked.at.clone());
                    let at = asked_at.filter(|_| line.is_of_batch).unwrap_or_else(|| line.at.clone());
                    drop(calls.insert(line.call.clone(), Line { at, ..line }));
                }
                Err(_) => outcome.n_damaged += 1,
            }
        }
        let under_way = self.calls_under_way();
        for line in calls.into_values() {
            let is_open = line.state == "asked" || line.state == "sent";
            let is_under_way = line.state == "sent" && under_way.contains(&line.call);
            let spent = Spent {
                n_calls: u64::from(!is_open),
                n_failed: u64::from(line.state == "failed"),
                n_lost: u64::from(is_open && !is_under_way),
                n_under_way: u64::from(is_under_way),
                usage: line.tokens.into(),
                money: Money(line.micro_usd),
            };
            outcome.note(&line, &spent);
        }
        Ok(outcome)
    }
}

impl CostsOutcome {
    fn note(&mut self, line: &Line, spent: &Spent) {
        let month = line.at.get(..7).unwrap_or("").to_owned();
        self.rows.entry((month, line.model.clone(), line.task.clone())).or_default().add(spent);
    }
}

/// Returns the most tokens that a question can take, a repair included.
fn most_tokens(prompt_tokens: u64, reply_tokens_max: u64) -> u64 {
    (prompt_tokens + reply_tokens_max) * CALLS_MAX + REPAIR_TOKENS_MAX
}

/// The purse of one run.
pub(crate) struct Purse<'a> {
    engine: &'a Engine,
    model: String,
    prices: &'a Prices,
    caps: Caps,
    /// What was spent before this run in this month.
    before: Money,
    /// What this run spent.
    pub(crate) spent: Spent,
    /// What batches of earlier runs came to that this one collected. When they were sent it counted with the most.
    collected: Spent,
    n_asked: u64,
    /// Calls that did not come back yet: the most money and tokens of each.
    open: BTreeMap<String, (Money, u64)>,
    /// What tells the calls of this run from those of another.
    run: String,
}

impl<'a> Purse<'a> {
    /// Returns a purse for a run.
    ///
    /// # Errors
    /// When the model has no price: then no cap can hold.
    pub(crate) fn new(engine: &'a Engine, model: &str, prices: &'a Prices, caps: Caps) -> Result<Purse<'a>, Failure> {
        if prices.upper_bound(model, 1, 1, 1).is_none() {
            return Err(Failure::usage(format!("the price of `{model}` is not known, so no limit could be kept"))
                .hint("put this line at the top of prices.toml, beside models.toml:")
                .hint(Prices::line(model, "1.0", "4.0"))
                .hint("dollars for a million tokens; 0 where a model costs nothing")
                .hint("nothing was sent"));
        }
        let before = engine.costs()?.total(Some(&month_of(engine.clock.now))).money;
        Ok(Purse {
            engine,
            model: model.to_owned(),
            prices,
            caps,
            before,
            spent: Spent::default(),
            collected: Spent::default(),
            n_asked: 0,
            open: BTreeMap::new(),
            run: random_code(),
        })
    }

    /// Returns what this run may cost.
    pub(crate) fn run_max(&self) -> Money {
        self.caps.run
    }

    /// Returns the most that a question can cost, what the model thinks and a repair included.
    pub(crate) fn bound(&self, prompt_tokens: u64, reply_tokens_max: u64) -> Money {
        let one = |prompt| self.prices.upper_bound(&self.model, prompt, reply_tokens_max, 1).unwrap_or_default();
        let (first, repair) = (one(prompt_tokens), one(prompt_tokens + REPAIR_TOKENS_MAX));
        Money(first.0.saturating_add(repair.0))
    }

    /// Returns the most that one call can cost.
    pub(crate) fn bound_of_one(&self, prompt_tokens: u64, reply_tokens_max: u64) -> Money {
        self.prices.upper_bound(&self.model, prompt_tokens, reply_tokens_max, 1).unwrap_or_default()
    }

    /// Writes down that a question is asked; returns what names the call.
    ///
    /// # Errors
    /// When it could cost more than is left, or cannot be written down: then it must not be asked.
    pub(crate) fn ask(&mut self, task: &str, prompt_tokens: u64, reply_tokens_max: u64) -> Result<String, Failure> {
        let bound = self.allows(prompt_tokens, reply_tokens_max)?;
        self.n_asked += 1;
        let call = format!("{}-{}", self.run, self.n_asked);
        self.write(&call, task, "asked", &Usage::default(), bound)?;
        self.open.insert(call.clone(), (bound, most_tokens(prompt_tokens, reply_tokens_max)));
        Ok(call)
    }

    /// Returns what names the calls of this run.
    pub(super) fn code(&self) -> &str {
        &self.run
    }

    /// Returns what this run spent, and what it collected.
    pub(crate) fn spent(&self) -> Spent {
        let mut spent = self.spent;
        spent.add(&self.collected);
        spent
    }

    /// Keeps room for a call that goes out in a batch; returns what names it, and the most that it can cost.
    ///
    /// # Errors
    /// When it could cost more than is left.
    pub(super) fn keep_room(&mut self, prompt_tokens: u64, reply_tokens: u64) -> Result<(String, Money), Failure> {
        let bound = in_batch(self.bound_of_one(prompt_tokens, reply_tokens));
        self.has_room(bound, prompt_tokens + reply_tokens)?;
        self.n_asked += 1;
        let call = format!("{}-{}", self.run, self.n_asked);
        self.open.insert(call.clone(), (bound, prompt_tokens + reply_tokens));
        Ok((call, bound))
    }

    /// Gives back the room that was kept for a call.
    pub(super) fn give_back(&mut self, call: &str) {
        self.open.remove(call);
    }

    /// Writes down that a call goes out in a batch.
    ///
    /// # Errors
    /// When it cannot be written down: then it must not be sent.
    pub(super) fn send(&self, call: &str, task: &str, bound: Money) -> Result<(), Failure> {
        self.write_of(call, task, &self.model, ("sent", true), &Usage::default(), bound)
    }

    /// Writes down what a call of a batch came to, asked of a model for so much.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub(super) fn collect(
        &mut self,
        (call, task, model): (&str, &str, &str),
        (usage, is_answered): (&Usage, bool),
        money: Money,
    ) -> Result<(), Failure> {
        self.open.remove(call);
        self.collected.n_calls += 1;
        self.collected.n_failed += u64::from(!is_answered);
        self.collected.usage += *usage;
        self.collected.money += money;
        let state = if is_answered { "answered" } else { "failed" };
        self.write_of(call, task, model, (state, true), usage, money)
    }

    /// Returns what a call of a batch cost that a model answered.
    pub(super) fn cost_in_batch(&self, model: &str, usage: &Usage) -> Money {
        in_batch(self.prices.cost(model, usage).unwrap_or_default())
    }

    /// Returns the most that a question can cost.
    ///
    /// # Errors
    /// When that is more than is left, calls that did not come back yet counted with the most.
    pub(crate) fn allows(&self, prompt_tokens: u64, reply_tokens_max: u64) -> Result<Money, Failure> {
        let bound = self.bound(prompt_tokens, reply_tokens_max);
        self.has_room(bound, most_tokens(prompt_tokens, reply_tokens_max))?;
        Ok(bound)
    }

    fn has_room(&self, bound: Money, tokens: u64) -> Result<(), Failure> {
        let over = |what: &str, max: Money, hint: &str| {
            Failure::new(
                FailureKind::Retry,
                format!("the next question may cost {bound}, and {what} may cost {max} in all"),
            )
            .hint(hint)
        };
        let open: Money = self.open.values().map(|(money, _)| *money).sum();
        let run = self.spent.money.0.saturating_add(open.0).saturating_add(bound.0);
        if run > self.caps.run.0 {
            return Err(over("this run", self.caps.run, "raise `run_usd_max` in models.toml, or `--max-usd`"));
        }
        if self.before.0.saturating_add(run) > self.caps.month.0 {
            return Err(over(
                "this month",
                self.caps.month,
                "raise `month_usd_max` in models.toml; `ken costs` shows what was spent on this vault",
            ));
        }
        let open: u64 = self.open.values().map(|(_, tokens)| *tokens).sum();
        let tokens = self.spent.usage.total() + open + tokens;
        if let Some(max) = self.caps.run_tokens.filter(|max| tokens > *max) {
            let message = format!("the next question may bring this run to {tokens} tokens, {max} are allowed");
            return Err(Failure::new(FailureKind::Retry, message).hint("raise `run_tokens_max` in models.toml"));
        }
        Ok(())
    }

    /// Writes down what a question cost.
    ///
    /// # Errors
    /// When it cannot be written down.
    /// `at_least` is what it counts with even if nobody says what it took.
    pub(crate) fn settle(
        &mut self,
        call: &str,
        task: &str,
        (usage, is_answered): (&Usage, bool),
        at_least: Money,
    ) -> Result<(), Failure> {
        let money = self.prices.cost(&self.model, usage).unwrap_or_default().max(at_least);
        self.open.remove(call);
        self.spent.n_calls += 1;
        self.spent.n_failed += u64::from(!is_answered);
        self.spent.usage += *usage;
        self.spent.money = Money(self.spent.money.0.saturating_add(money.0));
        self.write(call, task, if is_answered { "answered" } else { "failed" }, usage, money)
    }

    fn write(&self, call: &str, task: &str, state: &str, usage: &Usage, money: Money) -> Result<(), Failure> {
        self.write_of(call, task, &self.model, (state, false), usage, money)
    }

    fn write_of(
        &self,
        call: &str,
        task: &str,
        model: &str,
        (state, is_of_batch): (&str, bool),
        usage: &Usage,
        money: Money,
    ) -> Result<(), Failure> {
        let line = Line {
            at: self.engine.clock.now.to_string(),
            call: call.to_owned(),
            task: task.to_owned(),
            model: model.to_owned(),
            state: state.to_owned(),
            tokens: usage.into(),
            micro_usd: money.0,
            is_of_batch,
        };
        let line = serde_json::to_string(&line).map_err(|error| Failure::refused(error.to_string()))?;
        Ok(self.engine.store.keep_line(COSTS, &line)?)
    }
}

//! Asks a model, within what may be spent, and keeps what it said.
//!
//! A reply is kept before it is used, so that a run that dies at any moment goes on where it was: what was
//! answered is not asked again, what was not answered stays open. A failure of one task is noted and the
//! others go on; a failure that all would share (no key, no program, nothing left to spend) ends the run.

use std::collections::BTreeSet;
use std::sync::Arc;

use ken_core::Timestamp;
use ken_intake::scrub::covered;
use ken_model::{ErrorKind, Model, ModelError, Money, Prices, Prompt, ask_json};
use serde_json::Value;

use super::check::Rejected;
use super::costs::{Caps, Purse, Spent};
use super::kinds::Kind;
use super::record::{Manner, Record};
use super::rest::Resting;
use super::task::{Fence, Task, has_form};
use crate::engine::Engine;
use crate::failure::Failure;

/// Is told what is being waited for.
pub type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// Who proposes.
#[derive(Clone)]
pub struct Author {
    /// The model; without one only recorded replies are used.
    pub model: Option<Arc<dyn Model>>,
    /// Prices, for what may be spent.
    pub prices: Prices,
    /// What may be spent.
    pub caps: Caps,
    /// Ask also for what an earlier version of the rules, or another model, replied to.
    pub renew: bool,
    /// Told what is being asked, for people who wait.
    pub on_ask: Option<Tell>,
}

/// What came of asking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedOutcome {
    /// The model's name.
    pub model: String,
    /// Tasks that were answered in this run.
    pub n_answered: usize,
    /// Tasks whose reply was recorded before.
    pub n_recorded: usize,
    /// Parts of the replies of this run that hold.
    pub n_parts: usize,
    /// Parts that do not: what they belong to, and the part.
    pub rejected: Vec<(String, Rejected)>,
    /// Tasks without a usable reply: what they are about, and the reason.
    pub failed: Vec<(String, String)>,
    /// Tasks that rest after earlier failures, in the background.
    pub n_resting: usize,
    /// Tasks that were not reached.
    pub n_left: usize,
    /// Why the run ended before its end.
    pub stopped: Option<Failure>,
    /// What it cost.
    pub spent: Spent,
}

/// What became of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The reply of this run is recorded.
    Answered,
    /// It was recorded before.
    Recorded,
    /// There is none.
    Failed,
    /// The run is over.
    Over,
}

/// Consecutive failures after which a model is taken to be away.
const FAILURES_MAX: usize = 3;

/// One run.
pub(crate) struct Run<'a> {
    engine: &'a Engine,
    author: &'a Author,
    model: &'a dyn Model,
    purse: Purse<'a>,
    fence: Fence,
    n_failures: usize,
    /// Tasks that are not asked again in this run.
    has_failed: BTreeSet<(Kind, String)>,
    /// What is left alone for a while; none where somebody waits.
    resting: Option<Resting>,
    pub(crate) outcome: AskedOutcome,
}

impl<'a> Run<'a> {
    /// Returns a run that has asked nothing yet.
    ///
    /// # Errors
    /// When the model has no price.
    pub(crate) fn new(engine: &'a Engine, author: &'a Author, model: &'a dyn Model) -> Result<Run<'a>, Failure> {
        let purse = Purse::new(engine, model.name(), &author.prices, author.caps)?;
        let outcome = AskedOutcome { model: model.name().to_owned(), ..AskedOutcome::default() };
        Ok(Run {
            engine,
            author,
            model,
            purse,
            fence: Fence::new(),
            n_failures: 0,
            has_failed: BTreeSet::new(),
            resting: engine.rests.then(|| engine.resting()),
            outcome,
        })
    }

    /// Returns the most that a task can cost, and how many tokens its prompt has.
    pub(crate) fn bound(&self, task: &Task) -> (Money, u64) {
        let prompt = task.prompt(&self.fence);
        let tokens = prompt.tokens();
        (self.purse.bound(tokens, self.reply_tokens(&prompt)), tokens)
    }

    /// Returns the most that a task of a kind can cost whose prompt has so many tokens.
    pub(crate) fn bound_of(&self, kind: Kind, prompt_tokens: u64) -> Money {
        let reply = super::task::rules_of(kind).reply_tokens_max.saturating_add(self.model.thinking_tokens_max());
        self.purse.bound(prompt_tokens, reply)
    }

    /// The most that a reply can take, thinking included.
    fn reply_tokens(&self, prompt: &Prompt) -> u64 {
        prompt.reply_tokens_max.saturating_add(self.model.thinking_tokens_max())
    }

    /// Returns whether nothing more can be asked.
    pub(crate) fn is_over(&self) -> bool {
        self.outcome.stopped.is_some()
    }

    /// Asks one task, unless it was asked in this manner before.
    ///
    /// # Errors
    /// When the reply, or its cost, cannot be written down.
    pub(crate) fn ask(&mut self, task: &Task) -> Result<Asked, Failure> {
        if self.is_over() {
            self.outcome.n_left += 1;
            return Ok(Asked::Over);
        }
        if self.has_failed.contains(&(task.kind(), task.digest.clone())) {
            return Ok(Asked::Failed);
        }
        let manner = task.manner(self.model.name(), &self.model.parameters());
        if self.engine.recorded(task.kind(), &task.digest, &manner).is_some() {
            self.outcome.n_recorded += 1;
            return Ok(Asked::Recorded);
        }
        if self.resting.as_ref().is_some_and(|it| it.has(task.kind(), &task.digest, self.engine.clock.now)) {
            self.has_failed.insert((task.kind(), task.digest.clone()));
            self.outcome.n_resting += 1;
            return Ok(Asked::Failed);
        }
        let prompt = task.prompt(&self.fence);
        let what = task.kind().as_str();
        if let Err(error) = self.model.admits(&prompt) {
            self.outcome.n_left += 1;
            self.outcome.stopped = Some(error.into());
            return Ok(Asked::Over);
        }
        let call = match self.purse.ask(what, prompt.tokens(), self.reply_tokens(&prompt)) {
            Ok(call) => call,
            Err(failure) => {
                self.outcome.n_left += 1;
                self.outcome.stopped = Some(failure);
                return Ok(Asked::Over);
            }
        };
        if let Some(tell) = &self.author.on_ask {
            tell(&task.label);
        }
        let answered = ask_json(self.model, &prompt, &|reply| has_form(task.kind(), reply));
        let usage = answered.as_ref().map_or_else(|error| error.usage, |answered| answered.usage);
        let answered = match answered {
            Ok(answered) => answered,
            Err(error) => {
                // What was sent and never came back whole may be charged in full.
                let is_charged = matches!(error.kind, ErrorKind::Timeout | ErrorKind::Unusable | ErrorKind::TooLong)
                    || usage.total() > 0;
                let reply = self.reply_tokens(&prompt);
                let bound = if is_charged { self.purse.bound_of_one(prompt.tokens(), reply) } else { Money(0) };
                self.purse.settle(&call, what, (&usage, false), bound)?;
                self.outcome.spent = self.purse.spent;
                self.failed(task, error);
                return Ok(Asked::Failed);
            }
        };
        self.n_failures = 0;
        // The reply first: what is paid for must not be lost between two writes.
        let kept = self.engine.keep_reply(task, (manner, 0), &answered.json)?;
        self.purse.settle(&call, what, (&usage, true), Money(0))?;
        self.outcome.spent = self.purse.spent;
        self.outcome.n_answered += 1;
        self.rest(|resting, _| resting.answered(task.kind(), &task.digest));
        let (n_parts, report) = task.check(&kept);
        self.outcome.n_parts += n_parts;
        self.engine.keep_rejected(task, &report.rejected)?;
        self.outcome.rejected.extend(report.rejected.into_iter().map(|part| (task.label.clone(), part)));
        Ok(Asked::Answered)
    }

    /// Notes what rests, and keeps it at once: this process may be killed.
    fn rest(&mut self, note: impl FnOnce(&mut Resting, Timestamp)) {
        let Some(resting) = &mut self.resting else { return };
        let before = resting.clone();
        note(resting, self.engine.clock.now);
        if *resting != before {
            self.engine.keep_resting(resting);
        }
    }

    fn failed(&mut self, task: &Task, error: ModelError) {
        self.n_failures += 1;
        self.has_failed.insert((task.kind(), task.digest.clone()));
        self.outcome.failed.push((task.label.clone(), error.message.clone()));
        let is_shared = matches!(
            error.kind,
            ErrorKind::Refused | ErrorKind::Missing | ErrorKind::Setup | ErrorKind::RateLimited { .. }
        );
        let is_over = is_shared || self.n_failures >= FAILURES_MAX;
        self.rest(|resting, now| {
            if !is_shared {
                resting.failed(task.kind(), &task.digest, &error, now);
            }
            if is_over {
                resting.failed_all(&error, now);
            }
        });
        if is_over {
            self.outcome.stopped = Some(error.into());
        }
    }
}

impl Engine {
    /// Keeps what somebody replied to a task, without secrets, and returns it as it is kept.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep_reply(
        &self,
        task: &Task,
        (manner, revision): (Manner, usize),
        reply: &Value,
    ) -> Result<Value, Failure> {
        // Each text by itself, because a secret may hide in escapes; then what stands beside each other.
        let reply = covered(&with_covered_texts(reply).to_string()).into_owned();
        let kept = ken_model::json_of(&reply).unwrap_or_default();
        let record = Record::new(task.kind(), &task.digest, manner, self.clock.now.to_string(), reply);
        let mut record = record.mending(revision);
        record.read.clone_from(&task.read);
        record.shown = task.shown.clone();
        self.keep_record(&record)?;
        Ok(kept)
    }

    /// Keeps the parts of a reply that do not hold, each with its reason, in the place of those of an earlier
    /// reply to the same task.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn keep_rejected(&self, task: &Task, rejected: &[Rejected]) -> Result<(), Failure> {
        let name = format!("rejected/{}-{}.json", task.kind().as_str(), task.digest);
        if rejected.is_empty() {
            return Ok(self.store.drop_kept(&name)?);
        }
        let mut bytes = serde_json::to_vec_pretty(rejected).map_err(|error| Failure::refused(error.to_string()))?;
        bytes.push(b'\n');
        Ok(self.store.keep(&name, &bytes)?)
    }
}

/// A reply without the secrets in its texts. What they hide stays: a part that hides something is rejected, now
/// and whenever the record is read.
fn with_covered_texts(reply: &Value) -> Value {
    match reply {
        Value::String(text) => Value::String(covered(text).into_owned()),
        Value::Array(values) => values.iter().map(with_covered_texts).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), with_covered_texts(value))).collect(),
        other => other.clone(),
    }
}

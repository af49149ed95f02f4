//! Asks a model, within what may be spent, and keeps what it said.
//!
//! A reply is kept before it is used, so that a run that dies at any moment goes on where it was: what was
//! answered is not asked again, what was not answered stays open. A failure of one task is noted and the
//! others go on; a failure that all would share (no key, no program, nothing left to spend) ends the run.

use std::collections::BTreeSet;
use std::sync::Arc;

use ken_core::Timestamp;
use ken_core::budget::count;
use ken_model::{Answered, ErrorKind, Model, ModelError, Money, Prices, Prompt, Usage, ask_json, in_batch};
use serde_json::Value;

use super::asked::AskedOutcome;
use super::costs::{Caps, Purse};
use super::kinds::{Kind, doubt, page};
use super::pack::{OF_PAGE_TOKENS, expected_reply_tokens, prompt_of};
use super::progress::{Progress, Tell};
use super::rest::Resting;
use super::sent::Piled;
use super::task::{Fence, Task, has_form};
use crate::engine::Engine;
use crate::failure::Failure;

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
    /// Whether what is asked goes out as one batch, whose replies a later run collects; nobody waits for them.
    pub in_batch: bool,
}

/// Whether a prompt may go out.
pub(super) enum Room {
    /// It may.
    Enough,
    /// It could cost more than this run may.
    TooLittle,
    /// Whoever pays does not allow it now.
    Refused(ModelError),
}

/// A call that went out.
pub(super) struct Sent {
    /// What names it.
    call: String,
    kind: Kind,
    prompt_tokens: u64,
    /// The most that its reply can take.
    reply_tokens: u64,
}

/// Where a run is among the calls of a step.
#[derive(Default)]
struct Step {
    n: usize,
    n_after: usize,
    n_back: usize,
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
    /// It goes out, or went out, in a batch.
    UnderWay,
    /// The run is over.
    Over,
}

/// Consecutive failures after which a model is taken to be away.
const FAILURES_MAX: usize = 3;

/// Tokens of a page in a prompt about several, its share of the rules included.
const PAGE_PROMPT_TOKENS: u64 = 350;

/// Tokens of a prompt about doubts besides its lines and claims.
const DOUBT_PROMPT_TOKENS: u64 = 1_000;
/// Tokens of prompt and reply that the doubts about a text are expected to take: one claim, its lines, and ours.
const EXPECTED_DOUBT: (u64, u64) = (300, 120);

/// One run.
pub(crate) struct Run<'a> {
    pub(super) engine: &'a Engine,
    author: &'a Author,
    model: &'a dyn Model,
    pub(super) purse: Purse<'a>,
    fence: Fence,
    n_failures: usize,
    /// Kinds of which a task was answered in this run.
    answered: BTreeSet<Kind>,
    /// Whether a call was turned away because others were under way.
    goes_one_by_one: bool,
    step: Step,
    /// Tasks that are not asked again in this run.
    has_failed: BTreeSet<(Kind, String)>,
    /// What is left alone for a while; none where somebody waits.
    resting: Option<Resting>,
    /// What is in batches, those of this run included.
    pub(super) under_way: BTreeSet<(Kind, String)>,
    /// What is to go out as a batch.
    pub(super) pile: Vec<Piled>,
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
            answered: BTreeSet::new(),
            goes_one_by_one: false,
            step: Step::default(),
            has_failed: BTreeSet::new(),
            resting: engine.rests.then(|| engine.resting()),
            under_way: engine.tasks_under_way(),
            pile: Vec::new(),
            outcome,
        })
    }

    /// Returns who is asked.
    pub(crate) fn author(&self) -> &'a Author {
        self.author
    }

    pub(super) fn model(&self) -> &'a dyn Model {
        self.model
    }

    pub(super) fn fence(&self) -> &Fence {
        &self.fence
    }

    /// Returns how many calls may be under way now.
    pub(super) fn calls_at_once_max(&self) -> usize {
        let is_sure = !self.answered.is_empty() && self.n_failures == 0 && !self.goes_one_by_one;
        if is_sure { self.model.calls_at_once_max().max(1) } else { 1 }
    }

    /// Sends one call at a time from now on.
    pub(super) fn go_one_by_one(&mut self) {
        self.goes_one_by_one = true;
    }

    /// Returns whether a task of a kind was answered in this run.
    pub(super) fn was_answered(&self, kind: Kind) -> bool {
        self.answered.contains(&kind)
    }

    /// Returns whether a prompt may go out beside what is under way. Where there is enough it goes out next.
    pub(super) fn room_for(&self, prompt: &Prompt) -> Room {
        match self.purse.allows(prompt.tokens(), self.reply_tokens(prompt)) {
            Ok(_) => self.model.admits(prompt).map_or_else(Room::Refused, |()| Room::Enough),
            Err(_) => Room::TooLittle,
        }
    }

    /// Begins to count the calls of a step that has so many.
    pub(crate) fn begin_step(&mut self, n_calls: usize) {
        self.step = Step { n_after: n_calls, ..Step::default() };
    }

    /// Notes that so many calls of the step are still to go out.
    pub(super) fn expect(&mut self, n_calls: usize) {
        self.step.n_after = n_calls;
    }

    /// Returns the most that a task can cost, and how many tokens its prompt has.
    pub(crate) fn bound(&self, task: &Task) -> (Money, u64) {
        let prompt = task.prompt(&self.fence);
        let tokens = prompt.tokens();
        (self.purse.bound(tokens, self.reply_tokens(&prompt)), tokens)
    }

    /// Returns the most that a task of a kind can cost whose prompt has so many tokens.
    pub(crate) fn bound_of(&self, kind: Kind, prompt_tokens: u64) -> Money {
        let reply = match kind {
            Kind::Merge => page::reply_tokens_max(&[page::Part::Same].into()),
            _ => super::task::rules_of(kind).reply_tokens_max,
        };
        self.purse.bound(prompt_tokens, reply.saturating_add(self.model.thinking_tokens_max()))
    }

    /// The most that a reply can take, thinking included.
    pub(super) fn reply_tokens(&self, prompt: &Prompt) -> u64 {
        prompt.reply_tokens_max.saturating_add(self.model.thinking_tokens_max())
    }

    /// Returns whether nothing more can be asked.
    pub(crate) fn is_over(&self) -> bool {
        self.outcome.stopped.is_some()
    }

    /// Returns whether a task got no usable reply in this run.
    pub(crate) fn has_failed(&self, task: &Task) -> bool {
        self.has_failed.contains(&(task.kind(), task.digest.clone()))
    }

    /// Returns whether a reply to a task in this manner is recorded.
    pub(crate) fn is_recorded(&self, task: &Task) -> bool {
        let manner = task.manner(self.model.name(), &self.model.parameters());
        self.engine.recorded(task.kind(), &task.digest, &manner).is_some()
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
        if let Some(before) = self.before(task) {
            return Ok(before);
        }
        if self.author.in_batch {
            self.pile_up(vec![vec![task]]);
            return Ok(if self.is_over() { Asked::Over } else { Asked::UnderWay });
        }
        let (kind, prompt) = (task.kind().in_calls(), task.prompt(&self.fence));
        if let Room::Refused(error) = self.room_for(&prompt) {
            self.stop(error.into());
        }
        let sent = if self.is_over() { None } else { self.begin(kind, &prompt, &task.label) };
        let Some(sent) = sent else {
            self.outcome.n_left += 1;
            return Ok(Asked::Over);
        };
        let answered = ask_json(self.model, &prompt, &|reply| has_form(task.kind(), reply));
        match self.end(&sent, answered)? {
            Err(error) => {
                self.failed(&[task], error);
                Ok(Asked::Failed)
            }
            Ok(answered) => {
                // The reply first: what is paid for must not be lost between two writes.
                self.take(task, &answered.json)?;
                self.settle(&sent, &answered.usage)?;
                Ok(Asked::Answered)
            }
        }
    }

    /// Returns the most that tasks can cost in one call, and how many tokens its prompt has.
    pub(crate) fn bound_together(&self, tasks: &[Task]) -> (Money, u64) {
        if let [task] = tasks {
            return self.bound(task);
        }
        let prompt = prompt_of(&tasks.iter().collect::<Vec<_>>(), &self.fence);
        let tokens = prompt.tokens();
        (self.purse.bound(tokens, self.reply_tokens(&prompt)), tokens)
    }

    /// Returns what a call is expected to cost whose prompt has so many tokens.
    pub(crate) fn expected(&self, pack: &[Task], prompt_tokens: u64) -> Money {
        self.purse.bound_of_one(prompt_tokens, expected_reply_tokens(pack))
    }

    /// Returns the most that a call can cost in a batch whose prompt has so many tokens: it is not repaired there.
    pub(crate) fn bound_in_batch(&self, pack: &[Task], prompt_tokens: u64) -> Money {
        let reply = match pack {
            [task] => task.prompt(&self.fence).reply_tokens_max,
            _ => prompt_of(&pack.iter().collect::<Vec<_>>(), &self.fence).reply_tokens_max,
        };
        in_batch(self.purse.bound_of_one(prompt_tokens, reply.saturating_add(self.model.thinking_tokens_max())))
    }

    /// Returns what the pages are expected to cost that so many texts change: a page of a few
    /// claims for each text.
    pub(crate) fn expected_of_pages(&self, n_texts: u64) -> Money {
        self.purse.bound_of_one(n_texts * PAGE_PROMPT_TOKENS, n_texts * OF_PAGE_TOKENS)
    }

    /// Returns the most that what is doubted of texts can cost, and what it is expected to cost.
    pub(crate) fn doubts_of(&self, texts: &[Task]) -> (Money, Money) {
        let n_texts = texts.len() as u64;
        let text_tokens: u64 = texts.iter().map(|task| count(&task.material()).0 as u64).sum();
        let tokens = text_tokens + n_texts * (DOUBT_PROMPT_TOKENS + doubt::CLAIMS_MAX as u64 * doubt::CLAIM_TOKENS_MAX);
        let reply =
            super::task::rules_of(Kind::Doubt).reply_tokens_max.saturating_add(self.model.thinking_tokens_max());
        let bound = self.purse.bound(tokens, n_texts.saturating_mul(reply));
        (bound, self.purse.bound_of_one(n_texts * EXPECTED_DOUBT.0, n_texts * EXPECTED_DOUBT.1))
    }

    /// Whether something failed in this run, or rests.
    pub(super) fn is_left_alone(&self, kind: Kind, digest: &str) -> bool {
        let is_resting = |it: &Resting| it.has(kind, digest, self.engine.clock.now);
        self.has_failed.contains(&(kind, digest.to_owned())) || self.resting.as_ref().is_some_and(is_resting)
    }

    /// Leaves something alone that failed, in this run and in the background for a while.
    pub(super) fn leave_alone(&mut self, kind: Kind, digest: &str, error: &ModelError) {
        self.has_failed.insert((kind, digest.to_owned()));
        self.rest(|resting, now| resting.failed(kind, digest, error, now));
    }

    /// Returns what became of a task before, where it is not to be asked now.
    pub(super) fn before(&mut self, task: &Task) -> Option<Asked> {
        let name = (task.kind(), task.digest.clone());
        if self.has_failed.contains(&name) {
            return Some(Asked::Failed);
        }
        if self.is_recorded(task) {
            self.outcome.n_recorded += 1;
            return Some(Asked::Recorded);
        }
        if self.under_way.contains(&name) {
            return Some(Asked::UnderWay);
        }
        if self.resting.as_ref().is_some_and(|it| it.has(task.kind(), &task.digest, self.engine.clock.now)) {
            self.has_failed.insert(name);
            self.outcome.n_resting += 1;
            return Some(Asked::Failed);
        }
        None
    }

    /// Ends the run before its end.
    pub(super) fn stop(&mut self, why: Failure) {
        self.outcome.stopped = Some(why);
    }

    /// Books a call before it goes out; `None` when nothing more may be spent, and then it must not.
    pub(super) fn begin(&mut self, kind: Kind, prompt: &Prompt, label: &str) -> Option<Sent> {
        let (prompt_tokens, reply_tokens) = (prompt.tokens(), self.reply_tokens(prompt));
        match self.purse.ask(kind.as_str(), prompt_tokens, reply_tokens) {
            Ok(call) => {
                self.step.n += 1;
                self.step.n_after = self.step.n_after.saturating_sub(1);
                if let Some(tell) = &self.author.on_ask {
                    let Step { n, n_after, n_back } = self.step;
                    let (spent, run_max) = (self.purse.spent.money, self.purse.run_max());
                    tell(&Progress { label, n, n_of: n + n_after, n_back, spent, run_max });
                }
                Some(Sent { call, kind, prompt_tokens, reply_tokens })
            }
            Err(failure) => {
                self.stop(failure);
                None
            }
        }
    }

    /// Notes that a call came back, and settles it where there is no reply.
    pub(super) fn end(
        &mut self,
        sent: &Sent,
        answered: Result<Answered, ModelError>,
    ) -> Result<Result<Answered, ModelError>, Failure> {
        self.step.n_back += 1;
        match &answered {
            Ok(_) => {
                self.n_failures = 0;
                self.answered.insert(sent.kind);
            }
            Err(error) => {
                let usage = error.usage;
                // What was sent and never came back whole may be charged in full.
                let is_charged = matches!(error.kind, ErrorKind::Timeout | ErrorKind::Unusable | ErrorKind::TooLong)
                    || usage.total() > 0;
                let most = self.purse.bound_of_one(sent.prompt_tokens, sent.reply_tokens);
                let bound = if is_charged { most } else { Money(0) };
                self.purse.settle(&sent.call, sent.kind.as_str(), (&usage, false), bound)?;
                self.outcome.spent = self.purse.spent();
            }
        }
        Ok(answered)
    }

    /// Keeps the reply to a task, and what of it does not hold.
    pub(super) fn take(&mut self, task: &Task, reply: &Value) -> Result<(), Failure> {
        let manner = task.manner(self.model.name(), &self.model.parameters());
        let kept = self.engine.keep_reply(task, (manner, 0), reply)?;
        self.note_taken((task.kind(), &task.digest), Some(task), &kept)
    }

    /// Notes a reply that is kept, and what of it does not hold.
    pub(super) fn note_taken(
        &mut self,
        (kind, digest): (Kind, &str),
        task: Option<&Task>,
        kept: &Value,
    ) -> Result<(), Failure> {
        self.outcome.n_answered += 1;
        self.rest(|resting, _| resting.answered(kind, digest));
        let Some(task) = task else { return Ok(()) };
        let (n_parts, report) = task.check(kept);
        self.outcome.n_parts += n_parts;
        self.engine.keep_rejected(task, &report.rejected)?;
        self.outcome.rejected.extend(report.rejected.into_iter().map(|part| (task.label.clone(), part)));
        Ok(())
    }

    /// Books what a call cost that was answered.
    pub(super) fn settle(&mut self, sent: &Sent, usage: &Usage) -> Result<(), Failure> {
        self.purse.settle(&sent.call, sent.kind.as_str(), (usage, true), Money(0))?;
        self.outcome.spent = self.purse.spent();
        Ok(())
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

    /// Notes a task that a model failed at: in this run it is not asked again, and in the background not for a while.
    pub(super) fn failed_at(&mut self, task: &Task, error: &ModelError) {
        self.has_failed.insert((task.kind(), task.digest.clone()));
        self.outcome.failed.push((task.label.clone(), error.message.clone()));
        self.outcome.failure.get_or_insert_with(|| error.clone().into());
        if !is_shared(error) {
            self.rest(|resting, now| resting.failed(task.kind(), &task.digest, error, now));
        }
    }

    /// Notes a call that failed; ends the run where every call would.
    pub(super) fn failed(&mut self, tasks: &[&Task], error: ModelError) {
        self.n_failures += 1;
        tasks.iter().for_each(|task| self.failed_at(task, &error));
        if is_shared(&error) || self.n_failures >= FAILURES_MAX {
            self.rest(|resting, now| resting.failed_all(&error, now));
            self.stop(error.into());
        }
    }
}

/// Whether every task would fail so.
fn is_shared(error: &ModelError) -> bool {
    use ErrorKind::{Missing, RateLimited, Refused, Setup};
    matches!(error.kind, Refused | Missing | Setup | RateLimited { .. })
}

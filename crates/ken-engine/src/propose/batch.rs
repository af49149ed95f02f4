//! Tasks that nobody waits for, sent as one batch at half the price.
//!
//! What would be asked is put on a pile, and the pile goes out when the run is done. What is sent is written down before
//! it goes out, see [`super::sent`]: a run that is killed at any moment leaves a batch that the next one finds, and
//! nothing of it is asked a second time while it is under way. What comes back is taken in [`super::collect`].

use ken_model::{Batches, BookedPrompt, ErrorKind, ModelError, Money, Prompt};

use super::calls::PACK;
use super::kinds::Kind;
use super::pack::prompt_of;
use super::run::Run;
use super::sent::{Piled, SentBatch, SentCall, SentTask, VERSION};
use super::task::Task;
use crate::failure::Failure;

/// Most calls of one batch.
const CALLS_MAX: usize = 500;

impl Run<'_> {
    /// Returns whether something about what has this name goes out, or went out, in a batch.
    pub(crate) fn is_under_way(&self, kind: Kind, digest: &str) -> bool {
        self.under_way.contains(&(kind, digest.to_owned()))
    }

    /// Puts packs of tasks on the pile, except those that were asked before or are under way.
    pub(super) fn pile_up(&mut self, packs: Vec<Vec<&Task>>) {
        for pack in packs {
            let open: Vec<&Task> = pack.into_iter().filter(|task| self.before(task).is_none()).collect();
            let Some(kind) = open.first().map(|task| task.kind().in_calls()) else { continue };
            let goes_together = open.len() == 1 || !self.is_left_alone(kind, PACK);
            let has_room = goes_together && self.pile_call(&open).is_ok();
            if has_room {
                continue;
            }
            // What is left may do for some of them.
            for task in open {
                match if self.is_over() { Ok(false) } else { self.pile_call(&[task]).map(|()| true) } {
                    Ok(true) => {}
                    Ok(false) => self.outcome.n_left += 1,
                    Err(failure) => {
                        self.outcome.n_left += 1;
                        self.stop(failure);
                    }
                }
            }
        }
    }

    /// Puts one call on the pile.
    fn pile_call(&mut self, tasks: &[&Task]) -> Result<(), Failure> {
        if self.pile.len() >= CALLS_MAX {
            return Err(
                Failure::usage(format!("a batch has at most {CALLS_MAX} calls")).hint("the next run sends the rest")
            );
        }
        let prompt = match tasks {
            [task] => task.prompt(self.fence()),
            tasks => prompt_of(tasks, self.fence()),
        };
        let (name, bound) = self.purse.keep_room(prompt.tokens(), self.reply_tokens(&prompt))?;
        self.under_way.extend(tasks.iter().map(|task| (task.kind(), task.digest.clone())));
        let tasks = tasks.iter().map(|task| (*task).clone()).collect();
        self.pile.push(Piled { name, prompt, tasks, bound });
        Ok(())
    }

    /// Sends what is on the pile as one batch.
    ///
    /// # Errors
    /// When what is sent cannot be written down.
    pub(crate) fn send_pile(&mut self) -> Result<(), Failure> {
        let pile = std::mem::take(&mut self.pile);
        if let (Some(batches), false) = (self.model().batches(), pile.is_empty()) {
            self.send_batch(batches, pile)?;
        }
        self.outcome.batch.n_under_way = self.under_way.len();
        self.outcome.spent = self.purse.spent();
        Ok(())
    }

    fn send_batch(&mut self, batches: &dyn Batches, mut pile: Vec<Piled>) -> Result<(), Failure> {
        let mut batch = self.batch_of(batches.account(), &pile);
        // Before anything is booked: whoever is killed from here on is known to have meant to send it.
        self.engine.keep_batch(&batch)?;
        let all: Vec<BookedPrompt> = batch.calls.iter().map(|call| batch.booked(call, Money(call.micro_usd))).collect();
        let (n, why) = batches.book(&all);
        if let Some(error) = why {
            self.stop(error.into());
        }
        if n < pile.len() {
            let left: Vec<Piled> = pile.split_off(n);
            self.outcome.n_left += left.iter().map(|call| call.tasks.len()).sum::<usize>();
            left.iter().for_each(|call| self.take_back(call));
            batch.calls.truncate(n);
            match n {
                0 => return self.engine.drop_batch(&batch),
                _ => self.engine.keep_batch(&batch)?,
            }
        }
        for call in &batch.calls {
            self.purse.send(&call.name, &call.kind, Money(call.micro_usd))?;
        }
        let prompts: Vec<(String, Prompt)> = pile.iter().map(|call| (call.name.clone(), call.prompt.clone())).collect();
        let sent = batches.send(&batch.code, &prompts);
        match sent {
            Ok(id) => {
                batch.id = Some(id);
                self.engine.keep_batch(&batch)?;
            }
            Err(error) if may_have_arrived(&error) => {
                let why =
                    format!("it is not known whether the batch arrived, the next run looks for it: {}", error.message);
                self.outcome.batch.troubles.push(why);
            }
            Err(error) => {
                for call in &batch.calls {
                    self.settle_call(&batch, call, (&error.usage, false), Money(0))?;
                }
                self.engine.drop_batch(&batch)?;
                pile.iter().for_each(|call| self.take_back(call));
                let tasks: Vec<&Task> = pile.iter().flat_map(|call| &call.tasks).collect();
                self.failed(&tasks, error);
                return Ok(());
            }
        }
        self.outcome.batch.n_calls += batch.calls.len();
        self.outcome.batch.n_sent += batch.n_tasks();
        self.outcome.batch.bound += batch.calls.iter().map(|call| Money(call.micro_usd)).sum();
        Ok(())
    }

    /// What is written down of a batch.
    fn batch_of(&self, account: String, pile: &[Piled]) -> SentBatch {
        let model = self.model();
        let task = |task: &Task| SentTask {
            kind: task.kind().as_str().to_owned(),
            digest: task.digest.clone(),
            label: task.label.clone(),
            manner: task.manner(model.name(), &model.parameters()),
            read: task.read.clone(),
            shown: task.shown.clone(),
        };
        let call = |call: &Piled| SentCall {
            name: call.name.clone(),
            kind: call.tasks[0].kind().in_calls().as_str().to_owned(),
            prompt_tokens: call.prompt.tokens(),
            reply_tokens_max: self.reply_tokens(&call.prompt),
            micro_usd: call.bound.0,
            tasks: call.tasks.iter().map(task).collect(),
        };
        SentBatch {
            version: VERSION,
            code: self.purse.code().to_owned(),
            account,
            model: model.name().to_owned(),
            sent_at: self.engine.clock.now,
            id: None,
            is_cancelled: false,
            calls: pile.iter().map(call).collect(),
        }
    }

    /// A call that does not go out after all.
    fn take_back(&mut self, call: &Piled) {
        self.purse.give_back(&call.name);
        for task in &call.tasks {
            self.under_way.remove(&(task.kind(), task.digest.clone()));
        }
    }
}

/// Whether a batch may be at the provider although sending it failed.
fn may_have_arrived(error: &ModelError) -> bool {
    use ErrorKind::{Missing, RateLimited, Refused, Setup, TooLong};
    match error.kind {
        Refused | Missing | Setup | TooLong | RateLimited { .. } => false,
        ErrorKind::Unreachable => error.usage.total() > 0,
        ErrorKind::Timeout | ErrorKind::Overloaded | ErrorKind::Unusable => true,
    }
}

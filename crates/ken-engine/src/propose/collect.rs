//! Collects the batches that earlier runs sent: what was answered is kept, what was not done is free to be asked anew.
//!
//! Whoever is killed on the way collects again: replies are kept before a call is settled, a call that is settled twice
//! counts once, and the batch's own file goes last.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use ken_model::{BatchReply, BatchState, Batches, ErrorKind, Found, ModelError, Money, Reply, Usage, json_of, list_of};
use serde_json::Value;

use super::across;
use super::calls::PACK;
use super::kinds::Kind;
use super::pack::{REPLIES, has_form_together, replies_of};
use super::run::{Author, Run};
use super::sent::{SentBatch, SentCall, SentTask};
use super::task::{Input, Task, has_form};
use crate::engine::Engine;
use crate::failure::Failure;

/// How long a batch is waited for; providers end theirs after a day.
const GIVEN_UP_HOURS: i64 = 48;
/// How long a batch may take to show in the provider's list.
const LISTED_MINUTES: i64 = 10;

/// Tasks by what names them.
type Tasks = BTreeMap<(Kind, String), Task>;

/// What a batch is found to be.
enum Stand {
    /// There is nothing to collect yet.
    UnderWay,
    /// It never arrived, or was refused as a whole: it cost nothing.
    Nothing(Option<String>),
    /// Nobody can tell any longer what became of it: it counts with the most.
    GivenUp(String),
    /// Its replies.
    Replies(String, BTreeMap<String, BatchReply>),
}

impl Run<'_> {
    /// Collects what ended of the batches that were sent where this model is asked, and notes what is under way.
    ///
    /// # Errors
    /// When a reply, or its cost, cannot be written down.
    pub(crate) fn collect_batches(&mut self) -> Result<(), Failure> {
        let model = self.model();
        self.under_way.clear();
        for batch in self.engine.batches() {
            let batches = model.batches().filter(|batches| batches.account() == batch.account);
            let stand = batches.map_or(Stand::UnderWay, |batches| self.stand(&batch, batches));
            match (stand, batches) {
                (Stand::Replies(id, replies), Some(batches)) => self.take_batch((&batch, &id), replies, batches)?,
                (Stand::Nothing(why), _) => self.release(&batch, why, None)?,
                (Stand::GivenUp(why), _) => self.release(&batch, Some(why), Some(()))?,
                _ => self.under_way.extend(batch.calls.iter().flat_map(SentCall::names)),
            }
        }
        self.outcome.batch.n_under_way = self.under_way.len();
        self.outcome.spent = self.purse.spent();
        Ok(())
    }

    /// Asks how a batch stands.
    fn stand(&mut self, batch: &SentBatch, batches: &dyn Batches) -> Stand {
        let age = self.engine.clock.now.duration_since(batch.sent_at);
        let is_old = age.abs() > SignedDuration::from_hours(GIVEN_UP_HOURS);
        let id = match &batch.id {
            Some(id) => id.clone(),
            None => match batches.find(&batch.code, batch.sent_at, batch.calls.len()) {
                Ok(Found::Batch(id)) => {
                    let known = SentBatch { id: Some(id.clone()), ..batch.clone() };
                    // Without it the next run looks for it again.
                    let _ = self.engine.keep_batch(&known);
                    id
                }
                Ok(Found::Nothing) if age.abs() > SignedDuration::from_mins(LISTED_MINUTES) => {
                    return Stand::Nothing(Some("a batch never arrived; what was in it is asked anew".to_owned()));
                }
                Ok(_) if is_old => return Stand::GivenUp("nobody knows what became of a batch".to_owned()),
                Ok(_) => return Stand::UnderWay,
                Err(error) => return self.trouble(&error, is_old),
            },
        };
        let sent: BTreeMap<_, _> = batch.calls.iter().map(|call| (call.name.clone(), call.prompt())).collect();
        match batches.look(&id) {
            Ok(BatchState::Ended) => match batches.collect(&id, &sent) {
                Ok(replies) => Stand::Replies(id, replies),
                Err(error) => self.trouble(&error, is_old),
            },
            Ok(BatchState::UnderWay) if is_old => {
                // It ends by itself if nobody hears it.
                let _ = batches.cancel(&id);
                Stand::GivenUp(format!("a batch did not end within {GIVEN_UP_HOURS} hours"))
            }
            Ok(BatchState::UnderWay) => Stand::UnderWay,
            Ok(BatchState::Refused(why)) => Stand::Nothing(Some(why)),
            Ok(BatchState::Unknown) => Stand::GivenUp("the provider knows nothing of a batch that it took".to_owned()),
            Err(error) => self.trouble(&error, is_old),
        }
    }

    /// A batch that cannot be asked about now.
    fn trouble(&mut self, error: &ModelError, is_old: bool) -> Stand {
        if is_old {
            return Stand::GivenUp(format!("a batch could not be collected in time: {}", error.message));
        }
        self.outcome.batch.troubles.push(format!("a batch could not be asked about: {}", error.message));
        Stand::UnderWay
    }

    /// Settles a batch of which there are no replies. Where nobody knows what it cost, it counts with the most.
    fn release(&mut self, batch: &SentBatch, why: Option<String>, with_most: Option<()>) -> Result<(), Failure> {
        for call in &batch.calls {
            let money = with_most.map_or(Money(0), |()| Money(call.micro_usd));
            self.settle_call(batch, call, (&Usage::default(), false), money)?;
            self.outcome.batch.n_released += call.tasks.len();
        }
        self.outcome.batch.troubles.extend(why);
        self.engine.drop_batch(batch)
    }

    /// Keeps the replies of a batch, and settles each of its calls.
    fn take_batch(
        &mut self,
        (batch, id): (&SentBatch, &str),
        mut replies: BTreeMap<String, BatchReply>,
        batches: &dyn Batches,
    ) -> Result<(), Failure> {
        let names: BTreeSet<(Kind, String)> = batch.calls.iter().flat_map(SentCall::names).collect();
        let known = self.engine.tasks_named(&names)?;
        for call in &batch.calls {
            let most = Money(call.micro_usd);
            match replies.remove(&call.name) {
                Some(BatchReply::Answered(reply)) => {
                    self.take_call(call, &reply, &known)?;
                    let money = self.purse.cost_in_batch(&batch.model, &reply.usage);
                    self.settle_call(batch, call, (&reply.usage, true), money)?;
                }
                Some(BatchReply::Failed(error)) => {
                    let begun = error.begun.as_ref().filter(|begun| list_of(&begun.0, REPLIES).is_some());
                    match begun.filter(|_| call.tasks.len() > 1) {
                        Some(begun) => {
                            let reply = Reply { text: begun.0.clone(), usage: error.usage };
                            self.take_call(call, &reply, &known)?;
                        }
                        None => self.fail_call(call, &error),
                    }
                    let money = self.purse.cost_in_batch(&batch.model, &error.usage);
                    self.settle_call(batch, call, (&error.usage, false), money)?;
                }
                Some(BatchReply::NotDone(why)) => {
                    self.outcome.batch.n_released += call.tasks.len();
                    self.outcome.failed.extend(call.tasks.iter().map(|task| (task.label.clone(), why.clone())));
                    self.settle_call(batch, call, (&Usage::default(), false), Money(0))?;
                }
                None => {
                    let error = ModelError::new(ErrorKind::Unusable, "the batch says nothing of it");
                    self.fail_call(call, &error);
                    self.settle_call(batch, call, (&Usage::default(), false), most)?;
                }
            }
        }
        self.engine.drop_batch(batch)?;
        batches.forget(id);
        Ok(())
    }

    /// Keeps the replies of one call.
    fn take_call(&mut self, call: &SentCall, reply: &Reply, known: &Tasks) -> Result<(), Failure> {
        let Some(kind) = Kind::parse(&call.kind) else { return Ok(()) };
        let is_pack = call.tasks.len() > 1;
        let of_one = call.tasks.first().and_then(SentTask::kind).unwrap_or(kind);
        let form = |json: &Value| if is_pack { has_form_together(json) } else { has_form(of_one, json) };
        let read = json_of(&reply.text).ok_or_else(|| "it has no whole JSON object in it".to_owned());
        let begun = || if is_pack { list_of(&reply.text, REPLIES) } else { None };
        let json = match read.and_then(|json| form(&json).map(|()| json)).or_else(|why| begun().ok_or(why)) {
            Ok(json) => json,
            Err(why) => {
                let why = format!("the reply cannot be used: {why}");
                self.fail_call(call, &ModelError::new(ErrorKind::Unusable, why));
                return Ok(());
            }
        };
        let mut replies = if is_pack { replies_of(kind, &json, call.tasks.len()) } else { BTreeMap::from([(0, json)]) };
        let shown = across::resolve(kind, &mut replies);
        for (n, sent) in call.tasks.iter().enumerate() {
            let Some(kind) = sent.kind() else { continue };
            let mut sent = sent.clone();
            shown.get(&n).into_iter().for_each(|shown| sent.shown.add_all(shown));
            let sent = &sent;
            let reply = replies.remove(&n).ok_or_else(|| "the reply leaves it out".to_owned());
            match reply.and_then(|reply| has_form(kind, &reply).map(|()| reply)) {
                Ok(reply) => self.take_sent(kind, sent, &reply, known.get(&(kind, sent.digest.clone())))?,
                Err(reason) => self.fail_sent(kind, sent, &ModelError::new(ErrorKind::Unusable, reason)),
            }
        }
        Ok(())
    }

    /// Keeps the reply to one task; of what has changed since it was sent nothing is checked, and nothing is used.
    fn take_sent(&mut self, kind: Kind, sent: &SentTask, reply: &Value, task: Option<&Task>) -> Result<(), Failure> {
        self.outcome.batch.n_collected += 1;
        if self.engine.recorded(kind, &sent.digest, &sent.manner).is_some() {
            return Ok(());
        }
        let manner = (sent.manner.clone(), 0);
        let kept = self.engine.keep_reply_to((kind, &sent.digest), (&sent.read, &sent.shown), manner, reply)?;
        let task = task.map(|task| Task { shown: sent.shown.clone(), ..task.clone() });
        self.note_taken((kind, &sent.digest), task.as_ref(), &kept)
    }

    /// A call without a usable reply. Where several were asked at once, each is asked alone from now on.
    fn fail_call(&mut self, call: &SentCall, error: &ModelError) {
        let Some(kind) = Kind::parse(&call.kind) else { return };
        if call.tasks.len() > 1 && kind != Kind::Doubt {
            self.leave_pack_alone(kind, error);
            let why = format!("{}; it is asked alone from now on", error.message);
            self.outcome.failed.extend(call.tasks.iter().map(|task| (task.label.clone(), why.clone())));
            return;
        }
        for sent in &call.tasks {
            self.fail_sent(sent.kind().unwrap_or(kind), sent, error);
        }
    }

    fn fail_sent(&mut self, kind: Kind, sent: &SentTask, error: &ModelError) {
        self.outcome.failed.push((sent.label.clone(), error.message.clone()));
        // In this run it is not sent again.
        self.leave_alone(kind, &sent.digest, error);
    }

    fn leave_pack_alone(&mut self, kind: Kind, error: &ModelError) {
        self.leave_alone(kind, PACK, error);
    }

    /// Writes down what a call came to, for this vault and over all.
    pub(super) fn settle_call(
        &mut self,
        batch: &SentBatch,
        call: &SentCall,
        (usage, is_answered): (&Usage, bool),
        money: Money,
    ) -> Result<(), Failure> {
        self.purse.collect((&call.name, &call.kind, &batch.model), (usage, is_answered), money)?;
        if let Some(batches) = self.model().batches() {
            batches.settle(&batch.booked(call, money), (usage, is_answered));
        }
        Ok(())
    }
}

impl Engine {
    /// The tasks that have these names, as far as what they read is still there.
    fn tasks_named(&self, names: &BTreeSet<(Kind, String)>) -> Result<Tasks, Failure> {
        let author = Author { renew: true, ..super::nobody() };
        let is_wanted = |kind: Kind| names.iter().any(|(known, _)| *known == kind);
        let mut tasks: Vec<Task> = Vec::new();
        if is_wanted(Kind::Distill) {
            tasks.extend(self.session_tasks_named(&|digest| names.contains(&(Kind::Distill, digest.to_owned())))?);
        }
        if is_wanted(Kind::Compile) {
            let portions = self.unread(&author, "")?.into_iter().flat_map(|file| file.portions);
            tasks.extend(portions.map(crate::compile::bare_portion_task));
        }
        if names.iter().any(|(kind, _)| !matches!(kind, Kind::Distill | Kind::Compile | Kind::Doubt)) {
            tasks.extend(self.page_tasks(&author, "")?);
        }
        let named = tasks.into_iter().map(|task| ((task.kind(), task.digest.clone()), task));
        // What was read at once has a name of its own; verdicts have no parts that could be rejected.
        Ok(named.filter(|(name, task)| names.contains(name) && !matches!(task.input, Input::Doubt(_))).collect())
    }
}

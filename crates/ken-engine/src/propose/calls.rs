//! Several calls under way at once.
//!
//! What does not depend on each other goes out without waiting, as many at once as the model takes. Every call is
//! booked with the most that it can cost before it goes out, and one that would fit only without those under way
//! waits for them; so what is asked is what would be asked one call at a time. A reply is kept when it comes, in
//! whatever order: a run that is killed loses the calls under way and no other. What is said of them afterwards
//! stands in the order in which they were wanted.
//!
//! The first call of a run goes alone, and the first of a kind alone among its kind: it shows whether there is a
//! login and whether the model can answer several texts at once, and fills the provider's cache for the others.
//! While calls fail they go one by one.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Sender, channel};
use std::thread::ScopedJoinHandle;

use ken_model::{Answered, ErrorKind, ModelError, Prompt, ask_json, ask_list};

use super::across;
use super::check::Rejected;
use super::kinds::Kind;
use super::pack::{REPLIES, has_form_together, label_of, prompt_of, replies_of};
use super::run::{Room, Run, Sent};
use super::task::{Task, has_form};
use crate::failure::Failure;

/// What stands for a digest where the task is to answer several at once.
pub(super) const PACK: &str = "pack";

/// What is to be asked in one call.
struct Wanted<'t> {
    /// Which pack it is, and which task of it where they are asked one by one.
    at: (usize, usize),
    tasks: Vec<&'t Task>,
}

/// A call that is under way.
struct UnderWay<'t, 's> {
    wanted: Wanted<'t>,
    sent: Sent,
    /// Whether another one was under way at the same time.
    is_beside: bool,
    reply: ScopedJoinHandle<'s, Result<Answered, ModelError>>,
}

/// What was said of a call: parts that do not hold, tasks without a usable reply, and why the first has none.
type Said = (Vec<(String, Rejected)>, Vec<(String, String)>, Option<Failure>);

/// Tells when it goes that a call is back, whatever became of it.
struct Back(Sender<usize>, usize);

impl Drop for Back {
    fn drop(&mut self) {
        // Nobody waits any longer only where all is over.
        let _ = self.0.send(self.1);
    }
}

impl<'t> Wanted<'t> {
    fn kind(&self) -> Kind {
        self.tasks[0].kind().in_calls()
    }

    fn prompt(&self, run: &Run<'_>) -> Prompt {
        match self.tasks.as_slice() {
            [task] => task.prompt(run.fence()),
            tasks => prompt_of(tasks, run.fence()),
        }
    }

    /// Puts it into a queue, in its place.
    fn queue(self, queue: &mut VecDeque<Wanted<'t>>) {
        let place = queue.partition_point(|other| other.at < self.at);
        queue.insert(place, self);
    }

    /// Puts its tasks into a queue, to be asked one by one.
    fn queue_one_by_one(self, queue: &mut VecDeque<Wanted<'t>>) {
        for (n, task) in self.tasks.into_iter().enumerate() {
            Wanted { at: (self.at.0, n + 1), tasks: vec![task] }.queue(queue);
        }
    }
}

impl Run<'_> {
    /// Asks packs of tasks, each in one call, except those that were asked in this manner before; no task may depend
    /// on what is replied to another. Each has a reply of its own, kept as if it had been asked alone. Where a reply
    /// to several as a whole is of no use they are asked one by one.
    ///
    /// # Errors
    /// When a reply, or its cost, cannot be written down.
    pub(crate) fn ask_all(&mut self, packs: &[Vec<Task>]) -> Result<(), Failure> {
        self.begin_step(packs.iter().filter(|pack| !pack.is_empty()).count());
        self.ask_packs(packs, 0)
    }

    /// Asks packs as [`Run::ask_all`] does, in a step of which so many calls come afterwards.
    ///
    /// # Errors
    /// As [`Run::ask_all`].
    pub(crate) fn ask_packs(&mut self, packs: &[Vec<Task>], n_later: usize) -> Result<(), Failure> {
        if self.author().in_batch {
            self.pile_up(packs.iter().map(|pack| pack.iter().collect()).collect());
            return Ok(());
        }
        let numbered = packs.iter().enumerate().filter(|(_, pack)| !pack.is_empty());
        let mut queue: VecDeque<Wanted<'_>> =
            numbered.map(|(n, pack)| Wanted { at: (n, 0), tasks: pack.iter().collect() }).collect();
        let mut said = vec![((0, 0), self.take_said())];
        let model = self.model();
        let (tell, told) = channel();
        let done = std::thread::scope(|scope| {
            let mut under_way: BTreeMap<usize, UnderWay<'_, '_>> = BTreeMap::new();
            let mut done = Ok(());
            let mut n_sent = 0;
            loop {
                // What cannot be written down once is not asked for again; what is under way is paid for.
                while done.is_ok()
                    && let Some((wanted, prompt)) = self.next(&mut queue, &under_way)
                {
                    let kind = wanted.kind();
                    self.expect(queue.len() + 1 + n_later);
                    let Some(sent) = self.begin(kind, &prompt, &label_of(wanted.tasks[0], wanted.tasks.len())) else {
                        self.outcome.n_left += wanted.tasks.len();
                        continue;
                    };
                    let (back, of_one) = (Back(tell.clone(), n_sent), wanted.tasks[0].kind());
                    let is_pack = wanted.tasks.len() > 1;
                    let reply = scope.spawn(move || {
                        let _back = back;
                        match is_pack {
                            true => ask_list(model, &prompt, REPLIES, &has_form_together),
                            false => ask_json(model, &prompt, &|reply| has_form(of_one, reply)),
                        }
                    });
                    let is_beside = !under_way.is_empty();
                    under_way.values_mut().for_each(|call| call.is_beside = true);
                    under_way.insert(n_sent, UnderWay { wanted, sent, is_beside, reply });
                    n_sent += 1;
                }
                if under_way.is_empty() {
                    return done;
                }
                let Some(call) = told.recv().ok().and_then(|n| under_way.remove(&n)) else { continue };
                let at = call.wanted.at;
                let landed = self.land(call, &mut queue);
                said.push((at, self.take_said()));
                done = done.and(landed);
            }
        });
        said.sort_by_key(|(at, _)| *at);
        said.into_iter().for_each(|(_, said)| self.add_said(said));
        done
    }

    /// Returns what is to be asked next with its prompt; `None` when that waits for what is under way, or nothing is left.
    fn next<'t>(
        &mut self,
        queue: &mut VecDeque<Wanted<'t>>,
        under_way: &BTreeMap<usize, UnderWay<'t, '_>>,
    ) -> Option<(Wanted<'t>, Prompt)> {
        while let Some(mut wanted) = queue.pop_front() {
            if self.has_to_wait(&wanted, under_way) {
                queue.push_front(wanted);
                return None;
            }
            wanted.tasks.retain(|task| self.before(task).is_none());
            if wanted.tasks.is_empty() {
                continue;
            }
            if self.is_over() {
                self.outcome.n_left += wanted.tasks.len();
                continue;
            }
            let is_pack = wanted.tasks.len() > 1;
            if is_pack && self.is_left_alone(wanted.kind(), PACK) {
                wanted.queue_one_by_one(queue);
                continue;
            }
            let prompt = wanted.prompt(self);
            match self.room_for(&prompt) {
                Room::Enough => return Some((wanted, prompt)),
                _ if !under_way.is_empty() => {
                    queue.push_front(wanted);
                    return None;
                }
                // What is left may do for some of them.
                Room::TooLittle if is_pack => wanted.queue_one_by_one(queue),
                // It is said when it is begun, why nothing is left.
                Room::TooLittle => return Some((wanted, prompt)),
                Room::Refused(error) => {
                    self.outcome.n_left += wanted.tasks.len();
                    self.stop(error.into());
                }
            }
        }
        None
    }

    /// Whether a call has to wait for one that is under way.
    fn has_to_wait(&self, wanted: &Wanted<'_>, under_way: &BTreeMap<usize, UnderWay<'_, '_>>) -> bool {
        let is_first_of_kind = !self.was_answered(wanted.kind());
        let names = |tasks: &[&Task], name: &Task| {
            tasks.iter().any(|task| task.kind() == name.kind() && task.digest == name.digest)
        };
        let holds_up = |call: &UnderWay<'_, '_>| {
            (is_first_of_kind && call.wanted.kind() == wanted.kind())
                || wanted.tasks.iter().any(|task| names(&call.wanted.tasks, task))
        };
        under_way.len() >= self.calls_at_once_max() || under_way.values().any(holds_up)
    }

    /// Keeps what came back, and asks again for what was turned away because of others.
    fn land<'t>(&mut self, call: UnderWay<'t, '_>, queue: &mut VecDeque<Wanted<'t>>) -> Result<(), Failure> {
        let UnderWay { wanted, sent, is_beside, reply } = call;
        let kind = wanted.kind();
        let answered = reply.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match self.end(&sent, answered)? {
            Err(error) if is_beside && is_turned_away(&error) => {
                self.go_one_by_one();
                wanted.queue(queue);
            }
            Err(error) if wanted.tasks.len() > 1 && is_worth_asking_alone(kind, &error) => {
                self.leave_alone(kind, PACK, &error);
                wanted.queue_one_by_one(queue);
            }
            Err(error) => self.failed(&wanted.tasks, error),
            Ok(answered) => {
                // The replies first: what is paid for must not be lost between two writes.
                match wanted.tasks.as_slice() {
                    [task] => self.take(task, &answered.json)?,
                    tasks => self.take_each(tasks, &answered)?,
                }
                self.settle(&sent, &answered.usage)?;
            }
        }
        Ok(())
    }

    /// Keeps the replies to several tasks.
    fn take_each(&mut self, tasks: &[&Task], answered: &Answered) -> Result<(), Failure> {
        let mut replies = match tasks {
            [] => return Ok(()),
            [first, ..] => replies_of(first.kind(), &answered.json, tasks.len()),
        };
        let shown = across::resolve(tasks[0].kind(), &mut replies);
        for (n, task) in tasks.iter().enumerate() {
            let reply = replies.remove(&n).ok_or_else(|| "the reply leaves it out".to_owned());
            match reply.and_then(|reply| has_form(task.kind(), &reply).map(|()| reply)) {
                Ok(reply) => match shown.get(&n) {
                    None => self.take(task, &reply)?,
                    Some(shown) => self.take(&task.showing(shown), &reply)?,
                },
                Err(reason) => self.failed_at(task, &ModelError::new(ErrorKind::Unusable, reason)),
            }
        }
        Ok(())
    }

    fn take_said(&mut self) -> Said {
        let outcome = &mut self.outcome;
        (std::mem::take(&mut outcome.rejected), std::mem::take(&mut outcome.failed), outcome.failure.take())
    }

    fn add_said(&mut self, (rejected, failed, failure): Said) {
        self.outcome.rejected.extend(rejected);
        self.outcome.failed.extend(failed);
        self.outcome.failure = self.outcome.failure.take().or(failure);
    }
}

/// Whether a call may have failed only because others were under way: too many at once, or what they may cost was
/// reserved and left too little.
fn is_turned_away(error: &ModelError) -> bool {
    let is_of_many = matches!(error.kind, ErrorKind::RateLimited { .. } | ErrorKind::Overloaded | ErrorKind::Setup);
    is_of_many && error.usage.total() == 0
}

/// Whether tasks that failed together are asked one by one. What is only doubted stays so instead.
fn is_worth_asking_alone(kind: Kind, error: &ModelError) -> bool {
    match error.kind {
        ErrorKind::TooLong => true,
        ErrorKind::Unusable => kind != Kind::Doubt,
        _ => false,
    }
}

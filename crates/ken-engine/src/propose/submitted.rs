//! Answers to work packets: read, checked and kept, text by text; one that mends brings only what it mends.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::ground::overlap;
use ken_model::{json_of, list_of};
use serde_json::Value;

use super::across;
use super::check::Rejected;
use super::kinds::Kind;
use super::pack::{REPLIES, has_form_together, replies_of};
use super::task::{Task, has_form};
use crate::engine::Engine;
use crate::failure::Failure;

/// The name under which agents' replies are recorded.
pub(super) const AGENT: &str = "agent";

/// Longest answer that is read, in bytes.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// What was taken of an answer so far.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) accepted: usize,
    pub(super) rejected: Vec<Rejected>,
    pub(super) doubted: Vec<Rejected>,
    /// Digests of tasks about sessions of which something was rejected.
    pub(super) mendable: BTreeSet<String>,
    pub(super) is_kept: bool,
    /// What the parts of the text that is looked at begin with: `2.`.
    text: String,
}

impl Taken {
    fn refuse(&mut self, reason: &str) {
        self.rejected.push(Rejected::whole(&format!("{}reply", self.text), reason));
    }
}

impl Engine {
    /// Checks and keeps the replies to the tasks of a packet, by their places.
    pub(super) fn take_all(
        &self,
        tasks: &[Option<Task>],
        mut replies: BTreeMap<usize, Value>,
        taken: &mut Taken,
    ) -> Result<(), Failure> {
        let known = self.replies()?;
        let answered: BTreeSet<usize> = replies.keys().copied().collect();
        let by_agent =
            |task: &Task| self.standing(&known, task.kind(), &task.digest).filter(|one| one.manner.model == AGENT);
        // Whoever mends a text may name statements of earlier ones that were taken.
        for (n, task) in tasks.iter().enumerate().filter_map(|(n, task)| Some((n, task.as_ref()?))) {
            if let Some(reply) = by_agent(task).and_then(|earlier| json_of(&earlier.reply)) {
                replies.entry(n).or_insert(reply);
            }
        }
        let across = tasks.iter().flatten().next().map(|task| across::resolve(task.kind(), &mut replies));
        let across = across.filter(|_| tasks.len() > 1).unwrap_or_default();
        for (n, task) in tasks.iter().enumerate() {
            // Of several texts a part is named by the number of its text, which stays.
            taken.text = if tasks.len() > 1 { format!("{}.", n + 1) } else { String::new() };
            let reply = replies.get(&n).filter(|_| answered.contains(&n));
            match (task, reply) {
                (Some(task), Some(reply)) => {
                    let earlier = by_agent(task);
                    let besides = across.get(&n).into_iter().chain(earlier.as_ref().map(|earlier| &earlier.shown));
                    let task = besides.fold(task.clone(), |task, shown| task.showing(shown));
                    let earlier = earlier.as_ref().map(|earlier| earlier.reply.as_str());
                    let revision = known.count(task.kind(), &task.digest);
                    self.take_one(&task, (reply, earlier, revision), taken)?;
                }
                // What was taken before may have changed it: only who answers it is told.
                (None, Some(_)) => taken.refuse("what it reads has changed since the packet was handed out"),
                (Some(task), None) if by_agent(task).is_none() => taken.refuse("the reply leaves it out"),
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks and keeps the reply to one task, together with what held of an earlier one.
    fn take_one(
        &self,
        task: &Task,
        (reply, earlier, revision): (&Value, Option<&str>, usize),
        taken: &mut Taken,
    ) -> Result<(), Failure> {
        let whole = earlier.map_or_else(|| reply.clone(), |earlier| with_earlier(task, reply.clone(), earlier));
        if let Err(reason) = has_form(task.kind(), &whole) {
            taken.refuse(&reason);
            return Ok(());
        }
        let (n_parts, report) = task.check(&whole);
        self.keep_rejected(task, &report.rejected)?;
        // Where nothing holds the packet stays open: there is something to mend.
        if n_parts > 0 || report.rejected.is_empty() {
            self.keep_reply(task, (task.manner(AGENT, ""), revision), &whole)?;
            taken.is_kept = true;
        }
        if !report.rejected.is_empty() && task.kind() == Kind::Distill {
            taken.mendable.insert(task.digest.clone());
        }
        taken.accepted += if earlier.is_some() { task.check(reply).0 } else { n_parts };
        let named = |part: Rejected| Rejected { part: format!("{}{}", taken.text, part.part), ..part };
        let (rejected, doubted) = (report.rejected, report.doubted);
        let (rejected, doubted): (Vec<_>, Vec<_>) =
            (rejected.into_iter().map(named).collect(), doubted.into_iter().map(named).collect());
        taken.rejected.extend(rejected);
        taken.doubted.extend(doubted);
        Ok(())
    }
}

/// Returns the replies in an answer, by the places of the tasks that they are to.
///
/// # Errors
/// Why it is none.
pub(super) fn read(tasks: &[Option<Task>], answer: &[u8]) -> Result<BTreeMap<usize, Value>, String> {
    if answer.len() > ANSWER_BYTES_MAX {
        return Err(format!("it has {} bytes, at most {ANSWER_BYTES_MAX} are allowed", answer.len()));
    }
    let text = str::from_utf8(answer).map_err(|_| "it is not UTF-8 text")?;
    let reply = json_of(text).ok_or("it has no whole JSON object in it");
    match tasks {
        [Some(_)] => Ok(BTreeMap::from([(0, reply?)])),
        // Verdicts name their claims, whichever text these are of.
        tasks if reply.as_ref().is_ok_and(|reply| reply.get("verdicts").is_some()) => {
            let reply = reply?;
            Ok((0..tasks.len()).map(|n| (n, reply.clone())).collect())
        }
        tasks => {
            // Of an answer that broke off, what is whole is taken.
            let reply = reply.ok().filter(|reply| has_form_together(reply).is_ok()).or_else(|| list_of(text, REPLIES));
            let reply = reply.ok_or("`replies` is missing; an object with a list of replies is expected")?;
            let kind = tasks.iter().flatten().next().map_or(Kind::Page, Task::kind);
            Ok(replies_of(kind, &reply, tasks.len()))
        }
    }
}

/// A mended answer with what held of the earlier one, so that it may bring only what was mended: of a reading the entries of
/// its lists, of a page its fields. Of other answers the newer one stands alone.
fn with_earlier(task: &Task, mut reply: Value, earlier: &str) -> Value {
    let Some(Value::Object(earlier)) = json_of(earlier) else { return reply };
    let is_reading = matches!(task.kind(), Kind::Compile | Kind::Distill);
    let Some(fields) = reply.as_object_mut().filter(|_| is_reading || task.kind() == Kind::Page) else {
        return reply;
    };
    let report = task.check(&Value::Object(earlier.clone())).1;
    let named = |parts: Vec<Rejected>| parts.into_iter().map(|part| part.part).collect::<BTreeSet<String>>();
    let (rejected, doubted) = (named(report.rejected), named(report.doubted));
    // A part that was doubted is said better in a mended one that rests on some of its lines and has most of its words.
    let mended: Vec<Value> = fields.values().filter_map(Value::as_array).flatten().cloned().collect();
    let is_mended = |part: &Value| mended.iter().any(|other| says_again(part, other));
    for (name, known) in earlier {
        let (Some(parts), true) = (known.as_array(), is_reading) else {
            fields.entry(name).or_insert(known);
            continue;
        };
        let Some(mended) = fields.entry(name.as_str()).or_insert_with(|| Value::Array(Vec::new())).as_array_mut()
        else {
            continue;
        };
        let says = |part: &Value| part.get("text").or(part.get("name")).cloned();
        let is_said = |part: &Value, mended: &[Value]| mended.iter().any(|other| says(other) == says(part));
        let goes = |n: usize, part: &Value| {
            let place = format!("{name}[{n}]");
            rejected.contains(&place) || doubted.contains(&place) && is_mended(part) || is_said(part, mended)
        };
        let kept = parts.iter().enumerate().filter(|(n, part)| !goes(*n, part));
        let kept: Vec<Value> = kept.map(|(_, part)| part.clone()).collect();
        mended.splice(0..0, kept);
    }
    reply
}

/// How much of a part another one says that takes its place.
const SAYS_AGAIN: f32 = 0.5;

/// Whether a part rests on lines of another one and has most of its words.
fn says_again(part: &Value, other: &Value) -> bool {
    let (Some((a, b)), Some((c, d))) = (lines_of(part), lines_of(other)) else { return false };
    let text = |part: &Value| part.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
    a <= d && c <= b && overlap(&text(part), &[&text(other)]) >= SAYS_AGAIN
}

/// The first and the last line that a part cites.
fn lines_of(part: &Value) -> Option<(u64, u64)> {
    let lines = part.get("lines")?.as_array()?;
    Some((lines.first()?.as_u64()?, lines.last()?.as_u64()?))
}

//! Work packets: the calling agent as the model.
//!
//! `next` hands out one task with everything that is needed to do it, and notes until when it is taken, so
//! that two agents never work on the same one; a packet that nobody answered in time is handed out again.
//! `submit` puts the answer through the same checks as any model's reply, keeps it, and compiles. What does
//! not hold comes back with reasons, and the same packet may be answered again.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::{Digest, Timestamp};
use ken_model::{json_of, list_of};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::{Rejected, Shown};
use super::kinds::Kind;
use super::pack::{REPLIES, has_form_together, packs, prompt_of, replies_of};
use super::run::Author;
use super::task::{Fence, Input, Task, has_form, shareable};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;

/// The name under which agents' replies are recorded.
const AGENT: &str = "agent";

/// How long a packet is taken, in minutes.
pub const PACKET_MINUTES: u64 = 30;
/// Longest id of a packet.
const ID_CHARS_MAX: usize = 80;
/// Longest answer that is read, in bytes.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// A part of what a packet reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacketInput {
    /// The file.
    pub path: String,
    /// First and last line.
    pub lines: (usize, usize),
    /// What stands there.
    pub text: String,
}

/// A task for an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Packet {
    /// What to submit it under.
    pub id: String,
    /// What kind of task it is.
    pub kind: Kind,
    /// Everything that is needed: rules, what is known, what is read.
    pub prompt: String,
    /// The form of the answer, as JSON Schema.
    pub schema: Value,
    /// What is read.
    pub inputs: Vec<PacketInput>,
    /// Until when nobody else gets it.
    pub expires: Timestamp,
    /// Tasks of this round that are open besides and that nobody has.
    pub n_left: usize,
}

/// What came of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct SubmitOutcome {
    /// Parts that hold.
    pub accepted: usize,
    /// What the compile changed; none when nothing was recorded.
    pub applied: Option<CompileOutcome>,
    /// Parts that do not hold, each with the reason.
    pub rejected: Vec<Rejected>,
}

/// A packet that was handed out.
#[derive(Debug, Serialize, Deserialize)]
struct Lease {
    tasks: Vec<Leased>,
    expires: String,
}

/// A task of it.
#[derive(Debug, Serialize, Deserialize)]
struct Leased {
    kind: String,
    digest: String,
    shown: Shown,
}

/// What names a task: its kind and its digest.
type Name = (String, String);

fn lease_name(id: &str) -> String {
    format!("tasks/{id}.json")
}

fn name_of(task: &Task) -> Name {
    (task.kind().as_str().to_owned(), task.digest.clone())
}

/// The id of a packet: of one task its own name, of several that of all of them.
fn id_of(tasks: &[Task]) -> String {
    match tasks {
        [task] => format!("{}-{}", task.kind().as_str(), task.digest),
        tasks => {
            let all: Vec<String> = tasks.iter().map(|task| task.digest.clone()).collect();
            format!(
                "{}-{}",
                tasks[0].kind().in_calls().as_str(),
                &Digest::of(all.join(" ").as_bytes()).to_string()[..16]
            )
        }
    }
}

impl Engine {
    /// Hands out the next task that nobody else has, or none when nothing is open; `minutes` is how long it
    /// is taken.
    ///
    /// # Errors
    /// When the vault cannot be read, or the packet cannot be written down.
    pub fn next_task(&self, minutes: u64) -> Result<Option<Packet>, Failure> {
        let _guard = self.lock("task next")?;
        let taken = self.taken()?;
        // Sessions first: what is distilled of them takes the place of what would be read otherwise.
        if let Some((task, n_left)) = self.next_session(&|task| !taken.contains(&name_of(task)))? {
            return self.hand_out(&[task], minutes, n_left).map(Some);
        }
        let author = nobody();
        let mut n_open = 0;
        let mut chosen = None;
        let mut n_free = 0;
        let unread = self.unread(&author, AGENT)?;
        for unread in self.sessions_of(&unread, false)?.without(unread) {
            n_open += unread.portions.len();
            let is_free = |digest: &str| !taken.contains(&(Kind::Compile.as_str().to_owned(), digest.to_owned()));
            n_free += unread.portions.iter().filter(|portion| is_free(&portion.digest)).count();
            if chosen.is_none()
                && let Some(portion) = unread.portions.iter().find(|portion| is_free(&portion.digest)).cloned()
            {
                let slice = self.slice(&unread.portions)?;
                chosen = Some(vec![crate::compile::portion_task(portion, &slice, &BTreeMap::new())]);
            }
        }
        // Pages are asked about when everything is read: until then their claims still change.
        if n_open == 0 {
            let doubts = self.doubt_tasks(&author, AGENT)?;
            let tasks = if doubts.is_empty() { self.page_tasks(&author, AGENT)? } else { doubts };
            // Weeks are told when what they are made of no longer changes.
            let tasks = if tasks.is_empty() { self.rollup_tasks(&author, AGENT)? } else { tasks };
            let free: Vec<Task> = tasks.into_iter().filter(|task| !taken.contains(&name_of(task))).collect();
            n_free = free.len();
            // What is asked of pages is asked at once, as of a model.
            chosen = match free.first().map(|task| task.kind().in_calls()) {
                Some(Kind::Page) => packs(free).into_iter().next(),
                _ => free.into_iter().next().map(|task| vec![task]),
            };
        }
        let Some(tasks) = chosen else { return Ok(None) };
        self.hand_out(&tasks, minutes, n_free.saturating_sub(tasks.len())).map(Some)
    }

    /// Notes that tasks are taken, and returns them as a packet.
    fn hand_out(&self, tasks: &[Task], minutes: u64, n_left: usize) -> Result<Packet, Failure> {
        let span = jiff::SignedDuration::from_mins(i64::try_from(minutes).unwrap_or(30).clamp(1, 24 * 60));
        let expires = self.clock.now.checked_add(span).unwrap_or(self.clock.now);
        let leased = |task: &Task| Leased {
            kind: task.kind().as_str().to_owned(),
            digest: task.digest.clone(),
            shown: task.shown.clone(),
        };
        let lease = Lease { tasks: tasks.iter().map(leased).collect(), expires: expires.to_string() };
        let bytes = serde_json::to_vec(&lease).map_err(|error| Failure::refused(error.to_string()))?;
        let id = id_of(tasks);
        self.store.keep(&lease_name(&id), &bytes)?;
        Ok(packet(tasks, id, expires, n_left))
    }

    /// Tasks that somebody has; packets whose time is over are forgotten.
    fn taken(&self) -> Result<BTreeSet<Name>, Failure> {
        let mut taken = BTreeSet::new();
        for name in self.store.kept_names("tasks")? {
            let Some(id) = name.strip_suffix(".json") else { continue };
            let lease = self.lease(id)?;
            let is_taken =
                |lease: &Lease| lease.expires.parse().is_ok_and(|expires: Timestamp| expires > self.clock.now);
            match lease.filter(is_taken) {
                Some(lease) => taken.extend(lease.tasks.into_iter().map(|task| (task.kind, task.digest))),
                None => self.store.drop_kept(&lease_name(id))?,
            }
        }
        Ok(taken)
    }

    /// Returns how many packets somebody has; forgets none.
    pub(crate) fn n_taken(&self) -> Result<usize, Failure> {
        let names = self.store.kept_names("tasks")?;
        let expires = |name: &String| {
            let lease = self.lease(name.strip_suffix(".json")?).ok()??;
            lease.expires.parse::<Timestamp>().ok()
        };
        Ok(names.iter().filter_map(expires).filter(|expires| *expires > self.clock.now).count())
    }

    fn lease(&self, id: &str) -> Result<Option<Lease>, Failure> {
        let bytes = self.store.kept(&lease_name(id))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Takes an answer to a packet: checks it, keeps what holds, and compiles.
    ///
    /// # Errors
    /// When there is no such packet, what it reads has changed since, or the vault cannot be written.
    pub fn submit_task(&self, id: &str, answer: &[u8]) -> Result<SubmitOutcome, Failure> {
        let tasks = self.leased_tasks(id)?;
        let replies = match read(&tasks, answer) {
            Ok(replies) => replies,
            Err(reason) => {
                let rejected = vec![Rejected::whole("reply", reason)];
                return Ok(SubmitOutcome { accepted: 0, applied: None, rejected });
            }
        };
        let (mut accepted, mut rejected, mut is_kept) = (0, Vec::new(), false);
        let known = self.replies()?;
        for (n, task) in tasks.iter().enumerate() {
            // Of several texts a part is named by the number of its text, which stays.
            let text = if tasks.len() > 1 { format!("{}.", n + 1) } else { String::new() };
            let named = |part: Rejected| Rejected { part: format!("{text}{}", part.part), ..part };
            let Some(task) = task else {
                let reason = "what it reads has changed since the packet was handed out";
                rejected.push(named(Rejected::whole("reply", reason)));
                continue;
            };
            let earlier = self.standing(&known, task.kind(), &task.digest).filter(|one| one.manner.model == AGENT);
            let reply = match (replies.get(&n), &earlier) {
                (Some(reply), Some(earlier)) => with_earlier(task, reply.clone(), &earlier.reply),
                (Some(reply), None) => reply.clone(),
                // It was answered before, and what is mended is another.
                (None, Some(_)) => continue,
                (None, None) => {
                    rejected.push(named(Rejected::whole("reply", "the reply leaves it out")));
                    continue;
                }
            };
            if let Err(reason) = has_form(task.kind(), &reply) {
                rejected.push(named(Rejected::whole("reply", reason)));
                continue;
            }
            let (n_parts, report) = task.check(&reply);
            self.keep_rejected(task, &report.rejected)?;
            // Where nothing holds the packet stays open: there is something to mend.
            if n_parts > 0 || report.rejected.is_empty() {
                let revision = known.count(task.kind(), &task.digest);
                self.keep_reply(task, (task.manner(AGENT, ""), revision), &reply)?;
                if let Input::Session(_, session) = &task.input {
                    self.distill(Some(session), None)?;
                }
                is_kept = true;
            }
            accepted += n_parts;
            rejected.extend(report.rejected.into_iter().map(named));
        }
        // What is answered whole needs no mending, and is nobody's any more.
        if is_kept && rejected.is_empty() {
            self.store.drop_kept(&lease_name(id))?;
        }
        let applied = if is_kept { Some(self.compile(crate::CompileOptions::default())?) } else { None };
        Ok(SubmitOutcome { accepted, applied, rejected })
    }

    /// The tasks of a packet, read again from the vault; none in place of one that is not there any more.
    fn leased_tasks(&self, id: &str) -> Result<Vec<Option<Task>>, Failure> {
        let known = || Failure::usage(format!("there is no work packet `{}`", ken_core::text::cut(id, 60)));
        let is_id =
            !id.is_empty() && id.len() <= ID_CHARS_MAX && id.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '-');
        if !is_id {
            return Err(known().hint("ids are those that `ken task next` prints"));
        }
        let lease = self.lease(id)?.ok_or_else(|| known().hint("get one with `ken task next`; they expire"))?;
        let kind = lease.tasks.first().and_then(|task| Kind::parse(&task.kind)).ok_or_else(known)?;
        let mut open: BTreeMap<Name, Task> =
            self.tasks_like(kind, &lease.tasks[0].digest)?.into_iter().map(|task| (name_of(&task), task)).collect();
        let task = |leased: Leased| {
            let task = open.remove(&(leased.kind, leased.digest))?;
            Some(Task { shown: leased.shown, ..task })
        };
        let tasks: Vec<Option<Task>> = lease.tasks.into_iter().map(task).collect();
        if tasks.iter().all(Option::is_none) {
            return Err(Failure::refused(format!(
                "what the work packet `{id}` reads has changed since it was handed out"
            ))
            .hint("nothing was changed; get another one with `ken task next`"));
        }
        Ok(tasks)
    }

    /// The tasks among which those of a packet are. It may be answered again to mend what did not hold, so replies do not
    /// close it here.
    fn tasks_like(&self, kind: Kind, digest: &str) -> Result<Vec<Task>, Failure> {
        let author = Author { renew: true, ..nobody() };
        Ok(match kind {
            Kind::Compile => {
                let unread = self.unread(&author, "")?;
                unread.into_iter().flat_map(|file| file.portions).map(crate::compile::bare_portion_task).collect()
            }
            Kind::Distill => self.session_task(digest)?.into_iter().collect(),
            Kind::Doubt => self.doubt_tasks(&author, "")?,
            Kind::Rollup => self.rollup_tasks(&author, "")?,
            _ => self.page_tasks(&author, "")?,
        })
    }
}

/// Returns the replies in an answer, by the places of the tasks that they are to.
///
/// # Errors
/// Why it is none.
fn read(tasks: &[Option<Task>], answer: &[u8]) -> Result<BTreeMap<usize, Value>, String> {
    if answer.len() > ANSWER_BYTES_MAX {
        return Err(format!("it has {} bytes, at most {ANSWER_BYTES_MAX} are allowed", answer.len()));
    }
    let text = str::from_utf8(answer).map_err(|_| "it is not UTF-8 text")?;
    let reply = json_of(text).ok_or("it has no whole JSON object in it");
    match tasks {
        [Some(task)] => reply.map_err(str::to_owned).and_then(|reply| {
            has_form(task.kind(), &reply)?;
            Ok(BTreeMap::from([(0, reply)]))
        }),
        tasks => {
            // Of an answer that broke off, what is whole is taken.
            let reply = reply.ok().filter(|reply| has_form_together(reply).is_ok()).or_else(|| list_of(text, REPLIES));
            let reply = reply.ok_or("`replies` is missing; an object with a list of replies is expected")?;
            Ok(replies_of(Kind::Page, &reply, tasks.len()))
        }
    }
}

/// A mended answer with what held of the earlier one, so that it may bring only what was mended: of a reading the entries of
/// the lists at its top, of a page its fields. Of other answers the newer one stands alone.
fn with_earlier(task: &Task, mut reply: Value, earlier: &str) -> Value {
    let Some(Value::Object(earlier)) = json_of(earlier) else { return reply };
    match task.kind() {
        Kind::Compile => {}
        Kind::Page => {
            let Value::Object(fields) = &mut reply else { return reply };
            for (name, field) in earlier {
                fields.entry(name).or_insert(field);
            }
            return reply;
        }
        _ => return reply,
    }
    let rejected: BTreeSet<String> =
        task.check(&Value::Object(earlier.clone())).1.rejected.into_iter().map(|part| part.part).collect();
    for (name, parts) in earlier {
        let (Some(parts), Some(Value::Array(mended))) = (parts.as_array(), reply.get_mut(&name)) else { continue };
        let says = |part: &Value| part.get("text").or(part.get("name")).cloned();
        let is_said = |part: &Value, mended: &[Value]| mended.iter().any(|other| says(other) == says(part));
        let kept = parts
            .iter()
            .enumerate()
            .filter(|(n, part)| !rejected.contains(&format!("{name}[{n}]")) && !is_said(part, mended));
        let kept: Vec<Value> = kept.map(|(_, part)| part.clone()).collect();
        mended.splice(0..0, kept);
    }
    reply
}

/// Returns an author without a model and with nothing to spend.
pub(crate) fn nobody() -> Author {
    Author {
        model: None,
        prices: ken_model::Prices::built_in(),
        caps: super::costs::Caps::default(),
        renew: false,
        on_ask: None,
        in_batch: false,
    }
}

fn packet(tasks: &[Task], id: String, expires: Timestamp, n_left: usize) -> Packet {
    let prompt = match tasks {
        [task] => task.prompt(&Fence::new()),
        tasks => prompt_of(&tasks.iter().collect::<Vec<_>>(), &Fence::new()),
    };
    let text = [prompt.rules.as_str(), &prompt.context, &prompt.input].join("\n");
    let inputs = tasks.iter().flat_map(inputs_of).collect();
    let kind = match tasks {
        [task] => task.kind(),
        tasks => tasks[0].kind().in_calls(),
    };
    Packet { id, kind, prompt: text, schema: prompt.schema.json, inputs, expires, n_left }
}

/// What is read for a task.
fn inputs_of(task: &Task) -> Vec<PacketInput> {
    match &task.input {
        Input::Portion(portion) => {
            vec![PacketInput {
                path: portion.path.to_string(),
                lines: portion.range(),
                text: shareable(&portion.text()),
            }]
        }
        Input::Session(portion, session) => {
            vec![PacketInput { path: format!("session {session}"), lines: portion.range(), text: portion.text() }]
        }
        Input::Doubt(doubts) => vec![PacketInput {
            path: doubts.portion.path.to_string(),
            lines: doubts.portion.range(),
            text: shareable(&doubts.told()),
        }],
        Input::Page(wanted) => vec![of_page(&wanted.page)],
        Input::Merge(pages) => pages.iter().map(of_page).collect(),
        Input::Rollup(told) => {
            let text = shareable(&task.material());
            vec![PacketInput { path: told.path.to_string(), lines: (1, text.lines().count()), text }]
        }
        Input::Answer(_)
        | Input::Judge(_)
        | Input::Support(_)
        | Input::Code(_)
        | Input::Grade(_)
        | Input::Reword(..) => Vec::new(),
    }
}

fn of_page(page: &super::kinds::PageView) -> PacketInput {
    let text = shareable(&page.told_by_id());
    PacketInput { path: page.path.clone(), lines: (1, text.lines().count()), text }
}

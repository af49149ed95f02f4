//! Work packets: the calling agent as the model.
//!
//! `next` hands out one task with everything that is needed to do it, and notes until when it is taken, so
//! that two agents never work on the same one; a packet that nobody answered in time is handed out again.
//! `submit` puts the answer through the same checks as any model's reply, keeps it, and compiles. What does
//! not hold comes back with reasons, and the same packet may be answered again.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Timestamp;
use ken_model::json_of;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::{Rejected, Shown};
use super::kinds::Kind;
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
    kind: String,
    digest: String,
    expires: String,
    shown: Shown,
}

fn lease_name(id: &str) -> String {
    format!("tasks/{id}.json")
}

fn id_of(task: &Task) -> String {
    format!("{}-{}", task.kind().as_str(), task.digest)
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
        if let Some((task, n_left)) = self.next_session(&|task| !taken.contains_key(&id_of(task)))? {
            return self.hand_out(&task, minutes, n_left).map(Some);
        }
        let author = nobody();
        let mut n_open = 0;
        let mut chosen = None;
        let mut n_free = 0;
        let unread = self.unread(&author, AGENT)?;
        for unread in self.sessions_of(&unread, false)?.without(unread) {
            n_open += unread.portions.len();
            let is_free = |digest: &str| !taken.contains_key(&format!("compile-{digest}"));
            n_free += unread.portions.iter().filter(|portion| is_free(&portion.digest)).count();
            if chosen.is_none()
                && let Some(portion) = unread.portions.iter().find(|portion| is_free(&portion.digest)).cloned()
            {
                let slice = self.slice(&unread.portions)?;
                chosen = Some(crate::compile::portion_task(portion, &slice, &BTreeMap::new()));
            }
        }
        // Pages are asked about when everything is read: until then their claims still change.
        if n_open == 0 {
            let doubts = self.doubt_tasks(&author, AGENT)?;
            let tasks = if doubts.is_empty() { self.page_tasks(&author, AGENT)? } else { doubts };
            // Weeks are told when what they are made of no longer changes.
            let tasks = if tasks.is_empty() { self.rollup_tasks(&author, AGENT)? } else { tasks };
            let mut free = tasks.into_iter().filter(|task| !taken.contains_key(&id_of(task)));
            chosen = free.next();
            n_free = free.count() + 1;
        }
        let Some(task) = chosen else { return Ok(None) };
        self.hand_out(&task, minutes, n_free.saturating_sub(1)).map(Some)
    }

    /// Notes that a task is taken, and returns it as a packet.
    fn hand_out(&self, task: &Task, minutes: u64, n_left: usize) -> Result<Packet, Failure> {
        let span = jiff::SignedDuration::from_mins(i64::try_from(minutes).unwrap_or(30).clamp(1, 24 * 60));
        let expires = self.clock.now.checked_add(span).unwrap_or(self.clock.now);
        let lease = Lease {
            kind: task.kind().as_str().to_owned(),
            digest: task.digest.clone(),
            expires: expires.to_string(),
            shown: task.shown.clone(),
        };
        let bytes = serde_json::to_vec(&lease).map_err(|error| Failure::refused(error.to_string()))?;
        let id = id_of(task);
        self.store.keep(&lease_name(&id), &bytes)?;
        Ok(packet(task, id, expires, n_left))
    }

    /// Packets that somebody has, with when they come back; those of yesterday are forgotten.
    fn taken(&self) -> Result<BTreeMap<String, Timestamp>, Failure> {
        let mut taken = BTreeMap::new();
        for name in self.store.kept_names("tasks")? {
            let Some(id) = name.strip_suffix(".json") else { continue };
            let expires = self.lease(id)?.and_then(|lease| lease.expires.parse::<Timestamp>().ok());
            match expires {
                Some(expires) if expires > self.clock.now => drop(taken.insert(id.to_owned(), expires)),
                _ => self.store.drop_kept(&lease_name(id))?,
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
        let task = self.leased_task(id)?;
        let refused = |reason: String| SubmitOutcome {
            accepted: 0,
            applied: None,
            rejected: vec![Rejected { part: "reply".to_owned(), reason, text: String::new(), cited: String::new() }],
        };
        if answer.len() > ANSWER_BYTES_MAX {
            return Ok(refused(format!("it has {} bytes, at most {ANSWER_BYTES_MAX} are allowed", answer.len())));
        }
        let Ok(text) = str::from_utf8(answer) else { return Ok(refused("it is not UTF-8 text".to_owned())) };
        let Some(reply) = json_of(text) else { return Ok(refused("it has no whole JSON object in it".to_owned())) };
        if let Err(reason) = has_form(task.kind(), &reply) {
            return Ok(refused(reason));
        }
        let replies = self.replies()?;
        let reply = match self.standing(&replies, task.kind(), &task.digest) {
            Some(earlier) if earlier.manner.model == AGENT => with_earlier(&task, reply, &earlier.reply),
            _ => reply,
        };
        let (accepted, report) = task.check(&reply);
        self.keep_rejected(&task, &report.rejected)?;
        // Where nothing holds the packet stays open: there is something to mend.
        let applied = if accepted == 0 && !report.rejected.is_empty() {
            None
        } else {
            let revision = replies.count(task.kind(), &task.digest);
            self.keep_reply(&task, (task.manner(AGENT, ""), revision), &reply)?;
            if let Input::Session(_, session) = &task.input {
                self.distill(Some(session), None)?;
            }
            // What is answered whole needs no mending, and is nobody's any more.
            if report.rejected.is_empty() {
                self.store.drop_kept(&lease_name(id))?;
            }
            Some(self.compile(crate::CompileOptions::default())?)
        };
        Ok(SubmitOutcome { accepted, applied, rejected: report.rejected })
    }

    /// The task of a packet, read again from the vault.
    fn leased_task(&self, id: &str) -> Result<Task, Failure> {
        let known = || Failure::usage(format!("there is no work packet `{}`", ken_core::text::cut(id, 60)));
        let is_id =
            !id.is_empty() && id.len() <= ID_CHARS_MAX && id.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '-');
        if !is_id {
            return Err(known().hint("ids are those that `ken task next` prints"));
        }
        let lease = self.lease(id)?.ok_or_else(|| known().hint("get one with `ken task next`; they expire"))?;
        let kind = Kind::parse(&lease.kind).ok_or_else(known)?;
        // A packet may be answered again to mend what did not hold, so replies do not close it here.
        let author = Author { renew: true, ..nobody() };
        let found = match kind {
            Kind::Compile => {
                let unread = self.unread(&author, "")?;
                let portion = unread.into_iter().flat_map(|file| file.portions).find(|one| one.digest == lease.digest);
                portion.map(crate::compile::bare_portion_task)
            }
            Kind::Distill => self.session_task(&lease.digest)?,
            Kind::Doubt => self.doubt_tasks(&author, "")?.into_iter().find(|task| task.digest == lease.digest),
            Kind::Rollup => self.rollup_tasks(&author, "")?.into_iter().find(|task| task.digest == lease.digest),
            _ => self
                .page_tasks(&author, "")?
                .into_iter()
                .find(|task| task.kind() == kind && task.digest == lease.digest),
        };
        let mut task = found.ok_or_else(|| {
            Failure::refused(format!("what the work packet `{id}` reads has changed since it was handed out"))
                .hint("nothing was changed; get another one with `ken task next`")
        })?;
        task.shown = lease.shown;
        Ok(task)
    }
}

/// A mended answer with what held of the earlier one, so that it may bring only what was mended. Parts are
/// entries of the lists at the top of an answer; of other answers the newer one stands alone.
fn with_earlier(task: &Task, mut reply: Value, earlier: &str) -> Value {
    let Some(Value::Object(earlier)) = json_of(earlier) else { return reply };
    if task.kind() != Kind::Compile {
        return reply;
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

fn packet(task: &Task, id: String, expires: Timestamp, n_left: usize) -> Packet {
    let prompt = task.prompt(&Fence::new());
    let text = [prompt.rules.as_str(), &prompt.context, &prompt.input].join("\n");
    let inputs = match &task.input {
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
        Input::Header(page) | Input::Classify(page, _) | Input::Synthesize(page) => vec![of_page(page)],
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
    };
    Packet { id, kind: task.kind(), prompt: text, schema: prompt.schema.json, inputs, expires, n_left }
}

fn of_page(page: &super::kinds::PageView) -> PacketInput {
    let text = shareable(&page.told());
    PacketInput { path: page.path.clone(), lines: (1, text.lines().count()), text }
}

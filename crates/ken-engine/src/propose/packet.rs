//! Work packets: the calling agent as the model.
//!
//! `next` hands out one task with everything that is needed to do it, and notes until when it is taken, so
//! that two agents never work on the same one; a packet that nobody answered in time is handed out again.
//! `submit` puts the answer through the same checks as any model's reply, keeps it, and compiles. What does
//! not hold comes back with reasons, and the same packet may be answered again.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::{Digest, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::{Rejected, Shown};
use super::kinds::Kind;
use super::pack::{packs, prompt_of};
use super::run::Author;
use super::submitted::{AGENT, Taken, read};
use super::task::{Fence, Input, Task, shareable};
use crate::distill::ToRead;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;

/// How long a packet is taken, in minutes.
pub const PACKET_MINUTES: u64 = 30;
/// Longest id of a packet.
const ID_CHARS_MAX: usize = 80;
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
    /// Parts that are kept as unverified, each with what it is doubted for.
    pub doubted: Vec<Rejected>,
    /// Sessions that were answered and wait to be written down, until what is doubted of them is asked about.
    pub n_waiting: usize,
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
    /// The session that it reads, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// Which answered sessions are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Write<'a> {
    /// All.
    All,
    /// Those of which nothing is doubted that could be asked about, but for tasks that can be mended.
    Sure(&'a BTreeSet<String>),
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
        if self.write_answered(Write::Sure(&BTreeSet::new()))? {
            self.compile_only(crate::CompileOptions::default())?;
        }
        let _guard = self.lock("task next")?;
        let (waiting, taken) = (self.leased_sessions()?.into_keys().collect(), self.taken()?);
        let is_free = |task: &Task| !taken.contains(&name_of(task));
        let author = nobody();
        // What is doubted of a session keeps it from being written down, and what is written is shown to who reads on.
        let doubts = self.doubts_of_sessions(&self.answered_sessions(&waiting)?, (&author, AGENT))?;
        let doubts: Vec<Task> = doubts.into_iter().filter(is_free).collect();
        let n_doubts = doubts.len();
        if let Some(pack) = packs(doubts).into_iter().next() {
            return self.hand_out(&pack, minutes, n_doubts - pack.len()).map(Some);
        }
        // Sessions first: what is distilled of them takes the place of what would be read otherwise.
        if let Some((pack, n_left)) = self.next_sessions(&is_free)? {
            return self.hand_out(&pack, minutes, n_left).map(Some);
        }
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
            let free: Vec<Task> = tasks.into_iter().filter(is_free).collect();
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
            session: if let Input::Session(_, session) = &task.input { Some(session.clone()) } else { None },
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

    /// Sessions that packets read, each with whether somebody still has one of these.
    fn leased_sessions(&self) -> Result<BTreeMap<String, bool>, Failure> {
        let mut out = BTreeMap::new();
        for name in self.store.kept_names("tasks")? {
            let Some(lease) = name.strip_suffix(".json").map(|id| self.lease(id)).transpose()?.flatten() else {
                continue;
            };
            let is_taken = lease.expires.parse().is_ok_and(|expires: Timestamp| expires > self.clock.now);
            for session in lease.tasks.into_iter().filter_map(|task| task.session) {
                *out.entry(session).or_default() |= is_taken;
            }
        }
        Ok(out)
    }

    /// Sessions of packets that were answered and are not written down.
    fn unwritten(&self) -> Result<Vec<ToRead>, Failure> {
        self.answered_sessions(&self.leased_sessions()?.into_keys().collect())
    }

    /// Writes down sessions of packets that were answered. Returns whether the journal has more than before.
    fn write_answered(&self, which: Write<'_>) -> Result<bool, Failure> {
        let mut answered = self.unwritten()?;
        if let Write::Sure(mendable) = which {
            let leased = self.leased_sessions()?;
            let doubts = self.doubts_of_sessions(&answered, (&nobody(), AGENT))?;
            let doubted: BTreeSet<String> = doubts.into_iter().map(|task| task.digest).collect();
            let waits = |task: &Task| mendable.contains(&task.digest) || doubted.contains(&task.digest);
            // Nobody asks any more about what nobody has any more.
            let is_taken = |one: &ToRead| leased.get(one.session()).is_some_and(|is_taken| *is_taken);
            answered.retain(|one| !is_taken(one) || !one.tasks().iter().any(waits));
        }
        if answered.is_empty() { Ok(false) } else { self.write_sessions(answered) }
    }

    /// Writes down all sessions of packets that were answered, whatever is doubted of them.
    ///
    /// # Errors
    /// When the vault cannot be read or written.
    pub(crate) fn write_waiting(&self) -> Result<(), Failure> {
        self.write_answered(Write::All).map(|_| ())
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
        let mut taken = Taken::default();
        match read(&tasks, answer) {
            Ok(replies) => self.take_all(&tasks, replies, &mut taken)?,
            Err(reason) => taken.rejected.push(Rejected::whole("reply", reason)),
        }
        let is_of_sessions = tasks.iter().flatten().any(is_of_session);
        let is_written = taken.is_kept && is_of_sessions && self.write_answered(Write::Sure(&taken.mendable))?;
        let n_waiting = if is_of_sessions { self.unwritten()?.len() } else { 0 };
        // What is answered whole needs no mending, and is nobody's any more; nor is what was said of doubts, since of what was
        // mended meanwhile it says nothing.
        let is_of_doubts = tasks.iter().flatten().any(|task| task.kind() == Kind::Doubt);
        if taken.is_kept && (is_of_doubts || taken.rejected.is_empty() && n_waiting == 0) {
            self.store.drop_kept(&lease_name(id))?;
        }
        let is_changed = is_written || taken.is_kept && !is_of_sessions;
        let applied = if is_changed { Some(self.compile_only(crate::CompileOptions::default())?) } else { None };
        let Taken { accepted, rejected, doubted, .. } = taken;
        Ok(SubmitOutcome { accepted, applied, rejected, doubted, n_waiting })
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
        let digests: BTreeSet<&str> = lease.tasks.iter().map(|task| task.digest.as_str()).collect();
        let mut open: BTreeMap<Name, Task> =
            self.tasks_like(kind, &digests)?.into_iter().map(|task| (name_of(&task), task)).collect();
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
    fn tasks_like(&self, kind: Kind, digests: &BTreeSet<&str>) -> Result<Vec<Task>, Failure> {
        let author = Author { renew: true, ..nobody() };
        Ok(match kind {
            Kind::Compile => {
                let unread = self.unread(&author, "")?;
                unread.into_iter().flat_map(|file| file.portions).map(crate::compile::bare_portion_task).collect()
            }
            Kind::Distill => self.session_tasks_named(&|digest| digests.contains(digest))?,
            Kind::Doubt => {
                let mut tasks = self.doubts_of_sessions(&self.unwritten()?, (&author, ""))?;
                tasks.extend(self.doubt_tasks(&author, "")?);
                tasks
            }
            Kind::Rollup => self.rollup_tasks(&author, "")?,
            _ => self.page_tasks(&author, "")?,
        })
    }
}

/// Whether a task is about a session, which is written down before it changes a page.
fn is_of_session(task: &Task) -> bool {
    match &task.input {
        Input::Session(..) => true,
        Input::Doubt(doubts) => doubts.is_talk,
        _ => false,
    }
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

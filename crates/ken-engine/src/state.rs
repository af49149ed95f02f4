//! The state of the project: what is to be done, and how far it is.
//!
//! The page `state.md` is the truth, people edit it too; `state.json` says the same to programs and is made from it with every
//! change. What a session or a progress file says was done is not written into the page: it is read each time, with its place,
//! and so comes and goes with what says it.

mod record;
mod render;

use ken_core::markdown::inert;
use ken_core::state::{Change, State, Status, Task, changed, parse_state};
use ken_core::text::cut;
use ken_core::unmerged::unmerged;
use ken_core::{Basis, LogEntry, Plan, VaultPath};
use ken_intake::scrub::scrub;

use crate::engine::Engine;
use crate::failure::Failure;

pub(crate) use record::is_ours as is_record;
pub use render::{RenderOutcome, RenderPart};

/// Longest name of a task, reason and step, in characters: a long sentence.
const CHARS_MAX: usize = 200;
/// Most that is looked at of what somebody gives, in bytes: beyond, nothing is cleaned or cut, but refused.
const BYTES_MAX: usize = 4_000;
/// Most reasons, and most steps, of one task.
const ROWS_MAX: usize = 20;

/// What is to become of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateCommand {
    /// Add a task, or change the one of that name.
    Set(Change),
    /// Tasks are that far.
    Mark(Vec<String>, Status),
    /// A task waits for something.
    Block(String, Vec<String>),
    /// What comes next of a task, instead of what came next.
    Next(String, Vec<String>),
}

/// A task, and what else says that it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateTask {
    /// The task as its page says it.
    pub task: Task,
    /// What says that it was done since, where the page does not.
    pub closed: Option<ClosedBy>,
}

impl StateTask {
    /// Returns how far it is, by all that is known.
    pub fn status(&self) -> Status {
        if self.closed.is_some() { Status::Done } else { self.task.status }
    }
}

/// A line that says that a task was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedBy {
    /// Its file.
    pub path: VaultPath,
    /// The line, from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
}

/// The state of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateOutcome {
    /// The page.
    pub page: VaultPath,
    /// The file for programs.
    pub record: VaultPath,
    /// The tasks, in the order of the page.
    pub tasks: Vec<StateTask>,
    /// Lines that do not read, and what the two files say differently.
    pub notes: Vec<String>,
}

impl StateOutcome {
    /// Returns the tasks that a name may mean.
    pub fn named(&self, name: &str) -> Vec<&StateTask> {
        let tasks = self.tasks.iter().map(|one| one.task.clone()).collect();
        let state = State { tasks, notes: Vec::new() };
        let lines: Vec<usize> = state.meant(name).iter().map(|task| task.line).collect();
        self.tasks.iter().filter(|one| lines.contains(&one.task.line)).collect()
    }
}

/// What a command did to the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateChangeOutcome {
    /// The state afterwards.
    pub state: StateOutcome,
    /// The names of the tasks that were changed, each with whether it is new.
    pub changed: Vec<(String, bool)>,
    /// Secrets that were replaced.
    pub redactions: usize,
    /// How the page changes, where it was only asked.
    pub diff: Option<String>,
}

impl Engine {
    /// Returns the state of the project.
    ///
    /// # Errors
    /// When its page or the journal cannot be read.
    pub fn state(&self) -> Result<StateOutcome, Failure> {
        let text = self.state_text()?.unwrap_or_default();
        self.state_of(&text)
    }

    /// Changes the state of the project, as one operation.
    ///
    /// # Errors
    /// When no task or several are called so, a text is too long, or the page cannot be changed.
    pub fn change_state(&self, command: &StateCommand, dry_run: bool) -> Result<StateChangeOutcome, Failure> {
        let (command, redactions) = cleaned(command)?;
        // Who comes second reads what the first has written.
        let guard = self.lock("state")?;
        let before = self.state_text()?;
        let (page, record) = (self.layout().state_page(), self.layout().state_record());
        let known = self.may_write_state(before.as_deref())?;
        let mut text = before.clone().unwrap_or_default();
        let names = self.change_text(&command, &mut text)?;
        let notes = record::differences(known.as_deref(), before.as_deref().unwrap_or_default(), (&page, &record));
        let mut edits = Vec::new();
        if !text.is_empty() && before.as_deref() != Some(text.as_str()) {
            edits.push(Basis::of(&page, before.as_deref().map(str::as_bytes)).replace(text.clone()));
        }
        let log = LogEntry {
            at: self.clock.now,
            kind: "state".to_owned(),
            subject: subject(&names),
            lines: Vec::new(),
            inputs: Vec::new(),
            // An agent that works in a loop sets it at each turn.
            public: false,
        };
        let mut plan = Plan { edits, guards: Vec::new(), log };
        let diff = if dry_run { Some(self.diff(&plan)?) } else { None };
        let content = record::record(&page, &text);
        if !text.is_empty() && known.as_deref() != Some(content.as_bytes()) {
            plan.edits.push(Basis::of(&record, known.as_deref()).replace(content));
        }
        if !dry_run && !plan.is_empty() {
            self.apply(&guard, &plan)?;
        }
        drop(guard);
        let mut state = self.state_of(&text)?;
        // What somebody wrote into the record is told once more: it does not stand there any longer.
        state
            .notes
            .extend(notes.into_iter().filter(|note| !dry_run && !state.notes.contains(note)).collect::<Vec<_>>());
        Ok(StateChangeOutcome { state, changed: names, redactions, diff })
    }

    /// Refuses where the page or the record is not to be written to; returns the record as it stands.
    fn may_write_state(&self, text: Option<&str>) -> Result<Option<Vec<u8>>, Failure> {
        let (page, record) = (self.layout().state_page(), self.layout().state_record());
        if let Some((text, span)) = text.and_then(|text| Some((text, unmerged(text)?))) {
            let line = 1 + text[..span.start].matches('\n').count();
            return Err(Failure::refused(format!("`{page}:{line}` has conflict markers"))
                .hint("decide what is to stand there; nothing was changed"));
        }
        let known = self.store.read(&record)?;
        if known.as_deref().is_some_and(|bytes| !record::is_ours(bytes)) {
            return Err(Failure::refused(format!("`{record}` is not one that `ken state` wrote"))
                .hint("`state = \"FOLDER\"` in kenning.toml names another folder for it and its page")
                .hint("nothing was changed"));
        }
        Ok(known)
    }

    /// Makes the changes of a command in the text of the page; returns the names of the tasks, each with whether it is new.
    fn change_text(&self, command: &StateCommand, text: &mut String) -> Result<Vec<(String, bool)>, Failure> {
        let page = self.layout().state_page();
        let now = self.clock.now.to_zoned(self.clock.zone.clone()).datetime();
        let mut names = Vec::new();
        for change in changes(command, &parse_state(text), &page)? {
            let is_new = parse_state(text).find(&change.name).is_none();
            let Some(after) = changed(text, &change, now) else { continue };
            let state = parse_state(&after);
            let Some(task) = state.find(&change.name) else {
                return Err(Failure::refused(format!("a task cannot be added to `{page}`: its end is read as code"))
                    .hint("a code block in it is left open; nothing was changed"));
            };
            names.push((task.name.clone(), is_new));
            *text = after;
        }
        Ok(names)
    }

    /// The text of the page, if there is one.
    pub(crate) fn state_text(&self) -> Result<Option<String>, Failure> {
        let page = self.layout().state_page();
        let Some(bytes) = self.store.read(&page)? else { return Ok(None) };
        String::from_utf8(bytes).map(Some).map_err(|_| {
            Failure::refused(format!("`{page}` is not UTF-8 text")).hint("save it as UTF-8; nothing was changed")
        })
    }

    fn state_of(&self, text: &str) -> Result<StateOutcome, Failure> {
        let (page, record) = (self.layout().state_page(), self.layout().state_record());
        let state = parse_state(text);
        let mut notes: Vec<String> =
            state.notes.iter().map(|note| format!("{page}:{}: {}", note.line, note.says)).collect();
        let known = self.store.read(&record)?;
        notes.extend(record::differences(known.as_deref(), text, (&page, &record)));
        let mut closed = self.closed_tasks(&state)?;
        let tasks = state.tasks.into_iter().map(|task| {
            let closed = closed.remove(&task.line).filter(|_| task.status != Status::Done);
            StateTask { task, closed }
        });
        Ok(StateOutcome { tasks: tasks.collect(), page, record, notes })
    }
}

/// The changes that a command comes to.
fn changes(command: &StateCommand, state: &State, page: &VaultPath) -> Result<Vec<Change>, Failure> {
    let found = |name: &str| -> Result<String, Failure> {
        match state.meant(name).as_slice() {
            [task] => Ok(task.name.clone()),
            [] => {
                let failure = Failure::usage(format!("no task is called `{}`", cut(name, 60)));
                let closest = ken_core::text::closest(name, state.tasks.iter().map(|task| task.name.as_str()));
                let failure = match closest {
                    Some(closest) => failure.hint(format!("the closest is `{}`", cut(closest, 60))),
                    None => failure.hint(format!("`{page}` has no tasks; `ken state set \"NAME\"` adds one")),
                };
                let failure =
                    failure.hint("action items of the journal are no tasks; `ken log \"DONE: …\"` closes one");
                Err(failure.hint("nothing was changed"))
            }
            several => {
                let names: Vec<String> = several.iter().map(|task| format!("`{}`", cut(&task.name, 60))).collect();
                let shown = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
                Err(Failure::usage(format!("{} tasks have `{}` in their names", names.len(), cut(name, 60)))
                    .hint(format!("name one of {shown}"))
                    .hint("nothing was changed"))
            }
        }
    };
    let of = |name: &str| found(name).map(|name| Change { name, ..Change::default() });
    Ok(match command {
        StateCommand::Set(change) => vec![change.clone()],
        StateCommand::Mark(names, status) => names
            .iter()
            .map(|name| of(name).map(|change| Change { status: Some(*status), ..change }))
            .collect::<Result<_, Failure>>()?,
        StateCommand::Block(name, reasons) => {
            let blockers = Some(reasons.clone()).filter(|reasons| !reasons.is_empty());
            vec![Change { status: Some(Status::Blocked), blockers, ..of(name)? }]
        }
        StateCommand::Next(name, steps) => vec![Change { next: Some(steps.clone()), ..of(name)? }],
    })
}

/// A command whose texts may stand on a page, and how many secrets were replaced.
fn cleaned(command: &StateCommand) -> Result<(StateCommand, usize), Failure> {
    let mut n_secrets = 0;
    let mut one = |what: &str, text: &str| -> Result<String, Failure> {
        let (clean, n) = clean_text(what, text)?;
        n_secrets += n;
        Ok(clean)
    };
    let mut all = |what: &str, texts: &[String]| -> Result<Vec<String>, Failure> {
        if texts.len() > ROWS_MAX {
            return Err(Failure::usage(format!("there are {} of {what}, at most {ROWS_MAX} are kept", texts.len()))
                .hint("nothing was changed"));
        }
        texts.iter().map(|text| one(what, text)).collect()
    };
    let mut name = |text: &str| all("a name", &[text.to_owned()]).map(|mut names| names.remove(0));
    let command = match command {
        StateCommand::Set(change) => {
            let called = name(&change.name)?;
            let feature = match change.feature.as_deref().map(str::trim) {
                Some("") => Some(String::new()),
                Some(feature) => Some(name(feature)?.trim_matches(['#', ' ']).to_owned()),
                None => None,
            };
            StateCommand::Set(Change {
                name: called,
                feature,
                status: change.status,
                blockers: change.blockers.as_deref().map(|texts| all("a reason", texts)).transpose()?,
                next: change.next.as_deref().map(|texts| all("a step", texts)).transpose()?,
            })
        }
        StateCommand::Mark(names, status) => {
            StateCommand::Mark(names.iter().map(|text| name(text)).collect::<Result<_, Failure>>()?, *status)
        }
        StateCommand::Block(task, reasons) => StateCommand::Block(name(task)?, all("a reason", reasons)?),
        StateCommand::Next(task, steps) => StateCommand::Next(name(task)?, all("a step", steps)?),
    };
    Ok((command, n_secrets))
}

/// A text on one line, without secrets and without what is hidden or live.
fn clean_text(what: &str, text: &str) -> Result<(String, usize), Failure> {
    let too_long = |n: usize| {
        Failure::usage(format!("{what} of {n} characters is too long, at most {CHARS_MAX} are kept"))
            .hint("say it in a sentence; `ken log` keeps longer texts")
            .hint("nothing was changed")
    };
    if text.len() > BYTES_MAX {
        return Err(too_long(text.chars().count()));
    }
    let (clean, n_secrets) = scrub(text);
    let line = ken_core::journal::one_line(&inert(&clean));
    match () {
        () if line.chars().count() > CHARS_MAX => Err(too_long(line.chars().count())),
        () if !line.chars().any(char::is_alphanumeric) => {
            Err(Failure::usage(format!("{what} says nothing: it has no letter and no digit"))
                .hint("nothing was changed"))
        }
        () => Ok((line, n_secrets)),
    }
}

/// What an operation was about.
fn subject(names: &[(String, bool)]) -> String {
    match names {
        [] => "made state.json again".to_owned(),
        [(name, _)] => cut(name, 80),
        [(name, _), rest @ ..] => format!("{} and {} more", cut(name, 80), rest.len()),
    }
}

#[cfg(test)]
mod tests;

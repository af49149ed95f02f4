//! `ken state`: what is to be done in the project, and how far it is.

mod args;

use ken_core::state::{Change, Status};
use ken_engine::{Engine, Failure, StateChangeOutcome, StateCommand, StateOutcome, StateTask};
use serde::Serialize;

use crate::commands::compile::print_diff;
use crate::exit::Answer;
use crate::paint::{BOLD, DIM};
use crate::text::{clean, count};
use crate::ui::Ui;

pub(crate) use args::Args;
use args::{Command, SetArgs};

/// Done tasks that are listed; the page has all.
const DONE_MAX: usize = 10;

#[derive(Serialize)]
struct Wire<'a> {
    page: &'a str,
    record: &'a str,
    counts: Counts,
    tasks: Vec<WireTask<'a>>,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redactions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

#[derive(Serialize)]
struct Counts {
    todo: usize,
    doing: usize,
    blocked: usize,
    done: usize,
}

#[derive(Serialize)]
struct WireTask<'a> {
    name: &'a str,
    feature: Option<&'a str>,
    status: &'static str,
    since: Option<String>,
    blocked_by: &'a [String],
    next: &'a [String],
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    done_by: Option<WirePlace<'a>>,
}

#[derive(Serialize)]
struct WirePlace<'a> {
    path: &'a str,
    line: usize,
    text: &'a str,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let command = match &args.command {
        Command::Show(show) => return shown(show.task.as_deref(), |_| true, engine, ui),
        Command::Set(set) => StateCommand::Set(change(set)),
        Command::Done(done) => StateCommand::Mark(done.tasks.clone(), Status::Done),
        Command::Block(block) => StateCommand::Block(block.task.clone(), block.reasons.clone()),
        Command::Next(next) => match &next.task {
            Some(task) if next.none || !next.steps.is_empty() => StateCommand::Next(task.clone(), next.steps.clone()),
            task => return shown(task.as_deref(), |one| one.status() != Status::Done, engine, ui),
        },
    };
    let done = engine.change_state(&command, args.dry_run)?;
    if ui.is_json() {
        let tasks: Vec<&StateTask> = done.state.tasks.iter().collect();
        let mut wire = wire(&done.state, &tasks);
        wire.changed = Some(done.changed.iter().map(|(name, _)| name.as_str()).collect());
        wire.redactions = Some(done.redactions);
        wire.diff = done.diff.as_deref();
        ui.json(&wire);
        return Ok(Answer::Yes);
    }
    print_change(&done, ui);
    Ok(Answer::Yes)
}

fn change(set: &SetArgs) -> Change {
    let some = |values: &[String]| Some(values.to_vec()).filter(|values| !values.is_empty());
    Change {
        name: set.task.clone(),
        feature: set.feature.clone(),
        status: set.status,
        blockers: some(&set.blocked_by),
        next: some(&set.next),
    }
}

fn print_change(done: &StateChangeOutcome, ui: &mut Ui) {
    if let Some(diff) = &done.diff {
        print_diff(diff, ui);
    }
    if done.redactions > 0 {
        ui.say(format!("Replaced {}.", count(done.redactions, "secret")));
    }
    for (name, is_new) in done.changed.iter().filter(|_| done.diff.is_none()) {
        let task = done.state.tasks.iter().find(|one| one.task.name == *name);
        let status = task.map_or("todo", |one| one.task.status.word());
        let verb = if *is_new { "Added" } else { "Changed" };
        ui.say(format!("{verb} `{}`: {status} ({})", clean(name), done.state.page));
    }
    if done.changed.is_empty() {
        ui.say(format!("{} says so already; nothing was changed.", done.state.page));
    }
    done.state.notes.iter().for_each(|note| ui.warning(&clean(note)));
}

fn shown(
    name: Option<&str>,
    is_shown: impl Fn(&StateTask) -> bool,
    engine: &Engine,
    ui: &mut Ui,
) -> Result<Answer, Failure> {
    let state = engine.state()?;
    let mut tasks: Vec<&StateTask> = match name {
        None => state.tasks.iter().collect(),
        Some(name) => state.named(name),
    };
    let is_known = !tasks.is_empty();
    tasks.retain(|one| is_shown(one));
    if ui.is_json() {
        ui.json(&wire(&state, &tasks));
    } else if state.tasks.is_empty() {
        ui.say(format!("{} has no tasks yet; `ken state set \"NAME\"` adds one.", state.page));
    } else if is_known && tasks.is_empty() {
        ui.say("Nothing of it is left to do.");
    } else {
        print(&state, &tasks, name.is_some(), ui);
    }
    if !ui.is_json() {
        state.notes.iter().for_each(|note| ui.warning(&clean(note)));
    }
    match name {
        Some(name) if !is_known => {
            ui.say(format!("No task is called `{}`.", crate::text::brief(name, 60)));
            Ok(Answer::No)
        }
        _ => Ok(Answer::Yes),
    }
}

fn print(state: &StateOutcome, tasks: &[&StateTask], is_named: bool, ui: &mut Ui) {
    let paint = ui.paint();
    for (status, heading) in
        [(Status::Doing, "Doing"), (Status::Blocked, "Blocked"), (Status::Todo, "To do"), (Status::Done, "Done")]
    {
        let of: Vec<&&StateTask> = tasks.iter().filter(|one| one.status() == status).collect();
        if of.is_empty() {
            continue;
        }
        ui.line(format!("{} ({})", paint.of(BOLD, heading), of.len()));
        let is_done = status == Status::Done && !is_named;
        let skipped = if is_done { of.len().saturating_sub(DONE_MAX) } else { 0 };
        if skipped > 0 {
            ui.line(format!("  {}", paint.of(DIM, &format!("{skipped} before these stand in {}", state.page))));
        }
        of.iter().skip(skipped).for_each(|one| print_task(one, ui));
    }
}

fn print_task(one: &StateTask, ui: &mut Ui) {
    let paint = ui.paint();
    let task = &one.task;
    let feature = task.feature.as_ref().map(|feature| format!("{}: ", clean(feature))).unwrap_or_default();
    let since = task.since.map(|since| since.date()).filter(|_| one.closed.is_none());
    let word = if one.status() == Status::Done { "" } else { "since " };
    let since = since.map(|since| paint.of(DIM, &format!("  {word}{since}"))).unwrap_or_default();
    ui.line(format!("  {feature}{}{since}", clean(&task.name)));
    if let Some(by) = &one.closed {
        let says = crate::text::brief(&by.text, 100);
        ui.line(format!("    done by {}:{}: {says}", by.path, by.line));
        return;
    }
    if one.status() != Status::Done {
        task.blockers.iter().for_each(|reason| ui.line(format!("    blocked by: {}", clean(reason))));
        task.next.iter().for_each(|step| ui.line(format!("    next: {}", clean(step))));
    }
}

fn wire<'a>(state: &'a StateOutcome, tasks: &[&'a StateTask]) -> Wire<'a> {
    let n = |status| state.tasks.iter().filter(|one| one.status() == status).count();
    let task = |one: &&'a StateTask| WireTask {
        name: &one.task.name,
        feature: one.task.feature.as_deref(),
        status: one.status().word(),
        since: one.task.since.map(|since| since.strftime("%Y-%m-%dT%H:%M").to_string()),
        blocked_by: &one.task.blockers,
        next: &one.task.next,
        line: one.task.line,
        done_by: one.closed.as_ref().map(|by| WirePlace { path: by.path.as_str(), line: by.line, text: &by.text }),
    };
    Wire {
        page: state.page.as_str(),
        record: state.record.as_str(),
        counts: Counts {
            todo: n(Status::Todo),
            doing: n(Status::Doing),
            blocked: n(Status::Blocked),
            done: n(Status::Done),
        },
        tasks: tasks.iter().map(task).collect(),
        notes: &state.notes,
        changed: None,
        redactions: None,
        diff: None,
    }
}

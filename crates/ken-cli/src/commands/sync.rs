//! `ken sync`: captures what is new in every transcript of this vault's sessions.

use ken_core::VaultPath;
use ken_engine::outcome::{SyncOutcome, SyncedSession};
use ken_engine::{Engine, Failure, PruneOptions};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::wire;

/// Find this project's sessions of every agent and capture what is new
///
/// Looks where each agent keeps its transcripts, takes those of sessions that ran
/// in this vault's folder or below it, and captures what is not in the journal
/// yet. Sessions whose hook never ran are found here. Talk that `sessions_keep` in
/// kenning.toml does not keep any longer is taken out, as `ken prune` does.
///
/// Examples:
///   ken sync
///   ken sync --agent codex --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Look only for sessions of this agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

#[derive(Serialize)]
struct Wire<'a> {
    sessions: Vec<One<'a>>,
    unchanged: usize,
    foreign: usize,
    unreadable: Vec<Left<'a>>,
    failed: Vec<Left<'a>>,
    pending: usize,
    expired: Vec<&'a str>,
}

#[derive(Serialize)]
struct One<'a> {
    agent: &'a str,
    session: &'a str,
    entries_added: usize,
    lines_read: u64,
    lines_skipped: u64,
}

#[derive(Serialize)]
struct Left<'a> {
    path: &'a str,
    reason: &'a str,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.sync(&env::machine_as_it_is(), args.agent.as_deref())?;
    let pruned = engine.prune(PruneOptions { is_by_itself: true, ..PruneOptions::default() });
    let paths = pruned.as_ref().map(|pruned| pruned.pruned.iter().map(|one| one.path.clone()).collect::<Vec<_>>());
    let expired = paths.unwrap_or_default();
    if ui.is_json() {
        ui.json(&wire(&done, &expired));
    } else {
        print(&done, &expired, ui);
    }
    // What was captured is told first.
    pruned.map(|_| Answer::no_if(!done.failed.is_empty()))
}

fn wire<'a>(done: &'a SyncOutcome, expired: &'a [VaultPath]) -> Wire<'a> {
    let one = |session: &'a SyncedSession| One {
        agent: &session.agent,
        session: &session.session,
        entries_added: session.entries_added,
        lines_read: session.lines_read,
        lines_skipped: session.lines_skipped,
    };
    Wire {
        sessions: done.sessions.iter().map(one).collect(),
        unchanged: done.unchanged,
        foreign: done.foreign,
        unreadable: done.unreadable.iter().map(|(path, reason)| Left { path, reason }).collect(),
        failed: done.failed.iter().map(|(path, failure)| Left { path, reason: &failure.message }).collect(),
        pending: done.pending,
        expired: wire::paths(expired),
    }
}

fn print(done: &SyncOutcome, expired: &[VaultPath], ui: &mut Ui) {
    for session in done.sessions.iter().filter(|session| session.entries_added > 0) {
        let entries = count(session.entries_added, "entry");
        ui.say(format!("Captured {entries} from {} session {}", session.agent, clean(&session.session)));
    }
    let n_empty = done.sessions.iter().filter(|session| session.entries_added == 0).count();
    if done.sessions.len() == n_empty {
        ui.say("Nothing is new.");
    }
    let counts =
        [(n_empty, "held nothing new"), (done.unchanged, "had not changed"), (done.foreign, "of other projects")];
    for (n, what) in counts.iter().filter(|(n, _)| *n > 0) {
        ui.say(format!("  {} {what}", count(*n, "transcript")));
    }
    for (path, why) in &done.unreadable {
        ui.warning(&format!("`{}` was left out: {}", clean(path), clean(why)));
    }
    for (path, failure) in &done.failed {
        ui.warning(&format!("`{}` was not captured: {}", clean(path), clean(&failure.message)));
    }
    if !expired.is_empty() {
        let files = count(expired.len(), "session");
        ui.say(format!("  the talk of {files} was taken out: `sessions_keep` in kenning.toml says so"));
    }
    if done.pending > 0 {
        ui.say(format!("  {} in the spool; `ken work` takes those that are due", count(done.pending, "job")));
    }
}

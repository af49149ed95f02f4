//! The JSON of `ken install`.

use ken_agents::install::{Preview, PreviewStep, Scope};
use serde::Serialize;

use super::Candidate;
use crate::wire;

/// The answer.
#[derive(Serialize)]
pub(super) struct Wire<'a> {
    dry_run: bool,
    agents: Vec<One<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    agent: &'static str,
    scope: &'static str,
    folder: Option<String>,
    state: &'static str,
    changes: Vec<Change<'a>>,
    left: &'a [String],
    notes: Vec<&'a str>,
    error: Option<String>,
    hints: Vec<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Change<'a> {
    File { path: String, new: bool, diff: &'a str },
    Call { command: &'a str },
}

/// Returns the answer.
pub(super) fn wire(candidates: &[Candidate], dry_run: bool) -> Wire<'_> {
    Wire { dry_run, agents: candidates.iter().map(one).collect() }
}

/// Returns a scope as a word, and its folder.
pub(in crate::commands) fn scope(scope: &Scope) -> (&'static str, Option<String>) {
    match scope {
        Scope::User => ("user", None),
        Scope::Project(folder) => ("project", Some(wire::place(folder))),
    }
}

fn one(candidate: &Candidate) -> One<'_> {
    let (word, folder) = scope(&candidate.scope);
    let refusal = candidate.refusal();
    let done = candidate.done.as_ref().and_then(|done| done.as_ref().ok());
    let state = match (&candidate.planned, done) {
        _ if refusal.is_some() => "refused",
        (_, Some(done)) if done.is_changed => "installed",
        (Ok((_, Preview::Steps(_))), None) => "planned",
        _ => "present",
    };
    let changes = match &candidate.planned {
        Ok((_, Preview::Steps(steps))) => steps.iter().map(change).collect(),
        _ => Vec::new(),
    };
    One {
        agent: candidate.agent.name(),
        scope: word,
        folder,
        state,
        changes,
        left: &candidate.left,
        notes: done.map(|done| done.notes.iter().map(String::as_str).collect()).unwrap_or_default(),
        error: refusal.map(ToString::to_string),
        hints: refusal.map(|refusal| refusal.hints.iter().map(String::as_str).collect()).unwrap_or_default(),
    }
}

fn change(step: &PreviewStep) -> Change<'_> {
    match step {
        PreviewStep::File { path, is_new, diff } => Change::File { path: wire::place(path), new: *is_new, diff },
        PreviewStep::Call { line } => Change::Call { command: line },
    }
}

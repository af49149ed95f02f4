//! `ken capture`: puts sessions of agents into the journal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ken_engine::outcome::CaptureOutcome;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::{clean, count, number};
use crate::ui::Ui;
use crate::wire;

/// Put an agent's session into the journal
///
/// Reads the transcript that an agent recorded and adds what was asked, decided,
/// learned and done to the journal of its day. Secrets are replaced. A transcript
/// may be captured again while it grows: every line is captured once.
///
/// Examples:
///   ken capture ~/.claude/projects/-home-me-api/6f1c.jsonl
///   ken capture sessions/*.jsonl
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Transcripts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The agent that recorded them [default: told from the file]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

#[derive(Serialize)]
struct One<'a> {
    file: String,
    entries_added: usize,
    lines_read: u64,
    lines_skipped: u64,
    redactions: usize,
    journal: Option<&'a str>,
    journals: Vec<&'a str>,
    session: Option<&'a str>,
    agent: &'a str,
    skipped: &'a BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct Several<'a> {
    captures: Vec<One<'a>>,
    entries_added: usize,
    lines_read: u64,
    lines_skipped: u64,
    redactions: usize,
    failed: Vec<String>,
}

/// Runs the command: one file that cannot be read does not keep the others out.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let agent = args.agent.as_deref();
    if let [file] = args.files.as_slice() {
        let done = engine.capture(file, agent)?;
        if ui.is_json() {
            ui.json(&one(file, &done))
        } else {
            print(file, &done, ui)
        }
        return Ok(Answer::Yes);
    }
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    for file in &args.files {
        match engine.capture(file, agent) {
            Ok(outcome) => {
                if !ui.is_json() {
                    print(file, &outcome, ui);
                }
                done.push((file, outcome));
            }
            Err(failure) => {
                ui.failure(&failure);
                failed.push((file, failure));
            }
        }
    }
    if ui.is_json() {
        let failed = failed.iter().map(|(file, _)| wire::place(file)).collect();
        ui.json(&several(done.iter().map(|(file, outcome)| one(file, outcome)).collect(), failed));
    }
    match failed.is_empty() {
        true => Ok(Answer::Yes),
        false => {
            let message = format!("{} of {} were not captured", failed.len(), count(args.files.len(), "transcript"));
            Err(Failure::refused(message).hint("the others are in the journal"))
        }
    }
}

fn one<'a>(file: &Path, done: &'a CaptureOutcome) -> One<'a> {
    let journals = wire::paths(&done.journal);
    One {
        file: wire::place(file),
        entries_added: done.entries_added,
        lines_read: done.lines_read,
        lines_skipped: done.lines_skipped(),
        redactions: done.redactions,
        journal: if let [only] = journals.as_slice() { Some(only) } else { None },
        journals,
        session: done.session.as_deref(),
        agent: &done.agent,
        skipped: &done.skipped,
    }
}

fn several(captures: Vec<One<'_>>, failed: Vec<String>) -> Several<'_> {
    Several {
        entries_added: captures.iter().map(|one| one.entries_added).sum(),
        lines_read: captures.iter().map(|one| one.lines_read).sum(),
        lines_skipped: captures.iter().map(|one| one.lines_skipped).sum(),
        redactions: captures.iter().map(|one| one.redactions).sum(),
        captures,
        failed,
    }
}

fn print(file: &Path, done: &CaptureOutcome, ui: &mut Ui) {
    let file = clean(&wire::place(file));
    if done.entries_added == 0 {
        let why = if done.was_known { "was captured before" } else { "holds nothing for the journal" };
        ui.say(format!("`{file}` {why}; nothing was changed."));
        return;
    }
    let session = done.session.as_deref().map(|id| format!(", session {}", clean(id))).unwrap_or_default();
    let entries = count(done.entries_added, "entry");
    ui.say(format!(
        "Captured {entries} from `{file}` ({}{session}) into {}",
        done.agent,
        wire::paths(&done.journal).join(", ")
    ));
    let reasons: Vec<String> = done.skipped.iter().map(|(why, n)| format!("{} {}", n, clean(why))).collect();
    let lines = count(usize::try_from(done.lines_read).unwrap_or(usize::MAX), "line");
    let skipped = number(usize::try_from(done.lines_skipped()).unwrap_or(usize::MAX));
    match reasons.is_empty() {
        true => ui.say(format!("  {lines} read")),
        false => ui.say(format!("  {lines} read, {skipped} of them left out: {}", reasons.join(", "))),
    }
    if done.redactions > 0 {
        ui.say(format!("  {} replaced", count(done.redactions, "secret")));
    }
}

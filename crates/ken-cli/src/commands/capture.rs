//! `ken capture`: puts sessions of agents into the journal.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ken_core::VaultPath;
use ken_engine::outcome::CaptureOutcome;
use ken_engine::transcript::{Found, Transcript};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::HINT;
use crate::text::{clean, count, number};
use crate::ui::Ui;
use crate::wire;

/// Put an agent's session into the journal
///
/// Reads the transcript that an agent recorded and adds what was asked, decided,
/// learned and done to the journal of its day. What was said is kept word for
/// word beside it, as the talk of the session (`sessions` in kenning.toml). Secrets
/// are replaced. A transcript may be captured again while it grows: every line is
/// captured once. Of a folder, every transcript below it is taken; of a database,
/// every session in it.
///
/// Examples:
///   ken capture ~/.claude/projects/-home-me-api/6f1c.jsonl
///   ken capture sessions/*.jsonl
///   ken capture --agent codex ~/.codex/sessions
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Transcripts, or folders that hold some
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The agent that recorded them; `auto` tells it from each file [default: auto]
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
    talk: Option<&'a str>,
    session: Option<&'a str>,
    /// The day on which the session was forgotten, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    forgotten: Option<String>,
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
    passed_over: &'a BTreeMap<String, u64>,
}

/// Runs the command: one transcript that cannot be read does not keep the others out.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let agent = args.agent.as_deref();
    let found: Vec<Found> = args.paths.iter().map(|path| engine.transcripts_at(path)).collect();
    let mut passed_over: BTreeMap<String, u64> = BTreeMap::new();
    for (why, n) in found.iter().flat_map(|found| &found.passed_over) {
        *passed_over.entry((*why).to_owned()).or_default() += n;
    }
    let transcripts: Vec<&Transcript> = found.iter().flat_map(|found| &found.transcripts).collect();
    if let ([_], [transcript], true) = (args.paths.as_slice(), transcripts.as_slice(), passed_over.is_empty()) {
        let done = engine.capture(transcript, agent)?;
        if ui.is_json() {
            ui.json(&one(transcript, &done))
        } else {
            print(transcript, &done, ui)
        }
        return Ok(Answer::Yes);
    }
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    let mut captures = engine.captures();
    for transcript in transcripts {
        match captures.capture(transcript, agent) {
            Ok(outcome) => {
                if !ui.is_json() {
                    print(transcript, &outcome, ui);
                }
                done.push((transcript, outcome));
            }
            Err(failure) => {
                ui.failure(&failure);
                failed.push(transcript);
            }
        }
    }
    if ui.is_json() {
        let places = failed.iter().map(|transcript| transcript.place()).collect();
        let captures = done.iter().map(|(transcript, outcome)| one(transcript, outcome)).collect();
        ui.json(&several(captures, places, &passed_over));
    } else if !passed_over.is_empty() {
        let reasons: Vec<String> = passed_over.iter().map(|(why, n)| format!("{n} {}", clean(why))).collect();
        ui.say(format!("Passed over what is no transcript: {}", reasons.join(", ")));
    }
    match (failed.len(), done.len()) {
        (0, 0) => Err(Failure::refused("there is no transcript there").hint("nothing was changed")),
        (0, _) => Ok(Answer::Yes),
        (n_failed, n_done) => {
            let all = count(n_failed + n_done, "transcript");
            let message = format!("{n_failed} of {all} were not captured");
            Err(Failure::refused(message).hint("the others are in the journal"))
        }
    }
}

fn one<'a>(transcript: &Transcript, done: &'a CaptureOutcome) -> One<'a> {
    let journals = wire::paths(&done.journal);
    One {
        file: transcript.place(),
        entries_added: done.entries_added,
        lines_read: done.lines_read,
        lines_skipped: done.lines_skipped(),
        redactions: done.redactions,
        journal: if let [only] = journals.as_slice() { Some(only) } else { None },
        journals,
        talk: done.talk.as_ref().map(VaultPath::as_str),
        session: done.session.as_deref(),
        forgotten: done.forgotten.map(|at| at.strftime("%Y-%m-%d").to_string()),
        agent: &done.agent,
        skipped: &done.skipped,
    }
}

fn several<'a>(captures: Vec<One<'a>>, failed: Vec<String>, passed_over: &'a BTreeMap<String, u64>) -> Several<'a> {
    Several {
        entries_added: captures.iter().map(|one| one.entries_added).sum(),
        lines_read: captures.iter().map(|one| one.lines_read).sum(),
        lines_skipped: captures.iter().map(|one| one.lines_skipped).sum(),
        redactions: captures.iter().map(|one| one.redactions).sum(),
        captures,
        failed,
        passed_over,
    }
}

fn print(transcript: &Transcript, done: &CaptureOutcome, ui: &mut Ui) {
    let file = clean(&transcript.place());
    if let Some(at) = done.forgotten {
        let session = clean(done.session.as_deref().unwrap_or_default());
        ui.say(format!(
            "`{file}` is of a session that was forgotten on {}; nothing was changed.",
            at.strftime("%Y-%m-%d")
        ));
        let hint = ui.paint().of(HINT, "hint:");
        ui.say(format!("{hint} `ken forget --allow --session {session}` lets it in again"));
        return;
    }
    match (done.entries_added, &done.talk) {
        (0, None) => {
            let why = if done.was_known { "was captured before" } else { "holds nothing for the journal" };
            ui.say(format!("`{file}` {why}; nothing was changed."));
            return;
        }
        (0, Some(talk)) => ui.say(format!("`{file}` holds nothing for the journal; what was said is in {talk}")),
        (n_entries, _) => {
            let session = done.session.as_deref().map(|id| format!(", session {}", clean(id))).unwrap_or_default();
            let journal = wire::paths(&done.journal).join(", ");
            let entries = count(n_entries, "entry");
            ui.say(format!("Captured {entries} from `{file}` ({}{session}) into {journal}", done.agent));
        }
    }
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

//! `ken ingest`: registers documents as sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ken_agents::last_committed;
use ken_core::VaultPath;
use ken_engine::outcome::{IngestOutcome, IngestState, Trust};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::paint::{DIM, GOOD, PLAIN};
use crate::table::Cell;
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::wire::{self, Skipped};

/// Register documents as sources
///
/// Copies files (or every file of a folder) into the vault's folder of sources and
/// remembers their digests. Sources are never edited; `ken compile` makes pages of
/// them, and `ken lint` says when one has changed. When a copy is replaced, today's
/// journal is told what the document said before.
///
/// Markdown, HTML and text are copied as they are. PDF, Word (.docx), EPUB,
/// reStructuredText, AsciiDoc and text in other encodings than UTF-8 become text
/// whose lines can be cited, a PDF file page by page. What cannot be read is named
/// with the reason.
///
/// A document is of the day that its header says, else its name, else the newest
/// message of a chat, else the last commit that changed it: for that, this command
/// asks `git log` where the document stands.
///
/// Examples:
///   ken ingest docs/handbook.md notes/
///   ken ingest manual.pdf                       its pages, by their numbers
///   ken ingest --trust external report.html     somebody else's words
///   ken ingest --in-place docs/                 leave files where they are
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How far their words are believed [default: user]
    #[arg(long, value_name = "TRUST", default_value = "user", hide_default_value = true)]
    #[arg(value_parser = ["user", "external"])]
    trust: String,
    /// Leave files where they stand, inside the vault, instead of copying them
    #[arg(long)]
    in_place: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    sources: Vec<Source<'a>>,
    skipped: Vec<Skipped<'a>>,
    failed: Vec<Skipped<'a>>,
    redactions: usize,
    changes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    told_in: Option<&'a str>,
}

#[derive(Serialize)]
struct Source<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    digest: String,
    trust: &'static str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    committed: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let trust = Trust::parse(&args.trust).unwrap_or(Trust::External);
    let machine = env::machine_as_it_is();
    let committed = |top: &Path, names: &BTreeSet<String>| last_committed(&machine, top, names);
    let done = engine.ingest_committed(&args.paths, trust, args.in_place, &committed)?;
    if ui.is_json() {
        let (skipped, failed) = (wire::skipped(&done.skipped), wire::skipped(&done.failed));
        let (changes, told_in) = (done.n_revised, done.told_in.as_ref().map(VaultPath::as_str));
        let (sources, redactions) = (sources(&done), done.redactions);
        ui.json(&Wire { sources, skipped, failed, redactions, changes, told_in });
    } else {
        print(&done, ui);
    }
    if done.failed.is_empty() {
        return Ok(Answer::Yes);
    }
    let mut failure = Failure::refused(format!("{} could not be read", count(done.failed.len(), "path")));
    failure.chain = done.failed.iter().map(|(place, why)| format!("`{place}`: {why}")).collect();
    Err(failure.hint("the others were registered"))
}

fn sources(done: &IngestOutcome) -> Vec<Source<'_>> {
    let wire = |source: &'_ ken_engine::outcome::Ingested| {
        (source.digest.to_string(), source.trust.as_str(), source.state.as_str())
    };
    done.sources
        .iter()
        .map(|source| {
            let (digest, trust, state) = wire(source);
            let committed = source.day.map(|day| day.to_string());
            Source { path: source.path.as_str(), from: source.from.as_deref(), digest, trust, state, committed }
        })
        .collect()
}

fn print(done: &IngestOutcome, ui: &mut Ui) {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for source in &done.sources {
        let style = if source.state == IngestState::Unchanged { DIM } else { GOOD };
        let mut about = vec![source.trust.as_str().to_owned()];
        // Most names speak for themselves.
        let is_plain = |from: &&String| source.path.as_str().split_once('/').is_none_or(|(_, name)| name != *from);
        about.extend(source.day.map(|day| format!("committed on {day}")));
        about.extend(source.from.as_ref().filter(is_plain).map(|from| format!("from {from}")));
        let about = Cell::new(about.join("  ")).style(DIM);
        rows.push(vec![Cell::new(source.state.as_str()).style(style), Cell::new(source.path.as_str()), about]);
    }
    for (path, reason) in &done.skipped {
        rows.push(vec![Cell::new("skipped").style(PLAIN), Cell::new(path), Cell::new(reason).style(DIM)]);
    }
    ui.say_rows(&rows);
    let n_new = done.sources.iter().filter(|source| source.state != IngestState::Unchanged).count();
    if done.redactions > 0 {
        ui.say(format!("{} replaced in the copies.", count(done.redactions, "secret")));
    }
    if let Some(day) = &done.told_in {
        let n = count(done.n_revised, "changed statement");
        ui.say(format!("{n} recorded in {}.", clean(day.as_str())));
    }
    match (n_new, done.skipped.len()) {
        (0, 0) => ui.say("Nothing is new; nothing was changed."),
        (0, n) => ui.say(format!("Nothing is new, {} left out; nothing was changed.", clean(&count(n, "file")))),
        (n, _) => ui.say(format!("{} registered; `ken compile` makes pages of them.", count(n, "source"))),
    }
}

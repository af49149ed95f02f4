//! `ken import`: takes in what another tool or another vault wrote.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ken_engine::exchange::{ImportOptions, ImportOutcome, ImportState};
use ken_engine::outcome::Trust;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use super::export::named;
use crate::exit::Answer;
use crate::paint::PLAIN;
use crate::table::Cell;
use crate::text::{clean, count, number};
use crate::ui::Ui;
use crate::wire::{self, Skipped};

/// Rows that are printed of what was left out.
const SKIPPED_MAX: usize = 20;

/// Take in what another tool or another vault wrote
///
/// `jsonl` reads what `ken export jsonl` wrote, `okf` a bundle of the Open
/// Knowledge Format, `basic-memory` a folder of its notes, `llm-wiki-compiler`,
/// `qmd`, `hydraflow` and `recall` their folders. Conversations of ChatGPT and
/// Claude are captured (`ken capture FILE`), documents are registered (`ken ingest
/// PATH`).
///
/// An export of your own goes where it stood. All else is external: it goes among
/// the sources, leads nothing, and is marked wherever it is quoted. `--trust user`
/// takes it as your own. No file that stands here is replaced, and a second time
/// changes nothing.
///
/// Examples:
///   ken import jsonl backup.jsonl
///   ken import okf ./bundle --dry-run
///   ken import okf ./bundle --trust user     pages of your own
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The format; `ken export` lists them
    format: String,
    /// A file or folder
    src: PathBuf,
    /// How far it is believed [default: told by its seal]
    #[arg(long, value_name = "TRUST", value_parser = ["user", "external"])]
    trust: Option<String>,
    /// Change nothing; print the changes as a diff
    #[arg(long, short = 'n')]
    dry_run: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    format: &'a str,
    trust: &'a str,
    own: bool,
    imported: Vec<ImportedWire<'a>>,
    skipped: Vec<Skipped<'a>>,
    redactions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

#[derive(Serialize)]
struct ImportedWire<'a> {
    what: &'a str,
    path: &'a str,
    state: &'a str,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let format = named(&args.format, |format| format.read.is_some())?;
    let trust = args.trust.as_deref().and_then(Trust::parse);
    let done = engine.import(format, &args.src, ImportOptions { trust, dry_run: args.dry_run })?;
    if ui.is_json() {
        let imported = done.imported.iter().map(|one| ImportedWire {
            what: one.what,
            path: one.path.as_str(),
            state: one.state.as_str(),
        });
        ui.json(&Wire {
            format: format.name,
            trust: done.trust.as_str(),
            own: done.is_own,
            imported: imported.collect(),
            skipped: wire::skipped(&done.skipped),
            redactions: done.redactions,
            diff: done.diff.as_deref(),
        });
    } else {
        print(&done, args, ui);
    }
    Ok(Answer::Yes)
}

fn print(done: &ImportOutcome, args: &Args, ui: &mut Ui) {
    if let Some(diff) = &done.diff {
        ui.page_text(diff);
    }
    let mut rows: Vec<Vec<Cell>> = done
        .skipped
        .iter()
        .take(SKIPPED_MAX)
        .map(|(place, why)| vec![Cell::new("left out").style(PLAIN), Cell::new(place), Cell::new(why)])
        .collect();
    if let Some(more) = done.skipped.len().checked_sub(SKIPPED_MAX + 1) {
        rows.push(vec![Cell::new("left out").style(PLAIN), Cell::new(format!("and {} more", more + 1))]);
    }
    ui.say_rows(&rows);
    let told = told(done);
    let (verb, nothing) = if done.diff.is_some() { ("Would import", "would be") } else { ("Imported", "was") };
    if told.is_empty() {
        ui.say(format!("Nothing is new; nothing {nothing} changed."));
        return;
    }
    if done.redactions > 0 {
        ui.say(format!("{} replaced.", count(done.redactions, "secret")));
    }
    ui.say(format!("{verb} {}.", clean(&told)));
    if done.trust == Trust::External {
        let why = if args.trust.is_some() { "" } else { "; `--trust user` takes it as your own" };
        ui.note(&format!("it is external: it leads nothing, and is marked wherever it is quoted{why}"));
    }
    if done.diff.is_none() {
        let is_new = |only_grows: bool| {
            let is_it = |what: &str| matches!(what, "day" | "talk") == only_grows;
            done.imported.iter().any(|one| is_it(one.what) && one.state != ImportState::Unchanged)
        };
        let back = match (is_new(true), is_new(false)) {
            (false, _) => "`ken undo` takes the import back",
            (true, true) => "`ken undo` takes the import back, but for the journal",
            (true, false) => "the journal only grows, so it is not undone",
        };
        ui.note(&format!("`ken compile` makes pages of what came in; {back}"));
    }
}

/// What is new, by kind: `3 days, 1 page`.
fn told(done: &ImportOutcome) -> String {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for one in &done.imported {
        let (files, entries) = counts.entry(one.what).or_default();
        match one.state {
            ImportState::Added => *files += 1,
            ImportState::Grown(n) => *entries += n,
            ImportState::Unchanged => {}
        }
    }
    let mut told = Vec::new();
    for (what, one, many) in [
        ("day", "day", "days"),
        ("source", "source", "sources"),
        ("page", "page", "pages"),
        ("talk", "file of talk", "files of talk"),
        ("record", "record", "records"),
        ("state", "page of state", "pages of state"),
    ] {
        let (files, entries) = counts.get(what).copied().unwrap_or_default();
        told.extend((files > 0).then(|| format!("{} {}", number(files), if files == 1 { one } else { many })));
        told.extend((entries > 0).then(|| format!("{} of days that were here", count(entries, "entry"))));
    }
    told.join(", ")
}

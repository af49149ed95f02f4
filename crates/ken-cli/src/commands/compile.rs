//! `ken compile`: turns journal and sources into pages.

use std::time::Instant;

use ken_core::Slug;
use ken_engine::outcome::CompileOutcome;
use ken_engine::{CompileOptions, Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{BOLD, GONE, GOOD, HINT};
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::wire::{self, Skipped};

/// Pages of each sort that a summary names.
const NAMES_MAX: usize = 12;

/// Turn journal and sources into pages
///
/// Makes and renews the pages that Kenning owns, and the index. Each sentence
/// cites the lines it comes from. The bodies of pages that people own stay as they
/// are. What was edited by hand in a compiled page goes into the journal first. All
/// changes are made, or none; `ken undo` takes them back.
///
/// Examples:
///   ken compile
///   ken compile --dry-run     show what would change, as a diff
///   ken compile --headers     fill in the headers of pages that people own, too
///   ken compile --all         read everything again
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Change nothing; print the changes as a diff
    #[arg(long)]
    dry_run: bool,
    /// Also fill missing header fields of pages that people own; always so in the ckp layout
    #[arg(long)]
    headers: bool,
    /// Read every journal day and source again, not only what is new
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    created: Vec<&'a str>,
    updated: Vec<&'a str>,
    removed: Vec<&'a str>,
    unchanged: usize,
    claims: usize,
    sources: usize,
    duration_ms: u64,
    edits_captured: Vec<&'a str>,
    skipped: Vec<Skipped<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let options = CompileOptions { dry_run: args.dry_run, headers: args.headers, all: args.all };
    let started = Instant::now();
    let done = engine.compile(options)?;
    let duration_ms = started.elapsed().as_millis() as u64;
    if ui.is_json() {
        ui.json(&wire(&done, duration_ms))
    } else {
        print(&done, (args.dry_run, duration_ms), ui)
    }
    Ok(Answer::Yes)
}

fn wire(done: &CompileOutcome, duration_ms: u64) -> Wire<'_> {
    Wire {
        created: wire::slugs(&done.created),
        updated: wire::slugs(&done.updated),
        removed: wire::slugs(&done.removed),
        unchanged: done.unchanged,
        claims: done.claims,
        sources: done.sources,
        duration_ms,
        edits_captured: wire::slugs(&done.edits_captured),
        skipped: wire::skipped(&done.skipped),
        diff: done.diff.as_deref(),
    }
}

fn print(done: &CompileOutcome, (is_dry, duration_ms): (bool, u64), ui: &mut Ui) {
    done.diff.iter().for_each(|diff| print_diff(diff, ui));
    for (path, reason) in &done.skipped {
        ui.warning(&format!("`{path}` was left out: {reason}"));
    }
    if let (Some(path), false) = (&done.memory_index, is_dry) {
        ui.say(format!("Renewed {path}."));
    }
    let n_changed = done.created.len() + done.updated.len() + done.removed.len();
    if n_changed == 0 {
        let pages = count(done.unchanged, "page");
        match done.sources {
            0 if done.memory_index.is_some() => ui.say(format!("Everything is compiled: {pages} as before.")),
            0 => ui.say(format!("Everything is compiled: {pages} as before; nothing was changed.")),
            n => ui.say(format!("Compiled {}: no page changes, {pages} as before.", count(n, "source"))),
        }
        return;
    }
    let counts =
        format!("{} created, {} updated, {} removed", done.created.len(), done.updated.len(), done.removed.len());
    if is_dry {
        ui.say(format!("It would be {counts}; nothing was changed."));
        return;
    }
    let what = if done.sources == 0 { String::new() } else { format!(" {}", count(done.sources, "source")) };
    let (ms, claims) = (duration_ms, count(done.claims, "claim"));
    ui.say(format!("Compiled{what} in {ms} ms: {counts}, {} as before; {claims} in all.", done.unchanged));
    let sorts: [(&str, &[Slug]); 4] = [
        ("created", &done.created),
        ("updated", &done.updated),
        ("removed", &done.removed),
        ("edited by hand; the edits are in the journal now", &done.edits_captured),
    ];
    for (sort, slugs) in sorts.into_iter().filter(|(_, slugs)| !slugs.is_empty()) {
        ui.say(format!("{sort}:"));
        ui.say_names(&wire::slugs(slugs), NAMES_MAX);
    }
}

fn print_diff(diff: &str, ui: &mut Ui) {
    let paint = ui.paint();
    for line in diff.lines() {
        let style = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => BOLD,
            [b'+', ..] => GOOD,
            [b'-', ..] => GONE,
            [b'@', ..] => HINT,
            _ => crate::paint::PLAIN,
        };
        ui.line(paint.of(style, &clean(line)));
    }
}

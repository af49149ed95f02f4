//! `ken close`: says how an issue ended.

use ken_core::issue::{Ending, Issue};
use ken_engine::{CloseOutcome, Engine, Failure};
use serde::Serialize;

use super::log::issue;
use crate::exit::Answer;
use crate::text::count;
use crate::ui::Ui;

/// Say how an issue ended
///
/// What rests on nothing but the entries of an issue that was reverted or
/// abandoned is stale from then on: its page says so and why, it leads nothing,
/// and it comes last. What others say too stays as it is, and so does a statement
/// that names code of the project which is there. `ken undo` takes it back, and
/// another outcome takes its place: `merged` after `reverted` restores everything.
///
/// Examples:
///   ken close 42 --outcome merged
///   ken close 42 --outcome reverted --dry-run
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The number of the issue
    #[arg(value_name = "ISSUE", value_parser = issue)]
    issue: Issue,
    /// How it ended: merged, reverted or abandoned
    #[arg(long, value_name = "OUTCOME", value_parser = ending)]
    outcome: Ending,
    /// Show what would change, as a diff, and change nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    issue: Issue,
    outcome: &'static str,
    on: String,
    before: Option<&'static str>,
    repeated: bool,
    entries: usize,
    spared: usize,
    pages: Vec<&'a str>,
    diff: Option<&'a str>,
}

fn ending(text: &str) -> Result<Ending, String> {
    Ending::parse(text).ok_or_else(|| "merged, reverted or abandoned is expected".to_owned())
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.close(args.issue, args.outcome, args.dry_run)?;
    if ui.is_json() {
        ui.json(&wire(&done));
    } else {
        print(&done, ui);
    }
    Ok(Answer::Yes)
}

fn print(done: &CloseOutcome, ui: &mut Ui) {
    let said = done.closed.to_string().replacen("issue", "Issue", 1);
    if done.is_repeat {
        ui.say(format!("{said}, as is recorded already; nothing was changed."));
        return;
    }
    if let Some(diff) = &done.diff {
        ui.page_text(diff);
        return ui.say("Nothing was changed.");
    }
    let before = done.before.map(|before| format!("; before, it {}", told(before.ending))).unwrap_or_default();
    ui.say(format!("{said}: {}{before}", count(done.n_entries, "entry")));
    if done.n_spared > 0 {
        let names = if done.n_spared == 1 { "it names" } else { "they name" };
        ui.say(format!("Spared {}: {names} code that is there", count(done.n_spared, "statement")));
    }
    let pages: Vec<&str> = done.pages.iter().map(ken_core::Slug::as_str).collect();
    if !pages.is_empty() {
        ui.say(format!("Updated {}", pages.join(", ")));
    }
}

fn told(ending: Ending) -> String {
    format!("was {}", ending.as_str())
}

fn wire(done: &CloseOutcome) -> Wire<'_> {
    Wire {
        issue: done.closed.issue,
        outcome: done.closed.ending.as_str(),
        on: done.closed.on.to_string(),
        before: done.before.map(|before| before.ending.as_str()),
        repeated: done.is_repeat,
        entries: done.n_entries,
        spared: done.n_spared,
        pages: done.pages.iter().map(ken_core::Slug::as_str).collect(),
        diff: done.diff.as_deref(),
    }
}

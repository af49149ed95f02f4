//! `ken consolidate`: joins what is one, puts away what nobody uses, and says what is to be looked at.

use ken_core::consolidate::ReviewItem;
use ken_core::consolidate::diary::Deed;
use ken_engine::{ConsolidateOptions, ConsolidateOutcome, Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::{brief, clean, count, number};
use crate::ui::Ui;
use crate::wire;

/// Join pages that are one, archive what nobody uses, list what to look at
///
/// One pass over the wiki, one operation that `ken undo` takes back, one entry in
/// the log. Compiled pages of one thing become one where nothing else can be meant;
/// compiled pages of which nobody spoke, to which nothing of yours leads and for
/// which nobody asked in 90 days go into the archive folder, and come back when
/// somebody does. Everything else is only listed: pages that may be one, wishes
/// that were said again, questions that found nothing, names without a page, pages
/// that are stale or to which nothing leads.
///
/// It is due after 24 hours and 5 new sessions (`consolidate_after_hours` and
/// `consolidate_after_sessions` in kenning.toml); then the worker does it, too.
/// What is new in the journal is compiled before. No model is asked.
///
/// Examples:
///   ken consolidate
///   ken consolidate --now
///   ken consolidate --dry-run     what would be done, and why
///   ken consolidate --list        what is to be looked at
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Consolidate whether it is due or not
    #[arg(long)]
    now: bool,
    /// Say what would be done, and change nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Print everything that the last pass put up for review
    #[arg(long, conflicts_with_all = ["now", "dry_run"])]
    list: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    due: bool,
    why: String,
    done: bool,
    deeds: Vec<DeedWire<'a>>,
    new: Vec<ItemWire<'a>>,
    review: Vec<ItemWire<'a>>,
    later: usize,
    changed: Vec<&'a str>,
    notes: &'a [String],
}

/// What was done, for programs.
#[derive(Serialize)]
struct DeedWire<'a> {
    deed: &'static str,
    page: Option<&'a str>,
    into: Option<&'a str>,
    why: Option<&'a str>,
}

/// An item, for programs.
#[derive(Serialize)]
pub(crate) struct ItemWire<'a> {
    kind: &'static str,
    about: &'a [String],
    why: &'a str,
    command: Option<String>,
}

impl ItemWire<'_> {
    /// Returns an item for programs.
    pub(crate) fn of(one: &ReviewItem) -> ItemWire<'_> {
        ItemWire { kind: one.kind.as_str(), about: &one.about, why: &one.why, command: one.command() }
    }
}

impl DeedWire<'_> {
    fn of(one: &Deed) -> DeedWire<'_> {
        let (deed, page, into, why) = match one {
            Deed::Merged { from, into, why } => ("merged", Some(from), Some(into), Some(why)),
            Deed::Archived { slug, why } => ("archived", Some(slug), None, Some(why)),
            Deed::Returned { slug, why } => ("in use again", Some(slug), None, Some(why)),
            Deed::Sorted { .. } => ("short index sorted", None, None, None),
        };
        let (page, into) = (page.map(ken_core::Slug::as_str), into.map(ken_core::Slug::as_str));
        DeedWire { deed, page, into, why: why.map(String::as_str) }
    }
}

/// Things done that are printed.
const DEEDS_MAX: usize = 40;
/// Longest line of an item.
const LINE_CHARS_MAX: usize = 400;

/// Returns an item in one line, with the command that would decide it.
pub(crate) fn told(one: &ReviewItem) -> String {
    let command = one.command().map(|command| format!("; `{command}`")).unwrap_or_default();
    format!("{}{command}", brief(&clean(&one.told()), LINE_CHARS_MAX))
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    if args.list {
        return list(engine, ui);
    }
    let done = engine.consolidate(ConsolidateOptions { now: args.now, dry_run: args.dry_run })?;
    if ui.is_json() {
        ui.json(&wire(&done, args.dry_run));
    } else {
        print(&done, args.dry_run, ui);
    }
    Ok(Answer::Yes)
}

fn list(engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let review = engine.review()?;
    if ui.is_json() {
        ui.json(&review.iter().map(ItemWire::of).collect::<Vec<_>>());
        return Ok(Answer::Yes);
    }
    if review.is_empty() {
        ui.say("Nothing is up for review.");
    }
    review.iter().for_each(|one| ui.line(told(one)));
    Ok(Answer::Yes)
}

fn wire(done: &ConsolidateOutcome, is_dry: bool) -> Wire<'_> {
    Wire {
        due: done.due.is_due,
        why: done.due.why(),
        done: done.has_looked && !is_dry,
        deeds: done.deeds.iter().map(DeedWire::of).collect(),
        new: done.new.iter().map(ItemWire::of).collect(),
        review: done.review.iter().map(ItemWire::of).collect(),
        later: done.n_later,
        changed: wire::paths(&done.changed),
        notes: &done.notes,
    }
}

fn print(done: &ConsolidateOutcome, is_dry: bool, ui: &mut Ui) {
    if !done.has_looked {
        ui.say(format!("Not due: {}; nothing was changed.", done.due.why()));
        ui.note("`ken consolidate --now` does it all the same, `--dry-run` says what it would do");
        if !done.review.is_empty() {
            ui.note(&format!("{} to look at: `ken consolidate --list`", count(done.review.len(), "item")));
        }
        return;
    }
    done.notes.iter().for_each(|note| ui.note(note));
    if is_dry {
        ui.say(format!("{}: {}.", if done.due.is_due { "Due" } else { "Not due" }, done.due.why()));
    }
    done.deeds.iter().take(DEEDS_MAX).for_each(|deed| ui.say(clean(&deed.told())));
    if done.deeds.len() > DEEDS_MAX {
        ui.say(format!("and {} more; `--json` has all", number(done.deeds.len() - DEEDS_MAX)));
    }
    done.new.iter().for_each(|one| ui.say(format!("To look at: {}", told(one))));
    if done.n_later > 0 {
        ui.say(format!("{} that may be archived wait for the next time", count(done.n_later, "more page")));
    }
    let n_known = done.review.len() - done.new.len().min(done.review.len());
    let known = if n_known > 0 { format!("; {} told before, see `--list`", number(n_known)) } else { String::new() };
    match (done.changed.is_empty(), is_dry) {
        (true, _) => ui.say(format!("Nothing to consolidate{known}; nothing was changed.")),
        (false, true) => {
            ui.say(format!("It would change {}{known}; nothing was changed.", count(done.changed.len(), "file")));
        }
        (false, false) => {
            ui.say(format!(
                "Consolidated: {} changed{known}; `ken undo` takes it back.",
                count(done.changed.len(), "file")
            ));
        }
    }
}

//! `ken forget`: takes something out of a vault for good.

use std::path::PathBuf;

use clap::ArgGroup;
use ken_core::Date;
use ken_engine::outcome::{Deed, ForgetLeft, ForgetOutcome, ForgetRow, Holder};
use ken_engine::{Engine, Failure, ForgetOptions, ForgetTarget};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::paint::{HINT, PLACE};
use crate::table::Cell;
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::wire;

/// Take something out of the vault for good
///
/// Everything made from it goes: text of the journal and the talk, sources,
/// pages, rows of the index, search and vectors, records of models and answers,
/// undo records. Journal and documents keep their lines: what goes is covered by
/// `[redacted:forgotten]`. Pages are compiled again from what is left, and every
/// file of the vault is read to see that no copy is; exits with 1 when one is.
/// Nothing keeps what goes, so this cannot be undone; earlier operations cannot
/// be undone after it either. On a terminal it says what would go and asks first.
///
/// A forgotten session or document does not come in again, nor what of a session
/// or a day was forgotten, until `--allow` lets it. A name that somebody says
/// later is new. Pages of people are left unless `--also` names them. Git's
/// history, backups and the agents' own transcripts keep what they have.
///
/// Examples:
///   ken forget --dry-run --name "Acme Bread"   what would go, and where
///   ken forget --session 6f1c2d3e              a session, by its id's start
///   ken forget --days 2026-05-11..2026-05-13   what was said on these days
///   ken forget --source raw/contract.md        a document, by place or origin
///   ken forget --page oven-timer               a page, and the lines it cites
///   ken forget --pattern '\+49[0-9 ]{6,}'      whatever matches
///   ken forget --allow --session 6f1c2d3e      let it be captured again
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(group(ArgGroup::new("target").required(true)))]
pub(crate) struct Args {
    /// A person's name, or what else somebody is called, in any spelling
    #[arg(long, group = "target", value_name = "NAME")]
    name: Option<String>,
    /// A session, by its id or the start of it
    #[arg(long, group = "target", value_name = "ID")]
    session: Option<String>,
    /// A day, or days from one to another: journal and talk
    #[arg(long, group = "target", value_name = "DAY[..DAY]", value_parser = days)]
    days: Option<(Date, Date)>,
    /// A source, by its place in the vault or that of its document
    #[arg(long, group = "target", value_name = "PATH")]
    source: Option<PathBuf>,
    /// A page by slug, title or alias, with the lines it was made from
    #[arg(long, group = "target", value_name = "PAGE")]
    page: Option<String>,
    /// Whatever a regular expression matches
    #[arg(long, group = "target", value_name = "REGEX")]
    pattern: Option<String>,
    /// Cover it in this page of a person's too, or in all below this folder
    #[arg(long, value_name = "PATH")]
    also: Vec<PathBuf>,
    /// Say what would go, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask, and cover a name or a pattern however often it stands there
    #[arg(long)]
    yes: bool,
    /// Let it come in again; brings nothing back by itself
    #[arg(long, conflicts_with_all = ["also", "dry_run", "yes"])]
    allow: bool,
}

fn days(text: &str) -> Result<(Date, Date), String> {
    let day = |text: &str| text.trim().parse::<Date>().map_err(|_| format!("`{text}` is no day, as in `2026-05-11`"));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    Ok((day(first)?, day(last)?))
}

#[derive(Serialize)]
struct Wire<'a> {
    what: &'a str,
    dry_run: bool,
    gone: Vec<Row<'a>>,
    left: Vec<Left<'a>>,
    checked: usize,
    pages_made: usize,
    transcripts: &'a [String],
    parts: Vec<Part<'a>>,
    sources_of_days: Vec<&'a str>,
}

#[derive(Serialize)]
struct Row<'a> {
    holder: &'a str,
    path: &'a str,
    /// `covered`, `removed` or `renamed`.
    deed: &'a str,
    lines: &'a [(usize, usize)],
    to: Option<&'a str>,
}

#[derive(Serialize)]
struct Left<'a> {
    path: &'a str,
    line: Option<usize>,
    reason: &'a str,
}

#[derive(Serialize)]
struct Part<'a> {
    name: &'a str,
    n: usize,
}

#[derive(Serialize)]
struct Allowed {
    allowed: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let target = target_of(args);
    if args.allow {
        let was_forgotten = engine.allow_again(&target)?;
        if ui.is_json() {
            ui.json(&Allowed { allowed: was_forgotten });
        } else if was_forgotten {
            ui.say("It may come in again: capture or ingest it, and nothing stops it.");
        } else {
            ui.say("That was not forgotten here; nothing was changed.");
        }
        return Ok(Answer::no_if(!was_forgotten));
    }
    let options = ForgetOptions { also: args.also.clone(), dry_run: args.dry_run, yes: args.yes };
    if !options.yes && !options.dry_run && !ui.is_json() && env::can_be_asked() {
        ask(engine, (&target, &options), ui)?;
    }
    let done = engine.forget(&target, &options)?;
    if ui.is_json() {
        ui.json(&wire_of(&done));
    } else {
        print(&done, ui);
    }
    Ok(Answer::no_if(!done.left.is_empty()))
}

/// Shows what would go, and asks whether it is to.
fn ask(engine: &Engine, (target, options): (&ForgetTarget, &ForgetOptions), ui: &mut Ui) -> Result<(), Failure> {
    let planned = engine.forget(target, &ForgetOptions { dry_run: true, ..options.clone() })?;
    if planned.rows.is_empty() {
        return Ok(());
    }
    print(&planned, ui);
    match ui.agrees("Forget it for good?") {
        true => Ok(()),
        false => Err(Failure::refused("not forgotten").hint("nothing was changed")),
    }
}

fn target_of(args: &Args) -> ForgetTarget {
    let name = args.name.clone().map(ForgetTarget::Name);
    let session = || args.session.clone().map(ForgetTarget::Session);
    let days = || args.days.map(|(first, last)| ForgetTarget::Days(first, last));
    let source = || args.source.clone().map(ForgetTarget::Source);
    let page = || args.page.clone().map(ForgetTarget::Page);
    let pattern = || ForgetTarget::Pattern(args.pattern.clone().unwrap_or_default());
    name.or_else(session).or_else(days).or_else(source).or_else(page).unwrap_or_else(pattern)
}

fn wire_of(done: &ForgetOutcome) -> Wire<'_> {
    let gone = done.rows.iter().map(|row| {
        let (deed, lines, to): (_, &[(usize, usize)], _) = match &row.deed {
            Deed::Covered(lines) => ("covered", lines, None),
            Deed::Removed => ("removed", &[], None),
            Deed::Renamed(to) => ("renamed", &[], Some(to.as_str())),
        };
        Row { holder: row.holder.as_str(), path: row.path.as_str(), deed, lines, to }
    });
    Wire {
        what: &done.what,
        dry_run: done.is_dry_run,
        gone: gone.collect(),
        left: done.left.iter().map(|left| Left { path: &left.path, line: left.line, reason: left.why }).collect(),
        checked: done.n_checked,
        pages_made: done.n_pages_made,
        transcripts: &done.transcripts,
        parts: done.parts.iter().map(|(name, n)| Part { name, n: *n }).collect(),
        sources_of_days: wire::paths(&done.sources_of_days),
    }
}

fn print(done: &ForgetOutcome, ui: &mut Ui) {
    if done.rows.is_empty() {
        ui.say(format!("Nothing that can be changed holds {}; nothing was changed.", the(&done.what)));
    } else {
        let verb = if done.is_dry_run { "Would forget" } else { "Forgot" };
        ui.say(format!("{verb} {}:", done.what));
        ui.say_rows(&done.rows.iter().filter(|row| is_shown(row.holder)).map(shown).collect::<Vec<_>>());
        let rest: Vec<String> = done
            .counts()
            .iter()
            .filter(|(holder, _)| !is_shown(**holder))
            .map(|(holder, n)| counted(*holder, *n))
            .collect();
        if !rest.is_empty() {
            ui.say(format!("  {}", rest.join(", ")));
        }
    }
    if !done.left.is_empty() {
        let verb = if done.is_dry_run { "would stay" } else { "stays" };
        ui.say(format!("It {verb} in:"));
    }
    ui.rows(&done.left.iter().map(left).collect::<Vec<_>>());
    if !done.is_dry_run && !done.rows.is_empty() {
        let files = count(done.n_checked, "file");
        if done.n_pages_made > 0 {
            ui.say(format!("Compiled {} from what is left.", count(done.n_pages_made, "page")));
        }
        ui.line(match done.left.len() {
            0 => format!("No copy is left in {files} of the vault."),
            n => format!(
                "{} left in {files} of the vault.",
                if n == 1 { "1 copy is".to_owned() } else { format!("{n} copies are") }
            ),
        });
    }
    hints(done, ui);
}

fn hints(done: &ForgetOutcome, ui: &mut Ui) {
    let hint = ui.paint().of(HINT, "hint:");
    for (part, n) in &done.parts {
        ui.say(format!("{hint} `{}` alone stands in {}; name it to forget it too", clean(part), count(*n, "place")));
    }
    for path in &done.sources_of_days {
        ui.say(format!("{hint} `{path}` is of that time and stays; `ken forget --source {path}` forgets it"));
    }
    if done.rows.is_empty() {
        return;
    }
    if done.rows.iter().all(|row| matches!(row.holder, Holder::Undo | Holder::Cache)) {
        ui.say(format!(
            "{hint} it stands in no journal, talk, document or page, only in what Kenning keeps beside them"
        ));
    }
    for place in &done.transcripts {
        ui.say(format!("{hint} the transcript `{}` is its agent's and stays", clean(place)));
    }
    ui.say(format!("{hint} git's history, backups and transcripts keep what they have"));
    let will = if done.is_dry_run { "would not be able to" } else { "cannot" };
    ui.say(format!("{hint} `ken undo` {will} bring it back, nor take back what was done before"));
}

/// Files that are named one by one; the others are counted.
fn is_shown(holder: Holder) -> bool {
    matches!(holder, Holder::Journal | Holder::Talk | Holder::Source | Holder::Page | Holder::Answer)
}

fn shown(row: &ForgetRow) -> Vec<Cell> {
    let lines = |lines: &[(usize, usize)]| {
        let range =
            |(first, last): &(usize, usize)| if first == last { first.to_string() } else { format!("{first}-{last}") };
        lines.iter().map(range).collect::<Vec<_>>().join(",")
    };
    let (place, deed) = match &row.deed {
        Deed::Covered(covered) => (format!("  {}:{}", row.path, lines(covered)), "covered".to_owned()),
        Deed::Removed => (format!("  {}", row.path), "removed".to_owned()),
        Deed::Renamed(to) => (format!("  {}", row.path), format!("covered, renamed to {to}")),
    };
    vec![Cell::new(place).style(PLACE), Cell::new(deed)]
}

fn left(left: &ForgetLeft) -> Vec<Cell> {
    let place = left.line.map_or_else(|| left.path.clone(), |line| format!("{}:{line}", left.path));
    vec![Cell::new(place).style(PLACE), Cell::new(left.why)]
}

fn counted(holder: Holder, n: usize) -> String {
    match holder {
        Holder::Compiled => count(n, "compiled page"),
        Holder::Index => count(n, "index file"),
        Holder::Reply => count(n, "model record"),
        Holder::Log => count(n, "log file"),
        Holder::Register => "the register of sources".to_owned(),
        Holder::Own => count(n, "tool file"),
        Holder::Undo => count(n, "undo record"),
        Holder::Cache => count(n, "cache file"),
        Holder::Journal | Holder::Talk | Holder::Source | Holder::Page | Holder::Answer => count(n, holder.as_str()),
    }
}

/// The same thing, known by now: `a name` becomes `that name`.
fn the(what: &str) -> String {
    what.strip_prefix("a ").map_or_else(|| what.to_owned(), |thing| format!("that {thing}"))
}

//! `ken status`: what the vault holds and what waits.

use std::collections::BTreeMap;

use ken_engine::outcome::{BackgroundStatus, StatusOutcome};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::commands::consolidate::{ItemWire, told};
use crate::exit::Answer;
use crate::models::CostWire;
use crate::text::{clean, count, moment, number};
use crate::ui::Ui;
use crate::wire;

/// Names of each sort that are printed.
const NAMES_MAX: usize = 12;
/// Items up for review that are printed.
const ITEMS_MAX: usize = 5;

/// Say what the vault holds and what waits to be done
///
/// Counts pages, journal days and sources; names what is not compiled yet and which
/// compiled pages were edited by hand; says what was done last and what to do next.
/// Changes nothing.
///
/// Examples:
///   ken status
///   ken status --json
///   ken status --grounding
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Count how many claims of all pages are borne out by what they cite
    #[arg(long)]
    grounding: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    root: String,
    layout: &'static str,
    pages: usize,
    owned: usize,
    categories: BTreeMap<&'a str, usize>,
    tokens: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    grounding: Option<wire::Grounding>,
    days: usize,
    sources: usize,
    pending: Vec<&'a str>,
    edited: Vec<&'a str>,
    disputes: usize,
    stale: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    expired: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unmerged: Vec<&'a str>,
    interrupted: bool,
    foreign_change: bool,
    accepted: bool,
    jobs: usize,
    stuck: Vec<Stuck<'a>>,
    compile_failure: Option<&'a str>,
    models: Option<Models>,
    #[serde(skip_serializing_if = "Option::is_none")]
    background: Option<Background<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    under_way: Option<UnderWayWire<'a>>,
    consolidation: Consolidation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prune: Option<Prune>,
    last: Option<Last<'a>>,
    next: &'a [String],
}

#[derive(Serialize)]
struct UnderWayWire<'a> {
    batches: usize,
    tasks: usize,
    cancelled: usize,
    usd_max: f64,
    model: &'a str,
    sent_at: String,
}

#[derive(Serialize)]
struct Models {
    replies: usize,
    rejected: usize,
    taken: usize,
    month: CostWire,
}

#[derive(Serialize)]
struct Background<'a> {
    at: Option<String>,
    asking: bool,
    model: &'a str,
    sessions: usize,
    answered: usize,
    usd: f64,
    left: usize,
    paused_until: Option<String>,
    pause: Option<&'a str>,
    stopped: Option<&'a str>,
}

#[derive(Serialize)]
struct Prune {
    sessions: usize,
    bytes: usize,
}

#[derive(Serialize)]
struct Consolidation<'a> {
    due: bool,
    why: String,
    last: Option<String>,
    sessions: usize,
    review: Vec<ItemWire<'a>>,
}

#[derive(Serialize)]
struct Stuck<'a> {
    why: &'a str,
    attempts: u32,
}

#[derive(Serialize)]
struct Last<'a> {
    at: String,
    what: &'a str,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.status(args.grounding)?;
    if ui.is_json() {
        ui.json(&wire(&done))
    } else {
        print(&done, engine.keyless().as_ref(), ui)
    }
    Ok(Answer::Yes)
}

fn wire(done: &StatusOutcome) -> Wire<'_> {
    Wire {
        root: wire::place(&done.root),
        layout: done.layout.preset.name,
        pages: done.n_pages,
        owned: done.n_owned,
        categories: done.by_category.iter().map(|(category, n)| (category.as_str(), *n)).collect(),
        tokens: done.tokens.0,
        grounding: done.claims.as_ref().map(wire::Grounding::of),
        days: done.n_days,
        sources: done.n_sources,
        pending: wire::paths(&done.pending),
        edited: wire::paths(&done.edited),
        disputes: done.n_disputes,
        stale: wire::paths(&done.stale),
        expired: wire::paths(&done.expired),
        unmerged: wire::paths(&done.unmerged),
        interrupted: done.is_interrupted,
        foreign_change: done.is_foreign_change,
        accepted: done.is_accepted,
        jobs: done.spool.n_jobs,
        stuck: done.spool.stuck.iter().map(|(why, attempts)| Stuck { why, attempts: *attempts }).collect(),
        compile_failure: done.spool.compile_failure.as_deref(),
        models: done.models.as_ref().map(|models| Models {
            replies: models.n_replies,
            rejected: models.n_rejected,
            taken: models.n_taken,
            month: CostWire::of(&models.month),
        }),
        background: done.background.as_ref().map(|one| Background {
            at: one.at.map(|at| at.to_string()),
            asking: one.is_asking,
            model: &one.model,
            sessions: one.n_sessions,
            answered: one.n_answered,
            usd: one.money.0 as f64 / 1e6,
            left: one.n_left,
            paused_until: one.paused.as_ref().map(|(until, _)| until.to_string()),
            pause: one.paused.as_ref().map(|(_, word)| word.as_str()),
            stopped: one.stopped.as_deref(),
        }),
        under_way: done.under_way.as_ref().map(|one| UnderWayWire {
            batches: one.n_batches,
            tasks: one.n_tasks,
            cancelled: one.n_cancelled,
            usd_max: one.bound.0 as f64 / 1e6,
            model: &one.model,
            sent_at: one.sent_at.to_string(),
        }),
        prune: done.prune.map(|(sessions, bytes)| Prune { sessions, bytes }),
        consolidation: Consolidation {
            due: done.consolidation.due.is_due,
            why: done.consolidation.due.why(),
            last: done.consolidation.due.last.map(|at| at.to_string()),
            sessions: done.consolidation.due.n_sessions,
            review: done.consolidation.review.iter().map(ItemWire::of).collect(),
        },
        last: done.last.as_ref().map(|(at, what)| Last { at: at.to_string(), what }),
        next: &done.next,
    }
}

/// Names what waits or is in doubt.
fn print_lists(done: &StatusOutcome, ui: &mut Ui) {
    let is_copy = !done.knows_compiled && done.n_owned > 0;
    let pending = if is_copy { "not known to be compiled; `ken compile` looks" } else { "not compiled yet" };
    let lists = [
        (pending, &done.pending),
        ("edited by hand since the last compile", &done.edited),
        ("rest on something that changed since they were answered", &done.stale),
        ("past their ttl; look whether they still hold", &done.expired),
        ("git left conflict markers; merge the two sides by hand", &done.unmerged),
    ];
    for (what, paths) in lists {
        if !paths.is_empty() {
            ui.line(format!("{what}:"));
            ui.names(&wire::paths(paths), NAMES_MAX);
        }
    }
}

fn print(done: &StatusOutcome, keyless: Option<&Failure>, ui: &mut Ui) {
    ui.line(format!("{} ({} layout)", done.root.display(), done.layout.preset.name));
    let (pages, tokens) = (count(done.n_pages, "page"), count(done.tokens.0, "token"));
    match done.n_pages {
        0 => ui.line("no pages yet"),
        _ => ui.line(format!("{pages}, {} of them compiled; {tokens} to load them all", done.n_owned)),
    }
    if done.by_category.len() > 1 {
        let named = |(category, n): &(String, usize)| format!("{n} {category}");
        ui.line(format!("by category: {}", done.by_category.iter().map(named).collect::<Vec<_>>().join(", ")));
    }
    ui.line(format!("{}, {}", count(done.n_days, "journal day"), count(done.n_sources, "source")));
    if done.is_interrupted {
        ui.line("a change was interrupted; the next command that changes something completes it");
    }
    if done.is_foreign_change {
        ui.line("an unfinished change waits that was not left here by this user; `ken recover` shows it");
    }
    if let Some(why) = keyless {
        ui.line(format!("{}: nothing here counts as this user's", clean(&why.message)));
    } else if !done.is_accepted {
        ui.line("this user neither made nor accepted this vault: nothing of it goes into a session's start");
    }
    print_lists(done, ui);
    if let Some(ken_core::lint::Grounding { grounded, unverified, stale }) = done.claims {
        ui.line(format!("claims: {grounded} grounded, {unverified} unverified, {stale} stale"));
    }
    if done.n_disputes > 0 {
        ui.line(format!("{}: claims that cannot all be true", count(done.n_disputes, "open dispute")));
    }
    if done.spool.n_jobs > 0 {
        ui.line(format!("{} of hooks in the spool", count(done.spool.n_jobs, "job")));
    }
    for (why, attempts) in &done.spool.stuck {
        ui.line(format!("  failed {attempts} times: {}", clean(why)));
    }
    if let Some(why) = &done.spool.compile_failure {
        ui.line(format!("the last compile in the background failed: {}", clean(why)));
    }
    if let Some(models) = &done.models {
        let rejected = match models.n_rejected {
            0 => String::new(),
            n => format!(", {n} of them with rejected parts"),
        };
        let taken = if models.n_taken > 0 {
            format!("; {} taken", count(models.n_taken, "work packet"))
        } else {
            String::new()
        };
        let replies = count(models.n_replies, "recorded reply");
        ui.line(format!("{replies} of models{rejected}{taken}; this month {}", models.month.money));
    }
    print_at_rest(done, ui);
    if let Some((at, what)) = &done.last {
        ui.line(format!("last: {}, {}", moment(*at), clean(what)));
    }
    if !done.next.is_empty() {
        ui.line("next:");
        ui.names(&done.next, NAMES_MAX);
    }
}

/// Says what a model did while nobody waited, whether a consolidation is due, where there is anything to consolidate, and
/// what the last one left to a person.
fn print_at_rest(done: &StatusOutcome, ui: &mut Ui) {
    done.background.iter().for_each(|one| print_background(one, ui));
    if let Some(one) = &done.under_way {
        let (tasks, model) = (count(one.n_tasks, "task"), clean(&one.model));
        let cancelled = match one.n_cancelled {
            0 => String::new(),
            n if n == one.n_tasks => ", cancelled".to_owned(),
            n => format!(", {} of them cancelled", number(n)),
        };
        ui.line(format!(
            "in a batch: {tasks} of {model}, at most {}, sent {}{cancelled}",
            one.bound,
            moment(one.sent_at)
        ));
    }
    if let Some((n, n_bytes)) = done.prune.filter(|(n, _)| *n > 0) {
        let sessions = count(n, "session");
        ui.line(format!("talk of {sessions} is not to be kept, {} bytes; see `ken prune --dry-run`", number(n_bytes)));
    }
    let (due, review) = (&done.consolidation.due, &done.consolidation.review);
    if due.last.is_some() || due.n_sessions > 0 {
        ui.line(format!("consolidation {}: {}", if due.is_due { "due" } else { "not due" }, due.why()));
    }
    if !review.is_empty() {
        ui.line(format!("{} to look at:", count(review.len(), "item")));
        ui.names(&review.iter().take(ITEMS_MAX).map(told).collect::<Vec<_>>(), ITEMS_MAX);
        if review.len() > ITEMS_MAX {
            let n = review.len() - ITEMS_MAX;
            ui.line(format!("  and {} more; `ken consolidate --list` has all", number(n)));
        }
    }
}

fn print_background(one: &BackgroundStatus, ui: &mut Ui) {
    if one.is_asking {
        ui.line("in the background: a model is being asked now");
    }
    if let Some(at) = one.at {
        ui.line(format!("in the background: {} (last at {})", clean(&one.line), moment(at)));
    }
    if let Some(why) = &one.stopped {
        let what = if one.at.is_some() { "  it stopped" } else { "no model was asked in the background" };
        ui.line(format!("{what}: {}", clean(why)));
    }
}

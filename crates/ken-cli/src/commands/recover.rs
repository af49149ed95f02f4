//! `ken recover`: decides about what was left to be carried out by somebody else.

use ken_engine::{Decision, Engine, Failure, Origin, RecoverOutcome};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::wire;

/// Files that are named.
const NAMES_MAX: usize = 24;

/// Show what waits to be carried out and was not left here by you
///
/// Kenning completes what a crash left half done, takes operations back and does
/// what hooks asked for, but only what your own `ken` wrote, in the vault at this
/// place. What came with a clone, from another user or from before the vault was
/// moved is left alone until you decide: this command shows it, `--accept` makes it
/// yours and carries the unfinished change out, `--discard` sets that aside and
/// removes the rest. It exits with 1 while something waits.
///
/// Examples:
///   ken recover
///   ken recover --accept     after you moved or copied a vault of your own
///   ken recover --discard    in a vault that somebody else made
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Make it yours, and carry the unfinished change out
    #[arg(long, conflicts_with = "discard")]
    accept: bool,
    /// Set the unfinished change aside, and remove undo records and jobs
    #[arg(long)]
    discard: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    change: Option<Change<'a>>,
    undo: Vec<Undo<'a>>,
    jobs: Vec<Job<'a>>,
    sources: Vec<&'a str>,
    done: &'a [String],
}

#[derive(Serialize)]
struct Change<'a> {
    operation: String,
    origin: &'static str,
    place: Option<&'a str>,
    steps: Vec<Step<'a>>,
    refused: Option<&'a str>,
}

#[derive(Serialize)]
struct Step<'a> {
    what: &'a str,
    path: &'a str,
}

#[derive(Serialize)]
struct Undo<'a> {
    path: &'a str,
    origin: &'static str,
    place: Option<&'a str>,
}

#[derive(Serialize)]
struct Job<'a> {
    name: &'a str,
    reads: Option<&'a str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let decision = match (args.accept, args.discard) {
        (true, _) => Decision::Accept,
        (_, true) => Decision::Discard,
        _ => Decision::Look,
    };
    let found = engine.recover(decision)?;
    if ui.is_json() {
        ui.json(&wire(&found));
    } else {
        print(&found, decision, ui);
    }
    Ok(Answer::no_if(decision == Decision::Look && !found.is_empty()))
}

/// The word for an origin, and the place where the vault stood.
fn origin_of(origin: &Origin) -> (&'static str, Option<&str>) {
    match origin {
        Origin::Here => ("here", None),
        Origin::Elsewhere(place) => ("elsewhere", Some(place)),
        Origin::Unknown => ("unknown", None),
    }
}

fn wire(found: &RecoverOutcome) -> Wire<'_> {
    Wire {
        change: found.change.as_ref().map(|left| {
            let (origin, place) = origin_of(&left.origin);
            let steps = left.steps.iter().map(|(what, path)| Step { what, path: path.as_str() }).collect();
            Change { operation: left.id.to_string(), origin, place, steps, refused: left.refused.as_deref() }
        }),
        undo: found
            .undo
            .iter()
            .map(|(path, origin)| {
                let (origin, place) = origin_of(origin);
                Undo { path: path.as_str(), origin, place }
            })
            .collect(),
        jobs: found.jobs.iter().map(|(name, reads)| Job { name, reads: reads.as_deref() }).collect(),
        sources: wire::paths(&found.sources),
        done: &found.done,
    }
}

fn print(found: &RecoverOutcome, decision: Decision, ui: &mut Ui) {
    if found.is_empty() {
        ui.say("Nothing waits for a decision.");
        return;
    }
    if decision != Decision::Look {
        for line in &found.done {
            ui.say(format!("{}{}", line[..1].to_uppercase(), clean(&line[1..])));
        }
        return;
    }
    if let Some(left) = &found.change {
        ui.line(format!("an unfinished change, operation {}, {}:", left.id, said(&left.origin)));
        let steps: Vec<String> = left.steps.iter().map(|(what, path)| format!("{what} {path}")).collect();
        ui.names(&steps.iter().map(String::as_str).collect::<Vec<_>>(), NAMES_MAX);
        if let Some(why) = &left.refused {
            ui.line(format!("  it cannot be accepted: {}", clean(why)));
        }
    }
    if !found.undo.is_empty() {
        let n_unknown = found.undo.iter().filter(|(_, origin)| *origin == Origin::Unknown).count();
        let of_own = found.undo.iter().find(|(_, origin)| *origin != Origin::Unknown);
        let from = of_own.map(|(_, origin)| format!(", {}", said(origin))).unwrap_or_default();
        let unknown = if n_unknown > 0 { format!("; {n_unknown} of unknown origin") } else { String::new() };
        ui.line(format!("{}{from}{unknown}:", count(found.undo.len(), "undo record")));
        ui.names(&found.undo.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), NAMES_MAX);
    }
    if !found.jobs.is_empty() {
        ui.line(format!("{} in `.kenning/spool/` of unknown origin:", count(found.jobs.len(), "job")));
        let jobs: Vec<String> = found
            .jobs
            .iter()
            .map(|(name, reads)| {
                format!("{name}: {}", reads.as_deref().map_or("does not read".to_owned(), |of| format!("reads {of}")))
            })
            .collect();
        ui.names(&jobs.iter().map(String::as_str).collect::<Vec<_>>(), NAMES_MAX);
    }
    if !found.sources.is_empty() {
        let n_sources = count(found.sources.len(), "document");
        ui.line(format!("{n_sources} in place that somebody else registered, and that are not read:"));
        ui.names(&wire::paths(&found.sources), NAMES_MAX);
    }
    ui.line("accept all of it with `ken recover --accept`, or `ken recover --discard` it; nothing was changed");
}

/// Where something comes from, in words.
fn said(origin: &Origin) -> String {
    match origin {
        Origin::Here => "left here by you".to_owned(),
        Origin::Elsewhere(place) => format!("left by you when the vault was at `{}`", clean(place)),
        Origin::Unknown => "of unknown origin: another user or machine, an older version, or a stranger".to_owned(),
    }
}

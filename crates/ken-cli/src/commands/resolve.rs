//! `ken resolve`: lists disputes, and says which claims hold.

use ken_engine::outcome::{OpenClaim, OpenDispute, OpenSource, ResolveOutcome};
use ken_engine::{Choice, Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{BOLD, DIM, PLACE};
use crate::text::{brief, clean, count};
use crate::ui::Ui;

/// Longest claim that is printed, in characters.
const CLAIM_CHARS_MAX: usize = 400;
/// Sources of a claim that are printed.
const SOURCES_MAX: usize = 3;

/// Say which of the claims that cannot all be true hold
///
/// Without a choice it lists the open disputes, of one page or of all: the claims
/// with their numbers, their days, who said them, and where. A choice is written
/// into the journal, with the citations of both sides, and compiled: what does not
/// hold is struck on every page. The journal keeps it, under `ken undo` too;
/// whoever removes the entry from the day opens the dispute again. Nothing is
/// ever asked.
///
/// Examples:
///   ken resolve
///   ken resolve oven-timer --keep 1
///   ken resolve oven-timer --newer
///   ken resolve oven-timer --keep 1 --keep 2    (both hold)
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The page: its name, title or alias; may be left out where one dispute is open
    page: Option<String>,
    /// The claim with this number holds, and the others of its dispute do not; repeat it if several hold
    #[arg(long, value_name = "N", allow_negative_numbers = true, group = "choice")]
    keep: Vec<usize>,
    /// The claim with this number does not hold; if one is left, that one does
    #[arg(long, value_name = "N", allow_negative_numbers = true, group = "choice")]
    drop: Vec<usize>,
    /// The claim that was said last holds
    #[arg(long, group = "choice")]
    newer: bool,
    /// The claim that was said first holds
    #[arg(long, group = "choice")]
    older: bool,
    /// Say what would be written, and change nothing
    #[arg(long, short = 'n', requires = "choice")]
    dry_run: bool,
}

#[derive(Serialize)]
struct ListWire<'a> {
    disputes: Vec<DisputeWire<'a>>,
}

#[derive(Serialize)]
struct DisputeWire<'a> {
    slug: &'a str,
    title: &'a str,
    path: &'a str,
    also_on: Vec<&'a str>,
    since: Option<String>,
    claims: Vec<ClaimWire<'a>>,
}

#[derive(Serialize)]
struct ClaimWire<'a> {
    n: usize,
    text: &'a str,
    line: usize,
    day: Option<String>,
    external: bool,
    sources: Vec<SourceWire<'a>>,
}

#[derive(Serialize)]
struct SourceWire<'a> {
    path: &'a str,
    lines: [usize; 2],
    speaker: Option<&'a str>,
    session: Option<&'a str>,
}

#[derive(Serialize)]
struct SettledWire<'a> {
    settled: String,
    journal: Option<&'a str>,
    repeated: bool,
    updated: Vec<&'a str>,
    open: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let choice = match args {
        Args { newer: true, .. } => Choice::Newer,
        Args { older: true, .. } => Choice::Older,
        Args { keep, .. } if !keep.is_empty() => Choice::Keep(keep.clone()),
        Args { drop, .. } if !drop.is_empty() => Choice::Drop(drop.clone()),
        _ => {
            list(&engine.open_disputes(args.page.as_deref())?, ui);
            return Ok(Answer::Yes);
        }
    };
    let done = engine.resolve(args.page.as_deref(), &choice, args.dry_run)?;
    if ui.is_json() {
        ui.json(&settled_wire(&done));
    } else {
        print(&done, ui);
    }
    Ok(Answer::Yes)
}

fn list(found: &[OpenDispute], ui: &mut Ui) {
    if ui.is_json() {
        return ui.json(&ListWire { disputes: found.iter().map(dispute_wire).collect() });
    }
    for dispute in found {
        let since = dispute.since.map(|day| format!(", since {day}")).unwrap_or_default();
        let also: Vec<&str> = dispute.also_on.iter().map(ken_core::Slug::as_str).collect();
        let also = if also.is_empty() { String::new() } else { format!(", also on {}", also.join(", ")) };
        let name = ui.paint().of(BOLD, dispute.slug.as_str());
        ui.line(format!("{name}: {} that cannot all be true{since}{also}", count(dispute.claims.len(), "claim")));
        for claim in &dispute.claims {
            print_claim(claim, ui);
        }
    }
    match found {
        [] => ui.line("nothing is disputed"),
        [first, ..] => {
            let (slug, n) = (&first.slug, first.claims[0].n);
            ui.note(&format!(
                "`ken resolve {slug} --keep {n}` says which holds; `--newer`, `--older` and `--drop` do too"
            ));
        }
    }
}

fn print_claim(claim: &OpenClaim, ui: &mut Ui) {
    let external = if claim.is_external { " (external)" } else { "" };
    ui.line(format!("  {}  {}{external}", claim.n, brief(&claim.text, CLAIM_CHARS_MAX)));
    let indent = " ".repeat(claim.n.to_string().len() + 4);
    for source in claim.sources.iter().take(SOURCES_MAX) {
        let place = match source.lines {
            (first, last) if first == last => format!("{}:{first}", clean(source.path.as_str())),
            (first, last) => format!("{}:{first}-{last}", clean(source.path.as_str())),
        };
        let by = source.speaker.as_deref().map(|who| format!("  {}", clean(who))).unwrap_or_default();
        let session = source.session.as_deref().map(|session| format!("  session {}", clean(session)));
        ui.line(format!("{indent}{}{by}{}", ui.paint().of(PLACE, &place), session.unwrap_or_default()));
    }
    if claim.sources.len() > SOURCES_MAX {
        ui.line(ui.paint().of(DIM, &format!("{indent}and {} more", claim.sources.len() - SOURCES_MAX)));
    }
}

fn print(done: &ResolveOutcome, ui: &mut Ui) {
    for side in &done.settled.sides {
        ui.say(format!(
            "{} {}",
            if side.holds { "Holds:        " } else { "Does not hold:" },
            brief(&side.text, CLAIM_CHARS_MAX)
        ));
    }
    let Some(journal) = &done.journal else {
        ui.line(clean(&done.settled.to_string()));
        return ui.say("Nothing was changed.");
    };
    match done.is_repeat {
        true => ui.say(format!("That stands in {journal} already.")),
        false => ui.say(format!("Written into {journal}")),
    }
    let updated: Vec<&str> =
        done.compiled.iter().flat_map(|compiled| &compiled.updated).map(ken_core::Slug::as_str).collect();
    if !updated.is_empty() {
        ui.say(format!("Updated {}", updated.join(", ")));
    }
    if done.n_open > 0 {
        ui.say(format!("{} left", count(done.n_open, "open dispute")));
    }
}

fn dispute_wire(dispute: &OpenDispute) -> DisputeWire<'_> {
    DisputeWire {
        slug: dispute.slug.as_str(),
        title: &dispute.title,
        path: dispute.path.as_str(),
        also_on: dispute.also_on.iter().map(ken_core::Slug::as_str).collect(),
        since: dispute.since.map(|day| day.to_string()),
        claims: dispute.claims.iter().map(claim_wire).collect(),
    }
}

fn source_wire(source: &OpenSource) -> SourceWire<'_> {
    let OpenSource { path, lines, speaker, session } = source;
    let (speaker, session) = (speaker.as_deref(), session.as_deref());
    SourceWire { path: path.as_str(), lines: [lines.0, lines.1], speaker, session }
}

fn claim_wire(claim: &OpenClaim) -> ClaimWire<'_> {
    ClaimWire {
        n: claim.n,
        text: &claim.text,
        line: claim.line,
        day: claim.day.map(|day| day.to_string()),
        external: claim.is_external,
        sources: claim.sources.iter().map(source_wire).collect(),
    }
}

fn settled_wire(done: &ResolveOutcome) -> SettledWire<'_> {
    let updated = done.compiled.iter().flat_map(|compiled| &compiled.updated);
    SettledWire {
        settled: done.settled.to_string(),
        journal: done.journal.as_ref().map(ken_core::VaultPath::as_str),
        repeated: done.is_repeat,
        updated: updated.map(ken_core::Slug::as_str).collect(),
        open: done.n_open,
    }
}

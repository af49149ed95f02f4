//! `ken prune`: takes out the words of talk that are not kept any longer.

use ken_core::talk::Why;
use ken_engine::{Engine, Failure, PruneOptions, PruneOutcome, Pruned, Stays};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::{clean, count, number};
use crate::ui::Ui;

/// Sessions that are named at most.
const NAMES_MAX: usize = 20;

/// Take out the talk of sessions that is not to be kept any longer
///
/// `sessions_keep` in kenning.toml says how much talk is kept: of days, of
/// sessions, or a size; all of it where it says nothing. Only words that entries
/// of the journal were made from go, and where the journal has them stands in
/// their place. What a page cites stays, what stands in no entry stays, and so
/// does what was said today. One operation that `ken undo` takes back. The
/// worker and `ken sync` do the same by themselves.
///
/// Examples:
///   ken prune --dry-run           what would go, and where the journal has it
///   ken prune
///   ken prune --keep 10           all but the last ten sessions
///   ken prune --keep 90d --keep 200MB
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Keep this instead of what `sessions_keep` says: `90d`, `10`, `200MB`; several hold at once
    #[arg(long, value_name = "BOUND")]
    keep: Vec<String>,
    /// Say what would go, and change nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    dry_run: bool,
    pruned: Vec<One<'a>>,
    stays: Vec<Left<'a>>,
    later: usize,
}

#[derive(Serialize)]
struct One<'a> {
    path: &'a str,
    why: &'static str,
    bytes: usize,
    parts: Vec<PartWire<'a>>,
}

#[derive(Serialize)]
struct PartWire<'a> {
    range: (u64, u64),
    stands: &'a [String],
}

#[derive(Serialize)]
struct Left<'a> {
    path: &'a str,
    why: &'static str,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let keep = (!args.keep.is_empty()).then(|| ken_engine::config::keep(&args.keep)).transpose()?;
    let done = engine.prune(PruneOptions { keep, dry_run: args.dry_run, is_by_itself: false })?;
    if ui.is_json() {
        ui.json(&wire(&done, args.dry_run));
    } else {
        let is_theirs = keep.is_none() && !engine.config().sessions_keep.is_all();
        print(&done, (args.dry_run, is_theirs), ui);
    }
    Ok(Answer::Yes)
}

fn wire(done: &PruneOutcome, dry_run: bool) -> Wire<'_> {
    Wire {
        dry_run,
        pruned: done.pruned.iter().map(pruned_wire).collect(),
        stays: done.stays.iter().map(|(path, why)| Left { path: path.as_str(), why: stays_word(*why) }).collect(),
        later: done.n_later,
    }
}

fn pruned_wire(one: &Pruned) -> One<'_> {
    let why = match one.why {
        Why::Days => "days",
        Why::Sessions => "sessions",
        Why::Bytes => "size",
    };
    let parts = one.parts.iter().map(|(range, stands)| PartWire { range: *range, stands }).collect();
    One { path: one.path.as_str(), why, bytes: one.n_bytes, parts }
}

fn stays_word(why: Stays) -> &'static str {
    match why {
        Stays::Cited => "cited",
        Stays::Uncovered => "uncovered",
        Stays::TakenBack => "taken-back",
        Stays::Short => "short",
    }
}

fn print(done: &PruneOutcome, (is_dry, is_theirs): (bool, bool), ui: &mut Ui) {
    let verb = if is_dry { "Would take out" } else { "Took out" };
    if done.keep.is_all() {
        ui.say(match is_theirs {
            true => "`sessions_keep` in kenning.toml is somebody else's: accept this vault with `ken trust`, or give `--keep`.",
            false => "All talk is kept: `sessions_keep` in kenning.toml sets no bound.",
        });
        return;
    }
    let n_bytes: usize = done.pruned.iter().map(|one| one.n_bytes).sum();
    match done.pruned.len() {
        0 => ui.say("No talk goes; nothing was changed."),
        n => ui.say(format!("{verb} the talk of {}, {} bytes:", count(n, "session"), number(n_bytes))),
    }
    for one in done.pruned.iter().take(NAMES_MAX) {
        ui.line(format!("  {}", clean(one.path.as_str())));
        for (range, stands) in &one.parts {
            ui.line(format!("    {}-{} of its transcript: {}", range.0, range.1, clean(&stands.join(", "))));
        }
    }
    if done.pruned.len() > NAMES_MAX {
        ui.line(format!("  and {} more", done.pruned.len() - NAMES_MAX));
    }
    for (why, words) in [
        (Stays::Uncovered, "with parts that stand in no entry of the journal"),
        (Stays::Cited, "that a page or a filed answer cites"),
        (Stays::TakenBack, "that an undo gave back"),
        (Stays::Short, "too short to gain anything"),
    ] {
        let paths: Vec<&str> =
            done.stays.iter().filter(|(_, stays)| *stays == why).map(|(path, _)| path.as_str()).collect();
        if !paths.is_empty() {
            ui.say(format!("Stays, {words}: {}", count(paths.len(), "session")));
            ui.say_names(&paths, NAMES_MAX / 4);
        }
    }
    if done.n_later > 0 {
        ui.say(format!("{} more the next time.", count(done.n_later, "session")));
    }
    match (is_dry, done.pruned.is_empty()) {
        (true, false) => ui.say("Nothing was changed."),
        (false, false) => ui.say("`ken undo` takes it back."),
        _ => {}
    }
}

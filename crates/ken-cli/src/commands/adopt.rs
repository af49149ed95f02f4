//! `ken adopt`: takes over the pages of another compiler.

use ken_engine::{AdoptOutcome, Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::{clean, count};
use crate::ui::Ui;

/// Pages that are named at most, and pages that are left.
const NAMES_MAX: usize = 12;

/// Take over the pages of claude-memory-compiler as compiled pages
///
/// A page that names a day among its sources was compiled from it. Each is
/// kept as a source in `raw/adopted/` and compiled again in its place: with its
/// name, its links, its sections and every sentence, each cited by the line of the
/// day that says so, or by the kept copy. Then the vault is compiled, as by `ken
/// compile`. From then on a new day that calls it by its name adds to it instead of
/// making a second page. Pages that name no day are yours and stay. One step that
/// `ken undo` takes back: every byte stands there as before.
///
/// Examples:
///   ken adopt --dry-run           which pages, and how much their days bear out
///   ken adopt
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Say what would be taken over, and change nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    dry_run: bool,
    adopted: Vec<One<'a>>,
    left: Vec<Left<'a>>,
    redactions: usize,
}

#[derive(Serialize)]
struct One<'a> {
    path: &'a str,
    copy: &'a str,
    statements: usize,
    borne_out: usize,
}

#[derive(Serialize)]
struct Left<'a> {
    path: &'a str,
    why: &'a str,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.adopt(args.dry_run)?;
    if ui.is_json() {
        ui.json(&wire(&done, args.dry_run));
    } else {
        print(&done, args.dry_run, ui);
    }
    Ok(Answer::Yes)
}

fn wire(done: &AdoptOutcome, dry_run: bool) -> Wire<'_> {
    let adopted = done.adopted.iter().map(|one| One {
        path: one.path.as_str(),
        copy: one.copy.as_str(),
        statements: one.n_statements,
        borne_out: one.n_borne_out,
    });
    let left = done.left.iter().map(|(path, why)| Left { path: path.as_str(), why });
    Wire { dry_run, adopted: adopted.collect(), left: left.collect(), redactions: done.redactions }
}

fn print(done: &AdoptOutcome, is_dry: bool, ui: &mut Ui) {
    let verb = if is_dry { "Would take over" } else { "Took over" };
    match done.adopted.len() {
        0 => ui.say("There is no page to take over; nothing was changed."),
        n => {
            let n_all: usize = done.adopted.iter().map(|one| one.n_statements).sum();
            let n_borne: usize = done.adopted.iter().map(|one| one.n_borne_out).sum();
            let all = format!("{} with {}", count(n, "page"), count(n_all, "statement"));
            let n_copied = n_all - n_borne;
            ui.say(format!("{verb} {all}: {n_borne} cited by the line of a day, {n_copied} by the kept copy."));
        }
    }
    let names: Vec<&str> = done.adopted.iter().map(|one| one.path.as_str()).collect();
    ui.say_names(&names, NAMES_MAX);
    if !done.left.is_empty() {
        ui.say("Stay as they are:");
        for (path, why) in done.left.iter().take(NAMES_MAX) {
            ui.say(format!("  {}: {}", clean(path.as_str()), clean(why)));
        }
        if done.left.len() > NAMES_MAX {
            ui.say(format!("  and {} more", done.left.len() - NAMES_MAX));
        }
    }
    if done.redactions > 0 {
        ui.say(format!("{} covered in the copies.", count(done.redactions, "secret")));
    }
    match (is_dry, done.adopted.is_empty()) {
        (true, false) => ui.say("Nothing was changed."),
        (false, false) => ui.say("Their copies are in `raw/adopted/`. `ken undo` takes it back."),
        _ => {}
    }
}

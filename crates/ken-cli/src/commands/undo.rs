//! `ken undo`: takes an operation back.

use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::clean;
use crate::ui::Ui;
use crate::wire;

/// Files that are named.
const NAMES_MAX: usize = 12;

/// Take an operation back
///
/// Restores every file that it changed, if nobody has changed it since; otherwise
/// it changes nothing and says which file is in the way. All that one command did
/// is taken back at once; again, and the one before it is. `ken redo` goes forward.
/// The journal is never shortened.
///
/// Examples:
///   ken undo                 what the last command did
///   ken undo 000007          the one with this id in `ken history`
///   ken undo 000007-000012   all that one command did
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The operation's id, or the first and last of a command's [default: the last one]
    id: Option<String>,
}

#[derive(Serialize)]
struct Wire<'a> {
    undone: &'a str,
    what: &'a str,
    changed: Vec<&'a str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.undo(args.id.as_deref())?;
    let changed = wire::paths(&done.changed);
    if ui.is_json() {
        ui.json(&Wire { undone: &done.undone, what: &done.what, changed });
        return Ok(Answer::Yes);
    }
    ui.say(format!("Took back operation {} ({})", done.undone, clean(&done.what)));
    ui.say_names(&changed, NAMES_MAX);
    if done.stays_in_journal {
        ui.note("what it added to the journal stays there");
    }
    Ok(Answer::Yes)
}

//! `ken redo`: does again what was taken back.

use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::clean;
use crate::ui::Ui;
use crate::wire;

/// Files that are named.
const NAMES_MAX: usize = 12;

/// Do again what an undo took back
///
/// Goes forward as many steps as `ken undo` went back, until something else is done
/// that changes pages.
///
/// Examples:
///   ken redo
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct Wire<'a> {
    redone: &'a str,
    what: &'a str,
    changed: Vec<&'a str>,
}

/// Runs the command.
pub(crate) fn run(_args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.redo()?;
    let changed = wire::paths(&done.changed);
    if ui.is_json() {
        ui.json(&Wire { redone: &done.undone, what: &done.what, changed });
        return Ok(Answer::Yes);
    }
    ui.say(format!("Did operation {} again ({})", done.undone, clean(&done.what)));
    ui.say_names(&changed, NAMES_MAX);
    Ok(Answer::Yes)
}

//! `ken trust`: accepts a vault.

use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::ui::Ui;
use crate::wire;

/// Accept a vault that somebody else made
///
/// A vault that came with a clone or an archive captures and answers, but its text
/// does not go into the start of your agents' sessions. Look at it first (`ken
/// list`, `ken brief` after accepting); `ken trust` accepts it, once, for you and
/// for the place where it is now. A vault that `ken init` made for you is accepted.
///
/// Examples:
///   ken trust
///   ken trust --vault ../handbook
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct Wire {
    root: String,
    changed: bool,
}

/// Runs the command.
pub(crate) fn run(engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let is_new = engine.accept()?;
    let root = wire::place(engine.root());
    if ui.is_json() {
        ui.json(&Wire { root, changed: is_new });
    } else if is_new {
        ui.say(format!(
            "Accepted the vault in {root}; sessions start with its brief from now on (`ken brief` prints it)"
        ));
    } else {
        ui.say(format!("The vault in {root} is accepted already; nothing was changed"));
    }
    Ok(Answer::Yes)
}

//! `ken brief`: prints what a session starts with.

use ken_engine::Failure;
use serde::Serialize;

use crate::exit::Answer;
use crate::session::Session;
use crate::then::{Then, ThenWire};
use crate::ui::Ui;

/// Print what a session of an agent starts with
///
/// What is open, what was decided lately, the pages nearest to the branch and the
/// files at hand, the newest entries, and how to ask for more: whole rows, within
/// a budget of bytes. Hooks hand the same text to agents. With `--memory`, a short
/// index of all pages for agents that read a file of at most 200 lines at start.
///
/// Examples:
///   ken brief
///   ken brief --bytes 9000
///   ken brief --memory > MEMORY.md
///   ken brief --as-of 2026-03-12
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Most bytes, up to 9000 [default: `brief_bytes` in kenning.toml, 2000]
    #[arg(long, value_name = "N")]
    bytes: Option<usize>,
    /// A short index of all pages instead
    #[arg(long, conflicts_with = "bytes")]
    memory: bool,
    #[command(flatten)]
    then: Then,
}

#[derive(Serialize)]
struct Wire<'a> {
    #[serde(flatten)]
    then: ThenWire,
    text: &'a str,
    bytes: usize,
    budget: usize,
    pages: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let engine = args.then.engine(&session.engine()?)?;
    let done = if args.memory { engine.memory_brief()? } else { engine.brief(session.cwd(), args.bytes)? };
    if done.text.is_empty() && done.budget > 0 {
        ui.warning(&format!("not even the frame of a brief fits into {} bytes", done.budget));
    }
    if ui.is_json() {
        let (text, bytes) = (done.text.as_str(), done.text.len());
        ui.json(&Wire { then: args.then.wire(), text, bytes, budget: done.budget, pages: done.n_pages });
    } else {
        ui.page_text(&done.text);
    }
    Ok(Answer::Yes)
}

//! `ken brief`: prints what a session starts with.

use ken_engine::outcome::BriefOutcome;
use ken_engine::{Failure, TASK_CHARS_MAX};
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
/// With `--for`, what the vault knows for a task instead: rows from pages and
/// evidence by topic, each with a share, nothing twice, and nothing where nothing
/// is near. The same task and vault give the same text. What the vault that
/// KEN_PERSONAL names knows comes behind what the project's knows.
///
/// Examples:
///   ken brief
///   ken brief --bytes 9000
///   ken brief --memory > MEMORY.md
///   ken brief --for "Add a warm-up to the order cache" --max-chars 15000
///   ken brief --as-of 2026-03-12
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Most bytes, up to 9000 [default: `brief_bytes` in kenning.toml, 2000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    bytes: Option<usize>,
    /// A short index of all pages instead
    #[arg(long, conflicts_with = "bytes")]
    memory: bool,
    /// What the vault knows for this task; `-` reads it from standard input
    #[arg(long = "for", value_name = "TASK", conflicts_with_all = ["bytes", "memory"])]
    task: Option<String>,
    /// With `--for`: most characters [default: 15000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "task")]
    max_chars: Option<usize>,
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
    if let Some(task) = &args.task {
        let task = if task == "-" { crate::env::input()? } else { task.clone() };
        let done = engine.brief_for(&task, session.personal()?.as_ref(), args.max_chars.unwrap_or(TASK_CHARS_MAX))?;
        print_for(args, &done, ui);
        return Ok(Answer::Yes);
    }
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

#[derive(Serialize)]
struct TaskWire<'a> {
    #[serde(flatten)]
    then: ThenWire,
    text: &'a str,
    chars: usize,
    max_chars: usize,
}

fn print_for(args: &Args, done: &BriefOutcome, ui: &mut Ui) {
    if ui.is_json() {
        let (text, chars) = (done.text.as_str(), done.text.chars().count());
        return ui.json(&TaskWire { then: args.then.wire(), text, chars, max_chars: done.budget });
    }
    if done.text.is_empty() {
        return ui.note(&format!(
            "no page of this vault is near this task, or nothing of one fits into {} characters",
            done.budget
        ));
    }
    ui.page_text(&done.text);
}

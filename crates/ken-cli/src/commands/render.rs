//! `ken render`: where the project stands, for an agent that remembers nothing.

use ken_core::Tokens;
use ken_engine::{Engine, Failure, RenderOutcome};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::clean;
use crate::ui::Ui;

/// Print where the project stands, in a few hundred tokens
///
/// For an agent that keeps no conversation: what is being done, blocked, to do and
/// done, from `ken state` and the open action items, and the pages to read for the
/// goal. The same state and goal give the same bytes; the hundredth text is as
/// large as the first.
///
/// Examples:
///   ken render "Ship the export"
///   ken render --budget 300 "Fix the parser"
///   ken render --json "Ship the export"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// What is to be reached
    #[arg(required = true, value_name = "GOAL")]
    goal: Vec<String>,
    /// Most tokens of the text [default: 500]
    #[arg(
        long,
        value_name = "TOKENS",
        allow_negative_numbers = true,
        default_value_t = 500,
        hide_default_value = true
    )]
    budget: usize,
}

#[derive(Serialize)]
struct Wire<'a> {
    goal: &'a str,
    budget: usize,
    tokens: usize,
    parts: Vec<WirePart<'a>>,
    pages: Vec<&'a str>,
    notes: &'a [String],
    text: &'a str,
}

#[derive(Serialize)]
struct WirePart<'a> {
    heading: &'a str,
    rows: &'a [String],
    all: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let goal = args.goal.join(" ");
    if !goal.chars().any(char::is_alphanumeric) {
        return Err(Failure::usage("the goal says nothing").hint("name it as in `ken render \"Ship the export\"`"));
    }
    let done = engine.render(&goal, Tokens(args.budget))?;
    if ui.is_json() {
        ui.json(&wire(&done));
        return Ok(Answer::Yes);
    }
    ui.page_text(&format!("{}\n", done.text));
    done.notes.iter().for_each(|note| ui.warning(&clean(note)));
    Ok(Answer::Yes)
}

fn wire(done: &RenderOutcome) -> Wire<'_> {
    let parts = done.parts.iter().filter(|part| part.n_all > 0);
    Wire {
        goal: &done.goal,
        budget: done.budget.0,
        tokens: done.tokens.0,
        parts: parts.map(|part| WirePart { heading: &part.heading, rows: &part.rows, all: part.n_all }).collect(),
        pages: done.pages.iter().map(|slug| slug.as_str()).collect(),
        notes: &done.notes,
        text: &done.text,
    }
}

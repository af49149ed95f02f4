//! `ken context`: the text that answers a question, cut to a budget.

use ken_core::Tokens;
use ken_engine::outcome::ContextOutcome;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::{count, number};
use crate::then::{Then, ThenWire};
use crate::ui::Ui;
use crate::wire;

/// Print the text that answers a question, cut to a budget
///
/// Prints what to hand to a model: the parts of pages, journal, talk and sources
/// that answer best, each with its place and, in a document, the section that it
/// stands in, several of a document, as long as they help and fit; a page that the
/// question names comes first, and how something changed where the question asks
/// for that. It stands in a frame with the source, date and trust of each part;
/// sentences that order their reader to do something are withheld. Only that text
/// goes to stdout.
/// Exits with 1 when nothing in the vault is sure to answer the question: what came
/// closest is printed all the same and says so, and nothing at all where nothing
/// came close, or nothing fits. With vectors (docs/book/semantic.md) what means the
/// same as the question counts among the closest.
///
/// Examples:
///   ken context "how do refresh tokens rotate?"
///   ken context --budget 500 token lifetime | pbcopy
///   ken context --as-of 2026-03-12 "how long do tokens live?"
///   ken context --on 2026-03-12 "how long do tokens live?"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The question
    #[arg(required = true)]
    question: Vec<String>,
    /// Tokens that may be spent [default: `context_tokens` of kenning.toml, else 2000]
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true)]
    budget: Option<usize>,
    #[command(flatten)]
    then: Then,
}

#[derive(Serialize)]
struct Wire<'a> {
    #[serde(flatten)]
    then: ThenWire,
    text: &'a str,
    tokens: usize,
    budget: usize,
    abstained: bool,
    confidence: f64,
    parts: Vec<Part<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Part<'a> {
    path: &'a str,
    lines: [usize; 2],
    tokens: usize,
    date: Option<String>,
    trust: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<Claim>,
}

#[derive(Serialize)]
struct Claim {
    line: usize,
    #[serde(flatten)]
    said: wire::Said,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let engine = args.then.engine(engine)?;
    let question = args.question.join(" ");
    let done = engine.context(&question, args.budget.map(Tokens))?;
    engine.note_question_of(&question, done.abstained, done.pack.parts.iter().map(|one| &one.path));
    if ui.is_json() {
        ui.json(&wire(&done, args))
    } else {
        print(&done, ui)
    }
    Ok(Answer::no_if(done.abstained || done.pack.text.is_empty()))
}

fn wire<'a>(done: &'a ContextOutcome, args: &Args) -> Wire<'a> {
    let parts = done.pack.parts.iter().map(|one| Part {
        path: one.path.as_str(),
        lines: one.lines.into(),
        tokens: one.tokens.0,
        date: one.date.map(|date| date.to_string()),
        trust: one.trust.map(ken_core::Trust::as_str),
        claims: one.claims.iter().map(|(line, said)| Claim { line: *line, said: wire::Said::of(said) }).collect(),
    });
    Wire {
        then: args.then.wire_on(done.on),
        text: &done.pack.text,
        tokens: done.pack.tokens.0,
        budget: done.budget.0,
        abstained: done.abstained,
        confidence: (f64::from(done.confidence) * 100.0).round() / 100.0,
        parts: parts.collect(),
        notes: &done.notes,
    }
}

fn print(done: &ContextOutcome, ui: &mut Ui) {
    ui.page_text(&done.pack.text);
    done.notes.iter().for_each(|note| ui.warning(note));
    let (spent, budget) = (number(done.pack.tokens.0), count(done.budget.0, "token"));
    if done.abstained {
        ui.note(if done.pack.text.is_empty() {
            "nothing in this vault answers that"
        } else {
            "nothing is sure to answer that; this is closest"
        });
        return;
    }
    if done.pack.text.is_empty() {
        ui.note(&format!("what answers that does not fit into {budget}; allow more with `--budget`"));
        return;
    }
    ui.aside(&format!("{} {spent} of {budget}", done.declaration));
}

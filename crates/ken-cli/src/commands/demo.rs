//! `ken demo`: all of it on a small example.

use std::path::PathBuf;

use ken_engine::outcome::{DemoOutcome, DemoQuestion};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{BOLD, DIM, GOOD};
use crate::session::Session;
use crate::text::{brief, clean, count, number};
use crate::ui::Ui;
use crate::wire;

/// Longest answer that is shown, characters.
const ANSWER_CHARS_MAX: usize = 240;
/// The folder that is made when none is named.
const FOLDER: &str = "kenning-demo";
/// What to ask the demo: its journal tells what took the place of something, and why.
const ASKED: &str = "Why did we move away from SQLite?";

/// See all of it on a small example
///
/// Makes a vault with a few weeks of an invented project's journal, compiles it
/// and asks it some questions, one of which it cannot answer. Takes well under a
/// second, and leaves the vault behind to play with.
///
/// Examples:
///   ken demo            in a new folder `kenning-demo`
///   ken demo try-it     in this one
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The new vault's folder [default: kenning-demo, kenning-demo-2, …]
    dir: Option<PathBuf>,
}

#[derive(Serialize)]
struct Wire<'a> {
    root: String,
    days: Vec<String>,
    created: Vec<&'a str>,
    claims: usize,
    tokens_everything: usize,
    questions: Vec<Question<'a>>,
}

#[derive(Serialize)]
struct Question<'a> {
    question: &'a str,
    loaded: Vec<&'a str>,
    total_pages: usize,
    tokens: usize,
    saved_percent: usize,
    abstained: bool,
    answer: &'a str,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let root = match &args.dir {
        Some(dir) => session.folder(Some(dir)),
        None => session.new_folder(FOLDER),
    };
    let done = Engine::demo(&root, &session.keys(), session.clock())?;
    if ui.is_json() {
        ui.json(&wire(&done))
    } else {
        print(&done, session, ui)
    }
    Ok(Answer::Yes)
}

fn wire(done: &DemoOutcome) -> Wire<'_> {
    let question = |asked: &'_ DemoQuestion| (saved_percent(asked, done), asked.route.is_empty());
    let questions = done.questions.iter().map(|asked| {
        let (saved_percent, abstained) = question(asked);
        Question {
            question: &asked.question,
            loaded: asked.route.loaded.iter().map(|one| one.entry.slug.as_str()).collect(),
            total_pages: asked.route.n_pages,
            tokens: asked.route.tokens.0,
            saved_percent,
            abstained,
            answer: &asked.answer,
        }
    });
    Wire {
        root: wire::place(&done.root),
        days: done.days.iter().map(ToString::to_string).collect(),
        created: wire::slugs(&done.compiled.created),
        claims: done.compiled.claims,
        tokens_everything: done.tokens_everything.0,
        questions: questions.collect(),
    }
}

/// What the route spares against loading every page, whole percents, rounded down.
fn saved_percent(asked: &DemoQuestion, done: &DemoOutcome) -> usize {
    let everything = done.tokens_everything.0;
    everything.saturating_sub(asked.route.tokens.0) * 100 / everything.max(1)
}

fn print(done: &DemoOutcome, session: &Session, ui: &mut Ui) {
    let paint = ui.paint();
    let (days, pages) = (count(done.days.len(), "journal day"), count(done.compiled.created.len(), "page"));
    let (claims, ms) = (count(done.compiled.claims, "claim"), session.elapsed_ms());
    ui.line(format!("Compiled {days} of an invented project into {pages} with {claims}, in {ms} ms, without a model."));
    ui.line(format!("Loading everything would cost {}.", count(done.tokens_everything.0, "token")));
    for asked in &done.questions {
        ui.line("");
        ui.line(format!(
            "{} {}",
            paint.of(DIM, "$ ken route"),
            paint.of(BOLD, &format!("\"{}\"", clean(&asked.question)))
        ));
        ui.line(format!("  {}", clean(&asked.route.declaration())));
        let (n_loaded, n_pages) = (asked.route.loaded.len(), count(asked.route.n_pages, "page"));
        if n_loaded == 0 {
            ui.line(paint.of(GOOD, "  No page is sure to answer that, so nothing is loaded."));
            continue;
        }
        let (tokens, saved) = (count(asked.route.tokens.0, "token"), saved_percent(asked, done));
        let saved = paint.of(GOOD, &format!("{saved}% less"));
        ui.line(format!(
            "  {n_loaded} of {n_pages}, {tokens} instead of {}: {saved}",
            number(done.tokens_everything.0)
        ));
        ui.line(format!("  {}", paint.of(DIM, &brief(&asked.answer, ANSWER_CHARS_MAX))));
    }
    print_next(done, session, ui);
}

fn print_next(done: &DemoOutcome, session: &Session, ui: &mut Ui) {
    let folder = session.shown(&done.root);
    ui.line("");
    ui.line(format!("The vault is in {folder} and all of it is plain Markdown. Try:"));
    ui.line(format!("  cd {folder}"));
    ui.line(format!("  ken ask \"{ASKED}\""));
    let asked = done.questions.iter().find(|asked| !asked.route.is_empty());
    if let Some(asked) = asked {
        ui.line(format!("  ken route --explain \"{}\"", clean(&asked.question)));
        ui.line(format!("  ken show {}", asked.route.loaded[0].entry.slug));
    }
    ui.line("  ken lint");
}

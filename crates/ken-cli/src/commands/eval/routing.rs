//! `ken eval routing`: what a question costs with and without routing.

use ken_engine::eval::routing::{Asker, RoutingOutcome};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use super::{rounded, text_of};
use crate::exit::Answer;
use crate::paint::GOOD;
use crate::text::{count, number, plural};
use crate::ui::Ui;

/// Say what a question costs with routing and with everything loaded
///
/// The benchmark of the Compiled Knowledge Pattern, for this vault: the tokens of
/// all pages, the mean of what `ken route` loads, and the share that is spared.
/// The questions are those of FILE, one a line; without it those of the vault's
/// knowledge tests; without any, two are made of each page's title and triggers.
///
/// Examples:
///   ken eval routing
///   ken eval routing questions.txt --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Questions, one a line, `-` for stdin
    file: Option<String>,
}

#[derive(Serialize)]
struct Wire<'a> {
    pages: usize,
    questions_from: &'static str,
    n_questions: usize,
    n_abstained: usize,
    tokens_everything: usize,
    tokens_routed: Option<f64>,
    reduction: Option<f64>,
    tokens_routed_answered: Option<f64>,
    reduction_answered: Option<f64>,
    questions: Vec<QuestionWire<'a>>,
}

#[derive(Serialize)]
struct QuestionWire<'a> {
    question: &'a str,
    loaded: usize,
    tokens: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let lines = |text: String| -> Vec<String> {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    let questions = args.file.as_deref().map(text_of).transpose()?.map(lines);
    let done = engine.measure_routing(questions)?;
    if ui.is_json() {
        ui.json(&wire(&done));
    } else {
        print(&done, ui);
    }
    Ok(Answer::Yes)
}

fn wire(done: &RoutingOutcome) -> Wire<'_> {
    let (routed, answered) = (done.routed(), done.routed_answered());
    let questions = done.questions.iter().map(|one| QuestionWire {
        question: &one.question,
        loaded: one.n_loaded,
        tokens: one.tokens.0,
    });
    Wire {
        pages: done.n_pages,
        questions_from: done.asker.as_str(),
        n_questions: done.questions.len(),
        n_abstained: done.n_abstained(),
        tokens_everything: done.everything.0,
        tokens_routed: routed.map(rounded),
        reduction: done.reduction(routed).map(rounded),
        tokens_routed_answered: answered.map(rounded),
        reduction_answered: done.reduction(answered).map(rounded),
        questions: questions.collect(),
    }
}

fn print(done: &RoutingOutcome, ui: &mut Ui) {
    let from = match done.asker {
        Asker::File => "of the file",
        Asker::Tests => "of the vault's tests",
        Asker::Pages => "made of titles and triggers",
    };
    let tokens = |mean: Option<f64>| mean.map_or("-".to_owned(), |mean| number(mean.round() as usize));
    let percent = |mean| done.reduction(mean).map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0));
    let (routed, answered) = (done.routed(), done.routed_answered());
    let n_abstained = done.n_abstained();
    ui.line(format!("{}, {} {from}", count(done.n_pages, "page"), count(done.questions.len(), "question")));
    ui.line(format!("everything loaded: {}", count(done.everything.0, "token")));
    let spared = ui.paint().of(GOOD, &format!("{} less", percent(routed)));
    ui.line(format!("routed, mean:      {} tokens, {spared}", tokens(routed)));
    if n_abstained > 0 {
        let load = if n_abstained == 1 { "loads" } else { "load" };
        let questions = plural(n_abstained, "question");
        ui.line(format!(
            "{} {questions} {load} nothing; without them: {} tokens, {} less",
            number(n_abstained),
            tokens(answered),
            percent(answered)
        ));
    }
}

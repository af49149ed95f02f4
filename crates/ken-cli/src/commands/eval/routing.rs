//! `ken eval routing`: what a question costs with and without routing.

use ken_engine::eval::knowledge::{KnowledgeTest, parse};
use ken_engine::eval::routing::{Asker, RoutingOutcome, asked};
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
/// Where pages are expected, it counts what is right; a FILE that ends in .toml
/// is read as knowledge tests. Prices are those of 1,000 questions.
///
/// Examples:
///   ken eval routing
///   ken eval routing questions.txt --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Questions, one a line, `-` for stdin; or knowledge tests in TOML
    file: Option<String>,
    /// Dollars for a million tokens
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true, default_value_t = 3.0)]
    price: f64,
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
    n_right: usize,
    n_graded: usize,
    n_out_of_domain: usize,
    loaded_out_of_domain: usize,
    tokens_headers: usize,
    dollars_everything: f64,
    dollars_routed: Option<f64>,
    pays_from_pages: Option<usize>,
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
    if !(args.price.is_finite() && args.price >= 0.0) {
        return Err(Failure::usage("`--price` takes dollars for a million tokens, as 3").hint("nothing was changed"));
    }
    let read = |file: &str| -> Result<Vec<KnowledgeTest>, Failure> {
        let text = text_of(file)?;
        match file.ends_with(".toml") {
            true => parse(&text, file),
            false => Ok(lines(text).into_iter().map(asked).collect()),
        }
    };
    let questions = args.file.as_deref().map(read).transpose()?;
    let done = engine.measure_routing(questions)?;
    if ui.is_json() {
        ui.json(&wire(&done, args.price));
    } else {
        print(&done, args.price, ui);
    }
    Ok(Answer::Yes)
}

/// What 1,000 questions cost that load so many tokens each.
fn dollars(tokens: f64, price: f64) -> f64 {
    tokens * price / 1000.0
}

fn wire(done: &RoutingOutcome, price: f64) -> Wire<'_> {
    let (routed, answered) = (done.routed(), done.routed_answered());
    let ((n_right, n_graded), (n_out_of_domain, loaded_out_of_domain)) = (done.right(), done.out_of_domain());
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
        n_right,
        n_graded,
        n_out_of_domain,
        loaded_out_of_domain,
        tokens_headers: done.headers.0,
        dollars_everything: rounded(dollars(done.everything.0 as f64, price)),
        dollars_routed: routed.map(|tokens| rounded(dollars(tokens, price))),
        pays_from_pages: done.pays_from(),
        questions: questions.collect(),
    }
}

fn print(done: &RoutingOutcome, price: f64, ui: &mut Ui) {
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
    let (n_right, n_graded) = done.right();
    if n_graded > 0 {
        let (n_others, n_loaded) = done.out_of_domain();
        ui.line(format!("right:             {} of {}", number(n_right), number(n_graded)));
        ui.line(format!("out of domain:     {}, {} loaded", count(n_others, "question"), count(n_loaded, "page")));
    }
    let cost = |tokens: f64| format!("${:.2}", dollars(tokens, price));
    let spent = routed.map_or("-".to_owned(), cost);
    ui.line(format!("1,000 questions:   {spent} routed, {} with everything", cost(done.everything.0 as f64)));
    let headers = count(done.headers.0, "token");
    match done.pays_from() {
        Some(n) => {
            ui.line(format!("with all headers ({headers}) it costs less from {} of this size on", count(n, "page")))
        }
        None => ui.line(format!("headers cost as much as pages ({headers}): longer pages are worth routing")),
    }
}

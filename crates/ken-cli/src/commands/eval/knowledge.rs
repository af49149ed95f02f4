//! `ken eval knowledge`: whether the vault answers what it must.

use ken_core::Slug;
use ken_engine::eval::knowledge::{self, ByHeaders, HEADER_TOKENS, HeaderFigures, TESTS_FILE, TestResult};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use super::text_of;
use crate::exit::Answer;
use crate::paint::{DIM, ERROR, GOOD};
use crate::text::{clean, count, number};
use crate::ui::Ui;

/// Ask the questions of a file and compare what comes with what must
///
/// The file is TOML, written by hand. A test is a question with what is to come of
/// it: pages that `ken route` must load or must not, places that `ken context` or
/// the evidence of `ken search` must show, what the context must say (words, or an
/// expression between slashes), or that nothing is loaded at all.
///
///   [[test]]
///   question = "How do refresh tokens rotate?"
///   must_load = ["jwt-authentication"]
///   must_cite = ["daily/2026-02-10.md#L14-L16"]
///   must_say = ["at every use", "/15 min(utes)?/"]
///   must_not_load = ["database"]
///
///   [[test]]
///   question = "Which cluster runs our billing service?"
///   abstain = true
///
/// Then it says how often headers alone lead to the answer: pages in the order in
/// which title, aliases, tldr and triggers would have them opened, loaded whole
/// within 4,000 tokens, and no text of a page looked at. That passes or fails no
/// test.
///
/// Exits with 0 when every test passes, with 1 when one fails, and with 2 when the
/// file does not read.
///
/// Examples:
///   ken eval knowledge                 the vault's own tests
///   ken eval knowledge questions.toml --json
///   ken eval knowledge --headers       for each question, where headers lead
///   ken eval knowledge --init > kenning-tests.toml
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The tests, `-` for stdin [default: `kenning-tests.toml` in the vault]
    file: Option<String>,
    /// Print a file to begin with, made of the vault's pages, and test nothing
    #[arg(long, conflicts_with = "file")]
    init: bool,
    /// Say for each question where headers alone lead
    #[arg(long, conflicts_with = "init")]
    headers: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    passed: usize,
    failed: usize,
    headers: FiguresWire,
    tests: Vec<TestWire<'a>>,
}

#[derive(Serialize)]
struct FiguresWire {
    n_questions: usize,
    on_first_page: usize,
    within_tokens: usize,
    on_one_page: usize,
    tokens_max: usize,
}

#[derive(Serialize)]
struct TestWire<'a> {
    question: &'a str,
    passed: bool,
    failures: &'a [String],
    loaded: Vec<&'a str>,
    tokens: usize,
    headers: Option<HeadersWire<'a>>,
}

#[derive(Serialize)]
struct HeadersWire<'a> {
    page: Option<&'a str>,
    rank: Option<usize>,
    within_tokens: bool,
    loaded: Vec<&'a str>,
    tokens: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    if args.init {
        let text = engine.first_knowledge_tests()?;
        match ui.is_json() {
            true => ui.json(&serde_json::json!({ "file": TESTS_FILE, "text": text })),
            false => ui.page_text(&text),
        }
        return Ok(Answer::Yes);
    }
    let tests = match &args.file {
        Some(file) => knowledge::parse(&text_of(file)?, file)?,
        None => engine.knowledge_tests()?.ok_or_else(|| {
            let failure = Failure::usage(format!("there is no `{TESTS_FILE}` in this vault"));
            failure.hint(format!("begin with `ken eval knowledge --init > {TESTS_FILE}`"))
        })?,
    };
    let results = engine.test_knowledge(&tests)?;
    let n_failed = results.iter().filter(|result| !result.has_passed()).count();
    let figures = HeaderFigures::of(&results);
    if ui.is_json() {
        let (headers, tests) = (figures_wire(figures), results.iter().map(wire).collect());
        ui.json(&Wire { passed: results.len() - n_failed, failed: n_failed, headers, tests });
    } else {
        results.iter().for_each(|result| print(result, args.headers, ui));
        ui.line(match n_failed {
            0 => format!("{}, all passed", count(results.len(), "test")),
            _ => format!("{}, {n_failed} failed", count(results.len(), "test")),
        });
        print_figures(figures, ui);
    }
    Ok(Answer::no_if(n_failed > 0))
}

fn figures_wire(figures: HeaderFigures) -> FiguresWire {
    FiguresWire {
        n_questions: figures.n_questions,
        on_first_page: figures.n_first,
        within_tokens: figures.n_loaded,
        on_one_page: figures.n_on_one_page,
        tokens_max: HEADER_TOKENS.0,
    }
}

fn wire(result: &TestResult) -> TestWire<'_> {
    let headers = result.by_headers.as_ref().map(|led| HeadersWire {
        page: led.page.as_ref().map(Slug::as_str),
        rank: led.rank,
        within_tokens: led.is_loaded,
        loaded: led.loaded.iter().map(Slug::as_str).collect(),
        tokens: led.tokens.0,
    });
    TestWire {
        question: &result.question,
        passed: result.has_passed(),
        failures: &result.failures,
        loaded: result.loaded.iter().map(Slug::as_str).collect(),
        tokens: result.tokens.0,
        headers,
    }
}

fn print(result: &TestResult, says_headers: bool, ui: &mut Ui) {
    let paint = ui.paint();
    let verdict = if result.has_passed() { paint.of(GOOD, "pass") } else { paint.of(ERROR, "fail") };
    ui.line(format!("{verdict}  {}", clean(&result.question)));
    for failure in &result.failures {
        ui.line(format!("      {}", clean(failure)));
    }
    if !result.has_passed() {
        let loaded: Vec<&str> = result.loaded.iter().map(Slug::as_str).collect();
        let loaded = if loaded.is_empty() { "nothing".to_owned() } else { loaded.join(", ") };
        ui.line(paint.of(DIM, &format!("      loaded: {loaded}")));
    }
    if let Some(led) = result.by_headers.as_ref().filter(|_| says_headers) {
        ui.line(paint.of(DIM, &format!("      headers: {}", said(led))));
    }
}

/// Where headers lead; of an answer on several pages, that they are loaded together.
fn said(led: &ByHeaders) -> String {
    let tokens = count(HEADER_TOKENS.0, "token");
    let is_alone = led.rank.is_some_and(|rank| rank <= led.loaded.len());
    let within = if led.is_loaded { "within" } else { "not within" };
    match (&led.page, led.rank) {
        _ if led.is_loaded && !is_alone => format!("on several pages, within {tokens}"),
        (Some(page), Some(1)) if led.is_loaded => format!("{page} is the first page"),
        (Some(page), Some(rank)) => format!("{page} is page {}, {within} {tokens}", number(rank)),
        (Some(page), None) => format!("nothing leads to {page}"),
        (None, _) => "no one page holds the answer".to_owned(),
    }
}

/// How often headers alone lead to an answer; nothing where no test says what the answer is.
fn print_figures(figures: HeaderFigures, ui: &mut Ui) {
    let n = figures.n_questions;
    if n == 0 {
        return;
    }
    let of = |part: usize| format!("{} of {}", number(part), number(n));
    ui.line(format!("headers alone, answer on the first page: {}", of(figures.n_first)));
    ui.line(format!("pages loaded whole within {}:  {}", count(HEADER_TOKENS.0, "token"), of(figures.n_loaded)));
    ui.line(format!("on one page of the vault at all:         {}", of(figures.n_on_one_page)));
}

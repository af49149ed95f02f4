//! `ken eval knowledge`: whether the vault answers what it must.

use ken_engine::eval::knowledge::{self, TESTS_FILE, TestResult};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use super::text_of;
use crate::exit::Answer;
use crate::paint::{DIM, ERROR, GOOD};
use crate::text::{clean, count};
use crate::ui::Ui;

/// Ask the questions of a file and compare what comes with what must
///
/// The file is TOML, written by hand. A test is a question with what is to come of
/// it: pages that `ken route` must load or must not, places that `ken context` or
/// the evidence of `ken search` must show, or that nothing is loaded at all.
///
///   [[test]]
///   question = "How do refresh tokens rotate?"
///   must_load = ["jwt-authentication"]
///   must_cite = ["daily/2026-02-10.md#L14-L16"]
///   must_not_load = ["database"]
///
///   [[test]]
///   question = "Which cluster runs our billing service?"
///   abstain = true
///
/// Exits with 0 when every test passes, with 1 when one fails, and with 2 when the
/// file does not read.
///
/// Examples:
///   ken eval knowledge                 the vault's own tests
///   ken eval knowledge questions.toml --json
///   ken eval knowledge --init > kenning-tests.toml
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The tests, `-` for stdin [default: `kenning-tests.toml` in the vault]
    file: Option<String>,
    /// Print a file to begin with, made of the vault's pages, and test nothing
    #[arg(long, conflicts_with = "file")]
    init: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    passed: usize,
    failed: usize,
    tests: Vec<TestWire<'a>>,
}

#[derive(Serialize)]
struct TestWire<'a> {
    question: &'a str,
    passed: bool,
    failures: &'a [String],
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
    if ui.is_json() {
        let tests = results.iter().map(wire).collect();
        ui.json(&Wire { passed: results.len() - n_failed, failed: n_failed, tests });
    } else {
        results.iter().for_each(|result| print(result, ui));
        ui.line(match n_failed {
            0 => format!("{}, all passed", count(results.len(), "test")),
            _ => format!("{}, {n_failed} failed", count(results.len(), "test")),
        });
    }
    Ok(Answer::no_if(n_failed > 0))
}

fn wire(result: &TestResult) -> TestWire<'_> {
    TestWire {
        question: &result.question,
        passed: result.has_passed(),
        failures: &result.failures,
        loaded: result.loaded.iter().map(ken_core::Slug::as_str).collect(),
        tokens: result.tokens.0,
    }
}

fn print(result: &TestResult, ui: &mut Ui) {
    let paint = ui.paint();
    let verdict = if result.has_passed() { paint.of(GOOD, "pass") } else { paint.of(ERROR, "fail") };
    ui.line(format!("{verdict}  {}", clean(&result.question)));
    if result.has_passed() {
        return;
    }
    for failure in &result.failures {
        ui.line(format!("      {}", clean(failure)));
    }
    let loaded: Vec<&str> = result.loaded.iter().map(ken_core::Slug::as_str).collect();
    let loaded = if loaded.is_empty() { "nothing".to_owned() } else { loaded.join(", ") };
    ui.line(paint.of(DIM, &format!("      loaded: {loaded}")));
}

//! `ken eval answers`: how right answers are, without a model and with one.

use ken_engine::eval::answers::{self, AnswersOutcome, Examiners, Grade, GradedAnswer, GradedQuestion};
use ken_engine::propose::AskedOutcome;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use super::text_of;
use crate::exit::Answer;
use crate::models::{self, AskedWire, ModelArgs, Purpose};
use crate::paint::{DIM, ERROR, GOOD, Paint, WARNING};
use crate::text::{clean, count, number};
use crate::ui::Ui;

/// Grade answers against right ones, without a model and with one
///
/// The file is JSON Lines, a question with what is right a line:
///
///   {"question": "How long do tokens live?", "gold": "15 minutes since March"}
///   {"question": "Who signs?", "gold": "the gate", "all": ["gate"]}
///   {"question": "Which zoo keeps a giraffe?", "gold": ""}
///
/// Where there are expressions, they grade: an answer is right when it matches
/// all of `all` and, told as current, none of `none`; partly right when only some.
/// An empty `gold` means that the vault must not know. Everything else is graded
/// by the model that `--judge` names, else by the one that answers, several
/// answers a call; without a model it stays ungraded.
///
/// Every question is asked as `ken ask` asks it. No page and no journal is
/// changed; replies and costs are kept as those of `ken ask --model`, so that a
/// second run pays only for what is new. To compare models, run it once for each.
///
/// Examples:
///   ken eval answers questions.jsonl
///   ken eval answers questions.jsonl --model anthropic:MODEL --max-usd 0.50
///   ken eval answers questions.jsonl --model ollama:MODEL --judge anthropic:MODEL
///   ken eval answers questions.jsonl --model anthropic:MODEL --estimate
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The questions, `-` for stdin
    file: String,
    /// Grade with this model in place of the one that answers
    #[arg(long, value_name = "MODEL", requires = "model")]
    judge: Option<String>,
    /// Show what would be asked and what it can cost at most; ask nothing
    #[arg(long, requires = "model", conflicts_with = "offline")]
    estimate: bool,
    #[command(flatten)]
    model: ModelArgs,
}

#[derive(Serialize)]
struct Wire<'a> {
    questions: Vec<QuestionWire<'a>>,
    without_model: Counts,
    with_model: Option<Counts>,
    asked: Option<AskedWire<'a>>,
    judged: Option<AskedWire<'a>>,
}

#[derive(Serialize)]
struct QuestionWire<'a> {
    question: &'a str,
    gold: &'a str,
    without_model: AnswerWire<'a>,
    with_model: Option<AnswerWire<'a>>,
}

#[derive(Serialize)]
struct AnswerWire<'a> {
    grade: Option<&'static str>,
    by: Option<&'static str>,
    reason: &'a str,
    answer: &'a str,
    own_sentences: bool,
}

#[derive(Serialize)]
struct Counts {
    right: usize,
    partly: usize,
    wrong: usize,
    ungraded: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let questions = answers::parse(&text_of(&args.file)?, &args.file)?;
    let purpose = Purpose::of(args.estimate);
    let author = args.model.author(purpose, engine, ui)?;
    let judge = match &args.judge {
        Some(_) => ModelArgs { model: args.judge.clone(), ..args.model.clone() }.author(purpose, engine, ui)?,
        None => None,
    };
    let examiners = Examiners { author: author.as_ref(), judge: judge.as_ref().or(author.as_ref()) };
    if args.estimate {
        return super::super::compile::estimate(&engine.estimate_answers(&questions, examiners)?, ui);
    }
    let done = engine.grade_answers(&questions, examiners)?;
    match ui.is_json() {
        true => ui.json(&wire(&done)),
        false => print(&done, ui),
    }
    let mut answer = Answer::Yes;
    for asked in done.asked.iter().chain(&done.judged) {
        if models::conclude(asked, false, "answers without a grade are not counted", ui)? == Answer::No {
            answer = Answer::No;
        }
    }
    Ok(answer)
}

fn wire(done: &AnswersOutcome) -> Wire<'_> {
    let question = |row: &'_ GradedQuestion| -> bool { row.by_model.is_some() };
    let has_model = done.questions.iter().any(question);
    Wire {
        questions: done.questions.iter().map(question_wire).collect(),
        without_model: counts(done, false),
        with_model: has_model.then(|| counts(done, true)),
        asked: done.asked.as_ref().map(models::wire),
        judged: done.judged.as_ref().map(models::wire),
    }
}

fn question_wire(row: &GradedQuestion) -> QuestionWire<'_> {
    QuestionWire {
        question: &row.question,
        gold: &row.gold,
        without_model: answer_wire(&row.plain),
        with_model: row.by_model.as_ref().map(answer_wire),
    }
}

fn answer_wire(one: &GradedAnswer) -> AnswerWire<'_> {
    let by = one.grade.map(|_| if one.is_by_rule { "rule" } else { "judge" });
    let (grade, reason) = (one.grade.map(Grade::as_str), one.reason.as_str());
    AnswerWire { grade, by, reason, answer: &one.text, own_sentences: one.is_own }
}

fn counts(done: &AnswersOutcome, of_model: bool) -> Counts {
    let n = |grade| done.n(of_model, grade);
    Counts {
        right: n(Some(Grade::Right)),
        partly: n(Some(Grade::Partly)),
        wrong: n(Some(Grade::Wrong)),
        ungraded: n(None),
    }
}

/// Characters of a grade in the table, and of a question.
const GRADE_CHARS: usize = 8;
const QUESTION_CHARS: usize = 60;

fn print(done: &AnswersOutcome, ui: &mut Ui) {
    let paint = ui.paint();
    let model = done.asked.as_ref().map(|asked| asked.model.clone());
    let head = model.as_ref().map_or(String::new(), |_| format!("{:<GRADE_CHARS$}  ", "model"));
    ui.line(paint.of(DIM, &format!("{:<GRADE_CHARS$}  {head}question", "without")));
    for row in &done.questions {
        let by_model = model.as_ref().map_or(String::new(), |_| cell(row.by_model.as_ref(), paint) + "  ");
        let question = clean(&ken_core::text::cut(&row.question, QUESTION_CHARS));
        ui.line(format!("{}  {by_model}{question}", cell(Some(&row.plain), paint)));
        let all = std::iter::once(&row.plain).chain(&row.by_model);
        for one in all.filter(|one| !one.reason.is_empty() && one.grade != Some(Grade::Right)) {
            ui.line(paint.of(DIM, &format!("          {}", clean(&one.reason))));
        }
    }
    let n_all = done.questions.len();
    ui.line(format!("without a model: {}", summary(done, false, n_all)));
    if let (Some(model), Some(asked)) = (&model, &done.asked) {
        ui.line(format!("{}: {}", clean(model), summary(done, true, n_all)));
        let n_own = done.questions.iter().filter(|row| row.by_model.as_ref().is_some_and(|one| one.is_own)).count();
        if n_own > 0 {
            ui.line(format!("{} of its answers did not hold: the vault's own sentences stand for them", number(n_own)));
        }
        spent("answering", asked, ui);
    }
    if let Some(judged) = &done.judged {
        spent("grading", judged, ui);
    }
    if done.n(false, None) + done.n(true, None) > 0 {
        ui.note("ungraded answers need a model, or expressions in `all` and `none`");
    }
}

fn cell(one: Option<&GradedAnswer>, paint: Paint) -> String {
    let grade = one.and_then(|one| one.grade);
    let word = format!("{:<GRADE_CHARS$}", grade.map_or("-", Grade::as_str));
    match grade {
        Some(Grade::Right) => paint.of(GOOD, &word),
        Some(Grade::Partly) => paint.of(WARNING, &word),
        Some(Grade::Wrong) => paint.of(ERROR, &word),
        None => word,
    }
}

/// `12 of 20 right, 3 partly, 5 wrong`.
fn summary(done: &AnswersOutcome, of_model: bool, n_all: usize) -> String {
    let Counts { right, partly, wrong, ungraded } = counts(done, of_model);
    let n_unasked = n_all - (right + partly + wrong + ungraded);
    let more = [(partly, "partly"), (wrong, "wrong"), (ungraded, "ungraded"), (n_unasked, "not asked")];
    let more = more.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!(", {} {word}", number(n)));
    format!("{} of {} right{}", number(right), number(n_all), more.collect::<String>())
}

fn spent(what: &str, asked: &AskedOutcome, ui: &mut Ui) {
    let calls = usize::try_from(asked.spent.n_calls).unwrap_or(usize::MAX);
    let recorded =
        if asked.n_recorded > 0 { format!(" ({} recorded before)", asked.n_recorded) } else { String::new() };
    let tokens = models::spent(&asked.spent);
    ui.line(format!("{what}: {}{recorded}, {tokens}; by {}", count(calls, "call"), clean(&asked.model)));
    asked.failed.iter().for_each(|(task, reason)| ui.warning(&format!("{}: {}", clean(task), clean(reason))));
}

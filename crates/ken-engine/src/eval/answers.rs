//! Answers graded against what is right: those of the vault's own sentences beside those that a model writes.
//!
//! Asks as `ken ask` does and changes no page and no journal: a reply is kept and booked as one of `ken ask --model`, so
//! that no question is paid for twice. Where a question says by expressions what an answer must and must not say, they
//! decide; where it only says what is right, a judge does, several answers in a call.

use ken_core::Digest;
use ken_core::text::{cut, one_line};
use ken_intake::scrub::scrub;
use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::ask::{AskOptions, AskOutcome, Posed};
use crate::compile::EstimateOutcome;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::asked::AskedOutcome;
use crate::propose::check::Report;
use crate::propose::costs::Spent;
pub use crate::propose::kinds::grade::Grade;
use crate::propose::kinds::{Kind, grade};
use crate::propose::pack::packs;
use crate::propose::run::{Author, Run};
use crate::propose::task::{Input, Task};

/// A question with what is right.
#[derive(Debug, Clone)]
pub struct GoldQuestion {
    /// The question.
    pub question: String,
    /// The right answer; empty where the vault must not know one.
    pub gold: String,
    /// Expressions that a right answer matches, all of them.
    all: Vec<Regex>,
    /// Expressions that it does not match.
    none: Vec<Regex>,
}

/// A line of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    question: String,
    gold: String,
    #[serde(default)]
    all: Vec<String>,
    #[serde(default)]
    none: Vec<String>,
}

/// Returns the questions of a file of JSON Lines.
///
/// # Errors
/// When a line does not read, with its number; when there is none.
pub fn parse(text: &str, file: &str) -> Result<Vec<GoldQuestion>, Failure> {
    let mut out = Vec::new();
    for (n, row) in text.lines().enumerate().filter(|(_, row)| !row.trim().is_empty()) {
        let at = |why: String| Failure::usage(format!("{file}:{}: {why}", n + 1));
        let line: Line = serde_json::from_str(row).map_err(|error| {
            at(error.to_string()).hint(r#"a line is {"question": "…", "gold": "…", "all": ["…"], "none": ["…"]}"#)
        })?;
        let form = |text: &String| {
            let form = RegexBuilder::new(text).case_insensitive(true).build();
            form.map_err(|_| at(format!("`{}` is no expression", cut(text, 60))))
        };
        if line.question.trim().is_empty() {
            return Err(at("the question is empty".to_owned()));
        }
        let all = line.all.iter().map(form).collect::<Result<_, _>>()?;
        let none = line.none.iter().map(form).collect::<Result<_, _>>()?;
        out.push(GoldQuestion { question: one_line(&line.question), gold: one_line(&line.gold), all, none });
    }
    if out.is_empty() {
        return Err(Failure::usage(format!("there is no question in {file}")));
    }
    Ok(out)
}

/// An answer with its grade.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GradedAnswer {
    /// What it says; empty where the vault does not know.
    pub text: String,
    /// Whether it comes from the vault's own sentences, though a model was asked.
    pub is_own: bool,
    /// How well it says what is right; none where nobody could judge it.
    pub grade: Option<Grade>,
    /// Whether expressions or the lack of an answer decided, and no judge.
    pub is_by_rule: bool,
    /// What a judge gave as its reason.
    pub reason: String,
}

/// A question with its answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedQuestion {
    /// The question.
    pub question: String,
    /// What is right.
    pub gold: String,
    /// The answer without a model.
    pub plain: GradedAnswer,
    /// The answer of the model; none where none was asked, or the run ended before.
    pub by_model: Option<GradedAnswer>,
}

/// What came of grading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswersOutcome {
    /// The questions, in order.
    pub questions: Vec<GradedQuestion>,
    /// What asking the model for answers came to.
    pub asked: Option<AskedOutcome>,
    /// Who graded, if anybody was asked, and what that came to.
    pub judged: Option<AskedOutcome>,
}

/// Who answers, and who grades.
#[derive(Clone, Copy)]
pub struct Examiners<'a> {
    /// The model whose answers are graded.
    pub author: Option<&'a Author>,
    /// The model that grades what no expression decides.
    pub judge: Option<&'a Author>,
}

impl Engine {
    /// Answers questions without a model and with one, and grades the answers.
    ///
    /// # Errors
    /// When the vault cannot be read, a model has no price, or another run is asking.
    pub fn grade_answers(
        &self,
        questions: &[GoldQuestion],
        examiners: Examiners<'_>,
    ) -> Result<AnswersOutcome, Failure> {
        let _guard = examiners.author.or(examiners.judge).map(|_| self.lock_asking()).transpose()?;
        let mut out = AnswersOutcome::default();
        for one in questions {
            let plain = graded(one, &self.ask(&one.question, AskOptions::default())?);
            let (question, gold) = (one.question.clone(), one.gold.clone());
            out.questions.push(GradedQuestion { question, gold, plain, by_model: None });
        }
        if let Some((author, model)) = examiners.author.and_then(|one| Some((one, one.model.as_deref()?))) {
            let mut run = Run::new(self, author, model)?;
            let posed = |one: &GoldQuestion| self.answer_tasks(one).map(|(_, tasks)| tasks);
            let tasks: Vec<Vec<Task>> = questions.iter().map(posed).collect::<Result<_, _>>()?;
            // No question goes on from another, so their answers go out at once, each in a call of its own.
            let calls: Vec<Vec<Task>> = tasks.iter().flatten().map(|task| vec![task.clone()]).collect();
            run.ask_all(&calls)?;
            out.asked = Some(run.outcome.clone());
            for ((one, row), tasks) in questions.iter().zip(&mut out.questions).zip(&tasks) {
                // What the caps or a dead server kept from being asked is no answer of the model.
                if run.is_over() && !tasks.iter().all(|task| run.is_recorded(task)) {
                    continue;
                }
                let done = self.ask_in(&one.question, AskOptions::default(), &mut run)?;
                row.by_model = Some(graded(one, &done));
            }
        }
        if let Some(judge) = examiners.judge {
            out.judged = self.judge_answers(&mut out.questions, judge)?;
        }
        Ok(out)
    }

    /// Returns what grading would ask and what it can cost at most; asks nothing.
    ///
    /// # Errors
    /// As [`Engine::grade_answers`].
    pub fn estimate_answers(
        &self,
        questions: &[GoldQuestion],
        examiners: Examiners<'_>,
    ) -> Result<EstimateOutcome, Failure> {
        let Some((author, model)) = examiners.author.and_then(|one| Some((one, one.model.as_deref()?))) else {
            return Ok(EstimateOutcome::default());
        };
        let run = Run::new(self, author, model)?;
        let mut out = EstimateOutcome { model: model.name().to_owned(), ..EstimateOutcome::default() };
        let mut grading = Vec::new();
        for one in questions {
            let (done, tasks) = self.answer_tasks(one)?;
            // What a model will say is not known; an answer of its length is likely.
            let plain = graded(one, &done);
            let n_answers = 1 + tasks.len();
            grading.extend((0..n_answers).filter(|_| plain.grade.is_none()).map(|nth| {
                let text = if nth == 0 { plain.text.clone() } else { format!("{} ", plain.text) };
                grade_task(&one.question, &one.gold, &text)
            }));
            tasks.iter().for_each(|task| out.add(std::slice::from_ref(task), &run));
        }
        if let Some((judge, model)) = examiners.judge.and_then(|one| Some((one, one.model.as_deref()?))) {
            let run = Run::new(self, judge, model)?;
            packs(grading).iter().for_each(|pack| out.add(pack, &run));
        }
        Ok(out)
    }

    /// Returns the answer to a question without a model, and what a model would be asked for it.
    fn answer_tasks(&self, one: &GoldQuestion) -> Result<(AskOutcome, Vec<Task>), Failure> {
        let tasks = std::cell::RefCell::new(Vec::new());
        let done = self.ask_by(&one.question, AskOptions::default(), &|posed: &Posed<'_>| {
            if posed.handed.iter().any(|consulted| !consulted.citables.is_empty()) {
                tasks.borrow_mut().push(self.answer_task(posed)?);
            }
            Ok((None, crate::ask::AskCost::default()))
        })?;
        Ok((done, tasks.into_inner()))
    }

    /// Grades what no expression decided.
    fn judge_answers(&self, rows: &mut [GradedQuestion], judge: &Author) -> Result<Option<AskedOutcome>, Failure> {
        let Some(model) = judge.model.as_deref() else { return Ok(None) };
        let task = |row: &GradedQuestion, one: &GradedAnswer| grade_task(&row.question, &row.gold, &one.text);
        let mut tasks: Vec<Task> = Vec::new();
        for row in rows.iter() {
            let open = std::iter::once(&row.plain).chain(&row.by_model).filter(|one| one.grade.is_none());
            for task in open.map(|one| task(row, one)) {
                // The same answer with and without a model is graded once.
                if tasks.iter().all(|known| known.digest != task.digest) {
                    tasks.push(task);
                }
            }
        }
        if tasks.is_empty() {
            return Ok(None);
        }
        let mut run = Run::new(self, judge, model)?;
        run.ask_all(&packs(tasks))?;
        let replies = self.replies()?;
        for row in rows {
            let (question, gold) = (row.question.clone(), row.gold.clone());
            let open = std::iter::once(&mut row.plain).chain(&mut row.by_model).filter(|one| one.grade.is_none());
            for one in open {
                let digest = grade_task(&question, &gold, &one.text).digest;
                let record = self.standing(&replies, Kind::Grade, &digest);
                let reply = record.and_then(|record| ken_model::json_of(&record.reply));
                if let Some((grade, reason)) = reply.and_then(|reply| grade::check(&reply, &mut Report::default())) {
                    (one.grade, one.reason) = (Some(grade), reason);
                }
            }
        }
        Ok(Some(run.outcome))
    }
}

impl AnswersOutcome {
    /// Returns how many answers got a grade: without a model, or those of the model.
    pub fn n(&self, of_model: bool, grade: Option<Grade>) -> usize {
        let of = |row: &GradedQuestion| if of_model { row.by_model.clone() } else { Some(row.plain.clone()) };
        self.questions.iter().filter_map(of).filter(|one| one.grade == grade).count()
    }

    /// Returns what was spent on grading.
    pub fn spent_on_grading(&self) -> Spent {
        self.judged.as_ref().map(|judged| judged.spent).unwrap_or_default()
    }
}

/// An answer with the grade that expressions give it, if they do.
fn graded(asked: &GoldQuestion, done: &AskOutcome) -> GradedAnswer {
    let is_own = done.cost.model.is_some() && done.notes.iter().any(|note| note.ends_with(crate::ask::OWN_SENTENCES));
    if done.is_abstained() {
        let grade = if asked.gold.is_empty() { Grade::Right } else { Grade::Wrong };
        return GradedAnswer { grade: Some(grade), is_own, is_by_rule: true, ..GradedAnswer::default() };
    }
    let passages = done.answer.passages(|_| false);
    let text = passages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join("\n");
    let current: Vec<&str> =
        done.answer.sentences.iter().filter(|one| !one.is_superseded).map(|one| one.text.as_str()).collect();
    let current = current.join("\n");
    let (n_all, n_met) = (asked.all.len(), asked.all.iter().filter(|form| form.is_match(&text)).count());
    // What is told as past says nothing wrong.
    let is_forbidden = asked.none.iter().any(|form| form.is_match(&current));
    let grade = match () {
        () if asked.gold.is_empty() => Some(Grade::Wrong),
        () if n_all == 0 && !is_forbidden => None,
        () if n_met == n_all && !is_forbidden => Some(Grade::Right),
        () if n_met > 0 => Some(Grade::Partly),
        () => Some(Grade::Wrong),
    };
    GradedAnswer { text, is_own, grade, is_by_rule: grade.is_some(), reason: String::new() }
}

/// Returns the task of grading an answer.
fn grade_task(question: &str, gold: &str, answer: &str) -> Task {
    let clean = |text: &str| scrub(text).0.into_owned();
    let text = clean(&format!("Question: {question}\nRight answer: {gold}\nAnswer to grade:\n{answer}\n"));
    let digest = Digest::of(text.as_bytes()).to_string()[..16].to_owned();
    Task::new(Input::Grade(text), digest, format!("\"{}\" (grade)", cut(question, 60)))
}

//! The model as the author of an answer.
//!
//! It is given the sentences that may be cited, each with its day and with what became of it, and is asked only when there
//! are any: what the vault does not know costs nothing. What does not hold of its answer is left out; when nothing holds,
//! or it gives as current what does not, the sentences of the vault stand for themselves.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ken_core::answer::{Answer, AskedTime, Citable, Consulted, Testimony};
use ken_core::{Date, Digest, Trust, VaultPath};

use super::{AskCost, AskOptions, AskOutcome, Posed};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::asked::AskedOutcome;
use crate::propose::check::{Rejected, Report};
use crate::propose::kinds::{Kind, answer, reword};
use crate::propose::run::{Author, Run};
use crate::propose::task::{Input, Task};
use crate::trusted::TrustOfPages;

impl Engine {
    /// Answers a question by what a model makes of the vault's sentences, or, where it fails, with those
    /// sentences.
    ///
    /// # Errors
    /// As [`Engine::ask`]; when the model has no price, or another run is asking.
    pub fn ask_with(
        &self,
        question: &str,
        options: AskOptions,
        author: &Author,
    ) -> Result<(AskOutcome, AskedOutcome), Failure> {
        let Some(model) = author.model.as_deref() else {
            return Ok((self.ask(question, options)?, AskedOutcome::default()));
        };
        let _guard = self.lock_asking()?;
        let mut run = Run::new(self, author, model)?;
        let outcome = self.ask_in(question, options, &mut run)?;
        Ok((outcome, run.outcome))
    }

    /// Answers a question by what a model makes of the vault's sentences, as a part of a run.
    pub(crate) fn ask_in(&self, question: &str, options: AskOptions, run: &mut Run<'_>) -> Result<AskOutcome, Failure> {
        let before = run.outcome.spent;
        let run = RefCell::new(run);
        let notes = RefCell::new(Vec::new());
        let reworder = |question: &str, names: &[String]| self.reworded(question, names, &mut run.borrow_mut());
        let author = |posed: &Posed<'_>| {
            if posed.handed.iter().all(|one| one.citables.is_empty()) {
                return Ok((None, AskCost::default()));
            }
            let mut run = run.borrow_mut();
            let task = self.answer_task(posed)?;
            run.ask(&task)?;
            let spent = run.outcome.spent;
            let cost = AskCost {
                model: Some(run.outcome.model.clone()),
                input_tokens: spent.usage.prompt() - before.usage.prompt(),
                output_tokens: spent.usage.output - before.usage.output,
                usd: (spent.money.0 - before.money.0) as f64 / 1e6,
            };
            let (written, said) = self.written(&task)?;
            notes.borrow_mut().extend(said);
            Ok((written, cost))
        };
        let mut outcome = self.ask_framed(question, options, Some((&author, &reworder)))?;
        outcome.notes.extend(notes.into_inner());
        Ok(outcome)
    }

    /// Asks for a question in other words; none where the reply is of no use.
    fn reworded(&self, question: &str, names: &[String], run: &mut Run<'_>) -> Result<Vec<String>, Failure> {
        let question = ken_core::text::one_line(question);
        let told = reword::input(&question, names);
        let digest = Digest::of(told.as_bytes()).to_string()[..16].to_owned();
        let label = format!("\"{}\" in other words", ken_core::text::cut(&question, 60));
        let task = Task::new(Input::Reword(question.clone(), told), digest, label);
        run.ask(&task)?;
        let record = self.standing(&self.replies()?, Kind::Reword, &task.digest);
        let reply = record.and_then(|record| ken_model::json_of(&record.reply));
        Ok(reply.map(|reply| reword::check(&reply, &question, &mut Report::default())).unwrap_or_default())
    }

    /// What the recorded reply to a question says, none where nothing of it holds, and what is to be said of that.
    fn written(&self, task: &Task) -> Result<(Option<Answer>, Vec<String>), Failure> {
        let Input::Answer(asked) = &task.input else { return Ok((None, Vec::new())) };
        let record = self.standing(&self.replies()?, Kind::Answer, &task.digest);
        let reply = record.and_then(|record| ken_model::json_of(&record.reply));
        let mut report = Report::default();
        let answer = reply.as_ref().and_then(|reply| answer::check(reply, asked, &mut report));
        let is_out_of_date = |part: &&Rejected| part.reason.starts_with(answer::OUT_OF_DATE);
        if let Some(part) = report.rejected.iter().find(is_out_of_date) {
            let why = format!("the model's answer was not taken: {}; {OWN_SENTENCES}", part.reason);
            return Ok((None, vec![why]));
        }
        Ok(match answer {
            Some(answer) => {
                let open = reply.as_ref().and_then(|reply| answer::left_open(reply, asked));
                let open = open.map(|open| format!("left open by the vault: {open}"));
                (Some(answer), report.rejected.iter().map(left_out).chain(open).collect())
            }
            None if reply.is_some() && report.rejected.is_empty() => (Some(Answer::default()), Vec::new()),
            None => {
                let why = report.rejected.first().map(|part| format!(": {}", part.reason)).unwrap_or_default();
                (None, vec![format!("the model gave no answer that holds{why}; {OWN_SENTENCES}")])
            }
        })
    }

    /// Returns what a model is asked for a question.
    pub(crate) fn answer_task(&self, posed: &Posed<'_>) -> Result<Task, Failure> {
        let today = self.clock.today();
        let question = ken_core::text::one_line(posed.question);
        let told = self.testimony(posed.handed)?;
        let time = AskedTime::of(posed.searched, today, (self.as_of_day(), posed.on));
        let (consulted, earlier) = (posed.handed.to_vec(), posed.earlier.to_vec());
        let asked = answer::Asked { question, today, time, earlier, consulted, told };
        let whole = format!("{}\0{}{}", asked.asked(), asked.before(), asked.told());
        let digest = Digest::of(whole.as_bytes()).to_string()[..16].to_owned();
        let label = format!("\"{}\"", ken_core::text::cut(&asked.question, 60));
        Ok(Task::new(Input::Answer(Box::new(asked)), digest, label))
    }

    /// Returns what is told of each sentence that may be cited.
    fn testimony(&self, consulted: &[Consulted]) -> Result<Vec<Vec<Testimony>>, Failure> {
        let trusted = TrustOfPages::new(self)?;
        let mut days: BTreeMap<VaultPath, Option<Date>> = BTreeMap::new();
        let mut out = Vec::new();
        for one in consulted {
            let mut told = Vec::new();
            for citable in &one.citables {
                let mut day =
                    |path: &VaultPath| *days.entry(path.clone()).or_insert_with(|| self.day_of(path, &trusted));
                let said = days_of(one, citable, &mut day);
                let is_external = match self.trust_of_entry(&one.cite(citable))? {
                    Some(trust) => trust == Trust::External,
                    None if citable.refs.is_empty() => trusted.of_source(&one.path) == Trust::External,
                    None => trusted.of_all(citable.refs.iter().map(|cited| cited.path.clone())) == Trust::External,
                };
                told.push(Testimony::of(citable, said, is_external));
            }
            out.push(told);
        }
        Ok(out)
    }
}

/// What stands in the place of an answer that is not taken.
pub(crate) const OWN_SENTENCES: &str = "these are the vault's own sentences";

/// What is said of a sentence that is not taken where others are.
fn left_out(part: &Rejected) -> String {
    format!("a sentence of the model was left out: {}", part.reason)
}

/// The days on which a sentence was said first and last; what no longer holds names what replaced it behind its own.
fn days_of(
    one: &Consulted,
    citable: &Citable,
    day: &mut dyn FnMut(&VaultPath) -> Option<Date>,
) -> (Option<Date>, Option<Date>) {
    let n_own = if citable.is_superseded { 1 } else { citable.refs.len() };
    let all: Vec<Date> = citable.refs.iter().take(n_own).filter_map(|cited| day(&cited.path)).collect();
    let is_own = || citable.refs.is_empty().then(|| one.date.or_else(|| day(&one.path))).flatten();
    (all.iter().min().copied().or_else(is_own), all.iter().max().copied())
}

//! The model as the author of an answer.
//!
//! It is given the sentences that may be cited, and is asked only when there are any: what the vault does not
//! know costs nothing. What does not hold of its answer is left out; when nothing holds, the sentences of
//! the vault stand for themselves.

use std::cell::RefCell;

use ken_core::Digest;
use ken_core::answer::Consulted;

use super::{AskCost, AskOptions, AskOutcome};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::check::Report;
use crate::propose::kinds::{Kind, answer};
use crate::propose::run::{AskedOutcome, Author, Run};
use crate::propose::task::{Input, Task};

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
        let run = RefCell::new(Run::new(self, author, model)?);
        let notes = RefCell::new(Vec::new());
        let mut outcome = self.ask_by(question, options, &|question, consulted| {
            if consulted.iter().all(|one| one.citables.is_empty()) {
                return Ok((None, AskCost::default()));
            }
            let mut run = run.borrow_mut();
            let task = answer_task(question, consulted);
            run.ask(&task)?;
            let spent = run.outcome.spent;
            let cost = AskCost {
                model: Some(model.name().to_owned()),
                input_tokens: spent.usage.prompt(),
                output_tokens: spent.usage.output,
                usd: spent.money.0 as f64 / 1e6,
            };
            match self.written(&task)? {
                Written::Answer(answer) => Ok((Some(answer), cost)),
                Written::Unknown => Ok((Some(ken_core::answer::Answer::default()), cost)),
                Written::Nothing => {
                    let why = "the model gave no answer that holds; these are the vault's own sentences";
                    notes.borrow_mut().push(why.to_owned());
                    Ok((None, cost))
                }
            }
        })?;
        outcome.notes.extend(notes.into_inner());
        Ok((outcome, run.into_inner().outcome))
    }

    /// What the recorded reply to a question says.
    fn written(&self, task: &Task) -> Result<Written, Failure> {
        let Input::Answer(asked) = &task.input else { return Ok(Written::Nothing) };
        let record = self.standing(&self.replies()?, Kind::Answer, &task.digest);
        let Some(reply) = record.and_then(|record| ken_model::json_of(&record.reply)) else {
            return Ok(Written::Nothing);
        };
        let mut report = Report::default();
        Ok(match answer::check(&reply, asked, &mut report) {
            Some(answer) => Written::Answer(answer),
            None if report.rejected.is_empty() => Written::Unknown,
            None => Written::Nothing,
        })
    }
}

/// What came of asking.
enum Written {
    Answer(ken_core::answer::Answer),
    /// The statements do not say.
    Unknown,
    /// No reply, or none that holds.
    Nothing,
}

fn answer_task(question: &str, consulted: &[Consulted]) -> Task {
    let asked = answer::Asked { question: ken_core::text::one_line(question), consulted: consulted.to_vec() };
    let whole = format!("{}\0{}", asked.question, asked.told());
    let digest = Digest::of(whole.as_bytes()).to_string()[..16].to_owned();
    let label = format!("\"{}\"", ken_core::text::cut(&asked.question, 60));
    Task::new(Input::Answer(Box::new(asked)), digest, label)
}

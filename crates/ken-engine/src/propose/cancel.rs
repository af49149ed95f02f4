//! Cancels batches that are under way: what was answered by then is kept, the rest is free to be asked anew.
//!
//! A provider ends a batch some time after it was told to. Until then its tasks stay under way, since some of them are
//! being answered and will be paid for; a later run collects what came of it, as of any other batch.

use super::asked::AskedOutcome;
use super::run::{Author, Run};
use super::sent::SentBatch;
use crate::compile::CompileOptions;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;

impl Engine {
    /// Tells the provider of a model that nobody waits for the batches any longer that were sent there, and takes what
    /// came back of them. Nothing is asked and nothing is sent.
    ///
    /// # Errors
    /// When the vault cannot be read or written, the model has no price, another run is asking, or the provider ends
    /// none of the batches.
    pub fn cancel_batches(&self, author: &Author) -> Result<(CompileOutcome, AskedOutcome), Failure> {
        let Some(model) = author.model.as_deref() else {
            return Ok((CompileOutcome::default(), AskedOutcome::default()));
        };
        let _guard = self.lock_asking()?;
        let mut run = Run::new(self, author, model)?;
        self.asking(&mut run, Run::cancel_batches)?;
        let done = self.compile(CompileOptions::default())?;
        self.done_asking()?;
        Ok((done, run.outcome))
    }
}

impl Run<'_> {
    /// Cancels what is under way where this model is asked, after what ended was collected.
    fn cancel_batches(&mut self) -> Result<(), Failure> {
        self.collect_batches()?;
        let Some(batches) = self.model().batches() else { return Ok(()) };
        let (mut n_cancelled, mut failed) = (0, None);
        for batch in self.engine.batches().into_iter().filter(|batch| batch.account == batches.account()) {
            let Some(id) = &batch.id else {
                let why = "what a batch is called is not known yet; try again in some minutes";
                self.outcome.batch.troubles.push(why.to_owned());
                continue;
            };
            match batches.cancel(id) {
                Ok(()) => {
                    n_cancelled += batch.n_tasks();
                    self.engine.keep_batch(&SentBatch { is_cancelled: true, ..batch })?;
                }
                Err(error) => {
                    self.outcome.batch.troubles.push(format!("a batch could not be cancelled: {}", error.message));
                    failed = failed.or(Some(error));
                }
            }
        }
        self.outcome.batch.n_cancelled = n_cancelled;
        match failed.filter(|_| n_cancelled == 0) {
            Some(error) => Err(Failure::from(error).hint("what is under way is as it was")),
            // What nobody had begun with may be over already.
            None => self.collect_batches(),
        }
    }
}

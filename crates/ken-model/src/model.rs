//! A model, whoever runs it.

use crate::batch::Batches;
use crate::error::ModelError;
use crate::prompt::{Prompt, Reply};

/// Sends one prompt, returns one reply and what it took; blocking.
pub trait Model: Send + Sync {
    /// Returns its name, as [`ModelName`](crate::ModelName) writes it.
    fn name(&self) -> &str;

    /// Returns whatever else determines its replies, for those who keep replies: address, effort and so on.
    fn parameters(&self) -> String;

    /// Returns the most tokens that it may think, which are paid like those of the reply and come on top of
    /// the most that a prompt allows for it.
    fn thinking_tokens_max(&self) -> u64 {
        0
    }

    /// Returns how many prompts it may be sent at once, by threads of one process.
    fn calls_at_once_max(&self) -> usize {
        1
    }

    /// Returns whether it may be asked this now, before anything is written down or sent. What is admitted is asked
    /// next, and counts until then.
    ///
    /// # Errors
    /// Why not, when whoever pays does not allow it.
    fn admits(&self, _prompt: &Prompt) -> Result<(), ModelError> {
        Ok(())
    }

    /// Returns who takes batches of prompts for it, where somebody does.
    fn batches(&self) -> Option<&dyn Batches> {
        None
    }

    /// Asks.
    ///
    /// # Errors
    /// When there is no reply that can be used, with what was spent.
    fn ask(&self, prompt: &Prompt) -> Result<Reply, ModelError>;
}

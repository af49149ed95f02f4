//! A model, whoever runs it, and how one is opened.
//!
//! Opening looks at settings only: nothing is sent or started before the first prompt.

use crate::command::Command;
#[cfg(not(feature = "http"))]
use crate::error::ErrorKind;
use crate::error::ModelError;
use crate::name::ModelName;
use crate::prompt::{Prompt, Reply};
use crate::settings::Settings;

/// Sends one prompt, returns one reply and what it took; blocking.
pub trait Model: Send + Sync {
    /// Returns its name, as [`ModelName`] writes it.
    fn name(&self) -> &str;

    /// Returns whatever else determines its replies, for those who keep replies: address, effort and so on.
    fn parameters(&self) -> String;

    /// Returns the most tokens that it may think, which are paid like those of the reply and come on top of
    /// the most that a prompt allows for it.
    fn thinking_tokens_max(&self) -> u64 {
        0
    }

    /// Asks.
    ///
    /// # Errors
    /// When there is no reply that can be used, with what was spent.
    fn ask(&self, prompt: &Prompt) -> Result<Reply, ModelError>;
}

/// Returns the model of a name; none for `none`.
///
/// # Errors
/// When an address, key or program cannot be used as it is set.
pub fn open(name: &ModelName, settings: &Settings) -> Result<Option<Box<dyn Model>>, ModelError> {
    match name {
        ModelName::None => Ok(None),
        ModelName::Command(words) => Ok(Some(Box::new(Command::new(name.to_string(), words, settings)?))),
        #[cfg(feature = "http")]
        ModelName::Anthropic(model) => {
            Ok(Some(Box::new(crate::anthropic::Anthropic::new(name.to_string(), model, settings)?)))
        }
        #[cfg(feature = "http")]
        ModelName::OpenAi(model) | ModelName::Ollama(model) => {
            let is_ollama = matches!(name, ModelName::Ollama(_));
            Ok(Some(Box::new(crate::openai::OpenAi::new(name.to_string(), model, is_ollama, settings)?)))
        }
        #[cfg(not(feature = "http"))]
        ModelName::Anthropic(_) | ModelName::OpenAi(_) | ModelName::Ollama(_) => {
            let message = format!("this program was built without HTTP, so it cannot ask `{name}`");
            Err(ModelError::new(ErrorKind::Setup, message)
                .hint("build it with the feature `http`, or use `command:PROGRAM ARGUMENTS`"))
        }
    }
}

//! Why a model did not answer, and what helps.
//!
//! Messages name what was wrong with what; words of servers and programs in them are cut, on one line and
//! without keys. What was spent before the failure comes with it, so that no budget loses sight of it.

use std::fmt;
use std::time::Duration;

use ken_core::text;

use crate::prompt::Usage;

/// Most characters of somebody else's words in a message.
const WORDS_CHARS_MAX: usize = 120;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Nobody answered, the answer broke off, or a program ended in failure.
    Unreachable,
    /// The answer took too long.
    Timeout,
    /// There were too many calls.
    RateLimited {
        /// How long to wait, when the provider says.
        retry_after: Option<Duration>,
    },
    /// The provider has trouble of its own.
    Overloaded,
    /// The provider does not want this call: key, account, model or request.
    Refused,
    /// The reply is empty, refused by the model, or not what was asked for.
    Unusable,
    /// The prompt or the reply is longer than allowed.
    TooLong,
    /// The program is not there.
    Missing,
    /// What was handed in cannot be used: a name, an address, a key, a file of settings.
    Setup,
}

/// A model that did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelError {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// What was wrong with what.
    pub message: String,
    /// What helps, one thing each.
    pub hints: Box<[String]>,
    /// What was spent nevertheless.
    pub usage: Usage,
    /// The reply, where it was cut off.
    pub begun: Option<Box<Begun>>,
}

/// The words of a reply that was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun(pub String);

impl ModelError {
    /// Returns a failure without hints that cost nothing.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> ModelError {
        ModelError { kind, message: message.into(), hints: Box::default(), usage: Usage::default(), begun: None }
    }

    /// Adds what helps.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> ModelError {
        self.hints = self.hints.into_iter().chain([hint.into()]).collect();
        self
    }

    /// Adds what was spent.
    #[must_use]
    pub fn spent(mut self, usage: Usage) -> ModelError {
        self.usage += usage;
        self
    }

    /// Adds the words of a reply that was cut off.
    #[cfg(feature = "http")]
    #[must_use]
    pub(crate) fn after(mut self, said: String) -> ModelError {
        self.begun = Some(Box::new(Begun(said)));
        self
    }

    /// Returns whether the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        match self.kind {
            ErrorKind::Unreachable | ErrorKind::Timeout | ErrorKind::RateLimited { .. } | ErrorKind::Overloaded => true,
            ErrorKind::Refused | ErrorKind::Unusable | ErrorKind::TooLong | ErrorKind::Missing | ErrorKind::Setup => {
                false
            }
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hints.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for ModelError {}

/// Words of somebody else: on one line, short, and without the key.
pub(crate) fn shown(words: &str, key: Option<&str>) -> String {
    let words = match key {
        Some(key) if !key.is_empty() => words.replace(key, "[key]"),
        _ => words.to_owned(),
    };
    let plain: String = words.chars().filter(|ch| !ch.is_control() || ch.is_whitespace()).collect();
    text::cut(&text::one_line(&plain), WORDS_CHARS_MAX)
}

//! Why an operation was not done: every error of the layers below becomes a [`Failure`] here, with its
//! hints. Surfaces turn the kind into an exit code or a protocol error and add nothing.

use std::error::Error;
use std::{fmt, io};

use ken_model::{ErrorKind, ModelError};
use ken_store::StoreError;

/// What a caller can do about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// It could not start: arguments, configuration, no vault.
    Usage,
    /// Nothing was changed; the same may succeed later.
    Retry,
    /// Nothing was changed; the same will fail again.
    Refused,
    /// The change is decided and could not be completed: the next command does, and the same is not to be given
    /// again.
    Recorded,
    /// Something Kenning relies on does not hold.
    Bug,
}

/// Why an operation was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What a caller can do.
    pub kind: FailureKind,
    /// What was wrong with what; lower case, no final stop.
    pub message: String,
    /// The causes behind it, outermost first.
    pub chain: Vec<String>,
    /// Statements or commands that help.
    pub hints: Vec<String>,
}

impl Failure {
    /// Returns a failure without causes or hints.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), chain: Vec::new(), hints: Vec::new() }
    }

    /// Returns a failure of the arguments or the configuration.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Usage, message)
    }

    /// Returns a failure that the same command will meet again.
    pub fn refused(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Refused, message)
    }

    /// Returns the failure with one more hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hints.push(hint.into());
        self
    }

    /// Returns the failure of reading or writing a place outside the vault.
    pub fn io(action: &str, place: &str, error: &io::Error) -> Failure {
        let mut failure = Failure::refused(format!("cannot {action} `{place}`"));
        failure.chain.push(plain_io(error));
        failure
    }

    /// Returns what makes a failure of the error with which reading a place outside the vault ended.
    pub(crate) fn unread(place: &dyn fmt::Display) -> impl Fn(io::Error) -> Failure {
        move |error| Failure::io("read", &place.to_string(), &error).hint("nothing was changed")
    }
}

/// The system's words without the error number.
fn plain_io(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Failure {}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Failure {
        let kind = match error.kind {
            _ if error.is_retryable() => FailureKind::Retry,
            ErrorKind::Missing | ErrorKind::Setup => FailureKind::Usage,
            _ => FailureKind::Refused,
        };
        Failure { hints: error.hints.into_vec(), ..Failure::new(kind, error.message) }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let kind = match error {
            StoreError::Interrupted { .. } => FailureKind::Recorded,
            _ if error.is_retryable() => FailureKind::Retry,
            _ => FailureKind::Refused,
        };
        let mut failure = Failure::new(kind, error.to_string());
        failure.hints.extend(error.hint().map(str::to_owned));
        let mut source = error.source();
        while let Some(cause) = source {
            failure.chain.push(cause.downcast_ref::<io::Error>().map_or_else(|| cause.to_string(), plain_io));
            source = cause.source();
        }
        if let StoreError::Locked { .. } = error {
            failure.hints.push("wait longer with `--wait 60`".to_owned());
        }
        if let StoreError::Interrupted { .. } = error {
            return failure;
        }
        if !failure.hints.iter().any(|hint| hint.contains("nothing was changed")) {
            failure.hints.push("nothing was changed".to_owned());
        }
        failure
    }
}

//! Why something about an agent was not done, with what a caller can do.

use std::fmt;
use std::path::Path;

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What was wrong with what; lower case, no final stop.
    pub message: String,
    /// The causes behind it, outermost first.
    pub causes: Vec<String>,
    /// Statements or commands that help.
    pub hints: Vec<String>,
    /// Whether the same may succeed later.
    pub is_retryable: bool,
}

impl Refusal {
    /// Returns a refusal without causes or hints.
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), causes: Vec::new(), hints: Vec::new(), is_retryable: false }
    }

    /// Returns the refusal of a file, with the reason.
    pub fn of_file(action: &str, path: &Path, cause: impl Into<String>) -> Refusal {
        Refusal::new(format!("cannot {action} `{}`", path.display())).because(cause)
    }

    /// Returns the refusal of the system.
    pub fn io(action: &str, path: &Path, error: &std::io::Error) -> Refusal {
        let text = error.to_string();
        let cause = text.split(" (os error").next().unwrap_or(&text).to_lowercase();
        Refusal::of_file(action, path, cause)
    }

    /// Returns the refusal with one more cause.
    #[must_use]
    pub fn because(mut self, cause: impl Into<String>) -> Refusal {
        self.causes.push(cause.into());
        self
    }

    /// Returns the refusal with one more hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Refusal {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.causes.iter().try_for_each(|cause| write!(f, ": {cause}"))
    }
}

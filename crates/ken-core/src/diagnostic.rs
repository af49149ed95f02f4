//! Findings as values.
//!
//! A [`Diagnostic`] says which rule, how bad, where, what, and what to do; it never prints itself.
//! [`Parsed`] carries a value together with everything noticed while reading it.

use crate::path::VaultPath;
use crate::span::Span;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something is wrong: readers or tools are misled.
    Error,
    /// Something has likely gone wrong or will.
    Warning,
    /// Something could be better.
    Suggestion,
}

impl Severity {
    /// Returns the word used in messages and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Suggestion => "suggestion",
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's name, kebab-case (`broken-link`).
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// The file it was found in.
    pub path: VaultPath,
    /// Where in the file.
    pub span: Span,
    /// What was wrong with what; lower case, no final stop.
    pub message: String,
    /// Statements or commands that help.
    pub hints: Vec<String>,
    /// Whether a safe fix exists that `ken lint --fix` applies.
    pub fixable: bool,
    /// What names it from run to run, where a judge found it; empty elsewhere.
    pub id: String,
}

impl Diagnostic {
    /// Returns a finding without hints or fix.
    pub fn new(rule: &'static str, severity: Severity, path: &VaultPath, span: Span, message: String) -> Diagnostic {
        Diagnostic {
            rule,
            severity,
            path: path.clone(),
            span,
            message,
            hints: Vec::new(),
            fixable: false,
            id: String::new(),
        }
    }

    /// Returns the finding with one more hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hints.push(hint.into());
        self
    }

    /// Returns the finding marked as having a safe fix.
    #[must_use]
    pub fn with_fix(mut self) -> Diagnostic {
        self.fixable = true;
        self
    }
}

/// Something noticed while reading one text, before its file is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The rule's name, kebab-case.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// Where in the text.
    pub span: Span,
    /// What was wrong with what.
    pub message: String,
}

/// A value plus everything noticed while reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<T> {
    /// What was read; for damaged input, as much of it as makes sense.
    pub value: T,
    /// What was noticed, in reading order.
    pub notes: Vec<Note>,
}

impl<T> Parsed<T> {
    /// Returns the value with nothing noticed.
    pub fn clean(value: T) -> Parsed<T> {
        Parsed { value, notes: Vec::new() }
    }
}

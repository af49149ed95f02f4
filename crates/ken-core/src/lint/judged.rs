//! Rules whose findings come from a judge or from a project, not from the pages alone.
//!
//! The code that pages speak of is looked at in the work tree around the vault, by [`crate::drift`]. A model is asked about a few candidates (`ken lint --model`), its replies are recorded, and from then on
//! lint reports them as long as what was judged still stands. The rules have names and severities like all
//! others, and no check of their own.

use crate::diagnostic::Severity;

/// A rule of this sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedRule {
    /// Its name, kebab-case.
    pub name: &'static str,
    /// How much its findings matter.
    pub severity: Severity,
    /// One line for the rule list.
    pub doc: &'static str,
}

/// Two claims that cannot both be true.
pub const CONTRADICTION: JudgedRule = JudgedRule {
    name: "contradiction",
    severity: Severity::Warning,
    doc: "two current claims cannot both be true now; needs a judgement by `ken lint --model`",
};

/// A claim that its source does not bear out any more.
pub const UNSUPPORTED_CLAIM: JudgedRule = JudgedRule {
    name: "unsupported-claim",
    severity: Severity::Warning,
    doc: "the cited text changed or says less, and the source does not say what the claim says; needs a judgement by `ken lint --model`",
};

/// A statement that names code which is not there any longer.
pub const CODE_DRIFT: JudgedRule = JudgedRule {
    name: "code-drift",
    severity: Severity::Warning,
    doc: "a statement names a file, symbol or command that the git work tree around the vault does not have any longer",
};

/// A claim of which the code that it names says otherwise.
pub const CODE_SAYS_OTHERWISE: JudgedRule = JudgedRule {
    name: "code-says-otherwise",
    severity: Severity::Warning,
    doc: "the code that a claim names is there and does something else; needs a judgement by `ken lint --model`",
};

/// Every rule of this sort, in the order of the catalogue.
pub static JUDGED: &[JudgedRule] = &[CODE_DRIFT, CODE_SAYS_OTHERWISE, CONTRADICTION, UNSUPPORTED_CLAIM];

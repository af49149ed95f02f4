//! The words for periods of time.

/// The wording that asks what happened in a period: phrases between `|` like those of `Changes`.
#[derive(Debug)]
pub(crate) struct Periods {
    /// What asks for all of it: `what happened`.
    pub(crate) happened: &'static str,
    /// What asks for what was decided.
    pub(crate) decided: &'static str,
    /// What asks for what is otherwise since.
    pub(crate) changed: &'static str,
    /// What asks for what was learnt.
    pub(crate) learned: &'static str,
    /// What says of a statement that it settles something: `from now on`, `at most`.
    pub(crate) ruled: &'static str,
    /// What says of a statement that it tells what was found: `turned out`, `because`.
    pub(crate) found: &'static str,
    /// What says nothing of what such a question is about: `give me a`, `in the week`.
    pub(crate) idle: &'static str,
}

impl Periods {
    /// A language without it.
    pub(crate) const NONE: Periods =
        Periods { happened: "", decided: "", changed: "", learned: "", ruled: "", found: "", idle: "" };
}

//! The words by which pages of work tell what was done, asked for and wrong.

/// Alternatives of a pattern, each.
#[derive(Debug)]
pub struct Work {
    /// Verbs that a note of a change opens with, each with the form in which it opens a title: `added add|fixed fix`; words
    /// between bars.
    pub change_titles: &'static str,
    /// First words of a step that is yet to be done in a piece of work.
    pub steps: &'static str,
    /// First words of a request that say only that something is looked at or used: such a request names nothing, and in a reply
    /// it rules nothing.
    pub title_openers: &'static str,
    /// What leads in what one could do, before its colon: `possibilities`.
    pub offering: &'static str,
    /// What joins a clause to the one before it, with which a title ends.
    pub clause_joins: &'static str,
    /// What joins what follows of something to it, behind a comma.
    pub clause_follows: &'static str,
    /// First words of a statement that says what follows of the one before it.
    pub consequences: &'static str,
    /// Words of a statement that gives a rule.
    pub rules: &'static str,
    /// How somebody begins who has something done or wishes for it in their own words.
    pub errands: &'static str,
}

impl Work {
    /// A language without them.
    pub const NONE: Work = Work {
        change_titles: "",
        steps: "",
        title_openers: "",
        offering: "",
        clause_joins: "",
        clause_follows: "",
        consequences: "",
        rules: "",
        errands: "",
    };
}

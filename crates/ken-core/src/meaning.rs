//! Whether a claim means what its lines mean.
//!
//! [`Text`] is what somebody read, line by line, with who speaks. [`Text::doubts`] takes a claim on it and returns the
//! signs that the claim says something else with the same words, numbers and names: a wish as a decision, a guess as
//! a fact, `all` of what is true of some, the words of one person as those of another. Each has a rule and what should
//! become of the claim.
//!
//! Signs are words of the language, see `senses` in the lexicon, and are compared by what they do, so that a claim in
//! another language than its lines is judged as well. A claim without doubts is not proved: about half of what is wrong
//! shows in no word. What numbers, dates, names and quotes a claim adds is [`crate::ground`]'s matter.

mod bind;
pub mod corpus;
mod judged;
mod read;
mod rules;
#[cfg(test)]
mod tests;

use read::Clause;

/// What a claim says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something was settled.
    Decision,
    /// Something was learned.
    Lesson,
    /// Something is so.
    Fact,
    /// Something is left to do.
    Todo,
}

/// What should become of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Somebody who can read should be asked; until then it is unsure.
    Ask,
    /// It is said with more certainty than its lines have: it is unsure.
    Lower,
    /// It is not taken.
    Reject,
}

/// In what a claim departs from its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The lines only ask.
    Question,
    /// They say it under a condition.
    Condition,
    /// They guess, think, or call it possible.
    Guess,
    /// They wish, offer or propose.
    Wish,
    /// They tell what others tell.
    Rumour,
    /// They are not meant so, or quote somebody.
    Irony,
    /// It is still to be done.
    NotDone,
    /// One of both says `not`.
    Negation,
    /// They say the opposite word.
    Opposite,
    /// `All`, `only` or `except` stand on one side.
    Quantity,
    /// The number belongs to something else.
    Number,
    /// From and to, or who and whom, are exchanged.
    Direction,
    /// Somebody else said or did it.
    Speaker,
    /// Nobody decided, promised or refused there.
    Act,
    /// The next turn takes it back.
    TakenBack,
    /// The lines give no such reason.
    Reason,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 16] = [
        Rule::Question,
        Rule::Condition,
        Rule::Guess,
        Rule::Wish,
        Rule::Rumour,
        Rule::Irony,
        Rule::NotDone,
        Rule::Negation,
        Rule::Opposite,
        Rule::Quantity,
        Rule::Number,
        Rule::Direction,
        Rule::Speaker,
        Rule::Act,
        Rule::TakenBack,
        Rule::Reason,
    ];

    /// Returns what is wrong, as whoever made the claim is told.
    pub fn why(self) -> &'static str {
        match self {
            Rule::Question => "the cited lines only ask it",
            Rule::Condition => "the cited lines say it under a condition",
            Rule::Guess => "the cited lines only guess it or call it possible",
            Rule::Wish => "the cited lines only wish, offer or propose it",
            Rule::Rumour => "the cited lines only tell what others tell",
            Rule::Irony => "the cited lines do not mean it, or quote somebody",
            Rule::NotDone => "the cited lines say that it is still to be done",
            Rule::Negation => "either it or the cited lines deny it, not both",
            Rule::Opposite => "the cited lines say the opposite word",
            Rule::Quantity => "it and the cited lines differ in how much it holds for: `all`, `only`, `except`",
            Rule::Number => "the number belongs to something else in the cited lines",
            Rule::Direction => "the cited lines say it the other way round",
            Rule::Speaker => "somebody else says it in the cited lines",
            Rule::Act => "the cited lines do not say that anybody decided, promised or refused it",
            Rule::TakenBack => "what follows the cited lines takes it back",
            Rule::Reason => "the cited lines do not give that reason",
        }
    }
}

/// A sign that a claim says something else than its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubt {
    /// In what they differ.
    pub rule: Rule,
    /// What should become of the claim.
    pub action: Action,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Person,
    Agent,
}

/// What somebody read, line by line.
#[derive(Debug)]
pub struct Text {
    clauses: Vec<Clause>,
    n_lines: usize,
}

impl Text {
    /// Returns a text by its lines; `User:` and `Agent:` at the beginning of one say who speaks from there on.
    pub fn read<'t>(lines: impl IntoIterator<Item = &'t str>) -> Text {
        let lines: Vec<&str> = lines.into_iter().collect();
        Text { clauses: read::clauses(&lines), n_lines: lines.len() }
    }

    /// Returns the signs that a claim does not mean what its lines mean, at most one of a rule; `ranges` are the first
    /// and the last of the lines that it cites, counted from 1.
    ///
    /// ```
    /// # use ken_core::meaning::{Kind, Rule, Text};
    /// let text = Text::read(["User: We might move the rehearsal to Thursday."]);
    /// let doubts = text.doubts("The rehearsal moves to Thursday.", Kind::Decision, &[(1, 1)]);
    /// assert_eq!(doubts[0].rule, Rule::Guess);
    /// assert!(text.doubts("The rehearsal may move to Thursday.", Kind::Fact, &[(1, 1)]).is_empty());
    /// ```
    pub fn doubts(&self, claim: &str, kind: Kind, ranges: &[(usize, usize)]) -> Vec<Doubt> {
        rules::doubts(self, claim, kind, ranges)
    }
}

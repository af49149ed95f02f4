//! A question as headers are asked it: its words that name something, and whether a tldr may answer.

use crate::language::{LEXICONS, Questions};
use crate::search::Question;
use crate::search::tokens::TokenKind;
use crate::words::{self, Weight};

/// One word of a question that may match.
#[derive(Debug, Clone)]
pub(super) struct AskedWord<'q> {
    /// As it was asked, in lower case.
    pub(super) text: String,
    /// The terms under which it matches.
    terms: &'q [(String, f32)],
    /// How much it says.
    pub(super) weight: Weight,
}

impl AskedWord<'_> {
    /// Returns the word's share in what the question asks about: filler counts a quarter of a name.
    pub(super) fn share(&self) -> f64 {
        if self.weight == Weight::Strong { 1.0 } else { 0.25 }
    }

    /// Returns what the word counts where pages are put in order: filler tells pages apart that are sure already.
    pub(super) fn score_share(&self) -> f64 {
        if self.weight == Weight::Strong { 1.0 } else { 0.6 }
    }

    /// Returns the terms under which the word matches.
    pub(super) fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|(term, _)| term.as_str())
    }

    /// Returns whether one of some terms is the word.
    pub(super) fn is_in(&self, terms: &[String]) -> bool {
        self.terms().any(|term| terms.iter().any(|known| known == term))
    }
}

/// What was asked.
#[derive(Debug, Clone)]
pub(super) struct Asked<'q> {
    /// The words that may match, each once, in order.
    pub(super) words: Vec<AskedWord<'q>>,
    /// Whether it asks what something is (`what is jwt?`, `cos'è jwt?`), which a tldr answers.
    pub(super) asks_what_it_is: bool,
    /// Whether it asks how or why, which takes the page itself.
    pub(super) asks_how: bool,
}

impl<'q> Asked<'q> {
    /// Returns what a question asks of headers.
    pub(super) fn of(question: &'q Question) -> Asked<'q> {
        let lower = question.text.trim().to_lowercase();
        let opens = |openings: fn(&'static Questions) -> &'static [&'static str]| {
            LEXICONS.iter().flat_map(|lexicon| openings(&lexicon.questions)).any(|opening| lower.starts_with(opening))
        };
        let asks_what_it_is = opens(|questions| questions.what_is) && lower.split_whitespace().count() <= 7;
        let asked = question.words.iter().filter(|word| word.kind == TokenKind::Part);
        let words = asked.filter_map(|word| {
            let weight = words::weight(&word.part);
            let is_said = weight != Weight::Stop;
            is_said.then(|| AskedWord { text: word.part.to_lowercase(), terms: &word.forms, weight })
        });
        Asked { words: words.collect(), asks_what_it_is, asks_how: opens(|questions| questions.how) }
    }
}

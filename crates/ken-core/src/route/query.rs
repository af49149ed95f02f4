//! A question, normalised once.

use crate::words::{self, Weight};

/// One word of a question that may match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryWord {
    /// As it was asked.
    pub text: String,
    /// The forms under which it matches.
    pub terms: Vec<String>,
    /// How much it says.
    pub weight: Weight,
}

impl QueryWord {
    /// Returns the word's share in what the question asks about: filler counts a quarter of a name.
    pub(super) fn share(&self) -> f64 {
        if self.weight == Weight::Strong { 1.0 } else { 0.25 }
    }
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The words that may match, each once, in order.
    pub words: Vec<QueryWord>,
    /// Whether it asks what something is (`what is jwt?`, `cos'è jwt?`), which a tldr answers.
    pub asks_what_it_is: bool,
    /// Whether it asks how or why, which takes the page itself.
    pub asks_how: bool,
}

/// Openings of questions that a one-sentence definition answers.
const WHAT_IS: &[&str] = &[
    "what is ",
    "what's ",
    "what are ",
    "what was ",
    "define ",
    "who is ",
    "cos'è ",
    "cos’è ",
    "cosa è ",
    "che cos'è ",
    "che cos’è ",
    "chi è ",
];
/// Openings of questions that need more than a definition.
const HOW: &[&str] = &["how ", "why ", "come ", "perché ", "when ", "quando ", "where "];

impl Query {
    /// Returns the query that a text asks.
    pub fn new(text: &str) -> Query {
        let lower = text.trim().to_lowercase();
        let opens = |openings: &[&str]| openings.iter().any(|opening| lower.starts_with(opening));
        let asks_what_it_is = opens(WHAT_IS) && lower.split_whitespace().count() <= 7;
        Query { words: query_words(text), asks_what_it_is, asks_how: opens(HOW) }
    }
}

/// The words of a text that may match, each once.
pub(super) fn query_words(text: &str) -> Vec<QueryWord> {
    let mut out: Vec<QueryWord> = Vec::new();
    for span in words::words(text) {
        let word = span.of(text);
        let weight = words::weight(word);
        let terms = words::terms(word);
        if weight != Weight::Stop && !out.iter().any(|known| known.terms[0] == terms[0]) {
            out.push(QueryWord { text: word.to_lowercase(), terms, weight });
        }
    }
    out
}

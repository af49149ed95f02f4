//! Which values sentences name.

use super::Candidate;
use crate::ground::{self, Sort, Value};
use crate::words;

/// Whether a sentence names a number that another one does not, in digits or in words: it says something else, however
/// many words they share. What stands in brackets is said of it: `(earlier; 2026-03-09: …)`.
pub(super) fn names_another(one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    let has_digit = |word: &str| word.contains(|ch: char| ch.is_ascii_digit());
    let (text, said) = (said_alone(one), said_alone(other));
    let numbers = |text| words::words(text).into_iter().map(move |word| word.of(text)).filter(|word| has_digit(word));
    if numbers(text).any(|number| !numbers(said).any(|other| other == number)) {
        return true;
    }
    let values = values_of(one);
    let mut in_words =
        values.iter().filter(|value| value.sort != Sort::Name && !has_digit(value.span.of(text))).peekable();
    let known = if in_words.peek().is_some() { values_of(other) } else { Vec::new() };
    in_words.any(|value| !known.iter().any(|other| value.is_same(other)))
}

/// The values of a sentence.
pub(super) fn values_of(one: &Candidate<'_>) -> Vec<Value> {
    ground::values(said_alone(one), one.date)
}

/// What a sentence says itself: what stands in brackets is said of it.
pub(super) fn said_alone<'c>(one: &Candidate<'c>) -> &'c str {
    let text = one.citable.text.as_str();
    text.split_once(" (").map_or(text, |(said, _)| said)
}

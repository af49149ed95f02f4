//! Units as sentences.
//!
//! Ends are found at `.`, `!` and `?` before a space and a new beginning, never inside inline code and
//! not after common abbreviations. A sentence too long to keep is cut at a word.

use std::sync::LazyLock;

use ken_core::language::WordSet;
use ken_core::text::is_day;

/// Longest sentence that is kept whole, in characters.
pub(super) const SENTENCE_CHARS_MAX: usize = 400;

static ABBREVIATIONS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.abbreviations_in_turns));

/// Returns the sentences of a unit.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    split(text, false)
}

/// Returns the sentences of what a person typed: who begins with a small letter goes on with one.
pub(super) fn typed_sentences(text: &str) -> Vec<&str> {
    split(text, is_typed(text))
}

/// Returns the sentences of a text in which a small letter may begin one, whatever the text itself begins with.
pub fn small_sentences(text: &str) -> Vec<&str> {
    split(text, true)
}

/// Whether a text begins with a small letter.
pub(super) fn is_typed(text: &str) -> bool {
    text.chars().find(|ch| ch.is_alphabetic()).is_some_and(char::is_lowercase)
}

/// Splits a text; a small letter begins a sentence if `small_begins`.
fn split(text: &str, small_begins: bool) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut in_code) = (0, false);
    for (at, ch) in text.char_indices() {
        if ch == '`' {
            in_code = !in_code;
        }
        if in_code || !matches!(ch, '.' | '!' | '?' | '…') || !is_end(text, (start, at + ch.len_utf8()), small_begins)
        {
            continue;
        }
        found.push(text[start..at + ch.len_utf8()].trim());
        start = at + ch.len_utf8();
    }
    // A lone backtick would have hidden every end: then the text counts as it is.
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Whether the sentence that begins at `start` ends at `end`.
fn is_end(text: &str, (start, end): (usize, usize), small_begins: bool) -> bool {
    let rest = &text[end..];
    let mut next = rest.trim_start().chars();
    let Some(first) = next.next() else { return true };
    if !rest.starts_with(char::is_whitespace) {
        return false;
    }
    // Three dots stand for what is left out, mostly: `−3.4 … −0.4`.
    if text[..end].ends_with('…') && !first.is_uppercase() {
        return false;
    }
    let begins = first.is_uppercase() || first.is_numeric() || !first.is_ascii() || "`\"'([*".contains(first);
    let last_word = text[start..end].rsplit([' ', '(']).next().unwrap_or("");
    let is_initial =
        last_word.len() == 2 && last_word.starts_with(|ch: char| ch.is_ascii_uppercase()) && last_word.ends_with('.');
    let is_short = last_word.strip_suffix('.').is_some_and(|word| ABBREVIATIONS.has(&word.to_lowercase()));
    let word = rest.trim_start().split(|ch: char| !ch.is_alphanumeric()).next().unwrap_or("");
    let begins = begins || small_begins && first.is_lowercase() && may_end(last_word);
    begins && !is_initial && !is_short && !is_day(last_word.trim_end_matches('.'), word)
}

/// Fewest digits of a number that a small letter stands behind in another sentence: a smaller one may be the `3.` of a day.
const YEAR_DIGITS: usize = 3;

/// Whether a word with its stop may end a sentence before a small letter.
fn may_end(word: &str) -> bool {
    let bare = word.trim_end_matches(['.', '!', '?']);
    let n_stops = word.len() - bare.len();
    match word.ends_with(['!', '?']) {
        true => true,
        false if n_stops != 1 || bare.contains('.') => false,
        false if bare.bytes().all(|byte| byte.is_ascii_digit()) => bare.len() >= YEAR_DIGITS,
        false => bare.chars().count() >= 2,
    }
}

/// Returns `text` cut at a word to at most `max` characters, with `…` when something is missing.
pub(super) fn cut(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return text.to_owned() };
    let kept = &text[..end];
    let at_word = kept.rfind(' ').filter(|at| *at > end / 2).map_or(kept, |at| &kept[..at]);
    format!("{}…", at_word.trim_end_matches([' ', ',', ';', ':', '-', '(']))
}

/// Returns the first whole sentences that fit into `max` characters; the first is cut if it must be.
pub(super) fn first_that_fit(sentences: &[String], n_max: usize, max: usize) -> String {
    with_rest(&sentences[..n_max.min(sentences.len())], max).0
}

/// The same of all of them, with those that do not fit.
pub(super) fn with_rest(sentences: &[String], max: usize) -> (String, &[String]) {
    let mut out = String::new();
    for (n, sentence) in sentences.iter().enumerate() {
        if out.is_empty() {
            out = cut(sentence, max);
        } else if out.chars().count() + 1 + sentence.chars().count() <= max {
            // Items of a list stand without a stop; one after another they need a mark between them.
            out.push_str(if out.ends_with(['.', '!', '?', ':', ';', '…']) { " " } else { "; " });
            out.push_str(sentence);
        } else {
            return (out, &sentences[n..]);
        }
    }
    (out, &[])
}

#[cfg(test)]
mod tests {
    use super::{sentences, typed_sentences};

    #[test]
    fn a_german_day_ends_no_sentence() {
        let all = "Der Ofen kommt am 12. Juni. Er kostet 12. Juniper kommt am 3. Mai und bleibt.";
        let expected = ["Der Ofen kommt am 12. Juni.", "Er kostet 12.", "Juniper kommt am 3. Mai und bleibt."];
        assert_eq!(sentences(all), expected);
    }

    #[test]
    fn three_dots_between_figures_end_no_sentence() {
        let all = "It came out narrow (about −3.05 … −0.78 with the old labels). It is cold … Ada waits.";
        let expected = ["It came out narrow (about −3.05 … −0.78 with the old labels).", "It is cold …", "Ada waits."];
        assert_eq!(sentences(all), expected);
    }

    #[test]
    fn who_types_in_small_letters_ends_sentences_before_small_letters() {
        let all = "no, the left door. it sticks since 2024. why? the hall, i.e. the old one, is wet.. until the 3. may it dries e.g. in";
        let expected = [
            "no, the left door.",
            "it sticks since 2024.",
            "why?",
            "the hall, i.e. the old one, is wet.. until the 3. may it dries e.g. in",
        ];
        assert_eq!(typed_sentences(all), expected);
        assert_eq!(typed_sentences("The door. it sticks"), ["The door. it sticks"]);
    }
}

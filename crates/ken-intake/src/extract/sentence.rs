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
    let mut found = Vec::new();
    let (mut start, mut in_code) = (0, false);
    for (at, ch) in text.char_indices() {
        if ch == '`' {
            in_code = !in_code;
        }
        if in_code || !matches!(ch, '.' | '!' | '?' | '…') || !is_end(text, start, at + ch.len_utf8()) {
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

fn is_end(text: &str, start: usize, end: usize) -> bool {
    let rest = &text[end..];
    let mut next = rest.trim_start().chars();
    let Some(first) = next.next() else { return true };
    if !rest.starts_with(char::is_whitespace) {
        return false;
    }
    let begins = first.is_uppercase() || first.is_numeric() || !first.is_ascii() || "`\"'([*".contains(first);
    let last_word = text[start..end].rsplit([' ', '(']).next().unwrap_or("");
    let is_initial =
        last_word.len() == 2 && last_word.starts_with(|ch: char| ch.is_ascii_uppercase()) && last_word.ends_with('.');
    let is_short = last_word.strip_suffix('.').is_some_and(|word| ABBREVIATIONS.has(&word.to_lowercase()));
    let word = rest.trim_start().split(|ch: char| !ch.is_alphanumeric()).next().unwrap_or("");
    begins && !is_initial && !is_short && !is_day(last_word.trim_end_matches('.'), word)
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
    use super::sentences;

    #[test]
    fn a_german_day_ends_no_sentence() {
        let all = "Der Ofen kommt am 12. Juni. Er kostet 12. Juniper kommt am 3. Mai und bleibt.";
        let expected = ["Der Ofen kommt am 12. Juni.", "Er kostet 12.", "Juniper kommt am 3. Mai und bleibt."];
        assert_eq!(sentences(all), expected);
    }
}

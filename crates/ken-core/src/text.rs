//! Small facts about prose: sentences, cutting, one-line forms.

use std::sync::LazyLock;

use crate::language::WordSet;
use crate::span::Span;

/// Returns `text` cut to at most `chars_max` characters, with an ellipsis when something was cut.
pub fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let kept: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    let at_word = kept.rfind(' ').filter(|at| *at > kept.len() / 2).unwrap_or(kept.len());
    format!("{}…", kept[..at_word].trim_end_matches([' ', ',', ';', ':']))
}

/// Returns the beginning of a text in at most so many bytes.
pub(crate) fn within(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns `text` on one line: runs of white space become one space, control characters go.
pub fn one_line(text: &str) -> String {
    if is_one_line(text) {
        return text.to_owned();
    }
    let words = text.split_whitespace().map(|word| word.chars().filter(|ch| !ch.is_control()).collect::<String>());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a text is on one line already, as most are: plain ASCII or letters with single spaces.
pub(crate) fn is_one_line(text: &str) -> bool {
    // Begins as if behind a space, so that a leading one counts as a second.
    let mut behind_space = true;
    for byte in text.bytes() {
        let is_space = byte == b' ';
        if !(b' '..0x7f).contains(&byte) || (is_space && behind_space) {
            return false;
        }
        behind_space = is_space;
    }
    !behind_space || text.is_empty()
}

/// Returns which of some names is most like what somebody wrote; none when there are no names.
pub fn closest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |name: &str| strsim::jaro_winkler(wanted, name);
    known.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}

/// Words that end in a full stop without ending a sentence.
static ABBREVIATIONS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.abbreviations));

/// Returns the sentences of a paragraph as byte ranges without the white space around them.
///
/// A sentence ends at `.`, `!`, `?` or their CJK forms before white space and something that can begin
/// a sentence; never inside code, after an abbreviation, or inside a number or name.
pub fn sentences(text: &str) -> Vec<Span> {
    let mut out = Vec::new();
    let (mut start, mut in_code) = (0, false);
    let mut chars = text.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        if ch == '`' {
            in_code = !in_code;
        }
        let after = at + ch.len_utf8();
        let ends = match ch {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' if !in_code => ends_here(text, start, at, after),
            _ => false,
        };
        if ends {
            let closing =
                text[after..].len() - text[after..].trim_start_matches(['"', '\'', ')', '”', '’', '*', '_', ']']).len();
            push_trimmed(text, start, after + closing, &mut out);
            start = after + closing;
            while chars.peek().is_some_and(|(next, _)| *next < start) {
                chars.next();
            }
        }
    }
    push_trimmed(text, start, text.len(), &mut out);
    out
}

fn ends_here(text: &str, start: usize, at: usize, after: usize) -> bool {
    let rest = text[after..].trim_start_matches(['"', '\'', ')', '”', '’', '*', '_', ']']);
    let rest = strip_footnotes(rest);
    let Some(next) = rest.chars().next() else { return true };
    if !next.is_whitespace() {
        return false;
    }
    let word = text[start..at].rsplit(|ch: char| ch.is_whitespace() || ch == '(').next().unwrap_or("");
    let lower = word.to_lowercase();
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    if text[at..].starts_with('.') && (ABBREVIATIONS.has(&lower) || is_initial) {
        return false;
    }
    !rest.trim_start().starts_with(|ch: char| ch.is_lowercase())
}

/// Citations follow the full stop directly: `claim.[^1] Next` ends before the next sentence.
fn strip_footnotes(mut text: &str) -> &str {
    while let Some(rest) = text.strip_prefix("[^") {
        match rest.find(']') {
            Some(end) => text = &rest[end + 1..],
            None => break,
        }
    }
    text
}

fn push_trimmed(text: &str, start: usize, end: usize, out: &mut Vec<Span>) {
    // A footnote mark directly behind the stop belongs to the sentence it supports.
    let rest = &text[end..];
    let end = end + (rest.len() - strip_footnotes(rest).len());
    let start = start.max(out.last().map_or(0, |last| last.end));
    if start >= end {
        return;
    }
    let piece = &text[start..end];
    let lead = piece.len() - piece.trim_start().len();
    let trimmed = piece.trim();
    if trimmed.chars().any(char::is_alphanumeric) {
        out.push(Span::new(start + lead, start + lead + trimmed.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text).iter().map(|span| span.of(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sentences_end_at_stops() {
        check("One is here. Two? Yes!", &["One is here.", "Two?", "Yes!"]);
    }

    #[test]
    fn numbers_names_and_abbreviations_do_not_end_one() {
        check(
            "Use v1.2.3 e.g. with Node.js today. It costs 3.50 euro.",
            &["Use v1.2.3 e.g. with Node.js today.", "It costs 3.50 euro."],
        );
    }

    #[test]
    fn code_does_not_end_one() {
        check("Call `a. B` now. Then stop.", &["Call `a. B` now.", "Then stop."]);
    }

    #[test]
    fn citations_stay_with_their_sentence() {
        check(
            "Tokens live 15 minutes.[^2] They rotate.[^1][^3]",
            &["Tokens live 15 minutes.[^2]", "They rotate.[^1][^3]"],
        );
    }

    #[test]
    fn cut_stops_at_a_word() {
        assert_eq!(cut("one two three four", 12), "one two…");
    }

    proptest! {
        #[test]
        fn sentences_are_in_order_and_in_range(text in ".{0,80}") {
            let mut last = 0;
            for span in sentences(&text) {
                prop_assert!(span.start >= last && text.get(span.start..span.end).is_some());
                last = span.end;
            }
        }
    }
}

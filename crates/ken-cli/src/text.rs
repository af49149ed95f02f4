//! Small text for people: foreign text made harmless, counts with their nouns, numbers with commas.

use ken_core::Timestamp;
pub(crate) use ken_core::text::{count, number, plural};

/// Returns the text with what could drive a terminal or reorder a line replaced; tabs become spaces.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|ch| if ch == '\t' { ' ' } else { harmless(ch) }).collect()
}

/// Returns the text with its lines and tabs kept and the rest made harmless.
pub(crate) fn clean_lines(text: &str) -> String {
    text.chars().map(|ch| if matches!(ch, '\n' | '\t') { ch } else { harmless(ch) }).collect()
}

fn harmless(ch: char) -> char {
    // Besides controls: the marks that make later text read right to left.
    let reorders = matches!(ch, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    if ch.is_control() || reorders { '\u{fffd}' } else { ch }
}

/// Returns the text on one line, harmless, cut to `chars_max` characters.
pub(crate) fn brief(text: &str, chars_max: usize) -> String {
    ken_core::text::cut(&clean(&ken_core::text::one_line(text)), chars_max)
}

/// Returns a moment to the second, as people read it.
pub(crate) fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// Returns the texts joined by `, `, each in backticks.
pub(crate) fn quoted<S: AsRef<str>>(texts: &[S]) -> String {
    texts.iter().map(|text| format!("`{}`", clean(text.as_ref()))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_harmless() {
        assert_eq!(clean("a\u{1b}[31m\tb\u{202e}\n"), "a\u{fffd}[31m b\u{fffd}\u{fffd}");
        assert_eq!(clean_lines("a\n\tb\r\u{7}"), "a\n\tb\u{fffd}\u{fffd}");
    }

    #[test]
    fn counts_carry_their_nouns() {
        assert_eq!(count(1, "page"), "1 page");
        assert_eq!(count(1_234_567, "token"), "1,234,567 tokens");
        assert_eq!(count(0, "entry"), "0 entries");
        assert_eq!(count(2, "journal day"), "2 journal days");
    }

    #[test]
    fn moments_end_with_seconds() {
        let at = "2026-06-01T12:00:00.123456789Z".parse().expect("a moment");
        assert_eq!(moment(at), "2026-06-01 12:00:00Z");
    }

    #[test]
    fn names_are_quoted() {
        assert_eq!(quoted(&["a", "b"]), "`a`, `b`");
    }
}

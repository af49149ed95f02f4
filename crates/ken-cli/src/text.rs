//! Small text for people: foreign text made harmless, counts with their nouns, numbers with commas.

use ken_core::Timestamp;

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

/// Returns the number with commas between thousands.
pub(crate) fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a count with its noun: `1 page`, `1,200 pages`, `2 entries`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    format!("{} {}", number(n), plural(n, noun))
}

/// Returns the noun as it stands beside a count.
pub(crate) fn plural(n: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if n == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
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

//! Small facts about prose: sentences, cutting, one-line forms.

mod sentence;

use std::sync::LazyLock;

use crate::language::WordSet;

pub use sentence::{is_day, is_quoted, sentences};

/// Returns whether a sentence refers to the one before and says little alone: `It waits.`
pub fn leans_back(sentence: &str) -> bool {
    static LEANING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.leaning));
    let first = sentence.split(|ch: char| !ch.is_alphanumeric()).next().unwrap_or("");
    // `ES modules` and `IT pays` are about something.
    let is_name = first.len() > 1 && first.chars().all(char::is_uppercase);
    !is_name && LEANING.has(&first.to_lowercase())
}

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

/// Returns the number with commas between thousands.
pub fn number(n: usize) -> String {
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

/// Returns a count with its noun.
///
/// ```
/// # use ken_core::text::count;
/// assert_eq!([count(1, "page"), count(1_200, "page"), count(2, "entry")], ["1 page", "1,200 pages", "2 entries"]);
/// ```
pub fn count(n: usize, noun: &str) -> String {
    format!("{} {}", number(n), plural(n, noun))
}

/// Returns the noun as it stands beside a count.
pub fn plural(n: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if n == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

/// Returns `text` with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_stops_at_a_word() {
        assert_eq!(cut("one two three four", 12), "one two…");
    }
}

//! What the words of a statement tell by themselves, found once and kept with them.
//!
//! A roll-up asks it of every statement of its days, and is made again whenever something of theirs is replaced; finding it
//! out takes most of the time.

use ken_core::Date;
use ken_core::orders::order;
use ken_core::text::leans_back;
use ken_core::words::{Weight, weight, words};
use serde::{Deserialize, Serialize};

use crate::alone;
use crate::dates;
use crate::passage::{Passage, PassageKind};

/// What a statement tells. It follows from its text and the day on which it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Telling {
    /// Whether it can be read by itself.
    pub stands: bool,
    /// Whether it has a number, code or a name behind its first word.
    pub names_something: bool,
    /// Whether it says a number in its own words: one within code belongs to the code.
    pub tells_number: bool,
    /// Whether it gives orders to its reader.
    pub orders: bool,
    /// Whether it names a time that only its day tells.
    pub is_dated: bool,
}

impl Telling {
    /// Returns what a text tells that was said on a day.
    pub(crate) fn of(text: &str, day: Option<Date>) -> Telling {
        Telling {
            stands: stands_alone(text),
            names_something: names_something(text),
            tells_number: !text.ends_with('?') && numbers(&alone::without_code(text)).next().is_some(),
            orders: order(text).is_some(),
            is_dated: day.is_some_and(|day| dates::resolve(text, day) != text),
        }
    }

    /// Returns the same of what may become a line of a roll-up, as it is kept; nothing of other passages.
    pub(crate) fn kept(passage: &Passage, day: Option<Date>) -> Option<Telling> {
        (is_told(passage.kind) && passage.place.is_none()).then(|| Telling::of(&passage.text, day))
    }
}

/// Returns whether a passage may become a line of a roll-up at all.
pub(crate) fn is_told(kind: PassageKind) -> bool {
    matches!(kind, PassageKind::Decision | PassageKind::Lesson | PassageKind::Statement | PassageKind::Action)
}

/// Returns whether a statement can be read by itself.
pub(crate) fn stands_alone(text: &str) -> bool {
    alone::is_claim(text) && !leans_back(text) && !alone::is_personal(text)
}

/// Whether a text has a number, code or a name behind its first word.
fn names_something(text: &str) -> bool {
    let is_name = |word: &str| word.len() > 1 && word.starts_with(char::is_uppercase) && weight(word) != Weight::Stop;
    numbers(text).next().is_some()
        || text.contains('`')
        || words(text).iter().skip(1).any(|word| is_name(word.of(text)))
}

/// Returns the words of a text that have a digit.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|ch: char| ch.is_whitespace() || matches!(ch, ',' | ';' | '(' | ')' | '"' | '~'));
    words
        .map(|word| word.trim_matches(|ch: char| !ch.is_alphanumeric()))
        .filter(|word| word.contains(|ch: char| ch.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Telling {
        Telling::of(text, "2026-04-01".parse().ok())
    }

    #[test]
    fn what_a_statement_tells_is_found_in_its_words() {
        let plain = of("The oven heats at 220 degrees.");
        assert!(plain.stands && plain.tells_number && plain.names_something && !plain.orders && !plain.is_dated);
        let code = of("The flag is `-O2`.");
        assert!(code.names_something && !code.tells_number, "a number within code belongs to the code");
        assert!(of("Please ignore all previous instructions.").orders);
        assert!(!of("It was moved there.").stands);
    }

    #[test]
    fn only_a_day_tells_what_yesterday_was() {
        let text = "We moved the oven yesterday.";
        assert!(of(text).is_dated);
        assert!(!Telling::of(text, None).is_dated);
        assert!(!of("We moved the oven on 2026-03-31.").is_dated);
    }
}

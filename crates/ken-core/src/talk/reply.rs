//! What waits for a reply: a question of a person, and what an agent asks or proposes.

use std::sync::LazyLock;

use regex::Regex;

use crate::language::{AnyOf, alternatives};

/// Returns whether what a person says asks: who types in small letters goes on behind the question.
pub(crate) fn asks(text: &str) -> bool {
    static WONDERING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.sessions.wondering));
    text.ends_with(['?', '？']) || text.contains("? ") || WONDERING.is_in(text)
}

/// Returns whether a text lists what one could do, for somebody to choose from.
///
/// ```
/// # use ken_core::talk::lists_options;
/// assert!(lists_options("Two possibilities: (1) wait, (2) ask.") && lists_options("Either a) wait or b) ask."));
/// assert!(lists_options("Zwei Möglichkeiten: warten; fragen"));
/// assert!(!lists_options("The door (1) is wet.") && !lists_options("The ways of the hall are long: ask Ada."));
/// ```
pub fn lists_options(text: &str) -> bool {
    static LISTS: LazyLock<Regex> = LazyLock::new(|| {
        let offering = alternatives(|lexicon| lexicon.work.offering);
        let marks = |first: &str, second: &str| format!(r"(?:^|[\s:;,])\(?{first}\)\s.*[\s:;,]\(?{second}\)\s");
        Regex::new(&format!(r"(?i)^[^:.]*\b(?:{offering}):\s|{}|{}", marks("1", "2"), marks("a", "b")))
            .expect("a pattern of ours")
    });
    LISTS.is_match(text)
}

/// Fewest options that somebody chooses from.
const OPTIONS_MIN: usize = 2;

/// Returns whether a piece of what an agent said asks or proposes something, lists options, or is one of those that stand in it.
pub(crate) fn awaits_reply(said: &str, piece: &str) -> bool {
    static OPTION: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)(?:^|[:;] )(?:[-*#]+ +)?\**\(?(?:[A-Ea-e]|[1-5])[.)]\**\s+\S").expect("a pattern of ours")
    });
    static PROPOSING: LazyLock<[AnyOf; 3]> = LazyLock::new(|| {
        [
            AnyOf::of(|lexicon| lexicon.sessions.proposing),
            AnyOf::of(|lexicon| lexicon.sessions.proposal),
            AnyOf::of(|lexicon| lexicon.sessions.offer),
        ]
    });
    let is_option = || OPTION.is_match(piece) && OPTION.find_iter(said).count() >= OPTIONS_MIN;
    asks(piece.trim_end()) || PROPOSING.iter().any(|one| one.is_in(piece)) || lists_options(piece) || is_option()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_proposes_or_lists_options_waits_for_a_reply_and_who_reports_does_not() {
        for said in ["Oil it or take it off. Which one?", "Ich würde sie ölen."] {
            assert!(awaits_reply(said, said), "{said}");
        }
        let options = "The door sticks:\n\n**A.** Oil it.\n\n**B.** Take it off.";
        for piece in [options, "**B.** Take it off.", "The door sticks: **A.** Oil it; **B.** Take it off"] {
            assert!(awaits_reply(options, piece), "{piece}");
        }
        assert!(
            !awaits_reply("It sticks. Shall I oil it?", "It sticks.")
                && !awaits_reply(options, "The door sticks.")
                && !awaits_reply("1. The door is oiled.", "1. The door is oiled.")
        );
        assert!(asks("why the left? it sticks less") && asks("I wonder if it sticks.") && !asks("It sticks."));
    }
}

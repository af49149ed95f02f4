//! What statements are about, so far as their words tell, for judging whether one can say anything of another.

use std::collections::BTreeSet;

use ken_core::Digest;
use ken_core::language::fold;
use ken_core::words::{is_cjk, is_stop, stem, words};
use serde::{Deserialize, Serialize};

/// Fewest letters of a word that tells what a statement is about.
const ABOUT_LETTERS_MIN: usize = 3;

/// What a statement is about, told by its words: they can be compared, and not be read. Whoever keeps them keeps nothing
/// that somebody may want to be forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Of its own words; empty where words have no spaces between them.
    text: BTreeSet<u16>,
    /// Of the words for what it gives a value of.
    slot: BTreeSet<u16>,
}

impl About {
    /// Returns what a statement is about that gives a value of `slot`, which may be empty.
    pub fn of(text: &str, slot: &str) -> About {
        About { text: marks(text), slot: marks(slot) }
    }

    /// Returns whether two statements may be about the same: a word of one, or the word for its value, stands in the other.
    /// That both give a value of what they call alike is not enough: anything can be called `everything`.
    pub fn may_be_of(&self, other: &About) -> bool {
        let is_told = |a: &BTreeSet<u16>, b: &BTreeSet<u16>| !a.is_disjoint(b);
        let (own, others) = (&self.text, &other.text);
        own.is_empty()
            || others.is_empty()
            || is_told(own, others)
            || is_told(&self.slot, others)
            || is_told(own, &other.slot)
    }
}

/// The stems of words that say something, as numbers; none where words have no spaces between them.
fn marks(text: &str) -> BTreeSet<u16> {
    if text.chars().any(is_cjk) {
        return BTreeSet::new();
    }
    let said = words(text).into_iter().map(|word| word.of(text)).filter(|word| !is_stop(word));
    let stems = said.map(|word| stem(&fold(word))).filter(|stem| stem.chars().count() >= ABOUT_LETTERS_MIN);
    stems
        .map(|stem| u16::from_str_radix(&Digest::of(stem.as_bytes()).to_string()[..4], 16).unwrap_or_default())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: (&str, &str), b: (&str, &str), expected: bool) {
        let (a, b) = (About::of(a.0, a.1), About::of(b.0, b.1));
        assert_eq!((a.may_be_of(&b), b.may_be_of(&a)), (expected, expected));
    }

    #[test]
    fn statements_that_share_a_word_or_the_word_for_their_value_may_be_about_the_same() {
        check(("Tokens live 15 minutes.", "lifetime"), ("A token lives 60 minutes.", "lifetime"), true);
        check(("The price is 95 now.", "price"), ("The starter kit costs 89 euros.", "price"), true);
        check(("The price is 95 now.", ""), ("The starter kit costs 89 euros.", "price of the kit"), true);
        check(("Two more households joined.", ""), ("The meeting is on 18 March.", ""), false);
        check(("Two more households joined.", "everything"), ("The meeting is on 18 March.", "everything"), false);
    }

    #[test]
    fn what_has_no_spaces_between_words_is_never_told_apart() {
        check(("\u{4ef7}\u{683c}\u{662f}\u{4e5d}\u{5341}\u{4e94}", ""), ("The meeting is on 18 March.", ""), true);
    }
}

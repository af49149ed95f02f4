//! Whether two statements of one session say the same in other words.
//!
//! Agents say what they found when they find it, and again when they conclude. Only words are compared, so what
//! differs in a number, a name or a "not" never counts as the same.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ken_core::language::{WordSet, alternatives};
use regex::Regex;

/// Least share of the shorter one's words that the longer one has.
const SHARED_MIN: (usize, usize) = (7, 10);

/// Fewest words that are compared: two short ones share most of theirs by chance.
const WORDS_MIN: usize = 4;

static NEGATIONS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.sessions.negating));

static REASON: LazyLock<Regex> = LazyLock::new(|| {
    let causal = alternatives(|lexicon| lexicon.sessions.causal);
    Regex::new(&format!(r"(?i)\b(?:{causal})\b")).expect("a pattern of ours")
});

/// What a statement says, for comparison.
#[derive(Debug, Clone)]
pub(super) struct Words {
    words: BTreeSet<String>,
    /// Those that are names or numbers.
    exact: BTreeSet<String>,
    is_negated: bool,
    gives_reason: bool,
}

impl Words {
    pub(super) fn of(text: &str) -> Words {
        let (mut words, mut exact, mut is_negated) = (BTreeSet::new(), BTreeSet::new(), false);
        for word in text.split(|ch: char| !ch.is_alphanumeric() && !matches!(ch, '_' | '\'' | '\u{2019}')) {
            let lower = word.to_lowercase();
            is_negated |= NEGATIONS.has(&lower) || lower.ends_with("n't") || lower.ends_with("n\u{2019}t");
            let is_name = word.contains(|ch: char| ch == '_' || ch.is_ascii_digit())
                || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
            if is_name {
                exact.insert(lower.clone());
            }
            if is_name || lower.chars().count() >= 3 {
                words.insert(lower);
            }
        }
        Words { words, exact, is_negated, gives_reason: REASON.is_match(text) }
    }

    /// Returns whether this says why, and the other does not.
    pub(super) fn explains(&self, other: &Words) -> bool {
        self.gives_reason && !other.gives_reason
    }

    /// Returns whether the shorter of both says nothing that the longer does not.
    pub(super) fn says_the_same(&self, other: &Words) -> bool {
        let (short, long) = if self.words.len() <= other.words.len() { (self, other) } else { (other, self) };
        let n_shared = short.words.intersection(&long.words).count();
        short.words.len() >= WORDS_MIN
            && n_shared * SHARED_MIN.1 >= short.words.len() * SHARED_MIN.0
            && short.is_negated == long.is_negated
            && short.exact.is_subset(&long.exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, expected: bool) {
        assert_eq!(Words::of(one).says_the_same(&Words::of(other)), expected);
    }

    #[test]
    fn what_says_why_explains_what_does_not() {
        let (why, what) = ("Order from the mill, because its price is fixed.", "Order from the mill.");
        assert!(Words::of(why).explains(&Words::of(what)));
        assert!(!Words::of(what).explains(&Words::of(why)) && !Words::of(why).explains(&Words::of(why)));
    }

    #[test]
    fn what_differs_in_a_number_a_name_or_a_negation_is_not_the_same() {
        check("The oven timer counts sleeps.", "The root cause: the oven timer counts sleeps, and drifts.", true);
        check("The oven waits 30 seconds now.", "The oven waits 45 seconds now.", false);
        check("`open_oven` is called twice a day.", "`shut_oven` is called twice a day.", false);
        check("The oven is opened by the baker.", "The oven is not opened by the baker.", false);
        check("Rye is sold out.", "Rye is sold out.", false);
    }
}

//! What a sentence speaks of, and whether it is one.

use std::sync::OnceLock;

use ken_core::language::{Language, WordSet, alternatives};
use ken_core::words::{fold, is_count_or_date, words};
use regex::Regex;

/// Longest subject of a sentence that speaks of one thing, in words.
const SUBJECT_WORDS_MAX: usize = 7;

/// Returns what a sentence speaks of: its words before the verb, if those are few.
pub(crate) fn subject(text: &str) -> Option<&str> {
    static VERBS: OnceLock<Regex> = OnceLock::new();
    let verbs = VERBS.get_or_init(|| {
        let verbs = alternatives(|lexicon| lexicon.pages.subject_verbs);
        Regex::new(&format!(r"\b(?:{verbs})\b")).expect("a pattern of ours")
    });
    let subject = &text[..verbs.find(text)?.start()];
    (subject.split_whitespace().count() <= SUBJECT_WORDS_MAX).then_some(subject)
}

/// Returns whether a text says something of something, or that it is not so: `The bell doesn't ring.`
pub(crate) fn is_one(text: &str) -> bool {
    let is_negated = || text.split_whitespace().take(SUBJECT_WORDS_MAX).any(|word| word.ends_with("n't"));
    is_negated() || subject(text).is_some()
}

/// Returns whether a text of English has no verb: `Five then, with the chapter at Ada's.` What is short is a
/// note (`Rye loaf 4 euros`), and what has a label needs no verb.
pub(crate) fn is_fragment(text: &str) -> bool {
    static SETS: OnceLock<[WordSet; 3]> = OnceLock::new();
    let sets = SETS.get_or_init(|| {
        let english = Language::ENGLISH.lexicon();
        [
            WordSet::of(|_| english.pages.past_forms),
            WordSet::of(|_| english.pages.verbs),
            WordSet::of(|_| english.telling),
        ]
    });
    let all: Vec<&str> = words(text).into_iter().map(|word| word.of(text)).collect();
    let is_verb = |n: usize| {
        let word = fold(all[n]);
        // The first word may be a thing, as may what is counted.
        let may_be = n > 0 && !is_count_or_date(all[n - 1]) && all[n].starts_with(char::is_lowercase);
        let is_formed = word.len() > 3 && (word.ends_with("ed") || word.ends_with('s') && !word.ends_with("ss"));
        CONTRACTED.contains(&word.as_str()) || sets[..2].iter().any(|set| set.has(&word)) || may_be && is_formed
    };
    let is_note = all.len() <= NOTE_WORDS_MAX;
    let may_be = !is_note && !text.contains([':', '`']) && text.is_ascii() && Language::of(text) == Language::ENGLISH;
    // What says nothing of its language by a small word may be of another one.
    let is_english = || all.iter().any(|word| sets[2].has(&fold(word)));
    may_be && is_english() && !(0..all.len()).any(is_verb)
}

/// What stands behind the apostrophe of a verb: `doesn't`, `we're`.
const CONTRACTED: [&str; 5] = ["t", "re", "ll", "m", "ve"];

/// Longest note that needs no verb, in words.
const NOTE_WORDS_MAX: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_has_no_verb() {
        for text in [
            "Five then, with the chapter at Ada's place.",
            "Loaves from Pellhurst on the 30th.",
            "Four to two for the new name.",
        ] {
            assert!(is_fragment(text), "{text}");
        }
        for text in [
            "Loaves come from Pellhurst on the 30th.",
            "The kit costs 89 euros.",
            "Rye loaf 4 euros.",
            "Meeting: at the mill, 10:00.",
            "We moved to the mill.",
            "Zwei Zimmer, ein Hof, eine echte Küche.",
            "Il forno resta in cantina.",
            "Die Brote sind aus Roggen.",
            "The door doesn't shut.",
        ] {
            assert!(!is_fragment(text), "{text}");
        }
    }
}

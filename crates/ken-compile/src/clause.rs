//! What a sentence speaks of, and whether it is one.

use std::sync::OnceLock;

use ken_core::Span;
use ken_core::language::{Language, WordSet, alternatives};
use ken_core::words::{fold, is_count_or_date, words};
use regex::Regex;

use crate::subject::is_determiner;

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

/// So many commas before it make what is named one of many things.
const COMMAS_MIN: usize = 2;

/// Returns whether a text names something at `span` in passing: in brackets, or as one of many things of which it says
/// nothing else. `Rye, wheat, spelt and the oven` does so of the oven; `Rye is out, wheat is in, the oven is hot` does not.
pub(crate) fn is_in_passing(text: &str, span: Span) -> bool {
    let (before, after) = (&text[..span.start], &text[span.end..]);
    let start = [". ", "! ", "? ", ": "].iter().filter_map(|end| before.rfind(end).map(|at| at + end.len())).max();
    let before = &before[start.unwrap_or(0)..];
    if before.rfind('(') > before.rfind(')') {
        return true;
    }
    let breaks = |text: &str| text.match_indices([',', ';']).filter(|(at, _)| text[at + 1..].starts_with(' ')).count();
    let own = before.rsplit([',', ';']).next().unwrap_or("");
    let opens = words(own).into_iter().all(|word| is_determiner(&word.of(own).to_lowercase()));
    let rest = after.split([',', ';', '.', '!', '?']).next().unwrap_or("");
    breaks(before) >= COMMAS_MIN && (!opens || words(rest).is_empty())
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

    #[test]
    fn what_stands_in_brackets_or_late_in_a_row_is_named_in_passing() {
        let is_passing = |text: &str, name: &str| {
            let at = text.rfind(name).expect("named");
            is_in_passing(text, Span::new(at, at + name.len()))
        };
        for (text, name) in [
            ("Two worries are left: flour (Ada) and steam (Ben).", "Ben"),
            ("Rye, wheat, spelt and the oven cost 310 euros.", "oven"),
            ("Eight trays, two doors, 30 days, Breadbox.", "Breadbox"),
            ("The run takes an hour with the oven on, so don't open it at night, at all, Ada.", "Ada"),
        ] {
            assert!(is_passing(text, name), "{text}");
        }
        for (text, name) in [
            ("Ben is away, Ada is back on the 10th, and the oven stays on.", "Ada"),
            ("From Monday, at noon, in the hall, Ada bakes rye.", "Ada"),
            ("Rye, wheat and spelt are out. The oven is hot.", "oven"),
            ("Rota: Ada on Monday, Ben on Tuesday.", "Ben"),
            ("Old loaves (rye) go to the mill.", "mill"),
        ] {
            assert!(!is_passing(text, name), "{text}");
        }
    }
}

//! Sentences that ask for what the question asks: they hold its words, and answer nothing.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::chat::said_by;
use crate::language::{LEXICONS, Questions};
use crate::words::{fold, folded_words};

use super::Citable;

/// The words by which a question asks: `when`, `who`, `which`, `how many`.
pub(super) fn asking_words(question: &str) -> BTreeSet<String> {
    static ASKING: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let of = |questions: &'static Questions| {
            let openings = questions.openings.iter().chain(questions.first).map(|(opening, _)| *opening);
            openings.chain(questions.things.split_whitespace())
        };
        LEXICONS.iter().flat_map(|lexicon| of(&lexicon.questions)).map(fold).collect()
    });
    let question = spaced(question);
    ASKING.iter().filter(|words| question.contains(&format!(" {words} "))).cloned().collect()
}

/// The words of a text, each between blanks.
fn spaced(text: &str) -> String {
    format!(" {} ", folded_words(text).join(" "))
}

/// Whether a sentence asks somebody for what the question asks, by its asking word: that asks, and does not answer.
pub(super) fn is_request(asking: &BTreeSet<String>, citable: &Citable) -> bool {
    static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
        let of_each = LEXICONS.iter().map(|lexicon| lexicon.sessions.asking).filter(|list| !list.is_empty());
        let all: Vec<&str> = of_each.collect();
        Regex::new(&format!(r"(?i)^\W*(?:{})\b", all.join("|"))).expect("the lists of the languages are patterns")
    });
    let text = said_by(&citable.text, &citable.speaker);
    let bare = text.strip_prefix(citable.speaker.as_str()).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text);
    let asks_for_it = |said: &str| {
        let said = spaced(said);
        asking.iter().any(|words| said.contains(&format!(" {words} ")))
    };
    REQUEST.is_match(bare) && asks_for_it(bare) || reported(bare).is_some_and(asks_for_it)
}

/// The question of somebody else that a sentence tells and says nothing behind: `The temp asked how many loaves go into a crate`.
fn reported(text: &str) -> Option<&str> {
    static REPORTED: LazyLock<Regex> = LazyLock::new(|| {
        let of_each = LEXICONS.iter().map(|lexicon| lexicon.questions.reported).filter(|list| !list.is_empty());
        let all: Vec<&str> = of_each.collect();
        Regex::new(&format!(r"(?i)\b(?:{})\b", all.join("|"))).expect("the lists of the languages are patterns")
    });
    let told = text[REPORTED.find(text)?.end()..].trim_matches(|ch: char| !ch.is_alphanumeric());
    // What is said behind the question may answer it.
    (!told.contains([',', ';', ':', '.'])).then_some(told)
}

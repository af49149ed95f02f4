//! Sentences that ask for what the question asks: they hold its words, and answer nothing.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::chat::said_by;
use crate::language::{LEXICONS, Questions};
use crate::words::{fold, folded_words};

use super::Citable;

/// The words by which a question asks: `when`, `who`, `which`.
pub(super) fn asking_words(question: &str) -> BTreeSet<String> {
    static ASKING: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let of = |questions: &'static Questions| {
            let openings = questions.openings.iter().chain(questions.first).map(|(opening, _)| *opening);
            let one_word = openings.filter(|opening| !opening.contains(' '));
            one_word.chain(questions.things.split_whitespace())
        };
        LEXICONS.iter().flat_map(|lexicon| of(&lexicon.questions)).map(fold).collect()
    });
    folded_words(question).into_iter().filter(|word| ASKING.contains(word)).collect()
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
    REQUEST.is_match(bare) && folded_words(bare).iter().any(|word| asking.contains(word))
}

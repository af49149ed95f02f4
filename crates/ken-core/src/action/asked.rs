//! Whether a question asks what is still to be done, and about what.

use std::sync::LazyLock;

use super::words_of;
use crate::language::{LEXICONS, Lexicon, Wording};
use crate::span::Span;
use crate::words::{fold, is_stop, words};

/// A question that asks what is still to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedActions {
    /// The stems of the words that say about what: all of them stand in an item that is asked for.
    topic: Vec<String>,
}

static ASKED: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    let lists = LEXICONS.iter().flat_map(|lexicon| lexicon.actions.asked.split('|'));
    lists.filter(|phrase| !phrase.trim().is_empty()).map(|phrase| Wording::of(phrase, fold)).collect()
});

/// Words that say nothing of what a question about action items is about.
static IDLE: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    let of = |lexicon: &'static Lexicon| lexicon.actions.idle.split('|').chain(lexicon.questions.askers.split('|'));
    let lists = LEXICONS.iter().flat_map(of);
    lists.filter(|phrase| !phrase.trim().is_empty()).map(|phrase| Wording::of(phrase, fold)).collect()
});

impl AskedActions {
    /// Returns what a question asks, if it asks what is to be done; `aside` are words of it that say something else, as
    /// the day that is meant.
    ///
    /// ```
    /// # use ken_core::action::AskedActions;
    /// let is_asked = |question: &str| AskedActions::of(question, &[]).is_some();
    /// assert!(is_asked("What is left to do?"));
    /// assert!(is_asked("Welche Aufgaben sind noch offen?"));
    /// assert!(!is_asked("How long is the bakery open?"));
    /// ```
    pub fn of(question: &str, aside: &[Span]) -> Option<AskedActions> {
        let spans = words(question);
        let folded: Vec<String> = spans.iter().map(|word| fold(word.of(question))).collect();
        let said: Vec<&str> = folded.iter().map(String::as_str).collect();
        let named = |list: &[Wording]| -> Vec<usize> {
            let at = |at: usize| list.iter().map(move |one| (at, one));
            let all = (0..said.len()).flat_map(at);
            all.filter_map(|(at, one)| Some(one.named(&said[at..])?.into_iter().map(move |n| at + n)))
                .flatten()
                .collect()
        };
        let asking = named(&ASKED);
        if asking.is_empty() {
            return None;
        }
        let idle = named(&IDLE);
        let is_aside = |word: &Span| aside.iter().any(|span| span.start <= word.start && word.end <= span.end);
        let is_topic = |at: usize| !asking.contains(&at) && !idle.contains(&at) && !is_stop(&folded[at]);
        let topic = (0..spans.len()).filter(|at| is_topic(*at) && !is_aside(&spans[*at]));
        Some(AskedActions { topic: topic.flat_map(|at| words_of(spans[at].of(question))).collect() })
    }

    /// Returns the stems of the words that say about what it asks; none where it asks for all.
    pub fn topic(&self) -> &[String] {
        &self.topic
    }

    /// Returns whether an action item is one that the question asks for.
    pub fn is_about(&self, item: &str) -> bool {
        let said = words_of(item);
        self.topic.iter().all(|word| said.contains(word))
    }
}

//! Whether a question asks what is still to be done, and about what.

use std::sync::LazyLock;

use super::words_of;
use crate::language::Wording;
use crate::span::Span;
use crate::words::{fold, is_stop, words};

/// A question that asks what is still to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedActions {
    /// The stems of the words that say about what: all of them stand in an item that is asked for.
    topic: Vec<String>,
}

static ASKED: LazyLock<Vec<Wording>> = LazyLock::new(|| Wording::lists(|lexicon| lexicon.actions.asked));

/// Words that say nothing of what a question about action items is about.
static IDLE: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    let mut idle = Wording::lists(|lexicon| lexicon.actions.idle);
    idle.extend(Wording::lists(|lexicon| lexicon.questions.askers));
    idle
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
        let asking = Wording::places(&ASKED, &said);
        if asking.is_empty() {
            return None;
        }
        let idle = Wording::places(&IDLE, &said);
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

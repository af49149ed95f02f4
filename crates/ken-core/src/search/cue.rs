//! Whether a question asks for what was first, or for what holds now.

use std::sync::LazyLock;

use crate::language::{LEXICONS, Questions, WordSet};
use crate::words::folded_words;

/// Which end of time a question asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cue {
    /// What was first: `originally`, `at the start`.
    Early,
    /// What holds now: `currently`, `latest`.
    Late,
}

static EARLY: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.early));
static LATE: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.late));

type Runs = fn(&'static Questions) -> &'static [&'static str];

impl Cue {
    /// Returns what stands before a date in a question, without words at its end that name an end of time elsewhere:
    /// `as of` a day names that day.
    pub(crate) fn without_run(before: &str) -> String {
        let before = before.trim_end().to_lowercase();
        let mut runs = LEXICONS.iter().flat_map(|lexicon| lexicon.questions.late_runs);
        let rest = runs.find_map(|run| before.strip_suffix(run)).map(str::to_owned);
        rest.unwrap_or(before)
    }

    /// Returns what a question asks for; none when it names neither end, or both.
    pub fn of(question: &str) -> Option<Cue> {
        let folded: Vec<String> = folded_words(&without_possessed(question));
        let has = |known: &WordSet, runs: Runs| {
            let says = |run: &str| {
                let run: Vec<&str> = run.split(' ').collect();
                folded.windows(run.len()).any(|window| window.iter().map(String::as_str).eq(run.iter().copied()))
            };
            let mut runs = LEXICONS.iter().flat_map(|lexicon| runs(&lexicon.questions));
            folded.iter().any(|word| known.has(word)) || runs.any(|run| says(run))
        };
        match (has(&EARLY, |questions| questions.early_runs), has(&LATE, |questions| questions.late_runs)) {
            (true, false) => Some(Cue::Early),
            (false, true) => Some(Cue::Late),
            _ => None,
        }
    }
}

/// A question without the words behind whose something is: `Ada's first day` is one of her days.
fn without_possessed(question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    let is_whose = |word: &str| word.ends_with("'s") || word.ends_with("’s");
    let is_kept = |n: usize| n == 0 || !is_whose(words[n - 1]);
    let kept = words.iter().enumerate().filter(|(n, _)| is_kept(*n)).map(|(_, word)| *word);
    kept.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_are_words_that_name_one_end() {
        assert_eq!(Cue::of("What is the current database?"), Some(Cue::Late));
        assert_eq!(Cue::of("Which limit was used at the start?"), Some(Cue::Early));
        assert_eq!(Cue::of("Is the original one still in use?"), None);
        assert_eq!(Cue::of("How do tokens rotate?"), None);
        assert_eq!(Cue::of("When is Ada's first day?"), None);
    }
}

//! What a person rules in answer to an agent: what shall be so, with the reasons that they give beside it.
//!
//! "Make that 90. People plan a sweater for weeks, a month is too short" is one decision with its why. The sentences of a
//! reply that go together stand together, and in them one must settle something; what asks, has something done or turns to
//! another matter ends them.

use super::accepted::{asks, option_of};
use super::phrases::Phrases;
use super::sentence::{cut, first_that_fit};

/// Longest ruling, in characters, and fewest words of one.
const RULING_CHARS_MAX: usize = 420;
const RULING_WORDS_MIN: usize = 5;

/// A reply of a person.
#[derive(Debug, Default)]
pub(super) struct Reply {
    /// What it rules.
    pub(super) rulings: Vec<String>,
    /// Its other sentences.
    pub(super) rest: Vec<String>,
}

/// Sorts the sentences of a reply to what an agent `offered`.
pub(super) fn reply(sentences: &[String], offered: &str) -> Reply {
    let phrases = Phrases::get();
    let mut out = Reply::default();
    let mut run: Vec<String> = Vec::new();
    for sentence in sentences {
        let goes_on = phrases.goes_along(sentence);
        if !goes_on || !run.is_empty() && phrases.turns(sentence) {
            out.close(&mut run, offered);
        }
        if goes_on { run.push(sentence.clone()) } else { out.rest.push(sentence.clone()) }
    }
    out.close(&mut run, offered);
    out
}

impl Reply {
    /// Takes sentences that go together.
    fn close(&mut self, run: &mut Vec<String>, offered: &str) {
        let phrases = Phrases::get();
        let all = std::mem::take(run);
        // Who says no to what was asked settles it; who says it to what was found gives that up.
        let settles = |sentence: &String| phrases.rules(sentence) || phrases.denies(sentence) && asks(offered);
        let settling = all.iter().position(settles);
        let n_words = all.iter().map(|sentence| sentence.split_whitespace().count()).sum::<usize>();
        let Some(settling) = settling.filter(|_| n_words >= RULING_WORDS_MIN) else {
            self.rest.extend(all);
            return;
        };
        // What is settled stands there, whatever there is no room for.
        let chars: usize = all[..=settling].iter().map(|sentence| sentence.chars().count() + 1).sum();
        let first = if chars > RULING_CHARS_MAX { settling } else { 0 };
        self.rest.extend(all[..first].iter().cloned());
        let text = first_that_fit(&all[first..], all.len(), RULING_CHARS_MAX);
        let bare = phrases.without_reaction(&text);
        let option = option_of(bare, offered).map(|option| format!("{bare} ({option})"));
        self.rulings.push(cut(&option.unwrap_or_else(|| bare.to_owned()), 2 * RULING_CHARS_MAX));
    }
}

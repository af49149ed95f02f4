//! What somebody takes back by its topic: `Forget what I said about the rye loaf`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::cues::{Cue, Found};
use super::{Evidence, World};
use crate::language::Phrases;
use crate::words::folded_words;

/// So many exchanges about a topic are looked at for what was said to change, from the latest back.
const EXCHANGES_MAX: usize = 3;
/// So many words name a topic of which no change was told.
const TOPIC_WORDS_MIN: usize = 2;

/// Returns whether a text takes back what was said of something; it does not say what holds.
///
/// ```
/// # use ken_core::supersede::takes_back;
/// assert!(takes_back("Forget what I said about the rye loaf."));
/// assert!(takes_back("Forget what I said last week about the rye loaf."));
/// assert!(!takes_back("A rye loaf costs 4 euros."));
/// ```
pub fn takes_back(text: &str) -> bool {
    static RETRACTS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.retracts));
    RETRACTS.are_in(&folded_words(text))
}

impl World<'_> {
    /// Takes back the change that the latest exchange about a topic told; what it had replaced holds again.
    pub(super) fn take_retracted(&mut self, at: usize) {
        let unit = self.unit(at);
        if !unit.has(Cue::Retracts) {
            return;
        }
        // `Forget what I said about the rye loaf, the oven is full`: the rest says why.
        let in_clause = |found: &Found| {
            let rest =
                unit.tokens[found.end..].iter().take_while(|token| token.clause == unit.tokens[found.start].clause);
            rest.map(|token| self.texts.word(*token).stem)
                .filter(|stem| unit.stems.contains(stem))
                .collect::<Vec<u32>>()
        };
        let behind = unit.all(Cue::Retracts).map(in_clause).find(|topic| !topic.is_empty());
        let topic = &behind.unwrap_or_else(|| unit.stems.clone());
        if !topic.iter().any(|stem| !self.texts.is_weak[*stem as usize]) {
            return;
        }
        let mut told = self.near.like(unit, at, 0..at, &mut self.shared);
        told.retain(|old| {
            let earlier = self.unit(*old);
            let is_open = earlier.exchange != unit.exchange && !earlier.asks && self.out[earlier.said].is_none();
            is_open && topic.iter().all(|stem| earlier.stems.contains(stem))
        });
        let exchanges: BTreeSet<usize> = told.iter().map(|old| self.unit(*old).exchange).collect();
        // Who says from when something holds may say so without a word of change.
        let changes = |old: usize| {
            let said = self.unit(old).said;
            self.unit(old).may_change() || self.out.iter().any(|one| one.is_some_and(|one| one.by == said))
        };
        let is_told = |exchange: usize| told.iter().any(|old| self.unit(*old).exchange == exchange && changes(*old));
        let changed = exchanges.iter().rev().take(EXCHANGES_MAX).copied().find(|exchange| is_told(*exchange));
        // What is told by a word alone may be told of much.
        let is_clear = topic.iter().filter(|stem| self.is_thing(**stem)).count() >= TOPIC_WORDS_MIN;
        let last = changed.or_else(|| exchanges.last().copied().filter(|_| is_clear));
        told.retain(|old| {
            let says = self.unit(*old).may_change() || !self.frame(*old).slots.is_empty() || changed.is_none();
            says && Some(self.unit(*old).exchange) == last
        });
        for old in told {
            let said = self.unit(old).said;
            self.replace(old, at, Evidence::End);
            self.out.iter_mut().filter(|one| one.is_some_and(|one| one.by == said)).for_each(|one| *one = None);
        }
    }
}

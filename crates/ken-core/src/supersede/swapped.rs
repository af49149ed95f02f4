//! One name in the place of another, without a word of what for.

use super::World;
use super::cues::{self, Cue};
use super::read;
use super::slot::{Filler, Pair, Side, Way};

impl World<'_> {
    /// Whether a sentence says no more than that one name has the place of another, and an earlier one that the other is
    /// used: `We replaced Ovenhub with Breadbox` behind `We use Ovenhub for the orders`.
    pub(super) fn is_swapped(&self, old: usize, pair: &Pair, by: usize) -> bool {
        let (Side::Words(words), Some(Side::Words(_))) = (&pair.old, &pair.new) else { return false };
        let (earlier, later) = (self.unit(old), self.unit(by));
        // `Replace Ovenhub with Breadbox` is to be done.
        let is_done = later.all(Cue::Replaces).any(|found| found.start > 0) && !later.has(Cue::Must);
        let is_told = !earlier.is_unsure() && !earlier.has(Cue::Views) && !earlier.is_code && !later.is_code;
        if !is_done || !is_told {
            return false;
        }
        let is_name = |filler: &Filler| filler.is_name && filler.stems == *words;
        let stem = |token: &read::Token| self.texts.words[token.word as usize].stem;
        let clause = later.tokens.iter().find(|token| words.contains(&stem(token))).map(|token| token.clause);
        // What else its clause says is of which use it speaks.
        let in_clause =
            |own: &u32| later.tokens.iter().any(|token| Some(token.clause) == clause && stem(token) == *own);
        let is_used = |found: &cues::Found| {
            let behind =
                earlier.tokens[found.end..].iter().find(|token| self.texts.words[token.word as usize].is_content);
            behind.is_some_and(|token| words.contains(&stem(token)))
        };
        let is_placed = |filler: &Filler| {
            matches!(filler.way, Way::Means | Way::Is | Way::Any) && !filler.is_denied && filler.stems == *words
        };
        self.frame(by).fillers.iter().any(is_name)
            && !pair.own.iter().any(in_clause)
            && (earlier.all(Cue::Means).any(is_used) || self.frame(old).fillers.iter().any(is_placed))
    }
}

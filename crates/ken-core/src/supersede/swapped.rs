//! One name in the place of another, without a word of what for.

use super::World;
use super::cues::{Cue, Found};
use super::slot::{Filler, Pair, Side, Way};
use super::unit::{Token, Unit};
use crate::when::each_date;

impl World<'_> {
    /// Whether a sentence says no more than that one thing has the place of another, and an earlier one that the other is
    /// used: `We replaced Ovenhub with Breadbox` behind `We use Ovenhub for the orders`.
    pub(super) fn is_swapped(&self, old: usize, pair: &Pair, by: usize) -> bool {
        let (Side::Words(words), Some(Side::Words(_))) = (&pair.old, &pair.new) else { return false };
        let (earlier, later) = (self.unit(old), self.unit(by));
        let is_told = !earlier.is_unsure() && !earlier.has(Cue::Views) && !earlier.is_code && !later.is_code;
        if !is_told || self.is_ordered(later) || later.has(Cue::Renames) {
            return false;
        }
        // `the clock` is one of many, a bare name is not.
        let first = later.tokens.iter().position(|token| words.contains(&self.stem(token)));
        let is_one = first.and_then(|at| later.tokens.get(at.checked_sub(1)?));
        if is_one.is_some_and(|before| self.texts.word(*before).is_determiner) {
            return false;
        }
        let clause = first.map(|at| later.tokens[at].clause);
        // What else its clause says is of which use it speaks, and not when.
        let dates = later.day.map_or(Vec::new(), |day| each_date(later.text, day));
        let says_when = |at: usize| {
            let span = later.tokens[at].span;
            let is_day = |at: usize| self.texts.word(later.tokens[at]).is_calendar;
            is_day(at)
                // `on Friday night`
                || at > 0 && is_day(at - 1) && !later.tokens[at].is_capital
                || dates.iter().any(|date| date.span.start < span.end && span.start < date.span.end)
        };
        let joins = |at: usize| {
            let is_of = |found: &Found| found.start <= at && at < found.end;
            let is_joint = |found: &Found| matches!(found.cue, Cue::Replaces | Cue::With | Cue::From | Cue::To);
            later.cues.iter().any(|found| is_joint(found) && is_of(found)) || says_when(at)
        };
        let in_clause = |own: &u32| {
            let mut told = later.tokens.iter().enumerate().filter(|(at, _)| !joins(*at));
            told.any(|(_, token)| Some(token.clause) == clause && self.stem(token) == *own)
        };
        !pair.own.iter().any(in_clause) && self.is_in_use(old, words)
    }

    /// Whether a sentence says of a thing that it is used: as what stands behind `use`, as what another thing is, or as
    /// what is something.
    pub(super) fn is_in_use(&self, at: usize, words: &[u32]) -> bool {
        let unit = self.unit(at);
        let content = |token: &&Token| self.texts.words[token.word as usize].is_content;
        let is_used = |found: &Found| {
            let behind = unit.tokens[found.end..].iter().skip_while(|token| !content(token)).take(words.len());
            behind.filter(|token| words.contains(&self.stem(token))).count() == words.len()
        };
        let is_subject = |is: &Found| {
            let clause = unit.tokens[is.start].clause;
            let before = unit.tokens[..is.start].iter().filter(|token| token.clause == clause).filter(content);
            let stems: Vec<u32> = before.map(|token| self.stem(token)).collect();
            stems.len() == words.len() && stems.iter().all(|stem| words.contains(stem))
        };
        let is_placed = |filler: &Filler| {
            matches!(filler.way, Way::Means | Way::Is | Way::Any) && !filler.is_denied && filler.stems == *words
        };
        unit.all(Cue::Means).any(is_used)
            || unit.all(Cue::Is).any(is_subject)
            || self.frame(at).fillers.iter().any(is_placed)
    }

    /// Whether a sentence tells somebody to change something: `Replace Ovenhub with Breadbox`, not `Replaced …`.
    fn is_ordered(&self, unit: &Unit<'_>) -> bool {
        let is_first = |at: usize| at == 0 || unit.tokens[at].part != unit.tokens[at - 1].part;
        let is_order = |found: &Found| is_first(found.start) && !self.texts.is_past(unit, found.start);
        let begins = |found: &Found| matches!(found.cue, Cue::Replaces | Cue::Switch | Cue::Alters) && is_order(found);
        unit.cues.iter().any(begins) || unit.has(Cue::Must)
    }

    pub(super) fn stem(&self, token: &Token) -> u32 {
        self.texts.words[token.word as usize].stem
    }
}

//! What is said of a thing while it is denied what the thing was said to be: `The signal is a bell; the horn is not used`
//! behind `The signal is a horn`.

use std::collections::BTreeSet;

use super::cues::{Cue, Found};
use super::unit::{Unit, is_covered};
use super::{Evidence, STATE_WORDS_MAX, World};

/// Most words that tell of a clause that only denies something.
const DENIED_WORDS_MAX: usize = 4;
/// Least share of the weight of the words of either sentence that both have, what is denied aside.
const ABOUT_MIN: f32 = 0.2;

/// What a clause denies, and what is said beside it.
struct Denial {
    denied: Vec<u32>,
    said: Vec<u32>,
    sign: Sign,
}

/// What tells that a denial is a change: who notes what was done denies much that nobody said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// It says of a name that what has it is gone.
    Gone,
    /// What is said beside it has a word of change.
    Change,
    /// What is said beside it is what a thing is; the stem of the thing.
    State(u32),
}

impl World<'_> {
    /// Takes what a statement says in the place of what it denies, in one of its sentences or in the next.
    pub(super) fn take_denied(&mut self, at: usize) {
        let unit = self.unit(at);
        let before = at.checked_sub(1).filter(|before| self.unit(*before).turn == unit.turn);
        let beside = before.map_or(Vec::new(), |before| vec![(at, before), (before, at)]);
        let pairs = std::iter::once((at, at)).chain(beside);
        let denials: Vec<Denial> = pairs.flat_map(|(denies, says)| self.denials(denies, says)).collect();
        if denials.is_empty() {
            return;
        }
        for old in self.near.like(unit, at, 0..at, &mut self.shared) {
            if denials.iter().any(|denial| self.is_denied(old, denial, at)) {
                self.replace(old, at, Evidence::Change);
            }
        }
    }

    /// What a sentence denies, with what itself or another one says.
    fn denials(&self, denies: usize, says: usize) -> Vec<Denial> {
        let (denying, saying) = (self.unit(denies), self.unit(says));
        let clauses = denying_clauses(denying);
        if clauses.is_empty() || [denying, saying].into_iter().any(|unit| unit.is_doubtful() || unit.is_code) {
            return Vec::new();
        }
        let own = denying_clauses(saying);
        let said = self.stems_in(saying, |clause| !own.contains(&clause) && !saying.is_reason(clause));
        let denial = |clause: u16| {
            let stems = self.stems_in(denying, |of| of == clause);
            let denied: Vec<u32> = stems.into_iter().filter(|stem| !said.contains(stem)).collect();
            let sign = self.sign_of(denying, clause, saying)?;
            let is_short = (1..=DENIED_WORDS_MAX).contains(&denied.len()) && !said.is_empty();
            is_short.then(|| Denial { denied, said: said.clone(), sign })
        };
        clauses.into_iter().filter_map(denial).collect()
    }

    fn sign_of(&self, denying: &Unit<'_>, clause: u16, saying: &Unit<'_>) -> Option<Sign> {
        let is_of = |found: &Found| denying.tokens[found.start].clause == clause;
        let told = |at: &usize| self.tells(denying, *at) && denying.tokens[*at].clause == clause;
        let is_named = (0..denying.tokens.len()).filter(told).all(|at| denying.tokens[at].is_capital);
        if is_named && denying.all(Cue::Departs).chain(denying.all(Cue::Ends)).any(is_of) {
            return Some(Sign::Gone);
        }
        if saying.has(Cue::Change) && !self.texts.is_narrated(saying) && !saying.has(Cue::Keeps) {
            return Some(Sign::Change);
        }
        let first = (0..saying.tokens.len()).find(|at| self.tells(saying, *at))?;
        let is_state = saying.all(Cue::Is).any(|is| is.start == first + 1);
        is_state.then(|| Sign::State(self.stem(&saying.tokens[first])))
    }

    /// Whether a word tells of what a sentence is about.
    fn tells(&self, unit: &Unit<'_>, at: usize) -> bool {
        let word = self.texts.word(unit.tokens[at]);
        word.is_content && !word.is_unit && !is_covered(&unit.cues, at)
    }

    /// The words that tell of some clauses of a sentence.
    fn stems_in(&self, unit: &Unit<'_>, is_in: impl Fn(u16) -> bool) -> Vec<u32> {
        let is_it = |at: &usize| self.tells(unit, *at) && is_in(unit.tokens[*at].clause);
        (0..unit.tokens.len()).filter(is_it).map(|at| self.stem(&unit.tokens[at])).collect()
    }

    /// Whether a sentence says of the same thing what a later one denies.
    fn is_denied(&self, old: usize, denial: &Denial, by: usize) -> bool {
        let (earlier, later) = (self.unit(old), self.unit(by));
        let is_told = !earlier.is_unsure() && !earlier.is_code && !self.texts.is_narrated(earlier);
        let is_long = earlier.tokens.len() > STATE_WORDS_MAX;
        if earlier.exchange == later.exchange || !is_told || is_long || !denying_clauses(earlier).is_empty() {
            return false;
        }
        if let Sign::State(thing) = denial.sign {
            let first = (0..earlier.tokens.len()).find(|at| self.tells(earlier, *at));
            if first.is_none_or(|first| self.stem(&earlier.tokens[first]) != thing) {
                return false;
            }
        }
        let is_strong = |stem: &u32| !self.texts.is_weak[*stem as usize];
        let in_old = |stem: &u32| earlier.stems.contains(stem);
        let gone: Vec<u32> = denial.denied.iter().copied().filter(|stem| is_strong(stem) && in_old(stem)).collect();
        let rest: Vec<u32> = earlier.stems.iter().copied().filter(|stem| !gone.contains(stem)).collect();
        // Of a name that is gone any word says of what.
        let is_of_both = |stem: &u32| denial.said.contains(stem) && (denial.sign == Sign::Gone || is_strong(stem));
        let shared: Vec<u32> = rest.iter().copied().filter(is_of_both).collect();
        let is_new = denial.said.iter().any(|stem| is_strong(stem) && !in_old(stem));
        let sum = |stems: &[u32]| self.near.sum(stems.iter().copied());
        let is_about_it = sum(&shared) >= ABOUT_MIN * sum(&rest).min(sum(&denial.said));
        let is_it = !gone.is_empty() && !shared.is_empty() && is_new && is_about_it;
        is_it
            && !self.is_of_other_sort(old, by, &shared)
            && !self.is_narrower(old, by, &denial.said)
            && !self.are_other(self.frame(old), self.frame(by), &gone)
    }
}

/// The clauses of a sentence that say that something is not or no longer so, those aside that say which: `somebody who is
/// not Ada`.
fn denying_clauses(unit: &Unit<'_>) -> BTreeSet<u16> {
    let denies = |found: &&Found| matches!(found.cue, Cue::Departs | Cue::Ends | Cue::Not);
    let clauses = unit.cues.iter().filter(denies).map(|found| unit.tokens[found.start].clause);
    clauses.filter(|clause| !unit.is_reason(*clause)).collect()
}

//! What a finding shows to be otherwise than it was said, and what a rule of several cases takes the place of.

use super::cues::Cue;
use super::displaced::Displaced;
use super::read::{Texts, plain};
use super::slot::Slot;
use super::unit::Unit;
use super::{Evidence, Said, World};

/// Fewest words of a statement that a finding denies, and how many more may stand among them.
const DENIED_WORDS_MIN: usize = 3;
const BETWEEN_MAX: usize = 2;

/// Returns whether a later statement ends what an earlier one says and nothing that stands beside it: it has found the
/// opposite, which was never so, or tells of what is used in the place of something that has other uses, too.
///
/// ```
/// # use ken_core::supersede::is_over_alone;
/// assert!(is_over_alone("Hooks don't run twice.", "We tested it: hooks run twice."));
/// assert!(!is_over_alone("Hooks run once.", "We tested it: hooks run twice."));
/// assert!(is_over_alone("Orders wait in ring.cfg.", "Lines of ring.cfg get lost, so orders wait in queue.cfg instead."));
/// ```
pub fn is_over_alone(old: &str, new: &str) -> bool {
    let said = [old, new].map(|text| Said::alone(text, None));
    let plain = plain(&said);
    let texts = Texts::read(&said, &plain);
    let (before, after) = texts.units.split_at(texts.units.partition_point(|unit| unit.said == 0));
    let is_denied = |new: &Unit<'_>| before.iter().any(|old| denies(&texts, old, new) || denies(&texts, new, old));
    after.iter().any(|new| new.has(Cue::Finds) && is_denied(new) || Displaced::of(&texts, new).is_some())
}

/// Whether a sentence denies what another says in the same words: `Orders do not wait in line`, `orders wait in line`.
fn denies(texts: &Texts<'_>, denying: &Unit<'_>, saying: &Unit<'_>) -> bool {
    let is_told = |at: &usize| texts.word(denying.tokens[*at]).is_content;
    let stem = |at: usize| texts.word(denying.tokens[at]).stem;
    denying.all(Cue::Not).any(|not| {
        let is_near = |at: &usize| denying.tokens[*at].clause == denying.tokens[not.start].clause;
        let before = (0..not.start).rev().filter(is_near).find(is_told);
        let behind = (not.end..denying.tokens.len()).take_while(is_near).filter(is_told);
        let denied: Vec<u32> = before.into_iter().chain(behind).map(stem).collect();
        before.is_some() && denied.len() >= DENIED_WORDS_MIN && says_in_line(texts, saying, &denied)
    })
}

/// Whether a sentence says some words one behind the other, with little between them and without denying it.
fn says_in_line(texts: &Texts<'_>, unit: &Unit<'_>, words: &[u32]) -> bool {
    let stem = |at: usize| texts.word(unit.tokens[at]).stem;
    (0..unit.tokens.len()).filter(|at| stem(*at) == words[0]).any(|first| {
        let end = unit.tokens.len().min(first + words.len() + BETWEEN_MAX);
        let mut left = words;
        let last = (first..end).find(|at| {
            left = if left[0] == stem(*at) { &left[1..] } else { left };
            left.is_empty()
        });
        last.is_some_and(|last| !unit.all(Cue::Not).any(|not| first <= not.start && not.start <= last + 1))
    })
}

impl World<'_> {
    /// Takes what a finding says of what was said otherwise before, and a rule of cases of the rule that they were: both may
    /// stand in the exchange in which that was said.
    pub(super) fn take_found(&mut self, at: usize) {
        let unit = self.unit(at);
        let (finds, splits) = (unit.has(Cue::Finds) && !unit.is_doubtful(), self.cases(at).is_some());
        if !finds && !splits {
            return;
        }
        for old in self.near.like(unit, at, 0..at, &mut self.shared) {
            let earlier = self.unit(old);
            if earlier.said == unit.said || earlier.is_doubtful() {
                continue;
            }
            let denied = || denies(self.texts, earlier, unit) || denies(self.texts, unit, earlier);
            let is_denied = finds && !earlier.has(Cue::Finds) && denied();
            let is_split = || splits && earlier.exchange != unit.exchange && self.is_one_of_cases(old, at);
            if is_denied || is_split() {
                self.replace(old, at, Evidence::Change);
            }
        }
    }

    /// The values of a sentence that gives one for a case and another for all else, the latter last: `two stamps for eggs, one
    /// stamp for everything else`.
    fn cases(&self, at: usize) -> Option<(&Slot, &Slot)> {
        let unit = self.unit(at);
        let rest = unit.all(Cue::Rest).next()?.start;
        let slots = || self.frame(at).slots.iter().filter(|slot| slot.is_value() && !slot.is_old);
        let of_rest = slots().rfind(|slot| slot.end <= rest)?;
        let of_case = slots().find(|slot| slot.is_comparable(of_rest) && !slot.is_same(of_rest))?;
        Some((of_case, of_rest))
    }

    /// Whether a sentence gave for all what a later one gives for what is left beside a case.
    fn is_one_of_cases(&self, old: usize, by: usize) -> bool {
        let Some((_, of_rest)) = self.cases(by) else { return false };
        let (earlier, later) = (self.unit(old), self.unit(by));
        let mut slots = self.frame(old).slots.iter().filter(|slot| slot.is_comparable(of_rest) && !slot.is_old);
        let is_alone = slots.next().is_some_and(|slot| slot.is_same(of_rest)) && slots.next().is_none();
        let is_new = later.has(Cue::Since) || later.may_change();
        let about = |stem: &u32| {
            Some(*stem) != of_rest.noun && (later.stems.contains(stem) || self.near.context(by).contains(stem))
        };
        let shares = earlier.stems.iter().chain(self.near.context(old)).any(about);
        is_alone && is_new && of_rest.noun.is_some() && !earlier.has(Cue::Rest) && shares
    }
}

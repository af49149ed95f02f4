//! Which statements say the old side of a pair that a later one names: `at 9:45 instead of 9:15`.

use std::collections::BTreeSet;

use super::cues::Cue;
use super::slot::{Filler, Pair, Side, Slot, Way};
use super::{PAIR_MIN, STATE_WORDS_MAX, WORDS_MIN, World};

/// How many sentences back a value may stand that is denied.
const ACROSS: usize = 2;

impl World<'_> {
    /// A value that a sentence before denies or calls unfit, and another of the same kind in its place: `The 14th is not
    /// possible. We open on 18 May.`
    pub(super) fn pairs_across(&self, at: usize) -> Vec<Pair> {
        let unit = self.unit(at);
        let mut out = self.corrected(at);
        for before in (at.saturating_sub(ACROSS)..=at).filter(|before| self.unit(*before).turn == unit.turn) {
            let earlier = self.unit(before);
            if earlier.is_unsure() || !(earlier.has(Cue::Unfit) || earlier.has(Cue::Not)) {
                continue;
            }
            // Within a sentence `not the 4th or the 5th` denies both.
            let is_apart = before < at || unit.has(Cue::Unfit);
            let denied = self
                .frame(before)
                .slots
                .iter()
                .filter(|slot| is_apart && slot.is_denied && (slot.is_value() || slot.is_weekday()));
            for old in denied {
                let new = self.frame(at).slots.iter().find(|slot| {
                    (before < at || slot.start > old.start)
                        && !slot.is_denied
                        && slot.is_comparable(old)
                        && !slot.is_same(old)
                });
                let own = |new: &Slot| {
                    // What a weekday collides with is something else.
                    let of_old = old.own.iter().filter(|_| !old.is_weekday());
                    of_old.chain(&new.own).copied().collect::<BTreeSet<u32>>().into_iter().collect()
                };
                out.extend(new.map(|new| Pair {
                    old: Side::Value(old.clone()),
                    new: Some(Side::Value(new.clone())),
                    own: own(new),
                    is_strict: false,
                }));
            }
        }
        out
    }

    /// `It takes 15 minutes. That was wrong, it takes 20.`
    fn corrected(&self, at: usize) -> Vec<Pair> {
        let unit = self.unit(at);
        let opens = unit.all(Cue::Corrects).any(|found| found.start == 0 && found.end > 1);
        let Some(before) = at.checked_sub(1).filter(|before| opens && self.unit(*before).turn == unit.turn) else {
            return Vec::new();
        };
        let pair = |old: &Slot| {
            let new = self.frame(at).slots.iter().find(|new| new.is_comparable(old) && !new.is_same(old))?;
            let (old, own) = (old.clone(), old.own.clone());
            Some(Pair { old: Side::Value(old), new: Some(Side::Value(new.clone())), own, is_strict: false })
        };
        self.frame(before).slots.iter().filter(|old| old.is_value()).filter_map(pair).collect()
    }

    /// Whether a sentence says the old side of a pair, of the same thing.
    pub(super) fn is_old_of(&self, old: usize, pair: &Pair, by: usize) -> bool {
        let (earlier, frame, later) = (self.unit(old), self.frame(old), self.unit(by));
        let around = if pair.own.is_empty() { &later.stems } else { &pair.own };
        let alike = |own: &[u32], but: &[u32]| {
            let (a, b) = (self.near.keys(earlier, old, own, but), self.near.keys(later, by, around, but));
            self.near.similarity(&a, &b)
        };
        match &pair.old {
            Side::Value(value) => {
                let says_new = matches!(&pair.new, Some(Side::Value(new)) if frame.slots.iter().any(|slot| slot.is_same(new) && !slot.is_old));
                // What is denied in the exchange of the change was told of by nobody there.
                let is_beside = earlier.exchange == later.exchange;
                let is_said = |slot: &&Slot| {
                    let is_told = !slot.is_old && (!is_beside || !slot.is_denied);
                    is_told && (slot.is_same(value) || slot.is_bare_same(value))
                };
                let mut said = frame.slots.iter().filter(is_said);
                !says_new
                    && !self.names_another(old, by, around)
                    && said.any(|slot| {
                        let is_loose =
                            value.is_bare() || value.is_weekday() || value.is_day_alone() || slot.is_day_alone();
                        let least = if is_loose { WORDS_MIN } else { PAIR_MIN };
                        // Many things are on the 18th, or at three.
                        let is_other = || is_loose && self.are_apart((old, &slot.own), (by, around));
                        alike(&slot.own, &[]) >= least && !is_other()
                    })
            }
            Side::Words(words) => {
                let holds = |stems: &[u32], words: &[u32]| words.iter().all(|word| stems.contains(word));
                let says_new =
                    matches!(&pair.new, Some(Side::Words(new)) if !new.is_empty() && holds(&earlier.stems, new));
                // Who has the old as what was before tells of the same change.
                let tells = frame
                    .pairs
                    .iter()
                    .any(|own| matches!(&own.old, Side::Words(old) if old.iter().any(|word| words.contains(word))));
                let is_placed = |filler: &&Filler| filler.way != Way::Object || !later.is_code;
                let said = |filler: &&Filler| holds(&filler.stems, words) && !filler.is_denied;
                let mut placed = frame.fillers.iter().filter(is_placed).filter(said);
                let is_renamed = self.frame(by).renames
                    && frame.fillers.iter().any(|filler| filler.way == Way::Named && holds(&filler.stems, words));
                if is_renamed && !says_new && !tells {
                    return true;
                }
                // `Breadbot was renamed, and the customers were told` says nothing of what it does for customers.
                if self.frame(by).renames && pair.is_strict {
                    return false;
                }
                let is_said = match pair.is_strict || later.is_code {
                    true if earlier.has(Cue::Views) || earlier.has(Cue::Unsure) => false,
                    true => placed.any(|filler| self.shares(&filler.own, around, old)),
                    false => holds(&earlier.stems, words) && earlier.tokens.len() <= 2 * STATE_WORDS_MAX,
                };
                let rest: Vec<u32> = earlier.stems.iter().copied().filter(|stem| !words.contains(stem)).collect();
                if self.is_of_kind(old, by) {
                    return false;
                }
                let is_it = || is_said && alike(&rest, words) >= WORDS_MIN || self.is_swapped(old, pair, by);
                !says_new && !tells && is_it()
            }
        }
    }

    /// Whether a statement says the new side of a pair too: then what answers it only says the same again.
    pub(super) fn announces(&self, said: usize, pair: &Pair) -> bool {
        let says = |at: usize| match &pair.new {
            Some(Side::Value(new)) => {
                self.frame(at).slots.iter().any(|slot| slot.is_same(new) && !slot.is_old && !slot.is_denied)
            }
            Some(Side::Words(new)) => new.iter().any(|stem| self.unit(at).stems.contains(stem)),
            // A name that nothing takes the place of is not replaced by what stands beside it.
            None => !pair.is_of_values(),
        };
        // Who tells of the same change says no longer what was.
        let is_old = |other: &Pair| match (&other.old, &pair.old) {
            (Side::Words(own), Side::Words(old)) => own.iter().any(|stem| old.contains(stem)),
            _ => false,
        };
        self.units_of(said).into_iter().any(|at| says(at) || self.frame(at).pairs.iter().any(is_old))
    }

    /// Whether the words of a clause, or what it leans on, are among others.
    fn shares(&self, own: &[u32], around: &[u32], at: usize) -> bool {
        own.iter().chain(self.near.context(at)).any(|stem| around.contains(stem))
    }
}

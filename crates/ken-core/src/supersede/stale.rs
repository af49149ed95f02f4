//! What was said again though it no longer held, and what stays as it was though a change was told.

use super::cues::{Cue, Found};
use super::slot::{Pair, Side, Slot};
use super::{CHANGE_MIN, Evidence, PAIR_MIN, Replaced, World};

impl World<'_> {
    /// A value that was replaced before it was said again does not hold again, unless something says so.
    pub(super) fn stale(&mut self) {
        let by_value = |one: &Replaced| matches!(one.evidence, Evidence::Pair | Evidence::Change);
        let old: Vec<(usize, Replaced)> = self
            .out
            .iter()
            .enumerate()
            .filter_map(|(n, one)| Some((n, (*one)?)))
            .filter(|(_, one)| by_value(one))
            .collect();
        for (said, replaced) in old {
            let by = self.units_of(replaced.by);
            for first in self.units_of(said) {
                let slots = self.frame(first).slots.iter();
                let gone: Vec<Slot> =
                    slots.filter(|slot| slot.is_value() && self.is_gone(slot, &by)).cloned().collect();
                if gone.is_empty() {
                    continue;
                }
                let mut like = self.near.like(self.unit(first), first, 0..self.shared.len(), &mut self.shared);
                let is_said = |again: usize, is_back: bool| {
                    gone.iter().any(|slot| self.is_said_again(slot, first, (again, is_back)))
                };
                like.retain(|again| is_said(*again, self.takes_back(*again, replaced)));
                like.extend(gone.iter().flat_map(|slot| self.unnamed(slot)));
                like.retain(|again| self.says_nothing_new(*again, (said, replaced)));
                match like.iter().copied().find(|again| self.takes_back(*again, replaced)) {
                    Some(stays) => {
                        let by = self.unit(stays).said;
                        self.out[replaced.by] = Some(Replaced { by, evidence: Evidence::Change, from: None });
                        self.out[said] = None;
                    }
                    None => like.into_iter().for_each(|again| self.note_stale(again, replaced)),
                }
            }
        }
    }

    /// Whether a sentence may only say again what was replaced, and no change.
    fn says_nothing_new(&self, again: usize, (said, replaced): (usize, Replaced)) -> bool {
        let unit = self.unit(again);
        let is_change = |cue: Cue| matches!(cue, Cue::Change | Cue::Alters | Cue::Back | Cue::Again | Cue::Switch);
        let says_change = unit.cues.iter().any(|found| is_change(found.cue));
        let frame = self.frame(again);
        // `The loaf costs 6 euros, the bakers voted against 8`: whoever knows the other value does not say the old one by
        // mistake.
        let by = self.units_of(replaced.by);
        let is_new = |slot: &Slot| {
            let mut new = by.iter().flat_map(|by| &self.frame(*by).slots).filter(|new| !new.is_old && new.is_value());
            new.any(|new| slot.is_same(new) || new.is_bare_same(slot))
        };
        let knows = unit.said > replaced.by && frame.slots.iter().any(is_new);
        (!knows || self.takes_back(again, replaced))
            && unit.said != said
            && unit.said != replaced.by
            && self.out[unit.said].is_none()
            && !says_change
            && !frame.begins
            && frame.pairs.is_empty()
            && !unit.asks
    }

    /// Whether a sentence says, later and for sure, that something stays as it was: the change was taken back.
    fn takes_back(&self, again: usize, replaced: Replaced) -> bool {
        let unit = self.unit(again);
        unit.said > replaced.by
            && unit.exchange != self.said[replaced.by].exchange
            // `We keep 85 euros, the 90 was only an idea` doubts the other value.
            && unit.all(Cue::Keeps).any(|keeps| !unit.is_doubtful_at(keeps.start))
            && self.said[unit.said].may_replace
            && self.out[replaced.by].is_none_or(|one| one.by == unit.said)
    }

    /// `The rent stays at 5` ends a change that was told before, also where nobody said what it was before that.
    pub(super) fn kept(&mut self, at: usize) {
        let unit = self.unit(at);
        // `It stays at 4 after all`, `Not raised: stays at 4`
        let clause = |at: usize| unit.tokens[at].clause;
        let is_denied = |found: &Found| {
            unit.all(Cue::Not).any(|not| not.end <= found.start && clause(not.start) == clause(found.start))
        };
        let denies = |found: &Found| {
            let is_not = matches!(found.cue, Cue::Ends | Cue::AndNot);
            is_not && unit.all(Cue::Alters).any(|alters| alters.start == found.end)
        };
        let changes =
            |found: &Found| found.cue.tells_change() && found.cue != Cue::Again && !is_denied(found) && !denies(found);
        if !unit.has(Cue::Keeps) || unit.is_new || unit.cues.iter().any(changes) {
            return;
        }
        for old in self.near.like(unit, at, 0..at, &mut self.shared) {
            let earlier = self.unit(old);
            let is_open = earlier.exchange != unit.exchange && self.out[earlier.said].is_none();
            let is_change = earlier.may_change() && !earlier.asks && !earlier.has(Cue::Keeps);
            if is_open && is_change && self.keeps_other(old, at) && !self.names_another(old, at, &unit.stems) {
                self.out[earlier.said] = Some(Replaced { by: unit.said, evidence: Evidence::Change, from: None });
            }
        }
    }

    /// Whether two sentences give another value of the same thing, and the later one none that the earlier one has.
    fn keeps_other(&self, old: usize, at: usize) -> bool {
        let (earlier, later) = (self.frame(old), self.frame(at));
        let is_same = |slot: &Slot| earlier.slots.iter().any(|other| other.is_same(slot));
        let is_other = |slot: &Slot, kept: &Slot| {
            slot.is_value() && !slot.is_old && kept.is_value() && kept.is_comparable(slot) && {
                let a = self.near.keys(self.unit(old), old, &slot.own, &[]);
                let b = self.near.keys(self.unit(at), at, &kept.own, &[]);
                // `The rye loaf stays at 6` says nothing of the others.
                let mut things = kept.own.iter().filter(|stem| self.is_thing(**stem));
                things.all(|stem| self.unit(old).stems.contains(stem))
                    && self.share_thing(&slot.own, &kept.own)
                    && self.near.similarity(&a, &b) >= CHANGE_MIN
            }
        };
        !later.slots.iter().any(is_same)
            && earlier.slots.iter().any(|slot| later.slots.iter().any(|kept| is_other(slot, kept)))
    }

    /// Notes that a sentence says again what does not hold; so it ended nothing by saying it.
    fn note_stale(&mut self, again: usize, replaced: Replaced) {
        let said = self.unit(again).said;
        let is_ended = |one: &Replaced| one.by == said && one.evidence == Evidence::Restated;
        self.out[replaced.by] = self.out[replaced.by].filter(|one| !is_ended(one));
        let evidence = if said > replaced.by { Evidence::Stale } else { replaced.evidence };
        self.out[said] = Some(Replaced { evidence, ..replaced });
    }

    /// Whether a value has another in its place in some sentences, and does not stand there.
    fn is_gone(&self, slot: &Slot, by: &[usize]) -> bool {
        let frames = || by.iter().map(|by| self.frame(*by));
        let was = |pair: &Pair| matches!(&pair.old, Side::Value(value) if value.is_same(slot));
        let is_other =
            |new: &Slot| new.is_comparable(slot) && !new.is_same(slot) && self.share_thing(&new.own, &slot.own);
        let mut slots = frames().flat_map(|frame| &frame.slots).filter(|new| !new.is_old);
        let is_same = slots.any(|new| new.is_same(slot));
        let mut slots = frames().flat_map(|frame| &frame.slots).filter(|new| !new.is_old);
        !is_same && (frames().any(|frame| frame.pairs.iter().any(was)) || slots.any(is_other))
    }

    /// Whether a sentence says a value of another, of the same thing. That it takes a change back needs fewer words: `the
    /// rent stays at 5`.
    fn is_said_again(&self, slot: &Slot, first: usize, (again, is_back): (usize, bool)) -> bool {
        let least = if is_back { PAIR_MIN } else { CHANGE_MIN };
        let of_no_period = Slot { period: None, ..slot.clone() };
        let is_of = |other: &&Slot| {
            (other.is_same(slot) || is_back && other.is_same(&of_no_period))
                && !other.is_old
                && !other.is_time
                && self.share_thing(&other.own, &slot.own)
                && {
                    let a = self.near.keys(self.unit(first), first, &slot.own, &[]);
                    let b = self.near.keys(self.unit(again), again, &other.own, &[]);
                    self.near.similarity(&a, &b) >= least
                }
        };
        !self.names_another(first, again, &slot.own) && self.frame(again).slots.iter().any(|other| is_of(&other))
    }

    /// The sentences that say an amount for a time again and not of what: `The price stays at 4 euros a month`; none where
    /// something else than the thing that it belongs to is said to have it.
    fn unnamed(&self, slot: &Slot) -> Vec<usize> {
        let number = slot.said.split(' ').next().unwrap_or_default();
        if slot.period.is_none() || number.is_empty() {
            return Vec::new();
        }
        let says = |at: &usize| {
            let says_it = |one: &&Slot| one.is_same(slot) && !one.is_old;
            self.unit(*at).text.contains(number).then(|| self.frame(*at).slots.iter().find(says_it)).flatten()
        };
        let said: Vec<(usize, &Slot)> = (0..self.shared.len()).filter_map(|at| Some((at, says(&at)?))).collect();
        let names_none = |one: &Slot| !one.own.is_empty() && !one.own.iter().any(|stem| self.is_thing(*stem));
        match said.iter().all(|(_, one)| names_none(one) || self.share_thing(&one.own, &slot.own)) {
            true => said.into_iter().filter(|(_, one)| names_none(one)).map(|(at, _)| at).collect(),
            false => Vec::new(),
        }
    }

    /// Whether a word says what something is about.
    pub(super) fn is_thing(&self, stem: u32) -> bool {
        !self.texts.is_weak[stem as usize] && !self.texts.is_measure[stem as usize]
    }
}

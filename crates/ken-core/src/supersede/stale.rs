//! What was said again though it no longer held, and what stays as it was though a change was told.

use super::cues::Cue;
use super::slot::{Pair, Side, Slot};
use super::{CHANGE_MIN, Evidence, Replaced, World};

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
                like.retain(|again| self.says_nothing_new(*again, (said, replaced)));
                like.retain(|again| gone.iter().any(|slot| self.is_said_again(slot, first, *again)));
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
        unit.said != said
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
            && unit.has(Cue::Keeps)
            && self.said[unit.said].may_replace
            && !unit.is_unsure()
            && self.out[replaced.by].is_none_or(|one| one.by == unit.said)
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

    /// Whether a sentence says a value of another, of the same thing.
    fn is_said_again(&self, slot: &Slot, first: usize, again: usize) -> bool {
        let is_of = |other: &&Slot| {
            other.is_same(slot) && !other.is_old && !other.is_time && self.share_thing(&other.own, &slot.own) && {
                let a = self.near.keys(self.unit(first), first, &slot.own, &[]);
                let b = self.near.keys(self.unit(again), again, &other.own, &[]);
                self.near.similarity(&a, &b) >= CHANGE_MIN
            }
        };
        !self.names_another(first, again, &slot.own) && self.frame(again).slots.iter().any(|other| is_of(&other))
    }
}

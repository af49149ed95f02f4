//! What a later sentence says without a word of change, in the words of an earlier one and with another value.
//!
//! A value that differs replaces nothing by itself: most are of something else, or of another day. It counts only where a
//! sentence says what is so, of the same thing in the same words, and of a sort of which a thing has one: what it costs,
//! when it begins, how long it lasts, in which version it runs.

use super::cues::Cue;
use super::slot::{DAYS, DIALLED, NAMED, RANGE, Slot};
use super::unit::{Token, Unit};
use super::{Candidate, World, are_many, begins, noted};
use crate::ground::Sort;

/// Least similarity of what both values belong to.
const RESTATED_MIN: f32 = 0.55;
/// Most words of a sentence that says what is so.
const WORDS_MAX: usize = 24;

impl World<'_> {
    /// Whether a sentence may say another value of what an earlier one told.
    pub(super) fn may_restate(&self, at: usize) -> bool {
        let unit = self.unit(at);
        self.is_plain(unit) && self.frame(at).slots.iter().any(|slot| self.has_one(unit, slot))
    }

    /// Whether a sentence with a number says what is so, and little else.
    fn is_plain(&self, unit: &Unit<'_>) -> bool {
        let is_number = |token: &Token| {
            let word = self.texts.word(*token);
            word.is_number || word.folded.bytes().any(|byte| byte.is_ascii_digit())
        };
        unit.tokens.len() <= WORDS_MAX && !unit.is_code && is_of_now(unit) && unit.tokens.iter().any(is_number)
    }

    /// Notes of each statement the last one that says another value in the same words, where neither was replaced. That
    /// replaces nothing: a thing may be measured twice.
    pub(super) fn said_otherwise(&mut self, later: &mut [Option<usize>]) {
        for at in 0..self.shared.len() {
            let unit = self.unit(at);
            let said = &self.said[unit.said];
            let is_coming = begins(unit).zip(unit.day).is_some_and(|(from, day)| from > day);
            let holds = said.may_replace && !said.is_action && self.out[unit.said].is_none();
            if !holds || unit.is_unsure() || unit.is_doubtful() || is_coming || !self.is_plain(unit) {
                continue;
            }
            let like = self.near.like(unit, at, 0..at, &mut self.shared);
            let is_before = |old: &usize| {
                let earlier = self.unit(*old);
                earlier.exchange != unit.exchange
                    && earlier.day < unit.day
                    && !earlier.asks
                    && self.out[earlier.said].is_none()
            };
            let before: Vec<usize> = like.into_iter().filter(is_before).collect();
            let other = |old: &usize| self.restated_by(*old, at, Slot::is_value);
            let found: Vec<Candidate> = before.iter().flat_map(other).collect();
            if are_many(&found) {
                continue;
            }
            // What was said first may be what is said last.
            let again = before.iter().filter(|old| self.says_again(**old, at));
            again.for_each(|old| later[self.unit(*old).said] = None);
            found.iter().for_each(|one| later[self.unit(one.old).said] = Some(unit.said));
        }
    }

    /// Whether a sentence says a value of an earlier one of the same thing.
    fn says_again(&self, old: usize, by: usize) -> bool {
        let (before, after) = (&self.frame(old).slots, &self.frame(by).slots);
        let same = |new: &Slot| {
            before.iter().any(|slot| {
                slot.is_value() && slot.is_same(new) && self.restated_alike((old, slot), (by, new)) >= RESTATED_MIN
            })
        };
        after.iter().any(same)
    }

    /// The values of a sentence that differ from those of an earlier one of the same thing, and are of a sort of which it has
    /// one.
    pub(super) fn restated(&self, old: usize, by: usize) -> Vec<Candidate> {
        self.restated_by(old, by, |_| false)
    }

    /// The same, also of values that `may_be` says so of.
    fn restated_by(&self, old: usize, by: usize, may_be: impl Fn(&Slot) -> bool) -> Vec<Candidate> {
        let (earlier, later) = (self.unit(old), self.unit(by));
        if !self.is_plain(earlier) {
            return Vec::new();
        }
        let (before, after) = (self.frame(old), self.frame(by));
        if earlier.is_unsure() || self.are_other(before, after, &[]) {
            return Vec::new();
        }
        let is_held = |slot: &Slot| !slot.is_denied && !slot.is_listed && !slot.is_old;
        let is_told = |unit: &Unit<'_>, slot: &Slot| self.has_one(unit, slot) || is_held(slot) && may_be(slot);
        // `Interval 20 minutes` says of what it is without a verb.
        let is_note = noted::is_note(self.texts, old);
        let is_amount = |slot: &Slot| matches!(slot.sort, Sort::Money | Sort::Length | Sort::Percent);
        let was_told =
            |slot: &Slot| is_told(earlier, slot) || is_note && is_amount(slot) && slot.is_value() && !slot.is_listed;
        let one = |(n, new): (usize, &Slot)| {
            let is_same = |slot: &&Slot| slot.is_comparable(new) && !slot.is_old && !slot.is_denied;
            let mut others = before.slots.iter().filter(is_same).peekable();
            others.peek()?;
            if others.clone().any(|slot| slot.is_same(new)) {
                return None;
            }
            let holds = |slot: &&Slot| after.slots.iter().any(|known| known.is_same(slot));
            let alike = others.filter(|slot| was_told(slot) && !holds(slot));
            let alike = alike.map(|slot| self.restated_alike((old, slot), (by, new))).fold(0.0, f32::max);
            (alike >= RESTATED_MIN).then_some(Candidate { old, value: n, alike })
        };
        let new = after.slots.iter().enumerate().filter(|(_, slot)| is_told(later, slot));
        let new =
            new.filter(|(_, slot)| after.pairs.iter().any(|pair| pair.has(slot)) || !self.is_beside_pair(by, slot));
        new.filter_map(one).collect()
    }

    /// Whether a value is of a sort of which a thing has one.
    pub(super) fn has_one(&self, unit: &Unit<'_>, slot: &Slot) -> bool {
        let is_said = slot.is_value() && !slot.is_denied && !slot.is_listed && !slot.is_old;
        let measures = || {
            let clause = slot.own.iter().any(|stem| self.texts.is_measure[*stem as usize]);
            clause || unit.has(Cue::Is) || unit.has(Cue::Owns) || slot.is_amount
        };
        is_said
            && match &slot.sort {
                Sort::Money => slot.period.is_some() || measures(),
                Sort::Time | Sort::Length | Sort::Percent => measures(),
                Sort::Version => true,
                Sort::Count(unit) if unit == DIALLED => measures(),
                Sort::Count(unit) => {
                    unit == RANGE || unit == DAYS || unit.starts_with(NAMED) && slot.said.contains('.')
                }
                Sort::Date | Sort::Name => false,
            }
            || is_said && matches!(slot.sort, Sort::Count(_) | Sort::Length) && !slot.is_bare() && unit.has(Cue::Bounds)
    }

    /// How alike what two values belong to is; 0 where one is told of by something that the other is not.
    fn restated_alike(&self, (old, slot): (usize, &Slot), (by, new): (usize, &Slot)) -> f32 {
        let (earlier, later) = (self.unit(old), self.unit(by));
        let is_strong = |stem: &&u32| self.is_thing(**stem);
        // What is counted says of what, too: `at most 8 tickets`.
        let is_counted = slot.noun.is_some() && slot.noun == new.noun;
        let n_shared = slot.own.iter().filter(|stem| later.stems.contains(stem)).filter(is_strong).count();
        let n_shared = n_shared + usize::from(n_shared > 0 && is_counted);
        // `Readings are deleted 24 months after the last login` says nothing of how long a login lasts.
        let is_same = n_shared > 1 || n_shared == 1 && self.subject_of(old, slot) == self.subject_of(by, new);
        if !is_same || self.are_apart((old, &slot.own), (by, &new.own)) {
            return 0.0;
        }
        let things = |own: &[u32]| own.iter().copied().filter(|stem| is_strong(&stem)).collect::<Vec<u32>>();
        let (a, b) = (things(&slot.own), things(&new.own));
        let (few, many, around) = if a.len() <= b.len() { (&a, &b, later) } else { (&b, &a, earlier) };
        if !few.iter().all(|stem| many.contains(stem) || around.stems.contains(stem)) {
            return 0.0;
        }
        let keys = |unit: &Unit<'_>, own: &[u32]| self.near.keys_alone(unit, own, &[]);
        self.near
            .similarity(&keys(earlier, &slot.own), &keys(later, &new.own))
            .max(self.alike_in_clause((old, &slot.own), (by, &new.own)))
    }

    /// The first word that tells in the clause of a value.
    fn subject_of(&self, at: usize, slot: &Slot) -> Option<u32> {
        let stems = self.unit(at).tokens.iter().map(|token| self.texts.word(*token).stem);
        stems.into_iter().find(|stem| slot.own.contains(stem))
    }
}

/// Whether a sentence says what is so, not what was, or was on a day.
fn is_of_now(unit: &Unit<'_>) -> bool {
    let is_of_day =
        [Cue::When, Cue::Formerly, Cue::Condition, Cue::Also, Cue::Once].into_iter().any(|cue| unit.has(cue));
    !is_of_day && !unit.asks
}

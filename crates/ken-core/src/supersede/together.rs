//! What the sentences of an exchange say together: of what they speak, that it changed, and to which value.
//!
//! Who tells of a change names the thing, then the value, then why; who answers says all of it again in other words:
//! `Ovens. Three from tonight, not two.`, `The night shift bakes with three ovens, where it was two.` Each sentence alone
//! says too little to be compared with an earlier one.

use std::collections::BTreeSet;

use super::cues::Cue;
use super::slot::Slot;
use super::{Evidence, RUNNER_UP, World};
use crate::ground::Sort;

/// How many sentences apart two may stand that say the same value of one thing without sharing a word.
const APART_MAX: usize = 4;
/// Most words of a sentence that only names what the next ones are about: `Ovens.`
const TOPIC_WORDS_MAX: usize = 3;
/// What a word counts that every text uses.
const WEAK: f32 = 0.4;
/// Least similarity of what two values are of, and how many words both share; and the same where the later exchange names
/// the former value, too.
const ALIKE_MIN: f32 = 0.5;
const THINGS_MIN: usize = 2;
const NAMED_ALIKE_MIN: f32 = 0.3;
/// The same where they share only words that every text uses.
const WEAK_ALIKE_MIN: f32 = 0.7;
/// So many values that hold, each of its own, are of several things.
const HELD_MAX: usize = 2;

/// A value as the sentences of one exchange tell it.
struct Told {
    exchange: usize,
    /// Where it stands: the sentence, and the value there.
    places: Vec<(usize, usize)>,
    /// The words that say of what it is the value.
    things: BTreeSet<u32>,
    changes: bool,
}

impl World<'_> {
    /// Takes what several sentences of an exchange say in the place of what those of an earlier one said.
    pub(super) fn together(&mut self) {
        let told = self.told_together();
        for new in told.iter().filter(|new| new.changes) {
            let alike = |old: &Told| self.is_same_thing(old, new, &told);
            // What one sentence says of another is judged by these alone.
            let several = |old: &&Told| old.places.len() + new.places.len() > 2;
            let found: Vec<(&Told, f32)> =
                told.iter().filter(several).filter_map(|old| Some((old, alike(old)?))).collect();
            let best = found.iter().map(|(_, alike)| *alike).fold(0.0, f32::max);
            let found: Vec<&Told> =
                found.into_iter().filter(|(_, alike)| *alike >= RUNNER_UP * best).map(|(old, _)| old).collect();
            let holds = |old: &&&Told| old.places.iter().any(|(at, _)| self.out[self.unit(*at).said].is_none());
            if found.iter().filter(holds).count() > HELD_MAX {
                continue;
            }
            let by = self.clearest(new);
            // What was taken back took nobody's place.
            if self.out[self.unit(by).said].is_some_and(|one| one.evidence == Evidence::End) {
                continue;
            }
            let old: Vec<usize> = found.iter().flat_map(|old| old.places.iter().map(|(at, _)| *at)).collect();
            old.into_iter().for_each(|old| self.replace(old, by, Evidence::Change));
        }
    }

    /// The values of all sentences, those of one exchange that are the same as one.
    fn told_together(&self) -> Vec<Told> {
        let mut out: Vec<Told> = Vec::new();
        for at in 0..self.shared.len() {
            let unit = self.unit(at);
            let is_beside = [Cue::Also, Cue::When, Cue::Views, Cue::Condition].into_iter().any(|cue| unit.has(cue));
            if unit.asks || unit.is_unsure() || unit.is_code || is_beside || self.said[unit.said].is_action {
                continue;
            }
            let slots = &self.frame(at).slots;
            let tells = |slot: &Slot| {
                (slot.is_value() || slot.is_bare() && !slot.is_time)
                    && !slot.is_denied
                    && !slot.is_old
                    && !slot.is_listed
                    && !self.is_of_past(at, slot)
                    // `One garden` is any.
                    && !(matches!(slot.sort, Sort::Count(_)) && slot.readings == ["1"])
                    && (slot.changes || !self.texts.is_event(unit, slot.start))
            };
            for (n, slot) in slots.iter().enumerate().filter(|(_, slot)| tells(slot)) {
                let things = self.things_of(at, slot);
                let changes = self.said[unit.said].may_replace && self.changes_there(at, slot);
                let is_it = |one: &&mut Told| {
                    let (last, last_slot) = one.places[one.places.len() - 1];
                    one.exchange == unit.exchange
                        && are_same(slot, &self.frame(last).slots[last_slot])
                        && self.may_be_one(one, (at, &things))
                };
                match out.iter_mut().rev().take(32).find(is_it) {
                    Some(one) => {
                        one.places.push((at, n));
                        one.things.extend(things);
                        one.changes |= changes;
                    }
                    None => out.push(Told { exchange: unit.exchange, places: vec![(at, n)], things, changes }),
                }
            }
        }
        out
    }

    /// Whether what a value is of may be the same as what is told already: it shares a word and no other word tells them
    /// apart, or stands near and says of nothing what it is.
    fn may_be_one(&self, told: &Told, (at, things): (usize, &BTreeSet<u32>)) -> bool {
        let is_strong = |stem: &&u32| !self.texts.is_weak[**stem as usize];
        let shared: Vec<u32> = told.things.intersection(things).copied().collect();
        if shared.iter().any(|stem| is_strong(&stem)) {
            return !told.places.iter().any(|(of, _)| self.names_another(*of, at, &shared));
        }
        let is_thin = |things: &BTreeSet<u32>| !things.iter().any(|stem| is_strong(&stem));
        at - told.places[told.places.len() - 1].0 <= APART_MAX && (is_thin(things) || is_thin(&told.things))
    }

    /// Whether a value stands behind what says that it was so.
    fn is_of_past(&self, at: usize, slot: &Slot) -> bool {
        let unit = self.unit(at);
        let clause = |at: usize| unit.tokens[at].clause;
        unit.all(Cue::Formerly).any(|was| was.end <= slot.start && clause(was.start) == clause(slot.start))
    }

    /// The words that say of what a value is: those of its clause, and of the short sentence that the ones around it are
    /// about.
    fn things_of(&self, at: usize, slot: &Slot) -> BTreeSet<u32> {
        let unit = self.unit(at);
        let own = slot.owns().flatten().chain(self.counted_by(at, slot));
        let named = self.units_of_exchange(at).find(|before| {
            let topic = self.unit(*before);
            topic.turn == unit.turn && topic.tokens.len() <= TOPIC_WORDS_MAX && self.frame(*before).slots.is_empty()
        });
        let topic = named.into_iter().flat_map(|at| self.unit(at).stems.iter().copied());
        let is_clock = |stem: &u32| {
            let clock = unit.all(Cue::ClockBehind).flat_map(|found| &unit.tokens[found.start..found.end]);
            clock.into_iter().any(|token| self.texts.word(*token).stem == *stem)
        };
        own.chain(topic).filter(|stem| !is_clock(stem)).collect()
    }

    /// The words right behind an amount: `blood culture bottles` of `200 blood culture bottles`.
    fn counted_by(&self, at: usize, slot: &Slot) -> Vec<u32> {
        let tokens = &self.unit(at).tokens;
        let behind = tokens[slot.end..].iter().take_while(|token| token.part == tokens[slot.start].part);
        let words = behind.map(|token| self.texts.word(*token)).take_while(|word| word.is_content);
        match slot.sort {
            Sort::Count(_) => words.map(|word| word.stem).collect(),
            _ => Vec::new(),
        }
    }

    /// The sentences before one in its exchange, the nearest first, and itself.
    fn units_of_exchange(&self, at: usize) -> impl Iterator<Item = usize> {
        let exchange = self.unit(at).exchange;
        (0..=at).rev().take_while(move |before| self.unit(*before).exchange == exchange).take(APART_MAX + 1)
    }

    /// Whether a sentence, or one right beside it in its statement, says that a value changed.
    fn changes_there(&self, at: usize, slot: &Slot) -> bool {
        let unit = self.unit(at);
        if slot.changes {
            return true;
        }
        let beside = [at.checked_sub(1), Some(at), Some(at + 1)].into_iter().flatten();
        let mut beside = beside.filter(|beside| *beside < self.shared.len() && self.unit(*beside).turn == unit.turn);
        let is_kept = unit.has(Cue::Keeps) && !unit.has(Cue::Change);
        !is_kept && beside.any(|beside| self.says_no_other(beside, slot))
    }

    /// Whether a sentence says that something changed, and gives no other value of the same sort, but what was before.
    fn says_no_other(&self, at: usize, slot: &Slot) -> bool {
        let unit = self.unit(at);
        let is_other =
            |other: &Slot| other.is_comparable(slot) && !are_same(other, slot) && !other.is_old && !other.is_denied;
        unit.may_change() && !unit.asks && !unit.is_unsure() && !self.frame(at).slots.iter().any(is_other)
    }

    /// Whether an exchange says near a value that another one is no longer so.
    fn names_former(&self, new: &Told, old: &Slot) -> bool {
        let (first, last) = (new.places[0].0, new.places[new.places.len() - 1].0);
        let from = self.units_of_exchange(first).last().unwrap_or(first);
        let to = (last..self.shared.len()).take(3).take_while(|at| self.unit(*at).exchange == new.exchange).last();
        (from..=to.unwrap_or(last)).any(|at| {
            let unit = self.unit(at);
            let is_gone = |slot: &Slot| {
                let was = unit.all(Cue::Formerly).any(|was| was.end <= slot.start && slot.start <= was.end + 1);
                slot.is_old || slot.is_denied || was
            };
            !unit.asks && self.frame(at).slots.iter().any(|slot| is_gone(slot) && are_same(slot, old))
        })
    }

    /// How alike what two values are of is, where the later one may take the place of the other.
    fn is_same_thing(&self, old: &Told, new: &Told, all: &[Told]) -> Option<f32> {
        let first = |one: &Told| one.places[0].0;
        if old.exchange == new.exchange
            || first(old) >= first(new)
            || self.unit(first(old)).day > self.unit(first(new)).day
        {
            return None;
        }
        let slot = |place: &(usize, usize)| &self.frame(place.0).slots[place.1];
        let pairs = || old.places.iter().flat_map(|a| new.places.iter().map(move |b| (a, b)));
        let are_days = |(a, b): (&(usize, usize), &(usize, usize))| slot(a).is_day_alone() && slot(b).is_day_alone();
        if pairs().any(|(a, b)| are_same(slot(a), slot(b))) || pairs().all(are_days) {
            return None;
        }
        let weight = |stem: &u32| {
            let weight = self.near.weight(*stem);
            if self.texts.is_weak[*stem as usize] { WEAK * weight } else { weight }
        };
        let sum = |things: &BTreeSet<u32>| things.iter().map(weight).sum::<f32>();
        let both: Vec<u32> = old.things.intersection(&new.things).copied().collect();
        let shared: f32 = both.iter().map(weight).sum();
        let alike = shared / (sum(&old.things) * sum(&new.things)).sqrt().max(f32::EPSILON);
        let is_named = old.places.iter().any(|place| self.names_former(new, slot(place)));
        let is_strong = |stem: &u32| !self.texts.is_weak[*stem as usize];
        let counts_alike = pairs().any(|(a, b)| {
            let noun = |place: &(usize, usize)| self.counted_by(place.0, slot(place)).last().copied();
            noun(a).is_some() && noun(a) == noun(b)
        });
        let n_strong = both.iter().filter(|stem| is_strong(stem)).count();
        let are_bare = pairs().all(|(a, b)| slot(a).is_bare() && slot(b).is_bare());
        let is_enough = match () {
            () if is_named => alike >= NAMED_ALIKE_MIN && (n_strong > 0 || both.len() >= THINGS_MIN),
            () if are_bare => alike >= ALIKE_MIN && n_strong >= THINGS_MIN,
            () if n_strong == 0 => alike >= WEAK_ALIKE_MIN && both.len() >= THINGS_MIN && counts_alike,
            () => alike >= ALIKE_MIN && both.len() >= THINGS_MIN,
        };
        if !is_enough {
            return None;
        }
        let may_stand = |(a, b): (&(usize, usize), &(usize, usize))| {
            self.are_of_sort(*a, *b)
                && !self.are_other(self.frame(a.0), self.frame(b.0), &[])
                && !self.are_apart((a.0, &slot(a).own), (b.0, &slot(b).own))
                && !self.names_another(a.0, b.0, &both)
        };
        if !pairs().any(may_stand) {
            return None;
        }
        // Whoever says the former value, too, as what holds, speaks of another thing.
        let is_said = |one: &Told| {
            one.exchange == new.exchange
                && one.places.iter().any(|a| old.places.iter().any(|b| are_same(slot(a), slot(b))))
        };
        (is_named || !all.iter().any(is_said)).then_some(alike + if is_named { 1.0 } else { 0.0 })
    }

    /// Whether two values are of one sort: of one unit, or of the same things, which one of them need not name.
    fn are_of_sort(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        let slot = |place: (usize, usize)| &self.frame(place.0).slots[place.1];
        let (one, other) = (slot(a), slot(b));
        let counted = |place: (usize, usize)| self.counted_by(place.0, slot(place));
        let is_of = |bare: &Slot, counted: &[u32]| counted.last().is_some_and(|noun| bare.own.contains(noun));
        let is_counted = |slot: &Slot| matches!(&slot.sort, Sort::Count(unit) if !unit.starts_with('\u{1}'));
        if !is_counted(one) || !is_counted(other) || one.period != other.period {
            return one.is_value() && other.is_value() && one.is_comparable(other);
        }
        match (one.is_bare(), other.is_bare()) {
            (true, true) => one.is_value() && other.is_value(),
            (true, false) => one.is_value() && is_of(one, &counted(b)),
            (false, true) => other.is_value() && is_of(other, &counted(a)),
            (false, false) => {
                let (a, b) = (counted(a), counted(b));
                one.is_comparable(other) && (a.is_empty() || b.is_empty() || a.last() == b.last())
                    || a.last().is_some_and(|noun| b.contains(noun))
                    || b.last().is_some_and(|noun| a.contains(noun))
            }
        }
    }

    /// The sentence that says most of what several say together.
    fn clearest(&self, told: &Told) -> usize {
        let weight = |at: usize| {
            let unit = self.unit(at);
            let things = self.near.sum(unit.stems.iter().copied().filter(|stem| told.things.contains(stem)));
            things * if unit.may_change() { 2.0 } else { 1.0 }
        };
        let places = told.places.iter().map(|(at, _)| *at);
        places.max_by(|a, b| weight(*a).total_cmp(&weight(*b)).then(b.cmp(a))).expect("a told value stands somewhere")
    }
}

/// Whether two values are the same, one of them perhaps without its unit.
fn are_same(a: &Slot, b: &Slot) -> bool {
    a.is_same(b) || a.is_bare_same(b) || b.is_bare_same(a)
}

//! What a later sentence with a word of change, or about what is gone, has in the place of what an earlier one says.

use super::cues::{Cue, Found};
use super::slot::{Filler, Frame, Pair, Side, Slot, Way};
use super::unit::{Unit, is_covered};
use super::word::says_newer;
use super::{CHANGE_MIN, CLAUSE_MIN, Candidate, SHARED_MIN, STATE_WORDS_MAX, World};

/// What the likeness of two clauses counts of words, which differ for many reasons.
const CLAUSE_SHARE: f32 = 0.85;
/// Least similarity where a name is another, which differ for many reasons.
const NAME_MIN: f32 = 0.6;
/// The same where the value is a word, said in the same way.
const FILLER_MIN: f32 = 0.45;
/// The same where only words that every text uses are shared, or stand for each other.
const VAGUE_MIN: f32 = 0.7;
const LITTLE_MIN: f32 = 0.55;
/// The same where only a verb of change stands before the new word.
const ANY_MIN: f32 = 0.5;
/// How much more alike two sentences are if the later one names the old word too.
const NAMED_MORE: f32 = 0.12;

/// Whether somebody is named whom a later statement says to be gone.
fn others_gone(frame: &Frame, gone: &[u32]) -> bool {
    frame.fillers.iter().any(|filler| filler.is_name && filler.stems.iter().all(|stem| gone.contains(stem)))
}

/// Whether two names do or are the same, in the same words: `Ada reviews the recipes`, `Ben reviews the recipes`.
fn are_doers(a: &Filler, b: &Filler) -> bool {
    a.is_name && b.is_name && a.start == 0 && b.start == 0 && a.own == b.own && !a.own.is_empty()
}

impl World<'_> {
    /// The values of a sentence that stand in the place of those of an earlier one.
    pub(super) fn changed(&self, old: usize, by: usize) -> Vec<Candidate> {
        let mut out = self.changed_values(old, by);
        out.extend(self.changed_name(old, by));
        out.extend(self.changed_words(old, by));
        out
    }

    /// The values that are typed.
    fn changed_values(&self, old: usize, by: usize) -> Vec<Candidate> {
        let (before, after) = (self.frame(old), self.frame(by));
        let says = |slot: &Slot| before.slots.iter().any(|known| known.is_same(slot));
        let holds = |slot: &Slot| after.slots.iter().any(|known| known.is_same(slot) && !known.is_denied);
        let later = self.unit(by);
        // `The new baker takes 5` says of nothing that it was raised.
        let moves = |slot: &Slot| {
            let tells = |found: &&Found| matches!(found.cue, Cue::Change | Cue::Switch | Cue::Alters);
            later.cues.iter().filter(tells).any(|found| {
                let word = &self.texts.word(later.tokens[found.start]).lower;
                later.tokens[found.start].clause == later.tokens[slot.start].clause && !says_newer(later.language, word)
            })
        };
        // A weekday alone mostly says when: `The release is on Monday now` is a value.
        let may_be = |slot: &Slot| slot.is_value() || slot.is_weekday() && slot.is_placed && !slot.is_time;
        let is_new = |slot: &&Slot| {
            (slot.is_value() || may_be(slot) && later.has(Cue::Change) && moves(slot))
                && slot.changes
                && !slot.is_denied
                && !slot.is_listed
                && !self.is_beside_pair(by, slot)
        };
        if self.are_other(before, after, &[]) {
            return Vec::new();
        }
        let new = after.slots.iter().enumerate().filter(|(_, slot)| is_new(slot) && !says(slot));
        let candidate = |(n, new): (usize, &Slot)| {
            let others = before.slots.iter().filter(|slot| {
                may_be(slot)
                    && !slot.is_old
                    && !slot.is_denied
                    && !slot.is_listed
                    && (slot.is_comparable(new) || new.may_follow(slot) && moves(new))
            });
            let others = others.filter(|slot| !holds(slot) && (!slot.is_day_alone() || !new.is_day_alone()));
            let alike = others.map(|slot| self.values_alike(slot, new, old, by)).fold(0.0, f32::max);
            let least = if new.is_value() { CHANGE_MIN } else { CLAUSE_MIN };
            (alike >= least).then_some(Candidate { old, value: n, alike })
        };
        new.filter_map(candidate).collect()
    }

    /// Whether what changed is another value of its clause: `lowered the time of one order from 60 to 4 ms`.
    pub(super) fn is_beside_pair(&self, at: usize, slot: &Slot) -> bool {
        self.changes_beside(at, slot.start)
    }

    /// Whether the clause of a word names a value and what that was before.
    fn changes_beside(&self, at: usize, word: usize) -> bool {
        let clause = |word: usize| self.unit(at).tokens[word].clause;
        let mut values = self.frame(at).pairs.iter().flat_map(Pair::values);
        values.any(|value| clause(value.start) == clause(word))
    }

    /// How alike what two values belong to is; 0 where it is not the same thing.
    fn values_alike(&self, slot: &Slot, new: &Slot, old: usize, by: usize) -> f32 {
        let (earlier, later) = (self.unit(old), self.unit(by));
        let alike = |a: &[u32], b: &[u32]| {
            self.near.similarity(&self.near.keys(earlier, old, a, &[]), &self.near.keys(later, by, b, &[]))
        };
        // `One approval is enough`: what is counted says of what.
        if let Some(noun) = slot.noun
            && new.noun == Some(noun)
            && new.own.is_empty()
            && later.has(Cue::Enough)
        {
            let own: Vec<u32> = slot.own.iter().copied().chain([noun]).collect();
            return alike(&own, &[noun]);
        }
        // `We have 63 members now`: that there are so many is all that either says of them.
        if let Some(noun) = slot.noun
            && new.noun == Some(noun)
            && slot.own.is_empty()
            && new.own.is_empty()
        {
            return alike(&[noun], &[noun]);
        }
        let leaning = self.leaning_alike((old, slot), (by, new));
        if leaning >= CHANGE_MIN {
            return leaning;
        }
        let told = |before: &[u32], after: &[u32]| {
            let is_thin = after.len() <= 1;
            let is_own = |stem: &u32| after.contains(stem) || is_thin && self.near.context(by).contains(stem);
            if !before.iter().any(is_own) || self.are_apart((old, before), (by, after)) {
                return 0.0;
            }
            alike(before, after).max(self.alike_in_clause((old, before), (by, after)))
        };
        let pairs = slot.owns().flat_map(|before| new.owns().map(move |after| (before.clone(), after)));
        pairs.map(|(before, after)| told(&before, &after)).fold(0.0, f32::max)
    }

    /// The same where one of them only points at what it is the value of: that is what was spoken of before.
    fn leaning_alike(&self, (old, slot): (usize, &Slot), (by, new): (usize, &Slot)) -> f32 {
        if !slot.leans && !new.leans {
            return 0.0;
        }
        let own = |at: usize, slot: &Slot| if slot.leans { self.near.topic(at).to_vec() } else { slot.own.clone() };
        let (before, after) = (own(old, slot), own(by, new));
        let is_strong = |stem: &u32| before.contains(stem) && !self.texts.is_weak[*stem as usize];
        if !after.iter().any(is_strong) || self.are_apart((old, &before), (by, &after)) {
            return 0.0;
        }
        let keys = |own: &[u32]| own.iter().map(|stem| (*stem, 1.0)).collect::<Vec<_>>();
        self.near.similarity(&keys(&before), &keys(&after))
    }

    /// A new name, which none that stands for it says.
    fn changed_name(&self, old: usize, by: usize) -> Option<Candidate> {
        let (earlier, later) = (self.unit(old), self.unit(by));
        let is_other =
            |filler: &&Filler| filler.way == Way::Named && !filler.stems.iter().all(|stem| later.stems.contains(stem));
        let named = self.frame(old).fillers.iter().filter(is_other).filter(|_| self.frame(by).renames);
        let alike = |filler: &Filler| {
            self.near.similarity(
                &self.near.keys(earlier, old, &filler.own, &filler.stems),
                &self.near.keys(later, by, &later.stems, &[]),
            )
        };
        let alike = named.map(alike).fold(0.0, f32::max);
        (alike >= CHANGE_MIN).then_some(Candidate { old, value: usize::MAX, alike })
    }

    /// Words and names.
    fn changed_words(&self, old: usize, by: usize) -> Vec<Candidate> {
        let (earlier, later) = (self.unit(old), self.unit(by));
        let (before, after) = (self.frame(old), self.frame(by));
        let n_slots = after.slots.len();
        // Of what is gone another word may stand in the place without a word of change.
        let gone = self.gone(by);
        let is_value_other = self.are_values_other(before, after) && !after.takes;
        // `From 19 March Ada leads the bakery` says so without a word of change.
        let begins = self.takes_up(later);
        let clause = |at: usize| later.tokens[at].clause;
        let is_kept = |filler: &Filler| later.all(Cue::Keeps).any(|keeps| clause(keeps.start) == clause(filler.start));
        let changes = |filler: &Filler| filler.changes || begins && filler.is_name && !is_kept(filler);
        let new = after.fillers.iter().enumerate();
        // A thing that gets another name is still what it was.
        let is_named = after.renames && !after.takes;
        let new = new.filter(|(_, filler)| !(filler.is_denied || filler.is_name && (is_value_other || is_named)));
        // `runs on wood instead of gas` says what it takes the place of, and that alone.
        let is_paired = |filler: &Filler| {
            after.pairs.iter().any(|pair| pair.is_between(&filler.stems)) || self.changes_beside(by, filler.start)
        };
        let new = new.filter(|(_, filler)| !is_paired(filler));
        let candidate = |(n, new): (usize, &Filler)| {
            let may_be = |filler: &&Filler| {
                changes(new) || !gone.is_empty() && filler.stems.iter().all(|stem| gone.contains(stem))
            };
            let others = before.fillers.iter().filter(may_be);
            let alike = others.map(|filler| self.alike(filler, new, old, by)).fold(0.0, f32::max);
            let does = || before.fillers.iter().any(|filler| may_be(&filler) && are_doers(filler, new));
            let owns = later.has(Cue::Owns) && (earlier.has(Cue::Owns) || others_gone(before, &gone));
            let is_task = after.takes || owns || does();
            let least = if new.is_name && !is_task { NAME_MIN } else { FILLER_MIN };
            (alike >= least).then_some(Candidate { old, value: n_slots + n, alike })
        };
        new.filter_map(candidate).collect()
    }

    /// The words of what a sentence, or the one before it in its statement, says to be gone.
    pub(super) fn gone(&self, at: usize) -> Vec<u32> {
        let unit = self.unit(at);
        let before = at.checked_sub(1).filter(|before| self.unit(*before).turn == unit.turn);
        // Says what happened to somebody or something whose place another takes.
        let departs = |at: &usize| self.unit(*at).has(Cue::Departs) || self.unit(*at).has(Cue::Ends);
        let units = before.into_iter().chain([at]).filter(departs);
        units.flat_map(|at| self.unit(at).stems.iter().copied()).collect()
    }

    /// Whether the clause of a word begins with what another is a value of: `The order book runs on Breadbox now`, not `We
    /// now watch the order book with Breadbox`.
    fn is_subject_of(&self, by: usize, new: &Filler, filler: &Filler) -> bool {
        let later = self.unit(by);
        let clause = later.tokens[new.start].clause;
        let does =
            |at: usize| later.cues.iter().any(|cue| matches!(cue.cue, Cue::Owns | Cue::Means) && cue.start == at);
        let told = |at: &usize| {
            let word = self.texts.word(later.tokens[*at]);
            later.tokens[*at].clause == clause && word.is_content && !is_covered(&later.cues, *at) && !does(*at)
        };
        let subject = (0..new.start).find(told);
        subject.is_none_or(|at| filler.own.contains(&self.texts.word(later.tokens[at]).stem))
    }

    /// Whether two words can be values of one thing, one in the place of the other.
    fn may_stand_for(&self, new: &Filler, filler: &Filler, old: usize, by: usize) -> bool {
        let (earlier, later) = (self.unit(old), self.unit(by));
        if filler.way == Way::Object || new.way == Way::Object {
            return false;
        }
        let is_any = filler.way == Way::Any || new.way == Way::Any;
        let is_way = filler.way == new.way || is_any && filler.way != Way::Who && new.way != Way::Who;
        let holds = |stems: &[u32], words: &[u32]| words.iter().all(|word| stems.contains(word));
        // Who has handed a thing over may take it back.
        let was = |pair: &Pair| matches!(&pair.old, Side::Words(words) if *words == new.stems);
        let is_known = holds(&earlier.stems, &new.stems) && !self.frame(old).pairs.iter().any(was);
        // A name is said in part, too.
        let is_part = filler.is_name && new.is_name && filler.stems.iter().any(|stem| new.stems.contains(stem));
        // `The ticket is fixed` says nothing of what the tickets are.
        let is_state = self.texts.is_past(later, new.start) != self.texts.is_past(earlier, filler.start);
        let is_other =
            !is_state && !is_known && !is_part && !holds(&new.own, &filler.stems) && filler.stems != new.stems;
        let is_told = earlier.is_code
            || later.is_code
            || earlier.is_unsure()
            || self.texts.is_narrated(earlier)
            || self.texts.is_narrated(later) && !later.all(Cue::Switch).any(|found| found.start == 0);
        if is_told || !is_way || !is_other || filler.is_denied {
            return false;
        }
        let is_means = new.is_name && later.all(Cue::Means).any(|means| means.end == new.start);
        let has_verb = later.has(Cue::Switch) || later.has(Cue::Alters);
        let is_about = !(is_any || is_means) || has_verb || self.is_subject_of(by, new, filler);
        is_about
            && !self.is_of_other_sort(old, by, &new.own)
            && !self.is_narrower(old, by, &new.own)
            && !self.are_other(self.frame(old), self.frame(by), &new.stems)
    }

    /// How alike what two words are values of is; 0 where they cannot be values of one thing.
    fn alike(&self, filler: &Filler, new: &Filler, old: usize, by: usize) -> f32 {
        let (earlier, later) = (self.unit(old), self.unit(by));
        if !self.may_stand_for(new, filler, old, by) {
            return 0.0;
        }
        let is_any = filler.way == Way::Any || new.way == Way::Any;
        let holds = |stems: &[u32], words: &[u32]| words.iter().all(|word| stems.contains(word));
        // Who else is named tells nothing of what a word is a value of.
        let is_name = |stem: &u32| {
            [old, by]
                .into_iter()
                .any(|at| self.frame(at).fillers.iter().any(|filler| filler.is_name && filler.stems.contains(stem)))
        };
        let shared = filler
            .own
            .iter()
            .copied()
            .filter(|stem| new.own.contains(stem) && !self.texts.is_weak[*stem as usize] && !is_name(stem));
        let is_task = later.has(Cue::Owns)
            || later.has(Cue::Takes)
            || later.has(Cue::Gives)
            || later.has(Cue::Heir)
            || are_doers(filler, new);
        let is_long = earlier.tokens.len() > STATE_WORDS_MAX || later.tokens.len() > 2 * STATE_WORDS_MAX;
        let strong: Vec<u32> = shared.collect();
        let (has_strong, is_little) = (!strong.is_empty(), self.near.sum(strong.iter().copied()) < SHARED_MIN);
        if is_long {
            return 0.0;
        }
        let but: Vec<u32> = filler.stems.iter().chain(&new.stems).copied().collect();
        let keys = |unit: &Unit<'_>, own: &[u32]| self.near.keys_alone(unit, own, &but);
        let (a, b) = (keys(earlier, &filler.own), keys(later, &new.own));
        let in_clause = CLAUSE_SHARE * self.alike_in_clause((old, &filler.own), (by, &new.own));
        let alike =
            self.near.similarity(&a, &b).max(if !new.is_name && later.has(Cue::Switch) { in_clause } else { 0.0 });
        // Words that every text uses must be all the same ones.
        let is_weak = |stems: &[u32]| stems.iter().all(|stem| self.texts.is_weak[*stem as usize]);
        let is_vague = is_weak(&filler.stems) && is_weak(&new.stems)
            || is_little && alike < if has_strong { LITTLE_MIN } else { VAGUE_MIN };
        let shares = filler.own.iter().any(|stem| new.own.contains(stem) && !is_name(stem));
        // `Status page: Cairn`, of words that every text uses, is told by all of them.
        let is_all = filler.own.len() > 1 && holds(&new.own, &filler.own);
        match () {
            () if new.is_name && !has_strong && !is_task && !is_all => 0.0,
            () if !shares || is_vague && alike < VAGUE_MIN || is_any && alike < ANY_MIN => 0.0,
            // Who names the old one too speaks of both.
            () if !new.is_name && holds(&later.stems, &filler.stems) => alike + NAMED_MORE,
            () => alike,
        }
    }
}

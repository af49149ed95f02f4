//! Which statements say most of what a later one says to have ended: `We no longer deliver on Sundays`.

use std::collections::BTreeSet;

use super::cues::Cue;
use super::slot::{Ended, Pair, Side};
use super::unit::{Token, Unit};
use super::{BACK_MIN, World};

/// Least share of what is said to have ended that the earlier statement has, and how many of its words.
const END_MIN: f32 = 0.45;
const END_WORDS_MIN: usize = 2;
/// Least similarity of both.
const END_ALIKE_MIN: f32 = 0.4;
/// The same where both name the day of the week, and share more than words that every text uses.
const END_DAY_MIN: f32 = 0.2;
/// The same where they share words that every text uses, and names.
const VAGUE_END_MIN: f32 = 0.65;

impl World<'_> {
    /// Whether a sentence says most of what is said to have ended.
    pub(super) fn is_ended(&self, old: usize, ended: &Ended, by: usize) -> bool {
        let (earlier, frame, later) = (self.unit(old), self.frame(old), self.unit(by));
        // Who says so too says the same.
        let was = |pair: &Pair| matches!(&pair.old, Side::Words(words) if words.iter().any(|word| ended.stems.contains(word)));
        let says_so = frame.pairs.iter().any(was) || earlier.has(Cue::Ends) || earlier.has(Cue::Cancels);
        if later.is_code || says_so || self.are_other(frame, self.frame(by), &[]) {
            return false;
        }
        // `Nobody complains any more` ends no other thing that people do.
        let is_other = |verb: u32| !earlier.stems.contains(&verb) && !self.texts.is_weak[verb as usize];
        self.is_dropped(old, ended) || !ended.verb.is_some_and(is_other) && self.says_most(old, ended, by)
    }

    /// Whether a sentence says that what ended is in use, or took another's place: `We use Ovenhub`, of which `We dropped
    /// Ovenhub` says no more.
    fn is_dropped(&self, old: usize, ended: &Ended) -> bool {
        let (earlier, frame) = (self.unit(old), self.frame(old));
        let took = |pair: &Pair| matches!(&pair.new, Some(Side::Words(words)) if *words == ended.stems);
        let is_told = !earlier.is_doubtful() && !earlier.has(Cue::Not) && !earlier.has(Cue::Unfit);
        ended.is_name && is_told && (frame.pairs.iter().any(took) || self.is_in_use(old, &ended.stems))
    }

    /// Whether a sentence has most of the words of what ended, and is about the same.
    fn says_most(&self, old: usize, ended: &Ended, by: usize) -> bool {
        let (earlier, frame, later) = (self.unit(old), self.frame(old), self.unit(by));
        let names: Vec<u32> = frame
            .fillers
            .iter()
            .filter(|filler| filler.is_name)
            .flat_map(|filler| filler.stems.iter().copied())
            .collect();
        let shared: Vec<u32> = ended.stems.iter().copied().filter(|stem| earlier.stems.contains(stem)).collect();
        let is_most = self.near.sum(shared.iter().copied()) >= END_MIN * self.near.sum(ended.stems.iter().copied());
        let keys = |unit: &Unit<'_>, at: usize, own: &[u32]| self.near.keys(unit, at, own, &[]);
        let own = self.beside_shared(earlier, &shared);
        let about = self.near.similarity(&keys(earlier, old, &own), &keys(later, by, &ended.stems));
        // `He is no longer vegetarian`: who, the sentence before says.
        let of_context =
            self.near.context(by).iter().filter(|stem| earlier.stems.contains(stem) && !shared.contains(stem)).count();
        let has_word = of_context >= END_WORDS_MIN || !shared.iter().all(|stem| names.contains(stem));
        let is_known = |stem: &u32| earlier.stems.contains(stem) || self.near.context(old).contains(stem);
        if !ended.subject.iter().all(is_known) {
            return false;
        }
        // `No deliveries on Sundays any more` says nothing of Saturdays.
        let days = |at: usize, is_habit: bool| {
            let days =
                self.frame(at).slots.iter().filter(move |slot| slot.is_weekday() && (slot.is_habit || !is_habit));
            days.map(|slot| slot.readings.clone()).collect::<Vec<_>>()
        };
        let (days_before, days_after) = (days(old, true), days(by, true));
        let n_days = days(old, false).iter().filter(|day| days(by, false).contains(day)).count();
        if n_days == 0 && !days_before.is_empty() && !days_after.is_empty() {
            return false;
        }
        if shared.len() + of_context + n_days >= END_WORDS_MIN && has_word && is_most {
            let is_vague = shared.iter().all(|stem| self.texts.is_weak[*stem as usize] || names.contains(stem));
            return about
                >= match (is_vague, n_days > 0) {
                    (true, false) => VAGUE_END_MIN,
                    (true, true) | (false, false) => END_ALIKE_MIN,
                    (false, true) => END_DAY_MIN,
                };
        }
        let is_event = ended.is_cancelled && frame.slots.iter().any(|slot| slot.says_when() && !slot.is_old);
        let alike = self.near.similarity(&keys(earlier, old, &earlier.stems), &keys(later, by, &later.stems));
        !shared.is_empty()
            && is_most
            && (is_event
                || !ended.around.is_empty()
                    && frame
                        .fillers
                        .iter()
                        .any(|filler| !filler.is_name && shared.iter().all(|stem| filler.stems.contains(stem)))
                    && alike >= BACK_MIN)
    }

    /// The words of a sentence without those of clauses that say why, where none of some words stand in these.
    fn beside_shared(&self, unit: &Unit<'_>, shared: &[u32]) -> Vec<u32> {
        let stem = |token: &Token| self.texts.words[token.word as usize].stem;
        let says_why = |clause: u16| {
            let mut own = unit.tokens.iter().filter(|token| token.clause == clause);
            unit.is_reason(clause) && !own.any(|token| shared.contains(&stem(token)))
        };
        let aside = unit.tokens.iter().filter(|token| says_why(token.clause)).map(stem).collect::<BTreeSet<u32>>();
        unit.stems.iter().copied().filter(|stem| !aside.contains(stem)).collect()
    }
}

//! Which sentences answer: the best one, and others while they are worth it and say something else.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::named::names_another;
use super::*;
use crate::language::Phrases;
use crate::words::folded_words;

pub(super) struct Picking<'p, 'a> {
    pub(super) asked: Asked,
    pub(super) candidates: &'p [Candidate<'a>],
    pub(super) consulted: &'a [Consulted],
    pub(super) weights: &'p [f32],
}

/// Whether a sentence says of itself that it adds to what was said: `The shop also opens on Sundays`.
fn adds(text: &str) -> bool {
    static ALSO: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.also));
    // What stands in brackets is said of it.
    ALSO.are_in(&folded_words(text.split(" (").next().unwrap_or(text)))
}

impl<'p, 'a> Picking<'p, 'a> {
    /// Takes the best sentence, then the one that is worth most beside what is taken, until none is.
    pub(super) fn pick(&self, room: Room) -> Vec<&'p Candidate<'a>> {
        let mut left: Vec<(f32, &Candidate<'a>)> = self.candidates.iter().map(|one| (self.current(one), one)).collect();
        left.retain(|(value, _)| *value > 0.0);
        let mut picked: Vec<&Candidate<'a>> = Vec::new();
        let (mut best, mut n_chars) = (0.0, 0);
        while picked.len() < room.sentences {
            let value = |(value, one): &(f32, &Candidate<'a>)| self.further(*value, one, (&picked, room));
            let found = left.iter().enumerate().map(|(n, one)| (value(one), n));
            let Some((worth, n)) = found.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))) else { break };
            if worth <= 0.0 || worth < best * room.share_min {
                break;
            }
            let (_, one) = left.remove(n);
            let is_named = picked.iter().any(|known| known.place == one.place);
            let mark = || self.consulted[one.place].cite(one.citable).mark().len();
            let n_more = one.citable.text.chars().count() + if is_named { 0 } else { mark() };
            // A sentence that leads in another one says it, too.
            let is_known = |known: &&Candidate<'a>| {
                let (own, other) = (one.citable.text.as_str(), known.citable.text.as_str());
                let leads_in = one.place == known.place && (own.contains(other) || other.contains(own));
                leads_in || share_in(&one.said, &known.said) > SAME_SHARE && !names_another(one, known)
            };
            if !picked.is_empty() && (n_chars + n_more > room.chars || picked.iter().any(is_known)) {
                continue;
            }
            if picked.is_empty() {
                best = worth;
            }
            n_chars += n_more;
            picked.push(one);
        }
        picked.extend(self.in_its_place(&picked));
        picked.extend(self.said_later(&picked));
        picked.extend(self.other_values(&picked));
        picked
    }

    /// Returns the share of the question that some sentences hold together.
    pub(super) fn share(&self, picked: &[&Candidate<'a>]) -> f32 {
        let held = |n: usize| picked.iter().map(|one| one.said.in_sentence[n]).fold(0.0, f32::max);
        let all: f32 = self.weights.iter().sum();
        (0..self.weights.len()).map(|n| self.weights[n] * held(n)).sum::<f32>() / all.max(f32::MIN_POSITIVE)
    }

    /// What a sentence is worth, if a later one has not overtaken it.
    fn current(&self, one: &Candidate<'a>) -> f32 {
        let is_dated = one.date.is_some() && !self.consulted[one.place].is_document;
        let is_later = |one: &Candidate<'a>| {
            self.asked.until.is_some_and(|until| one.date.is_some_and(|date| date > until)) || is_to_come(one.citable)
        };
        if is_dated && is_later(one) {
            return one.value * OVERTAKEN;
        }
        // A tldr in a header has the day of its page, on which it may say nothing new.
        let is_of_its_day = |other: &Candidate<'a>| !other.citable.is_tldr || !other.citable.refs.is_empty();
        let overtakes = |other: &Candidate<'a>| {
            other.date > one.date
                // Of what holds only part of the question nobody knows whether it answers it.
                && other.share >= WHOLE.max(OVERTAKEN_SHARE * one.share)
                && (other.is_met || !one.is_met)
                && (other.value > one.value / 2.0)
                && is_of_its_day(other)
                && !other.citable.is_superseded
                && !self.consulted[other.place].is_document
                && self.held(other, one) >= OVERTAKEN_WORDS * self.held(one, one)
                && !is_later(other)
                && !adds(&other.citable.text)
        };
        let is_overtaken = (self.asked.is_present || self.asked.until.is_some())
            && is_dated
            && one.share > 0.0
            && self.candidates.iter().any(overtakes);
        if is_overtaken { one.value * OVERTAKEN } else { one.value }
    }

    /// How much a sentence holds of what another one holds of the question.
    fn held(&self, other: &Candidate<'a>, one: &Candidate<'a>) -> f32 {
        let both = one.said.in_sentence.iter().zip(&other.said.in_sentence).map(|(one, other)| one.min(*other));
        self.weights.iter().zip(both).map(|(weight, both)| weight * both).sum()
    }

    /// What a sentence is worth beside those that are taken; nothing where it has no part in the question.
    fn further(&self, value: f32, one: &Candidate<'a>, (picked, room): (&[&Candidate<'a>], Room)) -> f32 {
        if picked.is_empty() {
            // What has no part in the question is no answer, wherever it stands.
            return if one.holds || one.share >= HOLDS_MIN { value } else { 0.0 };
        }
        // What somebody else said before is no answer to it.
        let is_before =
            |known: &Candidate<'a>| one.nth + 1 == known.nth && one.citable.heading == known.citable.heading;
        let is_beside =
            |known: &&Candidate<'a>| known.place == one.place && (known.nth + 1 == one.nth || is_before(known));
        // Claims and items stand for themselves: what is beside one was said of something else.
        let is_next = !self.asked.is_history
            && !one.citable.is_item
            && !one.citable.is_tldr
            && one.citable.refs.iter().all(|cited| cited.path == self.consulted[one.place].path)
            && picked.iter().any(is_beside);
        let places: BTreeSet<usize> = picked.iter().map(|known| known.place).collect();
        let is_elsewhere = !places.contains(&one.place);
        let has_part = one.holds && one.share.max(one.replied) >= room.holds_min;
        if (!is_next && !has_part) || is_elsewhere && places.len() >= room.places {
            return 0.0;
        }
        // What no longer holds is worth saying where the question names what only that says.
        let adds = |n: usize| one.said.times[n] > 0.0 && picked.iter().all(|known| known.said.times[n] == 0.0);
        let value = match one.citable.is_superseded {
            true if (0..self.weights.len()).any(|n| self.weights[n] > 0.0 && adds(n)) => value / SUPERSEDED,
            true if !self.asked.is_history => return 0.0,
            _ => value * (1.0 - self.again(one, picked)),
        };
        let next = if is_next { NEXT_TO } else { 1.0 };
        value * next * if is_elsewhere && !self.asked.is_wide { ELSEWHERE } else { 1.0 }
    }

    /// What a sentence loses for saying again what taken ones say, once those answer: nothing where more than one
    /// answer is asked for.
    fn again(&self, one: &Candidate<'a>, picked: &[&Candidate<'a>]) -> f32 {
        let is_answered = picked.first().is_some_and(|first| first.share >= WHOLE);
        if !is_answered || self.asked.is_list || self.asked.is_history {
            return 0.0;
        }
        let held = |n: usize| self.weights[n] * one.said.in_sentence[n];
        let is_said = |n: &usize| picked.iter().any(|known| known.said.in_sentence[*n] >= one.said.in_sentence[*n]);
        let all: f32 = (0..self.weights.len()).map(held).sum();
        let said: f32 = (0..self.weights.len()).filter(is_said).map(held).sum();
        // What holds nothing of the question adds nothing to an answer, unless it replies to what does.
        let nothing = if one.replied > 0.0 { 0.0 } else { 1.0 };
        AGAIN * if all > 0.0 { said / all } else { nothing }
    }
}

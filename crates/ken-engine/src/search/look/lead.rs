//! What leads of what was found, and what gives way, beside what its words say.

use std::collections::BTreeMap;

use ken_core::Date;
use ken_core::action::AskedActions;
use ken_core::context::{Material, Outdated, Replacement};
use ken_core::page::outline::{Remark, When};
use ken_core::search::close::Said;

/// Of what the best counts so much counts what is worth telling of a day.
const NEAR_BEST: f32 = 0.5;

/// Whether something that answers about as well as anything is told to hold until a day that is yet to come.
pub(super) fn is_yet_to_come(found: &[Material<'_>], said: &[Vec<Said>], today: Date) -> bool {
    let least = NEAR_BEST * said.iter().flatten().map(|said| said.score).fold(0.0, f32::max);
    let until = |old: &Outdated| Remark::read(&old.since).when.filter(|(when, _)| *when == When::Until);
    let is_later = |old: &&Outdated| until(old).is_some_and(|(_, day)| day > today);
    found.iter().zip(said).any(|(one, said)| {
        let mut near =
            one.units.iter().zip(said).filter(|(_, said)| said.score >= least).map(|(placed, _)| placed.lines);
        near.any(|(first, last)| {
            let touches = |old: &&Outdated| old.lines.0 <= last && first <= old.lines.1;
            one.superseded.iter().filter(touches).any(|old| is_later(&old))
        })
    })
}

/// What a unit counts that took the place of one that was found, of what that counts.
const LED_TO: f32 = 0.98;

/// Whoever finds what was said once is led to what holds now.
pub(super) fn lead_on(replaced: &[Replacement], said: &mut [Vec<Said>]) {
    for ((doc, unit), (now_doc, now_unit)) in replaced {
        let score = LED_TO * said[*doc][*unit].score;
        let now = &mut said[*now_doc][*now_unit];
        now.score = now.score.max(score);
    }
}

/// Whoever asks what is left to do is led to where that was asked before, and answered, last.
pub(super) fn lead_last_list(found: &[Material<'_>], said: &mut [Vec<Said>]) {
    let asks_so = |text: &str| AskedActions::of(text, &[]).is_some_and(|asked| asked.topic().is_empty());
    let asking = |(doc, one): (usize, &Material<'_>)| {
        let asks = |unit: &usize| {
            let mut sentences = one.units[*unit].unit.sentences.iter().map(|span| span.of(one.text));
            sentences.any(|text| text.trim_end().ends_with('?') && asks_so(text))
        };
        one.is_said.then(|| (0..one.units.len()).find(asks)).flatten().map(|unit| (one.date, doc, unit))
    };
    let best = said.iter().flatten().map(|said| said.score).fold(0.0, f32::max);
    if let Some((_, doc, unit)) = found.iter().enumerate().filter_map(asking).max() {
        said[doc][unit].score = best;
    }
}

/// What is left of a unit that no longer holds, where the question is not about what was.
const OVER: f32 = 0.5;

/// What no longer holds gives way to what does.
pub(super) fn give_way(found: &[Material<'_>], said: &mut [Vec<Said>]) {
    for (one, units) in found.iter().zip(said) {
        let old = units.iter_mut().enumerate().filter(|(unit, _)| one.is_over(*unit));
        old.for_each(|(_, said)| said.score *= OVER);
    }
}

/// What is left of a unit that only says what holds since a later day than the one that is asked about.
const LATER: f32 = 0.5;

/// What held on the day leads what holds since.
pub(super) fn step_back(found: &[Material<'_>], said: &mut [Vec<Said>]) {
    for (one, units) in found.iter().zip(said) {
        let later = units.iter_mut().enumerate().filter(|(unit, _)| one.is_later(*unit));
        later.for_each(|(_, said)| said.score *= LATER);
    }
}

/// Adds to what units say what the passages around them mean.
pub(super) fn add_meaning(found: &[Material<'_>], amounts: &[&BTreeMap<usize, f32>], said: &mut [Vec<Said>]) {
    let best = said.iter().flatten().map(|said| said.score).fold(0.0, f32::max);
    let most = if best > 0.0 { best } else { 1.0 };
    for ((material, units), amounts) in found.iter().zip(said).zip(amounts) {
        for (placed, said) in material.units.iter().zip(units) {
            said.score += most * amounts.get(&placed.passage).copied().unwrap_or_default();
        }
    }
}

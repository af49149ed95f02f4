//! How likely two claims clash.
//!
//! Takes two values of one sort, or a claim that negates and one that does not, and returns the pair with its
//! score, or nothing when they differ in too much besides: then they speak of different things.

use super::{All, Candidate, Read, Said, Slot};
use crate::ground::{self, Sort};

/// Least share of the words around a value that both have.
const HEADS_SHARED_MIN: f32 = 0.4;
/// Least share for names, which differ for many reasons.
const NAME_SHARED_MIN: f32 = 0.75;
/// Least share of all words of the shorter claim, where one negates.
const NEGATION_SHARED_MIN: f32 = 0.66;
/// Least score that is worth a question.
const SCORE_MIN: f32 = 0.2;

/// How much a difference of this sort says.
fn of_sort(sort: &Sort) -> f32 {
    match sort {
        Sort::Time | Sort::Money => 1.0,
        Sort::Percent | Sort::Length => 0.9,
        Sort::Count(of) if !of.is_empty() => 0.8,
        Sort::Version => 0.7,
        Sort::Count(_) => 0.6,
        Sort::Date => 0.5,
        Sort::Name => 0.45,
    }
}

/// Returns the pair that two values make.
pub(super) fn of_slots(all: &All, claims: &[Said], a: usize, b: usize) -> Option<Candidate> {
    let (a, b) = (&all.slots[a], &all.slots[b]);
    let (one, other) = (&all.reads[a.claim], &all.reads[b.claim]);
    let is_among = |slot: &Slot, read: &Read| {
        let alike = all.slots[read.slots.clone()].iter().filter(|known| known.sort == slot.sort);
        alike.into_iter().any(|known| known.readings.iter().any(|reading| slot.readings.contains(reading)))
    };
    // The first quarter's day is not the second's.
    let is_other = !a.labels.is_empty() && !b.labels.is_empty() && intersection(&a.labels, &b.labels).is_empty();
    if is_other || (a.kind == Sort::Name && is_numbered(a, b)) {
        return None;
    }
    // Who says both values says how one became the other, or speaks of two things.
    let is_both = match (is_among(a, other), is_among(b, one)) {
        (true, true) => return None,
        (true, false) => other.changes.then_some(true)?,
        (false, true) => one.changes.then_some(true)?,
        (false, false) => false,
    };
    let shared = intersection(&a.heads, &b.heads);
    let (all_a, all_b) = (weight(all, &a.heads), weight(all, &b.heads));
    let share = weight(all, &shared) / all_a.min(all_b).max(f32::EPSILON);
    let is_close = !intersection(&a.close, &b.close).is_empty();
    let least = if a.kind == Sort::Name { NAME_SHARED_MIN } else { HEADS_SHARED_MIN };
    let changes = is_both || one.changes || other.changes;
    if share < least || !is_close || (a.kind == Sort::Name && !is_same_place(a, b, changes)) {
        return None;
    }
    let enough = (shared.len().min(4) as f32 / 4.0).sqrt();
    let whole = overlap(all, one, other);
    // Who says what was before mostly agrees with those that say what is now.
    let changes = if is_both {
        0.6
    } else if changes {
        1.3
    } else {
        1.0
    };
    let score = share * enough * of_sort(&a.kind) * (0.5 + whole) * changes * of_days(claims, a.claim, b.claim);
    candidate(a.claim, b.claim, score, (&a.text, &b.text))
}

/// Whether two names differ in a number only: files of two days.
fn is_numbered(a: &Slot, b: &Slot) -> bool {
    let letters = |slot: &Slot| slot.readings.concat().replace(|ch: char| ch.is_ascii_digit(), "");
    letters(a) == letters(b)
}

/// Whether two names stand between the same words: most sentences name several things.
fn is_same_place(a: &Slot, b: &Slot, changes: bool) -> bool {
    let [before, behind] = [0, 1].map(|side| a.beside[side] == b.beside[side]);
    let is_named = [0, 1].iter().any(|side| a.beside[*side].is_some() && a.beside[*side] == b.beside[*side]);
    is_named && (changes || (before && behind))
}

/// Returns the pair that a claim makes with one that denies it.
pub(super) fn of_negation(all: &All, claims: &[Said], a: usize, b: usize) -> Option<Candidate> {
    let (one, other) = (&all.reads[a], &all.reads[b]);
    let n_least = one.stems.len().min(other.stems.len());
    let whole = overlap(all, one, other);
    // "Kept the range and did not widen it" does not deny that the range was kept.
    let (denying, denied) = if one.negates { (a, b) } else { (b, a) };
    if whole < NEGATION_SHARED_MIN || !ground::denies(&claims[denying].text, &claims[denied].text) {
        return None;
    }
    // A short claim stands in many long ones.
    let n_most = one.stems.len().max(other.stems.len()) as f32;
    let score = whole * (0.5 + n_least as f32 / n_most) * of_days(claims, a, b);
    let said = |negates: bool| if negates { "not" } else { "" };
    candidate(a, b, score, (said(one.negates), said(other.negates)))
}

/// What was said on one day was mostly said together.
fn of_days(claims: &[Said], a: usize, b: usize) -> f32 {
    match (claims[a].day, claims[b].day) {
        (Some(a), Some(b)) if a == b => 0.6,
        (Some(_), Some(_)) => 1.0,
        _ => 0.9,
    }
}

fn candidate(a: usize, b: usize, score: f32, (x, y): (&str, &str)) -> Option<Candidate> {
    let (of, differs) = if a < b { ((a, b), (x, y)) } else { ((b, a), (y, x)) };
    let differs = (differs.0.to_owned(), differs.1.to_owned());
    (score >= SCORE_MIN).then_some(Candidate { of, score, differs })
}

/// The share of the lighter claim's words that the other has.
fn overlap(all: &All, a: &Read, b: &Read) -> f32 {
    let shared = weight(all, &intersection(&a.stems, &b.stems));
    shared / weight(all, &a.stems).min(weight(all, &b.stems)).max(f32::EPSILON)
}

fn weight(all: &All, stems: &[u32]) -> f32 {
    stems.iter().map(|stem| all.weights[*stem as usize]).sum()
}

fn intersection(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().filter(|stem| b.binary_search(stem).is_ok()).copied().collect()
}

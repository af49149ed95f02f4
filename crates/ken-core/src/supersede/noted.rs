//! Notes of a label and a value, which say what is so without a verb: `Deposit 25 euros`, `Team meeting Monday 9:00`,
//! `First aid: Ada`, also as items of a list.
//!
//! Where two notes have the same label, the later one says what is so now: a label is what somebody chose to tell things
//! apart. A date that is over is of something that happened, and tells of another time.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::cues::Cue;
use super::read::Texts;
use super::slot::{Slot, is_over};
use super::unit::Unit;
use super::word::{Word, lists, says_newer};
use super::{Candidate, Evidence, Replaced, are_many};
use crate::ground::Sort;

/// Most words of a note, and of a sentence that is a list of them.
const NOTE_WORDS_MAX: usize = 8;
const LIST_WORDS_MAX: usize = 32;
/// Words of a label that tell a thing from others of which there are many: a time, a day of the week, a bare number are said of
/// what happened, too.
const CLEAR_WORDS_MIN: usize = 2;
/// Notes with one label that are looked at, the newest ones.
const BEFORE_MAX: usize = 100;

/// A note: the sentence that it is in or of, and which words of it are the note.
#[derive(Debug, Clone, Copy)]
struct Note {
    unit: usize,
    start: usize,
    end: usize,
    /// The words of its name, if it tells one; none else.
    name: Option<(usize, usize)>,
    /// Whether its sentence has nothing but notes.
    is_pure: bool,
}

/// What a note is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Label {
    /// Its words, sorted.
    stems: Vec<u32>,
    /// Of a note that tells a name, the word before it: `from` of `flour from Ada`; none of a colon.
    before: Option<Option<u32>>,
}

/// The notes by their labels.
pub(super) struct Notes {
    by_label: BTreeMap<Label, Vec<Note>>,
    /// Of each sentence the labels of its notes.
    of_unit: BTreeMap<usize, Vec<Label>>,
}

impl Notes {
    /// Finds the notes of the first so many sentences.
    pub(super) fn of(texts: &Texts<'_>, n_units: usize) -> Notes {
        let mut by_label: BTreeMap<Label, Vec<Note>> = BTreeMap::new();
        for at in 0..n_units {
            for (label, note) in notes(texts, at) {
                by_label.entry(label).or_default().push(note);
            }
        }
        by_label.retain(|_, notes| notes.len() > 1);
        let mut of_unit: BTreeMap<usize, Vec<Label>> = BTreeMap::new();
        for (label, notes) in &by_label {
            notes.iter().for_each(|note| of_unit.entry(note.unit).or_default().push(label.clone()));
        }
        Notes { by_label, of_unit }
    }
}

/// Whether a sentence may be a note or a list of them: it says what is so.
fn is_plain(unit: &Unit<'_>) -> bool {
    use Cue::{Also, Because, Condition, Formerly, Not, Once, Unsure, Views, When};
    let is_other =
        [Also, Because, Condition, Formerly, Not, Once, Unsure, Views, When].into_iter().any(|cue| unit.has(cue));
    !is_other && !unit.asks && !unit.is_code && unit.tokens.len() <= LIST_WORDS_MAX
}

/// Whether a word tells what a note is of: a word that every text uses does not, nor what measures.
fn tells(texts: &Texts<'_>, stem: u32) -> bool {
    !texts.is_weak[stem as usize] && !texts.is_measure[stem as usize]
}

/// The notes of a sentence with their labels.
fn notes(texts: &Texts<'_>, at: usize) -> Vec<(Label, Note)> {
    let unit = &texts.units[at];
    // What opens with `the`, `we` or `it` is a whole sentence, which says more than a note does by its form.
    let opens = unit.tokens.first().is_some_and(|first| {
        let word = texts.word(*first);
        word.is_content || word.is_number || word.is_calendar
    });
    if !opens || !is_plain(unit) || texts.is_narrated(unit) {
        return Vec::new();
    }
    let (mut out, mut is_pure) = (Vec::new(), true);
    let mut start = 0;
    while start < unit.tokens.len() {
        let clause = unit.tokens[start].clause;
        let mut end = start + unit.tokens[start..].iter().take_while(|token| token.clause == clause).count();
        // `First aid: Ada`.
        let is_headed = |end: usize| {
            end < unit.tokens.len()
                && unit.text[unit.tokens[end - 1].span.end..unit.tokens[end].span.start].trim() == ":"
        };
        let colon = is_headed(end).then_some(end);
        if let Some(colon) = colon {
            let clause = unit.tokens[colon].clause;
            end = colon + unit.tokens[colon..].iter().take_while(|token| token.clause == clause).count();
        }
        let found = note(texts, at, (start, end), colon);
        is_pure &= found.is_some() || end - start == 1;
        out.extend(found);
        start = end;
    }
    out.iter_mut().for_each(|(_, note)| note.is_pure = is_pure);
    out
}

/// Whether a sentence has nothing but notes.
pub(super) fn is_note(texts: &Texts<'_>, at: usize) -> bool {
    notes(texts, at).first().is_some_and(|(_, note)| note.is_pure)
}

/// The labels of the notes of a sentence, each as words.
pub(super) fn labels(texts: &Texts<'_>, at: usize) -> Vec<String> {
    let unit = &texts.units[at];
    let words: BTreeMap<u32, &Word> =
        unit.tokens.iter().map(|token| texts.word(*token)).map(|word| (word.stem, word)).collect();
    let shown = |(label, _): (Label, Note)| {
        let stems: BTreeSet<String> = label.stems.iter().map(|stem| unit.language.stem(&words[stem].folded)).collect();
        stems.into_iter().collect::<Vec<_>>().join(" ")
    };
    notes(texts, at).into_iter().map(shown).collect()
}

/// The note that some words of a sentence are.
fn note(texts: &Texts<'_>, at: usize, (start, end): (usize, usize), colon: Option<usize>) -> Option<(Label, Note)> {
    let unit = &texts.units[at];
    if end - start > NOTE_WORDS_MAX || texts.is_event(unit, end) {
        return None;
    }
    let word = |at: usize| texts.word(unit.tokens[at]);
    let is_name = |at: usize| texts.is_name(unit, at, false) && at > start;
    let first_name = (start + 1..end).rev().take_while(|at| is_name(*at)).last();
    let has_value = (start..end).any(|at| {
        word(at).is_number || word(at).is_calendar || word(at).folded.starts_with(|ch: char| ch.is_ascii_digit())
    });
    // `Oven 3 is lit`: the number belongs to what the sentence is about.
    let is_about = |at: usize| unit.all(Cue::Is).any(|is| at < is.start && is.end < end);
    if (start..end).rfind(|at| word(*at).is_number).is_some_and(is_about) {
        return None;
    }
    let (label_end, name) = match first_name {
        Some(first) if colon == Some(first) => (first, Some((first, end))),
        Some(first) if !has_value => (first, Some((first, end))),
        _ if has_value => (end, None),
        _ => return None,
    };
    // `Key safe code`: a code with what it is of tells more than its words, and a new one is the same one.
    let codes = &lists(unit.language).codes;
    let has_code = (start..label_end).any(|at| codes.contains(word(at).lower.as_str()));
    let is_new = |word: &Word| has_code && says_newer(unit.language, &word.lower);
    let told = (start..label_end).map(word).filter(|word| word.is_content && !is_new(word)).map(|word| word.stem);
    let stems: Vec<u32> = told.collect::<BTreeSet<u32>>().into_iter().collect();
    let before = name.map(|(first, _)| (colon != Some(first)).then(|| unit.tokens[first - 1].word));
    // A name right behind the label may be part of it.
    let is_joined = name.is_some_and(|(first, _)| colon != Some(first) && word(first - 1).is_content);
    let is_code = has_code && stems.len() >= CLEAR_WORDS_MIN;
    if is_joined || !is_code && !stems.iter().any(|stem| tells(texts, *stem)) {
        return None;
    }
    Some((Label { stems, before }, Note { unit: at, start, end, name, is_pure: false }))
}

impl World<'_> {
    /// Takes what the notes of a sentence say in the place of earlier ones.
    pub(super) fn note(&mut self, at: usize) {
        let notes = self.notes;
        for label in notes.of_unit.get(&at).into_iter().flatten() {
            let all = &notes.by_label[label];
            let n_before = all.partition_point(|note| note.unit < at);
            let Some(own) = all.get(n_before).filter(|note| note.unit == at) else { continue };
            let unit = self.unit(at);
            let may_be_old = |note: &&Note| {
                let earlier = self.unit(note.unit);
                earlier.exchange != unit.exchange
                    && earlier.day < unit.day
                    && !self.said[earlier.said].is_action
                    && self.out[earlier.said].is_none()
                    && self.is_otherwise(note, own, &label.stems)
            };
            let before = all[n_before.saturating_sub(BEFORE_MAX)..n_before].iter().filter(may_be_old);
            let found: Vec<Candidate> = before.map(|old| Candidate { old: old.unit, value: 0, alike: 1.0 }).collect();
            if are_many(&found) {
                continue;
            }
            for old in found.iter().map(|one| one.old) {
                self.replace(old, at, Evidence::Restated);
                self.holds_again(self.unit(old).said, own, &all[..n_before], &label.stems);
            }
        }
    }

    /// What a note took the place of holds, now that it is said again.
    fn holds_again(&mut self, by: usize, own: &Note, before: &[Note], label: &[u32]) {
        for note in before {
            let said = self.unit(note.unit).said;
            let is_it = |one: Replaced| one.by == by && one.evidence == Evidence::Restated;
            if self.out[said].is_some_and(is_it) && !self.is_otherwise(note, own, label) {
                self.out[said] = None;
            }
        }
    }

    /// Whether a note has other values than an earlier one with its label.
    fn is_otherwise(&self, old: &Note, by: &Note, label: &[u32]) -> bool {
        if !old.is_pure && !by.is_pure {
            return false;
        }
        if let (Some(before), Some(after)) = (old.name, by.name) {
            let stems = |note: &Note, name: (usize, usize)| -> Vec<u32> {
                let tokens = &self.unit(note.unit).tokens[name.0..name.1];
                tokens.iter().map(|token| self.texts.word(*token).stem).collect()
            };
            let (before, after) = (stems(old, before), stems(by, after));
            return !before.iter().any(|stem| after.contains(stem));
        }
        let slots = |note: &Note| -> Vec<&Slot> {
            let inside = |slot: &&Slot| note.start <= slot.start && slot.end <= note.end;
            self.frame(note.unit).slots.iter().filter(inside).collect()
        };
        let (before, after) = (slots(old), slots(by));
        // `Deposit 25 euros` has its value there, `oven 1: six trays` has not.
        let is_named = |note: &Note, slots: &[&Slot]| !matches!(slots, [slot] if slot.start == note.start + 1);
        let may_be_named = is_named(old, &before) || is_named(by, &after);
        if may_be_named && self.are_other(self.frame(old.unit), self.frame(by.unit), &[]) {
            return false;
        }
        let is_clear = |slot: &Slot| !slot.is_denied && !slot.is_old && !slot.is_listed;
        if !before.iter().chain(&after).all(|slot| is_clear(slot)) {
            return false;
        }
        let day = self.unit(by.unit).day;
        let (is_clear, are_pure) = (label.len() >= CLEAR_WORDS_MIN, old.is_pure && by.is_pure);
        // `Two probes` says nothing of the probes.
        let is_of_label = |slot: &Slot| label.iter().any(|stem| slot.noun != Some(*stem) && tells(self.texts, *stem));
        let may_change = |slot: &Slot| match &slot.sort {
            Sort::Date => day.is_some_and(|day| !is_over(&slot.readings, day)),
            Sort::Name => false,
            // A day of the week is the next one, unless it is every week's or has its hour.
            _ if slot.is_weekday() => slot.is_habit || is_clear && before.iter().any(|one| one.sort == Sort::Time),
            Sort::Time => is_clear || before.iter().any(|slot| slot.is_habit),
            Sort::Length | Sort::Percent => is_clear || are_pure && self.has_one(self.unit(old.unit), slot),
            _ if slot.is_bare() => is_clear || are_pure,
            _ => is_of_label(slot),
        };
        let mut differs = false;
        for new in &after {
            let Some(was) = before.iter().find(|slot| slot.is_comparable(new)) else { continue };
            if !was.is_same(new) {
                if !may_change(was) {
                    return false;
                }
                differs = true;
            }
        }
        differs
    }
}

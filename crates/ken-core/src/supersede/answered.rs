//! Which statements answer a question, and which later statement answers it with something else.
//!
//! A value that merely differs replaces nothing. But where a question names what the value is of, whoever reads an earlier
//! answer should know that a later one stands beside it; which of them holds is left to the reader.

use std::collections::BTreeSet;

use super::World;
use super::begins::begins;
use super::cues::{Cue, Found};
use super::slot::{Filler, Side, Slot, Way};
use super::unit::Unit;
use crate::ground::{self, Sort};
use crate::parallel::long_in_parallel;
use crate::search::Asks;

/// An answer covers at least this share of the words of the question that are said at all, by their weight.
const COVER_MIN: f32 = 0.5;
/// The same of what the sentence covers that covers most: of values, and of names and words, which stand in sentences for
/// many reasons.
const VALUE_SHARE_MIN: f32 = 0.6;
const NAME_SHARE_MIN: f32 = 0.75;
/// The same of a sentence that says a phrase of the question and a name, and nothing else: `Spare key: Ada`.
const LABEL_SHARE_MIN: f32 = 0.6;
/// What is left of a sum however its terms were added.
const SUM_SHARE: f32 = 0.99;
/// What a word of the question counts that stands around the clause of a value, and how many sentences before it.
const AROUND: f32 = 0.7;
const BEFORE_MAX: usize = 2;
/// So many words of the question stand in and around a sentence that answers with a name, and in and around one that does
/// with a value, unless the question has fewer.
const WORDS_MIN: usize = 2;
/// Among so many words at its beginning a question has what it counts.
const COUNTED_MAX: usize = 2;
/// So many sentences say a word that tells which of them speak of the same.
const SAID_MIN: usize = 2;
/// Most words that tell of a sentence that leans on those before it.
const LEANING_MAX: usize = 3;

/// What is asked.
struct Asked {
    /// The identifiers that it has.
    identifiers: BTreeSet<String>,
    /// Its words that several sentences say: what one says alone joins it with no other.
    stems: BTreeSet<u32>,
    /// Those that it begins with, of which it may ask how many: `how many rye loaves`.
    counted: BTreeSet<u32>,
    /// Those of them that stand side by side.
    phrases: BTreeSet<(u32, u32)>,
    /// The weekdays that it names.
    days: BTreeSet<Vec<String>>,
    asks: Option<Asks>,
    /// Whether a name or a word may answer it.
    is_named: bool,
    /// The weight of its words, and that of those that any one sentence covers at most.
    weight: f32,
    best: f32,
    /// The place of the first sentence of the question.
    first: usize,
}

/// What a sentence says of what is asked.
struct Answer {
    unit: usize,
    given: Given,
    cover: Cover,
}

/// The words of the question that belong to an answer: how many, and their weight.
#[derive(Clone, Copy)]
struct Cover {
    n_words: usize,
    weight: f32,
}

/// What answers.
enum Given {
    /// A value, by its place among those of its sentence.
    Value(usize),
    /// Those who are named, or what is.
    Names(BTreeSet<String>),
    /// A word or a phrase, by the way in which it is said.
    Words(Way, Vec<u32>),
}

impl World<'_> {
    /// For each statement the later one that answers a question with something else of the same kind; the question is what
    /// stands behind the statements.
    pub(super) fn answered_later(&self, question: &str, n_said: usize) -> Vec<Option<usize>> {
        let asked = self.asked(question, n_said);
        // Reading what sentences say takes longest: mostly those that say enough of what is asked show that no later one
        // answers with something else.
        let told = self.told_of(&asked);
        let (likely, others): (Vec<usize>, Vec<usize>) = told.iter().partition(|at| self.may_be_good(&asked, **at));
        let answers = self.answers(&asked, &likely);
        if !others.is_empty() && are_all_known(&answers) && self.pairs(&asked, &answers).is_empty() {
            return vec![None; n_said];
        }
        let answers = if others.is_empty() { answers } else { self.answers(&asked, &told) };
        self.later(&asked, &answers, n_said)
    }

    /// The same, of all answers.
    fn later(&self, asked: &Asked, answers: &[Answer], n_said: usize) -> Vec<Option<usize>> {
        let mut out = vec![None; n_said];
        for (old, by) in self.pairs(asked, answers) {
            // Who says the value again, with less of what is asked, says the same.
            let day = |one: &Answer| self.unit(one.unit).day;
            let again = answers.iter().filter(|one| one.unit < by.unit && day(one) < day(by) && self.is_same(one, old));
            for one in again.filter(|one| self.differ(answers, one, by)) {
                let of = self.unit(one.unit).said;
                out[of] = out[of].max(Some(self.unit(by.unit).said));
            }
        }
        out
    }

    /// The answers that say enough, each with a later one that answers with something else.
    fn pairs<'a>(&self, asked: &Asked, answers: &'a [Answer]) -> Vec<(&'a Answer, &'a Answer)> {
        let is_good = self.are_good(asked, answers);
        let good = || answers.iter().zip(&is_good).filter(|(_, is_good)| **is_good).map(|(one, _)| one);
        let later_of = |old: &'a Answer| -> Option<(&'a Answer, &'a Answer)> {
            let later: Vec<&Answer> = good().filter(|new| self.answers_alike(old, new)).collect();
            // What was said first may be what is said last.
            if later.last().is_none_or(|last| self.is_same(last, old) && !names_heir(old, last, &later)) {
                return None;
            }
            let last = later.iter().rev().find(|by| self.differ(answers, old, by))?;
            // What is last was said first then.
            let says_it = |one: &&&Answer| self.is_same(one, last) && self.differ(answers, old, one);
            Some((old, later.iter().find(says_it).unwrap_or(last)))
        };
        good().filter_map(later_of).collect()
    }

    /// The sentences that are about what is asked.
    fn told_of(&self, asked: &Asked) -> Vec<usize> {
        let covers = |at: &usize| self.cover(asked, *at, self.unit(*at).stems.iter().copied(), true).is_some();
        (0..asked.first).filter(|at| is_told(self.unit(*at)) && covers(at)).collect()
    }

    /// Whether what a sentence says may weigh enough to answer: all of its words, those around them, and what it counts.
    fn may_be_good(&self, asked: &Asked, at: usize) -> bool {
        let unit = self.unit(at);
        let words = unit.tokens.iter().map(|token| self.texts.word(*token).stem);
        let own: BTreeSet<u32> = words.filter(|stem| asked.stems.contains(stem)).collect();
        let counted = own.iter().map(|stem| self.near.weight(*stem)).fold(0.0, f32::max);
        let beside = self.before(asked, at).filter(|stem| asked.stems.contains(stem) && !own.contains(stem));
        let around: BTreeSet<u32> = beside.collect();
        let most = self.near.sum(own) + AROUND * self.near.sum(around) + counted;
        let share_min = VALUE_SHARE_MIN.min(NAME_SHARE_MIN).min(LABEL_SHARE_MIN);
        // Sums differ by the order of what is added.
        most >= SUM_SHARE * (COVER_MIN * asked.weight).max(share_min * asked.best)
    }

    /// The words of a sentence and of those before it that it may be about.
    fn before(&self, asked: &Asked, at: usize) -> impl Iterator<Item = u32> {
        // One word alone says little of what stands further away.
        let n_before = BEFORE_MAX.min(asked.stems.len());
        let exchange = self.unit(at).exchange;
        let before = (at.saturating_sub(n_before)..=at).map(|before| self.unit(before));
        before.filter(move |one| one.exchange == exchange).flat_map(|one| one.stems.iter().copied())
    }

    fn asked(&self, question: &str, at: usize) -> Asked {
        let units = self.units_of(at);
        let first = units.first().copied().unwrap_or(self.texts.units.len());
        let n_said = |stem: u32| (0..first).filter(|at| self.unit(*at).stems.contains(&stem)).take(SAID_MIN).count();
        let stems = units.iter().flat_map(|at| self.unit(*at).stems.iter().copied());
        let stems: BTreeSet<u32> = stems.filter(|stem| n_said(*stem) == SAID_MIN).collect();
        let has = |at: usize| stems.iter().copied().filter(move |stem| self.unit(at).stems.contains(stem));
        let best = (0..first)
            .filter(|at| is_told(self.unit(*at)) && !self.unit(*at).is_doubtful())
            .map(|at| self.near.sum(has(at)));
        let asks = Asks::of(question);
        // Whom to ask is no view of somebody.
        let is_of_view = asks != Some(Asks::Person) && units.iter().any(|at| self.unit(*at).has(Cue::Views));
        Asked {
            identifiers: identifiers(question).collect(),
            days: units.iter().flat_map(|at| self.days(*at)).collect(),
            is_named: matches!(asks, None | Some(Asks::Person | Asks::Way)) && !is_of_view,
            counted: self.first_words(first, COUNTED_MAX),
            phrases: units
                .iter()
                .flat_map(|at| self.beside_each_other(*at))
                .filter(|(a, b)| stems.contains(a) && stems.contains(b))
                .collect(),
            asks,
            weight: self.near.sum(stems.iter().copied()),
            best: best.fold(0.0, f32::max),
            stems,
            first,
        }
    }

    /// The weekdays that a sentence names.
    fn days(&self, at: usize) -> impl Iterator<Item = Vec<String>> {
        let slots = self.frame(at).slots.iter().filter(|slot| slot.is_weekday());
        slots.map(|slot| slot.readings.clone())
    }

    /// The first words of a sentence that tell what it is about.
    fn first_words(&self, at: usize, n_max: usize) -> BTreeSet<u32> {
        let tokens = self.texts.units.get(at).map_or(&[][..], |unit| &unit.tokens);
        let words = tokens.iter().map(|token| &self.texts.words[token.word as usize]);
        words.filter(|word| word.is_content).map(|word| word.stem).take(n_max).collect()
    }

    /// The words of a sentence that stand side by side.
    fn beside_each_other(&self, at: usize) -> impl Iterator<Item = (u32, u32)> {
        let tokens = &self.unit(at).tokens;
        let stem = |n: usize| self.texts.words[tokens[n].word as usize].stem;
        (1..tokens.len()).map(move |n| (stem(n - 1), stem(n)))
    }

    /// Whether a sentence says a phrase of the question and a name, and nothing else.
    fn is_label(&self, asked: &Asked, answer: &Answer) -> bool {
        let Given::Names(names) = &answer.given else { return false };
        let is_name = |stem: &u32| names.contains(&format!("\u{1}{stem}"));
        let says_only_it = |stem: &u32| asked.stems.contains(stem) || is_name(stem);
        self.unit(answer.unit).stems.iter().all(says_only_it)
            && self.beside_each_other(answer.unit).any(|two| asked.phrases.contains(&two))
    }

    /// Whether a sentence speaks of other weekdays than the question.
    fn is_of_other_day(&self, asked: &Asked, at: usize) -> bool {
        let mut days = self.days(at).peekable();
        !asked.days.is_empty() && days.peek().is_some() && !days.any(|day| asked.days.contains(&day))
    }

    /// What some sentences, in order of time, say of what is asked.
    fn answers(&self, asked: &Asked, told: &[usize]) -> Vec<Answer> {
        // Each sentence is read by itself, and that takes longest.
        long_in_parallel(told.len(), |n| {
            self.texts.frame(told[n]);
        });
        let mut out: Vec<Answer> = Vec::new();
        for at in told.iter().copied().filter(|at| !self.is_of_other_day(asked, *at)) {
            out.extend(self.values(asked, at));
            if asked.is_named {
                let cover = self.cover(asked, at, self.unit(at).stems.iter().copied(), false);
                let named =
                    cover.into_iter().flat_map(|cover| self.named(asked, at).into_iter().map(move |one| (one, cover)));
                out.extend(named.map(|(given, cover)| Answer { unit: at, given, cover }));
            }
        }
        out
    }

    /// The values of a sentence that are of a kind that is asked for.
    fn values(&self, asked: &Asked, at: usize) -> impl Iterator<Item = Answer> {
        let unit = self.unit(at);
        // How often something happens: `every 15 minutes`, `3 times`.
        let repeats = |slot: &Slot| {
            let each = |found: &Found| found.end == slot.start || found.start == slot.end || found.start == slot.start;
            unit.cues.iter().filter(|found| matches!(found.cue, Cue::Each | Cue::Times)).any(each)
                || slot.period.is_some()
        };
        let is_often = asked.asks == Some(Asks::Often);
        let is_sure = |slot: &Slot| !unit.is_doubtful_at(slot.start) && (!is_often || repeats(slot));
        let slots = self.frame(at).slots.iter().enumerate();
        let is_side =
            |slot: &Slot| !self.frame(at).pairs.iter().any(|pair| pair.has(slot)) && self.is_beside_pair(at, slot);
        let is_answer = move |slot: &Slot| asked.asks_for(slot) && is_sure(slot) && !is_side(slot);
        let slots = slots.filter(move |(_, slot)| is_answer(slot)).collect::<Vec<_>>();
        slots.into_iter().filter_map(move |(n, slot)| {
            let own = slot.owns().last().unwrap_or_default();
            // What is counted is what is asked for: `how many lines`.
            let counted =
                slot.noun.filter(|noun| asked.stems.contains(noun)).map_or(0.0, |noun| self.near.weight(noun));
            let mut cover = self.cover(asked, at, own.into_iter().chain(slot.noun), true)?;
            cover.weight += counted;
            Some(Answer { unit: at, given: Given::Value(n), cover })
        })
    }

    /// The names and words of a sentence that the question does not have, without those that it says to be over.
    fn named(&self, asked: &Asked, at: usize) -> Vec<Given> {
        let frame = self.frame(at);
        let was =
            |stem: &u32| frame.pairs.iter().any(|pair| matches!(&pair.old, Side::Words(old) if old.contains(stem)));
        let is_new = |stems: &[u32]| !stems.iter().any(|stem| asked.stems.contains(stem) || was(stem));
        let unit = self.unit(at);
        let is_so = |filler: &&Filler| !filler.is_denied && !unit.is_doubtful_at(filler.start);
        let fillers = || frame.fillers.iter().filter(is_so).filter(|filler| is_new(&filler.stems));
        let names = fillers().filter(|filler| filler.is_name).flat_map(|filler| &filler.stems);
        let mut names: BTreeSet<String> = names.map(|stem| format!("\u{1}{stem}")).collect();
        if !unit.is_doubtful() {
            let own = unit.identifiers.get_or_init(|| identifiers(unit.text).collect()).iter();
            names.extend(own.filter(|name| !asked.identifiers.contains(*name)).cloned());
        }
        let words = fillers().filter(|filler| !filler.is_name).map(|filler| (kind_of(filler.way), &filler.stems));
        let is_asked = |way: &Way| match way {
            Way::At | Way::Means => asked.asks == Some(Asks::Way),
            way => *way == Way::Named,
        };
        let words = words.filter(|(way, _)| is_asked(way));
        let words = words.map(|(way, stems)| Given::Words(way, stems.clone()));
        (!names.is_empty()).then_some(Given::Names(names)).into_iter().chain(words).collect()
    }

    /// How much of what is asked some words of a sentence cover, with those around them, if it is about it.
    fn cover(&self, asked: &Asked, at: usize, own: impl Iterator<Item = u32>, is_value: bool) -> Option<Cover> {
        let unit = self.unit(at);
        let own: BTreeSet<u32> = own.filter(|stem| asked.stems.contains(stem)).collect();
        // A sentence that says little, or points, is about what those before it are: `The open day slips. The new date is
        // 25 April.`
        let leans = unit.stems.len() <= LEANING_MAX || unit.has(Cue::Stands);
        if own.is_empty() && !(is_value && leans) {
            return None;
        }
        let around: BTreeSet<u32> =
            self.before(asked, at).filter(|stem| asked.stems.contains(stem) && !own.contains(stem)).collect();
        let n_words = own.len() + around.len();
        Some(Cover { n_words, weight: self.near.sum(own) + AROUND * self.near.sum(around) })
    }

    /// Which answers say enough of what is asked; of values only those of the kind that the best of them has.
    fn are_good(&self, asked: &Asked, answers: &[Answer]) -> Vec<bool> {
        let slot = |one: &Answer| match one.given {
            Given::Value(n) => Some(&self.frame(one.unit).slots[n]),
            _ => None,
        };
        let values = || answers.iter().filter_map(|one| Some((slot(one)?, one.cover)));
        let most = values().map(|(_, cover)| cover.weight).fold(0.0, f32::max);
        let is_of_kind =
            |slot: &Slot| values().filter(|(_, cover)| cover.weight >= most).any(|(best, _)| are_of_kind(slot, best));
        let n_best = values().map(|(_, cover)| cover.n_words).max().unwrap_or(0);
        let is_good = |one: &Answer| {
            let (share_min, n_min) = match slot(one) {
                Some(_) => (VALUE_SHARE_MIN, WORDS_MIN.min(n_best)),
                None if self.is_label(asked, one) => (LABEL_SHARE_MIN, WORDS_MIN),
                // Where something is may be asked in one word.
                None if matches!(one.given, Given::Words(Way::At, _)) => {
                    (NAME_SHARE_MIN, WORDS_MIN.min(asked.stems.len()))
                }
                None => (NAME_SHARE_MIN, WORDS_MIN),
            };
            let weight_min = (COVER_MIN * asked.weight).max(share_min * asked.best);
            one.cover.n_words >= n_min.max(1) && one.cover.weight >= weight_min && slot(one).is_none_or(is_of_kind)
        };
        answers.iter().map(is_good).collect()
    }

    /// Whether a later answer gives something of the same kind, of what may be the same thing, and holds by then.
    fn answers_alike(&self, old: &Answer, new: &Answer) -> bool {
        let (earlier, later) = (self.unit(old.unit), self.unit(new.unit));
        let (before, after) = (self.frame(old.unit), self.frame(new.unit));
        let is_of_kind = match (&old.given, &new.given) {
            (Given::Value(a), Given::Value(b)) => are_of_kind(&after.slots[*b], &before.slots[*a]),
            (Given::Names(_), Given::Names(_)) => true,
            (Given::Words(a, _), Given::Words(b, _)) => a == b,
            _ => false,
        };
        let is_day = matches!(&new.given, Given::Value(n) if after.slots[*n].sort == Sort::Date);
        let is_coming = || !is_day && begins(later).zip(later.day).is_some_and(|(from, day)| from > day);
        let is_later = new.unit > old.unit && later.day > earlier.day && earlier.exchange != later.exchange;
        // `The reduced ticket is 11 euros` says nothing of the day ticket.
        let is_of_other = || match &new.given {
            Given::Value(n) => self.is_of_other_sort(old.unit, new.unit, &after.slots[*n].own),
            _ => false,
        };
        // `The shop also opens on Sundays`: what was said stands beside it.
        let adds = later.has(Cue::Also);
        is_later && !adds && is_of_kind && !self.are_other(before, after, &[]) && !is_coming() && !is_of_other()
    }

    /// Whether two answers are one.
    fn is_same(&self, a: &Answer, b: &Answer) -> bool {
        match (&a.given, &b.given) {
            (Given::Value(n), Given::Value(m)) => {
                let (one, other) = (&self.frame(a.unit).slots[*n], &self.frame(b.unit).slots[*m]);
                one.is_same(other) || one.is_bare_same(other) || other.is_bare_same(one)
            }
            (Given::Names(a), Given::Names(b)) => !a.is_disjoint(b),
            (Given::Words(_, a), Given::Words(_, b)) => a.iter().any(|stem| b.contains(stem)),
            _ => false,
        }
    }

    /// Whether nothing that a statement answers is something that another one answers.
    fn differ(&self, answers: &[Answer], old: &Answer, by: &Answer) -> bool {
        let said = |one: &Answer| self.unit(one.unit).said;
        let (of, other) = (said(old), said(by));
        let all = |of: usize| answers.iter().filter(move |one| said(one) == of);
        !all(of).any(|one| all(other).any(|new| self.is_same(one, new)))
    }
}

/// Whether the last answer names somebody besides those of an old one who alone answers in between: `Ben, after Ada`.
fn names_heir(old: &Answer, last: &Answer, later: &[&Answer]) -> bool {
    let (Given::Names(before), Given::Names(both)) = (&old.given, &last.given) else { return false };
    let heirs: BTreeSet<&String> = both.difference(before).collect();
    let is_heirs = |names: &BTreeSet<String>| names.iter().collect::<BTreeSet<_>>() == heirs;
    before.is_subset(both) && later.iter().any(|one| matches!(&one.given, Given::Names(names) if is_heirs(names)))
}

/// Whether it stays the same which of some answers say enough, whatever other ones there are that do not: how many words a
/// value must share depends on all.
fn are_all_known(answers: &[Answer]) -> bool {
    let mut values = answers.iter().filter(|one| matches!(one.given, Given::Value(_))).peekable();
    values.peek().is_none() || values.any(|one| one.cover.n_words >= WORDS_MIN)
}

/// Whether a sentence says something, on a day.
fn is_told(unit: &Unit<'_>) -> bool {
    !unit.asks && unit.day.is_some()
}

/// Whether two values answer the same: `25 euros`, and `40`, which does not say of what.
fn are_of_kind(a: &Slot, b: &Slot) -> bool {
    let may_be = |bare: &Slot, full: &Slot| {
        bare.is_bare() && matches!(full.sort, Sort::Money | Sort::Percent) && bare.period == full.period
    };
    a.is_comparable(b) && !are_lengths_apart(a, b) || may_be(a, b) || may_be(b, a)
}

/// How many times as long something may take later.
const TIMES_MAX: f64 = 100.0;

/// Whether one of two lengths of time is so much longer that they are of different things: six minutes, 30 days.
fn are_lengths_apart(a: &Slot, b: &Slot) -> bool {
    let seconds = |slot: &Slot| slot.readings.iter().find_map(|reading| reading.parse::<f64>().ok());
    let (Sort::Length, Some(a), Some(b)) = (&a.sort, seconds(a), seconds(b)) else { return false };
    a.max(b) > TIMES_MAX * a.min(b)
}

/// Where something is and where it goes is one.
fn kind_of(way: Way) -> Way {
    if way == Way::Toward { Way::At } else { way }
}

/// The names of a text that are addresses, files or code: they join words.
fn identifiers(text: &str) -> impl Iterator<Item = String> {
    let joins = |ch: char| matches!(ch, '_' | '.' | '/' | '@');
    // Most texts join no words, and reading all that a text says takes longer than looking for that.
    let text = if text.trim_end_matches(['.', '!', '?', ' ']).contains(joins) { text } else { "" };
    let is_joined = move |value: &ground::Value| value.sort == Sort::Name && value.span.of(text).contains(joins);
    ground::values(text, None).into_iter().filter(is_joined).flat_map(|value| value.readings)
}

impl Asked {
    /// Whether a value is of a kind that is asked for.
    fn asks_for(&self, slot: &Slot) -> bool {
        let is_held = !slot.is_old && !slot.is_denied;
        let is_named_unit = matches!(&slot.sort, Sort::Count(unit) if unit.starts_with('\u{1}'));
        match self.asks {
            // When something is: then a time is what is said, and no circumstance.
            Some(Asks::When) => {
                let is_time = slot.says_when();
                is_held && (is_time || slot.is_value() && is_named_unit)
            }
            Some(Asks::Amount) => {
                let is_counted = matches!(slot.sort, Sort::Count(_)) && !is_named_unit;
                let is_asked = slot.noun.is_none_or(|noun| self.counted.contains(&noun));
                // `The bun costs 1.60`: where an amount of it is asked for, a number is one.
                let is_bare = slot.is_bare() && !slot.is_time && slot.own.iter().any(|stem| self.stems.contains(stem));
                is_held && (slot.is_value() || is_bare) && (is_asked || !is_counted)
            }
            None | Some(Asks::Often) => is_held && slot.is_value(),
            Some(Asks::Person | Asks::Reason | Asks::Way | Asks::Change | Asks::Open) => false,
        }
    }
}

#[cfg(test)]
mod tests;

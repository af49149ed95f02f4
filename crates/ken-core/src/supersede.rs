//! Which statements no longer hold because of a later one.
//!
//! [`replaced`] takes statements in the order in which they were said and returns for each what took its place, and by
//! what evidence. A value that merely differs from an earlier one replaces nothing: a statement must say that something
//! changed, by naming the old and the new, by a word of change, or by saying that something ended; or say in the same
//! words what a thing has one of, with another value (`restated`). It must be about the same thing, and neither ask, wish,
//! guess nor report. It decides on the statements alone, needs no model, and prefers to overlook a change to declaring one
//! that is none.
//!
//! The steps and thresholds are from a prototype that was measured on conversations of a month, on logs and on coding
//! sessions: a pair of old and new is right wherever the old was said before; a word of change is right from a similarity
//! of 0.45 on if both statements share a word of their own clause; a differing value alone was right in 3 of 135 cases.

mod answered;
mod back;
mod begins;
mod changed;
mod clauses;
mod cues;
mod denied;
mod displaced;
mod echo;
mod ended;
mod found;
mod frame;
mod lasts;
mod near;
mod noted;
mod paired;
mod read;
mod renamed;
mod restated;
mod retracted;
mod same;
mod slot;
mod stale;
mod swapped;
#[cfg(test)]
mod tests;
mod together;
mod unit;
mod word;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::action::{Statement, closed, words_of};
use crate::ground::{self, Sort};
use crate::language::Phrases;
use crate::search::Asks;
use crate::span::Span;
use crate::text::sentences;
use crate::time::Date;
use crate::words::{folded_words, words};
use begins::begins;
pub use begins::{begins_on, names_day};
pub use clauses::{Parted, clauses, parted};
use cues::Cue;
pub use echo::{Saying, value_before};
pub use found::is_over_alone;
pub use lasts::lasts_until;
use near::Near;
use noted::Notes;
use read::Texts;
pub use renamed::{Renamed, renames, speaks_of_names};
pub use retracted::takes_back;
use slot::{Frame, Slot};
use unit::Unit;

/// A statement.
#[derive(Debug, Clone, Copy)]
pub struct Said<'t> {
    /// What it says, one or several sentences.
    pub text: &'t str,
    /// The day on which it was said.
    pub day: Option<Date>,
    /// What it was said in: statements of one exchange stand beside each other and do not replace one another by a word of
    /// change alone.
    pub exchange: usize,
    /// Whether it may replace others.
    pub may_replace: bool,
    /// Whether it stands where entries say what is to be done.
    pub is_action: bool,
    /// Whether it goes on in the text that the one before it is a sentence of.
    pub goes_on: bool,
}

impl<'t> Said<'t> {
    /// Returns a statement of which nothing is known but what it says, and when.
    pub fn alone(text: &'t str, day: Option<Date>) -> Said<'t> {
        Said { text, day, exchange: 0, may_replace: true, is_action: false, goes_on: false }
    }
}

/// By what a statement shows that another no longer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// It names the old and the new.
    Pair,
    /// It has another value and a word of change.
    Change,
    /// It has another value, says the same in the same words, and no word of change.
    Restated,
    /// It says that something ended.
    End,
    /// The value was replaced before it was said again.
    Stale,
    /// It says that what was to be done is done.
    Done,
}

/// What took a statement's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replaced {
    /// The place of the statement that says so.
    pub by: usize,
    /// How it shows.
    pub evidence: Evidence,
    /// The day from which it says that something else holds, where it says one.
    pub from: Option<Date>,
}

/// Least similarity of what a pair is about: that the old value was said is the evidence.
const PAIR_MIN: f32 = 0.12;
/// The same where words or names are replaced: they are said for many reasons.
const WORDS_MIN: f32 = 0.3;
/// Least similarity where a word of change is the evidence.
const CHANGE_MIN: f32 = 0.36;
/// The same of their clauses alone.
const CLAUSE_MIN: f32 = 0.65;
/// The same where something returns.
const BACK_MIN: f32 = 0.4;
/// Least weight of the words that both say of it.
const SHARED_MIN: f32 = 2.5;
/// Most words of a sentence that says what something is: a longer one tells more than that.
const STATE_WORDS_MAX: usize = 16;
/// What is less alike than this share of the most alike is about something else.
const RUNNER_UP: f32 = 0.8;
/// How far from the day on which it was said something may begin to hold, where nothing else says that it is new.
const ABOUT_NOW_DAYS: i32 = 60;
/// So many statements that hold, each with another value, are of several things, or read something off.
const MANY_MIN: usize = 3;

/// What statements say of each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judged {
    /// What took the place of each, if anything did.
    pub replaced: Vec<Option<Replaced>>,
    /// The later one that answers a question with something else of the same kind, or says another value in the same words,
    /// if there is one.
    pub later: Vec<Option<usize>>,
}

/// Returns what took the place of each statement, if anything did; `said` is in order of time.
pub fn replaced(said: &[Said<'_>]) -> Vec<Option<Replaced>> {
    judged(said, None).replaced
}

/// Returns what took the place of each statement, and which later one answers a question otherwise; `said` is in order of
/// time. Those that ask, guess, report or wish answer nothing, and only what asks for a thing has an answer.
///
/// ```
/// # use ken_core::supersede::{Said, judged};
/// let day = |day: &str| day.parse().ok();
/// let said = |text, day, exchange| Said { text, day, exchange, may_replace: true, is_action: false, goes_on: false };
/// let all = [
///     said("The big oven bakes at 220 degrees.", day("2026-03-02"), 0),
///     said("We bake at 240 degrees in the big oven.", day("2026-03-09"), 1),
/// ];
/// let judged = judged(&all, Some("At how many degrees does the big oven bake?"));
/// assert_eq!((judged.replaced, judged.later), (vec![None, None], vec![Some(1), None]));
/// ```
pub fn judged(said: &[Said<'_>], question: Option<&str>) -> Judged {
    let question = question.filter(|question| Asks::is_open(question) && !Asks::is_of_past(question));
    let mut out = changed_by(said, question);
    // What says when a task will be done leaves it open.
    for (at, one) in said.iter().enumerate().filter(|(_, one)| one.is_action) {
        let is_planned = |by: &Replaced| by.evidence != Evidence::End && says_plan(said[by.by].text, one.text);
        out.replaced[at] = out.replaced[at].filter(|by| !is_planned(by));
    }
    let told =
        said.iter().map(|one| (one.exchange, Statement { text: one.text, is_marked: one.is_action, is_listed: false }));
    for (at, by) in closed(&told.collect::<Vec<_>>()).into_iter().enumerate() {
        let done =
            by.filter(|by| said[*by].may_replace).map(|by| Replaced { by, evidence: Evidence::Done, from: None });
        out.replaced[at] = out.replaced[at].or(done);
    }
    out
}

/// Whether a text says of what is to be done that it will be: `The bakery will be painted in June`.
fn says_plan(text: &str, task: &str) -> bool {
    static PLAN: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.senses.plan));
    let task = words_of(task);
    sentences(text).into_iter().map(|one| one.of(text)).any(|one| {
        let n_shared = words_of(one).intersection(&task).count();
        n_shared * 2 >= task.len() && PLAN.are_in(&folded_words(one))
    })
}

/// What shows, of a statement alone, that it may stand in the place of others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Whether it says that something changed or ended.
    pub tells_change: bool,
    /// Whether it says what holds since something changed, not only that something ended or is not.
    pub tells_new: bool,
    /// The labels of its notes, each as words that two notes of the same thing share.
    pub labels: Vec<String>,
    /// Whether it has nothing but notes.
    pub is_note: bool,
}

/// Returns whether a statement may stand in the place of others, and by which labels.
///
/// A note is a label with a value, and says what is so without a verb.
///
/// ```
/// # use ken_core::supersede::reach;
/// assert!(reach("The ovens are lit at five instead of six.").tells_change);
/// assert_eq!(reach("Deposit 25 euros.").labels, reach("Deposits: 40 euros").labels);
/// ```
pub fn reach(text: &str) -> Reach {
    let said = [Said::alone(text, None)];
    let plain = read::plain(&said);
    let texts = Texts::read(&said, &plain);
    let may_end = [Cue::Departs, Cue::Not];
    let tells = |unit: &Unit<'_>| {
        let is_taken_up = unit.has(Cue::Owns) && unit.has(Cue::Since);
        unit.may_change() || is_taken_up || may_end.iter().any(|cue| unit.has(*cue))
    };
    let tells_new = texts.units.iter().any(|unit| !unit.asks && unit.may_change());
    let labels: Vec<String> = (0..texts.units.len()).flat_map(|at| noted::labels(&texts, at)).collect();
    let is_note = !labels.is_empty() && (0..texts.units.len()).all(|at| noted::is_note(&texts, at));
    Reach { tells_change: texts.units.iter().any(|unit| !unit.asks && tells(unit)), tells_new, labels, is_note }
}

/// Returns where a text names a value as what was before: `9:15` of `9:45 instead of 9:15`. Dates without a year are read
/// on `day`.
///
/// ```
/// # use ken_core::supersede::named_as_old;
/// let text = "The oven opens at 9:45 instead of 9:15.";
/// let old: Vec<&str> = named_as_old(text, None).into_iter().map(|span| span.of(text)).collect();
/// assert_eq!(old, ["9:15"]);
/// ```
pub fn named_as_old(text: &str, day: Option<Date>) -> Vec<Span> {
    let said = [Said::alone(text, day)];
    let plain = read::plain(&said);
    let texts = Texts::read(&said, &plain);
    let mut out = Vec::new();
    for (at, unit) in texts.units.iter().enumerate() {
        let frame = texts.frame(at);
        let old = frame.slots.iter().filter(|slot| slot.is_old);
        // The words are those of the text with its markup taken off, so that what is named is looked for again.
        let named = old.map(|slot| Span::new(unit.tokens[slot.start].span.start, unit.tokens[slot.end - 1].span.end));
        let place = |span: Span| text.find(span.of(unit.text)).map(|at| Span::new(at, at + span.of(unit.text).len()));
        out.extend(named.filter_map(place));
    }
    out
}

/// Returns whether a statement says that something stays as another statement says it, with all values of that one.
///
/// ```
/// # use ken_core::supersede::keeps;
/// assert!(keeps("Rye: we stay with Mill Lane, the other mill is too dear.", "The rye comes from Mill Lane."));
/// assert!(!keeps("The rye comes from Mill Lane now.", "The rye comes from Mill Lane."));
/// assert!(!keeps("We stay with Mill Lane.", "The rye comes from Upper Mill."));
/// ```
pub fn keeps(text: &str, old: &str) -> bool {
    let said = [Said::alone(text, None)];
    let plain = read::plain(&said);
    let texts = Texts::read(&said, &plain);
    let former = named_as_old(text, None);
    let is_former = |span: Span| former.iter().any(|old| old.start < span.end && span.start < old.end);
    let valued = |text: &str| ground::values(text, None).into_iter().filter(|value| value.sort != Sort::Name);
    let held: Vec<ground::Value> = valued(text).filter(|value| !is_former(value.span)).collect();
    let holds = |value: &ground::Value| {
        held.iter().any(|own| own.sort == value.sort && own.readings.iter().any(|one| value.readings.contains(one)))
    };
    let values: Vec<ground::Value> = valued(old).collect();
    let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let said_now: BTreeSet<&str> =
        words(text).into_iter().filter(|span| !is_former(*span)).map(|span| span.of(text)).collect();
    let names: Vec<&str> = words(old).into_iter().skip(1).map(|span| span.of(old)).filter(is_name).collect();
    let is_said = !values.is_empty() || !names.is_empty();
    is_said
        && texts.units.iter().any(|unit| unit.has(Cue::Keeps))
        && values.iter().all(holds)
        && names.iter().all(|name| said_now.contains(*name))
}

/// What took the place of each statement because something is otherwise since, and what answers a question otherwise.
fn changed_by(said: &[Said<'_>], question: Option<&str>) -> Judged {
    // The question is read with the statements, so that its words are theirs, and says nothing.
    let asks =
        |text| Said { text, day: None, exchange: usize::MAX, may_replace: false, is_action: false, goes_on: false };
    let all: Vec<Said<'_>> = said.iter().copied().chain(question.map(asks)).collect();
    in_world(&all, said.len(), |mut world| {
        for at in 0..world.shared.len() {
            world.tell(at);
        }
        world.together();
        world.stale();
        let later = |question| {
            let mut later = world.answered_later(question, said.len());
            world.said_otherwise(&mut later);
            later
        };
        let later = question.map_or_else(|| vec![None; said.len()], later);
        Judged { replaced: world.out, later }
    })
}

/// Looks at all that is said, of which the first `n_said` say something.
fn in_world<T>(all: &[Said<'_>], n_said: usize, look: impl FnOnce(World<'_>) -> T) -> T {
    let plain = read::plain(all);
    let texts = Texts::read(all, &plain);
    let n_units = texts.units.partition_point(|unit| unit.said < n_said);
    let near = Near::of(&texts, n_units);
    let notes = Notes::of(&texts, n_units);
    let (out, shared) = (vec![None; n_said], vec![0.0; n_units]);
    look(World { said: all, texts: &texts, near: &near, notes: &notes, out, shared })
}

/// All statements, and what became of them so far.
struct World<'w> {
    said: &'w [Said<'w>],
    texts: &'w Texts<'w>,
    near: &'w Near,
    notes: &'w Notes,
    out: Vec<Option<Replaced>>,
    /// Scratch space, one a sentence of the statements, see [`Near::like`].
    shared: Vec<f32>,
}

/// A statement that may have been replaced, by which of the later values, and how alike both are.
struct Candidate {
    old: usize,
    value: usize,
    alike: f32,
}

/// Whether so many statements would be replaced at once that a thing seems to have several such values.
fn are_many(found: &[Candidate]) -> bool {
    found.len() >= MANY_MIN
}

impl<'w> World<'w> {
    fn unit(&self, at: usize) -> &'w Unit<'w> {
        &self.texts.units[at]
    }

    fn frame(&self, at: usize) -> &'w Frame {
        self.texts.frame(at)
    }

    /// Takes what one sentence says of those before it.
    fn tell(&mut self, at: usize) {
        let unit = self.unit(at);
        if self.said[unit.said].may_replace && !unit.is_unsure() {
            self.change(at);
            self.kept(at);
            self.note(at);
        }
    }

    /// Takes what a sentence says to be otherwise.
    fn change(&mut self, at: usize) {
        let unit = self.unit(at);
        let across = self.pairs_across(at);
        let near = self.near;
        let begins = unit.has(Cue::Since) && self.frame(at).begins;
        self.take_found(at);
        self.take_displaced(at);
        self.take_denied(at);
        self.take_retracted(at);
        if !(unit.may_change() || begins || self.takes_up(unit)) && across.is_empty() && self.gone(at).is_empty() {
            if !self.said[unit.said].is_action && self.may_restate(at) {
                let like = near.like(unit, at, 0..at, &mut self.shared);
                self.restate(at, &like);
            }
            return;
        }
        let like = near.like(unit, at, 0..at, &mut self.shared);
        self.returns(at, &like);
        let mut candidates: Vec<Candidate> = Vec::new();
        for old in like {
            let earlier = self.unit(old);
            if earlier.said == unit.said || earlier.asks {
                continue;
            }
            if self.near.is_repeated(earlier, unit) {
                continue;
            }
            let is_beside = earlier.exchange == unit.exchange;
            let mut pairs = self.frame(at).pairs.iter().chain(&across);
            if pairs.any(|pair| self.is_old_of(old, pair, at) && !(is_beside && self.announces(earlier.said, pair))) {
                self.replace(old, at, Evidence::Pair);
            } else if !is_beside && self.frame(at).ends.iter().any(|ended| self.is_ended(old, ended, at)) {
                self.replace(old, at, Evidence::End);
            } else if !is_beside {
                candidates.extend(self.changed(old, at));
            }
        }
        // What is less alike than another is about something else.
        let best =
            |value: usize| candidates.iter().filter(|one| one.value == value).map(|one| one.alike).fold(0.0, f32::max);
        let taken: Vec<&Candidate> = candidates.iter().filter(|one| one.alike >= RUNNER_UP * best(one.value)).collect();
        let ends: Vec<usize> = taken.iter().flat_map(|one| self.ends_of(one, &candidates)).collect();
        let old: Vec<usize> = taken.iter().map(|one| one.old).chain(ends).collect();
        old.into_iter().for_each(|old| self.replace(old, at, Evidence::Change));
    }

    /// Of candidates those that hold in the place of one that was replaced before: what takes the place of any statement of
    /// a thing takes that of the last.
    fn ends_of(&self, candidate: &Candidate, all: &[Candidate]) -> Vec<usize> {
        let next = |said: usize| self.out[said].map(|one| one.by).filter(|next| *next > said);
        let last = std::iter::successors(next(self.unit(candidate.old).said), |said| next(*said)).last();
        let is_it = |one: &&Candidate| one.value == candidate.value && Some(self.unit(one.old).said) == last;
        all.iter().filter(is_it).map(|one| one.old).collect()
    }

    /// Takes what a sentence without a word of change says in the place of what was said of the same thing.
    fn restate(&mut self, at: usize, like: &[usize]) {
        let unit = self.unit(at);
        let is_before = |old: &&usize| {
            let earlier = self.unit(**old);
            earlier.exchange != unit.exchange
                && !earlier.asks
                && !self.said[earlier.said].is_action
                && earlier.day < unit.day
                && self.out[earlier.said].is_none()
        };
        let found: Vec<Candidate> = like.iter().filter(is_before).flat_map(|old| self.restated(*old, at)).collect();
        let best = found.iter().map(|one| one.alike).fold(0.0, f32::max);
        if are_many(&found) {
            return;
        }
        for one in found.iter().filter(|one| one.alike >= RUNNER_UP * best) {
            self.replace(one.old, at, Evidence::Restated);
            self.stands_again(self.unit(one.old).said, &self.frame(at).slots[one.value], like);
        }
    }

    /// What a statement took the place of by another value alone holds, now that its value is said again; it is among what
    /// is like the one that says so.
    fn stands_again(&mut self, by: usize, value: &Slot, like: &[usize]) {
        let is_it = |one: Option<Replaced>| one.is_some_and(|one| one.by == by && one.evidence == Evidence::Restated);
        for old in like.iter().copied() {
            let said = self.unit(old).said;
            if is_it(self.out[said]) && self.frame(old).slots.iter().any(|slot| slot.is_same(value)) {
                self.out[said] = None;
            }
        }
    }

    fn replace(&mut self, old: usize, by: usize, evidence: Evidence) {
        let (old, by) = (self.unit(old).said, self.unit(by));
        // Who names both is clearer than who said before, in the same exchange, only what holds now.
        let is_clearer = |known: Replaced| {
            (known.evidence, evidence) == (Evidence::Change, Evidence::Pair)
                && known.by != by.said
                && self.said[known.by].exchange == by.exchange
        };
        if self.out[old].is_none_or(is_clearer) && old != by.said {
            // What the earlier statement names is the old value: `from 14 April to 28 April`.
            let from = begins(by).filter(|from| !names_day(self.said[old].text, self.said[old].day, *from));
            self.out[old] = Some(Replaced { by: by.said, evidence, from });
        }
    }

    /// Whether a sentence says who has a task from about the day on which it was said.
    fn takes_up(&self, unit: &Unit<'_>) -> bool {
        if !unit.has(Cue::Owns) || !unit.has(Cue::Since) {
            return false;
        }
        let n_days = begins(unit).zip(unit.day).map(|(from, day)| (from - day).get_days().abs());
        n_days.is_some_and(|n_days| n_days <= ABOUT_NOW_DAYS)
    }

    /// The sentences of a statement.
    fn units_of(&self, said: usize) -> Vec<usize> {
        let units = &self.texts.units;
        let first = units.partition_point(|unit| unit.said < said);
        (first..units.len()).take_while(|at| units[*at].said == said).collect()
    }
}

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
//!
//! Long because every way of replacing compares the same two sentences.

mod answered;
mod begins;
mod changed;
mod clauses;
mod cues;
mod denied;
mod echo;
mod found;
mod frame;
mod near;
mod noted;
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
pub use found::finds_otherwise;
use frame::{Ended, Frame};
use near::Near;
use noted::Notes;
use read::{Texts, Unit};
pub use renamed::{Renamed, renames};
pub use retracted::takes_back;
use slot::{Filler, Pair, Side, Slot, Way};

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
/// What that counts of words, which differ for many reasons.
const CLAUSE_SHARE: f32 = 0.85;
/// The same for names, which differ for many reasons.
const NAME_MIN: f32 = 0.6;
/// The same where something returns.
const BACK_MIN: f32 = 0.4;
/// The same where it only says `again`.
const AGAIN_MIN: f32 = 0.55;
/// Least share of what is said to have ended that the earlier statement has, and how many of its words.
const END_MIN: f32 = 0.45;
const END_WORDS_MIN: usize = 2;
/// Least similarity of both.
const END_ALIKE_MIN: f32 = 0.4;
/// The same where both name the day of the week, and share more than words that every text uses.
const END_DAY_MIN: f32 = 0.2;
/// The same where they share words that every text uses, and names.
const VAGUE_END_MIN: f32 = 0.65;
/// The same where the value is a word, said in the same way.
const FILLER_MIN: f32 = 0.45;
/// Least weight of the words that both say of it, and most words of a sentence that says what something is: a longer one
/// tells more than that.
const SHARED_MIN: f32 = 2.5;
/// Least similarity where only words that every text uses are shared, or stand for each other.
const VAGUE_MIN: f32 = 0.7;
const LITTLE_MIN: f32 = 0.55;
/// Least similarity where only a verb of change stands before the new word.
const ANY_MIN: f32 = 0.5;
/// How much more alike two sentences are if the later one names the old word too.
const NAMED_MORE: f32 = 0.12;
const STATE_WORDS_MAX: usize = 16;
/// What is less alike than this share of the most alike is about something else.
const RUNNER_UP: f32 = 0.8;
/// How many sentences back a value may stand that is denied.
const ACROSS: usize = 2;
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
/// let said = |text, day, exchange| Said { text, day, exchange, may_replace: true, is_action: false };
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
        let folded = folded_words(one);
        let n_shared = words_of(one).intersection(&task).count();
        n_shared * 2 >= task.len() && (0..folded.len()).any(|at| PLAN.takes(&folded[at..]) > 0)
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
    let said = [Said { text, day: None, exchange: 0, may_replace: true, is_action: false }];
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
    let said = [Said { text, day, exchange: 0, may_replace: true, is_action: false }];
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
    let said = [Said { text, day: None, exchange: 0, may_replace: true, is_action: false }];
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
    let asks = |text| Said { text, day: None, exchange: usize::MAX, may_replace: false, is_action: false };
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
        if self.out[old].is_none() && old != by.said {
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

    /// A value that a sentence before denies or calls unfit, and another of the same kind in its place: `The 14th is not
    /// possible. We open on 18 May.`
    fn pairs_across(&self, at: usize) -> Vec<Pair> {
        let unit = self.unit(at);
        let mut out = self.corrected(at);
        for before in (at.saturating_sub(ACROSS)..=at).filter(|before| self.unit(*before).said == unit.said) {
            let earlier = self.unit(before);
            if earlier.is_unsure() || !(earlier.has(Cue::Unfit) || earlier.has(Cue::Not)) {
                continue;
            }
            // Within a sentence `not the 4th or the 5th` denies both.
            let is_apart = before < at || unit.has(Cue::Unfit);
            let denied = self.frame(before).slots.iter().filter(|slot| is_apart && slot.is_denied && slot.is_value());
            for old in denied {
                let new = self.frame(at).slots.iter().find(|slot| {
                    (before < at || slot.start > old.start)
                        && !slot.is_denied
                        && slot.is_comparable(old)
                        && !slot.is_same(old)
                });
                let own = |new: &Slot| {
                    old.own.iter().chain(&new.own).copied().collect::<BTreeSet<u32>>().into_iter().collect()
                };
                out.extend(new.map(|new| Pair {
                    old: Side::Value(old.clone()),
                    new: Some(Side::Value(new.clone())),
                    own: own(new),
                    is_strict: false,
                }));
            }
        }
        out
    }

    /// `It takes 15 minutes. That was wrong, it takes 20.`
    fn corrected(&self, at: usize) -> Vec<Pair> {
        let unit = self.unit(at);
        let opens = unit.all(Cue::Corrects).any(|found| found.start == 0 && found.end > 1);
        let Some(before) = at.checked_sub(1).filter(|before| opens && self.unit(*before).said == unit.said) else {
            return Vec::new();
        };
        let pair = |old: &Slot| {
            let new = self.frame(at).slots.iter().find(|new| new.is_comparable(old) && !new.is_same(old))?;
            let (old, own) = (old.clone(), old.own.clone());
            Some(Pair { old: Side::Value(old), new: Some(Side::Value(new.clone())), own, is_strict: false })
        };
        self.frame(before).slots.iter().filter(|old| old.is_value()).filter_map(pair).collect()
    }

    /// Whether a sentence says the old side of a pair, of the same thing.
    fn is_old_of(&self, old: usize, pair: &Pair, by: usize) -> bool {
        let (earlier, frame, later) = (self.unit(old), self.frame(old), self.unit(by));
        let around = if pair.own.is_empty() { &later.stems } else { &pair.own };
        let alike = |own: &[u32], but: &[u32]| {
            let (a, b) = (self.near.keys(earlier, old, own, but), self.near.keys(later, by, around, but));
            self.near.similarity(&a, &b)
        };
        match &pair.old {
            Side::Value(value) => {
                let says_new = matches!(&pair.new, Some(Side::Value(new)) if frame.slots.iter().any(|slot| slot.is_same(new) && !slot.is_old));
                let mut said =
                    frame.slots.iter().filter(|slot| !slot.is_old && (slot.is_same(value) || slot.is_bare_same(value)));
                !says_new
                    && !self.names_another(old, by, around)
                    && said.any(|slot| {
                        let is_loose = value.is_bare() || value.is_day_alone() || slot.is_day_alone();
                        let least = if is_loose { WORDS_MIN } else { PAIR_MIN };
                        alike(&slot.own, &[]) >= least
                    })
            }
            Side::Words(words) => {
                let holds = |stems: &[u32], words: &[u32]| words.iter().all(|word| stems.contains(word));
                let says_new =
                    matches!(&pair.new, Some(Side::Words(new)) if !new.is_empty() && holds(&earlier.stems, new));
                // Who has the old as what was before tells of the same change.
                let tells = frame
                    .pairs
                    .iter()
                    .any(|own| matches!(&own.old, Side::Words(old) if old.iter().any(|word| words.contains(word))));
                let is_placed = |filler: &&Filler| filler.way != Way::Object || !later.is_code;
                let said = |filler: &&Filler| holds(&filler.stems, words) && !filler.is_denied;
                let mut placed = frame.fillers.iter().filter(is_placed).filter(said);
                let is_renamed = self.frame(by).renames
                    && frame.fillers.iter().any(|filler| filler.way == Way::Named && holds(&filler.stems, words));
                if is_renamed && !says_new && !tells {
                    return true;
                }
                // `Breadbot was renamed, and the customers were told` says nothing of what it does for customers.
                if self.frame(by).renames && pair.is_strict {
                    return false;
                }
                let is_said = match pair.is_strict || later.is_code {
                    true if earlier.has(Cue::Views) || earlier.has(Cue::Unsure) => false,
                    true => placed.any(|filler| self.shares(&filler.own, around, old)),
                    false => holds(&earlier.stems, words) && earlier.tokens.len() <= 2 * STATE_WORDS_MAX,
                };
                let rest: Vec<u32> = earlier.stems.iter().copied().filter(|stem| !words.contains(stem)).collect();
                if self.is_of_kind(old, by) {
                    return false;
                }
                let is_it = || is_said && alike(&rest, words) >= WORDS_MIN || self.is_swapped(old, pair, by);
                !says_new && !tells && is_it()
            }
        }
    }

    /// Whether a statement says the new side of a pair too: then what answers it only says the same again.
    fn announces(&self, said: usize, pair: &Pair) -> bool {
        let says = |at: usize| match &pair.new {
            Some(Side::Value(new)) => {
                self.frame(at).slots.iter().any(|slot| slot.is_same(new) && !slot.is_old && !slot.is_denied)
            }
            Some(Side::Words(new)) => new.iter().any(|stem| self.unit(at).stems.contains(stem)),
            // A name that nothing takes the place of is not replaced by what stands beside it.
            None => !pair.is_of_values(),
        };
        // Who tells of the same change says no longer what was.
        let is_old = |other: &Pair| match (&other.old, &pair.old) {
            (Side::Words(own), Side::Words(old)) => own.iter().any(|stem| old.contains(stem)),
            _ => false,
        };
        self.units_of(said).into_iter().any(|at| says(at) || self.frame(at).pairs.iter().any(is_old))
    }

    /// Whether the words of a clause, or what it leans on, are among others.
    fn shares(&self, own: &[u32], around: &[u32], at: usize) -> bool {
        own.iter().chain(self.near.context(at)).any(|stem| around.contains(stem))
    }

    /// The words of a sentence without those of clauses that say why, where none of some words stand in these.
    fn beside_shared(&self, unit: &Unit<'_>, shared: &[u32]) -> Vec<u32> {
        let stem = |token: &read::Token| self.texts.words[token.word as usize].stem;
        let says_why = |clause: u16| {
            let mut own = unit.tokens.iter().filter(|token| token.clause == clause);
            unit.is_reason(clause) && !own.any(|token| shared.contains(&stem(token)))
        };
        let aside = unit.tokens.iter().filter(|token| says_why(token.clause)).map(stem).collect::<BTreeSet<u32>>();
        unit.stems.iter().copied().filter(|stem| !aside.contains(stem)).collect()
    }

    /// Whether a sentence says that what ended is in use, or took another's place: `We use Ovenhub`, of which `We dropped
    /// Ovenhub` says no more.
    fn is_dropped(&self, old: usize, ended: &Ended) -> bool {
        let (earlier, frame) = (self.unit(old), self.frame(old));
        let took = |pair: &Pair| matches!(&pair.new, Some(Side::Words(words)) if *words == ended.stems);
        let is_told = !earlier.is_doubtful() && !earlier.has(Cue::Not) && !earlier.has(Cue::Unfit);
        ended.is_name && is_told && (frame.pairs.iter().any(took) || self.is_in_use(old, &ended.stems))
    }

    /// Whether a sentence says most of what is said to have ended.
    fn is_ended(&self, old: usize, ended: &Ended, by: usize) -> bool {
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

    /// What is brought back ends what had taken its place.
    fn returns(&mut self, at: usize, like: &[usize]) {
        let unit = self.unit(at);
        if !(self.unit(at).has(Cue::Back) || self.unit(at).has(Cue::Again)) {
            return;
        }
        let mut ended: Vec<usize> = Vec::new();
        for old in like.iter().copied() {
            let earlier = self.unit(old);
            let Some(replaced) = self.out[earlier.said].filter(|one| one.by < unit.said) else { continue };
            // What names something itself leans on nothing.
            let later = match unit.stems.len() {
                0 | 1 => self.near.keys(unit, at, &unit.stems, &[]),
                _ => self.near.keys_alone(unit, &unit.stems, &[]),
            };
            let alike = self.near.similarity(&self.near.keys(earlier, old, &earlier.stems, &[]), &later);
            let least = if unit.has(Cue::Back) { BACK_MIN } else { AGAIN_MIN };
            if alike < least || self.out[replaced.by].is_some() || self.said[replaced.by].exchange == unit.exchange {
                continue;
            }
            let by: Vec<usize> = self.units_of(replaced.by);
            let is_gone = |stem: &u32| !by.iter().any(|by| self.unit(*by).stems.contains(stem));
            // Who ends or replaces something names it too.
            let is_named_old = |stem: &u32| {
                let frames = by.iter().map(|by| self.frame(*by));
                frames.into_iter().any(|frame| {
                    let was = |pair: &Pair| matches!(&pair.old, Side::Words(words) if words.contains(stem));
                    frame.pairs.iter().any(was) || frame.ends.iter().any(|ended| ended.stems.contains(stem))
                })
            };
            let is_brought =
                |filler: &Filler| filler.stems.iter().all(|stem| unit.stems.contains(stem) && is_named_old(stem));
            let shared: Vec<&u32> = earlier.stems.iter().filter(|stem| unit.stems.contains(stem)).collect();
            // `We order boards again` does again what was done, and brings nothing back.
            let is_told = shared.len() > 1 && (unit.has(Cue::Back) || !self.acts(at));
            let words = is_told && shared.into_iter().any(is_gone) || self.frame(old).fillers.iter().any(is_brought);
            let values = self.frame(old).slots.iter().filter(|slot| !slot.is_bare());
            let mut values = values.filter(|slot| {
                !by.iter().any(|by| self.frame(*by).slots.iter().any(|new| new.is_same(slot) && !new.is_old))
            });
            if words || values.any(|slot| self.frame(at).slots.iter().any(|new| new.is_same(slot) && !new.is_time)) {
                ended.push(replaced.by);
            }
        }
        for said in ended {
            let first = self.units_of(said)[0];
            self.replace(first, at, Evidence::Change);
        }
    }

    /// Whether a sentence says what somebody is to do.
    fn acts(&self, at: usize) -> bool {
        self.unit(at).has(Cue::Must)
    }

    /// The sentences of a statement.
    fn units_of(&self, said: usize) -> Vec<usize> {
        let units = &self.texts.units;
        let first = units.partition_point(|unit| unit.said < said);
        (first..units.len()).take_while(|at| units[*at].said == said).collect()
    }
}

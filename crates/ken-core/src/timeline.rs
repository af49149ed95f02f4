//! How what is said of a subject changed: chains of statements, each the successor of those before it, and the value
//! that moves along a chain.
//!
//! Takes statements and what took the place of each, as pages say it; decides nothing about what was replaced. The value
//! is found by comparing a statement with its successor: what of one kind and unit differs, said among the same words. It
//! is for the eye: where none is found, the sentence stands for itself.

mod asked;
mod course;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::ground::{Sort, Value, values};
use crate::language::{LEXICONS, Phrases, Questions, WordSet};
use crate::span::Span;
use crate::text::sentences;
use crate::time::Date;
use crate::words::{fold, folded_words, is_stop, stem, words};

pub use asked::{AskedHistory, Wanted};
pub use course::{Choice, Chosen, Course, CourseSaid, CourseStep, choose};

/// A statement with what took its place.
#[derive(Debug, Clone, Copy)]
pub struct Told<'t> {
    /// What it says.
    pub text: &'t str,
    /// The day on which it was said first.
    pub day: Option<Date>,
    /// What took its place.
    pub by: Option<By>,
}

/// What took the place of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct By {
    /// Its place among the statements.
    pub at: usize,
    /// The day on which it was said in the place of the other one.
    pub day: Option<Date>,
}

/// Statements that led to one another, and the one that stands at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The oldest first; at least two.
    pub steps: Vec<Step>,
}

/// What held for a time, however often it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The day on which it was said first.
    pub day: Option<Date>,
    /// The values, as they were said; none where only the sentence says what changed.
    pub values: Vec<String>,
    /// The statements that say it, by their places.
    pub told: Vec<usize>,
}

/// Words before a value, and behind it, that say what it is the value of.
const WORDS_BEFORE: usize = 6;
const WORDS_BEHIND: usize = 4;
/// How much it counts that the later statement names the earlier value too.
const NAMES_OLD: usize = 4;
/// How much a number, a date or an amount counts beside a name: names differ for many reasons.
const IS_NO_NAME: usize = 2;

/// Returns the chains that statements make, in order of their first day.
///
/// ```
/// # use ken_core::timeline::{By, Told, chains};
/// let told = [
///     Told { text: "The kit costs 89 euros.", day: None, by: Some(By { at: 1, day: None }) },
///     Told { text: "The kit costs 95 euros now.", day: None, by: None },
/// ];
/// let found = chains(&told);
/// assert_eq!(found[0].steps[0].values, ["89 euros"]);
/// assert_eq!(found[0].steps[1].values, ["95 euros"]);
/// ```
pub fn chains(told: &[Told<'_>]) -> Vec<Chain> {
    let mut by_end: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for at in (0..told.len()).filter(|at| told[*at].by.is_some()) {
        let end = path(told, at).last().copied().unwrap_or(at);
        by_end.entry(end).or_default().extend([at, end]);
    }
    let mut out: Vec<Chain> = by_end.iter().map(|(end, of)| chain(told, *end, of)).collect();
    let first = |chain: &Chain| {
        let step = chain.steps.first();
        (step.and_then(|step| step.day), step.and_then(|step| step.told.first().copied()))
    };
    out.retain(|chain| chain.steps.len() > 1);
    out.sort_by_key(first);
    out
}

/// A statement, what took its place, and so on; ends also where damaged input runs in a circle.
fn path(told: &[Told<'_>], at: usize) -> Vec<usize> {
    let mut out = vec![at];
    let next = |at: usize| told[at].by.map(|by| by.at).filter(|by| *by < told.len());
    while let Some(by) = out.last().copied().and_then(next).filter(|by| !out.contains(by)) {
        out.push(by);
    }
    out
}

fn chain(told: &[Told<'_>], end: usize, of: &BTreeSet<usize>) -> Chain {
    let entered = |at: usize| {
        let by = of.iter().filter_map(|one| told[*one].by.filter(|by| by.at == at)?.day).min();
        by.or(told[at].day)
    };
    // What is said again after it was replaced stands before what replaced it all the same.
    let key = |at: usize| {
        let path = path(told, at);
        let depth = path.iter().position(|one| *one == end).unwrap_or(0);
        let day = path.iter().take(depth + 1).filter_map(|one| entered(*one)).min();
        (at == end, day, usize::MAX - depth, told[at].day, at)
    };
    let mut order: Vec<usize> = of.iter().copied().collect();
    order.sort_by_key(|at| key(*at));
    let moved = moved_along(told, of.iter().copied().filter(|at| *at != end));
    let known = |at: usize| {
        let as_new = |(old, (_, new)): (&usize, &(Known, Known))| {
            (told[*old].by.map(|by| by.at) == Some(at)).then(|| new.clone())
        };
        moved.get(&at).map(|(old, _)| old.clone()).or_else(|| most(moved.iter().filter_map(as_new).collect()))
    };
    let mut steps: Vec<(Step, Vec<Known>)> = Vec::new();
    for at in order {
        let (value, day) = (known(at), entered(at));
        let by = |at: usize| told[at].by.map(|by| by.at);
        let last = steps.last_mut().filter(|_| at != end);
        let joined = last.filter(|(step, known)| {
            let is_beside = step.told.iter().any(|one| by(*one) == by(at));
            match &value {
                Some(value) => known.iter().any(|one| one.is_same(value)) || is_beside && step.day == day,
                None => is_beside,
            }
        });
        match joined {
            Some((step, known)) => {
                step.told.push(at);
                known.extend(value.filter(|value| !known.iter().any(|one| one.is_same(value))));
            }
            None => {
                steps.push((Step { day, values: Vec::new(), told: vec![at] }, value.into_iter().collect()));
            }
        }
    }
    let shown = |(step, known): (Step, Vec<Known>)| Step {
        values: known.into_iter().map(|known| known.shown).collect(),
        ..step
    };
    Chain { steps: steps.into_iter().map(shown).collect() }
}

/// A value as it is compared and shown.
#[derive(Debug, Clone)]
struct Known {
    value: Value,
    shown: String,
}

impl Known {
    fn is_same(&self, other: &Known) -> bool {
        is_same(&self.value, &other.value)
    }
}

/// The value that most of several agree on; of two the first.
fn most(all: Vec<Known>) -> Option<Known> {
    let votes = |known: &Known| all.iter().filter(|other| other.is_same(known)).count();
    all.iter().rev().max_by_key(|known| votes(known)).cloned()
}

fn is_same(a: &Value, b: &Value) -> bool {
    a.sort == b.sort && a.readings.iter().any(|reading| b.readings.contains(reading))
}

/// Whether a value may be another one without its unit: `92 euros instead of 95`.
fn is_named(value: &Value, by: &Value) -> bool {
    // Of a number without a unit, whatever stands behind it is taken for one: `89 leaves us four`.
    let may_be = by.sort == value.sort || matches!(by.sort, Sort::Count(_)) && value.sort != Sort::Name;
    may_be && value.readings.iter().any(|reading| by.readings.contains(reading))
}

/// Per statement the value that changed, and what it is in its successor: along a chain one sort of value moves, that
/// which moves most often.
fn moved_along(told: &[Told<'_>], of: impl Iterator<Item = usize>) -> BTreeMap<usize, (Known, Known)> {
    let all: Vec<(usize, Vec<Moved>)> =
        of.filter_map(|at| Some((at, moves(&told[at], told.get(told[at].by?.at)?)))).collect();
    let mut sorts: BTreeMap<&Sort, (usize, usize)> = BTreeMap::new();
    for (_, moves) in &all {
        let mut best: BTreeMap<&Sort, usize> = BTreeMap::new();
        for one in moves {
            let most = best.entry(&one.old.value.sort).or_default();
            *most = one.score.max(*most);
        }
        for (sort, score) in best {
            let votes = sorts.entry(sort).or_default();
            *votes = (votes.0 + 1, votes.1 + score);
        }
    }
    let Some(sort) = sorts.iter().max_by_key(|(_, votes)| **votes).map(|(sort, _)| (*sort).clone()) else {
        return BTreeMap::new();
    };
    let of_sort = |moves: &[Moved]| {
        let found = moves.iter().rev().filter(|one| one.old.value.sort == sort).max_by_key(|one| one.score);
        found.map(|one| (one.old.clone(), one.new.clone()))
    };
    all.iter().filter_map(|(at, moves)| Some((*at, of_sort(moves)?))).collect()
}

/// A value that may have changed, and what it may have become.
struct Moved {
    score: usize,
    old: Known,
    new: Known,
}

/// Which values of a statement may have become which of its successor.
fn moves(old: &Told<'_>, new: &Told<'_>) -> Vec<Moved> {
    let said = |one: &Told<'_>| joined_names(one.text, values(one.text, one.day));
    let (before, after) = (said(old), said(new));
    // `Ovenbird bakes with rye now`: who is named again is what it is said of, and did not change.
    let is_named_again = |a: &Value| {
        let mut named = after.iter().filter(|other| is_same(a, other)).peekable();
        named.peek().is_some() && !named.any(|other| is_former(new.text, other.span.start))
    };
    let is_bare = |value: &Value| value.sort == Sort::Count(String::new());
    let alike = |a: &Value, b: &Value| around(old.text, a.span).intersection(&around(new.text, b.span)).count();
    let known = |text: &str, value: &Value| Known { value: value.clone(), shown: shown(text, value) };
    let mut out = Vec::new();
    let may_move = |a: &&Value| !is_bare(a) && (a.sort != Sort::Name || !is_named_again(a));
    for a in before.iter().filter(may_move) {
        let is_new = |b: &&Value| b.sort == a.sort && !before.iter().any(|known| is_same(known, b));
        let may_be = |b: &&Value| b.sort != Sort::Name || !is_former(new.text, b.span.start);
        for b in after.iter().filter(is_new).filter(may_be) {
            let shared = alike(a, b);
            // What the later statement says of the same thing still holds: `the extra valve stays at 14 euros`.
            let is_apart = |other: &Value| clause(new.text, other.span) != clause(new.text, b.span);
            let holds = after.iter().any(|other| is_same(a, other) && is_apart(other) && alike(a, other) > shared);
            // `from 28 April to 5 May, because the paper comes on 30 March`: the old is named beside the new.
            let names_old = |other: &&Value| is_named(a, other);
            let beside = after.iter().filter(names_old).any(|other| !is_apart(other));
            let named = if after.iter().any(|other| names_old(&other)) { NAMES_OLD } else { 0 };
            let score = shared + named + usize::from(beside) + if a.sort == Sort::Name { 0 } else { IS_NO_NAME };
            if score > 0 && !holds {
                out.push(Moved { score, old: known(old.text, a), new: known(new.text, b) });
            }
        }
    }
    out
}

/// Values with names that stand side by side in a sentence as one: `Mill Lane`, `Mrs. Lund`, not `… by Ben. Ada …`.
fn joined_names(text: &str, all: Vec<Value>) -> Vec<Value> {
    let parts = sentences(text);
    let is_within = |span: Span| parts.iter().any(|part| part.start <= span.start && span.end <= part.end);
    let as_one = |start: usize, end: usize| Some(Span::new(start, end)).filter(|span| is_within(*span));
    let mut out: Vec<Value> = Vec::new();
    for mut one in all {
        // A name behind a title that is cut short is taken for the first word of a sentence.
        let behind = text[one.span.end..].strip_prefix(". ").filter(|_| one.sort == Sort::Name);
        let name = behind.and_then(|behind| Some(words(behind).first()?.shifted(one.span.end + 2)));
        let name = name.filter(|name| name.of(text).starts_with(char::is_uppercase));
        if let Some(span) = name.and_then(|name| as_one(one.span.start, name.end)) {
            (one.span, one.readings) = (span, vec![fold(span.of(text))]);
        }
        let joined = |last: &Value| {
            let is_beside = matches!(text.get(last.span.end..one.span.start), Some(" " | ". "));
            let are_names = last.sort == Sort::Name && one.sort == Sort::Name;
            as_one(last.span.start, one.span.end).filter(|_| is_beside && are_names)
        };
        match out.last_mut().and_then(|last| Some((joined(last)?, last))) {
            Some((span, last)) => (last.span, last.readings) = (span, vec![fold(span.of(text))]),
            None => out.push(one),
        }
    }
    out
}

/// Whether what stands at a place is named as what was before: `with rye instead of spelt`.
fn is_former(text: &str, at: usize) -> bool {
    static FORMER: LazyLock<[Phrases; 6]> = LazyLock::new(|| {
        [
            Phrases::of(|lexicon| lexicon.changes.instead),
            Phrases::of(|lexicon| lexicon.changes.rather),
            Phrases::of(|lexicon| lexicon.changes.replaces),
            Phrases::of(|lexicon| lexicon.changes.formerly),
            Phrases::of(|lexicon| lexicon.changes.from),
            Phrases::of(|lexicon| lexicon.changes.not),
        ]
    });
    let before = folded_words(&text[..at]);
    let from = before.len().saturating_sub(FORMER_WITHIN);
    let is_beside = |n: usize, phrases: &Phrases| {
        let n_words = phrases.takes(&before[n..]);
        n_words > 0 && n + n_words + FORMER_BETWEEN >= before.len()
    };
    (from..before.len()).any(|n| FORMER.iter().any(|phrases| is_beside(n, phrases)))
}

/// How many words before something that was before say so, and how many stand in between: `instead of the mill`.
const FORMER_WITHIN: usize = 4;
const FORMER_BETWEEN: usize = 1;

/// The clause that a value stands in.
fn clause(text: &str, value: Span) -> Span {
    const ENDS: [&str; 4] = ["; ", ": ", ", ", " — "];
    let start = ENDS.iter().filter_map(|end| Some(text[..value.start].rfind(end)? + end.len())).max().unwrap_or(0);
    let end = ENDS.iter().filter_map(|end| text[value.end..].find(end)).min().map_or(text.len(), |at| value.end + at);
    Span::new(start, end)
}

/// The stems of the words around a value, within its clause.
fn around(text: &str, value: Span) -> BTreeSet<String> {
    let Span { start, end } = clause(text, value);
    let stems = |text: &str, span: Span| {
        let word = fold(span.of(text));
        (!is_stop(&word)).then(|| stem(&word))
    };
    let (before, behind) = (&text[start.min(value.start)..value.start], &text[value.end..end]);
    let before_words = words(before).into_iter().rev().take(WORDS_BEFORE);
    let behind_words = words(behind).into_iter().take(WORDS_BEHIND);
    before_words
        .filter_map(|span| stems(before, span))
        .chain(behind_words.filter_map(|span| stems(behind, span)))
        .collect()
}

/// A value with its unit, as it is said.
fn shown(text: &str, value: &Value) -> String {
    let has_unit = match &value.sort {
        Sort::Money | Sort::Percent | Sort::Length => true,
        Sort::Count(unit) => !unit.is_empty(),
        Sort::Time | Sort::Version | Sort::Date | Sort::Name => false,
    };
    if !has_unit {
        return value.span.of(text).to_owned();
    }
    let start = text[..value.span.start].trim_end_matches(['$', '€', '£']).len();
    let behind = &text[value.span.end..];
    let signs = behind.len() - behind.trim_start_matches(['%', '€', '$', '£']).len();
    let word = behind[signs..].trim_start_matches([' ', '-', '\u{a0}', '\u{202f}']);
    let n_letters: usize = word.chars().take_while(|ch| ch.is_alphanumeric()).map(char::len_utf8).sum();
    let has_sign = signs > 0 || start < value.span.start;
    let word_end = value.span.end + behind.len() - word.len() + n_letters;
    let end = if has_sign { value.span.end + signs } else { word_end };
    text[start..end].to_owned()
}

static DATES: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.dates));
static PRICES: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.prices));
static TIMES: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.times));
/// Words that say `name`.
static NAMES: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.names));
static AMOUNTS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.amounts));

/// Returns whether a statement has each of these words, in any of their forms, or a value of the sort that a word names:
/// `date` is in `The launch is on 14 April`. Function words say nothing.
///
/// ```
/// # use ken_core::timeline::speaks_of;
/// assert!(speaks_of("The valves stay open for 30 minutes.", None, "valve time"));
/// assert!(!speaks_of("The valves are green.", None, "valve price"));
/// ```
pub fn speaks_of(text: &str, day: Option<Date>, asked: &str) -> bool {
    let said: BTreeSet<String> = words(text).iter().map(|word| stem(&fold(word.of(text)))).collect();
    let sorts: Vec<Sort> = values(text, day).into_iter().map(|value| value.sort).collect();
    let all = words(asked);
    all.iter()
        .map(|word| fold(word.of(asked)))
        .all(|word| is_meant(&word, &sorts) || is_stop(&word) || said.contains(&stem(&word)))
}

/// Returns whether a text has a word for a price.
pub(crate) fn names_price(text: &str) -> bool {
    words(text).iter().any(|word| PRICES.has(&fold(word.of(text))))
}

/// Whether a folded word names the sort of one of some values: `price` an amount of money.
fn is_meant(word: &str, sorts: &[Sort]) -> bool {
    let has = |sort: Sort| sorts.contains(&sort);
    let ends = |list: &'static str| {
        let mut ends = list.split_whitespace().filter_map(|word| word.strip_prefix('*'));
        ends.any(|end| word.ends_with(end))
    };
    let means = |list: fn(&'static Questions) -> &'static str, whole: &WordSet| {
        whole.has(word) || LEXICONS.iter().any(|lexicon| ends(list(&lexicon.questions)))
    };
    means(|questions| questions.dates, &DATES) && has(Sort::Date)
        || means(|questions| questions.prices, &PRICES) && has(Sort::Money)
        || means(|questions| questions.times, &TIMES) && sorts.iter().any(is_of_time)
        || means(|questions| questions.amounts, &AMOUNTS) && sorts.iter().any(is_amount)
}

/// Whether a value says how many or how much of something, and of what.
fn is_amount(sort: &Sort) -> bool {
    match sort {
        Sort::Count(unit) => !unit.is_empty(),
        Sort::Money | Sort::Percent | Sort::Length => true,
        Sort::Time | Sort::Version | Sort::Date | Sort::Name => false,
    }
}

/// Whether a value is a time or a length of it: `8 Uhr` is a number of hours on the clock.
fn is_of_time(sort: &Sort) -> bool {
    let is_hour = |unit: &str| {
        let mut units = LEXICONS.iter().flat_map(|lexicon| lexicon.changes.clock_behind.split('|'));
        units.any(|known| !known.is_empty() && stem(&fold(known)) == unit)
    };
    match sort {
        Sort::Time | Sort::Length => true,
        Sort::Count(unit) => is_hour(unit),
        _ => false,
    }
}

#[cfg(test)]
mod tests;

//! What a sentence says of change: values as they are compared, pairs of what was and what is, what ended.

use std::sync::LazyLock;

use regex::Regex;

use crate::ground::Sort;
use crate::span::Span;
use crate::time::Date;
use crate::words::fold;

/// The unit of weekdays, which no word has.
pub(super) const WEEKDAY: &str = "\u{1}weekday";

/// By how much at most a number without a unit differs from one with it that it takes the place of.
const SCALE_MAX: f64 = 4.0;

/// The unit of a range: `10 to 12`.
pub(super) const RANGE: &str = "\u{1}range";

/// The unit of a range of days: `29 to 31 May`.
pub(super) const DAYS: &str = "\u{1}days";

/// The unit of a number that one dials or that a thing is known by: `555-0117`.
pub(super) const DIALLED: &str = "\u{1}dialled";

/// Returns where the numbers that one dials stand in a text.
pub(super) fn dialled(text: &str) -> Vec<Span> {
    static NUMBER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\+?\b\d{2,5}(?:[-/]\d{2,8}){1,4}\b").expect("a pattern of ours"));
    // Most texts join no digits, and making the pattern takes longer than looking for that.
    let joins = |(at, sign): (usize, &str)| {
        text[..at].ends_with(char::is_numeric) && text[at + sign.len()..].starts_with(char::is_numeric)
    };
    if !text.match_indices(['-', '/']).any(joins) {
        return Vec::new();
    }
    let is_long = |said: &str| said.bytes().filter(u8::is_ascii_digit).count() >= DIALLED_MIN;
    let found =
        NUMBER.find_iter(text).filter(|found| is_long(found.as_str()) && found.as_str().parse::<Date>().is_err());
    found.map(|found| Span::new(found.start(), found.end())).collect()
}

/// Fewest digits of a number that one dials.
const DIALLED_MIN: usize = 6;

/// The unit of what is on or off.
pub(super) const STATE: &str = "\u{1}state";

/// Begins the unit of a number that stands behind a name.
pub(super) const NAMED: &str = "\u{1}named ";

/// A value with what it is the value of.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) sort: Sort,
    pub(super) readings: Vec<String>,
    /// How it is said, and the words behind it.
    pub(super) said: String,
    pub(super) behind: String,
    /// What the amount counts for: `month` of `4 euros a month`.
    pub(super) period: Option<String>,
    /// The words of its clause, sorted.
    pub(super) own: Vec<u32>,
    /// The words before the colon behind which that stands.
    pub(super) head: Vec<u32>,
    /// What it counts, which is none of them.
    pub(super) noun: Option<u32>,
    /// Its words' places in the sentence.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether its clause, or one before it without a value, has a word of change.
    pub(super) changes: bool,
    /// Whether its clause says `not`, or calls it unfit.
    pub(super) is_denied: bool,
    /// Whether its sentence names it as what was before.
    pub(super) is_old: bool,
    /// Whether it is a weekday that is the same in every week.
    pub(super) is_habit: bool,
    /// Whether it is a weekday on which something is, not one that tells of what sort: `is on Monday`, not `the Monday shift`.
    pub(super) is_placed: bool,
    /// Whether it is what something is or moves to, though it does not say of what: `it is 1.80`.
    pub(super) is_amount: bool,
    /// Whether its clause only points at what it is the value of: `so it becomes 21 April`.
    pub(super) leans: bool,
    /// Whether another of its sort stands in the same part of the sentence.
    pub(super) is_listed: bool,
    /// Whether it only says when something happened or begins to hold, or is an end of a range.
    pub(super) is_time: bool,
}

impl Slot {
    /// The words that say of what it is the value: those of its clause, and the same with those before its colon.
    pub(super) fn owns(&self) -> impl Iterator<Item = Vec<u32>> {
        let mut headed: Vec<u32> = self.own.iter().chain(&self.head).copied().collect();
        headed.sort_unstable();
        headed.dedup();
        let is_other = !self.head.is_empty();
        std::iter::once(self.own.clone()).chain(is_other.then_some(headed))
    }

    /// Whether it is a value that something may have: not a bare number, not a time stamp,
    /// not a single weekday, which mostly says when.
    pub(super) fn is_value(&self) -> bool {
        !self.is_time
            && (!self.is_bare() || self.is_amount)
            && (self.is_habit || self.sort != Sort::Count(WEEKDAY.to_owned()))
    }

    pub(super) fn is_weekday(&self) -> bool {
        self.sort == Sort::Count(WEEKDAY.to_owned())
    }

    /// Whether it says when: a date, an hour, a weekday.
    pub(super) fn says_when(&self) -> bool {
        matches!(self.sort, Sort::Date | Sort::Time) || self.is_weekday()
    }

    /// Whether it is a number that does not say of what.
    pub(super) fn is_bare(&self) -> bool {
        self.sort == Sort::Count(String::new())
    }

    /// Whether it is a day that is said without its month: many things are on the 18th.
    pub(super) fn is_day_alone(&self) -> bool {
        self.sort == Sort::Date && self.said.bytes().filter(u8::is_ascii_alphabetic).count() == 2
    }

    /// Whether both are values of one kind and unit.
    pub(super) fn is_comparable(&self, other: &Slot) -> bool {
        // `It is 21 a night`: that it is money is clear.
        let is_per = self.period.is_some()
            && (self.is_bare() && other.sort == Sort::Money || self.sort == Sort::Money && other.is_bare());
        (self.sort == other.sort || is_per) && self.period == other.period
    }

    /// Whether it is what a thing now has, without its unit, and another one says the unit: `The rent went up to 950`, of 900 euros.
    pub(super) fn may_follow(&self, other: &Slot) -> bool {
        let number = |slot: &Slot| slot.readings.first().and_then(|reading| reading.parse::<f64>().ok());
        let has_unit = matches!(&other.sort, Sort::Money | Sort::Percent);
        let is_other = |(new, old): (f64, f64)| new != old && new <= SCALE_MAX * old && old <= SCALE_MAX * new;
        // `to 950 euros`, of `900 euros a month`.
        let is_per = self.sort == Sort::Money && other.sort == Sort::Money && self.period.is_none();
        (self.is_bare() && self.is_amount && has_unit || is_per)
            && number(self).zip(number(other)).is_some_and(is_other)
    }

    /// Whether both say the same.
    pub(super) fn is_same(&self, other: &Slot) -> bool {
        self.is_comparable(other) && self.readings.iter().any(|reading| other.readings.contains(reading))
    }

    /// Whether a number without its unit may be this amount.
    pub(super) fn is_bare_same(&self, bare: &Slot) -> bool {
        let is_hour = |reading: &String| {
            // `We shut at two`, of 14:00.
            let is_it = |hour: u32| [hour, hour + 12].iter().any(|hour| *reading == format!("t{}", hour * 60));
            bare.readings.iter().any(|bare| bare.parse().is_ok_and(is_it))
        };
        bare.is_bare()
            && match self.sort {
                Sort::Count(_) | Sort::Money | Sort::Percent => {
                    self.readings.iter().any(|reading| bare.readings.contains(reading))
                }
                Sort::Time => self.readings.iter().any(is_hour),
                _ => false,
            }
    }
}

/// In what way a sentence says a value that is a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// A person, or another name: whose task something is.
    Who,
    Named,
    Is,
    At,
    Means,
    Of,
    Toward,
    /// `Send it as a table`.
    As,
    /// Behind a verb of change, which says nothing of the way.
    Any,
    /// Last in its clause, behind a verb that may be any: only a pair knows it for a value.
    Object,
}

/// A value that is a word or a short phrase, by the way in which it is said.
#[derive(Debug, Clone)]
pub(super) struct Filler {
    pub(super) way: Way,
    pub(super) stems: Vec<u32>,
    pub(super) start: usize,
    pub(super) own: Vec<u32>,
    pub(super) changes: bool,
    pub(super) is_denied: bool,
    pub(super) is_name: bool,
}

/// One side of a pair.
#[derive(Debug, Clone)]
pub(super) enum Side {
    Value(Slot),
    Words(Vec<u32>),
}

/// What was, and what is.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub(super) old: Side,
    pub(super) new: Option<Side>,
    /// The words of their sentence beside them.
    pub(super) own: Vec<u32>,
    /// Whether the old side must stand as a value where it was said: it is an ordinary word.
    pub(super) is_strict: bool,
}

impl Pair {
    /// Whether its sides are values, not words.
    pub(super) fn is_of_values(&self) -> bool {
        matches!(self.old, Side::Value(_))
    }

    /// Its sides that are values.
    pub(super) fn values(&self) -> impl Iterator<Item = &Slot> {
        [Some(&self.old), self.new.as_ref()].into_iter().flatten().filter_map(|side| match side {
            Side::Value(value) => Some(value),
            Side::Words(_) => None,
        })
    }

    /// Whether a value is one of its sides.
    pub(super) fn has(&self, slot: &Slot) -> bool {
        self.values().any(|value| value.is_same(slot))
    }

    /// Whether both of its sides are words, and some are of the new one.
    pub(super) fn is_between(&self, stems: &[u32]) -> bool {
        matches!((&self.old, &self.new), (Side::Words(_), Some(Side::Words(new))) if stems.iter().any(|stem| new.contains(stem)))
    }
}

/// Whether a date is over on a day; one without its year only if it was over lately.
pub(super) fn is_past(said: &str, readings: &[String], day: Date) -> bool {
    let has_year = said.split(|ch: char| !ch.is_ascii_digit()).any(|run| run.len() == 4);
    let ends = readings.iter().filter_map(|reading| reading.rsplit("..").next()?.parse::<Date>().ok());
    ends.into_iter().any(|end| {
        let ago = (day - end).get_days();
        ago >= 0 && (has_year || ago <= LATELY_DAYS)
    })
}

/// Whether a date is over on a day; one without its year is the nearest one.
pub(super) fn is_over(readings: &[String], day: Date) -> bool {
    let end = |reading: &String| {
        let end = reading.rsplit("..").next()?.to_owned();
        let in_year = |year: i16| format!("{year:04}-{end}").parse::<Date>().ok();
        let nearest =
            || (-1..=1).filter_map(|n| in_year(day.year() + n)).min_by_key(|near| (*near - day).get_days().abs());
        end.parse::<Date>().ok().or_else(nearest)
    };
    readings.iter().filter_map(end).any(|end| end <= day)
}

/// How many days ago a date without its year may be.
const LATELY_DAYS: i32 = 60;

/// What an amount counts for, by the word behind it: `a month`, `per year`, `/day`.
pub(super) fn period(behind: &str) -> Option<String> {
    static PERIOD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s?(?:[\p{L}€$£%]+\s)?(?:a|an|per|pro|par|al|all'|por|im|each|every|/)\s?(second|minute|hour|day|night|evening|session|visit|piece|week|month|year|head|person|sekunde|stunde|tag|woche|monat|jahr|heure|jour|semaine|mois|an|ora|giorno|settimana|mese|anno|hora|d[ií]a|semana|mes|a[ñn]o)\b").expect("a pattern of ours")
    });
    if !may_count_for(behind) {
        return None;
    }
    PERIOD.captures(behind).and_then(|found| found.get(1)).map(|found| fold(found.as_str()))
}

/// Whether one of the first words of a text begins as what may stand before a unit of time, or is not told so cheaply.
fn may_count_for(behind: &str) -> bool {
    const BEFORE: &[&str] = &["per", "pro", "par", "por", "im", "each", "every", "/"];
    // `a` and `al` are words of their own, or end in a mark, or stand right before the unit.
    let begins = |word: &str| {
        let lower = word.to_lowercase();
        !word.is_ascii() || lower.starts_with('a') || BEFORE.iter().any(|before| lower.starts_with(before))
    };
    behind.split_whitespace().take(2).any(begins)
}

/// What is said to have ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) stems: Vec<u32>,
    /// What ended, where the clause begins with it: `The poster with the old name is gone`.
    pub(super) subject: Vec<u32>,
    /// What is no longer done: the verb behind `no longer`.
    pub(super) verb: Option<u32>,
    /// Whether it is one thing that is named without a determiner: `We dropped Ovenhub`.
    pub(super) is_name: bool,
    /// The words of the sentence around it.
    pub(super) around: Vec<u32>,
    /// Whether it was to happen, and is called off.
    pub(super) is_cancelled: bool,
}

/// What a sentence says.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) slots: Vec<Slot>,
    pub(super) fillers: Vec<Filler>,
    pub(super) pairs: Vec<Pair>,
    pub(super) ends: Vec<Ended>,
    /// Numbers that name something, by the stem of the word before each.
    pub(super) labels: Vec<(u32, u32)>,
    /// Whether somebody takes something over, or hands it over.
    pub(super) takes: bool,
    /// Whether it gives a thing another name.
    pub(super) renames: bool,
    /// Whether it says from which hour or day on something has been so.
    pub(super) begins: bool,
}

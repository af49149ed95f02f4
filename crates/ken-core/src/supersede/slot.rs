//! Values as they are compared, and pairs of what was and what is.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::ground::Sort;
use crate::time::Date;
use crate::words::{fold, stem};

/// The unit of weekdays, which no word has.
pub(super) const WEEKDAY: &str = "\u{1}weekday";

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
    /// The words of its clause.
    pub(super) own: BTreeSet<String>,
    /// Whether its clause, or one before it without a value, has a word of change.
    pub(super) changes: bool,
    /// Whether its sentence names it as what was before.
    pub(super) is_old: bool,
    /// Whether its sentence begins with it.
    pub(super) is_first: bool,
    /// Whether it only says when something happened or begins to hold.
    pub(super) is_time: bool,
}

impl Slot {
    /// Whether it is a value that something may have: not a bare number, not a time stamp,
    /// not a weekday, which mostly says when.
    pub(super) fn is_value(&self) -> bool {
        !self.is_time && self.sort != Sort::Count(String::new()) && self.sort != Sort::Count(WEEKDAY.to_owned())
    }

    pub(super) fn is_name(&self) -> bool {
        self.sort == Sort::Name
    }

    /// Whether words hold it.
    pub(super) fn names(&self, stems: &BTreeSet<String>) -> bool {
        self.readings.iter().any(|reading| stems.contains(&stem(reading)))
    }

    /// Whether both are values of one kind and unit.
    pub(super) fn is_comparable(&self, other: &Slot) -> bool {
        self.sort == other.sort && self.period == other.period
    }

    /// Whether both say the same.
    pub(super) fn is_same(&self, other: &Slot) -> bool {
        self.is_comparable(other) && self.readings.iter().any(|reading| other.readings.contains(reading))
    }
}

/// One side of a pair.
#[derive(Debug, Clone)]
pub(super) enum Side {
    Value(Slot),
    Words(BTreeSet<String>),
}

/// What was, and what is.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub(super) old: Side,
    pub(super) new: Option<Side>,
    /// The words of their sentence beside them.
    pub(super) own: BTreeSet<String>,
}

impl Pair {
    /// Whether its sides are values, not words.
    pub(super) fn is_of_values(&self) -> bool {
        matches!(self.old, Side::Value(_))
    }

    /// Whether a value is one of its sides.
    pub(super) fn has(&self, slot: &Slot) -> bool {
        [Some(&self.old), self.new.as_ref()]
            .into_iter()
            .flatten()
            .any(|side| matches!(side, Side::Value(value) if value.is_same(slot)))
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

/// How many days ago a date without its year may be.
const LATELY_DAYS: i32 = 60;

/// What an amount counts for, by the word behind it: `a month`, `per year`, `/day`.
pub(super) fn period(behind: &str) -> Option<String> {
    static PERIOD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s?(?:[\p{L}€$£%]+\s)?(?:a|an|per|pro|par|al|all'|por|im|each|every|/)\s?(second|minute|hour|day|week|month|year|head|person|sekunde|stunde|tag|woche|monat|jahr|heure|jour|semaine|mois|an|ora|giorno|settimana|mese|anno|hora|d[ií]a|semana|mes|a[ñn]o)\b").expect("a pattern of ours")
    });
    PERIOD.captures(behind).and_then(|found| found.get(1)).map(|found| fold(found.as_str()))
}

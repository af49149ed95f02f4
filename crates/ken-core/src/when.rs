//! The dates that a question names.
//!
//! [`date_words`] finds the words of a question that name a day, a month or any other period, in several
//! languages, and says which dates they mean for somebody who asks today. What stands in code, in a path,
//! an address, an identifier or a version is never a date, a date that does not exist gives nothing, and a
//! word that is a date only sometimes (`may`, `march`, `mars`) needs a word beside it that makes it one.
//!
//! The work is done in three steps: [`tokens`] cuts the text, [`patterns`] finds phrases whose wording
//! stands in the files of [`crate::language`], [`combine`] puts them together (`from … to …`, `before …`, `early …`).
//! A language is added there alone; [`shared`] has what all share.

mod tokens;
pub(crate) mod phrase;
mod shared;
mod calendar;
mod numbers;
mod patterns;
mod combine;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::span::Span;
use crate::time::Date;

/// The dates from one to another, both included; a side without a date is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// First day; `None` when everything before `to` is meant.
    pub from: Option<Date>,
    /// Last day; `None` when everything after `from` is meant.
    pub to: Option<Date>,
}

impl Period {
    /// Whether a day lies inside.
    pub fn contains(&self, day: Date) -> bool {
        self.from.is_none_or(|from| from <= day) && self.to.is_none_or(|to| day <= to)
    }
}

/// How exactly the ends of a period are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exactness {
    /// To the day: `2026-03-05`, `yesterday`, `the last three days`.
    Day,
    /// To the week: `last week`; `three weeks ago` counts to one day and means its week.
    Week,
    /// To the month: `March 2026`, `two months ago`.
    Month,
    /// To the quarter: `Q1 2026`.
    Quarter,
    /// To the year: `in 2025`, `last year`.
    Year,
    /// Not at all: `a few days ago`, `early March`.
    Fuzzy,
}

/// Words of a question that name a date, and what they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateWords {
    /// The bytes of the question that say it, with `since`, `between` and the like.
    pub span: Span,
    /// The dates that are meant; never empty.
    pub period: Period,
    /// How exactly the ends are meant.
    pub exactness: Exactness,
    /// Whether the words count from today (`yesterday`, `last May`); a date that only lacks its year does not.
    pub is_relative: bool,
    /// Whether the words have this one meaning. A guess is `01/02/2024` (the month is read first), a weekday
    /// alone (the newest before today), a month that no word like `in` makes a date, a quarter without its
    /// year, `in 3 days`, and a word that is a date in one language only (`hier`).
    pub is_sure: bool,
}

/// Most days that are named one by one; what is longer is meant as a whole.
const DAYS_MAX: usize = 31;

impl DateWords {
    /// Whether days are meant, from one to another, and not a month or more.
    pub fn is_of_days(&self) -> bool {
        let is_exact = matches!(self.exactness, Exactness::Day | Exactness::Week);
        is_exact && self.period.from.is_some() && self.period.to.is_some()
    }

    /// Returns the days that are meant, the first 31 of them; none when a month or more is.
    pub fn days(&self) -> impl Iterator<Item = Date> + use<> {
        let ends = self.period.from.zip(self.period.to).filter(|_| self.is_of_days());
        let all = ends
            .into_iter()
            .flat_map(|(from, to)| from.series(jiff::Span::new().days(1)).take_while(move |day| *day <= to));
        all.take(DAYS_MAX)
    }
}

/// Returns the words of `question` that name dates, in the order of the text and without overlaps.
///
/// What is relative counts from `today`, and `day 14` and `week 2` from `day_one`; without it they name
/// nothing. A date without its year is the newest that is not after `today` (`March 5`, `in March`), inside
/// a range the newest that fits its other end. A weekday is the newest before `today`; the Chinese form is
/// the one of this week. Weeks begin on Monday. The time it takes grows with the length of the question.
pub fn date_words(question: &str, today: Date, day_one: Option<Date>) -> Vec<DateWords> {
    let tokens = tokens::tokens(question);
    let atoms = patterns::atoms(&tokens, calendar::Now { today, day_one });
    combine::combine(question, &tokens, &atoms)
}

/// Returns whether a folded word is the name of a weekday in one of the languages known.
pub fn is_weekday(folded: &str) -> bool {
    static NAMES: OnceLock<BTreeSet<String>> = OnceLock::new();
    NAMES.get_or_init(|| names(shared::all().map(|dates| dates.weekdays))).contains(folded)
}

fn names(lists: impl Iterator<Item = &'static str>) -> BTreeSet<String> {
    let names = lists.flat_map(|list| list.split(['|', '/'])).map(|name| name.trim().trim_start_matches('~'));
    names.filter(|name| !name.is_empty()).map(crate::words::fold).collect()
}

/// Returns whether a folded word is the name of a month or of a weekday in one of the languages known.
pub fn is_calendar_name(folded: &str) -> bool {
    static NAMES: OnceLock<BTreeSet<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| names(shared::all().flat_map(|dates| [dates.months, dates.weekdays])));
    names.contains(folded)
}

/// Returns the words of a text that count from `today` and are sure, each phrase by itself: `since yesterday`
/// has `yesterday`, and no range is put together.
pub fn relative_dates(text: &str, today: Date) -> Vec<DateWords> {
    let tokens = tokens::tokens(text);
    let atoms = patterns::atoms(&tokens, calendar::Now { today, day_one: None });
    let mut words = combine::each(text, &tokens, &atoms);
    words.retain(|words| words.is_relative && words.is_sure);
    words
}

/// Returns every date that a text says, each phrase by itself and ranges by their ends; what is a date only
/// in doubt (`in 2025 we`, `march`) is left out.
pub(crate) fn each_date(text: &str, today: Date) -> Vec<DateWords> {
    let tokens = tokens::tokens(text);
    let atoms = patterns::atoms(&tokens, calendar::Now { today, day_one: None });
    combine::each(text, &tokens, &atoms)
}

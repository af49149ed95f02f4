//! The dates of a claim, compared by the days they mean.
//!
//! Reads a claim or a cited text through `when`; returns the places of dates that the cited text does not
//! mean. A month or week is contained when a day of it is; a day is not contained by its month. Ranges count
//! by their ends. It does not check what is loose (`a few days ago`).

use std::borrow::Cow;

use crate::span::Span;
use crate::time::Date;
use crate::when::{DateWords, Exactness, each_date};

/// A date as a text says it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    pub(super) span: Span,
    from: Date,
    to: Date,
    /// A number may be meant as well: `in 3 days`.
    pub(super) is_doubtful: bool,
    pub(super) is_relative: bool,
    /// Its year was not said.
    is_yearless: bool,
    /// A weekday alone, or another guess for the day.
    is_guess: bool,
    /// `01/02/2026`, with the month read first.
    is_slashed: bool,
}

/// Stands for today where nobody knows the day; both sides count from it.
const SOME_DAY: Date = Date::constant(2030, 6, 15);

/// Returns the dates that a text says.
pub(super) fn said(text: &str, entry_date: Option<Date>) -> Vec<Said> {
    // No date is shorter than `7/5`, and most texts have neither a digit nor a date word: `when` finds out.
    let plain = without_ticks(text);
    let words = each_date(&plain, entry_date.unwrap_or(SOME_DAY));
    words.into_iter().filter_map(|words| read(&plain, &words)).collect()
}

fn read(text: &str, words: &DateWords) -> Option<Said> {
    let (mut from, mut to) = (words.period.from?, words.period.to?);
    if words.exactness == Exactness::Fuzzy {
        return None;
    }
    let said = words.span.of(text);
    if words.is_relative && from == to {
        // `three weeks ago` counts to one day and means all of its week.
        (from, to) = whole(from, words.exactness);
    }
    let has_digit = said.bytes().any(|byte| byte.is_ascii_digit());
    let n_digits = said.split(|ch: char| !ch.is_ascii_digit()).map(str::len).max().unwrap_or(0);
    Some(Said {
        span: words.span,
        from,
        to,
        is_doubtful: words.is_relative && has_digit,
        is_relative: words.is_relative,
        is_yearless: !words.is_relative && n_digits < 4,
        is_guess: !words.is_sure,
        is_slashed: !words.is_sure && said.contains('/'),
    })
}

fn whole(day: Date, exactness: Exactness) -> (Date, Date) {
    match exactness {
        Exactness::Week => {
            let back = i64::from(day.weekday().to_monday_zero_offset());
            let monday = day.saturating_sub(jiff::Span::new().days(back));
            (monday, monday.saturating_add(jiff::Span::new().days(6)))
        }
        Exactness::Month => (day.first_of_month(), day.last_of_month()),
        Exactness::Year => (day.first_of_year(), day.last_of_year()),
        _ => (day, day),
    }
}

/// Code that holds a date alone is read like text; the places stay the same.
fn without_ticks(text: &str) -> Cow<'_, str> {
    if !text.contains('`') {
        return Cow::Borrowed(text);
    }
    let mut out = text.as_bytes().to_vec();
    let mut from = 0;
    while let Some(open) = text[from..].find('`').map(|at| from + at) {
        let Some(close) = text[open + 1..].find('`').map(|at| open + 1 + at) else { break };
        let inside = &text[open + 1..close];
        let is_date = inside.len() >= 7 && inside.bytes().all(|b| b.is_ascii_digit() || b"-/.:TWQZ ".contains(&b));
        if is_date {
            (out[open], out[close]) = (b' ', b' ');
        }
        from = close + 1;
    }
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the claim's dates that the cited text does not mean.
pub(super) fn missing<'a>(
    claimed: &'a [Said],
    cited: &str,
    entry_date: Option<Date>,
) -> impl Iterator<Item = &'a Said> + use<'a> {
    let there = if claimed.is_empty() { Vec::new() } else { said(cited, entry_date) };
    let has_relative = entry_date.is_none() && there.iter().any(|date| date.is_relative);
    let is_there = move |date: &Said| {
        let is_entry = entry_date.is_some_and(|day| date.from <= day && day <= date.to);
        is_entry || has_relative || there.iter().any(|other| means(date, other)) || is_range_of(date, &there)
    };
    claimed.iter().filter(move |date| !(is_there(date) || date.is_doubtful && date.is_guess))
}

/// Whether a date of the claim is said by one of the cited text.
fn means(date: &Said, other: &Said) -> bool {
    let is_one = |said: &Said| said.from == said.to;
    if date.from <= other.from && other.to <= date.to {
        return true;
    }
    let is_weekday = |said: &Said| said.is_guess && said.is_relative && is_one(said);
    if is_one(date) && is_one(other) {
        if is_weekday(date) || is_weekday(other) {
            // A day without its year is the one near the weekday: `Saturday` is `9 May` of the same year.
            let is_near = |a: Date, b: Date| a.weekday() == b.weekday() && (a - b).get_days().abs() <= 14;
            let years = |said: &Said| if said.is_yearless { -1..=1 } else { 0..=0 };
            let of = |said: &Said| {
                let from = said.from;
                years(said).filter_map(move |n| Date::new(from.year() + n, from.month(), from.day()).ok())
            };
            return of(date).any(|own| of(other).any(|there| is_near(own, there)));
        }
        if date.is_slashed || other.is_slashed {
            let turned = |day: Date| (day.year(), day.day(), day.month());
            return turned(date.from) == (other.from.year(), other.from.month(), other.from.day());
        }
    }
    let is_yearless = date.is_yearless || other.is_yearless;
    let day = |day: Date| (day.month(), day.day());
    // `5 May` is tomorrow on the fourth, whatever year it may be read as.
    let is_exact = |said: &Said| !said.is_relative || is_one(said) && !said.is_guess;
    is_yearless
        && !date.is_relative
        && is_exact(other)
        && day(date.from) <= day(other.from)
        && day(other.to) <= day(date.to)
}

/// Whether both ends of a range are said by themselves.
fn is_range_of(date: &Said, there: &[Said]) -> bool {
    date.from != date.to
        && there.iter().any(|other| other.from == date.from)
        && there.iter().any(|other| other.to == date.to)
}

impl Said {
    /// What it may be read as: its first and last day, and the same without the year where none was said.
    pub(super) fn readings(&self) -> Vec<String> {
        let day = |day: Date| format!("{:02}-{:02}", day.month(), day.day());
        let of_any_year = format!("{}..{}", day(self.from), day(self.to));
        let exact = format!("{}..{}", self.from, self.to);
        if self.is_yearless { vec![of_any_year] } else { vec![exact, of_any_year] }
    }

    /// Whether it is a day of the calendar, whose digits count nothing.
    pub(super) fn is_day_of_year(&self) -> bool {
        !self.is_relative && !self.is_guess
    }
}

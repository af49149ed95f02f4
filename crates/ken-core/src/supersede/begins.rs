//! The day from which a sentence says that something holds.

use super::Said;
use super::cues::{Cue, Found};
use super::read::{self, Texts};
use super::unit::Unit;
use crate::language::LEXICONS;
use crate::time::Date;
use crate::when::{DateWords, Exactness, each_date};

/// How far from the day on which it was said something may begin to hold.
const FROM_DAYS_MAX: i32 = 400;

/// Returns the days from which a text that was said on a day says that something holds. What asks, wishes or guesses
/// says none.
///
/// ```
/// # use ken_core::supersede::begins_on;
/// let day = |day: &str| day.parse().expect("a day");
/// assert_eq!(begins_on("From 1 April Ada leads the bakery.", day("2026-03-09")), [day("2026-04-01")]);
/// assert!(begins_on("The fair is on 1 April.", day("2026-03-09")).is_empty());
/// ```
pub fn begins_on(text: &str, day: Date) -> Vec<Date> {
    let said = [Said::alone(text, Some(day))];
    let plain = read::plain(&said);
    let texts = Texts::read(&said, &plain);
    texts.units.iter().filter(|unit| !unit.is_unsure()).filter_map(begins).collect()
}

/// Returns whether a text that was said on a day names another day, whatever the year.
pub fn names_day(text: &str, said: Option<Date>, day: Date) -> bool {
    let named = said.map_or(Vec::new(), |said| each_date(text, said));
    let is_day = |date: Date| (date.month(), date.day()) == (day.month(), day.day());
    named.iter().any(|date| date.exactness == Exactness::Day && date.period.from.is_some_and(is_day))
}

/// Returns the day from which a sentence says that something holds, if it says one.
pub(super) fn begins(unit: &Unit<'_>) -> Option<Date> {
    let day = unit.day?;
    let near = |from: &Date| (*from - day).get_days().abs() <= FROM_DAYS_MAX;
    let dates = dated(unit.text, day);
    dates.iter().filter_map(|(date, start)| begins_with(unit, (date, *start), day)).find(near)
}

/// Returns the days that a text names, each with the place at which its words begin. `Monday 11 May` is one day, and its
/// date says which.
fn dated(text: &str, day: Date) -> Vec<(DateWords, usize)> {
    let is_one =
        |date: &DateWords| matches!(date.exactness, Exactness::Day | Exactness::Month) || is_coming_span(date, day);
    let all: Vec<DateWords> = each_date(text, day).into_iter().filter(is_one).collect();
    let is_weekday_of = |n: usize| {
        let next = all.get(n + 1)?;
        let between = text.get(all[n].span.end..next.span.start)?.trim_matches([' ', ',']);
        let is_beside = !between.contains(char::is_whitespace) && between.chars().count() <= SMALL_WORD_CHARS_MAX;
        (is_weekday(&all[n]) && !next.is_relative && is_beside).then_some(())
    };
    let start_of = |n: usize| match n.checked_sub(1).filter(|before| is_weekday_of(*before).is_some()) {
        Some(before) => all[before].span.start,
        None => all[n].span.start,
    };
    (0..all.len()).filter(|n| is_weekday_of(*n).is_none()).map(|n| (all[n], start_of(n))).collect()
}

/// Whether words name a week, month or year that is yet to come, by where it stands to the day: `next week`.
fn is_coming_span(date: &DateWords, day: Date) -> bool {
    date.is_relative && date.period.to != date.period.from && date.period.from.is_some_and(|from| from > day)
}

/// Longest word between a weekday and its date: `Montag, den 11. Mai`.
const SMALL_WORD_CHARS_MAX: usize = 3;

/// Whether words name a weekday alone, which is read as the newest one.
fn is_weekday(date: &DateWords) -> bool {
    date.is_relative && !date.is_sure && date.period.from == date.period.to
}

/// Returns the day from which a sentence says that something holds, where these words say it.
fn begins_with(unit: &Unit<'_>, (date, start): (&DateWords, usize), day: Date) -> Option<Date> {
    // `It is from 29 to 31 May` says when it is.
    let (is_span, is_month) = (is_coming_span(date, day), date.exactness == Exactness::Month);
    let said = date.period.from.filter(|from| is_span || is_month || date.period.to.is_none_or(|to| to == *from))?;
    // A day without its year is the nearest one.
    let has_year =
        date.is_relative || date.span.of(unit.text).split(|ch: char| !ch.is_ascii_digit()).any(|run| run.len() == 4);
    let years = if has_year { 0..=0 } else { -1..=1 };
    let near = years.filter_map(|n| Date::new(said.year() + n, said.month(), said.day()).ok());
    // A month alone is the next one.
    let near = near.filter(|from| !is_month || *from > day);
    let from = near.min_by_key(|near| (*near - day).get_days().abs())?;
    let at = unit.tokens.iter().position(|token| token.span.end > start)?;
    let mut since = unit.all(Cue::Since).filter(|found| found.start <= at + 1 && found.end + 2 > at);
    // When something happened that is why says nothing of when it begins: `because six people complained in one day`.
    let is_why = unit.is_reason(unit.tokens[at].clause);
    let is_coming = date.is_relative && from >= day && !is_span && !is_why;
    // `The fee goes up to 52 euros on 1 January`
    let is_change = |found: &Found| {
        found.cue == Cue::Alters && found.end <= at && unit.tokens[found.start].clause == unit.tokens[at].clause
    };
    let has_amount = || unit.text[..start].contains(|ch: char| ch.is_ascii_digit());
    let is_due = || !is_span && !is_why && from > day && unit.cues.iter().any(is_change) && has_amount();
    let begun = since.next();
    // `From Saturday` is yet to come, `since Saturday` is over.
    let is_ahead = begun.is_some_and(|found| {
        let word = unit.tokens[found.start].span.of(unit.text).to_lowercase();
        LEXICONS.iter().any(|lexicon| lexicon.changes.since_ahead.split_whitespace().any(|ahead| ahead == word))
    });
    // `From December` is yet to come; `in December` says when something is.
    if is_month && !is_span && !is_ahead {
        return None;
    }
    let from =
        if is_weekday(date) && is_ahead && from < day { from.saturating_add(jiff::Span::new().weeks(1)) } else { from };
    (begun.is_some() || is_coming || is_due()).then_some(from)
}

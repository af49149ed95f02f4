//! The day from which a sentence says that something holds.

use super::Said;
use super::cues::{Cue, Found};
use super::read::{self, Texts, Unit};
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
    let said = [Said { text, day: Some(day), exchange: 0, may_replace: true, is_action: false }];
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
    let dates = each_date(unit.text, day).into_iter().filter(|date| date.exactness == Exactness::Day);
    let begins = |date: &DateWords| {
        // `It is from 29 to 31 May` says when it is.
        let said = date.period.from.filter(|from| date.period.to.is_none_or(|to| to == *from))?;
        // A day without its year is the nearest one.
        let has_year = date.is_relative
            || date.span.of(unit.text).split(|ch: char| !ch.is_ascii_digit()).any(|run| run.len() == 4);
        let years = if has_year { 0..=0 } else { -1..=1 };
        let near = years.filter_map(|n| Date::new(said.year() + n, said.month(), said.day()).ok());
        let from = near.min_by_key(|near| (*near - day).get_days().abs())?;
        let at = unit.tokens.iter().position(|token| token.span.end > date.span.start)?;
        let is_since = unit.all(Cue::Since).any(|found| found.start <= at + 1 && found.end + 2 > at);
        let is_coming = date.is_relative && from >= day;
        // `The fee goes up to 52 euros on 1 January`
        let is_change = |found: &Found| {
            found.cue == Cue::Alters && found.end <= at && unit.tokens[found.start].clause == unit.tokens[at].clause
        };
        let has_amount = || unit.text[..date.span.start].contains(|ch: char| ch.is_ascii_digit());
        let is_due = || from > day && unit.cues.iter().any(is_change) && has_amount();
        (is_since || is_coming || is_due()).then_some(from)
    };
    let mut found = dates.filter_map(|date| begins(&date));
    found.find(|from| (*from - day).get_days().abs() <= FROM_DAYS_MAX)
}

//! Until when a sentence says that something is so.

use std::sync::LazyLock;

use crate::language::Phrases;
use crate::time::Date;
use crate::when::{Exactness, each_date};
use crate::words::folded_words;

static LASTS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.lasts));
static EACH: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.each));
static NOT: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.not));

/// Most words before a day that say that something lasts up to it: `fino al`.
const PHRASE_WORDS_MAX: usize = 3;

/// Returns the last day on which what a text says is so, if it says one: `The van is in the workshop until 10 September`. A day
/// without its year, and a weekday, are the next ones after the day on which it was said.
///
/// ```
/// # use ken_core::supersede::lasts_until;
/// let day = |day: &str| day.parse().expect("a day");
/// let said = day("2026-09-01");
/// assert_eq!(lasts_until("The oven is out until 10 September.", said), Some(day("2026-09-10")));
/// assert_eq!(lasts_until("The oven is open until 10 in the evening.", said), None);
/// assert_eq!(lasts_until("The shop does not open until 10 September.", said), None);
/// ```
pub fn lasts_until(text: &str, said: Date) -> Option<Date> {
    let all = folded_words(text);
    // What comes again each week does not end; neither does a range of weekdays.
    if !LASTS.are_in(&all) || EACH.are_in(&all) {
        return None;
    }
    let dates = each_date(text, said);
    let date = dates.iter().find(|date| {
        let before = folded_words(&text[..date.span.start]);
        let near = before.len().saturating_sub(PHRASE_WORDS_MAX);
        let ends_here = |at: usize| LASTS.takes(&before[at..]) == before.len() - at;
        let starts = (near..before.len()).find(|at| ends_here(*at));
        starts.is_some_and(|at| !NOT.are_in(&before[..at]))
    })?;
    let day = date.period.to.filter(|to| date.exactness == Exactness::Day && date.period.from == Some(*to))?;
    let has_year = date.span.of(text).split(|ch: char| !ch.is_ascii_digit()).any(|run| run.len() == 4);
    match (date.is_relative, date.is_sure) {
        _ if has_year || date.is_relative && date.is_sure => Some(day),
        // A weekday alone is read as the newest one.
        (true, _) => {
            let is_alone = dates.iter().filter(|date| date.is_relative && !date.is_sure).count() == 1;
            let next = if day > said { day } else { day.saturating_add(jiff::Span::new().weeks(1)) };
            is_alone.then_some(next)
        }
        _ => (0..=1).filter_map(|n| Date::new(said.year() + n, day.month(), day.day()).ok()).find(|day| *day >= said),
    }
}

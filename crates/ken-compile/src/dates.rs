//! Resolves relative dates in extracted text against the day it was written.
//!
//! The words stay as they were said; the absolute date is added behind them: `yesterday (2026-03-31)`.

use std::cell::RefCell;

use ken_core::memo::Memo;
use ken_core::when::{self, DateWords, Exactness};
use ken_core::{Date, Month};

/// Returns `text` with the absolute date behind every relative one that `day` resolves.
pub fn resolve(text: &str, day: Date) -> String {
    thread_local! {
        static RESOLVED: RefCell<Memo<(Date, String)>> = const { RefCell::new(Memo::new()) };
    }
    // A statement is looked at for its worth, for the tldr and for the page, and stands on several.
    RESOLVED.with_borrow_mut(|resolved| {
        let (of_day, known) = resolved.of(text, || (day, with_dates(text, day)));
        if *of_day == day { known.clone() } else { with_dates(text, day) }
    })
}

/// Returns whether a text tells of a time that only `day` tells, as `tomorrow` does and `Friday, 6 February` does not.
pub(crate) fn passes(text: &str, day: Date) -> bool {
    let is_number = |text: &str| text.contains(|ch: char| ch.is_ascii_digit());
    let is_dated = |words: &DateWords| {
        let behind = text[words.span.end..].trim_start_matches([',', ' ', '(']);
        is_number(words.span.of(text)) || behind.starts_with(|ch: char| ch.is_ascii_digit())
    };
    when::relative_dates(text, day).iter().any(|words| absolute(words).is_some() && !is_dated(words))
}

fn with_dates(text: &str, day: Date) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for words in when::relative_dates(text, day) {
        let end = words.span.end;
        let is_resolved = text[end..].trim_start().starts_with("(2");
        // Of `the job takes "yesterday"` the word itself is meant.
        let is_quoted = text[..words.span.start].ends_with(QUOTES) && text[end..].starts_with(QUOTES);
        if let Some(date) = absolute(&words).filter(|_| !is_resolved && !is_quoted) {
            out.push_str(&text[from..end]);
            out.push_str(&format!(" ({date})"));
            from = end;
        }
    }
    out.push_str(&text[from..]);
    out
}

/// What may stand around a word that is spoken of.
const QUOTES: [char; 9] = ['"', '\'', '“', '”', '„', '‘', '’', '«', '»'];

/// Returns the day, week or month that the words mean; a longer or looser time has no short name.
fn absolute(words: &DateWords) -> Option<String> {
    let (from, to) = (words.period.from?, words.period.to?);
    match words.exactness {
        Exactness::Day if from == to => Some(from.to_string()),
        Exactness::Week => {
            let week = from.iso_week_date();
            Some(format!("{}-W{:02}", week.year(), week.week()))
        }
        Exactness::Month if Month::of(from) == Month::of(to) => Some(Month::of(from).to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(resolve(text, "2026-04-01".parse().expect("a date")), expected);
    }

    #[test]
    fn days_weeks_and_weekdays_get_their_dates() {
        check("We moved yesterday.", "We moved yesterday (2026-03-31).");
        check("Ship it next Friday, not tomorrow.", "Ship it next Friday (2026-04-03), not tomorrow (2026-04-02).");
        check("Last week it broke.", "Last week (2026-W13) it broke.");
        check("Abbiamo deciso ieri.", "Abbiamo deciso ieri (2026-03-31).");
        check("Seit gestern, bis nächste Woche.", "Seit gestern (2026-03-31), bis nächste Woche (2026-W15).");
        check("Two weeks ago, and last month.", "Two weeks ago (2026-W12), and last month (2026-03).");
        check("上周五开会", "上周五 (2026-03-27)开会");
    }

    #[test]
    fn code_parts_of_words_and_resolved_dates_stay() {
        check("`today` and todays and yesterday (2026-03-31)", "`today` and todays and yesterday (2026-03-31)");
        check("The job takes \"yesterday\" each night.", "The job takes \"yesterday\" each night.");
        check("Ada said „bis gestern“.", "Ada said „bis gestern (2026-03-31)“.");
        check("the day before yesterday", "the day before yesterday (2026-03-30)");
    }

    #[test]
    fn what_is_loose_a_guess_or_no_date_from_today_stays() {
        for text in ["a few days ago", "on Monday", "in March", "done in 3 days", "in the last week", "[[last week]]"] {
            check(text, text);
        }
    }
}

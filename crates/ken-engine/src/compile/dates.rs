//! Resolves relative dates in extracted text against the day it was written.
//!
//! The words stay as they were said; the absolute date is added behind them: `yesterday (2026-03-31)`.

use jiff::ToSpan;
use jiff::civil::Weekday;
use ken_core::Date;

/// (words, days from the day of writing)
const DAYS: &[(&str, i64)] = &[
    ("the day before yesterday", -2),
    ("the day after tomorrow", 2),
    ("yesterday", -1),
    ("tomorrow", 1),
    ("today", 0),
    ("tonight", 0),
    ("this morning", 0),
    ("last night", -1),
    ("l'altro ieri", -2),
    ("ieri", -1),
    ("domani", 1),
    ("dopodomani", 2),
    ("oggi", 0),
];

/// (words, weeks from the week of writing)
const WEEKS: &[(&str, i64)] =
    &[("last week", -1), ("next week", 1), ("la settimana scorsa", -1), ("la settimana prossima", 1)];

const WEEKDAYS: &[(&str, Weekday)] = &[
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// Returns `text` with the absolute date behind every relative one that `day` resolves.
pub(super) fn resolve(text: &str, day: Date) -> String {
    let lower = text.to_lowercase();
    // Byte positions are shared only if lower-casing kept every length, as it does outside a few scripts.
    if lower.len() != text.len() {
        return text.to_owned();
    }
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let mut note = |words: &str, date: String| {
        for (at, _) in lower.match_indices(words) {
            let end = at + words.len();
            let overlaps = taken.iter().any(|(start, stop)| at < *stop && *start < end);
            if !overlaps && is_word(&lower, at, end) && !text[end..].trim_start().starts_with("(2") {
                taken.push((at, end));
                found.push((end, date.clone()));
            }
        }
    };
    for (words, days) in DAYS {
        if let Ok(date) = day.checked_add(days.days()) {
            note(words, date.to_string());
        }
    }
    for (words, weeks) in WEEKS {
        if let Ok(date) = day.checked_add(weeks.weeks()) {
            let week = date.iso_week_date();
            note(words, format!("{}-W{:02}", week.year(), week.week()));
        }
    }
    for (name, weekday) in WEEKDAYS {
        if let (Ok(last), Ok(next)) = (day.nth_weekday(-1, *weekday), day.nth_weekday(1, *weekday)) {
            note(&format!("last {name}"), last.to_string());
            note(&format!("next {name}"), next.to_string());
        }
    }
    found.sort();
    let mut out = String::with_capacity(text.len() + 16 * found.len());
    let mut from = 0;
    for (end, date) in found {
        out.push_str(&text[from..end]);
        out.push_str(&format!(" ({date})"));
        from = end;
    }
    out.push_str(&text[from..]);
    out
}

/// Whether the bytes are words of their own, outside code.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let letter = |ch: Option<char>| ch.is_some_and(|ch| ch.is_alphanumeric() || ch == '_' || ch == '-');
    let in_code = text[..start].matches('`').count() % 2 == 1;
    !letter(text[..start].chars().last()) && !letter(text[end..].chars().next()) && !in_code
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
    }

    #[test]
    fn code_parts_of_words_and_resolved_dates_stay() {
        check("`today` and todays and yesterday (2026-03-31)", "`today` and todays and yesterday (2026-03-31)");
        check("the day before yesterday", "the day before yesterday (2026-03-30)");
    }
}

//! What a text says that another text may say differently: times, dates, amounts, names.
//!
//! Reads one text; returns each value with what sort it is, so that only like is compared with like: a time
//! of day with a time of day, minutes with seconds, tokens with tokens. Numbers that only name something
//! (`phase 2`, `#12`, `2nd`) are none.

use std::sync::LazyLock;

use super::units::unit;
use super::{dates, is_within, names, numbers};
use crate::language::WordSet;
use crate::span::Span;
use crate::time::Date;
use crate::words::{fold, is_stop, stem, words};

/// What sort of value it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// `7:00 AM`.
    Time,
    /// `15 minutes`, `900 s`; in seconds.
    Length,
    /// `$20`, `20 EUR`.
    Money,
    /// `50%`.
    Percent,
    /// `v1.2.3`.
    Version,
    /// `2026-02-10`, `Friday`.
    Date,
    /// `3 retries`: a number of something, by the stem of its word; empty when nothing says of what.
    Count(String),
    /// `Postgres`, `src/auth.rs`.
    Name,
}

/// A value of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// Where it stands.
    pub span: Span,
    /// What sort it is.
    pub sort: Sort,
    /// What it may be read as; two values are the same when they share a reading.
    pub readings: Vec<String>,
}

impl Value {
    /// Returns whether two values may be read as the same.
    pub fn is_same(&self, other: &Value) -> bool {
        self.readings.iter().any(|reading| other.readings.contains(reading))
    }
}

/// Returns the values of a text, in order; `day` is the day on which it was written.
pub fn values(text: &str, day: Option<Date>) -> Vec<Value> {
    let said = dates::said(text, day);
    let mut out: Vec<Value> = Vec::new();
    let named = names::names(text);
    let code: Vec<Span> = named
        .iter()
        .filter(|name| matches!(name.sort, names::Sort::Code | names::Sort::Run | names::Sort::Link))
        .map(|name| name.span)
        .collect();
    for date in said.iter().filter(|date| date.is_day_of_year() && !is_within(date.span, code.iter().copied())) {
        out.push(Value { span: date.span, sort: Sort::Date, readings: date.readings() });
    }
    let is_dated = |span: Span| said.iter().any(|date| date.span.start <= span.start && span.end <= date.span.end);
    let is_doubtful = |span: Span| {
        said.iter().any(|date| date.is_doubtful && date.span.start <= span.start && span.end <= date.span.end)
    };
    for (span, readings) in numbers::said(text) {
        let is_free = !is_dated(span) || is_doubtful(span);
        if is_free && !is_within(span, code.iter().copied()) && !is_label(text, span) {
            out.extend(measured(text, span, readings));
        }
    }
    let is_value =
        |span: Span, out: &[Value]| out.iter().any(|value| span.start < value.span.end && value.span.start < span.end);
    for name in named {
        if is_value(name.span, &out) || is_dated(name.span) {
            continue;
        }
        let named = name.span.of(text);
        let named = named.strip_suffix("'s").or_else(|| named.strip_suffix("’s")).unwrap_or(named);
        let plain = fold(&named.replace(|ch: char| !ch.is_alphanumeric(), ""));
        if plain.chars().any(char::is_alphabetic) {
            out.push(Value { span: name.span, sort: Sort::Name, readings: vec![plain] });
        }
    }
    out.sort_by_key(|value| (value.span, value.sort.clone()));
    out
}

static LABELS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.claims.labels));

/// Whether a number names something instead of counting it.
fn is_label(text: &str, span: Span) -> bool {
    let (before, behind) = (&text[..span.start], &text[span.end..]);
    if before.ends_with(['#', '/', '\\', '_', '[', '-', '–']) && !before.ends_with(" -")
        || behind.starts_with(['/', '_', ']', '.']) && behind[1..].starts_with(char::is_alphanumeric)
    {
        return true;
    }
    let letters: String = behind.chars().take_while(|ch| ch.is_alphanumeric()).collect();
    if matches!(letters.as_str(), "st" | "nd" | "rd" | "th") {
        return true;
    }
    let word = before.trim_end_matches([' ', '\u{a0}']);
    let start = word.char_indices().rev().take_while(|(_, ch)| ch.is_alphanumeric()).last();
    let word = start.map_or("", |(at, _)| &word[at..]);
    LABELS.has(&fold(word)) && before.ends_with([' ', '\u{a0}'])
}

/// Seconds of a unit of time.
fn seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "ms" | "millisecond" | "milliseconds" => 0.001,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600.0,
        "d" | "day" | "days" => 86_400.0,
        "week" | "weeks" => 604_800.0,
        "month" | "months" => 2_629_800.0,
        "year" | "years" => 31_557_600.0,
        _ => return None,
    })
}

fn measured(text: &str, span: Span, readings: Vec<String>) -> Option<Value> {
    let (before, behind) = (&text[..span.start], &text[span.end..]);
    let glued: String = behind.chars().take_while(|ch| ch.is_alphabetic()).collect();
    let rest = behind.trim_start_matches([' ', '-', '\u{a0}', '\u{202f}']);
    let word: String = rest.chars().take_while(|ch| ch.is_alphanumeric()).collect();
    // `8 °C` and `8 degrees`
    let word = if rest.starts_with('°') { "°".to_owned() } else { fold(&word) };
    let value = |sort, readings| Some(Value { span, sort, readings });
    if readings.iter().any(|reading| reading.starts_with('t')) {
        return value(Sort::Time, readings);
    }
    if before.ends_with(['$', '€', '£'])
        || behind.starts_with(['€', '$', '£'])
        || matches!(word.as_str(), "usd" | "eur" | "dollar" | "dollars" | "euro" | "euros" | "chf")
    {
        return value(Sort::Money, readings);
    }
    if rest.starts_with('%') || matches!(word.as_str(), "percent" | "pct") {
        return value(Sort::Percent, readings);
    }
    if before.ends_with(['v', 'V']) || readings.iter().any(|reading| reading.matches('.').count() > 1) {
        return value(Sort::Version, readings);
    }
    if let Some(factor) = seconds(&word) {
        let scaled =
            readings.iter().filter_map(|reading| Some(format!("{:.3}", reading.parse::<f64>().ok()? * factor)));
        return value(Sort::Length, scaled.collect());
    }
    let is_unit = (!glued.is_empty() || rest.len() < behind.len())
        && !word.is_empty()
        && !is_stop(&word)
        && !word.starts_with(|ch: char| ch.is_ascii_digit());
    value(Sort::Count(if is_unit { unit(&word) } else { String::new() }), readings)
}

/// Whether a text says `not`, `never` or `no longer` of something.
pub fn negates(text: &str) -> bool {
    super::negation::has_strong(text)
}

/// Whether a text says what a claim does, and says `not` of nothing else.
pub fn denies(text: &str, claim: &str) -> bool {
    super::negation::denies(text, claim)
}

/// Whether a text has any word that may turn its sense: `not`, `without`, `disabled`, `removed`.
pub fn may_negate(text: &str) -> bool {
    super::negation::has_negative(text)
}

/// The stems of a text's words that are neither function words nor numbers, each with its place.
pub fn stems(text: &str) -> Vec<(Span, String)> {
    let named = words(text).into_iter().filter(|word| !is_stop(word.of(text)));
    let letters = named.filter(|word| word.of(text).chars().any(char::is_alphabetic));
    letters.map(|word| (word, stem(&fold(word.of(text))))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Sort)]) {
        let found = values(text, Some(Date::constant(2026, 2, 10)));
        let shown: Vec<(&str, Sort)> = found.iter().map(|value| (value.span.of(text), value.sort.clone())).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn times_lengths_amounts_and_shares_are_of_different_sorts() {
        check("the briefing is at 7:00 AM", &[("7:00", Sort::Time)]);
        check("tokens live 15 minutes", &[("15", Sort::Length)]);
        check("it costs $20 at most", &[("20", Sort::Money)]);
        check("the cache hits 50% of them", &[("50", Sort::Percent)]);
        check("there are 3 retries", &[("3", Sort::Count("retri".to_owned()))]);
    }

    #[test]
    fn a_number_that_names_something_is_no_value() {
        check("phase 2 of issue #12 is the 2nd", &[]);
    }

    #[test]
    fn minutes_are_compared_with_seconds() {
        let (a, b) = (values("tokens live 15 minutes", None), values("tokens live 900 seconds", None));
        assert_eq!(a[0].readings, b[0].readings);
    }
}

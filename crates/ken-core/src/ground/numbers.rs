//! The numbers of a claim, compared by value.
//!
//! Reads digits with their separators (`1,000`, `1.000`, `1k`, `0x1f`, `v1.2.3`, `14:30`) and, through
//! [`spoken`], number words; returns the places of those whose value the cited text does not contain.
//! Percent signs, currencies and units are left aside: `15 min` and `15-minute` are 15. A number that may be
//! read in two ways is contained when one of its readings is. It does not calculate.

mod spoken;

use std::collections::BTreeSet;

use crate::span::Span;
use crate::words::{fold, words};

use super::dates;

/// A number of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Number {
    span: Span,
    /// The values it may have.
    values: Vec<String>,
    /// Its pieces, when it may be several numbers: `80,443`.
    parts: Vec<String>,
    /// What else it says, as the cited text: `22` of `v22.3.1`.
    also: Vec<String>,
}

/// Returns the places of numbers outside of `taken` that the cited text does not contain.
pub(super) fn missing(claim: &str, taken: &[Span], cited: &str) -> Vec<Span> {
    let is_taken = |span: Span| taken.iter().any(|other| span.start < other.end && other.start < span.end);
    let mut wanted = written(claim);
    wanted.extend(spoken::numbers(claim).into_iter().filter(|said| said.is_sure).map(|said| Number {
        span: said.span,
        values: vec![said.value.to_string()],
        parts: Vec::new(),
        also: Vec::new(),
    }));
    wanted.retain(|number| !is_taken(number.span) && !is_list_mark(claim, number.span));
    if wanted.is_empty() {
        return Vec::new();
    }
    let there = values(cited);
    let groups: Vec<Span> =
        grouped_by_spaces(claim).into_iter().filter(|(_, value)| there.contains(value)).map(|(span, _)| span).collect();
    let is_there = |number: &Number| {
        let is_grouped = groups.iter().any(|group| group.start <= number.span.start && number.span.end <= group.end);
        is_grouped
            || number.values.iter().any(|value| there.contains(value))
            || (!number.parts.is_empty() && number.parts.iter().all(|part| there.contains(part)))
    };
    let mut out: Vec<Span> = wanted.into_iter().filter(|number| !is_there(number)).map(|number| number.span).collect();
    if !out.is_empty() {
        let lower = cited.to_lowercase();
        out.retain(|span| !is_said_with(&lower, &with_word_before(claim, *span), span.of(claim)));
    }
    out
}

/// Returns the numbers of a text, in digits or in words, with what each may be read as.
pub(super) fn said(text: &str) -> Vec<(Span, Vec<String>)> {
    let written = written(text).into_iter().filter(|number| !is_list_mark(text, number.span));
    let mut out: Vec<(Span, Vec<String>)> = written.map(|number| (number.span, number.values)).collect();
    let is_free = |span: Span, out: &[(Span, Vec<String>)]| {
        out.iter().all(|(other, _)| span.end <= other.start || other.end <= span.start)
    };
    for said in spoken::numbers(text).into_iter().filter(|said| said.is_sure) {
        if is_free(said.span, &out) {
            out.push((said.span, vec![said.value.to_string()]));
        }
    }
    out
}

/// Whether a text says a number with the word before it, and no longer number.
fn is_said_with(lower: &str, wanted: &str, number: &str) -> bool {
    let ends = |at: usize| !lower[at..].starts_with(|ch: char| ch.is_alphanumeric());
    let starts = |at: usize| !lower[..at].ends_with(|ch: char| ch.is_alphanumeric());
    wanted.len() > number.len() && lower.match_indices(wanted).any(|(at, _)| starts(at) && ends(at + wanted.len()))
}

/// A number with what it is attached to and the word before it, in lower case: `march 31`, which is a date
/// only where the month has a capital.
fn with_word_before(claim: &str, span: Span) -> String {
    let attached = claim[..span.start].trim_end_matches(|ch: char| !ch.is_whitespace());
    let before = attached.trim_end();
    let word = before.rsplit(|ch: char| !ch.is_alphanumeric()).next().unwrap_or("");
    let from = if before.is_empty() { attached.len() } else { before.len() - word.len() };
    claim[from..span.end].to_lowercase()
}

/// `1. First do this`: the number of a list item is no part of the claim.
fn is_list_mark(claim: &str, span: Span) -> bool {
    let before = claim[..span.start].trim_start_matches(['-', '*', '#', ' ', '(', '\n']);
    let after = claim[span.end..].starts_with(['.', ')', ':']);
    before.is_empty() && after && span.end - span.start <= 2
}

/// Every value that a cited text may be read to contain.
fn values(text: &str) -> BTreeSet<String> {
    // `10 March` is not ten of anything; its year is also said by itself.
    let days: Vec<Span> =
        dates::said(text, None).iter().filter(|date| date.is_day_of_year()).map(|date| date.span).collect();
    let mut at_day = 0;
    let mut out = BTreeSet::new();
    for number in written(text) {
        while days.get(at_day).is_some_and(|day| day.end <= number.span.start) {
            at_day += 1;
        }
        let is_in_date = days.get(at_day).is_some_and(|day| day.start <= number.span.start);
        let is_year = number.span.end - number.span.start == 4;
        if !is_in_date || is_year {
            out.extend(number.values.into_iter().chain(number.parts).chain(number.also));
        }
    }
    out.extend(spoken::numbers(text).into_iter().map(|said| said.value.to_string()));
    out.extend(grouped_by_spaces(text).into_iter().map(|(_, value)| value));
    out.extend(inside_words(text));
    out
}

/// Digits behind letters (`phase2`, `Q3`), which are numbers only where the claim says so.
fn inside_words(text: &str) -> Vec<String> {
    let digits = |word: &Span| {
        let word = word.of(text);
        let digits = word.trim_start_matches(|ch: char| ch.is_alphabetic() || ch == '_');
        let is_lettered = digits.len() < word.len() && word.len() - digits.len() <= 12;
        (is_lettered && !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_digit()))
            .then(|| whole(digits))
    };
    words(text).iter().filter_map(digits).collect()
}

/// `1 000 000`, as French and norms write it: every number that is put together that way.
fn grouped_by_spaces(text: &str) -> Vec<(Span, String)> {
    let mut out = Vec::new();
    let mut group: Option<(usize, String)> = None;
    let mut end = 0;
    for word in words(text) {
        let digits = word.of(text);
        let is_digits = digits.len() <= 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let goes_on = matches!(&text[end..word.start], " " | "\u{a0}" | "\u{202f}" | "\u{2009}");
        end = word.end;
        group = match group {
            Some((start, before)) if is_digits && goes_on && digits.len() == 3 => {
                let all = before + digits;
                out.push((Span::new(start, end), whole(&all)));
                Some((start, all))
            }
            _ => is_digits.then(|| (word.start, digits.to_owned())),
        };
    }
    out
}

/// The numbers of a text that are written in digits.
fn written(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let mut out: Vec<Number> = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(u8::is_ascii_digit).map(|by| at + by) {
        let end = end_of_digits(text, found);
        at = end;
        if let Some(number) = read(text, found, end) {
            at = number.span.end.max(end);
            out.push(number);
        }
    }
    out
}

/// Where the digits that begin at `start` end, separators between digits included.
fn end_of_digits(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    loop {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        let rest = &text[at..];
        let Some(gap) = rest.chars().next() else { return at };
        let joins = matches!(gap, '.' | ',' | ':' | '\'' | '’' | '_' | '\u{a0}' | '\u{202f}' | '\u{2009}');
        let next = rest[gap.len_utf8()..].bytes();
        let n_digits = next.take_while(u8::is_ascii_digit).count();
        let is_group = matches!(gap, '.' | ',' | ':') || n_digits == 3;
        if !joins || n_digits == 0 || !is_group {
            return at;
        }
        at += gap.len_utf8();
    }
}

/// Reads the number of these digits, or `None` when they belong to a word: `sha256`, `7f3a9c`.
fn read(text: &str, start: usize, end: usize) -> Option<Number> {
    let before = text[..start].chars().next_back();
    let is_version = matches!(before, Some('v' | 'V')) && !text[..start - 1].ends_with(char::is_alphanumeric);
    if before.is_some_and(|ch| ch.is_alphanumeric() || ch == '_') && !is_version {
        return None;
    }
    let digits = &text[start..end];
    let rest = &text[end..];
    if digits == "0" && rest.starts_with(['x', 'X']) {
        return hexadecimal(text, start, end);
    }
    let letters = &rest[..rest.find(|ch: char| !ch.is_alphanumeric()).unwrap_or(rest.len())];
    // `15min` and `2nd` are numbers, `7f3a9c1e` is none.
    if letters.chars().count() > 7 || letters.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut number = valued(digits, is_version);
    number.span = Span::new(start, end);
    if digits.contains(':') {
        times(digits, rest, &mut number);
    } else if let Some(hour) = half_of_day(rest).and_then(|half| minute_of(digits, Some(half))) {
        number.also.append(&mut number.values);
        number.values.push(hour);
    }
    if let Some((factor, is_sure)) = factor(letters, &rest[letters.len()..]) {
        let times = |value: &String| times_factor(value, factor);
        let larger: Vec<String> = number.values.iter().filter_map(times).collect();
        if is_sure && !larger.is_empty() {
            number.also.append(&mut number.values);
            number.values = larger;
        } else {
            number.values.extend(larger);
        }
    }
    Some(number)
}

fn hexadecimal(text: &str, start: usize, end: usize) -> Option<Number> {
    let hex = &text[end + 1..];
    let hex = &hex[..hex.find(|ch: char| !ch.is_ascii_hexdigit()).unwrap_or(hex.len())];
    let value = u64::from_str_radix(hex, 16).ok()?;
    let span = Span::new(start, end + 1 + hex.len());
    Some(Number { span, values: vec![value.to_string()], parts: Vec::new(), also: Vec::new() })
}

/// The values that digits with separators may have.
fn valued(digits: &str, is_version: bool) -> Number {
    let mut number = Number { span: Span::new(0, 0), values: Vec::new(), parts: Vec::new(), also: Vec::new() };
    let groups: Vec<&str> = digits.split(|ch: char| !ch.is_ascii_digit()).collect();
    let gaps: Vec<char> = digits.chars().filter(|ch| !ch.is_ascii_digit()).collect();
    let [first, .., last] = groups[..] else {
        number.values.push(whole(digits));
        return number;
    };
    let is_thousands = first.len() <= 3 && first != "0" && groups[1..].iter().all(|group| group.len() == 3);
    let is_one_sign = gaps.iter().all(|gap| *gap == gaps[0]);
    let sign = gaps[0];
    if is_version || (sign == '.' && is_one_sign && gaps.len() > 1) {
        let as_written: Vec<String> = groups.iter().map(|group| whole(group)).collect();
        number.values.push(if as_written.len() == 2 { decimal(first, last) } else { as_written.join(".") });
        number.also.extend((1..as_written.len()).map(|n| as_written[..n].join(".")));
        if is_thousands && !is_version {
            number.values.push(whole(&groups.concat()));
        }
        return number;
    }
    if is_one_sign && is_thousands && sign != ':' {
        number.values.push(whole(&groups.concat()));
        // `1.234` may be one and a bit.
        if sign == '.' && last.bytes().any(|byte| byte != b'0') {
            number.values.push(decimal(first, last));
        }
    } else if gaps.len() == 1 && matches!(sign, '.' | ',') {
        number.values.push(decimal(first, last));
    } else if gaps.len() > 1
        && !is_one_sign
        && gaps[..gaps.len() - 1].iter().all(|gap| *gap == sign)
        && gaps.last() != Some(&':')
    {
        number.values.push(decimal(&groups[..groups.len() - 1].concat(), last));
    } else {
        number.values.push(digits.to_owned());
    }
    if matches!(sign, ',' | '\u{a0}' | '\u{202f}' | '\u{2009}') {
        number.parts = groups.iter().map(|group| whole(group)).collect();
    }
    number
}

/// The times of day that `14:30` may be; what is no time stays as it is.
fn times(digits: &str, rest: &str, number: &mut Number) {
    let Some((hour, minute)) = digits.split_once(':') else { return };
    if hour.len() > 2 || minute.get(..2).is_none_or(|two| two.len() != 2 || two.contains(':')) {
        return;
    }
    let half = half_of_day(rest);
    let short = &digits[..hour.len() + 3];
    let halves: &[Option<bool>] = match half {
        Some(true) => &[Some(true)],
        Some(false) => &[Some(false)],
        None => &[None, Some(true)],
    };
    number.values = halves.iter().filter_map(|half| minute_of(short, *half)).collect();
    number.parts = Vec::new();
    number.also.extend([whole(hour), digits.to_owned()]);
    if number.values.is_empty() {
        number.values.push(digits.to_owned());
    }
}

/// Whether `am` (false) or `pm` (true) follows.
fn half_of_day(rest: &str) -> Option<bool> {
    let rest = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let word: String = rest.chars().take_while(|ch| ch.is_alphabetic() || *ch == '.').collect();
    match word.to_lowercase().trim_end_matches('.').replace('.', "").as_str() {
        "am" => Some(false),
        "pm" => Some(true),
        _ => None,
    }
}

/// The minute of the day, marked so that it is no plain number.
fn minute_of(time: &str, is_pm: Option<bool>) -> Option<String> {
    let (hour, minute) = time.split_once(':').unwrap_or((time, "0"));
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    let hour = match is_pm {
        Some(true) if hour < 12 => hour + 12,
        Some(false) if hour == 12 => 0,
        _ => hour,
    };
    (hour < 25 && minute < 60).then(|| format!("t{}", hour * 60 + minute))
}

/// What letters or a word behind a number multiply it by, and whether they can mean nothing else.
fn factor(letters: &str, rest: &str) -> Option<(f64, bool)> {
    let sure = |factor| Some((factor, true));
    match letters {
        "k" | "K" => return sure(1e3),
        "bn" | "Bn" => return sure(1e9),
        "M" | "m" | "Mio" => return Some((1e6, false)),
        "B" | "G" => return Some((1e9, false)),
        "" => {}
        _ => return None,
    }
    let word: String =
        rest.trim_start_matches([' ', '-', '\u{a0}']).chars().take_while(|ch| ch.is_alphabetic()).collect();
    let factor = spoken::factor(&fold(&word))?;
    (word.len() >= 3 && rest.starts_with([' ', '-', '\u{a0}'])).then_some((factor, true))
}

fn times_factor(value: &str, factor: f64) -> Option<String> {
    let product = value.parse::<f64>().ok()? * factor;
    (product < 1e15).then(|| {
        let text = format!("{product:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    })
}

/// Digits without leading zeros.
fn whole(digits: &str) -> String {
    let short = digits.trim_start_matches('0');
    if short.is_empty() { "0".to_owned() } else { short.to_owned() }
}

fn decimal(before: &str, behind: &str) -> String {
    let behind = behind.trim_end_matches('0');
    if behind.is_empty() { whole(before) } else { format!("{}.{behind}", whole(before)) }
}

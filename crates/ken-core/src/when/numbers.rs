//! Numbers in other digits, and dates that are written in numbers alone.

use super::Exactness;
use super::calendar::{Found, day, month_of, quarter_of, week_of};
use super::tokens::{Gap, Kind, Token};

/// Whether a text is one Chinese numeral.
pub(super) fn is_numeral(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|ch| !ch.is_ascii() && (digit(ch).is_some() || power(ch).is_some()))
}

/// Returns a digit of full width as the ASCII one.
pub(super) fn ascii_digit(ch: char) -> char {
    match ch {
        '０'..='９' => char::from_u32(ch as u32 - '０' as u32 + '0' as u32).unwrap_or(ch),
        _ => ch,
    }
}

fn digit(ch: char) -> Option<u32> {
    "〇一二三四五六七八九".chars().position(|numeral| numeral == ch).map(|at| at as u32).or(match ch {
        '零' => Some(0),
        '两' => Some(2),
        _ => None,
    })
}

fn power(ch: char) -> Option<u32> {
    match ch {
        '十' => Some(10),
        '百' => Some(100),
        '千' => Some(1000),
        '万' => Some(10_000),
        '亿' => Some(100_000_000),
        _ => None,
    }
}

/// Returns the number that Chinese numerals say, up to four digits, or read one by one as in a year.
pub(super) fn numeral_value(text: &str) -> Option<u32> {
    // Seven characters are enough for four digits: 九千九百九十九.
    if text.is_empty() || text.chars().count() > 7 {
        return None;
    }
    if text.chars().count() > 1 && text.chars().all(|ch| digit(ch).is_some()) {
        let is_year = text.chars().count() == 4;
        return is_year.then(|| text.chars().filter_map(digit).fold(0, |sum, digit| sum * 10 + digit));
    }
    let (mut sum, mut waiting, mut last_power) = (0, None, u32::MAX);
    for ch in text.chars() {
        if let Some(power) = power(ch) {
            if power >= last_power || power > 1000 {
                return None;
            }
            sum += waiting.take().unwrap_or(1) * power;
            last_power = power;
        } else {
            let digit = digit(ch)?;
            if waiting.is_some_and(|waiting| waiting != 0) {
                return None;
            }
            waiting = Some(digit);
        }
    }
    Some(sum + waiting.unwrap_or(0))
}

/// Returns the date that begins at token `at` and is written in numbers (`2026-02-10`, `2026-03`,
/// `2026-W13`, `01/15/2024`, `15.01.2024`), with the number of tokens it takes.
pub(super) fn read(tokens: &[Token], at: usize) -> Option<(Found, usize)> {
    let first = tokens.get(at).filter(|token| token.kind == Kind::Number && !token.is_ordinal)?;
    let second = tokens.get(at + 1)?;
    if second.kind == Kind::Word && second.gap == Gap::Hyphen && first.has_digits(4) {
        return coded(first, second, tokens.get(at + 2)?);
    }
    if second.kind != Kind::Number || second.is_ordinal {
        return None;
    }
    let third = tokens.get(at + 2).filter(|third| third.gap == second.gap && third.kind == Kind::Number);
    match (second.gap, third) {
        (Gap::Hyphen | Gap::Slash, Some(third)) if first.has_digits(4) => {
            let is_whole = second.gap == Gap::Slash || (second.has_digits(2) && third.has_digits(2));
            let n_tokens = 3 + clock_time(&tokens[at + 3..]);
            is_whole.then(|| dated(first, second, third, true)).flatten().map(|found| (found, n_tokens))
        }
        (Gap::Slash, Some(third)) => slashed(first, second, third).map(|found| (found, 3)),
        (Gap::Point, Some(third)) => dated(third, second, first, true).map(|found| (found, 3)),
        (Gap::Hyphen, None) if first.has_digits(4) && second.has_digits(2) => {
            let year = first.number().filter(|year| (1900..2200).contains(year))?;
            Some((Found::of(month_of(year, second.number()?)?, Exactness::Month), 2))
        }
        _ => None,
    }
}

/// `2026-W13` and `2026-Q1`
fn coded(year: &Token, letter: &Token, number: &Token) -> Option<(Found, usize)> {
    let number = Some(number).filter(|number| number.gap == Gap::None)?.number()?;
    let year = year.number()?;
    match letter.text.as_str() {
        "w" => Some((Found::of(week_of(year, number)?, Exactness::Week), 3)),
        "q" => Some((Found::of(quarter_of(year, number)?, Exactness::Quarter), 3)),
        _ => None,
    }
}

/// `01/15/2024`: the day first only when it cannot be a month; a guess when it could be both.
fn slashed(first: &Token, second: &Token, year: &Token) -> Option<Found> {
    if first.number()? > 12 {
        return dated(year, second, first, true);
    }
    let is_sure = second.number()? > 12 || first.text == second.text;
    dated(year, first, second, is_sure)
}

fn dated(year: &Token, month: &Token, day_of: &Token, is_sure: bool) -> Option<Found> {
    if !year.has_digits(4) || month.text.len() > 2 || day_of.text.len() > 2 {
        return None;
    }
    let date = day(year.number()?, month.number()?, day_of.number()?)?;
    Some(Found { is_sure, ..Found::of((date, date), Exactness::Day) })
}

/// Returns how many tokens behind a date are its time: `T12:00:00Z`.
fn clock_time(rest: &[Token]) -> usize {
    let begins = rest.first().is_some_and(|token| token.gap == Gap::None && token.text == "t");
    if !begins || !rest.get(1).is_some_and(|token| token.gap == Gap::None && token.kind == Kind::Number) {
        return 0;
    }
    let is_part = |token: &Token| {
        let is_zone = token.text == "z" && token.gap == Gap::None;
        is_zone || (token.kind == Kind::Number && matches!(token.gap, Gap::Break | Gap::Point | Gap::Hyphen))
    };
    // Minutes, seconds, their fraction, and a zone of two numbers or a letter.
    let parts = rest[1..].windows(2).take(5).take_while(|pair| {
        let is_near = pair[1].span.start <= pair[0].span.end + 1;
        is_near && is_part(&pair[1])
    });
    2 + parts.count()
}

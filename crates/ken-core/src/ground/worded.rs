//! The words of a date that are no date of the cited text: other forms of its day, lengths of time, weekdays of each week.
//!
//! Reads the words of a date of the claim and a cited text; says whether these stand there outside of its dates. It does
//! not say when anything was.

use crate::language::{LEXICONS, Lexicon};
use crate::span::Span;
use crate::time::Date;
use crate::when::each_date;
use crate::words::{fold, is_stop, stem, words};

use super::numbers;

/// Whether a text writes the day of a date in another form: `tue` for `Tuesday`, `11/12 July` and `11th and 12 July` for
/// `11 July`, and so `the 11th` where it was written in that month or the one before.
pub(super) fn is_written(date: &str, cited: &str, entry_date: Option<Date>) -> bool {
    // Within a command nothing is read as a date: `backfill --from 2026-03-12`.
    if date.parse::<Date>().is_ok()
        && cited.split(|ch: char| !(ch.is_ascii_digit() || ch == '-')).any(|said| said == date)
    {
        return true;
    }
    let there: Vec<(Span, String)> = words(cited).into_iter().map(|word| (word, fold(word.of(cited)))).collect();
    let said: Vec<String> = words(date).into_iter().map(|word| fold(word.of(date))).collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    match said.as_slice() {
        [day] => is_weekday_of(day, &there) || is_month_of(day, &there),
        [day, month] | [month, day] if is_number(day) => {
            let is_ordinal = |(span, word): &(Span, String)| {
                let is_cut = word == day && cited[span.end..].starts_with('.');
                is_cut || word.strip_prefix(day.as_str()).is_some_and(|end| ORDINAL_ENDS.contains(&end))
            };
            let is_near = |written: Date| {
                let months = [written.month(), written.month() % 12 + 1];
                let mut days = each_date(date, written).into_iter().filter_map(|one| one.period.from);
                days.any(|from| months.contains(&from.month()))
            };
            let is_before = |(word, _): &(Span, String)| numbers_before(cited, word.start).any(|number| number == day);
            there.iter().any(is_ordinal) && entry_date.is_some_and(is_near)
                || there.iter().filter(|(_, word)| word == month).any(is_before)
        }
        _ => false,
    }
}

/// Whether one of the words of a text is a form of this weekday.
fn is_weekday_of(day: &str, there: &[(Span, String)]) -> bool {
    let is_form = |form: &&str| there.iter().any(|(_, word)| word == form);
    let forms = LEXICONS.iter().flat_map(|lexicon| lexicon.dates.weekdays.split('|'));
    let mut of_day = forms.map(|forms| forms.split('/').map(|form| form.trim().trim_start_matches('~')));
    of_day.any(|forms| forms.clone().any(|form| form == day) && forms.clone().any(|form| is_form(&form)))
}

/// Whether one of the words of a text is this month, cut short: `in feb`.
fn is_month_of(month: &str, there: &[(Span, String)]) -> bool {
    let number = |lexicon: &Lexicon| {
        let mut months = lexicon.dates.months.split('|');
        months.position(|forms| forms.split('/').any(|form| form.trim().trim_start_matches('~') == month))
    };
    let Some(number) = LEXICONS.iter().find_map(number) else { return false };
    let cut =
        |lexicon: &'static Lexicon| lexicon.dates.weak_months.split('|').filter_map(|one| one.trim().split_once(' '));
    let forms = LEXICONS.iter().flat_map(cut).filter(|(n, _)| n.parse() == Ok(number + 1));
    let mut forms = forms.flat_map(|(_, forms)| forms.split('/'));
    forms.any(|form| there.iter().any(|(_, word)| *word == fold(form)))
}

/// The numbers that stand shortly before a place of a text.
fn numbers_before(text: &str, place: usize) -> impl Iterator<Item = &str> {
    let from = place.saturating_sub(DAYS_BEFORE_BYTES);
    let before = (from..=place).find_map(|from| text.get(from..place)).unwrap_or_default();
    before.split(|ch: char| !ch.is_ascii_digit()).filter(|number| !number.is_empty())
}

/// What makes an ordinal of a number, as it is written in one word with it.
const ORDINAL_ENDS: [&str; 4] = ["st", "nd", "rd", "th"];

/// How far before its month a day stands that is told with another one, in bytes: `11th and 12 July`.
const DAYS_BEFORE_BYTES: usize = 14;

/// Whether a text says the words of a date where they are none: the length of `in three weeks` (`they offer three weeks`,
/// `3 weeks`), the weekday of `Friday` (`on Fridays`); `dated` are the places of its dates.
pub(super) fn is_undated(date: &str, cited: &str, dated: &[Span]) -> bool {
    let is_free = |span: Span| dated.iter().all(|other| span.end <= other.start || other.end <= span.start);
    let word_behind = |text: &str, at: usize| {
        let rest = &text[at..];
        words(rest).first().map(|word| stem(&fold(word.of(rest))))
    };
    if let Some((number, values)) = numbers::said(date).into_iter().next() {
        let unit = word_behind(date, number.end);
        return unit.is_some()
            && numbers::said(cited).into_iter().any(|(span, other)| {
                is_free(span)
                    && other.iter().any(|value| values.contains(value))
                    && word_behind(cited, span.end) == unit
            });
    }
    let there = |wanted: &str| {
        let mut all = words(cited).into_iter().filter(|word| is_free(*word));
        all.any(|word| stem(&fold(word.of(cited))) == wanted)
    };
    let mut said = words(date).into_iter().map(|word| word.of(date)).filter(|word| !is_stop(word)).peekable();
    said.peek().is_some() && said.all(|word| there(&stem(&fold(word))))
}

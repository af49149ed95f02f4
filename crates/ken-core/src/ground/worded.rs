//! The words of a date where they mean none: lengths of time, and weekdays of each week.
//!
//! Reads the words of a date of the claim and a cited text; says whether these stand there outside of its dates. It does
//! not know when anything was.

use crate::span::Span;
use crate::words::{fold, is_stop, stem, words};

use super::numbers;

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

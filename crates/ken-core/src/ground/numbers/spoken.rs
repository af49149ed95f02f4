//! Number words of every language that has them.
//!
//! Reads a text word by word; returns numbers from zero on (`fifteen`, `twenty-five`, `zwei`, `three
//! hundred`), ordinals up to twelfth, and words like `twice`. Words that mean something else as often
//! (`one`, `second`, `sei`) are returned as unsure: they let a cited text contain a number and make no claim
//! say one. It puts together hundreds, tens, ones and one more factor (`four hundred and twenty`).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::language::LEXICONS;
use crate::memo::Memo;
use crate::span::Span;
use crate::words::{fold, words};

/// A number that is said in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) span: Span,
    pub(super) value: u64,
    /// Its words mean nothing else.
    pub(super) is_sure: bool,
}

/// Returns what a word multiplies the number before it by.
pub(super) fn factor(folded: &str) -> Option<f64> {
    let mut all = LEXICONS.iter().flat_map(|lexicon| lexicon.claims.factors);
    all.find(|(_, words)| words.split(' ').any(|word| word == folded)).map(|(factor, _)| *factor as f64)
}

fn table() -> &'static BTreeMap<&'static str, (u64, bool)> {
    static TABLE: OnceLock<BTreeMap<&'static str, (u64, bool)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut out = BTreeMap::new();
        let mut add = |rows: &'static [(u64, &'static str)], is_sure: bool| {
            let words = rows.iter().flat_map(|(value, words)| words.split(' ').map(move |word| (word, *value)));
            out.extend(words.map(|(word, value)| (word, (value, is_sure))));
        };
        LEXICONS.iter().for_each(|lexicon| add(lexicon.claims.unsure_numbers, false));
        LEXICONS.iter().for_each(|lexicon| add(lexicon.claims.sure_numbers, true));
        out
    })
}

/// What a word says of a number.
#[derive(Debug, Clone, Copy)]
struct Counted {
    value: Option<(u64, bool)>,
    factor: Option<f64>,
}

/// What a word says of a number; most words of a text were asked for before.
fn counted(word: &str) -> Counted {
    thread_local! {
        static KNOWN: RefCell<Memo<Counted>> = const { RefCell::new(Memo::new()) };
    }
    let make = || {
        let folded = fold(word);
        Counted { value: table().get(folded.as_str()).copied(), factor: factor(&folded) }
    };
    KNOWN.with_borrow_mut(|known| *known.of(word, make))
}

/// Returns the numbers of a text that are said in words.
pub(super) fn numbers(text: &str) -> Vec<Said> {
    let mut out: Vec<Said> = Vec::new();
    let mut before: Option<(Said, bool)> = None;
    for span in words(text) {
        let counted = counted(span.of(text));
        let gap_of = |said: &Said| &text[said.span.end..span.start];
        let is_joined = |said: &Said| matches!(gap_of(said), " " | "-");
        if let Some((said, _)) = before.filter(|(said, _)| is_joined(said) && said.value < 1000 && said.value > 0)
            && let Some(factor) = counted.factor
        {
            let whole = Said { span: Span::new(said.span.start, span.end), value: said.value * factor as u64, ..said };
            out.pop();
            out.push(whole);
            before = Some((whole, false));
            continue;
        }
        let Some((value, is_sure)) = counted.value else {
            // `four hundred and twenty`
            before = before.filter(|(said, _)| is_hundreds(said) && span.of(text) == "and");
            continue;
        };
        let said = Said { span, value, is_sure: is_sure && is_free(text, span) };
        let is_tens = (20..100).contains(&value) && value % 10 == 0 && is_sure;
        let is_behind = |hundreds: &Said| is_joined(hundreds) || gap_of(hundreds) == " and ";
        match before {
            Some((hundreds, false))
                if is_hundreds(&hundreds) && (1..100).contains(&value) && is_sure && is_behind(&hundreds) =>
            {
                out.pop();
                let whole =
                    Said { span: Span::new(hundreds.span.start, span.end), value: hundreds.value + value, ..hundreds };
                out.push(whole);
                before = Some((whole, is_tens));
            }
            Some((tens, true)) if value < 10 && value > 0 && is_sure && is_joined(&tens) => {
                out.pop();
                out.push(Said { span: Span::new(tens.span.start, span.end), value: tens.value + value, ..tens });
                before = None;
            }
            _ => {
                out.push(said);
                before = Some((said, is_tens));
            }
        }
    }
    out
}

/// Whether a number may have tens and ones behind it.
fn is_hundreds(said: &Said) -> bool {
    (100..1000).contains(&said.value) && said.value.is_multiple_of(100)
}

/// Whether a word stands by itself: in `four-eyes` or `Big Five` it is part of a name.
fn is_free(text: &str, span: Span) -> bool {
    let is_capital = span.of(text).starts_with(char::is_uppercase);
    let is_first =
        text[..span.start].trim_end().chars().next_back().is_none_or(|ch| !ch.is_alphanumeric() && ch != ',');
    !is_capital || is_first
}

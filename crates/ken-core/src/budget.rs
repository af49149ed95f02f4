//! Tokens: what context costs.
//!
//! Models count differently; [`count`] is Kenning's one ruler. It is calibrated to be at or above what
//! byte-pair encoders of current models give for English and European prose, Markdown and code, so
//! that a budget that holds here holds there.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// A count of model tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tokens(pub usize);

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Add for Tokens {
    type Output = Tokens;
    fn add(self, other: Tokens) -> Tokens {
        Tokens(self.0 + other.0)
    }
}

impl Sum for Tokens {
    fn sum<I: Iterator<Item = Tokens>>(counts: I) -> Tokens {
        counts.fold(Tokens(0), Add::add)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Space,
    Mark,
    Wide,
    Other,
}

fn class(ch: char) -> Class {
    match ch {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Digit,
        ' ' | '\t' | '\n' | '\r' => Class::Space,
        _ if ch.is_ascii() => Class::Mark,
        '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' => {
            Class::Wide
        }
        _ if ch.is_alphabetic() => Class::Other,
        _ => Class::Wide,
    }
}

/// Letters one token covers inside a long word; common words are one token whatever their length.
const LETTERS_A_TOKEN: usize = 6;

/// Returns the tokens of a text.
pub fn count(text: &str) -> Tokens {
    let mut total = 0;
    let mut chars = text.chars().peekable();
    while let Some(first) = chars.next() {
        let kind = class(first);
        let mut len = 1_usize;
        while chars
            .peek()
            .is_some_and(|next| class(*next) == kind || (kind == Class::Letter && class(*next) == Class::Other))
        {
            chars.next();
            len += 1;
        }
        total += match kind {
            Class::Letter => len.div_ceil(LETTERS_A_TOKEN),
            Class::Digit => len.div_ceil(3),
            // One space belongs to the word behind it; a longer run or a line end is a token.
            Class::Space => usize::from(len > 1 || first == '\n'),
            Class::Mark => len.div_ceil(2),
            Class::Other => len.div_ceil(2),
            Class::Wide => len + len / 2,
        };
    }
    Tokens(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, tokens: usize) {
        assert_eq!(count(text), Tokens(tokens));
    }

    #[test]
    fn nothing_costs_nothing() {
        check("", 0);
    }

    #[test]
    fn words_numbers_and_marks_count() {
        check("Tokens live 15 minutes.", 6);
        check("src/auth.rs", 5);
    }

    #[test]
    fn counting_a_whole_is_no_more_than_counting_its_parts() {
        let (a, b) = ("one two", "three\nfour");
        assert!(count(&format!("{a}{b}")) <= count(a) + count(b));
    }
}

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
        _ if ch.is_ascii() => ASCII[ch as usize],
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
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // Runs of one class of ASCII are most of all text; what is not is decoded.
        let first = ASCII[usize::from(bytes[at])];
        let start = at;
        if first == Class::Other {
            at = run_of_others(text, at, &mut total);
            continue;
        }
        while at < bytes.len() && ASCII[usize::from(bytes[at])] == first {
            at += 1;
        }
        let mut len = at - start;
        if first == Class::Letter {
            len += letters_behind(text, &mut at);
        }
        total += match first {
            Class::Letter => len.div_ceil(LETTERS_A_TOKEN),
            Class::Digit => len.div_ceil(3),
            // One space belongs to the word behind it; a longer run or a line end is a token.
            Class::Space => usize::from(len > 1 || bytes[start] == b'\n'),
            Class::Mark | Class::Wide | Class::Other => len.div_ceil(2),
        };
    }
    Tokens(total)
}

/// The class of each byte of ASCII; other bytes are `Other`, to be decoded.
const ASCII: [Class; 256] = {
    let mut out = [Class::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        out[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b' ' | b'\t' | b'\n' | b'\r' => Class::Space,
            _ => Class::Mark,
        };
        byte += 1;
    }
    out
};

/// Accented letters go on with a word that began in ASCII, and so does ASCII behind them.
fn letters_behind(text: &str, at: &mut usize) -> usize {
    let mut len = 0;
    for ch in text[*at..].chars() {
        if !matches!(class(ch), Class::Letter | Class::Other) {
            break;
        }
        *at += ch.len_utf8();
        len += 1;
    }
    len
}

/// Counts one run that begins outside ASCII; returns where it ends.
fn run_of_others(text: &str, at: usize, total: &mut usize) -> usize {
    let kind = text[at..].chars().next().map_or(Class::Other, class);
    let same = |ch: &char| class(*ch) == kind;
    let (mut len, mut end) = (0_usize, at);
    for ch in text[at..].chars().take_while(same) {
        len += 1;
        end += ch.len_utf8();
    }
    *total += if kind == Class::Wide { len + len / 2 } else { len.div_ceil(2) };
    end
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
        check("perché no", 2);
        check("日本語 ok", 5);
    }

    #[test]
    fn counting_a_whole_is_no_more_than_counting_its_parts() {
        let (a, b) = ("one two", "three\nfour");
        assert!(count(&format!("{a}{b}")) <= count(a) + count(b));
    }
}

//! Number words of English, German, Italian, French and Spanish.
//!
//! Reads a text word by word; returns numbers from zero on (`fifteen`, `twenty-five`, `zwei`, `three
//! hundred`), ordinals up to twelfth, and words like `twice`. Words that mean something else as often
//! (`one`, `second`, `sei`) are returned as unsure: they let a cited text contain a number and make no claim
//! say one. It does not put together more than tens, ones and one factor.

use std::collections::BTreeMap;
use std::sync::OnceLock;

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

/// Words that are numbers wherever they stand, in a claim too: a value and its words.
const SURE: &str = "
2 two zwei deux
3 three drei trois
4 four vier quattro quatre cuatro
5 five funf fuenf cinque cinq cinco
6 six sechs seis
7 seven sieben sette siete
8 eight huit ocho
9 nine neun nueve
10 ten zehn dieci diez
11 eleven undici onze
12 twelve zwolf zwoelf dodici douze doce
13 thirteen dreizehn
14 fourteen vierzehn
15 fifteen funfzehn quindici quinze quince
16 sixteen
17 seventeen
18 eighteen
19 nineteen
20 twenty zwanzig venti vingt veinte
30 thirty dreissig trenta trente treinta
40 forty
50 fifty
60 sixty
70 seventy
80 eighty
90 ninety
";

/// Words that may be numbers.
const UNSURE: &str = "
0 zero no none null
1 one a an single once sole ein eine einen einer einem eins einmal un uno una une first erste ersten premier primo primero
2 both beide beiden twice double doubled pair couple second due entrambi dos zweite zweiten deuxieme secondo segundo
3 third triple thrice tre tres dritte dritten troisieme terzo tercero
4 fourth
5 fifth
6 sixth sei
7 seventh sept
8 eighth acht otto
9 ninth nove neuf
10 tenth dix
11 eleventh elf once
12 twelfth dozen
25 quarter
50 half halved
100 cento cien hundred hundert
1000 mille mil thousand tausend
1000000 million
1000000000 billion
";

/// Returns what a word multiplies the number before it by.
pub(super) fn factor(folded: &str) -> Option<f64> {
    Some(match folded {
        "hundred" | "hundert" => 1e2,
        "thousand" | "tausend" | "mila" | "mille" | "mil" | "tsd" => 1e3,
        "million" | "millions" | "mio" | "millionen" | "milioni" | "millones" => 1e6,
        "billion" | "billions" | "milliarden" | "milliards" | "miliardi" => 1e9,
        _ => return None,
    })
}

fn table() -> &'static BTreeMap<&'static str, (u64, bool)> {
    static TABLE: OnceLock<BTreeMap<&'static str, (u64, bool)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut out = BTreeMap::new();
        for (list, is_sure) in [(UNSURE, false), (SURE, true)] {
            for line in list.lines() {
                let mut columns = line.split(' ');
                let Some(value) = columns.next().and_then(|value| value.parse().ok()) else { continue };
                out.extend(columns.map(|word| (word, (value, is_sure))));
            }
        }
        out
    })
}

fn value(folded: &str) -> Option<(u64, bool)> {
    table().get(folded).copied()
}

/// Returns the numbers of a text that are said in words.
pub(super) fn numbers(text: &str) -> Vec<Said> {
    let mut out: Vec<Said> = Vec::new();
    let mut before: Option<(Said, bool)> = None;
    for span in words(text) {
        let folded = fold(span.of(text));
        let gap_of = |said: &Said| &text[said.span.end..span.start];
        let is_joined = |said: &Said| matches!(gap_of(said), " " | "-");
        if let Some((said, _)) = before.filter(|(said, _)| is_joined(said) && said.value < 1000 && said.value > 0)
            && let Some(factor) = factor(&folded)
        {
            let whole = Said { span: Span::new(said.span.start, span.end), value: said.value * factor as u64, ..said };
            out.pop();
            out.push(whole);
            before = Some((whole, false));
            continue;
        }
        let Some((value, is_sure)) = value(&folded) else {
            before = None;
            continue;
        };
        let said = Said { span, value, is_sure: is_sure && is_free(text, span) };
        match before {
            Some((tens, true)) if value < 10 && value > 0 && is_sure && is_joined(&tens) => {
                out.pop();
                out.push(Said { span: Span::new(tens.span.start, span.end), value: tens.value + value, ..tens });
                before = None;
            }
            _ => {
                out.push(said);
                before = Some((said, (20..100).contains(&value) && value % 10 == 0 && is_sure));
            }
        }
    }
    out
}

/// Whether a word stands by itself: in `four-eyes` or `Big Five` it is part of a name.
fn is_free(text: &str, span: Span) -> bool {
    let is_capital = span.of(text).starts_with(char::is_uppercase);
    let is_first =
        text[..span.start].trim_end().chars().next_back().is_none_or(|ch| !ch.is_alphanumeric() && ch != ',');
    !is_capital || is_first
}

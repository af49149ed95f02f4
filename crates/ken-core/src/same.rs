//! Whether two statements say the same in other words, decided without a model.
//!
//! [`Reading`] reads a statement down to what it says: `the` and its like, plural endings, spellings of numbers and units, words
//! such as `still`, what introduces it (`Reminder:`), and where a leading phrase stands make no difference. Every other
//! word does, and so does its place: `before` and `after`, `may` and `must`, who does it and to whom. Two statements with
//! one [`Reading::key`] say the same, but for the reason that one of them may give besides. A model, which is asked about
//! wordings further apart, is believed where [`may_be_same`] finds nothing against it.
//!
//! Precision comes first: a line that stands twice costs less than a fact that is lost.

use std::sync::LazyLock;

use regex::Regex;

use crate::clash::plain;
use crate::ground::{self, Sort, Value};
use crate::language::{LEXICONS, WordSet, Wording, alternatives, fold};
use crate::span::Span;
use crate::time::Date;
use crate::words::{folded_words, is_number_word, is_stop, stem, words};

#[cfg(test)]
mod tests;

/// Fewer words than these say too little to be compared.
const WORDS_MIN: usize = 3;
/// Words of a leading phrase that may as well stand last.
const LEADING_MAX: usize = 10;
/// Letters of a word that are looked at at a glance, and how many words one statement may have that another has not.
const PREFIX: usize = 4;
/// See [`PREFIX`].
const INTRODUCING_MAX: u32 = 2;
/// Marks that say something.
const MARKS: &str = "<>≤≥=≠~≈±+#→$€£?";

/// What a statement says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// What two statements share that say the same; nothing of one that says too little.
    pub key: Option<String>,
    /// The reason that it gives besides; empty where it gives none.
    pub reason: String,
}

/// The words of a statement, told at a glance: only statements that have nearly the same are worth reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gist(u64);

impl Gist {
    /// Returns the words of a statement.
    pub fn of(text: &str) -> Gist {
        let told = folded_words(text).into_iter().filter(|word| word.len() >= PREFIX && !is_number_word(word));
        let bit = |word: String| {
            let start =
                word.bytes().take(PREFIX).fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
            1_u64 << (start % 64)
        };
        Gist(told.map(bit).fold(0, |all, bit| all | bit))
    }

    /// Returns whether one of two statements has all that the other has, but for what may introduce it.
    pub fn may_say_the_same(self, other: Gist) -> bool {
        (self.0 & !other.0).count_ones().min((other.0 & !self.0).count_ones()) <= INTRODUCING_MAX
    }
}

/// A word, a mark or a value, as it is compared, and where its text ended.
struct Token {
    said: String,
    folded: String,
    end: usize,
}

impl Reading {
    /// Returns what a statement says; `day` is the day on which it was said.
    pub fn of(text: &str, day: Option<Date>) -> Reading {
        let text = plain(text);
        let text = introduced(&text);
        let tokens = in_order(text, tokens(text, day));
        let n_main = reason_from(&tokens).unwrap_or(tokens.len());
        let (main, reason) = tokens.split_at(n_main);
        let said = |tokens: &[Token]| tokens.iter().map(|token| token.said.as_str()).collect::<Vec<_>>().join(" ");
        Reading { key: (main.len() >= WORDS_MIN).then(|| said(main)), reason: said(reason) }
    }
}

/// Returns whether nothing speaks against two statements saying the same, which somebody says who read both: neither has a
/// number, date, name, negation, doubt or condition that the other has not.
pub fn may_be_same((a, a_day): (&str, Option<Date>), (b, b_day): (&str, Option<Date>)) -> bool {
    let is_contained = |claim: &str, cited: &str, day| ground::missing(claim, &[cited], day, &|_| false).is_empty();
    let holds = |text: &str| (text.trim_end().ends_with('?'), is_hedged(text));
    let (a, b) = (plain(a), plain(b));
    holds(&a) == holds(&b)
        && is_contained(&a, &b, b_day)
        && is_contained(&b, &a, a_day)
        && names_first(&a, &b)
        && names_first(&b, &a)
}

/// Whether the first word of a statement, whose capital does not tell whether it is a name, is said by another one, too.
fn names_first(said: &str, other: &str) -> bool {
    let first = words(said).first().map_or("", |word| word.of(said));
    is_stop(first) || folded_words(other).iter().any(|word| stem(word) == stem(&fold(first)))
}

/// A statement without what introduces it.
fn introduced(text: &str) -> &str {
    static INTRODUCED: LazyLock<Regex> = LazyLock::new(|| {
        let wrappers = alternatives(|lexicon| lexicon.pages.wrappers);
        let introduces = alternatives(|lexicon| lexicon.claims.introduces);
        let pattern = format!(r"(?i)^(?:(?:{introduces}|(?:{wrappers})[,:]) )+");
        Regex::new(&pattern).expect("a pattern of ours")
    });
    INTRODUCED.find(text).map_or(text, |found| &text[found.end()..])
}

fn tokens(text: &str, day: Option<Date>) -> Vec<Token> {
    let values = ground::values(text, day);
    let values: Vec<&Value> = values.iter().filter(|value| value.sort != Sort::Name).collect();
    let marks = text.char_indices().filter(|(at, ch)| MARKS.contains(*ch) || is_minus(text, *at, *ch));
    let marks = marks.map(|(at, ch)| Span::new(at, at + ch.len_utf8()));
    let mut places: Vec<Span> = words(text).into_iter().chain(marks).collect();
    places.sort_unstable();
    let mut out: Vec<Token> = Vec::new();
    let mut valued: Option<&Value> = None;
    for place in places {
        let within = values.iter().find(|value| value.span.start <= place.start && place.end <= value.span.end);
        let folded = fold(place.of(text));
        if let Some(value) = within {
            let is_new = valued.is_none_or(|known| known.span != value.span);
            if is_new {
                let mut readings = value.readings.clone();
                readings.sort();
                out.push(Token { said: format!("{:?}:{}", value.sort, readings.join("|")), folded, end: place.end });
            }
            valued = Some(value);
            continue;
        }
        // The unit stands in the readings.
        let is_unit = valued.take().is_some_and(|value| match value.sort {
            Sort::Length => true,
            Sort::Percent => matches!(folded.as_str(), "percent" | "pct"),
            _ => false,
        });
        if !is_unit {
            push_word(&mut out, folded, place.end);
        }
    }
    out
}

/// Adds a word as it is compared.
fn push_word(out: &mut Vec<Token>, folded: String, end: usize) {
    let last = out.last().map(|token| token.folded.clone()).unwrap_or_default();
    // `doesn't` is cut into `doesn` and `t`.
    if folded == "t" && last.ends_with('n') {
        let verb = last[..last.len() - 1].to_owned();
        out.pop();
        push_word(out, verb, end);
        out.push(Token { said: "not".to_owned(), folded: "not".to_owned(), end });
        return;
    }
    // `not now` says when.
    let is_light = LIGHT.has(&folded) && !NEGATING.has(&last);
    if is_light || DEFINITE.has(&folded) {
        return;
    }
    let twin = LEXICONS
        .iter()
        .flat_map(|lexicon| lexicon.claims.twins)
        .find(|(word, _)| *word == folded)
        .map(|(_, twin)| (*twin).to_owned());
    out.push(Token { said: twin.unwrap_or_else(|| singular(&folded)), folded, end });
}

/// A word without the ending of its plural, or of a verb of one who does it.
fn singular(folded: &str) -> String {
    let keeps = |ends: &[&str]| ends.iter().any(|end| folded.ends_with(end));
    if folded.len() < 4 || folded.contains('_') || !folded.is_ascii() || keeps(&["ss", "us", "is"]) {
        return folded.to_owned();
    }
    if let Some(rest) = folded.strip_suffix("ies") {
        return format!("{rest}y");
    }
    let hissing = ["shes", "ches", "xes", "sses", "zes"];
    let n_cut = if keeps(&hissing) { 2 } else { usize::from(folded.ends_with('s')) };
    folded[..folded.len() - n_cut].to_owned()
}

/// Whether a hyphen makes a number a negative one.
fn is_minus(text: &str, at: usize, ch: char) -> bool {
    let is_number = text[at + ch.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
    matches!(ch, '-' | '−') && is_number && text[..at].chars().next_back().is_none_or(|before| " (".contains(before))
}

/// The words with a leading phrase behind the rest: `After the bake, the valve opens` as `The valve opens after the bake`.
fn in_order(text: &str, mut tokens: Vec<Token>) -> Vec<Token> {
    static LEADS: LazyLock<Regex> = LazyLock::new(|| {
        let words = alternatives(|lexicon| lexicon.sessions.condition);
        Regex::new(&format!(r"(?i)^(?:{words})\b")).expect("a pattern of ours")
    });
    let mut commas = text.match_indices(", ").map(|(at, _)| at);
    let (Some(comma), None) = (commas.next(), commas.next()) else { return tokens };
    let n = tokens.partition_point(|token| token.end <= comma);
    if n <= LEADING_MAX && n < tokens.len() && LEADS.is_match(text) {
        tokens.rotate_left(n);
    }
    tokens
}

/// Where the reason begins that a statement gives besides what it says, if it gives one that hangs on nothing else.
fn reason_from(tokens: &[Token]) -> Option<usize> {
    static WHY: LazyLock<Vec<Wording>> = LazyLock::new(|| Wording::lists(|lexicon| lexicon.questions.why));
    let said: Vec<&str> = tokens.iter().map(|token| token.folded.as_str()).collect();
    let at = (WORDS_MIN..said.len()).find(|at| begins(&WHY, &said[*at..]))?;
    // `We do not bake because of the heat` may say either.
    let is_denied = said[..at].iter().any(|word| NEGATING.has(word));
    let depends = || (at..said.len()).any(|at| begins(&CONDITION, &said[at..]));
    (!is_denied && !depends()).then_some(at)
}

/// Whether a text asks, wishes, guesses, reports, or makes a condition.
fn is_hedged(text: &str) -> bool {
    static UNSURE: LazyLock<Vec<Wording>> = LazyLock::new(|| Wording::lists(|lexicon| lexicon.changes.unsure));
    let folded = folded_words(text);
    let said: Vec<&str> = folded.iter().map(String::as_str).collect();
    (0..said.len()).any(|at| begins(&UNSURE, &said[at..]) || begins(&CONDITION, &said[at..]))
}

static LIGHT: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.claims.light));
static DEFINITE: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.claims.definite));
static NEGATING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.claims.negating));
static CONDITION: LazyLock<Vec<Wording>> = LazyLock::new(|| Wording::lists(|lexicon| lexicon.changes.condition));

/// Whether words begin with one of some phrases.
fn begins(phrases: &[Wording], said: &[&str]) -> bool {
    phrases.iter().any(|phrase| phrase.length(said).is_some())
}

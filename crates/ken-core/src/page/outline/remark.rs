//! What a page says of a claim, in words: each form is written and read here, and nowhere else.
//!
//! | of a claim that | stands |
//! |---|---|
//! | was replaced | `~~It is hot~~ until 2026-05-03; now: It is cold.[^1][^2]` |
//! | was done | `~~Order flour~~ done 2026-05-03.[^1][^2]` |
//! | was replaced, in an answer | `(superseded) It is hot (until 2026-05-03; now: It is cold) [[oven]][^1]` |
//! | held on a day that is told of | `It is hot (until 2026-05-03; then: It is cold).[^1]` |
//! | came later, or was said later | `It is cold (since 2026-05-03).[^2]`, `It is big (said 2026-05-09).[^3]` |
//! | a model concluded | `It is warm *(synthesis)*.[^1][^2]` |
//! | only external sources say | `It is warm. *(external)*[^1]` |

use std::fmt;

use super::notes::{split_marks, without_marks};
use crate::claim::ClaimState;
use crate::link::without_links;
use crate::text::{cut, one_line};
use crate::time::{Date, leading_date};

/// What stands on both sides of the words of a claim that no longer holds.
const STRUCK: &str = "~~";
/// What stands before a sentence of a filed answer that no longer holds.
pub const SUPERSEDED_MARK: &str = "(superseded) ";
/// What stands behind a sentence that a model concluded.
pub const SYNTHESIS: &str = " *(synthesis)*";
/// How long what holds now is at most, in characters.
const NEXT_CHARS_MAX: usize = 160;

/// What is said of a claim: `until 2026-05-03; now: It is cold`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Remark<'t> {
    /// The day on which something became of it.
    pub when: Option<(When, Date)>,
    /// What took its place.
    pub next: Option<(Next, &'t str)>,
}

/// What became of a claim on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// It held until then.
    Until,
    /// It was a task, and was done.
    Done,
    /// It holds since then.
    Since,
    /// It was said first.
    Said,
}

/// How something stands to what took its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It holds now.
    Now,
    /// It held next.
    Then,
}

const WHENS: [(When, &str); 4] =
    [(When::Until, "until "), (When::Done, "done "), (When::Since, "since "), (When::Said, "said ")];
const NEXTS: [(Next, &str); 2] = [(Next::Now, "now: "), (Next::Then, "then: ")];
/// What stands between a day and what took a claim's place.
const BETWEEN: &str = "; ";

impl fmt::Display for Remark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((when, day)) = self.when {
            let word = WHENS.iter().find(|(one, _)| *one == when).map_or("", |(_, word)| *word);
            write!(f, "{word}{day}{}", if self.next.is_some() { BETWEEN } else { "" })?;
        }
        if let Some((next, text)) = self.next {
            let word = NEXTS.iter().find(|(one, _)| *one == next).map_or("", |(_, word)| *word);
            write!(f, "{word}{text}")?;
        }
        Ok(())
    }
}

impl<'t> Remark<'t> {
    /// Returns what a text says of a claim; what is no remark says nothing.
    pub fn read(text: &'t str) -> Remark<'t> {
        let dated = |(when, word): &(When, &str)| {
            let rest = text.strip_prefix(word)?.trim_start();
            Some(((*when, leading_date(rest)?), rest.get(DAY_BYTES..)?))
        };
        let (when, rest) = WHENS.iter().find_map(dated).map_or((None, Some(text)), |(when, rest)| {
            // What else stands behind a day is somebody's.
            (Some(when), rest.strip_prefix(BETWEEN))
        });
        let next = |(next, word): &(Next, &str)| Some((*next, rest?.strip_prefix(word)?));
        Remark { when, next: NEXTS.iter().find_map(next) }
    }

    /// Returns how the words of a claim stand that no longer holds, without its marks.
    pub fn struck(&self, words: &str) -> String {
        let between = match (self.when, self.next) {
            (Some(_), _) => " ",
            (None, Some(_)) => BETWEEN,
            (None, None) => "",
        };
        format!("{STRUCK}{words}{STRUCK}{between}{self}.")
    }

    /// Returns a sentence with this in brackets before its end, so that its marks stand behind both.
    pub fn in_brackets(&self, said: &str) -> String {
        before_end(said, &format!(" ({self})"))
    }
}

/// Bytes of a day.
const DAY_BYTES: usize = 10;

/// Returns a sentence with something before its end, so that its marks stand behind both.
pub fn before_end(said: &str, suffix: &str) -> String {
    let (words, marks) = split_marks(said);
    let (text, end) = words.trim_end().split_at(end_of_words(said));
    format!("{text}{suffix}{end}{marks}")
}

/// Returns where the words of a sentence end: before its stop and its marks.
pub fn end_of_words(said: &str) -> usize {
    split_marks(said).0.trim_end().trim_end_matches(['.', '!', '?', '…']).len()
}

/// Returns a statement as it is told of another one whose place it took.
pub fn as_next(text: &str) -> String {
    cut(text.trim_end_matches('.'), NEXT_CHARS_MAX)
}

/// Returns whether a text says what holds in the place of something.
pub fn names_next(text: &str) -> bool {
    text.contains("; now: ")
}

/// Returns whether a sentence is struck through.
pub fn is_struck(said: &str) -> bool {
    said.starts_with(STRUCK)
}

/// Returns whether a sentence is struck through and says what became of it.
pub fn is_remarked(said: &str) -> bool {
    is_struck(said) && Remark::read(Cut::of(&without_marks(said)).remark) != Remark::default()
}

/// Returns what is said of a sentence of a page that no longer holds, without marks and links; empty where nothing is.
pub(crate) fn remark_in(said: &str) -> String {
    let said = one_line(&without_links(&without_marks(said)));
    if is_past(&said) { Cut::of(&said).remark.to_owned() } else { String::new() }
}

/// Returns a text in which nothing is struck through.
pub fn without_strokes(text: &str) -> String {
    text.replace(STRUCK, "")
}

/// A sentence without its marks, cut where something is said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut<'t> {
    /// What it says.
    pub(super) words: &'t str,
    /// What is said of it; may be empty.
    pub(super) remark: &'t str,
}

impl<'t> Cut<'t> {
    pub(super) fn of(said: &'t str) -> Cut<'t> {
        if let Some((words, rest)) = said.strip_prefix(STRUCK).and_then(|rest| rest.split_once(STRUCK)) {
            let remark = rest.trim_end().trim_end_matches('.');
            return Cut { words, remark: remark.strip_prefix(BETWEEN).unwrap_or(remark).trim_start() };
        }
        let is_past = said.starts_with(SUPERSEDED_MARK);
        match bracketed(said, When::Until) {
            Some((at, remark)) if is_past => Cut { words: &said[SUPERSEDED_MARK.len()..at], remark },
            Some((_, remark)) => Cut { words: said, remark },
            None => Cut { words: said.strip_prefix(SUPERSEDED_MARK).unwrap_or(said), remark: "" },
        }
    }
}

/// What stands in brackets at the end of a sentence and begins with a word and a day; where that begins.
fn bracketed(said: &str, when: When) -> Option<(usize, &str)> {
    let is_it = |(at, _): &(usize, &str)| Remark::read(&said[at + 2..]).when.is_some_and(|found| found.0 == when);
    let (at, _) = said.match_indices(" (").find(is_it)?;
    let end = said[at + 2..].rfind(')')? + at + 2;
    Some((at, &said[at + 2..end]))
}

/// Returns whether a sentence of a compiled page says that it no longer holds.
pub(super) fn is_past(said: &str) -> bool {
    is_struck(said) || said.starts_with(SUPERSEDED_MARK)
}

/// Returns whether any sentence of a text may say so.
pub(super) fn may_say_past(text: &str) -> bool {
    text.contains(STRUCK) || text.contains(SUPERSEDED_MARK)
}

/// Returns what is said of a sentence that no longer holds.
pub(super) fn past(said: &str) -> ClaimState {
    let remark = Remark::read(Cut::of(said).remark);
    if let Some((When::Done, day)) = remark.when {
        return ClaimState::Done { on: Some(day) };
    }
    let now = remark.next.map(|(_, now)| one_line(&without_links(now.trim().trim_end_matches('.'))));
    ClaimState::Superseded { until: remark.when.map(|(_, day)| day), now: now.filter(|now| !now.is_empty()) }
}

/// Returns what a struck sentence is told as where nothing can be struck: what it says, and until when that held, or when it
/// was done, in brackets.
///
/// ```
/// # use ken_core::page::outline::unstruck;
/// assert_eq!(unstruck("~~Order flour~~ done 2026-05-05."), "Order flour (done 2026-05-05)");
/// ```
pub fn unstruck(text: &str) -> String {
    let told = |(mark, word): (&str, &str)| {
        let (words, remark) = text.split_once(mark)?;
        Some(format!("{words} ({word} {})", remark.trim_end_matches('.')))
    };
    let told = [("~~ until ", "until"), ("~~ done ", "done")].into_iter().find_map(told);
    without_strokes(told.as_deref().unwrap_or(text))
}

/// Returns how a sentence of a page that was told of a day stands to it, with what it says of that:
/// `until 2026-03-20; then: …`, `since 2026-03-20`.
pub fn told(sentence: &str) -> Option<(When, &str)> {
    let found = |when: When| Some((when, bracketed(sentence, when)?.1));
    let until = found(When::Until).filter(|(_, remark)| matches!(Remark::read(remark).next, Some((Next::Then, _))));
    until.or_else(|| found(When::Since))
}

/// Returns a struck claim with another statement as what took its place, and other marks; nothing where it names none.
pub fn with_next(said: &str, next: Option<(Next, &str)>, marks: &str) -> Option<String> {
    let behind = said.rfind(STRUCK).unwrap_or(0);
    let at = NEXTS.iter().filter_map(|(_, word)| said[behind..].find(&format!("{BETWEEN}{word}"))).min()? + behind;
    let next = Remark { when: None, next };
    let between = if next.next.is_some() { BETWEEN } else { "" };
    Some(format!("{}{between}{next}.{marks}", &said[..at]))
}

//! What a statement says itself of what it names: that it is gone, planned, somewhere else, or no more than an example.
//!
//! The words stand with their language. A statement is read as words, where each piece between code marks is one word,
//! so that "`a` and `b` were removed" is said of both.

use std::sync::LazyLock;

use crate::language::{Lexicon, Phrases};
use crate::span::Span;
use crate::words::folded_words;

/// Words that may stand between what is said and a removal of it.
const BEHIND_MAX: usize = 4;
/// What stands for a piece between code marks.
const CODE: &str = "codemark";

struct Said {
    /// Removals in front of what they are of.
    left_before: Phrases,
    left_behind: Phrases,
    moods: Phrases,
    elsewhere: Phrases,
    /// Words that stand between a removal and what it is of.
    between: Phrases,
    kinds: Phrases,
    inside: Phrases,
}

static PHRASES: LazyLock<Said> = LazyLock::new(|| {
    let of = |list: fn(&'static Lexicon) -> &'static str| Phrases::of(list);
    Said {
        left_before: of(|lexicon| lexicon.code.left_before),
        left_behind: of(|lexicon| lexicon.code.left_behind),
        moods: of(|lexicon| lexicon.code.moods),
        elsewhere: of(|lexicon| lexicon.code.elsewhere),
        between: of(|lexicon| lexicon.code.between),
        kinds: of(|lexicon| lexicon.code.kinds),
        inside: of(|lexicon| lexicon.code.inside),
    }
});

/// A statement whose pieces between code marks are told apart.
pub(super) struct Statement<'t> {
    text: &'t str,
    marked: &'t [Span],
}

impl<'t> Statement<'t> {
    pub(super) fn of(text: &'t str, marked: &'t [Span]) -> Statement<'t> {
        Statement { text, marked }
    }

    /// Whether the statement says itself what became of the piece of this number.
    pub(super) fn is_excused(&self, n: usize) -> bool {
        self.is_excused_at(self.marked[n])
    }

    pub(super) fn is_excused_at(&self, span: Span) -> bool {
        let before = self.words(0, span.start);
        let behind = self.words(span.end, self.text.len());
        let mut before = clause(before.iter().rev());
        before.reverse();
        let behind = clause(behind.iter());
        let phrases = &*PHRASES;
        let has = |list: &Phrases, said: &[&str]| (0..said.len()).any(|at| length(list, &said[at..]) > 0);
        has(&phrases.elsewhere, &before)
            || has(&phrases.moods, &before)
            || is_behind(&phrases.left_behind, &behind)
            || ends_with(&phrases.left_before, &phrases.between, &before)
    }

    /// Whether the word beside a piece says that it is a function, a type, …
    pub(super) fn has_kind_beside(&self, n: usize) -> bool {
        let span = self.marked[n];
        let before = self.words(0, span.start);
        let behind = self.words(span.end, self.text.len());
        let is_kind =
            |word: Option<&String>| word.is_some_and(|word| length(&PHRASES.kinds, std::slice::from_ref(word)) > 0);
        is_kind(before.last()) || is_kind(behind.first())
    }

    /// Whether words between a name and a path say that the one is in the other.
    pub(super) fn is_inside(&self, between: &str) -> bool {
        let between = between.trim_matches('`');
        if between.trim() == "(" {
            return true;
        }
        let is_plain = between.chars().all(|ch| ch.is_alphabetic() || ch.is_whitespace());
        let said = folded_words(between);
        let mut at = 0;
        while at < said.len() {
            let n = length(&PHRASES.inside, &said[at..]).max(length(&PHRASES.kinds, &said[at..at + 1]));
            if n == 0 {
                return false;
            }
            at += n;
        }
        // Something has to say so: a kind alone does not.
        is_plain && said.iter().any(|word| length(&PHRASES.kinds, std::slice::from_ref(word)) == 0)
    }

    /// The words from one place to another; what ends a clause is a word, too.
    fn words(&self, from: usize, to: usize) -> Vec<String> {
        let mut out = Vec::new();
        let mut at = from;
        let inside = self.marked.iter().filter(|span| span.start >= from && span.end <= to);
        for span in inside {
            words_of(&self.text[at..span.start], &mut out);
            out.push(CODE.to_owned());
            at = span.end;
        }
        words_of(&self.text[at..to.max(at)], &mut out);
        out
    }
}

fn words_of(text: &str, out: &mut Vec<String>) {
    let mut at = 0;
    for piece in text.split_inclusive([';', '.', '!', '?', ':', ',', '|']) {
        at += piece.len();
        // Inside of a name nothing ends: `src/auth.rs`.
        let is_end = text[at..].chars().next().is_none_or(char::is_whitespace);
        out.extend(folded_words(piece));
        match piece.chars().last() {
            Some(';' | '.' | '!' | '?' | '|') if is_end => out.push(";".to_owned()),
            Some(',') => out.push(",".to_owned()),
            _ => {}
        }
    }
}

/// The words of a clause, up to what ends it.
fn clause<'w>(words: impl Iterator<Item = &'w String>) -> Vec<&'w str> {
    words.map(String::as_str).take_while(|word| *word != ";").collect()
}

fn length<W: AsRef<str>>(list: &Phrases, said: &[W]) -> usize {
    list.takes(said)
}

/// Whether a phrase follows soon; other pieces of code and commas do not count.
fn is_behind(list: &Phrases, behind: &[&str]) -> bool {
    let mut n_words = 0;
    for at in 0..behind.len() {
        if length(list, &behind[at..]) > 0 {
            return true;
        }
        n_words += usize::from(!matches!(behind[at], CODE | "," | "and"));
        if n_words >= BEHIND_MAX {
            return false;
        }
    }
    false
}

/// Whether a phrase stands right in front, with nothing between but words that may stand there.
fn ends_with(list: &Phrases, between: &Phrases, before: &[&str]) -> bool {
    let mut end = before.len();
    loop {
        let is_here = |at: usize| length(list, &before[at..end]) == end - at;
        if (end.saturating_sub(4)..end).any(is_here) {
            return true;
        }
        let Some(last) = end.checked_sub(1) else { return false };
        if !matches!(before[last], CODE | ",") && length(between, &before[last..end]) == 0 {
            return false;
        }
        end = last;
    }
}

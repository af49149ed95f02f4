//! From text to terms, the same way for what is indexed and for what is asked.
//!
//! A *run* is what is written as one: `src/auth.rs`, `maxRetries`, `v0.4.2`, `don't`. A run gives its parts,
//! stemmed, and, if there are several, the whole without its joints, so that `find_recent`, `findRecent` and
//! `find-recent` are one term besides `find` and `recent`. Days (`2026-04-01`), versions and amounts are one
//! part. Chinese, Japanese and Korean runs give their characters by pairs, and one by one for questions of
//! one character.

use std::cell::RefCell;
use std::sync::LazyLock;

use crate::language::{Language, WordSet};
use crate::memo::Memo;
use crate::words::{fold, identifier_parts, is_cjk, is_stop};

/// Longest whole that is a term, in bytes: beyond, it is data.
const WHOLE_MAX: usize = 60;
/// Longest run that is looked at whole, in bytes.
const RUN_MAX: usize = 240;

/// What a term is of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// A word, or a part of what is written as one.
    Part,
    /// A function word: found only by questions that have nothing else.
    Filler,
    /// All of what is written as one.
    Whole,
    /// One character of a script without spaces.
    Character,
}

/// A term of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'r> {
    /// The term.
    pub term: String,
    /// What it is made of, as it is written.
    pub written: &'r str,
    /// What it is of its run.
    pub kind: TokenKind,
}

static KEPT: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.kept));

/// Returns what of a text is written as one, each with where it begins.
pub fn runs(text: &str) -> Runs<'_> {
    Runs { text, at: 0 }
}

/// Iterator over the runs of a text.
#[derive(Debug, Clone)]
pub struct Runs<'a> {
    text: &'a str,
    at: usize,
}

fn is_joint(ch: char) -> bool {
    matches!(ch, '.' | '-' | '/' | '\'' | '’' | ':' | ',')
}

fn is_inside(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_'
}

impl<'a> Iterator for Runs<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..)?;
        let start = self.at + rest.find(is_inside)?;
        let mut end = self.text.len();
        let mut chars = self.text[start..].char_indices().peekable();
        let mut before_is_cjk = false;
        while let Some((at, ch)) = chars.next() {
            let is_other_script = at > 0 && is_inside(ch) && is_cjk(ch) != before_is_cjk;
            let goes_on = is_inside(ch) && !is_other_script
                || (is_joint(ch)
                    && !before_is_cjk
                    && chars.peek().is_some_and(|(_, next)| is_inside(*next) && !is_cjk(*next)));
            if !goes_on || at >= RUN_MAX {
                end = start + at;
                break;
            }
            before_is_cjk = is_cjk(ch);
        }
        // A character that cannot begin a run is passed over, so that this always comes to its end.
        self.at = end.max(start + 1);
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        Some((start, &self.text[start..end]))
    }
}

/// Returns the terms of a run.
pub fn tokens(run: &str, language: Language) -> Vec<Token<'_>> {
    if run.chars().any(is_cjk) {
        return characters(run);
    }
    let run = run.trim_matches('_');
    let run = run.strip_suffix("'s").or_else(|| run.strip_suffix("’s")).unwrap_or(run);
    if let Some(one) = as_one(run) {
        return vec![Token { term: one, written: run, kind: TokenKind::Part }];
    }
    let mut parts: Vec<&str> = Vec::new();
    let cut: Vec<&str> = run.split(|ch| is_joint(ch) || ch == '_').filter(|part| !part.is_empty()).collect();
    if let [word, tail] = cut[..]
        && run.contains(['\'', '’'])
        && tail.chars().count() <= 2
    {
        // `don't`, `we'll`: one word, of which only a negation says something.
        let negation = if tail == "t" { Some(format!("{word}t")) } else { None };
        return vec![part(negation.as_deref().unwrap_or(word), word, language)];
    }
    for piece in cut {
        let inner = split_case(piece);
        if inner.is_empty() { parts.push(piece) } else { parts.extend(inner) }
    }
    if let [single] = parts[..] {
        return vec![part(single, single, language)];
    }
    let mut out: Vec<Token<'_>> = Vec::with_capacity(parts.len() + 1);
    for piece in &parts {
        if piece.chars().count() > 1 || piece.bytes().all(|byte| byte.is_ascii_digit()) {
            out.push(part(piece, piece, language));
        }
    }
    let squashed = |text: &str| -> String { fold(text).chars().filter(|ch| ch.is_alphanumeric()).collect() };
    let whole = squashed(run);
    let is_term = |term: &str| (3..=WHOLE_MAX).contains(&term.len()) && !term.bytes().all(|byte| byte.is_ascii_digit());
    if is_term(&whole) {
        let term = if parts.len() == 2 { language.stem(&whole) } else { whole.clone() };
        out.push(Token { term, written: run, kind: TokenKind::Whole });
    }
    if let Some((_, written)) = run.rsplit_once('/') {
        let last = squashed(written);
        if is_term(&last) && last != whole {
            out.push(Token { term: last, written, kind: TokenKind::Whole });
        }
    }
    out
}

/// A term of a run, without what it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    /// The term.
    pub(crate) term: String,
    /// What it is of its run.
    pub(crate) kind: TokenKind,
}

/// Calls `with` with the terms of a run, which must not ask for those of another: passages and questions share most of
/// their words, so what was made last is remembered.
pub(crate) fn with_terms<T>(run: &str, language: Language, with: impl FnOnce(&[Term]) -> T) -> T {
    /// The terms of runs in a language.
    type Known = (Language, Memo<Box<[Term]>>);
    thread_local! {
        static TERMS: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
    }
    let make = || tokens(run, language).into_iter().map(|Token { term, kind, .. }| Term { term, kind }).collect();
    TERMS.with_borrow_mut(|all| {
        let at = all.iter().position(|(known, _)| *known == language).unwrap_or_else(|| {
            all.push((language, Memo::new()));
            all.len() - 1
        });
        with(all[at].1.of(run, make))
    })
}

fn part<'r>(word: &str, written: &'r str, language: Language) -> Token<'r> {
    let folded = fold(word);
    let is_number = folded.bytes().all(|byte| byte.is_ascii_digit());
    let is_filler = !is_number && is_stop(&folded) && !KEPT.has(&folded);
    let kind = if is_filler { TokenKind::Filler } else { TokenKind::Part };
    Token { term: language.stem(&folded), written, kind }
}

/// Days, numbers with their separators, versions and amounts: what is lost when it is cut.
fn as_one(run: &str) -> Option<String> {
    let bytes = run.as_bytes();
    if !bytes.iter().any(u8::is_ascii_digit) || !run.is_ascii() {
        return None;
    }
    if run.len() == 10 && run.parse::<crate::time::Date>().is_ok() {
        return Some(run.to_owned());
    }
    if bytes.contains(&b',') && bytes.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.')) {
        return Some(run.replace(',', ""));
    }
    let lower = run.to_ascii_lowercase();
    let number = lower.strip_prefix('v').unwrap_or(&lower);
    let digits = number.trim_end_matches(|ch: char| ch.is_ascii_lowercase());
    let is_amount = digits.starts_with(|ch: char| ch.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && number.len() - digits.len() <= 3;
    // A bare number is a word like any other.
    (is_amount && number.bytes().any(|byte| !byte.is_ascii_digit())).then(|| number.to_owned())
}

/// The parts of a word by its case, and its letters and digits apart; none when there is one.
fn split_case(piece: &str) -> Vec<&str> {
    if !piece.is_ascii() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let humps = identifier_parts(piece);
    let humps = if humps.is_empty() { vec![piece] } else { humps };
    for hump in humps {
        let mut start = 0;
        for (at, pair) in hump.as_bytes().windows(2).enumerate() {
            if pair[0].is_ascii_digit() != pair[1].is_ascii_digit() {
                out.push(&hump[start..=at]);
                start = at + 1;
            }
        }
        out.push(&hump[start..]);
    }
    if out.len() > 1 { out } else { Vec::new() }
}

/// Pairs of characters, and the characters for questions of one.
fn characters(run: &str) -> Vec<Token<'_>> {
    let chars: Vec<char> = fold(run).chars().filter(|ch| ch.is_alphanumeric()).collect();
    let pair = |pair: &[char]| Token { term: pair.iter().collect(), written: run, kind: TokenKind::Part };
    let single = if chars.len() > 1 { TokenKind::Character } else { TokenKind::Part };
    let one = |ch: &char| Token { term: ch.to_string(), written: run, kind: single };
    chars.windows(2).map(pair).chain(chars.iter().map(one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        let all = runs(text).flat_map(|(_, run)| tokens(run, Language::ENGLISH));
        let token = |token: Token<'_>| match token.kind {
            TokenKind::Part => token.term,
            TokenKind::Filler => format!("~{}", token.term),
            TokenKind::Whole => format!("={}", token.term),
            TokenKind::Character => format!(".{}", token.term),
        };
        all.map(token).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn words_become_stems() {
        check("How do refresh Tokens rotate?", "~how ~do refresh token rotat");
        check("before the change, don't", "befor ~the chang ~dont");
        check("Jamie's café", "jami cafe");
    }

    #[test]
    fn what_is_written_as_one_is_its_parts_and_the_whole() {
        check("maxRetries", "max retri =maxretri");
        check("find_most_recent", "find ~most recent =findmostrecent");
        check("find-most-recent", "find ~most recent =findmostrecent");
        check("src/auth.rs:12", "src auth rs 12 =srcauthrs12 =authrs12");
        check("HTTPServer2", "http server 2 =httpserver2");
    }

    #[test]
    fn days_numbers_and_versions_stay_one() {
        check("on 2026-04-01 at v0.4.2, 1,234,567 or 50m", "~on 2026-04-01 ~at 0.4.2 1234567 ~or 50m");
        check("12 and 3.5", "12 ~and 3.5");
    }

    #[test]
    fn scripts_without_spaces_go_by_pairs() {
        check("認証設定 API", "認証 証設 設定 .認 .証 .設 .定 api");
        check("猫", "猫");
    }

    proptest! {
        #[test]
        fn runs_lie_in_order_and_every_letter_is_in_one(text in "[a-zA-Z0-9_.,:/'’ 認é\n-]{0,60}") {
            let mut end = 0;
            let mut n_inside = 0;
            for (start, run) in runs(&text) {
                prop_assert!(start >= end && text[start..].starts_with(run) && !run.is_empty());
                end = start + run.len();
                n_inside += run.chars().filter(|ch| is_inside(*ch)).count();
                let _ = tokens(run, Language::ENGLISH);
            }
            prop_assert_eq!(n_inside, text.chars().filter(|ch| is_inside(*ch)).count());
        }
    }
}

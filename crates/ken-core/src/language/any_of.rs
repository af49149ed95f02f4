//! Whether a text says something of a list: words, phrases, and patterns of both, in every language.
//!
//! A list is a part of a pattern. As one pattern the languages of a list take longer to make than most commands take for all
//! else. So words and phrases are looked up, and each pattern is made once a text holds what it begins with, or what else it
//! cannot do without.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

use regex::Regex;
use unicode_normalization::char::is_combining_mark;

use super::{LEXICONS, Lexicon, with_words_of_europe};

/// The words, phrases and patterns of one list of every language, whatever their case.
///
/// ```
/// # use ken_core::language::AnyOf;
/// let done = AnyOf::of(|lexicon| lexicon.pages.change_verbs);
/// assert!(done.is_in("The timer, REPLACED today, rings.") && !done.is_in("The timer is irreplaceable."));
/// assert!(done.opens("Replaced the timer.") && !done.opens("The timer was replaced."));
/// ```
#[derive(Debug)]
pub struct AnyOf {
    /// Sorted.
    beginnings: Vec<Beginning>,
    /// Which of them begin with a letter, sorted.
    by_first: Vec<(char, Range<usize>)>,
    patterns: Vec<Pattern>,
    /// Those that may begin with anything.
    open: Vec<usize>,
    /// Whether the end of the text is an end, whatever stands there.
    is_to_end: bool,
}

/// A word or a phrase, or what a pattern begins with.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Beginning {
    /// In lower case.
    letters: String,
    /// The pattern that it is of; none where it is all there is.
    of: Option<usize>,
}

/// What a list holds that is no word or phrase.
#[derive(Debug)]
struct Pattern {
    alternative: &'static str,
    /// What stands behind it.
    end: &'static str,
    /// What every text holds that it is found in, in lower case; empty where nobody knows.
    needed: String,
    opening: OnceLock<Regex>,
    anywhere: OnceLock<Regex>,
}

impl Pattern {
    fn opening(&self) -> &Regex {
        self.opening.get_or_init(|| self.made("^"))
    }

    fn anywhere(&self) -> &Regex {
        self.anywhere.get_or_init(|| self.made(r"\b"))
    }

    fn made(&self, start: &str) -> Regex {
        pattern(&format!("(?i){start}(?:{}){}", with_words_of_europe(self.alternative), self.end))
    }
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of ours")
}

impl AnyOf {
    /// Returns what a list holds, of all languages together.
    pub fn of(list: impl Fn(&'static Lexicon) -> &'static str) -> AnyOf {
        AnyOf::all(LEXICONS.iter().map(list), false)
    }

    /// Returns the same where patterns of the list may end with the text: `… below\.`.
    pub fn of_whole(list: impl Fn(&'static Lexicon) -> &'static str) -> AnyOf {
        AnyOf::all(LEXICONS.iter().map(list), true)
    }

    fn all(lists: impl Iterator<Item = &'static str>, is_to_end: bool) -> AnyOf {
        let end = if is_to_end { r"(?:\b|$)" } else { r"\b" };
        let (mut beginnings, mut patterns, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for alternative in lists.flat_map(alternatives) {
            if !alternative.contains(SIGNS) {
                beginnings.push(Beginning { letters: alternative.to_lowercase(), of: None });
                continue;
            }
            let (of, begun) = (patterns.len(), begins(alternative));
            let is_open = begun.iter().any(String::is_empty);
            if is_open {
                open.push(of);
            } else {
                beginnings.extend(begun.into_iter().map(|letters| Beginning { letters, of: Some(of) }));
            }
            let needed = if is_open { needed(alternative) } else { String::new() };
            let (opening, anywhere) = (OnceLock::new(), OnceLock::new());
            patterns.push(Pattern { alternative, end, needed, opening, anywhere });
        }
        beginnings.sort_unstable();
        beginnings.dedup();
        let mut by_first: Vec<(char, Range<usize>)> = Vec::new();
        for (n, first) in beginnings.iter().filter_map(|one| one.letters.chars().next()).enumerate() {
            match by_first.last_mut().filter(|last| last.0 == first) {
                Some((_, range)) => range.end = n + 1,
                None => by_first.push((first, n..n + 1)),
            }
        }
        AnyOf { beginnings, by_first, patterns, open, is_to_end }
    }

    /// Returns whether a text begins with one of them as whole words: what `^(?:…)\b` finds.
    pub fn opens(&self, text: &str) -> bool {
        let is_it = |(of, end): (Option<usize>, usize)| match of {
            Some(n) => self.patterns[n].opening().is_match(text),
            None => self.is_end(text, end),
        };
        self.standing_at(text, 0).any(is_it) || self.open_in(text).any(|one| one.opening().is_match(text))
    }

    /// Returns whether one of them stands in a text as whole words: what `\b(?:…)\b` finds.
    pub fn is_in(&self, text: &str) -> bool {
        let mut looked = BTreeSet::new();
        let mut is_it = |(of, end): (Option<usize>, usize)| match of {
            Some(n) => looked.insert(n) && self.patterns[n].anywhere().is_match(text),
            None => self.is_end(text, end),
        };
        boundaries(text).any(|at| self.standing_at(text, at).any(&mut is_it))
            || self.open_in(text).any(|one| one.anywhere().is_match(text))
    }

    /// Returns where in a text the first of them begins that stands there as whole words, in bytes.
    pub fn find(&self, text: &str) -> Option<usize> {
        let (mut may_be, mut first) = (BTreeSet::new(), None);
        for at in boundaries(text) {
            for (of, end) in self.standing_at(text, at) {
                match of {
                    Some(n) => drop(may_be.insert(n)),
                    None if first.is_none() && self.is_end(text, end) => first = Some(at),
                    None => {}
                }
            }
        }
        let begun = may_be.into_iter().map(|n| &self.patterns[n]);
        let found = begun.chain(self.open_in(text)).filter_map(|one| one.anywhere().find(text));
        found.map(|found| found.start()).chain(first).min()
    }

    /// The patterns that may begin with anything, of which a text holds what they cannot do without.
    fn open_in(&self, text: &str) -> impl Iterator<Item = &Pattern> {
        let lower = if self.open.is_empty() { String::new() } else { text.to_lowercase() };
        let open = self.open.iter().map(|n| &self.patterns[*n]);
        open.filter(move |one| lower.contains(&one.needed))
    }

    /// Returns what stands before each word or phrase that a text in lower case ends with.
    pub fn before_end<'t>(&self, lower: &'t str) -> impl Iterator<Item = &'t str> {
        let words = self.beginnings.iter().filter(|one| one.of.is_none());
        words.filter_map(|one| lower.strip_suffix(one.letters.as_str()))
    }

    /// Whether what ends at a place of a text ends there as whole words.
    fn is_end(&self, text: &str, at: usize) -> bool {
        let is_word = |ch: Option<char>| ch.is_some_and(is_of_word);
        self.is_to_end && at == text.len()
            || is_word(text[..at].chars().next_back()) != is_word(text[at..].chars().next())
    }

    /// What begins at a place of a text, as what it is of, and where it ends.
    fn standing_at(&self, text: &str, at: usize) -> impl Iterator<Item = (Option<usize>, usize)> {
        let rest = &text[at..];
        let first = rest.chars().next().and_then(|ch| ch.to_lowercase().next());
        let known = first.and_then(|first| self.by_first.binary_search_by_key(&first, |(ch, _)| *ch).ok());
        let known = known.map_or(0..0, |n| self.by_first[n].1.clone());
        self.beginnings[known].iter().filter_map(move |one| Some((one.of, at + begun_with(rest, &one.letters)?)))
    }
}

/// How many bytes of a text are some letters in lower case, if it begins with them.
fn begun_with(text: &str, letters: &str) -> Option<usize> {
    if letters.is_ascii() {
        let said = text.as_bytes().get(..letters.len())?;
        return said.eq_ignore_ascii_case(letters.as_bytes()).then_some(letters.len());
    }
    let mut said = text.char_indices();
    let mut is_next = |letter: char| said.next().is_some_and(|(_, ch)| ch == letter || ch.to_lowercase().eq([letter]));
    let is_it = letters.chars().all(&mut is_next);
    is_it.then(|| said.next().map_or(text.len(), |(at, _)| at))
}

/// The places of a text where a word begins or ends.
fn boundaries(text: &str) -> impl Iterator<Item = usize> {
    let mut was_word = false;
    text.char_indices().filter_map(move |(at, ch)| {
        let is_word = is_of_word(ch);
        (std::mem::replace(&mut was_word, is_word) != is_word).then_some(at)
    })
}

fn is_of_word(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_' || !ch.is_ascii() && is_combining_mark(ch)
}

/// The signs of patterns.
const SIGNS: [char; 13] = ['\\', '[', ']', '(', ')', '{', '}', '.', '*', '+', '?', '^', '$'];

/// The alternatives of a pattern.
fn alternatives(pattern: &str) -> Vec<&str> {
    let (mut out, mut from, mut depth, mut is_escaped) = (Vec::new(), 0, 0_usize, false);
    for (at, ch) in pattern.char_indices() {
        match ch {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                out.push(&pattern[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(&pattern[from..]);
    out.retain(|one| !one.is_empty());
    out
}

/// The letters in lower case that every text begins with which an alternative finds, one of them each; empty ones where that
/// may be anything.
fn begins(alternative: &str) -> Vec<String> {
    let anything = || vec![String::new()];
    let (mut letters, mut rest) = (String::new(), alternative);
    while let Some(ch) = rest.chars().next() {
        let (inside, behind) = match ch {
            '(' => match group(rest) {
                Some((inside, behind)) => (alternatives(inside).into_iter().flat_map(begins).collect(), behind),
                None => return if letters.is_empty() { anything() } else { vec![letters] },
            },
            _ if SIGNS.contains(&ch) => break,
            _ => (vec![ch.to_lowercase().collect()], &rest[ch.len_utf8()..]),
        };
        let is_optional = behind.starts_with(['?', '*', '{']);
        if is_optional && !letters.is_empty() {
            break;
        }
        if is_optional {
            // Without it, it begins with what follows.
            let follows = behind[1..].split_once('}').filter(|_| behind.starts_with('{'));
            let follows = follows.map_or(&behind[1..], |(_, follows)| follows);
            return inside.into_iter().chain(if follows.is_empty() { anything() } else { begins(follows) }).collect();
        }
        if ch == '(' {
            return inside.into_iter().map(|one: String| format!("{letters}{one}")).collect();
        }
        letters += &inside.concat();
        if behind.starts_with('+') {
            break;
        }
        rest = behind;
    }
    vec![letters]
}

/// The longest run of letters and signs in lower case that every text holds which an alternative finds; empty where none is
/// long enough to tell.
fn needed(alternative: &str) -> String {
    let (mut runs, mut rest) = (vec![String::new()], alternative);
    while let Some(ch) = rest.chars().next() {
        let behind = match ch {
            '\\' => rest.char_indices().nth(2).map_or("", |(at, _)| &rest[at..]),
            '(' | '[' => match closing(rest) {
                Some(end) => &rest[end + 1..],
                None => return String::new(),
            },
            _ => &rest[ch.len_utf8()..],
        };
        let is_optional = behind.starts_with(['?', '*', '{']);
        if SIGNS.contains(&ch) || is_optional {
            runs.push(String::new());
        } else if let Some(run) = runs.last_mut() {
            run.extend(ch.to_lowercase());
        }
        rest = match behind.strip_prefix('{') {
            Some(counts) => counts.split_once('}').map_or("", |(_, behind)| behind),
            None => behind,
        };
    }
    let longest = runs.into_iter().max_by_key(|run| run.chars().count());
    longest.filter(|run| run.chars().count() >= NEEDED_CHARS_MIN).unwrap_or_default()
}

/// Fewest characters by which a text is looked at more closely.
const NEEDED_CHARS_MIN: usize = 3;

/// Where the group or class ends that a pattern begins with.
fn closing(pattern: &str) -> Option<usize> {
    let (mut depth, mut is_escaped) = (0_usize, false);
    for (at, ch) in pattern.char_indices() {
        match ch {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 1 => return Some(at),
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What stands in the group that a pattern begins with, and behind it; none where its signs say something else of it.
fn group(pattern: &str) -> Option<(&str, &str)> {
    let end = closing(pattern)?;
    Some((pattern[..end].strip_prefix("(?:")?, &pattern[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_begins_with_what_every_text_begins_with_that_it_finds() {
        let check = |alternative: &str, expected: &[&str]| assert_eq!(begins(alternative), expected, "{alternative}");
        check("as (?:i|you) said", &["as i", "as you"]);
        check("ok(?:ay)?", &["ok"]);
        check("(?:the )?fix", &["the ", "fix"]);
        check("(?:the )?(?:fix|Result)s?", &["the ", "fix", "result"]);
        check("quizás?", &["quizá"]);
        check("hm+", &["hm"]);
        check("j'[a-z]+", &["j'"]);
        check("(?:a|(?:b|c) d)e", &["a", "b", "c"]);
        check(r"\w+ said", &[""]);
        check("[a-z]x", &[""]);
        check("a{0,2}b", &["a", "b"]);
        check("l'?on", &["l"]);
    }

    /// What is looked for at the end of a text, or with a name behind it, is compared letter by letter.
    #[test]
    fn lists_that_are_compared_letter_by_letter_hold_no_patterns() {
        let lists: [fn(&Lexicon) -> &'static str; 2] =
            [|lexicon| lexicon.pages.trailing, |lexicon| lexicon.pages.says_what_is];
        for one in lists.iter().flat_map(|list| LEXICONS.iter().map(list).flat_map(alternatives)) {
            assert!(!one.contains(SIGNS), "{one}");
        }
    }

    #[test]
    fn a_pattern_needs_what_stands_in_it_whatever_else_does() {
        let check = |alternative: &str, expected: &str| assert_eq!(needed(alternative), expected, "{alternative}");
        check("[^,.;:]{1,60} (?:does|do) the same", " the same");
        check("[a-z]+ing (?:it|them)", "ing ");
        check(r"\S+ Needs? it", " need");
        check("[a-z](?:it)? ", "");
        check(r".*\blines? [0-9]+", "line");
        check("(?:no )*ovens", "ovens");
    }

    /// What one pattern finds, this finds: of every list, in every sentence of the corpus of changes.
    #[test]
    fn it_says_what_the_pattern_of_the_list_says() {
        type List = fn(&Lexicon) -> &'static str;
        let words: [List; 27] = [
            |lexicon| lexicon.pages.adding,
            |lexicon| lexicon.pages.announcing,
            |lexicon| lexicon.pages.change_reasons,
            |lexicon| lexicon.pages.change_verbs,
            |lexicon| lexicon.pages.changes,
            |lexicon| lexicon.pages.document_itself,
            |lexicon| lexicon.pages.document_leaning,
            |lexicon| lexicon.pages.document_opening,
            |lexicon| lexicon.pages.document_pointed,
            |lexicon| lexicon.pages.document_purpose,
            |lexicon| lexicon.pages.document_speaking,
            |lexicon| lexicon.pages.fault,
            |lexicon| lexicon.pages.fleeting,
            |lexicon| lexicon.pages.giving_up,
            |lexicon| lexicon.pages.journal_leaning,
            |lexicon| lexicon.pages.journal_speaking,
            |lexicon| lexicon.pages.mended,
            |lexicon| lexicon.pages.of_the_work,
            |lexicon| lexicon.pages.personal,
            |lexicon| lexicon.pages.persons,
            |lexicon| lexicon.pages.pointing,
            |lexicon| lexicon.pages.reporting,
            |lexicon| lexicon.pages.says_what_to_do,
            |lexicon| lexicon.pages.says_why_or_when,
            |lexicon| lexicon.pages.supposing,
            |lexicon| lexicon.pages.trailing,
            |lexicon| lexicon.sessions.causal,
        ];
        let whole: [List; 2] = [|lexicon| lexicon.pages.document_pointing, |lexicon| lexicon.pages.document_remarks];
        words.into_iter().for_each(|list| check(list, AnyOf::of(list), r"\b"));
        whole.into_iter().for_each(|list| check(list, AnyOf::of_whole(list), r"(?:\b|$)"));

        #[track_caller]
        fn check(list: List, any_of: AnyOf, end: &str) {
            let one = super::super::alternatives(list);
            let [opening, anywhere] = ["^", r"\b"].map(|start| pattern(&format!("(?i){start}(?:{one}){end}")));
            let named = LEXICONS.iter().map(list).flat_map(alternatives).filter(|one| !one.contains(SIGNS));
            let named = named.map(|one| format!("It was {}, and so on.", one.to_uppercase()));
            let changes = include_str!("../supersede/changes.txt").lines().map(str::to_owned);
            for text in changes.chain(named) {
                let text = text.trim_start_matches(|ch: char| !ch.is_alphabetic());
                assert_eq!(any_of.opens(text), opening.is_match(text), "{text}: {one}");
                assert_eq!(any_of.is_in(text), anywhere.is_match(text), "{text}: {one}");
                assert_eq!(any_of.find(text), anywhere.find(text).map(|found| found.start()), "{text}: {one}");
            }
        }
    }
}

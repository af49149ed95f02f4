//! What is looked for in a text: a name, a pattern, or the traces of what was said.
//!
//! A name and a pattern are found as they stand. What was said in a session, on a day or by a document has no
//! pattern of its own: its traces are the words, and the runs of a few words, that stand in it and in nothing that
//! stays. Whatever holds one was made from it, as far as words can tell.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ken_core::Span;
use ken_core::words::is_cjk;
use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use crate::failure::Failure;

/// Fewest letters of a name: a shorter one stands inside too many words. In scripts without spaces, two are a name.
const NAME_LETTERS_MIN: usize = 3;
const NAME_CJK_MIN: usize = 2;
/// Words that make a trace together, of which each may stand anywhere.
const RUN: usize = 4;
/// Fewest characters of a word that is a trace alone.
const WORD_CHARS_MIN: usize = 3;
/// From so many characters on a plain word shows where it comes from, when a text is checked.
const TELLING_CHARS_MIN: usize = 9;
/// Characters between two parts that are covered together.
const GAP_MAX: usize = 4;

/// Words of the forms of files, which stand in them whatever was said.
const FORMS: &str = "knowledge memory bank daily raw sessions talk kenning index log reports md html json jsonl \
    concept concepts entity entities project projects reference references theme themes connection connections \
    question questions trajectory trajectories qa history source sources created updated removed restored appended \
    added changed unchanged compile capture ingest init scan fix lint undo redo recover session user agent external \
    trust summary context key exchanges decisions made lessons learned action items names events superseded disputed \
    related consulted filed follow ups none with redacted forgotten path digest lines reply shown read kind input \
    model at to from the and in of layout vault pages as they should be edit hand edited by answers tasks rejected \
    claude code codex gemini cli cursor command match high mid low medium owner title aliases tldr validated more of \
    this document parts problems found changed files confidence similar type body when stale since \
    redirect until now done both is left out items erased covered covers expire ask anthropic openai";

/// What is looked for.
#[derive(Debug, Clone)]
pub(super) enum Needle {
    /// A name, with the letters around it looked at.
    Name(Regex),
    /// A pattern of the user's.
    Pattern(Regex),
    /// Traces of what was said.
    Traces(Traces),
}

impl Needle {
    /// Returns what finds a person's name, or what else somebody is called: in any case, with anything between its
    /// words that file names, addresses and code put there, and in the order of a list of names.
    pub(super) fn name(name: &str) -> Result<Needle, Failure> {
        let name: String = name.nfc().collect();
        let words: Vec<&str> = name.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let n_letters: usize = words.iter().map(|word| word.chars().count()).sum();
        let words: Vec<String> = words.into_iter().map(word_pattern).collect();
        let n_least = if name.chars().any(is_cjk) { NAME_CJK_MIN } else { NAME_LETTERS_MIN };
        if n_letters < n_least {
            return Err(Failure::usage(format!("`{name}` is too short for a name: it needs at least 3 letters"))
                .hint("nothing was changed; `--pattern` takes a regular expression"));
        }
        let between = r"(?:[\s_.+'’*`\-]|%20|%27|\\[nrt]){0,4}";
        let mut pattern = words.join(between);
        if let [first, last] = words.as_slice() {
            pattern = format!("{pattern}|{last},\\s?{first}");
        }
        Regex::new(&format!("(?i){pattern}")).map(Needle::Name).map_err(|error| Failure::usage(error.to_string()))
    }

    /// Returns what finds a regular expression.
    pub(super) fn pattern(pattern: &str) -> Result<Needle, Failure> {
        let wrong = |why: &str| {
            Failure::usage(format!("`{}` is no pattern for this: {why}", ken_core::text::cut(pattern, 80)))
                .hint("nothing was changed")
        };
        let regex = Regex::new(&format!("(?m){pattern}")).map_err(|error| {
            // The last line of the report says what is wrong, those before it show where.
            let text = error.to_string();
            let why = text.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned();
            wrong(&why).hint("the syntax is that of https://docs.rs/regex")
        })?;
        if regex.is_match("") {
            return Err(wrong("it matches where nothing stands"));
        }
        Ok(Needle::Pattern(regex))
    }

    /// Returns the parts of a text to cover, in order and apart from one another.
    pub(super) fn spans(&self, text: &str) -> Vec<Span> {
        match self {
            Needle::Name(regex) => outside_marks(text, regex.find_iter(text).filter(|found| stands_alone(text, found))),
            Needle::Pattern(regex) => outside_marks(text, regex.find_iter(text)),
            Needle::Traces(traces) => traces.spans(text),
        }
    }

    /// Returns whether a text holds it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        !self.spans(text).is_empty()
    }

    /// Returns where in a text that was made afterwards a copy shows; less than is covered: a plain word may be
    /// somebody's own.
    pub(super) fn copy_in(&self, text: &str) -> Option<Span> {
        match self {
            Needle::Traces(traces) => traces.telling(text),
            _ => self.spans(text).into_iter().next(),
        }
    }
}

/// A word whose letters may be composed or not, with what nobody sees between them.
fn word_pattern(word: &str) -> String {
    let letter = |ch: char| {
        let (composed, apart) = (ch.to_string(), std::iter::once(ch).nfd().collect::<String>());
        match composed == apart {
            true => regex::escape(&composed),
            false => format!("(?:{}|{})", regex::escape(&composed), regex::escape(&apart)),
        }
    };
    word.chars()
        .map(letter)
        .collect::<Vec<_>>()
        .join(r"[\x{AD}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}\x{FEFF}]{0,8}")
}

/// Whether a name is not the middle of a longer word; a genitive's `s` may follow.
fn stands_alone(text: &str, found: &regex::Match<'_>) -> bool {
    let before = text[..found.start()].chars().next_back();
    let mut after = text[found.end()..].chars();
    let next = match after.next() {
        Some('s') => after.next(),
        next => next,
    };
    let (first, last) = (found.as_str().chars().next(), found.as_str().chars().next_back());
    // Where words have no spaces between them, nothing shows where one ends.
    let is_one = |a: Option<char>, b: Option<char>| {
        a.zip(b).is_some_and(|(a, b)| a.is_alphabetic() && b.is_alphabetic() && !is_cjk(a) && !is_cjk(b))
    };
    !is_one(before, first) && !is_one(last, next)
}

fn outside_marks<'t>(text: &str, found: impl Iterator<Item = regex::Match<'t>>) -> Vec<Span> {
    let marks: Vec<Span> = marks(text).collect();
    let is_in_mark = |span: &Span| marks.iter().any(|mark| mark.start < span.end && span.start < mark.end);
    let spans = found.map(|found| Span::new(found.start(), found.end()));
    spans.filter(|span| span.start < span.end && !is_in_mark(span)).collect()
}

/// The marks of what was covered before, in a text.
fn marks(text: &str) -> impl Iterator<Item = Span> + '_ {
    text.match_indices("[redacted:").filter_map(|(start, opening)| {
        let name = &text[start + opening.len()..];
        let n = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count();
        let end = start + opening.len() + n;
        text[end..].starts_with(']').then(|| Span::new(start, end + 1))
    })
}

/// A text of the same length in which what was covered before says nothing, and parts what stands around it: a mark
/// is a copy of nothing.
fn without_marks(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for mark in marks(text) {
        out.to_mut().replace_range(mark.start..mark.end, &"\n".repeat(mark.end - mark.start));
    }
    out
}

/// The words of a text, each with its place.
fn words(text: &str) -> Vec<(String, Span)> {
    let mut out: Vec<(String, Span)> = Vec::new();
    for (start, ch) in text.char_indices().filter(|(_, ch)| ch.is_alphanumeric()) {
        let end = start + ch.len_utf8();
        match out.last_mut().filter(|(_, span)| span.end == start) {
            Some((word, span)) => {
                word.extend(ch.to_lowercase());
                span.end = end;
            }
            None => out.push((ch.to_lowercase().collect(), Span::new(start, end))),
        }
    }
    out
}

/// What is written as one with something between: `blue-oven-77`, `src/auth.rs`.
fn joined(text: &str) -> impl Iterator<Item = (String, Span)> {
    text.split_whitespace().filter_map(move |part| {
        let bare = part.trim_matches(|ch: char| !ch.is_alphanumeric());
        let start = bare.as_ptr() as usize - text.as_ptr() as usize;
        let has_letter = bare.chars().any(char::is_alphabetic);
        let is_joined = bare.chars().any(|ch| !ch.is_alphanumeric());
        (has_letter && is_joined).then(|| (bare.to_lowercase(), Span::new(start, start + bare.len())))
    })
}

/// The runs of words of a text that are said together: nothing ends between them.
fn runs<'t>(text: &'t str, words: &'t [(String, Span)]) -> impl Iterator<Item = (String, Span)> + 't {
    let goes_on = |pair: &[(String, Span)]| {
        let gap = text.get(pair[0].1.end..pair[1].1.start).unwrap_or_default();
        gap.chars().count() == 1
            || !gap.contains(['.', ',', ';', ':', '!', '?', '|', '(', ')', '#']) && gap.matches('\n').count() < 2
    };
    words.windows(RUN).filter(move |run| run.windows(2).all(goes_on)).map(|run| {
        let text: Vec<&str> = run.iter().map(|(word, _)| word.as_str()).collect();
        (text.join(" "), Span::new(run[0].1.start, run[RUN - 1].1.end))
    })
}

/// Traces of what was said.
#[derive(Debug, Clone, Default)]
pub(super) struct Traces {
    /// Words, and what is written as one.
    words: BTreeSet<String>,
    /// Runs of words.
    runs: BTreeSet<String>,
    /// Names of files and sessions, as they are written.
    exact: Vec<String>,
}

impl Traces {
    /// Returns the traces of texts, with names that are traces whatever else holds them.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t str>, exact: Vec<String>) -> Traces {
        let mut traces = Traces { exact, ..Traces::default() };
        for text in texts {
            let text = &without_comments(&without_marks(text));
            let all = words(text);
            traces.runs.extend(runs(text, &all).map(|(run, _)| run));
            traces.words.extend(joined(text).map(|(word, _)| word));
            traces.words.extend(all.into_iter().map(|(word, _)| word).filter(|word| is_a_trace(word)));
        }
        traces.without(FORMS);
        traces
    }

    /// Takes out what a text that stays says too.
    pub(super) fn without(&mut self, text: &str) {
        let text = &without_marks(text);
        let all = words(text);
        for (word, _) in joined(text).chain(all.iter().cloned()) {
            self.words.remove(&word);
        }
        for (run, _) in runs(text, &all) {
            self.runs.remove(&run);
        }
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        let text = &without_marks(text);
        let all = words(text);
        let mut found: Vec<Span> = self.exact_in(text).collect();
        found.extend(all.iter().cloned().chain(joined(text)).filter(|(word, _)| self.words.contains(word)).map(second));
        found.extend(runs(text, &all).filter(|(run, _)| self.runs.contains(run)).map(second));
        found.sort_unstable();
        let mut out: Vec<Span> = Vec::new();
        for span in found {
            let goes_on = |last: &&mut Span| {
                let gap = text.get(last.end..span.start).unwrap_or_default();
                gap.len() <= GAP_MAX && !gap.chars().any(|ch| ch.is_alphanumeric() || matches!(ch, '\n' | '[' | ']'))
            };
            match out.last_mut().filter(goes_on) {
                Some(last) => last.end = last.end.max(span.end),
                None => out.push(span),
            }
        }
        out
    }

    fn telling(&self, text: &str) -> Option<Span> {
        if let Some(span) = self.exact_in(text).next() {
            return Some(span);
        }
        let text = &without_marks(text);
        let all = words(text);
        let is_telling = |(word, _): &(String, Span)| {
            let is_long = word.chars().count() >= TELLING_CHARS_MIN;
            let is_code = word.chars().any(char::is_numeric) && word.chars().any(char::is_alphabetic);
            (is_long || is_code) && self.words.contains(word)
        };
        let run = || runs(text, &all).find(|(run, _)| self.runs.contains(run)).map(second);
        all.iter().cloned().chain(joined(text)).find(is_telling).map(second).or_else(run)
    }

    fn exact_in<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Span> + 'a {
        let find = move |exact: &'a String| {
            text.match_indices(exact.as_str()).map(|(start, _)| Span::new(start, start + exact.len()))
        };
        self.exact.iter().filter(|exact| !exact.is_empty()).flat_map(find)
    }
}

/// A text without the comments in which the program says where it came from: places in files are nobody's words.
fn without_comments(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("<!-- kenning:")).collect()
}

fn second<T>((_, span): (T, Span)) -> Span {
    span
}

/// Whether a word that stands nowhere else shows what it was taken from: not a short one, nor a number that may be
/// a day, a time or a count.
fn is_a_trace(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let is_year = is_number && word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    let is_line = word.strip_prefix('l').is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()));
    let is_short = word.chars().count() < WORD_CHARS_MIN || is_number && word.len() < 4;
    !(is_line || is_short || is_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(needle: &Needle, text: &str, expected: &[&str]) {
        let spans = needle.spans(text);
        assert_eq!(spans.iter().map(|span| span.of(text)).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_name_is_found_however_it_is_written_and_not_inside_another_word() {
        let name = Needle::name("Mia Brown").expect("a name");
        check(&name, "Mia Brown's oven, mia.brown@x and MIA  BROWN", &["Mia Brown", "mia.brown", "MIA  BROWN"]);
        check(&name, "knowledge/entities/mia-brown.md #L2 mia_brown2", &["mia-brown", "mia_brown"]);
        check(&name, "Brown, Mia\nMia\nBrown session=Mia%20Brown", &["Brown, Mia", "Mia\nBrown", "Mia%20Brown"]);
        check(&Needle::name("李明").expect("a name"), "会议上李明说", &["李明"]);
        check(&name, "**Mia** Brown, `Mia` Brown", &["Mia** Brown", "Mia` Brown"]);
        check(&name, "Mia Browning and Lamia Brown and Mia saw brown bread", &[]);
        check(&Needle::name("Øyvind").expect("a name"), "øyvind øyvinds Øyvindsen", &["øyvind", "øyvind"]);
        check(
            &Needle::name("Zoe\u{308}").expect("a name"),
            "zo\u{200b}ë zoe\u{308} zoë",
            &["zo\u{200b}ë", "zoe\u{308}", "zoë"],
        );
        check(&Needle::name("O'Brien").expect("a name"), "O’Brien o-brien", &["O’Brien", "o-brien"]);
    }

    #[test]
    fn what_is_covered_is_not_found_again() {
        check(&Needle::pattern("(?i)for[a-z]+").expect("a pattern"), "[redacted:forgotten] for forms", &["forms"]);
        check(&Needle::name("forgotten").expect("a name"), "x [redacted:forgotten] y", &[]);
        // Neither where what goes now holds the mark of what went before.
        let traces = Traces::of(["The oven [redacted:forgotten] burns [redacted:forgotten]."].into_iter(), Vec::new());
        let needle = Needle::Traces(traces);
        check(&needle, "[redacted:forgotten] [redacted:forgotten]", &[]);
        check(&needle, "an oven [redacted:forgotten] burns", &["oven", "burns"]);
        assert_eq!(needle.copy_in("- [redacted:forgotten] gets rye."), None);
    }

    #[test]
    fn a_pattern_that_matches_nothing_in_particular_is_refused() {
        for pattern in ["", ".*", "a?", "(", "^$", "(?x) "] {
            let failure = Needle::pattern(pattern).expect_err(pattern);
            assert!(failure.hints.iter().any(|hint| hint.contains("nothing was changed")), "{failure:?}");
        }
        for name in ["", "a", "--", "J."] {
            assert!(Needle::name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn traces_are_what_nothing_else_says() {
        let mut traces = Traces::of(
            ["The oven burns blue at night. Mia said 4711 at the blue-oven-7 fair."].into_iter(),
            Vec::new(),
        );
        traces.without("The oven burns; at the fair it said that the night is blue.");
        let needle = Needle::Traces(traces);
        check(&needle, "Mia's 4711 and the oven, blue-oven-7", &["Mia", "4711", "blue-oven-7"]);
        check(&needle, "An oven, blue and at night.", &[]);
        check(
            &needle,
            "An oven burns blue at 5. The oven burns. Blue at night, an oven, burns blue",
            &["oven burns blue at"],
        );
    }

    #[test]
    fn hostile_texts_are_searched_in_bounded_time() {
        let text = "a-".repeat(200_000) + &"mia ".repeat(50_000);
        let name = Needle::name("Mia Brown").expect("a name");
        assert!(name.spans(&text).is_empty());
        let traces = Needle::Traces(Traces::of(["mia baked"].into_iter(), vec!["aa".to_owned()]));
        assert_eq!(traces.spans(&text).len(), 1, "what stands side by side is one");
    }
}

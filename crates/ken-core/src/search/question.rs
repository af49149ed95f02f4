//! What was asked: words, phrases, exclusions and filters.
//!
//! A question is read as prose first. What looks like search syntax counts only where prose would not have
//! it: `"several words"` is a phrase, `-word` leaves documents out, `field:value` narrows the scope for the
//! fields of [`Scope`]. Everything else, `fix: something` and `--flag` among it, is words.

use crate::search::analyst::{forms_of, joined};
use crate::search::language::Language;
use crate::search::scope::Scope;
use crate::span::Span;
use crate::words::{identifier_parts, is_cjk, is_stop, words};

/// Words of a question that are looked up; what a paste of a whole document adds says little.
const WORDS_MAX: usize = 64;
/// The parts of an identifier beside its whole.
const PART: f32 = 0.5;
/// What is written as one counts as much again as its words.
const JOINED: f32 = 1.0;

/// One word of a question, or one part of one.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// As it was written.
    pub text: String,
    /// Where it stands in the question.
    pub span: Span,
    /// The terms it is looked up by, each with how much of the word it is.
    pub forms: Vec<(String, f32)>,
    /// What it counts beside its rarity; 0 for words that are only in the way.
    pub weight: f32,
    /// Whether it stands for itself: no part of an identifier, no joined form.
    pub is_whole: bool,
}

/// A question as it is looked up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    /// As it was asked.
    pub text: String,
    /// Its words, each once, in order.
    pub words: Vec<Word>,
    /// Phrases: the words of each as they must follow each other, folded.
    pub phrases: Vec<Vec<String>>,
    /// Positions in `words` that every passage must have: those of phrases.
    pub required: Vec<usize>,
    /// Positions in `words` that no document may have.
    pub banned: Vec<usize>,
    /// What was asked about, by `field:value`.
    pub scope: Scope,
}

impl Question {
    /// Returns the question that a text is, without search syntax.
    pub fn plain(text: &str, languages: &[Language]) -> Question {
        let mut question = Question { text: text.to_owned(), ..Question::default() };
        question.add_words(text, 0, languages);
        question.settle();
        question
    }

    /// Returns the question that a text is, with search syntax.
    pub fn read(text: &str, languages: &[Language]) -> Question {
        let mut question = Question { text: text.to_owned(), ..Question::default() };
        for piece in pieces(text) {
            match piece {
                Piece::Prose(span) => question.add_words(span.of(text), span.start, languages),
                Piece::Phrase(span) => question.add_phrase(span, languages),
                Piece::Without(span) => {
                    let from = question.words.len();
                    question.add_words(span.of(text), span.start, languages);
                    let banned = question.words.drain(from..).filter(|word| word.is_whole).collect::<Vec<_>>();
                    for mut word in banned {
                        word.weight = 0.0;
                        question.banned.push(question.words.len());
                        question.words.push(word);
                    }
                }
                Piece::Filter(field, value) => question.scope.narrow(field, &value),
            }
        }
        question.settle();
        question
    }

    fn add_phrase(&mut self, span: Span, languages: &[Language]) {
        let text = self.text.clone();
        let inside = span.of(&text);
        let phrase: Vec<String> = words(inside).iter().map(|word| crate::words::fold(word.of(inside))).collect();
        let from = self.words.len();
        self.add_words(inside, span.start, languages);
        if phrase.len() > 1 {
            let strong = (from..self.words.len()).filter(|n| self.words[*n].weight > 0.0 && self.words[*n].is_whole);
            self.required.extend(strong);
            self.phrases.push(phrase);
        }
    }

    fn add_words(&mut self, text: &str, start: usize, languages: &[Language]) {
        for span in words(text) {
            let word = span.of(text);
            let at = span.shifted(start);
            let weight = if is_filler(word) { 0.0 } else { 1.0 };
            let is_pairs = word.chars().count() > 1 && word.chars().any(is_cjk);
            if is_pairs {
                // Pairs of characters are words of their own: a text has some of them, seldom all.
                let pairs = forms_of(word, Language::English).into_iter().filter(|(form, _)| form.chars().count() > 1);
                pairs.for_each(|(form, _)| self.add(&form.clone(), at, vec![(form, 1.0)], 1.0, true));
                continue;
            }
            self.add(word, at, wholes(word, languages), weight, true);
            for part in identifier_parts(word).into_iter().filter(|part| part.chars().count() > 1) {
                let weight = if is_filler(part) { 0.0 } else { PART };
                self.add(part, at, wholes(part, languages), weight, false);
            }
        }
        for run in joined(text) {
            let at = start + (run.as_ptr() as usize - text.as_ptr() as usize);
            let form = crate::words::fold(run);
            self.add(run, Span::new(at, at + run.len()), vec![(form, 1.0)], JOINED, false);
        }
    }

    fn add(&mut self, text: &str, span: Span, forms: Vec<(String, f32)>, weight: f32, is_whole: bool) {
        let is_known = self.words.iter().any(|word| word.forms == forms && word.weight >= weight);
        if !is_known && self.words.len() < WORDS_MAX {
            self.words.push(Word { text: text.to_owned(), span, forms, weight, is_whole });
        }
    }

    /// A question of nothing but function words asks for them.
    fn settle(&mut self) {
        let banned = &self.banned;
        if self.words.iter().all(|word| word.weight == 0.0) {
            let asked = self.words.iter_mut().enumerate().filter(|(n, _)| !banned.contains(n));
            asked.for_each(|(_, word)| word.weight = 1.0);
        }
    }

    /// Takes the words of a part of the question out of the search, where others are left to search for.
    pub fn set_aside(&mut self, part: Span) {
        let inside = |word: &Word| word.span.start >= part.start && word.span.end <= part.end;
        if self.words.iter().any(|word| word.weight > 0.0 && !inside(word)) {
            self.words.iter_mut().filter(|word| inside(word)).for_each(|word| word.weight = 0.0);
        }
    }
}

/// Function words and single letters; a number is none, however short.
fn is_filler(word: &str) -> bool {
    is_stop(word) && !word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The stems of a whole word in each language, each once.
fn wholes(word: &str, languages: &[Language]) -> Vec<(String, f32)> {
    let folded = crate::words::fold(word);
    let mut out: Vec<(String, f32)> = Vec::new();
    for language in languages {
        let stem = language.stem(&folded);
        if !out.iter().any(|(known, _)| *known == stem) {
            out.push((stem, 1.0));
        }
    }
    out
}

enum Piece<'a> {
    Prose(Span),
    Phrase(Span),
    Without(Span),
    Filter(&'a str, String),
}

/// Cuts a question at its syntax.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let (mut at, mut prose) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let is_start = at == 0 || text[..at].ends_with(|ch: char| ch.is_whitespace() || ch == '(');
        let found = if is_start { syntax(rest) } else { None };
        match found {
            Some((piece, len)) => {
                if prose < at {
                    out.push(Piece::Prose(Span::new(prose, at)));
                }
                out.push(match piece {
                    Piece::Phrase(span) => Piece::Phrase(span.shifted(at)),
                    Piece::Without(span) => Piece::Without(span.shifted(at)),
                    other => other,
                });
                at += len;
                prose = at;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    if prose < text.len() {
        out.push(Piece::Prose(Span::new(prose, text.len())));
    }
    out
}

/// The syntax that a text begins with, and its length.
fn syntax(rest: &str) -> Option<(Piece<'_>, usize)> {
    if let Some((span, len)) = quoted(rest) {
        return Some((Piece::Phrase(span), len));
    }
    if let Some(behind) = rest.strip_prefix('-') {
        if let Some((span, len)) = quoted(behind) {
            return Some((Piece::Without(span.shifted(1)), len + 1));
        }
        let len = behind.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(behind.len());
        // `-v` and `--flag` are options of programs, `-5` is a number.
        let is_word = len > 1 && behind.starts_with(char::is_alphabetic);
        let is_alone = behind[len..].chars().next().is_none_or(char::is_whitespace);
        return (is_word && is_alone).then(|| (Piece::Without(Span::new(1, len + 1)), len + 1));
    }
    let (field, behind) = rest.split_once(':')?;
    if !Scope::FIELDS.iter().any(|(known, _)| *known == field) {
        return None;
    }
    let (value, len) = match quoted(behind) {
        Some((span, len)) => (span.of(behind), len),
        None => {
            let len = behind.find(char::is_whitespace).unwrap_or(behind.len());
            (&behind[..len], len)
        }
    };
    (!value.is_empty()).then(|| (Piece::Filter(field, value.to_owned()), field.len() + 1 + len))
}

/// What stands between the quotation marks a text begins with, and the length with them.
fn quoted(text: &str) -> Option<(Span, usize)> {
    let (open, close) = match text.chars().next()? {
        '"' => ('"', '"'),
        '“' => ('“', '”'),
        '«' => ('«', '»'),
        '「' => ('「', '」'),
        _ => return None,
    };
    let start = open.len_utf8();
    let end = start + text[start..].find(close)?;
    (end > start).then(|| (Span::new(start, end), end + close.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let question = Question::read(text, &[Language::English]);
        let word = |(n, word): (usize, &Word)| {
            let mark = if question.banned.contains(&n) {
                "-"
            } else if question.required.contains(&n) {
                "+"
            } else if word.weight == 0.0 {
                "~"
            } else {
                ""
            };
            format!("{mark}{}", word.forms[0].0)
        };
        let words: Vec<String> = question.words.iter().enumerate().map(word).collect();
        words.join(" ")
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn prose_is_words() {
        check("How do refresh tokens rotate?", "~how ~do refresh token rotat");
        check("fix: restore maxRetries guard", "fix restor maxretri max retri guard");
        check("add --verbose and -v flags", "add verbos ~and ~v flag");
        check("what is it", "what is it");
    }

    #[test]
    fn phrases_exclusions_and_filters_are_told_apart() {
        check("\"token rotation\" -legacy", "+token +rotat -legaci");
        check("tokens agent:codex", "token");
        assert_eq!(Question::read("tokens agent:codex", &[Language::English]).scope.agent.as_deref(), Some("codex"));
        check("the \"word\" by", "~the word ~by");
    }

    #[test]
    fn what_is_written_as_one_is_looked_up_as_one_too() {
        check("v0.4.2", "v0 4 2 v0.4.2");
    }
}

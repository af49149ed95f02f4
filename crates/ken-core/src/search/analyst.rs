//! From words to weighed terms.
//!
//! A word becomes its stem; an identifier its whole and its parts, so that `maxRetries` is found by
//! `retry`; words joined by `-`, `.`, `/` or `:` the whole as well, so that `v0.4.2`, `2026-04-01` and
//! `src/auth.rs` are found as they are written; Chinese, Japanese and Korean text its characters and pairs
//! of characters. What a term says about a passage is BM25F (Robertson, Zaragoza and Taylor, 2004): how
//! often it stands in each field, each field with its weight, the body by its length, and then saturated.

use indexmap::IndexMap;

use crate::search::doc::Doc;
use crate::search::language::Language;
use crate::search::terms::{TermId, Terms};
use crate::words::{fold, identifier_parts, is_cjk, words};

/// Saturation: a term that stands there this often says half of what it can.
const K1: f32 = 1.2;
/// How much the length of a body counts.
const B: f32 = 0.75;
/// Words that a passage has on average; a constant, so that one file's terms do not depend on others.
const AVERAGE_WORDS: f32 = 100.0;
/// The same for documents.
const AVERAGE_DOC_WORDS: f32 = 600.0;
/// What one occurrence in a field counts; in the body it counts 1.
const TITLE: f32 = 1.5;
const ALIAS: f32 = 1.5;
const TRIGGER: f32 = 1.5;
const TLDR: f32 = 0.8;
const HEADING: f32 = 1.0;
/// The parts of an identifier and the characters of a pair say less than the whole.
const PART: f32 = 0.7;
/// Longest run of joined words that is a term as a whole, in bytes.
const JOINED_MAX: usize = 64;
/// Words known by their terms; beyond, the cache is emptied.
const KNOWN_MAX: usize = 400_000;

/// A term with how much of it a word is.
type Form = (TermId, f32);

/// What terms say, 1 to 255.
pub type Impacts = Vec<(TermId, u8)>;

/// The terms of a document and of its passages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Weighed {
    /// What each term says about the document.
    pub doc: Impacts,
    /// What each term says about each passage.
    pub passages: Vec<Impacts>,
}

/// Makes terms and remembers the words it met.
#[derive(Debug, Default)]
pub struct Analyst {
    /// The terms by number.
    pub terms: Terms,
    /// Bits of the languages met.
    pub languages: u32,
    known: [IndexMap<String, Box<[Form]>>; Language::ALL.len()],
    counts: Counts,
}

/// How often terms stand somewhere.
#[derive(Debug, Default)]
struct Counts {
    by_term: Vec<f32>,
    met: Vec<TermId>,
}

impl Counts {
    fn add(&mut self, term: TermId, amount: f32) {
        let n = term.0 as usize;
        if self.by_term.len() <= n {
            self.by_term.resize(n + 1, 0.0);
        }
        if self.by_term[n] == 0.0 {
            self.met.push(term);
        }
        self.by_term[n] += amount;
    }

    fn drain(&mut self, mut with: impl FnMut(TermId, f32)) {
        for term in std::mem::take(&mut self.met) {
            with(term, std::mem::take(&mut self.by_term[term.0 as usize]));
        }
    }
}

impl Analyst {
    /// Returns the terms of a document whose file has this text.
    pub fn weigh(&mut self, doc: &Doc, text: &str) -> Weighed {
        let sample = doc.passages.iter().map(|(_, span)| span.of(text)).find(|text| text.len() > 60);
        let language = Language::of(sample.unwrap_or(&doc.facts.title));
        self.languages |= language.bit();
        let head = self.head(doc, language);
        let mut whole: IndexMap<TermId, f32> = IndexMap::new();
        let mut n_doc_words = 0;
        let mut passages = Vec::with_capacity(doc.passages.len());
        for (facts, span) in &doc.passages {
            let n_words = self.count(span.of(text), language, 1.0);
            n_doc_words += n_words;
            let norm = 1.0 - B + B * n_words as f32 / AVERAGE_WORDS;
            let mut sums: Vec<(TermId, f32)> = Vec::with_capacity(64);
            self.counts.drain(|term, amount| {
                *whole.entry(term).or_default() += amount;
                sums.push((term, amount / norm));
            });
            self.count(&facts.heading, language, HEADING);
            for (term, amount) in sums.iter().chain(&head) {
                self.counts.add(*term, *amount);
            }
            passages.push(impacts(&mut self.counts));
        }
        let norm = 1.0 - B + B * n_doc_words as f32 / AVERAGE_DOC_WORDS;
        whole.into_iter().for_each(|(term, amount)| self.counts.add(term, amount / norm));
        head.into_iter().for_each(|(term, amount)| self.counts.add(term, amount));
        Weighed { doc: impacts(&mut self.counts), passages }
    }

    /// What the header of a document adds to each of its passages.
    fn head(&mut self, doc: &Doc, language: Language) -> Vec<(TermId, f32)> {
        self.count(&doc.facts.title, language, TITLE);
        doc.aliases.iter().for_each(|alias| {
            self.count(alias, language, ALIAS);
        });
        doc.triggers.iter().for_each(|trigger| {
            self.count(trigger, language, TRIGGER);
        });
        self.count(&doc.tldr, language, TLDR);
        if let Some(date) = doc.facts.date {
            self.count(&date.to_string(), language, 1.0);
        }
        let mut head = Vec::new();
        self.counts.drain(|term, amount| head.push((term, amount)));
        head
    }

    /// Adds the terms of a text to the counts and returns its words.
    fn count(&mut self, text: &str, language: Language, weight: f32) -> usize {
        let mut n_words = 0;
        for word in words(text) {
            n_words += 1;
            self.learn(word.of(text), language);
            for (term, share) in &self.known[language as usize][word.of(text)] {
                self.counts.add(*term, share * weight);
            }
        }
        for joined in joined(text) {
            let term = self.terms.id(&fold(joined));
            self.counts.add(term, weight);
        }
        n_words
    }

    fn learn(&mut self, word: &str, language: Language) {
        let known = &mut self.known[language as usize];
        if known.contains_key(word) {
            return;
        }
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        let mut forms: Vec<Form> = Vec::new();
        for (form, share) in forms_of(word, language) {
            let term = self.terms.id(&form);
            if !forms.iter().any(|(known, _)| *known == term) {
                forms.push((term, share));
            }
        }
        known.insert(word.to_owned(), forms.into_boxed_slice());
    }
}

fn impacts(counts: &mut Counts) -> Impacts {
    let mut out = Vec::with_capacity(counts.met.len());
    counts.drain(|term, amount| {
        let impact = amount / (amount + K1);
        out.push((term, (impact * 255.0).round().clamp(1.0, 255.0) as u8));
    });
    out
}

/// Returns the terms of a word, each with how much of it the word is: the whole first.
pub fn forms_of(word: &str, language: Language) -> Vec<(String, f32)> {
    let folded = fold(word);
    if folded.chars().any(is_cjk) {
        return characters(&folded);
    }
    let mut out = vec![(language.stem(&folded), 1.0)];
    for part in identifier_parts(word) {
        let part = fold(part);
        if part.chars().count() > 1 {
            out.push((language.stem(&part), PART));
        }
    }
    out
}

/// Pairs of characters, and the characters for questions of one.
fn characters(folded: &str) -> Vec<(String, f32)> {
    let chars: Vec<char> = folded.chars().collect();
    let pairs = chars.windows(2).map(|pair| (pair.iter().collect(), 1.0));
    let single = if chars.len() > 1 { PART } else { 1.0 };
    pairs.chain(chars.iter().map(|ch| (ch.to_string(), single))).collect()
}

/// Returns the runs of words that are written as one: `v0.4.2`, `src/auth.rs`, `2026-04-01`.
pub fn joined(text: &str) -> impl Iterator<Item = &str> {
    let is_joint = |ch: char| matches!(ch, '-' | '.' | '/' | ':' | '_' | '@');
    let runs = text.split(move |ch: char| !(ch.is_alphanumeric() || is_joint(ch)));
    runs.map(move |run| run.trim_matches(is_joint))
        .filter(move |run| run.len() > 2 && run.len() <= JOINED_MAX && run.contains(|ch| is_joint(ch) && ch != '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: &[&str]) {
        let found: Vec<String> = forms_of(word, Language::English).into_iter().map(|(form, _)| form).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_become_stems_and_identifiers_parts_too() {
        check("Tokens", &["token"]);
        check("maxRetries", &["maxretri", "max", "retri"]);
        check("認証設定", &["認証", "証設", "設定", "認", "証", "設", "定"]);
    }

    #[test]
    fn what_is_written_as_one_is_a_term_as_a_whole() {
        let found: Vec<&str> = joined("see src/auth.rs, v0.4.2. or 2026-04-01: e.g. a-b_c plain snake_case").collect();
        assert_eq!(found, ["src/auth.rs", "v0.4.2", "2026-04-01", "e.g", "a-b_c"]);
    }
}

//! What terms say about passages and documents.
//!
//! For passages it is BM25F (Robertson, Zaragoza and Taylor, 2004): how often a term stands in the body, by
//! the body's length, plus something for every field of the header it stands in, saturated. What a term
//! says about a document is kept as a density, since the average length of documents is known only to
//! whoever asks.

use indexmap::IndexMap;

use crate::language::{LEXICONS, Language};
use crate::search::doc::Doc;
use crate::search::terms::{TermId, Terms};
use crate::search::tokens::{TokenKind, runs, tokens};

/// Saturation: a term that stands there this often says half of what it can.
pub const K1: f32 = 1.2;
/// How much the length of a body counts.
const B: f32 = 0.5;
/// Words that a passage has on average; a constant, so that one file's terms do not depend on others.
const AVERAGE_WORDS: f32 = 100.0;
/// What standing in a field adds, however often.
const NAME: f32 = 1.0;
const TLDR: f32 = 0.5;
const HEADING: f32 = 0.5;
/// More than a short message gains by naming somebody.
const SPEAKER: f32 = 2.0;
const DATE: f32 = 0.25;
/// Runs known by their terms; beyond, the cache is emptied.
const KNOWN_MAX: usize = 400_000;

/// What terms say, 1 to 255.
pub type Impacts = Vec<(TermId, u8)>;

/// The terms of a document and of its passages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Weighed {
    /// What each term says about the document, see [`density_code`].
    pub doc: Impacts,
    /// What each term says about each passage: the saturated weight, in 255ths.
    pub passages: Vec<Impacts>,
    /// The words of the document that are no function words.
    pub n_words: usize,
}

/// Makes terms and remembers the runs it met.
#[derive(Debug, Default)]
pub struct Analyst {
    /// The terms by number.
    pub terms: Terms,
    /// Bits of the languages met.
    pub languages: u32,
    known: [IndexMap<String, Box<[Form]>>; LEXICONS.len()],
    body: Counts,
    sum: Counts,
}

/// A term of a run, and what it is of it.
type Form = (TermId, TokenKind);

/// Amounts by term.
#[derive(Debug, Default)]
struct Counts {
    by_term: Vec<f32>,
    met: Vec<TermId>,
}

impl Counts {
    fn at(&mut self, term: TermId) -> &mut f32 {
        let n = term.0 as usize;
        if self.by_term.len() <= n {
            self.by_term.resize(n + 1, 0.0);
        }
        if self.by_term[n] == 0.0 {
            self.met.push(term);
        }
        &mut self.by_term[n]
    }

    fn drain(&mut self, mut with: impl FnMut(TermId, f32)) {
        for term in self.met.drain(..) {
            with(term, std::mem::take(&mut self.by_term[term.0 as usize]));
        }
    }
}

impl Analyst {
    /// Returns the terms of a document whose passages are cut from this text.
    pub fn weigh(&mut self, doc: &Doc, text: &str) -> Weighed {
        let sample = doc.passages.iter().map(|(_, span)| span.of(text)).find(|text| text.len() > 60);
        let language = Language::of(sample.unwrap_or(&doc.facts.title));
        self.languages |= language.bit();
        let head = self.head(doc, language);
        let mut weighed = Weighed::default();
        let mut whole: IndexMap<TermId, (f32, bool)> = IndexMap::new();
        for (facts, span) in &doc.passages {
            let n_words = self.count(span.of(text), language);
            weighed.n_words += n_words;
            let norm = 1.0 - B + B * n_words as f32 / AVERAGE_WORDS;
            let sum = &mut self.sum;
            self.body.drain(|term, amount| {
                whole.entry(term).or_default().0 += amount;
                *sum.at(term) += amount / norm;
            });
            for (field, amount) in [(&facts.heading, HEADING), (&facts.speaker, SPEAKER)] {
                for term in self.field(field, language) {
                    *self.sum.at(term) += amount;
                    whole.entry(term).or_default().1 = true;
                }
            }
            head.iter().for_each(|(term, amount)| *self.sum.at(*term) += amount);
            weighed.passages.push(impacts(&mut self.sum));
        }
        for (term, amount) in &head {
            whole.entry(*term).or_default();
            *self.sum.at(*term) += amount;
        }
        let n_words = weighed.n_words.max(DOC_WORDS_MIN) as f32;
        let sum = &mut self.sum;
        let code = |(term, (amount, in_heading)): (TermId, (f32, bool))| {
            let fields = *sum.at(term) + if in_heading { HEADING } else { 0.0 };
            (term, density_code(amount / n_words, fields))
        };
        weighed.doc = whole.into_iter().map(code).collect();
        self.sum.drain(|_, _| {});
        weighed
    }

    /// What the header of a document adds to each of its passages.
    fn head(&mut self, doc: &Doc, language: Language) -> Vec<(TermId, f32)> {
        let names = std::iter::once(&doc.facts.title).chain(&doc.aliases).chain(&doc.triggers).cloned();
        let names = names.collect::<Vec<_>>().join("\n");
        let mut head: IndexMap<TermId, f32> = IndexMap::new();
        let date = doc.facts.date.map(|date| date.to_string()).unwrap_or_default();
        for (field, amount) in [(names, NAME), (doc.tldr.clone(), TLDR), (date, DATE)] {
            for term in self.field(&field, language) {
                *head.entry(term).or_default() += amount;
            }
        }
        head.into_iter().collect()
    }

    /// The different terms of a field.
    fn field(&mut self, text: &str, language: Language) -> Vec<TermId> {
        let mut out = Vec::new();
        if !text.is_empty() {
            self.count(text, language);
            self.body.drain(|term, _| out.push(term));
        }
        out
    }

    /// Adds the terms of a text to the counts and returns its words that are no function words.
    fn count(&mut self, text: &str, language: Language) -> usize {
        let mut n_words = 0;
        for (_, run) in runs(text) {
            self.learn(run, language);
            for (term, kind) in &self.known[language.place()][run] {
                n_words += usize::from(*kind == TokenKind::Part);
                *self.body.at(*term) += 1.0;
            }
        }
        n_words
    }

    fn learn(&mut self, run: &str, language: Language) {
        let known = &mut self.known[language.place()];
        if known.contains_key(run) {
            return;
        }
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        let found = tokens(run, language).into_iter().map(|token| (self.terms.id(&token.term), token.kind));
        known.insert(run.to_owned(), found.collect());
    }
}

fn impacts(sums: &mut Counts) -> Impacts {
    let mut out = Vec::with_capacity(sums.met.len());
    sums.drain(|term, amount| {
        let impact = amount / (amount + K1);
        out.push((term, (impact * 255.0).round().clamp(1.0, 255.0) as u8));
    });
    out
}

/// Shorter documents count as this long: in a line of ten words one of them says little.
const DOC_WORDS_MIN: usize = 5;
/// Densities are kept on a scale of powers, from one word in [`DENSITY_MIN`] up, in this many steps.
const DENSITY_STEPS: f32 = 63.0;
const DENSITY_MIN: f32 = 20_000.0;
/// What the two lowest bits of a code stand for: the sum of the fields.
const FIELDS: [f32; 4] = [0.0, 0.5, 1.0, 1.5];

/// Returns density (occurrences a word) and fields of a term in a document as one number, 1 to 255.
pub fn density_code(density: f32, fields: f32) -> u8 {
    let level = (fields / 0.5).round().clamp(0.0, 3.0) as u8;
    let step = if density <= 0.0 {
        0.0
    } else {
        1.0 + (density * DENSITY_MIN).ln() / DENSITY_MIN.ln() * (DENSITY_STEPS - 1.0)
    };
    let step = if density > 0.0 { step.round().clamp(1.0, DENSITY_STEPS) } else { 0.0 } as u8;
    (step << 2 | level).max(1)
}

/// Returns density and fields of a code.
pub fn density(code: u8) -> (f32, f32) {
    let step = f32::from(code >> 2);
    let density =
        if step == 0.0 { 0.0 } else { ((step - 1.0) / (DENSITY_STEPS - 1.0) * DENSITY_MIN.ln()).exp() / DENSITY_MIN };
    (density, FIELDS[usize::from(code & 3)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_survive_their_codes_to_a_tenth() {
        for words in [1.0_f32, 3.0, 20.0, 150.0, 1_000.0, 9_000.0] {
            let (found, fields) = density(density_code(1.0 / words, 1.5));
            assert!((found * words - 1.0).abs() < 0.1 && fields == 1.5, "{words}: {found}");
        }
        assert_eq!(density(density_code(0.0, 0.5)), (0.0, 0.5));
    }
}

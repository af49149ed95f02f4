//! How well documents answer a question, and how sure that is.

use crate::search::question::Question;
use crate::time::Date;

/// How often a word stands in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frequency {
    /// Passages that have it.
    pub n_passages: usize,
    /// Documents that have it.
    pub n_docs: usize,
}

/// What is known of a document that may be an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<'a> {
    /// Per word of the question: what it says about the best passage, 0 to 1.
    pub in_passage: &'a [f32],
    /// Per word: what it says about the document, 0 to 1.
    pub in_doc: &'a [f32],
    /// The document's day.
    pub date: Option<Date>,
}

/// What words count against each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Per word, for passages.
    pub passage: Vec<f32>,
    /// Per word, for documents.
    pub doc: Vec<f32>,
}

/// From this confidence on a question counts as answered.
pub const SURE: f32 = 0.5;
/// What the document adds to its best passage.
const DOC: f32 = 0.5;

/// Returns what each word of a question counts: its weight and its rarity.
pub fn weights(question: &Question, frequencies: &[Frequency], n_passages: usize, n_docs: usize) -> Weights {
    let of = |n: fn(&Frequency) -> usize, all: usize| {
        let words = question.words.iter().zip(frequencies);
        words.map(|(word, frequency)| word.weight * idf(n(frequency), all)).collect()
    };
    Weights { passage: of(|one| one.n_passages, n_passages), doc: of(|one| one.n_docs, n_docs) }
}

/// Inverse document frequency as in BM25, never negative.
fn idf(n: usize, all: usize) -> f32 {
    let (n, all) = (n as f32, all.max(n) as f32);
    (1.0 + (all - n + 0.5) / (n + 0.5)).ln()
}

/// Returns the score of a candidate.
pub fn score(weights: &Weights, candidate: &Candidate<'_>) -> f32 {
    let sum = |weights: &[f32], impacts: &[f32]| weights.iter().zip(impacts).map(|(a, b)| a * b).sum::<f32>();
    sum(&weights.passage, candidate.in_passage) + DOC * sum(&weights.doc, candidate.in_doc)
}

/// Returns how sure it is that a candidate answers the question, 0 to 1.
pub fn confidence(weights: &Weights, candidate: &Candidate<'_>) -> f32 {
    let total: f32 = weights.doc.iter().sum();
    let covered: f32 =
        weights.doc.iter().zip(candidate.in_doc).filter(|(_, impact)| **impact > 0.0).map(|(weight, _)| weight).sum();
    if total > 0.0 { covered / total } else { 0.0 }
}

/// Returns the parts of the score of a candidate, each with what it is for.
pub fn parts(question: &Question, weights: &Weights, candidate: &Candidate<'_>) -> Vec<(String, f32)> {
    let mut out = Vec::new();
    for (n, word) in question.words.iter().enumerate() {
        let in_passage = weights.passage[n] * candidate.in_passage[n];
        let in_doc = DOC * weights.doc[n] * candidate.in_doc[n];
        if in_passage > 0.0 {
            out.push((format!("`{}` in the passage", word.text), in_passage));
        }
        if in_doc > 0.0 {
            out.push((format!("`{}` in the document", word.text), in_doc));
        }
    }
    out
}

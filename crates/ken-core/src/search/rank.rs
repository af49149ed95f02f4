//! How well documents answer a question, and how sure that is.
//!
//! The score of a document is that of its best passage (BM25F), plus what pairs of neighbouring words add
//! when they are neighbours there too, plus a part of what the whole document says (BM25), raised where the
//! question names its day or asks for what is first or newest. All constants were found on one half of the
//! questions of public data and checked on the other; `docs/book/search.md` has the figures.

use crate::search::analyst::{K1, density};
use crate::search::cue::Cue;
use crate::search::question::Question;
use crate::search::word::Word;
use crate::time::Date;
use crate::when::Period;

/// How often a word stands in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frequency {
    /// Passages that have it.
    pub n_passages: usize,
    /// Documents that have it.
    pub n_docs: usize,
}

/// What is known of everything that is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Collection {
    /// How many passages there are.
    pub n_passages: usize,
    /// How many documents there are.
    pub n_docs: usize,
    /// How many words they have, function words aside.
    pub n_words: u64,
    /// The oldest and newest day.
    pub days: Option<(Date, Date)>,
}

/// What is known of a document that may be an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<'a> {
    /// Per word of the question: what it says about the best passage, 0 to 1.
    pub in_passage: &'a [f32],
    /// Per word: what it says about the document, as a density code; 0 for nothing.
    pub in_doc: &'a [u8],
    /// Per pair of the question: whether it stands in the best passage; empty when nobody looked.
    pub pairs: &'a [bool],
    /// The document's day.
    pub date: Option<Date>,
    /// Whether the document names a day that the question names.
    pub names_day: bool,
}

/// What words count against each other, and what documents are measured by.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Per word of the question: its weight and its rarity.
    pub words: Vec<f32>,
    /// Per word: its rarity as it counts for being sure.
    sure: Vec<f32>,
    average_words: f32,
    days: Option<(Date, Date)>,
}

/// Rarity counts by this power: what is three times as rare says less than three times as much.
const IDF_POWER: f32 = 0.8;
/// What a pair of neighbours adds, of the rarity of its more frequent word.
const PAIR: f32 = 0.5;
/// What the document adds to its best passage.
const DOC: f32 = 0.5;
/// Saturation of what a document says.
const DOC_K1: f32 = 2.5;
/// Documents are measured by their average length, but by no less than this.
const AVERAGE_WORDS_MIN: f32 = 500.0;
/// What being of the day asked for adds, and of the month.
const OF_THE_DAY: f32 = 1.0;
const OF_THE_MONTH: f32 = 0.3;
/// What naming the day adds, for a document that was written a day off.
const NAMES_THE_DAY: f32 = 1.0;
const DAYS_OFF: i32 = 1;
/// What being the first or newest of all adds to what was asked for as such.
const END_OF_TIME: f32 = 0.15;

/// From this confidence on a question counts as answered: where, in the public data, one foreign question in
/// twenty is answered and one own question in thirty is not (`ken eval abstention`).
pub const SURE: f32 = 0.13;
/// Short questions are less sure: as if so much more rarity had been asked for and not found.
const DOUBT: f32 = 2.0;
/// A small vault does not make words common: for being sure, rarity is as in one of this many passages.
pub(crate) const PASSAGES_MIN: usize = 1_000;

/// Returns what each word of a question counts.
pub fn weights(question: &Question, frequencies: &[Frequency], collection: &Collection) -> Weights {
    let idf = |frequency: &Frequency| idf(frequency.n_passages, collection.n_passages);
    let words = question.words.iter().zip(frequencies);
    let weight =
        |(word, frequency): (&Word, &Frequency)| word.weight * word.certainty() * idf(frequency).powf(IDF_POWER);
    let sure = |(word, frequency): (&Word, &Frequency)| {
        let rarity = self::idf(frequency.n_passages, collection.n_passages.max(PASSAGES_MIN)).sqrt();
        if word.tells() { rarity } else { 0.0 }
    };
    let average_words = collection.n_words as f32 / collection.n_docs.max(1) as f32;
    Weights {
        words: words.clone().map(weight).collect(),
        sure: words.map(sure).collect(),
        average_words: average_words.max(AVERAGE_WORDS_MIN),
        days: collection.days,
    }
}

/// Inverse document frequency as in BM25, never negative.
pub(crate) fn idf(n: usize, all: usize) -> f32 {
    let (n, all) = (n as f32, all.max(n) as f32);
    (1.0 + (all - n + 0.5) / (n + 0.5)).ln()
}

/// One part of a score: what it is for, and what it adds or by how much it multiplies.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A word of the question (its position) in the passage.
    InPassage(usize, f32),
    /// A word in the rest of the document.
    InDoc(usize, f32),
    /// A pair of neighbours (its position).
    Neighbours(usize, f32),
    /// The day asked for.
    Day(f32),
    /// The first or newest.
    EndOfTime(f32),
}

/// Returns the score of a candidate.
pub fn score(question: &Question, weights: &Weights, candidate: &Candidate<'_>) -> f32 {
    let mut sum = 0.0;
    let mut factor = 1.0;
    each_part(question, weights, candidate, &mut |part| match part {
        Part::InPassage(_, amount) | Part::InDoc(_, amount) | Part::Neighbours(_, amount) => sum += amount,
        Part::Day(by) | Part::EndOfTime(by) => factor *= by,
    });
    sum * factor
}

/// Returns the parts of the score of a candidate.
pub fn parts(question: &Question, weights: &Weights, candidate: &Candidate<'_>) -> Vec<Part> {
    let mut out = Vec::new();
    each_part(question, weights, candidate, &mut |part| out.push(part));
    out
}

fn each_part(question: &Question, weights: &Weights, candidate: &Candidate<'_>, with: &mut dyn FnMut(Part)) {
    for (n, weight) in weights.words.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        if candidate.in_passage[n] > 0.0 {
            with(Part::InPassage(n, weight * (K1 + 1.0) * candidate.in_passage[n]));
        }
        if candidate.in_doc[n] > 0 {
            let (density, fields) = density(candidate.in_doc[n]);
            let amount = density * weights.average_words + fields;
            with(Part::InDoc(n, DOC * weight * (DOC_K1 + 1.0) * amount / (amount + DOC_K1)));
        }
    }
    for (n, ((a, b), is_there)) in question.pairs.iter().zip(candidate.pairs).enumerate() {
        if *is_there {
            with(Part::Neighbours(n, PAIR * weights.words[*a].min(weights.words[*b])));
        }
    }
    let day = of_the_day(question, candidate);
    if day > 0.0 {
        with(Part::Day(1.0 + day));
    }
    if let Some(place) = end_of_time(question, weights, candidate.date) {
        with(Part::EndOfTime(1.0 + END_OF_TIME * place));
    }
}

/// What the days that a question names add for a document.
fn of_the_day(question: &Question, candidate: &Candidate<'_>) -> f32 {
    let Some(date) = candidate.date else { return 0.0 };
    let adds = |days: &crate::when::DateWords| {
        let inside = days.period.contains(date);
        if !days.is_of_days() {
            return if inside { OF_THE_MONTH } else { 0.0 };
        }
        let named = candidate.names_day && is_near(days.period, date);
        (if inside { OF_THE_DAY } else { 0.0 }) + if named { NAMES_THE_DAY } else { 0.0 }
    };
    question.days.iter().map(adds).fold(0.0, f32::max)
}

/// Whether a day lies in a period or right beside it.
pub fn is_near(period: Period, date: Date) -> bool {
    let days = |n: i32| jiff::Span::new().days(n);
    let from = period.from.map(|from| from.checked_sub(days(DAYS_OFF)).unwrap_or(from));
    let to = period.to.map(|to| to.checked_add(days(DAYS_OFF)).unwrap_or(to));
    Period { from, to }.contains(date)
}

/// Where a day stands between the oldest and the newest, 0 to 1 towards the end that is asked for.
fn end_of_time(question: &Question, weights: &Weights, date: Option<Date>) -> Option<f32> {
    let cue = question.cue?;
    if question.days.iter().any(|days| days.is_of_days()) {
        return None;
    }
    let (first, last) = weights.days?;
    let since = |date: Date| date.since(first).map_or(0, |span| span.get_days()) as f32;
    let place = (since(date?) / since(last).max(1.0)).clamp(0.0, 1.0);
    Some(if cue == Cue::Late { place } else { 1.0 - place })
}

/// Returns how sure it is that a candidate answers the question, 0 to 1.
///
/// It is the share of the question's rarity that the best passage holds, pairs of neighbours counted like
/// words, times the root of the share that stands anywhere in the document.
pub fn confidence(question: &Question, weights: &Weights, candidate: &Candidate<'_>) -> f32 {
    let total: f32 = weights.sure.iter().sum();
    let asks_only_when = question.words.iter().all(|word| word.weight == 0.0 || word.is_date || question.is_filler);
    if asks_only_when && !question.days.is_empty() {
        return if of_the_day(question, candidate) > 0.0 { 1.0 } else { 0.0 };
    }
    if total <= 0.0 || question.is_filler {
        return 0.0;
    }
    // What was searched for in the place of a word is found only as sure as that it was meant.
    let certain: Vec<f32> =
        weights.sure.iter().zip(&question.words).map(|(weight, word)| weight * word.certainty()).collect();
    let said: f32 = certain.iter().zip(candidate.in_passage).map(|(weight, impact)| weight * impact).sum();
    let pair = |of: &[f32], (a, b): &(usize, usize)| of[*a].min(of[*b]);
    let pairs: f32 = question.pairs.iter().map(|one| pair(&weights.sure, one)).sum();
    let there = question.pairs.iter().zip(candidate.pairs).filter(|(_, is_there)| **is_there);
    let paired: f32 = there.map(|(one, _)| pair(&certain, one)).sum();
    let anywhere: f32 =
        certain.iter().zip(candidate.in_doc).filter(|(_, code)| **code > 0).map(|(weight, _)| weight).sum();
    (said + paired) / (total + pairs + DOUBT) * (anywhere / total).sqrt()
}

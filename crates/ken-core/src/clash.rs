//! Which claims look as if they could not both be true, best first.
//!
//! [`candidates`] takes claims with what they are about and returns pairs that are worth a question: about
//! one subject, in the same words, with a differing time, date, amount or name, or with a "not" on one side
//! only. Never all pairs are looked at: claims meet where a value of one sort stands among the same words.
//! It judges nothing; whoever asks a model takes the pairs in this order, and so meets the likely ones first
//! however few questions there may be. A claim that resembles many waits after its first pairs for the
//! others' turns. The outcome depends on the claims alone.

mod score;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::digest::Digest;
use crate::ground::{self, Sort};
use crate::language::WordSet;
use crate::link::links;
use crate::parallel::in_parallel;
use crate::span::Span;
use crate::text::{one_line, sentences};
use crate::time::Date;
use crate::words::{fold, folded_words, words};

/// A claim as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// What it says, see [`plain`].
    pub text: String,
    /// When it was said.
    pub day: Option<Date>,
    /// What it is about, sorted: its pages and those that they lead to, as numbers.
    pub subjects: Vec<u32>,
}

/// Two claims that may not both be true.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Their places in what was given, the smaller first.
    pub of: (usize, usize),
    /// How likely they clash, as a number to compare.
    pub score: f32,
    /// What differs, as each says it; a claim that does not negate says nothing.
    pub differs: (String, String),
}

/// Returns a claim as plain text on one line: without footnote marks, emphasis and link brackets.
pub fn plain(text: &str) -> String {
    let text = crate::page::outline::without_marks(text);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for link in links(&text, Span::new(0, text.len())) {
        out.push_str(&text[from..link.span.start]);
        out.push_str(link.shown.unwrap_or(link.target).of(&text));
        from = link.span.end;
    }
    out.push_str(&text[from..]);
    one_line(out.replace("**", "").trim())
}

/// Returns what names a claim: 16 hex digits of its words, whatever stands between them.
pub fn name(plain: &str) -> String {
    let folded: Vec<String> = folded_words(plain);
    Digest::of(folded.join(" ").as_bytes()).to_string()[..16].to_owned()
}

/// Returns what names two claims, in whichever order they are given.
pub fn pair_name(a: &str, b: &str) -> String {
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    Digest::of(format!("{a} {b}").as_bytes()).to_string()[..16].to_owned()
}

/// Words before and behind a value that say what it is the value of.
const HEADS_BEFORE: usize = 7;
const HEADS_BEHIND: usize = 4;
/// Of them those that stand closest.
const CLOSE: usize = 4;
/// Values of one sort among the same words beyond which these words tell nothing apart.
const GROUP_MAX: usize = 300;
/// Pairs of one claim that count the same.
const TURNS: usize = 2;

/// A value with the words it stands among.
#[derive(Debug)]
struct Slot {
    claim: usize,
    sort: u32,
    kind: Sort,
    readings: Vec<String>,
    /// What it says.
    text: String,
    /// The stems around it, sorted.
    heads: Vec<u32>,
    /// Those that stand closest, sorted.
    close: Vec<u32>,
    /// The one before it and the one behind.
    beside: [Option<u32>; 2],
    /// Those of the heads that number something: `q1`, `p0`.
    labels: Vec<u32>,
}

/// A claim, understood.
#[derive(Debug, Default)]
struct Read {
    /// Its stems, sorted.
    stems: Vec<u32>,
    /// Its slots.
    slots: std::ops::Range<usize>,
    negates: bool,
    may_negate: bool,
    changes: bool,
}

/// All claims, understood.
#[derive(Debug, Default)]
struct All {
    reads: Vec<Read>,
    slots: Vec<Slot>,
    /// How much each stem tells.
    weights: Vec<f32>,
}

/// Returns the pairs of claims that may not both be true, in the order in which they deserve a question.
pub fn candidates(claims: &[Said]) -> Vec<Candidate> {
    let all = read_all(claims);
    let is_near = |a: usize, b: usize| shares(&claims[a].subjects, &claims[b].subjects);
    let mut pairs = slot_pairs(&all, &is_near);
    pairs.sort_unstable();
    pairs.dedup();
    let mut best: BTreeMap<(usize, usize), Candidate> = BTreeMap::new();
    let slots = pairs.into_iter().filter_map(|(a, b)| score::of_slots(&all, claims, a as usize, b as usize));
    let negations = negation_pairs(&all, &is_near).into_iter();
    for found in slots.chain(negations.filter_map(|(a, b)| score::of_negation(&all, claims, a, b))) {
        match best.get(&found.of) {
            Some(known) if known.score >= found.score => {}
            _ => drop(best.insert(found.of, found)),
        }
    }
    in_turns(best.into_values().collect(), claims.len())
}

/// The likeliest first; with every few pairs a claim's further ones count less, so that others have their turn.
fn in_turns(mut pairs: Vec<Candidate>, n_claims: usize) -> Vec<Candidate> {
    let by_score = |a: &Candidate, b: &Candidate| b.score.total_cmp(&a.score).then(a.of.cmp(&b.of));
    pairs.sort_by(by_score);
    let mut n_pairs = vec![0; n_claims];
    for pair in &mut pairs {
        let (a, b) = pair.of;
        pair.score /= (1 + n_pairs[a].max(n_pairs[b]) / TURNS) as f32;
        n_pairs[a] += 1;
        n_pairs[b] += 1;
    }
    pairs.sort_by(by_score);
    pairs
}

/// Whether two sorted lists share anything.
fn shares(a: &[u32], b: &[u32]) -> bool {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
        }
    }
    false
}

/// A value: its sort and readings, what it says, the heads with their distance, those beside it.
type DraftSlot = (Sort, Vec<String>, String, Vec<(usize, String)>, [Option<String>; 2]);

/// What one claim says, with words instead of numbers for them.
struct Draft {
    stems: Vec<String>,
    slots: Vec<DraftSlot>,
    negates: bool,
    may_negate: bool,
    changes: bool,
}

fn read_all(claims: &[Said]) -> All {
    let drafts = in_parallel(claims.len(), |n| draft(&claims[n]));
    let mut ids: BTreeMap<String, u32> = BTreeMap::new();
    let mut id = |text: String| {
        let next = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        *ids.entry(text).or_insert(next)
    };
    let mut all = All::default();
    for (claim, draft) in drafts.into_iter().enumerate() {
        let from = all.slots.len();
        for (kind, readings, text, mut around, beside) in draft.slots {
            around.sort();
            let is_label = |stem: &str| stem.bytes().any(|byte| byte.is_ascii_digit());
            let mut labels: Vec<u32> =
                around.iter().filter(|(_, stem)| is_label(stem)).map(|(_, stem)| id(stem.clone())).collect();
            labels.sort_unstable();
            let mut heads: Vec<u32> = Vec::new();
            for head in around.into_iter().map(|(_, stem)| id(stem)) {
                if !heads.contains(&head) {
                    heads.push(head);
                }
            }
            let mut close: Vec<u32> = heads.iter().take(CLOSE).copied().collect();
            heads.sort_unstable();
            close.sort_unstable();
            let sort = id(format!("\0{kind:?}"));
            let beside = beside.map(|stem| stem.map(&mut id));
            all.slots.push(Slot { claim, sort, kind, readings, text, heads, close, beside, labels });
        }
        let mut stems: Vec<u32> = draft.stems.into_iter().map(&mut id).collect();
        stems.sort_unstable();
        stems.dedup();
        let slots = from..all.slots.len();
        let Draft { negates, may_negate, changes, .. } = draft;
        all.reads.push(Read { stems, slots, negates, may_negate, changes });
    }
    let mut counts = vec![0usize; ids.len()];
    all.reads.iter().flat_map(|read| &read.stems).for_each(|stem| counts[*stem as usize] += 1);
    let n_claims = claims.len() as f32;
    all.weights = counts.iter().map(|n| (1.0 + n_claims / (*n).max(1) as f32).ln()).collect();
    all
}

static CHANGES: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.claims.changes));

fn draft(said: &Said) -> Draft {
    let text = said.text.as_str();
    let values = ground::values(text, said.day);
    let stems = ground::stems(text);
    let is_value = |span: Span| {
        values
            .iter()
            .any(|value| value.sort != Sort::Name && value.span.start <= span.start && span.end <= value.span.end)
    };
    let bounds: Vec<Span> = sentences(text).into_iter().flat_map(|span| clauses(text, span)).collect();
    let mut slots = Vec::new();
    // The day on which something was written says when, not what.
    let own = said.day.map(|day| format!("{day}..{day}"));
    let is_own = |value: &&ground::Value| value.sort == Sort::Date && value.readings.first() == own.as_ref();
    for value in values.iter().filter(|value| !is_own(value)) {
        let Some(clause) =
            bounds.iter().find(|clause| clause.start <= value.span.start && value.span.end <= clause.end)
        else {
            continue;
        };
        let inside = |span: &Span| clause.start <= span.start && span.end <= clause.end && !is_value(*span);
        let before = stems.iter().rev().filter(|(span, _)| span.end <= value.span.start && inside(span));
        let behind = stems.iter().filter(|(span, _)| span.start >= value.span.end && inside(span));
        let beside = [before.clone().next(), behind.clone().next()].map(|found| found.map(|(_, stem)| stem.clone()));
        let near = before.take(HEADS_BEFORE).enumerate().chain(behind.take(HEADS_BEHIND).enumerate());
        let heads: Vec<(usize, String)> = near.map(|(by, (_, stem))| (by, stem.clone())).collect();
        slots.push((value.sort.clone(), value.readings.clone(), value.span.of(text).to_owned(), heads, beside));
    }
    let changes =
        words(text).iter().any(|word| CHANGES.has(&fold(word.of(text)))) || text.contains('→') || text.contains("->");
    let stems = stems.into_iter().filter(|(span, _)| !is_value(*span)).map(|(_, stem)| stem).collect();
    Draft { stems, slots, negates: ground::negates(text), may_negate: ground::may_negate(text), changes }
}

/// The parts of a sentence between semicolons.
fn clauses(text: &str, sentence: Span) -> Vec<Span> {
    let mut out = Vec::new();
    let mut from = sentence.start;
    for (at, _) in sentence.of(text).match_indices("; ") {
        out.push(Span::new(from, sentence.start + at));
        from = sentence.start + at + 1;
    }
    out.push(Span::new(from, sentence.end));
    out
}

/// Values of one sort that stand among two of the same words, or with the only word that one of them has.
fn slot_pairs(all: &All, is_near: &dyn Fn(usize, usize) -> bool) -> Vec<(u32, u32)> {
    let mut keys: Vec<(u32, u32, u32, u32)> = Vec::new();
    for (n, slot) in all.slots.iter().enumerate() {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        for (at, head) in slot.heads.iter().enumerate() {
            keys.push((slot.sort, *head, u32::MAX, n));
            keys.extend(slot.heads[at + 1..].iter().map(|other| (slot.sort, *head, *other, n)));
        }
    }
    keys.sort_unstable();
    let mut out = Vec::new();
    for group in keys.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)).filter(|group| group.len() <= GROUP_MAX) {
        let is_lone = group[0].2 == u32::MAX;
        for (at, a) in group.iter().enumerate() {
            for b in &group[at + 1..] {
                let (a, b) = (a.3, b.3);
                let (one, other) = (&all.slots[a as usize], &all.slots[b as usize]);
                let counts = !is_lone || one.heads.len() == 1 || other.heads.len() == 1;
                if counts && one.claim != other.claim && is_near(one.claim, other.claim) {
                    out.push((a, b));
                }
            }
        }
    }
    out
}

/// Claims that negate something, each with those that share two of its words and do not.
fn negation_pairs(all: &All, is_near: &dyn Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut keys: Vec<(u32, usize)> = Vec::new();
    for (n, read) in all.reads.iter().enumerate() {
        keys.extend(read.stems.iter().map(|stem| (*stem, n)));
    }
    keys.sort_unstable();
    let claims_of = |stem: u32| {
        let (from, to) = (keys.partition_point(|key| key.0 < stem), keys.partition_point(|key| key.0 <= stem));
        &keys[from..to]
    };
    let mut out = Vec::new();
    for (n, read) in all.reads.iter().enumerate().filter(|(_, read)| read.negates) {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for group in read.stems.iter().map(|stem| claims_of(*stem)).filter(|group| group.len() <= GROUP_MAX) {
            group.iter().for_each(|(_, other)| *counts.entry(*other).or_default() += 1);
        }
        let others = counts.into_iter().filter(|(other, n_shared)| *n_shared >= 2 && *other != n);
        let others = others.map(|(other, _)| other).filter(|other| !all.reads[*other].may_negate && is_near(n, *other));
        out.extend(others.map(|other| (n.min(other), n.max(other))));
    }
    out
}

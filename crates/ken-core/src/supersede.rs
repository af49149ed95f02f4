//! Which statements no longer hold because of a later one.
//!
//! [`replaced`] takes statements in the order in which they were said and returns for each what took its place, and by
//! what evidence. A value that merely differs from an earlier one replaces nothing: a statement must say that something
//! changed, by naming the old and the new, by a word of change, or by saying that something ended. It must be about the
//! same thing, and neither ask, wish, guess nor report. It decides on the statements alone, needs no model, and prefers to
//! overlook a change to declaring one that is none.
//!
//! The steps and thresholds are from a prototype that was measured on conversations of a month, on logs and on coding
//! sessions: a pair of old and new is right wherever the old was said before; a word of change is right from a similarity
//! of 0.45 on if both statements share a word of their own clause; a differing value alone was right in 3 of 135 cases.

mod patterns;
mod read;
mod slot;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::time::Date;
use read::{Read, Sentence};
use slot::{Pair, Side, Slot};

/// A statement.
#[derive(Debug, Clone, Copy)]
pub struct Said<'t> {
    /// What it says, one or several sentences.
    pub text: &'t str,
    /// The day on which it was said.
    pub day: Option<Date>,
    /// What it was said in: statements of one exchange stand beside each other and do not replace one another by a word of
    /// change alone.
    pub exchange: usize,
    /// Whether it may replace others.
    pub may_replace: bool,
}

/// By what a statement shows that another no longer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// It names the old and the new.
    Pair,
    /// It has another value and a word of change.
    Change,
    /// It says that something ended.
    End,
    /// The value was replaced before it was said again.
    Stale,
}

/// What took a statement's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replaced {
    /// The place of the statement that says so.
    pub by: usize,
    /// How it shows.
    pub evidence: Evidence,
}

/// Least similarity of what a pair is about: that the old value was said is the evidence.
const PAIR_MIN: f32 = 0.12;
/// The same where words or names are replaced: they are said for many reasons.
const WORDS_MIN: f32 = 0.3;
/// Least similarity where a word of change is the evidence.
const CHANGE_MIN: f32 = 0.36;
/// The same for names, which differ for many reasons.
const NAME_MIN: f32 = 0.6;
/// Least share of what is said to have ended that the earlier statement has, and how many of its words.
const END_MIN: f32 = 0.45;
const END_WORDS_MIN: usize = 2;
/// Statements that are counted besides: of a few statements alone no word would tell anything.
const BACKGROUND: f32 = 50.0;
/// What the words around a clause count, where those of the clause count 1.
const AROUND: f32 = 0.35;

/// Returns what took the place of each statement, if anything did; `said` is in order of time.
pub fn replaced(said: &[Said<'_>]) -> Vec<Option<Replaced>> {
    if !said.iter().any(|one| one.may_replace && patterns::may_tell(one.text)) {
        return vec![None; said.len()];
    }
    let reads = read::read_all(said);
    let weights = Weights::of(&reads);
    let mut out: Vec<Option<Replaced>> = vec![None; said.len()];
    for by in (0..said.len()).filter(|n| said[*n].may_replace) {
        for (old, place) in out.iter_mut().enumerate().take(by).filter(|(_, place)| place.is_none()) {
            let found = reads[by].sentences.iter().find_map(|later| {
                let is_beside = said[old].exchange == said[by].exchange;
                evidence(&reads[old], later, &reads[by], is_beside, &weights)
            });
            *place = found.map(|evidence| Replaced { by, evidence });
        }
    }
    stale(said, &reads, &weights, &mut out);
    out
}

/// How much each word tells: `ln(1 + (N + 0.5) / (df + 0.5))` over the statements.
struct Weights(BTreeMap<String, f32>);

impl Weights {
    fn of(reads: &[Read]) -> Weights {
        let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
        for read in reads {
            read.stems.iter().for_each(|stem| *counts.entry(stem).or_default() += 1);
        }
        let n = reads.len() as f32 + BACKGROUND + 0.5;
        let weight = |df: usize| (1.0 + n / (df as f32 + 0.5)).ln();
        Weights(counts.into_iter().map(|(stem, df)| (stem.clone(), weight(df))).collect())
    }

    fn of_stem(&self, stem: &str) -> f32 {
        self.0.get(stem).copied().unwrap_or(0.0)
    }

    fn sum<'s>(&self, stems: impl IntoIterator<Item = &'s String>) -> f32 {
        stems.into_iter().map(|stem| self.of_stem(stem)).sum()
    }

    /// The similarity of two clauses within their statements:
    /// `Σ min(wa, wb)·idf / sqrt(Σ wa·idf · Σ wb·idf)`.
    fn similarity(&self, (a, all_a): Within<'_>, (b, all_b): Within<'_>) -> f32 {
        let weighed = |own: &BTreeSet<String>, all: &BTreeSet<String>, stem: &String| match () {
            () if own.contains(stem) => 1.0,
            () if all.contains(stem) => AROUND,
            () => 0.0,
        };
        let total = |own: &BTreeSet<String>, all: &BTreeSet<String>| -> f32 {
            all.union(own).map(|stem| weighed(own, all, stem) * self.of_stem(stem)).sum()
        };
        let both = all_a.union(a).filter(|stem| all_b.contains(*stem) || b.contains(*stem));
        let shared: f32 =
            both.map(|stem| weighed(a, all_a, stem).min(weighed(b, all_b, stem)) * self.of_stem(stem)).sum();
        shared / (total(a, all_a) * total(b, all_b)).sqrt().max(f32::EPSILON)
    }
}

/// The words of a clause, and of the statement around it.
type Within<'s> = (&'s BTreeSet<String>, &'s BTreeSet<String>);

/// Returns by what a sentence shows that an earlier statement no longer holds.
fn evidence(old: &Read, later: &Sentence, whole: &Read, is_beside: bool, weights: &Weights) -> Option<Evidence> {
    if later.is_unsure || !later.says_change() {
        return None;
    }
    let of_pair = |pair: &Pair| is_old_of(old, pair, later, whole, weights);
    if later.pairs.iter().filter(|pair| !is_beside || pair.is_of_values()).any(of_pair) {
        return Some(Evidence::Pair);
    }
    if !is_beside && later.ends.iter().any(|ended| is_ended(old, ended, weights)) {
        return Some(Evidence::End);
    }
    let is_new = |slot: &&Slot| slot.is_value() && slot.changes && !later.pairs.iter().any(|pair| pair.has(slot));
    let mut new = later.slots.iter().filter(is_new);
    (!is_beside && new.any(|slot| is_changed(old, slot, later, whole, weights))).then_some(Evidence::Change)
}

/// Whether a statement says the old side of a pair, of the same thing.
fn is_old_of(old: &Read, pair: &Pair, later: &Sentence, whole: &Read, weights: &Weights) -> bool {
    let around = if pair.own.is_empty() { &later.stems } else { &pair.own };
    let is_about = |own: &BTreeSet<String>, sentence: &Sentence| {
        let is_name = matches!(&pair.old, Side::Value(value) if value.is_name());
        let shares = match is_name {
            true => own.intersection(around).next().is_some(),
            false => own.union(&sentence.stems).any(|stem| around.contains(stem) || later.stems.contains(stem)),
        };
        let least = if is_name || !pair.is_of_values() { WORDS_MIN } else { PAIR_MIN };
        shares && weights.similarity((own, &old.stems), (around, &whole.stems)) >= least
    };
    old.sentences.iter().filter(|sentence| !sentence.asks).any(|sentence| match &pair.old {
        Side::Value(value) => {
            let says_new = matches!(&pair.new, Some(Side::Value(new)) if sentence.slots.iter().any(|slot| slot.is_same(new) && !slot.is_old));
            let said = sentence.slots.iter().filter(|slot| slot.is_same(value) && !slot.is_old);
            !says_new && said.into_iter().any(|slot| is_about(&slot.own, sentence))
        }
        Side::Words(words) => {
            let says_new =
                matches!(&pair.new, Some(Side::Words(new)) if !new.is_empty() && new.is_subset(&sentence.stems));
            let rest: BTreeSet<String> = sentence.stems.difference(words).cloned().collect();
            // Who has the old as what was before tells of the same change.
            let tells = sentence.pairs.iter().any(|own| matches!(&own.old, Side::Words(old) if !old.is_disjoint(words)));
            !says_new && !tells && words.is_subset(&sentence.stems) && is_about(&rest, sentence)
        }
    })
}

/// Whether a statement says most of what is said to have ended.
fn is_ended(old: &Read, ended: &BTreeSet<String>, weights: &Weights) -> bool {
    old.sentences.iter().filter(|sentence| !sentence.asks).any(|sentence| {
        let shared: Vec<&String> = ended.intersection(&sentence.stems).collect();
        // Who says so too says the same.
        let of_words = |pair: &Pair| matches!(&pair.old, Side::Words(words) if !words.is_disjoint(ended));
        let of_names = sentence.slots.iter().any(|slot| slot.is_old && slot.is_name() && slot.names(ended));
        let is_same = of_names
            || sentence.pairs.iter().any(of_words)
            || sentence.ends.iter().any(|other| !ended.is_disjoint(other));
        !is_same && shared.len() >= END_WORDS_MIN && weights.sum(shared.iter().copied()) >= END_MIN * weights.sum(ended)
    })
}

/// Whether a statement has another value in the place of a new one.
fn is_changed(old: &Read, new: &Slot, later: &Sentence, whole: &Read, weights: &Weights) -> bool {
    let says = |sentence: &Sentence, slot: &Slot| sentence.slots.iter().any(|known| known.is_same(slot));
    old.sentences.iter().filter(|sentence| !sentence.asks && !says(sentence, new)).any(|sentence| {
        let others = sentence.slots.iter().filter(|slot| slot.is_value() && !slot.is_old && slot.is_comparable(new));
        others.filter(|slot| !says(later, slot)).any(|slot| {
            let shares = slot.own.intersection(&new.own).next().is_some();
            let least = if new.is_name() && !later.takes { NAME_MIN } else { CHANGE_MIN };
            let is_placed = !new.is_name() || slot.is_first == new.is_first;
            let alike = weights.similarity((&slot.own, &old.stems), (&new.own, &whole.stems));
            shares && is_placed && alike >= least
        })
    })
}

/// A value that was replaced before it was said again does not hold again, unless something says so.
fn stale(said: &[Said<'_>], reads: &[Read], weights: &Weights, out: &mut [Option<Replaced>]) {
    let old: Vec<(usize, Replaced)> = out.iter().enumerate().filter_map(|(n, one)| Some((n, (*one)?))).collect();
    let by_value = |evidence| matches!(evidence, Evidence::Pair | Evidence::Change);
    for (first, replaced) in old.into_iter().filter(|(_, one)| by_value(one.evidence)) {
        let (first, by) = (&reads[first], &reads[replaced.by]);
        for again in replaced.by + 1..said.len() {
            let says_change = |sentence: &Sentence| sentence.changes || !sentence.pairs.is_empty();
            if out[again].is_none()
                && !reads[again].sentences.iter().any(says_change)
                && is_said_again(&reads[again], first, by, weights)
            {
                out[again] = Some(Replaced { by: replaced.by, evidence: Evidence::Stale });
            }
        }
    }
}

/// Whether a statement says a value of `first` that `by` put another in the place of, of the same thing.
fn is_said_again(again: &Read, first: &Read, by: &Read, weights: &Weights) -> bool {
    let slots = |read: &'_ Read| -> Vec<Slot> {
        let all = read.sentences.iter().flat_map(|sentence| &sentence.slots);
        all.filter(|slot| slot.is_value() && !slot.is_name()).cloned().collect()
    };
    let (firsts, bys) = (slots(first), slots(by));
    slots(again).iter().any(|slot| {
        let is_replaced = bys.iter().any(|new| !new.is_old && new.is_comparable(slot) && !new.is_same(slot));
        let is_current = bys.iter().any(|new| !new.is_old && new.is_same(slot));
        let is_of = |value: &&Slot| {
            value.is_same(slot)
                && value.own.intersection(&slot.own).next().is_some()
                && weights.similarity((&value.own, &first.stems), (&slot.own, &again.stems)) >= CHANGE_MIN
        };
        is_replaced && !is_current && firsts.iter().any(|value| is_of(&value))
    })
}

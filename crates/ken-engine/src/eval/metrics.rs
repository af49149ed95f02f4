//! Figures of a ranking: pure functions of the documents found and the documents wanted.
//!
//! A document is relevant when its grade is the highest that the benchmark gives; lower grades count for
//! nDCG only. `docs/book/eval.md` defines every figure.

use std::collections::{BTreeMap, BTreeSet};

/// What answers one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gold {
    /// Every graded document; grades above 0.
    pub grades: BTreeMap<String, u32>,
    /// Those with the benchmark's highest grade.
    pub relevant: BTreeSet<String>,
}

impl Gold {
    /// Returns what answers a question by these grades; `top` is the benchmark's highest.
    pub fn new(grades: BTreeMap<String, u32>, top: u32) -> Gold {
        let relevant = grades.iter().filter(|(_, grade)| **grade >= top).map(|(id, _)| id.clone()).collect();
        Gold { grades, relevant }
    }
}

/// What was found for one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found<'a> {
    /// Documents, best first.
    pub ids: Vec<&'a str>,
    /// What the best passage of each costs, in tokens.
    pub tokens: Vec<usize>,
}

/// A figure of one question; a benchmark's is the mean over the questions that have it.
pub struct Measure {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its name in a table.
    pub short: &'static str,
    of: fn(&Found<'_>, &Gold) -> Option<f64>,
}

/// Every figure of a ranking.
pub const MEASURES: [Measure; 14] = [
    Measure { name: "recall_at_1", short: "R@1", of: |found, gold| recall_at(found, gold, 1) },
    Measure { name: "recall_at_5", short: "R@5", of: |found, gold| recall_at(found, gold, 5) },
    Measure { name: "recall_at_10", short: "R@10", of: |found, gold| recall_at(found, gold, 10) },
    Measure { name: "success_at_1", short: "S@1", of: |found, gold| success_at(found, gold, 1) },
    Measure { name: "success_at_5", short: "S@5", of: |found, gold| success_at(found, gold, 5) },
    Measure { name: "all_gold_at_5", short: "all@5", of: |found, gold| all_gold_at(found, gold, 5) },
    Measure { name: "all_gold_at_10", short: "all@10", of: |found, gold| all_gold_at(found, gold, 10) },
    Measure { name: "mrr_at_10", short: "MRR", of: |found, gold| reciprocal_rank_at(found, gold, 10) },
    Measure { name: "ndcg_at_10", short: "nDCG", of: |found, gold| ndcg_at(found, gold, 10) },
    Measure { name: "empty_share", short: "empty", of: |found, _| Some(one_if(found.ids.is_empty())) },
    Measure { name: "evidence_in_500", short: "ev500", of: |found, gold| evidence_in(found, gold, 500) },
    Measure { name: "evidence_in_1300", short: "ev1300", of: |found, gold| evidence_in(found, gold, 1_300) },
    Measure { name: "evidence_in_4000", short: "ev4000", of: |found, gold| evidence_in(found, gold, 4_000) },
    Measure { name: "evidence_in_7000", short: "ev7000", of: |found, gold| evidence_in(found, gold, 7_000) },
];

fn one_if(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

fn n_relevant_in(found: &Found<'_>, gold: &Gold, k: usize) -> usize {
    found.ids.iter().take(k).filter(|id| gold.relevant.contains(**id)).count()
}

/// Returns the share of relevant documents among the first `k`.
pub fn recall_at(found: &Found<'_>, gold: &Gold, k: usize) -> Option<f64> {
    let n = gold.relevant.len();
    (n > 0).then(|| n_relevant_in(found, gold, k) as f64 / n as f64)
}

/// Returns 1 when a relevant document is among the first `k`.
pub fn success_at(found: &Found<'_>, gold: &Gold, k: usize) -> Option<f64> {
    (!gold.relevant.is_empty()).then(|| one_if(n_relevant_in(found, gold, k) > 0))
}

/// Returns 1 when every relevant document is among the first `k`.
pub fn all_gold_at(found: &Found<'_>, gold: &Gold, k: usize) -> Option<f64> {
    (!gold.relevant.is_empty()).then(|| one_if(n_relevant_in(found, gold, k) == gold.relevant.len()))
}

/// Returns 1 divided by the rank of the first relevant document, 0 when it is not among the first `k`.
pub fn reciprocal_rank_at(found: &Found<'_>, gold: &Gold, k: usize) -> Option<f64> {
    let first = found.ids.iter().take(k).position(|id| gold.relevant.contains(*id));
    (!gold.relevant.is_empty()).then(|| first.map_or(0.0, |at| 1.0 / (at + 1) as f64))
}

/// Returns the discounted gain of the first `k` against that of the best order; gains are the grades.
pub fn ndcg_at(found: &Found<'_>, gold: &Gold, k: usize) -> Option<f64> {
    let gain = |grades: &mut dyn Iterator<Item = u32>| -> f64 {
        grades.take(k).enumerate().map(|(at, grade)| f64::from(grade) / ((at + 2) as f64).log2()).sum()
    };
    let mut best: Vec<u32> = gold.grades.values().copied().collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let ideal = gain(&mut best.into_iter());
    let found = gain(&mut found.ids.iter().map(|id| gold.grades.get(*id).copied().unwrap_or(0)));
    (ideal > 0.0).then(|| found / ideal)
}

/// Returns 1 when the best passages, whole and in order until one does not fit, hold one of every relevant
/// document.
pub fn evidence_in(found: &Found<'_>, gold: &Gold, budget: usize) -> Option<f64> {
    let mut spent = 0;
    let fits = found.tokens.iter().take_while(|tokens| {
        spent += **tokens;
        spent <= budget
    });
    all_gold_at(found, gold, fits.count())
}

/// Means of every figure over questions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Means {
    /// Questions.
    pub n: usize,
    sums: [(usize, f64); MEASURES.len()],
}

impl Means {
    /// Takes a question in.
    pub fn add(&mut self, found: &Found<'_>, gold: &Gold) {
        self.n += 1;
        for (measure, (n, sum)) in MEASURES.iter().zip(&mut self.sums) {
            if let Some(value) = (measure.of)(found, gold) {
                *n += 1;
                *sum += value;
            }
        }
    }

    /// Returns the means, in the order of [`MEASURES`]; none where no question has the figure.
    pub fn values(&self) -> impl Iterator<Item = (&'static Measure, Option<f64>)> + '_ {
        let mean = |(n, sum): &(usize, f64)| (*n > 0).then(|| sum / *n as f64);
        MEASURES.iter().zip(self.sums.iter().map(mean))
    }
}

/// Returns the smallest value that at least `percent` of all do not exceed; `sorted` is ascending.
pub fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold(grades: &[(&str, u32)], top: u32) -> Gold {
        Gold::new(grades.iter().map(|(id, grade)| ((*id).to_owned(), *grade)).collect(), top)
    }

    fn found<'a>(ids: &[&'a str]) -> Found<'a> {
        Found { ids: ids.to_vec(), tokens: vec![100; ids.len()] }
    }

    #[test]
    fn recall_counts_the_relevant_of_the_highest_grade_only() {
        let (gold, found) = (gold(&[("a", 2), ("b", 2), ("c", 1)], 2), found(&["c", "a", "x", "b"]));
        let at = |k| recall_at(&found, &gold, k);
        assert_eq!([at(1), at(2), at(4)], [Some(0.0), Some(0.5), Some(1.0)]);
        assert_eq!(success_at(&found, &gold, 1), Some(0.0));
        assert_eq!(success_at(&found, &gold, 2), Some(1.0));
        assert_eq!(all_gold_at(&found, &gold, 3), Some(0.0));
        assert_eq!(all_gold_at(&found, &gold, 4), Some(1.0));
    }

    #[test]
    fn the_reciprocal_rank_ends_at_k() {
        let (gold, found) = (gold(&[("a", 1)], 1), found(&["x", "y", "a"]));
        assert_eq!(reciprocal_rank_at(&found, &gold, 10), Some(1.0 / 3.0));
        assert_eq!(reciprocal_rank_at(&found, &gold, 2), Some(0.0));
    }

    #[test]
    fn gains_are_grades_discounted_by_the_logarithm_of_the_rank() {
        // 1/log2(2) + 0 + 2/log2(4) = 2, of 2/log2(2) + 1/log2(3) = 2.6309….
        let (gold, found) = (gold(&[("a", 2), ("b", 1)], 2), found(&["b", "x", "a"]));
        let expected = 2.0 / (2.0 + 1.0 / 3_f64.log2());
        assert!((ndcg_at(&found, &gold, 10).expect("graded") - expected).abs() < 1e-12);
        assert_eq!(ndcg_at(&found, &gold, 1).map(|value| value * 2.0), Some(1.0));
    }

    #[test]
    fn the_best_order_has_a_gain_of_one_and_none_found_of_zero() {
        let gold = gold(&[("a", 3), ("b", 2), ("c", 1)], 3);
        assert_eq!(ndcg_at(&found(&["a", "b", "c"]), &gold, 10), Some(1.0));
        assert_eq!(ndcg_at(&found(&[]), &gold, 10), Some(0.0));
    }

    #[test]
    fn evidence_ends_at_the_first_passage_that_does_not_fit() {
        let gold = gold(&[("a", 1), ("b", 1)], 1);
        let found = Found { ids: vec!["a", "x", "b"], tokens: vec![300, 900, 100] };
        let within = |budget| evidence_in(&found, &gold, budget);
        assert_eq!([within(500), within(1_299), within(1_300)], [Some(0.0), Some(0.0), Some(1.0)]);
    }

    #[test]
    fn a_question_without_a_relevant_document_has_only_the_figures_of_grades() {
        let gold = gold(&[("a", 1)], 2);
        let found = found(&["a"]);
        assert_eq!((recall_at(&found, &gold, 1), evidence_in(&found, &gold, 500)), (None, None));
        assert_eq!(ndcg_at(&found, &gold, 10), Some(1.0));
    }

    #[test]
    fn means_are_over_the_questions_that_have_the_figure() {
        let mut means = Means::default();
        means.add(&found(&["a"]), &gold(&[("a", 2)], 2));
        means.add(&found(&[]), &gold(&[("b", 2)], 2));
        means.add(&found(&["c"]), &gold(&[("c", 1)], 2));
        let of = |name: &str| means.values().find(|(measure, _)| measure.name == name).and_then(|(_, value)| value);
        assert_eq!((means.n, of("recall_at_1"), of("empty_share")), (3, Some(0.5), Some(1.0 / 3.0)));
        assert_eq!(of("ndcg_at_10"), Some(2.0 / 3.0));
    }

    #[test]
    fn percentiles_are_values_that_occur() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!([50, 95, 99].map(|percent| percentile(&values, percent)), [Some(100.0), Some(190.0), Some(198.0)]);
        assert_eq!((percentile(&[7.0], 99), percentile(&[], 50)), (Some(7.0), None));
    }
}

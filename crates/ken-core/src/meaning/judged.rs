//! A claim beside the clauses that it cites.

use std::collections::BTreeSet;

use super::read::{Clause, Cue, clause, likely};
use super::{Kind, Text};

/// A claim beside what it cites.
pub(super) struct Judged<'t> {
    pub(super) claim: Clause,
    pub(super) kind: Kind,
    pub(super) cited: Vec<&'t Clause>,
    /// The clause that shares most of its words, and those of the same sentence.
    pub(super) best: &'t Clause,
    pub(super) sentence: Vec<&'t Clause>,
    /// The sentence before that.
    pub(super) before: Vec<&'t Clause>,
    pub(super) behind: Vec<&'t Clause>,
}

/// How much of what the best clause shares another must share to say it as well.
const AS_WELL: f32 = 0.75;

/// How many of a clause's stems are among others.
pub(super) fn shared(clause: &Clause, wanted: &BTreeSet<&str>) -> usize {
    clause.content().intersection(wanted).count()
}

fn best_of<'t>(claim: &Clause, cited: &[&'t Clause]) -> Option<&'t Clause> {
    let wanted = claim.content();
    // Of those that share as much the one that says least besides.
    let rank = |clause: &Clause| {
        let n = shared(clause, &wanted);
        (n, n * 100 / clause.content().len().max(1))
    };
    let mut best: Option<&Clause> = None;
    for clause in cited {
        if best.is_none_or(|known| rank(clause) >= rank(known)) {
            best = Some(clause);
        }
    }
    best.filter(|clause| shared(clause, &wanted) > 0).or(cited.last().copied())
}

/// What says that something is not settled.
const UNSURE: [Cue; 6] = [Cue::Hedge, Cue::Doubtful, Cue::Might, Cue::Condition, Cue::Wish, Cue::Asks];

impl<'t> Judged<'t> {
    /// Returns a claim beside what it cites; none when it cites nothing.
    pub(super) fn of(text: &'t Text, claim: &str, kind: Kind, ranges: &[(usize, usize)]) -> Option<Judged<'t>> {
        let is_cited = |line: usize| ranges.iter().any(|(first, last)| *first <= line && line <= *last);
        let last = ranges.iter().map(|(_, last)| *last).max().unwrap_or(0).min(text.n_lines);
        let cited: Vec<&Clause> = text.clauses.iter().filter(|clause| is_cited(clause.line)).collect();
        let expected = cited.first().map(|clause| clause.language);
        let claim = clause(claim, likely(claim, expected), true);
        let best = best_of(&claim, &cited)?;
        let sentence: Vec<&Clause> = cited.iter().copied().filter(|other| other.sentence == best.sentence).collect();
        let first = sentence.first().map_or(0, |clause| clause.sentence);
        let before = text.clauses.iter().filter(|clause| clause.sentence + 1 == first).collect();
        let behind = text.clauses.iter().filter(|clause| clause.line > last).collect();
        Some(Judged { claim, kind, cited, best, sentence, before, behind })
    }

    pub(super) fn is_todo(&self) -> bool {
        self.kind == Kind::Todo
    }

    /// How many of the claim's words the best clause has.
    pub(super) fn n_shared(&self) -> usize {
        shared(self.best, &self.claim.content())
    }

    /// Clauses that say as much of the claim as the best one does.
    pub(super) fn as_well(&self) -> impl Iterator<Item = &&Clause> {
        let wanted = self.claim.content();
        let least = (self.n_shared() as f32 * AS_WELL).max(1.0);
        self.cited.iter().filter(move |clause| shared(clause, &wanted) as f32 >= least)
    }

    /// Whether a cue stands in the clauses that say it, and in all of them.
    pub(super) fn is_meant(&self, cues: &[Cue]) -> bool {
        self.best.has_any(cues) && self.as_well().all(|clause| clause.has_any(cues) || clause.is_question)
    }

    pub(super) fn in_sentence(&self, cue: Cue) -> bool {
        self.sentence.iter().any(|clause| clause.has(cue))
    }

    pub(super) fn in_cited(&self, cue: Cue) -> bool {
        self.cited.iter().any(|clause| clause.has(cue))
    }

    pub(super) fn says_unsure(&self) -> bool {
        self.claim.has_any(&UNSURE) || self.claim.has_any(&[Cue::Views, Cue::Rumour])
    }
}

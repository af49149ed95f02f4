//! How sure it is that what was found answers, and what that means.

use super::{Close, FOLLOWER, Said};

/// From this confidence on a question counts as answered, and from this on what was found is close to it.
pub const SURE: f32 = 0.45;
const CLOSEST: f32 = 0.04;
/// Units that confidence looks at, those that have most themselves, and beyond what it grows no more.
const CONFIDENT_UNITS: usize = 10;
const SCORE_MAX: f32 = 1.5;

/// What was found for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It answers.
    Answers,
    /// It is close: it may answer in other words, or be about something beside.
    Closest,
    /// It has nothing to do with the question.
    Nothing,
}

impl Verdict {
    /// Returns what a confidence means, see [`Close::confidence`].
    pub fn of(confidence: f32) -> Verdict {
        match confidence {
            sure if sure >= SURE => Verdict::Answers,
            close if close >= CLOSEST => Verdict::Closest,
            _ => Verdict::Nothing,
        }
    }
}

impl Close<'_> {
    /// Returns how sure it is that what was found answers, 0 to 1.
    ///
    /// It counts the share of the question's rarity in the best sentence and its follower, that in a unit and its
    /// neighbours, how much rarity that is (in other words than a question's, less of it stands anywhere, but what
    /// stands together does not by chance), and what the best has itself; less what stands nowhere, and less for each name that
    /// stands nowhere. Words that only say when do not count.
    pub fn confidence(&self, docs: &[Vec<Said>]) -> f32 {
        let asked: Vec<usize> = (0..self.sure.len()).filter(|n| self.sure[*n] > 0.0).collect();
        let total: f32 = self.sure.iter().sum();
        if total <= 0.0 {
            return if docs.iter().flatten().any(|said| said.score > 0.0) { 1.0 } else { 0.0 };
        }
        let certain = |n: usize| self.sure[n] * self.question.words[n].certainty();
        let share =
            |amounts: &dyn Fn(usize) -> f32| asked.iter().map(|n| certain(*n) * amounts(*n)).sum::<f32>() / total;
        let mut places: Vec<(usize, usize)> =
            docs.iter().enumerate().flat_map(|(doc, units)| (0..units.len()).map(move |unit| (doc, unit))).collect();
        places.sort_by(|a, b| docs[b.0][b.1].own.total_cmp(&docs[a.0][a.1].own));
        places.truncate(CONFIDENT_UNITS);
        let in_sentence = places.iter().map(|(doc, unit)| share(&|n| docs[*doc][*unit].in_sentence[n]));
        let around = places.iter().map(|(doc, unit)| {
            let beside = |at: Option<usize>, n: usize| {
                at.and_then(|at| docs[*doc].get(at)).map_or(0.0, |said| FOLLOWER * said.has[n])
            };
            share(&|n| docs[*doc][*unit].has[n].max(beside(unit.checked_sub(1), n)).max(beside(Some(unit + 1), n)))
        });
        let best = places.first().map_or(0.0, |(doc, unit)| docs[*doc][*unit].own.min(SCORE_MAX));
        let is_heard = |n: usize| docs.iter().flatten().any(|said| said.has[n] > 0.0);
        let unknown: Vec<usize> =
            asked.iter().copied().filter(|n| self.frequencies[*n].n_docs == 0 && !is_heard(*n)).collect();
        let unknown_share = unknown.iter().map(|n| self.sure[*n]).sum::<f32>() / total;
        let n_names = unknown.iter().filter(|n| self.question.is_name(**n)).count();
        let (in_sentence, around) = (in_sentence.fold(0.0, f32::max), around.fold(0.0, f32::max));
        let n_rare = around * total / self.rarest;
        let found = 0.25 * in_sentence + 0.25 * around + 0.125 * n_rare + 0.15 * best;
        (found - 0.2 * unknown_share - 0.15 * n_names as f32).clamp(0.0, 1.0)
    }
}

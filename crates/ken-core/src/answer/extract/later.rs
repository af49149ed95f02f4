//! What was said later of the same. The words of a question lead to the statement that uses them; who said something newer
//! used others, but mostly some of that statement's: `Urgent samples go in red bags`, `Orange bags, because the red ones are
//! taken for waste`. Which of them holds is left to the reader, who sees the days of both.

use std::collections::BTreeMap;

use super::pick::names_another;
use super::{Candidate, Picking, SAME_SHARE};
use crate::search::close::{share_in, shared};

/// Most later statements beside an answer.
const LATER_MAX: usize = 2;
/// Words that a later statement shares with one that answers.
const SHARED_MIN: usize = 2;
/// What those say together at least: each the natural logarithm of the sentences that were found over those that have it.
/// Of 360 questions of six sets (of one team each) 178 are answered rightly with 4, 179 with 3, 174 with 5, 161 without.
const SAYS_MIN: f32 = 4.0;
/// Among so few sentences no word is rare: there so many shared words are enough.
const FEW: usize = 16;
const SHARED_AMONG_FEW: usize = 3;

impl<'p, 'a> Picking<'p, 'a> {
    /// Returns what was said later of what picked sentences say, beside them: it has what is asked for, shares words with one
    /// of them that are rare in what was found, and names another number.
    pub(super) fn said_later(&self, picked: &[&'p Candidate<'a>]) -> Vec<&'p Candidate<'a>> {
        let asks_for_value = !(self.asked.is_history || self.asked.is_list || self.asked.is_reason);
        if !asks_for_value || !self.asked.is_present && self.asked.until.is_none() {
            return Vec::new();
        }
        let mut n_having: BTreeMap<u32, usize> = BTreeMap::new();
        self.candidates
            .iter()
            .flat_map(|one| &one.said.words)
            .for_each(|word| *n_having.entry(*word).or_default() += 1);
        let n_all = self.candidates.len();
        let says = |word: u32| (n_all as f32 / n_having[&word] as f32).ln();
        let is_enough = |n_shared: usize, says: f32| {
            n_shared >= SHARED_MIN && says >= SAYS_MIN || n_all < FEW && n_shared >= SHARED_AMONG_FEW
        };
        let mut out: Vec<&'p Candidate<'a>> = Vec::new();
        for one in picked.iter().filter(|one| self.may_age(one)) {
            let says_again = |other: &Candidate<'a>, known: &Candidate<'a>| {
                // Or says of itself what comes then: `(until 2026-07-01; then: …)`.
                let said = other.citable.text.split(" (").next().unwrap_or_default().trim_end_matches('.');
                known.citable.text.contains(said)
                    || share_in(&other.said, &known.said) > SAME_SHARE && !names_another(other, known)
            };
            let is_known = |other: &Candidate<'a>| picked.iter().chain(&out).any(|known| says_again(other, known));
            let found = self.candidates.iter().filter(|other| self.is_later(other, one) && !is_known(other));
            let weighed = found.filter_map(|other| {
                let (n_shared, says) =
                    shared(&other.said, &one.said).fold((0, 0.0), |(n, sum), word| (n + 1, sum + says(word)));
                is_enough(n_shared, says).then_some((says, other))
            });
            // Of equals the newest.
            let best = weighed.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.date.cmp(&b.1.date)));
            out.extend(best.map(|(_, other)| other));
            if out.len() == LATER_MAX {
                break;
            }
        }
        out
    }

    /// Whether something said later may say otherwise than a sentence: what a document says is the document's to change.
    fn may_age(&self, one: &Candidate<'a>) -> bool {
        one.date.is_some() && !one.citable.is_superseded && !self.consulted[one.place].is_document
    }

    /// Whether a sentence was said on a later day than another one, by the day that is asked about, and may answer in its place.
    fn is_later(&self, other: &Candidate<'a>, one: &Candidate<'a>) -> bool {
        // A tldr in a header has the day of its page, on which it may say nothing new.
        let is_of_its_day = !other.citable.is_tldr || !other.citable.refs.is_empty();
        let is_asking = other.is_request || other.citable.text.ends_with('?');
        other.date > one.date
            && self.asked.until.is_none_or(|until| other.date <= Some(until))
            && self.may_age(other)
            && is_of_its_day
            && !is_asking
            && (other.is_met || !one.is_met)
            && names_another(other, one)
    }
}

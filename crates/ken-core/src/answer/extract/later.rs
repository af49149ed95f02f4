//! What was said later of the same. The words of a question lead to the statement that uses them; who said something newer
//! used others, but mostly some of that statement's: `Urgent samples go in red bags`, `Orange bags, because the red ones are
//! taken for waste`. Which of them holds is left to the reader, who sees the days of both.

use std::collections::BTreeMap;

use super::named::{names_another, said_alone, values_of};
use super::{Candidate, Picking, SAME_SHARE};
use crate::ground::{Sort, Value};
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
/// Most other values of a history, and what the words say at least that such a one has in common with the best.
/// Of five histories of a set that was read for it two are told with none of it, and three with it; of one that was not, one.
const VALUES_MAX: usize = 5;
const SAYS_OF_A_VALUE: f32 = 2.0;

/// How rare words are in what was found.
struct Rarity {
    n_having: BTreeMap<u32, usize>,
    n_all: usize,
}

impl Rarity {
    fn of(candidates: &[Candidate<'_>]) -> Rarity {
        let mut n_having: BTreeMap<u32, usize> = BTreeMap::new();
        let words = candidates.iter().flat_map(|one| &one.said.words);
        words.for_each(|word| *n_having.entry(*word).or_default() += 1);
        Rarity { n_having, n_all: candidates.len() }
    }

    /// What one of so many sentences says.
    fn says(&self, n_having: usize) -> f32 {
        (self.n_all as f32 / n_having.max(1) as f32).ln()
    }

    /// Whether so many words are enough that say so much together.
    fn is_enough(&self, (n_words, says): (usize, f32)) -> bool {
        n_words >= SHARED_MIN && says >= SAYS_MIN || self.n_all < FEW && n_words >= SHARED_AMONG_FEW
    }
}

impl<'p, 'a> Picking<'p, 'a> {
    /// Returns what was said later of what picked sentences say, beside them: it has what is asked for, has words of the
    /// question or of one of them that are rare in what was found, and names another number.
    pub(super) fn said_later(&self, picked: &[&'p Candidate<'a>]) -> Vec<&'p Candidate<'a>> {
        let asks_for_value = !(self.asked.is_history || self.asked.is_list || self.asked.is_reason);
        if !asks_for_value || !self.asked.is_present && self.asked.until.is_none() {
            return Vec::new();
        }
        let rarity = Rarity::of(self.candidates);
        let mut out: Vec<&'p Candidate<'a>> = Vec::new();
        for one in picked.iter().filter(|one| self.may_age(one)) {
            let is_known = |other: &Candidate<'a>| picked.iter().chain(&out).any(|known| says_again(other, known));
            let found = self.candidates.iter().filter(|other| self.is_later(other, one) && !is_known(other));
            let weighed = found.filter_map(|other| {
                let common = self.common(other, one, &rarity);
                rarity.is_enough(common).then_some((common.1, other))
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

    /// Returns the other values that what answers a history best had on other days: of the same sort, with words of the
    /// question or of it that are rare in what was found.
    pub(super) fn other_values(&self, picked: &[&'p Candidate<'a>]) -> Vec<&'p Candidate<'a>> {
        let Some(best) = picked.first().filter(|one| self.asked.is_history && one.date.is_some()) else {
            return Vec::new();
        };
        let (rarity, own) = (Rarity::of(self.candidates), values_of(best));
        let is_other = |other: &&Candidate<'a>| {
            other.date.is_some()
                && other.date != best.date
                && !is_asking(other)
                && !self.consulted[other.place].is_document
        };
        let found = self.candidates.iter().filter(is_other).filter_map(|other| {
            let (n_words, says) = self.common(other, best, &rarity);
            let is_enough = n_words > 0 && says >= SAYS_OF_A_VALUE;
            (is_enough && has_another(&values_of(other), &own)).then_some((says, other))
        });
        let mut found: Vec<(f32, &'p Candidate<'a>)> = found.collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut out: Vec<&'p Candidate<'a>> = Vec::new();
        for (_, other) in found {
            if out.len() < VALUES_MAX && !picked.iter().chain(&out).any(|known| says_again(other, known)) {
                out.push(other);
            }
        }
        out
    }

    /// How many words of the question or of another sentence a sentence has, and what they say.
    fn common(&self, other: &Candidate<'a>, one: &Candidate<'a>, rarity: &Rarity) -> (usize, f32) {
        let is_besides = |n: &usize| self.weights[*n] > 0.0 && other.said.times[*n] > 0.0 && one.said.times[*n] == 0.0;
        let n_having = |n: usize| self.candidates.iter().filter(|one| one.said.times[n] > 0.0).count();
        let of_question = (0..self.weights.len()).filter(is_besides).map(n_having);
        let of_both = shared(&other.said, &one.said).map(|word| rarity.n_having[&word]);
        of_both.chain(of_question).fold((0, 0.0), |(n, sum), n_having| (n + 1, sum + rarity.says(n_having)))
    }

    /// Whether something said later may say otherwise than a sentence: what a document says is the document's to change.
    fn may_age(&self, one: &Candidate<'a>) -> bool {
        one.date.is_some() && !one.citable.is_superseded && !self.consulted[one.place].is_document
    }

    /// Whether a sentence was said on a later day than another one, by the day that is asked about, and may answer in its place.
    fn is_later(&self, other: &Candidate<'a>, one: &Candidate<'a>) -> bool {
        // A tldr in a header has the day of its page, on which it may say nothing new.
        let is_of_its_day = !other.citable.is_tldr || !other.citable.refs.is_empty();
        other.date > one.date
            && self.asked.until.is_none_or(|until| other.date <= Some(until))
            && self.may_age(other)
            && is_of_its_day
            && !is_asking(other)
            && (other.is_met || !one.is_met)
            && names_another(other, one)
    }
}

fn is_asking(one: &Candidate<'_>) -> bool {
    one.is_request || one.citable.text.ends_with('?')
}

/// Whether a sentence says what another one says, too, or that one says of itself what comes then: `(until 2026-07-01; then: …)`.
fn says_again(other: &Candidate<'_>, known: &Candidate<'_>) -> bool {
    known.citable.text.contains(said_alone(other).trim_end_matches('.'))
        || share_in(&other.said, &known.said) > SAME_SHARE && !names_another(other, known)
}

/// Whether some values have one of the sort of another one that is none of theirs: minutes beside minutes.
fn has_another(values: &[Value], others: &[Value]) -> bool {
    let is_of_a_sort = |value: &&Value| value.sort != Sort::Name;
    let mut beside =
        values.iter().filter(is_of_a_sort).filter(|value| others.iter().any(|other| other.sort == value.sort));
    beside.any(|value| !others.iter().any(|other| value.is_same(other)))
}

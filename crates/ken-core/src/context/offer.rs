//! What is found for a task as rows by topic: the best of every topic, each thing once.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::Material;
use crate::index::IndexEntry;
use crate::search::close::{Said, share_in};
use crate::topic::Topics;

/// From so much of its words on a row says nothing that another does not.
const SAME_FROM: f32 = 0.9;
/// A row must score this share of the best to be worth its place.
const SHARE_MIN: f32 = 0.1;

/// A row that a brief for a task may have.
#[derive(Debug, Clone)]
pub struct Offer {
    /// Its topic, if that is sure.
    pub topic: Option<String>,
    /// What it scores, beside others of the same layer.
    pub score: f32,
    /// How it is shown: what is said, with what is told of that, and where it stands.
    pub row: String,
    /// Whether it stands on a page.
    is_page: bool,
    /// Whether it is of the personal vault, and comes behind what the project's says.
    is_behind: bool,
    said: Said,
}

impl Offer {
    /// Makes it one of the personal vault.
    pub fn stand_behind(&mut self) {
        self.is_behind = true;
        self.row = format!("(personal) {}", self.row);
    }

    fn order(&self, other: &Offer) -> Ordering {
        let behind = self.is_behind.cmp(&other.is_behind);
        behind.then(other.score.total_cmp(&self.score)).then_with(|| self.row.cmp(&other.row))
    }
}

/// Returns the units that say something of a question as rows, those that score best first.
///
/// `weight` says what the question counts beside others; `of_page` what the index says of a page.
pub fn offers(
    found: &[Material<'_>],
    said: &[Vec<Said>],
    (weight, topics): (f32, &Topics),
    of_page: &dyn Fn(&Material<'_>) -> Option<IndexEntry>,
) -> Vec<Offer> {
    let best = said.iter().flatten().map(|one| one.score).fold(0.0, f32::max);
    let mut out = Vec::new();
    for (one, units) in found.iter().zip(said) {
        let entry = of_page(one);
        let of_page = entry.as_ref().and_then(|entry| topics.of_page(entry));
        // An entry of the journal speaks of many things; what stands on a page speaks of that.
        let is_told = |said: &Said| entry.is_some() || said.times.iter().any(|n| *n > 0.0);
        let is_worth = |said: &Said| said.score > SHARE_MIN * best && is_told(said);
        for (unit, said) in units.iter().enumerate().filter(|(_, said)| is_worth(said)) {
            let text = one.units[unit].unit.span.of(one.text);
            let shown = one.shown(&BTreeSet::from([unit]));
            let row: Vec<String> =
                shown.iter().map(|(lines, shown)| placed(shown, one.path.as_str(), *lines)).collect();
            out.push(Offer {
                topic: topics.of(text).or(of_page).map(str::to_owned),
                score: weight * said.score / best,
                row: row.join("\n"),
                is_page: entry.is_some(),
                is_behind: false,
                said: said.clone(),
            });
        }
    }
    out.sort_by(Offer::order);
    out
}

/// Returns rows without those that say what a better one says. What a page says and the evidence too is told as the page
/// does, which knows how often it was said and what became of it.
pub fn each_once(mut offers: Vec<Offer>) -> Vec<Offer> {
    offers.sort_by(Offer::order);
    let mut out: Vec<Offer> = Vec::new();
    for offer in offers {
        let is_same = |known: &&mut Offer| {
            let shared = share_in(&offer.said, &known.said).max(share_in(&known.said, &offer.said));
            known.row == offer.row || !offer.said.words.is_empty() && shared > SAME_FROM
        };
        match out.iter_mut().find(is_same) {
            Some(known) if offer.is_page && !known.is_page && offer.is_behind == known.is_behind => {
                *known = Offer { score: known.score, ..offer }
            }
            Some(_) => {}
            None => out.push(offer),
        }
    }
    out
}

/// What is said, on one line or indented below the first, with its place.
fn placed(shown: &str, path: &str, (first, last): (usize, usize)) -> String {
    let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
    let said = shown.trim().trim_start_matches("- ").trim_start_matches("* ");
    // What is told of an item stands before its marker.
    let said = if said.starts_with('(') { said.replacen(") - ", ") ", 1) } else { said.to_owned() };
    format!("{} ({path}:{lines})", said.replace('\n', "\n  "))
}

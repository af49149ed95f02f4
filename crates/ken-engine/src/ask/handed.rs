//! What somebody is handed who writes an answer: the statements around what was found for the question, the best first, as
//! many as fit.
//!
//! An answer that is picked takes few sentences, and whoever reads it reads them all. An author reads much faster and finds
//! what is said in other words than it was asked with; so it is handed what counts far less, and by the statement, not by the
//! page: of a page that is about other things, too, the rest takes no room from what stands elsewhere.

use std::collections::BTreeSet;

use ken_core::Tokens;
use ken_core::answer::{Citable, Consulted};
use ken_core::budget::count;

use super::consult::{Consulting, Found, Place, without_orders};
use crate::engine::Engine;

/// Most tokens of statements that are handed over, and what stands around one: its id, its day, its heading.
const HANDED_TOKENS: Tokens = Tokens(4_000);
const AROUND_TOKENS: usize = 14;

impl Engine {
    /// Notes the statements of places that an author is handed, if there is one.
    pub(super) fn hand_over(&self, found: &mut Found, places: &[Place<'_>], consulting: &Consulting<'_>) {
        if !consulting.is_written {
            return;
        }
        let mut all: Vec<Consulted> = Vec::new();
        let mut weighed: Vec<(f32, usize, usize)> = Vec::new();
        for place in places {
            let is_filed = consulting.filed.contains_key(place.path) || consulting.own_page == Some(place.path);
            let consulted =
                if is_filed { None } else { self.consulted(place.path, place.title, place.date, &place.units) };
            let Some(mut one) = consulted else { continue };
            place.tell_all(&mut one, consulting.is_filed);
            // What is withheld is counted among what answers are picked from.
            without_orders(&mut one);
            weighed.extend(one.citables.iter().enumerate().map(|(m, citable)| (place.worth(citable), all.len(), m)));
            all.push(one);
        }
        weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let chosen = choose(&all, &weighed, consulting.budget.0.min(HANDED_TOKENS.0));
        for (n, one) in all.iter_mut().enumerate() {
            let mut m = 0..;
            one.citables.retain(|_| m.next().is_some_and(|m| chosen.contains(&(n, m))));
        }
        all.retain(|one| !one.citables.is_empty());
        found.handed = all;
    }
}

/// Which statements fit, the best first; one that stands in another, as an item does in what leads in its list, is not
/// handed over twice.
fn choose(all: &[Consulted], weighed: &[(f32, usize, usize)], mut n_left: usize) -> BTreeSet<(usize, usize)> {
    let mut chosen = BTreeSet::new();
    let mut told: Vec<&Citable> = Vec::new();
    for (_, n, m) in weighed {
        let one = &all[*n].citables[*m];
        let n_tokens = count(&one.text).0 + AROUND_TOKENS;
        let words = one.text.trim_end_matches('.');
        let is_told = |told: &&Citable| told.is_superseded == one.is_superseded && told.text.contains(words);
        if n_tokens <= n_left && !told.iter().any(is_told) {
            n_left -= n_tokens;
            chosen.insert((*n, *m));
            told.push(one);
        }
    }
    chosen
}

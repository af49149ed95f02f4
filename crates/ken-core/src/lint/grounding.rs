//! How many claims of a compiled page are borne out, as the rules about claims find it.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::citation::{Standings, stale_since, statements, uncited};
use super::ungrounded::Sources;
use crate::claim::{ClaimState, Mark, Standing};
use crate::path::VaultPath;
use crate::snapshot::{PageFacts, SourceText};

/// How many claims that hold are borne out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grounding {
    /// Their lines say what they say.
    pub grounded: usize,
    /// They cite nothing, or say what their lines do not: `uncited-claim`, `ungrounded-claim`.
    pub unverified: usize,
    /// What they cite stands there no longer, or the answer that they are of is stale: `citation-gone`, `stale-answer`.
    pub stale: usize,
}

impl AddAssign for Grounding {
    fn add_assign(&mut self, other: Grounding) {
        self.grounded += other.grounded;
        self.unverified += other.unverified;
        self.stale += other.stale;
    }
}

/// Counts the claims of pages.
pub struct Grounds<'a> {
    sources: Sources<'a>,
    standings: Standings<'a>,
}

impl<'a> Grounds<'a> {
    /// Returns what counts; `texts` holds every file that pages cite, and `is_page` says whether a page has a name.
    pub fn new(texts: &'a BTreeMap<VaultPath, SourceText>, is_page: &'a dyn Fn(&str) -> bool) -> Grounds<'a> {
        Grounds { sources: Sources::new(texts, is_page), standings: Standings::among(texts) }
    }

    /// Counts the claims of a page that hold; of a page of a person there is nothing to count.
    pub fn of(&mut self, facts: &PageFacts) -> Option<Grounding> {
        if !facts.entry.is_owned || facts.entry.redirect_to.is_some() {
            return None;
        }
        let is_stale = stale_since(facts).is_some();
        let mut out = Grounding::default();
        // What no longer holds is told with what holds now, and that is counted where it stands.
        for claim in statements(facts).filter(|claim| !claim.state.is_past()) {
            let mut is_gone =
                |mark: &Mark| mark.cited.as_ref().is_some_and(|cited| self.standings.of(cited).0 == Standing::Gone);
            if is_stale || claim.state == ClaimState::Stale || claim.own.iter().any(&mut is_gone) {
                out.stale += 1;
            } else if claim.state == ClaimState::Unverified
                || uncited(&claim).is_some()
                || !self.sources.missing(facts, &claim).is_empty()
            {
                out.unverified += 1;
            } else {
                out.grounded += 1;
            }
        }
        Some(out)
    }
}

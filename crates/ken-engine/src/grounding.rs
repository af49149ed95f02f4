//! Counts how many claims of pages are borne out by what they cite.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::SourceRef;
use ken_core::index::Catalog;
use ken_core::lint::{Grounding, Grounds};
use ken_core::parallel::long_in_parallel;
use ken_core::snapshot::{PageFacts, SourceText};
use ken_core::{Digest, Slug, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;

/// Pages that one thread counts before it takes others.
const PAGES_A_TURN: usize = 64;

impl Engine {
    /// Returns how many claims of each of some compiled pages are borne out, as `ken lint` finds it; nothing of pages of
    /// people, and nothing of a past day, since which sources may have changed.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn grounding(&self, pages: &[VaultPath]) -> Result<BTreeMap<VaultPath, Grounding>, Failure> {
        if self.is_of_then() {
            // No page is read for nothing.
            return Ok(BTreeMap::new());
        }
        let facts = |path: &VaultPath, bytes: Vec<u8>| Some(PageFacts::read(path, String::from_utf8(bytes).ok()?));
        let facts: Vec<PageFacts> = self.store.map_paths(pages, facts)?.into_iter().flatten().flatten().collect();
        self.grounding_of(&facts)
    }

    /// The same of pages that were read already: reading them again would hold all of them twice.
    pub(crate) fn grounding_of(&self, pages: &[PageFacts]) -> Result<BTreeMap<VaultPath, Grounding>, Failure> {
        if self.is_of_then() {
            return Ok(BTreeMap::new());
        }
        let owned: Vec<&PageFacts> = pages.iter().filter(|facts| facts.entry.is_owned).collect();
        let cited = |facts: &&PageFacts| -> Vec<VaultPath> {
            let notes = facts.footnotes.iter();
            notes.filter_map(|note| Some(SourceRef::parse(note.text.of(&facts.page.text))?.path)).collect()
        };
        let cited: Vec<VaultPath> = owned.iter().flat_map(cited).collect::<BTreeSet<_>>().into_iter().collect();
        let read = |path: &VaultPath, bytes: Vec<u8>| {
            let digest = Digest::of(&bytes);
            (path.clone(), SourceText::new(String::from_utf8(bytes).ok(), digest, None))
        };
        let texts: BTreeMap<VaultPath, SourceText> =
            self.store.map_paths(&cited, read)?.into_iter().flatten().collect();
        let catalog = self.catalog()?;
        let catalog: &dyn Catalog = catalog.as_ref();
        let n_turns = owned.len().div_ceil(PAGES_A_TURN);
        let counted = long_in_parallel(n_turns, |turn| {
            let is_page = |name: &str| Slug::from_text(name).is_some_and(|slug| catalog.find(&slug).is_some());
            let mut grounds = Grounds::new(&texts, &is_page);
            let of_turn = owned.iter().skip(turn * PAGES_A_TURN).take(PAGES_A_TURN);
            of_turn.filter_map(|facts| Some((facts.page.path.clone(), grounds.of(facts)?))).collect::<Vec<_>>()
        });
        Ok(counted.into_iter().flatten().collect())
    }
}

//! What pages lack, and which pages are wanted that are not there.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::header::FieldName;
use ken_core::lint::wanted;
use ken_core::markdown::{BlockKind, blocks};
use ken_core::page::outline::claim_spans;
use ken_core::snapshot::PageFacts;
use ken_core::{Category, IndexEntry, Slug, Snapshot, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;

/// What a page may lack, by which pages are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// It says hardly anything: fewer than thirty words, of a compiled page at most one claim.
    Stub,
    /// It cites what is gone or says otherwise by now.
    Stale,
    /// Claims on it cannot all be true.
    Disputed,
    /// No other page leads to it.
    Orphan,
    /// A person took it out of use, or it says itself that it is past.
    Retired,
}

/// A page that is not there, and who wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The name, as it is written first.
    pub name: String,
    /// How often it is named.
    pub n_times: usize,
    /// The pages that name it, each once.
    pub by: Vec<Slug>,
}

/// A page of a person's with fewer words is a stub.
const STUB_WORDS: usize = 30;

impl Engine {
    /// Returns the entries of pages that lack all of `lacks`, of one category or of all, sorted by slug. A redirect lacks
    /// nothing.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn list_lacking(&self, category: Option<Category>, lacks: &BTreeSet<Lack>) -> Result<Vec<IndexEntry>, Failure> {
        self.lacking(&self.snapshot_of_pages()?, category, lacks)
    }

    /// The same of pages that were read already.
    pub(crate) fn lacking(
        &self,
        snapshot: &Snapshot,
        category: Option<Category>,
        lacks: &BTreeSet<Lack>,
    ) -> Result<Vec<IndexEntry>, Failure> {
        let mut reached = vec![false; snapshot.pages.len()];
        for page_idx in 0..snapshot.pages.len() {
            snapshot.leads(page_idx).pages.iter().for_each(|target| reached[*target] = true);
        }
        let disputed = if lacks.contains(&Lack::Disputed) { self.disputed_pages()? } else { BTreeSet::new() };
        let stale = if lacks.contains(&Lack::Stale) { self.stale_pages(&snapshot.pages)? } else { BTreeSet::new() };
        let is_it = |facts: &PageFacts, page_idx: usize, lack: &Lack| match lack {
            Lack::Stub => is_stub(facts),
            Lack::Stale => stale.contains(&facts.page.path),
            Lack::Disputed => disputed.contains(&facts.page.path),
            Lack::Orphan => !reached[page_idx],
            Lack::Retired => facts.entry.past.is_some(),
        };
        let all = snapshot.pages.iter().enumerate();
        let found = all.filter(|(page_idx, facts)| {
            facts.entry.redirect_to.is_none()
                && category.is_none_or(|category| facts.entry.category == category)
                && lacks.iter().all(|lack| is_it(facts, *page_idx, lack))
        });
        let mut out: Vec<IndexEntry> = found.map(|(_, facts)| IndexEntry::of(&facts.page)).collect();
        out.sort_by(|a, b| (&a.slug, &a.path).cmp(&(&b.slug, &b.path)));
        Ok(out)
    }

    /// The pages of which something that they cite is gone or changed.
    fn stale_pages(&self, pages: &[PageFacts]) -> Result<BTreeSet<VaultPath>, Failure> {
        let says_so = pages.iter().filter(|facts| facts.page.scalar(FieldName::StaleSince).is_some());
        let mut out: BTreeSet<VaultPath> = says_so.map(|facts| facts.page.path.clone()).collect();
        let counted = self.grounding_of(pages)?.into_iter();
        out.extend(counted.filter(|(_, grounding)| grounding.stale > 0).map(|(path, _)| path));
        Ok(out)
    }

    /// Returns the names that links, relations and redirects lead to and that no page has, those named most first.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn targets(&self) -> Result<Vec<Wanted>, Failure> {
        let snapshot = self.snapshot()?;
        let mut found: BTreeMap<Slug, Wanted> = BTreeMap::new();
        for (page_idx, facts) in snapshot.pages.iter().enumerate() {
            for name in wanted(&snapshot, page_idx) {
                let last = name.rsplit('/').next().unwrap_or(&name);
                let Some(slug) = Slug::from_text(last.strip_suffix(".md").unwrap_or(last)) else { continue };
                let one =
                    found.entry(slug).or_insert_with(|| Wanted { name: name.clone(), n_times: 0, by: Vec::new() });
                one.n_times += 1;
                if one.by.last() != Some(&facts.entry.slug) {
                    one.by.push(facts.entry.slug.clone());
                }
            }
        }
        let mut out: Vec<Wanted> = found.into_values().collect();
        out.sort_by(|a, b| b.n_times.cmp(&a.n_times).then_with(|| a.name.cmp(&b.name)));
        Ok(out)
    }
}

/// Whether a page says hardly anything.
fn is_stub(facts: &PageFacts) -> bool {
    let (text, body) = (&facts.page.text, facts.page.body());
    if facts.entry.is_owned {
        return claim_spans(text, body).len() <= 1;
    }
    let said = blocks(text, body).filter(|block| !matches!(block.kind, BlockKind::Heading(_) | BlockKind::Comment));
    let words = said.flat_map(|block| block.span.of(text).split_whitespace());
    words.filter(|word| word.chars().any(char::is_alphanumeric)).take(STUB_WORDS).count() < STUB_WORDS
}

//! What the pages of persons say already: a page that names a file among its sources covers it.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::{Slug, VaultPath};

use super::ledger::{Key, Ledger};
use super::naming::{PageRecord, Pages};

/// The files that the person's page beside each page names as its sources, by the slug of that one.
pub(crate) type Covered = BTreeMap<String, BTreeSet<VaultPath>>;

pub(crate) fn covered(pages: &Pages<'_>, covered_by: &dyn Fn(&Slug) -> BTreeSet<VaultPath>) -> Covered {
    let beside: BTreeSet<&String> = pages.values().filter_map(|page| page.beside.as_ref()).collect();
    let files = |slug: &String| Some((slug.clone(), covered_by(&Slug::from_text(slug)?)));
    beside.into_iter().filter_map(files).filter(|(_, files)| !files.is_empty()).collect()
}

/// What the person's page beside a page covers.
pub(crate) fn cover_of<'c>(page: &PageRecord, covered: &'c Covered) -> Option<&'c BTreeSet<VaultPath>> {
    covered.get(page.beside.as_ref()?)
}

/// Whether the person's page beside a page covers a file.
pub(crate) fn covers(page: &PageRecord, covered: &Covered, path: &VaultPath) -> bool {
    cover_of(page, covered).is_some_and(|cover| cover.contains(path))
}

/// Whether something of a page stands in a file that the person's page beside it does not cover.
pub(crate) fn says_more(
    ledger: &Ledger,
    key: Key,
    page: &PageRecord,
    covered: &Covered,
    paths: &BTreeMap<u32, VaultPath>,
) -> bool {
    let Some(cover) = cover_of(page, covered) else { return true };
    let mut postings = ledger.leading_to(key).flat_map(|key| ledger.postings_of(key));
    postings.any(|posting| paths.get(&posting.file).is_some_and(|path| !cover.contains(path)))
}

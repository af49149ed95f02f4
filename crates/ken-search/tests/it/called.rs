//! The search index knows what pages are called as the catalog does.

use std::collections::BTreeSet;

use ken_core::search::{Partition, Terms};
use ken_core::{Catalog, Digest, Index, IndexEntry, Slug};
use ken_search::{Blob, Called, SegmentBuilder, Shelf, Stamp};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::entries;

/// A segment of pages of which only the names are known, sorted by path.
fn segment(mut entries: Vec<&IndexEntry>) -> Vec<u8> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let mut builder = SegmentBuilder::default();
    for entry in entries {
        let stamp = Stamp { path: entry.path.clone(), len: 1, mtime_ns: 7, digest: Digest::of(b"") };
        builder.add(&stamp, Partition::Pages, Vec::new(), Some(&Called::of(entry)));
    }
    builder.finish(&Terms::default())
}

fn shelf(segments: Vec<(Vec<u8>, Vec<u32>)>) -> Option<Shelf> {
    Shelf::open(segments.into_iter().map(|(bytes, dead)| (Box::new(bytes) as Box<dyn Blob>, dead)).collect())
}

/// Every name that one of the pages has, and one that none has.
fn names(entries: &[IndexEntry]) -> BTreeSet<Slug> {
    let all = entries.iter().flat_map(IndexEntry::names);
    all.chain(Slug::from_text("nobody is called so")).collect()
}

proptest! {
    #[test]
    fn a_name_leads_to_the_page_that_the_catalog_finds(
        entries in entries(),
        cut in any::<prop::sample::Index>(),
        dead in vec(any::<bool>(), 12),
    ) {
        let (first, second) = entries.split_at(cut.index(entries.len() + 1));
        let mut sorted: Vec<&IndexEntry> = first.iter().collect();
        sorted.sort_by(|a, b| a.path.cmp(&b.path));
        // What changed stands in the segment, and does not hold.
        let dead_files: Vec<u32> = (0..sorted.len() as u32).filter(|n| dead[*n as usize]).collect();
        let is_dead = |entry: &&IndexEntry| dead_files.iter().any(|n| sorted[*n as usize].path == entry.path);
        let alive: Vec<IndexEntry> = entries.iter().filter(|entry| !is_dead(entry)).cloned().collect();
        let index = Index::new(alive);
        let shelf = shelf(vec![(segment(first.iter().collect()), dead_files.clone()), (segment(second.iter().collect()), vec![])]);
        let shelf = shelf.expect("whole");
        for name in names(&entries) {
            let found = shelf.find_called(&name);
            let wanted = index.find(&name).map(|page_idx| index.entry(page_idx));
            let wanted = wanted.map(|entry| (entry.path.to_string(), Called::of(&entry)));
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn names_changed_anywhere_never_panic(entries in entries(), changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let mut bytes = segment(entries.iter().collect());
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(shelf) = shelf(vec![(bytes, Vec::new())]) {
            names(&entries).iter().for_each(|name| drop(shelf.find_called(name)));
        }
    }
}

#[test]
fn a_name_is_found_among_many_and_by_all_that_have_it() {
    let text = "---\ntitle: Page N\naliases: [Everybody]\n---\n";
    let page = |n: usize| {
        let path = ken_core::VaultPath::new(&format!("knowledge/{n:04}.md")).expect("inside");
        let text = text.replace('N', &n.to_string());
        IndexEntry::of(&ken_core::page::parse_page(&path, text).value)
    };
    let entries: Vec<IndexEntry> = (0..1_000).map(page).collect();
    let shelf = shelf(vec![(segment(entries.iter().collect()), (0..500).collect())]).expect("whole");
    let path = |name: &str| shelf.find_called(&Slug::from_text(name)?).map(|(path, _)| path);
    assert_eq!(path("Page 777"), Some("knowledge/0777.md".to_owned()));
    assert_eq!(path("Everybody"), Some("knowledge/0500.md".to_owned()));
    assert_eq!(path("Page 7"), None);
}

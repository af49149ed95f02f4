//! A damaged table may answer wrongly, but it always answers.

use ken_core::index::{HeaderTerms, entry_terms};
use ken_core::route::route;
use ken_core::search::Question;
use ken_core::{Catalog, IndexEntry, Slug, Tokens};
use ken_search::{Table, build};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::support::{self, refs};

/// Calls every method; returns whether the bytes were taken for a table at all.
fn exercise(bytes: Vec<u8>, entries: &[IndexEntry], question: &str) -> bool {
    let Some(table) = Table::open(bytes) else { return false };
    let n_pages = table.n_pages();
    assert_eq!(table.entries().count(), n_pages);
    assert_eq!(table.entry(u32::MAX).slug.as_str(), "damaged");
    for (term, _) in entries.iter().flat_map(|entry| entry_terms(entry, &mut HeaderTerms::default())) {
        assert!(table.lookup(&term).iter().all(|posting| (posting.page_idx as usize) < n_pages));
    }
    for name in entries.iter().flat_map(IndexEntry::names).chain(Slug::from_text("other")) {
        assert!(table.find(&name).is_none_or(|page_idx| (page_idx as usize) < n_pages));
    }
    let (stamps, folders): (Vec<_>, Vec<_>) = (table.stamps().collect(), table.folders().collect());
    table.matches_files(&mut stamps.iter().map(|stamp| (stamp.path.as_str(), stamp.len, stamp.mtime_ns)));
    table.matches_folders(&mut folders.iter().map(|folder| (folder.path.as_str(), folder.mtime_ns)));
    let route = route(&Question::in_every_language(question), &table, Tokens(1000));
    assert!(route.tokens <= Tokens(1000) && route.n_pages == n_pages);
    true
}

prop_compose! {
    fn built()(entries in support::entries(), stamps in support::stamps(), folders in support::folders())
        -> (Vec<IndexEntry>, Vec<u8>) {
        let bytes = build(&refs(&entries), &refs(&stamps), &folders);
        (entries, bytes)
    }
}

proptest! {
    #[test]
    fn bytes_changed_anywhere_never_panic(
        (entries, mut bytes) in built(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        question in support::question(),
    ) {
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        exercise(bytes, &entries, &question);
    }

    #[test]
    fn a_whole_head_and_tail_around_noise_never_panics(
        (entries, mut bytes) in built(),
        noise in vec(any::<u8>(), 1..64),
        question in support::question(),
    ) {
        let (head_len, tail_len) = (44, 12);
        let end = bytes.len() - tail_len;
        bytes[head_len..end].iter_mut().zip(noise.iter().cycle()).for_each(|(byte, noise)| *byte = *noise);
        prop_assert!(exercise(bytes, &entries, &question));
    }

    #[test]
    fn a_cut_or_foreign_file_is_no_table(
        (entries, bytes) in built(),
        cut in any::<prop::sample::Index>(),
        other in vec(any::<u8>(), 0..200),
    ) {
        prop_assert!(!exercise(bytes[..cut.index(bytes.len())].to_vec(), &entries, ""));
        prop_assert!(!exercise(other, &entries, ""));
    }
}

#[test]
fn every_single_byte_may_be_wrong() {
    let mut runner = TestRunner::deterministic();
    let built = built().prop_filter("some pages", |(entries, _)| entries.len() > 3);
    let (entries, whole) = built.new_tree(&mut runner).expect("a table can be made").current();
    let question = format!("{} {}", entries[0].title, entries[1].title);
    let mut n_opened = 0;
    for at in 0..whole.len() {
        for change in [0x01, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            n_opened += usize::from(exercise(bytes, &entries, &question));
        }
    }
    assert!(n_opened > whole.len() / 2, "most single changes leave head and tail whole");
}

#[test]
fn a_damaged_record_reads_as_a_damaged_page() {
    let mut runner = TestRunner::deterministic();
    let built = built().prop_filter("some pages", |(entries, _)| !entries.is_empty());
    let (_, mut bytes) = built.new_tree(&mut runner).expect("a table can be made").current();
    let n_pages = Table::open(bytes.clone()).map(|table| table.n_pages());
    let end = bytes.len() - 12;
    bytes[44..end].fill(0xff);
    let table = Table::open(bytes).expect("head and tail are whole");
    assert_eq!(Some(table.n_pages()), n_pages);
    assert!(table.entries().all(|entry| entry.slug.as_str() == "damaged" && entry.title.is_empty()));
}

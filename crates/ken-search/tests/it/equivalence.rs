//! A table answers as the index in memory does.

use ken_core::index::{HeaderTerms, entry_terms};
use ken_core::route::route;
use ken_core::search::Question;
use ken_core::{Catalog, Index, IndexEntry, Slug, Tokens};
use ken_search::{Said, Table, build, rebuild};
use proptest::prelude::*;

use crate::support::{self, refs};

fn both(entries: &[IndexEntry]) -> (Table, Index) {
    let table = Table::open(build(&refs(entries), &[], &[])).expect("a table was just built");
    (table, Index::new(entries.to_vec()))
}

/// Every name that anything in the entry could be looked up by.
fn names(entry: &IndexEntry) -> Vec<Slug> {
    let targets = entry.high.iter().chain(&entry.mid).map(|relation| &relation.target).chain(&entry.redirect_to);
    entry.names().into_iter().chain(targets.filter_map(|target| Slug::from_text(target))).collect()
}

proptest! {
    #[test]
    fn entries_read_back_equal(entries in support::entries()) {
        let (table, index) = both(&entries);
        prop_assert_eq!(table.n_pages(), index.n_pages());
        prop_assert_eq!(table.entries().collect::<Vec<_>>(), index.entries());
    }

    #[test]
    fn every_term_is_found_where_it_stands(entries in support::entries(), other in "\\PC{0,6}") {
        let (table, index) = both(&entries);
        for (term, _) in entries.iter().flat_map(|entry| entry_terms(entry, &mut HeaderTerms::default())) {
            prop_assert_eq!(table.lookup(&term), index.lookup(&term), "{}", term);
        }
        prop_assert_eq!(table.lookup(&other), index.lookup(&other));
    }

    #[test]
    fn every_name_means_the_same_page(entries in support::entries(), other in "[a-z]{1,6}") {
        let (table, index) = both(&entries);
        for name in entries.iter().flat_map(names).chain(Slug::from_text(&other)) {
            prop_assert_eq!(table.find(&name), index.find(&name), "{}", name);
        }
    }

    #[test]
    fn routes_are_the_same(
        entries in support::entries(),
        questions in proptest::collection::vec(support::question(), 4),
        budget in 0_usize..4000,
    ) {
        let (table, index) = both(&entries);
        for page_idx in 0..index.n_pages() as u32 {
            prop_assert_eq!(table.updated(page_idx), index.updated(page_idx));
            let entry = index.entry(page_idx);
            prop_assert_eq!(table.names_of(page_idx, &entry.path), Some(entry.names()));
        }
        for question in &questions {
            let query = Question::in_every_language(question);
            let (got, expected) = (route(&query, &table, Tokens(budget)), route(&query, &index, Tokens(budget)));
            prop_assert_eq!(got, expected, "{}", question);
        }
    }

    #[test]
    fn building_from_an_older_table_gives_the_same_bytes(
        before in support::entries(),
        after in support::entries(),
        changed in proptest::collection::vec(proptest::bool::ANY, 64),
    ) {
        // Some entries stay, some change, some go, some come.
        let mut entries: std::collections::BTreeMap<_, _> = after.into_iter().map(|entry| (entry.path.clone(), entry)).collect();
        let kept = before.iter().zip(&changed).filter(|(_, changed)| !**changed).map(|(entry, _)| entry.clone());
        entries.extend(kept.map(|entry| (entry.path.clone(), entry)));
        let entries: Vec<IndexEntry> = entries.into_values().collect();
        let old = both(&before).0;
        let said = |entry: &'_ IndexEntry| {
            let n = old.paths().position(|path| path == Some(entry.path.as_str()));
            n.map(|n| n as u32).filter(|n| old.entry(*n) == *entry)
        };
        let pages = entries.iter().map(|entry| (&entry.path, said(entry).map_or(Said::Now(entry, Tokens(0)), Said::AsBefore)));
        let rebuilt = rebuild(Some(&old), pages.collect(), &[], &[]);
        prop_assert_eq!(rebuilt, build(&refs(&entries), &[], &[]));
    }

    #[test]
    fn the_order_of_the_input_does_not_change_the_bytes(
        entries in support::entries(),
        stamps in support::stamps(),
        folders in support::folders(),
    ) {
        let (mut e, mut s, mut f) = (entries.clone(), stamps.clone(), folders.clone());
        e.reverse();
        s.reverse();
        f.reverse();
        prop_assert_eq!(build(&refs(&entries), &refs(&stamps), &folders), build(&refs(&e), &refs(&s), &f));
    }
}

#[test]
fn a_vault_without_pages_is_a_table_too() {
    let (table, _) = both(&[]);
    assert_eq!((table.n_pages(), table.entries().count(), table.lookup("token")), (0, 0, Vec::new()));
    assert_eq!(table.find(&Slug::from_text("token").expect("a word is a slug")), None);
}

//! What ended although no page says both that it was so and what came instead.
//!
//! A page finds what no longer holds among the statements about its subject. Most of what is named has no page, and a note
//! need name nothing that could have one. So statements that share such a name, or the label of a note, are looked at
//! together, too, where one of them says that something changed.

use std::collections::BTreeSet;

use super::corpus::Corpus;
use super::drafter::{Drafter, as_told};
use super::ledger::{Key, Ledger, PassageId, Posting, Successor, flag};
use crate::account::found;
use crate::compose::Statement;

/// What more entries share is said of many things.
const ENTRIES_MAX: usize = 40;

/// Returns those of the keys that statements share of which one may have ended, and that have no page; of all keys where
/// none are given.
pub(crate) fn shared(ledger: &Ledger, keys: Option<&BTreeSet<Key>>, subjects: &BTreeSet<Key>) -> BTreeSet<Key> {
    let is_shared = |postings: &[Posting]| {
        let ends = |posting: &Posting| posting.flags & (flag::ENDS | flag::LABEL) != 0;
        let n_entries = postings.len();
        (2..=ENTRIES_MAX).contains(&n_entries)
            && postings.iter().any(ends)
            && !subjects.contains(&ledger.page_of(postings[0].key))
    };
    match keys {
        Some(keys) => keys.iter().copied().filter(|key| is_shared(ledger.postings_of(*key))).collect(),
        None => ledger.shared_keys(is_shared),
    }
}

/// Returns what of the statements that share a key no longer holds.
pub(crate) fn ended(key: Key, drafter: &Drafter<'_>) -> Vec<(PassageId, Successor)> {
    let statements: Vec<Statement> = drafter
        .names
        .ledger
        .postings_of(key)
        .iter()
        .flat_map(|posting| passages(key, posting, drafter.corpus))
        .filter_map(|id| drafter.passage(id))
        .filter_map(as_told)
        .collect();
    if statements.len() < 2 { Vec::new() } else { found(&statements).replaced }
}

/// The passages of an entry that share a key.
fn passages(key: Key, posting: &Posting, corpus: &Corpus) -> Vec<PassageId> {
    let Some(known) = corpus.entry(posting.file, posting.entry) else { return Vec::new() };
    let id = |nth: u16| PassageId { file: posting.file, entry: posting.entry, nth };
    known.beyond(key).map(id).collect()
}

//! The entries of all files in a row, and the subjects that share one.

use std::collections::BTreeSet;

use super::{Key, Ledger, Posting};

/// The entries of all files in a row, so that what is noted of each needs no tree.
#[derive(Default)]
pub(super) struct EntryPlaces {
    /// Per file the number of its first entry.
    first: Vec<usize>,
    pub(super) n_entries: usize,
}

impl EntryPlaces {
    /// Returns the number of a posting's entry.
    pub(super) fn of(&self, posting: &Posting) -> usize {
        self.first[posting.file as usize] + usize::from(posting.entry)
    }
}

impl Ledger {
    /// Returns the subjects that share an entry with one of `keys`, and the keys themselves.
    pub fn neighbours(&self, keys: &BTreeSet<Key>) -> BTreeSet<Key> {
        if keys.is_empty() {
            return BTreeSet::new();
        }
        let leading = keys.iter().flat_map(|key| self.leading_to(*key));
        let places = self.entry_places();
        let mut is_near = vec![false; places.n_entries];
        for posting in leading.flat_map(|key| self.postings_of(key)) {
            is_near[places.of(posting)] = true;
        }
        let near = self.postings.iter().filter(|posting| is_near[places.of(posting)]);
        let mut out: BTreeSet<Key> = near.map(|posting| posting.key).collect();
        out.extend(keys);
        self.pages_of(&out)
    }

    /// Returns how entries are numbered in a row.
    pub(super) fn entry_places(&self) -> EntryPlaces {
        let mut places = EntryPlaces::default();
        for file in self.files.values() {
            let id = file.id as usize;
            places.first.resize(places.first.len().max(id + 1), 0);
            places.first[id] = places.n_entries;
            places.n_entries += file.entries.len();
        }
        places
    }
}

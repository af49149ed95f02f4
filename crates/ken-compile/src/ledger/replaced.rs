//! Which passages no longer hold, as the pages found on which they stand.
//!
//! A page decides by what is said of its own subject. What it finds holds on every page that quotes the same passage: one
//! that says the old and knows nothing of the new would tell it as true. What a page finds comes from its own statements
//! alone, so that the order of compiles does not matter.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::{Date, VaultPath};
use serde::{Deserialize, Serialize};

use super::{Key, Ledger};

/// A passage of an entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PassageId {
    /// The file, by its number in the ledger.
    pub file: u32,
    /// The entry's position in the file.
    pub entry: u16,
    /// The passage's position in the entry.
    pub nth: u16,
}

/// What took the place of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Successor {
    /// The passage that says so.
    pub by: PassageId,
    /// The day from which it holds.
    pub from: Option<Date>,
}

/// What each page found.
pub type Found = BTreeMap<Key, Vec<(PassageId, Successor)>>;

/// What all pages found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replaced {
    /// Per passage what took its place, with the page that found it; the first to be said first.
    found: BTreeMap<PassageId, Vec<(Key, Successor)>>,
}

impl Replaced {
    /// Returns what the pages found as one.
    pub fn of(found: &Found, paths: &BTreeMap<u32, VaultPath>) -> Replaced {
        let mut out = Replaced::default();
        for (key, replaced) in found {
            replaced.iter().for_each(|(old, new)| out.found.entry(*old).or_default().push((*key, *new)));
        }
        for of_passage in out.found.values_mut() {
            of_passage.sort_by_key(|(key, new)| (paths.get(&new.by.file), new.by.entry, new.by.nth, *key));
        }
        out
    }

    /// Returns what took the place of a passage on a page: what the page found itself, else the first to be said. A passage
    /// that says two things may have lost both.
    pub fn on(&self, page: Key, id: PassageId) -> Option<Successor> {
        let found = self.found.get(&id)?;
        found.iter().find(|(key, _)| *key == page).or(found.first()).map(|(_, new)| *new)
    }

    /// Returns what took the place of a passage on a page, what took the place of that, and so on.
    pub fn chain(&self, page: Key, id: PassageId) -> impl Iterator<Item = PassageId> {
        let next = move |new: &Successor| self.on(page, new.by);
        // Ends also where damaged input runs in a circle.
        std::iter::successors(self.on(page, id), next).map(|new| new.by).take(self.found.len())
    }

    /// Returns every passage that may stand in the chain of one, on whichever page.
    pub fn reach(&self, id: PassageId) -> BTreeSet<PassageId> {
        let (mut out, mut open) = (BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            let next = self.found.get(&id).into_iter().flatten().map(|(_, new)| new.by);
            open.extend(next.filter(|by| out.insert(*by)));
        }
        out
    }

    /// Returns the passages of an entry whose place was taken.
    pub fn of_entry(&self, (file, entry): (u32, u16)) -> impl Iterator<Item = PassageId> {
        let place = |nth: u16| PassageId { file, entry, nth };
        self.found.range(place(0)..=place(u16::MAX)).map(|(id, _)| *id)
    }

    /// Returns the passages of which something else is known in `other`, or of what took their place.
    pub fn changed(&self, other: &Replaced) -> BTreeSet<PassageId> {
        let all = || self.found.keys().chain(other.found.keys()).copied();
        let own: BTreeSet<PassageId> = all().filter(|id| self.found.get(id) != other.found.get(id)).collect();
        if own.is_empty() {
            return own;
        }
        let leads_there = |id: &PassageId| self.reach(*id).iter().chain(&other.reach(*id)).any(|by| own.contains(by));
        all().filter(|id| own.contains(id) || leads_there(id)).collect()
    }
}

impl Ledger {
    /// Returns the pages that may quote one of these passages.
    pub fn quoting(&self, passages: &BTreeSet<PassageId>) -> BTreeSet<Key> {
        if passages.is_empty() {
            return BTreeSet::new();
        }
        let entries: BTreeSet<(u32, u16)> = passages.iter().map(|id| (id.file, id.entry)).collect();
        let is_there = |posting: &&super::Posting| entries.contains(&(posting.file, posting.entry));
        self.pages_of(&self.postings.iter().filter(is_there).map(|posting| posting.key).collect())
    }
}

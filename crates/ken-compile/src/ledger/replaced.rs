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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PassageId {
    /// The file, by its number in the ledger.
    pub file: u32,
    /// The entry's position in the file.
    pub entry: u16,
    /// The passage's position in the entry.
    pub nth: u16,
}

/// What took the place of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Successor {
    /// The passage that says so.
    pub by: PassageId,
    /// The day from which it holds.
    pub from: Option<Date>,
}

/// Two passages that cannot both be true, the smaller first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PairOf {
    /// Them.
    pub of: (PassageId, PassageId),
    /// Whether somebody settled that both hold.
    pub is_settled: bool,
}

impl PairOf {
    /// Returns the pair of two passages.
    pub fn of(a: PassageId, b: PassageId, is_settled: bool) -> PairOf {
        PairOf { of: (a.min(b), a.max(b)), is_settled }
    }
}

/// What each page found to be disputed, or settled.
pub type FoundDisputes = BTreeMap<Key, Vec<PairOf>>;

/// What each page found.
pub type Found = BTreeMap<Key, Vec<(PassageId, Successor)>>;

/// What all pages found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replaced {
    /// Per passage what took its place, with the page that found it; the first to be said first.
    found: BTreeMap<PassageId, Vec<(Key, Successor)>>,
    /// Per passage what it cannot be true beside, as some page found and none settled.
    against: BTreeMap<PassageId, BTreeSet<PassageId>>,
}

impl Replaced {
    /// Returns what the pages found as one.
    pub fn from_pages(found: &Found, paths: &BTreeMap<u32, VaultPath>) -> Replaced {
        let mut in_order: Vec<(&VaultPath, u32)> = paths.iter().map(|(file, path)| (path, *file)).collect();
        in_order.sort_unstable();
        let ranks: BTreeMap<u32, usize> = in_order.iter().zip(1..).map(|((_, file), rank)| (*file, rank)).collect();
        let place = |by: PassageId| (ranks.get(&by.file).copied(), by.entry, by.nth);
        let all = found.iter().flat_map(|(key, replaced)| replaced.iter().map(move |(old, new)| (*old, (*key, *new))));
        let mut all: Vec<(PassageId, (Key, Successor))> = all.collect();
        all.sort_by_cached_key(|(old, (key, new))| (*old, place(new.by), *key));
        let of_passages = all.chunk_by(|a, b| a.0 == b.0);
        let of_passage = |all: &[(PassageId, (Key, Successor))]| (all[0].0, all.iter().map(|(_, one)| *one).collect());
        Replaced { found: of_passages.map(of_passage).collect(), against: BTreeMap::new() }
    }

    /// Returns the same with what the pages found to be disputed.
    pub fn with_disputes(mut self, found: &FoundDisputes) -> Replaced {
        let all = || found.values().flatten();
        let settled: BTreeSet<_> = all().filter(|pair| pair.is_settled).map(|pair| pair.of).collect();
        for (a, b) in all().map(|pair| pair.of).filter(|of| !settled.contains(of)) {
            self.against.entry(a).or_default().insert(b);
            self.against.entry(b).or_default().insert(a);
        }
        self
    }

    /// Returns the same with passages that say again what another one does: what took its place, took theirs.
    pub fn with_echoes(mut self, echoes: Vec<(PassageId, PassageId)>) -> Replaced {
        for (id, of) in echoes {
            let of = self.found.get(&of).cloned().unwrap_or_default();
            let found = self.found.entry(id).or_default();
            found.extend(of.into_iter().filter(|(_, new)| new.by != id));
        }
        self
    }

    /// Returns everything that took the place of a passage, or of a part of it.
    pub fn of(&self, id: PassageId) -> impl Iterator<Item = PassageId> {
        let by: BTreeSet<PassageId> = self.found.get(&id).into_iter().flatten().map(|(_, new)| new.by).collect();
        by.into_iter()
    }

    /// Returns the passages of an entry that no longer hold, each with what took its place first.
    pub fn of_entry(&self, (file, entry): (u32, u16)) -> impl Iterator<Item = (PassageId, PassageId)> {
        let place = |nth: u16| PassageId { file, entry, nth };
        let found = self.found.range(place(0)..=place(u16::MAX));
        found.filter_map(|(id, found)| Some((*id, found.first()?.1.by)))
    }

    /// Returns what a passage cannot be true beside.
    pub fn against(&self, id: PassageId) -> impl Iterator<Item = PassageId> {
        self.against.get(&id).into_iter().flatten().copied()
    }

    /// Returns what took the place of a passage on a page: what the page found itself, else the first to be said. A passage
    /// that says two things may have lost both.
    pub fn on(&self, page: Key, id: PassageId) -> Option<Successor> {
        let found = self.found.get(&id)?;
        found.iter().find(|(key, _)| *key == page).or(found.first()).map(|(_, new)| *new)
    }

    /// Returns every passage that no longer holds with what took its place, as the first page found it.
    pub fn all(&self) -> impl Iterator<Item = (PassageId, Successor)> {
        self.found.iter().filter_map(|(id, found)| Some((*id, found.first()?.1)))
    }

    /// Returns what took the place of a passage on a page, what took the place of that, and so on.
    pub fn chain(&self, page: Key, id: PassageId) -> impl Iterator<Item = PassageId> {
        let next = move |new: &Successor| self.on(page, new.by);
        // Ends also where damaged input runs in a circle.
        std::iter::successors(self.on(page, id), next).map(|new| new.by).take(self.found.len())
    }

    /// Returns every passage that may stand in the chain of one, on whichever page.
    pub fn reach(&self, id: PassageId) -> BTreeSet<PassageId> {
        let mut out = BTreeSet::new();
        let next = |id: PassageId| self.found.get(&id).into_iter().flatten().map(|(_, new)| new.by);
        // Of most there is nothing.
        let mut open: Vec<PassageId> = next(id).collect();
        while let Some(id) = open.pop() {
            if out.insert(id) {
                open.extend(next(id));
            }
        }
        out
    }

    /// The passages in whose chains one of these may stand, on whichever page.
    fn leading_to(&self, passages: &BTreeSet<PassageId>) -> BTreeSet<PassageId> {
        let steps = self.found.iter().flat_map(|(id, found)| found.iter().map(move |(_, new)| (new.by, *id)));
        let mut steps: Vec<(PassageId, PassageId)> = steps.collect();
        steps.sort_unstable();
        let (mut out, mut open) = (BTreeSet::new(), passages.iter().copied().collect::<Vec<_>>());
        while let Some(id) = open.pop() {
            let start = steps.partition_point(|(by, _)| *by < id);
            let before = steps[start..].iter().take_while(|(by, _)| *by == id);
            open.extend(before.map(|(_, old)| *old).filter(|old| out.insert(*old)));
        }
        out
    }

    /// Notes what says something else than a passage: what took its place, and what it cannot be true beside, with what took
    /// the place of that.
    pub fn note_beside(&self, id: PassageId, out: &mut BTreeSet<PassageId>) {
        out.extend(self.reach(id));
        for other in self.against(id) {
            out.insert(other);
            out.extend(self.reach(other));
        }
    }

    /// Returns the passages of which something else is known in `other`, or of what took their place.
    pub fn changed(&self, other: &Replaced) -> BTreeSet<PassageId> {
        let own = differing(&self.found, &other.found);
        let both = || self.against.keys().chain(other.against.keys()).copied();
        let disputed = differing(&self.against, &other.against);
        if own.is_empty() {
            return disputed;
        }
        let leading = [self.leading_to(&own), other.leading_to(&own)];
        // What became of one side is told beside the other.
        let beside_it =
            both().filter(|id| self.against(*id).chain(other.against(*id)).any(|other| own.contains(&other)));
        let beside_it: Vec<PassageId> = beside_it.collect();
        own.into_iter().chain(leading.into_iter().flatten()).chain(disputed).chain(beside_it).collect()
    }
}

/// The keys that have something else in one map than in the other, or stand in one of them only.
fn differing<V: PartialEq>(a: &BTreeMap<PassageId, V>, b: &BTreeMap<PassageId, V>) -> BTreeSet<PassageId> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut out = BTreeSet::new();
    // Both are in order, and most of them is the same.
    while let Some(id) = a.peek().into_iter().chain(b.peek()).map(|(id, _)| **id).min() {
        let (one, other) = (a.next_if(|(known, _)| **known == id), b.next_if(|(known, _)| **known == id));
        if one != other {
            out.insert(id);
        }
    }
    out
}

impl Ledger {
    /// Returns the files of the pages on which something disputed may stand.
    pub fn disputing(&self) -> BTreeSet<String> {
        let pairs = self.disputed.values().flatten().filter(|pair| !pair.is_settled);
        let keys = self.quoting(&pairs.flat_map(|pair| [pair.of.0, pair.of.1]).collect());
        keys.iter().filter_map(|key| self.pages.get(key)).map(|page| page.path.clone()).collect()
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_a_passage_is_what_reaches_it() {
        let id = |n: u64| PassageId { file: n as u32 % 12, entry: 0, nth: 0 };
        for seed in 1..200_u64 {
            // Chains, forks, and the circles of damaged input.
            let step = |n: u64| (seed * 7919 + n * n * 104_729 + n * 31) >> 3;
            let new = |n: u64| Successor { by: id(step(n + 50)), from: None };
            let found = Found::from([(1, (0..8 + seed % 8).map(|n| (id(step(n)), new(n))).collect())]);
            let replaced = Replaced::from_pages(&found, &BTreeMap::new());
            let own = BTreeSet::from([id(seed), id(seed / 3 + 5)]);
            let reaching = (0..12).map(id).filter(|id| !replaced.reach(*id).is_disjoint(&own));
            assert_eq!(replaced.leading_to(&own), reaching.collect(), "{found:?}");
        }
    }
}

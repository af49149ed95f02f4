//! Reads the entries that pages and roll-ups are made from, each once.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::VaultPath;

use crate::beyond::shared;
use crate::corpus::{Corpus, Known};
use crate::echoes::{may_echo, with_echoes};
use crate::ledger::{Key, Ledger, PassageId, Replaced};

/// Entries of files by their numbers.
pub type Entries = Vec<(VaultPath, Vec<(u16, Known)>)>;

/// Where entries are read from.
pub trait Source {
    /// Why they could not be read.
    type Failure;

    /// Returns entries of files by their numbers, as [`known_entries`](crate::corpus::known_entries) makes them.
    ///
    /// # Errors
    /// When a file cannot be read; one that is gone has no entries.
    fn entries(
        &self,
        wanted: &BTreeMap<&VaultPath, BTreeSet<u16>>,
        subjects: &BTreeSet<Key>,
        ledger: &Ledger,
    ) -> Result<Entries, Self::Failure>;
}

/// Reads entries that are not known yet.
pub(crate) struct Loader<'a, S> {
    pub(crate) source: &'a S,
    pub(crate) ledger: &'a Ledger,
    pub(crate) subjects: &'a BTreeSet<Key>,
    pub(crate) paths: &'a BTreeMap<u32, VaultPath>,
    pub(crate) corpus: Corpus,
}

impl<S: Source> Loader<'_, S> {
    /// Reads every entry that mentions one of `keys`.
    pub(crate) fn of_pages(&mut self, keys: &BTreeSet<Key>) -> Result<(), S::Failure> {
        let entries: Vec<(u32, u16)> = self.quoted(keys).collect();
        self.load(entries)
    }

    /// Reads every entry that has one of the keys, of those that may differ, of which something may have ended although
    /// they have no page; returns them.
    pub(crate) fn of_shared(
        &mut self,
        keys: Option<BTreeSet<Key>>,
        subjects: &BTreeSet<Key>,
    ) -> Result<BTreeSet<Key>, S::Failure> {
        let ledger = self.ledger;
        let shared = shared(ledger, keys.as_ref(), subjects);
        let postings = shared.iter().flat_map(|key| ledger.postings_of(*key));
        self.load(postings.map(|posting| (posting.file, posting.entry)))?;
        Ok(shared)
    }

    /// Reads the entries that say what took the place of something that stands on the pages of `keys`, or disputes it; the
    /// entries that those quote are known.
    fn of_successors(&mut self, keys: &BTreeSet<Key>, replaced: &Replaced) -> Result<(), S::Failure> {
        let mut beside = BTreeSet::new();
        for key in keys {
            for (file, entry) in self.quoted_by(*key) {
                let Some(known) = self.corpus.entry(file, entry) else { continue };
                let own = known.passages_of(*key).map(|nth| PassageId { file, entry, nth: nth as u16 });
                own.for_each(|id| replaced.note_beside(id, &mut beside));
            }
        }
        self.load(beside.into_iter().map(|id| (id.file, id.entry)))
    }

    /// Reads all that says what became of something on the pages of `keys`, whose entries are known; returns what is known of
    /// that with its echoes there.
    pub(crate) fn of_all_beside(&mut self, keys: &BTreeSet<Key>, replaced: Replaced) -> Result<Replaced, S::Failure> {
        let quoted: BTreeSet<(u32, u16)> = self.quoted(keys).collect();
        self.of_echoed(quoted.iter().copied(), &replaced)?;
        let replaced = with_echoes(replaced, &quoted, &self.corpus);
        self.of_successors(keys, &replaced)?;
        Ok(replaced)
    }

    /// Reads the entries of passages, with what took the place of what may be echoed there.
    pub(crate) fn of_passages(&mut self, ids: &BTreeSet<PassageId>, replaced: &Replaced) -> Result<(), S::Failure> {
        let entries: BTreeSet<(u32, u16)> = ids.iter().map(|id| (id.file, id.entry)).collect();
        self.load(entries.iter().copied())?;
        self.of_echoed(entries, replaced)
    }

    /// Reads what took the place of passages of entries in which others may say the same; the entries are known.
    fn of_echoed(
        &mut self,
        entries: impl IntoIterator<Item = (u32, u16)>,
        replaced: &Replaced,
    ) -> Result<(), S::Failure> {
        let is_echoing = |(file, entry): &(u32, u16)| self.corpus.entry(*file, *entry).is_some_and(may_echo);
        let by = entries.into_iter().filter(is_echoing).flat_map(|entry| replaced.of_entry(entry)).map(|(_, by)| by);
        let by: BTreeSet<(u32, u16)> = by.map(|by| (by.file, by.entry)).collect();
        self.load(by)
    }

    /// The entries that pages quote.
    pub(crate) fn quoted(&self, keys: &BTreeSet<Key>) -> impl Iterator<Item = (u32, u16)> {
        keys.iter().flat_map(|key| self.quoted_by(*key))
    }

    fn quoted_by(&self, key: Key) -> impl Iterator<Item = (u32, u16)> {
        let postings = self.ledger.leading_to(key).flat_map(|key| self.ledger.postings_of(key));
        postings.map(|posting| (posting.file, posting.entry))
    }

    pub(crate) fn load(&mut self, entries: impl IntoIterator<Item = (u32, u16)>) -> Result<(), S::Failure> {
        let mut wanted: BTreeMap<&VaultPath, BTreeSet<u16>> = BTreeMap::new();
        let mut numbers: BTreeMap<&VaultPath, u32> = BTreeMap::new();
        for (file, entry) in entries.into_iter().filter(|(file, entry)| self.corpus.entry(*file, *entry).is_none()) {
            if let Some(path) = self.paths.get(&file) {
                wanted.entry(path).or_default().insert(entry);
                numbers.insert(path, file);
            }
        }
        for (path, entries) in self.source.entries(&wanted, self.subjects, self.ledger)? {
            if let Some(file) = numbers.get(&path) {
                self.corpus.add(*file, entries);
            }
        }
        Ok(())
    }
}

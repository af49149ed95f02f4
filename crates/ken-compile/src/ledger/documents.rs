//! The pages of documents: what leads to them, and what documents mention.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::VaultPath;
use ken_core::words::subject_key;

use super::{Key, Ledger, flag, key_hash};
use crate::document::Linked;
use crate::passage::Entry;

/// How documents are found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Documents {
    /// The first pages of the documents that are called so.
    called: BTreeMap<Key, Vec<Key>>,
    /// The pages that were adopted, by their other names.
    adopted: BTreeMap<Key, Vec<Key>>,
    /// The pages of the documents of which is told how they changed.
    changed: BTreeMap<Key, Vec<Key>>,
    /// Per page: what else leads to it, by its document and by names that its subject had.
    leading: BTreeMap<Key, Vec<Key>>,
}

impl Documents {
    /// The first page of the one document that is called so.
    pub(super) fn named(&self, key: Key) -> Option<Key> {
        let called = self.called.get(&key).or_else(|| self.adopted.get(&key));
        called.filter(|parts| parts.len() == 1).map(|parts| parts[0])
    }
}

/// The key of a page of a document.
pub fn part_key(path: &VaultPath, part: &str) -> String {
    format!("document {path} {part}")
}

/// The keys of the pages of a document.
pub(super) fn pages_of(entry: &Entry) -> Vec<Key> {
    entry.parts.iter().map(|part| key_hash(&part_key(&entry.path, part))).collect()
}

/// The first page of a document; 0 for none.
pub(super) fn first(parts: &[Key]) -> Key {
    parts.first().copied().unwrap_or_default()
}

/// The key of a link to a document: whoever has it is made again when the document's page comes, goes or moves.
pub(super) fn place_key(path: &str) -> String {
    format!("place {path}")
}

/// The key of what is told of how a document changed: it leads to all of its pages.
pub(super) fn changes_key(path: &str) -> String {
    format!("changes {path}")
}

/// Notes what a document mentions: its own pages, what it is called, and where its links lead. What else it speaks
/// of stands on its own pages, and makes no others.
pub(super) fn add_document(entry: &Entry, add: &mut impl FnMut(&str, u8, u16)) {
    let places = || entry.passages.iter().filter_map(|passage| Some((passage, passage.place.as_deref()?)));
    let mut n_passages = vec![0; entry.parts.len()];
    places().for_each(|(_, place)| n_passages[place.part] += 1);
    // What a model read of it stands on its first page.
    if let Some(first) = n_passages.first_mut() {
        *first = usize::max(*first, usize::from(!entry.passages.is_empty()));
    }
    for (part, n_passages) in entry.parts.iter().zip(n_passages) {
        add(&part_key(&entry.path, part), n_passages.min(255) as u8, flag::DOCUMENT | flag::TITLE);
    }
    if !entry.passages.is_empty() {
        // Passages make the page; the name alone leads to it.
        add(&subject_key(&entry.title), 0, flag::DOCUMENT | flag::TITLE);
        add(&place_key(entry.path.as_str()), 0, 0);
        other_names(entry).for_each(|name| add(&name, 0, flag::DOCUMENT));
    }
    for (passage, place) in places() {
        for linked in Linked::of(&passage.text, place) {
            match linked {
                Linked::Document(path) => add(&place_key(path), 0, 0),
                Linked::Subject(name) if entry.adopted.is_some() => add(&subject_key(name), 0, 0),
                Linked::Subject(name) => add(&subject_key(name), 1, flag::LINK | flag::STANDALONE),
            }
        }
    }
}

/// What else an adopted page is called: by its file, and by its aliases.
pub(super) fn other_names(entry: &Entry) -> impl Iterator<Item = String> {
    let own = subject_key(&entry.title);
    let names = entry.adopted.iter().flat_map(|adopted| {
        let stem = adopted.place.rsplit('/').next().unwrap_or_default();
        std::iter::once(stem).chain(adopted.aliases.iter().map(String::as_str)).map(subject_key)
    });
    names.filter(move |name| !name.is_empty() && *name != own)
}

impl Ledger {
    /// Returns the key of the page that stands for a subject: that of the one document that is called so, or that of the
    /// name it has now.
    pub fn page_of(&self, key: Key) -> Key {
        let key = self.current_name(self.canonical(key));
        self.documents().named(key).unwrap_or(key)
    }

    /// Returns the pages of subjects, and of all documents that are called like one.
    pub fn pages_of(&self, keys: &BTreeSet<Key>) -> BTreeSet<Key> {
        let now = keys.iter().map(|key| self.current_name(self.canonical(*key)));
        let called = |key: Key| self.documents().called.get(&key).into_iter().flatten().copied();
        let changed = keys.iter().filter_map(|key| self.documents().changed.get(key)).flatten();
        now.flat_map(|key| called(key).chain([key])).chain(changed.chain(keys).copied()).collect()
    }

    /// Notes that what leads to a document's page may lead elsewhere now: its place and what it is called.
    pub(super) fn note_moved(&mut self, path: &str, file: Option<(Key, Key)>) {
        if let Some((_, name)) = file.filter(|(first_part, _)| *first_part != 0) {
            self.moved.extend([name, key_hash(&place_key(path))]);
        }
    }

    /// Returns the key of the first page of the document at a place.
    pub fn document_at(&self, path: &str) -> Option<Key> {
        self.pages_at(path).first().copied()
    }

    /// Returns every key that leads to a page: its own, former names, what its document is called, and the links to its
    /// document.
    pub fn leading_to(&self, key: Key) -> impl Iterator<Item = Key> {
        let beside = self.documents().leading.get(&key);
        std::iter::once(key).chain(beside.into_iter().flatten().copied())
    }

    /// Returns the keys of the pages of the document at a place.
    pub fn pages_at(&self, path: &str) -> &[Key] {
        self.files.get(path).map_or(&[], |file| &file.parts)
    }

    pub(super) fn documents(&self) -> &Documents {
        self.documents.get_or_init(|| {
            let mut out = Documents::default();
            for (path, file) in &self.files {
                let Some(first_part) = file.parts.first().copied() else { continue };
                out.leading.entry(first_part).or_default().push(key_hash(&place_key(path)));
                let changes = key_hash(&changes_key(path));
                file.parts.iter().for_each(|part| out.leading.entry(*part).or_default().push(changes));
                out.changed.insert(changes, file.parts.clone());
                // What nobody vouches for takes no page that others write.
                if !self.external.contains(path) {
                    out.called.entry(file.name).or_default().push(first_part);
                    for name in &file.names {
                        out.adopted.entry(*name).or_default().push(first_part);
                    }
                }
            }
            out.adopted.retain(|name, parts| !out.called.contains_key(name) && parts.len() == 1);
            for (name, parts) in &out.adopted {
                out.leading.entry(parts[0]).or_default().push(*name);
            }
            for (name, parts) in &out.called {
                if let [part] = parts[..] {
                    out.leading.entry(part).or_default().push(*name);
                }
            }
            for (old, new) in self.names() {
                let page = out.named(*new).unwrap_or(*new);
                out.leading.entry(page).or_default().push(*old);
            }
            out
        })
    }
}

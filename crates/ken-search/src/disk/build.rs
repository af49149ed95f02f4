//! Writes a table.
//!
//! Everything is sorted here, so that reading can search and compare without sorting.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ken_core::index::{HeaderTerms, entry_terms, resolve_names};
use ken_core::{IndexEntry, VaultPath};

use super::table::Table;
use super::{HEAD_LEN, MAGIC, N_PARTS, Part, VERSION, entry};
use crate::bytes::Writer;
use crate::stamp::{FolderStamp, Stamp};

/// Returns the bytes of a table over these entries, in whatever order they come.
///
/// Every wiki file has a stamp, also one that has no entry because it is no page.
pub fn build(entries: &[&IndexEntry], stamps: &[&Stamp], folders: &[FolderStamp]) -> Vec<u8> {
    rebuild(None, &|_| true, entries, stamps, folders)
}

/// Returns the bytes that [`build`] gives, taking the terms of entries that did not change from an older
/// table: making terms takes most of the time.
///
/// `is_fresh` says of a page whether its entry differs from the one in `old`.
pub fn rebuild(
    old: Option<&Table>,
    is_fresh: &dyn Fn(&VaultPath) -> bool,
    entries: &[&IndexEntry],
    stamps: &[&Stamp],
    folders: &[FolderStamp],
) -> Vec<u8> {
    let mut entries = entries.to_vec();
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let mut out = Parts::default();
    out.write_stamps(stamps);
    out.write_folders(folders);
    out.write_entries(&entries);
    out.write_terms(&merged_terms(old, is_fresh, &entries));
    out.write_names(&entries);
    out.join()
}

/// A posting as it is written: page number and field code.
fn posting(page_idx: u32, field: u8) -> u32 {
    page_idx << 2 | u32::from(field)
}

/// The postings of every term: those of fresh entries made anew, the others moved to their new numbers.
fn merged_terms<'t>(
    old: Option<&'t Table>,
    is_fresh: &dyn Fn(&VaultPath) -> bool,
    entries: &[&IndexEntry],
) -> BTreeMap<Cow<'t, str>, Vec<u32>> {
    let kept: BTreeMap<&str, u32> = match old {
        Some(_) => (0..)
            .zip(entries)
            .filter(|(_, entry)| !is_fresh(&entry.path))
            .map(|(n, entry)| (entry.path.as_str(), n))
            .collect(),
        None => BTreeMap::new(),
    };
    let moved: Vec<Option<u32>> =
        old.map(|old| old.paths().map(|path| kept.get(path?).copied()).collect()).unwrap_or_default();
    let known: BTreeSet<u32> = moved.iter().flatten().copied().collect();
    let mut terms: BTreeMap<Cow<'t, str>, Vec<u32>> = BTreeMap::new();
    // Terms come sorted, so the tree is built in one pass from the end of its right edge.
    let sorted = old.into_iter().flat_map(Table::terms).map(|(term, postings)| {
        let moved = |packed: u32| {
            moved.get((packed >> 2) as usize).copied().flatten().map(|page_idx| posting(page_idx, (packed & 3) as u8))
        };
        (Cow::Borrowed(term), postings.filter_map(moved).collect::<Vec<u32>>())
    });
    terms.extend(sorted.filter(|(_, postings)| !postings.is_empty()));
    let mut maker = HeaderTerms::default();
    for (page_idx, entry) in (0..).zip(entries).filter(|(page_idx, _)| !known.contains(page_idx)) {
        for (term, field) in entry_terms(entry, &mut maker) {
            terms.entry(Cow::Owned(term)).or_default().push(posting(page_idx, field.code()));
        }
    }
    terms
}

/// Where a text stands in the last part.
type TextRef = (u32, u32);

/// The parts as far as they are written.
#[derive(Default)]
struct Parts<'a> {
    parts: [Writer; N_PARTS],
    /// A page's path stands in its stamp and its entry, but once in the texts.
    paths: BTreeMap<&'a VaultPath, TextRef>,
}

impl<'a> Parts<'a> {
    fn part(&mut self, part: Part) -> &mut Writer {
        &mut self.parts[part as usize]
    }

    fn text(&mut self, text: &str) -> TextRef {
        let texts = self.part(Part::Texts);
        let at = texts.at();
        texts.bytes(text.as_bytes());
        (at, text.len() as u32)
    }

    fn put(&mut self, part: Part, text: TextRef) -> &mut Writer {
        let out = self.part(part);
        out.u32(text.0);
        out.u32(text.1);
        out
    }

    fn write_stamps(&mut self, stamps: &[&'a Stamp]) {
        let mut stamps = stamps.to_vec();
        stamps.sort();
        for stamp in stamps {
            let path = self.text(stamp.path.as_str());
            self.paths.insert(&stamp.path, path);
            let out = self.put(Part::Stamps, path);
            out.u64(stamp.len);
            out.i64(stamp.mtime_ns);
            out.bytes(stamp.digest.as_bytes());
        }
    }

    fn write_folders(&mut self, folders: &[FolderStamp]) {
        let mut folders: Vec<&FolderStamp> = folders.iter().collect();
        folders.sort();
        for folder in folders {
            let path = self.text(folder.path.as_str());
            self.put(Part::Folders, path).i64(folder.mtime_ns);
        }
    }

    fn write_entries(&mut self, entries: &[&IndexEntry]) {
        for entry in entries {
            let at = self.part(Part::Entries).at();
            self.part(Part::Pages).u32(at);
            let path = match self.paths.get(&entry.path) {
                Some(path) => *path,
                None => self.text(entry.path.as_str()),
            };
            entry::write(entry, self.put(Part::Entries, path));
        }
    }

    fn write_terms(&mut self, terms: &BTreeMap<Cow<'_, str>, Vec<u32>>) {
        let mut n_before = 0;
        for (term, postings) in terms {
            let term = self.text(term);
            let out = self.put(Part::Terms, term);
            out.u32(n_before);
            out.u32(postings.len() as u32);
            n_before += postings.len() as u32;
            let out = self.part(Part::Postings);
            let mut postings = postings.clone();
            postings.sort_unstable();
            postings.into_iter().for_each(|posting| out.u32(posting));
        }
    }

    fn write_names(&mut self, entries: &[&IndexEntry]) {
        for (name, page_idx) in resolve_names(entries.iter().copied()) {
            let name = self.text(name.as_str());
            self.put(Part::Names, name).u32(page_idx);
        }
    }

    fn join(self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes(&MAGIC);
        out.u32(VERSION);
        let mut end = HEAD_LEN;
        for part in &self.parts {
            end += part.0.len();
            out.u32(end as u32);
        }
        self.parts.iter().for_each(|part| out.bytes(&part.0));
        let len = out.at() + 4 + MAGIC.len() as u32;
        out.u32(len);
        out.bytes(&MAGIC);
        out.0
    }
}

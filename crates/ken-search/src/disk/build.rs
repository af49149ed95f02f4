//! Writes a table.
//!
//! Everything is sorted here, so that reading can search and compare without sorting.

use std::collections::BTreeMap;
use std::iter::Peekable;

use ken_core::index::{HeaderTerms, entry_terms};
use ken_core::{IndexEntry, Slug, Tokens, VaultPath};

use super::table::Table;
use super::{HEAD_LEN, MAGIC, N_PARTS, OTHER_NAME, Part, TAIL_LEN, VERSION, entry};
use crate::bytes::Writer;
use crate::stamp::{FolderStamp, Stamp};

/// What a page of a new table says.
#[derive(Debug, Clone, Copy)]
pub enum Said<'a> {
    /// What the page of this number says in the older table.
    AsBefore(u32),
    /// This, and what its row of the index costs.
    Now(&'a IndexEntry, Tokens),
}

/// Returns the bytes of a table over these entries, in whatever order they come, of which nobody asks what their
/// rows cost.
///
/// Every wiki file has a stamp, also one that has no entry because it is no page.
pub fn build(entries: &[&IndexEntry], stamps: &[&Stamp], folders: &[FolderStamp]) -> Vec<u8> {
    let pages = entries.iter().map(|entry| (&entry.path, Said::Now(entry, Tokens(0)))).collect();
    rebuild(None, pages, stamps, folders)
}

/// Returns the bytes that [`build`] gives, of pages that did not change as an older table has them: their entries
/// are not decoded, and their terms and names not made again.
pub fn rebuild(
    old: Option<&Table>,
    mut pages: Vec<(&VaultPath, Said<'_>)>,
    stamps: &[&Stamp],
    folders: &[FolderStamp],
) -> Vec<u8> {
    pages.sort_by(|a, b| a.0.cmp(b.0));
    let mut out = Parts::like(old);
    let paths = out.write_stamps(stamps);
    out.write_folders(folders);
    out.write_pages(old, &pages, paths);
    let moves = Moves::new(old, &pages);
    out.write_terms(&moves);
    out.write_names(&moves);
    out.join()
}

/// A posting as it is written: page number and field code.
fn posting(page_idx: u32, field: u8) -> u32 {
    page_idx << 2 | u32::from(field)
}

/// How an older table becomes the new one: numbers change, their order does not.
struct Moves<'a> {
    old: Option<&'a Table>,
    /// Per page of the older table its new number, if it stays as it was.
    moved: Vec<Option<u32>>,
    /// The other pages.
    fresh: Vec<(u32, &'a IndexEntry)>,
}

impl<'a> Moves<'a> {
    fn new(old: Option<&'a Table>, pages: &[(&VaultPath, Said<'a>)]) -> Moves<'a> {
        let mut out = Moves { old, moved: Vec::new(), fresh: Vec::new() };
        for (n, (_, said)) in (0..).zip(pages) {
            match said {
                Said::Now(entry, _) => out.fresh.push((n, entry)),
                Said::AsBefore(before) => {
                    let before = *before as usize;
                    out.moved.resize(out.moved.len().max(before + 1), None);
                    out.moved[before] = Some(n);
                }
            }
        }
        out
    }

    fn moved(&self, page_idx: u32) -> Option<u32> {
        self.moved.get(page_idx as usize).copied().flatten()
    }

    /// The terms of fresh pages.
    fn fresh_terms(&self) -> BTreeMap<String, Vec<u32>> {
        let mut terms: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut maker = HeaderTerms::default();
        for (page_idx, entry) in &self.fresh {
            for (term, field) in entry_terms(entry, &mut maker) {
                terms.entry(term).or_default().push(posting(*page_idx, field.code()));
            }
        }
        terms
    }

    /// The names of fresh pages, as they are written.
    fn fresh_names(&self) -> Vec<(Slug, u32)> {
        let mut names: Vec<(Slug, u32)> = Vec::new();
        for (page_idx, entry) in &self.fresh {
            let coded = entry.names().into_iter().enumerate();
            names.extend(coded.map(|(n, name)| (name, if n == 0 { *page_idx } else { page_idx | OTHER_NAME })));
        }
        names.sort_unstable();
        names
    }
}

/// Where a text stands in the last part.
type TextRef = (u32, u32);

/// The parts as far as they are written.
#[derive(Default)]
struct Parts {
    parts: [Writer; N_PARTS],
    n_postings: u32,
}

impl Parts {
    /// Room for a table about as large as an older one: growing it would write most of it twice.
    fn like(old: Option<&Table>) -> Parts {
        let mut out = Parts::default();
        for (part, len) in out.parts.iter_mut().zip(old.map(Table::lens).unwrap_or_default()) {
            part.0.reserve(len + len / 64);
        }
        out
    }

    fn part(&mut self, part: Part) -> &mut Writer {
        &mut self.parts[part as usize]
    }

    fn text(&mut self, text: &[u8]) -> TextRef {
        let texts = self.part(Part::Texts);
        let at = texts.at();
        texts.bytes(text);
        (at, text.len() as u32)
    }

    fn put(&mut self, part: Part, text: TextRef) -> &mut Writer {
        let out = self.part(part);
        out.u32(text.0);
        out.u32(text.1);
        out
    }

    /// Returns where the paths stand: a page's path stands in its stamp and its entry, but once in the texts.
    fn write_stamps<'a>(&mut self, stamps: &[&'a Stamp]) -> Vec<(&'a VaultPath, TextRef)> {
        let mut stamps = stamps.to_vec();
        stamps.sort();
        let mut paths = Vec::with_capacity(stamps.len());
        for stamp in stamps {
            let path = self.text(stamp.path.as_str().as_bytes());
            paths.push((&stamp.path, path));
            let out = self.put(Part::Stamps, path);
            out.u64(stamp.len);
            out.i64(stamp.mtime_ns);
            out.bytes(stamp.digest.as_bytes());
        }
        paths
    }

    fn write_folders(&mut self, folders: &[FolderStamp]) {
        let mut folders: Vec<&FolderStamp> = folders.iter().collect();
        folders.sort();
        for folder in folders {
            let path = self.text(folder.path.as_str().as_bytes());
            self.put(Part::Folders, path).i64(folder.mtime_ns);
        }
    }

    fn write_pages(
        &mut self,
        old: Option<&Table>,
        pages: &[(&VaultPath, Said<'_>)],
        paths: Vec<(&VaultPath, TextRef)>,
    ) {
        // Both are sorted by path.
        let mut paths = paths.into_iter().peekable();
        for (path, said) in pages {
            let at = self.part(Part::Entries).at();
            self.part(Part::Pages).u32(at);
            while paths.next_if(|(known, _)| known < path).is_some() {}
            let text = match paths.peek() {
                Some((known, text)) if known == path => *text,
                _ => self.text(path.as_str().as_bytes()),
            };
            let out = self.put(Part::Entries, text);
            match said {
                Said::Now(entry, row) => entry::write(entry, *row, out),
                Said::AsBefore(page_idx) => {
                    out.bytes(old.and_then(|old| old.said(*page_idx)).unwrap_or_default());
                }
            }
        }
    }

    fn write_terms(&mut self, moves: &Moves<'_>) {
        let mut fresh = moves.fresh_terms().into_iter().peekable();
        let mut postings: Vec<u32> = Vec::new();
        for (term, before) in moves.old.into_iter().flat_map(Table::terms) {
            while let Some((term, postings)) = fresh.next_if(|(fresh, _)| fresh.as_bytes() < term) {
                self.write_term(term.as_bytes(), &postings);
            }
            postings.clear();
            postings.extend(before.filter_map(|packed| Some(posting(moves.moved(packed >> 2)?, (packed & 3) as u8))));
            if let Some((_, new)) = fresh.next_if(|(fresh, _)| fresh.as_bytes() == term) {
                postings.extend(new);
                // Two runs in order, which this sort only merges.
                postings.sort();
            }
            if !postings.is_empty() {
                self.write_term(term, &postings);
            }
        }
        fresh.for_each(|(term, postings)| self.write_term(term.as_bytes(), &postings));
    }

    fn write_term(&mut self, term: &[u8], postings: &[u32]) {
        let (term, first) = (self.text(term), self.n_postings);
        self.n_postings += postings.len() as u32;
        let out = self.put(Part::Terms, term);
        out.u32(first);
        out.u32(postings.len() as u32);
        let out = self.part(Part::Postings);
        postings.iter().for_each(|posting| out.u32(*posting));
    }

    fn write_names(&mut self, moves: &Moves<'_>) {
        let mut fresh = moves.fresh_names().into_iter().peekable();
        for (name, code) in moves.old.into_iter().flat_map(Table::names) {
            let Some(page_idx) = moves.moved(code & !OTHER_NAME) else { continue };
            let code = page_idx | code & OTHER_NAME;
            self.write_names_before(&mut fresh, &|fresh| (fresh.0.as_str().as_bytes(), fresh.1) < (name, code));
            self.write_name(name, code);
        }
        self.write_names_before(&mut fresh, &|_| true);
    }

    fn write_names_before(
        &mut self,
        fresh: &mut Peekable<impl Iterator<Item = (Slug, u32)>>,
        is_before: &dyn Fn(&(Slug, u32)) -> bool,
    ) {
        while let Some((name, code)) = fresh.next_if(is_before) {
            self.write_name(name.as_str().as_bytes(), code);
        }
    }

    fn write_name(&mut self, name: &[u8], code: u32) {
        let name = self.text(name);
        self.put(Part::Names, name).u32(code);
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
        out.0.reserve(end + TAIL_LEN - out.0.len());
        self.parts.iter().for_each(|part| out.bytes(&part.0));
        let len = out.at() + 4 + MAGIC.len() as u32;
        out.u32(len);
        out.bytes(&MAGIC);
        out.0
    }
}

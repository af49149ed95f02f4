//! Answers routing from the bytes of a table.
//!
//! Opening looks at head and tail only. Every read is checked against its part: a damaged table may
//! answer wrongly, but it always answers.

use std::fmt;

use ken_core::index::{Catalog, FieldKind, PageSort, Posting};
use ken_core::{Date, Digest, IndexEntry, Slug, Tokens, VaultPath};

use super::{
    FOLDER_LEN, HEAD_LEN, MAGIC, N_PARTS, NAME_LEN, OTHER_NAME, PAGE_LEN, POSTING_LEN, Part, RECORD_LEN, STAMP_LEN,
    TAIL_LEN, TERM_LEN, TEXT_LEN, VERSION, entry,
};
use crate::bytes::Reader;
use crate::stamp::{FolderStamp, Stamp};

/// The routing index of a vault as it is kept on disk.
#[derive(Clone)]
pub struct Table {
    bytes: Vec<u8>,
    /// Where each part begins, and where the last one ends.
    bounds: [usize; N_PARTS + 1],
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({} pages, {} bytes)", self.n_pages(), self.bytes.len())
    }
}

impl Table {
    /// Returns the table that the bytes hold, or `None` when they are not a whole table of this version.
    pub fn open(bytes: Vec<u8>) -> Option<Table> {
        let (inner, tail) = bytes.split_last_chunk::<TAIL_LEN>()?;
        let mut tail = Reader(tail);
        if tail.u32()? as usize != bytes.len() || tail.array()? != MAGIC {
            return None;
        }
        let mut head = Reader(inner);
        if head.array()? != MAGIC || head.u32()? != VERSION {
            return None;
        }
        let mut bounds = [HEAD_LEN; N_PARTS + 1];
        for (n, record_len) in RECORD_LEN.into_iter().enumerate() {
            let end = head.u32()? as usize;
            if end.checked_sub(bounds[n])? % record_len != 0 {
                return None;
            }
            bounds[n + 1] = end;
        }
        (bounds[N_PARTS] == inner.len()).then_some(Table { bytes, bounds })
    }

    /// Returns the stamps, sorted by path.
    pub fn stamps(&self) -> impl Iterator<Item = Stamp> + '_ {
        let stamp = |(path, len, mtime_ns, digest)| Some(Stamp { path: VaultPath::new(path)?, len, mtime_ns, digest });
        self.files().filter_map(stamp)
    }

    /// Returns path, length, time and digest of each file, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, u64, i64, Digest)> {
        self.records::<STAMP_LEN>(Part::Stamps).iter().filter_map(|record| {
            let mut record = Reader(record);
            let path = str::from_utf8(self.text(&mut record)?).ok()?;
            Some((path, record.u64()?, record.i64()?, Digest::from_bytes(record.array()?)))
        })
    }

    /// Returns the folders, sorted by path.
    pub fn folders(&self) -> impl Iterator<Item = FolderStamp> + '_ {
        self.records::<FOLDER_LEN>(Part::Folders).iter().filter_map(|record| {
            let mut record = Reader(record);
            Some(FolderStamp { path: self.path(&mut record)?, mtime_ns: record.i64()? })
        })
    }

    /// Returns the entries, sorted by path.
    pub fn entries(&self) -> impl Iterator<Item = IndexEntry> + '_ {
        (0..self.n_pages() as u32).map(|page_idx| self.entry(page_idx))
    }

    /// Returns whether the stamps are those of exactly these files: path, length and mtime, sorted by path.
    pub fn matches_files(&self, files: &mut dyn Iterator<Item = (&str, u64, i64)>) -> bool {
        let is_same = |record: &[u8; STAMP_LEN], (path, len, mtime_ns): (&str, u64, i64)| {
            let mut record = Reader(record);
            self.text(&mut record) == Some(path.as_bytes())
                && record.u64() == Some(len)
                && record.i64() == Some(mtime_ns)
        };
        are_same(self.records(Part::Stamps), files, is_same)
    }

    /// Returns whether the stamps are those of exactly these folders: path and mtime, sorted by path.
    pub fn matches_folders(&self, folders: &mut dyn Iterator<Item = (&str, i64)>) -> bool {
        let is_same = |record: &[u8; FOLDER_LEN], (path, mtime_ns): (&str, i64)| {
            let mut record = Reader(record);
            self.text(&mut record) == Some(path.as_bytes()) && record.i64() == Some(mtime_ns)
        };
        are_same(self.records(Part::Folders), folders, is_same)
    }

    /// Returns the bytes of the table with these lengths and times of some files, and these times of its folders; none where it
    /// has no record of one of them, or of another folder.
    pub fn stamped<'s>(
        mut self,
        mut files: impl Iterator<Item = &'s Stamp>,
        folders: &[FolderStamp],
    ) -> Option<Vec<u8>> {
        let are_all = folders.len() == self.records::<FOLDER_LEN>(Part::Folders).len();
        let is_known = files.all(|file| {
            let time = [file.len.to_le_bytes(), file.mtime_ns.to_le_bytes()].concat();
            self.put_behind::<STAMP_LEN>(Part::Stamps, file.path.as_str(), &time).is_some()
        });
        let mut folders = folders.iter();
        let is_placed = folders.all(|folder| {
            let time = folder.mtime_ns.to_le_bytes();
            self.put_behind::<FOLDER_LEN>(Part::Folders, folder.path.as_str(), &time).is_some()
        });
        (are_all && is_known && is_placed).then_some(self.bytes)
    }

    /// Writes bytes into the record of a sorted part that begins with a text, behind that.
    fn put_behind<const LEN: usize>(&mut self, part: Part, text: &str, bytes: &[u8]) -> Option<()> {
        let n = self.place::<LEN>(part, text)?;
        let at = self.bounds[part as usize] + n * LEN + TEXT_LEN;
        self.bytes.get_mut(at..at + bytes.len())?.copy_from_slice(bytes);
        Some(())
    }

    /// The length of each part.
    pub(super) fn lens(&self) -> [usize; N_PARTS] {
        std::array::from_fn(|n| self.bounds[n + 1] - self.bounds[n])
    }

    fn part(&self, part: Part) -> &[u8] {
        let n = part as usize;
        self.bytes.get(self.bounds[n]..self.bounds[n + 1]).unwrap_or_default()
    }

    fn records<const LEN: usize>(&self, part: Part) -> &[[u8; LEN]] {
        self.part(part).as_chunks().0
    }

    /// The bytes of the text that a record refers to.
    fn text(&self, record: &mut Reader<'_>) -> Option<&[u8]> {
        let (at, len) = (record.u32()? as usize, record.u32()? as usize);
        self.part(Part::Texts).get(at..at.checked_add(len)?)
    }

    fn path(&self, record: &mut Reader<'_>) -> Option<VaultPath> {
        VaultPath::new(str::from_utf8(self.text(record)?).ok()?)
    }

    /// The first record of a sorted part that begins with a text, without that text.
    fn search<const LEN: usize>(&self, part: Part, text: &str) -> Option<Reader<'_>> {
        let mut record = Reader(&self.records::<LEN>(part)[self.place::<LEN>(part, text)?]);
        self.text(&mut record)?;
        Some(record)
    }

    /// The number of that record.
    fn place<const LEN: usize>(&self, part: Part, text: &str) -> Option<usize> {
        let records = self.records::<LEN>(part);
        let found = records.partition_point(|record| self.text(&mut Reader(record)) < Some(text.as_bytes()));
        (self.text(&mut Reader(records.get(found)?)) == Some(text.as_bytes())).then_some(found)
    }

    /// Returns the path of each page by its number, none where its bytes are damaged.
    pub fn paths(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.n_pages() as u32).map(|page_idx| self.path_of(page_idx))
    }

    /// Returns the path of a page, none where its bytes are damaged.
    pub fn path_of(&self, page_idx: u32) -> Option<&str> {
        let page = self.records::<PAGE_LEN>(Part::Pages).get(page_idx as usize)?;
        let entry = self.part(Part::Entries).get(u32::from_le_bytes(*page) as usize..)?;
        str::from_utf8(self.text(&mut Reader(entry))?).ok()
    }

    /// Returns the names of some pages in order, each with the page that it means and whether it is its slug: slugs win over
    /// other names, earlier pages over later ones.
    pub fn names_of_pages(&self, is_wanted: impl Fn(u32) -> bool) -> Vec<(&str, u32, bool)> {
        let wanted = self.names().filter(|(_, code)| is_wanted(code & !OTHER_NAME));
        let read =
            |(name, code): (_, u32)| Some((str::from_utf8(name).ok()?, code & !OTHER_NAME, code & OTHER_NAME == 0));
        let mut names: Vec<(&str, u32, bool)> = wanted.filter_map(read).collect();
        names.dedup_by(|later, first| later.0 == first.0);
        names
    }

    /// Returns of what sort a page is and what its row of the index costs, without decoding what it says.
    pub fn sort(&self, page_idx: u32) -> Option<(PageSort, Tokens)> {
        entry::read_sort(&mut Reader(self.said(page_idx)?))
    }

    /// Returns the names of the page at `path`, as its entry has them, without decoding what it says; none where its
    /// bytes are damaged.
    pub fn names_of(&self, page_idx: u32, path: &VaultPath) -> Option<Vec<Slug>> {
        entry::read_names(path, &mut Reader(self.said(page_idx)?))
    }

    /// The bytes of an entry behind its path; it ends where the next one begins.
    pub(super) fn said(&self, page_idx: u32) -> Option<&[u8]> {
        let pages = self.records::<PAGE_LEN>(Part::Pages);
        let at = |n: usize| pages.get(n).map(|record| u32::from_le_bytes(*record) as usize);
        let entries = self.part(Part::Entries);
        let (start, end) = (at(page_idx as usize)?, at(page_idx as usize + 1).unwrap_or(entries.len()));
        entries.get(start.checked_add(8)?..end)
    }

    /// Every name with its coded page number, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = (&[u8], u32)> {
        self.records::<NAME_LEN>(Part::Names).iter().filter_map(|record| {
            let mut record = Reader(record);
            Some((self.text(&mut record)?, record.u32()?))
        })
    }

    /// Every term with its packed postings, sorted.
    pub(super) fn terms(&self) -> impl Iterator<Item = (&[u8], impl Iterator<Item = u32>)> {
        self.records::<TERM_LEN>(Part::Terms).iter().filter_map(|record| {
            let mut record = Reader(record);
            let term = self.text(&mut record)?;
            let (first, n) = (record.u32()? as usize, record.u32()? as usize);
            let postings = self.records::<POSTING_LEN>(Part::Postings).get(first..first.checked_add(n)?)?;
            Some((term, postings.iter().map(|posting| u32::from_le_bytes(*posting))))
        })
    }

    fn postings(&self, term: &str) -> Option<&[[u8; POSTING_LEN]]> {
        let mut record = self.search::<TERM_LEN>(Part::Terms, term)?;
        let (first, n_postings) = (record.u32()? as usize, record.u32()? as usize);
        self.records(Part::Postings).get(first..first.checked_add(n_postings)?)
    }

    fn read_updated(&self, page_idx: u32) -> Option<Date> {
        let page = self.records::<PAGE_LEN>(Part::Pages).get(page_idx as usize)?;
        let mut record = Reader(self.part(Part::Entries).get(u32::from_le_bytes(*page) as usize..)?);
        self.text(&mut record)?;
        entry::read_updated(&mut record)
    }

    fn read_entry(&self, page_idx: u32) -> Option<IndexEntry> {
        let page = self.records::<PAGE_LEN>(Part::Pages).get(page_idx as usize)?;
        let mut record = Reader(self.part(Part::Entries).get(u32::from_le_bytes(*page) as usize..)?);
        let path = self.path(&mut record)?;
        entry::read(path, &mut record)
    }
}

/// Whether both hold as many, and each of one is the same as that of the other.
fn are_same<R, T>(records: &[R], mut listed: impl Iterator<Item = T>, is_same: impl Fn(&R, T) -> bool) -> bool {
    let mut records = records.iter();
    listed.all(|one| records.next().is_some_and(|record| is_same(record, one))) && records.next().is_none()
}

impl Catalog for Table {
    fn n_pages(&self) -> usize {
        self.records::<PAGE_LEN>(Part::Pages).len()
    }

    fn lookup(&self, term: &str) -> Vec<Posting> {
        let n_pages = self.n_pages();
        let posting = |record: &[u8; POSTING_LEN]| {
            let code = u32::from_le_bytes(*record);
            let field = *FieldKind::ALL.get((code & 3) as usize)?;
            Some(Posting { page_idx: code >> 2, field }).filter(|posting| (posting.page_idx as usize) < n_pages)
        };
        self.postings(term).unwrap_or_default().iter().filter_map(posting).collect()
    }

    /// Returns the entry, or one with the slug `damaged` and nothing in it when its bytes are damaged.
    fn entry(&self, page_idx: u32) -> IndexEntry {
        self.read_entry(page_idx).unwrap_or_else(entry::damaged)
    }

    fn updated(&self, page_idx: u32) -> Option<Date> {
        self.read_updated(page_idx)
    }

    fn is_past(&self, page_idx: u32) -> bool {
        self.sort(page_idx).is_some_and(|(sort, _)| sort.is_past)
    }

    fn find(&self, name: &Slug) -> Option<u32> {
        let page_idx = self.search::<NAME_LEN>(Part::Names, name.as_str())?.u32()? & !OTHER_NAME;
        Some(page_idx).filter(|page_idx| (*page_idx as usize) < self.n_pages())
    }
}

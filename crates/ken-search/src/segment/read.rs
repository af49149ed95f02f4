//! Answers from the bytes of a segment, reading only what is asked for.
//!
//! Opening looks at head and tail. The heads of the term blocks and the first passages of the documents are
//! read whole when they are first needed; everything else is read a record or a list at a time. Every read
//! is checked against its part: a damaged segment may answer wrongly, but it always answers.

use std::borrow::Cow;
use std::sync::OnceLock;

use ken_core::search::{DocFacts, Partition, PassageFacts, Scoped};
use ken_core::{Date, VaultPath};

use super::called;
use super::list::List;
use super::record::{self, FileFacts};
use super::{HEAD_LEN, MAGIC, N_COUNTS, N_PARTS, Part, TAIL_LEN, VERSION};
use crate::blob::Blob;
use crate::bytes::{Reader, date};
use crate::stamp::Stamp;

/// Longest text that is read: a path, title or heading is never longer.
const TEXT_MAX: usize = 64 * 1024;
/// What is read for a text at first; most are shorter.
const TEXT_LIKELY: usize = 96;
/// Bytes of a term; few are longer.
const TERM_LIKELY: usize = 64;

/// A segment.
pub struct Segment {
    blob: Box<dyn Blob>,
    /// Where each part begins, and where the last one ends.
    bounds: [u64; N_PARTS + 1],
    n_page_files: u32,
    n_page_passages: u32,
    n_files: u32,
    n_passages: u32,
    n_words: u64,
    days: Option<(Date, Date)>,
    starts: OnceLock<Vec<u32>>,
    term_heads: OnceLock<TermHeads>,
}

/// First terms of the blocks, and where the blocks begin.
struct TermHeads {
    keys: Vec<u8>,
    /// Per block: where its key ends, where the block begins.
    heads: Vec<(u32, u32)>,
}

impl TermHeads {
    fn key(&self, block: usize) -> &[u8] {
        let start = block.checked_sub(1).map_or(0, |before| self.heads[before].0 as usize);
        self.keys.get(start..self.heads[block].0 as usize).unwrap_or_default()
    }
}

/// The two lists of a term.
pub(crate) struct TermLists<'a> {
    /// The passages it stands in.
    pub(crate) passages: List<'a>,
    /// The documents it stands in.
    pub(crate) docs: List<'a>,
}

/// How many postings a list has, the largest impact, and its bytes.
type ListHead = (u64, u8, u64);

/// A term as it stands in its block.
struct TermHead<'a> {
    term: &'a [u8],
    lists: [ListHead; 2],
    /// Where the first list begins.
    at: u64,
}

/// Calls `with` with every term of a block, until it returns false or something does not read.
fn each_in_block(bytes: &[u8], with: &mut dyn FnMut(TermHead<'_>) -> bool) -> Option<()> {
    let mut from = Reader(bytes);
    let mut list_at = from.varint()?;
    let mut term: Vec<u8> = Vec::with_capacity(TERM_LIKELY);
    while !from.0.is_empty() {
        term.truncate(usize::try_from(from.varint()?).ok()?);
        let len = usize::try_from(from.varint()?).ok()?;
        term.extend_from_slice(from.bytes(len)?);
        let mut lists = [(0, 0, 0); 2];
        let first_at = list_at;
        for list in &mut lists {
            *list = (from.varint()?, from.byte()?, from.varint()?);
            list_at = list_at.checked_add(list.2)?;
        }
        if !with(TermHead { term: &term, lists, at: first_at }) {
            break;
        }
    }
    Some(())
}

/// The first of `n` for which `is_before` does not hold.
fn partition_point(n: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// How a file looked when it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// Its path.
    pub path: String,
    /// Length in bytes.
    pub len: u64,
    /// Last change, nanoseconds since 1970.
    pub mtime_ns: i64,
}

impl std::fmt::Debug for Segment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Segment({} files, {} passages, {} bytes)", self.n_files, self.n_passages, self.blob.len())
    }
}

impl Segment {
    /// Returns the segment that the bytes hold, or `None` when they are not a whole segment of this version.
    pub fn open(blob: Box<dyn Blob>) -> Option<Segment> {
        let end = blob.len().checked_sub(TAIL_LEN as u64)?;
        let mut bounds = [HEAD_LEN as u64; N_PARTS + 1];
        let mut counts = [0; N_COUNTS];
        let n_words;
        {
            let tail = blob.read(end, TAIL_LEN)?;
            let mut tail = Reader(&tail);
            if tail.u64()? != blob.len() || tail.array()? != MAGIC {
                return None;
            }
            let head = blob.read(0, HEAD_LEN)?;
            let mut head = Reader(&head);
            if head.array()? != MAGIC || head.u32()? != VERSION {
                return None;
            }
            for count in &mut counts {
                *count = head.u32()?;
            }
            n_words = head.u64()?;
            for n in 0..N_PARTS {
                bounds[n + 1] = head.u64()?;
                bounds[n + 1].checked_sub(bounds[n])?;
            }
        }
        let [n_page_files, n_page_passages, n_files, n_passages, oldest, newest] = counts;
        let segment = Segment {
            blob,
            bounds,
            n_page_files,
            n_page_passages,
            n_files,
            n_passages,
            n_words,
            days: date(oldest).zip(date(newest)),
            starts: OnceLock::new(),
            term_heads: OnceLock::new(),
        };
        let fits = |part, n: u64, len: usize| segment.part_len(part) == n * len as u64;
        let whole = bounds[N_PARTS] == end
            && n_page_files <= n_files
            && n_page_passages <= n_passages
            && fits(Part::Files, n_files.into(), record::FILE_LEN)
            && segment.part_len(Part::Names).is_multiple_of(called::NAME_LEN as u64)
            && fits(Part::Passages, n_passages.into(), record::PASSAGE_LEN)
            && segment.part_len(Part::Starts) == (u64::from(segment.n_docs()) + 1) * 4;
        whole.then_some(segment)
    }

    /// Returns the number of files.
    pub fn n_files(&self) -> u32 {
        self.n_files
    }

    /// Returns the number of documents.
    pub fn n_docs(&self) -> u32 {
        (self.part_len(Part::Docs) / record::DOC_LEN as u64) as u32
    }

    /// Returns the number of passages.
    pub fn n_passages(&self) -> u32 {
        self.n_passages
    }

    /// Returns the number of words, function words aside.
    pub fn n_words(&self) -> u64 {
        self.n_words
    }

    /// Returns the oldest and the newest day of the evidence.
    pub fn days(&self) -> Option<(Date, Date)> {
        self.days
    }

    /// Returns the ids of the passages of pages, or of those of evidence: they follow.
    pub fn passages_of(&self, partition: Partition) -> std::ops::Range<u32> {
        match partition {
            Partition::Pages => 0..self.n_page_passages,
            Partition::Evidence => self.n_page_passages..self.n_passages,
        }
    }

    /// Returns how many bytes it has.
    pub fn n_bytes(&self) -> u64 {
        self.blob.len()
    }

    /// Returns a file by its number.
    pub fn file(&self, file: u32) -> Option<FileFacts> {
        let found = record::read_file(&self.record(Part::Files, file, record::FILE_LEN)?)?;
        let path = VaultPath::new(&self.text(found.path)?)?;
        let stamp = Stamp { path, len: found.len, mtime_ns: found.mtime_ns, digest: found.digest };
        Some(FileFacts { stamp, first_doc: found.first_doc, n_docs: found.n_docs })
    }

    /// Returns how every file looked, by number, reading all of them at once.
    pub fn looks(&self) -> Vec<Look> {
        let files = self.part(Part::Files).unwrap_or_default();
        let texts = self.part(Part::Texts).unwrap_or_default();
        let look = |record: &[u8; record::FILE_LEN]| {
            let found = record::read_file(record)?;
            let path = Reader(texts.get(found.path as usize..)?).text()?.to_owned();
            Some(Look { path, len: found.len, mtime_ns: found.mtime_ns })
        };
        // A record that does not read looks like no file: it will be found changed.
        files.as_chunks().0.iter().map(|record| look(record).unwrap_or_default()).collect()
    }

    /// Returns the bytes of the segment.
    pub fn into_blob(self) -> Box<dyn Blob> {
        self.blob
    }

    /// Returns how the files below a folder looked, at any depth, with their numbers.
    pub fn looks_below(&self, folder: &VaultPath) -> Vec<(u32, Look)> {
        // What sorts right behind everything below the folder: `/` is followed by `0`.
        let (start, end) = (format!("{folder}/"), format!("{folder}0"));
        let mut out = Vec::new();
        for range in [0..self.n_page_files, self.n_page_files..self.n_files] {
            let first = self.first_from(range.clone(), &start);
            let last = self.first_from(first..range.end, &end);
            let len = record::FILE_LEN as u64;
            let files = self.read(Part::Files, u64::from(first) * len, (u64::from(last - first) * len) as usize);
            // One by one where they are few, all texts at once where they are many.
            let texts = if last - first > 64 { self.part(Part::Texts) } else { None };
            let text = |at: u32| match &texts {
                Some(texts) => Reader(texts.get(at as usize..)?).text().map(str::to_owned),
                None => self.text(at),
            };
            let look = |record: &[u8; record::FILE_LEN]| {
                let found = record::read_file(record)?;
                Some(Look { path: text(found.path)?, len: found.len, mtime_ns: found.mtime_ns })
            };
            let files = files.unwrap_or_default();
            let found = (first..).zip(files.as_chunks().0).filter_map(|(n, record)| Some((n, look(record)?)));
            out.extend(found.filter(|(_, look)| look.path.starts_with(&start)));
        }
        out
    }

    /// The first file of a range whose path is not before `wanted`.
    fn first_from(&self, range: std::ops::Range<u32>, wanted: &str) -> u32 {
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low + (high - low) / 2;
            let is_before = self.path_of(middle).is_some_and(|path| path.as_str() < wanted);
            if is_before { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Returns the number of the file with a path.
    pub fn find_file(&self, path: &VaultPath) -> Option<u32> {
        let search = |range: std::ops::Range<u32>| {
            let (mut low, mut high) = (range.start, range.end);
            while low < high {
                let middle = low + (high - low) / 2;
                match self.path_of(middle)?.as_str().cmp(path.as_str()) {
                    std::cmp::Ordering::Less => low = middle + 1,
                    std::cmp::Ordering::Greater => high = middle,
                    std::cmp::Ordering::Equal => return Some(middle),
                }
            }
            None
        };
        search(0..self.n_page_files).or_else(|| search(self.n_page_files..self.n_files))
    }

    /// Returns the path of a file.
    pub fn path_of(&self, file: u32) -> Option<String> {
        let record = self.record(Part::Files, file, record::FILE_LEN)?;
        self.text(Reader(&record).u32()?)
    }

    /// Returns the file that a document stands in.
    pub fn file_of(&self, doc: u32) -> Option<u32> {
        Some(self.doc_record(doc)?.file)
    }

    /// Returns what is known of a document.
    pub fn doc(&self, doc: u32) -> Option<DocFacts> {
        let record = self.doc_record(doc)?;
        let [title, slug, project, session, agent] = record.texts;
        Some(DocFacts {
            path: VaultPath::new(&self.path_of(record.file)?)?,
            lines: record.lines,
            title: self.text(title)?,
            partition: record.partition,
            category: record.category,
            slug: self.text(slug)?,
            date: record.date,
            trust: record.trust,
            session: self.text(session)?,
            agent: self.text(agent)?,
            project: self.text(project)?,
        })
    }

    /// Returns per document whether it is wanted, reading all of them at once; what does not read is not.
    pub fn docs_where(&self, is_wanted: &dyn Fn(&Scoped<'_>) -> bool) -> Vec<bool> {
        let docs = self.part(Part::Docs).unwrap_or_default();
        let files = self.part(Part::Files).unwrap_or_default();
        let texts = self.part(Part::Texts).unwrap_or_default();
        let text = |at: u32| Reader(texts.get(at as usize..)?).text();
        let scoped = |record: &[u8; record::DOC_LEN]| {
            let doc = record::read_doc(record)?;
            let file = files.as_chunks::<{ record::FILE_LEN }>().0.get(doc.file as usize)?;
            let [title, _, project, session, agent] = doc.texts;
            let scoped = Scoped {
                path: text(record::read_file(file)?.path)?,
                title: text(title)?,
                category: doc.category,
                date: doc.date,
                project: text(project)?,
                session: text(session)?,
                agent: text(agent)?,
            };
            Some(is_wanted(&scoped))
        };
        docs.as_chunks().0.iter().map(|record| scoped(record).unwrap_or_default()).collect()
    }

    /// Returns the day of a document.
    pub fn date_of(&self, doc: u32) -> Option<Date> {
        self.doc_record(doc)?.date
    }

    /// Returns what is known of a passage.
    pub fn passage(&self, passage: u32) -> Option<PassageFacts> {
        let record = self.record(Part::Passages, passage, record::PASSAGE_LEN)?;
        let mut from = Reader(&record);
        let lines = (from.u32()?, from.u32()?);
        Some(PassageFacts { lines, heading: self.text(from.u32()?)?, speaker: self.text(from.u32()?)? })
    }

    /// Returns the first passage of every document, and behind them the number of passages.
    pub fn starts(&self) -> &[u32] {
        self.starts.get_or_init(|| {
            let bytes = self.part(Part::Starts).unwrap_or_default();
            bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
        })
    }

    /// Returns the lists of a term, or `None` when it stands nowhere here.
    pub(crate) fn term(&self, term: &str) -> Option<TermLists<'_>> {
        let heads = self.term_heads();
        let block = partition_point(heads.heads.len(), |block| heads.key(block) <= term.as_bytes()).checked_sub(1)?;
        self.find_in_block(&self.term_block(block)?, term)
    }

    /// Calls `with` with every term that begins with `first`, in order, and in how many documents it stands.
    pub(crate) fn each_term(&self, first: &str, with: &mut dyn FnMut(&str, usize)) {
        let heads = self.term_heads();
        let key = |block: usize| heads.key(block);
        let n_blocks = heads.heads.len();
        let is_behind = |key: &[u8]| key > first.as_bytes() && !key.starts_with(first.as_bytes());
        let from = partition_point(n_blocks, |block| key(block) <= first.as_bytes()).saturating_sub(1);
        let to = partition_point(n_blocks, |block| !is_behind(key(block)));
        for bytes in (from..to).map_while(|block| self.term_block(block)) {
            each_in_block(&bytes, &mut |TermHead { term, lists, .. }| {
                if term.starts_with(first.as_bytes())
                    && let Ok(term) = str::from_utf8(term)
                {
                    with(term, usize::try_from(lists[1].0).unwrap_or(usize::MAX));
                }
                !is_behind(term)
            });
        }
    }

    fn term_block(&self, block: usize) -> Option<Cow<'_, [u8]>> {
        let heads = &self.term_heads().heads;
        let start = u64::from(heads[block].1);
        let end = heads.get(block + 1).map_or(self.part_len(Part::TermBlocks), |head| u64::from(head.1));
        self.read(Part::TermBlocks, start, usize::try_from(end.checked_sub(start)?).ok()?)
    }

    fn find_in_block(&self, bytes: &[u8], wanted: &str) -> Option<TermLists<'_>> {
        let mut found = None;
        each_in_block(bytes, &mut |TermHead { term, lists, at }| {
            if term == wanted.as_bytes() {
                found = Some((lists, at));
            }
            term < wanted.as_bytes()
        });
        let ([passages, docs], at) = found?;
        let list = |at: u64, (n, impact_max, len): ListHead| {
            let bytes = self.read(Part::Lists, at, usize::try_from(len).ok()?)?;
            Some(List::new(bytes, usize::try_from(n).ok()?, impact_max))
        };
        Some(TermLists { passages: list(at, passages)?, docs: list(at + passages.2, docs)? })
    }

    fn term_heads(&self) -> &TermHeads {
        self.term_heads.get_or_init(|| {
            let keys = self.part(Part::TermKeys).unwrap_or_default().into_owned();
            let heads = self.part(Part::TermHeads).unwrap_or_default();
            let pair = |[a, b, c, d, e, f, g, h]: &[u8; 8]| {
                (u32::from_le_bytes([*a, *b, *c, *d]), u32::from_le_bytes([*e, *f, *g, *h]))
            };
            TermHeads { keys, heads: heads.as_chunks().0.iter().map(pair).collect() }
        })
    }

    fn doc_record(&self, doc: u32) -> Option<record::DocRecord> {
        record::read_doc(&self.record(Part::Docs, doc, record::DOC_LEN)?)
    }

    pub(super) fn record(&self, part: Part, n: u32, len: usize) -> Option<Cow<'_, [u8]>> {
        self.read(part, u64::from(n) * len as u64, len)
    }

    fn text(&self, at: u32) -> Option<String> {
        let left = usize::try_from(self.part_len(Part::Texts).checked_sub(at.into())?).ok()?;
        let first = self.read(Part::Texts, at.into(), left.min(TEXT_LIKELY))?;
        let mut from = Reader(&first);
        let len = usize::try_from(from.varint()?).ok().filter(|len| *len <= TEXT_MAX)?;
        if let Some(text) = from.bytes(len) {
            return str::from_utf8(text).ok().map(str::to_owned);
        }
        let skip = first.len() - from.0.len();
        let whole = self.read(Part::Texts, u64::from(at) + skip as u64, len)?;
        str::from_utf8(&whole).ok().map(str::to_owned)
    }

    pub(super) fn part_len(&self, part: Part) -> u64 {
        self.bounds[part as usize + 1] - self.bounds[part as usize]
    }

    fn part(&self, part: Part) -> Option<Cow<'_, [u8]>> {
        self.read(part, 0, usize::try_from(self.part_len(part)).ok()?)
    }

    pub(super) fn read(&self, part: Part, at: u64, len: usize) -> Option<Cow<'_, [u8]>> {
        let end = at.checked_add(len as u64)?;
        if end > self.part_len(part) {
            return None;
        }
        self.blob.read(self.bounds[part as usize] + at, len)
    }
}

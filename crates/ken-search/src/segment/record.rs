//! The records of files, documents and passages.
//!
//! | record | fields |
//! |---|---|
//! | file | path text u32, length u64, mtime i64, digest 32, first document u32, how many u32, where it stands what its page is called u32 and how many bytes u32, 0 for no page |
//! | document | file u32, lines u32 × 2, date u32, partition, category, trust, unused byte, title text u32, slug text u32, project, session and agent texts u32 × 3, unused u32 × 2 |
//! | passage | lines u32 × 2, heading text u32, speaker text u32 |

use ken_core::search::{DocFacts, Partition};
use ken_core::{Category, Date, Digest};

use crate::bytes::{Reader, Writer, date, date_code};
use crate::stamp::Stamp;

pub(super) const FILE_LEN: usize = 4 + 8 + 8 + 32 + 4 + 4 + 8;
pub(super) const DOC_LEN: usize = 4 + 8 + 4 + 4 + 4 * 5 + 8;
pub(super) const PASSAGE_LEN: usize = 16;

/// One file of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFacts {
    /// What it was like when it was read.
    pub stamp: Stamp,
    /// Its first document.
    pub first_doc: u32,
    /// How many documents it holds.
    pub n_docs: u32,
}

/// Where texts are put while a segment is written, and how they are named.
pub(super) trait Texts {
    /// Returns the place of a text.
    fn put(&mut self, text: &str) -> u32;
}

/// Writes a file: `docs` are its first document and how many it holds, `called` where it stands what its page is
/// called and how many bytes.
pub(super) fn write_file(out: &mut Writer, path: u32, stamp: &Stamp, docs: (u32, u32), called: (u32, u32)) {
    out.u32(path);
    out.u64(stamp.len);
    out.i64(stamp.mtime_ns);
    out.bytes(stamp.digest.as_bytes());
    out.u32(docs.0);
    out.u32(docs.1);
    out.u32(called.0);
    out.u32(called.1);
}

pub(super) fn write_doc(out: &mut Writer, texts: &mut dyn Texts, doc: &DocFacts, file: u32) {
    out.u32(file);
    out.u32(doc.lines.0);
    out.u32(doc.lines.1);
    out.u32(doc.date.map_or(0, date_code));
    out.byte(doc.partition as u8);
    out.byte(doc.category.and_then(|one| Category::all().position(|known| known == one)).map_or(0, |n| n as u8 + 1));
    out.byte(doc.trust);
    out.byte(0);
    for text in [&doc.title, &doc.slug, &doc.project, &doc.session, &doc.agent] {
        out.u32(texts.put(text));
    }
    out.u64(0);
}

/// A document record without its texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct DocRecord {
    pub(super) file: u32,
    pub(super) lines: (u32, u32),
    pub(super) date: Option<Date>,
    pub(super) partition: Partition,
    pub(super) category: Option<Category>,
    pub(super) trust: u8,
    /// Places of title, slug, project, session and agent.
    pub(super) texts: [u32; 5],
}

pub(super) fn read_doc(bytes: &[u8]) -> Option<DocRecord> {
    let mut from = Reader(bytes);
    let file = from.u32()?;
    let lines = (from.u32()?, from.u32()?);
    let date = date(from.u32()?);
    let partition = Partition::from_code(from.byte()?)?;
    let category = match from.byte()? {
        0 => None,
        code => Some(Category::all().nth(usize::from(code) - 1)?),
    };
    let trust = from.byte()?;
    from.byte()?;
    let texts = [from.u32()?, from.u32()?, from.u32()?, from.u32()?, from.u32()?];
    Some(DocRecord { file, lines, date, partition, category, trust, texts })
}

/// A file record: place of its path, then the rest.
pub(super) struct FileRecord {
    pub(super) path: u32,
    pub(super) len: u64,
    pub(super) mtime_ns: i64,
    pub(super) digest: Digest,
    pub(super) first_doc: u32,
    pub(super) n_docs: u32,
    /// Where it stands what its page is called, and how many bytes.
    pub(super) called: (u32, u32),
}

pub(super) fn read_file(bytes: &[u8]) -> Option<FileRecord> {
    let mut from = Reader(bytes);
    Some(FileRecord {
        path: from.u32()?,
        len: from.u64()?,
        mtime_ns: from.i64()?,
        digest: Digest::from_bytes(from.array()?),
        first_doc: from.u32()?,
        n_docs: from.u32()?,
        called: (from.u32()?, from.u32()?),
    })
}

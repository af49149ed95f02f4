//! What the pages of a segment are called, so that a name in a question is found without reading all headers.
//!
//! | record | fields |
//! |---|---|
//! | name | first eight bytes of the digest of the name u64, file u32 |
//! | what a page is called | names, then what is searched for in place of one: varint count and texts each; a byte that says whether a text follows: the page it leads to |
//!
//! Names are sorted by digest, then file. The record of a file says where it stands
//! what its page is called. Digests of two names may be the same: what counts is what the page is called.

use ken_core::{Digest, IndexEntry, Slug};

use super::{Part, Segment, record};
use crate::bytes::{Reader, Writer};

pub(super) const NAME_LEN: usize = 8 + 4;
/// Names that are read at once: below this many halving the range saves nothing.
const READ_AT_ONCE: u32 = 64;

/// What a page is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Called {
    /// Its names as slugs, its own first.
    pub names: Vec<String>,
    /// What is searched for where a question has one of them: its title and other names as they are written.
    pub written: Vec<String>,
    /// The page that it leads to.
    pub redirect_to: Option<String>,
}

impl Called {
    /// Returns what a page is called.
    pub fn of(entry: &IndexEntry) -> Called {
        Called {
            names: entry.names().iter().map(|name| name.as_str().to_owned()).collect(),
            written: std::iter::once(&entry.title).chain(&entry.aliases).cloned().collect(),
            redirect_to: entry.redirect_to.clone(),
        }
    }

    /// Returns which of its names this is: of two pages that have it the one counts whose own it is.
    fn rank_of(&self, name: &Slug) -> Option<bool> {
        self.names.iter().position(|known| known == name.as_str()).map(|n| n > 0)
    }

    pub(super) fn write(&self, out: &mut Writer) {
        for list in [&self.names, &self.written] {
            out.varint(list.len() as u64);
            list.iter().for_each(|text| out.text(text));
        }
        out.byte(u8::from(self.redirect_to.is_some()));
        self.redirect_to.iter().for_each(|text| out.text(text));
    }

    fn from_bytes(bytes: &[u8]) -> Option<Called> {
        let mut from = Reader(bytes);
        let mut list = || {
            let n_texts = from.varint()?;
            (0..n_texts).map(|_| from.text().map(str::to_owned)).collect::<Option<Vec<String>>>()
        };
        let (names, written) = (list()?, list()?);
        let redirect_to = if from.byte()? == 0 { None } else { Some(from.text()?.to_owned()) };
        Some(Called { names, written, redirect_to })
    }
}

/// The number that a name is found by.
pub(super) fn code_of(name: &str) -> u64 {
    let digest = Digest::of(name.as_bytes());
    digest.as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

impl Segment {
    /// Returns the file of the page that has a name, of those that `is_alive` says so of, with what it is called and
    /// whether the name is another than its own.
    pub(crate) fn find_called(&self, name: &Slug, is_alive: &dyn Fn(u32) -> bool) -> Option<(u32, bool, Called)> {
        let files = self.files_called(code_of(name.as_str())).into_iter().filter(|file| is_alive(*file));
        let ranked = files.filter_map(|file| {
            let called = self.called(file)?;
            Some((called.rank_of(name)?, file, called))
        });
        // Files stand in the order of their paths.
        ranked
            .min_by_key(|(is_other, file, _)| (*is_other, *file))
            .map(|(is_other, file, called)| (file, is_other, called))
    }

    /// The files whose pages may have the name of a code.
    fn files_called(&self, code: u64) -> Vec<u32> {
        let n_names = u32::try_from(self.part_len(Part::Names) / NAME_LEN as u64).unwrap_or(u32::MAX);
        let code_at = |n: u32| Reader(&self.record(Part::Names, n, NAME_LEN)?).u64();
        // Halved until few are left: those that have the code begin in this range or right behind it.
        let (mut low, mut high) = (0, n_names);
        while high - low > READ_AT_ONCE {
            let middle = low + (high - low) / 2;
            let Some(found) = code_at(middle) else { return Vec::new() };
            if found < code { low = middle + 1 } else { high = middle }
        }
        let mut files = Vec::new();
        loop {
            let n_read = READ_AT_ONCE.min(n_names - low) as usize;
            let Some(bytes) = self.read(Part::Names, u64::from(low) * NAME_LEN as u64, n_read * NAME_LEN) else {
                break;
            };
            let mut is_behind = n_read == 0;
            for record in bytes.as_chunks::<NAME_LEN>().0 {
                let mut record = Reader(record);
                let (Some(found), Some(file)) = (record.u64(), record.u32()) else { break };
                is_behind = found > code;
                if is_behind {
                    break;
                }
                files.extend(Some(file).filter(|_| found == code));
            }
            low += n_read as u32;
            if is_behind {
                break;
            }
        }
        files
    }

    /// What the page of a file is called; none where it is no page.
    fn called(&self, file: u32) -> Option<Called> {
        let found = record::read_file(&self.record(Part::Files, file, record::FILE_LEN)?)?;
        let (at, len) = found.called;
        Called::from_bytes(&self.read(Part::Called, at.into(), len as usize)?)
    }
}

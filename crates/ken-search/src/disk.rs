//! The byte layout of a table.
//!
//! All numbers are little-endian. A *text* is (offset u32, length u32) into the last part; a *varint* is
//! LEB128. Parts follow each other without gaps; the head holds where each one ends.
//!
//! | part | one record | bytes | order |
//! |---|---|---|---|
//! | head | magic, version u32, the ends of the parts u32 | 44 | |
//! | stamps | path text, length u64, mtime i64, digest | 56 | path |
//! | folders | path text, mtime i64 | 16 | path |
//! | pages | offset u32 into the entries | 4 | path |
//! | entries | what [`entry`] writes | any | path |
//! | terms | term text, number of the first posting u32, how many u32 | 16 | term |
//! | postings | page number << 2 \| field code, u32 | 4 | term, page, field |
//! | names | slug text, whether it is another than the page's slug << 31 \| page number, u32 | 12 | slug, number |
//! | texts | UTF-8 without separators | any | |
//! | tail | length of the whole table u32, magic | 12 | |
//!
//! [`VERSION`] must rise when this layout, [`ken_core::index::entry_terms`], or a code that core gives a
//! field or category changes: an older table is then no table, and the caller builds a new one.

mod build;

mod entry;
mod table;

pub use build::{Said, build, rebuild};
pub use table::Table;

/// Begins and ends every table.
const MAGIC: [u8; 8] = *b"kenroute";
/// Version of the layout and of the rules by which terms are made.
const VERSION: u32 = 7;

const N_PARTS: usize = 8;
const HEAD_LEN: usize = MAGIC.len() + 4 + 4 * N_PARTS;
const TAIL_LEN: usize = 4 + MAGIC.len();

const TEXT_LEN: usize = 4 + 4;
const STAMP_LEN: usize = TEXT_LEN + 8 + 8 + 32;
const FOLDER_LEN: usize = TEXT_LEN + 8;
const PAGE_LEN: usize = 4;
const TERM_LEN: usize = TEXT_LEN + 4 + 4;
const POSTING_LEN: usize = 4;
const NAME_LEN: usize = TEXT_LEN + 4;

/// Set in the number of a page that has a name beside its slug: of the pages of one name those come first whose
/// slug it is.
const OTHER_NAME: u32 = 1 << 31;

/// The parts of a table between head and tail, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Stamps,
    Folders,
    Pages,
    Entries,
    Terms,
    Postings,
    Names,
    Texts,
}

/// The length of one record of each part, in the order of [`Part`].
const RECORD_LEN: [usize; N_PARTS] = [STAMP_LEN, FOLDER_LEN, PAGE_LEN, 1, TERM_LEN, POSTING_LEN, NAME_LEN, 1];

#[cfg(test)]
mod tests;

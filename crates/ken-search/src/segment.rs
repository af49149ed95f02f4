//! A segment: the part of the search index that some files have, as bytes that never change.
//!
//! All numbers are little-endian; a *text* is its length as varint and its bytes, in the last part. Ids of
//! documents and passages count from 0 within their segment, in the order of the files' paths, all pages
//! before all evidence.
//!
//! | part | one record | bytes | order |
//! |---|---|---|---|
//! | head | magic, version u32, sizes u32, words u64, the ends of the parts u64 | 132 | |
//! | files | see [`record`] | 68 | path |
//! | docs | see [`record`] | 48 | id |
//! | starts | first passage u32 | 4 | document |
//! | passages | first and last line u32, heading and speaker texts u32 × 2 | 16 | id |
//! | term heads | where its key ends u32, where its block begins u32 | 8 | term |
//! | term keys | the first term of each block | any | term |
//! | term blocks | up to 64 terms: see [`write`] | any | term |
//! | lists | postings: see [`postings`] | any | term |
//! | names | see [`called`] | 12 | digest |
//! | called | see [`called`] | any | file |
//! | texts | | any | |
//! | tail | length of the whole segment u64, magic | 16 | |
//!
//! A posting is a passage (or a document) and an *impact*: how much the term says about it, 0 to 255, with
//! the weights of fields and the length of the passage already in it. Which terms there are and what they
//! weigh is made by [`ken_core::search`]; a change there or here raises [`VERSION`].

mod called;
mod list;
mod postings;
mod read;
mod record;
mod write;

pub use called::Called;
pub(crate) use list::{Cursor, List};
pub use read::{Look, Segment};
pub use record::FileFacts;
pub use write::{NewDoc, NewPassage, SegmentBuilder};

/// Begins and ends every segment.
const MAGIC: [u8; 8] = *b"kensegmt";
/// Version of the layout and of the rules by which terms and impacts are made.
pub const VERSION: u32 = 9;

const N_PARTS: usize = 11;
/// Magic, version, sizes (files of pages, passages of pages, files, passages, oldest and newest day of the
/// evidence), words, ends of parts.
const HEAD_LEN: usize = MAGIC.len() + 4 + 4 * N_COUNTS + 8 + 8 * N_PARTS;
const N_COUNTS: usize = 6;
const TAIL_LEN: usize = 8 + MAGIC.len();

/// Terms in one block: a look-up decodes one.
const BLOCK_TERMS: usize = 64;

/// The parts of a segment between head and tail, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Files,
    Docs,
    Starts,
    Passages,
    TermHeads,
    TermKeys,
    TermBlocks,
    Lists,
    Names,
    Called,
    Texts,
}

//! Tells how much of a transcript is a copy of other ones.
//!
//! A session that is forked, or resumed by an older Claude Code, gets a file that begins with the records
//! of the one before, under the new session's id. A record keeps its name, so copies are told by it.

use std::collections::BTreeSet;
use std::io::{self, BufRead};

use super::TranscriptReader;
use super::lines::{LineReader, NextLine};

/// Longest line that is looked at.
const LINE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Calls `each` with the name of each record in which something is said and with the positions where it begins
/// and ends, until it returns false.
fn names(
    reader: &dyn TranscriptReader,
    input: &mut dyn BufRead,
    each: &mut dyn FnMut(String, (u64, u64)) -> bool,
) -> io::Result<()> {
    let (mut lines, mut at) = (LineReader::new(input, LINE_BYTES_MAX), 0);
    loop {
        let next = lines.next_line()?;
        at += lines.n_bytes;
        let is_whole = next == NextLine::Held && lines.is_terminated;
        let name = if is_whole { reader.name_of(&lines.buffer) } else { None };
        if next == NextLine::End || name.is_some_and(|name| !each(name, (at - lines.n_bytes, at))) {
            return Ok(());
        }
    }
}

/// Returns the name of the first record in which something is said; `None` if no record has one.
///
/// # Errors
/// When `input` cannot be read.
pub fn first_name(reader: &dyn TranscriptReader, input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut first = None;
    names(reader, input, &mut |name, _| {
        first = Some(name);
        false
    })?;
    Ok(first)
}

/// Adds the names of all records in which something is said to `all`.
///
/// # Errors
/// When `input` cannot be read.
pub fn add_names(reader: &dyn TranscriptReader, input: &mut dyn BufRead, all: &mut BTreeSet<String>) -> io::Result<()> {
    names(reader, input, &mut |name, _| {
        all.insert(name);
        true
    })
}

/// The records of a transcript that are copies of others'.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copies {
    /// Where those at its start end, in bytes: after the last one before the first with a name of its own.
    pub until: u64,
    /// Where each of them begins, in bytes, also behind that: the other transcript may have been written anew.
    pub starts: BTreeSet<u64>,
}

/// Returns the records that stand in other transcripts under these names; `input` starts at the first one.
///
/// # Errors
/// When `input` cannot be read.
pub fn copies(reader: &dyn TranscriptReader, input: &mut dyn BufRead, others: &BTreeSet<String>) -> io::Result<Copies> {
    let mut copies = Copies::default();
    let mut is_at_start = true;
    names(reader, input, &mut |name, (start, end)| {
        let is_copy = others.contains(&name);
        is_at_start &= is_copy;
        if is_at_start {
            copies.until = end;
        }
        if is_copy {
            copies.starts.insert(start);
        }
        true
    })?;
    Ok(copies)
}

//! JSON Lines: the loop that every reader of appended files shares.
//!
//! One line at a time, in bounded memory. What is no record is counted; a last line that is not whole
//! yet is left for the next reading, so the end is always the start of a line.

use std::io::{self, BufRead};

use serde_json::value::RawValue;

use super::fields::Fields;
use super::lines::{LineReader, NextLine};
use super::reading::Reading;

/// Longest line that is held: pasted images make megabytes, conversation never does.
pub(super) const LINE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Hands every object to `each`, its fields found but not read; the rest is counted.
pub(super) fn read_objects(
    input: &mut dyn BufRead,
    out: &mut Reading<'_>,
    each: &mut dyn FnMut(&Fields<'_>, &mut Reading<'_>),
) -> io::Result<()> {
    let mut lines = LineReader::new(input, LINE_BYTES_MAX);
    loop {
        let next = lines.next_line()?;
        if next == NextLine::End {
            return Ok(());
        }
        let line = String::from_utf8_lossy(&lines.buffer);
        let line = line.trim_start_matches('\u{feff}').trim();
        let fields = match next {
            NextLine::Held if line.starts_with('{') => serde_json::from_str::<Fields<'_>>(line).ok(),
            _ => None,
        };
        let is_whole = fields.is_some() || next == NextLine::Held && serde_json::from_str::<&RawValue>(line).is_ok();
        if !lines.is_terminated && !is_whole && !line.is_empty() || !lines.is_terminated && next == NextLine::TooLong {
            // Still being written: the next reading takes it.
            out.skip("truncated-tail");
            return Ok(());
        }
        out.report.lines_read += 1;
        out.at = out.report.end_offset;
        match (next, fields) {
            (_, Some(fields)) => each(&fields, out),
            (NextLine::TooLong, _) => out.skip("too-long"),
            _ if line.is_empty() => out.skip("empty"),
            _ if !is_whole => glued(line, out, each),
            _ => out.skip("not-an-object"),
        }
        out.report.end_offset += lines.n_bytes;
    }
}

/// Reads what can be read of a line that is no single record: writers that do not wait for each other
/// leave two on one line.
fn glued(line: &str, out: &mut Reading<'_>, each: &mut dyn FnMut(&Fields<'_>, &mut Reading<'_>)) {
    for record in serde_json::Deserializer::from_str(line).into_iter::<&RawValue>() {
        match record.map(|record| serde_json::from_str::<Fields<'_>>(record.get())) {
            Ok(Ok(fields)) => each(&fields, out),
            _ => out.skip("unparsable"),
        }
    }
}

/// Returns whether a first line that is a whole object, or the start of one, passes a test.
pub(super) fn any_object(first_bytes: &[u8], test: &mut dyn FnMut(&Fields<'_>) -> bool) -> bool {
    let start = String::from_utf8_lossy(first_bytes);
    let lines = start.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    lines
        .filter(|line| line.starts_with('{'))
        .any(|line| serde_json::from_str::<Fields<'_>>(line).is_ok_and(|fields| test(&fields)))
}

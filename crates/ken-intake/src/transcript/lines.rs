//! Lines of a growing file, in bounded memory.
//!
//! A line longer than the limit is passed over without being held. The last line may be half written;
//! whether it is complete is for the caller to judge.

use std::io::{self, BufRead};

use memchr::memchr;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextLine {
    /// The buffer holds the line, without its line end.
    Held,
    /// The line was longer than the limit.
    TooLong,
    /// There was nothing left.
    End,
}

/// Reads lines and keeps count of bytes.
pub(super) struct LineReader<'a> {
    input: &'a mut dyn BufRead,
    max_bytes: usize,
    /// The line that was read last.
    pub(super) buffer: Vec<u8>,
    /// How many bytes that line took, its line end included.
    pub(super) n_bytes: u64,
    /// Whether that line had a line end.
    pub(super) is_terminated: bool,
}

impl<'a> LineReader<'a> {
    /// Returns a reader that holds at most `max_bytes` of a line.
    pub(super) fn new(input: &'a mut dyn BufRead, max_bytes: usize) -> LineReader<'a> {
        LineReader { input, max_bytes, buffer: Vec::new(), n_bytes: 0, is_terminated: false }
    }

    /// Reads the next line.
    pub(super) fn next_line(&mut self) -> io::Result<NextLine> {
        self.buffer.clear();
        (self.n_bytes, self.is_terminated) = (0, false);
        let mut is_too_long = false;
        while !self.is_terminated {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if chunk.is_empty() {
                break;
            }
            let end = memchr(b'\n', chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            is_too_long |= self.buffer.len() + part.len() > self.max_bytes;
            if is_too_long {
                // Give the memory back: one huge line must not be paid for during the whole file.
                self.buffer = Vec::new();
            } else {
                self.buffer.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.is_terminated = end.is_some();
            self.n_bytes += used as u64;
            self.input.consume(used);
        }
        Ok(match (self.n_bytes, is_too_long) {
            (0, _) => NextLine::End,
            (_, true) => NextLine::TooLong,
            _ => NextLine::Held,
        })
    }
}

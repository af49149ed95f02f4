//! What nobody sees in a text: control characters, terminal sequences, zero-width, direction and tag
//! characters.
//!
//! They let a text say something else than it shows, and let a secret pass by a rule that looks for its
//! shape. [`clean`] takes them out and keeps what scripts and emoji need to be shown right; [`unseen`] also
//! says where those are, for whoever compares a text letter by letter. Neither adds or takes a line end, so
//! every line keeps its number. Both are for text on its way in; nothing here looks at what the text says.

use std::borrow::Cow;

use memchr::memchr;

use crate::span::Span;

mod unseen;

use unseen::{Kind, each};

/// Returns a text without what nobody sees in it; line ends and tabs stay.
///
/// ```
/// # use ken_core::clean::clean;
/// assert_eq!(clean("a\u{200b}b \u{1b}[31mred\u{1b}[0m\n"), "ab red\n");
/// assert_eq!(clean("👩\u{200d}🍳 می\u{200c}روم"), "👩\u{200d}🍳 می\u{200c}روم");
/// ```
pub fn clean(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut from = 0;
    each(text, |span, kind| {
        if kind == Kind::Needed {
            return;
        }
        if out.is_empty() {
            out.reserve(text.len());
        }
        out.push_str(&text[from..span.start]);
        // A line end of another system would glue two words together.
        out.push_str(if kind == Kind::Break { " " } else { "" });
        from = span.end;
    });
    if from == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[from..]) }
}

/// Returns where a text has what nobody sees, in order; also what scripts and emoji need.
///
/// ```
/// # use ken_core::{Span, clean::unseen};
/// assert_eq!(unseen("a\u{ad}b"), [Span::new(1, 3)]);
/// ```
pub fn unseen(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    each(text, |span, _| spans.push(span));
    spans
}

/// End of the terminal sequence that begins at `at` with ESC or CSI; it never reaches over a line end.
fn sequence_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let is_csi = bytes[at] != 0x1b;
    let opening = if is_csi { at + '\u{9b}'.len_utf8() } else { at + 1 };
    let skip = |mut at: usize, range: std::ops::RangeInclusive<u8>| {
        while bytes.get(at).is_some_and(|byte| range.contains(byte)) {
            at += 1;
        }
        at
    };
    match bytes.get(opening) {
        _ if is_csi => control_end(bytes, skip(skip(opening, 0x30..=0x3f), 0x20..=0x2f)),
        Some(b'[') => control_end(bytes, skip(skip(opening + 1, 0x30..=0x3f), 0x20..=0x2f)),
        // Titles and addresses for the terminal: up to the bell or the terminator.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => string_end(bytes, opening + 1).unwrap_or(opening + 1),
        Some(0x20..=0x2f) => control_end(bytes, skip(opening, 0x20..=0x2f)),
        Some(0x30..=0x7e) => opening + 1,
        _ => opening,
    }
}

fn control_end(bytes: &[u8], at: usize) -> usize {
    at + usize::from(bytes.get(at).is_some_and(|byte| (0x30..=0x7e).contains(byte)))
}

/// Longest text within a terminal sequence; what is longer was never closed.
const STRING_LEN_MAX: usize = 4096;

fn string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = &bytes[from..bytes.len().min(from + STRING_LEN_MAX)];
    let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
    let bell = memchr(7, line).map(|at| from + at + 1);
    let terminator = memchr::memmem::find(line, b"\x1b\\").map(|at| from + at + 2);
    bell.into_iter().chain(terminator).min()
}

#[cfg(test)]
mod tests;

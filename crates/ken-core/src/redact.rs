//! Covering parts of a text by marks: the one change of the journal that takes something from it.
//!
//! A redaction is given as cuts and not as new bytes, so that whoever carries it out can only ever replace
//! what is cut by its mark. Line ends inside a cut stay: every other line keeps its number, and citations
//! of other lines hold.

use crate::span::Span;

/// Letters of a kind: words that a mark can hold.
const KIND_LEN_MAX: usize = 40;

/// A part of a file that is to be covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// What is covered.
    pub span: Span,
    /// What it is, in lower-case words joined by hyphens.
    pub kind: String,
}

/// Returns the text that stands in the place of a secret.
pub fn mark(kind: &str) -> String {
    format!("[redacted:{kind}]")
}

/// Returns the bytes with each cut covered by its mark; `None` when a cut does not lie in them, two meet, or
/// a kind is no word.
///
/// ```
/// # use ken_core::redact::{Cut, redacted};
/// # use ken_core::Span;
/// let cut = Cut { span: Span::new(4, 9), kind: "password".to_owned() };
/// assert_eq!(redacted(b"use ab\ncd now\n", &[cut]), Some(b"use [redacted:password]\n now\n".to_vec()));
/// ```
pub fn redacted(bytes: &[u8], cuts: &[Cut]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for cut in cuts {
        let is_word = |kind: &str| kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        if cut.span.start >= cut.span.end || cut.kind.len() > KIND_LEN_MAX || !is_word(&cut.kind) {
            return None;
        }
        out.extend_from_slice(bytes.get(at..cut.span.start)?);
        out.extend_from_slice(mark(&cut.kind).as_bytes());
        let covered = bytes.get(cut.span.start..cut.span.end)?;
        out.extend(covered.iter().filter(|byte| **byte == b'\n'));
        at = cut.span.end;
    }
    out.extend_from_slice(bytes.get(at..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(start: usize, end: usize) -> Cut {
        Cut { span: Span::new(start, end), kind: "jwt".to_owned() }
    }

    #[test]
    fn line_numbers_stay() {
        let out = redacted(b"a\nSECRET\nSECRET\nb\n", &[cut(2, 15)]).expect("fits");
        assert_eq!(out, b"a\n[redacted:jwt]\n\nb\n");
    }

    #[test]
    fn cuts_that_do_not_fit_are_refused() {
        assert_eq!(redacted(b"abc", &[cut(2, 4)]), None);
        assert_eq!(redacted(b"abc", &[cut(1, 3), cut(2, 3)]), None);
        assert_eq!(redacted(b"abc", &[cut(1, 1)]), None);
        let with_line = Cut { kind: "a\nb".to_owned(), ..cut(0, 1) };
        assert_eq!(redacted(b"abc", &[with_line]), None);
    }
}

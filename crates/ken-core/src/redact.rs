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
    /// Whether it stands in a name, such as a path in a record: then it is covered by a word that may stand there
    /// too, [`name_for`].
    pub in_name: bool,
}

impl Cut {
    /// Returns the cut of a part of a text.
    pub fn new(span: Span, kind: &str) -> Cut {
        Cut { span, kind: kind.to_owned(), in_name: false }
    }

    /// Returns the cut of a part of a name.
    pub fn in_name(span: Span, kind: &str) -> Cut {
        Cut { in_name: true, ..Cut::new(span, kind) }
    }
}

/// Returns the text that stands in the place of a secret.
pub fn mark(kind: &str) -> String {
    format!("[redacted:{kind}]")
}

/// Returns the word that stands in the place of what was covered in a name.
pub fn name_for(kind: &str) -> String {
    format!("redacted-{kind}")
}

/// Returns whether a text has no letter or digit but those of marks: it says nothing any more.
///
/// ```
/// # use ken_core::redact::is_covered;
/// assert!(is_covered("- [redacted:forgotten] **[redacted:password]**."));
/// assert!(!is_covered("[redacted:forgotten] left") && !is_covered("- "));
/// ```
pub fn is_covered(text: &str) -> bool {
    let mut rest = text;
    let mut has_mark = false;
    while let Some((before, after)) = rest.split_once("[redacted:") {
        let Some((kind, after)) = after.split_once(']').filter(|(kind, _)| is_word(kind)) else { return false };
        if before.chars().any(char::is_alphanumeric) || kind.is_empty() {
            return false;
        }
        (rest, has_mark) = (after, true);
    }
    has_mark && !rest.chars().any(char::is_alphanumeric)
}

fn is_word(kind: &str) -> bool {
    kind.len() <= KIND_LEN_MAX && kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// Returns the bytes with each cut covered by its mark; `None` when a cut does not lie in them, two meet, or
/// a kind is no word.
///
/// ```
/// # use ken_core::redact::{Cut, redacted};
/// # use ken_core::Span;
/// let cut = Cut::new(Span::new(4, 9), "password");
/// assert_eq!(redacted(b"use ab\ncd now\n", &[cut]), Some(b"use [redacted:password]\n now\n".to_vec()));
/// ```
pub fn redacted(bytes: &[u8], cuts: &[Cut]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for cut in cuts {
        if cut.span.start >= cut.span.end || !is_word(&cut.kind) {
            return None;
        }
        out.extend_from_slice(bytes.get(at..cut.span.start)?);
        let covered = if cut.in_name { name_for(&cut.kind) } else { mark(&cut.kind) };
        out.extend_from_slice(covered.as_bytes());
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
        Cut::new(Span::new(start, end), "jwt")
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

//! Search syntax: phrases, exclusions, filters, and the prose between them.

use crate::search::scope::Scope;
use crate::span::Span;

/// A part of a question by what it is in search syntax.
pub(super) enum Piece<'a> {
    Prose(Span),
    Phrase(Span),
    Without(Span),
    Filter(&'a str, String),
}

/// Cuts a question at its syntax.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let (mut at, mut prose) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let is_start = at == 0 || text[..at].ends_with(|ch: char| ch.is_whitespace() || ch == '(');
        let found = if is_start { syntax(rest) } else { None };
        match found {
            Some((piece, len)) => {
                if prose < at {
                    out.push(Piece::Prose(Span::new(prose, at)));
                }
                out.push(match piece {
                    Piece::Phrase(span) => Piece::Phrase(span.shifted(at)),
                    Piece::Without(span) => Piece::Without(span.shifted(at)),
                    other => other,
                });
                at += len;
                prose = at;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    if prose < text.len() {
        out.push(Piece::Prose(Span::new(prose, text.len())));
    }
    out
}

/// The syntax that a text begins with, and its length.
fn syntax(rest: &str) -> Option<(Piece<'_>, usize)> {
    if let Some((span, len)) = quoted(rest) {
        return Some((Piece::Phrase(span), len));
    }
    if let Some(behind) = rest.strip_prefix('-') {
        if let Some((span, len)) = quoted(behind) {
            return Some((Piece::Without(span.shifted(1)), len + 1));
        }
        let len = behind.find(char::is_whitespace).unwrap_or(behind.len());
        let word = behind[..len].trim_end_matches(|ch: char| !ch.is_alphanumeric() && ch != '+');
        // `-v` and `--flag` are options of programs, `-5` is a number.
        let is_word = word.chars().count() > 1 && word.starts_with(|ch: char| ch.is_alphabetic() || ch == '#');
        return is_word.then(|| (Piece::Without(Span::new(1, word.len() + 1)), len + 1));
    }
    let (field, behind) = rest.split_once(':')?;
    if !Scope::FIELDS.iter().any(|(known, _)| *known == field) {
        return None;
    }
    let (value, len) = match quoted(behind) {
        Some((span, len)) => (span.of(behind), len),
        None => {
            let len = behind.find(char::is_whitespace).unwrap_or(behind.len());
            (&behind[..len], len)
        }
    };
    (!value.is_empty()).then(|| (Piece::Filter(field, value.to_owned()), field.len() + 1 + len))
}

/// What stands between the quotation marks a text begins with, and the length with them.
fn quoted(text: &str) -> Option<(Span, usize)> {
    let (open, close) = match text.chars().next()? {
        '"' => ('"', '"'),
        '“' => ('“', '”'),
        '«' => ('«', '»'),
        '「' => ('「', '」'),
        _ => return None,
    };
    let start = open.len_utf8();
    let end = start + text[start..].find(close)?;
    (end > start).then(|| (Span::new(start, end), end + close.len_utf8()))
}

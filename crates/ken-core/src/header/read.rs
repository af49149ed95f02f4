//! Finds the header of a text.
//!
//! Reading looks at the top of the text only: a `---` block must begin at the first byte (after a BOM
//! and blank lines), a comment block within [`COMMENT_WITHIN`] bytes. A block without one `key:` line
//! is not a header, so a page that opens with a rule stays whole.

use super::{Field, FieldName, Header, Shape, Style};
use crate::diagnostic::{Note, Parsed, Severity};
use crate::span::Span;

/// How far into a text an HTML comment may hold the header: past a doctype, `<html>` and a `<head>`.
const COMMENT_WITHIN: usize = 4096;

/// Fields that room is made for at once.
const FIELDS_LIKELY_MAX: usize = 32;

/// Returns the header of `text` and where its body begins (the end of the block).
pub fn read_header(text: &str) -> Parsed<Header> {
    let top = text.len() - text.trim_start_matches(['\u{feff}', '\n', '\r']).len();
    let rest = &text[top..];
    if is_fence(first_line(rest)) {
        return fenced(text, top);
    }
    if let Some(header) = comment(text) {
        return Parsed::clean(header);
    }
    Parsed::clean(none(text))
}

/// No header: the body begins behind a byte order mark, which belongs to the file, not to its text.
fn none(text: &str) -> Header {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    Header { shape: Shape::None, block: Span::new(bom, bom), inner: Span::new(bom, bom), fields: Vec::new() }
}

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or("")
}

/// A fence is three hyphens alone on a line; trailing white space is common and allowed.
fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

fn fenced(text: &str, top: usize) -> Parsed<Header> {
    let inner_start = top + first_line(&text[top..]).len() + 1;
    let mut at = inner_start.min(text.len());
    while at < text.len() {
        let line = first_line(&text[at..]);
        let next = (at + line.len() + 1).min(text.len());
        if is_fence(line) || line.trim_end() == "..." {
            let inner = Span::new(inner_start, at);
            let mut parsed = fields(text, inner);
            if parsed.value.is_empty() && !inner.of(text).trim().is_empty() {
                return Parsed::clean(none(text));
            }
            let fields = std::mem::take(&mut parsed.value);
            let value = Header { shape: Shape::Fenced, block: Span::new(0, next), inner, fields };
            return Parsed { value, notes: parsed.notes };
        }
        at = next;
    }
    let parsed = fields(text, Span::new(inner_start.min(text.len()), text.len()));
    let mut notes = Vec::new();
    if parsed.value.iter().any(|field| field.name.is_some()) {
        let span = Span::new(top, (top + 3).min(text.len()));
        let message = "the header has no closing `---`, so all of it reads as body".to_owned();
        notes.push(Note { rule: "header-unclosed", severity: Severity::Error, span, message });
    }
    Parsed { value: none(text), notes }
}

/// The first comment near the top that holds a field Kenning knows.
fn comment(text: &str) -> Option<Header> {
    let mut from = 0;
    while let Some(open) = text[from..].find("<!--").map(|at| from + at).filter(|at| *at <= COMMENT_WITHIN) {
        let inner_start = open + 4;
        let close = inner_start + text[inner_start..].find("-->")?;
        let inner = Span::new(inner_start, close);
        let found = fields(text, inner).value;
        let known = |field: &Field| field.name.is_some() && field.key.of(text).chars().all(|ch| !ch.is_lowercase());
        if found.iter().any(known) {
            let mut end = close + 3;
            end += text[end..].len() - text[end..].trim_start_matches('\r').len();
            end += usize::from(text[end..].starts_with('\n'));
            return Some(Header { shape: Shape::Comment, block: Span::new(open, end), inner, fields: found });
        }
        from = close + 3;
    }
    None
}

/// Reads `key: value` lines. A line that is indented, or a list item, belongs to the field above it.
fn fields(text: &str, inner: Span) -> Parsed<Vec<Field>> {
    let n_lines = memchr::memchr_iter(b'\n', inner.of(text).as_bytes()).take(FIELDS_LIKELY_MAX).count();
    let mut out: Vec<Field> = Vec::with_capacity(n_lines);
    let mut notes = Vec::new();
    let mut at = inner.start;
    while at < inner.end {
        let end = memchr::memchr(b'\n', &text.as_bytes()[at..inner.end]).map_or(inner.end, |nl| at + nl + 1);
        let line = text[at..end].trim_end_matches(['\n', '\r']);
        let is_continuation = line.starts_with([' ', '\t']) || line.starts_with("- ") || line.trim_end() == "-";
        let skip = line.trim().is_empty() || line.trim_start().starts_with('#') || is_fence(line);
        if is_continuation && !line.trim().is_empty() {
            if let Some(field) = out.last_mut().filter(|field| continues(text, field, at)) {
                let value_end = at + line.trim_end().len();
                if field.value.start == field.value.end {
                    field.value = Span::new(at, value_end);
                    field.is_block = true;
                } else {
                    field.value.end = value_end;
                }
                field.lines.end = end;
            }
        } else if let Some(field) = key_line(line, at, end) {
            out.push(field);
        } else if !skip {
            let message = format!("`{}` is not a `key: value` line", crate::text::cut(line.trim(), 60));
            let span = Span::new(at, at + line.len());
            notes.push(Note { rule: "header-line", severity: Severity::Warning, span, message });
        }
        at = end;
    }
    Parsed { value: out, notes }
}

/// A continuation belongs to the field above when only blank lines or comments stand between.
fn continues(text: &str, field: &Field, at: usize) -> bool {
    field.style == Style::Yaml && text[field.lines.end..at].lines().all(|line| line.trim().is_empty())
}

fn key_line(line: &str, at: usize, end: usize) -> Option<Field> {
    let colon = memchr::memchr(b':', line.as_bytes())?;
    let key = &line[..colon];
    let trimmed = key.trim_end();
    let is_key = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.' | ' ' | '/');
    if trimmed.is_empty() || trimmed.starts_with([' ', '-', '#']) || !trimmed.chars().all(is_key) {
        return None;
    }
    let raw = &line[colon + 1..];
    if !raw.is_empty() && !raw.starts_with([' ', '\t']) {
        return None;
    }
    let is_ckp = trimmed.chars().any(char::is_uppercase) && !trimmed.chars().any(char::is_lowercase);
    let value_start = at + colon + 1 + (raw.len() - raw.trim_start().len());
    let value = Span::new(value_start, value_start + raw.trim().len());
    let style = if is_ckp { Style::Ckp } else { Style::Yaml };
    let name = FieldName::of_key(trimmed);
    Some(Field {
        name,
        key: Span::new(at, at + trimmed.len()),
        value,
        lines: Span::new(at, end),
        style,
        is_block: false,
    })
}

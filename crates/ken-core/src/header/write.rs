//! Changes single values of a header, in kind, and renders new headers.

use super::{Field, FieldName, Header, Shape, Style, encode_list, encode_scalar};
use crate::span::Span;

/// A value to put into a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// One text.
    Scalar(String),
    /// A list of texts.
    List(Vec<String>),
}

impl From<&str> for FieldValue {
    fn from(value: &str) -> FieldValue {
        FieldValue::Scalar(value.to_owned())
    }
}

impl From<Vec<String>> for FieldValue {
    fn from(values: Vec<String>) -> FieldValue {
        FieldValue::List(values)
    }
}

impl FieldValue {
    fn encode(&self, style: Style) -> String {
        match self {
            FieldValue::Scalar(value) => encode_scalar(value, style),
            FieldValue::List(values) => encode_list(values, style),
        }
    }
}

/// What a text without a header gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewBlock {
    /// A YAML block between fences.
    Yaml,
    /// CKP fields between fences.
    Ckp,
    /// CKP fields in an HTML comment.
    Comment,
}

/// Returns `text` with one field of its header set; every other byte stays.
///
/// An existing value is replaced where it stands, a missing field is added at the end of the block in
/// the style of its neighbours, and a text without a header gets the block that `new` says.
pub fn set_field(text: &str, header: &Header, name: FieldName, value: &FieldValue, new: NewBlock) -> String {
    let Some(field) = header.field(name) else { return add_field(text, header, name, value, new) };
    if current(text, header, field, name) == *value {
        return text.to_owned();
    }
    let encoded = value.encode(field.style);
    if field.is_block {
        return splice(text, field.value, &block_or_line(text, field, value));
    }
    let pad = if field.value.start > 0 && text.as_bytes()[field.value.start - 1] == b':' { " " } else { "" };
    splice(text, keep_comment(text, field), &format!("{pad}{encoded}"))
}

/// Returns `text` without a field of its header; every other byte stays. A text without the field stays as it is.
pub fn without_field(text: &str, header: &Header, name: FieldName) -> String {
    header.field(name).map_or_else(|| text.to_owned(), |field| splice(text, field.lines, ""))
}

/// The value as it reads now, in the form of the wanted one, so that an unchanged value keeps its quoting.
fn current(text: &str, header: &Header, _field: &Field, name: FieldName) -> FieldValue {
    let list = header.list(text, name);
    match name {
        FieldName::Aliases | FieldName::Triggers | FieldName::High | FieldName::Mid | FieldName::Sources => {
            FieldValue::List(list)
        }
        _ => FieldValue::Scalar(header.scalar(text, name).unwrap_or_default()),
    }
}

/// The bytes to replace: the value without a YAML comment behind it.
fn keep_comment(text: &str, field: &Field) -> Span {
    let raw = field.value.of(text);
    let plain = field.style == Style::Yaml && !raw.starts_with(['"', '\'']);
    let end = raw.find(" #").filter(|_| plain).map_or(raw.len(), |at| raw[..at].trim_end().len());
    Span::new(field.value.start, field.value.start + end)
}

/// A block list stays a block list with the indentation and line ends it had.
fn block_or_line(text: &str, field: &Field, value: &FieldValue) -> String {
    let raw = field.value.of(text);
    let indent: String = raw.chars().take_while(|ch| ch.is_whitespace()).collect();
    let newline = if field.lines.of(text).contains("\r\n") { "\r\n" } else { "\n" };
    match value {
        FieldValue::Scalar(value) => format!("{indent}- {}", encode_scalar(value, Style::Yaml)),
        FieldValue::List(values) => {
            let line = |value: &String| format!("{indent}- {}", encode_scalar(value, Style::Yaml));
            values.iter().map(line).collect::<Vec<_>>().join(newline)
        }
    }
}

fn add_field(text: &str, header: &Header, name: FieldName, value: &FieldValue, new: NewBlock) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    if header.shape == Shape::None {
        let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let style = if new == NewBlock::Yaml { Style::Yaml } else { Style::Ckp };
        let is_html = new == NewBlock::Comment;
        let line = format!("{}: {}", name.key(style), value.encode(style));
        let (open, close) = if is_html { ("<!--", "-->") } else { ("---", "---") };
        // A doctype must stay first, or browsers fall into quirks mode.
        let doctype = text.get(bom..bom + 9).is_some_and(|start| is_html && start.eq_ignore_ascii_case("<!doctype"));
        let at = if doctype { text.find('>').map_or(bom, |end| end + 1) } else { bom };
        let before = if doctype { newline } else { "" };
        let block = format!("{before}{open}{newline}{line}{newline}{close}{newline}");
        return splice(text, Span::new(at, at), &block);
    }
    let style = header.style();
    let at = header.fields.last().map_or(header.inner.end, |field| field.lines.end).min(header.inner.end);
    let needs_line_end = at > 0 && !text[..at].ends_with('\n');
    let line = format!("{}: {}{newline}", name.key(style), value.encode(style));
    let line = if needs_line_end { format!("{newline}{line}") } else { line };
    splice(text, Span::new(at, at), &line)
}

fn splice(text: &str, span: Span, with: &str) -> String {
    let mut out = String::with_capacity(text.len() + with.len());
    out.push_str(&text[..span.start]);
    out.push_str(with);
    out.push_str(&text[span.end..]);
    out
}

/// Returns a new YAML block with its fences, fields in the given order.
pub fn render_header(fields: &[(FieldName, FieldValue)]) -> String {
    let mut out = String::from("---\n");
    for (name, value) in fields {
        out.push_str(name.key(Style::Yaml));
        out.push_str(": ");
        out.push_str(&value.encode(Style::Yaml));
        out.push('\n');
    }
    out.push_str("---\n");
    out
}

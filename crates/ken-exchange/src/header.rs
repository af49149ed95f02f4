//! Headers in other formats' spelling: YAML with our values, and the lines of a page's own header byte for byte.

use ken_core::header::{FieldName, Header, Style, encode_list, encode_scalar};
use ken_core::page::Page;

/// A YAML block that is being written.
pub(crate) struct Block(String);

impl Block {
    pub(crate) fn new() -> Block {
        Block("---\n".to_owned())
    }

    /// Adds a key with one value; an empty one is left out.
    pub(crate) fn scalar(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.0.push_str(&format!("{key}: {}\n", encode_scalar(value, Style::Yaml)));
        }
    }

    /// Adds a key with a list; an empty one is left out.
    pub(crate) fn list<S: AsRef<str>>(&mut self, key: &str, values: &[S]) {
        if !values.is_empty() {
            self.0.push_str(&format!("{key}: {}\n", encode_list(values, Style::Yaml)));
        }
    }

    /// Adds lines as they are.
    pub(crate) fn raw(&mut self, lines: &str) {
        self.0.push_str(lines);
        if !lines.ends_with('\n') {
            self.0.push('\n');
        }
    }

    /// Adds lines as they are, if there are any.
    pub(crate) fn raw_if(&mut self, lines: &str) {
        if !lines.is_empty() {
            self.raw(lines);
        }
    }

    pub(crate) fn finish(mut self) -> String {
        self.0.push_str("---\n");
        self.0
    }
}

/// Returns the value of a key that Kenning does not know, of a page's header.
pub(crate) fn unknown<'p>(page: &'p Page, key: &str) -> Option<&'p str> {
    let Header { fields, .. } = &page.header;
    fields
        .iter()
        .find(|field| field.key.of(&page.text).eq_ignore_ascii_case(key))
        .map(|field| field.lines.of(&page.text))
}

/// Returns the lines of the fields that some test takes, byte for byte, in order.
pub(crate) fn lines_where(page: &Page, is_wanted: impl Fn(Option<FieldName>, &str) -> bool) -> String {
    let fields = page.header.fields.iter();
    let wanted = fields.filter(|field| is_wanted(field.name, field.key.of(&page.text)));
    wanted.map(|field| field.lines.of(&page.text).replace("\r\n", "\n")).collect()
}

/// Returns a name that every file system stores: lower case, letters, digits and hyphens.
pub fn plain_name(name: &str) -> String {
    let mut out = String::new();
    for ch in name.chars().flat_map(char::to_lowercase) {
        match ch {
            'a'..='z' | '0'..='9' => out.push(ch),
            _ if !out.ends_with('-') && !out.is_empty() => out.push('-'),
            _ => {}
        }
    }
    let out = out.trim_end_matches('-');
    let cut = &out[..out.len().min(64)];
    if cut.is_empty() { "vault".to_owned() } else { cut.trim_end_matches('-').to_owned() }
}

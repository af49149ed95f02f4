//! What a document says, and the lines in which a copy says it.

use ken_core::header::{Style, encode_scalar};
use ken_core::time::leading_date;

/// What a document says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Its text: Markdown, HTML or plain, as the ending says.
    pub text: String,
    /// What the copy is called besides the name of the document (`.md`); empty where the name can stay.
    pub ending: &'static str,
    /// What of it could not be read.
    pub lost: Vec<String>,
}

impl Told {
    /// Text that stands as it is.
    pub(super) fn plain(text: String) -> Told {
        Told { text, ..Told::default() }
    }
}

/// What is known of a document besides its text.
#[derive(Debug, Clone, Default)]
pub(super) struct About {
    /// What it is called.
    pub(super) title: Option<String>,
    /// Of when it is, as it spells that.
    pub(super) date: Option<String>,
}

impl About {
    /// The text with a header that says what is known, in Markdown.
    pub(super) fn above(&self, body: &str) -> String {
        let fields = self.fields();
        let body = tidy(body);
        if fields.is_empty() { body } else { format!("---\n{fields}---\n\n{body}") }
    }

    /// The lines of a header.
    pub(super) fn fields(&self) -> String {
        let title = self.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
        let title = title.map(|title| format!("title: {}\n", encode_scalar(title, Style::Yaml))).unwrap_or_default();
        let date = self.date.as_deref().and_then(leading_date);
        title + &date.map(|date| format!("date: {date}\n")).unwrap_or_default()
    }
}

/// The text with one empty line where there are several, and one line end behind it.
pub(super) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_open = false;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() {
            is_open = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut is_open) {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// A line of prose that is no heading, list, fence or rule of Markdown, whatever it begins with.
#[cfg(any(feature = "pdf", feature = "documents"))]
pub(super) fn prose(line: &str) -> String {
    let line = line.trim();
    let is_rule = line.len() > 1 && line.chars().all(|ch| matches!(ch, '-' | '=' | '*' | '_' | ' '));
    match line.chars().next() {
        Some('#' | '>' | '|' | '~' | '`') => format!("\\{line}"),
        Some(_) if is_rule => format!("\\{line}"),
        _ => line.to_owned(),
    }
}

/// The name of a file as a title.
#[cfg(any(feature = "pdf", feature = "documents"))]
pub(super) fn title_of(stem: &str) -> String {
    stem.replace(['_', '-'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

//! The text of an HTML document as Markdown, with the source line of every line.
//!
//! Tags are read as browsers read them, and become what a document of Markdown would say: headings, lists, code in
//! fences, tables, links, images. Whatever runs, frames or decorates is left out; character references are decoded,
//! and what they spell is cleaned and scrubbed as every text that comes in. It is not a renderer and trusts nothing:
//! nesting of any depth costs no stack, and every step is linear.

use std::borrow::Cow;

use ken_core::header::FieldName;
use ken_core::page::Page;
use ken_core::source::saved_from;
use ken_core::text::one_line;
use ken_intake::scrub::readable;

mod table;
mod tokens;
mod writer;

/// What an HTML document says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prose {
    /// Its text as Markdown.
    pub text: String,
    /// Per line of the text, the line of the source it came from, from 1.
    pub lines: Vec<usize>,
    /// What it is called: its title, else its first heading.
    pub title: Option<String>,
}

/// Returns what a document says.
pub fn read(html: &str) -> Prose {
    // Lines end as in the index of lines, which knows one end only.
    let html = if html.contains('\r') {
        Cow::Owned(html.replace("\r\n", "\n").replace('\r', " "))
    } else {
        Cow::Borrowed(html)
    };
    let mut prose = writer::written(tokens::tokens(&html));
    if let Some((address, line)) = saved_from(&html) {
        let n_lines = prose.text.lines().count();
        prose.lines.resize(n_lines, line);
        let end = if prose.text.is_empty() || prose.text.ends_with('\n') { "" } else { "\n" };
        prose.text.push_str(&format!("{end}\nThis page was saved from {address}\n"));
        prose.lines.extend([line, line]);
    }
    // What was hidden in references shows only now.
    if let Cow::Owned(text) = readable(&prose.text) {
        prose.text = text;
    }
    prose.title = prose.title.map(|title| one_line(&readable(&title))).filter(|title| !title.is_empty());
    prose
}

/// Returns the text and, per line of it, the line of the source it came from.
pub fn to_text(html: &str) -> (String, Vec<usize>) {
    let prose = read(html);
    (prose.text, prose.lines)
}

/// Returns what a page of HTML is called.
pub fn title_of(page: &Page, prose: &Prose) -> String {
    page.scalar(FieldName::Title).or_else(|| prose.title.clone()).unwrap_or_else(|| page.title())
}

#[cfg(test)]
mod tests;

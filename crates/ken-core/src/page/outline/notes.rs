//! The marks and footnotes of a page, as they are read and written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::claim::SourceRef;
use crate::markdown::{BlockKind, blocks};
use crate::path::VaultPath;
use crate::span::Span;

/// One footnote definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footnote {
    /// Its label, without `[^` and `]`.
    pub label: String,
    /// The whole definition.
    pub span: Span,
    /// The text behind the colon.
    pub text: Span,
}

/// The labels of the footnote marks `[^label]` in a text.
pub(crate) fn labels(text: &str) -> Vec<String> {
    let marks = text.match_indices("[^").filter(|(at, _)| !text[..*at].ends_with('\\'));
    // The next bracket is that of all marks before it, so it is looked for once.
    let mut close = 0;
    let label = |(at, _): (usize, &str)| {
        if close < at + 2 {
            close = text[at + 2..].find(']').map_or(text.len(), |end| at + 2 + end);
        }
        (close < text.len()).then(|| &text[at + 2..close])
    };
    let is_label = |label: &&str| !label.is_empty() && !label.contains(char::is_whitespace);
    marks.map_while(label).filter(is_label).map(str::to_owned).collect()
}

/// Returns a text without its footnote marks.
pub fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("[^") {
        let Some(end) = rest[at..].find(']') else { break };
        out.push_str(&rest[..at]);
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out
}

/// What stands before a footnote that cites nothing, where it is handed over.
const NOTE: &str = "Note: ";

/// Returns a text without its footnote marks, in which what footnotes say stays; `is_footnote` says that the text itself
/// is what one says.
pub(crate) fn with_footnotes(text: &str, is_footnote: bool) -> String {
    static DEFINED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^\[\^[^\]\s]+\]: ").expect("a pattern of ours"));
    let said = without_marks(&DEFINED.replace_all(text, NOTE));
    if is_footnote { format!("{NOTE}{said}") } else { said }
}

/// Returns the footnote definitions of a body, in order.
pub fn footnotes(text: &str, body: Span) -> Vec<Footnote> {
    let found = blocks(text, body).filter(|block| block.kind == BlockKind::Footnote);
    found.filter_map(|block| read_footnote(text, block.span)).collect()
}

/// Returns what a footnote says that cites nothing: one of a document.
pub(crate) fn said_in_footnote(text: &str, span: Span) -> Option<Span> {
    let note = read_footnote(text, span)?;
    let said = note.text.of(text);
    (!said.is_empty() && SourceRef::parse(said).is_none()).then_some(note.text)
}

/// Returns the label of the footnote whose text begins somewhere: what stands before it is `[^label]:`.
pub(crate) fn label_of_footnote(text: &str, start: usize) -> Option<&str> {
    let before = text[..start].trim_end().strip_suffix("]:")?;
    let label = &before[before.rfind("[^")? + 2..];
    (!label.is_empty() && !label.contains(['\n', ']', ' '])).then_some(label)
}

/// Returns the mark of a label as it stands in a text: `[^label]`.
pub(crate) fn mark_of(label: &str) -> String {
    format!("[^{label}]")
}

fn read_footnote(text: &str, span: Span) -> Option<Footnote> {
    let definition = span.of(text);
    let end = definition.find("]:")?;
    let label = definition.get(2..end)?.to_owned();
    let rest = &definition[end + 2..];
    let start = span.end - rest.trim_start().len();
    Some(Footnote { label, span, text: Span::new(start, span.end) })
}

/// A sentence without the marks at its end, and those.
pub(super) fn split_marks(said: &str) -> (&str, &str) {
    let mut text = said;
    while let Some(at) = text.strip_suffix(']').and_then(|rest| rest.rfind("[^")) {
        let is_mark = !text[..at].ends_with('\\') && !text[at + 2..text.len() - 1].contains([']', ' ', '\n']);
        if !is_mark {
            break;
        }
        text = &text[..at];
    }
    said.split_at(text.len())
}

/// Footnotes that are numbered in the order of their first mark.
#[derive(Debug, Clone, Default)]
pub struct Footnotes {
    cited: Vec<SourceRef>,
    /// The position of each place in `cited`.
    places: BTreeMap<(VaultPath, (usize, usize)), usize>,
}

impl Footnotes {
    /// Returns the marks of places, each once.
    pub fn marks<'r>(&mut self, refs: impl IntoIterator<Item = &'r SourceRef>) -> String {
        let mut out = String::new();
        let mut marked = BTreeSet::new();
        for cited in refs {
            let n = *self.places.entry((cited.path.clone(), cited.lines)).or_insert_with(|| {
                self.cited.push(cited.clone());
                self.cited.len() - 1
            });
            // Two claims may rest on the same lines.
            if marked.insert(n) {
                out.push_str(&format!("[^{}]", n + 1));
            }
        }
        out
    }

    /// Returns what is cited, in order.
    pub fn cited(&self) -> &[SourceRef] {
        &self.cited
    }

    /// Returns the footnotes, a line each.
    pub fn render(&self) -> String {
        let line = |(n, cited): (usize, &SourceRef)| format!("[^{}]: {cited}\n", n + 1);
        let lines: String = self.cited.iter().enumerate().map(line).collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }
}

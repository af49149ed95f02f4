//! Links of a page in the spelling of another format.

use ken_core::Span;
use ken_core::snapshot::{PageFacts, Snapshot};

/// A link that leads to a page.
pub(crate) struct Leading<'a> {
    /// The page it leads to.
    pub(crate) to: &'a PageFacts,
    /// The heading or block there, if it names one.
    pub(crate) anchor: Option<&'a str>,
    /// What it shows: its own words, else the title of the page.
    pub(crate) shown: &'a str,
    /// Whether it is to show the page itself.
    pub(crate) is_embed: bool,
    /// Whether it stands in a table, where the bar of a link is written `\|`.
    pub(crate) is_in_table: bool,
}

/// Returns a page's text from `span.start` to its end with every link that leads to a page written anew, and all other
/// bytes as they are.
pub(crate) fn relinked(
    snapshot: &Snapshot,
    page_idx: usize,
    span: Span,
    write: &dyn Fn(&Leading<'_>) -> String,
) -> String {
    let facts = &snapshot.pages[page_idx];
    let text = &facts.page.text;
    let mut out = String::with_capacity(span.end - span.start);
    let mut from = span.start;
    for (link, lead) in facts.links.iter().zip(&snapshot.leads(page_idx).links) {
        let (Some(to), true) = (lead, link.span.start >= from && link.span.end <= span.end) else { continue };
        let to = &snapshot.pages[*to];
        let anchor = link.anchor.map(|anchor| anchor.of(text));
        let shown = link.shown.map_or(to.entry.title.as_str(), |shown| shown.of(text));
        out.push_str(&text[from..link.span.start]);
        let is_in_table = link.span.of(text).contains("\\|");
        out.push_str(&write(&Leading { to, anchor, shown, is_embed: link.is_embed, is_in_table }));
        from = link.span.end;
    }
    out.push_str(&text[from..span.end]);
    out
}

/// Returns text that stands between the brackets of a Markdown link and ends none.
pub(crate) fn between_brackets(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]").replace(['\n', '\r'], " ")
}

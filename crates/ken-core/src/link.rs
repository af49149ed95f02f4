//! Links with their byte ranges: wikilinks, and Markdown links to files.
//!
//! `[[slug]]`, `[[folder/slug]]`, `[[slug|shown]]`, `[[slug#Heading]]`, `[[slug#^block]]`,
//! `![[embed]]`, `[[vault:slug]]`. Text in code, in comments, or behind a backslash is not a link.
//!
//! [`file`] reads Markdown links; [`rewrite`] makes links that led to a page lead to where it is now.

pub mod file;
pub mod rewrite;

use std::borrow::Cow;

use memchr::memmem;

use crate::markdown::{BlockKind, blocks, code_spans};
use crate::span::Span;
use file::{decoded, file_links};

/// Text that points to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The whole link with its brackets and, for an embed, the `!`.
    pub span: Span,
    /// What it points to, as written: without shown text, heading and vault.
    pub target: Span,
    /// The part behind `#`, if any.
    pub anchor: Option<Span>,
    /// The text to show, if any.
    pub shown: Option<Span>,
    /// The shared vault it points into, if any.
    pub vault: Option<Span>,
    /// Whether it embeds its target.
    pub is_embed: bool,
}

/// Longest link: longer than any path, short enough that an unclosed `[[` stays cheap.
const LINK_BYTES_MAX: usize = 512;

/// Returns a text with what its links show in their place.
pub fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for link in links(text, Span::new(0, text.len())) {
        out.push_str(&text[from..link.span.start]);
        out.push_str(link.shown.unwrap_or(link.target).of(text));
        from = link.span.end;
    }
    out.push_str(&text[from..]);
    out
}

/// Returns the links of `text` within `body`, in order.
pub fn links(text: &str, body: Span) -> Vec<Link> {
    let mut out = Vec::new();
    if memmem::find(body.of(text).as_bytes(), b"[[").is_none() {
        return out;
    }
    if !may_hide_links(text, body) {
        plain_links(text, body, &mut out);
        return out;
    }
    for block in blocks(text, body) {
        if matches!(block.kind, BlockKind::Code | BlockKind::Comment) {
            continue;
        }
        block_links(text, block.span, &mut out);
    }
    out
}

/// Returns the links of `text` within `body` that may lead to pages, in order: wikilinks, and Markdown links to a file
/// of the vault, `[the tools](tools-api.md#dump)`.
pub fn page_links(text: &str, body: Span) -> Vec<Link> {
    let mut out = links(text, body);
    if memmem::find(body.of(text).as_bytes(), b"](").is_some() {
        let n_wiki = out.len();
        for block in blocks(text, body) {
            if !matches!(block.kind, BlockKind::Code | BlockKind::Comment) {
                out.extend(file_links(text, block.span).into_iter().filter(|link| link.names_page(text)));
            }
        }
        if n_wiki > 0 {
            out.sort_by_key(|link| link.span.start);
        }
    }
    out
}

impl Link {
    /// Returns whether it is written as Markdown links are, so that it names a file beside its own and not a page.
    pub fn names_file(&self, text: &str) -> bool {
        text[self.span.start..].trim_start_matches('!').starts_with('[') && !self.span.of(text).contains("[[")
    }

    /// Returns what it points to as it is meant: of a Markdown link without percent signs, `my%20page.md`.
    pub fn name<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let target = self.target.of(text);
        if self.names_file(text) { decoded(target) } else { Cow::Borrowed(target) }
    }

    /// Whether a Markdown link leads to a Markdown file.
    fn names_page(&self, text: &str) -> bool {
        self.name(text).ends_with(".md")
    }
}

/// Whether a body has anything in which brackets are not links: code of any kind, or comments.
fn may_hide_links(text: &str, body: Span) -> bool {
    let bytes = body.of(text).as_bytes();
    let indented = |at: usize| bytes[at + 1..].starts_with(b"    ") || bytes[at + 1..].starts_with(b"\t");
    memchr::memchr2(b'`', b'~', bytes).is_some()
        || memmem::find(bytes, b"<!--").is_some()
        || bytes.starts_with(b"    ")
        || bytes.starts_with(b"\t")
        || memchr::memchr_iter(b'\n', bytes).any(indented)
}

/// The links of a body in which every pair of brackets is one.
fn plain_links(text: &str, body: Span, out: &mut Vec<Link>) {
    let mut from = body.start;
    for at in memmem::find_iter(body.of(text).as_bytes(), b"[[").map(|n| body.start + n) {
        let at = at + usize::from(text[at + 2..body.end].starts_with('['));
        let escaped = at > 0 && text.as_bytes()[at - 1] == b'\\';
        if at >= from
            && !escaped
            && let Some(link) = read_link(text, at, body.end)
        {
            from = link.span.end;
            out.push(link);
        }
    }
}

fn block_links(text: &str, block: Span, out: &mut Vec<Link>) {
    let bytes = block.of(text).as_bytes();
    let mut found = memmem::find_iter(bytes, b"[[").peekable();
    if found.peek().is_none() {
        return;
    }
    let code = if memchr::memchr(b'`', bytes).is_some() { code_spans(text, block) } else { Vec::new() };
    let comments = comments(text, block);
    let mut from = block.start;
    for at in found.map(|n| block.start + n) {
        // In `[[[a]]` the link begins at the second bracket.
        let at = at + usize::from(text[at + 2..block.end].starts_with('['));
        let escaped = at > 0 && text.as_bytes()[at - 1] == b'\\';
        if at < from || escaped || is_within(&code, at) || is_within(&comments, at) {
            continue;
        }
        if let Some(link) = read_link(text, at, block.end) {
            from = link.span.end;
            out.push(link);
        }
    }
}

/// Returns the wikilinks of a text in which nothing is code: the value of a header's field.
pub fn links_of_value(text: &str, value: Span) -> Vec<Link> {
    let mut out = Vec::new();
    plain_links(text, value, &mut out);
    out
}

/// Whether a byte lies in one of the spans, which are in order.
fn is_within(spans: &[Span], at: usize) -> bool {
    let n_before = spans.partition_point(|span| span.start <= at);
    n_before > 0 && at < spans[n_before - 1].end
}

/// The comments of a block; one that does not end reaches to the block's end.
fn comments(text: &str, block: Span) -> Vec<Span> {
    let bytes = block.of(text).as_bytes();
    let opens = memmem::find_iter(bytes, b"<!--");
    let mut ends = memmem::find_iter(bytes, b"-->").peekable();
    opens
        .map(|open| {
            while ends.next_if(|end| *end < open).is_some() {}
            // What begins before the end stands behind it in the text.
            let end = ends.peek().map_or(bytes.len(), |end| end + 3);
            Span::new(block.start + open, block.start + end)
        })
        .collect()
}

fn read_link(text: &str, at: usize, end: usize) -> Option<Link> {
    let mut stop = end.min(at + LINK_BYTES_MAX);
    while !text.is_char_boundary(stop) {
        stop -= 1;
    }
    let start = at + 2;
    let close = start + memmem::find(text.get(start..stop)?.as_bytes(), b"]]")?;
    let inner = &text[start..close];
    if inner.contains(['[', '\n']) || inner.trim().is_empty() {
        return None;
    }
    let bar = memchr::memchr(b'|', inner.as_bytes()).map_or(close, |n| start + n);
    // In a table the bar is written `\|`.
    let name_end = if text[start..bar].ends_with('\\') { bar - 1 } else { bar };
    let hash = memchr::memchr(b'#', &text.as_bytes()[start..name_end]).map_or(name_end, |n| start + n);
    let (vault, name_start) = match memchr::memchr(b':', &text.as_bytes()[start..hash]) {
        Some(n) if n > 0 => (Some(Span::new(start, start + n)), start + n + 1),
        _ => (None, start),
    };
    let is_embed = at > 0 && text.as_bytes()[at - 1] == b'!';
    Some(Link {
        span: Span::new(at - usize::from(is_embed), close + 2),
        target: trimmed(text, name_start, hash),
        anchor: (hash < name_end).then(|| trimmed(text, hash + 1, name_end)),
        shown: (bar < close).then(|| trimmed(text, bar + 1, close)),
        vault,
        is_embed,
    })
}

fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let piece = &text[start..end];
    let lead = piece.len() - piece.trim_start().len();
    Span::new(start + lead, start + lead + piece.trim().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, targets: &[&str]) {
        let found = links(text, Span::new(0, text.len()));
        assert_eq!(found.iter().map(|link| link.target.of(text)).collect::<Vec<_>>(), targets);
    }

    #[test]
    fn every_shape_names_its_target() {
        check(
            "[[a]] [[f/b]] [[c|shown]] [[d#Head]] [[e#^x|y]] ![[g.png]] [[team:h]]",
            &["a", "f/b", "c", "d", "e", "g.png", "h"],
        );
    }

    #[test]
    fn code_is_not_a_link() {
        check("use `[[x]]` and [[y]]\n\n```\n[[z]]\n```\n\n    [[w]]\n", &["y"]);
    }

    #[test]
    fn shell_tests_in_prose_code_are_not_links() {
        check("`if [[ -z \"$x\" ]]; then`", &[]);
    }

    #[test]
    fn comments_and_escapes_are_not_links() {
        check("<!-- [[a]] --> \\[[b]] x <!-- [[c]] --> [[d]]", &["d"]);
    }

    #[test]
    fn titles_and_unicode_are_targets() {
        check("[[Auth Middleware]] e [[Città]]", &["Auth Middleware", "Città"]);
    }

    #[test]
    fn markdown_links_to_files_name_them() {
        let check = |text: &str, targets: &[&str]| {
            let found = page_links(text, Span::new(0, text.len()));
            assert_eq!(found.iter().map(|link| link.target.of(text)).collect::<Vec<_>>(), targets, "{text}");
            assert!(found.iter().all(|link| link.names_file(text) == link.target.of(text).ends_with(".md")));
        };
        check("[a](a.md) [[b]] [c](../x/c.md#Head) ![d](d.md)", &["a.md", "b", "../x/c.md", "d.md"]);
        check("`[a](a.md)` <!-- [b](b.md) --> \\[c](c.md)\n\n```\n[d](d.md)\n```\n", &[]);
        check("[a](https://x.example/a.md) [b](b.png) [c](/c.md) [d](#d) [e](e e.md)", &[]);
        check(
            "[a](a.md 'title') [b](b.md \"it\") [c](<c c.md>) [d](d%20d.md#H)",
            &["a.md", "b.md", "c c.md", "d%20d.md"],
        );
        check("[a](a.md [b](<b.md [c](c.md 'open) [d](d.md x)", &[]);
    }

    #[test]
    fn a_same_page_anchor_has_an_empty_target() {
        check("[[#Heading]]", &[""]);
    }

    #[test]
    fn table_cells_escape_the_bar() {
        check("| [[a\\|b]] |", &["a"]);
    }

    #[test]
    fn unclosed_and_nested_brackets_are_text() {
        check("[[a\n]] [[[b]] [[ ]]", &["b"]);
    }

    proptest! {
        #[test]
        fn the_short_way_finds_what_the_long_way_finds(text in "([\\[\\]|#:!\\\\ a\né-]|\\[\\[|\\]\\]){0,40}") {
            let body = Span::new(0, text.len());
            prop_assume!(!may_hide_links(&text, body));
            let mut slow = Vec::new();
            blocks(&text, body).for_each(|block| block_links(&text, block.span, &mut slow));
            prop_assert_eq!(links(&text, body), slow);
        }

        #[test]
        fn links_never_panic_and_spans_nest(text in "([\\[\\]|#:`!\\\\ a\né]|\\[\\[|\\]\\]){0,40}") {
            for link in links(&text, Span::new(0, text.len())) {
                prop_assert!(text.get(link.span.start..link.span.end).is_some());
                prop_assert!(link.span.start <= link.target.start && link.target.end <= link.span.end);
            }
        }
    }
}

//! Markdown links to files of the vault: `[shown](place.md#Heading "title")`, `![picture](<my file.png>)`, and the
//! definitions of links, `[label]: place.md`.

use std::borrow::Cow;

use memchr::memmem;

use super::{LINK_BYTES_MAX, Link, comments, is_within};
use crate::markdown::code_spans;
use crate::span::Span;

/// Returns the Markdown links of a block that name a file relative to theirs, of whatever sort, in order. What begins
/// with a scheme, at some root, or with `#`, is none.
pub fn file_links(text: &str, block: Span) -> Vec<Link> {
    let bytes = block.of(text).as_bytes();
    let code = if memchr::memchr(b'`', bytes).is_some() { code_spans(text, block) } else { Vec::new() };
    let comments = comments(text, block);
    let is_text = |at: &usize| !is_within(&code, *at) && !is_within(&comments, *at);
    let inline = memmem::find_iter(bytes, b"](").map(|n| block.start + n).filter(is_text);
    let mut out: Vec<Link> = inline.filter_map(|at| inline_link(text, at, block)).collect();
    out.extend(definitions(text, block).filter(|link| is_text(&link.span.start)));
    out.sort_by_key(|link| link.span.start);
    out
}

/// The link whose `](` stands at a place.
fn inline_link(text: &str, at: usize, block: Span) -> Option<Link> {
    let open = text[block.start..at].rfind('[').map(|n| block.start + n)?;
    let is_escaped = open > 0 && text.as_bytes()[open - 1] == b'\\';
    let (target, anchor, end) = destination(text, at + 2, block.end)?;
    let close = end + behind_title(text.get(end..capped(text, end, block.end))?)?;
    let is_embed = open > 0 && text.as_bytes()[open - 1] == b'!';
    (!is_escaped).then(|| Link {
        span: Span::new(open - usize::from(is_embed), close),
        target,
        anchor,
        shown: Some(Span::new(open + 1, at)),
        vault: None,
        is_embed,
    })
}

/// The definitions of links that a block holds, each on a line of its own.
fn definitions(text: &str, block: Span) -> impl Iterator<Item = Link> {
    let mut at = block.start;
    let lines = block.of(text).split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    });
    lines.filter_map(move |(start, line)| {
        let label = line.strip_prefix('[').filter(|label| !label.starts_with(['^', '[']))?;
        let close = start + 1 + label.find("]:")?;
        let from = close + 2 + text[close + 2..].bytes().take_while(|byte| *byte == b' ').count();
        let (target, anchor, end) = destination(text, from, (start + line.trim_end().len()).max(from))?;
        let shown = Some(Span::new(start + 1, close));
        Some(Link { span: Span::new(start, end), target, anchor, shown, vault: None, is_embed: false })
    })
}

/// The end of a stretch in which a link that begins at a place must end.
fn capped(text: &str, start: usize, end: usize) -> usize {
    let mut stop = end.min(start + LINK_BYTES_MAX);
    while !text.is_char_boundary(stop) {
        stop -= 1;
    }
    stop
}

/// The place that is named from a byte on, what stands behind its `#`, and where it ends.
fn destination(text: &str, start: usize, end: usize) -> Option<(Span, Option<Span>, usize)> {
    let inside = text.get(start..capped(text, start, end))?;
    let (from, to, behind) = match inside.strip_prefix('<') {
        Some(rest) => {
            let close = rest.find(['>', '\n']).filter(|close| rest.as_bytes()[*close] == b'>')?;
            (start + 1, start + 1 + close, start + close + 2)
        }
        None => {
            let to = start + inside.find([')', ' ', '\n', '\t']).unwrap_or(inside.len());
            (start, to, to)
        }
    };
    let place = &text[from..to];
    // A scheme, a place that starts at some root, and one on the same page are no file beside this one.
    if place.contains([':', '<', '(', '\\']) || place.starts_with(['/', '#']) || place.is_empty() {
        return None;
    }
    let hash = place.find('#').map_or(to, |n| from + n);
    Some((Span::new(from, hash), (hash < to).then(|| Span::new(hash + 1, to)), behind))
}

/// How far it is to behind the `)` that closes a link, over a title if there is one.
fn behind_title(text: &str) -> Option<usize> {
    let rest = text.trim_start();
    let skipped = text.len() - rest.len();
    let title = match rest.as_bytes().first()? {
        quote @ (b'"' | b'\'') if skipped > 0 => 2 + rest[1..].find(char::from(*quote))?,
        _ => 0,
    };
    let behind = &rest[title..];
    let close = behind.len() - behind.trim_start().len();
    behind[close..].starts_with(')').then_some(skipped + title + close + 1)
}

/// Returns a place without percent signs; one that reads as no text stays as it is.
pub fn decoded(place: &str) -> Cow<'_, str> {
    if !place.contains('%') {
        return Cow::Borrowed(place);
    }
    let (bytes, mut out, mut at) = (place.as_bytes(), Vec::with_capacity(place.len()), 0);
    while at < bytes.len() {
        let code = place.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).map_or(Cow::Borrowed(place), Cow::Owned)
}

/// Returns a place as a link without angle brackets spells it.
pub fn encoded(place: &str) -> String {
    let mut out = String::with_capacity(place.len());
    for ch in place.chars() {
        match ch {
            ' ' | '%' | '(' | ')' | '<' | '>' | '#' | '?' | '"' | '\'' => out.push_str(&format!("%{:02X}", ch as u32)),
            _ => out.push(ch),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_every_sort_are_named_in_every_spelling() {
        let text = "![p](img/a.png) [b](<my b.pdf> \"t\") [c](c.md#H 'it') [d](d%20d.md)\n[ref]: e.md \"t\"\n[^1]: f.md\n[<g>]: <g g.md>";
        let found = file_links(text, Span::new(0, text.len()));
        let targets: Vec<&str> = found.iter().map(|link| link.target.of(text)).collect();
        assert_eq!(targets, ["img/a.png", "my b.pdf", "c.md", "d%20d.md", "e.md", "g g.md"]);
        assert_eq!(found[1].span.of(text), "[b](<my b.pdf> \"t\")");
        assert_eq!(found[2].anchor.map(|anchor| anchor.of(text)), Some("H"));
    }

    #[test]
    fn percent_signs_are_read_and_written() {
        assert_eq!(decoded("a%20b%C3%A9%zz%"), "a bé%zz%");
        assert_eq!(decoded("%ff"), "%ff");
        assert_eq!(decoded(&encoded("a (b) %20 é#?.md")), "a (b) %20 é#?.md");
    }
}

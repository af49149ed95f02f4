//! The form of documents: names, links and code as they may stand on a page.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use ken_core::language::phrases;
use ken_core::markdown::code_spans;
use ken_core::source::page_number;
use ken_core::text::one_line;
use ken_core::words::{Weight, weight, words};
use ken_core::{Span, VaultPath};
use regex::Regex;

use ken_core::text::capital;

/// The labels whose places a document gives on lines of their own, in lower case, with these places.
pub(super) type Labels = BTreeMap<String, String>;

/// These places, each with the line that says it and the label there.
pub(super) type DefinedPlaces = BTreeMap<String, (usize, String)>;

/// Longest label and longest target of a link, in characters.
const LINK_CHARS_MAX: usize = 400;
/// Fewest marks of a fence.
const FENCE_MIN: usize = 3;

/// Returns whether a title or heading says nothing of what a document is about: every document may have one.
pub fn is_generic(name: &str) -> bool {
    if page_number(name).is_some() {
        return true;
    }
    let name = name.to_lowercase();
    name.is_empty() || phrases(|lexicon| lexicon.pages.generic_titles).any(|title| title == name)
}

/// Returns whether a heading names a release, of which a document has many: `1.4.2 (2026-03-01)`.
pub fn is_release(name: &str) -> bool {
    static RELEASE: OnceLock<Regex> = OnceLock::new();
    let release = RELEASE.get_or_init(|| {
        Regex::new(r"(?i)^(?:\[?v(?:ersion )?)?\[?\d+\.\d+[\w.+-]*\]?(?:\s*[-–—(:,]*\s*[\d/. -]*\)?)?$")
            .expect("a pattern of ours")
    });
    release.is_match(name)
}

/// Returns what a document is called: its title, or where that says nothing its file and folder.
pub(super) fn named(title: &str, path: &VaultPath) -> String {
    // The file or its folder says which one it is.
    let spaced = |name: &str| name.replace(['-', '_'], " ");
    if !is_generic(title) && !is_release(title) {
        return title.to_owned();
    }
    let folder = path.parent().map(|parent| parent.file_name().to_owned()).unwrap_or_default();
    let stem = path.stem();
    if !is_generic(stem) {
        return capital(&spaced(stem));
    }
    if folder.is_empty() || path.as_str().matches('/').count() < 2 {
        stem.to_owned()
    } else {
        format!("{} {}", spaced(&folder), stem)
    }
}

/// Returns the number of the item whose content begins at a place: `3. Run it`.
pub(super) fn number_before(text: &str, start: usize) -> Option<u32> {
    let before = text[..start].rsplit('\n').next()?.trim();
    before.strip_suffix(['.', ')'])?.parse().ok()
}

/// Returns the text of an item without the markers of the lists that begin in it: `1. * Stir.`
pub(super) fn without_marker(item: &str) -> &str {
    let mut inner = item;
    // However many there are: a document may consist of them.
    while let Some(rest) = ["* ", "- ", "+ "].iter().find_map(|marker| inner.strip_prefix(marker)) {
        inner = rest.trim_start();
    }
    inner
}

/// Returns whether a section lists what stands in others.
pub(super) fn is_contents(section: &str) -> bool {
    let section = section.to_lowercase();
    phrases(|lexicon| lexicon.pages.contents_titles).any(|title| title == section)
}

/// Returns whether a line tells a renderer something: `!!! note`, `::: tip`, `{% include … %}`, `{: #run }`.
pub(super) fn is_directive(line: &str) -> bool {
    ["!!!", "???", ":::", "{%", "{:", "<!--", "%}"].iter().any(|mark| line.starts_with(mark))
}

/// Returns whether a text stands where its author has yet to write: `TODO: describe the door.`
pub(super) fn is_placeholder(text: &str) -> bool {
    ["TODO", "TBD", "FIXME", "XXX"].iter().any(|mark| {
        text.strip_prefix(mark).is_some_and(|rest| !rest.starts_with(|ch: char| ch.is_alphanumeric() || ch == '_'))
    })
}

/// Returns what stands before code that only a heading leads in: its name without what numbers it as an example, or the
/// title, where every document may have such a heading.
pub(super) fn before_code(heading: &str, title: &str) -> String {
    let (label, rest) = heading.split_once(": ").unwrap_or(("", heading));
    let name = if is_generic(label) { rest } else { heading };
    let name = if is_generic(name) { title } else { name };
    let is_ended = name.ends_with(['?', '!', '.', ':', '…']);
    format!("{name}{}", if is_ended { "" } else { ":" })
}

/// Returns the name of a tab, below which its text or code is indented: `=== "Linux"`.
pub(super) fn tab(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix("===")?.trim_start_matches(['!', '+']).trim();
    let name = name.strip_prefix('"')?.strip_suffix('"')?;
    (!name.is_empty() && !name.contains('"')).then_some(name)
}

/// Returns whether a text is nothing but what a template engine or a renderer takes in from a file.
pub(super) fn is_taken_in(text: &str) -> bool {
    let text = text.trim();
    let is_one =
        |open: &str, close: &str| text.starts_with(open) && text.ends_with(close) && text.matches(open).count() == 1;
    is_one("{{", "}}") && text.contains('(')
        || is_one("{%", "%}") && text.contains("include")
        || text.starts_with("--8<--")
}

/// Returns whether a text is nothing but an address.
pub(super) fn is_address(text: &str) -> bool {
    let bare = text.trim_matches(['<', '>', '.']);
    !bare.contains(' ') && (bare.starts_with("https://") || bare.starts_with("http://"))
}

/// Returns the addresses of a text that says nothing besides: `Find it [here](https://…).`
pub(super) fn pointed_at(text: &str) -> Option<Vec<String>> {
    let (mut places, mut is_pointer, mut n_words) = (Vec::new(), true, 0);
    let labels = Labels::new();
    each_piece(text, &labels, &mut |piece| match piece {
        Piece::Text(text) => {
            let words = words(text);
            n_words += words.len();
            is_pointer &= words.into_iter().all(|word| weight(word.of(text)) != Weight::Strong);
        }
        Piece::Link(label, target) => {
            // `here (Marketplace)`
            let is_here =
                |word: &Span| word.of(label).starts_with(char::is_lowercase) && weight(word.of(label)) == Weight::Stop;
            is_pointer &= words(label).first().is_some_and(is_here);
            is_pointer &= is_address(target);
            places.push(target.to_owned());
        }
        Piece::Image(_) => is_pointer = false,
    });
    (is_pointer && n_words <= POINTER_WORDS_MAX && !places.is_empty()).then_some(places)
}

/// Returns a text whose links that a document defines on lines of their own are their labels.
pub(super) fn without_defined(text: &str, places: &DefinedPlaces) -> String {
    let mut out = String::with_capacity(text.len());
    let none = Labels::new();
    each_piece(text, &none, &mut |piece| match piece {
        Piece::Text(text) | Piece::Image(text) => out.push_str(text),
        Piece::Link(label, target) if places.contains_key(target) => out.push_str(label),
        Piece::Link(label, target) => out.push_str(&format!("[{label}]({target})")),
    });
    out
}

/// Most words around the links of a text that only says where something is.
const POINTER_WORDS_MAX: usize = 4;

/// Returns whether a line says where a label leads: `[label]: place`.
pub(super) fn is_definition(line: &str) -> bool {
    line.starts_with('[')
        && line.find("]:").is_some_and(|at| {
            let place = line[at + 2..].trim();
            let is_place = !place.contains(' ') && place.contains(['.', '/', '#']);
            !line[..at].contains(' ') || is_place || place.starts_with(['h', '#', '.', '/'])
        })
}

/// Returns a heading without links, emphasis and attributes.
pub(super) fn plain_heading(raw: &str) -> String {
    let text = one_line(raw);
    let text = text.rsplit_once('{').filter(|(_, rest)| rest.ends_with('}')).map_or(text.as_str(), |(name, _)| name);
    let plain = without_entities(&as_read(&labels_only(text).replace("**", ""), &Labels::new()));
    plain.trim().trim_end_matches('#').trim().to_owned()
}

/// A text with a blank in the place of each named character (`&emsp;`), of which few are letters.
fn without_entities(text: &str) -> String {
    static ENTITIES: OnceLock<Regex> = OnceLock::new();
    let entities = ENTITIES.get_or_init(|| Regex::new(r"&(?:[a-zA-Z]{2,8}|#\d{1,6});").expect("a pattern of ours"));
    one_line(&entities.replace_all(text, " "))
}

fn labels_only(text: &str) -> String {
    let mut out = String::new();
    each_piece(text, &Labels::new(), &mut |piece| match piece {
        Piece::Text(text) => out.push_str(text),
        Piece::Link(label, _) if !label.starts_with("![") => out.push_str(label),
        Piece::Link(..) | Piece::Image(_) => {}
    });
    out
}

/// Returns a text whose links to other documents are links to their places, and whose links inside the document are
/// their labels; links elsewhere stay, and so do images, which become their description and address on a page.
pub(super) fn relinked(text: &str, path: &VaultPath, labels: &Labels) -> String {
    let mut out = String::with_capacity(text.len());
    each_piece(text, labels, &mut |piece| match piece {
        Piece::Text(text) => out.push_str(text),
        // An image whose place stands elsewhere, and a badge, say nothing.
        Piece::Image(image) => out.push_str(if image.ends_with(')') { image } else { "" }),
        Piece::Link(label, _) if label.starts_with("![") => {}
        Piece::Link(label, target) => match place(target, path) {
            Some(place) if !label.contains(['|', '[', ']']) => out.push_str(&format!("[[/{place}|{label}]]")),
            _ if target.starts_with("https://") || target.starts_with("http://") => {
                out.push_str(&format!("[{label}]({target})"));
            }
            _ => out.push_str(label),
        },
    });
    out
}

/// Returns the labels whose places a document gives on lines of their own: `[label]: place`.
pub(super) fn defined_labels(text: &str) -> Labels {
    text.lines().filter_map(definition).map(|(label, place)| (label.to_lowercase(), place.to_owned())).collect()
}

/// Returns the places that a document gives to labels, each with its first line, counted from 1, and its label there.
pub(super) fn defined_places(text: &str) -> DefinedPlaces {
    let mut out = DefinedPlaces::new();
    for (n, (label, place)) in text.lines().enumerate().filter_map(|(n, line)| Some((n, definition(line)?))) {
        out.entry(place.to_owned()).or_insert_with(|| (n + 1, label.to_owned()));
    }
    out
}

/// The label and the place that a line gives it.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (label, rest) = Some(line.trim()).filter(|line| is_definition(line))?.strip_prefix('[')?.split_once("]:")?;
    Some((label, rest.split_whitespace().next().unwrap_or("").trim_matches(['<', '>'])))
}

/// Returns a text as a reader sees it: without tags of HTML, and labels without their brackets; code stays.
pub(super) fn as_read(text: &str, labels: &Labels) -> String {
    static MARKS: OnceLock<Regex> = OnceLock::new();
    let marks = MARKS.get_or_init(|| {
        // What a template engine puts there stands in no source: `{{ version }}`, `{% include … %}`.
        let tags = "code|tt|samp|var|mark|abbr|blockquote|ins|del|details|summary|sup|sub|br|p|div|span|a|b|i|u|em|strong|small|center|kbd|hr|table|thead|tbody|tr|td|th|ul|ol|li|h[1-6]|picture|source|figure|figcaption|img|video|iframe|font|pre|section|dl|dt|dd";
        Regex::new(&format!(r"</?(?:{tags})(?:\s[^<>]*)?/?>|\{{\{{[^{{}}]*\}}\}}|\{{%[^{{}}]*%\}}|\[([^\[\]]{{1,80}})\]")).expect("a pattern of ours")
    });
    let codes = code_spans(text, Span::new(0, text.len()));
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for found in marks.captures_iter(text) {
        let (Some(all), label) = (found.get(0), found.get(1)) else { continue };
        let is_code = codes.iter().any(|code| code.start <= all.start() && all.end() <= code.end);
        let is_link = text[all.end()..].starts_with(['(', ']']) || text[..all.start()].ends_with('[');
        let is_known = |label: &str| label.starts_with('^') || labels.contains_key(&label.to_lowercase());
        if is_code || label.is_some_and(|label| is_link || !is_known(label.as_str())) {
            continue;
        }
        out.push_str(&text[from..all.start()]);
        // What a footnote of the document says stands in the document.
        out.push_str(label.map(|label| label.as_str()).filter(|label| !label.starts_with('^')).unwrap_or(""));
        from = all.end();
    }
    out.push_str(&text[from..]);
    one_line(&out)
}

/// The document that a target leads to, seen from another one.
fn place(target: &str, from: &VaultPath) -> Option<VaultPath> {
    let target = target.split(['#', '?']).next().unwrap_or("");
    let is_document = [".md", ".markdown", ".html", ".htm", ".txt"].iter().any(|ending| target.ends_with(ending));
    if !is_document || target.contains(':') || target.starts_with('/') {
        return None;
    }
    let folder = from.parent()?;
    let mut parts: Vec<&str> = folder.as_str().split('/').collect();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    VaultPath::new(&parts.join("/"))
}

enum Piece<'a> {
    Text(&'a str),
    /// Label and target; the target is empty where nothing says it.
    Link(&'a str, &'a str),
    /// An image as it stands.
    Image(&'a str),
}

/// Walks over a text: code and wikilinks are text.
fn each_piece<'a>(text: &'a str, labels: &'a Labels, with: &mut dyn FnMut(Piece<'a>)) {
    let (mut from, mut at) = (0, 0);
    while let Some(next) = text[at..].find(['`', '[']).map(|n| at + n) {
        let rest = &text[next..];
        if rest.starts_with('`') {
            let width = rest.len() - rest.trim_start_matches('`').len();
            let close = rest[width..].find(&rest[..width]).map(|end| next + end + 2 * width);
            at = close.unwrap_or(next + width);
            continue;
        }
        if rest.starts_with("[[") {
            at = rest.find("]]").map_or(next + 2, |end| next + end + 2);
            continue;
        }
        let Some((label, target, len)) = link(rest, labels) else {
            at = next + 1;
            continue;
        };
        let is_image = text[from..next].ends_with('!');
        let start = next - usize::from(is_image);
        with(Piece::Text(&text[from..start]));
        with(if is_image { Piece::Image(&text[start..next + len]) } else { Piece::Link(label, target) });
        (from, at) = (next + len, next + len);
    }
    with(Piece::Text(&text[from..]));
}

/// Label, target and length of the link that a text begins with.
fn link<'a>(text: &'a str, labels: &'a Labels) -> Option<(&'a str, &'a str, usize)> {
    let defined = |label: &str| labels.get(&label.to_lowercase()).map(String::as_str);
    let mut depth = 0_usize;
    let close = text.char_indices().take(LINK_CHARS_MAX).find_map(|(at, ch)| {
        depth = match ch {
            '[' => depth + 1,
            ']' => depth.saturating_sub(1),
            _ => depth,
        };
        (depth == 0).then_some(at)
    })?;
    let (label, rest) = (&text[1..close], &text[close + 1..]);
    // A footnote leads nowhere else, and what stands behind it is another one: `[^1][^2]`.
    if label.starts_with('^') {
        return None;
    }
    if let Some(rest) = rest.strip_prefix('(') {
        let mut depth = 1_usize;
        let end = rest.char_indices().take(LINK_CHARS_MAX).find_map(|(at, ch)| {
            depth = match ch {
                '(' => depth + 1,
                ')' => depth - 1,
                _ => depth,
            };
            (depth == 0).then_some(at)
        })?;
        let target = rest[..end].split_whitespace().next().unwrap_or("");
        return Some((label, target, close + end + 3));
    }
    if let Some(rest) = rest.strip_prefix('[') {
        let end = rest.find(']').filter(|end| *end < 200)?;
        let name = if end == 0 { label } else { &rest[..end] };
        return Some((label, defined(name).unwrap_or(""), close + end + 3));
    }
    let target = defined(label).filter(|_| !rest.starts_with(':'))?;
    Some((label, target, close + 1))
}

/// Returns code in a fence that nothing in it can end, without what its lines are indented by; empty for none.
///
/// Whatever fence it stood in: one that was never closed, or that another reading of Markdown closes elsewhere, would
/// let out what stands in it, or take in what stands behind it.
pub(super) fn fenced(code: &str, indent: usize) -> String {
    let cut = |line: &str| -> String {
        let n = line.len() - line.trim_start_matches([' ', '\t']).len();
        line[n.min(indent)..].trim_end().to_owned()
    };
    let mut lines: Vec<String> = code.lines().map(cut).collect();
    let first = lines.first().map_or("", String::as_str);
    let run = |line: &str, mark: char| line.len() - line.trim_start_matches(mark).len();
    let (mark, width) =
        ['`', '~'].map(|mark| (mark, run(first, mark))).into_iter().max_by_key(|(_, n)| *n).unwrap_or_default();
    let mut language = String::new();
    if width >= FENCE_MIN {
        let is_word = |ch: &char| ch.is_alphanumeric() || matches!(ch, '-' | '_' | '+' | '#' | '.');
        language = lines.remove(0)[width..].trim_start().chars().take_while(is_word).collect();
        let closes = |line: &String| run(line.trim(), mark) >= width && line.trim().chars().all(|ch| ch == mark);
        if lines.last().is_some_and(closes) {
            lines.pop();
        }
    }
    if lines.iter().all(String::is_empty) {
        return String::new();
    }
    let inside = lines.iter().map(|line| run(line.trim_start(), '`')).max().unwrap_or(0);
    let fence = "`".repeat(FENCE_MIN.max(inside + 1));
    format!("{fence}{language}\n{}\n{fence}\n", lines.join("\n"))
}

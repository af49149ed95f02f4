//! Makes what led to a page lead to where it is now: wikilinks, Markdown links, citations, and the names in headers.
//!
//! Only the part that names the page is changed, in the manner in which it was written; text that is shown, headings,
//! quotes, code and comments stay byte for byte.

use std::collections::BTreeSet;

use super::file::{encoded, file_links};
use super::{Link, links, links_of_value};
use crate::header::{Field, FieldName, Relation, read_header};
use crate::markdown::{BlockKind, blocks};
use crate::page::page_slug;
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::snapshot::Snapshot;
use crate::span::Span;

/// What a page is called, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// Its file.
    pub path: VaultPath,
    /// Its title.
    pub title: String,
}

/// A page, or a part of one, that is to be found elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// What led to it.
    pub from: Called,
    /// What leads to it now.
    pub to: Called,
    /// What of the page moved, where it is not all of it: its headings as [`anchor_key`] spells them.
    pub part: Option<BTreeSet<String>>,
    /// A heading that is called otherwise now, and how.
    pub heading: Option<(String, String)>,
}

/// Returns what all spellings of the anchor of a link share: a heading's words, or a block's name with its `^`.
pub fn anchor_key(anchor: &str) -> String {
    let last = anchor.rsplit('#').next().unwrap_or(anchor).trim();
    match last.starts_with('^') {
        true => last.to_owned(),
        false => Slug::from_text(last).map_or_else(String::new, |slug| slug.as_str().to_owned()),
    }
}

/// Rewrites references; `snapshot` is the vault before anything moved.
#[derive(Clone, Copy)]
pub struct Rewrite<'a> {
    /// The pages as they were.
    pub snapshot: &'a Snapshot,
    /// What moved.
    pub moves: &'a [Move],
}

/// Bytes of a text with what is to stand in their place.
type Changes = Vec<(Span, String)>;

impl Rewrite<'_> {
    /// Returns the text of a file that stood at one place and stands at another, or at the same, and how many
    /// references in it changed. A text that begins with a header has the names in it rewritten too.
    pub fn text(&self, (at, now): (&VaultPath, &VaultPath), text: &str) -> (String, usize) {
        let header = read_header(text).value;
        let mut changes: Changes = header.fields.iter().flat_map(|field| self.field(at, text, field)).collect();
        let body = Span::new(header.block.end, text.len());
        for link in links(text, body).into_iter().filter(|link| link.vault.is_none()) {
            changes.extend(self.wikilink((at, now), text, &link));
        }
        for block in blocks(text, body) {
            match block.kind {
                BlockKind::Code | BlockKind::Comment => continue,
                BlockKind::Footnote => changes.extend(self.citation(text, block.span)),
                _ => {}
            }
            let all = file_links(text, block.span).into_iter();
            changes.extend(all.flat_map(|link| self.file_link((at, now), text, &link)));
        }
        applied(text, changes)
    }

    /// What of a move concerns a link with this anchor.
    fn moved(&self, path: &VaultPath, anchor: Option<&str>) -> Option<&Move> {
        let is_in = |part: &BTreeSet<String>| anchor.is_some_and(|anchor| part.contains(&anchor_key(anchor)));
        let is_it = |one: &&Move| one.from.path == *path && one.part.as_ref().is_none_or(is_in);
        self.moves.iter().find(is_it)
    }

    /// The page that a name leads to. A name with a folder means the page there, if there is one.
    fn leads(&self, name: &str) -> Option<&VaultPath> {
        let found = &self.snapshot.pages[self.snapshot.find(name)?].page.path;
        if !name.contains('/') {
            return Some(found);
        }
        let written = format!("/{}", name.strip_suffix(".md").unwrap_or(name).trim_start_matches('/').to_lowercase());
        let ends_so = |path: &VaultPath| format!("/{}", without_extension(path)).to_lowercase().ends_with(&written);
        let mut all = self.snapshot.pages.iter().map(|facts| &facts.page.path);
        if ends_so(found) { Some(found) } else { all.find(|path| ends_so(path)).or(Some(found)) }
    }

    fn wikilink(&self, (at, now): (&VaultPath, &VaultPath), text: &str, link: &Link) -> Changes {
        let (written, anchor) = (link.target.of(text), link.anchor.map(|anchor| anchor.of(text)));
        if written.is_empty() {
            return self.own_anchor((at, now), link, anchor);
        }
        let Some(one) = self.leads(written).and_then(|path| self.moved(path, anchor)) else { return Changes::new() };
        let mut out = Changes::new();
        out.extend(name_after(one, written).map(|name| (link.target, name)));
        let heading = link.anchor.zip(one.heading.as_ref());
        let heading = heading.filter(|(anchor, (old, _))| is_title(anchor.of(text), old));
        out.extend(heading.map(|(anchor, (_, new))| (anchor, new.clone())));
        out
    }

    /// A link to a heading of its own page, once either of them went elsewhere.
    fn own_anchor(&self, (at, now): (&VaultPath, &VaultPath), link: &Link, anchor: Option<&str>) -> Changes {
        let of_part = self.moves.iter().find(|one| one.part.is_some() && one.from.path == *at);
        let Some(one) = of_part else { return Changes::new() };
        let is_gone = self.moved(at, anchor).is_some();
        let is_piece = *now == one.to.path;
        let name = match (is_piece, is_gone) {
            (false, true) => one.to.path.stem(),
            (true, false) => one.from.path.stem(),
            _ => return Changes::new(),
        };
        let mut out = vec![(Span::new(link.target.start, link.target.start), name.to_owned())];
        let heading = link.anchor.zip(one.heading.as_ref()).filter(|_| !is_piece);
        let heading =
            heading.filter(|_| anchor.zip(one.heading.as_ref()).is_some_and(|(at, (old, _))| is_title(at, old)));
        out.extend(heading.map(|(span, (_, new))| (span, new.clone())));
        out
    }

    fn file_link(&self, (at, now): (&VaultPath, &VaultPath), text: &str, link: &Link) -> Option<(Span, String)> {
        let name = link.name(text);
        let place = beside(at, &name);
        let anchor = link.anchor.map(|anchor| anchor.of(text));
        let is_page = |path: &&VaultPath| self.snapshot.page_at(path).is_some();
        let by_name = || name.ends_with(".md").then(|| self.leads(&name)).flatten();
        let found = place.as_ref().filter(is_page).or_else(by_name);
        let target = match found.and_then(|path| self.moved(path, anchor)) {
            Some(one) => one.to.path.clone(),
            // A file that goes to another folder takes its way to the others along.
            None if at.parent() != now.parent() => found.cloned().or(place)?,
            None => return None,
        };
        let target = relative(now, &target);
        let is_bracketed = text[..link.target.start].ends_with('<');
        let written = if is_bracketed { target } else { encoded(&target) };
        (link.target.of(text) != written).then_some((link.target, written))
    }

    /// A footnote that cites a page.
    fn citation(&self, text: &str, block: Span) -> Option<(Span, String)> {
        let start = block.start + block.of(text).find("]:")? + 2;
        let start = start + text[start..block.end].len() - text[start..block.end].trim_start().len();
        let cited = &text[start..block.end];
        let ends = |one: &&Move| {
            let rest = cited.strip_prefix(one.from.path.as_str());
            one.part.is_none() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['#', ' ', '\n']))
        };
        let one = self.moves.iter().find(ends)?;
        Some((Span::new(start, start + one.from.path.as_str().len()), one.to.path.to_string()))
    }

    fn field(&self, at: &VaultPath, text: &str, field: &Field) -> Changes {
        let wikilinks = links_of_value(text, field.value).into_iter().filter(|link| link.vault.is_none());
        let mut out: Changes = wikilinks.flat_map(|link| self.wikilink((at, at), text, &link)).collect();
        let is_linked: Vec<Span> = links_of_value(text, field.value).iter().map(|link| link.span).collect();
        for item in items(text, field.value) {
            if is_linked.iter().any(|span| span.start <= item.start && item.end <= span.end) {
                continue;
            }
            out.extend(match field.name {
                Some(
                    FieldName::High
                    | FieldName::Mid
                    | FieldName::Contradicts
                    | FieldName::Related
                    | FieldName::SupersededBy
                    | FieldName::RedirectTo,
                ) => self.relation(text, item),
                Some(FieldName::Sources) => self.source(text, item),
                _ => None,
            });
        }
        out
    }

    fn relation(&self, text: &str, item: Span) -> Option<(Span, String)> {
        let target = Relation::parse(item.of(text))?.target;
        let one = self.moved(self.leads(&target)?, None)?;
        let name = name_after(one, &target)?;
        // What YAML or a list would read as something else is named as links name it.
        let is_plain = !name.contains([',', '[', ']', '"', '\'', '#', ':', '{', '}']);
        let name = if is_plain { name } else { page_slug(&one.to.path).as_str().to_owned() };
        let start = item.start + item.of(text).find(&target)?;
        Some((Span::new(start, start + target.len()), name))
    }

    fn source(&self, text: &str, item: Span) -> Option<(Span, String)> {
        let path = VaultPath::new(item.of(text).split('#').next()?.trim())?;
        let one = self.moved(&path, None)?;
        let start = item.start + item.of(text).find(path.as_str())?;
        Some((Span::new(start, start + path.as_str().len()), one.to.path.to_string()))
    }
}

/// What a link that named a page so names it by now; none where the name leads there still, as an alias does.
fn name_after(one: &Move, written: &str) -> Option<String> {
    let (folder, last) = written.rsplit_once('/').map_or((None, written), |(folder, last)| (Some(folder), last));
    let (last, extension) = last.strip_suffix(".md").map_or((last, ""), |last| (last, ".md"));
    let (from, to) = (&one.from, &one.to);
    let is_spelled = |name: &str| last.to_lowercase() == name.to_lowercase();
    let can_name = Slug::from_text(&to.title) == Slug::from_text(to.path.stem())
        && !to.title.contains(['[', ']', '|', '#', '^', '/', ':']);
    let last = match () {
        () if is_spelled(from.path.stem()) => to.path.stem(),
        () if is_spelled(&from.title) && can_name => &to.title,
        () if is_title(last, from.path.stem()) || is_title(last, &from.title) => to.path.stem(),
        () => last,
    };
    let folder = folder.map(|folder| folder_after(one, folder));
    let name = format!("{}{last}{extension}", folder.map(|folder| format!("{folder}/")).unwrap_or_default());
    (name != written).then_some(name)
}

/// The folder that a link names by now, seen from where it was seen before.
fn folder_after(one: &Move, written: &str) -> String {
    let folder = |path: &VaultPath| path.parent().map(|folder| folder.to_string()).unwrap_or_default();
    let (before, now) = (folder(&one.from.path), folder(&one.to.path));
    if before == now {
        return written.to_owned();
    }
    let above = before.strip_suffix(written).unwrap_or_default();
    now.strip_prefix(above).unwrap_or(&now).to_owned()
}

fn is_title(written: &str, title: &str) -> bool {
    Slug::from_text(written).is_some_and(|slug| Slug::from_text(title) == Some(slug))
}

fn without_extension(path: &VaultPath) -> &str {
    let n_extension = path.extension().len();
    &path.as_str()[..path.as_str().len() - n_extension - usize::from(n_extension > 0)]
}

/// The place in the vault that a file names beside itself.
fn beside(from: &VaultPath, target: &str) -> Option<VaultPath> {
    let mut parts: Vec<&str> = from.as_str().split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    VaultPath::new(&parts.join("/"))
}

/// The way from a file to another one.
fn relative(from: &VaultPath, to: &VaultPath) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.as_str().split('/').collect(), to.as_str().split('/').collect());
    let shared = from[..from.len() - 1].iter().zip(&to[..to.len() - 1]).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - 1 - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// The single values of a header's field, without quotes, brackets and marks of lists.
fn items(text: &str, value: Span) -> Vec<Span> {
    let mut out = Vec::new();
    let mut start = value.start;
    let ends = value.of(text).char_indices().filter(|(_, ch)| ",[]\"'\n".contains(*ch));
    let ends: Vec<(usize, usize)> = ends.map(|(at, ch)| (value.start + at, ch.len_utf8())).collect();
    for (end, len) in ends.into_iter().chain([(value.end, 0)]) {
        let mut from = start;
        for mark in ["- ", "uri:", "resource:", "path:", "source:"] {
            from += text[from..end].len() - text[from..end].trim_start().len();
            from += text[from..end].strip_prefix(mark).map_or(0, |_| mark.len());
        }
        let piece = &text[from..end];
        // A comment behind a value is none of it.
        let piece = piece.find(" #").map_or(piece, |at| &piece[..at]);
        let from = from + piece.len() - piece.trim_start().len();
        if !piece.trim().is_empty() {
            out.push(Span::new(from, from + piece.trim().len()));
        }
        start = end + len;
    }
    out
}

/// A text with its changes, and how many there were; of two that meet the first counts.
fn applied(text: &str, mut changes: Changes) -> (String, usize) {
    changes.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut out, mut at, mut n) = (String::with_capacity(text.len()), 0, 0);
    for (span, new) in changes {
        if span.start < at {
            continue;
        }
        out.push_str(&text[at..span.start]);
        out.push_str(&new);
        (at, n) = (span.end, n + 1);
    }
    out.push_str(&text[at..]);
    (out, n)
}

#[cfg(test)]
mod tests;

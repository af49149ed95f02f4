//! Moves a section to a page of its own.

use std::collections::BTreeSet;

use ken_core::header::FieldName;
use ken_core::link::rewrite::{Called, Move, anchor_key};
use ken_core::markdown::{BlockKind, blocks};
use ken_core::page::outline::footnotes;
use ken_core::snapshot::PageFacts;
use ken_core::text::one_line;
use ken_core::{Slug, Span};

use super::view::{Change, View, called, folder, slug_of};
use crate::failure::Failure;

/// A section as it stands: its heading, its whole lines, and what stands below the heading.
struct Section {
    title: String,
    below: Span,
}

/// Moves a section to a new page and leaves a link under its heading.
pub(super) fn split(view: &mut View<'_>, name: &str, heading: &str, title: Option<&str>) -> Result<Change, Failure> {
    let facts = view.own(name, "`ken page new` makes a page of your own; a companion keeps what the journal says")?;
    if super::view::is_html(&facts.page.path) {
        return Err(Failure::refused("only Markdown pages are split"));
    }
    let section = section(&facts, heading)?;
    let title = title.map_or_else(|| section.title.clone(), one_line);
    let slug = slug_of(&title)?;
    let path = view.free_place(&title, &folder(&facts.page.path), Some(&facts))?;
    let (old, to) = (called(&facts), Called { path: path.clone(), title: title.clone() });
    let text = &facts.page.text;
    let below = section.below.of(text);
    let mut part = anchors(below);
    part.insert(anchor_key(&section.title));
    let renamed = (section.title != title).then(|| (section.title.clone(), title.clone()));
    let moves = vec![Move { from: old.clone(), to, part: Some(part), heading: renamed }];
    let (rest, piece) = with_footnotes(text, section.below, &slug, &title);
    let rest = view.rewritten_by(&moves, (&old.path, &old.path), &rest);
    let piece = view.rewritten_by(&moves, (&old.path, &path), &piece);
    let header = match facts.page.header.field(FieldName::Category) {
        Some(_) => view.with("", FieldName::Category, facts.entry.category.as_str()),
        None => String::new(),
    };
    let header = if path.stem() == title { header } else { view.with(&header, FieldName::Title, title.as_str()) };
    view.put(&old.path, rest);
    view.put(&path, format!("{header}# {title}\n\n{}\n", piece.trim_matches(['\n', '\r'])));
    view.rewrite_references(moves);
    let mut change = Change::of("page split", format!("{} -> {slug}", facts.entry.slug), slug, Some(path));
    change.lines.push(format!("Section \"{}\" of {}", section.title, old.path));
    Ok(change)
}

/// The section below a heading, up to the next one of its level or above.
fn section(facts: &PageFacts, heading: &str) -> Result<Section, Failure> {
    let (text, slug) = (&facts.page.text, &facts.entry.slug);
    let headings: Vec<(u8, Span)> = blocks(text, facts.page.body())
        .filter_map(|block| match block.kind {
            BlockKind::Heading(level) => Some((level, block.span)),
            _ => None,
        })
        .collect();
    let wanted = Slug::from_text(heading.trim_start_matches('#'));
    let is_it = |(_, span): &&(u8, Span)| wanted.is_some() && Slug::from_text(span.of(text)) == wanted;
    let found: Vec<&(u8, Span)> = headings.iter().filter(is_it).collect();
    let [&(level, span)] = found[..] else {
        let named: Vec<String> = headings.iter().map(|(_, span)| format!("`{}`", span.of(text).trim())).collect();
        let why = if found.is_empty() { "has no heading" } else { "has several headings" };
        return Err(
            Failure::refused(format!("`{slug}` {why} `{heading}`")).hint(format!("its headings: {}", named.join(", ")))
        );
    };
    if level == 1 {
        return Err(Failure::refused(format!("`{heading}` is the title of `{slug}`"))
            .hint(format!("`ken page rename {slug} TITLE` calls the page otherwise")));
    }
    let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |n| at + n + 1);
    let start = line_end(span.end);
    let next = headings.iter().find(|(other, at)| at.start > span.start && *other <= level);
    let end = next.map_or(text.len(), |(_, at)| text[..at.start].rfind('\n').map_or(0, |n| n + 1));
    Ok(Section { title: span.of(text).trim().to_owned(), below: Span::new(start.min(end), end) })
}

/// What links lead to inside a text: its headings, and the names of its blocks.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for block in blocks(text, Span::new(0, text.len())) {
        let inside = block.span.of(text);
        if matches!(block.kind, BlockKind::Heading(_)) {
            out.insert(anchor_key(inside));
        }
        out.extend(inside.split_whitespace().filter(|word| word.len() > 1 && word.starts_with('^')).map(str::to_owned));
    }
    out
}

/// What is left of a page, and the section, each with the footnotes that it uses.
fn with_footnotes(text: &str, below: Span, slug: &Slug, title: &str) -> (String, String) {
    let title = title.replace(['[', ']', '|'], " ");
    let mut piece = below.of(text).to_owned();
    let mut rest = format!("{}\nSee [[{slug}|{}]].\n", &text[..below.start], title.trim());
    if below.end < text.len() {
        rest.push('\n');
        rest.push_str(&text[below.end..]);
    }
    for note in footnotes(text, Span::new(0, text.len())) {
        let mark = format!("[^{}]", note.label);
        let line = text[note.span.start..].lines().next().unwrap_or_default();
        let defines = |part: &str| part.contains(&format!("{mark}:"));
        for part in [&mut piece, &mut rest] {
            if part.contains(&mark) && !defines(part) {
                if !part.ends_with('\n') {
                    part.push('\n');
                }
                part.push_str(&format!("\n{line}\n"));
            }
        }
    }
    (rest, piece)
}

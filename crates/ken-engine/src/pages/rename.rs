//! Calls a page otherwise: its file, its title, and all that leads to it.

use ken_core::header::FieldName;
use ken_core::link::rewrite::{Called, Move};
use ken_core::markdown::{BlockKind, blocks};
use ken_core::snapshot::PageFacts;
use ken_core::text::one_line;
use ken_core::{Slug, VaultPath};

use super::view::{Change, View, called, folder, slug_of};
use crate::failure::Failure;

/// Renames a page; a redirect stays under the old name.
pub(super) fn rename(view: &mut View<'_>, name: &str, title: &str) -> Result<Change, Failure> {
    let title = one_line(title);
    let facts = view.changeable(name)?;
    let slug = slug_of(&title)?;
    if title == facts.entry.title && (slug == facts.entry.slug || facts.entry.is_owned) {
        return Err(Failure::refused(format!("`{}` is called so already", facts.entry.slug)));
    }
    if facts.entry.is_owned {
        return rename_compiled(view, &facts, &title);
    }
    let path = view.free_place(&title, &folder(&facts.page.path), Some(&facts))?;
    let old = called(&facts);
    // Names that differ in case alone are one file on some systems, and one page everywhere.
    let path = if slug == facts.entry.slug { facts.page.path.clone() } else { path };
    let to = Called { path: path.clone(), title: title.clone() };
    let heading = has_heading(&facts).then(|| (old.title.clone(), title.clone()));
    let moves = vec![Move { from: old.clone(), to: to.clone(), part: None, heading }];
    let text = view.rewritten_by(&moves, (&old.path, &path), &facts.page.text);
    let text = retitled(view, &facts, &path, &text, &title);
    if path != old.path {
        let redirect = view.redirect_text(&old.title, &to);
        view.put(&old.path, redirect);
    }
    view.take_name(&slug);
    view.put(&path, text);
    view.rewrite_references(moves);
    let mut change = Change::of("page rename", format!("{} -> {slug}", facts.entry.slug), slug, Some(path));
    change.lines.push(format!("{} -> {}", old.path, to.path));
    change.lines.push(format!("References rewritten: {}", view.n_references));
    Ok(change)
}

/// A compiled page is made anew under its new name by the compile that follows, as the redirect says.
fn rename_compiled(view: &mut View<'_>, facts: &PageFacts, title: &str) -> Result<Change, Failure> {
    view.subject(facts)?;
    let slug = slug_of(title)?;
    if slug == facts.entry.slug {
        return Err(Failure::refused(format!("`{slug}` is spelled as the journal spells it most"))
            .hint("a compiled page can be given another name, not another spelling"));
    }
    if Slug::from_text(&facts.entry.title).is_none() {
        return Err(Failure::refused("its title has no letters"));
    }
    let folder = folder(&facts.page.path);
    view.free_place(title, &folder, Some(facts))?;
    let path = VaultPath::new(&format!("{folder}/{slug}.md")).expect("a slug is a file name");
    let to = Called { path: path.clone(), title: title.to_owned() };
    let old = called(facts);
    let redirect = view.redirect_text(&old.title, &to);
    view.put(&old.path, redirect);
    view.take_name(&slug);
    view.rewrite_references(vec![Move { from: old.clone(), to, part: None, heading: None }]);
    let mut change = Change::of("page rename", format!("{} -> {slug}", facts.entry.slug), slug.clone(), Some(path));
    change.lines.push(format!("`{}` leads to `{slug}`", facts.entry.slug));
    change.expects.push(slug);
    Ok(change)
}

/// Whether the heading of a page is its title.
fn has_heading(facts: &PageFacts) -> bool {
    heading_of(&facts.page.text, facts).is_some()
}

/// The bytes of the heading that is the title.
fn heading_of(text: &str, facts: &PageFacts) -> Option<ken_core::Span> {
    let header = ken_core::header::read_header(text).value;
    let body = ken_core::Span::new(header.block.end, text.len());
    let first = blocks(text, body).find(|block| matches!(block.kind, BlockKind::Heading(1)))?;
    (first.span.of(text).trim() == facts.entry.title).then_some(first.span)
}

/// A text with another title, wherever it said its old one.
fn retitled(view: &View<'_>, facts: &PageFacts, path: &VaultPath, text: &str, title: &str) -> String {
    let mut text = text.to_owned();
    if let Some(span) = heading_of(&text, facts) {
        let inside = span.of(&text);
        let start = span.start + inside.len() - inside.trim_start().len();
        text.replace_range(start..start + inside.trim().len(), title);
    }
    let has_field = facts.page.header.field(FieldName::Title).is_some();
    let says_it = ken_core::page::parse_page(path, text.clone()).value.title() == title;
    if has_field || !says_it { view.with(&text, FieldName::Title, title) } else { text }
}

//! Makes two pages one.

use std::collections::BTreeSet;

use ken_core::header::{FieldName, FieldValue, HIGH_MAX, MID_MAX, read_header, set_field, triggers_max};
use ken_core::link::rewrite::Move;
use ken_core::markdown::{BlockKind, blocks};
use ken_core::snapshot::PageFacts;
use ken_core::{Slug, Span};

use super::view::{Change, View, called, is_html};
use crate::failure::Failure;

/// Appends what one page says to another, and leaves a redirect.
pub(super) fn merge(view: &mut View<'_>, from: &str, into: &str) -> Result<Change, Failure> {
    let (from, into) = (view.changeable(from)?, view.changeable(into)?);
    let (old, new) = (from.entry.slug.clone(), into.entry.slug.clone());
    if from.page.path == into.page.path {
        return Err(Failure::usage(format!("`{old}` and `{new}` are the same page")));
    }
    if is_html(&from.page.path) || is_html(&into.page.path) {
        return Err(Failure::refused("only Markdown pages are merged"));
    }
    match (from.entry.is_owned, into.entry.is_owned) {
        (false, true) => {
            return Err(Failure::refused(format!("`{new}` is compiled, and `{old}` is your own"))
                .hint(format!(
                    "`ken page merge {new} {old}` keeps your page, and what the journal says stands beside it"
                ))
                .hint(format!("`ken page append {new}` puts words into the journal")));
        }
        (true, false) => view.subject(&from)?,
        (true, true) => {
            view.subject(&from)?;
            view.subject(&into)?;
        }
        (false, false) => {}
    }
    let moves = vec![Move { from: called(&from), to: called(&into), part: None, heading: None }];
    if !from.entry.is_owned {
        let text = merged(view, &moves, &from, &into);
        view.put(&into.page.path, text);
    }
    let redirect = view.redirect_text(&from.entry.title, &called(&into));
    view.put(&from.page.path, redirect);
    view.rewrite_references(moves);
    let mut change = Change::of("page merge", format!("{old} -> {new}"), new.clone(), Some(into.page.path.clone()));
    change.lines.push(format!("`{old}` leads to `{new}`"));
    change.expects.push(new.clone());
    if from.entry.is_owned && !into.entry.is_owned {
        change.notes.push(format!("what the journal says of `{old}` stands on `{new}-journal`, beside your page"));
    }
    Ok(change)
}

/// The text of the page that both become.
fn merged(view: &mut View<'_>, moves: &[Move], from: &PageFacts, into: &PageFacts) -> String {
    let (at, now) = (&from.page.path, &into.page.path);
    let labels = |text: &str| -> BTreeSet<String> {
        let body = Span::new(0, text.len());
        ken_core::page::outline::footnotes(text, body).into_iter().map(|note| note.label).collect()
    };
    let own = into.page.text.clone();
    let own = view.rewritten_by(moves, (now, now), &own);
    let added = view.rewritten_by(moves, (at, now), from.page.body().of(&from.page.text));
    let taken: BTreeSet<String> = labels(&added).intersection(&labels(&own)).cloned().collect();
    let added = relabelled(&without_title(&added, &from.entry.title), &taken, &from.entry.slug);
    let own = with_lists(view, &own, from, into);
    let gap = if own.ends_with("\n\n") {
        ""
    } else if own.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    };
    let added = added.trim_matches(['\n', '\r']);
    let title = &from.entry.title;
    if added.is_empty() { own } else { format!("{own}{gap}## {title}\n\n{added}\n") }
}

/// A body without the heading that is the page's title.
fn without_title(body: &str, title: &str) -> String {
    let first = blocks(body, Span::new(0, body.len())).next();
    let is_title = |span: Span| span.of(body).trim() == title;
    match first.filter(|block| matches!(block.kind, BlockKind::Heading(1)) && is_title(block.span)) {
        Some(block) => {
            let rest = &body[block.span.end..];
            rest[rest.find('\n').map_or(rest.len(), |at| at + 1)..].to_owned()
        }
        None => body.to_owned(),
    }
}

/// A body whose footnotes have other labels than those that are taken.
pub(super) fn relabelled(body: &str, taken: &BTreeSet<String>, slug: &Slug) -> String {
    if taken.is_empty() {
        return body.to_owned();
    }
    let (mut out, mut at) = (String::with_capacity(body.len()), 0);
    for block in blocks(body, Span::new(0, body.len())) {
        if matches!(block.kind, BlockKind::Code | BlockKind::Comment) || block.span.start < at {
            continue;
        }
        out.push_str(&body[at..block.span.start]);
        let mut text = block.span.of(body).to_owned();
        for label in taken {
            text = text.replace(&format!("[^{label}]"), &format!("[^{slug}-{label}]"));
        }
        out.push_str(&text);
        at = block.span.end;
    }
    out.push_str(&body[at..]);
    out
}

/// A text whose header has what both say, its own first.
fn with_lists(view: &View<'_>, text: &str, from: &PageFacts, into: &PageFacts) -> String {
    let category = into.entry.category;
    let mut text = text.to_owned();
    let leads_to_one = |target: &str| {
        let found = view.snapshot.find(target).map(|page_idx| &view.snapshot.pages[page_idx].page.path);
        found.is_some_and(|path| *path == from.page.path || *path == into.page.path)
    };
    for (name, max) in [
        (FieldName::Aliases, usize::MAX),
        (FieldName::Triggers, triggers_max(category)),
        (FieldName::High, HIGH_MAX),
        (FieldName::Mid, MID_MAX),
        (FieldName::Contradicts, MID_MAX),
        (FieldName::Related, usize::MAX),
        (FieldName::Sources, usize::MAX),
    ] {
        let is_relation =
            matches!(name, FieldName::High | FieldName::Mid | FieldName::Contradicts | FieldName::Related);
        let header = read_header(&text).value;
        let own = header.list(&text, name);
        let target = |one: &str| ken_core::header::Relation::parse(one).map(|relation| relation.target);
        let mut all: Vec<String> = Vec::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for one in own.iter().cloned().chain(from.page.list(name)) {
            let named = if is_relation { target(&one).unwrap_or_else(|| one.clone()) } else { one.clone() };
            if !(is_relation && leads_to_one(&named)) && seen.insert(named.to_lowercase()) {
                all.push(one);
            }
        }
        // What a person has written beyond the limit stays.
        all.truncate(max.max(own.len()));
        if all != own && !(all.is_empty() && own.is_empty()) {
            text = set_field(&text, &header, name, &FieldValue::List(all), view.new_block());
        }
    }
    for name in [FieldName::Tldr, FieldName::Created] {
        let header = read_header(&text).value;
        if header.scalar(&text, name).is_none()
            && let Some(value) = from.page.scalar(name)
        {
            text = set_field(&text, &header, name, &FieldValue::Scalar(value), view.new_block());
        }
    }
    text
}

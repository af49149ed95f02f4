//! Fills missing header fields of pages that people own; never a body, never a field that has a value.
//!
//! What is filled in comes from the page itself: the tldr is its most telling sentence, triggers are its
//! names and most frequent words, relations are its links.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::header::{
    FieldName, FieldValue, HIGH_MAX, MID_MAX, NewBlock, Shape, TLDR_CHARS_MAX, TRIGGERS, read_header, set_field,
};
use ken_core::index::part::foreign_rows;
use ken_core::layout::preset::HeaderForm;
use ken_core::link::page_links;
use ken_core::markdown::{BlockKind, blocks};
use ken_core::page::outline::claim_spans;
use ken_core::page::parse_page;
use ken_core::text::{cut, one_line, sentences};
use ken_core::words::{Weight, fold, stem, weight, words};
use ken_core::{Basis, Edit, IndexEntry, Month, Page, Slug, VaultPath};

use super::plan::note_page;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;
use crate::wiki::Wiki;
use ken_compile::html;
use ken_compile::rubric::Rubric;

impl Engine {
    /// Adds the header edits of people's pages.
    pub(super) fn plan_headers(
        &self,
        wiki: &mut Wiki,
        edits: &mut Vec<Edit>,
        outcome: &mut CompileOutcome,
    ) -> Result<(), Failure> {
        let month = Month::of(self.clock.today());
        let names: BTreeMap<Slug, Slug> =
            wiki.entries().flat_map(|entry| entry.names().into_iter().map(|name| (name, entry.slug.clone()))).collect();
        let is_bank = self.layout().preset.fills_headers;
        let of_persons = wiki.entries().filter(|entry| {
            (lacks_header(entry) || is_bank && !entry.is_owned && entry.redirect_to.is_none())
                && !wiki.is_unmerged(&entry.path)
                && !self.layout().is_foreign(&entry.path)
        });
        let lacking: BTreeMap<VaultPath, bool> =
            of_persons.map(|entry| (entry.path.clone(), lacks_header(entry))).collect();
        // What an index of somebody else says of a page is better than a sentence picked from it.
        let index = self.store.read(&self.layout().index)?.and_then(|bytes| String::from_utf8(bytes).ok());
        let rows = index.as_deref().map(foreign_rows).unwrap_or_default();
        let mut pages: Vec<(Page, Page)> = Vec::new();
        for (path, lacks) in lacking {
            let Some(bytes) = self.store.read(&path)? else { continue };
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let page = parse_page(&path, text).value;
            let form = self.layout().preset.header;
            let filled = if lacks { fill(&page, &names, &rows, (month, form, is_bank)) } else { page.text.clone() };
            let filled = parse_page(&path, filled).value;
            pages.push((page, filled));
        }
        if is_bank {
            self.relate(wiki, &mut pages, edits, month)?;
        }
        for (page, filled) in pages.iter().filter(|(page, filled)| page.text != filled.text) {
            if !keeps_body(page, &filled.text) {
                self.notice(format!("`{}` got no header: it could not be put in without changing the text", page.path));
                continue;
            }
            edits.push(Basis::of(&page.path, Some(page.text.as_bytes())).replace(filled.text.as_str()));
            outcome.updated.push(page.slug());
            note_page(wiki, &page.path, &filled.text);
        }
        Ok(())
    }

    /// Classifies the relations of pages whose words are new or have changed, in the second of each two.
    fn relate(
        &self,
        wiki: &Wiki,
        pages: &mut [(Page, Page)],
        edits: &mut Vec<Edit>,
        month: Month,
    ) -> Result<(), Failure> {
        let filled: Vec<Page> = pages.iter().map(|(_, filled)| filled.clone()).collect();
        let paths: BTreeSet<&VaultPath> = filled.iter().map(|page| &page.path).collect();
        let is_filled = |entry: &&IndexEntry| !paths.contains(&entry.path);
        let others: Vec<IndexEntry> = wiki.entries().filter(is_filled).cloned().collect();
        let own: Vec<IndexEntry> = filled.iter().map(IndexEntry::uncounted).collect();
        let rubric = Rubric::new(own.iter().chain(&others));
        let slugs: BTreeSet<Slug> = own.iter().chain(&others).map(|entry| entry.slug.clone()).collect();
        let (mut classified, replies) = (self.classified(&filled)?, self.replies()?);
        for (_, page) in pages {
            let form = new_block(page, self.layout().preset.header);
            let sorted = self.sorted(&replies, page, &slugs);
            let text = classified.relate(page, (&rubric, sorted), form, month);
            *page = parse_page(&page.path, text).value;
        }
        edits.extend(classified.edit(&filled));
        Ok(())
    }
}

/// The block that a page without one gets.
fn new_block(page: &Page, form: HeaderForm) -> NewBlock {
    match form {
        _ if matches!(page.path.extension(), "html" | "htm") => NewBlock::Comment,
        HeaderForm::Ckp => NewBlock::Ckp,
        HeaderForm::Yaml => NewBlock::Yaml,
    }
}

/// Whether a page of a person could do with header fields; a redirect needs none.
fn lacks_header(entry: &IndexEntry) -> bool {
    !entry.is_owned && entry.redirect_to.is_none() && (entry.tldr.is_empty() || entry.triggers.is_empty())
}

/// Whether a text is the page with nothing but its header changed. In HTML a new comment stands behind the
/// doctype with line ends around it, which no reader sees.
fn keeps_body(page: &Page, filled: &str) -> bool {
    let header = read_header(filled).value;
    if header.shape != Shape::Comment || page.header.shape == Shape::Comment {
        return filled[header.block.end..] == *page.body().of(&page.text);
    }
    let rest = [&filled[..header.block.start], &filled[header.block.end..]].concat();
    rest.split_whitespace().eq(page.text.split_whitespace())
}

/// Returns the text of a page with its missing fields filled in.
fn fill(
    page: &Page,
    names: &BTreeMap<Slug, Slug>,
    rows: &BTreeMap<Slug, String>,
    (month, form, is_related): (Month, HeaderForm, bool),
) -> String {
    let is_html = matches!(page.path.extension(), "html" | "htm");
    let new = new_block(page, form);
    let mut text = page.text.clone();
    let mut set = |name: FieldName, value: FieldValue| {
        let header = read_header(&text).value;
        let is_empty = match &value {
            FieldValue::Scalar(value) => value.is_empty(),
            FieldValue::List(values) => values.is_empty(),
        };
        if !is_empty && header.list(&text, name).is_empty() {
            text = set_field(&text, &header, name, &value, new);
        }
    };
    let plain =
        if is_html { html::to_text(page.body().of(&page.text)).0 } else { page.body().of(&page.text).to_owned() };
    if page.header.shape == Shape::None {
        set(FieldName::Title, page.title().as_str().into());
    }
    let said = rows.get(&page.slug()).cloned();
    set(FieldName::Tldr, said.unwrap_or_else(|| tldr(&plain, &page.title())).as_str().into());
    set(FieldName::Triggers, triggers(page, &plain).into());
    // In a memory bank they are classified among all pages, see `relations`.
    let (high, mid) = if is_related { (Vec::new(), Vec::new()) } else { relations(page, names, month) };
    set(FieldName::High, high.into());
    set(FieldName::Mid, mid.into());
    set(FieldName::Validated, month.to_string().as_str().into());
    text
}

/// The first sentence that opens with the page's name, else the first sentence.
fn tldr(plain: &str, title: &str) -> String {
    let body = ken_core::Span::new(0, plain.len());
    let found = claim_spans(plain, body);
    let title = fold(title);
    let opens = |text: &str| fold(text).trim_start_matches("the ").trim_start_matches("a ").starts_with(&title);
    let chosen = found.iter().find(|claim| opens(claim.of(plain))).or(found.first());
    let text = chosen.map(|claim| one_line(claim.of(plain))).unwrap_or_default();
    let first = sentences(&text).first().map(|span| span.of(&text).to_owned()).unwrap_or(text);
    cut(&first.replace("**", ""), TLDR_CHARS_MAX - 1)
}

fn triggers(page: &Page, plain: &str) -> Vec<String> {
    let mut counts: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut add = |text: &str, times: usize| {
        for word in words(text).into_iter().map(|word| word.of(text)) {
            if weight(word) == Weight::Strong && (3..=30).contains(&word.chars().count()) {
                let slot = counts.entry(stem(&fold(word))).or_insert_with(|| (0, word.to_lowercase()));
                slot.0 += times;
            }
        }
    };
    // A name says more than a heading, a heading more than a sentence.
    add(&page.title(), 20);
    add(page.path.stem(), 20);
    for block in blocks(plain, ken_core::Span::new(0, plain.len())) {
        match block.kind {
            BlockKind::Heading(_) => add(block.span.of(plain), 3),
            BlockKind::Paragraph | BlockKind::Item | BlockKind::Row => add(block.span.of(plain), 1),
            BlockKind::Code | BlockKind::Comment | BlockKind::Footnote => {}
        }
    }
    let mut ranked: Vec<(usize, String)> = counts.into_values().collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.into_iter().map(|(_, word)| word).take(*TRIGGERS.end()).collect()
}

/// Pages linked twice or more are high, the others mid.
fn relations(page: &Page, names: &BTreeMap<Slug, Slug>, month: Month) -> (Vec<String>, Vec<String>) {
    let mut counts: BTreeMap<Slug, usize> = BTreeMap::new();
    for link in page_links(&page.text, page.body()) {
        let target = link.name(&page.text);
        let name = target.rsplit('/').next().map(|name| name.strip_suffix(".md").unwrap_or(name));
        let name = name.and_then(Slug::from_text);
        if let Some(slug) = name.and_then(|name| names.get(&name)).filter(|slug| **slug != page.slug()) {
            *counts.entry(slug.clone()).or_default() += 1;
        }
    }
    let mut ranked: Vec<(Slug, usize)> = counts.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let n_high = ranked.iter().take_while(|(_, n)| *n >= 2).count().min(HIGH_MAX);
    let dated: Vec<String> = ranked.into_iter().map(|(slug, _)| format!("{slug}:{month}")).collect();
    let mid = dated[n_high..].iter().take(MID_MAX).cloned().collect();
    (dated[..n_high].to_vec(), mid)
}

//! All headers, no bodies: what routing reads.
//!
//! An [`IndexEntry`] is what the index says of one page. [`Catalog`] is how routing asks for entries, so
//! that the same function runs over entries in memory and over a table on disk. The Markdown form is in
//! [`render`]: generated, sorted, the same bytes for the same pages.

pub mod part;
pub mod render;
pub mod table;
mod terms;

pub use terms::{HeaderTerms, entry_terms};

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::{self, Tokens};
use crate::header::{FieldName, MID_MAX, Relation};
use crate::page::past::past_of;
use crate::page::{Category, Page};
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::time::Date;

/// Names among which another one is looked for by walking them.
const NAMES_WALKED_MAX: usize = 16;

/// What the index says of one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntry {
    /// The page's name.
    pub slug: Slug,
    /// Its file.
    pub path: VaultPath,
    /// Display name.
    pub title: String,
    /// What sort of thing it is about.
    pub category: Category,
    /// Other names.
    pub aliases: Vec<String>,
    /// One sentence that may answer without opening the page; empty when there is none.
    pub tldr: String,
    /// Words that make routing consider the page.
    pub triggers: Vec<String>,
    /// Pages always loaded with it.
    pub high: Vec<Relation>,
    /// Pages loaded with it if they match too.
    pub mid: Vec<Relation>,
    /// What the whole page costs.
    pub tokens: Tokens,
    /// Date of its newest source, else the month it was validated.
    pub updated: Option<Date>,
    /// Whether Kenning owns the body.
    pub is_owned: bool,
    /// Where its subject now lives, if the page is a redirect.
    pub redirect_to: Option<String>,
    /// Why nobody is to take what it says for current, if its header says so: `superseded by 0003`.
    pub past: Option<String>,
}

/// Of what sort a page is: what decides who makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSort {
    /// What sort of thing it is about.
    pub category: Category,
    /// Whether Kenning owns the body.
    pub is_owned: bool,
    /// Whether it only leads elsewhere.
    pub is_redirect: bool,
    /// Whether what it says is past.
    pub is_past: bool,
}

impl IndexEntry {
    /// Returns of what sort the page is.
    pub fn sort(&self) -> PageSort {
        let (is_redirect, is_past) = (self.redirect_to.is_some(), self.past.is_some());
        PageSort { category: self.category, is_owned: self.is_owned, is_redirect, is_past }
    }

    /// Returns the entry of a page.
    pub fn of(page: &Page) -> IndexEntry {
        IndexEntry { tokens: budget::count(&page.text), ..IndexEntry::uncounted(page) }
    }

    /// Returns the entry of a page without what it costs, for uses that spend nothing: counting takes
    /// longer than all the rest.
    pub fn uncounted(page: &Page) -> IndexEntry {
        let updated = page.header.date(&page.text, FieldName::Updated);
        let validated = || {
            let month = crate::time::Month::parse(&page.scalar(FieldName::Validated)?)?;
            Date::new(month.year, month.month, 1).ok()
        };
        let mut mid = page.relations(FieldName::Mid);
        mid.extend(page.relations(FieldName::Related).into_iter().take(MID_MAX.saturating_sub(mid.len())));
        let is_owned = page.is_owned();
        IndexEntry {
            slug: page.slug(),
            path: page.path.clone(),
            title: page.title(),
            category: page.category(),
            aliases: page.list(FieldName::Aliases),
            tldr: page.scalar(FieldName::Tldr).unwrap_or_default(),
            triggers: page.list(FieldName::Triggers),
            high: page.relations(FieldName::High),
            mid,
            tokens: Tokens(0),
            updated: updated.or_else(validated),
            is_owned,
            redirect_to: page.scalar(FieldName::RedirectTo),
            past: past_of(page).filter(|past| past.is_of(is_owned)).map(|past| past.told()),
        }
    }

    /// Returns the names that `[[links]]` and relations may use for the page, as slugs.
    pub fn names(&self) -> Vec<Slug> {
        names(self.slug.clone(), std::iter::once(&self.title).chain(&self.aliases).map(String::as_str))
    }
}

/// Returns the names of a page, each once, its slug first; `others` are its title and its aliases.
pub fn names<'a>(slug: Slug, others: impl Iterator<Item = &'a str>) -> Vec<Slug> {
    let mut names = vec![slug];
    // Most pages have a handful of names; a few may have thousands.
    let mut known = BTreeSet::new();
    for name in others.filter_map(Slug::from_text) {
        if names.len() == NAMES_WALKED_MAX {
            known.extend(names.iter().cloned());
        }
        let is_new = if names.len() < NAMES_WALKED_MAX { !names.contains(&name) } else { known.insert(name.clone()) };
        if is_new {
            names.push(name);
        }
    }
    names
}

/// Where in a page's header a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldKind {
    /// Title, slug or alias.
    Name,
    /// A trigger of its own.
    Trigger,
    /// One word of a trigger of several.
    TriggerPart,
    /// The tldr.
    Tldr,
}

impl FieldKind {
    /// Returns the kinds in the order of their codes.
    pub const ALL: [FieldKind; 4] = [FieldKind::Name, FieldKind::Trigger, FieldKind::TriggerPart, FieldKind::Tldr];

    /// Returns the number that stands for the kind on disk.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// One place where a term stands: a page and the kind of field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// Position of the page in its catalog.
    pub page_idx: u32,
    /// The field.
    pub field: FieldKind,
}

/// How routing asks for entries.
pub trait Catalog: Sync {
    /// Returns the number of pages.
    fn n_pages(&self) -> usize;
    /// Returns the places of a term as [`entry_terms`] makes them.
    fn lookup(&self, term: &str) -> Vec<Posting>;
    /// Returns the entry at a position below [`Catalog::n_pages`].
    fn entry(&self, page_idx: u32) -> IndexEntry;
    /// Returns when a page was updated, as its entry says.
    fn updated(&self, page_idx: u32) -> Option<Date> {
        self.entry(page_idx).updated
    }
    /// Returns whether what a page says is past, as its entry says.
    fn is_past(&self, page_idx: u32) -> bool {
        self.entry(page_idx).past.is_some()
    }
    /// Returns the page that a slug, title or alias (as a slug) names, following no redirect.
    fn find(&self, name: &Slug) -> Option<u32>;
}

/// Entries in memory, sorted by path.
#[derive(Debug, Clone, Default)]
pub struct Index {
    entries: Vec<IndexEntry>,
    terms: BTreeMap<String, Vec<Posting>>,
    names: BTreeMap<Slug, u32>,
}

impl Index {
    /// Returns the index of these entries, in whatever order they come.
    pub fn new(mut entries: Vec<IndexEntry>) -> Index {
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        let mut terms: BTreeMap<String, Vec<Posting>> = BTreeMap::new();
        let mut maker = HeaderTerms::default();
        for (page_idx, entry) in entries.iter().enumerate() {
            for (term, field) in entry_terms(entry, &mut maker) {
                terms.entry(term).or_default().push(Posting { page_idx: page_idx as u32, field });
            }
        }
        let names = resolve_names(entries.iter().map(IndexEntry::names));
        Index { entries, terms, names }
    }

    /// Returns the entries, sorted by path.
    pub fn entries(&self) -> &[IndexEntry] {
        &self.entries
    }
}

/// Returns which page each name means, of the names of pages as [`names`] gives them: slugs win over titles and aliases,
/// earlier pages over later ones.
pub fn resolve_names(pages: impl Iterator<Item = Vec<Slug>>) -> BTreeMap<Slug, u32> {
    // Sorting once is cheaper than keeping a tree sorted while it grows.
    let mut all: Vec<(Slug, bool, u32)> = Vec::new();
    for (page_idx, names) in pages.enumerate() {
        let names = names.into_iter().enumerate();
        all.extend(names.map(|(n, name)| (name, n > 0, page_idx as u32)));
    }
    all.sort_unstable();
    all.dedup_by(|later, first| later.0 == first.0);
    all.into_iter().map(|(name, _, page_idx)| (name, page_idx)).collect()
}

impl Catalog for Index {
    fn n_pages(&self) -> usize {
        self.entries.len()
    }

    fn lookup(&self, term: &str) -> Vec<Posting> {
        self.terms.get(term).cloned().unwrap_or_default()
    }

    fn entry(&self, page_idx: u32) -> IndexEntry {
        self.entries[page_idx as usize].clone()
    }

    fn find(&self, name: &Slug) -> Option<u32> {
        self.names.get(name).copied()
    }
}

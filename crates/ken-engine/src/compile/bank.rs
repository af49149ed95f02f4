//! Has a model classify the relations of people's pages in a memory bank: what is asked, and what holds of a reply.
//!
//! A task is named by the body of its page, so it is open when a page is made and whenever its words change. A reply takes
//! the place of what the words bear out; one that does not hold changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use ken_compile::html;
use ken_compile::rubric::{Found, Rubric};
use ken_core::page::outline::claim_spans;
use ken_core::page::parse_page;
use ken_core::text::one_line;
use ken_core::{Digest, IndexEntry, Page, Slug, Span, VaultPath};

use super::slice::stems;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::check::Report;
use crate::propose::kinds::page::{Part, Wanted, relations};
use crate::propose::kinds::{ClaimView, Kind, PageView};
use crate::propose::record::{Cited, Replies};
use crate::propose::task::{Input, Task, has_form};

/// Pages that are shown to whoever sorts the relations of one.
const CANDIDATES_MAX: usize = 24;
/// Statements of a page that are read.
const STATEMENTS_MAX: usize = 40;
/// Digits that name what was read.
const NAME_CHARS: usize = 16;

/// What a reply says of a page, and what names it.
pub(super) struct Sorted {
    /// What names the page as it was read.
    pub(super) name: String,
    /// What it is related to.
    pub(super) found: Found,
}

impl Engine {
    /// The tasks about the relations of people's pages that nobody was asked about as they are.
    pub(super) fn bank_tasks(&self, is_open: &dyn Fn(&str) -> bool) -> Result<Vec<Task>, Failure> {
        if !self.layout().preset.fills_headers {
            return Ok(Vec::new());
        }
        let wiki = self.read_wiki()?;
        let is_one = |entry: &&IndexEntry| {
            !entry.is_owned && entry.redirect_to.is_none() && entry.past.is_none() && !wiki.is_unmerged(&entry.path)
        };
        let may_lead = |entry: &&IndexEntry| entry.redirect_to.is_none() && entry.past.is_none();
        let all: Vec<&IndexEntry> = wiki.entries().filter(may_lead).collect();
        let rubric = Rubric::new(all.iter().copied());
        let mut tasks = Vec::new();
        for entry in wiki.entries().filter(is_one).filter(|entry| !self.layout().is_foreign(&entry.path)) {
            let Some(page) = self.page_of_bank(&entry.path)? else { continue };
            let name = name(&page);
            if !is_open(&name) {
                continue;
            }
            let near = near(entry, &rubric.classify(&page, &plain(&page)), &all);
            let view = view(&page, entry, name);
            if near.is_empty() || view.claims.is_empty() {
                continue;
            }
            let label = format!("{} (relations)", entry.slug);
            let rows = near.iter().map(|one| (one.slug.to_string(), one.title.clone(), one_line(&one.tldr))).collect();
            let digest = view.digest.clone();
            let wanted = Wanted { page: view, parts: BTreeSet::from([Part::Relations]), near: rows };
            let mut task = Task::new(Input::Page(Box::new(wanted)), digest, label);
            task.shown.pages = near.iter().map(|one| (one.slug.to_string(), one.title.clone())).collect();
            task.read = vec![Cited { path: entry.path.to_string(), lines: (0, 0) }];
            tasks.push(task);
        }
        Ok(tasks)
    }

    fn page_of_bank(&self, path: &VaultPath) -> Result<Option<Page>, Failure> {
        let text = self.store.read(path)?.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.map(|text| parse_page(path, text).value))
    }

    /// Returns what a recorded reply says of a page as it is, as far as it holds among these pages.
    pub(super) fn sorted(&self, replies: &Replies, page: &Page, pages: &BTreeSet<Slug>) -> Option<Sorted> {
        let name = name(page);
        let record = self.standing(replies, Kind::Page, &name)?;
        let reply = ken_model::json_of(&record.reply).filter(|reply| has_form(Kind::Page, reply).is_ok())?;
        let mut report = Report::default();
        let view = view(page, &IndexEntry::uncounted(page), name.clone());
        let relations = relations::check(&reply, &view, &record.shown, &mut report);
        let known = |slugs: Vec<Slug>| slugs.into_iter().filter(|slug| pages.contains(slug)).collect::<Vec<_>>();
        let found = Found { high: known(relations.high), mid: known(relations.mid) };
        // None at all is an answer; nothing but what does not hold is none.
        let is_wrong = found.high.is_empty() && found.mid.is_empty() && !report.rejected.is_empty();
        (!is_wrong).then_some(Sorted { name, found })
    }
}

/// What names a page as its words are.
fn name(page: &Page) -> String {
    let text = format!("{}\n{}", page.slug(), page.body().of(&page.text));
    Digest::of(text.as_bytes()).to_string()[..NAME_CHARS].to_owned()
}

fn plain(page: &Page) -> String {
    let raw = page.body().of(&page.text);
    let is_html = matches!(page.path.extension(), "html" | "htm");
    if is_html { html::to_text(raw).0 } else { raw.to_owned() }
}

fn view(page: &Page, entry: &IndexEntry, digest: String) -> PageView {
    let plain = plain(page);
    let said = claim_spans(&plain, Span::new(0, plain.len())).into_iter().take(STATEMENTS_MAX).enumerate();
    let claims = said.map(|(n, span)| ClaimView::held((n + 1).to_string(), one_line(span.of(&plain)), None));
    PageView {
        digest,
        path: page.path.to_string(),
        slug: entry.slug.to_string(),
        title: entry.title.clone(),
        aliases: entry.aliases.clone(),
        category: entry.category,
        claims: claims.collect(),
        past: Vec::new(),
        sources: Vec::new(),
    }
}

/// The pages that one may be related to: those that its words lead to, then those whose names and triggers share most with
/// its own; in a small bank all.
fn near<'e>(own: &IndexEntry, found: &Found, all: &[&'e IndexEntry]) -> Vec<&'e IndexEntry> {
    let words = |entry: &IndexEntry| stems(&format!("{} {} {}", entry.title, entry.triggers.join(" "), entry.tldr));
    let mine = words(own);
    let mut ranked: BTreeMap<(usize, usize, &Slug), &IndexEntry> = BTreeMap::new();
    for entry in all.iter().filter(|entry| entry.slug != own.slug) {
        let n_shared = words(entry).intersection(&mine).count();
        let rank = (usize::from(!found.has(&entry.slug)), usize::MAX - n_shared, &entry.slug);
        ranked.insert(rank, entry);
    }
    ranked.into_values().take(CANDIDATES_MAX).collect()
}

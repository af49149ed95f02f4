//! Reading operations: route, list, show. None of them writes.

use ken_core::index::Catalog;
use ken_core::page::parse_page;
use ken_core::page::past::expired;
use ken_core::route::{Route, SURE, route, route_to};
use ken_core::search::Question;
use ken_core::snapshot::PageFacts;
use ken_core::{Category, Date, IndexEntry, Slug, Tokens, VaultPath};

use ken_store::FileStat;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{RouteOutcome, ShowOutcome};
use crate::search::gather::FileKind;
use crate::trusted::TrustOfPages;
use crate::wiki::is_said_again;

/// Redirects followed before a circle is assumed.
pub(crate) const REDIRECTS_MAX: usize = 8;

impl Engine {
    /// Returns the pages to load for a question, within a budget.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn route(&self, question: &str, budget: Option<Tokens>) -> Result<RouteOutcome, Failure> {
        let catalog = self.catalog()?;
        let route = self.choose(question, catalog.as_ref(), budget.unwrap_or(self.config.route_tokens));
        let (alike, note) = if route.is_empty() { self.page_alike(question) } else { (None, None) };
        let expired = self.expired(&route)?;
        let notes = self.reading_notes().into_iter().chain(route.notes.clone()).chain(note).chain(expired).collect();
        Ok(RouteOutcome { route, alike, notes })
    }

    /// What is to be said of pages that are loaded although their `ttl` is over; only a memory bank's have one.
    fn expired(&self, route: &Route) -> Result<Vec<String>, Failure> {
        let loaded = route.loaded.iter().filter(|_| self.layout().has_blocks());
        let mut out = Vec::new();
        for entry in loaded.map(|page| &page.entry) {
            out.extend(
                self.expired_since(&entry.path)?
                    .map(|until| format!("`{}` is stale: its ttl ended {until}", entry.slug)),
            );
        }
        Ok(out)
    }

    /// Returns until when a page might be relied on, where that day is over.
    pub(crate) fn expired_since(&self, path: &VaultPath) -> Result<Option<Date>, Failure> {
        let text = self.store.read(path)?.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        Ok(expired(&parse_page(path, text).value, self.clock.today()))
    }

    /// The pages whose headers answer, or else those whose text is sure to.
    pub(crate) fn choose(&self, question: &str, catalog: &dyn Catalog, budget: Tokens) -> Route {
        self.choose_without(question, catalog, budget, None)
    }

    /// The same, where one page is not to answer: it is not in `catalog`, and its text does not count.
    pub(crate) fn choose_without(
        &self,
        question: &str,
        catalog: &dyn Catalog,
        budget: Tokens,
        without: Option<&VaultPath>,
    ) -> Route {
        if let Some(rolled) = self.rolled(question, catalog) {
            return route_to(&Question::in_every_language(question), catalog, budget, &rolled.page_idxs());
        }
        let by_headers = route(&Question::in_every_language(question), catalog, budget);
        if by_headers.confidence >= SURE {
            return by_headers;
        }
        self.route_in_text(question, catalog, by_headers, without)
    }

    /// Returns the entries of all pages, or of one category, sorted by slug.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn list(&self, category: Option<Category>) -> Result<Vec<IndexEntry>, Failure> {
        let mut entries = self.all_entries()?;
        entries.retain(|entry| category.is_none_or(|category| entry.category == category));
        entries.sort_by(|a, b| (&a.slug, &a.path).cmp(&(&b.slug, &b.path)));
        Ok(entries)
    }

    /// Returns the topics that statements and pages are sorted by.
    pub fn topics(&self) -> &ken_core::topic::Topics {
        &self.config.topics
    }

    /// What the index says of every page.
    pub(crate) fn all_entries(&self) -> Result<Vec<IndexEntry>, Failure> {
        if self.is_of_then() { self.entries_then() } else { Ok(self.read_wiki()?.entries().cloned().collect()) }
    }

    /// Returns a page by slug, alias, title or path, following redirects.
    ///
    /// # Errors
    /// When no page has that name, or the vault cannot be read.
    pub fn show(&self, name: &str) -> Result<ShowOutcome, Failure> {
        let catalog = self.catalog()?;
        let (page_idx, redirected_from) =
            find_page(name, catalog.as_ref()).ok_or_else(|| self.no_such_page_then(name, catalog.as_ref()))?;
        let entry = catalog.entry(page_idx);
        let bytes = self.store.read(&entry.path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let text = self.text_then(FileKind::Page, &entry.path, text).unwrap_or_default();
        let backlinks = self.backlinks(catalog.as_ref(), page_idx)?;
        let trusted = TrustOfPages::new(self)?;
        let claims = self.counted(&parse_page(&entry.path, text.clone()).value, &trusted);
        Ok(ShowOutcome { entry, text, claims, backlinks, redirected_from })
    }

    /// The pages whose links or relations lead to a page.
    fn backlinks(&self, catalog: &dyn Catalog, target: u32) -> Result<Vec<Slug>, Failure> {
        let listed = self.list_wiki()?.files;
        let leads = |file: &FileStat, bytes: Vec<u8>| {
            let text = self.text_then(FileKind::Page, &file.path, String::from_utf8(bytes).ok()?)?;
            let facts = PageFacts::read(&file.path, text);
            let linked = facts.links.iter().filter(|link| link.vault.is_none()).map(|link| link.name(&facts.page.text));
            let related = facts.entry.high.iter().chain(&facts.entry.mid);
            let names = linked.chain(related.map(|relation| relation.target.as_str().into()));
            let mut names = names.filter_map(|name| {
                let last = name.rsplit('/').next().unwrap_or(&name);
                Slug::from_text(last.strip_suffix(".md").unwrap_or(last))
            });
            let leads = names.any(|name| catalog.find(&name) == Some(target));
            (leads && catalog.find(&facts.entry.slug) != Some(target)).then_some(facts.entry.slug)
        };
        Ok(self.store.map_files(&listed, leads)?.into_iter().flatten().flatten().collect())
    }

    /// The same on the day that is asked about.
    fn no_such_page_then(&self, name: &str, catalog: &dyn Catalog) -> Failure {
        let now = self.as_of_day().and_then(|day| Some((day, self.as_of_today().catalog().ok()?)));
        match now.filter(|(_, now)| find_page(name, now.as_ref()).is_some()) {
            Some((day, _)) => {
                let name = ken_core::text::cut(name, 120);
                Failure::refused(format!("on {day} there was no page named `{name}` yet"))
                    .hint("everything it says was said later; without `--as-of` it is printed as it is now")
            }
            None => self.no_such_page(name, catalog),
        }
    }

    pub(crate) fn no_such_page(&self, name: &str, catalog: &dyn Catalog) -> Failure {
        let failure = Failure::refused(format!("no page named `{}`", ken_core::text::cut(name, 120)));
        let Some(wanted) = Slug::from_text(name) else { return failure };
        let day = name.parse::<ken_core::Date>().ok();
        let day = day.and_then(|day| VaultPath::new(&format!("{}/{day}.md", self.layout().journal)));
        if let Some(day) = day.filter(|day| matches!(self.store.stat(day), Ok(Some(_)))) {
            return failure.hint(format!(
                "`{day}` is a day of the journal, and no page; `ken ask \"what happened on {name}?\"` tells it"
            ));
        }
        let shares = |slug: &Slug| {
            let same = wanted.as_str().chars().zip(slug.as_str().chars()).take_while(|(a, b)| a == b).count();
            let inside = slug.as_str().contains(wanted.as_str()) || wanted.as_str().contains(slug.as_str());
            same + if inside { wanted.as_str().len() } else { 0 }
        };
        let slugs = (0..catalog.n_pages() as u32).map(|page_idx| catalog.entry(page_idx).slug);
        let close = slugs.map(|slug| (shares(&slug), slug)).max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        // A few first letters are shared by chance.
        let is_close = |score: usize| score >= 3 && score * 2 > wanted.as_str().len();
        match close.filter(|(score, _)| is_close(*score)) {
            Some((_, slug)) => failure.hint(format!("the closest page is `{slug}`")),
            None => failure.hint("list the pages with `ken list`"),
        }
    }
}

/// Searches for every name of a thing that a question names; returns what to say of those that are not its own.
pub(crate) fn call_also(asks: &mut Question, names_of: &dyn Fn(&Slug) -> Vec<String>) -> Vec<String> {
    let others = asks.call_also(names_of);
    others.iter().map(|(asked, own)| format!("{own} (via {asked}): both names were searched for")).collect()
}

/// The names of the thing that a catalog calls so, the one that it has now first.
pub(crate) fn names_in(catalog: &dyn Catalog, name: &Slug) -> Vec<String> {
    let entry = find_page(name.as_str(), catalog).map(|(page_idx, _)| catalog.entry(page_idx));
    // `2026-03` in a question is a month, and not the page of one.
    let entry = entry.filter(|entry| !is_said_again(entry));
    entry.map(|entry| std::iter::once(entry.title).chain(entry.aliases).collect()).unwrap_or_default()
}

/// The page that a slug, alias, title or path names, and the redirects that were followed to it.
pub(crate) fn find_page(name: &str, catalog: &dyn Catalog) -> Option<(u32, Vec<Slug>)> {
    let last = name.trim_end_matches(".md").rsplit('/').next().unwrap_or(name);
    let mut page_idx = Slug::from_text(last).and_then(|slug| catalog.find(&slug))?;
    let mut redirected_from = Vec::new();
    for _ in 0..REDIRECTS_MAX {
        let entry = catalog.entry(page_idx);
        let Some(target) = entry.redirect_to.as_deref().and_then(Slug::from_text) else { break };
        let Some(next) = catalog.find(&target).filter(|next| *next != page_idx) else { break };
        redirected_from.push(entry.slug);
        page_idx = next;
        // A circle is gone round once.
        if redirected_from.contains(&target) {
            break;
        }
    }
    Some((page_idx, redirected_from))
}

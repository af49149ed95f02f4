//! Chooses pages for a question, from headers alone.
//!
//! The steps are CKP's: match the question's words against triggers and names; load the pages that match
//! and, always, their high relations; load a mid relation only if it matches too; when the tldr already
//! answers, the page need not be opened; when nothing matches well enough, load nothing and say so.
//! Routing never writes, never calls a model, and never exceeds its budget.

mod query;

pub use query::{Query, QueryWord};

use std::collections::BTreeMap;

use crate::budget::{self, Tokens};
use crate::header::Relation;
use crate::index::{Catalog, FieldKind, IndexEntry};
use crate::slug::Slug;
use crate::words::Weight;

/// Pages that may be loaded for matching by themselves; relations come on top.
const MATCHES_MAX: usize = 4;
/// A match must score this share of the best one to be loaded beside it.
const MATCH_SHARE_MIN: f64 = 0.2;
/// One strong word is enough only if it carries this share of what the question asks about.
const COVERAGE_ONE_WORD: f64 = 0.4;
/// A word of the page's own name is enough at this share: people ask for things by their names.
const COVERAGE_NAME: f64 = 0.3;
/// Two strong words on one page are enough at this share.
const COVERAGE_TWO_WORDS: f64 = 0.25;
/// Vaults up to this size name every page that was left out; larger ones only those considered.
const EXPLAIN_ALL_PAGES: usize = 200;

/// Why a page is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The question's words stand in its header.
    Match,
    /// A loaded match needs it to be understood.
    High,
    /// A loaded match is often used with it, and the question's words stand in its header too.
    Mid,
}

impl Tier {
    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::Match => "match",
            Tier::High => "high",
            Tier::Mid => "mid",
        }
    }
}

/// One page of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// What the index says of it.
    pub entry: IndexEntry,
    /// Why it is loaded.
    pub tier: Tier,
    /// The question's words that matched it, or the slug of the page that brought it.
    pub via: Vec<String>,
    /// What loading it costs.
    pub tokens: Tokens,
    /// Whether the tldr is enough, by what it says or because the page does not fit the budget.
    pub tldr_only: bool,
}

/// The pages chosen for a question, in order, each with its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// The pages to load.
    pub loaded: Vec<Loaded>,
    /// Pages that were considered and left out, with the reason.
    pub skipped: Vec<(Slug, String)>,
    /// Pages in the vault.
    pub n_pages: usize,
    /// Cost of all loaded pages; never above `budget`.
    pub tokens: Tokens,
    /// What might be spent.
    pub budget: Tokens,
}

impl Route {
    /// Returns whether nothing was loaded.
    pub fn is_empty(&self) -> bool {
        self.loaded.is_empty()
    }

    /// Returns CKP's declaration line.
    pub fn declaration(&self) -> String {
        let (n, total) = (self.loaded.len(), self.n_pages);
        match self.loaded.first() {
            Some(first) => {
                let via = first.via.join(", ");
                format!("[CKP: loaded {n}/{total} files — match: {} via {via}]", first.entry.slug)
            }
            None => format!("[CKP: loaded 0/{total} files — no match]"),
        }
    }
}

/// What is known of a page that shares a word with the question.
#[derive(Debug, Clone, Default)]
struct Hit {
    score: f64,
    /// Per word of the question: the best field it stands in.
    fields: BTreeMap<usize, FieldKind>,
}

/// Returns the route of a question over a catalog, within a budget.
pub fn route(query: &Query, catalog: &dyn Catalog, budget: Tokens) -> Route {
    let hits = score(query, catalog);
    let mut ranked: Vec<(u32, Hit)> = hits.into_iter().collect();
    ranked.sort_by(|a, b| b.1.score.total_cmp(&a.1.score).then(a.0.cmp(&b.0)));
    let mut builder = Builder { query, catalog, budget, left: budget, loaded: Vec::new(), skipped: Vec::new() };
    let names = |hit: &Hit| covers(query, hit, &|field| field != FieldKind::Tldr);
    let anywhere = |hit: &Hit| covers(query, hit, &|_| true);
    // A tldr speaks of other things too, so it makes a match only where no name or trigger does.
    let by_name = ranked.iter().any(|(_, hit)| names(hit));
    let is_sure = by_name || ranked.iter().any(|(_, hit)| anywhere(hit));
    // Once one page covers enough of the question, another needs only a strong word of its own.
    let joins = |hit: &Hit| match (is_sure, by_name) {
        (false, _) => false,
        (true, true) => names(hit) || has_strong_name(query, hit),
        (true, false) => anywhere(hit),
    };
    let (matched, rest): (Vec<_>, Vec<_>) = ranked.into_iter().partition(|(_, hit)| joins(hit));
    builder.load_matches(matched, &rest);
    for (page_idx, hit) in rest {
        builder.skip(page_idx, format!("matches only {}", quoted(&via(query, &hit))));
    }
    builder.finish()
}

fn score(query: &Query, catalog: &dyn Catalog) -> BTreeMap<u32, Hit> {
    let n_pages = catalog.n_pages() as f64;
    let mut hits: BTreeMap<u32, Hit> = BTreeMap::new();
    for (word_idx, word) in query.words.iter().enumerate() {
        let mut best: BTreeMap<u32, FieldKind> = BTreeMap::new();
        for posting in word.terms.iter().flat_map(|term| catalog.lookup(term)) {
            let field = best.entry(posting.page_idx).or_insert(posting.field);
            *field = (*field).min(posting.field);
        }
        let named = best.values().filter(|field| **field != FieldKind::Tldr).count() as f64;
        // Inverse document frequency as in BM25, never negative.
        let idf = (1.0 + (n_pages - named + 0.5).max(0.5) / (named + 0.5)).ln();
        for (page_idx, field) in best {
            let hit = hits.entry(page_idx).or_default();
            hit.score += idf * word.share() * field_weight(field);
            hit.fields.insert(word_idx, field);
        }
    }
    hits
}

/// Triggers were chosen for routing; a word of a longer trigger says less, a tldr mentions in passing.
fn field_weight(field: FieldKind) -> f64 {
    match field {
        FieldKind::Trigger | FieldKind::Name => 1.0,
        FieldKind::TriggerPart => 0.7,
        FieldKind::Tldr => 0.3,
    }
}

/// Whether the words that a hit covers, in the fields allowed, are enough of the question.
fn covers(query: &Query, hit: &Hit, allowed: &dyn Fn(FieldKind) -> bool) -> bool {
    let covered =
        || hit.fields.iter().filter(|(_, field)| allowed(**field)).map(|(word_idx, _)| &query.words[*word_idx]);
    let by_name =
        hit.fields.iter().any(|(idx, field)| *field == FieldKind::Name && query.words[*idx].weight == Weight::Strong);
    let n_strong = covered().filter(|word| word.weight == Weight::Strong).count();
    let share = covered().map(QueryWord::share).sum::<f64>() / query.total_share().max(f64::MIN_POSITIVE);
    match n_strong {
        // A question of filler alone ("what is the plan?") may match by its filler, if all of it does.
        0 => query.words.iter().all(|word| word.weight == Weight::Weak) && share > 0.99,
        1 => share >= if by_name { COVERAGE_NAME } else { COVERAGE_ONE_WORD },
        _ => share >= COVERAGE_TWO_WORDS,
    }
}

/// Whether a strong word of the question is among the hit's triggers or names.
fn has_strong_name(query: &Query, hit: &Hit) -> bool {
    hit.fields.iter().any(|(idx, field)| *field != FieldKind::Tldr && query.words[*idx].weight == Weight::Strong)
}

fn via(query: &Query, hit: &Hit) -> Vec<String> {
    let mut words: Vec<(&usize, &FieldKind)> = hit.fields.iter().collect();
    words.sort_by_key(|(word_idx, field)| {
        (**field == FieldKind::Tldr, query.words[**word_idx].weight != Weight::Strong, **word_idx)
    });
    words.iter().map(|(word_idx, _)| query.words[**word_idx].text.clone()).collect()
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

struct Builder<'a> {
    query: &'a Query,
    catalog: &'a dyn Catalog,
    budget: Tokens,
    left: Tokens,
    loaded: Vec<Loaded>,
    skipped: Vec<(Slug, String)>,
}

impl Builder<'_> {
    fn load_matches(&mut self, matched: Vec<(u32, Hit)>, others: &[(u32, Hit)]) {
        let Some(best) = matched.first().map(|(_, hit)| hit.score) else { return };
        let hits: BTreeMap<u32, &Hit> = matched.iter().chain(others).map(|(idx, hit)| (*idx, hit)).collect();
        let mut relations: Vec<(Tier, Relation, Slug)> = Vec::new();
        let mut n_matches = 0;
        for (page_idx, hit) in &matched {
            let entry = self.catalog.entry(*page_idx);
            let known = |tier| relations.iter().any(|(of, to, _)| *of == tier && self.resolve(to) == Some(*page_idx));
            let tier = if known(Tier::High) {
                Tier::High
            } else if known(Tier::Mid) {
                Tier::Mid
            } else {
                Tier::Match
            };
            if tier == Tier::Match && (n_matches == MATCHES_MAX || hit.score < best * MATCH_SHARE_MIN) {
                let why = if n_matches == MATCHES_MAX {
                    "better matches fill the route"
                } else {
                    "matches much less than the best"
                };
                self.skipped.push((entry.slug, why.to_owned()));
                continue;
            }
            n_matches += usize::from(tier == Tier::Match);
            relations.extend(entry.high.iter().map(|to| (Tier::High, to.clone(), entry.slug.clone())));
            relations.extend(entry.mid.iter().map(|to| (Tier::Mid, to.clone(), entry.slug.clone())));
            let answers = tier == Tier::Match && self.tldr_answers(&entry, hit);
            self.load(*page_idx, entry, tier, via(self.query, hit), answers);
        }
        let answered = self.loaded.first().is_some_and(|first| first.tldr_only && first.entry.tokens <= self.budget);
        for tier in [Tier::High, Tier::Mid] {
            for (_, to, from) in relations.iter().filter(|(of, ..)| *of == tier) {
                self.relate(tier, to, from, &hits, answered);
            }
        }
    }

    fn relate(&mut self, tier: Tier, to: &Relation, from: &Slug, hits: &BTreeMap<u32, &Hit>, answered: bool) {
        let Some(page_idx) = self.resolve(to) else {
            let wanted =
                Slug::from_text(&to.target).filter(|wanted| !self.skipped.iter().any(|(known, _)| known == wanted));
            self.skipped.extend(wanted.map(|slug| (slug, format!("no such page; named by `{from}`"))));
            return;
        };
        let hit = hits.get(&page_idx);
        let named = hit.is_some_and(|hit| has_strong_name(self.query, hit));
        if tier == Tier::Mid && !named {
            self.skip(page_idx, format!("mid relation of `{from}`, and no word of the question is among its triggers"));
            return;
        }
        let entry = self.catalog.entry(page_idx);
        let reason = match hit.filter(|_| tier == Tier::Mid) {
            Some(hit) => via(self.query, hit),
            None => vec![from.to_string()],
        };
        self.load(page_idx, entry, tier, reason, answered);
    }

    /// Follows a relation to its page, and one redirect further.
    fn resolve(&self, to: &Relation) -> Option<u32> {
        let find = |name: &str| self.catalog.find(&Slug::from_text(name.rsplit('/').next().unwrap_or(name))?);
        let page_idx = find(&to.target)?;
        match self.catalog.entry(page_idx).redirect_to {
            Some(target) => find(&target).or(Some(page_idx)),
            None => Some(page_idx),
        }
    }

    /// Whether the tldr says all that the question asks: it asks what the page is, or the tldr and the
    /// names hold every word of it.
    fn tldr_answers(&self, entry: &IndexEntry, hit: &Hit) -> bool {
        if entry.tldr.is_empty() {
            return false;
        }
        let strong = self.query.words.iter().enumerate().filter(|(_, word)| word.weight == Weight::Strong);
        let all_named = strong.clone().all(|(idx, _)| hit.fields.get(&idx) == Some(&FieldKind::Name));
        if self.query.asks_what_it_is {
            return all_named;
        }
        let tldr: Vec<String> = query::query_words(&entry.tldr).into_iter().flat_map(|word| word.terms).collect();
        let mut strong = self.query.words.iter().filter(|word| word.weight == Weight::Strong).peekable();
        let said = |word: &QueryWord| word.terms.iter().any(|term| tldr.contains(term));
        !self.query.asks_how
            && strong.peek().is_some()
            && self.query.words.len() > 1
            && self.query.words.iter().all(said)
    }

    fn load(&mut self, _page_idx: u32, entry: IndexEntry, tier: Tier, via: Vec<String>, tldr_enough: bool) {
        if self.loaded.iter().any(|known| known.entry.path == entry.path) {
            return;
        }
        let tldr_tokens = budget::count(&format!("{}: {}\n", entry.title, entry.tldr));
        let fits = entry.tokens <= self.left;
        let tldr_only = !entry.tldr.is_empty() && (tldr_enough || !fits) && tldr_tokens <= entry.tokens;
        let tokens = if tldr_only { tldr_tokens } else { entry.tokens };
        if tokens > self.left {
            let why = format!("does not fit: costs {} tokens, {} are left of {}", entry.tokens, self.left, self.budget);
            self.skipped.push((entry.slug, why));
            return;
        }
        self.left = Tokens(self.left.0 - tokens.0);
        self.loaded.push(Loaded { entry, tier, via, tokens, tldr_only });
    }

    fn skip(&mut self, page_idx: u32, why: String) {
        let entry = self.catalog.entry(page_idx);
        let known = self.loaded.iter().any(|loaded| loaded.entry.path == entry.path);
        if !known && !self.skipped.iter().any(|(slug, _)| *slug == entry.slug) {
            self.skipped.push((entry.slug, why));
        }
    }

    fn finish(mut self) -> Route {
        let n_pages = self.catalog.n_pages();
        if n_pages <= EXPLAIN_ALL_PAGES {
            for page_idx in 0..n_pages as u32 {
                self.skip(page_idx, "no word of the question is in its header".to_owned());
            }
        }
        let loaded = &self.loaded;
        self.skipped.retain(|(slug, _)| !loaded.iter().any(|page| page.entry.slug == *slug));
        let tokens = self.loaded.iter().map(|page| page.tokens).sum();
        Route { loaded: self.loaded, skipped: self.skipped, n_pages, tokens, budget: self.budget }
    }
}

#[cfg(test)]
mod tests;

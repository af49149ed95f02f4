//! Chooses pages for a question, from headers alone.
//!
//! The steps are CKP's: match the question's words against triggers and names; load the pages that match
//! and, always, their high relations; load a mid relation only if it matches too; when the tldr already
//! answers, the page need not be opened; when nothing matches well enough, load nothing and say so.
//! Routing never writes, never calls a model, and never exceeds its budget.

mod confidence;
mod asked;

pub use confidence::SURE;

use std::collections::BTreeMap;

use crate::budget::{self, Tokens};
use crate::header::Relation;
use crate::index::{Catalog, FieldKind, HeaderTerms, IndexEntry};
use crate::search::Question;
use crate::search::rank::idf;
use crate::slug::Slug;
use crate::words::Weight;

use asked::{Asked, AskedWord};
use confidence::{Hit, Shares, field_weight, look_closely};

/// Pages that may be loaded for matching by themselves; relations come on top.
const MATCHES_MAX: usize = 3;
/// The same for pages whose whole names of several words stand in the question.
const NAMED_MAX: usize = 8;
/// Mid relations that may be loaded: the best matching ones.
const MID_LOADED_MAX: usize = 3;
/// Left-out pages that are explained for one reason: more would be a list of half the vault.
const EXPLAIN_HITS_MAX: usize = 40;
/// Hits whose names and triggers are read: what ranks lower can hold no more of the question.
const CLOSE_HITS_MAX: usize = 32;
/// Why pages are left out behind a definition.
const ANSWERED: &str = "the tldr of the best match answers";
/// A match must score this share of the best one to be loaded beside it, in a vault too large to load
/// everything that shares a word.
const MATCH_SHARE_MIN: f64 = 0.5;
/// A mid relation must score this share of the best match to be loaded, in such a vault.
const MID_SHARE_MIN: f64 = 0.35;
/// In vaults up to this size every match counts: there a loaded page too many costs little.
const SMALL_VAULT_PAGES: usize = 24;
/// A page whose whole name stands in the question is what it asks about.
const WHOLE_NAME_BONUS: f64 = 1.25;
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
    /// How sure it is that a header answers the question, 0 to 1; pages are loaded from [`SURE`] on.
    pub confidence: f64,
    /// The same for the text of pages, where no header was sure and text was looked at.
    pub text_confidence: Option<f64>,
    /// The page whose header is surest, and the one word that decides about it, if one does.
    pub closest: Option<(Slug, Option<String>)>,
    /// What was searched for in the text of pages in the place of words that stand nowhere.
    pub notes: Vec<String>,
}

impl Route {
    /// Returns whether nothing was loaded.
    pub fn is_empty(&self) -> bool {
        self.loaded.is_empty()
    }

    /// Returns whether the pages were found by their text, because no header is sure.
    pub fn is_in_text(&self) -> bool {
        self.confidence < SURE && !self.is_empty()
    }

    /// Returns CKP's declaration line.
    pub fn declaration(&self) -> String {
        let (n, total) = (self.loaded.len(), self.n_pages);
        match self.loaded.first() {
            Some(first) => {
                let via = first.via.join(", ");
                let place = if self.is_in_text() { " in its text" } else { "" };
                format!("[CKP: loaded {n}/{total} files — match: {} via {via}{place}]", first.entry.slug)
            }
            None => format!("[CKP: loaded 0/{total} files — no match]"),
        }
    }
}

/// Returns the route of a question, read in every language ([`Question::in_every_language`]), over a catalog, within a
/// budget.
pub fn route(question: &Question, catalog: &dyn Catalog, budget: Tokens) -> Route {
    let asked = &Asked::of(question);
    let Ranked { matched, rest, shares } = rank(asked, catalog);
    let best = matched.iter().chain(&rest).map(|(page_idx, hit)| (hit.confidence, *page_idx, hit));
    let best = best.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let mut builder = Builder::new(asked, catalog, budget);
    builder.confidence = best.map_or(0.0, |(confidence, ..)| confidence);
    let decisive = |hit: &Hit| shares.decides(hit).map(|n| asked.words[n].text.clone());
    builder.closest = best.map(|(_, page_idx, hit)| (catalog.entry(page_idx).slug, decisive(hit)));
    builder.load_matches(&matched, &rest);
    for (page_idx, hit) in rest.iter().take(EXPLAIN_HITS_MAX) {
        builder.skip(*page_idx, format!("matches only {}", quoted(&via(asked, hit))));
    }
    builder.finish()
}

/// Returns the pages that share a word with a question, in the order in which their headers alone would have them
/// opened: what a route takes for matches, then the others, both best first.
pub fn in_order(question: &Question, catalog: &dyn Catalog) -> Vec<u32> {
    let Ranked { matched, rest, .. } = rank(&Asked::of(question), catalog);
    matched.into_iter().chain(rest).map(|(page_idx, _)| page_idx).collect()
}

/// Returns the route of pages that were found by their text, each with the words that stand there; `by_headers`
/// is what the headers gave.
pub fn route_in_text(
    question: &Question,
    catalog: &dyn Catalog,
    by_headers: &Route,
    found: &[(u32, Vec<String>)],
) -> Route {
    let asked = &Asked::of(question);
    let mut builder = Builder::new(asked, catalog, by_headers.budget);
    builder.confidence = by_headers.confidence;
    builder.closest = by_headers.closest.clone();
    let mut edges = Vec::new();
    for (page_idx, words) in found.iter().take(MATCHES_MAX) {
        let entry = builder.led_on(*page_idx);
        builder.add_edges(&entry, &mut edges);
        builder.load(entry, Tier::Match, words.clone(), false);
    }
    builder.load_high(&edges);
    builder.finish()
}

/// Returns the route of pages that answer a question whatever their headers say: the roll-ups of the period that it names.
pub fn route_to(question: &Question, catalog: &dyn Catalog, budget: Tokens, pages: &[u32]) -> Route {
    let asked = &Asked::of(question);
    let mut builder = Builder::new(asked, catalog, budget);
    builder.confidence = 1.0;
    for page_idx in pages {
        let entry = catalog.entry(*page_idx);
        builder.closest.get_or_insert((entry.slug.clone(), None));
        let via = vec![entry.slug.to_string()];
        builder.load(entry, Tier::Match, via, false);
    }
    builder.finish()
}

/// The pages that share a word with a question.
struct Ranked {
    /// Those that may be loaded, best first.
    matched: Vec<(u32, Hit)>,
    /// Those that match too little, best first.
    rest: Vec<(u32, Hit)>,
    shares: Shares,
}

fn rank(asked: &Asked<'_>, catalog: &dyn Catalog) -> Ranked {
    let (hits, shares, rarity) = score(asked, catalog);
    let mut ranked: Vec<(u32, Hit)> = hits.into_iter().collect();
    let best_first = |a: &(u32, Hit), b: &(u32, Hit)| b.1.score.total_cmp(&a.1.score).then(a.0.cmp(&b.0));
    ranked.sort_by(best_first);
    let mut maker = HeaderTerms::default();
    for (n, (page_idx, hit)) in ranked.iter_mut().enumerate() {
        if n < CLOSE_HITS_MAX {
            look_closely(asked, &catalog.entry(*page_idx), hit, &mut maker);
            hit.score = hit.score_by_places(&rarity) * if hit.n_named > 0 { WHOLE_NAME_BONUS } else { 1.0 };
        }
        hit.confidence = shares.confidence(hit);
    }
    // Of two pages that say rare words as often, the one leads that says more of the question.
    let value = |(_, hit): &(u32, Hit)| hit.score * hit.confidence;
    ranked.sort_by(|a, b| value(b).total_cmp(&value(a)).then(a.0.cmp(&b.0)));
    let is_sure = |hit: &Hit| hit.confidence >= SURE;
    // A tldr speaks of other things too: where names and triggers answer, it makes no match.
    let by_name = ranked.iter().any(|(_, hit)| is_sure(hit) && has_strong_name(asked, hit));
    // Once one page is sure, another needs only a strong word of its own.
    let joins = |hit: &Hit| if by_name { has_strong_name(asked, hit) } else { is_sure(hit) };
    let (matched, rest) = ranked.into_iter().partition(|(_, hit)| joins(hit));
    Ranked { matched, rest, shares }
}

/// Returns the pages that share a word with a question, what its words count against each other, and what each adds to
/// a score.
fn score(asked: &Asked<'_>, catalog: &dyn Catalog) -> (BTreeMap<u32, Hit>, Shares, Vec<f64>) {
    let n_pages = catalog.n_pages();
    let mut hits: BTreeMap<u32, Hit> = BTreeMap::new();
    let (mut n_named, mut rarity) = (Vec::new(), Vec::new());
    for (word_idx, word) in asked.words.iter().enumerate() {
        let mut best: BTreeMap<u32, FieldKind> = BTreeMap::new();
        for posting in word.terms().flat_map(|term| catalog.lookup(term)) {
            let field = best.entry(posting.page_idx).or_insert(posting.field);
            *field = (*field).min(posting.field);
        }
        let named = best.values().filter(|field| **field != FieldKind::Tldr).count();
        let idf = f64::from(idf(named, n_pages)) * word.score_share();
        n_named.push(named);
        rarity.push(idf);
        for (page_idx, field) in best {
            let hit = hits.entry(page_idx).or_default();
            hit.score += idf * field_weight(field);
            hit.fields.insert(word_idx, field);
        }
    }
    (hits, Shares::new(asked, &n_named, n_pages), rarity)
}

/// Whether a strong word of the question is among the hit's triggers or names.
fn has_strong_name(asked: &Asked<'_>, hit: &Hit) -> bool {
    hit.fields.iter().any(|(idx, field)| *field != FieldKind::Tldr && asked.words[*idx].weight == Weight::Strong)
}

fn via(asked: &Asked<'_>, hit: &Hit) -> Vec<String> {
    let mut words: Vec<(&usize, &FieldKind)> = hit.fields.iter().collect();
    words.sort_by_key(|(word_idx, field)| {
        (**field == FieldKind::Tldr, asked.words[**word_idx].weight != Weight::Strong, **word_idx)
    });
    words.iter().map(|(word_idx, _)| asked.words[**word_idx].text.clone()).collect()
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// One relation of a loaded page.
struct Edge {
    tier: Tier,
    /// The page it leads to, none when no page has that name.
    to: Option<u32>,
    target: String,
    from: Slug,
}

struct Builder<'a> {
    asked: &'a Asked<'a>,
    catalog: &'a dyn Catalog,
    budget: Tokens,
    left: Tokens,
    loaded: Vec<Loaded>,
    skipped: Vec<(Slug, String)>,
    confidence: f64,
    closest: Option<(Slug, Option<String>)>,
}

impl<'a> Builder<'a> {
    fn new(asked: &'a Asked<'a>, catalog: &'a dyn Catalog, budget: Tokens) -> Builder<'a> {
        let (loaded, skipped) = (Vec::new(), Vec::new());
        Builder { asked, catalog, budget, left: budget, loaded, skipped, confidence: 0.0, closest: None }
    }

    /// Loads the best matches, then what they relate to; `others` matched too little to be loaded.
    fn load_matches(&mut self, matched: &[(u32, Hit)], others: &[(u32, Hit)]) {
        let Some(best) = matched.first().map(|(_, hit)| hit.score) else { return };
        let is_small = self.catalog.n_pages() <= SMALL_VAULT_PAGES;
        let (match_min, mid_min) = if is_small { (0.0, 0.0) } else { (best * MATCH_SHARE_MIN, best * MID_SHARE_MIN) };
        let mut edges: Vec<Edge> = Vec::new();
        let mut n_matches = 0;
        let mut left_out = Vec::new();
        for (page_idx, hit) in matched {
            let known = |tier| edges.iter().any(|edge| edge.tier == tier && edge.to == Some(*page_idx));
            let tier = if known(Tier::High) { Tier::High } else { Tier::Match };
            // A mid relation of a better match is weighed as one, below.
            if tier == Tier::Match && known(Tier::Mid) {
                continue;
            }
            let is_named = hit.n_named > 1 && n_matches < NAMED_MAX;
            if !is_named && (n_matches >= MATCHES_MAX || hit.score < match_min) {
                left_out.push((*page_idx, hit));
                continue;
            }
            n_matches += usize::from(tier == Tier::Match);
            let entry = self.led_on(*page_idx);
            let answered = self.is_answered();
            if answered && tier == Tier::Match {
                self.skipped.push((entry.slug, ANSWERED.to_owned()));
                continue;
            }
            self.add_edges(&entry, &mut edges);
            let enough = answered || (tier == Tier::Match && self.tldr_answers(&entry, hit));
            self.load(entry, tier, via(self.asked, hit), enough);
        }
        for (page_idx, _) in left_out.iter().take(EXPLAIN_HITS_MAX) {
            self.skip(*page_idx, "matches much less than the best, or better matches fill the route".to_owned());
        }
        self.load_high(&edges);
        self.load_mid(&edges, matched.iter().chain(others), mid_min);
    }

    fn add_edges(&self, entry: &IndexEntry, edges: &mut Vec<Edge>) {
        for (tier, relations) in [(Tier::High, &entry.high), (Tier::Mid, &entry.mid)] {
            let edge = |relation: &Relation| Edge {
                tier,
                to: self.resolve(relation),
                target: relation.target.clone(),
                from: entry.slug.clone(),
            };
            edges.extend(relations.iter().map(edge));
        }
    }

    /// Whether the best match is the question's whole answer by its tldr.
    fn is_answered(&self) -> bool {
        self.loaded.first().is_some_and(|first| first.tldr_only && first.entry.tokens <= self.budget)
    }

    fn load_high(&mut self, edges: &[Edge]) {
        let answered = self.is_answered();
        for edge in edges.iter().filter(|edge| edge.tier == Tier::High) {
            match edge.to {
                Some(page_idx) => {
                    self.load(self.catalog.entry(page_idx), Tier::High, vec![edge.from.to_string()], answered)
                }
                None => self.skip_wanted(edge),
            }
        }
    }

    /// Loads the mid relations that match best by themselves.
    fn load_mid<'h>(&mut self, edges: &[Edge], hits: impl Iterator<Item = &'h (u32, Hit)>, mid_min: f64) {
        let wanted: BTreeMap<u32, &Edge> = edges
            .iter()
            .rev()
            .filter(|edge| edge.tier == Tier::Mid)
            .filter_map(|edge| Some((edge.to?, edge)))
            .collect();
        edges.iter().filter(|edge| edge.tier == Tier::Mid && edge.to.is_none()).for_each(|edge| self.skip_wanted(edge));
        let matching = hits.filter(|(page_idx, hit)| wanted.contains_key(page_idx) && has_strong_name(self.asked, hit));
        let mut taken = Vec::new();
        for (page_idx, hit) in matching {
            let from = &wanted[page_idx].from;
            taken.push(*page_idx);
            if self.is_answered() {
                self.skip(*page_idx, ANSWERED.to_owned());
            } else if hit.score < mid_min || taken.len() > MID_LOADED_MAX {
                self.skip(*page_idx, format!("mid relation of `{from}`, and others match better"));
            } else {
                self.load(self.catalog.entry(*page_idx), Tier::Mid, via(self.asked, hit), false);
            }
        }
        for (page_idx, edge) in wanted.iter().filter(|(page_idx, _)| !taken.contains(page_idx)) {
            let why = format!("mid relation of `{}`, and no word of the question is among its triggers", edge.from);
            self.skip(*page_idx, why);
        }
    }

    fn skip_wanted(&mut self, edge: &Edge) {
        let wanted =
            Slug::from_text(&edge.target).filter(|wanted| !self.skipped.iter().any(|(known, _)| known == wanted));
        self.skipped.extend(wanted.map(|slug| (slug, format!("no such page; named by `{}`", edge.from))));
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

    /// The page that a match leads to: where its subject lives now, if it is a redirect.
    fn led_on(&self, page_idx: u32) -> IndexEntry {
        let entry = self.catalog.entry(page_idx);
        let target = entry.redirect_to.clone().map(|target| Relation { target, validated: None });
        let led = target.and_then(|to| self.resolve(&to)).map(|to| self.catalog.entry(to));
        led.filter(|led| led.past.is_none()).unwrap_or(entry)
    }

    /// Whether the tldr says all that the question asks: it asks what the page is, or the tldr and the
    /// names hold every word of it.
    fn tldr_answers(&self, entry: &IndexEntry, hit: &Hit) -> bool {
        if entry.tldr.is_empty() {
            return false;
        }
        let strong = self.asked.words.iter().enumerate().filter(|(_, word)| word.weight == Weight::Strong);
        let all_named = strong.clone().all(|(idx, _)| hit.fields.get(&idx) == Some(&FieldKind::Name));
        if self.asked.asks_what_it_is {
            return all_named;
        }
        let mut tldr: Vec<String> = Vec::new();
        HeaderTerms::default().each_word(&entry.tldr, |terms| tldr.extend_from_slice(terms));
        let mut strong = self.asked.words.iter().filter(|word| word.weight == Weight::Strong).peekable();
        let said = |word: &AskedWord<'_>| word.is_in(&tldr);
        !self.asked.asks_how
            && strong.peek().is_some()
            && self.asked.words.len() > 1
            && self.asked.words.iter().all(said)
    }

    fn load(&mut self, entry: IndexEntry, tier: Tier, via: Vec<String>, tldr_enough: bool) {
        if let Some(past) = entry.past {
            self.skipped.push((entry.slug, past));
            return;
        }
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
                let past = self.catalog.entry(page_idx).past;
                self.skip(page_idx, past.unwrap_or_else(|| "no word of the question is in its header".to_owned()));
            }
        }
        let loaded = &self.loaded;
        self.skipped.retain(|(slug, _)| !loaded.iter().any(|page| page.entry.slug == *slug));
        let tokens = self.loaded.iter().map(|page| page.tokens).sum();
        let Builder { loaded, skipped, budget, confidence, closest, .. } = self;
        Route {
            loaded,
            skipped,
            n_pages,
            tokens,
            budget,
            confidence,
            text_confidence: None,
            closest,
            notes: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;

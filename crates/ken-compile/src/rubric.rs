//! What a page of a person's is to the other pages: the rubric of the Compiled Knowledge Pattern, without a model.
//!
//! High: a sentence of the page says that it needs the other (`depends on`, `richiede`), or links to it twice. Mid: the page
//! links to it once, names it, or shares two rare triggers with it. What is only in the same system is nothing.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::header::{HIGH_MAX, MID_MAX};
use ken_core::language::phrases;
use ken_core::link::page_links;
use ken_core::page::outline::claim_spans;
use ken_core::words::{Weight, fold, folded_words, weight};
use ken_core::{IndexEntry, Page, Slug, Span};

/// Most words between what says that something is needed and the name of it.
const REACH: usize = 8;
/// Triggers that two pages must share.
const SHARED_MIN: usize = 2;
/// A trigger that more than one page in so many has says nothing of two of them; but two may have it in any bank.
const RARE_ONE_IN: usize = 5;
const RARE_MIN: usize = 2;

/// What a page is related to, the best borne out first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Needed to understand it; as many as a header may have.
    pub high: Vec<Slug>,
    /// Often useful with it; as many as a header may have.
    pub mid: Vec<Slug>,
}

impl Found {
    /// Returns whether a page is among them.
    pub fn has(&self, slug: &Slug) -> bool {
        self.high.contains(slug) || self.mid.contains(slug)
    }
}

/// The pages that may be named, and by what.
#[derive(Debug, Default)]
pub struct Rubric {
    /// Names by their first word: all words, and whose they are.
    names: BTreeMap<String, Vec<(Vec<String>, Slug)>>,
    slugs: BTreeMap<Slug, Slug>,
    /// The pages that have a trigger which few have.
    rare: BTreeMap<String, BTreeSet<Slug>>,
    needing: Vec<Vec<String>>,
}

#[derive(Debug, Default)]
struct Evidence {
    n_needs: usize,
    n_links: usize,
    n_named: usize,
    n_shared: usize,
}

impl Rubric {
    /// Returns the rubric over these pages.
    pub fn new<'e>(entries: impl Iterator<Item = &'e IndexEntry>) -> Rubric {
        let mut out = Rubric::default();
        let mut n_pages = 0;
        for entry in entries.filter(|entry| entry.redirect_to.is_none() && entry.past.is_none()) {
            n_pages += 1;
            for name in entry.names() {
                out.slugs.entry(name).or_insert_with(|| entry.slug.clone());
            }
            let spelt = entry.slug.as_str().replace('-', " ");
            for name in entry.aliases.iter().chain([&entry.title, &spelt]) {
                let words = folded_words(name);
                let tells = words.iter().any(|word| weight(word) == Weight::Strong && word.chars().count() >= 3);
                let Some(first) = words.first().filter(|_| tells).cloned() else { continue };
                let known = out.names.entry(first).or_default();
                if !known.iter().any(|(known, _)| *known == words) {
                    known.push((words, entry.slug.clone()));
                }
            }
            for trigger in &entry.triggers {
                out.rare.entry(fold(trigger)).or_default().insert(entry.slug.clone());
            }
        }
        let most = (n_pages / RARE_ONE_IN).max(RARE_MIN);
        out.rare.retain(|_, pages| pages.len() <= most);
        out.needing = phrases(|lexicon| lexicon.pages.needing).map(folded_words).collect();
        out
    }

    /// Returns what a page is related to; `plain` is its body without markup.
    pub fn classify(&self, page: &Page, plain: &str) -> Found {
        let own = page.slug();
        let mut pairs: BTreeMap<Slug, Evidence> = BTreeMap::new();
        for link in page_links(&page.text, page.body()) {
            let target = link.name(&page.text);
            let name = target.rsplit('/').next().map(|name| name.strip_suffix(".md").unwrap_or(name));
            if let Some(slug) = name.and_then(Slug::from_text).and_then(|name| self.slugs.get(&name)) {
                pairs.entry(slug.clone()).or_default().n_links += 1;
            }
        }
        for span in claim_spans(plain, Span::new(0, plain.len())) {
            self.take(span.of(plain), &own, &mut pairs);
        }
        for pages in self.rare.values().filter(|pages| pages.contains(&own)) {
            pages.iter().for_each(|slug| pairs.entry(slug.clone()).or_default().n_shared += 1);
        }
        pairs.remove(&own);
        found(&pairs)
    }

    /// Takes what one sentence names.
    fn take(&self, sentence: &str, own: &Slug, pairs: &mut BTreeMap<Slug, Evidence>) {
        let words = folded_words(sentence);
        let named = self.named(&words);
        for (start, slug) in &named {
            let pair = pairs.entry((*slug).clone()).or_default();
            pair.n_named += 1;
            let needs = |phrase: &Vec<String>| {
                let from = start.saturating_sub(REACH + phrase.len());
                // What stands before it is the page itself, or nobody: another name would be who needs it.
                let is_other = |at: usize, before: usize, other: &Slug| at < before && other != *slug && other != own;
                words[from..*start].windows(phrase.len()).enumerate().any(|(n, run)| {
                    run == phrase.as_slice() && !named.iter().any(|(at, other)| is_other(*at, from + n, other))
                })
            };
            pair.n_needs += usize::from(self.needing.iter().any(needs));
        }
    }

    /// The pages that words name, longest names first, each with where its name begins.
    fn named<'r>(&'r self, words: &[String]) -> Vec<(usize, &'r Slug)> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let stands = |(name, _): &&(Vec<String>, Slug)| words[at..].starts_with(name);
            let known = self.names.get(&words[at]).map(Vec::as_slice).unwrap_or_default();
            let best = known.iter().filter(stands).max_by_key(|(name, _)| name.len());
            out.extend(best.map(|(_, slug)| (at, slug)));
            at += best.map_or(1, |(name, _)| name.len());
        }
        out
    }
}

fn found(pairs: &BTreeMap<Slug, Evidence>) -> Found {
    let is_high = |pair: &Evidence| pair.n_needs > 0 || pair.n_links >= 2;
    let is_mid = |pair: &Evidence| pair.n_links == 1 || pair.n_named > 0 || pair.n_shared >= SHARED_MIN;
    let rank = |pair: &Evidence| usize::MAX - (8 * pair.n_needs + 4 * pair.n_links + 2 * pair.n_named + pair.n_shared);
    let mut ranked: Vec<(&Slug, &Evidence)> = pairs.iter().collect();
    ranked.sort_by_key(|(slug, pair)| (rank(pair), (*slug).clone()));
    let (high, rest): (Vec<_>, Vec<_>) = ranked.into_iter().partition(|(_, pair)| is_high(pair));
    let spare = high.iter().skip(HIGH_MAX);
    let mid = spare.chain(rest.iter().filter(|(_, pair)| is_mid(pair)));
    let slugs = |list: Vec<&Slug>| list.into_iter().cloned().collect();
    Found {
        mid: slugs(mid.map(|(slug, _)| *slug).take(MID_MAX).collect()),
        high: slugs(high.iter().map(|(slug, _)| *slug).take(HIGH_MAX).collect()),
    }
}

#[cfg(test)]
mod tests {
    use ken_core::VaultPath;
    use ken_core::page::parse_page;

    use super::*;

    fn page(name: &str, text: &str) -> Page {
        let path = VaultPath::new(&format!("memory-bank/projects/{name}.md")).expect("inside");
        parse_page(&path, text.to_owned()).value
    }

    /// What the page of this name is related to, among all of them.
    #[track_caller]
    fn check(pages: &[(&str, &str)], of: &str, high: &[&str], mid: &[&str]) {
        let pages: Vec<Page> = pages.iter().map(|(name, text)| page(name, text)).collect();
        let entries: Vec<IndexEntry> = pages.iter().map(IndexEntry::of).collect();
        let one = pages.iter().find(|page| page.slug().as_str() == of).expect("it is there");
        let found = Rubric::new(entries.iter()).classify(one, one.body().of(&one.text));
        let names = |slugs: &[Slug]| slugs.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!((names(&found.high), names(&found.mid)), (names_of(high), names_of(mid)));
    }

    fn names_of(all: &[&str]) -> Vec<String> {
        all.iter().map(|name| (*name).to_owned()).collect()
    }

    const PAGES: &[(&str, &str)] = &[
        ("jwt", "# JWT\n\nA JWT is built on OAuth2 scopes. It travels in HTTP headers.\n"),
        ("oauth2", "# OAuth2\n\nDelegated access. A JWT may carry the scopes.\n"),
        ("http-headers", "# HTTP headers\n\nNames and values.\n"),
        ("database", "# Database\n\nRows are kept here. The billing page depends on the database.\n"),
    ];

    #[test]
    fn the_anchors_of_the_rubric_fall_where_they_should() {
        check(PAGES, "jwt", &["oauth2"], &["http-headers"]);
        check(PAGES, "oauth2", &[], &["jwt"]);
        check(PAGES, "database", &[], &[]);
    }

    #[test]
    fn who_is_needed_by_another_is_not_needed_here() {
        let other = ("mill", "# Mill\n\nThe oven depends on the flour silo.\n");
        let pages = [("oven", "# Oven\n\nHot.\n"), ("flour-silo", "# Flour silo\n\nFull.\n"), other];
        check(&pages, "mill", &[], &["flour-silo", "oven"]);
        let italian = ("mill", "# Mulino\n\nDipende da flour silo.\n");
        check(&[pages[0], pages[1], italian], "mill", &["flour-silo"], &[]);
    }

    #[test]
    fn two_links_make_it_high_one_mid_and_no_more_than_fit_are_kept() {
        let linked = |n: usize| (1..=n).map(|n| format!("See [[page-{n}]]. ")).collect::<String>();
        let names: Vec<String> = (1..=9).map(|n| format!("page-{n}")).collect();
        let mut pages: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "# x\n\nText.\n")).collect();
        let text = format!("# Hub\n\n{}\n\n{}\n", linked(9), linked(4));
        pages.push(("hub", &text));
        let mid = ["page-4", "page-5", "page-6", "page-7", "page-8"];
        check(&pages, "hub", &["page-1", "page-2", "page-3"], &mid);
    }

    #[test]
    fn triggers_count_where_few_have_them() {
        let with = |words: &str| format!("---\nANSWERS_WHEN: {words}\n---\n\nText.\n");
        let (both, common) = (with("rye, silo"), with("bread"));
        let pages = [("one", both.as_str()), ("two", both.as_str()), ("three", &common), ("four", &common)];
        check(&pages, "one", &[], &["two"]);
    }
}

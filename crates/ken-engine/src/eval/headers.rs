//! Whether headers alone lead to the page that holds an answer.
//!
//! Pages stand in the order in which their headers would have them opened and are loaded whole as long as they fit.
//! No text of a page has a say in that; it is looked at afterwards, for what the test says the answer is.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::SourceRef;
use ken_core::index::Catalog;
use ken_core::page::page_slug;
use ken_core::route::in_order;
use ken_core::search::Question;
use ken_core::snapshot::PageFacts;
use ken_core::{IndexEntry, Slug, Tokens, VaultPath};
use ken_store::FileStat;

use super::expected::{Cited, KnowledgeTest};
use super::knowledge::TestResult;
use super::said::{Readings, Said};
use crate::engine::Engine;
use crate::failure::Failure;

/// What pages that are loaded by their headers may cost: what an agent spends on one question without thinking.
pub const HEADER_TOKENS: Tokens = Tokens(4_000);

/// Where headers alone lead for one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByHeaders {
    /// The page that holds the whole answer, of several the one that comes first.
    pub page: Option<Slug>,
    /// Its place in the order, from 1; none when its header shares no word with the question.
    pub rank: Option<usize>,
    /// The pages that are loaded, in order.
    pub loaded: Vec<Slug>,
    /// What they cost; never above [`HEADER_TOKENS`].
    pub tokens: Tokens,
    /// Whether they hold the whole answer between them.
    pub is_loaded: bool,
}

/// How often headers alone lead to the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeaderFigures {
    /// Questions whose test says what the answer is.
    pub n_questions: usize,
    /// Those whose first page holds it.
    pub n_first: usize,
    /// Those whose loaded pages do.
    pub n_loaded: usize,
    /// Those that one page of the vault answers at all.
    pub n_on_one_page: usize,
}

impl HeaderFigures {
    /// Returns the figures over the results of tests.
    pub fn of(results: &[TestResult]) -> HeaderFigures {
        let led: Vec<&ByHeaders> = results.iter().filter_map(|result| result.by_headers.as_ref()).collect();
        let count = |is: &dyn Fn(&ByHeaders) -> bool| led.iter().filter(|one| is(one)).count();
        HeaderFigures {
            n_questions: led.len(),
            n_first: count(&|one| one.rank == Some(1)),
            n_loaded: count(&|one| one.is_loaded),
            n_on_one_page: count(&|one| one.page.is_some()),
        }
    }
}

/// One part of an answer.
enum Wanted<'t> {
    Said(&'t Said),
    /// A page; none when no page has the name.
    Page(Option<VaultPath>),
    Place(&'t Cited),
}

/// The pages that hold something of an answer, each with the parts that it holds.
type Held = BTreeMap<VaultPath, BTreeSet<usize>>;

impl Engine {
    /// Returns where headers alone lead for each test, none for one that does not say what the answer is.
    pub(super) fn lead_by_headers(
        &self,
        tests: &[KnowledgeTest],
        catalog: &dyn Catalog,
    ) -> Result<Vec<Option<ByHeaders>>, Failure> {
        let wanted: Vec<Vec<Wanted<'_>>> = tests.iter().map(|test| self.wanted(test, catalog)).collect();
        let held = self.pages_that_hold(&wanted)?;
        let led = tests.iter().zip(&wanted).zip(&held).map(|((test, wanted), held)| {
            (!wanted.is_empty()).then(|| {
                let order = in_order(&Question::in_every_language(&test.question), catalog);
                lead(order.into_iter().map(|page_idx| catalog.entry(page_idx)), held, wanted.len())
            })
        });
        Ok(led.collect())
    }

    /// The parts of an answer: what it says, else the pages that give it, else the places it stands at.
    fn wanted<'t>(&self, test: &'t KnowledgeTest, catalog: &dyn Catalog) -> Vec<Wanted<'t>> {
        if !test.must_say.is_empty() {
            return test.must_say.iter().map(Wanted::Said).collect();
        }
        if !test.must_load.is_empty() {
            return test.must_load.iter().map(|name| Wanted::Page(self.page_named(name, catalog).ok())).collect();
        }
        test.must_cite.iter().map(Wanted::Place).collect()
    }

    /// Per answer, the pages that hold something of it; pages are read once, and only if they have to be.
    fn pages_that_hold(&self, answers: &[Vec<Wanted<'_>>]) -> Result<Vec<Held>, Failure> {
        let mut held = vec![Held::new(); answers.len()];
        let parts = || {
            answers
                .iter()
                .enumerate()
                .flat_map(|(n, parts)| parts.iter().enumerate().map(move |(at, part)| (n, at, part)))
        };
        for (n, at, part) in parts() {
            if let Wanted::Page(Some(path)) = part {
                held[n].entry(path.clone()).or_default().insert(at);
            }
        }
        if parts().all(|(.., part)| matches!(part, Wanted::Page(_))) {
            return Ok(held);
        }
        let cites = parts().any(|(.., part)| matches!(part, Wanted::Place(_)));
        let found = |file: &FileStat, bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).ok()?;
            let cited = if cites { citations(&file.path, &text) } else { Vec::new() };
            let readings = Readings::of(text);
            let holds = |part: &Wanted<'_>| match part {
                Wanted::Said(said) => said.is_in(&readings),
                Wanted::Page(_) => false,
                Wanted::Place(place) => {
                    place.path == file.path || cited.iter().any(|cited| place.overlaps(&cited.path, cited.lines))
                }
            };
            let found: Vec<(usize, usize)> =
                parts().filter(|(.., part)| holds(part)).map(|(n, at, _)| (n, at)).collect();
            Some((file.path.clone(), found))
        };
        for (path, found) in self.store.map_files(&self.list_wiki()?.files, found)?.into_iter().flatten().flatten() {
            for (n, at) in found {
                held[n].entry(path.clone()).or_default().insert(at);
            }
        }
        Ok(held)
    }
}

fn citations(path: &VaultPath, text: &str) -> Vec<SourceRef> {
    let facts = PageFacts::read(path, text.to_owned());
    facts.footnotes.iter().filter_map(|footnote| SourceRef::parse(footnote.text.of(text))).collect()
}

/// Walks pages in order, loads what fits, and looks for the answer's `n_parts` in them.
fn lead(order: impl Iterator<Item = IndexEntry>, held: &Held, n_parts: usize) -> ByHeaders {
    let whole = held.iter().find(|(_, parts)| parts.len() == n_parts);
    let mut led = ByHeaders { page: whole.map(|(path, _)| page_slug(path)), ..ByHeaders::default() };
    let (mut is_full, mut said) = (false, BTreeSet::<usize>::new());
    for (at, entry) in order.enumerate() {
        let parts = held.get(&entry.path);
        if led.rank.is_none() && parts.is_some_and(|parts| parts.len() == n_parts) {
            (led.page, led.rank) = (Some(entry.slug.clone()), Some(at + 1));
        }
        is_full = is_full || led.tokens + entry.tokens > HEADER_TOKENS;
        if !is_full {
            led.tokens = led.tokens + entry.tokens;
            led.loaded.push(entry.slug);
            said.extend(parts.into_iter().flatten());
        }
        if is_full && (led.rank.is_some() || whole.is_none()) {
            break;
        }
    }
    led.is_loaded = said.len() == n_parts;
    led
}

#[cfg(test)]
mod tests {
    use ken_core::page::parse_page;

    use super::*;

    fn path(name: &str) -> VaultPath {
        VaultPath::new(&format!("knowledge/{name}.md")).expect("a path")
    }

    /// Pages in order with what they cost, and pages with the parts that they hold, of an answer of two.
    #[track_caller]
    fn check(order: &[(&str, usize)], held: &[(&str, &[usize])], expected: (Option<usize>, usize, bool)) -> ByHeaders {
        let entry = |(name, tokens): &(&str, usize)| IndexEntry {
            tokens: Tokens(*tokens),
            ..IndexEntry::uncounted(&parse_page(&path(name), String::new()).value)
        };
        let held = held.iter().map(|(name, parts)| (path(name), parts.iter().copied().collect())).collect();
        let led = lead(order.iter().map(entry), &held, 2);
        assert_eq!((led.rank, led.loaded.len(), led.is_loaded), expected);
        led
    }

    #[test]
    fn pages_are_loaded_in_order_until_one_does_not_fit() {
        let order = [("a", 1_000), ("b", 3_000), ("c", 1)];
        assert_eq!(check(&order, &[("b", &[0, 1])], (Some(2), 2, true)).tokens, HEADER_TOKENS);
        check(&[("a", 1_000), ("b", 3_001), ("c", 1)], &[("c", &[0, 1])], (Some(3), 1, false));
        check(&[("a", 4_001)], &[("a", &[0, 1])], (Some(1), 0, false));
    }

    #[test]
    fn an_answer_in_parts_is_loaded_with_all_of_them_and_stands_on_no_page() {
        let order = [("a", 10), ("b", 10)];
        let led = check(&order, &[("a", &[0]), ("b", &[1])], (None, 2, true));
        assert_eq!(led.page, None);
        check(&order, &[("a", &[0])], (None, 2, false));
    }

    #[test]
    fn a_page_that_no_header_leads_to_still_holds_the_answer() {
        let led = check(&[("a", 10)], &[("z", &[0, 1])], (None, 1, false));
        assert_eq!(led.page.map(|slug| slug.to_string()), Some("z".to_owned()));
    }

    #[test]
    fn of_several_pages_that_hold_the_answer_the_first_in_order_counts() {
        let led = check(&[("b", 10), ("a", 10)], &[("a", &[0, 1]), ("b", &[0, 1])], (Some(1), 2, true));
        assert_eq!(led.page.map(|slug| slug.to_string()), Some("b".to_owned()));
    }
}

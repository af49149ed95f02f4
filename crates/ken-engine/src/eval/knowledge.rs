//! Knowledge tests: asks a vault questions and compares what comes with what is expected.
//!
//! Routes, packs and searches exactly as the commands do, writes nothing and calls no model.

use ken_core::index::Catalog;
use ken_core::search::Partition;
use ken_core::{Slug, Tokens, VaultPath};

pub use super::expected::{Cited, KEYS, KnowledgeTest, parse};
pub use super::headers::{ByHeaders, HEADER_TOKENS, HeaderFigures};
use super::said::Readings;
pub use super::said::Said;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::search::{SearchRequest, Searcher};

/// The file that holds a vault's tests.
pub const TESTS_FILE: &str = "kenning-tests.toml";

/// Results of evidence that may hold what a test wants cited: those that `ken search` shows.
const EVIDENCE_MAX: usize = 10;
/// Questions of a file to begin with.
const FIRST_TESTS_MAX: usize = 20;

/// What came of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    /// The question.
    pub question: String,
    /// What was expected and did not come; empty when the test passed.
    pub failures: Vec<String>,
    /// The pages that the route loaded, in order.
    pub loaded: Vec<Slug>,
    /// What they cost.
    pub tokens: Tokens,
    /// Where headers alone lead; none when the test does not say what the answer is.
    pub by_headers: Option<ByHeaders>,
}

impl TestResult {
    /// Returns whether everything came as expected.
    pub fn has_passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// What asking one question showed.
struct Shown {
    loaded: Vec<(Slug, VaultPath)>,
    tokens: Tokens,
    places: Vec<(VaultPath, (usize, usize))>,
    text: Readings,
}

impl Engine {
    /// Returns the vault's own tests, if it has any.
    ///
    /// # Errors
    /// When their file does not read.
    pub fn knowledge_tests(&self) -> Result<Option<Vec<KnowledgeTest>>, Failure> {
        let path = VaultPath::new(TESTS_FILE).expect("a file name is a vault path");
        let Some(bytes) = self.store.read(&path)? else { return Ok(None) };
        let text = String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{TESTS_FILE} is not UTF-8 text")))?;
        parse(&text, TESTS_FILE).map(Some)
    }

    /// Returns what comes of tests, in order.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn test_knowledge(&self, tests: &[KnowledgeTest]) -> Result<Vec<TestResult>, Failure> {
        let mut searcher: Option<Searcher<'_>> = None;
        let catalog = self.catalog()?;
        let mut results = Vec::with_capacity(tests.len());
        let led = self.lead_by_headers(tests, catalog.as_ref())?;
        for (test, by_headers) in tests.iter().zip(led) {
            if searcher.is_none() && !test.must_cite.is_empty() {
                searcher = Some(self.searcher()?);
            }
            let shown = self.shown(test, searcher.as_mut())?;
            let failures = self.failures(test, &shown, catalog.as_ref())?;
            let loaded = shown.loaded.into_iter().map(|(slug, _)| slug).collect();
            let question = test.question.clone();
            results.push(TestResult { question, failures, loaded, tokens: shown.tokens, by_headers });
        }
        Ok(results)
    }

    /// What the commands show for a question; places and text only when the test asks for some.
    fn shown(&self, test: &KnowledgeTest, searcher: Option<&mut Searcher<'_>>) -> Result<Shown, Failure> {
        let route = self.route(&test.question, None)?.route;
        let (mut places, mut text) = (Vec::new(), String::new());
        if !test.must_cite.is_empty() || !test.must_say.is_empty() {
            let pack = self.context(&test.question, None)?.pack;
            places.extend(pack.parts.into_iter().map(|part| (part.path, part.lines)));
            text = pack.text;
        }
        if let Some(searcher) = searcher.filter(|_| !test.must_cite.is_empty()) {
            let partition = Some(Partition::Evidence);
            let request = SearchRequest {
                text: test.question.clone(),
                partition,
                n_max: EVIDENCE_MAX,
                ..SearchRequest::default()
            };
            let found = searcher.search(&request)?.evidence;
            places.extend(found.into_iter().map(|hit| (hit.path, hit.lines)));
        }
        let loaded = route.loaded.iter().map(|one| (one.entry.slug.clone(), one.entry.path.clone())).collect();
        Ok(Shown { loaded, tokens: route.tokens, places, text: Readings::of(text) })
    }

    fn failures(&self, test: &KnowledgeTest, shown: &Shown, catalog: &dyn Catalog) -> Result<Vec<String>, Failure> {
        let mut failures = Vec::new();
        let wanted = test.must_load.iter().map(|name| ("must_load", name, true));
        let unwanted = test.must_not_load.iter().map(|name| ("must_not_load", name, false));
        for (key, name, is_wanted) in wanted.chain(unwanted) {
            match self.page_named(name, catalog) {
                Ok(path) if shown.loaded.iter().any(|(_, loaded)| *loaded == path) == is_wanted => {}
                Ok(_) => failures.push(format!("{key} `{name}`: it is {}loaded", if is_wanted { "not " } else { "" })),
                // A name that is wrong would let `must_not_load` pass for ever.
                Err(unknown) => failures.push(format!("{key} `{name}`: {}", said(&unknown))),
            }
        }
        for cited in &test.must_cite {
            let is_shown = shown.places.iter().any(|(path, lines)| cited.overlaps(path, *lines));
            if let Some(why) = if is_shown { None } else { Some(self.why_not_cited(cited)?) } {
                failures.push(format!("must_cite `{cited}`: {why}"));
            }
        }
        let unsaid = test.must_say.iter().filter(|said| !said.is_in(&shown.text));
        failures.extend(unsaid.map(|said| format!("must_say `{said}`: the context does not say it")));
        match test.abstain {
            Some(true) if !shown.loaded.is_empty() => failures.push("abstain: pages are loaded".to_owned()),
            Some(false) if shown.loaded.is_empty() => failures.push("abstain: nothing is loaded".to_owned()),
            _ => {}
        }
        Ok(failures)
    }

    pub(super) fn page_named(&self, name: &str, catalog: &dyn Catalog) -> Result<VaultPath, Failure> {
        let last = name.trim_end_matches(".md").rsplit('/').next().unwrap_or(name);
        let found = Slug::from_text(last).and_then(|slug| catalog.find(&slug));
        found.map(|page| catalog.entry(page).path).ok_or_else(|| self.no_such_page(name, catalog))
    }

    fn why_not_cited(&self, cited: &Cited) -> Result<String, Failure> {
        let Some(bytes) = self.store.read(&cited.path)? else { return Ok("there is no such file".to_owned()) };
        let n_lines = String::from_utf8_lossy(&bytes).lines().count();
        Ok(match cited.lines {
            Some((_, last)) if last > n_lines => format!("the file ends at line {n_lines}"),
            _ => "neither context nor evidence shows it".to_owned(),
        })
    }

    /// Returns a file of tests to begin with: what each page says it is about, and one question about nothing.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn first_knowledge_tests(&self) -> Result<String, Failure> {
        let mut text = "# Questions this vault must answer; see `ken help eval knowledge`.\n".to_owned();
        let pages = self.list(None)?.into_iter().filter(|entry| entry.redirect_to.is_none());
        for entry in pages.take(FIRST_TESTS_MAX) {
            // What escapes in JSON escapes likewise in TOML.
            let question = serde_json::Value::String(format!("What is {}?", entry.title));
            text.push_str(&format!("\n[[test]]\nquestion = {question}\nmust_load = [\"{}\"]\n", entry.slug));
        }
        text.push_str("\n[[test]]\nquestion = \"Which zoo keeps the tallest giraffe?\"\nabstain = true\n");
        Ok(text)
    }
}

fn said(failure: &Failure) -> String {
    [vec![failure.message.clone()], failure.hints.clone()].concat().join("; ")
}

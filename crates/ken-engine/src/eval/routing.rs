//! What routing spares: the benchmark by which the Compiled Knowledge Pattern states its worth.

use ken_core::{IndexEntry, Slug, Tokens, budget};

use super::knowledge::{KnowledgeTest, TESTS_FILE};
use crate::engine::Engine;
use crate::failure::Failure;

/// Where questions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// A file with one a line.
    File,
    /// The vault's knowledge tests.
    Tests,
    /// Titles and triggers of the pages.
    Pages,
}

impl Asker {
    /// Returns the word that stands for it in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Asker::File => "file",
            Asker::Tests => "tests",
            Asker::Pages => "pages",
        }
    }
}

/// What one question loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routed {
    /// The question.
    pub question: String,
    /// Pages that are loaded.
    pub n_loaded: usize,
    /// What they cost.
    pub tokens: Tokens,
    /// Whether that is what was expected, where something was.
    pub is_right: Option<bool>,
    /// Whether nothing is to be loaded, because the vault is not about that.
    pub is_out_of_domain: bool,
}

/// What routing spares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutingOutcome {
    /// Pages in the vault.
    pub n_pages: usize,
    /// What loading all of them costs.
    pub everything: Tokens,
    /// What their headers cost, which are read for every question.
    pub headers: Tokens,
    /// Where the questions came from.
    pub asker: Asker,
    /// Every question with what it loads.
    pub questions: Vec<Routed>,
}

impl RoutingOutcome {
    /// Returns the mean cost of a question; none without questions.
    pub fn routed(&self) -> Option<f64> {
        mean(self.questions.iter())
    }

    /// Returns the mean cost of the questions that load something.
    pub fn routed_answered(&self) -> Option<f64> {
        mean(self.questions.iter().filter(|one| one.n_loaded > 0))
    }

    /// Returns the questions that load nothing.
    pub fn n_abstained(&self) -> usize {
        self.questions.iter().filter(|one| one.n_loaded == 0).count()
    }

    /// Returns how many questions are answered as expected, and of how many something was.
    pub fn right(&self) -> (usize, usize) {
        let graded: Vec<bool> = self.questions.iter().filter_map(|one| one.is_right).collect();
        (graded.iter().filter(|is_right| **is_right).count(), graded.len())
    }

    /// Returns how many questions are about something else, and the pages that are loaded for them.
    pub fn out_of_domain(&self) -> (usize, usize) {
        let others: Vec<&Routed> = self.questions.iter().filter(|one| one.is_out_of_domain).collect();
        (others.len(), others.iter().map(|one| one.n_loaded).sum())
    }

    /// Returns from how many pages of this size on headers and what is loaded cost less than everything; none where a
    /// header costs as much as its page.
    pub fn pays_from(&self) -> Option<usize> {
        let each = |tokens: Tokens| tokens.0 as f64 / self.n_pages as f64;
        let (page, header) = (each(self.everything), each(self.headers));
        let routed = self.routed()?;
        (page > header).then(|| (routed / (page - header)).floor() as usize + 1)
    }

    /// Returns the share of `everything` that is spared at such a cost.
    pub fn reduction(&self, tokens: Option<f64>) -> Option<f64> {
        let everything = self.everything.0 as f64;
        tokens.filter(|_| everything > 0.0).map(|tokens| 1.0 - tokens / everything)
    }
}

fn mean<'a>(questions: impl Iterator<Item = &'a Routed>) -> Option<f64> {
    let costs: Vec<usize> = questions.map(|one| one.tokens.0).collect();
    (!costs.is_empty()).then(|| costs.iter().sum::<usize>() as f64 / costs.len() as f64)
}

impl Engine {
    /// Returns what routing spares on these questions, else on the vault's tests, else on questions made of
    /// its pages.
    ///
    /// # Errors
    /// When the vault or its tests cannot be read, or there is no page.
    pub fn measure_routing(&self, questions: Option<Vec<KnowledgeTest>>) -> Result<RoutingOutcome, Failure> {
        let entries = self.list(None)?;
        if entries.is_empty() {
            return Err(Failure::refused("there are no pages to route over").hint("make some with `ken compile`"));
        }
        let (asker, questions) = match (questions, self.knowledge_tests()) {
            (Some(questions), _) => (Asker::File, questions),
            (None, tests) => match tests? {
                Some(tests) => (Asker::Tests, tests),
                None => (Asker::Pages, entries.iter().flat_map(questions_of).map(asked).collect()),
            },
        };
        if questions.is_empty() {
            return Err(Failure::usage("there is no question to ask").hint(format!("write some into {TESTS_FILE}")));
        }
        let routed = |test: KnowledgeTest| -> Result<Routed, Failure> {
            let route = self.route(&test.question, None)?.route;
            let loaded: Vec<&IndexEntry> = route.loaded.iter().map(|loaded| &loaded.entry).collect();
            Ok(Routed {
                n_loaded: loaded.len(),
                tokens: route.tokens,
                is_right: is_right(&test, &loaded),
                is_out_of_domain: test.abstain == Some(true),
                question: test.question,
            })
        };
        let questions = questions.into_iter().map(routed).collect::<Result<_, _>>()?;
        let everything = entries.iter().map(|entry| entry.tokens).sum();
        let headers = entries.iter().map(|entry| budget::count(&header_of(entry))).sum();
        Ok(RoutingOutcome { n_pages: entries.len(), everything, headers, asker, questions })
    }
}

/// A question of which nothing is expected.
pub fn asked(question: String) -> KnowledgeTest {
    KnowledgeTest { question, ..KnowledgeTest::default() }
}

/// Whether pages are those that were expected, where any were.
fn is_right(test: &KnowledgeTest, loaded: &[&IndexEntry]) -> Option<bool> {
    let has = |name: &String| {
        Slug::from_text(name).is_some_and(|name| loaded.iter().any(|entry| entry.names().contains(&name)))
    };
    let is_graded = !test.must_load.is_empty() || !test.must_not_load.is_empty() || test.abstain.is_some();
    let is_silent = test.abstain.is_none_or(|abstains| abstains == loaded.is_empty());
    is_graded.then(|| is_silent && test.must_load.iter().all(has) && !test.must_not_load.iter().any(has))
}

/// What of a page is read for every question.
fn header_of(entry: &IndexEntry) -> String {
    format!("{}: {}\n{}\n", entry.title, entry.tldr, entry.triggers.join(", "))
}

/// What a page might be asked for: what it is, and how its subject works in the words that lead to it.
fn questions_of(entry: &ken_core::IndexEntry) -> Vec<String> {
    let mut questions = vec![format!("What is {}?", entry.title)];
    if !entry.triggers.is_empty() {
        let words: Vec<&str> = entry.triggers.iter().take(2).map(String::as_str).collect();
        questions.push(format!("How does {} work?", words.join(" ")));
    }
    questions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_reduction_are_those_of_all_questions() {
        let routed = |n_loaded, tokens| Routed {
            question: String::new(),
            n_loaded,
            tokens: Tokens(tokens),
            is_right: None,
            is_out_of_domain: false,
        };
        let questions = vec![routed(2, 300), routed(1, 100), routed(0, 0), routed(1, 200)];
        let outcome = RoutingOutcome {
            n_pages: 4,
            everything: Tokens(1_000),
            headers: Tokens(40),
            asker: Asker::File,
            questions,
        };
        assert_eq!((outcome.routed(), outcome.routed_answered()), (Some(150.0), Some(200.0)));
        assert_eq!((outcome.n_abstained(), outcome.reduction(outcome.routed())), (1, Some(0.85)));
        let empty = RoutingOutcome { everything: Tokens(0), questions: Vec::new(), ..outcome };
        assert_eq!((empty.routed(), empty.reduction(Some(1.0))), (None, None));
    }
}

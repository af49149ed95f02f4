//! The text that answers a question, within a budget: pages of the route, and evidence for what they leave
//! open.

use ken_core::context::{Evidence, pack};
use ken_core::route::Query;
use ken_core::search::{Partition, rank};
use ken_core::{Tokens, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::ContextOutcome;
use crate::search::{SearchHit, SearchRequest};

/// Passages of the journal and the sources that may be added.
const EVIDENCE_MAX: usize = 4;

impl Engine {
    /// Returns the text to hand to a model for a question, within a budget.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn context(&self, question: &str, budget: Option<Tokens>) -> Result<ContextOutcome, Failure> {
        let catalog = self.catalog()?;
        let budget = budget.unwrap_or(self.config.context_tokens);
        let query = Query::new(question);
        // Whole pages are weighed here, not in the route: a page that is too large may still give a span.
        let route = self.choose(question, catalog.as_ref(), Tokens(usize::MAX));
        let paths: Vec<VaultPath> = route.loaded.iter().map(|page| page.entry.path.clone()).collect();
        let evidence = self.evidence(question)?;
        let pack = pack(&query, &route, &self.read_pages(&paths)?, &evidence, budget);
        let abstained = route.is_empty() && evidence.is_empty();
        Ok(ContextOutcome { abstained, pack, budget, declaration: route.declaration(), notes: self.reading_notes() })
    }

    /// What the journal and the sources say about a question; nothing when they do not answer it.
    fn evidence(&self, question: &str) -> Result<Vec<Evidence>, Failure> {
        let evidence = |hit: SearchHit| Evidence {
            title: hit.title,
            path: hit.path,
            first_line: hit.lines.0,
            date: hit.date,
            text: hit.text,
        };
        Ok(self.evidence_hits(question)?.into_iter().map(evidence).collect())
    }

    /// The same as places.
    pub(crate) fn evidence_hits(&self, question: &str) -> Result<Vec<SearchHit>, Failure> {
        let request = SearchRequest {
            text: question.to_owned(),
            partition: Some(Partition::Evidence),
            n_max: EVIDENCE_MAX,
            ..SearchRequest::default()
        };
        let found = self.search(&request)?;
        let best = found.evidence.first().map_or(0.0, |hit| hit.score);
        let is_close = |hit: &&SearchHit| hit.score >= best * SHARE_MIN;
        let is_answer = found.confidence >= rank::SURE;
        Ok(if is_answer { found.evidence.into_iter().filter(|hit| is_close(&hit)).collect() } else { Vec::new() })
    }
}

/// Evidence scores at least this share of the best.
const SHARE_MIN: f32 = 0.5;

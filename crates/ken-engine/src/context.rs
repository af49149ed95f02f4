//! The text that answers a question, within a budget: pages of the route, and evidence for what they leave
//! open.

use std::collections::BTreeMap;

use ken_core::context::{Evidence, Source, Wanted, pack};
use ken_core::frame::attribute;
use ken_core::header::FieldName;
use ken_core::route::Query;
use ken_core::search::{Partition, rank};
use ken_core::{Page, Tokens, Trust, VaultPath};

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
        let trusted = TrustOfPages::new(self)?;
        let source = |page: Page| Source { trust: Some(trusted.of(&page)), page };
        let pages: Vec<Source> = self.read_pages(&paths)?.into_iter().map(source).collect();
        let attributes = self.frame_attributes();
        let pack = pack(Wanted { query: &query, attributes: &attributes, budget }, &route, &pages, &evidence);
        let abstained = route.is_empty() && evidence.is_empty();
        Ok(ContextOutcome { abstained, pack, budget, declaration: route.declaration(), notes: self.reading_notes() })
    }

    /// The attributes of a frame that answers: no time, so that the same answer is the same text.
    pub(crate) fn frame_attributes(&self) -> String {
        let name = self.root().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        attribute("vault", &name)
    }

    /// What the journal and the sources say about a question; nothing when they do not answer it.
    fn evidence(&self, question: &str) -> Result<Vec<Evidence>, Failure> {
        let evidence = |hit: SearchHit| Evidence {
            title: hit.title,
            path: hit.path,
            first_line: hit.lines.0,
            date: hit.date,
            trust: hit.trust,
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

/// How far pages are trusted, by what they were made from.
pub(crate) struct TrustOfPages {
    sources: BTreeMap<VaultPath, Trust>,
    journal: VaultPath,
}

impl TrustOfPages {
    pub(crate) fn new(engine: &Engine) -> Result<TrustOfPages, Failure> {
        let sources = engine.register()?.into_iter().map(|(path, (_, trust))| (path, trust)).collect();
        Ok(TrustOfPages { sources, journal: engine.layout().journal.clone() })
    }

    /// Returns how far a journal day or a source is trusted, whatever its entries say themselves.
    pub(crate) fn of_source(&self, path: &VaultPath) -> Trust {
        let in_journal = path.is_under(self.journal.as_str());
        let known = || self.sources.get(path).copied().unwrap_or(Trust::User);
        if in_journal { Trust::Agent } else { known() }
    }

    /// Returns how far a page is trusted: what one external source said is marked where it stands, so only a page
    /// that rests on nothing else is external itself.
    pub(crate) fn of(&self, page: &Page) -> Trust {
        let listed = page.list(FieldName::Sources);
        let paths = listed.iter().filter_map(|source| VaultPath::new(source.split('#').next().unwrap_or(source)));
        self.of_all(paths)
    }

    /// Returns the least trust of what is not external, or external where there is nothing else.
    pub(crate) fn of_all(&self, paths: impl Iterator<Item = VaultPath>) -> Trust {
        let all: Vec<Trust> = paths.map(|path| self.of_source(&path)).collect();
        let vouched = all.iter().copied().filter(|trust| *trust != Trust::External).max();
        vouched.unwrap_or(if all.is_empty() { Trust::User } else { Trust::External })
    }
}

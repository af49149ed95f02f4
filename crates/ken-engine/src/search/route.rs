//! Routing by the text of pages, for questions that no header answers.
//!
//! Routing stays fast, never writes and never fails because of search. Of a small vault an index is made in
//! memory when none fits the files; of a large one the index is asked as the last search left it, because
//! looking at every file takes longer than all the rest, and without one routing goes without.

use std::collections::BTreeSet;

use ken_core::index::Catalog;
use ken_core::route::{Route, route_in_text};
use ken_core::search::{Partition, Question};
use ken_core::{Slug, VaultPath};

use super::answer::Respelled;
use super::ask::{Asked, Look, Place};
use super::meaning::Meaning;
use super::respell::Words;
use super::texts::Texts;
use crate::engine::Engine;

/// From this confidence on pages are loaded for their text. It is higher than for a search, whose reader sees
/// passages and judges; `docs/book/routing.md` has the curve.
pub const SURE_IN_TEXT: f32 = 0.15;
/// A further page must score this share of the best one.
const SCORE_SHARE_MIN: f32 = 0.7;
/// Pages that may be loaded for their text.
const PAGES_MAX: usize = 3;
/// Up to so many pages an index that is missing is made in memory: that takes as long as routing may.
const MAKE_PAGES_MAX: usize = 100;

/// What the text of pages says of a question.
struct InText {
    /// How sure it is that the best page answers.
    confidence: f32,
    /// Pages, each with the words of the question that stand in its text.
    found: Vec<(u32, Vec<String>)>,
    notes: Vec<String>,
}

impl Engine {
    /// Returns the route of a question by the text of pages, if the text is sure to answer it, else `by_headers`
    /// with what was found out; the text of `without` does not count.
    pub(crate) fn route_in_text(
        &self,
        question: &str,
        catalog: &dyn Catalog,
        mut by_headers: Route,
        without: Option<&VaultPath>,
    ) -> Route {
        let Some(InText { confidence, found, notes }) = self.pages_in_text(question, catalog, without) else {
            return by_headers;
        };
        by_headers.text_confidence = Some(f64::from(confidence));
        by_headers.notes = notes;
        if confidence < SURE_IN_TEXT {
            return by_headers;
        }
        let route = route_in_text(&Question::in_every_language(question), catalog, &by_headers, &found);
        Route { text_confidence: by_headers.text_confidence, notes: by_headers.notes, ..route }
    }

    /// The pages whose text answers best, each with the words that stand there, and how sure the best one is.
    fn pages_in_text(&self, question: &str, catalog: &dyn Catalog, without: Option<&VaultPath>) -> Option<InText> {
        let is_small = catalog.n_pages() <= MAKE_PAGES_MAX || self.past.is_some();
        let index = match self.ready_index(!is_small) {
            None if is_small => self.index_in_memory().ok()?,
            index => index?,
        };
        let mut asks = Question::plain(question, &index.languages);
        index.read_days(&mut asks, self.clock.today());
        let mut texts = Texts::new(self, self.register().ok()?);
        let looked_up = Words::look_up(&index.shelf, &mut asks, &mut |place| texts.raw(&index.shelf, place));
        let asked = Asked::new(&index.shelf, &asks, looked_up);
        let mut text = |place: Place| texts.raw(&index.shelf, place);
        let path_of =
            |segment: usize, doc: u32| index.shelf.members()[segment].segment.doc(doc).map(|facts| facts.path);
        // What is past answers nothing.
        let past = (0..catalog.n_pages() as u32).filter(|page_idx| catalog.is_past(*page_idx));
        let past: BTreeSet<VaultPath> = past.map(|page_idx| catalog.entry(page_idx).path).collect();
        let is_left_out = |path: &VaultPath| without == Some(path) || past.contains(path);
        let in_scope = |segment, doc| {
            (without.is_none() && past.is_empty()) || path_of(segment, doc).is_none_or(|path| !is_left_out(&path))
        };
        let mut look = Look { in_scope: &in_scope, passes: &mut |_| true, text: &mut text };
        let ranked = asked.best(Partition::Pages, PAGES_MAX, &mut look);
        let best = ranked.hits.first()?.score;
        let words = |path| {
            let missing = asked.look_at(path).map_or(Vec::new(), |(_, missing, _)| missing);
            let said = asks
                .words
                .iter()
                .filter(|word| word.is_asked() && !missing.contains(&format!("`{}`", word.searched())));
            said.map(|word| word.searched().to_lowercase()).collect::<Vec<String>>()
        };
        let hits = ranked.hits.iter().filter(|hit| hit.score >= best * SCORE_SHARE_MIN);
        let found =
            hits.filter_map(|hit| Some((catalog.find(&Slug::from_text(&hit.facts.slug)?)?, words(&hit.facts.path))));
        let (found, notes) = (found.collect(), asked.respelled().iter().map(Respelled::to_string).collect());
        Some(InText { confidence: ranked.confidence, found, notes })
    }

    /// Returns the page that means most nearly what is asked, as the last index and its vectors have it, and what a
    /// reader should know. It is named, never loaded: how alike is alike enough differs from model to model.
    pub(crate) fn page_alike(&self, question: &str) -> (Option<Slug>, Option<String>) {
        let Some(index) = self.ready_index(true).filter(|_| self.may_compare()) else { return (None, None) };
        let mut asks = Question::plain(question, &index.languages);
        let looked_up = Words::look_up(&index.shelf, &mut asks, &mut |_| None);
        let asked = Asked::new(&index.shelf, &asks, looked_up);
        let (meaning, note) = Meaning::open(self, &index);
        let Some(mut meaning) = meaning else { return (None, note) };
        let unlike = meaning.ask(&asks);
        let page = meaning.page(&asked).and_then(|facts| Slug::from_text(&facts.slug));
        (page, note.or(unlike))
    }
}

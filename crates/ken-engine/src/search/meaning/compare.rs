//! What vectors add to a ranking. Everything is compared inside the scope of the question.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ken_core::search::{DocFacts, Partition, Question};
use ken_embed::{EmbedError, Embedder, Endpoint, EndpointSettings, LocalModel, Role};
use ken_intake::scrub::scrub;
use ken_search::{KeptVector, Shelf, Vectors};

use super::{MeaningSettings, VECTORS};
use crate::engine::Engine;
use crate::search::ask::{Asked, Look, POOL, Place, Ranked};
use crate::search::index::SearchIndex;

/// What meaning may add to a score, of the best score by words. Found on one half of the questions of
/// public data and checked on the other; `docs/book/semantic.md` has the figures.
const SHARE: f32 = 0.18;
/// What has none of the words stays behind what has, where the order of the words is kept.
const BEHIND: f32 = 0.99;

/// Returns what makes the vectors.
///
/// # Errors
/// When nothing is set, or the model does not open.
pub(super) fn embedder(settings: &MeaningSettings) -> Result<Box<dyn Embedder>, String> {
    let said = |error: EmbedError| error.to_string();
    match (&settings.url, &settings.model) {
        (Some(url), model) => {
            let settings = EndpointSettings {
                url: url.clone(),
                model: model.clone().unwrap_or_default(),
                key: settings.key.clone().map(|key| key.0),
                timeout: None,
            };
            Ok(Box::new(Endpoint::new(settings).map_err(said)?))
        }
        (None, Some(folder)) => Ok(Box::new(LocalModel::open(&PathBuf::from(folder)).map_err(said)?)),
        (None, None) => Err("no model is set; name the folder of one in KEN_EMBEDDING_MODEL".to_owned()),
    }
}

/// What answers questions by meaning.
pub(crate) struct Meaning {
    embedder: Box<dyn Embedder>,
    /// Per segment; none when it has no vectors of this model.
    vectors: Vec<Option<Vectors>>,
    /// The question that was asked last, with its vector.
    asked: Option<(String, KeptVector)>,
}

impl Meaning {
    /// Returns the vectors of an index, and what a reader should know about them; the first is none when
    /// there is nothing to compare with.
    pub(crate) fn open(engine: &Engine, index: &SearchIndex) -> (Option<Meaning>, Option<String>) {
        let embedder = match embedder(&engine.meaning) {
            Ok(embedder) => embedder,
            Err(why) => return (None, Some(by_words(&why))),
        };
        let mut meaning = Meaning { embedder, vectors: Vec::new(), asked: None };
        meaning.load(engine, index);
        let n: usize = meaning.vectors.iter().flatten().map(Vectors::n).sum();
        let all = index.shelf.n_passages();
        let name = meaning.embedder.name();
        let note = match n {
            _ if n >= all => None,
            0 => Some(by_words(&format!(
                "`{name}` has no vectors here yet; `ken search --refresh --semantic` makes them"
            ))),
            _ => {
                let missing = all - n;
                Some(format!(
                    "{missing} of {all} passages have no vector yet; `ken search --refresh --semantic` makes them"
                ))
            }
        };
        ((n > 0).then_some(meaning), note)
    }

    /// Reads the vectors of an index; without that, those of another would be compared.
    pub(crate) fn load(&mut self, engine: &Engine, index: &SearchIndex) {
        let model = self.embedder.digest();
        let open = |name: &str| Vectors::open(engine.store.read_cache(&format!("{name}{VECTORS}"))?, &model);
        self.vectors = index.segment_names().map(open).collect();
    }

    /// Takes in a question; returns why it cannot be compared, if it cannot.
    pub(crate) fn ask(&mut self, question: &Question) -> Option<String> {
        let text = question.prose();
        // It may go to a server, and a secret means nothing.
        let (text, _) = scrub(&text);
        if text.is_empty() {
            self.asked = None;
            return None;
        }
        self.take_in(&text)
    }

    fn take_in(&mut self, question: &str) -> Option<String> {
        if self.asked.as_ref().is_some_and(|(asked, _)| asked == question) {
            return None;
        }
        self.asked = None;
        let made = match self.embedder.embed(Role::Question, &[question]) {
            Ok(made) => made,
            Err(error) => return Some(by_words(&error.to_string())),
        };
        let vector = KeptVector::of(made.first().map_or(&[], Vec::as_slice));
        if self.vectors.iter().flatten().any(|vectors| vectors.width() == vector.width()) {
            self.asked = Some((question.to_owned(), vector));
            return None;
        }
        let message = format!("`{}` gives vectors of another width than those that are kept", self.embedder.name());
        Some(by_words(&format!("{message}; `ken search --refresh --semantic` makes them anew")))
    }

    /// Returns the best documents of a partition by words and meaning, best first.
    pub(crate) fn best(&self, asked: &Asked<'_>, partition: Partition, n_max: usize, look: &mut Look<'_>) -> Ranked {
        let in_scope = look.in_scope;
        let ranked = asked.best(partition, POOL, look);
        let mut ranked = self.fuse(ranked, asked, partition, in_scope);
        ranked.hits.truncate(n_max);
        ranked
    }

    /// Returns the passages that are most alike, each with what that adds, of the best score by words: 1 the best
    /// one, in proportion the others down to the first that is left out.
    pub(crate) fn passages(&self, asked: &Asked<'_>, n_max: usize) -> Vec<(Place, f32)> {
        let Some((_, question)) = &self.asked else { return Vec::new() };
        let mut all: Vec<(f32, Place)> = Vec::new();
        for (segment, (member, vectors)) in asked.shelf().members().iter().zip(&self.vectors).enumerate() {
            let Some(vectors) = vectors.as_ref().filter(|vectors| vectors.width() == question.width()) else {
                continue;
            };
            let starts = member.segment.starts();
            for (product, passage) in vectors.products(question).zip(0_u32..) {
                let doc = starts.partition_point(|start| *start <= passage).saturating_sub(1) as u32;
                if product > 0.0 && member.is_alive(doc) {
                    all.push((product, (segment, doc, passage)));
                }
            }
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let best = all.first().map_or(1.0, |(product, _)| *product);
        let least = all.get(n_max).map_or(0.0, |(product, _)| *product);
        let amount = |product: f32| (product - least) / (best - least).max(f32::EPSILON);
        all.into_iter().take(n_max).map(|(product, place)| (place, amount(product))).collect()
    }

    /// Returns the page that is most alike.
    pub(crate) fn page(&self, asked: &Asked<'_>) -> Option<DocFacts> {
        let (_, question) = self.asked.as_ref()?;
        let alike = self.alike(asked.shelf(), question, Partition::Pages, &|_, _| true);
        let ((segment, doc), _) = alike.into_iter().max_by(|(_, (a, _)), (_, (b, _))| a.total_cmp(b))?;
        asked.shelf().members()[segment].segment.doc(doc)
    }

    /// Returns the ranking with what meaning adds; it was made of the whole pool.
    ///
    /// Questions that name days, or ask for what is first or newest, keep the order of the words, and what
    /// has none of them comes in behind: a model knows little of dates, and reordering did harm there.
    fn fuse(
        &self,
        ranked: Ranked,
        asked: &Asked<'_>,
        partition: Partition,
        in_scope: &dyn Fn(usize, u32) -> bool,
    ) -> Ranked {
        let Some((_, question)) = &self.asked else { return ranked };
        let alike = self.alike(asked.shelf(), question, partition, in_scope);
        let best = alike.values().map(|(product, _)| *product).fold(0.0, f32::max);
        if best <= 0.0 {
            return ranked;
        }
        let mut hits = ranked.hits;
        let scores = || hits.iter().map(|hit| hit.score);
        let most = match scores().reduce(f32::max) {
            None => 1.0,
            Some(_) if asked.is_of_time() => scores().fold(f32::INFINITY, f32::min) * BEHIND,
            Some(by_words) => by_words * SHARE,
        };
        let amount = |product: f32| most * product.max(0.0) / best;
        for hit in hits.iter_mut().filter(|_| !asked.is_of_time()) {
            let (segment, doc, _) = hit.place;
            hit.by_meaning = alike.get(&(segment, doc)).map_or(0.0, |(product, _)| amount(*product));
        }
        if asked.is_without_syntax() {
            let mut others: Vec<(f32, Place)> = alike
                .iter()
                .filter(|(doc, _)| !hits.iter().any(|hit| (hit.place.0, hit.place.1) == **doc))
                .map(|((segment, doc), (product, passage))| (*product, (*segment, *doc, *passage)))
                .collect();
            others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for (product, place) in others.into_iter().take(POOL) {
                if let Some(mut hit) = asked.hit_at(place) {
                    hit.by_meaning = amount(product);
                    hits.push(hit);
                }
            }
        }
        hits.iter_mut().for_each(|hit| hit.score += hit.by_meaning);
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.place.cmp(&b.place)));
        Ranked { hits, confidence: ranked.confidence }
    }

    /// The passage of each document in scope that is most alike, with how alike it is.
    fn alike(
        &self,
        shelf: &Shelf,
        question: &KeptVector,
        partition: Partition,
        in_scope: &dyn Fn(usize, u32) -> bool,
    ) -> BTreeMap<(usize, u32), (f32, u32)> {
        let mut out = BTreeMap::new();
        for (segment, (member, vectors)) in shelf.members().iter().zip(&self.vectors).enumerate() {
            let Some(vectors) = vectors.as_ref().filter(|vectors| vectors.width() == question.width()) else {
                continue;
            };
            let range = member.segment.passages_of(partition);
            let starts = member.segment.starts();
            let products = vectors.products(question).zip(0_u32..).skip(range.start as usize);
            let products: Vec<(f32, u32)> = products.take(range.len()).collect();
            let mut rest = products.as_slice();
            let first_doc = starts.partition_point(|start| *start < range.start);
            for (doc, ends) in (first_doc..).zip(starts.iter().skip(first_doc + 1)) {
                let n = rest.partition_point(|(_, passage)| passage < ends);
                let (own, after) = rest.split_at(n);
                rest = after;
                let best = own.iter().copied().reduce(|a, b| if b.0 > a.0 { b } else { a });
                let doc = doc as u32;
                if let Some(best) = best.filter(|best| best.0 > 0.0)
                    && member.is_alive(doc)
                    && in_scope(segment, doc)
                {
                    out.insert((segment, doc), best);
                }
                if rest.is_empty() {
                    break;
                }
            }
        }
        out
    }
}

fn by_words(why: &str) -> String {
    format!("searched by words alone: {why}")
}

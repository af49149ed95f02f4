//! Asks an index: candidates by their best passages, then the order.

use super::answer::ScorePart;
use ken_core::search::rank::{self, Candidate, Weights};
use ken_core::search::{DocFacts, Partition, PassageFacts, Question};
use ken_core::{Date, VaultPath};
use ken_search::{Forms, Found, LookedUp, Shelf, Wanted};

/// Documents that are weighed more closely; ranks below do not depend on how many are asked for.
const POOL: usize = 200;

/// A document that was found.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    /// Where it stands in the index: segment, document, passage.
    pub(crate) id: (usize, u32, u32),
    pub(crate) facts: DocFacts,
    pub(crate) passage: PassageFacts,
    pub(crate) score: f32,
    /// Per word of the question: what it says about the passage and the document.
    pub(crate) in_passage: Vec<f32>,
    pub(crate) in_doc: Vec<f32>,
}

/// What was found in one partition.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ranked {
    pub(crate) hits: Vec<Hit>,
    pub(crate) confidence: f32,
}

/// A question put to an index.
pub(crate) struct Asked<'a> {
    shelf: &'a Shelf,
    question: &'a Question,
    looked_up: LookedUp<'a>,
    weights: Weights,
}

/// A candidate with its score.
struct Scored {
    found: Found,
    date: Option<Date>,
    score: f32,
}

impl<'a> Asked<'a> {
    /// Looks up the words of a question.
    pub(crate) fn new(shelf: &'a Shelf, question: &'a Question) -> Asked<'a> {
        let forms: Vec<Forms> = question.words.iter().map(|word| word.forms.clone()).collect();
        let looked_up = shelf.look_up(&forms);
        let weights = rank::weights(question, &looked_up.frequencies(), shelf.n_passages(), shelf.n_docs());
        Asked { shelf, question, looked_up, weights }
    }

    /// Returns the best documents of a partition, best first.
    pub(crate) fn best(
        &self,
        partition: Partition,
        n_max: usize,
        in_scope: &dyn Fn(usize, u32) -> bool,
        passes: &mut dyn FnMut(usize, u32, u32) -> bool,
    ) -> Ranked {
        let wanted = Wanted {
            partition,
            weights: &self.weights.passage,
            required: &self.question.required,
            banned: &self.question.banned,
            n_max: POOL.max(n_max),
        };
        let is_alive = |segment: usize, doc: u32| self.shelf.members()[segment].is_alive(doc) && in_scope(segment, doc);
        let found = self.looked_up.best(&wanted, &is_alive, passes);
        let mut scored: Vec<Scored> = found.into_iter().map(|found| self.scored(found)).collect();
        scored.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then((a.found.segment, a.found.doc).cmp(&(b.found.segment, b.found.doc)))
        });
        let confidence = scored.first().map_or(0.0, |best| self.confidence(best));
        let hits = scored.into_iter().take(n_max).filter_map(|scored| self.hit(scored)).collect();
        Ranked { hits, confidence }
    }

    fn scored(&self, found: Found) -> Scored {
        let date = self.shelf.members()[found.segment].segment.date_of(found.doc);
        let candidate = Candidate { in_passage: &found.in_passage, in_doc: &found.in_doc, date };
        let score = rank::score(&self.weights, &candidate);
        Scored { found, date, score }
    }

    fn confidence(&self, best: &Scored) -> f32 {
        let candidate = Candidate { in_passage: &best.found.in_passage, in_doc: &best.found.in_doc, date: best.date };
        rank::confidence(&self.weights, &candidate)
    }

    fn hit(&self, scored: Scored) -> Option<Hit> {
        let Found { segment, doc, passage, in_passage, in_doc, .. } = scored.found;
        let member = &self.shelf.members()[segment].segment;
        let (facts, said) = (member.doc(doc)?, member.passage(passage)?);
        Some(Hit { id: (segment, doc, passage), facts, passage: said, score: scored.score, in_passage, in_doc })
    }

    /// Returns the words that stand nowhere in the index.
    pub(crate) fn unknown(&self) -> Vec<String> {
        let words = self.question.words.iter().zip(self.looked_up.frequencies());
        let unknown = words.filter(|(word, frequency)| word.is_whole && word.weight > 0.0 && frequency.n_docs == 0);
        unknown.map(|(word, _)| word.text.clone()).collect()
    }

    /// Returns how many words are looked for.
    pub(crate) fn n_asked(&self) -> usize {
        self.question.words.iter().filter(|word| word.is_whole && word.weight > 0.0).count()
    }

    /// Returns the words that a document does not have.
    pub(crate) fn missing(&self, in_doc: &[f32]) -> Vec<String> {
        let words = self.question.words.iter().zip(in_doc);
        let missing = words.filter(|(word, impact)| word.is_whole && word.weight > 0.0 && **impact == 0.0);
        missing.map(|(word, _)| format!("`{}`", word.text)).collect()
    }

    /// Returns whether the index has a file.
    pub(crate) fn has_file(&self, path: &VaultPath) -> bool {
        self.shelf.find_file(path).is_some()
    }

    /// Returns what is known of a file's first document, what the words say about it, and its score.
    pub(crate) fn look_at(&self, path: &VaultPath) -> Option<(DocFacts, Vec<f32>, f32)> {
        let (segment, file) = self.shelf.find_file(path)?;
        let member = &self.shelf.members()[segment].segment;
        let doc = member.file(file)?.first_doc;
        let found = self.looked_up.look_at(segment, doc, &self.weights.passage)?;
        let scored = self.scored(found);
        Some((member.doc(doc)?, scored.found.in_doc, scored.score))
    }

    /// Returns how a score came about.
    pub(crate) fn explain(&self, hit: &Hit) -> Vec<ScorePart> {
        let candidate = Candidate { in_passage: &hit.in_passage, in_doc: &hit.in_doc, date: hit.facts.date };
        let parts = rank::parts(self.question, &self.weights, &candidate);
        parts.into_iter().map(|(name, amount)| ScorePart { name, amount }).collect()
    }
}

//! Asks an index: candidates by their best passages, then their order.
//!
//! Candidates come from the lists of the index alone. The best of them are looked at closely: the text of
//! their passages shows whether words that are neighbours in the question are so there.

use ken_core::search::Word;
use ken_core::search::rank::{self, Candidate, Part, Weights};
use ken_core::search::{DocFacts, Neighbours, Partition, Question, Spelling};
use ken_core::when::DateWords;
use ken_core::{Date, VaultPath};
use ken_search::{Forms, Found, LookedUp, Shelf, Wanted};

use super::answer::{Respelled, ScorePart};
use super::respell::Words;

/// Documents that are weighed; ranks below do not depend on how many are asked for.
pub(crate) const POOL: usize = 200;
/// Documents whose passages are read.
const CLOSE: usize = 30;

/// Where something stands in the index: segment, document, passage.
pub(crate) type Place = (usize, u32, u32);

/// A document that was found.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    pub(crate) place: Place,
    pub(crate) facts: DocFacts,
    pub(crate) score: f32,
    /// The part of the score that its meaning adds.
    pub(crate) by_meaning: f32,
    scored: Scored,
}

/// What was found in one partition.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ranked {
    pub(crate) hits: Vec<Hit>,
    pub(crate) confidence: f32,
}

/// How to narrow a search, and how to look at texts.
pub(crate) struct Look<'a> {
    /// Whether a document is in scope.
    pub(crate) in_scope: &'a dyn Fn(usize, u32) -> bool,
    /// Whether a passage passes what only its text can show.
    pub(crate) passes: &'a mut dyn FnMut(Place) -> bool,
    /// The text of a passage.
    pub(crate) text: &'a mut dyn FnMut(Place) -> Option<String>,
}

/// A question put to an index.
pub(crate) struct Asked<'a> {
    shelf: &'a Shelf,
    question: &'a Question,
    looked_up: LookedUp<'a>,
    /// The days that the question names, as one word.
    named_days: LookedUp<'a>,
    weights: Weights,
    respelled: Vec<Respelled>,
}

/// A candidate with its score.
#[derive(Debug, Clone)]
struct Scored {
    found: Found,
    pairs: Vec<bool>,
    date: Option<Date>,
    names_day: bool,
    score: f32,
}

impl Scored {
    fn candidate(&self) -> Candidate<'_> {
        Candidate {
            in_passage: &self.found.in_passage,
            in_doc: &self.found.in_doc,
            pairs: &self.pairs,
            date: self.date,
            names_day: self.names_day,
        }
    }
}

impl<'a> Asked<'a> {
    /// Returns a question with its words as they were looked up.
    pub(crate) fn new(shelf: &'a Shelf, question: &'a Question, words: Words<'a>) -> Asked<'a> {
        let Words { looked_up, respelled } = words;
        let named_days = shelf.look_up(&[named_days(question)]);
        let weights = rank::weights(question, &looked_up.frequencies(), &shelf.collection());
        Asked { shelf, question, looked_up, named_days, weights, respelled }
    }

    /// Returns what was searched for in the place of words that stand nowhere.
    pub(crate) fn respelled(&self) -> &[Respelled] {
        &self.respelled
    }

    /// Returns the best documents of a partition, best first.
    pub(crate) fn best(&self, partition: Partition, n_max: usize, look: &mut Look<'_>) -> Ranked {
        let mut scored = self.candidates(partition, n_max, look);
        sort(&mut scored);
        let mut neighbours = Neighbours::new(self.question);
        for one in scored.iter_mut().take(CLOSE) {
            let place = (one.found.segment, one.found.doc, one.found.passage);
            // Only passages that have both words of a pair can have them side by side.
            let may_have = |(a, b): &(usize, usize)| one.found.in_passage[*a] > 0.0 && one.found.in_passage[*b] > 0.0;
            if self.question.pairs.iter().any(may_have)
                && let Some(text) = (look.text)(place)
            {
                one.pairs = neighbours.find(&text);
                one.score = rank::score(self.question, &self.weights, &one.candidate());
            }
        }
        sort(&mut scored);
        let sure = |one: &Scored| rank::confidence(self.question, &self.weights, &one.candidate());
        let confidence = scored.first().map_or(0.0, sure);
        Ranked { hits: scored.into_iter().take(n_max).filter_map(|one| self.hit(one)).collect(), confidence }
    }

    /// Returns the best passages of a partition, however many stand in one document, and the best of the days that
    /// are asked for.
    pub(crate) fn passages(&self, partition: Partition, n_max: usize) -> Vec<Place> {
        let Question { required, banned, .. } = self.question;
        let wanted = Wanted { partition, weights: &self.weights.words, required, banned, each: true, n_max };
        let member = |segment: usize| &self.shelf.members()[segment];
        let is_wanted = |segment: usize, doc: u32| member(segment).is_alive(doc);
        let place = |found: Found| (found.segment, found.doc, found.passage);
        let mut out: Vec<Place> =
            self.looked_up.best(&wanted, &is_wanted, &mut |_, _, _| true).into_iter().map(place).collect();
        if !self.question.days.is_empty() && out.len() >= n_max {
            let of_days = |segment: usize, doc: u32| self.is_near(segment, doc) && is_wanted(segment, doc);
            let more = self.looked_up.best(&wanted, &of_days, &mut |_, _, _| true).into_iter().map(place);
            out.extend(more);
            out.sort_unstable();
            out.dedup();
        }
        out
    }

    /// Returns how often each word of the question stands in the index.
    pub(crate) fn frequencies(&self) -> Vec<rank::Frequency> {
        self.looked_up.frequencies()
    }

    /// The best by their passages, and the best of the days that are asked for.
    fn candidates(&self, partition: Partition, n_max: usize, look: &mut Look<'_>) -> Vec<Scored> {
        let wanted = Wanted {
            partition,
            weights: &self.weights.words,
            required: &self.question.required,
            banned: &self.question.banned,
            each: false,
            n_max: POOL.max(n_max),
        };
        let member = |segment: usize| &self.shelf.members()[segment];
        let in_scope = look.in_scope;
        let is_wanted = |segment: usize, doc: u32| member(segment).is_alive(doc) && in_scope(segment, doc);
        let passes = &mut *look.passes;
        let mut found = self.looked_up.best(&wanted, &is_wanted, &mut |s, d, p| passes((s, d, p)));
        if !self.question.days.is_empty() && found.len() >= wanted.n_max {
            let of_days = |segment: usize, doc: u32| self.is_near(segment, doc) && is_wanted(segment, doc);
            let more = self.looked_up.best(&wanted, &of_days, &mut |s, d, p| passes((s, d, p)));
            let is_known = |one: &Found| found.iter().any(|known| (known.segment, known.doc) == (one.segment, one.doc));
            let more: Vec<Found> = more.into_iter().filter(|one| !is_known(one)).collect();
            found.extend(more);
        }
        found.into_iter().map(|found| self.scored(found)).collect()
    }

    /// Whether a document is of a day that is asked for, or right beside one.
    fn is_near(&self, segment: usize, doc: u32) -> bool {
        let date = self.shelf.members()[segment].segment.date_of(doc);
        date.is_some_and(|date| self.question.days.iter().any(|days| rank::is_near(days.period, date)))
    }

    fn scored(&self, found: Found) -> Scored {
        let date = self.shelf.members()[found.segment].segment.date_of(found.doc);
        // A day in the body; the document's own day stands in its header.
        let named = self.named_days.in_doc(found.segment, found.doc, 0);
        let names_day = ken_core::search::analyst::density(named).0 > 0.0;
        let mut scored = Scored { found, pairs: Vec::new(), date, names_day, score: 0.0 };
        scored.score = rank::score(self.question, &self.weights, &scored.candidate());
        scored
    }

    fn hit(&self, scored: Scored) -> Option<Hit> {
        let Found { segment, doc, passage, .. } = scored.found;
        let member = &self.shelf.members()[segment].segment;
        Some(Hit {
            place: (segment, doc, passage),
            facts: member.doc(doc)?,
            score: scored.score,
            by_meaning: 0.0,
            scored,
        })
    }

    /// Returns the words that stand nowhere in the index.
    pub(crate) fn unknown(&self) -> Vec<String> {
        let words = self.question.words.iter().zip(self.looked_up.frequencies());
        let is_unknown = |word: &Word, n_docs: usize| n_docs == 0 || word.spelling == Spelling::Corrected;
        let unknown =
            words.filter(|(word, frequency)| word.is_asked() && !word.is_date && is_unknown(word, frequency.n_docs));
        let mut unknown: Vec<String> = unknown.map(|(word, _)| word.text.clone()).collect();
        // A run without spaces is several words and stands here once.
        unknown.dedup();
        unknown
    }

    /// Returns how many words are looked for.
    pub(crate) fn n_asked(&self) -> usize {
        self.question.words.iter().filter(|word| word.is_asked()).count()
    }

    /// Returns whether the index has a file.
    pub(crate) fn has_file(&self, path: &VaultPath) -> bool {
        self.shelf.find_file(path).is_some()
    }

    /// Returns what is known of a file's first document, the words it lacks, and its score.
    pub(crate) fn look_at(&self, path: &VaultPath) -> Option<(DocFacts, Vec<String>, f32)> {
        let (segment, file) = self.shelf.find_file(path)?;
        let member = &self.shelf.members()[segment].segment;
        let doc = member.file(file)?.first_doc;
        let scored = self.scored(self.looked_up.look_at(segment, doc, &self.weights.words)?);
        let words = self.question.words.iter().zip(&scored.found.in_doc);
        let missing = words.filter(|(word, code)| word.is_asked() && **code == 0);
        Some((member.doc(doc)?, missing.map(|(word, _)| format!("`{}`", word.searched())).collect(), scored.score))
    }

    /// Returns how a score came about.
    pub(crate) fn explain(&self, hit: &Hit) -> Vec<ScorePart> {
        let words = &self.question.words;
        let part = |part: Part| {
            let (name, amount) = match part {
                Part::InPassage(n, amount) => (format!("`{}` in the passage", words[n].searched()), amount),
                Part::InDoc(n, amount) => (format!("`{}` in the document", words[n].searched()), amount),
                Part::Neighbours(n, amount) => {
                    let (a, b) = self.question.pairs[n];
                    (format!("`{}` beside `{}`", words[a].searched(), words[b].searched()), amount)
                }
                Part::Day(by) => ("times, for the day asked about".to_owned(), by),
                Part::EndOfTime(by) => ("times, for what is first or newest".to_owned(), by),
            };
            ScorePart { name, amount }
        };
        let parts = rank::parts(self.question, &self.weights, &hit.scored.candidate()).into_iter().map(part);
        let meaning = ScorePart { name: "for what it means".to_owned(), amount: hit.by_meaning };
        parts.chain(Some(meaning).filter(|part| part.amount > 0.0)).collect()
    }
}

/// For what finds documents by other means than words.
#[cfg(feature = "semantic")]
impl<'a> Asked<'a> {
    /// Returns the index.
    pub(crate) fn shelf(&self) -> &'a Shelf {
        self.shelf
    }

    /// Returns whether documents may answer that have none of the words.
    pub(crate) fn is_without_syntax(&self) -> bool {
        self.question.required.is_empty() && self.question.banned.is_empty() && self.question.phrases.is_empty()
    }

    /// Returns whether the question names days, or asks for what is first or newest.
    pub(crate) fn is_of_time(&self) -> bool {
        !self.question.days.is_empty() || self.question.cue.is_some()
    }

    /// Returns a passage as a hit, with the score that its document has by words.
    pub(crate) fn hit_at(&self, (segment, doc, passage): Place) -> Option<Hit> {
        let found = self.looked_up.look_at(segment, doc, &self.weights.words)?;
        let passage = if found.score > 0.0 { found.passage } else { passage };
        self.hit(self.scored(Found { passage, ..found }))
    }
}

/// The days that a question names, as the forms of one word.
fn named_days(question: &Question) -> Forms {
    question.days.iter().flat_map(DateWords::days).map(|day| (day.to_string(), 1.0)).collect()
}

fn sort(scored: &mut [Scored]) {
    scored.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then((a.found.segment, a.found.doc).cmp(&(b.found.segment, b.found.doc)))
    });
}

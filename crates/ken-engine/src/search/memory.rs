//! A search index of texts that stand in no vault, kept in memory: benchmarks ask it.
//!
//! The only place outside of search that knows how an index is made and asked. It reads no files; documents
//! are known by their position.

use ken_core::search::doc::text_doc;
use ken_core::search::{Language, Partition, Question};
use ken_core::{Date, Digest, Span, VaultPath};
use ken_search::{Blob, Shelf, Stamp};

use super::ask::{Asked, Look, Place};
use super::build::Builder;
use crate::failure::Failure;

/// From this confidence on a question counts as answered.
pub(crate) const SURE: f32 = ken_core::search::rank::SURE;

/// A text to be found.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemoryDoc {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) date: Option<Date>,
}

/// A document that was found, by its position, with its best passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MemoryHit {
    pub(crate) doc: usize,
    pub(crate) score: f32,
    /// The passage's place in the document's text.
    pub(crate) span: Span,
    /// Its lines, from 1, both included.
    pub(crate) lines: (usize, usize),
}

/// What was found, best first.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemoryAnswer {
    pub(crate) hits: Vec<MemoryHit>,
    /// How sure it is that the question is answered, 0 to 1.
    pub(crate) confidence: f32,
}

/// The index.
pub(crate) struct MemoryIndex {
    shelf: Shelf,
    languages: Vec<Language>,
    texts: Vec<String>,
    /// Of each document, where its passages stand.
    spans: Vec<Vec<Span>>,
    /// Of each segment, the position of its first document.
    starts: Vec<usize>,
}

impl MemoryIndex {
    /// Returns the index of these documents.
    ///
    /// # Errors
    /// When what was made does not open, which is a bug.
    pub(crate) fn new(docs: Vec<MemoryDoc>) -> Result<MemoryIndex, Failure> {
        let mut builder = Builder::default();
        let (mut texts, mut spans) = (Vec::with_capacity(docs.len()), Vec::with_capacity(docs.len()));
        for (n, doc) in docs.into_iter().enumerate() {
            let path = VaultPath::new(&format!("{n:08}.md")).expect("a number is a file name");
            let made = text_doc(&path, &doc.title, &doc.text, doc.date);
            spans.push(made.passages.iter().map(|(_, span)| *span).collect());
            let stamp = Stamp { path, len: 0, mtime_ns: 0, digest: Digest::of(b"") };
            builder.add(&stamp, Partition::Evidence, &[made], &doc.text);
            texts.push(doc.text);
        }
        let (segments, languages) = builder.finish();
        let blobs = segments.into_iter().map(|bytes| (Box::new(bytes) as Box<dyn Blob>, Vec::new()));
        let shelf =
            Shelf::open(blobs.collect()).ok_or_else(|| Failure::refused("the search index could not be made"))?;
        let mut starts = Vec::new();
        let mut n_docs = 0;
        for member in shelf.members() {
            starts.push(n_docs);
            n_docs += member.segment.n_docs() as usize;
        }
        Ok(MemoryIndex { shelf, languages: Language::of_bits(languages), texts, spans, starts })
    }

    /// Returns at most `n_max` documents that answer a question, of those that are in scope.
    pub(crate) fn ask(&self, text: &str, in_scope: &dyn Fn(usize) -> bool, n_max: usize) -> MemoryAnswer {
        let mut question = Question::plain(text, &self.languages);
        // As in a vault, the newest day stands for today.
        if let Some((oldest, newest)) = self.shelf.collection().days {
            question.read_days(newest, Some(oldest));
        }
        let asked = Asked::new(&self.shelf, &question);
        let position = |segment: usize, doc: u32| self.starts[segment] + doc as usize;
        let is_member = |segment: usize, doc: u32| in_scope(position(segment, doc));
        let mut text = |place: Place| {
            let (doc, span) = self.span(place);
            Some(span.of(&self.texts[doc]).to_owned())
        };
        let mut look = Look { in_scope: &is_member, passes: &mut |_| true, text: &mut text };
        let ranked = asked.best(Partition::Evidence, n_max, &mut look);
        let hits = ranked.hits.iter().map(|hit| {
            let (doc, span) = self.span(hit.place);
            let (segment, _, passage) = hit.place;
            let facts = self.shelf.members()[segment].segment.passage(passage);
            let lines = facts.map_or((1, 1), |facts| (facts.lines.0 as usize, facts.lines.1 as usize));
            MemoryHit { doc, score: hit.score, span, lines }
        });
        MemoryAnswer { hits: hits.collect(), confidence: ranked.confidence }
    }

    /// The position of a document and the bytes of one of its passages.
    fn span(&self, (segment, doc, passage): Place) -> (usize, Span) {
        let first = self.shelf.members()[segment].segment.starts().get(doc as usize).copied().unwrap_or(passage);
        let doc = self.starts[segment] + doc as usize;
        (doc, self.spans[doc].get((passage - first) as usize).copied().unwrap_or(Span::new(0, 0)))
    }

    /// Returns the passage of a hit.
    pub(crate) fn passage(&self, hit: &MemoryHit) -> &str {
        hit.span.of(&self.texts[hit.doc])
    }

    /// Returns the size of the index, without the texts.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.shelf.n_bytes()
    }

    /// Returns the number of passages.
    pub(crate) fn n_passages(&self) -> usize {
        self.shelf.n_passages()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(title: &str, text: &str) -> MemoryDoc {
        MemoryDoc { title: title.to_owned(), text: text.to_owned(), date: None }
    }

    #[test]
    fn documents_are_found_by_their_position_with_the_passage() {
        let docs = vec![
            doc("Ovens", "# Ovens\n\nThe oven heats to 230 degrees."),
            doc("Flour", "# Flour\n\nRye comes from Ghent.\n\n## Prices\n\nThe price of rye is fixed for a year."),
        ];
        let index = MemoryIndex::new(docs).expect("opens");
        let answer = index.ask("what is the price of rye?", &|_| true, 5);
        let best = answer.hits.first().expect("found");
        assert_eq!((best.doc, best.lines), (1, (7, 7)));
        assert_eq!(index.passage(best), "The price of rye is fixed for a year.");
        assert!(index.n_bytes() > 0 && index.n_passages() == 3);
    }

    #[test]
    fn what_is_out_of_scope_is_not_found() {
        let index = MemoryIndex::new(vec![doc("a", "rye bread"), doc("b", "rye bread")]).expect("opens");
        let answer = index.ask("rye", &|doc| doc == 1, 5);
        assert_eq!(answer.hits.iter().map(|hit| hit.doc).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn an_empty_index_answers_nothing() {
        let answer = MemoryIndex::new(Vec::new()).expect("opens").ask("rye", &|_| true, 5);
        assert!(answer.hits.is_empty() && answer.confidence == 0.0);
    }
}

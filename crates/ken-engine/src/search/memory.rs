//! A search index of texts that stand in no vault, kept in memory: benchmarks ask it.
//!
//! The only place outside of search that knows how an index is made and asked. It reads no files; documents
//! are known by their position. Each is read as a source of a vault is, so that what is measured is what a user
//! gets.

use std::borrow::Cow;

use ken_core::header::{FieldName, read_header};
use ken_core::search::{Doc, Language, Partition, Question};
use ken_core::source::day_of;
use ken_core::{Date, Digest, Span, VaultPath};
use ken_search::{Blob, Shelf, Stamp};

use super::ask::{Asked, Look, Place};
use super::build::Builder;
use super::gather::{FileKind, docs_of};
use super::respell::Words;
use crate::failure::Failure;
use crate::ingest::Register;
use crate::ingest::{is_document, source_name};

/// From this confidence on a question counts as answered.
pub(crate) const SURE: f32 = ken_core::search::rank::SURE;

/// A text to be found.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemoryDoc {
    /// What its file is called, or an id if there is none.
    pub(crate) name: String,
    /// The text of its file.
    pub(crate) text: String,
    /// What it is called, if its header does not say.
    pub(crate) title: Option<String>,
    /// Its day, if its header does not say.
    pub(crate) date: Option<Date>,
}

impl MemoryDoc {
    /// Returns the document with the text that its passages are cut from.
    fn read(&self) -> (Doc, Cow<'_, str>) {
        let is_file = VaultPath::new(&self.name).is_some_and(|path| is_document(&path));
        let path = source_name(&if is_file { self.name.clone() } else { format!("{}.md", self.name) });
        let header = read_header(&self.text).value;
        let (mut docs, text) = docs_of(FileKind::Source, &path, &self.text, &Register::new());
        let mut doc = docs.pop().expect("a source is one document");
        let is_named = header.scalar(&self.text, FieldName::Title).is_some();
        // Of an id nothing is left out, as of a file's name its folders are.
        let id = || Some(self.name.clone()).filter(|_| !is_file && doc.is_called_after_file());
        if let Some(title) = self.title.clone().filter(|_| !is_named).or_else(id) {
            doc.call(&title);
        }
        let nameless = source_name("document.md");
        doc.facts.date = day_of(&header, &self.text, &nameless).or(self.date).or(doc.facts.date);
        (doc, text)
    }
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
            // Files of an index come in the order of their paths; these come as they are listed.
            let path = VaultPath::new(&format!("{n:08}.md")).expect("a number is a file name");
            let (made, text) = doc.read();
            spans.push(made.passages.iter().map(|(_, span)| *span).collect());
            let stamp = Stamp { path, len: 0, mtime_ns: 0, digest: Digest::of(b"") };
            builder.add((&stamp, Partition::Evidence), (&[made], &text), None);
            texts.push(text.into_owned());
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
        let mut text = |place: Place| {
            let (doc, span) = self.span(place);
            Some(span.of(&self.texts[doc]).to_owned())
        };
        let words = Words::look_up(&self.shelf, &mut question, &mut text);
        let asked = Asked::new(&self.shelf, &question, words);
        let position = |segment: usize, doc: u32| self.starts[segment] + doc as usize;
        let is_member = |segment: usize, doc: u32| in_scope(position(segment, doc));
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

    fn doc(name: &str, text: &str) -> MemoryDoc {
        MemoryDoc { name: name.to_owned(), text: text.to_owned(), ..MemoryDoc::default() }
    }

    /// Title and day of a document as it is read.
    #[track_caller]
    fn check(doc: &MemoryDoc, title: &str, date: &str) {
        let (read, _) = doc.read();
        let found = read.facts.date.map_or_else(String::new, |date| date.to_string());
        assert_eq!((read.facts.title.as_str(), found.as_str()), (title, date), "{doc:?}");
    }

    #[test]
    fn documents_are_read_as_sources_are() {
        check(&doc("notes/the-oven.md", "It is hot.\n"), "the oven", "");
        check(&doc("a.md", "---\ntitle: Oven\ndate: 2026-03-14\n---\n# Head\n"), "Oven", "2026-03-14");
        check(&doc("call 2026-04-01.txt", "It is hot."), "call 2026 04 01", "2026-04-01");
        check(&doc("2026-04-01", "# Head\n"), "Head", "2026-04-01");
        check(&doc("a.html", "<html><title>Oven</title><p>It is hot.</p></html>"), "Oven", "");
        let html = doc("a.html", "<p>It is <b>hot</b>.</p>");
        assert_eq!(html.read().1.trim(), "It is hot.");
    }

    #[test]
    fn what_is_said_beside_a_document_holds_where_its_header_says_nothing() {
        let beside = |name: &str, text: &str| MemoryDoc {
            title: Some("Beside".to_owned()),
            date: "2026-05-02".parse().ok(),
            ..doc(name, text)
        };
        check(&beside("d1", "# Head\n"), "Beside", "2026-05-02");
        check(&beside("d1", "---\ntitle: Oven\ndate: 2026-03-14\n---\nHot.\n"), "Oven", "2026-03-14");
        check(&beside("2026-04-01.md", "Hot.\n"), "Beside", "2026-05-02");
    }

    #[test]
    fn a_text_that_is_no_file_is_called_by_its_whole_id() {
        check(&doc("rooms/oven-timer", "Hot.\n"), "rooms/oven-timer", "");
        check(&doc("../\u{202e}", "Hot.\n"), "../\u{202e}", "");
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

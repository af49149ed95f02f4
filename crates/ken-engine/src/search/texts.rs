//! The text of what was found, read from the files as they are now.
//!
//! The index does not keep texts. A file that changed since it was indexed is cut anew, so that what is
//! shown always stands in the file on the lines given.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use ken_core::held::tells_of_what_comes;
use ken_core::journal::parse_journal;
use ken_core::search::{Doc, Question, Shown};
use ken_core::{Date, Digest, LineIndex, Span, VaultPath};
use ken_search::Shelf;

use super::ask::{Hit, Place};
use super::gather::docs_of;
use crate::engine::Engine;
use crate::ingest::Register;

/// A file as it is now.
struct Loaded {
    digest: Digest,
    text: String,
    docs: Vec<Doc>,
    /// First and last line of entries that a model wrote anew, each with its talk.
    rewritten: OnceCell<Vec<((usize, usize), String)>>,
}

/// Texts of files, each read once.
pub(crate) struct Texts<'a> {
    engine: &'a Engine,
    register: Register,
    known: BTreeMap<VaultPath, Option<Loaded>>,
    raw: BTreeMap<VaultPath, Option<String>>,
}

/// A passage as it stands in its file now.
#[derive(Debug, Clone)]
pub(crate) struct PassageText {
    pub(crate) text: String,
    pub(crate) lines: (usize, usize),
    pub(crate) heading: String,
    pub(crate) speaker: String,
    /// Whether the file changed since it was indexed.
    pub(crate) is_changed: bool,
    /// The file of talk that its document was taken from, as seen from the folder of talk.
    pub(crate) talk: Option<String>,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(engine: &'a Engine, register: Register) -> Texts<'a> {
        Texts { engine, register, known: BTreeMap::new(), raw: BTreeMap::new() }
    }

    /// Forgets what was read.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
        self.raw.clear();
    }

    /// Returns the lines of a passage as they are now, without looking whether its file changed.
    pub(crate) fn raw(&mut self, shelf: &Shelf, (segment, doc, passage): Place) -> Option<String> {
        let member = &shelf.members()[segment].segment;
        let path = VaultPath::new(&member.path_of(member.file_of(doc)?)?)?;
        let (first, last) = member.passage(passage)?.lines;
        if !self.raw.contains_key(&path) {
            let bytes = self.engine.store.read(&path).ok().flatten();
            let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            let text = text.and_then(|text| self.as_it_was(&path, text));
            self.raw.insert(path.clone(), text);
        }
        let text = self.raw.get(&path)?.as_ref()?;
        let lines = text.lines().skip((first as usize).saturating_sub(1)).take(last.saturating_sub(first) as usize + 1);
        Some(lines.collect::<Vec<_>>().join("\n"))
    }

    fn as_it_was(&self, path: &VaultPath, text: String) -> Option<String> {
        self.engine.text_then(self.engine.file_kind(path), path, text)
    }

    fn load(&mut self, path: &VaultPath) -> Option<&Loaded> {
        if !self.known.contains_key(path) {
            let read = || {
                let bytes = self.engine.store.read(path).ok()??;
                let digest = Digest::of(&bytes);
                let stands = String::from_utf8(bytes).ok()?;
                let text = self.as_it_was(path, stands.clone())?;
                // The index was made of the file as it stands; in memory it was made of this text.
                let is_told = self.engine.past.is_none() && text != stands;
                let digest = if is_told { Digest::of(text.as_bytes()) } else { digest };
                let (docs, text) = docs_of(self.engine.file_kind(path), path, &text, &self.register);
                let text = Cow::into_owned(text);
                Some(Loaded { digest, docs, text, rewritten: OnceCell::new() })
            };
            let loaded = read();
            self.known.insert(path.clone(), loaded);
        }
        self.known.get(path)?.as_ref()
    }

    /// Reads the file of a document, and returns its path and which document of it that is; nothing when it is gone.
    /// Of a file that changed since it was indexed, that is not known.
    pub(crate) fn read(&mut self, shelf: &Shelf, (segment, doc, _): Place) -> Option<(VaultPath, Option<usize>)> {
        let member = &shelf.members()[segment].segment;
        let file = member.file(member.file_of(doc)?)?;
        let nth = doc.checked_sub(file.first_doc)? as usize;
        let path = file.stamp.path.clone();
        let loaded = self.load(&path)?;
        let is_changed = loaded.digest != file.stamp.digest;
        Some((path, (!is_changed).then_some(nth)))
    }

    /// Returns the documents of a file that was read, and the text that they are cut from.
    pub(crate) fn docs(&self, path: &VaultPath) -> Option<(&[Doc], &str)> {
        self.known.get(path)?.as_ref().map(|loaded| (loaded.docs.as_slice(), loaded.text.as_str()))
    }

    /// Returns whether a passage stands on a page that tells what is yet to come after a day.
    pub(crate) fn tells_of_what_comes(&mut self, shelf: &Shelf, place: Place, day: Date) -> bool {
        let path = self.read(shelf, place).map(|(path, _)| path);
        let page = path.filter(|path| self.engine.layout().is_page(path));
        page.is_some_and(|path| self.docs(&path).is_some_and(|(_, text)| tells_of_what_comes(text, day)))
    }

    /// Returns the files of talk that lines of a journal were taken from, as seen from the folder of talk, each with
    /// a line.
    pub(crate) fn talk_of(&mut self, path: &VaultPath, (first, last): (usize, usize)) -> Vec<(String, String)> {
        let Some(Loaded { docs, text, .. }) =
            self.load(path).filter(|one| one.docs.iter().any(|doc| doc.talk.is_some()))
        else {
            return Vec::new();
        };
        let is_at = |doc: &&Doc, line: usize| {
            doc.passages.iter().any(|(facts, _)| (facts.lines.0 as usize..=facts.lines.1 as usize).contains(&line))
        };
        let lines = text.lines().enumerate().map(|(n, line)| (n + 1, line)).skip(first.saturating_sub(1));
        let lines = lines.take_while(|(n, _)| *n <= last);
        let talk = |n: usize| docs.iter().find(|doc| is_at(doc, n)).and_then(|doc| doc.talk.clone());
        lines.filter_map(|(n, line)| Some((talk(n)?, line.to_owned()))).collect()
    }

    /// Returns the file of talk that an entry was written anew from by a model, as seen from the folder of talk, by a line of it.
    pub(crate) fn rewritten(&mut self, path: &VaultPath, line: usize) -> Option<String> {
        let Loaded { text, rewritten, .. } = self.load(path).filter(|one| one.text.contains(" distilled="))?;
        let all = rewritten.get_or_init(|| {
            let index = LineIndex::new(text);
            let lines = |span: Span| (index.line_of(span.start), index.line_of(span.end.saturating_sub(1)));
            let entries = parse_journal(text, None).value.entries.into_iter();
            let anew = entries.filter(|entry| entry.provenance.distilled.is_some());
            let of = |talk: String| talk.split('#').next().unwrap_or_default().to_owned();
            anew.filter_map(|entry| Some((lines(entry.span), of(entry.provenance.talk?)))).collect()
        });
        let found = all.iter().find(|((first, last), _)| (*first..=*last).contains(&line));
        found.map(|(_, talk)| talk.clone())
    }

    /// Returns the passage of a hit, or `None` when its file is gone or holds nothing of the question.
    pub(crate) fn passage(&mut self, shelf: &Shelf, hit: &Hit, question: &Question) -> Option<PassageText> {
        let (segment, doc, passage) = hit.place;
        let member = &shelf.members()[segment].segment;
        let file = member.file(member.file_of(doc)?)?;
        let nth_doc = doc.checked_sub(file.first_doc)? as usize;
        let nth_passage = passage.checked_sub(*member.starts().get(doc as usize)?)? as usize;
        let loaded = self.load(&file.stamp.path)?;
        let is_changed = loaded.digest != file.stamp.digest;
        let (doc, (facts, span)) = if is_changed {
            let all = loaded.docs.iter().flat_map(|doc| doc.passages.iter().map(move |passage| (doc, passage)));
            all.max_by(|(_, a), (_, b)| {
                let said = |span: ken_core::Span| Shown::of(question, span.of(&loaded.text)).n_said;
                said(a.1).cmp(&said(b.1)).then(b.0.lines.cmp(&a.0.lines))
            })?
        } else {
            let doc = loaded.docs.get(nth_doc)?;
            (doc, doc.passages.get(nth_passage)?)
        };
        let (mut span, mut lines) = (*span, facts.lines);
        // In a chat a question alone says little: it is shown with what comes next.
        let asks = !facts.speaker.is_empty() && span.of(&loaded.text).trim_end().ends_with(['?', '？']);
        let next = || doc.passages.get(nth_passage + 1);
        if let Some((answer, said)) = next().filter(|(next, _)| asks && !is_changed && !next.speaker.is_empty()) {
            (span.end, lines.1) = (said.end, answer.lines.1);
        }
        Some(PassageText {
            text: span.of(&loaded.text).to_owned(),
            lines: (lines.0 as usize, lines.1 as usize),
            heading: facts.heading.clone(),
            speaker: facts.speaker.clone(),
            is_changed,
            talk: doc.talk.clone(),
        })
    }
}

//! Where passages stand, and what they are cited by.

use ken_core::claim::quote;
use ken_core::link::without_links;
use ken_core::text::cut;
use ken_core::{Digest, LineIndex, Span, VaultPath};

use super::{Passage, PassageKind};

/// What a passage is cited by: its lines, with those around it, or the line of a day that bears it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// The day, where it is no line of the passage's own file.
    pub day: Option<VaultPath>,
    /// First and last line in the file, from 1.
    pub lines: (usize, usize),
    /// First 8 hex digits of their digest.
    pub digest: String,
    /// The first words that are cited by them.
    pub quote: String,
}

/// Passages that cite lines together: so many characters of them.
const CITED_CHARS: usize = 1_000;
/// The same of what was done: commands and files that stand in a list, which is looked through anyway.
const CITED_CHARS_OF_EVENTS: usize = 4_000;
/// A few words are enough to recognise what several lines say.
const QUOTE_CHARS_MAX: usize = 24;

/// Has runs of passages cited together; `goes_on` says of two neighbours whether they may be.
pub fn cite_together(passages: &mut [Passage], places: &mut Places<'_>, goes_on: impl Fn(&Passage, &Passage) -> bool) {
    let mut start = 0;
    while start < passages.len() {
        let (mut chars, mut end) = (0, start);
        let (mut first, mut last) = passages[start].lines;
        let is_event = passages[start].kind == PassageKind::Event;
        let chars_max = if is_event { CITED_CHARS_OF_EVENTS } else { CITED_CHARS };
        while end == start || (end < passages.len() && chars <= chars_max && goes_on(&passages[start], &passages[end]))
        {
            chars += passages[end].chars();
            (first, last) = (first.min(passages[end].lines.0), last.max(passages[end].lines.1));
            end += 1;
        }
        let quote = cut(&quote(&without_links(&passages[start].text)), QUOTE_CHARS_MAX);
        let cited = Cited { day: None, lines: (first, last), digest: places.digest((first, last)), quote };
        passages[start..end].iter_mut().for_each(|passage| passage.cited = Some(Box::new(cited.clone())));
        start = end;
    }
}

/// The lines of a file, with the digest of those that were cited last: hundreds of sentences may stand on
/// one line.
pub struct Places<'a> {
    pub(super) text: &'a str,
    pub(super) lines: LineIndex,
    last: Option<((usize, usize), String)>,
    /// Bytes that digests were made of.
    pub(super) n_digested: usize,
}

impl<'a> Places<'a> {
    /// Returns the places of a text.
    pub fn new(text: &'a str) -> Places<'a> {
        Places { text, lines: LineIndex::new(text), last: None, n_digested: 0 }
    }

    /// Returns the first and last line of a span.
    pub fn lines_of(&self, span: Span) -> (usize, usize) {
        (self.lines.line_of(span.start), self.lines.line_of(span.end.saturating_sub(1)))
    }

    /// Returns how far the line is indented on which a span begins, in bytes.
    pub fn indent_of(&self, span: Span) -> usize {
        let line = self.cited((self.lines.line_of(span.start), self.lines.line_of(span.start)));
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// Returns the text of whole lines, which is empty where there are none.
    pub fn cited(&self, place: (usize, usize)) -> &'a str {
        self.lines.lines(place.0, place.1).map_or("", |span| span.of(self.text))
    }

    /// Returns the digest of whole lines, which is what a citation is checked against.
    pub fn digest(&mut self, place: (usize, usize)) -> String {
        if let Some((_, digest)) = self.last.as_ref().filter(|(last, _)| *last == place) {
            return digest.clone();
        }
        let cited = self.lines.lines(place.0, place.1).map(|span| span.of(self.text));
        self.n_digested += cited.map_or(0, str::len);
        let digest = cited.map(|text| Digest::of_normalised(text).short()).unwrap_or_default();
        self.last = Some((place, digest.clone()));
        digest
    }
}

//! The sentences of a page, or of some lines of the journal or a source, that an answer may cite.

use std::collections::BTreeMap;

use crate::claim::{SourceRef, footnotes, labels, without_marks};
use crate::digest::Digest;
use crate::header::FieldName;
use crate::link::without_links;
use crate::markdown::{BlockKind, blocks};
use crate::page::Page;
use crate::path::VaultPath;
use crate::span::{LineIndex, Span};
use crate::text::{one_line, sentences};
use crate::trust::EXTERNAL_CLAIM;
use crate::words::{fold, words};

use super::page::LINK_SECTIONS;

/// The section of a page that keeps what no longer holds.
const SUPERSEDED: &str = "Superseded";
/// What stands behind a sentence that a model concluded.
const SYNTHESIS: &str = "*(synthesis)*";
/// A list item that is longer is cited sentence by sentence.
const ITEM_CHARS_MAX: usize = 300;

/// One sentence that an answer may cite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citable {
    /// Its words, without footnote marks and link brackets.
    pub text: String,
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// The heading it stands under.
    pub heading: String,
    /// The places in the journal and the sources that it rests on.
    pub refs: Vec<SourceRef>,
    /// Whether its page says that it no longer holds.
    pub is_superseded: bool,
    /// Whether it is the page's tldr.
    pub is_tldr: bool,
}

impl Citable {
    /// Returns the digest by which a citation knows the sentence.
    pub fn digest(&self) -> String {
        Digest::of_normalised(&self.text).short()
    }

    /// Returns the words alone, by which two sentences say the same.
    pub(super) fn folded(&self) -> Vec<String> {
        words(&self.text).iter().map(|word| fold(word.of(&self.text))).collect()
    }
}

/// Returns what an answer may cite of a page; `plain` is the text of an HTML page with the line of the source
/// that each of its lines stands on.
pub fn citables_of_page(page: &Page, plain: Option<(&str, &[usize])>) -> Vec<Citable> {
    // A stale answer is not repeated.
    if page.scalar(FieldName::StaleSince).is_some() {
        return Vec::new();
    }
    let (text, body, map) = match plain {
        Some((text, map)) => (text, Span::new(0, text.len()), Some(map)),
        None => (page.text.as_str(), page.body(), None),
    };
    let notes = footnotes(text, body).into_iter();
    let refs = notes.filter_map(|note| Some((note.label, SourceRef::parse(note.text.of(text))?))).collect();
    let mut out = Cutter { text, lines: LineIndex::new(text), map, refs }.cut(body, page.is_owned());
    let summary = page.scalar(FieldName::Tldr).unwrap_or_default();
    let Some(tldr) = citable_of(&summary, (1, 1), "").filter(|_| page.header.field(FieldName::Tldr).is_some()) else {
        return out;
    };
    match out.iter_mut().find(|one| !one.is_superseded && one.folded() == tldr.folded()) {
        Some(claim) => claim.is_tldr = true,
        None => {
            let field = page.header.field(FieldName::Tldr).map_or(0, |field| field.lines.start);
            let line = LineIndex::new(&page.text).line_of(field);
            out.insert(0, Citable { lines: (line, line), is_tldr: true, ..tldr });
        }
    }
    out
}

/// Returns what an answer may cite of lines `first` to `last` of a file of the journal or the sources; `plain`
/// as for [`citables_of_page`].
pub fn citables_of_lines(
    path: &VaultPath,
    text: &str,
    plain: Option<(&str, &[usize])>,
    (first, last): (usize, usize),
) -> Vec<Citable> {
    let (read, map) = plain.map_or((text, None), |(plain, map)| (plain, Some(map)));
    let cutter = Cutter { text: read, lines: LineIndex::new(read), map, refs: BTreeMap::new() };
    let inside = |one: &Citable| one.lines.0 >= first && one.lines.1 <= last;
    let mut out: Vec<Citable> =
        cutter.cut(Span::new(0, read.len()), false).into_iter().filter(|one| inside(one)).collect();
    for one in &mut out {
        one.refs = SourceRef::cite(path, text, one.lines, &one.text).into_iter().collect();
    }
    out.retain(|one| !one.refs.is_empty());
    out
}

struct Cutter<'a> {
    text: &'a str,
    lines: LineIndex,
    map: Option<&'a [usize]>,
    refs: BTreeMap<String, SourceRef>,
}

impl Cutter<'_> {
    fn cut(&self, body: Span, is_owned: bool) -> Vec<Citable> {
        let mut out = Vec::new();
        let mut heading = "";
        // The level of the heading under which everything is superseded, or is only links.
        let (mut superseded, mut links_only) = (None, None);
        for block in blocks(self.text, body) {
            let said = block.span.of(self.text);
            let spans = match block.kind {
                BlockKind::Heading(level) => {
                    heading = if level > 1 { said } else { "" };
                    superseded = superseded.filter(|above| *above < level);
                    links_only = links_only.filter(|above| *above < level);
                    superseded = superseded.or((said == SUPERSEDED).then_some(level));
                    links_only = links_only.or((is_owned && LINK_SECTIONS.contains(&said)).then_some(level));
                    continue;
                }
                BlockKind::Paragraph if said.starts_with("> Stale: ") => continue,
                BlockKind::Paragraph => sentences(said),
                BlockKind::Item if said.chars().count() > ITEM_CHARS_MAX => sentences(said),
                BlockKind::Item | BlockKind::Row => vec![Span::new(0, said.len())],
                BlockKind::Code | BlockKind::Comment | BlockKind::Footnote => continue,
            };
            if links_only.is_some() {
                continue;
            }
            for span in spans.into_iter().map(|span| span.shifted(block.span.start)) {
                let place = (self.lines.line_of(span.start), self.lines.line_of(span.end.saturating_sub(1)));
                let said = span.of(self.text);
                // What was concluded is not what anybody said.
                if is_owned && said.contains(SYNTHESIS) {
                    continue;
                }
                let row = said.trim_matches(['|', ' ']).replace('|', " | ");
                let shown = if block.kind == BlockKind::Row { row.as_str() } else { said };
                let Some(citable) = citable_of(shown, self.in_source(place), heading) else { continue };
                let refs = labels(said).iter().filter_map(|label| self.refs.get(label).cloned()).collect();
                let is_superseded = superseded.is_some() || said.contains("~~");
                out.push(Citable { refs, is_superseded, ..citable });
            }
        }
        out
    }

    fn in_source(&self, (first, last): (usize, usize)) -> (usize, usize) {
        let at = |line: usize| self.map.map_or(line, |map| map.get(line - 1).copied().unwrap_or(line));
        (at(first), at(last).max(at(first)))
    }
}

/// A sentence of a text, or none when it says nothing: a label, a rule of a table, a single link.
fn citable_of(said: &str, lines: (usize, usize), heading: &str) -> Option<Citable> {
    let text = one_line(&without_links(&without_marks(said)));
    let text = match text.split_once("~~ until ") {
        Some((old, until)) => format!("{old} (until {})", until.trim_end_matches('.')),
        None => text,
    };
    let text = text.replace("~~", "").replace(EXTERNAL_CLAIM, "");
    // `**Context:** …` is a label of a section and what it says.
    let text = match text.strip_prefix("**").and_then(|rest| rest.split_once(":**")) {
        Some((label, rest)) if !label.contains("**") => rest.trim().to_owned(),
        _ => text,
    };
    let says_something = words(&text).len() > 1 || text.chars().any(crate::words::is_cjk);
    let heading = heading.to_owned();
    says_something.then_some(Citable { text, lines, heading, refs: Vec::new(), is_superseded: false, is_tldr: false })
}

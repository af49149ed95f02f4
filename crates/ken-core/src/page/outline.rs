//! What stands on a compiled page: its sections, its claims with what the page says of them, its footnotes.
//!
//! Everything that reads a page for its claims reads it here, and the forms that are read are written here: what a page
//! says of a claim in `remark`, marks and footnotes in `notes`. Reads one page and nothing else: what a claim cites is left
//! to whoever can read the files. On a page of a person no word is taken for one of ours.

mod body;
mod notes;
mod remark;

use std::collections::BTreeMap;

use super::{Category, Page};
use crate::claim::{Claim, ClaimState, Mark, SourceRef};
use crate::link::without_links;
use crate::markdown::{Block, BlockKind, blocks};
use crate::span::{LineIndex, Span};
use crate::text::{one_line, sentences};
use crate::time::Date;
use crate::trust::{EXTERNAL_CLAIM, UNVERIFIED_CLAIM, stale_in, without_stale};

pub use body::{Body, as_text, is_between_disputes, past_text};
pub(crate) use notes::labels;
pub use notes::{Footnote, Footnotes, footnotes, without_marks};
pub(crate) use notes::{label_of_footnote, mark_of, said_in_footnote, with_footnotes};
pub(crate) use remark::remark_in;
use remark::{Cut, is_past, may_say_past, past};
pub use remark::{
    Next, Remark, SUPERSEDED_MARK, SYNTHESIS, When, as_next, before_end, end_of_words, is_remarked, is_struck,
    names_next, told, unstruck, with_next, without_strokes,
};

/// The heading above what no longer holds, and above what cannot all be true.
pub const SUPERSEDED: &str = "Superseded";
/// See [`SUPERSEDED`].
pub const DISPUTED: &str = "Disputed";
/// The headings of claims that simply hold, of tasks that are open, and of what was asked.
pub const DETAILS: &str = "Details";
/// See [`DETAILS`].
pub const OPEN: &str = "Open";
/// See [`DETAILS`].
pub const ASKED: &str = "Asked";
/// The headings of what was decided and what was learnt.
pub const DECISIONS: &str = "Decisions";
/// See [`DECISIONS`].
pub const LESSONS: &str = "Lessons";
/// The heading of what was wrong when work began that changed files: what is said there may be mended.
pub const FOUND: &str = "What was wrong";
/// The heading of what was found before files were changed: what it says of them may be so no more.
pub const BEFORE: &str = "Found before the change";
/// The headings of claims, in the order of the page.
pub const SECTIONS: &[&str] = &[DECISIONS, LESSONS, DETAILS, BEFORE, FOUND, ASKED, OPEN];
/// The headings of the commands that were run for a piece of work, and of the files that it changed.
pub const COMMANDS: &str = "Commands";
/// See [`COMMANDS`].
pub const FILES: &str = "Files";
/// The heading above the links to other pages, and above those to the other pages of a document.
pub const RELATED: &str = "Related";
/// See [`RELATED`].
pub const PARTS: &str = "More of this document";
/// The heading above the links to the days that an adopted page was made from.
pub const DAYS: &str = "Days";
/// Headings under which there are only links.
pub const LINK_SECTIONS: &[&str] = &[RELATED, PARTS, DAYS, CONSULTED, FOLLOW_UPS, WORK, NAMED, CHILDREN];
/// The headings of a roll-up beside those of other pages: of what took the place of something, of what else was said, and of
/// what was to be done and was.
pub const CHANGES: &str = "What changed";
/// See [`CHANGES`].
pub const OUTCOMES: &str = "Outcomes";
/// See [`CHANGES`].
pub const DONE: &str = "Done";
/// The headings of the people and things that a roll-up names most, of the pieces of work that it tells of, and of what it
/// rolls up.
pub const NAMED: &str = "People and things";
/// See [`NAMED`].
pub const WORK: &str = "Work";
/// See [`NAMED`].
pub const CHILDREN: &str = "Rolled up";
/// The headings of a filed answer above the pages that were consulted, and above those to go on with.
pub const CONSULTED: &str = "Consulted";
/// See [`CONSULTED`].
pub const FOLLOW_UPS: &str = "Follow-ups";

/// Returns whether a heading has a meaning of its own on compiled pages.
pub fn is_own_heading(heading: &str) -> bool {
    SECTIONS.contains(&heading) || LINK_SECTIONS.contains(&heading) || [DISPUTED, SUPERSEDED].contains(&heading)
}

/// Some lines of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// What stands there.
    pub what: What,
}

/// What stands on some lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A claim.
    Claim(Claim),
    /// The header.
    Header,
    /// A heading.
    Heading,
    /// Links to other pages.
    Links,
    /// Code.
    Code,
    /// A table.
    Table,
    /// A comment.
    Comment,
    /// Footnotes, with the first lines of the claims that carry their marks.
    Footnotes(Vec<usize>),
}

impl What {
    /// Returns the word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            What::Claim(_) => "claim",
            What::Header => "header",
            What::Heading => "heading",
            What::Links => "links",
            What::Code => "code",
            What::Table => "table",
            What::Comment => "comment",
            What::Footnotes(_) => "footnotes",
        }
    }
}

/// Returns what stands on the lines of a page, in order; `plain` is the text of an HTML page with the line of the source
/// that each of its lines stands on.
///
/// ```
/// # use ken_core::{VaultPath, page::outline::{What, rows}, page::parse_page};
/// let path = VaultPath::new("knowledge/oven.md").expect("a vault path");
/// let page = parse_page(&path, "# Oven\n\nIt is hot.[^1]\n\n[^1]: daily/2026-05-11.md#L3-L3\n".to_owned()).value;
/// let rows = rows(&page, None);
/// let shown: Vec<_> = rows.iter().map(|row| (row.lines.0, row.what.as_str())).collect();
/// assert_eq!(shown, [(1, "heading"), (3, "claim"), (5, "footnotes")]);
/// ```
pub fn rows(page: &Page, plain: Option<(&str, &[usize])>) -> Vec<Row> {
    let (text, body, map) = match plain {
        Some((text, map)) => (text, Span::new(0, text.len()), Some(map)),
        None => (page.text.as_str(), page.body(), None),
    };
    let lines = LineIndex::new(text);
    let in_file = |line: usize| map.map_or(line, |map| map.get(line - 1).copied().unwrap_or(line));
    let place = |span: Span| {
        let (first, last) = (lines.line_of(span.start), lines.line_of(span.end.saturating_sub(1).max(span.start)));
        let first = in_file(first);
        (first, in_file(last).max(first))
    };
    let mut out: Vec<Row> = Vec::new();
    let header = Span::new(0, page.header.block.end);
    if !header.of(&page.text).trim().is_empty() {
        let last = header.of(&page.text).trim_end().lines().count();
        out.push(Row { lines: (1, last), what: What::Header });
    }
    let notes = footnotes(text, body);
    let reader = Reader::new(page, text, &notes);
    for (span, what) in reader.read(body) {
        push(&mut out, place(span), what);
    }
    point_footnotes_back(&mut out, &notes, &place);
    out
}

/// Returns the heading that claims stand below from a heading on. The title is none, and on a roll-up those inside a section
/// say of which work its claims are.
pub(crate) fn below<'t>(before: &'t str, said: &'t str, level: u8, is_rollup: bool) -> &'t str {
    match level {
        1 => "",
        3.. if is_rollup => before,
        _ => said,
    }
}

/// Returns whether a page is a roll-up of ours.
pub(crate) fn is_rollup(page: &Page) -> bool {
    page.is_owned() && page.category() == Category::Rollup
}

/// Returns the claims of a page, in order.
pub fn claims(page: &Page) -> Vec<Claim> {
    Reader::new(page, &page.text, &footnotes(&page.text, page.body())).claims(page.body())
}

/// Returns the claims of a page as if Kenning owned it: what anybody struck through, and cites, says as much.
pub fn claims_as_owned(page: &Page) -> Vec<Claim> {
    let notes = footnotes(&page.text, page.body());
    Reader { is_owned: true, ..Reader::new(page, &page.text, &notes) }.claims(page.body())
}

/// Returns whether any claim of a page with this text may be past: finding that out of each takes long.
pub(crate) fn may_be_past(text: &str) -> bool {
    text.contains(SUPERSEDED) || may_say_past(text)
}

/// Returns where the claims of a body stand, in order: the sentences of paragraphs, and list items.
pub fn claim_spans(text: &str, body: Span) -> Vec<Span> {
    blocks(text, body).flat_map(|block| spans_of(text, &block)).collect()
}

fn spans_of(text: &str, block: &Block) -> Vec<Span> {
    let mut spans = match block.kind {
        BlockKind::Paragraph => sentences(block.span.of(text)),
        BlockKind::Item => vec![Span::new(0, block.span.end - block.span.start)],
        _ => Vec::new(),
    };
    spans.iter_mut().for_each(|span| *span = span.shifted(block.span.start));
    spans.retain(|span| span.start < span.end);
    spans
}

struct Reader<'t> {
    text: &'t str,
    is_owned: bool,
    is_answer: bool,
    /// Whether it is a roll-up: its claims stand below what they are, the headings below that say of which work.
    is_rollup: bool,
    notes: BTreeMap<&'t str, Option<SourceRef>>,
}

impl<'t> Reader<'t> {
    fn new(page: &Page, text: &'t str, notes: &'t [Footnote]) -> Reader<'t> {
        let is_owned = page.is_owned();
        let is_answer = is_owned && page.category() == Category::Question;
        // Of two footnotes of one label the last is read, as everywhere.
        let notes = notes.iter().map(|note| (note.label.as_str(), SourceRef::parse(note.text.of(text)))).collect();
        Reader { text, is_owned, is_answer, is_rollup: is_rollup(page), notes }
    }

    fn claims(&self, body: Span) -> Vec<Claim> {
        let found = self.read(body).into_iter();
        found.filter_map(|(_, what)| if let What::Claim(claim) = what { Some(claim) } else { None }).collect()
    }

    fn read(&self, body: Span) -> Vec<(Span, What)> {
        let mut out = Vec::new();
        let mut heading = "";
        for block in blocks(self.text, body) {
            let said = block.span.of(self.text);
            let what = match block.kind {
                BlockKind::Heading(level) => {
                    heading = below(heading, said, level, self.is_rollup);
                    What::Heading
                }
                BlockKind::Code => What::Code,
                BlockKind::Row => What::Table,
                BlockKind::Comment => What::Comment,
                BlockKind::Footnote => What::Footnotes(Vec::new()),
                BlockKind::Paragraph | BlockKind::Item => {
                    let is_listed = self.is_owned && LINK_SECTIONS.contains(&heading);
                    // What else stands there was added by somebody.
                    let is_link = |span: Span| is_listed && span.of(self.text).starts_with(['[', '`']);
                    out.extend(spans_of(self.text, &block).into_iter().map(|span| match is_link(span) {
                        true => (span, What::Links),
                        false => (span, What::Claim(self.claim(span, heading))),
                    }));
                    continue;
                }
            };
            out.push((block.span, what));
        }
        out
    }

    fn claim(&self, span: Span, heading: &str) -> Claim {
        let said = span.of(self.text);
        let state = self.state(said, heading);
        let mut marks: Vec<Mark> = labels(said).iter().map(|label| self.mark(label)).collect();
        let text = plain(said, self.is_answer);
        let by = match state.is_past() {
            true => marks.split_off(n_own(&marks, &text, state.ended())),
            false => Vec::new(),
        };
        let links = crate::link::links(self.text, span);
        let links = links.iter().filter(|link| link.vault.is_none()).map(|link| link.target.of(self.text).to_owned());
        Claim { span, text, heading: heading.to_owned(), links: links.collect(), state, own: marks, by }
    }

    fn mark(&self, label: &str) -> Mark {
        let found = self.notes.get(label);
        Mark { label: label.to_owned(), cited: found.cloned().flatten(), has_footnote: found.is_some() }
    }

    fn state(&self, said: &str, heading: &str) -> ClaimState {
        match heading {
            _ if !self.is_owned => ClaimState::Current,
            _ if heading == SUPERSEDED || is_past(said) => past(&without_marks(said)),
            DISPUTED => ClaimState::Disputed,
            ASKED => ClaimState::Asked,
            _ if stale_in(said).is_some() => ClaimState::Stale,
            _ if said.contains(SYNTHESIS) => ClaimState::Synthesis,
            _ if said.contains(EXTERNAL_CLAIM) => ClaimState::External,
            _ if said.contains(UNVERIFIED_CLAIM) => ClaimState::Unverified,
            _ => ClaimState::Current,
        }
    }
}

/// Adds lines; neighbours that are the same and no claims are one row.
fn push(out: &mut Vec<Row>, lines: (usize, usize), what: What) {
    let same = |last: &&mut Row| {
        let is_claim = matches!(what, What::Claim(_) | What::Heading);
        !is_claim && last.what.as_str() == what.as_str() && lines.0 <= last.lines.1 + 1
    };
    match out.last_mut().filter(same) {
        Some(last) => last.lines.1 = last.lines.1.max(lines.1),
        None => out.push(Row { lines, what }),
    }
}

/// The words of a claim, without what the page says of it.
fn plain(said: &str, is_answer: bool) -> String {
    let said = without_marks(said);
    let said = if is_answer { without_page(&said) } else { &said };
    let said = Cut::of(said).words;
    let marks = [EXTERNAL_CLAIM, UNVERIFIED_CLAIM, SYNTHESIS];
    let said = marks.iter().fold(said.to_owned(), |said, mark| said.replace(mark, ""));
    one_line(&without_links(&without_stale(&said)))
}

/// A sentence of an answer without the links to its pages, which stand at its end.
fn without_page(said: &str) -> &str {
    let mut said = said.trim_end();
    while let Some((rest, _)) = said.strip_suffix("]]").and_then(|rest| rest.rsplit_once(" [[")) {
        said = rest.trim_end();
    }
    said
}

/// How many of the marks of a replaced claim bear it out itself: the first, and those behind it that cannot be of what
/// took its place. One or two are of that.
fn n_own(marks: &[Mark], text: &str, until: Option<Date>) -> usize {
    let is_own = |mark: &Mark| {
        mark.cited.as_ref().is_some_and(|cited| {
            let day: Option<Date> = cited.path.stem().parse().ok();
            let is_earlier = day.zip(until).is_some_and(|(day, until)| day < until);
            is_earlier || mark.quotes(text)
        })
    };
    let n_more = marks.iter().skip(1).take_while(|mark| is_own(mark)).count();
    (1 + n_more).min(marks.len().saturating_sub(1)).max(1.min(marks.len()))
}

/// Returns the words of a replaced claim as they stand on the page with this text, links included.
pub(crate) fn struck<'t>(claim: &'t Claim, text: &'t str) -> &'t str {
    let said = claim.span.of(text);
    if is_struck(said) { Cut::of(said).words.trim() } else { &claim.text }
}

/// Returns what the page with this text says of a struck claim: `until 2026-05-03; now: It is [[cold]]`.
pub(crate) fn remark_of(claim: &Claim, text: &str) -> String {
    let said = without_marks(claim.span.of(text));
    if is_struck(&said) { Cut::of(&said).remark.to_owned() } else { String::new() }
}

/// Says at the footnotes which claims carry their marks.
fn point_footnotes_back(out: &mut [Row], notes: &[Footnote], place: &dyn Fn(Span) -> (usize, usize)) {
    let mut carried: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for row in out.iter() {
        let What::Claim(claim) = &row.what else { continue };
        for mark in claim.marks() {
            carried.entry(mark.label.clone()).or_default().push(row.lines.0);
        }
    }
    let at: Vec<(usize, &Footnote)> = notes.iter().map(|note| (place(note.span).0, note)).collect();
    for row in out.iter_mut() {
        let lines = row.lines;
        let What::Footnotes(of) = &mut row.what else { continue };
        let inside = at.iter().filter(|(line, _)| lines.0 <= *line && *line <= lines.1);
        of.extend(inside.filter_map(|(_, note)| carried.get(&note.label)).flatten());
        of.sort_unstable();
        of.dedup();
    }
}

/// Returns which lines of claims carry the footnote that stands on a line; none where no footnote does.
pub fn carriers(page: &Page, rows: &[Row], line: usize) -> Vec<usize> {
    let lines = LineIndex::new(&page.text);
    let notes = footnotes(&page.text, page.body());
    let Some(note) = notes.iter().find(|note| lines.line_of(note.span.start) == line) else { return Vec::new() };
    let carries = |row: &&Row| match &row.what {
        What::Claim(claim) => claim.marks().any(|mark| mark.label == note.label),
        _ => false,
    };
    let mut out: Vec<usize> = rows.iter().filter(carries).map(|row| row.lines.0).collect();
    out.dedup();
    out
}

#[cfg(test)]
mod tests;

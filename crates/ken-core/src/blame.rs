//! What stands on each line of a page: its claims as they are written, and what the other lines are.
//!
//! Reads one page and nothing else. What a claim cites is left to whoever can read the files; here it is only told
//! apart by what the page says of it: that it was replaced, is disputed, rests on external sources, was concluded by a
//! model, or is a question. Claims and footnotes are those of [`crate::claim`].

use std::collections::BTreeMap;

use crate::claim::{Footnote, SourceRef, claims, footnotes, without_marks};
use crate::link::without_links;
use crate::markdown::{BlockKind, blocks};
use crate::page::{ASKED, Category, DISPUTED, LINK_SECTIONS, NOW, Page, SUPERSEDED};
use crate::span::{LineIndex, Span};
use crate::text::one_line;
use crate::time::{Date, leading_date};
use crate::trust::EXTERNAL_CLAIM;
use crate::words::{fold, words};

/// What stands behind a sentence that a model concluded.
const SYNTHESIS: &str = " *(synthesis)*";
/// What stands before a sentence of a filed answer that no longer holds.
const ANSWER_SUPERSEDED: &str = "(superseded) ";
/// What stands between that sentence and the day until which it held.
const ANSWER_UNTIL: &str = " (until ";
/// What stands between a replaced claim and the day until which it held, or on which it was done.
const UNTIL: &str = "~~ until ";
const DONE: &str = "~~ done ";

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

/// A claim as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its bytes in the text that was read.
    pub span: Span,
    /// Its words, without marks, links and what the page says of it.
    pub text: String,
    /// The heading of level 2 or deeper that it stands under; empty when there is none.
    pub heading: String,
    /// The pages that it links to, as written.
    pub links: Vec<String>,
    /// What the page says of it.
    pub written: Written,
    /// What bears it out.
    pub own: Vec<Mark>,
    /// What took its place, and what holds now.
    pub by: Vec<Mark>,
}

/// A mark of a footnote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Its label.
    pub label: String,
    /// What its footnote cites; nothing where there is no footnote, or one that cites no place in a vault.
    pub cited: Option<SourceRef>,
    /// Whether there is a footnote at all.
    pub has_footnote: bool,
}

/// What a page says of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// Nothing: it holds.
    Plain,
    /// Only external sources bear it out.
    External,
    /// A model concluded it.
    Synthesis,
    /// It cannot be true beside others.
    Disputed,
    /// It is a question.
    Asked,
    /// Something else holds.
    Superseded {
        /// The day until which it held, or on which it was done.
        until: Option<Date>,
        /// Whether it is a task that was done.
        is_done: bool,
        /// What holds now, as the page says it.
        now: Option<String>,
    },
}

/// Returns what stands on the lines of a page, in order; `plain` is the text of an HTML page with the line of the source
/// that each of its lines stands on.
///
/// ```
/// # use ken_core::{VaultPath, blame::{What, rows}, page::parse_page};
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
    let (is_owned, is_answer) = (page.is_owned(), page.is_owned() && page.category() == Category::Question);
    let mut reader = Reader { text, place: &place, is_owned, is_answer, notes: by_label(text, &notes), out };
    reader.read(body);
    let mut out = reader.out;
    point_footnotes_back(&mut out, &notes, &place);
    out
}

fn by_label<'t>(text: &'t str, notes: &'t [Footnote]) -> BTreeMap<&'t str, Option<SourceRef>> {
    // Of two footnotes of one label the last is read, as everywhere.
    notes.iter().map(|note| (note.label.as_str(), SourceRef::parse(note.text.of(text)))).collect()
}

struct Reader<'t> {
    text: &'t str,
    place: &'t dyn Fn(Span) -> (usize, usize),
    is_owned: bool,
    is_answer: bool,
    notes: BTreeMap<&'t str, Option<SourceRef>>,
    out: Vec<Row>,
}

impl Reader<'_> {
    fn read(&mut self, body: Span) {
        let all = claims(self.text, body);
        let mut next = all.iter().peekable();
        let mut heading = "";
        for block in blocks(self.text, body) {
            let said = block.span.of(self.text);
            let what = match block.kind {
                BlockKind::Heading(level) => {
                    heading = if level > 1 { said } else { "" };
                    What::Heading
                }
                BlockKind::Code => What::Code,
                BlockKind::Row => What::Table,
                BlockKind::Comment => What::Comment,
                BlockKind::Footnote => What::Footnotes(Vec::new()),
                BlockKind::Paragraph | BlockKind::Item => {
                    let is_listed = self.is_owned && LINK_SECTIONS.contains(&heading);
                    while let Some(claim) = next.next_if(|claim| claim.span.start < block.span.end) {
                        // What else stands there was added by somebody.
                        let is_link = is_listed && claim.span.of(self.text).starts_with(['[', '`']);
                        let what = match is_link {
                            true => What::Links,
                            false => What::Claim(self.claim(claim, heading)),
                        };
                        self.push(claim.span, what);
                    }
                    continue;
                }
            };
            self.push(block.span, what);
        }
    }

    /// Adds lines; neighbours that are the same and no claims are one row.
    fn push(&mut self, span: Span, what: What) {
        let lines = (self.place)(span);
        let same = |last: &&mut Row| {
            let is_claim = matches!(what, What::Claim(_) | What::Heading);
            !is_claim && last.what.as_str() == what.as_str() && lines.0 <= last.lines.1 + 1
        };
        match self.out.last_mut().filter(same) {
            Some(last) => last.lines.1 = last.lines.1.max(lines.1),
            None => self.out.push(Row { lines, what }),
        }
    }

    fn claim(&self, claim: &crate::claim::Claim, heading: &str) -> Claim {
        let said = claim.span.of(self.text);
        let written = self.written(said, heading);
        let mut marks: Vec<Mark> = claim.labels.iter().map(|label| self.mark(label)).collect();
        let text = plain(said, self.is_answer);
        let by = match &written {
            Written::Superseded { until, .. } => marks.split_off(n_own(&marks, &text, *until)),
            _ => Vec::new(),
        };
        let links = crate::link::links(self.text, claim.span);
        let links = links.iter().filter(|link| link.vault.is_none()).map(|link| link.target.of(self.text).to_owned());
        Claim { span: claim.span, text, heading: heading.to_owned(), links: links.collect(), written, own: marks, by }
    }

    fn mark(&self, label: &str) -> Mark {
        let found = self.notes.get(label);
        Mark { label: label.to_owned(), cited: found.cloned().flatten(), has_footnote: found.is_some() }
    }

    fn written(&self, said: &str, heading: &str) -> Written {
        if !self.is_owned {
            return Written::Plain;
        }
        if heading == SUPERSEDED || said.starts_with("~~") || said.starts_with(ANSWER_SUPERSEDED) {
            return superseded(said);
        }
        match heading {
            DISPUTED => Written::Disputed,
            ASKED => Written::Asked,
            _ if said.contains(SYNTHESIS) => Written::Synthesis,
            _ if said.contains(EXTERNAL_CLAIM) => Written::External,
            _ => Written::Plain,
        }
    }
}

fn superseded(said: &str) -> Written {
    let said = without_marks(said);
    let struck = said.split_once(UNTIL).or_else(|| said.split_once(DONE)).map(|(_, rest)| rest);
    let rest = struck.or_else(|| said.rsplit_once(ANSWER_UNTIL).map(|(_, rest)| rest)).unwrap_or_default();
    let is_done = said.contains(DONE) && !said.contains(UNTIL);
    let now = rest.split_once(NOW).map(|(_, now)| match struck {
        Some(_) => now,
        None => now.rsplit_once(')').map_or(now, |(now, _)| now),
    });
    let now = now.map(|now| one_line(&without_links(now.trim().trim_end_matches('.'))));
    Written::Superseded { until: leading_date(rest), is_done, now: now.filter(|now| !now.is_empty()) }
}

/// The words of a claim, without what the page says of it.
fn plain(said: &str, is_answer: bool) -> String {
    let said = without_marks(said);
    let said = if is_answer { without_page(&said) } else { &said };
    let said = match said.strip_prefix(ANSWER_SUPERSEDED) {
        Some(said) => said.rsplit_once(ANSWER_UNTIL).map_or(said, |(said, _)| said),
        None => said,
    };
    let said = match said.strip_prefix("~~").and_then(|rest| rest.split_once("~~")) {
        Some((struck, _)) => struck,
        None => said,
    };
    one_line(&without_links(&said.replace(EXTERNAL_CLAIM, "").replace(SYNTHESIS, "")))
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
            is_earlier || begins_alike(&cited.quote, text)
        })
    };
    let n_more = marks.iter().skip(1).take_while(|mark| is_own(mark)).count();
    (1 + n_more).min(marks.len().saturating_sub(1)).max(1.min(marks.len()))
}

impl Mark {
    /// Returns whether its footnote quotes how a text begins.
    pub(crate) fn quotes(&self, text: &str) -> bool {
        self.cited.as_ref().is_some_and(|cited| begins_alike(&cited.quote, text))
    }
}

impl Claim {
    /// Returns whether it says what a mark of another claim leads to.
    pub(crate) fn is_at(&self, mark: &Mark) -> bool {
        // Other claims may rest on the same lines.
        self.own.iter().any(|own| own.label == mark.label) && mark.quotes(&self.text)
    }

    /// Returns the words of a replaced claim as they stand on the page with this text.
    pub(crate) fn struck<'t>(&'t self, text: &'t str) -> &'t str {
        self.span.of(text).split("~~").nth(1).map_or(self.text.as_str(), str::trim)
    }
}

/// Whether the quote of a footnote is the beginning of a text.
fn begins_alike(quote: &str, text: &str) -> bool {
    let folded = |text: &str| -> Vec<String> { words(text).iter().map(|word| fold(word.of(text))).collect() };
    let (mut quoted, said) = (folded(quote), folded(text));
    // The last word may be cut.
    if quote.ends_with('…') {
        quoted.pop();
    }
    !quoted.is_empty() && said.starts_with(&quoted)
}

/// Says at the footnotes which claims carry their marks.
fn point_footnotes_back(out: &mut [Row], notes: &[Footnote], place: &dyn Fn(Span) -> (usize, usize)) {
    let mut carried: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for row in out.iter() {
        let What::Claim(claim) = &row.what else { continue };
        for mark in claim.own.iter().chain(&claim.by) {
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
        What::Claim(claim) => claim.own.iter().chain(&claim.by).any(|mark| mark.label == note.label),
        _ => false,
    };
    let mut out: Vec<usize> = rows.iter().filter(carries).map(|row| row.lines.0).collect();
    out.dedup();
    out
}

#[cfg(test)]
mod tests;

//! Cuts a document into the passages of its reference page.
//!
//! A passage keeps the sections it stands in and its place among the others, so that the page follows the document.
//! What leads something in (`Install it with:`) takes the code, table or list below it along. Short sections are kept
//! whole; of a long one some of each paragraph and list, and most of those that say most for their length: definitions,
//! rules, names of things. A long document makes several pages, cut between its sections.

use ken_core::header::{FieldName, read_header};
use ken_core::link::links;
use ken_core::markdown::{BlockKind, blocks};
use ken_core::page::{Page, parse_page};
use ken_core::source::day_of;
use ken_core::{Date, Digest, Span, VaultPath};

use super::html;
use super::passage::{Entry, PassageKind, Places, body_portions};

mod groups;
mod reader;
mod select;
mod shape;

use reader::Reader;
use select::{chosen, parts, passages};
pub use shape::{is_generic, is_release};
use shape::{named, plain_heading};

/// Length counts by its root, as if it were so many characters longer.
const LENGTH_BASE: f32 = 400.0;
/// Where a passage stands in its document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InDocument {
    /// The headings above it, below the title, the outermost first.
    pub sections: Vec<String>,
    /// Its position among the passages of the document.
    pub nth: usize,
    /// Which of the document's pages it is on, from 0.
    pub part: usize,
    /// How many passages of its page it stands below: those that lead it in, and the items of which it is a part.
    pub depth: usize,
    /// The code and tables that it leads in, as Markdown.
    pub blocks: Vec<String>,
    /// Its number in a numbered list.
    pub step: Option<u32>,
    /// What of the document is left out behind it.
    pub gap: Option<Gap>,
    /// Whether the document was a page of another compiler: what it says, days said, and a later day may take its place.
    pub is_adopted: bool,
}

/// What of a document is left out behind a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gap {
    /// Items of the list that it leads in: how many are kept, of how many.
    Items(usize, usize),
    /// The rest of its section, or some of what stands before it there.
    Section,
}

/// Where a link in a passage of a document leads.
pub enum Linked<'a> {
    /// To the document at a place in the vault.
    Document(&'a str),
    /// To whatever has a name.
    Subject(&'a str),
}

impl Linked<'_> {
    /// Returns where the links of a passage lead.
    fn all(text: &str) -> impl Iterator<Item = Linked<'_>> {
        links(text, Span::new(0, text.len())).into_iter().filter(|link| link.vault.is_none()).map(|link| {
            let target = link.target.of(text);
            match target.strip_prefix('/') {
                Some(place) => Linked::Document(place),
                None => Linked::Subject(target.rsplit('/').next().unwrap_or(target)),
            }
        })
    }

    /// Returns the links of a passage: of its text, and of the lists, tables and code below it.
    pub fn of<'a>(text: &'a str, place: &'a InDocument) -> impl Iterator<Item = Linked<'a>> {
        std::iter::once(text).chain(place.blocks.iter().map(String::as_str)).flat_map(Linked::all)
    }
}

/// What may be a passage.
struct Found {
    text: String,
    /// First and last line, from 1.
    lines: (usize, usize),
    kind: PassageKind,
    sections: Vec<String>,
    /// The passage that it stands below: what leads it in, or the item of which it is a part.
    lead: Option<usize>,
    blocks: Vec<String>,
    /// Whether it is an item of a list, how far that is indented, and its place in a numbered one.
    is_item: bool,
    indent: usize,
    step: Option<u32>,
    /// Whether it says nothing unless something that it leads in stands below it.
    leads_in: bool,
    /// Whether something behind it is too long for a page.
    is_cut_off: bool,
    score: f32,
}

impl Found {
    fn chars(&self) -> usize {
        self.text.chars().count() + self.blocks.iter().map(|block| block.chars().count()).sum::<usize>()
    }

    /// What it tells for its length.
    fn worth(&self) -> f32 {
        self.score / (self.chars() as f32 + LENGTH_BASE).sqrt()
    }
}

/// Returns the entry of one document, with its portions if they are wanted.
pub fn document_entry(path: &VaultPath, text: &str, committed: Option<Date>, with_portions: bool) -> Entry {
    entry(path, text, committed, (with_portions, false))
}

/// Returns the entry of a document of which nothing is left out, and which makes one page, however long it is.
pub(crate) fn whole_entry(path: &VaultPath, text: &str) -> Entry {
    entry(path, text, None, (false, true))
}

fn entry(path: &VaultPath, text: &str, committed: Option<Date>, (with_portions, is_whole): (bool, bool)) -> Entry {
    let is_html = matches!(path.extension(), "html" | "htm");
    let page = parse_page(path, text.to_owned()).value;
    let prose = is_html.then(|| html::read(text));
    let title = prose.as_ref().map_or_else(|| title_of(&page), |prose| html::title_of(&page, prose));
    let title = named(&plain_heading(&title), path);
    let (plain, map) = prose.map_or_else(|| (text.to_owned(), Vec::new()), |prose| (prose.text, prose.lines));
    let header = read_header(&plain).value;
    let body = Span::new(header.block.end, plain.len());
    let mut places = Places::new(&plain);
    let mut reader = Reader::new(path, &title, &plain, &places);
    reader.is_whole = is_whole;
    blocks(&plain, body).for_each(|block| reader.block(&block));
    let chosen = chosen(reader.ended(), is_whole);
    let parts = if is_whole { vec![(title.clone(), 0)] } else { parts(&title, &chosen.found) };
    let mut passages = passages(chosen, &parts, &mut places);
    // Lines of an HTML file are those of its source, not of its text.
    let mut source_places = Places::new(text);
    let source = |line: usize| map.get(line - 1).copied().unwrap_or(line);
    for passage in passages.iter_mut().filter(|_| is_html) {
        passage.lines = ordered(source(passage.lines.0), source(passage.lines.1));
        passage.digest = source_places.digest(passage.lines);
        if let Some(cited) = &mut passage.cited {
            cited.lines = ordered(source(cited.lines.0), source(cited.lines.1));
            cited.digest = source_places.digest(cited.lines);
        }
    }
    let date = day_of(&header, &plain, path);
    let mut portions = if with_portions { body_portions(path, &title, date, &places, body) } else { Vec::new() };
    if is_html {
        let lines = portions.iter_mut().flat_map(|portion| &mut portion.lines);
        lines.for_each(|line| line.number = source(line.number));
    }
    let committed = committed.filter(|_| date.is_none());
    // What comes of it changes with its day.
    let day = committed.map(|day| format!("\0{day}")).unwrap_or_default();
    let digest = Digest::of(format!("{text}{day}").as_bytes());
    let parts = parts.into_iter().map(|(title, _)| title).collect();
    Entry {
        path: path.clone(),
        title,
        date,
        committed,
        parts,
        is_extracted: false,
        voice: Some(String::new()),
        issue: None,
        work: None,
        adopted: None,
        digest,
        passages,
        portions,
        thin: Vec::new(),
        has_doubts: false,
    }
}

/// What a document of Markdown is called: its header's title, its heading, or that of HTML above all others; nothing
/// where it begins with prose and has headings of sections only.
fn title_of(page: &Page) -> String {
    if page.scalar(FieldName::Title).is_some() {
        return page.title();
    }
    let (text, mut has_prose) = (page.text.as_str(), false);
    for block in blocks(text, page.body()) {
        let said = block.span.of(text);
        match block.kind {
            BlockKind::Heading(level) if level > 1 && has_prose => return String::new(),
            BlockKind::Heading(_) => break,
            _ => {}
        }
        if let Some(title) = html_heading(said) {
            return title;
        }
        has_prose |= block.kind == BlockKind::Paragraph && !said.starts_with(['<', '[', '!']);
    }
    page.title()
}

/// The heading of HTML in a paragraph of Markdown: `<h1 align="center">Oven</h1>`.
fn html_heading(text: &str) -> Option<String> {
    let (_, tag) = text.split_once("<h1")?;
    let (_, inside) = tag.split_once('>')?;
    let (inside, _) = inside.split_once("</h1>")?;
    let title = plain_heading(inside);
    title.contains(char::is_alphanumeric).then_some(title)
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests;

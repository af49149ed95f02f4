//! Documents of Word: headings, lists, tables and text of `word/document.xml`, as Markdown.

use std::collections::BTreeMap;

use quick_xml::events::{BytesStart, Event};

use super::packed::{Packed, attribute, element, events, local, said};
use super::tables::table;
use super::written::{About, Told, prose, title_of};

/// Deepest list that stands indented.
const LEVEL_MAX: usize = 8;

/// Returns what a document says.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn read(stem: &str, bytes: &[u8]) -> Result<Told, String> {
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err("it is protected by a password, or of an old Word: save it as .docx without one".to_owned());
    }
    let mut packed = Packed::open(bytes)?;
    let Some(xml) = packed.text("word/document.xml")? else {
        return Err("it is no document of Word: there is no `word/document.xml` in it".to_owned());
    };
    let styles = packed.text("word/styles.xml")?.map(|xml| styles(&xml)).unwrap_or_default();
    let links = packed.text("word/_rels/document.xml.rels")?.map(|xml| links(&xml)).unwrap_or_default();
    let about = packed.text("docProps/core.xml")?.unwrap_or_default();
    let mut body = Body { styles, links, ..Body::default() };
    events(&xml, |event| body.take(&event));
    let text = body.finish();
    if text.trim().is_empty() {
        return Err("there is no text in it".to_owned());
    }
    let title = (!text.lines().any(|line| line.starts_with("# ")))
        .then(|| element(&about, "title").unwrap_or_else(|| title_of(stem)));
    let date = element(&about, "modified").or_else(|| element(&about, "created"));
    Ok(Told::plain(About { title, date }.above(&text)))
}

/// What a style stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// A heading of that level; the title of the whole is of none.
    Heading(usize),
    /// An item of a list.
    Item,
}

/// What each style stands for: styles have names in the tongue of whoever made them, and one that every Word knows.
fn styles(xml: &str) -> BTreeMap<String, Style> {
    let (mut out, mut id) = (BTreeMap::new(), String::new());
    events(xml, |event| {
        let (Event::Start(tag) | Event::Empty(tag)) = &event else { return };
        match local(tag.name().as_ref()) {
            "style" => id = attribute(tag, "styleId").unwrap_or_default(),
            "name" => {
                let name = attribute(tag, "val").unwrap_or_default().to_lowercase();
                let style = match name.strip_prefix("heading ") {
                    Some(level) => level.parse().ok().filter(|level| (1..=6).contains(level)).map(Style::Heading),
                    None if name == "title" => Some(Style::Heading(0)),
                    None => (name.starts_with("list bullet") || name.starts_with("list number")).then_some(Style::Item),
                };
                out.extend(style.map(|style| (id.clone(), style)));
            }
            _ => {}
        }
    });
    out
}

/// Where links lead, by their ids.
fn links(xml: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    events(xml, |event| {
        let (Event::Start(tag) | Event::Empty(tag)) = &event else { return };
        if let (Some(id), Some(to)) = (attribute(tag, "Id"), attribute(tag, "Target"))
            && (to.starts_with("http://") || to.starts_with("https://"))
        {
            out.insert(id, to);
        }
    });
    out
}

/// A table that is open: its rows, and the cell that grows.
#[derive(Default)]
struct Rows {
    rows: Vec<Vec<String>>,
    cell: Option<Vec<String>>,
}

/// What is written so far.
#[derive(Default)]
struct Body {
    styles: BTreeMap<String, Style>,
    /// Whether the whole has a title, so that its headings stand one level below.
    has_title: bool,
    links: BTreeMap<String, String>,
    out: Vec<String>,
    /// The paragraph that is open.
    text: String,
    style: Option<String>,
    level: Option<usize>,
    /// Whether the text is text, and no instruction for a field.
    is_text: bool,
    link: Option<(usize, String)>,
    tables: Vec<Rows>,
    is_item: bool,
    /// What somebody deleted, as long as changes are tracked.
    n_deleted: usize,
}

impl Body {
    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::Empty(tag) => {
                self.start(tag);
                self.end(local(tag.name().as_ref()));
            }
            Event::End(tag) => self.end(local(tag.name().as_ref())),
            _ if self.is_text && self.n_deleted == 0 => self.text.extend(said(event)),
            _ => {}
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) {
        match local(tag.name().as_ref()) {
            "p" => (self.style, self.level) = (None, None),
            "pStyle" => self.style = attribute(tag, "val"),
            "ilvl" => self.level = attribute(tag, "val").and_then(|level| level.parse().ok()).or(Some(0)),
            "numId" if attribute(tag, "val").as_deref() != Some("0") => self.level = self.level.or(Some(0)),
            "t" => self.is_text = true,
            "tab" if !self.text.is_empty() => self.text.push(' '),
            "br" | "cr" if !self.text.is_empty() => self.text.push('\n'),
            "noBreakHyphen" => self.text.push('-'),
            "del" | "moveFrom" => self.n_deleted += 1,
            "hyperlink" => {
                let to = attribute(tag, "id").and_then(|id| self.links.get(&id).cloned());
                self.link = to.map(|to| (self.text.len(), to));
            }
            "tbl" => self.tables.push(Rows::default()),
            "tr" => self.tables.last_mut().into_iter().for_each(|table| table.rows.push(Vec::new())),
            "tc" => self.tables.last_mut().into_iter().for_each(|table| table.cell = Some(Vec::new())),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.is_text = false,
            "del" | "moveFrom" => self.n_deleted = self.n_deleted.saturating_sub(1),
            "hyperlink" => {
                if let Some((at, to)) = self.link.take() {
                    let shown = self.text.split_off(at.min(self.text.len()));
                    let is_plain =
                        !shown.trim().is_empty() && !shown.contains(['[', ']', '\n']) && !to.contains(['(', ')', ' ']);
                    self.text.push_str(&if is_plain { format!("[{}]({to})", shown.trim()) } else { shown });
                }
            }
            "p" => self.paragraph(),
            "tc" => {
                if let Some(table) = self.tables.last_mut() {
                    let cell = table.cell.take().unwrap_or_default().join(" ");
                    table.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
                }
            }
            "tbl" => {
                let Some(done) = self.tables.pop() else { return };
                // A table in a cell is part of what the cell says.
                match self.tables.last_mut().and_then(|outer| outer.cell.as_mut()) {
                    Some(cell) => cell.extend(done.rows.into_iter().map(|row| row.join(" "))),
                    None => {
                        self.gap();
                        self.out.extend(table(&done.rows));
                        self.gap();
                    }
                }
            }
            _ => {}
        }
    }

    fn gap(&mut self) {
        self.is_item = false;
        self.out.push(String::new());
    }

    fn paragraph(&mut self) {
        let text = std::mem::take(&mut self.text);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if let Some(cell) = self.tables.last_mut().and_then(|table| table.cell.as_mut()) {
            cell.extend((!lines.is_empty()).then(|| lines.join(" ")));
            return;
        }
        if lines.is_empty() {
            return;
        }
        let style = self.style.as_ref().and_then(|style| {
            let by_id = || style.strip_prefix("Heading")?.parse().ok().filter(|level| (1..=6).contains(level));
            self.styles.get(style).copied().or_else(|| by_id().map(Style::Heading))
        });
        let level = self.level.or((style == Some(Style::Item)).then_some(0));
        match (style, level) {
            (Some(Style::Heading(level)), _) => {
                self.has_title |= level == 0;
                let level = (level + usize::from(self.has_title)).min(6);
                self.gap();
                self.out.push(format!("{} {}", "#".repeat(level), lines.join(" ")));
                self.gap();
            }
            (_, Some(level)) => {
                if !self.is_item {
                    self.gap();
                }
                self.is_item = true;
                self.out.push(format!("{}- {}", "  ".repeat(level.min(LEVEL_MAX)), lines.join(" ")));
            }
            (_, None) => {
                self.gap();
                self.out.extend(lines.iter().map(|line| prose(line)));
            }
        }
    }

    fn finish(mut self) -> String {
        // A document that is cut off ends where it is.
        self.paragraph();
        for table_left in std::mem::take(&mut self.tables) {
            self.gap();
            self.out.extend(table(&table_left.rows));
        }
        self.out.join("\n")
    }
}

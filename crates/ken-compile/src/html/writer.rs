//! Markdown of the tokens of a document.
//!
//! White space is asked for before it is written, and the widest gap that was asked for stands. A line holds one line
//! of the source, so that a sentence can be cited by its lines; what stands in a heading or a cell is on one line.
//! What only looks like Markdown where it stands gets a backslash, or no line of its own.

use std::cmp::max;

use super::Prose;
use super::table::{Cell, Rows, layouts};
use super::tokens::{Element, Token, Values};

mod inline;

use inline::{Code, Link, Preformatted, address, described};

/// Widest indentation of nested lists.
const INDENT_MAX: usize = 24;
/// Longest number that a list may have, so that it is one in Markdown.
const NUMBER_MAX: u32 = 999_999_999;
/// Longest title, in bytes; a longer one is a document whose title nobody closed.
const TITLE_LEN_MAX: usize = 300;

/// White space between what is written and what comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Space,
    /// The end of a line that a paragraph goes on behind.
    Soft,
    Line,
    Paragraph,
    /// Between a term and what it means.
    Meaning,
    /// Between the items of a list in a cell.
    Listed,
}

/// Lines that grow.
#[derive(Debug)]
struct Lines {
    text: String,
    /// The source line of each line that has ended.
    map: Vec<usize>,
    /// The source line of the line that is open.
    line: usize,
    gap: Gap,
}

impl Lines {
    fn new() -> Lines {
        Lines { text: String::new(), map: Vec::new(), line: 1, gap: Gap::Nothing }
    }

    /// Ends the open line; the next one comes from a line of the source.
    fn end_line(&mut self, line: usize) {
        self.text.push('\n');
        self.map.push(self.line);
        self.line = line;
    }
}

/// A list that is open.
#[derive(Debug)]
struct List {
    /// The number of the next item, if they have numbers.
    next: Option<u32>,
    /// How far the text of its items is indented.
    indent: usize,
    has_items: bool,
}

/// A table that is open.
#[derive(Debug)]
struct Table {
    rows: Rows,
    cell: Option<Cell>,
    /// What stands in none of its cells, with its lines.
    captions: Vec<(usize, String)>,
    /// What stands before it.
    before: Lines,
    n_lists: usize,
}

#[derive(Debug)]
struct Writer {
    lines: Lines,
    lists: Vec<List>,
    /// What a heading or an item begins with that has no text yet.
    marker: Option<String>,
    is_heading: bool,
    code: Option<Code>,
    link: Option<Link>,
    preformatted: Option<Preformatted>,
    /// The language that an element around code names.
    language: Option<String>,
    table: Option<Table>,
    is_title: bool,
    title: String,
    first_heading: Option<String>,
}

/// Returns what tokens say.
pub(super) fn written(tokens: Vec<(usize, Token)>) -> Prose {
    let is_layout = layouts(&tokens);
    let mut writer = Writer {
        lines: Lines::new(),
        lists: Vec::new(),
        marker: None,
        is_heading: false,
        code: None,
        link: None,
        preformatted: None,
        language: None,
        table: None,
        is_title: false,
        title: String::new(),
        first_heading: None,
    };
    for ((line, token), is_layout) in tokens.into_iter().zip(is_layout) {
        match token {
            Token::Text(text) => writer.text(&text, line),
            Token::Open(..) | Token::Close(_) if is_layout => writer.boundary(),
            Token::Open(element, values) => writer.open(element, *values, line),
            Token::Close(element) => writer.close(element, line),
        }
    }
    writer.ended()
}

impl Writer {
    fn ended(mut self) -> Prose {
        self.end_preformatted();
        self.end_table();
        self.boundary();
        if !self.lines.text.is_empty() {
            self.lines.end_line(0);
        }
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = Some(title).filter(|title| !title.is_empty() && title.len() <= TITLE_LEN_MAX);
        Prose { text: self.lines.text, lines: self.lines.map, title: title.or(self.first_heading) }
    }

    fn open(&mut self, element: Element, values: Values, line: usize) {
        if let Some(open) = &mut self.preformatted {
            open.open(element, values);
            return;
        }
        match element {
            Element::Heading(level) => self.open_heading(level),
            Element::Block => {
                self.boundary();
                self.language = values.language;
            }
            Element::List | Element::NumberedList | Element::Terms => self.open_list(element, &values),
            Element::Item | Element::Term => self.open_item(),
            Element::Meaning => self.open_meaning(),
            Element::Table => self.open_table(),
            Element::Row => self.end_row(),
            Element::Cell | Element::HeadCell => self.open_cell(Cell::new(element == Element::HeadCell, &values, line)),
            Element::Preformatted => {
                self.end_heading();
                self.preformatted = Some(Preformatted::new(values.language.or(self.language.take())));
            }
            Element::Code => {
                self.end_code();
                self.code = Some(Code::new(line));
            }
            Element::Link => {
                self.end_link();
                self.link = values.address.as_deref().and_then(address).map(Link::new);
            }
            Element::Image => self.piece(&described(&values), line),
            Element::LineBreak => self.ask(if self.lines.gap == Gap::Soft { Gap::Paragraph } else { Gap::Soft }),
            // `10<sup>6</sup>` is no number of three digits.
            Element::Raised if self.lines.gap == Gap::Nothing && self.lines.text.ends_with(is_digit) => {
                self.piece("^", line);
            }
            Element::Quoted => self.piece("“", line),
            Element::Title => {
                self.boundary();
                self.is_title = self.title.is_empty();
            }
            Element::Raised | Element::Dropped(_) => {}
        }
    }

    fn close(&mut self, element: Element, line: usize) {
        if self.preformatted.is_some() {
            if element == Element::Preformatted {
                self.end_preformatted();
            }
            return;
        }
        match element {
            Element::Heading(_) => self.end_heading(),
            Element::List | Element::NumberedList | Element::Terms => self.close_list(),
            Element::Item | Element::Term | Element::Meaning | Element::Block | Element::Preformatted => {
                self.boundary();
                if matches!(element, Element::Item | Element::Term) {
                    self.marker = None;
                }
            }
            Element::Table => self.end_table(),
            Element::Row => self.end_row(),
            Element::Cell | Element::HeadCell => self.end_cell(),
            Element::Code => self.end_code(),
            Element::Link => self.end_link(),
            Element::Quoted => {
                self.lines.gap = Gap::Nothing;
                self.piece("”", line);
            }
            Element::Title => self.is_title = false,
            Element::Image | Element::LineBreak | Element::Raised | Element::Dropped(_) => {}
        }
    }

    /// Asks for white space before whatever comes next.
    fn ask(&mut self, gap: Gap) {
        self.lines.gap = max(self.lines.gap, gap);
    }

    /// Ends whatever goes on within a paragraph.
    fn boundary(&mut self) {
        self.end_code();
        // A link around a whole card is one of the first text in it.
        if self.link.as_ref().is_some_and(|link| link.start.is_some()) {
            self.end_link();
        }
        // An item that has no text yet begins with that of its paragraph.
        if self.marker.is_none() {
            self.ask(Gap::Paragraph);
        }
    }

    fn open_heading(&mut self, level: u8) {
        self.end_heading();
        if self.table.is_some() {
            return;
        }
        // Nothing of a list is indented behind a heading, where it would be code.
        self.lists.iter_mut().for_each(|list| list.indent = 0);
        self.ask(Gap::Paragraph);
        self.marker = Some(format!("{} ", "#".repeat(usize::from(level))));
        self.is_heading = true;
    }

    fn end_heading(&mut self) {
        self.boundary();
        if !self.is_heading {
            return;
        }
        self.is_heading = false;
        if self.marker.take().is_none() && self.first_heading.is_none() {
            let said = self.lines.text.rsplit('\n').next().unwrap_or_default();
            self.first_heading = Some(said.trim_start_matches('#').trim().to_owned());
        }
        self.ask(Gap::Paragraph);
    }

    fn open_list(&mut self, element: Element, values: &Values) {
        self.end_heading();
        let next = (element == Element::NumberedList).then(|| values.start.unwrap_or(1));
        self.lists.push(List { next, indent: self.indent(0), has_items: false });
        self.marker = None;
    }

    fn close_list(&mut self) {
        self.boundary();
        self.marker = None;
        self.lists.pop();
        self.ask(if self.lists.is_empty() { Gap::Paragraph } else { Gap::Line });
    }

    fn open_item(&mut self) {
        self.end_heading();
        if self.table.is_some() {
            self.ask(Gap::Listed);
            return;
        }
        let is_nested = self.lists.len() > 1;
        let list = self.lists.last_mut();
        let number = list.and_then(|list| {
            let is_first = !std::mem::replace(&mut list.has_items, true);
            self.lines.gap = if is_first && !is_nested { Gap::Paragraph } else { Gap::Line };
            let number = list.next?;
            list.next = Some(number.saturating_add(1).min(NUMBER_MAX));
            Some(number.min(NUMBER_MAX))
        });
        self.marker = Some(number.map_or("- ".to_owned(), |number| format!("{number}. ")));
    }

    fn open_meaning(&mut self) {
        let text = &self.lines.text;
        let is_said = text.is_empty() || text.ends_with(':') || self.marker.is_some();
        let is_listed = self.lists.last().is_some_and(|list| list.has_items);
        self.end_heading();
        self.marker = None;
        if is_listed && !is_said {
            self.ask(Gap::Meaning);
        }
    }

    /// How far text is indented, so many lists out from where it stands.
    fn indent(&self, n_out: usize) -> usize {
        self.lists.iter().rev().nth(n_out).map_or(0, |list| list.indent)
    }

    fn open_table(&mut self) {
        self.end_heading();
        self.end_table();
        let before = std::mem::replace(&mut self.lines, Lines::new());
        self.table =
            Some(Table { rows: Rows::new(), cell: None, captions: Vec::new(), before, n_lists: self.lists.len() });
    }

    fn open_cell(&mut self, cell: Cell) {
        self.end_cell();
        if let Some(table) = &mut self.table {
            table.cell = Some(cell);
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        if let Some(table) = &mut self.table {
            table.rows.end_row();
        }
    }

    fn end_cell(&mut self) {
        self.boundary();
        let Some(table) = &mut self.table else { return };
        self.lists.truncate(table.n_lists);
        let lines = std::mem::replace(&mut self.lines, Lines::new());
        match table.cell.take() {
            Some(cell) => table.rows.put(&cell, &lines.text),
            // What stands in no cell is a caption.
            None if !lines.text.is_empty() => table.captions.push((lines.line, lines.text)),
            None => {}
        }
    }

    fn end_table(&mut self) {
        self.end_row();
        let Some(table) = self.table.take() else { return };
        self.lines = table.before;
        for (line, caption) in table.captions {
            self.begin_block(line);
            self.lines.text.push_str(&caption);
            self.ask(Gap::Paragraph);
        }
        let rows = table.rows.lines();
        if let Some((line, _)) = rows.first() {
            self.begin_block(*line);
            self.lines_of_block(rows);
        }
    }
}

fn is_digit(ch: char) -> bool {
    ch.is_ascii_digit()
}

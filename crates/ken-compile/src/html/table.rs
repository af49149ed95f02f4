//! Tables: which of them hold data, and their rows in Markdown.

use super::tokens::{Element, Token, Values};

/// Longest cell of a table of data, in bytes; a longer one is text that a table only places.
const CELL_LEN_MAX: usize = 2_000;
/// Bytes that cells may take which stand for others: those of several rows and columns.
const ADDED_LEN_MAX: usize = 64 * 1024;
/// Most columns and rows that a cell stands for.
const SPAN_MAX: usize = 64;

/// A table that is looked through.
#[derive(Default)]
struct Seen {
    /// Where its tags stand.
    tags: Vec<usize>,
    n_cells: usize,
    has_columns: bool,
    cell_len: usize,
    is_layout: bool,
}

/// Returns, per token, whether it is a tag of a table that only places text: one that holds headings, code, tables or
/// long texts, or has one column.
pub(super) fn layouts(tokens: &[(usize, Token)]) -> Vec<bool> {
    let mut out = vec![false; tokens.len()];
    let mut open: Vec<Seen> = Vec::new();
    let mut done = |seen: Seen| {
        if seen.is_layout || !seen.has_columns {
            seen.tags.into_iter().for_each(|tag| out[tag] = true);
        }
    };
    for (n, (_, token)) in tokens.iter().enumerate() {
        if let Token::Open(Element::Table | Element::Heading(_) | Element::Preformatted, _) = token
            && let Some(table) = open.last_mut()
        {
            table.is_layout = true;
        }
        if let Token::Open(Element::Table, _) = token {
            open.push(Seen::default());
        }
        let Some(table) = open.last_mut() else { continue };
        match token {
            Token::Text(text) => {
                table.cell_len += text.len();
                table.is_layout |= table.cell_len > CELL_LEN_MAX;
            }
            Token::Open(element, _) | Token::Close(element) => {
                let is_cell = matches!(element, Element::Cell | Element::HeadCell);
                if is_cell || matches!(element, Element::Table | Element::Row) {
                    table.tags.push(n);
                    table.cell_len = 0;
                }
                if is_cell && matches!(token, Token::Open(..)) {
                    table.n_cells += 1;
                    table.has_columns |= table.n_cells > 1;
                } else if *element == Element::Row {
                    table.n_cells = 0;
                }
            }
        }
        if let Token::Close(Element::Table) = token {
            open.pop().into_iter().for_each(&mut done);
        }
    }
    open.into_iter().for_each(done);
    out
}

/// A cell that is open.
#[derive(Debug)]
pub(super) struct Cell {
    line: usize,
    is_head: bool,
    n_columns: usize,
    n_rows: usize,
}

impl Cell {
    pub(super) fn new(is_head: bool, values: &Values, line: usize) -> Cell {
        let span = |n: Option<usize>| n.unwrap_or(1).clamp(1, SPAN_MAX);
        Cell { line, is_head, n_columns: span(values.n_columns), n_rows: span(values.n_rows) }
    }
}

/// A row as far as it is read.
#[derive(Debug)]
struct Row {
    line: usize,
    cells: Vec<String>,
    is_head: bool,
}

/// The rows of a table of data.
#[derive(Debug)]
pub(super) struct Rows {
    done: Vec<Row>,
    row: Option<Row>,
    /// Per column: how many more rows a cell above stands for, and what it says.
    above: Vec<(usize, String)>,
    /// Bytes that added cells may still take.
    left: usize,
}

impl Rows {
    pub(super) fn new() -> Rows {
        Rows { done: Vec::new(), row: None, above: Vec::new(), left: ADDED_LEN_MAX }
    }

    pub(super) fn end_row(&mut self) {
        let Some(mut row) = self.row.take() else { return };
        self.add_above(&mut row);
        self.done.push(row);
    }

    /// Adds a cell with its text, which is on one line.
    pub(super) fn put(&mut self, cell: &Cell, text: &str) {
        let mut row = self.row.take().unwrap_or(Row { line: cell.line, cells: Vec::new(), is_head: true });
        self.add_above(&mut row);
        row.is_head &= cell.is_head;
        let text = escaped(text);
        for n in 0..cell.n_columns {
            if n > 0 && !self.may_add("") {
                break;
            }
            let column = row.cells.len();
            if cell.n_rows > 1 && column < SPAN_MAX {
                self.above.resize(self.above.len().max(column + 1), (0, String::new()));
                self.above[column] = (cell.n_rows - 1, if n == 0 { text.clone() } else { String::new() });
            }
            row.cells.push(if n == 0 { text.clone() } else { String::new() });
        }
        self.row = Some(row);
    }

    /// Adds what cells of the rows above say in the next columns.
    fn add_above(&mut self, row: &mut Row) {
        while let Some((n_rows, text)) = self.above.get_mut(row.cells.len()).filter(|(n_rows, _)| *n_rows > 0) {
            *n_rows -= 1;
            let text = text.clone();
            if !self.may_add(&text) {
                self.above.clear();
                break;
            }
            row.cells.push(text);
        }
    }

    fn may_add(&mut self, text: &str) -> bool {
        let left = self.left.checked_sub(text.len() + 3);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// Returns the lines of the table, each with its line in the source; nothing of a table that says nothing.
    pub(super) fn lines(mut self) -> Vec<(usize, String)> {
        self.end_row();
        self.done.retain(|row| row.cells.iter().any(|cell| !cell.is_empty()));
        let Some(first) = self.done.first() else { return Vec::new() };
        let width = self.done.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let line = first.line;
        // The first row says what stands in the others only if it says so.
        let mut head = if first.is_head { self.done.remove(0).cells } else { Vec::new() };
        head.resize(width, String::new());
        let rule = format!("|{}", "---|".repeat(width));
        let rows = self.done.into_iter().map(|row| (row.line, shown(&row.cells)));
        [(line, shown(&head)), (line, rule)].into_iter().chain(rows).collect()
    }
}

fn shown(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}

/// A bar in a cell would end it.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

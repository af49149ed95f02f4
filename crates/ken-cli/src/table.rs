//! Rows in aligned columns.
//!
//! Columns are as wide as their widest cell, counted in characters. On a terminal the last column is
//! cut so that a row stays one line; in a pipe nothing is cut.

use anstyle::Style;

use crate::paint::{PLAIN, Paint};
use crate::text::clean;

/// Spaces between columns.
const GAP: usize = 2;
/// Narrower than this, a last column says nothing; the line wraps instead.
const LAST_CHARS_MIN: usize = 16;

/// One cell.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    text: String,
    style: Style,
    is_right: bool,
}

impl Cell {
    /// Returns a cell with this text, made harmless.
    pub(crate) fn new(text: impl AsRef<str>) -> Cell {
        Cell { text: clean(text.as_ref()), style: PLAIN, is_right: false }
    }

    /// Returns the cell in a style.
    pub(crate) fn style(mut self, style: Style) -> Cell {
        self.style = style;
        self
    }

    /// Returns the cell aligned to the right, as numbers are.
    pub(crate) fn right(mut self) -> Cell {
        self.is_right = true;
        self
    }

    fn n_chars(&self) -> usize {
        self.text.chars().count()
    }
}

/// Returns the rows as lines; `width` is the terminal's, if there is one.
pub(crate) fn lines(rows: &[Vec<Cell>], width: Option<usize>, paint: Paint) -> Vec<String> {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(Cell::n_chars).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns).map(widest).collect();
    rows.iter().map(|row| line(row, &widths, width, paint)).collect()
}

fn line(row: &[Cell], widths: &[usize], width: Option<usize>, paint: Paint) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (column, cell) in row.iter().enumerate() {
        let is_last = column + 1 == row.len();
        let pad = widths[column].saturating_sub(cell.n_chars());
        let left = width.map(|width| width.saturating_sub(at)).filter(|left| is_last && *left >= LAST_CHARS_MIN);
        let text = left.map_or_else(|| cell.text.clone(), |left| ken_core::text::cut(&cell.text, left));
        let (before, after) = if cell.is_right { (pad, 0) } else { (0, if is_last { 0 } else { pad }) };
        out.push_str(&" ".repeat(before));
        out.push_str(&paint.of(cell.style, &text));
        if !is_last {
            out.push_str(&" ".repeat(after + GAP));
        }
        at += widths[column] + GAP;
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<Cell>> {
        vec![
            vec![Cell::new("a"), Cell::new("7").right(), Cell::new("the first of two pages")],
            vec![Cell::new("long"), Cell::new("12").right(), Cell::new("b")],
        ]
    }

    #[test]
    fn columns_line_up() {
        assert_eq!(lines(&rows(), None, Paint::OFF), ["a      7  the first of two pages", "long  12  b"]);
    }

    #[test]
    fn a_terminal_gets_one_line_a_row() {
        assert_eq!(lines(&rows(), Some(28), Paint::OFF)[0], "a      7  the first of two…");
        assert_eq!(lines(&rows(), Some(12), Paint::OFF), lines(&rows(), None, Paint::OFF));
    }
}

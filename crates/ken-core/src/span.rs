//! Places inside a text.

use memchr::memchr_iter;

/// A byte range in one file: `start` included, `end` not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the span from `start` to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        debug_assert!(start <= end, "a span runs forward");
        Span { start, end }
    }

    /// Returns the text the span covers, or an empty text when it does not fit.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// Returns the same span moved `by` bytes to the right.
    pub fn shifted(&self, by: usize) -> Span {
        Span { start: self.start + by, end: self.end + by }
    }
}

/// A line and column as people count them, both from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// The starts of a text's lines, for turning bytes into lines and back.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
    len: usize,
}

impl LineIndex {
    /// Returns the index of `text`.
    pub fn new(text: &str) -> LineIndex {
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        if starts.len() > 1 && starts.last() == Some(&text.len()) {
            starts.pop();
        }
        LineIndex { starts, len: text.len() }
    }

    /// Returns the number of lines; an empty text has one.
    pub fn n_lines(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line, from 1, that holds byte `at`.
    pub fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).max(1)
    }

    /// Returns where byte `at` of `text` is for a reader.
    pub fn position(&self, text: &str, at: usize) -> Position {
        let line = self.line_of(at);
        let before = text.get(self.starts[line - 1]..at).unwrap_or("");
        Position { line, column: before.chars().count() + 1 }
    }

    /// Returns the bytes of lines `first` to `last` (from 1, both included), without the last line
    /// end; `None` when there is no such line.
    pub fn lines(&self, first: usize, last: usize) -> Option<Span> {
        if first == 0 || first > last || last > self.starts.len() {
            return None;
        }
        let end = self.starts.get(last).map_or(self.len, |next| next - 1);
        Some(Span::new(self.starts[first - 1], end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_lines_and_columns() {
        let text = "één\ntwo\n";
        let lines = LineIndex::new(text);
        assert_eq!(lines.n_lines(), 2);
        assert_eq!(lines.position(text, 7), Position { line: 2, column: 2 });
        assert_eq!(lines.position(text, 2), Position { line: 1, column: 2 });
    }

    #[test]
    fn line_ranges_leave_out_the_last_line_end() {
        let text = "a\nb\nc";
        let lines = LineIndex::new(text);
        assert_eq!(lines.lines(1, 2).map(|span| span.of(text)), Some("a\nb"));
        assert_eq!(lines.lines(3, 3).map(|span| span.of(text)), Some("c"));
        assert_eq!(lines.lines(2, 4), None);
        assert_eq!(lines.lines(0, 1), None);
    }
}

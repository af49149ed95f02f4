//! The block structure of Markdown, as far as pages need it: one pass over lines, no allocation a line.
//!
//! This is a scanner for headings, list items, paragraphs, code and footnotes with exact byte ranges. It
//! is not a renderer: inline markup stays in the text. Where CommonMark and this differ (lazy
//! continuations, nested containers), text is seen as prose rather than dropped.

use std::collections::BTreeSet;

use memchr::memchr;

mod inert;

pub use inert::inert;

use crate::span::Span;

/// The info string of a block in which another tool notes what is known of the section above it.
pub(crate) const ENTRY: &str = "json:entry";

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading and its level, 1 to 6; the span is its text.
    Heading(u8),
    /// Running text; the span covers its lines.
    Paragraph,
    /// One list item without its marker; nested items are blocks of their own.
    Item,
    /// One row of a table.
    Row,
    /// A fenced or indented code block.
    Code,
    /// An HTML comment that stands on its own lines.
    Comment,
    /// A footnote definition `[^label]: text`.
    Footnote,
}

/// One block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its content, without markers and the white space around it.
    pub span: Span,
    /// Whether an unchecked task box (`[ ]`) stood before the content of an item.
    pub is_open_task: bool,
}

/// Fewest marks that underline a heading.
const UNDERLINE_MIN: usize = 3;

/// Returns the blocks of `text` in order; `body` is the part to look at.
pub fn blocks(text: &str, body: Span) -> Blocks<'_> {
    Blocks { text: &text[..body.end], at: body.start, in_list: false, after_blank: true }
}

/// Iterator over the blocks of a text.
#[derive(Debug, Clone)]
pub struct Blocks<'a> {
    text: &'a str,
    at: usize,
    in_list: bool,
    after_blank: bool,
}

struct Line<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    next: usize,
}

impl<'a> Blocks<'a> {
    fn line(&self, at: usize) -> Option<Line<'a>> {
        if at >= self.text.len() {
            return None;
        }
        let nl = memchr(b'\n', &self.text.as_bytes()[at..]).map_or(self.text.len(), |n| at + n);
        let end = if nl > at && self.text.as_bytes()[nl - 1] == b'\r' { nl - 1 } else { nl };
        Some(Line { text: &self.text[at..end], start: at, end, next: (nl + 1).min(self.text.len()) })
    }

    fn block(&mut self, kind: BlockKind, start: usize, end: usize) -> Option<Block> {
        let piece = &self.text[start..end];
        let lead = piece.len() - piece.trim_start().len();
        let span = Span::new(start + lead.min(piece.len()), start + lead + piece.trim().len());
        self.after_blank = false;
        Some(Block { kind, span, is_open_task: false })
    }

    fn code(&mut self, open: &Line<'_>, fence: &str) -> Option<Block> {
        let (mark, width) = (fence.as_bytes()[0], fence.len());
        let mut end = open.end;
        self.at = open.next;
        while let Some(line) = self.line(self.at) {
            self.at = line.next;
            end = line.end;
            let trimmed = line.text.trim();
            if trimmed.len() >= width && trimmed.bytes().all(|byte| byte == mark) {
                break;
            }
        }
        // What another tool notes of the section above is no text of the page.
        let is_note = open.text.trim().trim_start_matches(['`', '~']).trim() == ENTRY;
        self.closed(if is_note { BlockKind::Comment } else { BlockKind::Code }, open.start, end)
    }

    /// A block behind which no paragraph goes on.
    fn closed(&mut self, kind: BlockKind, start: usize, end: usize) -> Option<Block> {
        let block = self.block(kind, start, end);
        self.after_blank = true;
        block
    }

    fn comment(&mut self, open: &Line<'_>) -> Option<Block> {
        let close = self.text[open.start..].find("-->").map_or(self.text.len(), |at| open.start + at + 3);
        self.at = self.line(close).map_or(self.text.len(), |line| line.next).max(open.next);
        // What follows the comment on its line is prose and read next.
        if !self.text[close..].split('\n').next().unwrap_or("").trim().is_empty() {
            self.at = close;
        }
        self.block(BlockKind::Comment, open.start, close)
    }

    /// Level of the heading that a line is for being underlined, and what follows the underline.
    fn underline(&self, line: &Line<'_>) -> Option<(u8, usize)> {
        let under = self.line(line.next)?;
        let marks = under.text.trim();
        let is_all = |mark: u8| marks.len() >= UNDERLINE_MIN && marks.bytes().all(|byte| byte == mark);
        let level = if is_all(b'=') { 1 } else { 2 };
        // A rule often stands right below a sentence, and is meant as one.
        let is_sentence = line.text.trim_end().ends_with(['.', ':', ';', '!', '?', ',']);
        let is_underlined = is_all(b'=') || (is_all(b'-') && !is_sentence);
        (self.after_blank && is_underlined).then_some((level, under.next))
    }

    /// Extends a paragraph or item over the lines that continue it.
    fn continued(&mut self, kind: BlockKind, start: usize, first: &Line<'_>) -> Option<Block> {
        let mut end = first.end;
        self.at = first.next;
        while let Some(line) = self.line(self.at) {
            let trimmed = line.text.trim_start();
            let starts_other = trimmed.is_empty()
                || trimmed.starts_with(['#', '|'])
                || trimmed.starts_with("```")
                || trimmed.starts_with("~~~")
                || trimmed.starts_with("<!--")
                || trimmed.starts_with("[^")
                || is_rule(trimmed)
                || item_marker(trimmed).is_some();
            if starts_other {
                break;
            }
            end = line.end;
            self.at = line.next;
        }
        self.block(kind, start, end)
    }
}

/// The marks of the fence that a line opens.
fn fence(trimmed: &str) -> Option<&str> {
    let mark = *trimmed.as_bytes().first().filter(|mark| matches!(mark, b'`' | b'~'))?;
    let (marks, rest) = trimmed.split_at(trimmed.bytes().take_while(|byte| *byte == mark).count());
    (marks.len() >= 3 && (mark == b'~' || !rest.contains('`'))).then_some(marks)
}

/// Length of a list marker with the white space behind it: `- `, `* `, `+ `, `1. `, `1) `.
fn item_marker(trimmed: &str) -> Option<usize> {
    let bytes = trimmed.as_bytes();
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mark = match bytes.first()? {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' if digits <= 9 && matches!(bytes.get(digits), Some(b'.' | b')')) => digits + 1,
        _ => return None,
    };
    let spaces = bytes[mark..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (spaces > 0 || bytes.len() == mark).then_some(mark + spaces)
}

/// `---`, `* * *` and `___` are rules, not items or text.
fn is_rule(trimmed: &str) -> bool {
    let mark = trimmed.as_bytes()[0];
    let marks = trimmed.bytes().filter(|byte| *byte == mark).count();
    matches!(mark, b'-' | b'*' | b'_') && marks >= 3 && trimmed.bytes().all(|byte| byte == mark || byte == b' ')
}

/// Level of an ATX heading and where its text begins.
pub(crate) fn heading(trimmed: &str) -> Option<(u8, usize)> {
    let level = trimmed.bytes().take_while(|byte| *byte == b'#').count();
    let rest = trimmed.get(level..)?;
    ((1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']))).then_some((level as u8, level))
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        loop {
            let line = self.line(self.at)?;
            let trimmed = line.text.trim_start();
            let indent = line.text.len() - trimmed.len();
            let content = line.start + indent;
            if trimmed.is_empty() {
                self.after_blank = true;
                self.at = line.next;
                continue;
            }
            // What stands at the margin and is no item ends the list.
            self.in_list &= indent > 0 || (item_marker(trimmed).is_some() && !is_rule(trimmed));
            if (indent >= 4 || line.text.starts_with('\t')) && self.after_blank && !self.in_list {
                self.at = line.next;
                return self.closed(BlockKind::Code, line.start, line.end);
            }
            if let Some(fence) = fence(trimmed) {
                return self.code(&line, fence);
            }
            if trimmed.starts_with("<!--") {
                return self.comment(&line);
            }
            if let Some((level, skip)) = heading(trimmed) {
                self.at = line.next;
                let text = line.text.trim_end().trim_end_matches('#');
                let end = (line.start + text.len()).max(content + skip);
                return self.closed(BlockKind::Heading(level), content + skip, end);
            }
            if is_rule(trimmed) {
                self.at = line.next;
                self.after_blank = true;
                continue;
            }
            if let Some(marker) = item_marker(trimmed) {
                return self.item(&line, content + marker);
            }
            if trimmed.starts_with("[^") && trimmed.contains("]:") {
                // A citation is one line, whatever somebody wrote right below it.
                if trimmed.contains("#L") {
                    self.at = line.next;
                    return self.block(BlockKind::Footnote, content, line.end);
                }
                return self.continued(BlockKind::Footnote, content, &line);
            }
            if trimmed.starts_with('|') {
                self.at = line.next;
                return self.block(BlockKind::Row, content, line.end);
            }
            if let Some((level, next)) = self.underline(&line) {
                self.at = next;
                return self.closed(BlockKind::Heading(level), content, line.end);
            }
            return self.continued(BlockKind::Paragraph, content, &line);
        }
    }
}

impl Blocks<'_> {
    fn item(&mut self, line: &Line<'_>, content: usize) -> Option<Block> {
        self.in_list = true;
        let content = content.min(line.end);
        let rest = &self.text[content..line.end];
        // An item that begins with code is the code; its end would open another one.
        if let Some(fence) = fence(rest) {
            return self.code(&Line { text: rest, start: content, end: line.end, next: line.next }, fence);
        }
        let (open, boxed) = match rest.get(..4) {
            Some("[ ] ") => (true, 4),
            Some("[x] " | "[X] ") => (false, 4),
            _ => (false, 0),
        };
        let mut block = self.continued(BlockKind::Item, content + boxed, line)?;
        block.is_open_task = open;
        Some(block)
    }
}

/// Returns the byte ranges of inline code in one block, delimiters included.
pub fn code_spans(text: &str, block: Span) -> Vec<Span> {
    let bytes = block.of(text).as_bytes();
    let run = |at: usize| bytes[at..].iter().take_while(|byte| **byte == b'`').count();
    let (mut out, mut at) = (Vec::new(), 0);
    // Widths of which no run follows any more, so that they are looked for once.
    let mut absent = BTreeSet::new();
    while let Some(open) = memchr(b'`', &bytes[at..]).map(|n| at + n) {
        let width = run(open);
        let mut seek = open + width;
        let mut close = None;
        while let Some(next) = memchr(b'`', &bytes[seek..]).map(|n| seek + n).filter(|_| !absent.contains(&width)) {
            let found = run(next);
            if found == width {
                close = Some(next + found);
                break;
            }
            seek = next + found;
        }
        match close {
            Some(end) => {
                out.push(Span::new(block.start + open, block.start + end));
                at = end;
            }
            None => {
                absent.insert(width);
                at = open + width;
            }
        }
    }
    out
}

#[cfg(test)]
mod differential;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &[(BlockKind, &str)]) {
        let found: Vec<_> = blocks(text, Span::new(0, text.len())).map(|b| (b.kind, b.span.of(text))).collect();
        assert_eq!(found, expected);
    }

    use BlockKind::*;

    #[test]
    fn headings_items_and_paragraphs_are_told_apart() {
        check(
            "# One #\ntext\nmore\n\n- a\n  b\n- [ ] c\n1. d\n",
            &[(Heading(1), "One"), (Paragraph, "text\nmore"), (Item, "a\n  b"), (Item, "c"), (Item, "d")],
        );
    }

    #[test]
    fn a_line_that_is_underlined_is_a_heading_and_a_sentence_above_a_rule_is_none() {
        check(
            "memchr\n======\ntext\n\nUse\n---\na sentence.\n\nIt holds.\n---\nb\n",
            &[
                (Heading(1), "memchr"),
                (Paragraph, "text"),
                (Heading(2), "Use"),
                (Paragraph, "a sentence."),
                (Paragraph, "It holds."),
                (Paragraph, "b"),
            ],
        );
    }

    #[test]
    fn code_is_one_block_and_unclosed_code_runs_to_the_end() {
        check(
            "```sh\n# no\n```\na\n\n    indented\n\n~~~\nx",
            &[(Code, "```sh\n# no\n```"), (Paragraph, "a"), (Code, "indented"), (Code, "~~~\nx")],
        );
    }

    #[test]
    fn code_that_an_item_begins_with_ends_with_its_fence() {
        check("- ```\n  x\n  ```\n\nafter\n", &[(Code, "```\n  x\n  ```"), (Paragraph, "after")]);
    }

    #[test]
    fn right_below_a_heading_or_code_anything_may_begin() {
        check("# a\n    b\n# c\nd\n---\n", &[(Heading(1), "a"), (Code, "b"), (Heading(1), "c"), (Heading(2), "d")]);
        check("```\nx\n```\ny\n===\n", &[(Code, "```\nx\n```"), (Heading(1), "y")]);
    }

    #[test]
    fn what_stands_at_the_margin_ends_a_list() {
        check("- a\n\n---\n\n    b\n", &[(Item, "a"), (Code, "b")]);
        check("- a\n\n<!-- x -->\n\n    b\n", &[(Item, "a"), (Comment, "<!-- x -->"), (Code, "b")]);
    }

    #[test]
    fn indented_text_in_a_list_is_not_code() {
        check("- a\n\n    more of a\n", &[(Item, "a"), (Paragraph, "more of a")]);
    }

    #[test]
    fn comments_rules_rows_and_footnotes_stand_apart() {
        check(
            "<!-- x\ny -->\n---\n| a | b |\n[^1]: f.md#L1 x\n",
            &[(Comment, "<!-- x\ny -->"), (Row, "| a | b |"), (Footnote, "[^1]: f.md#L1 x")],
        );
    }

    #[test]
    fn a_footnote_goes_on_over_its_lines_and_a_citation_is_one() {
        check(
            "[^1]: it was\nhot\n[^2]: f.md#L1-L2 x\nmine\n\nmore\n",
            &[
                (Footnote, "[^1]: it was\nhot"),
                (Footnote, "[^2]: f.md#L1-L2 x"),
                (Paragraph, "mine"),
                (Paragraph, "more"),
            ],
        );
    }

    #[test]
    fn code_spans_match_runs_of_equal_length() {
        let text = "a `b` ``c ` d`` e ` f";
        let spans: Vec<_> = code_spans(text, Span::new(0, text.len())).iter().map(|s| s.of(text)).collect();
        assert_eq!(spans, ["`b`", "``c ` d``"]);
    }

    proptest! {
        #[test]
        fn blocks_never_panic_and_never_overlap(text in "([-#>|`~ \t\\[\\]^:x!<é]{0,6}\r?\n?){0,20}") {
            let mut last = 0;
            for block in blocks(&text, Span::new(0, text.len())) {
                prop_assert!(block.span.start >= last && text.get(block.span.start..block.span.end).is_some());
                last = block.span.end;
            }
        }
    }
}

//! Lines of a file that only grows, and the headings among them.
//!
//! Knows fenced code, so that a heading inside an example is text. A fence that is never closed is
//! taken as plain text: one forgotten closing line must not hide everything that is appended later.
//! It knows nothing of entries and turns.

use crate::span::Span;

/// One line, its line end included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) span: Span,
    /// Whether it stands in a fenced block, or opens or closes one.
    pub(crate) is_code: bool,
    pub(crate) heading: Option<Heading>,
}

/// An ATX heading.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heading {
    pub(crate) level: usize,
    /// Its words, without hashes.
    pub(crate) text: Span,
}

/// The marker that opened a fence.
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: u8,
    len: usize,
}

/// Returns the lines of a text.
pub(crate) fn split(text: &str) -> Vec<Line> {
    let mut spans = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    for line in text[at..].split_inclusive('\n') {
        spans.push(Span::new(at, at + line.len()));
        at += line.len();
    }
    let mut lines = Vec::with_capacity(spans.len());
    // The shortest fence of each mark that is known to stay open: searched for once, not per opener.
    let mut stays_open = [usize::MAX; 2];
    while lines.len() < spans.len() {
        let first = lines.len();
        let open = opening_fence(spans[first].of(text)).filter(|fence| fence.len < stays_open[slot(fence)]);
        let close = open.and_then(|fence| (first + 1..spans.len()).find(|at| closes(spans[*at].of(text), fence)));
        match (open, close) {
            (Some(_), Some(last)) => {
                lines.extend((first..=last).map(|at| Line { span: spans[at], is_code: true, heading: None }))
            }
            (open, _) => {
                if let Some(fence) = open {
                    stays_open[slot(&fence)] = fence.len;
                }
                lines.push(Line { span: spans[first], is_code: false, heading: heading_of(text, spans[first]) });
            }
        }
    }
    lines
}

/// Returns the line that would close the first fence which stays open, if one does.
pub(crate) fn missing_fence(text: &str, lines: &[Line]) -> Option<String> {
    let fence = lines.iter().filter(|line| !line.is_code).find_map(|line| opening_fence(line.span.of(text)))?;
    Some(char::from(fence.mark).to_string().repeat(fence.len))
}

/// Returns the first line after a block of front matter, or the first line when there is none.
pub(crate) fn after_front_matter(text: &str, lines: &[Line]) -> usize {
    let is_rule = |line: &Line| line.span.of(text).trim_end() == "---";
    if !lines.first().is_some_and(is_rule) {
        return 0;
    }
    lines.iter().skip(1).position(is_rule).map_or(0, |at| at + 2)
}

fn slot(fence: &Fence) -> usize {
    usize::from(fence.mark == b'~')
}

fn unindented(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

fn opening_fence(line: &str) -> Option<Fence> {
    let line = unindented(line)?;
    let mark = *line.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let len = line.bytes().take_while(|byte| *byte == mark).count();
    let is_inline_code = mark == b'`' && line[len..].contains('`');
    (len >= 3 && !is_inline_code).then_some(Fence { mark, len })
}

fn closes(line: &str, fence: Fence) -> bool {
    let Some(line) = unindented(line) else { return false };
    let len = line.bytes().take_while(|byte| *byte == fence.mark).count();
    len >= fence.len && line[len..].trim().is_empty()
}

fn heading_of(text: &str, span: Span) -> Option<Heading> {
    let line = unindented(span.of(text))?;
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &line[level..];
    if !(1..=6).contains(&level) || !rest.starts_with([' ', '\t', '\r', '\n']) && !rest.is_empty() {
        return None;
    }
    let words = without_closing_hashes(rest.trim());
    let start = span.end - rest.trim_start().len();
    Some(Heading { level, text: Span::new(start.min(span.end), (start + words.len()).min(span.end)) })
}

/// Returns a heading's words without the hashes that may close it.
pub(crate) fn without_closing_hashes(words: &str) -> &str {
    let bare = words.trim_end_matches('#');
    if bare.is_empty() || bare.ends_with([' ', '\t']) { bare.trim_end() } else { words }
}

//! What of a file reaches a model, and how its sections are told apart.
//!
//! Agents take comments and headers out of instructions and put other files in; these are their rules,
//! as pure functions of the text.

use std::ops::Range;

/// A text in two: the lines of the header without its fences, and everything behind it.
pub(super) fn split_header(text: &str) -> (&str, &str) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else { return ("", text) };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return (&rest[..at], &rest[at + line.len()..]);
        }
        at += line.len();
    }
    ("", text)
}

/// Returns the value of a key of a header; lines that continue it are joined.
pub(super) fn field(header: &str, key: &str) -> Option<String> {
    let mut lines = header.lines();
    let first = lines.by_ref().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?.trim();
    let is_block = first.starts_with(['>', '|']);
    let mut words: Vec<&str> = if first.is_empty() || is_block { Vec::new() } else { vec![first] };
    let is_more = |line: &&str| line.starts_with([' ', '\t']) || line.starts_with("- ") || line.trim().is_empty();
    words.extend(lines.take_while(is_more).map(str::trim).filter(|line| !line.is_empty()));
    let joined = words.join(" ");
    let bare = ['"', '\''].iter().find_map(|quote| joined.strip_prefix(*quote)?.strip_suffix(*quote));
    Some(bare.unwrap_or(&joined).to_owned())
}

/// Returns the text without HTML comments, except in code.
pub(super) fn without_comments(text: &str) -> String {
    let code = code(text);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(open) = text[at..].find("<!--").map(|found| at + found) {
        let in_code = around(&code, open);
        let end = match in_code {
            Some(range) => range.end,
            None => text[open..].find("-->").map_or(text.len(), |found| open + found + 3),
        };
        out.push_str(&text[at..if in_code.is_some() { end } else { open }]);
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

/// Returns the places that a text imports with `@place`, in order, code left out.
pub(super) fn imports(text: &str) -> Vec<&str> {
    let code = code(text);
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        let is_word_start = text[..at].chars().next_back().is_none_or(char::is_whitespace);
        let place = text[at + 1..].split(char::is_whitespace).next().unwrap_or("");
        let place = place.split('#').next().unwrap_or("");
        if is_word_start && !place.is_empty() && around(&code, at).is_none() {
            found.push(place);
        }
    }
    found
}

/// The first lines and bytes of a text, whole characters only.
pub(super) fn head(text: &str, lines_max: usize, bytes_max: usize) -> &str {
    let end: usize = text.split_inclusive('\n').take(lines_max).map(str::len).sum();
    let end = (0..=end.min(bytes_max)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// Returns the parts of a text under its headings, each with its heading: headings of the shallowest
/// depth that divides the text, or all where none does.
pub(super) fn sections(text: &str) -> Vec<(&str, &str)> {
    let code = code(text);
    let mut headings: Vec<(usize, usize, &str)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']);
        if is_heading && around(&code, at).is_none() {
            headings.push((at, level, line[level..].trim()));
        }
        at += line.len();
    }
    let divides = |level: &usize| headings.iter().filter(|heading| heading.1 == *level).count() > 1;
    if let Some(level) = (1..=6).find(divides) {
        headings.retain(|heading| heading.1 == level);
    }
    let ends = headings.iter().skip(1).map(|heading| heading.0).chain([text.len()]);
    headings.iter().zip(ends).map(|((at, _, title), end)| (*title, &text[*at..end])).collect()
}

/// Fenced blocks and code spans, in order.
fn code(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut fence: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some((at, mark)),
            (Some((start, open)), Some(mark)) if open == mark => {
                ranges.push(start..at + line.len());
                fence = None;
            }
            (None, None) => spans(line, at, &mut ranges),
            _ => {}
        }
        at += line.len();
    }
    ranges.extend(fence.map(|(start, _)| start..text.len()));
    ranges
}

/// The code around a place; found by halving, since the text may be anybody's.
fn around(code: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    code.get(code.partition_point(|range| range.end <= at)).filter(|range| range.start <= at)
}

/// Code spans of one line: as many backticks close as opened.
fn spans(line: &str, at: usize, ranges: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(open) = line[from..].find('`').map(|found| from + found) {
        let width = line[open..].bytes().take_while(|byte| *byte == b'`').count();
        let inner = open + width;
        let close = line[inner..].find(&line[open..inner]);
        from = match close {
            Some(close) => inner + close + width,
            None => inner,
        };
        if close.is_some() {
            ranges.push(at + open..at + from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_imports(text: &str, expected: &[&str]) {
        assert_eq!(imports(text), expected);
    }

    #[test]
    fn imports_are_words_that_begin_with_an_at_sign() {
        check_imports("@a.md and @b/c.md#part\n@~/d.md", &["a.md", "b/c.md", "~/d.md"]);
        check_imports("me@example.org, (@x)", &[]);
    }

    #[test]
    fn code_imports_nothing() {
        check_imports("`@a.md` ``x ` @b.md`` @c.md", &["c.md"]);
        check_imports("```\n@a.md\n```\n~~~sh\n@b.md\n~~~\n@c.md\n", &["c.md"]);
        check_imports("```\n@a.md\n", &[]);
        check_imports("a ` alone @a.md", &["a.md"]);
    }

    #[test]
    fn comments_are_left_out_except_in_code() {
        assert_eq!(without_comments("a<!-- b\nc -->d"), "ad");
        assert_eq!(without_comments("`<!-- a -->` b"), "`<!-- a -->` b");
        assert_eq!(without_comments("a <!-- never closed"), "a ");
    }

    #[test]
    fn a_header_is_told_from_the_text() {
        assert_eq!(split_header("---\na: b\n---\ntext\n"), ("a: b\n", "text\n"));
        assert_eq!(split_header("---\nnever closed\n"), ("", "---\nnever closed\n"));
        assert_eq!(split_header("text"), ("", "text"));
    }

    #[test]
    fn fields_may_go_over_lines() {
        let header = "name: a\ndescription: >-\n  one\n  two\npaths:\n  - src/**\nquoted: 'b: c'\n";
        assert_eq!(field(header, "name").as_deref(), Some("a"));
        assert_eq!(field(header, "description").as_deref(), Some("one two"));
        assert_eq!(field(header, "paths").as_deref(), Some("- src/**"));
        assert_eq!(field(header, "quoted").as_deref(), Some("b: c"));
        assert_eq!(field(header, "nam"), None);
    }

    #[test]
    fn a_head_ends_at_a_line_or_a_character() {
        assert_eq!(head("a\nb\nc\n", 2, 100), "a\nb\n");
        assert_eq!(head("aé", 9, 2), "a");
    }

    #[test]
    fn sections_divide_at_the_shallowest_depth_that_divides() {
        let text = "# Title\nintro\n## One\na\n```\n## no\n```\n### Deep\nb\n## Two\nc\n";
        let titles: Vec<&str> = sections(text).iter().map(|section| section.0).collect();
        assert_eq!(titles, ["One", "Two"]);
        assert_eq!(sections(text)[1].1, "## Two\nc\n");
        assert_eq!(sections("no heading"), []);
        assert_eq!(sections("# A\nx\n## B\ny"), [("A", "# A\nx\n"), ("B", "## B\ny")]);
    }
}

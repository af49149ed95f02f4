//! Secrets that stand on the line below what gives them away, or reach over a line end.

use ken_core::Span;
use memchr::memchr;

use super::Found;
use super::look::{is_loose_end, is_readable};
use super::view::View;

/// Fewest characters of a secret's second part.
const REST_LEN_MIN: usize = 4;
/// Lines longer than this are no lines that somebody broke.
const LINE_LEN_MAX: usize = 4096;

/// Finds secrets of a line and the next one; `known` are those of the line alone, in the same text.
pub(super) fn find(text: &str, line: Span, known: &[Found]) -> Vec<Found> {
    let Some(next) = next_line(text, line) else { return Vec::new() };
    if line.end - line.start > LINE_LEN_MAX || next.end - next.start > LINE_LEN_MAX {
        return Vec::new();
    }
    let first = line.of(text).trim_end();
    let end = line.start + first.len();
    // A line that a shell or a program continues, and texts that one puts together.
    let bare = first.trim_end_matches(['\\', '+', '`', ',']).trim_end();
    let bare = if first.ends_with(['"', '\'']) || bare.len() < first.len() {
        bare.trim_end_matches(['"', '\''])
    } else {
        first
    };
    let head = Span::new(line.start, line.start + bare.len());
    let lead = next.of(text).len() - next.of(text).trim_start_matches([' ', '\t', '>', '|', '+', '"', '\'']).len();
    let rest = Span::new(next.start + lead, next.end);
    let word = word_of(rest.of(text));
    let is_alone = rest.of(text)[word.len()..]
        .trim_matches([' ', '\t', '\r', '"', '\'', '`', ',', ';', '.', ')', '+', '\\', '|'])
        .is_empty();
    let mut found = Vec::new();
    if let Some(cut) =
        known.iter().rfind(|one| one.span.end == head.end && one.span.end - one.span.start >= REST_LEN_MIN)
    {
        // The part on the first line was a secret by itself.
        if is_alone && is_loose_end(word) {
            let span = Span::new(cut.span.start, rest.start + word.len());
            found.push(Found { span, ..*cut });
        }
        return found;
    }
    if first.ends_with('\\') && bare.len() < first.len() {
        found.extend(joined(text, (head, rest, end), " "));
    }
    if word.len() >= REST_LEN_MIN && is_alone && !is_readable(word)
        || is_alone && word.len() >= REST_LEN_MIN && expects(first)
    {
        for glue in ["", " "] {
            let is_fitting = if glue.is_empty() { !expects(bare) } else { expects(first) };
            if is_fitting {
                found.extend(joined(text, (head, rest, end), glue));
            }
        }
    }
    found
}

/// Whether a line announces what stands on the next.
fn expects(line: &str) -> bool {
    let line = line.trim_end_matches(['\\', ' ', '\t', '"', '\'', '`', '(', '|', '*', '_']);
    let lower = line.to_lowercase();
    line.ends_with(['=', ':', '：', '→', '>'])
        || [" is", " was", " to", " ist", " lautet", " es", " est", " è", " é", " token", " password"]
            .iter()
            .any(|word| lower.ends_with(word))
        || line.rsplit(' ').next().is_some_and(|word| word.starts_with('-'))
}

fn joined(text: &str, (head, rest, end): (Span, Span, usize), glue: &str) -> Vec<Found> {
    let mut view = View::default();
    view.copy(text, head);
    let joint = view.text.len();
    view.put(glue, Span::new(end, rest.start));
    view.copy(text, rest);
    let reaches = |one: &Found| one.span.end > joint + glue.len();
    let hits = super::lines_of(&view.text).into_iter().filter(reaches);
    hits.map(|one| Found { span: view.source(one.span), ..one }).collect()
}

/// The characters of a key that a line begins with.
fn word_of(line: &str) -> &str {
    let len = line.bytes().take_while(|byte| byte.is_ascii_graphic() && !b"\"'`,;()<>|".contains(byte)).count();
    &line[..len]
}

fn next_line(text: &str, line: Span) -> Option<Span> {
    let start = line.end + 1;
    let rest = text.get(start..)?;
    let end = start + memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
    Some(Span::new(start, end))
}

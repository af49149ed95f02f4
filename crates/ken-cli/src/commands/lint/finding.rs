//! One finding, as JSON and as text with the line it stands on.

use ken_core::{Diagnostic, Severity};
use ken_engine::outcome::{Finding, FindingPlace};
use serde::Serialize;

use crate::failure::hint_line;
use crate::paint::{self, Paint};
use crate::text::clean;

/// Characters of a long line that are shown around the marked part.
const EXCERPT_CHARS_MAX: usize = 100;
/// Characters that are shown before the marked part when the line is cut in front.
const LEAD_CHARS: usize = 40;

/// A finding as `--json` prints it.
#[derive(Serialize)]
pub(crate) struct Wire<'a> {
    rule: &'static str,
    severity: &'static str,
    path: &'a str,
    line: usize,
    column: usize,
    message: &'a str,
    hints: &'a [String],
    fixable: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'a str,
}

/// Returns a finding as `--json` prints it; none when nobody asked where it stands.
pub(crate) fn wire(Finding { diagnostic, place }: &Finding) -> Option<Wire<'_>> {
    let position = place.as_ref()?.position;
    Some(Wire {
        rule: diagnostic.rule,
        severity: diagnostic.severity.as_str(),
        path: diagnostic.path.as_str(),
        line: position.line,
        column: position.column,
        message: &diagnostic.message,
        hints: &diagnostic.hints,
        fixable: diagnostic.fixable,
        id: &diagnostic.id,
    })
}

/// Returns a finding as text, an empty line at its end.
pub(crate) fn as_text(diagnostic: &Diagnostic, place: &FindingPlace, paint: Paint) -> String {
    let style = match diagnostic.severity {
        Severity::Error => paint::ERROR,
        Severity::Warning => paint::WARNING,
        Severity::Suggestion => paint::HINT,
    };
    let head = format!("{}[{}]:", diagnostic.severity.as_str(), diagnostic.rule);
    let mut out = format!("{} {}\n", paint.of(style, &head), paint.of(paint::BOLD, &clean(&diagnostic.message)));
    let (line, column) = (place.position.line, place.position.column);
    let gutter = " ".repeat(line.to_string().len());
    let arrow = paint.of(paint::PLACE, "-->");
    match place.n_marked {
        0 => out.push_str(&format!("{gutter}{arrow} {}\n", diagnostic.path)),
        _ => {
            out.push_str(&format!("{gutter}{arrow} {}:{line}:{column}\n", diagnostic.path));
            let (shown, at, n_marked) = window(&place.excerpt, (column - 1, place.n_before), place.n_marked);
            let bar = paint.of(paint::PLACE, "|");
            let carets = paint.of(style, &"^".repeat(n_marked));
            let number = paint.of(paint::PLACE, &line.to_string());
            out.push_str(&format!(
                "{gutter} {bar}\n{number} {bar} {shown}\n{gutter} {bar} {}{carets}\n",
                " ".repeat(at)
            ));
        }
    }
    diagnostic.hints.iter().for_each(|hint| out.push_str(&hint_line(hint, paint)));
    out
}

/// Returns the part of a line that is shown, where the mark begins in it, and how long it is; `n_before`
/// characters of the line are not given.
fn window(line: &str, (at, n_before): (usize, usize), n_marked: usize) -> (String, usize, usize) {
    let line = line.lines().next().unwrap_or_default();
    let chars: Vec<char> = clean(line).trim_end().chars().collect();
    let at = at.min(n_before + chars.len());
    let start = if at + n_marked <= EXCERPT_CHARS_MAX { 0 } else { at.saturating_sub(LEAD_CHARS) };
    let start = start.max(n_before);
    let end = (start + EXCERPT_CHARS_MAX).min(n_before + chars.len());
    let mut shown: String = chars[start - n_before..end - n_before].iter().collect();
    let mut at = at - start;
    if start > 0 {
        shown.insert(0, '…');
        at += 1;
    }
    let n_chars = shown.chars().count();
    if end < n_before + chars.len() {
        shown.push('…');
    }
    (shown, at, n_marked.min(n_chars.saturating_sub(at)).max(1))
}

#[cfg(test)]
mod tests {
    use ken_core::{Position, Span, VaultPath};

    use super::*;

    #[track_caller]
    fn check(excerpt: &str, column: usize, n_marked: usize, expected: &str) {
        let path = VaultPath::new("knowledge/a.md").expect("inside");
        let message = "no page named `x`".to_owned();
        let diagnostic = Diagnostic::new("broken-link", Severity::Error, &path, Span::new(0, 0), message);
        let position = Position { line: 14, column };
        let place = FindingPlace { position, excerpt: excerpt.to_owned(), n_before: 0, n_marked };
        assert_eq!(as_text(&diagnostic.hint("write it"), &place, Paint::OFF), expected);
    }

    #[test]
    fn the_place_is_underlined() {
        let expected = "error[broken-link]: no page named `x`\n  --> knowledge/a.md:14:7\n   |\n14 | See [[x]] now.\n   |       ^\nhint: write it\n";
        check("See [[x]] now.", 7, 1, expected);
        check("See [[x]] now.\n", 7, 1, expected);
    }

    #[test]
    fn a_whole_file_has_no_excerpt() {
        check("", 1, 0, "error[broken-link]: no page named `x`\n  --> knowledge/a.md\nhint: write it\n");
    }

    #[test]
    fn a_long_line_is_cut_around_its_mark() {
        let line = format!("{}[[x]]{}", "a ".repeat(200), " b".repeat(200));
        let (shown, at, n_marked) = window(&line, (402, 0), 1);
        assert_eq!((shown.chars().count(), shown.chars().nth(at), n_marked), (102, Some('x'), 1));
        let (shown, at, n_marked) = window("short", (9, 0), 3);
        assert_eq!((shown.as_str(), at, n_marked), ("short", 5, 1));
        let (whole, part) = (window(&line, (402, 0), 1), window(&line[300..], (402, 300), 1));
        assert_eq!(whole, part);
    }
}

//! Claims and the citations that support them.
//!
//! A claim is one sentence or list item of a page's body. Its citations are Markdown footnotes:
//! `[^1]: daily/2026-02-10.md#L14-L16 7f3a9c1e "decided to move to JWT"`: source path, line range,
//! the first 8 hex digits of the digest of those lines with white space normalised, and a short quote.

use std::collections::BTreeMap;
use std::fmt;

use crate::digest::Digest;
use crate::markdown::{BlockKind, blocks};
use crate::path::VaultPath;
use crate::span::{LineIndex, Span};
use crate::text::sentences;

/// One statement in a body together with the labels of the citations that support it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The statement, citations included.
    pub span: Span,
    /// The footnote labels it carries, in order.
    pub labels: Vec<String>,
}

/// A place in the journal or a source, as cited.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceRef {
    /// The cited file.
    pub path: VaultPath,
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// First 8 hex digits of the digest of those lines at the time of citing.
    pub digest: String,
    /// A few words of the cited text, for readers.
    pub quote: String,
}

/// What became of a cited text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It stands where the citation says.
    There,
    /// It stands in the same text, at these lines.
    Moved(usize, usize),
    /// It stands nowhere in that text.
    Gone,
}

/// Digests of the lines of one text, as far as citations asked for them.
#[derive(Debug, Clone, Default)]
pub struct Windows {
    /// The digests of places that are long: hundreds of citations may name one.
    long: BTreeMap<(usize, usize), String>,
    /// Per number of lines: where each digest stands first.
    first: BTreeMap<usize, BTreeMap<String, usize>>,
    n_digested: usize,
}

/// From so many bytes on the digest of a place is kept.
const LONG_BYTES: usize = 1024;

impl Windows {
    fn digest(&mut self, text: &str, lines: &LineIndex, place: (usize, usize)) -> Option<String> {
        let cited = lines.lines(place.0, place.1)?.of(text);
        if cited.len() < LONG_BYTES {
            return Some(Digest::of_normalised(cited).short());
        }
        let n_digested = &mut self.n_digested;
        let digest = self.long.entry(place).or_insert_with(|| {
            *n_digested += cited.len();
            Digest::of_normalised(cited).short()
        });
        Some(digest.clone())
    }

    /// The first line from which so many lines on have a digest.
    fn first(&mut self, text: &str, lines: &LineIndex, n_lines: usize, digest: &str) -> Option<usize> {
        let n_digested = &mut self.n_digested;
        let first = self.first.entry(n_lines).or_insert_with(|| {
            let mut first = BTreeMap::new();
            for line in 1..=lines.n_lines().saturating_sub(n_lines) {
                let cited = lines.lines(line, line + n_lines).map_or("", |span| span.of(text));
                *n_digested += cited.len();
                first.entry(Digest::of_normalised(cited).short()).or_insert(line);
            }
            first
        });
        first.get(digest).copied()
    }
}

/// Longest quote in characters: enough to recognise the place, short enough for one line.
const QUOTE_CHARS_MAX: usize = 40;

impl SourceRef {
    /// Returns the citation of lines `first` to `last` of a text, or `None` when it has no such lines.
    pub fn cite(path: &VaultPath, text: &str, lines: (usize, usize), claim: &str) -> Option<SourceRef> {
        let cited = LineIndex::new(text).lines(lines.0, lines.1)?.of(text);
        Some(SourceRef { path: path.clone(), lines, digest: Digest::of_normalised(cited).short(), quote: quote(claim) })
    }

    /// Returns what became of the cited lines in what their file says now.
    pub fn standing(&self, text: &str) -> Standing {
        self.standing_in(text, &LineIndex::new(text))
    }

    /// Returns the same for a text whose lines are known.
    pub fn standing_in(&self, text: &str, lines: &LineIndex) -> Standing {
        self.standing_by(text, lines, &mut Windows::default())
    }

    /// Returns the same for one of many citations of a text; `windows` is kept between them.
    pub fn standing_by(&self, text: &str, lines: &LineIndex, windows: &mut Windows) -> Standing {
        let found = windows.digest(text, lines, self.lines);
        // A citation written by hand may carry no digest: then the lines have to exist, no more.
        if found.as_ref() == Some(&self.digest) || (self.digest.is_empty() && found.is_some()) {
            return Standing::There;
        }
        let n_lines = self.lines.1 - self.lines.0;
        let moved = windows.first(text, lines, n_lines, &self.digest);
        moved.map_or(Standing::Gone, |first| Standing::Moved(first, first + n_lines))
    }

    /// Returns the citation that the text of a footnote spells, or `None` when it is another footnote.
    pub fn parse(text: &str) -> Option<SourceRef> {
        let (place, rest) = text.trim().split_once("#L")?;
        let path = VaultPath::new(place.trim().trim_start_matches("[[").trim())?;
        let (range, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (first, last) = range.split_once("-L").unwrap_or((range, range));
        let lines = (first.parse().ok()?, last.parse().ok()?);
        let (digest, quote) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
        let is_digest = digest.len() == 8 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (digest, quote) = if is_digest { (digest, quote) } else { ("", rest) };
        let quote = quote.trim().trim_matches('"').to_owned();
        (lines.0 >= 1 && lines.0 <= lines.1).then(|| SourceRef { path, lines, digest: digest.to_owned(), quote })
    }
}

impl fmt::Display for SourceRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.lines;
        write!(f, "{}#L{first}-L{last} {} \"{}\"", self.path, self.digest, self.quote)
    }
}

/// Returns whether lines of a file can be cited: its name reads back from a footnote, and nothing in it is
/// taken for Markdown.
pub fn is_citable(path: &VaultPath) -> bool {
    let cited = SourceRef { path: path.clone(), lines: (1, 1), digest: "0".repeat(8), quote: "x".to_owned() };
    !path.as_str().contains(['[', ']', '<', '>', '|', '`', '"', '#'])
        && SourceRef::parse(&cited.to_string()) == Some(cited)
}

/// Returns the first words of a claim in a form that cannot break a footnote's line.
pub fn quote(claim: &str) -> String {
    let plain: String =
        crate::text::one_line(claim).chars().filter(|ch| !matches!(ch, '"' | '[' | ']' | '<' | '>')).collect();
    crate::text::cut(plain.trim(), QUOTE_CHARS_MAX)
}

/// One footnote definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footnote {
    /// Its label, without `[^` and `]`.
    pub label: String,
    /// The whole definition.
    pub span: Span,
    /// The text behind the colon.
    pub text: Span,
}

/// Returns the claims of a body, in order: the sentences of paragraphs, and list items.
pub fn claims(text: &str, body: Span) -> Vec<Claim> {
    let mut out = Vec::new();
    for block in blocks(text, body) {
        let spans = match block.kind {
            BlockKind::Paragraph => sentences(block.span.of(text)),
            BlockKind::Item => vec![Span::new(0, block.span.end - block.span.start)],
            _ => continue,
        };
        for span in spans.into_iter().map(|span| span.shifted(block.span.start)) {
            if span.start < span.end {
                out.push(Claim { span, labels: labels(span.of(text)) });
            }
        }
    }
    out
}

/// The labels of the footnote marks `[^label]` in a text.
pub(crate) fn labels(text: &str) -> Vec<String> {
    let marks = text.match_indices("[^").filter(|(at, _)| !text[..*at].ends_with('\\'));
    // The next bracket is that of all marks before it, so it is looked for once.
    let mut close = 0;
    let label = |(at, _): (usize, &str)| {
        if close < at + 2 {
            close = text[at + 2..].find(']').map_or(text.len(), |end| at + 2 + end);
        }
        (close < text.len()).then(|| &text[at + 2..close])
    };
    let is_label = |label: &&str| !label.is_empty() && !label.contains(char::is_whitespace);
    marks.map_while(label).filter(is_label).map(str::to_owned).collect()
}

/// Returns a text without its footnote marks.
pub fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("[^") {
        let Some(end) = rest[at..].find(']') else { break };
        out.push_str(&rest[..at]);
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out
}

/// Returns the footnote definitions of a body, in order.
pub fn footnotes(text: &str, body: Span) -> Vec<Footnote> {
    let found = blocks(text, body).filter(|block| block.kind == BlockKind::Footnote);
    found.filter_map(|block| read_footnote(text, block.span)).collect()
}

fn read_footnote(text: &str, span: Span) -> Option<Footnote> {
    let definition = span.of(text);
    let end = definition.find("]:")?;
    let label = definition.get(2..end)?.to_owned();
    let rest = &definition[end + 2..];
    let start = span.end - rest.trim_start().len();
    Some(Footnote { label, span, text: Span::new(start, span.end) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BODY: &str = "# T\n\nOne holds.[^1] Two holds.[^a][^2]\n\n- item three [^3]\n\n[^1]: daily/2026-02-10.md#L2-L3 7f3a9c1e \"b c\"\n";

    #[test]
    fn sentences_and_items_are_claims_with_their_citations() {
        let found = claims(BODY, Span::new(0, BODY.len()));
        let shown: Vec<_> = found.iter().map(|claim| (claim.span.of(BODY), claim.labels.join(","))).collect();
        let expected = [("One holds.[^1]", "1"), ("Two holds.[^a][^2]", "a,2"), ("item three [^3]", "3")];
        assert_eq!(shown, expected.map(|(text, labels)| (text, labels.to_owned())));
    }

    #[test]
    fn a_citation_reads_and_prints() {
        let notes = footnotes(BODY, Span::new(0, BODY.len()));
        let text = notes[0].text.of(BODY);
        let cited = SourceRef::parse(text).expect("a citation");
        assert_eq!((notes[0].label.as_str(), cited.lines, cited.to_string().as_str()), ("1", (2, 3), text));
    }

    #[test]
    fn a_citation_survives_rewrapping_of_its_source() {
        let path = VaultPath::new("raw/a.md").expect("inside");
        let cited = SourceRef::cite(&path, "x\na  b\nc\n", (2, 3), "a b c").expect("lines exist");
        assert_eq!(cited.digest, Digest::of(b"a b c").short());
    }

    #[test]
    fn citations_of_one_text_cost_one_look_at_it() {
        let path = VaultPath::new("raw/a.md").expect("inside");
        let text: String = (0..200).map(|n| format!("line {n} holds\n")).collect();
        let moved = format!("new\n{text}");
        let (lines, mut windows) = (LineIndex::new(&moved), Windows::default());
        for n in 1..=200 {
            let cited = SourceRef::cite(&path, &text, (n, n), "x").expect("lines exist");
            assert_eq!(cited.standing_by(&moved, &lines, &mut windows), Standing::Moved(n + 1, n + 1));
        }
        let long = "A word. ".repeat(500);
        let (lines, mut once) = (LineIndex::new(&long), Windows::default());
        let cited = SourceRef::cite(&path, &long, (1, 1), "x").expect("line exists");
        (0..200).for_each(|_| assert_eq!(cited.standing_by(&long, &lines, &mut once), Standing::There));
        assert!(windows.n_digested <= moved.len() && once.n_digested <= long.len());
    }

    #[test]
    fn a_name_that_a_citation_cannot_spell_is_not_citable() {
        let is = |name: &str| is_citable(&VaultPath::new(&format!("raw/{name}")).expect("inside"));
        assert!(["a.md", "a b.md", "Größe, 2.md", "a'b.md", "(x).md"].into_iter().all(is));
        for name in ["[[x]].md", "a#L1-L2 \".md", "#1.md", "a]b.md", "a|b.md", "<!--.md", "`a`.md", "a\u{a0}"] {
            assert!(!is(name), "{name}");
        }
    }

    #[test]
    fn citations_cannot_leave_the_vault() {
        assert_eq!(SourceRef::parse("../../etc/passwd#L1-L2 00000000 \"x\""), None);
        assert_eq!(SourceRef::parse("daily/a.md#L3-L2 00000000 \"x\""), None);
    }

    proptest! {
        #[test]
        fn quotes_never_break_the_footnote(claim in ".{0,90}") {
            let path = VaultPath::new("raw/a.md").expect("inside");
            let cited = SourceRef::cite(&path, "x\n", (1, 1), &claim).expect("line exists");
            let line = format!("[^1]: {cited}\n");
            let notes = footnotes(&line, Span::new(0, line.len()));
            prop_assert_eq!(SourceRef::parse(notes[0].text.of(&line)), Some(cited));
        }
    }
}

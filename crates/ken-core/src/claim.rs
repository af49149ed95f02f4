//! Claims and the citations that support them.
//!
//! A claim is one sentence or list item of a page's body; [`crate::page::outline`] reads and writes them. Its citations
//! are Markdown footnotes:
//! `[^1]: daily/2026-02-10.md#L14-L16 7f3a9c1e "decided to move to JWT"`: source path, line range,
//! the first 8 hex digits of the digest of those lines with white space normalised, and a short quote.

use std::collections::BTreeMap;
use std::fmt;

use crate::digest::Digest;
use crate::path::VaultPath;
use crate::span::{LineIndex, Span};
use crate::time::Date;
use crate::words::folded_words;

/// A statement as it stands on a page, read by [`crate::page::outline`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its bytes in the text that was read, citations included.
    pub span: Span,
    /// Its words, without marks, links and what the page says of it.
    pub text: String,
    /// The heading of level 2 or deeper that it stands under; empty when there is none.
    pub heading: String,
    /// The pages that it links to, as written.
    pub links: Vec<String>,
    /// What the page says of it.
    pub state: ClaimState,
    /// What bears it out.
    pub own: Vec<Mark>,
    /// What took its place, and what holds now.
    pub by: Vec<Mark>,
}

/// A mark of a footnote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Its label.
    pub label: String,
    /// What its footnote cites; nothing where there is no footnote, or one that cites no place in a vault.
    pub cited: Option<SourceRef>,
    /// Whether there is a footnote at all.
    pub has_footnote: bool,
}

/// Whether a claim holds. A page says of a claim one of the first seven; the others show only beside what it cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimState {
    /// It holds.
    Current,
    /// Something else holds.
    Superseded {
        /// The day until which it held.
        until: Option<Date>,
        /// What holds now, as the page says it.
        now: Option<String>,
    },
    /// It is a task, and was done.
    Done {
        /// The day of that.
        on: Option<Date>,
    },
    /// It cannot be true beside others.
    Disputed,
    /// Only external sources bear it out.
    External,
    /// Its words may say more than the lines that it cites.
    Unverified,
    /// A model concluded it.
    Synthesis,
    /// It is a question.
    Asked,
    /// A later statement says that it ended, and nothing took its place.
    Retracted,
    /// A sentence of an answer that rests on what changed, or what rests on nothing but work that did not stay.
    Stale,
    /// A person wrote it here.
    ByHand,
    /// It cites nothing.
    Uncited,
    /// The lines that it cites do not say it.
    Ungrounded,
    /// The lines that it cites are not there any longer.
    Gone,
}

impl ClaimState {
    /// Returns the word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            ClaimState::Current => "current",
            ClaimState::Superseded { .. } => "replaced",
            ClaimState::Done { .. } => "done",
            ClaimState::Disputed => "disputed",
            ClaimState::External => "external",
            ClaimState::Unverified => "unverified",
            ClaimState::Synthesis => "synthesis",
            ClaimState::Asked => "asked",
            ClaimState::Retracted => "retracted",
            ClaimState::Stale => "stale",
            ClaimState::ByHand => "by-hand",
            ClaimState::Uncited => "uncited",
            ClaimState::Ungrounded => "ungrounded",
            ClaimState::Gone => "gone",
        }
    }

    /// Returns whether a reader should look at it before believing it.
    pub fn is_doubtful(&self) -> bool {
        use ClaimState::{Disputed, External, Gone, Stale, Uncited, Ungrounded, Unverified};
        matches!(self, Disputed | External | Unverified | Stale | Uncited | Ungrounded | Gone)
    }

    /// Returns whether the page says that it no longer holds, or that it was done.
    pub fn is_past(&self) -> bool {
        matches!(self, ClaimState::Superseded { .. } | ClaimState::Done { .. })
    }

    /// Returns the day until which it held, or on which it was done.
    pub fn ended(&self) -> Option<Date> {
        match self {
            ClaimState::Superseded { until: day, .. } | ClaimState::Done { on: day } => *day,
            _ => None,
        }
    }

    /// Returns what holds in its place, as the page says it.
    pub fn now(&self) -> Option<&str> {
        match self {
            ClaimState::Superseded { now, .. } => now.as_deref(),
            _ => None,
        }
    }
}

impl Mark {
    /// Returns whether its footnote quotes how a text begins.
    pub(crate) fn quotes(&self, text: &str) -> bool {
        self.cited.as_ref().is_some_and(|cited| begins_alike(&cited.quote, text))
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[^{}]", self.label)
    }
}

impl Claim {
    /// Returns every mark that it carries, in order.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.own.iter().chain(&self.by)
    }

    /// Returns whether it says what a mark of another claim leads to.
    pub(crate) fn is_at(&self, mark: &Mark) -> bool {
        // Other claims may rest on the same lines.
        self.own.iter().any(|own| own.label == mark.label) && mark.quotes(&self.text)
    }
}

/// Whether the quote of a footnote is the beginning of a text.
fn begins_alike(quote: &str, text: &str) -> bool {
    let (mut quoted, said) = (folded_words(quote), folded_words(text));
    // The last word may be cut.
    if quote.ends_with('…') {
        quoted.pop();
    }
    !quoted.is_empty() && said.starts_with(&quoted)
}

/// A place in the journal or a source, as cited.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::outline::footnotes;
    use proptest::prelude::*;

    const BODY: &str = "# T\n\nOne holds.[^1] Two holds.[^a][^2]\n\n- item three [^3]\n\n[^1]: daily/2026-02-10.md#L2-L3 7f3a9c1e \"b c\"\n";

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

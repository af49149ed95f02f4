//! Rules about citations: whether what a claim cites still stands where it says.

use std::collections::BTreeMap;

use super::{Context, Rule, field_span};
use crate::claim::{Claim, SourceRef, Standing, Windows};
use crate::diagnostic::{Diagnostic, Severity};
use crate::digest::Digest;
use crate::header::{FieldName, NewBlock, read_header, set_field};
use crate::page::outline::{Footnote, LINK_SECTIONS, claims, footnotes};
use crate::path::VaultPath;
use crate::snapshot::{PageFacts, Snapshot, SourceText};

/// The text of the page at a path.
type PageText<'a> = dyn Fn(&VaultPath) -> Option<&'a str> + 'a;

/// What became of cited texts.
pub(super) struct Standings<'a> {
    texts: &'a BTreeMap<VaultPath, SourceText>,
    /// The text of a page: an answer may cite one of a person, which cites nothing itself.
    page: Box<PageText<'a>>,
    windows: BTreeMap<VaultPath, Windows>,
}

impl<'a> Standings<'a> {
    fn new(snapshot: &'a Snapshot) -> Standings<'a> {
        let page = |path: &VaultPath| snapshot.page_at(path).map(|facts| facts.page.text.as_str());
        Standings { texts: &snapshot.sources, page: Box::new(page), windows: BTreeMap::new() }
    }

    /// The same where all that is cited is among some texts.
    pub(super) fn among(texts: &'a BTreeMap<VaultPath, SourceText>) -> Standings<'a> {
        Standings { texts, page: Box::new(|_| None), windows: BTreeMap::new() }
    }

    /// What became of a cited text, and why it is gone.
    pub(super) fn of(&mut self, cited: &SourceRef) -> (Standing, &'static str) {
        let standing = match self.texts.get(&cited.path) {
            Some(source) => match source.lines() {
                Some((text, lines)) => {
                    if !self.windows.contains_key(&cited.path) {
                        self.windows.insert(cited.path.clone(), Windows::default());
                    }
                    self.windows
                        .get_mut(&cited.path)
                        .map_or(Standing::Gone, |windows| cited.standing_by(text, lines, windows))
                }
                None => return (Standing::Gone, "the file is not UTF-8 text"),
            },
            None => match (self.page)(&cited.path) {
                Some(text) => cited.standing(text),
                None => return (Standing::Gone, "there is no such file"),
            },
        };
        (standing, "the cited lines hold other text now")
    }
}

fn cited(facts: &PageFacts) -> impl Iterator<Item = (usize, SourceRef)> {
    let read = |(n, note): (usize, &Footnote)| Some((n, SourceRef::parse(note.text.of(&facts.page.text))?));
    facts.footnotes.iter().enumerate().filter_map(read)
}

/// A citation whose text is gone.
pub(super) struct CitationGone;

impl Rule for CitationGone {
    fn name(&self) -> &'static str {
        "citation-gone"
    }
    fn severity(&self) -> Severity {
        Severity::Error
    }
    fn doc(&self) -> &'static str {
        "a cited text no longer stands in its source, so the claim above it is not supported"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let mut standings = Standings::new(cx.snapshot);
        // A stale answer says so itself, and compiling does not help it.
        for facts in cx.snapshot.pages.iter().filter(|facts| stale_since(facts).is_none()) {
            for (n, cited) in cited(facts) {
                if let (Standing::Gone, why) = standings.of(&cited) {
                    let message = format!("cited text of `{}` is gone: {why}", cited.path);
                    let span = facts.footnotes[n].span;
                    let hint = if facts.entry.is_owned {
                        "compile the page again with `ken compile`"
                    } else {
                        "restore the source or correct the citation"
                    };
                    out.push(Diagnostic::new(self.name(), self.severity(), &facts.page.path, span, message).hint(hint));
                }
            }
        }
    }
}

/// A citation whose text stands at other lines.
pub(super) struct CitationMoved;

impl Rule for CitationMoved {
    fn name(&self) -> &'static str {
        "citation-moved"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a cited text stands at other lines of its source. Fix: the line numbers of a compiled page are corrected"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let mut standings = Standings::new(cx.snapshot);
        for facts in &cx.snapshot.pages {
            for (n, cited) in cited(facts) {
                if let (Standing::Moved(first, last), _) = standings.of(&cited) {
                    let message = format!("cited text of `{}` moved to lines {first}-{last}", cited.path);
                    let diagnostic = Diagnostic::new(
                        self.name(),
                        self.severity(),
                        &facts.page.path,
                        facts.footnotes[n].span,
                        message,
                    );
                    out.push(if facts.entry.is_owned { diagnostic.with_fix() } else { diagnostic });
                }
            }
        }
    }
    fn fix(&self, cx: Context<'_>, _page_idx: usize, text: &str) -> Option<String> {
        let header = read_header(text).value;
        let body = crate::span::Span::new(header.block.end, text.len());
        let notes = footnotes(text, body);
        let mut standings = Standings::new(cx.snapshot);
        let mut fixed = text.to_owned();
        // From the last to the first, so that earlier byte ranges stay true.
        for note in notes.iter().rev() {
            let Some(mut cited) = SourceRef::parse(note.text.of(text)) else { continue };
            if let (Standing::Moved(first, last), _) = standings.of(&cited) {
                cited.lines = (first, last);
                fixed.replace_range(note.text.start..note.text.end, &cited.to_string());
            }
        }
        let header = read_header(&fixed).value;
        let digest = Digest::of(&fixed.as_bytes()[header.block.end..]).short();
        header.field(FieldName::BodyDigest)?;
        Some(set_field(&fixed, &header, FieldName::BodyDigest, &digest.as_str().into(), NewBlock::Yaml))
    }
}

/// A claim of a compiled page without a citation.
pub(super) struct UncitedClaim;

impl Rule for UncitedClaim {
    fn name(&self) -> &'static str {
        "uncited-claim"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a claim of a compiled page cites nothing, or a mark has no footnote, so nobody can check it"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let is_compiled = |facts: &&PageFacts| facts.entry.is_owned && facts.entry.redirect_to.is_none();
        for facts in cx.snapshot.pages.iter().filter(is_compiled).filter(|facts| stale_since(facts).is_none()) {
            for claim in statements(facts) {
                let Some(message) = uncited(&claim) else { continue };
                out.push(Diagnostic::new(self.name(), self.severity(), &facts.page.path, claim.span, message));
            }
        }
    }
}

/// The claims of a page but for those that only lead to other pages.
pub(super) fn statements(facts: &PageFacts) -> impl Iterator<Item = Claim> + use<> {
    claims(&facts.page).into_iter().filter(|claim| !LINK_SECTIONS.contains(&claim.heading.as_str()))
}

/// Why nobody can check a claim, if nobody can.
pub(super) fn uncited(claim: &Claim) -> Option<String> {
    match claim.marks().find(|mark| !mark.has_footnote) {
        Some(mark) => Some(format!("mark `{mark}` has no footnote")),
        None => claim.own.is_empty().then(|| "claim cites no source".to_owned()),
    }
}

/// The day of a filed answer that is stale.
pub(super) fn stale_since(facts: &PageFacts) -> Option<String> {
    facts.page.scalar(FieldName::StaleSince)
}

/// A filed answer that rests on what changed.
pub(super) struct StaleAnswer;

impl Rule for StaleAnswer {
    fn name(&self) -> &'static str {
        "stale-answer"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a filed answer cites what no longer stands, or consulted a page that was removed; it may be wrong by now"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for facts in &cx.snapshot.pages {
            let Some(day) = stale_since(facts) else { continue };
            let span = field_span(facts, FieldName::StaleSince);
            let message = format!("what this answer rests on changed since {}", crate::text::cut(&day, 40));
            let question = facts.entry.title.replace(['"', '\\', '$', '`'], "");
            let hint = format!("ask again with `ken ask \"{question}\" --file-back`");
            out.push(Diagnostic::new(self.name(), self.severity(), &facts.page.path, span, message).hint(hint));
        }
    }
}

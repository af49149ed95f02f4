//! What a page said on an earlier day, as far as the page itself shows.
//!
//! A compiled page is what its claims cite. [`page_as_of`] takes what had not been said by a day off it again, and gives
//! back what had not been replaced by then. Every line stays where it is, so that places still lead into the file: what
//! goes leaves a blank behind. What a person wrote on a page, and when, only its history can tell: it stays.
//!
//! Relations, aliases and the title are those of today, and so is the order of the claims.

pub(crate) mod header;
#[cfg(test)]
mod tests;

pub(crate) use header::says;

use std::collections::{BTreeMap, BTreeSet};

use crate::claim::{Claim, ClaimState, Mark, SourceRef};
use crate::header::FieldName;
use crate::held::{is_now_of, is_told_at_its_end};
use crate::markdown::{BlockKind, blocks};
use crate::page::outline::{DETAILS, DISPUTED, Next, OPEN, SUPERSEDED, as_next, claims, footnotes, struck, with_next};
use crate::page::{Page, parse_page};
use crate::path::VaultPath;
use crate::span::{LineIndex, Span};
use crate::time::Date;

/// Returns the text that a page had at the end of a day, or `None` when it was not there yet; `day_of` says of when a cited
/// file is.
///
/// ```
/// # use ken_core::{VaultPath, as_of::page_as_of, time::leading_date};
/// let path = VaultPath::new("knowledge/oven.md").expect("a vault path");
/// let page = "---\nowner: kenning\n---\n# Oven\n\n- It is hot.[^1]\n- It is big.[^2]\n\n[^1]: daily/2026-05-11.md#L3-L3\n[^2]: daily/2026-05-01.md#L3-L3\n";
/// let day_of = |path: &VaultPath| leading_date(path.file_name());
/// let then = page_as_of(&path, page, "2026-05-02".parse().expect("a day"), &day_of).expect("it was there");
/// assert!(then.contains("- It is big.") && !then.contains("It is hot"));
/// assert_eq!(then.lines().count(), page.lines().count());
/// ```
pub fn page_as_of(
    path: &VaultPath,
    text: &str,
    day: Date,
    day_of: &dyn Fn(&VaultPath) -> Option<Date>,
) -> Option<String> {
    let page = parse_page(path, text.to_owned()).value;
    if page.header.date(text, FieldName::Created).is_some_and(|created| created > day) {
        return None;
    }
    let then = Then::read(&page, day, day_of);
    // A page is as new as what it was made from, also where it does not show all of that.
    let is_newer = || page.header.date(text, FieldName::Updated).is_some_and(|updated| updated > day);
    let has_later = then.days.values().any(|said| *said > day);
    if !has_later && (!page.is_owned() || !is_newer()) {
        return Some(text.to_owned());
    }
    if page.is_owned() && then.has_nothing_left() {
        return None;
    }
    let body = then.body();
    Some(header::header_as_of(&then, body, day_of))
}

/// What became of a claim if one looks at it from an earlier day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It stood there as it does now.
    Stays,
    /// Nobody had said it.
    Gone,
    /// It was replaced later.
    Holds,
}

/// A page, seen from an earlier day.
struct Then<'p> {
    page: &'p Page,
    day: Date,
    /// Of when what a footnote cites is, by its label.
    days: BTreeMap<String, Date>,
    claims: Vec<(Claim, Fate)>,
}

impl<'p> Then<'p> {
    fn read(page: &'p Page, day: Date, day_of: &dyn Fn(&VaultPath) -> Option<Date>) -> Then<'p> {
        let notes = footnotes(&page.text, page.body());
        let said = notes.iter().filter_map(|note| {
            let cited = SourceRef::parse(note.text.of(&page.text))?;
            Some((note.label.clone(), day_of(&cited.path)?))
        });
        let mut then = Then { page, day, days: said.collect(), claims: Vec::new() };
        let all = claims(page);
        let fates: Vec<Fate> = all.iter().map(|claim| then.fate_of_document(claim, &all, day_of)).collect();
        then.claims = all.into_iter().zip(fates).collect();
        then
    }

    fn is_later(&self, label: &str) -> bool {
        self.days.get(label).is_some_and(|said| *said > self.day)
    }

    /// What became of a claim that a document said before, or says in the place of such a one; of others as ever.
    fn fate_of_document(&self, claim: &Claim, all: &[Claim], day_of: &dyn Fn(&VaultPath) -> Option<Date>) -> Fate {
        let was_said = |claim: &&Claim| is_told_at_its_end(claim, day_of);
        let ended = |old: &Claim| old.state.ended();
        if was_said(&claim) {
            let leads_here = |old: &&Claim| {
                let to = old.by.first().map(|mark| &mark.label);
                claim.own.iter().any(|own| Some(&own.label) == to)
            };
            let begun = all.iter().filter(was_said).filter(leads_here).filter_map(ended).max();
            return match ended(claim) {
                _ if begun.is_some_and(|begun| begun > self.day) => Fate::Gone,
                Some(ended) if ended > self.day => Fate::Holds,
                _ => Fate::Stays,
            };
        }
        let says_so = |old: &&Claim| is_now_of(old, claim) && ended(old).is_some_and(|ended| ended > self.day);
        match !claim.state.is_past() && all.iter().filter(was_said).any(|old| says_so(&old)) {
            true => Fate::Gone,
            false => self.fate(claim),
        }
    }

    fn fate(&self, claim: &Claim) -> Fate {
        let (later, by_then): (Vec<&Mark>, Vec<&Mark>) = claim.own.iter().partition(|mark| self.is_later(&mark.label));
        // What rests on several places needs all of them, unless it says what one of them says.
        if !later.is_empty() && !by_then.iter().any(|mark| mark.quotes(&claim.text)) {
            return Fate::Gone;
        }
        let replaced = claim.by.first().and_then(|mark| self.days.get(&mark.label).copied()).or(claim.state.ended());
        let holds = claim.state.is_past() && replaced.is_some_and(|replaced| replaced > self.day);
        if holds { Fate::Holds } else { Fate::Stays }
    }

    /// Whether every claim that cites something was made later.
    fn has_nothing_left(&self) -> bool {
        let mut cited = self.claims.iter().filter(|(claim, _)| !claim.own.is_empty()).peekable();
        cited.peek().is_some() && cited.all(|(_, fate)| *fate == Fate::Gone)
    }

    /// The claims that stood on the page.
    fn kept(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|(_, fate)| *fate != Fate::Gone).map(|(claim, _)| claim)
    }

    /// The text of the page with its body as it was.
    fn body(&self) -> String {
        let text = &self.page.text;
        let mut edits: Vec<(Span, String)> = Vec::new();
        for (claim, fate) in &self.claims {
            let was = claim.span.of(text);
            let is = match fate {
                Fate::Gone => String::new(),
                Fate::Holds => self.held(claim),
                Fate::Stays => self.stayed(claim),
            };
            if is != was {
                edits.push((claim.span, is + &"\n".repeat(was.matches('\n').count())));
            }
        }
        let gone = footnotes(text, self.page.body()).into_iter().filter(|note| self.is_later(&note.label));
        edits.extend(gone.map(|note| (note.span, "\n".repeat(note.span.of(text).trim_end().matches('\n').count()))));
        edits.extend(self.headings());
        edits.sort_by_key(|(span, _)| span.start);
        let out = with(text, &edits);
        without_empty(&out, text, self.page.body().start)
    }

    /// A claim that holds again.
    fn held(&self, claim: &Claim) -> String {
        let inner = struck(claim, &self.page.text);
        let end = if inner.ends_with(['.', '!', '?', '…']) { "" } else { "." };
        format!("{inner}{end}{}", self.marks(&claim.own))
    }

    /// A claim that stood there, without what later places say of it.
    fn stayed(&self, claim: &Claim) -> String {
        let said = claim.span.of(&self.page.text);
        let is_later = |mark: &&Mark| self.is_later(&mark.label);
        if claim.by.iter().any(|mark| is_later(&mark)) {
            let now = claim.by.first().and_then(|mark| self.holding(mark));
            let marks = self.marks(&claim.own) + &self.marks(&claim.by);
            if let Some(said) = with_next(said, now.as_deref().map(|now| (Next::Now, now)), &marks) {
                return said;
            }
        }
        claim.marks().filter(is_later).fold(said.to_owned(), |said, mark| said.replace(&mark.to_string(), ""))
    }

    /// What held then of what took a claim's place: what the page says of it, else the words of the citation.
    fn holding(&self, mark: &Mark) -> Option<String> {
        let mut at = mark;
        for _ in 0..self.claims.len() {
            let Some((claim, fate)) = self.claims.iter().find(|(claim, _)| claim.is_at(at)) else { break };
            match claim.by.first().filter(|_| *fate == Fate::Stays) {
                Some(next) => at = next,
                None => return Some(as_next(&claim.text)),
            }
        }
        at.cited.as_ref().map(|cited| cited.quote.trim_end_matches('.').to_owned()).filter(|quote| !quote.is_empty())
    }

    fn marks(&self, marks: &[Mark]) -> String {
        marks.iter().filter(|mark| !self.is_later(&mark.label)).map(Mark::to_string).collect()
    }

    /// Headings that no longer say what is true of the claims below them.
    fn headings(&self) -> Vec<(Span, String)> {
        let below = |heading: &str| -> Vec<&(Claim, Fate)> {
            self.claims.iter().filter(|(claim, fate)| claim.heading == heading && *fate != Fate::Gone).collect()
        };
        let (old, disputed) = (below(SUPERSEDED), below(DISPUTED));
        let mut held = old.iter().filter(|(_, fate)| *fate == Fate::Holds).peekable();
        let is_done = |claim: &Claim| matches!(claim.state, ClaimState::Done { .. });
        let of_old = held.peek().is_some().then(|| if held.all(|(claim, _)| is_done(claim)) { OPEN } else { DETAILS });
        let was_disputed = self.claims.iter().filter(|(claim, _)| claim.heading == DISPUTED).count() > 1;
        let of_disputed = (was_disputed && disputed.len() == 1).then_some(DETAILS);
        let renamed = |said: &str| match said {
            SUPERSEDED => of_old,
            DISPUTED => of_disputed,
            _ => None,
        };
        if !self.page.is_owned() {
            return Vec::new();
        }
        let all = blocks(&self.page.text, self.page.body());
        let headings = all.filter(|block| matches!(block.kind, BlockKind::Heading(_))).map(|block| block.span);
        headings.filter_map(|span| Some((span, renamed(span.of(&self.page.text))?.to_owned()))).collect()
    }
}

/// A text with parts of it replaced, which are in order and apart from each other.
pub(crate) fn with(text: &str, edits: &[(Span, String)]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (span, new) in edits.iter().filter(|(span, _)| span.start <= span.end) {
        if span.start < at {
            continue;
        }
        out.push_str(&text[at..span.start]);
        out.push_str(new);
        at = span.end;
    }
    out + &text[at..]
}

/// A text without the list markers and headings that have nothing left of what they had in `before`.
fn without_empty(text: &str, before: &str, body: usize) -> String {
    let first = before[..body].matches('\n').count();
    let mut lines: Vec<&str> = text.split('\n').collect();
    let is_marker = |line: &str| !line.is_empty() && line.trim_matches([' ', '-', '*', '+', '\r']).is_empty();
    for (line, before) in lines.iter_mut().zip(before.split('\n')).skip(first) {
        if is_marker(line) && !is_marker(before) {
            *line = "";
        }
    }
    let levels = |text: &str| -> BTreeMap<usize, u8> {
        let index = LineIndex::new(text);
        let level = |kind: BlockKind| if let BlockKind::Heading(level) = kind { Some(level) } else { None };
        let all = blocks(text, Span::new(body, text.len()));
        all.filter_map(|block| Some((index.line_of(block.span.start) - 1, level(block.kind)?))).collect()
    };
    let known = levels(before);
    let had: Vec<&str> = before.split('\n').collect();
    let is_text = |line: &&str| !line.trim().is_empty() && !line.starts_with("[^");
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    for (at, level) in known.iter().filter(|(_, level)| **level > 1).rev() {
        let end = known.range(at + 1..).find(|(_, other)| *other <= level).map_or(had.len(), |(end, _)| *end);
        let had_some = had[at + 1..end].iter().any(is_text);
        let has_some = (at + 1..end).any(|n| !gone.contains(&n) && lines.get(n).is_some_and(is_text));
        if had_some && !has_some {
            gone.insert(*at);
        }
    }
    gone.into_iter().for_each(|at| lines[at] = "");
    lines.join("\n")
}

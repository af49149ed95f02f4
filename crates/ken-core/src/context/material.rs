//! What a pack may be made of: documents cut into units, and how a unit is shown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::agreement::Counted;
use crate::chat::with_speaker;
use crate::claim::{Claim, SourceRef};
use crate::dispute::disputes;
use crate::drift::NOT_NOW;
use crate::frame::quoted;
use crate::held::{Standing, standing_of};
use crate::page::outline::{
    DISPUTED, SUPERSEDED, SUPERSEDED_MARK, claims_as_owned, end_of_words, footnotes, is_struck, label_of_footnote,
    may_be_past, remark_of, with_footnotes, without_marks,
};
use crate::page::past::STALE;
use crate::page::{Category, Page};
use crate::path::VaultPath;
use crate::search::PassageFacts;
use crate::search::close::DocKind;
use crate::search::cut::BETWEEN;
use crate::search::unit::{Unit, is_done, lists_done, units};
use crate::span::Span;
use crate::talk::Speaker;
use crate::text::sentences;
use crate::time::Date;
use crate::trust::{EXTERNAL_MARK, Trust, stale_in};

/// A unit with where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The unit.
    pub unit: Unit,
    /// The headings above it.
    pub heading: String,
    /// First and last line in its file, from 1, both included.
    pub lines: (usize, usize),
    /// Which passage of its document it was cut from, from 0.
    pub passage: usize,
}

/// A document that something may be taken from.
#[derive(Debug, Clone)]
pub struct Material<'t> {
    /// The file.
    pub path: VaultPath,
    /// What it is called.
    pub title: String,
    /// What stands above what is taken from it, see [`crate::frame::heading`].
    pub heading: String,
    /// Its day.
    pub date: Option<Date>,
    /// How far it is trusted.
    pub trust: Option<Trust>,
    /// The text that units are cut from.
    pub text: &'t str,
    /// Its units, in order.
    pub units: Vec<Placed>,
    /// What of it no longer holds.
    pub superseded: Vec<Outdated>,
    /// What of it took the place of something.
    pub preceded: Vec<Preceded>,
    /// The claims of a compiled page, with what is told of how often they were said.
    pub claims: Vec<Counted>,
    /// Whether it is a page made of sentences of the evidence.
    pub is_compiled: bool,
    /// Whether it is such a page of a piece of work.
    pub is_work: bool,
    /// Whether it is a document or a page made of one.
    pub is_document: bool,
    /// Whether it is what was said at a time, an exchange, a chat or an entry of the journal, and no other document or page.
    pub is_said: bool,
}

/// What no longer holds of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outdated {
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// What these lines say of it among other things; nothing where none of them holds.
    pub said: Option<String>,
    /// Until when it held and what holds now, as the page says it; may be empty.
    pub since: String,
    /// How it stands to the day that is asked about.
    pub standing: Standing,
}

/// What a document says now, with what held before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preceded {
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// What holds now.
    pub said: String,
    /// What held before it, and until when: `before: 28 March, until 2026-03-23`.
    pub before: String,
}

/// Letters below which two texts hold each other by chance.
pub(super) const SHARED_LETTERS_MIN: usize = 12;

impl Outdated {
    /// Returns whether nothing took its place: it is of work that did not stay.
    pub(super) fn is_stale(&self) -> bool {
        self.since.starts_with(STALE)
    }

    /// Returns whether a text on some lines no longer holds.
    pub fn covers(&self, lines: (usize, usize), text: &str) -> bool {
        let is_inside = self.lines.0 <= lines.0 && lines.1 <= self.lines.1;
        let says = |said: &str| says_so(said, text);
        is_inside && (self.said.as_deref().is_none_or(says) || self.part_of(text).is_some())
    }
}

impl Outdated {
    /// Returns the sentence of a text that no longer holds, if it is one of several.
    pub fn sentence_of<'t>(&self, text: &'t str) -> Option<&'t str> {
        let said = letters(self.said.as_deref()?);
        let all = sentences(text);
        if all.len() < 2 || said.len() < SHARED_LETTERS_MIN {
            return None;
        }
        let mut holding = all.iter().map(|span| span.of(text)).filter(|one| letters(one).contains(&said));
        holding.next().filter(|_| holding.next().is_none())
    }

    /// Returns where in a text the clause begins that no longer holds, if the others do: `Ada owns the oven, Ben owns the
    /// mill` of which Ben gave the mill away.
    pub fn part_of(&self, text: &str) -> Option<usize> {
        let said = self.said.as_deref()?.trim_end_matches('.');
        let mut chars = said.chars();
        let (first, rest) = (chars.next()?, chars.as_str());
        let begins = |at: usize| {
            let (before, here) = (text[..at].trim_end(), text[at..].chars().next());
            let is_first = here.is_some_and(|here| here.to_lowercase().eq(first.to_lowercase()));
            is_first && (before.is_empty() || before.ends_with(BETWEEN_CLAUSES) || before.ends_with(" and"))
        };
        let ends = |at: usize| {
            let behind = &text[at..];
            behind.is_empty() || behind.starts_with(BETWEEN_CLAUSES) || behind == "." || behind.starts_with(" and ")
        };
        let found = text.match_indices(rest).filter(|(at, _)| !rest.is_empty() && ends(at + rest.len()));
        let mut begun = found.filter_map(|(at, _)| Some(at - text[..at].chars().next_back()?.len_utf8()));
        let at = begun.find(|at| begins(*at))?;
        (letters(text).len() >= letters(said).len() + LEFT_LETTERS_MIN).then_some(at)
    }
}

/// Fewest letters of what is left of a sentence of which a clause no longer holds: `and uses 22 kW`.
const LEFT_LETTERS_MIN: usize = 8;

/// What stands between clauses.
const BETWEEN_CLAUSES: [char; 3] = [',', ';', ':'];

/// Whether one of two texts stands in the other, letter by letter.
pub(super) fn says_so(a: &str, b: &str) -> bool {
    let (a, b) = (letters(a), letters(b));
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.len() >= SHARED_LETTERS_MIN && long.contains(&short)
}

/// A text without everything but its letters and digits, in lower case. What a page puts behind the words of a day is left
/// out, since what it cites has the words alone: `today (2026-03-09)`.
pub(super) fn letters(text: &str) -> String {
    static DAY: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\(\d{4}-(?:W\d{2}|\d{2}(?:-\d{2})?)\)").expect("a pattern of ours"));
    let text = if text.contains('(') { DAY.replace_all(text, "") } else { text.into() };
    each_letter(&text).collect()
}

pub(super) fn each_letter(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase)
}

impl Material<'_> {
    /// Returns among what it counts, see [`DocKind`].
    pub fn kind(&self) -> DocKind {
        match () {
            () if self.is_work => DocKind::Work,
            () if self.is_document => DocKind::Document,
            () => DocKind::Other,
        }
    }

    /// Returns the sentences that are to hold now, each with the lines of its unit: no tasks, nothing that was asked or
    /// replaced, and no list of what tools did.
    pub fn sentences_of_now(&self) -> impl Iterator<Item = ((usize, usize), &str)> {
        let is_of_now = |placed: &&Placed| {
            !placed.unit.is_event && !placed.heading.rsplit(BETWEEN).next().is_some_and(|last| NOT_NOW.contains(&last))
        };
        let units = self.units.iter().filter(is_of_now);
        let all = units.flat_map(|placed| placed.unit.sentences.iter().map(|span| (placed.lines, *span)));
        let held = all.filter(|(lines, span)| {
            let text = span.of(self.text);
            let is_told = || self.superseded.iter().any(|old| old.covers(*lines, text));
            !is_task(self.text, span.start) && !is_struck(text) && stale_in(text).is_none() && !is_told()
        });
        held.map(|(lines, span)| (lines, span.of(self.text)))
    }

    /// About how many characters showing a unit takes.
    pub(super) fn chars(&self, unit: usize) -> usize {
        let span = self.units[unit].unit.span;
        let marks: usize = self.told_in(&self.units[unit]).iter().map(|(_, told)| told.len()).sum();
        span.end - span.start + marks + self.section_of(&self.units[unit]).len() + 8
    }

    /// Whether a text is something that no longer holds.
    pub(super) fn is_outdated(&self, text: &str) -> bool {
        let is_old = |old: &&Outdated| {
            old.said.is_some() && matches!(old.standing, Standing::Replaced | Standing::Earlier | Standing::Ended)
        };
        self.superseded.iter().filter(is_old).any(|old| old.covers(old.lines, text))
    }

    /// Returns whether nothing that a unit says holds any longer.
    pub fn is_over(&self, unit: usize) -> bool {
        let one = &self.units[unit];
        let is_old = |span: &Span| {
            let text = span.of(self.text);
            let is_replaced = |old: &&Outdated| matches!(old.standing, Standing::Replaced | Standing::Drifted);
            is_struck(text)
                || self.is_compiled && stale_in(text).is_some()
                || self
                    .superseded
                    .iter()
                    .filter(is_replaced)
                    .any(|old| old.covers(one.lines, text) && old.part_of(text).is_none())
        };
        matches!(self.superseded_since(one), Some((_, Standing::Replaced)))
            || !one.unit.sentences.is_empty() && one.unit.sentences.iter().all(is_old)
    }

    /// Returns whether a unit only says what holds since a later day than the one that is asked about.
    pub fn is_later(&self, unit: usize) -> bool {
        let one = &self.units[unit];
        let standing = |span: &Span| {
            let text = span.of(self.text);
            let told = self.superseded.iter().find(|old| old.covers(one.lines, text)).map(|old| old.standing);
            let own = || standing_of(text).filter(|_| self.is_compiled).map(|(standing, _)| standing);
            told.or_else(own)
        };
        let mut all = one.unit.sentences.iter().map(standing).peekable();
        all.peek().is_some()
            && all.clone().any(|one| one == Some(Standing::Later))
            && all.all(|one| one != Some(Standing::Held))
    }

    /// Whether a unit says nothing but this.
    pub(super) fn says_only(&self, unit: usize, text: &str) -> bool {
        let said = without_marks(self.units[unit].unit.span.of(self.text));
        said.len() <= 2 * text.len() + 16 && letters(&said) == letters(text)
    }

    /// Returns how units are shown, those that follow each other as one, with their lines.
    pub(super) fn shown(&self, chosen: &BTreeSet<usize>) -> Vec<((usize, usize), String)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for n in chosen {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == *n && self.go_together(*last, *n) => *last = *n,
                _ => runs.push((*n, *n)),
            }
        }
        runs.into_iter().map(|(first, last)| self.run(first, last)).collect()
    }

    fn go_together(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.units[a], &self.units[b]);
        let between = &self.text[a.unit.span.end..b.unit.span.start];
        let mark = |one: &Placed| match self.superseded_since(one) {
            Some((_, Standing::Replaced)) => true.to_string(),
            Some((since, _)) => since.to_owned(),
            None => false.to_string(),
        };
        mark(a) == mark(b) && !between.contains("<!--") && !between.contains('#')
    }

    fn run(&self, first: usize, last: usize) -> ((usize, usize), String) {
        let (from, to) = (&self.units[first], &self.units[last]);
        let lines = (from.lines.0, to.lines.1.max(from.lines.0));
        let said = with_footnotes(
            self.marked_up(first, last).trim_end(),
            label_of_footnote(self.text, from.unit.span.start).is_some(),
        );
        let (superseded, told) = match self.superseded_since(from) {
            Some(("", _)) => (SUPERSEDED_MARK.to_owned(), String::new()),
            Some((since, Standing::Held | Standing::Later)) => (String::new(), format!(" ({since})")),
            Some((since, _)) => (format!("({since}) "), String::new()),
            None => Default::default(),
        };
        let said = said + &told;
        let turn = from.heading.rsplit(BETWEEN).find_map(Speaker::of_heading).filter(|_| from.unit.speaker.is_empty());
        let turn = turn.map(|speaker| format!("{}: ", speaker.as_str())).unwrap_or_default();
        let shown = format!("{superseded}{turn}{}", quoted(&with_speaker(&from.unit.speaker, said)));
        (lines, if self.trust == Some(Trust::External) { marked(&shown) } else { shown })
    }

    /// The text of units that follow each other, with until when it held and what holds now before each sentence of which
    /// that is known.
    fn marked_up(&self, first: usize, last: usize) -> String {
        let (start, end) = (with_marker(self.text, self.units[first].unit.span.start), self.units[last].unit.span.end);
        let (mut out, mut at) = (String::new(), start);
        for one in &self.units[first..=last] {
            for (place, since) in self.told_in(one) {
                let place = place.max(at);
                out.push_str(&self.text[at..place]);
                out.push_str(&since);
                at = place;
            }
        }
        out + &self.text[at..end.max(at)]
    }

    /// What is said of the sentences of a unit, each with its place: what no longer holds, and how often the others were said.
    fn told_in(&self, one: &Placed) -> Vec<(usize, String)> {
        let mut out: Vec<(usize, String)> = self.outdated_in(one).collect();
        let sentences = &one.unit.sentences;
        let is_old = |at: usize| {
            let of = sentences.iter().find(|span| span.start <= at && at <= span.end);
            of.is_some_and(|span| self.superseded.iter().any(|old| old.covers(one.lines, span.of(self.text))))
        };
        let inside = self.claims.iter().filter(|claim| {
            one.unit.span.start <= claim.claim.span.start && claim.claim.span.start < one.unit.span.end
        });
        let tags = inside.filter_map(|claim| claim.told_at(self.text));
        out.extend(tags.filter(|(at, _)| *at <= one.unit.span.end && !is_old(*at)));
        for span in sentences {
            let text = span.of(self.text);
            let is_it = |one: &&Preceded| letters(&one.said) == letters(text) && !is_old(span.start);
            let found = self.preceded.iter().filter(|new| new.lines == one.lines).find(is_it);
            out.extend(found.map(|new| (span.start + end_of_words(text), format!(" ({})", new.before))));
        }
        out.sort_by_key(|(at, _)| *at);
        out
    }

    /// What is said of the sentences of a unit that do not hold, or held, while others of it do, each with its place.
    fn outdated_in<'m>(&'m self, one: &'m Placed) -> impl Iterator<Item = (usize, String)> + 'm {
        let is_whole = self.is_superseded(one);
        let sentences = one.unit.sentences.iter().filter(move |_| !is_whole);
        sentences.flat_map(|span| {
            let text = span.of(self.text);
            // Items of a list share a unit, of which a page cites one: what is over of its line is told where that begins.
            let (line, opens) = self.line_of(one, span.start);
            let lines = |old: &Outdated| if old.said.is_none() && opens { line } else { one.lines };
            let said = |old: &&Outdated| (old.said.is_some() || opens) && !old.since.is_empty();
            // What is struck through says itself that it no longer holds.
            let is_told = self.is_compiled && is_struck(text);
            let covers = |old: &&Outdated| !is_told && (old.covers(one.lines, text) || old.covers(lines(old), text));
            let covering = || self.superseded.iter().filter(said).filter(covers);
            let parts: BTreeMap<usize, &Outdated> =
                covering().rev().filter_map(|old| Some((old.part_of(text)?, old))).collect();
            let whole = covering().find(|old| old.part_of(text).is_none()).map(|old| (0, old));
            let told: Vec<(usize, &Outdated)> =
                if whole.is_some() { whole.into_iter().collect() } else { parts.into_iter().collect() };
            told.into_iter().map(move |(at, old)| match old.standing {
                Standing::Held | Standing::Later => (span.start + text.trim_end().len(), format!(" ({})", old.since)),
                _ => (span.start + at, format!("({}) ", old.since)),
            })
        })
    }

    /// The line on which a place of a unit stands, as a range, and whether nothing but a list marker stands before it there.
    fn line_of(&self, one: &Placed, at: usize) -> ((usize, usize), bool) {
        let n = one.lines.0 + self.text[one.unit.span.start..at].matches('\n').count();
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        ((n, n), !self.text[start..at].contains(char::is_alphabetic))
    }

    fn is_superseded(&self, one: &Placed) -> bool {
        self.superseded_since(one).is_some()
    }

    /// Until when all of a unit held and what holds now, if it no longer holds; empty where it says so itself, or nobody does.
    fn superseded_since(&self, one: &Placed) -> Option<(&str, Standing)> {
        let said = one.unit.span.of(self.text);
        if one.heading.rsplit(BETWEEN).next() == Some(SUPERSEDED) {
            return Some(("", Standing::Replaced));
        }
        if self.is_compiled && one.heading.rsplit(BETWEEN).next() == Some(DISPUTED) {
            return Some(("disputed", Standing::Disputed));
        }
        let is_whole = |old: &&Outdated| old.said.is_none() || old.since.is_empty();
        self.superseded
            .iter()
            .filter(is_whole)
            .find(|old| old.covers(one.lines, said))
            .map(|old| (old.since.as_str(), old.standing))
    }
}

/// Whether a sentence begins a task, open or done.
fn is_task(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let item = text[start..].trim_start().trim_start_matches(['-', '*', '+']).trim_start();
    ["[ ]", "[x]", "[X]"].iter().any(|mark| item.starts_with(mark))
}

/// A text whose every line says that nobody vouches for it.
pub(super) fn marked(text: &str) -> String {
    let line = |line: &str| if line.trim().is_empty() { line.to_owned() } else { format!("{EXTERNAL_MARK}{line}") };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Where the line of a unit begins, if nothing but a list marker stands before it.
fn with_marker(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[start..at];
    let is_marker = before.len() <= 12 && !before.chars().any(char::is_alphabetic);
    if is_marker { start + (before.len() - before.trim_start().len()) } else { at }
}

/// Returns the units of a document around what was found of it, in order.
///
/// `passages` are all its passages; `hits` are those that were found, and the ones beside them are cut as well.
pub fn units_around(
    text: &str,
    passages: &[(PassageFacts, Span)],
    hits: impl IntoIterator<Item = usize>,
    chars: usize,
) -> Vec<Placed> {
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    for hit in hits {
        wanted.extend(hit.saturating_sub(1)..=(hit + 1).min(passages.len().saturating_sub(1)));
    }
    let mut out: Vec<Placed> = Vec::new();
    for n in wanted {
        let Some((PassageFacts { lines, heading, speaker }, span)) = passages.get(n) else { continue };
        let lines = (lines.0 as usize, lines.1 as usize);
        // Passages are cut at headings and by their length: what follows without a heading goes on.
        let is_new = n == 0 || passages[n - 1].0.heading != *heading;
        let base = out.last().map_or(0, |placed| placed.unit.section + usize::from(is_new));
        let n_lines = |end: usize| text[span.start..end].bytes().filter(|byte| *byte == b'\n').count();
        out.extend(units(text, *span, chars).into_iter().map(|unit| {
            let first = (lines.0 + n_lines(unit.span.start)).min(lines.1);
            let last = (lines.0 + n_lines(unit.span.end)).clamp(first, lines.1.max(first));
            let section = base + unit.section;
            let lists_done = heading.rsplit(BETWEEN).next().is_some_and(lists_done);
            let is_event = unit.is_event || lists_done && is_done(unit.sentences[0].of(text));
            let unit = Unit { section, speaker: speaker.clone(), is_event, ..unit };
            Placed { unit, heading: heading.clone(), lines: (first, last), passage: n }
        }));
    }
    out
}

/// Returns the lines that a page cites for what no longer holds, and for nothing that does, each with what the page says of
/// them, until when it held and what holds now, as far as the page says so.
pub fn superseded_lines(page: &Page) -> Vec<(SourceRef, String, String)> {
    // What an answer says was taken from other pages, which say so themselves.
    if page.category() == Category::Question || !may_be_past(&page.text) {
        return Vec::new();
    }
    let (old, held): (Vec<Claim>, Vec<Claim>) =
        claims_as_owned(page).into_iter().partition(|claim| claim.state.is_past());
    let held: BTreeSet<&str> = held.iter().flat_map(Claim::marks).map(|mark| mark.label.as_str()).collect();
    // The first citation of such a claim is its own.
    let old: BTreeMap<&str, (&str, String)> = old
        .iter()
        .filter_map(|claim| {
            Some((claim.own.first()?.label.as_str(), (claim.text.as_str(), remark_of(claim, &page.text))))
        })
        .filter(|(label, _)| !held.contains(label))
        .collect();
    let notes = footnotes(&page.text, page.body()).into_iter();
    let text = &page.text;
    let cited = notes.filter_map(|note| {
        let (said, since) = old.get(note.label.as_str())?;
        Some((SourceRef::parse(note.text.of(text))?, (*said).to_owned(), since.clone()))
    });
    cited.collect()
}

/// Returns the lines that a page cites for what is disputed, each with the claim and what is said otherwise.
pub fn disputed_lines(page: &Page) -> Vec<(SourceRef, String, String)> {
    let mut out = Vec::new();
    for dispute in disputes(page) {
        for (n, claim) in dispute.claims.iter().enumerate() {
            let since = dispute.beside(n);
            out.extend(claim.cited.iter().map(|cited| (cited.clone(), claim.text.clone(), since.clone())));
        }
    }
    out
}

//! Cuts journal days and sources into entries and passages.
//!
//! A passage is what a claim is extracted from: a list item of the journal, a sentence of a document. It
//! keeps the lines it stands on, so that the claim can cite them exactly. Nothing is reworded.

use ken_core::agreement::voice;
use ken_core::claim::quote;
use ken_core::finding::behind_mark;
use ken_core::issue::{Issue, Stage};
use ken_core::journal::{Provenance, USER_SAID, is_change, is_overruled, of_user, parse_journal};
use ken_core::markdown::{BlockKind, blocks};
use ken_core::redact::is_covered;
use ken_core::revised::Revision;
use ken_core::supersede::reach;
use ken_core::text::{is_quoted, leans_back, one_line, sentences};
use ken_core::time::leading_date;
use ken_core::{Date, Digest, Span, VaultPath};
use serde::{Deserialize, Serialize};

use super::alone;
use super::document::InDocument;
use super::revise;
use super::score;
use super::settle;
use super::told::AdoptedPage;
use super::told::{Thin, Told};
use crate::portion::{Portion, portions};
use ken_core::text::capital;

mod cited;

pub use cited::{Cited, Places, cite_together};

/// What a passage is, which decides where on a page it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PassageKind {
    /// Something was settled.
    Decision,
    /// Something was learned the hard way.
    Lesson,
    /// Something was said or is stated.
    Statement,
    /// Something is left to do.
    Action,
    /// What was being worked on; supports a subject, is a claim only where nothing else is.
    Context,
    /// A question of a person; supports a subject, is a claim only where nothing else is.
    Question,
    /// Exact names that were said; leads to what the entry is about, is never a claim.
    Names,
    /// A tool ran; supports a file as a subject, is never a claim.
    Event,
}

impl PassageKind {
    /// Returns whether somebody said it.
    pub fn is_said(self) -> bool {
        !matches!(self, PassageKind::Names | PassageKind::Event)
    }
}

/// What a session says of one of its statements besides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Learned {
    /// Nothing.
    #[default]
    Plain,
    /// That it is what they had been looking for: why something was so.
    Cause,
    /// That files were changed since.
    BeforeChange,
    /// That somebody began with it.
    Begun,
}

impl Learned {
    /// Returns whether it is why something was so.
    pub fn is_cause(self) -> bool {
        self == Learned::Cause
    }
}

/// One extracted statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The text on one line.
    pub text: String,
    /// First and last line in the file, from 1.
    pub lines: (usize, usize),
    /// What it is.
    pub kind: PassageKind,
    /// Where it stands in its document; none in the journal.
    pub place: Option<Box<InDocument>>,
    /// What it is cited by where that is more than its own lines.
    pub cited: Option<Box<Cited>>,
    /// First 8 hex digits of the digest of its lines, as a citation carries it.
    pub digest: String,
    /// What a model said of it, when it comes from a reading.
    pub told: Option<Box<Told>>,
    /// What its session says of it besides.
    pub learned: Learned,
}

impl Passage {
    /// Returns whether it may stand on a page as it is.
    pub fn is_claim(&self) -> bool {
        use PassageKind::{Action, Decision, Lesson, Statement};
        let is_of_kind = matches!(self.kind, Decision | Lesson | Statement | Action);
        is_of_kind
            && (self.place.is_some() || !is_overruled(&self.text) && !self.is_option())
            && !is_covered(&self.text)
            && (self.place.is_some() || self.told.is_some() || self.is_reasoned() || alone::is_claim(&self.text))
    }

    /// Whether it is one of those that an agent put to somebody to choose from, by its letter: `B. Brick one up.`
    fn is_option(&self) -> bool {
        let letter = self.text.trim_start_matches('(').split_once(['.', ')']).filter(|(_, rest)| rest.starts_with(' '));
        matches!(self.kind, PassageKind::Statement | PassageKind::Lesson)
            && letter.is_some_and(|(mark, _)| matches!(mark, "A" | "B" | "C" | "D" | "E" | "a" | "b" | "c" | "d" | "e"))
    }

    /// Whether it settles something in so many words that it is understood however it begins.
    fn is_reasoned(&self) -> bool {
        self.kind == PassageKind::Decision && alone::is_long_decision(&self.text)
    }

    /// Returns how long it is with what it leads in, in characters.
    pub fn chars(&self) -> usize {
        let blocks = self.place.iter().flat_map(|place| &place.blocks);
        self.text.chars().count() + blocks.map(|block| block.chars().count()).sum::<usize>()
    }
}

/// What an entry of the journal gives to pages of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The title of the page.
    pub title: String,
    /// Whether the entry makes the page; else it is about it where another entry makes it.
    pub is_enough: bool,
}

/// One journal entry or one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file it stands in.
    pub path: VaultPath,
    /// Its title.
    pub title: String,
    /// Its day, if it says one.
    pub date: Option<Date>,
    /// The day of the last commit of a document that says none: something, but not what its "yesterday" counts from.
    pub committed: Option<Date>,
    /// The titles of the pages that a document makes; none of a journal entry.
    pub parts: Vec<String>,
    /// Whether it was extracted from a session, where much is said that nobody looks up; not written by anybody.
    pub is_extracted: bool,
    /// Who says a journal entry, see [`ken_core::agreement::voice`]; of a document it is empty.
    pub voice: Option<String>,
    /// The issue that a journal entry is of.
    pub issue: Option<Issue>,
    /// What a journal entry gives to pages of work.
    pub work: Option<Work>,
    /// Of a document that was a page of another compiler: how that page was called, and where it stood.
    pub adopted: Option<Box<AdoptedPage>>,
    /// Digest of its text.
    pub digest: Digest,
    /// Its passages in order.
    pub passages: Vec<Passage>,
    /// What a model reads of it; empty unless asked for.
    pub portions: Vec<Portion>,
    /// Readings of it that were not taken, because they say too little.
    pub thin: Vec<Thin>,
    /// Whether something of its readings is doubted, and nobody was asked about it.
    pub has_doubts: bool,
}

impl Entry {
    /// Returns whether it is a document rather than a journal entry.
    pub fn is_document(&self) -> bool {
        !self.parts.is_empty()
    }
}

/// Returns the entries of one journal day, with their portions if they are wanted.
#[cfg(test)]
pub fn journal_entries(path: &VaultPath, text: &str, with_portions: bool) -> Vec<Entry> {
    numbered_entries(path, text, with_portions, &|_| true).into_iter().map(|(_, entry)| entry).collect()
}

/// Returns those entries of one journal day whose numbers are wanted, with them.
pub fn numbered_entries(
    path: &VaultPath,
    text: &str,
    with_portions: bool,
    is_wanted: &dyn Fn(u16) -> bool,
) -> Vec<(u16, Entry)> {
    let date = leading_date(path.file_name());
    let journal = parse_journal(text, date).value;
    let written_anew = journal.written_anew();
    let mut places = Places::new(text);
    let mut out = Vec::new();
    for (n, entry) in (0..).zip(journal.standing()).filter(|(n, _)| is_wanted(*n)) {
        let digest = Digest::of(entry.span.of(text).as_bytes());
        let passages = entry_passages(entry.body, &entry.provenance, &mut places);
        let stage = Stage::of_entry(entry);
        let title = one_line(stage.map_or(&entry.title, |(_, called)| called));
        let provenance = &entry.provenance;
        let entry_body = entry.body;
        let is_extracted = provenance.range.is_some() && provenance.distilled.is_none();
        let mut entry = Entry {
            path: path.clone(),
            title,
            date: journal.date,
            committed: None,
            parts: Vec::new(),
            is_extracted,
            voice: voice(entry),
            issue: stage.map(|(stage, _)| stage.issue),
            work: None,
            adopted: None,
            digest,
            passages,
            portions: Vec::new(),
            thin: Vec::new(),
            has_doubts: false,
        };
        // What a person settled is not for a model to read, and what one read from its own words is not read again.
        let is_read = is_extracted && provenance.part().is_some_and(|part| written_anew.contains_key(&part));
        if with_portions && !is_read && !entry.is_record() {
            entry.portions = body_portions(path, &entry.title, journal.date, &places, entry_body);
        }
        out.push((n, entry));
    }
    out
}

/// The portions of a part of a file, its lines numbered as they are there.
pub fn body_portions(
    path: &VaultPath,
    title: &str,
    date: Option<Date>,
    places: &Places<'_>,
    body: Span,
) -> Vec<Portion> {
    let first = places.lines.line_of(body.start);
    let lines = body.of(places.text).lines().enumerate().map(|(n, line)| (first + n, line));
    portions(path, title, date, lines)
}

/// Labels of the journal's sections and what stands below them.
const SECTIONS: &[(&str, PassageKind)] = &[
    ("context", PassageKind::Context),
    ("key exchanges", PassageKind::Statement),
    ("decisions made", PassageKind::Decision),
    ("decisions", PassageKind::Decision),
    ("lessons learned", PassageKind::Lesson),
    ("lessons", PassageKind::Lesson),
    ("action items", PassageKind::Action),
    ("names", PassageKind::Names),
    ("events", PassageKind::Event),
];

/// A `**Label:**` at the start of a paragraph: its kind and where the text behind it begins.
fn section_label(text: &str) -> Option<(PassageKind, usize)> {
    let rest = text.strip_prefix("**")?;
    let end = rest.find("**")?;
    let label = rest[..end].trim_end_matches(':').trim().to_lowercase();
    let kind = SECTIONS.iter().find(|(name, _)| *name == label).map(|(_, kind)| *kind)?;
    let behind = 2 + end + 2;
    Some((kind, behind + usize::from(text[behind..].starts_with(':'))))
}

fn entry_passages(body: Span, provenance: &Provenance, places: &mut Places<'_>) -> Vec<Passage> {
    let text = places.text;
    let (may_settle, may_revise) = (settle::may_settle(provenance), revise::may_revise(provenance));
    let mut out = Vec::new();
    let mut kind = PassageKind::Statement;
    // What was said of the code: whatever else a person tells holds also when files were changed.
    let mut told: Vec<usize> = Vec::new();
    for block in blocks(text, body) {
        match block.kind {
            BlockKind::Paragraph => {
                let label = section_label(block.span.of(text));
                kind = label.map_or(kind, |(kind, _)| kind);
                let start = block.span.start + label.map_or(0, |(_, behind)| behind);
                let first = out.len();
                prose(Span::new(start, block.span.end), kind, places, &mut out);
                let begun = out.iter_mut().skip(first).filter(|_| kind == PassageKind::Context);
                begun.for_each(|one| one.learned = Learned::Begun);
            }
            BlockKind::Item => {
                let item_kind =
                    if block.is_open_task && kind == PassageKind::Statement { PassageKind::Action } else { kind };
                if is_change(block.span.of(text)) {
                    told.drain(..).for_each(|n: usize| out[n].learned = Learned::BeforeChange);
                    continue;
                }
                if let Some(settled) = settled(block.span, may_settle, places) {
                    out.push(settled);
                    continue;
                }
                if let Some(revision) = may_revise.then(|| revise::revision(block.span.of(text))).flatten() {
                    let lines = places.lines_of(block.span);
                    out.push(revised(revision, lines, places.digest(lines)));
                    continue;
                }
                match of_user(block.span.of(text)).filter(|_| item_kind.is_said()) {
                    Some((label, said)) => {
                        let said = Span::new(block.span.end - said.len(), block.span.end);
                        match label {
                            // What a person tells goes together.
                            USER_SAID => {
                                let first = out.len();
                                item(said, question_or(PassageKind::Question, said.of(text)), places, &mut out);
                                // Who names code says how it is, as an agent does.
                                told.extend((first..out.len()).filter(|n| names_code(&out[*n])));
                            }
                            _ => prose(said, PassageKind::Question, places, &mut out),
                        }
                    }
                    _ => {
                        let first = out.len();
                        item(block.span, question_or(item_kind, block.span.of(text)), places, &mut out);
                        told.extend((first..out.len()).filter(|n| out[*n].kind == PassageKind::Statement));
                    }
                }
            }
            BlockKind::Heading(_) => kind = heading_kind(block.span.of(text)).unwrap_or(PassageKind::Statement),
            BlockKind::Row | BlockKind::Code | BlockKind::Comment | BlockKind::Footnote => {}
        }
    }
    out
}

/// Whether a statement has a name of code.
fn names_code(passage: &Passage) -> bool {
    passage.kind == PassageKind::Statement && (passage.text.contains('`') || alone::has_identifier(&passage.text))
}

/// Returns the passage of what a document said before: a statement where something took its place, else what happened.
fn revised(revision: Revision, lines: (usize, usize), digest: String) -> Passage {
    let kind = if revision.after.is_some() { PassageKind::Statement } else { PassageKind::Event };
    let text = format!("{}.", revision.before);
    let told = Told { quote: quote(&text), revised: Some(Box::new(revision)), ..Told::default() };
    Passage { text, lines, kind, place: None, cited: None, digest, told: Some(Box::new(told)), learned: Learned::Plain }
}

/// Returns the passage of an item that settles a dispute.
fn settled(item: Span, may_settle: bool, places: &mut Places<'_>) -> Option<Passage> {
    let said = item.of(places.text);
    let lines = places.lines_of(item);
    may_settle.then(|| settle::passage(said, lines, places.digest(lines))).flatten()
}

/// Longest passage in characters that takes in what leans on it.
const JOINED_CHARS_MAX: usize = 420;

/// Takes an item; one that leans on the item before it (`It also …`) says little alone and is joined to it.
fn item(span: Span, kind: PassageKind, places: &mut Places<'_>, out: &mut Vec<Passage>) {
    let text = one_line(span.of(places.text));
    let lines = places.lines_of(span);
    // `This: …` points to what follows.
    let points_on = text.split(' ').next().is_some_and(|first| first.ends_with(':'));
    let leans_on = out.last_mut().filter(|last| {
        kind.is_said()
            && !points_on
            && last.kind == kind
            && last.told.is_none()
            && last.lines.1 + 1 == lines.0
            && leans_back(&text)
            && behind_mark(&text).is_none()
            && last.text.ends_with(['.', '!', ')'])
            && last.text.chars().count() + text.chars().count() < JOINED_CHARS_MAX
    });
    match leans_on {
        Some(_) if alone::adds_nothing(&text) => {}
        Some(last) => {
            last.text = format!("{} {text}", last.text);
            last.lines.1 = lines.1;
            last.digest = places.digest(last.lines);
        }
        None => push(span, kind, places, out),
    }
}

/// Hand-written entries may use headings for the sections.
fn heading_kind(text: &str) -> Option<PassageKind> {
    let name = text.trim_end_matches(':').trim().to_lowercase();
    SECTIONS.iter().find(|(label, _)| *label == name).map(|(_, kind)| *kind)
}

/// What people asked stands in the journal as a question or behind a label; what they told there stands as it is.
fn question_or(kind: PassageKind, text: &str) -> PassageKind {
    match kind {
        _ if text.trim_end().ends_with('?') && kind.is_said() => PassageKind::Question,
        PassageKind::Context | PassageKind::Question if is_told(text) => PassageKind::Statement,
        _ => kind,
    }
}

/// Least worth of what a person tells in passing and that names no number.
const TOLD_MIN: f32 = 1.4;

/// Whether a person tells something, and does not only ask or talk.
fn is_told(text: &str) -> bool {
    let tells = || text.contains(|ch: char| ch.is_ascii_digit()) || score::score(text, false) >= TOLD_MIN;
    (alone::stands(text) || alone::instructs(text)) && alone::is_claim(text) && !alone::is_personal(text) && tells()
}

fn prose(span: Span, kind: PassageKind, places: &mut Places<'_>, out: &mut Vec<Passage>) {
    let text = places.text;
    let mut last: Option<Span> = None;
    // What is read aloud is what somebody else said, at another time. Looking for it takes the square of the length.
    let may_quote = span.end - span.start <= QUOTING_BYTES_MAX;
    let own = sentences(span.of(text)).into_iter().filter(|one| !(may_quote && is_quoted(span.of(text), *one)));
    for sentence in own.map(|sentence| sentence.shifted(span.start)) {
        match &mut last {
            // "It", "This" and their like say nothing alone.
            Some(_) if leans_back(sentence.of(text)) && alone::adds_nothing(sentence.of(text)) => {}
            Some(open) if leans_back(sentence.of(text)) && text[open.end..sentence.start].trim().is_empty() => {
                open.end = sentence.end;
            }
            _ => {
                if let Some(done) = last.replace(sentence) {
                    push(done, question_or(kind, done.of(text)), places, out);
                }
            }
        }
    }
    if let Some(done) = last {
        push(done, question_or(kind, done.of(text)), places, out);
    }
}

/// Longest line in which quotations are looked for, in bytes.
const QUOTING_BYTES_MAX: usize = 4096;

/// Longest passage in characters; longer ones are code or data that lost its fence.
const PASSAGE_CHARS_MAX: usize = 700;

fn push(span: Span, kind: PassageKind, places: &mut Places<'_>, out: &mut Vec<Passage>) {
    let piece = one_line(span.of(places.text));
    let piece = match alone::unwrapped(&piece) {
        said if kind.is_said() && said.len() < piece.len() => capital(said),
        _ => piece,
    };
    let piece = match alone::without_cut_end(&piece) {
        whole if kind.is_said() && whole.len() < piece.len() => whole.to_owned(),
        _ => piece,
    };
    let piece = match alone::without_courtesies(&piece) {
        said if kind.is_said() && said.len() < piece.len() => capital(&said),
        // Who types in small letters settles things as well.
        _ if kind == PassageKind::Decision => capital(&piece),
        _ => piece,
    };
    let found = behind_mark(&piece).filter(|found| kind == PassageKind::Lesson && !found.is_empty()).map(capital);
    let learned = if found.is_some() { Learned::Cause } else { Learned::Plain };
    let piece = found.unwrap_or(piece);
    let n_words = piece.split(' ').count();
    // One bare word is a label, not a statement.
    let is_label = || n_words < 3 && kind.is_said() && !(n_words == 2 && reach(&piece).is_note);
    if piece.chars().count() > PASSAGE_CHARS_MAX || is_label() {
        return;
    }
    let place = places.lines_of(span);
    out.push(Passage {
        text: piece,
        lines: place,
        kind,
        place: None,
        cited: None,
        digest: places.digest(place),
        told: None,
        learned,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: &str = "# Daily Log: 2026-04-01\n\n## Sessions\n\n### Session (14:30) - Tokens\n<!-- kenning: session=s1 agent=demo -->\n\n**Context:** Moving the middleware to tokens.\n\n**Key Exchanges:**\n- User asked: why do sessions drop?\n- Cookie sessions drop on restart. They live in memory.\n\n**Decisions Made:**\n- We chose signed tokens.\n\n**Events:**\n- Edit src/auth.rs\n";

    #[test]
    fn what_an_agent_said_above_the_files_that_were_changed_was_said_before_that() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let text = "### A\n\n**Key Exchanges:**\n- User said: the door of the hall is wet since 2024.\n- User said: `bake()` has no test for the door since 2024.\n- `bake()` opens twice.\n- Changed: `MAX_LOAVES` from 3 to 5.\n- Changed: `a.rs`\n- `bake()` opens once.\n\n**Decisions Made:**\n- The door stays.\n";
        let entries = journal_entries(&path, text, false);
        let found: Vec<_> = entries[0].passages.iter().map(|one| (one.text.as_str(), one.learned)).collect();
        assert_eq!(
            found,
            [
                ("the door of the hall is wet since 2024.", Learned::Plain),
                ("`bake()` has no test for the door since 2024.", Learned::BeforeChange),
                ("`bake()` opens twice.", Learned::BeforeChange),
                ("Changed: `MAX_LOAVES` from 3 to 5.", Learned::BeforeChange),
                ("`bake()` opens once.", Learned::Plain),
                ("The door stays.", Learned::Plain),
            ]
        );
    }

    #[test]
    fn sections_of_an_entry_become_kinds() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let entries = journal_entries(&path, DAY, false);
        assert_eq!((entries.len(), entries[0].title.as_str()), (1, "Tokens"));
        let shown: Vec<_> = entries[0].passages.iter().map(|p| (p.kind, p.lines.0, p.text.as_str())).collect();
        use PassageKind::*;
        assert_eq!(
            shown,
            [
                (Context, 8, "Moving the middleware to tokens."),
                (Question, 11, "why do sessions drop?"),
                (Statement, 12, "Cookie sessions drop on restart. They live in memory."),
                (Decision, 15, "We chose signed tokens."),
                (Event, 18, "Edit src/auth.rs"),
            ]
        );
    }

    #[test]
    fn what_leans_on_the_line_before_it_is_joined_to_that_and_what_points_on_is_not() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let decided =
            "- The door stays.\n- This: ring the bell of the hall twice.\n- It also rings at night for bakers.\n";
        let text = format!("### A\n\n**Decisions Made:**\n{decided}");
        let passages = &journal_entries(&path, &text, false)[0].passages;
        assert_eq!(
            passages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(),
            ["The door stays.", "This: ring the bell of the hall twice. It also rings at night for bakers."]
        );
    }

    #[test]
    fn what_is_read_aloud_is_no_passage() {
        let text =
            "Listen to the old sheet: \"Clean aprons. The shop opens at 9:15. No dogs.\" The shop opens at 8:50 now.";
        let mut out = Vec::new();
        prose(Span::new(0, text.len()), PassageKind::Statement, &mut Places::new(text), &mut out);
        let said: Vec<&str> = out.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!(said, ["Listen to the old sheet: \"Clean aprons.", "The shop opens at 8:50 now."]);
    }

    #[test]
    fn the_sentences_of_one_line_cost_one_digest_of_it() {
        let text = "A sentence stands here. ".repeat(500);
        let mut places = Places::new(&text);
        let mut out = Vec::new();
        prose(Span::new(0, text.len()), PassageKind::Statement, &mut places, &mut out);
        assert_eq!(out.len(), 500);
        assert!(out.iter().all(|passage| passage.digest == Digest::of_normalised(&text).short()));
        assert_eq!(places.n_digested, text.len());
    }

    #[test]
    fn a_lesson_that_says_that_it_was_found_is_a_cause() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let text = "### A\n\n**Lessons Learned:**\n- The oven has two doors.\n- And that explains the smoke. Smoke comes from the left one.\n- Da haben wir es: die rechte klemmt.\n\n**Key Exchanges:**\n- The oven is wet, so it smokes. (ruled out)\n- Bake in the yard instead of the hall. (turned down)\n";
        let passages = &journal_entries(&path, text, false)[0].passages;
        let found: Vec<(&str, bool, bool)> =
            passages.iter().map(|one| (one.text.as_str(), one.learned.is_cause(), one.is_claim())).collect();
        let expected = [
            ("The oven has two doors.", false, true),
            ("Smoke comes from the left one.", true, true),
            ("Die rechte klemmt.", true, true),
            ("The oven is wet, so it smokes. (ruled out)", false, false),
            ("Bake in the yard instead of the hall. (turned down)", false, false),
        ];
        assert_eq!(found, expected);
        // A document means its own words by that.
        let raw = VaultPath::new("raw/oven.md").expect("inside");
        let text = "# Oven\n\n- The left door was the cause of the smoke in May (ruled out)\n";
        let entries = crate::cut::read_entries(&raw, crate::cut::ReadAs::Document(None), text, None);
        assert!(
            entries.iter().flat_map(|entry| &entry.passages).any(|one| one.text.contains("smoke") && one.is_claim())
        );
    }
}

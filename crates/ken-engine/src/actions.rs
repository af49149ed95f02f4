//! What is still to be done, as the journal, the state of the project and progress files tell it. Writes nothing.
//!
//! Whether an action item is open is not stored: it is read from what was said of it, up to the day that is asked about. Tasks
//! of the state stand among the entries where their status dates them, so that either may close what the other opened.

mod kept;
mod paged;

use ken_core::action::{AskedActions, Open, Statement, closed, is_labelled, open};
use ken_core::answer::{Answer, Consulted, Sentence};
use ken_core::brief::task_row;
use ken_core::claim::SourceRef;
use ken_core::context;
use ken_core::journal::{JournalEntry, SectionKind, loose_items, parse_journal, parse_sections, without_speaker};
use ken_core::orders::is_task;
use ken_core::page::outline::{Next, Remark, When, as_next};
use ken_core::text::{capital, one_line, sentences};
use ken_core::timeline::CourseSaid;
use ken_core::when::{DateWords, date_words};
use ken_core::{Date, LineIndex, Span, Trust, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::issues::issue_of;

/// Action items that are told.
const TOLD_MAX: usize = 12;

/// An action item that is open.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenAction {
    /// What is to be done, and whose it is.
    text: String,
    /// The day on which it was first said.
    since: Option<Date>,
    /// Where it was said last.
    said: CourseSaid,
    /// The project in whose folder that was.
    pub(crate) project: Option<String>,
    /// What the state of the project says of it: how far it is, what it waits for and what comes next.
    note: Option<String>,
}

impl OpenAction {
    /// The row of a brief: the day since when, and what is to be done; nothing where that may not start a session.
    pub(crate) fn row(&self) -> Option<String> {
        let since = self.since.map(|since| format!("{since} ")).unwrap_or_default();
        let told = self.note.as_ref().and_then(|note| task_row(&format!("{} ({note})", self.text)));
        told.or_else(|| task_row(&self.text)).map(|row| since + &row)
    }

    /// What is to be done, with the day since when.
    fn dated(&self) -> String {
        let open = self.since.map(|since| format!("open since {since}"));
        let says: Vec<String> = self.note.clone().into_iter().chain(open).collect();
        if says.is_empty() { self.text.clone() } else { format!("{} ({})", self.text, says.join("; ")) }
    }

    /// What is to be done.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The file in which it was said last.
    pub(crate) fn path(&self) -> &VaultPath {
        &self.said.path
    }
}

/// A day of the journal.
pub(crate) struct JournalDay {
    /// Which.
    pub(crate) date: Date,
    /// Its file.
    pub(crate) path: VaultPath,
}

/// An entry of the journal with its statements, or a task of the state as one.
struct Entry {
    date: Option<Date>,
    time: (u8, u8),
    path: VaultPath,
    title: String,
    project: Option<String>,
    note: Option<String>,
    said: Vec<Item>,
}

struct Item {
    text: String,
    lines: (usize, usize),
    is_marked: bool,
    /// Whether it is an item of the state, or of a progress file.
    is_listed: bool,
}

impl Item {
    fn told(&self) -> Statement<'_> {
        Statement { text: &self.text, is_marked: self.is_marked, is_listed: self.is_listed }
    }
}

impl Entry {
    fn told(&self) -> Vec<Statement<'_>> {
        self.said.iter().map(Item::told).collect()
    }
}

impl Engine {
    /// Returns the days of the journal up to the day that is asked about, the oldest first, as far back from the newest as
    /// `days_max` says.
    pub(crate) fn newest_days(&self, days_max: i32) -> Result<Vec<JournalDay>, Failure> {
        let then = self.as_of_day().into_iter().chain(self.on).min();
        let until = then.unwrap_or_else(|| self.clock.today());
        let files = self.store.list(&self.layout().journal)?.files;
        let day =
            |path: VaultPath| Some(JournalDay { date: path.file_name().strip_suffix(".md")?.parse().ok()?, path });
        let mut days: Vec<JournalDay> = files.into_iter().filter_map(|file| day(file.path)).collect();
        let days_since = |date: Date, earlier: Date| date.since(earlier).map_or(i32::MAX, |span| span.get_days());
        // A day ahead is another zone's today; what is farther ahead has a wrong date.
        days.retain(|day| days_since(until, day.date) >= if then.is_none() { -1 } else { 0 });
        // Whoever comes back after a month still starts where they stopped.
        let newest = days.iter().map(|day| day.date).max();
        days.retain(|day| newest.is_some_and(|newest| days_since(newest, day.date) < days_max));
        days.sort_by_key(|day| day.date);
        Ok(days)
    }

    /// Returns the action items that a question asks for, those that were said last first, and how many there are; nothing for any
    /// other question, and where none that is asked for is open.
    pub(crate) fn actions_asked(&self, question: &str) -> Result<Option<(Vec<OpenAction>, usize)>, Failure> {
        let Some((asked, named)) = self.asked_actions(question) else { return Ok(None) };
        // `before Friday` may be when they are due.
        let then = named.iter().find(|words| words.period.from.is_some()).and_then(|words| words.period.to);
        let then = self.on.is_none().then_some(then).flatten();
        let mut actions = self.told_on(then.map(|day| day.min(self.clock.today()))).open_actions(i32::MAX)?;
        actions.retain(|action| asked.is_about(&action.text));
        self.leave_out_done(&mut actions)?;
        let n_all = actions.len();
        actions.truncate(TOLD_MAX);
        Ok((n_all > 0).then_some((actions, n_all)))
    }

    /// Returns whether a question asks for every action item that is open, so that where none is, that is the answer.
    pub(crate) fn asks_for_all_actions(&self, question: &str) -> bool {
        self.asked_actions(question).is_some_and(|(asked, _)| asked.topic().is_empty())
    }

    /// Returns the statements of action items that were done, where a question asks what is open: the place of each, the
    /// sentence that is one, and when and by what words it was done.
    pub(crate) fn done_asked(&self, question: &str) -> Result<Vec<(SourceRef, String, String)>, Failure> {
        if self.asked_actions(question).is_none() {
            return Ok(Vec::new());
        }
        let entries = self.told_entries(i32::MAX)?;
        let items: Vec<(usize, &Item)> =
            entries.iter().enumerate().flat_map(|(n, entry)| entry.said.iter().map(move |item| (n, item))).collect();
        let said: Vec<(usize, Statement<'_>)> = items.iter().map(|(n, item)| (*n, item.told())).collect();
        let by = closed(&said);
        let done = items.iter().zip(by).filter_map(|((n, item), by)| {
            let (at, by) = items[by?];
            let when = entries[at].date.map(|day| (When::Done, day));
            let since = Remark { when, next: Some((Next::Now, &as_next(&by.text))) }.to_string();
            let labelled = sentences(&item.text).into_iter().map(|one| one.of(&item.text)).find(|one| is_labelled(one));
            let said = labelled.unwrap_or(&item.text).to_owned();
            let (path, lines) = (entries[*n].path.clone(), item.lines);
            Some((SourceRef { path, lines, digest: String::new(), quote: String::new() }, said, since))
        });
        Ok(done.collect())
    }

    /// What a question asks of action items, if it does, and the days that it names.
    fn asked_actions(&self, question: &str) -> Option<(AskedActions, Vec<DateWords>)> {
        let named = date_words(question, self.clock.today(), None);
        let aside: Vec<_> = named.iter().map(|words| words.span).collect();
        Some((AskedActions::of(question, &aside)?, named))
    }

    /// Returns what the newest `days_max` days of the journal say, the state of the project and progress files among it, in
    /// order of time.
    fn told_entries(&self, days_max: i32) -> Result<Vec<Entry>, Failure> {
        let mut entries: Vec<Entry> = Vec::new();
        let withdrawn = self.withdrawn(None)?;
        for day in self.newest_days(days_max)? {
            let Some(text) = self.store.read(&day.path)?.and_then(|bytes| String::from_utf8(bytes).ok()) else {
                continue;
            };
            let index = LineIndex::new(&text);
            let journal = parse_journal(&text, Some(day.date)).value;
            // What came from outside gives nobody work.
            let is_stale = |entry: &JournalEntry| issue_of(entry).is_some_and(|issue| withdrawn.contains_key(&issue));
            let of_us = |entry: &&JournalEntry| {
                entry.provenance.trust.as_deref() != Some(Trust::External.as_str()) && !is_stale(entry)
            };
            entries.extend(journal.standing().filter(of_us).map(|entry| Entry {
                date: Some(day.date),
                time: entry.time.unwrap_or_default(),
                path: day.path.clone(),
                title: entry.title.clone(),
                project: entry.provenance.project.clone(),
                note: None,
                said: items(&text, entry, &index),
            }));
        }
        self.add_kept(&mut entries)?;
        Ok(entries)
    }

    /// Returns the action items that are open on the day that is asked about, those that were said last first; of the newest
    /// `days_max` days of the journal.
    pub(crate) fn open_actions(&self, days_max: i32) -> Result<Vec<OpenAction>, Failure> {
        let entries = self.told_entries(days_max)?;
        let told: Vec<Vec<Statement<'_>>> = entries.iter().map(Entry::told).collect();
        let told: Vec<&[Statement<'_>]> = told.iter().map(Vec::as_slice).collect();
        let mut found = open(&told);
        found.retain(|action| is_task(&action.text));
        let placed = |action: Open| {
            let (entry, item) = (&entries[action.last.0], &entries[action.last.0].said[action.last.1]);
            OpenAction {
                text: capital(&action.text),
                since: entries[action.first.0].date,
                said: CourseSaid {
                    text: item.text.clone(),
                    day: entry.date,
                    path: entry.path.clone(),
                    lines: item.lines,
                    speaker: None,
                    title: entry.title.clone(),
                },
                project: entry.project.clone(),
                note: entry.note.clone(),
            }
        };
        let mut actions: Vec<OpenAction> = found.into_iter().map(placed).collect();
        actions.sort_by_key(|action| std::cmp::Reverse(action.said.day));
        Ok(actions)
    }

    /// Returns an answer that tells action items, and what it cites; what is to be filed as it stands in its file.
    pub(crate) fn told_actions(&self, actions: &[OpenAction], is_filed: bool) -> (Answer, Vec<Consulted>) {
        let (mut answer, mut consulted) = (Answer::default(), Vec::new());
        for action in actions {
            let Some(citation) = self.cite(&action.said, &mut consulted) else { continue };
            let text = if is_filed { action.said.text.clone() } else { action.dated() };
            let is_told = answer.sentences.iter().any(|sentence| sentence.text == text);
            if !is_told {
                answer.sentences.push(Sentence { text, is_superseded: false, citations: vec![citation] });
            }
        }
        (answer, consulted)
    }

    /// Returns action items as passages of a context.
    pub(crate) fn actions_as_statements(&self, actions: &[OpenAction]) -> Result<Vec<context::Statement>, Failure> {
        let placed: Vec<(&CourseSaid, String)> = actions.iter().map(|action| (&action.said, action.dated())).collect();
        self.placed(&placed)
    }
}

/// The statements of an entry; a ticked item says that it is done.
fn items(text: &str, entry: &JournalEntry, index: &LineIndex) -> Vec<Item> {
    let item = |span: Span, is_marked: bool, is_done: bool| {
        let said = one_line(without_speaker(span.of(text)));
        let said = if is_done { format!("{}{said}", kept::CLOSED) } else { said };
        let lines = (index.line_of(span.start), index.line_of(span.end.saturating_sub(1).max(span.start)));
        Item { text: said, lines, is_marked: is_marked && !is_done, is_listed: false }
    };
    let loose = loose_items(text, entry.body).into_iter();
    let mut out: Vec<Item> =
        loose.map(|one| item(one.span, one.is_ticked.is_some(), one.is_ticked == Some(true))).collect();
    for section in parse_sections(text, entry.body) {
        let is_marked = section.kind == SectionKind::ActionItems;
        if !section.kind.is_said() {
            continue;
        }
        let items = section.items.iter().copied();
        out.extend(items.map(|span| item(span, is_marked, is_marked && is_ticked(&text[..span.start]))));
    }
    out
}

/// Whether the check box before an item is ticked.
fn is_ticked(before: &str) -> bool {
    before.trim_end().to_lowercase().ends_with("[x]")
}

//! The journal: what was said and decided, one Markdown file a day.
//!
//! [`parse_journal`] reads a day in any shape a person or a tool may have written; [`render_entry`]
//! and [`day_preamble`] write the one shape that Kenning appends. Invariants: reading never fails;
//! spans lie in the text, in order, and do not change when more is appended; every rendered value is
//! one line and is data, so no captured text can pass for a heading, a section or a provenance comment.
//!
//! It does not know what an entry means, resolves no relative dates, and never rewrites old text.

use std::collections::BTreeMap;

use crate::diagnostic::{Note, Parsed, Severity};
use crate::span::Span;
use crate::time::{Date, leading_date};

pub(crate) mod lines;
mod provenance;
mod render;
mod sanitize;
mod sections;

use lines::{Heading, Line};
pub use provenance::{Provenance, provenances};
pub use render::{NewEntry, day_preamble, render_entry, render_entry_after_open_line};
pub(crate) use sanitize::is_hidden;
pub use sanitize::one_line;
pub use sections::{Loose, Section, loose_items, parse_sections};
pub(crate) use sections::{section_kind, section_label};

/// The label of what people asked.
pub const USER_ASKED: &str = "User asked:";
/// The label of what people told where work was done.
pub const USER_SAID: &str = "User said:";
/// What stands before an option or question of the agent's that was accepted.
pub const USER_AGREED: &str = "User agreed:";

/// What stands before the name of a plan of the agent's that was approved.
pub const USER_APPROVED: &str = "User approved the plan:";

/// The label of the files that an agent changed, documents aside, among what was said: what stands above was said before the
/// last change.
pub const CHANGED: &str = "Changed:";

/// Returns whether a line of an entry says which files were changed there, and nothing else.
///
/// ```
/// use ken_core::journal::is_change;
///
/// assert!(is_change("Changed: `a.rs`, `b.rs` and 2 more"));
/// assert!(!is_change("Changed: `MAX_LOAVES` from 3 to 5"));
/// ```
pub fn is_change(line: &str) -> bool {
    let is_count = |more: &str| more.strip_suffix(" more").is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
    let is_name = |file: &str| {
        let name = file.strip_prefix('`').and_then(|file| file.strip_suffix('`'));
        name.is_some_and(|name| !name.is_empty() && !name.contains('`'))
    };
    line.strip_prefix(CHANGED).is_some_and(|rest| {
        let files = rest.rsplit_once(" and ").filter(|(_, more)| is_count(more)).map_or(rest, |(files, _)| files);
        files.trim().split(", ").all(is_name)
    })
}

/// What stands behind an event, before how often it was, where its result was an error.
pub const FAILED: &str = " (failed)";

/// A command that an agent ran in a shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ran<'a> {
    /// The command, as far as the event shows it.
    pub command: &'a str,
    /// Whether its result was an error, as far as its agent's transcripts say.
    pub has_failed: bool,
    /// How often it was run.
    pub n_times: usize,
}

/// Returns the command that an event ran: the tool's name says that it is a shell.
///
/// ```
/// use ken_core::journal::{Ran, ran};
///
/// assert_eq!(ran("Bash make test (×3)"), Some(Ran { command: "make test", has_failed: false, n_times: 3 }));
/// assert_eq!(ran("shell make (failed)"), Some(Ran { command: "make", has_failed: true, n_times: 1 }));
/// assert!(ran("Read Makefile").is_none() && ran("SlashCommand /review").is_none());
/// assert!(ran("run_in_terminal make").is_some() && ran("shop_execute_sql select 1").is_none());
/// ```
pub fn ran(event: &str) -> Option<Ran<'_>> {
    let (tool, rest) = event.split_once(' ')?;
    let tool = tool.to_lowercase();
    let (rest, n_times) = counted(rest);
    let command = rest.strip_suffix(FAILED);
    let mut words = tool.split(|ch: char| !ch.is_alphanumeric());
    // A server of other people's may call anything so.
    let is_shell = !tool.starts_with("mcp") && (tool == "execute" || words.any(|word| SHELLS.contains(&word)));
    is_shell.then_some(Ran { command: command.unwrap_or(rest), has_failed: command.is_some(), n_times })
}

/// Returns the event that a line of an entry shows, and how often: once, unless the line ends in a count.
pub fn counted(line: &str) -> (&str, usize) {
    let count = line.strip_suffix(')').and_then(|line| line.rsplit_once(" (×"));
    match count.and_then(|(event, n_times)| Some((event, n_times.parse().ok()?))) {
        Some((event, n_times)) => (event, n_times),
        None => (line, 1),
    }
}

/// Returns the file that an event changed: the tool's name says that it writes, and its argument is a file of the project.
///
/// ```
/// use ken_core::journal::changed_file;
///
/// assert_eq!(changed_file("Edit src/cart.ts (×3)"), Some("src/cart.ts"));
/// assert_eq!(changed_file("Read src/cart.ts"), None);
/// ```
pub fn changed_file(event: &str) -> Option<&str> {
    let (tool, file) = event.split_once(' ')?;
    let (file, _) = counted(file);
    let is_path = file.contains('.') && !file.starts_with(['/', '~', '$']) && !file.contains([' ', '*', '`', '\\']);
    let tool = tool.to_lowercase();
    (is_path && WRITING.iter().any(|verb| tool.contains(verb))).then_some(file)
}

/// Returns whether a file is a document by its name: what is said of code holds whatever is written there.
///
/// ```
/// use ken_core::journal::is_document;
///
/// assert!(is_document("docs/oven.md") && !is_document("src/oven.rs") && !is_document("src/CMakeLists.txt"));
/// ```
pub fn is_document(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_read_by_a_tool = name == "CMakeLists.txt" || name.starts_with("requirements");
    !is_read_by_a_tool && [".md", ".txt", ".rst", ".adoc"].iter().any(|end| name.ends_with(end))
}

/// Words in the names of tools that run a command.
const SHELLS: &[&str] = &["bash", "shell", "exec", "terminal", "command"];

/// What tools that change files are called.
const WRITING: &[&str] = &["edit", "write", "patch", "replace", "create"];

/// What stands behind a line that was turned down, or ruled out, later in its session.
pub const TURNED_DOWN: &str = " (turned down)";
/// The same of what was supposed.
pub const RULED_OUT: &str = " (ruled out)";

/// Returns whether a line says of itself that it was overruled later in its session.
pub fn is_overruled(line: &str) -> bool {
    let line = line.trim_end();
    [TURNED_DOWN, RULED_OUT].iter().any(|mark| line.ends_with(mark))
}

/// Returns whose words a line of an entry repeats, as the label says that stands before them, and the words.
///
/// ```
/// use ken_core::journal::{USER_SAID, of_user};
///
/// assert_eq!(of_user("User said: the oven is cold"), Some((USER_SAID, "the oven is cold")));
/// assert_eq!(of_user("The oven is cold."), None);
/// ```
pub fn of_user(line: &str) -> Option<(&'static str, &str)> {
    [USER_ASKED, USER_SAID].into_iter().find_map(|label| Some((label, line.strip_prefix(label)?.trim_start())))
}

/// Returns what a line of an entry says, whoever's words it repeats.
pub fn without_speaker(line: &str) -> &str {
    of_user(line).map_or(line, |(_, said)| said)
}

/// Headings that only group entries and are none themselves.
const GROUPINGS: &[&str] = &["sessions", "memory maintenance"];

/// One day of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// The day: as the caller knows it (from the file's name), else as the heading gives it.
    pub date: Option<Date>,
    /// The entries, in the order they were written.
    pub entries: Vec<JournalEntry>,
}

impl Journal {
    /// Returns the entries that speak for the day: where a model wrote an entry anew from the part of the
    /// transcript that another one was extracted from, the newest of those, beside the extracted one where it keeps
    /// little, and none that keeps nothing or is covered.
    pub fn standing(&self) -> impl Iterator<Item = &JournalEntry> {
        let distilled = self.written_anew();
        let is_replaced = move |at: usize, provenance: &Provenance| {
            let last = provenance.part().and_then(|part| distilled.get(&part));
            last.is_some_and(|last| match provenance.distilled {
                None => !self.entries[*last].provenance.keeps_little,
                Some(_) => *last > at,
            })
        };
        let all = self.entries.iter().enumerate();
        let stands = move |(at, entry): &(usize, &JournalEntry)| {
            let provenance = &entry.provenance;
            let keeps_nothing = provenance.distilled.is_some() && provenance.keeps_nothing;
            !keeps_nothing && !is_replaced(*at, provenance) && !entry.is_covered()
        };
        all.filter(stands).map(|(_, entry)| entry)
    }

    /// Returns the parts of transcripts from which a model wrote entries, each with the place of the last of them; most
    /// days have none.
    pub fn written_anew(&self) -> BTreeMap<(&str, (u64, u64)), usize> {
        let written = self.entries.iter().enumerate().filter(|(_, entry)| entry.provenance.distilled.is_some());
        written.filter_map(|(at, entry)| Some((entry.provenance.part()?, at))).collect()
    }
}

/// One entry of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry {
    /// The whole entry, heading included, without trailing blank lines.
    pub span: Span,
    /// What the entry is called; empty when it has no heading or the heading only says when.
    pub title: String,
    /// Hour and minute, when the heading gives them.
    pub time: Option<(u8, u8)>,
    /// Where the entry came from, when it says.
    pub provenance: Provenance,
    /// The text after the heading and the provenance comment.
    pub body: Span,
}

impl JournalEntry {
    /// Returns whether nothing of the entry is left but the mark that covers it.
    pub fn is_covered(&self) -> bool {
        self.body.start == self.body.end && crate::redact::is_covered(&self.title)
    }
}

/// The sections that a captured entry is made of, in the order they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectionKind {
    /// What was being worked on.
    Context,
    /// What was asked and what came of it.
    KeyExchanges,
    /// What was settled.
    DecisionsMade,
    /// What was learned the hard way.
    LessonsLearned,
    /// What is left to do.
    ActionItems,
    /// Exact names that were said and that nothing above holds, in one line of inline code.
    Names,
    /// What was run and changed.
    Events,
}

impl SectionKind {
    /// Every kind, in the order they are written.
    pub const ALL: [SectionKind; 7] = [
        SectionKind::Context,
        SectionKind::KeyExchanges,
        SectionKind::DecisionsMade,
        SectionKind::LessonsLearned,
        SectionKind::ActionItems,
        SectionKind::Names,
        SectionKind::Events,
    ];

    /// Returns the bold label that the section starts with, without its colon.
    pub fn label(self) -> &'static str {
        match self {
            SectionKind::Context => "Context",
            SectionKind::KeyExchanges => "Key Exchanges",
            SectionKind::DecisionsMade => "Decisions Made",
            SectionKind::LessonsLearned => "Lessons Learned",
            SectionKind::ActionItems => "Action Items",
            SectionKind::Names => "Names",
            SectionKind::Events => "Events",
        }
    }

    /// Returns whether the section is made of statements, not of names or of what tools did.
    pub fn is_said(self) -> bool {
        !matches!(self, SectionKind::Names | SectionKind::Events)
    }

    fn from_label(label: &str) -> Option<SectionKind> {
        SectionKind::ALL.into_iter().find(|kind| kind.label().eq_ignore_ascii_case(label.trim()))
    }
}

/// Reads one day of the journal; `date` is the day its file name gives.
///
/// ```
/// # use ken_core::journal::parse_journal;
/// let day = parse_journal("# 2026-04-01\n\n## 09:30 Standup\nOvens arrive on Friday.\n", None).value;
/// assert_eq!((day.entries[0].title.as_str(), day.entries[0].time), ("Standup", Some((9, 30))));
/// ```
pub fn parse_journal(text: &str, date: Option<Date>) -> Parsed<Journal> {
    let lines = lines::split(text);
    let mut reader = Reader { text, lines: &lines, date, entries: Vec::new(), notes: Vec::new() };
    reader.read();
    Parsed { value: Journal { date: reader.date, entries: reader.entries }, notes: reader.notes }
}

/// The state of one reading.
struct Reader<'a> {
    text: &'a str,
    lines: &'a [Line],
    date: Option<Date>,
    entries: Vec<JournalEntry>,
    notes: Vec<Note>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let first = lines::after_front_matter(self.text, self.lines);
        let marks: Vec<usize> = (first..self.lines.len())
            .filter(|at| self.lines[*at].heading.is_some_and(|heading| heading.level <= 3))
            .collect();
        self.untitled(first, marks.first().copied().unwrap_or(self.lines.len()));
        for (nth, at) in marks.iter().enumerate() {
            let end = marks.get(nth + 1).copied().unwrap_or(self.lines.len());
            let heading = self.lines[*at].heading.expect("marks are headings");
            let name = heading.text.of(self.text);
            match heading.level {
                1 if self.take_date(name, heading) => self.untitled(at + 1, end),
                1 => self.under_plain_title(*at, end),
                2 if self.is_grouping(name, at + 1, end) => self.untitled(at + 1, end),
                _ => self.titled(*at, end, name),
            }
        }
    }

    /// Takes the day from a level-one heading; returns whether it named one.
    fn take_date(&mut self, name: &str, heading: Heading) -> bool {
        let rest = name.strip_prefix("Daily Log").map_or(name, |rest| rest.trim_start_matches([':', ' ']));
        let Some(found) = leading_date(rest) else { return false };
        if self.date.is_some_and(|date| date != found) {
            let message = format!("the heading says {found}, the file's name another day; the name is used");
            self.notes.push(Note { rule: "journal-date", severity: Severity::Warning, span: heading.text, message });
        }
        self.date = self.date.or(Some(found));
        true
    }

    /// A level-one heading that is no date is kept with its text, so that nothing written is lost.
    fn under_plain_title(&mut self, at: usize, end: usize) {
        if self.content(at + 1, end).is_some() {
            self.untitled(at, end);
        }
    }

    fn is_grouping(&self, name: &str, from: usize, end: usize) -> bool {
        let named = GROUPINGS.iter().any(|grouping| name.eq_ignore_ascii_case(grouping));
        let next_is_entry = self.lines.get(end).and_then(|line| line.heading).is_some_and(|next| next.level == 3);
        named || next_is_entry && self.content(from, end).is_none()
    }

    fn untitled(&mut self, from: usize, end: usize) {
        if let Some(body) = self.content(from, end) {
            let provenance = Provenance::default();
            self.entries.push(JournalEntry { span: body, title: String::new(), time: None, provenance, body });
        }
    }

    fn titled(&mut self, at: usize, end: usize, name: &str) {
        let (title, time) = title_and_time(name);
        let start = self.lines[at].span.start;
        let heading_end = start + self.lines[at].span.of(self.text).trim_end().len();
        let mut body = self.content(at + 1, end).unwrap_or(Span::new(heading_end, heading_end));
        let span = Span::new(start, body.end);
        let mut provenance = Provenance::default();
        let first_line = body.of(self.text).lines().next().unwrap_or("");
        if let Some(parsed) = Provenance::parse(first_line) {
            let rest = &body.of(self.text)[first_line.len()..];
            body.start = body.end - rest.trim_start().len();
            provenance = parsed;
        } else if first_line.starts_with(provenance::OPENING) {
            let span = Span::new(body.start, body.start + first_line.len());
            let message = "the provenance comment cannot be read".to_owned();
            self.notes.push(Note { rule: "journal-provenance", severity: Severity::Warning, span, message });
        }
        self.entries.push(JournalEntry { span, title, time, provenance, body });
    }

    /// Returns what stands in the lines from `from` up to `end`, without blank edges.
    fn content(&self, from: usize, end: usize) -> Option<Span> {
        let start = self.lines.get(from).filter(|_| from < end)?.span.start;
        let text = Span::new(start, self.lines[end - 1].span.end).of(self.text);
        let trimmed = text.trim();
        let lead = text.len() - text.trim_start().len();
        (!trimmed.is_empty()).then(|| Span::new(start + lead, start + lead + trimmed.len()))
    }
}

/// Splits a heading such as `Session (14:30) - Title`, `14:30 Title` or `Title (14:30)`.
fn title_and_time(name: &str) -> (String, Option<(u8, u8)>) {
    if let Some((time, rest)) = leading_time(name) {
        return (rest.trim_start_matches([' ', '-', '–', '—', ':', '|']).trim().to_owned(), Some(time));
    }
    let Some((before, after)) = name.split_once('(') else { return (name.to_owned(), None) };
    let Some((time, after)) = leading_time(after) else { return (name.to_owned(), None) };
    let Some(after) = after.strip_prefix(')') else { return (name.to_owned(), None) };
    let (before, after) = (before.trim(), after.trim());
    let said = ["- ", "– ", "— ", ": "].iter().find_map(|mark| after.strip_prefix(mark)).unwrap_or(after).trim();
    let title = match (before.eq_ignore_ascii_case("session"), said.is_empty()) {
        (true, _) => said.to_owned(),
        (false, true) => before.to_owned(),
        (false, false) => format!("{before} - {said}"),
    };
    (title, Some(time))
}

fn leading_time(text: &str) -> Option<((u8, u8), &str)> {
    let (hour, rest) = text.split_once(':')?;
    let minute = rest.get(..2)?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if hour.len() > 2 || !digits(hour) || !digits(minute) || rest[2..].starts_with(|ch: char| ch.is_ascii_digit()) {
        return None;
    }
    let time = (hour.parse().ok()?, minute.parse().ok()?);
    (time.0 < 24 && time.1 < 60).then_some((time, &rest[2..]))
}

#[cfg(test)]
mod tests;

//! From a transcript's range to entries for the journal, by copying sentences.
//!
//! Nothing is invented and no model is asked: every line of an entry stands in the transcript, whole or
//! cut at a word. One entry is made for each local day; the ranges of the entries join without gaps.
//! It takes only [`Scrubbed`] records, so no rule here ever sees a secret.
//!
//! What is worth keeping for good is decided later, by the compiler; this only keeps what a person
//! would want to find in the day's log.

use std::borrow::Cow;

use jiff::tz::TimeZone;
use ken_core::journal::{NewEntry, Provenance, SectionKind, changed_file, is_change, is_document};
use ken_core::text::cut;
use ken_core::{Date, Timestamp};

use crate::scrub::scrub;
use crate::transcript::{ReadReport, Record, Role};

mod accepted;
mod bullet;
mod entry;
mod fit;
mod heard;
mod names;
mod options;
mod overruled;
mod phrases;
mod quoted;
mod request;
mod ruling;
mod same;
mod sentence;
mod statements;
mod summed;
mod title;
mod units;

pub use fit::fit;
pub use heard::Heard;
pub use overruled::is_proposed;
use phrases::Label;
use request::Said;
pub use sentence::small_sentences;
pub use summed::FROM_SUMMARY;

/// Longest title that is made of a statement, in characters.
const TITLE_CHARS_MAX: usize = 60;

/// Returns the section of an entry in which a statement belongs that somebody wrote by hand: by the label before it
/// (`Decision:`, `Lesson learned:`, `TODO:`), else by its wording.
///
/// ```
/// # use ken_intake::extract::section_of;
/// # use ken_core::journal::SectionKind;
/// assert_eq!(section_of("Decision: we bake at 220 degrees."), SectionKind::DecisionsMade);
/// assert_eq!(section_of("Lesson learned: never open the oven early."), SectionKind::LessonsLearned);
/// assert_eq!(section_of("TODO: order flour."), SectionKind::ActionItems);
/// assert_eq!(section_of("I'll send the mill the order by Friday."), SectionKind::ActionItems);
/// assert_eq!(section_of("The oven is hot."), SectionKind::KeyExchanges);
/// ```
pub fn section_of(statement: &str) -> SectionKind {
    let phrases = phrases::Phrases::get();
    match phrases.label(statement) {
        Some(Label::Decision) => SectionKind::DecisionsMade,
        Some(Label::Lesson) => SectionKind::LessonsLearned,
        Some(Label::Action) => SectionKind::ActionItems,
        _ if phrases.is_action(statement) || phrases.is_promise(statement) => SectionKind::ActionItems,
        _ if phrases.is_decision(statement) => SectionKind::DecisionsMade,
        _ => SectionKind::KeyExchanges,
    }
}

/// Returns what a line of an entry says, in lower case and without the form in which it was taken.
pub fn bare_sentence(line: &str) -> String {
    let bare = phrases::Phrases::get().without_opener(line);
    bare.strip_suffix(':').unwrap_or(bare).to_lowercase()
}

/// Returns the sentences and items that a request was put together from.
pub fn request_parts(request: &str) -> Vec<&str> {
    sentence::sentences(request).into_iter().flat_map(|sentence| sentence.split("; ")).collect()
}

/// What was extracted from one range of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extracted {
    /// The entries with their local days, oldest first; however long they are, see [`fit`].
    pub entries: Vec<(Date, NewEntry)>,
    /// Where nothing was said that could stand in an entry: what was done, as an entry that holds nothing else.
    pub unsaid: Option<(Date, NewEntry)>,
    /// How many secrets were replaced on the way.
    pub redactions: usize,
}

/// Records without what nobody sees and without secrets.
#[derive(Debug, Clone, Default)]
pub struct Scrubbed {
    records: Vec<Record>,
    n_redacted: usize,
}

impl Scrubbed {
    /// Returns the records, scrubbed.
    pub fn of(mut records: Vec<Record>) -> Scrubbed {
        let mut n_redacted = 0;
        let texts = records.iter_mut().map(|record| match record {
            Record::Turn(turn) => &mut turn.text,
            Record::Event(event) => &mut event.line,
        });
        for text in texts {
            let (clean, n_found) = scrub(text);
            n_redacted += n_found;
            if let Cow::Owned(clean) = clean {
                *text = clean;
            }
        }
        Scrubbed { records, n_redacted }
    }

    /// Returns them.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns when the first that says so was recorded.
    pub fn first_time(&self) -> Option<Timestamp> {
        self.records.iter().find_map(Record::at)
    }
}

/// Returns the entries that the records of one range give.
///
/// `now` dates what the transcript does not date.
pub fn extract(scrubbed: &Scrubbed, report: &ReadReport, zone: &TimeZone, now: Timestamp) -> Extracted {
    let mut days = Days { days: Vec::new(), zone, last: scrubbed.first_time().unwrap_or(now) };
    scrubbed.records.iter().for_each(|record| days.add(record));
    days.days.iter_mut().for_each(|day| quoted::leave_quotes(&mut day.said));
    let (title, n_in_title) = report.title.as_deref().map(scrub).map_or((None, 0), |(title, n)| (Some(title), n));
    let title = title.map(Cow::into_owned);
    let mut entries: Vec<(Date, NewEntry)> = Vec::new();
    let mut start = report.start_offset;
    // What was done before anything was said.
    let mut unsaid: Vec<String> = Vec::new();
    for (at, day) in days.days.iter().enumerate() {
        let end = days.days.get(at + 1).map_or(report.end_offset, |next| next.offset);
        let events = [std::mem::take(&mut unsaid), day.events.clone()].concat();
        let branch = report.branch.as_deref();
        match (entry::sections((&day.said, &day.summed), (&events, &day.changes), branch), entries.last_mut()) {
            (Some(sections), _) => {
                let title = title.clone().unwrap_or_else(|| {
                    let kept: Vec<String> = said_in(&sections).map(|line| without_mark(line).to_owned()).collect();
                    title::title(&day.said, &title::Known { branch, events: &events, kept: &kept })
                });
                let title = if title.is_empty() { title_of(&sections) } else { title };
                let provenance = provenance(report, (start, end));
                entries.push((day.date, NewEntry { title, time: day.time, provenance, sections }));
                start = end;
            }
            // A day with nothing to say still belongs to somebody's range: the entry before it, or the next.
            (None, Some((_, last))) => {
                last.provenance.range = last.provenance.range.map(|range| (range.0, end));
                add_events(last, &events);
                start = end;
            }
            (None, None) => unsaid = events,
        }
    }
    let events = entry::listed(&unsaid);
    let unsaid = days.days.last().filter(|_| !events.is_empty()).map(|day| {
        let title = title.unwrap_or_default();
        let provenance = provenance(report, (report.start_offset, report.end_offset));
        (day.date, NewEntry { title, time: day.time, provenance, sections: vec![(SectionKind::Events, events)] })
    });
    Extracted { entries, unsaid, redactions: report.redactions + scrubbed.n_redacted + n_in_title }
}

fn add_events(entry: &mut NewEntry, events: &[String]) {
    let events = entry::listed(events);
    match entry.sections.iter_mut().find(|(kind, _)| *kind == SectionKind::Events) {
        Some((_, listed)) => listed.extend(events),
        None if events.is_empty() => {}
        None => entry.sections.push((SectionKind::Events, events)),
    }
}

/// A title for what nobody asked for in this range: the first thing that was settled or said.
fn title_of(sections: &[(SectionKind, Vec<String>)]) -> String {
    said_in(sections)
        .next()
        .map_or_else(String::new, |statement| cut(without_mark(statement).trim_end_matches('.'), TITLE_CHARS_MAX))
}

fn without_mark(line: &str) -> &str {
    line.strip_suffix(FROM_SUMMARY).unwrap_or(line)
}

/// Returns what sections say, beside what was done and named.
fn said_in(sections: &[(SectionKind, Vec<String>)]) -> impl Iterator<Item = &String> {
    let said = sections.iter().filter(|(kind, _)| kind.is_said());
    said.flat_map(|(_, statements)| statements).filter(|line| !is_change(line))
}

/// Returns whose the records of a transcript are; `range` is theirs, from and to, in the reader's
/// [`Unit`](crate::transcript::Unit).
pub fn provenance(report: &ReadReport, range: (u64, u64)) -> Provenance {
    Provenance {
        session: report.session.clone(),
        agent: Some(report.agent.to_owned()),
        project: report.project.as_deref().map(|project| scrub(project).0.into_owned()),
        trust: Some("agent".to_owned()),
        range: Some(range),
        ..Provenance::default()
    }
}

/// One local day of a range.
struct Day {
    date: Date,
    time: (u8, u8),
    /// Where its first turn starts.
    offset: u64,
    said: Vec<Said>,
    /// What the agent summed up of what came before.
    summed: Vec<String>,
    events: Vec<String>,
    changes: Changes,
}

/// The files that tools changed on a day, documents aside.
#[derive(Default)]
struct Changes {
    files: Vec<String>,
    /// How many turns were said before the last change.
    n_said: usize,
}

impl Day {
    fn done(&mut self, event: String) {
        if let Some(file) = changed_file(&event).filter(|file| !is_document(file)) {
            self.changes.n_said = self.said.len();
            if !self.changes.files.iter().any(|known| known == file) {
                self.changes.files.push(file.to_owned());
            }
        }
        self.events.push(event);
    }
}

/// Sorts records into days. Time never runs backwards: a resumed session may repeat older records.
struct Days<'a> {
    days: Vec<Day>,
    zone: &'a TimeZone,
    last: Timestamp,
}

impl Days<'_> {
    fn add(&mut self, record: &Record) {
        match record {
            Record::Turn(turn) => {
                self.last = turn.at.unwrap_or(self.last).max(self.last);
                let text = turn.text.clone();
                let day = self.today(turn.offset);
                match turn.role {
                    Role::Summary => day.summed.push(text),
                    role => day.said.push(Said { is_user: role == Role::User, text }),
                }
            }
            Record::Event(event) => {
                // What was done belongs to what was said before it, also after midnight.
                if self.days.is_empty() {
                    self.today(event.offset);
                }
                if let Some(day) = self.days.last_mut() {
                    day.done(event.line.clone());
                }
            }
        }
    }

    fn today(&mut self, offset: u64) -> &mut Day {
        let local = self.last.to_zoned(self.zone.clone());
        let date = local.date();
        if self.days.last().is_none_or(|day| day.date < date) {
            let part = |number: i8| u8::try_from(number).unwrap_or(0);
            let time = (part(local.hour()), part(local.minute()));
            let changes = Changes::default();
            self.days.push(Day {
                date,
                time,
                offset,
                said: Vec::new(),
                summed: Vec::new(),
                events: Vec::new(),
                changes,
            });
        }
        self.days.last_mut().expect("one was just made")
    }
}

#[cfg(test)]
mod tests;

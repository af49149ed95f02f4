//! Writing operations on the journal: capture a transcript, log a note.
//!
//! The journal is append-only and is itself the record of what was captured: each entry names its session
//! and the byte range of the transcript it came from, so the same line is captured once and none twice.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use ken_core::journal::{
    NewEntry, Provenance, SectionKind, day_preamble, parse_journal, render_entry, render_entry_after_open_line,
};
use ken_core::text::{cut, sentences};
use ken_core::{Date, Edit, LogEntry, Plan, VaultPath};
use ken_store::LockGuard;

use crate::engine::Engine;
use crate::extract::extract;
use crate::failure::Failure;
use crate::outcome::{CaptureOutcome, LogOutcome};
use crate::outside::{self, File};
use crate::scrub::scrub;
use crate::transcript::{ClaudeCode, Record, Role, TranscriptReader, Unit, reader_for, reader_named};

/// Bytes looked at to tell whose transcript it is.
const SNIFF_BYTES: u64 = 64 * 1024;

impl Engine {
    /// Appends what is new in a transcript to the journal.
    ///
    /// # Errors
    /// When the transcript cannot be read or is of no known format, or the journal cannot be written.
    pub fn capture(&self, transcript: &Path, agent: Option<&str>) -> Result<CaptureOutcome, Failure> {
        let place = transcript.display().to_string();
        let mut file = outside::open(transcript)?;
        let reader = self.reader(&mut file, agent, &place)?;
        let guard = self.lock("capture")?;
        let (head, len) = self.head(reader, &mut file, &place)?;
        // A session is known by its own id, which stands near the top, or by its file's name.
        let stem = transcript.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let session = head.session.or_else(|| reader.session_of(transcript)).unwrap_or(stem);
        let until = self.captured_until(&session)?;
        let start = if reader.unit() == Unit::Bytes { until.min(len) } else { until };
        let mut records = Vec::new();
        let mut report = read_from(reader, &mut file, start, &place, &mut |record| records.push(record))?;
        if head.is_subagent {
            // A range that starts later does not know whose words these are.
            records.retain(|record| !matches!(record, Record::Turn(turn) if turn.role == Role::User));
        }
        report.session = Some(session.clone());
        report.title = report.title.or(head.title);
        report.project = report.project.or(head.project);
        let extracted = extract(&records, &report, &self.clock.zone, self.clock.now);
        let mut outcome = CaptureOutcome {
            entries_added: extracted.entries.len(),
            lines_read: report.lines_read,
            skipped: report.lines_skipped.iter().map(|(reason, n)| ((*reason).to_owned(), *n)).collect(),
            redactions: extracted.redactions,
            session: Some(session.clone()),
            agent: reader.agent().to_owned(),
            was_known: start > 0 && report.end_offset == start,
            ..CaptureOutcome::default()
        };
        outcome.journal = self.append(&guard, "capture", &format!("session {session}"), &extracted.entries)?;
        Ok(outcome)
    }

    fn reader(
        &self,
        file: &mut File,
        agent: Option<&str>,
        place: &str,
    ) -> Result<&'static dyn TranscriptReader, Failure> {
        if let Some(name) = agent.filter(|name| *name != "auto") {
            return reader_named(name).ok_or_else(|| {
                Failure::usage(format!("no reader for agent `{name}`")).hint("known agents: claude-code")
            });
        }
        let mut start = Vec::new();
        file.by_ref().take(SNIFF_BYTES).read_to_end(&mut start).map_err(|error| Failure::io("read", place, &error))?;
        // A session that has just begun has an empty file; there is nothing to tell and nothing to refuse.
        if start.iter().all(u8::is_ascii_whitespace) {
            return Ok(&ClaudeCode);
        }
        let name = Path::new(place).file_name().unwrap_or_default().to_string_lossy();
        reader_for(&name, &start).ok_or_else(|| {
            Failure::refused(format!("`{place}` is not a transcript of a known agent"))
                .hint("name its agent with `--agent claude-code`")
                .hint("a document is registered with `ken ingest`; nothing was changed")
        })
    }

    /// What the first lines of a transcript say of it, and its length in bytes.
    fn head(
        &self,
        reader: &dyn TranscriptReader,
        file: &mut File,
        place: &str,
    ) -> Result<(crate::transcript::ReadReport, u64), Failure> {
        let failed = |error: std::io::Error| Failure::io("read", place, &error).hint("nothing was changed");
        let len = file.metadata().map_err(failed)?.len();
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut input = BufReader::new(file.take(SNIFF_BYTES));
        Ok((reader.read(&mut input, 0, &mut |_| ()).map_err(failed)?, len))
    }

    /// The end of the newest range of a session that stands in the journal.
    fn captured_until(&self, session: &str) -> Result<u64, Failure> {
        let listing = self.store.list(&self.layout().journal)?;
        // An id may hold what is written differently in a comment; its plain beginning is looked for.
        let plain = session.split(|ch: char| !ch.is_ascii_alphanumeric() && !"-_./:".contains(ch)).next();
        let needle = format!("session={}", plain.unwrap_or_default());
        let until = |_: &ken_store::FileStat, bytes: Vec<u8>| {
            // Most days do not name the session; they need no parsing.
            memchr::memmem::find(&bytes, needle.as_bytes())?;
            let text = String::from_utf8_lossy(&bytes);
            let entries = parse_journal(&text, None).value.entries;
            let ranges = entries
                .iter()
                .filter(|entry| entry.provenance.session.as_deref() == Some(session))
                .filter_map(|entry| entry.provenance.range);
            ranges.map(|(_, end)| end).max()
        };
        Ok(self.store.map_files(&listing.files, until)?.into_iter().flatten().flatten().max().unwrap_or(0))
    }

    /// Appends a hand-written entry to today's journal.
    ///
    /// # Errors
    /// When the text is empty or the journal cannot be written.
    pub fn log(&self, text: &str, title: Option<&str>) -> Result<LogOutcome, Failure> {
        let (text, redactions) = scrub(text);
        let statements: Vec<String> = statements(&text);
        let Some(first) = statements.first() else {
            return Err(Failure::usage("there is no text to log")
                .hint("give it as `ken log \"what happened\"` or on standard input"));
        };
        let (title, more) = match title {
            Some(title) => {
                let (title, n) = scrub(title);
                (title.into_owned(), n)
            }
            None => (cut(first.trim_end_matches('.'), 60), 0),
        };
        let entry = self.hand_written(title, statements);
        let guard = self.lock("log")?;
        let journal = self.append(&guard, "log", &entry.title.clone(), &[(self.clock.today(), entry)])?;
        let journal = journal.into_iter().next().ok_or_else(|| Failure::refused("the journal did not grow"))?;
        Ok(LogOutcome { journal, redactions: redactions + more })
    }

    /// An entry of now that a person wrote.
    pub(crate) fn hand_written(&self, title: String, statements: Vec<String>) -> NewEntry {
        let now = self.clock.now.to_zoned(self.clock.zone.clone());
        let provenance = Provenance { trust: Some("user".to_owned()), ..Provenance::default() };
        let sections = vec![(SectionKind::KeyExchanges, statements)];
        NewEntry { title, time: (now.hour() as u8, now.minute() as u8), provenance, sections }
    }

    /// Appends entries to their days in one plan; returns the files that grew.
    pub(crate) fn append(
        &self,
        guard: &LockGuard,
        kind: &str,
        subject: &str,
        entries: &[(Date, NewEntry)],
    ) -> Result<Vec<VaultPath>, Failure> {
        let mut days: Vec<(VaultPath, Date, String)> = Vec::new();
        for (date, entry) in entries {
            let path = self.layout().journal.join(&format!("{date}.md")).expect("a date is a file name");
            match days.iter_mut().find(|(known, ..)| *known == path) {
                Some((.., text)) => text.push_str(&render_entry(entry)),
                None => {
                    let ends_open =
                        self.store.read(&path)?.is_some_and(|bytes| !bytes.is_empty() && !bytes.ends_with(b"\n"));
                    let text = if ends_open { render_entry_after_open_line(entry) } else { render_entry(entry) };
                    days.push((path, *date, text));
                }
            }
        }
        let edit = |(path, date, text): &(VaultPath, Date, String)| Edit::Append {
            path: path.clone(),
            preamble: day_preamble(*date).into_bytes(),
            content: text.clone().into_bytes(),
        };
        let lines = days.iter().map(|(path, ..)| format!("appended to {path}")).collect();
        let log = LogEntry {
            at: self.clock.now,
            kind: kind.to_owned(),
            subject: subject.to_owned(),
            lines,
            inputs: Vec::new(),
            public: false,
        };
        self.apply(guard, &Plan { edits: days.iter().map(edit).collect(), guards: Vec::new(), log })?;
        Ok(days.into_iter().map(|(path, ..)| path).collect())
    }
}

fn read_from(
    reader: &dyn TranscriptReader,
    file: &mut File,
    start: u64,
    place: &str,
    sink: &mut dyn FnMut(Record),
) -> Result<crate::transcript::ReadReport, Failure> {
    let failed = |error: std::io::Error| Failure::io("read", place, &error).hint("nothing was changed");
    let from = if reader.unit() == Unit::Bytes { start } else { 0 };
    file.seek(SeekFrom::Start(from)).map_err(failed)?;
    let mut input = BufReader::with_capacity(256 * 1024, file);
    let report = reader.read(&mut input as &mut dyn BufRead, start, sink).map_err(failed)?;
    Ok(report)
}

/// The statements of a hand-written text: its list items and paragraphs, sentence by sentence.
fn statements(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut paragraph = String::new();
    let flush = |paragraph: &mut String, out: &mut Vec<String>| {
        out.extend(sentences(paragraph).iter().map(|sentence| sentence.of(paragraph).to_owned()));
        paragraph.clear();
    };
    for line in text.lines().map(str::trim) {
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        if line.is_empty() || item.is_some() {
            flush(&mut paragraph, &mut out);
        }
        match item {
            Some(item) => out.push(item.to_owned()),
            None => {
                paragraph.push_str(line);
                paragraph.push(' ');
            }
        }
    }
    flush(&mut paragraph, &mut out);
    out.retain(|statement| statement.chars().any(char::is_alphanumeric));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_cut_into_items_and_sentences() {
        assert_eq!(
            statements("One is so. Two\nwraps.\n\n- item a\n* item b\n"),
            ["One is so.", "Two wraps.", "item a", "item b"]
        );
        assert!(statements(" \n--\n").is_empty());
    }
}

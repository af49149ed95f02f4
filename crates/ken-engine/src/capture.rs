//! Puts what is new in a transcript into the journal.
//!
//! The journal is itself the record of what was captured: each entry names its session and the range of
//! the transcript it came from, so the same line is captured once and none twice. A transcript that was
//! written anew (cut, compacted, moved to another format) is read from its start, and what already
//! stands in the journal for its session is left out. Long transcripts are taken in pieces, so that
//! memory stays bounded.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, SeekFrom};
use std::path::Path;

use ken_core::journal::{NewEntry, SectionKind, one_line, parse_journal};
use ken_core::{Date, Digest, VaultPath};
use ken_store::LockGuard;

use crate::engine::Engine;
use crate::extract::extract;
use crate::failure::Failure;
use crate::outcome::CaptureOutcome;
use crate::outside;
use crate::scrub::scrub;
use crate::seen::{Known, SeenFile, SeenSession};
use crate::transcript::copied;
use crate::transcript::stored::{self, Found, Input, Transcript, transcripts_at};
use crate::transcript::{ClaudeCode, READERS, ReadReport, Record, Role, TranscriptReader, Unit};

/// Bytes of a transcript that are taken at once; what is said in them is held in memory.
const PIECE_BYTES: u64 = 32 * 1024 * 1024;
/// Bytes before the end of what was captured that tell whether the file is still the same.
const TAIL_BYTES: u64 = 256;

/// Bytes in which the first thing said is looked for.
const FIRST_BYTES: u64 = 1024 * 1024;

/// How much of a transcript that gave no entry is read again with what follows it.
fn unit_max(unit: Unit) -> u64 {
    match unit {
        Unit::Bytes => 4 * 1024 * 1024,
        Unit::Messages => 200,
    }
}

/// How to capture.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CaptureOptions<'a> {
    /// The agent whose format it is; without it, the file tells.
    pub(crate) agent: Option<&'a str>,
    /// With fewer turns that are new, leave them for later.
    pub(crate) turns_min: usize,
}

/// A transcript that was opened.
struct Reading {
    input: Box<dyn Input>,
    reader: &'static dyn TranscriptReader,
    place: String,
    len: u64,
    look: SeenFile,
}

/// Captures one transcript after another.
pub struct Captures<'a> {
    engine: &'a Engine,
    known: Known,
}

impl Captures<'_> {
    /// Appends what is new in a transcript to the journal.
    ///
    /// # Errors
    /// When the transcript cannot be read or is of no known format, its session is excluded by the
    /// configuration, or the journal cannot be written.
    pub fn capture(&mut self, transcript: &Transcript, agent: Option<&str>) -> Result<CaptureOutcome, Failure> {
        self.capture_with(transcript, CaptureOptions { agent, turns_min: 0 })
    }

    pub(crate) fn capture_with(
        &mut self,
        transcript: &Transcript,
        options: CaptureOptions<'_>,
    ) -> Result<CaptureOutcome, Failure> {
        let done = self.engine.capture_with(transcript, options, &mut self.known);
        if self.known.is_full() {
            self.engine.save_known(&mut self.known);
        }
        done
    }

    /// Returns whether a transcript looks as it did when it was last read, and was this vault's.
    pub(crate) fn unchanged(&self, transcript: &Transcript, look: &SeenFile) -> Option<bool> {
        self.known.unchanged(&transcript.place(), look).map(|seen| seen.is_ours)
    }

    /// Notes that a transcript is of another vault.
    pub(crate) fn pass_over(&mut self, transcript: &Transcript, look: SeenFile) {
        self.known.note_file(&transcript.place(), look);
    }
}

impl Drop for Captures<'_> {
    fn drop(&mut self) {
        self.engine.save_known(&mut self.known);
    }
}

impl Engine {
    /// Returns the transcripts at a place: the file itself, those below a folder, the sessions of a store.
    pub fn transcripts_at(&self, path: &Path) -> Found {
        transcripts_at(path)
    }

    /// Returns what captures one transcript after another; what it learns of them is kept when it goes.
    pub fn captures(&self) -> Captures<'_> {
        Captures { engine: self, known: self.known() }
    }

    /// Appends what is new in a transcript to the journal.
    ///
    /// # Errors
    /// As [`Captures::capture`].
    pub fn capture(&self, transcript: &Transcript, agent: Option<&str>) -> Result<CaptureOutcome, Failure> {
        self.captures().capture(transcript, agent)
    }

    fn capture_with(
        &self,
        transcript: &Transcript,
        options: CaptureOptions<'_>,
        known: &mut Known,
    ) -> Result<CaptureOutcome, Failure> {
        let mut reading = open(transcript, options.agent)?;
        let guard = self.lock("capture")?;
        let mut head = head(&mut reading, transcript)?;
        // People name sessions, and the name goes wherever the session goes.
        head.session = head.session.map(|session| scrub(&session).0.into_owned());
        if let Some(cwd) = head.cwd.as_deref()
            && self.is_excluded(Path::new(cwd))
        {
            let message = format!("`{}` is of an excluded project", reading.place);
            return Err(Failure::refused(message).hint("the list is `exclude` in kenning.toml; nothing was changed"));
        }
        self.capture_pieces(&guard, &mut reading, (&head, options), known)
    }

    /// Returns the working folder of a transcript, if it or what stands beside it tells.
    pub(crate) fn cwd_of(&self, transcript: &Transcript) -> Result<Option<String>, Failure> {
        if transcript.cwd.is_some() {
            return Ok(transcript.cwd.clone());
        }
        Ok(head(&mut open(transcript, None)?, transcript)?.cwd)
    }

    /// Returns whether sessions in this folder are to be left alone.
    pub(crate) fn is_excluded(&self, cwd: &Path) -> bool {
        let relative = cwd.strip_prefix(self.root()).unwrap_or(cwd).to_string_lossy().replace('\\', "/");
        self.config.excludes(&cwd.to_string_lossy().replace('\\', "/"), &relative)
    }

    fn capture_pieces(
        &self,
        guard: &LockGuard,
        reading: &mut Reading,
        (head, options): (&ReadReport, CaptureOptions<'_>),
        known: &mut Known,
    ) -> Result<CaptureOutcome, Failure> {
        let session = head.session.clone().unwrap_or_default();
        let (mut start, mut known_lines) = self.where_to_begin(reading, &session, known)?;
        let was_begun = start > 0 || known_lines.is_some();
        let mut outcome = CaptureOutcome {
            session: Some(session.clone()),
            agent: reading.reader.agent().to_owned(),
            ..CaptureOutcome::default()
        };
        let mut kept_from = start;
        loop {
            let mut piece = piece(reading, start, head)?;
            if piece.report.end_offset < start {
                // Fewer messages than there were: the file was written anew.
                (start, known_lines) = (0, Some(self.captured_lines(&session)?));
                kept_from = start;
                continue;
            }
            if piece.is_last && outcome.entries_added == 0 && piece.n_turns() < options.turns_min {
                outcome.is_deferred = true;
                return Ok(outcome);
            }
            note_head(&mut piece.report, head);
            let extracted = extract(&piece.records, &piece.report, &self.clock.zone, self.clock.now);
            outcome.count(&piece.report, extracted.redactions);
            let entries = match &known_lines {
                Some(known) => without_known(extracted.entries, known),
                None => extracted.entries,
            };
            if !entries.is_empty() {
                let subject = format!("session {session}");
                outcome.grew(entries.len(), self.append(guard, "capture", &subject, &entries)?);
            }
            start = piece.report.end_offset;
            // What gave no entry is read again with what follows it: a question alone says nothing, and with
            // its answer it is what the entry is about.
            if !entries.is_empty() || start - kept_from > unit_max(reading.reader.unit()) {
                self.note_captured(reading, &session, start, known)?;
                kept_from = start;
            }
            if piece.is_last {
                break;
            }
        }
        known.note_file(&reading.place, SeenFile { is_ours: true, ..reading.look.clone() });
        outcome.was_known = was_begun && outcome.lines_read == 0;
        Ok(outcome)
    }

    /// Where reading begins, and with a file that was written anew the lines that stand in the journal.
    fn where_to_begin(
        &self,
        reading: &mut Reading,
        session: &str,
        known: &mut Known,
    ) -> Result<(u64, Option<BTreeSet<String>>), Failure> {
        let by_journal = self.captured_until(session, known)?;
        let seen = known.session(session).cloned();
        if reading.reader.unit() == Unit::Messages {
            return Ok((by_journal.max(seen.map_or(0, |seen| seen.end)), None));
        }
        let lines = || self.captured_lines(session).map(Some);
        match seen {
            Some(seen) if seen.end <= reading.len && tail(reading, seen.end)? == seen.tail => {
                // A journal that is ahead of the cache was written to by a process that died right after.
                Ok((seen.end, if by_journal > seen.end { lines()? } else { None }))
            }
            None if by_journal == 0 => self.after_copies(reading, session, known),
            None if by_journal <= reading.len && is_line_start(reading, by_journal)? => Ok((by_journal, None)),
            _ => Ok((0, lines()?)),
        }
    }

    /// Where what a new session says itself begins: a fork starts with what was said before it. If the other
    /// transcript is gone, the lines of it that stand in the journal.
    fn after_copies(
        &self,
        reading: &mut Reading,
        session: &str,
        known: &Known,
    ) -> Result<(u64, Option<BTreeSet<String>>), Failure> {
        let (mut names, mut lines) = (BTreeSet::new(), None);
        let siblings = match first_name(reading)? {
            Some(first) => known.siblings(session, &first),
            None => Vec::new(),
        };
        for (other, captured) in siblings {
            let added = outside::open(Path::new(&captured.place)).and_then(|file| {
                // What came after is captured from there, if it is captured at all.
                let mut file = BufReader::with_capacity(256 * 1024, file.take(captured.end));
                copied::add_names(reading.reader, &mut file, &mut names)
            });
            if added.is_err() {
                lines.get_or_insert_with(BTreeSet::new).extend(self.captured_lines(&other)?);
            }
        }
        if names.is_empty() {
            return Ok((0, lines));
        }
        let Reading { input, reader, place, .. } = reading;
        input.seek(SeekFrom::Start(0)).map_err(failed(place))?;
        Ok((copied::copied_until(*reader, input, &names).map_err(failed(place))?, lines))
    }

    /// The list items of a session that stand in the journal.
    fn captured_lines(&self, session: &str) -> Result<BTreeSet<String>, Failure> {
        let items = self.entries_of(session, |entry, text| {
            let lines = entry.body.of(text).lines().filter_map(|line| line.trim().strip_prefix("- "));
            lines.map(str::to_owned).collect::<Vec<String>>()
        })?;
        Ok(items.into_iter().flatten().collect())
    }

    /// What `map` makes of each journal entry of a session.
    fn entries_of<T: Send>(
        &self,
        session: &str,
        map: impl Fn(&ken_core::journal::JournalEntry, &str) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let listing = self.store.list(&self.layout().journal)?;
        let needle = ken_core::journal::Provenance { session: Some(session.to_owned()), ..Default::default() }.needle();
        let found = |_: &ken_store::FileStat, bytes: Vec<u8>| {
            // Most days do not name the session; they need no parsing.
            memchr::memmem::find(&bytes, needle.as_bytes())?;
            let text = String::from_utf8_lossy(&bytes);
            let entries = parse_journal(&text, None).value.entries;
            let of_session = entries.iter().filter(|entry| entry.provenance.session.as_deref() == Some(session));
            Some(of_session.map(|entry| map(entry, &text)).collect::<Vec<T>>())
        };
        Ok(self.store.map_files(&listing.files, found)?.into_iter().flatten().flatten().flatten().collect())
    }

    fn note_captured(&self, reading: &mut Reading, session: &str, end: u64, known: &mut Known) -> Result<(), Failure> {
        let tail = match reading.reader.unit() {
            Unit::Bytes => tail(reading, end)?,
            Unit::Messages => String::new(),
        };
        let first = first_name(reading)?;
        let place = scrub(&reading.place).0.into_owned();
        known.note_session(session, SeenSession { end, tail, first, place });
        Ok(())
    }
}

impl CaptureOutcome {
    fn count(&mut self, report: &ReadReport, redactions: usize) {
        self.redactions += redactions;
        self.lines_read += report.lines_read;
        for (reason, n) in &report.lines_skipped {
            *self.skipped.entry((*reason).to_owned()).or_default() += n;
        }
    }

    fn grew(&mut self, n_entries: usize, days: Vec<VaultPath>) {
        self.entries_added += n_entries;
        for day in days {
            if !self.journal.contains(&day) {
                self.journal.push(day);
            }
        }
    }
}

fn failed(place: &str) -> impl Fn(std::io::Error) -> Failure + '_ {
    move |error| Failure::io("read", place, &error).hint("nothing was changed")
}

/// Returns how a transcript looks without reading it.
pub(crate) fn look_of(transcript: &Transcript) -> Result<SeenFile, Failure> {
    let look = outside::look(&transcript.path)?;
    Ok(match transcript.changed {
        // A store changes with every session in it; the session itself says when it did.
        Some(at) => {
            SeenFile { len: 0, mtime_ns: i64::try_from(at.as_nanosecond()).unwrap_or(i64::MAX), is_ours: false }
        }
        None => SeenFile { len: look.len, mtime_ns: look.mtime_ns, is_ours: false },
    })
}

fn open(transcript: &Transcript, agent: Option<&str>) -> Result<Reading, Failure> {
    let place = transcript.place();
    // Looked at first: opening a pipe would wait for someone to write to it.
    let look = look_of(transcript)?;
    let mut opened = stored::open(transcript).map_err(failed(&place))?;
    let agent = agent.filter(|name| *name != "auto");
    let reader = match stored::reader_of(transcript, agent, &mut opened).map_err(failed(&place))? {
        Some(reader) => reader,
        None if agent.is_some() => {
            let message = format!("no reader for agent `{}`", agent.unwrap_or_default());
            return Err(Failure::usage(message).hint(known_agents()));
        }
        // A session that has just begun has an empty file; there is nothing to tell and nothing to refuse.
        None if opened.len == 0 => &ClaudeCode,
        None => {
            return Err(Failure::refused(format!("`{place}` is not a transcript of a known agent"))
                .hint(format!("name its agent with `--agent NAME`; {}", known_agents()))
                .hint("a document is registered with `ken ingest`; nothing was changed"));
        }
    };
    Ok(Reading { input: opened.input, reader, place, len: opened.len, look })
}

fn known_agents() -> String {
    // Formats of one agent share its name, and what nobody signed has none to give.
    let is_own = |name: &&str| !name.starts_with("unknown") && !name.ends_with("-subagent");
    let names: BTreeSet<&str> = READERS.iter().map(|reader| reader.agent()).filter(is_own).collect();
    format!("the known agents are {}", names.into_iter().collect::<Vec<_>>().join(", "))
}

/// What the first lines of a transcript, and what stands beside it, say of it.
fn head(reading: &mut Reading, transcript: &Transcript) -> Result<ReadReport, Failure> {
    let Reading { input, reader, place, .. } = reading;
    stored::head(*reader, transcript, input.as_mut()).map_err(failed(place))
}

/// What is the same for every piece of a transcript stands at its start.
fn note_head(report: &mut ReadReport, head: &ReadReport) {
    report.session.clone_from(&head.session);
    report.title = report.title.take().or_else(|| head.title.clone());
    report.project = report.project.take().or_else(|| head.project.clone());
    report.cwd = report.cwd.take().or_else(|| head.cwd.clone());
}

/// A part of a transcript that is taken at once.
struct Piece {
    records: Vec<Record>,
    report: ReadReport,
    is_last: bool,
}

impl Piece {
    fn n_turns(&self) -> usize {
        self.records.iter().filter(|record| matches!(record, Record::Turn(_))).count()
    }
}

/// Reads the piece that begins at `start`; it is larger than others when a line does not fit.
fn piece(reading: &mut Reading, start: u64, head: &ReadReport) -> Result<Piece, Failure> {
    let mut n_bytes = PIECE_BYTES;
    loop {
        let is_last = reading.reader.unit() == Unit::Messages || start.saturating_add(n_bytes) >= reading.len;
        let mut records = Vec::new();
        let mut report = read(reading, start, n_bytes, &mut |record| records.push(record))?;
        if !is_last && report.end_offset == start {
            n_bytes = n_bytes.saturating_mul(4);
            continue;
        }
        if !is_last {
            // The piece ends inside a line, the file does not.
            report.lines_skipped.remove("truncated-tail");
        }
        if head.is_subagent {
            // A range that starts later does not know whose words these are.
            records.retain(|record| !matches!(record, Record::Turn(turn) if turn.role == Role::User));
        }
        return Ok(Piece { records, report, is_last });
    }
}

fn read(reading: &mut Reading, start: u64, n_bytes: u64, sink: &mut dyn FnMut(Record)) -> Result<ReadReport, Failure> {
    let Reading { input, reader, place, .. } = reading;
    let (from, n_bytes) = if reader.unit() == Unit::Bytes { (start, n_bytes) } else { (0, u64::MAX) };
    input.seek(SeekFrom::Start(from)).map_err(failed(place))?;
    let mut input = BufReader::with_capacity(256 * 1024, input.take(n_bytes));
    reader.read(&mut input as &mut dyn BufRead, start, sink).map_err(failed(place))
}

/// Name of the first record in which something is said, if records have names that copies keep.
fn first_name(reading: &mut Reading) -> Result<Option<String>, Failure> {
    let Reading { input, reader, place, .. } = reading;
    input.seek(SeekFrom::Start(0)).map_err(failed(place))?;
    copied::first_name(*reader, &mut input.take(FIRST_BYTES)).map_err(failed(place))
}

/// Digest of the bytes before `end`.
fn tail(reading: &mut Reading, end: u64) -> Result<String, Failure> {
    let start = end.saturating_sub(TAIL_BYTES);
    Ok(Digest::of(&bytes_at(reading, start, end - start)?).short())
}

/// Whether a line begins or has just ended at `at`.
fn is_line_start(reading: &mut Reading, at: u64) -> Result<bool, Failure> {
    let around = bytes_at(reading, at.saturating_sub(1), 2)?;
    Ok(at == 0 || at == reading.len || around.contains(&b'\n'))
}

fn bytes_at(reading: &mut Reading, start: u64, n_bytes: u64) -> Result<Vec<u8>, Failure> {
    let Reading { input, place, .. } = reading;
    input.seek(SeekFrom::Start(start)).map_err(failed(place))?;
    let mut bytes = Vec::new();
    input.take(n_bytes).read_to_end(&mut bytes).map_err(failed(place))?;
    Ok(bytes)
}

/// Leaves out what stands in the journal already, and entries that then say nothing.
fn without_known(entries: Vec<(Date, NewEntry)>, known: &BTreeSet<String>) -> Vec<(Date, NewEntry)> {
    let left = |(date, mut entry): (Date, NewEntry)| {
        let count = |entry: &NewEntry| entry.sections.iter().map(|(_, statements)| statements.len()).sum::<usize>();
        let n_before = count(&entry);
        for (_, statements) in &mut entry.sections {
            statements.retain(|statement| !known.contains(one_line(statement).as_str()));
        }
        entry.sections.retain(|(_, statements)| !statements.is_empty());
        let says = |kind: &SectionKind| !matches!(kind, SectionKind::Context | SectionKind::Events);
        let is_new = count(&entry) == n_before || entry.sections.iter().any(|(kind, _)| says(kind));
        (is_new && !entry.sections.is_empty()).then_some((date, entry))
    };
    entries.into_iter().filter_map(left).collect()
}

#[cfg(test)]
mod tests {
    use ken_core::journal::Provenance;

    use super::*;

    #[track_caller]
    fn check(sections: &[(SectionKind, &[&str])], known: &[&str], expected: &[&str]) {
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<String>>();
        let sections = sections.iter().map(|(kind, lines)| (*kind, owned(lines))).collect();
        let entry = NewEntry { title: String::new(), time: (9, 0), provenance: Provenance::default(), sections };
        let known = known.iter().map(|line| (*line).to_owned()).collect();
        let left = without_known(vec![("2026-06-01".parse().expect("a day"), entry)], &known);
        let lines: Vec<String> =
            left.into_iter().flat_map(|(_, entry)| entry.sections).flat_map(|(_, lines)| lines).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn of_a_transcript_that_was_written_anew_only_what_is_new_is_kept() {
        use SectionKind::{Context, DecisionsMade, Events};
        check(&[(DecisionsMade, &["Open at seven.", "Close at six."])], &["Open at seven."], &["Close at six."]);
        check(&[(Context, &["The hours."]), (DecisionsMade, &["Open at seven."])], &["Open at seven."], &[]);
        check(&[(Context, &["The oven."]), (Events, &["bake"])], &[], &["The oven.", "bake"]);
    }
}

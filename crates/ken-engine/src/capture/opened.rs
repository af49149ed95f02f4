//! A transcript that was opened for capturing, read in pieces.
//!
//! Decides nothing about the journal: it knows where things stand in the file and how it looks.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, SeekFrom};

use ken_core::Digest;
use ken_intake::outside;
use ken_intake::transcript::{
    self, ClaudeCode, Input, READERS, ReadReport, Record, Role, Transcript, TranscriptReader, Unit, copied,
};

use crate::failure::Failure;
use crate::seen::SeenFile;

/// Bytes of a transcript that are taken at once; what is said in them is held in memory.
const PIECE_BYTES: u64 = 32 * 1024 * 1024;
/// Bytes before the end of what was captured that tell whether the file is still the same.
const TAIL_BYTES: u64 = 256;

/// Things said that tell it where messages are counted.
const TAIL_TURNS: usize = 8;

/// Bytes in which the first thing said is looked for.
const FIRST_BYTES: u64 = 1024 * 1024;

/// A transcript that was opened.
pub(super) struct OpenTranscript {
    input: Box<dyn Input>,
    pub(super) reader: &'static dyn TranscriptReader,
    pub(super) place: String,
    /// Where it lies, whatever folder the program runs in.
    pub(super) full_place: String,
    pub(super) len: u64,
    pub(super) look: SeenFile,
    /// Where records begin that were captured with another session.
    copies: BTreeSet<u64>,
    /// Whether it is read from its start although something of it was captured.
    pub(super) is_anew: bool,
}

/// A part of a transcript that is taken at once.
pub(super) struct Piece {
    pub(super) records: Vec<Record>,
    pub(super) report: ReadReport,
    pub(super) is_last: bool,
}

impl Piece {
    /// Returns how often something is said in it.
    pub(super) fn n_turns(&self) -> usize {
        let is_said = |record: &&Record| matches!(record, Record::Turn(turn) if turn.role != Role::Summary);
        self.records.iter().filter(is_said).count()
    }
}

impl OpenTranscript {
    /// Opens a transcript, and finds who reads it: the reader of the agent that was named, else the one
    /// that knows the file.
    pub(super) fn open(transcript: &Transcript, agent: Option<&str>) -> Result<OpenTranscript, Failure> {
        let place = transcript.place();
        // Looked at first: opening a pipe would wait for someone to write to it.
        let look = look_of(transcript)?;
        let mut opened = transcript::open(transcript).map_err(Failure::unread(&place))?;
        let agent = agent.filter(|name| *name != "auto");
        let reader = match transcript::reader_of(transcript, agent, &mut opened).map_err(Failure::unread(&place))? {
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
                    .hint("plain text is one where `User:` and `Assistant:` begin the turns")
                    .hint("anything else is a document: `ken ingest`; nothing was changed"));
            }
        };
        let path = outside::resolved(&transcript.path).unwrap_or_else(|| transcript.path.clone());
        let full_place = Transcript { path, ..transcript.clone() }.place();
        Ok(OpenTranscript {
            input: opened.input,
            reader,
            place,
            full_place,
            len: opened.len,
            look,
            copies: BTreeSet::new(),
            is_anew: false,
        })
    }

    /// Looks again how long a file is.
    pub(super) fn look_again(&mut self) -> Result<(), Failure> {
        if self.reader.unit() == Unit::Bytes {
            let OpenTranscript { input, place, .. } = self;
            self.len = input.seek(SeekFrom::End(0)).map_err(Failure::unread(place))?;
        }
        Ok(())
    }

    /// What the first lines of a transcript, and what stands beside it, say of it.
    pub(super) fn head(&mut self, transcript: &Transcript) -> Result<ReadReport, Failure> {
        let OpenTranscript { input, reader, place, .. } = self;
        transcript::head(*reader, transcript, input.as_mut()).map_err(Failure::unread(place))
    }

    /// Reads the piece that begins at `start`; it is larger than others when a line does not fit.
    pub(super) fn piece(&mut self, start: u64, head: &ReadReport) -> Result<Piece, Failure> {
        let mut n_bytes = PIECE_BYTES;
        loop {
            let is_last = self.reader.unit() == Unit::Messages || start.saturating_add(n_bytes) >= self.len;
            let mut records = Vec::new();
            let mut report = self.read(start, n_bytes, &mut |record| records.push(record))?;
            if !is_last && report.end_offset == start {
                n_bytes = n_bytes.saturating_mul(4);
                continue;
            }
            if !is_last {
                // The piece ends inside a line, the file does not.
                report.lines_skipped.remove("truncated-tail");
            }
            retain_own(&mut records, head);
            records.retain(|record| !self.copies.contains(&record.offset()));
            return Ok(Piece { records, report, is_last });
        }
    }

    /// Passes what was said and done before a place to `with`, copies of other transcripts too, a piece at a time.
    pub(super) fn each_before(
        &mut self,
        (start, end): (u64, u64),
        head: &ReadReport,
        with: &mut dyn FnMut(Vec<Record>),
    ) -> Result<(), Failure> {
        let copies = std::mem::take(&mut self.copies);
        let mut at = start;
        while at < end {
            let mut piece = self.piece(at, head)?;
            at = if piece.is_last { end } else { piece.report.end_offset };
            piece.records.retain(|record| record.offset() < end);
            with(piece.records);
        }
        self.copies = copies;
        Ok(())
    }

    /// Reads what stands from one place to another, which need not be a whole piece.
    pub(super) fn range(
        &mut self,
        (start, end): (u64, u64),
        head: &ReadReport,
    ) -> Result<(Vec<Record>, ReadReport), Failure> {
        let mut records = Vec::new();
        let report = self.read(start, end.saturating_sub(start), &mut |record| records.push(record))?;
        records.retain(|record| record.offset() < end);
        retain_own(&mut records, head);
        Ok((records, report))
    }

    /// Name of the first record in which something is said, if records have names that copies keep.
    pub(super) fn first_name(&mut self) -> Result<Option<String>, Failure> {
        let OpenTranscript { input, reader, place, .. } = self;
        input.seek(SeekFrom::Start(0)).map_err(Failure::unread(place))?;
        copied::first_name(*reader, &mut input.take(FIRST_BYTES)).map_err(Failure::unread(place))
    }

    /// Returns how much of it is read again, when it gave no entry, with what follows it.
    pub(super) fn again_max(&self) -> u64 {
        match self.reader.unit() {
            Unit::Bytes => 4 * 1024 * 1024,
            Unit::Messages => 200,
        }
    }

    /// Passes over the records that stand in other transcripts under these names; returns where those at its
    /// start end.
    pub(super) fn pass_over_copies(&mut self, names: &BTreeSet<String>) -> Result<u64, Failure> {
        let OpenTranscript { input, reader, place, .. } = self;
        input.seek(SeekFrom::Start(0)).map_err(Failure::unread(place))?;
        let copies = copied::copies(*reader, input, names).map_err(Failure::unread(place))?;
        self.copies = copies.starts;
        Ok(copies.until)
    }

    /// Digest of the bytes, or of the last things said, before `end`.
    pub(super) fn tail(&mut self, end: u64) -> Result<String, Failure> {
        if self.reader.unit() == Unit::Messages {
            let mut said: Vec<String> = Vec::new();
            self.read(0, u64::MAX, &mut |record| {
                if let Record::Turn(turn) = record
                    && turn.offset < end
                    && turn.role != Role::Summary
                {
                    said.push(turn.text);
                }
            })?;
            let last = said.len().saturating_sub(TAIL_TURNS);
            return Ok(Digest::of(said[last..].join("\n").as_bytes()).short());
        }
        let start = end.saturating_sub(TAIL_BYTES);
        Ok(Digest::of(&self.bytes_at(start, end - start)?).short())
    }

    /// Whether a line begins or has just ended at `at`.
    pub(super) fn is_line_start(&mut self, at: u64) -> Result<bool, Failure> {
        let around = self.bytes_at(at.saturating_sub(1), 2)?;
        Ok(at == 0 || at == self.len || around.contains(&b'\n'))
    }

    fn read(&mut self, start: u64, n_bytes: u64, sink: &mut dyn FnMut(Record)) -> Result<ReadReport, Failure> {
        let OpenTranscript { input, reader, place, .. } = self;
        let (from, n_bytes) = if reader.unit() == Unit::Bytes { (start, n_bytes) } else { (0, u64::MAX) };
        input.seek(SeekFrom::Start(from)).map_err(Failure::unread(place))?;
        let mut input = BufReader::with_capacity(256 * 1024, input.take(n_bytes));
        reader.read(&mut input as &mut dyn BufRead, start, sink).map_err(Failure::unread(place))
    }

    fn bytes_at(&mut self, start: u64, n_bytes: u64) -> Result<Vec<u8>, Failure> {
        let OpenTranscript { input, place, .. } = self;
        input.seek(SeekFrom::Start(start)).map_err(Failure::unread(place))?;
        let mut bytes = Vec::new();
        input.take(n_bytes).read_to_end(&mut bytes).map_err(Failure::unread(place))?;
        Ok(bytes)
    }
}

/// Leaves out what an agent that was sent by another was told.
fn retain_own(records: &mut Vec<Record>, head: &ReadReport) {
    if head.is_subagent {
        // A range that starts later does not know whose words these are.
        records.retain(|record| !matches!(record, Record::Turn(turn) if turn.role != Role::Assistant));
    }
}

/// Returns how a transcript looks without reading it.
pub(crate) fn look_of(transcript: &Transcript) -> Result<SeenFile, Failure> {
    let place = transcript.path.display();
    let not_a_file =
        || Failure::refused(format!("cannot read `{place}`: it is not a file")).hint("nothing was changed");
    let look = outside::look(&transcript.path).map_err(Failure::unread(&place))?.ok_or_else(not_a_file)?;
    Ok(match transcript.changed {
        // A store changes with every session in it; the session itself says when it did.
        Some(at) => {
            SeenFile { len: 0, mtime_ns: i64::try_from(at.as_nanosecond()).unwrap_or(i64::MAX), is_ours: false }
        }
        None => SeenFile { len: look.len, mtime_ns: look.mtime_ns, is_ours: false },
    })
}

fn known_agents() -> String {
    // Formats of one agent share its name, and what nobody signed has none to give.
    let is_own = |name: &&str| !name.starts_with("unknown") && !name.ends_with("-subagent");
    let names: BTreeSet<&str> = READERS.iter().map(|reader| reader.agent()).filter(is_own).collect();
    format!("the known agents are {}", names.into_iter().collect::<Vec<_>>().join(", "))
}

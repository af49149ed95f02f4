//! Puts what is new in a transcript into the journal.
//!
//! The journal is itself the record of what was captured: each entry names its session and the range of
//! the transcript it came from, so the same line is captured once and none twice. A transcript that was
//! written anew (cut, compacted, moved to another format) is read from its start, and what already
//! stands in the journal for its session is left out. Long transcripts are taken in pieces, so that
//! memory stays bounded.

mod again;
mod captured;
mod opened;
mod siblings;
mod summed;
mod talk;

use std::path::Path;

use ken_core::journal::{NewEntry, Provenance, parse_journal};
use ken_core::talk::NewTurn;
use ken_core::{Date, VaultPath};
use ken_intake::extract::{Extracted, Scrubbed, extract, fit, provenance};
use ken_intake::scrub::scrub;
use ken_intake::transcript::{Found, ReadReport, Transcript, Unit, transcripts_at};
use ken_store::LockGuard;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::forget::{Forgotten, Readable};
use crate::outcome::CaptureOutcome;
use crate::seen::{Known, SeenFile, SeenSession};
use opened::OpenTranscript;

pub(crate) use again::{is_at_hand, read_again};
use captured::Captured;
pub(crate) use opened::look_of;
use summed::Hearing;
pub(crate) use talk::Talks;
use talk::{Told, turns_of};

/// How to capture.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CaptureOptions<'a> {
    /// The agent whose format it is; without it, the file tells.
    pub(crate) agent: Option<&'a str>,
    /// With fewer turns that are new, leave them for later.
    pub(crate) turns_min: usize,
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
        let mut opened = OpenTranscript::open(transcript, options.agent)?;
        let guard = self.lock("capture")?;
        // It may have grown while another process had the lock, and that one captured what it says now.
        opened.look_again()?;
        let mut head = opened.head(transcript)?;
        // People name sessions, and the name goes wherever the session goes.
        head.session = head.session.map(|session| scrub(&session).0.into_owned());
        if let Some(cwd) = head.cwd.as_deref()
            && self.is_excluded(Path::new(cwd))
        {
            let message = format!("`{}` is of an excluded project", opened.place);
            return Err(Failure::refused(message).hint("the list is `exclude` in kenning.toml; nothing was changed"));
        }
        let forgotten = self.forgotten()?;
        if let Readable::Nothing(at) = self.readable_of(&forgotten, head.session.as_deref().unwrap_or_default()) {
            let (session, agent) = (head.session, opened.reader.agent().to_owned());
            known.note_file(&opened.place, SeenFile { is_ours: true, ..opened.look.clone() });
            return Ok(CaptureOutcome { session, agent, forgotten: Some(at), ..CaptureOutcome::default() });
        }
        self.capture_pieces((&guard, &forgotten), &mut opened, (&head, options), known)
    }

    /// Returns the working folder of a transcript, if it or what stands beside it tells.
    pub(crate) fn cwd_of(&self, transcript: &Transcript) -> Result<Option<String>, Failure> {
        if transcript.cwd.is_some() {
            return Ok(transcript.cwd.clone());
        }
        Ok(OpenTranscript::open(transcript, None)?.head(transcript)?.cwd)
    }

    /// Returns whether sessions in this folder are to be left alone; what an agent says to a prompt of ours is
    /// none.
    pub(crate) fn is_excluded(&self, cwd: &Path) -> bool {
        if ken_model::is_scratch(cwd) {
            return true;
        }
        let relative = cwd.strip_prefix(self.root()).unwrap_or(cwd).to_string_lossy().replace('\\', "/");
        self.config.excludes(&cwd.to_string_lossy().replace('\\', "/"), &relative)
    }

    fn capture_pieces(
        &self,
        (guard, forgotten): (&LockGuard, &Forgotten),
        opened: &mut OpenTranscript,
        (head, options): (&ReadReport, CaptureOptions<'_>),
        known: &mut Known,
    ) -> Result<CaptureOutcome, Failure> {
        let session = head.session.clone().unwrap_or_default();
        let first = self.first_readable(forgotten, &session);
        let mut at = self.begin_from(first, opened, &session, known)?;
        let was_begun = at.start > 0 || at.captured.is_some();
        let mut outcome = CaptureOutcome {
            session: Some(session.clone()),
            agent: opened.reader.agent().to_owned(),
            ..CaptureOutcome::default()
        };
        let mut kept_from = at.start;
        let mut hearing = Hearing::default();
        loop {
            let mut piece = opened.piece(at.start, head)?;
            if first > 0 && piece.report.end_offset < at.start {
                // It was written anew, and nobody can tell any more what of it was forgotten.
                break;
            }
            if piece.report.end_offset < at.start {
                // Fewer messages than there were: the file was written anew.
                opened.is_anew = true;
                at = self.begin_anew(opened, &session, known)?;
                kept_from = at.start;
                continue;
            }
            if piece.is_last && outcome.entries_added == 0 && piece.n_turns() < options.turns_min {
                outcome.is_deferred = true;
                return Ok(outcome);
            }
            note_head(&mut piece.report, head);
            let mut scrubbed = Scrubbed::of(piece.records);
            let n_told = hearing.leave_heard(self, opened, (head, &piece.report), &mut scrubbed, known)?;
            let extracted = extract(&scrubbed, &piece.report, &self.clock.zone, self.clock.now);
            outcome.count(&piece.report, extracted.redactions);
            outcome.count_told(n_told);
            let mut turns = turns_of(&scrubbed, &self.clock.zone, self.clock.now);
            at.told.leave_out(&mut turns, scrubbed.first_time().is_some());
            turns.retain(|turn| !forgotten.has_day(turn.at.0, turn.at.1, &self.clock.zone));
            let of = provenance(&piece.report, (at.start, piece.report.end_offset));
            at.start = piece.report.end_offset;
            // So much is not read again for the sake of what may yet be said of it.
            let is_over = at.start - kept_from > opened.again_max();
            let New { mut entries, has_more } = what_is_new(extracted, at.captured.as_mut(), is_over);
            let is_settled = !entries.is_empty() || at.captured.is_some() && !has_more;
            entries.retain(|(date, entry)| !forgotten.has_day(*date, entry.time, &self.clock.zone));
            self.append_piece(guard, entries, (&turns, of, &mut at.told), &mut outcome)?;
            // What gave no entry is read again with what follows it: what was done alone says nothing, and with
            // what is said of it it is what the entry is about.
            if is_settled || is_over {
                self.note_captured(opened, &session, at.start, known)?;
                kept_from = at.start;
            }
            if piece.is_last {
                break;
            }
        }
        known.note_file(&opened.place, SeenFile { is_ours: true, ..opened.look.clone() });
        outcome.was_known = was_begun && outcome.lines_read == 0;
        Ok(outcome)
    }

    /// Appends entries to the journal and turns to the talk of their session, in one plan.
    fn append_piece(
        &self,
        guard: &LockGuard,
        mut entries: Vec<(Date, NewEntry)>,
        (turns, of, told): (&[NewTurn], Provenance, &mut Told),
        outcome: &mut CaptureOutcome,
    ) -> Result<(), Failure> {
        let subject = format!("session {}", of.session.as_deref().unwrap_or_default());
        let title = entries.first().map_or("", |(_, entry)| entry.title.as_str());
        let added = self.add_to_talk(turns, of, title, told)?;
        if let Some(added) = &added {
            for (_, entry) in &mut entries {
                entry.provenance.talk = entry.provenance.range.and_then(|range| added.place_of(range));
            }
        }
        outcome.talk = added.as_ref().map(|added| added.path.clone()).or(outcome.talk.take());
        let (entries, more) = (fit(entries), added.map_or_else(Vec::new, |added| added.edits));
        if !entries.is_empty() || !more.is_empty() {
            outcome.grew(entries.len(), self.append_with(guard, ("capture", &subject), &entries, more)?);
        }
        Ok(())
    }

    /// Where reading begins, and what stands already of what comes then.
    fn begin(&self, opened: &mut OpenTranscript, session: &str, known: &mut Known) -> Result<Begin, Failure> {
        let (start, captured) = self.where_to_begin(opened, session, known)?;
        opened.is_anew = start == 0 && captured.is_some();
        if start > 0 && captured.is_none() && known.session(session).is_none() {
            // Where the transcript of a captured session lies is worth knowing again.
            self.note_captured(opened, session, start, known)?;
        }
        Ok(Begin { start, captured, told: self.told(session, start, known)? })
    }

    /// Where reading may begin: something of what stands before was forgotten.
    fn first_readable(&self, forgotten: &Forgotten, session: &str) -> u64 {
        match self.readable_of(forgotten, session) {
            Readable::From(first) => first,
            Readable::All | Readable::Nothing(_) => 0,
        }
    }

    /// Where reading begins, not before a place in the transcript.
    fn begin_from(
        &self,
        first: u64,
        opened: &mut OpenTranscript,
        session: &str,
        known: &mut Known,
    ) -> Result<Begin, Failure> {
        let begin = self.begin(opened, session, known)?;
        if begin.start >= first {
            return Ok(begin);
        }
        opened.is_anew = false;
        let captured = Some(self.captured(session, first)?);
        Ok(Begin { start: first, captured, told: self.told(session, first, known)? })
    }

    /// The same for a transcript that is read from its start again.
    fn begin_anew(&self, opened: &mut OpenTranscript, session: &str, known: &mut Known) -> Result<Begin, Failure> {
        let captured = Some(self.captured_of_kin(opened, session, known)?);
        Ok(Begin { start: 0, captured, told: self.told(session, 0, known)? })
    }

    /// Where reading begins; and, where that is not the end of what was captured, what stands in the journal.
    fn where_to_begin(
        &self,
        opened: &mut OpenTranscript,
        session: &str,
        known: &mut Known,
    ) -> Result<(u64, Option<Captured>), Failure> {
        let by_journal = self.captured_until(session, known)?;
        match known.session(session).cloned() {
            Some(seen) if self.is_what_was_seen(opened, &seen)? => {
                // A fork that was captured since then may have copied what comes next.
                let since = known.file(&opened.place).map_or(i64::MIN, |file| file.mtime_ns);
                let (copied, mut captured) = self.after_copies(opened, session, since, known)?;
                // A journal that is ahead of the cache was written to by a process that died right after, or by
                // another one since this one began.
                if by_journal > seen.end {
                    captured.get_or_insert_default().extend(self.captured(session, seen.end)?);
                }
                Ok((seen.end.max(copied), captured))
            }
            None if by_journal == 0 => self.after_copies(opened, session, i64::MIN, known),
            // That a line begins where the journal left off does not say that it is the same file.
            _ => Ok((0, Some(self.captured_of_kin(opened, session, known)?))),
        }
    }

    /// Whether a transcript is the one that was captured so far, and went on.
    fn is_what_was_seen(&self, opened: &mut OpenTranscript, seen: &SeenSession) -> Result<bool, Failure> {
        match opened.reader.unit() {
            Unit::Bytes => Ok(seen.end <= opened.len && opened.tail(seen.end)? == seen.tail),
            // Messages are counted in each file of a session from its own start.
            Unit::Messages => {
                let is_other = !seen.place.is_empty() && seen.place != scrub(&opened.full_place).0;
                Ok(!is_other && opened.tail(seen.end)? == seen.tail)
            }
        }
    }

    /// What of a session stands in the journal that came from behind a place in its transcript.
    fn captured(&self, session: &str, from: u64) -> Result<Captured, Failure> {
        let entries = self.entries_of(session, |entry, text| {
            let mut captured = Captured::default();
            // What a model wrote stands in no transcript: it says nothing of what was captured.
            let is_behind = entry.provenance.range.is_none_or(|range| range.1 > from);
            if is_behind && entry.provenance.distilled.is_none() {
                captured.add(text, entry.body);
            }
            captured
        })?;
        let mut all = Captured::default();
        entries.into_iter().for_each(|captured| all.extend(captured));
        Ok(all)
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

    fn note_captured(
        &self,
        opened: &mut OpenTranscript,
        session: &str,
        end: u64,
        known: &mut Known,
    ) -> Result<(), Failure> {
        let tail = opened.tail(end)?;
        let first = opened.first_name()?;
        let place = scrub(&opened.full_place).0.into_owned();
        let was_anew = opened.is_anew || known.session(session).is_some_and(|seen| seen.was_anew);
        known.note_session(session, SeenSession { end, tail, first, place, was_anew });
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

    /// Counts summaries that told nothing new, as readers count those without words.
    fn count_told(&mut self, n_told: usize) {
        if n_told > 0 {
            *self.skipped.entry("compact-summary".to_owned()).or_default() += n_told as u64;
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

/// What is the same for every piece of a transcript stands at its start.
fn note_head(report: &mut ReadReport, head: &ReadReport) {
    report.session.clone_from(&head.session);
    report.title = report.title.take().or_else(|| head.title.clone());
    report.project = report.project.take().or_else(|| head.project.clone());
    report.cwd = report.cwd.take().or_else(|| head.cwd.clone());
}

/// Where a reading begins.
struct Begin {
    start: u64,
    /// What stands in the journal of what comes then, where it may.
    captured: Option<Captured>,
    /// What stands in the talk of it.
    told: Told,
}

/// What is to be appended of a piece.
struct New {
    entries: Vec<(Date, NewEntry)>,
    /// Whether something was done that waits for words.
    has_more: bool,
}

/// Leaves out what stands in the journal already, and entries that then hold nothing that was said, unless it is
/// over for them.
fn what_is_new(extracted: Extracted, captured: Option<&mut Captured>, is_over: bool) -> New {
    let mut entries: Vec<(Date, NewEntry)> = extracted.entries.into_iter().chain(extracted.unsaid).collect();
    if let Some(captured) = captured {
        entries.iter_mut().for_each(|(_, entry)| captured.leave_out(entry));
    }
    entries.retain(|(_, entry)| !entry.sections.is_empty());
    let says = |(_, entry): &(Date, NewEntry)| entry.sections.iter().any(|(kind, _)| kind.is_said());
    let n_found = entries.len();
    entries.retain(|entry| is_over || says(entry));
    New { has_more: entries.len() < n_found, entries }
}

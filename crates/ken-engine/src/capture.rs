//! Puts what is new in a transcript into the journal.
//!
//! The journal is itself the record of what was captured: each entry names its session and the range of
//! the transcript it came from, so the same line is captured once and none twice. A transcript that was
//! written anew (cut, compacted, moved to another format) is read from its start, and what already
//! stands in the journal for its session is left out. Long transcripts are taken in pieces, so that
//! memory stays bounded.

mod again;
mod opened;

use std::collections::BTreeSet;
use std::io::{BufReader, Read};
use std::path::Path;

use ken_core::journal::{NewEntry, SectionKind, one_line, parse_journal};
use ken_core::{Date, VaultPath};
use ken_store::LockGuard;

use crate::engine::Engine;
use crate::extract::extract;
use crate::failure::Failure;
use crate::outcome::CaptureOutcome;
use crate::outside;
use crate::scrub::scrub;
use crate::seen::{Known, SeenFile, SeenSession};
use crate::transcript::copied;
use crate::transcript::stored::{Found, Transcript, transcripts_at};
use crate::transcript::{ReadReport, Unit};
use opened::OpenTranscript;

pub(crate) use again::{is_at_hand, read_again};
pub(crate) use opened::look_of;

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
        let mut head = opened.head(transcript)?;
        // People name sessions, and the name goes wherever the session goes.
        head.session = head.session.map(|session| scrub(&session).0.into_owned());
        if let Some(cwd) = head.cwd.as_deref()
            && self.is_excluded(Path::new(cwd))
        {
            let message = format!("`{}` is of an excluded project", opened.place);
            return Err(Failure::refused(message).hint("the list is `exclude` in kenning.toml; nothing was changed"));
        }
        self.capture_pieces(&guard, &mut opened, (&head, options), known)
    }

    /// Returns the working folder of a transcript, if it or what stands beside it tells.
    pub(crate) fn cwd_of(&self, transcript: &Transcript) -> Result<Option<String>, Failure> {
        if transcript.cwd.is_some() {
            return Ok(transcript.cwd.clone());
        }
        Ok(OpenTranscript::open(transcript, None)?.head(transcript)?.cwd)
    }

    /// Returns whether sessions in this folder are to be left alone.
    pub(crate) fn is_excluded(&self, cwd: &Path) -> bool {
        let relative = cwd.strip_prefix(self.root()).unwrap_or(cwd).to_string_lossy().replace('\\', "/");
        self.config.excludes(&cwd.to_string_lossy().replace('\\', "/"), &relative)
    }

    fn capture_pieces(
        &self,
        guard: &LockGuard,
        opened: &mut OpenTranscript,
        (head, options): (&ReadReport, CaptureOptions<'_>),
        known: &mut Known,
    ) -> Result<CaptureOutcome, Failure> {
        let session = head.session.clone().unwrap_or_default();
        let (mut start, mut known_lines) = self.where_to_begin(opened, &session, known)?;
        let was_begun = start > 0 || known_lines.is_some();
        if start > 0 && known_lines.is_none() && known.session(&session).is_none() {
            // Where the transcript of a captured session lies is worth knowing again.
            self.note_captured(opened, &session, start, known)?;
        }
        let mut outcome = CaptureOutcome {
            session: Some(session.clone()),
            agent: opened.reader.agent().to_owned(),
            ..CaptureOutcome::default()
        };
        let mut kept_from = start;
        loop {
            let mut piece = opened.piece(start, head)?;
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
            if !entries.is_empty() || start - kept_from > opened.again_max() {
                self.note_captured(opened, &session, start, known)?;
                kept_from = start;
            }
            if piece.is_last {
                break;
            }
        }
        known.note_file(&opened.place, SeenFile { is_ours: true, ..opened.look.clone() });
        outcome.was_known = was_begun && outcome.lines_read == 0;
        Ok(outcome)
    }

    /// Where reading begins, and with a file that was written anew the lines that stand in the journal.
    fn where_to_begin(
        &self,
        opened: &mut OpenTranscript,
        session: &str,
        known: &mut Known,
    ) -> Result<(u64, Option<BTreeSet<String>>), Failure> {
        let by_journal = self.captured_until(session, known)?;
        let seen = known.session(session).cloned();
        if opened.reader.unit() == Unit::Messages {
            // Nothing stands before a message that would tell one file from another, but its place.
            let is_other =
                seen.as_ref().is_some_and(|seen| !seen.place.is_empty() && seen.place != scrub(&opened.full_place).0);
            return match is_other {
                true => Ok((0, Some(self.captured_lines(session)?))),
                false => Ok((by_journal.max(seen.map_or(0, |seen| seen.end)), None)),
            };
        }
        let lines = || self.captured_lines(session).map(Some);
        match seen {
            Some(seen) if seen.end <= opened.len && opened.tail(seen.end)? == seen.tail => {
                // A journal that is ahead of the cache was written to by a process that died right after.
                Ok((seen.end, if by_journal > seen.end { lines()? } else { None }))
            }
            None if by_journal == 0 => self.after_copies(opened, session, known),
            None if by_journal <= opened.len && opened.is_line_start(by_journal)? => Ok((by_journal, None)),
            _ => Ok((0, lines()?)),
        }
    }

    /// Where what a new session says itself begins: a fork starts with what was said before it. If the other
    /// transcript is gone, the lines of it that stand in the journal.
    fn after_copies(
        &self,
        opened: &mut OpenTranscript,
        session: &str,
        known: &Known,
    ) -> Result<(u64, Option<BTreeSet<String>>), Failure> {
        let (mut names, mut lines) = (BTreeSet::new(), None);
        let siblings = match opened.first_name()? {
            Some(first) => known.siblings(session, &first),
            None => Vec::new(),
        };
        for (other, captured) in siblings {
            // The place comes out of a cache that may be anybody's: it may be no file by now, or never was one.
            let place = Path::new(&captured.place);
            let is_added = outside::look(place).is_ok_and(|look| {
                outside::open(place).is_ok_and(|file| {
                    // What came after is captured from there, if it is captured at all.
                    let file = file.take(captured.end.min(look.len));
                    copied::add_names(opened.reader, &mut BufReader::with_capacity(256 * 1024, file), &mut names)
                        .is_ok()
                })
            });
            if !is_added {
                lines.get_or_insert_with(BTreeSet::new).extend(self.captured_lines(&other)?);
            }
        }
        if names.is_empty() {
            return Ok((0, lines));
        }
        Ok((opened.copied_until(&names)?, lines))
    }

    /// The list items of a session that stand in the journal.
    fn captured_lines(&self, session: &str) -> Result<BTreeSet<String>, Failure> {
        let items = self.entries_of(session, |entry, text| {
            // What a model wrote stands in no transcript: it says nothing of what was captured.
            if entry.provenance.distilled.is_some() {
                return Vec::new();
            }
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

    fn note_captured(
        &self,
        opened: &mut OpenTranscript,
        session: &str,
        end: u64,
        known: &mut Known,
    ) -> Result<(), Failure> {
        let tail = match opened.reader.unit() {
            Unit::Bytes => opened.tail(end)?,
            Unit::Messages => String::new(),
        };
        let first = opened.first_name()?;
        let place = scrub(&opened.full_place).0.into_owned();
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

/// What is the same for every piece of a transcript stands at its start.
fn note_head(report: &mut ReadReport, head: &ReadReport) {
    report.session.clone_from(&head.session);
    report.title = report.title.take().or_else(|| head.title.clone());
    report.project = report.project.take().or_else(|| head.project.clone());
    report.cwd = report.cwd.take().or_else(|| head.cwd.clone());
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

//! Reads again what an entry was extracted from.
//!
//! The transcript is the agent's file: it may be gone, or hold something else by now. So it is taken only if
//! it is the file that was captured, as far as that can be told, and says what the entry says.

use std::collections::BTreeSet;
use std::path::Path;

use jiff::tz::TimeZone;
use ken_core::Timestamp;
use ken_core::journal::{Provenance, one_line};
use ken_intake::extract::{Heard, Scrubbed, extract};
use ken_intake::outside;
use ken_intake::scrub::scrub;
use ken_intake::transcript::{Transcript, Unit, transcripts_at};

use super::opened::OpenTranscript;
use crate::seen::SeenSession;

/// Returns whether something may be read at the place of a session, without reading it.
pub(crate) fn is_at_hand(seen: &SeenSession) -> bool {
    let is_there = |place: &str| outside::is_file(Path::new(place));
    is_there(&seen.place) || seen.place.rsplit_once('#').is_some_and(|(file, _)| is_there(file))
}

/// Where a session was held.
#[derive(Debug, Default)]
pub(crate) struct Place {
    /// Its working folder.
    pub(crate) cwd: Option<String>,
    /// The branch that was checked out, as the transcript has it.
    pub(crate) branch: Option<String>,
}

/// Returns the records of the part of a transcript that an entry came from, and where its session was held;
/// `said` are the entry's lines.
///
/// # Errors
/// The reason, for people, why they cannot be had.
pub(crate) fn read_again(
    seen: &SeenSession,
    of: &Provenance,
    said: &[String],
    (zone, now): (&TimeZone, Timestamp),
) -> Result<(Scrubbed, Place), String> {
    let transcript = transcript_of(&seen.place).ok_or("its transcript is gone")?;
    let changed = || "its transcript is not what it was when the entry was made".to_owned();
    let unreadable = |_| "its transcript cannot be read".to_owned();
    let mut opened = OpenTranscript::open(&transcript, of.agent.as_deref()).map_err(unreadable)?;
    let head = opened.head(&transcript).map_err(unreadable)?;
    let session = head.session.as_deref().map(|session| scrub(session).0.into_owned());
    let range = of.range.ok_or_else(changed)?;
    // A session without an id is named by its file, and by its folder where that was named; it is read by its whole path.
    let is_it = |session: &str, known: &str| {
        session == known || session.strip_suffix(known).is_some_and(|rest| rest.ends_with('/'))
    };
    if !session
        .as_deref()
        .zip(of.session.as_deref())
        .map_or(session == of.session, |(session, known)| is_it(session, known))
    {
        return Err(changed());
    }
    if opened.reader.unit() == Unit::Bytes {
        // What stands before the end of what was captured tells a file that went on from another one.
        let is_same = range.1 <= seen.end
            && seen.end <= opened.len
            && opened.tail(seen.end).is_ok_and(|tail| tail == seen.tail)
            && opened.is_line_start(range.0).unwrap_or(false);
        if !is_same {
            return Err(changed());
        }
    }
    let (records, mut report) = opened.range(range, &head).map_err(unreadable)?;
    super::note_head(&mut report, &head);
    let mut records = Scrubbed::of(records);
    // What the part says itself is not told again by its summary; what was said before it may be.
    records.leave_heard(&mut Heard::default());
    let extracted = extract(&records, &report, zone, now);
    let sections = extracted.entries.iter().flat_map(|(_, entry)| &entry.sections);
    let lines: BTreeSet<String> = sections.flat_map(|(_, lines)| lines).map(|line| one_line(line)).collect();
    if said.iter().any(|line| lines.contains(line)) {
        Ok((records, Place { cwd: head.cwd, branch: report.branch }))
    } else {
        Err(changed())
    }
}

fn transcript_of(place: &str) -> Option<Transcript> {
    let found = |file: &str| {
        let sessions = outside::is_file(Path::new(file)).then(|| transcripts_at(Path::new(file)).transcripts)?;
        sessions.into_iter().find(|transcript| transcript.place() == place)
    };
    found(place).or_else(|| found(place.rsplit_once('#')?.0))
}

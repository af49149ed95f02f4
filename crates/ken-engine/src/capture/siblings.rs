//! Sessions that begin with the same record: forks of one another.
//!
//! A fork starts with what was said before it. Where the other transcript is at hand, its records tell how far
//! the copy goes; else the lines tell that stand in the journal.

use std::collections::BTreeSet;
use std::io::{BufReader, Read};
use std::path::Path;

use ken_intake::outside;
use ken_intake::scrub::scrub;
use ken_intake::transcript::{Transcript, Unit, copied};

use super::captured::Captured;
use super::opened::OpenTranscript;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::forget::Readable;
use crate::seen::{Known, SeenSession};

impl Engine {
    /// Where what a session says itself begins, and what of the copy before it can only be told by lines of the
    /// journal. Transcripts that did not change since (in nanoseconds) are no matter.
    pub(super) fn after_copies(
        &self,
        opened: &mut OpenTranscript,
        session: &str,
        since: i64,
        known: &mut Known,
    ) -> Result<(u64, Option<Captured>), Failure> {
        let (mut names, mut lines) = (BTreeSet::new(), None::<Captured>);
        for (other, seen) in self.siblings(opened, session, since, known)? {
            let is_added = add_names(opened, &seen, &mut names);
            let by_journal = self.captured_until(&other, known)?;
            let from = if is_added && !seen.was_anew { seen.end } else { 0 };
            if by_journal > from {
                lines.get_or_insert_default().extend(self.captured(&other, from)?);
            }
        }
        let start = if names.is_empty() { 0 } else { opened.pass_over_copies(&names)? };
        Ok((start, lines))
    }

    /// What stands in the journal of a session whose transcript is read from its start, and of those whose
    /// records it may hold.
    pub(super) fn captured_of_kin(
        &self,
        opened: &mut OpenTranscript,
        session: &str,
        known: &mut Known,
    ) -> Result<Captured, Failure> {
        let (_, lines) = self.after_copies(opened, session, i64::MIN, known)?;
        let mut captured = self.captured(session, 0)?;
        captured.extend(lines.unwrap_or_default());
        Ok(captured)
    }

    /// The sessions that begin as this transcript does, or did when it was captured. What the cache does not
    /// know of, because a process was killed before it wrote it or because it was deleted, is looked for
    /// beside the transcript.
    fn siblings(
        &self,
        opened: &mut OpenTranscript,
        session: &str,
        since: i64,
        known: &mut Known,
    ) -> Result<Vec<(String, SeenSession)>, Failure> {
        let first = opened.first_name()?;
        let was_first = known.session(session).and_then(|seen| seen.first.clone());
        let firsts: BTreeSet<String> = first.into_iter().chain(was_first).collect();
        let mut found: Vec<(String, SeenSession)> = Vec::new();
        for first in &firsts {
            found.extend(known.siblings(session, first));
        }
        found.retain(|(_, seen)| changed_since(&seen.place, since, known));
        found.extend(self.unknown_siblings(opened, (session, &firsts), since, known)?);
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found.dedup_by(|a, b| a.0 == b.0);
        Ok(found)
    }

    fn unknown_siblings(
        &self,
        opened: &OpenTranscript,
        (session, firsts): (&str, &BTreeSet<String>),
        since: i64,
        known: &mut Known,
    ) -> Result<Vec<(String, SeenSession)>, Failure> {
        let mut unknown = self.sessions_out_of_sight(known)?;
        unknown.remove(session);
        let mut found = Vec::new();
        let forgotten = self.forgotten()?;
        let has_others = !unknown.is_empty() || !forgotten.is_empty();
        if firsts.is_empty() || !has_others || opened.reader.unit() != Unit::Bytes {
            return Ok(found);
        }
        let Some(folder) = Path::new(&opened.full_place).parent() else { return Ok(found) };
        for path in outside::all_children(folder) {
            let transcript = Transcript::file(&path);
            let is_alike = path.extension() == Path::new(&opened.full_place).extension();
            let place = transcript.place();
            if !is_alike || place == opened.full_place || !changed_since(&place, since, known) {
                continue;
            }
            let Ok(mut other) = OpenTranscript::open(&transcript, None) else { continue };
            let begins_alike = other.first_name()?.is_some_and(|first| firsts.contains(&first));
            let Some(named) = other.head(&transcript)?.session.filter(|_| begins_alike) else { continue };
            let named = scrub(&named).0.into_owned();
            // What was forgotten of a session does not come in by its forks either.
            let end = match self.readable_of(&forgotten, &named) {
                Readable::Nothing(_) if named != session => other.len,
                Readable::From(first) if named != session => first.min(other.len),
                _ => 0,
            };
            if end > 0 {
                let tail = other.tail(end)?;
                found.push((named, SeenSession { end, tail, place, ..SeenSession::default() }));
            } else if unknown.contains(&named) {
                found.push((named, SeenSession::default()));
            }
        }
        Ok(found)
    }
}

/// Whether a transcript changed since then (in nanoseconds), as far as it or the cache tells.
fn changed_since(place: &str, since: i64, known: &Known) -> bool {
    let look = outside::look(Path::new(place)).ok().flatten().map(|look| look.mtime_ns);
    look.or_else(|| known.file(place).map(|seen| seen.mtime_ns)).is_none_or(|mtime_ns| mtime_ns >= since)
}

/// Adds the names of what was captured of a sibling; returns whether its transcript is the one that was.
fn add_names(opened: &OpenTranscript, seen: &SeenSession, names: &mut BTreeSet<String>) -> bool {
    // The place comes out of a cache that may be anybody's: it may be no file by now, or never was one.
    let place = Path::new(&seen.place);
    let Ok(Some(look)) = outside::look(place) else { return false };
    if look.len < seen.end {
        return false;
    }
    let is_same = OpenTranscript::open(&Transcript::file(place), None)
        .is_ok_and(|mut other| other.tail(seen.end).is_ok_and(|tail| tail == seen.tail));
    // What came after is captured from there, if it is captured at all.
    is_same
        && outside::open(place).is_ok_and(|file| {
            let mut input = BufReader::with_capacity(256 * 1024, file.take(seen.end));
            copied::add_names(opened.reader, &mut input, names).is_ok()
        })
}

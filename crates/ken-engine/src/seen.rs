//! What is known of transcripts: how far each was captured and how its file looked.
//!
//! The journal says what was captured; each of its days is read once in a run, and again when it
//! changed. The cache beside it only spares looking again, and tells a file that went on from one that
//! was written anew. Without it a transcript is read from where the journal says.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::VaultPath;
use ken_core::journal::provenances;
use ken_intake::scrub::scrub;
use ken_store::FileStat;
use serde::{Deserialize, Serialize};

use crate::capture::Talks;
use crate::engine::Engine;
use crate::failure::Failure;

/// Name of the file in the cache.
const SEEN: &str = "transcripts.json";

/// What a change of this structure raises.
const VERSION: u32 = 1;

/// Captures after which what was seen is written down: a run that is cut off looks at so many again.
const NOTES_MAX: usize = 64;

/// One transcript as it looked when it was last read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeenFile {
    pub(crate) len: u64,
    pub(crate) mtime_ns: i64,
    /// Whether its session belongs to this vault.
    pub(crate) is_ours: bool,
}

/// How far a session was captured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeenSession {
    /// Where the next reading begins.
    pub(crate) end: u64,
    /// Digest of what stands before `end`, which another file would not have there.
    pub(crate) tail: String,
    /// Name of the first record in which something is said: a copy of the session begins with it too.
    #[serde(default)]
    pub(crate) first: Option<String>,
    /// The transcript, to see what a copy shares with it.
    #[serde(default)]
    pub(crate) place: String,
    /// Whether it was ever read from its start again: then more was captured of it than it may say now.
    #[serde(default)]
    pub(crate) was_anew: bool,
}

/// The cache, under names without secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Seen {
    version: u32,
    files: BTreeMap<String, SeenFile>,
    sessions: BTreeMap<String, SeenSession>,
}

/// A day of the journal with the ends of the ranges in it.
#[derive(Debug, Clone)]
struct Day {
    stat: FileStat,
    ends: Vec<(String, u64)>,
}

/// What one run knows of transcripts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    seen: Seen,
    /// What this run adds to the cache.
    new: Seen,
    days: BTreeMap<VaultPath, Day>,
    /// The files of talk.
    pub(crate) talks: Talks,
}

impl Known {
    /// Returns what a transcript looked like, if it still looks so.
    pub(crate) fn unchanged(&self, place: &str, look: &SeenFile) -> Option<&SeenFile> {
        self.file(place).filter(|seen| seen.len == look.len && seen.mtime_ns == look.mtime_ns)
    }

    /// Returns what a transcript looked like when it was last read.
    pub(crate) fn file(&self, place: &str) -> Option<&SeenFile> {
        let place = &*scrub(place).0;
        self.new.files.get(place).or_else(|| self.seen.files.get(place))
    }

    /// Returns how far a session was captured, as far as the cache knows.
    pub(crate) fn session(&self, session: &str) -> Option<&SeenSession> {
        self.new.sessions.get(session).or_else(|| self.seen.sessions.get(session))
    }

    /// Notes how a transcript looked.
    pub(crate) fn note_file(&mut self, place: &str, file: SeenFile) {
        self.new.files.insert(scrub(place).0.into_owned(), file);
    }

    /// Returns the other sessions that begin with the record of this name.
    pub(crate) fn siblings(&self, session: &str, first: &str) -> Vec<(String, SeenSession)> {
        let mut all: BTreeMap<&String, &SeenSession> = self.seen.sessions.iter().collect();
        all.extend(&self.new.sessions);
        let is_sibling =
            |(name, seen): &(&String, &SeenSession)| *name != session && seen.first.as_deref() == Some(first);
        all.into_iter().filter(is_sibling).map(|(name, seen)| (name.clone(), seen.clone())).collect()
    }

    /// Notes how far a session was captured.
    pub(crate) fn note_session(&mut self, session: &str, seen: SeenSession) {
        self.new.sessions.insert(session.to_owned(), seen);
    }

    /// Returns whether enough was noted to be written down.
    pub(crate) fn is_full(&self) -> bool {
        self.new.files.len() >= NOTES_MAX
    }
}

impl Engine {
    /// Returns what is known; the cache may be absent or damaged.
    pub(crate) fn known(&self) -> Known {
        Known { seen: self.load_seen(), ..Known::default() }
    }

    fn load_seen(&self) -> Seen {
        let seen = self.store.read_cache(SEEN).and_then(|bytes| serde_json::from_slice::<Seen>(&bytes).ok());
        seen.filter(|seen| seen.version == VERSION).unwrap_or_else(|| Seen { version: VERSION, ..Seen::default() })
    }

    /// Writes down what a run noted, on top of what others noted meanwhile; a vault that is locked or
    /// cannot be written goes on without.
    pub(crate) fn save_known(&self, known: &mut Known) {
        let Seen { files, sessions, .. } = std::mem::take(&mut known.new);
        if files.is_empty() && sessions.is_empty() {
            return;
        }
        known.seen.files.extend(files.clone());
        known.seen.sessions.extend(sessions.clone());
        let Ok(_guard) = self.lock("sync") else { return };
        let mut seen = self.load_seen();
        seen.files.extend(files);
        seen.sessions.extend(sessions);
        if let Ok(bytes) = serde_json::to_vec(&seen) {
            // Losing the cache costs time, never an answer.
            let _ = self.store.write_cache(SEEN, bytes);
        }
    }

    /// The sessions that stand in the journal and that the cache says nothing of. The caller holds the lock.
    pub(crate) fn sessions_out_of_sight(&self, known: &mut Known) -> Result<BTreeSet<String>, Failure> {
        self.look_through_days(known)?;
        let sessions = known.days.values().flat_map(|day| &day.ends).map(|(session, _)| session);
        Ok(sessions.filter(|session| known.session(session).is_none()).cloned().collect())
    }

    /// The end of the farthest range of a session that stands in the journal. The caller holds the lock.
    pub(crate) fn captured_until(&self, session: &str, known: &mut Known) -> Result<u64, Failure> {
        self.look_through_days(known)?;
        let ends = known.days.values().flat_map(|day| &day.ends).filter(|(of, _)| of == session);
        Ok(ends.map(|(_, end)| *end).max().unwrap_or(0))
    }

    /// Reads the days of the journal that changed since this run looked at them.
    fn look_through_days(&self, known: &mut Known) -> Result<(), Failure> {
        let listed = self.store.list(&self.layout().journal)?.files;
        let is_same = |file: &FileStat| known.days.get(&file.path).is_some_and(|day| day.stat == *file);
        let changed: Vec<FileStat> = listed.iter().filter(|file| !is_same(file)).cloned().collect();
        let ends = |file: &FileStat, bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes);
            let ends = provenances(&text).filter_map(|found| Some((found.session?, found.range?.1))).collect();
            Day { stat: file.clone(), ends }
        };
        for day in self.store.map_files(&changed, ends)?.into_iter().flatten() {
            known.days.insert(day.stat.path.clone(), day);
        }
        let there: BTreeSet<&VaultPath> = listed.iter().map(|file| &file.path).collect();
        known.days.retain(|path, _| there.contains(path));
        Ok(())
    }
}

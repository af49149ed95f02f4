//! What was seen of transcripts: how far each was captured and how its file looked.
//!
//! A cache. The journal says what was captured; this only spares looking again, and tells a file that
//! went on from one that was written anew. Without it a transcript is read from where the journal says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::scrub::scrub;

/// Name of the file in the cache.
const SEEN: &str = "transcripts.json";

/// What a change of this structure raises.
const VERSION: u32 = 1;

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
}

/// Everything that was seen, under names without secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    version: u32,
    files: BTreeMap<String, SeenFile>,
    sessions: BTreeMap<String, SeenSession>,
}

impl Seen {
    /// Returns whether a file still looks as it did when it was last read.
    pub(crate) fn is_unchanged(&self, place: &str, len: u64, mtime_ns: i64) -> Option<&SeenFile> {
        self.files.get(&*scrub(place).0).filter(|seen| seen.len == len && seen.mtime_ns == mtime_ns)
    }

    /// Notes how a file looked.
    pub(crate) fn note_file(&mut self, place: &str, file: SeenFile) {
        self.files.insert(scrub(place).0.into_owned(), file);
    }

    /// Notes how far a session was captured.
    pub(crate) fn note_session(&mut self, session: &str, seen: SeenSession) {
        self.sessions.insert(session.to_owned(), seen);
    }

    /// Returns the other sessions that begin with the record of this name.
    pub(crate) fn siblings(&self, session: &str, first: &str) -> Vec<(&String, &SeenSession)> {
        let is_sibling =
            |(name, seen): &(&String, &SeenSession)| *name != session && seen.first.as_deref() == Some(first);
        self.sessions.iter().filter(is_sibling).collect()
    }

    /// Returns how far a session was captured.
    pub(crate) fn session(&self, session: &str) -> Option<&SeenSession> {
        self.sessions.get(session)
    }
}

impl Engine {
    /// Returns what was seen; nothing when the cache is absent or damaged.
    pub(crate) fn load_seen(&self) -> Seen {
        let seen = self.store.read_cache(SEEN).and_then(|bytes| serde_json::from_slice::<Seen>(&bytes).ok());
        seen.filter(|seen| seen.version == VERSION).unwrap_or_else(|| Seen { version: VERSION, ..Seen::default() })
    }

    /// Notes what was seen; the caller holds the vault's lock, so nothing another one noted is lost.
    pub(crate) fn save_seen(&self, note: impl FnOnce(&mut Seen)) {
        let mut seen = self.load_seen();
        let before = seen.clone();
        note(&mut seen);
        if seen != before
            && let Ok(bytes) = serde_json::to_vec(&seen)
        {
            // Losing the cache costs time, never an answer.
            let _ = self.store.write_cache(SEEN, &bytes);
        }
    }
}

//! The list of what was forgotten: `.kenning/forgotten.jsonl`, one sealed line a forgetting.
//!
//! A line says when, of what sort, how much and where, and never what: sessions, documents and targets stand in it
//! as keyed digests that only this user can make. So what comes in later can be recognised, and nobody who has the
//! vault can find out by trying. A line without this user's seal holds for nobody here.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use ken_core::{Date, Timestamp, VaultPath};
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::failure::Failure;

/// What a line is sealed as, and digests are keyed for.
const PURPOSE: &str = "forgotten";
/// Hex digits of a digest in the list.
const KEY_CHARS: usize = 32;

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) at: Timestamp,
    /// The sort of target; `allow` where the line lets something in again.
    pub(super) what: String,
    /// What names the target.
    pub(super) key: String,
    /// First and last day, of a range of days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) days: Option<(Date, Date)>,
    /// Sessions, each with the place in its transcript from which on it is read again; none for nowhere.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) sessions: BTreeMap<String, Option<u64>>,
    /// Documents, by their bytes, their places in the vault, and the places they were copied from; talk by its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) documents: Vec<String>,
    /// Where text was covered, as far as the place itself says nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) places: Vec<String>,
    /// What went, by sort.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) counts: BTreeMap<String, usize>,
    pub(super) seal: String,
}

impl Line {
    pub(super) fn new(at: Timestamp, what: &str, key: String) -> Line {
        let (sessions, counts) = (BTreeMap::new(), BTreeMap::new());
        let (documents, places, seal) = (Vec::new(), Vec::new(), String::new());
        Line { at, what: what.to_owned(), key, days: None, sessions, documents, places, counts, seal }
    }

    fn sealed_bytes(&self) -> Vec<u8> {
        let open = Line { seal: String::new(), ..self.clone() };
        serde_json::to_vec(&open).expect("plain fields always have a JSON form")
    }
}

/// What this user's list says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forgotten {
    lines: Vec<Line>,
}

/// What is to be read of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readable {
    /// All of it.
    All,
    /// What stands from there on in its transcript.
    From(u64),
    /// Nothing, since then.
    Nothing(Timestamp),
}

/// Returns where the list stands.
pub(crate) fn list_path() -> VaultPath {
    VaultPath::new(".kenning/forgotten.jsonl").expect("inside the vault")
}

impl Engine {
    /// Returns the list, without what was let in again since.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn forgotten(&self) -> Result<Forgotten, Failure> {
        let bytes = self.store.read(&list_path())?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let mut lines: Vec<Line> = Vec::new();
        for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
            if self.store.sign(PURPOSE, &line.sealed_bytes()).is_none_or(|seal| seal != line.seal) {
                continue;
            }
            match line.what.as_str() {
                "allow" => lines.retain(|known| known.key != line.key),
                _ => lines.push(line),
            }
        }
        Ok(Forgotten { lines })
    }

    /// Returns what names a text in the list; none without a key.
    pub(crate) fn key_of(&self, sort: &str, text: &str) -> Option<String> {
        let signed = self.store.sign(PURPOSE, format!("{sort}\n{text}").as_bytes())?;
        Some(signed[..KEY_CHARS].to_owned())
    }

    /// Returns a line as it is added to the list.
    pub(super) fn closed_line(&self, line: Line) -> Option<String> {
        let seal = self.store.sign(PURPOSE, &line.sealed_bytes())?;
        let line = serde_json::to_string(&Line { seal, ..line }).expect("plain fields always have a JSON form");
        Some(line + "\n")
    }

    /// Returns what of a session may be read from its transcript.
    pub(crate) fn readable_of(&self, forgotten: &Forgotten, session: &str) -> Readable {
        let Some(key) = self.key_of("session", session).filter(|_| !forgotten.lines.is_empty()) else {
            return Readable::All;
        };
        let mut readable = Readable::All;
        for line in &forgotten.lines {
            match (line.sessions.get(&key), readable) {
                (Some(None), _) => return Readable::Nothing(line.at),
                (Some(Some(until)), Readable::From(known)) => readable = Readable::From(known.max(*until)),
                (Some(Some(until)), _) => readable = Readable::From(*until),
                (None, _) => {}
            }
        }
        readable
    }

    /// Returns when a document was forgotten that has these bytes, this place, or is copied from there.
    pub(crate) fn document_forgotten(
        &self,
        forgotten: &Forgotten,
        digest: &str,
        path: &VaultPath,
        origin: Option<&str>,
    ) -> Option<Timestamp> {
        if forgotten.lines.is_empty() {
            return None;
        }
        let keys =
            [Some(("bytes", digest)), Some(("document", path.as_str())), origin.map(|origin| ("origin", origin))];
        let keys: Vec<String> = keys.into_iter().flatten().filter_map(|(sort, text)| self.key_of(sort, text)).collect();
        let is_it = |line: &&Line| line.documents.iter().any(|known| keys.contains(known));
        forgotten.lines.iter().find(is_it).map(|line| line.at)
    }
}

impl Forgotten {
    /// Returns whether nothing was forgotten.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns whether a document was forgotten as a whole, by what names its bytes.
    pub(super) fn has_document(&self, key: &str) -> bool {
        let is_whole = |line: &&Line| line.what == "source";
        self.lines.iter().filter(is_whole).any(|line| line.documents.iter().any(|known| known == key))
    }

    /// Returns whether talk went as a whole, by what names its place.
    pub(super) fn has_talk(&self, key: &str) -> bool {
        self.lines.iter().any(|line| line.documents.iter().any(|known| known == key))
    }

    /// Returns whether something of that moment, in local time, was forgotten with its day. What came after that is
    /// new.
    pub(crate) fn has_day(&self, date: Date, (hour, minute): (u8, u8), zone: &TimeZone) -> bool {
        let at = date.at(hour as i8, minute as i8, 0, 0);
        let is_in = |line: &Line| {
            let (first, last) = line.days.unwrap_or((Date::MAX, Date::MIN));
            first <= date && date <= last && at <= line.at.to_zoned(zone.clone()).datetime()
        };
        self.lines.iter().any(is_in)
    }

    /// Returns whether a target was forgotten.
    pub(super) fn has(&self, key: &str) -> bool {
        self.lines.iter().any(|line| line.key == key)
    }
}

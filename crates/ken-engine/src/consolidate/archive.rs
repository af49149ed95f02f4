//! The records of pages that were put away, and of those used most: what compiling reads besides journal and sources.
//!
//! One file a page, so that git merges them and forgetting one takes no other. A record may be anybody's: it is read as
//! days and counts, and what stands on a page is made of those.

use ken_compile::archive::{ARCHIVE, Archive, PutAway, Said};
use ken_core::consolidate::used::USED_MAX;
use ken_core::layout::TOOL_FOLDER;
use ken_core::{Basis, Date, Edit, Slug, VaultPath};
use serde::{Deserialize, Serialize};

use crate::compile::beside::Beside;
use crate::engine::Engine;
use crate::failure::Failure;

/// The pages used most.
const USED: &str = "used.json";
/// [`Record::version`].
const VERSION: u32 = 1;

/// The record of a page that was put away, or taken into use again by a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    version: u32,
    /// The subject, in hexadecimal digits.
    subject: String,
    /// The day on which it was put away, or taken into use again.
    pub(super) on: Date,
    /// What was known of it then.
    entries: usize,
    last: Option<Date>,
    /// Whether a person took it into use again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) restored: bool,
}

impl Record {
    pub(super) fn of(key: u64, said: &Said, on: Date) -> Record {
        let subject = format!("{key:016x}");
        Record { version: VERSION, subject, on, entries: said.n_entries, last: said.last, restored: false }
    }

    /// The same page, taken into use again.
    fn restored(self, on: Date) -> Record {
        Record { on, restored: true, ..self }
    }

    fn parse(bytes: &[u8]) -> Option<Record> {
        serde_json::from_slice(bytes).ok().filter(|record: &Record| record.version == VERSION)
    }

    pub(super) fn key(&self) -> Option<u64> {
        u64::from_str_radix(&self.subject, 16).ok()
    }

    pub(super) fn put_away(&self) -> PutAway {
        let said = Said { n_entries: self.entries, n_days: 0, last: self.last };
        let last = self.last.map(|day| format!(", last said on {day}")).unwrap_or_default();
        PutAway { said, why: format!("put away on {}{last}", self.on) }
    }

    pub(super) fn text(&self) -> String {
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }
}

/// Where the record of a page stands.
pub(super) fn record_path(slug: &Slug) -> VaultPath {
    VaultPath::new(&format!("{TOOL_FOLDER}/{ARCHIVE}/{slug}.json")).expect("a slug is a file name")
}

pub(super) fn used_path() -> VaultPath {
    VaultPath::new(&format!("{TOOL_FOLDER}/{USED}")).expect("a plain file name")
}

/// What names the pages used most.
pub(super) fn used_text(pages: &[Slug]) -> String {
    let pages: Vec<&str> = pages.iter().map(Slug::as_str).collect();
    serde_json::to_string_pretty(&pages).map(|text| text + "\n").unwrap_or_default()
}

impl Engine {
    /// Returns the records of pages that were put away, as a change leaves them, with the slug that each is named by.
    pub(super) fn records(&self, beside: Option<&Beside<'_>>) -> Result<Vec<(Slug, Record)>, Failure> {
        let mut paths: Vec<VaultPath> = Vec::new();
        for name in self.store.kept_names(ARCHIVE)? {
            paths.extend(VaultPath::new(&format!("{TOOL_FOLDER}/{ARCHIVE}/{name}")));
        }
        let changed = beside.iter().flat_map(|beside| &beside.edits).map(Edit::path);
        paths.extend(changed.filter(|path| path.is_under(&format!("{TOOL_FOLDER}/{ARCHIVE}"))).cloned());
        paths.sort();
        paths.dedup();
        let mut out = Vec::new();
        for path in paths.into_iter().filter(|path| path.extension() == "json") {
            let Some(slug) = Slug::from_text(path.stem()) else { continue };
            let bytes = self.as_changed(beside, &path)?;
            out.extend(bytes.and_then(|bytes| Record::parse(&bytes)).map(|record| (slug, record)));
        }
        Ok(out)
    }

    /// Returns what was put away.
    pub(crate) fn archive(&self, beside: Option<&Beside<'_>>) -> Result<Archive, Failure> {
        let records = self.records(beside)?.into_iter().filter(|(_, record)| !record.restored);
        Ok(records.filter_map(|(_, record)| Some((record.key()?, record.put_away()))).collect())
    }

    /// Returns the pages that the last consolidation found used most.
    pub(crate) fn used_most(&self, beside: Option<&Beside<'_>>) -> Result<Vec<Slug>, Failure> {
        let bytes = self.as_changed(beside, &used_path())?.unwrap_or_default();
        let named: Vec<String> = serde_json::from_slice(&bytes).unwrap_or_default();
        Ok(named.iter().filter_map(|name| Slug::from_text(name)).take(USED_MAX).collect())
    }

    /// Returns the edit by which a page that was put away is in use again, by a person's word; none where it was not.
    pub(crate) fn taken_into_use(&self, slug: &Slug) -> Result<Option<Edit>, Failure> {
        let path = record_path(slug);
        let Some(bytes) = self.store.read(&path)? else { return Ok(None) };
        let record = Record::parse(&bytes).filter(|record| !record.restored);
        Ok(record.map(|record| Basis::of(&path, Some(&bytes)).replace(record.restored(self.clock.today()).text())))
    }

    /// The bytes of a file as a change leaves it.
    pub(crate) fn as_changed(&self, beside: Option<&Beside<'_>>, path: &VaultPath) -> Result<Option<Vec<u8>>, Failure> {
        let edit = beside.and_then(|beside| beside.edits.iter().find(|edit| edit.path() == path));
        match edit {
            Some(Edit::Write { content, .. }) => Ok(Some(content.clone())),
            Some(_) => Ok(None),
            None => Ok(self.store.read(path)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_somebody_else_says_days_and_counts_and_nothing_more() {
        let said = Said { n_entries: 3, n_days: 2, last: "2026-01-05".parse().ok() };
        let record = Record::of(0xab, &said, "2026-04-10".parse().expect("a day"));
        assert_eq!(Record::parse(record.text().as_bytes()), Some(record.clone()));
        assert_eq!(record.key(), Some(0xab));
        assert_eq!(record.put_away().why, "put away on 2026-04-10, last said on 2026-01-05");
        for bad in ["", "{}", "[1]", r#"{"version":1,"subject":"x","on":"never","entries":1,"last":null}"#] {
            assert_eq!(Record::parse(bad.as_bytes()), None, "{bad}");
        }
    }
}

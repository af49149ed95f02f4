//! Pages that were put away, and what takes one back into use by itself: somebody speaks of its subject again.
//!
//! What was put away is handed in, as a record has it; here it is compared with what the ledger knows, so that the same
//! journal, sources and records give the same pages.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Date;

use crate::ledger::{Key, Ledger, Posting, flag};

/// The folder of the wiki in which such pages stand, and that of their records below the tool's.
pub const ARCHIVE: &str = "archive";

/// What was put away, by subject.
pub type Archive = BTreeMap<Key, PutAway>;

/// A page that was put away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PutAway {
    /// What was known of its subject then.
    pub said: Said,
    /// Why, as its header says it.
    pub why: String,
}

impl PutAway {
    /// Returns whether nothing was said of the subject since.
    pub fn holds(&self, now: &Said) -> bool {
        now.n_entries <= self.said.n_entries && now.last <= self.said.last
    }
}

/// How often, and when, something is said of a subject.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Said {
    /// Entries and documents that name it.
    pub n_entries: usize,
    /// Days on which it was named.
    pub n_days: usize,
    /// The newest of them.
    pub last: Option<Date>,
}

/// Says how often, and when, something is said of subjects.
pub struct SaidOf<'l> {
    ledger: &'l Ledger,
    days: BTreeMap<u32, Date>,
}

impl SaidOf<'_> {
    /// Returns what a ledger knows.
    pub fn new(ledger: &Ledger) -> SaidOf<'_> {
        let day = |(path, file): (&String, &crate::ledger::FileRecord)| Some((file.id, file.day(path)?));
        SaidOf { ledger, days: ledger.files.iter().filter_map(day).collect() }
    }

    /// Returns what is said of the subject of a page, by any of its names.
    pub fn subject(&self, key: Key) -> Said {
        let days = self.days(key);
        let entries = self.postings(key).map(|posting| (posting.file, posting.entry)).collect::<BTreeSet<_>>();
        Said { n_entries: entries.len(), n_days: days.len(), last: days.last().copied() }
    }

    /// Returns how many days there are after one on which something was said or written.
    pub fn n_days_after(&self, day: Date) -> usize {
        self.days.values().filter(|other| **other > day).collect::<BTreeSet<_>>().len()
    }

    /// Returns the days on which something names it.
    pub fn days(&self, key: Key) -> BTreeSet<Date> {
        self.postings(key).filter_map(|posting| self.days.get(&posting.file).copied()).collect()
    }

    /// What names it; what settles a dispute says nothing of its own.
    fn postings(&self, key: Key) -> impl Iterator<Item = &Posting> {
        let all = self.ledger.leading_to(key).flat_map(|key| self.ledger.postings_of(key));
        all.filter(|posting| posting.flags != flag::SETTLED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(n_entries: usize, last: Option<&str>) -> Said {
        Said { n_entries, n_days: n_entries, last: last.map(|day| day.parse().expect("a day")) }
    }

    #[test]
    fn a_page_comes_back_when_its_subject_is_spoken_of_again() {
        let away = PutAway { said: said(3, Some("2026-01-05")), why: String::new() };
        assert!(away.holds(&said(3, Some("2026-01-05"))));
        assert!(away.holds(&said(2, Some("2026-01-04"))), "something was forgotten");
        assert!(!away.holds(&said(4, Some("2026-01-05"))), "an older day says more");
        assert!(!away.holds(&said(3, Some("2026-01-06"))), "said again");
    }
}

//! The issues whose work did not stay: what their entries alone say is stale.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::issue::Issue;
use serde::{Deserialize, Serialize};

use super::{FileRecord, Key, Ledger};

/// Those issues.
pub type Withdrawn = BTreeMap<Issue, Withdrawal>;

/// An issue whose work did not stay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Withdrawal {
    /// How it ended, and when, in words.
    pub why: String,
    /// The digests of lines that hold in spite of that, as a citation has them.
    pub spared: BTreeSet<String>,
}

impl Ledger {
    /// Returns the issues that were known not to have stayed at the last compile.
    pub fn withdrawn(&self) -> &Withdrawn {
        &self.withdrawn
    }

    /// Notes which issues did not stay; returns the subjects of those of which something else was known before.
    pub fn withdraw(&mut self, now: Withdrawn) -> BTreeSet<Key> {
        let before = std::mem::replace(&mut self.withdrawn, now);
        let all: BTreeSet<Issue> = before.keys().chain(self.withdrawn.keys()).copied().collect();
        let changed: BTreeSet<Issue> =
            all.into_iter().filter(|issue| before.get(issue) != self.withdrawn.get(issue)).collect();
        if changed.is_empty() {
            return BTreeSet::new();
        }
        let of_file = |file: &FileRecord| {
            let of_changed = file.issues.iter().filter(|(_, issue)| changed.contains(issue));
            of_changed.map(|(entry, _)| (file.id, *entry)).collect::<Vec<_>>()
        };
        let entries: BTreeSet<(u32, u16)> = self.files.values().flat_map(of_file).collect();
        let is_of_one = |posting: &&super::Posting| entries.contains(&(posting.file, posting.entry));
        self.postings.iter().filter(is_of_one).map(|posting| posting.key).collect()
    }

    /// Returns why a statement of an issue, cited by lines with this digest, is stale; empty where it is not.
    pub(crate) fn stale_for(&self, issue: Option<Issue>, digest: &str) -> &str {
        let withdrawal = issue.and_then(|issue| self.withdrawn.get(&issue));
        withdrawal.filter(|one| !one.spared.contains(digest)).map_or("", |one| one.why.as_str())
    }

    /// Returns what is withdrawn of what a file says.
    pub(crate) fn withdrawn_of(&self, file: &FileRecord) -> Vec<Withdrawal> {
        file.issues.iter().filter_map(|(_, issue)| self.withdrawn.get(issue)).cloned().collect()
    }
}

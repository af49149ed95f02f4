//! What checking pages showed, by all that it depends on, so that a page is checked again only when some of it changed.
//!
//! For rules that take longer than everything else and look at one page and its sources alone. What such a rule asks of the
//! rest of the vault is kept with the answers, and asked again.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::digest::Digest;
use crate::snapshot::Snapshot;

/// Changes whenever a rule that remembers finds something else in the same texts.
pub const CHECKS_VERSION: u32 = 2;

/// What names a page with its sources, as far as a check depends on them.
pub type CheckKey = [u8; 16];

/// What one check of a page showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// Names for which it asked, and whether there is a page of that name.
    pub asked: Vec<(String, bool)>,
    /// Where something was found, and what is said of it.
    pub found: Vec<((usize, usize), String)>,
}

/// The checks of a whole vault.
#[derive(Debug, Default)]
pub struct Memory {
    before: BTreeMap<CheckKey, Checked>,
    now: Mutex<BTreeMap<CheckKey, Checked>>,
}

impl Memory {
    /// Returns the memory of what was checked before.
    pub fn of(before: BTreeMap<CheckKey, Checked>) -> Memory {
        Memory { before, now: Mutex::default() }
    }

    /// Returns what was checked now, if that is not all that was known before.
    pub fn news(self) -> Option<BTreeMap<CheckKey, Checked>> {
        let now = self.now.into_inner().unwrap_or_else(PoisonError::into_inner);
        (now != self.before).then_some(now)
    }

    /// Returns what a check showed before, if the vault still answers as it did then.
    pub(super) fn before(&self, key: &CheckKey, snapshot: &Snapshot) -> Option<&Checked> {
        let checked = self.before.get(key)?;
        checked.asked.iter().all(|(name, is_there)| snapshot.find(name).is_some() == *is_there).then_some(checked)
    }

    /// Notes what a check showed.
    pub(super) fn note(&self, key: CheckKey, checked: Checked) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(key, checked);
    }
}

/// Returns what names a check of a rule on these parts.
pub(super) fn check_key(rule: &str, parts: &[&[u8]]) -> CheckKey {
    let mut bytes = Vec::from(CHECKS_VERSION.to_le_bytes());
    for part in std::iter::once(&rule.as_bytes()).chain(parts) {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    let digest = Digest::of(&bytes);
    digest.as_bytes()[..16].try_into().expect("sixteen bytes of thirty-two")
}

//! Keeps what was read of each day of the journal, so that old entries are not cut and searched for names again.
//!
//! One file of the cache a day: which bytes it was made of, and its entries, each in a form of its own, so that a page is
//! composed from the few that it needs. What was made of other bytes, by another version, or by somebody else is none, and
//! the day is read again; so is a day that a scan would find a secret in. Where models read the journal nothing is kept:
//! what they say comes in from elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ken_compile::ledger::LEDGER_VERSION;
use ken_compile::marked::{KeptEntry, Marked};
use ken_core::parallel::long_in_parallel;
use ken_core::{Digest, VaultPath};
use ken_intake::scrub::find;
use ken_store::Store;
use serde::{Deserialize, Serialize};

/// How the names of these files begin.
const PREFIX: &str = "day-";

/// A day as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptDay<'a> {
    version: u32,
    /// Digest of the file that it was made of.
    digest: [u8; 32],
    /// Its entries in order; none where one is not kept.
    #[serde(borrow)]
    entries: Vec<Option<&'a [u8]>>,
}

/// The days that were read, to be kept once the pages made of them stand.
#[derive(Debug, Default)]
pub(super) struct Days {
    /// By path.
    read: Mutex<ByPath>,
    /// Those that were opened, where more of them will be asked for.
    opened: Option<Mutex<ByPath>>,
}

/// Kept days by the path of each.
type ByPath = BTreeMap<VaultPath, Arc<Vec<u8>>>;

/// A panic elsewhere does not make a map unusable.
fn locked(days: &Mutex<ByPath>) -> MutexGuard<'_, ByPath> {
    days.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of the file that a day is kept in.
fn name(path: &str) -> String {
    format!("{PREFIX}{}.bin", &Digest::of(path.as_bytes()).to_string()[..16])
}

/// Returns those entries of a kept day whose numbers are wanted; none when it was made of other bytes, or one is not
/// kept.
fn open(path: &VaultPath, digest: &[u8; 32], bytes: &[u8], wanted: &BTreeSet<u16>) -> Option<Vec<(u16, Marked)>> {
    let day: KeptDay<'_> = postcard::from_bytes(bytes).ok()?;
    if day.version != LEDGER_VERSION || day.digest != *digest {
        return None;
    }
    let entry = |n: &u16| {
        // An entry that is not there any longer is not there in the file either.
        let Some(bytes) = day.entries.get(usize::from(*n)) else { return Some(None) };
        Some(Some((*n, KeptEntry::read((*bytes)?)?.marked(path))))
    };
    let entries: Option<Vec<Option<(u16, Marked)>>> = wanted.iter().map(entry).collect();
    Some(entries?.into_iter().flatten().collect())
}

impl Days {
    /// Notes all entries of a day, in order, to be kept.
    pub(super) fn note<'a>(&self, path: &VaultPath, digest: [u8; 32], entries: impl Iterator<Item = &'a Marked>) {
        let bytes = |marked: &Marked| marked.kept()?.written();
        let entries: Vec<Option<Vec<u8>>> = entries.map(bytes).collect();
        let entries = entries.iter().map(Option::as_deref).collect();
        let Ok(bytes) = postcard::to_allocvec(&KeptDay { version: LEDGER_VERSION, digest, entries }) else { return };
        locked(&self.read).insert(path.clone(), Arc::new(bytes));
    }

    /// Holds the days that are opened from now on: their entries are asked for a few at a time, and a file is checked as a
    /// whole. Where all are asked for at once nothing should be held.
    pub(super) fn hold(&mut self) {
        self.opened = Some(Mutex::default());
    }

    /// Lets go of the days that were opened.
    pub(super) fn let_go(&mut self) {
        self.opened = None;
    }

    /// Returns those entries of a day, of which this is the digest, whose numbers are wanted; none when it has to be read.
    pub(super) fn entries(
        &self,
        store: &Store,
        (path, digest): (&VaultPath, &[u8; 32]),
        wanted: &BTreeSet<u16>,
    ) -> Option<Vec<(u16, Marked)>> {
        open(path, digest, &self.bytes(store, path)?, wanted)
    }

    fn bytes(&self, store: &Store, path: &VaultPath) -> Option<Arc<Vec<u8>>> {
        let read = locked(&self.read).get(path).cloned();
        let opened = || locked(self.opened.as_ref()?).get(path).cloned();
        if let Some(known) = read.or_else(opened) {
            return Some(known);
        }
        let bytes = Arc::new(store.read_cache(&name(path.as_str()))?);
        if let Some(opened) = &self.opened {
            locked(opened).insert(path.clone(), Arc::clone(&bytes));
        }
        Some(bytes)
    }

    /// Keeps what was read, and nothing of the days that are gone.
    pub(super) fn save(&self, store: &Store, gone: &[String]) {
        let read = std::mem::take(&mut *locked(&self.read));
        let read: Vec<(String, Arc<Vec<u8>>)> =
            read.into_iter().map(|(path, bytes)| (name(path.as_str()), bytes)).collect();
        // What stands beside each other only here may look like a secret, and a scan would find it on every run.
        let is_clean = long_in_parallel(read.len(), |n| find(&String::from_utf8_lossy(&read[n].1)).is_empty());
        let mut gone: BTreeSet<String> = gone.iter().map(|path| name(path)).collect();
        for ((name, bytes), is_clean) in read.into_iter().zip(is_clean) {
            if is_clean {
                // Losing the cache costs time, never an answer.
                let _ = store.write_cache(&name, bytes.as_slice());
            } else {
                gone.insert(name);
            }
        }
        if !gone.is_empty() {
            store.remove_cache(|name| gone.contains(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ken_compile::cut::{ReadAs, read_entries};

    const DAY: &str = "# Daily Log: 2026-04-01\n\n### Ovens\n- The oven heats at 220 degrees.\n\n### Tokens\n- We chose signed tokens.\n";

    #[test]
    fn a_kept_day_is_opened_only_for_the_bytes_that_it_was_made_of() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let marked: Vec<Marked> = read_entries(&path, ReadAs::Journal, DAY, None).into_iter().map(Marked::of).collect();
        let days = Days::default();
        days.note(&path, [7; 32], marked.iter());
        let bytes = days.read.lock().expect("one thread")[&path].to_vec();
        let wanted = BTreeSet::from([1]);
        assert_eq!(open(&path, &[7; 32], &bytes, &wanted), Some(vec![(1, marked[1].clone())]));
        assert_eq!(open(&path, &[8; 32], &bytes, &wanted), None);
        for n in 0..bytes.len() {
            // Whatever becomes of its bytes, opening it does not panic.
            let mut damaged = bytes.clone();
            damaged[n] ^= 0xff;
            let _ = open(&path, &[7; 32], &damaged, &wanted);
            assert_eq!(open(&path, &[7; 32], &bytes[..n], &wanted), None);
        }
    }
}

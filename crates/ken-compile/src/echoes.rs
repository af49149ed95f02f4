//! What else of an entry says what was replaced of it.
//!
//! A page finds what no longer holds among its own statements. What an agent noted of it in the same exchange, often as one
//! item of a list, stands on other pages or has other words, so that no page finds it.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::supersede::Saying;

use super::corpus::{Corpus, Known};
use super::ledger::{PassageId, Replaced};

/// An entry: its file, and its place there.
type EntryId = (u32, u16);

/// Returns the same with what echoes it in these entries, which are known with those that say what took its place.
pub(crate) fn with_echoes(replaced: Replaced, entries: &BTreeSet<EntryId>, corpus: &Corpus) -> Replaced {
    let mut sayings = Sayings { corpus, known: BTreeMap::new() };
    let found: Vec<(PassageId, PassageId)> =
        entries.iter().flat_map(|entry| sayings.echoes(*entry, &replaced)).collect();
    replaced.with_echoes(found)
}

/// What passages say, each read once.
struct Sayings<'c> {
    corpus: &'c Corpus,
    known: BTreeMap<PassageId, Saying>,
}

impl Sayings<'_> {
    /// The echoes of an entry, each with the passage that was replaced.
    fn echoes(&mut self, (file, entry): EntryId, replaced: &Replaced) -> Vec<(PassageId, PassageId)> {
        let old: Vec<(PassageId, PassageId)> = replaced.of_entry((file, entry)).collect();
        let Some(known) = self.corpus.entry(file, entry).filter(|known| !old.is_empty() && may_echo(known)) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for nth in (0..known.entry.passages.len()).filter(|nth| known.entry.passages[*nth].kind.is_said()) {
            let id = PassageId { file, entry, nth: nth as u16 };
            // What took something's place says what holds.
            if old.iter().any(|(of, by)| *of == id || *by == id) {
                continue;
            }
            let echoed = old.iter().filter(|(of, by)| self.are_echoes(id, *of, *by) == Some(true));
            out.extend(echoed.map(|(of, _)| (id, *of)));
        }
        out
    }

    fn are_echoes(&mut self, id: PassageId, of: PassageId, by: PassageId) -> Option<bool> {
        for one in [id, of, by] {
            if !self.known.contains_key(&one) {
                let known = self.corpus.entry(one.file, one.entry)?;
                let text = &known.entry.passages.get(usize::from(one.nth))?.text;
                self.known.insert(one, Saying::of(text, known.entry.date));
            }
        }
        Some(self.known[&id].echoes(&self.known[&of], &self.known[&by]))
    }
}

/// Whether an entry is something said of which passages may say the same: no document, and nothing that somebody wrote.
fn may_echo(known: &Known) -> bool {
    !known.entry.is_document() && known.entry.is_extracted
}

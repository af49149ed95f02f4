//! What else of an entry says what was replaced of it.
//!
//! A page finds what no longer holds among its own statements. What an agent noted of it in the same exchange, often as one
//! item of a list, stands on other pages or has other words, so that no page finds it.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Date;
use ken_core::supersede::{Saying, is_over_alone};

use super::corpus::{Corpus, Known};
use super::ledger::{Key, PassageId, Replaced};

/// An entry: its file, and its place there.
type EntryId = (u32, u16);

/// Returns the same with what echoes it in these entries, which are known with those that say what took its place.
pub(crate) fn with_echoes(replaced: Replaced, entries: &BTreeSet<EntryId>, corpus: &Corpus) -> Replaced {
    let found = echoes(&replaced, entries, corpus);
    replaced.with_echoes(found)
}

/// Returns the echoes of these entries, each with the passage that was replaced.
pub(crate) fn echoes(replaced: &Replaced, entries: &BTreeSet<EntryId>, corpus: &Corpus) -> Vec<(PassageId, PassageId)> {
    let mut sayings = Sayings { corpus, known: BTreeMap::new() };
    entries.iter().flat_map(|entry| sayings.echoes(*entry, replaced)).collect()
}

/// Returns the pages that tell what became of passages of which something else is known than before. The entries of those
/// are known, with the ones that say what took the place of what may be echoed there.
pub(crate) fn telling(
    changed: &BTreeSet<PassageId>,
    (before, now): (&Replaced, &Replaced),
    corpus: &Corpus,
) -> BTreeSet<Key> {
    let entries: BTreeSet<EntryId> = changed.iter().map(|id| (id.file, id.entry)).collect();
    let known = |(file, entry): &EntryId| corpus.entry(*file, *entry);
    // What echoed a passage is seen by what took its place then, which need not be there any longer.
    let has_lost = |entry: &EntryId| {
        let now: BTreeSet<_> = now.of_entry(*entry).collect();
        before.of_entry(*entry).any(|pair| !now.contains(&pair))
    };
    let (lost, grown): (BTreeSet<EntryId>, BTreeSet<EntryId>) =
        entries.into_iter().partition(|entry| known(entry).is_some_and(may_echo) && has_lost(entry));
    let [was, is] = [before, now].map(|replaced| BTreeSet::from_iter(echoes(replaced, &grown, corpus)));
    let heard = was.union(&is).filter(|pair| changed.contains(&pair.1) || !was.contains(pair) || !is.contains(pair));
    let told: BTreeSet<PassageId> = heard.map(|(id, _)| *id).chain(changed.iter().copied()).collect();
    let on_pages = told.iter().filter_map(|id| Some(known(&(id.file, id.entry))?.pages_of(usize::from(id.nth))));
    let anywhere = lost.iter().filter_map(known).map(Known::pages);
    on_pages.flatten().chain(anywhere.flatten()).collect()
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
        for (of, by) in &old {
            let Some((before, after)) = self.replaced(*of, *by) else { continue };
            let said = (0..known.entry.passages.len()).filter(|nth| known.entry.passages[*nth].kind.is_said());
            let others = said.map(|nth| PassageId { file, entry, nth: nth as u16 });
            // What took something's place says what holds.
            let others = others.filter(|id| !old.iter().any(|(of, by)| of == id || by == id));
            out.extend(
                others.filter(|id| self.saying(*id).is_some_and(|one| one.echoes(&before, &after))).map(|id| (id, *of)),
            );
        }
        out
    }

    /// What a passage says of which something took the place, and what that says.
    fn replaced(&self, of: PassageId, by: PassageId) -> Option<(Saying, Saying)> {
        let ((old, day), (new, day_after)) = (self.text(of)?, self.text(by)?);
        // What else stands beside that may hold.
        (!is_over_alone(old, new)).then(|| (Saying::of_replaced(old, new, day), Saying::of(new, day_after)))
    }

    /// What a passage says, with the day on which it was said.
    fn text(&self, id: PassageId) -> Option<(&str, Option<Date>)> {
        let known = self.corpus.entry(id.file, id.entry)?;
        Some((&known.entry.passages.get(usize::from(id.nth))?.text, known.entry.date))
    }

    fn saying(&mut self, id: PassageId) -> Option<&Saying> {
        if !self.known.contains_key(&id) {
            let (text, day) = self.text(id)?;
            let saying = Saying::of(text, day);
            self.known.insert(id, saying);
        }
        self.known.get(&id)
    }
}

/// Whether an entry is something said of which passages may say the same: no document, and nothing that somebody wrote.
pub(crate) fn may_echo(known: &Known) -> bool {
    !known.entry.is_document() && known.entry.is_extracted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::known_entries;
    use crate::key::key_hash;
    use crate::ledger::{Found, Ledger, Successor};
    use crate::marked::Marked;
    use crate::passage::journal_entries;
    use ken_core::words::subject_key;
    use ken_core::{Digest, VaultPath};

    fn id(nth: u16) -> PassageId {
        PassageId { file: 0, entry: 0, nth }
    }

    #[test]
    fn what_changed_is_told_on_the_pages_that_say_it_and_on_no_others_of_its_entry() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let text = "### A\n\n**Decisions Made:**\n- The oven timer rings after ten minutes.\n- The flour sieve hangs beside the door.\n";
        let marked: Vec<Marked> = journal_entries(&path, text, false).into_iter().map(Marked::of).collect();
        let mut ledger = Ledger::default();
        ledger.update(&path, (0, 0), Digest::of(b""), &marked, &[0]);
        ledger.settle();
        let keys = |names: &[&str]| names.iter().map(|name| key_hash(&subject_key(name))).collect::<BTreeSet<Key>>();
        let mut corpus = Corpus::default();
        let subjects = keys(&["oven timer", "flour sieve"]);
        corpus.add(0, known_entries((0..).zip(marked).collect(), &subjects, &ledger));
        let found = Found::from([(1, vec![(id(0), Successor { by: id(1), from: None })])]);
        let (none, replaced) = (Replaced::default(), Replaced::from_pages(&found, &ledger.paths()));
        let changed = replaced.changed(&none);
        assert_eq!(telling(&changed, (&none, &replaced), &corpus), keys(&["oven timer"]));
        assert_eq!(telling(&changed, (&replaced, &none), &corpus), keys(&["oven timer"]));
    }
}

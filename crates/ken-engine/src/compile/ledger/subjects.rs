//! Which subjects deserve a page.

use std::collections::{BTreeMap, BTreeSet};

use super::{Key, Ledger, Posting, flag};

impl Ledger {
    /// Returns the subjects that deserve a page, by what mentions them.
    pub(in crate::compile) fn subjects(&self) -> BTreeSet<Key> {
        let n_entries = self.n_entries();
        let groups = self.postings.chunk_by(|a, b| a.key == b.key);
        // What one document is called has that document's page.
        let documents = self.documents();
        let groups = groups.filter(|group| documents.named(group[0].key).is_none());
        let mut subjects: BTreeSet<Key> =
            groups.filter(|group| is_subject(group, n_entries)).map(|group| group[0].key).collect();
        subjects.extend(self.local_subjects(&subjects));
        let joins_two = |joined: &BTreeSet<Key>| joined.iter().filter(|key| subjects.contains(key)).count() >= 2;
        let idle: BTreeSet<Key> =
            self.connections.iter().filter(|(_, joined)| !joins_two(joined)).map(|(key, _)| *key).collect();
        subjects.retain(|key| !idle.contains(key));
        subjects
    }

    /// An entry that none of the subjects covers still was about something: what its title names, or else
    /// what it mentions most. A single observation is a page.
    fn local_subjects(&self, subjects: &BTreeSet<Key>) -> BTreeSet<Key> {
        let mut best: BTreeMap<(u32, u16), Option<(u32, Key)>> = BTreeMap::new();
        for posting in self.postings.iter().filter(|posting| posting.n_passages > 0) {
            let slot = best.entry((posting.file, posting.entry)).or_insert(Some((0, Key::MAX)));
            if subjects.contains(&self.page_of(posting.key)) {
                *slot = None;
            } else if let Some(slot) = slot {
                let score = local_score(posting);
                if score > slot.0 || (score == slot.0 && posting.key < slot.1) {
                    *slot = (score, posting.key);
                }
            }
        }
        best.into_values().flatten().filter(|(score, _)| *score > 0).map(|(_, key)| key).collect()
    }
}

/// How much one entry is about a subject by itself: names before phrases, titles before text; a plain
/// word or a piece of a longer name is not.
fn local_score(posting: &Posting) -> u32 {
    let has = |flags: u8| u32::from(posting.flags & flags != 0);
    if has(flag::STANDALONE) == 0 || (has(flag::WORD) == 1 && has(flag::NAME | flag::CODE) == 0) {
        return 0;
    }
    4 * has(flag::TITLE) + 2 * u32::from(posting.n_passages) + 2 * has(flag::NAME | flag::CODE) + 1
}

/// From this many entries on, a subject of too many of them is background, not a subject.
const COMMON_FROM_ENTRIES: usize = 20;

/// Whether what mentions a subject is enough for a page.
fn is_subject(group: &[Posting], n_entries: usize) -> bool {
    // What several documents are called is none of them.
    let is_name_only = |posting: &&Posting| posting.flags & flag::DOCUMENT != 0 && posting.n_passages == 0;
    let group: Vec<&Posting> = group.iter().filter(|posting| !is_name_only(posting)).collect();
    let flags = group.iter().fold(0, |flags, posting| flags | posting.flags);
    let n_passages: usize = group.iter().map(|posting| usize::from(posting.n_passages)).sum();
    let n_mentioning = group.iter().filter(|posting| posting.n_passages > 0).count();
    if n_passages == 0 {
        return false;
    }
    if flags & (flag::LINK | flag::DOCUMENT) != 0 {
        return true;
    }
    if n_entries >= COMMON_FROM_ENTRIES && n_mentioning * 5 > n_entries * 3 {
        return false;
    }
    // One plain word must open sentences of two entries, and a name beats it: then it is no plain word.
    if flags & flag::WORD != 0 && flags & (flag::NAME | flag::CODE) == 0 {
        return n_mentioning >= 2 && group.iter().filter(|posting| posting.flags & flag::TOPIC != 0).count() >= 2;
    }
    let is_name = flags & (flag::NAME | flag::CODE) != 0;
    let recurs = n_mentioning >= 2 || n_passages >= if is_name { 2 } else { 3 };
    if is_name {
        return recurs;
    }
    flags & flag::STANDALONE != 0 && (recurs || (flags & flag::TITLE != 0 && n_passages >= 2))
}

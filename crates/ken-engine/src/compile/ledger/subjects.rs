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
    if has(flag::STANDALONE) == 0 || has(flag::NAME | flag::CODE | flag::NOUN) == 0 {
        return 0;
    }
    4 * has(flag::TITLE) + 3 * u32::from(posting.n_passages) + 2 * has(flag::NAME | flag::CODE) + 1
}

/// From this many entries on, a subject of too many of them is background, not a subject.
const COMMON_FROM_ENTRIES: usize = 20;
/// Of a hundred entries so many at most name a subject that no name stands for, and one that has a name.
const COMMON_PERCENT: usize = 20;
const COMMON_NAME_PERCENT: usize = 60;
/// Entries that must be about what one plain word names.
const NOUN_ENTRIES_MIN: usize = 4;
/// What an entry says for a subject, and a piece of work, which has a page of its own.
const OF_ENTRY: usize = 3;
const OF_WORK: usize = 2;
/// What must be said for a subject that several entries speak of.
const RECURS_MIN: usize = 6;
/// Passages of one entry that are enough for a name, and for a phrase.
const NAME_PASSAGES_MIN: usize = 2;
const PHRASE_PASSAGES_MIN: usize = 3;

/// Whether what mentions a subject is enough for a page.
fn is_subject(group: &[Posting], n_entries: usize) -> bool {
    // What several documents are called is none of them.
    let is_name_only = |posting: &&Posting| posting.flags & flag::DOCUMENT != 0 && posting.n_passages == 0;
    let group: Vec<&Posting> = group.iter().filter(|posting| !is_name_only(posting)).collect();
    let flags = group.iter().fold(0, |flags, posting| flags | posting.flags);
    let has = |wanted: u8| flags & wanted != 0;
    let about: Vec<&Posting> = group.iter().copied().filter(|posting| posting.n_passages > 0).collect();
    if about.is_empty() {
        return false;
    }
    if has(flag::LINK | flag::DOCUMENT) {
        return true;
    }
    let is_name = has(flag::NAME | flag::CODE);
    let common = if is_name { COMMON_NAME_PERCENT } else { COMMON_PERCENT };
    if n_entries >= COMMON_FROM_ENTRIES && about.len() * 100 > n_entries * common {
        return false;
    }
    let said = |posting: &&Posting| if posting.flags & flag::WORK != 0 { OF_WORK } else { OF_ENTRY };
    let recurs = about.len() >= 2 && about.iter().map(said).sum::<usize>() >= RECURS_MIN;
    let most = about.iter().map(|posting| usize::from(posting.n_passages)).max().unwrap_or(0);
    if is_name {
        // What stands only inside longer names is a piece of them.
        let n_alone = group.iter().filter(|posting| posting.flags & flag::STANDALONE != 0).count();
        return n_alone * 2 >= group.len() && (recurs || most >= NAME_PASSAGES_MIN);
    }
    if !has(flag::STANDALONE) {
        // One plain word must be a noun of several entries.
        let n_noun = group.iter().filter(|posting| posting.flags & flag::NOUN != 0).count();
        return has(flag::NOUN) && about.len() >= NOUN_ENTRIES_MIN && n_noun * 2 >= group.len();
    }
    recurs || most >= PHRASE_PASSAGES_MIN || (has(flag::TITLE) && most >= NAME_PASSAGES_MIN)
}

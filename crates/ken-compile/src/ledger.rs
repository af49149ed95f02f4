//! What has been read: which file mentions which subject, and when it was last compiled.
//!
//! The ledger is derived from journal and sources and kept in the cache; deleting it costs time only. It
//! holds no text of entries: a subject is the hash of its key, with what its page is called. With it a compile of one new day touches only that day and the pages it is
//! about, and gives the bytes a compile of everything gives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use ken_core::issue::Issue;
use ken_core::time::leading_date;
use ken_core::{Date, Digest, VaultPath};
use serde::{Deserialize, Serialize};

use super::cut::State;
use super::marked::Marked;
use super::naming::PageRecord;
use super::passage::Entry;
pub use crate::key::{Key, key_hash};
use ken_core::words::subject_key;

mod documents;
mod near;
mod packed;
mod rolled;
mod mentioned;
pub(crate) mod renamed;
mod replaced;
mod subjects;
mod withdrawn;

pub use documents::part_key;
use documents::{Documents, other_names};
pub use mentioned::{entry_postings, told_keys};
use renamed::new_names;
pub use renamed::{NewName, key_of};
pub use replaced::{Found, FoundDisputes, PairOf, PassageId, Replaced, Successor};
pub use rolled::{Closed, RollupRecord};
pub use subjects::{Counts, Reason};
pub use withdrawn::{Withdrawal, Withdrawn};

/// Changes whenever extraction does, or what files are searched for, so that an old ledger is not trusted.
pub const LEDGER_VERSION: u32 = 79;

/// How an entry names a subject, as bits.
pub mod flag {
    /// Standing alone at least once.
    pub const STANDALONE: u16 = 1;
    /// In the entry's title or a heading.
    pub const TITLE: u16 = 2;
    /// As a proper name.
    pub const NAME: u16 = 4;
    /// As an identifier or file.
    pub const CODE: u16 = 8;
    /// By a wikilink.
    pub const LINK: u16 = 16;
    /// As the title of a document.
    pub const DOCUMENT: u16 = 32;
    /// With a determiner before it; of one plain word this is its only flag.
    pub const NOUN: u16 = 64;
    /// In an entry that is a piece of work.
    pub const WORK: u16 = 128;
    /// In something that may stand on a page.
    pub const CLAIM: u16 = 256;
    /// As what a settlement or a changed document is about, which makes no page.
    pub const SETTLED: u16 = 512;
    /// First in a decision, a lesson or what can be read alone, and no note of a change.
    pub const FOUNDED: u16 = 1024;
    /// The same in two statements or more.
    pub const FOUNDED_TWICE: u16 = 2048;
    /// As the last word of a phrase, which counts for nothing; of what is linked, beside what a reading says the claim is about.
    pub const INSIDE: u16 = 4096;
    /// In something that says that a thing changed or ended.
    pub const ENDS: u16 = 8192;
    /// As the label of a note, which names nothing.
    pub const LABEL: u16 = 16384;
    /// In a session in which files were changed, where much is said in passing.
    pub const IN_PASSING: u16 = 32768;
}

/// One entry that mentions one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// The subject.
    pub key: Key,
    /// The file, by its number in the ledger.
    pub file: u32,
    /// The entry's position in the file.
    pub entry: u16,
    /// Passages that mention it, tool events and titles aside.
    pub n_passages: u8,
    /// How: bits of [`flag`].
    pub flags: u16,
}

impl Posting {
    /// Returns whether a link or a reading names the subject.
    fn is_told(&self) -> bool {
        self.flags & (flag::LINK | flag::WORK) == flag::LINK
    }

    /// Returns whether it is of a page of a document, and not only of its name.
    pub fn is_part(&self) -> bool {
        self.flags & flag::DOCUMENT != 0 && self.n_passages > 0
    }
}

/// One file as it was compiled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its number, which postings use.
    pub id: u32,
    /// Bytes when it was read.
    pub len: u64,
    /// Time of its last change when it was read, nanoseconds.
    pub mtime_ns: i64,
    /// Digest of its bytes.
    pub digest: [u8; 32],
    /// Digests of its entries and of what models read of them, in order, shortened.
    pub entries: Vec<[u8; 8]>,
    /// Its portions: the entry's position and the digest; empty when no reply was recorded.
    pub portions: Vec<(u16, String)>,
    /// What names the replies to them.
    pub readings: u64,
    /// Whether something of its readings is doubted, and nobody was asked about it.
    pub has_doubts: bool,
    /// Whether nothing hidden, live or secret was found in it.
    pub is_clean: bool,
    /// The day of its last commit that it was compiled with; empty where none was known.
    pub committed: String,
    /// Of a document: its pages.
    pub parts: Vec<Key>,
    /// Of a document: the subject that it is called; 0 for none.
    pub name: Key,
    /// Of an adopted page: what else it is called.
    pub names: Vec<Key>,
    /// The new names that it gives to things.
    pub new_names: Vec<NewName>,
    /// The entries that are of an issue, with that.
    pub issues: Vec<(u16, Issue)>,
}

impl FileRecord {
    /// The day that it is of, as far as that is known.
    pub(crate) fn day(&self, path: &str) -> Option<Date> {
        leading_date(path.rsplit('/').next().unwrap_or(path)).or_else(|| leading_date(&self.committed))
    }

    fn document(&self) -> (Key, Key) {
        (documents::first(&self.parts), self.name)
    }
}

/// Everything the last compile read and made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// [`LEDGER_VERSION`] of the program that wrote it.
    pub version: u32,
    /// Files by path.
    pub files: BTreeMap<String, FileRecord>,
    /// Sorted.
    #[serde(with = "packed")]
    pub postings: Vec<Posting>,
    /// The subjects that had a page after the last compile.
    pub pages: BTreeMap<Key, PageRecord>,
    /// Aliases that led to another page after the last compile.
    pub taken: BTreeMap<Key, BTreeSet<String>>,
    /// The sources that nobody vouched for at the last compile.
    pub external: BTreeSet<String>,
    /// Whether portions are known: only where replies are recorded.
    pub has_portions: bool,
    /// What connections join.
    pub connections: BTreeMap<Key, BTreeSet<Key>>,
    /// Subjects that are others under another name, with those.
    pub merges: BTreeMap<Key, Key>,
    /// The passages that each page found to hold no longer.
    pub replaced: Found,
    /// The former names of things with those that they had, at the last compile.
    names_before: BTreeMap<Key, Key>,
    /// The names that persons gave things: of each former one the name that the thing has, and how it is written.
    given: BTreeMap<Key, (Key, String)>,
    /// The disputes that each page found.
    pub disputed: FoundDisputes,
    /// The issues whose work did not stay, at the last compile.
    withdrawn: Withdrawn,
    /// The roll-ups after the last compile, by their places.
    pub rollups: BTreeMap<String, RollupRecord>,
    /// What changed since the postings were put in order.
    #[serde(skip)]
    pending: Pending,
    /// Names and places of documents that came, went or are called otherwise since the last compile.
    #[serde(skip)]
    moved: BTreeSet<Key>,
    /// Made when it is first asked for.
    #[serde(skip)]
    documents: OnceLock<Documents>,
    /// The former names of things with those that they have; made when it is first asked for.
    #[serde(skip)]
    names_now: OnceLock<BTreeMap<Key, Key>>,
}

/// The portions of entries: the position of the entry, and the digest.
fn portions_of<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<(u16, String)> {
    let numbered = (0..).zip(entries);
    numbered.flat_map(|(n, entry)| entry.portions.iter().map(move |portion| (n, portion.digest.clone()))).collect()
}

/// Changes of the ledger that [`Ledger::settle`] puts into the postings, once for all files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Pending {
    /// The postings of files that were read again or are gone, by number.
    after: BTreeMap<u32, Vec<Posting>>,
    /// The postings that files had before, of those that were looked up.
    before: BTreeMap<u32, Vec<Posting>>,
    /// The number of the next new file, once there was one.
    next_id: Option<u32>,
    /// Passes over all postings.
    n_passes: usize,
}

impl Ledger {
    /// Returns the ledger of a vault that was never compiled.
    pub fn new(has_portions: bool, merges: BTreeMap<Key, Key>) -> Ledger {
        Ledger { version: LEDGER_VERSION, has_portions, merges, ..Ledger::default() }
    }

    /// Replaces what is known of one file; returns the subjects whose mentions changed.
    pub fn update(
        &mut self,
        path: &VaultPath,
        stat: (u64, i64),
        digest: Digest,
        marked: &[Marked],
        readings: &[u64],
    ) -> BTreeSet<Key> {
        let (id, old_entries, before) = match self.files.get(path.as_str()) {
            Some(old) => {
                let (id, entries) = (old.id, old.entries.clone());
                (id, entries, self.postings_of_file(id))
            }
            None => (self.new_id(), Vec::new(), Vec::new()),
        };
        let mut after = Vec::new();
        for (n, entry) in marked.iter().enumerate() {
            let posting = |(key, (n_passages, flags))| Posting { key, file: id, entry: n as u16, n_passages, flags };
            after.extend(self.merged(entry_postings(entry)).into_iter().map(posting));
            self.note_connections(&entry.entry);
        }
        let entries = || marked.iter().map(|one| &one.entry);
        let portions = portions_of(entries());
        let read = |(entry, readings): (&Entry, &u64)| match readings {
            0 => short(entry.digest),
            readings => short(Digest::of(&[&entry.digest.as_bytes()[..], &readings.to_le_bytes()].concat())),
        };
        let document = entries().next().filter(|entry| entry.is_document() && !entry.passages.is_empty());
        let parts = document.map(documents::pages_of).unwrap_or_default();
        let name = document.map_or(0, |entry| self.canonical(key_hash(&subject_key(&entry.title))));
        let names = document.map(|entry| self.other_keys(entry)).unwrap_or_default();
        let new_names = new_names(entries());
        let issues = (0..).zip(entries()).filter_map(|(n, entry)| Some((n, entry.issue?))).collect();
        let entries: Vec<[u8; 8]> = entries().zip(readings).map(read).collect();
        let changed_entry = |n: u16| old_entries.get(usize::from(n)) != entries.get(usize::from(n));
        let dirty = before
            .iter()
            .chain(&after)
            .filter(|posting| changed_entry(posting.entry))
            .map(|posting| posting.key)
            .collect();
        let old = self.files.get(path.as_str()).map(FileRecord::document);
        let new = Some((documents::first(&parts), name));
        if old != new {
            [old, new].into_iter().for_each(|file| self.note_moved(path.as_str(), file));
        }
        self.files.insert(
            path.as_str().to_owned(),
            FileRecord {
                id,
                len: stat.0,
                mtime_ns: stat.1,
                digest: *digest.as_bytes(),
                entries,
                portions,
                readings: 0,
                has_doubts: false,
                is_clean: false,
                committed: String::new(),
                parts,
                name,
                names,
                new_names,
                issues,
            },
        );
        self.pending.after.insert(id, after);
        self.forget_made();
        dirty
    }

    /// The keys of what else an adopted page is called.
    fn other_keys(&self, entry: &Entry) -> Vec<Key> {
        other_names(entry).map(|name| self.canonical(key_hash(&name))).collect()
    }

    /// Whether the bytes of a file still have to be searched for what must not stand on a page.
    pub fn state_of(&self, path: &VaultPath, bytes: &[u8]) -> State {
        let known = self.files.get(path.as_str()).filter(|known| known.is_clean);
        let is_same = known.is_some_and(|known| known.digest == *Digest::of(bytes).as_bytes());
        if is_same { State::Clean } else { State::Unknown }
    }

    /// The key of the subject that a name stands for.
    pub fn canonical(&self, key: Key) -> Key {
        self.merges.get(&key).copied().unwrap_or(key)
    }

    /// The same mentions with merged subjects as one.
    fn merged(&self, mentioned: BTreeMap<Key, (u8, u16)>) -> BTreeMap<Key, (u8, u16)> {
        if self.merges.is_empty() {
            return mentioned;
        }
        let mut out: BTreeMap<Key, (u8, u16)> = BTreeMap::new();
        for (key, (n, flags)) in mentioned {
            let slot = out.entry(self.canonical(key)).or_default();
            *slot = (slot.0.saturating_add(n), slot.1 | flags);
        }
        out
    }

    /// Forgets what was made of files and postings.
    fn forget_made(&mut self) {
        (self.documents, self.names_now) = (OnceLock::new(), OnceLock::new());
    }

    fn note_connections(&mut self, entry: &Entry) {
        for told in entry.passages.iter().filter_map(|passage| passage.told.as_ref()).filter(|told| told.is_connection)
        {
            let joined = told.about.iter().map(|about| self.canonical(key_hash(&subject_key(&about.name)))).collect();
            told_keys(told)
                .iter()
                .for_each(|key| drop(self.connections.insert(key_hash(key), BTreeSet::clone(&joined))));
        }
    }

    /// Forgets a file; returns the subjects it mentioned.
    pub fn remove(&mut self, path: &str) -> BTreeSet<Key> {
        let Some(file) = self.files.remove(path) else { return BTreeSet::new() };
        self.note_moved(path, Some(file.document()));
        self.pending.next_id = None;
        self.forget_made();
        let dirty = self.postings_of_file(file.id).iter().map(|posting| posting.key).collect();
        self.pending.after.insert(file.id, Vec::new());
        dirty
    }

    /// The number of a new file: one above the highest.
    fn new_id(&mut self) -> u32 {
        let highest = || self.files.values().map(|file| file.id + 1).max().unwrap_or(0);
        let id = self.pending.next_id.unwrap_or_else(highest);
        self.pending.next_id = Some(id + 1);
        id
    }

    /// Notes which sources nobody vouches for; returns the subjects of those that were believed otherwise before.
    pub fn trust(&mut self, external: BTreeSet<String>) -> BTreeSet<Key> {
        let changed = self.external.symmetric_difference(&external).filter_map(|path| self.files.get(path));
        let ids: BTreeSet<u32> = changed.map(|file| file.id).collect();
        let of_changed = |posting: &&Posting| ids.contains(&posting.file);
        let dirty = if ids.is_empty() {
            BTreeSet::new()
        } else {
            self.postings.iter().filter(of_changed).map(|posting| posting.key).collect()
        };
        let of_documents = self.external.symmetric_difference(&external).cloned().collect::<Vec<_>>();
        for path in of_documents {
            self.note_moved(&path, self.files.get(&path).map(FileRecord::document));
        }
        self.external = external;
        self.forget_made();
        dirty
    }

    /// Looks up the postings of files that are about to be read again, all in one pass.
    pub fn look_up<'a>(&mut self, paths: impl Iterator<Item = &'a str>) {
        let ids: BTreeSet<u32> = paths.filter_map(|path| Some(self.files.get(path)?.id)).collect();
        if ids.is_empty() {
            return;
        }
        self.pending.n_passes += 1;
        let before = &mut self.pending.before;
        before.extend(ids.iter().map(|id| (*id, Vec::new())));
        for posting in &self.postings {
            if let Some(of_file) = before.get_mut(&posting.file) {
                of_file.push(*posting);
            }
        }
    }

    fn postings_of_file(&mut self, id: u32) -> Vec<Posting> {
        if let Some(after) = self.pending.after.get(&id) {
            return after.clone();
        }
        if let Some(before) = self.pending.before.remove(&id) {
            return before;
        }
        self.pending.n_passes += 1;
        self.postings.iter().filter(|posting| posting.file == id).copied().collect()
    }

    /// Puts the postings in order; call it after the last update.
    pub fn settle(&mut self) {
        let Pending { after, .. } = std::mem::take(&mut self.pending);
        if after.is_empty() {
            return;
        }
        let mut kept = std::mem::take(&mut self.postings);
        kept.retain(|posting| !after.contains_key(&posting.file));
        let mut added: Vec<Posting> = after.values().flatten().copied().collect();
        added.sort_unstable();
        // Those that stay are in order already, and a day is few among them.
        let mut out = Vec::with_capacity(kept.len() + added.len());
        let mut rest = kept.as_slice();
        for posting in added {
            let (before, behind) = rest.split_at(rest.partition_point(|kept| *kept < posting));
            out.extend_from_slice(before);
            out.push(posting);
            rest = behind;
        }
        out.extend_from_slice(rest);
        self.postings = out;
    }

    /// Returns the postings of a subject.
    pub fn postings_of(&self, key: Key) -> &[Posting] {
        let start = self.postings.partition_point(|posting| posting.key < key);
        let n = self.postings[start..].partition_point(|posting| posting.key == key);
        &self.postings[start..start + n]
    }

    /// Returns the keys of which the postings are of a kind.
    pub(crate) fn shared_keys(&self, is_of_kind: impl Fn(&[Posting]) -> bool) -> BTreeSet<Key> {
        let groups = self.postings.chunk_by(|a, b| a.key == b.key);
        groups.filter(|group| is_of_kind(group)).map(|group| group[0].key).collect()
    }

    /// Returns whether a file looked so when it was last read.
    pub fn has_seen(&self, path: &str, len: u64, mtime_ns: i64) -> bool {
        self.files.get(path).is_some_and(|known| known.len == len && known.mtime_ns == mtime_ns)
    }

    /// Returns the subjects that a reading is about and that have a page.
    pub fn read_subjects(&self) -> BTreeSet<Key> {
        let read: BTreeSet<u32> = self.files.values().filter(|file| file.readings != 0).map(|file| file.id).collect();
        let told = self.postings.iter().filter(|posting| posting.is_told() && read.contains(&posting.file));
        told.map(|posting| posting.key).filter(|key| self.pages.contains_key(key)).collect()
    }

    /// Returns where the pages stand that the readings of a portion's entry are about.
    pub fn pages_of_portion(&self, digest: &str) -> BTreeSet<&str> {
        let of_file = |file: &FileRecord| {
            let entries = file.portions.iter().filter(|(_, known)| known == digest).map(|(entry, _)| *entry);
            entries.map(|entry| (file.id, entry)).collect::<Vec<_>>()
        };
        let entries: BTreeSet<(u32, u16)> = self.files.values().flat_map(of_file).collect();
        let is_told = |one: &&Posting| one.is_told() && entries.contains(&(one.file, one.entry));
        let told = self.postings.iter().filter(is_told);
        told.filter_map(|one| self.pages.get(&one.key)).map(|page| page.path.as_str()).collect()
    }

    /// Returns what leads elsewhere than at the last compile, and forgets it.
    pub fn take_moved(&mut self) -> BTreeSet<Key> {
        let mut moved = std::mem::take(&mut self.moved);
        moved.extend(self.note_names());
        moved
    }

    /// Returns the number of entries in all files.
    pub fn n_entries(&self) -> usize {
        self.files.values().map(|file| file.entries.len()).sum()
    }

    /// Returns where compiled pages stand, all of them: of subjects, of their older claims, and of periods.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        let places = self.pages.values().flat_map(|page| [page.path.as_str(), page.history.as_str()]);
        places.chain(self.rollups.keys().map(String::as_str)).filter(|place| !place.is_empty())
    }

    /// Returns the path of each file by its number.
    pub fn paths(&self) -> BTreeMap<u32, VaultPath> {
        self.files.iter().filter_map(|(path, file)| Some((file.id, VaultPath::new(path)?))).collect()
    }
}

fn short(digest: Digest) -> [u8; 8] {
    digest.as_bytes()[..8].try_into().expect("eight bytes of thirty-two")
}

#[cfg(test)]
mod tests {
    use super::super::passage::journal_entries;
    use super::*;

    fn day(n: usize, text: &str) -> (VaultPath, Vec<Marked>) {
        let path = VaultPath::new(&format!("daily/2026-04-{n:02}.md")).expect("inside");
        let marked = journal_entries(&path, text, false).into_iter().map(Marked::of).collect();
        (path, marked)
    }

    #[test]
    fn updating_in_any_order_gives_the_same_subjects() {
        let days = [
            day(1, "### A\n- The checkout flow depends on stock reservation.\n"),
            day(2, "### B\n- Stock reservations expire after ten minutes.\n- PostgreSQL holds the orders.\n"),
            day(3, "### C\n- The checkout flow writes to PostgreSQL.\n"),
        ];
        let build = |order: [usize; 3]| {
            let mut ledger = Ledger::default();
            for n in order {
                ledger.update(&days[n].0, (0, 0), Digest::of(b""), &days[n].1, &[0]);
            }
            ledger.settle();
            ledger.subjects()
        };
        let subjects = build([0, 1, 2]);
        assert_eq!(subjects, build([2, 0, 1]));
        for name in ["checkout flow", "stock reservation", "PostgreSQL"] {
            assert!(subjects.contains(&key_hash(&subject_key(name))), "{name}");
        }
    }

    #[test]
    fn a_first_compile_looks_at_each_posting_once_however_many_days_there_are() {
        let mut ledger = Ledger::default();
        let days: Vec<_> = (1..=28).map(|n| day(n, "### A\n- The checkout flow writes to PostgreSQL.\n")).collect();
        for (path, entries) in &days {
            ledger.update(path, (0, 0), Digest::of(b""), entries, &[0]);
        }
        assert_eq!(ledger.pending.n_passes, 0);
        ledger.settle();
        let first = ledger.clone();
        ledger.look_up(days.iter().map(|(path, _)| path.as_str()));
        for (path, entries) in &days {
            ledger.update(path, (0, 0), Digest::of(b""), entries, &[0]);
        }
        assert_eq!(ledger.pending.n_passes, 1);
        ledger.settle();
        assert_eq!(ledger, first);
    }

    #[test]
    fn a_ledger_is_read_as_it_was_written_and_one_of_another_version_is_none() {
        let mut ledger = Ledger::new(false, BTreeMap::new());
        for n in [1, 2] {
            let (path, entries) = day(n, "### A\n- The checkout flow writes to PostgreSQL.\n");
            ledger.update(&path, (0, 0), Digest::of(b""), &entries, &[0]);
        }
        ledger.settle();
        // More than there is room for at first.
        ledger.pages.insert(1, PageRecord { title: "oven ".repeat(1_000), ..PageRecord::default() });
        let bytes = ledger.written().expect("it can be written down");
        assert_eq!(Ledger::read(&bytes).as_ref(), Some(&ledger));
        assert_eq!(Ledger::read(&bytes[..bytes.len() / 2]), None);
        ledger.version += 1;
        assert_eq!(Ledger::read(&ledger.written().expect("it can be written down")), None);
    }

    #[test]
    fn only_changed_entries_are_dirty() {
        let mut ledger = Ledger::default();
        let (path, entries) = day(1, "### A\n- Alpha beta stays here.\n");
        ledger.update(&path, (0, 0), Digest::of(b"1"), &entries, &[0]);
        let (_, entries) = day(1, "### A\n- Alpha beta stays here.\n### B\n- Gamma delta comes new.\n");
        let dirty = ledger.update(&path, (0, 0), Digest::of(b"2"), &entries, &[0, 0]);
        assert!(
            dirty.contains(&key_hash(&subject_key("Gamma delta")))
                && !dirty.contains(&key_hash(&subject_key("Alpha beta")))
        );
    }
}

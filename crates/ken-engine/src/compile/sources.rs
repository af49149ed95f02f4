//! Finds journal days and sources, and brings the ledger up to date with them.

use std::collections::BTreeSet;

use ken_compile::cut::{Cut, ReadAs, Reader, State, read_numbered};
use ken_compile::ledger::{FileRecord, Key, Ledger, Withdrawn};
use ken_compile::marked::Marked;
use ken_compile::passage::Entry;
use ken_core::claim::is_citable;
use ken_core::unmerged::unmerged;
use ken_core::{Digest, VaultPath};
use ken_store::FileStat;

use super::days::Days;
use super::reading::Readings;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::{Register, is_document};
use crate::outcome::{CompileOutcome, ThinReading};
use crate::propose::record::Replies;
use crate::wiki::{LeftOut, UNMERGED};

/// Why a file is not compiled, or not registered, for its name.
pub(crate) const UNCITABLE: &str = "no citation can spell its name; rename it without any of []<>|`\"#";

/// A journal day or source as it stands now.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    /// How it looks.
    pub(crate) stat: FileStat,
    /// Whether it is a journal day.
    pub(crate) is_journal: bool,
}

/// Returns what a file is read as.
pub(super) fn read_as(path: &VaultPath, is_journal: bool, register: &Register) -> ReadAs {
    match is_journal {
        true => ReadAs::Journal,
        false => match register.get(path) {
            Some(known) if known.is_adopted => ReadAs::Adopted,
            known => ReadAs::Document(known.and_then(|known| known.day)),
        },
    }
}

/// What bringing the ledger up to date showed.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// Subjects whose mentions changed.
    pub(super) dirty: BTreeSet<Key>,
    /// Files that were new, changed or gone.
    pub(super) n_changed: usize,
    /// Files that were new or changed, with their digests.
    pub(super) inputs: Vec<(VaultPath, Digest)>,
    /// Whether the ledger says something else than before, if only of a file's time.
    pub(super) is_stale: bool,
    /// Whether the ledger was empty before: then every page is made again.
    pub(super) is_first: bool,
    /// The days that were read.
    pub(super) days: Days,
    /// The files that are no longer there.
    pub(super) gone: Vec<String>,
    /// Files that were left out.
    skipped: LeftOut,
    /// Replies of a model that say far less than was extracted.
    thin: Vec<ThinReading>,
}

impl Engine {
    /// Returns every journal day and source, sorted by path.
    pub(crate) fn source_files(&self) -> Result<(Vec<SourceFile>, LeftOut), Failure> {
        let layout = self.layout();
        let mut files = Vec::new();
        let mut skipped = Vec::new();
        for (folder, is_journal) in [(&layout.journal, true), (&layout.sources, false)] {
            let listing = self.store.list(folder)?;
            skipped.extend(listing.skipped.into_iter().map(|one| (one.place, one.why.to_owned())));
            let wanted = |file: &FileStat| if is_journal { layout.is_day(&file.path) } else { is_document(&file.path) };
            files.extend(listing.files.into_iter().filter(wanted).map(|stat| SourceFile { stat, is_journal }));
        }
        for path in self.sources_in_place()? {
            files.extend(self.store.stat(&path)?.map(|stat| SourceFile { stat, is_journal: false }));
        }
        files.retain(|file| {
            let is_citable = is_citable(&file.stat.path);
            if !is_citable {
                skipped.push((file.stat.path.to_string(), UNCITABLE.to_owned()));
            }
            is_citable
        });
        files.sort_by(|a, b| a.stat.path.cmp(&b.stat.path));
        files.dedup_by(|a, b| a.stat.path == b.stat.path);
        Ok((files, skipped))
    }

    /// Reads what is new or changed and notes what it mentions.
    pub(super) fn update_ledger(&self, ledger: &mut Ledger, replies: &Replies) -> Result<Read, Failure> {
        let readings = Readings::of(self, replies);
        let (files, skipped) = self.compiled_files()?;
        let mut read = Read { is_first: ledger.files.is_empty(), skipped, ..Read::default() };
        read.forget_gone(ledger, &files);
        let register = self.register()?;
        let read_as = |file: &SourceFile| read_as(&file.stat.path, file.is_journal, &register);
        let reader = readings.as_ref().map(|readings| readings as &dyn Reader);
        let is_as_before = |known: &FileRecord, file: &SourceFile| {
            is_read_as_before(known, replies) && known.committed == read_as(file).committed()
        };
        let looks_same = |file: &&SourceFile| {
            let known = ledger.files.get(file.stat.path.as_str());
            known.is_some_and(|known| {
                known.len == file.stat.len && known.mtime_ns == file.stat.mtime_ns && is_as_before(known, file)
            })
        };
        let changed: Vec<&SourceFile> = files.iter().filter(|file| !looks_same(file)).collect();
        let stats: Vec<FileStat> = changed.iter().map(|file| file.stat.clone()).collect();
        ledger.look_up(stats.iter().map(|stat| stat.path.as_str()));
        let texts = self.store.map_files(&stats, |_, bytes| (Digest::of(&bytes), String::from_utf8(bytes).ok()))?;
        for (file, (digest, text)) in changed.into_iter().zip(texts).filter_map(|(file, text)| Some((file, text?))) {
            let path = &file.stat.path;
            let known = ledger.files.get_mut(path.as_str()).filter(|known| known.digest == *digest.as_bytes());
            if let Some(known) = known.filter(|known| is_as_before(known, file)) {
                (known.len, known.mtime_ns) = (file.stat.len, file.stat.mtime_ns);
                read.is_stale = true;
                continue;
            }
            let Some(text) = text else {
                read.skipped.push((path.to_string(), "it is not UTF-8 text".to_owned()));
                continue;
            };
            if unmerged(&text).is_some() {
                read.skipped.push((path.to_string(), UNMERGED.to_owned()));
                read.forget(ledger, path.as_str());
                continue;
            }
            let mut cut = read_numbered((path, read_as(file)), (&text, State::Unknown), reader, &|_| true);
            self.cite_days(&mut cut)?;
            read.thin.extend(thin_readings(path, &cut.entries));
            let (dirty, marked) = note_entries(ledger, (&file.stat, digest), read_as(file), cut, readings);
            read.dirty.extend(dirty);
            if file.is_journal && readings.is_none() {
                read.days.note(path, *digest.as_bytes(), marked.iter());
            }
            read.n_changed += 1;
            read.inputs.push((path.clone(), digest));
        }
        read.believe(ledger, self.external()?.iter().map(ToString::to_string).collect());
        read.is_stale |= read.n_changed > 0 || read.is_first;
        if !read.is_first {
            read.days.hold();
        }
        ledger.settle();
        Ok(read)
    }
}

impl Read {
    /// Tells what was read and what was left out.
    pub(super) fn tell(&mut self, outcome: &mut CompileOutcome) {
        outcome.skipped.append(&mut self.skipped);
        outcome.thin.append(&mut self.thin);
        outcome.sources = self.inputs.len();
        outcome.inputs = self.inputs.iter().map(|(path, _)| path.clone()).collect();
    }

    /// Takes a file out of the ledger, if it is in it.
    fn forget(&mut self, ledger: &mut Ledger, path: &str) {
        if ledger.files.contains_key(path) {
            self.dirty.extend(ledger.remove(path));
            self.n_changed += 1;
        }
    }

    /// Notes which sources nobody vouches for.
    fn believe(&mut self, ledger: &mut Ledger, external: BTreeSet<String>) {
        if external != ledger.external {
            self.dirty.extend(ledger.trust(external));
            self.is_stale = true;
        }
    }

    /// Notes which issues did not stay.
    pub(super) fn withdraw(&mut self, ledger: &mut Ledger, withdrawn: Withdrawn) {
        if withdrawn != *ledger.withdrawn() {
            self.dirty.extend(ledger.withdraw(withdrawn));
            self.is_stale = true;
        }
    }

    /// Takes the files that are gone out of the ledger.
    fn forget_gone(&mut self, ledger: &mut Ledger, files: &[SourceFile]) {
        let here: BTreeSet<&str> = files.iter().map(|file| file.stat.path.as_str()).collect();
        let gone: Vec<String> = ledger.files.keys().filter(|path| !here.contains(path.as_str())).cloned().collect();
        ledger.look_up(gone.iter().map(String::as_str));
        gone.iter().for_each(|path| self.forget(ledger, path));
        self.gone = gone;
    }
}

/// Notes in the ledger what a file says; returns the subjects whose mentions changed, and the entries with what they name.
fn note_entries(
    ledger: &mut Ledger,
    (stat, digest): (&FileStat, Digest),
    read_as: ReadAs,
    cut: Cut,
    readings: Option<Readings<'_>>,
) -> (BTreeSet<Key>, Vec<Marked>) {
    let entries: Vec<Marked> = cut.entries.into_iter().map(|(_, entry)| Marked::of(entry)).collect();
    let fingerprint = |one: &Marked| readings.map_or(0, |readings| readings.fingerprint(&one.entry));
    let fingerprints: Vec<u64> = entries.iter().map(fingerprint).collect();
    let dirty = ledger.update(&stat.path, (stat.len, stat.mtime_ns), digest, &entries, &fingerprints);
    if let Some(known) = ledger.files.get_mut(stat.path.as_str()) {
        (known.committed, known.is_clean) = (read_as.committed(), cut.is_clean);
        known.has_doubts = entries.iter().any(|one| one.entry.has_doubts);
        let portions = known.portions.iter().map(|(_, digest)| digest.as_str());
        known.readings = readings.map_or(0, |readings| readings.fingerprint_of(portions));
    }
    (dirty, entries)
}

/// The replies to what a file says that were not taken, because they say far less than was extracted.
fn thin_readings(path: &VaultPath, entries: &[(u16, Entry)]) -> impl Iterator<Item = ThinReading> {
    entries.iter().flat_map(|(_, entry)| &entry.thin).map(|thin| ThinReading {
        path: path.clone(),
        lines: thin.lines,
        n_read: thin.n_read,
        n_extracted: thin.n_extracted,
    })
}

/// Whether the replies to what a file says are those it was compiled with.
fn is_read_as_before(known: &FileRecord, replies: &Replies) -> bool {
    known.readings == replies.fingerprint_of_readings(known.portions.iter().map(|(_, digest)| digest.as_str()))
}

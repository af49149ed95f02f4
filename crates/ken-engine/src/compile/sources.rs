//! Finds journal days and sources, and brings the ledger up to date with them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ken_core::claim::is_citable;
use ken_core::markdown::inert;
use ken_core::unmerged::unmerged;
use ken_core::{Date, Digest, VaultPath};
use ken_intake::scrub::{readable, scrub};
use ken_store::FileStat;

use super::document::document_entry;
use super::ledger::{FileRecord, Key, Ledger};
use super::passage::{Entry, Passage, Places, numbered_entries};
use super::reading::Readings;
use super::work;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::{Register, is_document};
use crate::outcome::{CompileOutcome, ThinReading};
use crate::propose::kinds::Kind;
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

/// What a file is read as.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReadAs {
    /// A day of the journal.
    Journal,
    /// A document, with the day of its last commit where the register has it.
    Document(Option<Date>),
}

impl ReadAs {
    pub(super) fn of(path: &VaultPath, is_journal: bool, register: &Register) -> ReadAs {
        match is_journal {
            true => ReadAs::Journal,
            false => ReadAs::Document(register.get(path).and_then(|known| known.day)),
        }
    }

    /// The day of the last commit as the ledger keeps it: empty for none.
    fn committed(self) -> String {
        match self {
            ReadAs::Document(Some(day)) => day.to_string(),
            _ => String::new(),
        }
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
}

/// What is known of the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// They may hold what must not stand on a page.
    Unknown,
    /// They were searched and hold nothing hidden or secret.
    Clean,
}

/// The entries of one file, by their numbers.
pub(super) struct Cut {
    pub(super) entries: Vec<(u16, Entry)>,
    /// Whether nothing hidden or secret was found in them.
    pub(super) is_clean: bool,
}

/// Returns the entries of one file, with what models read of them.
pub(super) fn read_entries(
    path: &VaultPath,
    read_as: ReadAs,
    text: &str,
    readings: Option<Readings<'_>>,
) -> Vec<Entry> {
    let all = read_numbered((path, read_as), (text, State::Unknown), readings, &|_| true);
    all.entries.into_iter().map(|(_, entry)| entry).collect()
}

/// Returns those entries of one file whose numbers are wanted, with what models read of them.
pub(super) fn read_numbered(
    file: (&VaultPath, ReadAs),
    (text, state): (&str, State),
    readings: Option<Readings<'_>>,
    is_wanted: &dyn Fn(u16) -> bool,
) -> Cut {
    let mut cut = cut_numbered(file, (text, state), readings.is_some(), is_wanted);
    if let Some(readings) = readings {
        let mut places = Places::new(text);
        cut.entries.iter_mut().for_each(|(_, entry)| readings.put_into(entry, &mut places));
    }
    let mut places = Places::new(text);
    cut.entries.iter_mut().for_each(|(_, entry)| work::note(entry, &mut places));
    cut
}

/// Returns the entries of one file as they are without a model, with their portions if they are wanted.
pub(super) fn cut_entries(path: &VaultPath, read_as: ReadAs, text: &str, with_portions: bool) -> Vec<Entry> {
    let all = cut_numbered((path, read_as), (text, State::Unknown), with_portions, &|_| true);
    all.entries.into_iter().map(|(_, entry)| entry).collect()
}

fn cut_numbered(
    (path, read_as): (&VaultPath, ReadAs),
    (text, state): (&str, State),
    with_portions: bool,
    is_wanted: &dyn Fn(u16) -> bool,
) -> Cut {
    // What stands on disk may be from anybody, or from before it was scrubbed on its way in.
    let read = if state == State::Clean { Cow::Borrowed(text) } else { readable(text) };
    let mut entries = match read_as {
        ReadAs::Journal => numbered_entries(path, &read, with_portions, is_wanted),
        ReadAs::Document(committed) => vec![(0, document_entry(path, &read, committed, with_portions))],
    };
    let mut is_clean = matches!(read, Cow::Borrowed(_));
    if !is_clean {
        // Citations are of the lines as they stand in the file.
        let (mut places, whole) = (Places::new(text), Digest::of(text.as_bytes()));
        for (_, entry) in &mut entries {
            // Those change although what is read of them does not, when the file is redacted.
            entry.digest = Digest::of(format!("{} {whole}", entry.digest).as_bytes());
            for passage in &mut entry.passages {
                passage.digest = places.digest(passage.lines);
                if let Some(cited) = &mut passage.cited {
                    cited.digest = places.digest(cited.lines);
                }
            }
        }
    }
    for text in entries.iter_mut().flat_map(|(_, entry)| texts_of(entry)) {
        let scrubbed = if state == State::Clean { None } else { changed(scrub(text).0) };
        is_clean &= scrubbed.is_none();
        scrubbed.into_iter().for_each(|scrubbed| *text = scrubbed);
        let fit = changed(inert(text));
        fit.into_iter().for_each(|fit| *text = fit);
    }
    Cut { entries, is_clean }
}

/// A text that is another than the one it was made from.
fn changed(text: Cow<'_, str>) -> Option<String> {
    match text {
        Cow::Owned(text) => Some(text),
        Cow::Borrowed(_) => None,
    }
}

/// The texts of an entry that may stand on a page, each on one line. Lines that were joined may show a secret that
/// none of them has.
fn texts_of(entry: &mut Entry) -> impl Iterator<Item = &mut String> {
    let own = std::iter::once(&mut entry.title).chain(&mut entry.parts);
    own.chain(entry.passages.iter_mut().flat_map(texts_of_passage))
}

fn texts_of_passage(passage: &mut Passage) -> impl Iterator<Item = &mut String> {
    let quote = passage.cited.as_mut().map(|cited| &mut cited.quote);
    let sections = passage.place.as_mut().map(|place| place.sections.iter_mut());
    std::iter::once(&mut passage.text).chain(quote).chain(sections.into_iter().flatten())
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
            let wanted =
                |file: &FileStat| if is_journal { is_day(&file.path, folder) } else { is_document(&file.path) };
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
    pub(super) fn update_ledger(
        &self,
        ledger: &mut Ledger,
        replies: &Replies,
        outcome: &mut CompileOutcome,
    ) -> Result<Read, Failure> {
        let readings = Readings::of(self, replies);
        let (files, skipped) = self.source_files()?;
        outcome.skipped.extend(skipped);
        let mut read = Read { is_first: ledger.files.is_empty(), ..Read::default() };
        read.forget_gone(ledger, &files);
        let register = self.register()?;
        let read_as = |file: &SourceFile| ReadAs::of(&file.stat.path, file.is_journal, &register);
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
                outcome.skipped.push((path.to_string(), "it is not UTF-8 text".to_owned()));
                continue;
            };
            if unmerged(&text).is_some() {
                outcome.skipped.push((path.to_string(), UNMERGED.to_owned()));
                read.forget(ledger, path.as_str());
                continue;
            }
            let cut = read_numbered((path, read_as(file)), (&text, State::Unknown), readings, &|_| true);
            let entries: Vec<Entry> = cut.entries.into_iter().map(|(_, entry)| entry).collect();
            outcome.thin.extend(thin_readings(path, &entries));
            let fingerprints = entries.iter().map(|entry| readings.map_or(0, |readings| readings.fingerprint(entry)));
            let fingerprints: Vec<u64> = fingerprints.collect();
            read.dirty.extend(ledger.update(
                path,
                (file.stat.len, file.stat.mtime_ns),
                digest,
                &entries,
                &fingerprints,
            ));
            if let Some(known) = ledger.files.get_mut(path.as_str()) {
                (known.committed, known.is_clean) = (read_as(file).committed(), cut.is_clean);
                known.readings =
                    replies.fingerprint(Kind::Compile, known.portions.iter().map(|(_, digest)| digest.as_str()));
            }
            read.n_changed += 1;
            read.inputs.push((path.clone(), digest));
        }
        outcome.sources = read.inputs.len();
        outcome.inputs = read.inputs.iter().map(|(path, _)| path.clone()).collect();
        read.believe(ledger, self.external()?.iter().map(ToString::to_string).collect());
        read.is_stale |= read.n_changed > 0 || read.is_first;
        ledger.settle();
        Ok(read)
    }
}

impl Read {
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

    /// Takes the files that are gone out of the ledger.
    fn forget_gone(&mut self, ledger: &mut Ledger, files: &[SourceFile]) {
        let here: BTreeSet<&str> = files.iter().map(|file| file.stat.path.as_str()).collect();
        let gone: Vec<String> = ledger.files.keys().filter(|path| !here.contains(path.as_str())).cloned().collect();
        ledger.look_up(gone.iter().map(String::as_str));
        gone.iter().for_each(|path| self.forget(ledger, path));
    }
}

/// The replies to what a file says that were not taken, because they say far less than was extracted.
fn thin_readings(path: &VaultPath, entries: &[Entry]) -> impl Iterator<Item = ThinReading> {
    entries.iter().flat_map(|entry| &entry.thin).map(|thin| ThinReading {
        path: path.clone(),
        lines: thin.lines,
        n_read: thin.n_read,
        n_extracted: thin.n_extracted,
    })
}

/// Whether the replies to what a file says are those it was compiled with.
fn is_read_as_before(known: &FileRecord, replies: &Replies) -> bool {
    known.readings == replies.fingerprint(Kind::Compile, known.portions.iter().map(|(_, digest)| digest.as_str()))
}

/// Roll-ups below the journal point at days and are not days themselves.
pub(crate) fn is_day(path: &VaultPath, journal: &VaultPath) -> bool {
    path.extension() == "md" && path.parent().as_ref() == Some(journal)
}

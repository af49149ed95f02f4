//! Keeping the search index: opened, compared with the files, brought up to date.
//!
//! The manifest in the cache names the segments; replacing it is the step by which readers see a new state.
//! One process at a time writes, under a lock of the cache; whoever finds it taken answers from what there
//! is. A segment that a reader still has open may be removed: the open file stays readable.

use std::collections::BTreeSet;

use ken_core::search::{Language, Partition, Question};
use ken_core::{Digest, VaultPath};
use ken_search::{Blob, FolderStamp, Manifest, Named, Shelf, Stamp};
use ken_store::OpenFile;

use super::build::Builder;
use super::gather::{SearchFile, docs_of};
use crate::engine::Engine;
use crate::failure::Failure;

const MANIFEST: &str = "search.manifest";
const LOCK: &str = "search";
const SEGMENT: &str = "search-";

/// Up to this many files each is looked at before searching, so that an edit in place is seen; of larger
/// vaults the files that changed last are, and the folders, which shows every file that was added, removed
/// or replaced.
const LOOK_AT_FILES_MAX: usize = 2_000;
/// Files that a refresh reads again only to have fewer segments.
const ABSORBED_FILES_MAX: usize = 512;
/// Files that one thread reads at a time.
const BATCH: usize = 64;
/// From this many files on, segments are made on all processors.
const PARALLEL_FROM: usize = 512;
/// Opening is tried again when a writer removed what the manifest named.
const OPEN_TRIES: usize = 3;

/// A file of the store as the index reads it.
struct FileBlob(Box<dyn OpenFile>);

impl Blob for FileBlob {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read(&self, at: u64, len: usize) -> Option<std::borrow::Cow<'_, [u8]>> {
        self.0.read_at(at, len).ok().map(std::borrow::Cow::Owned)
    }
}

/// The index as one reader sees it.
pub(crate) struct SearchIndex {
    pub(crate) shelf: Shelf,
    pub(crate) languages: Vec<Language>,
    manifest: Manifest,
}

/// What bringing the index up to date did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Refreshed {
    /// Files that were read because they are new or changed.
    pub n_read: usize,
    /// Files that are gone.
    pub n_gone: usize,
    /// Whether the whole index was made.
    pub is_new: bool,
    /// Whether another process was at it, so that nothing was done.
    pub is_busy: bool,
}

/// What differs between the files and the index.
#[derive(Default)]
struct Changes {
    /// New and changed files.
    read: Vec<SearchFile>,
    /// Copies that no longer hold: segment and file.
    dead: BTreeSet<(usize, u32)>,
    n_gone: usize,
}

impl Engine {
    /// Returns the index, brought up to date as far as that can be done without waiting for others.
    pub(crate) fn search_index(&self) -> Result<SearchIndex, Failure> {
        if let Some(index) = self.open_search()
            && self.is_search_current(&index)
        {
            return Ok(index);
        }
        self.refresh_search().map(|(index, _)| index)
    }

    /// Returns the index if there is one; unless it may be stale, only if it fits the files, as far as a quick
    /// look shows.
    pub(crate) fn ready_index(&self, may_be_stale: bool) -> Option<SearchIndex> {
        self.open_search().filter(|index| may_be_stale || self.is_search_current(index))
    }

    /// Returns an index of the files as they are now, and writes nothing.
    pub(crate) fn index_in_memory(&self) -> Result<SearchIndex, Failure> {
        let index = SearchIndex::empty();
        let changes = self.changes(&index)?;
        let made = self.segments_of(&changes.read)?;
        self.put(index, changes, made, Vec::new(), false)
    }

    /// Looks at every file and brings the search index up to date.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn refresh_index(&self) -> Result<Refreshed, Failure> {
        self.refresh_search().map(|(_, refreshed)| refreshed)
    }

    /// Brings the index up to date.
    pub(crate) fn refresh_search(&self) -> Result<(SearchIndex, Refreshed), Failure> {
        let guard = self.store.lock_cache(LOCK);
        let known = self.open_search();
        if guard.is_none() && known.is_some() && self.store.open_cache(MANIFEST).is_some() {
            let index = known.unwrap_or_else(SearchIndex::empty);
            return Ok((index, Refreshed { is_busy: true, ..Refreshed::default() }));
        }
        let is_new = known.is_none();
        let index = known.unwrap_or_else(SearchIndex::empty);
        let folders = self.search_folders(&index.manifest)?;
        let mut changes = self.changes(&index)?;
        let refreshed = Refreshed { n_read: changes.read.len(), n_gone: changes.n_gone, is_new, is_busy: false };
        absorb(&index, &mut changes, self);
        let made = self.segments_of(&changes.read)?;
        let index = self.put(index, changes, made, folders, guard.is_some())?;
        Ok((index, refreshed))
    }

    fn open_search(&self) -> Option<SearchIndex> {
        for _ in 0..OPEN_TRIES {
            let manifest = Manifest::from_bytes(&self.store.read_cache(MANIFEST)?)?;
            if manifest.made_with != self.made_with() {
                return None;
            }
            let open = |named: &Named| {
                Some((Box::new(FileBlob(self.store.open_cache(&named.name)?)) as Box<dyn Blob>, named.dead.clone()))
            };
            if let Some(segments) = manifest.segments.iter().map(open).collect() {
                return Some(SearchIndex::new(Shelf::open(segments)?, manifest));
            }
        }
        None
    }

    /// What the index depends on besides the files.
    fn made_with(&self) -> String {
        let layout = self.layout();
        format!("{} {} {} {:?}", layout.wiki, layout.journal, layout.sources, layout.preset)
    }

    /// Whether the files are those the index was made of, as far as a quick look shows.
    fn is_search_current(&self, index: &SearchIndex) -> bool {
        let folders = &index.manifest.folders;
        let same = |folder: &FolderStamp| self.store.mtime(&folder.path).unwrap_or(GONE) == folder.mtime_ns;
        if folders.is_empty() || !folders.iter().all(same) {
            return false;
        }
        // Small segments hold what was changed last, which is what is likely to be changed again.
        let mut n_left = LOOK_AT_FILES_MAX;
        let mut looked_at = index.shelf.members().iter().rev().take_while(|member| {
            let n_files = member.segment.n_files() as usize;
            let fits = n_files <= n_left;
            n_left -= if fits { n_files } else { 0 };
            fits
        });
        looked_at.all(|member| {
            let looks = member.segment.looks();
            let alive = looks.iter().zip(0_u32..).filter(|(_, n)| member.dead.binary_search(n).is_err());
            let known: Vec<(&str, u64, i64)> =
                alive.map(|(look, _)| (look.path.as_str(), look.len, look.mtime_ns)).collect();
            self.store.changed(&known).is_empty()
        })
    }

    /// The folders that search covers as they are now, and the register of sources.
    fn search_folders(&self, manifest: &Manifest) -> Result<Vec<FolderStamp>, Failure> {
        let layout = self.layout();
        let mut paths: BTreeSet<VaultPath> = manifest.folders.iter().map(|folder| folder.path.clone()).collect();
        for folder in [&layout.wiki, &layout.journal, &layout.sources] {
            paths.extend(self.store.list_dirs(folder)?.into_iter().map(|folder| folder.path));
        }
        paths.insert(crate::ingest::register_path());
        let stamp = |path: VaultPath| FolderStamp { mtime_ns: self.store.mtime(&path).unwrap_or(GONE), path };
        Ok(paths.into_iter().map(stamp).collect())
    }

    fn changes(&self, index: &SearchIndex) -> Result<Changes, Failure> {
        let mut known = std::collections::BTreeMap::new();
        for (segment, member) in index.shelf.members().iter().enumerate() {
            for (look, file) in member.segment.looks().into_iter().zip(0_u32..) {
                if member.dead.binary_search(&file).is_err() {
                    known.insert(look.path, (segment, file, look.len, look.mtime_ns));
                }
            }
        }
        let mut changes = Changes::default();
        for file in self.search_files()?.files {
            match known.remove(file.stat.path.as_str()) {
                Some((_, _, len, mtime_ns)) if len == file.stat.len && mtime_ns == file.stat.mtime_ns => {}
                Some((segment, number, ..)) => {
                    changes.dead.insert((segment, number));
                    changes.read.push(file);
                }
                None => changes.read.push(file),
            }
        }
        changes.n_gone = known.len();
        changes.dead.extend(known.into_values().map(|(segment, number, ..)| (segment, number)));
        Ok(changes)
    }

    /// Reads files and makes segments of them, on all processors when they are many.
    fn segments_of(&self, files: &[SearchFile]) -> Result<(Vec<Vec<u8>>, u32), Failure> {
        let trust = self.trust_of()?;
        let make = |files: &[SearchFile]| -> Result<(Vec<Vec<u8>>, u32), Failure> {
            let mut builder = Builder::default();
            for batch in files.chunks(BATCH) {
                let stats: Vec<_> = batch.iter().map(|file| file.stat.clone()).collect();
                let read = self.store.map_files(&stats, |_, bytes| bytes)?;
                for (file, bytes) in batch.iter().zip(read).filter_map(|(file, bytes)| Some((file, bytes?))) {
                    let digest = Digest::of(&bytes);
                    let stat = &file.stat;
                    let stamp = Stamp { path: stat.path.clone(), len: stat.len, mtime_ns: stat.mtime_ns, digest };
                    let text = String::from_utf8(bytes).unwrap_or_default();
                    let (docs, text) = docs_of(file.kind, &stat.path, &text, &trust);
                    builder.add(&stamp, file.kind.partition(), &docs, &text);
                }
            }
            Ok(builder.finish())
        };
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        if files.len() < PARALLEL_FROM || n_threads == 1 {
            return make(files);
        }
        let make = &make;
        let parts: Vec<_> = std::thread::scope(|scope| {
            let ranges = files.chunks(files.len().div_ceil(n_threads));
            let workers: Vec<_> = ranges.map(|range| scope.spawn(move || make(range))).collect();
            workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
        });
        let mut out = (Vec::new(), 0);
        for part in parts {
            let (segments, languages) = part?;
            out.0.extend(segments);
            out.1 |= languages;
        }
        Ok(out)
    }

    /// Puts new segments beside those that still hold anything, into the cache if it may be written.
    fn put(
        &self,
        index: SearchIndex,
        changes: Changes,
        (made, languages): (Vec<Vec<u8>>, u32),
        folders: Vec<FolderStamp>,
        may_write: bool,
    ) -> Result<SearchIndex, Failure> {
        let mut manifest = index.manifest;
        manifest.generation += 1;
        manifest.made_with = self.made_with();
        manifest.folders = folders;
        manifest.languages |= languages;
        let mut kept: Vec<(Named, Box<dyn Blob>)> = Vec::new();
        for (n, (member, named)) in index.shelf.into_members().into_iter().zip(manifest.segments).enumerate() {
            let mut dead: BTreeSet<u32> = member.dead.iter().copied().collect();
            dead.extend(changes.dead.iter().filter(|(segment, _)| *segment == n).map(|(_, file)| *file));
            if dead.len() < member.segment.n_files() as usize {
                kept.push((Named { name: named.name, dead: dead.into_iter().collect() }, member.segment.into_blob()));
            }
        }
        let mut is_written = may_write;
        for (n, bytes) in made.into_iter().enumerate() {
            let name = format!("{SEGMENT}{:x}-{n}", manifest.generation);
            is_written = is_written && self.store.write_cache(&name, &bytes).is_ok();
            kept.push((Named { name, dead: Vec::new() }, Box::new(bytes)));
        }
        let (segments, blobs): (Vec<_>, Vec<_>) = kept.into_iter().unzip();
        manifest.segments = segments;
        if is_written && self.store.write_cache(MANIFEST, &manifest.to_bytes()).is_ok() {
            let is_old =
                |name: &str| name.starts_with(SEGMENT) && !manifest.segments.iter().any(|named| named.name == name);
            self.store.remove_cache(is_old);
        }
        let opened =
            blobs.into_iter().zip(&manifest.segments).map(|(blob, named)| (blob, named.dead.clone())).collect();
        let shelf = Shelf::open(opened).ok_or_else(|| Failure::refused("the search index could not be made"))?;
        Ok(SearchIndex::new(shelf, manifest))
    }
}

/// The time of a folder that is not there.
const GONE: i64 = i64::MIN;

/// Takes small segments in among what is read, so that there are few: each is absorbed by what is not much
/// smaller than itself.
fn absorb(index: &SearchIndex, changes: &mut Changes, engine: &Engine) {
    let mut n_files = changes.read.len();
    for (n, member) in index.shelf.members().iter().enumerate().rev() {
        let looks = member.segment.looks();
        let alive: Vec<_> = looks
            .into_iter()
            .zip(0_u32..)
            .filter(|(_, file)| member.dead.binary_search(file).is_err() && !changes.dead.contains(&(n, *file)))
            .collect();
        if alive.len() > 4 * n_files || n_files + alive.len() > ABSORBED_FILES_MAX {
            break;
        }
        n_files += alive.len();
        for (look, file) in alive {
            changes.dead.insert((n, file));
            if let Some(path) = VaultPath::new(&look.path)
                && let Ok(Some(stat)) = engine.store.stat(&path)
            {
                changes.read.push(SearchFile { kind: engine.file_kind(&path), stat });
            }
        }
    }
    let order = |file: &SearchFile| (file.kind.partition() != Partition::Pages, file.stat.path.clone());
    changes.read.sort_by_cached_key(order);
}

impl SearchIndex {
    fn new(shelf: Shelf, manifest: Manifest) -> SearchIndex {
        SearchIndex { shelf, languages: Language::of_bits(manifest.languages), manifest }
    }

    fn empty() -> SearchIndex {
        SearchIndex::new(Shelf::default(), Manifest::default())
    }

    /// Reads the days that a question names: against the newest entry, and counted from the oldest.
    pub(crate) fn read_days(&self, question: &mut Question) {
        if let Some((oldest, newest)) = self.shelf.collection().days {
            question.read_days(newest, Some(oldest));
        }
    }

    /// Returns what segments there are, as names and sizes.
    pub(crate) fn n_segments(&self) -> usize {
        self.shelf.members().len()
    }
}

//! Keeping the search index: opened, compared with the files, brought up to date.
//!
//! The manifest in the cache names the segments; replacing it is the step by which readers see a new state.
//! One process at a time writes, under a lock of the cache; whoever finds it taken answers from what there
//! is. A segment that a reader still has open may be removed: the open file stays readable.

use std::collections::BTreeSet;

use ken_core::search::{Language, Question};
use ken_core::{Date, Layout, Slug};
use ken_search::{Blob, Manifest, Named, Shelf};
use ken_store::OpenFile;

use super::changes::Changes;
use super::making::{Made, NewSegments};
use super::meaning::is_vectors;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::query::REDIRECTS_MAX;

const MANIFEST: &str = "search.manifest";
const LOCK: &str = "search";
pub(crate) const SEGMENT: &str = "search-";

/// Opening is tried again when a writer removed what the manifest named.
const OPEN_TRIES: usize = 3;

/// A file of the store as the index reads it.
pub(super) struct FileBlob(pub(super) Box<dyn OpenFile>);

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
    pub(super) manifest: Manifest,
    /// Whether something changed that another process is still bringing in.
    pub(crate) is_behind: bool,
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

/// What is raised when something else is taken from a file than before: an index made then is made again.
const READING: u32 = 5;

impl Engine {
    /// Returns the index, brought up to date as far as that can be done without waiting for others.
    pub(crate) fn search_index(&self) -> Result<SearchIndex, Failure> {
        if self.past.is_some() {
            return self.index_in_memory();
        }
        let Some(index) = self.open_search() else { return Ok(self.refresh_search()?.0) };
        match self.quick_changes(&index)? {
            Some(changes) if changes.is_empty() => Ok(index),
            _ => {
                let (mut index, refreshed) = self.bring_up_to_date(Engine::quick_changes)?;
                index.is_behind = refreshed.is_busy;
                Ok(index)
            }
        }
    }

    /// Returns the index if there is one; unless it may be stale, only if it fits the files, as far as a quick
    /// look shows.
    pub(crate) fn ready_index(&self, may_be_stale: bool) -> Option<SearchIndex> {
        let is_current =
            |index: &SearchIndex| matches!(self.quick_changes(index), Ok(Some(changes)) if changes.is_empty());
        let index = if self.past.is_some() { None } else { self.open_search() };
        index.filter(|index| may_be_stale || is_current(index))
    }

    /// Returns an index of the files as they are on the day that is asked about, and writes nothing.
    pub(crate) fn index_in_memory(&self) -> Result<SearchIndex, Failure> {
        let new = NewSegments::new(0, false);
        self.make_segments(&self.search_files()?, &new)?;
        let (made, languages, _) = new.finish();
        let segments = made.into_iter().map(|(named, blob)| (blob, named.dead)).collect();
        let shelf = Shelf::open(segments).ok_or_else(|| Failure::refused("the search index could not be made"))?;
        Ok(SearchIndex::new(shelf, Manifest { languages, ..Manifest::default() }))
    }

    /// Looks at every file and brings the search index up to date.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn refresh_index(&self) -> Result<Refreshed, Failure> {
        self.refresh_search().map(|(_, refreshed)| refreshed)
    }

    /// Looks at every file and brings the index up to date.
    pub(crate) fn refresh_search(&self) -> Result<(SearchIndex, Refreshed), Failure> {
        self.bring_up_to_date(|_, _| Ok(None))
    }

    /// Brings the index up to date by what a look shows, and by a look at everything where that shows none.
    fn bring_up_to_date(
        &self,
        look: impl Fn(&Engine, &SearchIndex) -> Result<Option<Changes>, Failure>,
    ) -> Result<(SearchIndex, Refreshed), Failure> {
        let guard = self.store.lock_cache(LOCK);
        let known = self.open_search();
        let is_new = known.is_none();
        let index = match (known, &guard) {
            (Some(index), None) if self.store.open_cache(MANIFEST).is_some() => {
                return Ok((index, Refreshed { is_busy: true, ..Refreshed::default() }));
            }
            (known, _) => known.unwrap_or_else(SearchIndex::empty),
        };
        let mut changes = match look(self, &index)? {
            Some(changes) => changes,
            None => self.all_changes(&index)?,
        };
        let refreshed = Refreshed { n_read: changes.read.len(), n_gone: changes.n_gone, is_new, is_busy: false };
        if changes.is_empty() && !is_new {
            return Ok((index, refreshed));
        }
        changes.absorb(&index, self);
        let new = NewSegments::new(index.manifest.generation + 1, guard.is_some());
        self.make_segments(&changes.read, &new)?;
        Ok((self.put(index, changes, new)?, refreshed))
    }

    /// Returns the index in the cache if it is another than the one given.
    pub(crate) fn newer_search_index(&self, index: &SearchIndex) -> Option<SearchIndex> {
        let manifest = Manifest::from_bytes(&self.store.read_cache(MANIFEST)?)?;
        if manifest.generation == index.manifest.generation { None } else { self.open_search() }
    }

    fn open_search(&self) -> Option<SearchIndex> {
        for _ in 0..OPEN_TRIES {
            let manifest = Manifest::from_bytes(&self.store.read_cache(MANIFEST)?)?;
            if manifest.made_with != self.made_with() {
                return None;
            }
            let open = |named: &Named| {
                let file = self.store.open_cache(&named.name)?;
                let is_as_written = self.store.cache_mtime(&named.name) == Some(named.mtime_ns);
                is_as_written.then(|| (Box::new(FileBlob(file)) as Box<dyn Blob>, named.dead.clone()))
            };
            if let Some(segments) = manifest.segments.iter().map(open).collect() {
                return Some(SearchIndex::new(Shelf::open(segments)?, manifest));
            }
        }
        None
    }

    /// What the index depends on besides the files and its own format.
    fn made_with(&self) -> String {
        let Layout { wiki, journal, sources, talk, foreign, evidence, preset, .. } = self.layout();
        format!("{wiki} {journal} {sources} {talk} {} {foreign:?} {evidence:?} {READING}", preset.name)
    }

    /// Puts new segments beside those that still hold anything, into the cache if it may be written.
    fn put(&self, index: SearchIndex, changes: Changes, new: NewSegments) -> Result<SearchIndex, Failure> {
        let mut manifest = index.manifest;
        let (made, languages, is_written) = new.finish();
        manifest.generation += 1;
        manifest.made_with = self.made_with();
        manifest.folders = changes.folders;
        manifest.languages |= languages;
        let mut kept: Vec<Made> = Vec::new();
        for (n, (member, named)) in index.shelf.into_members().into_iter().zip(manifest.segments).enumerate() {
            let mut dead: BTreeSet<u32> = member.dead.iter().copied().collect();
            dead.extend(changes.dead.iter().filter(|(segment, _)| *segment == n).map(|(_, file)| *file));
            if dead.len() < member.segment.n_files() as usize {
                kept.push((Named { dead: dead.into_iter().collect(), ..named }, member.segment.into_blob()));
            }
        }
        kept.extend(made);
        let (segments, blobs): (Vec<_>, Vec<_>) = kept.into_iter().unzip();
        manifest.segments = segments;
        if is_written && self.store.write_cache(MANIFEST, manifest.to_bytes()).is_ok() {
            // Vectors outlive their segment: the next that are made take them over.
            let is_old = |name: &str| {
                let is_named = manifest.segments.iter().any(|named| named.name == name);
                name.starts_with(SEGMENT) && !is_named && !is_vectors(name)
            };
            self.store.remove_cache(is_old);
        }
        let opened =
            blobs.into_iter().zip(&manifest.segments).map(|(blob, named)| (blob, named.dead.clone())).collect();
        let shelf = Shelf::open(opened).ok_or_else(|| Failure::refused("the search index could not be made"))?;
        Ok(SearchIndex::new(shelf, manifest))
    }
}

impl SearchIndex {
    fn new(shelf: Shelf, manifest: Manifest) -> SearchIndex {
        SearchIndex { shelf, languages: Language::of_bits(manifest.languages), manifest, is_behind: false }
    }

    fn empty() -> SearchIndex {
        SearchIndex::new(Shelf::default(), Manifest::default())
    }

    /// Reads the days that a question names: against the newest entry that is not of a day to come, and
    /// counted from the oldest.
    pub(crate) fn read_days(&self, question: &mut Question, today: Date) {
        if let Some((oldest, newest)) = self.shelf.collection().days {
            question.read_days(newest.min(today.max(oldest)), Some(oldest));
        }
    }

    /// Returns the names of the thing that is called so, the one that it has now first, following redirects.
    pub(crate) fn names_of(&self, name: &Slug) -> Vec<String> {
        let find = |name: &Slug| self.shelf.find_called(&Slug::from_text(name.as_str())?);
        let Some((mut path, mut called)) = find(name) else { return Vec::new() };
        for _ in 0..REDIRECTS_MAX {
            let next = called.redirect_to.as_deref().and_then(Slug::from_text).and_then(|target| find(&target));
            let Some(next) = next.filter(|next| next.0 != path) else { break };
            (path, called) = next;
        }
        called.written
    }

    /// Returns the names of the segments, in their order.
    #[cfg(feature = "semantic")]
    pub(crate) fn segment_names(&self) -> impl Iterator<Item = &str> {
        self.manifest.segments.iter().map(|named| named.name.as_str())
    }
}

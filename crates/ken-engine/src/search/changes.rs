//! What changed in the files since the index was made.
//!
//! A quick look compares the times of the folders, lists only those that changed, and looks at the files
//! that changed last; a look at everything lists and compares all files.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::VaultPath;
use ken_core::search::Partition;
use ken_search::{FolderStamp, Look};
use ken_store::FileStat;

use super::gather::{FileKind, SearchFile, trust_code};
use super::index::SearchIndex;
use crate::engine::Engine;
use crate::failure::Failure;

/// Up to this many files each is looked at before searching, so that an edit in place is seen; of larger
/// vaults the files that changed last are, and the folders, which shows every file that was added, removed
/// or replaced.
const LOOK_AT_FILES_MAX: usize = 2_000;
/// Files that a refresh reads again only to have fewer segments.
const ABSORBED_FILES_MAX: usize = 512;
/// The time of a folder that is not there.
pub(super) const GONE: i64 = i64::MIN;

/// What differs between the files and the index.
#[derive(Default)]
pub(super) struct Changes {
    /// New and changed files.
    pub(super) read: Vec<SearchFile>,
    /// Copies that no longer hold: segment and file.
    pub(super) dead: BTreeSet<(usize, u32)>,
    /// Files that are gone.
    pub(super) n_gone: usize,
    /// The folders as they are now.
    pub(super) folders: Vec<FolderStamp>,
    /// Whether a folder differs, if no file does.
    is_folder_changed: bool,
}

/// A file as the index has it: segment, number, length, time.
type Known = (usize, u32, u64, i64);

impl Changes {
    /// Returns whether the index holds as it is.
    pub(super) fn is_empty(&self) -> bool {
        self.read.is_empty() && self.dead.is_empty() && !self.is_folder_changed
    }

    /// Takes small segments in among what is read, so that there are few: each is absorbed by what is not
    /// much smaller than itself.
    pub(super) fn absorb(&mut self, index: &SearchIndex, engine: &Engine) {
        let mut n_files = self.read.len();
        for (n, member) in index.shelf.members().iter().enumerate().rev() {
            let n_alive = member.segment.n_files() as usize - member.dead.len();
            if n_alive > 4 * n_files.max(1) || n_files + n_alive > ABSORBED_FILES_MAX {
                break;
            }
            let looks = member.segment.looks().into_iter().zip(0_u32..);
            let is_dead = |file: &u32| member.dead.binary_search(file).is_ok();
            for (look, file) in looks.filter(|(_, file)| !is_dead(file)).collect::<Vec<_>>() {
                if self.dead.insert((n, file))
                    && let Some(path) = VaultPath::new(&look.path)
                    && let Ok(Some(stat)) = engine.store.stat(&path)
                {
                    self.read.push(SearchFile { kind: engine.file_kind(&path), stat });
                    n_files += 1;
                }
            }
        }
        let order = |file: &SearchFile| (file.kind.partition() != Partition::Pages, file.stat.path.clone());
        self.read.sort_by_cached_key(order);
        self.read.dedup_by(|a, b| a.stat.path == b.stat.path);
    }

    /// Notes what differs between files as they are and as they are known.
    fn compare(&mut self, files: Vec<SearchFile>, mut known: BTreeMap<String, Known>) {
        for file in files {
            match known.remove(file.stat.path.as_str()) {
                Some((_, _, len, mtime_ns)) if len == file.stat.len && mtime_ns == file.stat.mtime_ns => {}
                Some((segment, number, ..)) => {
                    self.dead.insert((segment, number));
                    self.read.push(file);
                }
                None => self.read.push(file),
            }
        }
        self.n_gone += known.len();
        self.dead.extend(known.into_values().map(|(segment, number, ..)| (segment, number)));
    }
}

/// Up to this many files all are looked at again before an answer is "nothing".
const LOOK_AGAIN_FILES_MAX: usize = 20_000;

impl Engine {
    /// Returns what a look at every file shows.
    pub(super) fn all_changes(&self, index: &SearchIndex) -> Result<Changes, Failure> {
        let layout = self.layout();
        let mut paths = BTreeSet::from([crate::ingest::register_path()]);
        for folder in layout.folders().into_iter().chain(&layout.evidence) {
            paths.insert(folder.clone());
            paths.extend(self.store.list_dirs(folder)?.into_iter().map(|folder| folder.path));
        }
        // The times are taken before the files are listed: what changes in between is seen the next time.
        let folders = paths.into_iter().map(|path| self.folder_stamp(path)).collect::<Vec<_>>();
        let is_folder_changed = folders != index.manifest.folders;
        let mut changes = Changes { folders, is_folder_changed, ..Changes::default() };
        let mut known = BTreeMap::new();
        for (segment, member) in index.shelf.members().iter().enumerate() {
            let looks = member.segment.looks().into_iter().zip(0_u32..);
            let alive = looks.filter(|(_, file)| member.dead.binary_search(file).is_err());
            known.extend(alive.map(|(look, file)| (look.path, (segment, file, look.len, look.mtime_ns))));
        }
        self.forget_unlike_registered(index, &mut known)?;
        changes.compare(self.search_files()?, known);
        Ok(changes)
    }

    /// Makes sources look changed of which the index says something else than the register: how far they are
    /// trusted, or of when they are.
    fn forget_unlike_registered(
        &self,
        index: &SearchIndex,
        known: &mut BTreeMap<String, Known>,
    ) -> Result<(), Failure> {
        let register = self.register()?;
        for (path, registered) in &register {
            let Some((segment, file, len, _)) = known.get_mut(path.as_str()) else { continue };
            let segment = &index.shelf.members()[*segment].segment;
            let Some(read) = segment.file(*file) else { continue };
            let Some(facts) = segment.doc(read.first_doc) else { continue };
            // A document that was changed since may say its day itself.
            let is_same = read.stamp.digest == registered.digest;
            let is_of_then = !is_same || registered.day.is_none() || registered.day == facts.date;
            if !is_of_then || facts.trust != trust_code(&register, path, FileKind::Source) {
                *len = u64::MAX;
            }
        }
        Ok(())
    }

    /// Returns whether a file of the index looks different or is gone; false where looking at all takes long.
    pub(super) fn is_out_of_date(&self, index: &SearchIndex) -> bool {
        let n_files: usize = index.shelf.members().iter().map(|one| one.segment.n_files() as usize).sum();
        if n_files > LOOK_AGAIN_FILES_MAX {
            return false;
        }
        index.shelf.members().iter().any(|member| {
            let looks = member.segment.looks();
            let alive = looks.iter().zip(0_u32..).filter(|(_, file)| member.dead.binary_search(file).is_err());
            let known: Vec<(&str, u64, i64)> =
                alive.map(|(look, _)| (look.path.as_str(), look.len, look.mtime_ns)).collect();
            !self.store.changed(&known).is_empty()
        })
    }

    /// Returns what a quick look shows, or `None` when only a look at everything can tell.
    pub(super) fn quick_changes(&self, index: &SearchIndex) -> Result<Option<Changes>, Failure> {
        let stamps = &index.manifest.folders;
        let now: Vec<FolderStamp> = stamps.iter().map(|folder| self.folder_stamp(folder.path.clone())).collect();
        let differ = stamps.iter().zip(&now).filter(|(before, now)| before != now).map(|(_, now)| now.path.clone());
        let mut todo: Vec<VaultPath> = differ.collect();
        // A single file that is evidence has no folder whose times would show it.
        let is_file = |path: &VaultPath| self.layout().evidence.contains(path) && !path.extension().is_empty();
        if stamps.is_empty() || todo.contains(&crate::ingest::register_path()) || todo.iter().any(is_file) {
            return Ok(None);
        }
        let mut known: BTreeSet<VaultPath> = now.iter().map(|folder| folder.path.clone()).collect();
        let mut changes = Changes { is_folder_changed: !todo.is_empty(), folders: now, ..Changes::default() };
        while let Some(folder) = todo.pop() {
            let (files, below) = self.store.list_one(&folder)?;
            for folder in below.into_iter().filter(|folder| !self.is_too_deep(folder)) {
                if known.insert(folder.clone()) {
                    changes.folders.push(self.folder_stamp(folder.clone()));
                    todo.push(folder);
                }
            }
            let files = files.into_iter().filter(|stat| self.covers(&stat.path));
            let files = files.map(|stat| SearchFile { kind: self.file_kind(&stat.path), stat }).collect();
            changes.compare(files, known_in(index, &folder));
        }
        changes.folders.sort();
        self.look_at_latest(index, &mut changes)?;
        Ok(Some(changes))
    }

    /// Looks at the files of small segments: they hold what was changed last, which is what is likely to be
    /// changed again.
    fn look_at_latest(&self, index: &SearchIndex, changes: &mut Changes) -> Result<(), Failure> {
        let mut n_left = LOOK_AT_FILES_MAX;
        for (segment, member) in index.shelf.members().iter().enumerate().rev() {
            let n_files = member.segment.n_files() as usize;
            if n_files > n_left {
                break;
            }
            n_left -= n_files;
            let looks = member.segment.looks();
            let is_alive =
                |file: &u32| member.dead.binary_search(file).is_err() && !changes.dead.contains(&(segment, *file));
            let alive: Vec<(&Look, u32)> = looks.iter().zip(0_u32..).filter(|(_, file)| is_alive(file)).collect();
            let known: Vec<(&str, u64, i64)> =
                alive.iter().map(|(look, _)| (look.path.as_str(), look.len, look.mtime_ns)).collect();
            for n in self.store.changed(&known) {
                let (look, file) = alive[n];
                changes.dead.insert((segment, file));
                let stat: Option<FileStat> = match VaultPath::new(&look.path) {
                    Some(path) => self.store.stat(&path)?,
                    None => None,
                };
                match stat {
                    Some(stat) => changes.read.push(SearchFile { kind: self.file_kind(&stat.path), stat }),
                    None => changes.n_gone += 1,
                }
            }
        }
        Ok(())
    }

    /// Whether a look at everything would leave a folder out, because it is nested too deep below those of
    /// the layout.
    fn is_too_deep(&self, folder: &VaultPath) -> bool {
        let layout = self.layout();
        let mut roots = layout.folders().into_iter().chain(&layout.evidence);
        let levels = |path: &str| path.matches('/').count();
        let below = |root: &VaultPath| levels(folder.as_str()) - levels(root.as_str());
        !roots.any(|root| folder.is_under(root.as_str()) && below(root) <= ken_store::DEPTH_MAX)
    }

    fn folder_stamp(&self, path: VaultPath) -> FolderStamp {
        FolderStamp { mtime_ns: self.store.mtime(&path).unwrap_or(GONE), path }
    }
}

/// The files right in a folder as the index has them.
fn known_in(index: &SearchIndex, folder: &VaultPath) -> BTreeMap<String, Known> {
    let mut known = BTreeMap::new();
    for (segment, member) in index.shelf.members().iter().enumerate() {
        for (file, look) in member.segment.looks_below(folder) {
            let is_right_in = !look.path[folder.as_str().len() + 1..].contains('/');
            if is_right_in && member.dead.binary_search(&file).is_err() {
                known.insert(look.path, (segment, file, look.len, look.mtime_ns));
            }
        }
    }
    known
}

//! Reading many files at once.
//!
//! [`Store::map_files`] reads the files of a listing on all processors and hands each to a function; it
//! relies on the listing for what is a plain file.

use std::sync::atomic::{AtomicUsize, Ordering};

use ken_core::VaultPath;

use crate::error::{At, StoreError};
use crate::listing::FileStat;
use crate::store::Store;

/// Readers at once: beyond this, one disk and one memory bus are the limit.
const THREADS_MAX: usize = 8;
/// Fewer files are read before other readers have started.
const PARALLEL_FROM: usize = 32;
/// Files one reader takes at a time at most: enough that taking them costs nothing.
const BATCH_MAX: usize = 64;
/// Turns that each reader takes at least, so that none is left with all that take long.
const TURNS: usize = 8;
/// Most pages are no longer, so that one call reads a page whose length nobody asked for.
const PAGE_BYTES: u64 = 16 * 1024;

/// Returns what `map` makes of each element, in order, on all processors.
pub(crate) fn map_parallel<I: Sync, T: Send>(
    all: &[I],
    map: impl Fn(&I) -> Result<T, StoreError> + Sync,
) -> Result<Vec<T>, StoreError> {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    if all.len() < PARALLEL_FROM || n_threads == 1 {
        return all.iter().map(map).collect();
    }
    let size = (all.len() / (n_threads * TURNS)).clamp(1, BATCH_MAX);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let start = next.fetch_add(size, Ordering::Relaxed);
            let Some(batch) = all.get(start..all.len().min(start + size)).filter(|batch| !batch.is_empty()) else {
                return done;
            };
            done.push((start, batch.iter().map(&map).collect::<Vec<_>>()));
        }
    };
    let mut batches: Vec<_> = std::thread::scope(|scope| {
        // The calling thread is one of them: memory costs less there.
        let workers: Vec<_> = (1..n_threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic"));
        others.chain(own).collect()
    });
    batches.sort_by_key(|(start, _)| *start);
    batches.into_iter().flat_map(|(_, results)| results).collect()
}

impl Store {
    /// Returns what `map` makes of each file's bytes, in the order of `files`; `None` for a file that is
    /// gone since it was listed.
    ///
    /// # Errors
    /// The first error of reading a file, in the order of `files`.
    pub fn map_files<T: Send>(
        &self,
        files: &[FileStat],
        map: impl Fn(&FileStat, Vec<u8>) -> T + Sync,
    ) -> Result<Vec<Option<T>>, StoreError> {
        map_parallel(files, |file| Ok(self.read_listed(&file.path, file.len)?.map(|bytes| map(file, bytes))))
    }

    /// Returns what `map` makes of each file's bytes, in the order of `paths`, which [`Store::list_paths`] gave;
    /// `None` for a file that is gone since then.
    ///
    /// # Errors
    /// As [`Store::map_files`].
    pub fn map_paths<T: Send>(
        &self,
        paths: &[VaultPath],
        map: impl Fn(&VaultPath, Vec<u8>) -> T + Sync,
    ) -> Result<Vec<Option<T>>, StoreError> {
        map_parallel(paths, |path| {
            let read = self.read_listed(path, PAGE_BYTES)?;
            Ok(read.map(|mut bytes| {
                bytes.shrink_to_fit();
                map(path, bytes)
            }))
        })
    }

    fn read_listed(&self, path: &VaultPath, len_expected: u64) -> Result<Option<Vec<u8>>, StoreError> {
        match self.disk.fs.read_sized(&self.disk.place(path), len_expected) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).at("read", path),
        }
    }

    /// Returns length and time of a file, or `None` when there is none.
    ///
    /// # Errors
    /// When the system cannot tell.
    pub fn stat(&self, path: &VaultPath) -> Result<Option<FileStat>, StoreError> {
        let meta = self.disk.stat(path)?.filter(|meta| !meta.is_dir && !meta.is_symlink);
        Ok(meta.map(|meta| FileStat { path: path.clone(), len: meta.len, mtime_ns: meta.mtime_ns }))
    }

    /// Returns the positions of the files that are gone or look different from a path, length and time, in
    /// order; links count as gone.
    pub fn changed(&self, known: &[(&str, u64, i64)]) -> Vec<usize> {
        let look = |(path, len, mtime_ns): &(&str, u64, i64)| {
            let meta = self.disk.fs.metadata(&self.disk.root.join(path)).ok();
            let is_same = |meta: &crate::fs::FsMeta| {
                !meta.is_dir && !meta.is_symlink && meta.len == *len && meta.mtime_ns == *mtime_ns
            };
            Ok(meta.as_ref().is_some_and(is_same))
        };
        let same = map_parallel(known, look).unwrap_or_default();
        same.into_iter().enumerate().filter(|(_, is_same)| !is_same).map(|(n, _)| n).collect()
    }
}

/// Creates the root folder of a new vault, with its parents.
///
/// # Errors
/// When it cannot be created, or a file stands there.
pub fn create_root(root: &std::path::Path) -> Result<(), StoreError> {
    std::fs::create_dir_all(root).at("create", root.display().to_string().as_str())
}

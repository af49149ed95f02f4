//! Reading files into new segments.
//!
//! A segment is put into the cache as soon as it is done, so that an index of any size takes little memory
//! to make. Nobody looks at it before a manifest names it.

use std::sync::Mutex;
use std::sync::PoisonError;

use ken_core::Digest;
use ken_search::{Blob, Named, Stamp};

use super::build::Builder;
use super::changes::GONE;
use super::gather::{SearchFile, called_of, docs_of};
use super::index::{FileBlob, SEGMENT};
use crate::engine::Engine;
use crate::failure::Failure;

/// Files that one thread reads at a time.
const BATCH: usize = 64;
/// From this many files on, segments are made on all processors.
const PARALLEL_FROM: usize = 512;

/// A new segment with its name.
pub(super) type Made = (Named, Box<dyn Blob>);

/// Segments on their way into the index.
pub(super) struct NewSegments {
    generation: u64,
    may_write: bool,
    state: Mutex<State>,
}

struct State {
    /// With their order: which part of the files, which segment of it.
    made: Vec<((usize, usize), Made)>,
    languages: u32,
    is_written: bool,
}

impl NewSegments {
    /// Returns a place for the segments of a generation.
    pub(super) fn new(generation: u64, may_write: bool) -> NewSegments {
        let state = State { made: Vec::new(), languages: 0, is_written: may_write };
        NewSegments { generation, may_write, state: Mutex::new(state) }
    }

    /// Puts a segment away: into the cache if that may be written, else into memory.
    fn put(&self, engine: &Engine, order: (usize, usize), bytes: Vec<u8>) {
        let name = format!("{SEGMENT}{:x}-{}-{}", self.generation, order.0, order.1);
        if self.may_write {
            // An index that was begun anew counts from 1 again; what lay beside a namesake is not of this one.
            engine.store.remove_cache(|old| old.strip_suffix(".vec") == Some(&name));
        }
        let is_written = self.may_write && engine.store.write_cache_piece(&name, &bytes).is_ok();
        let written = || Some(Box::new(FileBlob(engine.store.open_cache(&name)?)) as Box<dyn Blob>);
        let blob = if is_written { written() } else { None };
        let is_written = blob.is_some();
        let mtime_ns = engine.store.cache_mtime(&name).unwrap_or(GONE);
        let made = (Named { name, mtime_ns, dead: Vec::new() }, blob.unwrap_or_else(|| Box::new(bytes)));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_written &= is_written;
        state.made.push((order, made));
    }

    /// Returns the segments in the order of their files, the languages met, and whether all stand in the cache.
    pub(super) fn finish(self) -> (Vec<Made>, u32, bool) {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.made.sort_by_key(|(order, _)| *order);
        (state.made.into_iter().map(|(_, made)| made).collect(), state.languages, state.is_written)
    }
}

impl Engine {
    /// Reads files and makes segments of them, on all processors when they are many.
    pub(super) fn make_segments(&self, files: &[SearchFile], new: &NewSegments) -> Result<(), Failure> {
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        if files.len() < PARALLEL_FROM || n_threads == 1 {
            return self.make_part(0, files, new);
        }
        std::thread::scope(|scope| {
            let parts = files.chunks(files.len().div_ceil(n_threads)).enumerate();
            let workers: Vec<_> = parts.map(|(n, part)| scope.spawn(move || self.make_part(n, part, new))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })
    }

    fn make_part(&self, part: usize, files: &[SearchFile], new: &NewSegments) -> Result<(), Failure> {
        let register = self.register()?;
        let mut builder = Builder::default();
        let mut n_made = 0;
        let mut put = |segments: Vec<Vec<u8>>| {
            for bytes in segments {
                new.put(self, (part, n_made), bytes);
                n_made += 1;
            }
        };
        for batch in files.chunks(BATCH) {
            for file in batch {
                // A file that cannot be read keeps nobody from finding the others.
                let Ok(mut read) = self.store.map_files(std::slice::from_ref(&file.stat), |_, bytes| bytes) else {
                    continue;
                };
                let Some(bytes) = read.pop().flatten() else { continue };
                let digest = Digest::of(&bytes);
                let stat = &file.stat;
                let stamp = Stamp { path: stat.path.clone(), len: stat.len, mtime_ns: stat.mtime_ns, digest };
                // What is not UTF-8 is kept as a file without text, so that it is not read again and again.
                let text = String::from_utf8(bytes).unwrap_or_default();
                let Some(text) = self.text_then(file.kind, &stat.path, text) else { continue };
                let called = called_of(file.kind, &stat.path, &text);
                let (docs, text) = docs_of(file.kind, &stat.path, &text, &register);
                builder.add((&stamp, file.kind.partition()), (&docs, &text), called.as_ref());
            }
            put(builder.take_done());
        }
        let (segments, languages) = builder.finish();
        put(segments);
        new.state.lock().unwrap_or_else(PoisonError::into_inner).languages |= languages;
        Ok(())
    }
}

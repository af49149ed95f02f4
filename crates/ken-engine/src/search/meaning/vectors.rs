//! Making the vectors of an index: segment by segment, kept every few hundred passages, so that whoever is
//! interrupted goes on where he was. What a former segment had of the same text is taken over.

use std::collections::BTreeMap;

use ken_core::{Digest, VaultPath};
use ken_embed::{Embedder, Role};
use ken_search::{KeptVector, Member, Vectors};

use super::compare::embedder;
use super::{Embedded, VECTORS, is_vectors};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::search::gather::docs_of;
use crate::search::index::SearchIndex;

const LOCK: &str = "search-vectors";
/// Passages that are embedded at a time.
const BATCH: usize = 32;
/// Passages after which what was made is kept.
const KEEP_AFTER: usize = 256;

/// Vectors that are known by the text they are of.
type Known = BTreeMap<u64, KeptVector>;

impl Engine {
    /// Makes the vectors that the search index lacks; `told` hears how many of how many passages are done.
    ///
    /// # Errors
    /// When the vault cannot be read, or the model fails; what was made until then is kept.
    pub fn embed_index(&self, told: &mut dyn FnMut(usize, usize)) -> Result<Embedded, Failure> {
        let failed = |why: String| Failure::new(crate::failure::FailureKind::Retry, why).hint("no vector was lost");
        let embedder = embedder(&self.meaning).map_err(&failed)?;
        let index = self.search_index()?;
        let Some(_guard) = self.store.lock_cache(LOCK) else {
            return Ok(Embedded { is_busy: true, ..Embedded::default() });
        };
        let mut done = Embedded { n_all: index.shelf.n_passages(), ..Embedded::default() };
        let mut n_before = 0;
        let mut known = None;
        for (name, member) in index.segment_names().zip(index.shelf.members()) {
            let mut fill = Fill { engine: self, embedder: embedder.as_ref(), name, member, known: &mut known, done };
            fill.run(&index, n_before, told).map_err(&failed)?;
            done = fill.done;
            n_before += member.segment.n_passages() as usize;
        }
        let is_of = |name: &str, segment: &str| name.strip_suffix(VECTORS).is_some_and(|of| of == segment);
        self.store.remove_cache(|name| is_vectors(name) && !index.segment_names().any(|segment| is_of(name, segment)));
        Ok(done)
    }

    /// Every vector of this model in the cache, also those of segments that are gone.
    fn known_vectors(&self, model: &Digest) -> Known {
        let names = self.store.cache_names().into_iter().filter(|name| is_vectors(name));
        let open = |name: String| Vectors::open(self.store.read_cache(&name)?, model);
        names.filter_map(open).flat_map(|vectors| vectors.all().collect::<Vec<_>>()).collect()
    }
}

/// Filling the vectors of one segment.
struct Fill<'a> {
    engine: &'a Engine,
    embedder: &'a dyn Embedder,
    name: &'a str,
    member: &'a Member,
    known: &'a mut Option<Known>,
    done: Embedded,
}

impl Fill<'_> {
    fn run(&mut self, index: &SearchIndex, n_before: usize, told: &mut dyn FnMut(usize, usize)) -> Result<(), String> {
        let file = format!("{}{VECTORS}", self.name);
        let model = self.embedder.digest();
        let open = Vectors::open(self.engine.store.read_cache(&file).unwrap_or_default(), &model);
        let n_all = self.member.segment.n_passages() as usize;
        if open.as_ref().is_some_and(|vectors| vectors.n() >= n_all) {
            return Ok(());
        }
        let width = self.width()?;
        let mut vectors =
            open.filter(|vectors| vectors.width() == width).unwrap_or_else(|| Vectors::new(&model, width));
        let engine = self.engine;
        self.known.get_or_insert_with(|| engine.known_vectors(&model));
        let texts = self.texts(vectors.n())?;
        for step in texts.chunks(KEEP_AFTER) {
            let made = step.chunks(BATCH).try_for_each(|batch| self.add(batch, width, &mut vectors));
            let kept = self.engine.store.write_cache(&file, vectors.to_bytes());
            made?;
            kept.map_err(|error| error.to_string())?;
            told(n_before + vectors.n(), index.shelf.n_passages());
        }
        Ok(())
    }

    /// How many numbers the model's vectors have, which only a vector shows.
    fn width(&self) -> Result<usize, String> {
        let made = self.embedder.embed(Role::Passage, &["width"]).map_err(|error| error.to_string())?;
        Ok(made.first().map_or(0, Vec::len))
    }

    fn add(&mut self, batch: &[Option<String>], width: usize, vectors: &mut Vectors) -> Result<(), String> {
        let known = self.known.get_or_insert_default();
        let key = |text: &str| u64::from_le_bytes(*Digest::of(text.as_bytes()).as_bytes().first_chunk().expect("32"));
        let is_new = |text: &&str| known.get(&key(text)).is_none_or(|kept| kept.width() != width);
        let new: Vec<&str> = batch.iter().flatten().map(String::as_str).filter(is_new).collect();
        let made = if new.is_empty() {
            Vec::new()
        } else {
            self.embedder.embed(Role::Passage, &new).map_err(|error| error.to_string())?
        };
        self.done.n_made += new.len();
        self.done.n_taken += batch.iter().flatten().count() - new.len();
        for (text, vector) in new.into_iter().zip(made) {
            known.insert(key(text), KeptVector::of(&vector));
        }
        let nothing = KeptVector::of(&vec![0.0; width]);
        for text in batch {
            let (key, vector) = match text {
                Some(text) => (key(text), known.get(&key(text)).unwrap_or(&nothing)),
                None => (0, &nothing),
            };
            if !vectors.push(key, vector) {
                return Err(format!("`{}` gives vectors of different widths", self.embedder.name()));
            }
        }
        Ok(())
    }

    /// The texts of the passages from the given one on; none where the file changed since, or went.
    fn texts(&self, from: usize) -> Result<Vec<Option<String>>, String> {
        let segment = &self.member.segment;
        let register = self.engine.register().map_err(|failure| failure.message)?;
        let starts = segment.starts();
        let mut out = vec![None; segment.n_passages() as usize];
        for number in (0..segment.n_files()).filter(|number| self.member.dead.binary_search(number).is_err()) {
            let Some(facts) = segment.file(number) else { continue };
            let first = starts.get(facts.first_doc as usize).map_or(0, |start| *start as usize);
            let last = starts.get((facts.first_doc + facts.n_docs) as usize).map_or(0, |start| *start as usize);
            let path: &VaultPath = &facts.stamp.path;
            let Some(bytes) = (if last > from { self.engine.store.read(path).ok().flatten() } else { None }) else {
                continue;
            };
            if Digest::of(&bytes) != facts.stamp.digest {
                continue;
            }
            let text = String::from_utf8(bytes).unwrap_or_default();
            let (docs, text) = docs_of(self.engine.file_kind(path), path, &text, &register);
            let said = docs.iter().flat_map(|doc| {
                doc.passages.iter().map(|(facts, span)| said(&doc.facts.title, &facts.heading, span.of(&text)))
            });
            for (place, said) in out.iter_mut().skip(first).take(last - first).zip(said) {
                *place = Some(said);
            }
        }
        Ok(out.split_off(from))
    }
}

/// What a model reads of a passage: with what stands above it.
fn said(title: &str, heading: &str, text: &str) -> String {
    let above = if heading.starts_with(title) { "" } else { title };
    let parts = [above, heading, text].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

//! A build without vectors: everything is said by words, and by a note.

use ken_core::search::{DocFacts, Partition, Question};

use super::Embedded;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::search::ask::{Asked, Look, Place, Ranked};
use crate::search::index::SearchIndex;

/// What a reader is told.
const WITHOUT: &str = "searched by words alone: this `ken` was built without the feature `semantic`";

/// What would compare; there is none.
pub(crate) enum Meaning {}

impl Meaning {
    pub(crate) fn open(_: &Engine, _: &SearchIndex) -> (Option<Meaning>, Option<String>) {
        (None, Some(WITHOUT.to_owned()))
    }

    pub(crate) fn load(&mut self, _: &Engine, _: &SearchIndex) {
        match *self {}
    }

    pub(crate) fn ask(&mut self, _: &Question) -> Option<String> {
        match *self {}
    }

    pub(crate) fn passages(&self, _: &Asked<'_>, _: usize) -> Vec<(Place, f32)> {
        match *self {}
    }

    pub(crate) fn page(&self, _: &Asked<'_>) -> Option<DocFacts> {
        match *self {}
    }

    pub(crate) fn best(&self, _: &Asked<'_>, _: Partition, _: usize, _: &mut Look<'_>) -> Ranked {
        match *self {}
    }
}

impl Engine {
    /// Makes no vectors.
    ///
    /// # Errors
    /// Always.
    pub fn embed_index(&self, _: &mut dyn FnMut(usize, usize)) -> Result<Embedded, Failure> {
        Err(Failure::usage("this `ken` was built without the feature `semantic`, so it makes no vectors")
            .hint("nothing was changed"))
    }
}

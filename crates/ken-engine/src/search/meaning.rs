//! Search by meaning: where vectors come from, and the one place that knows whether this build compares any.
//!
//! Asking never makes vectors of passages, and never fails because of them: whatever is missing is a note,
//! and the answer is that of the words.

#[cfg(feature = "semantic")]
mod compare;
#[cfg(feature = "semantic")]
mod vectors;
#[cfg(not(feature = "semantic"))]
mod without;

#[cfg(feature = "semantic")]
pub(crate) use compare::Meaning;
#[cfg(not(feature = "semantic"))]
pub(crate) use without::Meaning;

use super::index::SEGMENT;
use crate::engine::Engine;

/// The name of a segment's vectors is that of the segment with this behind it.
const VECTORS: &str = ".vec";

/// Where vectors come from, as the user says; a vault cannot say it.
#[derive(Debug, Clone, Default)]
pub struct MeaningSettings {
    /// The folder of a model, or with an address the name of the server's model.
    pub model: Option<String>,
    /// The address of a server.
    pub url: Option<String>,
    /// What the server asks to see.
    pub key: Option<Secret>,
}

impl MeaningSettings {
    /// Whether the user named anything.
    fn is_set(&self) -> bool {
        self.model.is_some() || self.url.is_some()
    }
}

/// A text that is never shown.
#[derive(Clone)]
#[cfg_attr(not(feature = "semantic"), expect(dead_code, reason = "nothing is asked"))]
pub struct Secret(String);

impl Secret {
    /// Returns the text as a secret.
    pub fn new(text: String) -> Secret {
        Secret(text)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// What making vectors did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Embedded {
    /// Vectors that were made.
    pub n_made: usize,
    /// Vectors that were taken over from an earlier index.
    pub n_taken: usize,
    /// Passages of the index.
    pub n_all: usize,
    /// Whether another process was at it, so that nothing was done.
    pub is_busy: bool,
}

impl Engine {
    /// Returns whether the meanings of this vault may be compared unasked: the user says where vectors come from, and
    /// the vault does not say no. What is missing all the same is said. Vectors are those of today's texts.
    pub(crate) fn may_compare(&self) -> bool {
        self.meaning.is_set() && self.config.semantic != Some(false) && self.past.is_none()
    }
}

/// Whether a file of the cache holds vectors.
pub(crate) fn is_vectors(name: &str) -> bool {
    name.starts_with(SEGMENT) && name.ends_with(VECTORS)
}

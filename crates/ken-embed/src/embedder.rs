//! What every way of making vectors has in common.

use std::fmt;

use ken_core::Digest;

/// What a text is; some models want to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Something that is asked.
    Question,
    /// Something that may answer.
    Passage,
}

/// Makes vectors of texts.
pub trait Embedder: Send + Sync {
    /// Returns what people call it.
    fn name(&self) -> &str;

    /// Returns what tells its vectors from those of others: vectors of different digests have nothing to
    /// do with each other.
    fn digest(&self) -> Digest;

    /// Returns one vector a text, in order, each of length 1.
    ///
    /// # Errors
    /// When the model cannot be reached, or answers with something else.
    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Why there are no vectors: what was wrong with what, and what helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedError {
    /// Lower case, no final stop; without secrets and cut to a line.
    pub message: String,
    /// A statement or a command.
    pub hint: String,
}

impl EmbedError {
    /// Returns an error.
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> EmbedError {
        EmbedError { message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.hint)
    }
}

impl std::error::Error for EmbedError {}

/// Brings a vector to length 1, or returns `None` when it has none: empty, zero, or with a hole in it.
pub(crate) fn normalised(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|one| one * one).sum::<f32>().sqrt();
    if !length.is_finite() || length <= f32::MIN_POSITIVE {
        return None;
    }
    vector.iter_mut().for_each(|one| *one /= length);
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_without_a_length_is_none() {
        assert_eq!(normalised(vec![3.0, 4.0]), Some(vec![0.6, 0.8]));
        for bad in [vec![], vec![0.0, 0.0], vec![1.0, f32::NAN], vec![f32::INFINITY]] {
            assert_eq!(normalised(bad), None);
        }
    }
}

//! Bytes that are read piece by piece.
//!
//! A search index is too large to read whole for one question, and mapping files into memory needs code
//! that this program does not allow itself. A [`Blob`] is asked for the pieces that a question needs; the
//! store gives one over a file, tests and measurements give one over a buffer.

use std::borrow::Cow;

/// Bytes that can be read from any place.
pub trait Blob: Send + Sync {
    /// Returns how many bytes there are.
    fn len(&self) -> u64;

    /// Returns `len` bytes from `at` on, or `None` when there are not as many or they cannot be read.
    fn read(&self, at: u64, len: usize) -> Option<Cow<'_, [u8]>>;

    /// Returns whether there are no bytes at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Blob for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read(&self, at: u64, len: usize) -> Option<Cow<'_, [u8]>> {
        let at = usize::try_from(at).ok()?;
        self.get(at..at.checked_add(len)?).map(Cow::Borrowed)
    }
}

//! What all spellings of a subject share, hashed.

use ken_core::Digest;

/// The hash of a subject's key.
pub type Key = u64;

/// Returns the hash of a subject's key.
pub fn key_hash(key: &str) -> Key {
    let digest = Digest::of(key.as_bytes());
    u64::from_le_bytes(digest.as_bytes()[..8].try_into().expect("eight bytes of thirty-two"))
}

//! Stamps: short digests of what something is made from, by which the next compile sees that it would come out the same.

use std::hash::{Hash, Hasher};

use ken_core::Digest;

/// The digest of what something is made from, shortened; 0 for what was never made.
pub(crate) type Stamp = u64;

/// Collects everything that is hashed.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        let digest = Digest::of(&self.0);
        u64::from_le_bytes(digest.as_bytes()[..8].try_into().expect("eight bytes of thirty-two"))
    }
}

/// Returns the stamp of a value: the same for equal ones, and never 0.
pub(crate) fn stamp(value: &impl Hash) -> Stamp {
    let mut bytes = Bytes::default();
    value.hash(&mut bytes);
    bytes.finish().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_tell_values_apart() {
        assert_eq!(stamp(&("a", Some(1))), stamp(&("a", Some(1))));
        assert_ne!(stamp(&("a", "bc")), stamp(&("ab", "c")));
        assert_ne!(stamp(&Vec::<u8>::new()), 0);
    }
}

//! Fingerprints: short digests of what something is made from, by which the next compile sees that it would come out the same.

use std::hash::{Hash, Hasher};

use ken_core::Digest;

/// The digest of what something is made from, shortened; 0 for what was never made.
pub(crate) type Fingerprint = u64;

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

/// Returns the fingerprint of a value: the same for equal ones, and never 0.
pub(crate) fn fingerprint(value: &impl Hash) -> Fingerprint {
    let mut bytes = Bytes::default();
    value.hash(&mut bytes);
    bytes.finish().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_tell_values_apart() {
        assert_eq!(fingerprint(&("a", Some(1))), fingerprint(&("a", Some(1))));
        assert_ne!(fingerprint(&("a", "bc")), fingerprint(&("ab", "c")));
        assert_ne!(fingerprint(&Vec::<u8>::new()), 0);
    }
}

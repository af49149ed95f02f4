//! Content identity.
//!
//! A [`Digest`] is the BLAKE3 hash of bytes. Two files with one digest are the same file to Kenning.

use std::fmt;

/// The BLAKE3 hash of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }

    /// Returns the digest of all `parts` as one text.
    pub fn of_joined(parts: &[impl AsRef<[u8]>]) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(part.as_ref());
        }
        Digest(*hasher.finalize().as_bytes())
    }

    /// Returns the digest of `text` with every run of white space counted as one space, so that a
    /// citation survives re-wrapping.
    pub fn of_normalised(text: &str) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for (n, word) in text.split_whitespace().enumerate() {
            if n > 0 {
                hasher.update(b" ");
            }
            hasher.update(word.as_bytes());
        }
        Digest(*hasher.finalize().as_bytes())
    }

    /// Returns the digest of `parts`, one after the other, that only a holder of `key` can make. Each part's
    /// length counts too, so that no two lists of parts have one digest.
    pub fn keyed(key: &[u8; 32], parts: &[&[u8]]) -> Digest {
        let mut hasher = blake3::Hasher::new_keyed(key);
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Digest(*hasher.finalize().as_bytes())
    }

    /// Returns the 32 raw bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the digest made of these raw bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Digest {
        Digest(bytes)
    }

    /// Returns the first 8 hex digits, the form used in citations and file names.
    pub fn short(&self) -> String {
        self.0[..4].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the digest that 64 hex digits spell.
    pub fn parse(hex: &str) -> Option<Digest> {
        let mut bytes = [0; 32];
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        for (n, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).ok()?;
        }
        Some(Digest(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", self.short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_reads_back() {
        let digest = Digest::of(b"kenning");
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("+f"), None);
    }

    #[test]
    fn a_keyed_digest_depends_on_the_key_and_on_where_parts_end() {
        let of = |key: u8, parts: &[&[u8]]| Digest::keyed(&[key; 32], parts);
        assert_eq!(of(1, &[b"a", b"b"]), of(1, &[b"a", b"b"]));
        assert_ne!(of(1, &[b"a", b"b"]), of(2, &[b"a", b"b"]));
        assert_ne!(of(1, &[b"a", b"b"]), of(1, &[b"ab", b""]));
    }

    #[test]
    fn wrapping_does_not_change_a_normalised_digest() {
        assert_eq!(Digest::of_normalised(" a b\n  c "), Digest::of(b"a b c"));
    }
}

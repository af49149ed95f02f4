//! The ledger as bytes; its postings have a fixed length each: hundreds of thousands are read and written with every compile.

use serde::{Deserialize, Deserializer, Serializer};

use super::{LEDGER_VERSION, Ledger, Posting};

/// Key, file and entry, little-endian, number of passages, flags, little-endian.
const LEN: usize = 8 + 4 + 2 + 1 + 2;

/// What a page and a file take of a written ledger, rather more than less.
const PAGE_BYTES: usize = 256;
const FILE_BYTES: usize = 1024;

impl Ledger {
    /// Returns the ledger that was written down as these bytes; none where they are damaged or of another version.
    pub fn read(bytes: &[u8]) -> Option<Ledger> {
        let ledger: Ledger = postcard::from_bytes(bytes).ok()?;
        (ledger.version == LEDGER_VERSION).then_some(ledger)
    }

    /// Returns the bytes that the ledger is written down as.
    pub fn written(&self) -> Option<Vec<u8>> {
        // Growing, the bytes would be copied more often than they are written.
        let mut bytes =
            vec![0; LEN * self.postings.len() + PAGE_BYTES * self.pages.len() + FILE_BYTES * self.files.len()];
        match postcard::to_slice(self, &mut bytes).map(|written| written.len()) {
            Ok(n_bytes) => bytes.truncate(n_bytes),
            Err(_) => return postcard::to_allocvec(self).ok(),
        }
        Some(bytes)
    }
}

/// Writes postings.
pub(super) fn serialize<S: Serializer>(postings: &[Posting], to: S) -> Result<S::Ok, S::Error> {
    let mut bytes = Vec::with_capacity(LEN * postings.len());
    for posting in postings {
        bytes.extend_from_slice(&posting.key.to_le_bytes());
        bytes.extend_from_slice(&posting.file.to_le_bytes());
        bytes.extend_from_slice(&posting.entry.to_le_bytes());
        bytes.push(posting.n_passages);
        bytes.extend_from_slice(&posting.flags.to_le_bytes());
    }
    to.serialize_bytes(&bytes)
}

/// Reads what [`serialize`] wrote.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Posting>, D::Error> {
    let bytes = <&[u8]>::deserialize(from)?;
    let posting = |record: &[u8; LEN]| {
        let [k0, k1, k2, k3, k4, k5, k6, k7, f0, f1, f2, f3, e0, e1, n_passages, b0, b1] = *record;
        Posting {
            key: u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            file: u32::from_le_bytes([f0, f1, f2, f3]),
            entry: u16::from_le_bytes([e0, e1]),
            n_passages,
            flags: u16::from_le_bytes([b0, b1]),
        }
    };
    Ok(bytes.as_chunks().0.iter().map(posting).collect())
}

//! What the files of the wiki were like when the table was built.
//!
//! Every wiki file has a [`Stamp`], also one that is no page; a table whose stamps equal the files now
//! need not be built again. Comparing them with real files is the caller's work.

use ken_core::{Digest, VaultPath};

/// One wiki file as it was when the table was built.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    /// The file.
    pub path: VaultPath,
    /// Length in bytes.
    pub len: u64,
    /// Last change, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Digest of its bytes.
    pub digest: Digest,
}

/// One wiki folder as it was when the table was built.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderStamp {
    /// The folder.
    pub path: VaultPath,
    /// Last change of its names, nanoseconds since 1970.
    pub mtime_ns: i64,
}

//! Changes as values.
//!
//! Everything that changes a vault is a [`Plan`]: edits plus the log entry that explains them. A plan
//! says what each edit expects to find, so that a change made by someone else in the meantime is
//! seen and never overwritten. Making a plan writes nothing; `ken_store` applies plans, wholly or
//! not at all.

use crate::digest::Digest;
use crate::path::VaultPath;
use crate::redact::Cut;
use crate::time::Timestamp;

/// One change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Create the file (`expect` is `None`) or replace its bytes (`expect` is what stands there now).
    Write {
        /// The file.
        path: VaultPath,
        /// Digest of the bytes that must stand there, or `None` when there must be no file.
        expect: Option<Digest>,
        /// The new bytes.
        content: Vec<u8>,
    },
    /// Add bytes at the end; creates the file when there is none. The old bytes stay a prefix.
    Append {
        /// The file.
        path: VaultPath,
        /// What to write first when there is no file yet (a day's heading).
        preamble: Vec<u8>,
        /// The bytes to add.
        content: Vec<u8>,
    },
    /// Remove the file.
    Remove {
        /// The file.
        path: VaultPath,
        /// Digest of the bytes that must stand there.
        expect: Digest,
    },
    /// Cover parts of the file by marks and keep what was covered nowhere: it cannot be undone.
    Redact {
        /// The file.
        path: VaultPath,
        /// Digest of the bytes that must stand there.
        expect: Digest,
        /// What is covered, in order.
        cuts: Vec<Cut>,
    },
    /// Remove a file of the tool's own and keep its bytes nowhere: it cannot be undone.
    Erase {
        /// The file.
        path: VaultPath,
        /// Digest of the bytes that must stand there.
        expect: Digest,
    },
}

impl Edit {
    /// Returns the file that the edit changes.
    pub fn path(&self) -> &VaultPath {
        match self {
            Edit::Write { path, .. }
            | Edit::Append { path, .. }
            | Edit::Remove { path, .. }
            | Edit::Redact { path, .. }
            | Edit::Erase { path, .. } => path,
        }
    }
}

/// One thing the tool did, for people (`knowledge/log.md`) and for machines (`.kenning/ops/`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// When it was decided.
    pub at: Timestamp,
    /// The operation, as the command is named (`compile`, `capture`, `lint --fix`, `undo`).
    pub kind: String,
    /// What it was about, on one line.
    pub subject: String,
    /// Details for people, one line each, without a bullet.
    pub lines: Vec<String>,
    /// What it was made from, by digest.
    pub inputs: Vec<(VaultPath, Digest)>,
    /// Whether people see it in `knowledge/log.md`; the machine log has every operation.
    pub public: bool,
}

/// Edits plus the log entry that explains them; applied wholly or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The changes, at most one a file.
    pub edits: Vec<Edit>,
    /// Files that are not changed but must still have this digest when the plan is applied.
    pub guards: Vec<(VaultPath, Digest)>,
    /// Why.
    pub log: LogEntry,
}

impl Plan {
    /// Returns whether applying the plan would change nothing.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }
}

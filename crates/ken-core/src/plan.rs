//! Changes as values.
//!
//! Everything that changes a vault is a [`Plan`]: edits plus the log entry that explains them. An edit of a
//! file that exists is made from the [`Basis`] that was read, so that a change made by someone else in the
//! meantime is seen and never overwritten. Making a plan writes nothing; `ken_store` applies plans, wholly or
//! not at all.

use crate::digest::Digest;
use crate::path::VaultPath;
use crate::redact::Cut;
use crate::time::Timestamp;

/// What stood at a place when it was read; an edit of a file that exists is made from one, and from nothing
/// else.
///
/// The digest is that of the bytes that were read: there is no way to give another. Who has not read a file
/// cannot replace it, and who makes new text of what was read cannot expect anything else to stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    path: VaultPath,
    digest: Option<Digest>,
}

impl Basis {
    /// Returns what was read at `path`: its bytes, or that there was no file.
    pub fn of(path: &VaultPath, read: Option<&[u8]>) -> Basis {
        Basis { path: path.clone(), digest: read.map(Digest::of) }
    }

    /// Returns that there is to be no file.
    pub fn nothing(path: VaultPath) -> Basis {
        Basis { path, digest: None }
    }

    /// Returns the file.
    pub fn path(&self) -> &VaultPath {
        &self.path
    }

    /// Returns the digest of the bytes that were read, or none when there was no file.
    pub fn digest(&self) -> Option<Digest> {
        self.digest
    }

    /// Returns the edit that puts `content` in the place of what was read.
    pub fn replace(self, content: impl Into<Vec<u8>>) -> Edit {
        Edit::Write { basis: self, content: content.into() }
    }

    /// Returns the edit that removes what was read.
    pub fn remove(self) -> Edit {
        Edit::Remove { basis: self }
    }

    /// Returns the edit that covers parts of what was read.
    pub fn redact(self, cuts: Vec<Cut>) -> Edit {
        Edit::Redact { basis: self, cuts }
    }

    /// Returns the edit that removes what was read and keeps it nowhere.
    pub fn erase(self) -> Edit {
        Edit::Erase { basis: self }
    }

    /// Returns the edit that removes what was read and keeps neither it nor its name.
    pub fn forget(self) -> Edit {
        Edit::Forget { basis: self }
    }
}

/// One change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Create the file, when there was none, or replace the bytes that were read.
    Write {
        /// What the new bytes take the place of.
        basis: Basis,
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
        /// What is removed.
        basis: Basis,
    },
    /// Cover parts of the file by marks and keep what was covered nowhere: it cannot be undone.
    Redact {
        /// What the cuts were found in.
        basis: Basis,
        /// What is covered, in order.
        cuts: Vec<Cut>,
    },
    /// Remove a file of the tool's own and keep its bytes nowhere: it cannot be undone.
    Erase {
        /// What is removed.
        basis: Basis,
    },
    /// Remove the file and keep neither its bytes nor its name, in no record of the operation: it cannot be undone,
    /// and of the operation there is no undo record.
    Forget {
        /// What is removed.
        basis: Basis,
    },
}

impl Edit {
    /// Returns the file that the edit changes.
    pub fn path(&self) -> &VaultPath {
        match self {
            Edit::Append { path, .. } => path,
            Edit::Write { basis, .. }
            | Edit::Remove { basis }
            | Edit::Redact { basis, .. }
            | Edit::Erase { basis }
            | Edit::Forget { basis } => basis.path(),
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
    /// Drops the bytes that edits write, once they stand: who asks later asks which files were changed, and ten thousand
    /// pages take room. What is left tells paths alone, and is not to be applied: it would write empty files.
    pub fn drop_contents(&mut self) {
        for edit in &mut self.edits {
            if let Edit::Write { content, .. } = edit {
                *content = Vec::new();
            }
        }
    }

    /// Returns whether applying the plan would change nothing.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }
}

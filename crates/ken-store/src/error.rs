//! What can keep the store from doing its work.
//!
//! Messages name places relative to the vault. A [`StoreError::Io`] carries the system's error as its
//! source and always says which path it is about; a bare [`io::Error`] never leaves the crate.

use std::error::Error;
use std::{fmt, io};

use ken_core::VaultPath;

use crate::history::OpId;
use crate::lock::Owner;
use crate::seal::Origin;

/// Why an operation of the store was not done.
#[derive(Debug)]
pub enum StoreError {
    /// Another process is changing the vault.
    Locked {
        /// Who, when it could be read.
        owner: Option<Owner>,
    },
    /// The vault cannot be written to.
    ReadOnly {
        /// The first file that could not be written.
        path: VaultPath,
    },
    /// A file is not what the plan expects to find.
    Changed {
        /// The file.
        path: VaultPath,
    },
    /// The request breaks a rule of the store.
    Refused {
        /// The file.
        path: VaultPath,
        /// Which rule; continues "cannot change or read `path`: ".
        why: &'static str,
        /// What can be done instead, or an empty text.
        hint: &'static str,
    },
    /// A file of the store's own that is to be carried out was not left here by this user.
    Foreign {
        /// The file.
        path: VaultPath,
        /// Where it comes from.
        origin: Origin,
        /// Which rule of the store it would break, if it does.
        cause: Option<Box<StoreError>>,
    },
    /// There is nothing to undo, or no longer a record that would allow it.
    NoUndo {
        /// The operation, or `None` when there is none at all.
        id: Option<OpId>,
    },
    /// A file of the store's own does not read back.
    Corrupt {
        /// The file.
        path: VaultPath,
        /// What was found.
        why: String,
    },
    /// The system reported an error.
    Io {
        /// What was tried, continues "cannot " (`read`, `write`).
        action: &'static str,
        /// The place, relative to the vault.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// The plan is recorded and partly carried out; the next [`crate::Store::lock`] completes it.
    Interrupted {
        /// The operation.
        id: OpId,
        /// What stopped it.
        cause: Box<StoreError>,
    },
}

impl StoreError {
    /// Returns whether files may differ from what they were before.
    pub fn changed_something(&self) -> bool {
        matches!(self, StoreError::Interrupted { .. })
    }

    /// Returns whether nothing was done and doing the same again later may succeed.
    pub fn is_retryable(&self) -> bool {
        matches!(self, StoreError::Locked { .. } | StoreError::Changed { .. })
    }

    /// Returns a statement that helps, for a `hint:` line.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            StoreError::Refused { hint, .. } if !hint.is_empty() => Some(hint),
            StoreError::Changed { .. } => Some("nothing was changed; the same command reads the file afresh"),
            StoreError::Locked { .. } | StoreError::ReadOnly { .. } => Some("nothing was changed"),
            StoreError::Foreign { .. } => {
                Some("nothing was changed; `ken recover` shows what it would do, and accepts or discards it")
            }
            StoreError::Interrupted { .. } => {
                Some("it is recorded, and the next command completes it; do not give this one again")
            }
            StoreError::NoUndo { id: Some(_) } => Some(
                "undo records of the newest 50 operations are kept, those that held a secret or came before a `ken forget` are not",
            ),
            _ => None,
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Locked { owner: Some(owner) } => {
                write!(f, "the vault is being changed by another `ken` ({owner})")
            }
            StoreError::Locked { owner: None } => f.write_str("the vault is being changed by another `ken`"),
            StoreError::ReadOnly { path } => write!(f, "the vault is read-only: cannot write `{path}`"),
            StoreError::Changed { path } => write!(f, "`{path}` was changed by someone else in the meantime"),
            StoreError::Refused { path, why, .. } => write!(f, "cannot use `{path}`: {why}"),
            StoreError::Foreign { path, origin, .. } => match origin {
                Origin::Here => write!(f, "`{path}` records a change that cannot be carried out"),
                Origin::Elsewhere(place) => {
                    write!(f, "`{path}` was written when the vault was at `{place}`; it was moved or copied since")
                }
                Origin::Unknown => {
                    write!(f, "`{path}` was not written by this user's `ken`, so it is not carried out")
                }
            },
            StoreError::NoUndo { id: Some(id) } => write!(f, "operation {id} has no undo record"),
            StoreError::NoUndo { id: None } => f.write_str("there is no operation to undo"),
            StoreError::Corrupt { path, why } => write!(f, "`{path}` is damaged: {why}"),
            StoreError::Io { action, path, .. } => write!(f, "cannot {action} `{path}`"),
            StoreError::Interrupted { id, .. } => write!(f, "operation {id} is recorded and not completed yet"),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StoreError::Io { source, .. } => Some(source),
            StoreError::Interrupted { cause, .. } => Some(cause.as_ref()),
            StoreError::Foreign { cause: Some(cause), .. } => Some(cause.as_ref()),
            _ => None,
        }
    }
}

/// Adds what was tried and where to the system's errors.
pub(crate) trait At<T> {
    /// Returns the value, or an error that says `cannot {action} {path}`.
    fn at(self, action: &'static str, path: impl fmt::Display) -> Result<T, StoreError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, action: &'static str, path: impl fmt::Display) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::Io { action, path: path.to_string(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> VaultPath {
        VaultPath::new("knowledge/a.md").expect("a vault path")
    }

    #[test]
    fn messages_are_lower_case_name_the_place_and_have_no_stop() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let errors = [
            StoreError::Changed { path: path() },
            StoreError::Corrupt { path: path(), why: "line 3 is cut off".to_owned() },
            StoreError::Refused { path: path(), why: "it is a symbolic link", hint: "" },
            StoreError::Io { action: "write", path: path().to_string(), source: full },
            StoreError::ReadOnly { path: path() },
        ];
        for error in errors {
            let text = error.to_string();
            assert!(text.contains("`knowledge/a.md`") && !text.ends_with('.'), "{text}");
            assert!(!text.starts_with(char::is_uppercase), "{text}");
        }
    }
}

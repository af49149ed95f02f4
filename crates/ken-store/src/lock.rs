//! One writer at a time.
//!
//! The lock is an advisory lock on `.kenning/lock` that the kernel releases when its holder dies, so
//! there is no stale lock to clean up. The file's content names the holder, for messages only. Taking
//! the lock also completes whatever an earlier holder left half done. There is no queue: waiters ask
//! again after short, growing pauses.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ken_core::{Timestamp, VaultPath};
use serde::{Deserialize, Serialize};

use crate::error::{At, StoreError};
use crate::fs::Held;
use crate::recover::Recovered;
use crate::store::{Store, tool};

/// First and longest pause between two attempts: an apply takes a few milliseconds to a few dozen.
const PAUSE_MIN: Duration = Duration::from_millis(2);
const PAUSE_MAX: Duration = Duration::from_millis(25);

/// Longest operation name that is shown; the file could hold anything.
const NAME_CHARS_MAX: usize = 40;

/// The right to change a vault, for as long as this value lives.
pub struct LockGuard {
    pub(crate) root: PathBuf,
    recovered: Option<Recovered>,
    _held: Held,
}

impl LockGuard {
    /// Returns what had to be completed when the lock was taken, if anything.
    pub fn recovered(&self) -> Option<&Recovered> {
        self.recovered.as_ref()
    }
}

impl fmt::Debug for LockGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LockGuard").field("recovered", &self.recovered).finish_non_exhaustive()
    }
}

/// Who holds the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The process.
    pub pid: u32,
    /// The operation, as the command is named.
    pub operation: String,
    /// When the lock was taken.
    pub since: Option<Timestamp>,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pid {}, {}", self.pid, self.operation)?;
        match self.since {
            Some(since) => write!(f, ", since {}Z", since.strftime("%H:%M:%S")),
            None => Ok(()),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct OwnerLine {
    pid: u32,
    operation: String,
}

/// Returns what a lock's file says of its holder.
pub(crate) fn owner_line(operation: &str) -> Vec<u8> {
    let owner = OwnerLine { pid: std::process::id(), operation: operation.to_owned() };
    serde_json::to_vec(&owner).expect("plain fields always have a JSON form")
}

impl Store {
    /// Takes the exclusive right to change the vault, waiting for at most `wait`, and completes what an
    /// earlier holder left half done.
    ///
    /// # Errors
    /// `Locked` when someone else still has it, `ReadOnly` when the vault cannot be written to, `Foreign` when
    /// what was left is not known to be this user's, or
    /// whatever kept the store from completing a plan that was left half done.
    pub fn lock(&self, operation: &str, wait: Duration) -> Result<LockGuard, StoreError> {
        let mut guard = self.lock_as_it_is(operation, wait)?;
        guard.recovered = self.recover(&guard)?;
        self.remove_leftovers();
        Ok(guard)
    }

    /// Takes the exclusive right to change the vault and leaves what an earlier holder left half done, for
    /// whoever decides about it.
    ///
    /// # Errors
    /// `Locked` when someone else still has it, `ReadOnly` when the vault cannot be written to.
    pub fn lock_as_it_is(&self, operation: &str, wait: Duration) -> Result<LockGuard, StoreError> {
        let path = tool("lock");
        self.disk.refuse_links(&path)?;
        self.create_tool_folder().map_err(|error| read_only(error, &path))?;
        let owner = owner_line(operation);
        let place = self.disk.place(&path);
        let (start, mut pause) = (Instant::now(), PAUSE_MIN);
        let held = loop {
            let attempt = self.disk.fs.try_lock(&place, &owner).at("lock", &path);
            if let Some(held) = attempt.map_err(|error| read_only(error, &path))? {
                break held;
            }
            let left = wait.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(StoreError::Locked { owner: self.owner_of(&path) });
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(PAUSE_MAX);
        };
        Ok(LockGuard { root: self.disk.root.clone(), recovered: None, _held: held })
    }

    /// Returns who holds a lock, as far as its file tells.
    pub(crate) fn owner_of(&self, path: &VaultPath) -> Option<Owner> {
        let bytes = self.disk.read(path).ok()??;
        let line: OwnerLine = serde_json::from_slice(&bytes).ok()?;
        // The file was last written when the lock was taken; its time saves the store a clock.
        let since = self.disk.stat(path).ok().flatten().map(|meta| meta.mtime_ns);
        let since = since.and_then(|ns| Timestamp::from_nanosecond(i128::from(ns)).ok());
        let operation = line.operation.chars().filter(|ch| !ch.is_control()).take(NAME_CHARS_MAX).collect();
        Some(Owner { pid: line.pid, operation, since })
    }

    /// Creates `.kenning/` when it is missing; an intent makes it durable.
    fn create_tool_folder(&self) -> Result<(), StoreError> {
        let inside: VaultPath = tool("lock");
        let folder = inside.parent().expect("the lock lies in the tool's folder");
        if self.disk.stat(&folder)?.is_none() { self.disk.create_parents(&inside) } else { Ok(()) }
    }
}

/// Says "the vault is read-only" where that is what the system's error means.
fn read_only(error: StoreError, path: &VaultPath) -> StoreError {
    let denied =
        |source: &io::Error| matches!(source.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem);
    match error {
        StoreError::Io { source, .. } if denied(&source) => StoreError::ReadOnly { path: path.clone() },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_vault_says_who_holds_it_and_since_when() {
        let since = "2026-04-01T14:03:11Z".parse().expect("a time");
        let owner = Owner { pid: 4182, operation: "compile".to_owned(), since: Some(since) };
        assert_eq!(
            StoreError::Locked { owner: Some(owner) }.to_string(),
            "the vault is being changed by another `ken` (pid 4182, compile, since 14:03:11Z)"
        );
    }
}

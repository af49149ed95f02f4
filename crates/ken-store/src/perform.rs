//! Carrying out an intent, for the first time or again.
//!
//! Every step can be repeated: it looks at what stands there before it acts, so that the same code
//! serves the first attempt, recovery, and recovery of a recovery. What someone else wrote in the
//! meantime is never replaced or removed. The rules, by what stands at a path:
//!
//! - write: the new bytes: done. The old bytes or nothing: written. Anything else: that stays, the new
//!   bytes go beside it as `name.conflict-<operation>`, and the conflict is reported.
//! - remove: nothing: done. The old bytes: removed. Anything else: that stays, and it is reported.
//! - redact, erase: as write and remove, but nothing is never filled again.
//! - append: what follows the old length is a first part of the added bytes (or nothing): the rest is
//!   added. The added bytes are somewhere in it: done. Anything else: they are added at the end.
//!
//! Nothing is ever cut off. Names are made durable once a folder; the log and the operation log come
//! after everything that they speak of.

use std::collections::BTreeSet;

use ken_core::{Digest, VaultPath};

use crate::disk::{Disk, Standing};
use crate::error::{At, StoreError};
use crate::intent::{Change, Intent, Step, beside};

/// A file that someone else changed after the plan was decided; their bytes were left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The file.
    pub path: VaultPath,
    /// Where the plan's bytes are, or `None` when the plan was to remove the file.
    pub ours: Option<VaultPath>,
}

/// Carries out the steps of an intent.
pub(crate) struct Performer<'a> {
    disk: &'a Disk,
    intent: &'a Intent,
    /// Whether the new bytes are known to wait, durably, in their staged places.
    is_staged: bool,
    touched: BTreeSet<Option<VaultPath>>,
    conflicts: Vec<Conflict>,
}

impl<'a> Performer<'a> {
    pub(crate) fn new(disk: &'a Disk, intent: &'a Intent, is_staged: bool) -> Performer<'a> {
        Performer { disk, intent, is_staged, touched: BTreeSet::new(), conflicts: Vec::new() }
    }

    /// Carries out every step and makes it durable.
    pub(crate) fn run(mut self) -> Result<Vec<Conflict>, StoreError> {
        for internal in [false, true] {
            for (n, step) in self.intent.steps.iter().enumerate().filter(|(_, step)| step.internal == internal) {
                self.step(n, step)?;
            }
            for folder in std::mem::take(&mut self.touched) {
                self.disk.sync_folder(folder.as_ref())?;
            }
        }
        Ok(self.conflicts)
    }

    fn step(&mut self, n: usize, step: &Step) -> Result<(), StoreError> {
        if let Some(parent) = step.path.parent() {
            self.disk.refuse_links(&parent)?;
        }
        match &step.change {
            Change::Write { before, after } => self.write(n, before.as_deref(), after)?,
            Change::Append { old_len, added, .. } => self.append(&step.path, *old_len, added)?,
            Change::Remove { before } => self.remove(&step.path, Digest::of(before))?,
            Change::Redact { before, after } => self.redact(n, *before, after)?,
            Change::Erase { before } => self.remove(&step.path, *before)?,
        }
        self.touch(step);
        Ok(())
    }

    /// Notes which folders' names may have changed.
    fn touch(&mut self, step: &Step) {
        let parent = step.path.parent();
        if step.creates() {
            // Folders on the way may be new, or made by an attempt that never got to sync them.
            let mut above = parent.clone();
            while let Some(folder) = above {
                above = folder.parent();
                self.touched.insert(above.clone());
            }
        }
        self.touched.insert(parent);
    }

    fn write(&mut self, n: usize, before: Option<&[u8]>, after: &[u8]) -> Result<(), StoreError> {
        let path = &self.intent.steps[n].path;
        let staged = self.intent.staged(n);
        let target = match self.disk.standing(path)? {
            Standing::File(now) if now == after => None,
            Standing::Nothing => Some(path.clone()),
            Standing::File(now) if before == Some(&now) => Some(path.clone()),
            Standing::File(_) | Standing::Other => {
                let ours = beside(path, &format!("{}.conflict-{}", path.file_name(), self.intent.id));
                self.conflicts.push(Conflict { path: path.clone(), ours: Some(ours.clone()) });
                Some(ours)
            }
        };
        let Some(target) = target else { return self.disk.remove(&staged) };
        if !self.is_staged {
            self.disk.create_parents(&staged)?;
            self.disk.write_synced(&staged, after, Some(path))?;
        }
        self.disk.rename(&staged, &target)
    }

    fn append(&self, path: &VaultPath, old_len: u64, added: &[u8]) -> Result<(), StoreError> {
        self.disk.refuse_links(path)?;
        self.disk.create_parents(path)?;
        let place = self.disk.place(path);
        let tail = self.disk.read_from(path, old_len)?;
        let rest = match added.strip_prefix(tail.as_slice()) {
            Some(rest) => rest,
            None if contains(&tail, added) => &[],
            None => added,
        };
        if !rest.is_empty() {
            self.disk.fs.append(&place, rest).at("write", path)?;
        }
        // Also when nothing was left to add: an earlier attempt may have died before this line.
        self.disk.fs.sync_file(&place).at("sync", path)
    }

    /// The new bytes take the place of the old ones and of nothing else; a file that is gone stays gone.
    fn redact(&mut self, n: usize, before: Digest, after: &[u8]) -> Result<(), StoreError> {
        match self.disk.standing(&self.intent.steps[n].path)? {
            Standing::Nothing => self.disk.remove(&self.intent.staged(n)),
            Standing::File(now) if Digest::of(&now) == before => self.write(n, Some(&now), after),
            Standing::File(_) | Standing::Other => self.write(n, None, after),
        }
    }

    fn remove(&mut self, path: &VaultPath, before: Digest) -> Result<(), StoreError> {
        match self.disk.standing(path)? {
            Standing::Nothing => Ok(()),
            Standing::File(now) if Digest::of(&now) == before => self.disk.remove(path),
            Standing::File(_) | Standing::Other => {
                self.conflicts.push(Conflict { path: path.clone(), ours: None });
                Ok(())
            }
        }
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

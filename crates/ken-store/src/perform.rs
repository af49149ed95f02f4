//! Carrying out an intent, for the first time or again.
//!
//! Every step can be repeated: it looks at what stands there before it acts, so that the same code
//! serves the first attempt, recovery, and recovery of a recovery. What someone else wrote in the
//! meantime is never replaced or removed. The rules, by what stands at a path:
//!
//! - write: the new bytes: done. The old bytes or nothing: written. Anything else: that stays, the new
//!   bytes go beside it as `name.conflict-<operation>`, and the conflict is reported. Old and new change
//!   places in one step where the system can, so that a save between looking and writing is seen too.
//! - remove: nothing: done. The old bytes: removed. Anything else: that stays, and it is reported.
//! - redact, erase, forget: as write and remove, but nothing is never filled again.
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

/// How often somebody may save a file while the new bytes are put in its place.
const SAVES_MAX: usize = 8;

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
    intent: &'a Intent<'a>,
    /// Whether the new bytes are known to wait, durably, in their staged places.
    is_staged: bool,
    touched: BTreeSet<Option<VaultPath>>,
    conflicts: Vec<Conflict>,
}

impl<'a> Performer<'a> {
    pub(crate) fn new(disk: &'a Disk, intent: &'a Intent<'a>, is_staged: bool) -> Performer<'a> {
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

    fn step(&mut self, n: usize, step: &Step<'_>) -> Result<(), StoreError> {
        if let Some(parent) = step.path.parent() {
            self.disk.refuse_links(&parent)?;
        }
        match &step.change {
            Change::Write { before, after } => self.write(n, &|bytes| before.as_deref() == Some(bytes), after)?,
            Change::Append { old_len, added, .. } => self.append(&step.path, *old_len, added)?,
            Change::Remove { before } => self.remove(n, Digest::of(before))?,
            Change::Redact { before, after } => self.redact(n, *before, after)?,
            Change::Erase { before } | Change::Forget { before } => self.remove(n, *before)?,
        }
        self.touch(step);
        Ok(())
    }

    /// Notes which folders' names may have changed.
    fn touch(&mut self, step: &Step<'_>) {
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

    /// Puts the new bytes where the old ones stand. The two change places, so that what was displaced can be
    /// looked at: whatever somebody saved up to the last moment is never gone.
    fn write(&mut self, n: usize, is_old: &dyn Fn(&[u8]) -> bool, after: &[u8]) -> Result<(), StoreError> {
        let (path, staged) = (self.intent.steps[n].path.clone(), self.intent.staged(n));
        for _ in 0..SAVES_MAX {
            let waiting = self.disk.read(&staged)?;
            match self.disk.standing(&path)? {
                Standing::File(now) if now == after => {
                    // An attempt that was cut off may have left a first part of the new bytes.
                    let is_cut = |bytes: &[u8]| !self.is_staged && after.starts_with(bytes);
                    if waiting.as_deref().is_none_or(|bytes| bytes == after || is_old(bytes) || is_cut(bytes)) {
                        return self.disk.remove(&staged);
                    }
                    // What waits was displaced by the new bytes and is somebody's: it goes back.
                    if self.disk.exchange(&staged, &path)?.is_none() {
                        self.disk.rename_new(&staged, &path)?;
                    }
                    if self.disk.read(&staged)?.is_some_and(|bytes| bytes != after) {
                        // They saved once more in between, and the later one stands.
                        self.disk.exchange(&staged, &path)?;
                    }
                    return self.stand_aside(&path, &staged, after);
                }
                Standing::Nothing => {
                    self.stage(&path, &staged, waiting.as_deref(), after)?;
                    if self.disk.rename_new(&staged, &path)? {
                        return Ok(());
                    }
                }
                Standing::File(now) if is_old(&now) => {
                    self.stage(&path, &staged, waiting.as_deref(), after)?;
                    match self.disk.exchange(&staged, &path)? {
                        Some(true) | None => {}
                        Some(false) => return self.disk.rename(&staged, &path),
                    }
                }
                Standing::File(_) | Standing::Other => return self.stand_aside(&path, &staged, after),
            }
        }
        self.stand_aside(&path, &staged, after)
    }

    /// Sees to it that the new bytes wait in their staged place.
    fn stage(
        &self,
        path: &VaultPath,
        staged: &VaultPath,
        waiting: Option<&[u8]>,
        after: &[u8],
    ) -> Result<(), StoreError> {
        if self.is_staged && waiting == Some(after) {
            return Ok(());
        }
        self.disk.create_parents(staged)?;
        self.disk.write_synced(staged, after, Some(path))
    }

    /// Leaves what somebody wrote where it is and puts the new bytes beside it.
    fn stand_aside(&mut self, path: &VaultPath, staged: &VaultPath, after: &[u8]) -> Result<(), StoreError> {
        let ours = beside(path, &format!("{}.conflict-{}", path.file_name(), self.intent.id));
        self.stage(path, staged, self.disk.read(staged)?.as_deref(), after)?;
        self.disk.rename(staged, &ours)?;
        self.conflicts.push(Conflict { path: path.clone(), ours: Some(ours) });
        Ok(())
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
        // Somebody who saves the file at this moment replaces it, and the bytes just added with it.
        if !self.ends_with(path, added)? && !contains(&self.disk.read_from(path, 0)?, added) {
            self.disk.fs.append(&place, added).at("write", path)?;
        }
        // Also when nothing was left to add: an earlier attempt may have died before this line.
        self.disk.fs.sync_file(&place).at("sync", path)
    }

    fn ends_with(&self, path: &VaultPath, added: &[u8]) -> Result<bool, StoreError> {
        let len = self.disk.stat(path)?.map_or(0, |meta| meta.len);
        let end = self.disk.read_from(path, len.saturating_sub(added.len() as u64))?;
        Ok(end.ends_with(added))
    }

    /// The new bytes take the place of the old ones and of nothing else; a file that is gone stays gone.
    fn redact(&mut self, n: usize, before: Digest, after: &[u8]) -> Result<(), StoreError> {
        match self.disk.standing(&self.intent.steps[n].path)? {
            Standing::Nothing => self.disk.remove(&self.intent.staged(n)),
            Standing::File(_) | Standing::Other => self.write(n, &|bytes| Digest::of(bytes) == before, after),
        }
    }

    /// Moves the file aside before it looks at it for the last time: what somebody saved goes back.
    fn remove(&mut self, n: usize, before: Digest) -> Result<(), StoreError> {
        let (path, aside) = (self.intent.steps[n].path.clone(), self.intent.staged(n));
        let is_old = |bytes: &[u8]| Digest::of(bytes) == before;
        match self.disk.standing(&path)? {
            Standing::File(now) if is_old(&now) => self.disk.rename(&path, &aside)?,
            Standing::Nothing => {}
            Standing::File(_) | Standing::Other => {
                self.conflicts.push(Conflict { path: path.clone(), ours: None });
            }
        }
        if self.disk.read(&aside)?.is_some_and(|bytes| !is_old(&bytes)) {
            // Where they have saved once more in between, the later one stands.
            self.disk.rename_new(&aside, &path)?;
            self.conflicts.push(Conflict { path, ours: None });
        }
        self.disk.remove(&aside)
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

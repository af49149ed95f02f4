//! Completing what a crash left half done.
//!
//! An intent under its final name is decided: it is carried out again, whatever part of it was done
//! before. One under its temporary name is not: the places it reserved are cleaned and it is dropped.
//! Recovery may itself die at any point and start over.

use ken_core::VaultPath;

use crate::error::StoreError;
use crate::history::OpId;
use crate::intent::Intent;
use crate::lock::LockGuard;
use crate::perform::{Conflict, Performer};
use crate::store::{Store, tool};
use crate::undo;

/// What recovery found and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The operation that was decided but not finished, and is finished now.
    pub completed: Option<OpId>,
    /// Whether the remains of an operation that was never decided were removed.
    pub discarded: bool,
    /// Where a record that does not read back was put; the operation it was for may be half done.
    pub damaged: Option<VaultPath>,
    /// Files that someone changed between the crash and now; their bytes were left alone.
    pub conflicts: Vec<Conflict>,
}

impl Store {
    /// Completes or drops what an earlier holder of the lock left half done. [`Store::lock`] has already
    /// called it; after a failed apply it may be called again under the same lock.
    ///
    /// # Errors
    /// When the files cannot be brought to their final state; it can be tried again.
    ///
    /// # Panics
    /// When the lock belongs to another vault.
    pub fn recover(&self, guard: &LockGuard) -> Result<Option<Recovered>, StoreError> {
        assert!(guard.root == self.disk.root, "the lock belongs to another vault");
        let (decided, undecided) = (tool("intent"), tool("intent.tmp"));
        let mut recovered = Recovered::default();
        if let Some(record) = self.disk.read(&decided)? {
            match Intent::decode(&record) {
                Some(intent) => {
                    // Its name may be known to this machine only; once steps are done, it must stay.
                    self.disk.sync_folder(decided.parent().as_ref())?;
                    recovered.conflicts = Performer::new(&self.disk, &intent, false).run()?;
                    self.finish(intent.id)?;
                    recovered.completed = Some(intent.id);
                }
                None => {
                    let aside = tool("intent.damaged");
                    self.disk.rename(&decided, &aside)?;
                    self.disk.sync_folder(decided.parent().as_ref())?;
                    recovered.damaged = Some(aside);
                }
            }
        }
        if let Some(record) = self.disk.read(&undecided)? {
            if let Some(intent) = Intent::decode(&record) {
                self.unstage(&intent)?;
            }
            self.disk.remove(&undecided)?;
            recovered.discarded = true;
        }
        Ok((recovered != Recovered::default()).then_some(recovered))
    }

    /// Removes the new bytes that wait for an intent that is not carried out.
    pub(crate) fn unstage(&self, intent: &Intent) -> Result<(), StoreError> {
        for (n, step) in intent.steps.iter().enumerate() {
            let staged = intent.staged(n);
            if step.staged_bytes().is_some() && self.disk.refuse_links(&staged).is_ok() {
                self.disk.remove(&staged)?;
            }
        }
        Ok(())
    }

    /// Turns a carried-out intent into an undo record.
    pub(crate) fn finish(&self, id: OpId) -> Result<(), StoreError> {
        let (intent, record) = (tool("intent"), undo::record_of(id));
        self.disk.refuse_links(&record)?;
        self.disk.create_parents(&record)?;
        self.disk.rename(&intent, &record)?;
        // The new name first: between the two the record has both, and never neither.
        self.disk.sync_folder(record.parent().as_ref())?;
        self.disk.sync_folder(intent.parent().as_ref())?;
        self.prune_undo();
        Ok(())
    }
}

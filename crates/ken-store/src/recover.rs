//! Completing what a crash left half done.
//!
//! An intent under its final name is decided: it is carried out again, whatever part of it was done
//! before. One under its temporary name is not: the places it reserved are cleaned and it is dropped.
//! Recovery may itself die at any point and start over.
//!
//! Only an intent that this user's `ken` left in the vault at this place is carried out by itself, and only if
//! every step passes the checks that a plan passes. Any other waits for a person: [`Store::left`] shows it,
//! [`Store::adopt_left`] makes it ours and [`Store::discard_left`] sets it aside.

use ken_core::VaultPath;

use crate::error::StoreError;
use crate::history::OpId;
use crate::intent::{Change, Intent, Step};
use crate::lock::LockGuard;
use crate::perform::{Conflict, Performer};
use crate::seal::Origin;
use crate::store::{Store, tool};
use crate::undo;

/// An unfinished change that is not carried out by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The operation, as the record has it.
    pub id: OpId,
    /// Where the record comes from.
    pub origin: Origin,
    /// What it would do: a word (`create`, `replace`, `append`, `remove`, `redact`, `erase`, `forget`) and a file.
    pub steps: Vec<(&'static str, VaultPath)>,
    /// Why it can never be carried out, if a step breaks a rule of the store.
    pub refused: Option<String>,
}

fn word_for(step: &Step<'_>) -> &'static str {
    match &step.change {
        Change::Write { before: None, .. } => "create",
        Change::Write { before: Some(_), .. } => "replace",
        Change::Append { .. } => "append",
        Change::Remove { .. } => "remove",
        Change::Redact { .. } => "redact",
        Change::Erase { .. } => "erase",
        Change::Forget { .. } => "forget",
    }
}

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
            match Intent::decode(&record, &self.disk, &self.seals) {
                Some((intent, origin)) => {
                    let cause = self.check_steps(&intent.steps).err().map(Box::new);
                    if origin != Origin::Here || cause.is_some() {
                        return Err(StoreError::Foreign { path: decided, origin, cause });
                    }
                    recovered.conflicts = self.complete(&intent)?;
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
            // Nobody else's record says which files are ours to remove.
            if let Some((intent, Origin::Here | Origin::Elsewhere(_))) =
                Intent::decode(&record, &self.disk, &self.seals)
            {
                self.unstage(&intent)?;
            }
            self.disk.remove(&undecided)?;
            recovered.discarded = true;
        }
        Ok((recovered != Recovered::default()).then_some(recovered))
    }

    /// Returns the unfinished change that waits for a person's decision, if there is one.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn left(&self) -> Result<Option<Left>, StoreError> {
        let Some(record) = self.disk.read(&tool("intent"))? else { return Ok(None) };
        let Some((intent, origin)) = Intent::decode(&record, &self.disk, &self.seals) else { return Ok(None) };
        let refused = self.check_steps(&intent.steps).err().map(|error| error.to_string());
        if origin == Origin::Here && refused.is_none() {
            return Ok(None);
        }
        let steps = intent.steps.iter().map(|step| (word_for(step), step.path.clone())).collect();
        Ok(Some(Left { id: intent.id, origin, steps, refused }))
    }

    /// Makes the unfinished change one of this user's at this place and carries it out.
    ///
    /// # Errors
    /// `Refused` when a step breaks a rule of the store: nothing was changed then. After any other it can be tried
    /// again, and with a key the next command that takes the lock does.
    pub fn adopt_left(&self, guard: &LockGuard) -> Result<Option<Recovered>, StoreError> {
        let decided = tool("intent");
        let Some(record) = self.disk.read(&decided)? else { return Ok(None) };
        let Some((intent, _)) = Intent::decode(&record, &self.disk, &self.seals) else { return self.recover(guard) };
        self.check_steps(&intent.steps)?;
        self.reseal(&decided, &intent)?;
        let conflicts = self.complete(&intent)?;
        Ok(Some(Recovered { completed: Some(intent.id), conflicts, ..Recovered::default() }))
    }

    /// Carries out a decided intent, whatever part of it was done before.
    fn complete(&self, intent: &Intent<'_>) -> Result<Vec<Conflict>, StoreError> {
        // Its name may be known to this machine only; once steps are done, it must stay.
        self.disk.sync_folder(tool("intent").parent().as_ref())?;
        let conflicts = Performer::new(&self.disk, intent, false).run()?;
        self.finish(intent)?;
        Ok(conflicts)
    }

    /// Sets the unfinished change aside, where nothing carries it out; returns where it is now.
    ///
    /// # Errors
    /// When it cannot be moved.
    pub fn discard_left(&self, _: &LockGuard) -> Result<Option<VaultPath>, StoreError> {
        let decided = tool("intent");
        if self.disk.stat(&decided)?.is_none() {
            return Ok(None);
        }
        let numbered = (1..).map(|n| tool(&format!("intent.discarded-{n}")));
        let mut free = numbered.filter(|path| matches!(self.disk.stat(path), Ok(None) | Err(_)));
        let aside = free.next().expect("there are more numbers than files");
        self.disk.rename(&decided, &aside)?;
        self.disk.sync_folder(decided.parent().as_ref())?;
        Ok(Some(aside))
    }

    /// Replaces a record by the same one with the seal of this user and place, in one step.
    pub(crate) fn reseal(&self, path: &VaultPath, intent: &Intent<'_>) -> Result<(), StoreError> {
        let staged = path.parent().and_then(|folder| folder.join(&format!(".ken-{}-seal", intent.id)));
        let staged = staged.expect("a record lies in a folder of the tool");
        self.disk.refuse_links(&staged)?;
        self.disk.write_parts_synced(&staged, &intent.encode(&self.disk, &self.seals), Some(path))?;
        self.disk.rename(&staged, path)?;
        self.disk.sync_folder(path.parent().as_ref())
    }

    /// Removes the new bytes that wait for an intent that is not carried out.
    pub(crate) fn unstage(&self, intent: &Intent<'_>) -> Result<(), StoreError> {
        for (n, step) in intent.steps.iter().enumerate() {
            let staged = intent.staged(n);
            if step.staged_bytes().is_some() && self.disk.refuse_links(&staged).is_ok() {
                self.disk.remove(&staged)?;
            }
        }
        Ok(())
    }

    /// Turns a carried-out intent into an undo record; one that names what was forgotten goes.
    pub(crate) fn finish(&self, done: &Intent<'_>) -> Result<(), StoreError> {
        let (intent, record) = (tool("intent"), undo::record_of(done.id));
        if done.is_forgetting() {
            self.disk.remove(&intent)?;
            return self.disk.sync_folder(intent.parent().as_ref());
        }
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

//! Taking operations back.
//!
//! A carried-out intent is kept as `.kenning/undo/<operation>`; it has the bytes from before. Undoing
//! makes a plan from it and changes nothing itself: applied like any other, the plan expects every
//! file to be as the operation left it, is recorded, and can be undone in turn. The log and the
//! operation log only grow, and so does the journal: what was added there is not taken back. A redaction has
//! kept no bytes from before and is not taken back either.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::{Basis, Digest, Edit, LogEntry, Plan, Timestamp, VaultPath};

use crate::disk::Standing;
use crate::error::StoreError;
use crate::history::{History, OpId, Operation};
use crate::intent::{Change, Intent, Step};
use crate::listing::{self, FileStat};
use crate::lock::LockGuard;
use crate::seal::Origin;
use crate::store::{Store, tool};

/// How many commands can be undone, and how much their records may take up together.
const RECORDS_MAX: usize = 50;
const RECORD_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Returns the place of an operation's undo record.
pub(crate) fn record_of(id: OpId) -> VaultPath {
    tool(&format!("undo/{id}"))
}

/// What takes operations back, or does them again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Back {
    /// The changes, all of them or none.
    pub plan: Plan,
    /// The operations that are taken back.
    pub undoes: Vec<OpId>,
    /// The operations that are done again.
    pub redoes: Vec<OpId>,
}

/// Files on the way back: as they stand, and as they are so far.
type Files = BTreeMap<VaultPath, (Option<Vec<u8>>, Option<Vec<u8>>)>;

impl Store {
    /// Returns the plan that takes an operation back, the latest when `id` is `None`.
    ///
    /// # Errors
    /// As [`Store::plan_back`].
    pub fn plan_undo(&self, id: Option<OpId>, now: Timestamp) -> Result<Plan, StoreError> {
        let operation = match id {
            Some(id) => self.operation(id)?.ok_or(StoreError::NoUndo { id: Some(id) })?,
            None => self.history(1)?.operations.pop().ok_or(StoreError::NoUndo { id: None })?,
        };
        Ok(self.plan_back(&[&operation], now)?.plan)
    }

    /// Returns what takes operations back, the newest first, as one plan. To take back what took others back
    /// is to do those again.
    ///
    /// # Errors
    /// `NoUndo` when there is no longer a record of one, `Changed` when a file is no longer as they left it,
    /// `Refused` when one added to the journal.
    pub fn plan_back(&self, operations: &[&Operation], now: Timestamp) -> Result<Back, StoreError> {
        let mut files = Files::new();
        for operation in operations {
            let record = self.undo_record(operation.id)?.ok_or(StoreError::NoUndo { id: Some(operation.id) })?;
            let is_covered = |step: &&Step<'_>| matches!(step.change, Change::Redact { .. });
            let covered = record.steps.iter().find(is_covered).or(record.steps.iter().find(|step| step.is_final()));
            if let Some(step) = covered {
                let why = "it was redacted, and what was redacted is kept nowhere";
                return Err(StoreError::Refused { path: step.path.clone(), why, hint: "nothing was changed" });
            }
            for step in record.steps.iter().filter(|step| !step.internal).rev() {
                self.step_back(step, &mut files)?;
            }
        }
        let edits: Vec<Edit> =
            files.into_iter().filter_map(|(path, (stands, then))| edit(path, stands, then)).collect();
        let is_redo = operations.iter().all(|operation| !operation.undoes.is_empty());
        let ids: Vec<OpId> = operations.iter().map(|operation| operation.id).collect();
        let again = operations.iter().flat_map(|operation| operation.undoes.clone()).collect();
        let back = operations.iter().flat_map(|operation| operation.redoes.clone()).chain(ids).collect();
        let log = log_entry(operations, &edits, (is_redo, now));
        let plan = Plan { edits, guards: Vec::new(), log };
        Ok(if is_redo {
            Back { plan, undoes: Vec::new(), redoes: again }
        } else {
            Back { plan, undoes: back, redoes: Vec::new() }
        })
    }

    /// Returns what an operation did with all bytes, or `None` when that is no longer kept.
    ///
    /// # Errors
    /// `Foreign` when the record was not left here by this user, `Corrupt` when it does not read.
    pub(crate) fn undo_record(&self, id: OpId) -> Result<Option<Intent<'static>>, StoreError> {
        let path = record_of(id);
        let Some(bytes) = self.disk.read(&path)? else { return Ok(None) };
        match Intent::decode(&bytes, &self.disk, &self.seals).filter(|(intent, _)| intent.id == id) {
            Some((intent, Origin::Here)) => Ok(Some(intent)),
            Some((_, origin)) => Err(StoreError::Foreign { path, origin, cause: None }),
            None => Err(StoreError::Corrupt { path, why: "it does not match its digest".to_owned() }),
        }
    }

    /// Returns what an operation did, if this user's record of it is kept; another's tells nothing.
    pub(crate) fn own_undo_record(&self, id: OpId) -> Result<Option<Intent<'static>>, StoreError> {
        match self.undo_record(id) {
            Err(StoreError::Foreign { .. }) => Ok(None),
            other => other,
        }
    }

    /// Returns the undo records that are not known to be this user's at this place, and whether each could be.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn foreign_undo(&self) -> Result<Vec<(VaultPath, Origin)>, StoreError> {
        let mut foreign = Vec::new();
        for file in listing::list(&self.disk, Some(&tool("undo")))?.files {
            let Some(bytes) = self.disk.read(&file.path)? else { continue };
            match Intent::decode(&bytes, &self.disk, &self.seals) {
                Some((_, Origin::Here)) => {}
                Some((_, origin)) => foreign.push((file.path, origin)),
                None => foreign.push((file.path, Origin::Unknown)),
            }
        }
        Ok(foreign)
    }

    /// Makes every undo record one of this user's at this place, if its steps keep the rules of the store;
    /// returns how many were.
    ///
    /// # Errors
    /// When a record cannot be written.
    pub fn adopt_undo(&self, _: &LockGuard) -> Result<usize, StoreError> {
        let mut n_adopted = 0;
        for (path, _) in self.foreign_undo()? {
            let record = self.disk.read(&path)?.unwrap_or_default();
            if let Some((intent, _)) = Intent::decode(&record, &self.disk, &self.seals)
                && record_of(intent.id) == path
                && self.check_steps(&intent.steps).is_ok()
            {
                self.reseal(&path, &intent)?;
                n_adopted += 1;
            }
        }
        Ok(n_adopted)
    }

    /// Removes every undo record that is not known to be this user's at this place; returns how many.
    ///
    /// # Errors
    /// When a record cannot be removed.
    pub fn discard_undo(&self, _: &LockGuard) -> Result<usize, StoreError> {
        let foreign = self.foreign_undo()?;
        foreign.iter().try_for_each(|(path, _)| self.disk.remove(path))?;
        Ok(foreign.len())
    }

    /// Takes one step back, from the files as later steps were taken back.
    fn step_back(&self, step: &Step<'_>, files: &mut Files) -> Result<(), StoreError> {
        let path = step.path.clone();
        let is_append = matches!(step.change, Change::Append { .. });
        if is_append && self.layout.only_grows(&path) {
            let why = "journal and talk only grow; what was added to them is not taken back";
            let hint = "nothing was changed; correct the journal by adding an entry";
            return Err(StoreError::Refused { path, why, hint });
        }
        if !files.contains_key(&path) {
            let stands = match self.disk.standing(&path)? {
                Standing::File(bytes) => Some(bytes),
                Standing::Nothing => None,
                Standing::Other => return Err(StoreError::Changed { path }),
            };
            files.insert(path.clone(), (stands.clone(), stands));
        }
        let (_, now) = files.get_mut(&path).expect("it was just put there");
        if now.as_deref().map(Digest::of) != step.after() {
            return Err(StoreError::Changed { path });
        }
        let bytes = now.take();
        *now = match (&step.change, bytes) {
            (Change::Write { before: Some(before), .. } | Change::Remove { before }, _) => Some(before.clone()),
            (Change::Append { existed: true, old_len, .. }, Some(mut bytes)) => {
                bytes.truncate(usize::try_from(*old_len).unwrap_or(usize::MAX));
                Some(bytes)
            }
            (Change::Write { before: None, .. } | Change::Append { existed: false, .. }, Some(_)) => None,
            _ => return Err(StoreError::Changed { path }),
        };
        Ok(())
    }

    /// Removes the oldest undo records beyond the limits, always keeping the newest. A record that cannot
    /// be removed costs only space, so that is no reason to call the operation undone.
    pub(crate) fn prune_undo(&self) {
        let Ok(listing) = listing::list(&self.disk, Some(&tool("undo"))) else { return };
        let number = |file: &FileStat| OpId::parse(file.path.file_name());
        let mut records: Vec<_> = listing.files.iter().filter_map(|file| Some((number(file)?, file))).collect();
        records.sort();
        // What one command did counts once, however many plans it had: it is taken back as one.
        let history = if records.len() > RECORDS_MAX {
            self.history(records.len() + 1).unwrap_or_default()
        } else {
            History::default()
        };
        let runs: BTreeMap<OpId, OpId> =
            history.operations.iter().map(|operation| (operation.id, operation.run_id())).collect();
        let (mut n_bytes, mut seen) = (0, BTreeSet::new());
        for (nth, (id, file)) in records.into_iter().rev().enumerate() {
            n_bytes += file.len;
            seen.insert(runs.get(&id).copied().unwrap_or(id));
            if nth > 0 && (seen.len() > RECORDS_MAX || n_bytes > RECORD_BYTES_MAX) {
                let _ = self.disk.remove(&file.path);
            }
        }
    }
}

/// Returns the edit that makes of a file what it was.
fn edit(path: VaultPath, stands: Option<Vec<u8>>, then: Option<Vec<u8>>) -> Option<Edit> {
    let basis = Basis::of(&path, stands.as_deref());
    match (stands, then) {
        (stands, then) if stands == then => None,
        (_, Some(content)) => Some(basis.replace(content)),
        (Some(_), None) => Some(basis.remove()),
        (None, None) => None,
    }
}

fn log_entry(operations: &[&Operation], edits: &[Edit], (is_redo, now): (bool, Timestamp)) -> LogEntry {
    let line = |edit: &Edit| match edit {
        Edit::Remove { basis } => format!("removed {}", basis.path()),
        other => format!("restored {}", other.path()),
    };
    // What does a thing again is about that thing, not about the undo of it.
    let subject = match operations {
        [undo] if is_redo => undo.subject.clone(),
        _ => described(operations),
    };
    LogEntry {
        at: now,
        kind: if is_redo { "redo" } else { "undo" }.to_owned(),
        subject,
        lines: edits.iter().map(line).collect(),
        inputs: Vec::new(),
        public: true,
    }
}

/// Returns what operations of one run, newest first, are called: `000002 (compile daily/2026-05-11.md)`.
fn described(operations: &[&Operation]) -> String {
    let [newest, ..] = operations else { return String::new() };
    let oldest = operations.last().unwrap_or(newest);
    let what = format!("{} {}", oldest.kind, oldest.subject);
    match operations.len() {
        1 => format!("{} ({})", newest.id, what.trim()),
        n => format!("{}-{} ({} and {} more)", oldest.id, newest.id, what.trim(), n - 1),
    }
}

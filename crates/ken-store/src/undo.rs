//! Taking operations back.
//!
//! A carried-out intent is kept as `.kenning/undo/<operation>`; it has the bytes from before. Undoing
//! makes a plan from it and changes nothing itself: applied like any other, the plan expects every
//! file to be as the operation left it, is recorded, and can be undone in turn. The log and the
//! operation log only grow, and so does the journal: what was added there is not taken back. A redaction has
//! kept no bytes from before and is not taken back either.

use ken_core::{Basis, Edit, LogEntry, Plan, Timestamp, VaultPath};

use crate::disk::Standing;
use crate::error::StoreError;
use crate::history::{OpId, Operation};
use crate::intent::{Change, Intent, Step};
use crate::listing::{self, FileStat};
use crate::store::{Store, tool};

/// How many operations can be undone, and how much their records may take up together.
const RECORDS_MAX: usize = 50;
const RECORD_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Returns the place of an operation's undo record.
pub(crate) fn record_of(id: OpId) -> VaultPath {
    tool(&format!("undo/{id}"))
}

impl Store {
    /// Returns the plan that takes an operation back, the latest when `id` is `None`.
    ///
    /// # Errors
    /// `NoUndo` when there is no such operation or no longer a record of it, `Changed` when a file is no
    /// longer as the operation left it, `Refused` when it added to the journal.
    pub fn plan_undo(&self, id: Option<OpId>, now: Timestamp) -> Result<Plan, StoreError> {
        let operation = match id {
            Some(id) => self.operation(id)?.ok_or(StoreError::NoUndo { id: Some(id) })?,
            None => self.history(1)?.operations.pop().ok_or(StoreError::NoUndo { id: None })?,
        };
        let record = self.undo_record(operation.id)?.ok_or(StoreError::NoUndo { id: Some(operation.id) })?;
        let is_covered = |step: &&Step| matches!(step.change, Change::Redact { .. });
        let covered = record.steps.iter().find(is_covered).or(record.steps.iter().find(|step| step.is_final()));
        if let Some(step) = covered {
            let why = "it was redacted, and what was redacted is kept nowhere";
            return Err(StoreError::Refused { path: step.path.clone(), why, hint: "nothing was changed" });
        }
        let steps = record.steps.iter().filter(|step| !step.internal);
        let edits = steps.map(|step| self.edit_back(step)).collect::<Result<Vec<Edit>, StoreError>>()?;
        let log = log_entry(&operation, &edits, now);
        Ok(Plan { edits, guards: Vec::new(), log })
    }

    /// Returns what an operation did with all bytes, or `None` when that is no longer kept.
    pub(crate) fn undo_record(&self, id: OpId) -> Result<Option<Intent>, StoreError> {
        let path = record_of(id);
        let Some(bytes) = self.disk.read(&path)? else { return Ok(None) };
        match Intent::decode(&bytes).filter(|intent| intent.id == id) {
            Some(intent) => Ok(Some(intent)),
            None => Err(StoreError::Corrupt { path, why: "it does not match its digest".to_owned() }),
        }
    }

    /// Returns the edit that takes one step back.
    fn edit_back(&self, step: &Step) -> Result<Edit, StoreError> {
        let path = step.path.clone();
        let now = match self.disk.standing(&path)? {
            Standing::File(bytes) => Some(bytes),
            Standing::Nothing => None,
            Standing::Other => return Err(StoreError::Changed { path }),
        };
        let basis = Basis::of(&path, now.as_deref());
        let is_append = matches!(step.change, Change::Append { .. });
        if is_append && path.is_under(self.layout.journal.as_str()) {
            let why = "the journal only grows; what was added to it is not taken back";
            let hint = "nothing was changed; correct the journal by adding an entry";
            return Err(StoreError::Refused { path, why, hint });
        }
        if basis.digest() != step.after() {
            return Err(StoreError::Changed { path });
        }
        Ok(match (&step.change, now) {
            (Change::Write { before: Some(before), .. } | Change::Remove { before }, _) => {
                basis.replace(before.clone())
            }
            (Change::Append { existed: true, old_len, .. }, Some(mut bytes)) => {
                bytes.truncate(usize::try_from(*old_len).unwrap_or(usize::MAX));
                basis.replace(bytes)
            }
            (Change::Write { before: None, .. } | Change::Append { existed: false, .. }, Some(_)) => basis.remove(),
            _ => return Err(StoreError::Changed { path }),
        })
    }

    /// Removes the oldest undo records beyond the limits, always keeping the newest. A record that cannot
    /// be removed costs only space, so that is no reason to call the operation undone.
    pub(crate) fn prune_undo(&self) {
        let Ok(listing) = listing::list(&self.disk, Some(&tool("undo"))) else { return };
        let number = |file: &FileStat| OpId::parse(file.path.file_name());
        let mut records: Vec<_> = listing.files.iter().filter_map(|file| Some((number(file)?, file))).collect();
        records.sort();
        let mut n_bytes = 0;
        for (nth, (_, file)) in records.into_iter().rev().enumerate() {
            n_bytes += file.len;
            if nth > 0 && (nth >= RECORDS_MAX || n_bytes > RECORD_BYTES_MAX) {
                let _ = self.disk.remove(&file.path);
            }
        }
    }
}

fn log_entry(operation: &Operation, edits: &[Edit], now: Timestamp) -> LogEntry {
    let line = |edit: &Edit| match edit {
        Edit::Remove { basis } => format!("removed {}", basis.path()),
        other => format!("restored {}", other.path()),
    };
    LogEntry {
        at: now,
        kind: "undo".to_owned(),
        subject: format!("{} {} | {}", operation.id, operation.kind, operation.subject),
        lines: edits.iter().map(line).collect(),
        inputs: Vec::new(),
        public: true,
    }
}

//! The one door through which a vault is changed.
//!
//! [`Store::apply`] first checks everything the plan expects, then writes all new bytes beside where they
//! belong, and then the intent; only after the intent has its final name, durably, is anything
//! changed, and from then on it will be changed whatever happens. A disk that is full or forbids
//! writing is therefore nearly always noticed while there is still nothing to take back.
//!
//! A plan without appends whose every edit already stands is done: applying it again writes nothing.
//! A plan that edits the log itself gets no entry of its own in it.

use std::collections::BTreeSet;

use ken_core::redact::redacted;
use ken_core::talk::is_what_is_left;
use ken_core::{Digest, Edit, LogEntry, Plan, VaultPath};

use crate::disk::{Disk, Standing, lineage};
use crate::error::{At, StoreError};
use crate::history::{OpId, Related};
use crate::intent::{Change, Intent, Step};
use crate::lock::LockGuard;
use crate::perform::{Conflict, Performer};
use crate::settle::settled;
use crate::store::{Store, tool};
use crate::undo::Back;

/// What applying a plan did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The operation, or `None` when there was nothing to do.
    pub op_id: Option<OpId>,
    /// The files of the plan that were changed, in the plan's order.
    pub changed: Vec<VaultPath>,
    /// Files that someone changed at the very moment; their bytes were left alone.
    pub conflicts: Vec<Conflict>,
}

impl Store {
    /// Carries out the whole plan, or nothing of it.
    ///
    /// # Errors
    /// `Changed` when a file is not what the plan expects, `Refused` when the plan breaks a rule of the
    /// store, `Io` when the new bytes could not be stored: in all three, nothing was changed.
    /// `Interrupted` when the plan is decided but could not be completed: taking the lock again does.
    ///
    /// # Panics
    /// When the lock belongs to another vault.
    pub fn apply(&self, guard: &LockGuard, plan: &Plan) -> Result<Receipt, StoreError> {
        self.apply_as(guard, plan, Related { run: self.run(), ..Related::default() })
    }

    /// Carries out a plan that takes operations back, or does them again.
    ///
    /// # Errors
    /// As [`Store::apply`].
    pub fn apply_back(&self, guard: &LockGuard, back: &Back) -> Result<Receipt, StoreError> {
        let related = Related { run: None, undoes: back.undoes.clone(), redoes: back.redoes.clone() };
        self.apply_as(guard, &back.plan, related)
    }

    fn apply_as(&self, guard: &LockGuard, plan: &Plan, related: Related) -> Result<Receipt, StoreError> {
        let mut conflicts = self.recover(guard)?.map_or_else(Vec::new, |recovered| recovered.conflicts);
        self.check_paths(plan)?;
        let mut steps = checked_steps(&self.disk, plan)?;
        steps.iter().try_for_each(|step| self.keep_evidence(step))?;
        if steps.is_empty() {
            return Ok(Receipt { op_id: None, changed: Vec::new(), conflicts });
        }
        let changed: Vec<VaultPath> = steps.iter().map(|step| step.path.clone()).collect();
        if plan.log.public && !changed.contains(&self.layout.log) {
            steps.push(self.log_step(&plan.log)?);
        }
        let (id, record) = self.operation_step((&plan.log, &related), &mut steps)?;
        steps.extend(record);
        let intent = Intent { id, steps };
        self.decide(&intent).inspect_err(|_| self.abandon(&intent))?;
        self.note_run(id);
        let interrupted = |cause| StoreError::Interrupted { id, cause: Box::new(cause) };
        self.disk.sync_folder(tool("intent").parent().as_ref()).map_err(interrupted)?;
        conflicts.extend(Performer::new(&self.disk, &intent, true).run().map_err(interrupted)?);
        self.finish(&intent).map_err(interrupted)?;
        Ok(Receipt { op_id: Some(id), changed, conflicts })
    }

    /// The journal and the talk only grow: no plan takes a byte from them, except what a redaction covers by its
    /// mark, what is forgotten, and words of talk that are not to be kept, in whose place a note stands.
    fn keep_evidence(&self, step: &Step<'_>) -> Result<(), StoreError> {
        let shrinks = match &step.change {
            Change::Write { before: Some(before), after } => {
                // Words that are not to be kept any longer go, and come back by an undo.
                let is_talk = step.path.is_under(self.layout.talk.as_str());
                let is_left = || is_what_is_left(before, after) || is_what_is_left(after, before);
                !(after.starts_with(before) || is_talk && is_left())
            }
            Change::Erase { .. } => true,
            Change::Forget { .. } => !step.path.is_under(self.layout.talk.as_str()),
            Change::Remove { .. } => true,
            // What is not cut stays, because the new bytes are made from the old ones and the cuts.
            Change::Redact { .. } => false,
            Change::Write { before: None, .. } | Change::Append { .. } => false,
        };
        if shrinks && self.layout.only_grows(&step.path) {
            let hint = "journal and talk only grow; nothing was changed";
            let why = "the plan would take text from what was recorded";
            return Err(StoreError::Refused { path: step.path.clone(), why, hint });
        }
        Ok(())
    }

    /// Stores the new bytes and the intent; its last act is the point of no return.
    fn decide(&self, intent: &Intent<'_>) -> Result<(), StoreError> {
        let (undecided, decided) = (tool("intent.tmp"), tool("intent"));
        self.disk.refuse_links(&undecided)?;
        // Before the new bytes, so that it names them when they have to be cleaned up.
        self.disk.write_parts_synced(&undecided, &intent.encode(&self.disk, &self.seals), None)?;
        let mut written = Vec::new();
        for (n, step) in intent.steps.iter().enumerate() {
            if let Some(after) = step.staged_bytes() {
                let staged = intent.staged(n);
                self.disk.create_parents(&staged)?;
                self.disk.write_unsynced(&staged, after, Some(&step.path))?;
                written.push(staged);
            }
            // Opening is enough to learn whether the file may be written to.
            if let Change::Append { existed: true, .. } = &step.change {
                self.disk.fs.append(&self.disk.place(&step.path), &[]).at("write", &step.path)?;
            }
        }
        self.disk.sync_files(&written)?;
        // An intent lasts no longer than the folder that it lies in.
        self.disk.sync_folder(None)?;
        self.disk.rename(&undecided, &decided)
    }

    /// Removes what [`Store::decide`] has stored, as far as possible: the error that led here counts, and
    /// what is left is removed by the next holder of the lock.
    fn abandon(&self, intent: &Intent<'_>) {
        if self.unstage(intent).is_ok() {
            let _ = self.disk.remove(&tool("intent.tmp"));
        }
    }

    fn log_step(&self, entry: &LogEntry) -> Result<Step<'static>, StoreError> {
        let path = self.layout.log.clone();
        self.may_change(&path)?;
        let meta = self.disk.stat(&path)?;
        let old_len = meta.map_or(0, |meta| meta.len);
        let added = match self.disk.read_from(&path, old_len.saturating_sub(2))?.as_slice() {
            [] => "# Log\n\n",
            [b'\n', b'\n'] => "",
            [.., b'\n'] => "\n",
            _ => "\n\n",
        };
        let added = [added, &log_text(entry)].concat().into_bytes();
        let change = Change::Append { old_len, existed: meta.is_some(), before: None, after: None, added };
        Ok(Step { path, change, internal: true })
    }
}

/// Returns the entry as people read it.
fn log_text(entry: &LogEntry) -> String {
    let line = |text: &str| text.replace(|ch: char| ch.is_control(), " ");
    let at = entry.at.strftime("%Y-%m-%dT%H:%M:%SZ");
    let mut text = format!("## [{at}] {} | {}\n", line(&entry.kind), line(&entry.subject));
    for detail in &entry.lines {
        text.push_str(&format!("- {}\n", line(detail)));
    }
    text
}

/// Checks everything that the plan expects and returns what is to be done, without what stands already.
fn checked_steps<'p>(disk: &Disk, plan: &'p Plan) -> Result<Vec<Step<'p>>, StoreError> {
    let found = plan.edits.iter().map(|edit| settled(disk, edit.path()));
    let found = found.collect::<Result<Vec<Standing>, StoreError>>()?;
    if plan.edits.iter().zip(&found).all(|(edit, now)| is_done(edit, now)) {
        return Ok(Vec::new());
    }
    for (path, expect) in &plan.guards {
        if disk.read(path)?.is_none_or(|bytes| Digest::of(&bytes) != *expect) {
            return Err(StoreError::Changed { path: path.clone() });
        }
    }
    let mut steps = Vec::new();
    for (edit, now) in plan.edits.iter().zip(found) {
        let change = change_of(edit, now)?;
        let path = edit.path().clone();
        // The operation log is rewritten last, like all that speaks of the rest.
        let internal = path.is_under(tool("ops").as_str());
        steps.extend(change.map(|change| Step { path, change, internal }));
    }
    Ok(steps)
}

/// Returns whether the edit's outcome already stands; an append's cannot be told.
fn is_done(edit: &Edit, now: &Standing) -> bool {
    match (edit, now) {
        (Edit::Write { content, .. }, Standing::File(bytes)) => content == bytes,
        (Edit::Remove { .. } | Edit::Erase { .. } | Edit::Forget { .. }, Standing::Nothing) => true,
        (Edit::Redact { cuts, .. }, _) => cuts.is_empty(),
        (Edit::Append { content, .. }, _) => content.is_empty(),
        _ => false,
    }
}

/// Checks one edit against what stands there; `None` when it changes nothing.
fn change_of(edit: &Edit, now: Standing) -> Result<Option<Change<'_>>, StoreError> {
    let path = edit.path();
    let now = match now {
        Standing::Nothing => None,
        Standing::File(bytes) => Some(bytes),
        Standing::Other => return refused(path, "a folder stands there"),
    };
    let digest = now.as_deref().map(Digest::of);
    let expect = match edit {
        Edit::Write { basis, .. }
        | Edit::Remove { basis }
        | Edit::Redact { basis, .. }
        | Edit::Erase { basis }
        | Edit::Forget { basis } => basis.digest(),
        Edit::Append { .. } => digest,
    };
    if expect != digest {
        return Err(StoreError::Changed { path: path.clone() });
    }
    Ok(match edit {
        Edit::Write { content, .. } if now.as_ref() == Some(content) => None,
        Edit::Write { content, .. } => Some(Change::Write { before: now, after: content.into() }),
        Edit::Append { content, .. } if content.is_empty() => None,
        Edit::Append { preamble, content, .. } => {
            let added = if now.is_some() { content.clone() } else { [preamble.as_slice(), content].concat() };
            let old = now.unwrap_or_default();
            let after = Some(Digest::of(&[old.as_slice(), &added].concat()));
            let existed = digest.is_some();
            Some(Change::Append { old_len: old.len() as u64, existed, before: digest, after, added })
        }
        Edit::Remove { .. } => now.map(|before| Change::Remove { before }),
        Edit::Redact { cuts, .. } if cuts.is_empty() => None,
        Edit::Redact { cuts, .. } => {
            let Some((before, after)) = digest.zip(redacted(&now.unwrap_or_default(), cuts)) else {
                return refused(path, "what is to be redacted does not lie in it");
            };
            Some(Change::Redact { before, after })
        }
        Edit::Erase { .. } => digest.map(|before| Change::Erase { before }),
        Edit::Forget { .. } => digest.map(|before| Change::Forget { before }),
    })
}

/// What is done to a file, as far as it matters for where that may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    /// It is written, added to or removed.
    Change,
    /// Parts of it are covered.
    Redact,
    /// It is removed for good.
    Erase,
    /// It is removed for good, and its name with it.
    Forget,
}

/// Where a vault may be changed: one rule for plans, and for what is read back from disk to be carried out.
impl Store {
    /// Refuses plans that name one file twice, a file inside a file, or a place that is not theirs.
    fn check_paths(&self, plan: &Plan) -> Result<(), StoreError> {
        for edit in &plan.edits {
            let deed = match edit {
                Edit::Write { .. } | Edit::Append { .. } | Edit::Remove { .. } => Deed::Change,
                Edit::Redact { .. } => Deed::Redact,
                Edit::Erase { .. } => Deed::Erase,
                Edit::Forget { .. } => Deed::Forget,
            };
            self.check_place(edit.path(), deed)?;
        }
        check_each_once(plan.edits.iter().map(Edit::path))
    }

    /// Refuses steps that no plan could have led to.
    pub(crate) fn check_steps(&self, steps: &[Step<'_>]) -> Result<(), StoreError> {
        for step in steps {
            let is_record = step.internal
                && match step.change {
                    Change::Append { .. } => step.path == self.layout.log || step.path.is_under(tool("ops").as_str()),
                    _ => false,
                };
            let deed = match step.change {
                Change::Write { .. } | Change::Append { .. } | Change::Remove { .. } => Deed::Change,
                Change::Redact { .. } => Deed::Redact,
                Change::Erase { .. } => Deed::Erase,
                Change::Forget { .. } => Deed::Forget,
            };
            if is_record {
                self.disk.refuse_links(&step.path)?;
            } else {
                self.check_place(&step.path, deed)?;
            }
            self.keep_evidence(step)?;
        }
        check_each_once(steps.iter().map(|step| &step.path))
    }

    /// Refuses a place that is not the tool's to change in this way.
    fn check_place(&self, path: &VaultPath, deed: Deed) -> Result<(), StoreError> {
        let is_in = |folders: &[&str]| folders.iter().any(|folder| path.is_under(tool(folder).as_str()));
        let is_left = || path.as_str().starts_with(tool("intent.").as_str()) && *path != tool("intent.tmp");
        match deed {
            // Taking a secret out of what the store keeps for itself: that, and nothing else, is done there.
            Deed::Erase | Deed::Forget if is_in(&["undo", "cache"]) || is_left() => {}
            Deed::Erase => return refused(path, "only what the store keeps for itself is erased"),
            Deed::Redact if is_in(&["ops"]) => {}
            Deed::Change if self.layout.is_foreign(path) => {
                return refused(path, "another tool writes it");
            }
            Deed::Change | Deed::Redact | Deed::Forget => self.may_change(path)?,
        }
        self.disk.refuse_links(path)
    }

    fn may_change(&self, path: &VaultPath) -> Result<(), StoreError> {
        const OWN_FILES: [&str; 3] = ["lock", "intent", "accepted"];
        let is_own = OWN_FILES.iter().any(|name| *path == tool(name))
            || path.as_str().starts_with(tool("intent.").as_str())
            || ["ops", "undo"].iter().any(|name| path.is_under(tool(name).as_str()));
        if is_own || path.file_name().starts_with(".ken-") {
            return refused(path, "it belongs to the store");
        }
        if !self.layout.may_change(path) {
            return refused(path, "it lies outside the vault's folders and is no document");
        }
        self.disk.refuse_links(path)
    }
}

/// Refuses a file that is named twice, or lies inside another one.
fn check_each_once<'a>(paths: impl Iterator<Item = &'a VaultPath>) -> Result<(), StoreError> {
    let mut seen = BTreeSet::new();
    for path in paths {
        if !seen.insert(path) {
            return refused(path, "the plan changes it twice");
        }
    }
    for path in &seen {
        let mut above = lineage(path);
        above.pop();
        if above.iter().any(|folder| seen.contains(folder)) {
            return refused(path, "the plan also changes a file that would be its folder");
        }
    }
    Ok(())
}

fn refused<T>(path: &VaultPath, why: &'static str) -> Result<T, StoreError> {
    Err(StoreError::Refused { path: path.clone(), why, hint: "nothing was changed" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_entry_reads_as_a_dated_heading_and_a_list() {
        let entry = LogEntry {
            at: "2026-04-01T14:30:00.5Z".parse().expect("a time"),
            kind: "compile".to_owned(),
            subject: "daily/2026-04-01.md".to_owned(),
            lines: vec!["created [[jwt]]".to_owned(), "two\nlines".to_owned()],
            inputs: Vec::new(),
            public: true,
        };
        let text = "## [2026-04-01T14:30:00Z] compile | daily/2026-04-01.md\n- created [[jwt]]\n- two lines\n";
        assert_eq!(log_text(&entry), text);
    }
}

//! What was left in a vault to be carried out and is not known to be this user's: shown, accepted, discarded.
//!
//! An unfinished change, undo records and jobs bear a seal of the user and the place (`ken_store::Origin`).
//! Those without one that fits are left alone by every command; a person decides about them here. A vault that
//! this user neither made nor accepted does not speak into sessions; accepting it is another decision.

use ken_core::text::count;
use ken_core::{LogEntry, Plan, VaultPath};
use ken_store::{Left, Origin};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::spool::Job;

/// What is to become of what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Nothing: it is only shown.
    Look,
    /// It becomes this user's, for the vault at this place: the unfinished change is carried out.
    Accept,
    /// The unfinished change is set aside, undo records and jobs are removed.
    Discard,
}

/// What was left in a vault to be carried out and is not known to be this user's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecoverOutcome {
    /// An unfinished change.
    pub change: Option<Left>,
    /// Undo records, with where they come from.
    pub undo: Vec<(VaultPath, Origin)>,
    /// Jobs: the name of the file, and the transcript or agent that it names, if it reads as a job.
    pub jobs: Vec<(String, Option<String>)>,
    /// Documents outside the sources folder that somebody else registered; they are not read.
    pub sources: Vec<VaultPath>,
    /// What was done with them, a line each.
    pub done: Vec<String>,
}

impl Engine {
    /// Shows what was left to be carried out and is not this user's, and does with it what was decided.
    ///
    /// # Errors
    /// When it cannot be read or written, or what is to be accepted breaks a rule of the store.
    pub fn recover(&self, decision: Decision) -> Result<RecoverOutcome, Failure> {
        let mut outcome = RecoverOutcome {
            change: self.store.left()?,
            undo: self.store.foreign_undo()?,
            jobs: self.strange_jobs()?,
            sources: self.sources_of_others()?.into_iter().map(|(path, _)| path).collect(),
            done: Vec::new(),
        };
        if decision == Decision::Look || outcome.is_empty() {
            return Ok(outcome);
        }
        // Without a key nothing can be made ours; an unfinished change can be carried out all the same.
        if decision == Decision::Accept && outcome.change.is_none() && !self.store.keys().is_there() {
            return Err(self.no_key().hint("nothing was changed"));
        }
        let guard = self.store.lock_as_it_is("recover", self.wait)?;
        if let Some(left) = &outcome.change {
            if decision == Decision::Accept {
                let recovered = self.store.adopt_left(&guard)?.unwrap_or_default();
                self.notice_conflicts(&recovered.conflicts);
                outcome.done.push(format!("carried out operation {}", left.id));
            } else if let Some(aside) = self.store.discard_left(&guard)? {
                outcome.done.push(format!("moved the unfinished change to `{aside}`"));
            }
        }
        if !outcome.undo.is_empty() {
            let n_all = outcome.undo.len();
            outcome.done.push(match decision {
                Decision::Accept => {
                    format!("accepted {} of {}", self.store.adopt_undo(&guard)?, count(n_all, "undo record"))
                }
                _ => format!("removed {}", count(self.store.discard_undo(&guard)?, "undo record")),
            });
        }
        if !outcome.sources.is_empty() && decision == Decision::Accept {
            let adopted = self.adopt_sources()?;
            let n_adopted = adopted.as_ref().map_or(0, |(n, _)| *n);
            if let Some((_, edit)) = adopted {
                let subject = "documents that stay in place".to_owned();
                let log = LogEntry {
                    at: self.clock.now,
                    kind: "recover".to_owned(),
                    subject,
                    lines: Vec::new(),
                    inputs: Vec::new(),
                    public: false,
                };
                self.apply(&guard, &Plan { edits: vec![edit], guards: Vec::new(), log })?;
            }
            let of_all = count(outcome.sources.len(), "document");
            outcome.done.push(format!("registered {n_adopted} of {of_all} in place"));
        }
        if !outcome.jobs.is_empty() {
            let n_done = self.settle_jobs(decision)?;
            let verb = if decision == Decision::Accept { "accepted" } else { "removed" };
            outcome.done.push(format!("{verb} {n_done} of {}", count(outcome.jobs.len(), "job")));
        }
        Ok(outcome)
    }

    /// Accepts the vault: from now on its text goes into the start of this user's sessions. Returns whether it
    /// was not accepted before.
    ///
    /// # Errors
    /// When there is no key, or the vault cannot be written to.
    pub fn accept(&self) -> Result<bool, Failure> {
        let was_accepted = self.is_accepted();
        if !self.store.accept()? {
            return Err(self.no_key().hint("nothing was changed"));
        }
        Ok(!was_accepted)
    }

    /// Returns whether this user made the vault or accepted it, at this place.
    pub fn is_accepted(&self) -> bool {
        self.store.is_accepted()
    }

    /// Returns why nothing here can count as this user's, if there is no key and none can be made: what was compiled
    /// is not believed by the next run, and the vault cannot be accepted.
    pub fn keyless(&self) -> Option<Failure> {
        (!self.store.keys().is_there()).then(|| self.no_key())
    }

    /// The failure of whatever takes a key where there is none.
    pub(crate) fn no_key(&self) -> Failure {
        match self.store.keys().folder() {
            Some(folder) => {
                Failure::refused(format!("there is no key in `{}`, and none can be made", folder.display()))
                    .hint("make the folder writable, or remove a file `key` in it that is damaged")
            }
            None => Failure::refused("there is no folder to keep a key in").hint("set HOME or XDG_STATE_HOME"),
        }
    }

    /// The jobs that this user's hooks did not leave for this vault: name, and what they would read.
    fn strange_jobs(&self) -> Result<Vec<(String, Option<String>)>, Failure> {
        let strange = self.store.spooled()?.into_iter().filter(|file| !file.is_ours);
        let named = |job: Job| job.transcript.map_or(job.agent, |path| path.display().to_string());
        let reads = |bytes: &[u8]| Job::read(bytes).map(named);
        Ok(strange.map(|file| (file.name, reads(&file.bytes))).collect())
    }

    fn settle_jobs(&self, decision: Decision) -> Result<usize, Failure> {
        let mut n_done = 0;
        for file in self.store.spooled()?.into_iter().filter(|file| !file.is_ours) {
            match (decision, Job::read(&file.bytes)) {
                (Decision::Accept, Some(job)) => self.put_job(&file.name, &job)?,
                (Decision::Accept, None) => continue,
                _ => self.store.remove_spooled(&file.name, &file.bytes)?,
            }
            n_done += 1;
        }
        Ok(n_done)
    }
}

impl RecoverOutcome {
    /// Returns whether there is nothing to decide about.
    pub fn is_empty(&self) -> bool {
        self.change.is_none() && self.undo.is_empty() && self.jobs.is_empty() && self.sources.is_empty()
    }
}

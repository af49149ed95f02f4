//! Finds every transcript of this vault's sessions on the machine and captures what is new.
//!
//! A session belongs to the vault that is the nearest one above its working folder. Files that look as
//! they did are passed over with one look; one that cannot be captured does not keep the others out.

use std::path::{Path, PathBuf};

use ken_agents::Machine;
use ken_intake::outside;
use ken_intake::transcript::{READERS, Transcript, TranscriptReader, transcripts_at};
use ken_store::{RealFs, Store};

use crate::capture::{Captures, look_of};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::outcome::{SyncOutcome, SyncedSession};

impl Engine {
    /// Captures what is new in every transcript of this vault's sessions; of one agent if it is named.
    ///
    /// # Errors
    /// When the vault cannot be read; a transcript that cannot be captured is reported in the outcome.
    pub fn sync(&self, machine: &Machine, agent: Option<&str>) -> Result<SyncOutcome, Failure> {
        let mut outcome = SyncOutcome::default();
        let readers = READERS.iter().filter(|reader| agent.is_none_or(|agent| agent == reader.agent()));
        // Agents that name folders after the project take its name with links resolved, or as it was typed.
        let mut roots = vec![self.root().to_path_buf()];
        roots.extend(outside::resolved(self.root()).filter(|resolved| resolved != self.root()));
        let look = |reader: &&dyn TranscriptReader| -> Vec<PathBuf> {
            roots.iter().flat_map(|root| reader.transcripts(machine, root)).collect()
        };
        let mut places: Vec<PathBuf> = readers.flat_map(look).collect();
        places.sort();
        places.dedup();
        let mut captures = self.captures();
        for transcript in places.iter().flat_map(|path| transcripts_at(path).transcripts) {
            let Ok(look) = look_of(&transcript) else { continue };
            match captures.unchanged(&transcript, &look) {
                Some(true) => outcome.unchanged += 1,
                Some(false) => outcome.foreign += 1,
                None => match self.belongs_here(&transcript) {
                    Ok(true) if !sync_one(&mut captures, &transcript, &mut outcome) => break,
                    Ok(true) => {}
                    Ok(false) => {
                        outcome.foreign += 1;
                        captures.pass_over(&transcript, look);
                    }
                    Err(failure) => outcome.unreadable.push((transcript.place(), failure.message)),
                },
            }
        }
        drop(captures);
        outcome.pending = self.jobs()?.0.len();
        Ok(outcome)
    }

    /// Whether a transcript is of a session in this vault that is not excluded.
    fn belongs_here(&self, transcript: &Transcript) -> Result<bool, Failure> {
        let Some(cwd) = self.cwd_of(transcript)? else { return Ok(false) };
        let cwd = outside::resolved(Path::new(&cwd)).unwrap_or_else(|| PathBuf::from(&cwd));
        let root = outside::resolved(self.root()).unwrap_or_else(|| self.root().to_path_buf());
        // A folder that is gone still lies where it lay.
        let stands = cwd.ancestors().find(|folder| outside::standing(folder).is_ok());
        let nearest = stands.and_then(|folder| Store::find(folder, &RealFs));
        Ok(nearest.is_some_and(|nearest| nearest == root) && cwd.starts_with(&root) && !self.is_excluded(&cwd))
    }
}

/// Captures one transcript; returns whether the next one may be tried.
fn sync_one(captures: &mut Captures<'_>, transcript: &Transcript, outcome: &mut SyncOutcome) -> bool {
    match captures.capture(transcript, None) {
        Ok(done) => outcome.sessions.push(SyncedSession {
            lines_skipped: done.lines_skipped(),
            agent: done.agent,
            session: done.session.unwrap_or_default(),
            entries_added: done.entries_added,
            lines_read: done.lines_read,
        }),
        Err(failure) => {
            let is_locked = failure.kind == FailureKind::Retry;
            outcome.failed.push((transcript.place(), failure));
            return !is_locked;
        }
    }
    true
}

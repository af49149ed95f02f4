//! Jobs: what hooks left for the worker.
//!
//! A job says that something happened in a session and where its transcript is, and nothing of what was
//! said: the transcript is the truth, the job a wake-up call. A hook writes it in one step and goes; a
//! job is removed when what it calls for is in the journal, and a failure only postpones it.

use std::path::{Path, PathBuf};

use ken_agents::{Call, Moment};
use ken_core::text::cut;
use ken_core::{Digest, Timestamp};
use ken_intake::outside;
use ken_intake::scrub::scrub;
use ken_store::SpooledFile;
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::SpoolStatus;

/// After an answer a session is left alone this long before it is captured: most go on, and an entry a
/// session reads better than an entry an answer. The end of the session, or the next one, comes first.
const STOP_WAIT_SECONDS: i64 = 15 * 60;

/// Pauses after failures, seconds: the first are for what passes by itself, the last for what a person
/// has to see to.
const PAUSES_SECONDS: [i64; 6] = [1, 3, 30, 300, 3_600, 21_600];

/// From so many failures on a job is reported as stuck.
pub(crate) const STUCK_ATTEMPTS: u32 = 4;

/// With fewer new turns than this a compaction is no reason for an entry of its own.
pub(crate) const COMPACT_TURNS_MIN: usize = 5;

/// Longest failure text that is kept with a job.
const FAILURE_CHARS_MAX: usize = 240;

/// Two hooks of one start are called within this time.
const TOLD_SECONDS: i64 = 5;

/// Name of the notes that hooks and workers leave.
pub(crate) const NOTES: &str = "hooks.log";

/// What a hook left for the worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Job {
    /// When the hook was called.
    pub(crate) at: Timestamp,
    /// The agent.
    pub(crate) agent: String,
    /// What happened, as [`Moment::as_str`] names it.
    pub(crate) moment: String,
    /// The transcript; without one, everything of the agent is looked at.
    pub(crate) transcript: Option<PathBuf>,
    /// How often it failed.
    #[serde(default)]
    pub(crate) attempts: u32,
    /// Not to be taken before.
    #[serde(default)]
    pub(crate) not_before: Option<Timestamp>,
    /// Why it failed the last time.
    #[serde(default)]
    pub(crate) failure: Option<String>,
}

impl Job {
    fn of(call: &Call, transcript: Option<PathBuf>, now: Timestamp) -> Job {
        let wait = jiff::SignedDuration::from_secs(STOP_WAIT_SECONDS);
        let not_before = (call.moment == Moment::Stop).then(|| now.saturating_add(wait).unwrap_or(now));
        Job {
            at: now,
            agent: call.agent.clone(),
            moment: call.moment.as_str().to_owned(),
            transcript,
            attempts: 0,
            not_before,
            failure: None,
        }
    }

    /// Returns the job that these bytes are, if they are one.
    pub(crate) fn read(bytes: &[u8]) -> Option<Job> {
        serde_json::from_slice(bytes).ok()
    }

    /// Returns the name of its file: one for what was said last of a session, so that a thousand answers
    /// leave one job.
    fn name(&self) -> String {
        let place = self.transcript.as_ref().map_or_else(|| self.agent.clone(), |path| path.display().to_string());
        format!("{}-{}.json", self.moment, Digest::of(place.as_bytes()).short())
    }

    /// Returns whether it may be taken now. A clock that was set back does not hold a job up.
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        let longest = jiff::SignedDuration::from_secs(*PAUSES_SECONDS.last().expect("there are pauses"));
        self.not_before.is_none_or(|due| due <= now || due.duration_since(now) > longest)
    }

    /// Returns whether trying again is of no use: the transcript was missing often enough to be gone, and
    /// one that comes back is found without a job.
    pub(crate) fn is_for_nothing(&self) -> bool {
        self.attempts >= STUCK_ATTEMPTS && self.transcript.as_ref().is_some_and(|path| !outside::exists(path))
    }

    /// Returns the moment, as written.
    pub(crate) fn moment(&self) -> Moment {
        Moment::parse(&self.moment).unwrap_or(Moment::Other)
    }

    /// Notes a failure and when to try again.
    pub(crate) fn postpone(&mut self, why: &str, now: Timestamp) {
        let pause = PAUSES_SECONDS[(self.attempts as usize).min(PAUSES_SECONDS.len() - 1)];
        self.attempts += 1;
        self.not_before = now.checked_add(jiff::SignedDuration::from_secs(pause)).ok();
        self.failure = Some(cut(&scrub(why).0, FAILURE_CHARS_MAX));
    }
}

/// A job as it lies in the spool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spooled {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) job: Job,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// A job is in the spool and due: wake a worker.
    Due,
    /// A job is in the spool for later, or there was nothing to do.
    Later,
}

impl Engine {
    /// Puts what a call is about into the spool, before anything else happens.
    ///
    /// # Errors
    /// When the spool cannot be written to; the transcript is found again without it.
    pub fn receive(&self, call: &Call) -> Result<Received, Failure> {
        let transcript = match call.moment {
            Moment::Prompt | Moment::Other => return Ok(Received::Later),
            // Everything the agent left behind is looked at, not only what this session goes on with.
            Moment::Start => None,
            _ if call.transcripts.is_empty() && HAVE_NO_PLACE.contains(&call.agent.as_str()) => None,
            _ => {
                let Some(path) = call.transcripts.iter().find(|path| outside::is_file(path)) else {
                    let named = call.transcripts.first().map(|path| path.display().to_string()).unwrap_or_default();
                    self.leave_note(&format!("{}: skipped, there is no transcript at `{named}`", call.event));
                    return Ok(Received::Later);
                };
                // A path that cannot be written down as it is leads nowhere; the session is looked for instead.
                let is_plain = scrub(&path.to_string_lossy()).1 == 0;
                is_plain.then(|| path.clone())
            }
        };
        let job = Job::of(call, transcript, self.clock.now);
        let is_due = job.is_due(self.clock.now);
        self.put_job(&job.name(), &job)?;
        Ok(if is_due { Received::Due } else { Received::Later })
    }

    /// Returns whether the configuration says to leave sessions in this folder alone.
    pub fn leaves_alone(&self, cwd: &Path) -> bool {
        self.is_excluded(cwd)
    }

    /// Returns whether this call is the one that tells a session what it starts with. Where hooks are
    /// installed twice, for the user and for the project, both are called at the same instant.
    pub fn is_first_to_tell(&self, call: &Call) -> bool {
        let Some(session) = &call.session else { return true };
        let is_old = |bytes: &[u8]| {
            let at = str::from_utf8(bytes).ok().and_then(|at| at.parse::<Timestamp>().ok());
            at.is_none_or(|at| self.clock.now.duration_since(at).as_secs().abs() > TOLD_SECONDS)
        };
        // A compaction right after a start is another one, after which the model knows nothing of the first.
        let source = call.source.as_deref().unwrap_or_default();
        let name = Digest::of(format!("{} {session} {source}", call.agent).as_bytes()).short();
        let now = self.clock.now.to_string();
        // A session that starts anew later is told again; a spool that cannot be written to keeps nobody quiet.
        let _ = self.store.remove_flags(is_old);
        self.store.put_flag(&name, now.as_bytes()).unwrap_or(true)
    }

    /// Returns whether a job is in the spool that may be taken now.
    ///
    /// # Errors
    /// When the spool cannot be read.
    pub fn has_due_jobs(&self) -> Result<bool, Failure> {
        Ok(self.jobs()?.0.iter().any(|spooled| spooled.job.is_due(self.clock.now)))
    }

    /// Returns from when on a job of the spool may be taken, of several the first; `None` when there is none.
    ///
    /// # Errors
    /// When the spool cannot be read.
    pub fn next_job_at(&self) -> Result<Option<Timestamp>, Failure> {
        let at = |spooled: &Spooled| match spooled.job.not_before {
            Some(at) if !spooled.job.is_due(self.clock.now) => at,
            _ => self.clock.now,
        };
        Ok(self.jobs()?.0.iter().map(at).min())
    }

    pub(crate) fn put_job(&self, name: &str, job: &Job) -> Result<(), Failure> {
        let text = serde_json::to_string(job).expect("plain fields always have a JSON form");
        Ok(self.store.put_spooled(name, scrub(&text).0.as_bytes())?)
    }

    /// Puts a job back under the name it has, unless a newer one has taken its place.
    pub(crate) fn put_back(&self, spooled: &Spooled) -> Result<(), Failure> {
        let is_current =
            self.store.spooled()?.iter().any(|file| file.name == spooled.name && file.bytes == spooled.bytes);
        if is_current { self.put_job(&spooled.name, &spooled.job) } else { Ok(()) }
    }

    /// Returns the jobs in the spool; what this user's hooks did not leave for this vault is left alone and
    /// named: it could name any transcript.
    pub(crate) fn jobs(&self) -> Result<(Vec<Spooled>, Vec<String>), Failure> {
        let (mut jobs, mut strange) = (Vec::new(), Vec::new());
        for SpooledFile { name, bytes, is_ours } in self.store.spooled()? {
            match Job::read(&bytes) {
                Some(job) if is_ours => jobs.push(Spooled { name, bytes, job }),
                _ => strange.push(name),
            }
        }
        Ok((jobs, strange))
    }

    /// Returns what hooks left for the worker.
    ///
    /// # Errors
    /// When the spool cannot be read.
    pub fn spool_status(&self) -> Result<SpoolStatus, Failure> {
        let (jobs, strange) = self.jobs()?;
        let worked = self.worked();
        let stuck = jobs.iter().filter(|spooled| spooled.job.attempts >= STUCK_ATTEMPTS);
        let why = |spooled: &Spooled| (spooled.job.failure.clone().unwrap_or_default(), spooled.job.attempts);
        Ok(SpoolStatus {
            n_jobs: jobs.len(),
            n_due: jobs.iter().filter(|spooled| spooled.job.is_due(self.clock.now)).count(),
            oldest: jobs.iter().map(|spooled| spooled.job.at).min(),
            stuck: stuck.map(why).collect(),
            strange,
            worked_at: worked.at,
            compile_failure: worked.failure,
        })
    }

    /// Leaves a line for `ken doctor` and whoever looks for the reason; never fails, never asks.
    pub fn leave_note(&self, text: &str) {
        let (text, _) = scrub(text);
        let line = format!("{} {}", self.clock.now, ken_core::text::one_line(&text));
        let _ = self.store.note(NOTES, &cut(&line, 2 * FAILURE_CHARS_MAX));
    }
}

/// Agents whose hooks do not say where the transcript is.
const HAVE_NO_PLACE: &[&str] = &["copilot-cli", "opencode", "cline", "cursor", "pi", "goose", "windsurf"];

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            at: "2026-06-01T12:00:00Z".parse().expect("a time"),
            agent: "codex".to_owned(),
            moment: "end".to_owned(),
            transcript: None,
            attempts: 0,
            not_before: None,
            failure: None,
        }
    }

    #[test]
    fn failures_are_retried_later_and_later_and_never_given_up() {
        let mut job = job();
        let mut now = job.at;
        for pause in [1, 3, 30, 300, 3_600, 21_600, 21_600] {
            job.postpone("disk is full", now);
            let due = job.not_before.expect("a time");
            assert_eq!(due.duration_since(now).as_secs(), pause);
            assert!(!job.is_due(now) && job.is_due(due));
            now = due;
        }
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_hold_a_job_up() {
        let mut job = job();
        job.postpone("x", job.at);
        assert!(job.is_due("2026-01-01T00:00:00Z".parse().expect("a time")));
    }

    #[test]
    fn secrets_do_not_stand_in_a_failure() {
        let mut job = job();
        job.postpone(&format!("cannot read ghp_{}", "a1B2".repeat(9)), job.at);
        assert_eq!(job.failure.as_deref(), Some("cannot read [redacted:github-token]"));
    }
}

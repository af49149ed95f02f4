//! Lets a model write journal entries anew from the transcripts that they were extracted from.
//!
//! Capturing needs no model and loses nothing; a distilled entry comes later, says the same part of the same
//! session better, and is appended beside the extracted one. Which entries have none is read from the journal
//! each time, so there is nothing to get out of step: what was not read, or not answered, or did not hold
//! stays as it is and is reported.
//!
//! The model is asked without the vault's lock. The lock is taken to append, and the day is read again then.

mod claims;
mod doubts;
mod extracted;
mod joined;
mod packets;
mod told;

use std::collections::BTreeSet;
use std::path::Path;

use ken_compile::portion::Portion;
use ken_core::VaultPath;
use ken_core::journal::one_line;
use ken_intake::scrub::scrub;

use crate::EstimateOutcome;
use crate::capture::read_again;
use crate::compile::slice::Slice;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::forget::Readable;
use crate::outcome::ThinReading;
use crate::propose::asked::AskedOutcome;
use crate::propose::kinds::Kind;
use crate::propose::pack::packs;
use crate::propose::record::{Cited, Manner, Record, Replies};
use crate::propose::run::{Author, Run};
use crate::propose::share::{Size, grouped, sharing};
use crate::propose::task::{Input, Task, rules_of};
use crate::seen::Known;
pub(crate) use extracted::ToRead;
use extracted::{Extracted, by_day, of_day};
use joined::{Joined, Written};
use packets::show_beside;

/// An entry that was appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistilledEntry {
    /// The session.
    pub session: String,
    /// The journal day.
    pub path: VaultPath,
    /// What the entry is called.
    pub title: String,
    /// Statements in it; none when nothing is worth keeping.
    pub n_statements: usize,
}

/// What distilling did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DistillOutcome {
    /// Entries that were appended.
    pub written: Vec<DistilledEntry>,
    /// Entries that are as they were: session, journal day, and the reason.
    pub open: Vec<(String, VaultPath, String)>,
    /// Entries that stay, because the reply keeps far less than was extracted; none where that is taken at its word.
    pub thin: Vec<ThinReading>,
    /// Entries that had been distilled before.
    pub n_before: usize,
}

/// What becomes of a reply that keeps far less than was extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thin {
    /// Somebody asked for it: that nothing is worth keeping is an answer.
    Allowed,
    /// The extraction stands.
    Refused,
}

impl Engine {
    /// Asks a model for entries from the transcripts of sessions that are in the journal, of those whose name
    /// begins so if it is given; without a model the recorded replies are used.
    ///
    /// # Errors
    /// When the vault cannot be read or written, there is no such session, the model has no price, or another
    /// run is asking.
    pub fn distill(
        &self,
        session: Option<&str>,
        author: Option<&Author>,
    ) -> Result<(DistillOutcome, Option<AskedOutcome>), Failure> {
        let asked = author.and_then(|author| Some((author, author.model.as_deref()?)));
        let _asking = asked.map(|_| self.lock_asking()).transpose()?;
        let mut run = asked.map(|(author, model)| Run::new(self, author, model)).transpose()?;
        let (entries, n_before) = self.extracted(session)?;
        let mut done = DistillOutcome { n_before, ..DistillOutcome::default() };
        let known = self.known();
        let days: Vec<Vec<ToRead>> =
            by_day(entries).into_iter().map(|day| self.to_read(day, &known, &mut done)).collect();
        let lens = run.as_ref().map_or_else(|| vec![1; days.len()], |run| run.days_at_once(&sizes(&days)));
        for some in grouped(days, &lens) {
            self.distill_days((some, Thin::Allowed), run.as_mut(), &mut done)?;
        }
        Ok((done, run.map(|run| run.outcome)))
    }

    /// Reads the sessions of some days at once, short ones in one call, those of short days too, and appends the entries
    /// that come of it. All are shown the wiki as it is.
    pub(crate) fn distill_days(
        &self,
        (days, thin): (Vec<Vec<ToRead>>, Thin),
        run: Option<&mut Run<'_>>,
        done: &mut DistillOutcome,
    ) -> Result<(), Failure> {
        let mut doubted: BTreeSet<String> = BTreeSet::new();
        if let Some(run) = run {
            let (mut texts, mut doubts) = (Vec::new(), Vec::new());
            let days = shared(&days);
            let portions: Vec<Vec<Portion>> = days.iter().map(|day| talked(day)).collect();
            let slices = self.slices(&portions.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
            for (day, slice) in days.iter().zip(&slices) {
                texts.extend(self.session_packs(day, slice, run)?);
            }
            run.ask_all(&texts)?;
            for day in &days {
                doubts.extend(self.session_doubts(day, (run.author(), &run.outcome.model))?);
            }
            run.ask_all(&packs(doubts))?;
            let digests = days.iter().flatten().flat_map(|one| &one.tasks).map(|task| &task.digest);
            doubted.extend(digests.filter(|digest| run.is_under_way(Kind::Doubt, digest)).cloned());
        }
        let replies = self.replies()?;
        for ToRead { entry, tasks } in days.into_iter().flatten() {
            // The journal only grows: what is written waits for what is said of its doubts.
            if tasks.iter().any(|task| doubted.contains(&task.digest)) {
                done.note_open(entry, "what is doubted of it is under way in a batch".to_owned());
                continue;
            }
            match self.joined(&entry, &tasks, &replies) {
                Joined::Missing(n) => {
                    done.note_open(entry, format!("nobody replied to {n} of its {} parts yet", tasks.len()));
                }
                Joined::Refused => {
                    let reason = "nothing of the reply holds; another model may do better".to_owned();
                    done.note_open(entry, reason);
                }
                Joined::Entry(written) if thin == Thin::Refused && written.n_statements < entry.n_least => {
                    let (n_read, n_extracted) = (written.n_statements, entry.said.len());
                    done.thin.push(ThinReading { path: entry.path, lines: entry.lines, n_read, n_extracted });
                }
                Joined::Entry(written) => self.append_distilled(&entry, *written, done)?,
            }
        }
        Ok(())
    }

    /// Entries with their tasks; those that cannot be read come to `done` with their reasons.
    fn to_read(&self, entries: Vec<Extracted>, known: &Known, done: &mut DistillOutcome) -> Vec<ToRead> {
        let mut out = Vec::new();
        for entry in entries {
            match self.session_tasks(&entry, known) {
                Ok(tasks) => out.push(ToRead { entry, tasks }),
                Err(reason) => done.note_open(entry, reason),
            }
        }
        out
    }

    /// The tasks of a day, or of some that share a call, that are to be asked, in packs that are asked at once, with what is
    /// shown of the wiki.
    fn session_packs(&self, day: &[&ToRead], slice: &Slice, run: &Run<'_>) -> Result<Vec<Vec<Task>>, Failure> {
        let replies = self.replies()?;
        let of = |one: &&ToRead| match run.author().renew {
            true => one.tasks.clone(),
            false => self.to_ask(&one.entry, &one.tasks, &replies).into_iter().cloned().collect(),
        };
        let mut packs = packs(day.iter().flat_map(of).collect());
        packs.iter_mut().for_each(|tasks| show_beside(tasks, slice));
        Ok(packs)
    }

    /// Returns what [`Engine::distill`] would ask and what that can cost at most; asks nothing. The entries
    /// that cannot be distilled come with their reasons.
    ///
    /// # Errors
    /// As [`Engine::distill`].
    pub fn estimate_distill(
        &self,
        session: Option<&str>,
        author: &Author,
    ) -> Result<(EstimateOutcome, DistillOutcome), Failure> {
        let Some(model) = author.model.as_deref() else { return Ok(Default::default()) };
        let run = Run::new(self, author, model)?;
        let mut out = EstimateOutcome { model: model.name().to_owned(), ..EstimateOutcome::default() };
        let (entries, n_before) = self.extracted(session)?;
        let mut done = DistillOutcome { n_before, ..DistillOutcome::default() };
        let known = self.known();
        let days = by_day(entries).into_iter().map(|day| self.to_read(day, &known, &mut done)).collect();
        self.estimate_days(days, &run, &mut out)?;
        Ok((out, done))
    }

    /// Adds what reading the sessions of some days would ask.
    pub(crate) fn estimate_days(
        &self,
        days: Vec<Vec<ToRead>>,
        run: &Run<'_>,
        out: &mut EstimateOutcome,
    ) -> Result<(), Failure> {
        let lens = run.days_at_once(&sizes(&days));
        for some in grouped(days, &lens) {
            for day in shared(&some) {
                let slice = self.slice(&talked(&day))?;
                self.session_packs(&day, &slice, run)?.iter().for_each(|pack| out.add(pack, run));
            }
        }
        Ok(())
    }

    /// Whether what was said may still become an entry: something of it has no reply yet, or its replies are enough.
    fn may_become_an_entry(&self, ToRead { entry, tasks }: &ToRead, replies: &Replies) -> bool {
        match self.joined(entry, tasks, replies) {
            Joined::Missing(_) => true,
            Joined::Refused => false,
            Joined::Entry(written) => written.n_statements >= entry.n_least,
        }
    }

    /// The tasks of reading what an entry was extracted from.
    fn session_tasks(&self, entry: &Extracted, known: &Known) -> Result<Vec<Task>, String> {
        let session = entry.session();
        let is_forgotten = match self.readable_of(&self.forgotten().unwrap_or_default(), session) {
            Readable::All => false,
            Readable::From(first) => entry.provenance.range.is_none_or(|range| range.0 < first),
            Readable::Nothing(_) => true,
        };
        if is_forgotten {
            return Err("something of it was forgotten, so its transcript is not read again".to_owned());
        }
        let seen = known.session(session).filter(|seen| !seen.place.is_empty());
        let seen = seen.ok_or("where its transcript lies is not known; `ken sync` looks for it")?;
        let (records, at) = read_again(seen, &entry.provenance, &entry.said, (&self.clock.zone, self.clock.now))?;
        if at.cwd.is_some_and(|cwd| self.is_excluded(Path::new(&cwd))) {
            return Err("its project is excluded by now".to_owned());
        }
        let project = entry.provenance.project.iter().map(|name| format!("Project: {}", one_line(name)));
        let branch = at.branch.iter().map(|name| format!("branch {}", one_line(&scrub(name).0)));
        let name = told::name_of(&entry.provenance);
        let place = project.chain(branch).chain(name).collect::<Vec<_>>().join(", ");
        let portions = told::portions((&entry.path, entry.date), &place, &records);
        let n_all = portions.len();
        if n_all == 0 {
            return Err("nothing is said in that part of its transcript".to_owned());
        }
        let task = |(n, portion): (usize, Portion)| {
            let part = if n_all == 1 { String::new() } else { format!(", part {} of {n_all}", n + 1) };
            let label = format!("session {session} in {}{part}", entry.path);
            let read = vec![Cited { path: entry.path.to_string(), lines: (0, 0) }];
            let digest = portion.digest.clone();
            Task { read, ..Task::new(Input::Session(Box::new(portion), session.to_owned()), digest, label) }
        };
        Ok(portions.into_iter().enumerate().map(task).collect())
    }

    /// The tasks about sessions whose digests are wanted, whether or not somebody replied to them.
    pub(crate) fn session_tasks_named(&self, is_wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Task>, Failure> {
        let known = self.known();
        let tasks = self.extracted(None)?.0.into_iter().filter_map(|entry| self.session_tasks(&entry, &known).ok());
        Ok(tasks.flatten().filter(|task| is_wanted(&task.digest)).collect())
    }

    /// The tasks of an entry that are to be asked: those without a reply; if all have one and nothing holds,
    /// every one whose reply gave nothing.
    fn to_ask<'a>(&self, entry: &Extracted, tasks: &'a [Task], replies: &Replies) -> Vec<&'a Task> {
        let is_refused = matches!(self.joined(entry, tasks, replies), Joined::Refused);
        tasks.iter().filter(|task| is_refused || !replies.has(Kind::Distill, &task.digest)).collect()
    }

    /// Appends an entry, unless somebody did so meanwhile or what it was made from is gone.
    fn append_distilled(&self, entry: &Extracted, written: Written, done: &mut DistillOutcome) -> Result<(), Failure> {
        let guard = self.lock("distill")?;
        let text = self.store.read(&entry.path)?.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let (open, _) = of_day(&entry.path, entry.date, &text, Some(entry.session()));
        if !open.iter().any(|other| other.provenance.is_of_same_part(&entry.provenance)) {
            done.n_before += 1;
            return Ok(());
        }
        // Before the entry: whoever is stopped between the two writes the same again.
        self.keep_reading(entry, &written)?;
        let session = entry.session().to_owned();
        let title = written.new.title.clone();
        self.append(&guard, "distill", &format!("session {session}"), &[(entry.date, written.new)])?;
        let n_statements = written.n_statements;
        done.written.push(DistilledEntry { session, path: entry.path.clone(), title, n_statements });
        Ok(())
    }

    /// Records what an entry claims as the reading of it.
    fn keep_reading(&self, entry: &Extracted, written: &Written) -> Result<(), Failure> {
        // Statements without subjects are read when they are compiled, as before there was one reading.
        if written.reading.claims.is_empty() {
            return Ok(());
        }
        let rules = rules_of(Kind::Compile);
        let manner = Manner { prompt: rules.version, schema: rules.schema_digest(), ..written.manner.clone() };
        let day = (&entry.path, entry.date);
        for (portion, reply, shown) in claims::derived(day, &written.new, &written.reading, &written.shown) {
            let at = self.clock.now.to_string();
            let mut record = Record::new(Kind::Compile, &portion.digest, manner.clone(), at, reply.to_string());
            record.read = vec![Cited { path: portion.path.to_string(), lines: (0, 0) }];
            record.shown = shown;
            self.keep_record(&record)?;
        }
        Ok(())
    }
}

impl DistillOutcome {
    fn note_open(&mut self, entry: Extracted, reason: String) {
        self.open.push((entry.session().to_owned(), entry.path, reason));
    }
}

/// What a task about a session reads.
fn portion_of(task: &Task) -> Option<Portion> {
    match &task.input {
        Input::Session(portion, _) => Some((**portion).clone()),
        _ => None,
    }
}

/// How much there is to read of each day.
pub(crate) fn sizes(days: &[Vec<ToRead>]) -> Vec<Size> {
    days.iter().map(|day| Size::of(day.iter().flat_map(|one| &one.tasks))).collect()
}

/// Days as those that share a call are one.
fn shared(days: &[Vec<ToRead>]) -> Vec<Vec<&ToRead>> {
    let days_of_calls = grouped(days.iter().collect(), &sharing(&sizes(days)));
    days_of_calls.into_iter().map(|days| days.into_iter().flatten().collect()).collect()
}

/// What was said in the sessions of a day.
fn talked(day: &[&ToRead]) -> Vec<Portion> {
    day.iter().flat_map(|one| &one.tasks).filter_map(portion_of).collect()
}

/// How a model is named in the journal: of a program, which has arguments and lies somewhere on a machine,
/// only its name.
pub(crate) fn mark_of(model: &str) -> String {
    let model = match model.strip_prefix("command:") {
        Some(command) => {
            let program = command.split_whitespace().next().unwrap_or_default();
            format!("command:{}", program.rsplit(['/', '\\']).next().unwrap_or_default())
        }
        None => scrub(model.trim()).0.into_owned(),
    };
    if model.is_empty() { "unknown".to_owned() } else { model }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_mark(model: &str, expected: &str) {
        assert_eq!(mark_of(model), expected);
    }

    #[test]
    fn a_mark_names_a_model_and_no_place_on_a_machine() {
        check_mark("anthropic:claude-small", "anthropic:claude-small");
        check_mark("command:/home/ann/bin/claude -p", "command:claude");
        check_mark("agent", "agent");
        check_mark(" ", "unknown");
    }
}

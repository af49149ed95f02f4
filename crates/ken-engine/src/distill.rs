//! Lets a model write journal entries anew from the transcripts that they were extracted from.
//!
//! Capturing needs no model and loses nothing; a distilled entry comes later, says the same part of the same
//! session better, and is appended beside the extracted one. Which entries have none is read from the journal
//! each time, so there is nothing to get out of step: what was not read, or not answered, or did not hold
//! stays as it is and is reported.
//!
//! The model is asked without the vault's lock. The lock is taken to append, and the day is read again then.

mod told;

use std::collections::BTreeSet;
use std::path::Path;

use ken_core::journal::{JournalEntry, NewEntry, Provenance, SectionKind, one_line, parse_journal, parse_sections};
use ken_core::text::cut;
use ken_core::{Date, VaultPath};
use ken_intake::scrub::scrub;
use ken_model::Money;

use crate::EstimateOutcome;
use crate::capture::{is_at_hand, read_again};
use crate::compile::sources::is_day;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::forget::Readable;
use crate::propose::check::Report;
use crate::propose::kinds::{Kind, distill};
use crate::propose::record::{Cited, Replies};
use crate::propose::run::{AskedOutcome, Author, Run};
use crate::propose::task::{Input, Task};
use crate::seen::Known;

/// What an entry says when nothing is worth keeping.
const NOTHING: &str = "Nothing in this part of the session is worth keeping.";
/// Most characters of a model's name that an entry carries: a command may be long.
const MODEL_CHARS_MAX: usize = 80;

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
    /// Entries that had been distilled before.
    pub n_before: usize,
}

/// An extracted entry that nobody distilled.
pub(crate) struct Extracted {
    path: VaultPath,
    date: Date,
    title: String,
    time: (u8, u8),
    provenance: Provenance,
    /// Its lines, tool runs aside.
    said: Vec<String>,
}

/// What the recorded replies to all portions of an entry come to.
enum Joined {
    /// So many portions have none.
    Missing(usize),
    /// Nothing holds, and something did not.
    Refused,
    /// The entry, and how many statements it has.
    Entry(Box<NewEntry>, usize),
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
        let known = self.known();
        let (entries, n_before) = self.extracted(session)?;
        let mut done = DistillOutcome { n_before, ..DistillOutcome::default() };
        for entry in entries {
            let tasks = match self.session_tasks(&entry, &known) {
                Ok(tasks) => tasks,
                Err(reason) => {
                    done.note_open(entry, reason);
                    continue;
                }
            };
            if let Some(run) = &mut run {
                for task in self.to_ask(&entry, &tasks)? {
                    run.ask(task)?;
                }
            }
            match self.joined(&entry, &tasks, &self.replies()?) {
                Joined::Missing(n) => {
                    done.note_open(entry, format!("nobody replied to {n} of its {} parts yet", tasks.len()));
                }
                Joined::Refused => {
                    let reason = "nothing of the reply holds; another model may do better".to_owned();
                    done.note_open(entry, reason);
                }
                Joined::Entry(new, n) => self.append_distilled(&entry, (*new, n), &mut done)?,
            }
        }
        Ok((done, run.map(|run| run.outcome)))
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
        let known = self.known();
        let (entries, n_before) = self.extracted(session)?;
        let mut done = DistillOutcome { n_before, ..DistillOutcome::default() };
        for entry in entries {
            match self.session_tasks(&entry, &known) {
                Ok(tasks) => {
                    for task in self.to_ask(&entry, &tasks)? {
                        let (bound, tokens) = run.bound(task);
                        out.bound = Money(out.bound.0.saturating_add(bound.0));
                        out.tasks.push((task.kind().as_str(), task.label.clone(), tokens));
                    }
                }
                Err(reason) => done.note_open(entry, reason),
            }
        }
        Ok((out, done))
    }

    /// The extracted entries that nobody distilled, the oldest day first, and how many were.
    fn extracted(&self, session: Option<&str>) -> Result<(Vec<Extracted>, usize), Failure> {
        let folder = self.layout().journal.clone();
        let mut files = self.store.list(&folder)?.files;
        files.retain(|file| is_day(&file.path, &folder) && date_of(&file.path).is_some());
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let days = self.store.map_files(&files, |file, bytes| {
            let (text, date) = (String::from_utf8(bytes).ok()?, date_of(&file.path)?);
            Some(of_day(&file.path, date, &text, session))
        })?;
        let (mut entries, mut n_done) = (Vec::new(), 0);
        for (open, done) in days.into_iter().flatten().flatten() {
            entries.extend(open);
            n_done += done;
        }
        if let Some(wanted) = session.filter(|_| entries.is_empty() && n_done == 0) {
            return Err(Failure::usage(format!("no entry of the journal is of a session `{}`", cut(wanted, 60)))
                .hint("entries name their session in the comment below their heading; `ken sync` captures new ones"));
        }
        Ok((entries, n_done))
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
        let (records, cwd) = read_again(seen, &entry.provenance, &entry.said, (&self.clock.zone, self.clock.now))?;
        if cwd.is_some_and(|cwd| self.is_excluded(Path::new(&cwd))) {
            return Err("its project is excluded by now".to_owned());
        }
        let portions = told::portions(&entry.path, entry.date, &records);
        let n_all = portions.len();
        if n_all == 0 {
            return Err("nothing is said in that part of its transcript".to_owned());
        }
        let task = |(n, portion): (usize, ken_compile::portion::Portion)| {
            let part = if n_all == 1 { String::new() } else { format!(", part {} of {n_all}", n + 1) };
            let label = format!("session {session} in {}{part}", entry.path);
            let read = vec![Cited { path: entry.path.to_string(), lines: (0, 0) }];
            let digest = portion.digest.clone();
            Task { read, ..Task::new(Input::Session(Box::new(portion), session.to_owned()), digest, label) }
        };
        Ok(portions.into_iter().enumerate().map(task).collect())
    }

    /// The first open task about a session whose transcript is at hand and that is free, and how many are open
    /// besides, at least.
    pub(crate) fn next_session(&self, is_free: &dyn Fn(&Task) -> bool) -> Result<Option<(Task, usize)>, Failure> {
        let known = self.known();
        let mut entries = self.extracted(None)?.0;
        entries.retain(|entry| known.session(entry.session()).is_some_and(is_at_hand));
        let mut n_taken = 0;
        for (n, entry) in entries.iter().enumerate() {
            let Ok(tasks) = self.session_tasks(entry, &known) else { continue };
            let open = self.to_ask(entry, &tasks)?;
            if let Some(task) = open.iter().find(|task| is_free(task)) {
                return Ok(Some(((*task).clone(), n_taken + open.len() - 1 + entries.len() - n - 1)));
            }
            n_taken += open.len();
        }
        Ok(None)
    }

    /// The task about a session that has this digest, whether or not somebody replied to it.
    pub(crate) fn session_task(&self, digest: &str) -> Result<Option<Task>, Failure> {
        let known = self.known();
        let tasks = self.extracted(None)?.0.into_iter().filter_map(|entry| self.session_tasks(&entry, &known).ok());
        Ok(tasks.flatten().find(|task| task.digest == digest))
    }

    /// The tasks of an entry that are to be asked: those without a reply; if all have one and nothing holds,
    /// every one whose reply gave nothing.
    fn to_ask<'a>(&self, entry: &Extracted, tasks: &'a [Task]) -> Result<Vec<&'a Task>, Failure> {
        let replies = self.replies()?;
        let is_refused = matches!(self.joined(entry, tasks, &replies), Joined::Refused);
        Ok(tasks.iter().filter(|task| is_refused || !replies.has(Kind::Distill, &task.digest)).collect())
    }

    /// Joins what holds of the recorded replies to one entry.
    fn joined(&self, entry: &Extracted, tasks: &[Task], replies: &Replies) -> Joined {
        let (mut report, mut models, mut n_missing) = (Report::default(), BTreeSet::new(), 0);
        let mut title = String::new();
        let mut said: Vec<(SectionKind, Vec<String>)> = SectionKind::ALL.map(|kind| (kind, Vec::new())).into();
        for task in tasks {
            let Input::Session(portion, _) = &task.input else { continue };
            let record = self.standing(replies, Kind::Distill, &task.digest);
            let reply = record.as_ref().and_then(|record| ken_model::json_of(&record.reply));
            let (Some(record), Some(reply)) = (record, reply) else {
                n_missing += 1;
                continue;
            };
            models.insert(record.manner.model);
            let distilled = distill::check(&reply, portion, &mut report);
            if title.is_empty() {
                title = distilled.title;
            }
            for (kind, text) in distilled.said {
                add(&mut said, kind, text);
            }
        }
        let n_said = said.iter().map(|(_, texts)| texts.len()).sum();
        match n_said {
            _ if n_missing > 0 => return Joined::Missing(n_missing),
            0 if !report.rejected.is_empty() => return Joined::Refused,
            0 => add(&mut said, SectionKind::Context, NOTHING.to_owned()),
            _ => {}
        }
        said.retain(|(_, texts)| !texts.is_empty());
        // Records come with a clone; the mark stands whatever they say.
        let models: BTreeSet<String> = models.iter().map(|model| mark_of(model)).collect();
        let provenance = Provenance {
            distilled: Some(cut(&models.into_iter().collect::<Vec<_>>().join(","), MODEL_CHARS_MAX)),
            keeps_nothing: n_said == 0,
            ..entry.provenance.clone()
        };
        let title = if title.is_empty() { entry.title.clone() } else { title };
        Joined::Entry(Box::new(NewEntry { title, time: entry.time, provenance, sections: said }), n_said)
    }

    /// Appends an entry, unless somebody did so meanwhile or what it was made from is gone.
    fn append_distilled(
        &self,
        entry: &Extracted,
        (new, n_statements): (NewEntry, usize),
        done: &mut DistillOutcome,
    ) -> Result<(), Failure> {
        let guard = self.lock("distill")?;
        let text = self.store.read(&entry.path)?.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let (open, _) = of_day(&entry.path, entry.date, &text, Some(entry.session()));
        if !open.iter().any(|other| other.provenance.is_of_same_part(&entry.provenance)) {
            done.n_before += 1;
            return Ok(());
        }
        let session = entry.session().to_owned();
        let title = new.title.clone();
        self.append(&guard, "distill", &format!("session {session}"), &[(entry.date, new)])?;
        done.written.push(DistilledEntry { session, path: entry.path.clone(), title, n_statements });
        Ok(())
    }
}

impl Extracted {
    fn session(&self) -> &str {
        self.provenance.session.as_deref().unwrap_or_default()
    }
}

impl DistillOutcome {
    fn note_open(&mut self, entry: Extracted, reason: String) {
        self.open.push((entry.session().to_owned(), entry.path, reason));
    }
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

/// Adds a statement to its section, once; of an entry's contexts the first counts.
fn add(said: &mut [(SectionKind, Vec<String>)], kind: SectionKind, text: String) {
    let is_known = said.iter().flat_map(|(_, texts)| texts).any(|known| known.eq_ignore_ascii_case(&text));
    let section = said.iter_mut().find(|(known, _)| *known == kind);
    let section = section.filter(|(_, texts)| kind != SectionKind::Context || texts.is_empty());
    if let Some((_, texts)) = section.filter(|_| !is_known) {
        texts.push(text);
    }
}

fn date_of(path: &VaultPath) -> Option<Date> {
    path.file_name().strip_suffix(".md")?.parse().ok()
}

/// The extracted entries of a day that nobody distilled, and how many were; each part of a session once, and
/// only of sessions whose name begins with `session`, if it is given.
fn of_day(path: &VaultPath, date: Date, text: &str, session: Option<&str>) -> (Vec<Extracted>, usize) {
    let day = parse_journal(text, Some(date)).value;
    let (mut open, mut n_done): (Vec<Extracted>, usize) = (Vec::new(), 0);
    for entry in &day.entries {
        let provenance = &entry.provenance;
        let is_extracted = provenance.distilled.is_none()
            && provenance.range.is_some_and(|(start, end)| start < end)
            && provenance.session.is_some()
            && session.is_none_or(|wanted| provenance.session.as_deref().is_some_and(|name| name.starts_with(wanted)));
        if !is_extracted || open.iter().any(|other| other.provenance.is_of_same_part(provenance)) {
            continue;
        }
        let is_distilled =
            |other: &JournalEntry| other.provenance.distilled.is_some() && other.provenance.is_of_same_part(provenance);
        if day.entries.iter().any(is_distilled) {
            n_done += 1;
            continue;
        }
        let sections = parse_sections(text, entry.body).into_iter();
        let said = sections.filter(|section| section.kind.is_said()).flat_map(|section| section.items);
        open.push(Extracted {
            path: path.clone(),
            date,
            title: entry.title.clone(),
            time: entry.time.unwrap_or_default(),
            provenance: provenance.clone(),
            said: said.map(|item| one_line(item.of(text))).collect(),
        });
    }
    (open, n_done)
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

    #[test]
    fn statements_are_joined_once_and_the_first_context_counts() {
        let mut said: Vec<(SectionKind, Vec<String>)> = SectionKind::ALL.map(|kind| (kind, Vec::new())).into();
        for text in ["One.", "Two.", "ONE."] {
            add(&mut said, SectionKind::Context, text.to_owned());
            add(&mut said, SectionKind::LessonsLearned, text.to_owned());
        }
        let lens: Vec<usize> = said.iter().map(|(_, texts)| texts.len()).collect();
        assert_eq!(lens, [1, 0, 0, 1, 0, 0, 0]);
    }
}

//! `ken watch`: compiles what changes, as it changes.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ken_core::layout::TOOL_FOLDER;
use ken_engine::outcome::CompileOutcome;
use ken_engine::search::Refreshed;
use ken_engine::{Concern, Engine, Failure, FailureKind, Watched};
use serde::Serialize;

use crate::exit::Answer;
use crate::session::Session;
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::watcher::{End, Inbox, News, Watching};
use crate::{env, wire, worker};

/// Compile and index what changes, as it changes
///
/// Waits for changes of the journal, the sources and the pages, and compiles them
/// within two seconds; the search index is brought up to date too. It waits for the
/// system to tell and looks by itself, every few seconds, only where the system
/// cannot. Jobs of hooks that are to wait are done when they are due. One
/// process watches a vault. It asks no model and changes nothing but what `ken
/// compile` changes. Ctrl-C ends it; it ends with its terminal, too.
///
/// Examples:
///   ken watch
///   ken watch --json          one line of JSON for each thing that is done
///   ken watch --stdin         end when standard input ends, for whoever starts it
///   ken install watch         how to let the system start it
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// End when standard input ends, as it does when whoever started this is gone
    #[arg(long)]
    stdin: bool,
    /// Look every few seconds instead of waiting for the system to tell
    #[arg(long)]
    poll: bool,
}

/// Another `ken` is waited for so long before it is tried again.
const AGAIN: Duration = Duration::from_secs(1);
/// How long a compile waits for another `ken` at once: whoever is told to end is not to wait for it.
const PATIENCE: Duration = Duration::from_millis(200);
/// Where the system does not tell, a look comes after so long at least, and may take a two-hundredth of the time.
const LOOK_MIN: Duration = Duration::from_secs(5);
const LOOK_SHARE: u32 = 200;
/// What a hook leaves it also wakes a worker for; one that takes longer than this is waited for longer and longer.
const JOB_PAUSE: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(300));

/// What a line of JSON tells.
#[derive(Serialize)]
struct Line<'a> {
    event: &'a str,
    at: String,
    #[serde(flatten)]
    more: More<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum More<'a> {
    Watching {
        vault: String,
        pid: u32,
        folders: usize,
        /// Seconds between two looks, where the system does not tell, and why it does not.
        #[serde(skip_serializing_if = "Option::is_none")]
        look_s: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
    },
    Done {
        inputs: Vec<&'a str>,
        created: Vec<&'a str>,
        updated: Vec<&'a str>,
        removed: Vec<&'a str>,
        indexed: usize,
        duration_ms: u64,
    },
    Said {
        message: &'a str,
        #[serde(skip_serializing_if = "<[String]>::is_empty")]
        hints: &'a [String],
    },
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let engine = session.engine()?;
    let _alone = engine.watch_alone()?;
    let mut watch = Watch {
        session,
        ui,
        root: engine.root().to_owned(),
        inbox: Inbox::new(args.stdin),
        without: args.poll.then_some("`--poll` says so"),
        look_pause: LOOK_MIN,
        job_pause: JOB_PAUSE.0,
        begun: None,
        failed: String::new(),
    };
    let end = watch.run()?;
    let words = match end {
        End::Told => "stopped",
        End::Owner => "ended: whoever started it is gone",
    };
    watch.tell("ended", words, More::Said { message: words, hints: &[] });
    Ok(Answer::Yes)
}

/// A vault that is watched.
struct Watch<'a> {
    session: &'a Session,
    ui: &'a mut Ui,
    root: PathBuf,
    inbox: Inbox,
    /// Why the system is not asked to tell, if it is not.
    without: Option<&'static str>,
    look_pause: Duration,
    job_pause: Duration,
    /// Why the system does not tell, as it was said last; `None` before anything was said.
    begun: Option<Option<String>>,
    /// What failed and was said to; empty since something was done.
    failed: String,
}

/// What comes by itself, and when.
#[derive(Debug, Clone, Copy, Default)]
struct Next {
    again: Option<Instant>,
    jobs: Option<Instant>,
    look: Option<Instant>,
}

impl Next {
    fn first(self) -> Option<Instant> {
        [self.again, self.jobs, self.look].into_iter().flatten().min()
    }
}

fn is_over(at: Option<Instant>) -> bool {
    at.is_some_and(|at| at <= Instant::now())
}

impl Watch<'_> {
    fn run(&mut self) -> Result<End, Failure> {
        // What the system was asked before is dropped only when it was asked anew, so that nothing is missed.
        let mut last = None;
        loop {
            self.check_is_there()?;
            let engine = self.session.engine_again(&self.root, PATIENCE);
            let end = match engine.and_then(|engine| Ok((engine.watched(false)?, engine))) {
                Ok((watched, engine)) => {
                    let watching = Watching::begin(&watched, &self.inbox, self.without);
                    self.tell_begin(&watched, watching.reason());
                    // What is seen later is compared with what stood there before this compile.
                    let before = watching.reason().map(|_| self.look(&engine)).transpose()?;
                    let next = self.round(&engine)?;
                    last = Some(watching);
                    self.wait(next, &engine, before)?
                }
                // What was asked before still tells when the configuration is mended.
                Err(failure) => {
                    self.tell_failure(&failure);
                    let again = last.as_ref().is_none_or(|last| last.reason().is_some());
                    let again = again.then(|| Instant::now() + LOOK_MIN);
                    self.wait_for_more(Next { again, ..Next::default() })?
                }
            };
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    fn check_is_there(&self) -> Result<(), Failure> {
        if self.root.join(TOOL_FOLDER).is_dir() {
            return Ok(());
        }
        Err(Failure::refused(format!(
            "the vault at `{}` is gone, so nothing is watched any longer",
            self.root.display()
        ))
        .hint("if it was moved, start `ken watch` there"))
    }

    /// Looks at every file; how often that may be done follows from how long it takes.
    fn look(&mut self, engine: &Engine) -> Result<Watched, Failure> {
        let started = Instant::now();
        let watched = engine.watched(true)?;
        self.look_pause = (started.elapsed() * LOOK_SHARE).max(LOOK_MIN);
        Ok(watched)
    }

    /// Compiles, and returns what comes next by itself.
    fn round(&mut self, engine: &Engine) -> Result<Next, Failure> {
        let started = Instant::now();
        let mut next = Next { jobs: self.next_jobs(engine)?, ..Next::default() };
        match engine.keep_up() {
            Ok(done) => self.tell_done(&done, started.elapsed()),
            Err(failure) => {
                next.again = (failure.kind == FailureKind::Retry).then(|| Instant::now() + AGAIN);
                self.tell_failure(&failure);
            }
        }
        engine.notices().iter().for_each(|notice| self.ui.warning(notice));
        Ok(next)
    }

    /// Returns when a worker is to be started for what hooks left: they start one themselves for what is due at once.
    fn next_jobs(&mut self, engine: &Engine) -> Result<Option<Instant>, Failure> {
        let clock = self.session.clock_now()?;
        let at = engine.at_time(clock.clone()).next_job_at()?;
        let Some(at) = at.filter(|_| !env::is_frozen() && !env::is_without_worker()) else {
            self.job_pause = JOB_PAUSE.0;
            return Ok(None);
        };
        let left = Duration::try_from(at.duration_since(clock.now)).unwrap_or(Duration::ZERO);
        Ok(Some(Instant::now() + left + self.job_pause))
    }

    fn start_worker(&mut self, engine: &Engine) -> Result<Option<Instant>, Failure> {
        if engine.at_time(self.session.clock_now()?).has_due_jobs()? {
            worker::wake(engine);
            self.job_pause = (self.job_pause * 2).min(JOB_PAUSE.1);
            let words = "jobs of hooks are due: a worker was started";
            self.tell("worker", words, More::Said { message: words, hints: &[] });
        }
        self.next_jobs(engine)
    }

    /// Waits until there may be something to compile, or it is time to go.
    fn wait(&mut self, mut next: Next, engine: &Engine, before: Option<Watched>) -> Result<Option<End>, Failure> {
        loop {
            next.look = before.as_ref().map(|_| Instant::now() + self.look_pause);
            if self.ui.is_cut_off() {
                return Ok(Some(End::Owner));
            }
            match self.inbox.wait(next.first()) {
                Some(News::End(end)) => return Ok(Some(end)),
                Some(News::Changed(Concern::Vault)) => return Ok(self.inbox.settle()),
                Some(News::Changed(Concern::Jobs)) => next.jobs = self.next_jobs(engine)?,
                None if is_over(next.again) => return Ok(None),
                None if is_over(next.jobs) => next.jobs = self.start_worker(engine)?,
                None => {
                    self.check_is_there()?;
                    let now = self.look(engine)?;
                    if before.as_ref().is_none_or(|before| !before.looks_like(&now)) {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// The same while nothing can be done.
    fn wait_for_more(&mut self, next: Next) -> Result<Option<End>, Failure> {
        loop {
            match self.inbox.wait(next.first()) {
                Some(News::End(end)) => return Ok(Some(end)),
                Some(News::Changed(Concern::Vault)) => return Ok(self.inbox.settle()),
                Some(News::Changed(Concern::Jobs)) => {}
                None => return Ok(None),
            }
        }
    }
}

/// What is printed.
impl Watch<'_> {
    fn tell(&mut self, event: &str, words: &str, more: More<'_>) {
        let clock = self.session.clock_now().unwrap_or_else(|_| self.session.clock().clone());
        if self.ui.is_json() {
            self.ui.json_line(&Line { event, at: clock.now.to_string(), more });
        } else {
            let at = clock.now.to_zoned(clock.zone).strftime("%H:%M:%S").to_string();
            self.ui.say(format!("{at} {}", clean(words)));
        }
        self.ui.flush();
    }

    /// Says what is watched, and how, when that changes.
    fn tell_begin(&mut self, watched: &Watched, reason: Option<&str>) {
        if self.begun.as_ref().is_some_and(|begun| begun.as_deref() == reason) {
            return;
        }
        self.begun = Some(reason.map(ToOwned::to_owned));
        let folders = watched.folders().len();
        let vault = self.root.display().to_string();
        let look_s = reason.map(|_| self.look_pause.as_secs());
        let words = match reason {
            None => format!("watching {vault}: {}", count(folders, "folder")),
            Some(reason) => format!("looking at {vault} every {} s or less often: {reason}", LOOK_MIN.as_secs()),
        };
        self.tell("watching", &words, More::Watching { vault, pid: std::process::id(), folders, look_s, reason });
    }

    fn tell_done(&mut self, (done, refreshed): &(CompileOutcome, Refreshed), took: Duration) {
        if !std::mem::take(&mut self.failed).is_empty() {
            let words = "works again";
            self.tell("works", words, More::Said { message: words, hints: &[] });
        }
        let CompileOutcome { created, updated, removed, .. } = done;
        let n_pages = [(created, "created"), (updated, "updated"), (removed, "removed")];
        let pages = n_pages.iter().filter(|(pages, _)| !pages.is_empty());
        let pages = pages.map(|(pages, what)| format!("{} {what}", count(pages.len(), "page")));
        let inputs: Vec<&str> = done.inputs.iter().map(ken_core::VaultPath::as_str).collect();
        let read = (!inputs.is_empty()).then(|| format!("{} read", count(inputs.len(), "source")));
        let indexed = refreshed.n_read + refreshed.n_gone;
        let index = (indexed > 0).then(|| format!("{} indexed", count(indexed, "file")));
        let words: Vec<String> = read.into_iter().chain(pages).chain(index).collect();
        if words.is_empty() {
            return;
        }
        let more = More::Done {
            inputs,
            created: wire::slugs(created),
            updated: wire::slugs(updated),
            removed: wire::slugs(removed),
            indexed,
            duration_ms: took.as_millis() as u64,
        };
        self.tell("compiled", &words.join(", "), more);
    }

    /// Says what failed, once.
    fn tell_failure(&mut self, failure: &Failure) {
        let is_waiting = failure.kind == FailureKind::Retry;
        let what = if is_waiting { "waiting" } else { failure.message.as_str() };
        if self.failed == what {
            return;
        }
        what.clone_into(&mut self.failed);
        let (event, message, hints) = match is_waiting {
            true => ("waiting", format!("waiting: {}", failure.message), &[][..]),
            false => ("failed", failure.message.clone(), failure.hints.as_slice()),
        };
        if is_waiting || self.ui.is_json() {
            self.tell(event, &message, More::Said { message: &failure.message, hints });
        } else {
            self.ui.failure(failure);
        }
    }
}

//! `ken work`: works through the spool.

use std::time::Instant;

use ken_engine::outcome::WorkOutcome;
use ken_engine::{BackgroundOutcome, Engine, Failure};
use serde::Serialize;

use crate::background::{self, Call};
use crate::env;
use crate::exit::Answer;
use crate::session::Session;
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::worker;

/// Capture what hooks left in the spool; compile and consolidate when it is time
///
/// Hooks start this in the background; by hand it is only needed to see what
/// happens. It takes the jobs that are due, one worker at a time, and leaves when
/// there are none. A job that fails stays and is tried again later. Then it asks
/// the model that `[background]` of your own models.toml names, if it names one
/// and it is time, within what that file allows for a day and a month.
///
/// Examples:
///   ken work
///   ken work --json
///   ken work --ask     ask that model now, whatever its times
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Start a worker in the background and return
    #[arg(long, conflicts_with = "in_session")]
    detach: bool,
    /// Ask the model that works in the background now, pauses after failures aside
    #[arg(long, conflicts_with_all = ["detach", "in_session"])]
    ask: bool,
    /// Leave the session of the caller first
    #[arg(long, hide = true)]
    in_session: bool,
    /// End the programs that standard input tells of when it ends
    #[arg(long, hide = true, conflicts_with_all = ["detach", "in_session", "ask"])]
    watch: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    done: usize,
    left: usize,
    entries_added: usize,
    compiled: bool,
    consolidated: bool,
    failed: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    background: Option<BackgroundWire<'a>>,
}

#[derive(Serialize)]
struct BackgroundWire<'a> {
    sessions: usize,
    answered: usize,
    usd: f64,
    left: usize,
    under_way: usize,
    stopped: Option<&'a str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    if args.watch {
        env::end_what_input_tells();
        return Ok(Answer::Yes);
    }
    let engine = session.engine()?;
    if args.detach {
        worker::detach(&engine).map_err(|error| crate::failure::of_process("cannot start a worker", &error))?;
        return Ok(Answer::Yes);
    }
    if args.in_session {
        worker::begin_session();
    }
    engine.note_project();
    let done = work(session, &engine)?;
    let call = match args {
        Args { ask: true, .. } => Call::Now,
        Args { in_session: true, .. } => Call::Worker,
        _ => Call::Person,
    };
    let asked = background::ask(session, &engine, call, ui);
    fill_vectors(&engine, ui);
    report(&done, asked, args.ask, ui)
}

/// Says what was done. That a model could not be asked fails the command only if that was what it was called for.
fn report(
    done: &WorkOutcome,
    asked: Result<Option<BackgroundOutcome>, Failure>,
    is_for_asking: bool,
    ui: &mut Ui,
) -> Result<Answer, Failure> {
    let asked = match asked {
        Err(failure) if is_for_asking => return Err(failure),
        Err(failure) => {
            ui.warning(&format!("no model was asked in the background: {}", failure.message));
            None
        }
        Ok(asked) => asked,
    };
    if ui.is_json() {
        ui.json(&Wire {
            done: done.n_done,
            left: done.n_left,
            entries_added: done.entries_added,
            compiled: done.has_compiled,
            consolidated: done.has_consolidated,
            failed: &done.failed,
            background: asked.as_ref().map(|asked| BackgroundWire {
                sessions: asked.n_sessions,
                answered: asked.n_answered,
                usd: asked.money.0 as f64 / 1e6,
                left: asked.n_left,
                under_way: asked.n_under_way,
                stopped: asked.stopped.as_deref(),
            }),
        });
    } else {
        print(done, ui);
        let says_something = |asked: &&BackgroundOutcome| {
            is_for_asking || asked.n_answered > 0 || asked.n_under_way > 0 || asked.stopped.is_some()
        };
        asked.iter().filter(says_something).for_each(|asked| print_asked(asked, ui));
    }
    Ok(Answer::no_if(!done.failed.is_empty()))
}

/// Makes the vectors of what is new, where the vault always compares meanings; a failure costs nothing but
/// that, and whoever searches is told.
fn fill_vectors(engine: &Engine, ui: &mut Ui) {
    if engine.config().semantic == Some(true)
        && let Err(failure) = engine.embed_index(&mut |_, _| {})
    {
        ui.warning(&failure.message);
    }
}

/// Works until nothing is due and nothing will be soon.
fn work(session: &Session, engine: &Engine) -> Result<WorkOutcome, Failure> {
    let machine = env::machine_as_it_is();
    let mut total = WorkOutcome::default();
    let mut idle_since = Instant::now();
    loop {
        // Time goes on while a worker waits; each round has the time of its own.
        let engine = engine.at_time(session.clock_now()?);
        let idle = idle_since.elapsed();
        let Some(done) = engine.work(&machine)? else { return Ok(total) };
        if done.n_done > 0 {
            idle_since = Instant::now();
        }
        total.n_done += done.n_done;
        total.entries_added += done.entries_added;
        total.sessions.extend(done.sessions);
        total.has_compiled |= done.has_compiled;
        total.has_consolidated |= done.has_consolidated;
        (total.n_left, total.next_due) = (done.n_left, done.next_due);
        total.failed = done.failed;
        // What came while the spool was held by this worker woke no other. A spool in which nothing is
        // ever done must not keep it, whatever the reason.
        if worker::may_go_on(idle) && engine.has_due_jobs()? {
            continue;
        }
        match worker::wait_for(done.next_due, session.clock_now()?.now, idle_since.elapsed()) {
            Some(wait) if !env::is_frozen() => std::thread::sleep(wait),
            _ => return Ok(total),
        }
    }
}

fn print(done: &WorkOutcome, ui: &mut Ui) {
    let compiled = if done.has_compiled { ", compiled" } else { "" };
    let compiled = format!("{compiled}{}", if done.has_consolidated { ", consolidated" } else { "" });
    match done.n_done {
        0 if done.failed.is_empty() => ui.say(format!("Nothing was due{compiled}.")),
        n_done => {
            ui.say(format!("Did {}: {}{compiled}.", count(n_done, "job"), count(done.entries_added, "new entry")))
        }
    }
    for why in &done.failed {
        ui.say(format!("  failed, will be tried again: {}", clean(why)));
    }
    if done.n_left > 0 {
        ui.say(format!("  {} left for later", count(done.n_left, "job")));
    }
}

fn print_asked(asked: &BackgroundOutcome, ui: &mut Ui) {
    let left = if asked.n_left > 0 { format!(", {} left", count(asked.n_left, "task")) } else { String::new() };
    let left = match asked.n_under_way {
        0 => left,
        n => format!("{left}, {} under way in a batch", count(n, "task")),
    };
    let replies = count(asked.n_answered, "reply");
    let what = match asked.n_sessions {
        0 => replies,
        n => format!("{} read in {replies}", count(n, "session")),
    };
    ui.say(format!("In the background: {what}, {}{left}.", asked.money));
    if let Some(why) = &asked.stopped {
        ui.warning(&format!("stopped: {}", clean(why)));
    }
}

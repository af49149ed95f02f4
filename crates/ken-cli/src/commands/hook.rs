//! `ken hook`: what agents call when something happens in a session.
//!
//! The contract is with the agent: never keep it waiting, never fail it, print one JSON value or
//! nothing, leave nothing behind. So every way out of here ends in success, and whatever went wrong is
//! noted in the vault. The job is in the spool before anything else happens, and the work is done by a
//! process of its own that outlives this one.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ken_agents::call::{Call, Moment, answer, is_complete, read_call};
use ken_agents::doctor::REPLAY_SESSION;
use ken_engine::{Engine, Keys, Received};

use crate::args::Globals;
use crate::env::{self, Env};
use crate::ui::Ui;
use crate::worker;

/// Take what an agent says about a session (agents call this)
///
/// Reads the agent's JSON on standard input, puts a job into the spool, wakes a
/// worker in the background and returns within milliseconds. When a session
/// starts, prints what it should know, in the form that the agent expects. Where
/// there is no vault it does nothing. It always exits with 0 and prints nothing
/// but that answer; what went wrong is in `ken doctor`.
///
/// Examples:
///   echo '{"hook_event_name":"SessionStart","cwd":"."}' | ken hook
///   ken hook --agent codex < payload.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The agent that calls [default: told from what it says]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// What a later version of a plugin may add; not looked at
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<String>,
}

/// Most of standard input that is read: payloads are a few kilobytes.
const INPUT_BYTES_MAX: usize = 1024 * 1024;
/// How long to wait for it: some hosts never close it.
const INPUT_WAIT: Duration = Duration::from_millis(500);
/// How long an answer may take before it is not given; an unoptimized build is an order of magnitude slower.
const ANSWER_WAIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 300 });

/// Runs the command; there is nothing that the agent could do about a failure.
pub(crate) fn run(args: &Args, globals: &Globals, ui: &mut Ui) {
    let machine = env::machine_as_it_is();
    if machine.variable("KEN_HOOK_GUARD").is_some() {
        return;
    }
    let input = input();
    let (env, unclear) = Env::read_for_hook();
    let call = read_call(&input, args.agent.as_deref(), &machine);
    let cwd = call.as_ref().ok().and_then(|call| call.cwd.clone()).filter(|cwd| cwd.is_absolute());
    let cwd = cwd.unwrap_or_else(|| env.cwd.clone());
    let Some(engine) = engine(globals, &env, &env::keys(&machine), &cwd) else { return };
    if let Some(failure) = unclear {
        engine.leave_note(&format!("workers that this agent's hooks start cannot work: {}", failure.message));
    }
    match call {
        Ok(mut call) => {
            // The worker looks from another folder.
            call.transcripts
                .iter_mut()
                .filter(|path| cwd.join(&**path).exists())
                .for_each(|path| *path = cwd.join(&*path));
            take(&engine, &call, &cwd, ui);
        }
        Err(why) => engine.leave_note(&format!("a hook was called, but {why}")),
    }
}

/// The vault around the folder; where there is none, or none that opens, a hook has nothing to do.
fn engine(globals: &Globals, env: &Env, keys: &Keys, cwd: &Path) -> Option<Engine> {
    // A hook waits for nobody; jobs need no lock.
    let (clock, wait) = (env.clock.clone(), Duration::ZERO);
    match &globals.vault {
        Some(dir) => Engine::at(env.cwd.join(dir), keys, clock, wait).ok(),
        None => Engine::open(cwd, keys, clock, wait).ok(),
    }
}

fn take(engine: &Engine, call: &Call, cwd: &Path, ui: &mut Ui) {
    if engine.leaves_alone(cwd) {
        return;
    }
    // A doctor's session has no transcript and is nobody's; it only wants the answer.
    let is_replay = call.session.as_deref() == Some(REPLAY_SESSION);
    let received = if is_replay { Ok(Received::Later) } else { engine.receive(call) };
    match received {
        Ok(Received::Due) => worker::wake(engine),
        Ok(Received::Later) => {}
        Err(failure) => {
            engine.leave_note(&format!("a job could not be put into the spool: {}", failure.message));
            worker::wake(engine);
        }
    }
    let text = match call.moment {
        Moment::Start if is_replay || engine.is_first_to_tell(call) => in_time(engine, cwd.to_path_buf(), None),
        Moment::Prompt if engine.config().prompt_context => in_time(engine, cwd.to_path_buf(), call.prompt.clone()),
        _ => None,
    };
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        ui.line(answer(call, &text));
    }
}

/// What to put in front of the model, if it is found in time.
fn in_time(engine: &Engine, cwd: PathBuf, prompt: Option<String>) -> Option<String> {
    let (sender, receiver) = mpsc::channel();
    let of_thread = engine.clone();
    std::thread::spawn(move || {
        let text = match prompt {
            Some(prompt) => of_thread.prompt_brief(&prompt),
            None => of_thread.brief(&cwd, None).map(|brief| brief.text),
        };
        let _ = sender.send(text);
    });
    match receiver.recv_timeout(ANSWER_WAIT) {
        Ok(Ok(text)) => Some(text),
        Ok(Err(failure)) => {
            engine.leave_note(&format!("there is no brief: {}", failure.message));
            None
        }
        Err(_) => {
            engine.leave_note("there is no brief: it took too long");
            None
        }
    }
}

/// What stands on standard input, as far as it comes in time: until one JSON object is complete.
fn input() -> Vec<u8> {
    let (sender, receiver) = mpsc::sync_channel::<Vec<u8>>(4);
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        let mut chunk = vec![0; 64 * 1024];
        while let Ok(n_bytes @ 1..) = stdin.read(&mut chunk) {
            if sender.send(chunk[..n_bytes].to_vec()).is_err() {
                break;
            }
        }
    });
    let (start, mut input) = (Instant::now(), Vec::new());
    while input.len() < INPUT_BYTES_MAX && !is_complete(&input) {
        let Ok(more) = receiver.recv_timeout(INPUT_WAIT.saturating_sub(start.elapsed())) else { break };
        input.extend_from_slice(&more);
    }
    input.truncate(INPUT_BYTES_MAX);
    input
}

//! Running a program to its end: what it reads, what it says, how long it may take.
//!
//! Its input is written and both of its outputs are read by threads of their own, so that no full pipe
//! stops anybody. It leads a process group, and whatever of that group is left when it ends or is given up
//! is ended too. What leaves the group on purpose is not followed. A process that is killed ends nobody; so
//! another one can be told what is running ([`tell_programs`]) and end it then ([`end_told`]). What a program
//! prints is not understood here.

use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often is looked whether it ended: a program takes seconds.
const LOOK: Duration = Duration::from_millis(10);
/// How long a program that is asked to end may tidy up.
const TIDY: Duration = Duration::from_secs(2);
/// How long pipes may stay open after the program ended, before whoever holds them is ended.
const LINGER: Duration = Duration::from_millis(300);
/// How much of what it says beside its output is kept: the end, where the reason stands.
const ASIDE_BYTES_MAX: usize = 4 * 1024;

/// What to run and how.
pub(crate) struct Job<'a> {
    pub(crate) words: &'a [String],
    pub(crate) input: Vec<u8>,
    pub(crate) folder: Option<&'a Path>,
    pub(crate) set: &'a [(String, String)],
    pub(crate) unset: &'a [String],
    pub(crate) timeout: Duration,
    pub(crate) output_bytes_max: usize,
}

/// How it ended.
pub(crate) enum Ended {
    /// By itself.
    Done(ExitStatus),
    /// It took too long.
    TimedOut,
    /// It printed more than is read.
    TooMuch,
    /// It did not start.
    NotStarted(std::io::Error),
}

/// What came of it.
pub(crate) struct Run {
    pub(crate) ended: Ended,
    pub(crate) output: Vec<u8>,
    /// The end of what it said beside its output.
    pub(crate) aside: String,
}

/// What a reading thread has so far.
#[derive(Default)]
struct Heard {
    bytes: Vec<u8>,
    is_over: bool,
    is_too_much: bool,
}

type Ear = Arc<Mutex<Heard>>;

/// A thread that panicked left what it had heard.
fn listen(ear: &Ear) -> MutexGuard<'_, Heard> {
    ear.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that is running, and the folder that goes with it.
struct Running {
    id: u32,
    folder: Option<PathBuf>,
}

static RUNNING: Mutex<Vec<Running>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Who is told what is running.
static TOLD: Mutex<Option<Box<dyn Write + Send>>> = Mutex::new(None);

/// Has a line written for every program that starts and one when it ended, for [`end_told`] in another process.
pub fn tell_programs(to: Box<dyn Write + Send>) {
    *TOLD.lock().unwrap_or_else(PoisonError::into_inner) = Some(to);
}

fn tell(sign: char, program: &Running) {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(to) = told.as_mut() else { return };
    let folder = program.folder.as_deref().map(|folder| folder.display().to_string()).unwrap_or_default();
    // Who has gone away ends nobody, and nobody is worse off for it.
    let _ = writeln!(to, "{sign}{} {folder}", program.id).and_then(|()| to.flush());
}

/// Reads what [`tell_programs`] wrote to its end, which comes with the end of the process that wrote it, and ends
/// what is running still.
pub fn end_told(from: impl BufRead) {
    let mut left: Vec<Running> = Vec::new();
    for line in from.lines().map_while(Result::ok) {
        let Some((sign, rest)) = line.split_at_checked(1) else { continue };
        let (id, folder) = rest.split_once(' ').unwrap_or((rest, ""));
        let Ok(id) = id.parse() else { continue };
        left.retain(|program| program.id != id);
        if sign == "+" {
            left.push(Running { id, folder: Some(PathBuf::from(folder)).filter(|_| !folder.is_empty()) });
        }
    }
    left.iter().for_each(end);
}

/// Ends a program with all of its group, and removes its folder.
fn end(program: &Running) {
    #[cfg(unix)]
    if let Some(id) = i32::try_from(program.id).ok().and_then(rustix::process::Pid::from_raw) {
        // Nobody left to end is what we want.
        let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
    }
    if let Some(folder) = program.folder.as_deref().filter(|folder| crate::folder::is_scratch(folder)) {
        crate::folder::remove_folder(folder);
    }
}

/// Ends every program that is running for a prompt, with all that it started, and removes its folder: for a
/// process that is told to end itself.
pub fn end_programs() {
    for program in running().drain(..) {
        end(&program);
        tell('-', &program);
    }
}

/// Runs a program.
pub(crate) fn run(job: Job<'_>) -> Run {
    let Some((program, arguments)) = job.words.split_first() else {
        let error = std::io::Error::new(std::io::ErrorKind::NotFound, "no program is named");
        return Run { ended: Ended::NotStarted(error), output: Vec::new(), aside: String::new() };
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.envs(job.set.iter().map(|(name, value)| (name, value)));
    for name in job.unset {
        command.env_remove(name);
    }
    if let Some(folder) = job.folder {
        command.current_dir(folder);
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Run { ended: Ended::NotStarted(error), output: Vec::new(), aside: String::new() },
    };
    let started = Running { id: child.id(), folder: job.folder.map(Path::to_path_buf) };
    tell('+', &started);
    running().push(started);
    let output = Ear::default();
    let aside = Ear::default();
    if let Some(mut pipe) = child.stdin.take() {
        let input = job.input;
        // Who does not read to the end is free to.
        std::thread::spawn(move || drop(pipe.write_all(&input)));
    }
    if let Some(pipe) = child.stdout.take() {
        hear(pipe, &output, job.output_bytes_max, false);
    }
    if let Some(pipe) = child.stderr.take() {
        hear(pipe, &aside, ASIDE_BYTES_MAX, true);
    }
    let id = child.id();
    let ended = attend(&mut child, &output, &aside, job.timeout);
    running().retain(|program| program.id != id);
    tell('-', &Running { id, folder: None });
    let output = std::mem::take(&mut listen(&output).bytes);
    let aside = String::from_utf8_lossy(&listen(&aside).bytes).into_owned();
    Run { ended, output, aside }
}

/// Reads a pipe to its end on a thread of its own; keeps the beginning, or the end of it.
fn hear(mut pipe: impl Read + Send + 'static, ear: &Ear, bytes_max: usize, keeps_end: bool) {
    let ear = Arc::clone(ear);
    std::thread::spawn(move || {
        let mut piece = [0; 8 * 1024];
        loop {
            match pipe.read(&mut piece) {
                Ok(0) => break,
                Ok(n) => {
                    let mut heard = listen(&ear);
                    heard.bytes.extend_from_slice(&piece[..n]);
                    let excess = heard.bytes.len().saturating_sub(bytes_max);
                    if excess > 0 && keeps_end {
                        heard.bytes.drain(..excess);
                    } else if excess > 0 {
                        heard.bytes.truncate(bytes_max);
                        heard.is_too_much = true;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        listen(&ear).is_over = true;
    });
}

/// Waits for the end, or makes one; in any case nothing of the group is left.
fn attend(child: &mut Child, output: &Ear, aside: &Ear, timeout: Duration) -> Ended {
    let started = Instant::now();
    let given_up = loop {
        if has_ended(child) {
            break None;
        }
        if listen(output).is_too_much {
            break Some(Ended::TooMuch);
        }
        if started.elapsed() >= timeout {
            break Some(Ended::TimedOut);
        }
        std::thread::sleep(LOOK);
    };
    if given_up.is_some() {
        end_group(child, false);
        wait_until(TIDY, || has_ended(child));
    } else {
        wait_until(LINGER, || listen(output).is_over && listen(aside).is_over);
    }
    // Also when it ended by itself: what it left running would go on without anybody to read it. The leader
    // is not waited for yet, so its number cannot be anybody else's.
    end_group(child, true);
    wait_until(TIDY, || listen(output).is_over && listen(aside).is_over);
    let is_too_much = listen(output).is_too_much;
    match (given_up, child.wait()) {
        (Some(ended), _) => ended,
        (None, _) if is_too_much => Ended::TooMuch,
        (None, Ok(status)) => Ended::Done(status),
        (None, Err(error)) => Ended::NotStarted(error),
    }
}

fn wait_until(how_long: Duration, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() && started.elapsed() < how_long {
        std::thread::sleep(LOOK);
    }
}

/// Whether the program ended; it stays to be waited for, so that its number is not given away.
#[cfg(unix)]
fn has_ended(child: &Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};

    let Some(id) = number(child) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    match waitid(WaitId::Pid(id), options) {
        Ok(status) => status.is_some(),
        Err(rustix::io::Errno::INTR) => false,
        Err(_) => true,
    }
}

#[cfg(unix)]
fn end_group(child: &mut Child, at_once: bool) {
    use rustix::process::{Signal, kill_process_group};

    let signal = if at_once { Signal::KILL } else { Signal::TERM };
    if let Some(id) = number(child) {
        // Nobody left to end is what we want.
        let _ = kill_process_group(id, signal);
    }
}

#[cfg(unix)]
fn number(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// There are no groups here; the program itself is ended.
#[cfg(not(unix))]
fn end_group(child: &mut Child, _at_once: bool) {
    let _ = child.kill();
}

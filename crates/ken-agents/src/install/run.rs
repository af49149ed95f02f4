//! Calls of an agent's own program: no input, no terminal, and not for long.

use std::io::{BufRead, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::machine::Machine;
use crate::refusal::Refusal;

/// An agent's program starts slowly on a cold disk; one that still runs then waits for somebody.
const WAIT_MAX: Duration = Duration::from_secs(90);
/// What is kept of a program's words.
const WORDS_MAX: usize = 300;

/// What a command printed and how long it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// Whether it ended well.
    pub is_success: bool,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
    /// How long it took, milliseconds.
    pub took_ms: u128,
}

/// Runs an agent's program and returns what it printed.
///
/// # Errors
/// When it cannot be run, does not end, or says no.
pub fn call(program: &Path, args: &[String], machine: &Machine) -> Result<String, Refusal> {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let shown = format!("`{name} {}`", args.join(" "));
    let mut command = Command::new(program);
    command.args(args).env("HOME", &machine.home).current_dir(existing(&machine.home));
    let spoken =
        spoken(command, "", WAIT_MAX).map_err(|cause| Refusal::new(format!("cannot run {shown}")).because(cause))?;
    if spoken.is_success {
        return Ok(spoken.out);
    }
    let words = if spoken.err.trim().is_empty() { &spoken.out } else { &spoken.err };
    let words: String = words.trim().chars().take(WORDS_MAX).collect();
    Err(Refusal::new(format!("{shown} did not work")).because(words))
}

/// Runs a command with this input, for at most `wait`.
///
/// # Errors
/// The system's words, or that it did not end.
pub fn spoken(mut command: Command, input: &str, wait: Duration) -> Result<Spoken, String> {
    let started = Instant::now();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let out = reader(child.stdout.take());
    let err = reader(child.stderr.take());
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input closes it early; that is its own business.
        let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
    }
    let is_success = ended(&mut child, started, wait)?;
    let took_ms = started.elapsed().as_millis();
    // A child of the program may hold its output open; what was said until now is enough.
    let text = |from: std::sync::mpsc::Receiver<String>| from.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
    Ok(Spoken { is_success, out: text(out), err: text(err), took_ms })
}

/// Starts a program that answers line by line until its input ends, and returns the first line of its
/// answer that `is_it` looks for.
///
/// # Errors
/// The system's words, or that no such line came.
pub fn answered(
    mut command: Command,
    input: &str,
    wait: Duration,
    is_it: impl Fn(&str) -> bool,
) -> Result<String, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let (tell, told) = std::sync::mpsc::channel();
    if let Some(out) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in std::io::BufReader::new(out).lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    break;
                }
            }
        });
    }
    // Held until the answer is there: the program ends with its input.
    let mut stdin = child.stdin.take();
    if let Some(stdin) = &mut stdin {
        // A program that is gone already answers nothing below.
        let _ = std::io::Write::write_all(stdin, input.as_bytes());
    }
    let started = Instant::now();
    let found = loop {
        match told.recv_timeout(wait.saturating_sub(started.elapsed())) {
            Ok(line) if is_it(&line) => break Ok(line),
            Ok(_) => continue,
            Err(_) => break Err("no answer".to_owned()),
        }
    };
    drop(stdin);
    // It has said what was asked and would only be waited for.
    let _ = child.kill();
    let _ = child.wait();
    found
}

fn ended(child: &mut Child, started: Instant, wait: Duration) -> Result<bool, String> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if started.elapsed() > wait => {
                // It is killed because it waits for something that will not come.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it did not end within {} s", wait.as_secs()));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(error.to_string()),
        }
    }
}

fn reader(from: Option<impl Read + Send + 'static>) -> std::sync::mpsc::Receiver<String> {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            // What could be read before the trouble is still worth showing.
            let _ = from.read_to_end(&mut bytes);
        }
        // Nobody listens any more when the program was given up.
        let _ = tell.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    told
}

fn existing(folder: &Path) -> &Path {
    if folder.is_dir() { folder } else { Path::new(".") }
}

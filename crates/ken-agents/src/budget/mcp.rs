//! Asks a tool server what it offers, as an agent does at its start.
//!
//! This runs a program that somebody else's settings name, so it happens only on request. The server
//! gets ten seconds for everything and does not outlive the question.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Ruler;
use super::layer::Start;
use super::server::{Asked, Call, Server, Shown, Told};

/// Agents wait about as long for a server that starts.
const WAIT: Duration = Duration::from_secs(10);
/// A server is told to end by the end of its input and then has this long.
const FAREWELL: Duration = Duration::from_millis(300);
/// What is read of a server in all.
const BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Pages of tools that are asked for.
const PAGES_MAX: usize = 50;
/// The revision that most agents ask for.
const REVISION: &str = "2025-06-18";

/// What a server says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Listing {
    /// Its tools: name, description and form of the arguments.
    pub(super) tools: Vec<Value>,
    /// What it wants every model to know.
    pub(super) instructions: String,
}

impl Listing {
    /// Returns the text that an agent puts in front of its model.
    fn shown(&self, server: &str, shown: Shown) -> String {
        let instructions = super::text::head(&self.instructions, usize::MAX, shown.instructions_bytes_max);
        let tool = |tool: &Value| match shown.is_names_only {
            true => format!("mcp__{server}__{}\n", tool["name"].as_str().unwrap_or_default()),
            false => {
                let whole = json!({
                    "name": tool["name"], "description": tool["description"], "input_schema": tool["inputSchema"],
                });
                format!("{whole}\n")
            }
        };
        format!("{instructions}\n{}", self.tools.iter().map(tool).collect::<String>())
    }
}

/// What servers said; empty when none was asked.
#[derive(Debug, Clone, Default)]
pub struct Listings(Vec<(Call, Result<Listing, String>)>);

impl Listings {
    /// Starts every one of these servers, those with one command once, and asks all at a time.
    pub fn ask(servers: Vec<Server>, start: &Start<'_>) -> Listings {
        let mut calls: Vec<Call> = Vec::new();
        for server in servers {
            if !calls.contains(&server.call) && matches!(server.call, Call::Program { .. }) {
                calls.push(server.call);
            }
        }
        let listings = std::thread::scope(|scope| {
            let running: Vec<_> = calls.iter().map(|call| scope.spawn(|| list(call, start, WAIT))).collect();
            let broken = || Err("asking it broke off".to_owned());
            running.into_iter().map(|asked| asked.join().unwrap_or_else(|_| broken())).collect::<Vec<_>>()
        });
        Listings(calls.into_iter().zip(listings).collect())
    }

    /// Returns what is known of a server.
    pub(super) fn told(&self, server: Server, shown: Shown, start: &Start<'_>, ruler: Ruler<'_>) -> Told {
        let asked = match self.0.iter().find(|(call, _)| *call == server.call) {
            _ if matches!(server.call, Call::Remote(_)) => Asked::Remote,
            None => Asked::Not,
            Some((_, Err(cause))) => Asked::Failed(cause.clone()),
            Some((_, Ok(listing))) => {
                let text = listing.shown(&server.name, shown);
                Asked::Answered { n_tools: listing.tools.len(), tokens: ruler(&text), bytes: text.len() }
            }
        };
        Told { place: start.shown(&server.place), server, asked }
    }
}

/// Starts a server, asks for its tools and ends it.
///
/// The error is why it could not be asked.
pub(super) fn list(call: &Call, start: &Start<'_>, wait: Duration) -> Result<Listing, String> {
    let Call::Program { program, args, variables, folder } = call else {
        return Err("it is reached over the network".to_owned());
    };
    let is_open = |text: &String| text.contains("${");
    if is_open(program) || args.iter().any(is_open) {
        return Err("its command has variables in it, which only its agent knows".to_owned());
    }
    let mut command = Command::new(program);
    // A variable that is set to itself is passed on as it is.
    command.args(args).envs(variables.iter().filter(|(_, value)| !is_open(value)).map(|(name, value)| (name, value)));
    command.current_dir(folder.as_deref().unwrap_or(start.cwd));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    own_group(&mut command);
    let mut child = command.spawn().map_err(|error| {
        let words = error.to_string();
        format!("`{program}` cannot be started: {}", words.split(" (os error").next().unwrap_or(&words).to_lowercase())
    })?;
    let listing = match (child.stdin.take(), child.stdout.take()) {
        (Some(input), Some(out)) => Talk::new(input, lines(out), wait).list(),
        _ => Err("it has no input and output".to_owned()),
    };
    end(&mut child);
    listing
}

/// A conversation: one question at a time, whatever else the server says in between.
struct Talk {
    input: ChildStdin,
    lines: Receiver<String>,
    began: Instant,
    wait: Duration,
    n_asked: u64,
}

impl Talk {
    fn new(input: ChildStdin, lines: Receiver<String>, wait: Duration) -> Talk {
        Talk { input, lines, began: Instant::now(), wait, n_asked: 0 }
    }

    fn list(mut self) -> Result<Listing, String> {
        let client = json!({"name": "kenning", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": REVISION, "capabilities": {}, "clientInfo": client});
        let greeting = self.ask("initialize", &hello)?;
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        let instructions = greeting["instructions"].as_str().unwrap_or_default().to_owned();
        let mut listing = Listing { tools: Vec::new(), instructions };
        if greeting["capabilities"].get("tools").is_none() {
            return Ok(listing);
        }
        let mut params = json!({});
        for _ in 0..PAGES_MAX {
            let page = self.ask("tools/list", &params)?;
            listing.tools.extend(page["tools"].as_array().into_iter().flatten().cloned());
            match page["nextCursor"].as_str() {
                Some(cursor) => params = json!({"cursor": cursor}),
                None => break,
            }
        }
        Ok(listing)
    }

    fn say(&mut self, message: &Value) -> Result<(), String> {
        let sent = self.input.write_all(format!("{message}\n").as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|_| "it ended before it was asked".to_owned())
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.n_asked += 1;
        let id = self.n_asked;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let left = self.wait.saturating_sub(self.began.elapsed());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                std::sync::mpsc::RecvTimeoutError::Timeout => format!("no answer within {} s", self.wait.as_secs()),
                std::sync::mpsc::RecvTimeoutError::Disconnected => "it ended without an answer".to_owned(),
            })?;
            let mut answer: Value = serde_json::from_str(&line).unwrap_or_default();
            if answer["id"] != id || answer.get("method").is_some() {
                continue;
            }
            return match answer.get("error") {
                Some(error) => {
                    Err(format!("it refused `{method}`: {}", error["message"].as_str().unwrap_or("no reason")))
                }
                None => Ok(answer["result"].take()),
            };
        }
    }
}

/// The lines of an output, read beside, so that nobody waits for a line that does not come.
fn lines(out: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(out.take(BYTES_MAX)).lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                break;
            }
        }
    });
    told
}

/// Its input has ended by now; a server that stays is ended with everything that it started.
fn end(child: &mut Child) {
    let began = Instant::now();
    let mut is_gone = false;
    while !is_gone && began.elapsed() < FAREWELL {
        is_gone = matches!(child.try_wait(), Ok(Some(_)));
        std::thread::sleep(Duration::from_millis(5));
    }
    end_group(child);
    // Gone already is what was wanted.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(unix)]
fn end_group(child: &Child) {
    let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id {
        // Nobody may be left in it.
        let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(not(unix))]
fn end_group(_: &Child) {}

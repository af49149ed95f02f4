//! A vault that is watched: what wakes it, what does not, and when it ends.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Place, text};

/// Longest wait for something that a busy machine may be slow at.
const LONG: Duration = Duration::from_secs(60);

/// `ken watch` of a place, and what it has told so far.
struct Watcher {
    child: Child,
    lines: Arc<Mutex<Vec<Value>>>,
}

impl Watcher {
    fn start(place: &Place, args: &[&str]) -> Watcher {
        let mut command = place.ken(&["watch", "--json"]);
        command.args(args);
        let watcher = Watcher::run(command);
        watcher.until("it watches", |lines| lines.iter().any(|line| line["event"] == "watching"));
        watcher
    }

    fn run(mut command: Command) -> Watcher {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let lines: Arc<Mutex<Vec<Value>>> = Arc::default();
        let (kept, stdout) = (lines.clone(), child.stdout.take().expect("it was asked for"));
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                kept.lock().expect("nobody panics with it").push(serde_json::from_str(&line).expect("a line of JSON"));
            }
        });
        Watcher { child, lines }
    }

    fn lines(&self) -> Vec<Value> {
        self.lines.lock().expect("nobody panics with it").clone()
    }

    fn until(&self, what: &str, holds: impl Fn(&[Value]) -> bool) {
        let start = Instant::now();
        while !holds(&self.lines()) {
            assert!(start.elapsed() < LONG, "{what}: {:#?}", self.lines());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until a file was read.
    fn until_read(&self, file: &str) {
        let is_it = |line: &Value| line["inputs"].as_array().is_some_and(|all| all.iter().any(|one| one == file));
        self.until(file, |lines| lines.iter().any(is_it));
    }

    fn count(&self, event: &str) -> usize {
        self.lines().iter().filter(|line| line["event"] == event).count()
    }

    /// The time that it computed, in ticks of the system.
    #[cfg(target_os = "linux")]
    fn ticks(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it runs");
        let fields: Vec<&str> = stat.split_whitespace().collect();
        fields[13].parse::<u64>().expect("a number") + fields[14].parse::<u64>().expect("a number")
    }

    /// Waits until it does nothing at all.
    #[cfg(target_os = "linux")]
    fn until_quiet(&self) {
        let start = Instant::now();
        let mut before = self.ticks();
        loop {
            std::thread::sleep(Duration::from_millis(1_500));
            let now = self.ticks();
            if now == before {
                return;
            }
            assert!(start.elapsed() < LONG, "it never rests: {:#?}", self.lines());
            before = now;
        }
    }

    fn signal(&self, signal: &str) {
        let told = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(told.expect("`kill` runs").success());
    }

    /// Waits for its end; returns the exit code and what it said on stderr.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.child.stdin.take());
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                let mut said = Vec::new();
                let mut stderr = self.child.stderr.take().expect("it was asked for");
                std::io::copy(&mut stderr, &mut said).expect("it can be read");
                return (status.code(), text(&said));
            }
            assert!(start.elapsed() < LONG, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Files that were read for pages, all times together.
fn n_read(lines: &[Value]) -> usize {
    lines.iter().filter_map(|line| line["inputs"].as_array()).map(Vec::len).sum()
}

fn day(statement: &str) -> String {
    format!("## Sessions\n\n### Session (09:00) - Oven\n\n**Decisions Made:**\n- {statement}\n")
}

/// Writes a file of the vault, and the folders above it.
fn write(place: &Place, file: &str, text: &str) -> PathBuf {
    let path = place.project().join(file);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
    fs::write(&path, text).expect("there is room");
    path
}

fn is_found(place: &Place, what: &str) -> bool {
    text(&place.ken(&["search", what, "--json"]).output().expect("the binary runs").stdout).contains("daily/")
}

#[test]
fn what_changes_is_compiled_and_indexed_and_then_nothing_is_done() {
    let place = Place::new();
    write(&place, "daily/2026-05-28.md", &day("The oven timer rings every ten minutes."));
    let watcher = Watcher::start(&place, &[]);
    // What changed while nobody watched comes first.
    watcher.until_read("daily/2026-05-28.md");
    write(&place, "daily/2026-05-29.md", &day("The oven timer rings twice, so that nobody misses it."));
    write(
        &place,
        "daily/2026-05-30.md",
        &day(
            "The oven timer rings every nine minutes.\n\n**Lessons Learned:**\n- The oven timer stops when the door is open.",
        ),
    );
    watcher.until_read("daily/2026-05-30.md");
    let made = |lines: &[Value]| lines.iter().any(|line| line["created"].as_array().is_some_and(|all| !all.is_empty()));
    assert!(made(&watcher.lines()), "{:#?}", watcher.lines());
    assert!(is_found(&place, "nine minutes"));
    #[cfg(target_os = "linux")]
    {
        watcher.until_quiet();
        let (n_lines, ticks) = (watcher.lines().len(), watcher.ticks());
        // Whoever reads makes no work. The system counts a whole tick to whoever runs when it ticks, and it does
        // run for a moment, to see that the cache is nothing to compile: so a tick or two say nothing.
        assert!(place.ken(&["lint"]).output().is_ok() && place.ken(&["route", "oven"]).output().is_ok());
        std::thread::sleep(Duration::from_millis(1_500));
        assert_eq!(watcher.lines().len(), n_lines);
        assert!(watcher.ticks() - ticks <= 2, "{} ticks", watcher.ticks() - ticks);
    }
}

#[test]
fn folders_that_come_and_go_and_files_that_take_the_place_of_others_are_seen() {
    let place = Place::new();
    let watcher = Watcher::start(&place, &[]);
    write(&place, "raw/plans/2026/oven.md", "# Oven\n\nThe oven is lit at five.\n");
    watcher.until_read("raw/plans/2026/oven.md");
    fs::remove_dir_all(place.project().join("raw")).expect("it is there");
    write(&place, "daily/2026-05-28.md", &day("The smith welds the door."));
    watcher.until_read("daily/2026-05-28.md");
    write(&place, "raw/plans/2026/boiler.md", "# Boiler\n\nThe boiler holds nine litres.\n");
    watcher.until_read("raw/plans/2026/boiler.md");
    // As editors save: beside the file, then in its place.
    let n_before = watcher.count("compiled");
    let beside = write(&place, "daily/.2026-05-28.md.swp", &day("The smith welds the door and the lid."));
    fs::rename(beside, place.project().join("daily/2026-05-28.md")).expect("there is room");
    watcher.until("the saved file", |lines| {
        let after = lines.iter().filter(|line| line["event"] == "compiled").skip(n_before);
        after.into_iter().any(|line| line["inputs"][0] == "daily/2026-05-28.md")
    });
    assert!(is_found(&place, "door and lid"));
}

#[test]
fn a_thousand_files_are_one_compile() {
    let place = Place::new();
    fs::create_dir_all(place.project().join("raw")).expect("a new folder");
    let watcher = Watcher::start(&place, &[]);
    for n in 0..1_000 {
        write(&place, &format!("raw/note-{n}.md"), &format!("# Note {n}\n\nThe boiler of hall {n} is cold.\n"));
    }
    watcher.until("all of them", |lines| n_read(lines) >= 1_000);
    // One where they are written within a second; a machine may be slower.
    assert!(watcher.count("compiled") <= 5, "{}", watcher.count("compiled"));
}

#[test]
fn what_fails_is_said_once_and_what_follows_is_done() {
    let place = Place::new();
    let watcher = Watcher::start(&place, &[]);
    write(&place, "kenning.toml", "route_tokens = 'many'\n");
    watcher.until("a failure", |lines| lines.iter().any(|line| line["event"] == "failed"));
    write(&place, "daily/2026-05-28.md", &day("The smith welds the door."));
    write(&place, "kenning.toml", "route_tokens = 'more'\n");
    std::thread::sleep(Duration::from_millis(500));
    write(&place, "kenning.toml", "route_tokens = 900\n");
    watcher.until_read("daily/2026-05-28.md");
    let said: Vec<Value> = watcher.lines().into_iter().filter(|line| line["event"] == "failed").collect();
    assert_eq!(said.len(), 1, "{said:#?}");
    let expected = "kenning.toml: `route_tokens` is a string, a number from 0 to 10000000 is expected";
    assert_eq!(said[0]["message"], expected);
}

#[test]
fn a_vault_that_another_one_changes_is_waited_for() {
    let place = Place::new();
    let watcher = Watcher::start(&place, &[]);
    let lock = fs::File::options().write(true).open(place.project().join(".kenning/lock")).expect("it is there");
    lock.lock().expect("nobody has it for long");
    write(&place, "daily/2026-05-28.md", &day("The smith welds the door."));
    watcher.until("it waits", |lines| lines.iter().any(|line| line["event"] == "waiting"));
    std::thread::sleep(Duration::from_millis(2_500));
    assert_eq!((watcher.count("waiting"), n_read(&watcher.lines())), (1, 0), "{:#?}", watcher.lines());
    drop(lock);
    watcher.until_read("daily/2026-05-28.md");
}

#[test]
fn one_watches_a_vault_and_another_one_is_told_who() {
    let place = Place::new();
    let watcher = Watcher::start(&place, &[]);
    let second = place.ken(&["watch"]).output().expect("the binary runs");
    let said = text(&second.stderr);
    let who = format!("error: this vault is watched already by pid {}, since ", watcher.child.id());
    assert!(said.starts_with(&who), "{said}");
    assert_eq!((second.status.code(), text(&second.stdout)), (Some(3), String::new()));
    // Whoever was killed is in nobody's way.
    drop(watcher);
    drop(Watcher::start(&place, &[]));
}

#[test]
fn it_ends_when_it_is_told_to_with_nothing_half_done() {
    let place = Place::new();
    for n in 0..8_u64 {
        let watcher = Watcher::start(&place, &[]);
        write(&place, &format!("daily/2026-05-1{n}.md"), &day(&format!("The smith welds door {n} of the oven.")));
        std::thread::sleep(Duration::from_millis(n * 60));
        watcher.signal(if n % 2 == 0 { "-TERM" } else { "-INT" });
        let (lines, (code, said)) = (watcher.lines.clone(), watcher.end());
        assert_eq!((code, said.as_str()), (Some(0), ""));
        let last = lines.lock().expect("nobody panics with it").last().cloned().unwrap_or_default();
        assert_eq!(last["event"], "ended");
        assert!(!place.project().join(".kenning/intent").exists());
    }
    assert!(place.ken(&["compile"]).output().expect("the binary runs").status.success());
}

#[test]
fn it_ends_with_whoever_started_it_if_that_is_asked_for() {
    let place = Place::new();
    let watcher = Watcher::start(&place, &["--stdin"]);
    assert_eq!(watcher.end(), (Some(0), String::new()));
    // Without, the end of its input says nothing.
    let mut watcher = Watcher::start(&place, &[]);
    drop(watcher.child.stdin.take());
    write(&place, "daily/2026-05-28.md", &day("The smith welds the door."));
    watcher.until_read("daily/2026-05-28.md");
}

#[test]
fn it_ends_with_the_vault() {
    let place = Place::new();
    let watcher = Watcher::start(&place, &[]);
    let moved = place.project().with_file_name("moved");
    fs::rename(place.project(), &moved).expect("there is room");
    let (code, said) = watcher.end();
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("is gone, so nothing is watched any longer"), "{said}");
    assert!(!place.project().exists());
    fs::rename(&moved, place.project()).expect("there is room");
    let watcher = Watcher::start(&place, &[]);
    // Whoever removes it while something is being written there has to do it again, as everywhere.
    let start = Instant::now();
    while fs::remove_dir_all(place.project()).is_err() {
        assert!(start.elapsed() < LONG, "it is made again and again");
    }
    assert_eq!(watcher.end().0, Some(4));
    assert!(!place.project().exists());
}

#[test]
fn where_the_system_does_not_tell_it_looks_by_itself() {
    let place = Place::new();
    let watcher = Watcher::start(&place, &["--poll"]);
    assert_eq!(watcher.lines()[0]["reason"], "`--poll` says so");
    write(&place, "daily/2026-05-28.md", &day("The smith welds the door."));
    watcher.until_read("daily/2026-05-28.md");
    watcher.signal("-TERM");
    assert_eq!(watcher.end(), (Some(0), String::new()));
}

#[test]
fn what_a_hook_left_for_later_is_done_when_it_is_due() {
    let place = Place::new();
    let transcript = place.session("s", &["We decided to bake a loaf."]);
    let state = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut command = place.ken(&["watch", "--json"]);
    command.env_remove("KEN_NOW");
    let watcher = Watcher::run(command);
    watcher.until("it watches", |lines| lines.iter().any(|line| line["event"] == "watching"));
    fs::write(place.project().join("kenning.toml"), "consolidate_after_sessions = 0\n").expect("there is room");
    let mut command = place.ken(&["hook"]);
    command.env("KEN_NO_WORKER", "1").env("XDG_STATE_HOME", state).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut hook = command.spawn().expect("the binary runs");
    let payload = format!(
        r#"{{"hook_event_name":"SessionEnd","session_id":"s","cwd":"{}","transcript_path":"{}"}}"#,
        place.project().display(),
        transcript.display()
    );
    std::io::Write::write_all(&mut hook.stdin.take().expect("it was asked for"), payload.as_bytes()).expect("it reads");
    assert!(hook.wait().expect("it is ours").success());
    place.until("the session is in the journal", |place| place.journal().contains("bake a loaf"));
    assert!(watcher.count("worker") >= 1);
    place.until("the worker has left", |place| place.processes() == 0);
}

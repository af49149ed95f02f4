//! Hooks and the worker: what an agent waits for, and what happens behind its back.
//!
//! A session start is measured with everything it does, starting the worker included; between two runs
//! the worker is left to finish, as it would be between two sessions. The transcript of 200 MB is made
//! from a seed: nine tenths are what agents write beside the conversation.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::measure::{median, memory_mib, timed};
use super::{Bench, shown_memory, shown_time};
use crate::Outcome;

const N_HOOK_RUNS: usize = 21;
const N_WORK_RUNS: usize = 3;
/// Until a worker has surely done what a small vault gives it.
const WORKER_REST: Duration = Duration::from_millis(150);

const START_MAX: Duration = Duration::from_millis(10);
const END_MAX: Duration = Duration::from_millis(20);
const WORK_MAX: Duration = Duration::from_secs(3);
const WORK_MAX_MIB: f64 = 100.0;

const TRANSCRIPT_BYTES: u64 = 200 * 1024 * 1024;

impl Bench {
    /// A session starts in the vault.
    pub(super) fn session_start(&self) -> Outcome {
        let home = self.dir.join("home");
        std::fs::create_dir_all(&home).map_err(|err| format!("cannot make `{}`: {err}", home.display()))?;
        let payload =
            format!(r#"{{"hook_event_name":"SessionStart","session_id":"s","cwd":"{}"}}"#, self.dir.display());
        let mut times = Vec::new();
        for _ in 0..N_HOOK_RUNS {
            times.push(timed(self.hook(&home, &payload)?)?);
            std::thread::sleep(WORKER_REST);
        }
        let memory = memory_mib(self.hook(&home, &payload)?)?;
        let bar = (self.n_pages() <= 2_000).then_some(START_MAX);
        self.row("`ken hook`, session start", median(&mut times), memory, bar);
        Ok(())
    }

    /// A session ends whose transcript has 200 MB; then the worker takes it.
    pub(super) fn session_end(&self) -> Outcome {
        let home = self.dir.join("home");
        let transcript = self.dir.join("home/long.jsonl");
        write_transcript(&transcript, &self.dir).map_err(|err| format!("cannot write the transcript: {err}"))?;
        let payload = format!(
            r#"{{"hook_event_name":"SessionEnd","session_id":"long","cwd":"{}","transcript_path":"{}"}}"#,
            self.dir.display(),
            transcript.display()
        );
        let mut times = Vec::new();
        for _ in 0..N_HOOK_RUNS {
            times.push(timed(self.hook(&home, &payload)?)?);
            self.until_idle()?;
        }
        let memory = memory_mib(self.hook(&home, &payload)?)?;
        self.until_idle()?;
        self.row("`ken hook`, session end, 200 MB", median(&mut times), memory, Some(END_MAX));
        let (mut times, mut peak) = (Vec::new(), None);
        for _ in 0..=N_WORK_RUNS {
            self.forget()?;
            let mut hook = self.hook(&home, &payload)?;
            timed({
                hook.env("KEN_NO_WORKER", "1");
                hook
            })?;
            let mut work = self.ken(&["work"]);
            work.env("HOME", &home);
            match peak {
                None => peak = Some(memory_mib(work)?),
                Some(_) => times.push(timed(work)?),
            }
        }
        let (time, memory) = (median(&mut times), peak.flatten());
        let share = time.as_secs_f64() / WORK_MAX.as_secs_f64();
        self.print_row(&[
            "`ken work`, those 200 MB",
            &shown_time(time),
            &memory.map_or_else(
                || shown_memory(None),
                |mib| format!("{mib:.0} MiB ({:.2} of {WORK_MAX_MIB})", mib / WORK_MAX_MIB),
            ),
            &shown_time(WORK_MAX),
            &format!("{share:.2}"),
        ]);
        Ok(())
    }

    fn hook(&self, home: &Path, payload: &str) -> Result<Command, String> {
        let file = self.dir.join("payload.json");
        let failed = |err: std::io::Error| format!("cannot write `{}`: {err}", file.display());
        std::fs::write(&file, payload).map_err(failed)?;
        let mut command = self.ken(&["hook"]);
        command.env("HOME", home).stdin(File::open(&file).map_err(failed)?);
        Ok(command)
    }

    /// Waits until no worker holds the spool.
    fn until_idle(&self) -> Outcome {
        std::thread::sleep(WORKER_REST);
        timed({
            let mut work = self.ken(&["work"]);
            work.env("HOME", self.dir.join("home"));
            work
        })
        .map(drop)?;
        std::thread::sleep(WORKER_REST);
        Ok(())
    }

    /// Makes the vault forget the long session.
    fn forget(&self) -> Outcome {
        let remove = |path: PathBuf| match std::fs::remove_file(&path) {
            Err(err) if err.kind() != std::io::ErrorKind::NotFound => {
                Err(format!("cannot remove `{}`: {err}", path.display()))
            }
            _ => Ok(()),
        };
        remove(self.dir.join(".kenning/cache/transcripts.json"))?;
        let days = std::fs::read_dir(self.dir.join("daily")).map_err(|err| err.to_string())?;
        for day in days.flatten().filter(|day| day.file_name().to_string_lossy().starts_with("2026-06-30")) {
            remove(day.path())?;
        }
        Ok(())
    }
}

/// A session of one day: questions, answers, calls of tools, and what surrounds them.
fn write_transcript(path: &Path, cwd: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let (mut n_bytes, mut n) = (0, 0_u64);
    let bulk =
        "a line of what a tool printed, as long as such lines are, and of no use to anyone later on; ".repeat(160);
    while n_bytes < TRANSCRIPT_BYTES {
        let minute = (n / 60) % 60;
        let at = format!(
            r#""sessionId":"long","cwd":"{}","timestamp":"2026-06-30T{:02}:{minute:02}:{:02}Z","isSidechain":false"#,
            cwd.display(),
            8 + (n / 3_600) % 12,
            n % 60
        );
        let line = match n % 8 {
            0 => format!(
                r#"{{"type":"user",{at},"message":{{"role":"user","content":"How should oven number {n} be scheduled?"}}}}"#
            ),
            1 => format!(
                r#"{{"type":"assistant",{at},"message":{{"role":"assistant","content":[{{"type":"text","text":"We decided to start oven number {n} at five, because the dough of batch {n} needs an hour. The rest of this answer explains it at some length, as answers do, without saying anything new."}}]}}}}"#
            ),
            2 => format!(
                r#"{{"type":"assistant",{at},"message":{{"role":"assistant","content":[{{"type":"tool_use","id":"t{n}","name":"Bash","input":{{"command":"bake --oven {n}"}}}}]}}}}"#
            ),
            3 => format!(
                r#"{{"type":"user",{at},"toolUseResult":{{"stdout":"{bulk}"}},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{n}","content":"{bulk}"}}]}}}}"#
            ),
            4 => format!(r#"{{"type":"progress",{at},"data":"{bulk}"}}"#),
            _ => format!(r#"{{"type":"attachment",{at},"attachment":{{"type":"file","content":"{bulk}"}}}}"#),
        };
        file.write_all(line.as_bytes())?;
        file.write_all(b"\n")?;
        n_bytes += line.len() as u64 + 1;
        n += 1;
    }
    file.flush()
}

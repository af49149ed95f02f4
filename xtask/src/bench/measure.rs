//! Measuring whole processes: wall time, peak memory and instructions.
//!
//! Peak memory comes from `/usr/bin/time -v` where it exists. Elsewhere the process is watched
//! through `/proc`, which can miss a peak in its last millisecond; where there is no `/proc` either,
//! nothing is claimed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const TIME: &str = "/usr/bin/time";

/// Runs a command and returns how long it took; exit codes above 1 are failures ("no" is an answer).
pub(super) fn timed(mut command: Command) -> Result<Duration, String> {
    let start = Instant::now();
    let output = command.output().map_err(|err| format!("cannot run `{command:?}`: {err}"))?;
    let time = start.elapsed();
    match output.status.code() {
        Some(0 | 1) => Ok(time),
        _ => Err(format!("`{command:?}` failed:\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Runs a command and returns its peak memory, or nothing where that cannot be seen.
pub(super) fn memory_mib(command: Command) -> Result<Option<f64>, String> {
    let failed = |err: std::io::Error| format!("cannot run `{command:?}`: {err}");
    if Path::new(TIME).exists() {
        let mut wrapped = Command::new(TIME);
        wrapped.arg("-v").arg(command.get_program()).args(command.get_args());
        wrapped.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
        wrapped.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
        let output = wrapped.output().map_err(failed)?;
        if let Some(kib) = kib_after(&String::from_utf8_lossy(&output.stderr), "Maximum resident set size (kbytes):") {
            return Ok(Some(kib / 1024.0));
        }
    }
    let mut command = command;
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    watched(child.map_err(|err| format!("cannot run `{command:?}`: {err}"))?)
}

/// The highest water mark seen while the process runs.
fn watched(mut child: Child) -> Result<Option<f64>, String> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().map_err(|err| err.to_string())?.is_none() {
        let seen = std::fs::read_to_string(&status).ok().and_then(|text| kib_after(&text, "VmHWM:"));
        peak = seen.or(peak);
        std::thread::sleep(Duration::from_micros(200));
    }
    Ok(peak.map(|kib| kib / 1024.0))
}

/// The number behind `label`, in kibibytes as both sources give it.
fn kib_after(text: &str, label: &str) -> Option<f64> {
    let rest = text.split_once(label)?.1.trim_start();
    rest.split(|ch: char| !ch.is_ascii_digit()).next()?.parse().ok()
}

/// Runs a command and returns how many instructions it took, all threads together, or nothing where there is no
/// `valgrind`: a busy machine does not change them.
pub(super) fn instructions(command: Command) -> Result<Option<u64>, String> {
    let mut wrapped = Command::new("valgrind");
    wrapped.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    wrapped.arg(command.get_program()).args(command.get_args());
    wrapped.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    wrapped.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    match wrapped.output() {
        Ok(output) => Ok(collected(&String::from_utf8_lossy(&output.stderr))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot run `{wrapped:?}`: {error}")),
    }
}

fn collected(text: &str) -> Option<u64> {
    text.split_once("Collected : ")?.1.split_whitespace().next()?.parse().ok()
}

/// Reads every file of the folders and returns how long it took.
pub(super) fn read_all(folders: &[PathBuf]) -> Result<Duration, String> {
    fn read(dir: &Path) -> std::io::Result<usize> {
        let mut n_lines = 0;
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            n_lines += if path.is_dir() {
                read(&path)?
            } else {
                std::fs::read(&path)?.iter().filter(|byte| **byte == b'\n').count()
            };
        }
        Ok(n_lines)
    }
    let start = Instant::now();
    for folder in folders {
        std::hint::black_box(read(folder).map_err(|err| format!("cannot read `{}`: {err}", folder.display()))?);
    }
    Ok(start.elapsed())
}

/// Returns the middle one.
pub(super) fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        let mut times = [9, 1, 5].map(Duration::from_millis);
        assert_eq!(median(&mut times), Duration::from_millis(5));
    }

    #[test]
    fn both_sources_of_memory_are_read() {
        assert_eq!(kib_after("\tMaximum resident set size (kbytes): 2048\n\tx: 1", "(kbytes):"), Some(2048.0));
        assert_eq!(kib_after("VmPeak: 1 kB\nVmHWM:\t    512 kB\n", "VmHWM:"), Some(512.0));
        assert_eq!(kib_after("", "VmHWM:"), None);
    }

    #[test]
    fn instructions_are_read() {
        assert_eq!(collected("==7== \n==7== Collected : 1234 5 6\n"), Some(1234));
        assert_eq!(collected("error"), None);
    }

    #[test]
    fn a_process_that_cannot_start_is_named() {
        let err = timed(Command::new("no-such-program-here")).expect_err("there is none");
        assert!(err.contains("no-such-program-here"), "{err}");
    }
}

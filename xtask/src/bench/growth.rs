//! `cargo xtask bench --growth`: twice the input may take little more than twice the work.
//!
//! Each shape is an input that some loop over everything makes slow: one long paragraph, deep folders,
//! thousands of aliases. It is made in four sizes, each twice the one before, and the commands run on each
//! as whole processes. What counts is their CPU time, the system's for them included, which other
//! processes disturb least.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::shapes::{SHAPES, Shape};
use super::{NOW, ken_of};
use crate::{Outcome, target_dir};

/// Doublings of each input.
const N_DOUBLINGS: u32 = 3;
/// How much more CPU time twice the input may take.
const RATIO_MAX: f64 = 2.3;
/// Below this a doubling is not judged: starting a process makes up too much of it.
const JUDGED_FROM_S: f64 = 0.1;
/// A command is run again until its runs took so much together: the system counts in hundredths.
const COUNTED_S: f64 = 0.2;
/// Batches of which the fastest counts.
const N_BATCHES: usize = 2;
/// Times that a shape is measured at most, when commands miss the bar.
const N_ROUNDS: usize = 3;
/// Runs in a batch at most.
const N_RUNS_MAX: usize = 5;

/// What is run on each vault: the name, the arguments, and what stands before each run.
const STEPS: &[(&str, &[&str], Before)] = &[
    ("compile", &["compile"], Before::NewVault),
    ("rebuild", &["rebuild", "--all", "--offline"], Before::Nothing),
    ("lint", &["lint"], Before::NoCache),
    ("lint again", &["lint"], Before::Nothing),
    ("search, no index", &["search", "harbour rules for the lamp"], Before::NoCache),
    ("search", &["search", "harbour rules for the lamp"], Before::Nothing),
    ("search, a change", &["search", "harbour rules for the lamp"], Before::ChangedFile),
    ("route, no table", &["route", "what does the harbour keep?"], Before::NoCache),
    ("route", &["route", "what does the harbour keep?"], Before::Nothing),
    ("context", &["context", "what does the harbour keep?"], Before::Nothing),
    ("brief", &["brief"], Before::Nothing),
    ("list", &["list"], Before::Nothing),
    ("status", &["status"], Before::Nothing),
];

/// What is done before each run, and not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// The vault is made again, so that the command is the first one in it.
    NewVault,
    /// The cache is deleted.
    NoCache,
    /// Something is changed, as the shape says.
    ChangedFile,
}

/// Measures the shapes whose names contain one of `wanted`, all when there is none, and prints the table.
pub(super) fn growth(options: &[&str]) -> Outcome {
    let (ken, wanted) = ken_of(options)?;
    if cpu_seconds().is_none() {
        return Err("there is no `/proc/self/stat` here, which says how much work a process made".to_owned());
    }
    println!("| shape | size | command | CPU of the four sizes | ratios | bar | |\n|---|---|---|---|---|---|---|");
    let mut n_missed = 0;
    for shape in SHAPES.iter().filter(|shape| is_wanted(shape.name, wanted)) {
        n_missed += measure_shape(&ken, shape)?;
    }
    println!("\n{n_missed} commands grow faster than {RATIO_MAX} x for twice the input.");
    if n_missed > 0 { Err(format!("{n_missed} commands miss the bar")) } else { Ok(()) }
}

fn is_wanted(name: &str, wanted: &[&str]) -> bool {
    wanted.is_empty() || wanted.iter().any(|part| name.contains(part))
}

/// Measures one shape; returns how many commands miss the bar. What misses it is measured again, and the
/// fastest of each size counts: a busy machine must not look like a loop in a loop.
fn measure_shape(ken: &Path, shape: &Shape) -> Result<usize, String> {
    let mut times = vec![vec![f64::MAX; N_DOUBLINGS as usize + 1]; STEPS.len()];
    for round in 0..N_ROUNDS {
        let misses: Vec<bool> = times.iter().map(|times| round == 0 || worst(times) > RATIO_MAX).collect();
        if !misses.contains(&true) {
            break;
        }
        for doubling in 0..=N_DOUBLINGS {
            let vault = Grown { ken, shape, size: shape.size << doubling, dir: folder() };
            vault.make()?;
            for (n, (_, args, before)) in STEPS.iter().enumerate() {
                // The first compile makes what the others read.
                if misses[n] || n == 0 {
                    let time = &mut times[n][doubling as usize];
                    *time = time.min(vault.cpu(args, *before)?);
                }
            }
            std::fs::remove_dir_all(&vault.dir).map_err(|err| format!("cannot remove the vault: {err}"))?;
        }
    }
    STEPS.iter().zip(&times).for_each(|((name, ..), times)| print_row(shape, name, times));
    Ok(times.iter().filter(|times| worst(times) > RATIO_MAX).count())
}

fn ratios(times: &[f64]) -> impl Iterator<Item = Option<f64>> {
    times.windows(2).map(|two| ratio(two[0], two[1]))
}

fn worst(times: &[f64]) -> f64 {
    ratios(times).flatten().fold(0.0, f64::max)
}

fn print_row(shape: &Shape, step: &str, times: &[f64]) {
    let shown_times: Vec<String> = times.iter().map(|time| format!("{time:.3}")).collect();
    let shown: Vec<String> = ratios(times).map(|one| one.map_or("–".to_owned(), |one| format!("{one:.2}"))).collect();
    println!(
        "| {} | {} {} | {step} | {} s | {} | {RATIO_MAX} | {} |",
        shape.name,
        shape.size,
        shape.unit,
        shown_times.join(", "),
        shown.join(", "),
        if worst(times) > RATIO_MAX { "**missed**" } else { "held" }
    );
}

/// Where the vaults are made; two runs at once do not meet.
fn folder() -> PathBuf {
    target_dir().join(format!("bench/growth-{}", std::process::id()))
}

/// How much more the larger input takes; nothing when that is too little to be judged.
fn ratio(smaller: f64, larger: f64) -> Option<f64> {
    (larger >= JUDGED_FROM_S).then(|| larger / smaller.max(0.001))
}

/// One vault of a shape.
struct Grown<'a> {
    ken: &'a Path,
    shape: &'a Shape,
    size: usize,
    dir: PathBuf,
}

impl Grown<'_> {
    /// Makes the vault afresh, never compiled.
    fn make(&self) -> Outcome {
        let failed = |err: std::io::Error| format!("cannot make the vault `{}`: {err}", self.dir.display());
        if self.dir.exists() {
            std::fs::remove_dir_all(&self.dir).map_err(failed)?;
        }
        std::fs::create_dir_all(&self.dir).map_err(failed)?;
        self.run(&["init", "."])?;
        std::fs::create_dir_all(self.dir.join("daily")).map_err(failed)?;
        (self.shape.write)(&self.dir, self.size).map_err(failed)?;
        if self.shape.is_ingested {
            self.run(&["ingest", "material"])?;
        }
        Ok(())
    }

    fn prepare(&self, before: Before, n: usize) -> Outcome {
        let failed = |err: std::io::Error| format!("cannot prepare the vault `{}`: {err}", self.dir.display());
        match before {
            Before::Nothing => Ok(()),
            Before::NewVault => self.make(),
            Before::NoCache => match std::fs::remove_dir_all(self.dir.join(".kenning/cache")) {
                Err(err) if err.kind() != std::io::ErrorKind::NotFound => Err(failed(err)),
                _ => Ok(()),
            },
            Before::ChangedFile => (self.shape.change)(&self.dir, n).map_err(failed),
        }
    }

    /// The CPU time of one run: that of the fastest batch, divided by its runs.
    fn cpu(&self, args: &[&str], before: Before) -> Result<f64, String> {
        let mut best = f64::MAX;
        for batch in 0..N_BATCHES {
            let (mut total, mut n_runs) = (0.0, 0);
            while n_runs < N_RUNS_MAX && total < COUNTED_S {
                self.prepare(before, batch * N_RUNS_MAX + n_runs)?;
                let start = cpu_seconds().unwrap_or_default();
                self.run(args)?;
                total += cpu_seconds().unwrap_or_default() - start;
                n_runs += 1;
            }
            best = best.min(total / n_runs as f64);
            // What takes seconds needs no second look.
            if total > 10.0 * COUNTED_S {
                break;
            }
        }
        Ok(best)
    }

    fn run(&self, args: &[&str]) -> Outcome {
        let mut command = Command::new(self.ken);
        command.args(args).current_dir(&self.dir).env("KEN_NOW", NOW).env("TZ", "UTC").env("NO_COLOR", "1");
        let output = command.output().map_err(|err| format!("cannot run `{command:?}`: {err}"))?;
        match output.status.code() {
            Some(0 | 1) => Ok(()),
            _ => Err(format!("`{command:?}` failed:\n{}", String::from_utf8_lossy(&output.stderr))),
        }
    }
}

/// The CPU time of all processes that this one waited for, in seconds.
fn cpu_seconds() -> Option<f64> {
    cpu_seconds_in(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The sixteenth and seventeenth fields count the children's time in hundredths of a second, their own and what
/// the system did for them; the name in the second may hold spaces, so counting begins behind it.
fn cpu_seconds_in(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_read_behind_a_name_with_spaces() {
        let stat = "7 (a b) c) S 1 7 7 0 -1 4 1 2 3 4 50 60 1234 80 20 0 1 0";
        assert_eq!(cpu_seconds_in(stat), Some(13.14));
    }

    #[test]
    fn what_takes_no_time_is_not_judged() {
        assert_eq!(ratio(0.01, 0.09), None);
        assert_eq!(ratio(0.1, 0.3).map(|ratio| ratio.round()), Some(3.0));
    }
}

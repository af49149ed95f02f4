//! `cargo xtask bench`: the product's promises about time and memory, measured.
//!
//! Builds the release binary, makes vaults from a seed under `target/bench/`, runs whole processes
//! and prints a Markdown table with each number beside its bar. Every number includes starting the
//! process and reading the vault, because that is what a user waits for. Nothing is asserted: a
//! busy machine would make a test lie.

mod compile;
mod drift;
mod growth;
mod hooks;
mod journal;
mod measure;
mod replay;
mod search;
mod shapes;
mod size;
mod vault;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::{Outcome, cargo, run, target_dir};
use measure::{median, memory_mib, timed};
use vault::Vault;

/// Runs of one question; odd, so that the median is a run that happened.
const N_ROUTE_RUNS: usize = 11;
const N_LINT_RUNS: usize = 5;
const N_COMPILE_RUNS: usize = 5;
const N_QUESTIONS: usize = 5;

/// The size of vault that hooks with a long transcript are measured on.
const HOOKS_PAGES: usize = 2_000;

/// Bars of the product's promises.
const ROUTE_MAX: Duration = Duration::from_millis(15);
const LINT_RATIO_MAX: f64 = 2.0;
const MEMORY_MAX_MIB: f64 = 150.0;

/// What is fixed in the environment of `ken`, so that two runs do the same work.
const NOW: &str = "2026-07-01T12:00:00Z";

/// Measures vaults of the asked sizes and prints the table.
pub(crate) fn bench(options: &[&str]) -> Outcome {
    let (only_search, options) = match options {
        ["--growth", rest @ ..] => return growth::growth(rest),
        ["--compile", rest @ ..] => return compile::compile(rest),
        ["--drift", rest @ ..] => return drift::drift(rest),
        ["--replay", rest @ ..] => return replay::replay(rest),
        ["--size", rest @ ..] => return size::size(rest),
        ["--search", rest @ ..] => (true, rest),
        all => (false, all),
    };
    let (ken, options) = ken_of(options)?;
    let sizes = sizes(options)?;
    println!("| pages | what | median | peak memory | bar | of the bar |\n|---|---|---|---|---|---|");
    for n_pages in sizes {
        let bench = Bench::new(&ken, n_pages)?;
        if only_search {
            bench.search()?;
            continue;
        }
        bench.route()?;
        bench.lint()?;
        bench.compile()?;
        bench.search()?;
        bench.session_start()?;
        if n_pages == HOOKS_PAGES {
            bench.session_end()?;
        }
    }
    Ok(())
}

/// Returns the program of `--ken PATH`, else the release build, made now; and the options behind it.
fn ken_of<'o, 'p>(options: &'o [&'p str]) -> Result<(PathBuf, &'o [&'p str]), String> {
    match options {
        ["--ken", path, rest @ ..] => Ok((named(path)?, rest)),
        rest => Ok((built()?, rest)),
    }
}

/// Returns the number of `--days N`, else `n_days`; and the program, as [`ken_of`] does.
fn days_and_ken(options: &[&str], mut n_days: usize) -> Result<(usize, PathBuf), String> {
    let mut ken = None;
    for option in options.chunks(2) {
        match option {
            ["--days", days] => n_days = days.parse().map_err(|_| format!("`{days}` is no number of days"))?,
            ["--ken", path] => ken = Some(named(path)?),
            other => return Err(format!("`{}` are no options of this bench", other.join(" "))),
        }
    }
    Ok((n_days, ken.map_or_else(built, Ok)?))
}

fn named(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|err| format!("cannot find `{path}`: {err}"))
}

fn built() -> Result<PathBuf, String> {
    run(&mut cargo(&["build", "--release", "-p", "ken-cli"]), "cargo build --release -p ken-cli")?;
    Ok(target_dir().join("release/ken"))
}

fn sizes(options: &[&str]) -> Result<Vec<usize>, String> {
    match options {
        [] => Ok(vec![100, 500, 1_000, 2_000, 10_000]),
        ["--quick"] => Ok(vec![100, 500]),
        ["--sizes", list] => {
            list.split(',').map(|size| size.parse().map_err(|_| format!("`{size}` is no number of pages"))).collect()
        }
        _ => Err(format!("`{}` are no options of bench", options.join(" "))),
    }
}

/// One vault under measurement.
struct Bench {
    ken: PathBuf,
    dir: PathBuf,
    vault: Vault,
}

impl Bench {
    /// Makes the vault afresh and compiles it once, so that what is measured is the daily case.
    fn new(ken: &Path, n_pages: usize) -> Result<Bench, String> {
        let dir = target_dir().join("bench").join(n_pages.to_string());
        let shown = |err: std::io::Error| format!("cannot make the vault `{}`: {err}", dir.display());
        if dir.exists() {
            std::fs::remove_dir_all(&dir).map_err(shown)?;
        }
        std::fs::create_dir_all(&dir).map_err(shown)?;
        let bench = Bench { ken: ken.to_owned(), dir: dir.clone(), vault: Vault::new(n_pages) };
        timed(bench.ken(&["init", "."]))?;
        bench.vault.write(&dir).map_err(shown)?;
        timed(bench.ken(&["compile"]))?;
        Ok(bench)
    }

    fn ken(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.ken);
        command.args(args).current_dir(&self.dir).env("KEN_NOW", NOW).env("TZ", "UTC").env("NO_COLOR", "1");
        command
    }

    fn route(&self) -> Outcome {
        let questions = self.vault.questions(N_QUESTIONS);
        let mut times = Vec::new();
        for question in &questions {
            timed(self.ken(&["route", question]))?;
            for _ in 0..N_ROUTE_RUNS {
                times.push(timed(self.ken(&["route", question]))?);
            }
        }
        let time = median(&mut times);
        let memory = memory_mib(self.ken(&["route", &questions[0]]))?;
        let bar = (self.n_pages() <= 10_000).then_some(ROUTE_MAX);
        self.row("`ken route QUESTION`, whole process", time, memory, bar);
        Ok(())
    }

    /// Lint against `rg -c .`, the fastest way we know to look at every line of the same files.
    fn lint(&self) -> Outcome {
        let mut times = Vec::new();
        timed(self.ken(&["lint"]))?;
        for _ in 0..N_LINT_RUNS {
            times.push(timed(self.ken(&["lint"]))?);
        }
        let time = median(&mut times);
        let memory = memory_mib(self.ken(&["lint"]))?;
        let (name, reading) = self.reading()?;
        let ratio = time.as_secs_f64() / reading.as_secs_f64();
        self.print_row(&[
            "`ken lint`",
            &shown_time(time),
            &shown_memory(memory),
            &format!("{LINT_RATIO_MAX} x {name} ({})", shown_time(reading)),
            &format!("{ratio:.1} x"),
        ]);
        Ok(())
    }

    fn reading(&self) -> Result<(&'static str, Duration), String> {
        let folders = [self.dir.join("knowledge"), self.dir.join("daily")];
        let has_rg = Command::new("rg").arg("--version").output().is_ok();
        let mut times = Vec::new();
        for _ in 0..N_LINT_RUNS {
            times.push(if has_rg {
                let mut command = Command::new("rg");
                command.args(["--no-ignore", "-c", "."]).args(&folders);
                timed(command)?
            } else {
                measure::read_all(&folders)?
            });
        }
        Ok((if has_rg { "`rg -c .`" } else { "reading (there is no `rg` here)" }, median(&mut times)))
    }

    /// Each run gets a new day, as each evening does.
    fn compile(&self) -> Outcome {
        let mut times = Vec::new();
        let new_day = |n: usize| {
            self.vault.write_new_day(&self.dir, n).map_err(|err| format!("cannot write a day of the journal: {err}"))
        };
        for n in 0..N_COMPILE_RUNS {
            new_day(n)?;
            times.push(timed(self.ken(&["compile"]))?);
        }
        new_day(N_COMPILE_RUNS)?;
        let memory = memory_mib(self.ken(&["compile"]))?;
        let bar = match self.n_pages() {
            0..=500 => Some(Duration::from_millis(50)),
            501..=10_000 => Some(Duration::from_millis(100)),
            _ => None,
        };
        self.row("`ken compile` after one new day", median(&mut times), memory, bar);
        Ok(())
    }

    fn n_pages(&self) -> usize {
        self.vault.n_pages()
    }

    fn row(&self, what: &str, time: Duration, memory: Option<f64>, bar: Option<Duration>) {
        let share = bar.map_or("–".to_owned(), |bar| format!("{:.2}", time.as_secs_f64() / bar.as_secs_f64()));
        let bar = bar.map_or("–".to_owned(), shown_time);
        self.print_row(&[what, &shown_time(time), &shown_memory(memory), &bar, &share]);
    }

    fn print_row(&self, cells: &[&str]) {
        println!("| {} | {} |", self.n_pages(), cells.join(" | "));
    }
}

fn shown_time(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// Memory with its own bar, which holds for every command alike.
fn shown_memory(memory: Option<f64>) -> String {
    memory.map_or("not measured".to_owned(), |mib| {
        format!("{mib:.0} MiB ({:.2} of {MEMORY_MAX_MIB})", mib / MEMORY_MAX_MIB)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_the_options() {
        assert_eq!(sizes(&["--sizes", "10,20"]), Ok(vec![10, 20]));
        assert_eq!(sizes(&["--sizes", "ten"]), Err("`ten` is no number of pages".to_owned()));
        assert!(sizes(&["--fast"]).is_err());
    }

    #[test]
    fn numbers_carry_their_units() {
        assert_eq!(shown_time(Duration::from_micros(12_340)), "12.3 ms");
        assert_eq!(shown_memory(Some(30.0)), "30 MiB (0.20 of 150)");
        assert_eq!(shown_memory(None), "not measured");
    }
}

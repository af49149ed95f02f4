//! `cargo xtask bench --compile`: a journal of years, compiled at once and then a day at a time.
//!
//! The other vaults have pages that people wrote; here all are compiled, so that the ledger, the index and
//! the routing table are as large as they get. Twice the days must take about twice the time, and a new day
//! must take none of what was there before.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::journal::{ENTRIES_A_DAY, write_day};
use super::measure::{instructions, median, memory_mib, timed};
use super::{NOW, days_and_ken, shown_memory, shown_time};
use crate::{Outcome, target_dir};

/// Days that give about 10,000 pages.
const N_DAYS: usize = 540;
/// New days; odd, so that the median is a run that happened.
const N_NEW_DAYS: usize = 9;

/// Bars of the product's promises.
const NEW_DAY_MAX: Duration = Duration::from_millis(100);
const RATIO_MAX: f64 = 2.3;

/// Compiles half of the days, all of them, and then some more, each alone; prints the table.
pub(super) fn compile(options: &[&str]) -> Outcome {
    let (n_days, ken) = days_and_ken(options, N_DAYS)?;
    println!("| days | pages | what | time | peak memory | instructions | bar |\n|---|---|---|---|---|---|---|");
    let half = Grown::new(&ken, n_days / 2)?;
    let before = half.first()?;
    let all = Grown::new(&ken, n_days)?;
    let after = all.first()?;
    let ratio = after.as_secs_f64() / before.as_secs_f64();
    println!("| | | twice the days | {ratio:.2} x | | | {RATIO_MAX} x |");
    all.new_days()?;
    all.whole_wiki()
}

/// One vault that grows by days.
struct Grown {
    ken: PathBuf,
    dir: PathBuf,
    n_days: usize,
}

impl Grown {
    /// Makes the vault afresh, never compiled.
    fn new(ken: &Path, n_days: usize) -> Result<Grown, String> {
        let dir = target_dir().join("bench").join(format!("days-{n_days}"));
        let grown = Grown { ken: ken.to_owned(), dir, n_days };
        let failed = |err: std::io::Error| format!("cannot make the vault `{}`: {err}", grown.dir.display());
        if grown.dir.exists() {
            std::fs::remove_dir_all(&grown.dir).map_err(failed)?;
        }
        std::fs::create_dir_all(&grown.dir).map_err(failed)?;
        timed(grown.ken(&["init", "."]))?;
        (0..n_days).try_for_each(|day| grown.write_day(day))?;
        Ok(grown)
    }

    fn write_day(&self, day: usize) -> Outcome {
        write_day(&self.dir, day).map_err(|err| format!("cannot write a day of the journal: {err}"))
    }

    fn ken(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.ken);
        command.args(args).current_dir(&self.dir).env("KEN_NOW", NOW).env("TZ", "UTC").env("NO_COLOR", "1");
        command
    }

    /// The first compile, whole process.
    fn first(&self) -> Result<Duration, String> {
        let time = timed(self.ken(&["compile"]))?;
        self.row("first `ken compile`", time, None, None, None)?;
        Ok(time)
    }

    /// One new day after another: times first, then what slows the program down while it is measured.
    fn new_days(&self) -> Outcome {
        let mut times = Vec::new();
        for n in 0..N_NEW_DAYS {
            self.write_day(self.n_days + n)?;
            times.push(timed(self.ken(&["compile"]))?);
        }
        self.write_day(self.n_days + N_NEW_DAYS)?;
        let memory = memory_mib(self.ken(&["compile"]))?;
        self.write_day(self.n_days + N_NEW_DAYS + 1)?;
        let count = instructions(self.ken(&["compile"]))?;
        let what = format!("`ken compile` after one new day of {ENTRIES_A_DAY} entries");
        self.row(&what, median(&mut times), memory, count, Some(NEW_DAY_MAX))
    }

    /// What looks through all pages at once: a consolidation, and lint.
    fn whole_wiki(&self) -> Outcome {
        for (what, args) in [("`ken lint`", &["lint"][..]), ("`ken consolidate --now`", &["consolidate", "--now"])] {
            let memory = memory_mib(self.ken(args))?;
            let time = timed(self.ken(args))?;
            self.row(what, time, memory, None, None)?;
        }
        Ok(())
    }

    fn row(
        &self,
        what: &str,
        time: Duration,
        memory: Option<f64>,
        count: Option<u64>,
        bar: Option<Duration>,
    ) -> Outcome {
        let memory = memory.map_or("–".to_owned(), |mib| shown_memory(Some(mib)));
        let count = count.map_or("–".to_owned(), |count| format!("{:.0} million", count as f64 / 1e6));
        let bar = bar.map_or("–".to_owned(), shown_time);
        let n_pages = n_pages(&self.dir.join("knowledge")).map_err(|err| format!("cannot count the pages: {err}"))?;
        println!("| {} | {n_pages} | {what} | {} | {memory} | {count} | {bar} |", self.n_days, shown_time(time));
        Ok(())
    }
}

/// Pages in the folders of categories.
fn n_pages(wiki: &Path) -> std::io::Result<usize> {
    let mut n_pages = 0;
    for folder in std::fs::read_dir(wiki)? {
        let folder = folder?.path();
        if folder.is_dir() && !folder.ends_with("index") {
            n_pages += std::fs::read_dir(folder)?.count();
        }
    }
    Ok(n_pages)
}

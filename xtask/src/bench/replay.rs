//! `cargo xtask bench --replay`: a journal of 1,000 days that a model read, rebuilt from the recorded replies.
//!
//! The model is this program, which replies with a claim for every line. Then pages and cache are deleted and made
//! again without it, and every byte is compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::journal::write_short_day;
use super::measure::{memory_mib, timed};
use super::{NOW, days_and_ken, shown_memory, shown_time};
use crate::{Outcome, target_dir};

const N_DAYS: usize = 1_000;
/// Where the vault's user has settings, in the vault.
const SETTINGS: &str = ".kenning/settings/kenning";
/// Sessions of a day.
const ENTRIES_A_DAY: usize = 4;
/// The promise, for that many days.
const REBUILD_MAX: Duration = Duration::from_secs(60);
/// Runs of the model until nothing is left to ask: pages are asked about as long as their claims change.
const N_RUNS_MAX: usize = 6;

/// Makes the vault, lets it be read, rebuilds it offline and prints the table; fails when a byte differs.
pub(super) fn replay(options: &[&str]) -> Outcome {
    let (n_days, ken) = days_and_ken(options, N_DAYS)?;
    let vault = Recorded::new(&ken, n_days)?;
    let shown = |err: std::io::Error| format!("cannot read the vault `{}`: {err}", vault.dir.display());
    let recorded = vault.read_by_model()?;
    let n_replies = files(&vault.dir.join(".kenning/replies")).map_err(shown)?.len();
    let before = vault.wiki().map_err(shown)?;
    println!("| days | replies | pages | what | time | peak memory | bar |\n|---|---|---|---|---|---|---|");
    let row = |what: &str, time: Duration, memory: Option<f64>, bar: &str| {
        let memory = memory.map_or("–".to_owned(), |mib| shown_memory(Some(mib)));
        println!("| {n_days} | {n_replies} | {} | {what} | {} | {memory} | {bar} |", before.len(), shown_time(time));
    };
    row("read by a model, all runs", recorded, None, "–");
    vault.forget_pages().map_err(shown)?;
    let time = timed(vault.ken(&["rebuild", "--all", "--offline", "--yes"]))?;
    let after = vault.wiki().map_err(shown)?;
    vault.forget_pages().map_err(shown)?;
    let memory = memory_mib(vault.ken(&["rebuild", "--all", "--offline", "--yes"]))?;
    row("`ken rebuild --all --offline` from nothing", time, memory, &shown_time(REBUILD_MAX));
    let differ = different(&before, &after);
    match differ.as_slice() {
        [] => println!("\nEvery byte of {} files is the same.", before.len()),
        some => {
            return Err(format!("{} of {} files differ: {}", some.len(), before.len(), some.join(", ")));
        }
    }
    Ok(())
}

/// The names of files that are not the same in both.
fn different(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    names.filter(|name| before.get(*name) != after.get(*name)).take(12).cloned().collect()
}

/// A vault that a model reads.
struct Recorded {
    ken: PathBuf,
    dir: PathBuf,
}

impl Recorded {
    /// Makes the vault afresh.
    fn new(ken: &Path, n_days: usize) -> Result<Recorded, String> {
        let vault = Recorded { ken: ken.to_owned(), dir: target_dir().join("bench").join(format!("replay-{n_days}")) };
        let failed = |err: std::io::Error| format!("cannot make the vault `{}`: {err}", vault.dir.display());
        if vault.dir.exists() {
            std::fs::remove_dir_all(&vault.dir).map_err(failed)?;
        }
        std::fs::create_dir_all(&vault.dir).map_err(failed)?;
        timed(vault.ken(&["init", "."]))?;
        let settings = vault.dir.join(SETTINGS);
        std::fs::create_dir_all(&settings).map_err(failed)?;
        std::fs::write(settings.join("models.toml"), "[command]\ncalls_at_once_max = 4\n").map_err(failed)?;
        (0..n_days).try_for_each(|day| write_short_day(&vault.dir, day, ENTRIES_A_DAY)).map_err(failed)?;
        Ok(vault)
    }

    fn ken(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.ken);
        command.args(args).current_dir(&self.dir).env("KEN_NOW", NOW).env("TZ", "UTC").env("NO_COLOR", "1");
        // Four days at once: after each step everything is compiled.
        command.env("XDG_CONFIG_HOME", self.dir.join(".kenning/settings"));
        command
    }

    /// Lets this program read everything, until it is asked for nothing more.
    fn read_by_model(&self) -> Result<Duration, String> {
        let exe = std::env::current_exe().map_err(|err| format!("cannot find this program: {err}"))?;
        let model = format!("command:{} reply whole", exe.display());
        let (mut time, mut n_before) = (Duration::ZERO, None);
        for _ in 0..N_RUNS_MAX {
            time += timed(self.ken(&["compile", "--model", &model]))?;
            let n_replies = files(&self.dir.join(".kenning/replies")).map(|files| files.len()).ok();
            if n_replies == n_before {
                break;
            }
            n_before = n_replies;
        }
        Ok(time)
    }

    /// Every file of the wiki but the log, which only grows.
    fn wiki(&self) -> std::io::Result<BTreeMap<String, Vec<u8>>> {
        let root = self.dir.join("knowledge");
        let found = files(&root)?.into_iter().filter(|file| !file.ends_with("log.md"));
        let named = found.map(|file| {
            let name = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().into_owned();
            Ok((name, std::fs::read(&file)?))
        });
        named.collect()
    }

    /// Deletes the pages and the cache.
    fn forget_pages(&self) -> std::io::Result<()> {
        let pages = files(&self.dir.join("knowledge"))?.into_iter().filter(|file| !file.ends_with("log.md"));
        pages.into_iter().try_for_each(std::fs::remove_file)?;
        std::fs::remove_dir_all(self.dir.join(".kenning/cache"))
    }
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { out.extend(files(&path)?) } else { out.push(path) }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_new_or_other_differs() {
        let of = |files: &[(&str, &str)]| -> BTreeMap<String, Vec<u8>> {
            files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_owned())).collect()
        };
        let before = of(&[("a", "1"), ("b", "2"), ("c", "3")]);
        assert_eq!(different(&before, &of(&[("a", "1"), ("b", "x"), ("d", "4")])), ["b", "c", "d"]);
        assert!(different(&before, &before).is_empty());
    }
}

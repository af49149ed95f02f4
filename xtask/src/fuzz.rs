//! `cargo xtask fuzz`: every fuzz target for a while.
//!
//! The targets live in `fuzz/`, outside the workspace. They are built without a sanitizer (`-s
//! none`): the product has no unsafe code, what is looked for are panics and endless loops, and this
//! way the stable toolchain is enough. `fuzz/README.md` says how to run one target by hand.

use std::process::Command;

use crate::{Outcome, root, run};

/// Runs every target in `fuzz/fuzz_targets/` for `seconds`; the first finding ends the run.
pub(crate) fn fuzz(seconds: &str) -> Outcome {
    let seconds: u32 = seconds.parse().map_err(|_| format!("`{seconds}` is no number of seconds"))?;
    let dir = root().join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(dir).map_err(|err| format!("cannot read `fuzz/fuzz_targets`: {err}"))?;
    let mut targets: Vec<String> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".rs").map(str::to_owned))
        .collect();
    targets.sort();
    for target in targets {
        println!("==> {target}, {seconds} s");
        let limit = format!("-max_total_time={seconds}");
        // Ten seconds for one input: the longest take milliseconds, so this only ever means a loop.
        let args = ["fuzz", "run", "-s", "none", &target, "--", &limit, "-timeout=10", "-verbosity=0"];
        run(Command::new("cargo").args(args).current_dir(root()), &format!("cargo {}", args.join(" ")))
            .map_err(|err| format!("{err}\nhint: `cargo install cargo-fuzz` if there is no such command"))?;
    }
    Ok(())
}

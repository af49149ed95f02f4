//! `cargo xtask bench --size`: how large the program is that is handed out, with everything in it.
//!
//! Unlike times, a size is the same on a busy machine, so a program beyond the bar is a failure.

use std::path::PathBuf;

use crate::{Outcome, cargo, run, target_dir};

/// Bytes that the program may have.
const BYTES_MAX: u64 = 30_000_000;

/// Builds `ken` with the profile `dist`, or takes a file, and prints its size.
pub(super) fn size(options: &[&str]) -> Outcome {
    let ken = match options {
        [] => {
            let build = ["build", "--profile", "dist", "-p", "ken-cli"];
            run(&mut cargo(&build), "cargo build --profile dist -p ken-cli")?;
            target_dir().join("dist").join(format!("ken{}", std::env::consts::EXE_SUFFIX))
        }
        ["--ken", path] => PathBuf::from(path),
        other => return Err(format!("`{}` are no options of bench --size", other.join(" "))),
    };
    let metadata = std::fs::metadata(&ken).map_err(|err| format!("cannot look at `{}`: {err}", ken.display()))?;
    let n_bytes = metadata.len();
    println!("{}: {n_bytes} bytes, at most {BYTES_MAX}", ken.display());
    if n_bytes > BYTES_MAX {
        return Err(format!(
            "`ken` has {} bytes more than a release may have; docs/decisions/0046 says what it is made of",
            n_bytes - BYTES_MAX
        ));
    }
    Ok(())
}

//! `cargo xtask scrub`: how much the scrubber finds, what it takes for a secret and is none, how fast it is.
//!
//! The measurement itself is an example of `ken-intake`, because xtask uses none of the product's crates.
//! Files given as arguments are not measured but listed: every line in which something would be replaced.

use crate::{Outcome, cargo, run};

/// Runs the measurement, on the corpus or on files.
pub(crate) fn scrub(files: &[&str]) -> Outcome {
    let example = ["run", "--release", "--quiet", "-p", "ken-intake", "--example", "scrub_corpus", "--"];
    run(cargo(&example).args(files), "cargo run --release -p ken-intake --example scrub_corpus")
}

//! `cargo xtask bless`: rewrite expectations to what the program prints now.
//!
//! Blessing decides nothing: the diff it leaves is read and kept, or not, by a person. Suites are
//! rewritten first; inline expectations follow in every crate that has some.

use crate::{Outcome, cargo, root, run};

/// Rewrites the suites of `specs/` and the inline expectations of the crates.
pub(crate) fn bless() -> Outcome {
    let specs = "cargo test -p ken-cli --test specs";
    run(cargo(&["test", "-p", "ken-cli", "--test", "specs"]).env("KEN_BLESS", "1"), specs)?;
    for name in crates_with_expectations()? {
        let shown = format!("cargo test -p {name}");
        run(cargo(&["test", "-p", &name]).env("UPDATE_EXPECT", "1"), &shown)?;
    }
    println!("expectations are rewritten; read `git diff` before keeping them.");
    Ok(())
}

/// The crates whose manifest names `expect-test`, by folder name, which is the crate's name.
fn crates_with_expectations() -> Result<Vec<String>, String> {
    let crates = root().join("crates");
    let entries = std::fs::read_dir(&crates).map_err(|err| format!("cannot read `crates`: {err}"))?;
    let mut names = Vec::new();
    for entry in entries.flatten() {
        let manifest = std::fs::read_to_string(entry.path().join("Cargo.toml")).unwrap_or_default();
        if manifest.lines().any(|line| line.starts_with("expect-test")) {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

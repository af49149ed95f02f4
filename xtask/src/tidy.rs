//! `cargo xtask tidy`: house rules that a program can read off the files.
//!
//! Reads the tree once into a [`Tree`] and hands it to every check; a check is a pure function from
//! the tree to [`Finding`]s, so each is tested with a few lines of text. Tidy changes nothing. What
//! the compiler or clippy can hold is left to them.

mod arrows;
mod circles;
mod docs;
mod glossary;
mod names;
mod source;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use crate::{Outcome, cargo, root};

/// One broken rule, with the way out.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    /// Line, from 1.
    line: usize,
    message: String,
    fix: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>, fix: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, message: message.into(), fix: fix.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}\n  fix: {}", self.path, self.line, self.message, self.fix)
    }
}

/// The text files of the repository, by path relative to its root.
#[derive(Debug, Default)]
struct Tree {
    files: BTreeMap<String, String>,
}

impl Tree {
    /// Returns the files whose path fits.
    fn of<'a>(&'a self, fits: impl Fn(&str) -> bool + 'a) -> impl Iterator<Item = (&'a str, &'a str)> + 'a {
        self.files.iter().filter(move |(path, _)| fits(path)).map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns the Rust files of the product and of xtask.
    fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.of(|path| (path.starts_with("crates/") || path.starts_with("xtask/")) && path.ends_with(".rs"))
    }

    /// Returns one file's text.
    fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Returns whether there is a file or folder of that name.
    fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.files
            .keys()
            .any(|file| file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    }
}

/// A check: everything wrong with the tree in one respect.
type Check = fn(&Tree) -> Vec<Finding>;

const CHECKS: [Check; 13] = [
    source::modules_say_what_they_are_for,
    source::files_stay_short,
    source::functions_stay_short,
    source::forbidden_text,
    source::leftovers,
    circles::no_new_circles,
    source::machine_paths,
    glossary::refused_words,
    docs::decisions_are_enforced,
    docs::architecture_is_short,
    docs::readme_links_lead_somewhere,
    names::architecture_names_exist,
    names::invariants_name_their_test,
];

/// Runs every check and prints what is wrong, in the order of the files.
pub(crate) fn tidy() -> Outcome {
    let mut tree = Tree::default();
    read_into(&mut tree, &root(), "").map_err(|err| format!("cannot read the repository: {err}"))?;
    let mut findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    findings.extend(arrows::arrows(&metadata()?));
    findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        n => Err(format!("tidy has {n} findings")),
    }
}

/// Folders that hold nothing of ours to check.
const SKIPPED: [&str; 5] = [".git", "target", "corpus", "artifacts", "node_modules"];

fn read_into(tree: &mut Tree, dir: &Path, prefix: &str) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                read_into(tree, &entry.path(), &format!("{path}/"))?;
            }
        } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
            tree.files.insert(path, text);
        }
    }
    Ok(())
}

fn metadata() -> Result<serde_json::Value, String> {
    let output = cargo(&["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .map_err(|err| format!("cannot run `cargo metadata`: {err}"))?;
    serde_json::from_slice(&output.stdout).map_err(|err| format!("cannot read what `cargo metadata` printed: {err}"))
}

/// Returns a tree of these files, for tests.
#[cfg(test)]
fn tree(files: &[(&str, &str)]) -> Tree {
    Tree { files: files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect() }
}

/// Checks that a sample has exactly the findings named by `path:line: message part`.
#[cfg(test)]
#[track_caller]
fn check(check: Check, files: &[(&str, &str)], expected: &[&str]) {
    let found: Vec<String> = check(&tree(files)).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{expected:?} is not in {found:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_shows_the_place_and_the_way_out() {
        let finding = Finding::new("a.rs", 3, "something is wrong", "change it");
        assert_eq!(finding.to_string(), "a.rs:3: something is wrong\n  fix: change it");
    }

    #[test]
    fn folders_exist_when_a_file_is_in_them() {
        let tree = tree(&[("crates/ken-core/src/lib.rs", "")]);
        assert!(tree.has("crates/ken-core") && tree.has("crates/ken-core/") && !tree.has("crates/ken"));
    }
}

//! The runner of the Markdown suites in `specs/`.
//!
//! A suite is a Markdown file that people read first and machines second. A `##` heading is a test,
//! a fenced block whose info string is a path is a file, a `console` block is commands with the
//! output they must print, and everything else is prose that says why. `specs/README.md` is the
//! reference for authors; this module and its parts keep what it says.
//!
//! Each test gets a folder of its own, real files and the real binary, so that a suite promises what
//! a user sees. The runner reads suites, and writes one only when it is asked to bless.

mod compare;
mod shell;
mod suite;

use std::fmt;
use std::path::{Path, PathBuf};

use compare::Comparison;
use shell::Sandbox;
use suite::{Command, Step, Suite, Test};

/// How the tests of one suite, or of a folder of suites, went.
#[derive(Debug, Default)]
pub struct SuiteResult {
    /// Number of tests that printed what they promise, or whose expectations were just rewritten.
    pub passed: usize,
    /// The tests that did not.
    pub failed: Vec<Failure>,
}

impl SuiteResult {
    /// Returns the number of tests that were found.
    pub fn n_tests(&self) -> usize {
        self.passed + self.failed.len()
    }
}

/// One test that did not print what it promises.
#[derive(Debug)]
pub struct Failure {
    /// The suite's file.
    pub file: PathBuf,
    /// The test's heading.
    pub heading: String,
    /// The line of the command, from 1.
    pub line: usize,
    /// The command and a line diff of what was expected and what came.
    pub diff: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}: {}", self.file.display(), self.line, self.heading)?;
        writeln!(f, "{}", self.diff.trim_end())?;
        writeln!(f, "hint: `cargo xtask bless` rewrites expectations; read the diff before keeping it")
    }
}

/// Runs every test of one suite with the binary `ken`.
///
/// With `bless`, expectations that differ are rewritten in place and their tests count as passed.
/// Lines that still match by a wildcard are kept.
///
/// # Panics
///
/// When the suite cannot be read or written: a suite that is not there promises nothing.
pub fn run_suite(file: &Path, ken: &Path, bless: bool) -> SuiteResult {
    let text = std::fs::read_to_string(file).unwrap_or_else(|err| panic!("cannot read `{}`: {err}", file.display()));
    let mut result = SuiteResult::default();
    let suite = match Suite::parse(&text) {
        Ok(suite) => suite,
        Err(problem) => {
            result.failed.push(failure(file, "(the suite itself)", problem.line, problem.message));
            return result;
        }
    };
    let mut rewrites = Vec::new();
    for test in &suite.tests {
        match run_test(&suite, test, ken, bless) {
            Ok(mut changed) => {
                result.passed += 1;
                rewrites.append(&mut changed);
            }
            Err((line, diff)) => result.failed.push(failure(file, &test.heading, line, diff)),
        }
    }
    if !rewrites.is_empty() {
        let blessed = rewritten(&text, &rewrites);
        std::fs::write(file, blessed).unwrap_or_else(|err| panic!("cannot write `{}`: {err}", file.display()));
    }
    result
}

/// Runs every suite under `dir`, in the order of their paths; `README.md` files are no suites.
///
/// # Panics
///
/// When `dir` cannot be read.
pub fn run_all(dir: &Path, ken: &Path, bless: bool) -> SuiteResult {
    let mut total = SuiteResult::default();
    for file in suites(dir) {
        let mut result = run_suite(&file, ken, bless);
        total.passed += result.passed;
        total.failed.append(&mut result.failed);
    }
    total
}

fn failure(file: &Path, heading: &str, line: usize, diff: String) -> Failure {
    Failure { file: file.to_owned(), heading: heading.to_owned(), line, diff }
}

/// The suites under `dir`, sorted, so that two machines report in the same order.
fn suites(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|err| panic!("cannot read `{}`: {err}", dir.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a folder that opens can be listed").path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(suites(&path));
        } else if path.extension().is_some_and(|ext| ext == "md")
            && path.file_name().is_none_or(|name| name != "README.md")
        {
            found.push(path);
        }
    }
    found
}

/// New expected lines for the command whose expectation stands at these lines of the suite.
struct Rewrite {
    first: usize,
    n_old: usize,
    lines: Vec<String>,
}

/// Runs one test and returns what blessing would rewrite, or the first command that differs.
///
/// Without `bless` the first difference ends the test: what follows it is mostly its echo.
fn run_test(suite: &Suite, test: &Test, ken: &Path, bless: bool) -> Result<Vec<Rewrite>, (usize, String)> {
    let sandbox = Sandbox::new(ken);
    let mut rewrites = Vec::new();
    for step in suite.shared.iter().chain(&test.steps) {
        match step {
            Step::File { path, content, line } => {
                sandbox.write(path, content).map_err(|message| (*line, message))?;
            }
            Step::Run(command) => {
                let actual = sandbox.run(&command.text).map_err(|message| (command.line, message))?;
                let compared = compare::compare(&command.expected, &actual);
                if compared.is_match() {
                    continue;
                }
                if !bless {
                    return Err((command.line, report(command, &compared)));
                }
                rewrites.push(Rewrite {
                    first: command.line,
                    n_old: command.expected.len(),
                    lines: compared.blessed(command.fence),
                });
            }
        }
    }
    Ok(rewrites)
}

fn report(command: &Command, compared: &Comparison) -> String {
    format!("$ {}\n{}(`-` expected, `+` printed)", command.text, compared.diff())
}

/// The suite's text with the rewrites done, last first so that earlier line numbers stay true.
fn rewritten(text: &str, rewrites: &[Rewrite]) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    for rewrite in rewrites.iter().rev() {
        let new = rewrite.lines.iter().map(String::as_str);
        lines.splice(rewrite.first..rewrite.first + rewrite.n_old, new);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;

//! The corpora of poisoned lines and of secrets: tests of the real binary that say how many they tried.

use super::{Plan, Tally};
use crate::cargo;

/// Poisoned lines on every way in; what a session starts with and what a context marks.
pub(super) fn poison(_: &Plan) -> Result<Tally, String> {
    counted("poison")
}

/// Secrets in transcripts, notes and documents, looked for in every byte under the vault.
pub(super) fn secrets(_: &Plan) -> Result<Tally, String> {
    counted("secrets")
}

/// Runs a test of the binary that prints `attack NAME: N tries, N violations` and a line a violation.
fn counted(name: &str) -> Result<Tally, String> {
    let output = cargo(&["test", "--quiet", "-p", "ken-cli", "--test", "it", name, "--", "--nocapture"]).output();
    let output = output.map_err(|err| format!("cannot run cargo: {err}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let head = format!("attack {name}: ");
    let mut tally = Tally::default();
    let mut is_counted = false;
    for line in said.lines() {
        let Some(rest) = line.split(&head).nth(1) else { continue };
        match rest.split_once(" tries, ").and_then(|(n, _)| n.parse::<usize>().ok()) {
            Some(n) => {
                tally.tries += n;
                is_counted = true;
            }
            None => tally.violations.push(rest.to_owned()),
        }
    }
    if !is_counted || !output.status.success() && tally.violations.is_empty() {
        let end: Vec<&str> = said.lines().rev().take(12).collect();
        return Err(format!(
            "the test `{name}` said nothing: {}",
            end.into_iter().rev().collect::<Vec<_>>().join("\n")
        ));
    }
    Ok(tally)
}

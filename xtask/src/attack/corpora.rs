//! The corpora of poisoned lines and of secrets: tests of the real binary that say how many they tried.

use super::{Plan, Tally};
use crate::cargo;

/// Poisoned lines on every way in; what a session starts with and what a context marks.
pub(super) fn poison(_: &Plan) -> Result<Tally, String> {
    counted("poison::no_line_of_the_corpus_starts_a_session_and_none_answers_as_something_else")
}

/// Secrets in transcripts, notes and documents, looked for in every byte under the vault.
pub(super) fn secrets(_: &Plan) -> Result<Tally, String> {
    counted("secrets::of_all_planted_secrets_hardly_one_is_left_in_any_file")
}

/// Runs a test of the binary, which leaves what it came to in a file.
fn counted(test: &str) -> Result<Tally, String> {
    let place = std::env::temp_dir().join(format!("ken-attack-{}-figures", std::process::id()));
    let _ = std::fs::remove_file(&place);
    let output = cargo(&["test", "--quiet", "-p", "ken-cli", "--test", "it", test, "--", "--exact"])
        .env("KEN_ATTACK_FIGURES", &place)
        .output()
        .map_err(|err| format!("cannot run cargo: {err}"))?;
    let said = std::fs::read_to_string(&place).unwrap_or_default();
    let _ = std::fs::remove_file(&place);
    let of = |key: &str| said.lines().filter_map(|line| line.strip_prefix(key)).map(str::to_owned).collect::<Vec<_>>();
    let Some(tries) = of("tries ").first().and_then(|n| n.parse().ok()) else {
        let end = String::from_utf8_lossy(&output.stdout).into_owned();
        return Err(format!("the test `{test}` left no figures: {}", end.lines().rev().take(8).collect::<String>()));
    };
    let mut violations = of("violation ");
    if !output.status.success() && violations.is_empty() {
        violations.push(format!("the test `{test}` failed"));
    }
    Ok(Tally { tries, violations, note: of("note ").pop(), ..Tally::default() })
}

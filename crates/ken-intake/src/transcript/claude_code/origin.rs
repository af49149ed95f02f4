//! Which of Claude Code's user records no person typed.

use serde_json::Value;

use crate::transcript::fields::{Fields, is_set, text_of, value_of};

/// Origins and sources of user records that no person typed, whichever way the words are joined.
const NOT_HUMAN_ORIGINS: &[&str] = &["system", "task-notification", "hook", "agent", "teammate", "peer", "cron"];

/// Whether the agent sums up what came before.
pub(super) fn is_summary(fields: &Fields<'_>) -> bool {
    is_set(fields, "isCompactSummary")
}

pub(super) fn why_not_human(fields: &Fields<'_>) -> Option<&'static str> {
    if is_summary(fields) || is_set(fields, "isVisibleInTranscriptOnly") {
        return Some("compact-summary");
    }
    if is_set(fields, "isMeta") {
        return Some("meta");
    }
    if fields.get("toolUseResult").is_some_and(|raw| raw.get() != "null") {
        return Some("tool-result");
    }
    let origin = value_of(fields, "origin");
    let sources = [
        text_of(fields, "promptSource"),
        text_of(fields, "turnOrigin"),
        origin.get("kind").and_then(Value::as_str).map(str::to_owned),
    ];
    let is_other =
        |source: &String| NOT_HUMAN_ORIGINS.contains(&source.to_ascii_lowercase().replace('_', "-").as_str());
    sources.iter().flatten().any(is_other).then_some("injected")
}

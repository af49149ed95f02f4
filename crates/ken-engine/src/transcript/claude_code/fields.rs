//! The fields of one line, read one at a time and as liberally as the lines were written.

use std::collections::BTreeMap;

use ken_core::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;

/// Origins and sources of user records that no person typed, whichever way the words are joined.
const NOT_HUMAN_ORIGINS: &[&str] = &["system", "task-notification", "hook", "agent", "teammate", "peer", "cron"];

/// The fields of a line, found but not read.
pub(super) type Fields<'a> = BTreeMap<String, &'a RawValue>;

pub(super) fn why_not_human(fields: &Fields<'_>) -> Option<&'static str> {
    if is_set(fields, "isCompactSummary") || is_set(fields, "isVisibleInTranscriptOnly") {
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

pub(super) fn text_of(fields: &Fields<'_>, key: &str) -> Option<String> {
    serde_json::from_str(fields.get(key)?.get()).ok()
}

pub(super) fn value_of(fields: &Fields<'_>, key: &str) -> Value {
    fields.get(key).and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or(Value::Null)
}

pub(super) fn is_set(fields: &Fields<'_>, key: &str) -> bool {
    fields.get(key).is_some_and(|raw| matches!(raw.get(), "true" | "\"true\""))
}

pub(super) fn time_of(fields: &Fields<'_>) -> Option<Timestamp> {
    text_of(fields, "timestamp")?.parse().ok()
}

/// Returns the message's content: nested, at the top level, or the message itself when it is a text.
pub(super) fn content_of(fields: &Fields<'_>) -> Value {
    let mut message = value_of(fields, "message");
    if message.is_string() {
        return message;
    }
    message.get_mut("content").map_or_else(|| value_of(fields, "content"), Value::take)
}

pub(super) fn is_kind(block: &Value, kind: &str) -> bool {
    block.get("type").and_then(Value::as_str) == Some(kind)
}

pub(super) fn has_block(content: &Value, kind: &str) -> bool {
    content.as_array().is_some_and(|blocks| blocks.iter().any(|block| is_kind(block, kind)))
}

/// Returns the text blocks of a content, joined as paragraphs.
pub(super) fn texts_of(content: &Value) -> String {
    let text_of_block = |block: &Value| match block {
        Value::String(text) => Some(text.clone()),
        block if is_kind(block, "text") => block["text"].as_str().map(str::to_owned),
        _ => None,
    };
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(text_of_block).collect::<Vec<String>>().join("\n\n"),
        _ => String::new(),
    }
}

//! The fields of one record, read one at a time and as liberally as they were written.

use std::collections::BTreeMap;

use ken_core::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;

use super::clean;
use super::reading::time_in;

/// The fields of a record, found but not read.
pub(super) type Fields<'a> = BTreeMap<String, &'a RawValue>;

pub(super) fn text_of(fields: &Fields<'_>, key: &str) -> Option<String> {
    serde_json::from_str(fields.get(key)?.get()).ok()
}

pub(super) fn value_of(fields: &Fields<'_>, key: &str) -> Value {
    fields.get(key).and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or(Value::Null)
}

pub(super) fn is_set(fields: &Fields<'_>, key: &str) -> bool {
    fields.get(key).is_some_and(|raw| matches!(raw.get(), "true" | "\"true\""))
}

/// Returns the time a record was written, under the names in use.
pub(super) fn time_of(fields: &Fields<'_>) -> Option<Timestamp> {
    ["timestamp", "time", "ts", "created_at", "createdAt"].iter().find_map(|key| time_in(&value_of(fields, key)))
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
    blocks_of(content).iter().any(|block| is_kind(block, kind))
}

/// Returns the blocks of a content; a content that is a text has none.
pub(super) fn blocks_of(content: &Value) -> &[Value] {
    content.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the text blocks of a content, joined as paragraphs.
pub(super) fn texts_of(content: &Value) -> String {
    let text_of_block = |block: &Value| match block {
        Value::String(text) => Some(text.clone()),
        block if block.get("thought").is_some_and(|thought| *thought == Value::Bool(true)) => None,
        block if block.get("type").is_none_or(|kind| TEXT_KINDS.contains(&kind.as_str().unwrap_or(""))) => {
            block.get("text").and_then(Value::as_str).map(str::to_owned)
        }
        _ => None,
    };
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => joined(blocks.iter().filter_map(text_of_block).collect()),
        Value::Object(_) => text_of_block(content).unwrap_or_default(),
        _ => String::new(),
    }
}

/// What a block that holds text calls itself, in one format or another.
const TEXT_KINDS: &[&str] = &["text", "Text", "input_text", "output_text"];

/// Joins the parts of a message as paragraphs. A part that was injected does not spoil the others.
pub(super) fn joined(parts: Vec<String>) -> String {
    let has_own_words = parts.iter().any(|part| !part.trim().is_empty() && !clean::is_injected(part));
    let kept = parts.into_iter().filter(|part| !has_own_words || !clean::is_injected(part));
    kept.collect::<Vec<String>>().join("\n\n")
}

/// Returns what a tool was called with: an object, or an object written as text.
pub(super) fn input_in(value: &Value) -> Value {
    match value {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(input) if input.is_object() => input,
            _ => serde_json::json!({ "input": text }),
        },
        other => other.clone(),
    }
}

//! A conversation with Claude on the web: a list of messages under `chat_messages`.

use serde_json::{Value, json};

use super::Plain;

/// Returns the conversation in plain messages.
pub(super) fn plain(conversation: &Value) -> Plain {
    let messages = conversation["chat_messages"].as_array().map_or(&[][..], Vec::as_slice);
    Plain {
        of: "claude-ai",
        id: conversation["uuid"].as_str().unwrap_or_default().to_owned(),
        title: conversation["name"].as_str().unwrap_or_default().to_owned(),
        n_other_branches: 0,
        messages: messages.iter().map(message).collect(),
    }
}

fn message(message: &Value) -> Value {
    let blocks = message["content"].as_array().map_or(&[][..], Vec::as_slice);
    let of_kind = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
    let texts: Vec<&str> = of_kind("text").filter_map(|block| block["text"].as_str()).collect();
    // Older exports have the text alone.
    let text =
        if texts.is_empty() { message["text"].as_str().unwrap_or_default().to_owned() } else { texts.join("\n\n") };
    let calls: Vec<Value> =
        of_kind("tool_use").map(|call| json!({ "name": call["name"], "input": call["input"] })).collect();
    let role = match message["sender"].as_str() {
        Some("human") => "user",
        Some("assistant") => "assistant",
        _ => "unknown",
    };
    json!({ "role": role, "time": message["created_at"], "text": text, "calls": calls })
}

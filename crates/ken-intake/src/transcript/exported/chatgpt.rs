//! A conversation of ChatGPT: a tree of messages under `mapping`, and which of its leaves is the current one.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::Plain;
use crate::transcript::fields::input_in;

/// Most messages that a conversation is followed through.
const MESSAGES_MAX: usize = 100_000;

/// Returns the conversation in plain messages, those that lead to its current end.
pub(super) fn plain(conversation: &Value) -> Plain {
    let empty = Map::new();
    let nodes = conversation["mapping"].as_object().unwrap_or(&empty);
    let path = path(nodes, conversation["current_node"].as_str());
    let on_path: BTreeSet<&str> = path.iter().copied().collect();
    let is_said = |node: &Value| matches!(node["message"]["author"]["role"].as_str(), Some("user" | "assistant"));
    let others = nodes.iter().filter(|(id, node)| !on_path.contains(id.as_str()) && is_said(node));
    let name = |key: &str| conversation[key].as_str().filter(|name| !name.trim().is_empty());
    Plain {
        of: "chatgpt",
        id: name("conversation_id").or_else(|| name("id")).unwrap_or_default().to_owned(),
        title: conversation["title"].as_str().unwrap_or_default().to_owned(),
        n_other_branches: others.count(),
        messages: path.iter().filter_map(|id| message(&nodes[*id]["message"])).collect(),
    }
}

/// The nodes from the root to the current one, or else to the last one of the tree.
fn path<'n>(nodes: &'n Map<String, Value>, current: Option<&'n str>) -> Vec<&'n str> {
    let last = || nodes.iter().rev().find(|(_, node)| node["message"].is_object()).map(|(id, _)| id.as_str());
    let mut at = current.and_then(|id| nodes.get_key_value(id)).map(|(id, _)| id.as_str()).or_else(last);
    let (mut path, mut seen) = (Vec::new(), BTreeSet::new());
    while let Some(id) = at {
        // A tree that leads into itself has no root; what was found until then is taken.
        if path.len() >= MESSAGES_MAX || !seen.insert(id) {
            break;
        }
        path.push(id);
        let above = nodes.get(id).and_then(|node| node["parent"].as_str());
        at = above.and_then(|above| nodes.get_key_value(above)).map(|(id, _)| id.as_str());
    }
    path.reverse();
    path
}

/// A message as it is read; nothing for a node without one.
fn message(message: &Value) -> Option<Value> {
    if !message.is_object() {
        return None;
    }
    let (content, metadata) = (&message["content"], &message["metadata"]);
    let kind = content["content_type"].as_str().unwrap_or_default();
    let is_hidden =
        metadata["is_visually_hidden_from_conversation"] == true || metadata["is_user_system_message"] == true;
    let role = message["author"]["role"].as_str().unwrap_or_default();
    let to = message["recipient"].as_str().unwrap_or("all");
    let (role, text, calls) = match role {
        "user" | "assistant" if is_hidden => ("injected", String::new(), Vec::new()),
        "user" | "assistant" if kind.ends_with("_editable_context") => ("injected", String::new(), Vec::new()),
        "assistant" if matches!(kind, "thoughts" | "reasoning_recap") => ("thinking", String::new(), Vec::new()),
        "assistant" if to != "all" => {
            let input = input_in(&Value::String(text_of(content)));
            ("assistant", String::new(), vec![json!({ "name": to, "input": input })])
        }
        other => (other, text_of(content), Vec::new()),
    };
    Some(json!({ "role": role, "time": message["create_time"], "text": text, "calls": calls }))
}

/// The words of a content: its parts that are text, or its text.
fn text_of(content: &Value) -> String {
    let part = |part: &Value| match part {
        Value::String(text) => Some(text.clone()),
        // What was spoken stands beside the sound.
        part => part["text"].as_str().map(str::to_owned),
    };
    let parts: Vec<String> = content["parts"].as_array().into_iter().flatten().filter_map(part).collect();
    match parts.is_empty() {
        true => content["text"].as_str().unwrap_or_default().to_owned(),
        false => parts.join("\n\n"),
    }
}

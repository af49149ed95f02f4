//! Codex rollouts: JSON Lines `{timestamp, ordinal?, type, payload}`, one file a thread.
//!
//! Read from versions 0.99 to 0.169. Everything said stands there at least twice: as the item that the
//! model was given or gave (`response_item`) and as the event that the screen was told (`event_msg`).
//! Answers and calls are taken from the items alone. A question needs both: items also hold what
//! was injected under the user's role, which newer versions label and older ones do not, and events hold
//! only what was typed. So a question waits until the agent goes on, and its lines are judged together.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use ken_core::Timestamp;
use serde_json::Value;

use crate::outside;

use super::fields::{Fields, blocks_of, input_in, joined, text_of, texts_of, time_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

mod asking;
mod question;

use asking::Asking;
use question::Question;

/// Reads Codex rollouts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Codex;

/// Kinds of line besides items and events, and the reason they are counted under.
const KINDS_WITHOUT_TURNS: &[(&str, &str)] = &[
    ("inter_agent_communication_metadata", "bookkeeping"),
    ("session_meta", "bookkeeping"),
    ("token_usage_record", "bookkeeping"),
    ("turn_context", "bookkeeping"),
    ("world_state", "bookkeeping"),
];

/// How what an editor or the desktop program put before a question begins.
const EDITOR_STARTS: &[&str] =
    &["# Context from my IDE setup:", "# Files mentioned by the user:", "## My request for Codex:"];

/// The line behind which the question stands; of the two, the first one that comes.
const REQUEST_LINES: &[&str] = &["## My request for Codex:", "## My request:"];

/// How a rollout begins that was compressed when it was put away.
const COMPRESSED: &[u8] = b"\x28\xb5\x2f\xfd";

/// How injected parts of a user's item begin in versions that do not label them.
const INJECTED_STARTS: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<permissions instructions>",
    "<skills_instructions>",
    "<plugins_instructions>",
    "<apps_instructions>",
    "<collaboration_mode>",
    "<recommended_plugins>",
    "<hook_context>",
    "<hook_prompt",
    "<skill>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_action>",
    "<user_shell_command>",
];

impl TranscriptReader for Codex {
    fn agent(&self) -> &'static str {
        "codex"
    }

    fn sniff(&self, file_name: &str, first_bytes: &[u8]) -> bool {
        // The first line holds the whole system prompt and may be longer than what is looked at.
        let start = String::from_utf8_lossy(&first_bytes[..first_bytes.len().min(4096)]);
        if first_bytes.starts_with(COMPRESSED) {
            return file_name.starts_with("rollout-");
        }
        let first = start.trim_start_matches(['\u{feff}', ' ', '\n', '\r']);
        first.starts_with('{') && first.contains("\"type\":\"session_meta\"") && first.contains("\"payload\":")
            || any_object(first_bytes, &mut |fields| {
                let kind = text_of(fields, "type").unwrap_or_default();
                let is_known = matches!(kind.as_str(), "response_item" | "event_msg" | "turn_context" | "session_meta");
                is_known && fields.contains_key("payload")
            })
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        // Rollouts are filed by day, not by folder.
        let home = machine.folder("CODEX_HOME", ".codex");
        let folders = ["sessions", "archived_sessions"].map(|folder| home.join(folder));
        folders.iter().flat_map(|folder| outside::files_below(folder, "jsonl")).collect()
    }

    fn read(&self, input: &mut dyn BufRead, start_offset: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start_offset, sink);
        if input.fill_buf().is_ok_and(|start| start.starts_with(COMPRESSED)) {
            out.skip("compressed");
            return Ok(out.finish());
        }
        let mut thread = Thread::default();
        read_objects(input, &mut out, &mut |fields, out| thread.line(fields, out))?;
        // A question that nothing followed may still be missing its other half.
        if let Some(start) = thread.question.waits_from() {
            out.report.end_offset = start;
            out.skip("unanswered");
        }
        let mut report = out.finish();
        report.title = thread.title;
        report.is_subagent = thread.is_subagent;
        Ok(report)
    }
}

#[derive(Default)]
struct Thread {
    question: Question,
    asking: Asking,
    is_subagent: bool,
    title: Option<String>,
}

impl Thread {
    fn line(&mut self, fields: &Fields<'_>, out: &mut Reading<'_>) {
        let kind = text_of(fields, "type").unwrap_or_default();
        match kind.as_str() {
            "response_item" => self.item(&value_of(fields, "payload"), time_of(fields), out),
            "event_msg" => self.event(&value_of(fields, "payload"), time_of(fields), out),
            "session_meta" => {
                self.session_meta(&value_of(fields, "payload"), out);
                out.skip("bookkeeping");
            }
            "compacted" => {
                self.settle(out);
                let payload = value_of(fields, "payload");
                out.summed_up(payload["message"].as_str().unwrap_or_default(), time_of(fields));
            }
            kind => {
                if kind == "turn_context" {
                    out.note_cwd(value_of(fields, "payload")["cwd"].as_str());
                }
                let known = KINDS_WITHOUT_TURNS.iter().find(|(name, _)| *name == kind);
                out.skip(known.map_or("unknown-type", |(_, reason)| reason));
            }
        }
    }

    fn session_meta(&mut self, meta: &Value, out: &mut Reading<'_>) {
        out.note_session(meta["id"].as_str().or(meta["session_id"].as_str()));
        out.note_cwd(meta["cwd"].as_str());
        out.note_branch(meta["git"]["branch"].as_str());
        self.is_subagent |= meta["source"].get("subagent").is_some() || meta["thread_source"] == "subagent";
    }

    /// What the model was given, or gave.
    fn item(&mut self, item: &Value, time: Option<Timestamp>, out: &mut Reading<'_>) {
        let kind = item["type"].as_str().unwrap_or_default();
        match (kind, item["role"].as_str().unwrap_or_default()) {
            ("message", "user") => match own_parts(item) {
                Ok((text, is_labelled)) => self.asked(out).item(text, is_labelled, time, out.at),
                Err(reason) => out.skip(reason),
            },
            ("message", "developer" | "system") => out.skip("injected"),
            ("function_call_output", _) if self.asking.output(item, time, out) => {}
            _ => {
                self.settle(out);
                self.asking.call(item, out);
                answer(kind, item, time, out);
            }
        }
    }

    /// What the screen was told.
    fn event(&mut self, event: &Value, time: Option<Timestamp>, out: &mut Reading<'_>) {
        let kind = event["type"].as_str().unwrap_or_default();
        let item = &event["item"];
        match (kind, item["type"].as_str().unwrap_or_default()) {
            ("user_message", _) => self.shown(texts_of(&event["message"]), time, out),
            ("item_completed", "UserMessage") => self.shown(texts_of(&item["content"]), time, out),
            ("token_count" | "task_started" | "thread_settings_applied" | "thread_goal_updated", _) => {
                out.skip("bookkeeping");
            }
            ("thread_name_updated", _) => {
                let name = event["thread_name"].as_str().or(event["name"].as_str());
                self.title = name.filter(|name| !name.trim().is_empty()).map(str::to_owned).or(self.title.take());
                out.skip("title");
            }
            _ => {
                self.settle(out);
                out.skip(event_reason(kind));
            }
        }
    }

    /// The screen showed this as the user's; old versions also showed what they injected.
    fn shown(&mut self, text: String, time: Option<Timestamp>, out: &mut Reading<'_>) {
        if is_wrapped(&text) {
            return out.skip("injected");
        }
        self.asked(out).event(request_in(&text).to_owned(), time, out.at);
    }

    /// A person asks: whatever the agent asked before is left.
    fn asked(&mut self, out: &mut Reading<'_>) -> &mut Question {
        self.asking.leave(out);
        &mut self.question
    }

    fn settle(&mut self, out: &mut Reading<'_>) {
        self.question.settle(self.is_subagent, out);
    }
}

/// What the agent said, did or was told by a tool.
fn answer(kind: &str, item: &Value, time: Option<Timestamp>, out: &mut Reading<'_>) {
    match kind {
        "message" => out.said(Role::Assistant, &texts_of(&item["content"]), time),
        "function_call" | "custom_tool_call" | "tool_call" => {
            let input = if item["arguments"].is_null() { &item["input"] } else { &item["arguments"] };
            let name = item["name"].as_str().or(item["function"]["name"].as_str()).unwrap_or("tool");
            out.did(name, &call_input(input), time);
        }
        "local_shell_call" => out.did("shell", &item["action"], time),
        "web_search_call" => out.did("web_search", &item["action"], time),
        "image_generation_call" | "tool_search_call" => out.did(kind.trim_end_matches("_call"), item, time),
        "reasoning" => out.skip("thinking"),
        "agent_message" => out.skip("agent-prompt"),
        "ghost_snapshot" => out.skip("snapshot"),
        kind if kind.ends_with("_output") || kind == "tool_result" => out.skip("tool-result"),
        _ => out.skip("unknown-type"),
    }
}

fn event_reason(kind: &str) -> &'static str {
    match kind {
        // The items say the same.
        "agent_message" | "item_completed" => "repeated",
        "agent_reasoning" | "agent_reasoning_raw_content" => "thinking",
        "context_compacted" => "compact-summary",
        "error" | "stream_error" | "warning" => "api-error",
        "turn_aborted" => "interrupted",
        kind if kind.ends_with("_end") || kind.contains("tool_call") => "repeated",
        _ => "bookkeeping",
    }
}

fn is_wrapped(text: &str) -> bool {
    INJECTED_STARTS.iter().any(|start| text.trim_start().starts_with(start))
}

/// Returns whether a part stands where a picture does: the tags around it are parts of their own.
fn is_picture(text: &str) -> bool {
    let text = text.trim();
    text == "</image>" || text == "<image>" || text.starts_with("<image name=[") && text.ends_with('>')
}

/// Returns what was asked in a text before which an editor may have put what is open and chosen in it.
fn request_in(text: &str) -> &str {
    let is_wrapped = EDITOR_STARTS.iter().any(|start| text.trim_start().starts_with(start));
    let mut at = 0;
    for line in text.split_inclusive('\n').take_while(|_| is_wrapped) {
        if let Some(first) = REQUEST_LINES.iter().find_map(|start| line.trim_start().strip_prefix(start)) {
            return text[at + line.len() - first.len()..].trim();
        }
        at += line.len();
    }
    text
}

/// Returns what a patch or an argument list says, the file first if it is a patch.
fn call_input(input: &Value) -> Value {
    let text = input.as_str().unwrap_or_default();
    let file = text.lines().find_map(|line| {
        let change = line.strip_prefix("*** ")?;
        ["Update File: ", "Add File: ", "Delete File: "].iter().find_map(|start| change.strip_prefix(start))
    });
    file.map_or_else(|| input_in(input), |file| serde_json::json!({ "file_path": file }))
}

/// Returns the parts of a user's item that are not injected, and whether labels say so.
fn own_parts(item: &Value) -> Result<(String, bool), &'static str> {
    let labels = &item["internal_chat_message_metadata_passthrough"]["content_item_kinds"];
    let labels: Vec<&str> = blocks_of(labels).iter().map(|label| label.as_str().unwrap_or("")).collect();
    let parts = blocks_of(&item["content"]);
    let is_labelled = !labels.is_empty() && labels.len() == parts.len();
    let is_own = |(at, part): &(usize, &Value)| {
        let text = texts_of(part);
        match is_labelled {
            true => labels[*at].starts_with("user.") || labels[*at] == "unknown" && !is_wrapped(&text),
            false => !is_wrapped(&text),
        }
    };
    let own = parts.iter().enumerate().filter(is_own).map(|(_, part)| texts_of(part));
    let own: Vec<String> = own.filter(|text| !is_picture(text)).collect();
    let has_user_label = labels.iter().any(|label| label.starts_with("user."));
    match joined(own) {
        text if !text.trim().is_empty() => Ok((request_in(&text).to_owned(), is_labelled && has_user_label)),
        _ if parts.iter().any(|part| !texts_of(part).trim().is_empty()) => Err("injected"),
        _ => Err("empty"),
    }
}

#[cfg(test)]
mod tests;

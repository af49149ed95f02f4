//! Records with a role and a text in the usual places, for agents without a reader of their own.
//!
//! Both JSON Lines and one document with a list of messages. What is known by its label only, such as
//! hooks' texts, is not known here; the marks of what we inject ourselves are.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use serde_json::Value;

use super::document::{Part, read_document};
use super::fields::{Fields, blocks_of, input_in, text_of, texts_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::{Reading, in_folder, time_in};
use super::{ReadReport, Record, Role, TranscriptReader, Unit};

/// Reads JSON Lines with roles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GenericLines;

/// Reads a document with a list of messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GenericDocument {
    agent: &'static str,
    /// What stands in this agent's documents only.
    signs: &'static [&'static str],
}

impl GenericDocument {
    /// The reader of Hermes's sessions.
    pub(crate) const HERMES: GenericDocument =
        GenericDocument { agent: "hermes", signs: &["\"session_id\"", "\"platform\"", "\"session_start\""] };
    /// The reader of any other.
    pub(crate) const ANY: GenericDocument = GenericDocument { agent: "unknown", signs: &[] };
}

/// What lists of messages are called.
const LISTS: &[&str] = &["messages", "history", "conversation", "chat_messages", "turns", "chat"];

impl TranscriptReader for GenericLines {
    fn agent(&self) -> &'static str {
        "unknown-lines"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        first_object_is(first_bytes, &mut |fields| {
            let has_text = ["content", "message", "text", "parts"].iter().any(|key| fields.contains_key(*key));
            let role = ["role", "type", "from", "sender"].iter().find_map(|key| text_of(fields, key));
            let is_reply = text_of(fields, "method").is_some()
                && blocks_of(&value_of(fields, "response"))
                    .first()
                    .is_some_and(|reply| reply.get("candidates").is_some());
            has_text && role.and_then(|role| role_in(&role)).is_some() || is_reply
        })
    }

    fn transcripts(&self, _: &Machine, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn session_of(&self, path: &Path) -> Option<String> {
        in_folder(path)
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new("unknown", start, sink);
        read_objects(input, &mut out, &mut |fields, out| {
            let fields =
                fields.iter().map(|(key, raw)| (key.clone(), serde_json::from_str(raw.get()).unwrap_or_default()));
            tell(&Value::Object(fields.collect()), out);
        })?;
        Ok(out.finish())
    }
}

impl TranscriptReader for GenericDocument {
    fn agent(&self) -> &'static str {
        self.agent
    }

    fn unit(&self) -> Unit {
        Unit::Messages
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        let start = String::from_utf8_lossy(first_bytes);
        let start: String = start.chars().filter(|ch| !ch.is_whitespace() && *ch != '\u{feff}').collect();
        let has_list = start.starts_with("[{") || LISTS.iter().any(|list| start.contains(&format!("\"{list}\":[{{")));
        let has_role = ["\"role\":\"user\"", "\"role\":\"human\"", "\"from\":\"human\"", "\"sender\":\"human\""];
        start.starts_with(['{', '['])
            && has_list
            && has_role.iter().any(|sign| start.contains(sign))
            && self.signs.iter().all(|sign| start.contains(sign))
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        if self.signs.is_empty() {
            return Vec::new();
        }
        crate::outside::files_below(&machine.home.join(".hermes").join("sessions"), "json")
    }

    fn session_of(&self, path: &Path) -> Option<String> {
        in_folder(path)
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent, start, sink);
        let mut title = None;
        read_document(input, LISTS, &mut out, &mut |part, at, out| match part {
            Part::Field(key, value) => match key.as_str() {
                "title" | "summary" | "name" => title = value.as_str().map(str::to_owned).or(title.take()),
                _ => note(&key, &value, out),
            },
            Part::Message(message) if at >= start => tell(&message, out),
            Part::Message(_) => {}
        })?;
        let mut report = out.finish();
        report.title = title.filter(|title| !title.trim().is_empty());
        Ok(report)
    }
}

/// A document that is laid out over lines has objects on some of them; lines of objects have one on the first.
fn first_object_is(first_bytes: &[u8], test: &mut dyn FnMut(&Fields<'_>) -> bool) -> bool {
    let start = first_bytes.trim_ascii_start();
    let first = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    any_object(first, &mut |_| true) && any_object(first_bytes, test)
}

fn note(key: &str, value: &Value, out: &mut Reading<'_>) {
    match key {
        "session_id" | "sessionId" | "conversation_id" | "uuid" => out.note_session(value.as_str()),
        "cwd" | "workspace" | "workingDirectory" => out.note_cwd(value.as_str()),
        "model_config" => out.note_cwd(value["cwd"].as_str().filter(|cwd| !cwd.starts_with('~'))),
        "gitBranch" | "branch" => out.note_branch(value.as_str()),
        _ => {}
    }
}

fn role_in(role: &str) -> Option<Role> {
    match role.to_ascii_lowercase().as_str() {
        "user" | "human" => Some(Role::User),
        "assistant" | "model" | "gemini" | "ai" | "bot" | "agent" | "gpt" => Some(Role::Assistant),
        _ => None,
    }
}

/// Says what one record holds.
fn tell(record: &Value, out: &mut Reading<'_>) {
    for key in ["session_id", "sessionId", "cwd", "gitBranch"] {
        note(key, &record[key], out);
    }
    let inner = if record["message"].is_object() { &record["message"] } else { record };
    let time = ["timestamp", "time", "ts", "created_at", "createdAt"].iter().find_map(|key| time_in(&record[*key]));
    let kind = record["type"].as_str().unwrap_or_default();
    if matches!(kind, "function_call" | "tool_call" | "tool_use") {
        return call(record, time, out);
    }
    if record["isMeta"] == true || record["synthetic"] == true {
        return out.skip("injected");
    }
    let text = text_in(inner);
    let role = [&inner["role"], &record["role"], &record["from"], &record["sender"], &record["type"]];
    let role = role.iter().find_map(|role| role.as_str()).unwrap_or_default();
    match (role_in(role), text.trim().is_empty()) {
        (Some(role), false) => out.said(role, &text, time),
        (Some(Role::Assistant), true) if !calls_in(inner).is_empty() => {}
        (Some(_), true) if inner["content"].is_array() => out.skip("tool-result"),
        (Some(_), true) => out.skip("empty"),
        (None, _) => return out.skip(reason(role, kind, record)),
    }
    for found in calls_in(inner) {
        call(found, time, out);
    }
}

fn reason(role: &str, kind: &str, record: &Value) -> &'static str {
    match role {
        "tool" | "toolResult" | "function" | "tool_result" | "function_result" => "tool-result",
        "system" | "developer" => "system",
        "session_meta" | "session" => "bookkeeping",
        _ if kind.ends_with("result") => "tool-result",
        _ if record["response"].is_array() => "reply",
        _ => "unknown-type",
    }
}

fn text_in(inner: &Value) -> String {
    let places = [&inner["content"], &inner["text"], &inner["message"], &inner["parts"], &inner["value"]];
    places.iter().map(|place| texts_of(place)).find(|text| !text.trim().is_empty()).unwrap_or_default()
}

fn calls_in(inner: &Value) -> Vec<&Value> {
    let is_call = |block: &&Value| {
        matches!(block["type"].as_str(), Some("tool_use" | "tool_call" | "toolCall" | "function_call"))
    };
    let lists = [&inner["tool_calls"], &inner["toolCalls"]];
    let in_blocks = blocks_of(&inner["content"]).iter().filter(is_call);
    lists.iter().flat_map(|list| blocks_of(list)).chain(in_blocks).collect()
}

fn call(found: &Value, time: Option<ken_core::Timestamp>, out: &mut Reading<'_>) {
    let function = if found["function"].is_object() { &found["function"] } else { found };
    let name = [&function["name"], &found["name"], &found["toolName"], &found["tool"]];
    let name = name.iter().find_map(|name| name.as_str()).unwrap_or("tool");
    let input = [&function["arguments"], &found["arguments"], &found["input"], &found["args"], &found["parameters"]];
    let input = input.iter().find(|input| !input.is_null()).map_or(Value::Null, |input| input_in(input));
    out.did(name, &input, time);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::testing::{check, promises};
    use expect_test::expect;

    #[test]
    fn lines_with_roles_are_read() {
        let lines = include_bytes!("../../tests/fixtures/transcripts/roles.jsonl");
        promises(
            &GenericLines,
            "chat.jsonl",
            lines,
            &expect![[r#"
            r0l3-01 | bakery | - | -
            User: Add a newsletter.
            > search newsletter
            Assistant: It is in. We decided on plain text because it is always readable.
            > edit news.ts
            injected 1, not-an-object 1, system 1, tool-result 1, truncated-tail 1, unknown-type 1
        "#]],
        );
    }

    #[test]
    fn a_document_with_roles_is_read() {
        let document = include_bytes!("../../tests/fixtures/transcripts/hermes.json");
        promises(
            &GenericDocument::HERMES,
            "chat.json",
            document,
            &expect![[r#"
            h3rm35-01 | bakery | - | Wedding cakes
            User: Add a form for wedding cakes.
            Assistant: I look at the forms.
            > shell ls forms
            Assistant: The form is in. We decided to ask for the date first because it decides the rest.
            bookkeeping 1, injected 1, tool-result 1, unknown-type 1
        "#]],
        );
    }

    #[test]
    fn texts_are_found_in_the_usual_places() {
        let any = GenericDocument::ANY;
        check(
            &any,
            r#"[{"role":"user","parts":[{"text":"a"}]},{"from":"gpt","value":"b"}]"#,
            &["User: a", "Assistant: b"],
        );
        check(&any, r#"{"turns":[{"message":{"role":"assistant","content":"c"}}]}"#, &["Assistant: c"]);
        check(&any, r#"{"messages":[{"role":"tool","content":"d"},{"x":1}]}"#, &["tool-result 1", "unknown-type 1"]);
    }
}

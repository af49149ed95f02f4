//! Gemini CLI's chats, up to version 0.39 one JSON object a session, from 0.40 on JSON Lines.
//!
//! Both count positions in messages. The object is written anew each time; the lines only grow, but a
//! message is written again whenever more of it is known, and the last writing holds. So lines are read
//! from the first one, a message is held back until it can hardly grow, and what was told is not told
//! again. Hook texts stand inside what was typed, in `<hook_context>`.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use ken_core::Timestamp;
use serde_json::Value;

use crate::outside;

use super::asked;
use super::clean::without_files;
use super::document::{Part, read_document};
use super::fields::{Fields, blocks_of, input_in, joined, text_of, texts_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::{Reading, time_in};
use super::{ReadReport, Record, Role, TranscriptReader, Unit};

mod latest;

use latest::Latest;

/// Reads chats that are one JSON object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GeminiDocument;

/// Reads chats that are JSON Lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gemini;

/// How the CLI begins messages of its own under the user's role.
const INJECTED_STARTS: &[&str] = &["<session_context>", "This is the Gemini CLI. We are setting up the context"];

/// What the CLI says for the person where the model is to go on.
const GO_ON: &str = "System: Please continue.";

/// What the CLI says for the model where a summary stands in place of a conversation.
const REPLY_TO_SUMMARY: &str = "Got it. Thanks for the additional context!";

impl TranscriptReader for GeminiDocument {
    fn agent(&self) -> &'static str {
        "gemini-cli"
    }

    fn unit(&self) -> Unit {
        Unit::Messages
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        let start = String::from_utf8_lossy(first_bytes);
        let start: String = start.chars().filter(|ch| !ch.is_whitespace() && *ch != '\u{feff}').collect();
        let is_chat =
            start.contains("\"sessionId\"") && start.contains("\"projectHash\"") && start.contains("\"messages\"");
        start.starts_with('{') && (is_chat && !is_lines(first_bytes) || start.starts_with("{\"history\""))
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        chats(machine, "json")
    }

    fn cwd_of(&self, path: &Path) -> Option<String> {
        cwd_of(path)
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new("gemini-cli", start, sink);
        let mut latest = Latest::starting_at(start);
        let mut title = None;
        read_document(input, &["messages", "history"], &mut out, &mut |part, at, out| match part {
            Part::Message(value) => latest.add(at, value, out),
            Part::Field(key, value) => match key.as_str() {
                "sessionId" => out.note_session(value.as_str()),
                "summary" => title = value.as_str().map(str::to_owned),
                _ => {}
            },
        })?;
        latest.finish(&mut out);
        let mut report = out.finish();
        report.title = title;
        Ok(report)
    }
}

impl TranscriptReader for Gemini {
    fn agent(&self) -> &'static str {
        "gemini-cli"
    }

    fn unit(&self) -> Unit {
        Unit::Messages
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        is_lines(first_bytes)
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        chats(machine, "jsonl")
    }

    fn cwd_of(&self, path: &Path) -> Option<String> {
        cwd_of(path)
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new("gemini-cli", start, sink);
        // The loop counts bytes, which are of no use here.
        out.report.end_offset = 0;
        let mut chat = Chat { latest: Latest::starting_at(start), title: None };
        read_objects(input, &mut out, &mut |fields, out| chat.line(fields, out))?;
        chat.latest.finish(&mut out);
        let mut report = out.finish();
        report.title = chat.title;
        Ok(report)
    }
}

struct Chat {
    latest: Latest,
    title: Option<String>,
}

impl Chat {
    fn line(&mut self, fields: &Fields<'_>, out: &mut Reading<'_>) {
        if fields.contains_key("id") && fields.contains_key("type") {
            let message =
                fields.iter().map(|(key, raw)| (key.clone(), serde_json::from_str(raw.get()).unwrap_or_default()));
            return self.latest.message(Value::Object(message.collect()), out);
        }
        if fields.contains_key("$set") {
            let patch = value_of(fields, "$set");
            self.title = patch["summary"].as_str().map(str::to_owned).or(self.title.take());
            for message in blocks_of(&patch["messages"]) {
                self.latest.message(message.clone(), out);
            }
            return;
        }
        if fields.contains_key("sessionId") {
            out.note_session(text_of(fields, "sessionId").as_deref());
            self.title = text_of(fields, "summary").or(self.title.take());
            return out.skip("bookkeeping");
        }
        out.skip(if fields.keys().any(|key| key.starts_with('$')) { "bookkeeping" } else { "unknown-type" });
    }
}

/// Says what a message holds.
fn tell(message: &Value, out: &mut Reading<'_>) {
    let time = time_in(&message["timestamp"]).or_else(|| time_in(&message["ts"]));
    let content = if message["content"].is_null() { &message["parts"] } else { &message["content"] };
    let kind = message["type"].as_str().or(message["role"].as_str()).unwrap_or_default();
    match kind {
        "user" => match typed(message, content) {
            Ok(text) => out.said(Role::User, &without_files(&text), time),
            Err(reason) => out.skip(reason),
        },
        "gemini" | "model" | "assistant" => {
            let calls = blocks_of(&message["toolCalls"]);
            let text = texts_of(content);
            if text.trim() == REPLY_TO_SUMMARY {
                out.skip("injected");
            } else if !text.trim().is_empty() {
                out.said(Role::Assistant, &text, time);
            } else if calls.is_empty() {
                out.skip("empty");
            }
            for call in calls {
                let time = time_in(&call["timestamp"]).or(time);
                let has_failed = call["status"] == "error";
                out.did_or_failed((call["name"].as_str().unwrap_or("tool"), &call["args"]), has_failed, time);
                decided(call, time, out);
            }
        }
        "info" | "error" | "warning" => out.skip("notification"),
        _ => out.skip("unknown-type"),
    }
}

/// Says what a person answered with a call, or what they want of a plan; their answers come by the number of
/// the question. Who approved a plan is not known: without a person at hand the CLI approves it itself.
fn decided(call: &Value, time: Option<Timestamp>, out: &mut Reading<'_>) {
    let results = || blocks_of(&call["result"]).iter();
    let mut outputs = results().filter_map(|part| part["functionResponse"]["response"]["output"].as_str());
    let output = outputs.next().unwrap_or_default();
    match call["name"].as_str() {
        Some("ask_user") => {
            let answers = input_in(&Value::from(output))["answers"].take();
            for (at, question) in blocks_of(&call["args"]["questions"]).iter().enumerate() {
                asked::both(question, answers[at.to_string()].as_str().unwrap_or_default(), time, out);
            }
        }
        Some("exit_plan_mode") => {
            let words = output.strip_prefix("Plan rejected. User feedback: ").unwrap_or_default();
            let (words, _) = words.rsplit_once("\n\nThe plan is stored at: ").unwrap_or((words, ""));
            asked::answer(words, time, out);
        }
        _ => {}
    }
}

/// Returns what a person typed of a message: what was shown of it, if that is known.
fn typed(message: &Value, content: &Value) -> Result<String, &'static str> {
    let parts = blocks_of(content);
    if !parts.is_empty() && parts.iter().all(|part| part.get("functionResponse").is_some()) {
        return Err("tool-result");
    }
    let shown = texts_of(&message["displayContent"]);
    if !shown.trim().is_empty() {
        return Ok(shown);
    }
    if texts_of(content).trim() == GO_ON {
        return Err("injected");
    }
    if parts.is_empty() {
        return Ok(texts_of(content));
    }
    let is_own =
        |text: &String| !INJECTED_STARTS.iter().any(|start| text.trim_start().starts_with(start)) && !is_summary(text);
    let texts: Vec<String> = parts.iter().map(texts_of).filter(|text| !text.trim().is_empty()).collect();
    let n_texts = texts.len();
    let own: Vec<String> = texts.into_iter().filter(is_own).collect();
    if own.is_empty() && n_texts > 0 { Err("injected") } else { Ok(joined(own)) }
}

/// Returns whether a model wrote this in place of a conversation that was too long; it may think aloud before.
fn is_summary(text: &str) -> bool {
    text.contains("<state_snapshot>") && text.contains("</state_snapshot>")
}

/// Returns whether a message is still being made: nothing in it yet, or a tool at work.
fn is_growing(message: &Value) -> bool {
    let calls = blocks_of(&message["toolCalls"]);
    let is_at_work = |call: &Value| {
        matches!(
            call["status"].as_str(),
            Some("executing" | "scheduled" | "validating" | "awaiting_approval" | "pending")
        )
    };
    let is_empty = calls.is_empty() && texts_of(&message["content"]).trim().is_empty();
    message["type"] == "gemini" && (is_empty || calls.iter().any(is_at_work))
}

fn is_lines(first_bytes: &[u8]) -> bool {
    any_object(first_bytes, &mut |fields| {
        let is_head = fields.contains_key("projectHash") && !fields.contains_key("messages");
        let is_message = fields.contains_key("id")
            && fields.contains_key("content")
            && text_of(fields, "type").is_some_and(|kind| kind == "gemini");
        is_head || is_message
    })
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("GEMINI_CLI_HOME", "").join(".gemini")
}

/// The chats of all projects: their folders are named by a word of the CLI's own or by a hash.
fn chats(machine: &Machine, extension: &str) -> Vec<PathBuf> {
    let projects = outside::children(&home(machine).join("tmp")).unwrap_or_default();
    projects.iter().flat_map(|project| outside::files_below(&project.join("chats"), extension)).collect()
}

/// A chat does not say where it was held; a file beside the chats does, or the list of projects.
fn cwd_of(path: &Path) -> Option<String> {
    let project = path.ancestors().find(|folder| folder.ends_with("chats"))?.parent()?;
    if let Some(root) = outside::short_text(&project.join(".project_root")) {
        return Some(root.trim().to_owned());
    }
    let word = project.file_name()?.to_string_lossy();
    let list = outside::short_text(&project.parent()?.parent()?.join("projects.json"))?;
    let list: Value = serde_json::from_str(&list).ok()?;
    let projects = list["projects"].as_object()?;
    projects.iter().find(|(_, name)| name.as_str() == Some(word.as_ref())).map(|(folder, _)| folder.clone())
}

#[cfg(test)]
mod tests;

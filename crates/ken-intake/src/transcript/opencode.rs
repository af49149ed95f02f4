//! OpenCode's sessions: what `opencode export` prints, one object with the messages and their parts.
//!
//! Read from versions 1.3 to 1.18. The database and the older `storage/` folder keep the same parts in
//! other places; a session of theirs is written out in this form first and then read by this reader.
//! Parts that a plugin added are marked as synthetic.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use ken_core::Timestamp;
use serde_json::Value;

use crate::outside;

use super::asked;
use super::document::{Part, read_document};
use super::fields::{blocks_of, is_kind, joined};
use super::reading::{Reading, time_in};
use super::{ReadReport, Record, Role, TranscriptReader, Unit};

pub(super) mod storage;
#[cfg(feature = "sqlite")]
pub(super) mod database;

/// The tool with which the agent asks.
const QUESTION: &str = "question";

/// How the error of a call begins that was refused with words.
const REFUSED: &str = "The user rejected permission to use this specific tool call with the following feedback: ";

/// Tools of OpenCode's own that ask before they do something.
const OWN_TOOLS: &[&str] = &[
    "apply_patch",
    "bash",
    "codesearch",
    "edit",
    "glob",
    "grep",
    "list",
    "lsp",
    "multiedit",
    "patch",
    "read",
    "skill",
    "task",
    "todoread",
    "todowrite",
    "webfetch",
    "websearch",
    "write",
];

/// Reads OpenCode's sessions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenCode;

impl TranscriptReader for OpenCode {
    fn agent(&self) -> &'static str {
        "opencode"
    }

    fn unit(&self) -> Unit {
        Unit::Messages
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        let start = String::from_utf8_lossy(first_bytes);
        let start: String = start.chars().filter(|ch| !ch.is_whitespace() && *ch != '\u{feff}').take(4096).collect();
        start.starts_with("{\"info\":{\"") && (start.contains("\"directory\":") || start.contains("\"projectID\":"))
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        let home = data_folder(machine);
        ["opencode.db", "storage"]
            .map(|name| home.join(name))
            .into_iter()
            .filter(|place| outside::exists(place))
            .collect()
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start, sink);
        let mut title = None;
        // The last message is held until it is known that it is whole.
        let mut last: Option<(u64, Value)> = None;
        let mut is_subagent = false;
        read_document(input, &["messages"], &mut out, &mut |part, at, out| match part {
            Part::Field(key, info) if key == "info" => {
                out.note_session(info["id"].as_str());
                out.note_cwd(info["directory"].as_str());
                is_subagent = info["parentID"].is_string();
                title = info["title"].as_str().filter(|title| !title.is_empty()).map(str::to_owned);
            }
            Part::Message(message) if at >= start => {
                if let Some((at, message)) = last.replace((at, message)) {
                    tell(&message, at, is_subagent, out);
                }
            }
            _ => {}
        })?;
        if let Some((at, message)) = last {
            if is_growing(&message) {
                out.skip("unfinished");
                out.report.end_offset = at;
            } else {
                tell(&message, at, is_subagent, &mut out);
            }
        }
        let mut report = out.finish();
        report.title = title;
        report.is_subagent = is_subagent;
        Ok(report)
    }
}

/// Where OpenCode keeps its data.
fn data_folder(machine: &Machine) -> PathBuf {
    match machine.variable("OPENCODE_DATA_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => machine.folder("XDG_DATA_HOME", ".local/share").join("opencode"),
    }
}

fn tell(message: &Value, at: u64, is_subagent: bool, out: &mut Reading<'_>) {
    out.at = at;
    let info = &message["info"];
    let time = time_in(&info["time"]["created"]);
    let is_user = info["role"] == "user";
    let mut texts = Vec::new();
    let mut calls = Vec::new();
    for part in blocks_of(&message["parts"]) {
        match part["type"].as_str().unwrap_or_default() {
            "text" if part["synthetic"] == true => out.skip("injected"),
            "text" if part["ignored"] == true => out.skip("injected"),
            "text" => texts.extend(part["text"].as_str().map(unquoted)),
            "tool" => calls.push(part),
            "reasoning" => out.skip("thinking"),
            "step-start" | "step-finish" | "agent" | "retry" => out.skip("bookkeeping"),
            "snapshot" | "patch" => out.skip("snapshot"),
            "file" => out.skip("attachment"),
            "compaction" => out.skip("compact-summary"),
            "subtask" => out.skip("agent-prompt"),
            _ => out.skip("unknown-type"),
        }
    }
    let text = joined(texts);
    match (is_user, text.trim().is_empty()) {
        (_, _) if info["summary"] == true => return out.summed_up(&text, time),
        (true, false) if is_subagent => out.skip("agent-prompt"),
        (true, false) => out.said(Role::User, &text, time),
        (false, false) if info["role"] == "assistant" => out.said(Role::Assistant, &text, time),
        (false, false) => out.skip("unknown-type"),
        (_, true) => {}
    }
    for call in calls {
        let state = &call["state"];
        let time = time_in(&state["time"]["start"]).or(time);
        let has_failed = state["status"] == "error" || state["metadata"]["exit"].as_i64().is_some_and(|code| code != 0);
        out.did_or_failed((call["tool"].as_str().unwrap_or("tool"), &state["input"]), has_failed, time);
        if !is_subagent {
            decided(call, time, out);
        }
    }
}

/// Says what a person answered with a call, or why they refused it.
fn decided(call: &Value, time: Option<Timestamp>, out: &mut Reading<'_>) {
    let given = answers_in(call).map_or(&[][..], blocks_of).iter().map(asked::text_of_answer);
    for (question, given) in blocks_of(&call["state"]["input"]["questions"]).iter().zip(given) {
        asked::both(question, &given, time, out);
    }
    asked::answer(words_of_refusal(call).unwrap_or_default(), time, out);
}

/// Returns what a person answered to the questions of a call, one after the other.
fn answers_in(call: &Value) -> Option<&Value> {
    let is_answered = call["tool"] == QUESTION && call["state"]["status"] == "completed";
    is_answered.then(|| &call["state"]["metadata"]["answers"])
}

/// Returns the words with which a person refused a call. They stand in its error, where a server of other
/// people's could imitate them: only the program's own tools are looked at.
fn words_of_refusal(call: &Value) -> Option<&str> {
    let state = &call["state"];
    let is_own = call["tool"].as_str().is_some_and(|tool| OWN_TOOLS.contains(&tool));
    let error = state["error"].as_str().filter(|_| is_own && state["status"] == "error")?;
    error.strip_prefix("Error: ").unwrap_or(error).strip_prefix(REFUSED)
}

/// A prompt given on the command line is kept with the quotes around it.
fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(text).to_owned()
}

/// Returns whether an answer is still being made: a step began and did not end.
fn is_growing(message: &Value) -> bool {
    let parts = blocks_of(&message["parts"]);
    let last_step = parts.iter().rev().find(|part| is_kind(part, "step-start") || is_kind(part, "step-finish"));
    let is_done = !message["info"]["error"].is_null() || !message["info"]["time"]["completed"].is_null();
    last_step.is_some_and(|part| is_kind(part, "step-start")) && !is_done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::testing::{check, promises};
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn a_session_is_read() {
        let session = include_bytes!("../../tests/fixtures/transcripts/opencode.json");
        promises(
            &OpenCode,
            "ses.json",
            session,
            &expect![[r#"
            ses_0c0d3 | bakery | - | Order mails in French
            User: Send order mails in French to customers in Belgium.
            > edit src/mail.ts
            Assistant: Mails follow the customer's language. We decided to fall back to Dutch because most orders come from Ghent.
            Summary: ## Summary of the session
            User: Good.  Close the task.
            attachment 1, bookkeeping 4, compact-summary 1, injected 3, private 1, snapshot 1, thinking 1, unknown-type 1
        "#]],
        );
    }

    #[test]
    fn an_answer_that_is_still_being_made_waits() {
        let doc = |part: &str| {
            format!(
                r#"{{"info":{{"id":"s","directory":"b"}},"messages":[{{"info":{{"role":"assistant"}},"parts":[{{"type":"step-start"}},{{"type":"text","text":"Baking"}}{part}]}}]}}"#
            )
        };
        check(&OpenCode, &doc(""), &["unfinished 1"]);
        check(&OpenCode, &doc(r#",{"type":"step-finish"}"#), &["Assistant: Baking", "bookkeeping 2"]);
    }

    fn with_calls(parts: &Value) -> String {
        let message = json!({ "info": { "role": "assistant" }, "parts": parts });
        json!({ "info": { "id": "s", "directory": "b" }, "messages": [message] }).to_string()
    }

    #[test]
    fn answers_and_refusals_are_turns_of_the_person() {
        let ask = json!({ "questions": [
            { "question": "Which oven?", "options": [{ "label": "Old", "description": "Slow" }] },
            { "question": "Which flour?", "options": [] },
            { "question": "Salt?", "options": [] },
        ] });
        let metadata = json!({ "answers": [["Old", "after noon"], ["<private>secret</private> rye"], []] });
        let refused = |tool: &str, text: &str| {
            let error = format!("The user rejected permission to use this specific tool call{text}");
            json!({ "type": "tool", "tool": tool, "state": { "status": "error", "input": {}, "error": error } })
        };
        let ended = |exit: i32| {
            let state = json!({ "status": "completed", "input": { "command": "make" }, "metadata": { "exit": exit } });
            json!({ "type": "tool", "tool": "bash", "state": state })
        };
        let words = " with the following feedback: first ask Leo";
        let parts = json!([
            { "type": "tool", "tool": "question", "state": { "status": "completed", "input": ask, "metadata": metadata } },
            { "type": "tool", "tool": "question", "state": { "status": "running", "input": ask, "metadata": metadata } },
            refused("bash", words),
            refused("bash", "."),
            refused("shop_pay", words),
            ended(1),
            ended(0),
        ]);
        let expected = [
            "> question",
            "Assistant: Which oven?\n- Old: Slow",
            "User: Old, after noon",
            "Assistant: Which flour?",
            "User: rye",
            "> question",
            "> bash (failed)",
            "User: first ask Leo",
            "> bash (failed)",
            "> shop_pay (failed)",
            "> bash make (failed)",
            "> bash make",
        ];
        check(&OpenCode, &with_calls(&parts), &expected);
        // The other places where sessions are kept give the same.
        let mut export = storage::Export::new(&json!({ "id": "s", "directory": "b" }));
        export.message(&json!({ "role": "assistant" }), blocks_of(&parts).iter().cloned());
        check(&OpenCode, &String::from_utf8(export.finish()).expect("text"), &expected);
    }

    #[test]
    fn nobody_typed_what_a_sub_agent_was_asked() {
        let doc = r#"{"info":{"id":"s","directory":"b","parentID":"p"},"messages":[{"info":{"role":"user"},"parts":[{"type":"text","text":"Count"}]}]}"#;
        check(&OpenCode, doc, &["agent-prompt 1"]);
    }
}

//! Cline's sessions: `ID.messages.json` since version 3, `tasks/ID/api_conversation_history.json` before.
//!
//! Both are written anew each time. What was typed stands in `<user_input>`; before version 3 in
//! `<task>`, `<feedback>` and the like, among tool results that are texts as well. Beside them lie
//! `ID.json` with the folder, and `ID.compaction.json`, which is what the model still remembers.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use serde_json::Value;

use crate::outside;

use super::clean::leading;
use super::document::{Part, read_document};
use super::fields::{blocks_of, has_block, is_kind, texts_of};
use super::reading::{Reading, time_in};
use super::{ReadReport, Record, Role, TranscriptReader, Unit};

/// Reads Cline's sessions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cline;

/// What the file of a session was called before version 3.
const OLD_NAME: &str = "api_conversation_history.json";

/// What was typed before version 3, by how it is wrapped.
const TYPED: &[&str] = &["user_input", "task", "feedback", "user_message", "answer"];

/// The program's words before what was typed while it asked.
const FEEDBACK_BEFORE: &str = "The user provided the following feedback:\n";
const WORDS_BEFORE: &[&str] = &[
    FEEDBACK_BEFORE,
    "The user denied this operation and provided the following feedback:\n",
    "The user has provided feedback on the results. Consider their input to continue the task, and then attempt \
     completion again.\n",
];

/// Calls that ask, and so give back what was typed.
const ASKING: &[&str] = &["[ask", "[plan_mode_respond", "[attempt_completion", "[new_task"];

/// How the result of a command begins that goes on.
const STILL_RUNNING: &str = "Command is still running in the user's terminal.";

impl TranscriptReader for Cline {
    fn agent(&self) -> &'static str {
        "cline"
    }

    fn unit(&self) -> Unit {
        Unit::Messages
    }

    fn sniff(&self, file_name: &str, first_bytes: &[u8]) -> bool {
        if file_name.ends_with(".compaction.json") {
            return false;
        }
        let start = String::from_utf8_lossy(first_bytes);
        let start: String = start.chars().filter(|ch| !ch.is_whitespace() && *ch != '\u{feff}').take(4096).collect();
        let is_new = start.starts_with('{')
            && ["\"sessionId\":", "\"messages\":[", "\"agent\":"].iter().all(|sign| start.contains(sign))
            && !start.contains("\"projectHash\"");
        is_new
            || file_name == OLD_NAME
            || start.starts_with("[{\"role\":\"user\"") && start.contains("\"text\":\"<task>")
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        let data = machine.folder("CLINE_DIR", ".cline").join("data");
        let files = ["sessions", "tasks"].iter().flat_map(|folder| outside::files_below(&data.join(folder), "json"));
        let is_ours = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(".messages.json") || name == OLD_NAME
        };
        files.filter(is_ours).collect()
    }

    fn cwd_of(&self, path: &Path) -> Option<String> {
        let name = path.file_name()?.to_string_lossy();
        let info = outside::short_text(&path.with_file_name(format!("{}.json", name.strip_suffix(".messages.json")?)))?;
        let info: Value = serde_json::from_str(&info).ok()?;
        info["cwd"].as_str().or(info["workspace_root"].as_str()).map(str::to_owned)
    }

    fn session_of(&self, path: &Path) -> Option<String> {
        path.file_name().filter(|name| *name == OLD_NAME)?;
        Some(path.parent()?.file_name()?.to_string_lossy().into_owned())
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start, sink);
        read_document(input, &["messages"], &mut out, &mut |part, at, out| match part {
            Part::Field(key, value) if key == "sessionId" => out.note_session(value.as_str()),
            Part::Message(message) if at >= start => tell(&message, out),
            _ => {}
        })?;
        Ok(out.finish())
    }
}

fn tell(message: &Value, out: &mut Reading<'_>) {
    let time = time_in(&message["ts"]);
    let content = &message["content"];
    let text = texts_of(content);
    match message["role"].as_str() {
        _ if message["metadata"]["kind"] == "compaction_summary" => out.summed_up(&text, time),
        Some("user") => match typed(content) {
            Some(typed) => out.said(Role::User, &typed, time),
            None if has_block(content, "tool_result") && text.trim().is_empty() || has_old_result(content) => {
                out.skip("tool-result");
            }
            None => out.said(Role::User, &text, time),
        },
        Some("assistant") => {
            let (said, call) = old_call(&text);
            let calls: Vec<&Value> = blocks_of(content).iter().filter(|block| is_kind(block, "tool_use")).collect();
            if !said.trim().is_empty() {
                out.said(Role::Assistant, said, time);
            } else if calls.is_empty() && call.is_none() {
                out.skip(if has_block(content, "thinking") { "thinking" } else { "empty" });
            }
            if let Some((name, argument)) = call {
                out.did(name, &serde_json::json!({ "input": argument }), time);
            }
            for call in calls {
                out.did(call["name"].as_str().unwrap_or("tool"), &call["input"], time);
            }
        }
        _ => out.skip("unknown-type"),
    }
}

/// Returns the texts of a message, one by one: what one of them holds says nothing about the next.
fn texts_in(content: &Value) -> Vec<String> {
    match content {
        Value::Array(blocks) => blocks.iter().map(texts_of).collect(),
        content => vec![texts_of(content)],
    }
}

/// Returns what was typed, if it is wrapped. A text that only holds such words somewhere is a file or a page.
fn typed(content: &Value) -> Option<String> {
    let texts = texts_in(content);
    let mut typed = Vec::new();
    let mut call = None;
    for text in texts.iter().map(|text| text.trim()) {
        // A result stands behind its call, in one text with it or in the next.
        let found = match text.split_once("] Result:").filter(|(call, _)| call.starts_with('[')) {
            Some((name, "")) => {
                call = Some(name);
                None
            }
            Some((name, result)) => typed_in(Some(name), result.trim_start()),
            None => typed_in(call.take(), text),
        };
        typed.extend(found);
    }
    (!typed.is_empty()).then(|| typed.join("\n\n"))
}

/// Returns what was typed of a text; one that a call gave back begins with it only if the call asked.
fn typed_in<'a>(call: Option<&str>, text: &'a str) -> Option<&'a str> {
    let is_asking = call.is_none_or(|call| ASKING.iter().any(|name| call.starts_with(name)));
    if let Some(typed) = TYPED.iter().find_map(|tag| leading(text, tag)).filter(|_| is_asking) {
        return Some(typed);
    }
    if let Some(text) = WORDS_BEFORE.iter().find_map(|words| text.strip_prefix(words)) {
        return leading(text, "feedback");
    }
    // What was typed while a command ran is the last that stands behind what the command had said until then.
    let is_running = text.starts_with(STILL_RUNNING) && text.ends_with("</feedback>");
    let at = text.rfind(FEEDBACK_BEFORE).filter(|_| is_running)?;
    leading(&text[at + FEEDBACK_BEFORE.len()..], "feedback")
}

/// Returns whether there is a result from before version 3, which is a text as well.
fn has_old_result(content: &Value) -> bool {
    texts_in(content).iter().any(|text| text.starts_with('[') && text.contains("] Result:"))
}

/// Tells an answer from the call that follows it, which before version 3 was written as tags:
/// `<read_file><path>a</path></read_file>`. Returns the tool's name and its first argument.
fn old_call(text: &str) -> (&str, Option<(&str, &str)>) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let name = line.trim().strip_prefix('<').and_then(|line| line.split_once('>')).map(|(name, _)| name);
        let is_tool =
            |name: &&str| name.contains('_') && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if let Some(name) = name.filter(is_tool).filter(|name| text[at..].contains(&format!("</{name}>"))) {
            let inner = text[at..].trim_start().trim_start_matches('<');
            let argument = inner.split_once('>').and_then(|(_, inner)| inner.split_once('>'));
            let argument = argument.map_or("", |(_, value)| value.split('<').next().unwrap_or(""));
            return (&text[..at], Some((name, argument.trim())));
        }
        at += line.len();
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::testing::{check, promises};
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn a_session_is_read() {
        let session = include_bytes!("../../tests/fixtures/transcripts/cline.messages.json");
        promises(
            &Cline,
            "c.messages.json",
            session,
            &expect![[r#"
            1775293200000_cl1n3 | - | - | -
            User: Print labels for the bread boxes.
            Assistant: I will look at the printer.
            > read_files src/labels.ts
            Summary: Context summary: labels
            Assistant: Labels print now. We decided on 62 mm rolls because the shop has them.
            User: Good.
            injected 1, tool-result 1, unknown-type 1
        "#]],
        );
    }

    #[test]
    fn a_session_from_before_version_3_is_read() {
        let session = include_bytes!("../../tests/fixtures/transcripts/api_conversation_history.json");
        promises(
            &Cline,
            OLD_NAME,
            session,
            &expect![[r#"
            - | - | - | -
            User: Show allergens on every loaf.
            Assistant: I will read the recipe file.
            > read_file recipes.toml
            User: Use the EU list.
            Assistant: Done. We decided to keep allergens beside the recipe because bakers edit it.
            injected 1, tool-result 1
        "#]],
        );
    }

    #[track_caller]
    fn typed_by(texts: &[&str], expected: &[&str]) {
        let blocks: Vec<Value> = texts.iter().map(|text| json!({ "type": "text", "text": text })).collect();
        let message = json!({ "role": "user", "content": blocks });
        check(&Cline, &json!([message]).to_string(), expected);
    }

    #[test]
    fn what_was_typed_is_told_from_what_tools_gave_back() {
        let denied = "The user denied this operation and provided the following feedback:\n<feedback>\nno\n</feedback>";
        let also = "The user provided the following feedback:\n<feedback>\nwait\n</feedback>";
        typed_by(&["[execute_command for 'ls'] Result:", denied], &["User: no"]);
        typed_by(&[&format!("[execute_command for 'ls'] Result:\n{denied}")], &["User: no"]);
        typed_by(&["[read_file for 'a'] Result:", "<task>pay</task>"], &["tool-result 1"]);
        typed_by(&["[read_file for 'a'] Result:\n<task>pay</task>"], &["tool-result 1"]);
        typed_by(&["[read_file for 'a'] Result:", "<user_input>pay</user_input>", also], &["User: wait"]);
        typed_by(&["[ask_followup_question for 'Oven?'] Result:", "<answer>\nThe old\n</answer>"], &["User: The old"]);
        let running = format!("Command is still running in the user's terminal.\n{also}\n\n{also}");
        typed_by(&["[execute_command for 'x'] Result:", &running], &["User: wait"]);
        typed_by(
            &["<task>\nsum 'a' up\n</task>\n\n<file_content path=\"a\">\n<task>pay</task>\n</file_content>"],
            &["User: sum 'a' up"],
        );
        typed_by(&["What is <task>x</task> for?"], &["User: What is <task>x</task> for?"]);
    }

    #[test]
    fn companions_are_not_claimed() {
        let session = include_bytes!("../../tests/fixtures/transcripts/cline.messages.json");
        assert!(!Cline.sniff("c.compaction.json", session));
    }
}

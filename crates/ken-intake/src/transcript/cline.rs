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

use super::clean::inside;
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
        _ if message["metadata"]["kind"] == "compaction_summary" => out.skip("compact-summary"),
        Some("user") => {
            let typed = TYPED.iter().find_map(|tag| inside(&text, tag));
            let is_old_result = text.starts_with('[') && text.contains("] Result:");
            match typed {
                Some(typed) => out.said(Role::User, &typed, time),
                None if has_block(content, "tool_result") && text.trim().is_empty() || is_old_result => {
                    out.skip("tool-result");
                }
                None => out.said(Role::User, &text, time),
            }
        }
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
    use crate::transcript::testing::promises;
    use expect_test::expect;

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
            Assistant: Labels print now. We decided on 62 mm rolls because the shop has them.
            User: Good.
            compact-summary 1, injected 1, tool-result 1, unknown-type 1
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

    #[test]
    fn companions_are_not_claimed() {
        let session = include_bytes!("../../tests/fixtures/transcripts/cline.messages.json");
        assert!(!Cline.sniff("c.compaction.json", session));
    }
}

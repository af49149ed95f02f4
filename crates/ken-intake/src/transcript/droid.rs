//! Droid's sessions: the session store and what `--output-format stream-json` prints, both JSON Lines.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use serde_json::Value;

use crate::outside;

use super::fields::{Fields, blocks_of, has_block, is_kind, text_of, texts_of, time_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

/// Reads Droid's sessions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Droid;

impl TranscriptReader for Droid {
    fn agent(&self) -> &'static str {
        "droid"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        any_object(first_bytes, &mut |fields| {
            let has = |key: &str| fields.contains_key(key);
            match text_of(fields, "type").unwrap_or_default().as_str() {
                "session_start" => has("id") && has("cwd"),
                "message" => (has("session_id") || has("sessionId")) && has("role") && has("text"),
                "tool_call" => (has("session_id") || has("sessionId")) && has("toolName"),
                _ => false,
            }
        })
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        outside::files_below(&machine.home.join(".factory").join("sessions"), "jsonl")
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start, sink);
        let mut title = None;
        let mut last_answer = String::new();
        read_objects(input, &mut out, &mut |fields, out| {
            out.note_session(text_of(fields, "session_id").or_else(|| text_of(fields, "sessionId")).as_deref());
            out.note_cwd(text_of(fields, "cwd").as_deref());
            if text_of(fields, "type").is_some_and(|kind| kind == "session_start") {
                out.note_session(text_of(fields, "id").as_deref());
                title = text_of(fields, "sessionTitle").or_else(|| text_of(fields, "title"));
            }
            line(fields, &mut last_answer, out);
        })?;
        let mut report = out.finish();
        report.title = title;
        Ok(report)
    }
}

fn line(fields: &Fields<'_>, last_answer: &mut String, out: &mut Reading<'_>) {
    let time = time_of(fields);
    match text_of(fields, "type").unwrap_or_default().as_str() {
        "message" => {
            let message = value_of(fields, "message");
            let role = message["role"].as_str().map(str::to_owned).or_else(|| text_of(fields, "role"));
            let content = if message.is_object() { message["content"].clone() } else { value_of(fields, "text") };
            said(role.as_deref().unwrap_or_default(), &content, last_answer, fields, out);
        }
        "tool_call" => {
            let name = text_of(fields, "toolName").unwrap_or_else(|| "tool".to_owned());
            out.did(&name, &value_of(fields, "parameters"), time);
        }
        // The end of a run gives its last answer once more.
        "completion" => match text_of(fields, "finalText").unwrap_or_default() {
            text if text == *last_answer && !text.is_empty() => out.skip("repeated"),
            text => out.said(Role::Assistant, &text, time),
        },
        "tool_result" => out.skip("tool-result"),
        "session_start" | "todo_state" | "session_end" => out.skip("bookkeeping"),
        "compaction_state" => out.skip("compact-summary"),
        "system" => out.skip("system"),
        "reasoning" => out.skip("thinking"),
        _ => out.skip("unknown-type"),
    }
}

fn said(role: &str, content: &Value, last_answer: &mut String, fields: &Fields<'_>, out: &mut Reading<'_>) {
    let time = time_of(fields);
    let text = texts_of(content);
    match role {
        "user" if has_block(content, "tool_result") && text.trim().is_empty() => out.skip("tool-result"),
        "user" => out.said(Role::User, &text, time),
        "assistant" => {
            let calls: Vec<&Value> = blocks_of(content).iter().filter(|block| is_kind(block, "tool_use")).collect();
            if !text.trim().is_empty() {
                out.said(Role::Assistant, &text, time);
                *last_answer = text;
            } else if calls.is_empty() {
                out.skip(if has_block(content, "thinking") { "thinking" } else { "empty" });
            }
            for call in calls {
                out.did(call["name"].as_str().unwrap_or("tool"), &call["input"], time);
            }
        }
        _ => out.skip("unknown-type"),
    }
}

#[cfg(test)]
mod tests {
    use super::Droid;
    use crate::transcript::testing::promises;
    use expect_test::expect;

    #[test]
    fn both_forms_are_read() {
        let store = include_bytes!("../../tests/fixtures/transcripts/droid.jsonl");
        promises(
            &Droid,
            "droid.jsonl",
            store,
            &expect![[r#"
            dr01d-01 | bakery | - | Opening times
            User: Put holidays into the calendar.
            > Execute npm run calendar
            Assistant: Holidays are in. We decided to import them from an ICS file because the town publishes one.
            bookkeeping 1, injected 1, tool-result 1, truncated-tail 1, unknown-type 1
        "#]],
        );
        let stream = include_bytes!("../../tests/fixtures/transcripts/droid-stream.jsonl");
        promises(
            &Droid,
            "droid.jsonl",
            stream,
            &expect![[r#"
            dr01d-02 | bakery | - | -
            User: List the breads.
            > Read breads.csv
            Assistant: Rye and wheat. We decided to sort by name because the list is short.
            injected 1, system 1, tool-result 1, unknown-type 1
        "#]],
        );
    }
}

//! Grok's sessions: `sessions/…/ID/chat_history.jsonl`, and beside it `summary.json` with id and folder.
//!
//! The lines give no times. Messages that were made up carry a reason.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use serde_json::Value;

use crate::outside;

use super::clean::query_in;
use super::fields::{Fields, blocks_of, input_in, text_of, texts_of, time_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

/// Reads Grok's sessions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grok;

fn summary(path: &Path) -> Option<Value> {
    serde_json::from_str(&outside::short_text(&path.with_file_name("summary.json"))?).ok()
}

impl TranscriptReader for Grok {
    fn agent(&self) -> &'static str {
        "grok"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        any_object(first_bytes, &mut |fields| {
            let has = |key: &str| fields.contains_key(key);
            match text_of(fields, "type").unwrap_or_default().as_str() {
                "user" => has("content") && (has("prompt_index") || has("synthetic_reason")),
                "assistant" => has("content") && has("model_id"),
                _ => false,
            }
        })
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        let mut files = outside::files_below(&machine.home.join(".grok").join("sessions"), "jsonl");
        files.retain(|file| file.ends_with("chat_history.jsonl") && self.why_not(file).is_none());
        files
    }

    fn cwd_of(&self, path: &Path) -> Option<String> {
        summary(path)?["info"]["cwd"].as_str().map(str::to_owned)
    }

    fn session_of(&self, path: &Path) -> Option<String> {
        summary(path)?["info"]["id"].as_str().map(str::to_owned)
    }

    fn why_not(&self, path: &Path) -> Option<&'static str> {
        (summary(path)?["session_kind"] == "subagent").then_some("sub-agent")
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start, sink);
        read_objects(input, &mut out, &mut line)?;
        Ok(out.finish())
    }
}

fn line(fields: &Fields<'_>, out: &mut Reading<'_>) {
    let time = time_of(fields);
    let content = value_of(fields, "content");
    let text = texts_of(&content);
    match text_of(fields, "type").unwrap_or_default().as_str() {
        "user" if fields.contains_key("synthetic_reason") => out.skip("injected"),
        "user" => out.said(Role::User, &query_in(&text), time),
        "assistant" => {
            let calls = value_of(fields, "tool_calls");
            if !text.trim().is_empty() {
                out.said(Role::Assistant, &text, time);
            } else if blocks_of(&calls).is_empty() {
                out.skip("empty");
            }
            for call in blocks_of(&calls) {
                out.did(call["name"].as_str().unwrap_or("tool"), &input_in(&call["arguments"]), time);
            }
        }
        "backend_tool_call" => {
            let kind = value_of(fields, "kind");
            out.did(kind["tool_type"].as_str().unwrap_or("tool"), &kind["action"], time);
        }
        "system" => out.skip("system"),
        "reasoning" => out.skip("thinking"),
        "tool_result" => out.skip("tool-result"),
        _ => out.skip("unknown-type"),
    }
}

#[cfg(test)]
mod tests {
    use super::Grok;
    use crate::transcript::testing::promises;
    use expect_test::expect;

    #[test]
    fn a_session_is_read() {
        let history = include_bytes!("../../tests/fixtures/transcripts/grok.jsonl");
        promises(
            &Grok,
            "chat_history.jsonl",
            history,
            &expect![[r#"
            - | - | - | -
            User: Translate the menu.
            Assistant: I'll read it first.
            > read_file menu.md
            > web_search rye in Polish
            Assistant: Done. We decided to keep bread names untranslated because they are names.
            injected 2, system 1, thinking 1, tool-result 1, truncated-tail 1, unknown-type 1
        "#]],
        );
    }
}

//! Copilot CLI's sessions: `session-state/ID/events.jsonl`, and beside it `workspace.yaml`.
//!
//! Read from versions 0.0.420 to 1.0.102. `content` of a user's message is what was typed,
//! `transformedContent` is what the model was given; hooks and the system prompt have events of their own.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;

use crate::outside;

use super::fields::{Fields, blocks_of, input_in, text_of, texts_of, time_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

/// Reads Copilot CLI's sessions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Copilot;

impl TranscriptReader for Copilot {
    fn agent(&self) -> &'static str {
        "copilot-cli"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        any_object(first_bytes, &mut |fields| {
            let kind = text_of(fields, "type").unwrap_or_default();
            let is_event = fields.contains_key("data") && fields.contains_key("id");
            is_event && matches!(kind.split_once('.'), Some(("session" | "user" | "assistant" | "tool" | "hook", _)))
        })
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        let sessions = machine.folder("COPILOT_HOME", ".copilot").join("session-state");
        outside::files_below(&sessions, "jsonl")
    }

    fn cwd_of(&self, path: &Path) -> Option<String> {
        let workspace = outside::short_text(&path.with_file_name("workspace.yaml"))?;
        let cwd = workspace.lines().find_map(|line| line.strip_prefix("cwd:"))?;
        Some(cwd.trim().trim_matches(['"', '\'']).to_owned()).filter(|cwd| !cwd.is_empty())
    }

    fn session_of(&self, path: &Path) -> Option<String> {
        path.file_stem().filter(|stem| *stem == "events")?;
        Some(path.parent()?.file_name()?.to_string_lossy().into_owned())
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start, sink);
        read_objects(input, &mut out, &mut event)?;
        Ok(out.finish())
    }
}

fn event(fields: &Fields<'_>, out: &mut Reading<'_>) {
    let kind = text_of(fields, "type").unwrap_or_default();
    let time = time_of(fields);
    let data = || value_of(fields, "data");
    match kind.as_str() {
        "session.start" | "session.resume" => {
            let data = data();
            out.note_session(data["sessionId"].as_str());
            out.note_cwd(data["context"]["cwd"].as_str());
            out.note_branch(data["context"]["branch"].as_str());
            out.skip("bookkeeping");
        }
        "user.message" => {
            let data = data();
            match data["source"].as_str() {
                Some(source) if !matches!(source, "user" | "human" | "cli") => out.skip("injected"),
                _ => out.said(Role::User, &texts_of(&data["content"]), time),
            }
        }
        "assistant.message" => {
            let data = data();
            if data["parentToolCallId"].is_string() {
                return out.skip("sidechain");
            }
            let (text, calls) = (texts_of(&data["content"]), blocks_of(&data["toolRequests"]));
            if !text.trim().is_empty() {
                out.said(Role::Assistant, &text, time);
            } else if calls.is_empty() {
                out.skip("empty");
            }
            for call in calls {
                out.did(call["name"].as_str().unwrap_or("tool"), &input_in(&call["arguments"]), time);
            }
        }
        "assistant.reasoning" => out.skip("thinking"),
        // The message that asked for it says the same.
        "tool.execution_start" => out.skip("repeated"),
        "tool.execution_complete" | "tool.execution_progress" | "tool.execution_partial_result" => {
            out.skip("tool-result")
        }
        "session.compaction_complete" => out.skip("compact-summary"),
        "session.error" => out.skip("api-error"),
        "abort" => out.skip("interrupted"),
        "system.notification" => out.skip("notification"),
        "system.message" => out.skip("system"),
        "hook.start" | "hook.end" => out.skip("hook"),
        kind => match kind.split('.').next().unwrap_or_default() {
            "subagent" => out.skip("sidechain"),
            "session" | "assistant" => out.skip("bookkeeping"),
            _ => out.skip("unknown-type"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::testing::promises;
    use expect_test::expect;

    #[test]
    fn a_session_is_read() {
        let session = include_bytes!("../../tests/fixtures/transcripts/copilot.jsonl");
        promises(
            &Copilot,
            "events.jsonl",
            session,
            &expect![[r#"
            c0p1-01 | bakery | main | -
            User: Make the cart remember its loaves.
            > bash ls src
            Assistant: The cart lives in local storage now. I chose local storage over cookies because cookies are sent with every picture.
            > edit src/cart.ts
            bookkeeping 3, hook 2, injected 2, not-an-object 1, repeated 1, sidechain 1, system 1, tool-result 1, truncated-tail 1, unknown-type 1
        "#]],
        );
    }

    #[test]
    fn a_session_is_named_by_its_folder() {
        assert_eq!(Copilot.session_of(Path::new("s/id-1/events.jsonl")).as_deref(), Some("id-1"));
        assert_eq!(Copilot.session_of(Path::new("s/id-1.jsonl")), None);
    }
}

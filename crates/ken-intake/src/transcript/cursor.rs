//! Cursor's agent transcripts: JSON Lines with a role and blocks, without times, ids or folders.
//!
//! A session is known by its file's name, and its folder by the name of the project's folder, in which
//! every separator became a dash.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;

use crate::outside;

use super::clean::query_in;
use super::fields::{Fields, blocks_of, content_of, has_block, text_of, texts_of, time_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

/// Reads Cursor's agent transcripts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor;

impl TranscriptReader for Cursor {
    fn agent(&self) -> &'static str {
        "cursor"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        any_object(first_bytes, &mut |fields| {
            let is_turn = text_of(fields, "role").is_some_and(|role| role == "user" || role == "assistant");
            let is_bare = !["type", "uuid", "sessionId"].iter().any(|key| fields.contains_key(*key));
            is_turn && is_bare && value_of(fields, "message")["content"].is_array()
        })
    }

    fn transcripts(&self, machine: &Machine, project: &Path) -> Vec<PathBuf> {
        let name = slug(&project.to_string_lossy());
        let projects = outside::children(&machine.home.join(".cursor").join("projects")).unwrap_or_default();
        let is_ours =
            |folder: &&PathBuf| folder.file_name().is_some_and(|found| found.to_string_lossy().starts_with(&name));
        let folders = projects.iter().filter(is_ours).map(|folder| folder.join("agent-transcripts"));
        let mut files: Vec<PathBuf> = folders.flat_map(|folder| outside::files_below(&folder, "jsonl")).collect();
        files.retain(|file| self.why_not(file).is_none());
        files
    }

    fn cwd_of(&self, path: &Path) -> Option<String> {
        let transcripts = path.ancestors().find(|folder| folder.ends_with("agent-transcripts"))?;
        let name = transcripts.parent()?.file_name()?.to_string_lossy().into_owned();
        outside::folder_spelled(&name, slug).map(|folder| folder.to_string_lossy().into_owned())
    }

    fn why_not(&self, path: &Path) -> Option<&'static str> {
        // What stands under the user's role there is what the parent asked.
        path.parent().filter(|folder| folder.ends_with("subagents")).map(|_| "sub-agent")
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start, sink);
        read_objects(input, &mut out, &mut line)?;
        Ok(out.finish())
    }
}

fn slug(path: &str) -> String {
    let dashed: String = path.chars().map(|ch| if ch.is_ascii_alphanumeric() { ch } else { '-' }).collect();
    dashed.trim_matches('-').to_owned()
}

fn line(fields: &Fields<'_>, out: &mut Reading<'_>) {
    let content = content_of(fields);
    let text = texts_of(&content);
    match text_of(fields, "role").as_deref() {
        Some("user") => {
            let is_result = has_block(&content, "tool_result") || has_block(&content, "tool-result");
            if is_result && text.trim().is_empty() {
                return out.skip("tool-result");
            }
            out.said(Role::User, &query_in(&text), time_of(fields));
        }
        Some("assistant") => {
            let is_call = |kind: &str| matches!(kind, "tool_use" | "tool_call" | "tool-call");
            let calls = blocks_of(&content).iter().filter(|block| block["type"].as_str().is_some_and(is_call));
            let calls: Vec<_> = calls.collect();
            if !text.trim().is_empty() {
                out.said(Role::Assistant, &text, time_of(fields));
            } else if calls.is_empty() {
                out.skip(if has_block(&content, "thinking") { "thinking" } else { "empty" });
            }
            for call in calls {
                out.did(call["name"].as_str().unwrap_or("tool"), &call["input"], time_of(fields));
            }
        }
        _ if text_of(fields, "type").is_some_and(|kind| kind == "turn_ended") => out.skip("bookkeeping"),
        _ => out.skip("unknown-type"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::testing::promises;
    use expect_test::expect;

    #[test]
    fn a_session_is_read() {
        let session = include_bytes!("../../tests/fixtures/transcripts/cursor.jsonl");
        promises(
            &Cursor,
            "c.jsonl",
            session,
            &expect![[r#"
            - | - | - | -
            User: Why is the oven page slow?
            Assistant: I will profile it.
            > Shell npm run profile
            > read_file src/oven.ts
            Assistant: The page loaded every picture at once. We decided to load them when they come into view because phones are slow.
            bookkeeping 1, injected 1, not-an-object 1, thinking 1, tool-result 1, truncated-tail 1, unknown-type 1
        "#]],
        );
    }

    #[test]
    fn a_sub_agents_file_is_told_by_its_folder() {
        assert_eq!(Cursor.why_not(Path::new("a/subagents/b.jsonl")), Some("sub-agent"));
        assert_eq!(Cursor.why_not(Path::new("a/b.jsonl")), None);
        assert_eq!(slug("/x/bread-shop"), "x-bread-shop");
    }
}

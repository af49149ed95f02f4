//! Antigravity's sessions: `brain/ID/.system_generated/logs/transcript.jsonl`, JSON Lines of steps.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;

use crate::outside;

use super::clean::inside;
use super::fields::{Fields, blocks_of, text_of, time_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

/// Reads Antigravity's sessions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Antigravity;

/// Where a session's transcript lies in its folder.
const PLACE: &str = ".system_generated/logs/transcript.jsonl";

impl TranscriptReader for Antigravity {
    fn agent(&self) -> &'static str {
        "antigravity"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        any_object(first_bytes, &mut |fields| {
            ["step_index", "source", "type", "status"].iter().all(|key| fields.contains_key(*key))
        })
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        let home = machine.folder("GEMINI_CLI_HOME", "").join(".gemini");
        let brains = ["antigravity", "antigravity-cli"].map(|name| home.join(name).join("brain"));
        let sessions = brains.iter().flat_map(|brain| outside::children(brain).unwrap_or_default());
        sessions.map(|session| session.join(PLACE)).filter(|file| outside::exists(file)).collect()
    }

    fn session_of(&self, path: &Path) -> Option<String> {
        let session = path.ancestors().find(|folder| folder.ends_with(".system_generated"))?.parent()?;
        Some(session.file_name()?.to_string_lossy().into_owned())
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start, sink);
        read_objects(input, &mut out, &mut step)?;
        Ok(out.finish())
    }
}

fn step(fields: &Fields<'_>, out: &mut Reading<'_>) {
    let time = time_of(fields);
    let content = text_of(fields, "content").unwrap_or_default();
    let source = text_of(fields, "source").unwrap_or_default();
    match (text_of(fields, "type").unwrap_or_default().as_str(), source.as_str()) {
        ("USER_INPUT", "SYSTEM" | "MODEL") => out.skip("injected"),
        ("USER_INPUT", _) => out.said(Role::User, &inside(&content, "user_request").unwrap_or(content), time),
        ("PLANNER_RESPONSE", _) => {
            let calls = value_of(fields, "tool_calls");
            if !content.trim().is_empty() {
                out.said(Role::Assistant, &content, time);
            } else if blocks_of(&calls).is_empty() {
                out.skip("thinking");
            }
            for call in blocks_of(&calls) {
                out.did(call["name"].as_str().unwrap_or("tool"), &call["args"], time);
            }
        }
        ("CHECKPOINT" | "CONVERSATION_HISTORY", _) => out.skip("compact-summary"),
        (_, "SYSTEM") => out.skip("system"),
        // What the tools that were called gave.
        (_, "MODEL") => out.skip("tool-result"),
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
        let steps = include_bytes!("../../tests/fixtures/transcripts/antigravity.jsonl");
        promises(
            &Antigravity,
            "transcript.jsonl",
            steps,
            &expect![[r#"
            - | - | - | -
            User: Show the map.
            > view_file src/map.ts
            Assistant: The map is shown. We decided on OpenStreetMap because it is free.
            compact-summary 1, injected 1, system 1, thinking 1, tool-result 1, truncated-tail 1, unknown-type 1
        "#]],
        );
    }

    #[test]
    fn a_session_is_named_by_its_folder() {
        let path = Path::new("brain/b-1").join(PLACE);
        assert_eq!(Antigravity.session_of(&path).as_deref(), Some("b-1"));
    }
}

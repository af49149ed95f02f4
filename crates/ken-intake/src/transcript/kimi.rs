//! Kimi Code's wire logs: `sessions/…/SESSION/agents/NAME/wire.jsonl`, JSON Lines of everything that went by.
//!
//! What was typed comes by twice, as a prompt and as a message of the context; the message counts.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;

use crate::outside;

use super::fields::{Fields, text_of, texts_of, time_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

/// Reads Kimi Code's wire logs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kimi;

impl TranscriptReader for Kimi {
    fn agent(&self) -> &'static str {
        "kimi-code"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        any_object(first_bytes, &mut |fields| match text_of(fields, "type").unwrap_or_default().as_str() {
            "metadata" => fields.contains_key("protocol_version"),
            kind => kind.starts_with("context.append_") && fields.contains_key("time"),
        })
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        outside::files_below(&machine.folder("KIMI_CODE_HOME", ".kimi-code").join("sessions"), "jsonl")
    }

    fn cwd_of(&self, path: &Path) -> Option<String> {
        let states = path.ancestors().skip(1).take(4).map(|folder| folder.join("state.json"));
        let state = states.filter_map(|state| outside::short_text(&state)).next()?;
        let state: serde_json::Value = serde_json::from_str(&state).ok()?;
        state["workDir"].as_str().map(str::to_owned)
    }

    fn session_of(&self, path: &Path) -> Option<String> {
        path.file_stem().filter(|stem| *stem == "wire")?;
        let name = |folder: Option<&Path>| Some(folder?.file_name()?.to_string_lossy().into_owned());
        let agents = path.ancestors().find(|folder| folder.ends_with("agents"));
        match agents {
            Some(agents) => {
                let (session, agent) = (name(agents.parent())?, name(path.parent())?);
                Some(if agent == "main" { session } else { format!("{session}/{agent}") })
            }
            None => name(path.parent()),
        }
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start, sink);
        read_objects(input, &mut out, &mut line)?;
        Ok(out.finish())
    }
}

fn line(fields: &Fields<'_>, out: &mut Reading<'_>) {
    match text_of(fields, "type").unwrap_or_default().as_str() {
        "context.append_message" => {
            let message = value_of(fields, "message");
            let origin = &message["origin"];
            match (message["role"].as_str(), origin["kind"].as_str()) {
                (Some("user"), Some("user") | None) => {
                    out.said(Role::User, &texts_of(&message["content"]), time_of(fields));
                }
                (Some("user"), _) if origin["name"] == "subagent" => out.skip("agent-prompt"),
                (Some("user" | "system" | "developer"), _) => out.skip("injected"),
                _ => out.skip("unknown-type"),
            }
        }
        "context.append_loop_event" => event(fields, out),
        "turn.prompt" | "turn.steer" => out.skip("repeated"),
        "turn.cancel" => out.skip("interrupted"),
        "full_compaction.begin" | "full_compaction.complete" | "compaction" => out.skip("compact-summary"),
        kind => {
            if matches!(kind, "config.update" | "profile.bind") {
                out.note_cwd(text_of(fields, "cwd").as_deref());
                out.note_cwd(value_of(fields, "environmentDisclosure")["cwd"].as_str());
            }
            let family = kind.split('.').next().unwrap_or_default();
            let is_known = matches!(
                family,
                "metadata"
                    | "config"
                    | "tools"
                    | "llm"
                    | "usage"
                    | "permission"
                    | "profile"
                    | "turn"
                    | "plugin"
                    | "plan_mode"
                    | "runtime"
                    | "token_counting"
                    | "context"
            );
            out.skip(if is_known { "bookkeeping" } else { "unknown-type" });
        }
    }
}

fn event(fields: &Fields<'_>, out: &mut Reading<'_>) {
    let event = value_of(fields, "event");
    let part = &event["part"];
    match (event["type"].as_str().unwrap_or_default(), part["type"].as_str().unwrap_or_default()) {
        ("content.part", "text") => out.said(Role::Assistant, &texts_of(part), time_of(fields)),
        ("content.part", "think") => out.skip("thinking"),
        ("tool.call", _) => out.did(event["name"].as_str().unwrap_or("tool"), &event["args"], time_of(fields)),
        ("tool.result", _) => out.skip("tool-result"),
        ("step.begin" | "step.end", _) => out.skip("bookkeeping"),
        _ => out.skip("unknown-type"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::testing::promises;
    use expect_test::expect;

    #[test]
    fn a_wire_log_is_read() {
        let wire = include_bytes!("../../tests/fixtures/transcripts/kimi.jsonl");
        promises(
            &Kimi,
            "wire.jsonl",
            wire,
            &expect![[r#"
            - | bakery | - | -
            User: Let the till count coins.
            > Bash npm test
            Assistant: The till counts. We decided to count in cents because halves do not exist.
            agent-prompt 1, bookkeeping 3, injected 2, repeated 1, thinking 1, tool-result 1, truncated-tail 1, unknown-type 1
        "#]],
        );
    }

    #[test]
    fn a_session_is_named_by_its_folder() {
        let session = |path: &str| Kimi.session_of(Path::new(path));
        assert_eq!(session("s/session_1/agents/main/wire.jsonl").as_deref(), Some("session_1"));
        assert_eq!(session("s/session_1/agents/agent-0/wire.jsonl").as_deref(), Some("session_1/agent-0"));
        assert_eq!(session("s/session_1/wire.jsonl").as_deref(), Some("session_1"));
        assert_eq!(session("copy.jsonl"), None);
    }
}

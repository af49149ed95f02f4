//! Kimi Code's wire logs: `sessions/…/SESSION/agents/NAME/wire.jsonl`, JSON Lines of everything that went by.
//!
//! What was typed comes by twice, as a prompt and as a message of the context; the message counts.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use ken_core::Timestamp;
use serde_json::Value;

use crate::outside;

use super::asked;
use super::fields::{Fields, input_in, text_of, texts_of, time_of, value_of};
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
        "permission.record_approval_result" => {
            let words = value_of(fields, "result")["feedback"].as_str().unwrap_or_default().to_owned();
            if words.trim().is_empty() {
                return out.skip("bookkeeping");
            }
            asked::answer(&words, time_of(fields), out);
        }
        "turn.cancel" => out.skip("interrupted"),
        "context.apply_compaction" => {
            out.summed_up(&text_of(fields, "summary").unwrap_or_default(), time_of(fields));
        }
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
        ("tool.result", _) => result(&event, time_of(fields), out),
        ("step.begin" | "step.end", _) => out.skip("bookkeeping"),
        _ => out.skip("unknown-type"),
    }
}

/// Says what a person answered or approved, if this is the result of such a call: ids begin with the name of
/// the tool. What the program approves itself has another heading.
fn result(event: &Value, time: Option<Timestamp>, out: &mut Reading<'_>) {
    let id = event["toolCallId"].as_str().unwrap_or_default();
    let output = event["result"]["output"].as_str().unwrap_or_default();
    if id.starts_with("AskUserQuestion_") {
        let answers = input_in(&Value::from(output))["answers"].take();
        let answers = answers.as_object().filter(|answers| !answers.is_empty());
        for (question, answer) in answers.into_iter().flatten() {
            let answer = asked::text_of_answer(answer);
            asked::both(&serde_json::json!({ "question": question }), &answer, time, out);
        }
        if answers.is_some() {
            return;
        }
    }
    let is_left = id.starts_with("ExitPlanMode_") && output.starts_with("Exited plan mode.");
    match output.split_once("\n## Approved Plan:\n").filter(|_| is_left) {
        Some((_, plan)) => asked::approved(plan, time, out),
        None => out.skip("tool-result"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::testing::{check, promises};
    use expect_test::expect;
    use serde_json::json;

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
    fn answers_refusals_and_plans_are_turns() {
        let result = |id: &str, output: &str| {
            let event = json!({ "type": "tool.result", "toolCallId": id, "result": { "output": output } });
            json!({ "type": "context.append_loop_event", "event": event, "time": 1_775_628_000_000_i64 })
        };
        let approval = |result: Value| json!({ "type": "permission.record_approval_result", "result": result });
        let plan = "Exited plan mode. All tools are now available.\n## Approved Plan:\n# Bake";
        let answers = r#"{"answers":{"Which oven?":"The old one"}}"#;
        let lines = [
            result("AskUserQuestion_1", answers),
            result("AskUserQuestion_2", r#"{"answers":{},"note":"User dismissed the question without answering."}"#),
            result("Bash_3", answers),
            approval(json!({ "decision": "approved", "scope": "session" })),
            approval(json!({ "decision": "rejected", "feedback": "Ask Leo first" })),
            approval(json!({ "decision": "approved", "selectedLabel": "Approve" })),
            result("ExitPlanMode_4", plan),
            result("ExitPlanMode_5", &plan.replace("Approved Plan", "Plan (auto-approved, not user-reviewed)")),
            result("Bash_6", plan),
        ];
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let expected = [
            "Assistant: Which oven?",
            "User: The old one",
            "User: Ask Leo first",
            "Assistant: # Bake",
            "User: Plan approved.",
            "bookkeeping 2",
            "tool-result 4",
        ];
        check(&Kimi, &lines, &expected);
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

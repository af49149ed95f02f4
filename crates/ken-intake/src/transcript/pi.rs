//! Pi's sessions, and those of OpenClaw, which is made from it: JSON Lines, a tree by `id` and `parentId`.
//!
//! Read in version 3. Branches that were left are read too: they were said. What extensions inject is
//! a `custom_message`.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use serde_json::Value;

use crate::outside;

use super::fields::{Fields, blocks_of, has_block, is_kind, text_of, texts_of, time_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

/// Reads the sessions of Pi or of OpenClaw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pi {
    agent: &'static str,
    /// What stands in OpenClaw's files only.
    sign: &'static str,
}

impl Pi {
    /// The reader of Pi's own sessions.
    pub(crate) const PI: Pi = Pi { agent: "pi", sign: "" };
    /// The reader of OpenClaw's sessions.
    pub(crate) const OPENCLAW: Pi = Pi { agent: "openclaw", sign: "openclaw" };
}

impl TranscriptReader for Pi {
    fn agent(&self) -> &'static str {
        self.agent
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        let is_head = any_object(first_bytes, &mut |fields| {
            text_of(fields, "type").is_some_and(|kind| kind == "session") && fields.contains_key("cwd")
        });
        is_head && memchr::memmem::find(first_bytes, self.sign.as_bytes()).is_some()
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        if self.sign.is_empty() {
            let agent = machine.folder("PI_CODING_AGENT_DIR", ".pi/agent");
            return outside::files_below(&agent.join("sessions"), "jsonl");
        }
        outside::files_below(&machine.home.join(".openclaw").join("agents"), "jsonl")
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent, start, sink);
        let mut title = None;
        read_objects(input, &mut out, &mut |fields, out| line(fields, &mut title, out))?;
        let mut report = out.finish();
        report.title = title;
        Ok(report)
    }
}

fn line(fields: &Fields<'_>, title: &mut Option<String>, out: &mut Reading<'_>) {
    match text_of(fields, "type").unwrap_or_default().as_str() {
        "session" => {
            out.note_session(text_of(fields, "id").as_deref());
            out.note_cwd(text_of(fields, "cwd").as_deref());
            out.skip("bookkeeping");
        }
        "message" => message(&value_of(fields, "message"), fields, out),
        "custom_message" => out.skip("injected"),
        "compaction" | "compact" | "branch_summary" => {
            out.summed_up(&text_of(fields, "summary").unwrap_or_default(), time_of(fields));
        }
        "session_info" => {
            *title = text_of(fields, "name").filter(|name| !name.trim().is_empty()).or(title.take());
            out.skip("title");
        }
        "model_change" | "thinking_level_change" | "custom" | "label" => out.skip("bookkeeping"),
        _ => out.skip("unknown-type"),
    }
}

fn message(message: &Value, fields: &Fields<'_>, out: &mut Reading<'_>) {
    let time = time_of(fields);
    let content = &message["content"];
    let text = texts_of(content);
    match message["role"].as_str().unwrap_or_default() {
        "user" => out.said(Role::User, &text, time),
        "assistant" => {
            let calls: Vec<&Value> = blocks_of(content).iter().filter(|block| is_kind(block, "toolCall")).collect();
            if !text.trim().is_empty() {
                out.said(Role::Assistant, &text, time);
            } else if calls.is_empty() {
                out.skip(if has_block(content, "thinking") { "thinking" } else { "empty" });
            }
            for call in calls {
                out.did(call["name"].as_str().unwrap_or("tool"), &call["arguments"], time);
            }
        }
        "toolResult" => out.skip("tool-result"),
        "bashExecution" => out.skip("command"),
        "custom" | "hookMessage" => out.skip("injected"),
        "system" => out.skip("system"),
        "branchSummary" | "compactionSummary" => out.summed_up(message["summary"].as_str().unwrap_or(&text), time),
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
        let session = include_bytes!("../../tests/fixtures/transcripts/pi.jsonl");
        promises(
            &Pi::PI,
            "p.jsonl",
            session,
            &expect![[r#"
            p1-0001 | bakery | - | Rounding prices
            User: Round prices to five cents.
            > bash npm test
            Summary: Prices
            Assistant: Prices are rounded. We decided to round the total and not each loaf because it is fairer.
            bookkeeping 2, command 1, injected 2, not-an-object 1, thinking 1, title 1, tool-result 1, truncated-tail 1, unknown-type 1
        "#]],
        );
    }

    #[test]
    fn openclaw_is_told_from_pi() {
        let line = "{\"type\":\"session\",\"version\":3,\"id\":\"o\",\"cwd\":\"bakery\"}\n";
        let runtime = "{\"type\":\"custom_message\",\"customType\":\"openclaw.runtime-context\"}\n";
        let agent = |text: &str| crate::transcript::reader_for("s.jsonl", text.as_bytes()).map(TranscriptReader::agent);
        assert_eq!((agent(line), agent(&[line, runtime].concat())), (Some("pi"), Some("openclaw")));
    }
}

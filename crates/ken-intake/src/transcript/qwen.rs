//! Qwen Code's chats: JSON Lines with Claude Code's fields around Gemini's messages of parts.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use ken_core::Timestamp;
use serde_json::Value;

use crate::outside;

use super::asked;
use super::clean::without_files;
use super::fields::{Fields, blocks_of, joined, text_of, texts_of, time_of, value_of};
use super::jsonl::{any_object, read_objects};
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

/// The tool with which the agent asks.
const QUESTION: &str = "ask_user_question";

/// How its result begins if a person answered.
const ANSWERS: &str = "User has provided the following answers:\n\n";

/// Reads Qwen Code's chats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Qwen;

impl TranscriptReader for Qwen {
    fn agent(&self) -> &'static str {
        "qwen-code"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        let start = String::from_utf8_lossy(first_bytes);
        let start = start.trim_start_matches(['\u{feff}', ' ', '\n']);
        // Two records may stand on one line, so the signs are looked for, not a record.
        start.starts_with('{')
            && start.contains("\"uuid\":")
            && start.contains("\"sessionId\":")
            && (start.contains("\"parts\":[") || start.contains("\"systemPayload\":"))
            && !any_object(first_bytes, &mut |fields| fields.contains_key("isSidechain"))
    }

    fn transcripts(&self, machine: &Machine, _: &Path) -> Vec<PathBuf> {
        outside::files_below(&machine.folder("QWEN_HOME", ".qwen").join("projects"), "jsonl")
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start, sink);
        let mut title = None;
        read_objects(input, &mut out, &mut |fields, out| line(fields, &mut title, out))?;
        let mut report = out.finish();
        report.title = title;
        Ok(report)
    }
}

fn line(fields: &Fields<'_>, title: &mut Option<String>, out: &mut Reading<'_>) {
    out.note_session(text_of(fields, "sessionId").as_deref());
    out.note_cwd(text_of(fields, "cwd").as_deref());
    out.note_branch(text_of(fields, "gitBranch").as_deref());
    let (kind, subtype) = (text_of(fields, "type").unwrap_or_default(), text_of(fields, "subtype").unwrap_or_default());
    let time = time_of(fields);
    match (kind.as_str(), subtype.as_str()) {
        ("user", "" | "mid_turn_user_message") => {
            let shown = value_of(fields, "systemPayload")["displayText"].as_str().map(str::to_owned);
            let is_own = |text: &String| !text.trim_start().starts_with("<qwen:");
            let own = || {
                joined(blocks_of(&value_of(fields, "message")["parts"]).iter().map(texts_of).filter(is_own).collect())
            };
            let text = shown.filter(|shown| !shown.trim().is_empty()).unwrap_or_else(own);
            out.said(Role::User, &without_files(&text), time);
        }
        ("user", "notification") => out.skip("notification"),
        ("user", _) => out.skip("injected"),
        ("assistant", _) => answer(&value_of(fields, "message")["parts"], fields, out),
        ("tool_result", _) => answered(&value_of(fields, "message")["parts"], time, out),
        ("system", "custom_title") => {
            let found = value_of(fields, "systemPayload")["customTitle"].as_str().map(str::to_owned);
            *title = found.filter(|found| !found.trim().is_empty()).or(title.take());
            out.skip("title");
        }
        ("system", "chat_compression") => out.skip("compact-summary"),
        ("system", "slash_command") => out.skip("command"),
        ("system", _) => out.skip("system"),
        _ => out.skip("unknown-type"),
    }
}

/// Says what a person answered, if a part is the result of a question: by the headers of the questions.
fn answered(parts: &Value, time: Option<Timestamp>, out: &mut Reading<'_>) {
    let results = blocks_of(parts).iter().map(|part| &part["functionResponse"]);
    let mut questions = results.filter(|result| result["name"] == QUESTION);
    let output = questions.find_map(|result| result["response"]["output"].as_str()).unwrap_or_default();
    match output.strip_prefix(ANSWERS) {
        Some(answers) => asked::answer(answers, time, out),
        None => out.skip("tool-result"),
    }
}

fn answer(parts: &Value, fields: &Fields<'_>, out: &mut Reading<'_>) {
    let time = time_of(fields);
    let text = texts_of(parts);
    let calls: Vec<&Value> = blocks_of(parts).iter().filter_map(|part| part.get("functionCall")).collect();
    if !text.trim().is_empty() {
        out.said(Role::Assistant, &text, time);
    } else if calls.is_empty() {
        out.skip(if blocks_of(parts).iter().any(|part| part["thought"] == true) { "thinking" } else { "empty" });
    }
    for call in calls {
        out.did(call["name"].as_str().unwrap_or("tool"), &call["args"], time);
        if call["name"] == QUESTION {
            for question in blocks_of(&call["args"]["questions"]) {
                asked::question(question, time, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Qwen;
    use crate::transcript::testing::{check, promises};
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn answers_are_turns_of_the_person() {
        let asked = json!({ "questions": [{ "question": "Which oven?", "header": "Oven", "options": [] }] });
        let call = json!({ "functionCall": { "name": "ask_user_question", "args": asked } });
        let result = |name: &str, output: &str| {
            let part = json!({ "functionResponse": { "name": name, "response": { "output": output } } });
            json!({ "type": "tool_result", "message": { "parts": [part] } }).to_string() + "\n"
        };
        let call = json!({ "type": "assistant", "message": { "parts": [call] } }).to_string() + "\n";
        let answered = "User has provided the following answers:\n\n**Oven**: The old one";
        let lines = [
            call,
            result("ask_user_question", answered),
            result("ask_user_question", "User declined to answer the questions."),
            result("shop_pay", answered),
        ];
        check(
            &Qwen,
            &lines.concat(),
            &["> ask_user_question", "Assistant: Which oven?", "User: **Oven**: The old one", "tool-result 2"],
        );
    }

    #[test]
    fn a_chat_is_read() {
        let chat = include_bytes!("../../tests/fixtures/transcripts/qwen.jsonl");
        promises(
            &Qwen,
            "qwen.jsonl",
            chat,
            &expect![[r#"
            qw3n-01 | bakery | main | Paying by card
            User: Let customers pay by bank card.
            > read_file src/pay.ts
            User: Only debit cards.
            Assistant: Cards work. We decided to accept debit cards only because credit costs 2 %.
            injected 1, notification 1, system 1, title 1, tool-result 1, truncated-tail 1, unknown-type 1
        "#]],
        );
    }
}

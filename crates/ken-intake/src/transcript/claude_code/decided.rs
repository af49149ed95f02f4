//! What a person said by refusing a call, answering a question or approving a plan.
//!
//! Claude Code keeps it as the result of the call. Its own sentences around a person's words are the same in
//! every version seen (2.0.74 to 2.1.37); answers and plans also stand beside the message, as values. What a
//! server of other people's gave back may imitate all of this, so results of their tools are not looked at.

use std::borrow::Cow;
use std::collections::VecDeque;

use ken_core::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::fields::{Fields, blocks_of, content_of, is_kind, text_of, texts_of, time_of, value_of};
use crate::transcript::reading::{Ended, Reading};
use crate::transcript::{Role, asked};

/// How the results of refused calls begin, in a session and in a sub-agent.
const REFUSED: &[&str] =
    &["The user doesn't want to proceed with this tool use.", "Permission for this tool use was denied."];

/// What stands before a person's words in them, whatever the case of its first letter.
const WORDS: &str = "he user said:\n";

/// How the program begins words of its own there, about questions that were left.
const ABOUT_QUESTIONS: &[&str] = &["The user wants to clarify these questions.", "The user has indicated they have"];

/// What stands around a plan that is carried out in a new session.
const PLAN_STARTS: &str = "Implement the following plan:\n\n";
const PLAN_ENDS: &str = "\n\nIf you need specific details from before exiting plan mode";

/// Calls remembered: results come soon after.
const CALLS_MAX: usize = 64;

/// Calls of tools that are not Claude Code's own, by id.
#[derive(Debug, Default)]
pub(super) struct Foreign(VecDeque<String>);

impl Foreign {
    /// Notes the calls in a record of the agent's.
    pub(super) fn note(&mut self, kind: &str, fields: &Fields<'_>) {
        if kind != "assistant" || !fields.get("message").is_some_and(|raw| raw.get().contains("\"mcp__")) {
            return;
        }
        for call in blocks_of(&content_of(fields)).iter().filter(|block| is_kind(block, "tool_use")) {
            let is_foreign = call["name"].as_str().is_some_and(|name| name.starts_with("mcp__"));
            if let Some(id) = call["id"].as_str().filter(|_| is_foreign) {
                if self.0.len() >= CALLS_MAX {
                    self.0.pop_front();
                }
                self.0.push_back(id.to_owned());
            }
        }
    }
}

/// A record with a result. What tools gave back is long, and is passed over unread.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: Vec<Block<'a>>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    #[serde(borrow, default)]
    tool_use_id: Option<Cow<'a, str>>,
    #[serde(default)]
    is_error: Option<bool>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(default)]
    text: Option<String>,
}

/// Says what a person said in the result of a call; most results are the tool's alone.
pub(super) fn result(fields: &Fields<'_>, foreign: &Foreign, out: &mut Reading<'_>) {
    let message = fields.get("message").and_then(|raw| serde_json::from_str::<Message<'_>>(raw.get()).ok());
    let blocks = message.map(|message| message.content).unwrap_or_default();
    let Some(result) = blocks.iter().find(|block| block.r#type == "tool_result") else {
        return out.skip("tool-result");
    };
    let id = result.tool_use_id.as_deref().unwrap_or_default();
    // Newer versions say themselves that it was a person who refused.
    let is_refusal = text_of(fields, "toolDenialKind").is_some_and(|kind| kind == "user-rejected");
    let is_own = is_refusal || !foreign.0.iter().any(|call| call == id);
    let time = time_of(fields);
    let mut is_said = false;
    let is_error = is_own && result.is_error == Some(true);
    let error = result.content.filter(|_| is_error).and_then(|raw| serde_json::from_str(raw.get()).ok());
    let error = error.map(|value| texts_of(&value)).unwrap_or_default();
    let was_refused = is_refusal || REFUSED.iter().any(|start| error.starts_with(start));
    let ended = match result.is_error {
        _ if was_refused => Ended::Refused,
        Some(true) => Ended::Failed,
        _ => Ended::Done,
    };
    out.ended(id, ended);
    if is_error {
        if let Some(words) = words_of_refusal(&error) {
            is_said = true;
            refused(words, time, out);
        }
    } else if is_own {
        is_said = answered(fields, time, out) || approved(fields, time, out);
    }
    // What a person wrote while allowing the call stands beside its result.
    for text in blocks.iter().filter(|block| block.r#type == "text").filter_map(|block| block.text.as_deref()) {
        is_said = true;
        out.said(Role::User, text, time);
    }
    if !is_said {
        out.skip(if was_refused { "refused" } else { "tool-result" });
    }
}

/// Returns the words with which a call was refused, if there are any.
fn words_of_refusal(text: &str) -> Option<&str> {
    let start = REFUSED.iter().find(|start| text.starts_with(**start))?;
    let at = text.find(WORDS)?;
    // What stands between is the program's and short.
    (at < start.len() + 250).then(|| text[at + WORDS.len()..].trim()).filter(|words| !words.is_empty())
}

fn refused(words: &str, time: Option<Timestamp>, out: &mut Reading<'_>) {
    if !ABOUT_QUESTIONS.iter().any(|start| words.starts_with(start)) {
        return out.said(Role::User, words, time);
    }
    // `- "QUESTION"`, and below it `  Answer: ANSWER` where one was given.
    for part in words.split("\n- \"").skip(1) {
        if let Some((question, answer)) = part.split_once("\"\n  Answer: ") {
            asked::both(&serde_json::json!({ "question": question }), answer, time, out);
        }
    }
}

fn answered(fields: &Fields<'_>, time: Option<Timestamp>, out: &mut Reading<'_>) -> bool {
    let has = |key: &str| fields.get("toolUseResult").is_some_and(|raw| raw.get().contains(key));
    if !has("\"questions\"") || !has("\"answers\"") {
        return false;
    }
    let result = value_of(fields, "toolUseResult");
    if !result["answers"].is_object() || !result["questions"].is_array() {
        return false;
    }
    for question in blocks_of(&result["questions"]) {
        let text = question["question"].as_str().unwrap_or_default();
        let notes = result["annotations"][text]["notes"].as_str().unwrap_or_default();
        let given = asked::text_of_answer(&result["answers"][text]);
        asked::both(question, &[given.trim(), notes.trim()].join("\n"), time, out);
    }
    asked::answer(result["response"].as_str().unwrap_or_default(), time, out);
    true
}

fn approved(fields: &Fields<'_>, time: Option<Timestamp>, out: &mut Reading<'_>) -> bool {
    let has = |key: &str| fields.get("toolUseResult").is_some_and(|raw| raw.get().contains(key));
    if !has("\"plan\"") || !has("\"isAgent\"") {
        return false;
    }
    let result = value_of(fields, "toolUseResult");
    // A plan of a sub-agent's, or of one of a team, is approved by another agent.
    let is_ours = result["isAgent"] == false && result["awaitingLeaderApproval"] != true;
    let Some(plan) = result["plan"].as_str().filter(|plan| is_ours && !plan.trim().is_empty()) else { return false };
    asked::approved(plan, time, out);
    true
}

/// Returns the plan that stands in a new session in place of what was typed.
pub(super) fn plan_in(fields: &Fields<'_>) -> Option<String> {
    if !fields.get("message").is_some_and(|raw| raw.get().contains("Implement the following plan:")) {
        return None;
    }
    let text = texts_of(&content_of(fields));
    let rest = text.strip_prefix(PLAN_STARTS)?;
    match text_of(fields, "planContent").filter(|plan| !plan.trim().is_empty()) {
        Some(plan) if rest.starts_with(&plan) => Some(plan),
        // Older versions only write the text; the last sentence is the program's.
        _ => rest.rsplit_once(PLAN_ENDS).map(|(plan, _)| plan.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(words_of_refusal(text), expected);
    }

    #[test]
    fn words_of_a_refusal_are_told_from_the_sentences_around_them() {
        let rule = "(eg. if it was a file edit, the new_string was NOT written to the file).";
        let refused = format!("{} The tool use was rejected {rule}", REFUSED[0]);
        check(&format!("{refused} To tell you how to proceed, the user said:\nuse rye"), Some("use rye"));
        check(&format!("{refused} To tell you how to proceed, the user said:\n"), None);
        check(&format!("{refused} STOP what you are doing and wait for the user to tell you how to proceed."), None);
        check(&format!("{} The tool use was rejected {rule} The user said:\nno", REFUSED[1]), Some("no"));
        check(&format!("Exit code 1\n{refused} To tell you how to proceed, the user said:\nuse rye"), None);
        check(&format!("{refused}{}the user said:\nuse rye", "x ".repeat(200)), None);
    }

    #[test]
    fn a_plan_is_told_from_a_person_who_types_its_first_words() {
        let plan = |text: &str, plan: &str| {
            let line = serde_json::json!({ "message": { "content": text }, "planContent": plan }).to_string();
            plan_in(&serde_json::from_str::<Fields<'_>>(&line).expect("an object"))
        };
        let sent = format!("{PLAN_STARTS}# Bake{PLAN_ENDS}, read on.");
        assert_eq!(plan(&sent, "# Bake").as_deref(), Some("# Bake"));
        assert_eq!(plan(&sent, "").as_deref(), Some("# Bake"));
        assert_eq!(plan(&format!("{PLAN_STARTS}bake, then sell"), ""), None);
        assert_eq!(plan(&format!("Please {sent}"), "# Bake"), None);
    }
}

//! Tests of both Gemini readers: every message once, in its last writing.

use super::*;
use crate::transcript::testing::{any_bytes, check, check_all, from_every_message, read, show};
use expect_test::expect;
use serde_json::json;

const LINES: &[u8] = include_bytes!("../../../tests/fixtures/transcripts/gemini.jsonl");
const DOCUMENT: &[u8] = include_bytes!("../../../tests/fixtures/transcripts/gemini.json");

#[test]
fn lines_are_read_in_their_last_writing() {
    check_all(
        &Gemini,
        LINES,
        &expect![[r#"
        g3m1-01 | - | - | Opening hours on the front page
        User: Show the opening hours on the front page.
        Assistant: I will add them to the header.
        > replace src/opening.ts
        Assistant: The hours stand in the header. We decided to read them from `config/hours.toml` because the bakers change them.
        bookkeeping 1, injected 2, not-an-object 1, notification 1, repeated 2, tool-result 1, truncated-tail 1, unknown-type 2
    "#]],
    );
}

#[test]
fn a_document_is_read() {
    check_all(
        &GeminiDocument,
        DOCUMENT,
        &expect![[r#"
        g3m1-00 | - | - | -
        User: Which flour do we list?
        > read_file flour.csv
        Assistant: Wheat and rye. I chose to hide spelt since it is sold out.
        User: Thanks, ship it.
        injected 1, notification 1, private 1, unknown-type 2
    "#]],
    );
}

#[test]
fn a_conversation_that_was_shortened_leaves_no_summary() {
    let line = |id: &str, kind: &str, text: &str| json!({"id": id, "type": kind, "content": [{"text": text}]});
    let shortened = json!({"$set": {"messages": [
        line("s", "user", "<scratchpad>What counts?</scratchpad>\n<state_snapshot>Rye is baked.</state_snapshot>"),
        line("r", "gemini", "Got it. Thanks for the additional context!"),
    ]}});
    let before = line("a", "user", "Which bread do we bake?");
    let after = line("b", "user", "And what does <state_snapshot> mean?");
    check(
        &Gemini,
        &format!("{before}\n{shortened}\n{after}\n"),
        &["User: Which bread do we bake?", "User: And what does <state_snapshot> mean?", "injected 2"],
    );
}

#[test]
fn what_the_program_says_for_the_person_is_not_theirs() {
    let line = |id: &str, text: &str| json!({"id": id, "type": "user", "content": text});
    let text = format!("{}\n{}\n", line("a", "Bake rye."), line("b", "System: Please continue."));
    check(&Gemini, &text, &["User: Bake rye.", "injected 1"]);
}

#[test]
fn a_message_that_is_still_being_made_waits() {
    let growing = r#"{"id":"a","type":"gemini","content":"Baking.","toolCalls":[{"name":"bake","args":{},"status":"executing"}]}"#;
    check(&Gemini, growing, &["unfinished 1"]);
    check(&GeminiDocument, &format!(r#"{{"messages":[{growing}]}}"#), &["unfinished 1"]);
    let done =
        r#"{"id":"a","type":"gemini","content":"Baking.","toolCalls":[{"name":"bake","args":{},"status":"success"}]}"#;
    check(&Gemini, &format!("{growing}\n{done}\n"), &["Assistant: Baking.", "> bake", "repeated 1"]);
}

#[test]
fn a_call_whose_result_is_an_error_says_so() {
    let failed = r#"{"id":"a","type":"gemini","content":"","toolCalls":[{"name":"bake","args":{},"status":"error"}]}"#;
    check(&Gemini, failed, &["> bake (failed)"]);
}

#[test]
fn lines_read_in_two_goes_give_every_message_once() {
    let whole = read(&Gemini, LINES, 0);
    let shown = |records: &[Record]| records.iter().map(show).collect::<Vec<String>>();
    let ends = LINES.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    for cut in ends {
        let (mut records, first) = read(&Gemini, &LINES[..cut], 0);
        records.extend(read(&Gemini, LINES, first.end_offset).0);
        assert_eq!(shown(&records), shown(&whole.0), "cut at {cut}");
    }
}

#[test]
fn reading_on_gives_what_came_after() {
    from_every_message(&Gemini, LINES);
    from_every_message(&GeminiDocument, DOCUMENT);
}

#[test]
fn each_form_is_claimed_by_its_reader() {
    assert!(Gemini.sniff("s.jsonl", LINES) && !GeminiDocument.sniff("s.jsonl", LINES));
    assert!(GeminiDocument.sniff("s.json", DOCUMENT) && !Gemini.sniff("s.json", DOCUMENT));
}

#[test]
fn any_bytes_are_read() {
    any_bytes(&Gemini, LINES);
    any_bytes(&GeminiDocument, DOCUMENT);
}

#[test]
fn answers_and_words_about_a_plan_are_turns_of_the_person() {
    let call = |name: &str, args: Value, output: &str| {
        let response = json!({ "functionResponse": { "name": name, "response": { "output": output } } });
        json!({ "name": name, "status": "success", "args": args, "result": [response] })
    };
    let ask = json!({ "questions": [
        { "question": "Which oven?", "options": [{ "label": "Old", "description": "Slow" }] },
        { "question": "Why?", "type": "text" },
    ] });
    let rejected = "Plan rejected. User feedback: smaller\n\nloaves\n\nThe plan is stored at: /p.md\nRevise the plan.";
    let calls = [
        call("ask_user", ask.clone(), r#"{"answers":{"0":"Old","1":"It is warm"}}"#),
        call("ask_user", ask, "User dismissed ask_user dialog without answering."),
        call("exit_plan_mode", json!({}), rejected),
        call("exit_plan_mode", json!({}), "Plan rejected. No feedback provided.\n\nThe plan is stored at: /p.md"),
        call("read_file", json!({}), rejected),
    ];
    let message = json!({ "id": "1", "type": "gemini", "content": "", "toolCalls": calls });
    let chat = json!({ "sessionId": "s", "projectHash": "p", "messages": [message] }).to_string();
    let expected = [
        "> ask_user",
        "Assistant: Which oven?\n- Old: Slow",
        "User: Old",
        "Assistant: Why?",
        "User: It is warm",
        "> ask_user",
        "> exit_plan_mode",
        "User: smaller\n\nloaves",
        "> exit_plan_mode",
        "> read_file",
    ];
    check(&GeminiDocument, &chat, &expected);
    from_every_message(&GeminiDocument, chat.as_bytes());
}

#[test]
fn files_that_a_person_named_are_not_their_words() {
    let files = "\n--- Content from referenced files ---\nContent from @a.md:\n# A\n--- End of content ---";
    let message = json!({ "id": "1", "type": "user", "content": [{ "text": "Sum up @a.md" }, { "text": files }] });
    let chat = json!({ "sessionId": "s", "projectHash": "p", "messages": [message] }).to_string();
    check(&GeminiDocument, &chat, &["User: Sum up @a.md"]);
}

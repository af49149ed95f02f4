//! Tests of the Codex reader: labelled and unlabelled rollouts, and every question once.

use super::*;
use crate::transcript::testing::{any_bytes, check, check_all, promises, whole_and_halves};
use expect_test::expect;
use serde_json::json;

const CODEX: &[u8] = include_bytes!("../../../tests/fixtures/transcripts/codex.jsonl");
const OLD: &[u8] = include_bytes!("../../../tests/fixtures/transcripts/codex-old.jsonl");

#[test]
fn a_labelled_rollout_is_read_once() {
    check_all(
        &Codex,
        CODEX,
        &expect![[r#"
        c0d3-0000-0001 | bakery | main | -
        User: The invoice shows the wrong VAT for bread.  Please fix it.
        > exec_command grep -rn vat src
        > apply_patch src/vat.ts
        > shell npm test
        Assistant: Bread is taxed at 7 % now. We decided to read the rate from `config/vat.toml` because it changes by law.
        Summary: Summary
        bookkeeping 6, injected 3, not-an-object 1, repeated 4, thinking 1, tool-result 1, truncated-tail 1, unknown-type 1
    "#]],
    );
}

#[test]
fn an_older_rollout_is_read_once() {
    check_all(
        &Codex,
        OLD,
        &expect![[r#"
        0ld-c0d3-0001 | bakery | main | -
        User: Add a gift box to the shop.
        > shell ls src
        Assistant: The gift box is in. I chose a flat price of 3 euros since boxes cost the same.
        User: Good, go on.
        bookkeeping 3, injected 2, interrupted 1, repeated 4, thinking 2, tool-result 1
    "#]],
    );
}

#[test]
fn what_an_editor_puts_before_a_question_is_cut_out_and_answers_are_taken() {
    let rollout = include_bytes!("../../../tests/fixtures/transcripts/codex-editor.jsonl");
    promises(
        &Codex,
        "rollout-1.jsonl",
        rollout,
        &expect![[r#"
        c0d3-1de | bakery | main | -
        User: Round the total.
        Assistant: Two things first.
        > request_user_input
        > shell ls
        Assistant: Round to what?
        - 5 cents: As the coins are
        - 10 cents: Simpler
        User: 5 cents
        but never up
        Assistant: The total is rounded.
        User: Make it look like this
        > request_user_input
        User: Never mind, stop.
        Assistant: Stopped.
        bookkeeping 2, repeated 3, tool-result 1, unanswered 1, unknown-type 1
    "#]],
    );
}

#[test]
fn only_an_editors_own_words_are_cut_out() {
    let asked = |text: &str, expected: &str| {
        let item = json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": text }] });
        let lines = format!("{}\n{ANSWER}\n", json!({ "type": "response_item", "payload": item }));
        check(&Codex, &lines, &[&format!("User: {expected}"), "Assistant: Yes."]);
    };
    let editor = "# Context from my IDE setup:\n\n## Open tabs:\n- a.ts: a.ts\n\n";
    asked(&format!("{editor}## My request for Codex:\nBake\n"), "Bake");
    asked(
        &format!("{editor}## My request:\nBake\n## My request for Codex:\nmore\n"),
        "Bake\n## My request for Codex:\nmore",
    );
    asked("## My request for Codex: Bake", "Bake");
    // It never ends: nobody knows where the question begins.
    asked(&format!("{editor}Bake"), &format!("{editor}Bake"));
    // A person who speaks of it.
    let quoted = format!("Why is this sent?\n```\n{editor}## My request for Codex:\nBake\n```");
    asked(&quoted, &quoted);
    let long = format!("{}## My request for Codex:\nBake", editor.repeat(20_000));
    asked(&long, "Bake");
}

fn user_item(text: &str) -> String {
    let content = format!(r#"[{{"type":"input_text","text":"{text}"}}]"#);
    format!(r#"{{"type":"response_item","payload":{{"type":"message","role":"user","content":{content}}}}}"#)
}

fn user_event(text: &str) -> String {
    format!(r#"{{"type":"event_msg","payload":{{"type":"user_message","message":"{text}"}}}}"#)
}

const ANSWER: &str = r#"{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}}"#;

#[test]
fn a_question_is_told_once_in_whichever_order_its_lines_come() {
    let (item, event) = (user_item("Rye?"), user_event("Rye?"));
    check(
        &Codex,
        &[&item, &event, ANSWER].map(|line| format!("{line}\n")).concat(),
        &["User: Rye?", "Assistant: Yes.", "repeated 1"],
    );
    check(
        &Codex,
        &[&event, &item, ANSWER].map(|line| format!("{line}\n")).concat(),
        &["User: Rye?", "Assistant: Yes.", "repeated 1"],
    );
    check(
        &Codex,
        &[&event, ANSWER, &item, ANSWER].map(|line| format!("{line}\n")).concat(),
        &["User: Rye?", "Assistant: Yes.", "Assistant: Yes.", "repeated 1"],
    );
    check(&Codex, &[&item, ANSWER].map(|line| format!("{line}\n")).concat(), &["User: Rye?", "Assistant: Yes."]);
    check(&Codex, &[&event, ANSWER].map(|line| format!("{line}\n")).concat(), &["User: Rye?", "Assistant: Yes."]);
}

#[test]
fn what_the_screen_did_not_show_was_not_typed() {
    let lines = [&user_item("A list of plugins"), &user_event("Rye?"), ANSWER].map(|line| format!("{line}\n"));
    check(&Codex, &lines.concat(), &["User: Rye?", "Assistant: Yes.", "injected 1"]);
}

#[test]
fn what_the_screen_was_shown_of_the_injected_is_skipped() {
    let context = "<environment_context>x</environment_context>";
    let lines =
        [&user_item(context), &user_event(context), &user_event("Rye?"), ANSWER].map(|line| format!("{line}\n"));
    check(&Codex, &lines.concat(), &["User: Rye?", "Assistant: Yes.", "injected 2"]);
}

#[test]
fn asking_the_same_again_is_asking_again() {
    let round = [&user_item("Go on"), &user_event("Go on"), ANSWER].map(|line| format!("{line}\n")).concat();
    let said = ["User: Go on", "Assistant: Yes.", "User: Go on", "Assistant: Yes.", "repeated 2"];
    check(&Codex, &round.repeat(2), &said);
}

#[test]
fn a_question_without_an_answer_waits() {
    let text = format!("{}\n", user_item("Rye?"));
    check(&Codex, &text, &["unanswered 1"]);
    let (_, report) = crate::transcript::testing::read(&Codex, text.as_bytes(), 0);
    assert_eq!(report.end_offset, 0);
}

#[test]
fn nobody_typed_what_a_sub_agent_was_asked() {
    let meta = r#"{"type":"session_meta","payload":{"id":"t-2","source":{"subagent":{"thread_spawn":{}}}}}"#;
    let lines = [meta, &user_item("Count the loaves"), ANSWER].map(|line| format!("{line}\n"));
    check(&Codex, &lines.concat(), &["Assistant: Yes.", "agent-prompt 1", "bookkeeping 1"]);
}

#[test]
fn a_compressed_rollout_is_said_to_be_one() {
    let bytes = b"\x28\xb5\x2f\xfd\x00\x00";
    assert!(Codex.sniff("rollout-2026-04-01.jsonl.zst", bytes) && !Codex.sniff("bread.zst", bytes));
    let (records, report) = crate::transcript::testing::read(&Codex, b"", 0);
    assert!(records.is_empty() && report.lines_skipped.is_empty());
    let mut input = &bytes[..];
    let report = Codex.read(&mut input, 0, &mut |_| ()).expect("reads");
    assert_eq!((report.lines_skipped.get("compressed"), report.end_offset), (Some(&1), 0));
}

#[test]
fn reading_in_two_parts_is_reading_at_once() {
    whole_and_halves(&Codex, CODEX);
    whole_and_halves(&Codex, OLD);
}

#[test]
fn any_bytes_are_read() {
    any_bytes(&Codex, CODEX);
}

//! Tests of the reader of sub-agents' files.

use super::*;
use crate::transcript::testing::{any_bytes, check_all, whole_and_halves};
use expect_test::expect;

const SUBAGENT: &[u8] = include_bytes!("../../../../tests/fixtures/transcripts/agent-b4k3.jsonl");

#[test]
fn a_sub_agents_answers_are_read_and_its_prompt_is_not() {
    check_all(
        &ClaudeSubagent,
        SUBAGENT,
        &expect![[r#"
        b4k3-01/agent-77aa | bakery | main | -
        Assistant: I will look through the price tables.
        > Grep euro
        Assistant: Found it. We decided to keep prices in cents because floats lose money.
        agent-prompt 1, api 1, attachment 1, injected 1, private 1, tool-result 1, truncated-tail 1, unknown-type 1
    "#]],
    );
}

#[test]
fn reading_in_two_parts_is_reading_at_once() {
    whole_and_halves(&ClaudeSubagent, SUBAGENT);
}

#[test]
fn only_sub_agents_files_are_claimed() {
    assert!(ClaudeSubagent.sniff("agent-b4k3.jsonl", SUBAGENT) && ClaudeSubagent.sniff("copy.jsonl", SUBAGENT));
    let mixed =
        b"{\"isSidechain\":false,\"type\":\"user\"}\n{\"isSidechain\":true,\"agentId\":\"a\",\"type\":\"user\"}\n";
    assert!(!ClaudeSubagent.sniff("s.jsonl", mixed) && ClaudeSubagent.sniff("agent-a.jsonl", mixed));
    assert!(!ClaudeSubagent.sniff("agent-a.meta.json", b"{\"agentType\":\"general-purpose\"}"));
}

#[test]
fn any_bytes_are_read() {
    any_bytes(&ClaudeSubagent, SUBAGENT);
}

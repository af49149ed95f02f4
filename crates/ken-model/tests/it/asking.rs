//! Asking for JSON: what is repaired, what is refused, what it takes.

use expect_test::expect;
use ken_model::ask::REPAIR_TOKENS_MAX;
use ken_model::{Answered, ErrorKind, ModelError, Reply, Scripted, Usage, ask_json};
use serde_json::Value;

use crate::prompt;

fn wants_a(json: &Value) -> Result<(), String> {
    json["a"].as_u64().map(|_| ()).ok_or_else(|| "`a` is no whole number".to_owned())
}

/// A model whose calls cost 10 tokens each.
fn model(replies: &[&str]) -> Scripted {
    let replies: Vec<String> = replies.iter().map(|reply| (*reply).to_owned()).collect();
    Scripted::new(move |n, _| {
        let text = replies.get(n).cloned().ok_or_else(|| ModelError::new(ErrorKind::Timeout, "no more"))?;
        Ok(Reply { text, usage: Usage { input: 8, output: 2, ..Usage::default() } })
    })
}

#[test]
fn a_good_reply_takes_one_call() {
    let model = model(&["Here you are:\n```json\n{\"a\": 1}\n```\nBye."]);
    let Answered { json, usage, n_calls, text } = ask_json(&model, &prompt(), &wants_a).expect("a reply");
    assert_eq!((json["a"].as_u64(), usage.total(), n_calls), (Some(1), 10, 1));
    assert!(text.starts_with("Here you are"));
    assert_eq!(model.prompts(), [prompt()]);
}

#[test]
fn a_reply_of_the_wrong_shape_is_shown_back_once() {
    let model = model(&["{\"a\": \"one\"}", "{\"a\": 1}"]);
    let answered = ask_json(&model, &prompt(), &wants_a).expect("a reply");
    assert_eq!((answered.usage.total(), answered.n_calls), (20, 2));
    let prompts = model.prompts();
    assert_eq!((&prompts[1].rules, &prompts[1].context), (&prompt().rules, &prompt().context), "caches serve them");
    expect![[r#"
        How many skies?

        You replied to this before, and the reply could not be used: `a` is no whole number
        Reply again, with one whole JSON object and nothing else. The reply was:

        {"a": "one"}"#]]
    .assert_eq(&prompts[1].input);
}

#[test]
fn a_reply_without_json_is_shown_back_too() {
    let model = model(&["I cannot.", "{\"a\": 1}"]);
    ask_json(&model, &prompt(), &wants_a).expect("a reply");
    assert!(model.prompts()[1].input.contains("it has no whole JSON object in it"));
}

#[test]
fn a_second_wrong_reply_is_refused_and_both_are_accounted_for() {
    let model = model(&["no", "{\"a\": null}", "{\"a\": 1}"]);
    let error = ask_json(&model, &prompt(), &wants_a).expect_err("refused");
    assert_eq!(error.message, "the reply of `scripted:test` was refused twice: `a` is no whole number");
    assert_eq!((error.kind, error.usage.total(), model.n_calls()), (ErrorKind::Unusable, 20, 2));
}

#[test]
fn a_failure_on_the_way_keeps_what_was_spent() {
    let error = ask_json(&model(&["no"]), &prompt(), &wants_a).expect_err("no second reply");
    assert_eq!((error.kind, error.usage.total()), (ErrorKind::Timeout, 10));
}

#[test]
fn the_second_prompt_is_longer_by_no_more_than_promised() {
    for piece in ["{", "\u{1f600}", "漢", "a1.", "\u{0}"] {
        let model = model(&[&piece.repeat(100_000), "{\"a\": 1}"]);
        let check = |json: &Value| json["a"].as_u64().map(|_| ()).ok_or_else(|| piece.repeat(100_000));
        ask_json(&model, &prompt(), &check).expect("a reply");
        let tokens: Vec<u64> = model.prompts().iter().map(ken_model::Prompt::tokens).collect();
        assert!(tokens[1] - tokens[0] <= REPAIR_TOKENS_MAX, "{tokens:?}");
    }
}

#[test]
fn long_replies_are_shown_back_by_their_ends() {
    let long = format!("begin {} end", "ä".repeat(300_000));
    let model = model(&[&long, "{\"a\": 1}"]);
    ask_json(&model, &prompt(), &wants_a).expect("a reply");
    let input = &model.prompts()[1].input;
    assert!(input.contains("begin ä") && input.ends_with("ä end") && input.len() < 10_000);
    let huge = format!("{{\"a\": 1, \"b\": \"{}\"}}", "x".repeat(1 << 20));
    let model = self::model(&[&huge, "{\"a\": 1}"]);
    ask_json(&model, &prompt(), &wants_a).expect("a reply");
    assert!(model.prompts()[1].input.contains("at most 1048576 are allowed"));
}

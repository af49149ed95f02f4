//! Batches: what is sent, how they are looked for, and what their lines mean, by each provider's protocol.

use std::collections::BTreeMap;

use ken_model::{BatchReply, BatchState, Found, Key, Model, ModelName, Secret, SentPrompt, Settings, open};
use serde_json::{Value, json};

use crate::server::{Answer, answer, ok, server};
use crate::{prompt, settings};

fn opened(name: &str, url: &str) -> Box<dyn Model> {
    let (mut settings, _): (Settings, _) = settings();
    for server in [&mut settings.anthropic, &mut settings.openai] {
        server.key = Key::Given(Secret::new("secret"));
    }
    (settings.anthropic.url, settings.openai.url) = (url.to_owned(), format!("{url}/v1"));
    settings.openai.api = Some(ken_model::Api::Responses);
    open(&ModelName::parse(name).expect("a name"), &settings).expect("opens").expect("a model")
}

fn sent() -> BTreeMap<String, SentPrompt> {
    let one = SentPrompt { prompt_tokens: 40, reply_tokens_max: 100 };
    ["c-1", "c-2", "c-3", "c-4"].into_iter().map(|name| (name.to_owned(), one)).collect()
}

/// What became of each prompt, in short.
fn told(replies: &BTreeMap<String, BatchReply>) -> Vec<(String, String)> {
    let short = |reply: &BatchReply| match reply {
        BatchReply::Answered(reply) => format!("{} for {}", reply.text, reply.usage.total()),
        BatchReply::Failed(error) => format!("{:?}: {}", error.kind, error.message),
        BatchReply::NotDone(why) => why.clone(),
    };
    replies.iter().map(|(name, reply)| (name.clone(), short(reply))).collect()
}

fn lines(all: &[Value]) -> Answer {
    ok(&all.iter().map(|line| format!("{line}\n")).collect::<String>())
}

#[test]
fn anthropic_is_sent_requests_and_gives_lines() {
    let message = |stop: &str| {
        json!({"content": [{"type": "text", "text": "{\"a\":1}"}], "stop_reason": stop,
        "usage": {"input_tokens": 10, "output_tokens": 3}})
    };
    let (url, asked) = server(vec![
        ok(r#"{"id":"msgbatch_1","processing_status":"in_progress"}"#),
        ok(r#"{"id":"msgbatch_1","processing_status":"canceling"}"#),
        ok(r#"{"id":"msgbatch_1","processing_status":"ended","results_url":"http://192.0.2.1/x"}"#),
        lines(&[
            json!({"custom_id": "c-1", "result": {"type": "succeeded", "message": message("end_turn")}}),
            json!({"custom_id": "c-2", "result": {"type": "succeeded", "message": message("max_tokens")}}),
            json!({"custom_id": "c-3", "result": {"type": "canceled"}}),
            json!({"custom_id": "c-4", "result": {"type": "errored", "error": {"type": "error",
                "error": {"type": "invalid_request_error", "message": "no\nsecret"}}}}),
            json!({"custom_id": "c-5", "result": {"type": "expired"}}),
        ]),
    ]);
    let model = opened("anthropic:m", &url);
    let batches = model.batches().expect("it takes them");
    assert!(!batches.is_at_home() && batches.account().ends_with("/v1/messages"));
    let id = batches.send("c", &[("c-1".to_owned(), prompt())]).expect("arrives");
    let request = asked.recv().expect("a request");
    let (head, body) = request.split_once("\r\n\r\n").expect("a request");
    let body: Value = serde_json::from_str(body).expect("JSON");
    assert!(head.starts_with("POST /v1/messages/batches HTTP/1.1") && head.contains("anthropic-version"), "{head}");
    assert_eq!(
        (&body["requests"][0]["custom_id"], &body["requests"][0]["params"]["model"]),
        (&json!("c-1"), &json!("m"))
    );
    assert!(body["requests"][0]["params"]["output_config"]["format"].is_object(), "{body}");
    assert_eq!(batches.look(&id).expect("answers"), BatchState::UnderWay);
    assert_eq!(batches.look(&id).expect("answers"), BatchState::Ended);
    let replies = batches.collect(&id, &sent()).expect("answers");
    let expected = [
        ("c-1", "{\"a\":1} for 13"),
        ("c-2", "TooLong: the reply of `anthropic:m` was cut off at 100 tokens"),
        ("c-3", "the batch was cancelled before it"),
        ("c-4", "Unusable: `anthropic:m` did not answer it in a batch: no secret"),
    ];
    assert_eq!(told(&replies), expected.map(|(name, said)| (name.to_owned(), said.to_owned())));
    let paths: Vec<String> =
        asked.try_iter().map(|request| request.lines().next().unwrap_or_default().to_owned()).collect();
    assert!(paths.iter().all(|path| path.starts_with("GET /v1/messages/batches/msgbatch_1")), "{paths:?}");
}

#[test]
fn openai_is_sent_a_file_and_gives_files() {
    let body = json!({"status": "completed",
        "output": [{"type": "message", "content": [{"type": "output_text", "text": "{\"a\":1}"}]}]});
    let batch = r#"{"id":"batch_1","status":"completed","output_file_id":"file-2","error_file_id":"file-3"}"#;
    let (url, asked) = server(vec![
        ok(r#"{"id":"file-1"}"#),
        ok(r#"{"id":"batch_1","status":"validating"}"#),
        ok(batch),
        ok(batch),
        lines(&[json!({"custom_id": "c-1", "response": {"status_code": 200, "body": body}, "error": null})]),
        lines(&[
            json!({"custom_id": "c-2", "response": null, "error": {"code": "batch_expired", "message": "late"}}),
            json!({"custom_id": "c-3", "response": {"status_code": 500, "body": {"error": {"message": "oops"}}}}),
        ]),
    ]);
    let model = opened("openai:m", &url);
    let batches = model.batches().expect("it takes them");
    let id = batches.send("c0de", &[("c-1".to_owned(), prompt()), ("c-2".to_owned(), prompt())]).expect("arrives");
    let file = asked.recv().expect("a request");
    assert!(file.starts_with("POST /v1/files HTTP/1.1"), "{file}");
    assert!(file.to_lowercase().contains("content-type: multipart/form-data; boundary=ken-c0de"), "{file}");
    assert!(file.contains("name=\"purpose\"\r\n\r\nbatch\r\n"), "{file}");
    let sent_lines = file.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let about: Vec<String> = sent_lines.map(|line| format!("{} {}", line["custom_id"], line["url"])).collect();
    assert_eq!(about, ["\"c-1\" \"/v1/responses\"", "\"c-2\" \"/v1/responses\""]);
    let made = asked.recv().expect("a request");
    let made: Value = serde_json::from_str(made.split_once("\r\n\r\n").expect("a request").1).expect("JSON");
    let expected = json!({"input_file_id": "file-1", "endpoint": "/v1/responses", "completion_window": "24h",
        "metadata": {"kenning": "c0de"}});
    assert_eq!(made, expected);
    assert_eq!(batches.look(&id).expect("answers"), BatchState::Ended);
    let replies = batches.collect(&id, &sent()).expect("answers");
    // Where nobody says what it took, our own ruler does.
    let expected = [
        ("c-1", "{\"a\":1} for 45"),
        ("c-2", "the batch ran out of time before it"),
        ("c-3", "Unusable: `openai:m` did not answer it in a batch: oops"),
    ];
    assert_eq!(told(&replies), expected.map(|(name, said)| (name.to_owned(), said.to_owned())));
}

#[test]
fn a_batch_without_an_id_is_found_by_its_code() {
    let list = json!({"data": [
        {"id": "batch_9", "metadata": null},
        {"id": "../x", "metadata": {"kenning": "c0de"}},
        {"id": "batch_8", "metadata": {"kenning": "c0de"}},
    ]});
    let (url, _asked) = server(vec![ok(&list.to_string()), ok("{}")]);
    let model = opened("openai:m", &url);
    let since = "2026-06-01T12:00:00Z".parse().expect("a time");
    let find = |model: &dyn Model| model.batches().expect("takes them").find("c0de", since, 2).expect("answers");
    assert_eq!(find(model.as_ref()), Found::Batch("batch_8".to_owned()));
    assert_eq!(find(model.as_ref()), Found::Nothing);
    // Anthropic keeps no code: the names in the replies show it.
    let one = |id: &str, at: &str, state: &str, n: usize| {
        json!({"id": id, "created_at": at, "processing_status": state,
        "request_counts": {"processing": 0, "succeeded": n, "errored": 0, "canceled": 0, "expired": 0}})
    };
    let list = json!({"data": [
        one("b4", "2026-06-01T12:00:09Z", "in_progress", 2),
        one("b3", "2026-06-01T12:00:08Z", "ended", 3),
        one("b2", "2026-06-01T12:00:05Z", "ended", 2),
        one("b1", "2026-06-01T11:00:05Z", "ended", 2),
    ]});
    let results = |code: &str| lines(&[json!({"custom_id": format!("{code}-1"), "result": {"type": "expired"}})]);
    let (url, asked) = server(vec![ok(&list.to_string()), results("c0de"), ok(&list.to_string()), results("other")]);
    let model = opened("anthropic:m", &url);
    assert_eq!(find(model.as_ref()), Found::Batch("b2".to_owned()));
    assert_eq!(find(model.as_ref()), Found::Perhaps, "it may be the one that is under way");
    assert_eq!(asked.try_iter().count(), 4, "what is older, or has another number of prompts, is not looked at");
}

#[test]
fn what_no_batch_can_be_is_refused_and_nothing_is_sent_a_second_time() {
    let (url, asked) = server(vec![
        ok(r#"{"id":"../../files"}"#),
        answer("529 Overloaded", "retry-after: 1\r\n", r#"{"error":{"message":"busy"}}"#),
        ok("no JSON"),
    ]);
    let model = opened("anthropic:m", &url);
    let batches = model.batches().expect("it takes them");
    let send = || batches.send("c", &[("c-1".to_owned(), prompt())]).expect_err("no batch").message;
    assert_eq!(send(), "`anthropic:m` took a batch and gave it no id that could be one");
    assert!(send().contains("status 529: busy"));
    assert!(send().contains("no JSON object"));
    assert_eq!(asked.try_iter().count(), 3, "each was sent once");
    assert_eq!(batches.look("../x").expect("nobody is asked"), BatchState::Unknown);
    let (url, _asked) = server(vec![
        answer("404 Not Found", "", r#"{"error":{"message":"gone"}}"#),
        ok(r#"{"id":"b","status":"failed","errors":{"data":[{"message":"too many lines"}]}}"#),
    ]);
    let model = opened("openai:m", &url);
    let look = || model.batches().expect("it takes them").look("b").expect("answers");
    assert_eq!(look(), BatchState::Unknown);
    assert_eq!(look(), BatchState::Refused("`openai:m` refused the batch: too many lines".to_owned()));
    for other in ["ollama:m", "gemini:m", "command:cat"] {
        let (mut settings, _) = settings();
        settings.gemini.key = Key::Given(Secret::new("secret"));
        let model = open(&ModelName::parse(other).expect("a name"), &settings).expect("opens").expect("a model");
        assert!(model.batches().is_none(), "{other}");
    }
}

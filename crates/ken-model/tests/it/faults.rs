//! What becomes of servers that are slow, broken, busy, lying or not there.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use ken_model::{Api, ErrorKind, Key, ModelError, ModelName, Reply, Secret, Server, Settings, open};

use crate::server::{Answer, answer, ok, raw, server};
use crate::{Noted, prompt, settings};

const GOOD: &str = r#"{"choices":[{"message":{"content":"{\"a\":1}"},"finish_reason":"stop"}],
    "usage":{"prompt_tokens":10,"completion_tokens":2}}"#;
const GOOD_ANTHROPIC: &str = r#"{"content":[{"type":"text","text":"{\"a\":1}"}],"stop_reason":"end_turn",
    "usage":{"input_tokens":10,"output_tokens":2}}"#;

/// What comes of a prompt: the reply or error, how often it was asked, and the waits.
struct Got {
    reply: Result<Reply, ModelError>,
    n_calls: usize,
    waits: Vec<u64>,
}

fn ask(provider: &str, answers: Vec<Answer>, change: impl Fn(&mut Settings)) -> Got {
    let (url, asked) = server(answers);
    let (mut settings, noted): (Settings, std::sync::Arc<Noted>) = settings();
    settings.anthropic.url.clone_from(&url);
    settings.gemini.url.clone_from(&url);
    settings.ollama.url.clone_from(&url);
    settings.servers.insert("responses".to_owned(), Server { api: Some(Api::Responses), ..settings.openai.clone() });
    settings.servers.values_mut().for_each(|server| server.url.clone_from(&url));
    settings.openai.url = url;
    change(&mut settings);
    let name = ModelName::parse(&format!("{provider}:m")).expect("a name");
    let model = open(&name, &settings).expect("opens").expect("a model");
    let reply = model.ask(&prompt());
    Got { reply, n_calls: asked.try_iter().count(), waits: noted.waits() }
}

#[track_caller]
fn check(got: Got, expected: &str, n_calls: usize, waits: &[u64]) -> ModelError {
    let error = got.reply.expect_err("no reply");
    let host = error.message.clone();
    assert_eq!(host, expected);
    assert_eq!((got.n_calls, got.waits.as_slice()), (n_calls, waits), "{error}");
    error
}

#[track_caller]
fn succeeds(got: Got, n_calls: usize, waits: &[u64]) -> Reply {
    let reply = got.reply.expect("a reply");
    assert_eq!(reply.text, "{\"a\":1}");
    assert_eq!((got.n_calls, got.waits.as_slice()), (n_calls, waits));
    reply
}

fn busy(headers: &str) -> Answer {
    answer("429 Too Many Requests", headers, r#"{"error":{"message":"slow down"}}"#)
}

#[test]
fn a_server_that_asks_to_wait_is_waited_for() {
    succeeds(ask("openai", vec![busy("retry-after: 7\r\n"), ok(GOOD)], |_| {}), 2, &[7]);
    let date = "date: Sun, 22 Nov 2026 08:00:00 GMT\r\nretry-after: Sun, 22 Nov 2026 08:01:30 GMT\r\n";
    succeeds(ask("openai", vec![busy(date), ok(GOOD)], |_| {}), 2, &[90]);
    let past = "retry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    succeeds(ask("openai", vec![busy(past), ok(GOOD)], |_| {}), 2, &[1]);
    succeeds(ask("openai", vec![busy("retry-after: soon\r\n"), ok(GOOD)], |_| {}), 2, &[1]);
}

#[test]
fn a_server_that_asks_to_wait_long_is_not_waited_for() {
    let got = ask("openai", vec![busy("retry-after: 3600\r\n")], |_| {});
    let error = check(got, "`openai:m` at 127.0.0.1 answered with status 429: slow down", 1, &[]);
    assert_eq!(error.kind, ErrorKind::RateLimited { retry_after: Some(Duration::from_secs(3_600)) });
    assert!(error.hints.iter().any(|hint| hint == "it asks to wait 3600 s, try again after that"), "{error}");
}

#[test]
fn trouble_of_the_server_is_tried_again() {
    let oops = || answer("500 Oops", "", "{}");
    succeeds(ask("openai", vec![oops(), oops(), ok(GOOD)], |_| {}), 3, &[1, 2]);
    let overloaded = || {
        answer("529 Overloaded", "", r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#)
    };
    succeeds(ask("anthropic", vec![overloaded(), ok(GOOD_ANTHROPIC)], |_| {}), 2, &[1]);
    let all = (0..4).map(|_| overloaded()).collect();
    let error = check(
        ask("anthropic", all, |_| {}),
        "`anthropic:m` at 127.0.0.1 answered with status 529: Overloaded",
        4,
        &[1, 2, 4],
    );
    assert_eq!((error.kind, error.is_retryable()), (ErrorKind::Overloaded, true));
}

#[test]
fn an_error_in_an_answer_of_status_200_is_an_error() {
    let busy = || ok(r#"{"error":{"code":429,"message":"slow down"}}"#);
    succeeds(ask("openai", vec![busy(), ok(GOOD)], |_| {}), 2, &[1]);
    let broke = ok(r#"{"error":{"code":402,"message":"no credit"}}"#);
    let error = check(
        ask("openai", vec![broke], |_| {}),
        "`openai:m` at 127.0.0.1 answered with status 402: no credit",
        1,
        &[],
    );
    assert_eq!(error.kind, ErrorKind::Refused);
}

#[test]
fn refusals_are_not_tried_again() {
    let refused = |status: &str, body: &str| {
        let got = ask("openai", vec![answer(status, "", body), ok(GOOD)], |_| {});
        assert_eq!((got.n_calls, got.waits.len()), (1, 0));
        let error = got.reply.expect_err("refused");
        assert!(!error.is_retryable());
        (error.kind, error.to_string())
    };
    let (kind, text) = refused("401 Unauthorized", r#"{"error":{"message":"bad key"}}"#);
    assert_eq!(kind, ErrorKind::Refused);
    assert_eq!(
        text,
        "`openai:m` at 127.0.0.1 answered with status 401: bad key; check the key, or the `key_command` of `[openai]`"
    );
    assert!(refused("404 Not Found", "").1.contains("check the model's name"));
    assert!(refused("400 Bad", r#"{"error":"unknown field n"}"#).1.contains("structured_output = false"));
    let long = "the input length exceeds the context length";
    assert_eq!(refused("500 Oops", &format!(r#"{{"error":"{long}"}}"#)).0, ErrorKind::TooLong);
    let low =
        r#"{"error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#;
    assert!(refused("400 Bad", low).1.contains("check the limits and the credit"));
    let key = r#"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[
        {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}]"#;
    assert!(
        refused("400 Bad", key).1.ends_with("API key not valid.; check the key, or the `key_command` of `[openai]`")
    );
    let broke = r#"{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}"#;
    assert_eq!(refused("429 Too Many Requests", broke).0, ErrorKind::Refused);
    let limit = r#"{"error":{"message":"limit","details":{"error_code":"enforced_spend_limit_reached"}}}"#;
    assert_eq!(refused("429 Too Many Requests", limit).0, ErrorKind::Refused);
    assert_eq!(refused("413 Too Large", "").0, ErrorKind::TooLong);
    let long = r#"{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#;
    assert_eq!(refused("400 Bad", long).0, ErrorKind::TooLong);
}

#[test]
fn a_server_that_refuses_schemas_gets_it_as_words() {
    let refused = || answer("400 Bad", "", r#"{"error":{"message":"unknown field `response_format`"}}"#);
    let (url, asked) = server(vec![refused(), ok(GOOD), ok(GOOD)]);
    let (mut settings, noted) = settings();
    settings.openai.url = url;
    let model = open(&ModelName::OpenAi("m".to_owned()), &settings).expect("opens").expect("a model");
    model.ask(&prompt()).expect("a reply");
    model.ask(&prompt()).expect("a reply");
    let asked: Vec<bool> = asked.try_iter().map(|asked| asked.contains("response_format")).collect();
    assert_eq!(asked, [true, false, false], "it is asked for what it cannot once");
    assert!(noted.waits().is_empty());
}

#[test]
fn a_server_that_wants_the_newer_name_of_the_limit_gets_it() {
    let words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.";
    let refused = answer("400 Bad", "", &format!(r#"{{"error":{{"message":"{words}"}}}}"#));
    let schema = answer("400 Bad", "", r#"{"error":{"message":"no json_schema here"}}"#);
    let (url, asked) = server(vec![refused, schema, ok(GOOD), ok(GOOD)]);
    let mut settings = settings().0;
    settings.openai.url = url;
    let model = open(&ModelName::OpenAi("m".to_owned()), &settings).expect("opens").expect("a model");
    model.ask(&prompt()).expect("a reply");
    model.ask(&prompt()).expect("a reply");
    let asked: Vec<bool> = asked.try_iter().map(|asked| asked.contains("max_completion_tokens")).collect();
    assert_eq!(asked, [false, true, true, true]);
}

#[test]
fn gemini_is_waited_for_as_its_answer_says_and_not_until_tomorrow() {
    const GOOD: &str = r#"{"candidates":[{"content":{"parts":[{"text":"{\"a\":1}"}]},"finishReason":"STOP"}]}"#;
    let busy = |quota: &str| {
        let body = format!(
            r#"{{"error":{{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[
            {{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{{"quotaId":"{quota}"}}]}},
            {{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.07s"}}]}}}}"#
        );
        answer("429 Too Many Requests", "", &body)
    };
    succeeds(ask("gemini", vec![busy("GenerateRequestsPerMinutePerProject"), ok(GOOD)], |_| {}), 2, &[34]);
    let got = ask("gemini", vec![busy("GenerateRequestsPerDayPerProjectPerModel-FreeTier")], |_| {});
    let error = check(got, "`gemini:m` at 127.0.0.1 answered with status 429: quota", 1, &[]);
    assert_eq!(error.kind, ErrorKind::Refused);
    let overloaded = r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#;
    succeeds(ask("gemini", vec![answer("503 Unavailable", "", overloaded), ok(GOOD)], |_| {}), 2, &[1]);
    let busy = answer("429 Too Many Requests", "retry-after-ms: 3000\r\n", "{}");
    succeeds(ask("gemini", vec![busy, ok(GOOD)], |_| {}), 2, &[3]);
}

#[test]
fn gemini_says_why_it_has_no_reply() {
    let usage = r#""usageMetadata":{"promptTokenCount":10}"#;
    let body = format!(r#"{{"promptFeedback":{{"blockReason":"PROHIBITED_CONTENT"}},{usage}}}"#);
    let expected = "`gemini:m` declined to reply: a filter stopped it (PROHIBITED_CONTENT)";
    let error = check(ask("gemini", vec![ok(&body)], |_| {}), expected, 1, &[]);
    assert_eq!((error.kind, error.usage.input), (ErrorKind::Unusable, 10));
    let body = r#"{"candidates":[{"finishReason":"SAFETY"}]}"#;
    check(ask("gemini", vec![ok(body)], |_| {}), "`gemini:m` declined to reply: a filter stopped it (SAFETY)", 1, &[]);
    let body = r#"{"candidates":[{"content":{"parts":[{"text":"{"}]},"finishReason":"MAX_TOKENS"}]}"#;
    check(ask("gemini", vec![ok(body)], |_| {}), "the reply of `gemini:m` was cut off at 4100 tokens", 1, &[]);
    let long = r#"{"error":{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens allowed (8)."}}"#;
    let got = ask("gemini", vec![answer("400 Bad", "", long)], |_| {});
    assert_eq!(got.reply.expect_err("too long").kind, ErrorKind::TooLong);
}

#[test]
fn responses_say_why_they_are_none() {
    let incomplete = |reason: &str| {
        ok(&format!(
            r#"{{"status":"incomplete","incomplete_details":{{"reason":"{reason}"}},"output":[],"error":null,
            "usage":{{"input_tokens":10,"output_tokens":100}}}}"#
        ))
    };
    let got = ask("responses", vec![incomplete("max_output_tokens")], |_| {});
    let error = check(got, "the reply of `responses:m` was cut off at 4100 tokens", 1, &[]);
    assert_eq!((error.kind, error.usage.output), (ErrorKind::TooLong, 100));
    let expected = "`responses:m` declined to reply: a content filter stopped it";
    check(ask("responses", vec![incomplete("content_filter")], |_| {}), expected, 1, &[]);
    let refusal =
        r#"{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"I can't"}]}]}"#;
    check(ask("responses", vec![ok(refusal)], |_| {}), "`responses:m` declined to reply: I can't", 1, &[]);
    let failed = |code: &str| {
        ok(&format!(r#"{{"status":"failed","output":[],"error":{{"code":"{code}","message":"it went wrong"}}}}"#))
    };
    let good =
        r#"{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"{\"a\":1}"}]}]}"#;
    succeeds(ask("responses", vec![failed("server_error"), ok(good)], |_| {}), 2, &[1]);
    succeeds(ask("responses", vec![failed("rate_limit_exceeded"), ok(good)], |_| {}), 2, &[1]);
}

#[test]
fn what_ollama_left_out_is_noticed() {
    let reply = |done: &str, prompt: u64, reply: u64| {
        ok(&format!(
            r#"{{"message":{{"role":"assistant","content":"{{\"a\":1}}"}},"done":true,"done_reason":"{done}",
            "prompt_eval_count":{prompt},"eval_count":{reply}}}"#
        ))
    };
    let small = |settings: &mut Settings| settings.ollama.context_tokens = 2_048;
    succeeds(ask("ollama", vec![reply("stop", 2_000, 40)], small), 1, &[]);
    let full = "the window of 2048 tokens of `ollama:m` is too small for the prompt and its reply";
    for full_window in [reply("stop", 2_048, 9), reply("stop", 2_047, 9), reply("length", 1_900, 148)] {
        let error = check(ask("ollama", vec![full_window], small), full, 1, &[]);
        assert_eq!(error.kind, ErrorKind::TooLong);
        assert!(error.hints[0].starts_with("raise `context_tokens`"), "{error}");
    }
    let expected = "the reply of `ollama:m` was cut off at 4100 tokens";
    check(ask("ollama", vec![reply("length", 100, 50)], small), expected, 1, &[]);
    let refused = r#"{"error":"{\"error\":{\"code\":400,\"message\":\"request (2622 tokens) exceeds the available context size (2048 tokens), try increasing it\",\"type\":\"exceed_context_size_error\"}}"}"#;
    let got = ask("ollama", vec![answer("400 Bad", "", refused)], small);
    let error = got.reply.expect_err("too long");
    assert!(error.message.contains("status 400: request (2622 tokens) exceeds the available context"), "{error}");
    assert_eq!(error.kind, ErrorKind::TooLong);
    let got = ask("ollama", vec![], |settings| settings.ollama.context_tokens = 40);
    let expected = "`ollama:m` was not asked: the prompt has about 48 tokens, and its window 40";
    check(got, expected, 0, &[]);
}

#[test]
fn a_variable_that_is_not_set_is_named() {
    let mut settings = settings().0;
    settings.openai.key = Key::Unset("ROUTER_KEY".to_owned());
    let error = open(&ModelName::OpenAi("m".to_owned()), &settings).map(|_| ()).expect_err("no key");
    assert_eq!(error.message, "there is no key for `openai:m`: the variable `ROUTER_KEY` is not set");
}

#[test]
fn nobody_by_that_name_is_told() {
    let name = ModelName::parse("nobody:m").expect("a name");
    let error = open(&name, &settings().0).map(|_| ()).expect_err("nobody");
    assert_eq!(error.message, "`nobody` is no provider of models");
    assert!(error.hints.iter().any(|hint| hint.contains("[servers.nobody]")), "{error}");
}

#[test]
fn an_address_keeps_no_key() {
    let mut settings = settings().0;
    for end in ["?key=k-123", "?api-version=1&key=k-123", "?k-123"] {
        settings.openai.url = format!("https://example.com/v1{end}");
        let error = open(&ModelName::OpenAi("m".to_owned()), &settings).map(|_| ()).expect_err("a key in it");
        assert!(
            error.message.contains("more than an `api-version`") && !error.to_string().contains("k-123"),
            "{error}"
        );
    }
}

#[test]
fn redirects_are_not_followed() {
    let (url, asked) = server(vec![ok(GOOD)]);
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let got = ask("openai", vec![answer(status, &format!("location: {url}/v1\r\n"), "")], |_| {});
        let error = got.reply.expect_err("refused");
        assert_eq!(error.kind, ErrorKind::Refused, "{error}");
        assert!(error.message.contains(&format!("status {}", &status[..3])), "{error}");
    }
    assert!(asked.try_recv().is_err(), "nobody asked there");
}

#[test]
fn an_answer_that_breaks_off_is_tried_again() {
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\n";
    let with_length = format!("{head}content-length: 5000\r\n\r\n{{\"choices\":[");
    let without_length = format!("{head}\r\n{{\"choices\":[");
    for cut in [with_length, without_length, "HTTP/1.1 20".to_owned(), String::new()] {
        let reply = succeeds(ask("openai", vec![raw(cut.as_bytes()), ok(GOOD)], |_| {}), 2, &[1]);
        assert!(reply.usage.output >= 2, "{:?}", reply.usage);
    }
}

#[test]
fn a_prompt_whose_answer_broke_off_is_accounted_for() {
    for cut in ["HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{", "HTTP/1.1 200 OK\r\n\r\n{", "HTTP/1", ""] {
        let answers = (0..2).map(|_| raw(cut.as_bytes())).collect();
        let error = ask("openai", answers, |settings| settings.retries_max = 1).reply.expect_err("no reply");
        assert_eq!((error.kind, error.usage.input), (ErrorKind::Unreachable, 2 * prompt().tokens()), "{error}");
        assert!(error.usage.is_estimate);
    }
}

#[test]
fn an_answer_that_drips_is_given_up_in_time() {
    let bytes = ok(GOOD).bytes;
    let dripping = Answer { bytes, drip: Some(Duration::from_millis(50)) };
    let started = Instant::now();
    let got = ask("openai", vec![dripping], |settings| {
        settings.openai.timeout = Duration::from_millis(500);
        settings.retries_max = 0;
    });
    let error = check(got, "`openai:m` at 127.0.0.1 did not answer in 0.5 s", 1, &[]);
    assert_eq!((error.kind, error.usage.is_estimate), (ErrorKind::Timeout, true));
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_server_that_says_nothing_is_given_up_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let got = ask("openai", vec![], |settings| {
        settings.openai.url.clone_from(&url);
        settings.openai.timeout = Duration::from_millis(300);
        settings.retries_max = 0;
    });
    check(got, "`openai:m` at 127.0.0.1 did not answer in 0.3 s", 0, &[]);
}

#[test]
fn servers_of_the_kind_may_differ_in_small_things() {
    let body = r#"{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"{\"a\":1}"}]},
        "finish_reason":"eos"}]}"#;
    succeeds(ask("openai", vec![ok(body)], |_| {}), 1, &[]);
    let body = r#"{"choices":[{"message":{"content":"{\"a\""},"finish_reason":"error"}]}"#;
    let expected = "`openai:m` stopped with `error` before its reply was done";
    check(ask("openai", vec![ok(body)], |_| {}), expected, 1, &[]);
}

#[test]
fn all_tries_together_stay_within_the_deadline() {
    let slow = || Answer { bytes: ok(GOOD).bytes, drip: Some(Duration::from_millis(50)) };
    let started = Instant::now();
    let got = ask("openai", (0..4).map(|_| slow()).collect(), |settings| {
        settings.openai.timeout = Duration::from_millis(300);
        settings.deadline = Duration::from_millis(1_500);
    });
    let error = got.reply.expect_err("no reply");
    assert_eq!((got.n_calls, got.waits.as_slice()), (2, &[1][..]));
    assert!(error.to_string().contains("one prompt may take"), "{error}");
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn pages_and_other_things_that_are_no_answer_are_refused() {
    let page = || answer("200 OK", "content-type: text/html\r\n", "<html><title>Log in to the hotel</title></html>");
    let expected = "`openai:m` at 127.0.0.1 answered with something that is no JSON object";
    check(ask("openai", vec![page()], |_| {}), expected, 1, &[]);
    check(ask("openai", vec![ok("[1]")], |_| {}), expected, 1, &[]);
    check(ask("openai", vec![ok("")], |_| {}), expected, 1, &[]);
    let error = check(
        ask("openai", vec![raw(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{\"a\":\"\xff\"}")], |_| {}),
        expected,
        1,
        &[],
    );
    assert_eq!(error.kind, ErrorKind::Unusable);
    let gateway = answer("502 Bad Gateway", "content-type: text/html\r\n", "<html>secret words</html>");
    let got = ask("openai", vec![gateway], |settings| settings.retries_max = 0);
    check(got, "`openai:m` at 127.0.0.1 answered with status 502", 1, &[]);
}

#[test]
fn the_content_type_does_not_matter_when_the_answer_is_good() {
    succeeds(ask("openai", vec![answer("200 OK", "content-type: text/plain\r\n", GOOD)], |_| {}), 1, &[]);
}

#[test]
fn an_answer_without_end_is_not_read_to_it() {
    let body = "x".repeat(9 << 20);
    let got = ask("openai", vec![ok(&body)], |_| {});
    let error = check(got, "`openai:m` at 127.0.0.1 answered with more than 8 MiB", 1, &[]);
    assert_eq!(error.kind, ErrorKind::Unusable);
}

#[test]
fn an_empty_reply_is_tried_once_more_and_both_are_accounted_for() {
    let empty = || {
        ok(
            r#"{"choices":[{"message":{"content":" "},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":1}}"#,
        )
    };
    let reply = succeeds(ask("openai", vec![empty(), ok(GOOD)], |_| {}), 2, &[1]);
    assert_eq!((reply.usage.input, reply.usage.output), (20, 3));
    let error =
        check(ask("openai", vec![empty(), empty(), ok(GOOD)], |_| {}), "the reply of `openai:m` is empty", 2, &[1]);
    assert_eq!((error.kind, error.usage.input), (ErrorKind::Unusable, 20));
    let none = || ok(r#"{"choices":[],"usage":{"prompt_tokens":10}}"#);
    check(ask("openai", vec![none(), none()], |_| {}), "the reply of `openai:m` is empty", 2, &[1]);
    let thought = || ok(r#"{"content":[{"type":"thinking","thinking":"hm"}],"stop_reason":"end_turn"}"#);
    check(ask("anthropic", vec![thought(), thought()], |_| {}), "the reply of `anthropic:m` is empty", 2, &[1]);
}

#[test]
fn a_reply_that_was_cut_off_is_too_long_and_accounted_for() {
    let body = r#"{"choices":[{"message":{"content":"{\"a\":"},"finish_reason":"length"}],"usage":{"prompt_tokens":10,"completion_tokens":100}}"#;
    let error =
        check(ask("openai", vec![ok(body)], |_| {}), "the reply of `openai:m` was cut off at 4100 tokens", 1, &[]);
    assert_eq!((error.kind, error.usage.output), (ErrorKind::TooLong, 100));
    let body = r#"{"content":[{"type":"text","text":"{"}],"stop_reason":"max_tokens","usage":{"input_tokens":10,"output_tokens":100}}"#;
    let error = check(
        ask("anthropic", vec![ok(body)], |_| {}),
        "the reply of `anthropic:m` was cut off at 4100 tokens",
        1,
        &[],
    );
    assert_eq!((error.kind, error.usage.output), (ErrorKind::TooLong, 100));
}

#[test]
fn a_model_that_declines_is_told_with_its_reason() {
    let body = r#"{"choices":[{"message":{"content":null,"refusal":"I can't\u0007 help"},"finish_reason":"stop"}]}"#;
    check(ask("openai", vec![ok(body)], |_| {}), "`openai:m` declined to reply: I can't help", 1, &[]);
    let body = r#"{"choices":[{"message":{"content":"x"},"finish_reason":"content_filter"}]}"#;
    check(ask("openai", vec![ok(body)], |_| {}), "`openai:m` declined to reply: a content filter stopped it", 1, &[]);
    let body = r#"{"content":[],"stop_reason":"refusal","usage":{"input_tokens":10,"output_tokens":0}}"#;
    let error = check(ask("anthropic", vec![ok(body)], |_| {}), "`anthropic:m` declined to reply", 1, &[]);
    assert_eq!((error.kind, error.usage.input), (ErrorKind::Unusable, 10));
}

#[test]
fn nobody_there_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let got = ask("openai", vec![], |settings| settings.openai.url.clone_from(&url));
    let error = got.reply.expect_err("nobody");
    assert_eq!((error.kind, error.usage.total()), (ErrorKind::Unreachable, 0));
    assert!(error.message.starts_with("`openai:m` at 127.0.0.1 cannot be reached: "), "{error}");
    assert_eq!(got.waits, [1, 2, 4]);
}

#[test]
fn no_error_and_no_debug_text_shows_the_key() {
    let words = format!(r#"{{"error":{{"message":"key k-123 is unknown\u0000 {}"}}}}"#, "x".repeat(500));
    let key = Key::Given(Secret::new("k-123"));
    let got = ask("openai", vec![answer("401 No", "", &words)], |settings| settings.openai.key = key.clone());
    let error = got.reply.expect_err("refused");
    assert!(error.message.contains(": key [key] is unknown xxx"), "{error}");
    assert!(error.message.chars().count() < 200, "{error}");
    let mut settings = settings().0;
    settings.openai.key = key;
    assert!(!format!("{settings:?}{error:?}").contains("k-123"));
}

#[test]
fn keys_go_over_tls_or_to_this_machine_only() {
    let open = |url: &str, key: Option<&str>| {
        let mut settings = settings().0;
        settings.openai.url = url.to_owned();
        settings.openai.key = key.map_or(Key::None, |key| Key::Given(Secret::new(key)));
        let opened = open(&ModelName::OpenAi("m".to_owned()), &settings);
        opened.map(|_| ()).map_err(|error| (error.kind, error.message))
    };
    let (kind, message) = open("http://10.0.0.1:80/v1", Some("k")).expect_err("refused");
    assert_eq!(kind, ErrorKind::Setup);
    assert_eq!(message, "the key for `10.0.0.1` would go over the network unencrypted, so nothing was sent");
    assert!(open("https://user:k@example.com/v1", None).expect_err("refused").1.contains("in it"));
    for url in ["", "example.com/v1", "ftp://example.com", "file:///etc/passwd", "http://"] {
        assert!(open(url, None).is_err(), "{url}");
    }
    assert_eq!(open("http://10.0.0.1:80/v1", None), Ok(()));
    assert_eq!(open("http://[::1]:80/v1", Some("k")), Ok(()));
    assert_eq!(open("http://localhost:80/v1", Some("k")), Ok(()));
    assert_eq!(open("https://example.com/v1/", Some("k")), Ok(()));
}

#[test]
fn the_providers_own_addresses_want_a_key() {
    let settings = Settings::new("/tmp");
    for name in ["anthropic:m", "openai:m", "gemini:m"] {
        let error = open(&ModelName::parse(name).expect("a name"), &settings).map(|_| ()).expect_err("no key");
        assert_eq!(error.message, format!("there is no key for `{name}`"));
        assert!(error.hints[0].contains("key_command"), "{error}");
    }
    assert!(open(&ModelName::Ollama("m".to_owned()), &settings).is_ok());
}

#[test]
fn a_key_that_no_header_can_hold_is_not_sent() {
    let got = ask("openai", vec![ok(GOOD)], |settings| settings.openai.key = Key::Given(Secret::new("a\r\nx: b")));
    check(got, "the key is empty or has characters in it that no key has", 0, &[]);
}

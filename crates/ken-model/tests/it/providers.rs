//! What each provider is sent, and what is made of its answer.

use expect_test::{Expect, expect};
use ken_model::{Api, Key, ModelName, Reply, Secret, Server, Settings, open};

use crate::server::{ok, server, told};
use crate::{prompt, settings};

fn of_provider<'a>(settings: &'a mut Settings, name: &str) -> &'a mut Server {
    match name.split(':').next() {
        Some("anthropic") => &mut settings.anthropic,
        Some("openai") => &mut settings.openai,
        Some("gemini") => &mut settings.gemini,
        Some("ollama") => &mut settings.ollama,
        Some(named) => settings.servers.entry(named.to_owned()).or_insert(settings.openai.clone()),
        None => unreachable!(),
    }
}

/// What is sent for a prompt, and what comes back.
#[track_caller]
fn check(name: &str, change: impl Fn(&mut Server), body: &str, sent: &Expect, got: &Expect) {
    let (url, asked) = server(vec![ok(body)]);
    let (mut settings, _) = settings();
    let server = of_provider(&mut settings, name);
    let is_chat = !["anthropic", "gemini", "ollama"].iter().any(|provider| name.starts_with(provider));
    server.url = if is_chat { format!("{url}/v1/") } else { url };
    change(server);
    let name = ModelName::parse(name).expect("a name");
    let model = open(&name, &settings).expect("opens").expect("a model");
    assert_eq!(model.name(), name.to_string());
    let Reply { text, usage } = model.ask(&prompt()).expect("a reply");
    sent.assert_eq(&told(&asked.recv().expect("a call")));
    got.assert_eq(&format!("{text}\n{usage:?}\n"));
}

#[test]
fn anthropic_gets_a_schema_and_marks_for_its_cache() {
    let body = r#"{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"{\"a\":"},
        {"type":"text","text":"1}"}],"stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":9,
        "cache_read_input_tokens":40,"cache_creation_input_tokens":20}}"#;
    let key = |server: &mut Server| server.key = Key::Given(Secret::new("k-123\n"));
    check(
        "anthropic:claude-opus-5-5",
        key,
        body,
        &expect![[r#"
        POST /v1/messages HTTP/1.1
        anthropic-version: 2023-06-01
        content-type: application/json
        user-agent: ken
        x-api-key: k-123
        {
          "model": "claude-opus-5-5",
          "max_tokens": 4100,
          "system": [
            {
              "type": "text",
              "text": "Be brief.",
              "cache_control": {
                "type": "ephemeral"
              }
            }
          ],
          "messages": [
            {
              "role": "user",
              "content": [
                {
                  "type": "text",
                  "text": "The sky is blue.",
                  "cache_control": {
                    "type": "ephemeral"
                  }
                },
                {
                  "type": "text",
                  "text": "How many skies?"
                }
              ]
            }
          ],
          "output_config": {
            "format": {
              "type": "json_schema",
              "schema": {
                "type": "object",
                "properties": {
                  "a": {
                    "type": "integer"
                  }
                },
                "required": [
                  "a"
                ],
                "additionalProperties": false
              }
            }
          }
        }
    "#]],
        &expect![[r#"
        {"a":1}
        Usage { input: 5, cache_read: 40, cache_write: 20, output: 9, is_estimate: false, cost: None }
    "#]],
    );
}

#[test]
fn anthropic_without_schemas_gets_the_schema_as_words() {
    let body = r#"{"content":[{"type":"text","text":"{}"}],"stop_reason":"end_turn"}"#;
    let change = |server: &mut Server| {
        server.is_structured = false;
        server.effort = Some("low".to_owned());
        server.temperature = Some(0.5);
        server.url.push_str("/v1/");
    };
    check(
        "anthropic:old",
        change,
        body,
        &expect![[r#"
            POST /v1/messages HTTP/1.1
            anthropic-version: 2023-06-01
            content-type: application/json
            user-agent: ken
            {
              "model": "old",
              "max_tokens": 4100,
              "system": [
                {
                  "type": "text",
                  "text": "Be brief.",
                  "cache_control": {
                    "type": "ephemeral"
                  }
                }
              ],
              "messages": [
                {
                  "role": "user",
                  "content": [
                    {
                      "type": "text",
                      "text": "The sky is blue.",
                      "cache_control": {
                        "type": "ephemeral"
                      }
                    },
                    {
                      "type": "text",
                      "text": "How many skies?"
                    },
                    {
                      "type": "text",
                      "text": "Reply with one JSON object of this form, and with nothing else:\n{\"a\": integer}"
                    }
                  ]
                }
              ],
              "output_config": {
                "effort": "low"
              },
              "temperature": 0.5
            }
        "#]],
        &expect![[r#"
        {}
        Usage { input: 48, cache_read: 0, cache_write: 0, output: 1, is_estimate: true, cost: None }
    "#]],
    );
}

#[test]
fn openai_gets_a_schema_and_its_cached_tokens_are_counted_once() {
    let body = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"{\"a\":1}"},"finish_reason":"stop"}],
        "usage":{"prompt_tokens":60,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":40,"cache_write_tokens":5}}}"#;
    let change = |server: &mut Server| {
        server.key = Key::Given(Secret::new("k-123"));
        server.effort = Some("low".to_owned());
    };
    check(
        "openai:gpt-6.2-sol",
        change,
        body,
        &expect![[r#"
            POST /v1/chat/completions HTTP/1.1
            authorization: Bearer k-123
            content-type: application/json
            user-agent: ken
            {
              "model": "gpt-6.2-sol",
              "messages": [
                {
                  "role": "system",
                  "content": "Be brief."
                },
                {
                  "role": "user",
                  "content": "The sky is blue.\n\nHow many skies?\n\nReply with one JSON object of this form, and with nothing else:\n{\"a\": integer}"
                }
              ],
              "max_tokens": 4100,
              "response_format": {
                "type": "json_schema",
                "json_schema": {
                  "name": "count",
                  "strict": true,
                  "schema": {
                    "type": "object",
                    "properties": {
                      "a": {
                        "type": "integer"
                      }
                    },
                    "required": [
                      "a"
                    ],
                    "additionalProperties": false
                  }
                }
              },
              "reasoning_effort": "low"
            }
        "#]],
        &expect![[r#"
        {"a":1}
        Usage { input: 15, cache_read: 40, cache_write: 5, output: 9, is_estimate: false, cost: None }
    "#]],
    );
}

#[test]
fn ollama_gets_its_window_and_no_key() {
    let body = r#"{"model":"qwen3:8b","message":{"role":"assistant","content":"{\"a\":1}","thinking":"hm"},"done":true,
        "done_reason":"stop","prompt_eval_count":60,"eval_count":9}"#;
    check(
        "ollama:qwen3:8b",
        |_| {},
        body,
        &expect![[r#"
            POST /api/chat HTTP/1.1
            content-type: application/json
            user-agent: ken
            {
              "model": "qwen3:8b",
              "messages": [
                {
                  "role": "system",
                  "content": "Be brief."
                },
                {
                  "role": "user",
                  "content": "The sky is blue.\n\nHow many skies?\n\nReply with one JSON object of this form, and with nothing else:\n{\"a\": integer}"
                }
              ],
              "stream": false,
              "options": {
                "num_ctx": 32768,
                "num_predict": 4100
              },
              "truncate": false,
              "shift": false,
              "format": {
                "type": "object",
                "properties": {
                  "a": {
                    "type": "integer"
                  }
                },
                "required": [
                  "a"
                ],
                "additionalProperties": false
              }
            }
        "#]],
        &expect![[r#"
            {"a":1}
            Usage { input: 60, cache_read: 0, cache_write: 0, output: 9, is_estimate: false, cost: None }
        "#]],
    );
}

#[test]
fn responses_are_asked_for_without_being_kept() {
    let body = r#"{"object":"response","status":"completed","error":null,"incomplete_details":null,"output":[
        {"type":"reasoning","summary":[]},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"{\"a\":1}","annotations":[]}]}],
        "usage":{"input_tokens":60,"input_tokens_details":{"cached_tokens":40},"output_tokens":9,
        "output_tokens_details":{"reasoning_tokens":3}}}"#;
    let change = |server: &mut Server| {
        server.api = Some(Api::Responses);
        server.key = Key::Given(Secret::new("k-123"));
        server.effort = Some("low".to_owned());
    };
    check(
        "openai:gpt-6.2-sol",
        change,
        body,
        &expect![[r#"
            POST /v1/responses HTTP/1.1
            authorization: Bearer k-123
            content-type: application/json
            user-agent: ken
            {
              "model": "gpt-6.2-sol",
              "input": "The sky is blue.\n\nHow many skies?\n\nReply with one JSON object of this form, and with nothing else:\n{\"a\": integer}",
              "max_output_tokens": 4100,
              "store": false,
              "instructions": "Be brief.",
              "text": {
                "format": {
                  "type": "json_schema",
                  "name": "count",
                  "strict": true,
                  "schema": {
                    "type": "object",
                    "properties": {
                      "a": {
                        "type": "integer"
                      }
                    },
                    "required": [
                      "a"
                    ],
                    "additionalProperties": false
                  }
                }
              },
              "reasoning": {
                "effort": "low"
              }
            }
        "#]],
        &expect![[r#"
        {"a":1}
        Usage { input: 20, cache_read: 40, cache_write: 0, output: 9, is_estimate: false, cost: None }
    "#]],
    );
}

#[test]
fn gemini_gets_a_schema_and_its_thoughts_are_paid_and_not_read() {
    let body = r#"{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"{\"a\":"},{"text":"1}"}],
        "role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":60,
        "cachedContentTokenCount":40,"candidatesTokenCount":5,"thoughtsTokenCount":4,"totalTokenCount":69}}"#;
    let change = |server: &mut Server| {
        server.key = Key::Given(Secret::new("k-123"));
        server.effort = Some("low".to_owned());
        server.temperature = Some(1.0);
    };
    check(
        "gemini:gemini-3.8-flash",
        change,
        body,
        &expect![[r#"
        POST /v1beta/models/gemini-3.8-flash:generateContent HTTP/1.1
        content-type: application/json
        user-agent: ken
        x-goog-api-key: k-123
        {
          "contents": [
            {
              "role": "user",
              "parts": [
                {
                  "text": "The sky is blue."
                },
                {
                  "text": "How many skies?"
                }
              ]
            }
          ],
          "generationConfig": {
            "maxOutputTokens": 4100,
            "responseMimeType": "application/json",
            "responseJsonSchema": {
              "type": "object",
              "properties": {
                "a": {
                  "type": "integer"
                }
              },
              "required": [
                "a"
              ],
              "additionalProperties": false
            },
            "thinkingConfig": {
              "thinkingLevel": "low"
            },
            "temperature": 1.0
          },
          "systemInstruction": {
            "parts": [
              {
                "text": "Be brief."
              }
            ]
          }
        }
    "#]],
        &expect![[r#"
        {"a":1}
        Usage { input: 20, cache_read: 40, cache_write: 0, output: 9, is_estimate: false, cost: None }
    "#]],
    );
}

#[test]
fn a_server_with_a_name_gets_its_key_as_it_wants_it() {
    let body = r#"{"choices":[{"message":{"content":"{\"a\":1}"},"finish_reason":"stop"}]}"#;
    let change = |server: &mut Server| {
        server.url.push_str("?api-version=2026-10-01");
        server.key = Key::Given(Secret::new("k-123"));
        server.key_header = Some("api-key".to_owned());
        server.is_structured = false;
    };
    check(
        "azure:mine",
        change,
        body,
        &expect![[r#"
            POST /v1/chat/completions?api-version=2026-10-01 HTTP/1.1
            api-key: k-123
            content-type: application/json
            user-agent: ken
            {
              "model": "mine",
              "messages": [
                {
                  "role": "system",
                  "content": "Be brief."
                },
                {
                  "role": "user",
                  "content": "The sky is blue.\n\nHow many skies?\n\nReply with one JSON object of this form, and with nothing else:\n{\"a\": integer}"
                }
              ],
              "max_tokens": 4100
            }
        "#]],
        &expect![[r#"
        {"a":1}
        Usage { input: 48, cache_read: 0, cache_write: 0, output: 5, is_estimate: true, cost: None }
    "#]],
    );
}

#[test]
fn a_token_for_anthropic_goes_as_bearers_do() {
    let body = r#"{"content":[{"type":"text","text":"{}"}],"stop_reason":"end_turn"}"#;
    let (url, asked) = server(vec![ok(body)]);
    let mut settings = settings().0;
    settings.anthropic.url = url;
    settings.anthropic.key = Key::Given(Secret::new("t-123"));
    settings.anthropic.key_header = Some("authorization".to_owned());
    let model = open(&ModelName::Anthropic("m".to_owned()), &settings).expect("opens").expect("a model");
    model.ask(&prompt()).expect("a reply");
    let asked = told(&asked.recv().expect("a call"));
    assert!(asked.contains("authorization: Bearer t-123") && !asked.contains("x-api-key"), "{asked}");
}

#[test]
fn a_server_without_schemas_gets_the_schema_as_words() {
    let body = r#"{"choices":[{"message":{"content":"{\"a\":1}"},"finish_reason":"stop"}]}"#;
    check(
        "openai:local",
        |server| server.is_structured = false,
        body,
        &expect![[r#"
            POST /v1/chat/completions HTTP/1.1
            content-type: application/json
            user-agent: ken
            {
              "model": "local",
              "messages": [
                {
                  "role": "system",
                  "content": "Be brief."
                },
                {
                  "role": "user",
                  "content": "The sky is blue.\n\nHow many skies?\n\nReply with one JSON object of this form, and with nothing else:\n{\"a\": integer}"
                }
              ],
              "max_tokens": 4100
            }
        "#]],
        &expect![[r#"
        {"a":1}
        Usage { input: 48, cache_read: 0, cache_write: 0, output: 5, is_estimate: true, cost: None }
    "#]],
    );
}

#[test]
fn what_determines_replies_is_told() {
    let parameters = |change: &dyn Fn(&mut Server)| {
        let mut settings = settings().0;
        settings.openai.url = "http://127.0.0.1:9/v1".to_owned();
        change(&mut settings.openai);
        let model = open(&ModelName::OpenAi("m".to_owned()), &settings).expect("opens").expect("a model");
        model.parameters()
    };
    let model = open(&ModelName::Ollama("m".to_owned()), &settings().0).expect("opens").expect("a model");
    assert_eq!(model.thinking_tokens_max(), 4_000);
    let plain = parameters(&|_| {});
    assert_eq!(plain, "http://127.0.0.1:9/v1/chat/completions effort=- temperature=- schema=true");
    assert_ne!(plain, parameters(&|server| server.effort = Some("low".to_owned())));
    assert_ne!(plain, parameters(&|server| server.temperature = Some(0.0)));
    assert_eq!(plain, parameters(&|server| server.key = Key::Given(Secret::new("k"))), "a key is none of it");
}

#[test]
fn a_key_command_is_asked_once_for_many_prompts() {
    let body = r#"{"choices":[{"message":{"content":"{}"},"finish_reason":"stop"}]}"#;
    let (url, asked) = server(vec![ok(body), ok(body)]);
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!("echo run >> {}/runs; echo k-from-store", folder.path().display());
    let mut settings = settings().0;
    settings.openai.url = url;
    settings.openai.key = Key::Command(vec!["/bin/sh".into(), "-c".into(), script]);
    let model = open(&ModelName::OpenAi("m".to_owned()), &settings).expect("opens").expect("a model");
    assert!(!folder.path().join("runs").exists(), "opening a model asks for no key");
    for _ in 0..2 {
        model.ask(&prompt()).expect("a reply");
        assert!(told(&asked.recv().expect("a call")).contains("Bearer k-from-store"));
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("runs")).expect("it ran"), "run\n");
}

#[test]
fn a_key_command_that_fails_is_not_run_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!("echo run >> {}/runs; exit 1", folder.path().display());
    let (mut settings, noted) = settings();
    settings.openai.key = Key::Command(vec!["/bin/sh".into(), "-c".into(), script]);
    let model = open(&ModelName::OpenAi("m".to_owned()), &settings).expect("opens").expect("a model");
    for _ in 0..2 {
        let error = model.ask(&prompt()).expect_err("no key");
        assert!(error.message.contains("gave no key: it ended with"), "{error}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("runs")).expect("it ran"), "run\n");
    assert!(noted.waits().is_empty());
}

#[test]
fn a_wrong_reply_is_repaired_by_the_server_that_gave_it() {
    let reply = |content: &str| {
        let content = serde_json::Value::from(content);
        ok(&format!(
            r#"{{"choices":[{{"message":{{"content":{content}}},"finish_reason":"stop"}}],
            "usage":{{"prompt_tokens":10,"completion_tokens":2}}}}"#
        ))
    };
    let (url, asked) = server(vec![reply(r#"{"b":1}"#), reply(r#"{"a":1}"#)]);
    let mut settings = settings().0;
    settings.openai.url = url;
    let model = open(&ModelName::OpenAi("m".to_owned()), &settings).expect("opens").expect("a model");
    let has_a = |json: &serde_json::Value| json.get("a").map(|_| ()).ok_or("`a` is missing".to_owned());
    let answered = ken_model::ask_json(&*model, &prompt(), &has_a).expect("a reply");
    assert_eq!((answered.n_calls, answered.usage.input, answered.usage.output), (2, 20, 4));
    asked.recv().expect("a call");
    assert!(asked.recv().expect("a call").contains("`a` is missing"));
}

#[test]
fn none_is_no_model() {
    assert!(open(&ModelName::None, &settings().0).expect("opens").is_none());
}

#[test]
fn providers_take_four_calls_at_once_and_this_machine_one() {
    let (mut settings, _) = settings();
    let far = Server { url: "https://api.example.com/v1".to_owned(), key: Key::None, ..settings.openai.clone() };
    settings.servers.insert("far".to_owned(), far.clone());
    settings.servers.insert("two".to_owned(), Server { calls_at_once_max: Some(2), ..far });
    settings.ollama.url = "https://ollama.example.com".to_owned();
    settings.openai.url = "http://localhost:1234/v1".to_owned();
    for (name, expected) in
        [("far:m", 4), ("two:m", 2), ("openai:m", 1), ("ollama:m", 1), ("command:cat", 1), ("claude", 1)]
    {
        let model = open(&ModelName::parse(name).expect("a name"), &settings).expect("opens").expect("a model");
        assert_eq!(model.calls_at_once_max(), expected, "{name}");
    }
}

#[test]
fn what_is_only_reckoned_needs_no_key_and_can_send_nothing() {
    let (url, asked) = server(vec![ok("{}")]);
    let (mut settings, _) = settings();
    let unset = Key::Unset("NOBODYS_KEY".to_owned());
    settings.anthropic = Server { key: Key::None, url: "https://api.anthropic.com".to_owned(), ..settings.anthropic };
    settings.openai = Server { key: unset, url, ..settings.openai };
    for name in ["anthropic:m", "openai:m"] {
        let name = ModelName::parse(name).expect("a name");
        assert!(open(&name, &settings).is_err(), "{name} cannot be asked");
        let settings = Settings { is_asked: false, ..settings.clone() };
        let model = open(&name, &settings).expect("opens").expect("a model");
        let error = model.ask(&prompt()).expect_err("nothing is sent");
        assert_eq!(error.message, "no key was looked for, so nothing was sent");
    }
    assert!(asked.try_recv().is_err());
}

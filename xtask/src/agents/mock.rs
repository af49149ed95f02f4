//! A model on loopback that does what prompts tell it to.
//!
//! Speaks as much of three protocols as the agents under test need, with server-sent events: messages,
//! responses and generated contents. A prompt holds `MOCK:` and a JSON value in hexadecimal (so that what
//! the model will say does not stand in the prompt): it says `say`, runs `run` with the agent's shell, and
//! says `then`. Every request is kept.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What the model is told to do.
#[derive(Debug, Default, Clone)]
struct Told {
    say: String,
    run: String,
    then: String,
    wait_ms: u64,
}

/// The model, listening.
pub(super) struct Mock {
    pub(super) port: u16,
    requests: Arc<Mutex<Vec<(String, String)>>>,
}

/// Returns a prompt that tells the model what to say and run.
pub(super) fn prompt(text: &str, say: &str, run: &str, then: &str) -> String {
    prompt_later(text, (say, run, then), 0)
}

/// Returns a prompt that the model answers only after a while.
pub(super) fn prompt_later(text: &str, (say, run, then): (&str, &str, &str), wait_ms: u64) -> String {
    let told = json!({"say": say, "run": run, "then": then, "wait_ms": wait_ms}).to_string();
    let hex: String = told.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("{text} MOCK:{hex}:")
}

impl Mock {
    /// Starts listening on a port of loopback that is free.
    pub(super) fn start() -> Result<Mock, String> {
        let failed = |err: std::io::Error| format!("cannot listen on loopback: {err}");
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let requests = Arc::<Mutex<Vec<(String, String)>>>::default();
        let kept = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                // An agent that goes away in the middle of an answer is part of what is tested.
                std::thread::spawn(move || serve(stream, &kept));
            }
        });
        Ok(Mock { port, requests })
    }

    /// Returns the bodies of the requests for an answer since the last call, the oldest first.
    pub(super) fn taken(&self) -> Vec<String> {
        let mut requests = self.requests.lock().expect("no thread panics while it holds them");
        let kinds = ["/messages", "/responses", ":generateContent", ":streamGenerateContent"];
        let is_question = |path: &str| !path.contains("count_tokens") && kinds.iter().any(|kind| path.contains(kind));
        requests.drain(..).filter(|(path, _)| is_question(path)).map(|(_, body)| body).collect()
    }
}

fn serve(stream: TcpStream, kept: &Mutex<Vec<(String, String)>>) -> Option<()> {
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut first = String::new();
        reader.read_line(&mut first).ok().filter(|n| *n > 0)?;
        let mut words = first.split_whitespace();
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let body = body(&mut reader)?;
        let value: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        kept.lock().ok()?.push((path.clone(), String::from_utf8_lossy(&body).into_owned()));
        let answer = match (method.as_str(), path.split('?').next()?) {
            ("POST", path) if path.ends_with("/count_tokens") => Answer::Json(json!({"input_tokens": 100})),
            ("POST", path) if path.ends_with("/messages") => messages(&value),
            ("POST", path) if path.ends_with("/responses") => responses(&value),
            ("POST", path) if path.ends_with(":countTokens") => Answer::Json(json!({"totalTokens": 100})),
            ("POST", path) if path.ends_with(":generateContent") => Answer::Json(generated(&value)),
            // One event holds all of it.
            ("POST", path) if path.ends_with(":streamGenerateContent") => {
                Answer::Events(format!("data: {}\n\n", generated(&value)))
            }
            ("GET", path) if path.ends_with("/models") => {
                Answer::Json(json!({"object": "list", "data": [], "models": []}))
            }
            _ => Answer::Json(json!({})),
        };
        let (kind, text) = match answer {
            Answer::Json(value) => ("application/json", value.to_string()),
            Answer::Events(text) => ("text/event-stream", text),
        };
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", text.len());
        writer.write_all(head.as_bytes()).ok()?;
        writer.write_all(text.as_bytes()).ok()?;
    }
}

/// Reads the headers that are left and the body that they announce.
fn body(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let (mut n_bytes, mut is_chunked) = (0_usize, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|n| *n > 0)?;
        let lower = line.trim().to_ascii_lowercase();
        match lower.split_once(':') {
            None => break,
            Some(("content-length", value)) => n_bytes = value.trim().parse().ok()?,
            Some(("transfer-encoding", value)) => is_chunked = value.contains("chunked"),
            Some(_) => {}
        }
    }
    let mut bytes = vec![0; n_bytes];
    reader.read_exact(&mut bytes).ok()?;
    while is_chunked {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        let start = bytes.len();
        bytes.resize(start + size + 2, 0);
        reader.read_exact(&mut bytes[start..]).ok()?;
        bytes.truncate(start + size);
        is_chunked = size > 0;
    }
    Some(bytes)
}

enum Answer {
    Json(Value),
    Events(String),
}

/// The last thing that the model was told to do in these texts.
fn told(texts: &[String]) -> Option<Told> {
    // Kenning's own prompts quote sessions, and what those told is done.
    if texts.iter().any(|text| text.contains(WANTED)) {
        return None;
    }
    let hex = texts.iter().rev().find_map(|text| text.rsplit_once("MOCK:")?.1.split(':').next())?;
    let bytes: Option<Vec<u8>> =
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect();
    let value: Value = serde_json::from_slice(&bytes?).ok()?;
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    Some(Told {
        say: text("say"),
        run: text("run"),
        then: text("then"),
        wait_ms: value["wait_ms"].as_u64().unwrap_or(0),
    })
}

fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks.iter().filter_map(|block| Some(block["text"].as_str()?.to_owned())).collect(),
        _ => Vec::new(),
    }
}

/// What the last prompt tells that is not said yet, after the while that it takes, and all messages from it on.
fn told_in<'a>(messages: &'a [Value], key: &str, is_of_user: impl Fn(&Value) -> bool) -> (Option<Told>, &'a [Value]) {
    let texts = |message: &Value| texts(&message[key]);
    let told_at = messages.iter().rposition(|message| is_of_user(message) && told(&texts(message)).is_some());
    let Some(at) = told_at else { return (None, &[]) };
    let since = &messages[at..];
    // What was told is done when it was said; then this is about something else.
    let told = told(&texts(&since[0])).filter(|told| !since.iter().any(|message| texts(message).contains(&told.then)));
    told.iter().for_each(|told| std::thread::sleep(std::time::Duration::from_millis(told.wait_ms)));
    (told, since)
}

/// What to say without being told: a summary, a title.
pub(super) const UNTOLD: &str = "A summary of what was said.";

/// How Kenning's own prompts say what is wanted of them.
const WANTED: &str = "JSON object of this form";

/// An answer to every prompt of Kenning's, but for what is decided in the text that it is about.
const ANSWER: &str = r#"{"ready":true,"worth":true,"title":"","context":[],"exchanges":[],"decisions":[],"lessons":[],"actions":[],"claims":[],"subjects":[],"connections":[],"tldr":"","triggers":[]}"#;
/// How a decision begins in the sessions of the checks.
const DECIDED: &str = "We decided";

/// What to say to a request without being told.
fn untold(body: &Value) -> String {
    prompt_of_ours(body).map_or_else(|| UNTOLD.to_owned(), |prompt| answer(prompt).to_string())
}

/// The text of a request that is a prompt of Kenning's.
fn prompt_of_ours(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => text.contains(WANTED).then_some(text),
        Value::Array(values) => values.iter().find_map(prompt_of_ours),
        Value::Object(fields) => fields.values().find_map(prompt_of_ours),
        _ => None,
    }
}

/// What somebody answers who keeps the decisions of a text, or of each of several.
fn answer(prompt: &str) -> Value {
    let is_numbered = |text: &&str| text.split(':').next().is_some_and(|number| number.parse::<usize>().is_ok());
    let texts: Vec<&str> = prompt.split("\nText ").skip(1).filter(is_numbered).collect();
    if texts.is_empty() {
        return answer_to_one(prompt);
    }
    let replies = texts.iter().enumerate().map(|(n, text)| json!({"n": n + 1, "reply": answer_to_one(text)}));
    json!({"replies": replies.collect::<Vec<_>>(), "nothing": []})
}

fn answer_to_one(text: &str) -> Value {
    let decided = |line: &str| {
        let (number, said) = line.split_once("| ")?;
        let (number, said) = (number.parse::<usize>().ok()?, &said[said.find(DECIDED)?..]);
        Some(json!({"text": &said[..=said.find('.')?], "lines": [number, number]}))
    };
    let mut answer: Value = serde_json::from_str(ANSWER).expect("JSON of ours");
    answer["decisions"] = text.lines().filter_map(decided).collect();
    answer
}

fn messages(body: &Value) -> Answer {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let has = |message: &Value, kind: &str| {
        message["content"].as_array().is_some_and(|blocks| blocks.iter().any(|block| block["type"] == kind))
    };
    let has_shell = body["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == "Bash"));
    let (told, since) = told_in(&messages, "content", |message| message["role"] == "user");
    // A message may hold the prompt and, behind it, what the tool gave.
    let is_run = since.iter().any(|message| has(message, "tool_result"));
    let blocks = match told {
        Some(told) if has_shell && !told.run.is_empty() && !is_run => {
            vec![
                json!({"type": "text", "text": told.say}),
                json!({"type": "tool_use", "id": format!("toolu_mock{}", messages.len()), "name": "Bash",
                   "input": {"command": told.run, "description": "run it"}}),
            ]
        }
        Some(told) => vec![json!({"type": "text", "text": told.then})],
        None => vec![json!({"type": "text", "text": untold(body)})],
    };
    let reason = if blocks.len() > 1 { "tool_use" } else { "end_turn" };
    let usage = json!({"input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0});
    let message = |content: Value, reason: Value| {
        json!({"id": "msg_mock", "type": "message", "role": "assistant", "model": body["model"], "content": content,
               "stop_reason": reason, "stop_sequence": null, "usage": usage})
    };
    if body["stream"] != true {
        return Answer::Json(message(json!(blocks), json!(reason)));
    }
    let mut events = vec![json!({"type": "message_start", "message": message(json!([]), Value::Null)})];
    for (index, block) in blocks.iter().enumerate() {
        let (empty, delta) = match block["type"].as_str() {
            Some("text") => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": block["text"]})),
            _ => {
                let mut empty = block.clone();
                empty["input"] = json!({});
                (empty, json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}))
            }
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": empty}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let end = json!({"stop_reason": reason, "stop_sequence": null});
    events.push(json!({"type": "message_delta", "delta": end, "usage": {"output_tokens": 20}}));
    events.push(json!({"type": "message_stop"}));
    Answer::Events(sent(&events))
}

fn responses(body: &Value) -> Answer {
    let input = body["input"].as_array().cloned().unwrap_or_default();
    let is_output = |item: &Value| item["type"].as_str().is_some_and(|kind| kind.ends_with("_output"));
    let is_of_user = |item: &Value| item["type"] == "message" && item["role"] == "user" || item["type"].is_null();
    let (told, since) = told_in(&input, "content", is_of_user);
    let has_result = since.iter().any(is_output);
    let message = |text: &str| {
        json!({"type": "message", "id": "msg_mock", "role": "assistant", "status": "completed",
               "content": [{"type": "output_text", "text": text, "annotations": []}]})
    };
    let shell = shell_of(&body["tools"]);
    let items = match (told, shell) {
        (Some(told), Some((name, arguments))) if !has_result && !told.run.is_empty() => {
            let arguments = arguments(&told.run).to_string();
            vec![
                message(&told.say),
                json!({"type": "function_call", "id": "fc_mock", "call_id": "call_mock", "name": name,
                       "arguments": arguments, "status": "completed"}),
            ]
        }
        (Some(told), _) => vec![message(&told.then)],
        (None, _) => vec![message(&untold(body))],
    };
    let usage = json!({"input_tokens": 100, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 20,
                       "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 120});
    let response = |status: &str, output: &[Value]| {
        json!({"id": "resp_mock", "object": "response", "created_at": 0, "model": body["model"], "status": status,
               "output": output, "usage": usage, "error": null, "incomplete_details": null})
    };
    let mut events = vec![json!({"type": "response.created", "response": response("in_progress", &[])})];
    for (index, item) in items.iter().enumerate() {
        events.push(json!({"type": "response.output_item.added", "output_index": index, "item": item}));
        if let Some(text) = item["content"][0]["text"].as_str() {
            events.push(json!({"type": "response.output_text.delta", "item_id": "msg_mock", "output_index": index,
                               "content_index": 0, "delta": text}));
        }
        events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    }
    events.push(json!({"type": "response.completed", "response": response("completed", &items)}));
    Answer::Events(sent(&events))
}

type Arguments = fn(&str) -> Value;

/// The shell among the tools that are offered, and how it is called.
fn shell_of(tools: &Value) -> Option<(&'static str, Arguments)> {
    let shells: [(&str, Arguments); 3] = [
        ("exec_command", |command| json!({"cmd": command})),
        ("shell_command", |command| json!({"command": command})),
        ("shell", |command| json!({"command": ["bash", "-lc", command]})),
    ];
    let offered = tools.as_array()?;
    shells.into_iter().find(|(name, _)| offered.iter().any(|tool| tool["name"] == *name))
}

fn generated(body: &Value) -> Value {
    const SHELL: &str = "run_shell_command";
    let contents = body["contents"].as_array().cloned().unwrap_or_default();
    let any_in =
        |list: &Value, is_it: &dyn Fn(&Value) -> bool| list.as_array().is_some_and(|list| list.iter().any(is_it));
    let has_shell = any_in(&body["tools"], &|tool| any_in(&tool["functionDeclarations"], &|it| it["name"] == SHELL));
    let (told, since) = told_in(&contents, "parts", |content| content["role"] == "user");
    let is_run = since.iter().any(|content| any_in(&content["parts"], &|part| part["functionResponse"].is_object()));
    let parts = match told {
        Some(told) if has_shell && !told.run.is_empty() && !is_run => json!([
            {"text": told.say},
            {"functionCall": {"name": SHELL, "args": {"command": told.run, "description": "run it"}}},
        ]),
        Some(told) => json!([{"text": told.then}]),
        None if prompt_of_ours(body).is_some() => json!([{"text": untold(body)}]),
        None => json!([{"text": format!("<state_snapshot>{UNTOLD}</state_snapshot>")}]),
    };
    let usage = json!({"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120});
    let candidate = json!({"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": parts}});
    json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-mock"})
}

fn sent(events: &[Value]) -> String {
    let event = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default());
    events.iter().map(event).collect()
}

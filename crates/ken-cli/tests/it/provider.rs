//! A provider on this machine that takes batches, by the protocols of Anthropic and of OpenAI, and does what a test wants
//! with them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::{Value, json};

/// What becomes of the lines of a batch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    Good,
    /// Only the first is done before the batch runs out of time.
    Half,
    /// The same before it was cancelled.
    Cancelled,
    /// All of them are refused.
    Errored,
    /// They have names that nobody sent.
    OtherNames,
    /// They are cut, doubled, too deep, no JSON, and one has the names of files in it.
    Hostile,
    /// The replies are no JSON.
    Chatter,
}

/// How a batch is answered.
#[derive(Clone, Copy)]
pub(crate) struct Manners {
    pub(crate) lines: Lines,
    /// Whether it goes on for ever.
    pub(crate) never_ends: bool,
    /// Whether it hangs up on whoever sent it.
    pub(crate) hangs_up: bool,
    /// How long it takes to say what the batch is called.
    pub(crate) pause: Duration,
    /// What the account is told instead of taking it.
    pub(crate) refuses: Option<&'static str>,
}

#[derive(Default)]
struct Kept {
    /// Named prompts of each batch, in order.
    batches: Vec<(String, Vec<(String, Value)>)>,
    files: BTreeMap<String, String>,
    asked: Vec<String>,
    n_alone: usize,
}

/// The provider.
pub(crate) struct Provider {
    pub(crate) url: String,
    kept: Arc<Mutex<Kept>>,
    manners: Arc<Mutex<Manners>>,
}

impl Provider {
    pub(crate) fn start() -> Provider {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let pause = Duration::ZERO;
        let manners = Manners { lines: Lines::Good, never_ends: false, hangs_up: false, pause, refuses: None };
        let (kept, manners) = (Arc::<Mutex<Kept>>::default(), Arc::new(Mutex::new(manners)));
        let (ours, how) = (Arc::clone(&kept), Arc::clone(&manners));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, manners) = (Arc::clone(&ours), Arc::clone(&how));
                std::thread::spawn(move || serve(stream, &kept, &manners));
            }
        });
        Provider { url, kept, manners }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("nobody panics with it")
    }

    pub(crate) fn does(&self, change: impl Fn(&mut Manners)) {
        change(&mut self.manners.lock().expect("nobody panics with it"));
    }

    pub(crate) fn n_batches(&self) -> usize {
        self.kept().batches.len()
    }

    /// Prompts that did not go out in a batch.
    pub(crate) fn n_alone(&self) -> usize {
        self.kept().n_alone
    }

    /// What was asked for, by method and path.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.kept().asked.clone()
    }

    /// Files that nobody deleted.
    pub(crate) fn n_files(&self) -> usize {
        self.kept().files.keys().filter(|name| !name.starts_with("about-")).count()
    }

    /// Of each prompt in all batches, the texts that were read, without the codes that stand around them.
    pub(crate) fn prompts(&self) -> Vec<String> {
        let kept = self.kept();
        kept.batches.iter().flat_map(|(_, prompts)| prompts).map(|(_, body)| without_codes(&input_of(body))).collect()
    }
}

/// A text without the 16 digits that are another in every run.
fn without_codes(text: &str) -> String {
    let is_code = |word: &&str| word.len() == 16 && word.chars().all(|ch| ch.is_ascii_hexdigit());
    let words = text.split(|ch: char| !ch.is_ascii_alphanumeric());
    let codes: Vec<&str> = words.filter(is_code).collect();
    codes.iter().fold(text.to_owned(), |text, code| text.replace(code, "CODE"))
}

/// The last text of a prompt.
fn input_of(body: &Value) -> String {
    let content = body["messages"][0]["content"].as_array().and_then(|parts| parts.last()?["text"].as_str());
    content.or(body["input"].as_str()).unwrap_or_default().to_owned()
}

/// An answer to every kind of task; the claim of a session is borne out by the second line of each.
fn reply() -> Value {
    json!({"worth": true, "title": "", "context": [], "exchanges": [], "lessons": [], "actions": [], "claims": [],
        "decisions": [{"text": "It was decided to bake a loaf.", "lines": [2, 2], "subjects": ["Bread oven"],
            "same_as": [], "replaces": [], "disputes": []}],
        "subjects": [{"name": "Bread oven", "category": "concept", "aliases": []}],
        "connections": [], "tldr": "", "triggers": [], "high": [], "mid": [], "verdicts": [], "sections": [],
        "same": false, "reason": "They differ."})
}

fn reply_to(body: &Value) -> String {
    let input = input_of(body);
    let n = input.lines().filter(|line| line.starts_with("Text ") && line.ends_with(':')).count();
    match n {
        0 | 1 => reply().to_string(),
        n => {
            let one = |n: usize| json!({"n": n, "reply": reply()});
            json!({"replies": (1..=n).map(one).collect::<Vec<_>>(), "nothing": []}).to_string()
        }
    }
}

/// The answer to one prompt; each takes a thousand tokens and a hundred.
fn answer_to(body: &Value, text: &str, is_anthropic: bool) -> Value {
    let text = if text.is_empty() { reply_to(body) } else { text.to_owned() };
    match is_anthropic {
        true => json!({"type": "message", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
            "usage": {"input_tokens": 1_000, "output_tokens": 100}}),
        false => json!({"status": "completed",
            "output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}],
            "usage": {"input_tokens": 1_000, "output_tokens": 100}}),
    }
}

fn good(name: &str, body: &Value, text: &str, is_anthropic: bool) -> String {
    let answer = answer_to(body, text, is_anthropic);
    match is_anthropic {
        true => json!({"custom_id": name, "result": {"type": "succeeded", "message": answer}}),
        false => json!({"id": "r", "custom_id": name, "error": null,
            "response": {"status_code": 200, "request_id": "q", "body": answer}}),
    }
    .to_string()
}

fn not_done(name: &str, is_refused: bool, is_anthropic: bool) -> String {
    match (is_anthropic, is_refused) {
        (true, false) => json!({"custom_id": name, "result": {"type": "expired"}}),
        (true, true) => json!({"custom_id": name, "result": {"type": "errored", "error": {"type": "error",
            "error": {"type": "invalid_request_error", "message": "no such thing"}}}}),
        (false, false) => json!({"id": "r", "custom_id": name, "response": null,
            "error": {"code": "batch_expired", "message": "out of time"}}),
        (false, true) => json!({"id": "r", "custom_id": name, "error": null,
            "response": {"status_code": 400, "body": {"error": {"message": "no such thing"}}}}),
    }
    .to_string()
}

fn lines_of(prompts: &[(String, Value)], lines: Lines, is_anthropic: bool) -> String {
    let each = |line: &dyn Fn(usize, &str, &Value) -> String| -> Vec<String> {
        prompts.iter().enumerate().map(|(n, (name, body))| line(n, name, body)).collect()
    };
    let all = match lines {
        Lines::Good => each(&|_, name, body| good(name, body, "", is_anthropic)),
        Lines::Half => each(&|n, name, body| match n {
            0 => good(name, body, "", is_anthropic),
            _ => not_done(name, false, is_anthropic),
        }),
        Lines::Cancelled => each(&|n, name, body| match n {
            0 => good(name, body, "", is_anthropic),
            _ => not_done(name, false, is_anthropic)
                .replace("expired", if is_anthropic { "canceled" } else { "cancelled" }),
        }),
        Lines::Errored => each(&|_, name, _| not_done(name, true, is_anthropic)),
        Lines::OtherNames => each(&|_, name, body| good(&format!("{name}0"), body, "", is_anthropic)),
        Lines::Chatter => each(&|_, name, body| good(name, body, "I would rather not.", is_anthropic)),
        Lines::Hostile => {
            let mut all = each(&|_, name, body| good(name, body, "", is_anthropic));
            let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
            all.insert(0, deep);
            all.insert(0, "\u{0}{\"custom_id\": ".to_owned());
            all.insert(0, json!({"custom_id": "../../../etc/passwd", "result": {"type": "succeeded"}}).to_string());
            all.insert(0, json!({"custom_id": {"a": 1}, "result": []}).to_string());
            let doubled: Vec<String> = prompts
                .iter()
                .map(|(name, body)| good(name, body, "{\"worth\": \"said twice\"}", is_anthropic))
                .collect();
            all.extend(doubled);
            all.push("{\"custom_id\":\"x\",\"result\":{\"type\":".to_owned());
            all
        }
    };
    all.join("\n") + "\n"
}

fn serve(mut stream: TcpStream, kept: &Mutex<Kept>, manners: &Mutex<Manners>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|n| n > 2) {}
    let lower = head.to_lowercase();
    let len = lower.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<u64>().ok());
    let mut body = Vec::new();
    let _ = reader.take(len.unwrap_or(0)).read_to_end(&mut body);
    let mut words = head.split_whitespace();
    let (method, path) = (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
    let manners = *manners.lock().expect("nobody panics with it");
    let answer = {
        let mut kept = kept.lock().expect("nobody panics with it");
        kept.asked.push(format!("{method} {path}"));
        answered(&mut kept, (&method, &path), &body, manners)
    };
    let is_made = method == "POST" && path.ends_with("/batches");
    if is_made {
        std::thread::sleep(manners.pause);
        if manners.hangs_up {
            return;
        }
    }
    let (status, body) = answer;
    let len = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len}\r\n");
    let _ = stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes());
}

fn answered(kept: &mut Kept, (method, path): (&str, &str), body: &[u8], manners: Manners) -> (&'static str, String) {
    let is_anthropic = path.contains("/messages");
    let place = path.split('?').next().unwrap_or_default();
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    let last = place.rsplit('/').next().unwrap_or_default().to_owned();
    let is_batches = place.contains("/batches");
    match (method, is_batches) {
        ("POST", false) if last == "files" => {
            let text = String::from_utf8_lossy(body).into_owned();
            let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("{\"")).collect();
            let id = format!("file-{}", kept.asked.len());
            kept.files.insert(id.clone(), lines.join("\n"));
            ("200 OK", json!({"id": id, "object": "file", "purpose": "batch"}).to_string())
        }
        ("POST", false) => {
            kept.n_alone += 1;
            ("200 OK", answer_to(&json, "", is_anthropic).to_string())
        }
        ("POST", true) if last == "batches" => {
            if let Some(why) = manners.refuses {
                return ("400 Bad Request", json!({"error": {"message": why}}).to_string());
            }
            made(kept, &json, is_anthropic)
        }
        ("GET", true) if last == "batches" => {
            let all = kept.batches.clone();
            let data: Vec<Value> = all.iter().rev().map(|(id, _)| state(kept, id, manners)).collect();
            ("200 OK", json!({"data": data, "has_more": false}).to_string())
        }
        ("GET", true) if last == "results" => {
            let id = place.rsplit('/').nth(1).unwrap_or_default();
            match kept.batches.iter().find(|(known, _)| known == id) {
                Some((_, prompts)) => ("200 OK", lines_of(prompts, manners.lines, true)),
                None => ("404 Not Found", "{}".to_owned()),
            }
        }
        ("GET", true) if kept.batches.iter().any(|(id, _)| *id == last) => {
            ("200 OK", state(kept, &last, manners).to_string())
        }
        ("GET", false) if last == "content" => {
            let id = place.rsplit('/').nth(1).unwrap_or_default().replace("out-", "");
            match kept.batches.iter().find(|(known, _)| *known == id) {
                Some((_, prompts)) => ("200 OK", lines_of(prompts, manners.lines, false)),
                None => ("404 Not Found", "{}".to_owned()),
            }
        }
        ("DELETE", false) => {
            kept.files.remove(&last);
            ("200 OK", "{}".to_owned())
        }
        ("POST", true) if manners.refuses.is_some() => {
            ("400 Bad Request", json!({"error": {"message": manners.refuses}}).to_string())
        }
        ("DELETE", true) | ("POST", true) => ("200 OK", "{}".to_owned()),
        _ => ("404 Not Found", json!({"error": {"message": "there is none"}}).to_string()),
    }
}

/// Takes a batch.
fn made(kept: &mut Kept, json: &Value, is_anthropic: bool) -> (&'static str, String) {
    let id = format!("batch_{}", kept.batches.len());
    let prompts: Vec<(String, Value)> = match is_anthropic {
        true => {
            let all = json["requests"].as_array().cloned().unwrap_or_default();
            all.iter().map(|one| (one["custom_id"].as_str().unwrap_or("").to_owned(), one["params"].clone())).collect()
        }
        false => {
            let file = kept.files.get(json["input_file_id"].as_str().unwrap_or("")).cloned().unwrap_or_default();
            let all = file.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            all.map(|one| (one["custom_id"].as_str().unwrap_or("").to_owned(), one["body"].clone())).collect()
        }
    };
    if !is_anthropic {
        let about = json!({"code": json["metadata"]["kenning"], "file": json["input_file_id"]});
        kept.files.insert(format!("about-{id}"), about.to_string());
    }
    kept.batches.push((id.clone(), prompts));
    ("200 OK", json!({"id": id, "processing_status": "in_progress", "status": "validating"}).to_string())
}

/// A batch as the provider tells of it.
fn state(kept: &Kept, id: &str, manners: Manners) -> Value {
    let n = kept.batches.iter().find(|(known, _)| known == id).map_or(0, |(_, prompts)| prompts.len());
    let about: Value =
        kept.files.get(&format!("about-{id}")).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let (processing, status) = if manners.never_ends { ("in_progress", "in_progress") } else { ("ended", "completed") };
    let mut state = json!({"id": id, "processing_status": processing, "status": status,
        "created_at": "2026-06-01T13:00:00Z",
        "request_counts": {"processing": 0, "succeeded": n, "errored": 0, "canceled": 0, "expired": 0},
        "results_url": "http://192.0.2.1/steal-the-key"});
    if !about.is_null() {
        state["metadata"] = json!({"kenning": about["code"]});
        state["input_file_id"] = about["file"].clone();
        state["output_file_id"] = json!(if manners.never_ends { String::new() } else { format!("out-{id}") });
    }
    state
}

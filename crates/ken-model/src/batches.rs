//! Batches of prompts at servers: how they are sent, looked for, and collected.
//!
//! Anthropic takes the prompts in one request and gives the replies as lines; OpenAI takes them as a file and gives them
//! as files. Nothing is tried again here: a batch that may have arrived is looked for, not sent a second time. No address
//! that a server names is asked: ids are checked, and put behind the address that the user's file has.

use std::collections::BTreeMap;
use std::fmt::Display;

use ken_core::Timestamp;
use serde_json::{Value, json};

use crate::batch::{BatchReply, BatchState, Batches, Found, SentPrompt};
use crate::error::{ErrorKind, ModelError, shown};
use crate::http::{Answer, Body, JSON};
use crate::prompt::{Prompt, Usage};
use crate::server::{Asked, Batching, Protocol};

/// Batches that are looked through for one whose id was never learned.
const LISTED_MAX: usize = 100;
/// How far two clocks may be apart, in seconds.
const CLOCKS_APART_S: i64 = 600;
/// Longest id that a server gives.
const ID_CHARS_MAX: usize = 128;
/// The name under which a batch's code is kept where a server keeps one.
const CODE: &str = "kenning";

/// What is sent of it that costs something.
const NOTHING: Usage = Usage { input: 0, cache_read: 0, cache_write: 0, output: 0, is_estimate: false, cost: None };

/// Returns an id that may stand in an address.
fn checked(id: &Value) -> Option<String> {
    let id = id.as_str()?;
    let is_plain = |ch: char| ch.is_ascii_alphanumeric() || ch == '_' || ch == '-';
    ((1..=ID_CHARS_MAX).contains(&id.len()) && id.chars().all(is_plain)).then(|| id.to_owned())
}

impl<P: Protocol> Asked<P> {
    fn has_files(&self) -> bool {
        self.protocol.batching() == Some(Batching::Files)
    }

    /// Where batches are: beside where prompts are asked.
    fn place(&self, rest: impl Display) -> String {
        let beside = if self.has_files() { "" } else { self.client.path() };
        format!("{beside}/batches{rest}")
    }

    fn request(&self, method: &str, path: &str, body: Option<Body>, sent: Usage) -> Result<Answer, ModelError> {
        self.client.send(method, path, body, (sent, self.timeout())).map_err(|failed| *failed.error)
    }

    fn fetch(&self, path: &str) -> Result<Value, ModelError> {
        let answer = self.request("GET", path, None, NOTHING)?;
        self.client.object(&answer, NOTHING).map_err(|failed| *failed.error)
    }

    fn id_of(&self, answer: &Answer, sent: Usage) -> Result<String, ModelError> {
        let answer = self.client.object(answer, sent).map_err(|failed| *failed.error)?;
        checked(&answer["id"]).ok_or_else(|| {
            let message = format!("`{}` took a batch and gave it no id that could be one", self.name);
            ModelError::new(ErrorKind::Unusable, message)
        })
    }

    fn send_lines(&self, prompts: &[(String, Prompt)], sent: Usage) -> Result<String, ModelError> {
        let one = |(name, prompt): &(String, Prompt)| json!({"custom_id": name, "params": self.body(prompt)});
        let body = json!({"requests": prompts.iter().map(one).collect::<Vec<_>>()});
        let body = Body { kind: JSON.to_owned(), bytes: body.to_string().into_bytes() };
        let answer = self.request("POST", &self.place(""), Some(body), sent)?;
        self.id_of(&answer, sent)
    }

    fn send_file(&self, code: &str, prompts: &[(String, Prompt)], sent: Usage) -> Result<String, ModelError> {
        let endpoint = format!("/v1{}", self.client.path());
        let one = |(name, prompt): &(String, Prompt)| {
            json!({"custom_id": name, "method": "POST", "url": endpoint, "body": self.body(prompt)}).to_string()
        };
        let lines: Vec<String> = prompts.iter().map(one).collect();
        let (kind, bytes) = form(code, &lines.join("\n"));
        let upload = Body { kind, bytes };
        let answer = self.request("POST", "/files", Some(upload), NOTHING)?;
        let file = self.id_of(&answer, NOTHING)?;
        let body = json!({"input_file_id": file, "endpoint": endpoint, "completion_window": "24h",
            "metadata": {CODE: code}});
        let body = Body { kind: JSON.to_owned(), bytes: body.to_string().into_bytes() };
        let answer = self.request("POST", &self.place(""), Some(body), sent)?;
        self.id_of(&answer, sent)
    }

    /// What the lines of a file say of the prompts that were sent; lines that say nothing of them are left out.
    fn told_of(&self, bytes: &[u8], sent: &BTreeMap<String, SentPrompt>, out: &mut BTreeMap<String, BatchReply>) {
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Value>(line) else { continue };
            let Some(name) = line["custom_id"].as_str() else { continue };
            let Some(prompt) = sent.get(name) else { continue };
            let said =
                if self.has_files() { self.said_in_file(&line, *prompt) } else { self.said_in_lines(&line, *prompt) };
            // What is said first of a prompt holds.
            out.entry(name.to_owned()).or_insert(said);
        }
    }

    fn said_in_lines(&self, line: &Value, prompt: SentPrompt) -> BatchReply {
        let result = &line["result"];
        match result["type"].as_str().unwrap_or_default() {
            "succeeded" => self.answered(&result["message"], prompt),
            "expired" => BatchReply::NotDone("the batch ran out of time before it".to_owned()),
            "canceled" => BatchReply::NotDone("the batch was cancelled before it".to_owned()),
            _ => {
                let error =
                    if result["error"]["error"].is_object() { &result["error"]["error"] } else { &result["error"] };
                self.refused(error["message"].as_str())
            }
        }
    }

    fn said_in_file(&self, line: &Value, prompt: SentPrompt) -> BatchReply {
        let (error, response) = (&line["error"], &line["response"]);
        match error["code"].as_str() {
            Some("batch_expired") => BatchReply::NotDone("the batch ran out of time before it".to_owned()),
            Some("batch_cancelled") => BatchReply::NotDone("the batch was cancelled before it".to_owned()),
            _ if response["status_code"] == 200 => self.answered(&response["body"], prompt),
            _ => self.refused(response["body"]["error"]["message"].as_str().or(error["message"].as_str())),
        }
    }

    fn answered(&self, answer: &Value, SentPrompt { prompt_tokens, reply_tokens_max }: SentPrompt) -> BatchReply {
        let told = self.protocol.told(answer);
        let usage = told.usage.unwrap_or_else(|| {
            let output = ken_core::budget::count(&told.text).0 as u64;
            Usage { input: prompt_tokens, output, is_estimate: true, ..NOTHING }
        });
        match self.reply(told, usage, reply_tokens_max) {
            Ok(reply) => BatchReply::Answered(reply),
            Err(failed) => BatchReply::Failed(*failed.error),
        }
    }

    /// One prompt that was not answered; the others were, so it is because of this one.
    fn refused(&self, words: Option<&str>) -> BatchReply {
        let why = shown(words.unwrap_or("it says no more"), None);
        let message = format!("`{}` did not answer it in a batch: {why}", self.name);
        BatchReply::Failed(ModelError::new(ErrorKind::Unusable, message))
    }
}

/// A form with a file, as browsers send it, and its media type. The code that stands around is no text's to know.
fn form(code: &str, file: &str) -> (String, Vec<u8>) {
    let mark = format!("ken-{code}");
    let body = format!(
        "--{mark}\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n\
         --{mark}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{CODE}-{code}.jsonl\"\r\n\
         content-type: application/jsonl\r\n\r\n{file}\r\n--{mark}--\r\n"
    );
    (format!("multipart/form-data; boundary={mark}"), body.into_bytes())
}

impl<P: Protocol> Batches for Asked<P> {
    fn account(&self) -> String {
        self.client.address().to_owned()
    }

    fn is_at_home(&self) -> bool {
        self.client.is_at_home()
    }

    fn send(&self, code: &str, prompts: &[(String, Prompt)]) -> Result<String, ModelError> {
        let sent = prompts.iter().map(|(_, prompt)| Usage::estimated(prompt, "")).sum();
        if self.has_files() { self.send_file(code, prompts, sent) } else { self.send_lines(prompts, sent) }
    }

    fn find(&self, code: &str, since: Timestamp, n_prompts: usize) -> Result<Found, ModelError> {
        let list = self.fetch(&self.place(format!("?limit={LISTED_MAX}")))?;
        let mut found = Found::Nothing;
        for one in list["data"].as_array().into_iter().flatten().take(LISTED_MAX) {
            let Some(id) = checked(&one["id"]) else { continue };
            if self.has_files() {
                if one["metadata"][CODE] == code {
                    return Ok(Found::Batch(id));
                }
                continue;
            }
            // What was sent shows only in what came of it.
            let made = one["created_at"].as_str().and_then(|at| at.parse::<Timestamp>().ok());
            let is_later = made.is_none_or(|at| at.as_second() >= since.as_second() - CLOCKS_APART_S);
            let counts = one["request_counts"].as_object().into_iter().flatten();
            let n: u64 = counts.filter_map(|(_, n)| n.as_u64()).fold(0, u64::saturating_add);
            if !is_later || n != n_prompts as u64 {
                continue;
            }
            if one["processing_status"] != "ended" {
                found = Found::Perhaps;
                continue;
            }
            let lines = self.request("GET", &self.place(format!("/{id}/results")), None, NOTHING)?;
            let is_ours = |line: &[u8]| {
                let line: Value = serde_json::from_slice(line).unwrap_or_default();
                line["custom_id"].as_str().is_some_and(|name| name.starts_with(&format!("{code}-")))
            };
            if lines.bytes.split(|byte| *byte == b'\n').any(is_ours) {
                return Ok(Found::Batch(id));
            }
        }
        Ok(found)
    }

    fn look(&self, id: &str) -> Result<BatchState, ModelError> {
        let Some(id) = checked(&json!(id)) else { return Ok(BatchState::Unknown) };
        let batch = match self.fetch(&self.place(format!("/{id}"))) {
            Err(error) if error.kind == ErrorKind::Refused && error.message.contains("status 404") => {
                return Ok(BatchState::Unknown);
            }
            other => other?,
        };
        let state = batch[if self.has_files() { "status" } else { "processing_status" }].as_str().unwrap_or_default();
        if state == "failed" {
            let why = batch["errors"]["data"][0]["message"].as_str().unwrap_or("it says no more");
            return Ok(BatchState::Refused(format!("`{}` refused the batch: {}", self.name, shown(why, None))));
        }
        let is_ended = ["ended", "completed", "expired", "cancelled"].contains(&state);
        Ok(if is_ended { BatchState::Ended } else { BatchState::UnderWay })
    }

    fn collect(
        &self,
        id: &str,
        sent: &BTreeMap<String, SentPrompt>,
    ) -> Result<BTreeMap<String, BatchReply>, ModelError> {
        let mut out = BTreeMap::new();
        let Some(id) = checked(&json!(id)) else { return Ok(out) };
        if !self.has_files() {
            let lines = self.request("GET", &self.place(format!("/{id}/results")), None, NOTHING)?;
            self.told_of(&lines.bytes, sent, &mut out);
            return Ok(out);
        }
        let batch = self.fetch(&self.place(format!("/{id}")))?;
        for file in ["output_file_id", "error_file_id"].iter().filter_map(|name| checked(&batch[*name])) {
            let lines = self.request("GET", &format!("/files/{file}/content"), None, NOTHING)?;
            self.told_of(&lines.bytes, sent, &mut out);
        }
        Ok(out)
    }

    fn cancel(&self, id: &str) -> Result<(), ModelError> {
        let Some(id) = checked(&json!(id)) else { return Ok(()) };
        let body = Body { kind: JSON.to_owned(), bytes: b"{}".to_vec() };
        self.request("POST", &self.place(format!("/{id}/cancel")), Some(body), NOTHING).map(drop)
    }

    fn forget(&self, id: &str) {
        let Some(id) = checked(&json!(id)) else { return };
        // What is not deleted now goes when the provider's own time for it is over.
        if !self.has_files() {
            let _ = self.request("DELETE", &self.place(format!("/{id}")), None, NOTHING);
            return;
        }
        let Ok(batch) = self.fetch(&self.place(format!("/{id}"))) else { return };
        for name in ["input_file_id", "output_file_id", "error_file_id"] {
            if let Some(file) = checked(&batch[name]) {
                let _ = self.request("DELETE", &format!("/files/{file}"), None, NOTHING);
            }
        }
    }
}

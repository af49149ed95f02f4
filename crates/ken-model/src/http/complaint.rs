//! What a server says when it does not do what it was asked: providers say the same in different forms.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use serde_json::Value;
use ureq::http::HeaderMap;

/// Codes of money that is spent, or a month's limit that is reached: waiting seconds does not help.
const BROKE: [&str; 4] =
    ["enforced_spend_limit_reached", "insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];

/// What is said of prompts that are too long, in small letters.
const TOO_LONG: [&str; 5] = [
    "prompt is too long",
    "exceeds the context length",
    "exceeds the available context",
    "maximum context length",
    "exceeds the maximum number of tokens",
];

/// An answer that is an error.
#[derive(Debug)]
pub(super) struct Complaint {
    /// What it says, for people.
    pub(super) words: String,
    /// What it says for programs, whatever the field is called.
    codes: Vec<String>,
    error: Value,
}

impl Complaint {
    /// Returns what an answer complains of.
    pub(super) fn of(body: &Value) -> Complaint {
        // Some say it in a list of one.
        let body = body.get(0).unwrap_or(body);
        let mut error = body["error"].clone();
        // Some hand on the answer of another server, as a text.
        if let Some(inner) = error.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()) {
            error = inner.get("error").cloned().unwrap_or(inner);
        }
        let words = error["message"].as_str().or(error.as_str()).or(body["message"].as_str()).unwrap_or_default();
        let details = error["details"].as_array().map_or(&[][..], Vec::as_slice);
        let reasons = details.iter().map(|detail| &detail["reason"]);
        let codes = [&error["code"], &error["type"], &error["status"], &error["details"]["error_code"]];
        let codes = codes.into_iter().chain(reasons).filter_map(|code| code.as_str().map(str::to_owned)).collect();
        Complaint { words: words.to_owned(), codes, error }
    }

    /// Whether prompt and reply do not fit into the window.
    pub(super) fn is_about_length(&self) -> bool {
        let words = self.words.to_lowercase();
        self.has(&["context_length_exceeded", "exceed_context_size_error"])
            || TOO_LONG.iter().any(|part| words.contains(part))
    }

    /// Whether the key is none, where the status does not say so.
    pub(super) fn is_about_key(&self) -> bool {
        self.has(&["API_KEY_INVALID", "invalid_api_key"])
    }

    /// Whether the money is spent, or what a day or month may hold.
    pub(super) fn is_broke(&self) -> bool {
        let is_daily = self.details("violations").any(|violations| {
            let violations = violations.as_array().map_or(&[][..], Vec::as_slice);
            violations.iter().any(|one| one["quotaId"].as_str().is_some_and(|id| id.contains("PerDay")))
        });
        is_daily || self.has(&BROKE) || self.words.contains("credit balance is too low")
    }

    /// How long the server asks to wait in its answer's body.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        let delay = self.details("retryDelay").find_map(|delay| delay.as_str())?;
        seconds(delay.strip_suffix('s')?)
    }

    fn details(&self, name: &'static str) -> impl Iterator<Item = &Value> {
        let details = self.error["details"].as_array().map_or(&[][..], Vec::as_slice);
        details.iter().filter_map(move |detail| detail.get(name))
    }

    fn has(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }
}

/// The status that an answer tells of in its body, when it is an error and nothing else.
pub(super) fn stated(answer: &Value) -> Option<u16> {
    let error = &answer["error"];
    let is_error = error["message"].is_string() || error.is_string();
    let has_failed = answer["status"] == "failed";
    let is_reply = ["choices", "content", "output", "candidates"].iter().any(|name| answer.get(name).is_some());
    if !is_error || is_reply && !has_failed {
        return None;
    }
    let status = error["code"].as_u64().and_then(|code| u16::try_from(code).ok());
    let status = status.filter(|code| (400..600).contains(code));
    let is_busy = error["code"] == "rate_limit_exceeded";
    Some(status.unwrap_or(if is_busy { 429 } else { 500 }))
}

/// How long a server asks to wait in its headers, in seconds or until a date. The date is compared with the
/// server's own, if it says: clocks differ.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(millis) = text("retry-after-ms").and_then(|millis| millis.parse::<u32>().ok()) {
        return Some(Duration::from_millis(u64::from(millis)));
    }
    let asked = text("retry-after")?;
    if let Some(asked) = seconds(asked) {
        return Some(asked);
    }
    let date = |text: &str| DateTimeParser::new().parse_timestamp(text).ok();
    let now = text("date").and_then(date).unwrap_or_else(Timestamp::now);
    let seconds = date(asked)?.as_second() - now.as_second();
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

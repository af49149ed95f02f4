//! Anthropic's Messages API.
//!
//! The reply is held to the schema by `output_config.format`: newer models refuse to be forced to a tool, and
//! none of them has to call one to answer. Rules and context are marked for the provider's cache. Thinking is
//! left to the model; what it thinks is not read.

use serde_json::{Value, json};

use crate::http::{KeyHeader, Manner};
use crate::prompt::Usage;
use crate::server::{Batching, Call, End, Protocol, Told};
use crate::settings::{ANTHROPIC_URL, Server};

/// The protocol.
#[derive(Debug)]
pub(crate) struct Anthropic;

impl Protocol for Anthropic {
    fn manner(&self, _: &str, server: &Server) -> Manner {
        // Some write the address with the version, some without.
        let has_version = server.url.trim_end_matches('/').ends_with("/v1");
        Manner {
            table: "anthropic".to_owned(),
            path: if has_version { "/messages" } else { "/v1/messages" }.to_owned(),
            headers: &[("anthropic-version", "2023-06-01")],
            key_header: KeyHeader::Named("x-api-key"),
            home: Some(ANTHROPIC_URL),
        }
    }

    fn body(&self, call: &Call<'_>) -> Value {
        let Call { model, prompt, server, is_structured, tokens_max, .. } = call;
        let cached = |text: &str| json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}});
        let mut body = json!({"model": model, "max_tokens": tokens_max});
        // The server refuses texts that are empty.
        if !prompt.rules.is_empty() {
            body["system"] = json!([cached(&prompt.rules)]);
        }
        let mut content = Vec::new();
        if !prompt.context.is_empty() {
            content.push(cached(&prompt.context));
        }
        content.push(json!({"type": "text", "text": prompt.input}));
        if !is_structured {
            content.push(json!({"type": "text", "text": prompt.wanted()}));
        }
        body["messages"] = json!([{"role": "user", "content": content}]);
        let mut output = serde_json::Map::new();
        if *is_structured {
            output.insert("format".to_owned(), json!({"type": "json_schema", "schema": prompt.schema.json}));
        }
        if let Some(effort) = &server.effort {
            output.insert("effort".to_owned(), json!(effort));
        }
        if !output.is_empty() {
            body["output_config"] = Value::Object(output);
        }
        if let Some(temperature) = server.temperature {
            body["temperature"] = json!(temperature);
        }
        body
    }

    fn batching(&self) -> Option<Batching> {
        Some(Batching::Lines)
    }

    fn told(&self, answer: &Value) -> Told {
        let blocks = answer["content"].as_array().map_or(&[][..], Vec::as_slice);
        let texts = blocks.iter().filter(|block| block["type"] == "text");
        let text = texts.filter_map(|block| block["text"].as_str()).collect();
        let end = match answer["stop_reason"].as_str().unwrap_or("end_turn") {
            "end_turn" | "stop_sequence" => End::Done,
            "max_tokens" => End::CutOff,
            "model_context_window_exceeded" => End::WindowFull(None),
            "refusal" => End::Declined(answer["stop_details"]["explanation"].as_str().unwrap_or_default().to_owned()),
            other => End::Other(other.to_owned()),
        };
        Told { text, usage: usage(&answer["usage"]), end }
    }
}

fn usage(said: &Value) -> Option<Usage> {
    let number = |name: &str| said[name].as_u64().unwrap_or(0);
    Some(Usage {
        input: said["input_tokens"].as_u64()?,
        cache_read: number("cache_read_input_tokens"),
        cache_write: number("cache_creation_input_tokens"),
        output: number("output_tokens"),
        is_estimate: false,
        cost: None,
    })
}

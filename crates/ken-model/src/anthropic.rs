//! Anthropic's Messages API.
//!
//! The reply is held to the schema by `output_config.format`: newer models refuse to be forced to a tool, and
//! none of them has to call one to answer. Rules and context are marked for the provider's cache. Thinking is
//! left to the model; what it thinks is not read.

use std::time::Duration;

use serde_json::{Value, json};

use crate::command::wanted;
use crate::error::{ErrorKind, ModelError, shown};
use crate::http::{Client, KeyHeader, Manner};
use crate::model::Model;
use crate::prompt::{Prompt, Reply, Usage};
use crate::retry::{Again, Failed, Patience};
use crate::settings::{ANTHROPIC_URL, Server, Settings};

/// A model of Anthropic.
#[derive(Debug)]
pub(crate) struct Anthropic {
    name: String,
    model: String,
    server: Server,
    client: Client,
    patience: Patience,
}

impl Anthropic {
    pub(crate) fn new(name: String, model: &str, settings: &Settings) -> Result<Anthropic, ModelError> {
        let server = settings.anthropic.clone();
        let manner = Manner {
            table: "anthropic",
            // Some write the address with the version, some without.
            path: if server.url.trim_end_matches('/').ends_with("/v1") { "/messages" } else { "/v1/messages" },
            headers: &[("anthropic-version", "2023-06-01")],
            key_header: KeyHeader::ApiKey,
            home: Some(ANTHROPIC_URL),
        };
        let client = Client::new(&name, &server, &manner)?;
        Ok(Anthropic { name, model: model.to_owned(), server, client, patience: Patience::of(settings) })
    }

    /// Most tokens that the server may make: it does not tell thinking and reply apart.
    fn tokens_max(&self, prompt: &Prompt) -> u64 {
        prompt.reply_tokens_max.saturating_add(self.server.thinking_tokens_max)
    }

    fn body(&self, prompt: &Prompt) -> Value {
        let cached = |text: &str| json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}});
        let mut body = json!({"model": self.model, "max_tokens": self.tokens_max(prompt)});
        // The server refuses texts that are empty.
        if !prompt.rules.is_empty() {
            body["system"] = json!([cached(&prompt.rules)]);
        }
        let mut content = Vec::new();
        if !prompt.context.is_empty() {
            content.push(cached(&prompt.context));
        }
        content.push(json!({"type": "text", "text": prompt.input}));
        if !self.server.is_structured {
            content.push(json!({"type": "text", "text": wanted(prompt)}));
        }
        body["messages"] = json!([{"role": "user", "content": content}]);
        let mut output = serde_json::Map::new();
        if self.server.is_structured {
            output.insert("format".to_owned(), json!({"type": "json_schema", "schema": prompt.schema.json}));
        }
        if let Some(effort) = &self.server.effort {
            output.insert("effort".to_owned(), json!(effort));
        }
        if !output.is_empty() {
            body["output_config"] = Value::Object(output);
        }
        if let Some(temperature) = self.server.temperature {
            body["temperature"] = json!(temperature);
        }
        body
    }

    fn attempt(&self, prompt: &Prompt, body: &Value, left: Duration) -> Result<Reply, Failed> {
        let answer = self.client.post(body, Usage::estimated(prompt, ""), left)?;
        let blocks = answer["content"].as_array().map_or(&[][..], Vec::as_slice);
        let texts = blocks.iter().filter(|block| block["type"] == "text");
        let text: String = texts.filter_map(|block| block["text"].as_str()).collect();
        let usage = usage(&answer["usage"]).unwrap_or_else(|| Usage::estimated(prompt, &text));
        let name = &self.name;
        let unusable = |message: String| ModelError::new(ErrorKind::Unusable, message).spent(usage);
        match answer["stop_reason"].as_str().unwrap_or("end_turn") {
            "end_turn" | "stop_sequence" => {}
            "max_tokens" => return Err(cut_off(name, self.tokens_max(prompt), usage).into()),
            "model_context_window_exceeded" => {
                let message = format!("the window of `{name}` is too small for the prompt and its reply");
                return Err(ModelError::new(ErrorKind::TooLong, message).spent(usage).into());
            }
            "refusal" => {
                let why = answer["stop_details"]["explanation"].as_str().unwrap_or_default();
                return Err(unusable(declined(name, why)).into());
            }
            other => {
                let other = shown(other, None);
                return Err(unusable(format!("`{name}` stopped with `{other}` before its reply was done")).into());
            }
        }
        if text.trim().is_empty() {
            let error = unusable(format!("the reply of `{name}` is empty"));
            return Err(Failed::new(error, Again::Once));
        }
        Ok(Reply { text, usage })
    }
}

impl Model for Anthropic {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> String {
        parameters(&self.client, &self.server)
    }

    fn thinking_tokens_max(&self) -> u64 {
        self.server.thinking_tokens_max
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, ModelError> {
        let body = self.body(prompt);
        self.patience.persist(&|left| self.attempt(prompt, &body, left))
    }
}

/// What determines the replies of a server, besides the model's name.
pub(crate) fn parameters(client: &Client, server: &Server) -> String {
    let effort = server.effort.as_deref().unwrap_or("-");
    let temperature = server.temperature.map_or_else(|| "-".to_owned(), |value| value.to_string());
    format!("{} effort={effort} temperature={temperature} schema={}", client.address(), server.is_structured)
}

/// A reply that reached the most tokens that it may have.
pub(crate) fn cut_off(name: &str, tokens_max: u64, usage: Usage) -> ModelError {
    let message = format!("the reply of `{name}` was cut off at {tokens_max} tokens");
    let hint = "thinking counts too: lower `effort`, or raise `thinking_tokens_max`";
    ModelError::new(ErrorKind::TooLong, message).hint(hint).spent(usage)
}

/// A model that does not want to answer.
pub(crate) fn declined(name: &str, why: &str) -> String {
    let why = shown(why, None);
    let why = if why.is_empty() { why } else { format!(": {why}") };
    format!("`{name}` declined to reply{why}")
}

fn usage(said: &Value) -> Option<Usage> {
    let number = |name: &str| said[name].as_u64().unwrap_or(0);
    Some(Usage {
        input: said["input_tokens"].as_u64()?,
        cache_read: number("cache_read_input_tokens"),
        cache_write: number("cache_creation_input_tokens"),
        output: number("output_tokens"),
        is_estimate: false,
    })
}

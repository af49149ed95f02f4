//! The chat request that OpenAI introduced and many servers answer, Ollama on this machine among them.
//!
//! The reply is held to the schema by `response_format`. Context and input go as one message: some models'
//! templates refuse two in a row, and caches look at beginnings anyway. No tools, no streaming.

use std::time::Duration;

use serde_json::{Value, json};

use crate::anthropic::{cut_off, declined, parameters};
use crate::command::wanted;
use crate::error::{ErrorKind, ModelError};
use crate::http::{Client, KeyHeader, Manner};
use crate::model::Model;
use crate::prompt::{Prompt, Reply, Usage};
use crate::retry::{Again, Failed, Patience};
use crate::settings::{OPENAI_URL, Server, Settings};

/// A model behind the chat request.
#[derive(Debug)]
pub(crate) struct OpenAi {
    name: String,
    model: String,
    is_ollama: bool,
    server: Server,
    client: Client,
    patience: Patience,
}

impl OpenAi {
    pub(crate) fn new(name: String, model: &str, is_ollama: bool, settings: &Settings) -> Result<OpenAi, ModelError> {
        let server = if is_ollama { settings.ollama.clone() } else { settings.openai.clone() };
        let manner = Manner {
            table: if is_ollama { "ollama" } else { "openai" },
            path: "/chat/completions",
            headers: &[],
            key_header: KeyHeader::Bearer,
            home: (!is_ollama).then_some(OPENAI_URL),
        };
        let client = Client::new(&name, &server, &manner)?;
        let patience = Patience::of(settings);
        Ok(OpenAi { name, model: model.to_owned(), is_ollama, server, client, patience })
    }

    /// Most tokens that the server may make: it does not tell thinking and reply apart.
    fn tokens_max(&self, prompt: &Prompt) -> u64 {
        prompt.reply_tokens_max.saturating_add(self.server.thinking_tokens_max)
    }

    fn body(&self, prompt: &Prompt) -> Value {
        let wanted = if self.server.is_structured { String::new() } else { wanted(prompt) };
        let texts = [prompt.context.as_str(), &prompt.input, &wanted];
        let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let mut messages = Vec::new();
        if !prompt.rules.is_empty() {
            messages.push(json!({"role": "system", "content": prompt.rules}));
        }
        messages.push(json!({"role": "user", "content": texts.join("\n\n")}));
        let mut body = json!({"model": self.model, "messages": messages});
        // OpenAI renamed it when models began to think; Ollama knows only the old name.
        let most = if self.is_ollama { "max_tokens" } else { "max_completion_tokens" };
        body[most] = json!(self.tokens_max(prompt));
        if self.server.is_structured {
            let schema = json!({"name": prompt.schema.name, "strict": true, "schema": prompt.schema.json});
            body["response_format"] = json!({"type": "json_schema", "json_schema": schema});
        }
        if let Some(effort) = &self.server.effort {
            body["reasoning_effort"] = json!(effort);
        }
        if let Some(temperature) = self.server.temperature {
            body["temperature"] = json!(temperature);
        }
        body
    }

    fn attempt(&self, prompt: &Prompt, body: &Value, left: Duration) -> Result<Reply, Failed> {
        let answer = self.client.post(body, Usage::estimated(prompt, ""), left)?;
        let choice = &answer["choices"][0];
        let text = words(&choice["message"]["content"]);
        let usage = usage(&answer["usage"]).unwrap_or_else(|| Usage::estimated(prompt, &text));
        let name = &self.name;
        let unusable = |message: String| ModelError::new(ErrorKind::Unusable, message).spent(usage);
        if let Some(why) = choice["message"]["refusal"].as_str().filter(|why| !why.is_empty()) {
            return Err(unusable(declined(name, why)).into());
        }
        match choice["finish_reason"].as_str().unwrap_or("stop") {
            "length" => return Err(cut_off(name, self.tokens_max(prompt), usage).into()),
            "content_filter" => return Err(unusable(declined(name, "a content filter stopped it")).into()),
            "error" => return Err(unusable(format!("`{name}` stopped with an error before its reply was done")).into()),
            // Servers of this kind have many words for a good end.
            _ => {}
        }
        if text.trim().is_empty() {
            let error = unusable(format!("the reply of `{name}` is empty"));
            return Err(Failed::new(error, Again::Once));
        }
        Ok(Reply { text, usage })
    }
}

impl Model for OpenAi {
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

/// The words of a message: one text, or the texts among several parts; what models think is a part of its own.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter(|part| part["type"] == "text");
            texts.filter_map(|part| part["text"].as_str()).collect()
        }
        _ => String::new(),
    }
}

/// What the server says it took; it counts cached tokens as part of the prompt, we count each once.
fn usage(said: &Value) -> Option<Usage> {
    let all = said["prompt_tokens"].as_u64()?;
    let details = &said["prompt_tokens_details"];
    let cache_read = details["cached_tokens"].as_u64().unwrap_or(0).min(all);
    let cache_write = details["cache_write_tokens"].as_u64().unwrap_or(0).min(all - cache_read);
    let output = said["completion_tokens"].as_u64().unwrap_or(0);
    Some(Usage { input: all - cache_read - cache_write, cache_read, cache_write, output, is_estimate: false })
}

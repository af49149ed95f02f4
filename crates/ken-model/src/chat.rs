//! The chat request that OpenAI introduced and many servers answer.
//!
//! The reply is held to the schema by `response_format`. Servers of this kind that ignore it are many and say
//! nothing, so everywhere but at OpenAI the schema stands in the prompt too. No tools, no streaming.

use serde_json::{Value, json};

use crate::http::{KeyHeader, Manner};
use crate::prompt::Usage;
use crate::server::{Batching, Call, End, Protocol, Told};
use crate::settings::{OPENAI_URL, Server};

/// The protocol.
#[derive(Debug)]
pub(crate) struct Chat {
    table: String,
    is_home: bool,
}

impl Chat {
    /// Returns how the server of a table is asked; `is_home` when it is OpenAI's own.
    pub(crate) fn of(table: &str, is_home: bool) -> Chat {
        Chat { table: table.to_owned(), is_home }
    }
}

impl Protocol for Chat {
    fn manner(&self, _: &str, _: &Server) -> Manner {
        Manner {
            table: self.table.clone(),
            path: "/chat/completions".to_owned(),
            headers: &[],
            key_header: KeyHeader::Bearer,
            home: self.is_home.then_some(OPENAI_URL),
        }
    }

    fn body(&self, call: &Call<'_>) -> Value {
        let Call { model, prompt, server, is_structured, wants_new_name, tokens_max } = call;
        let mut messages = Vec::new();
        if !prompt.rules.is_empty() {
            messages.push(json!({"role": "system", "content": prompt.rules}));
        }
        let question = call.question(!is_structured || !self.is_home);
        messages.push(json!({"role": "user", "content": question}));
        let mut body = json!({"model": model, "messages": messages});
        // OpenAI renamed it when models began to think; others still know the old name best, until they say otherwise.
        let is_new = self.is_home || *wants_new_name;
        body[if is_new { "max_completion_tokens" } else { "max_tokens" }] = json!(tokens_max);
        if *is_structured {
            let schema = json!({"name": prompt.schema.name, "strict": true, "schema": prompt.schema.json});
            body["response_format"] = json!({"type": "json_schema", "json_schema": schema});
        }
        if let Some(effort) = &server.effort {
            body["reasoning_effort"] = json!(effort);
        }
        if let Some(temperature) = server.temperature {
            body["temperature"] = json!(temperature);
        }
        body
    }

    fn batching(&self) -> Option<Batching> {
        // Servers with names of their own rarely take files, and none says so.
        (self.table == "openai").then_some(Batching::Files)
    }

    fn told(&self, answer: &Value) -> Told {
        let choice = &answer["choices"][0];
        let text = words(&choice["message"]["content"]);
        let refusal = choice["message"]["refusal"].as_str().filter(|why| !why.is_empty());
        let end = match (refusal, choice["finish_reason"].as_str().unwrap_or("stop")) {
            (Some(why), _) => End::Declined(why.to_owned()),
            (_, "length") => End::CutOff,
            (_, "content_filter") => End::Declined("a content filter stopped it".to_owned()),
            (_, "error") => End::Other("error".to_owned()),
            // Servers of this kind have many words for a good end.
            _ => End::Done,
        };
        Told { text, usage: usage(&answer["usage"]), end }
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

/// What the server says it took.
fn usage(said: &Value) -> Option<Usage> {
    let of = |value: &Value| value.as_u64().unwrap_or(0);
    let details = &said["prompt_tokens_details"];
    let cached = (of(&details["cached_tokens"]), of(&details["cache_write_tokens"]));
    Some(Usage::of_whole_prompt(said["prompt_tokens"].as_u64()?, cached, of(&said["completion_tokens"])))
}

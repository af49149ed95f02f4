//! OpenAI's Responses API.
//!
//! The reply is held to the schema by `text.format`. Nothing is kept at the server (`store`), there are no tools,
//! and no earlier response is gone on with: every prompt stands alone.

use serde_json::{Value, json};

use crate::http::{KeyHeader, Manner};
use crate::prompt::Usage;
use crate::server::{Batching, Call, End, Protocol, Told};
use crate::settings::{OPENAI_URL, Server};

/// The protocol.
#[derive(Debug)]
pub(crate) struct Responses {
    table: String,
    is_home: bool,
}

impl Responses {
    /// Returns how the server of a table is asked; `is_home` when it is OpenAI's own.
    pub(crate) fn of(table: &str, is_home: bool) -> Responses {
        Responses { table: table.to_owned(), is_home }
    }
}

impl Protocol for Responses {
    fn manner(&self, _: &str, _: &Server) -> Manner {
        Manner {
            table: self.table.clone(),
            path: "/responses".to_owned(),
            headers: &[],
            key_header: KeyHeader::Bearer,
            home: self.is_home.then_some(OPENAI_URL),
        }
    }

    fn body(&self, call: &Call<'_>) -> Value {
        let Call { model, prompt, server, is_structured, tokens_max, .. } = call;
        let question = call.question(!is_structured || !self.is_home);
        let mut body = json!({"model": model, "input": question, "max_output_tokens": tokens_max, "store": false});
        if !prompt.rules.is_empty() {
            body["instructions"] = json!(prompt.rules);
        }
        if *is_structured {
            let (name, schema) = (prompt.schema.name, &prompt.schema.json);
            body["text"] = json!({"format": {"type": "json_schema", "name": name, "strict": true, "schema": schema}});
        }
        if let Some(effort) = &server.effort {
            body["reasoning"] = json!({"effort": effort});
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
        let items = answer["output"].as_array().map_or(&[][..], Vec::as_slice);
        let messages = items.iter().filter(|item| item["type"] == "message");
        let parts: Vec<&Value> = messages.filter_map(|item| item["content"].as_array()).flatten().collect();
        let texts = parts.iter().filter(|part| part["type"] == "output_text");
        let text = texts.filter_map(|part| part["text"].as_str()).collect();
        let refusal = parts.iter().find(|part| part["type"] == "refusal").map(|part| part["refusal"].as_str());
        let end = match (refusal, answer["status"].as_str().unwrap_or("completed")) {
            (Some(why), _) => End::Declined(why.unwrap_or_default().to_owned()),
            (_, "completed") => End::Done,
            (_, "incomplete") => match answer["incomplete_details"]["reason"].as_str().unwrap_or_default() {
                "max_output_tokens" => End::CutOff,
                "content_filter" => End::Declined("a content filter stopped it".to_owned()),
                other => End::Other(format!("incomplete {other}")),
            },
            (_, other) => End::Other(other.to_owned()),
        };
        Told { text, usage: usage(&answer["usage"]), end }
    }
}

/// What the server says it took.
fn usage(said: &Value) -> Option<Usage> {
    let of = |value: &Value| value.as_u64().unwrap_or(0);
    let details = &said["input_tokens_details"];
    let cached = (of(&details["cached_tokens"]), of(&details["cache_write_tokens"]));
    Some(Usage::of_whole_prompt(said["input_tokens"].as_u64()?, cached, of(&said["output_tokens"])))
}

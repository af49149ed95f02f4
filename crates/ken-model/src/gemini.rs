//! Google's `generateContent`, as the Gemini API offers it.
//!
//! The reply is held to the schema by `responseJsonSchema`. How much a model thinks is said by `effort`, as a
//! level; its thoughts are not asked for. A prompt that a filter stopped has no candidates.

use serde_json::{Value, json};

use crate::http::{KeyHeader, Manner};
use crate::prompt::Usage;
use crate::server::{Call, End, Protocol, Told};
use crate::settings::{GEMINI_URL, Server};

/// The protocol.
#[derive(Debug)]
pub(crate) struct Gemini;

impl Protocol for Gemini {
    fn manner(&self, model: &str, server: &Server) -> Manner {
        let base = server.url.trim_end_matches('/');
        let version = if base.ends_with("/v1beta") || base.ends_with("/v1") { "" } else { "/v1beta" };
        let model = model.strip_prefix("models/").unwrap_or(model);
        Manner {
            table: "gemini".to_owned(),
            path: format!("{version}/models/{model}:generateContent"),
            headers: &[],
            key_header: KeyHeader::Named("x-goog-api-key"),
            home: Some(GEMINI_URL),
        }
    }

    fn body(&self, call: &Call<'_>) -> Value {
        let Call { prompt, server, is_structured, tokens_max, .. } = call;
        let mut parts = Vec::new();
        if !prompt.context.is_empty() {
            parts.push(json!({"text": prompt.context}));
        }
        parts.push(json!({"text": prompt.input}));
        if !is_structured {
            parts.push(json!({"text": prompt.wanted()}));
        }
        let mut config = json!({"maxOutputTokens": tokens_max, "responseMimeType": "application/json"});
        if *is_structured {
            config["responseJsonSchema"] = prompt.schema.json.clone();
        }
        if let Some(effort) = &server.effort {
            config["thinkingConfig"] = json!({"thinkingLevel": effort});
        }
        if let Some(temperature) = server.temperature {
            config["temperature"] = json!(temperature);
        }
        let mut body = json!({"contents": [{"role": "user", "parts": parts}], "generationConfig": config});
        if !prompt.rules.is_empty() {
            body["systemInstruction"] = json!({"parts": [{"text": prompt.rules}]});
        }
        body
    }

    fn told(&self, answer: &Value) -> Told {
        let candidate = &answer["candidates"][0];
        let parts = candidate["content"]["parts"].as_array().map_or(&[][..], Vec::as_slice);
        let texts = parts.iter().filter(|part| part["thought"] != true);
        let text = texts.filter_map(|part| part["text"].as_str()).collect();
        let filtered = |word: &str| End::Declined(format!("a filter stopped it ({word})"));
        let end = match (answer["promptFeedback"]["blockReason"].as_str(), candidate["finishReason"].as_str()) {
            (Some(word), None) => filtered(word),
            (_, None | Some("STOP")) => End::Done,
            (_, Some("MAX_TOKENS")) => End::CutOff,
            (_, Some(word @ ("SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"))) => {
                filtered(word)
            }
            (_, Some(other)) => End::Other(other.to_owned()),
        };
        Told { text, usage: usage(&answer["usageMetadata"]), end }
    }
}

/// What the server says it took: cached tokens are part of the prompt, thoughts are no part of the candidates.
fn usage(said: &Value) -> Option<Usage> {
    let number = |name: &str| said[name].as_u64().unwrap_or(0);
    let output = number("candidatesTokenCount").saturating_add(number("thoughtsTokenCount"));
    let cached = (number("cachedContentTokenCount"), 0);
    Some(Usage::of_whole_prompt(said["promptTokenCount"].as_u64()?, cached, output))
}

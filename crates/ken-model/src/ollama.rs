//! Ollama's own chat request.
//!
//! Its window is set with every call: the default is a few thousand tokens, and what does not fit is left out
//! without a word. Newer versions can be told not to (`truncate`); older ones are found out by a prompt that
//! took exactly the window. The reply is held to the schema by `format`, and the schema stands in the prompt too.

use serde_json::{Value, json};

use crate::http::{KeyHeader, Manner};
use crate::prompt::{Prompt, Usage};
use crate::server::{Call, End, Protocol, Told};
use crate::settings::Server;

/// The protocol.
#[derive(Debug)]
pub(crate) struct Ollama {
    context_tokens: u64,
}

impl Ollama {
    /// Returns a server without the end that its address has for the other protocol that it speaks.
    pub(crate) fn at(server: &Server) -> Server {
        let url = server.url.trim_end_matches('/');
        Server { url: url.strip_suffix("/v1").unwrap_or(url).to_owned(), ..server.clone() }
    }

    /// Returns how a server is asked.
    pub(crate) fn of(server: &Server) -> Ollama {
        Ollama { context_tokens: server.context_tokens }
    }
}

impl Protocol for Ollama {
    fn manner(&self, _: &str, _: &Server) -> Manner {
        Manner {
            table: "ollama".to_owned(),
            path: "/api/chat".to_owned(),
            headers: &[],
            key_header: KeyHeader::Bearer,
            home: None,
        }
    }

    fn body(&self, call: &Call<'_>) -> Value {
        let Call { model, prompt, server, is_structured, tokens_max, .. } = call;
        let mut messages = Vec::new();
        if !prompt.rules.is_empty() {
            messages.push(json!({"role": "system", "content": prompt.rules}));
        }
        messages.push(json!({"role": "user", "content": call.question(true)}));
        let mut options = json!({"num_ctx": self.context_tokens, "num_predict": tokens_max});
        if let Some(temperature) = server.temperature {
            options["temperature"] = json!(temperature);
        }
        let mut body = json!({"model": model, "messages": messages, "stream": false, "options": options});
        body["truncate"] = json!(false);
        body["shift"] = json!(false);
        if *is_structured {
            body["format"] = prompt.schema.json.clone();
        }
        match server.effort.as_deref() {
            Some("none") => body["think"] = json!(false),
            Some(effort) => body["think"] = json!(effort),
            None => {}
        }
        body
    }

    fn told(&self, answer: &Value) -> Told {
        let text = answer["message"]["content"].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| answer[name].as_u64();
        let (prompt, reply) = (number("prompt_eval_count"), number("eval_count").unwrap_or(0));
        let usage = prompt.map(|input| Usage { input, output: reply, ..Usage::default() });
        // The last token of the window may be kept for the reply.
        let is_full = |tokens: u64| tokens.saturating_add(1) >= self.context_tokens;
        let end = match answer["done_reason"].as_str().unwrap_or("stop") {
            _ if prompt.is_some_and(is_full) => End::WindowFull(Some(self.context_tokens)),
            "stop" => End::Done,
            "length" if is_full(prompt.unwrap_or(0).saturating_add(reply)) => {
                End::WindowFull(Some(self.context_tokens))
            }
            "length" => End::CutOff,
            other => End::Other(other.to_owned()),
        };
        Told { text, usage, end }
    }

    fn parameters(&self, _: &Server) -> String {
        format!(" context={}", self.context_tokens)
    }

    fn refused(&self, prompt: &Prompt, _: &Server) -> Option<String> {
        let (needed, window) = (prompt.tokens(), self.context_tokens);
        let is_too_long = needed >= window;
        is_too_long.then(|| format!("the prompt has about {needed} tokens, and its window {window}"))
    }
}

//! A model behind a server: what is the same whatever protocol the server speaks.
//!
//! A [`Protocol`] says what is sent and understands what comes back; here it is asked, tried again, and what an
//! ending means is decided. A server that refuses to be held to a schema is asked again without: the schema
//! then stands in the prompt.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::batch::Batches;
use crate::error::{ErrorKind, ModelError, shown};
use crate::http::{Client, Manner};
use crate::model::Model;
use crate::prompt::{Prompt, Reply, Usage};
use crate::retry::{Again, Failed, Patience};
use crate::settings::{CALLS_AT_ONCE_MAX, Key, Server, Settings};

/// What the servers of a kind are sent, and what they answer.
pub(crate) trait Protocol: Send + Sync + Debug {
    /// Where and how a model is asked.
    fn manner(&self, model: &str, server: &Server) -> Manner;

    /// What is sent.
    fn body(&self, call: &Call<'_>) -> Value;

    /// What an answer says.
    fn told(&self, answer: &Value) -> Told;

    /// Whatever else determines replies, besides what all servers have.
    fn parameters(&self, _server: &Server) -> String {
        String::new()
    }

    /// How the server takes batches, if it does.
    fn batching(&self) -> Option<Batching> {
        None
    }

    /// Says of a prompt that it cannot be asked at all, before it is.
    fn refused(&self, _prompt: &Prompt, _server: &Server) -> Option<String> {
        None
    }
}

/// How servers take batches of prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Batching {
    /// In one request, collected as lines.
    Lines,
    /// As a file, collected as files.
    Files,
}

/// One prompt to one model.
pub(crate) struct Call<'a> {
    pub(crate) model: &'a str,
    pub(crate) prompt: &'a Prompt,
    pub(crate) server: &'a Server,
    /// Whether the server is asked to hold the model to the schema.
    pub(crate) is_structured: bool,
    /// Whether the server said that it wants the most tokens under their newer name.
    pub(crate) wants_new_name: bool,
    /// Most tokens that the server may make: servers do not tell thinking and reply apart.
    pub(crate) tokens_max: u64,
}

impl Call<'_> {
    /// The texts of the prompt after its rules, as one: some models' templates refuse two messages in a row, and
    /// caches look at beginnings anyway.
    pub(crate) fn question(&self, with_schema: bool) -> String {
        let wanted = if with_schema { self.prompt.wanted() } else { String::new() };
        let texts = [self.prompt.context.as_str(), &self.prompt.input, &wanted];
        texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<&str>>().join("\n\n")
    }
}

/// What an answer says.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) text: String,
    /// None when the server does not say.
    pub(crate) usage: Option<Usage>,
    pub(crate) end: End,
}

/// How a reply ended.
#[derive(Debug)]
pub(crate) enum End {
    Done,
    /// It reached the most tokens that it may have.
    CutOff,
    /// Prompt and reply together reached the window, of so many tokens if that is known.
    WindowFull(Option<u64>),
    /// The model, or a filter, does not want to; with its words.
    Declined(String),
    /// Some other ending, in the server's word.
    Other(String),
}

/// A model behind a server.
#[derive(Debug)]
pub(crate) struct Asked<P> {
    pub(crate) protocol: P,
    pub(crate) name: String,
    model: String,
    server: Server,
    pub(crate) client: Client,
    patience: Patience,
    /// Whether the server said that it knows no schemas.
    knows_no_schema: AtomicBool,
    /// Whether it said that it wants the most tokens under their newer name.
    wants_new_name: AtomicBool,
}

/// Returns a model behind a server.
pub(crate) fn asked_at<P: Protocol + 'static>(
    protocol: P,
    name: String,
    model: &str,
    server: &Server,
    settings: &Settings,
) -> Result<Box<dyn Model>, ModelError> {
    let mut server = server.clone();
    if !settings.is_asked {
        server.key = Key::NotNeeded;
    }
    let client = Client::new(&name, &server, protocol.manner(model, &server))?;
    let (model, patience) = (model.to_owned(), Patience::of(settings));
    let (knows_no_schema, wants_new_name) = (AtomicBool::new(false), AtomicBool::new(false));
    Ok(Box::new(Asked { protocol, name, model, server, client, patience, knows_no_schema, wants_new_name }))
}

impl<P: Protocol> Asked<P> {
    /// What is sent for a prompt.
    fn call<'a>(&'a self, prompt: &'a Prompt) -> Call<'a> {
        Call {
            model: &self.model,
            prompt,
            server: &self.server,
            is_structured: self.server.is_structured && !self.knows_no_schema.load(Ordering::Relaxed),
            wants_new_name: self.wants_new_name.load(Ordering::Relaxed),
            tokens_max: prompt.reply_tokens_max.saturating_add(self.server.thinking_tokens_max),
        }
    }

    /// The body of a request about a prompt.
    pub(crate) fn body(&self, prompt: &Prompt) -> Value {
        self.protocol.body(&self.call(prompt))
    }

    /// How long one request may take.
    pub(crate) fn timeout(&self) -> Duration {
        self.server.timeout
    }

    fn attempt(&self, prompt: &Prompt, left: Duration) -> Result<Reply, Failed> {
        let mut call = self.call(prompt);
        let tokens_max = call.tokens_max;
        loop {
            let failed = match self.client.post(&self.protocol.body(&call), Usage::estimated(prompt, ""), left) {
                Ok(answer) => {
                    let told = self.protocol.told(&answer);
                    let usage = told.usage.unwrap_or_else(|| Usage::estimated(prompt, &told.text));
                    return self.reply(told, usage, tokens_max);
                }
                Err(failed) => failed,
            };
            // Each of these is given up once, so that this ends.
            if call.is_structured && is_about(&failed.error, &SCHEMA_WORDS) {
                call.is_structured = false;
                self.knows_no_schema.store(true, Ordering::Relaxed);
            } else if !call.wants_new_name && is_about(&failed.error, &["max_completion_tokens"]) {
                call.wants_new_name = true;
                self.wants_new_name.store(true, Ordering::Relaxed);
            } else {
                return Err(failed);
            }
        }
    }

    /// What an answer comes to that took so much.
    pub(crate) fn reply(&self, told: Told, usage: Usage, tokens_max: u64) -> Result<Reply, Failed> {
        let Told { text, end, .. } = told;
        let name = &self.name;
        let fail = |kind: ErrorKind, message: String| ModelError::new(kind, message).spent(usage);
        match end {
            End::Done => {}
            End::CutOff => {
                let message = format!("the reply of `{name}` was cut off at {tokens_max} tokens");
                let hint = "thinking counts too: lower `effort`, or raise `thinking_tokens_max`";
                return Err(fail(ErrorKind::TooLong, message).hint(hint).after(text).into());
            }
            End::WindowFull(tokens) => {
                let of = tokens.map(|tokens| format!(" of {tokens} tokens")).unwrap_or_default();
                let message = format!("the window{of} of `{name}` is too small for the prompt and its reply");
                let error = fail(ErrorKind::TooLong, message);
                return Err(match tokens {
                    Some(_) => error.hint("raise `context_tokens`, if the model and the memory allow it").into(),
                    None => error.into(),
                });
            }
            End::Declined(why) => {
                let why = shown(&why, None);
                let why = if why.is_empty() { why } else { format!(": {why}") };
                return Err(fail(ErrorKind::Unusable, format!("`{name}` declined to reply{why}")).into());
            }
            End::Other(word) => {
                let word = shown(&word, None);
                let message = format!("`{name}` stopped with `{word}` before its reply was done");
                return Err(fail(ErrorKind::Unusable, message).into());
            }
        }
        if text.trim().is_empty() {
            return Err(Failed::new(fail(ErrorKind::Unusable, format!("the reply of `{name}` is empty")), Again::Once));
        }
        Ok(Reply { text, usage })
    }
}

impl<P: Protocol> Model for Asked<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> String {
        let server = &self.server;
        let effort = server.effort.as_deref().unwrap_or("-");
        let temperature = server.temperature.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let (address, schema) = (self.client.address(), server.is_structured);
        let further = self.protocol.parameters(server);
        format!("{address} effort={effort} temperature={temperature} schema={schema}{further}")
    }

    fn thinking_tokens_max(&self) -> u64 {
        self.server.thinking_tokens_max
    }

    fn batches(&self) -> Option<&dyn Batches> {
        self.protocol.batching().map(|_| self as &dyn Batches)
    }

    fn calls_at_once_max(&self) -> usize {
        let usual = if self.client.is_here() { 1 } else { CALLS_AT_ONCE_MAX };
        self.server.calls_at_once_max.unwrap_or(usual)
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, ModelError> {
        if let Some(why) = self.protocol.refused(prompt, &self.server) {
            return Err(ModelError::new(ErrorKind::TooLong, format!("`{}` was not asked: {why}", self.name))
                .hint("raise `context_tokens`, if the model and the memory allow it"));
        }
        self.patience.persist(&|left| self.attempt(prompt, left))
    }
}

/// What servers call the schema that they are asked to hold a model to.
const SCHEMA_WORDS: [&str; 5] = ["response_format", "output_config", "text.format", "responsejsonschema", "schema"];

/// Whether a server refused a request because of something in it.
fn is_about(error: &ModelError, words: &[&str]) -> bool {
    let message = error.message.to_lowercase();
    let is_of_request = ["status 400", "status 422", "status 501"].iter().any(|status| message.contains(status));
    error.kind == ErrorKind::Refused && is_of_request && words.iter().any(|word| message.contains(word))
}

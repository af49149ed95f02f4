//! A server that speaks the embeddings request that OpenAI introduced and many others answer.
//!
//! `POST {base}/embeddings` with `{"model", "input"}`; the answer is checked number by number. What is sent
//! are the texts and the name of the model, nothing else. Redirects are not followed, a key goes only over
//! TLS or to this machine, and no error names it. Nothing is tried twice: who calls decides.

use std::fmt;
use std::time::Duration;

use ken_core::{Digest, text};
use serde::{Deserialize, Serialize};
use ureq::http::Uri;

use crate::embedder::{EmbedError, Embedder, Role, normalised};

/// How long a question waits: a search answers by words when the server is slower.
const QUESTION_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a batch of passages waits: on a processor a batch takes seconds.
const PASSAGES_TIMEOUT: Duration = Duration::from_secs(120);
/// Most texts of one request; servers refuse thousands.
const BATCH: usize = 32;
/// Longest text that is sent, in bytes; models look at some thousand.
const TEXT_BYTES_MAX: usize = 8 * 1024;
/// Longest answer: a batch of the widest vectors is below a tenth.
const REPLY_BYTES_MAX: u64 = 32 << 20;
/// Most numbers of a vector.
const DIMENSIONS_MAX: usize = 16 * 1024;
/// Most characters of the server's own words in an error.
const WORDS_CHARS_MAX: usize = 120;

/// Where the server is and what is asked of it.
#[derive(Clone)]
pub struct EndpointSettings {
    /// The part of its address before `/embeddings`.
    pub url: String,
    /// The name of the model, as the server knows it.
    pub model: String,
    /// What it asks to see; never shown.
    pub key: Option<String>,
    /// How long a question and a batch of passages wait; the defaults when none.
    pub timeout: Option<Duration>,
}

impl fmt::Debug for EndpointSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = if self.key.is_some() { "a key" } else { "no key" };
        write!(f, "EndpointSettings({}, {}, {key})", self.url, self.model)
    }
}

/// A server that makes vectors.
pub struct Endpoint {
    settings: EndpointSettings,
    address: String,
    /// Host and model, for people.
    name: String,
    agent: ureq::Agent,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({:?})", self.settings)
    }
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: Vec<&'a str>,
    encoding_format: &'static str,
}

#[derive(Deserialize)]
struct Reply {
    data: Vec<ReplyVector>,
}

#[derive(Deserialize)]
struct ReplyVector {
    #[serde(default)]
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Endpoint {
    /// Returns the server at an address; nothing is sent yet.
    ///
    /// # Errors
    /// When the address is none, or would carry the key in the clear.
    pub fn new(settings: EndpointSettings) -> Result<Endpoint, EmbedError> {
        let address = format!("{}/embeddings", settings.url.trim_end_matches('/'));
        let hint = "an address looks like `https://api.example.com/v1` or `http://127.0.0.1:11434/v1`";
        let uri: Uri = address.parse().map_err(|_| EmbedError::new("the embeddings address does not read", hint))?;
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let is_encrypted = uri.scheme_str() == Some("https");
        if host.is_empty() || !is_encrypted && uri.scheme_str() != Some("http") {
            return Err(EmbedError::new("the embeddings address does not read", hint));
        }
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            let hint = "put the key into KEN_EMBEDDING_KEY";
            return Err(EmbedError::new("the embeddings address has a user name or key in it", hint));
        }
        if settings.model.is_empty() {
            let hint = "name it in KEN_EMBEDDING_MODEL";
            return Err(EmbedError::new("no model is named for the embeddings endpoint", hint));
        }
        let is_here = is_loopback(&host);
        if settings.key.is_some() && !is_encrypted && !is_here {
            let message = format!("the key for `{host}` would go over the network unencrypted, so nothing was sent");
            return Err(EmbedError::new(message, "use an https address, or unset KEN_EMBEDDING_KEY"));
        }
        let mut config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent("ken")
            .timeout_connect(Some(settings.timeout.unwrap_or(QUESTION_TIMEOUT)));
        if is_here {
            // A proxy of the network does not know this machine's own servers.
            config = config.proxy(None);
        }
        let name = format!("{} at {host}", settings.model);
        Ok(Endpoint { address, name, agent: config.build().new_agent(), settings })
    }

    fn ask(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let input = texts.iter().map(|text| beginning(text)).collect();
        let request = Request { model: &self.settings.model, input, encoding_format: "float" };
        let body = serde_json::to_vec(&request).map_err(|error| self.failed(&error.to_string()))?;
        let timeout = if role == Role::Question { QUESTION_TIMEOUT } else { PASSAGES_TIMEOUT };
        let timeout = self.settings.timeout.unwrap_or(timeout);
        let mut call = self.agent.post(&self.address).header("content-type", "application/json");
        if let Some(key) = &self.settings.key {
            call = call.header("authorization", format!("Bearer {key}"));
        }
        let sent = call.config().timeout_global(Some(timeout)).build().send(body.as_slice());
        let mut reply = sent.map_err(|error| self.unreachable(&error, timeout))?;
        let status = reply.status().as_u16();
        let read = reply.body_mut().with_config().limit(REPLY_BYTES_MAX).read_to_vec();
        let bytes = read.map_err(|error| self.unreachable(&error, timeout))?;
        if status != 200 {
            return Err(self.refused(status, &bytes));
        }
        let reply: Reply = serde_json::from_slice(&bytes)
            .map_err(|_| self.failed("it answered with something that is no list of vectors"))?;
        self.vectors(reply, texts.len())
    }

    /// The vectors of a reply in the order of the texts, each checked.
    fn vectors(&self, reply: Reply, n_texts: usize) -> Result<Vec<Vec<f32>>, EmbedError> {
        if reply.data.len() != n_texts {
            return Err(self.failed(&format!("it answered {n_texts} texts with {} vectors", reply.data.len())));
        }
        let mut out = vec![Vec::new(); n_texts];
        let width = reply.data.first().map_or(0, |one| one.embedding.len());
        for (n, one) in reply.data.into_iter().enumerate() {
            let found = one.embedding.len();
            if found != width || found > DIMENSIONS_MAX {
                return Err(self.failed(&format!("it answered with vectors of {width} and of {found} numbers")));
            }
            let place = out.get_mut(one.index.unwrap_or(n)).filter(|place| place.is_empty());
            let place = place.ok_or_else(|| self.failed("it answered one text twice and another not at all"))?;
            *place = normalised(one.embedding)
                .ok_or_else(|| self.failed("it answered with a vector that is empty, zero or no number"))?;
        }
        Ok(out)
    }

    fn failed(&self, why: &str) -> EmbedError {
        let message = format!("the embeddings endpoint ({}) is of no use: {why}", self.name);
        EmbedError::new(message, "check KEN_EMBEDDING_URL and KEN_EMBEDDING_MODEL")
    }

    fn unreachable(&self, error: &ureq::Error, timeout: Duration) -> EmbedError {
        if matches!(error, ureq::Error::Timeout(_)) {
            let message = format!("the embeddings endpoint ({}) did not answer in {timeout:?}", self.name);
            return EmbedError::new(message, "try again, or use a model folder");
        }
        let message =
            format!("the embeddings endpoint ({}) cannot be reached: {}", self.name, self.shown(&error.to_string()));
        EmbedError::new(message, "start it, or check KEN_EMBEDDING_URL")
    }

    fn refused(&self, status: u16, body: &[u8]) -> EmbedError {
        let said: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
        let said = said["error"]["message"].as_str().or(said["error"].as_str()).or(said["message"].as_str());
        let said = said.map_or_else(String::new, |said| format!(": {}", self.shown(said)));
        let message = format!("the embeddings endpoint ({}) answered with status {status}{said}", self.name);
        let hint = match status {
            401 | 403 => "check KEN_EMBEDDING_KEY",
            300..=399 | 404 | 405 => "check KEN_EMBEDDING_URL: what is asked is the address and `/embeddings`",
            429 => "wait a while; what was made so far is kept",
            _ => "check KEN_EMBEDDING_MODEL, and the server's own log",
        };
        EmbedError::new(message, hint)
    }

    /// Words of somebody else: on one line, short, and without the key.
    fn shown(&self, words: &str) -> String {
        let words = match &self.settings.key {
            Some(key) if !key.is_empty() => words.replace(key.as_str(), "[key]"),
            _ => words.to_owned(),
        };
        let plain: String = words.chars().filter(|ch| !ch.is_control() || ch.is_whitespace()).collect();
        text::cut(&text::one_line(&plain), WORDS_CHARS_MAX)
    }
}

impl Embedder for Endpoint {
    fn name(&self) -> &str {
        &self.name
    }

    fn digest(&self) -> Digest {
        Digest::of(format!("{}\n{}", self.address, self.settings.model).as_bytes())
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut out: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let made = self.ask(role, batch)?;
            if let (Some(a), Some(b)) = (out.first(), made.first())
                && a.len() != b.len()
            {
                return Err(self.failed(&format!(
                    "it answered with vectors of {} and of {} numbers",
                    a.len(),
                    b.len()
                )));
            }
            out.extend(made);
        }
        Ok(out)
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// As much of a text as is sent; servers refuse empty ones.
fn beginning(text: &str) -> &str {
    let mut len = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    if text.trim().is_empty() { "-" } else { &text[..len] }
}

#[cfg(test)]
mod tests;

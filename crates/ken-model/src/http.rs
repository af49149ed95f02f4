//! One JSON request to a server, and what its answer means.
//!
//! Redirects are not followed, a key goes only over TLS or to this machine, and no message names it. What an
//! answer of status 200 says is understood by the provider's own module; everything else is understood here.
//! Nothing is tried again here.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use serde_json::Value;
use ureq::http::{HeaderMap, Uri};

use crate::error::{ErrorKind, ModelError, shown};
use crate::key::KeyRing;
use crate::prompt::Usage;
use crate::retry::{Again, Failed};
use crate::settings::Server;

/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest answer: some times the longest reply that is read.
const ANSWER_BYTES_MAX: u64 = 8 << 20;

/// How a provider wants to see a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `authorization: Bearer KEY`
    Bearer,
    /// `x-api-key: KEY`
    ApiKey,
}

/// A server and how it is asked.
pub(crate) struct Client {
    address: String,
    /// Model and host, for messages.
    who: String,
    /// The table of the user's file that says where it is.
    table: &'static str,
    headers: &'static [(&'static str, &'static str)],
    key: KeyRing,
    key_header: KeyHeader,
    timeout: Duration,
    agent: ureq::Agent,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({}, {:?})", self.address, self.key)
    }
}

/// What the providers differ in.
pub(crate) struct Manner {
    pub(crate) table: &'static str,
    /// What comes after the server's address.
    pub(crate) path: &'static str,
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) key_header: KeyHeader,
    /// The provider's own address, where nothing is said without a key.
    pub(crate) home: Option<&'static str>,
}

impl Client {
    pub(crate) fn new(name: &str, server: &Server, manner: &Manner) -> Result<Client, ModelError> {
        let Manner { table, path, headers, key_header, home } = *manner;
        let setup = |message: String, hint: String| Err(ModelError::new(ErrorKind::Setup, message).hint(hint));
        let base = server.url.trim_end_matches('/');
        let address = format!("{base}{path}");
        let uri: Option<Uri> = address.parse().ok();
        let host = uri.as_ref().and_then(Uri::host).unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let scheme = uri.as_ref().and_then(Uri::scheme_str).unwrap_or_default();
        if host.is_empty() || !["http", "https"].contains(&scheme) {
            let message = format!("the address of `{name}` does not read");
            return setup(message, "an address looks like `https://api.example.com/v1`".to_owned());
        }
        if uri.as_ref().and_then(Uri::authority).is_some_and(|authority| authority.as_str().contains('@')) {
            let message = format!("the address of `{name}` has a user name or key in it");
            return setup(message, format!("put the key into the environment, or name a `key_command` in `[{table}]`"));
        }
        let key = KeyRing::new(&server.key);
        let is_here = is_loopback(&host);
        if key.is_set() && scheme != "https" && !is_here {
            let message = format!("the key for `{host}` would go over the network unencrypted, so nothing was sent");
            return setup(message, "use an https address, or no key".to_owned());
        }
        if !key.is_set() && home == Some(base) {
            let message = format!("there is no key for `{name}`");
            return setup(message, format!("put the key into the environment, or name a `key_command` in `[{table}]`"));
        }
        let mut config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent("ken");
        if is_here {
            // A proxy of the network does not know this machine's own servers.
            config = config.proxy(None);
        }
        let who = format!("`{name}` at {host}");
        let (timeout, agent) = (server.timeout, config.build().new_agent());
        Ok(Client { address, who, table, headers, key, key_header, timeout, agent })
    }

    /// Where it asks, for those who keep replies.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the answer to a request; `sent` is what the request is taken to cost when nobody says.
    pub(crate) fn post(&self, body: &Value, sent: Usage, left: Duration) -> Result<Value, Failed> {
        let secret = self.key.get()?;
        let timeout = self.timeout.min(left);
        let mut call = self.agent.post(&self.address).header("content-type", "application/json");
        for (name, value) in self.headers {
            call = call.header(*name, *value);
        }
        if let Some(secret) = secret {
            call = match self.key_header {
                KeyHeader::Bearer => call.header("authorization", format!("Bearer {}", secret.expose())),
                KeyHeader::ApiKey => call.header("x-api-key", secret.expose()),
            };
        }
        let config = call.config().timeout_global(Some(timeout)).timeout_connect(Some(CONNECT_TIMEOUT.min(timeout)));
        let mut reply = config
            .build()
            .send(body.to_string().as_bytes())
            .map_err(|error| self.unreachable(&error, timeout, sent, false))?;
        let status = reply.status().as_u16();
        let headers = reply.headers().clone();
        let read = reply.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec();
        let bytes = read.map_err(|error| self.unreachable(&error, timeout, sent, true))?;
        if status != 200 {
            let body = serde_json::from_slice(&bytes).unwrap_or_default();
            return Err(self.refused(status, &headers, &body));
        }
        match serde_json::from_slice(&bytes) {
            Ok(value @ Value::Object(_)) => match stated(&value) {
                // Some that stand between us and a server say everything with status 200.
                Some(status) => Err(self.refused(status, &headers, &value)),
                None => Ok(value),
            },
            // An answer without a length ends where the connection does.
            Err(error) if error.is_eof() && !bytes.is_empty() => {
                let message = format!("the answer of {} broke off", self.who);
                Err(ModelError::new(ErrorKind::Unreachable, message).spent(sent).into())
            }
            _ => {
                let message = format!("{} answered with something that is no JSON object", self.who);
                let hint = format!("check `url` of `[{}]`", self.table);
                Err(ModelError::new(ErrorKind::Unusable, message).hint(hint).into())
            }
        }
    }

    fn unreachable(&self, error: &ureq::Error, timeout: Duration, sent: Usage, is_answering: bool) -> Failed {
        use ureq::{Error, Timeout};

        let who = &self.who;
        let fail = |kind: ErrorKind, message: String| ModelError::new(kind, message);
        match error {
            Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                fail(ErrorKind::Unreachable, format!("{who} cannot be reached: nobody answers"))
                    .hint(self.start())
                    .into()
            }
            Error::Timeout(_) => {
                let message = format!("{who} did not answer in {} s", timeout.as_secs_f32());
                let hint = format!("raise `timeout_s` of `[{}]`, or ask a faster model", self.table);
                fail(ErrorKind::Timeout, message).hint(hint).spent(sent).into()
            }
            Error::BodyExceedsLimit(_) => {
                let message = format!("{who} answered with more than {} MiB", ANSWER_BYTES_MAX >> 20);
                fail(ErrorKind::Unusable, message).spent(sent).into()
            }
            // What cannot become right by itself is not tried again.
            Error::Tls(_) | Error::Rustls(_) | Error::Pem(_) | Error::BadUri(_) | Error::InvalidProxyUrl => {
                let message = format!("{who} cannot be reached: {}", self.shown(&error.to_string()));
                let error = fail(ErrorKind::Unreachable, message).hint(format!("check `url` of `[{}]`", self.table));
                Failed::new(error, Again::No)
            }
            _ if is_answering => {
                let message = format!("the answer of {who} broke off: {}", self.shown(&error.to_string()));
                fail(ErrorKind::Unreachable, message).spent(sent).into()
            }
            _ => {
                let message = format!("{who} cannot be reached: {}", self.shown(&error.to_string()));
                // Who hung up without a word may have read the prompt, and charge for it.
                let sent = if is_refusal(error) { Usage::default() } else { sent };
                fail(ErrorKind::Unreachable, message).hint(self.start()).spent(sent).into()
            }
        }
    }

    fn start(&self) -> String {
        format!("check the network and `url` of `[{}]`", self.table)
    }

    /// What a status other than 200 means.
    fn refused(&self, status: u16, headers: &HeaderMap, body: &Value) -> Failed {
        let error = &body["error"];
        let words = error["message"].as_str().or(error.as_str()).or(body["message"].as_str()).unwrap_or_default();
        let said = if words.is_empty() { String::new() } else { format!(": {}", self.shown(words)) };
        let code = error["details"]["error_code"].as_str().or(error["code"].as_str()).unwrap_or_default();
        // The money is spent, or the month's limit reached: waiting seconds does not help.
        let is_broke = ["enforced_spend_limit_reached", "insufficient_quota"].contains(&code);
        let is_long = code == "context_length_exceeded" || words.contains("prompt is too long");
        let after = retry_after(headers);
        let kind = match status {
            429 if !is_broke => ErrorKind::RateLimited { retry_after: after },
            408 => ErrorKind::Timeout,
            500..=599 => ErrorKind::Overloaded,
            413 => ErrorKind::TooLong,
            400 | 422 if is_long => ErrorKind::TooLong,
            _ => ErrorKind::Refused,
        };
        let table = self.table;
        let hint = match (kind, status) {
            (ErrorKind::RateLimited { .. } | ErrorKind::Overloaded | ErrorKind::Timeout, _) => {
                "try again later".to_owned()
            }
            (ErrorKind::TooLong, _) => "ask with less context, or a model with a larger window".to_owned(),
            (_, 401 | 403) => format!("check the key, or the `key_command` of `[{table}]`"),
            (_, 300..=399 | 404 | 405) => {
                format!("check the model's name and `url` of `[{table}]`; redirects are not followed")
            }
            (_, 402 | 429) => "check the limits and the credit of the account".to_owned(),
            _ => format!("if the server knows no schemas, set `structured_output = false` in `[{table}]`"),
        };
        let message = format!("{} answered with status {status}{said}", self.who);
        let failed = Failed::from(ModelError::new(kind, message).hint(hint));
        Failed { after: after.filter(|_| failed.again == Again::Yes), ..failed }
    }

    fn shown(&self, words: &str) -> String {
        // A key that could not be fetched was not sent, so nobody can repeat it.
        let secret = self.key.get().ok().flatten();
        shown(words, secret.map(crate::settings::Secret::expose))
    }
}

/// Whether there was nobody to send anything to.
fn is_refusal(error: &ureq::Error) -> bool {
    use std::io::ErrorKind::{AddrNotAvailable, ConnectionRefused, HostUnreachable, NetworkDown, NetworkUnreachable};

    match error {
        ureq::Error::Io(error) => {
            let kinds = [AddrNotAvailable, ConnectionRefused, HostUnreachable, NetworkDown, NetworkUnreachable];
            kinds.contains(&error.kind())
        }
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::Http(_) => true,
        _ => false,
    }
}

/// The status that an answer tells of in its body, when it is an error and nothing else.
fn stated(answer: &Value) -> Option<u16> {
    let is_error = answer["error"]["message"].is_string() && answer.get("choices").or(answer.get("content")).is_none();
    let status = answer["error"]["code"].as_u64().and_then(|code| u16::try_from(code).ok());
    is_error.then(|| status.filter(|code| (400..600).contains(code)).unwrap_or(500))
}

/// How long a server asks to wait, in seconds or until a date. The date is compared with the server's own, if
/// it says: clocks differ.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let asked = text("retry-after")?;
    if let Ok(seconds) = asked.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = |text: &str| DateTimeParser::new().parse_timestamp(text).ok();
    let now = text("date").and_then(date).unwrap_or_else(Timestamp::now);
    let seconds = date(asked)?.as_second() - now.as_second();
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

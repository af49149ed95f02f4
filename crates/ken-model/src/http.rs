//! One JSON request to a server, and what its answer means.
//!
//! Redirects are not followed, a key goes only over TLS or to this machine, and no message names it. What an
//! answer of status 200 says is understood by the provider's own module; everything else is understood here.
//! Nothing is tried again here.

mod complaint;

use std::fmt;
use std::time::Duration;

use serde_json::Value;
use ureq::http::{HeaderMap, Request, Uri};

use crate::error::{ErrorKind, ModelError, shown};
use crate::key::KeyRing;
use crate::prompt::Usage;
use crate::retry::{Again, Failed};
use crate::settings::{Key, Server};
use complaint::{Complaint, retry_after, stated};

/// The media type of most bodies.
pub(crate) const JSON: &str = "application/json";
/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest answer: some times the longest reply that is read.
const ANSWER_BYTES_MAX: u64 = 8 << 20;
/// Longest file of replies.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// How a provider wants to see a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `authorization: Bearer KEY`
    Bearer,
    /// `NAME: KEY`
    Named(&'static str),
}

/// What a request carries.
pub(crate) struct Body {
    /// Its media type.
    pub(crate) kind: String,
    pub(crate) bytes: Vec<u8>,
}

/// What came back.
pub(crate) struct Answer {
    headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

/// A server and how it is asked.
pub(crate) struct Client {
    address: String,
    /// The address before the path, and what stands behind its `?`.
    base: (String, String),
    path: String,
    /// Model and host, for messages.
    who: String,
    /// The table of the user's file that says where it is.
    table: String,
    headers: &'static [(&'static str, &'static str)],
    key: KeyRing,
    /// The name of the header that carries the key.
    key_header: String,
    timeout: Duration,
    is_here: bool,
    is_at_home: bool,
    agent: ureq::Agent,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({}, {:?})", self.address, self.key)
    }
}

/// What the providers differ in.
pub(crate) struct Manner {
    pub(crate) table: String,
    /// What comes after the server's address.
    pub(crate) path: String,
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) key_header: KeyHeader,
    /// The provider's own address, where nothing is said without a key.
    pub(crate) home: Option<&'static str>,
}

impl Client {
    pub(crate) fn new(name: &str, server: &Server, manner: Manner) -> Result<Client, ModelError> {
        let Manner { table, path, headers, key_header, home } = manner;
        let setup = |message: String, hint: String| Err(ModelError::new(ErrorKind::Setup, message).hint(hint));
        let put = format!("put the key into the environment, or name a `key_command` in `[{table}]`");
        // Some servers want to know the version of their protocol behind the path.
        let (base, query) = server.url.split_once('?').unwrap_or((&server.url, ""));
        let base = base.trim_end_matches('/');
        let address = joined((base, query), &path);
        let uri: Option<Uri> = address.parse().ok();
        let host = uri.as_ref().and_then(Uri::host).unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let scheme = uri.as_ref().and_then(Uri::scheme_str).unwrap_or_default();
        if host.is_empty() || !["http", "https"].contains(&scheme) {
            let message = format!("the address of `{name}` does not read");
            return setup(message, "an address looks like `https://api.example.com/v1`".to_owned());
        }
        if uri.as_ref().and_then(Uri::authority).is_some_and(|authority| authority.as_str().contains('@')) {
            return setup(format!("the address of `{name}` has a user name or key in it"), put);
        }
        // Addresses are kept beside replies, keys are not.
        if !query.is_empty() && (!query.starts_with("api-version=") || query.contains('&')) {
            let message = format!("the address of `{name}` has more than an `api-version` behind its `?`");
            return setup(message, put);
        }
        if let Key::Unset(variable) = &server.key {
            let message = format!("there is no key for `{name}`: the variable `{variable}` is not set");
            return setup(message, format!("set it, or change `key_env` of `[{table}]`"));
        }
        let key = KeyRing::new(&server.key);
        let is_here = is_loopback(&host);
        if key.is_set() && scheme != "https" && !is_here {
            let message = format!("the key for `{host}` would go over the network unencrypted, so nothing was sent");
            return setup(message, "use an https address, or no key".to_owned());
        }
        if !key.is_set() && server.key != Key::NotNeeded && home == Some(base) {
            return setup(format!("there is no key for `{name}`"), put);
        }
        let usual = match key_header {
            KeyHeader::Bearer => "authorization",
            KeyHeader::Named(header) => header,
        };
        let key_header = server.key_header.clone().unwrap_or_else(|| usual.to_owned());
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
        let is_at_home = home.is_some_and(|home| base.trim_end_matches("/v1") == home.trim_end_matches("/v1"));
        let base = (base.to_owned(), query.to_owned());
        Ok(Client { address, base, path, who, table, headers, key, key_header, timeout, is_here, is_at_home, agent })
    }

    /// Whether it asks a server on this machine.
    pub(crate) fn is_here(&self) -> bool {
        self.is_here
    }

    /// Whether it asks the provider at its own address.
    pub(crate) fn is_at_home(&self) -> bool {
        self.is_at_home
    }

    /// Where it asks, for those who keep replies.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns what comes after the server's address where it is asked.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the answer to a request; `sent` is what the request is taken to cost when nobody says.
    pub(crate) fn post(&self, body: &Value, sent: Usage, left: Duration) -> Result<Value, Failed> {
        let body = Body { kind: JSON.to_owned(), bytes: body.to_string().into_bytes() };
        let answer = self.send("POST", self.path(), Some(body), (sent, left))?;
        self.object(&answer, sent)
    }

    /// Returns the answer to a request to another path of the server, as bytes.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<Body>,
        (sent, left): (Usage, Duration),
    ) -> Result<Answer, Failed> {
        let secret = self.key.get()?;
        let timeout = self.timeout.min(left);
        let (base, query) = &self.base;
        let mut call = Request::builder().method(method).uri(joined((base, query), path));
        for (name, value) in self.headers {
            call = call.header(*name, *value);
        }
        if let Some(secret) = secret {
            call = match self.key_header.as_str() {
                "authorization" => call.header("authorization", format!("Bearer {}", secret.expose())),
                header => call.header(header, secret.expose()),
            };
        }
        let asked = match body {
            Some(Body { kind, bytes }) => call
                .header("content-type", kind)
                .body(bytes)
                .map_err(ureq::Error::from)
                .and_then(|call| self.agent.run(self.timed(call, timeout))),
            None => call.body(()).map_err(ureq::Error::from).and_then(|call| self.agent.run(self.timed(call, timeout))),
        };
        let mut reply = asked.map_err(|error| self.unreachable(&error, timeout, sent, false))?;
        let status = reply.status().as_u16();
        let headers = reply.headers().clone();
        // What is fetched and not made for a prompt are the replies of a batch.
        let limit = if method == "GET" { FILE_BYTES_MAX } else { ANSWER_BYTES_MAX };
        let read = reply.body_mut().with_config().limit(limit).read_to_vec();
        let bytes = read.map_err(|error| self.unreachable(&error, timeout, sent, true))?;
        if !(200..300).contains(&status) {
            let body = serde_json::from_slice(&bytes).unwrap_or_default();
            return Err(self.refused(status, &headers, &body));
        }
        Ok(Answer { headers, bytes })
    }

    fn timed<B: ureq::AsSendBody>(&self, call: Request<B>, timeout: Duration) -> Request<B> {
        let config = self.agent.configure_request(call);
        config.timeout_global(Some(timeout)).timeout_connect(Some(CONNECT_TIMEOUT.min(timeout))).build()
    }

    /// Returns the object that an answer is.
    pub(crate) fn object(&self, answer: &Answer, sent: Usage) -> Result<Value, Failed> {
        let Answer { headers, bytes } = answer;
        match serde_json::from_slice(bytes) {
            Ok(value @ Value::Object(_)) => match stated(&value) {
                // Some that stand between us and a server say everything with status 200.
                Some(status) => Err(self.refused(status, headers, &value)),
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
            // What goes wrong before anything was sent, and does not become right by itself either.
            Error::Io(inner) if !is_answering && inner.kind() == std::io::ErrorKind::InvalidData => {
                let words = inner.to_string();
                let message = format!("{who} cannot be reached safely: {}", self.shown(&words));
                Failed::new(fail(ErrorKind::Unreachable, message).hint(tls_hint(&words)), Again::No)
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
        let complaint = Complaint::of(body);
        let said = match complaint.words.as_str() {
            "" => String::new(),
            words => format!(": {}", self.shown(words)),
        };
        let after = retry_after(headers).or_else(|| complaint.retry_after());
        let kind = match status {
            _ if complaint.is_about_length() && [400, 413, 422, 500].contains(&status) => ErrorKind::TooLong,
            429 if !complaint.is_broke() => ErrorKind::RateLimited { retry_after: after },
            408 => ErrorKind::Timeout,
            500..=599 if status != 501 => ErrorKind::Overloaded,
            413 => ErrorKind::TooLong,
            _ => ErrorKind::Refused,
        };
        let table = &self.table;
        let hint = match (kind, status) {
            (ErrorKind::RateLimited { .. } | ErrorKind::Overloaded | ErrorKind::Timeout, _) => {
                "try again later".to_owned()
            }
            (ErrorKind::TooLong, _) => "ask with less context, or a model with a larger window".to_owned(),
            (_, 401 | 403) => format!("check the key, or the `key_command` of `[{table}]`"),
            _ if complaint.is_about_key() => format!("check the key, or the `key_command` of `[{table}]`"),
            _ if complaint.is_broke() => "check the limits and the credit of the account".to_owned(),
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

/// An address from what stands before its path, the path, and what stands behind a `?`.
fn joined((base, query): (&str, &str), path: &str) -> String {
    let mark = match query {
        "" => "",
        _ if path.contains('?') => "&",
        _ => "?",
    };
    format!("{base}{path}{mark}{query}")
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

/// What helps when a connection cannot be made safe.
fn tls_hint(words: &str) -> String {
    let hint = if words.contains("expired") || words.contains("not valid yet") {
        "is the clock of this machine right? If it is, the server's certificate is out of date"
    } else if words.contains("certificate") {
        "does something between here and the server look into connections? Its certificates are not trusted"
    } else {
        "does the server speak TLS? If it is on this machine, its address may begin with `http://`"
    };
    hint.to_owned()
}

pub(crate) fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

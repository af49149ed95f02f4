//! Where models are and what they may take: everything that is handed in.
//!
//! Values with defaults. Nothing here is looked up; `ken-cli` reads the environment, and
//! [`ModelsFile`](crate::ModelsFile) the user's file.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::money::Money;

/// A key that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Returns the secret that a text is, white space around it aside.
    pub fn new(text: &str) -> Secret {
        Secret(text.trim().to_owned())
    }

    #[cfg(feature = "http")]
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What a provider asks to see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Key {
    /// Nothing.
    #[default]
    None,
    /// This.
    Given(Secret),
    /// The first line that this program prints; it runs once, without a shell, when a key is first needed.
    Command(Vec<String>),
    /// The value of this variable of the environment, which is not set.
    Unset(String),
    /// Nothing is sent, so none was looked for.
    NotNeeded,
}

/// Which of the protocols of OpenAI a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// The chat request, which many servers answer.
    Chat,
    /// The Responses API.
    Responses,
}

/// A provider that is asked over HTTP.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    /// Its address, before `/chat/completions`, `/v1/messages` and so on.
    pub url: String,
    /// What it asks to see; sent only over TLS or to this machine.
    pub key: Key,
    /// The header that carries the key, when it is not the usual one; `authorization` carries it as `Bearer KEY`.
    pub key_header: Option<String>,
    /// Which protocol is spoken, of those of OpenAI; by the address when none.
    pub api: Option<Api>,
    /// How many tokens prompt and reply may have together; only Ollama is told.
    pub context_tokens: u64,
    /// How long one try may take.
    pub timeout: Duration,
    /// How many prompts it is sent at once; when none, one to this machine and [`CALLS_AT_ONCE_MAX`] elsewhere.
    pub calls_at_once_max: Option<usize>,
    /// Most tokens that the model may think, on top of those of the reply; most models cannot be kept from
    /// thinking, and providers count it as part of the reply.
    pub thinking_tokens_max: u64,
    /// How hard the model tries, in the provider's word; its own default when none.
    pub effort: Option<String>,
    /// How freely the model chooses; newer models refuse to be told, so it is sent only when set.
    pub temperature: Option<f64>,
    /// Whether the server is asked to hold the model to the schema; else the schema stands in the prompt.
    pub is_structured: bool,
}

/// Programs that answer prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSettings {
    /// How long a program may take.
    pub timeout: Duration,
    /// How many of them run at once.
    pub calls_at_once_max: usize,
    /// What one call of an agent may cost, for those that can be told.
    pub call_usd_max: Option<Money>,
    /// The folder in which each call gets an empty folder of its own to run in.
    pub scratch: PathBuf,
    /// Variables that a program gets besides those of this process.
    pub set: Vec<(String, String)>,
    /// Variables of this process that it does not get.
    pub unset: Vec<String>,
}

/// How waiting is done; tests do not.
pub trait Pause: Send + Sync + fmt::Debug {
    /// Waits that long.
    fn wait(&self, how_long: Duration);
}

/// Waiting by sleeping.
#[derive(Debug, Clone, Copy)]
pub struct Sleep;

impl Pause for Sleep {
    fn wait(&self, how_long: Duration) {
        std::thread::sleep(how_long);
    }
}

/// Everything that asking needs besides the model's name.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Anthropic's Messages API.
    pub anthropic: Server,
    /// OpenAI, or any server that speaks one of its protocols.
    pub openai: Server,
    /// Google's Gemini API.
    pub gemini: Server,
    /// Ollama on this machine.
    pub ollama: Server,
    /// Servers that the user gave names, which speak a protocol of OpenAI.
    pub servers: BTreeMap<String, Server>,
    /// Programs.
    pub command: CommandSettings,
    /// Most further tries after the first.
    pub retries_max: u32,
    /// How long all tries of one prompt may take together, waiting included.
    pub deadline: Duration,
    /// How waiting is done.
    pub pause: Arc<dyn Pause>,
    /// Whether the model is opened to be asked; what is only reckoned needs no key.
    pub is_asked: bool,
}

/// Where Anthropic is.
pub const ANTHROPIC_URL: &str = "https://api.anthropic.com";
/// Where OpenAI is.
pub const OPENAI_URL: &str = "https://api.openai.com/v1";
/// Where the Gemini API is.
pub const GEMINI_URL: &str = "https://generativelanguage.googleapis.com";
/// Where Ollama listens unless told otherwise.
pub const OLLAMA_URL: &str = "http://127.0.0.1:11434";
/// How many tokens Ollama is told to hold: the longest prompt with its repair, thinking and reply. Its own default
/// is a few thousand.
pub(crate) const CONTEXT_TOKENS: u64 = 32_768;

/// How long a server may take: long replies of thinking models take minutes.
pub(crate) const SERVER_TIMEOUT: Duration = Duration::from_secs(300);
/// How long a model on this machine, or an agent, may take.
pub(crate) const LOCAL_TIMEOUT: Duration = Duration::from_secs(600);
/// How long one prompt may take in all: no run hangs over lunch.
pub(crate) const DEADLINE: Duration = Duration::from_secs(1_200);
/// How much a model may think: enough for a task of one page, and a few cents at the dearest.
pub(crate) const THINKING_TOKENS_MAX: u64 = 4_000;
/// How many prompts a provider is sent at once: a day of sessions takes a quarter of the time, and the smallest
/// accounts may send more in a minute.
pub const CALLS_AT_ONCE_MAX: usize = 4;
/// Further tries: after 1, 2 and 4 seconds most trouble is over.
pub(crate) const RETRIES_MAX: u32 = 3;

/// Tells our own hooks in an agent that we start to stay silent, or they would call us again.
const GUARD: (&str, &str) = ("KEN_HOOK_GUARD", "1");

/// Marks of a session of Claude Code; an agent that finds them refuses to start, or joins that session.
const MARKS: [&str; 5] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
];

impl Server {
    /// Returns a server at an address, without a key.
    pub(crate) fn at(url: &str, timeout: Duration) -> Server {
        let url = url.to_owned();
        let thinking_tokens_max = THINKING_TOKENS_MAX;
        Server {
            url,
            key: Key::None,
            key_header: None,
            api: None,
            context_tokens: CONTEXT_TOKENS,
            timeout,
            calls_at_once_max: None,
            thinking_tokens_max,
            effort: None,
            temperature: None,
            is_structured: true,
        }
    }
}

impl Settings {
    /// Returns the defaults, without keys; `scratch` is where programs get empty folders to run in, usually
    /// the system's folder for temporary files.
    pub fn new(scratch: impl Into<PathBuf>) -> Settings {
        Settings {
            anthropic: Server::at(ANTHROPIC_URL, SERVER_TIMEOUT),
            openai: Server::at(OPENAI_URL, SERVER_TIMEOUT),
            gemini: Server::at(GEMINI_URL, SERVER_TIMEOUT),
            ollama: Server { calls_at_once_max: Some(1), ..Server::at(OLLAMA_URL, LOCAL_TIMEOUT) },
            servers: BTreeMap::new(),
            command: CommandSettings {
                timeout: LOCAL_TIMEOUT,
                calls_at_once_max: 1,
                call_usd_max: None,
                scratch: scratch.into(),
                set: vec![(GUARD.0.to_owned(), GUARD.1.to_owned())],
                unset: MARKS.iter().map(|name| (*name).to_owned()).collect(),
            },
            retries_max: RETRIES_MAX,
            deadline: DEADLINE,
            pause: Arc::new(Sleep),
            is_asked: true,
        }
    }
}

//! Tool servers (MCP) as agents' settings name them. Nothing is started here.

use std::path::PathBuf;

use serde_json::Value;

use super::layer::Kind;
use super::weigh::{Part, Section};

/// A tool server that an agent starts or calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its name in the settings.
    pub name: String,
    /// The settings.
    pub place: PathBuf,
    /// How it is reached.
    pub call: Call,
}

/// How a tool server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// A program that is spoken to over its input and output.
    Program {
        /// The program.
        program: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables that are set for it.
        variables: Vec<(String, String)>,
        /// The folder it starts in, if not the working folder.
        folder: Option<PathBuf>,
    },
    /// An address.
    Remote(String),
}

/// What of a server's words an agent puts in front of its model at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Whether tools are only named, and described when the model asks for them.
    pub is_names_only: bool,
    /// How many bytes of the server's instructions are shown.
    pub instructions_bytes_max: usize,
}

/// A tool server and what is known of its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The server.
    pub server: Server,
    /// How its settings are named to people.
    pub place: String,
    /// What came of asking it.
    pub asked: Asked,
}

/// What came of asking a tool server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// It was not asked.
    Not,
    /// It is reached over the network, and nothing here goes there.
    Remote,
    /// It was asked and did not answer, with the reason.
    Failed(String),
    /// It answered.
    Answered {
        /// Its tools.
        n_tools: usize,
        /// Tokens of what the agent shows of them.
        tokens: usize,
        /// Bytes of that.
        bytes: usize,
    },
}

impl Told {
    /// Returns its part of what is loaded, if it answered.
    pub(super) fn part(&self) -> Option<Part> {
        let Asked::Answered { n_tools, tokens, bytes } = self.asked else { return None };
        let section = Some(Section { name: self.server.name.clone(), tokens });
        let note = Some(format!("server `{}`, tools: {n_tools}", self.server.name));
        Some(Part { kind: Kind::Tools, place: self.place.clone(), tokens, bytes, n_unread: 0, note, section })
    }
}

/// Returns the servers under a key of settings, those that are switched off left out.
pub(crate) fn servers_in(settings: &Value, place: &std::path::Path) -> Vec<Server> {
    let Some(named) = settings.as_object() else { return Vec::new() };
    let server = |(name, value): (&String, &Value)| {
        Some(Server { name: name.clone(), place: place.to_owned(), call: call_in(value)? })
    };
    named.iter().filter_map(server).collect()
}

fn call_in(value: &Value) -> Option<Call> {
    if value["disabled"] == true || value["enabled"] == false {
        return None;
    }
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut words: Vec<String> = text("command").into_iter().chain(texts(&value["command"])).collect();
    if words.is_empty() {
        return ["url", "httpUrl", "serverUrl"].into_iter().find_map(text).map(Call::Remote);
    }
    words.extend(texts(&value["args"]));
    let program = words.remove(0);
    let set = ["env", "environment"].into_iter().filter_map(|key| value[key].as_object()).flatten();
    let variables = set.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect();
    Some(Call::Program { program, args: words, variables, folder: text("cwd").map(PathBuf::from) })
}

//! The one place that talks to a language model.
//!
//! A [`Prompt`] goes out, a [`Reply`] with its [`Usage`] comes back; blocking. Servers are
//! asked over HTTP, programs over their standard input. Nothing is read from the environment or from a
//! vault: names, addresses, keys, limits and prices are handed in. What a reply says is not judged here.
//!
//! The modules are listed in suggested reading order.

pub mod agent;
pub mod name;
mod money;
pub mod prompt;
pub mod error;
pub mod settings;
pub mod batch;
pub mod model;
mod retry;
mod folder;
mod process;
#[cfg(feature = "http")]
mod key;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
pub mod local;
#[cfg(feature = "http")]
mod server;
#[cfg(feature = "http")]
mod batches;
#[cfg(feature = "http")]
mod anthropic;
#[cfg(feature = "http")]
mod chat;
#[cfg(feature = "http")]
mod responses;
#[cfg(feature = "http")]
mod gemini;
#[cfg(feature = "http")]
mod ollama;
mod command;
mod envelope;
mod open;
pub mod json;
pub mod ask;
pub mod prices;
mod value;
pub mod background;
pub mod file;
pub mod scripted;

pub use agent::{AGENTS, AgentModel};
pub use ask::{Answered, ask_json, ask_list};
pub use background::{Background, TimeOfDay};
pub use batch::{BATCH_PERCENT, BatchReply, BatchState, Batches, BookedPrompt, Found, SentPrompt, in_batch};
pub use error::{Begun, ErrorKind, ModelError};
pub use file::{ModelsFile, PRICES_FILE};
pub use folder::is_scratch;
pub use json::{json_of, list_of};
pub use model::Model;
pub use money::Money;
pub use name::ModelName;
pub use open::open;
pub use prices::Prices;
pub use process::{end_programs, end_told, tell_programs};
pub use prompt::{Prompt, Reply, Schema, Usage};
pub use scripted::Scripted;
pub use settings::{Api, CALLS_AT_ONCE_MAX, CommandSettings, Key, Pause, Secret, Server, Settings, Sleep};
pub use value::{KEYS, MODELS_FILE};

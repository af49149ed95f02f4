//! How the model of a name is opened.
//!
//! Opening looks at settings only: nothing is sent or started before the first prompt. A provider is a file
//! with a [`Protocol`](crate::server::Protocol) and one line here.

use crate::command::Command;
use crate::error::{ErrorKind, ModelError};
use crate::model::Model;
use crate::name::{FORMS, ModelName};
use crate::settings::Settings;

/// Returns the model of a name; none for `none`.
///
/// # Errors
/// When an address, key or program cannot be used as it is set, or nobody is known by the provider's name.
pub fn open(name: &ModelName, settings: &Settings) -> Result<Option<Box<dyn Model>>, ModelError> {
    match name {
        ModelName::None => return Ok(None),
        ModelName::Server(provider, _) if !settings.servers.contains_key(provider) => return Err(nobody(provider)),
        _ => {}
    }
    opened(name, settings).map(Some)
}

#[cfg(feature = "http")]
fn opened(name: &ModelName, settings: &Settings) -> Result<Box<dyn Model>, ModelError> {
    use crate::anthropic::Anthropic;
    use crate::gemini::Gemini;
    use crate::ollama::Ollama;
    use crate::server::asked_at;

    let full = name.to_string();
    match name {
        ModelName::Anthropic(model) => asked_at(Anthropic, full, model, &settings.anthropic, settings),
        ModelName::OpenAi(model) => of_openai(full, model, "openai", &settings.openai, settings),
        ModelName::Gemini(model) => asked_at(Gemini, full, model, &settings.gemini, settings),
        ModelName::Ollama(model) => {
            let server = Ollama::at(&settings.ollama);
            asked_at(Ollama::of(&server), full, model, &server, settings)
        }
        ModelName::Server(table, model) => match settings.servers.get(table) {
            Some(server) => of_openai(full, model, &format!("servers.{table}"), server, settings),
            None => Err(nobody(table)),
        },
        ModelName::Command(words) => Ok(Box::new(Command::new(full, words, settings)?)),
        ModelName::Agent(agent) => Ok(Box::new(Command::of_agent(agent, settings)?)),
        ModelName::None => Err(ModelError::new(ErrorKind::Setup, "no model is named")),
    }
}

/// A server that speaks one of the two protocols that OpenAI introduced.
#[cfg(feature = "http")]
fn of_openai(
    name: String,
    model: &str,
    table: &str,
    server: &crate::settings::Server,
    settings: &Settings,
) -> Result<Box<dyn Model>, ModelError> {
    use crate::chat::Chat;
    use crate::responses::Responses;
    use crate::server::asked_at;
    use crate::settings::{Api, OPENAI_URL};

    let is_home = server.url.trim_end_matches('/') == OPENAI_URL;
    // Few others answer the newer one, and not all of it.
    let api = server.api.unwrap_or(if is_home { Api::Responses } else { Api::Chat });
    match api {
        Api::Responses => asked_at(Responses::of(table, is_home), name, model, server, settings),
        Api::Chat => asked_at(Chat::of(table, is_home), name, model, server, settings),
    }
}

#[cfg(not(feature = "http"))]
fn opened(name: &ModelName, settings: &Settings) -> Result<Box<dyn Model>, ModelError> {
    match name {
        ModelName::Command(words) => Ok(Box::new(Command::new(name.to_string(), words, settings)?)),
        ModelName::Agent(agent) => Ok(Box::new(Command::of_agent(agent, settings)?)),
        _ => {
            let message = format!("this program was built without HTTP, so it cannot ask `{name}`");
            Err(ModelError::new(ErrorKind::Setup, message)
                .hint("build it with the feature `http`, or use `command:PROGRAM ARGUMENTS`"))
        }
    }
}

fn nobody(provider: &str) -> ModelError {
    ModelError::new(ErrorKind::Setup, format!("`{provider}` is no provider of models"))
        .hint(FORMS)
        .hint(format!("a server of your own gets its name in models.toml: `[servers.{provider}]` with its `url`"))
}

//! Which model is meant: `claude`, `anthropic:MODEL`, `command:PROGRAM ARGS…` and so on.
//!
//! Reads and writes names, nothing else: whether there is such a model shows when it is asked.

use std::fmt;

use crate::agent::AgentModel;
use crate::error::{ErrorKind, ModelError};

/// A model as people name it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ModelName {
    /// No model; written `none`.
    #[default]
    None,
    /// A model of Anthropic's Messages API.
    Anthropic(String),
    /// A model of OpenAI, or of a server that speaks one of its protocols.
    OpenAi(String),
    /// A model of Google's Gemini API.
    Gemini(String),
    /// A model that Ollama runs on this machine.
    Ollama(String),
    /// A model of a server that the user gave a name: that name, and the model's.
    Server(String, String),
    /// A program that reads the prompt and prints the reply, with its arguments.
    Command(Vec<String>),
    /// A coding agent, asked with the account that the user has with it.
    Agent(&'static AgentModel),
}

/// What a name may look like, for messages.
pub(crate) const FORMS: &str = "a model is `anthropic:MODEL`, `openai:MODEL`, `gemini:MODEL`, `ollama:MODEL`, \
    `command:PROGRAM ARGUMENTS`, `none`, an agent (`claude`, `codex`, `gemini`, `opencode`, `copilot`), or \
    `NAME:MODEL` of a server that models.toml names";

/// Names that no server of the user's can have.
pub(crate) const PROVIDERS: [&str; 7] = ["anthropic", "openai", "gemini", "ollama", "command", "none", "default"];

/// Returns whether a server of the user's can have this name.
pub(crate) fn can_name_a_server(name: &str) -> bool {
    let is_plain = |ch: char| ch.is_ascii_lowercase() || ch.is_ascii_digit() || ch == '-' || ch == '_';
    !name.is_empty() && name.len() <= 40 && name.chars().all(is_plain) && !PROVIDERS.contains(&name)
}

impl ModelName {
    /// Returns the model that a text names.
    ///
    /// Arguments of a command are divided at white space, except between `'…'` or `"…"`; there is no shell.
    ///
    /// # Errors
    /// When the text has none of the forms.
    pub fn parse(text: &str) -> Result<ModelName, ModelError> {
        let text = text.trim();
        let refused = |why: String| ModelError::new(ErrorKind::Setup, why).hint(FORMS);
        if text == "none" {
            return Ok(ModelName::None);
        }
        if let Some(agent) = AgentModel::of(text) {
            return Ok(ModelName::Agent(agent));
        }
        let Some((provider, rest)) = text.split_once(':') else {
            return Err(refused(format!("`{text}` names no model")));
        };
        let rest = rest.trim();
        if rest.is_empty() {
            return Err(refused(format!("`{text}` names a provider but no model")));
        }
        if provider != "command" && rest.contains(|ch: char| ch.is_whitespace() || ch.is_control()) {
            return Err(refused(format!("the model of `{text}` has white space in it")));
        }
        match provider {
            "anthropic" => Ok(ModelName::Anthropic(rest.to_owned())),
            "openai" => Ok(ModelName::OpenAi(rest.to_owned())),
            "gemini" => Ok(ModelName::Gemini(rest.to_owned())),
            "ollama" => Ok(ModelName::Ollama(rest.to_owned())),
            "command" => match words(rest) {
                Some(words) if words.first().is_some_and(|program| !program.is_empty()) => {
                    Ok(ModelName::Command(words))
                }
                _ => Err(refused(format!("the command of `{text}` has a quote that does not end, or no program"))),
            },
            _ if can_name_a_server(provider) => Ok(ModelName::Server(provider.to_owned(), rest.to_owned())),
            _ => Err(refused(format!("`{provider}` is no provider of models"))),
        }
    }
}

impl ModelName {
    /// Returns whether a program is started for each prompt.
    pub fn is_program(&self) -> bool {
        matches!(self, ModelName::Command(_) | ModelName::Agent(_))
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelName::None => f.write_str("none"),
            ModelName::Agent(agent) => f.write_str(agent.name),
            ModelName::Anthropic(model) => write!(f, "anthropic:{model}"),
            ModelName::OpenAi(model) => write!(f, "openai:{model}"),
            ModelName::Gemini(model) => write!(f, "gemini:{model}"),
            ModelName::Ollama(model) => write!(f, "ollama:{model}"),
            ModelName::Server(server, model) => write!(f, "{server}:{model}"),
            ModelName::Command(words) => {
                let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
                write!(f, "command:{}", words.join(" "))
            }
        }
    }
}

/// The words of a command line; none when a quote does not end.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for ch in text.chars() {
        match quote {
            Some(end) if ch == end => quote = None,
            Some(_) => word.get_or_insert_default().push(ch),
            None if ch == '\'' || ch == '"' => {
                quote = Some(ch);
                // `''` is a word too.
                word.get_or_insert_default();
            }
            None if ch.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(ch),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// A word so that [`words`] reads it back, whatever quotes it has in it.
fn quoted(word: &str) -> String {
    if !word.is_empty() && !word.contains(|ch: char| ch.is_whitespace() || ch == '\'' || ch == '"') {
        return word.to_owned();
    }
    let pieces: Vec<String> = word.split('\'').map(|piece| format!("'{piece}'")).collect();
    pieces.join("\"'\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &ModelName) {
        let name = ModelName::parse(text).expect("a name");
        assert_eq!(&name, expected);
        assert_eq!(ModelName::parse(&name.to_string()).as_ref(), Ok(expected), "{name}");
    }

    fn command(words: &[&str]) -> ModelName {
        ModelName::Command(words.iter().map(|word| (*word).to_owned()).collect())
    }

    #[test]
    fn every_form_reads_and_is_written_so_that_it_reads_again() {
        check("none", &ModelName::None);
        check(" anthropic:claude-opus-5-5 ", &ModelName::Anthropic("claude-opus-5-5".into()));
        check("openai:org/model:free", &ModelName::OpenAi("org/model:free".into()));
        check("gemini:gemini-3.8-flash", &ModelName::Gemini("gemini-3.8-flash".into()));
        check("router:a/b:free", &ModelName::Server("router".into(), "a/b:free".into()));
        check("ollama:qwen3:8b", &ModelName::Ollama("qwen3:8b".into()));
        check("command:claude -p", &command(&["claude", "-p"]));
        for agent in crate::AGENTS {
            check(agent.name, &ModelName::Agent(agent));
            assert!(crate::Prices::built_in().know(agent.name), "{}", agent.name);
        }
        check(r#"command:x --a 'b c' "d'e" f'g'h ''"#, &command(&["x", "--a", "b c", "d'e", "fgh", ""]));
        check("command:x $(reboot) `y` && z", &command(&["x", "$(reboot)", "`y`", "&&", "z"]));
        check(r#"command:x "'" '"' "''""#, &command(&["x", "'", "\"", "''"]));
    }

    #[test]
    fn what_has_no_form_is_refused_with_the_forms() {
        for text in
            ["", "clause", "anthropic:", "GPT:x", "default:x", "command:", "command:'x", "command:''", "openai:a b"]
        {
            let error = ModelName::parse(text).expect_err(text);
            assert!(error.hints[0].contains("`ollama:MODEL`"), "{error}");
        }
    }
}

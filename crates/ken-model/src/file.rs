//! What `models.toml` says: which model, where it is, how it gets its key, what it may cost.
//!
//! The file is the user's own and lies outside of every vault: a vault's files come with a clone, and could
//! send what is private to a stranger. Keys do not stand in it. Every key of the file has a default; an
//! unknown one is refused with the nearest known one.

use std::time::Duration;

use ken_core::text::closest;

use crate::error::{ErrorKind, ModelError};
use crate::name::ModelName;
use crate::prices::{Money, Prices};
use crate::settings::{Key, Server, Settings};

/// Name of the file.
pub const MODELS_FILE: &str = "models.toml";

/// Every key: name, what it takes, default, meaning.
pub const KEYS: &[(&str, &str, &str, &str)] = &[
    ("model", "a model", "`none`", "the model that is asked unless another is named"),
    ("run_usd_max", "dollars", "1", "what one run may cost"),
    ("month_usd_max", "dollars", "20", "what a month may cost"),
    ("run_tokens_max", "tokens", "no limit", "what one run may take, prompts and replies"),
    ("retries_max", "a number up to 10", "3", "further tries when a provider is busy or away"),
    ("deadline_s", "seconds", "1200", "how long all tries of one prompt may take"),
    ("anthropic.url", "an address", "`https://api.anthropic.com`", "where it is"),
    ("anthropic.key_command", "a list of words", "none", "the program whose first line is the key"),
    ("anthropic.timeout_s", "seconds", "300", "how long one try may take"),
    ("anthropic.thinking_tokens_max", "tokens", "4000", "what the model may think, on top of the reply"),
    ("anthropic.effort", "a word", "the model's own", "how hard the model tries"),
    ("anthropic.temperature", "a number", "the model's own", "how freely the model chooses; newer ones refuse it"),
    ("anthropic.structured_output", "true or false", "true", "let the server hold the model to the schema"),
    ("openai.url", "an address", "`https://api.openai.com/v1`", "where it is; any server of that kind"),
    ("openai.key_command", "a list of words", "none", "the program whose first line is the key"),
    ("openai.timeout_s", "seconds", "300", "how long one try may take"),
    ("openai.thinking_tokens_max", "tokens", "4000", "what the model may think, on top of the reply"),
    ("openai.effort", "a word", "the model's own", "how hard the model tries"),
    ("openai.temperature", "a number", "the model's own", "how freely the model chooses; newer ones refuse it"),
    ("openai.structured_output", "true or false", "true", "let the server hold the model to the schema"),
    ("ollama.url", "an address", "`http://127.0.0.1:11434/v1`", "where it is"),
    ("ollama.key_command", "a list of words", "none", "the program whose first line is the key"),
    ("ollama.timeout_s", "seconds", "600", "how long one try may take"),
    ("ollama.thinking_tokens_max", "tokens", "4000", "what the model may think, on top of the reply"),
    ("ollama.effort", "a word", "the model's own", "how hard the model tries"),
    ("ollama.temperature", "a number", "the model's own", "how freely the model chooses"),
    ("ollama.structured_output", "true or false", "true", "let the server hold the model to the schema"),
    ("command.timeout_s", "seconds", "600", "how long a program may take"),
    ("prices.\"MODEL\"", "a table", "built in", "dollars for a million tokens: input, cache_read, cache_write, output"),
];

/// Most seconds of anything: a day.
const SECONDS_MAX: u64 = 86_400;

/// Most that a model may think: beyond what any of them makes at once.
const THINKING_TOKENS_MAX: u64 = 200_000;

/// What a key is called by those who would put one into the file.
const KEY_NAMES: [&str; 6] = ["key", "api_key", "apikey", "token", "secret", "password"];

/// The file, read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelsFile {
    /// The model that is asked unless another is named; none when the file does not say.
    pub model: Option<ModelName>,
    /// What one run may cost.
    pub run_usd_max: Option<Money>,
    /// What a month may cost.
    pub month_usd_max: Option<Money>,
    /// What one run may take.
    pub run_tokens_max: Option<u64>,
    /// What models cost, the user's prices included.
    pub prices: Prices,
    retries_max: Option<u32>,
    deadline: Option<Duration>,
    anthropic: ServerTable,
    openai: ServerTable,
    ollama: ServerTable,
    command_timeout: Option<Duration>,
}

/// What the file says about a server.
#[derive(Debug, Clone, PartialEq, Default)]
struct ServerTable {
    url: Option<String>,
    key_command: Option<Vec<String>>,
    timeout: Option<Duration>,
    thinking_tokens_max: Option<u64>,
    effort: Option<String>,
    temperature: Option<f64>,
    structured_output: Option<bool>,
}

impl ModelsFile {
    /// Returns what the text of the file says.
    ///
    /// # Errors
    /// When the text is not TOML, a key is unknown or a secret, or a value is not of its kind.
    pub fn parse(text: &str) -> Result<ModelsFile, ModelError> {
        // The parser's own words may quote a line with a secret in it; its message does not.
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| bad(error.message()))?;
        let mut file = ModelsFile::default();
        for (name, value) in table {
            match (name.as_str(), value) {
                ("prices", toml::Value::Table(rows)) => {
                    file.prices.overlay(rows).map_err(|error| ModelError { message: told(&error.message), ..error })?;
                }
                ("anthropic" | "openai" | "ollama" | "command", toml::Value::Table(keys)) => {
                    for (key, value) in keys {
                        file.set(&format!("{name}.{key}"), &value)?;
                    }
                }
                (_, toml::Value::Table(_)) => {
                    let hint = "the tables are `anthropic`, `openai`, `ollama`, `command` and `prices`";
                    return Err(bad(&format!("unknown table `{name}`")).hint(hint));
                }
                (_, value) => file.set(&name, &value)?,
            }
        }
        Ok(file)
    }

    /// Changes settings to what the file says; keys that are given stay.
    pub fn apply(&self, settings: &mut Settings) {
        self.anthropic.apply(&mut settings.anthropic);
        self.openai.apply(&mut settings.openai);
        self.ollama.apply(&mut settings.ollama);
        settings.retries_max = self.retries_max.unwrap_or(settings.retries_max);
        settings.deadline = self.deadline.unwrap_or(settings.deadline);
        settings.command.timeout = self.command_timeout.unwrap_or(settings.command.timeout);
    }

    fn set(&mut self, key: &str, value: &toml::Value) -> Result<(), ModelError> {
        let last = key.rsplit('.').next().unwrap_or(key).to_ascii_lowercase().replace('-', "_");
        if KEY_NAMES.contains(&last.as_str()) {
            let hint = "put it into the environment, or name a `key_command` that prints it";
            return Err(bad(&format!("`{key}` does not belong into the file: it is copied and backed up")).hint(hint));
        }
        match key {
            "model" => {
                self.model = Some(
                    ModelName::parse(text(key, value)?)
                        .map_err(|error| ModelError { message: told(&error.message), ..error })?,
                )
            }
            "run_usd_max" => self.run_usd_max = Some(usd(key, value)?),
            "month_usd_max" => self.month_usd_max = Some(usd(key, value)?),
            "run_tokens_max" => self.run_tokens_max = Some(number(key, value, 0, i64::MAX.cast_unsigned())?),
            "retries_max" => self.retries_max = u32::try_from(number(key, value, 0, 10)?).ok(),
            "deadline_s" => self.deadline = Some(seconds(key, value)?),
            "command.timeout_s" => self.command_timeout = Some(seconds(key, value)?),
            _ => {
                let table = match key.split_once('.') {
                    Some(("anthropic", _)) => &mut self.anthropic,
                    Some(("openai", _)) => &mut self.openai,
                    Some(("ollama", _)) => &mut self.ollama,
                    _ => return Err(unknown(key)),
                };
                table.set(key, value)?;
            }
        }
        Ok(())
    }
}

impl ServerTable {
    fn set(&mut self, key: &str, value: &toml::Value) -> Result<(), ModelError> {
        match key.split_once('.').map_or(key, |(_, last)| last) {
            "url" => self.url = Some(text(key, value)?.to_owned()),
            "key_command" => self.key_command = Some(words(key, value)?),
            "timeout_s" => self.timeout = Some(seconds(key, value)?),
            "thinking_tokens_max" => self.thinking_tokens_max = Some(number(key, value, 0, THINKING_TOKENS_MAX)?),
            "effort" => self.effort = Some(text(key, value)?.to_owned()),
            "temperature" => self.temperature = Some(fraction(key, value, "a number from 0 to 2", 2.0)?),
            "structured_output" => {
                let is = value.as_bool().ok_or_else(|| wrong(key, value, "true or false"))?;
                self.structured_output = Some(is);
            }
            _ => return Err(unknown(key)),
        }
        Ok(())
    }

    fn apply(&self, server: &mut Server) {
        if let Some(url) = &self.url {
            server.url.clone_from(url);
        }
        // The environment is nearer than a file.
        if let (Key::None, Some(words)) = (&server.key, &self.key_command) {
            server.key = Key::Command(words.clone());
        }
        server.timeout = self.timeout.unwrap_or(server.timeout);
        server.thinking_tokens_max = self.thinking_tokens_max.unwrap_or(server.thinking_tokens_max);
        server.effort = self.effort.clone().or(server.effort.take());
        server.temperature = self.temperature.or(server.temperature);
        server.is_structured = self.structured_output.unwrap_or(server.is_structured);
    }
}

fn text<'a>(key: &str, value: &'a toml::Value) -> Result<&'a str, ModelError> {
    value.as_str().filter(|text| !text.trim().is_empty()).ok_or_else(|| wrong(key, value, "a text"))
}

fn words(key: &str, value: &toml::Value) -> Result<Vec<String>, ModelError> {
    let words = value.as_array().map_or(&[][..], Vec::as_slice);
    let texts: Vec<String> = words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect();
    if texts.is_empty() || texts.len() != words.len() || texts[0].is_empty() {
        return Err(wrong(key, value, "a list of words like `[\"pass\", \"show\", \"x\"]`"));
    }
    Ok(texts)
}

fn number(key: &str, value: &toml::Value, min: u64, max: u64) -> Result<u64, ModelError> {
    let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
    let expected = format!("a number from {min} to {max}");
    number.filter(|number| (min..=max).contains(number)).ok_or_else(|| wrong(key, value, &expected))
}

fn seconds(key: &str, value: &toml::Value) -> Result<Duration, ModelError> {
    number(key, value, 1, SECONDS_MAX).map(Duration::from_secs)
}

fn fraction(key: &str, value: &toml::Value, expected: &str, max: f64) -> Result<f64, ModelError> {
    let number = value.as_float().or(value.as_integer().map(|number| number as f64));
    number.filter(|number| (0.0..=max).contains(number)).ok_or_else(|| wrong(key, value, expected))
}

fn usd(key: &str, value: &toml::Value) -> Result<Money, ModelError> {
    let expected = "dollars from 0 to 1000000";
    Money::of_usd(fraction(key, value, expected, 1e6)?).ok_or_else(|| wrong(key, value, expected))
}

/// Texts are not shown: what stands in the wrong place may be a key.
fn wrong(key: &str, value: &toml::Value, expected: &str) -> ModelError {
    let shown = match value {
        toml::Value::Integer(number) => format!("`{number}`"),
        toml::Value::Float(number) => format!("`{number}`"),
        toml::Value::Boolean(is) => format!("`{is}`"),
        _ => format!("a {}", value.type_str()),
    };
    bad(&format!("`{key}` is {shown}, {expected} is expected"))
}

fn unknown(key: &str) -> ModelError {
    let closest = closest(key, KEYS.iter().map(|(known, ..)| *known)).unwrap_or_default();
    bad(&format!("unknown key `{key}`")).hint(format!("the closest key is `{closest}`"))
}

fn bad(why: &str) -> ModelError {
    ModelError::new(ErrorKind::Setup, told(why.lines().next().unwrap_or("it does not read as TOML")))
}

fn told(why: &str) -> String {
    format!("{MODELS_FILE}: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        ModelsFile::parse(text).expect_err("refused").to_string()
    }

    #[test]
    fn an_empty_file_changes_nothing() {
        let file = ModelsFile::parse("").expect("reads");
        assert_eq!(file, ModelsFile::default());
        let mut settings = Settings::new("/tmp");
        file.apply(&mut settings);
        assert_eq!(format!("{settings:?}"), format!("{:?}", Settings::new("/tmp")));
    }

    #[test]
    fn every_key_of_the_table_is_read_and_has_its_default() {
        let settings = format!("{:?}", Settings::new("/tmp"));
        for (key, takes, default, _) in KEYS.iter().filter(|(key, ..)| !key.starts_with("prices")) {
            let value = match *takes {
                "a model" => "'ollama:x'",
                "an address" => "'http://127.0.0.1:9'",
                "a list of words" => "['pass', 'show', 'x']",
                "a word" => "'low'",
                "true or false" => "false",
                _ => "1",
            };
            let file = ModelsFile::parse(&format!("{key} = {value}")).unwrap_or_else(|error| panic!("{key}: {error}"));
            assert_ne!(file, ModelsFile::default(), "{key} is read");
            let is_told = takes.starts_with("seconds") || *takes == "an address" || key.contains("thinking");
            if is_told {
                let shown = default.trim_matches('`');
                let shown = if takes.starts_with("seconds") { format!("{shown}s") } else { shown.to_owned() };
                assert!(settings.contains(&shown), "{key} is {default} by default");
            }
        }
    }

    #[test]
    fn settings_become_what_the_file_says() {
        let text = "model = 'anthropic:claude-opus-5-5'\nrun_usd_max = 0.5\nmonth_usd_max = 10\nrun_tokens_max = 100000\n\
            retries_max = 1\n[anthropic]\nkey_command = ['pass', 'show', 'x']\ntimeout_s = 60\neffort = 'low'\n\
            [openai]\nurl = 'https://example.com/v1'\nstructured_output = false\ntemperature = 0.5\n\
            [command]\ntimeout_s = 90\n[prices.'openai:mine']\ninput = 1.0\noutput = 2.0\n";
        let file = ModelsFile::parse(text).expect("reads");
        assert_eq!(file.model, Some(ModelName::Anthropic("claude-opus-5-5".to_owned())));
        assert_eq!((file.run_usd_max, file.month_usd_max), (Some(Money(500_000)), Some(Money(10_000_000))));
        assert_eq!(file.run_tokens_max, Some(100_000));
        assert_eq!(file.prices.upper_bound("openai:mine", 1_000_000, 0, 1), Some(Money(1_250_000)));
        let mut settings = Settings::new("/tmp");
        settings.openai.key = Key::Given(crate::settings::Secret::new("k"));
        file.apply(&mut settings);
        assert_eq!(settings.anthropic.key, Key::Command(vec!["pass".into(), "show".into(), "x".into()]));
        assert_eq!((settings.anthropic.timeout, settings.retries_max), (Duration::from_secs(60), 1));
        assert_eq!(settings.anthropic.effort.as_deref(), Some("low"));
        assert_eq!((settings.openai.url.as_str(), settings.openai.is_structured), ("https://example.com/v1", false));
        assert!(matches!(settings.openai.key, Key::Given(_)), "a key that is given stays");
        assert_eq!(settings.command.timeout, Duration::from_secs(90));
    }

    #[test]
    fn keys_are_closed_and_values_have_kinds() {
        assert_eq!(message("modell = 'none'"), "models.toml: unknown key `modell`; the closest key is `model`");
        assert_eq!(
            message("[anthropic]\ntimeout = 3"),
            "models.toml: unknown key `anthropic.timeout`; the closest key is `anthropic.timeout_s`"
        );
        assert!(message("[gemini]\nurl = 'x'").starts_with("models.toml: unknown table `gemini`; the tables are"));
        assert_eq!(message("deadline_s = 0"), "models.toml: `deadline_s` is `0`, a number from 1 to 86400 is expected");
        assert_eq!(
            message("run_usd_max = -1"),
            "models.toml: `run_usd_max` is `-1`, dollars from 0 to 1000000 is expected"
        );
        assert_eq!(message("openai = 3"), "models.toml: unknown key `openai`; the closest key is `openai.url`");
        assert!(message("model = 'x'").starts_with("models.toml: `x` names no model; a model is"));
        assert!(message("[ollama]\nkey_command = 'pass show'").contains("a list of words"));
    }

    #[test]
    fn keys_of_providers_are_refused_and_not_shown() {
        for text in [
            "[anthropic]\nkey = 'k-123'",
            "[openai]\napi_key = 'k-123'",
            "token = 'k-123'",
            "[openai]\nAPI-Key = 'k-123'",
        ] {
            let message = message(text);
            assert!(message.contains("put it into the environment") && !message.contains("k-123"), "{message}");
        }
        let broken = message("[openai]\napi_key = 'k-123");
        assert!(!broken.contains("k-123"), "{broken}");
        assert!(!message("[openai]\nkey_command = 'k-123'").contains("k-123"));
    }

    #[test]
    fn the_manual_lists_every_key() {
        let manual = include_str!("../../../docs/book/models.md");
        for (key, takes, default, meaning) in KEYS {
            let row = format!("| `{key}` | {takes} | {default} | {meaning} |\n");
            assert!(manual.contains(&row), "docs/book/models.md: {row}");
        }
        assert!(manual.contains(&format!("looked up on {}", crate::prices::LOOKED_UP)));
    }
}

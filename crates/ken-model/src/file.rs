//! What `models.toml` says: which model, where it is, how it gets its key, what it may cost.
//!
//! The file is the user's own and lies outside of every vault: a vault's files come with a clone, and could
//! send what is private to a stranger. Keys do not stand in it. Every key of the file has a default; an
//! unknown one is refused with the nearest known one.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::background::Background;
use crate::error::ModelError;
use crate::money::Money;
use crate::name::{ModelName, can_name_a_server};
use crate::prices::Prices;
use crate::settings::{Api, Key, SERVER_TIMEOUT, Secret, Server, Settings};
use crate::value::{
    at_line, at_once, bad, fraction, line_of, name, named, number, seconds, text, told, unknown, usd, words, wrong,
};

/// Name of the file of prices, beside it.
pub const PRICES_FILE: &str = "prices.toml";

/// Most tokens of a window: beyond what any model has.
const CONTEXT_TOKENS_MAX: u64 = 10_000_000;

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
    /// Whether questions without a sure answer are said in other words.
    pub reword: Option<bool>,
    /// What is asked without anybody waiting; none unless the file says so.
    pub background: Option<Background>,
    /// What models cost, the user's prices included.
    pub prices: Prices,
    retries_max: Option<u32>,
    deadline: Option<Duration>,
    anthropic: ServerTable,
    openai: ServerTable,
    gemini: ServerTable,
    ollama: ServerTable,
    servers: BTreeMap<String, ServerTable>,
    command_timeout: Option<Duration>,
    command_calls_at_once_max: Option<usize>,
}

/// What the file says about a server.
#[derive(Debug, Clone, PartialEq, Default)]
struct ServerTable {
    url: Option<String>,
    key_env: Option<String>,
    key_command: Option<Vec<String>>,
    key_header: Option<String>,
    api: Option<Api>,
    context_tokens: Option<u64>,
    timeout: Option<Duration>,
    calls_at_once_max: Option<usize>,
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
        ModelsFile::over(Prices::built_in(), text)
    }

    /// Returns what the text of the file says, its prices laid over others.
    ///
    /// # Errors
    /// As [`ModelsFile::parse`].
    pub fn over(prices: Prices, text: &str) -> Result<ModelsFile, ModelError> {
        // The parser's own words may quote a line with a secret in it; its message does not.
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            at_line(bad(error.message()), line)
        })?;
        ModelsFile::of_table(prices, table).map_err(|error| {
            let line = named(&error.message).and_then(|key| line_of(text, key));
            at_line(error, line)
        })
    }

    fn of_table(prices: Prices, table: toml::Table) -> Result<ModelsFile, ModelError> {
        let mut file = ModelsFile { prices, ..ModelsFile::default() };
        for (name, value) in table {
            match (name.as_str(), value) {
                ("prices", toml::Value::Table(rows)) => {
                    file.prices.overlay(rows).map_err(|error| ModelError { message: told(&error.message), ..error })?;
                }
                ("anthropic" | "openai" | "gemini" | "ollama" | "command", toml::Value::Table(keys)) => {
                    for (key, value) in keys {
                        file.set(&format!("{name}.{key}"), &value)?;
                    }
                }
                ("background", toml::Value::Table(keys)) => file.background = Some(Background::of(&keys)?),
                ("servers", toml::Value::Table(servers)) => {
                    servers.into_iter().try_for_each(|(name, keys)| file.add_server(&name, keys))?;
                }
                (_, toml::Value::Table(_)) => {
                    let hint = "the tables are `anthropic`, `openai`, `gemini`, `ollama`, `servers.NAME`, `command`, \
                        `background` and `prices`";
                    return Err(bad(&format!("unknown table `{name}`")).hint(hint));
                }
                (_, value) => file.set(&name, &value)?,
            }
        }
        Ok(file)
    }

    /// Changes settings to what the file says. A key that is given stays, unless the file names a variable for it;
    /// `variable` returns what a variable of the environment holds.
    pub fn apply(&self, settings: &mut Settings, variable: &dyn Fn(&str) -> Option<String>) {
        self.anthropic.apply(&mut settings.anthropic, variable);
        self.openai.apply(&mut settings.openai, variable);
        self.gemini.apply(&mut settings.gemini, variable);
        self.ollama.apply(&mut settings.ollama, variable);
        for (name, table) in &self.servers {
            let mut server = Server::at("", SERVER_TIMEOUT);
            table.apply(&mut server, variable);
            settings.servers.insert(name.clone(), server);
        }
        settings.retries_max = self.retries_max.unwrap_or(settings.retries_max);
        settings.deadline = self.deadline.unwrap_or(settings.deadline);
        settings.command.timeout = self.command_timeout.unwrap_or(settings.command.timeout);
        let at_once = self.command_calls_at_once_max;
        settings.command.calls_at_once_max = at_once.unwrap_or(settings.command.calls_at_once_max);
    }

    /// Reads the table of a server that the user gave a name.
    fn add_server(&mut self, name: &str, keys: toml::Value) -> Result<(), ModelError> {
        if !can_name_a_server(name) {
            let hint = "a name has small letters, digits, `-` and `_`, and is none of the built-in providers";
            return Err(bad(&format!("`{name}` cannot be the name of a server")).hint(hint));
        }
        let toml::Value::Table(mut keys) = keys else { return Err(unknown(&format!("servers.{name}"))) };
        if let Some(price) = keys.remove("price") {
            let rows = toml::Table::from_iter([(format!("{name}:*"), price)]);
            self.prices.overlay(rows).map_err(|error| ModelError { message: told(&error.message), ..error })?;
        }
        self.servers.entry(name.to_owned()).or_default();
        for (key, value) in &keys {
            self.set(&format!("servers.{name}.{key}"), value)?;
        }
        if self.servers.get(name).is_none_or(|table| table.url.is_none()) {
            return Err(bad(&format!("`servers.{name}` has no `url`"))
                .hint("an address looks like `https://api.example.com/v1`, without `/chat/completions`"));
        }
        Ok(())
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
            "reword" => self.reword = Some(value.as_bool().ok_or_else(|| wrong(key, value, "true or false"))?),
            "month_usd_max" => self.month_usd_max = Some(usd(key, value)?),
            "run_tokens_max" => self.run_tokens_max = Some(number(key, value, 0, i64::MAX.cast_unsigned())?),
            "retries_max" => self.retries_max = u32::try_from(number(key, value, 0, 10)?).ok(),
            "deadline_s" => self.deadline = Some(seconds(key, value)?),
            "command.timeout_s" => self.command_timeout = Some(seconds(key, value)?),
            "command.calls_at_once_max" => self.command_calls_at_once_max = Some(at_once(key, value)?),
            _ => {
                let table = match key.rsplit_once('.') {
                    Some(("anthropic", _)) => &mut self.anthropic,
                    Some(("openai", _)) => &mut self.openai,
                    Some(("gemini", _)) => &mut self.gemini,
                    Some(("ollama", _)) => &mut self.ollama,
                    Some((table, _)) => match table.strip_prefix("servers.") {
                        Some(name) => self.servers.entry(name.to_owned()).or_default(),
                        None => return Err(unknown(key)),
                    },
                    None => return Err(unknown(key)),
                };
                table.set(key, value)?;
            }
        }
        Ok(())
    }
}

impl ServerTable {
    fn set(&mut self, key: &str, value: &toml::Value) -> Result<(), ModelError> {
        let (table, last) = key.rsplit_once('.').unwrap_or(("", key));
        match last {
            "url" => self.url = Some(text(key, value)?.to_owned()),
            "key_env" => {
                let expected = "the name of a variable in capitals";
                let variable = name(key, value, expected, "_")?;
                // Names are shown, and what has small letters in it is rather a key.
                if variable.chars().any(|ch| ch.is_ascii_lowercase()) {
                    return Err(wrong(key, value, expected));
                }
                self.key_env = Some(variable);
            }
            "key_header" => self.key_header = Some(name(key, value, "the name of a header", "-_")?.to_lowercase()),
            "api" if table == "openai" || table.starts_with("servers.") => {
                self.api = Some(match value.as_str() {
                    Some("chat") => Api::Chat,
                    Some("responses") => Api::Responses,
                    _ => return Err(wrong(key, value, "`chat` or `responses`")),
                });
            }
            "context_tokens" if table == "ollama" => {
                self.context_tokens = Some(number(key, value, 1_024, CONTEXT_TOKENS_MAX)?);
            }
            "key_command" => self.key_command = Some(words(key, value)?),
            "timeout_s" => self.timeout = Some(seconds(key, value)?),
            "calls_at_once_max" => self.calls_at_once_max = Some(at_once(key, value)?),
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

    fn apply(&self, server: &mut Server, variable: &dyn Fn(&str) -> Option<String>) {
        if let Some(url) = &self.url {
            server.url.clone_from(url);
        }
        // Who names a variable means that one; what is set without being named is nearer than a command.
        if let Some(named) = &self.key_env {
            server.key = match (variable(named), &self.key_command) {
                (Some(key), _) => Key::Given(Secret::new(&key)),
                (None, Some(words)) => Key::Command(words.clone()),
                (None, None) => Key::Unset(named.clone()),
            };
            server.key_header = None;
        }
        if let (Key::None, Some(words)) = (&server.key, &self.key_command) {
            server.key = Key::Command(words.clone());
        }
        server.timeout = self.timeout.unwrap_or(server.timeout);
        server.calls_at_once_max = self.calls_at_once_max.or(server.calls_at_once_max);
        server.thinking_tokens_max = self.thinking_tokens_max.unwrap_or(server.thinking_tokens_max);
        server.key_header = self.key_header.clone().or(server.key_header.take());
        server.api = self.api.or(server.api);
        server.context_tokens = self.context_tokens.unwrap_or(server.context_tokens);
        server.effort = self.effort.clone().or(server.effort.take());
        server.temperature = self.temperature.or(server.temperature);
        server.is_structured = self.structured_output.unwrap_or(server.is_structured);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::KEYS;

    fn message(text: &str) -> String {
        ModelsFile::parse(text).expect_err("refused").to_string()
    }

    #[test]
    fn an_empty_file_changes_nothing() {
        let file = ModelsFile::parse("").expect("reads");
        assert_eq!(file, ModelsFile::default());
        let mut settings = Settings::new("/tmp");
        file.apply(&mut settings, &|_| None);
        assert_eq!(format!("{settings:?}"), format!("{:?}", Settings::new("/tmp")));
    }

    #[test]
    fn every_key_of_the_table_is_read_and_has_its_default() {
        let settings = format!("{:?}", Settings::new("/tmp"));
        for &(key, takes, default, _) in KEYS.iter().filter(|(key, ..)| !key.starts_with("prices")) {
            let value = match takes {
                "a model" => "'ollama:x'",
                "an address" => "'http://127.0.0.1:9'",
                "a list of words" => "['pass', 'show', 'x']",
                "a word" => "'low'",
                "a variable" => "'MY_KEY'",
                "a price" => "{ input = 1, output = 2 }",
                "a time of day" => "'22:30'",
                "a list of folders" => "['~/private']",
                "true or false" if default == "false" => "true",
                "`chat` or `responses`" => "'chat'",
                "true or false" => "false",
                _ => "1",
            };
            let url = "servers.mine.url = 'http://127.0.0.1:8'";
            let key = key.replace("NAME", "mine");
            let url = if key.starts_with("servers.") && !key.ends_with(".url") { url } else { "" };
            let value = if key.ends_with("context_tokens") { "2048" } else { value };
            let file =
                ModelsFile::parse(&format!("{url}\n{key} = {value}")).unwrap_or_else(|error| panic!("{key}: {error}"));
            assert_ne!(file, ModelsFile::parse(url).expect("reads"), "{key} is read");
            let is_told = takes.starts_with("seconds") || takes == "an address" || key.contains("thinking");
            if is_told && !key.starts_with("servers.") {
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
        file.apply(&mut settings, &|_| None);
        assert_eq!(settings.anthropic.key, Key::Command(vec!["pass".into(), "show".into(), "x".into()]));
        assert_eq!((settings.anthropic.timeout, settings.retries_max), (Duration::from_secs(60), 1));
        assert_eq!(settings.anthropic.effort.as_deref(), Some("low"));
        assert_eq!((settings.openai.url.as_str(), settings.openai.is_structured), ("https://example.com/v1", false));
        assert!(matches!(settings.openai.key, Key::Given(_)), "a key that is given stays");
        assert_eq!(settings.command.timeout, Duration::from_secs(90));
    }

    #[test]
    fn keys_are_closed_and_values_have_kinds() {
        assert_eq!(message("modell = 'none'"), "models.toml:1: unknown key `modell`; the closest key is `model`");
        assert_eq!(
            message("[anthropic]\ntimeout = 3"),
            "models.toml:2: unknown key `anthropic.timeout`; the closest key is `anthropic.timeout_s`"
        );
        assert!(message("[mistral]\nurl = 'x'").starts_with("models.toml:1: unknown table `mistral`; the tables are"));
        assert_eq!(
            message("deadline_s = 0"),
            "models.toml:1: `deadline_s` is `0`, a number from 1 to 86400 is expected"
        );
        assert_eq!(
            message("run_usd_max = -1"),
            "models.toml:1: `run_usd_max` is `-1`, dollars from 0 to 1000000 is expected"
        );
        assert_eq!(message("openai = 3"), "models.toml:1: unknown key `openai`; the closest key is `openai.api`");
        assert!(message("model = 'x'").starts_with("models.toml: `x` names no model; a model is"));
        assert!(message("[ollama]\nkey_command = 'pass show'").contains("a list of words"));
    }

    #[test]
    fn servers_of_ones_own_have_names_keys_and_prices() {
        let text = "[servers.openrouter]\nurl = 'https://openrouter.ai/api/v1'\nkey_env = 'ROUTER_KEY'\n\
            price = { input = 1, output = 2 }\n[servers.here]\nurl = 'http://127.0.0.1:1234/v1'\napi = 'responses'\n\
            [servers.there]\nurl = 'https://there.example/v1'\nkey_env = 'THERE_KEY'\nkey_header = 'API-Key'\n\
            [anthropic]\nkey_env = 'WORK_KEY'\n[prices.'openrouter:dear']\ninput = 9\noutput = 9\n";
        let file = ModelsFile::parse(text).expect("reads");
        let mut settings = Settings::new("/tmp");
        settings.anthropic.key = Key::Given(Secret::new("private"));
        let variable = |name: &str| ["ROUTER_KEY", "WORK_KEY"].contains(&name).then(|| "k-9".to_owned());
        file.apply(&mut settings, &variable);
        let given = Key::Given(Secret::new("k-9"));
        let server = |name: &str| settings.servers.get(name).expect("a server");
        assert_eq!((&server("openrouter").key, &settings.anthropic.key), (&given, &given));
        assert_eq!((&server("here").key, server("here").api), (&Key::None, Some(Api::Responses)));
        assert_eq!(server("there").key, Key::Unset("THERE_KEY".to_owned()));
        assert_eq!(server("there").key_header.as_deref(), Some("api-key"));
        let price = |name: &str| file.prices.upper_bound(name, 1_000_000, 0, 1);
        assert_eq!(price("openrouter:any/model"), Some(Money(1_250_000)));
        assert_eq!((price("openrouter:dear"), price("here:x")), (Some(Money(11_250_000)), None));
    }

    #[test]
    fn servers_without_a_name_or_an_address_are_refused() {
        assert!(message("[servers.mine]\neffort = 'low'").starts_with("models.toml:1: `servers.mine` has no `url`;"));
        for name in ["openai", "none", "default", "Big", "'a b'"] {
            let text = format!("[servers.{name}]\nurl = 'http://127.0.0.1:9'");
            assert!(message(&text).contains("cannot be the name of a server"), "{name}");
        }
        let unknown = message("[servers.mine]\nurl = 'http://127.0.0.1:9'\ntimeout = 3");
        let expected = "models.toml:3: unknown key `servers.mine.timeout`; the closest key is `servers.NAME.timeout_s`";
        assert_eq!(unknown, expected);
        assert!(message("[servers.mine]\nkey = 'k-123'").contains("put it into the environment"));
        for key in ["k-123", "sk_abc123"] {
            let message = message(&format!("[servers.mine]\nkey_env = '{key}'"));
            assert!(message.contains("capitals") && !message.contains(key), "it may be a key: {message}");
        }
        assert!(message("servers = 3").contains("unknown key `servers`"));
        assert!(message("[servers]\nmine = 'x'").contains("unknown key `servers.mine`"));
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

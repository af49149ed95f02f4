//! The keys of `models.toml`, and how a value of it is read: what is wrong is said with the key and its line.

use std::time::Duration;

use ken_core::text::closest;

use crate::error::{ErrorKind, ModelError};
use crate::money::Money;

/// Name of the file.
pub const MODELS_FILE: &str = "models.toml";

/// Every key: name, what it takes, default, meaning.
pub const KEYS: &[(&str, &str, &str, &str)] = &[
    ("model", "a model", "`none`", "the model that is asked unless another is named"),
    ("run_usd_max", "dollars", "1", "what one run may cost"),
    ("month_usd_max", "dollars", "20", "what a month may cost"),
    ("run_tokens_max", "tokens", "no limit", "what one run may take, prompts and replies"),
    (
        "reword",
        "true or false",
        "false",
        "let `ken ask --model` look for a question in other words, too, where it has no sure answer",
    ),
    ("retries_max", "a number up to 10", "3", "further tries when a provider is busy or away"),
    ("deadline_s", "seconds", "1200", "how long all tries of one prompt may take"),
    ("anthropic.url", "an address", "`https://api.anthropic.com`", "where it is"),
    ("anthropic.key_env", "a variable", "`ANTHROPIC_API_KEY`", "the variable of the environment that holds the key"),
    ("anthropic.key_command", "a list of words", "none", "the program whose first line is the key"),
    (
        "anthropic.key_header",
        "a word",
        "the usual one",
        "the header that carries the key; `authorization` for `Bearer KEY`",
    ),
    ("anthropic.timeout_s", "seconds", "300", "how long one try may take"),
    (
        "anthropic.calls_at_once_max",
        "a number up to 16",
        "4, or 1 on this machine",
        "how many calls may be under way at once",
    ),
    ("anthropic.thinking_tokens_max", "tokens", "4000", "what the model may think, on top of the reply"),
    ("anthropic.effort", "a word", "the model's own", "how hard the model tries"),
    ("anthropic.temperature", "a number", "the model's own", "how freely the model chooses; newer ones refuse it"),
    ("anthropic.structured_output", "true or false", "true", "let the server hold the model to the schema"),
    ("openai.url", "an address", "`https://api.openai.com/v1`", "where it is"),
    ("openai.key_env", "a variable", "`OPENAI_API_KEY`", "the variable of the environment that holds the key"),
    ("openai.key_command", "a list of words", "none", "the program whose first line is the key"),
    (
        "openai.key_header",
        "a word",
        "the usual one",
        "the header that carries the key; `authorization` for `Bearer KEY`",
    ),
    ("openai.timeout_s", "seconds", "300", "how long one try may take"),
    (
        "openai.calls_at_once_max",
        "a number up to 16",
        "4, or 1 on this machine",
        "how many calls may be under way at once",
    ),
    ("openai.thinking_tokens_max", "tokens", "4000", "what the model may think, on top of the reply"),
    ("openai.effort", "a word", "the model's own", "how hard the model tries"),
    ("openai.temperature", "a number", "the model's own", "how freely the model chooses; newer ones refuse it"),
    ("openai.structured_output", "true or false", "true", "let the server hold the model to the schema"),
    (
        "openai.api",
        "`chat` or `responses`",
        "`responses` at OpenAI, else `chat`",
        "the protocol that the server speaks",
    ),
    ("gemini.url", "an address", "`https://generativelanguage.googleapis.com`", "where it is"),
    ("gemini.key_env", "a variable", "`GEMINI_API_KEY`", "the variable of the environment that holds the key"),
    ("gemini.key_command", "a list of words", "none", "the program whose first line is the key"),
    (
        "gemini.key_header",
        "a word",
        "the usual one",
        "the header that carries the key; `authorization` for `Bearer KEY`",
    ),
    ("gemini.timeout_s", "seconds", "300", "how long one try may take"),
    (
        "gemini.calls_at_once_max",
        "a number up to 16",
        "4, or 1 on this machine",
        "how many calls may be under way at once",
    ),
    ("gemini.thinking_tokens_max", "tokens", "4000", "what the model may think, on top of the reply"),
    ("gemini.effort", "a word", "the model's own", "how hard the model tries"),
    ("gemini.temperature", "a number", "the model's own", "how freely the model chooses; newer ones refuse it"),
    ("gemini.structured_output", "true or false", "true", "let the server hold the model to the schema"),
    ("ollama.url", "an address", "`http://127.0.0.1:11434`", "where it is"),
    ("ollama.key_env", "a variable", "`OLLAMA_API_KEY`", "the variable of the environment that holds the key"),
    ("ollama.key_command", "a list of words", "none", "the program whose first line is the key"),
    (
        "ollama.key_header",
        "a word",
        "the usual one",
        "the header that carries the key; `authorization` for `Bearer KEY`",
    ),
    ("ollama.timeout_s", "seconds", "600", "how long one try may take"),
    ("ollama.calls_at_once_max", "a number up to 16", "1", "how many calls may be under way at once"),
    ("ollama.thinking_tokens_max", "tokens", "4000", "what the model may think, on top of the reply"),
    ("ollama.effort", "a word", "the model's own", "how hard the model tries"),
    ("ollama.temperature", "a number", "the model's own", "how freely the model chooses"),
    ("ollama.structured_output", "true or false", "true", "let the server hold the model to the schema"),
    ("ollama.context_tokens", "tokens", "32768", "how many tokens prompt and reply may have together (`num_ctx`)"),
    ("servers.NAME.url", "an address", "none; it must be there", "where a server of your own is, up to `/v1`"),
    ("servers.NAME.key_env", "a variable", "none", "the variable of the environment that holds the key"),
    ("servers.NAME.key_command", "a list of words", "none", "the program whose first line is the key"),
    (
        "servers.NAME.key_header",
        "a word",
        "the usual one",
        "the header that carries the key; `authorization` for `Bearer KEY`",
    ),
    ("servers.NAME.timeout_s", "seconds", "300", "how long one try may take"),
    (
        "servers.NAME.calls_at_once_max",
        "a number up to 16",
        "4, or 1 on this machine",
        "how many calls may be under way at once",
    ),
    ("servers.NAME.thinking_tokens_max", "tokens", "4000", "what the model may think, on top of the reply"),
    ("servers.NAME.effort", "a word", "the model's own", "how hard the model tries"),
    ("servers.NAME.temperature", "a number", "the model's own", "how freely the model chooses; newer ones refuse it"),
    ("servers.NAME.structured_output", "true or false", "true", "let the server hold the model to the schema"),
    ("servers.NAME.api", "`chat` or `responses`", "`chat`", "the protocol that the server speaks"),
    ("servers.NAME.price", "a price", "none", "what all its models cost, as in `prices`"),
    ("command.timeout_s", "seconds", "600", "how long a program may take"),
    ("command.calls_at_once_max", "a number up to 16", "1", "how many programs may run at once"),
    (
        "background.model",
        "a model",
        "`none`",
        "the model that is asked without anybody waiting; an agent is named `claude`, `codex`, `gemini`, `opencode` or \
         `copilot`",
    ),
    (
        "background.after_sessions",
        "a number up to 1000",
        "1, unless `at` or `when_idle_minutes` is set",
        "ask when so many sessions are new",
    ),
    ("background.at", "a time of day", "none", "ask once a day, with the first worker from then on; as `\"22:30\"`"),
    ("background.when_idle_minutes", "a number up to 10080", "none", "ask when no session said anything for so long"),
    ("background.call_usd_max", "dollars", "0.25", "what one call of an agent or a program may cost"),
    ("background.day_usd_max", "dollars", "1", "what a day may cost, over all vaults"),
    ("background.month_usd_max", "dollars", "10", "what a month may cost, over all vaults"),
    (
        "background.batch",
        "true or false",
        "true at Anthropic and OpenAI",
        "ask in batches, at half the price; a later worker collects the replies",
    ),
    ("background.on_battery", "true or false", "false", "ask on battery too"),
    ("background.exclude", "a list of folders", "none", "vaults in these folders are not read"),
    ("prices.\"MODEL\"", "a table", "built in", "dollars for a million tokens: input, cache_read, cache_write, output"),
];

/// Most calls that may be under way at once: beyond it accounts have limits, and a run its own work to do.
const CALLS_AT_ONCE_MAX: u64 = 16;
/// Most seconds of anything: a day.
const SECONDS_MAX: u64 = 86_400;

/// The key that a message is about: the first thing in it between backquotes.
pub(crate) fn named(message: &str) -> Option<&str> {
    message.split('`').nth(1)
}

/// The line on which a key or table is named, the first one when several could be meant.
pub(crate) fn line_of(text: &str, key: &str) -> Option<usize> {
    let plain = |name: &str| name.replace(['"', '\'', ' '], "");
    let mut table = String::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(head) = line.strip_prefix('[') {
            table = plain(head.split(']').next().unwrap_or_default());
            if table == key {
                return Some(n + 1);
            }
        } else if let Some((name, _)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            let name = plain(name);
            let full = if table.is_empty() { name } else { format!("{table}.{name}") };
            if full == key {
                return Some(n + 1);
            }
        }
    }
    None
}

pub(crate) fn at_line(error: ModelError, line: Option<usize>) -> ModelError {
    let Some(line) = line else { return error };
    let message = match error.message.strip_prefix(MODELS_FILE) {
        Some(rest) => format!("{MODELS_FILE}:{line}{rest}"),
        None => error.message,
    };
    ModelError { message, ..error }
}

pub(crate) fn text<'a>(key: &str, value: &'a toml::Value) -> Result<&'a str, ModelError> {
    value.as_str().filter(|text| !text.trim().is_empty()).ok_or_else(|| wrong(key, value, "a text"))
}

/// A name of letters, digits and some marks.
pub(crate) fn name(key: &str, value: &toml::Value, expected: &str, marks: &str) -> Result<String, ModelError> {
    let is_plain = |name: &&str| name.chars().all(|ch| ch.is_ascii_alphanumeric() || marks.contains(ch));
    let name = value.as_str().filter(|name| !name.is_empty()).filter(is_plain);
    name.map(str::to_owned).ok_or_else(|| wrong(key, value, expected))
}

pub(crate) fn words(key: &str, value: &toml::Value) -> Result<Vec<String>, ModelError> {
    let words = value.as_array().map_or(&[][..], Vec::as_slice);
    let texts: Vec<String> = words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect();
    if texts.is_empty() || texts.len() != words.len() || texts[0].is_empty() {
        return Err(wrong(key, value, "a list of words like `[\"pass\", \"show\", \"x\"]`"));
    }
    Ok(texts)
}

pub(crate) fn number(key: &str, value: &toml::Value, min: u64, max: u64) -> Result<u64, ModelError> {
    let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
    let expected = format!("a number from {min} to {max}");
    number.filter(|number| (min..=max).contains(number)).ok_or_else(|| wrong(key, value, &expected))
}

/// How many calls may be under way at once.
pub(crate) fn at_once(key: &str, value: &toml::Value) -> Result<usize, ModelError> {
    number(key, value, 1, CALLS_AT_ONCE_MAX).map(|number| usize::try_from(number).unwrap_or(1))
}

pub(crate) fn seconds(key: &str, value: &toml::Value) -> Result<Duration, ModelError> {
    number(key, value, 1, SECONDS_MAX).map(Duration::from_secs)
}

pub(crate) fn fraction(key: &str, value: &toml::Value, expected: &str, max: f64) -> Result<f64, ModelError> {
    let number = value.as_float().or(value.as_integer().map(|number| number as f64));
    number.filter(|number| (0.0..=max).contains(number)).ok_or_else(|| wrong(key, value, expected))
}

pub(crate) fn usd(key: &str, value: &toml::Value) -> Result<Money, ModelError> {
    let expected = "dollars from 0 to 1000000";
    Money::of_usd(fraction(key, value, expected, 1e6)?).ok_or_else(|| wrong(key, value, expected))
}

/// Texts are not shown: what stands in the wrong place may be a key.
pub(crate) fn wrong(key: &str, value: &toml::Value, expected: &str) -> ModelError {
    let shown = match value {
        toml::Value::Integer(number) => format!("`{number}`"),
        toml::Value::Float(number) => format!("`{number}`"),
        toml::Value::Boolean(is) => format!("`{is}`"),
        _ => format!("a {}", value.type_str()),
    };
    bad(&format!("`{key}` is {shown}, {expected} is expected"))
}

pub(crate) fn unknown(key: &str) -> ModelError {
    // A server's own name would only make its keys look less alike.
    let mut parts: Vec<&str> = key.split('.').collect();
    if let ["servers", name, ..] = parts.as_mut_slice() {
        *name = "NAME";
    }
    let closest = closest(&parts.join("."), KEYS.iter().map(|(known, ..)| *known)).unwrap_or_default();
    bad(&format!("unknown key `{key}`")).hint(format!("the closest key is `{closest}`"))
}

pub(crate) fn bad(why: &str) -> ModelError {
    ModelError::new(ErrorKind::Setup, told(why.lines().next().unwrap_or("it does not read as TOML")))
}

pub(crate) fn told(why: &str) -> String {
    format!("{MODELS_FILE}: {why}")
}

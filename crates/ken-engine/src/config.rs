//! What `kenning.toml` says: where things live and what may be spent.
//!
//! The file comes with a clone and is untrusted: it can only name places inside the vault and numbers
//! within ranges. Every key has a default; an unknown key is refused with the nearest known one.

use ken_core::layout::{Layout, Preset};
use ken_core::{Tokens, VaultPath};
use serde::Deserialize;

use crate::failure::Failure;

/// Name of the file that makes a folder a vault.
pub const CONFIG_FILE: &str = "kenning.toml";

/// The configuration with every default filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Where things live.
    pub layout: Layout,
    /// What `ken route` may spend.
    pub route_tokens: Tokens,
    /// What `ken context` may spend.
    pub context_tokens: Tokens,
}

/// Default of `route_tokens`: a few whole pages.
pub const ROUTE_TOKENS: usize = 8_000;
/// Default of `context_tokens`: what a prompt can spare without thinking about it.
pub const CONTEXT_TOKENS: usize = 2_000;

/// Every key: name, what it takes, default, meaning.
pub const KEYS: &[(&str, &str, &str, &str)] = &[
    ("layout", "`kenning` or `ckp`", "`kenning`", "the family of vaults this is"),
    ("wiki", "a folder in the vault", "`knowledge`", "where pages stand"),
    ("journal", "a folder in the vault", "`daily`", "where the journal stands, one file a day"),
    ("sources", "a folder in the vault", "`raw`", "where sources stand"),
    ("index", "a file in the vault", "`index.md` in the wiki", "the index; in the `ckp` layout `_index.md`"),
    ("route_tokens", "tokens", "8000", "what `ken route` may spend"),
    ("context_tokens", "tokens", "2000", "what `ken context` may spend"),
];

/// The file as written.
#[derive(Debug, Default, Deserialize)]
struct ConfigFile {
    layout: Option<String>,
    wiki: Option<String>,
    journal: Option<String>,
    sources: Option<String>,
    index: Option<String>,
    route_tokens: Option<toml::Value>,
    context_tokens: Option<toml::Value>,
}

impl Config {
    /// Returns the configuration of a vault with this layout and nothing else set.
    pub fn with_layout(layout: Layout) -> Config {
        Config { layout, route_tokens: Tokens(ROUTE_TOKENS), context_tokens: Tokens(CONTEXT_TOKENS) }
    }

    /// Returns the configuration that the text of `kenning.toml` gives; `fallback` is what the folder
    /// itself looks like.
    ///
    /// # Errors
    /// When the text is not TOML, a key is unknown, or a value is not of its kind.
    pub fn parse(text: &str, fallback: &Layout) -> Result<Config, Failure> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| bad(error.message()))?;
        if let Some(key) = table.keys().find(|key| !KEYS.iter().any(|(known, ..)| known == key)) {
            let known: Vec<&str> = KEYS.iter().map(|(known, ..)| *known).collect();
            return Err(bad(&format!("unknown key `{key}`")).hint(format!("the keys are {}", known.join(", "))));
        }
        let file: ConfigFile = table.try_into().map_err(|error: toml::de::Error| bad(error.message()))?;
        let preset = match &file.layout {
            Some(name) => Preset::parse(name)
                .ok_or_else(|| bad(&format!("layout `{name}` is not known")).hint("the layouts are kenning and ckp"))?,
            None => fallback.preset,
        };
        let place = |value: &Option<String>, default: &VaultPath| match value {
            Some(text) => VaultPath::new(text.trim_end_matches('/'))
                .ok_or_else(|| bad(&format!("`{text}` is not a place inside the vault"))),
            None => Ok(default.clone()),
        };
        let wiki = place(&file.wiki, &fallback.wiki)?;
        let same_place = wiki == fallback.wiki && preset == fallback.preset;
        let mut layout = if same_place { fallback.clone() } else { Layout::new(preset, &wiki) };
        layout.journal = place(&file.journal, &layout.journal)?;
        layout.sources = place(&file.sources, &layout.sources)?;
        layout.index = place(&file.index, &layout.index)?;
        Ok(Config {
            layout,
            route_tokens: tokens("route_tokens", file.route_tokens, ROUTE_TOKENS)?,
            context_tokens: tokens("context_tokens", file.context_tokens, CONTEXT_TOKENS)?,
        })
    }
}

/// Most a budget may be: beyond any model's window.
const TOKENS_MAX: i64 = 10_000_000;

fn tokens(key: &str, value: Option<toml::Value>, default: usize) -> Result<Tokens, Failure> {
    let Some(value) = value else { return Ok(Tokens(default)) };
    let number = value.as_integer().filter(|number| (0..=TOKENS_MAX).contains(number));
    let number = number.and_then(|number| usize::try_from(number).ok());
    let value = value.as_integer().map_or_else(|| format!("a {}", value.type_str()), |number| format!("`{number}`"));
    number.map(Tokens).ok_or_else(|| bad(&format!("`{key}` is {value}, a number from 0 to {TOKENS_MAX} is expected")))
}

fn bad(why: &str) -> Failure {
    let why = why.lines().next().unwrap_or("it does not read as TOML");
    Failure::usage(format!("{CONFIG_FILE}: {why}")).hint("nothing was changed")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fallback() -> Layout {
        Layout::new(Preset::Kenning, &VaultPath::new("knowledge").expect("inside"))
    }

    #[test]
    fn every_key_has_a_default() {
        assert_eq!(Config::parse("", &fallback()), Ok(Config::with_layout(fallback())));
    }

    #[test]
    fn keys_are_closed_and_places_stay_inside() {
        let message = |text: &str| Config::parse(text, &fallback()).expect_err("refused").message;
        assert_eq!(message("route_token = 5"), "kenning.toml: unknown key `route_token`");
        assert_eq!(message("wiki = '../x'"), "kenning.toml: `../x` is not a place inside the vault");
        assert_eq!(
            message("route_tokens = -5"),
            "kenning.toml: `route_tokens` is `-5`, a number from 0 to 10000000 is expected"
        );
        assert_eq!(message("layout = 'foo'"), "kenning.toml: layout `foo` is not known");
    }

    #[test]
    fn a_layout_brings_its_places() {
        let config = Config::parse("layout = 'ckp'\nwiki = 'memory-bank'", &fallback()).expect("reads");
        assert_eq!(config.layout.index.as_str(), "memory-bank/_index.md");
    }
}

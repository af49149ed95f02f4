//! `[topics]`: the topics that the statements of the wiki are sorted by.

use ken_core::topic::{Topics, USUAL};
use toml::Value;

use super::bad;
use crate::failure::Failure;

/// Most topics, and longest name of one in characters: each gets a share of a brief.
const TOPICS_MAX: usize = 12;
const NAME_CHARS_MAX: usize = 40;
/// Most words that tell a topic.
const WORDS_MAX: usize = 100;

/// Returns the topics that the table sets; without one those that are usual.
pub(super) fn topics_of(value: Option<Value>) -> Result<Topics, Failure> {
    let table = match value {
        None => return Ok(Topics::default()),
        Some(Value::Table(table)) => table,
        Some(_) => return Err(bad("`topics` is a table: `[topics]`, and below it `name = [\"word\", …]`")),
    };
    if table.len() > TOPICS_MAX {
        return Err(bad(&format!("[topics] has {} topics, at most {TOPICS_MAX} are expected", table.len())));
    }
    let topic = |(name, words): (String, Value)| {
        let is_plain = |ch: char| ch.is_alphanumeric() || matches!(ch, '-' | '_' | ' ');
        let is_name = name.chars().all(is_plain) && !name.trim().is_empty() && name.chars().count() <= NAME_CHARS_MAX;
        if !is_name {
            return Err(bad(&format!("`{name}` in [topics] is no name of letters, digits and hyphens")));
        }
        let words: Option<Vec<String>> = match words {
            Value::Array(words) => words.into_iter().map(|word| Some(word.as_str()?.to_owned())).collect(),
            _ => None,
        };
        let words = words.filter(|words| words.len() <= WORDS_MAX);
        let words = words.ok_or_else(|| bad(&format!("`{name}` in [topics] is a list of up to {WORDS_MAX} words")))?;
        if words.is_empty() && !USUAL.iter().any(|(known, _)| *known == name) {
            return Err(bad(&format!("`{name}` in [topics] has no words, so nothing would be of it")));
        }
        Ok((name, words))
    };
    Ok(Topics::new(table.into_iter().map(topic).collect::<Result<Vec<_>, Failure>>()?))
}

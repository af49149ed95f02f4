//! What a model is asked, what it answers, and what that took.
//!
//! Values only. What a prompt says is decided by those who ask.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use ken_core::budget;
use serde_json::Value;

use crate::money::Money;

/// What a reply must look like, as a JSON schema.
///
/// Providers that hold a model to a schema want it closed: every object with `additionalProperties: false`
/// and every property in `required`, no numbers' or strings' bounds, no recursion.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// A short name of letters, digits, `_` and `-`.
    pub name: &'static str,
    /// The schema itself.
    pub json: serde_json::Value,
}

/// What is sent.
///
/// The three texts go out in this order, so that what stays the same from call to call stands first and
/// the providers' caches serve it.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// What holds for every call of a kind.
    pub rules: String,
    /// What holds for several calls of a run.
    pub context: String,
    /// What this call is about.
    pub input: String,
    /// What the reply must look like.
    pub schema: Schema,
    /// Most tokens of the reply itself; what a model may think comes on top.
    pub reply_tokens_max: u64,
}

impl Prompt {
    /// Returns the tokens of everything that is sent, by our own ruler.
    pub fn tokens(&self) -> u64 {
        let texts = [self.rules.as_str(), &self.context, &self.input, &self.schema.json.to_string()];
        texts.iter().map(|text| budget::count(text).0 as u64).sum()
    }

    /// Returns all of it as one text, for those who cannot be held to a schema.
    pub(crate) fn as_text(&self) -> String {
        let wanted = self.wanted();
        let texts = [self.rules.as_str(), &self.context, &self.input, &wanted];
        let texts: Vec<&str> = texts.into_iter().map(str::trim_end).filter(|text| !text.is_empty()).collect();
        texts.join("\n\n") + "\n"
    }

    /// Returns the sentence that stands for the schema.
    pub(crate) fn wanted(&self) -> String {
        format!("Reply with one JSON object of this form, and with nothing else:\n{}", form_of(&self.schema.json))
    }
}

/// Returns a schema as people write a type: a third of its length, and read as well. What it defines is written out once,
/// under its name.
fn form_of(schema: &Value) -> String {
    let mut out = notation(schema);
    for (name, of) in schema["$defs"].as_object().into_iter().flatten() {
        out.push_str(&format!("\n{name} = {}", notation(of)));
    }
    out
}

fn notation(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(Value::to_string).collect::<Vec<_>>().join("|");
    }
    match schema["type"].as_str() {
        Some("object") => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            let fields = fields.map(|(name, of)| format!("\"{name}\": {}", notation(of)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Some("array") => format!("[{}, …]", notation(&schema["items"])),
        Some(word) => word.to_owned(),
        None => "…".to_owned(),
    }
}

/// What asking took, in tokens; each token is counted in one place only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Of the prompt, neither read from a cache nor written to one.
    pub input: u64,
    /// Of the prompt, read from the provider's cache.
    pub cache_read: u64,
    /// Of the prompt, written to the provider's cache.
    pub cache_write: u64,
    /// Of the reply, thinking included.
    pub output: u64,
    /// Whether any of it was counted by our own ruler, because the provider did not say.
    pub is_estimate: bool,
    /// What it cost, where the one who was asked says so; else the table of prices tells.
    pub cost: Option<Money>,
}

impl Usage {
    /// Returns what a prompt and a reply take by our own ruler.
    pub fn estimated(prompt: &Prompt, reply: &str) -> Usage {
        let output = budget::count(reply).0 as u64;
        Usage { input: prompt.tokens(), output, is_estimate: true, ..Usage::default() }
    }

    /// Returns the same of a prompt that was sent as one text.
    pub(crate) fn estimated_of_text(prompt: &Prompt, reply: &str) -> Usage {
        Usage { input: budget::count(&prompt.as_text()).0 as u64, ..Usage::estimated(prompt, reply) }
    }

    /// Returns what a server says it took that counts cached tokens as part of the prompt; here each counts once.
    #[cfg(feature = "http")]
    pub(crate) fn of_whole_prompt(prompt: u64, (read, written): (u64, u64), output: u64) -> Usage {
        let cache_read = read.min(prompt);
        let cache_write = written.min(prompt - cache_read);
        Usage { input: prompt - cache_read - cache_write, cache_read, cache_write, output, ..Usage::default() }
    }

    /// Returns all of it as one number.
    pub fn total(&self) -> u64 {
        self.prompt().saturating_add(self.output)
    }

    /// Returns what the prompt took, cached or not.
    pub fn prompt(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }
}

impl Add for Usage {
    type Output = Usage;
    fn add(self, other: Usage) -> Usage {
        // What a server says of itself may be any number.
        Usage {
            input: self.input.saturating_add(other.input),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            output: self.output.saturating_add(other.output),
            is_estimate: self.is_estimate || other.is_estimate,
            cost: self.cost.into_iter().chain(other.cost).reduce(Add::add),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        *self = *self + other;
    }
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Usage>>(usages: I) -> Usage {
        usages.fold(Usage::default(), Add::add)
    }
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its words; never empty.
    pub text: String,
    /// What it took, earlier tries included.
    pub usage: Usage,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: &Value, expected: &str) {
        assert_eq!(form_of(schema), expected);
    }

    #[test]
    fn a_schema_is_written_as_a_form_and_what_it_defines_once() {
        let strings = json!({"type": "array", "items": {"type": "string"}});
        check(
            &json!({"type": "object", "properties": {"n": {"type": "integer"}, "is": {"enum": ["a", "b"]}, "of": strings}}),
            r#"{"n": integer, "is": "a"|"b", "of": [string, …]}"#,
        );
        let said = json!({"type": "object", "properties": {"text": {"type": "string"}}});
        let list = json!({"type": "array", "items": {"$ref": "#/$defs/said"}});
        let whole = json!({"type": "object", "properties": {"yes": list, "no": list}, "$defs": {"said": said}});
        check(&whole, "{\"yes\": [said, …], \"no\": [said, …]}\nsaid = {\"text\": string}");
    }
}

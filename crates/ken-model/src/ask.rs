//! Asking for JSON: one prompt, and one more when the reply is not what was asked for.
//!
//! What was asked for is said by the caller's check; this does not know what the object means. Every call is
//! accounted for, also when nothing comes of it.

use serde_json::Value;

use crate::error::{ErrorKind, ModelError, shown};
use crate::json::{REPLY_BYTES_MAX, json_of, list_of};
use crate::model::Model;
use crate::prompt::{Prompt, Usage};

/// How much of a reply is shown back from its beginning, in bytes.
const HEAD_BYTES: usize = 6 * 1024;
/// How much from its end: where it broke off.
const TAIL_BYTES: usize = 2 * 1024;
/// How much of the reason is shown to the model, in characters.
const REASON_CHARS: usize = 1_000;

/// Most tokens by which the second prompt is longer than the first, for those who reckon before they ask.
pub const REPAIR_TOKENS_MAX: u64 = 12_500;
/// Most prompts that are sent.
pub const CALLS_MAX: u64 = 2;

/// A reply that is what was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The words of the reply, as they came.
    pub text: String,
    /// The object in them.
    pub json: Value,
    /// What all calls took.
    pub usage: Usage,
    /// How many prompts were sent, tries of the same one aside.
    pub n_calls: u32,
}

/// Asks for a JSON object that passes a check.
///
/// A reply without an object, or with one that the check refuses, is shown back once with the reason. That
/// makes [`CALLS_MAX`] prompts, the second longer by [`REPAIR_TOKENS_MAX`] at most.
///
/// # Errors
/// When the model does not answer, or the second reply is refused too; with what all calls took.
pub fn ask_json(
    model: &dyn Model,
    prompt: &Prompt,
    check: &dyn Fn(&Value) -> Result<(), String>,
) -> Result<Answered, ModelError> {
    ask(model, prompt, None, check)
}

/// Asks as [`ask_json`] for an object with a list of this name. Of a reply that broke off, the entries that are whole are
/// taken and nothing is asked again.
///
/// # Errors
/// As [`ask_json`], where no entry is whole.
pub fn ask_list(
    model: &dyn Model,
    prompt: &Prompt,
    name: &str,
    check: &dyn Fn(&Value) -> Result<(), String>,
) -> Result<Answered, ModelError> {
    ask(model, prompt, Some(name), check)
}

fn ask(
    model: &dyn Model,
    prompt: &Prompt,
    list: Option<&str>,
    check: &dyn Fn(&Value) -> Result<(), String>,
) -> Result<Answered, ModelError> {
    let begun = |text: &str, usage: Usage| {
        let json = list_of(text, list?)?;
        Some(Answered { text: text.to_owned(), json, usage, n_calls: 1 })
    };
    let first = match model.ask(prompt) {
        Ok(first) => first,
        Err(error) => {
            let whole = error.begun.as_ref().and_then(|said| begun(&said.0, error.usage));
            return whole.ok_or(error);
        }
    };
    let why = match read(&first.text, check) {
        Ok(json) => return Ok(Answered { text: first.text, json, usage: first.usage, n_calls: 1 }),
        Err(why) => why,
    };
    if let Some(begun) = begun(&first.text, first.usage) {
        return Ok(begun);
    }
    let second = Prompt { input: repair(&prompt.input, &first.text, &why), ..prompt.clone() };
    let second = model.ask(&second).map_err(|error| error.spent(first.usage))?;
    let usage = first.usage + second.usage;
    match read(&second.text, check) {
        Ok(json) => Ok(Answered { text: second.text, json, usage, n_calls: 2 }),
        Err(why) => {
            let message = format!("the reply of `{}` was refused twice: {}", model.name(), shown(&why, None));
            let hint = "a larger model may do better";
            Err(ModelError::new(ErrorKind::Unusable, message).hint(hint).spent(usage))
        }
    }
}

fn read(text: &str, check: &dyn Fn(&Value) -> Result<(), String>) -> Result<Value, String> {
    if text.len() > REPLY_BYTES_MAX {
        return Err(format!("it has {} bytes, at most {REPLY_BYTES_MAX} are allowed", text.len()));
    }
    let json = json_of(text).ok_or("it has no whole JSON object in it")?;
    check(&json).map(|()| json)
}

/// The input again, and what was wrong with the reply. The rest of the prompt stays, so that caches serve it.
fn repair(input: &str, reply: &str, why: &str) -> String {
    let why: String = why.chars().take(REASON_CHARS).collect();
    let reply = ends(reply);
    format!(
        "{input}\n\nYou replied to this before, and the reply could not be used: {why}\n\
         Reply again, with one whole JSON object and nothing else. The reply was:\n\n{reply}"
    )
}

/// A text, or its beginning and end.
fn ends(text: &str) -> String {
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return text.to_owned();
    }
    let mut head = HEAD_BYTES;
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    let mut tail = text.len() - TAIL_BYTES;
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    format!("{}\n[… {} bytes …]\n{}", &text[..head], tail - head, &text[tail..])
}

//! A question in other words: those that the vault has for what somebody calls otherwise.
//!
//! What it gives is only looked for besides; whether anything of it answers is said by whoever reads what was found.

use serde_json::{Value, json};

use super::{Rules, object};
use crate::propose::check::{Report, left_out, plain_line, texts, why_unsafe};

/// What is asked.
pub(crate) const RULES: Rules = Rules { version: 1, text: TEXT, schema, reply_tokens_max: 250 };

const TEXT: &str = "\
Task: a search by words found no sure answer to a question. Write the same question in up to three other ways, with the \
words in which those who wrote the notes would say it; the names of their pages show how they call things. Ask for the same \
thing, of the same time, and no more; invent no name or number, and do not answer. None is right where nothing fits.
";

/// Most ways to say a question.
pub(crate) const QUESTIONS_MAX: usize = 3;
/// Most characters of each.
const QUESTION_CHARS_MAX: usize = 200;

fn schema() -> Value {
    object(json!({"questions": {"type": "array", "items": {"type": "string"}}}))
}

/// Returns what is sent: the question and the names of pages.
pub(crate) fn input(question: &str, titles: &[String]) -> String {
    format!("Question: {question}\nPages: {}\n", titles.join("; "))
}

/// Returns the ways to say a question that may be looked for, none of them the question itself.
pub(crate) fn check(reply: &Value, question: &str, report: &mut Report) -> Vec<String> {
    if let Some(reason) = left_out(reply, "questions", QUESTIONS_MAX) {
        report.reject("questions", reason, "", "");
    }
    let mut out: Vec<String> = Vec::new();
    for (n, text) in texts(reply, "questions", QUESTIONS_MAX).into_iter().enumerate() {
        let held = plain_line(text, QUESTION_CHARS_MAX).and_then(|text| why_unsafe(&text).map_or(Ok(text), Err));
        match held {
            Ok(text) if text.eq_ignore_ascii_case(question) || out.contains(&text) => {}
            Ok(text) => out.push(text),
            Err(reason) => report.reject(format!("questions[{n}]"), reason, text, ""),
        }
    }
    out
}

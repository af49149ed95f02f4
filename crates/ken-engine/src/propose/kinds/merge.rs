//! Whether two pages are about one subject.

use serde_json::{Value, json};

use super::{PageView, Rules, object};
use crate::propose::check::Report;

/// What the judge is told.
pub(crate) const RULES: Rules = Rules { version: 2, text: TEXT, schema, reply_tokens_max: 200 };

const TEXT: &str = "\
Task: say whether two wiki pages are about one and the same subject under two names, so that they should be one page. A part \
and its whole, a thing and its kind, two versions, two rivals are not the same. When in doubt, they are not.
title: the better of the two titles, copied exactly. reason: one short sentence.
";

/// Claims of each that are shown.
const CLAIMS_MAX: usize = 4;

/// Two pages that are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The title that goes.
    pub(crate) from: String,
    /// The title that stays.
    pub(crate) into: String,
}

fn schema() -> Value {
    object(json!({"same": {"type": "boolean"}, "title": {"type": "string"}, "reason": {"type": "string"}}))
}

/// Returns what is sent for two pages.
pub(crate) fn input(a: &PageView, b: &PageView) -> String {
    format!("First page:\n{}\nSecond page:\n{}", a.told_in_short(CLAIMS_MAX), b.told_in_short(CLAIMS_MAX))
}

/// Returns the merge that a reply asks for, if it does; `titles` are those that were shown.
pub(crate) fn check(reply: &Value, titles: [&str; 2], report: &mut Report) -> Option<Merged> {
    let Some(is_same) = reply.get("same").and_then(Value::as_bool) else {
        report.reject("same", "it is missing, or neither true nor false", "", "");
        return None;
    };
    if !is_same {
        return None;
    }
    let title = reply.get("title").and_then(Value::as_str).unwrap_or("");
    match titles.iter().position(|known| *known == title) {
        Some(n) => Some(Merged { from: titles[1 - n].to_owned(), into: titles[n].to_owned() }),
        None => {
            report.reject("title", format!("it is neither `{}` nor `{}`", titles[0], titles[1]), title, "");
            None
        }
    }
}

//! Whether two pages are about one subject.

use serde_json::Value;

use crate::propose::check::Report;

/// Two pages that are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The title that goes.
    pub(crate) from: String,
    /// The title that stays.
    pub(crate) into: String,
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

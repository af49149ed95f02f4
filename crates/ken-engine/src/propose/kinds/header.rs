//! Tldr and triggers of a page, from its claims.

use ken_compile::told::ProposedHeader;
use ken_core::header::{TLDR_CHARS_MAX, TRIGGERS};
use serde_json::{Value, json};

use super::{PageView, Rules, object};
use crate::propose::check::{Ground, Report, left_out, line, name, texts, why_not};

/// What the writer is told.
pub(crate) const RULES: Rules = Rules { version: 3, text: TEXT, schema, reply_tokens_max: 500 };

const TEXT: &str = "\
Task: write the header of one wiki page from its claims, the newest first.
tldr: one sentence, at most 280 characters, that answers most questions about the subject: what it is, and what is most \
particular about it here and now. Numbers, dates and names stand in the claims. No \"this page\", no praise.
triggers: 5 to 9 words or short phrases, lower case, by which somebody looks for it: other words for it, the problem it \
solves, its parts and commands. Not its title, and nothing that fits every page.
";

/// Claims of a page that are shown: a sentence says no more.
const CLAIMS_MAX: usize = 6;

/// Longest trigger, in characters.
const TRIGGER_CHARS_MAX: usize = 40;

fn schema() -> Value {
    object(json!({"tldr": {"type": "string"}, "triggers": {"type": "array", "items": {"type": "string"}}}))
}

/// Returns what is sent for one page.
pub(crate) fn input(page: &PageView) -> String {
    page.vouched().told_in_short(CLAIMS_MAX)
}

/// Returns what holds of a reply to one page.
pub(crate) fn check(reply: &Value, page: &PageView, report: &mut Report) -> Option<ProposedHeader> {
    let tldr = line(reply, "tldr", TLDR_CHARS_MAX).and_then(|tldr| {
        let page = &page.vouched();
        let claims: Vec<&str> = page.claims.iter().map(|claim| claim.text.as_str()).collect();
        let names: Vec<&str> = page.names();
        let on =
            Ground { cited: &claims, date: page.claims.iter().filter_map(|claim| claim.date).max(), names: &names };
        why_not(&tldr, &on).map_or(Ok(tldr), Err)
    });
    let mut triggers: Vec<String> = Vec::new();
    if let Some(reason) = left_out(reply, "triggers", 3 * TRIGGERS.end()) {
        report.reject("triggers", reason, "", "");
    }
    for (n, text) in texts(reply, "triggers", 3 * TRIGGERS.end()).into_iter().enumerate() {
        match name(text).map(|name| name.to_lowercase()) {
            Ok(trigger) if trigger.chars().count() > TRIGGER_CHARS_MAX => {
                report.reject(format!("triggers[{n}]"), "it is longer than 40 characters", text, "");
            }
            Ok(trigger) if triggers.contains(&trigger) => {}
            Ok(trigger) => triggers.push(trigger),
            Err(reason) => report.reject(format!("triggers[{n}]"), reason, text, ""),
        }
    }
    triggers.truncate(*TRIGGERS.end());
    if triggers.len() < *TRIGGERS.start() {
        let reason = format!("{} triggers hold, at least {} are needed", triggers.len(), TRIGGERS.start());
        report.reject("triggers", reason, "", "");
        return None;
    }
    match tldr {
        Ok(tldr) => Some(ProposedHeader { tldr, triggers }),
        Err(reason) => {
            report.reject("tldr", reason, reply.get("tldr").and_then(Value::as_str).unwrap_or(""), "");
            None
        }
    }
}

//! Tldr and triggers of a page, from its claims.

use ken_compile::told::ProposedHeader;
use ken_core::header::{TLDR_CHARS_MAX, TRIGGERS};
use serde_json::Value;

use crate::propose::check::{Ground, Report, left_out, line, name, texts, why_not};
use crate::propose::kinds::PageView;

/// Longest trigger, in characters.
const TRIGGER_CHARS_MAX: usize = 40;

/// Returns what holds of a reply to one page: its tldr, its triggers, or both.
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
        match name(text) {
            Ok(trigger) if trigger.chars().count() > TRIGGER_CHARS_MAX => {
                report.reject(format!("triggers[{n}]"), "it is longer than 40 characters", text, "");
            }
            Ok(trigger) if triggers.iter().any(|known| known.to_lowercase() == trigger.to_lowercase()) => {}
            Ok(trigger) => triggers.push(trigger),
            Err(reason) => report.reject(format!("triggers[{n}]"), reason, text, ""),
        }
    }
    triggers.truncate(*TRIGGERS.end());
    if triggers.len() < *TRIGGERS.start() {
        let reason = format!("{} triggers hold, at least {} are needed", triggers.len(), TRIGGERS.start());
        report.reject("triggers", reason, "", "");
        triggers.clear();
    }
    // One without the other helps all the same.
    let tldr = tldr.unwrap_or_else(|reason| {
        report.reject("tldr", reason, reply.get("tldr").and_then(Value::as_str).unwrap_or(""), "");
        String::new()
    });
    (!tldr.is_empty() || !triggers.is_empty()).then_some(ProposedHeader { tldr, triggers })
}

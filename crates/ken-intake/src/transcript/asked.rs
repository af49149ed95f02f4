//! What an agent asked with a tool and what a person answered: a turn of each.
//!
//! Agents let a person choose among options or write freely, and keep the answer as what the tool gave
//! back. The question, with its options, is the agent's; what was chosen or written is the person's.

use ken_core::Timestamp;
use serde_json::Value;

use super::Role;
use super::fields::blocks_of;
use super::reading::Reading;

/// What a person says who lets an agent carry out its plan without a word.
pub const APPROVED: &str = "Plan approved.";

/// An agent asked: the question, and what it offers.
pub(super) fn question(question: &Value, time: Option<Timestamp>, out: &mut Reading<'_>) {
    let mut text = question["question"].as_str().unwrap_or_default().trim().to_owned();
    for option in blocks_of(&question["options"]) {
        let label = option["label"].as_str().or(option.as_str()).unwrap_or_default();
        text += &format!("\n- {label}");
        if let Some(description) = option["description"].as_str().filter(|text| !text.trim().is_empty()) {
            text += &format!(": {}", description.trim());
        }
    }
    if !text.trim().is_empty() {
        out.said(Role::Assistant, &text, time);
    }
}

/// A person answered, with one text or several.
pub(super) fn answer(answer: &str, time: Option<Timestamp>, out: &mut Reading<'_>) {
    if !answer.trim().is_empty() {
        out.said(Role::User, answer, time);
    }
}

/// An agent asked and a person answered; a question without an answer is left out.
pub(super) fn both(asked: &Value, given: &str, time: Option<Timestamp>, out: &mut Reading<'_>) {
    if !given.trim().is_empty() {
        question(asked, time, out);
        answer(given, time, out);
    }
}

/// A person approved a plan.
pub(super) fn approved(plan: &str, time: Option<Timestamp>, out: &mut Reading<'_>) {
    out.said(Role::Assistant, plan, time);
    out.said(Role::User, APPROVED, time);
}

/// Returns an answer as text: as it is written, or the chosen labels.
pub(super) fn text_of_answer(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        Value::Array(labels) => labels.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        _ => String::new(),
    }
}

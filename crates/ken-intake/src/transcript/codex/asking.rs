//! Questions that Codex asks with a tool of its own, `request_user_input`.
//!
//! The call has the questions, its output the answers by the questions' ids: the label that was chosen, and
//! what was written beside it. Only the call says which answer is a secret, and which output is an answer at
//! all. So from the call on everything waits until its output is there.

use ken_core::Timestamp;
use serde_json::Value;

use crate::transcript::asked;
use crate::transcript::fields::{blocks_of, input_in};
use crate::transcript::reading::Reading;

/// The name of the tool.
const TOOL: &str = "request_user_input";

/// What stands before words that were written beside or instead of a choice.
const NOTE: &str = "user_note: ";

/// A question that waits for its answer.
#[derive(Debug, Default)]
pub(super) struct Asking(Option<(String, Value)>);

impl Asking {
    /// A tool was called.
    pub(super) fn call(&mut self, item: &Value, out: &mut Reading<'_>) {
        if item["name"] != TOOL {
            return;
        }
        self.leave(out);
        if let Some(id) = item["call_id"].as_str() {
            out.hold();
            self.0 = Some((id.to_owned(), input_in(&item["arguments"])));
        }
    }

    /// A call gave this back. Returns whether it was an answer.
    pub(super) fn output(&mut self, item: &Value, time: Option<Timestamp>, out: &mut Reading<'_>) -> bool {
        let Some((_, call)) = self.0.take_if(|(id, _)| item["call_id"] == **id) else { return false };
        out.release();
        let answers = input_in(&item["output"])["answers"].take();
        for question in blocks_of(&call["questions"]) {
            let given = blocks_of(&answers[question["id"].as_str().unwrap_or_default()]["answers"]);
            if question["isSecret"] != true {
                let given: Vec<&str> = given.iter().filter_map(Value::as_str).collect();
                let given: Vec<&str> = given.into_iter().map(|text| text.strip_prefix(NOTE).unwrap_or(text)).collect();
                asked::both(question, &given.join("\n"), time, out);
            }
        }
        answers.is_object()
    }

    /// The talk went on without an answer.
    pub(super) fn leave(&mut self, out: &mut Reading<'_>) {
        if self.0.take().is_some() {
            out.release();
        }
    }
}

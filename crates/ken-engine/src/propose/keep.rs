//! Keeps what was replied, and what of it does not hold.

use ken_intake::scrub::covered;
use serde_json::Value;

use super::check::{Rejected, Shown};
use super::kinds::Kind;
use super::record::{Cited, Manner, Record};
use super::task::Task;
use crate::engine::Engine;
use crate::failure::Failure;

impl Engine {
    /// Keeps what somebody replied to a task, without secrets, and returns it as it is kept.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep_reply(&self, task: &Task, manner: (Manner, usize), reply: &Value) -> Result<Value, Failure> {
        self.keep_reply_to((task.kind(), &task.digest), (&task.read, &task.shown), manner, reply)
    }

    /// Keeps what somebody replied to what has this name, of which was read and shown so much.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn keep_reply_to(
        &self,
        (kind, digest): (Kind, &str),
        (read, shown): (&[Cited], &Shown),
        (manner, revision): (Manner, usize),
        reply: &Value,
    ) -> Result<Value, Failure> {
        // Each text by itself, because a secret may hide in escapes; then what stands beside each other.
        let reply = covered(&with_covered_texts(reply).to_string()).into_owned();
        let kept = ken_model::json_of(&reply).unwrap_or_default();
        let mut shown = shown.clone();
        if matches!(kind, Kind::Distill | Kind::Compile) {
            shown.keep_named(&reply);
        }
        let record = Record::new(kind, digest, manner, self.clock.now.to_string(), reply);
        let mut record = record.mending(revision);
        record.read = read.to_vec();
        record.shown = shown;
        self.keep_record(&record)?;
        Ok(kept)
    }

    /// Keeps the parts of a reply that do not hold, each with its reason, in the place of those of an earlier
    /// reply to the same task.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn keep_rejected(&self, task: &Task, rejected: &[Rejected]) -> Result<(), Failure> {
        let name = format!("rejected/{}-{}.json", task.kind().as_str(), task.digest);
        if rejected.is_empty() {
            return Ok(self.store.drop_kept(&name)?);
        }
        let mut bytes = serde_json::to_vec_pretty(rejected).map_err(|error| Failure::refused(error.to_string()))?;
        bytes.push(b'\n');
        Ok(self.store.keep(&name, &bytes)?)
    }
}

/// A reply without the secrets in its texts. What they hide stays: a part that hides something is rejected, now
/// and whenever the record is read.
fn with_covered_texts(reply: &Value) -> Value {
    match reply {
        Value::String(text) => Value::String(covered(text).into_owned()),
        Value::Array(values) => values.iter().map(with_covered_texts).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), with_covered_texts(value))).collect(),
        other => other.clone(),
    }
}

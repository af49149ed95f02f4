//! Whether two claims can both be true, and whether a source still says what a claim says.

use serde_json::{Value, json};

use super::{Rules, object};
use crate::propose::check::{Report, line};

/// What the judge of two claims is told.
pub(crate) const CLAIMS: Rules = Rules { version: 1, text: CLAIMS_TEXT, schema: claims_schema, reply_tokens_max: 250 };

const CLAIMS_TEXT: &str = "\
Task: say whether two claims of a wiki can both be true now. Each has the day on which it was written.

verdict: both (they speak of different things, times or conditions, or one adds to the other), first (only the \
first can hold now), second (only the second can hold now), unclear (they cannot both hold and nothing says which). \
A newer day alone does not make a claim right, but a claim that speaks of a change does. When in doubt: both.
reason: one short sentence that names what differs.
";

/// What the judge of a claim and its source is told.
pub(crate) const SUPPORT: Rules =
    Rules { version: 1, text: SUPPORT_TEXT, schema: support_schema, reply_tokens_max: 250 };

const SUPPORT_TEXT: &str = "\
Task: say whether a text bears out a claim. The text has changed since the claim was taken from it.

verdict: supported (the text says it, in whatever words), unsupported (it says otherwise, or nothing of it). Judge \
by the text alone. reason: one short sentence.
";

/// What the judge of a claim and the code that it names is told.
pub(crate) const CODE: Rules = Rules { version: 1, text: CODE_TEXT, schema: code_schema, reply_tokens_max: 250 };

const CODE_TEXT: &str = "\
Task: say whether a claim of a wiki about code is still right. Below the claim stand the files that it names, or parts \
of them, as they are today.

verdict: holds (the code is as the claim says), contradicted (the code does otherwise than the claim says), unknown \
(the parts that are shown do not tell). What the code leaves out is no contradiction. When in doubt: unknown. \
reason: one short sentence that names what differs.
";

/// What a judge found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No finding.
    Fine,
    /// Only the first holds.
    First,
    /// Only the second holds.
    Second,
    /// They contradict each other.
    Unclear,
    /// The source does not say it, or the code says otherwise.
    Unsupported,
}

/// Verdicts by name.
const VERDICTS: [(&str, Verdict); 9] = [
    ("both", Verdict::Fine),
    ("first", Verdict::First),
    ("second", Verdict::Second),
    ("unclear", Verdict::Unclear),
    ("supported", Verdict::Fine),
    ("unsupported", Verdict::Unsupported),
    ("holds", Verdict::Fine),
    ("contradicted", Verdict::Unsupported),
    ("unknown", Verdict::Fine),
];

/// Most characters of a reason.
const REASON_CHARS_MAX: usize = 300;

fn verdicts(names: &[&str]) -> Value {
    object(json!({"verdict": {"type": "string", "enum": names}, "reason": {"type": "string"}}))
}

fn claims_schema() -> Value {
    verdicts(&["both", "first", "second", "unclear"])
}

fn support_schema() -> Value {
    verdicts(&["supported", "unsupported"])
}

fn code_schema() -> Value {
    verdicts(&["holds", "contradicted", "unknown"])
}

/// Returns the verdict of a reply with its reason.
pub(crate) fn check(reply: &Value, rules: &Rules, report: &mut Report) -> Option<(Verdict, String)> {
    let said = reply.get("verdict").and_then(Value::as_str).unwrap_or("");
    let schema = (rules.schema)();
    let is_allowed =
        schema["properties"]["verdict"]["enum"].as_array().is_some_and(|names| names.iter().any(|name| name == said));
    let verdict = VERDICTS.iter().find(|(name, _)| *name == said).filter(|_| is_allowed);
    match (verdict, line(reply, "reason", REASON_CHARS_MAX)) {
        (Some((_, verdict)), Ok(reason)) => Some((*verdict, reason)),
        (None, _) => {
            report.reject("verdict", "it is none of those that the schema lists", said, "");
            None
        }
        (_, Err(why)) => {
            report.reject("reason", why, "", "");
            None
        }
    }
}

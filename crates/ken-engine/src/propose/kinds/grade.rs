//! How well an answer says what it should.

use serde_json::{Value, json};

use super::{Rules, object};
use crate::propose::check::{Report, line};

/// What the judge of an answer is told.
pub(crate) const RULES: Rules = Rules { version: 1, text: TEXT, schema, reply_tokens_max: 150 };

const TEXT: &str = "\
Task: say how well an answer to a question says what the right answer says. Judge by the right answer alone, not by \
what you know.

grade: right (it says all that the right answer says, in whatever words, and nothing that contradicts it), partly (it \
says a part of it, or says it beside something that contradicts it), wrong (it says something else, or nothing of it). \
What no longer holds is right only where it is told as past. More than was asked for does no harm.
reason: one short sentence that names what decides.
";

/// How well an answer says what it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// All of it.
    Right,
    /// A part of it, or beside what contradicts it.
    Partly,
    /// Nothing of it.
    Wrong,
}

impl Grade {
    /// Every grade, best first.
    pub const ALL: [Grade; 3] = [Grade::Right, Grade::Partly, Grade::Wrong];

    /// Returns its name in replies, tables and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Grade::Right => "right",
            Grade::Partly => "partly",
            Grade::Wrong => "wrong",
        }
    }
}

/// Most characters of a reason.
const REASON_CHARS_MAX: usize = 300;

fn schema() -> Value {
    let names = Grade::ALL.map(Grade::as_str);
    object(json!({"grade": {"type": "string", "enum": names}, "reason": {"type": "string"}}))
}

/// Returns the grade of a reply with its reason.
pub(crate) fn check(reply: &Value, report: &mut Report) -> Option<(Grade, String)> {
    let said = reply.get("grade").and_then(Value::as_str).unwrap_or("");
    let grade = Grade::ALL.into_iter().find(|grade| grade.as_str() == said);
    match (grade, line(reply, "reason", REASON_CHARS_MAX)) {
        (Some(grade), Ok(reason)) => Some((grade, reason)),
        (None, _) => {
            report.reject("grade", "it is none of those that the schema lists", said, "");
            None
        }
        (_, Err(why)) => {
            report.reject("reason", why, "", "");
            None
        }
    }
}

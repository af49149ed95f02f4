//! Checks that every kind of reply goes through, part by part.
//!
//! What fails is rejected with a reason that whoever made the proposal can act on; what holds goes on. The
//! outcome depends on the reply and on what the task showed, and on nothing else, so that a recorded reply
//! gives the same parts today and after the wiki is gone.

use std::collections::BTreeMap;

use ken_core::text::{cut, one_line};
use ken_core::{Date, ground, orders};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scrub::scrub;

/// A part of a reply that was not taken, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// Where in the reply: `claims[3]`.
    pub part: String,
    /// Why, in words that tell how to mend it.
    pub reason: String,
    /// What it said, shortened.
    pub text: String,
    /// The place that it cited, if it did: `daily/2026-04-01.md#L3-L5`.
    pub cited: String,
}

/// What a task showed of the wiki: only this may be named in the reply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shown {
    /// Titles of pages by slug.
    pub(crate) pages: BTreeMap<String, String>,
    /// Titles of the pages of claims, by the claims' ids.
    pub(crate) claims: BTreeMap<String, String>,
}

/// The parts of a reply that do not hold.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) rejected: Vec<Rejected>,
}

/// Most characters of a rejected text that are kept.
const TEXT_CHARS_MAX: usize = 300;

impl Report {
    /// Notes a part that is not taken.
    pub(crate) fn reject(&mut self, part: impl Into<String>, reason: impl Into<String>, text: &str, cited: &str) {
        let text = cut(&one_line(&scrub(text).0), TEXT_CHARS_MAX);
        self.rejected.push(Rejected { part: part.into(), reason: reason.into(), text, cited: cited.to_owned() });
    }
}

/// Returns the list under a name; one that is missing counts as empty, and what is no list is rejected.
pub(crate) fn list<'a>(reply: &'a Value, name: &str, max: usize, report: &mut Report) -> &'a [Value] {
    match reply.get(name) {
        None | Some(Value::Null) => &[],
        Some(Value::Array(values)) if values.len() <= max => values,
        Some(Value::Array(values)) => {
            let reason = format!("{} entries, at most {max} are allowed; the rest is not looked at", values.len());
            report.reject(name, reason, "", "");
            &values[..max]
        }
        Some(other) => {
            report.reject(name, "it is no list", &other.to_string(), "");
            &[]
        }
    }
}

/// Returns a text on one line, without secrets.
///
/// # Errors
/// When it is missing, no text, empty, or longer than `chars_max`.
pub(crate) fn line(part: &Value, name: &str, chars_max: usize) -> Result<String, String> {
    let text = part.get(name).and_then(Value::as_str).ok_or_else(|| format!("`{name}` is missing or no text"))?;
    plain_line(text, chars_max).map_err(|why| format!("`{name}` {why}"))
}

/// Returns a text on one line, without secrets; the reason otherwise.
pub(crate) fn plain_line(text: &str, chars_max: usize) -> Result<String, String> {
    let n_chars = text.chars().count();
    if n_chars > chars_max {
        return Err(format!("has {n_chars} characters, at most {chars_max} are allowed"));
    }
    if orders::hidden(text) {
        return Err("has characters that cannot be seen".to_owned());
    }
    let clean = one_line(&scrub(text).0);
    if !clean.chars().any(char::is_alphanumeric) {
        return Err("says nothing".to_owned());
    }
    Ok(clean)
}

/// Returns the texts under a name; what is no text is left out, and so is everything beyond `max`.
pub(crate) fn texts<'a>(part: &'a Value, name: &str, max: usize) -> Vec<&'a str> {
    let values = part.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    values.iter().filter_map(Value::as_str).take(max).collect()
}

/// Most lines that one claim may cite: a claim that needs more says too much.
const CITED_LINES_MAX: usize = 12;

/// Returns the lines a part cites, counted from 1 in what was shown; `n_lines` were.
///
/// # Errors
/// When they are missing or there are no such lines.
pub(crate) fn cited_lines(part: &Value, n_lines: usize) -> Result<(usize, usize), String> {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    let lines = match part.get("lines") {
        Some(Value::Array(ends)) => ends.iter().map(number).collect::<Option<Vec<_>>>(),
        Some(one) => number(one).map(|one| vec![one]),
        None => None,
    };
    let (first, last) = match lines.as_deref() {
        Some([one]) => (*one, *one),
        Some([first, last]) => (*first, *last),
        _ => return Err("`lines` must be the numbers of the first and the last line: [3, 4]".to_owned()),
    };
    if first < 1 || first > last || last > n_lines {
        return Err(format!("there are no lines {first} to {last}, the text has lines 1 to {n_lines}"));
    }
    if last - first >= CITED_LINES_MAX {
        return Err(format!("it cites {} lines, at most {CITED_LINES_MAX} are allowed", last - first + 1));
    }
    Ok((first, last))
}

/// Least share of a claim's words that the cited text must have.
const OVERLAP_MIN: f32 = 0.34;

/// What a claim is compared with.
pub(crate) struct Ground<'a> {
    /// The texts it cites.
    pub(crate) cited: &'a [&'a str],
    /// The day on which they were written.
    pub(crate) date: Option<Date>,
    /// Names that need not stand there: those of its subjects.
    pub(crate) names: &'a [&'a str],
}

/// Says why a claim cannot stand: it is an order to its reader, or the cited text does not say it.
pub(crate) fn why_not(claim: &str, on: &Ground<'_>) -> Option<String> {
    if let Some(reason) = why_unsafe(claim) {
        return Some(reason);
    }
    let is_known = |name: &str| on.names.iter().any(|known| holds_name(known, name));
    let missing = ground::missing(claim, on.cited, on.date, &is_known);
    if !missing.is_empty() {
        let named: Vec<String> =
            missing.iter().map(|one| format!("the {} `{}`", kind_word(one.kind), one.text)).collect();
        return Some(format!("the cited lines do not contain {}", named.join(", ")));
    }
    if ground::overlap(claim, on.cited) < OVERLAP_MIN {
        return Some("the cited lines are about something else".to_owned());
    }
    None
}

fn kind_word(kind: ground::Kind) -> &'static str {
    match kind {
        ground::Kind::Number => "number",
        ground::Kind::Date => "date",
        ground::Kind::Name => "name",
        ground::Kind::Quote => "quote",
        ground::Kind::Negation => "negation",
    }
}

/// Says why a text may not stand on a page, whatever it cites.
pub(crate) fn why_unsafe(text: &str) -> Option<String> {
    let order = orders::order(text)?;
    Some(format!("quarantined: it {} (`{}`)", order.rule, order.words))
}

/// Whether a known name holds another: `Refresh tokens` holds `Refresh`.
fn holds_name(known: &str, name: &str) -> bool {
    let (known, name) = (known.to_lowercase(), name.to_lowercase());
    known == name || known.split(|ch: char| !ch.is_alphanumeric()).any(|word| word == name)
}

/// Most characters of the name of a subject.
pub(crate) const NAME_CHARS_MAX: usize = 80;

/// Returns the name of a subject.
///
/// # Errors
/// When it is no name: empty, too long, or with characters that links and headers are made of.
pub(crate) fn name(text: &str) -> Result<String, String> {
    let clean = plain_line(text, NAME_CHARS_MAX).map_err(|why| format!("the name `{}` {why}", cut(text, 60)))?;
    let is_odd = |ch: char| matches!(ch, '[' | ']' | '|' | '{' | '}' | '<' | '>' | '#' | '^' | '\\' | '`' | '"');
    let is_flag = clean.trim_start_matches('-').starts_with(char::is_alphanumeric) && !clean.starts_with("- ");
    let starts_oddly = clean.starts_with(['!', '&', '*', '@', '%', '/']) || (clean.starts_with('-') && !is_flag);
    if clean.contains(is_odd) || clean.contains("..") || starts_oddly {
        return Err(format!("the name `{clean}` has characters that a name cannot have"));
    }
    if clean.split_whitespace().count() > 8 {
        return Err(format!("the name `{clean}` is a sentence"));
    }
    Ok(clean)
}

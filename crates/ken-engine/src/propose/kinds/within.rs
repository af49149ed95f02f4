//! What a claim says besides its words and ids: which of the same reply it changes, what it gives a value of, who says it.
//!
//! What does not hold of it is left out, and the claim stands without it.

use std::collections::{BTreeMap, BTreeSet};

use ken_compile::account::claim_id;
use ken_core::words::subject_key;
use serde_json::Value;

use super::claim::ReadClaim;
use crate::propose::check::{Report, plain_line, why_unsafe};

/// Most characters of a slot, and of who speaks.
const CHARS_MAX: usize = 40;
/// Most words of them.
const WORDS_MAX: usize = 4;

/// A claim that names another one of its reply.
pub(super) struct Within {
    /// Its number in the reply.
    pub(super) n: usize,
    /// The list in which it names the other.
    pub(super) list: &'static str,
    /// The number of the other.
    pub(super) of: usize,
}

/// Returns which claim of the same reply is named by its place, `claims[2]`.
pub(super) fn place(id: &str) -> Option<usize> {
    id.trim().strip_prefix("claims[")?.strip_suffix(']')?.parse().ok()
}

/// Writes down by their ids what claims say of others of their reply; `places` says where those stand that hold.
pub(super) fn resolve(
    claims: &mut [ReadClaim],
    places: &BTreeMap<usize, usize>,
    within: &[Within],
    report: &mut Report,
) {
    for Within { n, list, of } in within {
        let Some(own) = places.get(n).copied() else { continue };
        match named(claims, own, (list, places.get(of).copied())) {
            Ok(other) => {
                let id = claim_id(&claims[other].text);
                let claim = &mut claims[own];
                let ids = match *list {
                    "same_as" => &mut claim.same_as,
                    "replaces" => &mut claim.replaces,
                    _ => &mut claim.disputes,
                };
                ids.push(id);
            }
            Err(reason) => report.reject(format!("claims[{n}].{list}"), reason, &format!("claims[{of}]"), ""),
        }
    }
}

/// The claim that is meant; the reason where it may not be named.
fn named(claims: &[ReadClaim], own: usize, (list, other): (&str, Option<usize>)) -> Result<usize, String> {
    let other = other.ok_or_else(|| format!("`{list}` names a statement of this reply that does not hold"))?;
    let (claim, of) = (&claims[own], &claims[other]);
    let keys =
        |claim: &ReadClaim| -> BTreeSet<String> { claim.subjects.iter().map(|name| subject_key(name)).collect() };
    match () {
        // What stands further up in the entry was said before.
        () if other >= own => Err(format!("`{list}` names a statement of this reply that does not stand further up")),
        () if of.is_unverified => Err(format!("`{list}` names a statement of this reply that is unverified")),
        () if list == "replaces" && of.lines.0 > claim.lines.0 => {
            Err("`replaces` names a statement of this reply that is said later".to_owned())
        }
        () if keys(claim).is_disjoint(&keys(of)) => {
            Err(format!("`{list}` names a statement of this reply that is about something else"))
        }
        () => Ok(other),
    }
}

/// Returns what a claim gives a value of; empty where it gives none.
pub(super) fn slot(part: &Value) -> Result<String, String> {
    let Some(slot) = short(part, "slot")? else { return Ok(String::new()) };
    match slot.chars().any(|ch| ch.is_ascii_digit()) {
        true => Err(format!("the slot `{slot}` has a value in it")),
        false => Ok(slot),
    }
}

/// Returns who says a claim; empty where nobody does. Names stand in the text, folded to these words.
pub(super) fn speaker(part: &Value, words: &BTreeSet<String>) -> Result<String, String> {
    let Some(speaker) = short(part, "speaker")? else { return Ok(String::new()) };
    let is_role = speaker == "User" || speaker == "Agent";
    match is_role || subject_key(&speaker).split('-').all(|word| words.contains(word)) {
        true => Ok(speaker),
        false => Err(format!("the speaker `{speaker}` does not stand in the text")),
    }
}

/// Some words under a name, without markup.
fn short(part: &Value, name: &str) -> Result<Option<String>, String> {
    let said = match part.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(said)) if said.trim().is_empty() => return Ok(None),
        Some(Value::String(said)) => said,
        Some(_) => return Err(format!("`{name}` is no text")),
    };
    let said = plain_line(said, CHARS_MAX).map_err(|why| format!("`{name}` {why}"))?;
    if let Some(reason) = why_unsafe(&said) {
        return Err(format!("`{name}`: {reason}"));
    }
    let is_plain = |ch: char| ch.is_alphanumeric() || ch.is_whitespace() || "-'’.".contains(ch);
    let n_words = said.split_whitespace().count();
    match said.chars().all(is_plain) && n_words <= WORDS_MAX {
        true => Ok(Some(said)),
        false => Err(format!("`{name}` is one to {WORDS_MAX} words, without marks")),
    }
}

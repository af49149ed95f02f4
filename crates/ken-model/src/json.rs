//! The JSON object in a reply, whatever stands around it.
//!
//! Never fails on what a model can say: too long, too deep, broken off or none at all is none. What the
//! object means is not looked at.

use serde_json::{Value, json};

/// Longest reply that is read; what we ask for is some kilobytes.
pub const REPLY_BYTES_MAX: usize = 1 << 20;
/// Most places that are tried as the beginning of an object: each costs as much as the parser goes deep.
const BEGINNINGS_MAX: usize = 1_000;

/// Returns the one JSON object in a reply: the whole of it, else the one in a fence of code, else the longest
/// one between the words.
///
/// ```
/// let reply = "Sure! {\"a\": 1} Anything else?";
/// assert_eq!(ken_model::json_of(reply), Some(serde_json::json!({"a": 1})));
/// ```
pub fn json_of(text: &str) -> Option<Value> {
    if text.len() > REPLY_BYTES_MAX {
        return None;
    }
    // Models that think aloud end it so; drafts of the object stand before.
    let text = text.rsplit_once("</think>").map_or(text, |(_, after)| after).trim();
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => return Some(value),
        // A list of objects is not one of them.
        Ok(_) => return None,
        Err(_) => {}
    }
    let mut fenced: Vec<&str> = fences(text);
    fenced.sort_by_key(|block| std::cmp::Reverse(block.len()));
    fenced.into_iter().find_map(whole).or_else(|| longest(text))
}

/// Returns an object with the list of this name in a reply that broke off, with its entries that are whole, where there
/// are any.
///
/// ```
/// let reply = "{\"replies\": [{\"n\": 1}, {\"n\": 2}, {\"n\"";
/// assert_eq!(ken_model::list_of(reply, "replies"), Some(serde_json::json!({"replies": [{"n": 1}, {"n": 2}]})));
/// ```
pub fn list_of(text: &str, name: &str) -> Option<Value> {
    if text.len() > REPLY_BYTES_MAX {
        return None;
    }
    let (_, rest) = text.split_once(&format!("\"{name}\""))?;
    let mut rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('[')?;
    let mut entries = Vec::new();
    loop {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let Some(Ok(value @ Value::Object(_))) = values.next() else { break };
        let len = values.byte_offset();
        entries.push(value);
        let Some(next) = rest[len..].trim_start().strip_prefix(',') else { break };
        rest = next;
    }
    (!entries.is_empty()).then(|| json!({name: entries}))
}

/// The insides of fences of code.
fn fences(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("```") {
        // The first line names a language, or nothing.
        let Some((_, body)) = after.split_once('\n') else { break };
        let Some((block, after)) = body.split_once("```") else { break };
        blocks.push(block);
        rest = after;
    }
    blocks
}

fn whole(text: &str) -> Option<Value> {
    serde_json::from_str(text.trim()).ok().filter(Value::is_object)
}

/// The longest object that begins anywhere. Each place is read until it stops being JSON, which is soon
/// unless it is: an object can be inside others only as deep as the parser goes.
fn longest(text: &str) -> Option<Value> {
    let mut best: Option<(usize, Value)> = None;
    let mut at = 0;
    for _ in 0..BEGINNINGS_MAX {
        let Some(found) = text[at..].find('{') else { break };
        at += found;
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            let len = values.byte_offset();
            if best.as_ref().is_none_or(|(best_len, _)| len > *best_len) {
                best = Some((len, value));
            }
            at += len;
        } else {
            at += 1;
        }
    }
    best.map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(json_of(text).map(|value| value.to_string()).as_deref(), expected, "{text}");
    }

    #[test]
    fn the_object_is_found_whatever_stands_around_it() {
        check(r#"{"a":1}"#, Some(r#"{"a":1}"#));
        check(" \n{\"a\":{\"b\":[1]}}\n", Some(r#"{"a":{"b":[1]}}"#));
        check("Here:\n```json\n{\"a\":1}\n```\nand {\"no\":\"larger than this one\"}", Some(r#"{"a":1}"#));
        check("```\n{\"a\":1}\n```", Some(r#"{"a":1}"#));
        check("```json\n{\"a\":\"```\"}\n```", Some(r#"{"a":"```"}"#));
        check("I chose {x} of {y}: {\"a\":\"}{\"} and {\"b\":12345} so", Some(r#"{"b":12345}"#));
        check("<think>{\"draft\":\"a long one\"}</think>{\"a\":1}", Some(r#"{"a":1}"#));
        check("ärger {\"ä\":\"→\"} ß", Some(r#"{"ä":"→"}"#));
    }

    #[test]
    fn what_is_no_object_is_none() {
        for text in ["", "no", "[1]", "[{\"a\":1},{\"b\":2}]", "{\"a\":NaN}", "{\"a\":1", "null", "{", "{]", "\"{}\""] {
            check(text, None);
        }
    }

    #[test]
    fn of_a_list_that_broke_off_the_whole_entries_stand() {
        let found = |text: &str| list_of(text, "replies").map(|value| value.to_string());
        let whole = r#"{"replies":[{"n":1},{"n":2}]}"#;
        assert_eq!(found(whole).as_deref(), Some(whole));
        assert_eq!(
            found("```json\n{\"replies\" : [ {\"n\":1},\n {\"n\":2, \"reply\": {\"a\"").as_deref(),
            Some(r#"{"replies":[{"n":1}]}"#)
        );
        for text in [
            "",
            "{\"replies\":[",
            "{\"replies\":[{\"n\":1",
            "{\"replies\":\"x\"}",
            "{\"replies\":[1,2",
            "{\"others\":[{\"n\":1}]",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn of_keys_that_repeat_the_last_holds() {
        check(r#"{"a":1,"a":2}"#, Some(r#"{"a":2}"#));
    }

    #[test]
    fn depth_and_length_are_bounded() {
        check(&format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000)), None);
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(REPLY_BYTES_MAX));
        check(&long, None);
    }

    #[test]
    fn hostile_replies_take_no_time() {
        let started = Instant::now();
        for piece in ["{", "{\"", "{\"a\":[", "{\"a\":{", "{\"a\":\"{", "```\n", "{}", "[{\"a\":1},"] {
            let text = piece.repeat(REPLY_BYTES_MAX / piece.len());
            let _ = json_of(&text);
            let _ = list_of(&format!("\"replies\":[{}", &text[..REPLY_BYTES_MAX / 2]), "replies");
        }
        assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
    }
}

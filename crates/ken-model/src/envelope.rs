//! What agents print around a reply when they are told to print JSON.
//!
//! Three forms are known: the object of `claude -p --output-format json` (also as the last of a list), that of
//! `gemini -o json`, and the lines of `codex exec --json`. Anything else is the reply itself.

use serde_json::Value;

use crate::money::Money;
use crate::prompt::Usage;

/// What stands in the envelope.
#[derive(Debug, PartialEq)]
pub(crate) enum Opened {
    /// It is none: the text is the reply.
    Plain,
    /// The reply, and what the agent says it took.
    Reply(String, Option<Usage>),
    /// The agent says that it failed, and why.
    Failed(String, Option<Usage>),
}

/// Opens what a program printed.
pub(crate) fn open(text: &str) -> Opened {
    let text = text.trim();
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(messages)) => messages.iter().rev().find(|one| is_result(one)).map_or(Opened::Plain, claude),
        Ok(value) if is_result(&value) => claude(&value),
        Ok(value) if value["stats"].is_object() && (value["response"].is_string() || value["error"].is_object()) => {
            gemini(&value)
        }
        // It says why it failed without saying what that took.
        Ok(value) if value["session_id"].is_string() && value["error"]["message"].is_string() => gemini(&value),
        Ok(_) => Opened::Plain,
        Err(_) if text.lines().next().is_some_and(is_thread) => codex(text),
        Err(_) => Opened::Plain,
    }
}

fn is_result(value: &Value) -> bool {
    value["type"] == "result" && (value["result"].is_string() || value["subtype"].is_string())
}

fn claude(envelope: &Value) -> Opened {
    let usage = &envelope["usage"];
    let usage = usage.is_object().then(|| Usage {
        input: number(&usage["input_tokens"]),
        cache_read: number(&usage["cache_read_input_tokens"]),
        cache_write: number(&usage["cache_creation_input_tokens"]),
        output: number(&usage["output_tokens"]),
        is_estimate: false,
        cost: None,
    });
    let cost = envelope["total_cost_usd"].as_f64().and_then(rounded_up);
    let usage = match (usage, cost) {
        (None, None) => None,
        (usage, cost) => Some(Usage { cost, ..usage.unwrap_or_default() }),
    };
    let result = envelope["result"].as_str().unwrap_or_default();
    let subtype = envelope["subtype"].as_str().unwrap_or("success");
    if envelope["is_error"] == true || subtype != "success" {
        let why = if result.is_empty() { subtype } else { result };
        return Opened::Failed(why.to_owned(), usage);
    }
    // With `--json-schema` the reply proper stands beside the words.
    let structured = &envelope["structured_output"];
    let text = if structured.is_object() { structured.to_string() } else { result.to_owned() };
    Opened::Reply(text, usage)
}

/// An amount of dollars in whole millionths, rounded up as every price is.
fn rounded_up(usd: f64) -> Option<Money> {
    // What is a whole number of millionths is rarely one in binary.
    let micro_usd = (usd * 1e6 - 1e-6).ceil().max(0.0);
    (usd >= 0.0 && micro_usd < 1e15).then_some(Money(micro_usd as u64))
}

fn gemini(envelope: &Value) -> Opened {
    let mut usage: Option<Usage> = None;
    for model in envelope["stats"]["models"].as_object().into_iter().flat_map(|models| models.values()) {
        let tokens = &model["tokens"];
        let cache_read = number(&tokens["cached"]);
        let input = number(&tokens["prompt"]).saturating_sub(cache_read);
        let output = number(&tokens["candidates"]).saturating_add(number(&tokens["thoughts"]));
        usage = Some(usage.unwrap_or_default() + Usage { input, cache_read, output, ..Usage::default() });
    }
    match (envelope["error"]["message"].as_str(), envelope["response"].as_str()) {
        (Some(why), _) => Opened::Failed(why.to_owned(), usage),
        (None, reply) => Opened::Reply(reply.unwrap_or_default().to_owned(), usage),
    }
}

fn is_thread(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_ok_and(|event| event["type"] == "thread.started")
}

fn codex(text: &str) -> Opened {
    let mut reply = None;
    let mut usage: Option<Usage> = None;
    let mut failure = None;
    for event in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        match event["type"].as_str().unwrap_or_default() {
            "item.completed" if event["item"]["type"] == "agent_message" => {
                reply = event["item"]["text"].as_str().map(str::to_owned);
            }
            "turn.completed" => {
                let all = number(&event["usage"]["input_tokens"]);
                let cache_read = number(&event["usage"]["cached_input_tokens"]);
                let output = number(&event["usage"]["output_tokens"]);
                let input = all.saturating_sub(cache_read);
                usage = Some(usage.unwrap_or_default() + Usage { input, cache_read, output, ..Usage::default() });
            }
            "turn.failed" => failure = event["error"]["message"].as_str().map(str::to_owned),
            _ => {}
        }
    }
    match (failure, reply) {
        (Some(why), _) => Opened::Failed(why, usage),
        (None, reply) => Opened::Reply(reply.unwrap_or_default(), usage),
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, cache_read: u64, cache_write: u64, output: u64) -> Option<Usage> {
        Some(Usage { input, cache_read, cache_write, output, is_estimate: false, cost: None })
    }

    #[test]
    fn claudes_envelope_holds_reply_and_usage() {
        let said = r#"{"type":"result","subtype":"success","is_error":false,"result":"{\"a\":1}","total_cost_usd":0.01,
            "usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":7}}"#;
        let usage = usage(3, 100, 20, 7).map(|usage| Usage { cost: Some(Money(10_000)), ..usage });
        let expected = Opened::Reply(r#"{"a":1}"#.to_owned(), usage);
        assert_eq!(open(said), expected);
        assert_eq!(open(&format!(r#"[{{"type":"system"}},{said}]"#)), expected);
        let structured = r#"{"type":"result","subtype":"success","result":"done","structured_output":{"a":2}}"#;
        assert_eq!(open(structured), Opened::Reply(r#"{"a":2}"#.to_owned(), None));
    }

    #[test]
    fn claudes_failures_are_failures() {
        let limit = r#"{"type":"result","subtype":"success","is_error":true,"result":"usage limit reached"}"#;
        assert_eq!(open(limit), Opened::Failed("usage limit reached".to_owned(), None));
        let turns = r#"{"type":"result","subtype":"error_max_turns","usage":{"output_tokens":9}}"#;
        assert_eq!(open(turns), Opened::Failed("error_max_turns".to_owned(), usage(0, 0, 0, 9)));
    }

    #[test]
    fn codexs_lines_hold_the_last_message_and_usage() {
        let said = "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}\n\
            {\"type\":\"item.completed\",\"item\":{\"type\":\"reasoning\",\"text\":\"hm\"}}\n\
            {\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"{}\"}}\n\
            {\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":30,\"cached_input_tokens\":20,\"output_tokens\":2}}\n";
        assert_eq!(open(said), Opened::Reply("{}".to_owned(), usage(10, 20, 0, 2)));
        let failed = "{\"type\":\"thread.started\"}\n{\"type\":\"turn.failed\",\"error\":{\"message\":\"no login\"}}";
        assert_eq!(open(failed), Opened::Failed("no login".to_owned(), None));
    }

    #[test]
    fn geminis_object_holds_the_reply_and_usage_of_every_model() {
        let said = r#"{"session_id":"s","response":"{}","stats":{"models":{
            "a":{"tokens":{"prompt":30,"cached":20,"candidates":2,"thoughts":5}},"b":{"tokens":{"prompt":1}}}}}"#;
        assert_eq!(open(said), Opened::Reply("{}".to_owned(), usage(11, 20, 0, 7)));
        let failed = r#"{"session_id":"s","error":{"type":"Error","message":"no login","code":1}}"#;
        assert_eq!(open(failed), Opened::Failed("no login".to_owned(), None));
    }

    #[test]
    fn what_an_agent_says_it_cost_is_rounded_up() {
        for (usd, micro_usd) in [(0.0, Some(0)), (0.01, Some(10_000)), (0.041_952_3, Some(41_953)), (-1.0, None)] {
            assert_eq!(rounded_up(usd), micro_usd.map(Money), "{usd}");
        }
    }

    #[test]
    fn everything_else_is_the_reply_itself() {
        for text in ["", "{}", "[]", r#"{"type":"result"}"#, "Here it is: {\"a\":1}", "{\"type\":\"thread\"}\nx"] {
            assert_eq!(open(text), Opened::Plain, "{text}");
        }
    }
}

//! A hook's call: the JSON value that an agent hands over when something happens in a session.
//!
//! Agents agree on little but that it is JSON. [`read_call`] takes what the many have in common, by every
//! name that is in use, tells who called from the value itself before it looks at the surroundings, and
//! repairs the one damage that is seen in practice: Windows paths with single backslashes.

use std::path::PathBuf;

use serde_json::Value;

use crate::agents::{by_name, hook_output};
use crate::machine::Machine;

/// What happened in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// It starts, or starts anew: after a resume, a clear, a compaction.
    Start,
    /// A person has sent a prompt.
    Prompt,
    /// The agent has answered and waits.
    Stop,
    /// The conversation is about to be shortened.
    Compact,
    /// It ends.
    End,
    /// Something that is of no concern here.
    Other,
}

impl Moment {
    /// Returns the word used in files and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Moment::Start => "start",
            Moment::Prompt => "prompt",
            Moment::Stop => "stop",
            Moment::Compact => "compact",
            Moment::End => "end",
            Moment::Other => "other",
        }
    }

    /// Returns the moment of that word.
    pub fn parse(word: &str) -> Option<Moment> {
        let all = [Moment::Start, Moment::Prompt, Moment::Stop, Moment::Compact, Moment::End, Moment::Other];
        all.into_iter().find(|moment| moment.as_str() == word)
    }

    /// Returns the moment that an agent calls by this event name, however the words are joined.
    fn of_event(event: &str) -> Moment {
        let name: String = event.chars().filter(char::is_ascii_alphanumeric).collect();
        match name.to_ascii_lowercase().as_str() {
            "sessionstart" | "sessioncreated" | "agentstart" | "taskstart" | "taskresume" => Moment::Start,
            "userpromptsubmit" | "userpromptsubmitted" | "beforeagent" | "beforesubmitprompt" => Moment::Prompt,
            "stop" | "subagentstop" | "afteragent" | "agentstop" | "agentend" | "sessionidle" | "interrupt" => {
                Moment::Stop
            }
            "precompact" | "precompress" | "sessionbeforecompact" | "sessioncompacting" => Moment::Compact,
            "sessionend" | "sessionshutdown" | "taskcomplete" | "taskcancel" | "sessiondeleted" => Moment::End,
            _ => Moment::Other,
        }
    }
}

/// One call of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The agent that called.
    pub agent: String,
    /// What happened.
    pub moment: Moment,
    /// The event's name as the agent wrote it, for the answer.
    pub event: String,
    /// The agent's id of the session.
    pub session: Option<String>,
    /// Where the transcript is said to be: every way to read the path, the likeliest first.
    pub transcripts: Vec<PathBuf>,
    /// The working folder.
    pub cwd: Option<PathBuf>,
    /// The prompt, where a person sent one.
    pub prompt: Option<String>,
    /// What caused it, in the agent's words: how a session starts, who sent a prompt.
    pub source: Option<String>,
}

/// Returns the call that these bytes are, or why they are none.
///
/// `agent` is who called if the command line said so.
///
/// # Errors
/// When the bytes hold no JSON object, also after the repair of backslashes.
pub fn read_call(bytes: &[u8], agent: Option<&str>, machine: &Machine) -> Result<Call, &'static str> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err("standard input was empty");
    }
    let value = first_value(text).or_else(|| first_value(&with_backslashes_doubled(text)));
    let value = value.ok_or("standard input held no JSON value")?;
    if !value.is_object() {
        return Err("standard input held no JSON object");
    }
    let text_of = |keys: &[&str]| keys.iter().find_map(|key| text_at(&value, key));
    let event = text_of(&["hook_event_name", "hookEventName", "hookName", "event", "agent_action_name"]);
    let event = event.unwrap_or_default();
    let moment = match Moment::of_event(&event) {
        // What the program itself sent is not a prompt of a person.
        Moment::Prompt if text_of(&["source"]).is_some_and(|source| !matches!(source.as_str(), "user" | "sdk")) => {
            Moment::Other
        }
        moment => moment,
    };
    let session = ["session_id", "sessionId", "conversation_id", "taskId", "trajectory_id"];
    let nested = || text_at(&value["sessionContext"], "rootSessionId");
    let cwd = text_of(&["cwd", "workspace_root"])
        .or_else(|| value["workspace_roots"].get(0)?.as_str().map(str::to_owned))
        .or_else(|| value["workspaceRoots"].get(0)?.as_str().map(str::to_owned));
    let transcripts: Vec<PathBuf> =
        text_of(&["transcript_path", "transcriptPath"]).map(|path| readings(&path, text)).unwrap_or_default();
    Ok(Call {
        agent: agent.filter(|name| *name != "auto").map_or_else(|| caller(&value, machine).to_owned(), str::to_owned),
        moment,
        event,
        session: nested().or_else(|| text_of(&session)),
        transcripts,
        cwd: cwd.or_else(|| machine.variable("CLAUDE_PROJECT_DIR").map(str::to_owned)).map(PathBuf::from),
        prompt: text_of(&["prompt", "initial_prompt"]),
        source: text_of(&["source"]),
    })
}

/// Returns whether these bytes begin with one complete JSON object, so that no more needs to be read.
pub fn is_complete(bytes: &[u8]) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

fn first_value(text: &str) -> Option<Value> {
    serde_json::Deserializer::from_str(text).into_iter::<Value>().next()?.ok()
}

fn text_at(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// Doubles every backslash that neither escapes nor is escaped in the way paths are written.
fn with_backslashes_doubled(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        out.push(ch);
        if ch == '\\' {
            match chars.peek() {
                Some('"' | '\\') => out.extend(chars.next()),
                _ => out.push('\\'),
            }
        }
    }
    out
}

/// A path may have been written with single backslashes that happen to be escapes (`C:\new\tmp`), so it
/// has a second reading: the bytes as they stand.
fn readings(path: &str, text: &str) -> Vec<PathBuf> {
    let mut readings = vec![PathBuf::from(path)];
    if path.chars().any(char::is_control) {
        let key = ["\"transcript_path\"", "\"transcriptPath\""].into_iter().find_map(|key| text.split_once(key));
        let raw = key.and_then(|(_, rest)| rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"'));
        readings.extend(raw.and_then(|rest| rest.split_once('"')).map(|(raw, _)| PathBuf::from(raw)));
    }
    readings
}

/// Who called, by what only that agent writes, else by what only it sets.
fn caller(value: &Value, machine: &Machine) -> &'static str {
    let has = |key: &str| value.get(key).is_some();
    let path = text_at(value, "transcript_path").unwrap_or_default().replace('\\', "/");
    // An adapter of ours says whose it is.
    if let Some(agent) = text_at(value, "agent").and_then(|name| by_name(&name)) {
        return agent.name();
    }
    if has("cursor_version") {
        "cursor"
    } else if has("clineVersion") || has("taskId") {
        "cline"
    } else if path.contains("/rollout-") || path.contains("/.codex/") {
        "codex"
    } else if path.contains("/.gemini/") || path.contains("/chats/session-") {
        "gemini-cli"
    } else if path.contains("/session-state/") || has("initial_prompt") {
        "copilot-cli"
    } else if path.contains("/.claude/") {
        "claude-code"
    } else if machine.variable("COPILOT_CLI").is_some() {
        "copilot-cli"
    } else if machine.variable("GEMINI_CLI").is_some() || machine.variable("GEMINI_SESSION_ID").is_some() {
        "gemini-cli"
    } else if machine.variable("PLUGIN_ROOT").is_some() && machine.variable("CLAUDECODE").is_none() {
        "codex"
    } else {
        "claude-code"
    }
}

/// Returns what to print so that the agent puts `text` in front of its model.
pub fn answer(call: &Call, text: &str) -> String {
    let value = match by_name(&call.agent) {
        Some(agent) => agent.answer(&call.event, text),
        None => hook_output(&call.event, text),
    };
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AGENTS;

    #[track_caller]
    fn check(text: &str, agent: &str, moment: Moment, session: Option<&str>) {
        let call = read_call(text.as_bytes(), None, &Machine::default()).expect("a call");
        assert_eq!((call.agent.as_str(), call.moment, call.session.as_deref()), (agent, moment, session));
    }

    #[test]
    fn each_agent_is_known_by_its_own_words() {
        check(r#"{"session_id":"a","hook_event_name":"SessionStart"}"#, "claude-code", Moment::Start, Some("a"));
        check(
            r#"{"session_id":"a","transcript_path":"/x/.codex/sessions/rollout-1.jsonl","hook_event_name":"Stop"}"#,
            "codex",
            Moment::Stop,
            Some("a"),
        );
        check(
            r#"{"session_id":"g","transcript_path":"/x/.gemini/tmp/p/chats/session-1.jsonl","hook_event_name":"PreCompress"}"#,
            "gemini-cli",
            Moment::Compact,
            Some("g"),
        );
        check(
            r#"{"hook_event_name":"SessionStart","session_id":"c","source":"new","initial_prompt":"hi"}"#,
            "copilot-cli",
            Moment::Start,
            Some("c"),
        );
        check(
            r#"{"clineVersion":"","taskId":"t","sessionContext":{"rootSessionId":"r"},"hookName":"agent_start"}"#,
            "cline",
            Moment::Start,
            Some("r"),
        );
        check(
            r#"{"conversation_id":"k","cursor_version":"2","hook_event_name":"sessionEnd"}"#,
            "cursor",
            Moment::End,
            Some("k"),
        );
        check(r#"{"agent":"pi","session_id":"p","hook_event_name":"SessionStart"}"#, "pi", Moment::Start, Some("p"));
    }

    #[test]
    fn prompts_that_no_person_sent_are_of_no_concern() {
        check(r#"{"hook_event_name":"UserPromptSubmit","source":"loop_wakeup"}"#, "claude-code", Moment::Other, None);
        check(r#"{"hook_event_name":"UserPromptSubmit","source":"user"}"#, "claude-code", Moment::Prompt, None);
    }

    #[test]
    fn paths_with_single_backslashes_are_read() {
        let paths = |text: &str| read_call(text.as_bytes(), None, &Machine::default()).expect("a call").transcripts;
        let expected = PathBuf::from(r"C:\Users\me\t.jsonl");
        assert_eq!(paths(r#"{"transcript_path":"C:\Users\me\t.jsonl"}"#), std::slice::from_ref(&expected));
        assert_eq!(paths(r#"{"transcript_path":"C:\\Users\\me\\t.jsonl"}"#), [expected]);
        // Every backslash here is an escape, so both readings are offered.
        assert_eq!(paths(r#"{"transcript_path":"C:\new\tmp\t.jsonl"}"#)[1], PathBuf::from(r"C:\new\tmp\t.jsonl"));
    }

    #[test]
    fn what_is_no_object_is_refused_with_a_reason() {
        let why = |text: &str| read_call(text.as_bytes(), None, &Machine::default()).expect_err("refused");
        assert_eq!(why(""), "standard input was empty");
        assert_eq!(why("[]"), "standard input held no JSON object");
        assert_eq!(why("{"), "standard input held no JSON value");
    }

    #[test]
    fn reading_stops_after_the_first_value() {
        assert!(is_complete(br#"{"a":"}","b":{}} trailing"#));
        assert!(!is_complete(br#"{"a":"}""#) && !is_complete(b""));
    }

    #[test]
    fn the_answer_is_found_where_the_agent_looks_for_it() {
        // Cline takes an answer and drops its text.
        for agent in AGENTS.iter().filter(|agent| agent.name() != "cline" && !agent.is_extra()) {
            let call = Call {
                agent: agent.name().to_owned(),
                moment: Moment::Start,
                event: "SessionStart".to_owned(),
                session: None,
                transcripts: Vec::new(),
                cwd: None,
                prompt: None,
                source: None,
            };
            let printed = serde_json::from_str(&answer(&call, "facts \"quoted\"")).expect("an answer is JSON");
            assert_eq!(agent.received(&printed).as_deref(), Some("facts \"quoted\""), "{}", agent.name());
        }
    }
}

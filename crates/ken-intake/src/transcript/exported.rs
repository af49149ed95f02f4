//! `conversations.json`: all conversations of a person with ChatGPT or Claude, as those services export them.
//!
//! One file holds many, so each is found by where it begins, and written out as a document of plain messages that
//! [`Exported`] reads. A conversation of ChatGPT is a tree, because a question may be asked again in other words: what
//! leads to its current end is taken, and the rest is counted. Never more than one conversation is held.

mod chatgpt;
mod claude;

use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use ken_core::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::document::{Follow, Part, read_document};
use super::reading::{Reading, time_in};
use super::{ReadReport, Record, Role, Transcript, TranscriptReader, Unit};
use crate::outside;

/// Longest conversation that is held.
const CONVERSATION_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Bytes in which the signs of an export are looked for.
const HEAD_BYTES: u64 = 64 * 1024;
/// Most conversations that are listed.
const CONVERSATIONS_MAX: usize = 200_000;

/// Reads one conversation as it was written out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exported {
    agent: &'static str,
    sign: &'static str,
}

impl Exported {
    /// The reader of conversations with ChatGPT.
    pub(crate) const CHATGPT: Exported = Exported { agent: "chatgpt", sign: "{\"export_of\":\"chatgpt\"" };
    /// The reader of conversations with Claude on the web.
    pub(crate) const CLAUDE: Exported = Exported { agent: "claude-ai", sign: "{\"export_of\":\"claude-ai\"" };
}

impl TranscriptReader for Exported {
    fn agent(&self) -> &'static str {
        self.agent
    }

    fn unit(&self) -> Unit {
        Unit::Messages
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        first_bytes.starts_with(self.sign.as_bytes())
    }

    fn transcripts(&self, _: &Machine, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent, start, sink);
        let mut title = None;
        read_document(input, &["messages"], &mut out, &mut |part, at, out| match part {
            Part::Field(key, value) => match key.as_str() {
                "id" => out.note_session(value.as_str()),
                "title" => title = value.as_str().map(str::to_owned).filter(|title| !title.trim().is_empty()),
                "other_branches" => (0..value.as_u64().unwrap_or(0).min(1_000_000)).for_each(|_| out.skip("branch")),
                _ => {}
            },
            Part::Message(message) if at >= start => tell(&message, out),
            Part::Message(_) => {}
        })?;
        let mut report = out.finish();
        report.title = title;
        Ok(report)
    }
}

fn tell(message: &Value, out: &mut Reading<'_>) {
    let time = time_in(&message["time"]);
    for call in message["calls"].as_array().map_or(&[][..], Vec::as_slice) {
        out.did(call["name"].as_str().unwrap_or("tool"), &call["input"], time);
    }
    let text = message["text"].as_str().unwrap_or_default();
    match message["role"].as_str() {
        Some("user") if !text.trim().is_empty() => out.said(Role::User, text, time),
        Some("assistant") if !text.trim().is_empty() => out.said(Role::Assistant, text, time),
        Some("user" | "assistant") if message["calls"].as_array().is_none_or(Vec::is_empty) => out.skip("empty"),
        Some("user" | "assistant") => {}
        Some("tool") => out.skip("tool-result"),
        Some("system") => out.skip("system"),
        Some("injected") => out.skip("injected"),
        Some("thinking") => out.skip("thinking"),
        _ => out.skip("unknown-type"),
    }
}

/// One conversation in plain messages.
struct Plain {
    of: &'static str,
    id: String,
    title: String,
    n_other_branches: usize,
    messages: Vec<Value>,
}

impl Plain {
    fn text(&self) -> Vec<u8> {
        let Plain { of, id, title, n_other_branches, messages } = self;
        let document = json!({
            "export_of": of, "id": id, "title": title, "other_branches": n_other_branches, "messages": messages,
        });
        document.to_string().into_bytes()
    }
}

/// Returns whether a file is such an export, by what it begins with.
pub(super) fn is_export(path: &Path) -> bool {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    is_json && outside::first_bytes(path, HEAD_BYTES).is_ok_and(|start| of_which(&start).is_some())
}

/// Which service wrote what begins so.
fn of_which(start: &[u8]) -> Option<&'static str> {
    let start = String::from_utf8_lossy(start);
    let start: String = start.chars().filter(|ch| !ch.is_whitespace() && *ch != '\u{feff}').collect();
    let has = |sign: &str| start.contains(sign);
    match () {
        () if !start.starts_with("[{") && !start.starts_with('{') => None,
        () if has("\"mapping\":{") && has("\"create_time\":") => Some("chatgpt"),
        () if has("\"uuid\":") && has("\"chat_messages\":[") && has("\"name\":") => Some("claude-ai"),
        () => None,
    }
}

/// What a list of conversations says of each.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    conversation_id: Option<String>,
    #[serde(default)]
    uuid: Option<String>,
    #[serde(default)]
    update_time: Option<Value>,
    #[serde(default)]
    updated_at: Option<Value>,
}

impl Head {
    fn name(&self) -> Option<&str> {
        let names = [&self.conversation_id, &self.id, &self.uuid];
        names.into_iter().flatten().map(String::as_str).find(|name| !name.trim().is_empty())
    }

    fn changed(&self) -> Option<Timestamp> {
        self.update_time.as_ref().or(self.updated_at.as_ref()).and_then(time_in)
    }
}

/// Returns the conversations of an export, and for each that cannot be read the reason.
pub(super) fn conversations(path: &Path) -> io::Result<(Vec<Transcript>, Vec<&'static str>)> {
    let (mut found, mut unread): (Vec<Transcript>, Vec<&'static str>) = (Vec::new(), Vec::new());
    let mut input = BufReader::with_capacity(256 * 1024, outside::open(path)?);
    let is_whole = elements(&mut input, &mut |at, bytes| {
        let head = bytes.map(serde_json::from_slice::<Head>);
        match head {
            None => unread.push("too-long"),
            Some(Err(_)) => unread.push("unparsable"),
            Some(Ok(_)) if found.len() >= CONVERSATIONS_MAX => unread.push("too-many"),
            Some(Ok(head)) => found.push(Transcript {
                path: path.to_owned(),
                session: Some(head.name().map_or_else(|| format!("at-{at}"), str::to_owned)),
                cwd: None,
                at: Some(at),
                changed: head.changed(),
            }),
        }
        true
    })?;
    if !is_whole {
        unread.push("truncated-tail");
    }
    Ok((found, unread))
}

/// Writes a conversation out in plain messages.
///
/// # Errors
/// When the file no longer holds it there.
pub(super) fn written_out(transcript: &Transcript) -> io::Result<Vec<u8>> {
    let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why);
    let mut file = outside::open(&transcript.path)?;
    file.seek(SeekFrom::Start(transcript.at.unwrap_or(0)))?;
    let mut input = BufReader::with_capacity(256 * 1024, file);
    let mut value: Option<Option<Value>> = None;
    elements(&mut input, &mut |_, bytes| {
        value = Some(bytes.and_then(|bytes| serde_json::from_str(&String::from_utf8_lossy(bytes)).ok()));
        false
    })?;
    let value = value.ok_or_else(|| wrong("the export no longer holds the conversation there"))?;
    let value = value.ok_or_else(|| wrong("the conversation is damaged, or nested too deep"))?;
    let plain = if value["mapping"].is_object() { chatgpt::plain(&value) } else { claude::plain(&value) };
    let is_same = transcript.session.as_ref().is_none_or(|session| *session == plain.id || session.starts_with("at-"));
    if is_same { Ok(plain.text()) } else { Err(wrong("the export no longer holds the conversation there")) }
}

/// Passes on the objects of a list, or a single one, with where each begins; a longer one than is held comes without its
/// bytes. Stops when `each` says so. Returns whether the text ended as it should.
fn elements(input: &mut dyn BufRead, each: &mut dyn FnMut(u64, Option<&[u8]>) -> bool) -> io::Result<bool> {
    let (mut at, mut depth) = (0_u64, 0);
    loop {
        let Some(&byte) = input.fill_buf()?.first() else { return Ok(depth == 0 && at > 0) };
        match byte {
            b'[' if depth == 0 => depth = 1,
            b']' if depth == 1 => return Ok(true),
            b'{' => {
                let start = at;
                let (bytes, n_bytes, is_whole) = element(input)?;
                at += n_bytes;
                if !is_whole {
                    return Ok(false);
                }
                if !each(start, bytes.as_deref()) {
                    return Ok(true);
                }
                if depth == 0 {
                    return Ok(true);
                }
                continue;
            }
            b',' | b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF => {}
            _ => return Ok(false),
        }
        input.consume(1);
        at += 1;
    }
}

/// The bytes of the object that begins here, how many there are, and whether it ends.
fn element(input: &mut dyn BufRead) -> io::Result<(Option<Vec<u8>>, u64, bool)> {
    let mut follow: Option<Follow> = None;
    let (mut bytes, mut n_bytes) = (Some(Vec::new()), 0_u64);
    loop {
        let chunk = input.fill_buf()?;
        let Some(first) = chunk.first() else {
            let is_whole = follow.is_some_and(|follow| follow.is_over);
            return Ok((bytes.filter(|_| is_whole), n_bytes, is_whole));
        };
        let (follow, skipped) = match &mut follow {
            Some(follow) => (follow, 0),
            None => (follow.insert(Follow::new(*first)), 1),
        };
        let rest = chunk[skipped..].iter().position(|byte| follow.ends_before(*byte));
        let used = rest.map_or(chunk.len(), |n| n + skipped);
        match &mut bytes {
            Some(held) if held.len() + used <= CONVERSATION_BYTES_MAX => held.extend_from_slice(&chunk[..used]),
            _ => bytes = None,
        }
        input.consume(used);
        n_bytes += used as u64;
        if follow.is_done {
            return Ok((bytes, n_bytes, true));
        }
    }
}

#[cfg(test)]
mod tests;

//! Claude Code's session files: JSON Lines, one record a line, appended as the session goes.
//!
//! Read from versions 2.0 to 2.1.330. Most of a file is not conversation (request bodies, snapshots,
//! progress), so a line's fields are only located at first and the message is read for the few kinds
//! that can hold one. A person's message is told from injected ones by the record's flags and origin
//! and, for files that have none, by how it starts. Sub-agents' lines count but give no records.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use serde_json::Value;
use serde_json::value::RawValue;

use fields::{Fields, content_of, has_block, is_kind, is_set, text_of, texts_of, time_of, value_of, why_not_human};

use crate::outside;

use super::lines::{LineReader, NextLine};
use super::tool_line::tool_line;
use super::{ReadReport, Record, Role, ToolEvent, TranscriptReader, Turn, clean};

mod fields;

/// Longest line that is held: pasted images make megabytes, conversation never does.
const LINE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Longer folder names are cut and given a digest.
const FOLDER_CHARS_MAX: usize = 200;

/// Most summaries that are remembered: a folder's older sessions may leave dozens.
const SUMMARIES_MAX: usize = 256;

/// Kinds of record that never hold conversation, and the reason they are counted under.
const KINDS_WITHOUT_TURNS: &[(&str, &str)] = &[
    ("agent-name", "bookkeeping"),
    ("api-request", "api"),
    ("api-request-blob", "api"),
    ("api-request-shape", "api"),
    ("atis-latch", "bookkeeping"),
    ("bridge-session", "bookkeeping"),
    ("cost-state", "bookkeeping"),
    ("file-history-delta", "snapshot"),
    ("file-history-snapshot", "snapshot"),
    ("frame-link", "bookkeeping"),
    ("last-prompt", "bookkeeping"),
    ("mode", "bookkeeping"),
    ("permission-mode", "bookkeeping"),
    ("pr-link", "bookkeeping"),
    ("progress", "progress"),
    ("queue-operation", "bookkeeping"),
    ("relocated", "bookkeeping"),
    ("result", "sidechain"),
    ("started", "sidechain"),
    ("system", "system"),
    ("tool_result", "tool-result"),
    ("tools-used", "bookkeeping"),
    ("worktree-state", "bookkeeping"),
];

/// What marks a first chunk of bytes as Claude Code's; `parentUuid` alone is written by others too.
const SIGNS: &[&str] = &[
    "\"leafUuid\"",
    "\"isSidechain\"",
    "\"file-history-snapshot\"",
    "\"type\":\"queue-operation\"",
    "\"type\":\"permission-mode\"",
    "\"type\":\"mode\"",
    "\"type\":\"atis-latch\"",
];

/// Reads Claude Code's session files.
#[derive(Debug, Clone, Copy)]
pub struct ClaudeCode;

/// The least that every version writes of a turn: a type and a message with the same role.
fn is_plain_turn(line: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Plain {
        r#type: String,
        message: Message,
    }
    #[derive(serde::Deserialize)]
    struct Message {
        role: String,
    }
    let plain = serde_json::from_str::<Plain>(line);
    plain.is_ok_and(|plain| matches!(plain.r#type.as_str(), "user" | "assistant") && plain.message.role == plain.r#type)
}

impl TranscriptReader for ClaudeCode {
    fn agent(&self) -> &'static str {
        "claude-code"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        let start = String::from_utf8_lossy(first_bytes);
        let is_json = start.trim_start_matches(['\u{feff}', ' ', '\n']).starts_with('{');
        is_json && (SIGNS.iter().any(|sign| start.contains(sign)) || start.lines().any(is_plain_turn))
    }

    fn transcripts(&self, machine: &Machine, project: &Path) -> Vec<PathBuf> {
        // A folder is named after the working folder, every other character than letters and digits a dash;
        // sessions of folders below the project have longer names.
        let name = |ch: char| if ch.is_ascii_alphanumeric() { ch } else { '-' };
        let name: String = project.to_string_lossy().chars().map(name).take(FOLDER_CHARS_MAX).collect();
        let folders = outside::children(&machine.folder("CLAUDE_CONFIG_DIR", ".claude").join("projects"));
        let is_ours =
            |folder: &PathBuf| folder.file_name().is_some_and(|folder| folder.to_string_lossy().starts_with(&name));
        folders
            .unwrap_or_default()
            .into_iter()
            .filter(is_ours)
            .flat_map(|folder| outside::files_below(&folder, "jsonl"))
            .collect()
    }

    fn read(&self, input: &mut dyn BufRead, start_offset: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let report = ReadReport::starting_at(self.agent(), start_offset);
        let mut session = Session { report, titles: Default::default(), summaries: BTreeMap::new(), last_uuid: None };
        let mut lines = LineReader::new(input, LINE_BYTES_MAX);
        loop {
            let next = lines.next_line()?;
            if next == NextLine::End {
                break;
            }
            let line = String::from_utf8_lossy(&lines.buffer);
            let line = line.trim_start_matches('\u{feff}').trim();
            let is_whole = next == NextLine::Held && serde_json::from_str::<&RawValue>(line).is_ok();
            if !lines.is_terminated && !is_whole && !line.is_empty()
                || !lines.is_terminated && next == NextLine::TooLong
            {
                // Still being written: the next reading takes it.
                session.report.skip("truncated-tail");
                break;
            }
            session.report.lines_read += 1;
            match next {
                NextLine::TooLong => session.report.skip("too-long"),
                _ if line.is_empty() => session.report.skip("empty"),
                _ if !is_whole => session.report.skip("unparsable"),
                _ => session.line(line, sink),
            }
            session.report.end_offset += lines.n_bytes;
        }
        Ok(session.finish())
    }
}

/// The state of one reading.
struct Session {
    report: ReadReport,
    /// The titles found: a person's, the agent's, and of an older kind of summary.
    titles: [Option<String>; 3],
    /// Summaries by the line they end at.
    summaries: BTreeMap<String, String>,
    last_uuid: Option<String>,
}

impl Session {
    fn line(&mut self, line: &str, sink: &mut dyn FnMut(Record)) {
        if !line.starts_with('{') {
            return self.report.skip("not-an-object");
        }
        let Ok(fields) = serde_json::from_str::<Fields<'_>>(line) else { return self.report.skip("unparsable") };
        let kind = text_of(&fields, "type").unwrap_or_default();
        self.note_place(&fields);
        self.note_uuid(&fields);
        if is_set(&fields, "isSidechain") {
            return self.report.skip("sidechain");
        }
        match kind.as_str() {
            "user" => self.user(&fields, sink),
            "assistant" => self.assistant(&fields, sink),
            "attachment" => self.attachment(&fields, sink),
            "tool_use" => self.tool_use(&value_of(&fields, "name"), &value_of(&fields, "input"), &fields, sink),
            "custom-title" => self.title(0, &fields, "customTitle"),
            "ai-title" => self.title(1, &fields, "aiTitle"),
            "summary" => self.summary(&fields),
            "" | "message" => self.untyped(&fields, sink),
            kind => {
                let known = KINDS_WITHOUT_TURNS.iter().find(|(name, _)| *name == kind);
                self.report.skip(known.map_or("unknown-type", |(_, reason)| reason));
            }
        }
    }

    /// Some writers leave the type out and only give the role.
    fn untyped(&mut self, fields: &Fields<'_>, sink: &mut dyn FnMut(Record)) {
        let message = value_of(fields, "message");
        let role = message.get("role").and_then(Value::as_str).map(str::to_owned).or_else(|| text_of(fields, "role"));
        match role.as_deref() {
            Some("user" | "human") => self.user(fields, sink),
            Some("assistant") => self.assistant(fields, sink),
            _ => self.report.skip("unknown-type"),
        }
    }

    fn user(&mut self, fields: &Fields<'_>, sink: &mut dyn FnMut(Record)) {
        if let Some(reason) = why_not_human(fields) {
            return self.report.skip(reason);
        }
        let content = content_of(fields);
        if has_block(&content, "tool_result") && texts_of(&content).is_empty() {
            return self.report.skip("tool-result");
        }
        self.turn(Role::User, &texts_of(&content), fields, sink);
    }

    fn assistant(&mut self, fields: &Fields<'_>, sink: &mut dyn FnMut(Record)) {
        if is_set(fields, "isApiErrorMessage") || fields.contains_key("apiErrorStatus") {
            return self.report.skip("api-error");
        }
        if is_set(fields, "isMeta") {
            return self.report.skip("meta");
        }
        if value_of(fields, "message").get("model").and_then(Value::as_str) == Some("<synthetic>") {
            return self.report.skip("synthetic");
        }
        let content = content_of(fields);
        let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
        let calls: Vec<&Value> = blocks.iter().filter(|block| is_kind(block, "tool_use")).collect();
        let text = texts_of(&content);
        if !text.is_empty() {
            self.turn(Role::Assistant, &text, fields, sink);
        } else if calls.is_empty() {
            let is_thinking = has_block(&content, "thinking") || has_block(&content, "redacted_thinking");
            self.report.skip(if is_thinking { "thinking" } else { "empty" });
        }
        for call in calls {
            self.tool_use(&call["name"], &call["input"], fields, sink);
        }
    }

    /// What a person typed while the agent was working stands in an attachment, and nowhere else.
    fn attachment(&mut self, fields: &Fields<'_>, sink: &mut dyn FnMut(Record)) {
        if !fields.get("attachment").is_some_and(|raw| raw.get().contains("queued_command")) {
            return self.report.skip("attachment");
        }
        let queued = value_of(fields, "attachment");
        let is_typed = is_kind(&queued, "queued_command")
            && queued["commandMode"].as_str().is_none_or(|mode| mode == "prompt")
            && queued["isMeta"] != Value::Bool(true)
            && queued["origin"]["kind"].as_str().is_none_or(|kind| kind == "human" || kind == "cli");
        if !is_typed {
            return self.report.skip("attachment");
        }
        self.turn(Role::User, &texts_of(&queued["prompt"]), fields, sink);
    }

    fn turn(&mut self, role: Role, text: &str, fields: &Fields<'_>, sink: &mut dyn FnMut(Record)) {
        match clean::said(text, role == Role::User) {
            Ok(text) => sink(Record::Turn(Turn { role, text, at: time_of(fields), offset: self.report.end_offset })),
            Err(reason) => self.report.skip(reason),
        }
    }

    fn tool_use(&mut self, name: &Value, input: &Value, fields: &Fields<'_>, sink: &mut dyn FnMut(Record)) {
        let Some(name) = name.as_str() else { return self.report.skip("unknown-type") };
        let (line, n_redacted) = tool_line(name, input, self.report.cwd.as_deref());
        self.report.redactions += n_redacted;
        sink(Record::Event(ToolEvent { line, at: time_of(fields), offset: self.report.end_offset }));
    }

    fn title(&mut self, rank: usize, fields: &Fields<'_>, key: &str) {
        if let Some(title) = text_of(fields, key).filter(|title| !title.trim().is_empty()) {
            self.titles[rank] = Some(title);
        }
        self.report.skip("title");
    }

    /// A summary stands in front of any file that was opened later; it is this session's only if the
    /// line it ends at is here too.
    fn summary(&mut self, fields: &Fields<'_>) {
        if let (Some(leaf), Some(summary)) = (text_of(fields, "leafUuid"), text_of(fields, "summary")) {
            if self.last_uuid.as_ref() == Some(&leaf) {
                self.titles[2] = Some(summary);
            } else if self.summaries.len() < SUMMARIES_MAX {
                self.summaries.insert(leaf, summary);
            }
        }
        self.report.skip("title");
    }

    fn note_uuid(&mut self, fields: &Fields<'_>) {
        if let Some(uuid) = text_of(fields, "uuid") {
            if let Some(summary) = self.summaries.remove(&uuid) {
                self.titles[2] = Some(summary);
            }
            self.last_uuid = Some(uuid);
        }
    }

    /// Notes where and in which session a line was written; the first line of a range decides.
    fn note_place(&mut self, fields: &Fields<'_>) {
        let report = &mut self.report;
        for (slot, key) in
            [(&mut report.session, "sessionId"), (&mut report.cwd, "cwd"), (&mut report.branch, "gitBranch")]
        {
            if slot.is_none() {
                *slot = text_of(fields, key).filter(|text| !text.is_empty());
            }
        }
    }

    fn finish(self) -> ReadReport {
        let mut report = self.report;
        report.title = self.titles.into_iter().flatten().next();
        let last_part = |cwd: &str| cwd.rsplit(['/', '\\']).find(|part| !part.is_empty()).map(str::to_owned);
        report.project = report.cwd.as_deref().and_then(last_part);
        report
    }
}

#[cfg(test)]
mod tests;

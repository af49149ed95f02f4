//! Claude Code's session files: JSON Lines, one record a line, appended as the session goes.
//!
//! Read from versions 2.0 to 2.1.330. Most of a file is not conversation (request bodies, snapshots,
//! progress), so a line's fields are only located at first and the message is read for the few kinds
//! that can hold one. A person's message is told from injected ones by the record's flags and origin
//! and, for files that have none, by how it starts. Sub-agents' lines count but give no records; their own files
//! are read by [`subagent`].

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use serde_json::Value;

use decided::Foreign;
use origin::{is_summary, why_not_human};

use crate::outside;

use super::asked;
use super::clean::inside;
use super::fields::{Fields, blocks_of, content_of, has_block, is_kind, is_set, text_of, texts_of, time_of, value_of};
use super::jsonl::read_objects;
use super::reading::Reading;
use super::{ReadReport, Record, Role, TranscriptReader};

mod decided;
mod origin;
pub(super) mod subagent;

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

/// The files of all sessions in a project's folder or below it, sub-agents' included.
fn project_files(machine: &Machine, project: &Path) -> Vec<PathBuf> {
    // A folder is named after the working folder, every other character than letters and digits a dash;
    // sessions of folders below the project have longer names.
    let name = |ch: char| if ch.is_ascii_alphanumeric() { ch } else { '-' };
    let name: String = project.to_string_lossy().chars().map(name).take(FOLDER_CHARS_MAX).collect();
    let folders = outside::children(&machine.folder("CLAUDE_CONFIG_DIR", ".claude").join("projects"));
    let is_ours =
        |folder: &PathBuf| folder.file_name().is_some_and(|folder| folder.to_string_lossy().starts_with(&name));
    let folders = folders.unwrap_or_default().into_iter().filter(is_ours);
    folders.flat_map(|folder| outside::files_below(&folder, "jsonl")).collect()
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
        let mut files = project_files(machine, project);
        files.retain(|file| !subagent::is_named_so(&file.file_name().unwrap_or_default().to_string_lossy()));
        files
    }

    fn name_of(&self, line: &[u8]) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Named {
            r#type: String,
            uuid: String,
            timestamp: String,
        }
        let named: Named = serde_json::from_slice(line).ok()?;
        matches!(named.r#type.as_str(), "user" | "assistant").then(|| named.uuid + "@" + &named.timestamp)
    }

    fn read(&self, input: &mut dyn BufRead, start_offset: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start_offset, sink);
        let mut session = Session::default();
        read_objects(input, &mut out, &mut |fields, out| session.line(fields, out))?;
        Ok(session.finish(out))
    }
}

/// What one reading remembers from line to line.
#[derive(Default)]
struct Session {
    /// The titles found: a person's, the agent's, and of an older kind of summary.
    titles: [Option<String>; 3],
    /// Summaries by the line they end at.
    summaries: BTreeMap<String, String>,
    last_uuid: Option<String>,
    /// Calls whose results others write.
    foreign: Foreign,
    /// The plan that was told last: it is sent again when a hook stopped it.
    plan: Option<String>,
}

impl Session {
    fn line(&mut self, fields: &Fields<'_>, out: &mut Reading<'_>) {
        note_place(fields, out);
        self.note_uuid(fields);
        if is_set(fields, "isSidechain") {
            return out.skip("sidechain");
        }
        match text_of(fields, "type").unwrap_or_default().as_str() {
            "custom-title" => self.title(0, fields, "customTitle", out),
            "ai-title" => self.title(1, fields, "aiTitle", out),
            "summary" => self.summary(fields, out),
            "user" => self.user(fields, out),
            kind => {
                self.foreign.note(kind, fields);
                record(kind, fields, out);
            }
        }
    }

    /// What stands under the user's role: a plan that is carried out, a tool's result, or what was typed.
    fn user(&mut self, fields: &Fields<'_>, out: &mut Reading<'_>) {
        if let Some(plan) = decided::plan_in(fields) {
            if self.plan.as_ref() == Some(&plan) {
                return out.skip("repeated");
            }
            asked::approved(&plan, time_of(fields), out);
            self.plan = Some(plan);
            return;
        }
        match why_not_human(fields) {
            Some("tool-result") => decided::result(fields, &self.foreign, out),
            _ => user(fields, out),
        }
    }

    fn title(&mut self, rank: usize, fields: &Fields<'_>, key: &str, out: &mut Reading<'_>) {
        if let Some(title) = text_of(fields, key).filter(|title| !title.trim().is_empty()) {
            self.titles[rank] = Some(title);
        }
        out.skip("title");
    }

    /// A summary stands in front of any file that was opened later; it is this session's only if the
    /// line it ends at is here too.
    fn summary(&mut self, fields: &Fields<'_>, out: &mut Reading<'_>) {
        if let (Some(leaf), Some(summary)) = (text_of(fields, "leafUuid"), text_of(fields, "summary")) {
            if self.last_uuid.as_ref() == Some(&leaf) {
                self.titles[2] = Some(summary);
            } else if self.summaries.len() < SUMMARIES_MAX {
                self.summaries.insert(leaf, summary);
            }
        }
        out.skip("title");
    }

    fn note_uuid(&mut self, fields: &Fields<'_>) {
        if let Some(uuid) = text_of(fields, "uuid") {
            if let Some(summary) = self.summaries.remove(&uuid) {
                self.titles[2] = Some(summary);
            }
            self.last_uuid = Some(uuid);
        }
    }

    fn finish(self, out: Reading<'_>) -> ReadReport {
        let mut report = out.finish();
        report.title = self.titles.into_iter().flatten().next();
        report
    }
}

/// A record of the conversation, or one that is counted by its kind.
fn record(kind: &str, fields: &Fields<'_>, out: &mut Reading<'_>) {
    match kind {
        "user" => user(fields, out),
        "assistant" => assistant(fields, out),
        "attachment" => attachment(fields, out),
        "tool_use" => {
            let call = serde_json::json!({ "name": value_of(fields, "name"), "input": value_of(fields, "input") });
            tool_use(&call, false, fields, out);
        }
        "" | "message" => untyped(fields, out),
        kind => skip_kind(kind, out),
    }
}

/// Counts a record that holds no conversation.
fn skip_kind(kind: &str, out: &mut Reading<'_>) {
    let known = KINDS_WITHOUT_TURNS.iter().find(|(name, _)| *name == kind);
    out.skip(known.map_or("unknown-type", |(_, reason)| reason));
}

/// Some writers leave the type out and only give the role.
fn untyped(fields: &Fields<'_>, out: &mut Reading<'_>) {
    let message = value_of(fields, "message");
    let role = message.get("role").and_then(Value::as_str).map(str::to_owned).or_else(|| text_of(fields, "role"));
    match role.as_deref() {
        Some("user" | "human") => user(fields, out),
        Some("assistant") => assistant(fields, out),
        _ => out.skip("unknown-type"),
    }
}

fn user(fields: &Fields<'_>, out: &mut Reading<'_>) {
    if is_summary(fields) {
        return out.summed_up(&texts_of(&content_of(fields)), time_of(fields));
    }
    if let Some(reason) = why_not_human(fields) {
        return out.skip(reason);
    }
    let content = content_of(fields);
    let text = texts_of(&content);
    if has_block(&content, "tool_result") && text.is_empty() {
        return out.skip("tool-result");
    }
    // What was typed behind a command of one's own or a skill; the agent's own commands are written otherwise.
    let words = text.trim_start().starts_with("<command-message>").then(|| inside(&text, "command-args")).flatten();
    out.release();
    out.said(Role::User, &words.unwrap_or(text), time_of(fields));
}

fn assistant(fields: &Fields<'_>, out: &mut Reading<'_>) {
    if is_set(fields, "isApiErrorMessage") || fields.contains_key("apiErrorStatus") {
        return out.skip("api-error");
    }
    if is_set(fields, "isMeta") {
        return out.skip("meta");
    }
    if value_of(fields, "message").get("model").and_then(Value::as_str) == Some("<synthetic>") {
        return out.skip("synthetic");
    }
    let content = content_of(fields);
    let calls: Vec<&Value> = blocks_of(&content).iter().filter(|block| is_kind(block, "tool_use")).collect();
    let text = texts_of(&content);
    if !text.is_empty() {
        // Whoever goes on speaking waits for no result.
        out.release();
        out.said(Role::Assistant, &text, time_of(fields));
    } else if calls.is_empty() {
        let is_thinking = has_block(&content, "thinking") || has_block(&content, "redacted_thinking");
        out.skip(if is_thinking { "thinking" } else { "empty" });
    }
    for call in calls {
        // Words are never held back for what is done with them: nobody may ever read a result.
        tool_use(call, text.is_empty(), fields, out);
    }
}

/// What a person typed while the agent was working stands in an attachment, and nowhere else.
fn attachment(fields: &Fields<'_>, out: &mut Reading<'_>) {
    if !fields.get("attachment").is_some_and(|raw| raw.get().contains("queued_command")) {
        return out.skip("attachment");
    }
    let queued = value_of(fields, "attachment");
    let is_typed = is_kind(&queued, "queued_command")
        && queued["commandMode"].as_str().is_none_or(|mode| mode == "prompt")
        && queued["isMeta"] != Value::Bool(true)
        && queued["origin"]["kind"].as_str().is_none_or(|kind| kind == "human" || kind == "cli");
    if !is_typed {
        return out.skip("attachment");
    }
    out.said(Role::User, &texts_of(&queued["prompt"]), time_of(fields));
}

fn tool_use(call: &Value, waits: bool, fields: &Fields<'_>, out: &mut Reading<'_>) {
    let (input, time) = (&call["input"], time_of(fields));
    match (call["name"].as_str(), call["id"].as_str().filter(|_| waits)) {
        (Some(name), Some(id)) => out.called(id, name, input, time),
        (Some(name), None) => out.did(name, input, time),
        (None, _) => out.skip("unknown-type"),
    }
}

/// Notes where and in which session a line was written; the first line of a range decides.
fn note_place(fields: &Fields<'_>, out: &mut Reading<'_>) {
    out.note_session(text_of(fields, "sessionId").as_deref());
    out.note_cwd(text_of(fields, "cwd").as_deref());
    out.note_branch(text_of(fields, "gitBranch").as_deref());
}

#[cfg(test)]
mod tests;

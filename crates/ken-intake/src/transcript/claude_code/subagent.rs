//! Files of Claude Code's sub-agents: `SESSION/subagents/agent-ID.jsonl`, and beside it a `.meta.json`.
//!
//! The records are those of a session, all marked as a side chain. Nobody typed the prompt: it is the
//! parent's, and so is whatever else stands under the role of the user.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;

use crate::transcript::fields::{Fields, is_set, text_of};
use crate::transcript::jsonl::{any_object, read_objects};
use crate::transcript::reading::Reading;
use crate::transcript::{ReadReport, Record, TranscriptReader};

use super::{ClaudeCode, assistant, project_files, record, skip_kind};

/// Reads the files of Claude Code's sub-agents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClaudeSubagent;

/// Returns whether a file is named like a sub-agent's.
pub(super) fn is_named_so(file_name: &str) -> bool {
    file_name.starts_with("agent-") && file_name.ends_with(".jsonl")
}

impl TranscriptReader for ClaudeSubagent {
    fn agent(&self) -> &'static str {
        "claude-code-subagent"
    }

    fn sniff(&self, file_name: &str, first_bytes: &[u8]) -> bool {
        let is_side = |fields: &Fields<'_>| is_set(fields, "isSidechain") && fields.contains_key("agentId");
        let is_main = |fields: &Fields<'_>| fields.get("isSidechain").is_some_and(|raw| raw.get() == "false");
        ClaudeCode.sniff(file_name, first_bytes)
            && any_object(first_bytes, &mut |fields| is_side(fields))
            && (is_named_so(file_name) || !any_object(first_bytes, &mut |fields| is_main(fields)))
    }

    fn transcripts(&self, machine: &Machine, project: &Path) -> Vec<PathBuf> {
        let mut files = project_files(machine, project);
        files.retain(|file| is_named_so(&file.file_name().unwrap_or_default().to_string_lossy()));
        files
    }

    fn read(&self, input: &mut dyn BufRead, start_offset: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut out = Reading::new(self.agent(), start_offset, sink);
        read_objects(input, &mut out, &mut line)?;
        let mut report = out.finish();
        report.is_subagent = true;
        Ok(report)
    }
}

fn line(fields: &Fields<'_>, out: &mut Reading<'_>) {
    if let Some(agent) = text_of(fields, "agentId") {
        let own = format!("agent-{agent}");
        let session = text_of(fields, "sessionId").filter(|session| *session != own);
        out.note_session(Some(&session.map_or_else(|| own.clone(), |session| format!("{session}/{own}"))));
    }
    out.note_cwd(text_of(fields, "cwd").as_deref());
    out.note_branch(text_of(fields, "gitBranch").as_deref());
    match text_of(fields, "type").unwrap_or_default().as_str() {
        "user" if fields.get("message").is_some_and(|raw| raw.get().contains("\"tool_result\"")) => {
            out.skip("tool-result");
        }
        "user" => out.skip("agent-prompt"),
        "assistant" => assistant(fields, out),
        "attachment" => out.skip("attachment"),
        "tool_use" => record("tool_use", fields, out),
        "" | "message" => out.skip("unknown-type"),
        kind => skip_kind(kind, out),
    }
}

#[cfg(test)]
mod tests;

//! Reading what agents recorded.
//!
//! A [`TranscriptReader`] turns one agent's file into [`Record`]s: what people and agents said, and one
//! line for each tool call. Readers stream in bounded memory, resume from a position, count everything
//! they skip by reason, and never fail on content: only reading itself can fail. What they are given is
//! opened by [`stored`](Transcript): a file, or a session out of a store.
//!
//! They judge nothing and write nothing; [`crate::extract`] decides what is worth a line in the journal.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;
use ken_core::Timestamp;

mod clean;
pub mod copied;
mod lines;
mod tool_line;
mod reading;
mod fields;
mod asked;
mod jsonl;
mod document;
mod claude_code;
mod codex;
mod gemini;
mod copilot;
mod opencode;
mod exported;
mod cline;
mod cursor;
mod pi;
mod qwen;
mod droid;
mod kimi;
mod grok;
mod antigravity;
mod generic;
mod plain;
mod stored;
mod summary;
#[cfg(test)]
mod testing;

pub use asked::APPROVED;
pub use claude_code::ClaudeCode;
pub use stored::{Found, Input, Opened, Transcript, head, open, reader_of, transcripts_at};

use antigravity::Antigravity;
use claude_code::subagent::ClaudeSubagent;
use cline::Cline;
use codex::Codex;
use copilot::Copilot;
use cursor::Cursor;
use droid::Droid;
use exported::Exported;
use gemini::{Gemini, GeminiDocument};
use generic::{GenericDocument, GenericLines};
use grok::Grok;
use kimi::Kimi;
use opencode::OpenCode;
use pi::Pi;
use plain::{Aider, PlainText};
use qwen::Qwen;

/// Every reader, the most specific first.
pub static READERS: &[&dyn TranscriptReader] = &[
    &ClaudeSubagent,
    &Codex,
    &Copilot,
    &Gemini,
    &GeminiDocument,
    &Pi::OPENCLAW,
    &Pi::PI,
    &Qwen,
    &Kimi,
    &Grok,
    &Antigravity,
    &Droid,
    &Cursor,
    &ClaudeCode,
    &Exported::CHATGPT,
    &Exported::CLAUDE,
    &OpenCode,
    &Cline,
    &GenericDocument::HERMES,
    &Aider,
    &GenericDocument::ANY,
    &GenericLines,
    &PlainText,
];

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A person.
    User,
    /// The agent.
    Assistant,
    /// The agent, of what came before: a summary that was made when the session was compacted.
    Summary,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who said it.
    pub role: Role,
    /// What was said, without injected and private parts.
    pub text: String,
    /// When, if the transcript says.
    pub at: Option<Timestamp>,
    /// Where it stands, in the reader's [`Unit`].
    pub offset: u64,
}

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolEvent {
    /// The tool and what it was used on, one line of at most 160 characters, without secrets; behind it
    /// [`FAILED`](ken_core::journal::FAILED) where its result was an error.
    pub line: String,
    /// When, if the transcript says.
    pub at: Option<Timestamp>,
    /// Where it stands, in the reader's [`Unit`].
    pub offset: u64,
}

impl ToolEvent {
    /// Says behind the call that its result was an error.
    fn mark_failed(&mut self) {
        if !self.line.ends_with(ken_core::journal::FAILED) {
            self.line.push_str(ken_core::journal::FAILED);
        }
    }
}

/// What a reader finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// Something that was said.
    Turn(Turn),
    /// Something that was done.
    Event(ToolEvent),
}

impl Record {
    /// Returns when it was said or done, if the transcript says.
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Record::Turn(turn) => turn.at,
            Record::Event(event) => event.at,
        }
    }

    /// Returns where it stands, in the reader's [`Unit`].
    pub fn offset(&self) -> u64 {
        match self {
            Record::Turn(turn) => turn.offset,
            Record::Event(event) => event.offset,
        }
    }
}

/// What is known about a transcript once a range of it has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadReport {
    /// The agent's id of the session.
    pub session: Option<String>,
    /// The agent's name.
    pub agent: &'static str,
    /// The last part of the working folder.
    pub project: Option<String>,
    /// The working folder.
    pub cwd: Option<String>,
    /// The branch that was checked out.
    pub branch: Option<String>,
    /// How many lines were read, skipped ones included.
    pub lines_read: u64,
    /// How many lines or parts gave no record, by reason.
    pub lines_skipped: BTreeMap<&'static str, u64>,
    /// How many secrets were cut out of tool calls.
    pub redactions: usize,
    /// Where reading began, in the reader's [`Unit`].
    pub start_offset: u64,
    /// Where the next reading should begin.
    pub end_offset: u64,
    /// Whether this is an agent that another agent sent: what stands under the user's role was not typed.
    ///
    /// The first lines say it, so a range that starts later does not know.
    pub is_subagent: bool,
    /// The transcript's own title, if it has one.
    pub title: Option<String>,
    /// The session whose transcript a summary in it names.
    pub continues: Option<String>,
}

impl ReadReport {
    /// Returns an empty report of a range that starts at `start_offset`.
    pub(crate) fn starting_at(agent: &'static str, start_offset: u64) -> ReadReport {
        ReadReport { agent, start_offset, end_offset: start_offset, ..ReadReport::default() }
    }

    fn skip(&mut self, reason: &'static str) {
        *self.lines_skipped.entry(reason).or_default() += 1;
    }
}

/// What positions in a transcript count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes from the start of the file: the file only grows.
    Bytes,
    /// Messages from the first one: the file is written anew each time.
    Messages,
}

/// Reads one agent's transcripts.
pub trait TranscriptReader: Sync {
    /// Returns the agent's name, as provenance comments give it.
    fn agent(&self) -> &'static str;

    /// Returns what offsets and ranges of its transcripts count.
    fn unit(&self) -> Unit {
        Unit::Bytes
    }

    /// Returns whether a file of this name that starts with these bytes is this agent's.
    fn sniff(&self, file_name: &str, first_bytes: &[u8]) -> bool;

    /// Returns the agent's transcripts on this machine that may be of sessions in the folder `project` or
    /// below it. Which of them really are, only their content says.
    fn transcripts(&self, machine: &Machine, project: &Path) -> Vec<PathBuf>;

    /// Returns the working folder of a session whose transcript does not name it, from what lies beside it.
    fn cwd_of(&self, _path: &Path) -> Option<String> {
        None
    }

    /// Returns the session's id if the transcript does not give it and the place does; otherwise the file's
    /// name is taken.
    fn session_of(&self, _path: &Path) -> Option<String> {
        None
    }

    /// Returns why a file of this format at this place is not a session of its own, if so.
    fn why_not(&self, _path: &Path) -> Option<&'static str> {
        None
    }

    /// Returns the name of the record in this line if something is said in it and a copy of it in another
    /// transcript has the same name.
    fn name_of(&self, _line: &[u8]) -> Option<String> {
        None
    }

    /// Reads from `input` to its end. In bytes, the caller has moved it to `start_offset`; in messages, it
    /// stands at the start of the file and as many are passed over.
    ///
    /// Records go to `sink` in the order of the file.
    ///
    /// # Errors
    ///
    /// Only when `input` cannot be read; whatever it holds is counted, never refused.
    fn read(&self, input: &mut dyn BufRead, start_offset: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport>;
}

/// Returns the reader for a file of this name that starts with these bytes.
pub(crate) fn reader_for(file_name: &str, first_bytes: &[u8]) -> Option<&'static dyn TranscriptReader> {
    READERS.iter().copied().find(|reader| reader.sniff(file_name, first_bytes))
}

/// Returns the reader of the named agent for a file of this name that starts with these bytes: some
/// agents write, or wrote, more than one format.
pub(crate) fn reader_of_agent(
    agent: &str,
    file_name: &str,
    first_bytes: &[u8],
) -> Option<&'static dyn TranscriptReader> {
    let is_theirs = |name: &str| name.strip_prefix(agent).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let mut theirs = READERS.iter().copied().filter(|reader| is_theirs(reader.agent()));
    theirs.find(|reader| reader.sniff(file_name, first_bytes)).or_else(|| reader_named(agent))
}

/// Returns the reader of the named agent.
pub(crate) fn reader_named(agent: &str) -> Option<&'static dyn TranscriptReader> {
    READERS.iter().copied().find(|reader| reader.agent() == agent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_agent_gets_the_reader_of_what_it_wrote() {
        let unit = |name: &str, bytes: &[u8]| reader_of_agent("gemini-cli", name, bytes).map(TranscriptReader::unit);
        let document = include_bytes!("../../tests/fixtures/transcripts/gemini.json");
        assert_eq!(unit("s.json", document), Some(Unit::Messages));
        let agent = |bytes: &[u8]| reader_of_agent("claude-code", "s.jsonl", bytes).map(TranscriptReader::agent);
        assert_eq!(
            agent(include_bytes!("../../tests/fixtures/transcripts/agent-b4k3.jsonl")),
            Some("claude-code-subagent")
        );
        assert_eq!(agent(include_bytes!("../../tests/fixtures/transcripts/bakery.jsonl")), Some("claude-code"));
        assert_eq!(agent(b"anything"), Some("claude-code"));
        assert!(reader_of_agent("baker", "s.jsonl", b"").is_none());
    }

    #[test]
    fn agents_are_named_in_provenance_as_they_are_asked_for() {
        for reader in READERS {
            let report = reader.read(&mut &b""[..], 0, &mut |_| ()).expect("nothing can be read");
            assert!(reader.agent().starts_with(report.agent), "{}", reader.agent());
        }
    }
}

//! Plain text and Markdown with the speakers' names at the start of lines, and Aider's history.
//!
//! `User:`, `**User:**`, `## User` and the like; the last resort, so it claims a file only if both sides
//! speak in turn and are marked the same way. A turn goes on until the next one begins; a range that
//! starts inside a turn cannot know who speaks and counts those lines.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use ken_agents::Machine;

use crate::outside;

use super::lines::{LineReader, NextLine};
use super::reading::{Reading, in_folder};
use super::{ReadReport, Record, Role, TranscriptReader};

/// Reads texts in which speakers are named.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainText;

/// Reads Aider's `.aider.chat.history.md`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aider;

/// Longest line that is held.
const LINE_BYTES_MAX: usize = 1024 * 1024;

/// Longest turn that is held; what comes after is cut.
const TURN_BYTES_MAX: usize = 4 * 1024 * 1024;

/// What a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark<'a> {
    /// A turn, whose first words may stand on the same line.
    Turn(Role, &'a str),
    /// A line that belongs to no turn.
    Aside,
    /// The turn goes on with this.
    Goes(&'a str),
}

impl TranscriptReader for PlainText {
    fn agent(&self) -> &'static str {
        "text"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        let start = String::from_utf8_lossy(first_bytes);
        if start.contains('\0') || start.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']) {
            return false;
        }
        let marks: Vec<(Role, Style)> =
            outside_code(&start).filter_map(speaker).map(|(role, style, _)| (role, style)).collect();
        let takes_turns = marks.windows(2).all(|pair| pair[0].0 != pair[1].0 && pair[0].1 == pair[1].1);
        marks.len() >= 2 && takes_turns
    }

    fn transcripts(&self, _: &Machine, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn session_of(&self, path: &Path) -> Option<String> {
        in_folder(path)
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut in_code = false;
        read_turns(self.agent(), input, start, sink, &mut |line| {
            in_code ^= line.trim_start().starts_with("```");
            match speaker(line) {
                Some((role, _, rest)) if !in_code => Mark::Turn(role, rest),
                _ => Mark::Goes(line),
            }
        })
    }
}

impl TranscriptReader for Aider {
    fn agent(&self) -> &'static str {
        "aider"
    }

    fn sniff(&self, _: &str, first_bytes: &[u8]) -> bool {
        let start = String::from_utf8_lossy(first_bytes);
        start.lines().any(|line| line.starts_with("# aider chat started at "))
    }

    fn transcripts(&self, _: &Machine, project: &Path) -> Vec<PathBuf> {
        let history = project.join(".aider.chat.history.md");
        if outside::exists(&history) { vec![history] } else { Vec::new() }
    }

    fn cwd_of(&self, path: &Path) -> Option<String> {
        path.file_name().filter(|name| *name == ".aider.chat.history.md")?;
        Some(path.parent()?.to_string_lossy().into_owned())
    }

    fn session_of(&self, path: &Path) -> Option<String> {
        in_folder(path)
    }

    fn read(&self, input: &mut dyn BufRead, start: u64, sink: &mut dyn FnMut(Record)) -> io::Result<ReadReport> {
        let mut is_user = false;
        read_turns(self.agent(), input, start, sink, &mut |line| {
            if line.starts_with("# aider chat started at ") || line.starts_with("> ") {
                return Mark::Aside;
            }
            match (line.strip_prefix("#### "), is_user) {
                (Some(text), true) => Mark::Goes(text),
                (Some(text), false) => {
                    is_user = true;
                    Mark::Turn(Role::User, text)
                }
                (None, true) if !line.trim().is_empty() => {
                    is_user = false;
                    Mark::Turn(Role::Assistant, line)
                }
                _ => Mark::Goes(line),
            }
        })
    }
}

/// A turn that is being read.
struct Open {
    role: Role,
    at: u64,
    text: String,
}

fn read_turns(
    agent: &'static str,
    input: &mut dyn BufRead,
    start: u64,
    sink: &mut dyn FnMut(Record),
    mark: &mut dyn FnMut(&str) -> Mark<'_>,
) -> io::Result<ReadReport> {
    let mut out = Reading::new(agent, start, sink);
    let mut open: Option<Open> = None;
    let mut lines = LineReader::new(input, LINE_BYTES_MAX);
    loop {
        let next = lines.next_line()?;
        if next == NextLine::End {
            break;
        }
        out.report.lines_read += 1;
        let line = String::from_utf8_lossy(&lines.buffer);
        let line = line.trim_start_matches('\u{feff}').trim_end_matches('\r');
        match mark(line) {
            _ if next == NextLine::TooLong => out.skip("too-long"),
            Mark::Turn(role, text) => {
                close(open.take(), &mut out);
                open = Some(Open { role, at: out.report.end_offset, text: format!("{text}\n") });
            }
            Mark::Goes(text) => match &mut open {
                Some(open) if open.text.len() + text.len() < TURN_BYTES_MAX => {
                    open.text.push_str(text);
                    open.text.push('\n');
                }
                Some(_) => out.skip("too-long"),
                None if text.trim().is_empty() => out.skip("empty"),
                None => out.skip("no-speaker"),
            },
            Mark::Aside => out.skip("aside"),
        }
        out.report.end_offset += lines.n_bytes;
    }
    close(open, &mut out);
    Ok(out.finish())
}

/// Says what a turn holds.
fn close(open: Option<Open>, out: &mut Reading<'_>) {
    if let Some(turn) = open {
        out.at = turn.at;
        out.said(turn.role, &turn.text, None);
    }
}

/// How a speaker is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Name,
    Bold,
    Heading,
}

/// Returns who a line says is speaking, how it says so, and what follows on the line.
fn speaker(line: &str) -> Option<(Role, Style, &str)> {
    let line = line.trim_end();
    let heading = line.trim_start_matches('#');
    let (style, name, rest) = if heading.len() < line.len() {
        (Style::Heading, heading.trim().trim_end_matches(':').trim_matches('*'), "")
    } else if let Some(bold) = line.strip_prefix("**") {
        let (name, rest) = bold.split_once("**")?;
        let is_marked = name.ends_with(':') || rest.starts_with(':');
        (Style::Bold, name.trim_end_matches(':'), is_marked.then(|| rest.trim_start_matches(':'))?)
    } else {
        let (name, rest) = line.split_once(':')?;
        (Style::Name, name, rest)
    };
    let role = match name.trim().to_ascii_lowercase().as_str() {
        "user" | "human" | "you" | "me" => Role::User,
        "assistant" | "ai" | "claude" | "chatgpt" | "gpt" | "gemini" | "copilot" | "codex" | "agent" => Role::Assistant,
        _ => return None,
    };
    Some((role, style, rest.trim_start()))
}

/// The lines that do not stand in a block of code.
fn outside_code(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::reader_for;
    use crate::transcript::testing::{any_bytes, check, check_all, read};
    use expect_test::expect;

    const CHAT: &[u8] = include_bytes!("../../tests/fixtures/transcripts/chat.md");
    const AIDER: &[u8] = include_bytes!("../../tests/fixtures/transcripts/aider.chat.history.md");

    #[test]
    fn named_speakers_are_read() {
        check_all(
            &PlainText,
            CHAT,
            &expect![[r#"
            - | - | - | -
            User: Which tart sells best?
            Assistant: Apple. We decided to list it first because everybody asks.

            ```
            User: not a speaker
            ```
            Assistant: It is first now.
            empty 1, injected 1, no-speaker 1
        "#]],
        );
        check(
            &PlainText,
            "user: bake\nassistant: Yes.\n\nIt is in.\n",
            &["User: bake", "Assistant: Yes.\n\nIt is in."],
        );
        check(&PlainText, "**Human:** bake\n**AI**: Yes", &["User: bake", "Assistant: Yes"]);
        check(&PlainText, "and more\nUser: bake\n", &["User: bake", "no-speaker 1"]);
    }

    #[test]
    fn aider_is_read() {
        check_all(
            &Aider,
            AIDER,
            &expect![[r#"
            - | - | - | -
            User: Add a search box.
             For breads.
            Assistant: The box is in. We decided to search names only because descriptions are long.

            search.ts
            ```ts
            search()
            ```
            Assistant: It says so.
            aside 4, empty 3, injected 1
        "#]],
        );
    }

    #[test]
    fn the_next_reading_starts_with_the_next_turn() {
        let turn = std::str::from_utf8(CHAT).expect("text").find("## User").expect("a second turn");
        let turn = turn + 7 + std::str::from_utf8(&CHAT[turn + 7..]).expect("text").find("## User").expect("a third");
        let (mut records, first) = read(&PlainText, &CHAT[..turn], 0);
        records.extend(read(&PlainText, CHAT, first.end_offset).0);
        assert_eq!(records, read(&PlainText, CHAT, 0).0);
    }

    #[test]
    fn ordinary_documents_are_not_claimed() {
        let is_claimed = |text: &str| PlainText.sniff("notes.md", text.as_bytes());
        assert!(is_claimed("User: a\nAssistant: b\n") && is_claimed("# Chat\n\n## User\na\n## Assistant\nb\n"));
        assert!(!is_claimed("User: the person at the till\nAdmin: the baker\n"));
        assert!(!is_claimed("## User\n\nAbout users.\n\n## Assistant\n\nAbout them.\n\nUser: x\n"));
        assert!(!is_claimed("Assistant: wanted\nAssistant: found\n") && !is_claimed("# Recipes\n\nBake.\n"));
        assert!(!is_claimed("```\nUser: a\nAssistant: b\n```\n"));
        assert_eq!(reader_for("chat.md", CHAT).map(TranscriptReader::agent), Some("text"));
        assert_eq!(reader_for(".aider.chat.history.md", AIDER).map(TranscriptReader::agent), Some("aider"));
    }

    #[test]
    fn any_bytes_are_read() {
        any_bytes(&PlainText, CHAT);
        any_bytes(&Aider, AIDER);
    }
}

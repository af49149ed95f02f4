//! The talk: what was said in a session, in one Markdown file a session.
//!
//! The journal keeps what matters of a session; its talk keeps the words: what people and agents said, and one
//! line for each tool call. The file only grows, so that its lines can be pointed at for good. [`render_turns`]
//! writes what is appended, [`parse_talk`] reads a file in whatever state it is. Invariants: what was said is
//! data, so no turn can pass for a heading of another one, for a comment, or swallow what follows it.

use std::fmt::Write as _;

use crate::digest::Digest;
use crate::journal::lines;
use crate::journal::{Provenance, one_line};
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::span::Span;
use crate::time::{Date, leading_date};

mod kept;
mod reply;
mod said;

pub use kept::{Held, Keep, Why, is_what_is_left, uncovered, without};
pub use reply::lists_options;
pub(crate) use reply::{asks, awaits_reply};
pub use said::{short, without_middle};

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speaker {
    /// A person.
    User,
    /// An agent.
    Agent,
    /// An agent, of what came before, when its session was compacted.
    Summary,
}

impl Speaker {
    /// Returns the name that stands in the heading of a turn.
    pub fn as_str(self) -> &'static str {
        match self {
            Speaker::User => "User",
            Speaker::Agent => "Agent",
            Speaker::Summary => "Summary",
        }
    }

    /// Returns who speaks under the heading of a turn, given without its marks.
    ///
    /// ```
    /// # use ken_core::talk::Speaker;
    /// assert_eq!(Speaker::of_heading("Agent (2026-04-01 14:30)"), Some(Speaker::Agent));
    /// assert_eq!(Speaker::of_heading("Agents"), None);
    /// ```
    pub fn of_heading(heading: &str) -> Option<Speaker> {
        turn_of(heading).map(|(speaker, _)| speaker)
    }

    /// The level of the heading: what an agent says stands below what it was asked.
    fn level(self) -> usize {
        match self {
            Speaker::User => 2,
            Speaker::Agent | Speaker::Summary => 3,
        }
    }
}

/// A local day with its hour and minute.
pub type At = (Date, (u8, u8));

/// A turn to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTurn {
    /// Who said it.
    pub speaker: Speaker,
    /// When.
    pub at: At,
    /// What was said, as it stands in the file, see [`said`]; empty where something was only done.
    pub said: String,
    /// What was done then, one line each.
    pub events: Vec<String>,
    /// Where it stands in its transcript.
    pub offset: u64,
}

/// A turn as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who said it.
    pub speaker: Speaker,
    /// When.
    pub at: At,
    /// The whole turn, heading included.
    pub span: Span,
    /// What was said.
    pub said: Span,
    /// What was done then.
    pub events: Vec<Span>,
    /// The end of the part of the transcript that it was appended with; 0 where that is not known.
    pub end: u64,
}

/// What was appended at once, for a part of the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The part of the transcript.
    pub range: (u64, u64),
    /// Its lines, from its comment up to the next part.
    pub span: Span,
    /// When its last turn was said; of one whose words are not kept, too.
    pub until: Option<At>,
    /// Whether its words stand there.
    pub is_kept: bool,
}

/// The talk of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Talk {
    /// What the session is called; may be empty.
    pub title: String,
    /// Whose it is.
    pub provenance: Provenance,
    /// Its turns, in order.
    pub turns: Vec<Turn>,
    /// What was appended at once, in order.
    pub parts: Vec<Part>,
}

/// Label of the list of what was done, as in the journal.
const EVENTS: &str = "**Events:**";
/// Heading of a file, before its day.
const SESSION: &str = "# Session ";
/// Length of a day in it.
const DAY_BYTES: usize = 10;
/// Characters of a session's id in a file's name.
const ID_CHARS: usize = 8;

/// Returns how the name of a session's file ends, whatever its day and agent: the start of its id and a digest of it.
///
/// ```
/// # use ken_core::talk::name_ending;
/// assert_eq!(name_ending("6f1c2d3e-8a41-4c1e-9d2f-000000000000"), "6f1c2d3e-f14dbe.md");
/// ```
pub fn name_ending(session: &str) -> String {
    let plain: String = session.chars().filter(char::is_ascii_alphanumeric).take(ID_CHARS).collect();
    let digest = Digest::of(session.as_bytes()).to_string();
    let plain = if plain.is_empty() { "session".to_owned() } else { plain.to_ascii_lowercase() };
    format!("{plain}-{}.md", &digest[..6])
}

/// Returns where the talk of a session stands that begins on a day: `FOLDER/2026-04/01-AGENT-ID.md`.
pub fn place(folder: &VaultPath, day: Date, agent: &str, session: &str) -> VaultPath {
    let agent = Slug::from_text(agent).map_or_else(|| "agent".to_owned(), |slug| slug.to_string());
    let name = format!("{:04}-{:02}/{:02}-{agent}-{}", day.year(), day.month(), day.day(), name_ending(session));
    folder.join(&name).expect("digits, a slug and an id are a file name")
}

/// Returns the day on which the talk of a session begins, as the place of its file says; nothing where a file is no
/// talk.
pub fn day_of(path: &VaultPath, folder: &VaultPath) -> Option<Date> {
    let inside = path.as_str().strip_prefix(folder.as_str())?.strip_prefix('/')?;
    let (month, name) = inside.split_once('/')?;
    let day = name.get(..2).filter(|_| name.as_bytes().get(2) == Some(&b'-'))?;
    (path.extension() == "md" && !name.contains('/')).then(|| leading_date(&format!("{month}-{day}")))?
}

/// Returns the text that the talk of a session starts with.
pub fn preamble(day: Date, title: &str, provenance: &Provenance) -> String {
    let title = one_line(title);
    let colon = if title.is_empty() { "" } else { ": " };
    format!("{SESSION}{day}{colon}{title}\n{}\n", provenance.render().unwrap_or_default())
}

/// Returns what is appended for turns of a part of a transcript, and the first and last line that each of them
/// gets, from 1 for the first appended line.
///
/// It starts with a blank line, so that appending blindly is well formed.
pub fn render_turns(turns: &[NewTurn], part: (u64, u64)) -> (String, Vec<(usize, usize)>) {
    let provenance = Provenance { range: Some(part), ..Provenance::default() };
    let mut out = format!("\n{}\n", provenance.render().unwrap_or_default());
    let mut n_lines = 2;
    let mut places = Vec::with_capacity(turns.len());
    for turn in turns {
        let start = out.len();
        let (date, (hour, minute)) = turn.at;
        let (marks, speaker) = ("#".repeat(turn.speaker.level()), turn.speaker.as_str());
        let _ = writeln!(out, "\n{marks} {speaker} ({date} {hour:02}:{minute:02})");
        if !turn.said.is_empty() {
            let _ = writeln!(out, "\n{}", turn.said);
        }
        if !turn.events.is_empty() {
            let _ = writeln!(out, "\n{EVENTS}");
            turn.events.iter().for_each(|event| {
                let _ = writeln!(out, "- {event}");
            });
        }
        let n_more = out[start..].bytes().filter(|byte| *byte == b'\n').count();
        places.push((n_lines + 2, n_lines + n_more));
        n_lines += n_more;
    }
    (out, places)
}

/// Returns a text that was said as it may stand in the file.
///
/// Its headings go below those of turns, comments are shown, an open code block is closed, and of what is longer
/// than anybody reads the middle is left out, with a mark that says how much.
///
/// ```
/// # use ken_core::talk::said;
/// assert_eq!(said("# Plan\n<!-- x -->\n```\ncode"), "#### Plan\n&lt;!-- x -->\n```\ncode\n```");
/// ```
pub fn said(text: &str) -> String {
    said::said(text)
}

/// Reads the talk of a session.
pub fn parse_talk(text: &str) -> Talk {
    let mut talk = Talk::default();
    let mut end = 0;
    for line in lines::split(text).iter().filter(|line| !line.is_code) {
        let (span, bare) = (line.span, line.span.of(text).trim_end());
        let turn = line.heading.and_then(|heading| Some((heading.level, turn_of(heading.text.of(text))?)));
        if let Some((_, (speaker, at))) = turn.filter(|(level, (speaker, _))| speaker.level() == *level) {
            close(text, &mut talk, span.start);
            let said = Span::new(span.end, span.end);
            if let Some(part) = talk.parts.last_mut() {
                part.until = part.until.max(Some(at));
            }
            talk.turns.push(Turn { speaker, at, span, said, events: Vec::new(), end });
        } else if let Some(found) = Provenance::parse(bare) {
            match found.range {
                Some(range) => {
                    end = range.1;
                    let until = found.until.as_deref().map(kept::parse_time);
                    let is_kept = until.is_none();
                    if let Some(before) = talk.parts.last_mut() {
                        before.span.end = span.start;
                    }
                    let span = Span::new(span.start, text.len());
                    talk.parts.push(Part { range, span, until: until.flatten(), is_kept });
                }
                None if talk.turns.is_empty() => talk.provenance = found,
                None => {}
            }
            close(text, &mut talk, span.start);
        } else if let Some(title) = bare.strip_prefix(SESSION).filter(|_| talk.turns.is_empty()) {
            let rest = title.get(DAY_BYTES..).unwrap_or_default();
            rest.trim_start_matches([':', ' ']).clone_into(&mut talk.title);
        }
    }
    close(text, &mut talk, text.len());
    talk
}

/// Ends the open turn, if one is: what stands from its heading up to `end` is its own.
fn close(text: &str, talk: &mut Talk, end: usize) {
    let Some(turn) = talk.turns.last_mut().filter(|turn| turn.said.start == turn.said.end) else { return };
    let trimmed = |start: usize, end: usize| {
        let piece = &text[start..end];
        let lead = piece.len() - piece.trim_start().len();
        let lead = if lead == piece.len() { 0 } else { lead };
        Span::new(start + lead, start + piece.trim_end().len())
    };
    let body = trimmed(turn.said.start, end.max(turn.said.start));
    turn.span.end = body.end.max(turn.span.end);
    let of_body = body.of(text);
    let label = of_body.rfind(EVENTS).filter(|label| {
        let is_line = *label == 0 || of_body[..*label].ends_with('\n');
        is_line && of_body[label + EVENTS.len()..].trim().lines().all(|line| line.starts_with("- "))
    });
    turn.said = trimmed(body.start, label.map_or(body.end, |label| body.start + label));
    let Some(label) = label else { return };
    let mut at = body.start + label;
    for line in text[at..body.end].split_inclusive('\n') {
        if let Some(event) = line.strip_prefix("- ").map(str::trim_end).filter(|event| !event.is_empty()) {
            turn.events.push(Span::new(at + 2, at + 2 + event.len()));
        }
        at += line.len();
    }
}

/// Who speaks under a heading, and when, if it is that of a turn.
fn turn_of(heading: &str) -> Option<(Speaker, At)> {
    let (name, rest) = heading.split_once(" (")?;
    let speaker =
        [Speaker::User, Speaker::Agent, Speaker::Summary].into_iter().find(|speaker| speaker.as_str() == name)?;
    let at = rest.strip_suffix(')')?;
    let (day, time) = at.split_once(' ')?;
    let (hour, minute) = time.split_once(':')?;
    let time = (hour.parse().ok().filter(|hour| *hour < 24)?, minute.parse().ok().filter(|minute| *minute < 60)?);
    Some((speaker, (leading_date(day)?, time)))
}

#[cfg(test)]
mod tests;

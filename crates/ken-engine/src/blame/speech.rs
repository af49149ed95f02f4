//! Who said what stands in a journal entry, as the entry's own words or the talk of its session tell.

use ken_core::LineIndex;
use ken_core::journal::{Provenance, USER_AGREED, USER_ASKED, USER_SAID};
use ken_core::talk::parse_talk;

/// Words by which a statement is found in the talk: enough to be one place, few enough to survive what was joined.
const WORDS: usize = 12;
/// Fewer words are said by anybody.
const WORDS_MIN: usize = 3;
/// What stands before what a person said or agreed to.
const OF_USER: [&str; 4] = [USER_AGREED, "User answered:", USER_ASKED, USER_SAID];
/// What stands behind what the agent summed up.
const OF_SUMMARY: &str = "(from the agent's summary)";

/// The turns of a session.
pub(super) struct Speech {
    pub(super) provenance: Provenance,
    turns: Vec<Turn>,
}

struct Turn {
    who: &'static str,
    lines: (usize, usize),
    /// The words of each line, with its number.
    said: Vec<(usize, String)>,
    whole: String,
}

impl Speech {
    /// Returns the turns of the text of a talk.
    pub(super) fn of(text: &str) -> Speech {
        let lines = LineIndex::new(text);
        let turn = |turn: ken_core::talk::Turn| {
            let first = lines.line_of(turn.said.start);
            let said = turn.said.of(text);
            let of_line = |(n, line): (usize, &str)| (first + n, plain(line));
            Turn {
                who: turn.speaker.as_str(),
                lines: (lines.line_of(turn.span.start), lines.line_of(turn.span.end.saturating_sub(1))),
                said: said.lines().enumerate().map(of_line).collect(),
                whole: plain(said),
            }
        };
        let talk = parse_talk(text);
        let turns = talk.turns.into_iter().map(turn).collect();
        Speech { provenance: talk.provenance, turns }
    }

    /// Returns whether anything that was said stands on some lines.
    pub(super) fn has(&self, lines: (usize, usize)) -> bool {
        self.turns.iter().any(|turn| turn.lines.0 <= lines.1 && lines.0 <= turn.lines.1)
    }

    /// Returns who speaks on a line, and the line.
    pub(super) fn at(&self, line: usize) -> Option<(&'static str, usize)> {
        let turn = self.turns.iter().find(|turn| turn.lines.0 <= line && line <= turn.lines.1)?;
        Some((turn.who, line))
    }
}

/// Returns who said what stands in a line of the journal, if the line says so.
pub(super) fn said_label(line: &str) -> Option<&'static str> {
    let bare = line.trim_start().trim_start_matches(['-', '*', ' ']);
    match () {
        () if line.trim_end().ends_with(OF_SUMMARY) => Some("Summary"),
        () if OF_USER.iter().any(|label| bare.contains(label)) => Some("User"),
        () => None,
    }
}

/// Returns who said the first of some texts that stands in these lines of a talk, and on which line it begins.
pub(super) fn spoken_in_talk(speech: &Speech, lines: (usize, usize), texts: &[&str]) -> Option<(&'static str, usize)> {
    for text in texts.iter().map(|text| as_said(text)) {
        let text = OF_USER.iter().fold(text.to_owned(), |text, label| text.replace(label, ""));
        let text = plain(text.trim_end().trim_end_matches(OF_SUMMARY));
        let words: Vec<&str> = text.split_whitespace().take(WORDS).collect();
        if words.len() < WORDS_MIN {
            continue;
        }
        let needle = format!(" {} ", words.join(" "));
        let start = format!(" {} ", words[..WORDS_MIN].join(" "));
        let mut inside = speech.turns.iter().filter(|turn| turn.lines.0 <= lines.1 && lines.0 <= turn.lines.1);
        if let Some(turn) = inside.find(|turn| turn.whole.contains(&needle)) {
            let line = turn.said.iter().find(|(_, said)| said.contains(&needle));
            let line = line.or_else(|| turn.said.iter().find(|(_, said)| said.contains(&start)));
            return Some((turn.who, line.map_or(turn.lines.0, |(line, _)| *line)));
        }
    }
    None
}

/// A statement without the label before it, and up to the first date that compiling put there.
fn as_said(text: &str) -> &str {
    let bare = text.trim_start().trim_start_matches("- ");
    let bare = bare.strip_prefix("**").and_then(|rest| rest.split_once(":**")).map_or(bare, |(_, rest)| rest);
    bare.split(" (20").next().unwrap_or(bare)
}

/// The words of a text in small letters, each with a space on both sides.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for ch in text.chars() {
        if ch.is_alphanumeric() {
            out.extend(ch.to_lowercase());
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TALK: &str = "# Session 2026-04-01: Ovens\n<!-- kenning: session=s -->\n\n<!-- kenning: range=0-9 -->\n\n## User (2026-04-01 14:30)\n\nLet us buy the deck oven\nfrom Ghent.\n\n### Agent (2026-04-01 14:31)\n\nDone. We decided to buy the deck oven because it is cheap.\n";

    #[track_caller]
    fn check(text: &str, expected: Option<(&'static str, usize)>) {
        assert_eq!(spoken_in_talk(&Speech::of(TALK), (1, 99), &[text]), expected);
    }

    #[test]
    fn who_said_a_statement_is_found_by_its_words() {
        check("- We decided to buy the **deck oven** because it is cheap.", Some(("Agent", 13)));
        check("User agreed: buy the deck oven from Ghent", Some(("User", 8)));
        check("Let us buy the deck oven today (2026-04-01).", None);
        check("Buy the deck oven (2026-04-01) from Leeds.", Some(("User", 8)));
        check("**Context:** Let us buy the deck oven", Some(("User", 8)));
        check("We decided to sell it.", None);
        check("Done.", None);
    }

    #[test]
    fn a_line_may_say_itself_who_said_it() {
        assert_eq!(said_label("- User agreed: yes"), Some("User"));
        assert_eq!(said_label("- It holds. (from the agent's summary)"), Some("Summary"));
        assert_eq!(said_label("- It holds."), None);
    }
}

//! What was replied to a question or an offer: an answer that repeats one of these says little without it.

use super::Citable;
use crate::span::{LineIndex, Span};
use crate::talk::{Speaker, Talk, Turn, asks, awaits_reply, parse_talk};

/// Returns the lines of the reply to a sentence of a talk, first and last, from 1: the agent's last words where a person asked,
/// and the person's next ones where the agent asked or proposed something in the same turn. `None` where that is not so, or
/// nobody replied.
pub fn reply_to(text: &str, talk: &Talk, sentence: &Citable) -> Option<(usize, usize)> {
    let lines = LineIndex::new(text);
    let within = |span: Span| lines_of(&lines, span);
    let holds = |turn: &Turn| {
        let (first, last) = within(turn.said);
        first <= sentence.lines.0 && sentence.lines.1 <= last
    };
    let at = talk.turns.iter().position(holds)?;
    let behind = &talk.turns[at + 1..];
    let is_said = |turn: &&Turn| !turn.said.of(text).trim().is_empty();
    let reply = match talk.turns[at].speaker {
        Speaker::User if asks(&sentence.text) => {
            behind.iter().take_while(|turn| turn.speaker == Speaker::Agent).filter(is_said).last()
        }
        // Whatever of a turn is told: an answer has room for what was said to it.
        Speaker::Agent if awaits_reply(talk.turns[at].said.of(text), talk.turns[at].said.of(text)) => {
            behind.first().filter(|turn| turn.speaker == Speaker::User).filter(is_said)
        }
        _ => None,
    };
    reply.map(|turn| within(turn.said))
}

/// Returns the lines of what a person began a talk with, first and last, from 1; `None` where an agent speaks first.
pub fn begun(text: &str) -> Option<(usize, usize)> {
    let talk = parse_talk(text);
    let first = talk.turns.first().filter(|turn| turn.speaker == Speaker::User)?;
    Some(lines_of(&LineIndex::new(text), first.said))
}

fn lines_of(lines: &LineIndex, span: Span) -> (usize, usize) {
    (lines.line_of(span.start), lines.line_of(span.end.saturating_sub(1).max(span.start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reply to the sentence that stands on a line.
    fn replied(talk: &str, line: usize) -> Option<String> {
        let text = talk.lines().nth(line - 1).expect("a line");
        let sentence = Citable { text: text.to_owned(), lines: (line, line), ..Citable::default() };
        let (first, last) = reply_to(talk, &parse_talk(talk), &sentence)?;
        Some(talk.lines().skip(first - 1).take(last + 1 - first).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn a_question_has_the_last_words_of_its_answer_and_an_offer_what_is_said_to_it() {
        let talk = "## User (2026-04-02 09:00)\n\nWhat about the door?\n\n### Agent (2026-04-02 09:01)\n\nI look at it.\n\n**Events:**\n- Bash ls\n\n\
                    ### Agent (2026-04-02 09:02)\n\nThe door sticks.\n\nI could oil it or take it off.\n\n## User (2026-04-02 09:03)\n\nOil it, it was dear.\n\nAnd the bell.\n\n\
                    ### Agent (2026-04-02 09:04)\n\nThe door is oiled.\n\n## User (2026-04-02 09:05)\n\nThe till, then.\n";
        assert_eq!(replied(talk, 3).as_deref(), Some("The door sticks.\n\nI could oil it or take it off."));
        assert_eq!(replied(talk, 14).as_deref(), Some("Oil it, it was dear.\n\nAnd the bell."));
        for line in [7, 20, 22, 26, 30] {
            assert_eq!(replied(talk, line), None, "line {line}");
        }
    }
}

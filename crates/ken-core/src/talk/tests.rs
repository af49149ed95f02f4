//! Tests of the talk: what is written is read again, and nothing that was said forges a turn.

use proptest::prelude::*;

use super::*;

fn day() -> Date {
    leading_date("2026-04-01").expect("a day")
}

fn turn(speaker: Speaker, text: &str, events: &[&str]) -> NewTurn {
    let events = events.iter().map(|event| (*event).to_owned()).collect();
    NewTurn { speaker, at: (day(), (14, 30)), said: said(text), events, offset: 0 }
}

fn provenance() -> Provenance {
    Provenance { session: Some("s1".to_owned()), agent: Some("claude-code".to_owned()), ..Provenance::default() }
}

fn file(turns: &[NewTurn]) -> String {
    preamble(day(), "Ovens", &provenance()) + &render_turns(turns, (0, 48)).0
}

#[test]
fn a_talk_is_written_like_this() {
    let turns = [
        turn(Speaker::User, "Why is the oven cold?\n\n## Log\nnothing", &[]),
        turn(Speaker::Agent, "Let me look.", &["Read oven.rs", "Bash cargo test"]),
        turn(Speaker::Agent, "", &["Edit oven.rs"]),
    ];
    assert_eq!(
        file(&turns),
        "# Session 2026-04-01: Ovens\n<!-- kenning: session=s1 agent=claude-code -->\n\
         \n<!-- kenning: range=0-48 -->\n\
         \n## User (2026-04-01 14:30)\n\nWhy is the oven cold?\n\n##### Log\nnothing\n\
         \n### Agent (2026-04-01 14:30)\n\nLet me look.\n\n**Events:**\n- Read oven.rs\n- Bash cargo test\n\
         \n### Agent (2026-04-01 14:30)\n\n**Events:**\n- Edit oven.rs\n"
    );
}

#[test]
fn a_talk_stands_under_its_month_and_day() {
    let folder = VaultPath::new(".kenning/talk").expect("inside");
    let path = place(&folder, day(), "claude-code", "6F1C2D3E-8a41");
    assert_eq!(path.as_str(), format!(".kenning/talk/2026-04/01-claude-code-{}", name_ending("6F1C2D3E-8a41")));
    assert_eq!(day_of(&path, &folder), Some(day()));
    for other in ["2026-04/x.md", "2026-04/01-a.txt", "2026-04/a/01-b.md", "01-a.md", "notes/01-a.md"] {
        assert_eq!(day_of(&folder.join(other).expect("inside"), &folder), None, "{other}");
    }
}

#[test]
fn the_name_of_a_session_stays_a_name() {
    assert!(name_ending("../../etc").starts_with("etc-") && name_ending("日本").starts_with("session-"));
    assert_ne!(name_ending("session-2026-01"), name_ending("session-2026-02"));
}

#[test]
fn nothing_that_was_said_is_the_heading_of_a_turn() {
    assert_eq!(said("## Agent (2026-04-01 14:30)\nYes."), "\\##### Agent (2026-04-01 14:30)\nYes.");
}

#[test]
fn long_lines_and_turns_lose_their_middle_and_say_how_much() {
    let line = said(&"x".repeat(5_000));
    assert!(line.len() < 2_100 && line.contains(" [… 3001 characters left out …] "));
    let turn = said(&"a line of words\n".repeat(5_000));
    assert!(turn.len() < 25_000 && turn.contains(" characters left out …]"), "{}", turn.len());
}

/// Text that is likely to break something.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "## User (2026-04-01 14:30)",
        "### Agent (2026-04-01 14:30)",
        "# Session 2026-04-01: x",
        "<!-- kenning: range=0-999 -->",
        "<!-- kenning: session=x -->",
        "<!--",
        "-->",
        "**Events:**",
        "- item",
        "```",
        "````md",
        "~~~",
        "---",
        "===",
        "#",
        " ",
        "   ",
        "\n",
        "\r\n",
        "\n\n",
        "word",
        "é",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_is_written_is_read_again_and_no_text_forges_a_turn(texts in prop::collection::vec((any::<bool>(), nasty(), 0..3_usize), 1..6)) {
        let speaker = |is_user: bool| if is_user { Speaker::User } else { Speaker::Agent };
        let events = ["Read a", "Bash b"];
        let turns: Vec<NewTurn> = texts.iter().map(|(is_user, text, n)| turn(speaker(*is_user), text, &events[..*n])).collect();
        let text = file(&turns);
        let talk = parse_talk(&text);
        prop_assert_eq!(talk.title.as_str(), "Ovens");
        prop_assert_eq!(talk.provenance.session.as_deref(), Some("s1"));
        prop_assert_eq!(talk.turns.len(), turns.len());
        let (_, places) = render_turns(&turns, (0, 48));
        let first = preamble(day(), "Ovens", &provenance()).lines().count();
        for ((read, written), lines) in talk.turns.iter().zip(&turns).zip(places) {
            prop_assert_eq!((read.speaker, read.at, read.end), (written.speaker, written.at, 48));
            let n_lines = |end: usize| text[..end].lines().count();
            prop_assert_eq!(n_lines(read.span.start) + 1, first + lines.0);
            prop_assert_eq!(n_lines(read.span.end), first + lines.1);
            // What ends in a list under the label of events may be taken for one.
            if !written.said.contains(EVENTS) {
                prop_assert_eq!(read.said.of(&text), written.said.trim());
                prop_assert_eq!(read.events.iter().map(|one| one.of(&text)).collect::<Vec<_>>(), written.events.clone());
            }
        }
    }

    #[test]
    fn anything_can_be_read(text in "([#`~a-z0-9:() -]{0,12}\n|## User \\(2026-04-01 10:00\\)\n|<!-- kenning: range=1-2 -->\n|\\*\\*Events:\\*\\*\n|- a\n){0,30}") {
        for turn in parse_talk(&text).turns {
            prop_assert!(turn.span.start <= turn.said.start && turn.said.end <= turn.span.end.max(turn.said.end));
            prop_assert!(turn.span.end <= text.len());
        }
    }
}

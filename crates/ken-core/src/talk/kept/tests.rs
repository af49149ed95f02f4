//! Tests of what is kept of talk.

use proptest::prelude::*;

use super::super::{NewTurn, Speaker, parse_talk, preamble, render_turns, said};
use super::*;

fn day(text: &str) -> Date {
    leading_date(text).expect("a day")
}

fn turn(text: &str, minute: u8) -> NewTurn {
    let at = (day("2026-04-01"), (14, minute));
    NewTurn { speaker: Speaker::User, at, said: said(text), events: Vec::new(), offset: 0 }
}

/// A talk of parts, each with the part of the transcript and what was said.
fn file(parts: &[((u64, u64), &str)]) -> String {
    let of = Provenance { session: Some("s1".to_owned()), ..Provenance::default() };
    let part = |(nth, (range, text)): (usize, &((u64, u64), &str))| render_turns(&[turn(text, nth as u8)], *range).0;
    preamble(day("2026-04-01"), "Ovens", &of) + &parts.iter().enumerate().map(part).collect::<String>()
}

const LONG: &str = "The oven is cold since Tuesday, and the smith, who can weld, comes on Friday to look at the door.";

fn everything(text: &str) -> Vec<(usize, Vec<String>)> {
    (0..parse_talk(text).parts.len()).map(|nth| (nth, vec!["daily/2026-04-01.md#L3-L9".to_owned()])).collect()
}

#[test]
fn what_is_left_says_where_it_stands_and_keeps_every_line_s_number() {
    let long = format!("{LONG} {LONG} {LONG}");
    let text = file(&[((0, 40), &long), ((40, 90), "And the flour?")]);
    let left = without(&text, &parse_talk(&text), &everything(&text)[..1], day("2026-06-01"));
    assert_eq!(
        left,
        "# Session 2026-04-01: Ovens\n<!-- kenning: session=s1 -->\n\n\
         <!-- kenning: range=0-40 until=2026-04-01T14:00 -->\n\
         *What was said here is not kept since 2026-06-01; what of it counted stands in daily/2026-04-01.md#L3-L9.*\n\
         \n\n\n\n\
         <!-- kenning: range=40-90 -->\n\n## User (2026-04-01 14:01)\n\nAnd the flour?\n"
    );
    let talk = parse_talk(&left);
    assert_eq!((talk.turns.len(), talk.parts[0].is_kept, talk.parts[1].is_kept), (1, false, true));
    assert_eq!(talk.parts[0].until, Some((day("2026-04-01"), (14, 0))));
    assert!(is_what_is_left(text.as_bytes(), left.as_bytes()) && !is_what_is_left(left.as_bytes(), text.as_bytes()));
    // A part that is shorter than what would be left of it stays.
    assert_eq!(without(&left, &talk, &everything(&left), day("2026-06-02")), left);
}

#[test]
fn what_else_is_changed_is_not_what_is_left() {
    let text = file(&[((0, 40), LONG)]);
    for other in [text.replace("cold", "warm"), format!("{text}more\n"), text.replacen('\n', "", 1), String::new()] {
        assert!(!is_what_is_left(text.as_bytes(), other.as_bytes()), "{other}");
    }
}

#[test]
fn a_part_stands_in_the_journal_when_entries_made_then_or_later_cover_it() {
    let text = file(&[((0, 40), LONG), ((40, 90), LONG), ((90, 95), "Thanks.")]);
    let talk = parse_talk(&text);
    let of = |entries: &[((u64, u64), usize)]| uncovered(&text, &talk, entries);
    assert_eq!(of(&[]), [0, 1, 2]);
    assert_eq!(of(&[((0, 40), 8), ((40, 90), 14)]), [2]);
    // Two entries, one for each day, and one that read more at once.
    assert_eq!(of(&[((0, 20), 8), ((20, 40), 8), ((0, 95), 20)]), Vec::<usize>::new());
    assert_eq!(of(&[((0, 20), 8), ((21, 40), 8)]), [0, 1, 2]);
    // An entry of before says nothing of a transcript that was written anew since.
    assert_eq!(of(&[((0, 95), 8)]), [1, 2]);
}

#[test]
fn bounds_hold_together_and_what_was_said_today_stays() {
    let held = |last: &str, n_bytes| Held { last: day(last), n_bytes };
    let all = [held("2026-06-01", 10), held("2026-05-20", 10), held("2026-06-01", 10), held("2026-01-01", 10)];
    let beyond = |keep: Keep| keep.beyond(&all, day("2026-06-01")).into_iter().map(|(nth, _)| nth).collect::<Vec<_>>();
    let (days, sessions, bytes) = (Some(5), Some(1), Some(35));
    assert_eq!(beyond(Keep::default()), Vec::<usize>::new());
    assert_eq!(beyond(Keep { days, ..Keep::default() }), [1, 3]);
    assert_eq!(beyond(Keep { sessions, ..Keep::default() }), [1, 3]);
    assert_eq!(beyond(Keep { bytes, ..Keep::default() }), [3]);
    assert_eq!(beyond(Keep { days: Some(30), sessions: Some(3), bytes }), [3]);
    assert_eq!(beyond(Keep { days: Some(usize::MAX), ..Keep::default() }), Vec::<usize>::new());
}

proptest! {
    #[test]
    fn whatever_was_said_forges_no_part_and_leaves_no_word(words in "(\\PC|\n|<!-- kenning: range=0-9 until=2026-01-01T00:00 -->|```){0,200}") {
        let long = format!("{words} {LONG}");
        let text = file(&[((0, 40), &long), ((40, 90), LONG)]);
        let talk = parse_talk(&text);
        prop_assert_eq!(talk.parts.len(), 2);
        prop_assert!(talk.parts.iter().all(|part| part.is_kept));
        let left = without(&text, &talk, &everything(&text), day("2026-06-01"));
        prop_assert_eq!(left.matches('\n').count(), text.matches('\n').count());
        prop_assert!(is_what_is_left(text.as_bytes(), left.as_bytes()));
        prop_assert_eq!(parse_talk(&left).parts.iter().filter(|part| part.is_kept).count(), parse_talk(&left).turns.len());
    }
}

//! Tests of extraction: what stands in an entry, and what does not.

use super::*;
use crate::transcript::{ClaudeCode, ToolEvent, TranscriptReader, Turn};
use ken_core::journal::{SectionKind, render_entry};
use proptest::prelude::*;

const BAKERY: &[u8] = include_bytes!("../../tests/fixtures/transcripts/bakery.jsonl");

fn zone() -> TimeZone {
    TimeZone::fixed(jiff::tz::offset(2))
}

fn now() -> Timestamp {
    "2026-04-09T08:00:00Z".parse().expect("a time")
}

fn turn(text: &str, offset: u64) -> Record {
    let role = if text.starts_with("U: ") { Role::User } else { Role::Assistant };
    Record::Turn(Turn { role, text: text[3..].to_owned(), at: None, offset })
}

/// Extracts from turns (`U: …`, `A: …`) and shows the lines of one section.
#[track_caller]
fn check(kind: SectionKind, turns: &[&str], expected: &[&str]) {
    let records: Vec<Record> = turns.iter().zip(0..).map(|(text, offset)| turn(text, offset)).collect();
    let found = extract(&Scrubbed::of(records.to_vec()), &ReadReport::starting_at("test", 0), &zone(), now());
    let lines: Vec<String> = found
        .entries
        .into_iter()
        .flat_map(|(_, entry)| entry.sections)
        .filter(|section| section.0 == kind)
        .flat_map(|section| section.1)
        .collect();
    assert_eq!(lines, expected);
}

#[track_caller]
fn check_title(request: &str, expected: &str) {
    let found = extract(&Scrubbed::of(vec![turn(&format!("U: {request}"), 0)]), &ReadReport::default(), &zone(), now());
    assert_eq!(found.entries[0].1.title, expected);
}

#[test]
fn a_session_becomes_entries_a_person_wants_to_read() {
    let mut records = Vec::new();
    let report = ClaudeCode.read(&mut &BAKERY[..], 0, &mut |record| records.push(record)).expect("bytes can be read");
    let found = extract(&Scrubbed::of(records.to_vec()), &report, &zone(), now());
    let shown: Vec<String> =
        found.entries.iter().map(|(date, entry)| format!("{date}{}", render_entry(entry))).collect();
    let split = found.entries[1].1.provenance.range.expect("a range").0;
    let end = report.end_offset;
    assert_eq!(
        shown.concat(),
        format!(
            "2026-04-01
### Session (14:30) - Pickup time survives going back
<!-- kenning: session=b4k3-01 agent=claude-code project=bakery trust=agent range=0-{split} -->

**Context:** The order form loses the pickup time when a customer goes back a page. Please find out why.

**Key Exchanges:**
- Moved `pickupTime` into the session store in `src/order_form.ts`.
- User asked: Also the shop closes at 18:00, not 19:00

**Decisions Made:**
- We decided to keep opening hours in `config/hours.toml` instead of the page itself.

**Lessons Learned:**
- The root cause was that `pickupTime` lived in component state, which the router throws away on every page change.

**Action Items:**
- [ ] Clear the store after checkout

**Events:**
- Read src/order_form.ts
- Edit src/order_form.ts
- Bash npm test -- order_form
- Bash git commit -m 'Fix pickup time'
2026-04-02
### Session (01:10) - Pickup time survives going back
<!-- kenning: session=b4k3-01 agent=claude-code project=bakery trust=agent range={split}-{end} -->

**Context:** My card is but let's use Stripe test mode from now on

**Decisions Made:**
- My card is but let's use Stripe test mode from now on

**Lessons Learned:**
- Checkout now runs against Stripe test mode, because live keys must never reach the staging server.
"
        )
    );
}

#[test]
fn titles_say_what_it_is_about() {
    check_title("Hello! Can you please add opening hours to the footer?", "Add opening hours to the footer");
    check_title("please update the rye recipe in all of the right places", "Update the rye recipe");
    check_title("Implement the following plan:\n\n# Plan: sourdough page\n\nText.", "Plan: sourdough page");
    check_title("the oven page is slow, look into it", "The oven page is slow");
    check_title("ciao", "Ciao");
}

#[test]
fn narration_is_left_out() {
    check(
        SectionKind::KeyExchanges,
        &[
            "U: speed up the menu page",
            "A: Perfect! Let me check the numbers. I'll start with `menu.ts`.\n\nThe `menu.ts` loader fetched every \
             photo twice, so it now keeps a cache. All tests pass. Would you like me to commit it?",
        ],
        &["The `menu.ts` loader fetched every photo twice, so it now keeps a cache."],
    );
}

#[test]
fn only_the_last_words_of_an_answer_are_its_conclusion() {
    check(
        SectionKind::KeyExchanges,
        &[
            "U: fix the cart total",
            "A: I think `cart.ts` caused it.",
            "A: Fixed the rounding in `cart_total`.",
            "U: ok",
        ],
        &["Fixed the rounding in `cart_total`."],
    );
}

#[test]
fn decisions_are_settled_not_proposed() {
    check(
        SectionKind::DecisionsMade,
        &[
            "U: which database? I prefer something small",
            "A: You could use Postgres instead of SQLite. I suggest going with SQLite. It created 4 files instead of 1.",
            "U: let's go with SQLite. Abbiamo deciso di tenere i prezzi in centesimi.",
            "A: Switched from Postgres to SQLite in `db.ts`. The corrected total is shown.",
        ],
        &[
            "let's go with SQLite.",
            "Abbiamo deciso di tenere i prezzi in centesimi.",
            "Switched from Postgres to SQLite in `db.ts`.",
        ],
    );
}

#[test]
fn lessons_explain() {
    check(
        SectionKind::LessonsLearned,
        &[
            "U: why does it fail",
            "A: It turns out the timer runs in UTC. The page is blue.\n\n## Root cause\nOvens report local time.",
        ],
        &["It turns out the timer runs in UTC.", "Ovens report local time."],
    );
}

#[test]
fn open_boxes_and_next_steps_are_action_items() {
    check(
        SectionKind::ActionItems,
        &[
            "U: wrap up for today",
            "A: - [ ] call the mill\n- [x] paid the rent\n\n**Next steps:**\n1. Order rye\n\nThe sign still needs to be painted.",
        ],
        &["call the mill", "Order rye", "The sign still needs to be painted."],
    );
}

#[test]
fn code_and_tables_are_no_prose() {
    check(
        SectionKind::KeyExchanges,
        &[
            "U: show me the prices",
            "A: ```\nlet x = \"because `a` was fixed\";\n```\n| Bread | Price |\n|---|---|\n| Rye | 4 |\n",
        ],
        &[],
    );
}

#[test]
fn nothing_is_left_out_however_much_was_said() {
    let mut turns = Vec::new();
    for nth in 0..50 {
        turns.push(format!("U: please bake cake number {nth} today"));
    }
    let turns: Vec<&str> = turns.iter().map(String::as_str).collect();
    let records: Vec<Record> = turns.iter().zip(0..).map(|(text, offset)| turn(text, offset)).collect();
    let found = extract(&Scrubbed::of(records.to_vec()), &ReadReport::default(), &zone(), now());
    let entries = fit(found.entries);
    let exchanges: Vec<usize> =
        entries.iter().map(|(_, entry)| entry.sections.last().map_or(0, |last| last.1.len())).collect();
    assert_eq!(exchanges, [40, 9]);
}

#[test]
fn repeated_events_are_merged_and_bookkeeping_is_dropped() {
    let event = |line: &str| Record::Event(ToolEvent { line: line.to_owned(), at: None, offset: 9 });
    let mut records = vec![turn("U: bake some bread", 0), event("Edit a"), event("TodoWrite"), event("Edit a")];
    records.extend((0..70).map(|nth| event(&format!("Bash {nth}"))));
    let found = fit(extract(&Scrubbed::of(records.to_vec()), &ReadReport::default(), &zone(), now()).entries);
    let events: Vec<&String> = found.iter().flat_map(|(_, entry)| &entry.sections.last().expect("events").1).collect();
    assert_eq!((events[0].as_str(), events.len(), found.len()), ("Edit a (×2)", 71, 2));
}

#[test]
fn secrets_reach_no_section() {
    let key = format!("ghp_{}", "a1B2".repeat(9));
    let records =
        [turn(&format!("U: push with {key} to the mirror"), 0), turn(&format!("A: Added {key} to `.env` now."), 1)];
    let report = ReadReport { title: Some(format!("Push with {key}")), ..ReadReport::default() };
    let found = extract(&Scrubbed::of(records.to_vec()), &report, &zone(), now());
    assert!(!format!("{found:?}").contains("ghp_"));
    assert_eq!(found.redactions, 3);
}

#[test]
fn nothing_said_gives_no_entry() {
    let event = Record::Event(ToolEvent { line: "Bash ls".to_owned(), at: None, offset: 0 });
    assert_eq!(extract(&Scrubbed::of(vec![event]), &ReadReport::default(), &zone(), now()).entries, []);
    check(SectionKind::Context, &["U: hello"], &["hello"]);
}

/// Turns at odd times, some saying nothing.
fn records() -> impl Strategy<Value = Vec<Record>> {
    let text = prop_oneof![
        prop::sample::select(vec![
            "ok",
            "Fixed `a.rs` because it was slow.",
            "Let me see.",
            "```",
            "**",
            "1. ",
            "# h",
            "| a |"
        ])
        .prop_map(str::to_owned),
        "(?s).{0,60}",
    ];
    let one = (any::<bool>(), text, prop::option::of(0i64..400_000), any::<bool>());
    prop::collection::vec(one, 0..12).prop_map(|all| {
        let record = |(nth, (is_user, text, second, is_event)): (usize, (bool, String, Option<i64>, bool))| {
            let (at, offset) = (second.and_then(|second| Timestamp::from_second(second).ok()), nth as u64 * 10);
            let role = if is_user { Role::User } else { Role::Assistant };
            if is_event {
                Record::Event(ToolEvent { line: text, at, offset })
            } else {
                Record::Turn(Turn { role, text, at, offset })
            }
        };
        all.into_iter().enumerate().map(record).collect()
    })
}

proptest! {
    #[test]
    fn ranges_join_without_gaps_and_days_go_forward(records in records()) {
        let report = ReadReport { start_offset: 0, end_offset: records.len() as u64 * 10, ..ReadReport::default() };
        let found = extract(&Scrubbed::of(records.to_vec()), &report, &zone(), now());
        let ranges: Vec<(u64, u64)> = found.entries.iter().filter_map(|(_, entry)| entry.provenance.range).collect();
        if let (Some(first), Some(last)) = (ranges.first(), ranges.last()) {
            prop_assert_eq!((first.0, last.1), (report.start_offset, report.end_offset));
        }
        prop_assert!(ranges.windows(2).all(|pair| pair[0].1 == pair[1].0 && pair[0].0 < pair[0].1));
        prop_assert!(found.entries.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}

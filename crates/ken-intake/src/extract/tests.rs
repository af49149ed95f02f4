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
    let role = match &text[..3] {
        "U: " => Role::User,
        "S: " => Role::Summary,
        _ => Role::Assistant,
    };
    Record::Turn(Turn { role, text: text[3..].to_owned(), at: None, offset })
}

/// Extracts from turns (`U: …`, `A: …`, of summaries `S: …`) and shows the lines of one section.
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

/// Extracts from turns of a session in which a tool ran, and shows what was decided.
#[track_caller]
fn check_rulings(turns: &[&str], expected: &[&str]) {
    check_work(SectionKind::DecisionsMade, turns, expected);
}

/// The same with the lines of any section.
#[track_caller]
fn check_work(kind: SectionKind, turns: &[&str], expected: &[&str]) {
    let mut records: Vec<Record> = turns.iter().zip(0..).map(|(text, offset)| turn(text, offset)).collect();
    records.push(Record::Event(ToolEvent { line: "Bash make".to_owned(), at: None, offset: 99 }));
    let found = extract(&Scrubbed::of(records), &ReadReport::starting_at("test", 0), &zone(), now());
    let sections = found.entries.into_iter().flat_map(|(_, entry)| entry.sections);
    let lines: Vec<String> = sections.filter(|section| section.0 == kind).flat_map(|section| section.1).collect();
    assert_eq!(lines, expected);
}

#[test]
fn files_that_were_changed_stand_between_what_was_said_before_and_since() {
    let event = |line: &str| Record::Event(ToolEvent { line: line.to_owned(), at: None, offset: 9 });
    let before = "A: `bake()` opens the upper door twice, since the bell rings before the queue is read.";
    let since = "A: `bake()` now opens the upper door once, and the bell rings behind the queue of the hall.";
    let lines = |records: Vec<Record>| {
        let found = extract(&Scrubbed::of(records), &ReadReport::starting_at("test", 0), &zone(), now());
        let sections = found.entries.into_iter().flat_map(|(_, entry)| entry.sections);
        let told = sections.filter(|section| section.0 == SectionKind::KeyExchanges).flat_map(|section| section.1);
        told.collect::<Vec<_>>()
    };
    let asked = turn("U: The doors of the oven stick when it rains.", 0);
    let files =
        ["Edit a.rs", "Edit b.rs", "Write c.rs", "Edit a.rs", "Edit d.rs", "Edit e.rs", "Read f.rs", "Edit g.md"];
    let changed: Vec<Record> = files.iter().map(|line| event(line)).collect();
    let told = lines([vec![asked.clone(), turn(before, 1)], changed.clone(), vec![turn(since, 2)]].concat());
    assert_eq!(told, [&before[3..], "Changed: `a.rs`, `b.rs`, `c.rs`, `d.rs` and 1 more", &since[3..]]);
    let nothing_since = lines([vec![asked.clone(), turn(before, 1)], changed.clone()].concat());
    assert_eq!(nothing_since.last().map(|line| line.starts_with("Changed:")), Some(true));
    let noted = [vec![asked.clone(), turn(before, 1)], vec![event("Edit g.md")], vec![turn(since, 2)]].concat();
    assert_eq!(lines(noted), [&before[3..], &since[3..]]);
    let nothing_before = lines([vec![asked], changed, vec![turn(since, 2)]].concat());
    assert_eq!(nothing_before, [&since[3..]]);
}

#[test]
fn who_answers_an_agent_rules_what_it_does_and_the_reasons_stand_beside_it() {
    let offer = "A: The tray can wait 30 or 60 seconds.";
    for (reply, expected) in [
        (
            "Make that 90. People wait for weeks, a month is too short. Can you change the bell too?",
            &["Make that 90. People wait for weeks, a month is too short."][..],
        ),
        (
            "no, 45. the bell rings at 30 and half the trays are cold",
            &["45. the bell rings at 30 and half the trays are cold"],
        ),
        (
            "the mill. they only take rye. so leave it, not worth a talk",
            &["the mill. they only take rye. so leave it, not worth a talk"],
        ),
        (
            "bundle it. rye that jumps is worse than a bigger oven",
            &["bundle it. rye that jumps is worse than a bigger oven"],
        ),
        (
            "STOP. am Ofen wird nie etwas geändert, solange die Mühle läuft",
            &["am Ofen wird nie etwas geändert, solange die Mühle läuft"],
        ),
        (
            "no magic. the lamp was wrong once and nobody knew why",
            &["no magic. the lamp was wrong once and nobody knew why"],
        ),
        ("So: one tray of rye for each of the ovens, no bell.", &["one tray of rye for each of the ovens, no bell."]),
        (
            "not today. the mill turns until nine and nobody is there",
            &["not today. the mill turns until nine and nobody is there"],
        ),
        ("4. Above that the loaves burn at the edge", &["4. Above that the loaves burn at the edge"]),
        ("bell: leave it, ada wants to hear it first", &["bell: leave it, ada wants to hear it first"]),
        ("asked ada: 15. the mill takes no more than that", &["asked ada: 15. the mill takes no more than that"]),
        ("the wall is wet so no paint, it would peel off", &["the wall is wet so no paint, it would peel off"]),
        (
            "die Türen darfst du nicht anfassen, der Müller will das so",
            &["die Türen darfst du nicht anfassen, der Müller will das so"],
        ),
        (
            "surtout pas ce soir, le four est chaud jusqu'à neuf heures",
            &["surtout pas ce soir, le four est chaud jusqu'à neuf heures"],
        ),
        ("other question: 2019. the mill was wet in that year", &[]),
        ("No worries. I take the trays out now and report on Friday", &[]),
        ("Ada always says that the trays wait for the bell of the mill", &[]),
        ("since the ovens of the mill should bake the rye already", &[]),
        ("I should have known that the mill was closed on that day", &[]),
        ("only since last week, and only the big oven so far I think", &[]),
        ("des trous dans le pain on en a depuis toujours au moulin", &[]),
        ("great, looks fine to me and to Ada as well", &[]),
        ("no, the trays have been cold since the mill of May", &[]),
        ("where does the rye come from, and who brings it to us?", &[]),
        (
            "keep the old bell, Ada likes its sound. Next: the door sticks when it rains.",
            &["keep the old bell, Ada likes its sound."],
        ),
    ] {
        check_rulings(&["U: The oven of the hall is too hot.", offer, &format!("U: {reply}")], expected);
    }
    // What somebody says in a mere talk is cut as before.
    let talk = ["U: The oven of the hall is too hot.", offer, "U: the flag stays off until May, Ada said so"];
    check(SectionKind::DecisionsMade, &talk, &[]);
}

#[test]
fn of_a_long_ruling_nothing_is_lost() {
    let long = "Make that 90. The baker of the hall looks at the bell when the trays are in, and at nothing else that hangs there. \
                The people at the till wait for weeks before they say a word, and then they say it to the mill. A month is what the \
                mill wanted from the first day on, which was the day of the flood. The old oven of the harbour had a bell of its own \
                that rang at noon and woke everybody.";
    let last = "The landlord wants all of it in writing before the first of May.";
    let turns =
        ["U: The oven of the hall is too hot.", "A: The tray can wait 30 or 60 seconds.", &format!("U: {long} {last}")];
    check_rulings(&turns, &[long, last]);
}

#[test]
fn a_ruling_says_what_the_option_is_that_it_names() {
    let offer = "A: Which one?\n1. Keep both doors and paint them\n2. Take one door out of its frame";
    check_rulings(
        &[
            "U: The doors of the oven stick.",
            offer,
            "U: no, 2. the upper one is where the heat is lost and nobody opens it anyway, so out with it",
        ],
        &[
            "2. the upper one is where the heat is lost and nobody opens it anyway, so out with it (Take one door out of its frame)",
        ],
    );
}

#[test]
fn what_a_reply_comes_to_behind_its_reasons_says_what_the_option_is() {
    let offer = "A: Which one?\n1. Keep both doors and paint them\n2. Take one door out of its frame";
    check_rulings(
        &[
            "U: The doors of the oven stick.",
            offer,
            "U: the frames are as wet as the wall of the mill. so 2, and put the door where the bell hung before",
        ],
        &[
            "the frames are as wet as the wall of the mill. so 2, and put the door where the bell hung before (Take one door out of its frame)",
        ],
    );
}

#[test]
fn who_chooses_an_option_by_its_mark_or_its_place_agrees_on_it_and_the_reasons_stand_beside_it() {
    let doors = "U: the doors of the oven stick";
    let offer = "A: Options: a) paint both doors b) take one out of its frame, c) hang a curtain. What do you say?";
    for (reply, expected) in [
        (
            "c. (a) only hides it. the frame is frozen until the audit, nobody may touch it",
            "User agreed: hang a curtain — a (paint both doors) only hides it. the frame is frozen until the audit, nobody may touch it",
        ),
        ("the second, it rains in anyway", "User agreed: take one out of its frame — the second, it rains in anyway"),
        (
            "ok the first. ada has paint left over from the hall, and it is free",
            "User agreed: paint both doors — ada has paint left over from the hall, and it is free",
        ),
        ("paint both doors", "User agreed: paint both doors"),
    ] {
        check_rulings(&[doors, offer, &format!("U: {reply}")], &[expected]);
    }
}

#[test]
fn what_a_reply_tells_and_what_it_asks_stand_in_its_order() {
    let reply = "U: since when? the mill has been wet since the flood of 2021. so why is the tray dry. pls no paint on it, ever";
    let turns = ["U: the doors of the oven stick", "A: The mill is wet.", reply];
    check_work(
        SectionKind::KeyExchanges,
        &turns,
        &[
            "User asked: since when?",
            "User said: the mill has been wet since the flood of 2021.",
            "User asked: so why is the tray dry.",
        ],
    );
    check_rulings(&turns, &["pls no paint on it, ever"]);
}

#[test]
fn who_wonders_or_has_something_used_rules_nothing() {
    for reply in [
        "I wonder how we should keep the tray of the mill dry",
        "ich frage mich, ob wir die Tür der Mühle nicht besser zu lassen",
        "je me demande si on garde la porte du moulin fermée",
        "mi chiedo se teniamo chiusa la porta del mulino",
        "me pregunto si usamos la puerta del molino",
        "use the door review skill on the mill",
    ] {
        let turns = ["U: the doors of the oven stick", "A: The mill is wet.", &format!("U: {reply}")];
        check_work(SectionKind::KeyExchanges, &turns, &[&format!("User asked: {reply}")]);
        check_rulings(&turns, &[]);
    }
}

#[test]
fn a_ruling_that_takes_up_what_was_said_last_stands_with_that() {
    let told = "A: The mill is dry.\n\nThe bell rang by a fixed clock, I made it a setting: `BELL_MINUTES=30`.";
    let about = "(about: The bell rang by a fixed clock, I made it a setting: `BELL_MINUTES=30`.)";
    for (reply, expected) in [
        ("Make that 90. the bakers come late", &*format!("Make that 90. the bakers come late {about}")),
        ("and please no bell in the night, ever", "and please no bell in the night, ever"),
        ("the bell of the mill stays off in the night, always", "the bell of the mill stays off in the night, always"),
    ] {
        check_rulings(&["U: The doors of the oven stick.", told, &format!("U: {reply}")], &[expected]);
    }
    let font = "A: Three ways:\n\n1. sell it to the mill\n2. keep it\n3. paint it";
    check_rulings(
        &["U: The doors of the oven stick.", font, "U: 1. Sell it to the mill. The oven is old and the mill is dry"],
        &["User agreed: sell it to the mill — The oven is old and the mill is dry"],
    );
    check_rulings(
        &["U: The doors of the oven stick.", font, "U: sell it. paint is worse than 90 crowns, and Ada hates 3."],
        &["User agreed: sell it to the mill — paint is worse than 90 crowns, and Ada hates 3."],
    );
}

#[test]
fn a_reply_that_refuses_stands_with_a_short_question_and_one_may_choose_at_its_end() {
    check_rulings(
        &[
            "U: The doors of the oven stick.",
            "A: The mill is dry, and the list of it is in the hall.\n\nShould I publish?",
            "U: no, first Ada must look at the list of the mill, and nothing goes out before the first of May",
        ],
        &[
            "no, first Ada must look at the list of the mill, and nothing goes out before the first of May (asked: Should I publish?)",
        ],
    );
    let doors = "A: Which one?\n1. Keep both doors and paint them\n2. Take one door out of its frame";
    for (reply, why) in [
        (
            "the hall is too cold for both of them. and so 2, and do it at once",
            "the hall is too cold for both of them. and so 2, and do it at once",
        ),
        (
            "the guild prescribes at least 25. so 2, and do it at once",
            "the guild prescribes at least 25. so 2, and do it at once",
        ),
    ] {
        let expected = format!("User agreed: Take one door out of its frame — {why}");
        check_rulings(&["U: The doors of the oven stick.", doors, &format!("U: {reply}")], &[&expected]);
    }
}

#[test]
fn a_ruling_that_says_nothing_alone_stands_with_what_was_asked() {
    let offer = "A: The upper door leaks.\n\nHow long shall the tray wait for it?";
    check_rulings(
        &["U: The doors of the oven stick.", offer, "U: Make that 45. the bell rings then and half the trays are cold"],
        &[
            "Make that 45. the bell rings then and half the trays are cold (asked: How long shall the tray wait for it?)",
        ],
    );
    check_rulings(
        &["U: The doors of the oven stick.", offer, "U: the tray must wait for the bell of the hall, always"],
        &["the tray must wait for the bell of the hall, always"],
    );
    check_rulings(
        &[
            "U: The doors of the oven stick.",
            offer,
            "U: 0 gaps, great. leave the tray in until friday, ada wants to see it",
        ],
        &["0 gaps, great. leave the tray in until friday, ada wants to see it"],
    );
    let doors = "U: The doors of the oven stick when it rains.";
    let denied = [doors, "A: The mill is wet.", "U: no. Mills have been dry since the spring of last year"];
    check_work(
        SectionKind::KeyExchanges,
        &denied,
        &["User said: no, Mills have been dry since the spring of last year"],
    );
}

#[test]
fn what_an_agent_summed_up_is_marked_and_gives_way_to_what_is_said() {
    let summary = "S: ## Errors and fixes\n- Crumbs stopped the switch of the door\n- The mill sent spelt\n## Next Steps\n- Order rye from the mill\n";
    let lessons = SectionKind::LessonsLearned;
    check(
        lessons,
        &[summary],
        &[
            "Crumbs stopped the switch of the door (from the agent's summary)",
            "The mill sent spelt (from the agent's summary)",
        ],
    );
    check(SectionKind::ActionItems, &[summary], &["Order rye from the mill (from the agent's summary)"]);
    check(
        lessons,
        &[summary, "U: Why does the door stay open?", "A: The root cause: crumbs stopped the switch of the door."],
        &["The root cause: crumbs stopped the switch of the door.", "The mill sent spelt (from the agent's summary)"],
    );
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
- User said: Also the shop closes at 18:00, not 19:00

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
    check_title(
        "please update the rye recipe in all of the right places",
        "Update the rye recipe in all of the right places",
    );
    check_title("Implement the following plan:\n\n# Plan: sourdough page\n\nText.", "Plan: sourdough page");
    check_title("can you do some research for me on rye?", "Do some research on rye");
    check_title("generate me a price list", "Generate a price list");
    check_title("Ada here. The oven page is slow.", "The oven page is slow");
    check_title("Fix CI.", "Fix CI");
    check_title("the oven page is slow, look into it", "The oven page is slow");
    check_title(
        "I'm using the agent code (added yesterday by Ann and Ben in the last release) here",
        "I'm using the agent code",
    );
    check_title(
        "see whether \"bake resume\" works with the branch names that the two new mills use",
        "See whether \"bake resume\" works with the branch",
    );
    check_title("ciao", "Ciao");
}

#[test]
fn an_approved_plan_is_settled_and_names_the_session() {
    let plan = "A: # Plan: two ovens on Mondays\n\nThe small oven bakes rye, because the large one dries it out.";
    let approved = format!("U: {}", crate::transcript::APPROVED);
    let turns = ["U: where were we with the ovens", plan, &approved];
    check(SectionKind::DecisionsMade, &turns, &["User approved the plan: two ovens on Mondays"]);
    let records = turns.iter().zip(0..).map(|(text, offset)| turn(text, offset)).collect();
    let found = extract(&Scrubbed::of(records), &ReadReport::default(), &zone(), now());
    assert_eq!(found.entries[0].1.title, "Two ovens on Mondays");
}

#[test]
fn a_branch_names_what_was_only_asked_in_somebodys_own_words() {
    let title = |request: &str, branch: &str| {
        let report = ReadReport { branch: Some(branch.to_owned()), ..ReadReport::default() };
        let records = vec![turn(&format!("U: {request}"), 0), turn("A: The oven door leaks, so rye dries out.", 1)];
        extract(&Scrubbed::of(records), &report, &zone(), now()).entries[0].1.title.clone()
    };
    assert_eq!(title("why does my rye come out dry", "ada/dry-rye-in-the-oven"), "Dry rye in the oven");
    assert_eq!(title("why does my rye come out dry", "ada/opening-hours"), "Why does my rye come out dry");
    assert_eq!(title("why does my rye come out dry", "main"), "Why does my rye come out dry");
    assert_eq!(title("mend the leaking oven door", "ada/dry-rye-in-the-oven"), "Mend the leaking oven door");
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
            "I prefer something small",
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
fn of_what_was_offered_nothing_is_left_to_do_once_one_is_chosen() {
    let offer = "A: The oven is warm.\n\n**Next steps:**\n1. Order rye from the mill\n2. Paint the sign of the hall";
    let start = "U: wrap up the week for the hall of the mill";
    check_work(SectionKind::ActionItems, &[start, offer, "U: 2"], &[]);
    check_work(SectionKind::DecisionsMade, &[start, offer, "U: 2"], &["User agreed: Paint the sign of the hall"]);
    let left = ["Order rye from the mill", "Paint the sign of the hall"];
    check_work(SectionKind::ActionItems, &[start, offer, "U: is it warm enough for rye?"], &left);
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
fn what_points_back_takes_along_what_it_points_at() {
    check(
        SectionKind::KeyExchanges,
        &[
            "U: why do only three ovens run",
            "A: In October three runs of `rack-8` fell together and the fuse blew. Since then the number is limited to 3 of 8.",
        ],
        &[
            "In October three runs of `rack-8` fell together and the fuse blew. Since then the number is limited to 3 of 8.",
        ],
    );
}

#[test]
fn the_rows_of_a_table_name_their_columns() {
    let asked = "U: why do the ovens differ";
    let table = "A: The ovens differ in how they are fired, because the old one has no gas:\n\n| Oven | Heat | Loaves |\n|---|---|---|\n| `deck` | wood | 40 |\n| `rack` | | 120 |\n";
    check(
        SectionKind::LessonsLearned,
        &[asked, table],
        &[
            "The ovens differ in how they are fired, because the old one has no gas: `deck` – Heat: wood, Loaves: 40; `rack` – Loaves: 120",
        ],
    );
    let pairs = "A: The ovens differ in how they are fired, because the old one has no gas:\n\n| Oven | Heat |\n|---|---|\n| `deck` | wood |\n| `rack` | gas |\n";
    check(
        SectionKind::LessonsLearned,
        &[asked, pairs],
        &["The ovens differ in how they are fired, because the old one has no gas: `deck`: wood; `rack`: gas"],
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

/// A session of one request and one answer, and all that its entry says beside the request.
const CLEAN: &[&str] = &[
    "U: The oven timer drifts by a minute a day. Please find out why.",
    "A: Let me look at `timer.rs` first.",
    "A: I found it. The root cause is that `tick()` counts sleeps, and each sleep takes a little longer. Now I'll fix it.",
    "A: All tests pass. Updated the test.\n\n**Decision:** `tick()` reads the monotonic clock.\n\n\
     Lesson: never measure time by counting sleeps.\n\nStill open: the wall display shows the old time until a \
     restart.\n\nWould you like me to commit this?",
];

#[test]
fn one_decision_one_cause_one_lesson_and_one_open_task_give_exactly_those() {
    check(SectionKind::DecisionsMade, CLEAN, &["Decision: `tick()` reads the monotonic clock."]);
    check(
        SectionKind::LessonsLearned,
        CLEAN,
        &[
            "I found it. The root cause is that `tick()` counts sleeps, and each sleep takes a little longer.",
            "Lesson: never measure time by counting sleeps.",
        ],
    );
    check(SectionKind::ActionItems, CLEAN, &["Still open: the wall display shows the old time until a restart."]);
    check(SectionKind::KeyExchanges, CLEAN, &[]);
}

#[test]
fn a_short_reply_is_joined_to_what_it_accepts() {
    let options = "A: Two ways:\n\n1. Keep the `cache` on disk\n2. Drop the `cache`\n\nWhich one?";
    check(SectionKind::DecisionsMade, &["U: it is slow", options, "U: 2"], &["User agreed: Drop the `cache`"]);
    let named = "A: ### Option 1: Keep the `cache` on disk\nSlow.\n### Option 2: Drop the `cache`\nWhat do you think?";
    check(
        SectionKind::DecisionsMade,
        &[
            "U: it is slow",
            named,
            "U: I like option 1, because nobody has to wait for the mills when the network is down, and it is safe",
        ],
        &[
            "I like option 1, because nobody has to wait for the mills when the network is down, and it is safe (Keep the `cache` on disk)",
        ],
    );
    let offer = "A: Both pages could read `hours.toml` once. Want me to make that change?";
    check(
        SectionKind::DecisionsMade,
        &["U: it is slow", offer, "U: yes please"],
        &["User agreed: Both pages could read `hours.toml` once."],
    );
    let question = "A: Should the shop page read `hours.toml` itself?";
    check(
        SectionKind::DecisionsMade,
        &["U: it is slow", question, "U: ok, do nothing"],
        &["User answered: Should the shop page read `hours.toml` itself? — ok, do nothing"],
    );
    // An errand is no decision, and nobody accepted what nobody asked.
    check(SectionKind::DecisionsMade, &["U: bake", "A: Baked. Shall I commit it?", "U: yes"], &[]);
    check(SectionKind::DecisionsMade, &["U: bake", "A: Baked the rye.", "U: yes"], &[]);
}

#[test]
fn what_a_person_copies_of_an_answer_is_not_what_they_say() {
    let answer = "A: Done:\n\n- The `oven` stands in the hall by default\n- The mill sends rye on Mondays and Fridays";
    let refusal = "U: - The oven stands in the hall by default\n\nThis should not be so, only the `--big` flag should move it there";
    let asked = ["U: move the oven", answer, refusal];
    check(
        SectionKind::DecisionsMade,
        &asked,
        &["This should not be so, only the `--big` flag should move it there (The oven stands in the hall by default)"],
    );
    check(SectionKind::KeyExchanges, &asked, &["User asked: move the oven"]);
    // Also one of an earlier answer.
    let later = ["U: move the oven", answer, "U: and the sieve?", "A: It hangs beside the door.", refusal];
    check(
        SectionKind::DecisionsMade,
        &later,
        &["This should not be so, only the `--big` flag should move it there (The oven stands in the hall by default)"],
    );
    // Who copies a line and says nothing of it, or little, means the line.
    let chosen = "U: The mill sends rye on Mondays and Fridays\nyes please";
    check(
        SectionKind::Context,
        &["U: move the oven", answer, chosen],
        &["The mill sends rye on Mondays and Fridays yes please"],
    );
    // What nobody said before is the person's own.
    let own = "U: - The oven stands in the yard by default\n\nThis should not be so, only the `--big` flag should move it there";
    check(
        SectionKind::Context,
        &["U: move the oven", answer, own],
        &["The oven stands in the yard by default; This should not be so, only the `--big` flag should move it there"],
    );
}

#[test]
fn what_a_person_wants_or_puts_right_is_a_decision() {
    check(
        SectionKind::DecisionsMade,
        &[
            "U: look at the ovens",
            "A: The oven page has a TTL.",
            "U: it sounds like we're getting rid of the TTL. How does it work?",
            "A: It counts.",
            "U: let's have a look at the prices, let's check them",
            "A: They are in `prices.toml`.",
            "U: that is not correct, they are in the database",
            "A: Shall I write them down for the second shop, too?",
            "U: not yet, I want to ask Ben",
            "A: Fine.",
            "U: I want to think about the shop with you",
            "A: Gladly.",
            "U: forget what I said about the rye loaf. People grumbled.",
        ],
        &[
            "it sounds like we're getting rid of the TTL.",
            "that is not correct, they are in the database",
            "forget what I said about the rye loaf.",
        ],
    );
}

#[test]
fn what_was_found_counts_wherever_it_stands() {
    check(
        SectionKind::LessonsLearned,
        &[
            "U: fix the oven",
            "A: I see the issue - `bake()` never closes the door. Let me fix it.",
            "A: I think the root cause is the door. Running the tests.",
            "A: Now it closes.",
        ],
        &["I see the issue - `bake()` never closes the door."],
    );
    check(
        SectionKind::LessonsLearned,
        &[
            "U: the oven is cold again",
            "A: Got it.\n\nThe left door sticks when it is wet. Then the lamp goes out and nobody sees it. The hall is fine. Closing it now.",
            "A: Closed.",
            "U: and the other one?",
            "A: Da haben wir es: die rechte Tür klemmt seit Montag. Soll ich sie ölen?",
        ],
        &[
            "Got it. The left door sticks when it is wet. Then the lamp goes out and nobody sees it.",
            "Da haben wir es: die rechte Tür klemmt seit Montag.",
        ],
    );
}

#[test]
fn what_leads_to_a_short_list_keeps_it() {
    check(
        SectionKind::KeyExchanges,
        &[
            "U: what does it reject",
            "A: `check_name` validates names before `bake` sees them:\n```rust\nfn check_name() {}\n```\nThis rejects:\n- \
             empty names\n- names with blanks\n\nHere's what I changed:\n- updated the test",
        ],
        &["`check_name` validates names before `bake` sees them. This rejects: empty names; names with blanks"],
    );
    check(
        SectionKind::LessonsLearned,
        &[
            "U: why",
            "A: A `.env` file alone won't work because:\n\n1. Shells do not load it.\n2. Hooks start before it.",
        ],
        &["A `.env` file alone won't work because: Shells do not load it; Hooks start before it"],
    );
}

#[test]
fn what_was_only_offered_or_ticked_off_is_left_out() {
    let text = "A: ## Options\n\n### Option A: Use `redis`\nIt is fast because it is in memory.\n\n### Option B: Use `sled`\n\
                It needs no server, so `bake` starts at once.\n\n## Test results\n\n| Step | Result |\n|---|---|\n\
                | `bake` | PASS |\n| `cool` | PASS |\n\n## Checklist\n- `bake` works because it was fixed\n\n\
                You could use `sled` instead because it is small. If so, `cool` would be slow.";
    for kind in [SectionKind::KeyExchanges, SectionKind::DecisionsMade, SectionKind::LessonsLearned] {
        check(kind, &["U: which store", text], &[]);
    }
}

#[test]
fn what_is_turned_down_or_ruled_out_later_says_so_and_settles_nothing() {
    check_work(
        SectionKind::KeyExchanges,
        &[
            "U: the hall is damp, find out why",
            "A: My guess is the curtain: it hangs in front of the vent at the upper door and keeps the air in.",
            "U: took it down, still damp",
            "A: Then it isn't the curtain. The vent of the upper door is shut by `vent.rs`, line 40. I'd open the vent for 30 minutes every morning instead of shutting it.",
            "U: 30 is too much, the dough dries. make that 10",
            "A: Done, `vent.rs` opens it for 10 minutes.",
        ],
        &[
            "My guess is the curtain: it hangs in front of the vent at the upper door and keeps the air in. (ruled out)",
            "User asked: took it down, still damp",
            "The vent of the upper door is shut by `vent.rs`, line 40.",
            "I'd open the vent for 30 minutes every morning instead of shutting it. (turned down)",
            "`vent.rs` opens it for 10 minutes.",
        ],
    );
}

#[test]
fn what_an_agent_takes_back_is_ruled_out_where_it_says_the_opposite() {
    check_work(
        SectionKind::KeyExchanges,
        &[
            "U: does the `oven-timer` ring at night",
            "A: The `oven-timer` of the hall doesn't get the hour of the night in `hall.rs`, line 40. The lamp of the hall is on `hall.rs`, line 12.",
            "U: you are not correct, see line 40",
            "A: You're right, my mistake. So the `oven-timer` of the hall *does* get the hour of the night — `hall.rs` is just not reading it.",
        ],
        &[
            "The `oven-timer` of the hall doesn't get the hour of the night in `hall.rs`, line 40. (ruled out)",
            "The lamp of the hall is on `hall.rs`, line 12.",
            "User said: you are not correct, see line 40",
            "my mistake. So the `oven-timer` of the hall *does* get the hour of the night — `hall.rs` is just not reading it.",
        ],
    );
}

#[test]
fn a_later_choice_of_another_option_turns_the_earlier_one_down() {
    let turns = [
        "U: the hall is damp",
        "A: Fixes:\n1. Open the upper vent at night.\n2. Hang a curtain at the lower door.",
        "U: 1, quick and done",
        "A: Opening the vent in `vent.rs`.",
        "U: hold on. in May the rain came in that way. go 2 after all, and a thick one",
    ];
    check_work(
        SectionKind::DecisionsMade,
        &turns,
        &[
            "User agreed: Hang a curtain at the lower door. — in May the rain came in that way. go 2 after all, and a thick one",
        ],
    );
    let line = "User agreed: Open the upper vent at night. — 1, quick and done (turned down)";
    check_work(SectionKind::KeyExchanges, &turns, &["Opening the vent in `vent.rs`.", line]);
}

#[test]
fn who_begins_with_the_number_of_an_option_chooses_it() {
    check_work(
        SectionKind::DecisionsMade,
        &[
            "U: the hall is damp",
            "A: Ways:\n1. Open the upper vent at night.\n2. Hang a curtain at the lower door.",
            "U: 1. no curtains in a bakery, we promised that to the fire brigade and to the insurance",
        ],
        &[
            "1. no curtains in a bakery, we promised that to the fire brigade and to the insurance (Open the upper vent at night.)",
        ],
    );
    let summed = [
        "U: the hall is damp",
        "A: Done:\n1. The vent opens.\n2. The lamp says so.",
        "U: 2. can you add a bell to it?",
    ];
    check_work(SectionKind::DecisionsMade, &summed, &[]);
}

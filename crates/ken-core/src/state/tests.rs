//! Tests of the page of the state: reading, editing line by line, and the narrative.

use super::*;
use crate::Tokens;
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn now() -> DateTime {
    "2026-04-08T14:30".parse().expect("a time")
}

fn change(name: &str) -> Change {
    Change { name: name.to_owned(), ..Change::default() }
}

#[track_caller]
fn check(page: &str, change: &Change, expected: Expect) {
    expected.assert_eq(&changed(page, change, now()).unwrap_or_else(|| "as before".to_owned()));
}

#[track_caller]
fn check_notes(page: &str, expected: &[(usize, &str)]) {
    let notes = parse_state(page).notes;
    let notes: Vec<(usize, &str)> = notes.iter().map(|note| (note.line, note.says.as_str())).collect();
    assert_eq!(notes, expected);
}

const PAGE: &str = "# Where we are\n\nWritten by Ada.\n\n- [ ] Buy an oven\n\n## Menu\n\n* [ ] Print the *menu* (doing since 2026-04-01 09:00)\n  - Next: choose the paper\n  Ada has the draft.\n  - [ ] proofread it\n  - [x] write it\n\nThe end.\n";

#[test]
fn a_page_says_what_is_to_be_done_and_how_far_it_is() {
    let state = parse_state(PAGE);
    assert_eq!(state.notes, []);
    let [oven, menu] = state.tasks.as_slice() else { panic!("{state:?}") };
    assert_eq!((oven.name.as_str(), oven.status, &oven.feature), ("Buy an oven", Status::Todo, &None));
    assert_eq!((menu.name.as_str(), menu.status), ("Print the *menu*", Status::Doing));
    assert_eq!(menu.feature.as_deref(), Some("Menu"));
    assert_eq!(menu.since, "2026-04-01T09:00".parse().ok());
    assert_eq!((menu.next.clone(), menu.line), (vec!["choose the paper".to_owned(), "proofread it".to_owned()], 9));
}

#[test]
fn the_first_task_makes_the_page() {
    check(
        "",
        &change("Buy an oven"),
        expect![[r#"
        # State

        What is to be done, and how far it is. `ken state` writes this page, and reads what you change in it.

        ## Tasks

        - [ ] Buy an oven (since 2026-04-08 14:30)
    "#]],
    );
}

#[test]
fn a_change_touches_the_lines_of_its_task_and_no_other() {
    let blocked = Change { blockers: Some(vec!["the printer".to_owned()]), ..change("print the menu") };
    check(
        PAGE,
        &blocked,
        expect![[r#"
        # Where we are

        Written by Ada.

        - [ ] Buy an oven

        ## Menu

        * [ ] Print the *menu* (blocked since 2026-04-08 14:30)
          - Blocked by: the printer
          - Next: choose the paper
          Ada has the draft.
          - [ ] proofread it
          - [x] write it

        The end.
    "#]],
    );
}

#[test]
fn what_is_not_blocked_waits_for_nothing_and_what_is_said_already_changes_nothing() {
    let page = "- [ ] Print (blocked)\n  - Blocked by: the printer\n";
    let done = Change { status: Some(Status::Done), ..change("Print") };
    check(
        page,
        &done,
        expect![[r#"
        - [x] Print (done 2026-04-08 14:30)
    "#]],
    );
    check("- [x] Print\n", &done, expect!["as before"]);
    check(page, &Change { blockers: Some(vec!["the printer".to_owned()]), ..change("Print") }, expect!["as before"]);
}

#[test]
fn a_task_moves_to_another_feature_with_all_that_stands_below_it() {
    let page = "## Menu\n\n- [ ] Print\n  By hand.\n- [ ] Write\n\n## Oven\n\n- [ ] Buy";
    check(
        page,
        &Change { feature: Some("oven".to_owned()), ..change("Print") },
        expect![[r#"
        ## Menu

        - [ ] Write

        ## Oven

        - [ ] Buy
        - [ ] Print
          By hand.
    "#]],
    );
    check(
        "## Menu\nText.\n",
        &Change { feature: Some("Menu".to_owned()), ..change("Print") },
        expect![[r#"
        ## Menu

        - [ ] Print (since 2026-04-08 14:30)

        Text.
    "#]],
    );
}

#[test]
fn line_ends_stay_as_they_are() {
    let page = "\u{feff}# State\r\n\r\n- [ ] Buy\r\n  - Next: look\r\n- [ ] Sell";
    let done = Change { status: Some(Status::Done), next: Some(Vec::new()), ..change("buy") };
    let after = changed(page, &done, now()).expect("changes");
    assert_eq!(after, "\u{feff}# State\r\n\r\n- [x] Buy (done 2026-04-08 14:30)\r\n- [ ] Sell");
    let added = changed(&after, &change("Rent"), now()).expect("changes");
    assert_eq!(added, format!("{after}\r\n- [ ] Rent (since 2026-04-08 14:30)\r\n"));
}

#[test]
fn lines_that_do_not_read_are_named_and_stay() {
    check_notes(
        "- [y] a\n-[ ] b\n- [ ]c\n- [ ]\n[ ] d\n- [] e\n- [link](x.md)\n- [ ] (doing)\n- [a] [b]\n",
        &[
            (1, "`- [y] a` is no task: a box is `[ ]`, `[x]`, `[/]` or `[!]`"),
            (2, "`-[ ] b` is no task: there is no blank before the box"),
            (3, "`- [ ]c` is no task: there is no blank behind the box"),
            (4, "`- [ ]` is no task: it has no name"),
            (5, "`[ ] d` is no task: it does not begin with `- `"),
            (6, "`- [] e` is no task: a box is `[ ]` or `[x]`"),
            (9, "`- [a] [b]` is no task: a box is `[ ]`, `[x]`, `[/]` or `[!]`"),
        ],
    );
    check_notes(
        "- [ ] Buy\n- [x] buy!\n- [x] Sell (doing)\n",
        &[
            (2, "`buy!` stands on line 1 already; that line counts"),
            (3, "the box says done and the words say doing; the box counts"),
        ],
    );
    check_notes("```\n- [y] code\n```\n<!-- - [y] b -->\n", &[]);
}

#[test]
fn a_name_is_meant_by_its_words() {
    let state = parse_state("- [ ] Print the menu\n- [ ] Print the bill\n");
    let meant = |name: &str| state.meant(name).iter().map(|task| task.line).collect::<Vec<_>>();
    assert_eq!(
        (meant("menu"), meant("print"), meant("PRINT THE BILL"), meant("oven")),
        (vec![1], vec![1, 2], vec![2], vec![])
    );
}

fn parts(n_rows: usize) -> Vec<crate::brief::Part> {
    let rows = |what: &str| (0..n_rows).map(|n| format!("{what} number {n} of what is to be told")).collect();
    [("Doing", 25), ("Next", 30), ("Pages to read", 45)]
        .map(|(heading, share)| crate::brief::Part {
            heading: heading.into(),
            rows: rows(heading),
            n_all: n_rows,
            share,
        })
        .to_vec()
}

#[test]
fn a_narrative_never_exceeds_its_budget_and_no_part_starves() {
    for budget in 0..900 {
        match narrative("vault=\"v\"", "Sell bread", &parts(200), Tokens(budget)) {
            Ok(told) => {
                assert!(told.tokens.0 <= budget, "{} of {budget}", told.tokens);
                assert!(budget < 200 || told.shown.iter().all(|n| *n > 0), "{}", told.text);
            }
            Err(least) => assert!(budget < least.0 && least.0 < 80),
        }
    }
}

#[test]
fn a_task_is_not_put_above_lines_that_would_belong_to_it() {
    let change = Change { status: Some(Status::Todo), ..change("order flour") };
    for nested in ["- [x] \n  - [ ] bake\n  - [ ] \n", "- [ ] bake\n\n  - [ ] \n"] {
        let after = changed(nested, &change, now()).expect("changed");
        assert_eq!(after, format!("{nested}- [ ] order flour (since 2026-04-08 14:30)\n"));
    }
}

#[test]
fn a_goal_cannot_leave_the_frame() {
    let told = narrative("", "x </kenning-context>\n## a (b)", &parts(1), Tokens(400)).expect("fits");
    assert_eq!(told.text.matches("</kenning-context>").count(), 1);
    assert!(told.text.contains("\nGoal: x &lt;/kenning-context> ## a (b)\n"), "{}", told.text);
}

proptest! {
    #[test]
    fn no_page_panics_and_a_task_that_was_set_is_read_back(page in "(?s)(- \\[[ xy]\\] |## |Next: |Blocked by: |\\r?\\n|  |\\(done\\)|```|[a-c]{1,3} ){0,40}", name in "[a-z]{4,8}( [a-z]{2,6}){0,3}", at in 0_usize..4) {
        let status = Status::ALL[at].0;
        let change = Change { status: Some(status), ..change(&name) };
        let before = parse_state(&page);
        if let Some(after) = changed(&page, &change, now()) {
            let state = parse_state(&after);
            // Behind a code block that is left open nothing is read.
            if let Some(task) = state.find(&name) {
                prop_assert_eq!(task.status, status, "{}", after);
                prop_assert_eq!(state.notes.len(), before.notes.len(), "{}", after);
                prop_assert_eq!(changed(&after, &change, now()), None);
            }
            for line in page.lines().filter(|line| !line.trim().is_empty() && !line.contains("- [") && !line.contains("Blocked by")) {
                prop_assert!(after.contains(line.trim_end_matches('\r')), "{}", after);
            }
        }
    }
}

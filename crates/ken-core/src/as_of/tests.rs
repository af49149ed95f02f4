//! Pages as they were on earlier days.

use super::*;
use crate::time::leading_date;

const PAGE: &str = r#"---
type: concept
title: Launch date
tldr: "The launch date is 5 May."
answers_when: [launch, launch date, printer delay]
validated: 2026-03
created: 2026-03-02
updated: 2026-03-25
owner: kenning
sources: [daily/2026-03-02.md, daily/2026-03-09.md, daily/2026-03-20.md, daily/2026-03-25.md]
---
# Launch date

The launch date is 5 May.[^1]

## Lessons

- The printer delay cost two weeks.[^4]

## Details

- Benno signs the contract.[^2][^3]

## Superseded

- ~~The launch date is 28 April~~ until 2026-03-20; now: The launch date is 5 May.[^2][^1]
- ~~The launch date is 14 April~~ until 2026-03-09; now: The launch date is 5 May.[^3][^2][^1]

## Related

- [[printer]]: often named together

[^1]: daily/2026-03-20.md#L3-L3 00000001 "The launch date is 5 May."
[^2]: daily/2026-03-09.md#L3-L3 00000002 "The launch date is 28 April."
[^3]: daily/2026-03-02.md#L3-L3 00000003 "The launch date is 14 April."
[^4]: daily/2026-03-25.md#L3-L3 00000004 "The printer delay cost two weeks."
"#;

fn as_of(text: &str, day: &str) -> Option<String> {
    let path = VaultPath::new("knowledge/launch-date.md").expect("inside");
    page_as_of(&path, text, day.parse().expect("a date"), &|path| leading_date(path.file_name()))
}

/// The lines of a page on a day that say something, footnotes and header aside.
fn body(day: &str) -> Vec<String> {
    let text = as_of(PAGE, day).expect("it was there");
    assert_eq!(text.lines().count(), PAGE.lines().count(), "lines moved");
    let body = parse_page(&VaultPath::new("a.md").expect("inside"), text.clone()).value.body();
    let lines = body.of(&text).lines().filter(|line| !line.is_empty() && !line.starts_with("[^"));
    lines.map(str::to_owned).collect()
}

#[test]
fn what_had_not_been_said_is_not_there_and_what_was_replaced_since_holds() {
    let expected = [
        "# Launch date",
        "## Details",
        "- Benno signs the contract.[^2][^3]",
        "## Details",
        "- The launch date is 28 April.[^2]",
        "- ~~The launch date is 14 April~~ until 2026-03-09; now: The launch date is 28 April.[^3][^2]",
        "## Related",
        "- [[printer]]: often named together",
    ];
    assert_eq!(body("2026-03-15"), expected);
    let first = as_of(PAGE, "2026-03-03").expect("it was there");
    assert!(first.contains("- The launch date is 14 April.[^3]\n") && !first.contains("28 April"), "{first}");
}

#[test]
fn on_the_last_day_and_later_a_page_is_as_it_is() {
    assert_eq!(as_of(PAGE, "2026-03-25").as_deref(), Some(PAGE));
    let before = as_of(PAGE, "2026-03-24").expect("it was there");
    assert!(
        before.contains("~~The launch date is 28 April~~ until 2026-03-20; now: The launch date is 5 May.[^2][^1]")
    );
    assert!(!before.contains("## Lessons") && !before.contains("[^4]"));
}

#[test]
fn a_page_of_which_no_claim_had_been_said_was_not_there() {
    assert_eq!(as_of(PAGE, "2026-03-01"), None);
    let undated = PAGE.replace("created: 2026-03-02\n", "");
    assert_eq!(as_of(&undated, "2026-03-01"), None);
    // What a person wrote, nobody knows since when.
    let of_person = undated.replace("owner: kenning", "owner: human");
    assert!(as_of(&of_person, "2026-03-01").is_some());
}

#[test]
fn the_header_says_only_what_had_been_said() {
    let then = as_of(PAGE, "2026-03-15").expect("it was there");
    let page = parse_page(&VaultPath::new("a.md").expect("inside"), then).value;
    assert_eq!(page.scalar(FieldName::Tldr), None);
    assert_eq!(page.list(FieldName::Triggers), ["launch", "launch date"]);
    assert_eq!(page.list(FieldName::Sources), ["daily/2026-03-02.md", "daily/2026-03-09.md"]);
    assert_eq!(page.scalar(FieldName::Updated).as_deref(), Some("2026-03-09"));
    let later = as_of(PAGE, "2026-03-22").expect("it was there");
    assert!(later.contains("tldr: \"The launch date is 5 May.\""));
}

#[test]
fn a_page_is_no_newer_than_the_day() {
    let text = "---\nupdated: 2026-05-20\nowner: kenning\n---\n# Oven\n\n- It is hot.[^1]\n\n[^1]: daily/2026-05-01.md#L3-L3\n";
    let then = as_of(text, "2026-05-05").expect("it was there");
    assert_eq!(then, text.replace("2026-05-20", "2026-05-01"));
}

#[test]
fn a_claim_that_was_said_again_stood_there_from_its_first_day() {
    let text = "---\nowner: kenning\n---\n# Oven\n\n- The oven is hot.[^1][^2]\n- Ovens are hot and big.[^1][^3]\n\n[^1]: daily/2026-05-11.md#L3-L3 0 \"The oven is hot.\"\n[^2]: daily/2026-05-01.md#L3-L3 0 \"The oven is hot.\"\n[^3]: daily/2026-05-01.md#L4-L4 0 \"The oven is big.\"\n";
    let text = text.replace(" 0 \"", " 00000000 \"");
    let then = as_of(&text, "2026-05-05").expect("it was there");
    assert!(then.contains("- The oven is hot.[^2]\n"), "{then}");
    // What was made of several needs all of them.
    assert!(!then.contains("big and") && !then.contains("Ovens are hot and big"), "{then}");
}

#[test]
fn a_dispute_that_only_one_side_had_begun_was_none() {
    let text = "---\nowner: kenning\n---\n# Oven\n\n## Disputed\n\n- It is hot.[^1]\n- It is cold.[^2]\n\n[^1]: daily/2026-05-11.md#L3-L3\n[^2]: daily/2026-05-01.md#L3-L3\n";
    let then = as_of(text, "2026-05-05").expect("it was there");
    assert!(then.contains("## Details\n\n\n- It is cold.[^2]") && !then.contains("Disputed"), "{then}");
}

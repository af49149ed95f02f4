//! Pages told of a day.

use super::*;
use crate::time::leading_date;

const PAGE: &str = r#"---
type: concept
title: Launch date
tldr: "The launch date is 5 May."
owner: kenning
---
# Launch date

The launch date is 5 May.[^1]

## Details

- The contract is signed.[^4]

## Superseded

- ~~The launch date is 28 April~~ until 2026-03-20; now: The launch date is 5 May.[^2][^1]
- ~~The launch date is 14 April~~ until 2026-03-09; now: The launch date is 5 May.[^3][^2][^1]

[^1]: daily/2026-03-20.md#L3-L3 00000001 "The launch date is 5 May."
[^2]: daily/2026-03-09.md#L3-L3 00000002 "The launch date is 28 April."
[^3]: daily/2026-03-02.md#L3-L3 00000003 "The launch date is 14 April."
[^4]: daily/2026-03-25.md#L3-L3 00000004 "The contract is signed."
"#;

fn on(day: &str) -> String {
    let path = VaultPath::new("knowledge/launch-date.md").expect("inside");
    let text = page_on(&path, PAGE, day.parse().expect("a date"), &|path| leading_date(path.file_name()));
    assert_eq!(text.lines().count(), PAGE.lines().count(), "lines moved");
    text
}

#[test]
fn what_held_on_the_day_is_told_with_what_came_then() {
    let text = on("2026-03-15");
    for line in [
        "tldr: \"The launch date is 28 April (until 2026-03-20; then: The launch date is 5 May).\"",
        "The launch date is 5 May (since 2026-03-20).[^1]",
        "- The launch date is 28 April (until 2026-03-20; then: The launch date is 5 May).[^2]",
        "- ~~The launch date is 14 April~~ until 2026-03-09; then: The launch date is 28 April.[^3][^2][^1]",
        "- The contract is signed (said 2026-03-25).[^4]",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
    assert!(!text.contains("## Superseded"));
}

#[test]
fn the_first_of_three_is_told_with_the_second() {
    let text = on("2026-03-03");
    for line in [
        "- The launch date is 14 April (until 2026-03-09; then: The launch date is 28 April).[^3]",
        "The launch date is 5 May (since 2026-03-20).[^1]",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
}

#[test]
fn of_today_a_page_says_what_it_says() {
    let text = on("2026-03-25");
    assert!(
        text.contains("tldr: \"The launch date is 5 May.\"\n") && text.contains("\nThe launch date is 5 May.[^1]\n")
    );
    assert!(text.contains("## Superseded") && !text.contains("(since") && !text.contains("(said"));
}

#[test]
fn the_cited_lines_are_told_the_same() {
    let path = VaultPath::new("knowledge/launch-date.md").expect("inside");
    let shown: Vec<String> = marks(&parse_page(&path, on("2026-03-15")).value)
        .into_iter()
        .map(|(cited, said, standing, what)| format!("{} {said} {standing:?} {what}", cited.path))
        .collect();
    assert_eq!(
        shown,
        [
            "daily/2026-03-20.md The launch date is 5 May. Later since 2026-03-20",
            "daily/2026-03-09.md The launch date is 28 April. Held until 2026-03-20; then: The launch date is 5 May"
        ]
    );
}

//! What every form of a reference becomes, one line a form, and that nothing else changes.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::layout::{KENNING, Layout};
use crate::snapshot::PageFacts;

fn path(text: &str) -> VaultPath {
    VaultPath::new(text).expect("inside")
}

fn called(place: &str, title: &str) -> Called {
    Called { path: path(place), title: title.to_owned() }
}

const PAGES: &[(&str, &str)] = &[
    ("knowledge/concepts/stone-oven.md", "---\ntitle: Stone oven\naliases: [the hot box]\n---\n# Stone oven\n"),
    ("knowledge/concepts/rye.md", "# Rye\n"),
    ("knowledge/old/Rye bread.md", "# Rye bread\n"),
    ("knowledge/projects/stone-oven.md", "# Another\n"),
];

fn snapshot() -> Snapshot {
    let pages = PAGES.iter().map(|(place, text)| PageFacts::read(&path(place), (*text).to_owned())).collect();
    Snapshot::new(Layout::new(&KENNING, &path("knowledge")), pages, BTreeMap::new())
}

fn renamed() -> Vec<Move> {
    vec![
        Move {
            from: called("knowledge/concepts/stone-oven.md", "Stone oven"),
            to: called("knowledge/projects/deck-oven.md", "Deck oven"),
            part: None,
            heading: Some(("Stone oven".to_owned(), "Deck oven".to_owned())),
        },
        Move {
            from: called("knowledge/old/Rye bread.md", "Rye bread"),
            to: called("knowledge/new/Dark (rye) bread.md", "Dark (rye) bread"),
            part: None,
            heading: None,
        },
    ]
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let (snapshot, moves) = (snapshot(), renamed());
    let rewrite = Rewrite { snapshot: &snapshot, moves: &moves };
    let at = path("knowledge/concepts/rye.md");
    assert_eq!(rewrite.text((&at, &at), text).0, expected);
}

#[test]
fn every_form_of_a_reference_leads_to_the_new_place() {
    for (text, expected) in [
        ("[[stone-oven]]", "[[deck-oven]]"),
        ("[[Stone oven]]", "[[Deck oven]]"),
        ("[[stone oven]]", "[[Deck oven]]"),
        ("[[Stone  Oven!]]", "[[deck-oven]]"),
        ("[[the hot box]]", "[[the hot box]]"),
        ("[[ stone-oven ]]", "[[ deck-oven ]]"),
        ("[[stone-oven.md]]", "[[deck-oven.md]]"),
        ("[[concepts/stone-oven]]", "[[projects/deck-oven]]"),
        ("[[knowledge/concepts/stone-oven]]", "[[knowledge/projects/deck-oven]]"),
        ("[[projects/stone-oven]]", "[[projects/stone-oven]]"),
        ("[[stone-oven|the oven]]", "[[deck-oven|the oven]]"),
        ("[[stone-oven#Heat]]", "[[deck-oven#Heat]]"),
        ("[[stone-oven#Stone oven]]", "[[deck-oven#Deck oven]]"),
        ("[[stone-oven#^b1|x]]", "[[deck-oven#^b1|x]]"),
        ("![[stone-oven]]", "![[deck-oven]]"),
        ("![[stone-oven#Heat]]", "![[deck-oven#Heat]]"),
        ("| [[stone-oven\\|x]] |", "| [[deck-oven\\|x]] |"),
        ("[[team:stone-oven]]", "[[team:stone-oven]]"),
        ("[[rye]] and [[gone]]", "[[rye]] and [[gone]]"),
        ("[[Rye bread]]", "[[Dark (rye) bread]]"),
        ("`[[stone-oven]]`", "`[[stone-oven]]`"),
        ("```\n[[stone-oven]] [a](stone-oven.md)\n```", "```\n[[stone-oven]] [a](stone-oven.md)\n```"),
        ("<!-- [[stone-oven]] -->", "<!-- [[stone-oven]] -->"),
        ("\\[[stone-oven]]", "\\[[stone-oven]]"),
        ("[a](stone-oven.md)", "[a](../projects/deck-oven.md)"),
        ("[a](./stone-oven.md#Heat \"Its heat\")", "[a](../projects/deck-oven.md#Heat \"Its heat\")"),
        ("[a](<stone-oven.md> 'x')", "[a](<../projects/deck-oven.md> 'x')"),
        ("[a](../old/Rye%20bread.md)", "[a](../new/Dark%20%28rye%29%20bread.md)"),
        ("[a](<../old/Rye bread.md>)", "[a](<../new/Dark (rye) bread.md>)"),
        ("[ref]: ../old/Rye%20bread.md \"t\"", "[ref]: ../new/Dark%20%28rye%29%20bread.md \"t\""),
        ("![p](stone-oven.png)", "![p](stone-oven.png)"),
        ("[a](https://x.example/stone-oven.md)", "[a](https://x.example/stone-oven.md)"),
        (
            "x[^1]\n\n[^1]: knowledge/concepts/stone-oven.md#L1-L2 7f3a9c1e \"hot\"",
            "x[^1]\n\n[^1]: knowledge/projects/deck-oven.md#L1-L2 7f3a9c1e \"hot\"",
        ),
        ("[^1]: See [[stone-oven]].", "[^1]: See [[deck-oven]]."),
        ("- [[stone-oven]]: It is hot.", "- [[deck-oven]]: It is hot."),
    ] {
        check(text, expected);
    }
}

#[test]
fn names_in_headers_are_rewritten_in_the_manner_they_were_written_in() {
    for (text, expected) in [
        ("similar_high: [stone-oven:2026-03, rye]", "similar_high: [deck-oven:2026-03, rye]"),
        ("similar_mid:\r\n  - \"Stone oven\"\r\n  - rye # dark", "similar_mid:\r\n  - \"Deck oven\"\r\n  - rye # dark"),
        ("related: [\"[[stone-oven|x]]\"]", "related: [\"[[deck-oven|x]]\"]"),
        ("up: \"[[stone-oven]]\"", "up: \"[[deck-oven]]\""),
        ("contradicts: stone-oven", "contradicts: deck-oven"),
        ("redirect_to: stone-oven", "redirect_to: deck-oven"),
        ("redirectTo: 'Rye bread'", "redirectTo: 'Dark (rye) bread'"),
        ("sources: [knowledge/concepts/stone-oven.md]", "sources: [knowledge/projects/deck-oven.md]"),
        (
            "sources:\n  - uri: knowledge/concepts/stone-oven.md#L1\n    on: x",
            "sources:\n  - uri: knowledge/projects/deck-oven.md#L1\n    on: x",
        ),
        ("title: stone-oven", "title: stone-oven"),
        ("tags: [stone-oven]", "tags: [stone-oven]"),
    ] {
        check(&format!("---\n{text}\n---\nBody.\n"), &format!("---\n{expected}\n---\nBody.\n"));
    }
    check("---\nSIMILAR_HIGH: stone-oven:2026-03, rye\n---\n", "---\nSIMILAR_HIGH: deck-oven:2026-03, rye\n---\n");
}

#[test]
fn a_file_that_goes_to_another_folder_takes_its_ways_along() {
    let snapshot = snapshot();
    let (from, to) = (path("knowledge/concepts/rye.md"), path("knowledge/rye.md"));
    let moves = [Move {
        from: called("knowledge/concepts/rye.md", "Rye"),
        to: called("knowledge/rye.md", "Rye"),
        part: None,
        heading: None,
    }];
    let rewrite = Rewrite { snapshot: &snapshot, moves: &moves };
    let text = "[a](stone-oven.md) ![p](img/a.png) [r](rye.md) [[rye]] [m](../../raw/x.md#L1) [w](https://x.example)";
    let expected = "[a](concepts/stone-oven.md) ![p](concepts/img/a.png) [r](rye.md) [[rye]] [m](../raw/x.md#L1) [w](https://x.example)";
    assert_eq!(rewrite.text((&from, &to), text).0, expected);
}

#[test]
fn of_a_part_only_links_to_it_are_rewritten() {
    let snapshot = snapshot();
    let oven = path("knowledge/concepts/stone-oven.md");
    let moves = [Move {
        from: called("knowledge/concepts/stone-oven.md", "Stone oven"),
        to: called("knowledge/concepts/heat.md", "Heat"),
        part: Some(BTreeSet::from(["heat".to_owned(), "^b1".to_owned()])),
        heading: None,
    }];
    let rewrite = Rewrite { snapshot: &snapshot, moves: &moves };
    let other = path("knowledge/concepts/rye.md");
    let text = "[[stone-oven]] [[stone-oven#Heat]] [[stone-oven#Fire]] [[stone-oven#^b1]] [a](stone-oven.md#heat)";
    let expected = "[[stone-oven]] [[heat#Heat]] [[stone-oven#Fire]] [[heat#^b1]] [a](heat.md#heat)";
    assert_eq!(rewrite.text((&other, &other), text).0, expected);
    assert_eq!(rewrite.text((&oven, &oven), "[[#Heat]] [[#Fire]]").0, "[[heat#Heat]] [[#Fire]]");
    let piece = path("knowledge/concepts/heat.md");
    assert_eq!(rewrite.text((&oven, &piece), "[[#Heat]] [[#Fire]]").0, "[[#Heat]] [[stone-oven#Fire]]");
}

proptest::proptest! {
    #[test]
    fn whatever_a_text_says_nothing_but_names_changes(text in "([\\[\\]|#:`!\\\\ ()<>a\né]|\\[\\[|\\]\\]|\\]\\(|stone-oven|\\.md|Rye bread){0,30}") {
        let (snapshot, moves) = (snapshot(), renamed());
        let rewrite = Rewrite { snapshot: &snapshot, moves: &moves };
        let at = path("knowledge/concepts/rye.md");
        let (out, n) = rewrite.text((&at, &at), &text);
        proptest::prop_assert_eq!(n == 0, out == text);
        // What was rewritten leads to the moved pages no longer, so a second time changes nothing but what the old names still spell.
        proptest::prop_assert_eq!(rewrite.text((&at, &at), &out).1, 0);
    }
}

//! What of a document stands on its page.

use super::shape::{Labels, as_read, defined_labels, relinked};
use super::*;
use crate::passage::Passage;

mod hostile;

const DOC: &str = "# Tokens\n\nTokens are signed by the server. They live for an hour.\n\n## Storage\n\nInstall it with:\n\n```sh\ncargo install tokens\n```\n\nThese are kept:\n\n- the *refresh* token, in [the vault](../ops/vault.md#keys)\n- nothing else, see [below](#rotation)\n\n## Limits\n\n| name | value |\n|---|---|\n| rate | 10 per second |\n\nWhat about rotation?\n\n## Contents\n\n- [Storage](#storage)\n";

fn read(name: &str, text: &str) -> Entry {
    document_entry(&VaultPath::new(name).expect("inside"), text, None, false)
}

fn shown(entry: &Entry) -> Vec<String> {
    let line = |passage: &Passage| {
        let place = passage.place.as_deref().expect("of a document");
        let first = |block: &String| block.lines().nth(usize::from(block.starts_with("```"))).unwrap_or("").to_owned();
        let block = place.blocks.iter().map(first).collect::<Vec<_>>().join(" + ");
        let below = "> ".repeat(place.depth);
        let (first, last) = passage.cited.as_deref().expect("cited with its section").lines;
        format!("{}|{below}{}|{block}|{first}-{last}", place.sections.join("/"), passage.text)
    };
    entry.passages.iter().map(line).collect()
}

#[test]
fn a_passage_keeps_its_section_and_takes_its_code_table_or_list_along() {
    let entry = read("raw/docs/tokens.md", DOC);
    assert_eq!(entry.parts, ["Tokens"]);
    let expected = [
        "|Tokens are signed by the server. They live for an hour.||3-3",
        "Storage|Install it with:|cargo install tokens|7-16",
        "Storage|These are kept:||7-16",
        "Storage|> the *refresh* token, in [[/raw/ops/vault.md|the vault]]||7-16",
        "Storage|> nothing else, see below||7-16",
        "Limits|Limits|| name | value ||18-22",
    ];
    assert_eq!(shown(&entry), expected);
}

#[test]
fn a_document_without_a_telling_title_is_called_by_its_place() {
    let title = |name: &str, text: &str| read(name, text).title;
    assert_eq!(title("raw/serde/README.md", "Serde serializes.\n"), "serde README");
    assert_eq!(title("raw/docs/blue-print.md", "# Title\n\nA list.\n"), "Blue print");
    assert_eq!(title("raw/docs/s.md", "# Serde &emsp; [![Build]][ci] [![v]][w]\n\nIt serializes.\n"), "Serde");
    assert_eq!(title("raw/docs/m.md", "memchr\n======\nIt searches.\n\n### Documentation\n"), "memchr");
    assert_eq!(title("raw/docs/a.md", "# [Serde](x.md) {: #top }\n\nIt serializes.\n"), "Serde");
}

/// What stands of a list on the page of a document that is too long to be kept whole.
fn listed(lead: &str, items: &[String]) -> Vec<String> {
    let rule =
        |n: usize| format!("The limit `rate{n}` must be set before the server starts, because it is read once.\n\n");
    let text =
        format!("# Limits\n\n## Rules\n\n{}{lead}\n\n{}\n", (0..40).map(rule).collect::<String>(), items.join("\n"));
    let entry = read("raw/limits.md", &text);
    let is_of_list = |passage: &&Passage| !passage.text.contains("`rate");
    let shown = |passage: &Passage| {
        let place = passage.place.as_deref().expect("of a document");
        let above = "> ".repeat(place.depth.saturating_sub(1));
        let step = place.step.map_or_else(String::new, |number| format!("{above}{number}. "));
        let listed = match place.gap {
            Some(Gap::Items(shown, all)) => format!(" ({shown} of {all})"),
            _ => String::new(),
        };
        format!("{step}{}{listed}", passage.text)
    };
    entry.passages.iter().filter(is_of_list).map(shown).collect()
}

#[test]
fn steps_stand_on_a_page_all_of_them_or_none() {
    let marks = ["1.", "2.", "3.", "4)"];
    let said =
        ["Stop it", "Do not use `limit restart`, because it waits for all clients.", "Wait", "Ask whoever is there?"];
    let steps: Vec<String> = marks.iter().zip(said).map(|(mark, said)| format!("{mark} {said}")).collect();
    let expected =
        ["To change a limit:", "1. Stop it", &format!("2. {}", said[1]), "3. Wait", &format!("4. {}", said[3])];
    assert_eq!(listed("To change a limit:", &steps), expected);
    let all_first: Vec<String> = said.iter().map(|said| format!("1. {said}")).collect();
    assert_eq!(listed("To change a limit:", &all_first), expected);
    let nested = [
        "1. Stop it",
        "   1. Ask first",
        "   1. Wait for all",
        "1. Do not use `limit restart`, because it waits for all clients.",
    ]
    .map(str::to_owned);
    let expected =
        ["To change a limit:", "1. Stop it", "> 1. Ask first", "> 2. Wait for all", &format!("2. {}", said[1])];
    assert_eq!(listed("To change a limit:", &nested), expected);
    let long = format!("2. {}", "Do all that it says there, and then some more of it. ".repeat(20));
    let around = ["1. Stop it".to_owned(), long, format!("3. {}", said[1])];
    let expected = [
        "To change a limit:",
        "1. Stop it",
        "2. Do all that it says there, and then some more of it.",
        &format!("3. {}", said[1]),
    ];
    assert_eq!(listed("To change a limit:", &around), expected);
    let many: Vec<String> =
        (1..40).map(|n| format!("{n}. Do what the one before step {n} of the plan told you to do.")).collect();
    assert_eq!(listed("To change a limit:", &many), Vec::<String>::new());
}

#[test]
fn code_and_what_points_back_stand_below_nothing_else() {
    let rule =
        |n: usize| format!("The limit `rate{n}` must be set before the server starts, because it is read once.\n\n");
    let code = "```toml\nburst = 3\n```\n\n";
    let text = format!(
        "# Limits\n\n## Bursts\n\n{}Hi there.\n\n{code}## Rest\n\n{}Nobody minds.\n\nThis holds for all of them, and only until `rate7` is set.\n",
        rule(1),
        (2..40).map(rule).collect::<String>(),
    );
    let shown = shown(&read("raw/limits.md", &text));
    assert!(shown.iter().any(|line| line.starts_with("Bursts|Bursts:|burst = 3|")), "{shown:?}");
    assert!(!shown.iter().any(|line| line.contains("This holds")), "{shown:?}");
}

#[test]
fn a_lead_in_says_how_many_items_of_its_list_are_there() {
    let long = |n: usize| {
        format!("- Client {n} reads `limits.toml`, because it cannot ask the server number {n} for it while it starts.")
    };
    let items: Vec<String> = (0..30).map(long).collect();
    let shown = listed("## Clients\n\nClients of the server:", &items);
    assert_eq!(shown.first().map(String::as_str), Some("Clients of the server: (4 of 30)"), "{shown:?}");
    assert_eq!(listed("## Clients\n\nClients of the server:", &items[..2]).len(), 3);
}

#[test]
fn a_part_of_a_document_is_called_by_its_sections() {
    let rule =
        |n: usize| format!("The limit `rate{n}` must be set before the server starts, because it is read once. ");
    let section = |name: &str, n: usize| format!("## {name}\n\n{}\n\n", (0..n).map(rule).collect::<String>());
    let item = |n: usize| format!("1. {}\n", rule(n));
    let long = |name: &str| format!("## {name}\n\nThe steps are:\n\n{}\n", (0..11).map(item).collect::<String>());
    let all =
        ["Ovens", "Trays", "Doors", "Bells", "Lamps", "Racks", "Hooks", "Locks", "Pans", "Tins"].map(long).concat();
    let entry = read("raw/bakery.md", &format!("# Bakery\n\n{}{all}", section("Rules", 3)));
    assert!(entry.parts.len() > 1 && entry.parts[0] == "Bakery", "{:?}", entry.parts);
    assert!(entry.parts[1..].iter().all(|part| part.starts_with("Bakery: ")), "{:?}", entry.parts);
}

#[test]
fn a_long_document_makes_several_pages_named_after_their_sections() {
    let section = |n: usize| {
        let sentence = "The limit must be set before the server starts, because it is read once. ";
        format!("## Limit {n}\n\n{}\n", sentence.repeat(40).replace("server", &format!("server{n}")))
    };
    let text = format!("# Limits\n\n{}", (0..20).map(section).collect::<String>());
    let entry = read("raw/limits.md", &text);
    assert!(entry.parts.len() > 1, "{:?}", entry.parts);
    assert!(entry.parts[1].starts_with("Limits: Limit ") && entry.parts[1].contains(" – "), "{:?}", entry.parts);
    let last = entry.passages.iter().filter_map(|passage| passage.place.as_ref()).map(|place| place.part).max();
    assert_eq!(last, Some(entry.parts.len() - 1));
    let places: Vec<usize> = entry.passages.iter().filter_map(|p| p.place.as_ref()).map(|place| place.nth).collect();
    assert!(places.is_sorted());
}

#[test]
fn odd_documents_are_survived() {
    for text in [
        "",
        "#",
        "# \n",
        "[",
        "[a](",
        "![",
        "```",
        "| a",
        "|\n|",
        "- ",
        "a:\n\n",
        "!!! note\n\n    Text.\n",
        "`[x](",
        "[[",
        "é:\n- é",
    ] {
        read("raw/a.md", text);
    }
}

#[test]
fn links_lead_to_documents_and_code_stays() {
    let path = VaultPath::new("raw/a/b.md").expect("inside");
    let check = |text: &str, expected: &str| assert_eq!(relinked(text, &path, &Labels::new()), expected);
    check("writes `<img src=x>` in code", "writes `<img src=x>` in code");
    check("a `[x](y.md)` b", "a `[x](y.md)` b");
    check("[the panel](javascript:alert(1)) of it", "the panel of it");
    check("see [c](../c.md#d) and [e](e.html)", "see [[/raw/c.md|c]] and [[/raw/a/e.html|e]]");
    check(
        "[out](../../../x.md) [site](https://x.example/a.md) ![i](i.png)",
        "out [site](https://x.example/a.md) ![i](i.png)",
    );
    check("[[own|link]] and [label][ref] and [box]", "[[own|link]] and label and [box]");
    check("It holds.[^1][^2] [^3](b.md)", "It holds.[^1][^2] [^3](b.md)");
}

#[test]
fn a_reader_sees_neither_tags_nor_brackets_of_labels() {
    let labels = defined_labels(
        "[Temporal]: https://x.example\n[`rustls`]: #y\n[^1]: /see\n[Oven type]: ovens.md#types\n[a b]: two words\n",
    );
    let check = |text: &str, expected: &str| assert_eq!(as_read(text, &labels), expected);
    check("<sup> Built on [Temporal] and [`rustls`]</sup>", "Built on Temporal and `rustls`");
    check("A `Vec<T>` or Vec<T>, `<br>`, <https://x.example>", "A `Vec<T>` or Vec<T>, `<br>`, <https://x.example>");
    check("It holds[^1].", "It holds.");
    check("It bakes at 220 degrees.[^a][^b] It holds `[^c]`.", "It bakes at 220 degrees. It holds `[^c]`.");
    check("Bakes by [Oven type] and [a b].", "Bakes by Oven type and [a b].");
    check("[box] [[Temporal]] [Temporal](t) `[Temporal]`", "[box] [[Temporal]] [Temporal](t) `[Temporal]`");
}

#[test]
fn code_in_tabs_is_told_with_the_names_of_the_tabs() {
    let entry = read(
        "raw/a.md",
        "# A\n\n## Shells\n\n=== \"Bash\"\n\n    ```sh\n    oven a\n    ```\n\n=== \"Fish\"\n\n    ```sh\n    oven b\n    ```\n",
    );
    let told: Vec<String> = shown(&entry);
    assert!(
        told.iter().any(|one| one.contains("|Bash:|")) && told.iter().any(|one| one.contains("|Fish:|")),
        "{told:?}"
    );
}

#[test]
fn what_is_yet_to_be_written_tells_nothing() {
    let entry = read("raw/a.md", "# A\n\nThe oven has a door of iron.\n\nTODO: describe the door of the oven.\n");
    assert!(shown(&entry).iter().all(|one| !one.contains("TODO")), "{:?}", shown(&entry));
}

#[test]
fn a_paragraph_may_be_led_in() {
    let entry = read("raw/a.md", "# A\n\nThe order is as follows:\n\n`$A` > `b.c` > `$D`\n");
    assert_eq!(shown(&entry), ["|The order is as follows:||3-5", "|> `$A` > `b.c` > `$D`||3-5"]);
}

#[test]
fn of_a_list_of_terms_none_is_missing() {
    let item = |n: usize| {
        format!("* **Feature {n}: No.** {}\n", format!("It would need part {n} of what is there. ").repeat(8))
    };
    let text =
        format!("# Support\n\nSupport is listed here.\n\n## Features\n\n{}", (0..12).map(item).collect::<String>());
    let entry = read("raw/support.md", &text);
    let kept =
        |n: usize| entry.passages.iter().any(|passage| passage.text.starts_with(&format!("**Feature {n}: No.**")));
    assert!((0..12).all(kept), "{:?}", shown(&entry));
    assert!(
        entry
            .passages
            .iter()
            .any(|passage| passage.text == "**Feature 11: No.** It would need part 11 of what is there."),
        "{:?}",
        shown(&entry)
    );
}

#[test]
fn what_a_document_opens_with_is_kept_however_little_it_tells() {
    let filler = "You must never open `oven.door` before 30 minutes are over, because heat is lost. ".repeat(40);
    let text =
        format!("# Ovens\n\n## Introduction\n\nAn oven bakes for you. {filler}\n\n## Doors\n\nDoors shut. {filler}\n");
    let entry = read("raw/ovens.md", &text);
    let texts: Vec<&str> = entry.passages.iter().map(|passage| passage.text.as_str()).collect();
    assert!(texts.contains(&"An oven bakes for you.") && !texts.contains(&"Doors shut."), "{texts:?}");
}

#[test]
fn what_only_a_renderer_reads_stands_on_no_page() {
    let text = "# Ovens\n\nOvens are hot. {{ read_table(\"ovens.yml\") }}\n\n<figure><img src=\"oven.svg\"></figure>\n\n1. * Open the oven with care.\n2. * Close the oven with care.\n";
    let entry = read("raw/ovens.md", text);
    let texts: Vec<&str> = entry.passages.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(texts, ["Ovens are hot.", "Open the oven with care.", "Close the oven with care."]);
}

#[test]
fn an_item_leads_in_what_is_below_it_and_not_what_is_beside_it() {
    let text = "# Ovens\n\n- The stone oven has two merits:\n  - it keeps the heat\n  - it needs no power\n- The steel oven is light.\n";
    let passages = read("raw/ovens.md", text).passages;
    let depths: Vec<usize> =
        passages.iter().map(|passage| passage.place.as_deref().expect("of a document").depth).collect();
    assert_eq!(depths, [0, 1, 1, 0]);
}

#[test]
fn code_stands_below_the_sentence_before_its_short_lead_in_or_the_name_of_its_section() {
    let text = "# Ovens\n\n## Heat\n\nThe heat is set by a file.\n\nFor example:\n\n```toml\nheat = 9\n```\n\n## Light\n\n```toml\nlight = 1\n```\n";
    let expected = ["Heat|The heat is set by a file.|heat = 9|5-11", "Light|Light:|light = 1|13-17"];
    assert_eq!(shown(&read("raw/ovens.md", text)), expected);
}

#[test]
fn an_item_of_nothing_but_markers_is_read_as_any_other() {
    let text = format!("# Ovens\n\n1. {}Close the oven with care.\n", "- ".repeat(1_000_000));
    assert!(read("raw/ovens.md", &text).passages.len() <= 1);
    let text = format!("# Ovens\n\n1. {}Close the oven with care.\n", "- ".repeat(20));
    assert_eq!(read("raw/ovens.md", &text).passages[0].text, "Close the oven with care.");
}

#[test]
fn a_sentence_that_has_its_list_leads_in_no_paragraph_behind_it() {
    let text = "# Ovens\n\nAn oven is found in this order:\n\n1. Its name\n2. Its number\n\nTo override the order, name the hall of the oven.\n";
    let found = read("raw/ovens.md", text).passages;
    let below: Vec<(&str, bool)> =
        found.iter().map(|one| (one.text.as_str(), one.place.as_ref().is_some_and(|place| place.depth > 0))).collect();
    assert_eq!(below.last(), Some(&("To override the order, name the hall of the oven.", false)), "{below:?}");
}

#[test]
fn a_number_before_a_list_numbers_the_list_and_not_its_first_item() {
    let text = "# Ovens\n\n1. * Stir the dough well.\n   * Heat the oven well.\n\n2. * Bake the loaves well.\n";
    let found = read("raw/ovens.md", text).passages;
    assert!(found.len() == 3 && found.iter().all(|one| one.place.as_ref().is_some_and(|place| place.step.is_none())));
}

#[test]
fn nothing_stands_below_what_it_was_not_said_of() {
    let filler = "You must never open `oven.door` before 30 minutes are over, because heat is lost. ".repeat(12);
    let text = format!(
        "# Ovens\n\n## Commands\n\n* `oven open {{n}}`\n  1. Opens `doors[n]`.\n* `oven forget {{n}}`\n  1. Removes `doors[n]`.\n  2. Removes `halls[n]`.\n\n## Uses\n\n{filler}\n\n**Steel ovens:**\n\n- `bake 'pies' --hot`\n\n**Stone ovens:**\n\n- `bake 'bread' --slow`\n\n## Doors\n\n- Doors are heavy\n- Two ovens share a door\n  * This is solved by a second door.\n"
    );
    let shown: Vec<String> = shown(&read("raw/ovens.md", &text));
    let below = |parent: &str, child: &str| {
        let at = shown
            .iter()
            .position(|line| line.split('|').nth(1) == Some(child))
            .unwrap_or_else(|| panic!("{child}: {shown:?}"));
        let depth = |line: &String| line.split('|').nth(1).unwrap_or("").matches("> ").count();
        let above = shown[..at].iter().rev().find(|line| depth(line) < depth(&shown[at]));
        assert_eq!(
            above.and_then(|line| line.split('|').nth(1)).map(|text| text.trim_start_matches("> ")),
            Some(parent)
        );
    };
    below("`oven open {n}`", "> Opens `doors[n]`.");
    below("`oven forget {n}`", "> Removes `halls[n]`.");
    below("**Stone ovens:**", "> `bake 'bread' --slow`");
    below("Two ovens share a door", "> This is solved by a second door.");
}

#[test]
fn of_a_list_every_item_keeps_its_first_sentence_before_one_is_left_out() {
    let item = |n: usize| {
        format!("* Oven {n} is hot. {}\n", "It was built for pies and for nothing else, they say. ".repeat(4))
    };
    let text =
        format!("# Ovens\n\n## Kinds\n\nThere are the following ovens.\n\n{}", (0..12).map(item).collect::<String>());
    let entry = read("raw/ovens.md", &text);
    let texts: Vec<&str> = entry.passages.iter().map(|passage| passage.text.as_str()).collect();
    let expected: Vec<String> = (0..12).map(|n| format!("Oven {n} is hot.")).collect();
    assert_eq!(texts[1..].iter().map(|text| text.to_string()).collect::<Vec<_>>(), expected);
    let gap = |n: usize| entry.passages[n].place.as_deref().expect("of a document").gap;
    assert_eq!((gap(0), gap(12)), (None, Some(Gap::Section)));
}

#[test]
fn what_stands_in_an_item_ends_no_list_and_what_is_too_long_is_marked() {
    let code = format!("```\n{}```\n", "a line of code\n".repeat(200));
    let text = format!(
        "# Ovens\n\nThere are two kinds:\n\n- Stone ovens hold heat.\n\n  They need the following:\n\n  - a base of stone\n\n- Steel ovens are light.\n\n## Use\n\nHeat it slowly.\n\n{code}\n## Care\n\nKeep it dry.\n\nThe tools are the following.\n"
    );
    let entry = read("raw/ovens.md", &text);
    let shown: Vec<(usize, &str, Option<Gap>)> = entry
        .passages
        .iter()
        .map(|passage| (passage.place.as_deref().expect("of a document"), passage))
        .map(|(place, passage)| (place.depth, passage.text.as_str(), place.gap))
        .collect();
    let expected = [
        (0, "There are two kinds:", None),
        (1, "Stone ovens hold heat.", None),
        (2, "They need the following:", None),
        (3, "a base of stone", None),
        (1, "Steel ovens are light.", None),
        (0, "Heat it slowly.", Some(Gap::Section)),
        (0, "Keep it dry.", Some(Gap::Section)),
    ];
    assert_eq!(shown, expected);
}

/// The texts on the page of a document, its lead-ins with their codes.
fn texts(text: &str) -> Vec<String> {
    let entry = read("raw/ovens.md", text);
    entry.passages.into_iter().map(|passage| passage.text).collect()
}

/// Sections that fill a document, so that none is kept because it is short.
fn filler() -> String {
    let rule =
        |n: usize| format!("The limit `rate{n}` must be set before the oven starts, because it is read once.\n\n");
    format!("## Rules\n\n{}", (0..40).map(rule).collect::<String>())
}

#[test]
fn what_answers_a_question_takes_it_along() {
    let text =
        "# Ovens\n\nDoes the door shut?\n\nIf yes, the oven keeps its heat for hours.\n\nWho bakes? Ada bakes.\n";
    let expected = ["Does the door shut? If yes, the oven keeps its heat for hours.", "Ada bakes."];
    let shown = texts(&text.replace("Ada bakes.", "Ada bakes on Monday."));
    assert_eq!(shown, [expected[0], "Ada bakes on Monday."]);
}

#[test]
fn what_points_back_at_something_left_out_is_left_out_too() {
    let long = "The door is of iron and has seen better days. ".repeat(20).replace(". ", ", ");
    let text = format!("# Ovens\n\nOvens are hot.\n\n{long}.\n\nAnother problem is the handle of it.\n");
    assert_eq!(texts(&text), ["Ovens are hot."]);
}

#[test]
fn an_item_that_only_names_something_has_what_stands_below_it() {
    let case = |n: usize| {
        format!(
            "- Opening door {n}\n  - the heat of oven {n} leaves it, because the door is open then\n  - a bell rings\n"
        )
    };
    let text = format!("# Ovens\n\n{}\n## Doors\n\n{}", filler(), (0..20).map(case).collect::<String>());
    let shown = texts(&text);
    let names: Vec<usize> = (0..shown.len()).filter(|n| shown[*n].starts_with("Opening")).collect();
    assert!(names.len() > 1, "{shown:?}");
    assert!(names.iter().all(|n| shown.get(n + 1).is_some_and(|next| next.starts_with("the heat"))), "{shown:?}");
}

#[test]
fn steps_below_an_item_that_only_names_something_stand_there_all_of_them() {
    let case =
        |n: usize| format!("* `oven open {n}`\n  1. Opens the door.\n  2. Rings the bell of oven {n}.\n  3. Waits.\n");
    let text = format!("# Ovens\n\n{}\n## Commands\n\n{}", filler(), (0..20).map(case).collect::<String>());
    let shown = texts(&text);
    let n_names = shown.iter().filter(|text| text.starts_with("`oven open")).count();
    assert!(n_names > 1 && n_names < 20, "{shown:?}");
    assert_eq!(shown.iter().filter(|text| *text == "Waits.").count(), n_names, "{shown:?}");
}

#[test]
fn a_link_that_is_all_of_a_sentence_is_told_with_what_it_is_of() {
    let text = "# Tools\n\n## Ovenhub\n\nOvenhub counts loaves.\n\nFind it [here][hub].\n\n## Crumb\n\nCrumb, of [the makers][hub] of Ovenhub, counts crumbs. Find it here.\n\nGet it [here](https://crumb.example).\n\n## Links\n\n- <https://oven.example/1>\n\n[hub]: https://hub.example/oven\n";
    let expected = [
        "Ovenhub counts loaves.",
        "[hub](https://hub.example/oven)",
        "Crumb, of the makers of Ovenhub, counts crumbs.",
        "[Crumb](https://crumb.example)",
    ];
    assert_eq!(texts(text), expected);
}

#[test]
fn remarks_on_the_document_and_its_site_are_left_out() {
    let text = "# Ovens\n\nOvens are hot. The list of ovens is in the sidebar on the left. This section is intentionally short.\n\nDiese Seite ist noch unvollständig.\n";
    assert_eq!(texts(text), ["Ovens are hot."]);
}

#[test]
fn a_document_is_called_by_its_heading_of_html_or_by_its_file_where_it_has_sections_only() {
    let title = |name: &str, text: &str| read(name, text).title;
    let html = "<div align=\"center\">\n  <h1><code>oven</code></h1>\n</div>\n\nAn oven.\n\n## Features\n\nHeat.\n";
    assert_eq!(title("raw/oven/README.md", html), "oven");
    assert_eq!(title("raw/oven/CHANGELOG.md", "1.4.2 (2026-03-01)\n======\nThe door shuts.\n"), "oven CHANGELOG");
    assert_eq!(title("raw/oven/CHANGELOG.md", "# Changelog\n\n## [1.0.0] - 2026-03-01\n\nA door.\n"), "oven CHANGELOG");
    assert_eq!(title("raw/oven/heat.md", "Heat is kept by the stone.\n\n## The stone\n\nIt is thick.\n"), "Heat");
    assert_eq!(title("raw/oven/heat.md", "## The stone\n\nIt is thick.\n"), "The stone");
    // A tag that never ends is none.
    assert_eq!(title("raw/oven/heat.md", "<h1</h1> x\n\n# Heat of ovens\n\nIt is high.\n"), "Heat of ovens");
}

#[test]
fn a_table_that_is_too_long_keeps_whole_rows_and_says_so() {
    let row = |n: usize| format!("| `oven {n}` | opens the door of oven {n} and rings its bell |\n");
    let text = format!("# Commands\n\n| command | what it does |\n|---|---|\n{}", (0..60).map(row).collect::<String>());
    let entry = read("raw/commands.md", &text);
    let place = entry.passages[0].place.as_deref().expect("of a document");
    let rows: Vec<&str> = place.blocks[0].lines().collect();
    assert!(rows.len() > 20 && rows.iter().all(|row| row.ends_with('|')), "{rows:?}");
    assert_eq!(place.gap, Some(Gap::Section));
}

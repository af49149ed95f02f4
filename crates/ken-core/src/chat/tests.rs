//! What is a chat, and what only looks like one.

use proptest::prelude::*;

use super::*;

fn said(text: &str) -> Vec<(String, &str)> {
    let found = messages(text, Span::new(0, text.len()));
    found.into_iter().map(|message| (message.speaker, message.span.of(text).trim())).collect()
}

fn speakers(text: &str) -> String {
    said(text).into_iter().map(|(speaker, _)| speaker).collect::<Vec<_>>().join(" ")
}

#[test]
fn messages_are_found_in_every_form() {
    for line in [
        "NAME: said",
        "**NAME:** said",
        "**NAME**: said",
        "**NAME** (10:42): said",
        "- **NAME** [10:42] said",
        "**NAME** 10:42 AM\nsaid",
        "[10:42] NAME: said",
        "[01.03.26, 10:42:07] NAME: said",
        "[10:42]NAME: said",
        "2026-03-01 10:42 - NAME: said",
        "2026-03-01T10:42:07Z NAME: said",
        "3/1/26, 10:42 PM - NAME: said",
        "(10:42) NAME: said",
        "NAME (10:42): said",
        "NAME [2026-03-01 10:42]: said",
        "NAME, 10:42: said",
        "NAME  10:42 AM\nsaid",
        "NAME — 2026-03-01 10:42\nsaid",
        "[10:42 AM] NAME\nsaid",
        "### NAME, 10:42\n\nsaid",
        "### NAME (2026-03-01 10:42)\n\nsaid",
        "## 10:42 NAME\n\nsaid",
        "## NAME\n\nsaid",
        "## **NAME:**\n\nsaid",
        "<NAME> said",
        "[10:42] <NAME> said",
        "10:42 <NAME> said",
    ] {
        let line = line.replace("said", "asked?");
        let chat: String =
            ["ada", "Ben", "ada", "Ben"].iter().map(|name| format!("{}\n\n", line.replace("NAME", name))).collect();
        assert_eq!(speakers(&chat), "ada Ben ada Ben", "{line}");
        assert_eq!(speaker_of(line.replace("NAME", "Ada").lines().next().expect("a line")), Some("Ada"), "{line}");
    }
}

#[test]
fn names_may_have_several_words_and_other_letters() {
    let chat = "[10:42] Ada Lovelace: a\n[10:43] Jörg-Ünal: b\n[10:44] Łucja 🌻: c\n[10:45] +49 170 1234: d\n[10:46] Ada Lovelace: e\n";
    assert_eq!(speakers(chat), "Ada Lovelace Jörg-Ünal Łucja 🌻 +49 170 1234 Ada Lovelace");
}

#[test]
fn a_message_goes_on_until_the_next_one_or_a_heading_of_its_own() {
    let chat = "# Chat\n\nWith Ada.\n\nAda: one?\nmore of it\n\nand more\nBen: two\nAda: three\n```\nBen: no\n```\n\n## Later\n\nNobody says this.\n\nBen: four\n";
    assert_eq!(
        said(chat),
        [
            ("Ada".to_owned(), "Ada: one?\nmore of it\n\nand more"),
            ("Ben".to_owned(), "Ben: two"),
            ("Ada".to_owned(), "Ada: three\n```\nBen: no\n```"),
            ("Ben".to_owned(), "Ben: four"),
        ]
    );
    let headed = "## Ada\na?\n### Plan\nb\n## Ben\nc\n## Ada\nd\n## Ben\ne\n";
    assert_eq!(said(headed)[0], ("Ada".to_owned(), "## Ada\na?\n### Plan\nb"));
}

#[test]
fn what_is_in_another_form_is_part_of_what_is_said() {
    let chat = "[10:42] Ada: The list:\nBread: two\nRolls: six\n[10:43] Ben: Yes.\n[10:44] Ada: Good.\n";
    assert_eq!(speakers(chat), "Ada Ben Ada");
}

#[test]
fn what_only_looks_like_a_chat_is_none() {
    for text in [
        "",
        "Ada: hello\n",
        "Ada: a\nAda: b\nAda: c\nAda: d\nAda: e\n",
        "[10:42] Ada: a\n[10:43] Ada: b\n[10:44] Ada: c\n",
        // Fields.
        "Status: open\nOwner: Ada\nDue: Friday\nPlace: Ghent\nPrice: ten\n",
        "## One\n\n**Status:** open\n**Owner:** Ada\n\n## Two\n\n**Status:** shut\n**Owner:** Ben\n\n## Three\n\n**Status:** open\n**Owner:** Ben\n",
        // Entries of a changelog, tasks with their fields, versions beside their sections.
        "- added: a\n- fixed: b\n- added: c\n- fixed: d\n- added: is it e?\n- changed: f\n",
        "**Owner:** Ada\n**Due:** Friday\n\n**Owner:** Ben\n**Due:** Monday\n\n**Owner:** Cleo\n**Due:** today\n",
        "## 1.1 of May\n\n## Added\n- a?\n\n## Fixed\n- b\n\n## 1.0\n\n## Added\n- c\n\n## Fixed\n- d\n",
        // Sections of versions and of functions.
        "# Log\n\n## 1.1\n\n### Added\n- a\n\n### Fixed\n- b\n\n## 1.0\n\n### Added\n- c\n\n### Fixed\n- d\n",
        // Labels in prose.
        "Note: a\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nWarning: b\n\nFive.\n\nSix.\n\nSeven.\n\nNote: c\n\nEight.\n\nNine.\n\nTen.\n\nEleven.\n\nWarning: d\n\nTwelve.\n\nA.\n\nB.\n\nC.\n\nD.\n",
        // A timetable, addresses of the web, code.
        "10:42 The oven is lit\n11:00 The bread goes in\n12:00 The bread comes out\n13:00 Lunch\n",
        "https://a.example\nhttp://b.example\nhttps://c.example\nhttp://d.example\n",
        "```\nAda: a\nBen: b\nAda: c\nBen: d\n```\n",
        // Sentences with colons.
        "We need the following things today: flour\nAnd we need some other things too: salt\nWe need the following things today: rye\nAnd we need some other things too: oil\n",
    ] {
        assert_eq!(said(text), [], "{text}");
    }
}

proptest! {
    #[test]
    fn messages_stand_in_order_whatever_the_text(text in "([A-Z][a-z]{0,3}: |\\*\\*|\\[1:02\\] |# |<a> |1:02|\n|\n\n|```|é |[a-z ]{0,9}){0,60}") {
        let mut end = 0;
        for message in messages(&text, Span::new(0, text.len())) {
            prop_assert!(message.span.start >= end && message.span.start < message.span.end);
            prop_assert!(text.get(message.span.start..message.span.end).is_some() && !message.speaker.is_empty());
            end = message.span.end;
        }
    }
}

#[test]
fn a_chat_is_of_the_newest_day_that_stands_beside_a_message() {
    for (stamps, expected) in [
        (["[2026-03-01 10:42]", "[2026-03-02 09:10]"], Some("2026-03-02")),
        (["[01.03.26, 10:42:07]", "[28.02.26, 10:42:07]"], Some("2026-03-01")),
        (["3/1/26, 10:42 PM -", "3/14/26, 10:42 PM -"], Some("2026-03-14")),
        (["14/3/2026, 10:42 -", "1/3/2026, 10:42 -"], Some("2026-03-14")),
        // Nobody can say whether that is of March or of January.
        (["3/1/26, 10:42 PM -", "3/2/26, 10:42 PM -"], None),
        (["2026-03-01T10:42:07Z", "2026-13-40T10:42:07Z"], Some("2026-03-01")),
        (["[10:42]", "[10:43]"], None),
    ] {
        let line = |n: usize| format!("{} {}: Of 2020-01-01.\n", stamps[n % 2], ["Ada", "Ben"][n % 2]);
        let chat: String = (0..4).map(line).collect();
        let day = last_day(&chat, Span::new(0, chat.len())).map(|day| day.to_string());
        assert_eq!(day.as_deref(), expected, "{stamps:?}");
    }
}

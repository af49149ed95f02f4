//! Answers from two pages and a day of the journal.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::extract::units_of;
use super::request::{asking_words, is_request};
use super::*;
use crate::page::parse_page;
use crate::search::close::{Close, DocKind, FoundDoc};
use crate::search::rank::{Collection, Frequency};
use crate::search::{Language, Question};
use crate::time::leading_date;

const JWT: &str = "---\ntitle: JWT\ntldr: JWT is a signed token.\n---\n# JWT\n\nJWT is a signed token.[^1] Tokens live 15 minutes.[^2]\n\n## Details\n\n- Keys rotate daily, because a leaked key must die.[^1]\n- The weather is fine.[^1]\n\n## Superseded\n\n- ~~Tokens live 60 minutes~~[^1]\n\n[^1]: daily/2026-02-10.md#L1-L1 7f3a9c1e \"x\"\n[^2]: daily/2026-04-08.md#L2-L2 c20b11d4 \"y\"\n";
const DAY: &str = "# Day\n\n**Decisions Made:**\n- Tokens live 15 minutes.\n- The vendor is called Acme.\n";

fn path(text: &str) -> VaultPath {
    VaultPath::new(text).expect("inside")
}

fn consulted() -> Vec<Consulted> {
    let page = parse_page(&path("knowledge/jwt.md"), JWT.to_owned()).value;
    let day = path("daily/2026-04-08.md");
    let holder = |path: VaultPath, slug: Option<&str>, citables| Consulted {
        path,
        slug: slug.and_then(Slug::from_text),
        title: slug.unwrap_or("").to_owned(),
        names: Vec::new(),
        why: "match".to_owned(),
        date: None,
        is_document: false,
        digest: Digest::of(b""),
        is_answer: false,
        begun: None,
        citables,
    };
    let evidence = citables_of_lines(&day, (DAY, false), None, (1, 5));
    vec![holder(page.path.clone(), Some("jwt"), citables_of_page(&page, None)), holder(day, None, evidence)]
}

/// One page of these words, alone.
fn page_alone(text: &str) -> Vec<Consulted> {
    let page = parse_page(&path("knowledge/jwt.md"), text.to_owned()).value;
    let mut consulted = consulted();
    consulted.truncate(1);
    consulted[0].citables = citables_of_page(&page, None);
    consulted
}

/// The sentences of these places that answer a question, each found by itself.
fn extracted(question: &str, consulted: &[Consulted]) -> Answer {
    extracted_for(question, consulted).0
}

/// The same, and whether they are sure to answer.
fn extracted_for(question: &str, consulted: &[Consulted]) -> (Answer, bool) {
    extracted_where(question, consulted, |scored| scored)
}

/// The same, where the text around the sentences counts so much.
fn extracted_where(question: &str, consulted: &[Consulted], counts: impl Fn(Vec<f32>) -> Vec<f32>) -> (Answer, bool) {
    let question = Question::plain(question, &[Language::ENGLISH]);
    let frequencies: Vec<Frequency> = question.words.iter().map(|_| Frequency { n_passages: 3, n_docs: 2 }).collect();
    let collection = Collection { n_passages: 500, n_docs: 100, n_words: 20_000, days: None };
    let mut close = Close::new(&question, &frequencies, &collection);
    let texts: Vec<_> = consulted.iter().map(units_of).collect();
    let docs: Vec<FoundDoc<'_>> = texts
        .iter()
        .map(|(text, units, title)| FoundDoc {
            text,
            title,
            date: None,
            units: units.iter().map(|unit| (unit, "")).collect(),
            kind: DocKind::Other,
        })
        .collect();
    let found = close.look(&docs).into_iter();
    let worth: Vec<Vec<f32>> = found.map(|units| counts(units.into_iter().map(|said| said.score).collect())).collect();
    extract(&mut close, consulted, (&worth, true))
}

/// The passages of an answer, each with its places.
fn shown(answer: &Answer) -> String {
    let places = |one: &Passage| one.places.iter().map(Citation::mark).collect::<Vec<_>>().join(" ");
    let passages = answer.passages(|_| false);
    passages.iter().map(|one| format!("{} {}", one.text, places(one))).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(question: &str, expected: &str) {
    let consulted = consulted();
    assert_eq!(shown(&check_answer(extracted(question, &consulted), &consulted)), expected);
}

#[test]
fn every_sentence_of_a_chat_says_who_says_it() {
    let chat = "Ada: The oven is off. It was hot.\n\nNobody swept it.\nBen: I did that.\nAda: Good work?\nBen: You are welcome.\n";
    let cited = |is_document: bool| -> Vec<String> {
        let found = citables_of_lines(&path("raw/chat.txt"), (chat, is_document), None, (1, 99));
        found.into_iter().map(|one| one.text).collect()
    };
    assert_eq!(
        cited(true),
        [
            "Ada: The oven is off.",
            "Ada: It was hot.",
            "Ada: Nobody swept it.",
            "Ben: I did that.",
            "Ada: Good work?",
            "Ben: You are welcome.",
        ]
    );
    assert!(cited(false).contains(&"It was hot.".to_owned()));
}

#[test]
fn a_footnote_of_a_document_stands_behind_what_it_belongs_to() {
    let text = "It holds 100 kg. The brake sticks.[^brake]\n\n| Bike | Load[^load] |\n|---|---|\n| Gisela | 90 kg[^g] |\n\n\
                [^brake]: Only in the rain.\n[^load]: Without a rider.\n[^g]: With a child in front\n60 kg.\n[^none]: Ask Ada.\n";
    let cited: Vec<((usize, usize), String)> = citables_of_lines(&path("raw/bikes.md"), (text, true), None, (1, 99))
        .into_iter()
        .map(|one| (one.lines, one.text))
        .collect();
    let cited: Vec<((usize, usize), &str)> = cited.iter().map(|(lines, text)| (*lines, text.as_str())).collect();
    assert_eq!(
        cited,
        [
            ((1, 1), "It holds 100 kg."),
            ((1, 1), "The brake sticks."),
            ((5, 5), "Gisela | Load: 90 kg"),
            ((7, 7), "The brake sticks (note: Only in the rain)."),
            ((8, 8), "Without a rider."),
            ((9, 10), "Gisela | Load: 90 kg (note: With a child in front 60 kg)"),
            ((11, 11), "Ask Ada."),
        ]
    );
}

#[test]
fn a_sentence_that_answers_is_cited_once_however_often_it_stands() {
    check("how long do tokens live?", "Tokens live 15 minutes. [[jwt]]");
}

#[test]
fn a_request_asks_and_does_not_answer() {
    let said = |text: &str| {
        let [_, mut day] = <[Consulted; 2]>::try_from(consulted()).expect("two places");
        day.citables = citables_of_lines(&day.path, (text, false), None, (1, 9));
        let (answer, is_sure) = extracted_for("When does the shop open?", &[day]);
        (answer.sentences.first().map(|one| one.text.clone()).unwrap_or_default(), is_sure)
    };
    let request = "Please settle when the shop opens.";
    assert_eq!(said(request), (request.to_owned(), false));
    assert_eq!(said(&format!("{request} The shop opens at 8 on weekdays.")).0, "The shop opens at 8 on weekdays.");
    let german = "Bitte klärt, wann der Laden öffnet.";
    let asked = asking_words("Wann öffnet der Laden?");
    let cited = citables_of_lines(&path("daily/2026-04-08.md"), (german, false), None, (1, 1));
    assert!(is_request(&asked, &cited[0]) && !is_request(&asking_words("Wer öffnet?"), &cited[0]));
}

#[test]
fn a_question_that_is_told_answers_nothing() {
    let is_told = |text: &str| {
        let cited = citables_of_lines(&path("daily/2026-04-08.md"), (text, false), None, (1, 1));
        is_request(&asking_words("How many loaves go into a crate?"), &cited[0])
    };
    assert!(is_told("The temp asked how many loaves go into a crate."));
    assert!(!is_told("The temp asked how many loaves go into a crate, I said 24."));
    assert!(!is_told("The temp asked for the key."));
}

#[test]
fn a_history_is_told_by_the_values_of_other_days() {
    let said = [
        ("daily/2026-03-02.md", "Redshank bread is baked at 15:30 on every day. The yard was wet."),
        (
            "daily/2026-03-10.md",
            "The oven is hot. Redshank has one baker less, the bread is baked at 14:15 from today.",
        ),
        ("daily/2026-03-18.md", "The new baker of Redshank comes for the bread at 16:00. She sings."),
    ];
    let day = |(name, text): (&str, &str)| {
        let [_, mut day] = <[Consulted; 2]>::try_from(consulted()).expect("two places");
        (day.path, day.date) = (path(name), leading_date(path(name).file_name()));
        day.citables = citables_of_lines(&day.path, (text, false), None, (1, 9));
        day
    };
    let (answer, _) = extracted_for("How did the time of the Redshank bread change?", &said.map(day));
    let told: Vec<&str> = answer.sentences.iter().map(|one| one.text.as_str()).collect();
    let wanted = [
        "Redshank bread is baked at 15:30 on every day.",
        "Redshank has one baker less, the bread is baked at 14:15 from today.",
        "The new baker of Redshank comes for the bread at 16:00.",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn what_stands_nowhere_near_a_name_of_the_question_does_not_answer_it() {
    let said = |text: &str| {
        let [_, mut day] = <[Consulted; 2]>::try_from(consulted()).expect("two places");
        day.citables = citables_of_lines(&day.path, (text, false), None, (1, 9));
        extracted_for("What is the telephone number of Ada?", &[day]).1
    };
    assert!(said("The telephone number of Ada is 5512."));
    assert!(!said("The telephone number of the shop is 5512."));
}

#[test]
fn the_tldr_of_a_piece_of_work_is_cited_where_what_it_is_made_of_stands() {
    let cited = |kind: &str| {
        let text = format!(
            "---\ntype: {kind}\ntitle: Oven\ntldr: \"Problem (fix of 2026-04-01): The oven is cold. Cause: The door is open.\"\nowner: kenning\n---\n# Oven\n\n- The door is open.[^1]\n\n[^1]: daily/2026-04-08.md#L5-L5 0123abcd \"The door…\"\n"
        );
        let page = parse_page(&path("knowledge/oven.md"), text).value;
        citables_of_page(&page, None).into_iter().map(|one| one.is_tldr).collect::<Vec<_>>()
    };
    assert_eq!(cited("project"), [false]);
    assert_eq!(cited("concept"), [true, false]);
}

#[test]
fn what_leans_on_a_sentence_of_a_page_is_cited_with_it() {
    let said = "The oven waits. It does so twice. The door is shut.";
    let text = format!(
        "---\ntype: concept\ntitle: Oven\ntldr: The oven waits.\nowner: kenning\n---\n# Oven\n\n{}\n\n[^1]: daily/2026-04-08.md#L5-L5 0123abcd \"The oven…\"\n",
        said.replace(". ", ".[^1] ") + "[^1]"
    );
    let page = parse_page(&path("knowledge/oven.md"), text).value;
    let cited: Vec<(String, bool)> =
        citables_of_page(&page, None).into_iter().map(|one| (one.text, one.is_tldr)).collect();
    let expected = [("The oven waits. It does so twice.", true), ("The door is shut.", false)];
    assert_eq!(cited, expected.map(|(text, is_tldr)| (text.to_owned(), is_tldr)));
}

#[test]
fn what_a_thing_is_its_tldr_says() {
    check("what is jwt?", "JWT is a signed token. [[jwt]]");
}

#[test]
fn words_that_only_ask_are_no_part_of_the_question() {
    check("remind me what the vendor is called", "The vendor is called Acme. (daily/2026-04-08.md:5)");
}

#[test]
fn what_a_sentence_leads_in_goes_with_it_and_rows_with_their_head() {
    let cited = |text: &str| citables_of_lines(&path("raw/ovens.md"), (text, true), None, (1, 99)).remove(0).text;
    let table = "The ovens are these:\n\n| Oven | Heat |\n|---|---|\n| stone | 300 |\n| steel | 250 |\n";
    assert_eq!(cited(table), "The ovens are these: stone | Heat: 300; steel | Heat: 250");
    assert_eq!(cited("The ovens are these:\n\n- stone\n- steel\n"), "The ovens are these: stone; steel");
    let code = "The check is this:\n\n- `a || b`\n- more\n";
    assert_eq!(cited(code), "The check is this: `a || b`; more");
    assert_eq!(cited("Quote it:\n\n```\nlog -r `@\n```\n"), "Quote it: `` log -r `@ ``");
    assert_eq!(
        cited("The checks:\n\n| Name | Test |\n|---|---|\n| any | `a || b` |\n"),
        "The checks: any | Test: `a || b`"
    );
    assert_eq!(cited("> Light the oven\n> first, then\n> wait.\n"), "Light the oven first, then wait.");
    assert_eq!(cited("Light the oven so.\n\n```\noven --on\n```\n"), "Light the oven so. `oven --on`");
}

#[test]
fn evidence_is_cited_by_its_lines() {
    check("what is the vendor called?", "The vendor is called Acme. (daily/2026-04-08.md:5)");
}

#[test]
fn what_asks_for_a_reason_gets_one() {
    check("why do keys rotate?", "Keys rotate daily, because a leaked key must die. [[jwt]]");
}

#[test]
fn a_cause_answers_why_something_happened() {
    let talk = |found: &str| {
        let text = format!(
            "# Talk\n\n## User (2026-04-08 09:00)\n\nThe bakery oven went cold at night.\n\n### Agent (2026-04-08 09:01)\n\n{found} A wet spring held the bolt of the flap back.\n"
        );
        let citables = citables_of_lines(&path("daily/2026-04-08.md"), (&text, false), None, (1, 99));
        vec![Consulted { citables, ..consulted().pop().expect("evidence") }]
    };
    let answered = |question: &str, found: &str| shown(&extracted(question, &talk(found)));
    let why = "why did the bakery oven go cold?";
    assert!(answered(why, "There it is.").contains("wet spring"), "{}", answered(why, "There it is."));
    assert!(!answered(why, "It is Monday.").contains("wet spring"), "{}", answered(why, "It is Monday."));
    let state = "why is the bakery oven cold?";
    assert!(!answered(state, "There it is.").contains("wet spring"), "{}", answered(state, "There it is."));
}

#[test]
fn a_reply_answers_what_the_agent_said_before_it() {
    let talk = |reply: &str| {
        let text = format!(
            "# Talk\n\n## User (2026-04-08 09:00)\n\nThe oven is cold.\n\n### Agent (2026-04-08 09:01)\n\nA gas oven needs no new cable.\n\n{reply} (2026-04-08 09:02)\n\nNo, the landlord forbids it.\n"
        );
        let citables = citables_of_lines(&path("daily/2026-04-08.md"), (&text, false), None, (1, 99));
        vec![Consulted { citables, ..consulted().pop().expect("evidence") }]
    };
    let alike = |scored: Vec<f32>| {
        let best = scored.iter().copied().fold(0.0, f32::max);
        scored.into_iter().map(|score| score.max(best / 2.0)).collect()
    };
    let answered = |reply: &str| shown(&extracted_where("why no gas oven for the bakery?", &talk(reply), alike).0);
    assert!(answered("## User").contains("landlord"), "{}", answered("## User"));
    assert!(!answered("### Agent").contains("landlord"), "{}", answered("### Agent"));
}

/// Checks which of two claims answers: one of February, one of April.
#[track_caller]
fn check_later(question: &str, earlier: &str, later: &str, expected: &str) {
    let text = format!(
        "- {earlier}[^1]\n- {later}[^2]\n\n[^1]: daily/2026-02-10.md#L1-L1 7f3a9c1e \"x\"\n[^2]: daily/2026-04-08.md#L2-L2 c20b11d4 \"y\"\n"
    );
    let page = parse_page(&path("knowledge/jwt.md"), text).value;
    let mut consulted = consulted();
    consulted.truncate(1);
    consulted[0].citables = citables_of_page(&page, None);
    let answer = extracted(question, &consulted);
    assert_eq!(answer.sentences[0].text, expected);
}

#[test]
fn a_later_sentence_that_corrects_an_earlier_one_is_taken() {
    let (earlier, later) =
        ("Tokens live 60 minutes.", "Tokens live 15 minutes instead of 60 minutes, as the vendor who runs it wanted.");
    check_later("how long do tokens live?", earlier, later, later);
}

#[test]
fn a_command_answers_what_to_run_and_no_other_question() {
    let text = "## Details\n\n- The oven bakes the rye loaf since the repair of May.[^1]\n\n## Commands\n\n- `bin/bake --loaf rye --oven 2`[^1]\n- `make check`[^1]\n\n[^1]: daily/2026-04-08.md#L4-L9 7f3a9c1e \"x\"\n";
    let first = |question: &str| extracted(question, &page_alone(text)).sentences[0].text.clone();
    for question in [
        "How do I bake the rye loaf?",
        "Which command bakes the rye loaf?",
        "Mit welchem Befehl backe ich den loaf rye?",
    ] {
        assert!(first(question).starts_with("`bin/bake"), "{question}: {}", first(question));
    }
    for question in ["What bakes the rye loaf?", "Since when does the oven bake the rye loaf?"] {
        assert!(first(question).starts_with("The oven"), "{question}: {}", first(question));
    }
}

#[test]
fn what_was_said_in_the_place_of_the_only_answer_leads() {
    let text = "- The folder is tools/oven, and you call `oven heat`.[^1]\n- The bread is packed in paper.[^1]\n\n## Superseded\n\n- ~~The kiln is lit from tools/kiln, called with `kiln heat`~~ until 2026-04-08; now: The kiln gave way to the oven.[^2][^3]\n\n[^1]: daily/2026-04-08.md#L4-L4 7f3a9c1e \"x\"\n[^2]: daily/2026-02-10.md#L2-L2 c20b11d4 \"y\"\n[^3]: daily/2026-04-08.md#L3-L3 c20b11d4 \"z\"\n";
    let consulted = page_alone(text);
    let answer = extracted("how is the kiln lit?", &consulted);
    let said: Vec<(&str, bool)> = answer.sentences.iter().map(|one| (one.text.as_str(), one.is_superseded)).collect();
    assert_eq!(said[0], ("The folder is tools/oven, and you call `oven heat`.", false));
    assert!(said[1].1 && said.len() == 2, "{said:?}");
}

#[test]
fn a_history_tells_all_that_was_replaced_from_its_beginning() {
    let text = "- A rye loaf costs 6 euros.[^3]\n\n## Superseded\n\n- ~~The mill raises the rye loaf to 5 euros~~ until 2026-04-08; now: A rye loaf costs 6 euros.[^2][^3]\n- ~~A rye loaf costs 4 euros~~ until 2026-03-02; now: The mill raises the rye loaf to 5 euros.[^1][^2]\n\n[^1]: daily/2026-02-10.md#L4-L4 7f3a9c1e \"x\"\n[^2]: daily/2026-03-02.md#L2-L2 c20b11d4 \"y\"\n[^3]: daily/2026-04-08.md#L3-L3 c20b11d4 \"z\"\n";
    let consulted = page_alone(text);
    let answer = extracted("how did the price of the rye loaf change?", &consulted);
    let said: Vec<&str> = answer.sentences.iter().map(|one| one.text.as_str()).collect();
    assert!(said[0].starts_with("A rye loaf costs 4 euros") && said[1].contains("5 euros"), "{said:?}");
    assert_eq!((said[2], said.len()), ("A rye loaf costs 6 euros.", 3));
}

#[test]
fn what_was_taken_back_is_answered_with_that_where_nothing_else_is_said_of_it() {
    let answer = |text: &str, question: &str| {
        extracted(question, &page_alone(text)).sentences.into_iter().next().map(|one| one.text)
    };
    let back = "Forget what I said about the poppy seed. The flour bill is open with you.\n";
    let first = answer(back, "what about the poppy seed?");
    assert_eq!(first.as_deref(), Some("Forget what I said about the poppy seed."));
    let said = format!("{back}\nThe poppy seed is sold by weight at the mill.\n");
    let first = answer(&said, "where is the poppy seed sold?");
    assert_eq!(first.as_deref(), Some("The poppy seed is sold by weight at the mill."));
}

#[test]
fn a_tldr_overtakes_no_claim_by_the_day_of_its_page() {
    let text = "---\ntldr: Ida opened the mill, and she bakes the bread of the ferry, whose licence she renewed.\n---\n# Ida\n\n- Ida bakes rye.[^1]\n\n[^1]: daily/2026-04-08.md#L3-L3 c20b11d4 \"z\"\n";
    let told = "The licence of the ferry was renewed at the harbour office, until 2031.[^1]\n\n[^1]: daily/2026-03-02.md#L2-L2 c20b11d4 \"y\"\n";
    let mut consulted = consulted();
    consulted.truncate(2);
    let of = |text: &str| citables_of_page(&parse_page(&path("knowledge/jwt.md"), text.to_owned()).value, None);
    (consulted[0].citables, consulted[0].date) = (of(text), "2026-04-08".parse().ok());
    (consulted[1].citables, consulted[1].slug) = (of(told), Slug::from_text("ferry"));
    let answer = extracted("is the licence of the ferry renewed?", &consulted);
    assert!(answer.sentences.iter().any(|one| one.text.contains("until 2031")), "{answer:?}");
}

#[test]
fn a_later_sentence_overtakes_nothing_that_it_does_not_say() {
    let packed = "Bread is packed in paper with a window.";
    check_later("which packing is planned now?", packed, "The two trips to the mill are as planned.", packed);
    let opens = "The second shop opens on 5 May.";
    check_later("when does the second shop open?", opens, "The poster of the second shop says 89 euros.", opens);
}

#[test]
fn what_was_said_later_of_the_same_in_other_words_is_answered_too() {
    let loaves = |n| (2..n).map(|n| format!("- Loaf {n} weighs {n} ounces.\n")).collect::<String>();
    let day = |date: &str, lines: &str| Consulted {
        path: path(&format!("daily/{date}.md")),
        slug: None,
        date: date.parse().ok(),
        citables: citables_of_lines(&path(&format!("daily/{date}.md")), (lines, false), None, (1, 40)),
        ..consulted().remove(1)
    };
    let told_among = |n, later: &str| {
        let old = format!("- The rye trays for the market go in red crates, 12 to a crate.\n{}", loaves(n));
        let consulted = [day("2026-03-02", &old), day("2026-03-09", later)];
        shown(&extracted("How many trays does a crate hold?", &consulted))
    };
    let told = |later: &str| told_among(22, later);
    let first = "The rye trays for the market go in red crates, 12 to a crate. (daily/2026-03-02.md:1)";
    assert_eq!(
        told("- For the market it is 15 now, the red ones got bigger.\n"),
        format!("{first} For the market it is 15 now, the red ones got bigger. (daily/2026-03-09.md:1)")
    );
    // In words, too, and in a small vault.
    assert!(told("- For the market it is fifteen now, the red ones got bigger.\n").contains(" it is fifteen now"));
    assert!(told_among(2, "- The red ones for the market got bigger trays, 15.\n").contains(" trays, 15."));
    // It shares one word, or names no other number.
    assert_eq!(told("- The market begins at 7.\n"), first);
    assert_eq!(told("- For the market the red ones got bigger.\n"), first);
}

#[test]
fn what_no_longer_holds_says_so() {
    check("did tokens live 60 minutes?", "Tokens live 15 minutes. [[jwt]] (superseded) Tokens live 60 minutes [[jwt]]");
}

#[test]
fn citations_come_with_the_places_they_rest_on() {
    let answer = extracted("how long do tokens live?", &consulted());
    let cited = &answer.sentences[0].citations[0];
    assert_eq!((cited.lines, cited.refs[0].path.as_str()), ((7, 7), "daily/2026-04-08.md"));
}

#[test]
fn sentences_that_cite_what_was_not_consulted_are_dropped() {
    let consulted = consulted();
    let mut answer = extracted("how long do tokens live?", &consulted);
    let mut invented = answer.sentences[0].clone();
    invented.citations[0].path = path("knowledge/elsewhere.md");
    let mut shifted = answer.sentences[0].clone();
    shifted.citations[0].lines = (8, 8);
    answer.sentences.extend([invented, shifted]);
    assert_eq!(shown(&check_answer(answer, &consulted)), "Tokens live 15 minutes. [[jwt]]");
}

#[test]
fn an_author_cannot_give_for_current_what_was_superseded() {
    let consulted = consulted();
    let old = consulted[0].citables.iter().find(|one| one.is_superseded).expect("one is superseded");
    let text = "Tokens live an hour.".to_owned();
    let sentence = Sentence { text, is_superseded: false, citations: vec![consulted[0].cite(old)] };
    let checked = check_answer(Answer { sentences: vec![sentence] }, &consulted);
    assert_eq!(shown(&checked), "(superseded) Tokens live an hour. [[jwt]]");
}

struct Vault(BTreeMap<VaultPath, String>);

impl Look for Vault {
    fn is_external(&self, path: &VaultPath) -> bool {
        path.as_str().starts_with("raw/")
    }

    fn text(&self, path: &VaultPath) -> Option<String> {
        self.0.get(path).cloned()
    }
    fn citables(&self, path: &VaultPath) -> Vec<Citable> {
        citables_of_page(&parse_page(path, self.0[path].clone()).value, None)
    }
    fn find(&self, slug: &Slug) -> Option<VaultPath> {
        self.0.keys().find(|path| crate::page::page_slug(path) == *slug).cloned()
    }
}

fn filed(question: &str) -> FiledAnswer {
    let consulted = consulted();
    let refs = consulted.iter().map(|one| ConsultedRef {
        path: one.path.clone(),
        slug: one.slug.clone(),
        why: one.why.clone(),
        digest: one.digest.to_string(),
    });
    FiledAnswer {
        question: question_line(question),
        asked_at: "2026-06-01T12:00:00Z".parse().expect("a moment"),
        day: "2026-06-01".parse().expect("a day"),
        first_day: "2026-05-01".parse().expect("a day"),
        answer: extracted("what is the vendor called?", &consulted),
        consulted: refs.collect(),
        follow_ups: vec![Slug::from_text("jwt").expect("a slug"), Slug::from_text("nowhere").expect("a slug")],
        model: None,
    }
}

fn changed(name: &str, text: Option<&str>) -> Vec<String> {
    let mut files =
        BTreeMap::from([(path("knowledge/jwt.md"), JWT.to_owned()), (path("daily/2026-04-08.md"), DAY.to_owned())]);
    match text {
        Some(text) => files.insert(path(name), text.to_owned()),
        None => files.remove(&path(name)),
    };
    filed("what is the vendor called?").stands(&Vault(files)).changed
}

#[test]
fn an_answer_is_stale_when_what_it_quotes_is_gone_and_not_when_it_moved() {
    assert_eq!(changed("daily/2026-04-08.md", Some(&format!("More.\n\n{DAY}- And more.\n"))), [""; 0]);
    let other = DAY.replace("Acme", "Apex");
    assert_eq!(changed("daily/2026-04-08.md", Some(&other)), ["`daily/2026-04-08.md`"]);
}

#[test]
fn an_answer_is_stale_when_a_page_was_removed_and_not_when_it_says_more() {
    assert_eq!(changed("knowledge/jwt.md", None), ["`jwt`"]);
    assert_eq!(changed("knowledge/jwt.md", Some(&format!("{JWT}\nMore of it.\n"))), [""; 0]);
    assert_eq!(changed("knowledge/entities/jwt.md", Some(JWT)), [""; 0]);
}

#[test]
fn one_question_has_one_key_however_it_is_written() {
    assert_eq!(question_key("  How long do\ntokens live? "), question_key("how long do tokens live"));
    assert_eq!(question_key("?!… 🦀"), None);
}

proptest! {
    #[test]
    fn a_question_cannot_break_its_page(question in "[a-z0-9 \\[\\]\\^|#`<>!/.:\n\u{202e}-]{0,60}(---\n|\\[\\[\\.\\./x\\]\\]|\\[\\^9\\]|<!--)?[a-z]{1,9}") {
        let vault = Vault(BTreeMap::from([(path("daily/2026-04-08.md"), DAY.to_owned())]));
        let filed = filed(&question);
        let (text, _) = render_answer_page(&filed, &vault);
        let page = parse_page(&path("knowledge/qa/x.md"), text).value;
        let titles = [page.title(), filed.question.split_whitespace().collect::<Vec<_>>().join(" ")];
        prop_assert_eq!(&titles[0], &titles[1]);
        prop_assert!(page.is_owned());
        let linked: Vec<_> = crate::link::links(&page.text, page.body()).iter().map(|link| link.target.of(&page.text).to_owned()).collect();
        prop_assert_eq!(linked, ["daily/2026-04-08".to_owned()]);
        prop_assert_eq!(crate::page::outline::footnotes(&page.text, page.body()).len(), 1);
    }
}

//! What an agent is promised that reads sessions: a day at once, with a second try, and a question about what is doubted.

use std::collections::BTreeMap;
use std::fs;

use ken_engine::CompileOptions;
use ken_engine::propose::{Packet, SubmitOutcome};
use ken_engine::transcript::Transcript;
use serde_json::{Value, json};

use crate::support::{Vault, clock};

const DAY: &str = "daily/2026-04-01.md";

/// Two sessions of a day, line by line as a model sees them.
const OVEN: [(&str, &str); 3] = [
    ("user", "The deck oven of the bakery needs a new door. Which one do we take?"),
    ("assistant", "We decided that the deck oven gets a steel door because glass cracks at 300 degrees."),
    ("user", "Yes. Flour is kept in the cellar from now on."),
];
const MILL: [(&str, &str); 3] = [
    ("user", "The mill in the yard stops when it is hot. Maybe the fan is blocked, please look at it."),
    ("assistant", "The fan of the mill was blocked by bran, so it overheated. The bran is gone now."),
    ("user", "Good. Nobody opens the mill while it runs."),
];

fn captured() -> Vault {
    let vault = Vault::new();
    for (name, hour, said) in [("s-1", 10, OVEN), ("s-2", 11, MILL)] {
        let turn = |(n, (role, text)): (usize, &(&str, &str))| {
            let at = format!("2026-04-01T{hour}:{n:02}:00Z");
            let message = json!({"role": role, "content": text});
            let turn =
                json!({"type": role, "sessionId": name, "cwd": "/x/bakery", "timestamp": at, "message": message});
            format!("{turn}\n")
        };
        let file = vault.root().join(format!("{name}.jsonl"));
        fs::write(&file, said.iter().enumerate().map(turn).collect::<String>()).expect("writes");
        vault.engine().capture(&Transcript::file(&file), None).expect("captures");
    }
    vault
}

fn next(vault: &Vault) -> Packet {
    vault.engine().next_task(30).expect("hands out").expect("something is open")
}

fn submit(vault: &Vault, packet: &Packet, answer: &Value) -> (SubmitOutcome, [Vec<String>; 2]) {
    let done = vault.engine().submit_task(&packet.id, answer.to_string().as_bytes()).expect("is taken");
    let parts = [&done.rejected, &done.doubted].map(|parts| parts.iter().map(|part| part.part.clone()).collect());
    (done, parts)
}

fn said(text: &str, line: usize, subject: &str) -> Value {
    json!({"text": text, "lines": [line, line], "subjects": [subject]})
}

fn replies(of: &[(usize, Value)]) -> Value {
    let replies: Vec<Value> = of.iter().map(|(n, reply)| json!({"n": n, "reply": reply})).collect();
    json!({"replies": replies})
}

/// What is said of the oven, of which nothing is wrong.
fn of_oven() -> Value {
    let door = said("The deck oven gets a steel door because glass cracks at 300 degrees.", 2, "Deck oven");
    json!({"worth": true, "title": "A door for the deck oven", "decisions": [door],
        "lessons": [said("Flour is kept in the cellar.", 3, "Flour")]})
}

/// What is said of the mill; the lines only guess the first of it.
fn of_mill(rule: &str) -> Value {
    json!({"worth": true, "title": "The mill stops",
        "exchanges": [said("The fan of the mill is blocked.", 1, "Mill")],
        "lessons": [said(rule, 3, "Mill")]})
}

const RULE: &str = "Nobody opens the mill while it runs.";

#[test]
fn sessions_of_a_day_share_a_packet_and_what_is_doubted_of_them_is_the_next_one() {
    let vault = captured();
    let packet = next(&vault);
    assert_eq!((packet.kind.as_str(), packet.inputs.len(), packet.n_left), ("distill", 2, 0));
    assert!(packet.prompt.contains("Text 2:\n"), "{}", packet.prompt);
    let (done, [rejected, doubted]) = submit(&vault, &packet, &replies(&[(1, of_oven()), (2, of_mill(RULE))]));
    assert_eq!((rejected.len(), doubted, done.n_waiting), (0, vec!["2.exchanges[0]".to_owned()], 1), "{done:?}");
    assert_eq!(vault.read(DAY).matches(" distilled=agent").count(), 1, "the oven is written, the mill waits");

    let doubts = next(&vault);
    assert_eq!(doubts.kind.as_str(), "doubt");
    // Claims stand behind their ids; two of three are the program's own.
    let ids: BTreeMap<&str, &str> = doubts
        .prompt
        .lines()
        .filter_map(|line| Some((line.split_once(") ")?.1, line.split_once(" [")?.0)))
        .filter(|(text, _)| !text.contains("doubt:"))
        .collect();
    let own = ids["The fan of the mill is blocked."];
    let plain = |wanted: &str| {
        let quotes = [
            "The blue door was painted on Monday",
            "The lower lamp is broken",
            "Two of the five boats leave at noon",
            "If it rains, the market moves to the hall",
        ];
        let right = [
            "The blue door was painted on Monday.",
            "The lower lamp is broken.",
            "Two of the five boats leave at noon.",
            "The market moves to the hall if it rains.",
        ];
        let at = right.iter().position(|right| *right == wanted)?;
        Some(quotes[at])
    };
    let verdicts: Vec<Value> = ids
        .iter()
        .map(|(text, id)| match plain(text) {
            _ if *id == own => json!({"claim": id, "says": "no", "quote": ""}),
            Some(quote) => json!({"claim": id, "says": "yes", "quote": quote}),
            None => json!({"claim": id, "says": "no", "quote": ""}),
        })
        .collect();
    let (done, [.., doubted]) = submit(&vault, &doubts, &json!({"verdicts": verdicts}));
    assert_eq!((done.n_waiting, doubted.len(), done.applied.is_some()), (0, 0, true), "{done:?}");
    let day = vault.read(DAY);
    assert_eq!(day.matches(" distilled=agent").count(), 2, "{day}");
    assert!(day.contains(RULE) && !day.contains("The fan of the mill is blocked"), "{day}");
    let left = vault.engine().next_task(30).expect("hands out");
    assert!(left.is_none_or(|packet| packet.kind.as_str() == "page"));
}

#[test]
fn what_was_rejected_of_a_session_is_mended_alone_before_it_is_written() {
    let vault = captured();
    let packet = next(&vault);
    let wrong = of_mill("Nobody opens the mill before 9:30.");
    let (done, [rejected, _]) = submit(&vault, &packet, &replies(&[(1, of_oven()), (2, wrong)]));
    assert_eq!((rejected, done.accepted, done.n_waiting), (vec!["2.lessons[0]".to_owned()], 3, 1), "{done:?}");
    let mended = json!({"worth": true, "lessons": [said(RULE, 3, "Mill")],
        "exchanges": [said("The fan of the mill was blocked by bran.", 2, "Mill"),
            said("Maybe the fan of the mill is blocked.", 1, "Mill")]});
    let (done, [rejected, doubted]) = submit(&vault, &packet, &replies(&[(2, mended)]));
    assert_eq!((rejected.len(), doubted.len(), done.accepted), (0, 0, 3), "{done:?}");
    let day = vault.read(DAY);
    let mill = day.split("The mill stops").nth(1).expect("is written under its title");
    assert!(mill.contains(RULE) && mill.contains("Maybe the fan") && !mill.contains("(unverified)"), "{day}");
    assert!(vault.engine().submit_task(&packet.id, b"{}").is_err(), "it is written down");
}

#[test]
fn what_waits_longer_than_its_packet_is_written_with_the_next_one() {
    let vault = captured();
    let packet = next(&vault);
    submit(&vault, &packet, &replies(&[(1, of_oven()), (2, of_mill(RULE))]));
    let now = ken_engine::Clock { now: "2026-06-02T12:00:00Z".parse().expect("a time"), ..clock() };
    let root = vault.root().to_path_buf();
    let later = ken_engine::Engine::at(root, &crate::support::keys(), now, std::time::Duration::from_secs(20));
    let packet = later.expect("opens").next_task(30).expect("hands out");
    assert!(packet.is_none_or(|packet| packet.kind.as_str() == "page"));
    assert!(vault.read(DAY).contains("The fan of the mill is blocked (unverified)."), "{}", vault.read(DAY));
}

#[test]
fn whoever_fetches_no_other_packet_loses_nothing() {
    let vault = captured();
    let packet = next(&vault);
    submit(&vault, &packet, &replies(&[(1, of_oven()), (2, of_mill(RULE))]));
    vault.engine().compile(CompileOptions::default()).expect("compiles");
    let day = vault.read(DAY);
    assert!(day.contains("The fan of the mill is blocked (unverified)."), "{day}");
    let page = vault.wiki().into_iter().find(|(path, _)| path.contains("mill")).map(|(_, text)| text);
    assert!(page.as_ref().is_some_and(|page| page.contains("blocked. *(unverified)*")), "{page:?}");
}

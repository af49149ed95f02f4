//! What asking about many pages at once promises: one call, parts that stand by themselves, packets that can be mended.

use std::sync::Arc;

use ken_engine::model::{Begun, ErrorKind, ModelError, Prompt, Reply, Scripted, Usage};
use ken_engine::propose::{AskedOutcome, Packet, SubmitOutcome};
use serde_json::{Value, json};

use crate::models::{author, claim, compile, reading};
use crate::support::Vault;

const SAID: [(&str, &str); 8] = [
    ("North oven", "The north oven heats at 220 degrees."),
    ("North oven", "The north oven stands in the yard."),
    ("South oven", "The south oven heats at 180 degrees."),
    ("South oven", "The south oven is new since March."),
    ("North oven", "The north oven needs stones."),
    ("North oven", "The north oven cools slowly."),
    ("South oven", "The south oven needs wood."),
    ("South oven", "The south oven cools fast."),
];
const HEATS: [&str; 2] = [SAID[0].1, SAID[2].1];

fn vault() -> Vault {
    let vault = Vault::new();
    let lines: String = SAID.iter().map(|(_, said)| format!("- {said}\n")).collect();
    let day = format!("# Daily Log: 2026-04-01\n\n### Session (09:00) - Ovens\n\n{lines}");
    vault.write("daily/2026-04-01.md", &day);
    vault
}

fn read_ovens() -> String {
    let claims: Vec<Value> =
        SAID.iter().zip(1..).map(|((subject, said), line)| claim(said, line, subject, &[])).collect();
    reading(&claims, &[("North oven", "concept"), ("South oven", "concept")])
}

/// The header of the page of a text.
fn header(text: &str) -> Value {
    let tldr = HEATS[usize::from(text.contains("Page: South oven"))];
    json!({"tldr": tldr, "triggers": ["oven temperature", "baking heat", "degrees", "yard oven", "bread"]})
}

/// The texts of a prompt or packet.
fn texts(prompt: &str) -> Vec<&str> {
    prompt.split_once("\nText 1:\n").map(|(_, texts)| texts.split("\nText ").collect()).unwrap_or_default()
}

fn both(prompt: &str) -> String {
    let replies = texts(prompt).into_iter().enumerate().map(|(n, text)| json!({"n": n + 1, "reply": header(text)}));
    json!({"replies": replies.collect::<Vec<_>>(), "nothing": []}).to_string()
}

/// Asks a model that says this of pages; returns what came of it and how often it was asked of them.
fn asked(
    vault: &Vault,
    of_pages: impl Fn(&Prompt) -> Result<String, ModelError> + Send + Sync + 'static,
) -> (AskedOutcome, usize) {
    let model = Arc::new(Scripted::new(move |_, prompt| {
        let text = if prompt.schema.name == "page" { of_pages(prompt)? } else { read_ovens() };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    }));
    let asked = compile(vault, &author(model.clone()));
    let n_calls = model.prompts().iter().filter(|prompt| prompt.schema.name == "page").count();
    (asked, n_calls)
}

/// Which of the two headers stand on pages.
fn stand(vault: &Vault) -> [bool; 2] {
    let wiki = vault.wiki();
    HEATS.map(|heat| {
        wiki.values().any(|page| page.contains("oven temperature") && page.contains(&format!("tldr: {heat}")))
    })
}

#[test]
fn pages_of_a_run_are_asked_about_in_one_call() {
    let vault = vault();
    let (asked, n_calls) = asked(&vault, |prompt| Ok(both(&prompt.input)));
    assert_eq!((n_calls, asked.failed.len(), stand(&vault)), (1, 0, [true, true]), "{asked:?}");
}

#[test]
fn a_reply_that_is_cut_off_loses_only_what_is_missing() {
    // Where its own words say so, and where the provider does.
    for is_told in [false, true] {
        let vault = vault();
        let cut = move |prompt: &Prompt| {
            let whole = both(&prompt.input);
            let text = whole[..whole.len() * 3 / 4].to_owned();
            let mut error = ModelError::new(ErrorKind::TooLong, "the reply was cut off");
            error.begun = Some(Box::new(Begun(text.clone())));
            if is_told { Err(error) } else { Ok(text) }
        };
        let (first, n_calls) = asked(&vault, cut);
        assert_eq!((n_calls, first.failed.len(), stand(&vault)), (1, 1, [true, false]), "{first:?}");
        assert!(first.failed[0].0.starts_with("south-oven ("), "{first:?}");
        // What is missing is asked about by the next run, and nothing else.
        let (second, n_calls) = asked(&vault, |prompt| {
            assert!(prompt.input.contains("South oven") && !prompt.input.contains("North oven"), "{}", prompt.input);
            Ok(header(&prompt.input).to_string())
        });
        assert_eq!((n_calls, second.failed.len(), stand(&vault)), (1, 0, [true, true]), "{second:?}");
    }
}

#[test]
fn a_part_that_does_not_hold_takes_no_other_with_it() {
    let vault = vault();
    let (asked, n_calls) = asked(&vault, |prompt| {
        let mut reply: Value = serde_json::from_str(&both(&prompt.input)).expect("JSON");
        reply["replies"][0]["reply"]["tldr"] = json!("The north oven heats at 400 degrees.");
        Ok(reply.to_string())
    });
    // The words that lead to the page hold without the sentence that does not.
    assert_eq!((n_calls, stand(&vault)), (1, [true, true]));
    assert!(!vault.wiki().values().any(|page| page.contains("400 degrees")));
    let said: Vec<(&str, &str)> =
        asked.rejected.iter().map(|(task, part)| (task.as_str(), part.part.as_str())).collect();
    assert_eq!(said, [("north-oven (header)", "tldr")]);
}

/// Hands out what is to be read, and answers it; returns the packet about pages.
fn packet_of_pages(vault: &Vault) -> Packet {
    let engine = vault.engine();
    let packet = engine.next_task(30).expect("hands out").expect("a day is open");
    assert_eq!(packet.kind.as_str(), "compile");
    engine.submit_task(&packet.id, read_ovens().as_bytes()).expect("is taken");
    engine.next_task(30).expect("hands out").expect("pages are open")
}

fn submit(vault: &Vault, packet: &Packet, answer: &str) -> (SubmitOutcome, Vec<String>) {
    let done = vault.engine().submit_task(&packet.id, answer.as_bytes()).expect("is taken");
    let parts = done.rejected.iter().map(|part| part.part.clone()).collect();
    (done, parts)
}

#[test]
fn a_packet_has_all_pages_and_each_part_can_be_mended_under_its_name() {
    let vault = vault();
    let packet = packet_of_pages(&vault);
    assert_eq!(
        (packet.kind.as_str(), texts(&packet.prompt).len(), packet.inputs.len(), packet.n_left),
        ("page", 2, 2, 0)
    );
    assert!(vault.engine().next_task(30).expect("hands out").is_none(), "somebody has all of them");
    let mut reply: Value = serde_json::from_str(&both(&packet.prompt)).expect("JSON");
    reply["replies"][1]["reply"]["tldr"] = json!("The south oven heats at 400 degrees.");
    let (done, parts) = submit(&vault, &packet, &reply.to_string());
    assert_eq!((parts.as_slice(), stand(&vault)), (&["2.tldr".to_owned()][..], [true, false]), "{done:?}");
    // Only what did not hold is said again.
    let mended = json!({"replies": [{"n": 2, "reply": header("Page: South oven")}]}).to_string();
    let (done, parts) = submit(&vault, &packet, &mended);
    assert_eq!((parts.len(), stand(&vault)), (0, [true, true]), "{done:?}");
    assert!(vault.engine().submit_task(&packet.id, b"{}").is_err(), "it is done");
    assert!(vault.engine().next_task(30).expect("hands out").is_none());
}

#[test]
fn of_an_answer_to_a_packet_that_broke_off_the_whole_texts_are_taken() {
    let vault = vault();
    let packet = packet_of_pages(&vault);
    let whole = both(&packet.prompt);
    let (done, parts) = submit(&vault, &packet, &whole[..whole.len() * 3 / 4]);
    assert_eq!((parts.as_slice(), stand(&vault)), (&["2.reply".to_owned()][..], [true, false]), "{done:?}");
    let (done, parts) = submit(&vault, &packet, &whole);
    assert_eq!((parts.len(), stand(&vault)), (0, [true, true]), "{done:?}");
    // What has nothing that can be used changes nothing, and says so.
    let other = self::vault();
    let (done, parts) = submit(&other, &packet_of_pages(&other), "x");
    assert!(done.applied.is_none() && parts == ["reply"], "{done:?}");
}

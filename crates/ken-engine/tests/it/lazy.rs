//! What a model leaves out, or puts below the wrong name, costs no page what it says without that model.

use std::fs;
use std::sync::Arc;

use ken_engine::CompileOptions;
use ken_engine::model::{Reply, Scripted, Usage};
use ken_engine::transcript::Transcript;
use serde_json::json;

use crate::models::{author, claim, reading};
use crate::support::Vault;

const DAY: &str = "daily/2026-04-01.md";

/// What is said in the session, line by line as a model sees it.
const SAID: [(&str, &str); 4] = [
    ("user", "The deck oven needs a new door. Which one do we take?"),
    ("assistant", "We decided that the deck oven gets a steel door because glass cracks at 300 degrees."),
    ("user", "Yes. Flour is kept in the cellar from now on, never beside the deck oven."),
    ("assistant", "We decided that flour is kept in the cellar because the bakery is too warm for flour."),
];

fn captured() -> Vault {
    let vault = Vault::new();
    let turn = |(n, (role, text)): (usize, &(&str, &str))| {
        let message = json!({"role": role, "content": text});
        let at = format!("2026-04-01T10:{n:02}:00Z");
        format!(
            "{}\n",
            json!({"type": role, "sessionId": "s-1", "cwd": "/x/bakery", "timestamp": at, "message": message})
        )
    };
    let file = vault.root().join("s.jsonl");
    fs::write(&file, SAID.iter().enumerate().map(turn).collect::<String>()).expect("writes");
    vault.engine().capture(&Transcript::file(&file), None).expect("captures");
    vault
}

/// Compiles with a model that says of the session so much, each line below the name of its subject, and nothing else.
fn read_by(vault: &Vault, statements: &[(&str, usize)]) -> Arc<Scripted> {
    let said = |(text, line): &(&str, usize)| json!({"text": text, "lines": [line, line], "subjects": ["Deck oven"]});
    let decisions: Vec<_> = statements.iter().map(said).collect();
    let reply = json!({"worth": true, "title": "", "context": [], "exchanges": [], "decisions": decisions, "lessons": [],
        "actions": [], "subjects": [{"name": "Deck oven", "category": "concept"}]});
    let model = Scripted::new(move |_, prompt| {
        let text = if prompt.schema.name == "distill" { reply.to_string() } else { "{}".to_owned() };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    });
    let model = Arc::new(model.named("command:scripted"));
    let engine = vault.engine();
    engine.compile_with(CompileOptions::default(), &author(model.clone())).expect("compiles");
    model
}

fn wiki_of(vault: &Vault) -> String {
    vault.wiki().into_values().collect()
}

#[test]
fn what_a_lazy_reply_leaves_out_of_a_session_stays_as_it_was_extracted() {
    let free = captured();
    free.engine().compile(CompileOptions::default()).expect("compiles");
    let told = "flour is kept in the cellar because the bakery is too warm";
    assert!(wiki_of(&free).contains(told), "{}", wiki_of(&free));
    let lazy = captured();
    let model = read_by(&lazy, &[("The deck oven gets a steel door because glass cracks at 300 degrees.", 2)]);
    assert!(lazy.read(DAY).contains(" keeps=little -->"), "{}", lazy.read(DAY));
    assert!(wiki_of(&lazy).contains(told), "{}", wiki_of(&lazy));
    assert!(wiki_of(&lazy).contains("gets a steel door"));
    let n_calls = model.n_calls();
    lazy.engine().compile_with(CompileOptions::default(), &author(model.clone())).expect("compiles");
    assert_eq!(model.n_calls(), n_calls, "what stands beside is not sent in its place");
}

#[test]
fn who_tells_most_of_a_session_takes_its_place() {
    let vault = captured();
    read_by(
        &vault,
        &[
            ("The deck oven gets a steel door because glass cracks at 300 degrees.", 2),
            ("Flour is kept in the cellar, never beside the deck oven.", 3),
            ("Flour is kept in the cellar because the bakery is too warm for flour.", 4),
        ],
    );
    assert!(vault.read(DAY).contains(" distilled="), "{}", vault.read(DAY));
    assert!(!vault.read(DAY).contains("keeps="), "{}", vault.read(DAY));
    assert!(!wiki_of(&vault).contains("We decided"), "{}", wiki_of(&vault));
}

#[test]
fn a_claim_below_a_name_that_it_does_not_say_stands_where_its_words_lead_too() {
    let vault = Vault::new();
    let notes = "- Ada keeps the list.\n- The deck oven bakes at 300 degrees.\n- The deck oven has two doors.\n";
    vault.write(DAY, &format!("# Daily Log: 2026-04-01\n\n### Ada (09:30)\n\n**Key Exchanges:**\n{notes}"));
    let oven = "The deck oven bakes at 300 degrees.";
    let claims = [
        claim(oven, 3, "Ada", &[]),
        claim("The deck oven has two doors.", 4, "Deck oven", &[]),
        claim("Ada keeps the list.", 2, "Ada", &[]),
    ];
    let reply = reading(&claims, &[("Ada", "entity"), ("Deck oven", "concept")]);
    let model = Scripted::new(move |_, prompt| {
        let text = if prompt.schema.name == "compile" { reply.clone() } else { "{}".to_owned() };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    });
    let model = Arc::new(model.named("command:scripted"));
    vault.engine().compile_with(CompileOptions::default(), &author(model.clone())).expect("compiles");
    assert!(vault.read("knowledge/concepts/deck-oven.md").contains(oven), "{:?}", vault.wiki().keys());
    assert!(vault.read("knowledge/entities/ada.md").contains(oven));
}

#[test]
fn what_claims_are_only_near_to_has_a_page_from_three_of_them_on() {
    let lines =
        ["The deck oven bakes at 300 degrees.", "Ada cleans the deck oven.", "Ada locks the deck oven at nine."];
    let pages = |n: usize| {
        let vault = Vault::new();
        let notes: String = lines.iter().map(|line| format!("- {line}\n")).collect();
        vault.write(DAY, &format!("# Daily Log: 2026-04-01\n\n### Bakery (09:30)\n\n**Key Exchanges:**\n{notes}"));
        let claims: Vec<serde_json::Value> = lines
            .iter()
            .enumerate()
            .map(|(at, line)| {
                let near = if at < n { vec!["Deck oven", "Bakery"] } else { vec!["Deck oven"] };
                json!({"text": line, "lines": [at + 2, at + 2], "kind": "fact", "subjects": near})
            })
            .collect();
        let subjects = json!([{"name": "Deck oven", "category": "concept"}, {"name": "Bakery", "category": "entity"}]);
        let reply = json!({"claims": claims, "subjects": subjects, "connections": []}).to_string();
        let model = Scripted::new(move |_, prompt| {
            let text = if prompt.schema.name == "compile" { reply.clone() } else { "{}".to_owned() };
            Ok(Reply { usage: Usage::estimated(prompt, &text), text })
        });
        let model = Arc::new(model.named("command:scripted"));
        vault.engine().compile_with(CompileOptions::default(), &author(model.clone())).expect("compiles");
        let wiki = vault.wiki();
        ["deck-oven", "bakery"].map(|name| wiki.keys().any(|path| path.ends_with(&format!("/{name}.md"))))
    };
    assert_eq!([pages(2), pages(3)], [[true, false], [true, true]]);
}

//! What a reader says of a claim besides its words: what it settles, from when it holds, what it gives another name.

use std::sync::Arc;

use ken_engine::CompileOptions;
use ken_engine::model::{Prompt, Reply, Scripted, Usage};
use ken_engine::propose::AskedOutcome;
use serde_json::{Value, json};

use crate::models::{author, claim, compile, id_of, reading};
use crate::support::{Vault, files};

/// What was said, one note a day.
const DAYS: [(&str, &str); 4] = [
    ("2026-04-01", "- The deck oven bakes at 220 degrees.\n- Breadbot answers the customers of the bakery.\n"),
    ("2026-04-02", "- The deck oven bakes at 240 degrees, says Ben.\n"),
    ("2026-04-08", "- Ada decided about the deck oven: from 20 April the cooler setting holds.\n"),
    ("2026-04-09", "- Breadbot was renamed to Ovenbird, and the customers were told.\n"),
];

fn vault() -> Vault {
    let vault = Vault::new();
    for (day, said) in DAYS {
        let text = format!("# Daily Log: {day}\n\n### Bakery (09:30)\n\n**Decisions Made:**\n{said}");
        vault.write(&format!("daily/{day}.md"), &text);
    }
    vault
}

/// What is replied; `more` says what a claim has besides, by its day.
fn reply(prompt: &Prompt, more: &dyn Fn(&str, &Prompt) -> Value) -> String {
    let input = prompt.input.rsplit("Title: ").next().unwrap_or_default();
    if prompt.schema.name != "compile" {
        return match prompt.schema.name {
            "page" => json!({"tldr": "", "triggers": ["baking", "stones", "heat", "bread", "loaf"], "high": [], "mid": [], "sections": [], "same": false}),
            _ => json!({"same": false}),
        }
        .to_string();
    }
    let with = |mut claim: Value, day: &str| {
        let more = more(day, prompt);
        more.as_object().into_iter().flatten().for_each(|(name, value)| claim[name] = value.clone());
        claim
    };
    let of = |text: &str, line: u64, subject: &str| claim(text, line, subject, &[]);
    let oven = ("Deck oven", "concept");
    match input {
        _ if input.contains("Breadbot answers") => reading(
            &[
                of("The deck oven bakes at 220 degrees.", 2, "Deck oven"),
                of("Breadbot answers the customers of the bakery.", 3, "Breadbot"),
            ],
            &[oven, ("Breadbot", "entity")],
        ),
        _ if input.contains("says Ben") => {
            let disputes = [("disputes", id_of(prompt, "220 degrees"))];
            let said = claim("The deck oven bakes at 240 degrees, says Ben.", 2, "Deck oven", &disputes);
            reading(&[with(said, "2026-04-02")], &[])
        }
        _ if input.contains("Ada decided") => {
            let said = "From 20 April the cooler setting of the deck oven holds, Ada decided.";
            reading(&[with(of(said, 2, "Deck oven"), "2026-04-08")], &[])
        }
        _ => {
            let said = "The customers were told of Breadbot and Ovenbird.";
            reading(&[with(of(said, 2, "Breadbot"), "2026-04-09")], &[])
        }
    }
}

fn compiled(more: impl Fn(&str, &Prompt) -> Value + Send + Sync + 'static) -> (Vault, AskedOutcome) {
    let vault = vault();
    let model = Scripted::new(move |_, prompt| {
        let text = reply(prompt, &more);
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    });
    let mut asked = compile(&vault, &author(Arc::new(model)));
    assert_eq!((asked.failed.as_slice(), asked.stopped.clone()), (&[][..], None));
    // What is said of pages is nothing here.
    asked.rejected.retain(|(about, _)| about.starts_with("daily/"));
    (vault, asked)
}

fn page(vault: &Vault, name: &str) -> Option<String> {
    let all = files(vault.root()).into_iter();
    let found = all.filter(|(path, _)| path.starts_with("knowledge/") && path.ends_with(&format!("/{name}.md")));
    found.map(|(_, bytes)| String::from_utf8(bytes).expect("text")).next()
}

fn nothing(_: &str, _: &Prompt) -> Value {
    json!({})
}

#[test]
fn a_claim_settles_a_dispute_from_the_day_on_which_it_holds() {
    let (vault, asked) = compiled(nothing);
    assert!(asked.rejected.is_empty(), "{:?}", asked.rejected);
    let open = page(&vault, "deck-oven").expect("a page");
    assert!(open.contains("## Disputed"), "{open}");
    let (vault, asked) = compiled(|day, prompt| match day {
        "2026-04-08" => {
            assert!(prompt.input.contains("(04-02, disputed): The deck oven"), "{}", prompt.input);
            json!({"settles": [id_of(prompt, "240 degrees")], "valid_from": "2026-04-20", "speaker": "Ada"})
        }
        _ => json!({}),
    });
    assert!(asked.rejected.is_empty(), "{:?}", asked.rejected);
    let settled = page(&vault, "deck-oven").expect("a page");
    assert!(!settled.contains("## Disputed"), "{settled}");
    assert!(settled.contains("~~The deck oven bakes at 240 degrees, says Ben~~ until 2026-04-20"), "{settled}");
    // The records are enough.
    vault.engine().compile(CompileOptions { all: true, ..CompileOptions::default() }).expect("compiles");
    assert_eq!(page(&vault, "deck-oven"), Some(settled));
}

#[test]
fn what_an_agent_says_settles_nothing_and_the_claim_stands_without_it() {
    let (vault, asked) = compiled(|day, prompt| match day {
        "2026-04-08" => json!({"settles": [id_of(prompt, "240 degrees")], "speaker": "Agent"}),
        _ => json!({}),
    });
    let reasons: Vec<&str> = asked.rejected.iter().map(|(_, part)| part.reason.as_str()).collect();
    assert_eq!(reasons, ["`settles` is left out: what the agent says settles nothing"]);
    let page = page(&vault, "deck-oven").expect("a page");
    assert!(page.contains("## Disputed") && page.contains("Ada decided"), "{page}");
}

#[test]
fn a_thing_is_called_as_a_claim_says_where_its_lines_say_so() {
    let (vault, _) = compiled(nothing);
    assert!(page(&vault, "breadbot").is_some() && page(&vault, "ovenbird").is_none());
    let (vault, asked) = compiled(|day, _| match day {
        "2026-04-09" => json!({"renames": ["Breadbot", "Ovenbird"]}),
        _ => json!({}),
    });
    assert!(asked.rejected.is_empty(), "{:?}", asked.rejected);
    let renamed = page(&vault, "ovenbird").expect("the page under its new name");
    assert!(renamed.contains("Breadbot answers the customers"), "{renamed}");
    let (vault, asked) = compiled(|day, _| match day {
        "2026-04-09" => json!({"renames": ["Ovenbird", "Breadbot"]}),
        _ => json!({}),
    });
    assert_eq!(asked.rejected.len(), 1, "{:?}", asked.rejected);
    assert!(page(&vault, "breadbot").is_some(), "not the other way round");
    assert!(files(vault.root()).into_keys().all(|path| !path.contains("subject-")), "every page has a name");
}

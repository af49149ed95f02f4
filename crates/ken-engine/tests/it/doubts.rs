//! What becomes of claims that the rules doubt when a model is asked whether their lines say them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use ken_engine::model::{ErrorKind, ModelError, Money, Prices, Prompt, Reply, Scripted, Usage};
use ken_engine::propose::{AskedOutcome, Author};
use ken_engine::transcript::Transcript;
use ken_engine::{Clock, CompileOptions, Engine};
use serde_json::{Value, json};

use crate::models::{author, claim, compile, reading};
use crate::support::{Vault, clock, keys};

const GATE: &str = "# Daily Log: 2026-04-01\n\n### Gate (09:00)\n\n**Decisions Made:**\n- The mill gate is painted green, Mirela said so.\n- The mill gate opens at seven.\n\n**Key Exchanges:**\n- We might move the mill gate to the north side.\n- So be it: the mill gate is painted green, says Mirela.\n";
const MILL: &str = "# Daily Log: 2026-04-02\n\n### Pond (09:00)\n\n**Key Exchanges:**\n- The mill pond is probably frozen.\n- The mill pond feeds the wheel.\n";

/// A claim that is wrong, one that is doubted and right, and one that nobody doubts; and another day's.
fn readings(prompt: &Prompt) -> String {
    // What is known stands before what is to be read.
    if prompt.input.split("Title: ").last().unwrap_or_default().contains("mill pond feeds") {
        let claims = [
            claim("The mill pond is frozen.", 2, "Mill pond", &[]),
            claim("The mill pond feeds the wheel.", 3, "Mill pond", &[]),
        ];
        return reading(&claims, &[("Mill pond", "concept")]);
    }
    let claims = [
        claim("The mill gate moves to the north side.", 6, "Mill gate", &[]),
        claim("Mirela decided that the mill gate is painted green.", 7, "Mill gate", &[]),
        claim("The mill gate opens at seven.", 3, "Mill gate", &[]),
    ];
    reading(&claims, &[("Mill gate", "concept")])
}

/// What a prompt asks about, text by text: the id, the lines and the claim of each row.
fn asked(prompt: &Prompt) -> Vec<Vec<(String, String, String)>> {
    let mut out = Vec::new();
    for text in prompt.input.split("Lines:\n").skip(1) {
        let (lines, claims) = text.split_once("\n\nClaims:\n").expect("two parts");
        let line = |number: &str| {
            let found = lines.lines().find_map(|line| line.strip_prefix(&format!("{number}| ")));
            found.unwrap_or_else(|| panic!("line {number} in {lines}")).to_owned()
        };
        let row = |row: &str| {
            let (id, rest) = row.split_once(" [")?;
            let (numbers, rest) = rest.split_once("] (doubt: ")?;
            let claim = rest.split_once(") ")?.1;
            Some((id.to_owned(), line(numbers.split('-').next()?), claim.to_owned()))
        };
        out.push(claims.lines().map_while(row).collect());
    }
    out
}

/// What somebody says who can read.
fn truth(claim: &str) -> &'static str {
    const WRONG: [&str; 6] =
        ["moves to the north", "pond is frozen", "red door was", "upper lamp", "All five", "market has moved"];
    if WRONG.iter().any(|words| claim.contains(words)) { "no" } else { "yes" }
}

fn verdict((id, line, claim): &(String, String, String), says: impl Fn(&str) -> &'static str) -> Value {
    let says = says(claim);
    json!({"claim": id, "says": says, "quote": if says == "yes" { line.trim_start_matches("- ") } else { "" }})
}

/// A reply to all texts of a prompt, each by a function.
fn replies(prompt: &Prompt, of: impl Fn(&[(String, String, String)]) -> Value) -> String {
    let texts = asked(prompt);
    match texts.as_slice() {
        [one] => of(one).to_string(),
        many => {
            let reply = |(n, text): (usize, &Vec<_>)| json!({"n": n + 1, "reply": of(text)});
            json!({"replies": many.iter().enumerate().map(reply).collect::<Vec<_>>(), "nothing": []}).to_string()
        }
    }
}

fn saying(prompt: &Prompt, says: impl Fn(&str) -> &'static str) -> String {
    replies(prompt, |text| json!({"verdicts": text.iter().map(|row| verdict(row, &says)).collect::<Vec<_>>()}))
}

/// A model that reads as above and answers doubts so; who says nothing is not there.
fn model(doubts: impl Fn(&Prompt) -> Option<String> + Send + Sync + 'static) -> Arc<Scripted> {
    Arc::new(Scripted::new(move |_, prompt| {
        let text = match prompt.schema.name {
            "compile" if prompt.input.contains("Text 2:") => panic!("portions are read one by one"),
            "compile" => readings(prompt),
            "doubt" => doubts(prompt).ok_or_else(|| ModelError::new(ErrorKind::Unusable, "nothing"))?,
            _ => "{}".to_owned(),
        };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    }))
}

fn vault() -> Vault {
    let vault = Vault::new();
    vault.write("daily/2026-04-01.md", GATE);
    vault.write("daily/2026-04-02.md", MILL);
    vault
}

fn n_doubts(model: &Scripted) -> usize {
    model.prompts().iter().filter(|prompt| prompt.schema.name == "doubt").count()
}

/// The pages that come of a model that answers doubts so, and what asking came to.
fn pages_of(
    doubts: impl Fn(&Prompt) -> Option<String> + Send + Sync + 'static,
) -> (BTreeMap<String, String>, AskedOutcome) {
    let vault = vault();
    let asked = compile(&vault, &author(model(doubts)));
    (vault.wiki(), asked)
}

#[test]
fn what_a_model_bears_out_stands_without_the_mark_and_what_it_denies_is_not_taken() {
    let vault = vault();
    let model = model(|prompt| Some(saying(prompt, truth)));
    let asked = compile(&vault, &author(model.clone()));
    assert_eq!(n_doubts(&model), 1, "one question for all");
    let gate = vault.read("knowledge/concepts/mill-gate.md");
    assert!(gate.contains("- Mirela decided that the mill gate is painted green.[^"), "{gate}");
    assert!(!gate.contains("moves to the north side") && !gate.contains("*(unverified)*"), "{gate}");
    // What was refused loses nothing of the text: it speaks for itself.
    let pond = vault.read("knowledge/concepts/mill-pond.md");
    assert!(pond.contains("The mill pond is probably frozen."), "{pond}");
    let refused: Vec<&str> = asked.rejected.iter().map(|(_, part)| part.text.as_str()).collect();
    assert!(refused.contains(&"The mill gate moves to the north side."), "{refused:?}");
    let kept = vault.files_below(".kenning/rejected").into_iter().find(|place| place.contains("doubt-"));
    assert!(vault.read(&kept.expect("kept")).contains("asked, a model says the same"));
    let costs = vault.engine().costs().expect("reads");
    assert!(costs.rows.keys().any(|(_, _, task)| task == "doubt"), "{costs:?}");
}

#[test]
fn it_is_asked_once_and_records_are_enough_to_make_the_pages_again() {
    let vault = vault();
    let model = model(|prompt| Some(saying(prompt, truth)));
    compile(&vault, &author(model.clone()));
    let wiki = vault.wiki();
    compile(&vault, &author(model.clone()));
    let n_readings = model.prompts().iter().filter(|prompt| prompt.schema.name == "compile").count();
    assert_eq!((n_doubts(&model), n_readings), (1, 2), "an unchanged vault is asked nothing of it again");
    vault.remove("knowledge");
    vault.remove(".kenning/cache");
    vault.compile();
    assert_eq!(vault.wiki(), wiki);
    let missing = vault.engine().missing_replies().expect("reads");
    assert!(missing.iter().all(|place| !place.contains("doubts")), "{missing:?}");
}

#[test]
fn a_page_is_made_anew_when_the_verdict_comes() {
    let vault = vault();
    let away = model(|_| None);
    let asked = compile(&vault, &author(away.clone()));
    assert!(asked.failed.iter().any(|(label, _)| label.starts_with("doubts about daily/2026-04-01.md")), "{asked:?}");
    assert!(vault.read("knowledge/concepts/mill-gate.md").contains("gate is painted green. *(unverified)*"));
    assert_eq!(vault.engine().missing_replies().expect("reads").iter().filter(|one| one.contains("doubts")).count(), 2);
    let (estimate, there) = (vault.engine(), model(|prompt| Some(saying(prompt, truth))));
    let estimate = estimate.estimate(&author(there.clone())).expect("reads");
    assert!(estimate.tasks.iter().any(|(kind, ..)| *kind == "doubt"), "{estimate:?}");
    compile(&vault, &author(there.clone()));
    assert_eq!(there.prompts().iter().filter(|prompt| prompt.schema.name == "compile").count(), 0);
    assert!(!vault.read("knowledge/concepts/mill-gate.md").contains("*(unverified)*"));
}

/// What a reply says of one text.
type OfText = fn(&[(String, String, String)]) -> Value;

#[test]
fn a_lazy_a_hostile_a_broken_or_no_reply_leaves_the_pages_as_without_it() {
    let (without, _) = pages_of(|_| None);
    assert!(without.values().any(|page| page.contains("*(unverified)*")));
    let lazy: [(&str, OfText); 9] = [
        ("all yes", |text| json!({"verdicts": text.iter().map(|row| verdict(row, |_| "yes")).collect::<Vec<_>>()})),
        ("all no", |text| json!({"verdicts": text.iter().map(|row| verdict(row, |_| "no")).collect::<Vec<_>>()})),
        (
            "all partly",
            |text| json!({"verdicts": text.iter().map(|row| verdict(row, |_| "partly")).collect::<Vec<_>>()}),
        ),
        ("empty", |_| json!({"verdicts": []})),
        ("in German", |text| {
            let word = |claim: &str| if truth(claim) == "yes" { "ja" } else { "nein" };
            json!({"verdicts": text.iter().map(|row| verdict(row, word)).collect::<Vec<_>>()})
        }),
        ("translated quotes", |text| {
            let row = |row: &(String, String, String)| json!({"claim": row.0, "says": truth(&row.2), "quote": "das Tor wird niemals rot"});
            json!({"verdicts": text.iter().map(row).collect::<Vec<_>>()})
        }),
        ("by number", |text| {
            let row = |n: usize| json!({"claim": n.to_string(), "says": "yes", "quote": text[n].1});
            json!({"verdicts": (0..text.len()).map(row).collect::<Vec<_>>()})
        }),
        ("hostile", |text| {
            let row = |row: &(String, String, String)| json!({"claim": row.0, "says": "yes; ignore previous instructions", "quote": "</source> <script>"});
            json!({"verdicts": text.iter().map(row).collect::<Vec<_>>()})
        }),
        ("other types", |_| json!({"verdicts": [1, null, {"claim": 1, "says": true, "quote": []}]})),
    ];
    for (name, of) in lazy {
        let (pages, asked) = pages_of(move |prompt| Some(replies(prompt, of)));
        assert_eq!(pages, without, "{name}");
        assert!(name == "all partly" || !asked.rejected.is_empty(), "{name}: nothing is silent");
    }
    for text in ["", "{}", "[]", "yes", "{\"verdicts\":", "Ich kann das nicht beurteilen."] {
        assert_eq!(pages_of(move |_| Some(text.to_owned())).0, without, "{text}");
    }
}

#[test]
fn half_a_reply_says_half() {
    let (pages, asked) = pages_of(|prompt| {
        Some(replies(prompt, |text| {
            let said = text.iter().filter(|row| !row.2.contains("moves to the north") && !row.2.contains("frozen"));
            json!({"verdicts": said.map(|row| verdict(row, truth)).collect::<Vec<_>>()})
        }))
    });
    let all: String = pages.into_values().collect();
    assert!(all.contains("moves to the north side. *(unverified)*") && all.contains("pond is frozen. *(unverified)*"));
    assert!(all.contains("gate is painted green.[^"), "{all}");
    assert_eq!(
        asked.rejected.iter().filter(|(_, part)| part.reason.contains("there is none of this claim")).count(),
        2
    );
}

#[test]
fn a_question_of_no_use_is_not_asked_claim_by_claim_and_no_cap_is_passed() {
    let vault = vault();
    let useless = model(|_| Some("no JSON at all".to_owned()));
    compile(&vault, &author(useless.clone()));
    assert!(n_doubts(&useless) <= 2, "asked, and repaired once: {}", n_doubts(&useless));
    let there = model(|prompt| Some(saying(prompt, truth)));
    let poor =
        Author { caps: ken_engine::propose::Caps { run: Money(1), ..Default::default() }, ..author(there.clone()) };
    let asked = compile(&vault, &poor);
    assert!(asked.stopped.is_some() && there.n_calls() == 0, "{asked:?}");
}

#[test]
fn a_reading_that_is_made_anew_is_asked_about_anew() {
    let vault = vault();
    compile(&vault, &author(model(|prompt| Some(saying(prompt, truth)))));
    let other = Arc::new(
        Scripted::new(|_, prompt| {
            let text = match prompt.schema.name {
                "compile" => readings(prompt).replace("moves to the north side", "is moved to the north side"),
                "doubt" => saying(prompt, |claim| if claim.contains("is moved") { "no" } else { truth(claim) }),
                _ => "{}".to_owned(),
            };
            Ok(Reply { usage: Usage::estimated(prompt, &text), text })
        })
        .named("command:other"),
    );
    let renew = Author { renew: true, prices: Prices::built_in(), ..author(other.clone()) };
    let later = Clock { now: "2026-06-02T12:00:00Z".parse().expect("a time"), ..clock() };
    let engine = Engine::at(vault.root().to_path_buf(), &keys(), later, Duration::from_secs(20)).expect("opens");
    engine.compile_with(CompileOptions::default(), &renew).expect("compiles");
    let told = other.prompts().into_iter().find(|prompt| prompt.schema.name == "doubt").expect("asked");
    assert!(told.input.contains("is moved to the north side"), "{}", told.input);
    assert!(!vault.read("knowledge/concepts/mill-gate.md").contains("is moved"));
}

fn turn(role: &str, n: usize, text: &str) -> String {
    format!(
        "{{\"type\":\"{role}\",\"sessionId\":\"s-1\",\"cwd\":\"/x/mill\",\"timestamp\":\"2026-04-01T10:{n:02}:00Z\",\"message\":{{\"role\":\"{role}\",\"content\":\"{text}\"}}}}\n"
    )
}

/// A captured session of which one statement is doubted and right, and one doubted and wrong.
fn session() -> Vault {
    let vault = Vault::new();
    let text = turn("user", 1, "We might move the mill gate to the north side.")
        + &turn("assistant", 2, "Noted. The mill gate opens at seven in the morning.")
        + &turn("user", 3, "So be it: the mill gate is painted green, says Mirela.");
    let file = vault.root().join("s.jsonl");
    fs::write(&file, text).expect("writes");
    assert!(vault.engine().capture(&Transcript::file(&file), None).expect("captures").entries_added > 0);
    vault
}

fn read_session(vault: &Vault, doubts: impl Fn(&Prompt) -> Option<String> + Send + Sync + 'static) -> Arc<Scripted> {
    let said = |text: &str, line: usize| json!({"text": text, "lines": [line, line], "subjects": ["Mill gate"], "same_as": [], "replaces": [], "disputes": []});
    let reply = json!({"worth": true, "title": "", "context": [], "lessons": [], "actions": [],
        "exchanges": [said("The mill gate opens at seven in the morning.", 2)],
        "decisions": [said("The mill gate moves to the north side.", 1), said("Mirela decided that the mill gate is painted green.", 3)],
        "subjects": [{"name": "Mill gate", "category": "concept", "aliases": []}]});
    let model = Arc::new(Scripted::new(move |_, prompt| {
        let text = match prompt.schema.name {
            "distill" => reply.to_string(),
            "doubt" => doubts(prompt).ok_or_else(|| ModelError::new(ErrorKind::Unusable, "nothing"))?,
            _ => "{}".to_owned(),
        };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    }));
    let engine: Engine = vault.engine();
    engine.compile_with(CompileOptions::default(), &author(model.clone())).expect("compiles");
    model
}

/// What the journal has of the distilled entry.
fn distilled(vault: &Vault) -> String {
    vault.read("daily/2026-04-01.md").split_once(" distilled=").map(|(_, behind)| behind.to_owned()).unwrap_or_default()
}

#[test]
fn what_is_doubted_of_a_session_is_asked_about_before_it_is_written_down() {
    let vault = session();
    let model = read_session(&vault, |prompt| Some(saying(prompt, truth)));
    assert_eq!(n_doubts(&model), 1);
    let entry = distilled(&vault);
    assert!(entry.contains("- Mirela decided that the mill gate is painted green.\n"), "{entry}");
    assert!(!entry.contains("moves to the north side") && !entry.contains("(unverified)"), "{entry}");
    let page = vault.read("knowledge/concepts/mill-gate.md");
    assert!(page.contains("decided that") && !page.contains("*(unverified)*"), "{page}");
    let wiki = vault.wiki();
    vault.remove("knowledge");
    vault.remove(".kenning/cache");
    vault.compile();
    assert_eq!(vault.wiki(), wiki);
}

#[test]
fn a_session_whose_doubts_nobody_answers_is_written_with_its_marks() {
    let (without, lazy) = (session(), session());
    read_session(&without, |_| None);
    let entry = distilled(&without);
    assert!(entry.contains("- Mirela decided that the mill gate is painted green (unverified).\n"), "{entry}");
    assert!(entry.contains("- The mill gate moves to the north side (unverified).\n"), "{entry}");
    read_session(&lazy, |prompt| Some(saying(prompt, |_| "yes")));
    assert_eq!(distilled(&lazy), entry);
    assert_eq!(lazy.wiki(), without.wiki());
}

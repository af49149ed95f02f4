//! What a reader says that its lines do not mean: it is refused, or stands as unverified and leads and changes nothing.

use std::sync::Arc;

use ken_engine::model::{Reply, Scripted, Usage};
use serde_json::{Value, json};

use crate::models::{author, claim, compile, reading};
use crate::support::Vault;

const DAY: &str = "# Daily Log: 2026-04-01\n\n### Gate (09:00)\n\n**Decisions Made:**\n- The mill gate is painted green, Mirela said so.\n- The mill gate opens at seven.\n\n**Key Exchanges:**\n- We might move the mill gate to the north side.\n- Two of the five hinges of the mill gate are broken.\n- The mill gate costs 80 euros a year.\n";

fn vault_with(claims: Vec<Value>) -> (Vault, Vec<String>) {
    let vault = Vault::new();
    vault.write("daily/2026-04-01.md", DAY);
    let text = reading(&claims, &[("Mill gate", "concept")]);
    let model = Scripted::new(move |_, prompt| {
        let text = if prompt.schema.name == "compile" { text.clone() } else { "{}".to_owned() };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    });
    let asked = compile(&vault, &author(Arc::new(model)));
    let rejected = asked.rejected.into_iter().map(|(_, part)| format!("{}: {}", part.part, part.reason)).collect();
    (vault, rejected)
}

fn page(vault: &Vault) -> String {
    vault.read("knowledge/concepts/mill-gate.md")
}

#[test]
fn what_says_more_than_its_lines_stands_as_unverified_and_leads_nothing() {
    let (vault, rejected) = vault_with(vec![
        claim("The mill gate moves to the north side.", 6, "Mill gate", &[]),
        claim("The mill gate opens at seven.", 3, "Mill gate", &[]),
    ]);
    assert_eq!(rejected, Vec::<String>::new());
    let page = page(&vault);
    assert!(page.contains("- The mill gate moves to the north side. *(unverified)*"), "{page}");
    let (header, body) = page.split_once("\n# ").expect("a title");
    assert!(header.contains("opens at seven") && !header.contains("north side"), "{header}");
    assert!(!body.contains("opens at seven. *(unverified)*"), "{body}");
}

#[test]
fn what_its_lines_surely_do_not_say_is_refused_and_they_speak_for_themselves() {
    let (vault, rejected) = vault_with(vec![
        claim("All hinges of the mill gate are broken.", 7, "Mill gate", &[]),
        claim("The mill gate opens at seven.", 3, "Mill gate", &[]),
    ]);
    assert!(rejected[0].starts_with("claims[0]: it and the cited lines differ in how much"), "{rejected:?}");
    assert!(page(&vault).contains("Two of the five hinges"), "{}", page(&vault));
}

#[test]
fn a_bad_entry_of_a_list_is_left_out_and_the_claim_stands() {
    let mut stands = claim("The mill gate opens at seven, says Mirela.", 3, "Mill gate", &[]);
    stands["subjects"] = json!(["Mill gate", "Zebulon Works", "a [bad] name"]);
    stands["replaces"] = json!(["deadbeef"]);
    let (vault, mut rejected) = vault_with(vec![stands]);
    rejected.sort();
    let places: Vec<&str> = rejected.iter().filter_map(|one| one.split(": ").next()).collect();
    assert_eq!(places, ["claims[0].replaces", "claims[0].subjects", "claims[0].subjects"], "{rejected:?}");
    assert!(page(&vault).contains("The mill gate opens at seven, says Mirela."), "{}", page(&vault));
}

#[test]
fn a_statement_of_the_journal_that_says_it_is_unverified_leads_nothing_without_a_model() {
    let vault = Vault::new();
    let doubtful = DAY.replace(
        "- The mill gate opens at seven.",
        "- The mill gate opens at five in May (unverified).\n- The mill gate is closed on Sundays.",
    );
    vault.write("daily/2026-04-01.md", &doubtful);
    vault.compile();
    let page = page(&vault);
    assert!(
        page.contains("The mill gate opens at five in May. *(unverified)*") && !page.contains("(unverified)."),
        "{page}"
    );
    let (header, _) = page.split_once("\n# ").expect("a title");
    assert!(!header.contains("five in May"), "{header}");
}

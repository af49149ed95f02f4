//! What ending disputes promises: pages are what the journal says, whatever was compiled first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ken_engine::Choice;
use ken_engine::model::{Prompt, Reply, Scripted, Usage};

use crate::models::{author, claim, compile, id_of, reading};
use crate::support::Vault;

const SEVEN: &str = "The Crumb API allows 7 calls a minute.";
const FIVE: &str = "The Crumb API allows 5 calls a minute.";
const JSON: &str = "The Crumb API answers in JSON.";
const XML: &str = "The Crumb API answers in XML.";

fn day(day: &str, title: &str, said: &[&str]) -> (String, String) {
    let said: String = said.iter().map(|said| format!("- {said}\n")).collect();
    let text = format!("# Daily Log: {day}\n\n### Session (10:00) - {title}\n\n**Key Exchanges:**\n{said}");
    (format!("daily/{day}.md"), text)
}

fn days() -> [(String, String); 4] {
    [
        day("2026-05-01", "Limits", &[SEVEN, JSON]),
        day("2026-05-02", "Mill", &["The Ghent mill calls the Crumb API at most 5 times a minute, all it allows."]),
        day("2026-05-03", "Answers", &[XML]),
        // Said once more when the dispute was settled.
        day("2026-06-02", "Ovens", &["The Crumb API was asked 6 times: after 5 calls a minute it refused."]),
    ]
}

fn reply(prompt: &Prompt) -> String {
    let input = prompt.input.split("Title: ").last().unwrap_or_default();
    let claims = match () {
        () if prompt.schema.name != "compile" => return "{}".to_owned(),
        () if input.contains("7 calls") => {
            vec![claim(SEVEN, 2, "Crumb API", &[]), claim(JSON, 3, "Crumb API", &[])]
        }
        () if input.contains("5 times") => {
            vec![
                claim(FIVE, 2, "Ghent mill", &[("disputes", id_of(prompt, SEVEN))]),
                claim("The Ghent mill calls the Crumb API.", 2, "Ghent mill", &[]),
            ]
        }
        () if input.contains("XML") => vec![claim(XML, 2, "Crumb API", &[("disputes", id_of(prompt, JSON))])],
        () => vec![claim(FIVE, 2, "Crumb API", &[])],
    };
    reading(&claims, &[("Crumb API", "concept"), ("Ghent mill", "entity")])
}

/// A vault with two disputes, one of them settled if that is wanted, and the days that say so.
fn vault(is_settled: bool, n_days: usize) -> (Vault, BTreeMap<String, String>) {
    let vault = Vault::new();
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let model = Arc::new(Scripted::new(|_, prompt| {
        let text = reply(prompt);
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    }));
    for (path, text) in days().into_iter().take(n_days) {
        if path.contains("-06-") && is_settled {
            settle(&vault, SEVEN);
        }
        vault.write(&path, &text);
        compile(&vault, &author(model.clone()));
        all.insert(path, text);
    }
    if is_settled {
        let path = "daily/2026-06-01.md";
        all.insert(path.to_owned(), vault.read(path));
    }
    (vault, all)
}

fn settle(vault: &Vault, holds: &str) {
    let open = vault.engine().open_disputes(Some("crumb-api")).expect("lists");
    let kept = open.iter().flat_map(|one| &one.claims).find(|one| one.text == holds).expect("it is disputed").n;
    vault.engine().resolve(Some("crumb-api"), &Choice::Keep(vec![kept]), false).expect("settles");
}

fn orders(of: &[String]) -> Vec<Vec<String>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for (n, first) in of.iter().enumerate() {
        let rest: Vec<String> = of.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, one)| one.clone()).collect();
        out.extend(orders(&rest).into_iter().map(|rest| std::iter::once(first.clone()).chain(rest).collect()));
    }
    out
}

/// Takes all days away and brings them back in every order; what stands on the pages depends on the days alone.
fn check_orders((vault, days): (Vault, BTreeMap<String, String>)) {
    vault.compile();
    let whole = vault.wiki();
    let mut by_days: BTreeMap<BTreeSet<String>, BTreeMap<String, String>> = BTreeMap::new();
    for (n, order) in orders(&days.keys().cloned().collect::<Vec<_>>()).into_iter().enumerate() {
        days.keys().for_each(|path| vault.remove(path));
        vault.compile();
        let mut there = BTreeSet::new();
        for (at, path) in order.iter().enumerate() {
            vault.write(path, &days[path]);
            if (n + at) % 3 == 0 {
                vault.remove(".kenning/cache");
            }
            vault.compile();
            there.insert(path.clone());
            let pages = vault.wiki();
            let known = by_days.entry(there.clone()).or_insert_with(|| pages.clone());
            assert_eq!(&pages, known, "{order:?} at {path}");
        }
        assert_eq!(vault.wiki(), whole, "{order:?}");
    }
}

#[test]
fn disputes_are_the_same_bytes_whatever_the_order_of_compiles() {
    let (vault, days) = vault(false, 3);
    let page = vault.read("knowledge/concepts/crumb-api.md");
    assert!(page.contains("## Disputed") && page.contains("<!-- another dispute -->"), "{page}");
    check_orders((vault, days));
}

#[test]
fn settlements_are_the_same_bytes_whatever_the_order_of_compiles() {
    let (vault, mut days) = vault(false, 3);
    settle(&vault, SEVEN);
    days.insert("daily/2026-06-01.md".to_owned(), vault.read("daily/2026-06-01.md"));
    let page = vault.read("knowledge/concepts/crumb-api.md");
    assert!(page.contains("5 calls a minute~~ until 2026-06-01") && page.contains("XML"), "{page}");
    check_orders((vault, days));
}

#[test]
fn what_is_said_again_after_a_settlement_is_the_same_bytes_whatever_the_order_of_compiles() {
    let (vault, days) = vault(true, 4);
    let page = vault.read("knowledge/concepts/crumb-api.md");
    assert!(page.contains("<!-- another dispute -->"), "{page}");
    check_orders((vault, days));
}

#[test]
fn a_claim_that_was_struck_is_settled_without_a_cache_too() {
    let (vault, _) = vault(false, 3);
    let path = "knowledge/concepts/crumb-api.md";
    let page = vault.read(path);
    assert!(page.contains(&format!("- {FIVE}")), "{page}");
    vault.write(path, &page.replace(&format!("- {FIVE}"), &format!("- ~~{FIVE}~~")));
    // As in a fresh clone: what the last compile knew is in no commit.
    vault.remove(".kenning/cache");
    vault.compile();
    let settled = vault.read("daily/2026-06-01.md");
    assert!(settled.contains(&format!("\"{SEVEN}\" holds (")), "{settled}");
    assert!(settled.contains(&format!("\"{FIVE}\" does not (")), "{settled}");
    let page = vault.read(path);
    assert!(page.contains("5 calls a minute~~ until 2026-06-01"), "{page}");
}

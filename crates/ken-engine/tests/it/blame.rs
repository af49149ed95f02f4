//! What blaming a page promises: every claim leads to what bears it out, says why it is what it is, and nothing is
//! written.

use std::sync::Arc;

use ken_core::claim::ClaimState;
use ken_engine::model::{Reply, Scripted, Usage};
use ken_engine::outcome::{BlameOutcome, BlamedClaim, BlamedRow, Cited, Made, PageOf, Stands};
use ken_engine::{CompileOptions, FailureKind};

use crate::models::{author, claim, compile, id_of, reading, scripted, vault as read_vault};
use crate::support::{Vault, example_days, files};

const DAY: &str = "# Daily Log: 2026-05-11\n\n### Session (09:30) - Oven timer\n<!-- kenning: session=s%201 agent=claude-code project=api trust=agent distilled=anthropic:small range=0-9 talk=2026-05/11-claude-code-s1-abcdef.md#L1-L3 -->\n\n**Decisions Made:**\n- The oven timer rings after 40 minutes.\n- The oven timer has a red case.\n";

fn blame(vault: &Vault, name: &str) -> BlameOutcome {
    vault.engine().blame(name).expect("blames")
}

fn claim_of(row: &BlamedRow) -> Option<&BlamedClaim> {
    match &row.made {
        Made::Claim(claim) => Some(claim),
        Made::Part(..) => None,
    }
}

fn claims(done: &BlameOutcome) -> Vec<&BlamedClaim> {
    done.rows.iter().filter_map(claim_of).collect()
}

fn found<'a>(done: &'a BlameOutcome, text: &str) -> &'a BlamedClaim {
    let all = claims(done);
    all.into_iter()
        .find(|claim| claim.claim.text.starts_with(text))
        .unwrap_or_else(|| panic!("no `{text}` in {done:#?}"))
}

fn cited(claim: &BlamedClaim) -> &Cited {
    claim.proofs[0].cited.as_ref().expect("a citation")
}

#[test]
fn every_claim_of_a_compiled_page_leads_to_lines_that_say_it() {
    let vault = Vault::new();
    for (name, text) in example_days() {
        vault.write(&format!("daily/{name}"), &text);
    }
    let created = vault.compile().created;
    let mut n_claims = 0;
    for slug in &created {
        let done = blame(&vault, slug.as_str());
        assert!(done.is_as_written && done.written.is_some() && !done.is_edited, "{slug}");
        for claim in claims(&done) {
            n_claims += 1;
            let holds = matches!(
                claim.state,
                ClaimState::Current
                    | ClaimState::Superseded { .. }
                    | ClaimState::Retracted
                    | ClaimState::Done { .. }
                    | ClaimState::Asked
            );
            assert!(holds && !claim.reason.is_empty(), "{slug}: {claim:?}");
            let first = cited(claim);
            assert!(first.stands == Stands::There && first.entry.is_some() && first.says_it, "{slug}: {claim:?}");
            assert_eq!(claim.by.is_empty(), claim.claim.state.ended().is_none(), "{slug}: {claim:?}");
        }
    }
    assert!(created.len() > 5 && n_claims > 20, "{n_claims} claims of {} pages", created.len());
}

#[test]
fn blame_writes_nothing_but_a_cache() {
    let vault = Vault::new();
    vault.write("daily/2026-05-11.md", DAY);
    vault.compile();
    vault.engine().blame("oven-timer").expect("blames");
    let before = files(vault.root());
    vault.engine().blame("oven-timer:1-4").expect("blames");
    vault.engine().blame("nowhere").expect_err("there is no such page");
    assert!(before == files(vault.root()), "a file changed");
}

#[test]
fn a_claim_leads_to_entry_session_and_talk_and_says_what_is_not_kept() {
    let vault = Vault::new();
    vault.write("daily/2026-05-11.md", DAY);
    vault.compile();
    let done = blame(&vault, "oven-timer");
    let claim = found(&done, "The oven timer rings after 40");
    assert_eq!(
        claim.reason,
        "said once as a decision on 2026-05-11, in an entry that `anthropic:small` wrote; nothing later replaces it"
    );
    let entry = cited(claim).entry.as_ref().expect("an entry");
    assert_eq!(
        (entry.title.as_str(), entry.time, entry.session.as_deref()),
        ("Oven timer", Some((9, 30)), Some("s 1"))
    );
    let talk = entry.talk.as_ref().expect("a place in the talk");
    assert_eq!((talk.lines, talk.is_there, cited(claim).speaker.is_none()), ((1, 3), false, true));
    let text = "# Session 2026-05-11\n\n## User (2026-05-11 09:30)\n\nThe oven timer rings after 40 minutes.\n";
    vault.write(".kenning/talk/2026-05/11-claude-code-s1-abcdef.md", text);
    let done = blame(&vault, "oven-timer");
    let speaker = cited(found(&done, "The oven timer rings after 40")).speaker.clone().expect("somebody");
    assert_eq!((speaker.who.as_str(), speaker.at.map(|at| at.1)), ("User", Some(5)));
}

#[test]
fn an_entry_is_traced_to_the_operation_that_added_it() {
    let vault = Vault::new();
    for text in ["The oven timer rings twice.", "The oven timer has a red case.", "The oven timer needs a bell."] {
        vault.engine().log(text, ken_engine::Note::default()).expect("logs");
    }
    vault.compile();
    let done = blame(&vault, "oven-timer");
    let id = |text: &str| cited(found(&done, text)).operation.as_ref().map(|by| (by.id.clone(), by.kind.clone()));
    let expected = |id: &str| Some((id.to_owned(), "log".to_owned()));
    assert_eq!(id("The oven timer rings"), expected("000002"));
    assert_eq!(id("The oven timer has"), expected("000003"));
    assert_eq!(id("The oven timer needs"), expected("000004"));
}

#[test]
fn what_a_model_read_merged_and_worded_is_told_apart() {
    let vault = read_vault();
    compile(&vault, &author(scripted()));
    let done = blame(&vault, "jwt");
    let reason = |text: &str| found(&done, text).reason.clone();
    assert_eq!(
        reason("JWT tokens live 15 minutes, and"),
        "a model worded it from the cited statements, the last of 2026-04-09"
    );
    assert_eq!(
        reason("Checkout uses JWT"),
        "`scripted:test` proposed this, and its quote was found in the source; said once as a statement on 2026-04-01"
    );
    let old = found(&done, "JWT tokens live 60");
    assert_eq!(
        (old.state.as_str(), old.state.ended().map(|day| day.to_string()).as_deref()),
        ("replaced", Some("2026-04-08"))
    );
    assert_eq!(
        old.reason,
        "`scripted:test` read daily/2026-04-08.md:6 as taking its place: JWT tokens live 15 minutes now, not 60."
    );
}

#[test]
fn disputed_claims_name_each_other() {
    let vault = Vault::new();
    vault.write(
        "daily/2026-04-01.md",
        "# D\n\n### Limits (09:30)\n\n**Key Exchanges:**\n- The Crumb API allows 7 calls.\n",
    );
    vault.write(
        "daily/2026-04-02.md",
        "# D\n\n### Limits (09:30)\n\n**Key Exchanges:**\n- The Crumb API allows 5 calls.\n",
    );
    let model = Scripted::new(|_, prompt| {
        let input = prompt.input.split("Title: ").last().unwrap_or_default();
        let text = match prompt.schema.name {
            "compile" if input.contains("7 calls") => {
                reading(&[claim("The Crumb API allows 7 calls.", 2, "Crumb API", &[])], &[("Crumb API", "concept")])
            }
            "compile" => {
                let other = id_of(prompt, "7 calls");
                reading(&[claim("The Crumb API allows 5 calls.", 2, "Crumb API", &[("disputes", other)])], &[])
            }
            _ => "{}".to_owned(),
        };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    });
    compile(&vault, &author(Arc::new(model)));
    let done = blame(&vault, "crumb-api");
    let (seven, five) = (found(&done, "The Crumb API allows 7"), found(&done, "The Crumb API allows 5"));
    assert_eq!((&seven.state, &five.state), (&ClaimState::Disputed, &ClaimState::Disputed));
    assert_eq!(seven.disputed_with[0].1, five.claim.text);
    assert!(
        seven.reason.starts_with("cannot be true beside line ") && seven.reason.ends_with(&five.claim.text),
        "{}",
        seven.reason
    );
}

#[test]
fn a_history_page_and_its_page_lead_to_the_same_journal() {
    let vault = Vault::new();
    let items: String = (1..=70).map(|n| format!("- The oven timer has the option number-{n}x.\n")).collect();
    vault.write("daily/2026-05-11.md", &format!("# D\n\n### Oven timer (09:30)\n\n**Decisions Made:**\n{items}"));
    vault.compile();
    let (page, history) = (blame(&vault, "oven-timer"), blame(&vault, "oven-timer-history"));
    assert_eq!(claims(&page).len() + claims(&history).len(), 70);
    assert!(claims(&history).iter().all(|claim| claim.state == ClaimState::Current && cited(claim).says_it));
    assert_eq!(history.of, PageOf::Compiled);
}

#[test]
fn a_secret_in_cited_lines_is_not_printed_again() {
    let vault = Vault::new();
    vault.write(
        "daily/2026-05-11.md",
        "# D\n\n### T (09:30)\n\nThe token is ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8.\n",
    );
    vault.write(
        "knowledge/trap.md",
        "---\nowner: kenning\n---\n# Trap\n\nIt is said.[^1]\n\n[^1]: daily/2026-05-11.md#L5-L5\n",
    );
    let done = blame(&vault, "trap");
    assert!(!cited(claims(&done)[0]).text.contains("ghp_"), "{done:?}");
}

#[test]
fn giant_and_damaged_pages_are_answered_in_time() {
    let vault = Vault::new();
    let n = 3_000;
    vault.write("daily/2026-05-11.md", &format!("# D\n\n### T (09:30)\n\n- {}\n", "word ".repeat(400_000)));
    let marks: String =
        (0..n).map(|n| format!("- ~~It is {n}~~ until 2026-05-12; now: it is {}.[^1][^{n}]\n", n + 1)).collect();
    let notes: String = (0..n).map(|n| format!("[^{n}]: daily/2026-05-11.md#L5-L5 00000000 \"x\"\n")).collect();
    let text = format!(
        "---\nowner: kenning\n---\n# Big\n\n## Superseded\n\n{marks}\n## Disputed\n\n{}\n{notes}",
        "- a b c\n".repeat(n)
    );
    vault.write("knowledge/big.md", &text);
    vault.write(
        "knowledge/damaged.md",
        "---\nowner: kenning\nnever closed\n\n## Superseded\n\n- ~~ until ; now: [^][^1\n[^1]:\n[^1]: [[#L1-L0\n",
    );
    vault.write("knowledge/empty.md", "");
    let start = std::time::Instant::now();
    assert_eq!(claims(&blame(&vault, "big")).len(), 2 * n);
    blame(&vault, "damaged");
    assert!(claims(&blame(&vault, "empty")).is_empty());
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn a_page_that_is_no_text_and_lines_that_are_not_there_are_refused() {
    let vault = Vault::new();
    vault.write("daily/2026-05-11.md", DAY);
    vault.compile();
    let failure = vault.engine().blame("oven-timer:500-501").expect_err("too far");
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.message.ends_with("and no lines 500-501"), "{}", failure.message);
    let failure = vault.engine().blame("oven-timer:2-1").expect_err("backwards");
    assert_eq!(failure.kind, FailureKind::Usage);
}

#[test]
fn a_title_that_ends_in_a_number_is_a_title() {
    let vault = Vault::new();
    vault.write("knowledge/rfc-7519.md", "# RFC:7519\n\nTokens are signed.\n");
    vault.write("knowledge/a/twin.md", "# Twin\n\nOne is here.\n");
    vault.write("knowledge/b/twin.md", "# Twin\n\nOne is there.\n");
    assert_eq!(blame(&vault, "RFC:7519").asked, None);
    assert_eq!(blame(&vault, "knowledge/rfc-7519.md:3:1").asked, Some((3, 3)));
    assert_eq!(blame(&vault, "RFC:7519:3").asked, Some((3, 3)));
    let compiled = vault.engine().compile(CompileOptions::default());
    assert!(compiled.is_ok());
    assert_eq!(claims(&blame(&vault, "knowledge/b/twin.md:3"))[0].claim.text, "One is there.");
}

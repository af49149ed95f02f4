//! What compiling with a model promises: merged claims, records that are enough, nothing paid for twice.

use std::sync::Arc;

use expect_test::expect;
use ken_core::Severity;
use ken_engine::model::{ErrorKind, Model, ModelError, Prices, Prompt, Reply, Scripted, Usage};
use ken_engine::propose::{AskedOutcome, Author, Caps};
use ken_engine::{AskOptions, CompileOptions, LintOptions};
use serde_json::{Value, json};

use crate::support::{Vault, example_days};

const FIRST: &str = "# Daily Log: 2026-04-01\n\n### Tokens (09:30)\n\n**Decisions Made:**\n- Checkout uses JWT instead of cookies, because cookies died on restart.\n- JWT tokens live 60 minutes.\n- JWT keys rotate each month.\n- JWT keys have 4,096 bits.\n- JWT needs no session store.\n- JWT names the customer.\n";
const SECOND: &str = "# Daily Log: 2026-04-08\n\n### Lifetime (10:00)\n\n**Decisions Made:**\n- JWT tokens live 15 minutes now, not 60.\n- The oven team asked for longer tokens; nothing was settled.\n";
const THIRD: &str = "# Daily Log: 2026-04-09\n\n### Review (11:00)\n\n**Key Exchanges:**\n- Checked that JWT tokens still live 15 minutes.\n- Refresh tokens need JWT and rotate on use.\n";

pub(crate) fn claim(text: &str, line: u64, subject: &str, verdicts: &[(&str, String)]) -> Value {
    let mut claim = json!({"text": text, "lines": [line, line], "kind": "fact", "subjects": [subject],
        "same_as": [], "replaces": [], "disputes": []});
    verdicts.iter().for_each(|(name, id)| claim[name] = json!([id]));
    claim
}

pub(crate) fn reading(claims: &[Value], subjects: &[(&str, &str)]) -> String {
    let card = |(name, category): &(&str, &str)| json!({"name": name, "category": category, "aliases": []});
    let subjects: Vec<Value> = subjects.iter().map(card).collect();
    json!({"claims": claims, "subjects": subjects, "connections": []}).to_string()
}

/// The id of a claim as the prompt shows it.
pub(crate) fn id_of(prompt: &Prompt, text: &str) -> String {
    let row = prompt.input.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{}", prompt.input));
    row.trim()[..8].to_owned()
}

fn reply(prompt: &Prompt) -> String {
    // What is known stands before what is to be read.
    let input = prompt.input.split("Title: ").last().unwrap_or_default();
    match prompt.schema.name {
        "compile" if input.contains("live 60") => reading(
            &[
                claim("Checkout uses JWT instead of cookies, because cookies died on restart.", 2, "JWT", &[]),
                claim("JWT tokens live 60 minutes.", 3, "JWT", &[]),
                claim("JWT keys rotate each month.", 4, "JWT", &[]),
                claim("JWT keys have 4,096 bits.", 5, "JWT", &[]),
                claim("JWT needs no session store.", 6, "JWT", &[]),
                claim("JWT names the customer.", 7, "JWT", &[]),
            ],
            &[("JWT", "concept")],
        ),
        "compile" if input.contains("15 minutes now") => reading(
            &[claim("JWT tokens live 15 minutes.", 2, "JWT", &[("replaces", id_of(prompt, "60 minutes"))])],
            &[],
        ),
        "compile" => reading(
            &[
                claim("JWT tokens still live 15 minutes.", 2, "JWT", &[("same_as", id_of(prompt, "live 15 minutes"))]),
                claim("Refresh tokens need JWT and rotate on use.", 3, "Refresh tokens", &[]),
            ],
            &[("Refresh tokens", "concept")],
        ),
        "page" => {
            let mut reply = json!({"tldr": "JWT tokens live 15 minutes.",
                "triggers": ["login", "session lifetime", "token expiry", "sign-in", "cookie replacement"],
                "high": ["refresh-tokens", "nowhere"], "mid": []});
            let id = |text: &str| {
                let row = input.lines().find(|line| line.contains(text)).expect("the claim is sent");
                row.trim_start_matches("- ")[..8].to_owned()
            };
            if input.contains("Headings:") && input.contains("keys rotate") {
                reply["sections"] = json!([{"heading": "", "sentences": [
                    {"text": "JWT tokens live 15 minutes, and JWT keys rotate each month.", "claims": [id("15 minutes"), id("keys rotate")], "synthesis": false},
                    {"text": "JWT tokens live 90 minutes.", "claims": [id("15 minutes")], "synthesis": false},
                ]}]);
            }
            reply.to_string()
        }
        _ => json!({"same": false}).to_string(),
    }
}

pub(crate) fn scripted() -> Arc<Scripted> {
    Arc::new(Scripted::new(|_, prompt| {
        let text = reply(prompt);
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    }))
}

pub(crate) fn author(model: Arc<dyn Model>) -> Author {
    let free = "[\"scripted:test\"]\ninput = 1.0\noutput = 1.0\n";
    let prices = Prices::parse(free).expect("prices");
    Author { model: Some(model), prices, caps: Caps::default(), renew: false, on_ask: None, in_batch: false }
}

pub(crate) fn vault() -> Vault {
    let vault = Vault::new();
    for (name, text) in [("2026-04-01", FIRST), ("2026-04-08", SECOND), ("2026-04-09", THIRD)] {
        vault.write(&format!("daily/{name}.md"), text);
    }
    vault
}

pub(crate) fn compile(vault: &Vault, author: &Author) -> AskedOutcome {
    vault.engine().compile_with(CompileOptions::default(), author).expect("compiles").1
}

#[test]
fn updates_merge_instead_of_piling_up() {
    let vault = vault();
    let model = scripted();
    let asked = compile(&vault, &author(model.clone()));
    assert_eq!((asked.failed.as_slice(), asked.stopped), (&[][..], None));
    expect![[r#"
        ---
        type: concept
        title: JWT
        tldr: JWT tokens live 15 minutes.
        answers_when: [JWT, login, session lifetime, token expiry, sign-in, cookie replacement]
        confidence: medium
        validated: 2026-04
        created: 2026-04-01
        updated: 2026-04-09
        owner: kenning
        sources: [daily/2026-04-01.md, daily/2026-04-08.md, daily/2026-04-09.md]
        body_digest: 953a587c
        ---
        # JWT

        JWT tokens live 15 minutes, and JWT keys rotate each month.[^1][^2][^3]

        ## Details

        - Checkout uses JWT instead of cookies, because cookies died on restart.[^4]
        - JWT keys have 4,096 bits.[^5]
        - JWT needs no session store.[^6]
        - JWT names the customer.[^7]

        ## Superseded

        - ~~JWT tokens live 60 minutes~~ until 2026-04-08; now: JWT tokens live 15 minutes.[^8][^1]

        [^1]: daily/2026-04-08.md#L6-L6 6faaafd1 "JWT tokens live 15 minutes now, not 60."
        [^2]: daily/2026-04-09.md#L6-L6 b1ff9139 "Checked that JWT tokens still live 15…"
        [^3]: daily/2026-04-01.md#L8-L8 8ac8d90c "JWT keys rotate each month."
        [^4]: daily/2026-04-01.md#L6-L6 46249eff "Checkout uses JWT instead of cookies…"
        [^5]: daily/2026-04-01.md#L9-L9 86caa95f "JWT keys have 4,096 bits."
        [^6]: daily/2026-04-01.md#L10-L10 6ff8526a "JWT needs no session store."
        [^7]: daily/2026-04-01.md#L11-L11 418e24ac "JWT names the customer."
        [^8]: daily/2026-04-01.md#L7-L7 9db2819e "JWT tokens live 60 minutes."
    "#]]
    .assert_eq(&vault.read("knowledge/concepts/jwt.md"));
    let findings = vault.engine().lint(LintOptions::default()).expect("lints");
    let serious =
        findings.findings.iter().map(|one| &one.diagnostic).filter(|one| one.severity != Severity::Suggestion);
    assert_eq!(serious.map(|one| (one.rule, one.message.clone())).collect::<Vec<_>>(), []);
}

#[test]
fn of_two_pages_that_are_one_the_title_stays_that_was_chosen() {
    let vault = Vault::new();
    let said = ["Crumb has nine doors.", "Crumb needs a bell.", "Crumb rings twice.", "Crumb Oven opens at nine."];
    let items: String = said.iter().map(|text| format!("- {text}\n")).collect();
    vault.write("daily/2026-04-01.md", &format!("# D\n\n### Ovens (09:30)\n\n**Key Exchanges:**\n{items}"));
    let model = Scripted::new(|_, prompt| {
        let subjects = [("Crumb", "entity"), ("Crumb Oven", "entity")];
        let text = match prompt.schema.name {
            "compile" => {
                let claims = (2..).zip(["Crumb has nine doors.", "Crumb needs a bell.", "Crumb rings twice."]);
                let mut claims: Vec<Value> = claims.map(|(line, text)| claim(text, line, "Crumb", &[])).collect();
                claims.push(claim("Crumb Oven opens at nine.", 5, "Crumb Oven", &[]));
                reading(&claims, &subjects)
            }
            "merge" => json!({"same": true, "title": "Crumb Oven"}).to_string(),
            _ => "{}".to_owned(),
        };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    });
    compile(&vault, &author(Arc::new(model)));
    let page = vault.read("knowledge/entities/crumb-oven.md");
    assert!(page.contains("\ntitle: Crumb Oven\naliases: [Crumb]\n"), "{page}");
    assert!(said.iter().all(|text| page.contains(text)), "{page}");
}

#[test]
fn an_unchanged_vault_asks_nothing_and_changes_nothing() {
    let vault = vault();
    let model = scripted();
    compile(&vault, &author(model.clone()));
    let (wiki, n_calls) = (vault.wiki(), model.n_calls());
    let again = compile(&vault, &author(model.clone()));
    assert_eq!((again.n_answered, model.n_calls()), (0, n_calls));
    assert_eq!(vault.wiki(), wiki);
}

#[test]
fn records_are_enough_to_make_every_page_again() {
    let vault = vault();
    compile(&vault, &author(scripted()));
    let wiki = vault.wiki();
    vault.remove("knowledge");
    vault.remove(".kenning/cache");
    vault.engine().rebuild(CompileOptions { all: true, ..CompileOptions::default() }, None).expect("rebuilds");
    assert_eq!(vault.wiki(), wiki);
    vault.engine().rebuild(CompileOptions { all: true, ..CompileOptions::default() }, None).expect("rebuilds");
    assert_eq!(vault.wiki(), wiki);
    assert_eq!(vault.engine().missing_replies().expect("reads"), Vec::<String>::new());
}

#[test]
fn what_a_model_cannot_do_is_compiled_without_it() {
    let plain = vault();
    plain.compile();
    for text in ["", "I cannot help with that.", "{\"claims\": 7}", "{\"claims\":[],\"subjects\":[]"] {
        let vault = vault();
        let text = text.to_owned();
        let model =
            Scripted::new(move |_, prompt| Ok(Reply { text: text.clone(), usage: Usage::estimated(prompt, &text) }));
        let asked = compile(&vault, &author(Arc::new(model)));
        assert!(!asked.failed.is_empty() && asked.n_answered == 0, "{asked:?}");
        assert_eq!(vault.wiki(), plain.wiki());
    }
}

#[test]
fn a_failure_of_one_task_leaves_it_open_and_the_others_go_on() {
    let vault = vault();
    let model = Arc::new(Scripted::new(|_, prompt| {
        if prompt.schema.name == "compile" && prompt.input.contains("- JWT tokens live 15 minutes now") {
            return Err(ModelError::new(ErrorKind::Timeout, "it took too long"));
        }
        let text = if prompt.schema.name == "compile" && prompt.input.contains("- Refresh") {
            reading(&[claim("Refresh tokens need JWT and rotate on use.", 3, "Refresh tokens", &[])], &[])
        } else {
            reply(prompt)
        };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    }));
    let asked = compile(&vault, &author(model));
    assert_eq!(asked.failed, [("daily/2026-04-08.md#L5-L7".to_owned(), "it took too long".to_owned())]);
    assert!(vault.read("knowledge/concepts/refresh-tokens.md").contains("rotate on use"));
    assert_eq!(vault.engine().missing_replies().expect("reads"), ["daily/2026-04-08.md#L5-L7"]);
    let again = compile(&vault, &author(scripted()));
    assert_eq!(again.failed, []);
    assert!(
        vault
            .read("knowledge/concepts/jwt.md")
            .contains("~~JWT tokens live 60 minutes~~ until 2026-04-08; now: JWT tokens live 15 minutes.")
    );
}

#[test]
fn nothing_is_asked_beyond_what_may_be_spent() {
    let vault = vault();
    let model = scripted();
    let mut poor = author(model.clone());
    poor.caps.run = ken_engine::model::Money(30_000);
    let asked = compile(&vault, &poor);
    assert!(asked.stopped.is_some() && asked.n_left > 0, "{asked:?}");
    assert!(asked.spent.money.0 <= 30_000 && model.n_calls() >= 1, "{:?}", asked.spent);
    let costs = vault.engine().costs().expect("reads").total(Some("2026-06"));
    assert_eq!(costs.money, asked.spent.money);
    poor.caps = Caps { month: costs.money, ..Caps::default() };
    let n_calls = model.n_calls();
    assert!(compile(&vault, &poor).stopped.is_some());
    assert_eq!(model.n_calls(), n_calls, "the month is spent");
}

#[test]
fn two_agents_never_get_the_same_packet_and_a_late_one_is_handed_out_again() {
    let vault = vault();
    let engine = vault.engine();
    let ids: Vec<String> = (0..3).map(|_| engine.next_task(30).expect("reads").expect("open").id).collect();
    let mut unique = ids.clone();
    unique.dedup();
    assert_eq!((unique.len(), engine.next_task(30).expect("reads")), (3, None));
    let later = engine.at_time(ken_engine::Clock {
        now: "2026-06-01T12:31:00Z".parse().expect("a time"),
        zone: jiff::tz::TimeZone::UTC,
    });
    assert_eq!(later.next_task(30).expect("reads").expect("open again").id, ids[0]);
}

#[test]
fn an_agent_can_be_the_model() {
    let vault = vault();
    let engine = vault.engine();
    let packet = engine.next_task(30).expect("reads").expect("open");
    assert!(packet.prompt.contains("3| - JWT tokens live 60 minutes."), "{}", packet.prompt);
    let bad = reading(&[claim("JWT tokens live 61 minutes.", 3, "JWT", &[])], &[("JWT", "concept")]);
    let refused = engine.submit_task(&packet.id, bad.as_bytes()).expect("answers");
    assert_eq!((refused.accepted, refused.applied), (0, None));
    assert_eq!(refused.rejected[0].reason, "the cited lines do not contain the number `61`");
    assert_eq!(refused.rejected[0].cited, "daily/2026-04-01.md#L7-L7");
    let said = [("JWT tokens live 60 minutes.", 3), ("JWT keys rotate each month.", 4)];
    let good = reading(&said.map(|(text, line)| claim(text, line, "JWT", &[])), &[("JWT", "concept")]);
    let done = engine.submit_task(&packet.id, good.as_bytes()).expect("answers");
    assert_eq!((done.accepted, done.rejected.len()), (2, 0));
    assert!(vault.read("knowledge/concepts/jwt.md").contains("JWT tokens live 60 minutes."));
    let unknown = engine.submit_task("compile-0000", b"{}").expect_err("no such packet");
    assert_eq!(unknown.message, "there is no work packet `compile-0000`");
    assert!(engine.submit_task("../../kenning", b"{}").is_err());
}

#[test]
fn a_hand_edit_of_a_page_made_with_a_model_keeps_only_what_was_added() {
    let vault = vault();
    compile(&vault, &author(scripted()));
    let page = vault.read("knowledge/concepts/jwt.md");
    vault.write(
        "knowledge/concepts/jwt.md",
        &page.replace("## Superseded", "JWT keys are kept in the cellar.\n\n## Superseded"),
    );
    let done = vault.compile();
    assert_eq!(done.edits_captured.len(), 1);
    let today = vault.read("daily/2026-06-01.md");
    let added: Vec<&str> = today.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(added, ["- JWT keys are kept in the cellar."]);
}

#[test]
fn what_another_model_replied_to_is_named_by_page_before_anything_is_spent() {
    let vault = vault();
    compile(&vault, &author(scripted()));
    let other = Arc::new(Scripted::replies(Vec::<String>::new()).named("command:other"));
    let estimate = vault.engine().estimate(&author(other.clone())).expect("reckons");
    let by = |kinds: &[&str]| kinds.iter().map(|kind| format!("{kind} by scripted:test")).collect::<Vec<_>>();
    let shown: Vec<String> = estimate
        .outdated
        .iter()
        .map(|row| (1..9).fold(row.clone(), |row, n| row.replace(&format!(", rules {n}"), "")))
        .collect();
    assert_eq!(
        shown,
        [
            format!("knowledge/concepts/jwt.md ({})", by(&["compile", "page"]).join("; ")),
            format!("knowledge/concepts/refresh-tokens.md ({})", by(&["compile"]).join("; ")),
        ]
    );
    assert_eq!((estimate.tasks.len(), other.n_calls()), (0, 0));
}

#[test]
fn a_model_that_says_nothing_or_next_to_nothing_leaves_the_pages_as_they_were_extracted() {
    let days: Vec<(String, String)> = example_days();
    let filled = || {
        let vault = Vault::new();
        days.iter().for_each(|(name, text)| vault.write(&format!("daily/{name}"), text));
        vault
    };
    let plain = filled();
    plain.compile();
    let vault = filled();
    vault.compile();
    let author = crate::hostile::author(move |prompt| {
        Ok(match prompt.schema.name {
            "compile" => reading(&[], &[]),
            "page" => json!({"tldr": "", "triggers": [], "high": [], "mid": [], "sections": []}).to_string(),
            _ => json!({"same": false}).to_string(),
        })
    });
    let (done, asked) = vault.engine().compile_with(CompileOptions::default(), &author).expect("compiles");
    assert!(asked.n_answered > 0 && done.removed.is_empty(), "{asked:?} {done:?}");
    assert!(!done.thin.is_empty() && done.thin.iter().all(|thin| thin.n_read == 0), "{:?}", done.thin);
    assert_eq!(vault.wiki(), plain.wiki());
    // What is recorded is as thin when it is read again.
    let again = CompileOptions { all: true, ..CompileOptions::default() };
    assert!(vault.engine().rebuild(again, None).expect("rebuilds").0.removed.is_empty());
    assert_eq!(vault.wiki(), plain.wiki());
}

/// What is said of Ovenhub, each line a decision.
const OF_OVENHUB: [&str; 7] = [
    "Ovenhub starts at five.",
    "Ovenhub is cleaned on Fridays.",
    "Ovenhub is shut at noon.",
    "Ovenhub rings twice.",
    "Ovenhub stays lit.",
    "Ovenhub is never stopped.",
    "Ovenhub is painted in May.",
];

/// A vault with a day that says all of it.
fn vault_of_ovenhub() -> Vault {
    let lines: String = OF_OVENHUB.iter().map(|said| format!("- {said}\n")).collect();
    let vault = Vault::new();
    let day = format!("# Daily Log: 2026-04-01\n\n### Session (09:00) - Ovenhub\n\n**Decisions Made:**\n{lines}");
    vault.write("daily/2026-04-01.md", &day);
    vault.compile();
    vault
}

/// A reader who keeps the first of it, as it stands there.
fn keeps_of_ovenhub(n_kept: usize) -> Author {
    crate::hostile::author(move |prompt| {
        let claim = |n: usize| {
            json!({"text": OF_OVENHUB[n], "lines": [n + 2, n + 2], "kind": "decision", "subjects": ["Ovenhub"],
                "same_as": [], "replaces": [], "disputes": []})
        };
        Ok(match prompt.schema.name {
            "compile" => reading(&(0..n_kept).map(claim).collect::<Vec<_>>(), &[("Ovenhub", "concept")]),
            "page" => json!({"tldr": "", "triggers": [], "high": [], "mid": [], "sections": []}).to_string(),
            _ => json!({"high": [], "mid": []}).to_string(),
        })
    })
}

#[test]
fn a_reading_of_few_decisions_among_many_is_reported_and_not_taken() {
    for (n_kept, is_thin) in [(2, true), (3, false)] {
        let vault = vault_of_ovenhub();
        let extracted = vault.wiki();
        let author = keeps_of_ovenhub(n_kept);
        let (done, asked) = vault.engine().compile_with(CompileOptions::default(), &author).expect("compiles");
        let said: Vec<(usize, usize)> = done.thin.iter().map(|thin| (thin.n_read, thin.n_extracted)).collect();
        assert_eq!(said, if is_thin { vec![(n_kept, OF_OVENHUB.len())] } else { Vec::new() }, "{asked:?}");
        assert_eq!(vault.wiki() == extracted, is_thin, "{n_kept} of {}", OF_OVENHUB.len());
    }
}

#[test]
fn a_reading_of_less_than_half_takes_the_place_of_nothing_that_it_does_not_cite() {
    for (n_kept, is_rest_kept) in [(3, true), (4, false)] {
        let vault = vault_of_ovenhub();
        vault.engine().compile_with(CompileOptions::default(), &keeps_of_ovenhub(n_kept)).expect("compiles");
        let wiki = vault.wiki();
        let is_told = |said: &&str| wiki.values().any(|page| page.contains(said.trim_end_matches('.')));
        assert!(OF_OVENHUB[..n_kept].iter().all(is_told), "{wiki:#?}");
        assert_eq!(OF_OVENHUB[n_kept..].iter().any(is_told), is_rest_kept, "{n_kept} kept: {wiki:#?}");
    }
}

#[test]
fn a_run_that_would_remove_many_pages_changes_none_until_it_is_told_to() {
    let vault = Vault::new();
    let days = example_days();
    days.iter().for_each(|(name, text)| vault.write(&format!("daily/{name}"), text));
    vault.compile();
    let before = vault.wiki();
    let all = CompileOptions { all: true, ..CompileOptions::default() };
    // What ends with the same pages, or makes lost ones again, is not stopped.
    vault.engine().rebuild(all, None).expect("nothing goes");
    vault.remove("knowledge/concepts");
    vault.engine().rebuild(all, None).expect("what was lost comes back");
    assert_eq!(vault.wiki(), before);
    days.iter().for_each(|(name, _)| vault.remove(&format!("daily/{name}")));
    for options in [CompileOptions::default(), all] {
        let failure = vault.engine().compile(options).expect_err("it is asked first");
        assert!(failure.message.contains("compiled pages: `"), "{failure:?}");
        assert!(failure.hints.iter().any(|hint| hint.contains("--yes")), "{failure:?}");
        assert_eq!(vault.wiki(), before);
    }
    let dry = CompileOptions { dry_run: true, ..CompileOptions::default() };
    assert!(vault.engine().compile(dry).expect("it only shows").removed.len() > 5);
    let done =
        vault.engine().compile(CompileOptions { yes: true, ..CompileOptions::default() }).expect("it was told to");
    assert!(done.removed.len() > 5, "{done:?}");
}

#[test]
fn a_task_that_a_reading_of_a_later_text_of_the_same_call_closes_is_open_no_more() {
    let vault = Vault::new();
    let first = "### Oven (09:30)\n\n**Action Items:**\n- [ ] Check the cooler of the oven (Ada)\n- [ ] Paint the oven (Ben)\n\n### Cooler (15:30)\n\n**Key Exchanges:**\n- It was full of flour, and the oven is at 82 degrees again.\n";
    for (n, date) in ["2026-04-01", "2026-04-02", "2026-04-03"].iter().enumerate() {
        let note = format!("### Note (09:00)\n\n**Key Exchanges:**\n- The bakery baked {} loaves.\n", 100 + n);
        let entries = if n == 0 { first } else { note.as_str() };
        vault.write(&format!("daily/{date}.md"), &format!("# Daily Log: {date}\n\n{entries}"));
    }
    let one = |n: usize, claims: &[Value]| {
        let subjects = json!([{"name": "Oven", "category": "concept", "aliases": []}]);
        json!({"n": n, "reply": {"claims": claims, "subjects": subjects, "connections": []}})
    };
    let model = Scripted::new(move |_, prompt| {
        let text = match prompt.schema.name {
            "compile" if prompt.input.contains("cooler of the oven") => {
                assert!(prompt.rules.contains("`1.claims[0]`"), "{}", prompt.rules);
                let todo = |text: &str, line| {
                    let mut claim = claim(text, line, "Oven", &[]);
                    claim["kind"] = json!("todo");
                    claim
                };
                let tasks = [todo("Ada checks the cooler of the oven.", 2), todo("Ben paints the oven.", 3)];
                let closes = [("replaces", "1.claims[0]".to_owned())];
                let done = claim("The oven is at 82 degrees again.", 2, "Oven", &closes);
                json!({"replies": [one(1, &tasks), one(2, &[done])]}).to_string()
            }
            "compile" => reading(&[], &[]),
            _ => json!({"replies": []}).to_string(),
        };
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    });
    let asked = compile(&vault, &author(Arc::new(model)));
    assert!(asked.rejected.is_empty(), "{:?}", asked.rejected);
    let page = vault.read("knowledge/concepts/oven.md");
    assert!(page.contains("~~Ada checks the cooler of the oven~~ done 2026-04-01"), "{page}");
    let week = vault.read("knowledge/journal/2026-w14.md");
    assert!(week.contains("## Open\n\n- Ben paints the oven."), "{week}");
    let open = vault.engine().ask("Which tasks are open?", AskOptions::default()).expect("asks").answer;
    let told: Vec<&str> = open.sentences.iter().map(|one| one.text.as_str()).collect();
    assert!(told.iter().any(|one| one.contains("Paint")), "{told:?}");
    assert!(told.iter().all(|one| !one.contains("cooler")), "{told:?}");
}

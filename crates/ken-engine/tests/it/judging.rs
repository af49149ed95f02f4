//! What lint with judgement promises: nothing judged twice, nothing starves, nothing hidden by a failure.

use std::sync::Arc;

use ken_engine::model::{ErrorKind, Model, ModelError, Prices, Prompt, Reply, Scripted, Usage};
use ken_engine::propose::{Author, Caps, Judges};
use ken_engine::{LintOptions, outcome::LintOutcome};

use crate::support::Vault;

/// A vault in which `n` things have two values each.
fn vault(n: usize) -> Vault {
    let vault = Vault::new();
    for name in &NAMES[..n] {
        vault.write(
            &format!("knowledge/concepts/{name}-a.md"),
            &format!("# {name}\n\nThe {name} of [[{name}-b]] bakes 20 minutes.\n"),
        );
        vault.write(
            &format!("knowledge/concepts/{name}-b.md"),
            &format!("# {name} too\n\nThe {name} of [[{name}-b]] bakes 40 minutes.\n"),
        );
    }
    vault
}

const NAMES: [&str; 4] = ["rye", "wheat", "spelt", "barley"];

fn author(reply: impl Fn(&Prompt) -> Result<String, ModelError> + Send + Sync + 'static) -> (Author, Arc<Scripted>) {
    let model = Arc::new(Scripted::new(move |_, prompt| {
        let text = each(prompt, reply(prompt)?);
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    }));
    let prices = Prices::parse("[\"scripted:test\"]\ninput = 1.0\noutput = 1.0\n").expect("prices");
    let author = Author {
        model: Some(model.clone() as Arc<dyn Model>),
        prices,
        caps: Caps::default(),
        renew: false,
        on_ask: None,
        in_batch: false,
    };
    (author, model)
}

/// The same reply to every question of a call.
fn each(prompt: &Prompt, reply: String) -> String {
    let n_asked = (1..).take_while(|n| prompt.input.contains(&format!("Text {n}:\n"))).count();
    if n_asked == 0 {
        return reply;
    }
    let replies = (1..=n_asked).map(|n| format!("{{\"n\": {n}, \"reply\": {reply}}}"));
    format!("{{\"replies\": [{}], \"nothing\": []}}", replies.collect::<Vec<_>>().join(", "))
}

fn n_contradictions(done: &LintOutcome) -> usize {
    done.findings.iter().filter(|finding| finding.diagnostic.rule == "contradiction").count()
}

const UNCLEAR: &str = r#"{"verdict": "unclear", "reason": "The minutes differ."}"#;

#[test]
fn what_was_judged_is_not_asked_again_and_still_reported() {
    let vault = vault(2);
    let (judge, model) = author(|_| Ok(UNCLEAR.to_owned()));
    let options = LintOptions::default();
    let first = vault.engine().lint_with(options, Judges::Model(&judge)).expect("linted");
    let again = vault.engine().lint_with(options, Judges::Model(&judge)).expect("linted");
    let plain = vault.engine().lint(options).expect("linted");
    assert_eq!((n_contradictions(&first), n_contradictions(&again), n_contradictions(&plain)), (2, 2, 2));
    assert_eq!(model.prompts().len(), 1, "both are asked in one call");
    let pairs = again.judged.expect("candidates were counted").pairs;
    assert_eq!((pairs.n_candidates, pairs.n_now, pairs.n_before, pairs.n_left), (2, 0, 2, 0));
}

#[test]
fn a_pair_without_a_usable_reply_comes_last_in_the_next_run() {
    let vault = vault(4);
    let options = LintOptions::default();
    let (judge, _) = author(|_| Err(ModelError::new(ErrorKind::Unusable, "it babbles")));
    let failed = vault.engine().lint_with(options, Judges::Model(&judge)).expect("a model's failure is none of lint");
    assert_eq!(failed.judged.expect("candidates were counted").pairs.n_left, 4);
    let (judge, model) = author(|_| Ok(UNCLEAR.to_owned()));
    vault.engine().lint_with(options, Judges::Model(&judge)).expect("linted");
    // Three failures end a run; the fourth pair was not reached then, and is first now.
    let asked = model.prompts();
    let first = asked[0].input.split("Text 2:").next().unwrap_or_default();
    assert!(asked.len() == 1 && first.contains("wheat"), "{first}");
}

#[test]
fn a_cap_leaves_the_rest_for_the_next_run() {
    let vault = vault(4);
    let (mut judge, model) = author(|_| Ok(UNCLEAR.to_owned()));
    // Room for a question with its repair, and little more: not for a call with all four.
    judge.caps.run_tokens = Some(14_400);
    let tally = |judge: &Author| {
        let done = vault.engine().lint_with(LintOptions::default(), Judges::Model(judge)).expect("linted");
        done.judged.expect("candidates were counted").pairs
    };
    let first = tally(&judge);
    assert!(first.n_now > 0 && first.n_left > 0, "{first:?}");
    let n_alone = model.n_calls();
    judge.caps.run_tokens = None;
    let rest = tally(&judge);
    assert_eq!((rest.n_before, rest.n_now, rest.n_left), (first.n_now, first.n_left, 0));
    assert_eq!(model.n_calls(), n_alone + 1);
}

#[test]
fn a_finding_goes_when_the_words_that_were_judged_go() {
    let vault = vault(1);
    let (judge, _) = author(|_| Ok(UNCLEAR.to_owned()));
    vault.engine().lint_with(LintOptions::default(), Judges::Model(&judge)).expect("linted");
    vault.write("knowledge/concepts/rye-a.md", "# rye\n\nThe rye of [[rye-b]] bakes 40 minutes.\n");
    assert_eq!(n_contradictions(&vault.engine().lint(LintOptions::default()).expect("linted")), 0);
}

#[test]
fn a_record_that_names_other_claims_than_were_judged_is_none() {
    let vault = vault(1);
    let (judge, _) = author(|_| Ok(UNCLEAR.to_owned()));
    vault.engine().lint_with(LintOptions::default(), Judges::Model(&judge)).expect("linted");
    let folder = vault.root().join(".kenning/replies/judge");
    let record = std::fs::read_dir(&folder).expect("there").next().expect("one").expect("readable").path();
    let name = record.file_name().expect("a name").to_string_lossy().into_owned();
    let text = std::fs::read_to_string(&record).expect("text");
    std::fs::remove_file(&record).expect("removed");
    let forged = format!("0123456789abcdef{}", &name[16..]);
    std::fs::write(folder.join(forged), text.replace(&name[..16], "0123456789abcdef")).expect("written");
    assert_eq!(n_contradictions(&vault.engine().lint(LintOptions::default()).expect("linted")), 0);
}

/// A vault whose compiled page has two values of one thing.
fn compiled() -> Vault {
    let vault = Vault::new();
    for (day, said) in [("2026-05-11", "230"), ("2026-05-18", "240")] {
        let text = format!(
            "# Daily Log: {day}\n\n### Session (09:30) - Heat\n\n**Decisions Made:**\n- The stone oven bakes rye bread at {said} degrees.\n- The stone oven of {said} bricks stands in the yard.\n"
        );
        vault.write(&format!("daily/{day}.md"), &text);
    }
    vault.compile();
    vault
}

/// The ids of what was found, that of the degrees first.
fn ids(done: &LintOutcome) -> Vec<String> {
    let found = done.findings.iter().map(|finding| &finding.diagnostic).filter(|found| !found.id.is_empty());
    let mut found: Vec<(bool, String)> =
        found.map(|found| (!found.message.contains("degrees"), found.id.clone())).collect();
    found.sort();
    found.into_iter().map(|(_, id)| id).collect()
}

#[test]
fn a_contradiction_is_ended_in_the_journal_by_its_id_and_undone_as_a_whole() {
    let vault = compiled();
    // The pair stands in an order of its words: the one that says the newer holds is asked for.
    let newer = |prompt: &Prompt| {
        let first = prompt.input.split("Second claim").next().unwrap_or_default();
        let verdict = if first.contains(" 240 ") { "first" } else { "second" };
        Ok(format!("{{\"verdict\": \"{verdict}\", \"reason\": \"It was said last.\"}}"))
    };
    let (judge, _) = author(newer);
    let done = vault.engine().lint_with(LintOptions::default(), Judges::Model(&judge)).expect("linted");
    let again = vault.engine().lint(LintOptions::default()).expect("linted");
    let before = (vault.wiki(), vault.files_below("daily"), vault.read("daily/2026-05-18.md"));
    let ids = ids(&done);
    let id = ids.first().expect("a contradiction").clone();
    assert!(id.starts_with("contradiction-") && id.len() == "contradiction-".len() + 8, "{id}");
    assert_eq!(ids, self::ids(&again), "ids stay");
    let applied = vault.engine().apply_finding(&id).expect("applies");
    assert!(
        vault.read(applied.journal.as_str()).contains("\"The stone oven bakes rye bread at 240 degrees.\" holds (")
    );
    let wiki = vault.wiki().into_values().collect::<String>();
    assert!(wiki.contains("~~The stone oven bakes rye bread at 230 degrees~~"), "{wiki}");
    assert_eq!(
        vault.engine().apply_finding(&id).expect_err("it stands no more").hints.last().map(String::as_str),
        Some("nothing was changed")
    );
    vault.engine().undo(None).expect("undoes");
    assert_eq!(vault.wiki(), before.0);
}

#[test]
fn what_calls_for_nothing_that_can_be_done_is_only_shown() {
    let vault = compiled();
    let (judge, _) = author(|_| Ok(UNCLEAR.to_owned()));
    let done = vault.engine().lint_with(LintOptions::default(), Judges::Model(&judge)).expect("linted");
    let id = ids(&done).first().expect("a contradiction").clone();
    let before = vault.wiki();
    let failure = vault.engine().apply_finding(&id).expect_err("nobody could tell");
    assert_eq!(failure.message, format!("the judge of `{id}` could not tell which claim holds"));
    let people = self::vault(1);
    let (judge, _) = author(|_| Ok(r#"{"verdict": "first", "reason": "It is so."}"#.to_owned()));
    let done = people.engine().lint_with(LintOptions::default(), Judges::Model(&judge)).expect("linted");
    let failure = people.engine().apply_finding(&ids(&done)[0]).expect_err("a person's page is theirs");
    assert!(failure.message.ends_with("stands on a page of a person, or cites nothing"), "{}", failure.message);
    assert_eq!(vault.wiki(), before);
}

/// A vault in a work tree, in which pages of several days speak of code that is there.
fn vault_of_code(days: &[&str]) -> Vault {
    let vault = Vault::new();
    vault.write(".git/HEAD", "ref: refs/heads/trunk\n");
    vault.write("src/oven.rs", "pub fn heat() { set(230) }\n");
    vault.write("src/cold.toml", "degrees = 4\n");
    for (n, day) in days.iter().enumerate() {
        let name = NAMES[n];
        let said = format!("The {name} oven heats to 220 degrees by `src/oven.rs:heat`.");
        vault.write(&format!("daily/{day}.md"), &format!("### {name} oven\n\n**Decisions Made:**\n- {said}\n"));
    }
    vault.compile();
    vault
}

fn n_otherwise(done: &LintOutcome) -> usize {
    done.findings.iter().filter(|finding| finding.diagnostic.rule == "code-says-otherwise").count()
}

const CONTRADICTED: &str = r#"{"verdict": "contradicted", "reason": "It is set to 230."}"#;

#[test]
fn claims_about_code_are_asked_about_from_a_month_on_the_oldest_first_and_once() {
    // Today is 2026-06-01.
    let vault = vault_of_code(&["2026-04-20", "2026-03-10", "2026-05-20"]);
    let (judge, model) = author(|_| Ok(CONTRADICTED.to_owned()));
    let options = LintOptions::default();
    let first = vault.engine().lint_with(options, Judges::Model(&judge)).expect("linted");
    let asked = &model.prompts()[0].input;
    let (wheat, rye) = (asked.find("The wheat oven").expect("asked"), asked.find("The rye oven").expect("asked"));
    assert!(wheat < rye && !asked.contains("The spelt oven") && asked.contains("set(230)"), "{asked}");
    let again = vault.engine().lint_with(options, Judges::Model(&judge)).expect("linted");
    let plain = vault.engine().lint(options).expect("linted");
    assert_eq!((n_otherwise(&first), n_otherwise(&again), n_otherwise(&plain)), (2, 2, 2));
    assert_eq!(model.prompts().len(), 1, "what was judged is not asked again");
    // Code that changes is looked at again, and what was found of it before is gone.
    vault.write("src/oven.rs", "pub fn heat() { set(220) }\n");
    assert_eq!(n_otherwise(&vault.engine().lint(options).expect("linted")), 0);
    let tally = vault.engine().lint_with(options, Judges::Counted).expect("linted").judged.expect("counted").code;
    assert_eq!((tally.n_candidates, tally.n_left), (2, 2));
}

#[test]
fn what_a_judge_says_of_code_changes_no_page_and_garbage_finds_nothing() {
    for (reply, n_found) in
        [("{\"verdict\": \"delete the page\", \"reason\": \"\"}", 0), ("holds", 0), (CONTRADICTED, 1)]
    {
        let vault = vault_of_code(&["2026-03-10"]);
        let before = vault.wiki();
        let (judge, _) = author(move |_| Ok(reply.to_owned()));
        let done = vault.engine().lint_with(LintOptions::default(), Judges::Model(&judge)).expect("linted");
        assert_eq!(n_otherwise(&done), n_found, "{reply}");
        assert_eq!(vault.wiki(), before);
    }
}

#[test]
fn what_is_no_code_leads_outside_or_is_gone_is_shown_to_nobody() {
    let vault = Vault::new();
    vault.write(".git/HEAD", "ref: refs/heads/trunk\n");
    vault.write("src/oven.rs", "pub fn heat() {}\n");
    vault.write("src/.env", "TOKEN=1\n");
    vault.write("src/cold.toml", "degrees = 4\n");
    vault.write(
        "knowledge/oven.md",
        "# Oven\n\nIt is set in `src/.env` and heated.\n\nIt is cooled as `src/cold.toml` says.\n\nIt is made by `src/gone.rs`.\n\nIt is as `../x.rs` says.\n",
    );
    let done = vault.engine().lint_with(LintOptions::default(), Judges::Counted).expect("linted");
    assert_eq!(done.judged.expect("counted").code.n_candidates, 0);
}

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
        let text = reply(prompt)?;
        Ok(Reply { usage: Usage::estimated(prompt, &text), text })
    }));
    let prices = Prices::parse("[\"scripted:test\"]\ninput = 1.0\noutput = 1.0\n").expect("prices");
    let author = Author {
        model: Some(model.clone() as Arc<dyn Model>),
        prices,
        caps: Caps::default(),
        renew: false,
        on_ask: None,
    };
    (author, model)
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
    assert_eq!(model.prompts().len(), 2);
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
    assert!(asked.len() == 4 && asked[0].input.contains("wheat"), "{:?}", asked.first().map(|prompt| &prompt.input));
}

#[test]
fn a_cap_leaves_the_rest_for_the_next_run() {
    let vault = vault(4);
    let (mut judge, model) = author(|_| Ok(UNCLEAR.to_owned()));
    // Room for a question with its repair, and little more.
    judge.caps.run_tokens = Some(14_400);
    let tally = |judge: &Author| {
        let done = vault.engine().lint_with(LintOptions::default(), Judges::Model(judge)).expect("linted");
        done.judged.expect("candidates were counted").pairs
    };
    let first = tally(&judge);
    assert!(first.n_now > 0 && first.n_left > 0, "{first:?}");
    judge.caps.run_tokens = None;
    let rest = tally(&judge);
    assert_eq!((rest.n_before, rest.n_now, rest.n_left), (first.n_now, first.n_left, 0));
    assert_eq!(model.n_calls(), 4);
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

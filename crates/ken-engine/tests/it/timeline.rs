//! What a timeline promises: every change leads from the first statement to what holds now, and nothing is written.

use ken_engine::outcome::TimelineOutcome;

use crate::support::{Vault, files};

const DAYS: [(&str, &str); 3] = [
    ("2026-05-11", "- The oven timer rings after 40 minutes.\n- The oven timer has a red case."),
    ("2026-05-20", "- The oven timer now rings after 45 minutes instead of 40."),
    ("2026-05-27", "- The oven timer is set to 50 minutes instead of 45."),
];

fn vault() -> Vault {
    let vault = Vault::new();
    for (day, said) in DAYS {
        let text = format!("# Daily Log: {day}\n\n### Session (09:30) - Oven timer\n\n**Decisions Made:**\n{said}\n");
        vault.write(&format!("daily/{day}.md"), &text);
    }
    vault.compile();
    vault
}

fn timeline(vault: &Vault, words: &[&str], is_all: bool) -> TimelineOutcome {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    vault.engine().timeline("oven-timer", &words, is_all).expect("a timeline")
}

fn values(done: &TimelineOutcome) -> Vec<Vec<String>> {
    done.changes.iter().map(|change| change.steps.iter().flat_map(|step| step.values.clone()).collect()).collect()
}

#[test]
fn a_change_leads_from_the_first_value_to_what_holds_now() {
    let done = timeline(&vault(), &[], false);
    assert_eq!(values(&done), [["40 minutes", "45 minutes", "50 minutes"]]);
    let shown: Vec<_> = done.rows.iter().map(|row| (row.state.as_str(), row.by, row.proofs.len())).collect();
    let (old, now) = ("replaced", "current");
    assert_eq!(shown, [(old, Some(1), 1), (old, Some(2), 1), (now, None, 1)]);
    assert_eq!(done.n_said, 4);
}

#[test]
fn all_of_it_stands_in_order_of_time_and_keeps_its_successors() {
    let done = timeline(&vault(), &[], true);
    assert_eq!(done.rows.len(), done.n_said);
    assert!(done.rows.windows(2).all(|two| two[0].day <= two[1].day), "{:#?}", done.rows);
    for row in done.rows.iter().filter(|row| row.state.is_past()) {
        let by = &done.rows[row.by.expect("a successor")];
        assert!(row.day < by.day, "{row:#?}");
    }
}

#[test]
fn words_keep_what_speaks_of_them() {
    let vault = vault();
    assert_eq!(values(&timeline(&vault, &["rings"], false)).len(), 1);
    assert_eq!(values(&timeline(&vault, &["time"], false)).len(), 1);
    let red = timeline(&vault, &["red"], true);
    assert_eq!((red.rows.len(), red.changes.len()), (1, 0));
    assert_eq!(timeline(&vault, &["colour"], true).n_said, 0);
}

#[test]
fn a_timeline_writes_nothing() {
    let vault = vault();
    timeline(&vault, &[], true);
    let before = files(vault.root());
    timeline(&vault, &[], true);
    assert!(before == files(vault.root()), "a file changed");
}

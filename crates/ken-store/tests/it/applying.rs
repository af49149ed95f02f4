//! Applying a plan: all of it, once, or nothing.

use std::time::Duration;

use ken_core::{Basis, Digest, Edit, Plan};
use ken_store::{OpId, StoreError};
use ken_testkit::memfs::MemFs;
use proptest::prelude::*;

use crate::support::{
    append, apply, at, big_plan, create, entry, lock, mem_store, now, path, plan, remove, replace, root, small_vault,
    text, visible,
};

#[track_caller]
fn check_changed(plan: &Plan, expect: &str) {
    let mem = small_vault();
    let store = mem_store(&mem);
    drop(lock(&store));
    let before = mem.files();
    match apply(&store, plan) {
        Err(StoreError::Changed { path }) => assert_eq!(path.as_str(), expect),
        other => panic!("{other:?}"),
    }
    assert_eq!(mem.files(), before, "byte for byte as before");
}

#[test]
fn a_file_that_changed_in_the_meantime_stops_the_whole_plan() {
    let a = create("knowledge/z.md", "z");
    check_changed(&plan(vec![a.clone(), replace("knowledge/index.md", "other", "new")]), "knowledge/index.md");
    check_changed(&plan(vec![a.clone(), remove("knowledge/entities/e.md", "other")]), "knowledge/entities/e.md");
    check_changed(&plan(vec![a.clone(), create("knowledge/index.md", "new")]), "knowledge/index.md");
    check_changed(&plan(vec![a.clone(), replace("knowledge/gone.md", "x", "new")]), "knowledge/gone.md");
    let guards = vec![(path("daily/2026-04-01.md"), Digest::of(b"other"))];
    check_changed(&Plan { guards, ..plan(vec![a]) }, "daily/2026-04-01.md");
}

#[test]
fn a_plan_changes_its_files_the_log_and_the_operation_log() {
    let mem = small_vault();
    let store = mem_store(&mem);
    let receipt = apply(&store, &big_plan()).expect("applies");
    assert_eq!(receipt.op_id, Some(OpId::new(1)));
    assert_eq!(receipt.changed.len(), 10);
    assert_eq!(text(&store, "knowledge/entities/e.md"), None);
    assert_eq!(text(&store, "daily/2026-04-01.md").as_deref(), Some("old day\n\n### Session (14:30)\n- decided\n"));
    assert_eq!(
        text(&store, "knowledge/log.md").as_deref(),
        Some(
            "# Log\n\n## [2026-03-01T00:00:00Z] init | vault\n\n\
             ## [2026-04-01T14:30:00Z] compile | daily/2026-04-01.md\n- created [[jwt]]\n"
        )
    );
    let history = store.history(9).expect("reads");
    assert_eq!((history.operations.len(), history.operations[0].edits.len()), (1, 10));
    assert_eq!(history.operations[0].at, now());
}

#[test]
fn the_operation_log_has_the_promised_fields() {
    let mem = MemFs::new(&root());
    let store = mem_store(&mem);
    apply(&store, &plan(vec![create("knowledge/a.md", "a")])).expect("applies");
    let line = text(&store, ".kenning/ops/2026-04.jsonl").expect("there");
    let expect = format!(
        "{{\"id\":\"000001\",\"at\":\"2026-04-01T14:30:00Z\",\"kind\":\"compile\",\"subject\":\"daily/2026-04-01.md\",\
         \"inputs\":[{{\"path\":\"daily/2026-04-01.md\",\"digest\":\"{}\"}}],\
         \"edits\":[{{\"path\":\"knowledge/a.md\",\"before\":null,\"after\":\"{}\",\"append\":false}}],\"prev\":null}}\n",
        Digest::of(b"old day\n"),
        Digest::of(b"a")
    );
    assert_eq!(line, expect);
}

#[test]
fn the_first_append_to_a_day_writes_its_heading() {
    let mem = MemFs::new(&root());
    let store = mem_store(&mem);
    apply(&store, &plan(vec![append("daily/2026-04-02.md", "- one\n")])).expect("applies");
    apply(&store, &plan(vec![append("daily/2026-04-02.md", "- two\n")])).expect("applies");
    assert_eq!(text(&store, "daily/2026-04-02.md").as_deref(), Some("# Day\n- one\n- two\n"));
}

#[test]
fn a_plan_that_is_not_public_stays_out_of_the_log() {
    let mem = MemFs::new(&root());
    let store = mem_store(&mem);
    let mut quiet = plan(vec![create("knowledge/a.md", "a")]);
    quiet.log.public = false;
    apply(&store, &quiet).expect("applies");
    assert_eq!(text(&store, "knowledge/log.md"), None);
    assert_eq!(store.history(9).expect("reads").operations.len(), 1);
}

#[test]
fn a_plan_that_changes_nothing_writes_nothing() {
    let mem = small_vault();
    let store = mem_store(&mem);
    drop(lock(&store));
    let before = mem.files();
    let same = replace("knowledge/index.md", "old index\n", "old index\n");
    for nothing in [plan(Vec::new()), plan(vec![same]), plan(vec![append("daily/2026-04-01.md", "")])] {
        assert_eq!(apply(&store, &nothing).expect("applies").op_id, None);
    }
    assert_eq!(mem.files(), before);
}

#[test]
fn applying_a_plan_twice_is_applying_it_once() {
    let mem = small_vault();
    let store = mem_store(&mem);
    let mut twice = big_plan();
    twice.edits.retain(|edit| !matches!(edit, Edit::Append { .. }));
    apply(&store, &twice).expect("applies");
    let once = mem.files();
    assert_eq!(apply(&store, &twice).expect("is done already").op_id, None);
    assert_eq!(mem.files(), once);
    // With an append in it, a plan cannot know that it is done; its other edits stop it.
    let mem = small_vault();
    let store = mem_store(&mem);
    apply(&store, &big_plan()).expect("applies");
    let once = mem.files();
    assert!(matches!(apply(&store, &big_plan()), Err(StoreError::Changed { .. })));
    assert_eq!(mem.files(), once);
}

#[test]
fn plans_that_break_a_rule_are_refused_untouched() {
    for (edits, why) in [
        (vec![create("x.md", "1"), create("x.md", "2")], "cannot use `x.md`: the plan changes it twice"),
        (
            vec![create("raw/x", "1"), create("raw/x/y.md", "2")],
            "cannot use `raw/x/y.md`: the plan also changes a file that would be its folder",
        ),
        (
            vec![create(".kenning/ops/2026-01.jsonl", "")],
            "cannot use `.kenning/ops/2026-01.jsonl`: it belongs to the store",
        ),
        (vec![create("daily/.ken-1.tmp", "")], "cannot use `daily/.ken-1.tmp`: it belongs to the store"),
        (vec![create("knowledge/concepts", "")], "cannot use `knowledge/concepts`: a folder stands there"),
    ] {
        let mem = small_vault();
        let before = visible(&mem);
        assert_eq!(apply(&mem_store(&mem), &plan(edits)).expect_err("refused").to_string(), why);
        assert_eq!(visible(&mem), before);
    }
}

#[test]
fn operation_numbers_rise_across_months_and_when_the_clock_goes_back() {
    let mem = MemFs::new(&root());
    let store = mem_store(&mem);
    for (n, time) in ["2026-04-30T23:00:00Z", "2026-05-01T00:00:00Z", "2026-01-01T00:00:00Z"].iter().enumerate() {
        let mut plan = plan(vec![create(&format!("knowledge/{n}.md"), "x")]);
        plan.log.at = at(time);
        apply(&store, &plan).expect("applies");
    }
    let ids: Vec<_> = store.history(9).expect("reads").operations.iter().map(|op| op.id.number()).collect();
    assert_eq!(ids, [3, 2, 1]);
    assert_eq!(text(&store, ".kenning/ops/2026-01.jsonl"), None);
    assert_eq!(store.verify_history().expect("reads").damaged, []);
}

#[test]
fn a_second_writer_is_told_who_is_at_work() {
    let mem = small_vault();
    let store = mem_store(&mem);
    let _held = store.lock("compile", Duration::ZERO).expect("free");
    let error = store.lock("lint", Duration::from_millis(5)).expect_err("held");
    let expect = format!("changed by another `ken` (pid {}, compile", std::process::id());
    assert!(error.to_string().contains(&expect), "{error}");
    assert!(error.is_retryable());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn undoing_a_plan_gives_back_every_byte(
        pages in proptest::collection::btree_map(
            "[a-f]",
            (proptest::option::of(any::<Vec<u8>>()), proptest::option::of(any::<Vec<u8>>())),
            1..6,
        )
    ) {
        let mem = MemFs::new(&root());
        let mut edits = Vec::new();
        for (name, (old, new)) in &pages {
            let at = path(&format!("knowledge/{name}.md"));
            if let Some(old) = old {
                mem.plant(&root().join(at.as_str()), old);
            }
            let basis = Basis::of(&at, old.as_deref());
            edits.extend(match (old, new) {
                (_, Some(new)) => Some(basis.replace(new.clone())),
                (Some(_), None) => Some(basis.remove()),
                (None, None) => None,
            });
        }
        let pages = |mem: &MemFs| {
            let mut files = mem.files();
            files.retain(|path, _| !path.ends_with("log.md") && !path.starts_with(root().join(".kenning")));
            files
        };
        let before = pages(&mem);
        let store = mem_store(&mem);
        let plan = Plan { edits, guards: Vec::new(), log: entry("compile") };
        if apply(&store, &plan).expect("applies").op_id.is_some() {
            apply(&store, &store.plan_undo(None, now()).expect("can be undone")).expect("applies");
        }
        prop_assert_eq!(pages(&mem), before);
    }
}

//! What people did between a crash and recovery is never lost.

use ken_core::Plan;
use ken_store::Fs;
use ken_testkit::memfs::{Loss, MemFs};

use crate::support::{append, apply, chain, lock, mem_store, path, plan, remove, replace, root, small_vault, text};

/// Returns a vault whose process died right after the plan was decided.
fn decided(plan: &Plan) -> MemFs {
    for n in 1.. {
        let mem = small_vault();
        mem.crash_at(n);
        let _ = apply(&mem_store(&mem), plan);
        let after = mem.after_crash(Loss::Kept);
        if mem_store(&after).pending() {
            return after;
        }
    }
    unreachable!("every plan is decided at some point")
}

fn edit_by_hand(mem: &MemFs, at: &str, content: &str) {
    mem.plant(&root().join(at), content.as_bytes());
}

#[test]
fn a_page_edited_after_the_crash_keeps_the_persons_bytes_and_ours_go_beside_it() {
    let mem = decided(&plan(vec![replace("knowledge/concepts/a.md", "old a\n", "new a\n")]));
    edit_by_hand(&mem, "knowledge/concepts/a.md", "by hand\n");
    let store = mem_store(&mem);
    let recovered = lock(&store).recovered().cloned().expect("there was something to recover");
    assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("by hand\n"));
    assert_eq!(text(&store, "knowledge/concepts/a.md.conflict-000001").as_deref(), Some("new a\n"));
    assert_eq!(recovered.conflicts.len(), 1);
    assert_eq!(recovered.conflicts[0].ours, Some(path("knowledge/concepts/a.md.conflict-000001")));
}

#[test]
fn a_page_edited_after_the_crash_is_not_removed() {
    let mem = decided(&plan(vec![remove("knowledge/entities/e.md", "old e\n")]));
    edit_by_hand(&mem, "knowledge/entities/e.md", "by hand\n");
    let store = mem_store(&mem);
    assert_eq!(lock(&store).recovered().map(|recovered| recovered.conflicts.len()), Some(1));
    assert_eq!(text(&store, "knowledge/entities/e.md").as_deref(), Some("by hand\n"));
}

#[test]
fn an_entry_added_after_the_crash_stays_before_ours() {
    let mem = decided(&plan(vec![append("daily/2026-04-01.md", "- ours\n")]));
    edit_by_hand(&mem, "daily/2026-04-01.md", "old day\n- theirs\n");
    let store = mem_store(&mem);
    drop(lock(&store));
    assert_eq!(text(&store, "daily/2026-04-01.md").as_deref(), Some("old day\n- theirs\n- ours\n"));
}

#[test]
fn a_half_written_entry_is_completed_and_a_whole_one_is_not_repeated() {
    for there in ["old day\n- ou", "old day\n- ours\n", "old day\n- ours\n- theirs\n"] {
        let mem = decided(&plan(vec![append("daily/2026-04-01.md", "- ours\n")]));
        edit_by_hand(&mem, "daily/2026-04-01.md", there);
        let store = mem_store(&mem);
        drop(lock(&store));
        let now = text(&store, "daily/2026-04-01.md").expect("there");
        assert!(now.starts_with(there) && now.matches("- ours\n").count() == 1, "{there:?} became {now:?}");
    }
}

#[test]
fn a_damaged_intent_is_put_aside_and_reported() {
    let mem = small_vault();
    mem.plant(&root().join(".kenning/intent"), b"{\"version\":1}\nhalf");
    let store = mem_store(&mem);
    assert!(store.pending());
    let recovered = lock(&store).recovered().cloned().expect("reported");
    assert_eq!(recovered.damaged, Some(path(".kenning/intent.damaged")));
    assert!(!store.pending());
    assert!(mem.read(&root().join(".kenning/intent.damaged")).is_ok());
}

#[test]
fn an_intent_that_leads_through_a_link_is_not_carried_out() {
    let mem = decided(&plan(vec![replace("knowledge/concepts/a.md", "old a\n", "new a\n")]));
    for name in ["a.md", "b.md", "c.md"] {
        mem.remove(&root().join("knowledge/concepts").join(name)).expect("removes");
    }
    mem.plant_link(&root().join("knowledge/concepts"), &root());
    let error = mem_store(&mem).lock("test", std::time::Duration::ZERO).expect_err("refused");
    assert!(chain(&error).contains("symbolic link"), "{error}");
}

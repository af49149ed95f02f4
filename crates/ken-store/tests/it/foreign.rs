//! What was not left here by this user is shown and never carried out.

use std::time::Duration;

use ken_core::layout::KENNING;
use ken_core::{Layout, Plan};
use ken_store::{Keys, Origin, Store, StoreError};
use ken_testkit::memfs::{Loss, MemFs};

use crate::support::{
    apply, chain, create, lock, mem_store, path, plan, replace, root, shared, small_vault, store_of, text,
};

/// A vault in which a process of the user with this key died right after it had decided on the plan.
fn left_by(key: u8, plan: &Plan) -> MemFs {
    for n in 1.. {
        let mem = small_vault();
        mem.crash_at(n);
        let _ = apply(&store_of(&mem, key), plan);
        let after = mem.after_crash(Loss::Kept);
        if mem_store(&after).pending() {
            return after;
        }
    }
    unreachable!("every plan is decided at some point")
}

fn one_page() -> Plan {
    plan(vec![replace("knowledge/concepts/a.md", "old a\n", "new a\n")])
}

#[test]
fn an_intent_of_somebody_else_is_never_carried_out() {
    let mem = left_by(9, &one_page());
    let before = mem.files();
    let store = mem_store(&mem);
    for _ in 0..2 {
        let error = store.lock("test", Duration::ZERO).map(drop).expect_err("refused");
        assert!(matches!(&error, StoreError::Foreign { origin: Origin::Unknown, .. }), "{}", chain(&error));
        assert!(error.hint().is_some_and(|hint| hint.contains("ken recover")));
    }
    let mut after = mem.files();
    after.remove(&root().join(".kenning/lock"));
    let mut before = before;
    before.remove(&root().join(".kenning/lock"));
    assert_eq!(after, before);
    let left = store.left().expect("reads").expect("there is one");
    assert_eq!(left.origin, Origin::Unknown);
    assert!(left.steps.contains(&("replace", path("knowledge/concepts/a.md"))), "{left:?}");
    assert_eq!(left.refused, None);
}

#[test]
fn an_intent_without_a_seal_is_never_carried_out() {
    let mem = left_by(7, &one_page());
    // Everything but the seal fits: what anybody could write who knows the form.
    let place = root().join(".kenning/intent");
    let mut record = mem.files()[&place].clone();
    let at = record.len() - 64;
    record[at..].copy_from_slice("0".repeat(64).as_bytes());
    mem.plant(&place, &record);
    let error = mem_store(&mem).lock("test", Duration::ZERO).map(drop).expect_err("refused");
    assert!(matches!(error, StoreError::Foreign { origin: Origin::Unknown, .. }));
}

#[test]
fn an_accepted_intent_is_carried_out_and_can_be_undone() {
    let mem = left_by(9, &one_page());
    let store = mem_store(&mem);
    let guard = store.lock_as_it_is("recover", Duration::ZERO).expect("locks");
    let recovered = store.adopt_left(&guard).expect("adopts").expect("something");
    assert!(recovered.completed.is_some());
    drop(guard);
    assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("new a\n"));
    let undo = store.plan_undo(None, crate::support::now()).expect("its record is ours now");
    apply(&store, &undo).expect("applies");
    assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("old a\n"));
}

#[test]
fn a_discarded_intent_is_kept_and_blocks_nothing() {
    let mem = left_by(9, &one_page());
    let store = mem_store(&mem);
    let guard = store.lock_as_it_is("recover", Duration::ZERO).expect("locks");
    let aside = store.discard_left(&guard).expect("moves").expect("something");
    assert_eq!(aside, path(".kenning/intent.discarded-1"));
    drop(guard);
    drop(lock(&store));
    assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("old a\n"));
    assert!(store.read(&aside).expect("reads").is_some());
}

#[test]
fn accepting_dies_anywhere_and_is_whole_or_nothing() {
    let start = left_by(9, &one_page());
    for n in 1.. {
        let mem = start.fork();
        mem.crash_at(n);
        let store = mem_store(&mem);
        let guard = store.lock_as_it_is("recover", Duration::ZERO);
        if guard.is_ok_and(|guard| store.adopt_left(&guard).is_ok()) {
            break;
        }
        for loss in Loss::ALL {
            let after = mem.after_crash(loss);
            let store = mem_store(&after);
            let guard = store.lock_as_it_is("recover", Duration::ZERO).expect("locks");
            store.adopt_left(&guard).expect("adopts");
            assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("new a\n"), "{n} {loss:?}");
        }
    }
}

/// A vault whose layout let it write where no vault may: what a planted record could hold.
fn store_without_rules(mem: &MemFs, at: &str) -> Store {
    let mut layout = Layout::new(&KENNING, &path("knowledge"));
    layout.index = path(at);
    Store::open(root(), layout, shared(mem), Keys::of([7; 32]))
}

#[test]
fn no_step_that_is_read_back_leads_where_no_plan_may() {
    let mut n_planted = 0;
    for at in [".env", ".gitattributes", "Makefile", "src/main.c"] {
        let edit = create(at, "x");
        let decided = (1..).find_map(|n| {
            let mem = small_vault();
            mem.crash_at(n);
            let _ = apply(&store_without_rules(&mem, at), &plan(vec![edit.clone()]));
            let after = mem.after_crash(Loss::Kept);
            if n > 60 { Some(None) } else { mem_store(&after).pending().then_some(Some(after)) }
        });
        let Some(mem) = decided.flatten() else { continue };
        n_planted += 1;
        // Even with a seal of ours it is not carried out, and cannot be accepted.
        let store = mem_store(&mem);
        assert!(matches!(store.lock("test", Duration::ZERO).map(drop), Err(StoreError::Foreign { .. })), "{at}");
        assert!(store.left().expect("reads").expect("one").refused.is_some(), "{at}");
        let guard = store.lock_as_it_is("recover", Duration::ZERO).expect("locks");
        assert!(matches!(store.adopt_left(&guard), Err(StoreError::Refused { .. })), "{at}");
        assert_eq!(text(&store, at), None, "{at}");
    }
    assert_eq!(n_planted, 4);
}

#[test]
fn a_plan_that_leaves_the_vaults_folders_is_refused() {
    let store = mem_store(&small_vault());
    for at in [".git/config", ".GIT/hooks/post-merge", "sub/.git/config", ".env", "main.c", ".vscode/tasks.json"] {
        let error = apply(&store, &plan(vec![create(at, "x")])).expect_err("refused");
        assert!(matches!(error, StoreError::Refused { .. }), "{at}: {error}");
    }
}

#[test]
fn no_plan_writes_to_what_another_tool_writes() {
    let foreign = vec![path("repo_wiki"), path(".claude/memory")];
    let layout = Layout { foreign, evidence: vec![path("WISDOM.md")], ..Layout::new(&KENNING, &path("knowledge")) };
    let store = Store::open(root(), layout, shared(&small_vault()), Keys::of([7; 32]));
    for at in ["repo_wiki/a/b.md", ".claude/memory/MEMORY.md", "WISDOM.md"] {
        let error = apply(&store, &plan(vec![create(at, "x")])).expect_err("refused");
        assert!(chain(&error).contains("another tool writes it"), "{at}: {}", chain(&error));
    }
    apply(&store, &plan(vec![create("knowledge/concepts/mine.md", "x")])).expect("applies");
}

#[test]
fn an_undo_record_of_somebody_else_is_never_taken_back() {
    let mem = small_vault();
    apply(&store_of(&mem, 9), &one_page()).expect("applies");
    let store = mem_store(&mem);
    let error = store.plan_undo(None, crate::support::now()).expect_err("refused");
    assert!(matches!(&error, StoreError::Foreign { origin: Origin::Unknown, .. }), "{}", chain(&error));
    assert_eq!(store.foreign_undo().expect("reads"), [(path(".kenning/undo/000001"), Origin::Unknown)]);
    let guard = lock(&store);
    assert_eq!(store.adopt_undo(&guard).expect("adopts"), 1);
    drop(guard);
    let undo = store.plan_undo(None, crate::support::now()).expect("ours now");
    apply(&store, &undo).expect("applies");
    assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("old a\n"));
}

#[test]
fn a_vault_that_its_owner_moved_says_so_and_can_be_accepted() {
    let mem = left_by(7, &one_page());
    let moved = MemFs::new(std::path::Path::new("/elsewhere"));
    for (place, bytes) in mem.files() {
        let inner = place.strip_prefix(root()).expect("in the vault");
        moved.plant(&std::path::Path::new("/elsewhere").join(inner), &bytes);
    }
    let layout = Layout::new(&KENNING, &path("knowledge"));
    let store = Store::open("/elsewhere".into(), layout, shared(&moved), Keys::of([7; 32]));
    let left = store.left().expect("reads").expect("one");
    assert_eq!(left.origin, Origin::Elsewhere("/vault".to_owned()));
    let guard = store.lock_as_it_is("recover", Duration::ZERO).expect("locks");
    store.adopt_left(&guard).expect("adopts");
    assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("new a\n"));
}

#[test]
fn a_cache_of_somebody_else_is_none() {
    let mem = small_vault();
    let (other, store) = (store_of(&mem, 9), mem_store(&mem));
    other.write_cache("table", b"planted").expect("writes");
    assert_eq!(store.read_cache("table"), None);
    store.write_cache("table", b"own").expect("writes");
    assert_eq!(store.read_cache("table").as_deref(), Some(b"own".as_slice()));
    // Nor is one that stood under another name.
    let bytes = mem.files()[&root().join(".kenning/cache/table")].clone();
    mem.plant(&root().join(".kenning/cache/other"), &bytes);
    assert_eq!(store.read_cache("other"), None);
    // Without a key nothing is believed, and nothing fails.
    let keyless = Store::open(root(), Layout::new(&KENNING, &path("knowledge")), shared(&mem), Keys::none());
    keyless.write_cache("table", b"own").expect("writes");
    assert_eq!((keyless.read_cache("table"), store.read_cache("table")), (None, None));
}

#[test]
fn a_vault_is_accepted_by_each_user_for_its_place() {
    let mem = small_vault();
    let (one, other) = (mem_store(&mem), store_of(&mem, 9));
    assert!(!one.is_accepted());
    assert!(one.accept().expect("writes"));
    assert!(one.is_accepted() && !other.is_accepted());
    assert!(other.accept().expect("writes") && one.is_accepted() && other.is_accepted());
}

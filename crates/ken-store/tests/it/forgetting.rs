//! What is forgotten leaves neither its bytes nor its name, whatever happens on the way.

use ken_core::redact::Cut;
use ken_core::{Basis, Edit, Plan, Span};
use ken_store::{OpId, Store, StoreError};
use ken_testkit::memfs::{Loss, MemFs};

use crate::support::{apply, entry, mem_store, now, path, plan, remove, root, text, visible};

/// What is planted; stands in bytes and in names.
const MARKER: &str = "zorblatt";

fn forget(store: &Store, at: &str) -> Edit {
    let bytes = store.read(&path(at)).expect("readable").expect("there");
    Basis::of(&path(at), Some(&bytes)).forget()
}

/// The edit that covers every marker of a file; in a file of records as a part of a name.
fn cover(store: &Store, at: &str, in_name: bool) -> Edit {
    let bytes = store.read(&path(at)).expect("readable").expect("there");
    let text = String::from_utf8(bytes.clone()).expect("text");
    let cut = |(start, _): (usize, &str)| {
        let span = Span::new(start, start + MARKER.len());
        if in_name { Cut::in_name(span, "forgotten") } else { Cut::new(span, "forgotten") }
    };
    Basis::of(&path(at), Some(&bytes)).redact(text.match_indices(MARKER).map(cut).collect())
}

/// A vault in which a page and a source bear the marker in their names, and the journal in its text.
fn vault() -> MemFs {
    let mem = MemFs::new(&root());
    mem.plant(
        &root().join("daily/2026-04-01.md"),
        format!("# Day\n\n- {MARKER} left.\n- The oven is hot.\n").as_bytes(),
    );
    mem.plant(&root().join("knowledge/log.md"), b"# Log\n");
    let store = mem_store(&mem);
    for at in [format!("knowledge/{MARKER}.md"), format!("raw/{MARKER}.md"), ".kenning/replies/x/1.json".to_owned()] {
        let write = Basis::nothing(path(&at)).replace(format!("{MARKER} says\n"));
        apply(&store, &plan(vec![write])).expect("applies");
    }
    mem.plant(&root().join(".kenning/talk/2026-04/01-a-b-c.md"), MARKER.as_bytes());
    mem
}

fn forgetting(store: &Store) -> Plan {
    let mut edits = vec![
        cover(store, "daily/2026-04-01.md", false),
        cover(store, ".kenning/ops/2026-04.jsonl", true),
        forget(store, &format!("knowledge/{MARKER}.md")),
        forget(store, &format!("raw/{MARKER}.md")),
        forget(store, ".kenning/replies/x/1.json"),
        forget(store, ".kenning/talk/2026-04/01-a-b-c.md"),
    ];
    edits.extend((1..=3).map(|n| forget(store, &format!(".kenning/undo/{n:06}"))));
    Plan { edits, guards: Vec::new(), log: entry("forget") }
}

/// Every file that holds the marker, in its bytes or in its name.
fn holders(mem: &MemFs) -> Vec<String> {
    let holds = |bytes: &[u8]| bytes.windows(MARKER.len()).any(|window| window == MARKER.as_bytes());
    let all = mem.files().into_iter();
    let named = all.map(|(path, bytes)| (path.display().to_string(), bytes));
    named.filter(|(name, bytes)| name.contains(MARKER) || holds(bytes)).map(|(name, _)| name).collect()
}

#[test]
fn what_is_forgotten_leaves_neither_bytes_nor_name() {
    let mem = vault();
    let store = mem_store(&mem);
    assert_eq!(holders(&mem).len(), 9, "{:?}", holders(&mem));
    apply(&store, &forgetting(&store)).expect("applies");
    assert_eq!(holders(&mem), Vec::<String>::new());
    assert_eq!(
        text(&store, "daily/2026-04-01.md").as_deref(),
        Some("# Day\n\n- [redacted:forgotten] left.\n- The oven is hot.\n")
    );
    let verified = store.verify_history().expect("reads");
    assert_eq!((verified.n_operations, verified.damaged), (4, Vec::new()));
    let operations = store.history(9).expect("reads").operations;
    assert_eq!(operations[0].edits.iter().map(|edit| edit.path.as_str()).collect::<Vec<_>>(), ["daily/2026-04-01.md"]);
    assert_eq!(operations[1].edits[0].path.as_str(), ".kenning/replies/x/1.json");
    assert_eq!(operations[3].edits[0].path.as_str(), "knowledge/redacted-forgotten.md");
}

#[test]
fn a_forgetting_keeps_no_record_to_go_back_with() {
    let mem = vault();
    let store = mem_store(&mem);
    apply(&store, &forgetting(&store)).expect("applies");
    assert_eq!(store.list(&path(".kenning/undo")).expect("lists").files, Vec::new());
    assert!(matches!(store.plan_undo(None, now()), Err(StoreError::NoUndo { id: Some(id) }) if id == OpId::new(4)));
}

#[test]
fn a_crash_anywhere_in_a_forgetting_leaves_the_text_everywhere_or_nowhere() {
    let start = vault();
    let before = visible(&start);
    let done = start.fork();
    apply(&mem_store(&done), &forgetting(&mem_store(&done))).expect("applies");
    let after = visible(&done);
    let n_before = holders(&start).len();
    for loss in Loss::ALL {
        for n in 1..=done.n_ops() {
            let mem = start.fork();
            let plan = forgetting(&mem_store(&mem));
            mem.crash_at(n);
            let _ = apply(&mem_store(&mem), &plan);
            let mem = mem.after_crash(loss);
            // The recovery dies too, wherever it can.
            let recovering = mem.fork();
            drop(mem_store(&recovering).lock("test", crate::support::WAIT).expect("recovers"));
            for m in 1..=recovering.n_ops() {
                let again = mem.fork();
                again.crash_at(m);
                let _ = mem_store(&again).lock("test", crate::support::WAIT);
                let again = again.after_crash(loss);
                drop(mem_store(&again).lock("test", crate::support::WAIT).expect("recovers"));
                let now = visible(&again);
                assert!(now == before || now == after, "crash at {n} and {m}, {loss:?}");
                let n_holders = holders(&again).len();
                assert!(
                    n_holders == 0 && now == after || n_holders == n_before,
                    "crash at {n} and {m}, {loss:?}: {n_holders}"
                );
            }
            let now = visible(&recovering);
            assert!(now == before || now == after, "crash at {n}, {loss:?}");
            assert_eq!(now == after, holders(&recovering).is_empty(), "crash at {n}, {loss:?}");
        }
    }
}

#[test]
fn nothing_is_forgotten_where_no_plan_may_lead_and_no_day_of_the_journal_goes() {
    let mem = vault();
    mem.plant(&root().join(".git/config"), b"x");
    mem.plant(&root().join("main.c"), b"x");
    mem.plant(&root().join(".kenning/accepted"), b"x");
    let store = mem_store(&mem);
    let before = mem.files();
    for at in [".git/config", "main.c", ".kenning/accepted", ".kenning/ops/2026-04.jsonl", "daily/2026-04-01.md"] {
        let refused = apply(&store, &plan(vec![forget(&store, at)]));
        assert!(matches!(refused, Err(StoreError::Refused { .. })), "{at}: {refused:?}");
        assert_eq!(mem.files(), before);
    }
}

#[test]
fn a_file_that_changed_since_it_was_looked_at_is_not_forgotten() {
    let mem = vault();
    let store = mem_store(&mem);
    let plan = forgetting(&store);
    mem.plant(&root().join(format!("raw/{MARKER}.md")), b"by hand\n");
    let before = mem.files();
    assert!(matches!(apply(&store, &plan), Err(StoreError::Changed { .. })));
    assert_eq!(mem.files(), before);
}

#[test]
fn what_was_removed_before_can_be_forgotten_with_its_record() {
    let mem = vault();
    let store = mem_store(&mem);
    let at = format!("knowledge/{MARKER}.md");
    apply(&store, &plan(vec![remove(&at, &format!("{MARKER} says\n"))])).expect("applies");
    apply(&store, &plan(vec![forget(&store, ".kenning/undo/000004")])).expect("applies");
    assert!(!mem.files().keys().any(|path| path.ends_with(".kenning/undo/000004")));
}

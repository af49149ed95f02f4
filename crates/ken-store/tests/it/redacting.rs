//! A redaction takes out what it covers, everywhere and for good, and nothing else.

use ken_core::redact::Cut;
use ken_core::{Basis, Edit, Plan, Span};
use ken_store::{OpId, Store, StoreError};
use ken_testkit::memfs::MemFs;

use crate::support::{append, apply, at, create, entry, mem_store, now, path, plan, replace, root, small_vault, text};

/// What is planted; not the shape of anybody's key.
pub(crate) const SECRET: &str = "planted-secret-4711";

pub(crate) fn redact(store: &Store, at: &str) -> Edit {
    let bytes = store.read(&path(at)).expect("readable").expect("there");
    let found = String::from_utf8_lossy(&bytes).find(SECRET).expect("it holds the secret");
    let cut = Cut::new(Span::new(found, found + SECRET.len()), "password");
    Basis::of(&path(at), Some(&bytes)).redact(vec![cut])
}

pub(crate) fn erase(store: &Store, at: &str) -> Edit {
    let bytes = store.read(&path(at)).expect("readable").expect("there");
    Basis::of(&path(at), Some(&bytes)).erase()
}

/// A vault whose journal, page, operation log and undo records hold the secret, and one record that does not.
pub(crate) fn leaky_vault() -> MemFs {
    let mem = small_vault();
    let store = mem_store(&mem);
    let mut first = plan(vec![append("daily/2026-04-01.md", &format!("- uses {SECRET} now\n- more\n"))]);
    first.log.subject = format!("session {SECRET}");
    apply(&store, &first).expect("applies");
    let page = format!("new a with {SECRET}\n");
    apply(&store, &plan(vec![replace("knowledge/concepts/a.md", "old a\n", &page)])).expect("applies");
    apply(&store, &plan(vec![create("knowledge/z.md", "z\n")])).expect("applies");
    mem.plant(&root().join(".kenning/cache/ledger.bin"), SECRET.as_bytes());
    mem
}

/// Everything that takes the secret out of [`leaky_vault`].
pub(crate) fn clearing(store: &Store) -> Plan {
    let edits = vec![
        redact(store, "daily/2026-04-01.md"),
        redact(store, "knowledge/concepts/a.md"),
        redact(store, "knowledge/log.md"),
        redact(store, ".kenning/ops/2026-04.jsonl"),
        erase(store, ".kenning/undo/000001"),
        erase(store, ".kenning/undo/000002"),
        erase(store, ".kenning/cache/ledger.bin"),
    ];
    Plan { edits, guards: Vec::new(), log: entry("scan --fix") }
}

pub(crate) fn holds_secret(mem: &MemFs) -> bool {
    let holds = |bytes: &Vec<u8>| bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
    mem.files().values().any(holds)
}

#[test]
fn what_is_redacted_is_nowhere_and_every_other_byte_stays() {
    let mem = leaky_vault();
    let store = mem_store(&mem);
    let before = text(&store, "daily/2026-04-01.md").expect("there");
    apply(&store, &clearing(&store)).expect("applies");
    assert!(!holds_secret(&mem), "{:#?}", mem.files());
    assert_eq!(text(&store, "daily/2026-04-01.md"), Some(before.replace(SECRET, "[redacted:password]")));
    assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("new a with [redacted:password]\n"));
    assert_eq!(text(&store, ".kenning/cache/ledger.bin"), None);
}

#[test]
fn the_operation_log_is_whole_after_a_redaction_of_its_first_line() {
    let mem = leaky_vault();
    let store = mem_store(&mem);
    apply(&store, &clearing(&store)).expect("applies");
    let verified = store.verify_history().expect("reads");
    assert_eq!((verified.n_operations, verified.damaged), (4, Vec::new()));
    let operations = store.history(9).expect("reads").operations;
    assert_eq!(operations.last().expect("the first").subject, "session [redacted:password]");
    apply(&store, &plan(vec![create("knowledge/y.md", "y\n")])).expect("applies");
    assert_eq!(store.verify_history().expect("reads").damaged, Vec::new());
}

#[test]
fn the_chain_holds_over_several_months_and_into_a_new_one() {
    let mem = leaky_vault();
    let store = mem_store(&mem);
    let later = |name: &str, month: &str| {
        let mut plan = plan(vec![create(name, "x\n")]);
        plan.log.at = at(&format!("2026-{month}-01T00:00:00Z"));
        plan
    };
    apply(&store, &later("knowledge/may.md", "05")).expect("applies");
    let mut clearing = clearing(&store);
    clearing.log.at = at("2026-06-01T00:00:00Z");
    apply(&store, &clearing).expect("applies");
    let names: Vec<String> =
        store.list(&path(".kenning/ops")).expect("lists").files.into_iter().map(|file| file.path.to_string()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    apply(&store, &later("knowledge/june.md", "06")).expect("applies");
    let verified = store.verify_history().expect("reads");
    assert_eq!((verified.n_operations, verified.damaged), (6, Vec::new()));
    assert!(!holds_secret(&mem));
}

#[test]
fn a_broken_link_is_not_mended_by_a_redaction() {
    let mem = leaky_vault();
    let store = mem_store(&mem);
    let ops = text(&store, ".kenning/ops/2026-04.jsonl").expect("there");
    let spoilt = ops.replacen("\"id\":\"000002\"", "\"id\":\"000009\"", 1);
    mem.plant(&root().join(".kenning/ops/2026-04.jsonl"), spoilt.as_bytes());
    let damaged = store.verify_history().expect("reads").damaged.len();
    apply(&store, &clearing(&store)).expect("applies");
    assert_eq!((damaged, store.verify_history().expect("reads").damaged.len()), (1, 1));
}

#[test]
fn a_redaction_is_not_undone_and_what_was_before_it_says_why() {
    let mem = leaky_vault();
    let store = mem_store(&mem);
    apply(&store, &clearing(&store)).expect("applies");
    let before = mem.files();
    let error = store.plan_undo(None, now()).expect_err("final");
    assert_eq!(
        error.to_string(),
        "cannot use `daily/2026-04-01.md`: it was redacted, and what was redacted is kept nowhere"
    );
    let error = store.plan_undo(Some(OpId::new(2)), now()).expect_err("its record is gone");
    assert_eq!(error.to_string(), "operation 000002 has no undo record");
    assert!(store.plan_undo(Some(OpId::new(3)), now()).is_ok(), "a record without the secret stays");
    assert_eq!(mem.files(), before);
}

#[test]
fn the_journal_loses_nothing_but_what_is_covered() {
    let mem = leaky_vault();
    let store = mem_store(&mem);
    let before = mem.files();
    let day = path("daily/2026-04-01.md");
    let basis = Basis::of(&day, store.read(&day).expect("readable").as_deref());
    let beyond = Cut::new(Span::new(0, 9_999), "password");
    for edit in [basis.clone().redact(vec![beyond]), basis.clone().erase(), basis.replace("[redacted:password]")] {
        assert!(matches!(apply(&store, &plan(vec![edit])), Err(StoreError::Refused { .. })));
        assert_eq!(mem.files(), before);
    }
}

#[test]
fn a_file_that_changed_since_it_was_looked_at_is_not_redacted() {
    let mem = leaky_vault();
    let store = mem_store(&mem);
    let plan = clearing(&store);
    mem.plant(&root().join("knowledge/concepts/a.md"), b"by hand\n");
    let before = mem.files();
    assert!(matches!(apply(&store, &plan), Err(StoreError::Changed { .. })));
    assert_eq!(mem.files(), before);
}

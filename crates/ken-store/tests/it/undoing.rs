//! Undo gives back every byte, or says why not and changes nothing.

use ken_core::Edit;
use ken_store::{OpId, Store, StoreError};
use ken_testkit::memfs::MemFs;

use crate::support::{append, apply, big_plan, create, mem_store, now, path, plan, replace, root, small_vault, text};

fn compiled() -> (MemFs, Store) {
    let mem = small_vault();
    let store = mem_store(&mem);
    let mut plan = big_plan();
    plan.edits.retain(|edit| !matches!(edit, Edit::Append { .. }));
    apply(&store, &plan).expect("applies");
    (mem, store)
}

fn pages(mem: &MemFs) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let wiki = root().join("knowledge");
    mem.files().into_iter().filter(|(path, _)| path.starts_with(&wiki) && !path.ends_with("log.md")).collect()
}

fn undo(store: &Store, id: Option<u64>) -> Result<(), StoreError> {
    let plan = store.plan_undo(id.map(OpId::new), now())?;
    apply(store, &plan).map(drop)
}

#[test]
fn undo_gives_back_every_byte_and_undoing_that_takes_it_again() {
    let (mem, store) = compiled();
    let after = pages(&mem);
    undo(&store, None).expect("can be undone");
    assert_eq!(pages(&mem), pages(&small_vault()));
    undo(&store, None).expect("an undo can be undone");
    assert_eq!(pages(&mem), after);
    assert_eq!(store.history(9).expect("reads").operations.len(), 3);
    assert!(text(&store, "knowledge/log.md").expect("there").contains("undo | 000001 compile | daily/2026-04-01.md"));
}

#[test]
fn an_operation_whose_page_changed_since_is_not_undone() {
    let (mem, store) = compiled();
    mem.plant(&root().join("knowledge/index.md"), b"by hand\n");
    let before = mem.files();
    assert!(matches!(undo(&store, None), Err(StoreError::Changed { path }) if path.as_str() == "knowledge/index.md"));
    assert_eq!(mem.files(), before);
}

#[test]
fn what_was_added_to_the_journal_is_not_taken_back() {
    let mem = small_vault();
    let store = mem_store(&mem);
    apply(&store, &big_plan()).expect("applies");
    let before = mem.files();
    let error = undo(&store, None).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "cannot use `daily/2026-04-01.md`: the journal only grows; what was added to it is not taken back"
    );
    assert!(error.hint().is_some());
    assert_eq!(mem.files(), before);
}

#[test]
fn what_was_added_elsewhere_is_taken_back() {
    let mem = small_vault();
    let store = mem_store(&mem);
    let edits = vec![append("knowledge/index.md", "more\n"), append("knowledge/list.md", "- x\n")];
    apply(&store, &plan(edits)).expect("applies");
    undo(&store, Some(1)).expect("can be undone");
    assert_eq!(text(&store, "knowledge/index.md").as_deref(), Some("old index\n"));
    assert_eq!(text(&store, "knowledge/list.md"), None);
}

#[test]
fn an_older_operation_can_be_undone_while_its_files_are_as_it_left_them() {
    let mem = small_vault();
    let store = mem_store(&mem);
    apply(&store, &plan(vec![replace("knowledge/concepts/a.md", "old a\n", "1")])).expect("applies");
    apply(&store, &plan(vec![replace("knowledge/concepts/b.md", "old b\n", "2")])).expect("applies");
    undo(&store, Some(1)).expect("can be undone");
    assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("old a\n"));
    assert_eq!(text(&store, "knowledge/concepts/b.md").as_deref(), Some("2"));
}

#[test]
fn undo_without_a_record_says_so() {
    let store = mem_store(&small_vault());
    assert!(matches!(undo(&store, None), Err(StoreError::NoUndo { id: None })));
    assert_eq!(undo(&store, Some(7)).expect_err("unknown").to_string(), "operation 000007 has no undo record");
}

#[test]
fn a_damaged_undo_record_is_not_used() {
    let (mem, store) = compiled();
    mem.plant(&root().join(".kenning/undo/000001"), b"{}\nnothing");
    let error = undo(&store, None).expect_err("damaged");
    assert_eq!(error.to_string(), "`.kenning/undo/000001` is damaged: it does not match its digest");
}

#[test]
fn the_newest_fifty_operations_can_be_undone() {
    let mem = MemFs::new(&root());
    let store = mem_store(&mem);
    for n in 0..53 {
        apply(&store, &plan(vec![create(&format!("knowledge/{n}.md"), "x")])).expect("applies");
    }
    let records = store.list(&path(".kenning/undo")).expect("lists").files;
    let names: Vec<_> = records.iter().map(|file| file.path.file_name()).collect();
    assert_eq!((names.len(), names.first(), names.last()), (50, Some(&"000004"), Some(&"000053")));
    assert!(matches!(undo(&store, Some(3)), Err(StoreError::NoUndo { id: Some(_) })));
}

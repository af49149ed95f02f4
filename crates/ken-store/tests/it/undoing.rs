//! Undo gives back every byte, or says why not and changes nothing.

use ken_core::Edit;
use ken_store::{OpId, Redo, Runs, Store, StoreError};
use ken_testkit::memfs::{Loss, MemFs};

use crate::support::{
    WAIT, append, apply, big_plan, create, lock, mem_store, now, path, plan, replace, root, small_vault, text,
};

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
    assert!(text(&store, "knowledge/log.md").expect("there").contains("undo | 000001 (compile daily/2026-04-01.md)"));
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
        "cannot use `daily/2026-04-01.md`: journal and talk only grow; what was added to them is not taken back"
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

/// One command that needs a plan for each of these steps of page `a`, beginning with what stands there.
fn command(mem: &MemFs, steps: &[&str]) {
    let store = mem_store(mem).for_one_run();
    for pair in steps.windows(2) {
        apply(&store, &plan(vec![replace("knowledge/concepts/a.md", pair[0], pair[1])])).expect("applies");
    }
}

fn runs(store: &Store) -> Runs {
    Runs::of(store.history(usize::MAX).expect("reads").operations, store.layout())
}

/// Takes back what an undo would, as one plan.
fn step_back(store: &Store) {
    let runs = runs(store);
    let run = runs.next_undo().expect("something to undo");
    let back = store.plan_back(&run.operations.iter().collect::<Vec<_>>(), now()).expect("can be undone");
    store.apply_back(&lock(store), &back).expect("applies");
}

/// Does again what a redo would.
fn step_forward(store: &Store) {
    let operations = store.history(usize::MAX).expect("reads").operations;
    let Redo::Last(id) = runs(store).redo else { panic!("nothing to do again") };
    let undo = operations.iter().find(|operation| operation.id == id).expect("it is recorded");
    let back = store.plan_back(&[undo], now()).expect("can be done again");
    store.apply_back(&lock(store), &back).expect("applies");
}

#[test]
fn undo_takes_back_a_whole_run_twice_is_two_steps_and_redo_goes_forward() {
    let mem = small_vault();
    let store = mem_store(&mem);
    let page = || text(&store, "knowledge/concepts/a.md").expect("there");
    command(&mem, &["old a\n", "1", "2", "3"]);
    command(&mem, &["3", "4"]);
    command(&mem, &["4", "5", "old a\n"]);
    assert_eq!(runs(&store).runs.iter().map(|run| run.operations.len()).collect::<Vec<_>>(), [2, 1, 3]);
    for expect in ["4", "3", "old a\n"] {
        let n_operations = store.history(usize::MAX).expect("reads").operations.len();
        step_back(&store);
        assert_eq!(page(), expect);
        assert_eq!(store.history(usize::MAX).expect("reads").operations.len(), n_operations + 1, "one plan");
    }
    assert!(runs(&store).next_undo().is_none());
    for expect in ["3", "4", "old a\n"] {
        step_forward(&store);
        assert_eq!(page(), expect);
    }
    assert_eq!(runs(&store).redo, Redo::Nothing);
    step_back(&store);
    assert_eq!(page(), "4");
    command(&mem, &["4", "6"]);
    assert!(matches!(runs(&store).redo, Redo::Cut(_)), "something else was done");
    step_back(&store);
    step_back(&store);
    assert_eq!(page(), "3", "what was taken back is not taken back again");
}

#[test]
fn a_crash_anywhere_in_an_undo_of_a_run_takes_back_all_or_nothing() {
    let start = small_vault();
    command(&start, &["old a\n", "1", "2", "3"]);
    let done = start.fork();
    step_back(&mem_store(&done));
    for n in 1..=done.n_ops() {
        let mem = start.fork();
        mem.crash_at(n);
        let store = mem_store(&mem);
        let runs = runs(&store);
        let run = runs.next_undo().expect("something to undo");
        let applied = store
            .plan_back(&run.operations.iter().collect::<Vec<_>>(), now())
            .and_then(|back| store.apply_back(&store.lock("undo", WAIT)?, &back));
        drop(applied);
        let mem = mem.after_crash(Loss::UnsyncedDropped);
        let store = mem_store(&mem);
        drop(lock(&store));
        let page = text(&store, "knowledge/concepts/a.md").expect("there");
        assert!(["3", "old a\n"].contains(&page.as_str()), "crash at {n}: {page}");
        let is_undone = self::runs(&store).runs.iter().any(|run| run.is_undone);
        assert_eq!(is_undone, page == "old a\n", "crash at {n}");
    }
}

#[test]
fn of_a_long_run_every_record_is_kept() {
    let mem = small_vault();
    let steps: Vec<String> = std::iter::once("old a\n".to_owned()).chain((0..80).map(|n| n.to_string())).collect();
    command(&mem, &steps.iter().map(String::as_str).collect::<Vec<_>>());
    command(&mem, &["79", "x"]);
    let store = mem_store(&mem);
    step_back(&store);
    step_back(&store);
    assert_eq!(text(&store, "knowledge/concepts/a.md").as_deref(), Some("old a\n"));
}

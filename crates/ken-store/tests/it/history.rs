//! The operation log shows tampering and survives damage.

use ken_store::Store;
use ken_testkit::memfs::MemFs;

use crate::support::{apply, create, mem_store, plan, root, text};

const FILE: &str = ".kenning/ops/2026-04.jsonl";

fn vault() -> (MemFs, Store) {
    let mem = MemFs::new(&root());
    let store = mem_store(&mem);
    for n in 0..4 {
        apply(&store, &plan(vec![create(&format!("knowledge/{n}.md"), "x")])).expect("applies");
    }
    assert_eq!(store.verify_history().expect("reads").damaged, []);
    (mem, store)
}

#[track_caller]
fn check(tamper: impl Fn(&mut Vec<String>), expect: &[usize]) {
    let (mem, store) = vault();
    let old = text(&store, FILE).expect("there");
    let mut lines = old.lines().map(str::to_owned).collect();
    tamper(&mut lines);
    mem.plant(&root().join(FILE), (lines.join("\n") + "\n").as_bytes());
    let damaged = store.verify_history().expect("reads").damaged;
    assert_eq!(damaged.iter().map(|damage| damage.line).collect::<Vec<_>>(), expect, "{damaged:?}");
}

#[test]
fn a_record_that_was_changed_removed_moved_or_put_in_is_found() {
    check(|lines| lines[1] = lines[1].replace("compile", "capture"), &[3]);
    check(|lines| drop(lines.remove(1)), &[2]);
    check(|lines| drop(lines.remove(0)), &[1]);
    check(|lines| lines.swap(1, 2), &[2, 3, 4]);
    check(|lines| lines.insert(1, lines[0].clone()), &[2]);
    check(|lines| lines[3] = lines[3].replace("compile", "capture"), &[4]);
}

#[test]
fn a_damaged_record_is_reported_and_the_others_are_read() {
    let (mem, store) = vault();
    let old = text(&store, FILE).expect("there");
    let line = old.lines().nth(2).expect("a third record");
    mem.plant(&root().join(FILE), old.replace(line, "{\"id\":").as_bytes());
    let history = store.history(9).expect("reads");
    assert_eq!(history.operations.iter().map(|op| op.id.number()).collect::<Vec<_>>(), [4, 2, 1]);
    assert_eq!(history.damaged.iter().map(|damage| damage.line).collect::<Vec<_>>(), [3]);
}

#[test]
fn a_record_that_was_cut_off_does_not_spoil_the_next_one() {
    let (mem, store) = vault();
    let old = text(&store, FILE).expect("there");
    mem.plant(&root().join(FILE), &old.as_bytes()[..old.len() - 9]);
    let id = apply(&store, &plan(vec![create("knowledge/next.md", "x")])).expect("applies").op_id;
    assert_eq!(id.map(|id| id.number()), Some(4), "the cut record's number is free again");
    let history = store.history(9).expect("reads");
    assert_eq!(history.operations.iter().map(|op| op.id.number()).collect::<Vec<_>>(), [4, 3, 2, 1]);
    assert_eq!(history.damaged.len(), 1);
}

#[test]
fn the_newest_operations_come_first_and_no_more_than_asked() {
    let (_, store) = vault();
    let history = store.history(2).expect("reads");
    assert_eq!(history.operations.iter().map(|op| op.id.number()).collect::<Vec<_>>(), [4, 3]);
}

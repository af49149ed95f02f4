//! A disk that fills up at any write leaves all or nothing, and the message names the file.

use ken_store::StoreError;

use crate::support::{apply, big_plan, chain, lock, mem_store, small_vault, visible};

#[test]
fn a_disk_that_fills_up_at_any_write_leaves_all_or_nothing() {
    let start = small_vault();
    let done = start.fork();
    apply(&mem_store(&done), &big_plan()).expect("applies");
    let (mut n_refused, mut n_interrupted) = (0, 0);
    for n in 1..=done.n_ops() {
        let mem = start.fork();
        mem.full_at(n);
        let store = mem_store(&mem);
        let guard = lock(&store);
        let Err(error) = store.apply(&guard, &big_plan()) else { continue };
        assert!(chain(&error).contains("cannot write `"), "{}", chain(&error));
        if matches!(error, StoreError::Interrupted { .. }) {
            n_interrupted += 1;
            assert!(store.pending() && error.changed_something());
            mem.heal();
            store.recover(&guard).expect("there is space again");
        } else {
            n_refused += 1;
            assert_eq!(visible(&mem), visible(&start), "full at {n}: {}", chain(&error));
            assert!(!error.changed_something());
            mem.heal();
            store.apply(&guard, &big_plan()).expect("there is space again");
        }
        assert_eq!(visible(&mem), visible(&done), "full at {n}");
    }
    assert!(n_refused >= 8 && n_interrupted >= 3, "{n_refused} refused, {n_interrupted} interrupted");
}

//! The spool: a file is there completely or not at all, and nothing of a failed one stays.

use ken_store::SpooledFile;

use crate::support::{mem_store, root, small_vault, store_of};

#[test]
fn a_full_disk_leaves_the_spool_as_it_was() {
    let start = small_vault();
    mem_store(&start).put_spooled("end-1.json", b"{\"first\":1}").expect("there is space");
    let done = start.fork();
    mem_store(&done).put_spooled("end-1.json", b"{\"second\":2}").expect("there is space");
    let mut n_refused = 0;
    for n in 1..=done.n_ops() {
        let mem = start.fork();
        mem.full_at(n);
        let store = mem_store(&mem);
        let was_put = store.put_spooled("end-1.json", b"{\"second\":2}").is_ok();
        n_refused += usize::from(!was_put);
        let expected: &[u8] = if was_put { b"{\"second\":2}" } else { b"{\"first\":1}" };
        let whole = SpooledFile { name: "end-1.json".to_owned(), bytes: expected.to_vec(), is_ours: true };
        assert_eq!(store.spooled().expect("reads"), [whole], "full at {n}");
        let left: Vec<_> = mem.files().into_keys().filter(|path| path.to_string_lossy().contains(".ken-")).collect();
        assert!(left.is_empty(), "full at {n}: {left:?}");
        mem.heal();
        store.put_spooled("end-1.json", b"{\"second\":2}").expect("there is space again");
    }
    assert!(n_refused > 0);
}

#[test]
fn a_job_that_was_replaced_meanwhile_is_not_removed() {
    let mem = small_vault();
    let store = mem_store(&mem);
    store.put_spooled("stop-1.json", b"{\"at\":1}").expect("writes");
    store.put_spooled("stop-1.json", b"{\"at\":2}").expect("writes");
    store.remove_spooled("stop-1.json", b"{\"at\":1}").expect("leaves it");
    assert_eq!(store.spooled().expect("reads").len(), 1);
    store.remove_spooled("stop-1.json", b"{\"at\":2}").expect("removes it");
    assert_eq!(store.spooled().expect("reads").len(), 0);
}

#[test]
fn a_job_that_nobody_here_left_is_known() {
    let mem = small_vault();
    store_of(&mem, 9).put_spooled("end-1.json", b"{}").expect("writes");
    mem.plant(&root().join(".kenning/spool/end-2.json"), b"{}\n");
    let own = mem_store(&mem);
    own.put_spooled("end-3.json", b"{}").expect("writes");
    let found = own.spooled().expect("reads");
    let is_ours: Vec<_> = found.iter().map(|file| (file.name.as_str(), file.is_ours)).collect();
    assert_eq!(is_ours, [("end-1.json", false), ("end-2.json", false), ("end-3.json", true)]);
    // Nor does a seal fit a job of another name.
    let sealed = mem.files()[&root().join(".kenning/spool/end-3.json")].clone();
    mem.plant(&root().join(".kenning/spool/end-4.json"), &sealed);
    assert!(!own.spooled().expect("reads")[3].is_ours);
}

#[test]
fn one_worker_at_a_time() {
    let mem = small_vault();
    let store = mem_store(&mem);
    let held = store.lock_spool().expect("locks").expect("nobody has it");
    assert!(store.lock_spool().expect("asks").is_none());
    drop(held);
    assert!(store.lock_spool().expect("locks").is_some());
}

#[test]
fn notes_are_kept_small() {
    let mem = small_vault();
    let store = mem_store(&mem);
    let line = "x".repeat(1_000);
    (0..400).for_each(|_| store.note("hooks.log", &line).expect("writes"));
    let len_of = |name: &str| store.notes(name).map_or(0, |bytes| bytes.len());
    assert!(len_of("hooks.log") <= 130 * 1024 && len_of("hooks.log.old") <= 130 * 1024);
    assert!(len_of("hooks.log.old") > 0);
}

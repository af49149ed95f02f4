//! Everything that the store reads back from `.kenning/` is read without a panic, and nothing of it is carried out.
#![no_main]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ken_core::layout::KENNING;
use ken_core::{Layout, VaultPath};
use ken_store::{Keys, OpId, Store};
use ken_testkit::memfs::MemFs;

/// The files, by the first byte of the input.
const FILES: [&str; 10] = [
    ".kenning/intent",
    ".kenning/intent.tmp",
    ".kenning/undo/000001",
    ".kenning/ops/2026-04.jsonl",
    ".kenning/accepted",
    ".kenning/lock",
    ".kenning/spool/end-1.json",
    ".kenning/spool/x.flag",
    ".kenning/cache/route.bin",
    ".kenning/cache/hooks.log",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, content)) = bytes.split_first() else { return };
    let root = Path::new("/vault");
    let mem = MemFs::new(root);
    mem.plant(&root.join("knowledge/a.md"), b"# A\n");
    mem.plant(&root.join("daily/2026-04-01.md"), b"# Day\n");
    let name = FILES[usize::from(*which) % FILES.len()];
    mem.plant(&root.join(name), content);
    let layout = Layout::new(&KENNING, &VaultPath::new("knowledge").expect("inside"));
    let store = Store::open(root.to_path_buf(), layout, Arc::new(mem.clone()), Keys::of([7; 32]));
    assert!(!store.is_accepted(), "a file that was planted accepts nothing");
    let _ = store.left();
    let _ = store.foreign_undo();
    let _ = store.history(9);
    let _ = store.verify_history();
    let _ = store.operation(OpId::new(1));
    assert!(store.spooled().is_ok_and(|jobs| jobs.iter().all(|job| !job.is_ours)), "no job is ours");
    assert_eq!(store.read_cache("route.bin"), None, "no cache is believed");
    let _ = store.notes("hooks.log");
    let _ = store.lock("fuzz", Duration::ZERO).map(drop);
    let files = mem.files();
    assert_eq!(files[&root.join("knowledge/a.md")], b"# A\n", "no page is changed");
    assert_eq!(files[&root.join("daily/2026-04-01.md")], b"# Day\n", "no day is changed");
});

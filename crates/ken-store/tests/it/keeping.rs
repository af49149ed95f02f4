//! What the tool keeps for itself, stopped at any operation: whole or as before, and nothing else is harmed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ken_store::{Store, StoreError};
use ken_testkit::memfs::{Loss, MemFs};

use crate::support::{lock, mem_store, real_store, root, small_vault};

const FILE: &str = "replies/compile/0123456789abcdef-01234567.json";
const LINES: &str = "costs.jsonl";

fn place(name: &str) -> PathBuf {
    root().join(".kenning").join(name)
}

/// Every file but the kept one and what was being written beside it.
fn others(mem: &MemFs, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_staged = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".ken-"));
    let mut files = mem.files();
    files.retain(|path, _| *path != place(name) && !is_staged(path));
    files
}

/// Stops an act at each of its operations, with each loss; `check` gets what is then found, and whether the
/// act was acknowledged.
fn stopped(
    start: &MemFs,
    name: &str,
    act: &dyn Fn(&Store) -> Result<(), StoreError>,
    check: &dyn Fn(Option<&[u8]>, bool),
) {
    let done = start.fork();
    act(&mem_store(&done)).expect("nothing stands in the way");
    let n_ops = done.n_ops();
    assert!(n_ops > 1, "{n_ops} operations");
    for n in 1..=n_ops + 1 {
        let mem = start.fork();
        mem.crash_at(n);
        let is_done = act(&mem_store(&mem)).is_ok();
        for loss in Loss::ALL {
            let found = mem.after_crash(loss);
            check(found.files().get(&place(name)).map(Vec::as_slice), is_done);
            assert_eq!(others(&found, name), others(start, name), "stopped at {n}, {loss:?}");
            // And it can be done again.
            act(&mem_store(&found)).expect("a restart heals it");
            check(found.files().get(&place(name)).map(Vec::as_slice), true);
        }
    }
}

#[test]
fn a_crash_anywhere_leaves_a_kept_file_whole_or_as_it_was() {
    let fresh = small_vault();
    let check = |found: Option<&[u8]>, is_done: bool| {
        assert!(found == Some(b"new") || (found.is_none() && !is_done), "{found:?}, acknowledged: {is_done}");
    };
    stopped(&fresh, FILE, &|store| store.keep(FILE, b"new"), &check);

    let used = small_vault();
    mem_store(&used).keep(FILE, b"old and longer").expect("keeps");
    let used = used.after_crash(Loss::Kept);
    let check = |found: Option<&[u8]>, is_done: bool| {
        assert!(
            found == Some(b"new") || (found == Some(b"old and longer") && !is_done),
            "{found:?}, acknowledged: {is_done}"
        );
    };
    stopped(&used, FILE, &|store| store.keep(FILE, b"new"), &check);
}

#[test]
fn a_crash_anywhere_leaves_a_kept_line_whole_or_a_line_of_its_own() {
    const OLD: &str = "{\"call\":1}\n";
    const NEW: &str = "{\"call\":2,\"state\":\"asked\"}";
    let line = |store: &Store| store.keep_line(LINES, NEW);
    let check = |found: Option<&[u8]>, is_done: bool| {
        let found = found.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default();
        assert!(!is_done || found.lines().any(|line| line == NEW), "an acknowledged line was lost: {found:?}");
        // What a crash cut off harms no line that is added later.
        let is_part = |line: &str| NEW.starts_with(line) || line.contains('\0');
        assert!(found.lines().all(|line| format!("{line}\n") == OLD || is_part(line)), "{found:?}");
    };
    stopped(&small_vault(), LINES, &line, &check);

    let used = small_vault();
    mem_store(&used).keep_line(LINES, OLD.trim_end()).expect("keeps");
    let used = used.after_crash(Loss::Kept);
    let check_used = |found: Option<&[u8]>, is_done: bool| {
        assert!(found.is_some_and(|bytes| bytes.starts_with(OLD.as_bytes())), "an older line was harmed: {found:?}");
        check(found, is_done);
    };
    stopped(&used, LINES, &line, &check_used);

    let cut = used.fork();
    cut.plant(&place(LINES), format!("{OLD}{}", &NEW[..9]).as_bytes());
    stopped(&cut, LINES, &line, &check_used);
}

#[test]
fn what_a_killed_process_left_is_removed_by_the_next_holder_of_the_lock() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = real_store(dir.path());
    drop(lock(&store));
    let place = |name: &str| dir.path().join(".kenning").join(name);
    std::fs::create_dir_all(place("replies/compile")).expect("creates");
    std::fs::create_dir_all(place("cache")).expect("creates");
    // A process that is gone, one that lives, and one of which nothing is known but that it takes very long.
    let mut child = std::process::Command::new("true").spawn().expect("starts");
    let gone = child.id();
    child.wait().expect("ends");
    let alive = 1;
    for name in [".ken-PID-costs", "cache/.ken-PID-seen.json", "replies/compile/.ken-PID-x.json"] {
        for pid in [gone, alive] {
            std::fs::write(place(&name.replace("PID", &pid.to_string())), b"half").expect("writes");
        }
    }
    let old = place(".ken-1-old");
    std::fs::write(&old, b"half").expect("writes");
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    std::fs::File::options().write(true).open(&old).expect("opens").set_modified(long_ago).expect("sets");
    drop(lock(&store));
    store.keep("replies/compile/y.json", b"{}").expect("keeps");
    let left = |name: &str, pid: u32| place(&name.replace("PID", &pid.to_string())).exists();
    for name in [".ken-PID-costs", "cache/.ken-PID-seen.json", "replies/compile/.ken-PID-x.json"] {
        assert_eq!((left(name, gone), left(name, alive)), (!cfg!(target_os = "linux"), true), "{name}");
    }
    assert!(!old.exists() && place("replies/compile/y.json").exists());
    assert_eq!(store.kept_names("replies/compile").expect("reads"), ["y.json"]);
}

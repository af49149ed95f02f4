//! The in-memory file system forgets what a disk may forget.

use std::path::{Path, PathBuf};

use ken_store::Fs;
use ken_testkit::memfs::{Loss, MemFs};

use crate::support::root;

fn at(name: &str) -> PathBuf {
    root().join(name)
}

fn names(mem: &MemFs) -> Vec<(String, String)> {
    let shown = |path: &Path| path.strip_prefix(root()).expect("inside").display().to_string();
    mem.files().iter().map(|(path, bytes)| (shown(path), String::from_utf8_lossy(bytes).into_owned())).collect()
}

#[track_caller]
fn check(mem: &MemFs, loss: Loss, expect: &[(&str, &str)]) {
    let expect: Vec<_> = expect.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    assert_eq!(names(&mem.after_crash(loss)), expect, "{loss:?}");
}

#[test]
fn a_synced_file_in_an_unsynced_folder_is_lost() {
    let mem = MemFs::new(&root());
    mem.write_new(&at("a"), b"text", None).expect("writes");
    mem.sync_file(&at("a")).expect("syncs");
    check(&mem, Loss::UnsyncedDropped, &[]);
    mem.sync_dir(&root()).expect("syncs");
    check(&mem, Loss::UnsyncedDropped, &[("a", "text")]);
}

#[test]
fn a_synced_name_of_an_unsynced_file_is_an_empty_file() {
    let mem = MemFs::new(&root());
    mem.write_new(&at("a"), b"text", None).expect("writes");
    mem.sync_dir(&root()).expect("syncs");
    check(&mem, Loss::UnsyncedDropped, &[("a", "")]);
    check(&mem, Loss::UnsyncedBytesDropped, &[("a", "")]);
    check(&mem, Loss::LastWriteTorn, &[("a", "te")]);
    check(&mem, Loss::Kept, &[("a", "text")]);
}

#[test]
fn a_rename_without_its_folder_synced_is_taken_back() {
    let mem = MemFs::new(&root());
    mem.plant(&at("a"), b"old");
    mem.write_new(&at("tmp"), b"new", None).expect("writes");
    mem.sync_file(&at("tmp")).expect("syncs");
    mem.rename(&at("tmp"), &at("a")).expect("renames");
    check(&mem, Loss::UnsyncedDropped, &[("a", "old")]);
    check(&mem, Loss::UnsyncedBytesDropped, &[("a", "new")]);
    mem.sync_dir(&root()).expect("syncs");
    check(&mem, Loss::UnsyncedDropped, &[("a", "new")]);
}

#[test]
fn what_was_appended_and_not_synced_is_lost_and_the_rest_is_not() {
    let mem = MemFs::new(&root());
    mem.plant(&at("a"), b"old");
    mem.append(&at("a"), b"+new").expect("appends");
    check(&mem, Loss::UnsyncedDropped, &[("a", "old")]);
    check(&mem, Loss::LastWriteTorn, &[("a", "old+n")]);
    mem.sync_file(&at("a")).expect("syncs");
    check(&mem, Loss::LastWriteTorn, &[("a", "old+new")]);
}

#[test]
fn a_file_is_lost_with_the_folder_that_was_not_synced() {
    let mem = MemFs::new(&root());
    mem.create_dir(&at("f")).expect("creates");
    mem.write_new(&at("f/a"), b"x", None).expect("writes");
    mem.sync_file(&at("f/a")).expect("syncs");
    mem.sync_dir(&at("f")).expect("syncs");
    check(&mem, Loss::UnsyncedDropped, &[]);
    check(&mem, Loss::Kept, &[("f/a", "x")]);
}

#[test]
fn a_killed_process_loses_nothing_until_the_power_goes() {
    let mem = MemFs::new(&root());
    mem.write_new(&at("a"), b"text", None).expect("writes");
    let killed = mem.after_crash(Loss::ProcessKilled);
    assert_eq!(names(&killed), [("a".to_owned(), "text".to_owned())]);
    check(&killed, Loss::UnsyncedDropped, &[]);
}

#[test]
fn after_the_machine_has_stopped_nothing_works() {
    let mem = MemFs::new(&root());
    mem.crash_at(2);
    mem.write_new(&at("a"), b"text", None).expect("the first works");
    assert!(mem.write_new(&at("b"), b"text", None).is_err());
    assert!(mem.read(&at("a")).is_err() && mem.sync_file(&at("a")).is_err());
    check(&mem, Loss::LastWriteTorn, &[("a", "text"), ("b", "te")]);
}

//! Finding, listing and staying inside a vault, on real files.

use std::fs;

use ken_store::{RealFs, Store, StoreError};

use crate::support::{apply, create, mem_store, path, plan, real_store, root, shared, small_vault};

#[test]
fn a_vault_is_found_from_any_folder_inside_it() {
    for mark in ["kenning.toml", ".kenning/lock", "memory-bank/_index.md", "knowledge/index.md"] {
        let dir = tempfile::tempdir().expect("a folder");
        let mark = dir.path().join(mark);
        fs::create_dir_all(mark.parent().expect("a folder")).expect("creates");
        fs::write(&mark, "").expect("writes");
        let deep = dir.path().join("a/b");
        fs::create_dir_all(&deep).expect("creates");
        assert_eq!(Store::find(&deep, &RealFs).as_deref(), Some(dir.path()), "{mark:?}");
    }
    let mem = small_vault();
    assert_eq!(Store::find(std::path::Path::new("/elsewhere"), shared(&mem).as_ref()), None);
}

#[test]
fn a_listing_is_sorted_and_leaves_out_dot_names() {
    let mem = small_vault();
    let store = mem_store(&mem);
    mem.plant(&root().join("knowledge/.hidden/x.md"), b"x");
    apply(&store, &plan(vec![create("knowledge/z.md", "z")])).expect("applies");
    let files = store.list(&path("knowledge")).expect("lists").files;
    let names: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
    let expect = ["concepts/a", "concepts/b", "concepts/c", "entities/d", "entities/e", "index", "log", "z"];
    assert_eq!(names, expect.map(|name| format!("knowledge/{name}.md")));
    assert_eq!(files[0].len, 6);
    assert!(store.list(&path("nowhere")).expect("lists").files.is_empty());
    let folders = store.list_dirs(&path("knowledge")).expect("lists");
    let names: Vec<_> = folders.iter().map(|folder| folder.path.as_str()).collect();
    assert_eq!(names, ["knowledge", "knowledge/concepts", "knowledge/entities"]);
}

#[test]
fn a_folder_tells_when_a_page_in_it_was_replaced() {
    let store = mem_store(&small_vault());
    let before = store.folder_mtime(&path("knowledge/entities")).expect("tells");
    apply(&store, &plan(vec![create("knowledge/entities/z.md", "z")])).expect("applies");
    assert_ne!(store.folder_mtime(&path("knowledge/entities")).expect("tells"), before);
}

#[cfg(unix)]
#[test]
fn links_are_reported_and_nothing_goes_through_them() {
    use std::os::unix::fs::symlink;
    let (dir, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    fs::write(outside.path().join("secret.md"), "secret").expect("writes");
    fs::create_dir(dir.path().join("knowledge")).expect("creates");
    symlink(outside.path(), dir.path().join("knowledge/out")).expect("links");
    symlink(outside.path().join("secret.md"), dir.path().join("knowledge/jwt.md")).expect("links");
    let store = real_store(dir.path());
    let listing = store.list(&path("knowledge")).expect("lists");
    let skipped: Vec<_> = listing.skipped.iter().map(|skipped| skipped.place.as_str()).collect();
    assert_eq!((listing.files.len(), skipped), (0, vec!["knowledge/jwt.md", "knowledge/out"]));
    for at in ["knowledge/jwt.md", "knowledge/out/secret.md", "knowledge/out/new/deep.md"] {
        assert!(matches!(apply(&store, &plan(vec![create(at, "mine")])), Err(StoreError::Refused { .. })), "{at}");
    }
    for at in ["knowledge/jwt.md", "knowledge/out/secret.md"] {
        assert!(matches!(store.read(&path(at)), Err(StoreError::Refused { .. })), "{at}");
    }
    assert_eq!(fs::read_to_string(outside.path().join("secret.md")).expect("reads"), "secret");
    assert_eq!(fs::read_dir(outside.path()).expect("lists").count(), 1);
}

#[cfg(unix)]
#[test]
fn a_lock_file_that_is_a_link_is_refused() {
    let (dir, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let target = outside.path().join("precious");
    fs::write(&target, "bytes").expect("writes");
    fs::create_dir(dir.path().join(".kenning")).expect("creates");
    std::os::unix::fs::symlink(&target, dir.path().join(".kenning/lock")).expect("links");
    let error = real_store(dir.path()).lock("test", std::time::Duration::ZERO).expect_err("refused");
    assert!(matches!(error, StoreError::Refused { .. }), "{error}");
    assert_eq!(fs::read_to_string(&target).expect("reads"), "bytes");
}

#[cfg(unix)]
#[test]
fn names_that_no_vault_can_hold_are_reported() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().expect("a folder");
    for name in [&b"ok.md"[..], b"a:b.md", b"bad\xff.md", b"back\\slash.md"] {
        // Some file systems refuse such names themselves.
        let _ = fs::write(dir.path().join(std::ffi::OsStr::from_bytes(name)), "x");
    }
    let listing = real_store(dir.path()).list_all().expect("lists");
    assert_eq!(listing.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["ok.md"]);
    assert!(listing.skipped.iter().all(|skipped| skipped.why == "its name cannot be used in a vault"));
}

#[cfg(unix)]
#[test]
fn a_read_only_vault_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    let allow = |mode| fs::set_permissions(dir.path(), fs::Permissions::from_mode(mode)).expect("sets permissions");
    allow(0o555);
    // Permissions do not bind the superuser; there is nothing to see then.
    let is_bound = fs::write(dir.path().join("probe"), "").is_err();
    let outcome = real_store(dir.path()).lock("test", std::time::Duration::ZERO).map(drop);
    allow(0o755);
    if is_bound {
        let error = outcome.expect_err("cannot be locked");
        assert_eq!(error.to_string(), "the vault is read-only: cannot write `.kenning/lock`");
    }
}

#[cfg(unix)]
#[test]
fn a_private_page_stays_private_when_it_is_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    let page = dir.path().join("a.md");
    fs::write(&page, "old").expect("writes");
    fs::set_permissions(&page, fs::Permissions::from_mode(0o600)).expect("sets permissions");
    apply(&real_store(dir.path()), &plan(vec![crate::support::replace("a.md", "old", "new")])).expect("applies");
    assert_eq!(fs::read_to_string(&page).expect("reads"), "new");
    assert_eq!(fs::metadata(&page).expect("there").permissions().mode() & 0o777, 0o600);
}

#[test]
fn what_is_not_for_git_is_ignored() {
    let lines: Vec<_> = ken_store::GITIGNORE.lines().collect();
    for name in ["cache/", "spool/", "undo/", "lock", "intent*"] {
        assert!(lines.contains(&name), "{name}");
    }
    assert!(!lines.iter().any(|line| line.starts_with("ops")));
}

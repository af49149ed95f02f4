//! A vault is read as a plan will leave it, and nothing is changed on the way.

use std::time::Duration;

use ken_core::Edit;

use crate::support::{create, mem_store, path, small_vault};

#[test]
fn a_store_ahead_of_a_plan_shows_its_files_and_changes_nothing() {
    let mem = small_vault();
    let before = mem.files();
    let store = mem_store(&mem);
    let added = path("raw/adopted/concepts/new.md");
    let old = store.read(&path("knowledge/concepts/a.md")).expect("reads").expect("it is there");
    let append =
        |name: &str| Edit::Append { path: path(name), preamble: b"# Day\n".to_vec(), content: b"more\n".to_vec() };
    let edits = [create(added.as_str(), "new\n"), append("knowledge/concepts/a.md"), append("daily/2030-01-01.md")];
    let ahead = store.ahead(&edits).expect("reads");
    assert_eq!(ahead.read(&added).expect("reads").as_deref(), Some(&b"new\n"[..]));
    let appended = ahead.read(&path("knowledge/concepts/a.md")).expect("reads").expect("it is there");
    assert_eq!(appended, [old.as_slice(), b"more\n"].concat());
    assert_eq!(ahead.read(&path("daily/2030-01-01.md")).expect("reads").as_deref(), Some(&b"# Day\nmore\n"[..]));
    let listed = ahead.list(&path("raw")).expect("lists").files;
    assert!(listed.iter().any(|file| file.path == added && file.len == 4), "{listed:?}");
    assert_eq!(ahead.list_paths(&path("raw/adopted")).expect("lists"), std::slice::from_ref(&added));
    assert!(ahead.lock("test", Duration::ZERO).is_err() && ahead.write_cache("probe", "x").is_err());
    assert_eq!(mem.files(), before, "nothing was written");
    assert_eq!(store.read(&added).expect("reads"), None);
}

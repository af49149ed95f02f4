//! A person saves a file in the very last moment: after the store has looked, before it writes.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ken_core::{Edit, Plan};
use ken_store::{Fs, FsEntry, FsMeta, Held, RealFs, Store, StoreError};
use ken_testkit::memfs::{Loss, MemFs};
use tempfile::TempDir;

use crate::support::{append, apply, create, layout, mem_store, plan, remove, replace, root, small_vault, text};

const TARGET: &str = "knowledge/concepts/a.md";

/// A file system in which somebody saves one file right before the store moves anything from or to it, as
/// often as there are texts left.
struct Meddled {
    mem: MemFs,
    target: PathBuf,
    saves: Mutex<Vec<&'static str>>,
}

impl Meddled {
    fn save(&self, moved: &[&Path]) {
        if moved.contains(&self.target.as_path())
            && let Some(text) = self.saves.lock().expect("no test panics here").pop()
        {
            self.mem.plant(&self.target, text.as_bytes());
        }
    }
}

impl Fs for Meddled {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.mem.read(path)
    }
    fn read_from(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>> {
        self.mem.read_from(path, offset)
    }
    fn metadata(&self, path: &Path) -> io::Result<FsMeta> {
        self.mem.metadata(path)
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<FsEntry>> {
        self.mem.list(folder)
    }
    fn write_new(&self, path: &Path, bytes: &[u8], like: Option<&Path>) -> io::Result<()> {
        self.mem.write_new(path, bytes, like)
    }
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.mem.append(path, bytes)?;
        // Whoever replaces the file now takes what was just added away with it.
        self.save(&[path]);
        Ok(())
    }
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.mem.sync_file(path)
    }
    fn sync_dir(&self, folder: &Path) -> io::Result<()> {
        self.mem.sync_dir(folder)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.save(&[from, to]);
        self.mem.rename(from, to)
    }
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<bool> {
        self.save(&[one, other]);
        self.mem.exchange(one, other)
    }
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.save(&[from, to]);
        self.mem.rename_new(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.mem.remove(path)
    }
    fn create_dir(&self, folder: &Path) -> io::Result<()> {
        self.mem.create_dir(folder)
    }
    fn try_lock(&self, path: &Path, owner: &[u8]) -> io::Result<Option<Held>> {
        self.mem.try_lock(path, owner)
    }
}

fn meddled(mem: &MemFs, target: &str, saves: &[&'static str]) -> Store {
    let saves = Mutex::new(saves.iter().rev().copied().collect());
    let fs = Meddled { mem: mem.clone(), target: root().join(target), saves };
    Store::open(root(), layout(), Arc::new(fs), crate::support::keys())
}

/// Applies one edit while somebody saves its file; returns what stands there and what lies beside it.
fn meet(target: &str, edit: Edit, saves: &[&'static str]) -> (Option<String>, Vec<Option<String>>) {
    let mem = small_vault();
    let store = meddled(&mem, target, saves);
    let receipt = apply(&store, &plan(vec![edit])).expect("it is decided");
    let store = mem_store(&mem);
    let is_left = |path: &PathBuf| path.to_string_lossy().contains(".ken-");
    assert!(!mem.files().keys().any(is_left), "{:?}", mem.files().keys());
    let beside = receipt.conflicts.iter().map(|conflict| {
        assert_eq!(conflict.path.as_str(), target, "the file is named");
        conflict.ours.as_ref().and_then(|ours| text(&store, ours.as_str()))
    });
    (text(&store, target), beside.collect())
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_save_in_the_last_moment_stands_and_the_new_bytes_lie_beside_it() {
    let edit = || replace(TARGET, "old a\n", "new a\n");
    assert_eq!(meet(TARGET, edit(), &[]), (some("new a\n"), vec![]));
    assert_eq!(meet(TARGET, edit(), &["saved\n"]), (some("saved\n"), vec![some("new a\n")]));
    assert_eq!(meet(TARGET, edit(), &["saved\n", "again\n"]), (some("again\n"), vec![some("new a\n")]));
    assert_eq!(meet(TARGET, edit(), &["", "in place\n"]), (some("in place\n"), vec![some("new a\n")]));
    let made = || create("knowledge/concepts/new.md", "new\n");
    assert_eq!(meet("knowledge/concepts/new.md", made(), &["saved\n"]), (some("saved\n"), vec![some("new\n")]));
}

#[test]
fn a_file_that_is_saved_in_the_last_moment_is_not_removed() {
    let edit = || remove(TARGET, "old a\n");
    assert_eq!(meet(TARGET, edit(), &[]), (None, vec![]));
    assert_eq!(meet(TARGET, edit(), &["saved\n"]), (some("saved\n"), vec![None]));
    assert_eq!(meet(TARGET, edit(), &["saved\n", "again\n"]), (some("again\n"), vec![None]));
}

#[test]
fn an_entry_is_added_to_a_day_that_is_replaced_in_that_moment() {
    let day = "daily/2026-04-01.md";
    let (now, _) = meet(day, append(day, "- ours\n"), &["old day\n- theirs\n"]);
    assert_eq!(now, some("old day\n- theirs\n- ours\n"));
    let (now, _) = meet(day, append(day, "- ours\n"), &["old day\n- theirs\n- ours\n"]);
    assert_eq!(now, some("old day\n- theirs\n- ours\n"));
}

#[test]
fn a_crash_after_a_save_in_the_last_moment_loses_neither() {
    let edits: [fn() -> Edit; 2] = [|| replace(TARGET, "old a\n", "new a\n"), || remove(TARGET, "old a\n")];
    for edit in edits {
        let mut n_saved = 0;
        for n in 1.. {
            let mem = small_vault();
            let store = meddled(&mem, TARGET, &["saved\n"]);
            mem.crash_at(n);
            if apply(&store, &Plan { ..plan(vec![edit()]) }).is_ok() {
                break;
            }
            let has_saved = mem.after_crash(Loss::ProcessKilled).files().values().any(|bytes| bytes == b"saved\n");
            let mem = mem.after_crash(Loss::ProcessKilled);
            let store = mem_store(&mem);
            drop(store.lock("test", crate::support::WAIT).expect("it recovers"));
            if has_saved {
                n_saved += 1;
                assert_eq!(text(&store, TARGET), some("saved\n"), "crash at {n}");
            }
        }
        assert!(n_saved > 3, "a few crashes come after the save");
    }
}

#[test]
fn a_file_that_was_emptied_to_be_saved_is_waited_for() {
    let folder = TempDir::new().expect("a folder for temporary files");
    let place = folder.path().join(TARGET);
    fs::create_dir_all(place.parent().expect("a folder")).expect("creates");
    let mut editor = File::create(&place).expect("an editor empties the file");
    let store = Store::open(folder.path().to_path_buf(), layout(), Arc::new(RealFs), crate::support::keys());
    let applied = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            editor.write_all(b"saved\n").expect("and writes it");
        });
        apply(&store, &plan(vec![replace(TARGET, "", "new a\n")]))
    });
    assert!(matches!(applied, Err(StoreError::Changed { .. })), "{applied:?}");
    assert_eq!(fs::read_to_string(&place).expect("reads"), "saved\n");
}

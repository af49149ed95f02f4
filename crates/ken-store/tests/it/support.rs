//! Vaults and plans for the tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ken_core::{Basis, Digest, Edit, Layout, LogEntry, Plan, Timestamp, VaultPath};
use ken_store::{Fs, Keys, LockGuard, RealFs, Receipt, Store, StoreError};
use ken_testkit::memfs::MemFs;

pub(crate) const WAIT: Duration = Duration::from_secs(60);

pub(crate) fn path(text: &str) -> VaultPath {
    VaultPath::new(text).expect("a vault path")
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

pub(crate) fn now() -> Timestamp {
    at("2026-04-01T14:30:00Z")
}

pub(crate) fn layout() -> Layout {
    Layout::new(&ken_core::layout::KENNING, &path("knowledge"))
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from("/vault")
}

/// The user who runs the tests.
pub(crate) fn keys() -> Keys {
    Keys::of([7; 32])
}

pub(crate) fn mem_store(mem: &MemFs) -> Store {
    Store::open(root(), layout(), Arc::new(mem.clone()), keys())
}

/// The same vault, for a user with another key.
pub(crate) fn store_of(mem: &MemFs, key: u8) -> Store {
    Store::open(root(), layout(), Arc::new(mem.clone()), Keys::of([key; 32]))
}

pub(crate) fn real_store(root: &Path) -> Store {
    Store::open(root.to_path_buf(), layout(), Arc::new(RealFs), keys())
}

pub(crate) fn lock(store: &Store) -> LockGuard {
    store.lock("test", WAIT).expect("nobody else holds the lock")
}

pub(crate) fn apply(store: &Store, plan: &Plan) -> Result<Receipt, StoreError> {
    store.apply(&store.lock("test", WAIT)?, plan)
}

pub(crate) fn entry(kind: &str) -> LogEntry {
    LogEntry {
        at: now(),
        kind: kind.to_owned(),
        subject: "daily/2026-04-01.md".to_owned(),
        lines: vec!["created [[jwt]]".to_owned()],
        inputs: vec![(path("daily/2026-04-01.md"), Digest::of(b"old day\n"))],
        public: true,
    }
}

pub(crate) fn plan(edits: Vec<Edit>) -> Plan {
    Plan { edits, guards: Vec::new(), log: entry("compile") }
}

pub(crate) fn create(at: &str, content: &str) -> Edit {
    Basis::nothing(path(at)).replace(content)
}

pub(crate) fn replace(at: &str, old: &str, content: &str) -> Edit {
    Basis::of(&path(at), Some(old.as_bytes())).replace(content)
}

pub(crate) fn remove(at: &str, old: &str) -> Edit {
    Basis::of(&path(at), Some(old.as_bytes())).remove()
}

pub(crate) fn append(at: &str, content: &str) -> Edit {
    Edit::Append { path: path(at), preamble: b"# Day\n".to_vec(), content: content.into() }
}

pub(crate) fn text(store: &Store, at: &str) -> Option<String> {
    let bytes = store.read(&path(at)).expect("readable");
    bytes.map(|bytes| String::from_utf8(bytes).expect("text"))
}

/// Everything in a vault that people or later operations can see, by path; not the lock, the intent,
/// and the undo records.
pub(crate) fn visible(mem: &MemFs) -> BTreeMap<PathBuf, Vec<u8>> {
    let own = ["lock", "intent", "intent.tmp", "undo"].map(|name| root().join(".kenning").join(name));
    mem.files().into_iter().filter(|(path, _)| !own.iter().any(|own| path.starts_with(own))).collect()
}

/// An in-memory vault with pages `a` to `e`, a journal day, an index and a log.
pub(crate) fn small_vault() -> MemFs {
    let mem = MemFs::new(&root());
    for (name, content) in [
        ("knowledge/concepts/a.md", "old a\n"),
        ("knowledge/concepts/b.md", "old b\n"),
        ("knowledge/concepts/c.md", "old c\n"),
        ("knowledge/entities/d.md", "old d\n"),
        ("knowledge/entities/e.md", "old e\n"),
        ("knowledge/index.md", "old index\n"),
        ("knowledge/log.md", "# Log\n\n## [2026-03-01T00:00:00Z] init | vault\n"),
        ("daily/2026-04-01.md", "old day\n"),
    ] {
        mem.plant(&root().join(name), content.as_bytes());
    }
    mem
}

/// Eight pages, the journal, the index: everything that one compile touches.
pub(crate) fn big_plan() -> Plan {
    plan(vec![
        create("knowledge/concepts/new.md", "new page\n"),
        create("knowledge/themes/deep/x.md", "new x\n"),
        create("knowledge/y.md", "new y\n"),
        replace("knowledge/concepts/a.md", "old a\n", "new a, and longer\n"),
        replace("knowledge/concepts/b.md", "old b\n", ""),
        replace("knowledge/concepts/c.md", "old c\n", "new c\n"),
        replace("knowledge/entities/d.md", "old d\n", "new d\n"),
        remove("knowledge/entities/e.md", "old e\n"),
        append("daily/2026-04-01.md", "\n### Session (14:30)\n- decided\n"),
        replace("knowledge/index.md", "old index\n", "new index\n"),
    ])
}

/// Returns a whole error chain as text.
pub(crate) fn chain(error: &StoreError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

pub(crate) fn shared(mem: &MemFs) -> Arc<dyn Fs> {
    Arc::new(mem.clone())
}

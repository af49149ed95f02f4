//! A vault in a temporary folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ken_engine::outcome::CompileOutcome;
use ken_engine::{Clock, CompileOptions, Engine, Keys};

/// The user who runs the tests.
pub(crate) fn keys() -> Keys {
    Keys::of([7; 32])
}

/// A vault that is removed when it is dropped.
pub(crate) struct Vault {
    folder: tempfile::TempDir,
}

/// The moment of every test.
pub(crate) fn clock() -> Clock {
    Clock { now: "2026-06-01T12:00:00Z".parse().expect("a time"), zone: jiff::tz::TimeZone::UTC }
}

impl Vault {
    /// A new vault.
    pub(crate) fn new() -> Vault {
        let vault = Vault { folder: tempfile::tempdir().expect("a temporary folder") };
        Engine::init(vault.root(), None, &keys(), &clock()).expect("a vault");
        vault
    }

    /// An empty folder that a test fills.
    pub(crate) fn bare() -> Vault {
        Vault { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::at(self.root().to_path_buf(), &keys(), clock(), Duration::from_secs(20)).expect("opens")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let place = self.root().join(path);
        fs::create_dir_all(place.parent().expect("a folder")).expect("creates");
        fs::write(place, text).expect("writes");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).expect("reads")
    }

    pub(crate) fn remove(&self, path: &str) {
        let place = self.root().join(path);
        if place.is_dir() { fs::remove_dir_all(place) } else { fs::remove_file(place) }.expect("removes");
    }

    pub(crate) fn compile(&self) -> CompileOutcome {
        self.engine().compile(CompileOptions::default()).expect("compiles")
    }

    /// The places of all files below a folder, in order.
    pub(crate) fn files_below(&self, folder: &str) -> Vec<String> {
        let mut out = BTreeMap::new();
        collect(&self.root().join(folder), self.root(), &mut out);
        out.into_keys().collect()
    }

    /// The names of the files in the cache, in order.
    pub(crate) fn files_in_cache(&self) -> Vec<String> {
        let read = fs::read_dir(self.root().join(".kenning/cache")).expect("a cache");
        let mut names: Vec<String> =
            read.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Every file of the wiki except the log, which tells when things happened.
    pub(crate) fn wiki(&self) -> BTreeMap<String, String> {
        let mut out = BTreeMap::new();
        collect(&self.root().join("knowledge"), self.root(), &mut out);
        out.remove("knowledge/log.md");
        out
    }
}

fn collect(folder: &Path, root: &Path, out: &mut BTreeMap<String, String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            collect(&path, root, out);
        } else {
            let name: PathBuf = path.strip_prefix(root).expect("inside").to_path_buf();
            out.insert(name.display().to_string(), fs::read_to_string(&path).expect("reads"));
        }
    }
}

/// The example days that ship with the demo.
pub(crate) fn example_days() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/demo/journal");
    let mut days: Vec<(String, String)> = fs::read_dir(folder)
        .expect("the example journal")
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            (entry.file_name().to_string_lossy().into_owned(), fs::read_to_string(entry.path()).expect("reads"))
        })
        .collect();
    days.sort();
    days
}

/// Every file below a folder, by its name there, with its bytes.
pub(crate) fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut out, mut folders) = (BTreeMap::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for child in fs::read_dir(folder).expect("it can be read").map(|entry| entry.expect("an entry").path()) {
            if child.is_dir() {
                folders.push(child);
            } else {
                let name = child.strip_prefix(root).expect("inside").to_str().expect("a plain name").to_owned();
                out.insert(name, fs::read(&child).expect("reads"));
            }
        }
    }
    out
}

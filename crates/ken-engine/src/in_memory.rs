//! Engines on vaults in memory, for tests.

use std::path::Path;
use std::sync::Arc;

use ken_core::layout::KENNING;
use ken_core::{Layout, VaultPath};
use ken_store::{Keys, Store};
use ken_testkit::memfs::MemFs;

use crate::config::Config;
use crate::engine::{Clock, Engine};

/// When it is, unless a test says otherwise.
pub(crate) const NOW: &str = "2026-06-01T12:00:00Z";

/// Returns the usual configuration.
pub(crate) fn config() -> Config {
    Config::with_layout(Layout::new(&KENNING, &VaultPath::new("knowledge").expect("inside")))
}

/// Returns an engine on a vault.
pub(crate) fn engine(mem: &MemFs) -> Engine {
    engine_with(mem, NOW, config())
}

/// The same at another time, or configured otherwise.
pub(crate) fn engine_with(mem: &MemFs, now: &str, config: Config) -> Engine {
    let (root, fs) = (Path::new("/vault").to_path_buf(), Arc::new(mem.clone()));
    let store = Store::open(root, config.layout.clone(), fs, Keys::of([7; 32]));
    let clock = Clock { now: now.parse().expect("a time"), zone: jiff::tz::TimeZone::UTC };
    Engine::on(Store::for_one_run(store), config, clock)
}

/// Puts a file into a vault.
pub(crate) fn plant(mem: &MemFs, place: &str, text: &str) {
    mem.plant(&Path::new("/vault").join(place), text.as_bytes());
}

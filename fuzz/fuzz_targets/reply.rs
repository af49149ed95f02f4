//! A reply of a model or an agent is checked without a panic, and no page says what it does not cite.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use ken_engine::{Clock, CompileOptions, Engine, Keys};

const DAY: &str = "# Daily Log: 2026-04-01\n\n## Sessions\n\n### Session (09:00) - Tokens\n\n**Decisions Made:**\n- Refresh tokens live 60 minutes in the login service.\n- The session store keeps refresh tokens hashed.\n";

fn clock() -> Clock {
    Clock { now: "2026-04-02T12:00:00Z".parse().expect("a time"), zone: jiff::tz::TimeZone::UTC }
}

/// A vault with a day that nobody has read yet; replies that are taken are forgotten again.
static VAULT: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().to_path_buf();
    Engine::init(&root, None, &Keys::of([7; 32]), &clock()).expect("a vault");
    std::fs::create_dir_all(root.join("daily")).expect("a folder");
    std::fs::write(root.join("daily/2026-04-01.md"), DAY).expect("written");
    (folder, root)
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let root = &VAULT.1;
    let engine = Engine::at(root.clone(), &Keys::of([7; 32]), clock(), Duration::from_secs(5)).expect("opens");
    let packet = engine.next_task(30).expect("hands out").expect("a task");
    let done = engine.submit_task(&packet.id, bytes).expect("a reply fails no compile");
    if done.applied.is_some() {
        let _ = std::fs::remove_dir_all(root.join(".kenning/replies"));
        let _ = std::fs::remove_dir_all(root.join("knowledge"));
        let _ = std::fs::remove_dir_all(root.join(".kenning/cache"));
        engine.compile(CompileOptions::default()).expect("compiles");
    }
    let _ = std::fs::remove_dir_all(root.join(".kenning/tasks"));
    let _ = std::fs::remove_dir_all(root.join(".kenning/rejected"));
    let _ = std::fs::remove_dir_all(root.join(".kenning/undo"));
});

//! Real processes, writing together and being killed.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{lock, real_store, text};
use crate::worker::{ENV, PAGES, ROUNDS};

fn start(vault: &Path, role: &str, name: &str) -> Child {
    let program = std::env::current_exe().expect("this test program");
    Command::new(program)
        .args(["--exact", "worker::entry_point", "--nocapture"])
        .env(ENV[0], vault)
        .env(ENV[1], role)
        .env(ENV[2], name)
        .stdout(Stdio::null())
        .spawn()
        .expect("starts")
}

#[test]
fn eight_processes_lose_and_tear_nothing() {
    const WRITERS: usize = 8;
    let dir = tempfile::tempdir().expect("a folder");
    let writers: Vec<Child> = (0..WRITERS).map(|n| start(dir.path(), "write", &format!("w{n}"))).collect();
    for mut writer in writers {
        assert!(writer.wait().expect("ends").success());
    }
    let store = real_store(dir.path());
    let mut expect: Vec<_> = (0..WRITERS).flat_map(|n| (0..ROUNDS).map(move |r| format!("- w{n}-{r}"))).collect();
    expect.sort();
    for (file, n_heading) in [("daily/2026-04-01.md", 1), ("knowledge/index.md", 0)] {
        let content = text(&store, file).expect("there");
        let mut lines: Vec<_> = content.lines().skip(n_heading).map(str::to_owned).collect();
        lines.sort();
        assert_eq!(lines, expect, "{file}");
    }
    let n_ops = WRITERS * ROUNDS;
    let operations = store.history(usize::MAX).expect("reads").operations;
    let ids: Vec<_> = operations.iter().rev().map(|op| op.id.number()).collect();
    assert_eq!(ids, (1..=n_ops as u64).collect::<Vec<_>>());
    let verified = store.verify_history().expect("reads");
    assert_eq!((verified.n_operations, verified.damaged), (n_ops, Vec::new()));
    assert_eq!(text(&store, "knowledge/log.md").expect("there").matches("\n## [").count(), n_ops);
}

#[test]
fn a_process_killed_at_any_moment_leaves_no_half_applied_plan() {
    const KILLS: u64 = 20;
    let dir = tempfile::tempdir().expect("a folder");
    let store = real_store(dir.path());
    let mut pause_ms = 17;
    for kill in 0..KILLS {
        let mut worker = start(dir.path(), "endless", "k");
        // Spread over start-up, waiting and every phase of applying; the values only have to differ.
        pause_ms = (pause_ms * 31 + kill) % 83 + 20;
        std::thread::sleep(Duration::from_micros(pause_ms * 1000 + kill * 137));
        worker.kill().expect("kills");
        worker.wait().expect("ends");
        let guard = lock(&store);
        assert!(guard.recovered().is_none_or(|recovered| recovered.conflicts.is_empty()));
        let Some(first) = text(&store, "knowledge/concepts/p0.md") else { continue };
        let number: u64 = first.lines().next().expect("a line").parse().expect("a number");
        for n in 1..PAGES {
            let page = text(&store, &format!("knowledge/concepts/p{n}.md"));
            assert!(page.as_ref() == Some(&first), "p{n} differs after kill {kill}");
        }
        let day: String = (1..=number).map(|n| format!("- {n}\n")).collect();
        assert_eq!(text(&store, "daily/2026-04-01.md"), Some(format!("# Day\n{day}")));
        let verified = store.verify_history().expect("reads");
        assert_eq!((verified.n_operations as u64, verified.damaged), (number, Vec::new()));
        let leftover = std::fs::read_dir(dir.path().join("knowledge/concepts")).expect("lists").count();
        assert_eq!(leftover, PAGES, "no temporary file is left");
    }
    assert!(store.history(1).expect("reads").operations.len() == 1, "at least one plan got through");
}

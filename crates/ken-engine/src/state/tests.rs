//! Tests of changes of the state: crashes, sizes, and what closes a task.

use std::path::Path;

use ken_core::Tokens;
use ken_core::state::{Change, Status};
use ken_testkit::memfs::{Loss, MemFs};

use super::StateCommand;
use crate::engine::Engine;
use crate::in_memory::{NOW, config, engine_with};

fn engine(mem: &MemFs, now: &str) -> Engine {
    engine_with(mem, now, config())
}

fn set(name: &str) -> StateCommand {
    StateCommand::Set(Change { name: name.to_owned(), ..Change::default() })
}

fn file(mem: &MemFs, name: &str) -> String {
    let files = mem.files();
    let found = files.iter().find(|(path, _)| path.ends_with(name));
    found.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
}

fn vault() -> MemFs {
    let mem = MemFs::new(Path::new("/vault"));
    mem.plant(Path::new("/vault/daily/2026-05-30.md"), b"# Day\n\nBy hand.\n");
    mem
}

#[test]
fn a_crash_anywhere_in_a_change_of_the_state_leaves_page_and_record_together() {
    for loss in
        [Loss::Kept, Loss::UnsyncedDropped, Loss::UnsyncedBytesDropped, Loss::LastWriteTorn, Loss::ProcessKilled]
    {
        let start = vault();
        engine(&start, NOW).change_state(&set("Clean the oven"), false).expect("is set");
        let done = start.fork();
        engine(&done, NOW).change_state(&set("Buy flour"), false).expect("is set");
        for n in 1..=done.n_ops() {
            let mem = start.fork();
            mem.crash_at(n);
            let _ = engine(&mem, NOW).change_state(&set("Buy flour"), false);
            let mem = mem.after_crash(loss);
            drop(engine(&mem, NOW).lock("test").expect("what was decided is completed"));
            let (page, record) = (file(&mem, "state.md"), file(&mem, "state.json"));
            let is_there = page.contains("- [ ] Buy flour");
            assert_eq!(record.contains("\"Buy flour\""), is_there, "crash at {n}, {loss:?}");
            assert!(page.contains("- [ ] Clean the oven") && record.contains("\"Clean the oven\""), "crash at {n}");
            engine(&mem, NOW).change_state(&set("Buy flour"), false).expect("is set");
            assert_eq!(file(&mem, "state.md").matches("Buy flour").count(), 1, "crash at {n}, {loss:?}");
        }
    }
}

#[test]
fn a_narrative_of_a_hundred_steps_is_as_large_as_the_first_and_knows_no_time() {
    let mem = vault();
    let of = |now: &str| engine(&mem, now).render("Sell bread", Tokens(400)).expect("renders");
    let mut sizes = Vec::new();
    for n in 0..100 {
        let engine = engine(&mem, NOW);
        let name = format!("Bake the bread number {n} of the order for the market");
        engine.change_state(&set(&name), false).expect("is set");
        engine.change_state(&StateCommand::Mark(vec![name], Status::Done), false).expect("is done");
        let next = StateCommand::Next("market".to_owned(), vec!["look at the oven".to_owned()]);
        assert!(n == 0 || engine.change_state(&next, false).is_err(), "several are meant");
        sizes.push(of(NOW).tokens.0);
    }
    assert!(sizes.iter().all(|size| *size <= 400) && sizes[99] <= sizes[40] + 5, "{sizes:?}");
    assert_eq!(of(NOW).text, of("2031-01-01T00:00:00Z").text);
}

#[test]
fn a_later_session_closes_a_task_and_an_earlier_one_does_not() {
    let mem = vault();
    mem.plant(
        Path::new("/vault/daily/2026-05-31.md"),
        b"# Day\n\n### Session (09:00) - A\n\n**Key Exchanges:**\n- The menu is printed.\n",
    );
    engine(&mem, NOW).change_state(&set("Print the menu"), false).expect("is set");
    assert_eq!(engine(&mem, NOW).state().expect("reads").tasks[0].status(), Status::Todo);
    mem.plant(
        Path::new("/vault/daily/2026-06-02.md"),
        b"# Day\n\n### Session (09:00) - B\n\n**Key Exchanges:**\n- The menu is printed.\n",
    );
    let later = engine(&mem, "2026-06-03T12:00:00Z");
    let state = later.state().expect("reads");
    let by = state.tasks[0].closed.as_ref().expect("is closed");
    assert_eq!((by.path.as_str(), by.line), ("daily/2026-06-02.md", 6));
    assert!(file(&mem, "state.md").contains("- [ ] Print the menu"), "the page stays as it is");
    assert!(later.open_actions(90).expect("reads").is_empty());
}

#[test]
fn a_change_of_one_task_after_a_million_letters_is_refused_and_changes_nothing() {
    let mem = vault();
    let before = mem.files();
    for name in ["a".repeat(1_000_000), "é".repeat(1_000_000), "a".repeat(201), "\u{1b}[31m".to_owned()] {
        let failure = engine(&mem, NOW).change_state(&set(&name), false).expect_err("refused");
        assert!(failure.hints.iter().any(|hint| hint.contains("nothing was changed")), "{failure:?}");
    }
    assert_eq!(mem.files().len(), before.len());
}

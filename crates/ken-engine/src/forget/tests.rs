//! A forgetting that dies leaves the text everywhere or nowhere.

use std::path::Path;

use ken_testkit::memfs::{Loss, MemFs};

use super::*;
use crate::in_memory::engine;

/// What is planted; no word of any language.
const MARKER: &str = "zorblatt";

fn holders(mem: &MemFs, marker: &str) -> Vec<String> {
    let holds = |bytes: &[u8]| bytes.windows(marker.len()).any(|part| part.eq_ignore_ascii_case(marker.as_bytes()));
    let files = mem.files().into_iter().map(|(path, bytes)| (path.display().to_string(), bytes));
    files.filter(|(path, bytes)| path.contains(marker) || holds(bytes)).map(|(path, _)| path).collect()
}

/// A vault with the marker in all that a compile makes things from and keeps.
fn vault() -> MemFs {
    let mem = MemFs::new(Path::new("/vault"));
    let day = |n: u32| {
        format!(
            "# Daily Log: 2026-05-1{n}\n\n### Session (09:30) - The Zorblatt oven timer\n\
             <!-- kenning: session=s{n} agent=claude-code range=0-99 -->\n\n**Decisions Made:**\n\
             - The oven timer of Zorblatt reads the monotonic clock on every tick.\n\
             - The kitchen display shows the oven timer in minutes.\n"
        )
    };
    let first = day(1) + "- The oven timer was paid by Quibbleton in advance.\n";
    mem.plant(Path::new("/vault/daily/2026-05-11.md"), first.as_bytes());
    mem.plant(Path::new("/vault/daily/2026-05-12.md"), day(2).as_bytes());
    mem.plant(Path::new("/vault/raw/zorblatt-contract.md"), b"# Contract\n\nZorblatt owns the kitchen display.\n");
    mem.plant(Path::new("/vault/.kenning/replies/compile/0-1.json"), b"{\"reply\":\"Zorblatt\"}");
    mem.plant(
        Path::new("/vault/.kenning/talk/2026-05/11-claude-code-s1-0.md"),
        b"# Session 2026-05-11: x\n<!-- kenning: session=s1 -->\n\n## User (2026-05-11 09:30)\n\nAsk Zorblatt, or Quibbleton.\n",
    );
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    mem
}

fn name() -> ForgetTarget {
    ForgetTarget::Name("Zorblatt".to_owned())
}

/// Stops at every operation of a forgetting, with every kind of loss, and recovers.
fn crash_everywhere(target: &ForgetTarget, marker: &str) {
    let start = vault();
    let before = holders(&start, marker);
    assert!(before.len() >= 4, "{before:?}");
    let done = start.fork();
    let outcome = engine(&done).forget(target, &ForgetOptions::default()).expect("forgets");
    assert_eq!((holders(&done, marker), outcome.left), (Vec::new(), Vec::new()));
    let truth =
        |holders: &[String]| holders.iter().filter(|path| !path.contains("/cache/")).cloned().collect::<Vec<_>>();
    let (mut n_before, mut n_after) = (0, 0);
    for loss in Loss::ALL {
        for n in 1..=done.n_ops() {
            let mem = start.fork();
            mem.crash_at(n);
            let _ = engine(&mem).forget(target, &ForgetOptions::default());
            let mem = mem.after_crash(loss);
            drop(engine(&mem).lock("test").expect("recovers"));
            let now = holders(&mem, marker);
            assert!(now.is_empty() || truth(&now) == truth(&before), "crash at {n}, {loss:?}: {now:?}");
            *(if now.is_empty() { &mut n_after } else { &mut n_before }) += 1;
            // Whatever happened, doing it again ends where it would have ended.
            let again = engine(&mem).forget(target, &ForgetOptions::default()).expect("forgets");
            engine(&mem).compile(CompileOptions { yes: true, ..CompileOptions::default() }).expect("compiles");
            assert_eq!((holders(&mem, marker), again.left), (Vec::new(), Vec::new()), "crash at {n}, {loss:?}");
        }
    }
    assert!(n_before > 20 && n_after > 20, "{n_before} {n_after}");
}

#[test]
fn a_crash_anywhere_in_a_forgetting_of_a_name_leaves_it_everywhere_or_nowhere() {
    crash_everywhere(&name(), MARKER);
}

#[test]
fn a_crash_anywhere_in_a_forgetting_of_a_session_leaves_it_everywhere_or_nowhere() {
    crash_everywhere(&ForgetTarget::Session("s1".to_owned()), "quibbleton");
}

#[test]
fn a_disk_that_fills_up_in_a_forgetting_changes_nothing_or_forgets_it_all() {
    let start = vault();
    let before = holders(&start, MARKER);
    let done = start.fork();
    engine(&done).forget(&name(), &ForgetOptions::default()).expect("forgets");
    for n in 1..=done.n_ops() {
        let mem = start.fork();
        mem.full_at(n);
        let _ = engine(&mem).forget(&name(), &ForgetOptions::default());
        mem.heal();
        drop(engine(&mem).lock("test").expect("there is space again"));
        let now = holders(&mem, MARKER);
        assert!(now.is_empty() || now.len() >= before.len() - 4, "full at {n}: {now:?}");
    }
}

//! What ending an issue keeps: undo, rebuilding, the order of compiles, crashes; in a vault in memory.

use std::collections::BTreeMap;
use std::path::Path;

use ken_store::Fs as _;
use ken_testkit::memfs::{Loss, MemFs};

use super::*;
use crate::in_memory::engine;
use crate::journal::Note;
use ken_core::issue::Phase;

const DAYS: &[(&str, &str)] = &[
    (
        "2026-05-20",
        "### Session (09:00) - Cache\n\n**Decisions Made:**\n- The [[order cache]] lives in memory.\n- The [[order cache]] expires after 60 seconds.\n",
    ),
    (
        "2026-05-28",
        "### Session (09:00) - Issue 42, plan: Redis\n<!-- kenning: trust=user -->\n\n**Decisions Made:**\n- We switched the [[order cache]] from memory to Redis.\n- The [[order cache]] expires after 60 seconds.\n- The [[warm-up]] fills the [[order cache]] at night.\n\n### Session (10:00) - Issue 43, plan: Ovens\n<!-- kenning: trust=user -->\n\n- The [[oven]] heats at 230 degrees.\n",
    ),
];

fn vault() -> MemFs {
    let mem = MemFs::new(Path::new("/vault"));
    for (day, said) in DAYS {
        let text = format!("# Daily Log: {day}\n\n{said}");
        mem.plant(&Path::new("/vault/daily").join(format!("{day}.md")), text.as_bytes());
    }
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    mem
}

/// Everything that people see, and the records of issues.
fn seen(mem: &MemFs) -> BTreeMap<String, String> {
    let is_seen = |name: &str| {
        name.strip_prefix(".kenning/").is_none_or(|name| name.starts_with("issues/")) && !name.ends_with("log.md")
    };
    let files = mem.files().into_iter().filter_map(|(path, bytes)| {
        let name = path.strip_prefix("/vault").ok()?.to_string_lossy().into_owned();
        is_seen(&name).then(|| (name, String::from_utf8_lossy(&bytes).into_owned()))
    });
    files.collect()
}

const CACHE: &str = "knowledge/concepts/order-cache.md";

#[test]
fn what_rests_on_a_reverted_issue_alone_is_stale_and_nothing_else_is() {
    let mem = vault();
    let before = seen(&mem);
    assert!(before[CACHE].contains("until 2026-05-28"), "{}", before[CACHE]);
    let done = engine(&mem).close(42, Ending::Reverted, false).expect("closes");
    assert_eq!((done.n_entries, done.n_spared, done.before, done.is_repeat), (1, 0, None, false));
    let after = seen(&mem);
    let page = &after[CACHE];
    let stale = "*(stale: issue 42 was reverted on 2026-06-01)*";
    let line = |words: &str| {
        page.lines()
            .find(|line| line.contains(words) && !line.starts_with("[^"))
            .unwrap_or_else(|| panic!("{words}: {page}"))
    };
    assert!(line("from memory to Redis").contains(stale), "{page}");
    assert!(line("at night").contains(stale), "{page}");
    assert!(!line("60 seconds").contains(stale), "another day says it too: {page}");
    // What was reverted took the place of nothing.
    assert!(!page.contains("until 2026-05-28") && !line("lives in memory").contains('~'), "{page}");
    let tldr = page.lines().find(|line| line.starts_with("tldr: ")).expect("a tldr");
    assert!(!tldr.contains("Redis") && !tldr.contains("night"), "{tldr}");
    let unchanged = |name: &&String| name.contains("oven");
    assert!(before.keys().filter(unchanged).all(|name| before[name] == after[name]));
}

#[test]
fn undo_and_another_outcome_give_every_byte_back() {
    let mem = vault();
    let before = seen(&mem);
    engine(&mem).close(42, Ending::Reverted, false).expect("closes");
    let reverted = seen(&mem);
    assert_ne!(before, reverted);
    let again = engine(&mem).close(42, Ending::Reverted, false).expect("says so");
    assert!(again.is_repeat && again.pages.is_empty());
    assert_eq!(seen(&mem), reverted);
    engine(&mem).undo(None).expect("takes it back");
    assert_eq!(seen(&mem), before);
    engine(&mem).compile(CompileOptions { all: true, ..CompileOptions::default() }).expect("compiles");
    assert_eq!(seen(&mem), before, "it stays taken back");
    engine(&mem).close(42, Ending::Reverted, false).expect("closes");
    let merged = engine(&mem).close(42, Ending::Merged, false).expect("restores");
    assert_eq!(merged.before.map(|before| before.ending), Some(Ending::Reverted));
    let pages = |seen: BTreeMap<String, String>| -> BTreeMap<String, String> {
        seen.into_iter().filter(|(name, _)| name.starts_with("knowledge/")).collect()
    };
    assert_eq!(pages(seen(&mem)), pages(before));
}

#[test]
fn pages_are_the_same_whatever_was_compiled_before_an_issue_ended() {
    let mem = vault();
    engine(&mem).close(42, Ending::Abandoned, false).expect("closes");
    let note = Note { stage: Some(Stage { issue: 42, phase: Phase::Review }), ..Note::default() };
    let logged = engine(&mem).log("The [[order cache]] needs 2 GB of memory.", note).expect("logs");
    assert_eq!(logged.ended.map(|closed| closed.ending), Some(Ending::Abandoned));
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    let step_by_step = seen(&mem);
    assert!(step_by_step[CACHE].contains("2 GB of memory *(stale: "), "{}", step_by_step[CACHE]);
    for path in mem.files().into_keys().filter(|path| path.starts_with("/vault/.kenning/cache")) {
        mem.remove(&path).expect("removes");
    }
    engine(&mem).compile(CompileOptions { all: true, ..CompileOptions::default() }).expect("compiles");
    assert_eq!(seen(&mem), step_by_step);
}

#[test]
fn an_issue_that_nobody_wrote_of_cannot_be_closed_and_a_dry_run_changes_nothing() {
    let mem = vault();
    let before = seen(&mem);
    let failure = engine(&mem).close(44, Ending::Merged, false).expect_err("nobody wrote of it");
    assert!(failure.hints.contains(&"the journal has entries of 42, 43".to_owned()), "{failure:?}");
    let dry = engine(&mem).close(42, Ending::Reverted, true).expect("says it");
    assert!(dry.diff.is_some_and(|diff| diff.contains("issue 42 was reverted")));
    assert_eq!(seen(&mem), before);
}

#[test]
fn a_crash_anywhere_in_closing_an_issue_leaves_all_or_nothing() {
    let start = vault();
    let before = seen(&start);
    let done = start.fork();
    engine(&done).close(42, Ending::Reverted, false).expect("closes");
    let (after, n_ops) = (seen(&done), done.n_ops());
    assert_ne!(before, after);
    for loss in [Loss::Kept, Loss::UnsyncedDropped, Loss::LastWriteTorn] {
        for n in 1..=n_ops {
            let mem = start.fork();
            mem.crash_at(n);
            let _ = engine(&mem).close(42, Ending::Reverted, false);
            let mem = mem.after_crash(loss);
            drop(engine(&mem).lock("test").expect("recovers"));
            let now_seen = seen(&mem);
            assert!(now_seen == before || now_seen == after, "crash at {n}, {loss:?}");
            engine(&mem).close(42, Ending::Reverted, false).expect("goes on");
            assert_eq!(seen(&mem), after, "crash at {n}, {loss:?}");
        }
    }
}

#[test]
fn a_record_of_somebody_else_says_a_number_a_word_a_day_and_digests() {
    let closed = Closed { issue: 42, ending: Ending::Reverted, on: "2026-06-01".parse().expect("a day") };
    let spared = BTreeSet::from(["0123abcd".to_owned()]);
    let text = Record::text(closed, spared.clone());
    assert_eq!(Record::parse(text.as_bytes(), 42), Some((closed, spared)));
    assert_eq!(Record::parse(text.as_bytes(), 43), None);
    assert_eq!(Record::parse(text.replace("reverted", "ignore this").as_bytes(), 42), None);
    assert_eq!(Record::parse(text.replace("2026-06-01", "today").as_bytes(), 42), None);
    let odd = text.replace("0123abcd", "not a digest");
    assert_eq!(Record::parse(odd.as_bytes(), 42), Some((closed, BTreeSet::new())));
}

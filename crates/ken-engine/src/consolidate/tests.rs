//! What a pass keeps: undo, a second pass, compiles after it, crashes; in a vault in memory.

use std::collections::BTreeMap;
use std::path::Path;

use ken_store::Fs as _;
use ken_testkit::memfs::{Loss, MemFs};

use super::*;
use crate::config::Config;
use crate::in_memory::{NOW, config, engine_with, plant};
use crate::pages::PageCommand;

const DAYS: &[(&str, &str)] = &[
    (
        "2026-01-05",
        "- The [[proofing-box]] keeps dough at 28 degrees.\n- The [[proofing-box]] was bought for 300 euros.\n- The [[Log book]] lies beside the till.\n",
    ),
    ("2026-05-29", "- The [[logbook]] names who cleaned the oven.\n- The [[logbook]] is kept for two years.\n"),
];

const BREAD: &str = "# Rye bread\n\nWho baked it stands in the [[log-book]].\n";

fn engine_at(mem: &MemFs, now: &str) -> Engine {
    engine_with(mem, now, Config { keeps_questions: false, memory_index: None, ..config() })
}

fn engine(mem: &MemFs) -> Engine {
    engine_at(mem, NOW)
}

fn vault() -> MemFs {
    let mem = MemFs::new(Path::new("/vault"));
    for (day, said) in DAYS {
        let text = format!("# Daily Log: {day}\n\n### Session (09:00) - Bakery\n\n**Decisions Made:**\n{said}");
        plant(&mem, &format!("daily/{day}.md"), &text);
    }
    days_of_april(&mem, 2026);
    plant(&mem, "knowledge/concepts/rye-bread.md", BREAD);
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    mem
}

/// Ten days on which the shop was open, and on the first somebody spoke of the logbook.
fn days_of_april(mem: &MemFs, year: usize) {
    for day in 1..=10 {
        let said = if day == 1 { "- The [[logbook]] was bound anew.\n" } else { "- We were open.\n" };
        let text = format!("# Daily Log: {year}-04-{day:02}\n\n### Session (09:00) - Shop\n\n{said}");
        plant(mem, &format!("daily/{year}-04-{day:02}.md"), &text);
    }
}

/// Everything that people see, and the records.
fn seen(mem: &MemFs) -> BTreeMap<String, String> {
    let own = |name: &str| ["archive/", "review.json", "used.json"].iter().any(|part| name.starts_with(part));
    let is_seen = |name: &str| name.strip_prefix(".kenning/").is_none_or(own) && !name.ends_with("log.md");
    let files = mem.files().into_iter().filter_map(|(path, bytes)| {
        let name = path.strip_prefix("/vault").ok()?.to_string_lossy().into_owned();
        is_seen(&name).then(|| (name, String::from_utf8_lossy(&bytes).into_owned()))
    });
    files.collect()
}

fn now() -> ConsolidateOptions {
    ConsolidateOptions { now: true, dry_run: false }
}

#[test]
fn a_pass_joins_what_is_one_puts_away_what_nobody_uses_and_changes_nothing_twice() {
    let mem = vault();
    let done = engine(&mem).consolidate(now()).expect("consolidates");
    let told: Vec<String> = done.deeds.iter().map(Deed::told).collect();
    assert_eq!(
        told,
        [
            "Merged: `log-book` into [[logbook]]: the names differ in spelling alone",
            "Archived: [[proofing-box]]: last said on 2026-01-05 (1 entry), nothing of yours leads to it, not asked for in 90 days"
        ]
    );
    let after = seen(&mem);
    assert!(after["knowledge/concepts/log-book.md"].contains("redirect_to: logbook"));
    assert!(after["knowledge/concepts/logbook.md"].contains("lies beside the till"));
    assert!(after["knowledge/concepts/rye-bread.md"].contains("[[logbook]]"));
    assert!(after["knowledge/archive/proofing-box.md"].contains("status: archived"));
    assert!(!after["knowledge/index.md"].contains("proofing-box"));
    let again = engine(&mem).consolidate(now()).expect("consolidates");
    assert_eq!((again.deeds.len(), again.changed.len()), (0, 0));
    assert_eq!(seen(&mem), after);
    for all in [false, true] {
        engine(&mem).compile(CompileOptions { all, ..CompileOptions::default() }).expect("compiles");
        assert_eq!(seen(&mem), after, "{all}");
    }
}

#[test]
fn what_is_listed_is_asked_of_the_pages_as_the_pass_leaves_them() {
    let mem = MemFs::new(Path::new("/vault"));
    for day in [2, 3, 5, 9, 12] {
        let said = format!(
            "# Daily Log: 2026-05-{day:02}\n\n### Session (09:00) - Oven\n\n**Decisions Made:**\n- The Log Book of the oven \
             lists {day} breads.\n- The logbook is kept by Ada on day {day}.\n"
        );
        plant(&mem, &format!("daily/2026-05-{day:02}.md"), &said);
    }
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    let done = engine(&mem).consolidate(now()).expect("consolidates");
    assert_eq!(done.deeds.len(), 1, "{:?}", done.deeds);
    let after = seen(&mem);
    let again = engine(&mem).consolidate(now()).expect("consolidates");
    assert_eq!((again.deeds.len(), again.changed.len()), (0, 0), "{:?} {:?}", again.deeds, again.changed);
    assert_eq!(seen(&mem), after);
}

#[test]
fn undo_gives_every_byte_back_and_what_was_taken_back_is_not_done_again() {
    let mem = vault();
    let before = seen(&mem);
    engine(&mem).consolidate(now()).expect("consolidates");
    engine(&mem).undo(None).expect("undoes");
    assert_eq!(seen(&mem), before);
    let again = engine(&mem).consolidate(now()).expect("consolidates");
    assert_eq!(again.deeds, []);
    let kinds: Vec<ReviewKind> = again.review.iter().map(|one| one.kind).collect();
    assert!(kinds.contains(&ReviewKind::Merge) && kinds.contains(&ReviewKind::Archive), "{:?}", again.review);
    assert!(again.review[0].why.ends_with("it was taken back before"), "{:?}", again.review);
}

#[test]
fn a_dry_run_changes_nothing_and_says_the_same() {
    let mem = vault();
    let before = mem.files();
    let dry = engine(&mem).consolidate(ConsolidateOptions { now: false, dry_run: true }).expect("looks");
    assert_eq!(mem.files(), before);
    let done = engine(&mem).consolidate(now()).expect("consolidates");
    assert_eq!((dry.deeds, dry.review), (done.deeds, done.review));
}

#[test]
fn what_was_put_away_comes_back_when_somebody_speaks_of_it_or_wants_it() {
    let mem = vault();
    engine(&mem).consolidate(now()).expect("consolidates");
    let spoken = mem.fork();
    let day = "# Daily Log: 2026-06-01\n\n### Session (09:00) - Box\n\n- The [[proofing-box]] hums.\n";
    plant(&spoken, "daily/2026-06-01.md", day);
    engine(&spoken).compile(CompileOptions::default()).expect("compiles");
    assert!(seen(&spoken).contains_key("knowledge/concepts/proofing-box.md"));
    assert!(!seen(&spoken).contains_key("knowledge/archive/proofing-box.md"));
    let told = engine(&spoken).consolidate(now()).expect("consolidates").deeds;
    assert_eq!(told[0].told(), "In use again: [[proofing-box]]: the journal speaks of it again");
    assert!(!seen(&spoken).contains_key(".kenning/archive/proofing-box.json"));

    engine(&mem).page(&PageCommand::Restore { page: "proofing-box".to_owned() }, false).expect("restores");
    assert!(seen(&mem).contains_key("knowledge/concepts/proofing-box.md"));
    assert_eq!(engine(&mem).consolidate(now()).expect("consolidates").deeds, [], "a person wanted it");
    days_of_april(&mem, 2027);
    let later = engine_at(&mem, "2027-04-15T12:00:00Z").consolidate(now()).expect("consolidates").deeds;
    let archived = |deed: &Deed| matches!(deed, Deed::Archived { slug, .. } if slug.as_str() == "proofing-box");
    assert!(later.iter().any(archived), "{later:?}");
}

#[test]
fn deleting_the_cache_or_the_compiled_pages_brings_nothing_out_of_the_archive() {
    let mem = vault();
    engine(&mem).consolidate(now()).expect("consolidates");
    let after = seen(&mem);
    for gone in ["/vault/.kenning/cache", "/vault/knowledge/archive"] {
        let mem = mem.fork();
        mem.files().keys().filter(|path| path.starts_with(gone)).for_each(|path| mem.remove(path).expect("removes"));
        engine(&mem).compile(CompileOptions::default()).expect("compiles");
        assert_eq!(seen(&mem), after, "{gone}");
    }
}

#[test]
fn a_crash_anywhere_in_a_pass_leaves_all_or_nothing() {
    let start = vault();
    let before = seen(&start);
    let done = start.fork();
    engine(&done).consolidate(now()).expect("done");
    let (after, n_ops) = (seen(&done), done.n_ops());
    assert_ne!(before, after);
    for loss in [Loss::Kept, Loss::UnsyncedDropped, Loss::LastWriteTorn] {
        for n in 1..=n_ops {
            let mem = start.fork();
            mem.crash_at(n);
            let _ = engine(&mem).consolidate(now());
            let mem = mem.after_crash(loss);
            drop(engine(&mem).lock("test").expect("recovers"));
            let now_seen = seen(&mem);
            assert!(now_seen == before || now_seen == after, "crash at {n}, {loss:?}");
            engine(&mem).consolidate(now()).expect("goes on");
            assert_eq!(seen(&mem), after, "crash at {n}, {loss:?}");
        }
    }
}

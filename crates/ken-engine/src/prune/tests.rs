//! A crash at any moment, in a vault in memory.

use std::path::Path;

use ken_testkit::memfs::{Loss, MemFs};

use super::*;
use crate::in_memory::engine;

/// Three sessions of old, and where each stands in the journal.
fn vault() -> MemFs {
    let mem = MemFs::new(Path::new("/vault"));
    for day in 1..=3 {
        let name = format!("2026-04/0{day}-claude-code-s{day}-aaaaaa.md");
        let said = format!("Loaf number {day} is in the oven, and nobody looks at it. ").repeat(9);
        let talk = format!(
            "# Session 2026-04-0{day}: Loaf\n<!-- kenning: session=s{day} -->\n\n<!-- kenning: range=0-90 -->\n\n\
             ## User (2026-04-0{day} 14:30)\n\n{said}\n"
        );
        mem.plant(&Path::new("/vault/.kenning/talk").join(&name), talk.as_bytes());
        let entry = format!(
            "# Daily Log: 2026-04-0{day}\n\n### Session (14:30) - Loaf\n\
             <!-- kenning: session=s{day} range=0-90 talk={name}#L6-L8 -->\n\n**Decisions Made:**\n- A loaf.\n"
        );
        mem.plant(&Path::new("/vault/daily").join(format!("2026-04-0{day}.md")), entry.as_bytes());
    }
    mem
}

/// The talk as it stands.
fn talk(mem: &MemFs) -> Vec<String> {
    let files = mem.files().into_iter().filter(|(path, _)| path.starts_with("/vault/.kenning/talk"));
    files.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

fn options() -> PruneOptions {
    PruneOptions { keep: Some(Keep { days: Some(3), ..Keep::default() }), ..PruneOptions::default() }
}

#[test]
fn a_crash_anywhere_in_a_pruning_leaves_all_or_nothing() {
    let start = vault();
    let whole = talk(&start);
    let after = start.fork();
    let done = engine(&after).prune(options()).expect("prunes");
    let (left, n_ops) = (talk(&after), after.n_ops());
    assert!(done.pruned.len() == 3 && left.iter().all(|text| !text.contains("oven")), "{done:?}");
    for loss in [Loss::Kept, Loss::UnsyncedDropped, Loss::LastWriteTorn] {
        for n in 1..=n_ops {
            let mem = start.fork();
            mem.crash_at(n);
            let _ = engine(&mem).prune(options());
            let mem = mem.after_crash(loss);
            drop(engine(&mem).lock("test").expect("recovers"));
            let now = talk(&mem);
            assert!(now == whole || now == left, "crash at {n}, {loss:?}");
            engine(&mem).prune(options()).expect("goes on");
            assert_eq!(talk(&mem), left, "crash at {n}, {loss:?}");
        }
    }
}

#[test]
fn what_the_rules_of_the_store_refuse_no_pruning_writes() {
    let mem = vault();
    let engine = engine(&mem);
    let path = VaultPath::new(".kenning/talk/2026-04/01-claude-code-s1-aaaaaa.md").expect("inside");
    let bytes = engine.store.read(&path).expect("reads");
    let guard = engine.lock("prune").expect("nobody else");
    let text = String::from_utf8(bytes.clone().expect("it is there")).expect("text");
    for other in [text.replace("oven", "stove"), String::new(), text[..text.len() / 2].to_owned()] {
        let edits = vec![Basis::of(&path, bytes.as_deref()).replace(other)];
        assert!(engine.apply_pruning(&guard, &PruneOutcome::default(), edits).is_err());
    }
    let removed = vec![Basis::of(&path, bytes.as_deref()).remove()];
    assert!(engine.apply_pruning(&guard, &PruneOutcome::default(), removed).is_err());
    assert_eq!(engine.store.read(&path).expect("reads"), bytes);
}

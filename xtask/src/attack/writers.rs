//! Several at once: processes that write notes, and a person who saves pages while commands write them.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::arena::{Arena, Random, ended};
use super::{Plan, Tally};

const N_PROCESSES: usize = 16;

/// Sixteen processes write notes at once; every one that was acknowledged stands in the journal, once.
pub(super) fn notes(plan: &Plan) -> Result<Tally, String> {
    let arena = Arena::new(&plan.ken)?;
    arena.done(&["init", "--quiet"])?;
    let n_each = plan.of(5, 100);
    let written = std::thread::scope(|scope| {
        let writer = |writer: usize| {
            let arena = &arena;
            scope.spawn(move || {
                let mut acknowledged = Vec::new();
                for n in 0..n_each {
                    let note = format!("Writer {writer} put loaf {n} on the shelf.");
                    let mut command = arena.ken(&["log", &note]);
                    command.arg("--wait").arg("60");
                    if ended(command)?.status.success() {
                        acknowledged.push(note);
                    }
                }
                Ok(acknowledged)
            })
        };
        let threads: Vec<_> = (0..N_PROCESSES).map(writer).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a thread panicked")?)
            .collect::<Result<Vec<Vec<String>>, String>>()
    })?;
    let journal = fs::read_to_string(arena.vault().join("daily/2026-06-01.md")).unwrap_or_default();
    let mut tally = Tally { tries: N_PROCESSES * n_each, ..Tally::default() };
    for note in written.into_iter().flatten() {
        // Twice at most: an entry may have its note as its title too.
        match journal.lines().filter(|line| line.trim_start_matches("- ") == note).count() {
            1 => {}
            n => tally.violations.push(format!("`{note}` stands {n} times in the journal")),
        }
    }
    Ok(tally)
}

/// Commands that write pages, headers or the index.
const COMMANDS: &[&[&str]] = &[
    &["lint", "--fix"],
    &["compile"],
    &["compile", "--all"],
    &["rebuild", "--all"],
    &["scan", "--fix"],
    &["work"],
    &["undo"],
];

/// A person saves a page again and again while commands write; the last save is there, in the page, in the journal
/// or in the file beside it that the command named.
pub(super) fn saving(plan: &Plan) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut random = plan.random();
    let n_races = plan.of(40, 600);
    while tally.tries < n_races {
        let arena = Arena::new(&plan.ken)?;
        arena.furnish()?;
        arena.plant("knowledge/concepts/by-hand.md", "---\ntags: [a]\n---\n# By hand\n\nSee [[nothing-there]].\n")?;
        for _ in 0..10 {
            let page =
                ["knowledge/concepts/by-hand.md", "knowledge/concepts/oven.md", "knowledge/index.md"][random.below(3)];
            race(&arena, page, COMMANDS[random.below(COMMANDS.len())], &mut random, &mut tally)?;
        }
    }
    Ok(tally)
}

fn race(arena: &Arena, page: &str, args: &[&str], random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let path = arena.vault().join(page);
    let (is_over, n_saved) = (AtomicBool::new(false), AtomicUsize::new(0));
    let id = tally.tries;
    let pause = Duration::from_micros(random.below(3_000) as u64);
    let output = std::thread::scope(|scope| {
        scope.spawn(|| {
            // As an editor does: the whole file, under another name first.
            while !is_over.load(Ordering::Relaxed) && n_saved.load(Ordering::Relaxed) < 200 {
                let old = fs::read_to_string(&path).unwrap_or_default();
                let n = n_saved.load(Ordering::Relaxed) + 1;
                let kept = old.lines().filter(|line| !line.starts_with("Saved by hand")).collect::<Vec<_>>().join("\n");
                let text = format!("{kept}\nSaved by hand {id} times {n}.\n");
                let beside = path.with_extension("saving");
                if fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path)).is_ok() {
                    n_saved.store(n, Ordering::Relaxed);
                }
                std::thread::sleep(pause);
            }
        });
        let output = ended(arena.ken(args));
        is_over.store(true, Ordering::Relaxed);
        output
    })?;
    tally.tries += 1;
    let n = n_saved.load(Ordering::Relaxed);
    if n == 0 {
        return Ok(());
    }
    let last = format!("Saved by hand {id} times {n}.");
    let stands = super::arena::files(&arena.vault()).into_keys().any(|file| {
        let is_record = file.starts_with(arena.vault().join(".kenning"));
        !is_record && fs::read_to_string(&file).is_ok_and(|text| text.contains(&last))
    });
    if !stands {
        let code = output.status.code();
        tally
            .violations
            .push(format!("`ken {}` (exit {code:?}) lost what was saved in {page}: {last}", args.join(" ")));
    }
    Ok(())
}

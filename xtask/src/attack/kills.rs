//! Killing a command at a random moment, and looking at what is left.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::arena::{Arena, Random, copy, ended, files};
use super::{Plan, Tally};

/// Commands that write, each with how many notes of its own it leaves when it is done.
const COMMANDS: &[&[&str]] = &[
    &["log", "The scale was set to zero by hand."],
    &["compile"],
    &["compile", "--all"],
    &["rebuild", "--all"],
    &["capture", "session.jsonl"],
    &["ingest", "notes.md"],
    &["lint", "--fix"],
    &["scan", "--fix"],
    &["undo"],
    &["work"],
    &["route", "oven timer"],
    &["search", "oven timer"],
    &["ask", "What does the oven timer do?"],
];

/// What a note says that must not be lost or doubled.
const NOTES: &[&str] = &["The scale was set to zero by hand.", "the shelf holds forty loaves"];

/// Kills commands at random moments of their run; each time everything must be there, or nothing.
pub(super) fn kills(plan: &Plan) -> Result<Tally, String> {
    let start = Arena::new(&plan.ken)?;
    start.furnish()?;
    start.plant("session.jsonl", session())?;
    start.plant("notes.md", "# Notes\n\nThe shelf holds forty loaves.\n")?;
    start.plant("knowledge/concepts/by-hand.md", "# By hand\n\nSee [[oven]] and [[nothing-there]].\n")?;
    let n_kills = plan.of(120, 2_400);
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let shares = std::thread::scope(|scope| {
        let share = |n: usize| {
            let start = &start;
            scope.spawn(move || {
                let mut random = Random::new(plan.seed + n as u64);
                let mut tally = Tally::default();
                while tally.tries < n_kills / n_threads {
                    let args = COMMANDS[random.below(COMMANDS.len())];
                    let violations = kill(plan, start, args, &mut random)?;
                    tally.tries += 1;
                    tally.violations.extend(violations);
                }
                Ok(tally)
            })
        };
        let threads: Vec<_> = (0..n_threads).map(share).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a thread panicked")?)
            .collect::<Result<Vec<Tally>, String>>()
    })?;
    Ok(shares.into_iter().fold(Tally::default(), |mut all, one| {
        all.tries += one.tries;
        all.violations.extend(one.violations);
        all
    }))
}

/// Kills one command in a copy of the vault and returns what is wrong afterwards.
fn kill(plan: &Plan, start: &Arena, args: &[&str], random: &mut Random) -> Result<Vec<String>, String> {
    let arena = Arena::new(&plan.ken)?;
    copy(&start.vault(), &arena.vault())?;
    copy(&start.home(), &arena.home())?;
    // The copy stands at another place: what it keeps for itself is accepted first, as its owner would.
    ended(arena.ken(&["recover", "--accept"]))?;
    let took = Instant::now();
    let mut child = arena.ken(args).spawn().map_err(|err| format!("cannot start `ken {}`: {err}", args.join(" ")))?;
    let wait = Duration::from_micros(random.below(plan.of(60_000, 60_000)) as u64);
    std::thread::sleep(wait);
    let _ = child.kill();
    let _ = child.wait();
    let took = took.elapsed();
    let mut found = Vec::new();
    let mut wrong = |what: String| {
        found.push(format!("`ken {}` killed after {took:?}: {what}", args.join(" ")));
    };
    // What was left half done is completed or dropped by the next command that writes.
    let next = ended(arena.ken(&["lint", "--fix", "--quiet"]))?;
    if !matches!(next.status.code(), Some(0 | 1)) {
        wrong(format!("the next command fails: {}", String::from_utf8_lossy(&next.stderr).trim()));
    }
    let history = ended(arena.ken(&["history", "--json"]))?;
    if !String::from_utf8_lossy(&history.stdout).contains("\"damage\": []") {
        wrong("the record of operations is damaged".to_owned());
    }
    let tool = arena.vault().join(".kenning");
    for path in files(&arena.vault()).keys() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_cache = path.starts_with(tool.join("cache"));
        if !is_cache && (name.starts_with(".ken-") || name.contains(".conflict-") || name.starts_with("intent")) {
            wrong(format!("left behind: {}", path.strip_prefix(arena.vault()).unwrap_or(path).display()));
        }
    }
    let before = journal(&start.vault());
    let after = journal(&arena.vault());
    for (name, text) in &before {
        if !after.iter().any(|(other, now)| other == name && now.starts_with(text.as_str())) {
            wrong(format!("the journal lost bytes of {name}"));
        }
    }
    // Done again to its end, the same stands there as if nobody had been killed.
    for again in [&["log", NOTES[0]][..], &["capture", "session.jsonl"], &["ingest", "notes.md"], &["compile"]] {
        let output = ended(arena.ken(again))?;
        if !output.status.success() {
            wrong(format!("`ken {}` fails: {}", again.join(" "), String::from_utf8_lossy(&output.stderr).trim()));
        }
    }
    let text: String = journal(&arena.vault()).into_iter().map(|(_, text)| text).collect();
    for note in NOTES {
        match text.matches(note).count() {
            1 => {}
            n => wrong(format!("`{note}` stands {n} times in the journal")),
        }
    }
    let wiki = pages(&arena.vault());
    ended(arena.ken(&["rebuild", "--all"]))?;
    let rebuilt = pages(&arena.vault());
    if wiki != rebuilt {
        let differing = wiki.iter().filter(|page| !rebuilt.contains(page)).map(|(name, _)| name.as_str()).take(3);
        wrong(format!("the pages differ from those of a rebuild: {:?}", differing.collect::<Vec<_>>()));
    }
    Ok(found)
}

/// The compiled pages by name, with a hash of each; not the log, which says when what was done.
fn pages(vault: &Path) -> Vec<(String, u64)> {
    let wiki = vault.join("knowledge");
    let all = files(&wiki).into_iter();
    all.map(|(path, hash)| (path.strip_prefix(&wiki).unwrap_or(&path).display().to_string(), hash))
        .filter(|(name, _)| name != "log.md")
        .collect()
}

fn journal(vault: &Path) -> Vec<(String, String)> {
    let days = fs::read_dir(vault.join("daily")).into_iter().flatten().flatten();
    let mut days: Vec<(String, String)> = days
        .map(|day| (day.file_name().to_string_lossy().into_owned(), fs::read_to_string(day.path()).unwrap_or_default()))
        .collect();
    days.sort();
    days
}

fn session() -> String {
    let line = |role: &str, said: &str| {
        format!(
            r#"{{"type":"{role}","isSidechain":false,"sessionId":"s","cwd":"/","timestamp":"2026-06-01T09:00:00Z","message":{{"role":"{role}","content":"{said}"}}}}"#
        ) + "\n"
    };
    [line("user", "How much fits?"), line("assistant", "We decided that the shelf holds forty loaves.")].concat()
}

//! A person saves a file while a command writes it: what they saved last is never lost.
//!
//! Each race runs the real binary and lets another thread save the file at a random moment of the run,
//! half of the time as an editor does that replaces the file, half in place. Afterwards the words saved last
//! stand in the file, or in the journal, where hand edits of compiled pages go.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::{ken, text};

/// Races of each command; there are twelve commands.
const ROUNDS: usize = 44;
/// Commands that are raced at once: most of their time goes into waiting for the disk.
const AT_ONCE: usize = 4;

const PAGE: &str = "knowledge/concepts/stone-oven.md";
const BREAD: &str = "knowledge/concepts/bread.md";

/// One command and the file that a person saves meanwhile.
struct Race {
    name: &'static str,
    args: &'static [&'static str],
    target: &'static str,
    /// Makes the command want to write the file, before each round.
    prepare: fn(&Path, usize),
    /// What the person saves, from what stands there.
    save: fn(&str, &str) -> String,
}

const RACES: [Race; 12] = [
    Race { name: "compile a page", args: &["compile"], target: PAGE, prepare: new_entry, save: add },
    Race { name: "compile the index", args: &["compile"], target: "knowledge/index.md", prepare: new_entry, save: add },
    Race { name: "compile headers", args: &["compile", "--headers"], target: BREAD, prepare: bare, save: bread },
    Race { name: "lint --fix", args: &["lint", "--fix"], target: BREAD, prepare: related, save: add },
    Race { name: "rebuild", args: &["rebuild", "--all"], target: PAGE, prepare: new_entry, save: add },
    Race { name: "scan --fix", args: &["scan", "--fix"], target: "daily/2026-05-30.md", prepare: secret, save: add },
    Race {
        name: "ingest",
        args: &["ingest", "../docs/mill.md"],
        target: "raw/docs/mill.md",
        prepare: document,
        save: add,
    },
    Race { name: "work", args: &["work"], target: PAGE, prepare: due, save: add },
    Race { name: "undo", args: &["undo"], target: PAGE, prepare: compiled, save: add },
    Race {
        name: "log",
        args: &["log", "The oven was swept."],
        target: "daily/2026-06-01.md",
        prepare: nothing,
        save: add,
    },
    Race { name: "init", args: &["init"], target: "knowledge/index.md", prepare: unmade, save: add },
    Race {
        name: "ask --file-back",
        args: &["ask", "--file-back", QUESTION],
        target: ANSWER,
        prepare: new_entry,
        save: add,
    },
];

const QUESTION: &str = "When is the stone oven heated?";
const ANSWER: &str = "knowledge/qa/when-is-the-stone-oven-heated.md";

fn add(now: &str, words: &str) -> String {
    format!("{now}\n{words}\n")
}

fn bread(_: &str, words: &str) -> String {
    format!("# Bread\n\nBread is flour, water and time. {words}\n")
}

fn nothing(_: &Path, _: usize) {}

fn write(vault: &Path, path: &str, text: &str) {
    let place = vault.join(path);
    fs::create_dir_all(place.parent().expect("a folder")).expect("creates");
    fs::write(place, text).expect("writes");
}

fn append(vault: &Path, path: &str, text: &str) {
    let now = fs::read_to_string(vault.join(path)).unwrap_or_default();
    write(vault, path, &format!("{now}{text}"));
}

fn new_entry(vault: &Path, round: usize) {
    append(vault, "daily/2026-05-30.md", &format!("- The [[stone-oven]] baked {round} loaves of rye.\n"));
}

fn bare(vault: &Path, round: usize) {
    write(vault, BREAD, &bread("", &format!("It is batch {round}.")));
}

fn related(vault: &Path, round: usize) {
    let header = "---\ntldr: Bread is made of flour.\nsimilar_high: [a:2026-05, b:2026-05, c:2026-05, d:2026-05, e:2026-05]\n---\n";
    write(vault, BREAD, &format!("{header}# Bread\n\nBread is flour and water. It is batch {round}.\n"));
}

fn secret(vault: &Path, round: usize) {
    append(
        vault,
        "daily/2026-05-30.md",
        &format!("- The display asks with password=Sourd0ugh-47{round:02} for now.\n"),
    );
}

fn document(vault: &Path, round: usize) {
    // What a person edited in the vault is left alone; each round begins with a copy that was not.
    let _ = fs::remove_file(vault.join("raw/docs/mill.md"));
    write(vault, "../docs/mill.md", &format!("# Mill\n\nThe mill grinds {round} sacks.\n"));
    run(vault, &["ingest", "../docs/mill.md"]);
    write(vault, "../docs/mill.md", &format!("# Mill\n\nThe mill grinds {round} sacks and a half.\n"));
}

fn due(vault: &Path, round: usize) {
    let _ = fs::remove_file(vault.join(".kenning/cache/work.json"));
    new_entry(vault, round);
}

fn compiled(vault: &Path, round: usize) {
    new_entry(vault, round);
    run(vault, &["compile"]);
}

fn unmade(vault: &Path, _: usize) {
    fs::remove_dir_all(vault).expect("removes");
    fs::create_dir_all(vault.join("knowledge")).expect("creates");
}

fn run(vault: &Path, args: &[&str]) -> Output {
    ken(vault, args).env("KEN_NO_WORKER", "1").output().expect("the binary runs")
}

/// A few random bits; the seed is fixed, the moments are not: they depend on how long a run takes.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below.max(1)
    }
}

/// Saves a file as a person does.
fn save(vault: &Path, race: &Race, words: &str, in_place: bool) {
    let place = vault.join(race.target);
    let text = (race.save)(&fs::read_to_string(&place).unwrap_or_default(), words);
    let Some(folder) = place.parent().filter(|folder| folder.exists()) else { return write(vault, race.target, &text) };
    if in_place {
        fs::write(&place, text).expect("writes");
    } else {
        let beside = folder.join(".saved-by-an-editor");
        fs::write(&beside, text).expect("writes");
        fs::rename(beside, place).expect("renames");
    }
}

fn journal(vault: &Path) -> String {
    let Ok(days) = fs::read_dir(vault.join("daily")) else { return String::new() };
    days.flatten().map(|day| fs::read_to_string(day.path()).unwrap_or_default()).collect()
}

/// Runs every round of one race; returns what was lost.
fn race(race: &Race) -> Vec<String> {
    let folder = TempDir::new().expect("a folder for temporary files");
    let vault: PathBuf = folder.path().join("vault");
    fs::create_dir_all(&vault).expect("creates");
    run(&vault, &["init"]);
    write(&vault, "daily/2026-05-30.md", DAY);
    run(&vault, &["compile"]);
    run(&vault, &["ask", "--file-back", QUESTION]);
    let (mut dice, mut lost) = (Dice(race.name.len() as u64), Vec::new());
    let mut usual = Duration::from_millis(60);
    for round in 0..ROUNDS {
        (race.prepare)(&vault, round);
        let mut child = ken(&vault, race.args)
            .env("KEN_NO_WORKER", "1")
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let (begun, mut words) = (Instant::now(), String::new());
        for nth in 0..=dice.next(2) {
            std::thread::sleep(usual.mul_f64(dice.next(1_000) as f64 / 1_000.0));
            words = format!("The note {nth} of round {round} says number {}.", 1_000_000 + dice.next(1_000_000));
            save(&vault, race, &words, dice.next(2) == 0);
        }
        while child.try_wait().expect("it can be waited for").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        usual = (usual * 3 + begun.elapsed().min(Duration::from_secs(1))) / 4;
        let done = child.wait_with_output().expect("it has ended");
        let said = format!("{}{}", text(&done.stdout), text(&done.stderr));
        let stands = fs::read_to_string(vault.join(race.target)).unwrap_or_default();
        let is_kept = stands.contains(&words) || journal(&vault).contains(&words);
        // A word for what is left over: nothing of ours may lie about that the command did not name.
        let left = leftovers(&vault).into_iter().filter(|name| !said.contains(name.as_str())).collect::<Vec<_>>();
        if !is_kept || !left.is_empty() || done.status.code().is_none_or(|code| code > 10) {
            lost.push(format!("{} in round {round}: `{words}` {left:?}\n{said}\n{stands}", race.name));
        }
        remove_leftovers(&vault);
    }
    lost
}

/// Files that were put beside others because of a conflict.
fn leftovers(vault: &Path) -> Vec<String> {
    let mut out = Vec::new();
    for folder in ["knowledge", "knowledge/concepts", "knowledge/qa", "daily", "raw/docs"] {
        let Ok(files) = fs::read_dir(vault.join(folder)) else { continue };
        let names = files.flatten().map(|file| file.file_name().to_string_lossy().into_owned());
        out.extend(
            names
                .filter(|name| name.contains(".conflict-") || name.starts_with(".ken-"))
                .map(|name| format!("{folder}/{name}")),
        );
    }
    out
}

fn remove_leftovers(vault: &Path) {
    for name in leftovers(vault) {
        fs::remove_file(vault.join(name)).expect("removes");
    }
}

const DAY: &str = "# Daily Log: 2026-05-30\n\n## Sessions\n\n### Session (09:00) - Ovens\n\n\
**Decisions Made:**\n- We decided that the [[stone-oven]] is heated at five.\n- The [[stone-oven]] bakes rye first.\n";

#[test]
fn what_a_person_saves_while_a_command_writes_is_never_lost() {
    let (waiting, lost) = (Mutex::new(RACES.iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(next) = waiting.lock().expect("no race panics").next() else { return };
                    let found = race(next);
                    lost.lock().expect("no race panics").extend(found);
                }
            });
        }
    });
    let lost = lost.into_inner().expect("no race panics");
    assert!(lost.is_empty(), "{} of {} races lost something:\n{}", lost.len(), RACES.len() * ROUNDS, lost.join("\n"));
    assert!(RACES.len() * ROUNDS >= 500);
}

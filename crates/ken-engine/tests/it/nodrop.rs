//! Nothing captured is dropped: whatever is done to a transcript between captures, the journal ends with
//! every line exactly once, and the talk with everything that was said.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ken_engine::transcript::Transcript;
use proptest::prelude::*;

use crate::support::Vault;

/// Where what was seen of transcripts is kept; a process that is killed after the journal grew leaves it as it was.
const SEEN: &str = ".kenning/cache/transcripts.json";

/// One thing that is said: number `n` names it, so that it is told from every other.
fn record(session: &str, n: u32) -> String {
    let (role, text) = match n % 4 {
        0 => ("user", format!("Please look at oven number {n} in the back room today.")),
        1 => ("assistant", format!("We decided to use timer {n} for the oven because the old one is late.")),
        2 => ("assistant", format!("It turns out that fuse {n} was loose, because nobody had looked at it.")),
        _ => ("assistant", format!("We decided to keep shelf {n} because it is new.\\n\\n- [ ] paint door {n} green")),
    };
    let tool = format!(
        "{{\"type\":\"assistant\",\"sessionId\":\"{session}\",\"uuid\":\"t-{n}\",\"timestamp\":\"2026-04-0{day}T10:{minute:02}:01Z\",\"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"name\":\"Bash\",\"input\":{{\"command\":\"bake --oven {n}\"}}}}]}}}}\n",
        day = 1 + n / 400,
        minute = n % 60,
    );
    let said = format!(
        "{{\"type\":\"{role}\",\"sessionId\":\"{session}\",\"uuid\":\"u-{n}\",\"cwd\":\"/x/crumb\",\"timestamp\":\"2026-04-0{day}T10:{minute:02}:00Z\",\"message\":{{\"role\":\"{role}\",\"content\":\"{text}\"}}}}\n",
        day = 1 + n / 400,
        minute = n % 60,
    );
    if n.is_multiple_of(5) { said + &tool } else { said }
}

/// What of record `n` must stand in the journal exactly once.
fn promised(n: u32) -> Vec<String> {
    let mut lines = match n % 4 {
        0 => vec![format!("oven number {n} in the back room today")],
        1 => vec![format!("- We decided to use timer {n} for the oven")],
        2 => Vec::new(),
        _ => vec![format!("- We decided to keep shelf {n} because")],
    };
    if n.is_multiple_of(5) {
        lines.push(format!("- Bash bake --oven {n}\n"));
    }
    lines
}

/// What of record `n` stands there only where it was the last thing said before a request: at most once.
fn possible(n: u32) -> Vec<String> {
    match n % 4 {
        2 => vec![format!("- It turns out that fuse {n} was loose")],
        3 => vec![format!("- [ ] paint door {n} green\n")],
        _ => Vec::new(),
    }
}

fn transcript(session: &str, records: &[u32]) -> String {
    records.iter().map(|n| record(session, *n)).collect()
}

fn capture(vault: &Vault, file: &Path) {
    vault.engine().capture(&Transcript::file(file), None).expect("captures");
}

/// The bodies of all days, without titles: a title says again what stands below it.
fn journal(vault: &Vault) -> String {
    let Ok(days) = fs::read_dir(vault.root().join("daily")) else { return String::new() };
    let mut paths: Vec<PathBuf> = days.map(|day| day.expect("an entry").path()).collect();
    paths.sort();
    let text: String = paths.iter().map(|path| fs::read_to_string(path).expect("reads")).collect();
    text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// Lines of these records that do not stand in the journal as often as they should.
fn wrong(vault: &Vault, records: impl IntoIterator<Item = u32>) -> Vec<(String, usize)> {
    let journal = journal(vault);
    let count = |line: String| (journal.matches(&line).count(), line);
    let of_record = |n: u32| {
        let promised = promised(n).into_iter().map(count).filter(|(n, _)| *n != 1);
        promised.chain(possible(n).into_iter().map(count).filter(|(n, _)| *n > 1)).collect::<Vec<_>>()
    };
    records.into_iter().flat_map(of_record).map(|(n, line)| (line, n)).collect()
}

/// The talk of every session.
fn talk(vault: &Vault) -> Vec<String> {
    let folders = fs::read_dir(vault.root().join(".kenning/talk")).into_iter().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.expect("an entry").path()).expect("lists"));
    files.map(|file| fs::read_to_string(file.expect("an entry").path()).expect("reads")).collect()
}

/// Every one of these records stands in the talk, in none of its files twice.
#[track_caller]
fn all_told(vault: &Vault, records: impl IntoIterator<Item = u32>) {
    let talk = talk(vault);
    for n in records {
        let said = match n % 4 {
            0 => format!("Please look at oven number {n} in the back room today.\n"),
            1 => format!("We decided to use timer {n} for the oven because the old one is late.\n"),
            2 => format!("It turns out that fuse {n} was loose, because nobody had looked at it.\n"),
            _ => format!("We decided to keep shelf {n} because it is new.\n\n- [ ] paint door {n} green\n"),
        };
        let done = n.is_multiple_of(5).then(|| format!("- Bash bake --oven {n}\n"));
        for line in done.into_iter().chain([said]) {
            let n_times: Vec<usize> = talk.iter().map(|text| text.matches(&line).count()).collect();
            assert!(n_times.contains(&1) && n_times.iter().all(|n| *n <= 1), "{line:?} stands there {n_times:?} times");
        }
    }
}

#[track_caller]
fn all_once(vault: &Vault, records: impl IntoIterator<Item = u32>) {
    let wrong = wrong(vault, records);
    assert!(wrong.is_empty(), "{} lines are not there once: {:?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

#[test]
fn of_a_rewritten_transcript_every_new_line_arrives_however_many_old_ones_there_are() {
    for n_old in [38, 100] {
        let vault = Vault::new();
        let file = vault.root().join("s.jsonl");
        let old: Vec<u32> = (0..n_old * 4).filter(|n| n % 4 == 1).collect();
        fs::write(&file, transcript("s-1", &old)).expect("writes");
        capture(&vault, &file);
        // Written anew: something else stands at its start, and ten lines more at its end.
        let new: Vec<u32> = (n_old * 4..(n_old + 10) * 4).filter(|n| n % 4 == 1).collect();
        let anew = format!("{{\"type\":\"summary\",\"sessionId\":\"s-1\"}}\n{}", transcript("s-1", &old));
        fs::write(&file, anew + &transcript("s-1", &new)).expect("writes");
        capture(&vault, &file);
        all_once(&vault, old.into_iter().chain(new));
    }
}

#[test]
fn what_does_not_fit_into_an_entry_goes_into_the_next() {
    let vault = Vault::new();
    let file = vault.root().join("s.jsonl");
    let all: Vec<u32> = (0..390).collect();
    fs::write(&file, transcript("s-1", &all)).expect("writes");
    capture(&vault, &file);
    all_once(&vault, all);
    let text = vault.read("daily/2026-04-01.md");
    let lines = |section: &str| section.lines().filter(|line| line.starts_with("- ")).count();
    let longest = text.split("**").map(lines).max();
    assert!(longest <= Some(60) && text.contains("(continued)\n") && !text.contains("left out"), "{longest:?}");
}

/// What happens to the transcripts between captures.
#[derive(Debug, Clone)]
enum Act {
    /// A session says more.
    Grow { of: usize, n: u32 },
    /// A file is written anew: some of it goes, something else stands at its start, and it says more.
    Rewrite { of: usize, drop_every: usize, n: u32 },
    /// A new session begins with what one said before.
    Fork { of: usize, keep: usize, n: u32 },
    /// A file is captured.
    Capture { of: usize },
    /// A file is captured by a process that is killed as soon as the journal grew.
    Killed { of: usize },
    /// The cache is deleted.
    Forget,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let one = prop_oneof![
        4 => (0usize..4, 1u32..70).prop_map(|(of, n)| Act::Grow { of, n }),
        2 => (0usize..4, 2usize..9, 0u32..70).prop_map(|(of, drop_every, n)| Act::Rewrite { of, drop_every, n }),
        2 => (0usize..4, 1usize..60, 0u32..30).prop_map(|(of, keep, n)| Act::Fork { of, keep, n }),
        6 => (0usize..4).prop_map(|of| Act::Capture { of }),
        2 => (0usize..4).prop_map(|of| Act::Killed { of }),
        1 => Just(Act::Forget),
    ];
    prop::collection::vec(one, 1..14)
}

/// Transcripts beside a vault, and what was ever captured of them.
struct World {
    vault: Vault,
    folder: tempfile::TempDir,
    /// What each session's file says now.
    files: Vec<Vec<u32>>,
    n_said: u32,
    n_anew: usize,
    captured: BTreeMap<u32, ()>,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = vec![Vec::new()];
        World { vault: Vault::new(), folder, files, n_said: 0, n_anew: 0, captured: BTreeMap::new() }
    }

    fn say(&mut self, of: usize, n: u32) {
        self.files[of].extend(self.n_said..self.n_said + n);
        self.n_said += n;
    }

    fn place(&self, of: usize) -> PathBuf {
        self.folder.path().join(format!("s-{of}.jsonl"))
    }

    fn write(&self, of: usize, head: &str) {
        let text = transcript(&format!("s-{of}"), &self.files[of]);
        fs::write(self.place(of), format!("{head}{text}")).expect("writes");
    }

    fn capture(&mut self, of: usize) {
        if self.place(of).exists() && !self.files[of].is_empty() {
            capture(&self.vault, &self.place(of));
            self.captured.extend(self.files[of].iter().map(|n| (*n, ())));
        }
    }

    fn head(&self, of: usize) -> String {
        // What the file begins with since it was last written anew.
        match self.n_anew {
            0 => String::new(),
            n => format!("{{\"type\":\"summary\",\"sessionId\":\"s-{of}\",\"summary\":\"{}\"}}\n", "x".repeat(n)),
        }
    }

    fn act(&mut self, act: &Act) {
        let n_files = self.files.len();
        match *act {
            Act::Grow { of, n } => {
                let of = of % n_files;
                let at = self.files[of].len();
                self.say(of, n);
                let more = transcript(&format!("s-{of}"), &self.files[of][at..]);
                let old = fs::read_to_string(self.place(of)).unwrap_or_default();
                fs::write(self.place(of), old + &more).expect("writes");
            }
            Act::Rewrite { of, drop_every, n } => {
                let of = of % n_files;
                self.n_anew += 1;
                let mut at = 0;
                self.files[of].retain(|_| {
                    at += 1;
                    at % drop_every != 0
                });
                self.say(of, n);
                self.write(of, &self.head(of));
            }
            Act::Fork { of, keep, n } if n_files < 4 => {
                let kept = &self.files[of % n_files];
                let kept = kept[..keep.min(kept.len())].to_vec();
                self.files.push(kept);
                self.say(n_files, n);
                self.write(n_files, "");
            }
            Act::Fork { .. } => {}
            Act::Capture { of } => self.capture(of % n_files),
            Act::Killed { of } => {
                let place = self.vault.root().join(SEEN);
                let before = fs::read(&place).ok();
                self.capture(of % n_files);
                match before {
                    Some(bytes) => fs::write(&place, bytes).expect("writes"),
                    None => drop(fs::remove_file(&place)),
                }
            }
            Act::Forget => drop(fs::remove_file(self.vault.root().join(SEEN))),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]
    #[test]
    fn whatever_becomes_of_transcripts_every_line_stands_in_the_journal_once(acts in acts()) {
        check(&acts);
    }
}

#[track_caller]
fn check(acts: &[Act]) {
    let mut world = World::new();
    for act in acts {
        world.act(act);
    }
    for of in 0..world.files.len() {
        world.capture(of);
    }
    all_once(&world.vault, world.captured.keys().copied());
    all_told(&world.vault, world.captured.keys().copied());
}

#[test]
fn what_a_fork_copied_before_its_parent_was_captured_stands_there_once() {
    let grow = || Act::Grow { of: 0, n: 1 };
    let fork = || Act::Fork { of: 0, keep: 2, n: 3 };
    for captured in [Act::Capture { of: 1 }, Act::Killed { of: 1 }] {
        check(&[grow(), Act::Capture { of: 0 }, grow(), fork(), captured.clone()]);
        check(&[grow(), Act::Capture { of: 0 }, grow(), fork(), captured, Act::Capture { of: 0 }, grow()]);
    }
}

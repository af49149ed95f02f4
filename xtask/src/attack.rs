//! `cargo xtask attack`: the attacks that Kenning promises to withstand, carried out against the real binary.
//!
//! Everything happens in folders of its own: a home, a vault, and bait outside of both. The program is watched
//! from outside: which files changed, which programs started (a search path of traps, and `strace` where it is
//! there), which files were opened. The short form runs in `cargo xtask check`; the long one writes
//! `docs/book/reliability.md`. A violation is printed with what it takes to see it again, and ends in a failure.

mod arena;
mod corpora;
mod disk;
mod giant;
mod kills;
mod planted;
mod watch;
mod writers;

use std::path::PathBuf;
use std::time::Instant;

use crate::{Outcome, cargo, root, run, target_dir};
use arena::Random;

/// How much is tried.
pub(crate) struct Plan {
    /// The binary that is attacked.
    ken: PathBuf,
    /// Whether the published figures are wanted, or a quick look.
    is_long: bool,
    seed: u64,
}

impl Plan {
    /// Returns the one or the other.
    fn of<T>(&self, short: T, long: T) -> T {
        if self.is_long { long } else { short }
    }

    fn random(&self) -> Random {
        Random::new(self.seed)
    }
}

/// What an attack came to.
#[derive(Default)]
pub(crate) struct Tally {
    tries: usize,
    violations: Vec<String>,
    /// A remark that belongs to the figures.
    note: Option<String>,
    /// What could not be tried here, and why.
    skipped: Option<String>,
}

impl Tally {
    fn skipped(why: impl Into<String>) -> Tally {
        Tally { skipped: Some(why.into()), ..Tally::default() }
    }
}

/// One kind of attack: its name, what counts as a violation, and how it is carried out.
struct Attack {
    name: &'static str,
    promise: &'static str,
    /// Whether it is a test of a corpus, which runs with the tests too.
    is_corpus: bool,
    run: fn(&Plan) -> Result<Tally, String>,
}

const ATTACKS: &[Attack] = &[
    Attack {
        name: "planted files",
        promise: "a vault with files that somebody prepared, opened with every command and by hooks: no program starts, nothing outside is opened or changed, nothing of it is in a session's start",
        is_corpus: false,
        run: planted::planted,
    },
    Attack {
        name: "planted caches",
        promise: "answers are those of the files, whatever lies in the cache",
        is_corpus: false,
        run: planted::caches,
    },
    Attack {
        name: "links and pipes",
        promise: "nothing is read or written through a link, and nothing waits for a pipe",
        is_corpus: false,
        run: planted::links,
    },
    Attack {
        name: "kill -9",
        promise: "killed at a random moment: all or nothing, no entry lost or doubled, nothing left behind",
        is_corpus: false,
        run: kills::kills,
    },
    Attack {
        name: "writers at once",
        promise: "every acknowledged note is in the journal, once",
        is_corpus: false,
        run: writers::notes,
    },
    Attack {
        name: "a person saving",
        promise: "what a person saves while a command writes is never lost",
        is_corpus: false,
        run: writers::saving,
    },
    Attack {
        name: "full disk",
        promise: "all or nothing, and the exit code says which",
        is_corpus: false,
        run: disk::full,
    },
    Attack {
        name: "read-only vault",
        promise: "it answers and changes nothing",
        is_corpus: false,
        run: disk::read_only,
    },
    Attack {
        name: "giant inputs",
        promise: "every command ends in time, within bounded memory, without a panic",
        is_corpus: false,
        run: giant::giant,
    },
    Attack {
        name: "poisoned text",
        promise: "no line that steers an agent is in a session's start, and of a hundred at most two are unmarked in an answer",
        is_corpus: true,
        run: corpora::poison,
    },
    Attack {
        name: "planted secrets",
        promise: "of a hundred planted secrets at most two stand anywhere under the vault",
        is_corpus: true,
        run: corpora::secrets,
    },
];

/// Carries out every attack, or those that are named, and prints the table.
pub(crate) fn attack(options: &[&str]) -> Outcome {
    let (mut is_long, mut only, mut ken, mut seed) = (false, Vec::new(), None, None);
    let mut has_corpora = true;
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--long" => is_long = true,
            "--without-corpora" => has_corpora = false,
            "--only" => only.push(*options.next().ok_or("`--only` takes the name of an attack")?),
            "--ken" => ken = Some(PathBuf::from(options.next().ok_or("`--ken` takes the path of a binary")?)),
            "--seed" => seed = options.next().and_then(|text| text.parse().ok()),
            other => {
                return Err(format!(
                    "`{other}` is no option; there are --long, --only NAME, --ken FILE, --seed N, --without-corpora"
                ));
            }
        }
    }
    let ken = match ken {
        Some(ken) => ken,
        None => {
            run(&mut cargo(&["build", "--quiet", "-p", "ken-cli"]), "cargo build -p ken-cli")?;
            target_dir().join("debug").join(format!("ken{}", std::env::consts::EXE_SUFFIX))
        }
    };
    let ken = ken.canonicalize().map_err(|err| format!("cannot find `{}`: {err}", ken.display()))?;
    let plan = Plan { ken, is_long, seed: seed.unwrap_or(1) };
    let mut rows = Vec::new();
    let is_wanted = |attack: &&Attack| match only.is_empty() {
        true => has_corpora || !attack.is_corpus,
        false => only.contains(&attack.name),
    };
    for attack in ATTACKS.iter().filter(is_wanted) {
        let start = Instant::now();
        let tally = (attack.run)(&plan).map_err(|why| format!("{}: {why}", attack.name))?;
        println!("{}", line(attack, &tally, start.elapsed().as_secs_f64()));
        tally.violations.iter().take(20).for_each(|violation| println!("    {violation}"));
        rows.push((attack, tally));
    }
    if rows.is_empty() {
        let names: Vec<&str> = ATTACKS.iter().map(|attack| attack.name).collect();
        return Err(format!("no attack is called so; there are: {}", names.join(", ")));
    }
    let n_violations: usize = rows.iter().map(|(_, tally)| tally.violations.len()).sum();
    if is_long && only.is_empty() && has_corpora {
        let path = root().join("docs/book/reliability.md");
        std::fs::write(&path, report(&rows, &plan)).map_err(|err| format!("cannot write the report: {err}"))?;
        println!("wrote docs/book/reliability.md");
    }
    match n_violations {
        0 => Ok(()),
        n => Err(format!("{n} violations")),
    }
}

fn line(attack: &Attack, tally: &Tally, seconds: f64) -> String {
    match &tally.skipped {
        Some(why) => format!("{:<18} skipped: {why}", attack.name),
        None => format!(
            "{:<18} {:>6} tries  {:>3} violations  {seconds:>6.1} s{}",
            attack.name,
            tally.tries,
            tally.violations.len(),
            tally.note.as_ref().map(|note| format!("  {note}")).unwrap_or_default()
        ),
    }
}

/// The manual's page: what was tried on which machine, and what came of it.
fn report(rows: &[(&Attack, Tally)], plan: &Plan) -> String {
    let said = |program: &str, args: &[&str]| {
        let output = std::process::Command::new(program).args(args).current_dir(root()).output().ok();
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
    };
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(": unknown");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = String::from(
        "# Reliability\n\n\
         What was tried to make Kenning lose, leak or run something, and what came of it.\n\
         `cargo xtask attack --long` carries out every attack again and writes this page; a short form runs in `cargo xtask check`.\n\
         Each attack uses the real binary in folders of its own and watches it from outside: files that change, programs that start (traps on the search path, and `strace` where it is installed), files that are opened.\n\n",
    );
    text.push_str("| attack | promise | tries | violations |\n|---|---|---:|---:|\n");
    for (attack, tally) in rows {
        let (tries, violations) = match &tally.skipped {
            Some(why) => (format!("skipped: {why}"), "–".to_owned()),
            None => {
                let note = tally.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
                (tally.tries.to_string(), format!("{}{note}", tally.violations.len()))
            }
        };
        text.push_str(&format!("| {} | {} | {tries} | {violations} |\n", attack.name, attack.promise));
    }
    text.push_str(&format!(
        "\nCommit {}, {}; {} with {cores} processors ({}); seed {}.\n",
        said("git", &["rev-parse", "--short=12", "HEAD"]),
        said(&plan.ken.to_string_lossy(), &["--version"]),
        said("uname", &["-srm"]),
        cpu.trim_start_matches([' ', '\t', ':']),
        plan.seed,
    ));
    text
}

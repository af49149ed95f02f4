//! Makes the vaults of a part, asks every question in them, and looks where the answers stand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::baseline::Bm25;
use super::set::{Question, Set, files_below, when};

/// A token, everywhere here.
pub(super) const CHARS_A_TOKEN: usize = 4;
pub(super) const BUDGETS: [usize; 3] = [500, 1_500, 4_000];
/// When everything is asked: after the last day of any set.
const NOW: &str = "2026-04-01T09:00:00Z";
/// Questions that are asked at once.
const N_AT_ONCE: usize = 2;

/// Where answers stand, by method or place, as ids of answerable questions; and who was silent where nothing is.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) n_answerable: usize,
    pub(super) n_unanswerable: usize,
    /// The ids of the answerable questions.
    pub(super) ids: Vec<String>,
    pub(super) right: BTreeMap<String, BTreeSet<String>>,
    /// Answerable questions that `ken context` refused.
    pub(super) refused: BTreeSet<String>,
    /// Others that it refused.
    pub(super) silent: BTreeSet<String>,
}

impl Asked {
    /// How many answers a method holds.
    pub(super) fn n(&self, method: &str) -> usize {
        self.right.get(method).map_or(0, BTreeSet::len)
    }
}

/// The name of asking for a context.
pub(super) fn context(budget: usize, is_compiled: bool) -> String {
    format!("context {budget}{}", if is_compiled { "" } else { ", never compiled" })
}

pub(super) fn baseline(budget: usize) -> String {
    format!("BM25 over raw text {budget}")
}

/// Asks everything of a part.
pub(super) fn ask(ken: (&Path, Option<&Path>), set: &Set, part: &str) -> Result<Asked, String> {
    let work = std::env::temp_dir().join(format!("ken-answers-{}-{}-{part}", std::process::id(), set.name));
    let done = ask_in(&work, ken, set, part);
    let _ = std::fs::remove_dir_all(&work);
    done
}

fn ask_in(work: &Path, (ken, model): (&Path, Option<&Path>), set: &Set, part: &str) -> Result<Asked, String> {
    let vault = Vault::new(ken, model, work, part)?;
    vault.fill(set, part)?;
    let questions: Vec<&Question> = set.of_part(part).collect();
    let (good, other): (Vec<&Question>, Vec<&Question>) = questions.iter().partition(|one| one.is_answerable);
    let mut asked = Asked {
        n_answerable: good.len(),
        n_unanswerable: other.len(),
        ids: good.iter().map(|one| one.id.clone()).collect(),
        ..Asked::default()
    };
    let mut hold = |method: String, text_of: &dyn Fn(usize) -> String| {
        let held = good.iter().enumerate().filter(|(n, one)| one.is_answered_by(&text_of(*n)));
        let held = held.map(|(_, one)| one.id.clone()).collect();
        asked.right.insert(method, held);
    };
    for is_compiled in [false, true] {
        if is_compiled {
            vault.compile(None)?;
        }
        if vault.model.is_some() {
            vault.run(&["search", "--refresh", "--semantic"], NOW)?;
        }
        for budget in BUDGETS {
            let texts = vault.each(&good, &["context", "--budget", &budget.to_string()])?;
            hold(context(budget, is_compiled), &|n| texts[n].clone());
        }
        let texts = vault.each(&good, &["ask"])?;
        hold(format!("ask{}", if is_compiled { "" } else { ", never compiled" }), &|n| texts[n].clone());
    }
    let bm25 = Bm25::new(&set.raw(part)?);
    for budget in BUDGETS {
        hold(baseline(budget), &|n| bm25.answer(&good[n].text, budget));
    }
    let places = [("talk", ".kenning/talk"), ("journal", "daily"), ("sources", "raw"), ("pages", "knowledge")];
    let mut evidence = String::new();
    for (name, folder) in places {
        let text = vault.text_below(folder)?;
        hold(name.to_owned(), &|_| text.clone());
        if name != "pages" {
            evidence.push_str(&text);
        }
    }
    hold("talk, journal or sources".to_owned(), &|_| evidence.clone());
    let silent_of = |ask: &[&Question]| -> Result<BTreeSet<String>, String> {
        let done = vault.answers(ask, &["context", "--budget", "500"])?;
        Ok(ask.iter().zip(done).filter(|(_, (_, is_answer))| !is_answer).map(|(one, _)| one.id.clone()).collect())
    };
    asked.refused = silent_of(&good)?;
    asked.silent = silent_of(&other)?;
    Ok(asked)
}

/// A vault of a part.
pub(super) struct Vault {
    ken: PathBuf,
    model: Option<PathBuf>,
    home: PathBuf,
    pub(super) place: PathBuf,
}

impl Vault {
    /// Returns a vault that is to be made in a folder of its own, with a home beside it.
    pub(super) fn new(ken: &Path, model: Option<&Path>, work: &Path, part: &str) -> Result<Vault, String> {
        let (model, home) = (model.map(Path::to_owned), work.join("home"));
        std::fs::create_dir_all(&home).map_err(|err| format!("cannot make `{}`: {err}", home.display()))?;
        Ok(Vault { ken: ken.to_owned(), model, home, place: work.join(part) })
    }

    /// Compiles, with a language model where one is named.
    pub(super) fn compile(&self, model: Option<&str>) -> Result<(), String> {
        match model {
            None => self.run(&["compile"], NOW).map(drop),
            // A model of no use is told by the exit code, and its compile is done.
            Some(model) => {
                let mut command = self.command(NOW);
                command.arg("--vault").arg(&self.place).args(["compile", "--model", model]);
                command.output().map(drop).map_err(|err| format!("cannot run `{command:?}`: {err}"))
            }
        }
    }

    /// Makes the vault and puts the material in.
    pub(super) fn fill(&self, set: &Set, part: &str) -> Result<(), String> {
        let folder = set.folder.join(part).display().to_string();
        let mut init = self.command(NOW);
        init.args(["init", "--quiet"]).arg(&self.place);
        output(init).map(drop)?;
        match part {
            "sessions" => self.run(&["capture", &folder], NOW).map(drop),
            "docs" => self.run(&["ingest", &folder], NOW).map(drop),
            // A text names no time: the clock does.
            _ => set.files(part)?.iter().try_for_each(|file| {
                let (day, hour, _) = when(file);
                self.run(&["capture", &file.display().to_string()], &format!("{day}T{hour}:00Z")).map(drop)
            }),
        }
    }

    /// The program on no vault yet, as a user without any configuration has it.
    fn command(&self, now: &str) -> Command {
        let mut command = Command::new(&self.ken);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KEN_") || name.starts_with("XDG_")) {
            command.env_remove(name);
        }
        command
            .env("HOME", &self.home)
            .env("NO_COLOR", "1")
            .env("TZ", "UTC")
            .env("KEN_NOW", now)
            .env("KEN_NO_WORKER", "1");
        if let Some(model) = &self.model {
            command.env("KEN_EMBEDDING_MODEL", model);
        }
        command
    }

    fn run(&self, args: &[&str], now: &str) -> Result<(String, bool), String> {
        let mut command = self.command(now);
        command.arg("--vault").arg(&self.place).args(args);
        output(command)
    }

    /// What is printed for each of several questions.
    pub(super) fn each(&self, questions: &[&Question], args: &[&str]) -> Result<Vec<String>, String> {
        Ok(self.answers(questions, args)?.into_iter().map(|(text, _)| text).collect())
    }

    /// The same, each with whether it is said to answer.
    fn answers(&self, questions: &[&Question], args: &[&str]) -> Result<Vec<(String, bool)>, String> {
        let next = AtomicUsize::new(0);
        let texts = Mutex::new(vec![Ok((String::new(), false)); questions.len()]);
        std::thread::scope(|scope| {
            for _ in 0..N_AT_ONCE {
                scope.spawn(|| {
                    while let Some((n, one)) =
                        Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, questions.get(n)?)))
                    {
                        let args: Vec<&str> = args.iter().copied().chain([one.text.as_str()]).collect();
                        let said = self.run(&args, NOW);
                        texts.lock().expect("no thread panics with it")[n] = said;
                    }
                });
            }
        });
        texts.into_inner().expect("no thread panicked").into_iter().collect()
    }

    /// All text below a folder of the vault.
    fn text_below(&self, folder: &str) -> Result<String, String> {
        let folder = self.place.join(folder);
        if !folder.is_dir() {
            return Ok(String::new());
        }
        let files = files_below(&folder)?.into_iter().filter(|file| file.extension().is_some_and(|end| end == "md"));
        let texts = files.map(|file| std::fs::read(&file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        texts.collect::<Result<Vec<_>, _>>().map(|texts| texts.join("\n")).map_err(|err| err.to_string())
    }
}

/// Runs a command and returns what it printed, and whether that is the answer; exit codes above 1 are failures ("no"
/// is an answer).
fn output(mut command: Command) -> Result<(String, bool), String> {
    let done = command.output().map_err(|err| format!("cannot run `{command:?}`: {err}"))?;
    match done.status.code() {
        Some(code @ (0 | 1)) => Ok((String::from_utf8_lossy(&done.stdout).into_owned(), code == 0)),
        _ => Err(format!("`{command:?}` failed:\n{}", String::from_utf8_lossy(&done.stderr))),
    }
}

//! `cargo xtask agents`: the whole way round with real agents.
//!
//! Installs the agents' releases from npm into `target/agents/`, gives each a home of its own and a model
//! on loopback, and checks what Kenning promises of sessions: captured once, injected once, nothing lost
//! when an agent is killed, nothing left behind, everything taken back. Needs no account and no key.
//! Where npm cannot be reached it says that it was skipped.

mod agent;
mod machine;
mod mock;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::{Outcome, cargo, run, target_dir};
use agent::Agent;
use machine::Machine;
use mock::{Mock, UNTOLD, prompt, prompt_later};

/// What begins the text that a session starts with; an agent may write its bracket otherwise.
const MARKER: &str = "kenning-context vault=";

/// Runs every check of every agent, and says of each whether it holds.
pub(crate) fn agents(options: &[&str]) -> Outcome {
    let (is_latest, rest) = match options {
        ["--latest", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (ken, rest) = match rest {
        // Agents find it by its name.
        ["--ken", path, rest @ ..] if path.ends_with("/ken") => {
            (Some(std::path::absolute(path).map_err(|err| format!("cannot find `{path}`: {err}"))?), rest)
        }
        rest => (None, rest),
    };
    let chosen: Vec<Agent> = match rest {
        [] => Agent::ALL.to_vec(),
        ["--only", name] => Agent::ALL.into_iter().filter(|agent| agent.name() == *name).collect(),
        _ => Vec::new(),
    };
    if chosen.is_empty() {
        return Err(format!("`{}` are no options of agents", options.join(" ")));
    }
    let folder = target_dir().join("agents");
    std::fs::create_dir_all(&folder).map_err(|err| format!("cannot make `{}`: {err}", folder.display()))?;
    if !installs(&folder, is_latest) {
        println!("skipped: npm cannot be reached, so there are no agents to run");
        return Ok(());
    }
    let ken = match ken {
        Some(ken) => ken,
        None => {
            run(&mut cargo(&["build", "-p", "ken-cli"]), "cargo build -p ken-cli")?;
            target_dir().join("debug/ken")
        }
    };
    let programs = folder.join("node_modules/.bin");
    let mock = Arc::new(Mock::start()?);
    let mut n_failed = 0;
    for agent in chosen {
        let machine = Machine::new(&folder.join(agent.name()), &ken, &programs, Arc::clone(&mock))?;
        let version = machine.done(machine.command(agent.program()).arg("--version"))?;
        println!("{} ({})", agent.name(), version.trim());
        let rounds = Rounds { agent, machine };
        for (what, check) in CHECKS {
            let start = Instant::now();
            match check(&rounds) {
                Ok(()) => println!("  ok      {what} ({:.1} s)", start.elapsed().as_secs_f64()),
                Err(why) if why == NOT_THERE => println!("  -       {what}: {why}"),
                Err(why) => {
                    n_failed += 1;
                    println!("  FAILED  {what}\n{}", indented(&why));
                }
            }
        }
    }
    if n_failed == 0 { Ok(()) } else { Err(format!("{n_failed} checks failed")) }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("          {line}")).collect::<Vec<_>>().join("\n")
}

/// Checks that of a file only what was written by hand is left, which is a person's, and removes it.
fn left_as_written(place: &Path, by_hand: &str) -> Outcome {
    let left = std::fs::read_to_string(place).unwrap_or_default();
    if left.trim() != by_hand.trim() {
        return Err(format!("`{}` is left as:\n{left}", place.display()));
    }
    std::fs::remove_file(place).map_err(|err| format!("cannot remove `{}`: {err}", place.display()))
}

/// Writes a file, and the folders that it lies in.
fn written(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().expect("it lies in a folder");
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text));
    written.map_err(|err| format!("cannot write `{}`: {err}", path.display()))
}

/// Installs the releases, unless they are there, and returns whether they are.
fn installs(folder: &Path, is_latest: bool) -> bool {
    let releases = Agent::ALL.map(Agent::release);
    let wanted = releases.map(|(name, version)| format!("{name}@{}", if is_latest { "latest" } else { version }));
    let stands = |name: &str, version: &str| {
        let package = folder.join("node_modules").join(name).join("package.json");
        std::fs::read_to_string(package).is_ok_and(|text| text.contains(&format!("\"version\": \"{version}\"")))
    };
    if !is_latest && releases.iter().all(|(name, version)| stands(name, version)) {
        return true;
    }
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(folder).args(wanted).stdout(Stdio::null());
    npm.status().is_ok_and(|status| status.success())
}

/// One agent on one machine, from install to uninstall.
struct Rounds {
    agent: Agent,
    machine: Machine,
}

type Check = fn(&Rounds) -> Outcome;

/// A word of a vault that nobody accepted.
const CANARY: &str = "zebrafinch";
/// What seals the user's own files, and what was spent on models, is the user's, installed or not.
const USERS_STATE: &str = ".local/state/kenning/";

/// A command of a session, and what it prints, which does not stand in it.
const GREETING: (&str, &str) = ("printf 'hello-%s' from-the-oven", "hello-from-the-oven");

/// When a worker that asks is killed: while the agent starts, and while it is at the first or second session.
const KILLED_AFTER_MS: [u64; 3] = [400, 1_500, 4_000];
/// How many calls of it may be under way at once.
const CALLS_AT_ONCE: usize = 3;

/// Returned by a check that an agent has nothing for.
const NOT_THERE: &str = "its program without a screen has no command for it";

/// What is checked, in this order: each leaves what the next one builds on.
const CHECKS: [(&str, Check); 15] = [
    ("installing and taking it back leaves every file as it was", Rounds::round_trip),
    ("it is installed", Rounds::install),
    ("a session with a tool call is in the journal once", Rounds::first_session),
    ("the first request of the next session holds the brief once", Rounds::second_session),
    ("what was injected is not captured", Rounds::nothing_comes_back),
    ("an agent asks the vault, without anybody's approval, and gets the answer", Rounds::asks),
    ("a command that the installation does not name is not run without approval", Rounds::asks_a_person),
    ("a session that goes on adds only what is new", Rounds::resumed),
    ("a compaction loses and doubles nothing", Rounds::compacted),
    ("a cleared conversation loses nothing", Rounds::cleared),
    ("an agent that is killed loses nothing after the next start", Rounds::killed),
    ("two sessions at once both arrive", Rounds::at_once),
    ("a stranger's vault says nothing in the first request and starts nothing", Rounds::stranger),
    ("it reads sessions by itself as the model, and none of that is a session", Rounds::works_by_itself),
    ("the configuration is restored byte for byte", Rounds::uninstall),
];

impl Rounds {
    fn write_config(&self) -> Outcome {
        let (name, text) = self.agent.config();
        written(&self.machine.home.join(name), text)
    }

    fn round_trip(&self) -> Outcome {
        self.write_config()?;
        // Once, so that what the program writes whenever it runs is there before.
        self.machine.done(self.machine.command(self.agent.program()).args(self.agent.listing()))?;
        let is_own_noise = |name: &str| agent::is_noise(name);
        let before = self.machine.files(is_own_noise);
        self.machine.ken(&["install", self.agent.name(), "--user", "--yes"])?;
        self.machine.ken(&["uninstall", self.agent.name(), "--yes"])?;
        let after = self.machine.files(is_own_noise);
        let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        if names(&before) != names(&after) {
            return Err(format!("before: {:?}\nafter: {:?}", names(&before), names(&after)));
        }
        match before.iter().zip(&after).find(|(a, b)| a != b) {
            Some(((name, _), (_, now))) => Err(format!("`{name}` differs: {}", String::from_utf8_lossy(now))),
            None => Ok(()),
        }
    }

    fn install(&self) -> Outcome {
        self.machine.ken(&["install", self.agent.name(), "--user", "--yes"])?;
        let again = self.machine.ken(&["install", self.agent.name(), "--user", "--yes", "--json"])?;
        match again.contains("\"changed\": true") {
            true => Err(format!("installing again changed something: {again}")),
            false => Ok(()),
        }
    }

    fn session(&self, text: &str, then: &str, session: Option<&str>) -> Result<String, String> {
        let prompt = prompt(text, "I will look.", GREETING.0, then);
        self.machine.done(&mut self.agent.session(&self.machine, &prompt, session, false))
    }

    fn first_session(&self) -> Outcome {
        self.machine.mock.taken();
        self.session("Please settle when the shop opens.", "We decided to open the shop at seven.", None)?;
        if !self.machine.mock.taken().iter().any(|body| body.contains(GREETING.1)) {
            return Err(format!("`{}` was not run", GREETING.0));
        }
        self.machine.until_captured(&["We decided to open the shop at seven."])?;
        self.machine.until_alone()
    }

    fn second_session(&self) -> Outcome {
        self.machine.mock.taken();
        self.session("Please settle when the shop closes.", "We decided to close the shop at six.", None)?;
        let requests = self.machine.mock.taken();
        let first = requests.iter().find(|body| body.contains("MOCK:")).ok_or("no request reached the model")?;
        let n_markers = first.matches(MARKER).count();
        if n_markers != 1 || !first.contains("open the shop at seven") {
            return Err(format!("the marker stands {n_markers} times in the first request"));
        }
        self.machine.until_captured(&["We decided to close the shop at six."])
    }

    fn nothing_comes_back(&self) -> Outcome {
        self.machine.until_alone()?;
        let journal = self.machine.journal();
        let parts = [MARKER, "data, not instructions", "Decisions ("];
        match parts.iter().find(|part| journal.contains(**part)) {
            Some(part) => Err(format!("`{part}` is in the journal:\n{journal}")),
            None => self.machine.until_captured(&["We decided to open the shop at seven."]),
        }
    }

    /// Nobody is there to approve: what runs, the installation has allowed.
    fn asks(&self) -> Outcome {
        self.machine.mock.taken();
        let run = "ken ask 'when do we open the shop?'";
        let prompt = prompt("Look up when the shop opens.", "I will ask.", run, "It opens at seven, as we decided.");
        self.machine.done(&mut self.agent.session(&self.machine, &prompt, None, true))?;
        let requests = self.machine.mock.taken();
        let last = requests.iter().rfind(|body| body.contains("MOCK:")).ok_or("no request reached the model")?;
        // The brief of the session has the decision, too, but says another thing of itself.
        let is_answered = last.split(MARKER).skip(1).any(|text| text.contains("Quoted from") && text.contains("seven"));
        match is_answered {
            true => Ok(()),
            false => {
                let at = last.rfind("_output\"").or_else(|| last.rfind("tool_result")).unwrap_or(0);
                let given: String = last[at..].chars().take(1_000).collect();
                Err(format!("the answer did not reach the model, which was given:\n{given}"))
            }
        }
    }

    fn asks_a_person(&self) -> Outcome {
        let name = "nobody-approved-this";
        for run in
            [format!("touch {name}"), format!("ken ask hours && touch {name}"), format!("ken ask \"$(touch {name})\"")]
        {
            let prompt = prompt("Leave a mark.", "I will touch a file.", &run, "The file is to stand there.");
            self.machine.done(&mut self.agent.session(&self.machine, &prompt, None, true))?;
            if self.machine.project.join(name).exists() {
                return Err(format!("`{run}` was run"));
            }
        }
        Ok(())
    }

    /// The id of the newest session in the journal.
    fn newest(&self) -> Result<String, String> {
        let journal = self.machine.journal();
        let id = journal.rsplit_once("session=").and_then(|(_, rest)| rest.split(' ').next());
        id.map(str::to_owned).ok_or_else(|| "the journal names no session".to_owned())
    }

    fn resumed(&self) -> Outcome {
        let session = self.newest()?;
        self.session("Please settle who opens.", "We decided that Mia opens the shop.", Some(&session))?;
        self.machine.until_captured(&["We decided that Mia opens the shop.", "We decided to close the shop at six."])
    }

    fn compacted(&self) -> Outcome {
        let session = self.newest()?;
        let setting = self.agent.always_compacting().map(|(name, text)| (self.machine.project.join(name), text));
        match &setting {
            Some((path, text)) => written(path, text)?,
            None if self.agent.takes_commands() => {
                self.machine.done(&mut self.agent.session(&self.machine, "/compact", Some(&session), false))?;
            }
            None => return Err(NOT_THERE.to_owned()),
        }
        self.machine.mock.taken();
        self.session("Please settle who closes.", "We decided that Noor closes the shop.", Some(&session))?;
        setting.iter().try_for_each(|(path, _)| std::fs::remove_file(path)).map_err(|err| err.to_string())?;
        if !self.machine.mock.taken().iter().any(|body| body.contains(UNTOLD)) {
            return Err("no summary was handed to the model; nothing was tested".to_owned());
        }
        self.machine
            .until_captured(&["We decided that Noor closes the shop.", "We decided that Mia opens the shop."])?;
        match self.machine.journal().contains(UNTOLD) {
            true => Err(format!("the summary was captured:\n{}", self.machine.journal())),
            false => Ok(()),
        }
    }

    fn cleared(&self) -> Outcome {
        if !self.agent.takes_commands() {
            return Err(NOT_THERE.to_owned());
        }
        let session = self.newest()?;
        self.machine.done(&mut self.agent.session(&self.machine, "/clear", Some(&session), false))?;
        self.session("Please settle what is sold.", "We decided to sell rye bread.", None)?;
        self.machine.until_captured(&["We decided to sell rye bread.", "We decided that Noor closes the shop."])
    }

    fn killed(&self) -> Outcome {
        use std::os::unix::process::CommandExt;
        let said = "We decided to bake at night.";
        // Late enough that the worker of this very start has looked and gone.
        let prompt = prompt_later("Please settle when to bake.", (said, "sleep 30", "Never said."), 2_000);
        let mut command = self.agent.session(&self.machine, &prompt, None, false);
        let mut agent = command
            .process_group(0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|err| err.to_string())?;
        let start = Instant::now();
        let is_written = || {
            self.machine
                .files(|name| !name.ends_with(".jsonl"))
                .iter()
                .any(|(_, bytes)| bytes.windows(said.len()).any(|window| window == said.as_bytes()))
        };
        while !is_written() {
            if start.elapsed() > Duration::from_secs(60) {
                let _ = agent.kill();
                return Err("the agent wrote no transcript in a minute".to_owned());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        self.machine.done(self.machine.command("sh").args(["-c", &format!("kill -9 -{}", agent.id())]))?;
        agent.wait().map_err(|err| err.to_string())?;
        if self.machine.journal().contains(said) {
            return Err("it was captured before the next start; nothing was tested".to_owned());
        }
        self.session("Please settle who bakes.", "We decided that Ines bakes at night.", None)?;
        self.machine.until_captured(&[said, "We decided that Ines bakes at night."])
    }

    fn at_once(&self) -> Outcome {
        let both = ["We decided to sell cakes on Fridays.", "We decided to sell tea in cups."];
        std::thread::scope(|scope| {
            let sessions =
                both.map(|then| scope.spawn(move || self.session("Please settle what else is sold.", then, None)));
            sessions
                .into_iter()
                .try_for_each(|session| session.join().map_err(|_| "a thread panicked".to_owned())?.map(drop))
        })?;
        self.machine.until_captured(&both)?;
        self.machine.until_alone()
    }

    /// A session in a vault that somebody else prepared, with a repository whose settings name programs.
    fn stranger(&self) -> Outcome {
        let clone = self.machine.home.with_file_name("clone");
        let trap = self.machine.home.with_file_name("trapped");
        let _ = std::fs::remove_dir_all(&clone);
        std::fs::create_dir_all(&clone).map_err(|err| err.to_string())?;
        let by_stranger = |args: &[&str]| {
            let mut command = self.machine.command(&self.machine.ken.to_string_lossy());
            command.env("XDG_STATE_HOME", self.machine.home.with_file_name("stranger"));
            self.machine.done(command.args(args).current_dir(&clone))
        };
        by_stranger(&["init", "--quiet"])?;
        by_stranger(&["log", "--quiet", &format!("We decided that the [[{CANARY}]] is fed at noon.")])?;
        by_stranger(&["compile", "--quiet"])?;
        let evil = format!("touch '{}'", trap.display());
        let config = format!(
            "[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = {evil}\n[filter \"x\"]\n\tclean = {evil}\n"
        );
        for (name, text) in [
            ("HEAD", "ref: refs/heads/main\n"),
            ("config", config.as_str()),
            ("objects/info/packs", ""),
            ("refs/heads/.keep", ""),
            (".gitattributes", "* filter=x\n"),
        ] {
            written(&clone.join(name), text)?;
        }
        self.machine.mock.taken();
        let prompt = prompt("What is here?", "I will look.", GREETING.0, "We decided to look around.");
        self.machine.done(self.agent.session(&self.machine, &prompt, None, false).current_dir(&clone))?;
        self.machine.until_alone()?;
        let requests = self.machine.mock.taken();
        let first = requests.iter().find(|body| body.contains("MOCK:")).ok_or("no request reached the model")?;
        if first.contains(CANARY) || !first.contains("ken trust") {
            return Err("the first request holds text of a vault that nobody accepted, or does not say so".to_owned());
        }
        let now = std::fs::read_to_string(clone.join("config")).unwrap_or_default();
        match (trap.exists(), now == config) {
            (true, _) => Err("a program that the vault names was started".to_owned()),
            (_, false) => Err("the vault's own files were changed".to_owned()),
            _ => Ok(()),
        }
    }

    /// The agent as the model that works in the background, on sessions that it held itself.
    fn works_by_itself(&self) -> Outcome {
        let ken = |args: &[&str]| {
            let mut command = self.machine.command(&self.machine.ken.to_string_lossy());
            self.agent.surround(&self.machine, &mut command);
            self.machine.done(command.args(args))
        };
        let name = self.agent.as_model();
        let said = ken(&["install", "--model", name, "--yes"])?;
        if !said.contains("answered a tiny question") {
            return Err(format!("the tiny question was not answered: {said}"));
        }
        let prompt =
            prompt("Please settle when tea is served.", "I will look.", GREETING.0, "We decided to serve tea at four.");
        let mut session = self.agent.session(&self.machine, &prompt, None, false);
        self.machine.done(session.env("KEN_NO_WORKER", "1"))?;
        // Each worker that is killed books the most that a call of an agent may cost.
        let place = self.machine.home.join(".config/kenning/models.toml");
        let models = std::fs::read_to_string(&place).map_err(|err| err.to_string())?;
        let models = models.replace("day_usd_max = 1", "day_usd_max = 9");
        let at_once = format!("\n[command]\ncalls_at_once_max = {CALLS_AT_ONCE}\n");
        written(&place, &(models + &at_once))?;
        for wait_ms in KILLED_AFTER_MS {
            let mut command = self.machine.command(&self.machine.ken.to_string_lossy());
            self.agent.surround(&self.machine, &mut command);
            let quiet = command.arg("work").stdout(Stdio::null()).stderr(Stdio::null());
            let mut worker = quiet.spawn().map_err(|err| err.to_string())?;
            std::thread::sleep(Duration::from_millis(wait_ms));
            let _ = worker.kill();
            worker.wait().map_err(|err| err.to_string())?;
            self.machine.until_nobody()?;
        }
        let worked = ken(&["work", "--json"])?;
        let number = |key: &str| {
            let (_, background) = worked.split_once("\"background\"")?;
            let (_, rest) = background.split_once(&format!("\"{key}\": "))?;
            rest.split(|ch: char| !ch.is_ascii_digit()).next()?.parse::<usize>().ok()
        };
        let journal = self.machine.journal();
        let n_read = journal.matches(&format!(" distilled={name} ")).count();
        // A quick one was done before it was killed, and then nothing is left to ask.
        if number("left").is_some_and(|n| n > 0) || n_read == 0 {
            return Err(format!("{n_read} entries are by the model; the worker said:\n{worked}"));
        }
        // What it was asked is no session, wherever it keeps what was said.
        ken(&["sync", "--quiet"])?;
        let journal = self.machine.journal();
        if journal.contains("JSON object of this form")
            || journal.matches(&format!(" distilled={name} ")).count() != n_read
        {
            return Err(format!("a prompt of Kenning's is in the journal:\n{journal}"));
        }
        let is_entry = |line: &&str| line.starts_with("<!-- kenning: session=");
        let mut read: Vec<&str> =
            journal.lines().filter(is_entry).filter(|line| line.contains(" distilled=")).collect();
        read.sort_unstable();
        read.dedup();
        if read.len() != n_read {
            return Err(format!("{n_read} entries are by the model, {} of them are different", read.len()));
        }
        let costs = ken(&["costs", "--all", "--json"])?;
        let n_lost =
            costs.rsplit_once("\"lost\": ").and_then(|(_, rest)| rest.split(',').next()?.parse::<usize>().ok());
        if !costs.contains("\"background\": true") || n_lost.is_none_or(|n| n > KILLED_AFTER_MS.len() * CALLS_AT_ONCE) {
            return Err(format!("more was booked as lost than was killed, or nothing: {costs}"));
        }
        ken(&["uninstall", "model", "--yes"])?;
        left_as_written(&place, &at_once)?;
        self.machine.until_alone()
    }

    fn uninstall(&self) -> Outcome {
        self.machine.ken(&["uninstall", self.agent.name(), "--yes"])?;
        let (name, text) = self.agent.config();
        let now = std::fs::read_to_string(self.machine.home.join(name)).unwrap_or_default();
        if now != text {
            return Err(format!("`{name}` is now:\n{now}"));
        }
        let left: Vec<String> = self
            .machine
            .files(|name| !name.contains("kenning") || name.starts_with(USERS_STATE))
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        if left.is_empty() { Ok(()) } else { Err(format!("left behind: {left:?}")) }
    }
}

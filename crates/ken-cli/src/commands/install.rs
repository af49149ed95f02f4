//! `ken install`: lets coding agents call Kenning.

pub(crate) mod model;
pub(crate) mod watch;
mod wire;

use ken_agents::agents::{self, AGENTS, Agent, Site};
use ken_agents::install::{self, Installed, Plan, Preview, PreviewStep, Scope};
use ken_agents::{Machine, Refusal};
use ken_engine::Failure;

use crate::exit::Answer;
use crate::session::Session;
use crate::ui::Ui;
use crate::{env, failure};

pub(super) use wire::scope as scope_words;

/// Let coding agents call Kenning
///
/// Adds hooks to the agents that are named, or to every agent found on this
/// machine after asking once. Then each session starts with what the wiki knows of
/// its folder, and ends up in the journal. What is in a configuration file stays:
/// comments, order, form. `ken uninstall` gives every byte back.
///
/// `--model` lets a model read new sessions by itself: it lists the agents that you
/// are logged in to and the servers on this machine, tries the one that you choose
/// with one tiny question, and writes it into your own models.toml.
///
/// Besides agents, `git` adds hooks to the repository of the vault (headers are
/// checked before a commit, pages are renewed after a merge), and `instructions`
/// adds a block to AGENTS.md. `watch` prints how systemd, launchd or cron start
/// `ken watch` for this vault; it writes a file only with `--write`.
///
/// Examples:
///   ken install                      every agent that is found
///   ken install claude-code codex    these two
///   ken install --dry-run            what would be changed, as a diff
///   ken install cursor --project     for this folder, to share with a team
///   ken install git
///   ken install --model              which models there are, and to choose one
///   ken install --model claude
///   ken install watch                a unit, a property list and a line of cron
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Agents, or `git`, `instructions` or `watch` [default: every agent that is found]
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// Install into the working folder, for everybody who works in it
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// Install for this user, in every folder; the default
    #[arg(long)]
    user: bool,
    /// Let a model work by itself: an agent (`claude`), or any model that `--model` of `ken compile` takes
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["agents", "project", "user"])]
    model: Option<String>,
    /// With `watch`: write the file of this system's own services; it is not started
    #[arg(long)]
    write: bool,
    /// Take out the hooks of claude-memory-compiler, which write down each session, too, after asking on a terminal;
    /// `ken uninstall` puts them back
    #[arg(long)]
    replace_hooks: bool,
    /// Show what would be changed and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// An agent on its way through the command.
struct Candidate {
    agent: &'static dyn Agent,
    scope: Scope,
    place: Option<String>,
    left: Vec<String>,
    /// Settings out of which hooks of another tool are taken.
    theirs: Vec<std::path::PathBuf>,
    planned: Result<(Plan, Preview), Refusal>,
    done: Option<Result<Installed, Refusal>>,
}

impl Candidate {
    fn is_to_do(&self) -> bool {
        matches!(&self.planned, Ok((_, Preview::Steps(_))))
    }

    fn refusal(&self) -> Option<&Refusal> {
        match (&self.planned, &self.done) {
            (Err(refusal), _) | (_, Some(Err(refusal))) => Some(refusal),
            _ => None,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    if let Some(named) = &args.model {
        let options = model::Options { named, yes: args.yes, dry_run: args.dry_run };
        return model::run(&options, session, ui);
    }
    if args.agents == [watch::NAME] {
        return watch::run(&watch::Options { write: args.write, dry_run: args.dry_run }, session, ui);
    }
    if args.write || args.agents.iter().any(|name| name == watch::NAME) {
        return Err(
            Failure::usage("`watch` is installed by itself: `ken install watch --write`").hint("nothing was changed")
        );
    }
    let machine = session.machine()?;
    let named = by_names(&args.agents)?;
    let is_found = |agent: &&dyn Agent| !agent.is_extra() && agent.found(&machine).is_some();
    let chosen: Vec<&'static dyn Agent> =
        if named.is_empty() { AGENTS.iter().copied().filter(is_found).collect() } else { named };
    if chosen.is_empty() {
        return Err(Failure::refused("no coding agent was found on this machine")
            .hint(format!("name one of {}", names()))
            .hint("nothing was changed"));
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for agent in chosen {
        let vault = session.vault();
        let scope = match (agent.name(), &vault) {
            ("git", Some(vault)) => Scope::Project(vault.clone()),
            _ if args.project || agent.is_extra() => Scope::Project(session.cwd().to_owned()),
            _ => Scope::User,
        };
        let along = candidates.iter().map(|candidate| candidate.agent.name()).collect();
        let site = Site { machine: &machine, scope: scope.clone(), vault, along, takes: args.replace_hooks };
        let planned = agents::plan(agent, &site)
            .and_then(|plan| install::preview(&plan, &machine).map(|preview| (plan, preview)));
        let (place, left) = (agent.found(&machine), agent.left(&site));
        let theirs = if args.replace_hooks { agent.with_others_hooks(&site) } else { Vec::new() };
        candidates.push(Candidate { agent, scope, place, left, theirs, planned, done: None });
    }
    let is_work = candidates.iter().any(Candidate::is_to_do);
    if !ui.is_json() && is_work {
        candidates
            .iter()
            .filter(|candidate| candidate.is_to_do())
            .for_each(|candidate| print_plan(candidate, &machine, args.dry_run, ui));
    }
    if !args.dry_run {
        if is_work && !args.yes {
            if args.agents.is_empty() {
                ask(candidates.iter().filter(|candidate| candidate.is_to_do()).count(), ui)?;
            }
            ask_for_theirs(&candidates, &machine, ui)?;
        }
        for candidate in &mut candidates {
            if let Ok((plan, _)) = &candidate.planned {
                candidate.done = Some(install::install(plan, &machine, session.wait()));
            }
        }
    }
    report(args, &candidates, ui)
}

fn by_names(names: &[String]) -> Result<Vec<&'static dyn Agent>, Failure> {
    let mut found: Vec<&'static dyn Agent> = Vec::new();
    for name in names {
        let agent = agents::by_name(name).ok_or_else(|| unknown(name))?;
        if !found.iter().any(|other| other.name() == agent.name()) {
            found.push(agent);
        }
    }
    Ok(found)
}

/// Returns the failure of a name that no agent has.
pub(super) fn unknown(name: &str) -> Failure {
    Failure::usage(format!("no agent is named `{name}`"))
        .hint(format!("known are {}", self::names()))
        .hint("any other agent that reads AGENTS.md: `ken install instructions`")
}

fn names() -> String {
    let names: Vec<String> = AGENTS.iter().map(|agent| format!("`{}`", agent.name())).collect();
    names.join(", ")
}

/// Asks once for everything; who cannot be asked has to have said so.
fn ask(n_agents: usize, ui: &mut Ui) -> Result<(), Failure> {
    if !env::can_be_asked() {
        return Err(Failure::usage("nobody is there to be asked")
            .hint("`ken install --yes` installs without asking, `ken install --dry-run` shows the changes")
            .hint("nothing was changed"));
    }
    let agents = crate::text::count(n_agents, "agent");
    match ui.agrees(&format!("Install into {agents}?")) {
        true => Ok(()),
        false => Err(Failure::refused("not installed").hint("nothing was changed")),
    }
}

/// Asks before hooks that somebody else wrote are taken out; where nobody can be asked, the flag has said so.
fn ask_for_theirs(candidates: &[Candidate], machine: &Machine, ui: &mut Ui) -> Result<(), Failure> {
    let mut files: Vec<String> = candidates
        .iter()
        .filter(|candidate| candidate.is_to_do())
        .flat_map(|candidate| candidate.theirs.iter().map(|file| machine.shown(file)))
        .collect();
    files.dedup();
    if files.is_empty() || ui.is_json() || !env::can_be_asked() {
        return Ok(());
    }
    let question = format!("Take the hooks of claude-memory-compiler out of {}?", files.join(", "));
    match ui.agrees(&question) {
        true => Ok(()),
        false => Err(Failure::refused("not installed")
            .hint("without `--replace-hooks` they stay; each session is written down twice then")
            .hint("nothing was changed")),
    }
}

/// Prints what is done; the answer of a dry run, and on the way otherwise.
fn print_plan(candidate: &Candidate, machine: &Machine, is_answer: bool, ui: &mut Ui) {
    let mut print = |line: String| if is_answer { ui.line(line) } else { ui.say(line) };
    let place = candidate.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
    print(format!("{}{place}", candidate.agent.title()));
    let Ok((_, Preview::Steps(steps))) = &candidate.planned else { return };
    for step in steps {
        match step {
            PreviewStep::File { path, is_new, diff } => {
                print(format!("  {} {}", if *is_new { "writes" } else { "edits " }, machine.shown(path)));
                if is_answer {
                    diff.lines().for_each(|line| print(format!("    {}", crate::text::clean(line))));
                }
            }
            PreviewStep::Call { line } => print(format!("  runs   {line}")),
        }
    }
}

fn report(args: &Args, candidates: &[Candidate], ui: &mut Ui) -> Result<Answer, Failure> {
    if ui.is_json() {
        ui.json(&wire::wire(candidates, args.dry_run));
    } else {
        print(args, candidates, ui);
    }
    // What was found but not named may be left out; what was named may not.
    let is_failure =
        |candidate: &&Candidate| candidate.refusal().is_some() && (candidate.done.is_some() || !args.agents.is_empty());
    let mut failed = candidates.iter().filter(is_failure);
    match (failed.next(), failed.count()) {
        (None, _) => Ok(Answer::Yes),
        (Some(candidate), 0) => Err(failure::of_agent(candidate.refusal().expect("it failed").clone())),
        (Some(_), n_more) => {
            let failure = Failure::refused(format!("{} of {} were not installed", n_more + 1, candidates.len()));
            let failure = failure.hint("`ken install` goes on where it stopped, `ken uninstall` takes it back");
            Err(candidates.iter().filter_map(Candidate::refusal).fold(failure, |mut failure, refusal| {
                failure.chain.push(refusal.to_string());
                failure
            }))
        }
    }
}

fn print(args: &Args, candidates: &[Candidate], ui: &mut Ui) {
    for candidate in candidates {
        let title = candidate.agent.title();
        match (&candidate.planned, &candidate.done) {
            (Err(refusal), _) if args.agents.is_empty() => {
                ui.warning(&format!("{title} was left out: {refusal}"));
                refusal.hints.iter().for_each(|hint| ui.note(&format!("hint: {hint}")));
            }
            (_, Some(Ok(done))) => {
                match done.is_changed {
                    true => ui.say(format!("Installed into {title}.")),
                    false => ui.say(format!("{title} has it already; nothing was changed.")),
                }
                done.notes.iter().for_each(|note| ui.warning(note));
            }
            (Ok((_, Preview::Nothing)), None) => ui.say(format!("{title} has it already.")),
            // Failures are printed last, by the program.
            _ => {}
        }
    }
    let left: Vec<String> = candidates
        .iter()
        .filter(|candidate| matches!(&candidate.done, Some(Ok(done)) if done.is_changed))
        .flat_map(|candidate| candidate.left.iter().map(|left| format!("{}: {left}", candidate.agent.title())))
        .collect();
    if !left.is_empty() {
        ui.say("Left for you:");
        ui.say_names(&left, usize::MAX);
    }
    if candidates.iter().any(|candidate| matches!(&candidate.done, Some(Ok(done)) if done.is_changed)) {
        ui.say("`ken doctor` tries the hooks; `ken uninstall` takes everything back.");
    }
    if args.dry_run && candidates.iter().any(Candidate::is_to_do) {
        ui.say("Nothing was changed.");
    }
}

//! `ken uninstall`: takes back what `ken install` did.

use ken_agents::agents;
use ken_agents::install::{self, Scope, TakenBack};
use ken_engine::Failure;
use serde::Serialize;

use super::install::{model, scope_words, unknown, watch};
use crate::exit::Answer;
use crate::session::Session;
use crate::ui::Ui;
use crate::{env, failure};

/// Take back what `ken install` did
///
/// Replays the record of every change backwards. A file that nobody else touched
/// gets its bytes back; of a file that somebody edited since, only what Kenning
/// added goes, and the answer says so. Vaults are not touched.
///
/// Examples:
///   ken uninstall                everything, after asking once
///   ken uninstall codex          from one agent, in every scope
///   ken uninstall model          no model works by itself any more
///   ken uninstall watch          the system starts no `ken watch` any more
///   ken uninstall --yes --purge  and what Kenning keeps outside of vaults
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Agents, or `git`, `instructions`, `model` or `watch` [default: everything that was installed]
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// Only what was installed into the working folder
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// Only what was installed for this user
    #[arg(long)]
    user: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
    /// Also remove what Kenning keeps outside of vaults
    #[arg(long)]
    purge: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    removed: Vec<One<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    agent: &'a str,
    scope: &'static str,
    folder: Option<String>,
    notes: &'a [String],
    error: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let machine = session.machine()?;
    let mut names = Vec::new();
    for name in &args.agents {
        names.push(match name.as_str() {
            model::NAME => model::NAME,
            watch::NAME => watch::NAME,
            name => agents::by_name(name).ok_or_else(|| unknown(name))?.name(),
        });
    }
    let here = Scope::Project(session.cwd().to_owned());
    let wanted = |agent: &str, scope: &Scope| {
        (names.is_empty() || names.contains(&agent))
            && (!args.project || *scope == here)
            && (!args.user || *scope == Scope::User)
    };
    let installed = install::installed(&machine).map_err(failure::of_agent)?;
    let n_wanted = installed.iter().filter(|(agent, scope)| wanted(agent, scope)).count();
    if n_wanted > 0 && names.is_empty() && !args.yes {
        ask(n_wanted, ui)?;
    }
    let taken = install::uninstall(&machine, &wanted, args.purge, session.wait()).map_err(failure::of_agent)?;
    if ui.is_json() {
        ui.json(&Wire { removed: taken.iter().map(one).collect() });
    } else {
        print(&taken, ui);
    }
    match taken.into_iter().find_map(|taken| taken.refusal) {
        Some(refusal) => Err(failure::of_agent(refusal.hint("what could be taken back was; try again"))),
        None => Ok(Answer::Yes),
    }
}

fn ask(n_installed: usize, ui: &mut Ui) -> Result<(), Failure> {
    if !env::can_be_asked() {
        return Err(Failure::usage("nobody is there to be asked")
            .hint("`ken uninstall --yes` takes everything back without asking")
            .hint("nothing was changed"));
    }
    match ui.agrees(&format!("Take back {}?", crate::text::count(n_installed, "installation"))) {
        true => Ok(()),
        false => Err(Failure::refused("not taken back").hint("nothing was changed")),
    }
}

fn one(taken: &TakenBack) -> One<'_> {
    let (scope, folder) = scope_words(&taken.scope);
    let error = taken.refusal.as_ref().map(ToString::to_string);
    One { agent: &taken.agent, scope, folder, notes: &taken.notes, error }
}

fn print(taken: &[TakenBack], ui: &mut Ui) {
    if taken.is_empty() {
        ui.say("Nothing is installed; nothing was changed.");
    }
    for taken in taken {
        let title = match taken.agent.as_str() {
            model::NAME => model::TITLE,
            watch::NAME => watch::TITLE,
            name => agents::by_name(name).map_or(name, |agent| agent.title()),
        };
        if taken.refusal.is_none() {
            match &taken.scope {
                Scope::User => ui.say(format!("Removed from {title}.")),
                Scope::Project(folder) => ui.say(format!("Removed from {title} in {}", folder.display())),
            }
        }
        taken.notes.iter().for_each(|note| ui.warning(note));
    }
}

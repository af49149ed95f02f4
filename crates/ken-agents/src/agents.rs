//! The agents: one file each, one line in [`AGENTS`].
//!
//! An agent is data: how it is found, what installing consists of, what a person does afterwards, and
//! how it is answered.

mod claude_code;
mod codex;
mod gemini_cli;
mod copilot_cli;
mod opencode;
mod cursor;
mod cline;
mod pi;
mod git;
mod instructions;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::budget::{Counting, Layer, Server, Shown, Start};
use crate::doctor::Check;
use crate::install::{Change, Edit, FileChange, JsonEdit, Plan, Scope};
use crate::machine::Machine;
use crate::refusal::Refusal;
use crate::{command, install};

/// Every agent, in the order in which they are listed.
pub const AGENTS: &[&dyn Agent] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &gemini_cli::GeminiCli,
    &copilot_cli::CopilotCli,
    &opencode::OpenCode,
    &cursor::Cursor,
    &cline::Cline,
    &pi::Pi,
    &git::Git,
    &instructions::Instructions,
];

/// Where and for whom something is installed.
#[derive(Debug, Clone)]
pub struct Site<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Where it applies.
    pub scope: Scope,
    /// The vault around the working folder, if there is one.
    pub vault: Option<PathBuf>,
    /// Names of the agents that are installed into at the same time, before this one.
    pub along: Vec<&'static str>,
    /// Whether the hooks of a tool that Kenning takes the place of may be taken out.
    pub takes: bool,
}

/// A coding agent, or something else that calls `ken`.
pub trait Agent: Sync {
    /// Returns the name that `ken install` takes.
    fn name(&self) -> &'static str;

    /// Returns the name that people use.
    fn title(&self) -> &'static str;

    /// Returns what shows that the agent is on this machine.
    fn found(&self, machine: &Machine) -> Option<String>;

    /// Returns what installing consists of.
    ///
    /// # Errors
    /// Why it cannot be installed there.
    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal>;

    /// Returns another way, for when the agent's own program fails.
    fn otherwise(&self, _: &Site<'_>) -> Vec<Change> {
        Vec::new()
    }

    /// Returns the edits that take out the hooks of a tool that Kenning takes the place of.
    fn takes(&self) -> Vec<JsonEdit> {
        Vec::new()
    }

    /// Returns the files that have such hooks.
    fn with_others_hooks(&self, _: &Site<'_>) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Returns what is left for a person to do.
    fn left(&self, _: &Site<'_>) -> Vec<String> {
        Vec::new()
    }

    /// Returns the command that the installation makes the agent run; `None` when it runs none.
    fn command(&self, site: &Site<'_>) -> Option<String> {
        Some(match site.scope {
            Scope::User => command::own(&site.machine.exe, self.named()),
            Scope::Project(_) => command::shared(self.named()),
        })
    }

    /// Returns the name that the command carries, for agents that do not say who they are.
    fn named(&self) -> Option<&'static str> {
        Some(self.name())
    }

    /// Returns the text that the agent's model receives, out of what the hook printed.
    fn received(&self, printed: &Value) -> Option<String> {
        in_hook_output(printed)
    }

    /// Returns what a hook prints so that the agent puts `text` in front of its model; what
    /// [`Agent::received`] takes out again.
    fn answer(&self, event: &str, text: &str) -> Value {
        hook_output(event, text)
    }

    /// Returns the variables by which its hooks see who called.
    fn surroundings(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns checks that only this agent has; `is_deep` allows slow ones.
    fn checks(&self, _: &Site<'_>, _is_deep: bool) -> Vec<Check> {
        Vec::new()
    }

    /// Returns what it loads when a session starts, in its order.
    fn layers(&self, _: &Start<'_>) -> Vec<Layer> {
        Vec::new()
    }

    /// Returns the tool servers that it starts with a session, the nearest first.
    fn servers(&self, _: &Start<'_>) -> Vec<Server> {
        Vec::new()
    }

    /// Returns what of a tool server it puts in front of its model.
    fn shown(&self) -> Shown {
        Shown { is_names_only: false, instructions_bytes_max: usize::MAX }
    }

    /// Returns how its models count.
    fn counting(&self) -> Counting {
        Counting::Secret
    }

    /// Returns whether it is installed only when it is named.
    fn is_extra(&self) -> bool {
        false
    }
}

/// Returns the agent of a name.
pub fn by_name(name: &str) -> Option<&'static dyn Agent> {
    let short = match name {
        "claude" => "claude-code",
        "gemini" => "gemini-cli",
        "copilot" => "copilot-cli",
        name => name,
    };
    AGENTS.iter().copied().find(|agent| agent.name() == short)
}

/// Returns the plan of installing into an agent.
///
/// # Errors
/// Why it cannot be installed there.
pub fn plan(agent: &dyn Agent, site: &Site<'_>) -> Result<Plan, Refusal> {
    let mut changes = agent.changes(site)?;
    let mut otherwise = agent.otherwise(site);
    if let (Scope::Project(folder), false) = (&site.scope, agent.is_extra()) {
        let blocks = instructions::blocks(folder, agent.name());
        changes.extend(blocks.clone());
        if !otherwise.is_empty() {
            otherwise.extend(blocks);
        }
    }
    // What was taken out once stays out until it is uninstalled.
    let mut taken = install::taken_from(site.machine, agent.name(), &site.scope);
    if site.takes {
        taken.extend(agent.with_others_hooks(site));
    }
    taken.sort();
    taken.dedup();
    for file in taken {
        take_out(&mut changes, &file, agent.takes());
        if !otherwise.is_empty() {
            take_out(&mut otherwise, &file, agent.takes());
        }
    }
    Ok(Plan { agent: agent.name().to_owned(), scope: site.scope.clone(), changes, otherwise })
}

/// Adds edits to the change of a file, or a change of its own.
fn take_out(changes: &mut Vec<Change>, file: &Path, takes: Vec<JsonEdit>) {
    let known = changes.iter_mut().find_map(|change| match change {
        Change::File(FileChange { path, edit: Edit::Json { edits, .. } }) if path == file => Some(edits),
        _ => None,
    });
    match known {
        Some(edits) => drop(edits.splice(0..0, takes)),
        None => changes.push(Change::json(file.to_owned(), takes, true)),
    }
}

/// Returns the form that most agents take.
pub(crate) fn hook_output(event: &str, text: &str) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})
}

/// The text in `hookSpecificOutput`, where most agents look for it.
fn in_hook_output(printed: &Value) -> Option<String> {
    printed["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned)
}

/// Returns what shows an agent: its program, or else its folder.
fn program_or_folder(machine: &Machine, program: &str, folder: PathBuf) -> Option<String> {
    match machine.program(program) {
        Some(place) => Some(machine.shown(&place)),
        None => folder.is_dir().then(|| machine.shown(&folder)),
    }
}

/// Returns the refusal of something that belongs to one project.
fn no_user_scope(agent: &dyn Agent) -> Refusal {
    Refusal::new(format!("{} belongs to one project", agent.title()))
        .hint(format!("`ken install {} --project` writes it here", agent.name()))
}

/// Returns whether Claude Code runs our hooks on this machine, or is about to.
fn is_in_claude(site: &Site<'_>) -> bool {
    let installed = install::installed(site.machine).unwrap_or_default();
    let is_about_to = site.along.contains(&"claude-code") && site.scope == Scope::User;
    is_about_to || installed.iter().any(|(agent, scope)| agent == "claude-code" && *scope == Scope::User)
}

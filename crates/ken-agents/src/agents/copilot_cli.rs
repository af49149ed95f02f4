//! GitHub Copilot CLI: a plugin through its own program, a hook file in a project.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::claude_code::words;
use super::{Agent, Site, program_or_folder};
use crate::install::{Change, CliChange, JsonEdit, Scope, Touched};
use crate::machine::Machine;
use crate::plugin::{self, FULL_NAME, NAME};
use crate::refusal::Refusal;

/// Events under this agent's own names, for its own hook files.
const EVENTS: [&str; 3] = ["sessionStart", "agentStop", "sessionEnd"];
const TIMEOUT_S: u32 = 10;

/// The agent.
pub(super) struct CopilotCli;

impl Agent for CopilotCli {
    fn name(&self) -> &'static str {
        "copilot-cli"
    }

    fn title(&self) -> &'static str {
        "Copilot CLI"
    }

    fn named(&self) -> Option<&'static str> {
        None
    }

    fn surroundings(&self) -> &'static [(&'static str, &'static str)] {
        &[("COPILOT_CLI", "1")]
    }

    fn found(&self, machine: &Machine) -> Option<String> {
        program_or_folder(machine, "copilot", home(machine))
    }

    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal> {
        match (&site.scope, site.machine.program("copilot")) {
            (Scope::User, Some(program)) => Ok(through_program(site.machine, program)),
            (Scope::User, None) => Err(Refusal::new("Copilot CLI takes plugins through its own program only")
                .because("`copilot` is not on the search path")
                .hint("install it, or use `ken install copilot-cli --project`")),
            (Scope::Project(folder), _) => {
                let hook = json!({
                    "type": "command", "bash": crate::command::shared(Some(self.name())), "timeoutSec": TIMEOUT_S,
                });
                let mut edits = vec![JsonEdit::default(&["version"], json!(1))];
                edits.extend(EVENTS.iter().map(|event| JsonEdit::append(&["hooks", event], hook.clone())));
                Ok(vec![Change::json(folder.join(".github/hooks/kenning.json"), edits, true)])
            }
        }
    }

    fn received(&self, printed: &Value) -> Option<String> {
        // What stands in `hookSpecificOutput` it drops without a word.
        printed["additionalContext"].as_str().map(str::to_owned)
    }
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("COPILOT_HOME", ".copilot")
}

fn through_program(machine: &Machine, program: PathBuf) -> Vec<Change> {
    let (tree, mut changes) = plugin::tree(machine);
    let home = home(machine);
    let lock_file = |name: &str| Touched { path: home.join(name), sign: String::new(), leftovers: Vec::new() };
    changes.push(Change::Cli(CliChange {
        program,
        calls: vec![
            words(&["plugin", "marketplace", "add", &tree.to_string_lossy()]),
            words(&["plugin", "install", FULL_NAME]),
        ],
        undo: vec![words(&["plugin", "uninstall", FULL_NAME]), words(&["plugin", "marketplace", "remove", NAME])],
        touched: vec![
            Touched {
                path: home.join("settings.json"),
                sign: FULL_NAME.to_owned(),
                leftovers: vec![
                    JsonEdit::tidy(&["enabledPlugins", FULL_NAME]),
                    JsonEdit::tidy(&["extraKnownMarketplaces"]),
                ],
            },
            lock_file("settings.json.lock"),
            lock_file("installed-plugins.lock"),
        ],
        own_folders: Vec::new(),
        folders: Vec::new(),
    }));
    changes
}

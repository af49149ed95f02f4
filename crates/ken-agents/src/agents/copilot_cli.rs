//! GitHub Copilot CLI: a plugin through its own program, a hook file in a project.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::claude_code::words;
use super::{Agent, Site, program_or_folder};
use crate::budget::{Counting, Form, Layer, Only, Server, Shown, Start, servers_in};
use crate::command;
use crate::install::{Change, CliChange, JsonEdit, Scope, Touched};
use crate::machine::Machine;
use crate::plugin::{self, FULL_NAME, NAME};
use crate::refusal::Refusal;

/// Under its own names (`sessionStart`, …) this agent sends a payload of another form, without the
/// event's name.
const EVENTS: [&str; 3] = ["SessionStart", "Stop", "SessionEnd"];
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
        Ok(match (&site.scope, site.machine.program("copilot")) {
            (Scope::User, Some(program)) => through_program(site.machine, program),
            (Scope::User, None) => vec![in_settings(site)],
            (Scope::Project(folder), _) => {
                let mut edits = vec![JsonEdit::default(&["version"], json!(1))];
                edits.extend(edits_of(&command::shared(Some(self.name()))));
                vec![Change::json(folder.join(".github/hooks/kenning.json"), edits, true)]
            }
        })
    }

    fn otherwise(&self, site: &Site<'_>) -> Vec<Change> {
        match (&site.scope, site.machine.program("copilot")) {
            (Scope::User, Some(_)) => vec![in_settings(site)],
            _ => Vec::new(),
        }
    }

    fn left(&self, site: &Site<'_>) -> Vec<String> {
        match site.scope {
            Scope::User => Vec::new(),
            Scope::Project(_) => {
                vec!["start `copilot` here and trust the folder; without that it runs no hook".to_owned()]
            }
        }
    }

    fn received(&self, printed: &Value) -> Option<String> {
        // What stands in `hookSpecificOutput` it drops without a word.
        printed["additionalContext"].as_str().map(str::to_owned)
    }

    fn answer(&self, _: &str, text: &str) -> Value {
        json!({"additionalContext": text})
    }

    fn layers(&self, start: &Start<'_>) -> Vec<Layer> {
        let home = home(start.machine);
        let modular = |folder| Layer::rules(folder, ".instructions.md", Only::Everywhere("applyTo"), Form::Body);
        let mut layers = vec![Layer::instructions(home.join("copilot-instructions.md"), Form::Whole)];
        layers.push(modular(home.join("instructions")));
        for folder in start.project() {
            let names = [".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"];
            layers.extend(names.map(|name| Layer::instructions(folder.join(name), Form::Whole)));
            layers.push(modular(folder.join(".github/instructions")));
        }
        layers
    }

    fn servers(&self, start: &Start<'_>) -> Vec<Server> {
        let places = [".mcp.json", ".github/mcp.json"].map(|name| start.root.join(name));
        let places = places.into_iter().chain([home(start.machine).join("mcp-config.json")]);
        places.flat_map(|place| servers_in(&start.json(&place)["mcpServers"], &place)).collect()
    }

    fn shown(&self) -> Shown {
        Shown { is_names_only: false, instructions_bytes_max: 0 }
    }

    fn counting(&self) -> Counting {
        Counting::Mixed("o200k")
    }
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("COPILOT_HOME", ".copilot")
}

fn in_settings(site: &Site<'_>) -> Change {
    let command = command::own(&site.machine.exe, Some("copilot-cli"));
    Change::json(home(site.machine).join("settings.json"), edits_of(&command), true)
}

fn edits_of(command: &str) -> Vec<JsonEdit> {
    let hook = json!({"type": "command", "bash": command, "timeoutSec": TIMEOUT_S});
    EVENTS.iter().map(|event| JsonEdit::append(&["hooks", event], hook.clone())).collect()
}

fn through_program(machine: &Machine, program: PathBuf) -> Vec<Change> {
    let (tree, mut changes) = plugin::tree(machine);
    let home = home(machine);
    let lock_file = |name: &str| Touched::new(home.join(name), "");
    changes.push(Change::Cli(CliChange {
        program,
        calls: vec![
            words(&["plugin", "marketplace", "add", &tree.to_string_lossy()]),
            words(&["plugin", "install", FULL_NAME]),
        ],
        undo: vec![words(&["plugin", "uninstall", FULL_NAME]), words(&["plugin", "marketplace", "remove", NAME])],
        list: words(&["plugin", "list"]),
        touched: vec![
            Touched {
                leftovers: vec![
                    JsonEdit::dropping(&["enabledPlugins", FULL_NAME]),
                    JsonEdit::dropping(&["extraKnownMarketplaces", NAME]),
                ],
                ..Touched::new(home.join("settings.json"), FULL_NAME)
            },
            lock_file("settings.json.lock"),
            lock_file("installed-plugins.lock"),
        ],
        own_folders: Vec::new(),
        folders: Vec::new(),
    }));
    changes
}

//! Claude Code: a plugin through its own program, hooks in `settings.json` where there is none.

use std::path::PathBuf;

use serde_json::json;

use super::{Agent, Site, program_or_folder};
use crate::install::{Change, CliChange, JsonEdit, Scope, Touched};
use crate::machine::Machine;
use crate::plugin::{self, FULL_NAME, NAME};
use crate::refusal::Refusal;

/// The agent.
pub(super) struct ClaudeCode;

impl Agent for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn named(&self) -> Option<&'static str> {
        // The tree is shared by three agents, and Claude Code says who it is.
        None
    }

    fn surroundings(&self) -> &'static [(&'static str, &'static str)] {
        &[("CLAUDECODE", "1")]
    }

    fn found(&self, machine: &Machine) -> Option<String> {
        program_or_folder(machine, "claude", home(machine))
    }

    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal> {
        let program = site.machine.program("claude");
        match (&site.scope, program) {
            (Scope::User, Some(program)) => Ok(through_program(site.machine, program)),
            (Scope::User, None) => Ok(vec![self.settings(site, home(site.machine))]),
            (Scope::Project(folder), _) => Ok(vec![self.settings(site, folder.join(".claude"))]),
        }
    }

    fn otherwise(&self, site: &Site<'_>) -> Vec<Change> {
        match (&site.scope, site.machine.program("claude")) {
            (Scope::User, Some(_)) => vec![self.settings(site, home(site.machine))],
            _ => Vec::new(),
        }
    }

    fn left(&self, site: &Site<'_>) -> Vec<String> {
        match site.scope {
            Scope::User => vec!["sessions that run already: type `/reload-plugins`, or start a new one".to_owned()],
            Scope::Project(_) => {
                vec!["commit `.claude/settings.json`; each of the team needs `ken` installed".to_owned()]
            }
        }
    }
}

impl ClaudeCode {
    fn settings(&self, site: &Site<'_>, folder: PathBuf) -> Change {
        let command = self.command(site).unwrap_or_default();
        let hook = |event: &&str| JsonEdit::append(&["hooks", event], plugin::hook(&command, event));
        // Claude Code ignores a settings file with comments in it.
        Change::json(folder.join("settings.json"), plugin::EVENTS.iter().map(hook).collect(), true)
    }
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("CLAUDE_CONFIG_DIR", ".claude")
}

fn through_program(machine: &Machine, program: PathBuf) -> Vec<Change> {
    let (tree, mut changes) = plugin::tree(machine);
    let home = home(machine);
    let plugins = home.join("plugins");
    let touched =
        |path: PathBuf, sign: &str, leftovers: Vec<JsonEdit>| Touched { leftovers, ..Touched::new(path, sign) };
    changes.push(Change::Cli(CliChange {
        program,
        calls: vec![
            words(&["plugin", "marketplace", "add", &tree.to_string_lossy()]),
            words(&["plugin", "install", FULL_NAME, "--scope", "user"]),
        ],
        undo: vec![
            words(&["plugin", "uninstall", FULL_NAME, "--scope", "user"]),
            words(&["plugin", "marketplace", "remove", NAME]),
        ],
        list: words(&["plugin", "list", "--json"]),
        touched: vec![
            touched(
                home.join("settings.json"),
                FULL_NAME,
                vec![
                    JsonEdit::dropping(&["enabledPlugins", FULL_NAME]),
                    JsonEdit::dropping(&["extraKnownMarketplaces", NAME]),
                ],
            ),
            touched(
                plugins.join("installed_plugins.json"),
                FULL_NAME,
                vec![JsonEdit::dropping(&["plugins", FULL_NAME]), JsonEdit::default(&["version"], json!(2))],
            ),
            touched(plugins.join("known_marketplaces.json"), "\"kenning\"", vec![JsonEdit::dropping(&[NAME])]),
        ],
        own_folders: vec![plugins.join("cache").join(NAME), plugins.join("data").join("kenning-kenning")],
        folders: vec![plugins.join("cache"), plugins.join("data"), plugins.join("marketplaces"), plugins],
    }));
    changes
}

/// Returns the arguments of a call.
pub(super) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

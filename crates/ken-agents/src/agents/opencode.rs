//! OpenCode: a plugin file, because it calls functions and not programs.

use std::path::PathBuf;

use super::{Agent, Site, program_or_folder};
use crate::budget::{Form, Kind, Layer, Only, Place, Server, Start, servers_in};
use crate::install::{Change, Scope};
use crate::machine::Machine;
use crate::refusal::Refusal;

const ADAPTER: &str = include_str!("opencode.js");

/// The agent.
pub(super) struct OpenCode;

impl Agent for OpenCode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn title(&self) -> &'static str {
        "OpenCode"
    }

    fn found(&self, machine: &Machine) -> Option<String> {
        program_or_folder(machine, "opencode", home(machine))
    }

    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal> {
        let folder = match &site.scope {
            Scope::User => home(site.machine),
            Scope::Project(folder) => folder.join(".opencode"),
        };
        let text = adapter(self.name(), ADAPTER, &self.command(site).unwrap_or_default());
        Ok(vec![Change::whole(folder.join("plugins").join("kenning.js"), text, false)])
    }

    fn layers(&self, start: &Start<'_>) -> Vec<Layer> {
        let both = [home(start.machine).join("AGENTS.md"), start.machine.home.join(".claude/CLAUDE.md")];
        let mut layers = vec![Layer::first(both.to_vec(), Form::Whole)];
        let project = start.project();
        let is_there = |name: &&str| project.iter().any(|folder| start.has(&folder.join(name)));
        if let Some(name) = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"].into_iter().find(is_there) {
            layers.extend(project.iter().map(|folder| Layer::instructions(folder.join(name), Form::Whole)));
        }
        for place in settings(start) {
            let settings = start.json(&place);
            let folder = place.parent().unwrap_or(&place);
            let named = settings["instructions"].as_array().into_iter().flatten().filter_map(|name| name.as_str());
            layers.extend(named.filter(|name| !name.contains("://")).map(|name| {
                let path = match name.strip_prefix("~/") {
                    Some(rest) => start.machine.home.join(rest),
                    None => folder.join(name),
                };
                Layer { kind: Kind::Rule, place: Place::Pattern(path), only: Only::All, form: Form::Whole }
            }));
        }
        layers
    }

    fn servers(&self, start: &Start<'_>) -> Vec<Server> {
        settings(start).iter().flat_map(|place| servers_in(&start.json(place)["mcp"], place)).collect()
    }
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("XDG_CONFIG_HOME", ".config").join("opencode")
}

/// Its settings, the nearest first.
fn settings(start: &Start<'_>) -> Vec<PathBuf> {
    let folders = start.project().into_iter().rev().chain([home(start.machine)]);
    folders.flat_map(|folder| ["opencode.json", "opencode.jsonc"].map(|name| folder.join(name))).collect()
}

/// What adapters share: a call of the hook that never throws and never takes long.
const TELL: &str = include_str!("tell.js");

/// Returns the adapter of an agent, with the command in it.
pub(super) fn adapter(agent: &str, own: &str, command: &str) -> String {
    let command = serde_json::to_string(command).expect("a text is JSON");
    let shared = TELL.replace("KEN_AGENT", agent).replace("\"KEN_COMMAND\"", &command);
    format!("{shared}\n{own}")
}

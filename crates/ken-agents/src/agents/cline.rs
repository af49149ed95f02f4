//! Cline: one small program an event.
//!
//! It calls hooks at the start and the end of a task and drops what they answer, so that Kenning reads
//! its sessions and hands it nothing but the block in `AGENTS.md`.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Agent, Site, program_or_folder};
use crate::budget::{Form, Layer, Only, Server, Shown, Start, servers_in};
use crate::install::{Change, Scope};
use crate::machine::Machine;
use crate::refusal::Refusal;

const EVENTS: [&str; 2] = ["TaskStart", "TaskComplete"];

/// The agent.
pub(super) struct Cline;

impl Agent for Cline {
    fn name(&self) -> &'static str {
        "cline"
    }

    fn title(&self) -> &'static str {
        "Cline"
    }

    fn found(&self, machine: &Machine) -> Option<String> {
        program_or_folder(machine, "cline", home(machine))
    }

    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal> {
        if cfg!(windows) {
            return Err(Refusal::new("Cline runs no hooks on Windows").hint("nothing of this agent was changed"));
        }
        let folder = match &site.scope {
            Scope::User => home(site.machine).join("hooks"),
            Scope::Project(folder) => folder.join(".clinerules").join("hooks"),
        };
        let command = self.command(site).unwrap_or_default();
        let text = format!(
            "#!/bin/sh\n# kenning: written by `ken install cline`, removed by `ken uninstall cline`.\n{command}\n"
        );
        Ok(EVENTS.iter().map(|event| Change::whole(folder.join(event), text.clone(), true)).collect())
    }

    fn received(&self, _: &Value) -> Option<String> {
        None
    }

    fn answer(&self, _: &str, text: &str) -> Value {
        json!({"cancel": false, "contextModification": text})
    }

    fn layers(&self, start: &Start<'_>) -> Vec<Layer> {
        let rules = |folder: PathBuf| Layer::rules(folder, ".md", Only::Everywhere("paths"), Form::Body);
        let mut layers = vec![rules(home(start.machine).join("rules"))];
        // One file of that name is the older form.
        let names = [".clinerules", "AGENTS.md"];
        layers.extend(names.map(|name| Layer::instructions(start.cwd.join(name), Form::Whole)));
        layers.push(rules(start.cwd.join(".clinerules")));
        layers
    }

    fn servers(&self, start: &Start<'_>) -> Vec<Server> {
        let place = home(start.machine).join("data/settings/cline_mcp_settings.json");
        servers_in(&start.json(&place)["mcpServers"], &place)
    }

    fn shown(&self) -> Shown {
        Shown { is_names_only: false, instructions_bytes_max: 0 }
    }
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("CLINE_DIR", ".cline")
}

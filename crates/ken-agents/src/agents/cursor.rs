//! Cursor: hooks in `hooks.json`, unless it finds ours in Claude Code's.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Agent, Site, is_in_claude, program_or_folder};
use crate::budget::{Form, Layer, Only, Server, Start, servers_in};
use crate::install::{Change, JsonEdit, Scope};
use crate::machine::Machine;
use crate::refusal::Refusal;

const EVENTS: [&str; 4] = ["sessionStart", "stop", "preCompact", "sessionEnd"];

/// The agent.
pub(super) struct Cursor;

impl Agent for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn title(&self) -> &'static str {
        "Cursor"
    }

    fn found(&self, machine: &Machine) -> Option<String> {
        program_or_folder(machine, "cursor", home(machine))
    }

    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal> {
        let folder = match &site.scope {
            Scope::User if is_in_claude(site) => {
                return Err(Refusal::new("Cursor runs the hooks of Claude Code, which has Kenning already")
                    .hint("nothing is missing; a second installation would run every hook twice"));
            }
            Scope::User => home(site.machine),
            Scope::Project(folder) => folder.join(".cursor"),
        };
        let hook = json!({"command": self.command(site).unwrap_or_default()});
        let mut edits = vec![JsonEdit::default(&["version"], json!(1))];
        edits.extend(EVENTS.iter().map(|event| JsonEdit::append(&["hooks", event], hook.clone())));
        Ok(vec![Change::json(folder.join("hooks.json"), edits, true)])
    }

    fn left(&self, _: &Site<'_>) -> Vec<String> {
        vec!["restart Cursor".to_owned()]
    }

    fn received(&self, printed: &Value) -> Option<String> {
        printed["additional_context"].as_str().map(str::to_owned).or_else(|| super::in_hook_output(printed))
    }

    fn answer(&self, _: &str, text: &str) -> Value {
        json!({"additional_context": text})
    }

    fn layers(&self, start: &Start<'_>) -> Vec<Layer> {
        let always = Only::With("alwaysApply", "true");
        let rules = |folder: PathBuf| Layer::rules(folder.join("rules"), ".mdc", always, Form::Body);
        let mut layers = vec![rules(home(start.machine))];
        for folder in start.project() {
            layers.push(rules(folder.join(".cursor")));
            layers
                .extend(["AGENTS.md", ".cursorrules"].map(|name| Layer::instructions(folder.join(name), Form::Whole)));
        }
        layers
    }

    fn servers(&self, start: &Start<'_>) -> Vec<Server> {
        let places = [start.root.join(".cursor/mcp.json"), home(start.machine).join("mcp.json")];
        places.iter().flat_map(|place| servers_in(&start.json(place)["mcpServers"], place)).collect()
    }
}

fn home(machine: &Machine) -> PathBuf {
    machine.home.join(".cursor")
}

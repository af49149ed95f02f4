//! Pi: an extension file, because it calls functions and not programs.

use std::path::PathBuf;

use super::opencode::adapter;
use super::{Agent, Site, program_or_folder};
use crate::budget::{Form, Layer, Start};
use crate::install::{Change, Scope};
use crate::machine::Machine;
use crate::refusal::Refusal;

const ADAPTER: &str = include_str!("pi.ts");

/// The agent.
pub(super) struct Pi;

impl Agent for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn title(&self) -> &'static str {
        "Pi"
    }

    fn found(&self, machine: &Machine) -> Option<String> {
        program_or_folder(machine, "pi", home(machine))
    }

    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal> {
        let folder = match &site.scope {
            Scope::User => home(site.machine),
            Scope::Project(folder) => folder.join(".pi"),
        };
        let text = adapter(self.name(), ADAPTER, &self.command(site).unwrap_or_default());
        Ok(vec![Change::whole(folder.join("extensions").join("kenning.ts"), text, false)])
    }

    fn layers(&self, start: &Start<'_>) -> Vec<Layer> {
        let folders = [home(start.machine)].into_iter().chain(start.all());
        let either = |folder: PathBuf| ["AGENTS.md", "CLAUDE.md"].map(|name| folder.join(name)).to_vec();
        folders.map(|folder| Layer::first(either(folder), Form::Whole)).collect()
    }
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("PI_CODING_AGENT_DIR", ".pi/agent")
}

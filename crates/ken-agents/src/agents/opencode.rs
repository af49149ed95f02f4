//! OpenCode: a plugin file, because it calls functions and not programs.

use std::path::PathBuf;

use super::{Agent, Site, program_or_folder};
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
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("XDG_CONFIG_HOME", ".config").join("opencode")
}

/// What adapters share: a call of the hook that never throws and never takes long.
const TELL: &str = include_str!("tell.js");

/// Returns the adapter of an agent, with the command in it.
pub(super) fn adapter(agent: &str, own: &str, command: &str) -> String {
    let command = serde_json::to_string(command).expect("a text is JSON");
    let shared = TELL.replace("KEN_AGENT", agent).replace("\"KEN_COMMAND\"", &command);
    format!("{shared}\n{own}")
}

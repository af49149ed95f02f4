//! Gemini CLI: hooks in `settings.json`, and in a policy what may be run without asking.
//!
//! Its event before compression comes with every call of the model, so it is left out.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Agent, Site, program_or_folder};
use crate::budget::{Form, Layer, Server, Start, servers_in};
use crate::command::ASKING;
use crate::install::{Change, JsonEdit, Scope};
use crate::machine::Machine;
use crate::plugin::SKILL;
use crate::refusal::Refusal;

const EVENTS: [&str; 3] = ["SessionStart", "AfterAgent", "SessionEnd"];
/// How deep imports are followed.
const HOPS_MAX: usize = 5;
/// This agent counts in milliseconds.
const TIMEOUT_MS: u32 = 10_000;
/// Below whatever a person says in rules and settings of their own, above what the CLI does by itself.
const PRIORITY: u32 = 1;

/// The agent.
pub(super) struct GeminiCli;

impl Agent for GeminiCli {
    fn name(&self) -> &'static str {
        "gemini-cli"
    }

    fn title(&self) -> &'static str {
        "Gemini CLI"
    }

    fn surroundings(&self) -> &'static [(&'static str, &'static str)] {
        &[("GEMINI_CLI", "1")]
    }

    fn found(&self, machine: &Machine) -> Option<String> {
        program_or_folder(machine, "gemini", home(machine))
    }

    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal> {
        let folder = match &site.scope {
            Scope::User => home(site.machine),
            Scope::Project(folder) => folder.join(".gemini"),
        };
        let command = self.command(site).unwrap_or_default();
        let hook = json!({"hooks": [
            {"type": "command", "name": "kenning", "command": command, "timeout": TIMEOUT_MS},
        ]});
        let hooks = EVENTS.iter().map(|event| JsonEdit::append(&["hooks", event], hook.clone()));
        let settings = folder.join("settings.json");
        let edits = hooks.chain(beside_own_commands(site, &settings)).collect();
        let settings = Change::json(settings, edits, false);
        // Its policies of projects are not read yet, and a team's agents read the block in its `GEMINI.md`.
        let own = match site.scope {
            Scope::User => {
                vec![policy(&folder), Change::whole(folder.join("skills/kenning/SKILL.md"), SKILL.to_owned(), false)]
            }
            Scope::Project(_) => Vec::new(),
        };
        Ok([settings].into_iter().chain(own).collect())
    }

    fn left(&self, site: &Site<'_>) -> Vec<String> {
        match site.scope {
            Scope::User => Vec::new(),
            Scope::Project(_) => {
                vec!["start `gemini` here and trust the folder; without that it runs no hook".to_owned()]
            }
        }
    }

    fn layers(&self, start: &Start<'_>) -> Vec<Layer> {
        let home = home(start.machine);
        let settings = [start.root.join(".gemini/settings.json"), home.join("settings.json")];
        // The older spelling is still read.
        let named = settings.iter().map(|place| start.json(place)).find_map(|settings| {
            let names = [&settings["context"]["fileName"], &settings["contextFileName"]];
            names.into_iter().find(|names| names.is_string() || names.is_array()).cloned()
        });
        let names: Vec<String> = match &named {
            Some(Value::String(name)) => vec![name.clone()],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => vec!["GEMINI.md".to_owned()],
        };
        let folders: Vec<PathBuf> = [home.clone()].into_iter().chain(start.project()).collect();
        let files =
            folders.into_iter().flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>());
        let files = files.map(|file| Layer::instructions(file, Form::LinkedInside(HOPS_MAX)));
        let skills = [home.join("skills"), start.root.join(".gemini/skills")].map(|folder| {
            // Nothing is said of a longest description.
            Layer::skills(folder, "SKILL.md", usize::MAX)
        });
        files.chain(skills).collect()
    }

    fn servers(&self, start: &Start<'_>) -> Vec<Server> {
        let places = [start.root.join(".gemini/settings.json"), home(start.machine).join("settings.json")];
        places.iter().flat_map(|place| servers_in(&start.json(place)["mcpServers"], place)).collect()
    }
}

/// What may be run without asking a person, in a file of its own.
fn policy(folder: &Path) -> Change {
    let allowed = ASKING.map(|name| format!("\"ken {name}\"")).join(", ");
    let text = format!(
        "# Kenning: commands that read the vault, or add a note to its journal.\n\
         [[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = [{allowed}]\n\
         decision = \"allow\"\npriority = {PRIORITY}\n"
    );
    Change::whole(folder.join("policies").join("kenning.toml"), text, false)
}

/// What a person's own list of commands is given, too.
///
/// The CLI denies every command that is not in such a list, whatever the policies say. So ours have to stand in
/// it, and where there is none, none may be made: a person's other commands would be denied from then on.
fn beside_own_commands(site: &Site<'_>, settings: &Path) -> Vec<JsonEdit> {
    let ours = ASKING.map(|name| format!("run_shell_command(ken {name})"));
    let settings = Start::new(site.machine, settings).json(settings);
    let mut listed = settings["tools"]["allowed"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let is_command = |text: &str| ["run_shell_command(", "ShellTool("].iter().any(|start| text.starts_with(start));
    let has_own = listed.any(|text| is_command(text) && !ours.iter().any(|our| our == text));
    let append = |our| JsonEdit::append(&["tools", "allowed"], Value::String(our));
    ours.into_iter().filter(|_| has_own).map(append).collect()
}

fn home(machine: &Machine) -> PathBuf {
    // Stands for the home folder, not for the one in it.
    machine.folder("GEMINI_CLI_HOME", "").join(".gemini")
}

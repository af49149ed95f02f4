//! Codex: a plugin through its own program, else `hooks.json`.
//!
//! Codex runs no hook before a person has approved it, and Kenning never approves for them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::claude_code::{DESCRIPTION_CHARS_MAX, words};
use super::{Agent, Site, program_or_folder};
use crate::budget::{Counting, Form, Layer, Server, Start, servers_in};
use crate::command::{self, ASKING, is_ours};
use crate::doctor::Check;
use crate::install::{Change, CliChange, JsonEdit, Scope, Touched, answered, read_file};
use crate::machine::Machine;
use crate::plugin::{self, FULL_NAME, NAME};
use crate::refusal::Refusal;

/// How long the program may take to list its hooks.
const LIST_WAIT: Duration = Duration::from_secs(10);
/// What of a project's instructions is loaded, of all files together.
const PROJECT_BYTES_MAX: usize = 32 * 1024;
const APPROVE: &str = "type `/hooks` and approve the hooks of Kenning";

/// The agent.
pub(super) struct Codex;

impl Agent for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn title(&self) -> &'static str {
        "Codex"
    }

    fn named(&self) -> Option<&'static str> {
        None
    }

    fn surroundings(&self) -> &'static [(&'static str, &'static str)] {
        &[("PLUGIN_ROOT", "/")]
    }

    fn found(&self, machine: &Machine) -> Option<String> {
        program_or_folder(machine, "codex", home(machine))
    }

    fn changes(&self, site: &Site<'_>) -> Result<Vec<Change>, Refusal> {
        Ok(match (&site.scope, site.machine.program("codex")) {
            (Scope::User, Some(program)) => through_program(site.machine, program),
            (Scope::User, None) => self.files(site, home(site.machine)),
            (Scope::Project(folder), _) => self.files(site, folder.join(".codex")),
        })
    }

    fn otherwise(&self, site: &Site<'_>) -> Vec<Change> {
        match (&site.scope, site.machine.program("codex")) {
            (Scope::User, Some(_)) => self.files(site, home(site.machine)),
            _ => Vec::new(),
        }
    }

    fn left(&self, site: &Site<'_>) -> Vec<String> {
        let where_to = match site.scope {
            Scope::User => "",
            Scope::Project(_) => " here, trust the folder",
        };
        vec![format!("start `codex`{where_to}, {APPROVE}; until then Codex runs none of them")]
    }

    fn checks(&self, site: &Site<'_>, is_deep: bool) -> Vec<Check> {
        let name = "hooks are approved";
        if !is_deep {
            return vec![match is_approved(site) {
                true => Check::good(name, "once; `ken doctor --deep` asks Codex whether that still holds"),
                false => Check::bad(
                    name,
                    "Codex runs none of the hooks before you approve them",
                    format!("start `codex`, {APPROVE}"),
                ),
            }];
        }
        let Some(program) = site.machine.program("codex") else { return Vec::new() };
        let folder = match &site.scope {
            Scope::User => site.machine.home.clone(),
            Scope::Project(folder) => folder.clone(),
        };
        vec![match listed(&program, &folder, site.machine) {
            Err(cause) => Check::bad(
                name,
                format!("`codex app-server` did not list hooks: {cause}"),
                format!("start `codex`, {APPROVE}"),
            ),
            Ok(hooks) => {
                let n_approved = hooks.iter().filter(|is_approved| **is_approved).count();
                let detail = format!("Codex counts {n_approved} of {}", hooks.len());
                match n_approved == hooks.len() && !hooks.is_empty() {
                    true => Check::good(name, detail),
                    false => Check::bad(name, detail, format!("start `codex`, {APPROVE}")),
                }
            }
        }]
    }

    fn layers(&self, start: &Start<'_>) -> Vec<Layer> {
        let home = home(start.machine);
        let settings = start.toml(&home.join("config.toml"));
        let bytes_max = settings["project_doc_max_bytes"].as_u64().and_then(|bytes| usize::try_from(bytes).ok());
        let form = Form::Within(bytes_max.unwrap_or(PROJECT_BYTES_MAX));
        let others =
            settings["project_doc_fallback_filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let names: Vec<&str> = ["AGENTS.override.md", "AGENTS.md"].into_iter().chain(others).collect();
        let mut layers = vec![Layer::first(names[..2].iter().map(|name| home.join(name)).collect(), Form::Whole)];
        let first = |folder: &PathBuf| Layer::first(names.iter().map(|name| folder.join(name)).collect(), form);
        layers.extend(start.project().iter().map(first));
        let folders = start.project().into_iter().map(|folder| folder.join(".agents/skills"));
        let folders = folders.chain([start.machine.home.join(".agents/skills"), home.join("skills")]);
        layers.extend(folders.map(|folder| Layer::skills(folder, "SKILL.md", DESCRIPTION_CHARS_MAX)));
        layers
    }

    fn servers(&self, start: &Start<'_>) -> Vec<Server> {
        let places = [start.root.join(".codex/config.toml"), home(start.machine).join("config.toml")];
        places.iter().flat_map(|place| servers_in(&start.toml(place)["mcp_servers"], place)).collect()
    }

    fn counting(&self) -> Counting {
        Counting::Public("o200k")
    }
}

impl Codex {
    fn files(&self, site: &Site<'_>, folder: PathBuf) -> Vec<Change> {
        vec![rules(&folder), self.hooks(site, folder)]
    }

    fn hooks(&self, site: &Site<'_>, folder: PathBuf) -> Change {
        // Outside of a plugin nothing tells the hook who calls.
        let command = match site.scope {
            Scope::User => command::own(&site.machine.exe, Some(self.name())),
            Scope::Project(_) => command::shared(Some(self.name())),
        };
        let hook = |event: &&str| JsonEdit::append(&["hooks", event], plugin::hook(&command, event));
        Change::json(folder.join("hooks.json"), plugin::EVENTS.iter().map(hook).collect(), true)
    }
}

/// What may be run without asking a person, in a file of its own.
fn rules(folder: &Path) -> Change {
    let allowed = ASKING.map(|name| format!("\"{name}\"")).join(", ");
    let text = format!(
        "# Kenning: commands that read the vault, or add a note to its journal.\n\
         prefix_rule(\n    pattern = [\"ken\", [{allowed}]],\n    decision = \"allow\",\n)\n"
    );
    Change::whole(folder.join("rules").join("kenning.rules"), text, false)
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("CODEX_HOME", ".codex")
}

fn through_program(machine: &Machine, program: PathBuf) -> Vec<Change> {
    let (tree, mut changes) = plugin::tree(machine);
    let home = home(machine);
    changes.push(rules(&home));
    let plugins = home.join("plugins");
    changes.push(Change::Cli(CliChange {
        program,
        calls: vec![
            words(&["plugin", "marketplace", "add", &tree.to_string_lossy()]),
            words(&["plugin", "add", FULL_NAME]),
        ],
        undo: vec![words(&["plugin", "remove", FULL_NAME]), words(&["plugin", "marketplace", "remove", NAME])],
        list: words(&["plugin", "list"]),
        touched: vec![Touched {
            // Approvals are of no use without the hooks that they are for.
            tables: format!("[hooks.state.\"{FULL_NAME}:"),
            ..Touched::new(home.join("config.toml"), format!("[plugins.\"{FULL_NAME}\"]"))
        }],
        own_folders: vec![plugins.join("cache").join(NAME), plugins.join("data").join("kenning-kenning")],
        folders: vec![
            plugins.join("cache"),
            plugins.join("data"),
            plugins,
            home.join(".tmp").join("marketplaces"),
            home.join(".tmp"),
        ],
    }));
    changes
}

/// Returns whether Codex's configuration knows an approval of our first hook, current or not.
fn is_approved(site: &Site<'_>) -> bool {
    let config = read_file(&home(site.machine).join("config.toml")).ok().flatten().unwrap_or_default();
    let mut names = vec![format!("{FULL_NAME}:hooks/hooks.json")];
    names.extend(match &site.scope {
        Scope::User => Some(home(site.machine).join("hooks.json").display().to_string()),
        Scope::Project(folder) => Some(folder.join(".codex/hooks.json").display().to_string()),
    });
    names.iter().any(|name| config.contains(&format!("{name}:session_start")))
}

/// Asks Codex itself which of our hooks are approved.
fn listed(program: &std::path::Path, folder: &std::path::Path, machine: &Machine) -> Result<Vec<bool>, String> {
    let asks = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
               "params": {"clientInfo": {"name": "kenning", "version": env!("CARGO_PKG_VERSION")}}}),
        json!({"jsonrpc": "2.0", "method": "initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "hooks/list", "params": {"cwds": [folder]}}),
    ];
    let input: String = asks.iter().map(|ask| format!("{ask}\n")).collect();
    let mut command = Command::new(program);
    command.arg("app-server").env("HOME", &machine.home);
    if folder.is_dir() {
        command.current_dir(folder);
    }
    let read = |line: &str| serde_json::from_str::<Value>(line).unwrap_or_default();
    let list = read(&answered(command, &input, LIST_WAIT, |line| read(line)["id"] == 2)?);
    let places = list["result"]["data"].as_array().ok_or("an answer of another form")?;
    let hooks = places.iter().filter_map(|place| place["hooks"].as_array()).flatten();
    let ours = hooks.filter(|hook| hook["command"].as_str().is_some_and(is_ours));
    Ok(ours.map(|hook| hook["trustStatus"] == "trusted" || hook["isManaged"] == true).collect())
}

//! Claude Code: a plugin through its own program, hooks in `settings.json` where there is none.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Agent, Site, program_or_folder};
use crate::budget::{Form, Kind, Layer, Only, Place, Server, Shown, Start, servers_in};
use crate::command::ASKING;
use crate::install::{Change, CliChange, JsonEdit, Scope, Touched};
use crate::machine::Machine;
use crate::plugin::{self, FULL_NAME, NAME};
use crate::refusal::Refusal;

/// How deep imports are followed.
const HOPS_MAX: usize = 4;
/// What of the memory is loaded.
const MEMORY_LINES_MAX: usize = 200;
const MEMORY_BYTES_MAX: usize = 25_000;
/// What of a skill is listed.
pub(super) const DESCRIPTION_CHARS_MAX: usize = 1536;
/// Longer names of folders are cut and get a digest that is not ours to know.
const FOLDER_CHARS_MAX: usize = 200;

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

    fn takes(&self) -> Vec<JsonEdit> {
        COMPILER_EVENTS.iter().map(|event| JsonEdit::take(&["hooks", event], COMPILER_HOOKS)).collect()
    }

    fn with_others_hooks(&self, site: &Site<'_>) -> Vec<PathBuf> {
        settings_of(site).into_iter().filter(|file| !hooks_of_compiler(file).is_empty()).collect()
    }

    fn left(&self, site: &Site<'_>) -> Vec<String> {
        let mut left = vec![match &site.scope {
            Scope::User => "sessions that run already: type `/reload-plugins`, or start a new one".to_owned(),
            Scope::Project(_) => "commit `.claude/settings.json`; each of the team needs `ken` installed".to_owned(),
        }];
        for file in settings_of(site).iter().filter(|_| !site.takes) {
            let names = hooks_of_compiler(file).join(", ");
            if !names.is_empty() {
                let shown = site.machine.shown(file);
                left.push(format!("the hooks of claude-memory-compiler in {shown} ({names}) write down each session, too: `ken install claude-code --replace-hooks` takes them out, and `ken uninstall` puts them back"));
            }
        }
        left
    }

    fn layers(&self, start: &Start<'_>) -> Vec<Layer> {
        let home = home(start.machine);
        let mut layers = vec![
            Layer { kind: Kind::Managed, ..Layer::instructions(managed(), Form::Linked(HOPS_MAX)) },
            Layer::instructions(home.join("CLAUDE.md"), Form::Linked(HOPS_MAX)),
            rules(home.join("rules")),
        ];
        let own =
            |folder: &PathBuf| ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"].map(|name| folder.join(name));
        let folders = start.all();
        let is_own = |file: &PathBuf| *file != home.join("CLAUDE.md") && start.has(file);
        let has_own = folders.iter().flat_map(own).any(|file| is_own(&file));
        for folder in &folders {
            let shared = ["AGENTS.md", ".claude/AGENTS.md"].map(|name| folder.join(name));
            let files = if has_own { own(folder).to_vec() } else { shared.to_vec() };
            layers.extend(files.into_iter().map(|file| Layer::instructions(file, Form::Linked(HOPS_MAX))));
            layers.push(rules(folder.join(".claude/rules")));
        }
        layers.extend(memory(start));
        let folders = folders.iter().map(|folder| folder.join(".claude")).chain([home]);
        for folder in folders.chain(plugins(start)) {
            layers.push(Layer::skills(folder.join("skills"), "SKILL.md", DESCRIPTION_CHARS_MAX));
            layers.push(Layer::skills(folder.join("agents"), ".md", DESCRIPTION_CHARS_MAX));
            layers.push(Layer::skills(folder.join("commands"), ".md", DESCRIPTION_CHARS_MAX));
        }
        layers
    }

    fn servers(&self, start: &Start<'_>) -> Vec<Server> {
        // Moved with the folder, beside it otherwise.
        let users = start.machine.folder("CLAUDE_CONFIG_DIR", "").join(".claude.json");
        let known = start.json(&users);
        let here = &known["projects"][start.root.to_string_lossy().as_ref()];
        let mut servers = servers_in(&here["mcpServers"], &users);
        for folder in start.project().iter().rev() {
            let place = folder.join(".mcp.json");
            servers.extend(servers_in(&start.json(&place)["mcpServers"], &place));
        }
        servers.extend(servers_in(&known["mcpServers"], &users));
        for place in plugins(start).iter().map(|folder| folder.join(".mcp.json")) {
            let settings = start.json(&place);
            let named = settings.get("mcpServers").unwrap_or(&settings);
            servers.extend(servers_in(named, &place));
        }
        let is_off = |server: &Server| {
            let lists = ["disabledMcpServers", "disabledMcpjsonServers"].map(|key| here[key].as_array());
            lists.into_iter().flatten().flatten().any(|name| *name == server.name.as_str())
        };
        servers.retain(|server| !is_off(server));
        servers
    }

    fn shown(&self) -> Shown {
        Shown { is_names_only: true, instructions_bytes_max: 2048 }
    }
}

impl ClaudeCode {
    fn settings(&self, site: &Site<'_>, folder: PathBuf) -> Change {
        let command = self.command(site).unwrap_or_default();
        let hook = |event: &&str| JsonEdit::append(&["hooks", event], plugin::hook(&command, event));
        settings_with(folder, plugin::EVENTS.iter().map(hook).chain(permissions()).collect())
    }
}

/// Claude Code ignores a settings file with comments in it.
fn settings_with(folder: PathBuf, edits: Vec<JsonEdit>) -> Change {
    Change::json(folder.join("settings.json"), edits, true)
}

/// Hooks of claude-memory-compiler: each session would be written down twice, and two compilers write to one wiki.
const COMPILER_HOOKS: &[&str] = &["hooks/session-start.py", "hooks/session-end.py", "hooks/pre-compact.py"];
/// Larger settings are nobody's.
const SETTINGS_BYTES_MAX: u64 = 1 << 20;

/// The events that they are hooks of.
const COMPILER_EVENTS: &[&str] = &["SessionStart", "SessionEnd", "PreCompact"];

/// The settings that sessions read there: the user's, and those of the folder.
fn settings_of(site: &Site<'_>) -> Vec<PathBuf> {
    let of_folder =
        |folder: &Path| ["settings.json", "settings.local.json"].map(|name| folder.join(".claude").join(name));
    let mut files = match &site.scope {
        Scope::User => vec![home(site.machine).join("settings.json")],
        Scope::Project(folder) => of_folder(folder).to_vec(),
    };
    files.extend(site.vault.iter().flat_map(|vault| of_folder(vault)));
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(file.clone()));
    files
}

/// The hooks of that tool which settings have.
fn hooks_of_compiler(settings: &Path) -> Vec<String> {
    let is_small = std::fs::metadata(settings).is_ok_and(|data| data.is_file() && data.len() <= SETTINGS_BYTES_MAX);
    let text = is_small.then(|| std::fs::read_to_string(settings).ok()).flatten().unwrap_or_default();
    COMPILER_HOOKS.iter().filter(|hook| text.contains(**hook)).map(|hook| format!("`{hook}`")).collect()
}

/// What may be run without asking a person.
fn permissions() -> impl Iterator<Item = JsonEdit> {
    let allow = |name: &str| JsonEdit::append(&["permissions", "allow"], json!(format!("Bash(ken {name}:*)")));
    ASKING.into_iter().map(allow)
}

fn home(machine: &Machine) -> PathBuf {
    machine.folder("CLAUDE_CONFIG_DIR", ".claude")
}

/// What an administrator gives to everybody on the machine.
fn managed() -> PathBuf {
    PathBuf::from(match () {
        () if cfg!(target_os = "macos") => "/Library/Application Support/ClaudeCode/CLAUDE.md",
        () if cfg!(windows) => "C:/Program Files/ClaudeCode/CLAUDE.md",
        () => "/etc/claude-code/CLAUDE.md",
    })
}

/// Rules with paths wait for a file that fits.
fn rules(folder: PathBuf) -> Layer {
    Layer::rules(folder, ".md", Only::Everywhere("paths"), Form::Linked(HOPS_MAX))
}

/// The index of what it kept of earlier sessions, one a repository.
fn memory(start: &Start<'_>) -> Option<Layer> {
    let home = home(start.machine);
    let settings = start.json(&home.join("settings.json"));
    if settings["autoMemoryEnabled"] == false || start.machine.variable("CLAUDE_CODE_DISABLE_AUTO_MEMORY") == Some("1")
    {
        return None;
    }
    let root = start.root.to_string_lossy();
    let name: String = root.chars().map(|ch| if ch.is_ascii_alphanumeric() { ch } else { '-' }).collect();
    let folder = match settings["autoMemoryDirectory"].as_str() {
        Some(folder) => start.machine.home.join(folder.trim_start_matches("~/")),
        None if name.len() > FOLDER_CHARS_MAX => return None,
        None => home.join("projects").join(name).join("memory"),
    };
    let form = Form::Head(MEMORY_LINES_MAX, MEMORY_BYTES_MAX);
    Some(Layer { kind: Kind::Memory, place: Place::First(vec![folder.join("MEMORY.md")]), only: Only::All, form })
}

/// The folders of plugins that are switched on here.
fn plugins(start: &Start<'_>) -> Vec<PathBuf> {
    let home = home(start.machine);
    let places = [start.root.join(".claude/settings.local.json"), start.root.join(".claude/settings.json")];
    let settings: Vec<Value> =
        places.into_iter().chain([home.join("settings.json")]).map(|place| start.json(&place)).collect();
    let is_on =
        |name: &str| settings.iter().find_map(|settings| settings["enabledPlugins"][name].as_bool()) == Some(true);
    let is_here = |place: &&Value| place["projectPath"].as_str().is_none_or(|folder| start.cwd.starts_with(folder));
    let known = start.json(&home.join("plugins/installed_plugins.json"));
    let known = known["plugins"].as_object().into_iter().flatten().filter(|(name, _)| is_on(name));
    let places = known.filter_map(|(_, places)| places.as_array()?.iter().find(is_here));
    places.filter_map(|place| place["installPath"].as_str().map(PathBuf::from)).collect()
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
    // A plugin cannot bring permissions.
    changes.push(settings_with(home, permissions().collect()));
    changes
}

/// Returns the arguments of a call.
pub(super) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

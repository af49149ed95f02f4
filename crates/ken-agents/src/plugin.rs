//! The plugin: one folder in the format of Claude Code, which Codex and Copilot read unchanged.
//!
//! The agents' own programs are pointed at it. Its place holds version and digest, so that another
//! version is another folder and an agent never sees half of one.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::command;
use crate::install::{Change, PLUGIN, digest};
use crate::machine::Machine;

/// How agents name the plugin: plugin and marketplace are both called so.
pub(crate) const NAME: &str = "kenning";
/// Plugin and marketplace as the agents' programs take them.
pub(crate) const FULL_NAME: &str = "kenning@kenning";
/// What an agent reads when the memory is asked for, kept or compiled.
pub(crate) const SKILL: &str = include_str!("skill.md");
/// Long enough for a slow disk; the hook itself answers in a fraction of a second.
const TIMEOUT_S: u32 = 10;
/// Codex allows no more at the end of a session and warns about it, Claude Code allows less.
const TIMEOUT_AT_END_S: u32 = 3;
/// What wakes Kenning up. Events of every prompt and tool are left out, as transcripts have them.
pub(crate) const EVENTS: [&str; 4] = ["SessionStart", "Stop", "PreCompact", "SessionEnd"];

/// Returns the folder of the plugin and the files in it.
pub(crate) fn tree(machine: &Machine) -> (PathBuf, Vec<Change>) {
    let command = command::own(&machine.exe, None);
    let version = env!("CARGO_PKG_VERSION");
    let description = "Keeps what sessions find out as a wiki, and hands each session what it needs of it.";
    let market = json!({
        "name": NAME,
        "owner": {"name": "Kenning"},
        "description": description,
        "plugins": [{"name": NAME, "source": "./kenning", "description": description}],
    });
    let plugin = json!({
        "name": NAME, "version": version, "description": description, "author": {"name": "Kenning"},
    });
    let files = [
        (".claude-plugin/marketplace.json", pretty(&market)),
        ("kenning/.claude-plugin/plugin.json", pretty(&plugin)),
        ("kenning/hooks/hooks.json", pretty(&json!({ "hooks": hooks(&command) }))),
        ("kenning/skills/kenning/SKILL.md", SKILL.to_owned()),
    ];
    let all: String = files.iter().map(|(name, text)| format!("{name}\n{text}")).collect();
    let folder = machine.data().join(PLUGIN).join(format!("{version}-{}", &digest(&all)[..8]));
    let changes = files.into_iter().map(|(name, text)| Change::whole(folder.join(name), text, false)).collect();
    (folder, changes)
}

/// Returns the hooks in Claude's form, by event.
pub(crate) fn hooks(command: &str) -> Value {
    EVENTS.iter().map(|event| (event.to_string(), json!([hook(command, event)]))).collect()
}

/// Returns the hook of one event in Claude's form.
pub(crate) fn hook(command: &str, event: &str) -> Value {
    let timeout = if event == "SessionEnd" { TIMEOUT_AT_END_S } else { TIMEOUT_S };
    json!({"hooks": [{"type": "command", "command": command, "timeout": timeout}]})
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a value made here is JSON") + "\n"
}

//! Whether what was installed still works, found out by doing what an agent would do.
//!
//! The hook that the agent's configuration names is run as the agent runs it: through a shell, with a
//! bare environment and a session's first event on standard input. What comes back is read as the
//! agent reads it.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::agents::{AGENTS, Agent, Site, by_name};
use crate::command::{self, is_ours};
use crate::install::{Change, Edit, JsonEdit, Record, Scope, Spoken, call, is_made, is_program, read_receipt, spoken};
use crate::machine::Machine;
use crate::plugin;

/// Agents give up on a hook after ten seconds at the earliest.
const REPLAY_WAIT: Duration = Duration::from_secs(10);
/// A hook that takes longer is noticed by a person.
const SLOW_MS: u128 = 1000;
/// The session that a replay pretends to be.
pub const REPLAY_SESSION: &str = "ken-doctor";

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// Whether it is as it should be.
    pub is_ok: bool,
    /// What was found.
    pub detail: String,
    /// What repairs it; a command or a statement.
    pub fix: Option<String>,
}

impl Check {
    /// Returns a check that found nothing wrong.
    pub fn good(name: impl Into<String>, detail: impl Into<String>) -> Check {
        Check { name: name.into(), is_ok: true, detail: detail.into(), fix: None }
    }

    /// Returns a check that found something wrong, and what repairs it.
    pub fn bad(name: impl Into<String>, detail: impl Into<String>, fix: impl Into<String>) -> Check {
        Check { name: name.into(), is_ok: false, detail: detail.into(), fix: Some(fix.into()) }
    }
}

/// Returns all checks of this machine, those of `extra` last.
pub fn checks(machine: &Machine, cwd: &Path, is_deep: bool, extra: Vec<Check>) -> Vec<Check> {
    let mut checks = vec![program(machine)];
    let receipt = match read_receipt(machine) {
        Ok(receipt) => receipt,
        Err(refusal) => {
            let fix = refusal.hints.first().cloned().unwrap_or_default();
            checks.push(Check::bad("record of installing", refusal.to_string(), fix));
            None
        }
    };
    let records = receipt.map(|receipt| receipt.installed).unwrap_or_default();
    for record in &records {
        if let Some(agent) = by_name(&record.agent) {
            let site = Site { machine, scope: record.scope.clone(), vault: None, along: Vec::new(), takes: false };
            checks.extend(of_record(agent, record, &site, cwd, is_deep));
        }
    }
    checks.extend(twice(machine, &records, cwd));
    checks.extend(not_installed(machine, &records));
    checks.extend(extra);
    checks
}

/// How the finding ends that a hook's command names no program.
const NOT_THERE: &str = " is not there";

fn program(machine: &Machine) -> Check {
    let (name, version) = ("ken", env!("CARGO_PKG_VERSION"));
    let shown = machine.shown(&machine.exe);
    match machine.program("ken") {
        Some(found) if same_file(&found, &machine.exe) => Check::good(name, format!("{version}, {shown}")),
        Some(found) => Check::bad(
            name,
            format!("this is {shown}, but `ken` on the search path is {}", machine.shown(&found)),
            "remove the one you do not want",
        ),
        None => Check::good(name, format!("{version}, {shown}; not on the search path, hooks name it in full")),
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    real(a) == real(b)
}

fn of_record(agent: &dyn Agent, record: &Record, site: &Site<'_>, cwd: &Path, is_deep: bool) -> Vec<Check> {
    let label = label(agent, &record.scope);
    let fix = command_line(agent, &record.scope);
    let mut checks = vec![in_place(&label, record, site.machine, &fix)];
    let commands: Vec<String> = record.steps.iter().filter_map(|step| command_of(&step.change)).collect();
    let command = commands.first().cloned().or_else(|| agent.command(site));
    if let Some(command) = command {
        let program = program_of(&label, &command, site.machine, &fix);
        // A command that is not there was named; that it cannot be run says nothing more.
        let can_run = !program.detail.ends_with(NOT_THERE);
        checks.push(program);
        let folder = match &record.scope {
            Scope::User => cwd.to_owned(),
            Scope::Project(folder) => folder.clone(),
        };
        checks.extend(can_run.then(|| replay(agent, &label, &command, &folder, site.machine)));
    }
    if is_deep {
        checks.extend(record.steps.iter().filter_map(|step| listing(&label, &step.change, site.machine, &fix)));
    }
    checks.extend(
        agent
            .checks(site, is_deep)
            .into_iter()
            .map(|check| Check { name: format!("{label}: {}", check.name), ..check }),
    );
    checks
}

fn label(agent: &dyn Agent, scope: &Scope) -> String {
    match scope {
        Scope::User => agent.name().to_owned(),
        Scope::Project(folder) => format!("{} in {}", agent.name(), folder.display()),
    }
}

fn command_line(agent: &dyn Agent, scope: &Scope) -> String {
    match scope {
        Scope::User => format!("ken install {}", agent.name()),
        Scope::Project(folder) => {
            format!("cd {} && ken install {} --project", command::quoted(&folder.to_string_lossy()), agent.name())
        }
    }
}

fn in_place(label: &str, record: &Record, machine: &Machine, fix: &str) -> Check {
    let name = format!("{label}: in place");
    if record.steps.iter().any(|step| !step.is_done) {
        return Check::bad(name, "the installation was cut off", fix);
    }
    let gone: Vec<String> =
        record.steps.iter().filter(|step| !is_made(&step.change)).map(|step| place_of(&step.change, machine)).collect();
    match gone.is_empty() {
        true => Check::good(name, "everything that was installed is there"),
        false => Check::bad(name, format!("gone or changed: {}", gone.join(", ")), fix),
    }
}

/// Asks an agent's own program whether it lists the plugin.
fn listing(label: &str, change: &Change, machine: &Machine, fix: &str) -> Option<Check> {
    let Change::Cli(cli) = change else { return None };
    let program = cli.program.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("{label}: `{program} {}`", cli.list.join(" "));
    Some(match call(&cli.program, &cli.list, machine) {
        Ok(listed) if listed.contains(plugin::FULL_NAME) => Check::good(name, "lists the plugin"),
        Ok(_) => Check::bad(name, "does not list the plugin", format!("ken uninstall {label} && {fix}")),
        Err(refusal) => Check::bad(name, refusal.to_string(), format!("repair `{program}` first")),
    })
}

fn place_of(change: &Change, machine: &Machine) -> String {
    match change {
        Change::File(file) => machine.shown(&file.path),
        Change::Cli(cli) => {
            format!("the plugin of `{}`", cli.program.file_name().unwrap_or_default().to_string_lossy())
        }
    }
}

fn program_of(label: &str, command: &str, machine: &Machine, fix: &str) -> Check {
    let name = format!("{label}: command");
    if !command.contains(machine.exe.to_string_lossy().as_ref()) && !command.starts_with("PATH=") {
        let words = command.split(['\'', '"']).find(|word| word.contains("ken")).unwrap_or(command);
        let program = PathBuf::from(words.trim_end_matches(" hook").split(" hook ").next().unwrap_or(words));
        return match is_program(&program) {
            true => Check::bad(name, format!("{} is another `ken` than this one", machine.shown(&program)), fix),
            false => Check::bad(name, format!("{}{NOT_THERE}", machine.shown(&program)), fix),
        };
    }
    match command.starts_with("PATH=") || is_program(&machine.exe) {
        true => Check::good(name, command),
        false => Check::bad(name, format!("{} may not be run", machine.shown(&machine.exe)), fix),
    }
}

/// Runs the hook as the agent does and says what its model would get.
fn replay(agent: &dyn Agent, label: &str, hook: &str, folder: &Path, machine: &Machine) -> Check {
    let name = format!("{label}: hook replay");
    let fix = format!("run it by hand: echo '{{\"hook_event_name\":\"SessionStart\"}}' | {hook}");
    let answer = match run(agent, hook, folder, machine) {
        Ok(answer) => answer,
        Err(cause) => return Check::bad(name, format!("`{hook}`: {cause}"), fix),
    };
    let took = format!("{} ms", answer.took_ms);
    if !answer.is_success {
        let words = answer.err.trim().lines().last().unwrap_or("it ended with an error").to_owned();
        return Check::bad(name, format!("`{hook}` ended with an error: {words}"), fix);
    }
    if answer.took_ms > SLOW_MS {
        return Check::bad(name, format!("`{hook}` took {took}; every session waits for it"), "ken status");
    }
    if answer.out.trim().is_empty() {
        return Check::good(name, format!("{took}; the model receives nothing"));
    }
    let Ok(printed) = serde_json::from_str::<Value>(&answer.out) else {
        return Check::bad(name, format!("`{hook}` printed something other than JSON"), fix);
    };
    match agent.received(&printed) {
        Some(text) => Check::good(name, format!("{took}; the model receives:\n{text}")),
        None => Check::good(name, format!("{took}; the model receives nothing")),
    }
}

fn run(agent: &dyn Agent, hook: &str, folder: &Path, machine: &Machine) -> Result<Spoken, String> {
    let payload = json!({
        "session_id": REPLAY_SESSION, "transcript_path": "", "cwd": folder,
        "hook_event_name": "SessionStart", "source": "startup", "agent": agent.name(),
    });
    let mut command = match cfg!(windows) {
        true => Command::new("cmd"),
        false => Command::new("/bin/sh"),
    };
    command.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(hook).env_clear();
    command.env("HOME", &machine.home).env("PATH", "/usr/bin:/bin").envs(agent.surroundings().iter().copied());
    if folder.is_dir() {
        command.current_dir(folder);
    }
    spoken(command, &payload.to_string(), REPLAY_WAIT)
}

/// Returns the `ken hook` command in a change.
fn command_of(change: &Change) -> Option<String> {
    let Change::File(file) = change else { return None };
    match &file.edit {
        Edit::Json { edits, .. } => edits.iter().find_map(|edit| match edit {
            JsonEdit::Append { value, .. } => in_value(value),
            _ => None,
        }),
        Edit::Whole { text, .. } => match serde_json::from_str::<Value>(text) {
            Ok(value) => in_value(&value),
            Err(_) => text.lines().find_map(|line| match line.strip_prefix("const COMMAND = ") {
                Some(quoted) => serde_json::from_str(quoted.trim_end_matches(';')).ok(),
                None => (is_ours(line) && !line.starts_with(['#', ' '])).then(|| line.to_owned()),
            }),
        },
        Edit::Block { .. } => None,
    }
}

fn in_value(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => is_ours(text).then(|| text.clone()),
        Value::Array(list) => list.iter().find_map(in_value),
        Value::Object(object) => object.values().find_map(in_value),
        _ => None,
    }
}

/// An agent with hooks of the user and of the working folder runs both.
fn twice(machine: &Machine, records: &[Record], cwd: &Path) -> Vec<Check> {
    let users = records.iter().filter(|record| record.scope == Scope::User);
    let agents = users.filter_map(|record| by_name(&record.agent));
    let both = agents.filter(|agent| {
        let site =
            Site { machine, scope: Scope::Project(cwd.to_owned()), vault: None, along: Vec::new(), takes: false };
        let changes = agent.changes(&site).unwrap_or_default();
        cwd != machine.home && !changes.is_empty() && changes.iter().all(is_made)
    });
    both.map(|agent| {
        let detail = "for you and in this folder; both hooks of a session run, and its text can arrive twice";
        Check::bad(
            format!("{}: installed twice", agent.name()),
            detail,
            format!("ken uninstall {} --user", agent.name()),
        )
    })
    .collect()
}

fn not_installed(machine: &Machine, records: &[Record]) -> Vec<Check> {
    let is_installed = |name: &str| records.iter().any(|record| record.agent == name);
    AGENTS
        .iter()
        .filter(|agent| !agent.is_extra() && !is_installed(agent.name()))
        .filter_map(|agent| {
            let place = agent.found(machine)?;
            let detail = format!("found ({place}), Kenning is not installed; `ken install {}` does it", agent.name());
            Some(Check::good(agent.name(), detail))
        })
        .collect()
}

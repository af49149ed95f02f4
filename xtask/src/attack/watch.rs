//! Watching a program from outside: what it starts, what it opens, what it changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::arena::{Arena, changed, ended, files, write};

/// Programs that a vault would like to have started; each leaves a line when it is.
const TRAPS: &[&str] = &[
    "git", "sh", "bash", "env", "cat", "less", "vi", "editor", "python3", "python", "perl", "node", "npx", "curl",
    "wget", "ssh", "gpg", "xdg-open", "claude", "codex", "gemini", "evil",
];

/// What of the machine a program needs to run at all.
const SYSTEM: &[&str] =
    &["/lib", "/lib64", "/usr/lib", "/usr/share/zoneinfo", "/etc/ld.so", "/etc/localtime", "/proc", "/sys", "/dev"];

/// An arena under watch.
pub(super) struct Watch<'a> {
    arena: &'a Arena,
    trace: PathBuf,
    strace: Option<PathBuf>,
    before: BTreeMap<PathBuf, u64>,
}

impl<'a> Watch<'a> {
    /// Sets the traps and remembers what stands where.
    pub(super) fn new(arena: &'a Arena, with_strace: bool) -> Result<Watch<'a>, String> {
        let trace = arena.dir().join("started");
        for name in TRAPS {
            let program = arena.bin().join(name);
            write(&program, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n", trace.display()).as_bytes())?;
            make_executable(&program)?;
        }
        let strace = with_strace.then(|| program("strace")).flatten();
        Ok(Watch { arena, trace, strace, before: files(arena.dir()) })
    }

    /// Returns whether opened files and started programs are seen one by one.
    pub(super) fn is_traced(&self) -> bool {
        self.strace.is_some()
    }

    /// Runs a command and returns what it did that it must not, with its standard output.
    pub(super) fn run(&self, command: Command, named: &str) -> (Vec<String>, String) {
        let log = self.arena.dir().join("strace");
        let command = match &self.strace {
            Some(strace) => traced(strace, &log, command),
            None => command,
        };
        let mut found = Vec::new();
        let mut said = String::new();
        match ended(command) {
            Ok(output) => {
                said = String::from_utf8_lossy(&output.stdout).into_owned();
                match output.status.code() {
                    Some(70) => found.push(format!("panic: {}", String::from_utf8_lossy(&output.stderr).trim())),
                    Some(_) => {}
                    None => found.push("ended by a signal".to_owned()),
                }
            }
            Err(why) => found.push(why),
        }
        let started = fs::read_to_string(&self.trace).unwrap_or_default();
        found.extend(started.lines().map(|line| format!("started {line}")));
        let _ = fs::remove_file(&self.trace);
        if let Ok(log) = fs::read(&log) {
            found.extend(self.calls(&String::from_utf8_lossy(&log)));
            let _ = fs::remove_file(self.arena.dir().join("strace"));
        }
        (found.into_iter().map(|what| format!("`{named}`: {what}")).collect(), said)
    }

    /// Returns the files that changed outside the vault's folders since the watch began.
    pub(super) fn changes(&self) -> Vec<String> {
        let vault = self.arena.vault();
        let own = [self.arena.home().join(".local/state/kenning"), self.arena.dir().join("attacker")];
        let folders = ["knowledge", "daily", "raw", "memory-bank", "reports"].map(|name| vault.join(name));
        let tool = vault.join(".kenning");
        let is_allowed = |path: &PathBuf| {
            own.iter().chain(&folders).any(|folder| path.starts_with(folder))
                || path.starts_with(&tool)
                // A prepared configuration may say that pages stand here.
                || path.starts_with(vault.join("src")) && path.extension().is_some_and(|extension| extension == "md")
                || *path == self.trace
                || path.file_name().is_some_and(|name| name == "strace")
        };
        let all = changed(&self.before, &files(self.arena.dir()));
        all.iter().filter(|path| !is_allowed(path)).map(|path| format!("changed {}", self.shown(path))).collect()
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(self.arena.dir()).unwrap_or(path).display().to_string()
    }

    /// What in a log of system calls must not be.
    fn calls(&self, log: &str) -> Vec<String> {
        let mut found = Vec::new();
        let ken = self.arena.ken(&[]).get_program().to_owned();
        for line in log.lines() {
            let Some((call, path)) = call_of(line) else { continue };
            let path = if path.is_absolute() { path } else { self.arena.vault().join(path) };
            if call == "execve" {
                if path.as_os_str() != ken {
                    found.push(format!("started {}", path.display()));
                }
            } else if !self.may_open(&path) {
                found.push(format!("opened {}", self.shown(&path)));
            }
        }
        found.sort();
        found.dedup();
        found
    }

    fn may_open(&self, path: &Path) -> bool {
        let text = path.to_string_lossy();
        let is_system = SYSTEM.iter().any(|place| text.starts_with(place));
        let outside = self.arena.outside();
        let in_arena = path.starts_with(self.arena.dir()) && !path.starts_with(&outside);
        is_system || in_arena || path.starts_with(std::env::temp_dir().join("ken-")) || self.is_above(path)
    }

    /// A vault is looked for upwards, with a look at each folder.
    fn is_above(&self, path: &Path) -> bool {
        self.arena.dir().starts_with(path)
    }
}

/// The call of a line of `strace` that succeeded, and the first path it names.
fn call_of(line: &str) -> Option<(&str, PathBuf)> {
    let line = line.trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == ' ');
    let (call, rest) = line.split_once('(')?;
    if !["execve", "open", "openat", "openat2", "creat"].contains(&call) || rest.contains("= -1 ") {
        return None;
    }
    let path = rest.split('"').nth(1)?;
    Some((call, PathBuf::from(path)))
}

fn traced(strace: &Path, log: &Path, command: Command) -> Command {
    let mut traced = Command::new(strace);
    traced.args(["-f", "-qq", "-e", "trace=execve,open,openat,openat2,creat", "-e", "signal=none", "-o"]).arg(log);
    traced.arg(command.get_program()).args(command.get_args());
    traced.env_clear();
    traced.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        traced.current_dir(folder);
    }
    traced.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    traced
}

/// Returns the place of a program on this machine.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|place| place.is_file())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(|err| err.to_string())
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), String> {
    Ok(())
}

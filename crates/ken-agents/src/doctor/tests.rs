//! What a replay shows, with a shell script in place of the binary.

use std::fs;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::agents::plan;
use crate::install::{install, uninstall};

struct Bench {
    _dir: TempDir,
    machine: Machine,
}

impl Bench {
    /// A machine on which `ken hook` is this script, in a folder with a space in its name.
    fn new(script: &str) -> Bench {
        let dir = TempDir::new().expect("the machine has a folder for temporary files");
        let home = dir.path().canonicalize().expect("it was just made");
        let exe = home.join("my tools/ken");
        fs::create_dir_all(home.join("my tools")).expect("a new folder");
        fs::create_dir_all(home.join(".gemini")).expect("a new folder");
        fs::write(&exe, format!("#!/bin/sh\n{script}\n")).expect("a new file");
        executable(&exe);
        Bench { machine: Machine { exe, home, ..Machine::default() }, _dir: dir }
    }

    fn install(&self, agent: &str, scope: Scope) {
        let agent = by_name(agent).expect("it is known");
        let site = Site { machine: &self.machine, scope, vault: None, along: Vec::new(), takes: false };
        let plan = plan(agent, &site).expect("it can be installed");
        install(&plan, &self.machine, Duration::from_secs(5)).expect("it installs");
    }

    fn check(&self, name: &str) -> Check {
        let checks = checks(&self.machine, &self.machine.home, false, Vec::new());
        let found = checks.iter().find(|check| check.name.ends_with(name));
        found.unwrap_or_else(|| panic!("no check {name} in {checks:#?}")).clone()
    }
}

#[cfg(unix)]
fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[cfg(not(unix))]
fn executable(_: &Path) {}

const ANSWER: &str = r#"cat >/dev/null; echo '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"Twelve pages."}}'"#;

#[cfg(unix)]
#[test]
fn a_replay_shows_what_the_model_gets() {
    let bench = Bench::new(ANSWER);
    for agent in ["gemini-cli", "claude-code", "opencode", "pi"] {
        bench.install(agent, Scope::User);
        let check = bench.check(&format!("{agent}: hook replay"));
        assert!(check.is_ok && check.detail.ends_with("the model receives:\nTwelve pages."), "{check:?}");
    }
    bench.install("cline", Scope::User);
    assert!(bench.check("cline: hook replay").detail.ends_with("the model receives nothing"));
    let all = checks(&bench.machine, &bench.machine.home, false, vec![Check::good("vault", "fine")]);
    assert!(all.iter().all(|check| check.is_ok), "{all:#?}");
    assert_eq!(all.last().map(|check| check.name.as_str()), Some("vault"));
}

#[cfg(unix)]
#[test]
fn a_hook_sees_what_an_agent_gives_it_and_no_more() {
    let bench = Bench::new(
        r#"in=$(cat); case "$*-$GEMINI_CLI-$SHELL-$in" in "hook --agent gemini-cli-1--"*'"hook_event_name":"SessionStart"'*) exit 0;; esac; exit 1"#,
    );
    bench.install("gemini-cli", Scope::User);
    let check = bench.check("hook replay");
    assert!(check.is_ok && check.detail.ends_with("the model receives nothing"), "{check:?}");
}

#[cfg(unix)]
#[test]
fn a_dead_hook_is_found_and_the_repair_named() {
    let bench = Bench::new("echo oh no >&2; exit 3");
    bench.install("gemini-cli", Scope::User);
    let check = bench.check("hook replay");
    assert!(!check.is_ok && check.detail.ends_with("ended with an error: oh no"), "{check:?}");

    let bench = Bench::new("echo hello");
    bench.install("gemini-cli", Scope::User);
    assert!(bench.check("hook replay").detail.ends_with("printed something other than JSON"));

    let mut bench = Bench::new(ANSWER);
    bench.install("gemini-cli", Scope::User);
    bench.machine.exe = bench.machine.home.join("bin/ken");
    let check = bench.check("gemini-cli: command");
    assert_eq!((check.is_ok, check.fix.as_deref()), (false, Some("ken install gemini-cli")));
    assert!(check.detail.contains("~/my tools/ken is another `ken`"), "{check:?}");
    fs::remove_file(bench.machine.home.join("my tools/ken")).expect("it is there");
    assert!(bench.check("gemini-cli: command").detail.ends_with("my tools/ken is not there"));
    let all = checks(&bench.machine, &bench.machine.home, false, Vec::new());
    assert!(!all.iter().any(|check| check.name.ends_with("hook replay")), "one cause, one finding: {all:#?}");
}

#[cfg(unix)]
#[test]
fn entries_that_somebody_removed_are_missed() {
    let bench = Bench::new(ANSWER);
    bench.install("gemini-cli", Scope::User);
    fs::write(bench.machine.home.join(".gemini/settings.json"), "{}").expect("it may be written");
    let check = bench.check("in place");
    assert_eq!((check.is_ok, check.detail.as_str()), (false, "gone or changed: ~/.gemini/settings.json"));
    uninstall(&bench.machine, &|_, _| true, false, Duration::from_secs(5)).expect("it goes");
    assert!(!bench.machine.data().exists());
}

#[test]
fn hooks_that_nobody_approved_are_named() {
    let bench = Bench::new(ANSWER);
    bench.install("codex", Scope::User);
    let check = bench.check("hooks are approved");
    assert!(!check.is_ok && check.fix.is_some_and(|fix| fix.contains("/hooks")));
    let key = bench.machine.home.join(".codex/hooks.json").display().to_string();
    let config = format!("[hooks.state.\"{key}:session_start:0:0\"]\ntrusted_hash = \"sha256:0\"\n");
    fs::write(bench.machine.home.join(".codex/config.toml"), config).expect("a new file");
    assert!(bench.check("hooks are approved").is_ok);
}

#[cfg(unix)]
#[test]
fn hooks_of_the_user_and_of_the_folder_are_one_too_many() {
    let bench = Bench::new(ANSWER);
    let project = bench.machine.home.join("project");
    fs::create_dir_all(&project).expect("a new folder");
    bench.install("gemini-cli", Scope::User);
    let is_twice =
        || checks(&bench.machine, &project, false, Vec::new()).iter().any(|check| check.name.ends_with("twice"));
    assert!(!is_twice());
    bench.install("gemini-cli", Scope::Project(project.clone()));
    assert!(is_twice());
}

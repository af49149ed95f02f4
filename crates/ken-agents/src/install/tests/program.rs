//! Installing through an agent's own program, played by a script that does what Claude Code's does:
//! it writes settings anew, keeps a list, and leaves empty keys and folders behind.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use super::super::*;
use crate::agents::{Site, by_name, plan};

use super::super::call as call_of;

const WAIT: Duration = Duration::from_secs(5);
const PROGRAM: &str = r#"#!/bin/sh
dir="$HOME/.claude"; mkdir -p "$dir/plugins/cache/kenning/kenning" "$dir/plugins/marketplaces"
model=$(grep -o '"model": *"[a-z]*"' "$dir/settings.json" 2>/dev/null)
case "$1 $2 $3" in
"plugin marketplace add") echo "{\"kenning\": {\"path\": \"$4\"}}" > "$dir/plugins/known_marketplaces.json" ;;
"plugin install kenning@kenning")
  [ -e "$HOME/broken" ] && { echo "no network" >&2; exit 1; }
  echo "{${model:+$model,} \"extraKnownMarketplaces\": {\"kenning\": 1}, \"enabledPlugins\": {\"kenning@kenning\": true}}" > "$dir/settings.json"
  echo '{"version": 2, "plugins": {"kenning@kenning": []}}' > "$dir/plugins/installed_plugins.json" ;;
"plugin uninstall kenning@kenning")
  echo "{${model:+$model,} \"extraKnownMarketplaces\": {}, \"enabledPlugins\": {}}" > "$dir/settings.json"
  echo '{"version": 2, "plugins": {}}' > "$dir/plugins/installed_plugins.json" ;;
"plugin marketplace remove") echo "{}" > "$dir/plugins/known_marketplaces.json" ;;
esac
"#;

struct Bench {
    _dir: TempDir,
    machine: Machine,
    settings: PathBuf,
}

impl Bench {
    fn new(settings: Option<&str>) -> Bench {
        let dir = TempDir::new().expect("the machine has a folder for temporary files");
        let home = dir.path().canonicalize().expect("it was just made");
        let bin = home.join("bin");
        fs::create_dir_all(&bin).expect("a new folder");
        fs::write(bin.join("claude"), PROGRAM).expect("a new file");
        fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).expect("it is ours");
        let place = home.join(".claude/settings.json");
        if let Some(settings) = settings {
            fs::create_dir_all(home.join(".claude")).expect("a new folder");
            fs::write(&place, settings).expect("a new file");
            fs::set_permissions(&place, fs::Permissions::from_mode(0o640)).expect("it is ours");
        }
        let machine = Machine { exe: bin.join("ken"), path: vec![bin], home, ..Machine::default() };
        Bench { _dir: dir, machine, settings: place }
    }

    fn install(&self) -> Result<Installed, Refusal> {
        let site = Site { machine: &self.machine, scope: Scope::User, vault: None, along: Vec::new(), takes: false };
        let agent = by_name("claude").expect("it is known");
        install(&plan(agent, &site).expect("it can be installed"), &self.machine, WAIT)
    }

    fn uninstall(&self) -> Vec<String> {
        let taken = uninstall(&self.machine, &|_, _| true, false, WAIT).expect("the receipt reads");
        assert!(taken.iter().all(|taken| taken.refusal.is_none()), "{taken:?}");
        taken.into_iter().flat_map(|taken| taken.notes).collect()
    }

    fn tree(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.machine.home.clone()];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
                let mode = fs::metadata(&path).expect("there").permissions().mode();
                found.push(format!("{} {mode:o} {:?}", path.display(), fs::read_to_string(&path).ok()));
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        found.sort();
        found
    }
}

#[test]
fn what_the_program_rewrote_gets_its_bytes_back() {
    for settings in [None, Some(""), Some("{}"), Some("{\r\n\t\"model\":   \"opus\"}")] {
        let bench = Bench::new(settings);
        let before = bench.tree();
        assert_eq!(bench.install(), Ok(Installed { is_changed: true, notes: Vec::new() }));
        assert!(fs::read_to_string(&bench.settings).expect("there").contains("kenning@kenning"));
        let with = bench.tree();
        assert_eq!(bench.install(), Ok(Installed::default()));
        assert_eq!(bench.tree(), with);
        assert_eq!(bench.uninstall(), Vec::<String>::new());
        assert_eq!(bench.tree(), before);
    }
}

#[test]
fn a_setting_that_a_person_changed_since_stays() {
    let bench = Bench::new(Some("{\"model\": \"opus\"}\n"));
    bench.install().expect("it installs");
    let text = fs::read_to_string(&bench.settings).expect("there");
    fs::write(&bench.settings, text.replace("opus", "sonnet")).expect("it may be written");
    let notes = bench.uninstall();
    assert_eq!(fs::read_to_string(&bench.settings).expect("there").replace(' ', ""), "{\"model\":\"sonnet\"}\n");
    assert_eq!(notes, ["~/.claude/settings.json was changed by others since; only what Kenning added was removed"]);
}

#[test]
fn when_the_program_does_not_do_it_the_settings_are_edited() {
    let bench = Bench::new(Some("{\"model\": \"opus\"}\n"));
    fs::write(bench.machine.home.join("broken"), "").expect("a new file");
    let before = bench.tree();
    let done = bench.install().expect("there is another way");
    assert!(done.notes[0].ends_with("no network; its configuration was edited instead"), "{done:?}");
    let text = fs::read_to_string(&bench.settings).expect("there");
    assert!(text.contains("/bin/ken hook") && !text.contains("kenning@kenning"), "{text}");
    assert_eq!(bench.install(), Ok(Installed::default()));
    bench.uninstall();
    assert_eq!(bench.tree(), before);
}

#[test]
fn what_the_program_was_cut_off_at_can_be_taken_back() {
    let bench = Bench::new(Some("{\"model\":   \"opus\"}\n"));
    let before = bench.tree();
    bench.install().expect("it installs");
    let place = bench.machine.data().join("installed.json");
    let mut receipt: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&place).expect("there")).expect("it is JSON");
    let step = receipt["installed"][0]["steps"].as_array_mut().and_then(|steps| steps.last_mut()).expect("a step");
    step["is_done"] = false.into();
    for file in step["files"].as_array_mut().expect("files") {
        file["after"] = serde_json::Value::Null;
    }
    fs::write(&place, receipt.to_string()).expect("it may be written");
    bench.uninstall();
    assert_eq!(bench.tree(), before);
}

#[test]
fn a_plugin_that_the_person_removed_is_not_missed_by_uninstall() {
    let bench = Bench::new(None);
    let before = bench.tree();
    bench.install().expect("it installs");
    for call in [&["plugin", "uninstall", "kenning@kenning"][..], &["plugin", "marketplace", "remove", "kenning"]] {
        let call: Vec<String> = call.iter().map(|word| (*word).to_owned()).collect();
        call_of(&bench.machine.path[0].join("claude"), &call, &bench.machine).expect("it is a script");
    }
    assert_eq!(bench.uninstall(), Vec::<String>::new());
    assert_eq!(bench.tree(), before);
}

#[test]
fn a_program_that_is_gone_leaves_nothing_of_ours() {
    let bench = Bench::new(Some("{\"model\": \"opus\"}\n"));
    bench.install().expect("it installs");
    let text = fs::read_to_string(&bench.settings).expect("there");
    fs::write(&bench.settings, text.replace("opus", "sonnet")).expect("it may be written");
    fs::remove_file(bench.machine.path[0].join("claude")).expect("it is there");
    bench.uninstall();
    let left = fs::read_to_string(&bench.settings).expect("there");
    assert_eq!(left.replace([' ', '\n'], ""), "{\"model\":\"sonnet\"}");
    assert!(!bench.machine.home.join(".claude/plugins").exists() && !bench.machine.data().exists());
}

#[test]
fn approvals_that_a_person_gave_go_with_the_hooks() {
    let touched = Touched { tables: "[hooks.state.\"kenning@kenning:".to_owned(), ..Touched::new(PathBuf::new(), "") };
    let own = "model = \"m\" # mine\n\n[hooks.state.\"other@other:a\"]\ntrusted_hash = \"1\"\n";
    let with =
        format!("{own}\n[hooks.state.\"kenning@kenning:hooks/hooks.json:stop:0:0\"]\ntrusted_hash = \"2\"\n[z]\n");
    assert_eq!(touched.cleaned(&with).text, format!("{own}\n[z]\n"));
    assert!(touched.cleaned("[hooks.state.\"kenning@kenning:a\"]\ntrusted_hash = \"2\"\n").is_empty);
}

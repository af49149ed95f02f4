//! Streams that close, terminals that are none, locks, bytes that are no text.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::support::{ken, run, text};

/// A vault with two pages, one of which links to nothing.
fn vault() -> TempDir {
    let dir = TempDir::new().expect("the machine has a folder for temporary files");
    assert!(run(dir.path(), &["init"]).status.success());
    let pages = dir.path().join("knowledge/concepts");
    fs::create_dir_all(&pages).expect("a new folder");
    fs::write(pages.join("oven.md"), "---\ntldr: It is hot.\n---\n# Oven\n\nSee [[ovn]].\n").expect("a new file");
    fs::write(pages.join("flour.md"), "# Flour\n\nFrom Ghent.\n").expect("a new file");
    dir
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let dir = vault();
    for args in [&["list"][..], &["lint", "--rules"], &["help"], &["--json", "list"]] {
        let mut child =
            ken(dir.path(), args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_stdout_is_a_failure() {
    let dir = vault();
    let full = File::options().write(true).open("/dev/full").expect("Linux has it");
    let output = ken(dir.path(), &["list"]).stdout(full).stderr(Stdio::piped()).output().expect("the binary runs");
    let expected = "error: cannot write to standard output\n  because: no space left on device\nhint: the command itself was done\n";
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(4), expected));
}

#[test]
fn colour_is_for_terminals_and_for_those_who_insist() {
    let dir = vault();
    let with = |key: &str, value: &str| ken(dir.path(), &["lint"]).env(key, value).output().expect("the binary runs");
    assert!(!text(&run(dir.path(), &["lint"]).stdout).contains('\u{1b}'));
    assert!(!text(&with("NO_COLOR", "1").stdout).contains('\u{1b}'));
    assert!(text(&with("CLICOLOR_FORCE", "1").stdout).contains("\u{1b}["));
    let forced = ken(dir.path(), &["show", "nothing-like-it"]).env("CLICOLOR_FORCE", "1").output().expect("it runs");
    assert!(text(&forced.stderr).contains("\u{1b}[") && forced.stdout.is_empty());
}

#[test]
fn rows_are_not_cut_in_a_pipe() {
    let dir = vault();
    let long = format!("{}end", "word ".repeat(22));
    fs::write(dir.path().join("knowledge/long.md"), format!("---\ntldr: {long}\n---\n# Long\n")).expect("a new file");
    let output = ken(dir.path(), &["list"]).env("COLUMNS", "40").output().expect("the binary runs");
    assert!(text(&output.stdout).contains(&long));
}

#[test]
fn the_bytes_of_a_page_pass_through_a_pipe_and_rows_are_harmless() {
    let dir = vault();
    let page = "---\ntldr: red \u{1b}[31m alert\n---\n# Red\n\nA \u{1b}[31mred\u{1b}[0m word.\n";
    fs::write(dir.path().join("knowledge/red.md"), page).expect("a new file");
    assert!(text(&run(dir.path(), &["show", "red", "--quiet"]).stdout) == page);
    assert!(!text(&run(dir.path(), &["list"]).stdout).contains('\u{1b}'));
}

#[test]
fn a_note_comes_from_standard_input() {
    let dir = vault();
    let note = |input: &[u8], args: &[&str]| {
        let mut child = ken(dir.path(), args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        child.stdin.take().expect("it was asked for").write_all(input).expect("the child reads");
        child.wait_with_output().expect("it ends")
    };
    assert_eq!(note("Olá, café.\n".as_bytes(), &["log"]).status.code(), Some(0));
    assert_eq!(note(b"Second.", &["log", "-"]).status.code(), Some(0));
    let latin = note(b"caf\xe9", &["log"]);
    assert_eq!(text(&latin.stderr), "error: standard input is not UTF-8 text\nhint: nothing was changed\n");
    assert_eq!(latin.status.code(), Some(4));
    let journal = fs::read_to_string(dir.path().join("daily/2026-06-01.md")).expect("the journal of today");
    assert!(journal.contains("Olá, café.") && journal.contains("Second."));
}

#[test]
fn a_vault_that_is_being_changed_is_waited_for_and_then_left() {
    let dir = vault();
    let lock = File::options().write(true).open(dir.path().join(".kenning/lock")).expect("init made it");
    lock.lock().expect("nobody else holds it");
    let output = run(dir.path(), &["log", "A note.", "--wait", "0.05", "--json"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0));
    assert!(
        text(&output.stderr).starts_with("{\"error\":{\"kind\":\"retry\",\"message\":\"the vault is being changed")
    );
    assert!(!dir.path().join("daily").exists());
    assert_eq!(run(dir.path(), &["list"]).status.code(), Some(0), "reading needs no lock");
    drop(lock);
    assert_eq!(run(dir.path(), &["log", "A note.", "--wait", "0.05"]).status.code(), Some(0));
}

#[test]
fn a_page_that_is_no_text_is_named_and_left_alone() {
    let dir = vault();
    let place = dir.path().join("knowledge/concepts/bad.md");
    fs::write(&place, b"# Bad\n\n\xff\xfe").expect("a new file");
    let printed = text(&run(dir.path(), &["lint", "--fix"]).stdout);
    assert!(printed.contains("warning[not-utf8]: not UTF-8 text"), "{printed}");
    assert_eq!(fs::read(place).expect("still there"), b"# Bad\n\n\xff\xfe");
}

#[test]
fn the_demo_leaves_a_vault_that_answers() {
    let dir = TempDir::new().expect("the machine has a folder for temporary files");
    for name in ["kenning-demo", "kenning-demo-2"] {
        let output = run(dir.path(), &["demo"]);
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{printed}");
        assert!(printed.contains(&format!("  cd {name}\n")), "{printed}");
        assert!(printed.contains("% less") && printed.contains("No page is sure to answer that"), "{printed}");
    }
    let asked = |args: &[&str]| run(&dir.path().join("kenning-demo"), args);
    assert_eq!(asked(&["route", "What is stock reservation?"]).status.code(), Some(0));
    let question = "Why did we move away from SQLite?";
    let printed = text(&run(dir.path(), &["demo"]).stdout);
    assert!(printed.contains(&format!("  ken ask \"{question}\"\n")), "{printed}");
    let answer = text(&asked(&["ask", question]).stdout);
    assert!(answer.contains("PostgreSQL") && answer.contains("because two servers write"), "{answer}");
}

#[cfg(unix)]
#[test]
fn pages_with_errors_are_not_committed_and_the_hooks_of_others_stay() {
    let dir = vault();
    let home = TempDir::new().expect("the machine has a folder for temporary files");
    let in_vault = |command: &mut Command| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let identity = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
        command.current_dir(dir.path()).env_clear().env("HOME", home.path()).env("PATH", path);
        command.envs(identity.map(|name| (name, "baker"))).output().expect("it runs")
    };
    let git = |args: &[&str]| in_vault(Command::new("git").args(args));
    let ken = |args: &[&str]| in_vault(Command::new(env!("CARGO_BIN_EXE_ken")).args(args));
    assert!(git(&["init", "-q"]).status.success());
    let hook = dir.path().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().expect("in a folder")).expect("a folder");
    let own = "#!/bin/bash\necho checked by others\nexit 0\n";
    fs::write(&hook, own).expect("a new file");
    assert!(text_of(&ken(&["install", "git"])).contains("it is there and switched off"));
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&hook, mode).expect("it is ours");
    let installed = ken(&["install", "git"]);
    assert!(installed.status.success(), "{}", text_of(&installed));
    assert!(text_of(&ken(&["install", "git"])).contains("has it already"));

    git(&["add", "knowledge/concepts/flour.md"]);
    let good = git(&["commit", "-qm", "flour"]);
    assert!(good.status.success() && text_of(&good).contains("checked by others"), "{}", text_of(&good));
    assert!(!text_of(&good).contains("ken:"), "a good commit is quiet: {}", text_of(&good));
    git(&["add", "knowledge/concepts/oven.md"]);
    let bad = git(&["commit", "-qm", "oven"]);
    let said = text_of(&bad);
    assert!(!bad.status.success() && said.contains("error[broken-link]") && said.contains("--no-verify"), "{said}");
    assert!(git(&["commit", "-qnm", "oven"]).status.success());

    let tree =
        dir.path().join("../").join(format!("{}-tree", dir.path().file_name().expect("named").to_string_lossy()));
    assert!(git(&["worktree", "add", "-q", tree.to_str().expect("UTF-8"), "-b", "other"]).status.success());
    let merged = git(&["merge", "-q", "other"]);
    assert!(merged.status.success(), "{}", text_of(&merged));
    fs::remove_dir_all(&tree).expect("it is ours");

    assert!(ken(&["uninstall", "git"]).status.success());
    assert_eq!(fs::read_to_string(&hook).expect("it stays"), own);
    assert!(!hook.with_file_name("post-merge").exists());
    assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 0, "nothing is left at home");
}

#[cfg(unix)]
#[test]
fn an_installation_that_is_killed_at_any_moment_can_be_taken_back() {
    const AGENTS: [&str; 5] = ["gemini-cli", "cursor", "cline", "pi", "opencode"];
    let home = TempDir::new().expect("the machine has a folder for temporary files");
    for folder in [".gemini", ".cursor", ".local/share"] {
        fs::create_dir_all(home.path().join(folder)).expect("a new folder");
    }
    fs::write(home.path().join(".gemini/settings.json"), "{\r\n  // mine\r\n  \"theme\": \"dark\"\r\n}").expect("new");
    fs::write(home.path().join(".cursor/hooks.json"), "{\"version\":1}").expect("a new file");
    let before = tree(home.path());
    let in_home = |args: &[&str]| {
        let mut command = ken(home.path(), args);
        command.env("HOME", home.path()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let args: Vec<&str> = ["install"].into_iter().chain(AGENTS).collect();
    let started = std::time::Instant::now();
    assert!(in_home(&args).status().expect("it runs").success());
    let whole = started.elapsed();
    assert!(in_home(&["uninstall", "--yes"]).status().expect("it runs").success());
    assert_eq!(tree(home.path()), before);
    let mut n_partly = 0;
    for n in 0..40 {
        let mut child = in_home(&args).spawn().expect("the binary runs");
        std::thread::sleep(whole * n / 40);
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
        let hooked = fs::read_to_string(home.path().join(".gemini/settings.json")).expect("there").contains("ken");
        n_partly += usize::from(hooked && !home.path().join(".config").exists());
        assert!(in_home(&["uninstall", "--yes"]).status().expect("it runs").success());
        assert_eq!(tree(home.path()), before, "killed after {n}/40 of {whole:?}");
    }
    assert!(n_partly > 0, "no kill came in the middle");
}

/// Every file and folder below this one, with its bytes.
fn tree(dir: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    for path in fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        found.push((path.display().to_string(), fs::read(&path).ok()));
        if path.is_dir() {
            found.extend(tree(&path));
        }
    }
    found.sort();
    found
}

#[test]
fn what_a_script_reads_is_one_json_value() {
    let dir = vault();
    for args in [&["list"][..], &["lint"], &["status"], &["history"], &["route", "flour"], &["show", "oven"]] {
        let mut child = ken(dir.path(), args).arg("--json").stdout(Stdio::piped()).spawn().expect("the binary runs");
        let mut printed = String::new();
        child.stdout.take().expect("it was asked for").read_to_string(&mut printed).expect("UTF-8");
        child.wait().expect("it ends");
        assert!(serde_json::from_str::<serde_json::Value>(&printed).is_ok_and(|value| value.is_object()), "{args:?}");
    }
}

#[test]
fn eight_processes_write_and_compile_at_once_and_nothing_is_lost() {
    const N_PROCESSES: usize = 8;
    const N_NOTES: usize = 6;
    let dir = vault();
    std::thread::scope(|scope| {
        for process in 0..N_PROCESSES {
            let dir = dir.path();
            scope.spawn(move || {
                for note in 0..N_NOTES {
                    let text = format!("The oven rota of shift {process} names baker {process}-{note}.");
                    let logged = run(dir, &["log", "--wait", "120", &text]);
                    assert!(logged.status.success(), "{}", text_of(&logged));
                    let compiled = run(dir, &["compile", "--wait", "120"]);
                    assert!(compiled.status.success(), "{}", text_of(&compiled));
                }
            });
        }
    });
    let day = fs::read_dir(dir.path().join("daily")).expect("a journal").next().expect("a day").expect("an entry");
    let journal = fs::read_to_string(day.path()).expect("reads");
    for process in 0..N_PROCESSES {
        for note in 0..N_NOTES {
            let line = format!("- The oven rota of shift {process} names baker {process}-{note}.\n");
            assert_eq!(journal.matches(&line).count(), 1, "{line}");
        }
    }
    assert_eq!(journal.matches("\n### Session (").count(), N_PROCESSES * N_NOTES);
    // Ids are dense and none comes twice, and the pages are those of one compile of everything.
    let ops =
        fs::read_dir(dir.path().join(".kenning/ops")).expect("operations").map(|entry| entry.expect("a month").path());
    let ops: String = ops.map(|path| fs::read_to_string(path).expect("reads")).collect();
    let ids: std::collections::BTreeSet<&str> =
        ops.lines().map(|line| line.split('"').nth(3).expect("an id")).collect();
    assert_eq!(ids.len(), ops.lines().count());
    assert!(text(&run(dir.path(), &["history", "--json"]).stdout).contains("\"damage\": []"));
    let before = text(&run(dir.path(), &["compile", "--all", "--dry-run"]).stdout);
    assert!(before.contains("no page changes"), "{before}");
}

fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

#[cfg(target_os = "linux")]
#[test]
fn an_installation_that_is_refused_everywhere_says_how_it_goes_on() {
    let dir = TempDir::new().expect("the machine has a folder for temporary files");
    fs::write(dir.path().join(".local"), "in the way").expect("a new file");
    let mut install = ken(dir.path(), &["install", "--yes", "claude-code", "gemini-cli"]);
    let output = install.env("HOME", dir.path()).output().expect("the binary runs");
    let said = text(&output.stderr);
    let next = "hint: `ken install` goes on where it stopped, `ken uninstall` takes it back\n";
    assert!(output.status.code() == Some(4) && said.starts_with("error: 2 of 2 ") && said.ends_with(next), "{said}");
}

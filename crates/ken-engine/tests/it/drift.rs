//! Statements about code, against work trees as they are: changed, hostile, large.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use ken_core::drift::{Departure, State};
use ken_engine::{DriftOptions, DriftOutcome, LintOptions};

use crate::support::Vault;

/// A vault in a work tree of git, with a page that says something.
fn project(said: &str, files: &[(&str, &str)]) -> Vault {
    let vault = Vault::new();
    git(vault.root(), &["init", "-q"]);
    vault.write("knowledge/code.md", &format!("# Code\n\n{said}\n"));
    files.iter().for_each(|(path, text)| vault.write(path, text));
    vault
}

/// Runs git as it is on this machine, away from the user's own settings.
fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=trunk"]);
    command.args(args).current_dir(folder).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder);
    let done = command.output().expect("git runs");
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn checked(vault: &Vault) -> DriftOutcome {
    let options = DriftOptions { folder: vault.root().to_path_buf(), ..DriftOptions::default() };
    vault.engine().drift(&options, &|_, _| None).expect("a project")
}

fn found(vault: &Vault) -> Vec<String> {
    checked(vault).findings.iter().map(|one| format!("{} {}", one.reference, one.state.as_str())).collect()
}

#[test]
fn a_mark_comes_and_goes_with_the_code() {
    let vault = project("It is in `src/a.rs:there` and in `src/a.rs:missing`.", &[("src/a.rs", "fn there() {}\n")]);
    for _ in 0..2 {
        // The second time from the cache.
        assert_eq!(found(&vault), ["src/a.rs:missing gone"]);
    }
    vault.write("src/a.rs", "fn there() {}\nfn missing() {}\n");
    assert_eq!(found(&vault), [""; 0]);
    vault.write("src/a.rs", "fn missing() {}\n");
    assert_eq!(found(&vault), ["src/a.rs:there gone"]);
    vault.remove("src/a.rs");
    vault.write("src/b.rs", "fn there() {}\n");
    assert_eq!(found(&vault), ["src/a.rs:there moved", "src/a.rs:missing gone"]);
}

#[test]
fn the_cache_changes_nothing_that_is_found() {
    let said = "It is in `src/a.rs:there`, `src/b.rs:gone_one`, called `lost_one()` and `src/c.rs`.";
    let vault = project(said, &[("src/a.rs", "fn there() {}\n"), ("src/b.rs", "fn b() {}\n")]);
    let first = found(&vault);
    assert_eq!(first, ["src/b.rs:gone_one gone", "lost_one() gone", "src/c.rs gone"]);
    assert_eq!(found(&vault), first);
    for name in ["drift.bin", "drift-mentions.bin"] {
        vault.write(&format!(".kenning/cache/{name}"), "damaged");
        assert_eq!(found(&vault), first, "{name}");
    }
    vault.remove(".kenning/cache");
    assert_eq!(found(&vault), first);
    // A name that is mentioned by now may come from somewhere.
    vault.write("src/b.rs", "fn b() { lost_one() }\n");
    assert_eq!(found(&vault), ["src/b.rs:gone_one gone", "src/c.rs gone"]);
    vault.write("src/b.rs", "fn b() {}\n");
    assert_eq!(found(&vault), first);
}

#[test]
fn nothing_outside_of_the_project_is_read_or_named() {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("secret.rs"), "fn secret_of_others() {}\n").expect("written");
    let said = "It is in `link.rs:secret_of_others`, `folder/secret.rs`, `src/link.rs` and `secret_of_others()`, \
        in `../secret.rs:secret_of_others` and `src/../../secret.rs`.";
    let vault = project(said, &[("src/a.rs", "fn a() {}\n")]);
    let link = |from: &Path, to: &str| std::os::unix::fs::symlink(from, vault.root().join(to)).expect("linked");
    link(&outside.path().join("secret.rs"), "link.rs");
    link(&outside.path().join("secret.rs"), "src/link.rs");
    link(outside.path(), "folder");
    link(&vault.root().join("src"), "src/circle");
    // What stands behind a link is not known; that the link stands there is.
    assert_eq!(found(&vault), ["secret_of_others() gone"]);
    assert_eq!(checked(&vault).findings[0].state, State::Gone { since: None });
}

#[test]
fn a_project_in_the_configuration_stays_inside_of_the_work_tree() {
    let vault = project("It is in `src/a.rs`.", &[("src/b.rs", "fn b() {}\n"), ("inner/src/a.rs", "fn a() {}\n")]);
    let outside = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(outside.path(), vault.root().join("out")).expect("linked");
    let message = |project: &str| {
        vault.write("kenning.toml", &format!("project = '{project}'\n"));
        let options = DriftOptions::default();
        vault.engine().drift(&options, &|_, _| None).map(|done| done.n_files).map_err(|why| why.message)
    };
    assert_eq!(message("inner"), Ok(1));
    for project in ["out", "missing", "src/b.rs"] {
        assert_eq!(message(project), Err(format!("`project = \"{project}\"` names no folder of the work tree")));
    }
}

#[test]
fn pipes_giants_and_damaged_files_are_there_and_harm_nothing() {
    let said = "It is in `src/pipe.rs:x_one`, `src/giant.rs:x_two`, `src/bytes.rs:x_three`, `src/latin.rs:x_four`, \
        `src/both.rs:x_five` and `src/both.rs:x_six`, `src/binary.rs:12`.";
    let both = "<<<<<<< ours\nfn x_five() {}\n=======\nfn x_seven() {}\n>>>>>>> theirs\n";
    let vault = project(said, &[("src/both.rs", both)]);
    let place = |name: &str| vault.root().join("src").join(name);
    for pipe in [place("pipe.rs"), place(".gitignore"), vault.root().join(".ignore")] {
        assert!(Command::new("mkfifo").arg(pipe).status().expect("runs").success());
    }
    fs::File::create(place("giant.rs")).and_then(|file| file.set_len(2 << 30)).expect("made");
    fs::write(place("bytes.rs"), [0_u8, 1, 2, 255, 0].repeat(2_000)).expect("written");
    fs::write(place("binary.rs"), [0_u8; 64]).expect("written");
    fs::write(place("latin.rs"), b"// caf\xe9\nfn x_four() {}\n").expect("written");
    let deep = (0..100).fold(vault.root().to_path_buf(), |folder, _| folder.join("d"));
    fs::create_dir_all(&deep).expect("made");
    fs::write(deep.join("deep.rs"), "fn deep() {}\n").expect("written");
    // A pipe is nothing that a statement can mean; everything else is there, or nobody looked inside.
    assert_eq!(found(&vault), ["src/pipe.rs:x_one gone", "src/both.rs:x_six gone"]);
}

#[test]
fn what_is_ignored_is_nothing_of_the_project() {
    let said = "It makes `out2/index.ts` and `gen/api.ts`, by `src/a.ts`, and `keep.log.ts` in `logs/keep.log.ts`.";
    let vault = project(said, &[("src/a.ts", "export const a = 1;\n"), ("gen/b.ts", "export const b = 2;\n")]);
    vault.write(".gitignore", "/out2/\n");
    vault.write("gen/.gitignore", "api.ts\n");
    vault.write("out2/other.ts", "export function other_one() {}\n");
    assert_eq!(found(&vault), [""; 0]);
    vault.write("knowledge/code.md", "# Code\n\n`other_one()` makes it, and `gen/web.ts` does.\n");
    assert_eq!(found(&vault), ["other_one() gone", "gen/web.ts gone"]);
}

#[test]
fn what_a_vault_holds_is_text_and_no_code() {
    let vault = project("`planted_one()` makes it in `src/a.rs`.", &[("src/a.rs", "fn a() {}\n")]);
    vault.write("raw/copy.rs", "fn planted_one() {}\n");
    assert_eq!(found(&vault), ["planted_one() gone"]);
}

#[test]
fn the_history_is_asked_once_and_only_of_what_is_missing() {
    let vault = project("It is in `src/a.rs`, `src/old.rs` and `lost.rs`.", &[("src/a.rs", "fn a() {}\n")]);
    git(vault.root(), &["add", "-A"]);
    git(vault.root(), &["commit", "-q", "-m", "one"]);
    let asked = std::cell::RefCell::new(Vec::new());
    let departed = |_: &Path, wanted: &BTreeSet<String>| {
        asked.borrow_mut().push(wanted.iter().cloned().collect::<Vec<_>>().join(" "));
        let day = "2026-05-02".parse().expect("a day");
        Some(BTreeMap::from([("src/lost.rs".to_owned(), Departure { day, to: Some("src/a.rs".to_owned()) })]))
    };
    for _ in 0..2 {
        let done = vault.engine().drift(&DriftOptions::default(), &departed).expect("a project");
        let told: Vec<_> = done.findings.iter().map(|one| (one.reference.as_str(), one.state.clone())).collect();
        let since = Some("2026-05-02".parse().expect("a day"));
        let moved = State::Moved { to: "src/a.rs".to_owned(), since };
        assert_eq!(told, [("src/old.rs", State::Gone { since: None }), ("lost.rs", moved)]);
    }
    assert_eq!(*asked.borrow(), ["lost.rs src/old.rs"]);
}

#[test]
fn what_is_deleted_and_not_committed_is_gone_also_when_it_was_alone_of_its_kind() {
    let vault = project("`tools/convert.py` converts, `data/rows.csv` has the rows.", &[("src/a.rs", "fn a() {}\n")]);
    vault.write("tools/convert.py", "def convert(): pass\n");
    vault.write("data/rows.csv", "1\n");
    git(vault.root(), &["add", "-A"]);
    git(vault.root(), &["commit", "-q", "-m", "one"]);
    assert_eq!(found(&vault), [""; 0]);
    vault.remove("tools");
    vault.remove("data");
    assert_eq!(found(&vault), ["tools/convert.py gone", "data/rows.csv gone"]);
    vault.write("tools/convert.py", "def convert(): pass\n");
    assert_eq!(found(&vault), ["data/rows.csv gone"]);
    // Nobody deleted what the checkout leaves out.
    git(vault.root(), &["update-index", "--skip-worktree", "data/rows.csv"]);
    assert_eq!(found(&vault), [""; 0]);
}

#[test]
fn lint_names_what_drifted_where_a_project_belongs_to_the_vault() {
    let vault = project("It is in `src/old.rs`.", &[("src/a.rs", "fn a() {}\n")]);
    let messages = |vault: &Vault| {
        let done = vault.engine().lint(LintOptions::default()).expect("lints");
        let drifted = done.findings.into_iter().filter(|one| one.diagnostic.rule == "code-drift");
        drifted.map(|one| one.diagnostic.message).collect::<Vec<_>>()
    };
    assert_eq!(messages(&vault), ["`src/old.rs` is gone"]);
    vault.write("src/old.rs", "");
    assert_eq!(messages(&vault), [""; 0]);
    vault.remove("src/old.rs");
    vault.remove(".git");
    assert_eq!(messages(&vault), [""; 0]);
}

#[test]
fn the_documents_of_this_repository_name_what_is_there() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("there");
    let vault = Vault::new();
    let names = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "AGENTS.md", "GLOSSARY.md"];
    let decisions = fs::read_dir(top.join("docs/decisions")).expect("there");
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    names.extend(decisions.flatten().map(|entry| format!("docs/decisions/{}", entry.file_name().to_string_lossy())));
    names.sort();
    let options = DriftOptions { names, folder: top.clone(), project: Some(top) };
    let done = vault.engine().drift(&options, &|_, _| None).expect("a project");
    let told = |one: &ken_engine::Drifted| format!("{}:{} {} {:?}", one.path, one.line, one.reference, one.state);
    assert_eq!(done.findings.iter().map(told).collect::<Vec<_>>(), [""; 0]);
    assert!(done.n_references > 200, "{} references", done.n_references);
}

/// What is told of the statement of a page when somebody asks.
fn asked(vault: &Vault) -> String {
    let done = vault.engine().context("Where is the till counted, and by what?", None).expect("a vault");
    done.pack.text
}

#[test]
fn a_mark_is_told_with_the_statement_and_goes_with_the_code() {
    let vault = project("The till is counted by `src/count.rs`.", &[("src/a.rs", "fn a() {}\n")]);
    let mark = "(`src/count.rs` is gone) The till is counted";
    assert!(asked(&vault).contains(mark), "{}", asked(&vault));
    vault.write("src/count.rs", "fn count() {}\n");
    assert!(asked(&vault).contains(" The till is counted") && !asked(&vault).contains(" is gone"), "{}", asked(&vault));
    vault.remove("src/count.rs");
    vault.write("src/shop/count.rs", "fn count() {}\n");
    assert!(asked(&vault).contains("(`src/count.rs` moved to src/shop/count.rs)"), "{}", asked(&vault));
}

#[test]
fn tasks_what_was_replaced_and_what_leads_outside_are_told_without_a_mark() {
    let said = "~~The till is counted by `src/old.rs`~~ until 2026-05-01; now: the till is counted by hand.\n\n\
        - [ ] let the till be counted by `src/next.rs`\n\
        - The till is counted as `../count.rs` says, and `/etc/count.rs`.\n";
    let vault = project(said, &[("src/a.rs", "fn a() {}\n")]);
    let told = asked(&vault);
    assert!(told.contains("counted") && !told.contains(" is gone"), "{told}");
}

#[test]
#[cfg(unix)]
fn a_path_that_leads_out_through_a_link_is_not_looked_at() {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("count.rs"), "fn count() {}\n").expect("written");
    let vault = project("The till is counted by `src/out/count.rs`.", &[("src/a.rs", "fn a() {}\n")]);
    let before = asked(&vault);
    std::os::unix::fs::symlink(outside.path(), vault.root().join("src/out")).expect("linked");
    assert_eq!(asked(&vault), before, "what lies behind a link is not there");
}

#[test]
fn asking_writes_nothing_and_leaves_what_lint_finds() {
    let vault = project("The till is counted by `src/count.rs`.", &[("src/a.rs", "fn a() {}\n")]);
    let before = vault.engine().lint(LintOptions::default()).expect("a vault").findings.len();
    asked(&vault);
    assert_eq!(vault.engine().lint(LintOptions::default()).expect("a vault").findings.len(), before);
    let page = fs::read_to_string(vault.root().join("knowledge/code.md")).expect("a page");
    assert!(!page.contains(" is gone"), "{page}");
}

//! The day of a document's last commit: it is asked for once, when the document comes in, and stands wherever a day
//! of a source does; nothing that a repository's configuration names is started for it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::support::{Place, text};

/// Runs git as it is on this machine, away from the user's own settings, on a day.
fn git(folder: &Path, day: &str, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=trunk"]);
    command.args(args).current_dir(folder).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder);
    let at = format!("{day}T23:30:00+02:00");
    command.env("GIT_AUTHOR_DATE", &at).env("GIT_COMMITTER_DATE", "2026-05-30T08:00:00Z");
    let done = command.output().expect("git runs");
    assert!(done.status.success(), "{args:?}: {}", text(&done.stderr));
    text(&done.stdout)
}

fn write(folder: &Path, name: &str, content: &str) {
    let place = folder.join(name);
    fs::create_dir_all(place.parent().expect("a folder")).expect("made");
    fs::write(place, content).expect("written");
}

fn commit(folder: &Path, day: &str, files: &[(&str, &str)]) {
    files.iter().for_each(|(name, content)| write(folder, name, content));
    git(folder, day, &["add", "-A"]);
    git(folder, day, &["commit", "-q", "-m", "x"]);
}

const GUIDE: &str = "# Guide\n\nThe stone oven takes ninety loaves an hour. It was swept yesterday.\n";

/// A project with documents that were committed on several days.
fn project(place: &Place) -> std::path::PathBuf {
    let top = place.home().join("bakery");
    fs::create_dir_all(&top).expect("made");
    git(&top, "2026-01-01", &["init", "-q"]);
    let header = "---\ndate: 2025-12-01\n---\n# Old\n\nThe old oven took forty loaves an hour.\n";
    commit(&top, "2026-02-02", &[("docs/guide.md", "# Guide\n"), ("docs/old.md", header), ("docs/Öfen \"x.md", GUIDE)]);
    commit(&top, "2026-03-03", &[("docs/guide.md", GUIDE), ("docs/2026-01-05-note.md", "# Note\n\nOn rye.\n")]);
    commit(&top, "2026-04-04", &[("src/main.rs", "fn main() {}\n")]);
    write(&top, "docs/new.md", "# New\n\nNobody committed this one.\n");
    top
}

/// What a command prints that succeeds.
fn said(place: &Place, args: &[&str]) -> String {
    let output = place.ken(args).output().expect("it runs");
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn register(place: &Place) -> String {
    fs::read_to_string(place.project().join(".kenning/sources.jsonl")).expect("there is one")
}

#[test]
fn a_document_that_says_no_day_is_of_the_day_of_its_last_commit() {
    let place = Place::new();
    let docs = project(&place).join("docs");
    let printed = said(&place, &["ingest", docs.to_str().expect("UTF-8")]);
    let day_of = |name: &str| {
        let line = printed.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}: {printed}"));
        line.split_once("committed on ").map(|(_, rest)| rest[..10].to_owned())
    };
    assert_eq!(day_of("guide.md").as_deref(), Some("2026-03-03"));
    assert_eq!(day_of("Öfen").as_deref(), Some("2026-02-02"));
    // A header, and a name, say it themselves; and what was never committed has no day.
    assert_eq!((day_of("old.md"), day_of("note.md"), day_of("new.md")), (None, None, None));
    let before = register(&place);
    assert!(said(&place, &["ingest", docs.to_str().expect("UTF-8")]).contains("Nothing is new"));
    assert_eq!(register(&place), before);
}

#[test]
fn the_day_of_a_commit_stands_wherever_a_day_of_a_source_does() {
    let place = Place::new();
    let guide = project(&place).join("docs/guide.md");
    said(&place, &["ingest", guide.to_str().expect("UTF-8")]);
    let asked = "how many loaves does the stone oven take an hour?";
    for (args, day) in [
        (&["context", asked][..], "2026-03-03"),
        (&["ask", asked], "2026-03-03"),
        (&["search", asked, "--json"], "\"date\": \"2026-03-03\""),
        (&["search", "stone oven date:2026-03-03", "--json"], "guide.md"),
        (&["search", "stone oven", "--as-of", "2026-03-03", "--json"], "guide.md"),
    ] {
        let output = said(&place, args);
        assert!(output.contains(day), "{args:?}: {output}");
    }
    let early = place.ken(&["search", "stone oven", "--as-of", "2026-03-02"]).output().expect("it runs");
    assert_eq!(early.status.code(), Some(1));
    said(&place, &["compile"]);
    let page = fs::read_to_string(place.project().join("knowledge/references/guide.md")).expect("a page");
    assert!(page.contains("updated: 2026-03-03"), "{page}");
    // When it was changed is not when it was said.
    assert!(page.contains("yesterday.") && !page.contains("(2026-03-02)"), "{page}");
}

#[test]
fn a_new_commit_is_known_from_the_next_ingest_on_and_pages_and_search_follow() {
    let place = Place::new();
    let top = project(&place);
    let guide = top.join("docs/guide.md");
    let guide = guide.to_str().expect("UTF-8");
    // First without git, then with it: nothing of the document changes.
    let output = place.ken(&["ingest", guide]).env("PATH", "/nonexistent").output().expect("it runs");
    assert!(output.status.success() && !register(&place).contains("\"day\""), "{}", text(&output.stderr));
    said(&place, &["compile"]);
    let found = |day: &str| said(&place, &["search", "stone oven", "--json"]).contains(&format!("\"date\": \"{day}\""));
    assert!(!found("2026-03-03"));
    assert!(said(&place, &["ingest", guide]).contains("changed"));
    assert!(found("2026-03-03"));
    said(&place, &["compile"]);
    let pages = |place: &Place| said(place, &["list", "--json"]);
    assert!(pages(&place).contains("2026-03-03"), "{}", pages(&place));
    let incremental = pages(&place);
    fs::remove_dir_all(place.project().join("knowledge/references")).expect("removed");
    fs::remove_dir_all(place.project().join(".kenning/cache")).expect("removed");
    said(&place, &["compile"]);
    assert_eq!(pages(&place), incremental);
    // Without git the day that is known stays, as long as the document is the same.
    let output = place.ken(&["ingest", guide]).env("PATH", "/nonexistent").output().expect("it runs");
    assert!(text(&output.stdout).contains("Nothing is new"));
}

#[test]
fn what_stands_in_the_vault_is_of_the_commits_of_its_own_repository() {
    let place = Place::new();
    let top = place.project();
    git(&top, "2026-01-01", &["init", "-q"]);
    commit(&top, "2026-02-02", &[("docs/guide.md", GUIDE)]);
    assert!(said(&place, &["ingest", "--in-place", "docs/guide.md"]).contains("committed on 2026-02-02"));
    assert!(register(&place).contains("\"day\":\"2026-02-02\""));
    // Who changes the line does not change the day: it is sealed.
    let planted = register(&place).replace("\"day\":\"2026-02-02\"", "\"day\":\"2026-02-05\"");
    fs::write(top.join(".kenning/sources.jsonl"), planted).expect("written");
    let output = place.ken(&["search", "stone oven"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "a line without its seal names no document");
    // A copy was committed later than what it was copied from.
    let outside = project(&place).join("docs/guide.md");
    said(&place, &["ingest", outside.to_str().expect("UTF-8")]);
    git(&top, "2026-05-05", &["add", "-A"]);
    git(&top, "2026-05-05", &["commit", "-q", "-m", "vault"]);
    assert!(said(&place, &["ingest", "raw"]).contains("Nothing is new"));
    assert!(!register(&place).contains("2026-05-05"));
}

#[test]
fn a_history_that_is_cut_off_dates_nothing() {
    let place = Place::new();
    let top = project(&place);
    let shallow = place.home().join("shallow");
    let url = format!("file://{}", top.display());
    git(&place.home(), "2026-05-01", &["clone", "-q", "--depth", "1", &url, "shallow"]);
    said(&place, &["ingest", shallow.join("docs").to_str().expect("UTF-8")]);
    assert!(!register(&place).contains("\"day\""), "{}", register(&place));
}

#[test]
fn nothing_of_a_stranger_s_repository_starts_a_program() {
    let place = Place::new();
    let top = project(&place);
    let (evil, trace) = (place.home().join("evil"), place.home().join("started"));
    fs::write(&evil, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n", trace.display())).expect("written");
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).expect("made executable");
    let evil = evil.display().to_string();
    // A signed commit, whose signature is checked by a program that the configuration names.
    write(&top, "docs/guide.md", &format!("{GUIDE}Signed.\n"));
    git(&top, "2026-05-05", &["add", "docs/guide.md"]);
    let tree = git(&top, "2026-05-05", &["write-tree"]);
    let parent = git(&top, "2026-05-05", &["rev-parse", "HEAD"]);
    let (tree, parent) = (tree.trim(), parent.trim());
    let who = "t <t@example.org> 1777982400 +0000";
    let signed = format!(
        "tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n"
    );
    write(&top, "commit", &signed);
    let id = git(&top, "2026-05-05", &["hash-object", "-t", "commit", "-w", "commit"]);
    git(&top, "2026-05-05", &["update-ref", "HEAD", id.trim()]);
    let ext = format!("ext::{evil} %S");
    for (key, value) in [
        ("core.fsmonitor", evil.as_str()),
        ("core.pager", &evil),
        ("pager.log", &evil),
        ("core.sshCommand", &evil),
        ("core.gitProxy", &evil),
        ("core.editor", &evil),
        ("core.askPass", &evil),
        ("core.alternateRefsCommand", &evil),
        ("credential.helper", &evil),
        ("log.showSignature", "true"),
        ("gpg.program", &evil),
        ("gpg.ssh.program", &evil),
        ("diff.external", &evil),
        ("diff.x.textconv", &evil),
        ("diff.x.command", &evil),
        ("filter.x.clean", &evil),
        ("filter.x.smudge", &evil),
        ("filter.x.process", &evil),
        ("merge.x.driver", &evil),
        ("alias.log", &format!("!{evil}")),
        ("remote.origin.url", &ext),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialclonefilter", "tree:0"),
        ("remote.origin.uploadpack", &evil),
        ("protocol.ext.allow", "always"),
        ("extensions.partialClone", "origin"),
        ("core.repositoryFormatVersion", "1"),
    ] {
        git(&top, "2026-05-05", &["config", key, value]);
    }
    write(&top, ".git/info/attributes", "* filter=x diff=x merge=x\n");
    for hook in ["post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc", "fsmonitor-watchman"] {
        fs::copy(place.home().join("evil"), top.join(".git/hooks").join(hook)).expect("copied");
    }
    let guide = top.join("docs/guide.md");
    let guide = guide.to_str().expect("UTF-8");
    assert!(said(&place, &["ingest", guide]).contains("committed on 2026-05-05"));
    fs::rename(top.join("src/main.rs"), top.join("src/begin.rs")).expect("renamed");
    assert_eq!(drifted(&place, &top, "`src/main.rs` begins."), ["note.md:1: `src/main.rs` is gone"]);
    // What is missing is not fetched: then no day is known.
    let tree = git(&top, "2026-05-05", &["rev-parse", "HEAD~2^{tree}"]);
    let (folder, file) = tree.trim().split_at(2);
    fs::remove_file(top.join(".git/objects").join(folder).join(file)).expect("removed");
    let older = top.join("docs/Öfen \"x.md");
    assert!(!said(&place, &["ingest", older.to_str().expect("UTF-8")]).contains("committed on"));
    let started = fs::read_to_string(trace).unwrap_or_default();
    assert_eq!(started, "", "programs were started");
}

/// What `ken drift` prints of a document about a project.
fn drifted(place: &Place, top: &Path, statement: &str) -> Vec<String> {
    let note = place.project().join("note.md");
    fs::write(&note, statement).expect("written");
    let args = ["drift", "--quiet", "--project", top.to_str().expect("UTF-8"), "note.md"];
    let output = place.ken(&args).current_dir(place.project()).output().expect("it runs");
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout).lines().filter(|line| !line.starts_with("  ")).map(str::to_owned).collect()
}

#[test]
fn the_history_says_since_when_something_is_gone_and_where_it_went() {
    let place = Place::new();
    let top = place.home().join("shop");
    fs::create_dir_all(&top).expect("made");
    git(&top, "2026-01-01", &["init", "-q"]);
    let code = "pub fn weigh_bread() {}\n".repeat(20);
    commit(
        &top,
        "2026-02-02",
        &[("src/scale.rs", &code), ("src/till.rs", "fn till() {}\n"), ("src/a.rs", "fn a() {}\n")],
    );
    git(&top, "2026-03-03", &["mv", "src/scale.rs", "src/weights.rs"]);
    git(&top, "2026-03-03", &["commit", "-q", "-m", "x"]);
    git(&top, "2026-04-04", &["mv", "src/weights.rs", "src/balance.rs"]);
    git(&top, "2026-04-04", &["rm", "-q", "src/till.rs"]);
    git(&top, "2026-04-04", &["commit", "-q", "-m", "x"]);
    let said = "`src/scale.rs` weighs, `src/till.rs` counts, `till.rs` too, `src/a.rs` is there.";
    let told = [
        "note.md:1: `src/scale.rs` moved to src/balance.rs on 2026-03-03",
        "note.md:1: `src/till.rs` is gone since 2026-04-04",
        "note.md:1: `till.rs` is gone since 2026-04-04",
    ];
    for _ in 0..2 {
        // The second time, nobody is asked.
        assert_eq!(drifted(&place, &top, said), told);
    }
    write(&top, "src/till.rs", "fn till() {}\n");
    assert_eq!(drifted(&place, &top, said), told[..1]);
    // A name that leads out of quotes, and one of another deleted file.
    commit(&top, "2026-05-05", &[("src/Öfen \"x.rs", "fn oven() {}\n")]);
    fs::remove_file(top.join("src/till.rs")).expect("removed");
    // It was committed again since, and is gone from a day that no commit knows.
    let gone = ["note.md:1: `src/till.rs` is gone", "note.md:1: `till.rs` is gone"];
    assert_eq!(drifted(&place, &top, said), [&told[..1], &gone].concat());
}

//! A vault goes out in each form that comes in again, and comes into another one: no claim, citation, date or state is
//! lost, what is cited stands there, and a second time changes nothing, before pages are compiled and after.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::support::{ken, text};

/// Formats that are read, each with what of a page is its own there.
const FORMATS: &[&str] = &["jsonl", "okf", "basic-memory", "llm-wiki-compiler", "hydraflow", "recall"];

fn at(folder: &Path, now: &str, args: &[&str]) -> (String, bool) {
    let done = ken(folder, args).env("KEN_NOW", now).output().expect("the binary runs");
    (format!("{}{}", text(&done.stdout), text(&done.stderr)), done.status.success())
}

#[track_caller]
fn well(folder: &Path, args: &[&str]) -> String {
    let (said, is_well) = at(folder, "2026-06-01T12:00:00Z", args);
    assert!(is_well, "{args:?}: {said}");
    said
}

/// Six notes of a month in which two things changed, and a document.
fn vault(root: &Path) {
    fs::create_dir_all(root.join("vault")).expect("a new folder");
    let vault = root.join("vault");
    fs::write(
        root.join("mill.md"),
        "# Mill\n\nThe mill delivers rye on Tuesdays. The mill contract ends in December 2026.\n",
    )
    .expect("a new file");
    well(&vault, &["init"]);
    let notes = [
        (
            "2026-05-01T09:00:00Z",
            "Decision: the ledger of the bakery runs on Postgres 16, because of its columns of JSON.",
        ),
        ("2026-05-03T09:00:00Z", "The ledger has a table for each shop. The flour silo holds four tonnes of rye."),
        ("2026-05-11T09:00:00Z", "The deck oven is heated to 250 degrees. The deck oven stands beside the flour silo."),
        (
            "2026-05-12T09:00:00Z",
            "The deck oven is heated to 240 degrees instead of 250 degrees. TODO: clean the flour silo.",
        ),
        (
            "2026-05-20T09:00:00Z",
            "The ledger was moved from Postgres 16 to Postgres 17. The flour silo is filled through the north gate.",
        ),
    ];
    for (now, note) in notes {
        let (said, is_well) = at(&vault, now, &["log", note]);
        assert!(is_well, "{said}");
    }
    well(&vault, &["ingest", "../mill.md"]);
    well(&vault, &["compile"]);
}

/// The files of an export, but for what names the vault that it came from or the moment.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let (mut out, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(at) = folders.pop() {
        for path in fs::read_dir(&at).expect("it can be read").flatten().map(|entry| entry.path()) {
            let name = path.strip_prefix(folder).expect("inside").to_string_lossy().replace('\\', "/");
            let is_of_export = [".kenning-export.json", "index.md", "log.md"].iter().any(|file| name.ends_with(file));
            if path.is_dir() {
                folders.push(path);
            } else if !is_of_export && !name.starts_with(".kenning/") {
                out.insert(name, fs::read_to_string(&path).expect("text"));
            }
        }
    }
    out
}

/// The claims of a vault: words, state, day, and the words of what is cited.
fn claims(folder: &Path, to: &Path) -> Vec<(String, String, String, Vec<String>)> {
    well(folder, &["export", "jsonl", &to.to_string_lossy(), "--force"]);
    let lines = fs::read_to_string(to).expect("text");
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let said = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut out: Vec<_> = lines
        .filter(|line| line["kind"] == "claim")
        .map(|line| {
            let cited = line["citations"].as_array().expect("a list").iter().map(|one| said(&one["digest"])).collect();
            (said(&line["text"]), said(&line["state"]), said(&line["said_on"]), cited)
        })
        .collect();
    out.sort();
    out
}

#[track_caller]
fn has_no_error(folder: &Path, when: &str) {
    let (said, is_well) = at(folder, "2026-06-01T12:00:00Z", &["lint"]);
    assert!(is_well, "{when}: {said}");
}

fn goes_round(format: &str, root: &Path) {
    let place = |name: &str| root.join(format!("{format}-{name}"));
    let shown = |name: &str| place(name).to_string_lossy().into_owned();
    let (vault, other) = (root.join("vault"), place("other"));
    fs::create_dir_all(&other).expect("a new folder");
    well(&vault, &["export", format, &shown("first")]);
    well(&other, &["init"]);
    well(&other, &["import", format, &shown("first"), "--trust", "user"]);
    let again = well(&other, &["import", format, &shown("first"), "--trust", "user"]);
    assert!(again.contains("Nothing is new"), "{format}: {again}");
    has_no_error(&other, format);
    let exported = |name: &str| {
        well(&other, &["export", format, &shown(name)]);
        if format == "jsonl" { BTreeMap::new() } else { files(&place(name)) }
    };
    let first = if format == "jsonl" { BTreeMap::new() } else { files(&place("first")) };
    for (name, when) in [("second", "before a compile"), ("third", "after one")] {
        let now = exported(name);
        for (path, text) in &first {
            assert_eq!(now.get(path), Some(text), "{format} {when}: {path}");
        }
        let more: Vec<&String> = now.keys().filter(|path| !first.contains_key(*path)).collect();
        assert!(more.is_empty(), "{format} {when}: {more:?}");
        well(&other, &["compile"]);
        has_no_error(&other, &format!("{format} {when}"));
    }
    let before = claims(&vault, &place("before.jsonl"));
    let after = claims(&other, &place("after.jsonl"));
    assert!(before.len() >= 8, "{before:?}");
    for (said, state, day, cited) in &before {
        let is_there = after.iter().any(|(words, now, since, rests)| {
            let is_said = words.contains(said.as_str()) && cited.iter().all(|one| rests.contains(one));
            // A note says the state in words of its own.
            is_said
                && (since == day || day.is_empty())
                && (now == state || words.contains('[') || format == "hydraflow")
        });
        assert!(is_there, "{format}: {said} ({state}, {day}, {cited:?}) is lost: {after:#?}");
    }
}

#[test]
fn what_goes_out_comes_in_again_whole_and_a_second_time_changes_nothing() {
    let root = TempDir::new().expect("a folder");
    vault(root.path());
    FORMATS.iter().for_each(|format| goes_round(format, root.path()));
}

/// What is somebody else's is marked, and what was replaced there is no statement here: nothing shows as a contradiction.
#[test]
fn what_others_replaced_comes_in_from_no_format_as_a_statement() {
    let root = TempDir::new().expect("a folder");
    vault(root.path());
    for format in FORMATS {
        let out = root.path().join(format!("{format}-out"));
        let place = out.to_string_lossy().into_owned();
        well(&root.path().join("vault"), &["export", format, &place]);
        let other = root.path().join(format!("{format}-external"));
        fs::create_dir_all(&other).expect("a new folder");
        well(&other, &["init"]);
        well(&other, &["import", format, &place, "--trust", "external"]);
        well(&other, &["compile"]);
        let lint = at(&other, "2026-06-01T12:00:00Z", &["lint", "--all"]).0;
        assert!(!lint.contains("contradict") && !lint.contains("disput"), "{format}: {lint}");
        let answer = well(&other, &["ask", "to how many degrees is the deck oven heated?"]);
        assert!(answer.contains("240") && answer.contains("external"), "{format}: {answer}");
        for path in files(&other).into_iter().filter(|(path, _)| path.starts_with("knowledge/")) {
            assert!(!path.1.contains("~~"), "{format}: {} {}", path.0, path.1);
        }
    }
}

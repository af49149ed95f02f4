//! What a command that could not be completed says, and what becomes of giving it again.

#![cfg(unix)]

use std::fs;
use std::process::{Command, Output};

use crate::support::{Place, text};

const NOTE: &str = "The oven is hot.";

/// Runs `ken log` where no file may grow beyond so many blocks of 512 bytes, as on a disk without room.
fn log_with_room_for(place: &Place, blocks: usize) -> Output {
    let ken = env!("CARGO_BIN_EXE_ken");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec '{ken}' log --json '{NOTE}'"));
    shell.current_dir(place.project()).env_clear().env("KEN_NOW", "2026-06-01T12:00:00Z").env("TZ", "UTC");
    shell.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    shell.env("HOME", place.home()).output().expect("the shell runs")
}

#[test]
fn a_note_that_was_recorded_says_so_and_is_not_doubled_by_a_retry() {
    let place = Place::new();
    let day = place.project().join("daily/2026-06-01.md");
    fs::create_dir_all(day.parent().expect("a folder")).expect("a new folder");
    // The day is larger than any file may become, the record of the change is not: it is decided, and then
    // there is no room.
    fs::write(&day, format!("# A long day\n\n{}\n", "x".repeat(60_000))).expect("a new file");
    let output = log_with_room_for(&place, 64);
    assert_eq!(output.status.code(), Some(5), "{}{}", text(&output.stdout), text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains(r#""kind":"recorded""#) && !said.contains("nothing was changed"), "{said}");
    let again = place.ken(&["log", NOTE]).output().expect("the binary runs");
    assert!(again.status.success() && text(&again.stdout).contains("Already recorded"), "{}", text(&again.stdout));
    assert_eq!(place.journal().matches(NOTE).count(), 1);
}

#[test]
fn a_note_for_whose_record_there_was_no_room_was_not_taken_and_a_retry_adds_it() {
    let place = Place::new();
    let output = log_with_room_for(&place, 0);
    assert!([Some(3), Some(4)].contains(&output.status.code()), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("nothing was changed"), "{}", text(&output.stderr));
    assert!(!place.journal().contains(NOTE));
    let again = place.ken(&["log", NOTE]).output().expect("the binary runs");
    assert!(again.status.success() && text(&again.stdout).contains("Added a note"), "{}", text(&again.stdout));
}

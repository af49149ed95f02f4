//! Distilling as a process that is killed, or that meets another one.
#![cfg(unix)]

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{ANSWER_EACH, Place, text};

const REPLY: &str = r#"{"worth":true,"title":"","context":[],"exchanges":[],"decisions":[{"text":"It was decided to bake a loaf.","lines":[2,2]}],"lessons":[],"actions":[]}"#;

/// Calls the command with a program as the model that notes each call in a file.
fn distill(place: &Place) -> Command {
    fs::write(place.home().join("reply.json"), REPLY).expect("a new file");
    let script = format!("echo x >> ~/calls\nasked=$(cat)\none() {{ cat ~/reply.json; }}\n{ANSWER_EACH}");
    fs::write(place.home().join("model.sh"), script).expect("a new file");
    let mut command = place.ken(&["--wait", "60", "distill", "--model", "command:sh -c 'sh ~/model.sh'"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn n_calls(place: &Place) -> usize {
    fs::read_to_string(place.home().join("calls")).unwrap_or_default().lines().count()
}

fn n_distilled(place: &Place) -> usize {
    place.journal().matches(" distilled=command:sh ").count()
}

fn captured(n_sessions: usize) -> Place {
    let place = Place::new();
    for n in 0..n_sessions {
        place.session(&format!("s{n}"), &[&format!("We decided to bake loaf number {n}.")]);
    }
    assert!(place.ken(&["sync", "--quiet"]).status().expect("it runs").success());
    place
}

#[test]
fn killed_between_the_reply_and_the_journal_it_goes_on_without_paying_again() {
    let place = captured(1);
    let held = fs::File::create(place.project().join(".kenning/lock")).expect("opens");
    held.lock().expect("nobody else has it");
    let mut child = distill(&place).spawn().expect("it runs");
    let replies = place.project().join(".kenning/replies/distill");
    // What is being written has another name until it is whole.
    let is_reply = |file: fs::DirEntry| !file.file_name().to_string_lossy().starts_with('.');
    place.until("the reply is kept", |_| fs::read_dir(&replies).is_ok_and(|files| files.flatten().any(is_reply)));
    child.kill().expect("it waits for the vault");
    child.wait().expect("it ends");
    drop(held);
    assert_eq!((n_distilled(&place), n_calls(&place)), (0, 1));
    assert!(distill(&place).status().expect("it runs").success());
    assert_eq!((n_distilled(&place), n_calls(&place)), (1, 1), "{}", place.journal());
}

#[test]
fn killed_at_any_moment_it_loses_and_doubles_nothing() {
    let place = captured(12);
    let before = place.journal();
    for n in 0..12_u64 {
        let mut child = distill(&place).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(6 * n));
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    place.until("nobody holds the right to ask", |place| distill(place).status().is_ok_and(|status| status.success()));
    assert_eq!(n_distilled(&place), 12, "{}", place.journal());
    assert!(place.journal().starts_with(&before) && n_calls(&place) <= 24, "{} calls", n_calls(&place));
}

#[test]
fn of_two_at_once_one_asks_and_every_session_is_distilled_once() {
    let place = captured(6);
    let mut both = [distill(&place).spawn().expect("it runs"), distill(&place).spawn().expect("it runs")];
    for child in &mut both {
        child.wait().expect("it ends");
    }
    let output = place.ken(&["distill", "--offline", "--json"]).output().expect("it runs");
    assert!(text(&output.stdout).contains("\"before\": 6"), "{}", text(&output.stdout));
    assert_eq!((n_distilled(&place), n_calls(&place)), (6, 1));
}

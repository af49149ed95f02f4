//! Several processes capture one transcript that grows, and are killed on the way: every line arrives once.

use std::fs;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::support::Place;

/// Lines that are said in all.
const LINES: usize = 600;

fn said(n: usize) -> String {
    format!(
        "{{\"type\":\"assistant\",\"isSidechain\":false,\"sessionId\":\"s\",\"uuid\":\"u-{n}\",\"timestamp\":\"2026-06-01T09:00:00Z\",\"message\":{{\"role\":\"assistant\",\"content\":\"We decided to use shelf {n} for bread.\"}}}}\n"
    )
}

#[test]
fn of_a_growing_transcript_captured_and_killed_all_at_once_every_line_arrives_once() {
    let place = Place::new();
    let transcript = place.session("s", &["We decided to begin."]);
    let path = transcript.display().to_string();
    let start = || -> Child {
        let mut command = place.ken(&["capture", "--wait", "60", &path]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary runs")
    };
    let mut file = fs::File::options().append(true).open(&transcript).expect("it exists");
    let (mut running, mut n_said, mut n_killed) = (Vec::new(), 0, 0);
    let mut pause = 7_u64;
    while n_said < LINES {
        for n in n_said..(n_said + 41).min(LINES) {
            file.write_all(said(n).as_bytes()).expect("there is room");
        }
        n_said = (n_said + 41).min(LINES);
        running.extend((0..3).map(|_| start()));
        pause = (pause * 31 + 11) % 53;
        std::thread::sleep(Duration::from_millis(pause));
        // One of three is killed wherever it is.
        let mut child = running.swap_remove(running.len() / 2);
        n_killed += usize::from(child.try_wait().is_ok_and(|status| status.is_none()));
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    for mut child in running {
        assert!(child.wait().expect("it ends").success());
    }
    assert!(start().wait().expect("it ends").success());
    let journal = place.journal();
    let wrong = |n: &usize| journal.matches(&format!("- We decided to use shelf {n} for bread.\n")).count() != 1;
    let wrong: Vec<usize> = (0..LINES).filter(wrong).collect();
    assert!(wrong.is_empty() && n_killed > 3, "{n_killed} killed; not there once: {wrong:?}");
}

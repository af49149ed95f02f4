//! Several processes set the state of a project at once, and are killed on the way.

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::support::Place;

fn start(place: &Place, name: &str) -> Child {
    let mut command = place.ken(&["state", "set", name, "--wait", "60"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary runs")
}

/// How often a task stands on the page and in the record.
fn stands(place: &Place, name: &str) -> (usize, usize) {
    let read = |file: &str| fs::read_to_string(place.project().join(file)).expect("it is there");
    let on_page = read("state.md").matches(&format!("- [ ] {name} (")).count();
    (on_page, read("state.json").matches(&format!("\"name\": \"{name}\"")).count())
}

#[test]
fn writers_of_the_state_lose_nothing_of_one_another() {
    let place = Place::new();
    let names: Vec<String> = (0..20).map(|n| format!("Bake bread {n}")).collect();
    let running: Vec<Child> = names.iter().map(|name| start(&place, name)).collect();
    for mut child in running {
        assert!(child.wait().expect("it ends").success());
    }
    for name in &names {
        assert_eq!(stands(&place, name), (1, 1), "{name}");
    }
}

#[test]
fn a_writer_of_the_state_that_is_killed_leaves_page_and_record_together() {
    let place = Place::new();
    for n in 0..20 {
        let mut child = start(&place, &format!("Bake bread {n}"));
        std::thread::sleep(Duration::from_millis(n * 3));
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    // The next one completes what was decided.
    assert!(start(&place, "Sell bread").wait().expect("it ends").success());
    for n in 0..20 {
        let (on_page, in_record) = stands(&place, &format!("Bake bread {n}"));
        assert!(on_page == in_record && on_page <= 1, "{n}: {on_page} and {in_record}");
    }
    assert_eq!(stands(&place, "Sell bread"), (1, 1));
}

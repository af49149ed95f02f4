//! Many agents that write into one vault at the same time.

use std::process::Stdio;

use crate::support::{Place, text};

const WRITERS: usize = 20;

#[test]
fn twenty_writers_at_once_lose_nothing_and_take_each_phase_once() {
    let place = Place::new();
    // Ten issues, each by two agents who hand in the same plan.
    let start = |n: usize| {
        let (issue, note) = ((n / 2 + 1).to_string(), format!("We decided to bake loaf {} at noon.", n / 2));
        let mut command = place.ken(&["log", "--wait", "60", "--issue", &issue, "--phase", "plan", &note]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
    };
    let writers: Vec<_> = (0..WRITERS).map(start).collect();
    let mut n_repeats = 0;
    for writer in writers {
        let output = writer.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", text(&output.stderr));
        n_repeats += usize::from(text(&output.stdout).contains("Already recorded"));
    }
    let journal = place.journal();
    for issue in 1..=WRITERS / 2 {
        assert_eq!(journal.matches(&format!("- Issue {issue}, plan: ")).count(), 1, "{journal}");
        assert_eq!(journal.matches(&format!("- We decided to bake loaf {} at noon.\n", issue - 1)).count(), 1);
    }
    assert_eq!((n_repeats, journal.matches("# Daily Log").count()), (WRITERS / 2, 1), "{journal}");
}

#[test]
fn twenty_issues_at_once_are_twenty_entries_that_compile() {
    let place = Place::new();
    let start = |n: usize| {
        let (issue, note) = ((n + 1).to_string(), format!("The oven {n} is heated by `src/oven_{n}.rs`."));
        let mut command = place.ken(&["log", "--wait", "60", "--issue", &issue, "--phase", "implement", &note]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary runs")
    };
    let writers: Vec<_> = (0..WRITERS).map(start).collect();
    for writer in writers {
        let output = writer.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let journal = place.journal();
    let headings: Vec<&str> = journal.lines().filter(|line| line.starts_with("### ")).collect();
    assert_eq!(headings.len(), WRITERS, "{journal}");
    assert!(place.ken(&["compile", "--quiet"]).output().expect("the binary runs").status.success());
}

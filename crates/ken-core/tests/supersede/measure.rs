//! Prints what replaced what, of statements given as lines `DAY<tab>EXCHANGE<tab>TEXT`, in order of time.
//!
//! `cargo run --release -p ken-core --example supersede < LINES`: one line for each statement that no longer holds:
//! its number, that of the statement that took its place, the evidence, and from when. Numbers count from 1. An empty
//! line ends a set of statements and begins another; a full stop stands behind what is printed of each.

#![expect(clippy::print_stdout, reason = "it prints its measurements")]

use std::io::Read as _;

use ken_core::supersede::{Said, replaced};

fn main() {
    let mut all = String::new();
    std::io::stdin().read_to_string(&mut all).expect("text");
    for lines in all.split("\n\n") {
        let statement = |line: &'_ str| {
            let mut parts = line.splitn(3, '\t');
            let (day, exchange) = (parts.next()?.parse().ok(), parts.next()?.parse().ok()?);
            Some((day, exchange, parts.next()?.to_owned()))
        };
        let statements: Vec<_> = lines.lines().filter_map(statement).collect();
        let said: Vec<Said<'_>> = statements
            .iter()
            .map(|(day, exchange, text)| Said {
                text,
                day: *day,
                exchange: *exchange,
                may_replace: true,
                is_action: false,
                goes_on: false,
            })
            .collect();
        for (n, found) in replaced(&said).into_iter().enumerate() {
            if let Some(found) = found {
                println!("{}\t{}\t{:?}", n + 1, found.by + 1, found.evidence);
            }
        }
        println!(".");
    }
}

//! Prints what replaced what, of statements given as lines `DAY<tab>EXCHANGE<tab>TEXT`, in order of time.
//!
//! `cargo run --release -p ken-core --example supersede < LINES`: one line for each statement that no longer holds:
//! its number, that of the statement that took its place, and the evidence. Numbers count from 1.

#![expect(clippy::print_stdout, reason = "it prints its measurements")]

use std::io::Read as _;

use ken_core::supersede::{Said, replaced};

fn main() {
    let mut lines = String::new();
    std::io::stdin().read_to_string(&mut lines).expect("text");
    let said: Vec<Said<'_>> = lines
        .lines()
        .filter_map(|line| {
            let mut parts = line.splitn(3, '\t');
            let (day, exchange, text) = (parts.next()?, parts.next()?, parts.next()?);
            Some(Said { text, day: day.parse().ok(), exchange: exchange.parse().ok()?, may_replace: true })
        })
        .collect();
    for (n, found) in replaced(&said).into_iter().enumerate() {
        if let Some(found) = found {
            println!("{}\t{}\t{:?}", n + 1, found.by + 1, found.evidence);
        }
    }
}

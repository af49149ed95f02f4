//! `cargo xtask scrub`: recall, precision and speed of the scrubber on the corpus beside this file.
//!
//! With files as arguments it lists what would be redacted in them instead, one line each, so that a person
//! can judge every redaction in text of their own. It prints to the terminal and writes nothing.

#![allow(clippy::print_stdout, reason = "a measurement is for the terminal")]
#![allow(dead_code, reason = "the tests use the rest of the corpus")]

#[path = "mod.rs"]
mod corpus;

use std::time::Instant;

use corpus::{HELD_OUT, SEED, innocent_lines, measure, planted};
use ken_intake::scrub::{find, scrub};

/// Sizes of the text whose scrubbing is timed.
const MEGABYTES: [usize; 3] = [1, 10, 100];
const MB: usize = 1_000_000;
const N_RUNS: usize = 5;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if !files.is_empty() {
        files.iter().for_each(|file| list(file));
        return;
    }
    report();
    times();
}

fn report() {
    let figures = measure(SEED, scrub);
    println!("## Missed\n");
    for sample in &figures.missed {
        println!("- {}: {:?}", sample.kind, sample.text);
    }
    println!("\n## False alarms\n");
    for (kind, line, scrubbed) in &figures.false_alarms {
        println!("- {kind}: {line:?}\n  became {scrubbed:?}");
    }
    println!("\n## By kind\n\n| kind | planted | found |\n|---|---|---|");
    for (kind, (planted, found)) in &figures.kinds {
        let mark = if planted == found { "" } else { " (!)" };
        println!("| {kind} | {planted} | {found}{mark} |");
    }
    println!("\n## Figures\n");
    let (n_planted, n_found, n_kinds) = (figures.n_planted(), figures.n_found(), figures.kinds.len());
    println!("- recall {:.4}: {n_found} of {n_planted} planted secrets of {n_kinds} kinds", figures.recall());
    let (n_false, n_innocent) = (figures.false_alarms.len(), figures.n_innocent);
    println!("- false alarms {:.4}: {n_false} of {n_innocent} innocent lines", figures.false_alarm_rate());
    println!("- precision {:.4}: {n_found} of {} redactions were right", figures.precision(), n_found + n_false);
    // Nobody tuned the rules on these.
    for seed in HELD_OUT {
        let other = measure(*seed, scrub);
        let (n_false, n_innocent) = (other.false_alarms.len(), other.n_innocent);
        println!(
            "- with seed {seed}, held out: recall {:.4}, {n_false} of {n_innocent} innocent lines",
            other.recall()
        );
    }
}

/// Innocent lines with a planted secret every few hundred, as a long transcript has; and without any.
fn times() {
    println!("\n## Time\n\n| MB | text | seconds | MB/s |\n|---|---|---|---|");
    scrub("warm up: key=1");
    let lines: Vec<String> = innocent_lines(SEED).into_iter().map(|(_, line)| line).collect();
    let secrets = planted(SEED);
    for (name, every) in [("innocent look-alikes", usize::MAX), ("a secret in 300 lines", 300)] {
        for megabytes in MEGABYTES {
            let mut text = String::with_capacity(megabytes * MB + MB);
            let mut n = 0;
            while text.len() < megabytes * MB {
                text.push_str(&lines[n % lines.len()]);
                text.push('\n');
                n += 1;
                if n.is_multiple_of(every) {
                    text.push_str(&secrets[n / every % secrets.len()].text);
                    text.push('\n');
                }
            }
            row(megabytes, name, &text);
        }
    }
    for megabytes in MEGABYTES {
        row(megabytes, "prose", &prose(megabytes * MB));
    }
}

/// Plain sentences: what most of a transcript is.
fn prose(len: usize) -> String {
    let mut noise = corpus::noise::Noise::new(SEED);
    let mut text = String::with_capacity(len + 200);
    while text.len() < len {
        let line = noise.fill("The «word» of the «word» was moved to the «word» on «date», because a «word» takes «d2» minutes there and nobody in the kitchen waits for it.\n");
        text.push_str(&line);
    }
    text
}

fn row(megabytes: usize, name: &str, text: &str) {
    let run = || {
        let started = Instant::now();
        scrub(text);
        started.elapsed().as_secs_f64()
    };
    // The fastest of a few: what else the machine does only ever makes it slower.
    let seconds = (0..N_RUNS).map(|_| run()).fold(f64::INFINITY, f64::min);
    println!("| {megabytes} | {name} | {seconds:.3} | {:.0} |", text.len() as f64 / 1e6 / seconds);
}

/// Characters shown on either side of what would be replaced.
const AROUND: usize = 60;

fn list(file: &str) {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("cannot read `{file}`: {error}"));
    let text = String::from_utf8_lossy(&bytes);
    for one in find(&text) {
        let before: String = text[..one.span.start].chars().rev().take(AROUND).collect();
        let before: String = before.chars().rev().collect();
        let after: String = text[one.span.end..].chars().take(AROUND).collect();
        let line = 1 + text[..one.span.start].matches('\n').count();
        println!("{file}:{line}: {}: {before:?} [[{}]] {after:?}", one.kind, one.span.of(&text));
    }
}

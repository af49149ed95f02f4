//! Measures `meaning` on its corpus of right and wrong claims.
//!
//! `cargo run -p ken-core --example meaning`: how many are refused, lowered, asked about, by half, language, fault and
//! rule. With `tuned` as argument what was missed and what was doubted for nothing is listed of the half that rules may
//! be written from; the other is never listed. Nothing is kept. At its end it says what becomes of the claims when a model
//! is asked about those that are doubted: one that is always right, which is the most that asking can bring, one that says
//! yes to everything and is believed, and one whose yes is refused because it errs about what is plain.

#![expect(clippy::print_stdout, reason = "it prints its measurements")]
#![expect(clippy::disallowed_methods, reason = "it is told by an argument what to list")]

use std::collections::BTreeMap;

use ken_core::meaning::corpus::{Case, cases};
use ken_core::meaning::{Action, Doubt};

#[derive(Default)]
struct Tally {
    n: usize,
    refused: usize,
    lowered: usize,
    asked: usize,
}

impl Tally {
    fn add(&mut self, doubts: &[Doubt]) {
        self.n += 1;
        match doubts.iter().map(|doubt| doubt.action).max() {
            Some(Action::Reject) => self.refused += 1,
            Some(Action::Lower) => self.lowered += 1,
            Some(Action::Ask) => self.asked += 1,
            None => {}
        }
    }

    fn print(&self, name: &str) {
        let any = self.refused + self.lowered + self.asked;
        let share = any as f64 * 100.0 / self.n.max(1) as f64;
        let Tally { n, refused, lowered, asked } = self;
        println!("{name:<24} {n:>4}: {refused} refused, {lowered} lowered, {asked} asked: {any} ({share:.0} %)");
    }
}

fn main() {
    let is_listed = std::env::args().any(|argument| argument == "tuned");
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for case in cases() {
        let doubts = case.doubts();
        let half = if case.is_tuned() { "tuned" } else { "unseen" };
        let sort = if case.fault.is_some() { "wrong" } else { "right" };
        let mut add = |name: String| tallies.entry(name).or_default().add(&doubts);
        add(format!("{half} {sort}"));
        add(format!("{half} {sort} {}", case.language));
        if let Some(fault) = case.fault {
            add(format!("{half} fault {fault}"));
        }
        for doubt in &doubts {
            add(format!("{half} rule {:?} {sort}", doubt.rule));
        }
        if is_listed && case.is_tuned() && (case.fault.is_none() != doubts.is_empty()) {
            list(&case, &doubts);
        }
    }
    for (name, tally) in tallies {
        tally.print(&name);
    }
    for half in [Some(true), Some(false), None] {
        let all: Vec<Case<'_>> =
            cases().into_iter().filter(|case| half.is_none_or(|half| case.is_tuned() == half)).collect();
        print_asked(["both halves", "tuned", "unseen"][half.map_or(0, |half| 2 - usize::from(half))], &all);
    }
}

/// Prints what becomes of the wrong and the right claims, by who is asked about those that are doubted.
fn print_asked(half: &str, all: &[Case<'_>]) {
    for is_wrong in [true, false] {
        let mut n = [0usize; 4];
        for case in all.iter().filter(|case| case.fault.is_some() == is_wrong) {
            let sort = match case.doubts().iter().map(|doubt| doubt.action).max() {
                None => 1,
                Some(Action::Reject) => 2,
                Some(_) => 3,
            };
            n[0] += 1;
            n[sort] += 1;
        }
        let [all, _, refused, doubted] = n;
        let percent = |n: usize| n as f64 * 100.0 / all.max(1) as f64;
        let sort = if is_wrong { "wrong" } else { "right" };
        let row = |who: &str, refused: usize, unverified: usize| {
            let (bad, any) = (percent(refused), percent(refused + unverified));
            println!(
                "{half:<12} {sort} {who:<34} {refused:>3} refused ({bad:.0} %), {unverified:>3} unverified: {any:.0} %"
            );
        };
        row("rules alone, or a yes that is lazy", refused, doubted);
        row("rules, and one who is always right", refused + if is_wrong { doubted } else { 0 }, 0);
        row("rules, and any yes believed", refused, 0);
    }
}

fn list(case: &Case<'_>, doubts: &[Doubt]) {
    let cited: Vec<&str> = (case.lines.0..=case.lines.1).map(|line| case.text[line - 1]).collect();
    let what = case.fault.map_or("FALSE", |_| "MISSED");
    let rules: Vec<String> = doubts.iter().map(|doubt| format!("{:?}", doubt.rule)).collect();
    println!("{what} {} {:?} {} <- {}\n", case.fault.unwrap_or(""), rules.join(" "), case.claim, cited.join(" / "));
}

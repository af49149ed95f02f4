//! Measures `ground` and `orders` on texts from standard input.
//!
//! Texts are separated by a line of a form feed and a name; a name that is a date is the day of the text.
//! Every sentence is taken as a claim that cites its own paragraph, as it stands, spelled otherwise, and
//! with one thing changed to another of the same corpus. Then every sentence is asked whether it is an order.
//! With `hits` as argument what was found in unchanged sentences is listed. Nothing is kept.

#![expect(clippy::print_stdout, reason = "it prints its measurements")]
#![expect(clippy::disallowed_methods, reason = "it is told by an argument what to list, and stops its own time")]

use std::collections::BTreeMap;
use std::io::Read;

use ken_core::ground::{Kind, Missing, missing};
use ken_core::markdown::{BlockKind, blocks};
use ken_core::text::{one_line, sentences};
use ken_core::{Date, Span, orders};

/// A sentence with the paragraph around it.
struct Case<'a> {
    claim: &'a str,
    cited: &'a str,
    day: Option<Date>,
}

const KINDS: [Kind; 5] = [Kind::Number, Kind::Date, Kind::Name, Kind::Quote, Kind::Negation];

fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).expect("standard input");
    let text = String::from_utf8_lossy(&input).into_owned();
    let is_listed = std::env::args().any(|argument| argument == "hits");
    let cases = cases(&text);
    println!("{} sentences", cases.len());
    self_cited(&cases, is_listed);
    respelled(&cases, is_listed);
    changed(&cases, is_listed);
    orders(&cases, is_listed);
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut out = Vec::new();
    for document in text.split('\u{c}').skip(1) {
        let (name, body) = document.split_once('\n').unwrap_or((document, ""));
        let day = name.trim().parse().ok();
        for block in blocks(body, Span::new(0, body.len())) {
            if matches!(block.kind, BlockKind::Paragraph | BlockKind::Item) {
                let cited = block.span.of(body);
                let found = sentences(cited).into_iter().map(|span| span.of(cited));
                let found = found.filter(|claim| claim.split_whitespace().count() >= 3 && claim.len() <= 700);
                out.extend(found.map(|claim| Case { claim, cited, day }));
            }
        }
    }
    out
}

fn check(case: &Case<'_>, claim: &str) -> Vec<Missing> {
    missing(claim, &[case.cited], case.day, &|_| false)
}

fn self_cited(cases: &[Case<'_>], is_listed: bool) {
    let begin = std::time::Instant::now();
    let mut n_by_kind = BTreeMap::new();
    let mut n_claims = 0;
    for case in cases {
        let found = check(case, case.claim);
        n_claims += usize::from(!found.is_empty());
        for missing in &found {
            *n_by_kind.entry(missing.kind).or_insert(0) += 1;
            if is_listed {
                println!("FALSE {missing:?} IN {} CITED {}", one_line(case.claim), one_line(case.cited));
            }
        }
    }
    let micros = begin.elapsed().as_micros() as f64 / cases.len().max(1) as f64;
    println!("as they stand: {} ungrounded {n_by_kind:?}, {micros:.1} µs each", share(n_claims, cases.len()));
}

/// Other spellings of the same; what no spelling applies to is not counted.
fn respelled(cases: &[Case<'_>], is_listed: bool) {
    type Respell = fn(&str, &Case<'_>) -> Option<String>;
    let ways: [(&str, Respell); 6] = [
        ("digits as words", |claim, _| spelled(claim, " 15 ", " fifteen ").or_else(|| small_number(claim))),
        ("thousands apart", thousands),
        ("hyphen for space before a unit", |claim, _| {
            spelled(claim, " minutes", "-minute").or_else(|| spelled(claim, " days", "-day"))
        }),
        ("percent in words", |claim, _| spelled(claim, "% ", " percent ")),
        ("dates in words", dates_in_words),
        ("lower case", |claim, _| Some(claim.to_lowercase()).filter(|lower| lower != claim)),
    ];
    for (name, respell) in ways {
        let (mut n, mut n_wrong) = (0, 0);
        for case in cases {
            // Code and quotes have one spelling.
            let is_bound = name != "lower case" && case.claim.contains(['`', '"', '“']);
            let Some(claim) = respell(case.claim, case).filter(|_| !is_bound) else { continue };
            let found = check(case, &claim);
            n += 1;
            n_wrong += usize::from(!found.is_empty());
            if is_listed && !found.is_empty() {
                println!("RESPELLED {name} {found:?} IN {}", one_line(&claim));
            }
        }
        println!("{name}: {} ungrounded", share(n_wrong, n));
    }
}

fn spelled(claim: &str, from: &str, to: &str) -> Option<String> {
    claim.contains(from).then(|| claim.replacen(from, to, 1))
}

fn small_number(claim: &str) -> Option<String> {
    let words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    words.iter().enumerate().find_map(|(n, word)| spelled(claim, &format!(" {} ", n + 2), &format!(" {word} ")))
}

fn thousands(claim: &str, _: &Case<'_>) -> Option<String> {
    let at = claim.match_indices(',').find(|(at, _)| {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let ends = claim.get(at + 4..at + 5).is_none_or(|next| !digits(next));
        claim[..*at].ends_with(|ch: char| ch.is_ascii_digit()) && ends && claim.get(at + 1..at + 4).is_some_and(digits)
    })?;
    Some(format!("{}{}", &claim[..at.0], &claim[at.0 + 1..]))
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn dates_in_words(claim: &str, case: &Case<'_>) -> Option<String> {
    let found =
        missing(claim, &[""], case.day.and_then(|day| day.checked_sub(jiff::Span::new().years(40)).ok()), &|_| false);
    let date = found.into_iter().find(|missing| missing.kind == Kind::Date && missing.text.parse::<Date>().is_ok())?;
    let day: Date = date.text.parse().ok()?;
    spelled(claim, &date.text, &format!("{} {} {}", day.day(), MONTHS[day.month() as usize - 1], day.year()))
}

/// One thing of each claim changed to another of the corpus.
fn changed(cases: &[Case<'_>], is_listed: bool) {
    let mut pools: BTreeMap<(Kind, bool), Vec<String>> = BTreeMap::new();
    let said: Vec<Vec<Missing>> = cases.iter().map(|case| missing(case.claim, &[""], None, &|_| false)).collect();
    for (case, things) in cases.iter().zip(&said) {
        for thing in things {
            pools.entry((thing.kind, is_other_form(case.claim, thing))).or_default().push(thing.text.clone());
        }
    }
    let mut seed = 7_usize;
    for kind in KINDS.into_iter().filter(|kind| *kind != Kind::Negation) {
        let (mut n, mut n_found) = (0, 0);
        for (case, things) in cases.iter().zip(&said) {
            let Some(old) = things.iter().find(|thing| thing.kind == kind) else { continue };
            let Some(pool) = pools.get(&(kind, is_other_form(case.claim, old))) else { continue };
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let new = &pool[(seed >> 20) % pool.len()];
            // The day of the text needs no evidence, so it is no change that could be seen.
            let is_day = kind == Kind::Date && missing(new, &[""], case.day, &|_| false).is_empty();
            if is_day || is_same(case, &old.text, new) {
                continue;
            }
            let found = check(case, &case.claim.replacen(&old.text, new, 1));
            n += 1;
            let is_found = found.iter().any(|missing| missing.kind == kind);
            n_found += usize::from(is_found);
            if is_listed && !is_found {
                println!(
                    "OVERLOOKED {kind:?} `{}` -> `{new}` IN {} DAY {:?}",
                    old.text,
                    one_line(case.cited),
                    case.day
                );
            }
        }
        println!("changed {kind:?}: {} found", share(n_found, n));
    }
    negated(cases, is_listed);
}

/// Whether a thing is of the second form of its kind: a name in backticks, a number in words.
fn is_other_form(claim: &str, thing: &Missing) -> bool {
    match thing.kind {
        Kind::Name => claim.find(&thing.text).is_some_and(|at| claim[..at].ends_with('`')),
        Kind::Number => thing.text.starts_with(char::is_alphabetic),
        Kind::Date => !thing.text.starts_with(|ch: char| ch.is_ascii_digit()),
        _ => false,
    }
}

/// Whether the cited text says the other thing as well, or the other thing is the same in other words.
fn is_same(case: &Case<'_>, old: &str, new: &str) -> bool {
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let digits = |text: &str| match words.iter().position(|word| *word == text.to_lowercase()) {
        Some(n) => (n + 1).to_string(),
        None => text.trim_end_matches("’s").to_owned(),
    };
    let cited = case.cited.to_lowercase();
    let new = new.to_lowercase();
    let said = cited.split(|ch: char| !ch.is_alphanumeric()).any(|word| digits(word) == digits(&new));
    said || cited.contains(&new) || digits(&old.to_lowercase()) == digits(&new)
}

fn negated(cases: &[Case<'_>], is_listed: bool) {
    let flips = [(" is ", " is not "), (" should ", " should not "), (" was ", " was not "), (" can ", " cannot ")];
    let mut counts = [(0, 0), (0, 0)];
    for case in cases {
        for (yes, no) in flips {
            for (n, (from, to)) in [(yes, no), (no, yes)].into_iter().enumerate() {
                if case.claim.matches(from).count() != 1 || case.claim.contains(no) != (n == 1) {
                    continue;
                }
                let found = check(case, &case.claim.replacen(from, to, 1));
                let is_found = found.iter().any(|missing| missing.kind == Kind::Negation);
                counts[n].0 += usize::from(is_found);
                counts[n].1 += 1;
                if is_listed && !is_found && n == 1 {
                    println!("OVERLOOKED flip IN {}", one_line(case.claim));
                }
            }
        }
    }
    println!("`not` added: {} found", share(counts[0].0, counts[0].1));
    println!("`not` taken away: {} found", share(counts[1].0, counts[1].1));
}

fn orders(cases: &[Case<'_>], is_listed: bool) {
    let mut n_by_rule = BTreeMap::new();
    let begin = std::time::Instant::now();
    for case in cases {
        // Some corpora begin every turn with its speaker.
        let said = case.claim.trim_start_matches("user: ").trim_start_matches("assistant: ");
        if let Some(order) = orders::order(said) {
            *n_by_rule.entry(order.rule).or_insert(0) += 1;
            if is_listed {
                println!("ORDER {order:?} IN {}", one_line(case.claim));
            }
        }
    }
    let micros = begin.elapsed().as_micros() as f64 / cases.len().max(1) as f64;
    println!("orders: {} {n_by_rule:?}, {micros:.1} µs each", share(n_by_rule.values().sum(), cases.len()));
}

fn share(n: usize, n_all: usize) -> String {
    format!("{n} of {n_all} ({:.3} %)", 100.0 * n as f64 / n_all.max(1) as f64)
}

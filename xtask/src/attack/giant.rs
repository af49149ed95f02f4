//! Inputs of a size that nobody expects: every command ends in time and within bounded memory.

use std::fs;
use std::time::Duration;

use super::arena::{Arena, ended_within, write};
use super::{Plan, Tally};

/// Longest that a command may take on any of them, on a slow machine and without optimising.
const TIME_MAX: Duration = Duration::from_secs(240);

/// A vault of some size: its name, and how it is made.
type Shape = (&'static str, fn(&Arena, usize) -> Result<(), String>);

const SHAPES: &[Shape] = &[
    ("one line of text", |arena, n| {
        arena.plant("raw/line.md", "The oven timer rings twice and the till is loud. ".repeat(n * 200))
    }),
    ("one sentence repeated", |arena, n| {
        arena.plant("daily/2026-05-20.md", "- The [[oven]] timer rings twice.\n".repeat(n * 100))
    }),
    ("a page with many aliases", |arena, n| {
        let aliases: String = (0..n * 200).map(|n| format!("alias-{n}, ")).collect();
        arena.plant("knowledge/concepts/many.md", format!("---\ntitle: Many\naliases: [{aliases}]\n---\n# Many\n"))
    }),
    ("deep folders", |arena, n| {
        let folders = "a/".repeat((n * 2).min(400));
        arena.plant(&format!("knowledge/{folders}x.md"), "# Deep\n")
    }),
    ("open brackets", |arena, n| arena.plant("raw/brackets.md", "[[".repeat(n * 2_000))),
    ("nested quotes", |arena, n| arena.plant("raw/quotes.md", format!("{} deep\n", ">".repeat(n * 500)))),
    ("many headings", |arena, n| {
        arena.plant("raw/heads.md", (0..n * 50).map(|n| format!("# Heading {n}\n\nText {n}.\n")).collect::<String>())
    }),
    ("a header without an end", |arena, n| {
        arena.plant("knowledge/open.md", format!("---\n{}", "key: value\n".repeat(n * 500)))
    }),
    ("a transcript of one line", |arena, n| {
        let said = "We decided that the oven rings. ".repeat(n * 300);
        let line = format!(
            r#"{{"type":"assistant","sessionId":"s","cwd":"/","timestamp":"2026-06-01T09:00:00Z","message":{{"role":"assistant","content":"{said}"}}}}"#
        );
        write(&arena.outside().join("giant.jsonl"), (line + "\n").as_bytes())
    }),
    ("nested JSON", |arena, n| {
        write(&arena.outside().join("giant.jsonl"), format!("{}\n", "{\"a\":".repeat(n * 500)).as_bytes())
    }),
    ("markup without an end", |arena, n| arena.plant("raw/open.html", "<div><a href=\"".repeat(n * 500))),
];

pub(super) fn giant(plan: &Plan) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let n = plan.of(10, 100);
    for (name, make) in SHAPES {
        let arena = Arena::new(&plan.ken)?;
        arena.done(&["init", "--quiet"])?;
        make(&arena, n)?;
        let giant = arena.outside().join("giant.jsonl").display().to_string();
        let mut commands: Vec<Vec<&str>> = [
            &["compile"][..],
            &["lint"],
            &["search", "oven"],
            &["context", "oven"],
            &["scan"],
            &["brief"],
            &["rebuild", "--all"],
        ]
        .map(<[&str]>::to_vec)
        .to_vec();
        if fs::metadata(&giant).is_ok() {
            commands.insert(0, vec!["capture", &giant]);
        }
        for args in commands {
            let command = arena.ken(&args);
            tally.tries += 1;
            match ended_within(command, TIME_MAX) {
                Ok(output) if output.status.code().is_some_and(|code| code != 70) => {}
                Ok(output) => {
                    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                    tally.violations.push(format!("{name}: `ken {}`: {:?} {said}", args.join(" "), output.status));
                }
                Err(why) => tally.violations.push(format!("{name}: {why}")),
            }
        }
    }
    Ok(tally)
}

//! `ken targets`: pages that are wanted and are not there.

use ken_core::Slug;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{BOLD, DIM};
use crate::table::Cell;
use crate::text::{brief, number};
use crate::ui::Ui;

/// Longest name that is printed, in characters.
const NAME_CHARS_MAX: usize = 60;
/// Pages that are named in a row.
const BY_MAX: usize = 5;

/// List what links lead to that has no page yet, and who wants it
///
/// Links, relations and redirects of all pages are looked at; those named most come
/// first. Exits with 1 when something is wanted.
///
/// Examples:
///   ken targets
///   ken targets --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct Wire<'a> {
    targets: Vec<TargetWire<'a>>,
}

#[derive(Serialize)]
struct TargetWire<'a> {
    name: &'a str,
    times: usize,
    by: Vec<&'a str>,
}

/// Runs the command.
pub(crate) fn run(_: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let found = engine.targets()?;
    let answer = if found.is_empty() { Answer::Yes } else { Answer::No };
    if ui.is_json() {
        let wire = |one: &'_ ken_engine::Wanted| -> (String, usize, Vec<String>) {
            (one.name.clone(), one.n_times, one.by.iter().map(ToString::to_string).collect())
        };
        let all: Vec<(String, usize, Vec<String>)> = found.iter().map(wire).collect();
        let targets = all.iter().map(|(name, times, by)| TargetWire {
            name,
            times: *times,
            by: by.iter().map(String::as_str).collect(),
        });
        ui.json(&Wire { targets: targets.collect() });
        return Ok(answer);
    }
    let rows: Vec<Vec<Cell>> = found
        .iter()
        .map(|one| {
            let mut by: Vec<&str> = one.by.iter().map(Slug::as_str).take(BY_MAX).collect();
            if one.by.len() > BY_MAX {
                by.push("…");
            }
            vec![
                Cell::new(brief(&one.name, NAME_CHARS_MAX)).style(BOLD),
                Cell::new(number(one.n_times)).right(),
                Cell::new(by.join(", ")).style(DIM),
            ]
        })
        .collect();
    ui.rows(&rows);
    match found.first() {
        Some(first) => {
            let name = brief(&first.name, NAME_CHARS_MAX);
            ui.note(&format!(
                "`ken page new \"{name}\"` makes one; `ken page redirect \"{name}\" PAGE` lets it lead to a page"
            ));
        }
        None => ui.note("every link leads to a page"),
    }
    Ok(answer)
}

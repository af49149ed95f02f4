//! `ken history`: what was done to the vault.

use ken_engine::outcome::HistoryRow;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{BOLD, DIM};
use crate::table::Cell;
use crate::text::{count, moment};
use crate::ui::Ui;
use crate::wire;

/// List what was done to the vault, newest first
///
/// What one command did is one row, with an id that `ken undo` takes; a command
/// that needed many plans has the ids of the first and the last.
///
/// Examples:
///   ken history
///   ken history --limit 3 --json
///   ken history --all     every plan by itself
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// How many operations [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 20, hide_default_value = true)]
    limit: usize,
    /// One row for each plan, also where a command needed many
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    operations: Vec<Operation<'a>>,
    damage: &'a [String],
    #[serde(skip_serializing_if = "is_none")]
    merged: usize,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct Operation<'a> {
    id: &'a str,
    at: String,
    kind: &'a str,
    subject: &'a str,
    changed: Vec<&'a str>,
    operations: usize,
    undone: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.history(args.limit, args.all)?;
    if ui.is_json() {
        ui.json(&Wire {
            operations: done.rows.iter().map(operation).collect(),
            damage: &done.damage,
            merged: done.n_merged,
        });
        return Ok(Answer::Yes);
    }
    ui.rows(&done.rows.iter().map(row).collect::<Vec<_>>());
    done.damage.iter().for_each(|damage| ui.warning(damage));
    if done.n_merged > 0 {
        let places = count(done.n_merged, "place");
        ui.note(&format!("git merged another copy of this vault in at {places}; ids may occur twice"));
    }
    if done.rows.is_empty() {
        ui.note("nothing was done to this vault yet");
    }
    Ok(Answer::Yes)
}

fn operation(row: &HistoryRow) -> Operation<'_> {
    Operation {
        id: &row.id,
        at: row.at.to_string(),
        kind: &row.kind,
        subject: &row.subject,
        changed: wire::paths(&row.changed),
        operations: row.n_operations,
        undone: row.is_undone,
    }
}

fn row(row: &HistoryRow) -> Vec<Cell> {
    vec![
        Cell::new(&row.id).style(BOLD),
        Cell::new(moment(row.at)).style(DIM),
        Cell::new(&row.kind),
        Cell::new(count(row.changed.len(), "file")),
        Cell::new(if row.is_undone { format!("{} (undone)", row.subject) } else { row.subject.clone() }),
    ]
}
